"""The one line that a process of foreign code answers with: written there, and read by whoever asked.

It begins with the nonce of the request, and goes on with a JSON object of texts and integers.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NoReturn

from stirred.spec.arguments import InputError
from stirred.verify.outside.copies import OUT_OF_MEMORY

__all__ = ["AnswerError", "answer_and_end", "counting", "read_answer"]


class AnswerError(InputError):
    """An answer that is not of the form that our own part of the process would have given it."""


def counting(count: int) -> Callable[[], None]:
    """What is to be called after each data set: it writes a byte to a descriptor, for whoever watches."""

    def done() -> None:
        with suppress(OSError):  # foreign code may have closed it
            os.write(count, b".")

    return done


def answer_and_end(answer: int, nonce: str, task: Callable[[], Mapping[str, Any]]) -> NoReturn:
    """Do what is asked, write the answer or the refusal to a descriptor, and end this process."""
    sys.set_int_max_str_digits(100_000)
    sys.setrecursionlimit(5_000)
    try:
        reply = task()
    except InputError as error:
        reply = {"refused": str(error)}
    except MemoryError:
        reply = {"refused": OUT_OF_MEMORY}
    line = (nonce + json.dumps(reply, separators=(",", ":")) + "\n").encode()
    while line:
        line = line[os.write(answer, line) :]
    with suppress(Exception):  # foreign code may have closed it
        sys.stdout.flush()
    os._exit(0)


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
