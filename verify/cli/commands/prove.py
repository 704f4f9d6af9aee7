"""`stirred prove`: budgets for every number of records."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from stirred.verify.audit.audit import audit
from stirred.verify.audit.coq_file import check_coq_name
from stirred.verify.cli.commands.coq_theorems import CoqTheorems
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.options import add_limits, limits, refuse_same_file
from stirred.verify.evidence.certificates.printable import json_text, printable
from stirred.verify.evidence.files.atomic import real_path, write_whole
from stirred.verify.evidence.reports.lines import exit_status
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.foreign import Limits
from stirred.verify.prove.answer import answer
from stirred.verify.prove.claim_file import EverySizeClaim, read_every_size
from stirred.verify.prove.refuting import Pair, PairAnswer

_EPILOG = """\
FILE is a claim with records = "any": lists of numbers of any length, such as the answers of queries. differ says how \
neighbours differ:

  each by 1         every answer may change, by at most 1
  one by 1          one answer changes, by at most 1
  sum of changes 1  all changes together are at most 1
  all up or all down  every answer may change by at most 1, all in one direction

The function's file is read as text; nothing of it is imported or run. Its statements must be imports of known \
modules, numbers and functions. Noise is aligned by one linear program, for all values of the parameters in their \
ranges ("real", "positive", "whole >= 1", or a value); stirred check confirms the certificate without a solver. What \
is not proved is asked of the exact engine on few pairs of data sets, which runs the function in a process of its own. \
DECIDED is about real numbers, or integers where noise is: digits of doubles that are released can show more.

With --coq a claim of integer noise and one loop over the records is written as a Coq theorem with its proof, which \
coqc checks where it is there: the claim is PROVED then.

examples:
  stirred prove svt.toml
  stirred prove svt.toml --certificate svt.json
  stirred check svt.json
  stirred prove counts.toml --coq Counts.v
  stirred check Counts.v --claim counts.toml --coqc

exit status: 0 every claim is decided or proved; 1 one is refuted; 2 usage or engine failure, or a function that is \
not read; 3 nothing is refuted but something is open.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "prove",
        run,
        description="Prove a budget for every number of records by alignment of noise, else refute it.",
        epilog=_EPILOG,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="claim files")
    parser.add_argument("--certificate", metavar="FILE", help="write certificates, for stirred check")
    parser.add_argument("--coq", metavar="FILE.v", help="write decided claims as Coq theorems, and let coqc check them")
    parser.add_argument("--no-refute", action="store_true", help="leave out the search for a refutation")
    add_limits(parser, "each question to the exact engine, and the search")


def run(arguments: argparse.Namespace) -> int:
    """Prove and print; returns the exit status."""
    allowed = limits(arguments)
    read = {real_path(path): "a claim" for path in arguments.files}
    refuse_same_file(arguments, ("certificate", "coq"), read)
    if arguments.coq is not None:
        check_coq_name(arguments.coq)
    claims = [read_every_size(path, allowed) for path in arguments.files]
    found = []
    theorems = CoqTheorems(arguments.coq, allowed.seconds)
    for claim in claims:
        ask = None if arguments.no_refute else partial(_asked, claim, allowed)
        result = answer(claim.stated, ask, allowed.seconds)
        if arguments.coq is not None:
            result = theorems.tried(result)
        for line in result.lines():
            sys.stdout.write(printable(line) + "\n")
        found.append(result)
    if arguments.certificate is not None:
        certificates = [result.certificate for result in found if result.certificate is not None]
        write_whole(arguments.certificate, json_text(certificates) + "\n")
    if arguments.coq is not None:
        theorems.write()
    return exit_status(one.verdict for one in found)


def _asked(
    claim: EverySizeClaim, allowed: Limits, pairs: Sequence[Pair], setting: Mapping[str, Any], epsilon: str
) -> PairAnswer:
    """What an audit says of pairs."""
    record = audit(claim.on_pairs(pairs, setting, epsilon, allowed))
    if record.verdict is Verdict.REFUTED:
        claim.require_unchanged()
    return PairAnswer(record.verdict, record.needed.partition(", by ")[0], record.sentence, record.witness)
