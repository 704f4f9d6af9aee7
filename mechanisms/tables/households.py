"""Households in a table, and where their blocks are, as the arrays that 2010-style swapping works on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from stirred.mechanisms.fast.pairwise_swapping import StateCodes
from stirred.mechanisms.tables.coded_column import CodedColumn, coded_column, combined
from stirred.mechanisms.tables.reading import TableFile
from stirred.spec.arguments import InputError

Codes = NDArray[np.int64]

PLACES = ("tract", "x", "y")
"""The columns of a table of blocks besides the block."""


@dataclass(frozen=True)
class HouseholdTable:
    """The households of one state.

    Attributes:
        schema: the columns as they were read.
        state: the arrays, with the blocks that the table of blocks lists.
        blocks: the values of the column of blocks, by their place in the arrays.
    """

    table: Any
    schema: Any
    block: str
    state: StateCodes
    blocks: Any

    def named(self, block: Codes) -> Any:
        """The values of the column of blocks that these stand for."""
        return self.blocks.take(pa.array(block)).cast(self.schema.field(self.block).type)

    @property
    def alone(self) -> int:
        """How many households are the only one of their key: they cannot be swapped."""
        return int((np.unique(self.state.key, return_counts=True)[1] == 1).sum())

    @property
    def in_one_tract(self) -> int:
        """How many households, these among them, are of a key whose households are all in one tract: they stay too."""
        tract = self.state.tract[self.state.block]
        pairs = np.unique(np.column_stack((self.state.key, tract)), axis=0)
        keys, tracts = np.unique(pairs[:, 0], return_counts=True)
        return int(np.isin(self.state.key, keys[tracts == 1]).sum())


def read_households(
    file: TableFile,
    geography: TableFile,
    *,
    key: Sequence[str],
    block: str,
    flags: Sequence[str] | None = None,
    identifier: str | None = None,
) -> HouseholdTable:
    """The households of a table, with the places of their blocks from another one.

    Args:
        file: a line for each household.
        geography: a line for each block: the column `block`, and tract, x and y, the last two whole numbers.
        flags: the flagging variables; all columns but the block and the identifier where they are not given.
        identifier: a column with another value for each household.
    """
    names = file.schema.names
    flagging = flagging_columns(names, (block, identifier), flags)
    file.require([*key, block, *flagging, *([] if identifier is None else [identifier])])
    geography.require([block, *PLACES])
    table = file.table(names, set(names))
    if identifier is not None:
        _check_distinct(file, identifier, coded_column(identifier, table[identifier]))
    places = geography.table([block, *PLACES], {block, "tract"})
    listed = coded_column(block, places[block])
    _check_places(geography, block, places, listed)
    found = _places_of_households(file, geography, coded_column(block, table[block]), listed)
    tract = coded_column("tract", places["tract"]).codes
    order = np.argsort(listed.codes)
    state = StateCodes(
        combined(table, key),
        combined(table, flagging),
        found,
        tract.astype(np.int64)[order],
        *(_whole(geography, name, places[name], places[block])[order] for name in PLACES[1:]),
    )
    return HouseholdTable(table, file.schema, block, state, listed.values)


def flagging_columns(names: Sequence[str], others: Sequence[str | None], flags: Sequence[str] | None) -> list[str]:
    """The flagging variables: those that are given, else all columns but the block and identifiers.

    >>> flagging_columns(["id", "size", "block"], ("block", "id"), None)
    ['size']
    """
    return [name for name in names if name not in others] if flags is None else list(flags)


def _check_distinct(file: TableFile, name: str, column: CodedColumn) -> None:
    if len(column.values) < len(column.codes):
        times = np.bincount(column.codes)
        twice = column.values[int(times.argmax())].as_py()
        raise InputError(f"{file.path}: {name} must differ between households; {twice!r} stands {times.max()} times")


def _check_places(geography: TableFile, block: str, places: Any, listed: CodedColumn) -> None:
    """Refuse a block that is missing or stands twice, and a place without a tract."""
    for name in (block, "tract"):
        if places[name].null_count:
            raise InputError(
                f"{geography.path}: every line must have a {name}; {places[name].null_count} of {len(places)} have none"
            )
    times = np.bincount(listed.codes, minlength=1)
    if times.max() > 1:
        twice = listed.values[int(times.argmax())].as_py()
        raise InputError(f"{geography.path}: every block must have one place; {twice!r} has {times.max()}")


def _places_of_households(file: TableFile, geography: TableFile, column: CodedColumn, listed: CodedColumn) -> Codes:
    """For each household the place of its block among those listed; blocks are compared by their texts."""
    known = {str(value): place for place, value in enumerate(listed.values.to_pylist())}
    values = column.values.to_pylist()
    places = np.array([-1 if value is None else known.get(str(value), -2) for value in values], dtype=np.int64)
    found: Codes = places[column.codes] if len(values) else column.codes.astype(np.int64)
    if (found == -1).any():
        first = int((found == -1).argmax()) + 1
        raise InputError(
            f"{file.path}: every household must have a block; {(found == -1).sum()} have none, the first is household "
            f"{first}"
        )
    if (found == -2).any():
        without = values[int(column.codes[int((found == -2).argmax())])]
        raise InputError(f"{geography.path}: must have a place for every block of a household; {without!r} has none")
    return found


def _whole(geography: TableFile, name: str, column: Any, blocks: Any) -> Codes:
    """A column of whole numbers; a refusal names the first block that has none."""
    try:
        numbers = column.cast(pa.int64())
    except pa.ArrowException:
        numbers = None
    if numbers is None or numbers.null_count:
        values = column.to_pylist()
        wrong = next((place for place, value in enumerate(values) if not _is_whole(value)), 0)
        has = "none" if values[wrong] is None else repr(values[wrong])
        block = blocks[wrong].as_py()
        raise InputError(f"{geography.path}: {name} must be a whole number for every block; {block!r} has {has}")
    array: Codes = numbers.to_numpy()
    return array


def _is_whole(value: object) -> bool:
    try:
        return value is not None and pa.scalar(value).cast(pa.int64()) is not None
    except pa.ArrowException:
        return False
