r"""Prose as tokens: letters, numbers, words and marks, with LaTeX read and every token's place in the text kept.

A letter is a Greek one in any spelling (ε, \epsilon, "epsilon"), a Latin one before "=", or a named quantity such as
"sensitivity". A power of ten is one number: 10^{-10}, 10⁻¹⁰ and 2 × 10^-9. Where the superscript was lost ("10−7"), the
number is marked, since "10-7" may be a range.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from stirred.spec.arguments import InputError
from stirred.verify.engines.printed_number import Printed, parse_printed

DASHES = frozenset("-‐‑−–—")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_GREEK = {
    "epsilon": "ε",
    "eps": "ε",
    "varepsilon": "ε",
    "delta": "δ",
    "rho": "ρ",
    "tau": "τ",
    "mu": "μ",
    "sigma": "σ",
    "ϵ": "ε",
    "µ": "μ",
}
_NAMED = {"sensitivity": "sensitivity", "noise scale": "scale", "scale": "scale", "noise multiplier": "multiplier"}
_COMMANDS = {"times": "*", "cdot": "*", "approx": "≈", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "lt": "<"}
_MINUS = r"[-−–]"
_TIMES = r"\s*(?:×|·|\*|\\+times\b|\\+cdot\b)\s*"
_SUBSCRIPT = r"(?:_(?:\{[^{}]{0,20}\}|[^\W_]{1,20})|['′])*"
_PLAIN = r"(?>[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?(?:[eE][-+−]?[0-9]{1,3}(?!\w))?)"
_DELIMITER = re.compile(r"\\+(?:[()\[\]]|d?prime\b)|\$")
_GREEK_COMMAND = re.compile(r"\\+(epsilon|varepsilon|delta|rho|tau|mu|sigma)(?![A-Za-z])")
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9,])")


class Kind(Enum):
    """What a token is."""

    LETTER = "letter"
    NUMBER = "number"
    DATE = "date"
    WORD = "word"
    MARK = "mark"
    ADDRESS = "address"


class Token(NamedTuple):
    """A piece of a text.

    Attributes:
        kind: what it is.
        text: a letter by its symbol, a word in lower case, a mark as one sign ("*" for ×), a number as it is written.
        start: where it begins in the text.
        end: where it ends.
        number: the value of a number; None where it cannot be read.
        subscript: what stands below a letter, as written.
        is_lost_power: whether the number is a power of ten only if its superscript was lost.
    """

    kind: Kind
    text: str
    start: int
    end: int
    number: Printed | None = None
    subscript: str = ""
    is_lost_power: bool = False

    def follows(self, other: Token) -> bool:
        """Whether nothing stands between the two."""
        return self.start == other.end


_LEXER = re.compile(
    rf"""
      (?P<address>https?://\S+|\b[\w.-]+\.(?:com|org|gov)/\S*)
    | (?P<date>(?<![\w-])[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?![\w-]))
    | (?P<power>(?<![\w.,])(?:(?P<scale>{_PLAIN}){_TIMES})?10\s?(?:
          \^\s?\{{?\s?{_MINUS}\s?(?P<raised>[0-9]{{1,3}})\s?\}}?(?!\w) | ⁻(?P<superscript>[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,3}})
        | (?<=10){_MINUS}(?P<lost>[0-9]{{1,2}})(?![\w.,]\d|\w|\s?{_MINUS}\s?\d) ))
    | (?P<number>{_PLAIN})
    | (?P<greek>(?:\\+(?:var)?|(?<![\w\\]))(?i:epsilon|eps|delta|rho|tau|mu|sigma)(?![^\W_])|[εϵδρτμµσ]){_SUBSCRIPT}
    | (?P<latin>(?<![\w\\])[A-Za-z](?=\s?=(?!=)))
    | (?P<named>\b(?i:sensitivity|noise\ scale|noise\ multiplier|scale)\b)
    | (?P<delimiter>\\+[()\[\]{{}},;!]|[${{}}]|\\+(?:left|right|prime|dprime|text|mathrm|quad)\b|\\+\s)
    | \\+(?P<command>[A-Za-z]+)
    | (?P<word>(?:e\.g|i\.e|etc|vs|U\.S)\.(?!\w)|[^\W\d_]\w*(?:['’-][^\W_]+)*)
    | (?P<mark>\*\*|==|<=|>=|\S)
    """,
    re.VERBOSE,
)
_MARKS = {"×": "*", "·": "*", "<=": "≤", ">=": "≥", "’": "'", "“": '"', "”": '"', "∼": "~"}


def tokens(text: str) -> tuple[Token, ...]:
    r"""The tokens of a text, in order; delimiters of LaTeX are left out.

    >>> [token.text for token in tokens(r"\(\epsilon_0\) = 4 at δ = 2 \times 10^{-9}")]
    ['ε', '=', '4', 'at', 'δ', '=', '2e-9']
    """
    return tuple(
        _TOKENS[found.lastgroup](found)
        for found in _LEXER.finditer(text)
        if found.lastgroup is not None and found.lastgroup != "delimiter"
    )


def _power(found: re.Match[str]) -> Token:
    exponent = found["raised"] or found["lost"] or found["superscript"].translate(_SUPERSCRIPTS)
    text = f"{found['scale'] or 1}e-{exponent}"
    is_lost = found["lost"] is not None and found["scale"] is None
    return _token(found, Kind.NUMBER, text, number=_read(text), is_lost_power=is_lost)


def _number(found: re.Match[str]) -> Token:
    text = found[0].replace("−", "-")
    return _token(found, Kind.NUMBER, text, number=_read(text))


def _greek(found: re.Match[str]) -> Token:
    name = found["greek"].lstrip("\\").lower()
    letter = _GREEK.get(name, name)
    return _token(found, Kind.LETTER, letter, subscript=found[0][len(found["greek"]) :])


def _command(found: re.Match[str]) -> Token:
    mark = _COMMANDS.get(found["command"])
    return _token(found, Kind.WORD if mark is None else Kind.MARK, mark or found["command"].lower())


def _token(
    found: re.Match[str],
    kind: Kind,
    text: str,
    *,
    number: Printed | None = None,
    subscript: str = "",
    is_lost_power: bool = False,
) -> Token:
    return Token(kind, text, found.start(), found.end(), number, subscript, is_lost_power)


_TOKENS: Mapping[str, Callable[[re.Match[str]], Token]] = {
    "address": lambda found: _token(found, Kind.ADDRESS, found[0]),
    "date": lambda found: _token(found, Kind.DATE, found[0]),
    "power": _power,
    "number": _number,
    "greek": _greek,
    "latin": lambda found: _token(found, Kind.LETTER, found[0]),
    "named": lambda found: _token(found, Kind.LETTER, _NAMED[found[0].lower()]),
    "command": _command,
    "word": lambda found: _token(found, Kind.WORD, found[0].lower().replace("’", "'")),
    "mark": lambda found: _token(found, Kind.MARK, _MARKS.get(found[0], found[0])),
}


def plain(text: str) -> str:
    r"""A text without the delimiters of LaTeX and with its Greek letters, for showing it.

    >>> plain(r"was \\(\rho\\) = 2.63")
    'was ρ = 2.63'
    """
    letters = _GREEK_COMMAND.sub(lambda found: _GREEK[found[1]], _DELIMITER.sub("", text))
    return " ".join(letters.split())


def prose_number(name: str, text: str) -> Printed:
    """The number that English prose prints: `parse_printed`, with commas between thousands.

    Raises:
        InputError: the text is no such number.

    >>> prose_number("b", "13,475,623").value
    Fraction(13475623, 1)
    """
    thousands = _THOUSANDS.match(text)
    plain = thousands[0].replace(",", "") + text[thousands.end() :] if thousands else text
    return replace(parse_printed(name, plain), text=text)


@lru_cache(maxsize=4096)
def _read(text: str) -> Printed | None:
    try:
        return prose_number("number", text)
    except InputError:
        return None


def other_reading(text: str) -> Printed | None:
    """The number with "." for thousands and "," for decimals; None where the text cannot be read so.

    >>> other_reading("1.100").value
    Fraction(1100, 1)
    >>> other_reading("0.125") is None
    True
    """
    swapped = text.translate({ord("."): ",", ord(","): "."})
    return _read(swapped) if re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?", swapped) else None
