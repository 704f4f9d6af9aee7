"""What the ledger's proofs say of permutation swapping, where a claim has the theorem's flavor."""

from __future__ import annotations

from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.claim.budget import THEOREM
from stirred.verify.claim.claim import PrivacyClaim
from stirred.verify.claim.mechanism import ClaimedMechanism
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.book import proofs_of

__all__ = ["swapping_theorem"]


def swapping_theorem(built: PrivacyClaim, mechanism: ClaimedMechanism) -> Evidence:
    """PROVED: (7) is a budget of the mechanism; OPEN with what differs, or where nothing is proved."""
    name, resolution = built.input_premetric
    differs = []
    if built.output_premetric != Multiplicative():
        differs.append("the output premetric is multiplicative")
    if name != "hamming_unordered":
        differs.append("the input premetric is hamming_unordered")
    if "swapping" not in built.invariants:
        differs.append("'swapping' is among the invariants")
    if mechanism.resolution is not None and mechanism.resolution != resolution:
        differs.append(f"the resolution is that of the swapped records, {mechanism.resolution}")
    if differs:
        return Evidence(Verdict.OPEN, f"{THEOREM}", f"{THEOREM} holds only where {'; '.join(differs)}")
    proofs = proofs_of(THEOREM)
    if not proofs:
        return Evidence(
            Verdict.OPEN,
            THEOREM,
            f"{THEOREM}, which gives (7), has no proof in this installation",
        )
    return Evidence(Verdict.PROVED, proofs[0].scope, f"{THEOREM}: (7) is a budget of permutation swapping")
