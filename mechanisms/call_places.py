"""What the value stack of a function holds while it waits for a call, read off its bytecode.

Two visits of one call with equal local variables go on alike only where nothing else is kept: an iterator of a `for`
loop, a `with` block and the operands of a half-evaluated expression stand on the value stack, which cannot be looked
at. A call is therefore told by what the code must have put there, along every way that leads to it.
"""

from __future__ import annotations

import dis
from functools import lru_cache
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_ITERABLE_COROUTINE, CO_NEWLOCALS, CO_OPTIMIZED
from itertools import pairwise
from types import CodeType
from typing import NamedTuple

__all__ = ["Callee", "bare_calls"]

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
                end = following[offset].offset if offset in following else offset + 2
                calls |= dict.fromkeys(range(offset, end, 2), (offset, callee))
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
