"""`stirred guide`: the guide's pages on the terminal."""

import argparse
import sys
from typing import Any

from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.guide import page, pages
from stirred.verify.evidence.reports.lines import HOLDS


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "guide",
        run,
        description="Print a page of the guide; without a topic, the topics in the order in which to read them.",
        epilog="examples:\n  stirred guide\n  stirred guide getting-started\n  stirred guide reading-a-verdict | less",
    )
    parser.add_argument("topic", nargs="?", metavar="TOPIC", help="default: list the topics")


def run(arguments: argparse.Namespace) -> int:
    """Print the page or the list; returns the exit status."""
    if arguments.topic is not None:
        sys.stdout.write(page(arguments.topic).text)
        return HOLDS
    found = pages()
    longest = max(map(len, found))
    for one in found.values():
        sys.stdout.write(f"{one.topic:<{longest}}  {one.summary}\n")
    return HOLDS
