"""Sums and products that prose works out, such as "0.11 * 2 + 0.22 = 0.44".

Only what has the form of an equation is read, and only where the words around it show where it begins and ends: the
tail of a longer expression is listed as not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from stirred.verify.engines.printed_number import Printed
from stirred.verify.laws.statement_text.phrases import is_denied, starts
from stirred.verify.laws.statement_text.quantities import CONTINUATIONS
from stirred.verify.laws.statement_text.tokens import DASHES, Kind, Token, other_reading, prose_number

_OPERATORS = frozenset("*+/")
_MAX_TERMS = 50
_BEGINNINGS = (
    *("so", "thus", "hence", "therefore", "then", "is", "are", "was", "were", "equal", "equals", "give", "gives"),
    *("giving", "as", "because", "since", "namely", "i.e.", "e.g."),
)
"""Words behind which an expression begins."""

_NUMBER_WORDS = ("a", "an", "one", "half")


@dataclass(frozen=True)
class Equation:
    """An expression of numbers and the number that it is said to equal.

    Attributes:
        terms: the numbers as printed.
        printed: the number that they are said to give.
    """

    terms: tuple[str, ...]
    operators: tuple[str, ...]
    printed: Printed

    def may_hold(self) -> bool:
        """Whether numbers that round to the printed ones satisfy it; a whole number is exact.

        >>> [Equation(("0.6931", "2"), ("*",), prose_number("c", c)).may_hold() for c in ("1.3863", "1.3865")]
        [True, False]
        """
        read = [prose_number("number", term) for term in self.terms]
        slack = [number.half_unit if number.may_be_rounded else Fraction(0) for number in read]
        lows = [number.value - half for number, half in zip(read, slack, strict=True)]
        highs = [number.value + half for number, half in zip(read, slack, strict=True)]
        least, most = self._value(lows, highs), self._value(highs, lows)
        half = self.printed.half_unit
        return (
            least is None or most is None or (least <= self.printed.value + half and most >= self.printed.value - half)
        )

    def _value(self, terms: Sequence[Fraction], divisors: Sequence[Fraction]) -> Fraction | None:
        """The value of the expression with one list for what it adds and multiplies, another for what it divides by."""
        total, product = Fraction(0), terms[0]
        for place, operator in enumerate(self.operators, start=1):
            if operator == "/" and divisors[place] <= 0:
                return None
            if operator == "+":
                total, product = total + product, terms[place]
            else:
                product = product * terms[place] if operator == "*" else product / divisors[place]
        return total + product

    @property
    def expression(self) -> str:
        """The expression, without the commas of its thousands."""
        parts = [self.terms[0]]
        for operator, term in zip(self.operators, self.terms[1:], strict=True):
            parts += [operator, term]
        return " ".join(parts).replace(",", "")

    def other_reading(self) -> Equation | None:
        """The same with "." for thousands and "," for decimals; None where a number cannot be read so."""
        numbers = [other_reading(text) for text in (*self.terms, self.printed.text)]
        read = [number for number in numbers if number is not None]
        if len(read) < len(numbers):
            return None
        return Equation(tuple(number.text for number in read[:-1]), self.operators, read[-1])


@dataclass(frozen=True)
class Expression:
    """A place of the form of an equation: the tokens from first to last, and what it says where it is read."""

    first: int
    last: int
    equation: Equation | None


def expressions(found: Sequence[Token]) -> Iterator[Expression]:
    """Everything of the form "a + b = c" or "c (a + b)", in order."""
    index = 0
    while index < len(found):
        last = _chain(found, index)
        if last == index:
            index += 1
            continue
        read = (*_equals(found, index, last), *_in_parentheses(found, index, last))
        yield from read
        index = max((last, *(one.last for one in read))) + 1


def _chain(found: Sequence[Token], index: int) -> int:
    """The last number of the chain of operators that begins at a token; the index itself where there is none."""
    last = index
    if found[index].kind is Kind.NUMBER:
        while last + 2 < len(found) and found[last + 1].text in _OPERATORS and found[last + 2].kind is Kind.NUMBER:
            last += 2
    return last


def _equals(found: Sequence[Token], first: int, last: int) -> Iterator[Expression]:
    """The chain, where "=" and a number follow."""
    if last + 2 >= len(found) or found[last + 1].text != "=" or found[last + 2].kind is not Kind.NUMBER:
        return
    is_clear = _begins(found, first) and _ends(found, last + 2) and not is_denied(found, first)
    yield Expression(first, last + 2, _equation(found, first, last, found[last + 2]) if is_clear else None)


def _in_parentheses(found: Sequence[Token], first: int, last: int) -> Iterator[Expression]:
    """The sum behind a letter's number, in parentheses: "= 5.0 (2.5 + 2.5)"."""
    if first < 3 or last + 1 >= len(found) or found[first - 1].text != "(" or found[last + 1].text != ")":
        return
    total = found[first - 2]
    is_stated = total.kind is Kind.NUMBER and found[first - 3].text == "="
    if is_stated and not found[first - 1].follows(total) and not is_denied(found, first):
        equation = _equation(found, first, last, total)
        if equation is not None and set(equation.operators) == {"+"}:
            yield Expression(first - 2, last, equation)


