"""`stirred swap --plan ROWS`: what so many records take on each path, from slopes that come along."""

from collections.abc import Iterator

from stirred.spec.arguments import InputError
from stirred.verify.commands.study_scale import committed
from stirred.verify.studies.scale import Cost, rounded

_PATHS = {
    "swap-parquet-memory": "in memory, Parquet",
    "swap-parquet-parts": "in parts, Parquet",
    "swap-csv-memory": "in memory, CSV",
    "swap-csv-parts": "in parts, CSV",
}
_SPARK = "swap-spark"
_GB = 10**9


def plan_lines(rows: int) -> Iterator[str]:
    """One line for each path, and from which size a cluster can pay.

    Raises:
        InputError: there is no record.

    Source: tests/benchmarks/bench_swap_paths.py and bench_spark_swapping.py, which measured the slopes.
    """
    if rows < 1:
        raise InputError(f"--plan must be a number of records of at least 1; got {rows}")
    runs = committed()
    sizes = ", ".join(f"{one.number:,}" for one in runs["swap-parquet-parts"])
    yield f"{rows:,} records, extrapolated from runs of {sizes} (six columns, 100,000 strata, microdata)"
    for name, title in _PATHS.items():
        cost = Cost.of(runs[name])
        memory = f"{rounded(cost.memory.at(rows) / _GB)} GB of memory"
        if name.endswith("parts"):
            memory = "memory at most --memory, by default 1 GB or what the largest bucket needs"
        yield f"  {title}: {rounded(cost.seconds.at(rows))} s of a processor, {memory}"
    spark, parts = Cost.of(runs[_SPARK]), Cost.of(runs["swap-parquet-parts"])
    begun = min(one.seconds for one in runs[_SPARK])
    yield (
        f"  on Spark: at least {rounded(begun)} s of processors, {rounded(spark.disk.at(rows) / _GB)} GB shuffled, "
        f"{rounded(max(one.memory for one in runs[_SPARK]) / _GB)} GB of memory where it was measured"
    )
    least = round(max(begun - parts.seconds.fixed, 0) / parts.seconds.each)
    yield (
        f"below {rounded(least)} records one core here is done, in parts, before Spark has spent what it takes to "
        "begin: a cluster pays above that, or where the records lie on it"
    )
