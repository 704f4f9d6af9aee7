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
from stirred.spec.output_premetrics import OUTPUT_PREMETRICS, ApproximateMultiplicative, OutputPremetric
from stirred.spec.pufferfish import RESOLUTION
from stirred.verify.audit.claim_beliefs import PUFFERFISH
from stirred.verify.audit.claim_domain import DomainKind, freeze, refuse_tables
from stirred.verify.audit.claim_table import Block

__all__ = ["METRIC_NAMES", "finite_metric", "metric_names", "output_premetric"]

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

METRIC_NAMES = (*_METRICS, *_NEIGHBORS, "absolute_difference", "explicit", PUFFERFISH)
"""The input premetrics that go by a name."""


def metric_names(block: Block | None) -> tuple[str | None, str | None]:
    """The name and the resolution of the input premetric, each None where it is not stated.

    Raises:
        InputError: the name is unknown, or the block says nothing.
    """
    if block is None:
        return None, None
    if "name" not in block:
        block.text("description")
    name = block.one_of("name", METRIC_NAMES) if "name" in block else None
    if "distances" in block and name != "explicit":
        raise block.refuse("distances", "belongs to the input premetric 'explicit'")
    unless_stated = RESOLUTION if name == PUFFERFISH else None
    return name, block.text("resolution") if "resolution" in block else unless_stated


def finite_metric(block: Block, kind: DomainKind, domain: FiniteDomain) -> InputPremetric:
    """The input premetric on a finite domain, after checking that it is defined there."""
    name = block.text("name")
    resolution = block.text("resolution") if "resolution" in block else "record (not stated)"
    if name == "explicit":
        return _explicit(block, domain, resolution)
    counts = all(isinstance(point, int) for point in domain)
    if (name == "absolute_difference") != counts:
        needed = "data sets that are integers" if not counts else "data sets that are arrays; these are integers"
        raise block.refuse("name", f"{name!r} needs {needed}")
    if name == "absolute_difference":
        return InputPremetric(name, resolution, lambda first, second: abs(first - second))
    if kind.margins is not None:
        if name != "hamming_unordered":
            raise block.refuse("name", f"must be 'hamming_unordered' or 'explicit' on tables; got {name!r}")
        return stratified_hamming(resolution)
    if not all(isinstance(point, tuple) for point in domain):
        raise block.refuse("name", f"{name!r} needs data sets that are arrays of records")
    needs_order = name in ("hamming_ordered", "deletion_distance") or name.endswith("_ordered")
    if needs_order and not kind.is_ordered:
        raise block.refuse("name", f'{name!r} needs a domain with order = "ordered"')
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


def output_premetric(block: Block) -> OutputPremetric | None:
    """The output premetric; None where the block is words only.

    Raises:
        InputError: the name is unknown, δ is missing, out of range or out of place.
    """
    if "name" not in block:
        block.only(("description",)).text("description")
        return None
    name = block.one_of("name", tuple(OUTPUT_PREMETRICS))
    if name != "approximate_multiplicative":
        if "delta" in block:
            raise block.refuse("delta", f"belongs to 'approximate_multiplicative'; the name is {name!r}")
        return OUTPUT_PREMETRICS[name]()
    delta = block.exact("delta")
    measure: OutputPremetric = block.within("delta", lambda: ApproximateMultiplicative(delta))
    return measure
