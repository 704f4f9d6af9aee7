"""`stirred study`: what a mechanism does to statistics, on data, with a table and pictures."""

import argparse
import sys
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

from stirred.spec.arguments import positive_integer
from stirred.verify.audit.libraries.library_study import StudiedMechanism, studied_mechanisms
from stirred.verify.cli.commands.limits import add_jobs
from stirred.verify.cli.commands.study_scale import add_scale
from stirred.verify.evidence.certificates.printable import json_text, one_line, printable
from stirred.verify.evidence.reports.lines import HOLDS, counted, finding_line
from stirred.verify.products.studies.budgets import BUDGETS
from stirred.verify.products.studies.carried_out import carry_out
from stirred.verify.products.studies.price import PRICE
from stirred.verify.products.studies.psa import PSA
from stirred.verify.products.studies.study import Study
from stirred.verify.products.studies.swapping.study import SWAPPING
from stirred.verify.products.studies.topdown.study import TOPDOWN

STUDIES: tuple[Study, ...] = (PSA, SWAPPING, TOPDOWN, BUDGETS, PRICE)
"""Each is run by `stirred study NAME`."""


_DRAWS, _SECONDS = 20_000, 120

_LIBRARIES = """\
Each mechanism of OpenDP and diffprivlib is drawn from under the claim that the library makes of it: map(d_in), or
epsilon and delta. A line has the claimed budget, the budget that the draws show at least, the verdict, the draws that
were counted, the seconds, and the event. A claim that is not refuted is not shown to hold. "6 digits": outputs are
rounded first, since the last binary digits of floats are a leak of their own. The libraries' randomness is the
system's: another run draws others.

examples:
  stirred study libraries
  stirred study libraries --only "diffprivlib: Laplace" --draws 100000 --json

exit status: 0 the table is printed, 2 no such library is installed. Libraries: pip install "stirred[libraries]"
"""


def _add_libraries(studies: Any) -> None:
    parser = studies.add_parser(
        "libraries",
        help="what draws show of the mechanisms of installed libraries, beside the budgets that they claim",
        description="Draw from the mechanisms of the installed versions of OpenDP and diffprivlib; print one table.",
        epilog=_LIBRARIES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="mechanisms whose name has TEXT in it")
    parser.add_argument(
        "--draws",
        type=int,
        default=_DRAWS,
        metavar="N",
        help="draws of the last look, under each of two data sets (default %(default)s)",
    )
    parser.add_argument(
        "--seconds", type=int, default=_SECONDS, metavar="N", help="for each mechanism (default %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON list, with what is known of each")
    parser.set_defaults(run=_run_libraries)


def _run_libraries(arguments: argparse.Namespace) -> int:
    """Print each line when it is done; returns the exit status.

    Raises:
        InputError: an option is malformed, or no such library is installed.
    """
    several = studied_mechanisms(arguments.only, arguments.draws, arguments.seconds)
    if arguments.json:
        sys.stdout.write(json_text([vars(one) for one in several]) + "\n")
        return HOLDS
    done, refuted = 0, 0
    for one in several:
        sys.stdout.write(_line(one) + "\n")
        sys.stdout.flush()
        done, refuted = done + 1, refuted + (one.verdict == "REFUTED")
    sys.stdout.write(f"{counted(done, 'mechanism')}, {refuted} refuted\n")
    return HOLDS


def _line(one: StudiedMechanism) -> str:
    if not one.draws:
        return one_line(f"{one.mechanism} {one.version}: {one.verdict}: {one.how}")
    numbers = f"claimed {one.claimed}, found {one.found}, {one.draws} draws, {one.seconds} s"
    known = f" ({one.note})" if one.note else ""
    return one_line(f"{one.mechanism} {one.version}: {one.verdict}: {numbers}: {one.how}{known}")


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
    _add_libraries(studies)
    add_scale(studies)


def _examples(*studies: Study) -> str:
    return "".join(["examples:\n", *(f"  {line}\n" for study in studies for line in study.examples)])


def run(arguments: argparse.Namespace, study: Study) -> int:
    """Carry out the study and print what it shows; returns the exit status."""
    jobs = positive_integer("--jobs", arguments.jobs)
    options = {name: getattr(arguments, name) for name in signature(study.plan).parameters}
    findings, written = carry_out(study, options, Path(arguments.output), jobs=jobs)
    lines = [finding_line(f"study.{name}", one.verdict.name, one.detail, one.scope) for name, one in findings.items()]
    lines += [f"{path}: written" for path in written]
    lines.append(f"{counted(len(findings), 'finding')}, {counted(len(written), 'file')}")
    sys.stdout.write("".join(f"{printable(line)}\n" for line in lines))
    return HOLDS