def _equation(found: Sequence[Token], first: int, last: int, total: Token) -> Equation | None:
    terms, operators = found[first : last + 1 : 2], tuple(token.text for token in found[first + 1 : last : 2])
    is_date = operators[:2] == ("/", "/")
    numbers = [*terms, total]
    if is_date or len(terms) > _MAX_TERMS or total.number is None or any(token.is_lost_power for token in numbers):
        return None
    if any(token.number is None for token in terms):
        return None
    return Equation(tuple(token.text for token in terms), operators, total.number)


def _begins(found: Sequence[Token], first: int) -> bool:
    """Whether the words before show that an expression begins here."""
    if first == 0:
        return True
    before, earlier = found[first - 1], (found[first - 2] if first > 1 else None)
    if before.text == "(":
        is_glued = earlier is not None and before.follows(earlier) and earlier.kind is not Kind.MARK
        return not (is_glued or (earlier is not None and earlier.text in (*_OPERATORS, *DASHES, "^")))
    if before.text == "=":
        return earlier is None or earlier.text not in ("<", ">")
    if before.text in (":", ";", ","):
        is_spaced = not found[first].follows(before)
        return is_spaced and (before.text == ";" or _joins(found, first - 1) or not _after_number(found, first - 1))
    if before.text in (".", "and") and _joins(found, first - 1):
        return True
    return starts(found, first - 1, _BEGINNINGS) > first - 1


def _after_number(found: Sequence[Token], place: int) -> bool:
    return place > 0 and found[place - 1].kind is Kind.NUMBER


def _joins(found: Sequence[Token], place: int) -> bool:
    """Whether the mark or "and" at a place stands behind the result of another equation."""
    if place > 0 and found[place].text == "and" and found[place - 1].text == ",":
        place -= 1
    return place > 1 and found[place - 1].kind is Kind.NUMBER and found[place - 2].text == "="


def _ends(found: Sequence[Token], last: int) -> bool:
    """Whether the words behind show that the number is all that is said."""
    rest = found[last + 1 : last + 5]
    if not rest:
        return True
    after, second = rest[0], (rest[1] if len(rest) > 1 else None)
    is_number = second is not None and second.kind is Kind.NUMBER
    leads = is_number and len(rest) > 2 and rest[2].text in _OPERATORS
    if after.text in (".", ":", ")", "]", ";"):
        return second is None or not second.follows(after) or second.kind is Kind.MARK or leads
    if after.text in ('"', "'"):
        return True
    if after.text == ",":
        is_spaced = second is not None and not second.follows(after)
        return is_spaced and (not is_number or leads)
    if after.text == "(":
        return not after.follows(found[last]) and not is_number
    if after.text in ("—", "–"):
        return not after.follows(found[last]) and not is_number
    if after.text == "and":
        is_word = second is not None and second.text in _NUMBER_WORDS
        return leads or not (is_number or is_word or second is None)
    if after.follows(found[last]):
        return False
    return after.text in CONTINUATIONS and not is_number
