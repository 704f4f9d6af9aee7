"""`stirred study scale`: what a run of national size takes, from runs that are measured on this machine."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from stirred.spec.arguments import InputError, positive_integer
from stirred.verify.certificates.printable import json_text, one_line
from stirred.verify.commands.scale_runs import RUNS, measured
from stirred.verify.commands.sizes import byte_count
from stirred.verify.files.atomic import write_whole
from stirred.verify.files.bounded_file import read_text
from stirred.verify.reports.lines import HOLDS, progress
from stirred.verify.studies.scale import SYSTEMS, Cluster, Cost, Measured, Need, first_to_break, needs, rounded

__all__ = ["add_scale", "committed", "run"]

_EPILOG = """\
Runs of two sizes of each system are measured here, in a temporary folder: processor seconds, the largest resident
memory, the most that lay on disk. A line through both is drawn out to 330 million persons (the PSA, PHSafe), 140
million housing units (the PSA) and 8.5 million nodes (TopDown at the published redistricting settings), and set beside
a cluster. Every number is extrapolated, none is verified. Time is at best: processor time over all cores that can work.
TopDown's line is that of a tree with few children to a node: how it grows with them is not in it. The PSA and PHSafe
run on one machine here; a cluster of Spark's is what moves their limits.

examples:
  stirred study scale                                          measure, and set beside a cluster of the default size
  stirred study scale --machines 50 --cores 32 --memory 256GB --save here.json
  stirred study scale --measured here.json --machines 4        another cluster, without measuring again
  stirred study scale --committed                              what was measured where stirred was made

exit status: 0 the table is printed, 2 a run failed or an option is malformed. Groups: tables, phsafe, topdown.
"""

_COMMITTED = "scale_measured.json"
_OF = {"psa-units": "psa"}
"""Systems that have another one's slopes."""

_GB, _MOST = 10**9, 10**18


