"""`stirred run topdown`: the TopDown Algorithm on files, with settings in the published form."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from json import dumps
from typing import TYPE_CHECKING, Any

import numpy as np

from stirred.mechanisms.das.topdown.algorithm import check_edits, invariants
from stirred.mechanisms.das.topdown.design import Counts, Design, Tie, Weights, form_values
from stirred.mechanisms.das.topdown.integers import nonzero
from stirred.mechanisms.das.topdown.nearest import InfeasibleError
from stirred.spec.arguments import InputError, positive_integer
from stirred.verify.cli.commands.written_example import write_example
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.files.atomic import real_path
from stirred.verify.evidence.files.bounded_file import read_text
from stirred.verify.evidence.process_control.time_limit import ended_by_interrupt
from stirred.verify.evidence.reports.lines import HOLDS
from stirred.verify.products.topdown.earlier import read_earlier
from stirred.verify.products.topdown.examples import EXAMPLES, next_commands
from stirred.verify.products.topdown.files import read_schema, read_tables
from stirred.verify.products.topdown.release import ESTIMATES, CheckedRun, write_release
from stirred.verify.products.topdown.settings import design_of, read_settings
from stirred.verify.products.topdown.specification import specification

if TYPE_CHECKING:
    from stirred.mechanisms.das.topdown.siblings import Published, Solver, Totals
    from stirred.mechanisms.fast.topdown import Estimation
    from stirred.verify.cli.commands.progress import KeptNodes

_WEIGHTS = {"precision": Weights.PRECISION, "equal": Weights.EQUAL}
_TIES = {"smallest": Tie.SMALLEST, "largest": Tie.LARGEST}
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
    parser = subparsers.add_parser(
        "topdown",
        help="the TopDown Algorithm of the 2020 Census: microdata with invariants, from noisy counts",
        description="Run the TopDown Algorithm on microdata and state the specification that it satisfies.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
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
        metavar="LEVEL=QUERY",
        help="totals of --earlier that the new records have too, at every node of the level: H(Z) = P",
    )
    parser.add_argument(
        "--no-measurements", action="store_true", help="release the records alone, which nobody can check again"
    )
    parser.add_argument("--format", choices=("parquet", "csv"), default="parquet", help="of the records")
    parser.add_argument("--estimate", choices=tuple(ESTIMATES), default="nearest", help="which integers are sought")
    parser.add_argument(
        "--weights", choices=tuple(_WEIGHTS), default="precision", help="of the squares: 1/sigma^2 or 1"
    )
    parser.add_argument("--ties", choices=tuple(_TIES), default="smallest", help="which of several nearest data sets")
    parser.add_argument(
        "--engine", choices=("processes", "spark"), default="processes", help="where nodes are estimated"
    )
    parser.add_argument("--workers", type=int, metavar="N", help="processes (default: one for each core)")
    parser.add_argument("--master", metavar="URL", help="of the cluster (default: spark-submit's, or this machine)")
    parser.add_argument("--work", metavar="FOLDER", help="where finished nodes and the key are kept meanwhile")
    parser.add_argument("--seed", type=int, help="repeatable pseudo-random noise, for experiments only")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure, estimate and write; returns the exit status."""
    if arguments.init is not None:
        return write_example(arguments.init, EXAMPLES[arguments.example](), *next_commands(arguments.example))
    for option in ("settings", "schema", "data", "output"):
        if getattr(arguments, option) is None:
            raise InputError(f"--{option} must be given, or --init alone")
    _check_engine(arguments)
    target = real_path(arguments.output)
    if target.is_symlink() or (target.exists() and (not target.is_dir() or any(target.iterdir()))):
        raise InputError(f"--output must be a new folder; {arguments.output} exists")
    if not target.parent.is_dir():
        raise InputError(f"--output must be a new folder in one that exists; got {arguments.output}")
    read = _read(arguments)
    with ended_by_interrupt():
        _release(read)
    if read.settings.unused:
        sys.stderr.write(f"stirred: settings not used: {_by_section(read.settings.unused)}\n")
    return HOLDS


def _read(arguments: argparse.Namespace) -> CheckedRun:
    settings, schema = read_settings(arguments.settings), read_schema(arguments.schema)
    if not arguments.no_measurements:
        from stirred.verify.products.topdown.measurements import check_columns  # noqa: PLC0415 slow to load

        check_columns(arguments.schema, schema.schema)
    tables = read_tables(arguments.data, schema)
    design = design_of(
        settings,
        schema.schema,
        tables.geography,
        place=tables.place,
        weights=_WEIGHTS[arguments.weights],
        tie=_TIES[arguments.ties],
        reproduced=arguments.reproduce or (),
    )
    try:
        check_edits(design, tables.histograms)
    except InputError as error:
        raise InputError(f"{arguments.data}: level {settings.levels[-1]}: {error}") from None
    earlier = None
    if arguments.earlier is not None:
        earlier = read_earlier(arguments.earlier, arguments.reproduce, schema, settings.levels, tables.geography)
    return CheckedRun(arguments, settings, design, schema, tables, earlier)


def _by_section(unused: Sequence[str]) -> str:
    """Keys as a message lists them: each section once."""
    found: dict[str, list[str]] = {}
    for one in unused:
        section, _, key = one.partition(" ")
        found.setdefault(section, []).append(key)
    return printable("; ".join(f"{section} {', '.join(keys)}" for section, keys in found.items()))


