"""Replay of the ledger's witnesses as a reader does it, from their JSON text; equal texts are replayed once."""

import json
from functools import lru_cache

from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.witness import Witness

_OF_THEIR_CASE = ("case", "formula")
"""Kinds of witnesses that are re-checked without the claim that they carry."""


def replayed(witness: Witness) -> str:
    """The sentence that says which inequality is false.

    Raises:
        WitnessError: the witness refutes nothing.

    >>> replayed({"kind": "case", "claimed": "n <= 3", "case": {"n": 4}, "claim": {"id": "small"}})
    'false at n = 4: n <= 3 (left 4, right 3)'
    """
    kept = {
        name: part for name, part in witness.items() if name != "claim" or witness.get("kind") not in _OF_THEIR_CASE
    }
    return _sentence(json.dumps(kept))


@lru_cache(maxsize=64)
def _sentence(text: str) -> str:
    return replay(json.loads(text))
