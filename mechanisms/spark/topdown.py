"""TopDown's estimation on Apache Spark: `mechanisms.fast.topdown`, the children of one node to a task.

A job has a row for each of many parents of a level, with its counts, and calls `Estimation.children` on each, as one
machine does. What a task returns is a function of the measurements, the invariants and the parent's counts; so
partitions, workers and further attempts change nothing. What estimation may look at goes to the workers as a broadcast:
invariants and what was published, never the data. Noisy measurements lie in files that each worker reads where it needs
them (`mechanisms.tables.noisy_measurements`), parents in the order of the files; so no process holds all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from stirred.mechanisms.das.topdown.design import Counts
from stirred.mechanisms.das.topdown.integers import SparseCounts, nonzero
from stirred.mechanisms.fast.topdown import ROOT, Done, Estimation, Group, Keep, Task, from_the_top
from stirred.mechanisms.spark.session import one_line_failures
from stirred.spec.arguments import InputError

if TYPE_CHECKING:
    import pandas as pd
    from pyspark import Broadcast
    from pyspark.sql import SparkSession

_COUNTS = "cells array<bigint>, counts array<bigint>"
_ROWS = f"parent string, node string, {_COUNTS}"

_PARENTS = 2**14
"""Of a job: their children are told when it is finished, and come to the driver together."""

_TASKS = 8
"""Of a job, for each core: a few parents each, as some take much longer than others."""


def estimate_on_spark(
    session: SparkSession, estimation: Estimation, *, done: Done | None = None, keep: Keep | None = None
) -> dict[str, Counts]:
    """The counts of every node, as `mechanisms.fast.topdown.estimate` finds them.

    Args:
        estimation: what is estimated from; files of measurements lie where every worker sees them.
        keep: is told what is found, when a job is finished.
    """
    broadcast = session.sparkContext.broadcast(estimation)

    def solve(tasks: Sequence[Task]) -> Iterable[Group]:
        if any(parent is ROOT for parent, _ in tasks):
            return [(ROOT, estimation.children(ROOT, None))]
        parts = (tasks[start : start + _PARENTS] for start in range(0, len(tasks), _PARENTS))
        return chain.from_iterable(_solved(session, broadcast, part, len(estimation.design.cells)) for part in parts)

    return from_the_top(estimation, solve, done=done, keep=keep)


def _solved(
    session: SparkSession, broadcast: Broadcast[Estimation], tasks: Sequence[Task], size: int
) -> Iterable[Group]:
    context = session.sparkContext
    lists = [(parent, *_lists(counts or ())) for parent, counts in tasks]
    with one_line_failures("the estimation of a level failed"):
        rows = context.parallelize(lists, min(len(lists), _TASKS * context.defaultParallelism))
        parents = session.createDataFrame(rows, f"parent string, {_COUNTS}")
        rows = parents.mapInPandas(_children(broadcast), _ROWS).collect()
    found: dict[str | None, dict[str, Counts]] = {parent: {} for parent, _ in tasks}
    for row in rows:
        counts = dict(zip(row["cells"], row["counts"], strict=True))
        found[row["parent"]][row["node"]] = SparseCounts.from_pairs(size, counts)
    return found.items()


def _lists(counts: Counts) -> tuple[list[int], list[int]]:
    """The cells that have not 0, and their counts."""
    cells, numbers = nonzero(counts)
    return cells.tolist(), numbers.tolist()


def _children(estimation: Broadcast[Estimation]) -> Callable[[Iterator[pd.DataFrame]], Iterator[pd.DataFrame]]:
    def children(parts: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd  # noqa: PLC0415

        size = len(estimation.value.design.cells)
        for part in parts:
            for parent, cells, counts in part.itertuples(index=False):
                own = SparseCounts(size, np.array(cells, dtype=np.int64), np.array(counts, dtype=np.int64))
                try:
                    found = estimation.value.children(parent, own)
                except FileNotFoundError:
                    raise InputError(
                        "every worker must see the noisy measurements: --work in a folder of a file system that all "
                        "machines share"
                    ) from None
                lists = [_lists(of) for of in found.values()]
                of_nodes = {"cells": [cells for cells, _ in lists], "counts": [counts for _, counts in lists]}
                yield pd.DataFrame({"parent": parent, "node": list(found), **of_nodes})

    return children
