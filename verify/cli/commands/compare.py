"""`stirred compare`: two claims about one mechanism, block by block."""

import argparse
import re
from collections.abc import Sequence
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.audit.audit_report import ClaimPlaces
from stirred.verify.audit.block_comparison import ComparedFinding, compare
from stirred.verify.audit.compared_claims import (
    ComparedClaims,
    bars,
    read_recording,
)
from stirred.verify.audit.compared_swaps import SwapDesign, compare_swaps, swap_design
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.options import (
    add_format,
    add_limits,
    chosen_format,
    command_line,
    limits,
    refuse_same_file,
    write_report,
)
from stirred.verify.engines.algebra.corners import CLAIMED, HONEST, corner_losses
from stirred.verify.evidence.files.atomic import real_path
from stirred.verify.evidence.process_control.time_limit import time_limit
from stirred.verify.evidence.reports.lines import counted, exit_status
from stirred.verify.evidence.reports.report import Bar, Report, Result
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.five_blocks import five_blocks
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claim

_EPILOG = """\
A corner is a mixture of the two claims' blocks, named by four letters for domain, multiverse, input premetric and \
output premetric: H from HONEST, C from CLAIMED. Its loss is exact, over every pair of every universe. Blocks that \
agree are not mixed.

Where the domains differ, the claimed one must lie inside the honest one, or --recording maps one to the other: a TOML \
file with images = [[data set, its image], ...] for every data set of the honest domain.

Findings named weakening.… show how the claimed number is smaller without more noise, with sizes, a pair of data sets \
and exact losses; meaning.… says what follows. Neither decides anything. On up to 256 data sets they look for a shrunk \
domain, copied records, a shattered multiverse, uncovered data sets, a budget for one universe only, a release \
determined by invariants, finer units, hidden invariants, rescaled distances, a weaker output premetric, coarser \
events, a constant from the data, amplification by sampling, and parts that share randomness.

Two claims of `stirred swap` on records in words are compared by roles, counts that are kept, b and budgets, each \
budget with its theorem.

NOTE marks facts about blocks and losses, which are neither good nor bad for a claim. Only the stated budgets get a \
verdict, and whether every mechanism of one specification satisfies the other.

examples:
  stirred compare honest.toml claimed.toml
  stirred compare raw.toml top_coded.toml --recording top_coding.toml
  stirred compare honest.toml claimed.toml --html page.html
  stirred compare april.toml october.toml           two swaps

exit status: 0 the claimed budget covers the exact loss under the blocks of both files; 1 it is refuted under one of \
them, or a file's own budget is; 2 usage or engine failure; 3 nothing is refuted but something is undecided, as when a \
file is vacuous: it compares no two data sets.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "compare",
        run,
        description="Find which blocks make the budget smaller, by the exact loss under every mixture of two claims.",
        epilog=_EPILOG,
    )
    parser.add_argument("honest", metavar="HONEST", help="claim file")
    parser.add_argument("claimed", metavar="CLAIMED", help="claim file about the same mechanism")
    parser.add_argument("--recording", metavar="FILE", help="map from the honest domain to the claimed one")
    add_format(parser)
    add_limits(parser, "the comparison")


def run(arguments: argparse.Namespace) -> int:
    """Compare and print; returns the exit status."""
    allowed = limits(arguments)
    chosen_format(arguments)
    read = {real_path(file): name for file, name in ((arguments.honest, "HONEST"), (arguments.claimed, "CLAIMED"))}
    refuse_same_file(arguments, ("html",), read)
    with time_limit(allowed.seconds, "reading the files"):
        images = None if arguments.recording is None else read_recording(arguments.recording)
        files = read_claim(arguments.honest), read_claim(arguments.claimed)
    with time_limit(allowed.seconds, "the comparison"):
        built = build_claim(files[0], allowed), build_claim(files[1], allowed)
        designs = [swap_design(one) for one in built]
        swaps = [one for one in designs if one is not None]
        if swaps and (images is not None or len(swaps) == 1):
            other = "--recording" if images is not None else built[designs.index(None)].id
            kind = "a swap of records in words"
            raise InputError(f"{swaps[0].built.id}: {kind} is compared with another {kind[2:]}; got {other}")
        if swaps:
            return _swaps(arguments, swaps)
        claims = ComparedClaims.of(*built, images)
        corners = corner_losses(claims.sides, claims.measures, claims.differing)
        findings = list(compare(claims, corners))
    write_report(_report(arguments, claims, findings, bars(claims, corners)), arguments)
    return exit_status(one.evidence.verdict for one in findings if one.decides)


def _swaps(arguments: argparse.Namespace, designs: Sequence[SwapDesign]) -> int:
    """Compare two claims about swaps of records in words."""
    findings = list(compare_swaps(*designs))
    report = Report(
        "compare",
        command_line("compare", [arguments.honest, arguments.claimed], arguments),
        [Result(one.finding) for one in findings],
        f"{counted(len(findings), 'finding')}: two swaps of records in words",
        [_as_json(one) for one in findings],
        claims=tuple((one.built.id, five_blocks(one.built).questions()) for one in designs),
    )
    write_report(report, arguments)
    return exit_status(one.evidence.verdict for one in findings if one.decides)


def _report(
    arguments: argparse.Namespace, claims: ComparedClaims, findings: Sequence[ComparedFinding], picture: tuple[Bar, ...]
) -> Report:
    refuted = sum(one.evidence.verdict is Verdict.REFUTED for one in findings)
    corners = sum(re.fullmatch(rf"loss\.[{HONEST}{CLAIMED}]{{4}}", one.name) is not None for one in findings)
    sides = (("honest", claims.honest), ("claimed", claims.claimed))
    words = [arguments.honest, arguments.claimed]
    if arguments.recording is not None:
        words += ["--recording", arguments.recording]
    return Report(
        "compare",
        command_line("compare", words, arguments),
        [Result(one.finding) for one in findings],
        f"{counted(len(findings), 'finding')}: {counted(corners, 'corner')}, {refuted} refuted",
        [_as_json(one) for one in findings],
        picture=picture,
        claims=tuple((f"{name}: {one.id}", five_blocks(one).questions()) for name, one in sides),
        files=tuple(
            dict.fromkeys(
                file for _, one in sides if one.file is not None for file in ClaimPlaces(one.file.path, one).files()
            )
        ),
    )


def _as_json(one: ComparedFinding) -> dict[str, Any]:
    return {
        "id": one.name,
        "verdict": one.finding.word,
        "shown": one.evidence.verdict.name,
        "detail": one.evidence.detail,
        "scope": one.evidence.scope,
        "witness": one.evidence.witness,
    }
