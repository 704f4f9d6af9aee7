"""Small runs of the PSA, PHSafe and TopDown on made data, each measured as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.commands.phsafe_example import SETTINGS, example_files
from stirred.verify.commands.topdown_examples import redistricting
from stirred.verify.studies.scale import Measured

__all__ = ["RUNS", "measured"]

_PROGRAM = "import sys; from stirred.verify.cli import main; sys.exit(main())"
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


def _topdown(folder: Path, number: int) -> list[str]:
    """The published redistricting settings on a made tree of about so many nodes, rounded in two stages."""
    groups = max(round((number - 1) / 4 - 2) // 5, 1)
    for name, text in redistricting(2, groups).items():
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
    "topdown": (_topdown, (49, 209)),
}
"""By system, what makes the data of a run and gives its command, and the sizes that are measured."""


def measured(system: str, number: int, folder: Path) -> Measured:
    """Make the data of one run in an empty folder, run it, and say what it took.

    Raises:
        InputError: the run failed, as it does where an optional group is not installed.
    """
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
    for path in folder.rglob("*"):
        try:
            yield path.stat().st_size if path.is_file() else 0
        except OSError:
            continue  # it is gone meanwhile
