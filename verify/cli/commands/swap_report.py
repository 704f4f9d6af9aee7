"""`stirred swap --report`, and the same of `stirred audit --data --html`: what a swap did, on one page."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from stirred.mechanisms.tables.roles import Roles
from stirred.spec.arguments import InputError
from stirred.verify.cli.commands.options import cannot_combine, refuse_same_file, requires
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.files.atomic import real_path, write_whole
from stirred.verify.evidence.reports.provenance import made_at, without_folders

if TYPE_CHECKING:
    from stirred.mechanisms.tables.dependence import Dependence
    from stirred.verify.products.specification import ReleaseSpecification
    from stirred.verify.products.swap.effects import EffectsReport

_TABLES_HELP = "with the report: published tables, as of run cell-key"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the report."""
    parser.add_argument("--report", metavar="FILE.html", help="write a page of what the swap did to the records")
    add_tables(parser)


def add_tables(parser: argparse._ActionsContainer) -> None:
    """Declare the published tables."""
    parser.add_argument("--tables", metavar="FILE", help=_TABLES_HELP)


def check_report(arguments: argparse.Namespace) -> None:
    """Refuse a report that cannot be written, before anything is swapped."""
    if arguments.report is None:
        if arguments.tables is not None:
            raise requires("--tables", "--report")
        return
    if not (arguments.microdata or arguments.output):
        raise requires("--report", "--microdata or --output")
    if arguments.engine == "spark":
        raise cannot_combine("--report", "--engine spark", "audit the files with --data and --html")
    names = {"file": "DATA", "tables": "--tables", "output": "--output", "microdata": "--microdata", "claim": "--claim"}
    given = {real_path(file): name for key, name in names.items() if (file := getattr(arguments, key)) is not None}
    refuse_same_file(arguments, ("report",), given)
    if not real_path(arguments.report).parent.is_dir():
        raise InputError(f"{arguments.report}: cannot be written: its folder does not exist")
    _tables_of(arguments.tables, [arguments.file, *filter(None, [arguments.persons])])


def _tables_of(path: str | None, files: Sequence[str]) -> Sequence[Mapping[str, tuple[str, ...]]]:
    """The published tables by name, for each file those of its columns."""
    from stirred.verify.evidence.files.bounded_file import read_table_file  # noqa: PLC0415 slow to load
    from stirred.verify.products.cell_key import read_tables  # noqa: PLC0415

    if path is None:
        return [{} for _ in files]
    columns = [read_table_file(file).schema.names for file in files]
    for name, query in (named := read_tables(path).by).items():
        missing = [[column for column in query if column not in one] for one in columns]
        if all(missing):
            raise InputError(f"{path}: table {name!r} must name columns of the records; got {missing[-1][0]!r}")
    return [{name: query for name, query in named.items() if set(query) <= {*one}} for one in columns]


def write_swap_report(
    arguments: argparse.Namespace,
    specification: ReleaseSpecification,
    roles: Roles,
    rate: Fraction | None,
    found: tuple[Dependence, ...],
    *,
    outside: Sequence[str] | None = None,
) -> None:
    """Write the page of a swap, where it is asked for, and say so.

    Args:
        rate: p of the PSA; None for other methods.
        found: the columns that determine what is swapped, or nearly.
        outside: the columns that stay with their record without a role; by default all others.
    """
    if arguments.report is None:
        return
    from stirred.verify.evidence.reports.page import figures_page  # noqa: PLC0415 slow to load

    files = arguments.file, arguments.microdata or arguments.output
    persons = (arguments.persons, arguments.persons_output) if arguments.persons else None
    report = effects_of(files, roles, rate, tables=arguments.tables, persons=persons, found=found, outside=outside)
    again = ["stirred", "audit", arguments.claim or "CLAIM.toml", "--data", *files]
    again += ["--persons", *persons] if persons else []
    again += ["--tables", arguments.tables] if arguments.tables else []
    command = shlex.join(without_folders(word, [word]) for word in (*again, "--html", "page.html"))
    page = figures_page(
        f"What the swap of {without_folders(files[0], files)} did",
        specification.blocks.questions(),
        (report.lead, report.figures),
        command if arguments.method == "psa" else None,
        f"{made_at():%Y-%m-%d}",
    )
    write_whole(arguments.report, page + "\n")
    sys.stdout.write(f"{printable(arguments.report)}: written\n")


def effects_of(
    files: tuple[str, str],
    roles: Roles,
    rate: Fraction | None,
    *,
    tables: str | None = None,
    persons: Sequence[str] | None = None,
    found: tuple[Dependence, ...] = (),
    outside: Sequence[str] | None = None,
) -> EffectsReport:
    """The figures of the records before and after a swap, and of persons who were carried along.

    Args:
        rate: p of the PSA; None for other methods.
        tables: the file of published tables; a table is of each file that has its columns.
        persons: the files of persons before and after.
    """
    from stirred.mechanisms.tables.line_pairs import compare_lines  # noqa: PLC0415 slow to load
    from stirred.mechanisms.tables.swap_effects import swap_effects  # noqa: PLC0415
    from stirred.verify.evidence.files.bounded_file import read_table_file  # noqa: PLC0415
    from stirred.verify.products.swap.effects import effects_report, with_persons  # noqa: PLC0415

    named, *others = _tables_of(tables, [files[0], *(persons or ())[:1]])
    original, released = map(read_table_file, files)
    effects = swap_effects(original, released, roles, tuple(dict.fromkeys(named.values())), outside)
    report = effects_report(effects, rate, named, found)
    if persons is None:
        return report
    before, after = map(read_table_file, persons)
    swapped = tuple(name for name in roles.swapping if name in before.schema.names)
    after.require(before.schema.names)
    same = compare_lines(before, after, [name for name in before.schema.names if name not in swapped], swapped)
    if not swapped or not same.are_lines_equal:
        why = f"does not hold those of {before.path} line by line" if swapped else "has no column that is swapped"
        line = without_folders(f"of the persons nothing is shown: {after.path} {why}", [before.path, after.path])
        return replace(report, lead=(*report.lead, line))
    own = [name for name in before.schema.names if name not in original.schema.names]
    asked = dict.fromkeys(name for query in others[0].values() for name in query if name not in swapped)
    carried = Roles((), tuple(asked or own), swapped)
    return with_persons(report, swap_effects(before, after, carried, tuple(others[0].values()), own), others[0])
