"""Inequalities of formulas: against values, with planted mistakes, and what is left open.

Specifications with symbols: what transformations do to a budget, and what implies what.
"""

from fractions import Fraction
from itertools import product

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples

from stirred.spec import InputError, Loss
from stirred.spec.budgets.converted import Target, conversions
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.formulas.order import at_most
from stirred.verify.formulas.symbolic_specification import SymbolicSpecification

N = sp.Symbol("n", positive=True, integer=True)
P, Q = sp.symbols("p q", positive=True)
E = sp.Symbol("epsilon", nonnegative=True)
SQUARE = sp.symbols("x y", real=True)

DECIDED = [
    (sp.log(N), sp.log(N + 1), ()),
    (sp.log(N + 1) / 2, sp.log(N), (N >= 2,)),
    (E, E + sp.log(N), ()),
    (sp.log(P / (1 - P)), sp.log(4), (sp.Rational(4, 5) >= P, P < 1)),
    (2 * SQUARE[0] * SQUARE[1], SQUARE[0] ** 2 + SQUARE[1] ** 2, ()),
    (sp.Max(sp.log(P), -sp.log(P)), sp.log(3), (sp.Rational(1, 3) <= P, P <= 3)),
    (sp.log(P), sp.Max(sp.log(P), sp.log(Q)), ()),
    (N, N**2, ()),
]


@pytest.mark.parametrize(("left", "right", "where"), DECIDED, ids=str)
def test_what_holds_for_all_values_is_decided(left, right, where):
    found = at_most(left, right, where)
    assert found.verdict is Verdict.DECIDED, found
    assert found.queries


@pytest.mark.parametrize(("left", "right", "where"), DECIDED, ids=str)
def test_a_mistake_that_is_planted_is_refuted_by_values_that_break_it(left, right, where):
    if left == sp.log(P):
        right = sp.Max(sp.log(P / 2), sp.log(Q))
    elif left.has(sp.Max) or left == sp.log(P / (1 - P)):
        right = sp.log(2)
    else:
        left, right = right + (sp.log(2) if right.has(sp.log) else 1), left
    found = at_most(left, right, where)
    assert found.verdict is Verdict.REFUTED
    values = {
        s: v.to_sympy() if isinstance(v, Loss) else sp.Rational(*v.as_integer_ratio())
        for s in (left - right).free_symbols
        for v in [found.counterexample[str(s)]]
    }
    assert sp.N((left - right).subs(values), 30) > 0
    assert all(relation.subs(values) == sp.true for relation in where)
    assert all(value.is_integer for symbol, value in values.items() if symbol.is_integer)


@examples(10, at_night=100)
@given(st.lists(st.integers(-3, 3), min_size=6, max_size=6))
def test_a_decided_inequality_has_no_counterexample_among_values(c):
    left = c[0] * N**2 + c[1] * N * P + c[2]
    right = c[3] * P**2 + c[4] * N + c[5]
    found = at_most(left, right, (P < 5,))
    grid = product((1, 2, 3, 10), (Fraction(1, 10), Fraction(1), Fraction(49, 10)))
    broken = any(
        left.subs({N: n, P: sp.Rational(*p.as_integer_ratio())})
        > right.subs({N: n, P: sp.Rational(*p.as_integer_ratio())})
        for n, p in grid
    )
    assert found.verdict is not Verdict.DECIDED or not broken
    if found.verdict is Verdict.REFUTED:
        values = {s: sp.Rational(*found.counterexample[str(s)].as_integer_ratio()) for s in (left - right).free_symbols}
        assert (left - right).subs(values) > 0


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        (sp.exp(E), sp.Integer(2), "no polynomial"),
        (2**N, 3**N, "no polynomial"),
        (E * N + sp.log(2), E, "no rational multiple"),
        (sp.log(E + 1), E, "a budget stands inside"),
        (sp.log(P) * 1000, sp.log(2), "exponent 1000"),
        (sp.sqrt(P), P, "no polynomial"),
        (sp.log(2) + SQUARE[0], SQUARE[0] * 2, "may be negative"),
        (sp.log(sp.subfactorial(N)), sp.log(N), "no polynomial"),
        (1 + sp.Max(P, 1), P, "no polynomial"),
    ],
    ids=str,
)
def test_formulas_of_another_kind_are_left_open(left, right, said):
    found = at_most(left, right)
    assert found.verdict is Verdict.OPEN
    assert said in found.because


