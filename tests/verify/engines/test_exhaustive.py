from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_flavors import both_ways, flavor, law
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
    NormalizedRenyi,
    Specification,
    TotalVariation,
    Tradeoff,
)
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
constant = Specification.constant
MEASURES = [Multiplicative(), ApproximateMultiplicative(DELTA), TotalVariation()]


@st.composite
def cases(draw, measure):
    domain, premetric = draw(premetrics())
    return Flavor(domain, draw(multiverses()), premetric, measure), {x: draw(laws(3)) for x in domain}


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


def mass(released, event):
    return sum((released[t] for t in event), Fraction(0))


def test_the_event_of_an_approximate_loss_attains_it():
    compared = flavor({(0, 1): 1}, ApproximateMultiplicative(DELTA))
    for p, q in product(laws_in(5), repeat=2):
        (one,) = universe_losses({0: p, 1: q}, compared)
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
    compared = flavor({(0, 1): distance}, measure)
    events = [event for size in range(4) for event in combinations(range(3), size)]
    for p, q in product(laws_in(4), repeat=2):
        masses = [(mass(p, event), mass(q, event)) for event in events]
        quotients = {(a - delta) / b for pair in masses for a, b in (pair, pair[::-1]) if b}
        (needed,) = universe_losses({0: p, 1: q}, compared)
        for gamma in {max(quotient, Fraction(1)) for quotient in quotients}:
            budget = Loss(gamma, distance)
            found = check_specification({0: p, 1: q}, constant(compared, budget), "all")
            assert (found.verdict is Verdict.REFUTED) == (needed.budget > budget)
            if found.verdict is Verdict.REFUTED:
                assert replay(found.witness)
                claimed = Loss(Fraction(found.witness["gamma"]), found.witness["gamma_root"])
                assert (claimed, found.witness["delta"]) == (budget, str(delta))


@given(cases(TotalVariation()))
def test_pairs_are_compared_by_records_then_distance_then_order(case):
    flavor, released = case
    specification = constant(flavor, Fraction(0))
    found = [(x, y, d) for x, y, d, _ in ordered_pairs(released, specification)]
    far = max((d for _, _, d in found if d is not None), default=0) + 1
    # every data set of these domains counts as one record
    assert found == sorted(found, key=lambda pair: (far if pair[2] is None else pair[2], pair[0], pair[1]))
    assert all(d == flavor.input_premetric(x, y) for x, y, d in found)


def test_a_loss_that_the_independent_logarithms_do_not_give_is_a_fault(monkeypatch):
    wrong = Loss(Fraction(4, 3))  # it is 3/2
    monkeypatch.setattr(Multiplicative, "distance_of", lambda _, masses: wrong)
    with pytest.raises(EngineError, match=r"loss at \(0,\): the exact loss and its independent value disagree"):
        universe_losses({0: law(1, 1), 1: law(1, 2)}, flavor({(0, 1): 1}))


@pytest.mark.parametrize(
    ("laws", "message"),
    [
        ({0: law(1)}, "a law for every data set of the domain; 1 has none"),
        ({0: law(1), 1: law(1), 7: law(1)}, "laws for the data sets of the domain alone; 7 is not one"),
    ],
)
def test_laws_must_be_those_of_the_data_sets(laws, message):
    unbounded = flavor({}, points=(0, 1))
    for ask in (universe_losses, smallest_budget, lambda *_: next(violations(laws, constant(unbounded, ZERO)))):
        with pytest.raises(InputError, match=message):
            ask(laws, unbounded)


def test_one_universe_may_need_much_and_another_nothing():
    compared = flavor(both_ways({(0, 1): 2}), points=(0, 1, 2), universes=[(0, 1), (2,), ()])
    first, second, empty = universe_losses({0: law(1, 1), 1: law(1, 7), 2: law(1, 1)}, compared)
    assert (first.budget, first.worst, first.event) == (Loss(Fraction(2)), (0, 1), (0,))
    assert (second.budget, second.worst) == (empty.budget, empty.worst) == (ZERO, None)


def test_an_asymmetric_premetric_is_read_in_its_direction():
    released, specification = {0: law(1), 1: law(0, 1)}, constant(flavor({(1, 0): 1}), Loss(Fraction(5)))
    (violation,) = violations(released, specification)
    assert (violation.first, violation.second) == (1, 0)
    assert check_specification(released, specification, "all").detail == (
        "x = 1, x' = 0, d = 1: D_Pr = infinite exceeds ln(5) ≈ 1.60944"
    )


def test_the_value_of_a_violation_is_that_of_its_direction():
    specification = constant(flavor(both_ways({(0, 1): 1}), ChiSquared()), Fraction(1, 8))
    found = {(v.first, v.second): v.value for v in violations({0: law(1, 1), 1: law(1, 3)}, specification)}
    assert found == {(0, 1): Fraction(1, 3), (1, 0): Fraction(1, 4)}


def test_what_holds_says_how_many_pairs_were_checked():
    compared = flavor(both_ways({(0, 1): 1}), points=(0, 1, 2))
    found = check_specification(dict.fromkeys(compared.domain, law(1)), constant(compared, ZERO), "all")
    assert found.detail == "3 pairs checked"


