"""What `stirred swap` does alike for each way to swap whole households: reading them, and writing what was released."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from stirred.mechanisms.tables.manifest import manifest_text
from stirred.mechanisms.tables.roles import Roles
from stirred.spec.arguments import InputError
from stirred.verify.cli.commands.options import refuse_combined, refuse_same_file
from stirred.verify.cli.commands.swap_report import write_swap_report
from stirred.verify.evidence.certificates.printable import one_line, printable
from stirred.verify.evidence.files.atomic import real_path
from stirred.verify.evidence.files.bounded_file import read_table_file
from stirred.verify.evidence.reports.lines import HOLDS, UNDECIDED
from stirred.verify.products.swap.request import check_persons
from stirred.verify.products.swap.specification import identified, undone
from stirred.verify.products.swap.unbounded import UnboundedSwap

if TYPE_CHECKING:
    from stirred.mechanisms.tables.persons import CarriedPersons
    from stirred.mechanisms.tables.reading import TableFile

_PSA_ONLY = ("epsilon", "count", "output", "memory", "work", "buckets", "certify", "bucket_records", "master")
"""Options of the PSA that have no meaning for pairs of households."""

_WRITTEN = ("microdata", "persons_output", "claim", "no_donor", "report")
_READ = ("file", "persons", "geography", "rates")


@dataclass(frozen=True)
class Households:
    """A table of households with all its columns, and the persons who are carried along."""

    file: TableFile
    table: Any
    persons: CarriedPersons | None


@dataclass(frozen=True)
class HouseholdRelease:
    """What is to be released.

    Attributes:
        mechanism: as the manifest calls it.
        moved: the columns that changed, by name.
        facts: what else the manifest says.
        warnings: of the method.
        pairs: how many were exchanged, in words.
        log: a further file, with its schema and tables.
    """

    mechanism: str
    said: UnboundedSwap
    moved: Mapping[str, Any]
    facts: Mapping[str, object]
    warnings: Sequence[str]
    pairs: str
    log: tuple[str, Any, Sequence[Any]] | None = None


def check_options(arguments: argparse.Namespace) -> None:
    """Refuse options that contradict the method, before anything is read, and to write over what is read."""
    refuse_combined(arguments, f"--method {arguments.method}", _PSA_ONLY)
    if arguments.engine != "arrow":
        raise InputError(f"--method {arguments.method} cannot be combined with --engine {arguments.engine}")
    check_persons(arguments)
    read = {real_path(path): "the data" for name in _READ if (path := getattr(arguments, name)) is not None}
    refuse_same_file(arguments, _WRITTEN, read)


def check_households(
    arguments: argparse.Namespace, file: TableFile, columns: Sequence[str], of_persons: Sequence[str] = ()
) -> Households:
    """The households, with their persons; columns that neither has are refused.

    Args:
        columns: of the households.
        of_persons: those that persons may have instead.
    """
    from stirred.mechanisms.tables.coded_column import check_nulls  # noqa: PLC0415 slow to load
    from stirred.mechanisms.tables.swapping import id_ranks  # noqa: PLC0415

    names = file.schema.names
    other = None if arguments.persons is None else read_table_file(arguments.persons)
    file.require((*columns, *filter(None, (arguments.id,))))
    for name in of_persons:
        if name not in names and (other is None or name not in other.schema.names):
            both = file.path if other is None else f"{file.path} or {other.path}"
            remedy = ": for columns of persons name their file, --persons and --by" if other is None else ""
            raise InputError(f"{both}: must have the column {name!r}; the first has {', '.join(names)}{remedy}")
    swapped = [*arguments.swap, *(arguments.carry if arguments.method == "targeted" else ())]
    for name in (*swapped, *filter(None, {arguments.id, arguments.by})):
        roles = [*arguments.match, *swapped, *filter(None, {arguments.id, arguments.by})]
        if roles.count(name) > 1:
            raise InputError(f"the column {name!r} must have one role; it has two")
    table = file.table(names, [])
    if not len(table):
        raise InputError(f"{file.path}: must hold at least one record; got none")
    if arguments.nulls == "refuse":
        check_nulls(file.path, [(name, table[name].null_count) for name in dict.fromkeys(columns)])
    if arguments.id is not None:
        id_ranks(file.path, arguments.id, table[arguments.id].combine_chunks())
    return Households(file, table, persons_of(arguments, file, table, swapped))


def persons_of(
    arguments: argparse.Namespace, file: TableFile, table: Any, swapped: Sequence[str]
) -> CarriedPersons | None:
    """The persons who are carried along, where any are named."""
    from stirred.mechanisms.tables.persons import read_persons  # noqa: PLC0415 slow to load

    if arguments.persons is None:
        return None
    file.require([arguments.by])
    carried = {name: table[name].combine_chunks() for name in (arguments.by, *swapped)}
    return read_persons(read_table_file(arguments.persons), arguments.by, file, carried)


def swapped_columns(table: Any, names: Sequence[str], partners: Any) -> dict[str, Any]:
    """These columns with the values of each household's partner."""
    import pyarrow as pa  # noqa: PLC0415 slow to load

    places = pa.array(partners)
    return {name: table[name].combine_chunks().take(places) for name in names}