def test_an_irrational_bound_is_not_refuted_by_a_rounded_value():
    x = sp.Symbol("x", positive=True)
    found = at_most(x**2, 2, (x**2 <= 2,))
    assert found.verdict is Verdict.DECIDED
    equal = at_most(sp.Integer(0), sp.Integer(-1), (x**2 >= 2, x**2 <= 2))  # sqrt(2) alone, which no rational is
    assert equal.verdict is Verdict.OPEN


def test_logarithms_have_values_in_a_counterexample():
    found = at_most(sp.log(P / (1 - P)), sp.log(P / (1 - P)) - sp.log(Q))
    assert found.verdict is Verdict.REFUTED
    assert 0 < found.counterexample["p"] < 1


@pytest.mark.parametrize("bad", [0.5 * P, sp.Float("0.1")])
def test_floats_are_refused(bad):
    with pytest.raises(InputError, match="must be exact"):
        at_most(bad, P)


def test_conditions_that_are_no_inequalities_are_refused():
    with pytest.raises(InputError, match="where must be inequalities"):
        at_most(P, 2 * P, (sp.Eq(P, 1),))


def test_an_answer_shows_its_verdict_first():
    found = at_most(N, 2 * N)
    assert found._repr_html_().split("<tr>")[1].startswith('<th scope="row">verdict')
    assert str(found) == "DECIDED: n <= 2*n for all n > 0 integer: Z3: no values make the left side larger"
    assert r"\toprule" in found.to_latex()
    with pytest.raises(TypeError, match="no truth value"):
        bool(found)


EPSILON, F = sp.symbols("epsilon f", nonnegative=True)
K = sp.Symbol("k", positive=True, integer=True)
D = sp.Symbol("delta", positive=True)
PURE = SymbolicSpecification(EPSILON, unit="person")
RHO = SymbolicSpecification(EPSILON, output="zcdp", unit="person")


class TestTransformations:
    def test_a_larger_unit_costs_its_size_and_in_zcdp_its_square(self):
        assert PURE.change_unit("household", K).budget == K * EPSILON
        assert RHO.change_unit("household", K).budget == K**2 * EPSILON
        assert PURE.change_unit("household", K).unit == "household"

    def test_rescaled_distances_and_budgets_are_the_same_constraints(self):
        assert PURE.rescale(2).budget == EPSILON / 2
        assert RHO.rescale(2).budget == EPSILON / 4
        assert PURE.rescale(2).change_unit("person", 2) == PURE

    def test_a_group_of_approximate_privacy_has_the_sum_of_its_deltas(self):
        claim = SymbolicSpecification(EPSILON, output="approximate", delta=D)
        delta = claim.change_unit("pair", 3).delta
        wanted = D * (1 + sp.exp(EPSILON) + sp.exp(2 * EPSILON))
        assert sp.simplify((delta - wanted).subs(EPSILON, sp.log(5))) == 0

    def test_composition_adds_and_keeps_what_both_compare(self):
        found = PURE.restrict("adults").compose(SymbolicSpecification(F, unit="person").refine("state totals"))
        assert (found.budget, found.domain, found.invariants) == (
            EPSILON + F,
            ("adults",),
            ("state totals",),
        )

    @pytest.mark.parametrize("other", [RHO, SymbolicSpecification(F, unit="household")])
    def test_what_differs_in_unit_or_premetric_is_not_composed(self, other):
        with pytest.raises(InputError, match="must be the same"):
            PURE.compose(other)

    def test_conversions_have_the_values_of_the_enclosed_ones(self):
        zcdp = PURE.convert("zcdp").at(epsilon=1)
        ends = conversions(Target(order=2), epsilon=Fraction(1))[1].value
        assert (
            ends.lower - Fraction(1, 10**15) <= Fraction(str(sp.N(zcdp.budget, 40))) <= ends.upper + Fraction(1, 10**15)
        )
        found = RHO.at(epsilon=sp.Rational(1, 10)).convert("approximate", sp.Rational(1, 10**6))
        ends = conversions(Target(delta=Fraction(1, 10**6)), rho=Fraction(1, 10))[0].value
        assert abs(Fraction(str(sp.N(found.budget, 40))) - ends.lower) < Fraction(1, 10**15)
        with pytest.raises(InputError, match="must be one that zcdp converts to"):
            RHO.convert("pure")
        with pytest.raises(InputError, match="delta must be given"):
            RHO.convert("approximate")

    def test_values_take_the_place_of_symbols_by_name(self):
        assert PURE.at(epsilon=Loss(3)).budget == sp.log(3)
        with pytest.raises(InputError, match="rho must be a symbol"):
            PURE.at(rho=1)


