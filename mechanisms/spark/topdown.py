"""TopDown's estimation on Apache Spark: `mechanisms.fast.topdown`, the children of one node to a task.

A level is one job: a row for each parent with its counts, and `Estimation.children` on each, which is what one machine
calls too. What a task returns is a function of the measurements, the invariants and the parent's counts; so partitions,
workers and further attempts change nothing. What estimation may look at goes to the workers as a broadcast: noisy
measurements and invariants, never the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stirred.mechanisms.das.topdown.design import Counts
from stirred.mechanisms.das.topdown.integers import SparseCounts, nonzero
from stirred.mechanisms.fast.topdown import ROOT, Done, Estimation, Group, Keep, Task, from_the_top
from stirred.mechanisms.spark.session import one_line_failures

if TYPE_CHECKING:
    import pandas as pd
    from pyspark import Broadcast
    from pyspark.sql import SparkSession

_COUNTS = "cells array<bigint>, counts array<bigint>"
_ROWS = f"parent string, node string, {_COUNTS}"


def estimate_on_spark(
    session: SparkSession, estimation: Estimation, *, done: Done | None = None, keep: Keep | None = None
) -> dict[str, Counts]:
    """The counts of every node, as `mechanisms.fast.topdown.estimate` finds them.

    Args:
        session: of the cluster.
        estimation: what is estimated from.
        done: what was found before.
        keep: is told what is found, when a level is finished.

    Raises:
        InputError: no data set meets the constraints, or the solver stops early; with level and nodes.
        ClusterError: Spark fails.
    """
    broadcast = session.sparkContext.broadcast(estimation)

    def solve(tasks: Sequence[Task]) -> Iterable[Group]:
        if any(parent is ROOT for parent, _ in tasks):
            return [(ROOT, estimation.children(ROOT, None))]
        return _solved(session, broadcast, tasks, len(estimation.design.cells)) if tasks else ()

    return from_the_top(estimation, solve, done=done, keep=keep)


def _solved(
    session: SparkSession, broadcast: Broadcast[Estimation], tasks: Sequence[Task], size: int
) -> Iterable[Group]:
    """The counts of the children of nodes, by one job."""
    with one_line_failures("the estimation of a level failed"):
        parents = session.createDataFrame(
            [(parent, *_lists(counts or ())) for parent, counts in tasks], f"parent string, {_COUNTS}"
        )
        rows = parents.groupBy("parent").applyInPandas(_children(broadcast), _ROWS).collect()
    found: dict[str | None, dict[str, Counts]] = {parent: {} for parent, _ in tasks}
    for row in rows:
        counts = dict(zip(row["cells"], row["counts"], strict=True))
        found[row["parent"]][row["node"]] = SparseCounts.from_pairs(size, counts)
    return found.items()


def _lists(counts: Counts) -> tuple[list[int], list[int]]:
    """The cells that have not 0, and their counts."""
    cells, numbers = nonzero(counts)
    return cells.tolist(), numbers.tolist()


def _children(estimation: Broadcast[Estimation]) -> Callable[[Any], Any]:
    def children(rows: pd.DataFrame) -> pd.DataFrame:
        import pandas as pd  # noqa: PLC0415

        (parent,), (cells,), (counts,) = rows["parent"], rows["cells"], rows["counts"]
        size = len(estimation.value.design.cells)
        own = SparseCounts(size, np.array(cells, dtype=np.int64), np.array(counts, dtype=np.int64))
        found = estimation.value.children(parent, own)
        lists = [_lists(of) for of in found.values()]
        of_nodes = {"cells": [cells for cells, _ in lists], "counts": [counts for _, counts in lists]}
        return pd.DataFrame({"parent": parent, "node": list(found), **of_nodes})

    return children
