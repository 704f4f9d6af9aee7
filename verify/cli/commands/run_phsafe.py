"""`stirred run phsafe`: PHSafe on files in the published schema, with the published settings."""

import argparse
import shutil
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

from stirred.mechanisms.das.phsafe.published_parts import published_parts
from stirred.mechanisms.das.phsafe.statements import Counting, CubeRow
from stirred.mechanisms.fast.phsafe_settings import RunSettings
from stirred.mechanisms.fast.random_words import run_key
from stirred.mechanisms.tables.manifest import randomness
from stirred.mechanisms.tables.run_folder import RunFolder
from stirred.spec.arguments import InputError, parse_exact
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.init import write_example
from stirred.verify.cli.commands.options import refuse_combined, require_or_alone, requires
from stirred.verify.cli.commands.progress import ProgressLine
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.files.atomic import real_path, write_whole
from stirred.verify.evidence.process_control.time_limit import ended_by_interrupt
from stirred.verify.evidence.reports.lines import HOLDS
from stirred.verify.products.phsafe.example import NEXT, example_files
from stirred.verify.products.phsafe.settings import check_total, read_settings
from stirred.verify.products.phsafe.specification import specification
from stirred.verify.products.phsafe.tables import Randomness, appear, make_table, run_non_private

_EPILOG = """\
Settings are the published JSON: privacy_budget (rho of each table and level, or epsilon with privacy_defn "puredp"), \
tau, state_filter, privacy_defn; "total_budget" may state the total. A budget of 0 releases nothing, and Infinity \
exact counts, for tests. DIR has geo, units and persons with the published columns, each NAME.csv or NAME.parquet, as \
a file or a folder of parts. --output gets a folder per table, NAME/NAME.csv with fields separated by | and \
NAME/_manifest.json. It appears whole or not at all: finished tables are kept in OUTPUT.parts (--work) with the key of \
the noise, and the same command resumes an interrupted run.

A MAFID without a unit, or with several, is dropped, and a row without a cell is not counted. A MAFID that geo names \
twice is dropped, even if one place is outside state_filter, since a unit in two places would count twice against one \
budget. Every state of state_filter has its groups, even one without a place in geo, so that geo's states are not \
revealed. The published program departs from both; two options do as it does. --each-place leaves out places outside, \
and counts a unit once per pair of rows left to its MAFID, the second of a housing unit (its persons are dropped): \
unit tables then spend k^2 times their rho, or k times their epsilon, for the k pairs of a MAFID at most, as the \
specification states. \
--states-of-geo only has groups of states that geo has a housing unit in. --validate refuses files that do not have \
the same MAFIDs, each unit and place once. A value outside its column's domain is always refused. No budget covers \
what a refusal reveals about the records (PHSafe, section 6.1).

--non-private writes what the published command of that name does, to compare with its tests: exact counts with \
totals, no truncation, PH8_num as the sum of the units' FINAL_POP, a repeated MAFID once per pair. It only needs \
state_filter. As there, PH3 has no iteration I.

Randomness is the operating system's; --seed is for repeatable experiments, never for a release. Needs the group \
"phsafe" (pip install duckdb), or "spark".

examples:
  stirred run phsafe --init sdhc   write the published settings and made-up data
  stirred run phsafe --settings sdhc/phsafe_us.json --data sdhc/data --output tables --claim phsafe.toml
  stirred run phsafe --settings config.json --data hdfs:///cef --output tables --engine spark --master yarn

exit status: 0 everything is written; 2 usage or engine failure.
"""


_WITH_NOISE = ("claim", "total", "seed", "work", "each_place", "states_of_geo")
"""Options that mean nothing without noise."""