def add_scale(studies: Any) -> None:
    """Declare the study."""
    parser = studies.add_parser(
        "scale",
        help="time, memory and disk of a national run of the PSA, PHSafe and TopDown, from slopes measured here",
        description="Measure small runs of each system on this machine, and say what a run of national size takes.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--machines", type=int, default=10, metavar="N", help="of the cluster (default %(default)s)")
    parser.add_argument("--cores", type=int, default=16, metavar="N", help="of each machine (default %(default)s)")
    parser.add_argument("--memory", default="64GB", metavar="SIZE", help="of each machine (default %(default)s)")
    parser.add_argument("--disk", default="1TB", metavar="SIZE", help="of each machine (default %(default)s)")
    parser.add_argument("--hours", type=int, default=24, metavar="N", help="that a run may take (default %(default)s)")
    parser.add_argument("--only", choices=tuple(RUNS), metavar="SYSTEM", help=f"one of {', '.join(RUNS)}")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--measured", metavar="FILE", help="what --save wrote, in place of measuring")
    source.add_argument("--committed", action="store_true", help="what comes along, in place of measuring")
    parser.add_argument("--save", metavar="FILE", help="write what was measured (JSON)")
    parser.add_argument("--json", action="store_true", help="print a JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure or read, and print; returns the exit status.

    Raises:
        InputError: an option is malformed, a run fails, or a file is no measurement.
    """
    cluster = Cluster(
        positive_integer("--machines", arguments.machines),
        positive_integer("--cores", arguments.cores),
        byte_count("--memory", arguments.memory),
        byte_count("--disk", arguments.disk),
        positive_integer("--hours", arguments.hours),
    )
    runs = _runs(arguments)
    if arguments.save:
        stated = {name: [asdict(one) for one in several] for name, several in runs.items()}
        write_whole(arguments.save, json_text({"cores": os.cpu_count(), "runs": stated}) + "\n")
    costs = {name: Cost.of(runs[_OF.get(name, name)]) for name in SYSTEMS if _OF.get(name, name) in runs}
    found = [one for name, cost in costs.items() for one in needs(name, cost, cluster)]
    if arguments.json:
        rows = [{**asdict(one), "share": one.share} for one in found]
        sys.stdout.write(json_text({"cluster": asdict(cluster), "needs": rows}) + "\n")
        return HOLDS
    sys.stdout.write("".join(f"{one_line(line)}\n" for line in _lines(runs, costs, found, cluster)))
    return HOLDS


def _runs(arguments: argparse.Namespace) -> Mapping[str, Sequence[Measured]]:
    """Several runs of each system that is asked about."""
    names = [arguments.only] if arguments.only else list(RUNS)
    if arguments.committed or arguments.measured:
        kept = committed() if arguments.committed else _kept(arguments.measured, read_text(arguments.measured))
        missing = [name for name in names if name not in kept]
        if missing:
            raise InputError(f"{arguments.measured}: must have runs of {missing[0]}; it has none")
        return {name: kept[name] for name in names}
    sizes = [(name, number) for name in names for number in RUNS[name][1]]
    found: dict[str, list[Measured]] = {name: [] for name in names}
    with progress(len(sizes)) as display:
        for name, number in sizes:
            with TemporaryDirectory() as folder:
                found[name].append(measured(name, number, Path(folder)))
            display.advance(f"{name} {number}")
    return found


def committed() -> Mapping[str, Sequence[Measured]]:
    """What was measured where stirred was made, by system; beside those of `RUNS` the other paths of `stirred swap`."""
    return _kept(_COMMITTED, files("stirred.verify.studies").joinpath(_COMMITTED).read_text(encoding="utf-8"))


def _kept(path: str, text: str) -> Mapping[str, Sequence[Measured]]:
    try:
        runs = json.loads(text)["runs"]
        found = {name: [Measured(**one) for one in several] for name, several in runs.items()}
        sound = all(_is_sound(one) for several in found.values() for one in several)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        sound = False
    if not sound:
        raise InputError(f"{path}: must be what stirred study scale --save wrote")
    return found


def _is_sound(one: Measured) -> bool:
    """Whether each number is one that can have been measured."""
    return all(isinstance(each, (int, float)) and 0 <= each < _MOST for each in vars(one).values()) and one.number > 0


def _lines(
    runs: Mapping[str, Sequence[Measured]], costs: Mapping[str, Cost], found: Sequence[Need], cluster: Cluster
) -> Iterator[str]:
    yield "measured: system, number, processor seconds, memory, disk"
    for name, several in runs.items():
        for one in several:
            yield f"  {name} {one.number:,}: {one.seconds:.1f} s, {one.memory / _GB:.2f} GB, {one.disk / _GB:.3f} GB"
    yield "a national run, extrapolated: processor time, memory, disk"
    for name, cost in costs.items():
        system = SYSTEMS[name]
        amounts = [line.at(system.number) for line in (cost.seconds, cost.memory, cost.disk)]
        hours, memory, disk = amounts[0] / 3600, amounts[1] / _GB, amounts[2] / _GB
        yield (
            f"  {system.title}, {system.number:,} {system.unit}: {rounded(hours)} hours, {rounded(memory)} GB, "
            f"{rounded(disk)} GB"
        )
    yield (
        f"beside {cluster.machines} machines of {cluster.cores} cores, {cluster.memory / _GB:g} GB, "
        f"{cluster.disk / _GB:g} GB of disk, {cluster.hours} hours: the part of what there is"
    )
    for name in costs:
        shares = {one.resource: one.share for one in found if one.system == name}
        words = ", ".join(f"{resource} {rounded(100 * share)}%" for resource, share in shares.items())
        yield f"  {SYSTEMS[name].title}: {words}"
    worst = first_to_break(found)
    verb = "breaks" if worst.share > 1 else "would break"
    system = SYSTEMS[worst.system]
    yield f"{verb} first: {system.title}, {worst.resource}; moved by {system.moved[worst.resource]}"
