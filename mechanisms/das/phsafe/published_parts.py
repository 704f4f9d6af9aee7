"""The files of a folder in the published schema, and what their first lines say of their columns."""

import csv
from collections.abc import Sequence
from pathlib import Path

from stirred.mechanisms.das.phsafe.statements import COLUMNS
from stirred.spec.arguments import InputError

_LONGEST = 2**20
_KINDS = (".csv", ".parquet")


def published_parts(folder: str) -> dict[str, tuple[Path, ...]]:
    """The files of geo, units and persons in a folder: NAME.csv, NAME.parquet, or the files in a folder NAME."""
    if not Path(folder).is_dir():
        raise InputError(f"{folder}: must be a folder with geo, units and persons; it is not a folder")
    return {name: _parts(Path(folder), name) for name in COLUMNS}


def _parts(folder: Path, name: str) -> tuple[Path, ...]:
    found = [path for path in (*(folder / f"{name}{kind}" for kind in _KINDS), folder / name) if path.exists()]
    if len(found) != 1:
        has = " and ".join(path.name for path in found) or "none of them"
        raise InputError(f"{folder}: must have one of {name}.csv, {name}.parquet and the folder {name}; it has {has}")
    if not found[0].is_dir():
        return (found[0],)
    parts = tuple(sorted(path for path in found[0].iterdir() if path.suffix in _KINDS and path.name[0] not in "._"))
    if len({path.suffix for path in parts}) != 1:
        raise InputError(f"{found[0]}: must have CSV files or Parquet files; it has {'both' if parts else 'none'}")
    return parts


def csv_header(path: Path) -> list[str]:
    """The names in the first line of a CSV file."""
    try:
        with path.open("rb") as file:
            line = file.readline(_LONGEST).decode("utf-8-sig")
        header = next(csv.reader([line], strict=True), None)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error):
        raise InputError(f"{path}: line 1 must be CSV in UTF-8") from None
    if not header:
        raise InputError(f"{path}: must have a header line; it has none")
    return header


def check_columns(path: Path | str, names: Sequence[str], columns: Sequence[str]) -> None:
    """Refuse names of columns that are not those which are read."""
    for column in columns:
        if names.count(column) != 1:
            what = "missing" if column not in names else "there twice"
            raise InputError(f"{path}: the header must have the columns {', '.join(columns)}; {column} is {what}")
