"""A function that lives in this process, run in a copy of it: a forked child that confines itself, answers and ends.

Nothing that the function does reaches this process: neither what it changes nor what it patches. In the child all that
is not its data and its source is refused as in a process of a claim file (`verify.outside.refusals`), whatever names
the function's modules have imported before; the environment is that of such a process.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import sysconfig
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from verify.outside.confinement import confine, die_with_parent, limit_resources
from verify.outside.process import ENVIRONMENT, Child, collected
from verify.outside.refusals import Refusals
from verify.outside.worker import answer_and_end

__all__ = ["forked_answers"]

Task = Callable[[], Mapping[str, Any]]

_ROOTS = dict.fromkeys(file.parents[2] for file in (Path(__file__), Path(__file__).resolve()))

_LIBRARY = tuple(
    f"{folder}{os.sep}"
    for folder in dict.fromkeys(
        (
            *(Path(path).resolve() for path in sysconfig.get_paths().values()),
            *(Path(path).resolve() for path in (sys.prefix, sys.base_prefix, sys.exec_prefix)),
            *(root / package for root in _ROOTS for package in ("spec", "mechanisms", "verify")),
        )
    )
)


def forked_answers(tasks: Sequence[Task], folder: Path, *, seconds: int, what: str) -> list[Mapping[str, Any]]:
    """What forked copies of this process answer to tasks, each in a copy of its own, at the same time.

    What they print goes to stderr.

    Args:
        tasks: each returns texts and integers, as `verify.outside.messages` has them.
        folder: where the user's code is; files there may be read.
        seconds: the time limit for all of them.
        what: what is running, for the messages.

    Raises:
        InputError: one was refused or took too long, printed or answered too much, or ended without an answer.
    """
    return collected((partial(_Forked, task, folder, seconds) for task in tasks), seconds=seconds, what=what)


class _Forked(Child):
    """A copy of this process."""

    def __init__(self, task: Task, folder: Path, seconds: int) -> None:
        self._task = task
        self._folder = folder
        self._seconds = seconds
        super().__init__()

    def _begin(self, write_answer: int, write_print: int) -> int:
        parent = os.getpid()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # other threads: none of them is in the copy
            child = os.fork()
        if child:
            return child
        try:
            self._in_child(parent, write_answer, write_print)
        finally:  # it never goes on as its parent would
            os._exit(1)

    def _in_child(self, parent: int, write_answer: int, write_print: int) -> None:
        os.setsid()
        faulthandler.disable()
        sys.settrace(None)
        sys.setprofile(None)
        for number in (signal.SIGALRM, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for end in (1, 2):
            os.dup2(write_print, end)
        sys.stdout = sys.stderr = open(1, "w", encoding="utf-8", buffering=1, closefd=False)  # noqa: SIM115 for good
        die_with_parent(parent)
        limit_resources(self._seconds)
        answer_and_end(write_answer, self.nonce, self._confined)

    def _confined(self) -> Mapping[str, Any]:
        for name in set(os.environ) - set(ENVIRONMENT):
            del os.environ[name]
        os.environ.update(ENVIRONMENT)
        readable = [self._folder, Path(sys.prefix), Path(sys.base_prefix), Path(sys.exec_prefix)]
        readable += [Path(entry) for entry in sys.path if entry and Path(entry).is_dir()]
        is_confined = confine()
        own = f"{self._folder.resolve()}{os.sep}"
        Refusals(readable, lambda file: _is_own(file, own)).begin(is_loaded=True)
        return {**self._task(), "confined": is_confined}

    def _reap(self) -> None:
        os.waitpid(self._pid, 0)


def _is_own(file: str, own: str) -> bool:
    """Whether a source file is the user's: in the folder of the function, or in none of the libraries'."""
    if file.startswith("<"):
        return not file.startswith(("<frozen", "<string>", "<__array_function__"))
    return not file.startswith(_LIBRARY) or (own.startswith(_LIBRARY) and file.startswith(own))
