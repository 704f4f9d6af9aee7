"""--format, --json and --color: how a command writes its report to standard output."""

import argparse
import shutil
import sys

from stirred.spec.arguments import InputError
from stirred.verify.evidence.reports.formats import FORMATS, rendered
from stirred.verify.evidence.reports.report import Report
from stirred.verify.evidence.reports.text import COLORS, render_terminal, uses_color


def add_format(parser: argparse.ArgumentParser) -> None:
    """Declare --format, --json and --color."""
    parser.add_argument(
        "--format",
        choices=FORMATS,
        help="how findings are printed; default: text, which is one greppable line for each finding in a pipe and the "
        "verdict first on a terminal",
    )
    parser.add_argument("--json", action="store_true", help="the same as --format json: the records as a JSON list")
    parser.add_argument(
        "--color",
        choices=COLORS,
        default="auto",
        help="colours of the text; always prints what a terminal shows in a pipe too (default %(default)s: on a "
        "terminal, unless NO_COLOR is set)",
    )


def chosen_format(arguments: argparse.Namespace) -> str:
    """The format that the arguments ask for.

    Raises:
        InputError: --json stands beside another format.
    """
    if arguments.json and arguments.format not in (None, "json"):
        raise InputError(f"--json must come without another --format; got {arguments.format}")
    return "json" if arguments.json else arguments.format or "text"


def shows_terminal(arguments: argparse.Namespace) -> bool:
    """Whether the text is that of a terminal: standard output is one and no format is named, or colour is asked for."""
    if chosen_format(arguments) != "text":
        return False
    return arguments.color == "always" or (arguments.format is None and sys.stdout.isatty())


def write_report(report: Report, arguments: argparse.Namespace) -> None:
    """Write the report to standard output as the arguments ask."""
    if shows_terminal(arguments):
        color = uses_color(arguments.color, is_terminal=sys.stdout.isatty())
        shown = render_terminal(report, width=shutil.get_terminal_size().columns, color=color)
    else:
        shown = rendered(report, chosen_format(arguments))
    sys.stdout.write(shown + "\n")
