from fractions import Fraction

from verify.checks import section_4_households, section_4_invariants
from verify.checks.section_4_households import HouseholdRecords


def test_the_published_noise_scale_explains_both_printed_numbers_of_pl_person(checked):
    rho_squared = (Fraction(542) / 339) ** 2
    assert round(rho_squared, 2) == Fraction("2.56")
    assert "17.90018455" in checked("numbers.table-3.pl-person").detail


def test_a_moved_person_is_the_smallest_witness_between_households_and_persons():
    evidence = section_4_households.household_mechanism_one()
    assert evidence.witness["values"] == {"household": "2", "person": "1", "b": "1"}


def test_the_mechanism_against_the_printed_step_exceeds_its_budget_fourfold():
    values = section_4_households.household_mechanism_printed().witness["values"]
    # D_NoR between coins of 1/3 and 2/3 is ln(2)/3 squared's supremum: the KL divergence ln(2)/3
    assert Fraction(values["loss"]) > 3 * Fraction(values["rho2"])


def test_household_pairs_are_all_pairs_of_equal_size():
    # multisets of 6 kinds of persons: 1, 6, 21, 56, 126
    assert len(section_4_households.household_pairs()) == sum(n * n for n in (1, 6, 21, 56, 126))


def test_a_tenure_and_a_vacant_unit_break_the_comparison_of_units(checked):
    witnesses = {mutant.change: mutant.evidence.witness for mutant in checked("units.household-person").mutants}
    # A change of tenure changes no person-record; a person who moves to a vacant unit makes one household-record more.
    assert witnesses["a household-record has a tenure too"]["values"] == {"household": "1", "person": "0", "b": "0"}
    values = witnesses["vacant units left out"]["values"]
    assert values == {"records": "1", "records_prime": "2", "person": "1"}


def test_an_infinite_household_distance_is_told_from_a_finite_one():
    pairs = section_4_households.household_pairs(HouseholdRecords.OCCUPIED_UNITS)
    assert any(household is None for _, _, _, household, _ in pairs)
    assert all(household is not None for _, _, _, household, _ in section_4_households.household_pairs())


def test_without_one_state_population_the_loss_stays_finite(checked):
    # three of four persons' places: the coin leans (1 + k)/4 with k = 0, 1, 2 persons in households
    assert checked("topdown.theorem-2.necessity.printed").witness["values"] == {"smallest": "1/4"}


def test_the_household_factor_on_the_reported_budget_is_the_square(checked):
    assert str(99_999**2) in checked("topdown.household-amplification").detail


def test_one_state_has_the_population_that_the_size_gives():
    release = section_4_invariants.topdown_release(1)
    assert release.names[-1] == "the population of state 1"
    assert release.smallest_shared((0, 1)) == release.smallest_shared(range(3)) == Fraction(1, 4)


def test_all_state_populations_left_out_need_an_infinite_budget():
    release = section_4_invariants.topdown_release()
    assert release.smallest_shared((0, 1, 2)) == 0
    assert release.smallest_shared((0, 1, 2, 3)) == release.smallest_shared(range(5)) == Fraction(1, 4)
