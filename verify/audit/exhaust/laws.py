"""The laws that the flavor of a claim compares; those of floats with too many values refute a claim and never show one.

Of a float from a continuous draw a few values are told apart: what their exact laws show is a part of the whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stirred.mechanisms.generators.outputs import UNTESTED
from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import OutputPremetric
from stirred.verify.audit.exhaust.found import Exhaustion
from stirred.verify.claim.budget import ClaimedBudget
from stirred.verify.claim.claim import PrivacyClaim
from stirred.verify.engines.workload import UNLIMITED, Workload
from stirred.verify.evidence.finding import Evidence
from stirred.verify.laws.agreed_laws import ForeignLaws
from stirred.verify.reports.lines import counted


def claimed_laws(
    built: PrivacyClaim, setting: Mapping[str, Any], workload: Workload = UNLIMITED, *, may_be_partial: bool = False
) -> ForeignLaws:
    """The laws that the flavor of a claim compares: of every data set, or of every belief under Pufferfish.

    Args:
        built: the claim; its mechanism runs.
        setting: the parameters of its mechanism.
        workload: is told how far the work is, and limits it.
        may_be_partial: whether an outcome may stand for floats that are not told apart.

    Raises:
        InputError: the mechanism fails on a data set, or its law there depends on more than the data set; or beliefs
            would mix laws that are not exact and finite.
        EngineError: an exact law disagrees with its independent value.
    """
    mechanism, data, kind = built.mechanism, built.data, built.kind
    if mechanism is None or mechanism.function is None or data is None or kind is None:
        raise TypeError("the laws of a claim need a mechanism that runs and its data sets")
    points = tuple(data.domain) if built.pufferfish is None else tuple(kind.listed())
    found = mechanism.function.laws(points, setting, is_ordered=kind.order_matters, workload=workload)
    if not may_be_partial or built.pufferfish is not None:
        refuse_partial(found.laws, mechanism.place)
    if built.pufferfish is None:
        return found
    if found.is_nearby or found.is_released:
        raise InputError(
            f"{mechanism.place}: beliefs mix the laws of data sets, which must be exact and finite; unbounded noise "
            "that is released, and a discrete Gaussian, have none: clamp geometric noise"
        )
    laws = built.pufferfish.provided(found.laws)
    mixed = f"the law of a belief is the mixture of those of {counted(len(points), 'data set')}"
    return ForeignLaws(laws, "; ".join(part for part in (mixed, found.assumed) if part))


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
