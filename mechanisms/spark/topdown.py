"""TopDown's estimation on Apache Spark: `mechanisms.fast.topdown`, the children of one node to a task.

A level is one job: a row for each parent with its counts, and `Estimation.children` on each, which is what one machine
calls too. What a task returns is a function of the measurements, the invariants and the parent's counts; so partitions,
workers and further attempts change nothing. What estimation may look at goes to the workers as a broadcast: noisy
measurements and invariants, never the data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mechanisms.fast.topdown import ROOT, Estimation
from mechanisms.spark.session import one_line_failures
from mechanisms.topdown.design import Counts

if TYPE_CHECKING:
    import pandas as pd
    from pyspark import Broadcast
    from pyspark.sql import SparkSession

__all__ = ["estimate_on_spark"]

_ROWS = "parent string, node string, counts array<bigint>"


def estimate_on_spark(session: SparkSession, estimation: Estimation) -> dict[str, Counts]:
    """The counts of every node, as `mechanisms.fast.topdown.estimate` finds them.

    Raises:
        InputError: no data set meets the constraints, or the solver stops early; with level and nodes.
        ClusterError: Spark fails.
    """
    geography = estimation.design.geography
    counts = estimation.children(ROOT, None)
    broadcast = session.sparkContext.broadcast(estimation)
    for level in geography.levels[:-1]:
        with one_line_failures("the estimation of a level failed"):
            rows = [(node, list(counts[node])) for node in level]
            parents = session.createDataFrame(rows, "parent string, counts array<bigint>")
            found = parents.groupBy("parent").applyInPandas(_children(broadcast), _ROWS).collect()
        counts |= {row["node"]: tuple(map(int, row["counts"])) for row in found}
    return counts


def _children(estimation: Broadcast[Estimation]) -> Callable[[Any], Any]:
    def children(rows: pd.DataFrame) -> pd.DataFrame:
        import pandas as pd  # noqa: PLC0415

        (parent,), (counts,) = rows["parent"], rows["counts"]
        found = estimation.value.children(parent, tuple(map(int, counts)))
        return pd.DataFrame({"parent": parent, "node": list(found), "counts": [list(of) for of in found.values()]})

    return children
