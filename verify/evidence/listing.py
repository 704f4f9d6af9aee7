"""What is found true on the way to a verdict, as sentences about cases: kept for those who list it, else forgotten.

A property that compares by an engine says what it has found, and a linear program what proves its optimum; a
certificate lists these sentences, and an independent checker computes them anew.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Truth:
    """An expression in the language of cases that is true of a case."""

    says: str
    case: dict[str, Any]
    is_step: bool


_KEPT: ContextVar[list[Truth] | None] = ContextVar("_KEPT", default=None)


@contextmanager
def listening() -> Iterator[list[Truth]]:
    """Keep what is found true in the block, in its order; a block inside another one keeps what it finds itself.

    >>> with listening() as found:
    ...     found_so("n < 3", lambda: {"n": 2})
    >>> found[0].case
    {'n': 2}
    """
    kept: list[Truth] = []
    token = _KEPT.set(kept)
    try:
        yield kept
    finally:
        _KEPT.reset(token)


def is_listened() -> bool:
    """Whether what is found true is kept: then it must be said again where an answer is known already."""
    return _KEPT.get() is not None


def found_so(says: str, case: Callable[[], dict[str, Any]], *, is_step: bool = False) -> None:
    """Say that an expression is true of a case; the case is made only where someone listens."""
    kept = _KEPT.get()
    if kept is not None:
        kept.append(Truth(" ".join(says.split()), case(), is_step))