def test_violations_come_by_records_then_distance_then_order():
    lengths = {((0,), (1,)): 3, ((1,), (0,)): 2, ((0, 0), (1,)): 1, ((1,), (0, 0)): 2}
    compared = flavor(lengths, points=((0, 0), (0,), (1,)))
    released = {x: Law({x: 1}) for x in compared.domain}
    found = [(v.first, v.second) for v in violations(released, constant(compared, Loss(Fraction(5))))]
    assert found == [((1,), (0, 0)), ((1,), (0,)), ((0,), (1,)), ((0, 0), (1,))]


def test_tradeoff_curves_are_checked_pointwise_and_crossing_ones_have_no_largest():
    released = {0: law(1), 1: law(3, 1), 2: law(1, 1)}
    ordered = flavor({(0, 1): 1}, Tradeoff(), points=(0, 1, 2), universes=[(0, 1)])
    (one,) = universe_losses(released, ordered)
    assert one.budget == tradeoff_curve(released[0], released[1])
    assert check_specification(released, constant(ordered, one.budget), "all").verdict is Verdict.EXHAUSTED
    with pytest.raises(InputError, match="cross"):
        universe_losses(released, flavor({(0, 1): 1, (1, 2): 1}, Tradeoff()))
    found = check_specification(released, constant(ordered, DIAGONAL), "all")
    assert found.verdict is Verdict.REFUTED
    assert replay(found.witness) == "P_x(E) = 1/4 > 1^(1) * 0 = gamma^(d) * P_x'(E)"
    assert found.detail.endswith(f"D_Pr = {shown_curve(one.budget)} exceeds {shown_curve(DIAGONAL)}")
    assert (found.witness["x"], found.witness["event"]) == (1, [1])


def test_one_curve_above_two_that_cross_is_the_smallest_budget_of_all_universes_together():
    coin, crossing = {x: law(n, 12 - n) for x, n in enumerate((6, 3, 1, 12))}, {(0, 1): 1, (1, 2): 1}
    with pytest.raises(InputError, match=r"one budget must be the largest; those of \(0, 1\) and \(1, 2\) cross"):
        smallest_budget(coin, flavor(crossing, Tradeoff(), points=range(4), universes=[(0, 1, 2)]))
    for universes in ([(0, 1, 2), (2, 3)], [(0, 1, 2, 3)]):
        among = flavor({**crossing, (3, 2): 1}, Tradeoff(), universes=universes)
        assert smallest_budget(coin, among) == (tradeoff_curve(coin[3], coin[2]), (3, 2))


@pytest.mark.parametrize("bound", [((0, 0), (Fraction(1, 2), Fraction(3, 4)), (1, 1)), DIAGONAL])
def test_a_test_that_is_too_powerful_shows_its_event(bound):
    """Three outcomes with ratios 3, 1, 1/3: the vertices are (0, 0), (1/5, 3/5), (2/5, 4/5), (1, 1)."""
    compared = constant(flavor({(0, 1): 1}, Tradeoff()), bound)
    found = check_specification({0: law(1, 1, 3), 1: law(3, 1, 1)}, compared, "all")
    allowed = Tradeoff.at(bound, Fraction(1, 5)) - Fraction(1, 5)
    slack = f" + {allowed}" if allowed else ""
    assert replay(found.witness) == f"P_x(E) = 3/5 > 1^(1) * 1/5{slack} = gamma^(d) * P_x'(E){slack}"


def test_a_bound_that_is_no_trade_off_function_has_no_witness():
    dented = ((Fraction(0), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(1)))
    with pytest.raises(EngineError, match="has no event that shows it"):
        check_specification({0: law(1), 1: law(1, 1)}, constant(flavor({(0, 1): 1}, Tradeoff()), dented), "all")


def test_normalized_renyi_asks_for_its_own_engine():
    with pytest.raises(InputError, match="enclosure"):
        universe_losses({0: law(1), 1: law(0, 1)}, flavor({(0, 1): 1}, NormalizedRenyi()))


def flips(data, source, *, p):
    return data ^ source.bernoulli(p)


FAILING = {
    r"on the data set 1: weights of a choice must sum to exactly 1": lambda data, source: source.choose(
        (Fraction(1, 2),) * (2 + data)
    ),
    r"on the data set 0: it raised ZeroDivisionError": lambda data, source: 1 // data,
    r"on the data set 0: the law has an open parameter": lambda data, source: flips(data, source, p=SYMBOL),
}


@pytest.mark.parametrize("message", FAILING)
def test_a_failing_mechanism_is_named_by_its_data_set(message):
    with pytest.raises(InputError, match=message):
        mechanism_laws(FAILING[message], FiniteDomain((0, 1)))


def test_an_open_parameter_is_followed_where_nothing_is_cross_checked():
    assert mechanism_laws(flips, FiniteDomain((0, 1)), p=SYMBOL, cross_check=False)[0][1] == SYMBOL
