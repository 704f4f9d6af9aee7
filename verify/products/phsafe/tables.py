"""The released tables of a PHSafe run as files, each with its manifest, and all of them under their name at once.

And `--non-private`: the exact tables of the published program's command of that name, for tests.
"""

import json
import shutil
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from stirred.mechanisms.das.phsafe.noisy_tables import (
    CubeRow,
    PublishedCount,
    measured,
    noisy,
    published_text,
    with_derived,
)
from stirred.mechanisms.das.phsafe.non_private import NON_PRIVATE_TABLES, NonPrivateCounts, exact_text
from stirred.mechanisms.das.phsafe.run_settings import RunSettings
from stirred.spec.arguments import InputError
from stirred.verify.evidence.files.atomic import write_whole
from stirred.verify.products.phsafe.settings import decimal, read_states


@dataclass(frozen=True)
class Randomness:
    """Where a run's noise comes from."""

    key: bytes
    stated: str


def make_table(
    folder: Path, table: str, settings: RunSettings, cube: Sequence[CubeRow], randomness: Randomness
) -> None:
    """Draw one run's noise; write what is derived of it and then itself, each whole."""
    released = with_derived(table, noisy(measured(table, cube, settings), settings, randomness.key))
    for name in reversed(released):
        new = folder / f".{name}.new"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        text = published_text(name, released[name], settings.noise)
        write_whole(str(new / f"{name}.csv"), text)
        manifest = _manifest(name, table, settings, released[name], text.encode())
        write_whole(
            str(new / "_manifest.json"), json.dumps({**manifest, "randomness": randomness.stated}, indent=2) + "\n"
        )
        shutil.rmtree(folder / name, ignore_errors=True)  # derived of a run that was interrupted
        new.replace(folder / name)


def _manifest(
    name: str, table: str, settings: RunSettings, counts: list[PublishedCount], content: bytes
) -> Mapping[str, object]:
    """What a table is and how it came about; nothing of the records but their released counts."""
    levels = {level: budget for level, budget in settings.budgets[table].items() if budget != 0}
    return {
        "file": {
            "name": f"{name}.csv",
            "bytes": len(content),
            "crc32": f"{zlib.crc32(content):08x}",
            "rows": len(counts),
        },
        "program": f"stirred {version('stirred')}",
        "mechanism": "PHSafe",
        "run": table,
        "noise": settings.noise.value,
        "stability": settings.delta(table),
        "threshold": settings.thresholds.get(table),
        "levels": {
            level: {
                "budget": "Infinity" if budget is None else decimal(budget),
                "scale": decimal(settings.scale(table, level)),
            }
            for level, budget in levels.items()
        },
        "states": settings.states,
        "places of a unit": "each in the states" if settings.each_place else "one alone",
        "order": "SHA-256 of the record",
        "filters": "DAS_2020_SDHC_Production_Code",
    }


def appear(tables: Path, out: Path) -> None:
    """Give the finished tables their name, all at once."""
    copy: Path | None = None
    try:
        if tables.stat().st_dev != out.resolve().parent.stat().st_dev:
            copy = Path(mkdtemp(prefix=f".{out.name}.", dir=out.resolve().parent))
            tables = Path(shutil.copytree(tables, copy, dirs_exist_ok=True))
        tables.replace(out)
    except OSError as error:
        if copy is not None:
            shutil.rmtree(copy, ignore_errors=True)
        raise InputError(f"{out}: cannot be written: {error.strerror}") from None


def run_non_private(
    settings: str, output: Path, counted: Callable[[NonPrivateCounts, Path], Callable[[str], list[CubeRow]]]
) -> None:
    """Count and write every table, whole or not at all.

    `counted` opens the files, with a folder for what does not fit into memory, and counts the rows of a table.
    """
    counting = NonPrivateCounts(read_states(settings))
    with TemporaryDirectory(prefix=f".{output.name}.", dir=output.absolute().parent) as name:
        folder = Path(name)
        tables = folder / "tables"
        count = counted(counting, folder)
        for table in NON_PRIVATE_TABLES:
            (tables / table).mkdir(parents=True)
            write_whole(str(tables / table / f"{table}.csv"), exact_text(table, count(table)))
        appear(tables, output)
