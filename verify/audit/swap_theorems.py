"""What is known of a swap of any size, for claims on a domain in words: its budget by a theorem, or that none holds."""

from __future__ import annotations

from stirred.mechanisms.catalogue import FIBRE_NOISE, PAIRS, SWAPPING, TARGETED
from stirred.spec.budgets.loss import Loss
from stirred.spec.flavors.permutation_swapping import psa_budget
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.audit.exhaust.found import claimed
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.theorems import cited, proved
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.budget import PROVED_WITHIN, PROVING, THEOREM, ClaimedBudget
from stirred.verify.laws.claim.budget_cover import covers, shortfall
from stirred.verify.laws.claim.claim import Case, PrivacyClaim
from stirred.verify.laws.claim.mechanism import ClaimedMechanism

_NOISE = "price.fibre.budget"
_NOISE_PROVING = ("fibre_noise.fibre_noise_private",)
_NOISE_WITHIN = "every size, the noise of each cell clamped to what its margins and the cells before it allow"

_UNBOUNDED = {PAIRS: "pairwise.causes", TARGETED: "targeted.causes"}
"""The claim that no finite budget holds."""


def swap_theorem(built: PrivacyClaim, mechanism: ClaimedMechanism) -> Evidence | None:
    """What is known of a swap; None of other mechanisms."""
    if mechanism.name == SWAPPING:
        return swapping_theorem(built, mechanism)
    if mechanism.name == FIBRE_NOISE:
        if (differs := _unlike_flavor(built, mechanism, _NOISE)) is not None:
            return differs
        scope = proved(cited(_NOISE, _NOISE_PROVING), _NOISE_WITHIN).scope
        return Evidence(Verdict.PROVED, scope, f"{_NOISE}: 2*ln(1/root) is a budget of fibre noise")
    if (source := _UNBOUNDED.get(mechanism.name)) is None:
        return None
    detail = f"{mechanism.name} has no finite budget in the PSA's flavor (stirred verify {source})"
    return Evidence(Verdict.EXHAUSTED, f"the states of {source}", detail)


def swapping_theorem(built: PrivacyClaim, mechanism: ClaimedMechanism) -> Evidence:
    """PROVED: (7) is a budget of the mechanism; OPEN with what differs, or where nothing is proved."""
    if (differs := _unlike_flavor(built, mechanism, THEOREM)) is not None:
        return differs
    scope = proved(cited(THEOREM, PROVING), PROVED_WITHIN).scope
    return Evidence(Verdict.PROVED, scope, f"{THEOREM}: (7) is a budget of permutation swapping")


def _unlike_flavor(built: PrivacyClaim, mechanism: ClaimedMechanism, theorem: str) -> Evidence | None:
    """OPEN, where a claim is not in the flavor of a theorem; None where it is."""
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
    return Evidence(Verdict.OPEN, theorem, f"{theorem} holds only where {'; '.join(differs)}") if differs else None


def budget_by_theorem(
    built: PrivacyClaim, mechanism: ClaimedMechanism, case: Case, budget: ClaimedBudget
) -> Evidence | None:
    """Whether the claimed budget, as the number that it is, covers what is known of a swap; None of others."""
    theorem = swap_theorem(built, mechanism)
    if theorem is None:
        return None
    if mechanism.name in _UNBOUNDED:
        if budget.loss is not None and budget.loss.is_infinite:
            detail = f"{claimed(budget)} bounds nothing, so that every mechanism satisfies it"
            return Evidence(Verdict.EXHAUSTED, "every pair of data sets", detail)
        return Evidence(Verdict.OPEN, theorem.scope, f"not shown: {theorem.detail}")
    if mechanism.name == SWAPPING:
        b, rate = built.largest_stratum, case.setting["swap_rate"]
        if b is None:
            return Evidence(Verdict.OPEN, theorem.scope, f"cannot be decided here: {theorem.detail}")
        needed, named, at = psa_budget(b, rate), "(7)", f"at b = {b}, p = {rate}"
    else:
        root = case.setting["root"]
        needed = Loss(1 / root**2) if 0 < root < 1 else Loss(None)
        named, at = "2*ln(1/root)", f"at root = {root}"
    if theorem.verdict is not Verdict.PROVED:
        return Evidence(Verdict.OPEN, theorem.scope, f"cannot be decided here: {theorem.detail}")
    if budget.is_formula and budget.epsilon is None:
        return Evidence(Verdict.PROVED, theorem.scope, f"claimed budget is {named} itself, {needed}, {at}")
    covered = covers(budget, needed)
    if covered:
        verdict = Verdict.ENCLOSED if budget.loss is None else Verdict.PROVED
        return Evidence(verdict, theorem.scope, f"{claimed(budget)} ≥ {named}, {needed}, {at}")
    if covered is None:
        return Evidence(
            Verdict.OPEN, theorem.scope, f"{claimed(budget)} and {named}, {needed}, {at}, agree to 48 digits"
        )
    below = f"not shown: {claimed(budget)} < {named}, {needed}, {at}, by {shortfall(budget, needed)}"
    return Evidence(Verdict.OPEN, theorem.scope, below)
