"""`stirred infer`: what the budget of a claim lets someone learn, beside what its mechanism does."""

import argparse
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError, parse_exact, positive_integer, probability
from stirred.verify.audit.inference.inference import MOST, as_json, as_learned, infer
from stirred.verify.audit.inference.learned import Asked, Conjecture, Inference, attained_distances, read_conjecture
from stirred.verify.audit.inference.observed import Observed, counted_test, observed
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.options import (
    add_limits,
    cannot_combine,
    command_line,
    limits,
    refuse_same_file,
    requires,
)
from stirred.verify.evidence.certificates.printable import json_text, one_line
from stirred.verify.evidence.files.atomic import real_path, write_whole
from stirred.verify.evidence.process_control.time_limit import time_limit
from stirred.verify.evidence.reports.learned_page import HEADER, learned_picture
from stirred.verify.evidence.reports.lines import HOLDS, exit_status, finding_line
from stirred.verify.evidence.reports.page import learned_page
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.claim.claim_numbers import is_published, published_claim
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import ClaimText, read_claims

_MOST_DISTANCE = 100

_EPILOG = """\
For each distance between two data sets of one universe: the power of a test of given size, and the posterior of one \
of the two at a given prior. If the mechanism's laws are listed, also the probability of each outcome under any model \
of the data. Each row has three intervals, rounded outward (--json has the fractions):

  printed          dissertation, chapter 5: (5.10), (5.12), (5.7)
  sharpest         what follows from the budget, and some mechanism attains
  this mechanism   from its exact laws

Everything is relative to a universe: invariants are released exactly, and no budget bounds what they determine. \
Without listed data sets, or with --distance, only the budget counts.

examples:
  stirred infer claim.toml --alpha 1/100 --prior 1/10
  stirred infer claim.toml --event '[[[1], [0], [0]], [[1], [1], [1]]]'
      the posterior of a set of data sets
  stirred infer claim.toml --event '[[[1], [0], [0]]]' --prior '[[[[1], [0], [0]], "1/3"], [[[0], [0], [0]], "2/3"]]'
  stirred infer massachusetts-1940 --distance 2   a published claim
  stirred infer claim.toml --plot learned.svg
  stirred infer claim.toml --observed 3 1000 620 1000
      an attack: it rejected 3 of 1000 times under one data set, 620 of 1000 under one at --distance 1 from it

exit status: 0 the bounds are printed; 1 --observed refutes the budget; 2 usage or engine failure; 3 --observed does \
not refute it, and no counts can show that it is met: stirred audit decides that.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "infer",
        run,
        description="Bound what a release lets someone learn: tests, posteriors, outcomes.",
        epilog=_EPILOG,
    )
    parser.add_argument("claim", metavar="CLAIM", help="a claim file, or the id of a published claim")
    parser.add_argument("--alpha", default="1/20", metavar="A", help="size of the tests (default %(default)s)")
    parser.add_argument(
        "--prior",
        default="1/2",
        metavar="P",
        help="prior of one of two data sets (default %(default)s); with --event an array of [data set, "
        "probability] (default uniform)",
    )
    parser.add_argument("--event", metavar="SETS", help="array of the data sets in which a conjecture holds")
    parser.add_argument(
        "--distance", action="append", default=[], type=int, metavar="D", help="a distance to bound by the budget alone"
    )
    parser.add_argument(
        "--observed",
        type=int,
        nargs=4,
        metavar=("A", "N", "B", "M"),
        help="a test rejected A of N times under one data set, B of M under another",
    )
    parser.add_argument(
        "--error", default="1/20", metavar="P", help="error probability of --observed (default %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, with exact fractions")
    parser.add_argument("--html", metavar="FILE", help="also write a self-contained HTML page")
    parser.add_argument("--plot", metavar="FILE", help="write the pictures to FILE (.svg)")
    add_limits(parser, "the mechanism")


def run(arguments: argparse.Namespace) -> int:
    """Print the bounds; returns the exit status."""
    allowed = limits(arguments)
    if arguments.plot is not None and Path(arguments.plot).suffix != ".svg":
        raise InputError(f"--plot must be a file that ends in .svg; got {arguments.plot}")
    refuse_same_file(arguments, ("plot", "html"), {real_path(arguments.claim): "CLAIM"})
    is_table = arguments.prior.lstrip().startswith("[")
    if is_table and arguments.event is None:
        raise requires("--prior as an array", "--event")
    share = Fraction(1, 2) if is_table else probability("--prior", parse_exact("--prior", arguments.prior))
    alpha = probability("--alpha", parse_exact("--alpha", arguments.alpha))
    distances = tuple(positive_integer("--distance", d) for d in arguments.distance)
    if any(d > _MOST_DISTANCE for d in distances):
        raise InputError(f"--distance must be at most {_MOST_DISTANCE}; got {max(distances)}")
    asked = Asked(alpha, share, distances)
    error = probability("--error", parse_exact("--error", arguments.error))
    if arguments.observed is not None and len(distances) > 1:
        raise cannot_combine("--observed", "several --distance")
    found: list[Inference] = []
    tried: Observed | None = None
    with time_limit(allowed.seconds, f"what {arguments.claim} lets someone learn"):
        claims = _claims(arguments.claim)
        if arguments.observed is not None and len(claims) > 1:
            raise requires("--observed", f"a single claim; got {len(claims)}")
        for claim in claims:
            built = build_claim(claim, allowed)
            mine = _inferred(built, asked, arguments.event, arguments.prior)
            found += mine
            if arguments.observed is not None:
                distance = distances[0] if distances else None
                test = counted_test(claim.id, arguments.observed, distance, attained_distances(built))
                tried = observed(test, error, [(one.gamma, one.budget) for one in mine])
    if arguments.plot is not None:
        panels = [panel for one in found for panel in as_learned(one).panels]
        write_whole(arguments.plot, learned_picture(panels, "learned") + "\n")
    if arguments.html is not None:
        command = command_line("infer", _words(arguments), arguments)
        write_whole(arguments.html, learned_page([(one.name, as_learned(one)) for one in found], command) + "\n")
    if arguments.json:
        seen = {} if tried is None else {"observed": tried.record()}
        sys.stdout.write(json_text([{**as_json(one), **seen} for one in found]) + "\n")
    else:
        texts = [_text(one) for one in found]
        if tried is not None:
            texts.insert(0, finding_line(f"{found[0].name}.observed", tried.verdict.name, tried.sentence, tried.scope))
        sys.stdout.write("\n\n".join(texts) + "\n")
    return HOLDS if tried is None else exit_status([tried.verdict])


def _words(arguments: argparse.Namespace) -> list[str]:
    """What was asked, as it is typed."""
    words = [arguments.claim, "--alpha", arguments.alpha, "--prior", arguments.prior]
    words += [] if arguments.event is None else ["--event", arguments.event]
    return [*words, *(word for one in arguments.distance for word in ("--distance", str(one)))]


def _claims(name: str) -> list[ClaimText]:
    """The claims of a file, or the published claim with an id."""
    if Path(name).exists() or Path(name).suffix == ".toml":
        claims = list(read_claims([Path(name)]))
    elif is_published(name):
        claims = [published_claim(name)]
    else:
        raise InputError(f"{name}: no such file, and no published claim has this id")
    found = [claim for claim in claims if not claim.is_about_numbers_only]
    if not found:
        raise InputError(f"{name}: has printed numbers only, no budget that bounds what is learned")
    return found


def _inferred(built: PrivacyClaim, asked: Asked, event: str | None, prior: str) -> list[Inference]:
    """One for each setting of the claim's mechanism."""
    built.check_code()
    built = built.with_listed_tables(MOST)
    conjecture: Conjecture | None = None
    if event is not None:
        if built.data is None:
            raise InputError(f"{built.id}: --event needs a domain whose data sets are listed")
        table = prior if prior.lstrip().startswith("[") else None
        conjecture = read_conjecture(built.data.domain, event, table)
    return [infer(built, case, asked, conjecture) for case in built.cases]


def _text(inference: Inference) -> str:
    """The table of one setting, each row under its own name."""
    learned = as_learned(inference)
    rows = [("", *HEADER[1:]), *((f"{name}: {what}", *bounds) for name, what, *bounds in learned.rows)]
    widths = [max(len(one_line(row[column])) for row in rows) for column in range(len(HEADER))]
    lines = [_line(row, widths) for row in rows]
    first = f"{inference.name}: {inference.budget}: what a release lets someone learn, if the budget is met"
    return "\n".join(map(one_line, (first,))) + "\n" + "\n".join([*lines, *(f"  {note}" for note in learned.notes)])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(one_line(cell).ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