class _Records(Protocol):
    """Files that were opened and checked."""

    def counted(self, table: str) -> list[CubeRow]:
        """The rows of a run by state, iterations and cell."""

    def places(self, states: Sequence[str]) -> dict[str, int]:
        """The states of these that geo has a place in, with the most pairs of a MAFID."""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "phsafe",
        run,
        help="2020 Census S-DHC: noisy counts of persons in households",
        description="Run PHSafe on files in the published schema, and state the specification that it satisfies.",
        epilog=_EPILOG,
    )
    parser.add_argument("--init", metavar="FOLDER", help="write an example into a new folder, and stop")
    parser.add_argument("--settings", metavar="FILE", help="budgets, thresholds and states (JSON)")
    parser.add_argument("--data", metavar="DIR", help="folder of geo, units and persons")
    parser.add_argument("--output", metavar="DIR", help="write the tables into a new or empty folder")
    parser.add_argument("--out", dest="output", help=argparse.SUPPRESS)
    parser.add_argument("--claim", metavar="FILE", help="write the specification as a claim file")
    parser.add_argument("--total", metavar="RHO", help="required total budget (exact)")
    parser.add_argument("--work", metavar="DIR", help="where to keep finished tables (default OUTPUT.parts)")
    parser.add_argument("--engine", choices=("duckdb", "spark"), default="duckdb", help="this machine, or Apache Spark")
    parser.add_argument("--master", metavar="URL", help="Spark master (default: spark-submit's, or this machine)")
    parser.add_argument(
        "--non-private", action="store_true", help="write exact tables, as the published command does; not a release"
    )
    parser.add_argument(
        "--each-place", action="store_true", help="count a unit once per pair of its rows in geo, as published"
    )
    parser.add_argument(
        "--states-of-geo", action="store_true", help="leave out groups of states without a place in geo, as published"
    )
    parser.add_argument("--validate", action="store_true", help="refuse files that disagree on MAFIDs")
    parser.add_argument("--seed", type=int, metavar="N", help="repeatable noise, for experiments only")
    parser.add_argument("--debug-confidential", action="store_true", help="allow confidential values in messages")


def run(arguments: argparse.Namespace) -> int:
    """Count, draw, write and print the specification; returns the exit status."""
    if arguments.init is not None:
        return write_example(arguments.init, example_files(), NEXT)
    require_or_alone(arguments, ("settings", "data", "output"), "--init")
    if arguments.debug_confidential:
        sys.stderr.write("stirred: --debug-confidential: messages may show values of confidential records\n")
    return _without_noise(arguments) if arguments.non_private else _with_noise(arguments)


def _without_noise(arguments: argparse.Namespace) -> int:
    _check_output(arguments)
    refuse_combined(arguments, "--non-private", _WITH_NOISE, "exact counts have no budget and no noise")
    with ended_by_interrupt(), ExitStack() as opened:
        run_non_private(
            arguments.settings,
            Path(arguments.output),
            lambda counting, work: _opened(arguments, counting, work, opened).counted,
        )
    _say_written(arguments.output)
    sys.stderr.write("stirred: --non-private: these tables hold exact confidential counts, no release\n")
    return HOLDS


def _with_noise(arguments: argparse.Namespace) -> int:
    settings, unused = read_settings(arguments.settings)
    settings = replace(settings, each_place=arguments.each_place)
    if arguments.total is not None:
        check_total(settings, parse_exact("--total", arguments.total))
    _check_targets(arguments, settings)
    key = run_key(arguments.seed)
    with ended_by_interrupt():
        work = RunFolder(
            arguments.work or f"{arguments.output.rstrip('/')}.parts", _facts(arguments, settings, key), key
        )
        try:
            pairs = _make_tables(arguments, settings, work)
        except InputError:
            if not any((work.path / "tables").glob("*")):
                work.destroy()
            raise
        if arguments.claim:
            write_whole(arguments.claim, specification(settings, pairs).claim_text())
        appear(work.path / "tables", Path(arguments.output))
        work.destroy()
    _say_written(arguments.output)
    sys.stdout.write(specification(settings, pairs).text() + "\n")
    if unused:
        sys.stderr.write(f"stirred: settings not used: {', '.join(unused)}\n")
    if settings.total is None:
        sys.stderr.write("stirred: a budget is Infinity: these tables hold exact confidential counts, no release\n")
    if arguments.seed is not None:
        sys.stderr.write("stirred: drawn with a seed: whoever knows it can take the noise away\n")
    return HOLDS


def _say_written(output: str) -> None:
    for table in sorted(path.name for path in Path(output).iterdir()):
        sys.stdout.write(f"{printable(output)}/{table}: written\n")


