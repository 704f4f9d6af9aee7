"""Swapping files against reading and writing them: whole processes, their processor time and their memory.

    python tests/benchmarks/bench_tables.py [FOLDER] [RECORDS]

makes the data in FOLDER (a temporary one by default) and prints one line for each:

    1,000,000 records from Parquet to Parquet                     target: 1.5 s, 400 MB
    the same by fibre noise                                       target: twice the time
    10,000,000 records, 100,000 strata, from CSV to CSV           target: twice what pyarrow needs to read and write it
    RECORDS (10,000,000) from partitioned Parquet, --memory 2GB   target: 3 million records a second

Processor time, so that other work on the machine counts for little; the last one is by the clock too.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parents[2]
SWAP = "import sys; from stirred.verify.cli.main import main; sys.exit(main())"
LIBRARY = """
import sys, pyarrow as pa, pyarrow.csv as csv
names = open(sys.argv[1]).readline().strip().split(",")
options = csv.ConvertOptions(column_types={name: pa.string() for name in names})
csv.write_csv(csv.read_csv(sys.argv[1], convert_options=options), sys.argv[2])
"""


def data(records, seed):
    """Records with 100,000 strata by block, size and age."""
    random = np.random.default_rng(seed)
    tenure, county = np.array(["own", "rent", "free"]), np.array([f"{code:05d}" for code in range(50)])
    return pa.table(
        {
            "id": np.arange(records),
            "block": random.integers(0, 1000, records),
            "size": random.integers(1, 11, records),
            "age": random.integers(0, 10, records),
            "tenure": pa.DictionaryArray.from_arrays(random.integers(0, 3, records), tenure).cast(pa.string()),
            "county": pa.DictionaryArray.from_arrays(random.integers(0, 50, records), county).cast(pa.string()),
        }
    )


def measured(code, *arguments):
    """Processor seconds, seconds by the clock, and megabytes at most, of a process."""
    begun = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(process.returncode)
    return usage.ru_utime + usage.ru_stime, time.monotonic() - begun, usage.ru_maxrss / 1024


def swap(source, *options, method=("--swap-rate", "1/10")):
    match = ["--match", "block", "size", "age", "--swap", "county", "--hold", "tenure", *method]
    return measured(SWAP, "swap", source, *match, *options)


def line(what, found, more=""):
    print(f"{what}: {found[0]:.2f} s processor, {found[1]:.2f} s clock, {found[2]:.0f} MB{more}", flush=True)


def main(folder, records):
    pq.write_table(data(10**6, 1), folder / "m.parquet")
    for option in ("--microdata", "--output"):
        psa = swap(folder / "m.parquet", option, folder / "o.parquet")
        line(f"10^6 Parquet to Parquet, {option}", psa)
        noise = ("--method", "fibre-noise", "--epsilon", "2")
        found = swap(folder / "m.parquet", option, folder / "o.parquet", method=noise)
        line(f"10^6 by fibre noise, {option}", found, f", {found[0] / psa[0]:.2f} times as long")
    arrow_csv.write_csv(data(10**7, 2), folder / "big.csv")
    library = measured(LIBRARY, folder / "big.csv", folder / "copy.csv")
    line("10^7 CSV to CSV, pyarrow alone", library)
    for option in ("--microdata", "--output"):
        found = swap(folder / "big.csv", option, folder / "o.csv")
        line(f"10^7 CSV to CSV, {option}", found, f", {found[0] / library[0]:.1f} times as long")
    blocks = folder / "country"
    for part in range(10):
        (blocks / f"state={part}").mkdir(parents=True, exist_ok=True)
        pq.write_table(data(records // 10, part), blocks / f"state={part}" / "part.parquet")
    for option in ("--output", "--microdata"):
        found = swap(blocks, option, folder / "o.parquet", "--memory", "2GB")
        rate = records / found[0] / 1e6, records / found[1] / 1e6
        line(
            f"{records} streamed, {option}",
            found,
            f"; {rate[0]:.2f} million records a processor second, {rate[1]:.2f} a second",
        )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(temporary)
        main(folder, int(sys.argv[2]) if len(sys.argv) > 2 else 10**7)
