"""Theorem 2 on a small census: the program of Algorithm 2, and the engines that tell its faulty variants apart."""

from __future__ import annotations

from fractions import Fraction

import pytest

from mechanisms.broken.topdown import (
    estimation_from_the_data,
    noise_after_estimation,
    noisy_invariant,
    noisy_parent,
)
from mechanisms.topdown import topdown
from spec import Loss
from spec.multiverse import induced, vacuous
from spec.output_premetrics import Multiplicative
from spec.specification import Flavor, Specification
from verify.certificates.replay import replay
from verify.claims.topdown.small_census import COUNTED, FEW, FLAT, OVERSPENT
from verify.engines.exhaustive import check_specification, smallest_budget
from verify.evidence.verdict import Verdict

POPULATION, UNITS, QUARTERS = range(3)
ALL = (POPULATION, UNITS, QUARTERS)


def flavor(census, kept):
    """The flavor of TopDown whose universes are those of some invariants, under D_Mult."""
    invariants = [lambda x, i=i: census.totals(x)[i] for i in kept]
    multiverse = induced(census.domain, *invariants) if kept else vacuous(census.domain)
    return Flavor(census.domain, multiverse, census.premetric, Multiplicative())


def keeps(census, program):
    laws = census.laws(program)
    return all(totals == census.totals(x) for x in census.domain for _, _, totals in laws[x])


class TestBothHalves:
    def test_under_the_invariants_the_release_has_the_loss_of_the_measurements(self):
        # a child for an adult changes the counts of the nation and of the state by one: 2 for each of them
        specification = Specification.constant(flavor(FLAT, ALL), Loss(4))
        assert check_specification(FLAT.laws(), specification, "flat").verdict is Verdict.EXHAUSTED
        assert smallest_budget(FLAT.laws(), specification.flavor)[0] == Loss(4)
        assert smallest_budget(FLAT.measurement_laws, specification.flavor)[0] == Loss(4)

    @pytest.mark.parametrize("left_out", ALL)
    def test_without_any_one_invariant_no_budget_holds(self, left_out):
        kept = tuple(i for i in ALL if i != left_out)
        specification = Specification.constant(flavor(FLAT, kept), Loss(10**9))
        budget, (x, y) = smallest_budget(FLAT.laws(), specification.flavor)
        assert budget.is_infinite
        assert [FLAT.totals(x)[i] == FLAT.totals(y)[i] for i in ALL] == [i != left_out for i in ALL]
        evidence = check_specification(FLAT.laws(), specification, "flat")
        assert evidence.verdict is Verdict.REFUTED
        assert replay(evidence.witness)  # it raises where the witness shows nothing

    def test_without_invariants_the_measurements_have_a_finite_loss_and_the_release_has_none(self):
        assert not smallest_budget(FLAT.measurement_laws, flavor(FLAT, (POPULATION, QUARTERS)))[0].is_infinite
        everything = flavor(FEW, ())
        assert not smallest_budget(FEW.measurement_laws, everything)[0].is_infinite
        assert smallest_budget(FEW.laws(), everything)[0].is_infinite


class TestFaults:
    @pytest.mark.parametrize(
        ("program", "expected"),
        [
            (topdown, True),
            (estimation_from_the_data, True),
            (noise_after_estimation, False),
            (noisy_invariant, False),
            (noisy_parent, False),
        ],
    )
    def test_the_invariants_are_kept(self, program, expected):
        assert keeps(FEW, program) is expected

    @pytest.mark.parametrize("program", [estimation_from_the_data, noise_after_estimation])
    def test_a_second_look_at_the_data_exceeds_the_budget(self, program):
        specification = Specification.constant(flavor(FEW, ALL), Loss(4))
        assert check_specification(FEW.laws(topdown), specification, "few").verdict is Verdict.EXHAUSTED
        assert check_specification(FEW.laws(program), specification, "few").verdict is Verdict.REFUTED

    def test_a_split_of_more_than_the_whole_costs_more(self):
        assert COUNTED.design.spent("person") == max(cost for _, _, cost in COUNTED.costs()) == Fraction(3, 2)
        assert OVERSPENT.design.spent("person") == max(cost for _, _, cost in OVERSPENT.costs()) == Fraction(9, 2)

    @pytest.mark.parametrize(
        "claim_id",
        ["topdown.keeps-invariants", "topdown.measurement-budget", "topdown.same-budget", "topdown.no-post-processing"],
    )
    def test_every_mutant_of_the_claims_is_refuted(self, checked, claim_id):
        record = checked(claim_id)
        assert record.verdict is Verdict.EXHAUSTED
        assert record.mutants
        assert all(mutant.evidence.verdict is Verdict.REFUTED for mutant in record.mutants)
