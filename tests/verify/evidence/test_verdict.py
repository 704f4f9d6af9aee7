from itertools import combinations

import pytest

from stirred.verify.evidence.verdict import Verdict

ORDER = ["REFUTED", "OPEN", "SAMPLED", "ARGUED", "EXHAUSTED", "ENCLOSED", "DECIDED", "PROVED"]


def test_verdicts_are_ordered_by_strength():
    assert [verdict.name for verdict in sorted(Verdict)] == ORDER
    for weaker, stronger in combinations(ORDER, 2):
        assert Verdict[weaker] < Verdict[stronger]
        assert not Verdict[stronger] <= Verdict[weaker]


@pytest.mark.parametrize("verdict", Verdict)
def test_a_verdict_has_no_truth_value(verdict):
    with pytest.raises(TypeError, match="no truth value"):
        bool(verdict)
    with pytest.raises(TypeError):
        _ = verdict < "PROVED"


def test_statistics_and_silence_settle_nothing():
    assert {verdict.name for verdict in Verdict if verdict.is_settled_for} == {
        "EXHAUSTED",
        "ENCLOSED",
        "DECIDED",
        "PROVED",
    }
