"""Columns that stay with their record and determine a swapped one, so that whoever has the release undoes the swap.

Or that a swapped one determines, as an area does a larger one: what does not go together shows which records moved.

The records with one value of a column, or of two, are a group. A column is asked about by the groups in which a record
could have another swapped value than the others: those of two or more records, not all in strata of one swapped value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log
from typing import Any

import numpy as np
import pyarrow as pa

from stirred.mechanisms.fast.permutation_swapping import Codes
from stirred.mechanisms.tables.coded_column import coded_column
from stirred.mechanisms.tables.margins import batches_of
from stirred.mechanisms.tables.reading import TableFile
from stirred.mechanisms.tables.swapping import count_weights
from stirred.spec.arguments import InputError

MOST_RECORDS = 2**20
"""Records that are asked about: the first of the file."""

_MOST_COLUMNS = 12
"""Up to so many columns, pairs of them are asked about too."""

LOOKED_AT = 2**14
"""Records of a first look, in which what determines a column does so too; on a cluster it is the only one."""

_NEARLY, _LESS = 100, 10
"""Nearly determined: at most one group of 100 has several swapped values, and a tenth of what chance would give."""

_PLACE, _NEIGHBOURS = ("the place of the lines",), 8

_HOUSEHOLD = 12
"""Most persons of a household on average: a place has more."""

_ACCIDENT = 9 * log(10)
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Dependence:
    """A column, or two together, that determines a swapped column, or nearly.

    Attributes:
        columns: those that determine it.
        swapped: what is determined; all swapped columns together where there are several names.
        groups: how many groups of records could have several swapped values.
        mixed: how many of them have.
        records: how many records they hold.
        total: how many stand in strata with several swapped values.
    """

    columns: tuple[str, ...]
    swapped: tuple[str, ...]
    groups: int
    mixed: int
    records: int
    total: int

    def is_vacuous(self, swapping: Sequence[str]) -> bool:
        """Whether all of what is swapped is determined, of at least half of the records that could move."""
        return not self.mixed and self.swapped == tuple(swapping) and 2 * self.records >= self.total

    def is_of_households(self, swapping: Sequence[str]) -> bool:
        """Whether one column determines all of it in groups of a household's size: their id, on a line per person."""
        single = len(self.columns) == 1 and self.columns != _PLACE
        return self.is_vacuous(swapping) and single and self.records <= _HOUSEHOLD * self.groups

    @property
    def sentence(self) -> str:
        """What it means for the release."""
        said = f"{' x '.join(self.columns)} determines {' x '.join(self.swapped)} in"
        if self.mixed:
            share = f"are neighbours, {_NEIGHBOURS} at a time" if self.columns == _PLACE else "share a value"
            most = f"{self.groups - self.mixed} of {self.groups} groups of records that {share}"
            return f"{said} {most}: whoever has the release undoes most of the swap"
        others = "" if self.records == self.total else f" that share a value, of {self.total} that could move"
        return f"{said} all of {self.records} records{others}: whoever has the release undoes the swap"


class Marking(Dependence):
    """A column that stays although what is swapped determines it, or nearly: `swapped` is that column."""

    @property
    def sentence(self) -> str:
        """What it means for the release."""
        (name,) = self.swapped
        moving = " x ".join(self.columns)
        most = f"{self.groups - self.mixed} of {self.groups} groups" if self.mixed else f"all {self.groups} groups"
        return (
            f"{moving} determines {name}, which stays, in {most} of records that share a value: a record whose values "
            f"do not go together has moved, and {name} tells from where; swap it, too, or match it"
        )


def first_records(file: TableFile, columns: Sequence[str]) -> Any:
    """The first records of a file."""
    batches, rows = [], 0
    for batch in batches_of(file, columns, ()):
        batches.append(batch)
        rows += batch.num_rows
        if rows >= MOST_RECORDS:
            break
    return pa.Table.from_batches(batches).slice(0, MOST_RECORDS) if batches else pa.table({n: [] for n in columns})


def dependences(
    table: Any,
    matching: Sequence[str],
    kept: Sequence[str],
    swapping: Sequence[str],
    count: str | None = None,
    *,
    lines: bool = False,
) -> tuple[Dependence, ...]:
    """The columns that determine the swapped ones, or nearly, alone or beside all matching variables.

    A pair is asked about only where neither of it does. Then those that the swapped ones determine, `Marking`s.

    Chance is what records that have their stratum's swapped values independently would show: all of a group's have one
    with a probability of at most the product, over all but one of them, of the largest share in their stratum. What
    determines must have a probability of at most 10⁻⁹ by chance.

    Args:
        table: the records before the swap.
        kept: the other columns that are released as they are.
        count: the column that says how many records a line stands for.
        lines: whether the lines are released in their order, which may determine it too.
    """
    rows = table.num_rows
    weights = np.ones(rows) if count is None else count_weights("table", count, table.column(count)).astype(float)
    codes, own = dict(_codes(table, matching)), dict(_codes(table, swapping))
    if not rows or len(own) < len(swapping):
        return ()
    strata = _joined([*codes.values()] or [np.zeros(rows, dtype=np.int64)])
    moved = []
    for swapped in [tuple(swapping), *([(name,) for name in swapping] if len(swapping) > 1 else [])]:
        values = _joined([own[name] for name in swapped])
        surprise = _surprise(strata, values, weights)
        if (surprise * weights).sum() >= _ACCIDENT:  # else whatever determines it may do so by chance
            moved.append(_Swapped(swapped, values, surprise, weights))
    codes |= dict(_codes(table, kept if moved else ()))
    found: list[Dependence] = []
    for moving in moved:
        known: set[str] = {name for one in found if not one.mixed for name in one.columns}
        if lines and not known.intersection(_PLACE) and (one := _by_place(moving)) is not None:
            found.append(one)
        for size in (1, 2) if len(codes) <= _MOST_COLUMNS else (1,):
            for columns in combinations(codes, size):
                if known.intersection(columns):
                    continue
                beside = tuple(name for name in matching if name in codes and name not in columns)
                for together in dict.fromkeys((columns, (*beside, *columns))):  # the matching variables stay too
                    one = _asked(together, [codes[name] for name in together], moving)
                    if one is not None:
                        found.append(one)
                        known.update(columns)
                        break
    undoing = {name for one in found for name in one.columns}
    staying = {name: codes[name] for name in kept if moved and name in codes and name not in undoing}
    given = {**own, **{name: codes[name] for name in matching if name in codes}}
    return (*found, *_markings(strata, given, tuple(swapping), staying, weights))


