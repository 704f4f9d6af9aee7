"""Sampling in stages: clusters by one design, then units of each cluster that was drawn by another."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.designs import select
from stirred.mechanisms.surveys.groups import grouped
from stirred.spec.surveys.unit_data import UnitData

__all__ = ["Design", "clusters_as_units", "two_stage_sample"]

Design = Callable[[UnitData, Source], tuple[Any, ...]]
"""A design whose parameters are given, such as `functools.partial(simple_random_sample, size=2)`."""


def clusters_as_units(frame: UnitData, cluster: Callable[[Any], Hashable]) -> dict[Any, UnitData]:
    """The part of the frame in each cluster; its items are a frame whose units are the clusters.

    >>> clusters_as_units((("a", 2), ("b", 1), ("c", 2)), lambda record: record)
    {1: (('b', 1),), 2: (('a', 2), ('c', 2))}
    """
    return {one: select(frame, members) for one, members in grouped("cluster", frame, cluster).items()}


def two_stage_sample(
    frame: UnitData, source: Source, *, cluster: Callable[[Any], Hashable], first: Design, second: Design
) -> tuple[Any, ...]:
    """Clusters drawn by a first design, and in each of them, independently, units by a second one. π_i = π_c·π_{i|c}.

    A stratified sample with any design inside the strata is one whose first design takes every cluster. More stages are
    a two-stage sample as the second design.

    Args:
        frame: the frame.
        source: the source of randomness.
        cluster: the cluster of a record.
        first: the design for the clusters. It sees each as a unit whose record is the cluster's own frame, so that a
            measure of size may be `len`. A cluster that it draws several times is sampled from once.
        second: the design for the units of one cluster.

    Raises:
        InputError: a design refuses its frame, or the clusters have no order.

    Source: dissertation, section 6.2.3 (the two-stage design of the Current Population Survey).

    >>> from functools import partial
    >>> from stirred.mechanisms import exact_law
    >>> from stirred.mechanisms.surveys.designs import pps_sample, simple_random_sample
    >>> frame = (("a", 2), ("b", 1), ("c", 2))
    >>> by_size, one = partial(pps_sample, measure=len, size=1), partial(simple_random_sample, size=1)
    >>> exact_law(two_stage_sample, frame, cluster=lambda record: record, first=by_size, second=one)
    Law({('b',): Fraction(1, 3), ('c',): Fraction(1, 3), ('a',): Fraction(1, 3)})
    """
    frames = clusters_as_units(frame, cluster)
    chosen = dict.fromkeys(first(tuple(frames.items()), source))
    return tuple(sorted(unit for one in chosen for unit in second(frames[one], source)))
