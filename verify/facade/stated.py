"""Claims that stand on a mechanism, found without loading what checks them; which were stated, and which audited."""

from types import CodeType
from typing import Any

Place = tuple[str, int, str]
"""The file, the line and the qualified name of a function."""

STATED: set[Place] = set()
"""Of every mechanism that was decorated in this process."""

MET: set[Place] = set()
"""Of every mechanism that was audited in this process."""

CLAIMS = "__stirred_claims__"
"""The attribute of a mechanism that holds its claims."""


def place_of(mechanism: object) -> set[Place]:
    """Where a function or a method is written; empty for other objects.

    >>> [name for _, _, name in place_of(place_of)]
    ['place_of']
    """
    if isinstance(mechanism, (staticmethod, classmethod)):
        mechanism = mechanism.__func__
    code = getattr(mechanism, "__code__", None)
    if not isinstance(code, CodeType):
        return set()
    return {(code.co_filename, code.co_firstlineno, str(getattr(mechanism, "__qualname__", code.co_name)))}


def stated_claims(mechanism: object) -> tuple[Any, ...]:
    """The claims that `stirred.satisfies` has put on a mechanism, the outermost first.

    >>> stated_claims(len)
    ()
    """
    try:
        found = vars(mechanism).get(CLAIMS, ())
    except Exception:  # no dictionary, or an object of tests that answers everything its own way
        return ()
    return found if type(found) is tuple else ()
