"""Specifications with symbols: what transformations do to a budget, what implies what, and what is refused."""

from fractions import Fraction
from statistics import NormalDist

import pytest
import sympy as sp

from stirred.spec import InputError, Loss
from stirred.spec.budgets.converted import Target, conversions, from_approximate
from stirred.spec.budgets.gaussian_budget import gaussian_delta, gaussian_power, gaussian_to_zcdp
from stirred.spec.budgets.renyi_budget import pure_to_renyi, renyi_to_approximate, zcdp_to_renyi
from stirred.spec.budgets.zcdp import smallest_pure_to_zcdp, zcdp_to_approximate
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import TotalVariation, Tradeoff
from stirred.spec.output_premetrics.tradeoff import tradeoff_curve
from stirred.verify.engines.formulas.symbolic_specification import SymbolicSpecification
from stirred.verify.evidence.verdict import Verdict

P = sp.Symbol("p", positive=True)
EPSILON, F = sp.symbols("epsilon f", nonnegative=True)
K = sp.Symbol("k", positive=True, integer=True)
D = sp.Symbol("delta", positive=True)
PURE = SymbolicSpecification(EPSILON, unit="person")
RHO = SymbolicSpecification(EPSILON, output="zcdp", unit="person")
GAUSSIAN = SymbolicSpecification(sp.Symbol("mu", nonnegative=True), output="gdp", unit="person")
ONE_ORDER = SymbolicSpecification(EPSILON, output="renyi", order=10)
HALF = sp.Rational(1, 2)


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
        assert (found.budget, found.domain, found.invariants) == (EPSILON + F, ("adults",), ("state totals",))

    def test_conversions_have_the_values_of_the_enclosed_ones(self):
        zcdp = PURE.convert("zcdp").at(epsilon=1)
        ends, near = conversions(Target(order=2), epsilon=Fraction(1))[1].value, Fraction(1, 10**15)
        assert ends.lower - near <= Fraction(str(sp.N(zcdp.budget, 40))) <= ends.upper + near
        found = RHO.at(epsilon=sp.Rational(1, 10)).convert("approximate", sp.Rational(1, 10**6))
        ends = conversions(Target(delta=Fraction(1, 10**6)), rho=Fraction(1, 10))[0].value
        assert abs(Fraction(str(sp.N(found.budget, 40))) - ends.lower) < near

    def test_values_take_the_place_of_symbols_by_name_and_all_at_once(self):
        assert PURE.at(epsilon=Loss(3)).budget == sp.log(3)
        assert SymbolicSpecification(EPSILON + 2 * F).at(epsilon=F, f=EPSILON).budget == F + 2 * EPSILON


class TestImplication:
    def test_a_smaller_budget_implies_a_larger_one_and_not_the_other_way(self):
        there, back = SymbolicSpecification(2 * EPSILON).compare(SymbolicSpecification(EPSILON))
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


def test_a_notebook_shows_the_five_blocks_and_the_conditions():
    claim = SymbolicSpecification(EPSILON, where=(EPSILON < 2,))
    assert claim._repr_html_().count("<tr>") == claim._repr_markdown_().count("\n") - 1 == 6
    assert r"budget & $\varepsilon$" in claim.to_latex()
    assert str(claim) == "epsilon = epsilon (pure) for each record where epsilon < 2"


APPROXIMATE = SymbolicSpecification(EPSILON, output="approximate", delta=D)
SIZE = "size must be a whole number of at least 1, or a symbol of `sizes`; got "


