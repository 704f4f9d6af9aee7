"""`stirred run topdown`: the TopDown Algorithm on files, with settings in the published form."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.init import write_example
from stirred.verify.cli.commands.progress import ProgressLine
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.files.atomic import real_path
from stirred.verify.evidence.process_control.time_limit import ended_by_interrupt
from stirred.verify.evidence.reports.lines import HOLDS
from stirred.verify.products.topdown.examples import EXAMPLES, next_commands
from stirred.verify.products.topdown.release import ESTIMATES, CheckedRun, TopDownRequest
from stirred.verify.products.topdown.specification import specification

_EPILOG = """\
examples:
  stirred run topdown --init town                   write settings, a schema and a made population to start from
  stirred run topdown --settings town/settings.ini --schema town/schema.toml --data town/data --output released

  stirred check released                            shown again from the release alone

  stirred run topdown --init pl94 --example redistricting            the published settings, a schema and made data
  stirred run topdown --settings pl94/pl94_person_US.ini pl94/pl94_person_default.ini --schema pl94/schema.toml \\
    --data pl94/data --output redistricting

  stirred run topdown --settings dhc.ini --schema town/schema.toml --data town/data --output second \\
    --earlier released --reproduce "Block=hhgq * votingage" County=total      a second run that agrees with the first

  stirred run topdown --init us --example dhc       the published settings for the persons of the DHC, 1,227,744 cells,
                                                    and the two commands that run them, which take some minutes
  stirred run topdown --init homes --example dhc-units                 those for its units: 1,578,528 cells, 35 types

Settings are in the published .ini form; of several files the first one that sets a key counts. A key that decides what
is promised is read, or refused where its value is not implemented; the others of the published files are named as not
used, and any other key is refused. The shares of queries are those of a published strategy, or stand under [queries].
--data is a folder with geography.csv (node,parent; every block, also the empty ones: the tree is public), persons or
what the schema calls its table (the column of blocks and the attributes) and, where the schema has [units], units; each
NAME.csv, NAME.parquet or a folder NAME of Parquet files. Units are kept exactly by type and block; where [units] has
values, they are measured and released as records are, and each record is a unit.

--output is a new folder that appears whole or not at all: persons (one line for each record that was released), units
where they were measured, specification.toml (a claim file for stirred audit) and manifest.json; and what the records
follow from, so that `stirred check OUTPUT` can show without the data that they do: schema.toml, geography.parquet and
measurements/, with the noisy measurements and what is kept exactly at each level, in the form of the Noisy Measurement
Files of the 2020 Census. They are a part of what the budget pays for; --no-measurements leaves them out. What was drawn
and finished nodes are kept beside it in OUTPUT.parts (--work) with the key of the noise; after an interruption the same
command goes on, and no noise is drawn a second time. What the article leaves open: --weights, --ties, --estimate.
Queries that cross (cenrace * hispanic and cenrace * votingage) can make the nearest point slow to find. --estimate
rounded has two stages as the Bureau's program, least squares among real numbers and then integers near to them;
manifest.json lists what that program does otherwise. A root of more than 50,000 cells is rounded on cells that are
chosen: every other one would get nothing.

--earlier is the folder that another run of this command wrote from the same records; every total that --reproduce
names (a level of the settings and a query of the schema) is the same in both. The new release depends on the earlier
one, so its specification has the sum of both budgets and the invariants of both.

--engine spark estimates each level by jobs of many nodes, and finds the same counts; records are read and measured by
the driver, and workers get what estimation may look at, never a record. They read the noisy measurements that were
written as they were drawn: on several machines --work (or --output) must be in a folder that all of them share.

Randomness is the operating system's; --seed is for repeatable experiments and must never be used for a release.
Needs the group "topdown" (pip install pyarrow highspy ortools clarabel scipy), and "spark" for --engine spark.
Exit status: 0 when all is written, 2 otherwise.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "topdown",
        run,
        help="the TopDown Algorithm of the 2020 Census: microdata with invariants, from noisy counts",
        description="Run the TopDown Algorithm on microdata and state the specification that it satisfies.",
        epilog=_EPILOG,
    )
    parser.add_argument("--init", metavar="FOLDER", help="write an example into a new folder, and run nothing")
    parser.add_argument("--example", choices=tuple(EXAMPLES), default="town", help="which example --init writes")
    parser.add_argument("--settings", nargs="+", metavar="FILE", help="settings, .ini")
    parser.add_argument("--schema", metavar="FILE", help="attributes, recodes, rules and units, TOML")
    parser.add_argument("--data", metavar="DIR", help="geography, persons and units")
    parser.add_argument("--output", metavar="FOLDER", help="a new folder for what is released")
    parser.add_argument(
        "--earlier", metavar="FOLDER", help="what was released before of the same records: the --output of another run"
    )
    parser.add_argument(
        "--reproduce",
        nargs="+",
        default=(),
        metavar="LEVEL=QUERY",
        help="totals of --earlier that the new records have too, at every node of the level: H(Z) = P",
    )
    parser.add_argument(
        "--no-measurements", action="store_true", help="release the records alone, which nobody can check again"
    )
    parser.add_argument("--format", choices=("parquet", "csv"), default="parquet", help="of the records")
    parser.add_argument("--estimate", choices=tuple(ESTIMATES), default="nearest", help="which integers are sought")
    parser.add_argument(
        "--weights", choices=("precision", "equal"), default="precision", help="of the squares: 1/sigma^2 or 1"
    )
    parser.add_argument(
        "--ties", choices=("smallest", "largest"), default="smallest", help="which of several nearest data sets"
    )
    parser.add_argument(
        "--engine", choices=("processes", "spark"), default="processes", help="where nodes are estimated"
    )
    parser.add_argument("--workers", type=int, metavar="N", help="processes (default: one for each core)")
    parser.add_argument("--master", metavar="URL", help="of the cluster (default: spark-submit's, or this machine)")
    parser.add_argument("--work", metavar="FOLDER", help="where finished nodes and the key are kept meanwhile")
    parser.add_argument("--seed", type=int, help="repeatable pseudo-random noise, for experiments only")


def run(arguments: argparse.Namespace) -> int:
    """Measure, estimate and write; returns the exit status."""
    if arguments.init is not None:
        return write_example(arguments.init, EXAMPLES[arguments.example](), *next_commands(arguments.example))
    for option in ("settings", "schema", "data", "output"):
        if getattr(arguments, option) is None:
            raise InputError(f"--{option} must be given, or --init alone")
    request = TopDownRequest(**{one.name: getattr(arguments, one.name) for one in fields(TopDownRequest)})
    target = real_path(arguments.output)
    if target.is_symlink() or (target.exists() and (not target.is_dir() or any(target.iterdir()))):
        raise InputError(f"--output must be a new folder; {arguments.output} exists")
    if not target.parent.is_dir():
        raise InputError(f"--output must be a new folder in one that exists; got {arguments.output}")
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
