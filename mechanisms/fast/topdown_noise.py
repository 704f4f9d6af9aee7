"""TopDown's noisy measurements from a secret key: every node and query group has words of its own.

A node that is measured again, by another process or after an interruption, gets the same noise: so one output never
holds two draws for one query, whose mean would have less noise than the budget says. So nodes may be measured in any
order by several processes, each some nodes of a level at a time, as arrays.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from multiprocessing import get_context

from stirred.mechanisms.das.topdown.design import Counts, Design, QueryGroup
from stirred.mechanisms.das.topdown.siblings import Measurements
from stirred.mechanisms.fast.inversion import Floors, inverted
from stirred.mechanisms.fast.random_words import keyed_words
from stirred.spec.laws.discrete_gaussian import cumulative_floors, gaussian_scale

_MOST_COUNTS = 2**20
"""Of the nodes that are measured together."""

_AHEAD = 4
"""How many parts each process draws before what was drawn is taken."""

_Task = tuple[int, tuple[str, ...], list[Counts]]
"""A level, some of its nodes, and their counts."""

_Measured = tuple[Sequence[int], ...]
"""The noisy answers of a node, by query group."""


def drawn_measurements(
    design: Design, histograms: Mapping[str, Counts], key: bytes, *, workers: int = 1
) -> Iterator[tuple[str, _Measured]]:
    """T(x): the same as `mechanisms.das.topdown.algorithm.measure` in law, and a function of the key and the data.

    Args:
        key: 32 secret bytes of one run.
        workers: processes that share the nodes; their number changes nothing.

    Yields:
        Every node, level by level, with its noisy answers as arrays of 64-bit integers; empty where a query is not
        asked at a level. A few nodes are drawn ahead.
    """
    tasks = [
        (level, chosen)
        for level, nodes in enumerate(design.geography.levels)
        for chosen in _parts(nodes, max(1, _MOST_COUNTS // len(design.cells)))
    ]
    workers = min(workers, len(tasks) // 2)
    ahead = _AHEAD * max(workers, 1)
    with _workers(_Drawing(design, key), workers) as draw:
        for start in range(0, len(tasks), ahead):
            some = tasks[start : start + ahead]
            found = draw([(level, chosen, [histograms[node] for node in chosen]) for level, chosen in some])
            for (_, chosen), measured in zip(some, found, strict=True):
                yield from zip(chosen, measured, strict=True)


def keyed_measurements(
    design: Design, histograms: Mapping[str, Counts], key: bytes, *, workers: int = 1
) -> Measurements:
    """The same of all nodes at once."""
    return tuple(measured for _, measured in drawn_measurements(design, histograms, key, workers=workers))


def _parts(nodes: tuple[str, ...], most: int) -> Iterator[tuple[str, ...]]:
    return (nodes[start : start + most] for start in range(0, len(nodes), most))


class _Drawing:
    """What a process needs to measure nodes."""

    def __init__(self, design: Design, key: bytes) -> None:
        self.design, self.key = design, key
        self._floors: dict[tuple[int, str], Floors] = {}

    def __reduce__(self) -> tuple[type[_Drawing], tuple[Design, bytes]]:
        return _Drawing, (self.design, self.key)

    def measured(self, task: _Task) -> list[_Measured]:
        """The noisy answers of each node; the law of each group's noise is computed once."""
        level, nodes, counts = task
        found: list[list[Sequence[int]]] = [[] for _ in nodes]
        for group in self.design.groups:
            if not group.share_at(level):
                for measured in found:
                    measured.append(array("q"))
                continue
            floors = self._floors_of(level, group)
            for node, measured, of_node in zip(nodes, found, counts, strict=True):
                exact = group.answers(level, of_node)
                words = keyed_words(self.key, json.dumps([node, group.name]).encode())
                noisy = exact + inverted(floors, words(len(exact)), words)
                measured.append(array("q", noisy.tobytes()))
        return [tuple(measured) for measured in found]

    def _floors_of(self, level: int, group: QueryGroup) -> Floors:
        if (level, group.name) not in self._floors:
            scale = gaussian_scale(self.design.variance(level, group))
            self._floors[level, group.name] = cache(partial(cumulative_floors, scale))
        return self._floors[level, group.name]


@contextmanager
def _workers(drawing: _Drawing, workers: int) -> Iterator[Callable[[Sequence[_Task]], Iterable[list[_Measured]]]]:
    if workers <= 1:
        yield lambda tasks: map(drawing.measured, tasks)
        return
    with get_context("spawn").Pool(workers, _begin, (drawing,)) as pool:
        yield lambda tasks: pool.imap(_work, tasks)


_drawing: list[_Drawing] = []


def _begin(drawing: _Drawing) -> None:
    _drawing.append(drawing)


def _work(task: _Task) -> list[_Measured]:
    return _drawing[0].measured(task)