@pytest.mark.parametrize(
    ("made", "said"),
    [
        *((lambda size=size: PURE.change_unit("h", size), f"{SIZE}{size}") for size in (HALF / 2, 0, -3, P, K - 1)),
        *((lambda by=by: RHO.rescale(by), "factor must be above 0") for by in (0, -1, EPSILON)),
        (lambda: PURE.change_unit("h", 2.0), "size must be exact"),
        (lambda: PURE.change_unit("h", sp.oo), "size must be real and finite"),
        (lambda: PURE.rescale(3).change_unit("h", 2), "size must be at least 3"),
        (lambda: SymbolicSpecification(EPSILON, output="kl"), "output must be one of pure, zcdp, approximate"),
        (lambda: SymbolicSpecification(sp.Float("0.5")), "budget must be exact"),
        (lambda: SymbolicSpecification(EPSILON, delta=HALF), "delta belongs to the output"),
        (lambda: RHO.compose(RHO.convert("approximate", F)), "output must be the same.*: convert one"),
        (lambda: PURE.convert("renyi"), "order must be given"),
        (lambda: PURE.convert("renyi", order=1), "order must be above 1"),
        (lambda: PURE.convert("zcdp", order=2), "order does not belong"),
        (lambda: PURE.convert("renyi", order=2).change_unit("h", 2), "one Renyi order is not multiplied"),
        (lambda: SymbolicSpecification(1, output="renyi"), "order belongs to the output 'renyi'"),
        (lambda: PURE * HALF, "times must be a whole number"),
        (lambda: PURE.compose(SymbolicSpecification(F, unit="household")), "unit must be the same"),
        (lambda: RHO.convert("pure"), r"must be one that zcdp converts to \(.*approximate.*\); got 'pure'"),
        (lambda: RHO.convert("approximate"), "delta must be given"),
        (lambda: PURE.at(rho=1), "rho must be a symbol"),
        (lambda: SymbolicSpecification(-1), "budget must be at least 0"),
        (lambda: SymbolicSpecification(-EPSILON), "budget must be at least 0"),
        (lambda: SymbolicSpecification(sp.Symbol("x")), "x must be a real symbol"),
        (lambda: SymbolicSpecification(EPSILON, where=(sp.false,)), "where must be satisfiable"),
        (lambda: SymbolicSpecification(EPSILON, output="approximate", delta=2), "delta must be at most 1"),
        (lambda: SymbolicSpecification(EPSILON, output="approximate", delta=-1), "delta must be at least 0"),
        (lambda: PURE.convert("approximate", 2), "delta must be at most 1"),
        (lambda: PURE.convert("zcdp", HALF), "delta belongs to"),
        (lambda: RHO.convert("approximate", 0), "delta must be above 0 and at most 1; got 0"),
        (lambda: RHO.convert("approximate", 2), "delta must be above 0 and at most 1; got 2"),
        (lambda: RHO.convert("approximate", F).at(f=0), "values must satisfy f > 0; got f = 0"),
        (lambda: RHO.convert("approximate", F).at(f=2), "values must satisfy f <= 1; got f = 2"),
        (lambda: APPROXIMATE.at(delta=2), "values must satisfy delta <= 1; got delta = 2"),
        (lambda: APPROXIMATE.change_unit("h", 2).at(delta=2), "values must satisfy delta <= 1"),
        (lambda: PURE.at(epsilon=-1), "epsilon must satisfy the assumptions of its symbol, epsilon >= 0; got -1"),
        (lambda: PURE.at(epsilon=sp.oo), "epsilon must be real and finite"),
        (lambda: PURE.at(epsilon=sp.Symbol("x")), "epsilon must satisfy the assumptions of its symbol"),
        (lambda: PURE.change_unit("h", K).at(k=HALF), "assumptions of its symbol, k > 0 integer; got 1/2"),
        (lambda: SymbolicSpecification(EPSILON, where="epsilon < 2").at(epsilon=3), "values must satisfy epsilon < 2"),
        (lambda: SymbolicSpecification(sp.log((1 - P) / P)).at(p=2), "budget must be real and finite"),
        (lambda: SymbolicSpecification(1 / (1 - P)).at(p=1), "budget must be real and finite"),
        (lambda: SymbolicSpecification(sp.log(P)).at(p=HALF), "budget must be at least 0"),
        (lambda: SymbolicSpecification(sp.log(P)).convert("zcdp").at(p=HALF), r"values must satisfy log\(p\) >= 0"),
        (lambda: SymbolicSpecification(sp.log(P)).compose(PURE.rescale(1, "record")).at(p=HALF), r"log\(p\) >= 0"),
        (lambda: PURE.compose(PURE.rescale(2, "person")), "step must be the same; got 1 and 2"),
    ],
)
def test_no_budget_that_is_none_enters(made, said):
    with pytest.raises(InputError, match=said):
        made()