def _check_targets(arguments: argparse.Namespace, settings: RunSettings) -> None:
    """Refuse a run that would release nothing, or write where something stands."""
    if not settings.tables:
        raise InputError(f"{arguments.settings}: privacy_budget must have a budget above 0; it has none")
    out = _check_output(arguments)
    if arguments.claim:
        if settings.total is None:
            raise requires("--claim", "finite budgets: without noise there is nothing to claim")
        if out in real_path(arguments.claim).parents:
            raise InputError(f"{arguments.claim}: must lie apart from the tables")


def _check_output(arguments: argparse.Namespace) -> Path:
    """The path of the output, where nothing stands yet."""
    out, data = real_path(arguments.output), real_path(arguments.data)
    if out.is_symlink() or (out.exists() and (not out.is_dir() or any(out.iterdir()))):
        raise InputError(f"{arguments.output}: must not exist yet, or be an empty folder: one release is drawn once")
    if out == data or data in out.parents or out in data.parents:
        raise InputError(f"{arguments.output}: must lie apart from the data")
    return out


def _facts(arguments: argparse.Namespace, settings: RunSettings, key: bytes) -> dict[str, object]:
    """What a run depends on; of a seed its key's checksum."""
    return {
        "program": "phsafe",
        "settings": repr(settings),
        "states of geo": arguments.states_of_geo,
        "data": _files(arguments),
        "seed": None if arguments.seed is None else blake2b(key, digest_size=8).hexdigest(),
    }


def _files(arguments: argparse.Namespace) -> list[list[object]]:
    """The files of records on this machine, as they are now."""
    if arguments.engine == "spark":
        return [[arguments.data]]
    found = [path for parts in published_parts(arguments.data).values() for path in parts]
    stats = [(str(real_path(path)), path.stat()) for path in found]
    return [[path, stat.st_ino, stat.st_size, stat.st_mtime_ns] for path, stat in stats]


def _make_tables(arguments: argparse.Namespace, settings: RunSettings, work: RunFolder) -> int:
    """Make every table that the work folder has not yet; returns how often a unit counts at most."""
    folder = work.path / "tables"
    folder.mkdir(exist_ok=True)
    waiting = [table for table in settings.tables if not (folder / table).exists()]
    noise = Randomness(work.key, randomness(arguments.seed))
    progress = ProgressLine(sys.stderr, "tables")
    before = _files(arguments)
    pairs = 1
    with ExitStack() as opened:
        if waiting or settings.each_place:
            records = _opened(arguments, settings, work.path, opened)
            settings, pairs = _of_geo(arguments, settings, records)
        for done, table in enumerate(waiting):
            progress.show("PHSafe", done, len(waiting))
            make_table(folder, table, settings, records.counted(table), noise)
    progress.show("PHSafe", len(waiting), len(waiting))
    if _files(arguments) != before:
        shutil.rmtree(folder)
        raise InputError(f"{arguments.data}: must not change while it is read; it has")
    return pairs


def _of_geo(arguments: argparse.Namespace, settings: RunSettings, records: _Records) -> tuple[RunSettings, int]:
    """The settings with the states that are released, and how often a unit counts at most."""
    if not (settings.each_place or arguments.states_of_geo):
        return settings, 1
    places = records.places(settings.states)
    if arguments.states_of_geo:
        if not places:
            raise InputError(f"{arguments.data}: geo must have a housing unit's place in a state of state_filter")
        settings = replace(settings, states=tuple(state for state in settings.states if state in places))
    return settings, max(places.values(), default=1) if settings.each_place else 1


def _opened(arguments: argparse.Namespace, counting: Counting, work: Path, opened: ExitStack) -> _Records:
    """The files of records, after every one was checked."""
    confidential = arguments.debug_confidential
    if arguments.engine == "spark":
        from stirred.mechanisms.spark.phsafe import PublishedRecords  # noqa: PLC0415 an optional dependency
        from stirred.mechanisms.spark.session import spark_session  # noqa: PLC0415

        session = spark_session(arguments.master)
        return opened.enter_context(
            PublishedRecords(session, arguments.data, counting, confidential=confidential, validate=arguments.validate)
        )
    from stirred.mechanisms.fast.phsafe import PublishedFiles  # noqa: PLC0415

    return opened.enter_context(
        PublishedFiles(arguments.data, counting, work=work, confidential=confidential, validate=arguments.validate)
    )
