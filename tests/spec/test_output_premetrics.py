from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import check_refused, each
from strategies import events, fractions, gammas, laws, losses

from stirred.spec import (
    INFINITE,
    ZERO,
    ApproximateMultiplicative,
    InputError,
    Law,
    Loss,
    Multiplicative,
    NormalizedRenyi,
    TotalVariation,
    Tradeoff,
    hockey_stick,
)
from stirred.spec.laws.law import point_mass
from stirred.spec.output_premetrics import DIAGONAL, approximate_curve, check_curve, total_variation, tradeoff_curve
from stirred.verify.engines.zcdp.normalized_renyi import normalized_renyi_squared

deltas = st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 3), Fraction(4, 5)])
MEASURES = [Multiplicative(), ApproximateMultiplicative(Fraction(1, 10)), TotalVariation(), Tradeoff()]


def pairs_of_events(p, q):
    for event in events(4):
        yield sum((p[t] for t in event), Fraction(0)), sum((q[t] for t in event), Fraction(0))


def quotient(a, b):
    """ln a/b as a loss at least 0: a/0 is infinite, 0/0 is no loss."""
    if a <= b:
        return ZERO
    return INFINITE if b == 0 else Loss(Fraction(a) / b)


@given(laws(), laws())
def test_multiplicative_and_total_variation_by_atoms_are_the_suprema_over_all_events(p, q):
    by_events = max(max(quotient(a, b), quotient(b, a)) for a, b in pairs_of_events(p, q))
    assert Multiplicative().distance(p, q) == by_events
    assert total_variation(p, q) == max(abs(a - b) for a, b in pairs_of_events(p, q))


@given(laws(), laws(), deltas)
def test_approximate_distance_is_the_supremum_over_all_events(p, q, delta):
    by_events = max(
        max(quotient(max(a - delta, 0), b), quotient(max(b - delta, 0), a)) for a, b in pairs_of_events(p, q)
    )
    assert ApproximateMultiplicative(delta).distance(p, q) == by_events


@given(laws(), laws(), deltas, gammas)
def test_approximate_distance_is_decided_by_the_hockey_stick(p, q, delta, gamma):
    within = hockey_stick(p, q, gamma) <= delta and hockey_stick(q, p, gamma) <= delta
    assert (ApproximateMultiplicative(delta).distance(p, q) <= Loss(gamma)) == within


@given(laws(), laws(), gammas)
def test_hockey_stick_is_the_maximum_over_all_events_and_dual_to_the_tradeoff_curve(p, q, gamma):
    assert hockey_stick(p, q, gamma) == max(a - gamma * b for a, b in pairs_of_events(p, q))
    # E_gamma(Q || P) = max over levels of power - gamma * level, attained at a vertex
    assert hockey_stick(q, p, gamma) == max(0, *(f - gamma * a for a, f in tradeoff_curve(p, q)))


@given(laws(3), laws(3))
def test_tradeoff_curve_is_the_best_power_over_all_tests(p, q):
    # randomised tests are mixtures: the upper concave hull of the deterministic ones
    tests = [(sum((p[t] for t in event), Fraction(0)), sum((q[t] for t in event), Fraction(0))) for event in events(3)]
    curve = tradeoff_curve(p, q)
    for alpha in {a for a, _ in tests} | {Fraction(1, 7), Fraction(1, 2)}:
        best = max(
            g if a == b else f + (g - f) * (alpha - a) / (b - a)
            for (a, f), (b, g) in product(tests, tests)
            if a <= alpha <= b and (a < b or a == alpha)
        )
        assert Tradeoff.at(curve, alpha) == best


def test_all_premetrics_but_the_trade_off_function_are_declared_symmetric():
    assert [m.name for m in (*MEASURES, NormalizedRenyi()) if not m.is_symmetric] == ["tradeoff"]


