"""`stirred study scale`: what a run of national size takes, from runs that are measured on this machine."""

import argparse
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from stirred.spec.arguments import InputError, positive_integer
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.options import byte_count
from stirred.verify.evidence.certificates.printable import json_text, one_line
from stirred.verify.evidence.files.atomic import write_whole
from stirred.verify.evidence.files.bounded_file import read_text
from stirred.verify.evidence.reports.lines import HOLDS, progress
from stirred.verify.products.phsafe.example import SETTINGS, example_files
from stirred.verify.products.studies.scale import SYSTEMS, Cluster, Cost, Measured, Need, first_to_break, needs, rounded
from stirred.verify.products.topdown.examples import redistricting

# Small runs of the PSA, PHSafe and TopDown on made data, each measured as a process of its own.

_PROGRAM = "import sys; from stirred.verify.cli.main import main; sys.exit(main())"
_OFTEN = 0.1
"""Seconds between two looks at the disk."""

_RECORDS_OF_A_BLOCK = 100


def _psa(folder: Path, number: int) -> list[str]:
    """Records of five columns, about a hundred to a block; Parquet to Parquet, in parts."""
    import numpy as np  # noqa: PLC0415 slow to load, and Arrow is an optional dependency
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    random = np.random.default_rng(1)
    kinds = {"block": max(number // _RECORDS_OF_A_BLOCK, 1), "size": 8, "tenure": 3, "county": 50}
    columns = {name: random.integers(0, kind, number) for name, kind in kinds.items()}
    pq.write_table(pa.table({"id": np.arange(number), **columns}), folder / "records.parquet")
    roles = ["--match", "block", "size", "--swap", "county", "--hold", "tenure", "--swap-rate", "1/10"]
    return [
        *("swap", str(folder / "records.parquet"), *roles, "--memory", "1GB"),
        *("--microdata", str(folder / "out.parquet"), "--work", str(folder / "work")),
    ]


def _phsafe(folder: Path, number: int) -> list[str]:
    """The made households of the example, again and again with other MAFIDs, as Parquet; the published settings."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.compute as pc  # noqa: PLC0415
    import pyarrow.csv as pcsv  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    texts = example_files()
    (folder / SETTINGS).write_text(texts[SETTINGS], encoding="utf-8")
    data = folder / "data"
    data.mkdir()
    read = {}
    for name in ("geo", "units", "persons"):
        text = texts[f"data/{name}.csv"]
        kinds = {column: pa.string() for column in text.splitlines()[0].split(",") if column != "MAFID"}
        options = pcsv.ConvertOptions(column_types=kinds)
        read[name] = pcsv.read_csv(pa.BufferReader(text.encode()), convert_options=options)
    times = max(number // read["persons"].num_rows, 1)
    homes = read["geo"].num_rows
    for name, table in read.items():
        place = table.schema.get_field_index("MAFID")
        copies = [table.set_column(place, "MAFID", pc.add(table["MAFID"], copy * (homes + 1))) for copy in range(times)]
        pq.write_table(pa.concat_tables(copies).combine_chunks(), data / f"{name}.parquet")
    words = ["--settings", str(folder / SETTINGS), "--data", str(data), "--output", str(folder / "out")]
    return ["run", "phsafe", *words, "--work", str(folder / "work")]


_NODES_OF_A_COUNTY = 1 + 10 * (1 + 5 * (1 + 4))
"""Ten tracts of five block groups of four blocks: only the number of counties grows with a tree."""


def _topdown(folder: Path, number: int) -> list[str]:
    """The published redistricting settings on a made state of about so many nodes, rounded in two stages."""
    counties = max(round((number - 2) / _NODES_OF_A_COUNTY), 1)
    for name, text in redistricting(1, 5, counties=counties, tracts=10).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    settings = [str(folder / name) for name in ("pl94_person_US.ini", "pl94_person_default.ini")]
    return [
        *("run", "topdown", "--settings", *settings, "--schema", str(folder / "schema.toml")),
        *("--data", str(folder / "data"), "--output", str(folder / "out"), "--estimate", "rounded"),
        *("--workers", "1", "--work", str(folder / "work")),
    ]


RUNS: Mapping[str, tuple[Callable[[Path, int], Sequence[str]], tuple[int, int]]] = {
    "psa": (_psa, (1_000_000, 4_000_000)),
    "phsafe": (_phsafe, (100_000, 400_000)),
    "topdown": (_topdown, (1_046, 4_178)),
}
"""By system, what makes the data of a run and gives its command, and the sizes that are measured."""


def measured(system: str, number: int, folder: Path) -> Measured:
    """Make the data of one run in an empty folder, run it, and say what it took."""
    command = RUNS[system][0](folder, number)
    before = _bytes(folder)
    highest = [0]
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_OFTEN):
            highest[0] = max(highest[0], _bytes(folder) - before)

    watching = threading.Thread(target=watch, daemon=True)
    process = subprocess.Popen(  # noqa: S603 this program's own command
        [sys.executable, "-c", _PROGRAM, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    watching.start()
    said = ""
    if process.stderr:
        with process.stderr as errors:
            said = errors.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    ended.set()
    watching.join()
    if process.returncode:
        last = said.strip().splitlines()[-1:] or ["it said nothing"]
        raise InputError(f"{system}: a run of {number} must end well; it said: {last[0].removeprefix('stirred: ')}")
    disk = max(highest[0], _bytes(folder) - before)
    return Measured(_number(system, number, folder), used.ru_utime + used.ru_stime, _resident(used), disk)


def _number(system: str, number: int, folder: Path) -> int:
    """How many records, persons or nodes there truly were."""
    if system == "topdown":
        return (folder / "data" / "geography.csv").read_bytes().count(b"\n") - 1
    if system == "phsafe":
        import pyarrow.parquet as pq  # noqa: PLC0415

        return int(pq.read_metadata(folder / "data" / "persons.parquet").num_rows)
    return number


def _resident(used: Any) -> int:
    """The largest resident memory of a process; the kernel counts in kilobytes, that of macOS in bytes."""
    return int(used.ru_maxrss) * (1 if sys.platform == "darwin" else 1024)


def _bytes(folder: Path) -> int:
    return sum(_sizes(folder))


def _sizes(folder: Path) -> Iterator[int]:
    for place, _, names in os.walk(folder):  # folders that are gone meanwhile are passed over
        for name in names:
            try:
                yield Path(place, name).stat().st_size
            except OSError:
                continue  # it is gone meanwhile


_EPILOG = """\
Two sizes of each system are run here, in a temporary folder, and measured: processor seconds, peak resident memory, \
peak disk. A line through both is extrapolated to 330 million persons (PSA, PHSafe), 140 million housing units (PSA) \
and 8.5 million nodes (TopDown at the published redistricting settings), and compared with a cluster. Nothing here is \
verified. Times are best cases: processor time over all usable cores. TopDown is measured on trees with few children \
per node, and how it grows with them is not measured. The PSA and PHSafe run on one machine here; Spark moves their \
limits.

examples:
  stirred study scale               measure, and compare with the default cluster
  stirred study scale --machines 50 --cores 32 --memory 256GB --save here.json
  stirred study scale --measured here.json --machines 4
      compare with another cluster, without measuring again
  stirred study scale --committed   use the measurements that come along

exit status: 0 the table is printed; 2 a run failed, or usage. Needs the groups tables, phsafe and topdown.
"""

_COMMITTED = "scale_measured.json"
_OF = {"psa-units": "psa"}
"""Systems that have another one's slopes."""

_GB, _MOST = 10**9, 10**18


def add_scale(studies: Any) -> None:
    """Declare the study."""
    parser = declare(
        studies,
        "scale",
        run,
        help="estimate a national run of the PSA, PHSafe and TopDown",
        description="Measure small runs of each system on this machine, and extrapolate to a run of national size.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--machines", type=int, default=10, metavar="N", help="machines of the cluster (default %(default)s)"
    )
    parser.add_argument("--cores", type=int, default=16, metavar="N", help="cores per machine (default %(default)s)")
    parser.add_argument("--memory", default="64GB", metavar="SIZE", help="memory per machine (default %(default)s)")
    parser.add_argument("--disk", default="1TB", metavar="SIZE", help="disk per machine (default %(default)s)")
    parser.add_argument(
        "--hours", type=int, default=24, metavar="N", help="hours that a run may take (default %(default)s)"
    )
    parser.add_argument("--only", choices=tuple(RUNS), metavar="SYSTEM", help=f"only one of {', '.join(RUNS)}")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--measured", metavar="FILE", help="use what --save wrote, instead of measuring")
    source.add_argument("--committed", action="store_true", help="use the measurements that come along")
    parser.add_argument("--save", metavar="FILE", help="write the measurements (JSON)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Measure or read, and print; returns the exit status."""
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
    return _kept(_COMMITTED, files("stirred.verify.products.studies").joinpath(_COMMITTED).read_text(encoding="utf-8"))


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
