"""Replay of the ledger's witnesses: as a reader does it, and once for each text."""

from fractions import Fraction

import pytest

from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.verify.certificates.exact_number import WitnessError
from stirred.verify.evidence.witness import event_witness
from stirred.verify.ledger import replayed as module
from stirred.verify.ledger.replayed import replayed

CASE = {"kind": "case", "claimed": "n <= 3", "case": {"n": 4}}


@pytest.fixture
def asked(monkeypatch):
    """What replay is asked."""
    found = []
    replay = module.replay
    monkeypatch.setattr(module, "replay", lambda witness: found.append(witness) or replay(witness))
    module._sentence.cache_clear()
    yield found
    module._sentence.cache_clear()


def test_one_text_is_replayed_once_whatever_claim_it_refutes(asked):
    sentences = {replayed(CASE), replayed({**CASE, "claim": {"id": "one"}}), replayed({**CASE, "claim": {"id": "two"}})}
    assert len(sentences) == len(asked) == 1


def test_another_case_is_replayed_for_itself(asked):
    assert replayed(CASE) != replayed({**CASE, "case": {"n": 5}})
    for _ in range(2):
        with pytest.raises(WitnessError, match="holds of the case"):
            replayed({**CASE, "case": {"n": 3}})
    assert len(asked) == 4


def test_a_claim_that_states_a_bound_is_read():
    laws = Law({0: Fraction(3, 4), 1: Fraction(1, 4)}), Law({0: Fraction(1, 4), 1: Fraction(3, 4)})
    witness = event_witness(laws, (0,), distance=1, claimed=Loss(2), x="x", x_prime="x'")
    assert replayed({**witness, "claim": {"id": "named"}}) == replayed(witness)
    with pytest.raises(WitnessError):
        replayed({**witness, "claim": {"budget": {"gamma": "4"}}})
