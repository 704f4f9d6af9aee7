"""The commands of `stirred` by name, each in a module of its own here, which is loaded when it is needed."""

from importlib import import_module
from typing import Any

COMMANDS = {
    "demo": "take a tour: a claim, a counterexample, a published result",
    "init": "write a claim file, a mechanism and a test to start from",
    "audit": "check privacy claims",
    "prove": "prove a budget for every number of records",
    "guide": "print a page of the guide, one task each",
    "show": "print a claim, an account or a published record as five blocks",
    "compare": "compare two claims about one mechanism, block by block",
    "derive": "derive budgets, losses and conversions symbolically",
    "infer": "bound what a claim's budget lets someone learn",
    "survey": "compute what a survey release loses, by where protection starts",
    "swap": "run the Permutation Swapping Algorithm on a table of records",
    "run": "run a published release program on files",
    "study": "show what a mechanism does to statistics, on data",
    "verify": "re-check the ledger of published statements",
    "replay": "re-check counterexamples",
    "check": "re-check certificates and releases independently",
    "site": "write the ledger, its proofs and the guide as a website",
    "completion": "print a completion script for bash, zsh or fish",
}
"""What each does, in the order of the help."""


def add_command(name: str, subparsers: Any) -> None:
    """Load a command, and declare its options."""
    import_module(f"stirred.verify.cli.commands.{name}").add_parser(subparsers)
