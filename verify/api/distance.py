"""The input premetric as a Python argument: a name, or a function of two data sets that is computed outside."""

from collections.abc import Callable
from typing import Any

from stirred.spec.arguments import InputError, suggestion
from stirred.spec.blocks.input_premetric import Distance, InputPremetric
from stirred.spec.blocks.multiverse import Multiverse
from stirred.verify.laws.claim.domain import DomainKind
from stirred.verify.laws.claim.premetrics import METRIC_NAMES, PUFFERFISH, named_metric, own_distance
from stirred.verify.laws.local import LocalFunction

Local = Callable[[str, Callable[..., Any]], LocalFunction]
"""Makes a function that runs outside of one that is an argument."""

PremetricOn = Callable[[DomainKind, Multiverse], InputPremetric]
"""How an input premetric reads on a domain with its universes."""

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


def read_distance(distance: str | DistanceFunction, kind: DomainKind, local: Local) -> tuple[str, PremetricOn]:
    """The name of the input premetric as a claim file has it, and how it reads on a domain with its universes.

    "add-remove" (or "unbounded": one record more or fewer) and "replace-one" (or "change-one", "bounded": one record is
    another one, at a fixed number of records) are the neighbour relations, at distance 1 with everything else at ∞: of
    ordered data sets on a domain of those, of unordered ones on a domain of `multisets`. A function is tabulated on the
    pairs of each universe, and stands under the name "explicit".

    Raises:
        InputError: the name is unknown; where it is read, it has no meaning on the data sets, or the function fails.
    """
    if not isinstance(distance, str):
        return "explicit", _tabulated(distance, local)
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
    return name, lambda kind, _: named_metric("distance.name", name, "record", kind)


def _tabulated(distance: DistanceFunction, local: Local) -> PremetricOn:
    """The distances of all pairs that share a universe."""
    if not callable(distance):
        raise InputError(f"distance must be a name or a function of two data sets; got {distance!r}")
    function = local("distance", distance)
    name, resolution = function.name, "record"
    if isinstance(distance, InputPremetric):
        name, resolution = distance.name, distance.resolution
    return lambda kind, multiverse: own_distance(function, kind, multiverse, resolution, name=name)
