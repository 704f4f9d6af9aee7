"""`stirred study libraries`: what draws show of the mechanisms of installed libraries, as one table."""

import argparse
import sys
from typing import Any

from stirred.verify.certificates.printable import json_text, one_line
from stirred.verify.reports.lines import HOLDS, counted
from stirred.verify.studies.libraries import StudiedMechanism, studied_mechanisms

_DRAWS, _SECONDS = 20_000, 120

_EPILOG = """\
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


def add_libraries(studies: Any) -> None:
    """Declare the study."""
    parser = studies.add_parser(
        "libraries",
        help="what draws show of the mechanisms of installed libraries, beside the budgets that they claim",
        description="Draw from the mechanisms of the installed versions of OpenDP and diffprivlib; print one table.",
        epilog=_EPILOG,
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
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
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
