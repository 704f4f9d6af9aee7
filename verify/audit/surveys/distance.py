"""How data sets whose records have units are compared: the distances that a survey file names, on sets of pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache

from stirred.spec.input_premetric import Distance, InputPremetric, hamming_unordered, symmetric_difference
from stirred.spec.surveys.unit_data import UnitData, changed_units
from stirred.verify.audit.claim_table import Block

__all__ = ["read_distance"]


@lru_cache(maxsize=2**16)
def _pairs(data: UnitData) -> frozenset[object]:
    return frozenset(data)


def _replaced(first: UnitData, second: UnitData) -> Distance:
    """d_HamS: no pair (unit, record) stands twice in a data set, so that multisets are sets."""
    return len(_pairs(first) - _pairs(second)) if len(first) == len(second) else None


def _added(first: UnitData, second: UnitData) -> Distance:
    """d_SymDiff of sets."""
    return len(_pairs(first) ^ _pairs(second))


_DISTANCES: Mapping[str, Callable[[str], InputPremetric]] = {
    "hamming_unordered": lambda unit: replace(hamming_unordered(unit), distance=_replaced),
    "symmetric_difference": lambda unit: replace(symmetric_difference(unit), distance=_added),
    "changed_units": changed_units,
}


def read_distance(block: Block) -> InputPremetric:
    """The premetric that a protection table names.

    Raises:
        InputError: the name is unknown, or the resolution is missing.
    """
    return _DISTANCES[block.one_of("distance", tuple(_DISTANCES))](block.text("resolution"))
