"""`stirred completion`: a script by which a shell completes commands, options and their values."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from stirred.verify.commands.completion_scripts import SCRIPTS
from stirred.verify.commands.completion_words import command_levels
from stirred.verify.reports.lines import HOLDS

__all__ = ["add_parser", "run"]

_EPILOG = """\
examples:
  source <(stirred completion bash)        in ~/.bashrc
  source <(stirred completion zsh)         in ~/.zshrc, after compinit
  stirred completion fish | source         in ~/.config/fish/config.fish
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "completion",
        description="Print the script by which a shell completes the words of a command line. It is text alone: save "
        "it in a file, and a shell starts without waiting for it.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=tuple(SCRIPTS), help="which shell")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the script; returns the exit status."""
    sys.stdout.write(SCRIPTS[arguments.shell](command_levels()) + "\n")
    return HOLDS
