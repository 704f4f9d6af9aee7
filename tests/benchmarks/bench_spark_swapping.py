"""What swapping on Spark costs here: python tests/benchmarks/bench_spark_swapping.py 100000 1000000 10000000.

For each number of records one line: seconds, processor seconds of all processes, bytes shuffled, the largest sums of
resident memory of the Java process and of the Python workers. Records have an id, two matching columns (a stratum for
each 1000 records), two held and one swapped; Parquet to Parquet, microdata and table, invariants checked.
"""

import os
import shutil
import sys
import tempfile
import threading
import time
from fractions import Fraction
from pathlib import Path

import pyspark.sql.functions as F  # noqa: N812

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from stirred.mechanisms.fast.random_words import run_key
from stirred.mechanisms.spark.record_files import read_records
from stirred.mechanisms.spark.release import release, survey
from stirred.mechanisms.spark.session import end_session, spark_session
from stirred.mechanisms.tables.roles import assign_roles

TICKS = os.sysconf("SC_CLK_TCK")


def made(session, number, path):
    word = F.xxhash64("id")
    columns = {
        "state": (F.col("id") % 50).cast("int"),
        "size": (F.col("id") % (number // 1000 or 1)).cast("int"),
        "age": F.pmod(word, F.lit(90)).cast("int"),
        "tenure": F.pmod(F.shiftright(word, 8), F.lit(2)).cast("int"),
        "county": F.concat(F.lit("county "), F.pmod(F.shiftright(word, 16), F.lit(60)).cast("string")),
    }
    session.range(number).select("id", *(made.alias(name) for name, made in columns.items())).write.parquet(path)


def processes():
    """By process: its parent, the seconds that it and its ended children used, its resident bytes, its name."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                name, fields = (entry / "stat").read_text().rsplit(")", 1)
            except OSError:
                continue
            parts = fields.split()
            used, pages = sum(map(int, parts[11:15])) / TICKS, int(parts[21])
            found[int(entry.name)] = (int(parts[1]), used, pages * os.sysconf("SC_PAGE_SIZE"), name.split("(")[1])
    return found


def ours():
    found = processes()
    family = {os.getpid()}
    while more := {one for one, facts in found.items() if facts[0] in family} - family:
        family |= more
    return [found[one] for one in family if one in found]


class Memory(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.java = self.python = 0

    def run(self):
        while True:
            facts = ours()
            self.java = max(self.java, sum(one[2] for one in facts if one[3] == "java"))
            self.python = max(self.python, sum(one[2] for one in facts if one[3].startswith("python")))
            time.sleep(0.5)


def shuffled(session):
    """Bytes that all stages so far have written for the shuffle."""
    gateway, context = session.sparkContext._gateway, session.sparkContext
    nothing = gateway.jvm.java.util.ArrayList()
    store = context._jsc.sc().statusStore()
    stages = store.stageList(nothing, False, False, gateway.new_array(gateway.jvm.double, 0), nothing)
    return sum(stages.apply(place).shuffleWriteBytes() for place in range(stages.size()))


def main(numbers):
    folder = Path(tempfile.mkdtemp())
    session = spark_session("local[2]", {"spark.driver.memory": "2g", "spark.sql.shuffle.partitions": "16"})
    watch = Memory()
    watch.start()
    print("records      s   cpu s  shuffled MB  java MB  python MB", flush=True)
    for number in numbers:
        source = str(folder / f"{number}.parquet")
        made(session, number, source)
        watch.java = watch.python = 0
        start, used, bytes_before = time.monotonic(), sum(one[1] for one in ours()), shuffled(session)
        records = read_records(session, source)
        columns = assign_roles(
            source, records.columns, matching=["state", "size"], swapping=["county"], identifier="id"
        )
        survey(records, columns).check(columns, buckets=16)
        targets = {name: str(folder / f"{name} of {number}.parquet") for name in ("microdata", "table")}
        how = {"source": source, "swap_rate": Fraction(1, 10), "key": run_key(1), "buckets": 16}
        release(records, columns, **how, **targets)
        seconds, cpu = time.monotonic() - start, sum(one[1] for one in ours()) - used
        sent = (shuffled(session) - bytes_before) / 1e6
        memory = f"{watch.java / 1e6:8.0f} {watch.python / 1e6:10.0f}"
        print(f"{number:9d} {seconds:6.1f} {cpu:7.1f} {sent:12.1f} {memory}", flush=True)
    end_session(session)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main(list(map(int, sys.argv[1:])))
