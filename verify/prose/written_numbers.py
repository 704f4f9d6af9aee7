"""Numbers as prose writes them: decimals, shares, fractions, logarithms, powers and words, each read exactly or not.

A text is read in plain signs: full-width letters, superscripts and look-alikes are spelt first.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from stirred.spec.arguments import InputError
from stirred.spec.numbers.enclosure import Enclosure
from stirred.verify.engines.printed_number import Printed, formula_value, parse_printed
from stirred.verify.prose.quantities import NUMBER_WORDS
from stirred.verify.prose.tokens import DASHES, Kind, Token

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺⁽⁾"
_RAISED = re.compile(f"[{_SUPERSCRIPTS}]+")
_PLAIN = str.maketrans(_SUPERSCRIPTS, "0123456789-+()")
_LOOK_ALIKES = str.maketrans("ɛє∊ℇℯ∕÷‒―﹣еорѕіӏԁ", "εεεεe//–––eopsild")


def plainly_written(text: str) -> str:
    """The text in the signs that `verify.prose.tokens` reads; what no sign is seen of is left out.

    >>> plainly_written("ε²，½ of ０．０１，10⁻⁵")
    'ε^2,1/2 of 0.01,10^-5'
    """
    raised = _RAISED.sub(lambda found: "^" + found[0].translate(_PLAIN), text)
    return "".join(map(_sign, raised)).translate(_LOOK_ALIKES)


def _sign(sign: str) -> str:
    if unicodedata.category(sign) == "Cf":
        return ""
    folded = unicodedata.normalize("NFKC", sign).replace("⁄", "/")
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    return folded if len(folded) == 1 or "/" in folded else sign


_MORE = ("one", "eleven", "twelve", "twenty", "thirty", "fifty", "hundred", "thousand", "million")
_PARTS = {"half": 2, "third": 3, "quarter": 4, "tenth": 10, "hundredth": 10**2, "thousandth": 10**3, "millionth": 10**6}
WORDS: dict[str, int | Fraction] = {
    **NUMBER_WORDS,
    **dict.fromkeys(("zero", "nil"), 0),
    **dict(zip(_MORE, (1, 11, 12, 20, 30, 50, 10**2, 10**3, 10**6), strict=True)),
    **{f"{part}{ending}": Fraction(1, share) for part, share in _PARTS.items() for ending in ("", "s")},
}
"""The numbers that are written as words."""

_FUNCTIONS = {"ln": "ln", "log": "ln", "exp": "exp", "sqrt": "sqrt", "√": "sqrt"}
_UNITS = ("thousand", "million", "billion")
_ENDINGS = ("%", *(f" {unit}" for unit in _UNITS))
_OPERATORS = {"*": "*", "/": "/", "+": "+", "^": "**", "**": "**", "(": "(", ")": ")"}
_NO_VARIABLES = ("a", "i", "e", "s")
_MOST = 40


@dataclass(frozen=True)
class WrittenNumber:
    """A number of a text, at its tokens.

    Attributes:
        first: the index of its first token.
        last: that of its last.
        value: what it is, exact or enclosed; None where it is not read.
        printed: the number where it is plainly printed, so that others round to it; None for an expression.
        formula: the number as a formula, "" where it is not read.
        is_word: whether it is written in words.
    """

    first: int
    last: int
    value: Enclosure | None
    printed: Printed | None = None
    formula: str = ""
    is_word: bool = False

    @property
    def is_read(self) -> bool:
        """Whether its value is known."""
        return self.value is not None


def is_variable(token: Token) -> bool:
    """Whether a token stands for a number that a formula leaves open, such as the b of ln(b + 1)."""
    if token.kind is Kind.LETTER:
        return True
    is_letter = token.kind is Kind.WORD and len(token.text) == 1 and token.text.isalpha()
    return is_letter and token.text not in _NO_VARIABLES


def number_at(found: Sequence[Token], index: int) -> WrittenNumber | None:
    """The number that begins at a token, as long as it goes; None where none begins."""
    token = found[index]
    if token.kind is Kind.WORD and token.text in WORDS:
        return _in_words(found, index)
    if token.kind is not Kind.NUMBER and not _begins_function(found, index):
        return None
    last, parts = _expression(found, index)
    if last < index:
        return None
    if parts is None:
        return WrittenNumber(index, last, None)
    if last == index or (last == index + 1 and parts[-1] in _ENDINGS):
        return _plain(found, index, last)
    return _value(index, last, "".join(parts))


def _begins_function(found: Sequence[Token], index: int) -> bool:
    rest = found[index + 1 : index + 4]
    is_power = found[index].text == "e" and len(rest) > 1 and rest[0].text == "^"
    is_called = found[index].text in _FUNCTIONS and bool(rest)
    is_fraction = found[index].text == "frac" and len(rest) > 1
    return (is_power or is_called or is_fraction) and any(token.kind is Kind.NUMBER for token in rest)


def _expression(found: Sequence[Token], index: int) -> tuple[int, list[str] | None]:
    """The last token of the expression that begins here, and its parts as a formula; None where it is not read."""
    parts: list[str] = []
    place, is_read, operand = index, True, False
    while place < min(len(found), index + _MOST):
        token = found[place]
        if token.kind is Kind.NUMBER:
            if operand:
                break
            is_read &= token.number is not None and not token.is_lost_power
            parts.append("" if token.number is None else _exact_text(token.number))
            operand = True
        elif token.text in ("frac", *_FUNCTIONS) or (token.text == "e" and _text(found, place + 1) == "^"):
            length = _function(found, place, parts, is_multiplied=operand)
            if not length:
                break
            place, operand = place + length - 1, True
        elif operand and token.text in (",", ".", ":") and _is_glued(found, place):
            is_read, operand = False, False  # "0,01" and "1.2.3" are one number each, and it is not known which
        elif operand and token.text in ("*", "/", "+", "^", "**") and _continues(found, place + 1):
            if token.text in ("^", "**") and _text(found, place + 1) in DASHES:
                parts.append("**-")
                place += 1
            else:
                parts.append(_OPERATORS[token.text])
            operand = False
        else:
            break
        place += 1
    if operand and _text(found, place) in ("%", "percent", *_UNITS):
        parts.append("%" if found[place].text in ("%", "percent") else f" {found[place].text}")
        place += 1
    if operand and place < len(found) and found[place].text.rstrip("s") in _PARTS:
        return place, None
    return place - 1, parts if is_read and operand else None


def _text(found: Sequence[Token], place: int) -> str:
    return found[place].text if place < len(found) else ""


def _exact_text(number: Printed) -> str:
    return (
        f"({number.value.numerator}/{number.value.denominator})" if number.value.denominator > 1 else str(number.value)
    )


def _is_glued(found: Sequence[Token], place: int) -> bool:
    """Whether a mark stands between two numbers without a space."""
    if place + 1 >= len(found) or found[place + 1].kind is not Kind.NUMBER:
        return False
    return found[place].follows(found[place - 1]) and found[place + 1].follows(found[place])


def _continues(found: Sequence[Token], place: int) -> bool:
    if place < len(found) and found[place].text in DASHES:
        place += 1
    if place >= len(found):
        return False
    return found[place].kind is Kind.NUMBER or _begins_function(found, place)


def _function(found: Sequence[Token], place: int, parts: list[str], *, is_multiplied: bool) -> int:
    """How many tokens a function of a number takes, 0 where its argument is none; its formula goes to the parts."""
    if found[place].text == "frac":
        return _fraction(found[place + 1 : place + 3], parts, is_multiplied=is_multiplied)
    name = "exp" if found[place].text == "e" else _FUNCTIONS[found[place].text]
    at = place + (2 if found[place].text == "e" else 1)
    is_bracketed = _text(found, at) == "("
    at += is_bracketed
    sign = ""
    if _text(found, at) in DASHES:
        sign, at = "-", at + 1
    if at >= len(found) or found[at].kind is not Kind.NUMBER:
        return 0
    inside = [sign]
    while at < len(found):
        number = found[at].number
        if found[at].kind is not Kind.NUMBER or number is None:
            return 0
        inside.append(_exact_text(number))
        at += 1
        is_more = is_bracketed or _text(found, at) == "/"
        if is_more and _text(found, at) in _OPERATORS and _continues(found, at + 1):
            inside.append(_OPERATORS[found[at].text])
            at += 1
            continue
        break
    if is_bracketed:
        if _text(found, at) != ")":
            return 0
        at += 1
    argument = "".join(inside)
    if len(inside) == 2:
        argument = argument.replace("(", "").replace(")", "")
    parts.append(f"{'*' if is_multiplied else ''}{name}({argument})")
    return at - place


def _fraction(ends: Sequence[Token], parts: list[str], *, is_multiplied: bool) -> int:
    """The tokens of a LaTeX fraction of two numbers, 0 where it is none; its formula goes to the parts."""
    numbers = [token.number for token in ends if token.number is not None]
    if is_multiplied or len(numbers) < 2:
        return 0
    parts.append(f"({_exact_text(numbers[0])}/{_exact_text(numbers[1])})")
    return 3


def _plain(found: Sequence[Token], index: int, last: int) -> WrittenNumber:
    token = found[index]
    printed = token.number
    if last > index and printed is not None:
        unit = "%" if found[last].text in ("%", "percent") else f" {found[last].text}"
        try:
            printed = parse_printed("number", f"{token.text.replace(',', '')}{unit}")
        except InputError:
            printed = None
    if printed is None:
        return WrittenNumber(index, last, None)
    return WrittenNumber(index, last, Enclosure(printed.value, printed.value), printed, _exact_text(printed))


def _value(first: int, last: int, formula: str) -> WrittenNumber:
    if formula.endswith("%"):
        formula = f"({formula[:-1]})/100"
    try:
        value = formula_value("number", formula, {})
    except InputError:
        return WrittenNumber(first, last, None)
    printed = None
    if value.lower == value.upper:
        printed = Printed(formula, value.lower)
    return WrittenNumber(first, last, value, printed, formula)


def _in_words(found: Sequence[Token], index: int) -> WrittenNumber:
    """A number in words; of several in a row nothing is read but "one hundredth", "a half" and the like."""
    last = index
    while last + 1 < len(found) and found[last + 1].text in WORDS:
        last += 1
    words = [Fraction(WORDS[token.text]) for token in found[index : last + 1]]
    unit = Fraction(1)
    if _text(found, last + 1) in ("percent", "%"):
        last, unit = last + 1, Fraction(1, 100)
    if len(words) == 2 and words[1] < 1:
        words = [words[0] * words[1]]
    if len(words) > 1:
        return WrittenNumber(index, last, None, is_word=True)
    value = words[0] * unit
    return WrittenNumber(index, last, Enclosure(value, value), Printed(str(value), value), str(value), is_word=True)
