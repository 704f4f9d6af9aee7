"""`stirred replay`: re-check witnesses, with the standard library alone or beside the claim files that they refute."""

import argparse
import json
from collections.abc import Sequence
from typing import Any

from stirred.verify.cli.commands.audit import audit_tasks
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.options import add_limits, limits
from stirred.verify.evidence.certificates.register import Entry, Register, digest
from stirred.verify.evidence.certificates.replay import main
from stirred.verify.laws.foreign import Limits

_EPILOG = """\
FILE is one witness, or the output of stirred verify --json, stirred audit --json or stirred audit --witness. Without \
this program's dependencies: python -m stirred.verify.evidence.certificates.replay FILE

A line has an id only if the witness is bound to it: statement and witness are those of the ledger, or of the audit of \
a --claim file. Any other witness under such an id is refused. Without an id the line says which inequality is false, \
but not whose. Files under --claim are audited again, which runs the functions that they name.

examples:
  stirred audit claim.toml --witness w.json
  stirred replay w.json                      which inequality is false?
  stirred replay w.json --claim claim.toml   is it that claim's?

exit status: 1 every witness refutes what it names; 2 a witness cannot be read, refutes nothing, or belongs to another \
id.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "replay",
        run,
        description="Re-check counterexamples: the exact probabilities or numbers, and that the inequality fails.",
        epilog=_EPILOG,
    )
    parser.add_argument("file", metavar="FILE", help="witnesses (JSON)")
    parser.add_argument(
        "--claim", action="append", metavar="CLAIM", help="the claim file or record that it refutes; may be repeated"
    )
    add_limits(parser, "the audit of one --claim")


def run(arguments: argparse.Namespace) -> int:
    """Replay and print; returns the exit status."""
    if arguments.claim is None:
        return main([arguments.file])
    return main([arguments.file], audited_register(arguments.claim, limits(arguments)))


def audited_register(paths: Sequence[str], allowed: Limits) -> Register:
    """The refutations that the audit of claim files gives, by the ids of the claims and of their answers."""
    entries: dict[str, Entry] = {}
    for task in audit_tasks(paths, allowed):
        record = task.audit()
        statement = digest(record.statement)
        answers: dict[str, list[Any]] = {record.id: []}
        for answer in record.answers:
            under = answers.setdefault(f"{record.id}.{answer.question}", [])
            if answer.evidence.witness is not None:
                # as a reader has it: an outcome that is a tuple is a list there
                witness = json.loads(json.dumps(answer.evidence.witness))
                under.append(witness)
                answers[record.id].append(witness)
        for name, witnesses in answers.items():
            entries[name] = Entry(statement, frozenset(map(digest, witnesses)), tuple(witnesses))
    return Register(f"the audit of {', '.join(paths)}", entries, is_closed=True)
