"""The input premetric as a Python argument: a name, or a function of two data sets that is computed outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stirred.spec.arguments import InputError, suggestion
from stirred.spec.domain import FiniteDomain
from stirred.spec.input_premetric import Distance, InputPremetric
from stirred.spec.multiverse import Multiverse
from stirred.verify.audit.claim_beliefs import PUFFERFISH
from stirred.verify.audit.claim_domain import DomainKind
from stirred.verify.audit.claim_premetric import METRIC_NAMES, finite_metric
from stirred.verify.audit.claim_table import Block
from stirred.verify.audit.own_premetric import own_distance
from stirred.verify.laws.foreign import Limits
from stirred.verify.laws.local import LocalFunction

__all__ = ["DistanceFunction", "read_distance"]

DistanceFunction = Callable[[Any, Any], Distance]
"""d(x, x') as an exact number, None for ∞."""

_SHORT = {
    "add-remove": "neighbors_add_remove",
    "unbounded": "neighbors_add_remove",
    "replace-one": "neighbors_replace_one",
    "change-one": "neighbors_replace_one",
    "bounded": "neighbors_replace_one",
}
"""What the field calls the two neighbour relations."""

_PYTHON_NAMES = tuple(one for one in METRIC_NAMES if one not in ("explicit", PUFFERFISH))


def read_distance(
    distance: str | DistanceFunction, kind: DomainKind, domain: FiniteDomain, multiverse: Multiverse, limits: Limits
) -> tuple[str, InputPremetric]:
    """The name of the input premetric as a claim file has it, and the premetric.

    "add-remove" (or "unbounded": one record more or fewer) and "replace-one" (or "change-one", "bounded": one record is
    another one, at a fixed number of records) are the neighbour relations, at distance 1 with everything else at ∞: of
    ordered data sets on a domain of those, of unordered ones on a domain of `multisets`. A function is tabulated on the
    pairs of each universe, and stands under the name "explicit".

    Raises:
        InputError: the name is unknown or has no meaning on these data sets, or the function fails on a pair.
    """
    if not isinstance(distance, str):
        is_ordered = kind.is_ordered or kind.variables is None
        return "explicit", _tabulated(distance, (domain, multiverse), limits, is_ordered=is_ordered)
    name = distance.strip().replace("-", "_")
    short = name.replace("_", "-").replace("/", "-")
    if short in _SHORT:
        name = f"{_SHORT[short]}_{'ordered' if kind.is_ordered else 'unordered'}"
    if name == "explicit":
        raise InputError("distance must be a name or a function of two data sets; got 'explicit': give the function")
    if name == PUFFERFISH:
        raise InputError(
            "distance must be of data sets; 'pufferfish' is of beliefs about them: state it in a claim file"
        )
    if name not in _PYTHON_NAMES:
        known = (*_SHORT, *_PYTHON_NAMES)
        raise InputError(
            f"distance must be the name of an input premetric; got {distance!r}; {suggestion(name, known)}"
        )
    return name, finite_metric(Block("distance", {"name": name, "resolution": "record"}), kind, domain)


def _tabulated(
    distance: DistanceFunction, blocks: tuple[FiniteDomain, Multiverse], limits: Limits, *, is_ordered: bool
) -> InputPremetric:
    """The distances of all pairs that share a universe."""
    if not callable(distance):
        raise InputError(f"distance must be a name or a function of two data sets; got {distance!r}")
    function = LocalFunction("distance", distance)
    name, resolution = function.name, "record"
    if isinstance(distance, InputPremetric):
        name, resolution = distance.name, distance.resolution
    return own_distance(function, blocks, resolution, limits, name=name, is_ordered=is_ordered)
