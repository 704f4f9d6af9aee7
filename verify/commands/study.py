"""`stirred study`: what a mechanism does to statistics, on data, with a table and pictures."""

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import Any

from stirred.spec.arguments import positive_integer
from stirred.verify.certificates.printable import printable
from stirred.verify.commands.limits import add_jobs
from stirred.verify.commands.study_libraries import add_libraries
from stirred.verify.commands.study_scale import add_scale
from stirred.verify.reports.lines import HOLDS, counted, finding_line
from stirred.verify.studies.carried_out import carry_out
from stirred.verify.studies.studies import STUDIES
from stirred.verify.studies.study import Study

_AFTER = """
FOLDER gets the table (CSV), the pictures (SVG and PNG, readable in black and white) and draws.jsonl, where every
finished draw is kept: after an interruption the same command goes on where it stopped, and another setting is refused.
Pictures need the group "plot": pip install matplotlib. Exit status: 0 when all is written, 2 for bad input; a
statistic is SAMPLED, never called verified.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand, with one of its own for each study."""
    parser = subparsers.add_parser(
        "study",
        description="Run a mechanism many times, or compute its budgets on many universes; tabulate and picture it.",
        epilog=_examples(*STUDIES) + _AFTER,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    studies = parser.add_subparsers(required=True, metavar="NAME")
    for study in STUDIES:
        declared = studies.add_parser(
            study.name,
            help=study.summary,
            description=study.description,
            epilog=_examples(study) + _AFTER,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        study.add_arguments(declared)
        declared.add_argument("--output", required=True, metavar="FOLDER", help="where table, pictures and draws go")
        add_jobs(declared)
        declared.set_defaults(run=partial(run, study=study))
    add_libraries(studies)
    add_scale(studies)


def _examples(*studies: Study) -> str:
    return "".join(["examples:\n", *(f"  {line}\n" for study in studies for line in study.examples)])


def run(arguments: argparse.Namespace, study: Study) -> int:
    """Carry out the study and print what it shows; returns the exit status."""
    jobs = positive_integer("--jobs", arguments.jobs)
    findings, written = carry_out(study, arguments, Path(arguments.output), jobs=jobs)
    lines = [finding_line(f"study.{name}", one.verdict.name, one.detail, one.scope) for name, one in findings.items()]
    lines += [f"{path}: written" for path in written]
    lines.append(f"{counted(len(findings), 'finding')}, {counted(len(written), 'file')}")
    sys.stdout.write("".join(f"{printable(line)}\n" for line in lines))
    return HOLDS
