"""TopDown's noisy measurements from a secret key: every node and query group has words of its own.

A node that is measured again, by another process or after an interruption, gets the same noise: so one output never
holds two draws for one query, whose mean would have less noise than the budget says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial

from stirred.mechanisms.fast.inversion import inverted
from stirred.mechanisms.fast.keyed_words import keyed_words
from stirred.mechanisms.topdown.algorithm import answers
from stirred.mechanisms.topdown.design import Counts, Design
from stirred.mechanisms.topdown.siblings import Measurements
from stirred.spec.discrete_gaussian import cumulative_floors, gaussian_scale

__all__ = ["keyed_measurements"]


def keyed_measurements(design: Design, histograms: Mapping[str, Counts], key: bytes) -> Measurements:
    """T(x): the same as `mechanisms.topdown.algorithm.measure` in law, and a function of the key and the data.

    Args:
        design: the queries and budgets.
        histograms: the counts of every node.
        key: 32 secret bytes of one run.
    """
    exact = dict(zip(design.geography.nodes, answers(design, histograms), strict=True))
    return tuple(
        measured
        for level, nodes in enumerate(design.geography.levels)
        for measured in _of_level(design, level, {node: exact[node] for node in nodes}, key)
    )


def _of_level(
    design: Design, level: int, exact: Mapping[str, Sequence[tuple[int, ...]]], key: bytes
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """The noisy answers of each node of a level; the law of each group's noise is computed once."""
    groups = [group for group in design.groups if group.share_at(level)]
    scales = {group.name: gaussian_scale(design.variance(level, group)) for group in groups}
    floors = {name: cache(partial(cumulative_floors, scale)) for name, scale in scales.items()}

    def noisy(node: str, name: str, of_group: tuple[int, ...]) -> tuple[int, ...]:
        words = keyed_words(key, json.dumps([node, name]).encode())
        noise = inverted(floors[name], words(len(of_group)), words).tolist()
        return tuple(answer + draw for answer, draw in zip(of_group, noise, strict=True))

    for node, of_node in exact.items():
        yield tuple(
            noisy(node, group.name, of_group) if of_group else ()  # not asked at this level
            for group, of_group in zip(design.groups, of_node, strict=True)
        )
