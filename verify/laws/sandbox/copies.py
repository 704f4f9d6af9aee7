"""A task in a copy of the process that has loaded foreign code: what it does there stays there.

The law that is audited is that of one call in a fresh process. So the code is loaded once, and each batch of data sets
is met by a copy of the process as it was then: nothing flows from one batch to another. A copy can start no process.
"""

import gc
import marshal
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from stirred.spec.arguments import InputError
from stirred.verify.laws.sandbox.answers import outcome, write_and_end
from stirred.verify.laws.sandbox.confinement import die_with_parent, refuse_processes

T = TypeVar("T")

_ALONE = 4
_MOST = 4
"""Batches of one data set each, and of more."""

_LEAST = 16
"""Data sets of a batch of more: a copy costs some 25 ms of processor time, with what it learns anew."""

_PIECE = 1 << 20

_fork: Any = getattr(os, "fork", None)  # refused by its name, as is the other's; not on every system
_pid = os.getpid


def batches(points: Sequence[T], alone: int = _ALONE) -> Iterator[Sequence[T]]:
    """The data sets in batches: the first ones alone, others in as many as a process can well be copied for.

    >>> [len(batch) for batch in batches(range(30))] == [1] * 4 + [16, 10]
    True
    """
    yield from (points[place : place + 1] for place in range(min(alone, len(points))))
    left = len(points) - alone
    size = max(-(-left // _MOST), _LEAST) if left > _MOST else 1
    yield from (points[place : place + size] for place in range(alone, len(points), size))


def in_copy(task: Callable[[], Any]) -> Any:
    """What a task returns in a copy of this process: numbers, texts, lists and dictionaries.

    Raises:
        InputError: the task raised it, or needs too much memory. Where it ends its process, this one ends too.
    """
    read, write = os.pipe()
    with suppress(Exception):  # foreign code may have closed it
        sys.stdout.flush()
    gc.freeze()  # so that collecting does not touch, and so copy, what the two have in common
    parent = _pid()
    child = _fork()
    if child == 0:
        try:
            die_with_parent(parent)
            refuse_processes()
            write_and_end(write, marshal.dumps(outcome(task)))
        finally:
            os._exit(0)
    os.close(write)
    answer = b"".join(iter(partial(os.read, read, _PIECE), b""))
    os.close(read)
    os.waitpid(child, 0)
    if not answer:
        os._exit(1)  # as the copy did
    is_done, found = marshal.loads(answer)  # noqa: S302 what our own part of the copy wrote, for a process like it
    if not is_done:
        raise InputError(found)
    return found