@settings(max_examples=6)
@given(
    laws(3, positive=True), laws(3, positive=True), laws(3, positive=True), st.lists(laws(2), min_size=3, max_size=3)
)
def test_what_normalized_renyi_declares_holds_of_its_enclosures(p, q, r, kernel):
    measure = NormalizedRenyi()
    assert measure.is_symmetric
    assert measure.has_triangle_inequality
    assert measure.is_immune_to_post_processing
    assert measure.is_infinite_at_total_variation_one
    first, second, direct, back, processed = (
        normalized_renyi_squared(*pair, digits=3)
        for pair in ((p, q), (q, r), (p, r), (r, p), [law.bind(kernel.__getitem__) for law in (p, r)])
    )
    assert max(direct[0], back[0]) <= min(direct[1], back[1])
    more = direct[0] - first[1] - second[1]  # √direct ≤ √first + √second
    assert more <= 0 or more**2 <= 4 * first[1] * second[1]
    assert processed[0] <= direct[1]
    assert normalized_renyi_squared(point_mass(0), point_mass(1)) == (INFINITE, INFINITE)


def test_approximate_distance_violates_the_triangle_inequality():
    # at delta = 1/10 two steps of mass 1/10 cost nothing each, but moving 1/5 costs something
    p, q, r = (Law({0: 1 - Fraction(k, 10), 1: Fraction(k, 10)}) for k in range(3))
    measure = ApproximateMultiplicative(Fraction(1, 10))
    assert measure.distance(p, q) == measure.distance(q, r) == ZERO
    assert measure.distance(p, r) == INFINITE
    assert not measure.has_triangle_inequality


@given(laws(), laws())
def test_worst_event_shows_the_distance(p, q):
    assert Multiplicative().worst_event(p, p) is None
    found = Multiplicative().worst_event(p, q)
    if found is None:
        assert p == q
    else:
        outcome, loss = found
        assert max(quotient(p[outcome], q[outcome]), quotient(q[outcome], p[outcome])) == loss


@given(st.one_of(st.none(), fractions(0, 3)), st.one_of(st.none(), fractions(0, 3)))
@pytest.mark.parametrize("measure", [TotalVariation(), NormalizedRenyi()])
def test_rational_budgets_cover_exactly(measure, value, distance):
    budget = measure.smallest_budget(value, distance)
    assert measure.at_most(value, measure.bound(budget, distance))
    if budget:
        assert not measure.at_most(value, measure.bound(budget - Fraction(1, 10**9), distance))


def test_zero_times_infinity_is_infinity_for_rational_budgets():
    for measure in (TotalVariation(), NormalizedRenyi()):
        assert measure.bound(0, None) is None
        assert measure.bound(None, 0) is None
        assert measure.bound(0, 0) == 0
        assert measure.smallest_budget(Fraction(1), 0) is None


def test_normalized_renyi_budgets_scale_with_the_square_of_the_distance():
    assert NormalizedRenyi().bound(Fraction(1, 8), 2) == Fraction(1, 2)
    assert NormalizedRenyi().distance(point_mass(0), point_mass(0)) == 0
    with pytest.raises(InputError, match="enclosure"):
        NormalizedRenyi().distance(point_mass(0), point_mass(1))


def test_an_integer_delta_is_kept_as_a_fraction():
    assert repr(ApproximateMultiplicative(0)) == "ApproximateMultiplicative(delta=Fraction(0, 1))"


@given(losses, st.integers(1, 3))
def test_loss_valued_bounds_are_those_of_losses(loss, distance):
    measure = Multiplicative()
    assert measure.bound(loss, distance) == loss.times(distance)
    assert measure.smallest_budget(measure.bound(loss, distance), distance) == loss
    assert measure.bound(loss, None) == measure.no_bound


def test_tradeoff_budgets_apply_at_distance_0_1_or_infinity_only():
    measure = Tradeoff()
    biased = tradeoff_curve(Law({0: Fraction(1, 3), 1: Fraction(2, 3)}), Law({0: Fraction(2, 3), 1: Fraction(1, 3)}))
    assert measure.bound(biased, 0) == DIAGONAL
    assert measure.smallest_budget(biased, 0) is None
    assert measure.smallest_budget(DIAGONAL, 0) == DIAGONAL
    assert measure.smallest_budget(biased, 1) == biased
    assert measure.bound(DIAGONAL, 1) == DIAGONAL
    assert measure.bound(DIAGONAL, None) is None
    assert measure.smallest_budget(DIAGONAL, None) == DIAGONAL
    assert measure.at_most(None, None)
    assert not measure.at_most(None, DIAGONAL)
    with pytest.raises(InputError, match="distance 2"):
        measure.bound(DIAGONAL, 2)
    with pytest.raises(InputError, match="alpha must be between 0 and 1"):
        Tradeoff.at(DIAGONAL, 2)


