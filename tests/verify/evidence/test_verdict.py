from fractions import Fraction
from itertools import combinations

import pytest

from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness

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


WITNESS = formula_witness("n <= 3", n=4)


@pytest.mark.parametrize("verdict", Verdict)
def test_evidence_states_its_scope(verdict):
    witness = WITNESS if verdict is Verdict.REFUTED else None
    assert Evidence(verdict, "n <= 4", witness=witness).verdict is verdict
    with pytest.raises(EngineError, match="scope"):
        Evidence(verdict, "", witness=witness)


@pytest.mark.parametrize("verdict", Verdict)
def test_a_witness_goes_with_a_refutation_and_only_with_it(verdict):
    with pytest.raises(EngineError, match="witness"):
        Evidence(verdict, "n <= 4", witness=None if verdict is Verdict.REFUTED else WITNESS)


def test_a_formula_witness_keeps_exact_numbers():
    witness = formula_witness("p*n == 1", note="a product", p=Fraction(1, 3), n=2)
    assert witness["values"] == {"p": "1/3", "n": "2"}
    assert "a product" in witness["note"]
    assert "left 2/3, right 1" in replay(witness)
