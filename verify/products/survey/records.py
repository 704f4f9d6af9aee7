"""The records of a survey in a file, by column, as those of a stage: what `stirred survey` lists, of any size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from stirred.spec.arguments import InputError, parse_exact, suggestion
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.laws.surveys.survey_audit import ReadSurvey
from stirred.verify.laws.surveys.survey_file import Layout

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from stirred.mechanisms.tables.reading import TableFile


@dataclass(frozen=True)
class Coded:
    """A column by its distinct values.

    Attributes:
        codes: for each record the place of its value.
        values: each once; None where an answer is missing.
    """

    codes: NDArray[np.int32]
    values: tuple[Any, ...]

    def __iter__(self) -> Iterator[Any]:
        return map(self.values.__getitem__, self.codes.tolist())


@dataclass(frozen=True)
class WeightColumn:
    """Weights, each a whole number times a scale.

    Attributes:
        numbers: for each record the whole number, of any size.
    """

    numbers: NDArray[np.object_]
    scales: Coded

    def __iter__(self) -> Iterator[Fraction]:
        known: dict[tuple[int, int], Fraction] = {}  # records of one weight share it
        for number, code in zip(self.numbers.tolist(), self.scales.codes.tolist(), strict=True):
            if (number, code) not in known:
                known[number, code] = number * self.scales.values[code]
            yield known[number, code]

    @property
    def only(self) -> Fraction | None:
        """The weight that all records have; None where they differ."""
        weights = iter(self)
        first = next(weights)
        return first if all(one == first for one in weights) else None


@dataclass(frozen=True)
class Records:
    """The records of a stage, at least one.

    Attributes:
        weights: None where the survey has none at this stage.
        sizes: how many units of a record's response class the sample has; None where no weight is adjusted by it.
    """

    variables: tuple[Coded, ...]
    weights: WeightColumn | None
    sizes: Coded | None

    def __len__(self) -> int:
        return len(self.variables[0].codes)

    @cached_property
    def data(self) -> UnitData:
        """What the programs of steps take; units are the numbers of the records, from 1."""
        columns = [*self.variables, *(one for one in (self.weights, self.sizes) if one is not None)]
        return tuple(enumerate(zip(*columns, strict=True), 1))


CLASS_SIZE = "class_size"
"""The column that says how many units of its response class the sample has, where weights are adjusted by it."""

_LATE = (Stage.SAMPLE, Stage.RESPONDING, Stage.PROCESSED)
_NONE: Any = object()


def columns_of(read: ReadSurvey, stage: Stage) -> tuple[str, ...]:
    """The columns that records of a stage have: the variables, then the weight and the size of the response class."""
    layout = read.stages.layouts[stage]
    weight = (layout.weight,) if read.stages.is_weighted and stage in _LATE else ()
    return (*layout.names, *weight, *((CLASS_SIZE,) if read.stages.has_classes and stage is Stage.RESPONDING else ()))


def read_records(file: TableFile, read: ReadSurvey, stage: Stage) -> Records:
    """The records of a stage.

    A confidential value is never shown: a message names the record and the column.
    """
    names, layout = columns_of(read, stage), read.stages.layouts[stage]
    for name in names:
        if name not in file.schema.names:
            raise InputError(f"{file.path}: has no column {name!r}; {suggestion(name, file.schema.names)}")
    weight, size = (name if name in names[len(layout.names) :] else None for name in (layout.weight, CLASS_SIZE))
    table = file.table(names, [name for name in names if name != weight])
    if not table.num_rows:
        raise InputError(f"{file.path}: must have at least one record; got none")

    def coded(name: str, needed: str, value_of: ValueOf) -> Coded:
        return _coded(
            f"{file.path}: record", name, table.column(name), needed, value_of, is_number=name in layout.numbers
        )

    variables = tuple(coded(name, *_reader(layout, name, read.file.missing)) for name in layout.names)
    return Records(
        variables,
        None if weight is None else _weights(f"{file.path}: record", weight, table.column(weight)),
        None if size is None else coded(size, "a positive integer", _size),
    )


ValueOf = Callable[[str | None, Any], Any]
"""The value that a text stands for, or `_NONE`; given too is the number that it is, None where that is not known."""


def _coded(place: str, name: str, column: Any, needed: str, value_of: ValueOf, *, is_number: bool) -> Coded:
    """A column by the values that its texts stand for."""
    import numpy as np  # noqa: PLC0415 slow to load

    from stirred.mechanisms.tables.coded_column import coded_column  # noqa: PLC0415 slow to load, and optional

    coded = coded_column(name, column)
    texts = [None if one is None else _text(one) for one in coded.values.to_pylist()]
    found = _plain_numbers(coded.values) if is_number else [None] * len(texts)
    values = list(map(value_of, texts, found))
    is_wrong = np.array([value is _NONE for value in values])
    if is_wrong.any():
        _refuse(place, name, column, needed, is_wrong[coded.codes])
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return Coded(np.array([numbers[value] for value in values], dtype=np.int32)[coded.codes], tuple(numbers))


def _plain_numbers(values: Any) -> list[Any]:
    """The numbers that the values of an Arrow array are; None where one has to be read by itself."""
    import pyarrow as pa  # noqa: PLC0415 slow to load, and optional

    from stirred.mechanisms.tables.plain_decimals import SCALE, plain_decimals  # noqa: PLC0415

    numbers, is_plain = plain_decimals(pa.chunked_array([values]))
    found = [Fraction(number, SCALE) if number % SCALE else number // SCALE for number in numbers.tolist()]
    return [one if plain else None for one, plain in zip(found, is_plain.tolist(), strict=True)]


def _weights(place: str, name: str, column: Any) -> WeightColumn:
    """A column of weights."""
    import numpy as np  # noqa: PLC0415 slow to load
    import pyarrow as pa  # noqa: PLC0415 slow to load, and optional

    from stirred.mechanisms.tables.coded_column import coded_column  # noqa: PLC0415
    from stirred.mechanisms.tables.plain_decimals import SCALE, plain_decimals  # noqa: PLC0415

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    numbers, is_plain = plain_decimals(column)
    denominators, codes, is_wrong = {SCALE: 0}, np.zeros(len(numbers), dtype=np.int32), numbers < 0
    others = np.flatnonzero(~is_plain)
    if len(others):
        coded = coded_column(name, column.take(pa.array(others)))
        values = [_weight(None if one is None else _text(one)) for one in coded.values.to_pylist()]
        is_wrong[others] = np.array([value is _NONE for value in values])[coded.codes]
        values = [Fraction(0) if value is _NONE else value for value in values]
        numbers[others] = np.array([value.numerator for value in values], dtype=object)[coded.codes]
        found = [denominators.setdefault(value.denominator, len(denominators)) for value in values]
        codes[others] = np.array(found, dtype=np.int32)[coded.codes]
    if is_wrong.any():
        _refuse(place, name, column, "a number that is not negative", is_wrong)
    return WeightColumn(numbers, Coded(codes, tuple(Fraction(1, one) for one in denominators)))


def _refuse(place: str, name: str, column: Any, needed: str, is_wrong: NDArray[np.bool_]) -> None:
    """Say which record is the first whose value is none that is needed."""
    first = int(is_wrong.argmax())
    has = "nothing" if column[first].as_py() is None else "another value"
    raise InputError(f"{place} {first + 1}: {name!r} must be {needed}; it has {has}")


def _text(value: Any) -> str:
    """A value as CSV has it; whole doubles without a point."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text.removesuffix(".0") if not isinstance(value, str) else text


def _reader(layout: Layout, name: str, missing: str | None) -> tuple[str, ValueOf]:
    """What a column must hold, and the value that a text in it stands for."""
    listed = layout.values[name]
    known = {str(value): value for value in listed if value is not None}
    if len(known) < sum(value is not None for value in listed):
        raise InputError(f"the values of {name!r} must differ in a file of records, where 1 and '1' are one")
    absent = None if None in listed else _NONE
    if name not in layout.numbers:
        shown = f"one of {[value for value in listed if value is not None]}"
        words = f"{shown}, or nothing" if absent is None else shown
        return words, lambda text, _: absent if text is None or text == missing else known.get(text, _NONE)
    numbers = [value for value in listed if value is not None]
    low, high = min(numbers), max(numbers)

    def number(text: str | None, known: Any) -> Any:
        if text is None or text == missing:
            return absent
        found = _exact(text) if known is None else known
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


def _size(text: str | None, _: Any) -> Any:
    found = _NONE if text is None else _exact(text)
    return found if isinstance(found, int) and found > 0 else _NONE
