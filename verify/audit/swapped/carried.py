"""The persons of swapped households, before and after: are they the same, each in the place of the household?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from stirred.mechanisms.tables.line_pairs import LinePairs, compare_lines
from stirred.mechanisms.tables.persons import CarriedPersons, read_persons
from stirred.mechanisms.tables.reading import TableFile
from stirred.spec.arguments import InputError
from stirred.verify.evidence.reports.provenance import without_folders


@dataclass(frozen=True)
class FoundPersons:
    """What is found in the persons of swapped households.

    Attributes:
        carried: those before the swap, each with the household.
        pairs: both files line by line.
        misplaced: the first person after the swap who lies elsewhere than the household, in words.
    """

    files: tuple[TableFile, TableFile]
    carried: CarriedPersons
    pairs: LinePairs
    misplaced: str | None

    @property
    def names(self) -> tuple[str, str]:
        """The files, that of the persons before the swap first."""
        before, after = (without_folders(file.path, [file.path]) for file in self.files)
        return before, after


def find_persons(
    files: tuple[TableFile, TableFile],
    households: tuple[TableFile, TableFile],
    roles: Collection[str],
    moved: Sequence[str],
) -> FoundPersons:
    """Compare persons before and after; InputError where those before do not fit their households.

    Args:
        roles: the columns of the swap, which are no id.
        moved: the swapped ones.
    """
    before, after = files
    after.require(before.schema.names)
    places = [name for name in moved if name in before.schema.names]
    if not places:
        raise InputError(f"{before.path}: must have a column that is swapped; the swapped ones are {', '.join(moved)}")
    by = _identifier(before, households[0], roles)
    carried, misplaced = _placed(before, by, households[0], moved), None
    pairs = compare_lines(before, after, [name for name in before.schema.names if name not in moved], places)
    if pairs.are_lines_equal:
        try:
            _placed(after, by, households[1], moved)
        except InputError as error:
            misplaced = without_folders(str(error), [file.path for file in (after, households[1])])
    return FoundPersons(files, carried, pairs, misplaced)


def _identifier(persons: TableFile, households: TableFile, roles: Collection[str]) -> str:
    """The column that both have, without a role, and that is another one for each household."""
    names = [name for name in households.schema.names if name in persons.schema.names and name not in roles]
    table = households.table(names, names)
    found = [name for name in names if len(table[name].unique()) == len(table)]
    if len(found) != 1:
        raise InputError(
            f"{persons.path}: must share one column with {households.path} that is another one for each household, and "
            f"has no role; got {', '.join(found) or 'none'}"
        )
    return str(found[0])


def _placed(persons: TableFile, by: str, households: TableFile, moved: Sequence[str]) -> CarriedPersons:
    table = households.table([by, *moved], [])
    return read_persons(persons, by, households, {name: table[name].combine_chunks() for name in (by, *moved)})