class TestNumbers:
    def test_rescaled_distances_leave_delta(self):
        assert APPROXIMATE.rescale(2).delta == D
        assert APPROXIMATE.rescale(2).change_unit("record", 2).compose(APPROXIMATE).delta == 2 * D

    def test_a_group_at_epsilon_zero_has_the_sum_of_its_deltas(self):
        for group in (APPROXIMATE.change_unit("h", K), APPROXIMATE.at(epsilon=0).change_unit("h", K)):
            found = group.at(k=3, delta=sp.Rational(1, 100), **({"epsilon": 0} if group.budget != 0 else {}))
            assert (found.budget, found.delta) == (0, sp.Rational(3, 100))
        assert APPROXIMATE.change_unit("a", 2).change_unit("b", 3).at(epsilon=0).delta == 6 * D

    def test_a_delta_above_1_is_1(self):
        one = SymbolicSpecification(1, output="approximate", delta=sp.Rational(3, 5))
        assert one.compose(one).delta == 1
        assert one.change_unit("h", 2).delta == 1
        assert APPROXIMATE.change_unit("h", 3).at(delta=HALF, epsilon=0).delta == 1

    def test_conversions_of_rescaled_neighbours_are_those_of_the_ones_before(self):
        for factor in (HALF, 2):
            there = PURE.rescale(factor).convert("zcdp").rescale(1 / sp.sympify(factor), "person")
            assert there == PURE.convert("zcdp")

    def test_texts_are_budgets(self):
        assert SymbolicSpecification("ln 3").budget == sp.log(3)
        assert SymbolicSpecification("epsilon/2") == SymbolicSpecification(EPSILON / 2)
        assert RHO.convert("approximate", "1e-10").delta == sp.Rational(1, 10**10)


class TestVacuousImplication:
    def test_conditions_that_contradict_each_other_imply_nothing(self):
        one = SymbolicSpecification(P, where="p > 2")
        other = SymbolicSpecification(2 * P, where=[P < 1])
        assert "vacuous" in one.implied_by(other).because
        by_delta = [SymbolicSpecification(P, output="approximate", delta=HALF, where=w) for w in ("p > 2", "p < 1")]
        assert "vacuous" in by_delta[0].implied_by(by_delta[1]).because

    def test_a_budget_that_is_below_0_everywhere_implies_nothing(self):
        found = SymbolicSpecification(sp.log(2)).implied_by(SymbolicSpecification(sp.log(P), where="p < 1"))
        assert found.verdict is Verdict.OPEN
        assert "vacuous" in found.because

    def test_rescaled_distances_under_the_same_name_are_not_compared(self):
        found = PURE.at(epsilon=EPSILON / 2).implied_by(PURE.rescale(2, "person"))
        assert found.verdict is Verdict.OPEN
        assert "step is 1 here and 2 there" in found.because

    def test_a_symbol_that_cancels_does_not_matter(self):
        y = sp.Symbol("y", real=True)
        assert SymbolicSpecification(P + EPSILON).implied_by(SymbolicSpecification(P + 2 * EPSILON)).counterexample
        assert SymbolicSpecification(y + 1).implied_by(SymbolicSpecification(y + 2)).counterexample == {"y": 1}


def _number(expression):
    return float(sp.N(expression, 30))


