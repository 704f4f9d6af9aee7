"""`stirred check`: check certificates again, by the independent checker alone."""

from __future__ import annotations

import argparse
from typing import Any

from verify.certificates.check import main

__all__ = ["add_parser", "run"]

_EPILOG = """\
FILE is a certificate, or a list of them, as stirred audit --certificate writes it. The checker is one file of the
standard library that knows nothing of this program, and says what a certificate is: python -m verify.certificates.check

What is confirmed is the inequality of Equation (1) between the listed laws, for every two data sets of a universe. What
has to be taken on trust is named: that the choice trees are those of the mechanism, and the blocks those of the claim.

examples:
  stirred audit claim.toml --certificate c.json
  stirred check c.json

exit status: 0 every certificate is confirmed; 1 one is not; 2 one cannot be read.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "check",
        help="check certificates again, independently",
        description="Check certificates: laws are summed and compared anew, by one file of the standard library.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON files")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check and print; returns the exit status."""
    return main(arguments.files)
