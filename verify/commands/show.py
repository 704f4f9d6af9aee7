"""`stirred show`: print the claims, accounts and published records of files as their five blocks."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from verify.audit.account_file import account_blocks
from verify.audit.claim_blocks import BuiltClaim, build_claim
from verify.audit.claim_budget import ClaimedBudget
from verify.audit.claim_file import AuditClaim, read_claims
from verify.audit.claim_table import Block
from verify.audit.five_blocks import NOT_STATED, FiveBlocks, universes_text
from verify.audit.published import PUBLISHED
from verify.certificates.printable import json_text, one_line
from verify.records.record_kind import record_kind
from verify.reports.lines import HOLDS, counted

__all__ = ["add_parser", "five_blocks", "run"]

_EPILOG = """\
examples:
  stirred show claim.toml
  stirred show                    the published claims that come with the program
  stirred show record.yaml setting.json
  stirred show claim.toml --json

An account is shown as the one flavor of its releases, a published record as what it states, says in prose or leaves
out. Nothing is checked: see stirred audit.
"""


@dataclass(frozen=True)
class _Shown:
    """A specification under the name that it is printed with."""

    id: str
    source: str
    statement: str
    blocks: FiveBlocks


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "show",
        help="print a claim, an account or a published record as its five blocks",
        description="Print each claim, account or published record as the five blocks of its specification, unchecked.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="claim files, or published records; default: the published claims"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON list")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print; returns the exit status.

    Raises:
        InputError: a file is malformed; nothing has been printed then.
    """
    paths = [Path(path) for path in arguments.files or sorted(PUBLISHED.glob("*.toml"))]
    is_record = {path: record_kind(path) is not None for path in paths}
    by_claim = [_claim(claim) for claim in read_claims([path for path in paths if not is_record[path]])]
    shown = [one for found in by_claim for one in found]
    shown += _records([path for path in paths if is_record[path]])
    if arguments.json:
        records = [{"id": s.id, "source": s.source, "statement": s.statement, **asdict(s.blocks)} for s in shown]
        sys.stdout.write(json_text(records) + "\n")
        return HOLDS
    for one in shown:
        sys.stdout.write(f"{one_line(f'{one.id} ({one.source})')}\n{one.blocks.text()}\n\n")
    without = by_claim.count([])
    rest = f"; {without} more of printed numbers only, which have no blocks" if without else ""
    sys.stdout.write(f"{counted(len(shown), 'claim')}{rest}\n")
    return HOLDS


def _claim(claim: AuditClaim) -> list[_Shown]:
    """A claim's own specification, and its account's; code that the claim names is not run."""
    return list(_built(build_claim(claim, limits=None)))


def _built(built: BuiltClaim) -> Iterator[_Shown]:
    claim = built.claim
    if not claim.is_about_numbers_only:
        yield _Shown(claim.id, claim.source, claim.statement, five_blocks(built))
    if built.account is not None:
        name = claim.id if claim.is_about_numbers_only else f"{claim.id}.account"
        yield _Shown(name, claim.source, claim.statement, account_blocks(built.account))


def _records(paths: Sequence[Path]) -> list[_Shown]:
    """The published records."""
    if not paths:
        return []
    # readers of records are loaded for records only: they would slow down every other call
    from verify.records.record_audit import read_records  # noqa: PLC0415
    from verify.records.record_blocks import record_blocks, record_statement  # noqa: PLC0415

    return [
        _Shown(record.id, record.path.name, record_statement(record), record_blocks(record))
        for record in read_records(paths)
    ]


def five_blocks(built: BuiltClaim) -> FiveBlocks:
    """A claim as its five blocks in words; a block that the file leaves out is "not stated"."""
    name, resolution = built.input_premetric
    return FiveBlocks(
        domain=_domain(built),
        multiverse=_multiverse(built),
        input_premetric=", ".join(
            part
            for part in (name or _described(built, "input_premetric"), resolution and f"resolution: {resolution}")
            if part
        ),
        output_premetric=_described(built, "output_premetric") if built.output_premetric is None else _measure(built),
        budget=_budgets(built) if built.states_budget else _described(built, "budget"),
    )


def _described(built: BuiltClaim, block: str) -> str:
    stated: Mapping[str, Block] = built.claim.blocks
    if block not in stated:
        return NOT_STATED
    return str(stated[block].values.get("description", "stated in part"))


def _domain(built: BuiltClaim) -> str:
    if built.finite is not None:
        return f"{len(built.finite.domain)} {built.finite.domain.name}"
    if built.swapping_margins is not None:
        return f"all data sets with the margins (rows, columns) {'; '.join(map(str, built.swapping_margins))}"
    if built.kind is not None:
        return f"{built.kind.size_text} data sets"
    return _described(built, "domain")


def _multiverse(built: BuiltClaim) -> str:
    if built.finite is not None:
        return universes_text(built.finite.multiverse) + _invariants(built)
    if built.invariants:
        return _invariants(built).removeprefix("; ")
    return _described(built, "multiverse")


def _invariants(built: BuiltClaim) -> str:
    return f"; invariant: {', '.join(map(str, built.invariants))}" if built.invariants else ""


def _measure(built: BuiltClaim) -> str:
    measure = built.output_premetric
    return NOT_STATED if measure is None else measure.described()


def _budgets(built: BuiltClaim) -> str:
    """The budget; where there are several settings, that of each."""
    texts = []
    for case in built.cases:
        at = "".join(f" at {name} = {value}" for name, value in case.setting.items()) if len(built.cases) > 1 else ""
        texts.append(("" if case.budget is None else _budget(case.budget)) + at)
    return "; ".join(texts)


def _budget(budget: ClaimedBudget) -> str:
    if budget.loss is not None and not budget.is_formula:
        return "epsilon = infinity" if budget.loss.is_infinite else f"epsilon = ln({budget.loss.gamma})"
    printed = budget.printed if budget.epsilon is None else None
    return f"{budget.text}{'' if printed is None else f', printed {printed.text}'}"
