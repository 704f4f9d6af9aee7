from fractions import Fraction

import pytest

from stirred.verify.certificates.replay import replay
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness

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
