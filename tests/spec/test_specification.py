from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
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
from stirred.spec.input_premetric import explicit
from stirred.spec.output_premetrics import DIAGONAL, tradeoff_curve


@st.composite
def specifications(draw):
    domain, premetric = draw(premetrics())
    multiverse = draw(multiverses())
    flavor = Flavor(domain, multiverse, premetric, Multiplicative())
    return Specification(flavor, {universe: draw(losses) for universe in multiverse})


@given(specifications())
def test_the_matrix_is_the_smallest_bound_of_all_universes(specification):
    flavor, matrix = specification.flavor, specification.matrix()
    for x in flavor.domain:
        for y in flavor.domain:
            bounds = [
                specification.budgets[universe].times(flavor.input_premetric(x, y))
                for universe in flavor.multiverse.containing(x, y)
            ]
            assert matrix(x, y) == min(bounds, default=INFINITE)


@given(specifications())
def test_the_diagonal_is_zero_unless_every_budget_is_infinite(specification):
    matrix = specification.matrix()
    for x in specification.flavor.domain:
        budgets = [specification.budgets[u] for u in specification.flavor.multiverse.containing(x)]
        assert matrix(x, x) == (ZERO if any(b != INFINITE for b in budgets) else INFINITE)


@given(specifications())
def test_order_of_matrices_is_reflexive_and_raising_budgets_weakens(specification):
    matrix = specification.matrix()
    raised = Specification.by_universe(specification.flavor, lambda u: specification.budgets[u].times(2)).matrix()
    assert matrix.at_most(matrix)
    assert matrix.at_most(raised)


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


def test_a_flavor_keeps_its_universes_inside_the_domain():
    with pytest.raises(InputError, match="inside the domain"):
        Flavor(FiniteDomain((0,)), Multiverse([(0, 1)]), explicit({}, "record"), Multiplicative())


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
