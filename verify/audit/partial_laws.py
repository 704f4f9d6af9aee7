"""Laws of floats that have too many values: exact on a few of them, so that they refute a claim and never show one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stirred.mechanisms.generators.outputs import UNTESTED
from stirred.spec.arguments import InputError
from stirred.spec.law import Law
from stirred.spec.loss import Loss
from stirred.spec.output_premetrics import OutputPremetric
from stirred.verify.audit.claim_budget import ClaimedBudget
from stirred.verify.audit.exhaustion import Exhaustion
from stirred.verify.evidence.finding import Evidence

__all__ = ["is_partial", "refuse_partial", "refuting"]


def is_partial(laws: Mapping[Any, Law[str]]) -> bool:
    """Whether an outcome stands for floats that were not tested.

    >>> is_partial({0: Law({"'float untested'": 1})})
    True
    """
    return any(UNTESTED in outcome for outcome in set().union(*laws.values()))


@dataclass(frozen=True)
class _OfTestedFloats(Exhaustion):
    """What the tested floats show: their laws are no laws of the mechanism, and are handed to nobody.

    Attributes:
        inner: the comparison of what is told apart.
    """

    inner: Exhaustion

    @property
    def finding(self) -> Evidence:
        return self.inner.finding

    @property
    def needed(self) -> str:
        return self.inner.needed

    def test(self, budget: ClaimedBudget) -> Evidence:
        return self.inner.test(budget)


def refuting(found: Exhaustion, measure: OutputPremetric, place: str) -> Exhaustion:
    """What was found by the tested floats, where it holds of all: what some need is infinite.

    Args:
        found: the smallest budget of what is told apart.
        measure: by which; it must not grow where outcomes are merged.
        place: of the mechanism, for messages.

    Raises:
        InputError: it is finite, so that others may need more.
    """
    is_loss = isinstance(found.smallest, Loss) and found.smallest.is_infinite
    if measure.is_immune_to_post_processing and (is_loss or (found.smallest is None and not measure.is_exact)):
        return _OfTestedFloats(found.smallest, found.where, found.scope, found)
    raise _refusal(place, ", and those that were tested refute nothing")


def refuse_partial(laws: Mapping[Any, Law[str]], place: str) -> None:
    """Refuse laws of which some values are merged.

    Raises:
        InputError: an outcome stands for floats that were not tested.
    """
    if is_partial(laws):
        raise _refusal(place)


def _refusal(place: str, more: str = "") -> InputError:
    return InputError(
        f"{place}: an output is a float from a continuous draw, whose values are too many to be compared{more}: audit "
        "it with --sampled, or round the output"
    )
