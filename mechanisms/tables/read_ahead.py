"""Work on two cores: the next piece of an iteration is made while the present one is used."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

__all__ = ["read_ahead"]

Piece = TypeVar("Piece")


def read_ahead(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The same pieces in the same order; one of them is made ahead, in a thread, and what it raises is raised in turn.

    >>> list(read_ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    end = object()
    with ThreadPoolExecutor(1) as thread:
        following: Future[Piece | object] = thread.submit(next, pieces, end)
        while (piece := following.result()) is not end:
            following = thread.submit(next, pieces, end)
            yield piece  # type: ignore[misc]  # the end is no piece
