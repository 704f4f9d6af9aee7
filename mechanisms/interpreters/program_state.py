"""The state of a program at a choice: where it is, and the values of all that it can still read.

From two choices with equal states a program goes on with one law. So a state is given only where everything that the
program keeps is looked at: every function that is running waits for a call with nothing else on its value stack
(`mechanisms.call_places`), its local variables are plain values, and nothing that it can change by name was changed.
Where that is in doubt there is no state.
"""

from __future__ import annotations

import dis
import functools
import sys
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_ITERABLE_COROUTINE, CO_NEWLOCALS, CO_OPTIMIZED
from itertools import pairwise
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

from stirred.mechanisms.source import PublicSource

# What the value stack of a function holds while it waits for a call, read off its bytecode.
#
# Two visits of one call with equal local variables go on alike only where nothing else is kept: an iterator of a
# `for` loop, a `with` block and the operands of a half-evaluated expression stand on the value stack, which cannot be
# looked at. A call is therefore told by what the code must have put there, along every way that leads to it.

_RESUMED = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR | CO_ITERABLE_COROUTINE
_ORDINARY = CO_NEWLOCALS | CO_OPTIMIZED

_POPPED = {
    **dict.fromkeys(("LOAD_CONST", "NOP", "RESUME", "KW_NAMES", "PRECALL", "CACHE", "COPY_FREE_VARS", "MAKE_CELL"), 0),
    **dict.fromkeys(("UNARY_NEGATIVE", "UNARY_NOT", "UNARY_INVERT", "UNARY_POSITIVE", "TO_BOOL"), 1),
    **dict.fromkeys(("POP_TOP", "RETURN_VALUE"), 1),
    **dict.fromkeys(("BINARY_OP", "BINARY_SUBSCR", "COMPARE_OP", "IS_OP", "CONTAINS_OP"), 2),
}
"""How many values an instruction takes off; of one that is not here it is not known which values it leaves."""


class Callee(NamedTuple):
    """The name that is called: of a variable, or with an attribute that of one of its attributes."""

    name: str
    attribute: str | None = None


_NULL = Callee("")
_Values = tuple[Callee | None, ...]


@lru_cache(maxsize=1024)
def bare_calls(code: CodeType) -> dict[int, tuple[int, Callee]]:
    """The calls during which a function's value stack holds nothing but the call: the offset, and what is called.

    They stand by the offset of the call and those of its inline caches, any of which a frame may give as its own.

    >>> def f(source):
    ...     while source.bernoulli(0): pass
    ...     for _ in "abc": source.uniform(2)
    >>> {callee for _, callee in bare_calls(f.__code__).values()}
    {Callee(name='source', attribute='bernoulli')}
    """
    if code.co_flags & _RESUMED or code.co_flags & _ORDINARY != _ORDINARY:
        return {}
    instructions = list(dis.get_instructions(code))
    following = {one.offset: after for one, after in pairwise(instructions)}
    by_offset = {one.offset: one for one in instructions}
    reached: dict[int, _Values] = {}
    waiting: list[tuple[int, _Values]] = [(instructions[0].offset, ())]
    while waiting:
        offset, values = waiting.pop()
        if offset in reached:
            merged = _merged(reached[offset], values)
            if merged is None:
                return {}
            if merged == reached[offset]:
                continue
            values = merged
        reached[offset] = values
        one = by_offset[offset]
        if one.opcode in dis.hasjrel or one.opcode in dis.hasjabs:
            waiting.append((int(one.argval), _after(one, values, jumps=True)))
        if one.opname not in _ENDING and offset in following:
            waiting.append((following[offset].offset, _after(one, values, jumps=False)))
    calls: dict[int, tuple[int, Callee]] = {}
    for offset, values in reached.items():
        one = by_offset[offset]
        if one.opname == "CALL" and len(values) == (one.arg or 0) + 2:
            named = {value for value in values[:2] if value != _NULL}
            if len(named) == 1 and (callee := named.pop()) is not None:
                # no function ends in a call
                calls |= dict.fromkeys(range(offset, following[offset].offset, 2), (offset, callee))
    return calls


_ENDING = {
    "RETURN_VALUE",
    "RETURN_CONST",
    "RAISE_VARARGS",
    "RERAISE",
    "JUMP_FORWARD",
    "JUMP_BACKWARD",
    "INTERPRETER_EXIT",
}
_ENDING |= {"JUMP_BACKWARD_NO_INTERRUPT"}


def _merged(one: _Values, other: _Values) -> _Values | None:
    """What is known on both ways; None where they differ in depth."""
    if len(one) != len(other):
        return None
    return tuple(a if a == b else None for a, b in zip(one, other, strict=True))


def _after(one: dis.Instruction, values: _Values, *, jumps: bool) -> _Values:
    """The values after an instruction; None for one of which nothing is known."""
    depth = len(values) + dis.stack_effect(one.opcode, one.arg, jump=jumps)
    name, argument = one.opname, one.arg or 0
    if name in ("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_DEREF"):
        return (*values, Callee(str(one.argval)))
    if name == "PUSH_NULL":
        return (*values, _NULL)
    if name == "LOAD_GLOBAL":
        loaded = Callee(str(one.argval))
        return (*values, _NULL, loaded)[:depth] if depth == len(values) + 2 else (*values, loaded)
    if name in ("LOAD_METHOD", "LOAD_ATTR"):
        holder = values[-1]
        is_name = holder is not None and holder != _NULL and holder.attribute is None
        method = Callee(holder.name, str(one.argval)) if is_name and holder is not None else None
        return (*values[:-1], *(method,) * (1 + depth - len(values)))
    if name == "PRECALL":
        return values
    if name == "CALL":
        return (*values[: -argument - 2], None)
    if name.startswith(("STORE_", "DELETE_")):  # a name that was loaded before may stand for something else now
        return (None,) * depth
    if name in ("BUILD_TUPLE", "BUILD_LIST"):
        popped = argument
    elif name in _POPPED:
        popped = _POPPED[name]
    elif name.startswith(("POP_JUMP_", "JUMP_FORWARD", "JUMP_BACKWARD")):
        popped = len(values) - depth
    else:
        return (None,) * depth
    kept = values[: len(values) - popped]
    return (*kept, *(None,) * (depth - len(kept)))


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
        """One value."""
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
