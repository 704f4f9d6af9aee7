"""`stirred check`: check certificates again, by the independent checkers alone."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

from stirred.verify.certificates import check, query, sentences
from stirred.verify.certificates.bounded_read import read_whole
from stirred.verify.certificates.printable import one_line, printable
from stirred.verify.certificates.standard_streams import say
from stirred.verify.commands.claim_compared import COQ_IS_OF_CLAIM, IS_OF_CLAIM, ClaimsAtHand, compared_with

__all__ = ["add_parser", "run"]

_CHECKERS: Mapping[str, Callable[[Any], list[str]]] = {
    check.FORMAT: check.check,
    sentences.FORMAT: sentences.check,
    query.FORMAT: query.check,
}
_REFUSED = (check.CertificateError, sentences.SentenceError, query.QueryError)
_MOST_BYTES = 200_000_000

_EPILOG = """\
FILE is a certificate, or a list of them, as stirred audit --certificate and stirred verify --certificates write them.
Each form has its checker, a file of the standard library that knows nothing of this program and says what the form is:

  python -m stirred.verify.certificates.check FILE       laws of mechanisms, and the inequality of a claim between them
  python -m stirred.verify.certificates.sentences FILE   comparisons of exact numbers, case by case
  python -m stirred.verify.certificates.query FILE       SMT-LIB queries: an absurd sum, or another solver's answer
                                                         (pip install cvc5)

First stands what is confirmed, in words of the numbers that were compared; then what was not compared, as it is written
in the certificate: the claim's id, its statement, the mechanism, names of distances that are listed, scopes. A PASS of
those is nowhere implied: anyone can write them. With --claim or --ledger they are compared with what an audit of the
claim, or the claim of the ledger, leaves today, and another's are refused. Then what has to be taken on trust, and what
else speaks about the claim. Where no two data sets are compared a certificate is vacuous, and is not confirmed.

examples:
  stirred audit claim.toml --certificate c.json
  stirred verify psa. --certificates kept
  stirred check c.json kept/*.json
  stirred check c.json Claim.v --claim claim.toml
  stirred check kept/psa.*.json --ledger

exit status: 0 the numbers of every certificate are confirmed (of its words see not compared); 1 one is not confirmed:
its numbers do not show its verdict, it compares nothing, or it is not of the claim; 2 one cannot be read.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "check",
        description="Check certificates: everything is computed anew, by files of the standard library.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON files; Coq files, which --claim is for")
    parser.add_argument(
        "--claim", nargs="+", metavar="CLAIM", help="claim files: audit them, and refuse what is not their certificate"
    )
    parser.add_argument(
        "--ledger", action="store_true", help="re-check the claims of the ledger, and refuse what is not theirs"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check and print; returns the exit status."""
    compared = compared_with(arguments.claim or (), is_with_ledger=arguments.ledger)
    return max(_coq(path, compared) if path.endswith(".v") else _checked(path, compared) for path in arguments.files)


def _coq(path: str, compared: ClaimsAtHand) -> int:
    """Compare a Coq file with the claims, and print what is found; returns the exit status."""
    if not compared.audited:
        say(one_line(f"{printable(path)}: a Coq file is compared with claims: add --claim; that it holds coqc says"))
        return 2
    found = compared.of_coq(read_whole(path, _MOST_BYTES).decode("utf-8", "replace"))
    sys.stdout.write(one_line(f"{printable(path)}: {found or COQ_IS_OF_CLAIM}") + "\n")
    return int(found is not None)


def _checked(path: str, compared: ClaimsAtHand) -> int:
    """Check one file and print its lines, or why it is not confirmed; returns the exit status."""
    try:
        content = json.loads(read_whole(path, _MOST_BYTES), object_pairs_hook=_unique)
        listed = content if isinstance(content, list) and content else [content]
        place = "{} of {}: " if len(listed) > 1 else ""
        lines, status = [], 0
        for number, one in enumerate(listed, 1):
            confirmed = _confirmed(one)
            if compared.is_asked:
                if why := compared.of_certificate(one):
                    raise check.CertificateError(why)
                confirmed = [line for line in confirmed if not line.startswith("not compared: ")] + [IS_OF_CLAIM]
            lines += [place.format(number, len(listed)) + line for line in confirmed]
    except _REFUSED as error:
        lines, status = [f"NOT CONFIRMED: {error}"], 1
    except (LookupError, RecursionError, TypeError, ValueError) as error:
        say(one_line(f"{printable(path)}: cannot be read: {error}"))
        return 2
    sys.stdout.writelines(one_line(f"{printable(path)}: {line}") + "\n" for line in lines)
    return status


def _confirmed(certificate: Any) -> list[str]:
    """What the checker of a certificate's form confirms."""
    form = certificate.get("format") if isinstance(certificate, dict) else None
    if not isinstance(form, str) or form not in _CHECKERS:
        raise check.CertificateError(f"format must be one of {', '.join(map(repr, _CHECKERS))}")
    return _CHECKERS[form](certificate)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise check.CertificateError("a key must stand once in its object")
    return dict(pairs)
