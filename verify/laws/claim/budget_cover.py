"""Whether a claimed budget covers what is needed: decided on the number itself, never on what rounds to it."""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor

from stirred.spec.budgets.loss import Loss
from stirred.spec.numbers.enclosure import Enclosure, exponential
from stirred.verify.engines.printed_number import Printed
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.budget import ClaimedBudget

_DIGITS = 60

_SMALL = Fraction(1, 10**6)

_MOST_BITS = 5_000
"""Of the whole part of e^ε that is kept to decimals; of a larger one as many digits are."""


def loss_bounds(budget: ClaimedBudget) -> Iterator[tuple[Loss, Loss]]:
    """Losses just below and just above the claimed budget, closer and closer; equal where e^ε is rational.

    A smaller loss than the first meets the budget, a larger one than the second exceeds it. Their gammas are decimals,
    so that a witness is exact although e^ε is not. They are short: of a small ε they are those of a multiple, and of a
    large one they end in zeros.
    """
    claimed = _claimed(budget)
    if isinstance(claimed, Loss):
        yield claimed, claimed
        return
    root = 10 ** len(str(floor(1 / claimed))) if 0 < claimed < _SMALL else 1
    for digits in (6, 12, 24, 48):
        power = exponential(claimed * root, digits=digits + 10)
        places = digits - max(0, floor(power.upper).bit_length() - _MOST_BITS) * 30103 // 100_000
        unit = Fraction(10) ** places
        low, high = Fraction(floor(power.lower * unit), unit), Fraction(ceil(power.upper * unit), unit)
        yield Loss(max(low, Fraction(1)), root), Loss(high, root)


def covers(budget: ClaimedBudget, loss: Loss) -> bool | None:
    """Whether a loss is at most the claimed budget; None where they agree to 48 digits."""
    for low, high in loss_bounds(budget):
        if loss <= low:
            return True
        if loss > high:
            return False
    return None


def shortfall(budget: ClaimedBudget, loss: Loss) -> str:
    """By how much a loss exceeds the claimed budget, in nats."""
    if loss.is_infinite:
        return "infinity"
    needed, claimed = loss.epsilon(_DIGITS), claimed_epsilon(budget)
    return Enclosure(needed.lower - claimed.upper, needed.upper - claimed.lower).text()


def claimed_epsilon(budget: ClaimedBudget) -> Enclosure:
    """The claimed finite budget in nats."""
    claimed = _claimed(budget)
    return claimed.epsilon(_DIGITS) if isinstance(claimed, Loss) else Enclosure(claimed, claimed)


def _claimed(budget: ClaimedBudget) -> Loss | Fraction:
    """The claimed budget as a loss, or the number ε."""
    if budget.loss is not None:
        return budget.loss
    if budget.epsilon is None:
        raise EngineError(f"a budget of losses must be one; got {budget.text}")
    return budget.epsilon.value


def cover_evidence(claimed: Printed, needed: Enclosure, what: str, scope: str) -> Evidence:
    """Whether a claimed number is at least a computed one that is known to be enough: settled, else OPEN.

    A smaller number is not refuted: what is computed is enough, and less might be.
    """
    shown = needed.text(10)
    if needed.upper <= claimed.value:
        verdict = Verdict.EXHAUSTED if needed.lower == needed.upper else Verdict.ENCLOSED
        return Evidence(verdict, scope, f"claimed {claimed.text} ≥ {what}, {shown}")
    if needed.lower > claimed.value:
        gap = Enclosure(needed.lower - claimed.value, needed.upper - claimed.value).text()
        return Evidence(Verdict.OPEN, scope, f"not shown: claimed {claimed.text} < {what}, {shown}, by {gap}")
    return Evidence(Verdict.OPEN, scope, f"cannot be decided here: claimed {claimed.text} and {what} agree, {shown}")
