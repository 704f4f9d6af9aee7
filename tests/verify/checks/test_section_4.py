from fractions import Fraction

from verify.checks import section_4


def test_the_published_noise_scale_explains_both_printed_numbers_of_pl_person(checked):
    rho_squared = (Fraction(542) / 339) ** 2
    assert round(rho_squared, 2) == Fraction("2.56")
    assert "17.90018455" in checked("numbers.table-3.pl-person").detail


def test_a_moved_person_is_the_smallest_witness_between_households_and_persons():
    evidence = section_4.household_mechanism_one()
    assert evidence.witness["values"] == {"household": "2", "person": "1", "b": "1"}


def test_the_mechanism_against_the_printed_step_exceeds_its_budget_fourfold():
    values = section_4.household_mechanism_printed().witness["values"]
    # D_NoR between coins of 1/3 and 2/3 is ln(2)/3 squared's supremum: the KL divergence ln(2)/3
    assert Fraction(values["loss"]) > 3 * Fraction(values["rho2"])


def test_household_pairs_are_all_pairs_of_equal_size():
    # multisets of 6 kinds of persons: 1, 6, 21, 56, 126
    assert len(section_4.household_pairs()) == sum(n * n for n in (1, 6, 21, 56, 126))
