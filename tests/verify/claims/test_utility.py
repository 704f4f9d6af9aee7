from fractions import Fraction
from math import exp, log

import pytest

from stirred.verify.certificates.replay import replay
from stirred.verify.evidence.verdict import Verdict

HOLDS = {
    **dict.fromkeys(("guarantee", "logarithmic", "answers.factor"), Verdict.EXHAUSTED),
    **dict.fromkeys(("loss", "logarithmic.numbers", "bases"), Verdict.ENCLOSED),
    **dict.fromkeys(
        ("dilemma.dominating", "dilemma.worse-off", "dilemma.privacy", "dilemma.never", "dilemma.burden"),
        Verdict.EXHAUSTED,
    ),
}
FAILS = ("logarithmic.numbers", "dilemma.dominating", "dilemma.privacy", "dilemma.burden")


@pytest.mark.parametrize(("name", "verdict"), HOLDS.items())
def test_a_claim_on_utility_holds_and_its_mutants_do_not(name, verdict, checked):
    record = checked(f"utility.{name}")
    assert record.verdict is verdict
    assert record.mutants
    assert all(mutant.evidence.verdict is Verdict.REFUTED for mutant in record.mutants)


@pytest.mark.parametrize("name", FAILS)
def test_what_is_printed_fails_with_a_witness_that_replays(name, checked):
    record = checked(f"utility.{name}.printed")
    assert record.verdict is Verdict.REFUTED
    assert replay(record.witness)


def test_the_numbers_by_hand():
    assert (round(exp(12), -3), round(exp(19), -6)) == (163_000, 178_000_000)
    assert (round(19 / log(1.1)), round(19 / log(1.01))) == (199, 1909)


@pytest.mark.parametrize(("individuals", "pays"), [(2, True), (69, True), (70, False), (300, False)])
def test_beside_no_one_who_answers_answering_pays_for_fewer_than_70(individuals, pays):
    """The one answer leaves 100 (99/100)^(n - 1) of the utility and costs 50; without it all have nothing."""
    assert (100 * Fraction(99, 100) ** (individuals - 1) - 50 > 0) is pays