def _markings(
    strata: Codes, given: Mapping[str, Codes], swapping: tuple[str, ...], staying: Mapping[str, Codes], weights: Any
) -> Iterator[Marking]:
    """The columns that stay and that the swapped ones determine, alone or beside all matching variables."""
    for name, codes in staying.items():
        known = np.flatnonzero(codes >= 0)
        if not len(known):
            continue
        values, weight = codes[known], weights[known]
        determined = _Swapped((name,), values, _surprise(_joined([strata[known]]), values, weight), weight)
        for together in dict.fromkeys((swapping, tuple(given))):
            one = _asked(together, [given[column][known] for column in together], determined)
            if one is not None:
                yield Marking(**vars(one))
                break


def _codes(table: Any, names: Sequence[str] | dict[str, None]) -> Iterator[tuple[str, Codes]]:
    """The codes of the columns, of lists and the like by their texts; −1 for null."""
    for name in names:
        given = table.column(name)
        if pa.types.is_nested(given.type):
            given = pa.array([None if value is None else repr(value) for value in given.to_pylist()], pa.string())
        try:
            column = coded_column(name, given)
        except InputError:
            continue
        nulls = column.values.is_null().to_numpy(zero_copy_only=False)
        yield name, np.where(nulls, -1, np.arange(len(nulls))).take(column.codes)


def _joined(columns: Sequence[Codes]) -> Codes:
    found = np.unique(columns[0], return_inverse=True)[1].reshape(-1)
    for column in columns[1:]:
        found = np.unique(found * (int(column.max()) + 2) + column + 1, return_inverse=True)[1].reshape(-1)
    return found


def _surprise(strata: Codes, values: Codes, weights: Any) -> Any:
    """For each record, minus the logarithm of the share of its stratum's most frequent swapped value."""
    cells = _joined([strata, values])
    largest = np.zeros(int(strata.max()) + 1)
    np.maximum.at(largest, strata, np.bincount(cells, weights)[cells])
    return np.log(np.bincount(strata, weights) / np.maximum(largest, 1)).clip(min=0).take(strata)


@dataclass(frozen=True)
class _Swapped:
    """Swapped columns together: their names, and for each record its value, how it would surprise, and its weight."""

    names: tuple[str, ...]
    values: Codes
    surprise: Any
    weights: Any


def _by_place(swapped: _Swapped) -> Dependence | None:
    """Whether the lines are sorted by what is swapped, or nearly: few of eight lines in a row have several values.

    Sorted into r runs they are with a probability by chance of at most C(n, r) times that of every run's one value,
    and C(n, r) ≤ (e·n/r)^r.
    """
    n, changes = len(swapped.values), np.diff(swapped.values) != 0
    runs = 1 + int(changes.sum())
    chance = swapped.surprise[1:][~changes].sum() - runs * (1 + log(n / runs))
    if runs == len(np.unique(swapped.values)) > 1 and chance >= _ACCIDENT:
        return Dependence(_PLACE, swapped.names, runs, 0, n, n)
    found = _asked(_PLACE, [np.arange(n) // _NEIGHBOURS], swapped)
    return None if found is None or not found.mixed else found


def _asked(columns: tuple[str, ...], codes: Sequence[Codes], swapped: _Swapped) -> Dependence | None:
    """Whether these columns determine what is swapped, or nearly; a first look rules most columns out."""
    known, groups = np.logical_and.reduce([*(one >= 0 for one in codes), swapped.weights > 0]), 0
    for most in (LOOKED_AT, len(known)):
        place = np.flatnonzero(known[:most])
        if not len(place):
            continue
        key = _joined([one[place] for one in codes])
        value, surprise, weight = (part[place] for part in (swapped.values, swapped.surprise, swapped.weights))
        first = np.zeros(int(key.max()) + 1, dtype=np.int64)
        first[key] = np.arange(len(key))
        is_mixed = np.zeros(len(first), dtype=bool)
        is_mixed[key[value != value[first[key]]]] = True
        largest = np.zeros(len(first))
        np.maximum.at(largest, key, surprise)
        chance = np.bincount(key, surprise * weight) - largest
        asked = chance > _ROUNDING
        groups, mixed = int(asked.sum()), int((asked & is_mixed).sum())
        if mixed * 10 > groups or (most == len(known) and mixed * _NEARLY > groups):
            return None
    if not groups or chance[asked & ~is_mixed].sum() < _ACCIDENT:
        return None
    if mixed and mixed * _LESS > (1 - np.exp(-chance[asked])).sum():
        return None
    records = int(np.bincount(key, weight)[asked].sum())
    total = int(swapped.weights[swapped.surprise > 0].sum())
    return Dependence(columns, swapped.names, groups, mixed, records, total)
