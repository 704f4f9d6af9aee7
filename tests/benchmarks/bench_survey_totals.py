"""`stirred run survey` on records of real size: a whole process, its processor time and its memory.

    python tests/benchmarks/bench_survey_totals.py [RECORDS]

prints one line for Parquet and one for CSV; target for 1,000,000 records: 3 s and 350 MB. Records that are alike are
merged, in exact numbers, and the program that is audited takes one for all of them. Processor time, so that other work
on the machine counts for little; by the clock too.
"""

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
RUN = """
import resource, sys
from stirred.verify.cli.main import main
status = main()
used = resource.getrusage(resource.RUSAGE_SELF)
sys.stderr.write(f"{used.ru_utime + used.ru_stime:.2f} s, {used.ru_maxrss // 1024} MB\\n")
sys.exit(status)
"""


def sample(records):
    """Records with weights, cells, and a tenth of the answers missing."""
    random = np.random.default_rng(1)
    return pa.table(
        {
            "region": np.where(random.random(records) < 0.55, "north", "south"),
            "sex": np.where(random.random(records) < 0.5, "f", "m"),
            "weight": random.uniform(5, 15, records),
            "employed": pa.array((random.random(records) < 0.6).astype(float), mask=random.random(records) < 0.1),
        }
    )


def main():
    """Make the records, run and print."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        place, table = Path(folder), sample(records)
        pq.write_table(table, place / "sample.parquet")
        arrow_csv.write_csv(table, place / "sample.csv")
        command = [sys.executable, "-c", RUN, "run", "survey"]
        example = subprocess.run([*command, "--example"], cwd=ROOT, capture_output=True, text=True, check=True)
        (place / "settings.toml").write_text(example.stdout)
        for name in ("sample.parquet", "sample.csv"):
            words = ["--settings", place / "settings.toml", "--data", place / name, "--output", place / "out.csv"]
            begun = time.monotonic()
            done = subprocess.run([*command, *words], cwd=ROOT, capture_output=True, text=True, check=True)
            spent = time.monotonic() - begun
            print(f"{records:,} records from {name}: {done.stderr.splitlines()[-1]}; {spent:.2f} s by the clock")


if __name__ == "__main__":
    main()
