"""Specifications with symbols: what transformations do to a budget, and what implies what."""

from fractions import Fraction

import pytest
import sympy as sp

from stirred.spec import InputError, Loss
from stirred.spec.budgets.converted import Target, conversions
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.formulas.symbolic_specification import SymbolicSpecification

E, F = sp.symbols("epsilon f", nonnegative=True)
K = sp.Symbol("k", positive=True, integer=True)
D = sp.Symbol("delta", positive=True)
PURE = SymbolicSpecification(E, unit="person")
RHO = SymbolicSpecification(E, output="zcdp", unit="person")


class TestTransformations:
    def test_a_larger_unit_costs_its_size_and_in_zcdp_its_square(self):
        assert PURE.change_unit("household", K).budget == K * E
        assert RHO.change_unit("household", K).budget == K**2 * E
        assert PURE.change_unit("household", K).unit == "household"

    def test_rescaled_distances_and_budgets_are_the_same_constraints(self):
        assert PURE.rescale(2).budget == E / 2
        assert RHO.rescale(2).budget == E / 4
        assert PURE.rescale(2).change_unit("person", 2) == PURE

    def test_a_group_of_approximate_privacy_has_the_sum_of_its_deltas(self):
        claim = SymbolicSpecification(E, output="approximate", delta=D)
        delta = claim.change_unit("pair", 3).delta
        wanted = D * (1 + sp.exp(E) + sp.exp(2 * E))
        assert sp.simplify((delta - wanted).subs(E, sp.log(5))) == 0

    def test_composition_adds_and_keeps_what_both_compare(self):
        found = PURE.restrict("adults").compose(SymbolicSpecification(F, unit="person").refine("state totals"))
        assert (found.budget, found.domain, found.invariants) == (E + F, ("adults",), ("state totals",))

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
        one, other = SymbolicSpecification(2 * E), SymbolicSpecification(E)
        there, back = one.compare(other)
        assert there.verdict is Verdict.DECIDED
        assert back.verdict is Verdict.REFUTED
        assert back.counterexample["epsilon"] > 0

    def test_a_specification_implies_its_restrictions_and_refinements_alone(self):
        for part in (PURE.restrict("adults"), PURE.refine("total")):
            assert part.implied_by(PURE).verdict is Verdict.DECIDED
            assert PURE.implied_by(part).verdict is Verdict.OPEN
            assert "compares fewer data sets" in PURE.implied_by(part).because

    @pytest.mark.parametrize("other", [RHO, SymbolicSpecification(E, unit="household")])
    def test_other_units_and_premetrics_are_left_open(self, other):
        assert PURE.implied_by(other).verdict is Verdict.OPEN

    def test_a_group_is_implied_by_its_members_and_a_condition_is_needed_for_less(self):
        household = PURE.change_unit("household", K)
        allowed = SymbolicSpecification(4 * E, unit="household")
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
        SymbolicSpecification(**{"budget": E, **arguments})


def test_a_notebook_shows_the_five_blocks_and_the_conditions():
    claim = SymbolicSpecification(E, where=(E < 2,))
    assert claim._repr_html_().count("<tr>") == claim._repr_markdown_().count("\n") - 1 == 6
    assert r"budget & $\varepsilon = \epsilon$" in claim.to_latex()
    assert str(claim) == "epsilon = epsilon (pure) for each record where epsilon < 2"
