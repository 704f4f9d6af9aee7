from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws, losses, multiverses, premetrics

from stirred.spec import (
    INFINITE,
    SYMBOL,
    ZERO,
    ApproximateMultiplicative,
    ChiSquared,
    FiniteDomain,
    Flavor,
    InputError,
    Law,
    Loss,
    Multiplicative,
    Multiverse,
    NormalizedRenyi,
    Specification,
    TotalVariation,
    Tradeoff,
    vacuous,
)
from stirred.spec.blocks.input_premetric import explicit
from stirred.spec.output_premetrics import DIAGONAL, shown_curve, tradeoff_curve
from stirred.verify.engines.exhaustive import (
    check_specification,
    loss_witness,
    mechanism_laws,
    ordered_pairs,
    smallest_budget,
    universe_losses,
    violations,
)
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict

DELTA = Fraction(1, 5)
MEASURES = [Multiplicative(), ApproximateMultiplicative(DELTA), TotalVariation()]


@st.composite
def cases(draw, measure):
    domain, premetric = draw(premetrics())
    flavor = Flavor(domain, draw(multiverses()), premetric, measure)
    return flavor, {x: draw(laws(3)) for x in domain}


@pytest.mark.parametrize("measure", MEASURES)
@given(data=st.data())
def test_the_smallest_budgets_satisfy_equation_1_and_nothing_smaller_does(measure, data):
    flavor, released = data.draw(cases(measure))
    found = universe_losses(released, flavor)
    budgets = {one.universe: one.budget for one in found}
    assert check_specification(released, Specification(flavor, budgets), "all").verdict is Verdict.EXHAUSTED
    for one in found:
        expected = [
            measure.smallest_budget(measure.distance(released[x], released[y]), flavor.input_premetric(x, y))
            for x, y in product(one.universe, one.universe)
            if x != y
        ]
        assert all(measure.at_most(budget, one.budget) for budget in expected)
        if one.worst is None:
            assert measure.at_most(one.budget, measure.smallest_budget(measure.no_bound, None))
        else:
            assert one.budget in expected
            assert set(one.worst) <= one.universe


@given(st.data())
def test_a_specification_holds_iff_no_pair_violates_it_and_every_witness_replays(data):
    measure = data.draw(st.sampled_from(MEASURES[:2]))
    flavor, released = data.draw(cases(measure))
    specification = Specification(flavor, {universe: data.draw(losses) for universe in flavor.multiverse})
    matrix = specification.matrix()
    holds = all(
        measure.at_most(measure.distance(released[x], released[y]), matrix(x, y))
        for x, y in product(flavor.domain, flavor.domain)
        if x != y
    )
    evidence = check_specification(released, specification, "all")
    assert (evidence.verdict is Verdict.EXHAUSTED) == holds
    for violation in violations(released, specification):
        assert replay(loss_witness(released, measure, violation))


def laws_in(parts):
    """All laws on 0, 1 and 2 whose probabilities are multiples of 1/parts."""
    weights = [(a, b, parts - a - b) for a in range(parts + 1) for b in range(parts + 1 - a)]
    return [Law({t: Fraction(w, parts) for t, w in enumerate(ws)}) for ws in weights]


def two_points(measure, distance):
    """The flavor that compares 0 with 1, in this order."""
    domain = FiniteDomain((0, 1))
    return Flavor(domain, vacuous(domain), explicit({(0, 1): distance}, "record"), measure)


def mass(law, event):
    return sum((law[t] for t in event), Fraction(0))


def test_the_event_of_an_approximate_loss_attains_it():
    flavor = two_points(ApproximateMultiplicative(DELTA), 1)
    for p, q in product(laws_in(5), repeat=2):
        (one,) = universe_losses({0: p, 1: q}, flavor)
        a, b = mass(p, one.event), mass(q, one.event)
        if one.budget == ZERO:
            assert one.worst is None
        elif one.budget == INFINITE:
            assert (b == 0 and a > DELTA) or (a == 0 and b > DELTA)
        else:
            assert one.budget.gamma in {(a - DELTA) / b if b else None, (b - DELTA) / a if a else None}


