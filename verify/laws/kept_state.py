"""What a function of the user's keeps between its calls, found by looking at everything that it can change by name.

A law is a law of one call. Code that counts its calls can answer well as often as it is audited and otherwise later, so
a function that leaves anything changed behind is refused, whether or not its answers differed. What `functools.cache`
and `cached_property` keep is computed from their arguments alone and is no state, while nobody changes it. An iterator
that was begun before the call is refused, since all that one does with it changes it.
"""

import dis
import functools
import gc
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from io import IOBase
from types import BuiltinFunctionType, CodeType, FunctionType, MethodWrapperType, ModuleType
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.laws.reachable_state import CONTAINERS, UNSET, VALUE, Reached, codes_in
from stirred.verify.laws.sandbox.refused import refused

_VALUES = (type(None), bool, int, str, bytes, Fraction, float, complex)
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

_MAKING = ("BUILD_SET", "SET_ADD", "SET_UPDATE")
_NAMES = {"set", "frozenset", "difference", "intersection", "symmetric_difference", "union"}


class KeptState:
    """Everything that a function can change by name, as it is now; what is refused is refused there first.

    Args:
        function: a function, a method, an object that is called, or a partial application of one.

    Attributes:
        has_sets: whether a set is among it, or is made by its code.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._reach = Reached(function)
        self.has_sets = False
        self._is_whole = True
        self._kept: list[tuple[str, Any, dict[Any, Any]]] = []
        self._seen: set[int] = set()
        self._named: set[str] = set()
        self._globals: dict[int, tuple[dict[str, Any], set[str]]] = {}
        self._walk([("", function)])

    def note_cached(self) -> None:
        """Look into what caches hold by now: the next look finds whether somebody has changed it."""
        caches = [(name, one) for name, one, _ in self._kept if isinstance(one, functools._lru_cache_wrapper)]
        self._walk([(name, value) for name, cache in caches for value in _cached(cache)])

    def check_unchanged(self, what: str) -> None:
        """Compare with what is there now."""
        for name in self._changed():
            raise InputError(
                f"{what} must not keep state between calls (functools.cache is fine); it modifies {name!r}"
            )

    def is_unchanged(self) -> bool:
        """Whether all places could be seen, and none differs from what is there now, but for cached properties."""
        return self._is_whole and next(self._changed(), None) is None

    @property
    def holders(self) -> list[object]:
        """Everything that was looked into."""
        return [holder for _, holder, _ in self._kept]

    def _changed(self) -> Iterator[str]:
        """The name of each place where something was changed, added or removed, but for modules that were imported."""
        for variables, names in self._globals.values():
            yield from _names_in(variables) ^ names
        for name, holder, before in self._kept:
            now = self._reach.contents(holder)
            for key in {**before, **now}:
                old, new = before.get(key, UNSET), now.get(key, UNSET)
                is_kept = isinstance(getattr(type(holder), str(key), None), functools.cached_property)
                if not (_is_same(old, new) or is_kept or (old is UNSET and isinstance(new, ModuleType))):
                    yield _named(holder, key, name)

    def _walk(self, waiting: list[tuple[str, Any]]) -> None:
        places = len(self._kept)
        while (waiting or (waiting := self._named_later())) and places < _MOST:
            name, holder = waiting.pop()
            if isinstance(holder, (BuiltinFunctionType, MethodWrapperType)):  # a method may be bound to what keeps
                holder = holder if isinstance(holder.__self__, (ModuleType, type)) else holder.__self__
            if isinstance(holder, Iterator) and not isinstance(holder, IOBase) and not self._reach.is_own(type(holder)):
                raise InputError(f"an iterator that was begun before the call must not be used; got {name!r}")
            if id(holder) in self._seen:
                continue
            if not self._reach.looks_into(holder):
                self._is_whole = self._is_whole and _keeps_nothing(holder)
                continue
            self._seen.add(id(holder))
            if isinstance(holder, FunctionType):
                _refuse_by_name(holder.__code__)
                self.has_sets = self.has_sets or makes_sets(holder.__code__)
            self._reach.renew(holder)
            contents = self._reach.contents(holder)
            self.has_sets = self.has_sets or any(isinstance(one, (set, frozenset)) for one in contents.values())
            places += 1 + len(contents)
            self._kept.append((name, holder, contents))
            if isinstance(holder, (FunctionType, ModuleType)):
                variables = holder.__globals__ if isinstance(holder, FunctionType) else vars(holder)
                self._globals.setdefault(id(variables), (variables, _names_in(variables)))
            waiting += [(_named(holder, key, name), value) for key, value in contents.items()]
        self._is_whole = self._is_whole and not waiting

    def _named_later(self) -> list[tuple[str, Any]]:
        """What modules have by names that were met after them, which is kept with what they had before."""
        found: list[tuple[str, Any]] = []
        names = set(self._reach.names) - self._named
        self._named |= names
        for _, holder, before in self._kept if names else ():
            if isinstance(holder, ModuleType):
                self._reach.renew(holder)
                has = self._reach.contents(holder)
                new = [(name, value) for name, value in has.items() if name in names and name not in before]
                before.update(new)
                found += new
        return found


def makes_sets(code: CodeType) -> bool:
    """Whether a code object, or one inside it, makes a set, has one or names what makes one.

    >>> makes_sets(compile("{name for name in names}", "", "eval")), makes_sets(compile("[1, 2]", "", "eval"))
    (True, False)
    """
    return any(
        not _NAMES.isdisjoint(one.co_names)
        or any(isinstance(constant, frozenset) for constant in one.co_consts)
        or any(step.opname in _MAKING for step in dis.get_instructions(one))
        for one in codes_in(code)
    )


def _named(holder: Any, key: Any, name: str) -> str:
    """What a reader knows a place by: its own name, or that of the container that it is in."""
    return name if name and (isinstance(holder, CONTAINERS) or key == VALUE) else str(key)


def _names_in(variables: Mapping[str, Any]) -> set[str]:
    """The names of a module's variables, but for the interpreter's own and those of modules."""
    return {name for name, one in variables.items() if name[:2] != "__" and not isinstance(one, ModuleType)}


def _is_same(before: Any, now: Any) -> bool:
    """Whether no code can tell two values apart but by their addresses: 0, False and 0.0 differ, so do 0.0 and -0.0.

    Objects of other kinds, among them those of the user's own, are the same where they are one object.
    """
    kind = type(now)
    if before is now or type(before) is not kind:
        return before is now
    if kind is tuple:
        return len(before) == len(now) and all(map(_is_same, before, now))
    if kind is frozenset:
        kept = {one: one for one in before}
        return before == now and all(_is_same(kept[one], one) for one in now)
    if kind is float or kind is complex:
        return repr(before) == repr(now)
    return kind in _VALUES and bool(before == now)


def _refuse_by_name(code: CodeType) -> None:
    """Refuse code that asks for a hash, or by `np.datetime64("now")` for the time, where no function is called."""
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
    if isinstance(value, (*_VALUES, range, frozenset, Enum)):
        return True
    named = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    module = named if callable(value) or isinstance(value, ModuleType) else type(value).__module__
    return str(module).partition(".")[0] in _STATELESS
