"""Objects of the program's own classes: their properties, operators and other special methods are read.

Where Python would run such a method itself it is called here instead; where a library would, the call is refused.
"""

from __future__ import annotations

import builtins
import functools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from stirred.mechanisms.reading.refusal import PLAIN, Reader
from stirred.mechanisms.reading.symbols import Opaque

_REFLECTED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
_KNOWN = PLAIN | {list, tuple, dict, set, frozenset, np.ndarray, type}

_SPECIAL: Mapping[Any, Sequence[str]] = {
    builtins.len: ("__len__",),
    builtins.abs: ("__abs__",),
    builtins.str: ("__str__", "__repr__"),
    builtins.repr: ("__repr__",),
    builtins.int: ("__int__", "__index__"),
    builtins.float: ("__float__",),
    builtins.round: ("__round__",),
    builtins.iter: ("__iter__",),
    builtins.next: ("__next__",),
    builtins.reversed: ("__reversed__",),
    math.floor: ("__floor__",),
    math.ceil: ("__ceil__",),
    operator.getitem: ("__getitem__",),
    operator.setitem: ("__setitem__",),
    operator.delitem: ("__delitem__",),
    operator.neg: ("__neg__",),
    operator.pos: ("__pos__",),
    operator.invert: ("__invert__",),
}


class Objects:
    """Looks up what classes of the program's own define.

    Args:
        reader: who calls their methods.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._found: dict[tuple[type, str], Any] = {}

    def own(self, kind: type, name: str) -> Any:
        """What a class has by a name, as it is written; None where a library defines it, or nobody does."""
        if kind in _KNOWN:
            return None
        key = kind, name
        if key not in self._found:
            entry = next((vars(one)[name] for one in kind.__mro__ if name in vars(one)), None)
            self._found[key] = entry if self._is_read(entry) else None
        return self._found[key]

    def _is_read(self, entry: Any) -> bool:
        inner = entry.fget if isinstance(entry, property) else getattr(entry, "func", entry)
        return isinstance(inner, (Opaque, FunctionType)) and self._reader.reads(inner)

    def method(self, value: Any, name: str) -> Callable[..., Any] | None:
        """A special method of an object, to be called by the reader; None where it has none of the program's."""
        entry = self.own(type(value), name)
        return None if entry is None or isinstance(entry, property) else partial(entry, value)

    def called(self, function: Any, arguments: Sequence[Any]) -> tuple[Any] | None:
        """What a builtin gives for an object that has a special method for it; None where it has not."""
        if not arguments or type(arguments[0]) in _KNOWN:
            return None
        for name in _SPECIAL.get(function, ()):
            if (method := self.method(arguments[0], name)) is not None:
                return (self._reader.call(method, arguments[1:], {}),)
        return None

    def operated(self, op: Callable[..., Any], one: Any, other: Any, is_in_place: bool) -> tuple[Any] | None:
        """What an operator gives where one of its operands has a method for it; None where none has."""
        if type(one) in _KNOWN and type(other) in _KNOWN:
            return None
        name = op.__name__.strip("_")
        tried = [(one, f"__{name}__", other), (other, f"__r{name}__", one)]
        if type(one) is not type(other) and issubclass(type(other), type(one)):
            tried.reverse()
        if is_in_place:
            tried.insert(0, (one, f"__i{name}__", other))
        return self._first(tried)

    def compared(self, op: Callable[..., Any], one: Any, other: Any) -> tuple[Any] | None:
        """The same of a comparison."""
        if type(one) in _KNOWN and type(other) in _KNOWN:
            return None
        name = op.__name__
        if name in ("contains", "lacks"):
            found = self._first([(other, "__contains__", one)])
            return None if found is None else (self._reader.truth(found[0]) == (name == "contains"),)
        if name not in _REFLECTED:
            return None
        found = self._first([(one, f"__{name}__", other), (other, f"__{_REFLECTED[name]}__", one)])
        if found is None and name == "ne":
            found = self._first([(one, "__eq__", other), (other, "__eq__", one)])
            return None if found is None else (not self._reader.truth(found[0]),)
        return found

    def _first(self, tried: Sequence[tuple[Any, str, Any]]) -> tuple[Any] | None:
        for holder, name, given in tried:
            method = self.method(holder, name)
            if method is not None and (found := self._reader.call(method, (given,), {})) is not NotImplemented:
                return (found,)
        return None

    def truth(self, value: Any) -> bool | None:
        """Whether an object is true, by its own account; None where it gives none."""
        for name in ("__bool__", "__len__"):
            if (method := self.method(value, name)) is not None:
                return bool(self._reader.call(method, (), {}))
        return None

    def members(self, value: Any) -> Iterator[Any] | None:
        """The members of an object that says itself what they are; None where it does not."""
        if (method := self.method(value, "__iter__")) is not None:
            found = self._reader.call(method, (), {})
            return self._nexts(found)
        return self._nexts(value) if self.method(value, "__next__") is not None else None

    def _nexts(self, value: Any) -> Iterator[Any]:
        method = self.method(value, "__next__")
        while True:
            try:
                one = self._reader.native(next, value) if method is None else self._reader.call(method, (), {})
            except StopIteration:
                return
            yield one

    def attribute(self, holder: Any, name: str) -> tuple[Any] | None:
        """What a property of the program's own gives; None where the attribute is another one."""
        kind = type(holder)
        if kind is super:
            order = holder.__self_class__.__mro__
            rest = order[order.index(holder.__thisclass__) + 1 :]
            entry = next((vars(one)[name] for one in rest if name in vars(one)), None)
            entry, holder = (entry if self._is_read(entry) else None), holder.__self__
        else:
            entry = self.own(kind, name)
        if isinstance(entry, property):
            return (self._reader.call(entry.fget, (holder,), {}),)
        if isinstance(entry, functools.cached_property):
            kept = vars(holder)
            if name not in kept:
                kept[name] = self._reader.call(entry.func, (holder,), {})
            return (kept[name],)
        if entry is None and (method := self.method(holder, "__getattr__")) is not None:
            is_there = name in getattr(holder, "__dict__", ()) or any(name in vars(one) for one in kind.__mro__)
            return None if is_there else (self._reader.call(method, (name,), {}),)
        return None

    def set_attribute(self, holder: Any, name: str, value: Any) -> bool:
        """Whether a property of the program's own, or its `__setattr__`, has set an attribute."""
        entry = self.own(type(holder), name)
        if isinstance(entry, property) and entry.fset is not None:
            self._reader.call(entry.fset, (holder, value), {})
        elif (method := self.method(holder, "__setattr__")) is not None:
            self._reader.call(method, (name, value), {})
        else:
            return False
        return True
