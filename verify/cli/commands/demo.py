"""`stirred demo`: a claim that holds, the same claim refuted, and a published result, computed as they are printed."""

import argparse
import sys
import textwrap
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from stirred.spec.numbers.enclosure import decimal_text
from stirred.verify.audit.audit import AuditRecord, audit
from stirred.verify.audit.audit_report import plain_sentence
from stirred.verify.cli.commands.help_text import COLUMNS, declare
from stirred.verify.evidence.certificates.standard_streams import say
from stirred.verify.evidence.files.toml_text import load_toml
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.reports.lines import FAILURE, HOLDS, error_line
from stirred.verify.evidence.reports.report import FAIL, PASS, outcome
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.laws.claim.claim_numbers import published_claim
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.claim.text import claim_of

CLAIM = """\
id = "demo.survey"
statement = "Each answer is flipped with probability 1/4: epsilon = 1.1."

# domain: who is eligible for protection? three people, who answer 0 or 1
domain = { schema = { answer = [0, 1] }, records = 3, order = "ordered" }
# multiverse: where does it extend to? to all data sets; no total is invariant
multiverse = { invariants = [] }
# input premetric: what is the granularity? the answer of one person
input_premetric = { name = "hamming_ordered", resolution = "person" }
# output premetric: how is change of output measured? by likelihood ratios
output_premetric = { name = "multiplicative" }
# budget: how much? the logarithm of such a ratio is at most
budget = { epsilon = "1.1" }

mechanism = { name = "randomized-response", flip_probability = "1/4" }
"""
"""The claim of the first step; ln 3 ≈ 1.0986 is the loss of this mechanism."""

_PROMISED, _PROMISED_LESS = "1.1", "1"
_PUBLISHED, _PROVED = "massachusetts-1940", "psa.exact.massachusetts.households"
_LABEL = 12

_NEXT = """\
What to type next

  stirred init                  write a claim about a function of your own
  stirred audit majority.toml   and check it
  stirred guide                 the guide, one short page per task
  stirred audit                 recompute the published claims
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    declare(
        subparsers,
        "demo",
        run,
        description="Take a tour: a claim that holds, the same claim with a smaller budget and its counterexample, and "
        "a result about the swapped 1940 census. Everything is computed while you watch.",
        epilog="examples:\n  stirred demo\n\n"
        "exit status: 0 every step had the expected verdict; 2 one had another, which is named on stderr.",
    )


def run(_: argparse.Namespace) -> int:
    """Print the tour; returns the exit status."""
    unexpected = [line for step in (_holds, _fails, _published) for line in step()]
    sys.stdout.write(_NEXT)
    for line in unexpected:
        say(error_line(line))
    return FAILURE if unexpected else HOLDS


def _holds() -> Iterator[str]:
    """The claim as it stands; yields what is not as expected."""
    _write("1. A claim, and whether it holds")
    _write(
        "Three people answer a delicate question. Each answer is flipped with probability 1/4, and the flipped answers "
        "are published. How much can they tell about one person? A claim says so in five blocks; without one of them "
        "its epsilon means nothing:"
    )
    sys.stdout.write(textwrap.indent(CLAIM, "  ") + "\n")
    record = _audited(_PROMISED)
    _write_rows(*_rows(record))
    yield from _unexpected("step 1", record.verdict, PASS)


def _fails() -> Iterator[str]:
    """The claim with a smaller budget, and its counterexample; yields what is not as expected."""
    _write(f"2. The same mechanism, promising less: epsilon = {_PROMISED_LESS}")
    record = _audited(_PROMISED_LESS)
    witness = record.decider.evidence.witness or {}
    means = plain_sentence(witness)
    found = [("means", means), ("because", _counterexample(witness))] if means else []
    _write_rows(*_rows(record), *found)
    yield from _unexpected("step 2", record.verdict, FAIL)
    if not means:
        yield "step 2: expected a counterexample; got none"


def _published() -> Iterator[str]:
    """The budget of the swapped 1940 census, as printed and as proved; yields what is not as expected."""
    from stirred.verify.engines.swapping.bounds import certified_two_category_budget  # noqa: PLC0415 slow to load
    from stirred.verify.ledger.run import run_claim  # noqa: PLC0415

    _write("3. A result: how private is a swapped census?")
    claim = build_claim(published_claim(_PUBLISHED))
    case, printed, proved = claim.cases[0], audit(claim), run_claim(_PROVED)
    stratum = claim.mechanism.largest_stratum if claim.mechanism else None
    rate, budget = Fraction(case.setting["swap_rate"]), case.budget
    if stratum is None or budget is None or budget.loss is None or budget.printed is None:
        raise EngineError(f"{_PUBLISHED} has no budget by formula")
    certified = certified_two_category_budget(stratum, rate)
    _write(
        f"A published article swaps {decimal_text(100 * rate, 2)}% of the households of Massachusetts in the 1940 "
        f"Census, among up to {stratum:,} of one size, and prints epsilon = {budget.printed.text}. The printed number "
        "is right, and a much smaller one is enough:"
    )
    _write_rows(
        ("printed", f"{_word(printed.verdict)}: epsilon = {budget.loss} by the article's formula"),
        ("enough", f"epsilon = {certified} where households own or rent"),
        ("proved", f"{_word(proved.verdict)}, in Coq: {proved.claim.statement}"),
    )
    yield from _unexpected("step 3, the printed number", printed.verdict, PASS)
    yield from _unexpected("step 3, the theorem", proved.verdict, PASS)
    if not certified < budget.loss:
        yield f"step 3: expected a budget below the printed one; got {certified}"


def _audited(epsilon: str) -> AuditRecord:
    place = Path("demo.toml")
    text = CLAIM.replace(_PROMISED, epsilon)
    return audit(build_claim(claim_of(place, Block(f"{place}:", load_toml(str(place), text, parse_float=str)))))


def _rows(record: AuditRecord) -> list[tuple[str, str]]:
    """The verdict on the claim, what it claims and what is needed."""
    needed = record.needed.partition(", by ")[0]
    return [
        ("verdict", f"{_word(record.verdict)}: {record.verdict.value}"),
        ("claimed", record.claimed),
        ("needed", f"epsilon = {needed}"),
    ]


def _counterexample(witness: Witness) -> str:
    """The data sets, the event and both probabilities of a refutation, in words."""
    x, other = (", ".join(str(answer) for (answer,) in witness[key]) for key in ("x", "x_prime"))
    event = " or ".join(witness["event"])
    return (
        f"if the true answers are {x}, then {event} is published with probability {witness['probability']}; if they "
        f"are {other}, with probability {witness['probability_prime']}"
    )


def _word(verdict: Verdict) -> str:
    return f"{outcome(verdict)} ({verdict.name})"


def _unexpected(step: str, verdict: Verdict, expected: str) -> Iterator[str]:
    if outcome(verdict) != expected:
        yield f"{step}: expected {expected}; got {_word(verdict)}"


def _write(text: str) -> None:
    sys.stdout.write(textwrap.fill(text, COLUMNS) + "\n\n")


def _write_rows(*rows: tuple[str, str]) -> None:
    for label, text in rows:
        first, margin = f"  {label:<{_LABEL - 2}}", " " * _LABEL
        sys.stdout.write(textwrap.fill(text, COLUMNS, initial_indent=first, subsequent_indent=margin) + "\n")
    sys.stdout.write("\n")
