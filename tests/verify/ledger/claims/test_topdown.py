"""Theorem 2 on a small census: the program of Algorithm 2, and the engines that tell its faulty variants apart."""

from collections.abc import Sequence
from dataclasses import astuple, replace
from fractions import Fraction
from typing import Any

import pytest

from stirred.mechanisms.broken.topdown import (
    estimation_from_the_data,
    noise_after_estimation,
    noisy_invariant,
    noisy_parent,
)
from stirred.mechanisms.das.topdown import Design, topdown
from stirred.spec import Loss
from stirred.spec.blocks.multiverse import induced, vacuous
from stirred.spec.blocks.specification import Flavor, Specification
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.engines.exhaustive import check_specification, smallest_budget
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import unless
from stirred.verify.ledger.claims.topdown.small_census import COUNTED, FEW, FLAT, OVERSPENT
from stirred.verify.ledger.claims.topdown.theorem_2 import MEASUREMENT, THEOREMS, Deduction, derivation
from stirred.verify.ledger.claims.topdown.theorem_2 import derives as derived_in_words

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


def steps_of(design: Design, **choices: Any) -> tuple[Deduction, ...]:
    """The derivation for one run."""
    groups = {group.part: group for group in design.groups}
    terms = {
        part: tuple(
            (Fraction(group.squared_sensitivity), design.variance(level, group))
            for level in range(len(design.geography.levels))
        )
        for part, group in groups.items()
    }
    run = {
        part: Deduction((f"T {part}",), MEASUREMENT, (), (), part, design.rho_squared[part], terms[part])
        for part in groups
    }
    return derivation([run], **choices)


def derives(steps: Sequence[Deduction], budget: Fraction) -> bool:
    case = {"steps": tuple(map(astuple, steps)), "given": {"": 0}, "kept": ("c_TDA",), "rho2": budget}
    return unless(derived_in_words, **case) is None


class TestDerivation:
    def test_every_step_rests_on_a_claim_that_stands(self, checked):
        assert {step.theorem for step in steps_of(FLAT.design)} <= set(THEOREMS)
        assert all(checked(claim_id).verdict.is_settled_for for claim_id in THEOREMS)

    def test_it_ends_with_the_sum_of_the_budgets_that_the_measurements_spend(self):
        person, household = (FLAT.design.spent(part) for part in ("person", "household"))
        steps = steps_of(FLAT.design)
        assert steps[-1].rho_squared == person + 4 * household
        assert steps[-1].released == ("T person", "T household", "c_TDA", "Z1")
        assert derives(steps, person + 4 * household)
        assert not derives(steps, person + household)

    @pytest.mark.parametrize("place", range(9))
    def test_no_step_may_claim_less_than_its_theorem_gives(self, place):
        steps = list(steps_of(FLAT.design))
        assert len(steps) == 9
        steps[place] = replace(steps[place], rho_squared=steps[place].rho_squared - Fraction(1, 100))
        assert not derives(steps, steps[-1].rho_squared)

    @pytest.mark.parametrize("change", [{"kept": ()}, {"unit": "household"}])
    @pytest.mark.parametrize("place", range(4, 9))
    def test_no_step_may_change_its_flavor_on_the_way(self, place, change):
        steps = list(steps_of(FLAT.design))
        steps[place] = replace(steps[place], **change)
        assert not derives(steps, steps[-1].rho_squared)

    def test_a_measurement_cannot_be_counted_once_and_released_twice(self):
        steps = list(steps_of(FLAT.design))
        twice = replace(steps[6], premises=(1, 1), released=steps[1].released * 2, rho_squared=2 * steps[1].rho_squared)
        assert not derives([*steps[:6], twice], twice.rho_squared)


def test_laws_are_computed_one_by_one_as_they_are_asked_for():
    """So that a changed program costs what it takes until it is refuted."""
    asked = []

    def program(records, source, **given):
        asked.append(records)
        return topdown(records, source, **given)

    laws = FEW.laws(program)
    assert len(laws) == len(FEW.domain)
    first = next(iter(laws.items()))
    assert first == (FEW.domain.points[0], FEW.laws()[FEW.domain.points[0]])
    assert set(asked) == {FEW.records(FEW.domain.points[0])}
    runs = len(asked)
    assert laws[first[0]] == first[1]
    assert len(asked) == runs
