"""Premetrics with real values against sums in floating point of 50 digits, and tests of all events."""

from collections.abc import Callable
from fractions import Fraction
from itertools import chain, combinations, pairwise
from statistics import NormalDist
from typing import Any

import pytest
from hypothesis import given
from mpmath import mp, mpf
from strategies import laws

from stirred.spec import ChiSquared, GaussianTradeoff, InputError, KullbackLeibler, Law, Loss, Renyi, SquaredHellinger
from stirred.spec.numbers.ball import precision
from stirred.spec.numbers.reals.logarithm_sum import LogarithmSum
from stirred.spec.numbers.reals.normal_quantiles import normal_power
from stirred.spec.numbers.reals.real import Real, order
from stirred.spec.output_premetrics.real_valued import RealValued
from stirred.verify.evidence.certificates.language import evaluate

P = Law({0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)})
Q = Law({0: Fraction(1, 5), 1: Fraction(2, 5), 2: Fraction(2, 5)})
Sum = Callable[[mpf, mpf], mpf]


def m(number: Fraction) -> mpf:
    return mpf(number.numerator) / number.denominator


def total(p: Law[Any], q: Law[Any], term: Sum) -> mpf:
    """Σ term(P(t), Q(t)) over the outcomes of P."""
    return mp.fsum(term(m(p.numeric(t)), m(q.numeric(t))) for t in p)


FORMULAS: dict[str, tuple[RealValued, Callable[[Law[Any], Law[Any]], mpf]]] = {
    "kullback-leibler": (KullbackLeibler(), lambda p, q: total(p, q, lambda a, b: a * mp.log(a / b))),
    "renyi 2": (Renyi(Fraction(2)), lambda p, q: mp.log(total(p, q, lambda a, b: a**2 / b))),
    "renyi 7": (Renyi(Fraction(7)), lambda p, q: mp.log(total(p, q, lambda a, b: a**7 / b**6)) / 6),
    "renyi 5/3": (
        Renyi(Fraction(5, 3)),
        lambda p, q: mp.log(total(p, q, lambda a, b: a * (a / b) ** (mpf(2) / 3))) * 3 / 2,
    ),
    "chi squared": (ChiSquared(), lambda p, q: total(p, q, lambda a, b: (a - b) ** 2 / b) + _missed(p, q)),
    "hellinger": (SquaredHellinger(), lambda p, q: 1 - total(p, q, lambda a, b: mp.sqrt(a * b))),
}


def _missed(p: Law[Any], q: Law[Any]) -> mpf:
    return mp.fsum(m(q.numeric(t)) for t in q if t not in p)


def agrees(measure: RealValued, formula: Callable[[Law[Any], Law[Any]], mpf], p: Law[Any], q: Law[Any]) -> bool:
    """Whether a distance is a formula's value, to 20 digits."""
    value = measure.distance(p, q)
    if value is None:
        return any(t not in q for t in p)
    with mp.workdps(50):
        number = m(value) if isinstance(value, Fraction) else m(value.enclosure(30).lower)
        return bool(abs(number - formula(p, q)) < mpf(10) ** -20)


@pytest.mark.parametrize("name", FORMULAS)
@given(p=laws(), q=laws())
def test_a_distance_is_its_formula(name, p, q):
    measure, formula = FORMULAS[name]
    if measure.distance(p, q) is not None:
        assert agrees(measure, formula, p, q)
    else:
        assert set(p) - set(q)


@pytest.mark.parametrize("name", FORMULAS)
def test_the_formula_of_a_witness_is_the_distance(name):
    measure, _ = FORMULAS[name]
    values = {f"{letter}{t}": law.numeric(t) for letter, law in (("p", P), ("q", Q)) for t in P}
    distance = measure.distance(P, Q)
    ends = (
        (distance, distance)
        if isinstance(distance, Fraction)
        else (distance.enclosure().lower, distance.enclosure().upper)
    )
    text = measure.formula(3)
    assert not evaluate(f"{text} <= {ends[0] - Fraction(1, 10**12)}", values)[0]
    assert evaluate(f"{text} <= {ends[1] + Fraction(1, 10**12)}", values)[0]


def events(outcomes):
    return chain.from_iterable(combinations(outcomes, size) for size in range(len(outcomes) + 1))


@given(p=laws(3), q=laws(3))
def test_no_test_beats_that_of_normal_laws_and_one_attains_it(p, q):
    """Every event, as a test of P against Q: its power is at most Φ(Φ⁻¹(level) + μ), and some has that power."""
    mu = GaussianTradeoff().distance(p, q)
    levels = [
        (sum(p.numeric(t) for t in event), sum(q.numeric(t) for t in event)) for event in events(tuple({**p, **q}))
    ]
    certain = [level for level, power in levels if (level == 0) != (power == 0) or (level == 1) != (power == 1)]
    assert (mu is None) == bool(certain)
    if mu is None:
        return
    with precision(200):
        inside = [(level, power) for level, power in levels if 0 < level < 1]
        gaps = [float((normal_power(level, mu) - float(power)).mid()) for level, power in inside]
    assert all(gap > -1e-9 for gap in gaps)
    assert not inside or min(gaps) < 1e-9 or mu == 0


