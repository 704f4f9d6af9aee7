"""Everything that a function of the user's can reach by name: what is looked into, and what each has.

Looked into are functions, classes and modules of the user's own, their objects, containers, and objects of libraries
that are there to keep things (`types.SimpleNamespace`, queues, arrays, texts as files, …). Others are not, and where
the code names one, what it keeps is not seen.
"""

from __future__ import annotations

import functools
import operator
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import CodeType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any

from stirred.verify.outside.own_code import own_code
from stirred.verify.outside.references import renewed

__all__ = ["CONTAINERS", "UNSET", "VALUE", "Reach", "closed_over", "codes_in", "named_globals", "names_of", "renew"]

CONTAINERS = (list, dict, set, tuple, deque, bytearray)

UNSET = object()

VALUE = "its value"

_KEEPING = ("types", "collections", "queue", "argparse", "_thread", "threading", "weakref")
"""Modules of the standard library whose objects keep what they are given."""

_READ: Mapping[tuple[str, str], Callable[[Any], Any]] = {
    ("array", "array"): lambda one: one.tobytes(),
    ("numpy", "ndarray"): lambda one: one.tobytes() if one.dtype != object else tuple(one.flat),
    ("_io", "StringIO"): lambda one: (one.getvalue(), one.tell()),
    ("_io", "BytesIO"): lambda one: (one.getvalue(), one.tell()),
    ("_contextvars", "ContextVar"): lambda one: one.get(UNSET),
    ("_queue", "SimpleQueue"): lambda one: one.qsize(),
    ("builtins", "memoryview"): lambda one: one.tobytes(),
}
"""What kinds of objects have no attributes for it keep, by the module and the name of the kind."""


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


class Reach:
    """What one function can reach.

    Args:
        function: a function, a method, an object that is called, or a partial application of one.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        written = _written(function)
        self._home = written.__module__
        self._is_own = functools.cache(own_code(Path(_file(written) or "").parent))
        self._names: dict[str, None] = {}

    def looks_into(self, holder: Any) -> bool:
        """Whether what a holder has is looked at."""
        if holder is self._function or isinstance(holder, (*CONTAINERS, functools.partial, MethodType)):
            return True
        if isinstance(holder, (FunctionType, type, ModuleType)) or "__wrapped__" in _dictionary(holder):
            return self.is_own(holder)
        kind = type(holder)
        return kind.__module__ in _KEEPING or (kind.__module__, kind.__name__) in _READ or self.is_own(kind)

    def is_own(self, one: Any) -> bool:
        """Whether a function, a class or a module is written in no library."""
        module = one.__name__ if isinstance(one, ModuleType) else getattr(one, "__module__", None)
        return module == self._home or ((file := _file(one)) is not None and self._is_own(file))

    def contents(self, holder: Any) -> dict[Any, Any]:
        """What a holder has, by a name or a place; of modules what has been named by functions that were met."""
        if isinstance(holder, dict):
            return dict(holder)
        if isinstance(holder, set):
            return dict.fromkeys(holder)
        if isinstance(holder, (list, tuple, deque, bytearray)):
            return dict(enumerate(holder))
        if isinstance(holder, functools.partial):
            return {"func": holder.func, "args": holder.args, "keywords": holder.keywords}
        if isinstance(holder, MethodType):
            return {"self": holder.__self__, "function": holder.__func__}
        if isinstance(holder, FunctionType):
            self._names |= names_of(holder.__code__)
            code, defaults = holder.__code__, holder.__defaults__ or ()
            places = code.co_varnames[code.co_argcount - len(defaults) :]
            named = dict(zip(places, defaults, strict=False)) | (holder.__kwdefaults__ or {})
            return vars(holder) | named | closed_over(holder) | named_globals(holder)
        if (read := _READ.get((type(holder).__module__, type(holder).__name__))) is not None:
            return {VALUE: read(holder)}
        found = {name: value for name, value in _attributes(holder).items() if not name.startswith("__")}
        if isinstance(holder, ModuleType):
            return {name: value for name, value in found.items() if name in self._names}
        if not isinstance(holder, type):
            found["its class"] = type(holder)
        if "__wrapped__" in _dictionary(holder):
            found["its function"] = holder.__wrapped__
        return found


def renew(holder: Any) -> None:
    """Put what has been replaced in this process in its place, in one holder."""
    if isinstance(holder, (dict, list)):
        _renew(holder, holder.items() if isinstance(holder, dict) else enumerate(holder), operator.setitem)
    elif isinstance(holder, FunctionType):
        holder.__defaults__ = renewed(holder.__defaults__)
        cells = zip(holder.__code__.co_freevars, holder.__closure__ or (), strict=True)
        by_name, closed = dict(cells), closed_over(holder)
        _renew(by_name, closed.items(), lambda cells, name, new: setattr(cells[name], "cell_contents", new))
        _renew(holder.__globals__, named_globals(holder).items(), operator.setitem)
        for names in (holder.__kwdefaults__ or {}, vars(holder)):
            renew(names)
    elif isinstance(holder, (type, ModuleType)):
        _renew(holder, vars(holder).items(), setattr)
    elif type(holder) not in (tuple, functools.partial):
        _renew(holder, _attributes(holder).items(), object.__setattr__)


def _renew(holder: Any, contents: Any, put: Callable[[Any, Any, Any], None]) -> None:
    for key, value in list(contents):
        if (new := renewed(value)) is not value:
            with suppress(AttributeError, TypeError):  # read only
                put(holder, key, new)


def _written(function: Any) -> Any:
    """The function, or the class of the object, that is called in the end."""
    while isinstance(function, functools.partial) or "__wrapped__" in _dictionary(function):
        function = function.func if isinstance(function, functools.partial) else function.__wrapped__
    function = getattr(function, "__func__", function)
    return function if hasattr(function, "__qualname__") else type(function)


def _file(one: Any) -> str | None:
    """The file in which a function, a class or a module is written."""
    if isinstance(one, FunctionType):
        return one.__code__.co_filename
    module = one if isinstance(one, ModuleType) else sys.modules.get(getattr(one, "__module__", None) or "")
    return getattr(module, "__file__", None)


def _dictionary(holder: Any) -> Mapping[str, Any]:
    return found if isinstance(found := getattr(holder, "__dict__", None), Mapping) else {}


def _attributes(holder: Any) -> Mapping[str, Any]:
    """What stands in a holder's dictionary and in its slots."""
    found = dict(_dictionary(holder))
    for owner in () if isinstance(holder, type) else type(holder).__mro__:
        for name, slot in vars(owner).items():
            if isinstance(slot, MemberDescriptorType):
                with suppress(AttributeError):  # unset
                    found[name] = slot.__get__(holder, type(holder))
    return found
