"""A function that lives in this process, run in a copy of it: a forked child that confines itself, answers and ends.

Nothing that the function does reaches this process: neither what it changes nor what it patches. In the child all that
is not its data and its source is refused as in a process of a claim file (`verify.outside.refusals`), whatever names
the function's modules have imported before; the environment is that of such a process.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from stirred.verify.outside.answers import answer_and_end, counting
from stirred.verify.outside.confinement import confine, die_with_parent, limit_resources
from stirred.verify.outside.own_code import PACKAGES, own_code
from stirred.verify.outside.process import ENVIRONMENT, Child
from stirred.verify.outside.refusals import Refusals

__all__ = ["Forked", "Task"]

Task = Callable[[Callable[[], None]], Mapping[str, Any]]
"""Is told what to call after each data set."""


class Forked(Child):
    """A copy of this process that does one task.

    Args:
        task: returns texts and integers.
        folder: where the user's code is; files there may be read.
        seconds: the time limit.
    """

    def __init__(self, task: Task, folder: Path, seconds: int) -> None:
        self._task = task
        self._folder = folder
        self._seconds = seconds
        super().__init__()

    def _begin(self, write_answer: int, write_print: int, write_count: int) -> int:
        parent = os.getpid()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # other threads: none of them is in the copy
            child = os.fork()
        if child:
            return child
        try:
            self._in_child(parent, write_answer, write_print, write_count)
        finally:  # it never goes on as its parent would
            os._exit(1)

    def _in_child(self, parent: int, write_answer: int, write_print: int, write_count: int) -> None:
        os.setsid()
        faulthandler.disable()
        sys.settrace(None)
        sys.setprofile(None)
        gc.callbacks.clear()  # of a test runner that measures: they would ask for the time in the mechanism's name
        for number in (signal.SIGALRM, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for end in (1, 2):
            os.dup2(write_print, end)
        sys.stdout = sys.stderr = open(1, "w", encoding="utf-8", buffering=1, closefd=False)  # noqa: SIM115 for good
        die_with_parent(parent)
        limit_resources(self._seconds)
        answer_and_end(write_answer, self.nonce, lambda: self._confined(counting(write_count)))

    def _confined(self, done: Callable[[], None]) -> Mapping[str, Any]:
        sys.dont_write_bytecode = True
        for name in set(os.environ) - set(ENVIRONMENT):
            del os.environ[name]
        os.environ.update(ENVIRONMENT)
        readable = [self._folder, *PACKAGES, Path(sys.prefix), Path(sys.base_prefix), Path(sys.exec_prefix)]
        readable += [Path(entry) for entry in sys.path if entry and Path(entry).is_dir()]
        is_confined = confine()
        refusals = Refusals(readable, own_code(self._folder))
        refusals.begin(is_loaded=True)
        return {**self._task(done), "confined": is_confined, "watched": refusals.is_whole}

    def _reap(self) -> None:
        os.waitpid(self._pid, 0)
