"""`stirred swap`: run the Permutation Swapping Algorithm on a table of records and state its specification."""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields
from typing import Any

from stirred.mechanisms.catalogue import FIBRE_NOISE
from stirred.verify.cli.commands import pairs_swap, swap_report, targeted_swap
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.options import (
    byte_count,
    cannot_combine,
    option_name,
    parse_number,
    parse_rate,
    refuse_combined,
    require,
)
from stirred.verify.cli.commands.progress import ProgressLine
from stirred.verify.evidence.certificates.printable import one_line, printable
from stirred.verify.evidence.reports.lines import HOLDS, UNDECIDED
from stirred.verify.products.swap.request import SwapOutcome, SwapRequest

_EPILOG = """\
examples:
  stirred swap homes.csv --match size --swap county --swap-rate 1/20 --output swapped.csv
  stirred swap homes.parquet --match size --swap county --swap-rate 0.1 --microdata swapped.parquet --claim swap.toml
  stirred swap cells.csv --match size --swap county --count n --swap-rate 0.5
      only states the specification
  stirred swap homes.csv --method pairs-2010 --match persons adults --swap block --geography blocks.csv \
--swap-rate 0.1 --microdata swapped.csv
      2010-style swapping of households, which has no finite budget
  stirred swap homes.csv --method targeted --match size --swap region area --risk age sex --k-anonymity 3 \
--swap-rate 5% --persons persons.csv --by hid --microdata swapped.csv --persons-output people.csv
      targeted swapping of households, with their persons; it has no finite budget either
  stirred swap homes.csv --method fibre-noise --match size --swap county --hold tenure --epsilon 2 --output noisy.csv
      geometric noise on the tables with the same margins
  stirred swap country/ --match state size --swap county --swap-rate 0.1 --output table.parquet --memory 2GB

DATA is CSV with a header (commas, semicolons or tabs), Parquet, or a directory of Parquet files \
(size=2/part.parquet). Columns without a role are held; with --hold, the others stay with their record and are not \
tabulated. --output is the saturated contingency table of the swapped records with a column "count", as in article, \
Algorithm 1; --microdata is the swapped records, in the order and columns of the input. Each has a manifest beside it \
(NAME.manifest.json). Files named .parquet are Parquet, all others CSV with commas. Fibre noise gives the records of \
each held value their new values in random order.

Randomness is the operating system's; --seed is for repeatable experiments, never for a release.

With --memory SIZE, and by default for Parquet of 4 million records or more, records are swapped in parts kept on disk \
beside the output (--work); an interrupted run resumes when started again with the same arguments. --memory all keeps \
them in memory.

exit status: 0 the specification is stated; 2 usage or engine failure; 3 vacuous: the invariants determine the data, \
or one or two columns (of at most 12) that stay with their record determine what was swapped in the first 2^20 \
records, so that the release undoes the swap.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "swap",
        run,
        description="Swap records by the Permutation Swapping Algorithm, or add noise with the same invariants, and "
        "state the specification that is satisfied.",
        epilog=_EPILOG,
    )
    parser.add_argument("file", metavar="DATA", help="records: CSV, Parquet, or a directory of Parquet files")
    parser.add_argument("--match", nargs="*", default=[], metavar="COLUMN", help="matching variables (the swap key)")
    parser.add_argument("--swap", nargs="+", required=True, metavar="COLUMN", help="swapping variables")
    parser.add_argument("--hold", nargs="+", metavar="COLUMN", help="further holding variables (default: all others)")
    parser.add_argument("--id", metavar="COLUMN", help="column that orders the records (default: file order)")
    parser.add_argument("--count", metavar="COLUMN", help="column of how many records a line stands for")
    parser.add_argument(
        "--nulls", choices=("refuse", "category"), default="refuse", help="refuse nulls, or treat null as a category"
    )
    parser.add_argument("--swap-rate", metavar="P", help="swap rate in [0, 1]: 1/20, 0.05 or 5%%")
    parser.add_argument("--epsilon", metavar="E", help=f"budget of --method {FIBRE_NOISE}")
    parser.add_argument(
        "--resolution", default="record", metavar="UNIT", help="what one record is (default %(default)s)"
    )
    parser.add_argument("--output", metavar="FILE", help="write the swapped table")
    parser.add_argument("--microdata", metavar="FILE", help="write the swapped records")
    parser.add_argument("--claim", metavar="FILE", help="write the specification as a claim file")
    parser.add_argument("--id-prefix", metavar="NAME", help="the claim is NAME.release (default: by the file's name)")
    parser.add_argument("--persons", metavar="FILE", help="persons of the households in DATA, who move with them")
    parser.add_argument("--by", metavar="COLUMN", help="the household's id, in DATA and in the file of persons")
    parser.add_argument("--persons-output", metavar="FILE", help="write the persons with their households' new values")
    parser.add_argument("--certify", action="store_true", help="also state the certified budget of this universe")
    parser.add_argument(
        "--allow-determined",
        action="store_true",
        help="write the table even if the invariants determine the data, so that it equals the input",
    )
    parser.add_argument("--memory", metavar="SIZE", help="swap in parts within this memory (such as 2GB), or all")
    parser.add_argument("--work", metavar="FOLDER", help="where to keep the parts")
    parser.add_argument("--buckets", type=int, metavar="B", help="groups of strata, a power of two (default: by size)")
    parser.add_argument("--engine", choices=("arrow", "spark"), default="arrow", help="this machine, or Apache Spark")
    parser.add_argument("--master", metavar="URL", help="Spark master (default: spark-submit's, or this machine)")
    parser.add_argument("--bucket-records", type=int, metavar="N", help="Spark: most records of a group of strata")
    parser.add_argument("--seed", type=int, metavar="N", help="repeatable choices, for experiments only")
    parser.add_argument(
        "--method",
        choices=("psa", pairs_swap.METHOD, targeted_swap.METHOD, FIBRE_NOISE),
        default="psa",
        help="PSA (default), pairs of households as in 2010, targeted record swapping, or noise with its invariants",
    )
    pairs_swap.add_arguments(parser)
    targeted_swap.add_arguments(parser)
    swap_report.add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Swap, write and print the specification; returns the exit status."""
    swap_report.check_report(arguments)
    if arguments.method == targeted_swap.METHOD:
        return targeted_swap.run(arguments)
    targeted_swap.refuse_options(arguments)
    if arguments.method == pairs_swap.METHOD:
        return pairs_swap.run(arguments)
    given = {one.name: getattr(arguments, one.name) for one in fields(SwapRequest)}
    request = SwapRequest(**given | _numbers(arguments))
    if arguments.engine == "spark":
        from stirred.verify.products.swap.on_spark import swap_on_spark  # noqa: PLC0415 slow to load

        return _said(swap_on_spark(request))
    from stirred.verify.products.swap.on_one_machine import swap_here  # noqa: PLC0415 slow to load, and it needs Arrow

    done = swap_here(request, ProgressLine(sys.stderr).show)
    status = _said(done)
    facts = done.facts
    swap_report.write_swap_report(arguments, done.specification, facts.roles, facts.rate, facts.dependences)
    return status


