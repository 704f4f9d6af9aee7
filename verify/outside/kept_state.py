"""What a function of the user's keeps between its calls, found by looking at everything that it can change by name.

A law is a law of one call. Code that counts its calls can answer well as often as it is audited and otherwise later, so
a function that leaves anything changed behind is refused, whether or not its answers differed. What `functools.cache`
and `cached_property` keep is computed from their arguments alone and is no state, while nobody changes it. An iterator
that was begun before the call is refused, since all that one does with it changes it. Objects of libraries are looked
into where they are there to keep things (`types.SimpleNamespace`, queues, arrays, texts as files, …); others are not,
and where the code names one, what it keeps is not seen.
"""

from __future__ import annotations

import functools
import gc
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from io import IOBase
from pathlib import Path
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.outside.function_parts import closed_over, codes_in, named_globals, names_of, slots_of
from stirred.verify.outside.refused import refused
from stirred.verify.outside.set_orders import makes_sets

__all__ = ["KeptState"]

_VALUES = (type(None), bool, int, str, bytes, Fraction)
_CONTAINERS = (list, dict, set, tuple, deque, bytearray)
_MOST = 200_000
"""Places that are looked at."""

_STATELESS = frozenset(
    (
        *("_abc", "_bisect", "_functools", "_heapq", "_operator", "abc", "bisect", "builtins", "cmath", "collections"),
        *("copy", "dataclasses", "enum", "fractions", "functools", "heapq", "itertools", "math", "numbers", "operator"),
        *("statistics", "stirred", "string", "typing"),
    )
)
"""Modules in which no call keeps anything."""

_UNSET = object()

_VALUE = "its value"

_KEEPING = ("types", "collections", "queue", "argparse", "_thread", "threading", "weakref")
"""Modules of the standard library whose objects keep what they are given."""

_READ: Mapping[tuple[str, str], Callable[[Any], Any]] = {
    ("array", "array"): lambda one: one.tobytes(),
    ("numpy", "ndarray"): lambda one: one.tobytes() if one.dtype != object else tuple(one.flat),
    ("_io", "StringIO"): lambda one: (one.getvalue(), one.tell()),
    ("_io", "BytesIO"): lambda one: (one.getvalue(), one.tell()),
    ("_contextvars", "ContextVar"): lambda one: one.get(_UNSET),
    ("_queue", "SimpleQueue"): lambda one: one.qsize(),
    ("builtins", "memoryview"): lambda one: one.tobytes(),
}
"""What kinds of objects have no attributes for it keep, by the module and the name of the kind."""


class KeptState:
    """Everything that a function can change by name, as it is now.

    Args:
        function: a function, a method, an object that is called, or a partial application of one.

    Attributes:
        has_sets: whether a set is among it, or is made by its code.

    Raises:
        InputError: the function names an iterator that was begun before.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._home, self._folder = _place(function)
        self.has_sets = False
        self._is_whole = True
        self._names: set[str] = set()
        self._kept: list[tuple[str, Any, dict[Any, Any]]] = []
        self._seen: set[int] = set()
        self._walk([("", function)], function)

    def note_cached(self) -> None:
        """Look into what caches hold by now: the next look finds whether somebody has changed it."""
        caches = [(name, holder) for name, holder, _ in self._kept if hasattr(holder, "cache_info")]
        self._walk([(name, value) for name, cache in caches for value in _cached(cache)])

    def check_unchanged(self, what: str) -> None:
        """Compare with what is there now.

        Args:
            what: what the function is, such as "the mechanism".

        Raises:
            InputError: something was changed, added or removed.
        """
        for name in self._changed():
            raise InputError(
                f"{what} must keep nothing between calls, but for what functools.cache keeps; it changes {name!r}"
            )

    def is_unchanged(self) -> bool:
        """Whether all places could be seen, and none differs from what is there now, but for cached properties."""
        return self._is_whole and next(self._changed(), None) is None

    @property
    def holders(self) -> list[object]:
        """Everything that was looked into."""
        return [holder for _, holder, _ in self._kept]

    def _changed(self) -> Iterator[str]:
        """The name of each place where something was changed, added or removed."""
        for name, holder, before in self._kept:
            now = self._contents(holder)
            for key in {**before, **now}:
                same = _is_same(before.get(key, _UNSET), now.get(key, _UNSET))
                if not same and not _is_cached(holder, key):
                    yield _named(holder, key, name)

    def _walk(self, waiting: list[tuple[str, Any]], function: Callable[..., Any] | None = None) -> None:
        places = len(self._kept)
        while waiting and places < _MOST:
            name, holder = waiting.pop()
            if isinstance(holder, (BuiltinFunctionType, MethodWrapperType)):  # a method may be bound to what keeps
                holder = holder if isinstance(holder.__self__, (ModuleType, type)) else holder.__self__
            if isinstance(holder, Iterator) and not isinstance(holder, IOBase) and not self._is_of_own(holder):
                raise InputError(f"an iterator that was begun before the call must not be used; got {name!r}")
            if id(holder) in self._seen:
                continue
            if not self._is_looked_into(holder, is_root=holder is function):
                self._is_whole = self._is_whole and _keeps_nothing(holder)
                continue
            self._seen.add(id(holder))
            if isinstance(holder, FunctionType):
                self._names.update(names_of(holder.__code__))
                _refuse_by_name(holder.__code__)
                self.has_sets = self.has_sets or makes_sets(holder.__code__)
            contents = self._contents(holder)
            self.has_sets = self.has_sets or any(isinstance(one, (set, frozenset)) for one in contents.values())
            places += 1 + len(contents)
            self._kept.append((name, holder, contents))
            waiting += [(_named(holder, key, name), value) for key, value in contents.items()]
        self._is_whole = self._is_whole and not waiting

    def _is_looked_into(self, holder: Any, *, is_root: bool) -> bool:
        if isinstance(holder, (*_CONTAINERS, functools.partial, MethodType)):
            return True
        if isinstance(holder, (FunctionType, type)) or hasattr(holder, "__wrapped__"):
            return is_root or self._is_own(getattr(holder, "__module__", None), _file(holder))
        if isinstance(holder, ModuleType):
            return self._is_own(holder.__name__, getattr(holder, "__file__", None))
        kind = type(holder)
        if kind.__module__ in _KEEPING or (kind.__module__, kind.__name__) in _READ:
            return True
        return is_root or self._is_of_own(holder)

    def _is_of_own(self, holder: Any) -> bool:
        return self._is_own(type(holder).__module__, None)

    def _is_own(self, module: str | None, file: str | None) -> bool:
        """Whether code is in the module of the function, or in a file beside it."""
        return module == self._home or (file is not None and Path(file).parent == self._folder)

    def _contents(self, holder: Any) -> dict[Any, Any]:
        """What a holder has, by a name or a place."""
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
            return dict(_of_function(holder))
        if (read := _READ.get((type(holder).__module__, type(holder).__name__))) is not None:
            return {_VALUE: read(holder)}
        found = {name: value for name, value in _attributes(holder).items() if not name.startswith("__")}
        if isinstance(holder, ModuleType):
            return {name: value for name, value in found.items() if name in self._names}
        if not isinstance(holder, type):
            found["its class"] = type(holder)
        if hasattr(holder, "__wrapped__"):
            found["its function"] = holder.__wrapped__
        return found


def _place(function: Any) -> tuple[str | None, Path | None]:
    """The module of a function, and the folder of its file."""
    while isinstance(function, functools.partial):
        function = function.func
    function = getattr(function, "__func__", function)
    if not hasattr(function, "__qualname__"):
        function = type(function)
    file = _file(function)
    return getattr(function, "__module__", None), None if file is None else Path(file).parent


def _file(holder: Any) -> str | None:
    code = getattr(holder, "__code__", None)
    return code.co_filename if code is not None and not code.co_filename.startswith("<") else None


def _of_function(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Attributes, defaults, closure and the globals that its code names."""
    yield from vars(function).items()
    code = function.__code__
    defaults = function.__defaults__ or ()
    yield from zip(code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount], defaults, strict=True)
    yield from (function.__kwdefaults__ or {}).items()
    yield from closed_over(function).items()
    yield from named_globals(function).items()


