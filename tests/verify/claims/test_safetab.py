from fractions import Fraction

import pytest

from stirred.verify.certificates.replay import replay
from stirred.verify.claims.safetab.published_settings import BUDGETS, total
from stirred.verify.evidence.verdict import Verdict

CLAIMS = (
    *("settings.totals", "registry.numbers", "registry.levels", "table-4.persons", "table-4.households"),
    *("persons.exact", "households.exact", "stages.exact"),
)


@pytest.mark.parametrize("name", CLAIMS)
def test_the_claims_hold_and_their_mutants_do_not(name, checked):
    record = checked(f"safetab.{name}")
    assert record.verdict is Verdict.EXHAUSTED
    assert record.mutants
    for mutant in record.mutants:
        assert mutant.evidence.verdict is Verdict.REFUTED
        assert replay(mutant.evidence.witness)


@pytest.mark.parametrize("letter", ["p", "h"])
def test_a_choice_on_the_true_count_has_infinite_loss(letter, checked):
    record = checked(f"safetab.table-4.{'persons' if letter == 'p' else 'households'}")
    (mutant,) = [one for one in record.mutants if "true count" in one.change]
    assert "left oo" in replay(mutant.evidence.witness)


def test_the_budgets_of_the_settings_by_hand():
    # level 1 has 0 in AIANNH areas
    assert total("p") == 5 * Fraction("0.008") + 2 * Fraction("2.134") + 4 * Fraction("0.159")
    assert total("p", is_us=False) == 4 * Fraction("0.008") + Fraction("2.134") + 3 * Fraction("0.159")
    of_a_table = 5 * Fraction("0.006915") + 2 * Fraction("1.9208") + 4 * Fraction("0.142869")
    assert total("h") == 2 * of_a_table == Fraction("8.895302")
    assert [len(BUDGETS[letter]) for letter in "ph"] == [20, 40]
