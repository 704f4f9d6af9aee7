"""`stirred run topdown`: the TopDown Algorithm on files, with settings in the published form."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.init import write_example
from stirred.verify.cli.commands.options import require_or_alone
from stirred.verify.cli.commands.progress import ProgressLine
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.process_control.time_limit import ended_by_interrupt
from stirred.verify.evidence.reports.lines import HOLDS
from stirred.verify.products.topdown.examples import EXAMPLES, next_commands
from stirred.verify.products.topdown.release import ESTIMATES, CheckedRun, TopDownRequest
from stirred.verify.products.topdown.specification import specification

_EPILOG = """\
examples:
  stirred run topdown --init town   write settings, a schema and made-up data
  stirred run topdown --settings town/settings.ini --schema town/schema.toml --data town/data --output released
  stirred check released            prove it again from the release alone

  stirred run topdown --init pl94 --example redistricting
      the published redistricting settings; --example dhc and dhc-units write those of the persons and units of the \
DHC (1,227,744 and 1,578,528 cells, some minutes)

  stirred run topdown --settings dhc.ini --schema town/schema.toml --data town/data --output second \
--earlier released --reproduce "Block=hhgq * votingage" County=total
      a second release that agrees with the first

Settings are in the published .ini form; of several files the first that sets a key counts. A key that affects what is \
promised is read, or refused if its value is not implemented; other published keys are listed as unused, and unknown \
keys are refused. The shares of queries are those of a published strategy, or stand under [queries]. --data is a \
folder with geography.csv (node,parent; every block, even empty ones, since the tree is public), persons or what the \
schema calls its table (the block column and the attributes) and, if the schema has [units], units; each NAME.csv, \
NAME.parquet or a folder NAME of Parquet files. Units are kept exactly by type and block; if [units] has values, they \
are measured and released as records are, and each record is a unit.

--output is a new folder that appears whole or not at all: persons (one line per released record), units if measured, \
specification.toml (a claim file) and manifest.json; and schema.toml, geography.parquet and measurements/, the noisy \
measurements and exact counts of each level in the form of the 2020 Noisy Measurement Files, from which stirred check \
proves the records without the data. The budget pays for them; --no-measurements leaves them out. Finished nodes and \
the key of the noise are kept in OUTPUT.parts (--work); the same command resumes an interrupted run, and never draws \
noise twice.

The article leaves --weights, --ties and --estimate open. Queries that cross (cenrace * hispanic with cenrace * \
votingage) can make the nearest point slow to find. --estimate rounded works in two stages as the Bureau's program \
does, least squares and then nearby integers; manifest.json lists the differences. A root of more than 50,000 cells is \
rounded on chosen cells: every other cell would be 0.

--earlier is the --output of a run on the same records. Every total named by --reproduce (a level of the settings, a \
query of the schema) is the same in both. The new specification has the sum of both budgets, and both invariants.

--engine spark estimates nodes in parallel, with the same result; the driver reads and measures records, and workers \
only see what estimation may use. On several machines --work (or --output) must be in a shared folder.

Randomness is the operating system's; --seed is for repeatable experiments, never for a release. Needs the group \
"topdown" (pip install pyarrow highspy ortools clarabel scipy), and "spark" for --engine spark.

exit status: 0 everything is written; 2 usage or engine failure.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "topdown",
        run,
        help="2020 Census TopDown Algorithm: microdata with invariants",
        description="Run the TopDown Algorithm on microdata, and state the specification that it satisfies.",
        epilog=_EPILOG,
    )
    parser.add_argument("--init", metavar="FOLDER", help="write an example into a new folder, and stop")
    parser.add_argument(
        "--example",
        choices=tuple(EXAMPLES),
        default="town",
        metavar="NAME",
        help=f"example of --init: {', '.join(EXAMPLES)} (default %(default)s)",
    )
    parser.add_argument("--settings", nargs="+", metavar="FILE", help="settings (.ini)")
    parser.add_argument("--schema", metavar="FILE", help="attributes, recodes, rules and units (TOML)")
    parser.add_argument("--data", metavar="DIR", help="geography, persons and units")
    parser.add_argument("--output", metavar="FOLDER", help="write the release into a new folder")
    parser.add_argument("--earlier", metavar="FOLDER", help="earlier release of the same records")
    parser.add_argument(
        "--reproduce",
        nargs="+",
        default=(),
        metavar="LEVEL=QUERY",
        help="totals of --earlier to reproduce at every node of a level: H(Z) = P",
    )
    parser.add_argument(
        "--no-measurements", action="store_true", help="release only the records, which nobody can re-check"
    )
    parser.add_argument("--format", choices=("parquet", "csv"), default="parquet", help="format of the records")
    parser.add_argument(
        "--estimate", choices=tuple(ESTIMATES), default="nearest", help="nearest integers, or rounded least squares"
    )
    parser.add_argument(
        "--weights", choices=("precision", "equal"), default="precision", help="weights of squares: 1/sigma^2 or 1"
    )
    parser.add_argument(
        "--ties", choices=("smallest", "largest"), default="smallest", help="choice among several nearest data sets"
    )
    parser.add_argument(
        "--engine", choices=("processes", "spark"), default="processes", help="this machine, or Apache Spark"
    )
    parser.add_argument("--workers", type=int, metavar="N", help="processes (default: one per core)")
    parser.add_argument("--master", metavar="URL", help="Spark master (default: spark-submit's, or this machine)")
    parser.add_argument("--work", metavar="FOLDER", help="where to keep finished nodes and the key")
    parser.add_argument("--seed", type=int, metavar="N", help="repeatable noise, for experiments only")


def run(arguments: argparse.Namespace) -> int:
    """Measure, estimate and write; returns the exit status."""
    if arguments.init is not None:
        return write_example(arguments.init, EXAMPLES[arguments.example](), *next_commands(arguments.example))
    require_or_alone(arguments, ("settings", "schema", "data", "output"), "--init")
    request = TopDownRequest(**{one.name: getattr(arguments, one.name) for one in fields(TopDownRequest)})
    read = CheckedRun.of(request)
    from stirred.verify.products.topdown.run import run_topdown  # noqa: PLC0415 slow to load

    with ended_by_interrupt():
        records = run_topdown(read, ProgressLine(sys.stderr, "nodes").show)
    said = specification(read.design, read.schema, read.earlier).text()
    sys.stdout.write(f"{printable(arguments.output)}: {records} records\n{said}\n")
    if arguments.seed is not None:
        sys.stderr.write("stirred: measured with a seed: whoever knows it can take the noise away\n")
    if read.settings.unused:
        sys.stderr.write(f"stirred: settings not used: {_by_section(read.settings.unused)}\n")
    return HOLDS


def _by_section(unused: Sequence[str]) -> str:
    """Keys as a message lists them: each section once."""
    found: dict[str, list[str]] = {}
    for one in unused:
        section, _, key = one.partition(" ")
        found.setdefault(section, []).append(key)
    return printable("; ".join(f"{section} {', '.join(keys)}" for section, keys in found.items()))
