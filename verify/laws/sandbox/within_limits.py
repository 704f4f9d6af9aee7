"""What a function of this program answers within limits of time and memory, kept from outside in a copy of the process.

The function may take what it likes of files and programs: it is ours, and only what it is given is not.
"""

import faulthandler
import json
import os
import select
import signal
import sys
import warnings
from collections.abc import Callable
from typing import Any

from stirred.verify.evidence.process_control.processor_time import STARTED
from stirred.verify.evidence.process_control.time_limit import Allowance
from stirred.verify.laws.sandbox.confinement import set_apart
from stirred.verify.laws.sandbox.server import kill_group

_PIECE = 1 << 20
_LOOK = 0.2


class LimitError(Exception):
    """The function took more than it may, or its process ended without an answer."""


def within_limits(function: Callable[[], Any], *, seconds: int, memory: int) -> Any:
    """What a function returns, which is a JSON value; on systems without copies of a process, without limits.

    Args:
        function: what is run; nothing that it changes or prints reaches this process.
        seconds: of processor time.
        memory: the bytes that it, and each program that it starts, may add; where the system knows no such limit, any.

    Raises:
        LimitError: it takes more, or it raises.

    >>> within_limits(lambda: [2 + 2], seconds=60, memory=10**9)
    [4]
    """
    if not hasattr(os, "fork"):
        return function()
    parent = os.getpid()
    sys.stdout.flush()
    sys.stderr.flush()
    answers, answer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads: none of them is in the copy
        child = os.fork()
    if child == 0:
        try:
            _in_child(function, answer, parent, seconds, memory)
        finally:  # it never goes on as its parent would
            os._exit(1)
    os.close(answer)
    STARTED.add(child)
    try:
        found = _read(answers, Allowance(seconds, "it"))
    finally:
        kill_group(child)
        STARTED.discard(child)
        os.close(answers)
    if found is None:
        raise LimitError(f"it takes more than {seconds} s; --seconds gives it more")
    if not found:
        raise LimitError("its process ended without an answer: the system may have no more memory")
    told = json.loads(found)
    if "why" in told:
        raise LimitError(told["why"])
    return told["answer"]


def _read(end: int, allowance: Allowance) -> bytes | None:
    """What is written until it is closed; None where the time is up first."""
    parts = []
    while not allowance.used_up():
        if select.select([end], [], [], _LOOK)[0]:
            parts.append(os.read(end, _PIECE))
            if not parts[-1]:
                return b"".join(parts)
    return None


def _in_child(function: Callable[[], Any], answer: int, parent: int, seconds: int, memory: int) -> None:
    faulthandler.disable()
    for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    set_apart(parent, nowhere, seconds, memory)
    sys.stdout = sys.stderr = open(nowhere, "w", encoding="utf-8")  # noqa: SIM115, PTH123 for good
    try:
        told = json.dumps({"answer": function()})
    except MemoryError:
        told = json.dumps({"why": f"it takes more than {memory // 10**6} MB of memory; --memory gives it more"})
    except Exception as error:  # whatever it is given: a line and no traceback
        told = json.dumps({"why": f"{type(error).__name__}: {error}"})
    with open(answer, "w", encoding="ascii") as pipe:
        pipe.write(told)
    os._exit(0)
