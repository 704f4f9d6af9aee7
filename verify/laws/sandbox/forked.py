"""A function that lives in this process, run in a copy of it: a forked child that confines itself, answers and ends.

Nothing that the function does reaches this process: neither what it changes nor what it patches. In the child all that
is not its data and its source is refused as in a process of a claim file (`laws.sandbox.refusals`), whatever names
the function's modules have imported before; the environment is that of such a process.
"""

import faulthandler
import gc
import os
import signal
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from stirred.verify.evidence.process_control.processor_time import STARTED
from stirred.verify.laws.sandbox.answers import answer_and_end, counting
from stirred.verify.laws.sandbox.confinement import set_apart
from stirred.verify.laws.sandbox.process import Child
from stirred.verify.laws.sandbox.refusals import Refusals
from stirred.verify.laws.sandbox.server import ENVIRONMENT, kill_group

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

    def _begin(self, ends: Sequence[int]) -> None:
        parent = os.getpid()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # other threads: none of them is in the copy
            self._pid = os.fork()
        if self._pid:
            STARTED.add(self._pid)
            return
        try:
            self._in_child(parent, *ends)
        finally:  # it never goes on as its parent would
            os._exit(1)

    def _in_child(self, parent: int, show: int, answer: int) -> None:
        faulthandler.disable()
        sys.settrace(None)
        sys.setprofile(None)
        gc.callbacks.clear()  # of a test runner that measures: they would ask for the time in the mechanism's name
        for number in (signal.SIGALRM, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        set_apart(parent, show, self._seconds)
        sys.stdout = sys.stderr = open(1, "w", encoding="utf-8", buffering=1, closefd=False)  # noqa: SIM115 for good
        answer_and_end(answer, self.nonce, lambda: self._confined(counting(answer)))

    def _confined(self, done: Callable[[], None]) -> Mapping[str, Any]:
        sys.dont_write_bytecode = True
        for name in set(os.environ) - set(ENVIRONMENT):
            del os.environ[name]
        os.environ.update(ENVIRONMENT)
        said = Refusals(self._folder, is_loaded=True).said
        return {**self._task(done), **said}

    def _end(self) -> None:
        kill_group(self._pid)
        STARTED.discard(self._pid)
