"""The one line that a process of foreign code answers with: written there, and read by whoever asked.

It begins with the nonce of the request, and goes on with a JSON object of texts and integers.
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NoReturn

from stirred.spec.arguments import InputError


class AnswerError(InputError):
    """An answer that is not of the form that our own part of the process would have given it."""


def counting(answer: int) -> Callable[[], None]:
    """What is to be called after each data set: it writes a dot where the answer will follow, for whoever watches."""

    def done() -> None:
        with suppress(OSError):  # foreign code may have closed it
            os.write(answer, b".")

    return done


def outcome(task: Callable[[], Any]) -> tuple[bool, Any]:
    """Whether a task was done, with what it returned, or with the sentence that refused it."""
    try:
        return True, task()
    except InputError as error:
        return False, str(error)
    except MemoryError:
        return False, "the mechanism needs more memory than a process of foreign code may have"


def write_and_end(answer: int, text: bytes) -> NoReturn:
    """Write all of a text to a descriptor, and end this process."""
    left = memoryview(text)
    while left:
        left = left[os.write(answer, left) :]
    with suppress(Exception):  # foreign code may have closed it
        sys.stdout.flush()
    os._exit(0)


def answer_and_end(answer: int, nonce: str, task: Callable[[], Mapping[str, Any]]) -> NoReturn:
    """Do what is asked, write the answer or the refusal to a descriptor, and end this process."""
    sys.set_int_max_str_digits(100_000)
    sys.setrecursionlimit(5_000)
    is_done, found = outcome(task)
    reply = found if is_done else {"refused": found}
    write_and_end(answer, (nonce + json.dumps(reply, separators=(",", ":")) + "\n").encode())


def read_answer(nonce: str, line: bytes) -> Mapping[str, Any]:
    """The answer to the request with this nonce.

    Raises:
        AnswerError: something else was written.
    """
    if not line.startswith(nonce.encode()) or not line.endswith(b"\n") or line.count(b"\n") != 1:
        raise AnswerError("its process wrote something else than its answer")
    try:
        answer = json.loads(line[len(nonce) :], parse_float=_refuse_float, parse_constant=_refuse_float)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise AnswerError("its process wrote something else than its answer")
    return answer


def _refuse_float(text: str) -> Any:
    raise ValueError(text)