@pytest.mark.parametrize("distance", [1, 2])
@pytest.mark.parametrize("measure", MEASURES[:2])
def test_a_budget_below_the_smallest_one_is_refuted_by_a_witness_against_itself(measure, distance):
    """The budgets tried are all that the events of the two laws need: a witness must not show one of the others."""
    delta = measure.delta if isinstance(measure, ApproximateMultiplicative) else Fraction(0)
    flavor = two_points(measure, distance)
    events = [event for size in range(4) for event in combinations(range(3), size)]
    for p, q in product(laws_in(4), repeat=2):
        masses = [(mass(p, event), mass(q, event)) for event in events]
        quotients = {(a - delta) / b for pair in masses for a, b in (pair, pair[::-1]) if b}
        (needed,) = universe_losses({0: p, 1: q}, flavor)
        for gamma in {max(quotient, Fraction(1)) for quotient in quotients}:
            budget = Loss(gamma, distance)
            found = check_specification({0: p, 1: q}, Specification.constant(flavor, budget), "all")
            assert (found.verdict is Verdict.REFUTED) == (needed.budget > budget)
            if found.verdict is Verdict.REFUTED:
                assert replay(found.witness)
                claimed = Loss(Fraction(found.witness["gamma"]), found.witness["gamma_root"])
                assert (claimed, found.witness["delta"]) == (budget, str(delta))


@given(cases(TotalVariation()))
def test_pairs_are_compared_by_records_then_distance_then_order(case):
    flavor, released = case
    specification = Specification.constant(flavor, Fraction(0))
    found = [(x, y, d) for x, y, d, _ in ordered_pairs(released, specification)]
    far = max((d for _, _, d in found if d is not None), default=0) + 1
    # every data set of these domains counts as one record
    assert found == sorted(found, key=lambda pair: (far if pair[2] is None else pair[2], pair[0], pair[1]))
    assert all(d == flavor.input_premetric(x, y) for x, y, d in found)


def test_a_loss_that_the_independent_logarithms_do_not_give_is_a_fault(monkeypatch):
    laws = {0: Law({0: Fraction(1, 2), 1: Fraction(1, 2)}), 1: Law({0: Fraction(1, 3), 1: Fraction(2, 3)})}
    wrong = Loss(Fraction(4, 3))  # it is 3/2
    monkeypatch.setattr(Multiplicative, "distance_of", lambda _, masses: wrong)
    with pytest.raises(EngineError, match=r"loss at \(0,\): the exact loss and its independent value disagree"):
        universe_losses(laws, two_points(Multiplicative(), 1))


def test_every_data_set_needs_a_law():
    domain = FiniteDomain((0, 1))
    flavor = Flavor(domain, vacuous(domain), explicit({}, "record"), Multiplicative())
    for budgets in (universe_losses, smallest_budget):
        with pytest.raises(InputError, match="1 has none"):
            budgets({0: Law({0: 1})}, flavor)
    with pytest.raises(InputError, match="1 has none"):
        next(violations({0: Law({0: 1})}, Specification.constant(flavor, ZERO)))


def test_a_law_for_no_data_set_of_the_domain_is_refused():
    domain = FiniteDomain((0, 1))
    flavor = Flavor(domain, vacuous(domain), explicit({}, "record"), Multiplicative())
    laws = {0: Law({0: 1}), 1: Law({0: 1}), 7: Law({0: 1})}
    with pytest.raises(InputError, match="7 is not one"):
        universe_losses(laws, flavor)
    with pytest.raises(InputError, match="7 is not one"):
        next(violations(laws, Specification.constant(flavor, ZERO)))


def test_one_universe_may_need_much_and_another_nothing():
    domain = FiniteDomain((0, 1, 2))
    flavor = Flavor(
        domain, Multiverse([(0, 1), (2,), ()]), explicit({(0, 1): 2, (1, 0): 2}, "record"), Multiplicative()
    )
    fair, biased = Law({0: Fraction(1, 2), 1: Fraction(1, 2)}), Law({0: Fraction(1, 8), 1: Fraction(7, 8)})
    first, second, empty = universe_losses({0: fair, 1: biased, 2: fair}, flavor)
    assert (first.budget, first.worst, first.event) == (Loss(Fraction(2)), (0, 1), (0,))
    assert (second.budget, second.worst) == (empty.budget, empty.worst) == (ZERO, None)