def release_households(arguments: argparse.Namespace, households: Households, release: HouseholdRelease) -> int:
    """Write all files or none, print the specification and warnings; returns the exit status."""
    from stirred.mechanisms.tables.dependence import MOST_RECORDS, dependences  # noqa: PLC0415 slow to load
    from stirred.mechanisms.tables.writing import WholeFiles  # noqa: PLC0415

    file, table, persons, said = households.file, households.table, households.persons, release.said
    kept = [name for name in file.schema.names if name not in (*arguments.match, *release.moved)]
    held = arguments.hold or [name for name in kept if name not in (said.identifier, arguments.id)]
    file.require(held)
    for name in held:
        if name not in kept:
            raise InputError(f"the column {name!r} must have one role; it has two")
    first = table.slice(0, MOST_RECORDS)
    asked = first if persons is None else persons.beside(first, release.moved)
    staying = [*kept, *asked.column_names[len(table.column_names) :]]
    found = dependences(asked, arguments.match, staying, list(release.moved), lines=True)
    after = table
    for name, values in release.moved.items():
        after = after.set_column(after.schema.get_field_index(name), name, values)
    claim = said.claim_text() if arguments.claim else None
    stated = {} if claim is None else {"claim": {"sha256": sha256(claim.encode()).hexdigest()}}
    facts = {**release.facts, "records": len(table), **stated}
    lines = [f"{printable(arguments.microdata)}: {len(table)} records, {release.pairs} swapped"]
    with WholeFiles() as files:
        written = files.table(arguments.microdata, file.schema, [after.cast(file.schema)])
        files.text(f"{arguments.microdata}.manifest.json", manifest_text(written, file, release.mechanism, facts))
        if persons is not None:
            other = files.table(arguments.persons_output, persons.file.schema, [persons.moved(release.moved)])
            beside = {"by": arguments.by, "households": written.name, "randomness": release.facts["randomness"]}
            text = manifest_text(other, persons.file, f"{release.mechanism}, persons carried along", beside)
            files.text(f"{arguments.persons_output}.manifest.json", text)
            lines.append(f"{printable(arguments.persons_output)}: {other.rows} persons carried along")
        if release.log is not None:
            files.table(*release.log)
        if claim is not None:
            files.text(arguments.claim, claim)
    sys.stdout.write("".join(f"{line}\n" for line in lines) + said.specification.text() + "\n")
    names = [name for name in kept if name != said.identifier and len(table[name].unique()) == len(table) > 1]
    seeded = [] if arguments.seed is None else ["swapped with a seed: whoever knows it can undo the swap"]
    warned = (*release.warnings, *seeded, *identified(names, len(table)), *undone(found, list(release.moved)))
    sys.stderr.write("".join(f"stirred: {one_line(one)}\n" for one in warned))
    roles = Roles(tuple(arguments.match), tuple(held), tuple(arguments.swap), arguments.id)
    write_swap_report(arguments, said.specification, roles, None, found, outside=kept)
    return UNDECIDED if any(one.is_vacuous(list(release.moved)) for one in found) else HOLDS
