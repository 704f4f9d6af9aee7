"""Mechanisms of diffprivlib: the claim is the object's own `epsilon` and `delta`, at inputs `sensitivity` apart."""

from collections.abc import Iterator
from typing import Any

from stirred.verify.audit.libraries.claiming_object import LibraryObject, version_of


def read(candidate: Any, _: Any) -> LibraryObject | None:
    """The claim of a mechanism; None for other objects of diffprivlib."""
    if not all(hasattr(candidate, name) for name in ("epsilon", "delta", "randomise")):
        return None
    delta = candidate.delta
    budget = {"epsilon": repr(candidate.epsilon), **({"delta": repr(delta)} if delta else {})}
    title = f"diffprivlib {version_of('diffprivlib')}, {type(candidate).__name__}"
    output = "approximate" if delta else "pure"
    return LibraryObject(title, candidate.randomise, output, budget, tuple(_pairs(candidate)))


def _pairs(mechanism: Any) -> Iterator[tuple[Any, Any]]:
    """Inputs that are the sensitivity apart; at the ends of the range where there is one; the values of a coin."""
    if hasattr(mechanism, "value0"):
        yield mechanism.value0, mechanism.value1
        return
    apart = getattr(mechanism, "sensitivity", None)
    if apart is None or hasattr(mechanism, "utility"):
        return
    low, high = getattr(mechanism, "lower", None), getattr(mechanism, "upper", None)
    if low is None or high is None:
        yield apart - apart, apart
        return
    whole = int if isinstance(low, int) else type(apart)
    for start in (low, high - apart):
        yield whole(start), whole(start + apart)
