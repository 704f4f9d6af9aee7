"""The state of a program at a choice: where it is, and the values of all that it can still read.

From two choices with equal states a program goes on with one law. So a state is given only where everything that the
program keeps is looked at: every function that is running waits for a call with nothing else on its value stack
(`mechanisms.call_places`), its local variables are plain values, and nothing that it can change by name was changed.
Where that is in doubt there is no state.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from stirred.mechanisms.call_places import Callee, bare_calls
from stirred.mechanisms.source import PublicSource

__all__ = ["ProgramStates", "code_of"]

_MOST_PARTS = 10_000
_ATOMS = (type(None), bool, int, str, bytes)
_PUBLIC = {
    name: function.__code__ for name, function in vars(PublicSource).items() if isinstance(function, FunctionType)
}


class _UnknownError(Exception):
    """There is no state: something is in doubt."""


def code_of(program: object) -> CodeType | None:
    """The code that is run first where a program is called; None where it is no function of Python's.

    >>> code_of(functools.partial(code_of, 0)) is code_of.__code__, code_of(max)
    (True, None)
    """
    while type(program) is functools.partial:
        program = program.func
    return program.__code__ if type(program) is FunctionType else None


class ProgramStates:
    """Takes the states of one program.

    Args:
        fixed: what the program can reach by name.
        is_unchanged: whether nothing of it was changed.
    """

    def __init__(self, fixed: Sequence[object] = (), is_unchanged: Callable[[], bool] = lambda: True) -> None:
        self._fixed: dict[int, Hashable] = {id(one): ("fixed", place) for place, one in enumerate(fixed)}
        self._kept = fixed  # so that no other object gets one of their ids
        self._is_unchanged = is_unchanged

    def state(self, entry: CodeType | None, caller: CodeType) -> Hashable | None:
        """The state at the choice that is being made; None where it is in doubt.

        Args:
            entry: the code of the program, which is asked first.
            caller: the code that calls the program.
        """
        frame: FrameType | None = sys._getframe()
        while frame is not None and frame.f_code not in _PUBLIC.values():
            frame = frame.f_back
        if frame is None or entry is None:
            return None
        source = frame.f_locals["self"]
        if type(source) is not PublicSource or vars(source) or not self._is_unchanged():
            return None
        frozen = _Frozen(source, self._fixed)
        below, found = frame, list[Hashable]()
        try:
            while (frame := below.f_back) is not None and frame.f_code is not caller:
                found.append(_visit(frame, below, frozen))
                below = frame
        except _UnknownError:
            return None
        return tuple(found) if frame is not None and below.f_code is entry else None


def _visit(frame: FrameType, below: FrameType, frozen: _Frozen) -> Hashable:
    """The place and the variables of a running function, which waits for the one below."""
    call = bare_calls(frame.f_code).get(frame.f_lasti)
    variables = dict(frame.f_locals)
    if call is None or not _is_called(call[1], variables, frame, below):
        raise _UnknownError
    values = tuple((name, frozen.value(variables[name])) for name in sorted(variables))
    return frame.f_code, call[0], values


def _is_called(callee: Callee, variables: dict[str, Any], frame: FrameType, below: FrameType) -> bool:
    """Whether a name stands for the very function that runs, with none between that cannot be seen."""
    holder = variables.get(callee.name, frame.f_globals.get(callee.name))
    if callee.attribute is None:
        return type(holder) is FunctionType and holder.__code__ is below.f_code
    if type(holder) is PublicSource:
        return below.f_code is _PUBLIC.get(callee.attribute) and below.f_locals.get("self") is holder
    function = vars(holder).get(callee.attribute) if type(holder) is ModuleType else None
    return type(function) is FunctionType and function.__code__ is below.f_code


class _Frozen:
    """Values as hashable ones that are equal iff the values are, also in what is one object with what."""

    def __init__(self, source: PublicSource, fixed: dict[int, Hashable]) -> None:
        self._known: dict[int, Hashable] = {**fixed, id(source): "source"}
        self._parts = 0

    def value(self, value: Any) -> Hashable:
        """One value.

        Raises:
            _UnknownError: it is not plain.
        """
        kind = type(value)
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise _UnknownError
        if any(kind is atom for atom in _ATOMS):
            return kind, value
        if id(value) in self._known:
            return self._known[id(value)]
        self._known[id(value)] = ("met", len(self._known))
        if kind is Fraction and type(value.numerator) is type(value.denominator) is int:
            return kind, value.numerator, value.denominator
        if kind is tuple or kind is list:
            return kind, tuple(map(self.value, value))
        if kind is dict:
            return kind, tuple((self.value(key), self.value(one)) for key, one in value.items())
        raise _UnknownError
