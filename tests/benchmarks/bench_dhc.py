"""TopDown with the cells of the DHC's persons: the example from end to end, and one root with ever more persons.

    python tests/benchmarks/bench_dhc.py [PERSONS]

prints

    the example `dhc`: both of its runs, as `stirred run topdown --init` prints them
    one root of 1,227,744 cells with 10^3 to PERSONS (10^5) persons, measured as the US is: noise, then the estimate
                                                  target: 5 min and 4 GB

and checks that the counts are not negative, have the total that is kept, and obey the structural zeros.
"""

import resource
import shlex
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import numpy as np

from stirred.mechanisms.das.topdown import Design, Geography, KeptTotal, QueryGroup, invariants
from stirred.mechanisms.das.topdown.integers import SparseCounts
from stirred.mechanisms.das.topdown.strategies import DHC_STRATEGIES
from stirred.mechanisms.fast.nearest_point import rounded_point
from stirred.mechanisms.fast.topdown import ROOT, Estimation
from stirred.mechanisms.fast.topdown_noise import keyed_measurements
from stirred.verify.products.topdown.examples import EXAMPLES, next_commands
from stirred.verify.products.topdown.files import read_schema

STRATEGY = DHC_STRATEGIES["test_strategy_dhcp_20220922_exp_iteration_23_1"]


def written(folder):
    for name, text in EXAMPLES["dhc"]().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def example(folder):
    for command in next_commands("dhc"):
        begun, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        given = shlex.split(command.replace("{}", "us"))
        subprocess.run(
            [sys.executable, "-m", "stirred", *given, "--workers", "1"], cwd=folder, check=True, capture_output=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
        print(
            f"{given[given.index('--output') + 1]}: {time.perf_counter() - begun:.1f} s, {spent:.1f} s of a processor, "
            f"at most {after.ru_maxrss // 1024} MB",
            flush=True,
        )


def root(schema, persons):
    """The counts of a nation of one node; most of its persons are in few of the cells."""
    queries = STRATEGY.rho_squared["US"]
    whole = sum(queries.values())
    groups = tuple(
        QueryGroup(query, "person", schema.marginal(query), (Fraction(share) / whole,))
        for query, share in queries.items()
    )
    kept = [KeptTotal("persons", 0, schema.rows("total")["total"])]
    kept += [KeptTotal(f"units: {kind}", 0, schema.unit_row(kind)) for kind in schema.unit_types]
    design = Design(
        Geography({"US": None}), schema.cell_parts, groups, tuple(kept), schema.edits, (Fraction(1),), {"person": whole}
    )
    random = np.random.default_rng(1)
    kinds = design.open_cells[design.open_cells < schema.records]
    chosen = kinds[(len(kinds) * random.random(persons) ** 3).astype(int)]
    cells, counts = np.unique(chosen, return_counts=True)
    units = np.arange(schema.records, len(design.cells))
    homes = np.append(persons, np.ones(len(units) - 1, dtype=np.int64))  # and one group quarters of each type
    true = SparseCounts(len(design.cells), np.append(cells, units), np.append(counts, homes))
    begun = time.process_time()
    measured = keyed_measurements(design, {"US": true}, bytes(32))
    drawn = time.process_time() - begun
    totals = invariants(design, {"US": true})
    begun = time.process_time()
    found = Estimation(design, measured, totals, (), rounded_point).children(ROOT, None)["US"]
    seconds = time.process_time() - begun
    where, numbers = found.nonzero()
    assert numbers.min() > 0
    assert numbers[where < schema.records].sum() == persons
    assert np.isin(where, design.open_cells).all()
    print(
        f"one root, {len(kinds)} open cells, {persons} persons in {len(cells)} cells: noise {drawn:.1f} s, "
        f"estimate {seconds:.1f} s of a processor, at most "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB",
        flush=True,
    )


if __name__ == "__main__":
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 10**5
    with tempfile.TemporaryDirectory() as name:
        written(Path(name) / "us")
        one = read_schema(str(Path(name) / "us" / "schema.toml")).schema
        for power in range(3, 7):
            if 10**power <= most:
                root(one, 10**power)
        example(Path(name))