class TestImplication:
    def test_a_smaller_budget_implies_a_larger_one_and_not_the_other_way(self):
        one, other = (
            SymbolicSpecification(2 * EPSILON),
            SymbolicSpecification(EPSILON),
        )
        there, back = one.compare(other)
        assert there.verdict is Verdict.DECIDED
        assert back.verdict is Verdict.REFUTED
        assert back.counterexample["epsilon"] > 0

    def test_a_specification_implies_its_restrictions_and_refinements_alone(self):
        for part in (PURE.restrict("adults"), PURE.refine("total")):
            assert part.implied_by(PURE).verdict is Verdict.DECIDED
            assert PURE.implied_by(part).verdict is Verdict.OPEN
            assert "compares fewer data sets" in PURE.implied_by(part).because

    @pytest.mark.parametrize("other", [RHO, SymbolicSpecification(EPSILON, unit="household")])
    def test_other_units_and_premetrics_are_left_open(self, other):
        assert PURE.implied_by(other).verdict is Verdict.OPEN

    def test_a_group_is_implied_by_its_members_and_a_condition_is_needed_for_less(self):
        household = PURE.change_unit("household", K)
        allowed = SymbolicSpecification(4 * EPSILON, unit="household")
        assert allowed.implied_by(household, [K <= 4]).verdict is Verdict.DECIDED
        found = allowed.implied_by(household)
        assert found.verdict is Verdict.REFUTED
        assert found.counterexample["k"] > 4

    def test_a_negative_budget_is_no_specification_and_refutes_nothing(self):
        found = SymbolicSpecification(sp.log(K) - sp.log(5)).implied_by(SymbolicSpecification(sp.log(2)), [K <= 2])
        assert found.verdict is Verdict.OPEN
        assert "is not at least 0" in found.because

    def test_two_numbers_are_not_refuted_by_one_of_them(self):
        one = SymbolicSpecification(sp.log(2), output="approximate", delta=sp.Rational(1, 10))
        other = SymbolicSpecification(sp.log(3), output="approximate", delta=sp.Rational(1, 20))
        assert one.implied_by(other).verdict is Verdict.OPEN
        assert one.implied_by(one).verdict is Verdict.DECIDED


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"output": "renyi"}, "output must be one of pure, zcdp, approximate"),
        ({"budget": sp.Float("0.5")}, "budget must be exact"),
        ({"delta": sp.Rational(1, 2)}, "delta belongs to the output"),
    ],
)
def test_what_is_no_specification_is_refused(arguments, said):
    with pytest.raises(InputError, match=said):
        SymbolicSpecification(**{"budget": EPSILON, **arguments})


def test_a_notebook_shows_the_five_blocks_and_the_conditions():
    claim = SymbolicSpecification(EPSILON, where=(EPSILON < 2,))
    assert claim._repr_html_().count("<tr>") == claim._repr_markdown_().count("\n") - 1 == 6
    assert r"budget & $\varepsilon = \epsilon$" in claim.to_latex()
    assert str(claim) == "epsilon = epsilon (pure) for each record where epsilon < 2"
