"""P-tables as they are published: ONS's form, that of R's ptable and of τ-Argus, and SuperSTAR's."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from pathlib import Path

from stirred.spec.arguments import InputError, check_known, parse_exact
from stirred.spec.laws.p_table import PTable, PTableRow
from stirred.verify.evidence.files.bounded_file import read_text

MAX_BYTES = 50_000_000
"""The largest p-table that is read; ONS's has two million."""

_MOST_KEYS = 10**15
_HEADER = 1_000
_SIGNS = "the first two not negative"
_KEYED = re.compile(r"([0-9]{1,9}), ([0-9]{1,9}), (-?[0-9]{1,9})")
_WHOLE = re.compile(r"-?[0-9]{1,9}")
_ONS = ("pcv", "ckey", "pvalue")
_INTERVALS = ("i", "v", "p_int_ub")
_BESIDE = ("j", "p", "p_int_lb", "type", "")
"""Columns that may stand beside these; R writes the numbers of lines without a name."""

_NUMBERS = ("p_int_lb", "p_int_ub", "p")
_DOUBLE = Fraction(1, 2**52)
"""How far p may be from the length of its interval where both were computed as doubles."""

_Interval = tuple[int, Mapping[str, Fraction], int]
"""The number of a line, its numbers by name, and its change."""

_SUPERSTAR = ".pert"

_ONS_ROWS, _ONS_REUSED = 750, 250
_SMALL_N = 10
"""SuperSTAR's default: how many of the last columns are used for larger counts."""

Lines = Sequence[tuple[int, list[str]]]
"""The lines that are not empty: their numbers and fields."""


def is_p_table(path: str) -> bool:
    """Whether a file is a p-table: by its extension, or by the columns that its first line names."""
    if path.lower().endswith(_SUPERSTAR):
        return True
    try:
        if not Path(path).is_file():  # a pipe is read once
            return False
        with Path(path).open(encoding="utf-8-sig", errors="ignore") as file:
            line = file.readline(_HEADER).replace("\0", "")  # of UTF-16, which the reader refuses
            return _reader(_fields(line)) is not None
    except OSError:
        return False


def read_p_table(path: str | Path) -> PTable:
    """The p-table in a file."""
    return parse_p_table(str(path), read_text(path, MAX_BYTES))


