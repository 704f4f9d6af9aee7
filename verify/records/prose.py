"""Numbers in prose: assignments such as "ρ = 2.56" and sums such as "0.11 * 2 + 0.22 = 0.44", item by item.

Only what has the form of an equation is read; a number without an equals sign is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from spec.arguments import InputError
from verify.printed_number import Printed, parse_printed

__all__ = ["Assignment", "Equation", "Item", "items", "nearly_equal_numbers"]

_LATEX = (
    (re.compile(r"\\{1,2}[()\[\]]|\$"), " "),
    (re.compile(r"\\(?:var)?epsilon\b|\bepsilon\b"), "ε"),
    (re.compile(r"\\delta\b|\bdelta\b"), "δ"),
    (re.compile(r"\\rho\b|\brho\b"), "ρ"),
    (re.compile(r"\\(?:times|cdot)\b|×|·"), "*"),
    (re.compile(r"(?<![\d.])10\s*\^\s*\{?\s*[-−]\s*(\d{1,3})\s*\}?"), r"1e-\1"),
)
_MAX_TERMS = 50
# atomic, so that "0.11 * 2" is not read as 0
_NUMBER = r"(?>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)"
# what may not follow a number that is read: more of it, an operator, a unit, or the other end of a range
_END = r"(?![\w^%*/])(?!\s?[*+/^])(?!\s?[-−–]\s?\d)(?!\s(?:to|or)\s\d)(?!\s?(?:%|percent|thousand|million|billion)\b)"
# an expression starts where no operator stands before it, so that it is never the tail of a longer one
_START = r"(?<![\w.,^*+/()−–-])(?<![*+/^(−–-]\s)"
_ASSIGNMENT = re.compile(rf"([εδρ])\s?=\s?({_NUMBER}){_END}")
_EQUATION = re.compile(rf"{_START}({_NUMBER}(?:\s?[*+/]\s?{_NUMBER}){{1,{_MAX_TERMS}}})\s?=\s?({_NUMBER}){_END}")
_LABEL = re.compile(r"\s*-?\s*([^:=]{1,100}):(?:\s|$)")
_BULLET = re.compile(r"^(\s*)-\s+")
_LARGE = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])(?!\.\d)|(?<![\d.,/_-])\d{5,}(?![\d,_/-])(?!\.\d)")


@dataclass(frozen=True)
class Assignment:
    """A letter and the number that a text gives it: ε, δ, or ρ (the article's ρ²)."""

    letter: str
    number: Printed


@dataclass(frozen=True)
class Equation:
    """An expression of numbers and the number that it is said to equal."""

    expression: str
    printed: Printed


@dataclass(frozen=True)
class Item:
    """A list item or paragraph.

    Attributes:
        label: the words before its first colon, or "".
        text: the item with letters for LaTeX and on one line.
        depth: its indentation.
    """

    label: str
    text: str
    depth: int

    def assignments(self) -> tuple[Assignment, ...]:
        """What the item says of ε, δ and ρ, in order."""
        return tuple(
            Assignment(found[1], number) for found in _ASSIGNMENT.finditer(self.text) if (number := _read(found[2]))
        )

    def equations(self) -> tuple[Equation, ...]:
        """The sums and products that the item works out."""
        found = []
        for match in _EQUATION.finditer(self.text):
            printed = _read(match[2])
            if printed is not None:
                found.append(Equation(" ".join(match[1].replace(",", "").split()), printed))
        return tuple(found)


def _read(text: str) -> Printed | None:
    try:
        return parse_printed("number", text)
    except InputError:
        return None


def items(text: str) -> Iterator[Item]:
    r"""The items of a text: every "- " line begins one, and so does every line that no bullet precedes.

    >>> [item.label for item in items("- Total: a\n  - Part: b")]
    ['Total', 'Part']
    """
    for pattern, letter in _LATEX:
        text = pattern.sub(letter, text)
    current: list[str] = []
    depth = 0
    for line in text.splitlines():
        bullet = _BULLET.match(line)
        if bullet or not line.strip():
            if current:
                yield _item(current, depth)
            current, depth = ([line[bullet.end() :]], len(bullet[1])) if bullet else ([], 0)
        else:
            current.append(line)
    if current:
        yield _item(current, depth)


def _item(lines: list[str], depth: int) -> Item:
    text = " ".join(" ".join(lines).split())
    label = _LABEL.match(text)
    return Item(label[1].strip() if label else "", text, depth)


def nearly_equal_numbers(texts: list[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of different integers of five or more digits that differ in one digit only: one may be a misprint.

    >>> nearly_equal_numbers(["k = 65,546 functions", "65,536 rows"])
    (('65,536', '65,546'),)
    """
    found = sorted({match[0] for text in texts for match in _LARGE.finditer(text)})
    pairs = []
    for index, first in enumerate(found):
        for second in found[index + 1 :]:
            a, b = first.replace(",", ""), second.replace(",", "")
            if len(a) == len(b) and sum(x != y for x, y in zip(a, b, strict=True)) == 1:
                pairs.append((first, second))
    return tuple(pairs)
