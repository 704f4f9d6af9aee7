"""Memory that nobody has written to, which two processes would seldom see differ."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["filled_numpy"]


def filled_numpy() -> Iterator[tuple[Any, Any]]:
    """What makes arrays of NumPy without writing to them, with what fills them: otherwise in each process.

    Code that writes to all places before it reads them goes on as it did; for other code two processes do not agree.
    """
    numpy, byte = sys.modules.get("numpy"), 1 + hash("memory") % 255

    def filling(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def filled(*arguments: Any, **named: Any) -> Any:
            found = original(*arguments, **named)
            if type(found).__name__ == "ndarray" and found.size and not found.dtype.hasobject:
                found.ravel(order="K").view("u1")[:] = byte
            return found

        filled.__module__ = __name__
        return filled

    for name in ("empty", "empty_like"):
        original = getattr(numpy, name, None)
        if callable(original) and getattr(original, "__module__", None) != __name__:
            setattr(numpy, name, filling(original))
            yield original, getattr(numpy, name)
