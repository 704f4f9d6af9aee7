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
from verify.certificates.printable import json_text
from verify.commands.kept_ledger import changes, kept_records
from verify.reports.lines import HOLDS, counts_line, exit_status, finding_line, progress, shortened, witness_line

__all__ = ["add_parser", "run"]

CHANGED = 1
"""Exit status where a record is not the one that was kept."""

_EPILOG = """\
examples:
  stirred verify                         re-check every claim
  stirred verify psa. --json             every claim whose id begins with "psa.", as JSON
  stirred verify --list                  the ids and sources, without checking
  stirred verify --json > ledger.json    keep the ledger
  stirred verify --against ledger.json   exit 0 iff every record is the one that was kept, but for its seconds

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
        "--against", metavar="FILE", help="compare with an earlier --json output; exit 1 if a record changed"
    )
    parser.add_argument(
        "--jobs", type=int, default=min(2, os.cpu_count() or 1), metavar="N", help="processes (default %(default)s)"
    )
    parser.set_defaults(run=run)


def _select(prefixes: Sequence[str]) -> list[str]:
    from verify.ledger.book import claim_ids  # noqa: PLC0415 other subcommands do not need the claims

    if not prefixes:
        return list(claim_ids())
    chosen: list[str] = []
    for prefix in prefixes:
        found = [name for name in claim_ids() if name.startswith(prefix)]
        if not found:
            near = get_close_matches(prefix, claim_ids(), n=1)
            hint = f"; did you mean {near[0]!r}?" if near else "; see stirred verify --list"
            raise InputError(f"no claim id begins with {prefix!r}{hint}")
        chosen += [name for name in found if name not in chosen]
    return chosen


def run(arguments: argparse.Namespace) -> int:
    """Re-check and print; returns the exit status."""
    chosen = _select(arguments.ids)
    if arguments.list:
        from verify.ledger.book import claims as stated  # noqa: PLC0415 loads the claims

        claims = stated(chosen)
        listed = [{"id": claim.id, "source": claim.source, "statement": claim.statement} for claim in claims]
        lines = [f"{claim.id}: {claim.source}" for claim in claims]
        text = json_text(listed) if arguments.json else "\n".join(lines)
        sys.stdout.write(text + "\n")
        return HOLDS
    kept = None if arguments.against is None else kept_records(arguments.against)
    from verify.ledger.run import run as run_ledger  # noqa: PLC0415 loads the checks

    records = []
    with progress(len(chosen)) as display:
        for record in run_ledger(chosen, jobs=positive_integer("--jobs", arguments.jobs)):
            records.append(record)
            display.advance(record.claim.id)
            if not arguments.json:
                sys.stdout.write(_lines(record, places=bool(arguments.ids)))
    verdicts = [record.verdict for record in records]
    if arguments.json:
        sys.stdout.write(json_text([record.as_json() for record in records]) + "\n")
    else:
        sys.stdout.write(counts_line("claim", verdicts) + "\n")
    if kept is None:
        return exit_status(verdicts)
    # as the file has it: tuples are lists there
    today = json.loads(json.dumps([record.as_json() for record in records]))
    lines = list(changes(today, kept, arguments.ids))
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    return CHANGED if lines else HOLDS


def _lines(record: Any, *, places: bool) -> str:
    detail = f" {record.detail}" if record.detail else ""
    grade = f" ({record.claim.grade.word}: {record.claim.grade.reason})" if record.claim.grade else ""
    sentence = f"({record.claim.source}) {shortened(record.claim.statement, 110)}{grade}{detail}"
    line = finding_line(record.claim.id, record.verdict, sentence, record.scope) + "\n"
    if record.witness is not None:
        line += witness_line(record.witness) + "\n"
    if places:
        for one in record.found:
            compared = f": {one.expression}" if one.expression else ""
            line += f"    {one.evidence.verdict.name} by {one.place}{compared}\n"
    if record.refuted_in_coq:
        line += f"    in Coq too: {', '.join(record.refuted_in_coq)}\n"
    return line
