"""The commands of `stirred` by name, each in a module of its own here, which is loaded when it is asked for."""

from importlib import import_module
from typing import Any

COMMANDS = {
    "audit": "check claims of differential privacy",
    "verify": "re-check the ledger of claims",
    "show": "print a claim, an account or a published record as its five blocks",
    "compare": "compare two claims about one mechanism, block by block",
    "derive": "derive budgets symbolically",
    "infer": "say what a claim's budget lets someone learn",
    "survey": "say what the release of a survey loses, by where protection starts",
    "swap": "run the Permutation Swapping Algorithm on a table of records",
    "run": "carry out a published release program on files",
    "study": "show what a mechanism does to statistics, on data",
    "replay": "re-check witnesses of refutations",
    "check": "check certificates again, independently",
    "site": "write the ledger, its proofs and the guide as a site",
    "completion": "print what lets a shell complete the words of this command line",
    "guide": "print a page of the guide, one task each",
    "init": "write a claim file, a mechanism and a test to start from",
}
"""What each does, in the order of the help."""


def add_command(name: str, subparsers: Any) -> None:
    """Load a command, and declare its options."""
    import_module(f"stirred.verify.cli.commands.{name}").add_parser(subparsers)
