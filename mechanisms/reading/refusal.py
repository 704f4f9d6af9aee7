"""What a program does that is not read: no exception of the program's, so that no program can catch it."""

from __future__ import annotations

import random
import sys
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import BuiltinFunctionType, FrameType, FunctionType, GeneratorType, ModuleType
from typing import Any, Protocol

import numpy as np

MOVING: Mapping[Any, Sequence[str]] = {
    list: ("append", "extend", "insert", "pop", "copy", "clear", "reverse"),
    dict: ("items", "values", "keys", "get", "setdefault", "update", "pop", "copy", "clear"),
    **dict.fromkeys((OrderedDict, defaultdict, Counter), ("items", "values", "keys", "get", "pop", "clear")),
}
"""Methods that move references, and look at no member."""

GENERATORS = (np.random.Generator, np.random.RandomState, random.Random, np.random.BitGenerator, np.random.SeedSequence)
"""The classes of what draws, as they are when nothing is put in their place."""


DRAWING: set[type] = {*GENERATORS}
"""These very classes, and those that stand for them: what a generator does runs nothing of the program's."""


class Refusal(BaseException):  # a program's `except Exception` must not catch it
    """A construct that has no meaning here: the file and line, what it is, and the remedy."""


class DrawnBefore(Refusal):
    """A constant was drawn before the call, and is another one in each process."""


class Passed(Refusal):
    """What whoever decides the draws has raised: the program has no part in it.

    Args:
        error: what was raised.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class Reopened(Refusal):
    """A path begins again: arrays that are made at a line hold numbers that are drawn.

    Args:
        line: where they are made.
    """

    def __init__(self, line: str) -> None:
        super().__init__(f"{line}: an array holds numbers that are drawn")
        self.line = line


class Forking(Protocol):
    """Decides what the draws of a path are.

    Attributes:
        taken: the outcomes so far.
        decisions: what is known of decisions, for paths that begin alike.
        opened: the lines at which arrays are made that hold numbers that are drawn.
    """

    taken: list[int]
    decisions: dict[tuple[int, ...], Any]
    opened: set[str]

    def fork(self, weights: Sequence[Any], what: str, line: str) -> int:
        """The number of the outcome, given their probabilities."""

    def reject(self) -> None:
        """Begin the run afresh."""


class Reader(Protocol):
    """Who reads a program, as draws and meanings know it."""

    path: Forking

    def native(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """The result of a function that is not read, which must see nothing symbolic."""

    @property
    def line(self) -> str:
        """Where the program is: "f.py, line 3"."""

    def call(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The result of a call of anything that can be called."""

    def refuse(self, what: str) -> Refusal:
        """A refusal of what the present line does."""

    def reads(self, function: Any) -> bool:
        """Whether a function is the program's own."""

    def constant(self, holder: Any, name: str, value: Any) -> Any:
        """The value of an attribute, of which it is noted what it stands for."""

    def truth(self, value: Any) -> bool:
        """Whether a value is true."""


set_trace: Callable[[Any], None] = sys.settrace
"""As it is before anything is refused."""

PLAIN = frozenset(
    (
        int,
        float,
        complex,
        bool,
        str,
        bytes,
        type(None),
        type(...),
        range,
        slice,
        Fraction,
        Decimal,
        *np.sctypeDict.values(),
    )
) - {np.object_, np.void}
"""Kinds of values whose operations run nothing of the program's."""

_CONTAINERS = (list, tuple, set, frozenset)
_BUILT_IN = frozenset((*PLAIN, *_CONTAINERS, dict, enumerate, zip, reversed, bytearray))
_MODULES = ("builtins", "math", "cmath", "_operator", "operator", "_bisect", "_heapq", "itertools")
_RUNNING = ("eval", "exec", "compile", "__import__", "__build_class__")
_DISPATCHED = (type(np.sum), FunctionType)


def is_plain(value: Any, depth: int = 3) -> bool:
    """Whether nothing that is done with a value can run code of the program's: it and its members are of known kinds.

    Args:
        value: what is handed over.
        depth: of the containers that are looked into.
    """
    kind = type(value)
    if kind in PLAIN or kind in DRAWING:
        return True
    if kind in _CONTAINERS:
        return PLAIN.issuperset(map(type, value)) or (depth > 0 and all(is_plain(one, depth - 1) for one in value))
    if kind is dict:
        return is_plain([*value], depth) and is_plain([*value.values()], depth)
    if kind is np.ndarray:
        return not value.dtype.hasobject
    return kind is GeneratorType and value.gi_code.co_filename.startswith(_FOLDER)


def is_immutable(value: Any) -> bool:
    """Whether a value, and what it holds, cannot be changed."""
    return type(value) in PLAIN or (type(value) is tuple and all(map(is_immutable, value)))


_FOLDER = str(Path(__file__).parent)


def _is_harmless(function: Any) -> bool:
    """Whether a function runs code of the program's at most where it is handed some."""
    kind = type(function)
    if kind is BuiltinFunctionType:
        owner = function.__self__
        if type(owner) is ModuleType:
            return owner.__name__ in _MODULES and function.__name__ not in _RUNNING
        return is_plain(owner) or (type(owner) in (list, dict) and function.__name__ in MOVING[type(owner)])
    if kind is type:
        return function in _BUILT_IN or (issubclass(function, BaseException) and function.__module__ == "builtins")
    if kind is np.ufunc:
        return getattr(np, function.__name__, None) is function
    return kind in _DISPATCHED and str(function.__module__).partition(".")[0] == "numpy"


class OwnCode:
    """Sees code of the program that Python runs itself, as operators of its classes in a library: it is not read.

    What is handed over is looked at first: where it can hold nothing of the program's, nothing need be watched.

    Args:
        is_own: whether a file is the program's own.

    Attributes:
        refusal: of the first such code; no program can catch it.
    """

    def __init__(self, is_own: Callable[[str], bool]) -> None:
        self._is_own = is_own
        self._is_on = False
        self._before: Any = None
        self.refusal: Refusal | None = None

    def run(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """The result of a function that is not read, which must run no code of the program's.

        Raises:
            Refusal: it did.
        """
        if self._is_on or (all(map(is_plain, arguments)) and is_plain(named) and _is_harmless(function)):
            return function(*arguments, **named)
        self._before, self._is_on = sys.gettrace(), True
        set_trace(self._called)
        try:
            return function(*arguments, **named)
        finally:
            set_trace(self._before)
            self._is_on = False
            if self.refusal is not None:
                raise self.refusal

    def unwatched(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """The result of a function that reads, called by a library on behalf of the program."""
        if not self._is_on:
            return function(*arguments, **named)
        set_trace(self._before)
        self._is_on = False
        try:
            return function(*arguments, **named)
        finally:
            self._is_on = True
            set_trace(self._called)

    def _called(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and self.refusal is None and self._is_own(frame.f_code.co_filename):
            self.refusal = Refusal(
                f"{Path(frame.f_code.co_filename).name}, line {frame.f_lineno}: {frame.f_code.co_name} is run by "
                "Python itself, as properties, operators and generators of one's own are, and is not read"
            )