def test_an_asymmetric_premetric_is_read_in_its_direction():
    domain = FiniteDomain((0, 1))
    flavor = Flavor(domain, vacuous(domain), explicit({(1, 0): 1}, "record"), Multiplicative())
    released = {0: Law({0: 1}), 1: Law({1: 1})}
    specification = Specification.constant(flavor, Loss(Fraction(5)))
    (violation,) = violations(released, specification)
    assert (violation.first, violation.second) == (1, 0)
    assert check_specification(released, specification, "all").detail == (
        "x = 1, x' = 0, d = 1: D_Pr = infinite exceeds ln(5) ≈ 1.60944"
    )


def test_the_value_of_a_violation_is_that_of_its_direction():
    domain = FiniteDomain((0, 1))
    flavor = Flavor(domain, vacuous(domain), explicit({(0, 1): 1, (1, 0): 1}, "record"), ChiSquared())
    released = {0: Law({0: Fraction(1, 2), 1: Fraction(1, 2)}), 1: Law({0: Fraction(1, 4), 1: Fraction(3, 4)})}
    found = {(v.first, v.second): v.value for v in violations(released, Specification.constant(flavor, Fraction(1, 8)))}
    assert found == {(0, 1): Fraction(1, 3), (1, 0): Fraction(1, 4)}


def test_what_holds_says_how_many_pairs_were_checked():
    domain = FiniteDomain((0, 1, 2))
    flavor = Flavor(domain, vacuous(domain), explicit({(0, 1): 1, (1, 0): 1}, "record"), Multiplicative())
    same = dict.fromkeys(domain, Law({0: 1}))
    found = check_specification(same, Specification.constant(flavor, ZERO), "all")
    assert found.detail == "3 pairs checked"


def test_violations_come_by_records_then_distance_then_order():
    domain = FiniteDomain(((0, 0), (0,), (1,)))
    lengths = {((0,), (1,)): 3, ((1,), (0,)): 2, ((0, 0), (1,)): 1, ((1,), (0, 0)): 2}
    flavor = Flavor(domain, vacuous(domain), explicit(lengths, "record"), Multiplicative())
    released = {x: Law({x: 1}) for x in domain}
    found = [(v.first, v.second) for v in violations(released, Specification.constant(flavor, Loss(Fraction(5))))]
    assert found == [((1,), (0, 0)), ((1,), (0,)), ((0,), (1,)), ((0, 0), (1,))]


def test_tradeoff_curves_are_checked_pointwise_and_crossing_ones_have_no_largest():
    domain = FiniteDomain((0, 1, 2))
    released = {
        0: Law({0: Fraction(1)}),
        1: Law({0: Fraction(3, 4), 1: Fraction(1, 4)}),
        2: Law({0: Fraction(1, 2), 1: Fraction(1, 2)}),
    }
    ordered = Flavor(domain, Multiverse([(0, 1)]), explicit({(0, 1): 1}, "record"), Tradeoff())
    (one,) = universe_losses(released, ordered)
    assert one.budget == tradeoff_curve(released[0], released[1])
    assert (
        check_specification(released, Specification.constant(ordered, one.budget), "all").verdict is Verdict.EXHAUSTED
    )
    crossing = Flavor(domain, vacuous(domain), explicit({(0, 1): 1, (1, 2): 1}, "record"), Tradeoff())
    with pytest.raises(InputError, match="cross"):
        universe_losses(released, crossing)
    found = check_specification(released, Specification.constant(ordered, DIAGONAL), "all")
    assert found.verdict is Verdict.REFUTED
    assert replay(found.witness) == "P_x(E) = 1/4 > 1^(1) * 0 = gamma^(d) * P_x'(E)"
    assert found.detail.endswith(f"D_Pr = {shown_curve(one.budget)} exceeds {shown_curve(DIAGONAL)}")
    assert (found.witness["x"], found.witness["event"]) == (1, [1])


