"""TopDown with the cells of the DHC's persons: one root with ever more persons, and both runs with ever more blocks.

    python tests/benchmarks/bench_dhc.py root [PERSONS]       one root of 1,227,744 cells with 10^3 to PERSONS (10^5)
                                                              persons, measured as the US is; target: 5 min and 4 GB
    python tests/benchmarks/bench_dhc.py blocks [BLOCKS …]    both runs of the example and the check of the release,
                                                              for 32, 96 and 400 blocks or other multiples of 16, and
                                                              the slopes of processor time between sizes

checks that the counts are not negative, have the total that is kept, and obey the structural zeros. A run holds the
noise of a few nodes at a time; what grows is the problem of a county, whose blocks all stand under four nodes with a
quarter of the tracts each. On two shared cores, both runs together and then the check:

    400 blocks (13,521 persons)      175 and 13 s of processors, at most 0.89 and 1.4 GB
    2,000 blocks (67,601 persons)    1,231 and 60 s, at most 4.7 and 4.9 GB; 5.5 GB released, 4,196,002 constraints met
"""

import itertools
import resource
import shlex
import sys
import tempfile
import time
from fractions import Fraction
from math import log
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.measuring import cost

from stirred.mechanisms.das.topdown import Design, Geography, KeptTotal, QueryGroup, invariants
from stirred.mechanisms.das.topdown.integers import SparseCounts
from stirred.mechanisms.das.topdown.strategies import DHC_STRATEGIES
from stirred.mechanisms.fast.nearest_point import rounded_point
from stirred.mechanisms.fast.topdown import ROOT, Estimation
from stirred.mechanisms.fast.topdown_noise import keyed_measurements
from stirred.verify.products.topdown.dhc_example import dhc_persons
from stirred.verify.products.topdown.examples import EXAMPLES, next_commands
from stirred.verify.products.topdown.files import read_schema

STRATEGY = DHC_STRATEGIES["test_strategy_dhcp_20220922_exp_iteration_23_1"]
BLOCKS_OF_A_TRACT = 16
CHECK = "check released --memory 16GB --seconds 36000"


def written(folder, texts):
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


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
    drawn = time.process_time()
    found = Estimation(design, measured, invariants(design, {"US": true}), (), rounded_point).children(ROOT, None)["US"]
    estimated = time.process_time()
    where, numbers = found.nonzero()
    assert numbers.min() > 0
    assert numbers[where < schema.records].sum() == persons
    assert np.isin(where, design.open_cells).all()
    print(
        f"one root, {len(kinds)} open cells, {persons} persons in {len(cells)} cells: noise {drawn - begun:.1f} s, "
        f"estimate {estimated - drawn:.1f} s of a processor, at most "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB",
        flush=True,
    )


def roots(folder, most):
    written(folder, EXAMPLES["dhc"]())
    schema = read_schema(str(folder / "schema.toml")).schema
    for persons in (10**power for power in range(3, 7) if 10**power <= most):
        root(schema, persons)


def runs(blocks):
    """The processor time of each command for so many blocks."""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written(folder / "us", {**EXAMPLES["dhc"](), **dhc_persons(tracts=blocks // BLOCKS_OF_A_TRACT)})
        first, second = (f"{command.replace('{}', 'us')} --workers 2" for command in next_commands("dhc"))
        for what, command in {"first run": first, "second run": second, "check": CHECK}.items():
            found[what] = spent = cost("-m", "stirred", *shlex.split(command), cwd=folder)
            print(f"{blocks} blocks, {what}: {spent}", flush=True)
        released = sum(path.stat().st_size for path in (folder / "released").rglob("*") if path.is_file())
        print(f"{blocks} blocks: {released / 2**20:.0f} MB released", flush=True)
    return {what: spent.processor for what, spent in found.items()}


def slopes(sizes):
    costs = [(blocks, runs(blocks)) for blocks in sizes]
    for (less, before), (more, after) in itertools.pairwise(costs):
        for what in before:
            slope = log(after[what] / before[what]) / log(more / less)
            print(f"{less} to {more} blocks, {what}: slope {slope:.2f}", flush=True)


if __name__ == "__main__":
    what, *numbers = sys.argv[1:]
    if what == "root":
        with tempfile.TemporaryDirectory() as temporary:
            roots(Path(temporary), int(numbers[0]) if numbers else 10**5)
    else:
        slopes(list(map(int, numbers)) or [32, 96, 400])