def _said(done: SwapOutcome) -> int:
    """Print what was done; returns the exit status."""
    for path, cells in done.written.items():
        more = "" if cells is None else f", {cells} cells"
        sys.stdout.write(f"{printable(path)}: {done.facts.records} records{more}\n")
    if done.persons:
        sys.stdout.write(f"{printable(str(done.request.persons_output))}: {done.persons} persons carried along\n")
    sys.stdout.write(done.specification.text() + "\n")
    sys.stderr.write("".join(f"stirred: {one_line(warning)}\n" for warning in done.warnings()))
    return UNDECIDED if done.facts.is_vacuous else HOLDS


def _numbers(arguments: argparse.Namespace) -> dict[str, Any]:
    """The swap rate of the PSA, or ε of fibre noise, and the bytes of memory."""
    is_noise = arguments.method == FIBRE_NOISE
    needed, other = ("epsilon", "swap_rate") if is_noise else ("swap_rate", "epsilon")
    named = f"--method {arguments.method}"
    require(arguments, named, (needed,))
    refuse_combined(arguments, named, (other, "certify") if is_noise else (other,))
    if is_noise and arguments.engine == "spark":
        raise cannot_combine(named, "--engine spark")
    parse = parse_number if is_noise else parse_rate
    number = parse(option_name(needed), getattr(arguments, needed))
    memory = arguments.memory
    return {needed: number, "memory": memory if memory in (None, "all") else byte_count("--memory", memory)}
