"""The records of a survey in a file, as the data set of a stage: what `stirred survey` lists, of any size."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from stirred.spec.arguments import InputError, parse_exact, suggestion
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.audit.surveys.survey_audit import ReadSurvey
from stirred.verify.audit.surveys.survey_file import Layout

if TYPE_CHECKING:
    from stirred.mechanisms.tables.reading import TableFile

CLASS_SIZE = "class_size"
"""The column that says how many units of its response class the sample has, where weights are adjusted by it."""

_LATE = (Stage.SAMPLE, Stage.RESPONDING, Stage.PROCESSED)
_NONE: Any = object()


def columns_of(read: ReadSurvey, stage: Stage) -> tuple[str, ...]:
    """The columns that records of a stage have: the variables, then the weight and the size of the response class."""
    layout = read.stages.layouts[stage]
    weight = (layout.weight,) if read.stages.is_weighted and stage in _LATE else ()
    return (*layout.names, *weight, *((CLASS_SIZE,) if read.stages.has_classes and stage is Stage.RESPONDING else ()))


def read_records(file: TableFile, read: ReadSurvey, stage: Stage) -> UnitData:
    """The records as the data set of a stage; units are their numbers, from 1.

    A confidential value is never shown: a message names the record and the column.

    Raises:
        InputError: a column is missing, a value is not one that the file lists, or there is no record.
    """
    from stirred.mechanisms.tables.coded_column import coded_column  # noqa: PLC0415 slow to load, and optional

    names, layout = columns_of(read, stage), read.stages.layouts[stage]
    for name in names:
        if name not in file.schema.names:
            raise InputError(f"{file.path}: has no column {name!r}; {suggestion(name, file.schema.names)}")
    table = file.table(names, names)
    if not table.num_rows:
        raise InputError(f"{file.path}: must have at least one record; got none")
    columns = []
    for name in names:
        coded = coded_column(name, table.column(name))
        needed, value_of = _reader(layout, name, read.file.missing)
        values = [value_of(None if one is None else _text(one)) for one in coded.values.to_pylist()]
        column = [values[code] for code in coded.codes.tolist()]
        if _NONE in values and _NONE in column:
            place = column.index(_NONE)
            has = "nothing" if coded.values[int(coded.codes[place])].as_py() is None else "another value"
            raise InputError(f"{file.path}: record {place + 1}: {name!r} must be {needed}; it has {has}")
        columns.append(column)
    return tuple(enumerate(zip(*columns, strict=True), 1))


def _text(value: Any) -> str:
    """A value as CSV has it; whole doubles without a point."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text.removesuffix(".0") if not isinstance(value, str) else text


def _reader(layout: Layout, name: str, missing: str | None) -> tuple[str, Callable[[str | None], Any]]:
    """What a column must hold, and the value that a text in it stands for; `_NONE` where it stands for none."""
    if name not in layout.values:
        return ("a number that is not negative", _weight) if name != CLASS_SIZE else ("a positive integer", _size)
    listed = layout.values[name]
    known = {str(value): value for value in listed if value is not None}
    if len(known) < sum(value is not None for value in listed):
        raise InputError(f"the values of {name!r} must differ in a file of records, where 1 and '1' are one")
    absent = None if None in listed else _NONE
    if name not in layout.numbers:
        shown = f"one of {[value for value in listed if value is not None]}"
        words = f"{shown}, or nothing" if absent is None else shown
        return words, lambda text: absent if text is None or text == missing else known.get(text, _NONE)
    numbers = [value for value in listed if value is not None]
    low, high = min(numbers), max(numbers)

    def number(text: str | None) -> Any:
        if text is None or text == missing:
            return absent
        found = _exact(text)
        return found if found is _NONE else min(max(found, low), high)

    return "a number, or nothing" if absent is None else "a number", number


def _exact(text: str) -> Any:
    try:
        found = parse_exact("a value", text.replace("e+", "e"))
    except InputError:
        return _NONE
    return found.numerator if found.denominator == 1 else found


def _weight(text: str | None) -> Any:
    found = _NONE if text is None else _exact(text)
    if found is _NONE or found < 0:
        return _NONE
    return found if isinstance(found, Fraction) else Fraction(found)


def _size(text: str | None) -> Any:
    found = _NONE if text is None else _exact(text)
    return found if isinstance(found, int) and found > 0 else _NONE
