"""Foreign code in a process of its own: it can neither end its auditor, nor hold it, nor spoil what it prints."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from spec.arguments import InputError
from verify.evidence import EngineError

__all__ = ["in_child"]

T = TypeVar("T")

_GRACE = 2
"""Seconds beyond the limit: the task's own time limit is to answer first, since it knows what was running."""


def in_child(task: Callable[[], T], *, seconds: int, what: str) -> T:
    """The result of a task that runs in a forked process, which is killed when its time is up.

    Where a system cannot fork, the task runs in this process.

    Args:
        task: what to run; its result must be picklable.
        seconds: the time limit.
        what: what is running, for the messages.

    Raises:
        InputError: the task raised it, or its time is up, or its process ended without a result.
        EngineError: the task raised it, or anything that is not foreseen.
    """
    if not hasattr(os, "fork"):
        return task()
    read, write = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the child runs no thread but its own
        child = os.fork()
    if child == 0:
        os.close(read)
        _run(task, write)
    os.close(write)
    try:
        answer = _read(read, time.monotonic() + seconds + _GRACE)
    finally:
        os.close(read)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if answer is None:
        raise InputError(f"{what} took more than {seconds} s: it may loop for ever; raise --seconds if it does not")
    if not answer:
        raise InputError(f"{what}: its process ended without a result")
    kind, value = pickle.loads(answer)  # noqa: S301 written by our own child
    if kind is not None:
        raise kind(value)
    return value  # type: ignore[no-any-return]


def _run(task: Callable[[], Any], write: int) -> None:
    """Run the task and write its result, or what it raised; never returns."""
    sys.stderr = sys.__stderr__  # a progress display of the parent may hold a lock on its own
    answer: tuple[type[Exception] | None, Any]
    try:
        try:
            answer = None, task()
        except (InputError, EngineError) as error:
            answer = type(error), str(error)
        except BaseException as error:
            answer = EngineError, f"{type(error).__name__}: {error}"
        with os.fdopen(write, "wb") as pipe:
            pipe.write(pickle.dumps(answer))
    finally:
        os._exit(0)


def _read(read: int, deadline: float) -> bytes | None:
    """Everything that the child writes; None where it has not ended by the deadline."""
    parts: list[bytes] = []
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([read], [], [], left)[0]:
            return None
        part = os.read(read, 1 << 20)
        if not part:
            return b"".join(parts)
        parts.append(part)
