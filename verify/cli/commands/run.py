"""`stirred run`: run a published release program on files, and state the specification of what it releases."""

from importlib import import_module
from typing import Any

from stirred.verify.cli.commands.help_text import declare

_PROGRAMS = ("cell-key", "phsafe", "survey", "topdown")


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand, with one of its own for each program."""
    parser = declare(
        subparsers,
        "run",
        None,
        description="Run a published release program on files, and state the specification of what it releases.",
        epilog="examples:\n  stirred run topdown --init town   write an example, and print the command that runs it",
    )
    programs = parser.add_subparsers(required=True, metavar="PROGRAM", dest="program")
    for program in _PROGRAMS:
        import_module(f"stirred.verify.cli.commands.run_{program.replace('-', '_')}").add_parser(programs)
