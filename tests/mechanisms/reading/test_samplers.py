"""Exact samplers are read as they are written: laws by closed forms, by series, and by what Python draws."""

from collections import Counter
from fractions import Fraction

import pytest
from quality import sampler_functions as written
from quality.read_laws import law_of, powers

from stirred.spec.arguments import InputError

HALF, RUNS = Fraction(1, 2), 4_000


def power(exponent):
    return powers({exponent: 1}, {0: 1})


def zigzag(ratio):
    """P(k) ∝ ratio^(2k − 1) for k ≥ 1, ratio^(−2k) below, at most 3 from 0."""
    weights = {k: ratio ** (2 * k - 1 if k > 0 else -2 * k) * (1 - ratio) for k in range(-2, 3)}
    return {**weights, -3: ratio**6 / (1 + ratio), 3: ratio**5 / (1 + ratio)}


def laplace(scale):
    """P(k) = (1 − α)/(1 + α)·α^|k|, at most 3 from 0; α = e^(−1/scale)."""
    alpha = power(-1 / scale)
    inner = {k: (1 - alpha) / (1 + alpha) * power(-abs(k) / scale) for k in range(-2, 3)}
    return inner | dict.fromkeys((-3, 3), power(-3 / scale) / (1 + alpha))


EXPONENTIAL = ("by_fractions", "by_doubles", "by_counts", "by_inclusive_counts", "by_first_coin")
LAWS = [
    *((name, x, {True: power(-x), False: 1 - power(-x)}) for name in EXPONENTIAL for x in (HALF, Fraction(1))),
    ("by_fractions", Fraction(5, 2), {True: power(Fraction(-5, 2)), False: 1 - power(Fraction(-5, 2))}),
    *(("discrete_laplace", scale, laplace(scale)) for scale in (Fraction(1), Fraction(2), Fraction(3, 2))),
    ("zigzag", HALF, zigzag(HALF)),
    ("divided", HALF, {(0, 1): HALF, (2, 0): HALF**2, (3, 1): HALF**3, (5, 0): HALF**4 / (1 - HALF**2)}),
    (
        "divided_twice",
        0,
        {
            (k % 2, (k % 3, is_high)): HALF ** (k + 1) * (HALF**6 / (1 - HALF**6) if is_high else 1)
            for k in range(6)
            for is_high in (False, True)
        },
    ),
    ("largest", 3, {(one, other): Fraction(1, 6) for one in range(3) for other in range(3) if one != other}),
    ("from_entropy", 0, {True: HALF**2, False: 1 - HALF**2}),
    (
        "rounded_difference",
        2,
        {
            (-1, False): power(-1) / 2,
            (0, False): 1 - power(-1),
            (1, False): (power(-1) - power(-2)) / 2,
            (1, True): power(-2) / 2,
        },
    ),
]


def same(one, other):
    return one == other or (one - other) == 0


@pytest.mark.parametrize(("name", "data", "expected"), LAWS, ids=[f"{name}-{data}" for name, data, _ in LAWS])
def test_a_law_is_the_closed_form_and_what_python_draws(name, data, expected):
    found = law_of(written, name, data)
    if name == "divided":
        expected = {**expected, (5, 1): 1 - sum(expected.values())}
    assert found.keys() == {*map(repr, expected)}
    assert all(same(found[repr(key)], weight) for key, weight in expected.items())
    drawn = Counter(repr(getattr(written, name)(data)) for _ in range(RUNS))
    assert drawn.keys() <= found.keys()
    for key, weight in found.items():
        share = float(weight if isinstance(weight, Fraction) else weight.enclosure(30).lower)
        assert abs(drawn[key] - RUNS * share) < 7 * (RUNS * share * (1 - share) + 1) ** 0.5


@pytest.mark.parametrize("x", [HALF, Fraction(3)])
def test_passes_that_begin_later_are_summed_from_there(x):
    """At least n passes go on with probability x^n·2!/(n + 2)!; the bounds are partial sums, whose terms fall."""
    alive, even, bounds = Fraction(1), Fraction(0), []
    for n in range(40):
        even += (-1) ** n * alive
        alive *= x / (3 + n)
        bounds.append(even)
    share = law_of(written, "from_third_pass", x)["True"]
    assert min(bounds[-2:]) < share < max(bounds[-2:])
    assert max(bounds[-2:]) - min(bounds[-2:]) < Fraction(1, 10**25)


PASSES = "a loop has made 33 passes in which draws decide"
REFUSED = {
    "one_uniform": PASSES,
    "squares": PASSES,
    "two_coins": PASSES,
    "looks": "a comparison of what a loop leaves that ends by coins of probability c/k is not read, but for whether k",
    "leaves": "mul of what a loop leaves that ends by coins of probability c/k is not read",
    "logs": "a released number: a draw is used again after another number took its place",
    "seed_is_released": "a comparison: a draw is used again after another number took its place",
    "drawn_at_import": "a draw before the call, which is another one in each process: draw in the function",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_known_is_refused_by_its_line(name):
    with pytest.raises(InputError, match=rf"sampler_functions\.py, line \d+: {REFUSED[name]}"):
        law_of(written, name, HALF)
