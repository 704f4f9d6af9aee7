"""TOML of bounded shape: measured before it is parsed, since a parser takes time and memory that grow faster."""

import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

from stirred.spec.arguments import InputError

MAX_DEPTH = 20
"""How deeply arrays and inline tables may be nested."""

MAX_PARTS = 10
"""How many parts a dotted key may have: the parser's work grows with their square."""

MAX_WORD = 5_000
"""Characters of a number or key without quotes: reading an integer takes time that grows with their square."""

_BEGIN = re.compile(r"""["'#]""")
_ENDS = {
    "#": re.compile(r"\n"),
    '"': re.compile(r'(?P<escaped>\\.)|(?P<end>")|\n', re.DOTALL),
    "'": re.compile(r"(?P<end>')|\n"),
    '"""': re.compile(r'(?P<escaped>\\.)|(?P<end>"{3,5})', re.DOTALL),
    "'''": re.compile(r"(?P<end>'{3,5})"),
}
"""What ends a comment and each kind of text; a text of one line that meets the end of its line does not end."""

_LONG_KEY = re.compile(rf"(?:\.[^.\n=,\[\]{{}}]*){{{MAX_PARTS}}}")
_LONG_WORD = re.compile(rf"[^.\n=,\[\]{{}}\s]{{{MAX_WORD + 1}}}")
_BRACKET = re.compile(r"[\[\]{}]")


def load_toml(place: str, text: str, *, parse_float: Callable[[str], Any]) -> dict[str, Any]:
    """The tables of a TOML text.

    Args:
        place: what the file is called in messages.
        text: the TOML text.
        parse_float: what becomes of a decimal, given as it is written.

    Raises:
        InputError: the text is no TOML, is nested too deeply, or a key or number without quotes is too long.

    >>> load_toml("x.toml", "a.b = 0.10", parse_float=str)
    {'a': {'b': '0.10'}}
    """
    _refuse_shape(place, text)
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except ValueError as error:
        raise InputError(f"{place}: invalid TOML: {error}") from None


def _bare(text: str) -> Iterator[str]:
    """What stands outside of texts and comments, up to a text that does not end, where the parser stops."""
    place = 0
    while begin := _BEGIN.search(text, place):
        yield text[place : begin.start()]
        mark = begin[0]
        if mark != "#" and text.startswith(mark * 3, begin.start()):
            mark *= 3
        place = begin.start() + len(mark)
        while (found := _ENDS[mark].search(text, place)) and found.groupdict().get("escaped"):
            place = found.end()
        if found is None or (mark != "#" and not found["end"]):
            return
        end = found.start() if mark == "#" else found.end()
        yield '"' + "\n" * text.count("\n", begin.start(), end)
        place = end
    yield text[place:]


def _refuse_shape(place: str, text: str) -> None:
    """Measure what the parser reads before its first error, texts and comments taken out."""
    bare = "".join(_bare(text))
    for pattern, expected in (
        (_LONG_KEY, f"a key must have at most {MAX_PARTS} parts"),
        (_LONG_WORD, f"a key or number without quotes must have at most {MAX_WORD} characters"),
    ):
        if found := pattern.search(bare):
            raise InputError(f"{_line(place, bare, found.start())} {expected}; it has more")
    depth = 0
    for bracket in _BRACKET.finditer(bare):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > MAX_DEPTH:
            raise InputError(
                f"{_line(place, bare, bracket.start())} must be nested at most {MAX_DEPTH} deep; it is nested deeper"
            )


def _line(place: str, text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    return f"{place}: line {line}:"
