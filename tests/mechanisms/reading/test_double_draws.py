"""Where doubles decide, a law is that of the program's own operations on k/2^53, to the last k."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from quality import double_functions as written

from stirred.mechanisms.generators.discrete_draws import numpy_gumbel, numpy_laplace, numpy_logistic
from stirred.mechanisms.generators.kinds import GeneratorPlace
from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.reading.read_mechanism import ReadMechanism
from stirred.spec.arguments import InputError

GRID = 2**53


def law(function, data, kind="numpy"):
    read = ReadMechanism(function, {}, lambda file: file == written.__file__, GeneratorPlace(kind), are_doubles=True)
    return dict(exact_law(lambda point, source: read.program(point)(source), data))


def share(holds, least=0):
    """The share of k at which something holds that changes once, by bisection."""
    low, high = least, GRID - 1
    first, last = holds(low / GRID), holds(high / GRID)
    if first == last:
        return Fraction(int(first))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle / GRID) == first else (low, middle)
    before = Fraction(high - least, GRID - least)
    return before if first else 1 - before


BELOW = [
    (written.below, lambda u, c: u < c, 0),
    (written.uniform_below, lambda u, c: 1 - 3 * (-0.5 + (0.7 - -0.5) * u) < c, 0),
    (written.laplace_below, lambda u, c: 2 + numpy_laplace(u, 0.3, 1.7) <= c, 1),
    (written.gumbel_below, lambda u, c: numpy_gumbel(u, 0.1, 2.0) < c, 1),
    (written.logistic_below, lambda u, c: numpy_logistic(u, 0.1, 2.0) >= c, 1),
    (written.logarithm_below, lambda u, c: np.log(1 - u) < -c, 0),
    (written.root_below, lambda u, c: math.sqrt(u) / 3 < c, 0),
]


@pytest.mark.parametrize("bound", [0.1, 1 / 3, 0.7, 1.0])
@pytest.mark.parametrize(("function", "holds", "least"), BELOW, ids=lambda one: getattr(one, "__name__", ""))
def test_a_comparison_is_that_of_doubles(function, holds, least, bound):
    expected = share(lambda u: bool(holds(u, bound)), least)
    assert law(function, bound).get(True, 0) == expected


def test_both_sides_of_a_magnitude_are_those_of_doubles():
    below = share(lambda u: u - 0.3 < 0.1) - share(lambda u: u - 0.3 <= -0.1)
    assert law(written.magnitude_below, 0.1)[True] == below


def test_roundings_are_those_of_doubles():
    found = law(written.rounded, 0.1)
    assert sum(found.values()) == 1
    for value in range(11):
        up_to = share(lambda u, value=value: round(0.1 + 10 * u) <= value)
        assert sum((found.get(one, Fraction(0)) for one in range(value + 1)), Fraction(0)) == up_to
    assert law(written.floored, 2) == {
        k: share(lambda u, k=k: 7 * u < k - 1) - share(lambda u, k=k: 7 * u < k - 2) for k in range(2, 9)
    }
    inside = share(lambda u: round(0.05 + u, 1) <= 0.3) - share(lambda u: round(0.05 + u, 1) < 0.3)
    assert law(written.decimals, 0.05)[True] == inside


def test_choices_are_by_cumulated_doubles():
    weights = np.exp(np.array([0.3, 1.0, 0.1]))
    cuts = (weights / weights.sum()).cumsum()
    cuts /= cuts[-1]
    found = law(written.chosen, (0.3, 1.0, 0.1))
    assert found == {
        place: share(lambda u, place=place: cuts.searchsorted(u, side="right") <= place)
        - share(lambda u, place=place: cuts.searchsorted(u, side="right") < place)
        for place in range(3)
    }


def test_choices_of_python_are_those_of_its_code():
    thirds = law(written.of_three, 0, "random")
    assert sum(thirds.values()) == 1
    assert thirds[0] == Fraction(math.ceil(Fraction(GRID, 3)), GRID)
    assert thirds[2] == 1 - share(lambda u: math.floor(u * 3.0) < 2)
    assert law(written.weighted, (0.1, 0.2), "random")["a"] == share(lambda u: u * (0.1 + 0.2 + 0.0) < 0.1)
    assert law(written.waiting, 0.3, "random")[True] == share(lambda u: -math.log(1.0 - u) / 0.3 < 1.3)


@pytest.mark.parametrize(
    ("function", "kind", "method"),
    [
        (written.below, "numpy", lambda seed: np.random.default_rng(seed)),
        (written.laplace_below, "numpy", lambda seed: np.random.default_rng(seed)),
        (written.gumbel_below, "numpy", lambda seed: np.random.default_rng(seed)),
        (written.logistic_below, "numpy", lambda seed: np.random.default_rng(seed)),
        (written.counted, "numpy", lambda seed: np.random.default_rng(seed)),
        (written.flips, "numpy", lambda seed: np.random.default_rng(seed)),
        (written.waiting, "random", random.Random),
    ],
)
def test_laws_are_those_of_the_generators_themselves(function, kind, method):
    """The empirical mean of 20,000 draws is within 5 standard deviations of that of the law."""
    rng, draws = method(7), 20_000
    found = law(function, 0.4, kind)
    mean = float(sum(value * share for value, share in found.items()))
    variance = float(sum((value - mean) ** 2 * float(share) for value, share in found.items()))
    assert abs(sum(map(int, (function(0.4, rng) for _ in range(draws)))) / draws - mean) < 5 * math.sqrt(
        variance / draws
    )


def test_doubles_decide_what_is_not_drawn_too():
    assert law(written.tenths, 0.1 + 0.2) == {True: Fraction(1, 2), False: Fraction(1, 2)}
    assert law(written.digits, 0.29) == {28: Fraction(1, 2), 29: Fraction(1, 2)}


def test_what_is_raised_at_one_draw_is_caught_at_one_draw():
    assert law(written.at_zero, -1.0)[None] == Fraction(1, GRID)


def test_documented_laws_take_doubles_as_they_are():
    p = Fraction(0.3)
    assert law(written.counted, 0.3) == {1: p, 2: 1 - p}
    assert law(written.flips, 0.3) == {0: (1 - p) ** 2, 1: 2 * p * (1 - p), 2: p**2}


REFUSED = {
    written.normal: "Generator.normal is not read",
    written.exponential: "Generator.exponential is not read",
    written.two: "two draws meet here",
    written.summed: "two draws meet here",
    written.with_itself: "two draws meet here",
    written.released: "a released number has too many values",
    written.caught: "pow of a double that is drawn is not read",
    written.single: "with another dtype than float64, is not read",
}


@pytest.mark.parametrize("function", REFUSED, ids=lambda one: one.__name__)
def test_anything_else_is_refused_with_its_line(function):
    with pytest.raises(InputError, match=rf"double_functions.py, line \d+: .*{REFUSED[function]}"):
        law(function, 0.3)