def test_one_curve_above_two_that_cross_is_the_smallest_budget_of_all_universes_together():
    coin = {x: Law({0: Fraction(n, 12), 1: Fraction(12 - n, 12)}) for x, n in enumerate((6, 3, 1, 12))}
    crossing = {(0, 1): 1, (1, 2): 1}
    domain = FiniteDomain((0, 1, 2, 3))
    alone = Flavor(domain, Multiverse([(0, 1, 2)]), explicit(crossing, "record"), Tradeoff())
    with pytest.raises(InputError, match=r"one budget must be the largest; those of \(0, 1\) and \(1, 2\) cross"):
        smallest_budget(coin, alone)
    for universes in ([(0, 1, 2), (2, 3)], [(0, 1, 2, 3)]):
        among = Flavor(domain, Multiverse(universes), explicit({**crossing, (3, 2): 1}, "record"), Tradeoff())
        assert smallest_budget(coin, among) == (tradeoff_curve(coin[3], coin[2]), (3, 2))


@pytest.mark.parametrize("bound", [((0, 0), (Fraction(1, 2), Fraction(3, 4)), (1, 1)), DIAGONAL])
def test_a_test_that_is_too_powerful_shows_its_event(bound):
    """Three outcomes with ratios 3, 1, 1/3: the vertices are (0, 0), (1/5, 3/5), (2/5, 4/5), (1, 1)."""
    fifths = (Fraction(1, 5), Fraction(1, 5), Fraction(3, 5))
    laws = {0: Law(dict(enumerate(fifths))), 1: Law(dict(enumerate(reversed(fifths))))}
    domain = FiniteDomain((0, 1))
    flavor = Flavor(domain, vacuous(domain), explicit({(0, 1): 1}, "record"), Tradeoff())
    found = check_specification(laws, Specification.constant(flavor, bound), "all")
    allowed = Tradeoff.at(bound, Fraction(1, 5)) - Fraction(1, 5)
    slack = f" + {allowed}" if allowed else ""
    assert replay(found.witness) == f"P_x(E) = 3/5 > 1^(1) * 1/5{slack} = gamma^(d) * P_x'(E){slack}"


def test_a_bound_that_is_no_trade_off_function_has_no_witness():
    laws = {0: Law({0: 1}), 1: Law({0: Fraction(1, 2), 1: Fraction(1, 2)})}
    domain = FiniteDomain((0, 1))
    flavor = Flavor(domain, vacuous(domain), explicit({(0, 1): 1}, "record"), Tradeoff())
    dented = ((Fraction(0), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(1)))
    with pytest.raises(EngineError, match="has no event that shows it"):
        check_specification(laws, Specification.constant(flavor, dented), "all")


def test_normalized_renyi_asks_for_its_own_engine():
    domain = FiniteDomain((0, 1))
    flavor = Flavor(domain, vacuous(domain), explicit({(0, 1): 1}, "record"), NormalizedRenyi())
    with pytest.raises(InputError, match="enclosure"):
        universe_losses({0: Law({0: 1}), 1: Law({1: 1})}, flavor)


def test_a_failing_mechanism_is_named_by_its_data_set():
    def mechanism(data, source):
        return source.choose((Fraction(1, 2),) * (2 + data))

    with pytest.raises(InputError, match=r"on the data set 1: weights of a choice must sum to exactly 1"):
        mechanism_laws(mechanism, FiniteDomain((0, 1)))
    with pytest.raises(InputError, match=r"on the data set 0: it raised ZeroDivisionError"):
        mechanism_laws(lambda data, source: 1 // data, FiniteDomain((0, 1)))


def test_an_open_parameter_is_followed_and_not_cross_checked():
    def mechanism(data, source, *, p):
        return data ^ source.bernoulli(p)

    domain = FiniteDomain((0, 1))
    with pytest.raises(InputError, match=r"on the data set 0: the law has an open parameter"):
        mechanism_laws(mechanism, domain, p=SYMBOL)
    assert mechanism_laws(mechanism, domain, p=SYMBOL, cross_check=False)[0][1] == SYMBOL
