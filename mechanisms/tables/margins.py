"""The swapping invariants of tables in files, counted in batches: what margins a table has, and where two differ.

Of several tables the same values have the same codes, in whatever format and types they are written: values are
compared by their texts. Memory grows with the number of categories, not with that of records.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from stirred.mechanisms.tables.cells import StratumSizes
from stirred.mechanisms.tables.coded_column import GrowingColumn
from stirred.mechanisms.tables.reading import TableFile
from stirred.mechanisms.tables.swapping import count_weights
from stirred.spec.arguments import InputError
from stirred.spec.blocks.tables import Table
from stirred.spec.flavors.permutation_swapping import Margins

Numbers = NDArray[np.int64]

_NUMBER = re.compile(r"[+-]?(?=\.?[0-9])[0-9]{0,40}(\.[0-9]{0,40})?([eE][+-]?[0-9]{1,3})?")
_DAY, _TIME = r"([0-9]{4}-[0-9]{2}-[0-9]{2})", r"([0-9]{2}:[0-9]{2})(:[0-9]{2})?(?:\.([0-9]*?)0*)?(?:Z|\+00(?::?00)?)?"
_MOMENT = re.compile(rf"{_DAY}(?:[ T]{_TIME})?")
_WORDS = {"true": "1", "t": "1", "false": "0", "f": "0"}
_WORDS |= dict.fromkeys(("", "na", "n/a", "<na>", "nan", "nat", "null", "none"), "None")


def common_text(text: str | None) -> str:
    """A text without what programs write differently: truth, null, spaces around, the zeros of a number or time.

    >>> [common_text(text) for text in ("01", "-1.50", "1e3", "True", " a", "NA", "2020-01-01T00:00")]
    ['1', '-1.5', '1000', '1', "'a'", 'None', '2020-01-01']
    """
    text = (text or "").strip()
    if moment := _MOMENT.fullmatch(text):
        day, time, second, part = moment.groups("")
        return f"{day} {time or '00:00'}{second or ':00'}.{part}".removesuffix(" 00:00:00.")
    if not _NUMBER.fullmatch(text):
        return _WORDS.get(text.lower(), repr(text))
    plain = format(Decimal(text), "f") if "e" in text.lower() else text
    whole, _, part = plain.lstrip("+-").partition(".")
    found, part = whole.lstrip("0") or "0", part.rstrip("0")
    found += f".{part}" if part else ""
    return f"-{found}" if plain.startswith("-") and found != "0" else found


def batches_of(file: TableFile, columns: Sequence[str], coded: Sequence[str]) -> Iterator[Any]:
    """The records of a file in batches; those of a pipe, which was read already, too."""
    if file.content is None:
        return file.batches(columns, coded)
    batches: Iterator[Any] = iter(file.table(columns, coded).to_batches())
    return batches


def coded_texts(name: str, column: Any) -> Any:
    """A column by its distinct values, these as texts."""
    try:
        encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        values = encoded.dictionary
        if pa.types.is_float16(values.type):
            values = pc.cast(values, pa.float32())
        return pa.DictionaryArray.from_arrays(encoded.indices, pc.cast(values, pa.string()))
    except pa.ArrowException:
        raise InputError(f"the column {name!r} must have values that have texts; it is {column.type}") from None


def _runs(order: Numbers, codes: Numbers) -> list[Numbers]:
    """Places in an order that puts equal codes together, split where the code changes."""
    return np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)


def _is_largest(codes: Numbers, counts: Numbers) -> NDArray[np.bool_]:
    """Which of these have the code with the most records."""
    inverse = np.unique(codes, return_inverse=True)[1].reshape(-1)
    totals = np.zeros(int(inverse.max()) + 1, dtype=np.int64)
    np.add.at(totals, inverse, counts)
    found: NDArray[np.bool_] = inverse == totals.argmax()
    return found


class Categories:
    """Combinations of codes, numbered as they first occur, and how many records of each file have them.

    Attributes:
        parts: the codes of each combination, one row for each.
        counts: for each file how many records have each combination.
    """

    def __init__(self, columns: int, files: int) -> None:
        self.parts: Numbers = np.zeros((0, columns), dtype=np.int64)
        self.counts = [np.zeros(0, dtype=np.int64) for _ in range(files)]
        self._pairs = [GrowingColumn(pa.int64()) for _ in range(1, columns)]

    def add(self, file: int, columns: Sequence[Numbers], weights: Numbers | None) -> Numbers:
        """Count records with these codes, all at least −1; returns the numbers of their combinations."""
        codes = columns[0]
        for pairs, column in zip(self._pairs, columns[1:], strict=True):
            both = (codes + 1) * 2**32 + (column + 1)
            codes = pairs.codes(pa.array(both)).astype(np.int64)
        number = max(int(codes.max(initial=-1)) + 1, len(self.parts))
        if number > len(self.parts):
            new = np.zeros((number, len(columns)), dtype=np.int64)
            new[codes] = np.column_stack(columns)
            new[: len(self.parts)] = self.parts
            self.parts = new
        self.counts = [np.pad(counts, (0, number - len(counts))) for counts in self.counts]
        if weights is None:
            self.counts[file] += np.bincount(codes, minlength=number)
        else:
            np.add.at(self.counts[file], codes, weights)
        return codes

    def differing(self) -> Numbers:
        """The combinations of which the first two files have not the same number of records."""
        return np.flatnonzero(self.counts[0] != self.counts[1])


@dataclass(frozen=True)
class _Given:
    """The columns of one file by their role."""

    file: TableFile
    weights: str | None


class MarginScan:
    """The counts n_mh·, n_m·s and n_mhs of the records of several files.

    Args:
        holding: the holding variables; none where each record is a holding category of its own.
        files: the tables, each with its column that says how many records a line stands for.
    """

    def __init__(
        self,
        matching: Sequence[str],
        holding: Sequence[str],
        swapping: Sequence[str],
        files: Sequence[tuple[TableFile, str | None]],
    ) -> None:
        self.matching, self.holding, self.swapping = tuple(matching), tuple(holding), tuple(swapping)
        self._values = {name: GrowingColumn(pa.string()) for name in (*matching, *holding, *swapping)}
        number = len(files)
        self._strata = Categories(1 + len(matching), number)
        self.held = Categories(1 + len(holding), number)
        self.given = Categories(1 + len(swapping), number)
        self.cells = Categories(2, number)
        self.records = [self._count(place, _Given(*given)) for place, given in enumerate(files)]

    def _count(self, place: int, given: _Given) -> int:
        total = 0
        names = list(self._values)
        columns = [*names, *([] if given.weights is None else [given.weights])]
        for batch in batches_of(given.file, columns, names):
            weights = None
            if given.weights is not None:
                weights = count_weights(given.file.path, given.weights, batch.column(len(names))).astype(np.int64)
            total += batch.num_rows if weights is None else sum(weights.tolist())
            if total >= 2**63:
                raise InputError(f"{given.file.path}: must hold at most 2^63 - 1 records in all; it holds more")
            self._add(place, batch, weights)
        return total

    def _add(self, place: int, batch: Any, weights: Numbers | None) -> None:
        codes = {
            name: values.codes(coded_texts(name, batch.column(index))).astype(np.int64)
            for index, (name, values) in enumerate(self._values.items())
        }
        one = np.zeros(batch.num_rows, dtype=np.int64)
        strata = self._strata.add(place, [one, *(codes[name] for name in self.matching)], weights)
        held = self.held.add(place, [strata, *(codes[name] for name in self.holding)], weights)
        given = self.given.add(place, [strata, *(codes[name] for name in self.swapping)], weights)
        self.cells.add(place, [held, given], weights)

    def sizes(self, place: int) -> StratumSizes:
        """What the margins say of the strata of one file."""
        records = self._strata.counts[place]
        occupied = np.flatnonzero(records)
        sides = [
            np.bincount(side.parts[side.counts[place] > 0, 0], minlength=len(records)).take(occupied)
            for side in (self.held, self.given)
        ]
        return StratumSizes(records.take(occupied), *sides)

    def margins(self, place: int) -> Iterator[Margins]:
        """The margins of each stratum of one file."""
        for stratum in np.flatnonzero(self._strata.counts[place]).tolist():
            sides = []
            for side in (self.held, self.given):
                counts = side.counts[place][side.parts[:, 0] == stratum]
                sides.append(tuple(counts[counts > 0].tolist()))
            yield sides[0], sides[1]

    def compositions(self, place: int) -> Counter[tuple[int, ...]]:
        """How many strata of one file have these numbers of records by swapping category, in increasing order."""
        counts, strata = self.given.counts[place], self.given.parts[:, 0]
        order = np.lexsort((counts, strata))
        order = order[counts[order] > 0]
        return Counter(tuple(counts[part].tolist()) for part in _runs(order, strata))

    def halves(self) -> Iterator[tuple[Table, bool]]:
        """The tables of the first file's strata, each with all but its largest row, and column, together.

        Strata that have one row or column are left out; beside each stands whether the second file has all its counts.
        """
        strata = self.held.parts[self.cells.parts[:, 0], 0]
        before, after = self.cells.counts[:2]
        for part in _runs(np.argsort(strata, kind="stable"), strata):
            counts = before[part]
            rows, columns = (_is_largest(codes, counts) for codes in self.cells.parts[part].T)
            table = tuple(tuple(int(counts[a & b].sum()) for b in (columns, ~columns)) for a in (rows, ~rows))
            if all(map(any, (*table, *zip(*table, strict=True)))):
                yield table, bool((counts == after[part]).all())

    def largest(self, place: int, *, lines: bool) -> str:
        """The first of the largest strata with two distinct records of one file, in words; empty where none has."""
        sizes = self.sizes(place).of_lines() if lines else self.sizes(place)
        if not sizes.largest:
            return ""
        mixed = (sizes.holding > 1) | (sizes.swapping > 1)
        index = int(np.flatnonzero(mixed & (sizes.records == sizes.largest))[0])
        return self.stratum(int(np.flatnonzero(self._strata.counts[place])[index]))

    def stratum(self, code: int) -> str:
        """A stratum in words.

        The values are those of the matching variables.
        """
        return self._words(self.matching, self._strata.parts[code, 1:].tolist()) or "the one stratum"

    def category(self, side: Categories, code: int) -> str:
        """A category of `held` or `given` in words, with its stratum."""
        names = self.holding if side is self.held else self.swapping
        stratum, *codes = side.parts[code].tolist()
        matching = self._strata.parts[stratum, 1:].tolist()
        return self._words((*self.matching, *names), [*matching, *codes])

    def is_written_otherwise(self, side: Categories) -> bool:
        """Whether the counts of two files differ in nothing but how values are written, one text for each value."""
        names = (*self.matching, *(self.holding if side is self.held else self.swapping))
        found: list[dict[tuple[str, ...], int]] = []
        for counts in side.counts[:2]:
            occupied = np.flatnonzero(counts).tolist()
            keys = [tuple(map(common_text, self._texts(side, code, names))) for code in occupied]
            if len(set(keys)) < len(keys):
                return False
            found.append(dict(zip(keys, counts[occupied].tolist(), strict=True)))
        return found[0] == found[1]

    def _texts(self, side: Categories, code: int, names: Sequence[str]) -> list[str | None]:
        stratum, *codes = side.parts[code].tolist()
        every = [*self._strata.parts[stratum, 1:].tolist(), *codes]
        return [
            None if one < 0 else self._values[name].values[one].as_py() for name, one in zip(names, every, strict=True)
        ]

    def _words(self, names: Sequence[str], codes: Sequence[int]) -> str:
        pairs = zip(names, codes, strict=True)
        return ", ".join(f"{name} = {self._text(name, int(code))}" for name, code in pairs)

    def _text(self, name: str, code: int) -> str:
        return "nothing" if code < 0 else str(self._values[name].values[code].as_py())