def test_the_curve_of_a_budget_has_its_vertices_where_the_formula_has_them():
    tenth = Fraction(1, 10)  # (1 - delta)/(1 + gamma) = 9/40, and 3*9/40 + 1/10 = 31/40
    corners = ((0, tenth), (Fraction(9, 40), Fraction(31, 40)), (Fraction(9, 10), 1), (1, 1))
    assert approximate_curve(3, tenth) == corners
    assert approximate_curve(1, 0) == ((0, 0), (Fraction(1, 2), Fraction(1, 2)), (1, 1))
    for gamma, delta in ((Fraction(9, 10), 0), (3, 1), (3, -tenth), (Fraction(1, 2), 2)):
        with pytest.raises(InputError, match="gamma must be at least 1 and delta in"):
            approximate_curve(gamma, delta)
    with pytest.raises(InputError, match="delta must be an exact number"):
        approximate_curve(3, 0.1)


def test_curves_that_cross_are_not_comparable():
    flat = tradeoff_curve(Law({0: Fraction(1)}), Law({0: Fraction(3, 4), 1: Fraction(1, 4)}))
    steep = tradeoff_curve(Law({0: Fraction(1, 2), 1: Fraction(1, 2)}), Law({0: Fraction(1, 10), 1: Fraction(9, 10)}))
    assert not Tradeoff().at_most(flat, steep)
    assert not Tradeoff().at_most(steep, flat)


@pytest.mark.parametrize(
    ("vertices", "message"),
    [
        (3, r"must be a list of \[level, power\]; got 3"),
        ([(0, 0), (1,)], r"must be a list of \[level, power\]"),
        ([(0, 0), (0.5, 1), (1, 1)], "a level must be an exact number"),
        ([(0, 0)], "must begin at level 0 and end at level 1 with power 1; got"),
        ([(0, 0), (1, Fraction(1, 2))], "must begin at level 0 and end at level 1 with power 1"),
        ([(0, 0), (Fraction(1, 2), 1), (Fraction(1, 2), 1), (1, 1)], "must have rising levels and powers"),
        ([(0, Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 4)), (1, 1)], "must have rising levels and powers"),
        ([(0, Fraction(-1, 2)), (1, 1)], "must have rising levels and powers"),
        ([(0, 0), (Fraction(1, 2), Fraction(1, 4)), (1, 1)], "must be concave; got"),
    ],
)
def test_a_claimed_curve_is_a_trade_off_function(vertices, message):
    with pytest.raises(InputError, match=f"curve:? ?{message}"):
        check_curve("curve", vertices)


@given(laws(), laws(), st.integers(1, 4))
def test_every_curve_of_two_laws_is_one_also_with_more_of_its_points(p, q, parts):
    curve = tradeoff_curve(p, q)
    levels = sorted({a + (b - a) * Fraction(k, parts) for (a, _), (b, _) in pairwise(curve) for k in range(parts + 1)})
    more = tuple((level, Tradeoff.at(curve, level)) for level in levels)
    for vertices in (curve, more):
        assert check_curve("curve", vertices) == vertices


def test_ratios_that_differ_by_less_than_one_over_the_total_are_told_apart():
    p, q = (Law({t: Fraction(n, 406) for t, n in enumerate(row)}) for row in ((68, 135, 203), (67, 133, 206)))
    delta = Fraction(7, 406_000)
    # of all events (P(E) - delta)/Q(E) is largest on the outcome 1 alone: 135/133 exceeds 68/67 by 1/8911
    expected = Loss((Fraction(135, 406) - delta) / Fraction(133, 406))
    assert ApproximateMultiplicative(delta).distance(p, q) == expected
    assert ApproximateMultiplicative(delta).distance(q, p) == expected


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *each(lambda budget: TotalVariation().bound(budget, 1), [0.1, -1, "1"], "budget must be"),
        *each(lambda budget: Multiplicative().bound(budget, 1), [0.1, Fraction(1), None], "budget must be a Loss"),
        *each(ApproximateMultiplicative, [1, -1, 2, 0.5], "delta must be"),
        *each(lambda gamma: hockey_stick(Law({0: 1}), Law({1: 1}), gamma), [-1, Fraction(-1, 2), 0.5], "gamma must be"),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)
