"""On which line of a TOML text each key stands, so that a finding can point at it."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

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
