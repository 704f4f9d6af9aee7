"""TOML of bounded shape: measured before it is parsed, since a parser takes time and memory that grow faster.

It is also said on which line each key stands, so that a finding can point at it.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
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

    >>> load_toml("x.toml", "a.b = 0.10", parse_float=str)
    {'a': {'b': '0.10'}}
    """
    _refuse_shape(place, text)
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except ValueError as error:
        raise InputError(f"{place}: invalid TOML: {error}{_remedy(text, str(error))}") from None


def _remedy(text: str, error: str) -> str:
    """What is commonly meant where the parser stops; empty if nothing is known."""
    if text.startswith("%PDF"):
        return "; it is a PDF"
    found = re.search(r"at line (\d+)", error)
    line = text.splitlines()[int(found[1]) - 1] if found else ""
    if "Invalid value" in error and line:
        return '; texts stand in straight quotes, as in epsilon = "ln 3"'
    return ""


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


KeyPath = tuple[str | int, ...]
"""Keys from the root, and the places of tables in arrays of tables."""


_END = re.compile(r"""([]}]|\"{3}|'{3})\s*(#.*)?$""")
"""How the last line of a statement of several lines ends."""

_MOST_READ = 20_000_000
"""Characters that are parsed, again and again, before the rest of a text is left without lines."""


def key_lines(text: str) -> dict[KeyPath, int]:
    r"""The line, from 1, of every key and table of a valid TOML text; all keys of one statement have its first line.

    The text is taken apart into statements by the parser itself: the shortest run of lines that it accepts is one.

    >>> key_lines("id = 'a'\n[[claim]]\nid = 'b'\n[claim.budget]\nepsilon = '1'")[("claim", 0, "budget", "epsilon")]
    5
    """
    found: dict[KeyPath, int] = {}
    table: KeyPath = ()
    for number, statement, parsed in _statements(text):
        if statement.lstrip().startswith("["):
            table = _header(found, parsed, is_array=statement.lstrip().startswith("[["))
            found.setdefault(table, number)
        else:
            for path in _paths(parsed):
                found.setdefault((*table, *path), number)
    return found


def _statements(text: str) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    """Each statement with its first line and what it holds; blank lines and comments are none."""
    kept: list[str] = []
    first, read = 1, 0
    for number, line in enumerate(text.split("\n"), start=1):
        if not kept:
            first = number
        kept.append(line)
        if len(kept) > 1 and not _END.search(line):
            continue
        statement = "\n".join(kept)
        read += len(statement)
        if read > _MOST_READ:
            return
        try:
            parsed = tomllib.loads(statement)
        except ValueError:
            continue
        kept = []
        if parsed:
            yield first, statement, parsed


def _header(found: Mapping[KeyPath, int], parsed: Mapping[str, Any], *, is_array: bool) -> KeyPath:
    """The path of a table, from the table that a header alone makes: through an array it goes to the last table."""
    names = []
    value: Any = parsed
    while isinstance(value, dict) and value:
        ((name, value),) = value.items()
        names.append(name)
        if isinstance(value, list):
            (value,) = value
    path: KeyPath = ()
    for place, name in enumerate(names):
        path = (*path, name)
        tables = _tables(found, path)
        if place == len(names) - 1 and is_array:
            path = (*path, tables)
        elif tables:
            path = (*path, tables - 1)
    return path


def _tables(found: Mapping[KeyPath, int], path: KeyPath) -> int:
    """How many tables of an array of tables have been met."""
    count = 0
    while (*path, count) in found:
        count += 1
    return count


def _paths(value: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    if path:
        yield path
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _paths(part, (*path, name))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            if isinstance(part, dict):
                yield from _paths(part, (*path, index))
