"""`stirred survey`: what the release of a survey loses, from the stage on where its protection starts."""

import argparse
import sys
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.audit.surveys.survey_audit import build_survey
from stirred.verify.audit.surveys.survey_file import read_survey
from stirred.verify.audit.surveys.survey_report import survey_report
from stirred.verify.commands.limits import add_limits, command_line, limits
from stirred.verify.engines.workload import Workload
from stirred.verify.reports.formats import rendered
from stirred.verify.reports.lines import HOLDS, exit_status, progress
from stirred.verify.running.time_limit import time_limit

EXAMPLE = """\
id = "town.jobs"
statement = "A noisy count of the employed in a sample of two of three persons."

[population]                      # all data sets of these records, one for each unit
schema = { employed = ["yes", "no", "missing"] }
units = 3
missing = "missing"               # the value that stands for no answer

[[stage]]
kind = "frame"

[[stage]]
kind = "design"
name = "simple-random-sample"
size = 2

[[stage]]
kind = "imputation"
name = "hot-deck"
variable = "employed"
otherwise = "no"                  # where nobody has answered

[mechanism]
name = "geometric"                # P(noise = k) in proportion to ratio^|k|
statistic = "count"
where = { employed = "yes" }
ratio = "1/2"

[protection]
starts = "frame"                  # the data that the mechanism takes; what follows is inside it
invariant = "nothing"
distance = "hamming_unordered"
resolution = "person"
"""
"""A simple random sample, imputation by hot deck, and geometric noise on a count."""


_EPILOG = """\
FILE is TOML: a population that is small enough to list, the stages of the survey in their order, how its data are
released, and where protection starts. Everything is exact: the law of the release on every possible data set.

  [population]  schema (values of each variable), units (how many, or their names), missing (the value that stands for
                no answer), collected (variables that only the survey collects: what is invariant does not fix them);
                of records that are run: weight (their column of weights), numbers (variables that may have any number
                between those listed)
  [[stage]]     kind = "frame": units, coverage
                kind = "design": name, inclusion (checked), and
                  simple-random-sample: size      bernoulli: rate            poisson: by, rates
                  stratified: by, and one of sizes, proportional, neyman (with variable)
                  randomly-rounded: by, rate      cluster: by, number        two-stage: by, number, size
                  systematic: step, order         pps: measure, size, order  sampford: measure, size
                  with-replacement: size, measure (a unit that is drawn t times weighs t/(size*p), Hansen-Hurwitz)
                kind = "non-response": rate, or by with rates; variable where only its answer is missing
                kind = "weights": name, depends_on (variables; [] where there is none), and
                  design: nothing else                non-response: by
                  post-stratification: by, totals     raking: margins (a table of totals), rounds
                  greg: totals (a table of numbers), units (of the population)
                  (margins of one sum; at most 20 rounds)
                kind = "imputation": name, variable, classes, and
                  hot-deck, class-mode: otherwise (where there is no donor)
                  sequential-hot-deck: otherwise, donations      noisy-table: ratio, largest
                rates, sizes, totals and inclusion are arrays of [value, number]
  [mechanism]   or [[mechanism]] for several releases, each with a label, and
                name = "geometric": statistic (count, total, mean), of, where, cells (variables: a number for each of
                  their values), unit (the statistic is rounded to its multiples), ratio or epsilon; of a mean
                  population (units that a total is divided by) or otherwise (sums of weights are divided by; the mean
                  of no records); largest (weight that counts), least and most (that the statistic is kept between)
                name = "randomized-response": of, flip_probability
                function = "module:function", parameters: your own program of the processed data and a source
  [calibration] counts (label of noisy counts), totals (by variable of its cells): what a run fits after the noise
  [protection]  starts (population, frame, sample, response, processed), invariant (nothing, or a stage before it),
                distance (hamming_unordered, changed_units, symmetric_difference), resolution
  [budget]      epsilon or gamma, if one is claimed

Printed are the setting, the exact loss in it, what amplification may be claimed and what may not, and the loss in every
other setting: each protects something else, so that a smaller number there is no better price.

examples:
  stirred survey --example > survey.toml      a simple random sample, hot deck, geometric noise
  stirred survey survey.toml
  stirred survey survey.toml --json
  stirred run survey --settings survey.toml --data sample.csv --output out.csv      the same on records of any number

exit status: 0 the loss is printed, and a claimed budget covers it; 1 the claimed budget is refuted; 2 usage or engine
failure; 3 it is not decided, or the setting is vacuous: it compares no two data sets, so that every mechanism satisfies
it at every budget.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "survey",
        description="The exact loss of a survey's release, in the setting of its protection and in every other one.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="a survey file")
    parser.add_argument("--example", action="store_true", help="print a survey file to start from")
    parser.add_argument("--json", action="store_true", help="print a JSON list, with exact fractions")
    add_limits(parser, "time for all of it")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Enumerate and print; returns the exit status.

    Raises:
        InputError: the file is malformed, or an exact answer would take too long; nothing has been printed then.
    """
    if arguments.example == (arguments.file is not None):
        raise InputError("FILE or --example must be given, one of them")
    if arguments.example:
        sys.stdout.write(EXAMPLE)
        return HOLDS
    allowed = limits(arguments)
    with time_limit(allowed.seconds, f"the survey of {arguments.file}"), progress(1) as display:
        display.advance(arguments.file)
        survey = build_survey(read_survey(arguments.file), allowed, Workload(arguments.file, allowed.seconds))
        found = survey_report(survey, command_line("survey", [arguments.file], arguments))
    sys.stdout.write(rendered(found, "json" if arguments.json else "text") + "\n")
    return exit_status([found.results[0].verdict.verdict])
