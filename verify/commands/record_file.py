"""Reading records from a CSV file for swapping, and writing the swapped contingency table atomically."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mechanisms.permutation_swapping import SaturatedTable, SwapRecord
from spec.arguments import InputError
from verify.outside.atomic import write_whole
from verify.outside.bounded_file import read_bounded

__all__ = ["SwapVariables", "fields_of", "read_csv_records", "write_table"]

_MAX_BYTES = 1_000_000_000
_MAX_RECORDS = 50_000_000
_MAX_DIGITS = 30


@dataclass(frozen=True)
class SwapVariables:
    """The partition of a file's variables: matching and other holding variables, and swapping variables.

    Attributes:
        matching: V_Match; may be empty, and then there is one stratum.
        holding: V_Hold without V_Match.
        swapping: V_Swap.
    """

    matching: tuple[str, ...]
    holding: tuple[str, ...]
    swapping: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """All variables, in the order of the output."""
        return (*self.matching, *self.holding, *self.swapping)


def read_csv_records(
    path: str, matching: Sequence[str], swapping: Sequence[str], count: str | None = None
) -> tuple[Counter[SwapRecord], SwapVariables]:
    """How often each record (m, h, s) stands in a CSV file; every column without another role is a holding variable.

    Args:
        path: the file, UTF-8.
        matching: the columns of V_Match.
        swapping: the columns of V_Swap.
        count: a column with the number of records that a line stands for; without it a line is one record.

    Raises:
        InputError: the file cannot be read, a column is missing or has two roles, no holding variable is left, a
            line has the wrong number of fields, or a count is no integer ≥ 0.
    """
    content = io.BytesIO(read_bounded(path, _MAX_BYTES))
    try:
        with io.TextIOWrapper(content, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            rows = [(reader.line_num, row) for row in reader]
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: must be CSV in UTF-8: {error}") from None
    if not rows:
        raise InputError(f"{path}: must have a header line; the file is empty")
    header = rows[0][1]
    variables = _roles(path, header, matching, swapping, count)
    places = {name: place for place, name in enumerate(header)}
    records: Counter[SwapRecord] = Counter()
    total = 0
    for number, row in rows[1:]:
        if len(row) != len(header):
            raise InputError(f"{path}: line {number} must have {len(header)} fields; got {len(row)}")
        copies = 1 if count is None else _count(path, number, count, row[places[count]])
        roles = (variables.matching, variables.holding, variables.swapping)
        matched, held, swapped = (tuple(row[places[name]] for name in names) for names in roles)
        total += copies
        if total > _MAX_RECORDS:
            raise InputError(f"{path}: line {number}: must hold at most {_MAX_RECORDS} records in all; here are more")
        if copies:
            records[matched, held, swapped] += copies
    if not records:
        raise InputError(f"{path}: must hold at least one record; got none")
    return records, variables


def _roles(
    path: str, header: Sequence[str], matching: Sequence[str], swapping: Sequence[str], count: str | None
) -> SwapVariables:
    for name in header:
        if not name.isprintable():
            raise InputError(f"{path}: line 1 must hold printable characters only; got the column {name!r}")
    if len(set(header)) != len(header):
        raise InputError(f"{path}: line 1 must name each column once; got {','.join(header)}")
    named = [*matching, *swapping, *([count] if count is not None else [])]
    for name in named:
        if name not in header:
            raise InputError(f"{path}: line 1 must have the column {name!r}; it has {', '.join(header)}")
        if named.count(name) > 1:
            raise InputError(f"the column {name!r} must have one role; it has two")
    if not swapping:
        raise InputError("--swap must name at least one column; got none")
    if "count" in header and count != "count":
        raise InputError(f"{path}: line 1: the column 'count' must be renamed, or be --count: the output has its own")
    used = set(named)
    holding = tuple(name for name in header if name not in used)
    if not holding:
        raise InputError(
            f"{path}: must have a column besides {', '.join(named)}: without one, swapping changes nothing"
        )
    return SwapVariables(tuple(matching), holding, tuple(swapping))


def _count(path: str, line: int, column: str, text: str) -> int:
    if not text.strip().isdecimal() or len(text) > _MAX_DIGITS:
        text = text if len(text) <= _MAX_DIGITS else f"{text[:_MAX_DIGITS]}…"
        raise InputError(f"{path}: line {line}, column {column!r}: must be an integer of at least 0; got {text!r}")
    return int(text)


def write_table(path: str, variables: SwapVariables, table: SaturatedTable) -> None:
    """Write the saturated contingency table as CSV with a `count` column: whole, or not at all.

    Raises:
        InputError: the file cannot be written; what was there before is untouched.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*variables.columns, "count"))
    for (matched, held, swapped), count in table:
        writer.writerow((*fields_of((matched, held, swapped)), count))
    write_whole(path, text.getvalue())


def fields_of(record: SwapRecord) -> tuple[str, ...]:
    """The values of a record, in the order of `SwapVariables.columns`.

    >>> fields_of((("2",), ("own",), ("A",)))
    ('2', 'own', 'A')
    """
    parts = (part if isinstance(part, tuple) else (str(part),) for part in record)
    return tuple(field for part in parts for field in part)
