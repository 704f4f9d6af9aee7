"""`stirred swap`: run the Permutation Swapping Algorithm on a table of records and state its specification."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict
from fractions import Fraction
from hashlib import blake2b, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stirred.mechanisms.catalogue import FIBRE_NOISE
from stirred.mechanisms.tables.manifest import manifest_text, swapped_facts
from stirred.spec.arguments import InputError, probability
from stirred.verify.cli.commands import pairs_swap
from stirred.verify.cli.commands.limits import byte_count, parse_count, parse_number
from stirred.verify.cli.commands.progress import ProgressLine
from stirred.verify.cli.commands.study_scale import committed
from stirred.verify.evidence.certificates.printable import one_line, printable
from stirred.verify.evidence.files.atomic import real_path
from stirred.verify.evidence.files.bounded_file import read_table_file
from stirred.verify.evidence.process_control.time_limit import ended_by_interrupt
from stirred.verify.evidence.reports.lines import HOLDS
from stirred.verify.products.studies.scale import Cost, rounded
from stirred.verify.products.swap.specification import (
    Setting,
    SwapFacts,
    claim_text,
    how_of,
    refuse_release,
    specification,
    stated_setting,
    warnings,
)

if TYPE_CHECKING:
    from stirred.mechanisms.tables.dependence import Dependence
    from stirred.mechanisms.tables.reading import TableFile
    from stirred.mechanisms.tables.redistribution import SwapRun
    from stirred.mechanisms.tables.roles import Roles

_PATHS = {
    "swap-parquet-memory": "in memory, Parquet",
    "swap-parquet-parts": "in parts, Parquet",
    "swap-csv-memory": "in memory, CSV",
    "swap-csv-parts": "in parts, CSV",
}
_SPARK = "swap-spark"
_GB = 10**9


def plan_lines(rows: int) -> Iterator[str]:
    """One line for each path, and from which size a cluster can pay.

    Raises:
        InputError: there is no record.

    Source: tests/benchmarks/bench_swap_paths.py and bench_spark_swapping.py, which measured the slopes.
    """
    if rows < 1:
        raise InputError(f"--plan must be a number of records of at least 1; got {rows}")
    runs = committed()
    sizes = ", ".join(f"{one.number:,}" for one in runs["swap-parquet-parts"])
    yield f"{rows:,} records, extrapolated from runs of {sizes} (six columns, 100,000 strata, microdata)"
    for name, title in _PATHS.items():
        cost = Cost.of(runs[name])
        memory = f"{rounded(cost.memory.at(rows) / _GB)} GB of memory"
        if name.endswith("parts"):
            memory = "memory at most --memory, by default 1 GB or what the largest bucket needs"
        yield f"  {title}: {rounded(cost.seconds.at(rows))} s of a processor, {memory}"
    spark, parts = Cost.of(runs[_SPARK]), Cost.of(runs["swap-parquet-parts"])
    begun = min(one.seconds for one in runs[_SPARK])
    yield (
        f"  on Spark: at least {rounded(begun)} s of processors, {rounded(spark.disk.at(rows) / _GB)} GB shuffled, "
        f"{rounded(max(one.memory for one in runs[_SPARK]) / _GB)} GB of memory where it was measured"
    )
    least = round(max(begun - parts.seconds.fixed, 0) / parts.seconds.each)
    yield (
        f"below {rounded(least)} records one core here is done, in parts, before Spark has spent what it takes to "
        "begin: a cluster pays above that, or where the records lie on it"
    )


_LEAST_EPSILON, _MOST_EPSILON = Fraction(1, 1000), 1000

_ALL = "all"
_MANY = 4_000_000
"""From so many records of Parquet parts are the cheaper path (tests/benchmarks/bench_swap_paths.py); of CSV never."""

_EPILOG = """\
examples:
  stirred swap homes.csv --match size --swap county --swap-rate 1/20 --output swapped.csv
  stirred swap homes.parquet --match size --swap county --swap-rate 0.1 --microdata swapped.parquet --claim swap.toml
  stirred swap cells.csv --match size --swap county --count n --swap-rate 0.5    (states the specification only)
  stirred swap homes.csv --method pairs-2010 --match persons adults --swap block --geography blocks.csv \\
      --swap-rate 0.1 --microdata swapped.csv    (2010-style swapping of households: no finite budget)
  stirred swap homes.csv --method fibre-noise --match size --swap county --hold tenure --epsilon 2 --output noisy.csv
      (another mechanism that keeps the same margins: geometric noise on the tables that have them)
  stirred swap country/ --match state size --swap county --swap-rate 0.1 --output table.parquet --memory 2GB

