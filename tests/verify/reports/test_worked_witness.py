"""A counterexample worked out by hand: its parts have the values that they are said to have, and the whole is false."""

from fractions import Fraction

import pytest

from stirred.spec import Law, Loss
from stirred.verify.certificates.case_values import shown_value
from stirred.verify.certificates.exact_number import WitnessError
from stirred.verify.certificates.language import value_of
from stirred.verify.evidence.witness import event_witness, formula_witness
from stirred.verify.ledger.failures import failure
from stirred.verify.ledger.run import run_claim
from stirred.verify.reports.worked_witness import WorkedStep, worked_steps

CLAIMS = (
    "derangements.nearest-integer.printed",
    "optimal.lower-density",
    "premetric.household-person",
    "psa.unit-pair.printed",
    "pure.likelihood-ratio",
    "survey.pps.formula",
    "units.household-person.printed",
)


def wrong_steps(witness):
    """The steps whose numbers do not give the value beside them; numbers that are cut are left out."""
    wrong = []
    for step in worked_steps(witness):
        try:
            found = shown_value(value_of(step.numbers, {}, {})) if step.numbers and "…" not in step.numbers else None
        except (WitnessError, TypeError):
            continue  # parts that are no numbers, such as a set of laws
        if found not in (None, step.value):
            wrong.append((step, found))
    return wrong


@pytest.mark.parametrize("name", CLAIMS)
def test_the_numbers_of_each_step_give_its_value_and_the_whole_is_false(name):
    witness = run_claim(name).as_json()["witness"]
    steps = worked_steps(witness)
    assert steps[-1].value == "False"
    assert len(steps) > 1
    assert wrong_steps(witness) == []


def test_numbers_are_put_in_part_by_part_and_the_last_step_compares_the_parts():
    witness = formula_witness("(n - 1)*p/(1 - p) <= floor(p*n)", n=4, p=Fraction(1, 3))
    assert worked_steps(witness) == (
        WorkedStep("(n - 1) * p / (1 - p)", "(4 - 1) * (1 / 3) / (1 - 1 / 3)", "3/2"),
        WorkedStep("floor(p * n)", "floor(1 / 3 * 4)", "1"),
        WorkedStep("(n - 1) * p / (1 - p) <= floor(p * n)", "3 / 2 <= 1", "False"),
    )


def test_a_decimal_stands_as_it_is_written_and_is_read_exactly():
    first, *_, last = worked_steps(formula_witness("x <= 0.10000000000000000001 + 1e-3", x=1))
    assert (first.numbers, first.value) == (
        "0.10000000000000000001 + 1e-3",
        "10100000000000000001/100000000000000000000",
    )
    assert last.value == "False"


def test_what_decides_is_shown_and_nothing_else():
    witness = failure("all(sum(x) <= n or n == 1 for n in (7, 1, 3, 2))", x=(1, 2, 3))
    assert [step.part for step in worked_steps(witness)] == [
        "the first that decides",
        "sum(x)",
        "sum(x) <= n",
        "n == 1",
        "all((sum(x) <= n or n == 1 for n in (7, 1, 3, 2)))",
    ]
    assert worked_steps(witness)[0].numbers == "n = 3"


def test_a_sum_of_many_terms_is_cut_and_says_of_how_many():
    (total, *_) = worked_steps(failure("sum(x) <= 1", x=tuple(range(40))))
    assert total.numbers.endswith("+ 11 + … (40 in all)")
    assert total.value == "780"


def test_the_probabilities_of_an_event_are_added_up():
    laws = Law({0: Fraction(1, 2), 1: Fraction(1, 4), 2: Fraction(1, 4)}), Law({0: Fraction(3, 4), 2: Fraction(1, 4)})
    witness = event_witness(laws, {1, 2}, distance=1, claimed=Loss(Fraction(3, 2)))
    assert worked_steps(witness) == (
        WorkedStep("P(E | x)", "1 / 4 + 1 / 4", "1/2"),
        WorkedStep("P(E | x')", "1 / 4", "1/4"),
    )