def _check_engine(arguments: argparse.Namespace) -> None:
    """Refuse options that do not go together."""
    if (arguments.earlier is None) != (arguments.reproduce is None):
        raise InputError("--earlier and --reproduce must stand together; one of them is missing")
    if arguments.engine == "spark" and arguments.workers is not None:
        raise InputError("--workers must stand without --engine spark")
    if arguments.engine != "spark" and arguments.master is not None:
        raise InputError("--master must stand with --engine spark")
    if arguments.workers is not None:
        positive_integer("--workers", arguments.workers)


def _release(one: CheckedRun) -> None:
    from stirred.mechanisms.fast.topdown import Estimation  # noqa: PLC0415 slow to load
    from stirred.mechanisms.tables.run_folder import RunFolder  # noqa: PLC0415
    from stirred.verify.cli.commands.progress import KeptNodes  # noqa: PLC0415

    arguments, design = one.arguments, one.design
    key = _key(one)
    facts = _facts(one, key)
    folder = RunFolder(arguments.work or f"{arguments.output}.parts", facts, key)
    histograms = design.summed(one.tables.histograms)
    totals = invariants(design, histograms)
    own = blake2b(dumps(facts, default=list).encode(), key=folder.key).digest()  # a seed may give other runs this key
    kept = KeptNodes(folder.path / "nodes.jsonl", design, own, sys.stderr)
    measured = one.measured(folder.path, histograms, folder.key, _processes(arguments))
    estimation = Estimation(design, measured, totals, tuple(one.published), _solver(arguments.estimate))
    try:
        with kept:
            counts = _estimated(arguments, estimation, kept)
    except InfeasibleError:
        folder.destroy()  # the same noise cannot be fitted the next time either
        raise
    _check(design, counts, totals, one.published)
    write_release(one, counts, measured, totals)
    folder.destroy()
    sys.stdout.write(specification(design, one.schema, one.earlier).text() + "\n")
    if arguments.seed is not None:
        sys.stderr.write("stirred: measured with a seed: whoever knows it can take the noise away\n")


def _key(one: CheckedRun) -> bytes:
    """The key of the noise; from the seed of the earlier release comes other noise than it had."""
    from stirred.mechanisms.fast.random_words import KEY_BYTES, run_key  # noqa: PLC0415 slow to load

    key = run_key(one.arguments.seed)
    if one.earlier is None:
        return key
    return blake2b(f"after {one.earlier.rho_squared}".encode(), key=key, digest_size=KEY_BYTES).digest()


def _estimated(arguments: argparse.Namespace, estimation: Estimation, kept: KeptNodes) -> dict[str, Counts]:
    """The counts of every node, by the engine that is asked for."""
    if arguments.engine == "spark":
        from stirred.mechanisms.spark.session import spark_session  # noqa: PLC0415 an optional dependency
        from stirred.mechanisms.spark.topdown import estimate_on_spark  # noqa: PLC0415

        return estimate_on_spark(spark_session(arguments.master), estimation, done=kept.done, keep=kept.keep)
    from stirred.mechanisms.fast.topdown import estimate  # noqa: PLC0415 slow to load

    return estimate(estimation, workers=_processes(arguments), done=kept.done, keep=kept.keep)


def _processes(arguments: argparse.Namespace) -> int:
    """How many processes of this machine share the nodes."""
    return arguments.workers or os.cpu_count() or 1


def _solver(estimate: str) -> Solver:
    from stirred.mechanisms.fast.nearest_point import fast_nearest  # noqa: PLC0415
    from stirred.mechanisms.fast.rounded_point import rounded_point  # noqa: PLC0415

    return fast_nearest if estimate == "nearest" else rounded_point


def _facts(one: CheckedRun, key: bytes) -> dict[str, object]:
    """What a run depends on; of a seed its key's checksum."""
    arguments = one.arguments
    texts = [read_text(path) for path in (*arguments.settings, arguments.schema)]
    return {
        "settings": blake2b("\0".join(texts).encode(), digest_size=16).hexdigest(),
        "files": one.tables.fingerprint,
        "earlier": one.earlier.fingerprint if one.earlier else None,
        "options": [arguments.estimate, arguments.weights, arguments.ties],
        "seed": None if arguments.seed is None else blake2b(key, digest_size=8).hexdigest(),
    }


def _check(design: Design, counts: Mapping[str, Counts], totals: Totals, published: Sequence[Published]) -> None:
    """Refuse counts that do not meet every constraint in integers, wherever they come from."""
    again = design.summed({leaf: counts[leaf] for leaf in design.geography.leaves})
    if (
        any(nonzero(of)[1].min(initial=0) < 0 for of in counts.values())
        or again != dict(counts)
        or invariants(design, again) != totals
    ):
        raise InputError("the estimate must be non-negative, sum up and keep the invariants; it does not")
    for level, nodes in enumerate(design.geography.levels):
        of_level = [one for one in published if one.aggregate.level == level]
        found = form_values([one.aggregate.row for one in of_level], [again[node] for node in nodes])
        wanted = np.array([one.values for one in of_level], dtype=np.int64).reshape(len(of_level), len(nodes)).T
        for place, number in np.argwhere(found != wanted).tolist():
            name, value = of_level[number].aggregate.name, wanted[place, number]
            raise InputError(f"{name} of {nodes[place]}: the estimate must have {value}; it has {found[place, number]}")
    check_edits(design, again)
