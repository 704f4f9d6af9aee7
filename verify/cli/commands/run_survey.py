"""`stirred run survey`: the mechanism that `stirred survey` audits, drawn from on records of any size."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.options import refuse_combined, refuse_same_file, require_or_alone
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.files.atomic import real_path
from stirred.verify.evidence.files.bounded_file import read_table_file
from stirred.verify.evidence.process_control.time_limit import ended_by_interrupt
from stirred.verify.evidence.reports.lines import HOLDS, counted
from stirred.verify.laws.surveys.survey_audit import STAGES
from stirred.verify.products.survey.records import read_records
from stirred.verify.products.survey.run import SurveyRun, columns, read_run, rows
from stirred.verify.products.survey.specification import amplified_line, specification

EXAMPLE = """\
id = "town.employed"
statement = "Noisy counts of persons and of the employed, weighted, by region."

[population]                      # stirred survey lists all data sets of these records; a run takes any number
schema = { region = ["north", "south"], employed = [0, 1, "missing"] }
missing = "missing"
units = 2
collected = ["employed"]
weight = "weight"                 # the column of the weights in the records of a run

[[stage]]
kind = "design"
name = "bernoulli"
rate = "1/10"

[[stage]]
kind = "weights"
name = "design"
depends_on = []

[[stage]]
kind = "imputation"               # in the order of the records, a donor gives its value once
name = "sequential-hot-deck"
variable = "employed"
classes = ["region"]
otherwise = 0                     # where no donor is left
donations = 1

[[mechanism]]
label = "persons"
name = "geometric"
statistic = "count"
cells = ["region"]
largest = 40                      # weights count as at most this
unit = 10                         # totals are rounded to multiples of it
epsilon = "1/4"                   # or ratio: P(noise = k) in proportion to ratio^|k|

[[mechanism]]
label = "employed"
name = "geometric"
statistic = "total"
of = "employed"
cells = ["region"]
largest = 40
unit = 10
epsilon = "1/2"

[calibration]                     # after the noise, which costs nothing: one variable post-stratifies, several rake
counts = "persons"
totals = { region = [["north", 6000000], ["south", 4000000]] }

[protection]
starts = "sample"                 # the data that the mechanism takes
invariant = "nothing"
distance = "hamming_unordered"
resolution = "person"
"""
"""A file that both commands take: weighted counts and totals by cell, imputed, with noise, calibrated after it."""

_EPILOG = """\
FILE is the survey file that stirred survey audits: what is audited on all small data sets is sampled here, by the \
same stages and programs, on any number of records. Its keys: stirred survey --help.

DATA is CSV with a header, Parquet, or a directory of Parquet files: one line per unit, in order, one column per \
variable of population.schema; from the sample on also the weight column if the survey has weights, and class_size \
(sampled units of the response class) if answers are weighted for non-response. DATA are those of the stage where \
protection starts, or of the later --stage, if what lies between is already done. An empty field is a missing answer. \
Variables in population.numbers may be any number; beyond the listed range they count as its ends.

--output gets one line per release and cell, and one for all cells: the noisy estimate, the calibrated estimate if the \
file has [calibration], and the noise scale. Files named .parquet are Parquet, all others CSV.

The printed specification holds for data of any size, by a bound on how far one record moves each release: weights \
count as at most `largest`, a donor gives its value a limited number of times, or a statistic is clamped between \
`least` and `most`. A release without such a bound is refused. If protection starts before the sample, the output also \
says what may be claimed for the frame.

Randomness is the operating system's; --seed is for repeatable experiments, never for a release. Needs the group \
"tables" (pip install pyarrow).

examples:
  stirred run survey --example > survey.toml
  stirred survey survey.toml   the exact loss on small data sets
  stirred run survey --settings survey.toml --data sample.parquet --output out.csv --claim claim.toml

exit status: 0 everything is written; 2 usage or engine failure.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "survey",
        run,
        help="noisy counts, totals and means of a survey",
        description="Sample the mechanism of a survey file, and state the specification that it satisfies.",
        epilog=_EPILOG,
    )
    parser.add_argument("--example", action="store_true", help="print a survey file to start from, and stop")
    parser.add_argument("--settings", metavar="FILE", help="survey file (TOML)")
    parser.add_argument("--data", metavar="DATA", help="records, one line per unit")
    parser.add_argument(
        "--stage",
        choices=tuple(STAGES),
        metavar="STAGE",
        help=f"stage of the data: {', '.join(STAGES)} (default protection.starts)",
    )
    parser.add_argument("--output", metavar="FILE", help="write the estimates")
    parser.add_argument("--out", dest="output", help=argparse.SUPPRESS)
    parser.add_argument("--claim", metavar="FILE", help="write the specification as a claim file")
    parser.add_argument("--seed", type=int, metavar="N", help="repeatable noise, for experiments only")


def run(arguments: argparse.Namespace) -> int:
    """Draw, write and print the specification; returns the exit status."""
    if arguments.example:
        refuse_combined(arguments, "--example", ("settings", "data", "stage", "output", "claim", "seed"))
        sys.stdout.write(EXAMPLE)
        return HOLDS
    require_or_alone(arguments, ("settings", "data", "output"), "--example")
    read = {real_path(arguments.settings): "--settings", real_path(arguments.data): "--data"}
    refuse_same_file(arguments, ("output", "claim"), read)
    survey = read_run(arguments.settings, arguments.stage)
    with ended_by_interrupt():
        _release(arguments, survey)
    return HOLDS


def _release(arguments: argparse.Namespace, survey: SurveyRun) -> None:
    import pyarrow as pa  # noqa: PLC0415 slow to load, and an optional dependency

    from stirred.mechanisms.tables.writing import WholeFiles  # noqa: PLC0415

    records = read_records(read_table_file(arguments.data), survey.read, survey.stage)
    lines = list(rows(survey, survey.drawn(records, arguments.seed)))
    stated = specification(survey, records)
    types = {"record": pa.int64(), "estimate": pa.float64(), "calibrated": pa.float64(), "noise_scale": pa.float64()}
    schema = pa.schema([(name, types.get(name, pa.string())) for name in columns(survey)])
    with WholeFiles() as files:
        files.table(arguments.output, schema, [pa.Table.from_pylist(lines, schema)])
        if arguments.claim:
            files.text(arguments.claim, stated.claim_text())
    done = f"written, {counted(len(lines), 'line')} of {counted(len(records), 'record')}"
    sys.stdout.write(f"{printable(arguments.output)}: {done}\n{stated.text()}\n{amplified_line(survey, records)}\n")
    if arguments.seed is not None:
        sys.stderr.write("stirred: drawn with a seed: whoever knows it can take the noise away\n")
