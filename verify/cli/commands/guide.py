"""`stirred guide`: the guide's pages on the terminal."""

import argparse
import sys
from typing import Any

from stirred.verify.cli.guide import page, pages
from stirred.verify.evidence.reports.lines import HOLDS


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "guide",
        description="Print a page of the guide; without a topic, the topics in the order in which to read them.",
        epilog="examples:\n  stirred guide\n  stirred guide getting-started\n  stirred guide reading-a-verdict | less",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("topic", nargs="?", metavar="TOPIC", help="default: list the topics")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the page or the list; returns the exit status.

    Raises:
        InputError: there is no page about the topic.
    """
    if arguments.topic is not None:
        sys.stdout.write(page(arguments.topic).text)
        return HOLDS
    found = pages()
    longest = max(map(len, found))
    for one in found.values():
        sys.stdout.write(f"{one.topic:<{longest}}  {one.summary}\n")
    return HOLDS
