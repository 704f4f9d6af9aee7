"""`stirred verify`: re-check the ledger of claims."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from spec.arguments import InputError, positive_integer
from verify.bounded_file import read_text
from verify.report import HOLDS, counts_line, exit_status, finding_line, progress, shortened, witness_line

__all__ = ["add_parser", "run"]

_MAX_BYTES = 5_000_000
"""The largest kept ledger that is read."""

CHANGED = 1
"""Exit status where a verdict is not the one that was kept."""

_EPILOG = """\
examples:
  stirred verify                         re-check every claim
  stirred verify psa. --json             every claim whose id begins with "psa.", as JSON
  stirred verify --list                  the ids and sources, without checking
  stirred verify --json > ledger.json    keep the verdicts
  stirred verify --against ledger.json   exit 0 iff every verdict is the one that was kept

exit status: 0 everything asked for holds within its stated scope; 1 something is refuted (the printed sources contain
false statements, so the whole ledger gives 1); 2 usage or engine failure; 3 nothing refuted but something undecided.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "verify",
        help="re-check the ledger of claims",
        description="Re-check the ledger: every statement of the sources, as printed, with its evidence and mutants.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("ids", nargs="*", metavar="ID", help="a claim id, or the beginning of ids; default: all")
    parser.add_argument("--json", action="store_true", help="print the records as a JSON list")
    parser.add_argument("--list", action="store_true", help="print ids and sources without checking")
    parser.add_argument(
        "--against", metavar="FILE", help="compare with an earlier --json output; exit 1 if a verdict changed"
    )
    parser.add_argument(
        "--jobs", type=int, default=min(2, os.cpu_count() or 1), metavar="N", help="processes (default %(default)s)"
    )
    parser.set_defaults(run=run)


def _select(prefixes: Sequence[str]) -> list[Any]:
    from spec.claims import CLAIMS  # noqa: PLC0415 other subcommands do not need the claims

    if not prefixes:
        return list(CLAIMS)
    chosen = []
    for prefix in prefixes:
        found = [claim for claim in CLAIMS if claim.id.startswith(prefix)]
        if not found:
            near = get_close_matches(prefix, [claim.id for claim in CLAIMS], n=1)
            hint = f"; did you mean {near[0]!r}?" if near else "; see stirred verify --list"
            raise InputError(f"no claim id begins with {prefix!r}{hint}")
        chosen += [claim for claim in found if claim not in chosen]
    return chosen


def _recorded(path: str) -> dict[str, str]:
    try:
        records = json.loads(read_text(path, _MAX_BYTES))
        return {record["id"]: record["verdict"] for record in _listed(records)}
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{path}: must be the output of stirred verify --json") from None


def _listed(records: object) -> list[Any]:
    if not isinstance(records, list):
        raise TypeError("records must be a list")
    return records


def run(arguments: argparse.Namespace) -> int:
    """Re-check and print; returns the exit status."""
    claims = _select(arguments.ids)
    if arguments.list:
        listed = [{"id": claim.id, "source": claim.source, "statement": claim.statement} for claim in claims]
        lines = [f"{claim.id}: {claim.source}" for claim in claims]
        text = json.dumps(listed, indent=1, ensure_ascii=False) if arguments.json else "\n".join(lines)
        sys.stdout.write(text + "\n")
        return HOLDS
    recorded = None if arguments.against is None else _recorded(arguments.against)
    from verify.ledger import run as run_ledger  # noqa: PLC0415 loads every check

    records = []
    with progress(len(claims)) as display:
        for record in run_ledger(claims, jobs=positive_integer("--jobs", arguments.jobs)):
            records.append(record)
            display.advance(record.claim.id)
            if not arguments.json:
                sys.stdout.write(_lines(record))
    verdicts = [record.verdict for record in records]
    if arguments.json:
        sys.stdout.write(json.dumps([record.as_json() for record in records], indent=1, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(counts_line("claim", verdicts) + "\n")
    if recorded is not None:
        return _compare(records, recorded)
    return exit_status(verdicts)


def _lines(record: Any) -> str:
    detail = f" {record.detail}" if record.detail else ""
    sentence = f"({record.claim.source}) {shortened(record.claim.statement, 110)}{detail}"
    line = finding_line(record.claim.id, record.verdict, sentence, record.scope) + "\n"
    if record.witness is not None:
        line += witness_line(record.witness) + "\n"
    if record.refuted_in_coq:
        line += f"    in Coq too: {', '.join(record.refuted_in_coq)}\n"
    return line


def _compare(records: Sequence[Any], recorded: dict[str, str]) -> int:
    changed = 0
    for record in records:
        before = recorded.get(record.claim.id, "absent")
        if before != record.verdict.name:
            changed += 1
            sys.stderr.write(f"{record.claim.id}: was {before}, is {record.verdict.name}\n")
    for missing in sorted(set(recorded) - {record.claim.id for record in records}):
        changed += 1
        sys.stderr.write(f"{missing}: was {recorded[missing]}, is absent\n")
    return CHANGED if changed else HOLDS
