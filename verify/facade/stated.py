"""Claims that stand on a mechanism, found without loading what checks them."""

from typing import Any

CLAIMS = "__stirred_claims__"
"""The attribute of a mechanism that holds its claims."""


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
