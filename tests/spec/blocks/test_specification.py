"""Specifications, accounts of several, and Pufferfish instantiations: what they compare, and what they refuse."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import check_refused
from strategies import losses, multiverses, premetrics

from stirred.spec import (
    INFINITE,
    ZERO,
    ConstraintMatrix,
    FiniteDomain,
    Flavor,
    InputError,
    Law,
    Loss,
    Multiplicative,
    Multiverse,
    Specification,
    TotalVariation,
    Tradeoff,
    vacuous,
)
from stirred.spec.blocks.input_premetric import explicit
from stirred.spec.blocks.multiverse import components
from stirred.spec.budgets.accounts import NUMBER_OF_RECORDS, Measure, NamedFlavor, Premetric, Reach, compose, release
from stirred.spec.flavors.pufferfish import Pufferfish, conditional
from stirred.spec.output_premetrics import DIAGONAL, tradeoff_curve
from stirred.verify.engines.exhaustive import check_specification


@st.composite
def specifications(draw):
    domain, premetric = draw(premetrics())
    multiverse = draw(multiverses())
    flavor = Flavor(domain, multiverse, premetric, Multiplicative())
    return Specification(flavor, {universe: draw(losses) for universe in multiverse})


@given(specifications())
def test_the_matrix_is_the_smallest_bound_of_all_universes_and_raising_budgets_weakens(specification):
    flavor, matrix = specification.flavor, specification.matrix()
    for x in flavor.domain:
        for y in flavor.domain:
            bounds = [
                specification.budgets[universe].times(flavor.input_premetric(x, y))
                for universe in flavor.multiverse.containing(x, y)
            ]
            assert matrix(x, y) == min(bounds, default=INFINITE)
        budgets = [specification.budgets[u] for u in flavor.multiverse.containing(x)]
        assert matrix(x, x) == (ZERO if any(b != INFINITE for b in budgets) else INFINITE)
    raised = Specification.by_universe(flavor, lambda u: specification.budgets[u].times(2)).matrix()
    assert matrix.at_most(matrix)
    assert matrix.at_most(raised)


@pytest.mark.parametrize(("universes", "more"), [(1, ""), (4, ""), (5, "; and 1 others"), (7, "; and 3 others")])
def test_a_specification_is_shown_by_its_blocks_with_the_first_four_budgets(universes, more):
    domain = FiniteDomain(tuple(range(universes)))
    flavor = Flavor(domain, Multiverse([[point] for point in domain]), explicit({}, "person"), Multiplicative())
    shown = Specification(flavor, {one: Loss(2 + min(one)) for one in flavor.multiverse})._repr_html_()
    assert "input premetric" in shown
    assert ("by universe: " in shown) is (universes > 1)
    assert shown.count("≈") == min(universes, 4)
    assert shown.count("others") == bool(more)
    assert more in shown


def test_matrices_of_different_domains_or_premetrics_are_not_compared():
    one = ConstraintMatrix(FiniteDomain((0, 1)), Multiplicative(), {})
    for other in (
        ConstraintMatrix(FiniteDomain((0, 2)), Multiplicative(), {}),
        ConstraintMatrix(FiniteDomain((0, 1)), TotalVariation(), {}),
    ):
        with pytest.raises(InputError, match="one domain"):
            one.at_most(other)


def test_every_universe_needs_a_budget_and_nothing_else_has_one():
    domain = FiniteDomain((0, 1))
    flavor = Flavor(domain, vacuous(domain), explicit({}, "record"), Multiplicative())
    with pytest.raises(InputError, match="every universe"):
        Specification(flavor, {})
    with pytest.raises(InputError, match="universes only"):
        Specification(flavor, {frozenset({0, 1}): ZERO, frozenset({0}): ZERO})
    assert "<td>0</td>" in Specification.constant(flavor, ZERO)._repr_html_()


@given(premetrics(), multiverses())
def test_comparable_pairs_link_the_components(drawn, multiverse):
    domain, premetric = drawn
    flavor = Flavor(domain, multiverse, premetric, Multiplicative())
    classes = flavor.components()
    linked = {(x, y) for x in domain for y in domain if flavor.comparable(x, y)}
    together = {(x, y) for universe in multiverse for x in universe for y in universe if x != y}
    assert linked == {(x, y) for x, y in together if (premetric(x, y), premetric(y, x)) != (None, None)}
    assert flavor.compared_pairs() == len(linked) // 2
    assert all(any({x, y} <= one for one in classes) for x, y in linked)
    assert sorted(x for one in classes for x in one) == list(domain)


def test_overlapping_universes_with_crossing_curves_have_no_single_bound():
    domain = FiniteDomain((0, 1, 2))
    flavor = Flavor(domain, Multiverse([(0, 1), (0, 1, 2)]), explicit({(0, 1): 1}, "record"), Tradeoff())
    flat = tradeoff_curve(Law({0: Fraction(1)}), Law({0: Fraction(3, 4), 1: Fraction(1, 4)}))
    steep = tradeoff_curve(Law({0: Fraction(1, 2), 1: Fraction(1, 2)}), Law({0: Fraction(1, 10), 1: Fraction(9, 10)}))
    budgets = dict(zip(flavor.multiverse, (flat, steep), strict=True))
    with pytest.raises(InputError, match="cross"):
        Specification(flavor, budgets).matrix()


def test_a_tradeoff_specification_has_a_matrix_whose_diagonal_asks_for_equal_laws():
    domain = FiniteDomain((0, 1))
    flavor = Flavor(domain, vacuous(domain), explicit({(0, 1): 1}, "record"), Tradeoff())
    matrix = Specification.constant(flavor, DIAGONAL).matrix()
    assert matrix(0, 1) == DIAGONAL
    assert matrix(0, 0) == DIAGONAL
    assert matrix(1, 0) is None


def test_loss_budget_of_an_empty_multiverse_constrains_nothing():
    domain = FiniteDomain((0, 1))
    flavor = Flavor(domain, Multiverse(()), explicit({(0, 1): 1}, "record"), Multiplicative())
    assert Specification.constant(flavor, Loss(Fraction(2))).matrix()(0, 1) == INFINITE


HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)

INDEPENDENT = Law(
    {(a, b): (QUARTER if a else 3 * QUARTER) * (QUARTER if b else 3 * QUARTER) for a in (0, 1) for b in (0, 1)}
)

CONTAGION = Law({(0, 0): 3 * QUARTER, (1, 1): QUARTER})
FIRST = {"ill": {(1, 0), (1, 1)}, "well": {(0, 0), (0, 1)}}
PAIRS = (("ill", "well"),)


def flipped(point, rate=QUARTER):
    """Each answer is flipped with probability 1/4."""
    shares = {(a, b): Fraction(1) for a in (0, 1) for b in (0, 1)}
    return Law({t: (1 - rate if t[0] == point[0] else rate) * (1 - rate if t[1] == point[1] else rate) for t in shares})


LAWS = {point: flipped(point) for point in INDEPENDENT}


def test_a_conditional_is_the_law_given_the_event():
    assert conditional(INDEPENDENT, FIRST["ill"]) == Law({(1, 0): 3 * QUARTER, (1, 1): QUARTER})


def test_a_conditional_given_an_event_of_probability_0_is_undefined():
    assert conditional(CONTAGION, {(0, 1)}) is None


def test_correlated_records_need_a_larger_budget_than_independent_ones():
    """Under differential privacy 3, given independent records 3, given equal ones 3 * 3."""
    for prior, needed in ((INDEPENDENT, 3), (CONTAGION, 9)):
        p = Pufferfish({"attacker": prior}, FIRST, PAIRS)
        laws = p.provided(LAWS)
        assert Multiplicative().distance(*laws.values()) == Loss(Fraction(needed))
        assert check_specification(laws, p.specification(Loss(Fraction(needed))), "beliefs").verdict.name == "EXHAUSTED"
        assert check_specification(laws, p.specification(Loss(needed - HALF)), "beliefs").verdict.name == "REFUTED"


def test_beliefs_of_two_attackers_are_apart_unless_they_are_equal():
    p = Pufferfish({"a": INDEPENDENT, "b": CONTAGION}, FIRST, PAIRS)
    assert p.premetric("a | ill", "a | well") == 1
    assert p.premetric("a | ill", "b | ill") is None
    assert len(components(p.domain.points, lambda x, y: p.premetric(x, y) is not None)) == 2


def test_equal_conditionals_are_one_point_and_join_paths():
    """Of 0, 1, 2 one attacker leaves out 2, the other 0: both are sure of 1 given {1, 2} and {0, 1}."""
    events = {"low": {0}, "middle": {1}, "high": {2}}
    a, b = Law({0: HALF, 1: HALF}), Law({1: HALF, 2: HALF})
    p = Pufferfish({"a": a, "b": b}, events, (("low", "middle"), ("middle", "high")), leaves_out_undefined=True)
    assert set(p.beliefs) == {"a | low", "a | middle = b | middle", "b | high"}
    assert p.premetric("a | low", "b | high") == p.premetric("b | high", "a | low") == 2
    assert p.premetric.is_metric_on(p.domain)
    assert p.undefined == (("a", "high"), ("b", "low"))


def test_a_pair_stands_for_both_orders():
    one = Pufferfish({"a": INDEPENDENT}, FIRST, (("ill", "well"),))
    other = Pufferfish({"a": INDEPENDENT}, FIRST, (("well", "ill"),))
    assert one.steps == other.steps
    assert one.premetric.is_symmetric_on(one.domain)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"attackers": {}}, "must have at least one attacker; got none"),
        ({"pairs": ()}, "must have at least one pair of competing conjectures; got none"),
        ({"pairs": (("ill", "wel"),)}, "'wel' is none: did you mean 'well'?"),
        ({"conjectures": {**FIRST, "second": {(0, 1)}}}, "every conjecture must be in a pair, .*'second' is not"),
        (
            {"conjectures": {"ill": {(1, 0)}, "well": {(0, 0)}}, "attackers": {"b": CONTAGION}},
            "'b' given 'ill' is undefined",
        ),
        ({"attackers": {"a\x1b[2J": INDEPENDENT}}, "must have printable names"),
        ({"attackers": {"a|b": INDEPENDENT}}, "must have printable names without | and =; got 'a|b'"),
    ],
)
def test_what_asks_for_nothing_or_is_undefined_is_refused(changed, message):
    with pytest.raises(InputError, match=message.replace("|", r"\|").replace("?", r"\?")):
        Pufferfish(**{"attackers": {"a": INDEPENDENT}, "conjectures": FIRST, "pairs": PAIRS} | changed)


def test_an_instantiation_whose_conditionals_are_all_undefined_has_no_domain():
    p = Pufferfish({"a": CONTAGION}, {"e": {(0, 1)}, "f": {(1, 0)}}, (("e", "f"),), leaves_out_undefined=True)
    with pytest.raises(InputError, match="all are undefined"):
        _ = p.domain


ZCDP = NamedFlavor(
    "CEF", frozenset({"housing units"}), Premetric.BOUNDED, "post-imputation person", Measure.ZERO_CONCENTRATED
)

PURE = replace(ZCDP, measure=Measure.PURE)
APPROXIMATE = replace(ZCDP, measure=Measure.APPROXIMATE)


def test_rho_squared_adds_up_exactly():
    parts = [release(str(i), ZCDP, Fraction(text)) for i, text in enumerate(("15.29", "19.776", "17.79", "2.515"))]
    whole = compose("DAS", *parts)
    assert whole.exact_budget == Fraction("55.371")
    assert whole.flavor == ZCDP
    assert whole.steps == ("added: 0 15.29 + 1 19.776 + 2 17.79 + 3 2.515",)


def test_epsilon_and_delta_add_up():
    whole = compose("both", release("a", APPROXIMATE, 1, Fraction(1, 8)), release("b", APPROXIMATE, 2, Fraction(1, 4)))
    assert (whole.exact_budget, whole.delta) == (3, Fraction(3, 8))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"domain": "ACS"}, "domain.*no conversion"),
        ({"invariants": frozenset()}, "invariants.*'housing units'.*to = \"invariants\""),
        ({"premetric": Premetric.UNBOUNDED}, 'neighbors.*bounded against unbounded.*to = "bounded"'),
        ({"unit": "household"}, "unit.*'household'.*to = \"unit\""),
        ({"measure": Measure.PURE}, 'measure.*D_NoR against epsilon of D_Mult.*to = "zero_concentrated"'),
    ],
)
def test_budgets_of_different_flavors_are_refused_with_the_block_named(change, words):
    with pytest.raises(InputError, match=f"'b' differs from 'a' in {words}"):
        compose("both", release("a", ZCDP, 1), release("b", replace(ZCDP, **change), 1))


def test_a_budget_for_neighbours_is_one_for_all_pairs_only_without_invariants():
    free = replace(ZCDP, invariants=frozenset())
    assert release("a", free, 1).reach is Reach.ALL_PAIRS
    assert release("a", ZCDP, 1).reach is Reach.NEIGHBORS
    assert release("a", replace(free, measure=Measure.APPROXIMATE), 1, Fraction(1, 2)).reach is Reach.NEIGHBORS
    stated = release("a", ZCDP, 1, reach=Reach.ALL_PAIRS)
    assert stated.conditions == ("that the budget of a holds for all pairs of a universe",)


def test_a_sum_holds_as_far_as_its_parts_do():
    near, far = release("near", ZCDP, 1), release("far", ZCDP, 2, reach=Reach.ALL_PAIRS)
    assert compose("both", far, far).reach is Reach.ALL_PAIRS
    both = compose("both", near, far)
    assert both.reach is Reach.NEIGHBORS
    assert both.steps == ("added: near 1 + far 2, for neighbours only, as not every part holds for all pairs",)
    assert both.conditions == far.conditions


def test_unbounded_neighbours_at_a_fixed_number_of_records_compare_nothing():
    fixed = replace(ZCDP, premetric=Premetric.UNBOUNDED, invariants=frozenset({NUMBER_OF_RECORDS}))
    assert release("a", fixed, 1).is_vacuous
    assert not release("a", fixed, 1, reach=Reach.ALL_PAIRS).is_vacuous
    assert not release("a", replace(fixed, premetric=Premetric.BOUNDED), 1).is_vacuous


@pytest.mark.parametrize(
    ("flavor", "budget", "delta", "words"),
    [
        (ZCDP, -1, 0, "budget must be non-negative"),
        (ZCDP, 2.5, 0, "budget must be an exact number; got the float 2.5"),
        (APPROXIMATE, 1, 0, "delta must be between 0 and 1, exclusive; got 0"),
        (APPROXIMATE, 1, 1, "delta must be between 0 and 1, exclusive; got 1"),
        (APPROXIMATE, 1, 0.5, "delta must be an exact number"),
        (APPROXIMATE, 1, Fraction(1), "delta must be between 0 and 1, exclusive; got 1"),
        (PURE, 1, Fraction(1, 2), "delta must be 0 for epsilon of D_Mult; got 1/2"),
    ],
)
def test_bad_budgets_are_refused(flavor, budget, delta, words):
    with pytest.raises(InputError, match=words):
        release("a", flavor, budget, delta)


@pytest.mark.parametrize("change", [{"domain": ""}, {"unit": ""}, {"invariants": {"a"}}, {"premetric": "bounded"}])
def test_a_flavor_needs_every_block(change):
    with pytest.raises(InputError, match=f"{next(iter(change))} must be a"):
        replace(ZCDP, **change)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: Flavor(FiniteDomain((0,)), Multiverse([(0, 1)]), explicit({}, "record"), Multiplicative()),
            "inside the domain",
        ),
        (lambda: compose("none"), "parts must have at least one release; got none"),
        (
            lambda: compose("both", *(release(name, APPROXIMATE, 1, Fraction(1, 2)) for name in "ab")),
            "the sum of the deltas must be below 1; got 1",
        ),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)
