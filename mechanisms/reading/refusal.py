"""What a program does that is not read: no exception of the program's, so that no program can catch it."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

import numpy as np

GENERATORS = (np.random.Generator, np.random.RandomState, random.Random, np.random.BitGenerator, np.random.SeedSequence)
"""The classes of what draws, as they are when nothing is put in their place."""


class Refusal(BaseException):  # a program's `except Exception` must not catch it
    """A construct that has no meaning here: the file and line, what it is, and the remedy."""


class Passed(Refusal):
    """What whoever decides the draws has raised: the program has no part in it.

    Args:
        error: what was raised.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class Forking(Protocol):
    """Decides what the draws of a path are."""

    def fork(self, weights: Sequence[Any], what: str, line: str) -> int:
        """The number of the outcome, given their probabilities."""


class Reader(Protocol):
    """Who reads a program, as draws and meanings know it."""

    path: Forking

    @property
    def line(self) -> str:
        """Where the program is: "f.py, line 3"."""

    def call(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The result of a call of anything that can be called."""

    def refuse(self, what: str) -> Refusal:
        """A refusal of what the present line does."""


set_trace: Callable[[Any], None] = sys.settrace
"""As it is before anything is refused."""


class OwnCode:
    """Sees code of the program that Python runs itself meanwhile, as properties and operators: it is not read.

    Args:
        is_own: whether a file is the program's own.

    Attributes:
        refusal: of the first such code; it is raised afterwards, so that no program can catch it.
    """

    def __init__(self, is_own: Callable[[str], bool]) -> None:
        self._is_own = is_own
        self._known: dict[str, bool] = {}
        self._before: Any = None
        self.refusal: Refusal | None = None

    def __enter__(self) -> None:
        self._before = sys.gettrace()
        set_trace(self._called)

    def __exit__(self, *_: object) -> None:
        set_trace(self._before)

    def _called(self, frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename
        if file not in self._known:
            self._known[file] = self._is_own(file)
        if self._known[file] and event == "call" and self.refusal is None:
            self.refusal = Refusal(
                f"{Path(file).name}, line {frame.f_lineno}: {frame.f_code.co_name} is run by Python itself, as "
                "properties, operators and generators of one's own are, and is not read"
            )
