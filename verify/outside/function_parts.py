"""What functions and objects hold that is reached by name: code inside code, globals, closures, slots."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from types import CodeType, FunctionType, MemberDescriptorType
from typing import Any

__all__ = ["closed_over", "codes_in", "named_globals", "names_of", "slots_of"]


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """A code object, and those inside it.

    >>> [one.co_name for one in codes_in(compile("lambda: [lambda: 0]", "", "eval"))]
    ['<module>', '<lambda>', '<lambda>']
    """
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_in(constant)


def names_of(code: CodeType) -> dict[str, None]:
    """The names of globals and attributes in a code object and those inside it, in their order."""
    return dict.fromkeys(name for one in codes_in(code) for name in one.co_names)


def named_globals(function: FunctionType) -> dict[str, Any]:
    """The globals that a function's code names."""
    return {name: function.__globals__[name] for name in names_of(function.__code__) if name in function.__globals__}


def closed_over(function: FunctionType) -> dict[str, Any]:
    """The variables of a function's closure that are set."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # not set yet
            found[name] = cell.cell_contents
    return found


def slots_of(holder: object) -> Iterator[tuple[Any, str, Any]]:
    """The slots of an object that are set, each with its name and its value."""
    for owner in type(holder).__mro__:
        for name, slot in vars(owner).items():
            if isinstance(slot, MemberDescriptorType):
                with suppress(AttributeError):  # unset
                    yield slot, name, slot.__get__(holder, type(holder))