def _attributes(holder: Any) -> Mapping[str, Any]:
    """What stands in a holder's dictionary and in its slots."""
    found = dict(getattr(holder, "__dict__", {}))
    return found if isinstance(holder, type) else found | {name: value for _, name, value in slots_of(holder)}


def _named(holder: Any, key: Any, name: str) -> str:
    """What a reader knows a place by: its own name, or that of the container that it is in."""
    return name if name and (isinstance(holder, _CONTAINERS) or key == _VALUE) else str(key)


def _is_same(before: Any, now: Any) -> bool:
    """Whether no code can tell two values apart but by their addresses: 0, False and 0.0 differ, so do 0.0 and -0.0.

    Objects of other kinds, among them those of the user's own, are the same where they are one object.
    """
    if before is now:
        return True
    kind = type(now)
    if type(before) is not kind:
        return False
    if kind is tuple:
        return len(before) == len(now) and all(map(_is_same, before, now))
    if kind is frozenset:
        kept = {one: one for one in before}
        return before == now and all(_is_same(kept[one], one) for one in now)
    if kind is float:
        return bool(before.hex() == now.hex())
    if kind is complex:
        return _is_same((before.real, before.imag), (now.real, now.imag))
    return kind in _VALUES and bool(before == now)


def _refuse_by_name(code: CodeType) -> None:
    """Refuse code that asks for a hash, or by `np.datetime64("now")` for the time, where no function is called.

    Raises:
        InputError: it names the method of hashes; or such a date, and "now" or "today".
    """
    for one in codes_in(code):
        texts = {constant for constant in one.co_consts if isinstance(constant, str)}
        dates = "datetime64" in one.co_names or any(text.startswith(("datetime64", "M8")) for text in texts)
        if dates and not texts.isdisjoint(("now", "today")):
            raise refused("numpy.datetime64 of now or today")
        if "__hash__" in one.co_names:
            raise refused("hash of a value by its method")


def _cached(cache: Any) -> Iterator[Any]:
    """What a `functools.cache` or `lru_cache` holds."""
    for table in gc.get_referents(cache):
        if type(table) is dict and table is not vars(cache):
            for value in table.values():  # a result, or where their number is limited a link with one
                yield from gc.get_referents(value) if type(value).__name__ == "_lru_list_elem" else (value,)


def _keeps_nothing(value: Any) -> bool:
    """Whether nothing can be kept in a value that is not looked into, nor by calling it."""
    if isinstance(value, (*_VALUES, float, complex, range, frozenset, Enum)):
        return True
    if isinstance(value, ModuleType):
        return value.__name__.partition(".")[0] in _STATELESS
    module = getattr(value, "__module__", None) if callable(value) else type(value).__module__
    return str(module).partition(".")[0] in _STATELESS


def _is_cached(holder: Any, key: Any) -> bool:
    return isinstance(getattr(type(holder), str(key), None), functools.cached_property)
