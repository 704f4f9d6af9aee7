"""From a claim file's two premetric blocks to objects: how data sets are compared, and how laws are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from stirred.spec.arguments import InputError, nonnegative, parse_exact
from stirred.spec.domain import FiniteDomain
from stirred.spec.input_premetric import (
    Distance,
    InputPremetric,
    Neighbors,
    Order,
    deletion_distance,
    explicit,
    hamming_ordered,
    hamming_unordered,
    neighbor_premetric,
    stratified_hamming,
    symmetric_difference,
)
from stirred.spec.multiverse import Multiverse
from stirred.spec.output_premetrics import OUTPUT_PREMETRICS, ApproximateMultiplicative, OutputPremetric, Renyi
from stirred.spec.pufferfish import RESOLUTION
from stirred.verify.claim.beliefs import PUFFERFISH
from stirred.verify.claim.domain import DomainKind, freeze, refuse_tables
from stirred.verify.claim.own_premetric import OwnPremetric, own_distance
from stirred.verify.claim.table import Block
from stirred.verify.laws.foreign import ForeignFunction

__all__ = ["METRIC_NAMES", "finite_metric", "function_metric", "metric_names", "named_metric", "output_premetric"]

_METRICS: Mapping[str, Callable[[str], InputPremetric]] = {
    "hamming_unordered": hamming_unordered,
    "hamming_ordered": hamming_ordered,
    "symmetric_difference": symmetric_difference,
    "deletion_distance": deletion_distance,
}

_NEIGHBORS: Mapping[str, tuple[Neighbors, Order]] = {
    f"neighbors_{neighbors.name.lower()}_{order.name.lower()}": (neighbors, order)
    for neighbors in Neighbors
    for order in Order
}

_NOT_STATED = "record (not stated)"

_PARAMETERS: Mapping[str, type[OutputPremetric]] = {"delta": ApproximateMultiplicative, "order": Renyi}
"""The keys that belong to one output premetric."""

METRIC_NAMES = (*_METRICS, *_NEIGHBORS, "absolute_difference", "explicit", PUFFERFISH)
"""The input premetrics that go by a name."""


def metric_names(block: Block | None) -> tuple[str | None, str | None]:
    """The name and the resolution of the input premetric, each None where it is not stated.

    Raises:
        InputError: the name is unknown, or the block says nothing.
    """
    if block is None:
        return None, None
    if "function" in block:
        if "name" in block or "distances" in block:
            raise block.refuse("function", "must stand instead of name and distances; got both")
        name = block.text("function")
    elif "name" not in block:
        block.text("description")
        name = None
    else:
        name = block.one_of("name", METRIC_NAMES)
    if "distances" in block and name != "explicit":
        raise block.refuse("distances", "belongs to the input premetric 'explicit'")
    unless_stated = RESOLUTION if name == PUFFERFISH else None
    return name, block.text("resolution") if "resolution" in block else unless_stated


def function_metric(
    block: Block, function: ForeignFunction, kind: DomainKind, multiverse: Multiverse
) -> InputPremetric:
    """The input premetric that a function of the user's own is.

    Raises:
        InputError: it is no premetric on the data sets.
    """
    resolution = block.text("resolution") if "resolution" in block else _NOT_STATED
    return own_distance(function, kind, multiverse, resolution, name=function.reference)


def finite_metric(block: Block, kind: DomainKind) -> InputPremetric:
    """The input premetric on a finite domain, after checking that it is defined there."""
    name = block.text("name")
    resolution = block.text("resolution") if "resolution" in block else _NOT_STATED
    if name == "explicit":
        return _explicit(block, kind.listed(), resolution)
    return named_metric(block.where("name"), name, resolution, kind)


def named_metric(place: str, name: str, resolution: str, kind: DomainKind) -> InputPremetric:
    """One of `METRIC_NAMES` that is defined on all data sets of some form.

    Raises:
        InputError: it is not defined on those of the domain.
    """
    domain = kind.listed()
    counts = all(isinstance(point, int) for point in domain)
    if (name == "absolute_difference") != counts:
        needed = "data sets that are integers" if not counts else "data sets that are arrays; these are integers"
        raise InputError(f"{place} {name!r} needs {needed}")
    if name == "absolute_difference":
        return InputPremetric(name, resolution, lambda first, second: abs(first - second))
    if kind.margins is not None:
        if name != "hamming_unordered":
            raise InputError(f"{place} must be 'hamming_unordered' or 'explicit' on tables; got {name!r}")
        return stratified_hamming(resolution)
    if not all(isinstance(point, tuple) for point in domain):
        raise InputError(f"{place} {name!r} needs data sets that are arrays of records")
    needs_order = name in ("hamming_ordered", "deletion_distance") or name.endswith("_ordered")
    if needs_order and not kind.is_ordered:
        raise InputError(f'{place} {name!r} needs a domain with order = "ordered"')
    return _METRICS[name](resolution) if name in _METRICS else neighbor_premetric(*_NEIGHBORS[name], resolution)


def _explicit(block: Block, domain: FiniteDomain, resolution: str) -> InputPremetric:
    distances: dict[tuple[Any, Any], Distance] = {}
    listed: dict[tuple[Any, Any], int] = {}
    for index, row in enumerate(block.array("distances")):
        place = f"{block.where('distances')}[{index}]"
        if not isinstance(row, list) or len(row) != 3:
            raise InputError(f"{place} must be [data set, data set, distance]; got {row!r}")
        first, second = freeze(row[0]), freeze(row[1])
        refuse_tables(place, (first, second))
        for point in (first, second):
            if point not in domain:
                raise InputError(f"{place}: {point!r} is not in the domain")
        number = nonnegative(place, parse_exact(place, row[2]))
        if first == second and number != 0:
            raise InputError(f"{place} must have the distance 0 from a data set to itself; got {row[2]!r}")
        if (first, second) in listed:
            raise InputError(f"{place}: the pair is listed twice; it is also at [{listed[first, second]}]")
        listed[first, second] = index
        distances[first, second] = number
    return explicit(distances, resolution)


def output_premetric(block: Block, own: Callable[[str, str], ForeignFunction]) -> OutputPremetric | None:
    """The output premetric; None where the block is words only.

    Args:
        block: the claim file's.
        own: the user's function at a place with a name.

    Raises:
        InputError: the name is unknown, a parameter is missing, out of range or out of place, or the function is not
            named as "module:function".
    """
    if "function" in block:
        block.only(("description", "function"))
        reference = block.text("function")
        return OwnPremetric(reference, own(block.where("function"), reference))
    if "name" not in block:
        block.only(("description",)).text("description")
        return None
    name = block.one_of("name", tuple(OUTPUT_PREMETRICS))
    kind = OUTPUT_PREMETRICS[name]
    for key, owner in _PARAMETERS.items():
        if key in block and kind is not owner:
            raise block.refuse(key, f"belongs to {owner.name!r}; the name is {name!r}")
    given = {key: block.exact(key) for key, owner in _PARAMETERS.items() if kind is owner}
    measure: OutputPremetric = block.within(next(iter(given), "name"), lambda: kind(**given))
    return measure
