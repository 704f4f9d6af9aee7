"""A witness as small tables: two data sets side by side, their laws with the event marked, the numbers of a formula."""

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from stirred.spec.numbers.enclosure import decimal_text
from stirred.verify.evidence.certificates.case_values import decoded, shown_value
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.certificates.work import Work
from stirred.verify.evidence.reports.lines import counted, shortened
from stirred.verify.evidence.reports.page_style import Markup, element, joined, table
from stirred.verify.evidence.reports.worked_witness import worked_steps
from stirred.verify.evidence.witness import Witness

_MOST_ROWS = 24
_MOST_RECORDS = 60
_LONGEST_CELL = 200
_LONGEST_EXACT = 40
_LONG_DECIMALS = re.compile(r"(\d\.\d{8})\d{4,}")
"""Digits that are for whoever replays the witness."""


def witness_tables(witness: Witness) -> Markup:
    """What refutes the claim: its tables, the arithmetic by hand, and the inequality that replaying finds false."""
    replayed = replay(witness)
    parts: list[Markup] = []
    if "x" in witness and "x_prime" in witness:
        parts.append(_data_sets(witness["x"], witness["x_prime"]))
    if "law" in witness:
        parts.append(_laws(witness))
    values = witness.get("values", witness.get("case"))
    if isinstance(values, dict) and values:
        rows = ((name, _case_cell(value)) for name, value in values.items())
        parts.append(table("The case", ("name", "value"), rows))
    if steps := worked_steps(witness):
        shown = ([_cell(part) for part in (one.part, one.numbers, one.value)] for one in steps)
        parts.append(table("Worked out by hand", ("part", "with its numbers", "value"), shown))
    parts.append(element("p", "What replaying the witness finds: ", element("code", replayed)))
    return joined(parts)


def _cell(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shortened(_LONG_DECIMALS.sub(r"\1…", text), _LONGEST_CELL)


def _case_cell(value: Any) -> str:
    """A number of a formula as it is written, or what a case's value stands for."""
    return _cell(value if isinstance(value, str) else shown_value(decoded(value, Work())))


def _data_sets(x: Any, x_prime: Any) -> Markup:
    """Record by record where both have as many; else each in one cell."""
    caption, header = "The two data sets", ("record", "x", "x'", "same?")
    if isinstance(x, list) and isinstance(x_prime, list) and len(x) == len(x_prime) <= _MOST_RECORDS:
        rows = [
            (str(number), _cell(one), _cell(other), "same" if one == other else "differs")
            for number, (one, other) in enumerate(zip(x, x_prime, strict=True), start=1)
        ]
        return table(caption, header, rows)
    return table(caption, ("data set", "value"), (("x", _cell(x)), ("x'", _cell(x_prime))))


def _laws(witness: Witness) -> Markup:
    """Each outcome with its two probabilities, those of the event first."""
    law, law_prime = ({json.dumps(outcome): p for outcome, p in witness[key]} for key in ("law", "law_prime"))
    event = {json.dumps(outcome) for outcome in witness.get("event", ())}
    values = {json.dumps(outcome): outcome for key in ("law", "law_prime") for outcome, _ in witness[key]}
    outcomes = sorted(values, key=lambda outcome: outcome not in event)
    header = ["outcome t", "P(t | x)", "P(t | x')"] + (["in the event E?"] if event else [])

    def rows() -> Iterator[list[str]]:
        for outcome in outcomes[:_MOST_ROWS]:
            shown = [_cell(values[outcome]), _number(law.get(outcome, "0")), _number(law_prime.get(outcome, "0"))]
            yield shown + (["in E" if outcome in event else "not in E"] if event else [])
        if event:
            both = (witness["probability"], witness["probability_prime"])
            yield ["all of E", *map(_number, both), ""]

    more = len(outcomes) - _MOST_ROWS
    rest = f"; {counted(more, 'more outcome')} in the witness file" if more > 0 else ""
    return table(f"The probabilities of the outcomes{rest}", header, rows())


def _number(text: Any) -> str:
    value = Fraction(text)
    exact = str(text)
    about = f"{'-' if value < 0 else ''}{decimal_text(abs(value), 6)}"
    if value.denominator == 1:
        return exact
    return f"{exact} ≈ {about}" if len(exact) <= _LONGEST_EXACT else f"≈ {about}"
