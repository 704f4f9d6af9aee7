"""The values of a case as JSON, and back: exact numbers, texts, truth values, oo, tuples, sets and maps.

An int, a text and a truth value stand for themselves, null for oo, a list for a tuple; {"number": "1/3"} is a
fraction, {"set": [...]} a set, {"map": [[key, value], ...]} a map, such as a law with its probabilities.
"""

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.certificates.decimal_interval import Interval
from stirred.verify.evidence.certificates.exact_number import WitnessError, exact_number, quoted, shown_number
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.certificates.work import Work


def encoded(value: Any) -> Any:
    """The JSON of a value.

    >>> encoded({(0, 1): Fraction(1, 3)})
    {'map': [[[0, 1], {'number': '1/3'}]]}
    """
    if isinstance(value, (bool, str)) or value is None:
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else {"number": str(value)}
    if isinstance(value, (tuple, list)):
        return [encoded(part) for part in value]
    if isinstance(value, (set, frozenset)):
        return {"set": sorted(map(encoded, value), key=json.dumps)}
    if isinstance(value, Mapping):
        return {"map": [[encoded(key), encoded(part)] for key, part in value.items()]}
    raise WitnessError(f"a value of a case must be exact and plain; got {type(value).__name__} {quoted(value)}")


def decoded(value: Any, work: Work) -> Any:
    """The value of a JSON text that `encoded` wrote."""
    work.spend(500)
    if isinstance(value, (bool, str)) or value is None:
        return value
    if isinstance(value, int):
        return int(exact_number("a value", value, work))
    if isinstance(value, list):
        return tuple(decoded(part, work) for part in value)
    if isinstance(value, dict) and len(value) == 1:
        ((kind, content),) = value.items()
        if kind == "number":
            return exact_number("a number", content, work)
        if kind == "set" and isinstance(content, list):
            return frozenset(decoded(part, work) for part in content)
        if kind == "map" and isinstance(content, list) and all(isinstance(p, list) and len(p) == 2 for p in content):
            found = {decoded(key, work): decoded(part, work) for key, part in content}
            if len(found) != len(content):
                raise WitnessError("a map must have each key once")
            return found
    raise WitnessError(f"a value of a case must be plain; got {quoted(value)}")


_SMALL = 10**18


def shown_value(value: Any) -> str:
    """A value as a person reads it.

    >>> shown_value(((0, 1), frozenset({"b", "a"}), {0: Fraction(1, 3)}, None))
    "((0, 1), {'a', 'b'}, {0: 1/3}, oo)"
    """
    kind = type(value)
    if kind is tuple:  # what there is most of comes first
        inner = ", ".join(map(shown_value, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if kind is int and -_SMALL < value < _SMALL:
        return str(value)
    if value is None:
        return "oo"
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, (int, Fraction)):
        return shown_number(value, 60)
    if isinstance(value, str):
        return printable(repr(value))
    if isinstance(value, Interval):  # a tuple of two decimals, and a number
        return str(value)
    if isinstance(value, tuple):
        return shown_value(tuple(value))
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(shown_value, value))) + "}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{shown_value(key)}: {shown_value(part)}" for key, part in value.items()) + "}"
    return str(value)
