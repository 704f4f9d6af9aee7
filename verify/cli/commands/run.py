"""`stirred run`: carry out a published release program on files, and state the specification of what it releases."""

import argparse
from importlib import import_module
from typing import Any

_PROGRAMS = ("phsafe", "survey", "topdown")


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand, with one of its own for each program."""
    parser = subparsers.add_parser(
        "run",
        description="Carry out a published release program on files, and state the specification of what it releases.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    programs = parser.add_subparsers(required=True, metavar="PROGRAM")
    for program in _PROGRAMS:
        import_module(f"stirred.verify.cli.commands.run_{program}").add_parser(programs)