def test_gaussian_privacy_of_a_coin_is_the_printed_formula():
    """Randomized response at rate p is μ-GDP for μ = −2·Φ⁻¹(p), the corner (p, 1 − p)."""
    coin, other = Law({0: Fraction(1, 4), 1: Fraction(3, 4)}), Law({0: Fraction(3, 4), 1: Fraction(1, 4)})
    mu = GaussianTradeoff().distance(coin, other)
    assert float(mu.enclosure().lower) == pytest.approx(-2 * NormalDist().inv_cdf(0.25), abs=1e-12)


def test_equality_with_a_budget_is_decided():
    coin, other = Law({0: Fraction(1, 4), 1: Fraction(3, 4)}), Law({0: Fraction(3, 4), 1: Fraction(1, 4)})
    half = KullbackLeibler()
    assert order(half.distance(coin, other), LogarithmSum.of_loss(Loss(3, 2))) == 0
    assert half.at_most(half.distance(coin, other), half.bound(Loss(3, 2), 1))
    order_two = Renyi(Fraction(2))
    assert order_two.at_most(order_two.distance(coin, other), order_two.bound(Loss(Fraction(7, 3)), 1))
    assert not order_two.at_most(
        order_two.distance(coin, other), order_two.bound(Loss(Fraction(7, 3) - Fraction(1, 10**300)), 1)
    )
    roots = Renyi(Fraction(3, 2))  # (3/4)·√3 + (1/4)/√3 = 5/(2·√3), and 2·ln of it is ln(25/12)
    assert roots.at_most(roots.distance(coin, other), roots.bound(Loss(Fraction(25, 12)), 1))
    assert not roots.at_most(roots.distance(coin, other), roots.bound(Loss(Fraction(25, 12) - Fraction(1, 10**300)), 1))
    squared = SquaredHellinger()
    assert isinstance(squared.distance(coin, other), Real)
    quarter = Law({0: Fraction(1, 5), 1: Fraction(4, 5)}), Law({0: Fraction(4, 5), 1: Fraction(1, 5)})
    assert squared.distance(*quarter) == Fraction(1, 5)


def test_bounds_of_two_releases_add():
    measure = KullbackLeibler()
    assert measure.composed_bound(Fraction(1, 3), Fraction(1, 4)) == Fraction(7, 12)
    assert measure.composed_bound(None, Fraction(1)) is measure.composed_bound(Fraction(1), None) is None
    one, two = (measure.distance(P, Q), measure.distance(Q, P))
    both = measure.composed_bound(one, two)
    assert order(both, one) > 0
    assert order(both, measure.composed_bound(two, one)) == 0


@pytest.mark.parametrize(("measure", "combined"), [(ChiSquared(), Fraction(19)), (GaussianTradeoff(), Fraction(5))])
def test_bounds_that_do_not_add_are_combined_where_both_are_rational(measure, combined):
    assert measure.composed_bound(Fraction(3), Fraction(4)) == combined  # 4*5 - 1, and the root of 9 + 16
    irrational = KullbackLeibler().distance(P, Q)
    for pair in ((Fraction(3), irrational), (irrational, Fraction(3)), (irrational, irrational)):
        with pytest.raises(InputError, match="must be rational to combine") as refused:
            measure.composed_bound(*pair)
        assert str(refused.value).endswith(f"got {pair[0]} and {pair[1]}")


def test_two_releases_that_tell_nothing_tell_nothing():
    nothing = Fraction(0)
    assert all(measure.composed_bound(nothing, nothing) == 0 for measure in (ChiSquared(), GaussianTradeoff()))


def test_chi_squared_alone_has_rational_distances_of_all_laws():
    kinds = (ChiSquared, GaussianTradeoff, KullbackLeibler, Renyi, SquaredHellinger)
    assert [kind for kind in kinds if kind.is_rational] == [ChiSquared]


def test_the_smallest_budget_of_an_irrational_distance_is_its_part():
    measure = KullbackLeibler()
    value = measure.distance(P, Q)
    assert order(measure.bound(measure.smallest_budget(value, 2), 2), value) == 0
    assert measure.smallest_budget(value, 0) is None
    assert measure.smallest_budget(Fraction(0), 0) == 0


def test_at_distance_zero_an_irrational_budget_bounds_nothing_above_zero():
    assert KullbackLeibler().bound(Loss(3, 2), 0) == 0


def test_distances_grow_with_the_order():
    found = [Renyi(Fraction(a, 2)).distance(P, Q) for a in range(3, 12)]
    assert all(order(one, other) < 0 for one, other in pairwise(found))
    assert order(KullbackLeibler().distance(P, Q), found[0]) < 0


@pytest.mark.parametrize("alpha", [Fraction(1), Fraction(0), Fraction(1001), Fraction(1501, 1001)])
def test_an_order_out_of_range_is_refused(alpha):
    with pytest.raises(InputError, match="order must be above 1 and at most 1000"):
        Renyi(alpha)
    with pytest.raises(InputError, match="must be an exact number"):
        Renyi(1.5)
