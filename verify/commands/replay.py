"""`stirred replay`: re-check witnesses with nothing but the standard library."""

from __future__ import annotations

import argparse
from typing import Any

from verify.replay import main

__all__ = ["add_parser", "run"]

_EPILOG = """\
FILE is one witness, or the output of stirred verify --json or stirred audit --json.
The same check without this program's dependencies: python -m verify.replay FILE

exit status: 1 every witness refutes what it says (as asked: something is refuted); 2 a witness cannot be read, or
refutes nothing.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "replay",
        help="re-check witnesses of refutations",
        description="Re-check witnesses: the exact probabilities or numbers, and that the claimed inequality fails.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", help="a JSON file")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Replay and print; returns the exit status."""
    return main([arguments.file])