NUMERIC = [  # each formula, and the number that the package computes by balls
    (PURE.convert("renyi", order=8), {"epsilon": 1}, pure_to_renyi(1, 8)),
    (PURE.convert("zcdp"), {"epsilon": 1}, smallest_pure_to_zcdp(1)),
    (RHO.convert("renyi", order=4), {"epsilon": HALF}, zcdp_to_renyi(Fraction(1, 2), 4)),
    (RHO.convert("approximate", "1/1000"), {"epsilon": HALF}, zcdp_to_approximate(Fraction(1, 2), Fraction(1, 1000))),
    (GAUSSIAN.convert("zcdp"), {"mu": 2}, gaussian_to_zcdp(2)),
    (GAUSSIAN.convert("renyi", order=3), {"mu": 2}, 3 * gaussian_to_zcdp(2)),
    (ONE_ORDER.convert("approximate", "1/1000000"), {"epsilon": 1}, renyi_to_approximate(10, 1, Fraction(1, 10**6))),
]


@pytest.mark.parametrize(("found", "values", "number"), NUMERIC, ids=lambda one: str(one)[:40])
def test_conversions_are_the_formulas_of_what_is_computed_by_enclosures(found, values, number):
    assert _number(found.at(**values).budget) == pytest.approx(float(getattr(number, "lower", number)), rel=1e-12)
    assert found.steps


def test_gaussian_privacy_gives_delta_powers_and_total_variation():
    assert _number(GAUSSIAN.convert("approximate", epsilon=1).at(mu=1).delta) == pytest.approx(
        float(gaussian_delta(1, 1).lower), rel=1e-12
    )
    assert _number(GAUSSIAN.at(mu=1).power("1/20")) == pytest.approx(float(gaussian_power(1, Fraction(1, 20)).lower))
    assert _number(GAUSSIAN.convert("total-variation").at(mu=2).budget) == pytest.approx(0.6826894921)  # one sigma
    for level in (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20)):
        exact = from_approximate(1, Fraction(1, 10), level).value.lower
        assert _number(PURE.convert("approximate", "1/10").at(epsilon=1).power(level)) == pytest.approx(float(exact))


def test_conversions_from_pure_are_attained_by_randomized_response():
    p, q = (Law({0: a, 1: 1 - a}) for a in (Fraction(1, 4), Fraction(3, 4)))  # epsilon = ln 3
    at = SymbolicSpecification("ln 3")
    assert at.convert("total-variation").budget.rewrite(sp.exp).simplify() == sp.Rational(1, 2)
    assert TotalVariation().distance(p, q) == Fraction(1, 2)
    mu = _number(at.convert("gdp").budget)
    powers = (NormalDist().cdf(NormalDist().inv_cdf(level) + mu) for level in (0.05, 0.25, 0.6))
    curve = tradeoff_curve(p, q)
    for power, level in zip(powers, ("1/20", "1/4", "3/5"), strict=True):
        assert power >= float(Tradeoff.at(curve, Fraction(level))) - 1e-12
    assert NormalDist().cdf(NormalDist().inv_cdf(0.25) + mu) == pytest.approx(0.75)


def test_releases_compose_across_measures_by_stated_conversions_and_k_fold():
    both = PURE + RHO
    assert (both.output, both.steps[0][:12]) == ("zcdp", "pure to zcdp")
    assert both.budget == EPSILON * sp.tanh(EPSILON / 2) + RHO.budget == (RHO + PURE).budget
    assert (PURE + PURE.convert("approximate", "1/10")).delta == sp.Rational(1, 10)
    assert (K * PURE).budget == K * EPSILON
    assert (GAUSSIAN * 4).budget == 2 * GAUSSIAN.budget == (GAUSSIAN + GAUSSIAN + GAUSSIAN + GAUSSIAN).budget
    assert (SymbolicSpecification("1/3", output="total-variation") * 4).budget == 1
    assert (PURE * 2).refines(PURE * 3).verdict is Verdict.DECIDED
    assert (PURE * 3).refines(PURE * 2).verdict is Verdict.REFUTED
