"""JSON whose numbers are kept exactly as they are written."""

import json
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError, parse_exact

_MAX_SHOWN = 60


class NumberText(str):
    """A JSON number as it is written, apart from a JSON string."""

    __slots__ = ()


def load_json(place: str, text: str, *, infinity: bool = False) -> Any:
    """The value of a JSON text; its numbers are `NumberText`, the text "Infinity" among them where it is allowed.

    >>> load_json("x.json", '{"a": 0.10}')
    {'a': '0.10'}
    """

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in items:
            if not key.isprintable():
                raise InputError(f"{place}: a key must hold printable characters only; got {key!r}")
            if key in found:
                raise InputError(f"{place}: duplicate key {key!r}")
            found[key] = value
        return found

    def constant(name: str) -> NumberText:
        if infinity and name == "Infinity":
            return NumberText(name)
        raise InputError(f"{place}: numbers must be finite; got {name}")

    try:
        return json.loads(
            text, parse_float=NumberText, parse_int=NumberText, parse_constant=constant, object_pairs_hook=pairs
        )
    except json.JSONDecodeError as error:
        raise InputError(f"{place}: line {error.lineno}: invalid JSON: {error.msg}") from None
    except RecursionError:
        raise InputError(f"{place}: invalid JSON: nested too deeply") from None


def json_shown(value: Any) -> str:
    """A value as the file writes it, for messages; tables, arrays and long texts are shortened.

    >>> json_shown(None), json_shown(True), json_shown("0.1"), json_shown({"a": "b"})
    ('null', 'true', "'0.1'", 'a table')
    """
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case dict():
            return "a table"
        case list():
            return "an array"
        case NumberText():
            text = str(value)
        case _:
            text = repr(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def json_exact(place: str, value: Any) -> Fraction:
    """A JSON number, exact."""
    if not isinstance(value, NumberText):
        raise InputError(f"{place} must be a number; got {json_shown(value)}")
    return parse_exact(place, str(value))


def json_number(place: str, value: Any) -> Fraction:
    """A JSON number ≥ 0, exact."""
    number = json_exact(place, value)
    if number < 0:
        raise InputError(f"{place} must be non-negative; got {json_shown(value)}")
    return number
