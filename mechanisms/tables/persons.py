"""Persons who are carried along when their households are swapped: each has the places of its household."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from stirred.mechanisms.fast.permutation_swapping import Codes
from stirred.mechanisms.tables.reading import TableFile
from stirred.spec.arguments import InputError


@dataclass(frozen=True)
class CarriedPersons:
    """The persons of households.

    Attributes:
        file: where they stand.
        by: the column that names their household, in both files.
        table: all their columns.
        homes: for each person the number of the household.
    """

    file: TableFile
    by: str
    table: Any
    homes: Codes

    def moved(self, columns: Mapping[str, Any]) -> Any:
        """The persons with these columns of the households in place of their own, where they have them."""
        table, places = self.table, pa.array(self.homes)
        for name, values in columns.items():
            at = table.schema.get_field_index(name)
            if at >= 0:
                taken = values.take(places).cast(self.file.schema.field(name).type)
                table = table.set_column(at, name, taken)
        return table.cast(self.file.schema)

    def beside(self, households: Any, moved: Collection[str]) -> Any:
        """Households with the columns that stay with their persons, where these have them in common, as "… of persons".

        Args:
            households: their table, or its first lines; columns that it has too, alike, are left out.
            moved: the columns that change.
        """
        homes, first = np.unique(self.homes, return_index=True)
        place = np.full(max(len(households), 1 + int(homes.max(initial=-1))), -1)
        place[homes] = first
        for name in self.table.column_names:
            column = _plain(self.table[name])
            shared = column.take(pa.array(place, mask=place < 0))
            if name in (self.by, *moved) or not column.equals(shared.take(pa.array(self.homes))):
                continue
            shared = shared.slice(0, len(households))
            if name not in households.column_names or not shared.equals(_plain(households[name])):
                households = households.append_column(f"{name} of persons", shared)
        return households


def read_persons(file: TableFile, by: str, households: TableFile, carried: Mapping[str, Any]) -> CarriedPersons:
    """The persons of a file, each with its household.

    Args:
        by: the id of the household, in both files.
        carried: the id and the places of the households, by name.
    """
    for one in (file, households):
        one.require([by])
    ids = _plain(carried[by])
    _check_households(households, by, ids)
    table = file.table(file.schema.names, file.schema.names)
    own = _alike(file, table[by], by, ids)
    homes = pc.index_in(own, value_set=ids)
    if homes.null_count:
        line = pc.index(homes.is_null(), True).as_py()
        raise InputError(
            f"{file.at(line)}: {by} must be that of a household of {households.path}; got {_shown(own[line])}"
        )
    numbers = homes.to_numpy().astype(np.int64)
    for name, values in carried.items():
        if name in table.column_names and name != by:
            places = _plain(values).take(pa.array(numbers))
            _check_place(file, table[name], places, own, (by, name, households.path))
    return CarriedPersons(file, by, table, numbers)


def _check_households(households: TableFile, by: str, ids: Any) -> None:
    counts = pc.value_counts(ids)
    twice = pc.index(pc.greater(counts.field("counts"), 1), True).as_py()
    if ids.null_count or twice >= 0:
        got = "a null" if ids.null_count else f"{counts.field('values')[twice].as_py()!r} twice"
        raise InputError(f"{households.path}: {by} must be another one for each household; got {got}")


def _alike(file: TableFile, column: Any, name: str, like: Any) -> Any:
    """A column with the values of another one's type, as one array."""
    try:
        plain = column.cast(like.type)
    except pa.ArrowException:
        raise InputError(f"{file.path}: the column {name!r} must hold {like.type}; it is {column.type}") from None
    return _plain(plain)


def _plain(column: Any) -> Any:
    """A column as one array of its values, which are not coded."""
    array = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def _shown(value: Any) -> str:
    return "null" if value.as_py() is None else repr(value.as_py())


def _check_place(file: TableFile, column: Any, homes: Any, ids: Any, names: tuple[str, str, str]) -> None:
    """Refuse a person who lies in another place than the household."""
    by, name, households = names
    own = _alike(file, column, name, homes)
    same = pc.or_(pc.fill_null(pc.equal(own, homes), False), pc.and_(own.is_null(), homes.is_null()))
    line = pc.index(same, False).as_py()
    if line >= 0:
        raise InputError(
            f"{file.at(line)}: a household must lie in one place; {by} {ids[line].as_py()!r} has "
            f"{name} = {_shown(own[line])} here and {_shown(homes[line])} in {households}"
        )
