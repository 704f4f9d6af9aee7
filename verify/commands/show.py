"""`stirred show`: print the claims of a file as their five blocks."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from verify.auditing.claim_blocks import BuiltClaim, ClaimedBudget, build_claim
from verify.auditing.claim_file import read_claims
from verify.auditing.claim_table import Block
from verify.auditing.five_blocks import FiveBlocks
from verify.commands.audit import PUBLISHED
from verify.report import HOLDS

__all__ = ["add_parser", "five_blocks", "run"]

_EPILOG = """\
examples:
  stirred show claim.toml
  stirred show                    the published claims that come with the program
  stirred show claim.toml --json

Nothing is checked: see stirred audit.
"""

_NOT_STATED = "not stated"


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "show",
        help="print a claim as its five blocks",
        description="Print each claim of a file as the five blocks of its specification, without checking it.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="claim files; default: the published claims")
    parser.add_argument("--json", action="store_true", help="print a JSON list")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print; returns the exit status."""
    built = [build_claim(claim) for claim in read_claims(arguments.files or sorted(PUBLISHED.glob("*.toml")))]
    shown = [(one.claim, five_blocks(one)) for one in built if not one.claim.is_about_numbers_only]
    if arguments.json:
        records = [{"id": c.id, "source": c.source, "statement": c.statement, **asdict(b)} for c, b in shown]
        sys.stdout.write(json.dumps(records, indent=1, ensure_ascii=False) + "\n")
        return HOLDS
    for claim, blocks in shown:
        sys.stdout.write(f"{claim.id} ({claim.source})\n{blocks.text()}\n\n")
    sys.stdout.write(f"{len(shown)} claims\n")
    return HOLDS


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
        budget=_described(built, "budget") if built.budget is None else _budget(built.budget),
    )


def _described(built: BuiltClaim, block: str) -> str:
    stated: Mapping[str, Block] = built.claim.blocks
    if block not in stated:
        return _NOT_STATED
    return str(stated[block].values.get("description", "stated in part"))


def _domain(built: BuiltClaim) -> str:
    if built.finite is not None:
        return f"{len(built.finite.domain)} {built.finite.domain.name}"
    if built.swapping_margins is not None:
        return f"all data sets with the margins (rows, columns) {'; '.join(map(str, built.swapping_margins))}"
    return _described(built, "domain")


def _multiverse(built: BuiltClaim) -> str:
    if built.finite is not None:
        multiverse = built.finite.multiverse
        sizes = [len(universe) for universe in multiverse]
        span = f"{min(sizes)} to {max(sizes)} data sets" if sizes else "no data sets"
        return (
            f"{len(multiverse)} universes of {span}, {multiverse.singletons()} of them singletons{_invariants(built)}"
        )
    if built.invariants:
        return _invariants(built).removeprefix("; ")
    return _described(built, "multiverse")


def _invariants(built: BuiltClaim) -> str:
    return f"; invariant: {', '.join(map(str, built.invariants))}" if built.invariants else ""


def _measure(built: BuiltClaim) -> str:
    measure = built.output_premetric
    delta = getattr(measure, "delta", None)
    return measure.name + (f", delta = {delta}" if delta is not None else "") if measure is not None else _NOT_STATED


def _budget(budget: ClaimedBudget) -> str:
    if budget.is_infinite:
        return "epsilon = infinity"
    if budget.gamma is not None:
        return f"epsilon = ln({budget.gamma})"
    if budget.rho_squared is not None:
        return f"rho^2 = {budget.rho_squared.text}"
    return f"epsilon = {', '.join(epsilon.text for epsilon in budget.epsilons)}"
