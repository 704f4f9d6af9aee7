"""`stirred check`: check certificates again, by the independent checkers alone."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

from verify.certificates import check, query, sentences
from verify.certificates.bounded_read import read_whole
from verify.certificates.printable import one_line, printable
from verify.certificates.standard_streams import say

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

  python -m verify.certificates.check FILE       laws of mechanisms, and the inequality of a claim between them
  python -m verify.certificates.sentences FILE   comparisons of exact numbers, case by case, also of a counterexample
  python -m verify.certificates.query FILE       SMT-LIB queries: a sum that is absurd, or another solver's answer
                                                 (cvc5 comes with stirred[solver])

Every line says what is confirmed, what has to be taken on trust, or what else speaks about the claim.

examples:
  stirred audit claim.toml --certificate c.json
  stirred verify psa. --certificates kept
  stirred check c.json kept/*.json

exit status: 0 every certificate is confirmed; 1 one is not; 2 one cannot be read.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "check",
        help="check certificates again, independently",
        description="Check certificates: everything is computed anew, by files of the standard library.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON files")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check and print; returns the exit status."""
    status = 0
    for path in arguments.files:
        status = max(status, _checked(path))
    return status


def _checked(path: str) -> int:
    """Check one file and print its lines, or why it is not confirmed; returns the exit status."""
    try:
        content = json.loads(read_whole(path, _MOST_BYTES), object_pairs_hook=_unique)
        certificates = content if isinstance(content, list) and content else [content]
        lines, status = [f"{one['claim']}: {line}" for one in certificates for line in _confirmed(one)], 0
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
