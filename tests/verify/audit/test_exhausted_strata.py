"""What an exhaustive audit of swapping says of its strata, and of budgets next to none at all."""

from fractions import Fraction

import pytest
from claim_texts import SCHEMA, SOUND, answer, audited, replaced

from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.evidence.verdict import Verdict

ONE = "[{ rows = [2, 1], columns = [1, 2] }]"
TWO = (ONE, "[{ rows = [1], columns = [1] }, { rows = [2, 1], columns = [1, 2] }]")
OTHER = (ONE, "[{ rows = [2, 1], columns = [1, 2] }, { rows = [2, 2], columns = [3, 1] }]")


@pytest.mark.parametrize(("changes", "place", "strata"), [((), 0, "1 stratum"), ((TWO,), 1, "2 strata")])
def test_the_pair_and_the_stratum_that_need_most_are_named(tmp_path, changes, place, strata):
    found = answer(audited(tmp_path, replaced(SOUND, *changes)), "mechanism")
    x, y, _ = universe_loss((2, 1), (1, 2), Fraction(1, 2)).witness
    assert f", needed by x = {x}, x' = {y} in stratum {place}" in found.detail
    assert found.scope.endswith(f" in {strata}, p = 1/2, by counting permutations")


@pytest.mark.parametrize(("changes", "size"), [((), 2), ((TWO,), 2), ((OTHER,), 4)])
def test_the_scope_says_how_many_data_sets_are_compared(tmp_path, changes, size):
    found = answer(audited(tmp_path, replaced(SOUND, *changes)), "mechanism")
    assert found.scope.startswith(f"every pair of {size} data sets with these margins in ")


@pytest.mark.parametrize("epsilon", ["1e-60", "1e-300"])
def test_a_budget_next_to_zero_is_met_by_a_constant_and_by_nothing_else(tmp_path, epsilon):
    """e^ε is enclosed from below by a number under 1 here, which is no loss."""
    text = replaced(SCHEMA, ("gamma = 2", f'epsilon = "{epsilon}"'))
    assert audited(tmp_path, replaced(text, ('"identity"', '"constant"'))).verdict is Verdict.EXHAUSTED
    assert audited(tmp_path, text).verdict is Verdict.REFUTED
