"""`stirred show`: print the claims, accounts and published records of files as their five blocks."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stirred.verify.audit.records.record_kind import record_kind
from stirred.verify.audit.words import compared_words
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.evidence.certificates.printable import json_text, one_line
from stirred.verify.evidence.reports.lines import HOLDS, counted
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.claim.claim_numbers import PUBLISHED, account_blocks
from stirred.verify.laws.claim.five_blocks import FiveBlocks, five_blocks
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import ClaimText, read_claims

_EPILOG = """\
examples:
  stirred show                        the published claims
  stirred show claim.toml --json
  stirred show record.yaml setting.json

An account is shown as the one flavor of its releases, a published record as what it states, says in prose or omits. \
Only the numbers in a claim's words are compared with its blocks; stirred audit checks the rest.
"""


@dataclass(frozen=True)
class _Shown:
    """A specification under the name that it is printed with, and budgets in the claim's words that differ from it."""

    id: str
    source: str
    statement: str
    blocks: FiveBlocks
    differing: tuple[str, ...] = ()


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "show",
        run,
        description="Print claims, accounts and published records as the five blocks of their specifications.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="claim files or published records (default: the published claims)"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON list")


def run(arguments: argparse.Namespace) -> int:
    """Print; returns the exit status."""
    paths = [Path(path) for path in arguments.files or sorted(PUBLISHED.glob("*.toml"))]
    is_record = {path: record_kind(path) is not None for path in paths}
    by_claim = [_claim(claim) for claim in read_claims([path for path in paths if not is_record[path]])]
    shown = [one for found in by_claim for one in found]
    shown += _records([path for path in paths if is_record[path]])
    if arguments.json:
        sys.stdout.write(json_text([_record(one) for one in shown]) + "\n")
        return HOLDS
    for one in shown:
        sys.stdout.write(f"{one_line(f'{one.id} ({one.source})')}\n{one.blocks.text()}\n")
        sys.stdout.write("".join(f"but {one_line(said)}\n" for said in one.differing) + "\n")
    without = by_claim.count([])
    rest = f"; {without} more of printed numbers only, which have no blocks" if without else ""
    sys.stdout.write(f"{counted(len(shown), 'claim')}{rest}\n")
    return HOLDS


def _record(one: _Shown) -> dict[str, object]:
    words = {"words": list(one.differing)} if one.differing else {}
    return {"id": one.id, "source": one.source, "statement": one.statement, **one.blocks.texts, **words}


def _claim(claim: ClaimText) -> list[_Shown]:
    """A claim's own specification, and its account's; code that the claim names is not run."""
    return list(_built(build_claim(claim, limits=None)))


def _built(built: PrivacyClaim) -> Iterator[_Shown]:
    words = compared_words(built)
    differing = () if words is None else words.differing
    if not built.is_about_numbers_only:
        yield _Shown(built.id, built.source, built.statement, five_blocks(built), differing)
    if built.account is not None:
        name = built.id if built.is_about_numbers_only else f"{built.id}.account"
        yield _Shown(name, built.source, built.statement, account_blocks(built.account), differing)


def _records(paths: Sequence[Path]) -> list[_Shown]:
    if not paths:
        return []
    # readers of records are loaded for records only: they would slow down every other call
    from stirred.verify.audit.records.record_audit import read_records  # noqa: PLC0415

    return [_Shown(record.id, record.path.name, record.title, record.blocks) for record in read_records(paths)]
