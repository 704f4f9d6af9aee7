"""How a registry record comes to its budget: the equations that its texts print, and sums and multiples of parts.

An equation is recomputed: both sides are numbers in digits, so that it is right or it is not. A parameter without one
is looked for among the sums of what a text gives its letter, and their multiples by a number that the record has; that
it equals one of them is shown, that the curator meant it is not.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from stirred.spec.arguments import InputError
from stirred.verify.audit.question import Answer
from stirred.verify.audit.records.registry import LETTERS, LONGEST, RegistryRecord, numbers_in_text
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.engines.printed_number import Printed, parse_printed
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.statement_text import in_one_spelling

_NUMBER = r"[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?"
_TERM = rf"\(?+\s?+(?>{_NUMBER})(?:\s?+\))?+"
_FORMULA = rf"{_TERM}(?:\s?+[*+/]\s?+{_TERM}){{0,20}}+"  # it never tries the same text twice
_EQUATION = re.compile(rf"(?<![\w.,(*+/^-])(?P<left>{_FORMULA})\s?=\s?(?P<right>{_FORMULA})(?![\w.%(]*[\w%(])")
_LONGER_BEFORE = re.compile(r"(?:[-*+/^–<>≤≥≈]|\b(?:and|plus|minus|times|by|of)|[a-zα-ω]\()\s?$")
_FACTOR_BEFORE = re.compile(r"(?:[0-9)]|\b\w)\s?$")
_ANOTHER = re.compile(rf"=\s?{_NUMBER},? and $")
_LONGER_AFTER = re.compile(
    r"\s?(?:[-*+/^–=]\s?[0-9(]|[*/^]|(?:percent|thousand|million|billion|times|plus|minus)\b|[εδρ])"
)
_NAMED = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_OPERATOR = re.compile(r"[*+/()]")
_WORDS = {word: number for number, word in enumerate(_NAMED, 2)} | dict.fromkeys(("twice", "double", "doubles"), 2)
_COUNT = re.compile(rf"(?<![\w.,^*/+-])(?:[2-9]|[1-9][0-9]{{1,2}})(?![\w.,%^]*\w)|\b(?:{'|'.join(_WORDS)})\b")
_MOST_PARTS, _MOST_ROUNDED = 10, 8


def equations(text: str) -> Iterator[tuple[str, str]]:
    r"""Each equation of a text between two formulas of numbers in digits, none of them a part of a longer one.

    >>> list(equations(r"Thus 0.11 × 2 + 0.22 = 0.44, \\epsilon = 2 (4 + 1) = 10, and x + 1 = 2."))
    [('0.11 * 2 + 0.22', '0.44')]
    """
    line = re.sub(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))", "", in_one_spelling(text[:LONGEST]))
    for found in _EQUATION.finditer(line):
        before, after = line[: found.start()][-40:], line[found.end() :][:12]
        sides = found["left"].strip(), found["right"].strip()
        is_whole = all(side.count("(") == side.count(")") for side in sides) and bool(_OPERATOR.search("".join(sides)))
        is_longer = _LONGER_AFTER.match(after) or (_LONGER_BEFORE.search(before) and not _ANOTHER.search(before))
        is_factor = sides[0].startswith("(") and _FACTOR_BEFORE.search(before)
        if is_whole and not is_longer and not is_factor:
            yield sides


def equation_answers(record: RegistryRecord) -> Iterator[Answer]:
    """Each printed equation recomputed; refuted where no numbers that round to the printed ones satisfy it."""
    for key, text in record.texts.items():
        for left, right in dict.fromkeys(equations(text)):
            formula, number = (left, right) if _OPERATOR.search(left) else (right, left)
            if _OPERATOR.search(number):
                continue
            with suppress(InputError):  # no number, such as 007, or a division by zero
                yield _recomputed(f"{formula} in {key}", formula, parse_printed(key, number))


def _recomputed(what: str, formula: str, printed: Printed) -> Answer:
    inputs: dict[str, Printed] = {}

    def named(found: re.Match[str]) -> str:
        inputs[name := f"x{len(inputs) + 1}"] = parse_printed(what, found[0])
        return name

    row = PrintedRow(what, printed, re.sub(_NUMBER, named, formula), inputs)
    value = row.value()
    if value.lower == value.upper == printed.value:
        return Answer("derivation", row.compared(), decides=False)
    rounded = tuple(name for name, number in inputs.items() if number.may_be_rounded)
    if len(rounded) <= _MOST_ROUNDED:
        found = replace(row, rounded=rounded).compared()
        if found.verdict is Verdict.REFUTED:
            return Answer("derivation", found)
    detail = f"{what}: printed {printed.text}, recomputed {value.text(12)}: equal only if numbers are rounded"
    return Answer("derivation", Evidence(Verdict.OPEN, "an equation of the text", detail))


def derivation_answers(record: RegistryRecord) -> Iterator[Answer]:
    """How each parameter comes of the smaller numbers that a text gives its letter, where it has any."""
    scope = "sums of what a text gives the parameter's letter, and their multiples by a number that the record has"
    counts = sorted({number for text in record.texts.values() for number in _counts(text)})
    multiples = _common_multiples(record)
    for name, stated in record.parameters.items():
        by_text = _parts(record, name, stated)
        if not any(by_text.values()):
            continue
        field = f"{name} = {stated.text} in privacy_parameters"
        found = _found(stated.value, by_text, [*counts, *multiples])
        if found is not None:
            key, formula = found
            detail = f"{field}; it equals {formula} of the numbers in {key}"
            yield Answer("derivation", Evidence(Verdict.EXHAUSTED, scope, detail), decides=False)
            continue
        shown = ", ".join(dict.fromkeys(part.text for parts in by_text.values() for part in parts))
        detail = f"{field}; no sum of {shown}, nor a multiple of one, gives it"
        yield Answer("derivation", Evidence(Verdict.OPEN, scope, detail))


def _counts(text: str) -> Iterator[int]:
    """The whole numbers from 2 to 999 that a text has, in digits or in words."""
    for found in _COUNT.finditer(in_one_spelling(text[:LONGEST])):
        yield _WORDS.get(found[0]) or int(found[0])


def _parts(record: RegistryRecord, name: str, stated: Printed) -> Mapping[str, Sequence[Printed]]:
    """The numbers below the parameter that each text gives its letter, as often as it has them."""
    by_text: dict[str, list[Printed]] = {}
    for key, number in numbers_in_text(record, LETTERS[name]):
        if 0 < number.value < stated.value:
            by_text.setdefault(key, []).append(number)
    return {key: numbers[:_MOST_PARTS] for key, numbers in by_text.items()}


def _common_multiples(record: RegistryRecord) -> tuple[int, ...]:
    """The whole numbers k ≥ 2 such that ε and δ are both k times a pair of a text, whether or not it has k."""
    if not {"epsilon", "delta"} <= record.parameters.keys():
        return ()
    ratios = [
        {
            record.parameters[name].value / part.value
            for parts in _parts(record, name, record.parameters[name]).values()
            for part in parts
        }
        for name in ("epsilon", "delta")
    ]
    return tuple(int(one) for one in ratios[0] & ratios[1] if one.denominator == 1 and one >= 2)


def _found(value: Fraction, by_text: Mapping[str, Sequence[Printed]], counts: Sequence[int]) -> tuple[str, str] | None:
    """The text and the formula: a sum before a multiple, all parts of a text before some, few before many."""
    sums: dict[Fraction, tuple[str, Sequence[Printed]]] = {}
    for key, parts in by_text.items():
        for chosen in (one for size in (len(parts), *range(1, len(parts))) for one in combinations(parts, size)):
            sums.setdefault(sum((part.value for part in chosen), Fraction(0)), (key, chosen))
    for factor in (1, *counts):
        if value / factor in sums:
            key, chosen = sums[value / factor]
            added = " + ".join(part.text for part in chosen)
            return key, added if factor == 1 else f"{factor} * {f'({added})' if len(chosen) > 1 else added}"
    return None
