"""The DHC's persons with ever more blocks: both runs, and the check of what the second one releases.

    python tests/benchmarks/bench_dhc_blocks.py [BLOCKS ...]

prints, for 32, 96 and 400 blocks or as many as are named (a multiple of 16), what each command costs: seconds of
processors, the most memory of one process, and the bytes that are released; then the slopes of processor time between
sizes. A run holds the noise of a few nodes at a time; what grows is the problem of a county, whose blocks all stand
under four nodes with a quarter of the tracts each.

Measured on two shared cores at load averages of 9 to 22, both runs together and then the check:

    400 blocks (13,521 persons)      175 and 13 s of processors, at most 0.89 and 1.4 GB
    2,000 blocks (67,601 persons)    1,231 and 60 s, at most 4.7 and 4.9 GB; 5.5 GB released, 4,196,002 constraints met

Before bounds and open cells were found by class, 400 blocks took 282 s and 1.3 GB; 2,000 had spent 1,361 s and held
8.0 GB when the tracts of the four nodes began. The redistricting settings alone on 20,000 blocks of a state (26,022
nodes, 1,053,940 persons): 281 s, at most 0.48 GB, 79 MB released, 340,002 constraints met in a check of 11 s. On Spark,
local[2], 2,000 blocks of such a state have the same release, file by file, and the driver held 0.33 GB.
"""

import itertools
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from math import log
from pathlib import Path

from stirred.verify.products.topdown.dhc_example import dhc_persons
from stirred.verify.products.topdown.examples import EXAMPLES, next_commands

BLOCKS_OF_A_TRACT = 16


def written(folder, blocks):
    texts = {**EXAMPLES["dhc"](), **dhc_persons(tracts=blocks // BLOCKS_OF_A_TRACT)}
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def cost(folder, arguments):
    """Seconds of processors and megabytes of a command, its own processes included."""
    child = subprocess.Popen([sys.executable, "-m", "stirred", *arguments], cwd=folder, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, arguments
    return used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


def measured(folder, blocks):
    written(folder / "us", blocks)
    found = {}
    for command in next_commands("dhc"):
        given = shlex.split(command.replace("{}", "us"))
        output = given[given.index("--output") + 1]
        found[f"run of {output}"] = cost(folder, [*given, "--workers", "2"])
    released = sum(path.stat().st_size for path in (folder / "released").rglob("*") if path.is_file())
    found["check of released"] = cost(folder, ["check", "released", "--memory", "16GB", "--seconds", "36000"])
    for what, (seconds, megabytes) in found.items():
        print(f"{blocks} blocks, {what}: {seconds:.1f} s of processors, at most {megabytes} MB", flush=True)
    print(f"{blocks} blocks: {released / 2**20:.0f} MB released", flush=True)
    return {what: seconds for what, (seconds, _) in found.items()}


if __name__ == "__main__":
    sizes = [int(size) for size in sys.argv[1:]] or [32, 96, 400]
    costs = []
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            costs.append(measured(Path(name), size))
            shutil.rmtree(Path(name) / "us")
    for (less, before), (more, after) in itertools.pairwise(zip(sizes, costs, strict=True)):
        for what in before:
            slope = log(after[what] / before[what]) / log(more / less)
            print(f"{less} to {more} blocks, {what}: slope {slope:.2f}", flush=True)
