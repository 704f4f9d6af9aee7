"""Specifications with real values, pair by pair: met, refuted, or open where two numbers are not told apart."""

from fractions import Fraction

import pytest
from small_flavors import law

from stirred.spec import FiniteDomain, Flavor, KullbackLeibler, Loss, Multiplicative, Specification, vacuous
from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.reals.real import EnclosedReal
from stirred.spec.output_premetrics import ChiSquared, GaussianTradeoff, RealValued
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.exhaustive import check_specification
from stirred.verify.engines.real_check import check_real_comparison, enclosed_need, real_witness, settled_by
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict

DOMAIN = FiniteDomain((0, 1, 2), "numbers")
APART = InputPremetric("absolute_difference", "unit", lambda x, y: abs(x - y))
LAWS = {x: law(1 + x, 3 - x) for x in DOMAIN}


class Vague(RealValued):
    """Between 1/2 and 1 for different laws."""

    name = "vague"

    def distance(self, p, q):
        return Fraction(0) if p == q else EnclosedReal(Enclosure(Fraction(1, 2), Fraction(1)))


def flavor(measure):
    return Flavor(DOMAIN, vacuous(DOMAIN), APART, measure)


def checked(measure, budget):
    return check_specification(LAWS, Specification.constant(flavor(measure), budget), "three numbers")


def test_a_budget_is_decided_in_all_pairs():
    """KL from 3/4 to 1/4 at distance 2 is ln 3/2; from 1/2 to 1/4 at distance 1 it is (ln 4/3)/2; that of 1/4 more."""
    value = KullbackLeibler().distance(LAWS[1], LAWS[0])
    assert str(value) == "ln(2) - 1/2*ln(3) ≈ 0.143841"
    assert checked(KullbackLeibler(), Loss(3, 4)).verdict is Verdict.ENCLOSED
    refuted = checked(KullbackLeibler(), Fraction(27, 100))
    assert refuted.verdict is Verdict.REFUTED
    assert replay(refuted.witness).startswith("false at p0 = ")
    assert checked(ChiSquared(), Fraction(1)).verdict is Verdict.EXHAUSTED
    assert checked(ChiSquared(), Loss(3)).verdict is Verdict.ENCLOSED


def test_what_nothing_decides_is_open_unless_another_pair_is_refuted():
    found = checked(Vague(), Fraction(3, 4))
    assert found.verdict is Verdict.OPEN
    assert found.detail.startswith("x = 0, x' = 1: not decided: in [0.5, 1] and 3/4 cannot be ordered")
    assert checked(Vague(), Fraction(1, 3)).verdict is Verdict.REFUTED
    assert checked(Vague(), Fraction(1)).verdict is Verdict.OPEN
    assert checked(Vague(), Fraction(101, 100)).verdict is Verdict.ENCLOSED


def test_the_need_of_vague_numbers_is_enclosed():
    found = enclosed_need(ComparedLaws(LAWS, flavor(Vague())))
    assert (found.ends.lower, found.ends.upper) == (Fraction(1, 2), Fraction(1))
    apart = {**LAWS, 2: law(0, 0, 1)}
    assert enclosed_need(ComparedLaws(apart, flavor(KullbackLeibler()))) is None


def test_a_premetric_that_is_not_immune_sees_all_outcomes():
    class Outcomes(Vague):
        """How many outcomes two laws have."""

        is_immune_to_post_processing = False

        def distance(self, p, q):
            return Fraction(0) if p == q else Fraction(len({*p, *q}))

    laws = {0: law(1, 1, 1, 1), 1: law(0, 1, 1, 1, 1), 2: LAWS[0]}
    pairs = ComparedLaws(laws, flavor(Outcomes()))
    assert pairs.law_pair(0, 1).distance == 5
    assert pairs.law_pair(0, 1).laws == (laws[0], laws[1])
    assert pairs.largest_need(pairs.flavor.multiverse)[0] == 5


def test_a_gaussian_witness_names_its_quantiles():
    laws, measure = (LAWS[0], LAWS[2]), GaussianTradeoff()
    witness = real_witness(measure, laws, measure.distance(*laws), Fraction(1), x=0, x_prime=2)
    assert "Phi^-1(3/4) - Phi^-1(1/4)" in witness["note"]
    assert replay(witness).startswith("false at D = ")
    assert (witness["x"], witness["x_prime"]) == (0, 2)


def test_long_formulas_are_left_out():
    laws = law(*range(1, 501)), law(*[1] * 500)
    value = ChiSquared().distance(*laws)
    assert replay(real_witness(ChiSquared(), laws, value, Fraction(1, 100))).startswith("false at D = ")


def test_verdicts_and_faults():
    assert settled_by(ChiSquared(), Fraction(1)) is Verdict.EXHAUSTED
    assert settled_by(ChiSquared(), Loss(2)) is settled_by(KullbackLeibler()) is Verdict.ENCLOSED
    comparison = ComparedLaws(LAWS, flavor(Multiplicative()))
    with pytest.raises(EngineError, match="no real-valued distances"):
        check_real_comparison(comparison, Specification.constant(flavor(Multiplicative()), Loss(2)), "scope")
