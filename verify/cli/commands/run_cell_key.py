"""`stirred run cell-key`: tables of records by the cell key method, with a published p-table."""

import argparse
import sys
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError, integer, nonnegative
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.options import cannot_combine, parse_number, refuse_same_file, requires
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.files.atomic import real_path
from stirred.verify.evidence.process_control.time_limit import ended_by_interrupt
from stirred.verify.evidence.reports.lines import HOLDS, counted
from stirred.verify.laws.p_table_file import read_p_table
from stirred.verify.products.cell_key import claim_text, read_tables, released, specification
from stirred.verify.products.swap.request import claim_id

_EPILOG = """\
RECORDS is CSV with a header (commas, semicolons or tabs), Parquet, or a directory of Parquet files, one line per \
record. The p-table is in ONS's form (pcv, ckey, pvalue), that of R's ptable and of tau-Argus (i, v, p_int_ub), or \
SuperSTAR's (.pert).

TABLES is TOML: [[table]] with name and by, the variables of the table, [] for the number of all records; and \
[values] with all values of a variable, so that which of them occur is not told. Every combination of values is a \
cell. --output gets one line per table and cell: table, the variables, count. A file named .parquet is Parquet.

The key of a cell is the sum of its records' keys modulo the number of keys of the p-table: --keys names their column. \
Without it keys are drawn, each time anew: then two runs differ, and their mean tells more than one. --fresh draws a \
key for each cell instead.

Randomness is the operating system's; --seed is for repeatable experiments, never for a release. Needs the group \
"tables" (pip install pyarrow).

examples:
  stirred run cell-key records.parquet --tables tables.toml --ptable p.csv --keys rkey --output counts.csv
  stirred run cell-key records.parquet --tables tables.toml --ptable p.csv --output counts.csv --claim counts.toml
  stirred audit p.csv counts.toml
      what one count needs, and whether the claim of one table covers it

exit status: 0 everything is written; 2 usage or engine failure.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "cell-key",
        run,
        help="tables of counts, changed by a p-table and keys",
        description="Count tables of records, change each count by a p-table at the key of its cell, and state what is "
        "known of the release.",
        epilog=_EPILOG,
    )
    parser.add_argument("records", metavar="RECORDS", help="records, one line each")
    parser.add_argument("--tables", metavar="FILE", required=True, help="the tables to release (TOML)")
    parser.add_argument("--ptable", metavar="FILE", required=True, help="the p-table")
    parser.add_argument("--keys", metavar="COLUMN", help="the column of the records' keys, 0 to K - 1")
    parser.add_argument("--fresh", action="store_true", help="draw a key for each cell instead")
    parser.add_argument("--output", metavar="FILE", required=True, help="write the counts")
    parser.add_argument("--claim", metavar="FILE", help="write a claim of one table, beside the p-table, for audit")
    parser.add_argument("--epsilon", metavar="E", help="the claim's epsilon, with the smallest delta at it (default 1)")
    parser.add_argument("--seed", type=int, metavar="N", help="repeatable keys, for experiments only")


def run(arguments: argparse.Namespace) -> int:
    """Count, change, write and print the specification; returns the exit status."""
    if arguments.keys is not None and arguments.fresh:
        raise cannot_combine("--fresh", "--keys")
    if arguments.keys is not None and arguments.seed is not None:
        raise cannot_combine("--seed", "--keys", "nothing is drawn")
    if arguments.seed is not None:
        integer("--seed", arguments.seed, minimum=0)
    read = {real_path(getattr(arguments, name)): f"--{name}" for name in ("tables", "ptable")}
    if arguments.epsilon is not None and arguments.claim is None:
        raise requires("--epsilon", "--claim")
    refuse_same_file(arguments, ("output", "claim"), {**read, real_path(arguments.records): "RECORDS"})
    with ended_by_interrupt():
        _release(arguments)
    return HOLDS


def _release(arguments: argparse.Namespace) -> None:
    from stirred.mechanisms.fast.random_words import random_words  # noqa: PLC0415 slow to load
    from stirred.mechanisms.tables.writing import WholeFiles  # noqa: PLC0415 an optional dependency

    tables, p_table = read_tables(arguments.tables), read_p_table(arguments.ptable)
    words, is_fresh = random_words(arguments.seed), arguments.fresh
    claim = None
    if arguments.claim is not None:
        if real_path(arguments.claim).parent != real_path(arguments.ptable).parent:
            raise InputError(f"--claim must be in the folder of the p-table, which it names; got {arguments.claim}")
        epsilon = nonnegative("--epsilon", parse_number("--epsilon", arguments.epsilon or "1"))
        claim = claim_text(claim_id(None, arguments.claim), tables, p_table, Path(arguments.ptable).name, epsilon)
    schema, parts, records = released(arguments.records, tables, p_table, arguments.keys, words, is_fresh=is_fresh)
    with WholeFiles() as files:
        written = files.table(arguments.output, schema, parts)
        if claim is not None:
            files.text(arguments.claim, claim)
    done = f"written, {counted(written.rows, 'cell')} of {counted(records, 'record')}"
    blocks = specification(tables, p_table, is_fresh=is_fresh)
    sys.stdout.write(f"{printable(arguments.output)}: {done}\n{blocks.text()}\n")
    if arguments.seed is not None:
        sys.stderr.write("stirred: drawn with a seed: whoever knows it can take the noise away\n")
