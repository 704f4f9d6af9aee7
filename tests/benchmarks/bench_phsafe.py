"""What PHSafe on files costs here: python tests/benchmarks/bench_phsafe.py 100000 1000000 10000000 [--spark].

For each number of persons, in 2/5 as many units, one line: seconds, processor seconds and resident memory of
`stirred run phsafe` with the published settings (tau of the production run, all nine tables and 46 levels, 51 states),
from CSV; the same for its exact tables (--non-private). With --spark the same on local[2] with one seed, and whether
its tables are equal.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from synthetic_households import households, write_tables

from stirred.mechanisms.fast.phsafe_settings import LEVELS, STATES

OPTIONS = {
    "duckdb": ("--seed", "1"),
    "spark": ("--seed", "1", "--engine", "spark", "--master", "local[2]"),
    "exact": ("--non-private",),
}
ROOT = Path(__file__).resolve().parents[2]
TAU = {"PH1_num": 10, "PH2": 10, "PH3": 6, "PH4": 10, "PH6": 6, "PH7": 10}


def write_settings(path):
    budgets = {table: dict.fromkeys(levels, 0.01) for table, levels in LEVELS.items()}
    settings = {"privacy_budget": budgets, "tau": TAU, "state_filter": STATES[:-1], "privacy_defn": "zcdp"}
    path.write_text(json.dumps(settings))


def measured(folder, engine):
    """Seconds, processor seconds, and bytes of one run in a process of its own."""
    words = ["--settings", folder / "settings.json", "--data", folder / "data", "--output", folder / engine]
    command = [sys.executable, "-m", "stirred.verify.cli.main", "run", "phsafe", *map(str, words), *OPTIONS[engine]]
    started = time.monotonic()
    actions = [(os.POSIX_SPAWN_OPEN, one, os.devnull, os.O_WRONLY, 0) for one in (1, 2)]
    child = os.posix_spawn(sys.executable, command, os.environ, file_actions=actions)
    _, status, used = os.wait4(child, 0)
    if status:
        sys.exit(f"{engine} failed")
    return time.monotonic() - started, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def tables(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*/*.csv")}


def main():
    os.chdir(ROOT)
    for number in (int(word) for word in sys.argv[1:] if word.isdecimal()):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "data").mkdir()
            write_tables(households(number * 2 // 5, number), folder / "data")
            write_settings(folder / "settings.json")
            seconds, work, memory = measured(folder, "duckdb")
            line = f"{number:>9} persons: {seconds:6.1f} s, {work:6.1f} processor s, {memory / 1e9:.2f} GB"
            seconds, work, memory = measured(folder, "exact")
            line += f"; exact {seconds:.1f} s, {work:.1f} processor s, {memory / 1e9:.2f} GB"
            if "--spark" in sys.argv:
                others, *_ = measured(folder, "spark")
                line += f"; local[2] {others:.1f} s, equal: {tables(folder / 'duckdb') == tables(folder / 'spark')}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