DATA is CSV with a header line, Parquet, or a directory of Parquet files (size=2/part.parquet) as one data set. Every
column without another role is held; with --hold the others stay with their record and stand in no table. --output is
the fully saturated contingency table of the swapped records, with a column "count": the released form of article,
Algorithm 1. --microdata is the swapped records themselves, in the input's order and columns. Beside each stands a
manifest (NAME.manifest.json). Files are Parquet if their names end in .parquet, and CSV otherwise.
With fibre noise the records of each held value receive their new swapped values in a random order.
Randomness is the operating system's; --seed is for repeatable experiments and must never be used for a release.
With --memory SIZE, and by default for Parquet of 4 million records or more, where that takes less time and half the
memory, the records are read in parts and kept on disk, beside the output in FOLDER (--work); a run that was interrupted
goes on where it stopped when it is started again with the same arguments. --memory all keeps them in memory.
--plan ROWS swaps nothing: it says what so many records take here, in parts and on Spark.

exit status: 0 the specification is stated; 2 usage or engine failure; 3 it is vacuous, so every mechanism satisfies it:
the invariants determine the data, and no budget says anything of them; or a column that stays with its record, or two
of at most 12, determine what is swapped in the first 2^20 records, so that whoever has the release undoes the swap.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "swap",
        description="Swap records by the Permutation Swapping Algorithm, or add noise that keeps the same margins, and "
        "state the specification that is satisfied.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "file", nargs="?", metavar="DATA", help="records: CSV, Parquet, or a directory of Parquet files"
    )
    parser.add_argument("--match", nargs="*", default=[], metavar="COLUMN", help="matching variables (the swap key)")
    parser.add_argument("--swap", nargs="+", metavar="COLUMN", help="swapping variables")
    parser.add_argument("--hold", nargs="+", metavar="COLUMN", help="other holding variables (default: all others)")
    parser.add_argument("--id", metavar="COLUMN", help="what orders the records; their place in the file otherwise")
    parser.add_argument("--count", metavar="COLUMN", help="a column that says how many records a line stands for")
    parser.add_argument(
        "--nulls", choices=("refuse", "category"), default="refuse", help="null as a value of its own, or refused"
    )
    parser.add_argument("--swap-rate", metavar="P", help="p in [0, 1], exact: 1/20 or 0.05")
    parser.add_argument("--epsilon", metavar="E", help=f"with --method {FIBRE_NOISE}: its budget, exact")
    parser.add_argument("--resolution", default="record", help="what one record is, such as household")
    parser.add_argument("--output", metavar="FILE", help="where the swapped table goes")
    parser.add_argument("--microdata", metavar="FILE", help="where the swapped records go; without either no swap")
    parser.add_argument("--claim", metavar="FILE", help="write the specification as a claim file for stirred audit")
    parser.add_argument(
        "--certify", action="store_true", help="state the certified budget of this universe beside the printed one"
    )
    parser.add_argument(
        "--allow-determined",
        action="store_true",
        help="write the table although the invariants determine the data, so that it is the input itself",
    )
    parser.add_argument("--memory", metavar="SIZE", help="swap in parts within so much memory, such as 2GB, or all")
    parser.add_argument("--work", metavar="FOLDER", help="where the parts are kept meanwhile")
    parser.add_argument("--buckets", type=int, metavar="B", help="groups of strata, a power of two (default by size)")
    parser.add_argument(
        "--engine",
        choices=("arrow", "spark"),
        default="arrow",
        help="this machine's memory, or a cluster (Apache Spark)",
    )
    parser.add_argument("--master", metavar="URL", help="of the cluster (default: spark-submit's, or this machine)")
    parser.add_argument(
        "--bucket-records", type=int, metavar="N", help="with spark, the largest group of strata that a worker takes"
    )
    parser.add_argument(
        "--plan", type=parse_count, metavar="ROWS", help="say what so many records take, and swap nothing"
    )
    parser.add_argument("--seed", type=int, help="repeatable pseudo-random choices, for experiments only")
    pairs_swap.add_arguments(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Swap, write and print the specification; returns the exit status."""
    if arguments.plan is not None:
        sys.stdout.write("".join(f"{line}\n" for line in plan_lines(arguments.plan)))
        return HOLDS
    missing = [name for name, value in (("DATA", arguments.file), ("--swap", arguments.swap)) if value is None]
    if missing:
        raise InputError(f"the following arguments are required: {', '.join(missing)}; see stirred swap --help")
    if arguments.method == pairs_swap.METHOD:
        return pairs_swap.run(arguments)
    from stirred.mechanisms.fast.random_words import run_key  # noqa: PLC0415 slow to load, and an optional dependency
    from stirred.mechanisms.tables.redistribution import SwapRun  # noqa: PLC0415
    from stirred.mechanisms.tables.roles import assign_roles  # noqa: PLC0415

    rate, epsilon = _setting(arguments)
    if arguments.engine == "spark" and rate is not None:
        from stirred.verify.products.swap.on_spark import run_on_spark  # noqa: PLC0415

        return run_on_spark(arguments, rate)
    file = read_table_file(arguments.file)
    roles = assign_roles(
        arguments.file,
        file.schema.names,
        matching=arguments.match,
        swapping=arguments.swap,
        holding=arguments.hold,
        identifier=arguments.id,
        count=arguments.count,
    )
    _check_targets(arguments, file)
    swaps = bool(arguments.output or arguments.microdata)
    nulls = arguments.nulls == "category"
    setting = (rate, epsilon) if swaps else (None, None)
    how = SwapRun(setting[0], run_key(arguments.seed), arguments.buckets, nulls, setting[1])
    with ended_by_interrupt():
        return _swap(arguments, file, roles, how, (rate, epsilon))


def _setting(arguments: argparse.Namespace) -> Setting:
    """The swap rate of the PSA, or ε of fibre noise.

    Raises:
        InputError: an option is missing, or belongs to the other method.
    """
    is_noise = arguments.method == FIBRE_NOISE
    needed, other = ("epsilon", "swap_rate") if is_noise else ("swap_rate", "epsilon")
    named = f"--method {arguments.method}"
    if getattr(arguments, needed) is None:
        raise InputError(f"{named} must have --{needed.replace('_', '-')}; got none")
    if getattr(arguments, other) is not None:
        raise InputError(f"--{other.replace('_', '-')} must stand without {named}")
    if not is_noise:
        return probability("--swap-rate", parse_number("--swap-rate", arguments.swap_rate)), None
    if arguments.engine == "spark" or arguments.certify:
        raise InputError(f"{'--certify' if arguments.certify else '--engine spark'} must stand without {named}")
    epsilon = parse_number("--epsilon", arguments.epsilon)
    if not _LEAST_EPSILON <= epsilon <= _MOST_EPSILON:
        raise InputError(f"--epsilon must be from {_LEAST_EPSILON} to {_MOST_EPSILON}; got {epsilon}")
    return None, epsilon


def _swap(arguments: argparse.Namespace, file: TableFile, roles: Roles, how: SwapRun, setting: Setting) -> int:
    from stirred.mechanisms.tables.run_folder import RunFolder  # noqa: PLC0415
    from stirred.mechanisms.tables.streaming import PartsRun  # noqa: PLC0415
    from stirred.mechanisms.tables.swapping import swap_file  # noqa: PLC0415

    if arguments.memory == _ALL or (arguments.memory is None and not _is_cheaper_in_parts(arguments, file)):
        in_memory = swap_file(file, roles, how, microdata=arguments.microdata is not None)
        facts = _facts(arguments, file, in_memory, setting)
        return _release(arguments, file, in_memory, facts, _refused_or_claimed(arguments, facts))
    memory = None if arguments.memory is None else byte_count("--memory", arguments.memory)
    if not (arguments.output or arguments.microdata) or arguments.count:
        raise InputError("--memory must come with --output or --microdata, and without --count")
    folder = RunFolder(
        arguments.work or f"{arguments.output or arguments.microdata}.parts",
        _run_facts(arguments, file, roles, how, setting),
        how.key,
    )
    parts = PartsRun(file, roles, how, folder, arguments.microdata is not None, ProgressLine(sys.stderr).show)
    swapped = parts.swapped(memory)
    facts = _facts(arguments, file, swapped, setting)
    with folder.gone_if_refused():
        claim = _refused_or_claimed(arguments, facts)
    status = _release(arguments, file, swapped, facts, claim)
    folder.destroy()
    return status


def _is_cheaper_in_parts(arguments: argparse.Namespace, file: TableFile) -> bool:
    """Whether the records are better read in parts; the records that come out are the same."""
    from stirred.mechanisms.tables.streaming import MOST_BUCKETS  # noqa: PLC0415

    swaps = (arguments.output or arguments.microdata) and not arguments.count
    few = arguments.buckets is None or arguments.buckets <= MOST_BUCKETS
    return bool(swaps and few and not file.is_csv and file.lines >= _MANY)


def _run_facts(
    arguments: argparse.Namespace, file: TableFile, roles: Roles, how: SwapRun, setting: Setting
) -> dict[str, object]:
    """What a run in parts depends on; of a seed its key's checksum."""
    seeded = arguments.seed is not None
    return {
        "files": file.fingerprint,
        "roles": asdict(roles),
        **stated_setting(setting),
        "nulls": arguments.nulls,
        "buckets": how.buckets,
        "microdata": arguments.microdata is not None,
        "seed": blake2b(how.key, digest_size=8).hexdigest() if seeded else None,
    }


def _facts(arguments: argparse.Namespace, file: TableFile, swapped: Any, setting: Setting) -> SwapFacts:
    """What the specification of the swapped records depends on."""
    sizes = swapped.sizes.of_lines() if arguments.microdata else swapped.sizes
    margins = swapped.margins() if arguments.certify else None
    rate, epsilon = setting
    lines = bool(arguments.microdata)
    found = _dependences(file, swapped.roles, lines=lines)
    return SwapFacts(swapped.roles, sizes, rate, arguments.resolution, lines, margins, epsilon, found)


def _dependences(file: TableFile, roles: Roles, *, lines: bool) -> tuple[Dependence, ...]:
    """The columns that determine what is swapped, among those that stay with their record in what is released."""
    from stirred.mechanisms.tables.dependence import dependences, first_records  # noqa: PLC0415

    more = filter(None, (*roles.carried, roles.identifier)) if lines else ()
    kept = (*roles.holding, *more)
    table = first_records(file, [*roles.matching, *kept, *roles.swapping, *filter(None, [roles.count])])
    return dependences(table, roles.matching, kept, roles.swapping, roles.count, lines=lines)


def _refused_or_claimed(arguments: argparse.Namespace, facts: SwapFacts) -> str | None:
    """The text of the claim file that is asked for; refused is what must not be written."""
    refuse_release(arguments, facts)
    return claim_text(facts) if arguments.claim else None


def _release(arguments: argparse.Namespace, file: TableFile, swapped: Any, facts: SwapFacts, claim: str | None) -> int:
    """Write what is asked for, whole or not at all, and print the specification; returns the exit status."""
    from stirred.mechanisms.tables.writing import WholeFiles  # noqa: PLC0415

    setting, said = (facts.rate, facts.epsilon), specification(facts)
    mechanism = "permutation swapping" if facts.epsilon is None else "fibre noise"
    stated = {} if claim is None else {"claim": {"sha256": sha256(claim.encode()).hexdigest()}}
    lines = []
    with WholeFiles() as files:
        for path, make in ((arguments.output, swapped.saturated), (arguments.microdata, swapped.microdata)):
            if path is not None:
                written = files.table(path, *make())
                how = {**swapped_facts(swapped), "budget": facts.stated_budget, **how_of(arguments, setting), **stated}
                files.text(f"{path}.manifest.json", manifest_text(written, file, mechanism, how))
                cells = f", {written.rows} cells" if path == arguments.output else ""
                lines.append(f"{printable(path)}: {swapped.records} records{cells}\n")
        if claim is not None:
            files.text(arguments.claim, claim)
    sys.stdout.write("".join(lines))
    if lines and arguments.seed is not None:
        sys.stderr.write("stirred: swapped with a seed: whoever knows it can undo the swap\n")
    sys.stdout.write(said.text() + "\n")
    identifying = swapped.identifying()
    sys.stderr.write("".join(f"stirred: {one_line(warning)}\n" for warning in warnings(facts, identifying)))
    return facts.status


def _check_targets(arguments: argparse.Namespace, file: TableFile) -> None:
    """Refuse to write over the records, two outputs in one file, and records where a line stands for several."""
    inputs = {real_path(name) for name in (arguments.file, *file.files)}
    named: dict[Path, str] = {}
    for option in ("output", "microdata", "claim"):
        path = getattr(arguments, option)
        if path is None:
            continue
        target = real_path(path)
        if target in inputs or any(one in target.parents for one in inputs):
            raise InputError(f"--{option} must not be the file of records; got {path}")
        if target in named:
            raise InputError(f"--{option} must be another file than --{named[target]}; got {path}")
        named[target] = option
    if arguments.microdata and arguments.count:
        raise InputError("--microdata must stand without --count: its lines are records")
