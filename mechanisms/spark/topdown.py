"""TopDown's estimation on Apache Spark: `mechanisms.fast.topdown`, the children of one node to a task.

A level is one job: a row for each parent with its counts, and `Estimation.children` on each, which is what one machine
calls too. What a task returns is a function of the measurements, the invariants and the parent's counts; so partitions,
workers and further attempts change nothing. What estimation may look at goes to the workers as a broadcast: noisy
measurements and invariants, never the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from stirred.mechanisms.fast.topdown import ROOT, Done, Estimation, Group, Keep, Task, from_the_top
from stirred.mechanisms.spark.session import one_line_failures
from stirred.mechanisms.topdown.design import Counts

if TYPE_CHECKING:
    import pandas as pd
    from pyspark import Broadcast
    from pyspark.sql import SparkSession

__all__ = ["estimate_on_spark"]

_ROWS = "parent string, node string, counts array<bigint>"


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
        return _solved(session, broadcast, tasks) if tasks else ()

    return from_the_top(estimation, solve, done=done, keep=keep)


def _solved(session: SparkSession, broadcast: Broadcast[Estimation], tasks: Sequence[Task]) -> Iterable[Group]:
    """The counts of the children of nodes, by one job."""
    with one_line_failures("the estimation of a level failed"):
        parents = session.createDataFrame(
            [(parent, list(counts or ())) for parent, counts in tasks], "parent string, counts array<bigint>"
        )
        rows = parents.groupBy("parent").applyInPandas(_children(broadcast), _ROWS).collect()
    found: dict[str | None, dict[str, Counts]] = {parent: {} for parent, _ in tasks}
    for row in rows:
        found[row["parent"]][row["node"]] = tuple(map(int, row["counts"]))
    return found.items()


def _children(estimation: Broadcast[Estimation]) -> Callable[[Any], Any]:
    def children(rows: pd.DataFrame) -> pd.DataFrame:
        import pandas as pd  # noqa: PLC0415

        (parent,), (counts,) = rows["parent"], rows["counts"]
        found = estimation.value.children(parent, tuple(map(int, counts)))
        return pd.DataFrame({"parent": parent, "node": list(found), "counts": [list(of) for of in found.values()]})

    return children
