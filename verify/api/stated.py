"""The claims that mechanisms carry, found without loading the engines; which were stated, and which audited."""

import inspect
from functools import partial
from types import CodeType
from typing import Any

Place = tuple[str, int, str, str]
"""The file, line and qualified name of a function, and its claimed budget."""

STATED: set[Place] = set()
"""Every claim stated on a mechanism in this process."""

MET: set[Place] = set()
"""Every claim audited in this process."""

CLAIMS = "__stirred_claims__"
"""The attribute of a mechanism that holds its claims."""


def place_of(mechanism: Any, budget: str) -> set[Place]:
    """Where the function inside all wrappers is defined; empty for other objects.

    >>> [name for _, _, name, _ in place_of(partial(place_of, budget=""), "epsilon = 1")]
    ['place_of']
    """
    inner = inspect.unwrap(mechanism)
    while isinstance(inner, partial):
        inner = inspect.unwrap(inner.func)
    code = getattr(inner, "__code__", None)
    if not isinstance(code, CodeType):
        return set()
    return {(code.co_filename, code.co_firstlineno, str(getattr(inner, "__qualname__", code.co_name)), budget)}


def stated_claims(mechanism: object) -> tuple[Any, ...]:
    """The claims that a mechanism carries, the outermost first.

    >>> stated_claims(len)
    ()
    """
    try:
        found = vars(mechanism).get(CLAIMS, ())
    except Exception:  # no dictionary, or an object of tests that answers everything its own way
        return ()
    return found if type(found) is tuple else ()
