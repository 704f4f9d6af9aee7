"""The formats of a report, by name, and how one is written to standard output."""

import argparse
import shutil
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.printable import json_text
from stirred.verify.evidence.reports.report import Report
from stirred.verify.evidence.reports.text import COLORS, render_terminal, uses_color

_MODULES = {
    "text": "text",
    "github": "annotations",
    "junit": "junit",
    "sarif": "sarif",
    "html": "page",
}

FORMATS = ("text", "json", "github", "junit", "sarif", "html")
"""What --format may be: the records as one JSON list, or the function `render` of a module here."""


def rendered(report: Report, name: str) -> str:
    """The report in a format, without an end of line.

    Raises:
        InputError: there is no such format.
    """
    if name not in FORMATS:
        raise InputError(f"format must be one of {', '.join(FORMATS)}; got {name!r}")
    if name == "json":
        return json_text(list(report.records))
    render: Callable[[Report], str] = import_module(f"stirred.verify.evidence.reports.{_MODULES[name]}").render
    return render(report)


def add_format(parser: Any) -> None:
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