@lru_cache(maxsize=8)
def parse_p_table(path: str, text: str) -> PTable:
    """The p-table in a text; `path` is its file, and its extension tells SuperSTAR's form."""
    lines = [(number, _fields(line)) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise InputError(f"{path}: must be a p-table; the file is empty")
    try:
        return _table(path, lines)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _table(path: str, lines: Lines) -> PTable:
    if path.lower().endswith(_SUPERSTAR):
        return _superstar(path, lines)
    header = [name.lower() for name in lines[0][1]]
    reader = _reader(header)
    if reader is None:
        forms = " or ".join(", ".join(names) for names in (_ONS, _INTERVALS))
        raise InputError(f"line 1 must name the columns of a p-table, {forms}; got {', '.join(header)[:60]}")
    known = (*_ONS, "") if reader is _ons else (*_INTERVALS, *_BESIDE)
    for name in header:
        check_known(f"line 1: unknown column {name!r}", name, known)
        if name and header.count(name) > 1:
            raise InputError(f"line 1: each column must be named once; {name!r} is named twice")
    _check_widths(lines, len(header))
    if len(lines) == 1:
        raise InputError("must have lines below line 1, which names the columns; it has none")
    return reader(path, header, lines[1:])


def _fields(line: str) -> list[str]:
    """The fields of a line, apart by semicolons, else by commas, else by blanks; a decimal comma as a point."""
    separator = ";" if ";" in line else "," if "," in line else None
    found = line.strip().split(separator)
    if '"' in line or " " in line:
        found = [one.strip(' "') for one in found]
    return [one.replace(",", ".") for one in found] if separator == ";" else found


def _reader(header: Sequence[str]) -> Callable[[str, Sequence[str], Lines], PTable] | None:
    names = {name.lower() for name in header}
    return _ons if names >= {*_ONS} else _intervals if names >= {*_INTERVALS} else None


def _check_widths(lines: Lines, columns: int) -> None:
    for number, fields in lines:
        if len(fields) != columns:
            raise InputError(f"line {number} must have {columns} fields; got {len(fields)}")


def _whole(number: int, name: str, text: str, least: int | None = None) -> int:
    if not _WHOLE.fullmatch(text) or (least is not None and int(text) < least):
        above = "" if least is None else f" of at least {least}"
        raise InputError(f"line {number}: {name} must be a whole number{above}; got {text!r}")
    return int(text)


def _ons(path: str, header: Sequence[str], lines: Lines) -> PTable:
    """Rows 1 to 750 by key; rows 501 to 750 are used again for 751 to 1000, and so on; 0 stays, where it has no row.

    Source: ONS, cell_key_perturbation, create_perturbed_table.
    """
    found: dict[int, dict[int, int]] = {}
    places = [header.index(name) for name in _ONS]
    for number, fields in lines:
        texts = ", ".join([fields[place] for place in places])
        if (numbers := _KEYED.fullmatch(texts)) is None:
            raise InputError(f"line {number}: {', '.join(_ONS)} must be whole numbers, {_SIGNS}; got {texts}")
        count, key, change = map(int, numbers.groups())
        row = found.setdefault(count, {})
        if key in row:
            raise InputError(f"line {number}: each pcv and ckey must have one pvalue; {count} and {key} have two")
        row[key] = change
    keys = 1 + max((max(row) for row in found.values()), default=0)
    for count in range(1, _ONS_ROWS + 1):
        if count not in found:
            remedy = f"name the columns {', '.join(_INTERVALS)} for fewer rows, the last for all larger counts"
            raise InputError(f"pcv must run from 1 to {_ONS_ROWS}; {count} is missing: {remedy}")
    if (most := max(found)) > _ONS_ROWS:
        raise InputError(f"pcv must run from 1 to {_ONS_ROWS}; got {most}")
    for count, row in found.items():
        if len(row) != keys:
            missing = next(key for key in range(keys) if key not in row)
            raise InputError(f"pcv {count} must have a pvalue for each ckey from 0 to {keys - 1}; {missing} is missing")
    rows = [PTableRow.of((1, found[n][key]) for key in range(keys)) for n in range(_ONS_ROWS + 1) if n in found]
    unchanged = [] if 0 in found else [PTableRow.of([(keys, 0)])]
    return PTable((*unchanged, *rows), keys, _ONS_REUSED, 1 + _ONS_ROWS, name=Path(path).name)


def _intervals(path: str, header: Sequence[str], lines: Lines) -> PTable:
    """Rows of intervals of [0, 1), the last for all larger counts; 0 stays, where it has no row.

    Source: R package ptable 1.0.0, pt_export.
    """
    found: dict[int, list[_Interval]] = {}
    for number, fields in lines:
        record = dict(zip(header, fields, strict=True))
        if record.get("type", "all") != "all":
            raise InputError(f"line {number}: must be of a table of counts, of type all; got {record['type']!r}")
        numbers = {name: parse_exact(f"line {number}: {name}", record[name]) for name in _NUMBERS if name in record}
        count, change = _whole(number, "i", record["i"], 0), _whole(number, "v", record["v"])
        if "j" in record and _whole(number, "j", record["j"]) != count + change:
            raise InputError(f"line {number}: j must be i + v, {count + change}; got {record['j']}")
        found.setdefault(count, []).append((number, numbers, change))
    for count in range(1, max(found, default=1) + 1):
        if count not in found:
            raise InputError(f"i must run from 0 to the largest, {max(found, default=0)}; {count} is missing")
    printed = [numbers for row in found.values() for _, numbers, _ in row]
    rounded = max(_unit(printed, "p") / 2 + _unit(printed, "p_int_ub"), _DOUBLE)
    widths = {count: list(_widths(count, row, rounded)) for count, row in found.items()}
    keys = lcm(*(width.denominator for row in widths.values() for width, _ in row))
    if keys > _MOST_KEYS:
        raise InputError(f"the ends of intervals must be multiples of one part of at most {_MOST_KEYS}; got {keys}")
    rows = [
        PTableRow.of((int(width * keys), v) for width, v in widths.get(n, [(Fraction(1), 0)]))
        for n in range(max(found) + 1)
    ]
    return PTable(tuple(rows), keys, name=Path(path).name)


def _unit(printed: Sequence[Mapping[str, Fraction]], name: str) -> Fraction:
    """The last decimal place in which these numbers are printed; 0 where they are fractions."""
    parts = lcm(*(numbers[name].denominator for numbers in printed if name in numbers))
    return next((Fraction(1, 10**n) for n in range(parts.bit_length()) if 10**n % parts == 0), Fraction(0))


def _widths(count: int, intervals: Sequence[_Interval], rounded: Fraction) -> Iterator[tuple[Fraction, int]]:
    """The widths of the intervals of a row with its changes; `rounded` is how far p may be from its own."""
    end = Fraction(0)
    for number, numbers, change in sorted(intervals, key=lambda one: one[1]["p_int_ub"]):
        low, high = numbers.get("p_int_lb", end), numbers["p_int_ub"]
        if low != end:
            raise InputError(
                f"line {number}: the intervals of i = {count} must join; one ends at {end}, the next begins at {low}"
            )
        if not end <= high <= 1:
            raise InputError(f"line {number}: p_int_ub must be between 0 and 1; got {high}")
        if abs(numbers.get("p", high - end) - (high - end)) > rounded:
            at = f"line {number}: p must be the length of its interval, p_int_ub - p_int_lb = {high - end}"
            raise InputError(f"{at}; got {numbers['p']}")
        yield high - end, change
        end = high
    if end != 1:
        raise InputError(f"the intervals of i = {count} must end at exactly 1, to be a law; they end at {end}")


def _superstar(path: str, lines: Lines) -> PTable:
    """A line for each key and a column for each count from 1; the last ten columns again for larger counts; 0 stays.

    A count n beyond has the column S + 1 − N + (n mod N), of S columns and N = SmallN, 10 by default.

    Source: SuperSTAR 9.14, Configure Discrete Perturbation.
    """
    columns = len(lines[0][1])
    if columns < _SMALL_N:
        raise InputError(f"must have a column for each count, at least {_SMALL_N} (SmallN); got {columns}")
    _check_widths(lines, columns)
    values = [[_whole(number, "a change", one) for one in fields] for number, fields in lines]
    rows = (PTableRow.of((1, change) for change in column) for column in zip(*values, strict=True))
    return PTable((PTableRow.of([(len(lines), 0)]), *rows), len(lines), _SMALL_N, name=Path(path).name)
