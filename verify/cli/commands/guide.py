"""`stirred guide`: the guide's pages on the terminal."""

import argparse
import re
import shutil
import sys
from typing import Any

from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.guide import page, pages
from stirred.verify.evidence.reports.lines import HOLDS

_WIDEST = 100
_LINK = re.compile(r"\[([^\]]+)\]\(\d+-([\w-]+)\.md[^)]*\)")


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "guide",
        run,
        description="Print a page of the guide; without a topic, list the topics in the order in which to read them.",
        epilog="Pages are formatted on a terminal, and Markdown in a pipe.\n\n"
        "examples:\n  stirred guide\n  stirred guide getting-started\n  stirred guide claim-file | less",
    )
    parser.add_argument("topic", nargs="?", metavar="TOPIC", help="the page to print")


def run(arguments: argparse.Namespace) -> int:
    """Print the page or the list; returns the exit status."""
    if arguments.topic is None:
        found = pages()
        longest = max(map(len, found))
        for one in found.values():
            sys.stdout.write(f"{one.topic:<{longest}}  {one.summary}\n")
    elif sys.stdout.isatty():
        _show(page(arguments.topic).text)
    else:
        sys.stdout.write(page(arguments.topic).text)
    return HOLDS


def _show(text: str) -> None:
    """Print Markdown as a terminal shows it; links to other pages become the commands that print them."""
    from rich.console import Console  # noqa: PLC0415 only a terminal needs it
    from rich.markdown import Markdown  # noqa: PLC0415

    console = Console(width=min(shutil.get_terminal_size().columns, _WIDEST), highlight=False)
    console.print(Markdown(_LINK.sub(r"\1 (`stirred guide \2`)", text), hyperlinks=False))
