"""Everything that a function of the user's can reach by name: what is looked into, and what each has.

Looked into are functions, classes and modules of the user's own, their objects, containers, and objects of libraries
that are there to keep things (`types.SimpleNamespace`, queues, arrays, texts as files, …). Others are not, and where
the code names one, what it keeps is not seen.
"""

import dis
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from enum import EnumType
from functools import cache, partial
from pathlib import Path
from types import CodeType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any

from stirred.verify.laws.sandbox.own_code import own_code
from stirred.verify.laws.sandbox.references import renewed

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


_DISPATCHING = ("dispatch_cache", "cache_token", "_clear_cache")
"""What `functools.singledispatch` keeps, computed from classes alone."""


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """A code object, and those inside it.

    >>> [one.co_name for one in codes_in(compile("lambda: [lambda: 0]", "", "eval"))]
    ['<module>', '<lambda>', '<lambda>']
    """
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_in(constant)


_BY_TEXT = {"globals", "vars", "setattr", "delattr", "__dict__", "__setattr__", "__delattr__"}
"""What reaches a name that is given as a text."""


def names_of(code: CodeType) -> dict[str, None]:
    """The names of globals and attributes in a code object and those inside it, in their order.

    >>> [*names_of(compile("globals()['calls'] + f('x')", "", "eval"))], [*names_of(compile("f('x')", "", "eval"))]
    (['globals', 'f', 'calls', 'x'], ['f'])
    """
    codes = list(codes_in(code))
    found = dict.fromkeys(name for one in codes for name in one.co_names)
    texts = (text for one in codes for text in one.co_consts if isinstance(text, str))
    return found if _BY_TEXT.isdisjoint(found) else found | dict.fromkeys(texts)


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


def _triples(code: CodeType) -> Iterator[tuple[dis.Instruction | None, dis.Instruction, dis.Instruction | None]]:
    """The instructions of a code object, each between those beside it."""
    steps = list(dis.get_instructions(code))
    return zip([None, *steps], steps, [*steps[1:], None], strict=False)


def makes_memory(holders: Iterable[Any]) -> bool:
    """Whether some function calls `ndarray` by its class, which leaves an array as the memory was.

    >>> import numpy as np
    >>> makes_memory([lambda: np.ndarray(3)]), makes_memory([lambda x: isinstance(x, np.ndarray)])
    (True, False)
    """
    for code in [one for holder in holders if isinstance(holder, FunctionType) for one in codes_in(holder.__code__)]:
        for before, step, after in _triples(code):
            if step.argval == "ndarray" and (
                step.opname == "LOAD_METHOD"
                or any(one is not None and "NULL" in f"{one.opname} {one.argrepr}" for one in (before, step, after))
            ):
                return True
    return False


class Reached:
    """What one function can reach."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        written = _written(function)
        self._home = written.__module__
        self._is_own = cache(own_code(Path(_file(written) or "").parent))
        self.names: dict[str, None] = {}

    def looks_into(self, holder: Any) -> bool:
        """Whether what a holder has is looked at."""
        if holder is self._function or isinstance(holder, (*CONTAINERS, partial, MethodType)):
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
        return {key: value for part, _ in self._parts(holder) for key, value in part.items()}

    def renew(self, holder: Any) -> None:
        """Put what has been replaced in this process in its place, in one holder."""
        for part, put in self._parts(holder):
            for key, value in part.items():
                if (new := renewed(value)) is not value:
                    with suppress(AttributeError, TypeError):  # read only
                        put(key, new)

    def _parts(self, holder: Any) -> Iterator[tuple[Mapping[Any, Any], Callable[[Any, Any], Any]]]:
        """What a holder has in its several places, each with how something is put there."""
        if isinstance(holder, CONTAINERS):
            items = holder if isinstance(holder, dict) else enumerate(holder)
            found = dict.fromkeys(holder) if isinstance(holder, set) else dict(items)
            yield found, getattr(holder, "__setitem__", _nowhere)
        elif isinstance(holder, partial):
            yield {"func": holder.func, "args": holder.args, "keywords": holder.keywords}, _nowhere
        elif isinstance(holder, MethodType):
            yield {"self": holder.__self__, "function": holder.__func__}, _nowhere
        elif isinstance(holder, FunctionType):
            self.names |= names_of(holder.__code__)
            code, defaults = holder.__code__, holder.__defaults__ or ()
            named = zip(code.co_varnames[code.co_argcount - len(defaults) :], defaults, strict=False)
            cells = dict(zip(code.co_freevars, holder.__closure__ or (), strict=True))
            is_computed = _DISPATCHING if code.co_qualname.startswith("singledispatch.<locals>.") else ()
            yield {k: v for k, v in vars(holder).items() if k not in is_computed}, vars(holder).__setitem__
            yield dict(named), lambda *_: setattr(holder, "__defaults__", renewed(holder.__defaults__))
            yield holder.__kwdefaults__ or {}, (holder.__kwdefaults__ or {}).__setitem__
            yield (
                {k: v for k, v in closed_over(holder).items() if k not in is_computed},
                lambda name, new: setattr(cells[name], "cell_contents", new),
            )
            yield named_globals(holder), holder.__globals__.__setitem__
            yield {f"import {name}": module for name, module in self._imported(holder)}, _nowhere
        elif (read := _READ.get((type(holder).__module__, type(holder).__name__))) is not None:
            yield {VALUE: read(holder)}, _nowhere
        elif isinstance(holder, ModuleType):
            yield {name: value for name, value in vars(holder).items() if name in self.names}, partial(setattr, holder)
        else:
            found = {name: value for name, value in _attributes(holder).items() if not name.startswith("__")}
            if isinstance(holder, EnumType):  # which keeps the combinations that it is asked for
                found = {name: value for name, value in found.items() if not name[0] == name[-1] == "_"}
            yield found, partial(setattr if isinstance(holder, type) else object.__setattr__, holder)
            if not isinstance(holder, type):
                yield {"its class": type(holder)}, _nowhere
            if "__wrapped__" in _dictionary(holder):
                yield {"its function": holder.__wrapped__}, _nowhere

    def _imported(self, function: FunctionType) -> Iterator[tuple[str, ModuleType]]:
        """The modules of the user's own that a function may import in its body, of those that are loaded."""
        package = function.__globals__.get("__package__")
        for name in names_of(function.__code__):
            for full in (name, f"{package}.{name}"):
                module = sys.modules.get(full)
                if isinstance(module, ModuleType) and self.is_own(module):
                    yield full, module


def _nowhere(*_: Any) -> None:
    """Where nothing is put: what holds it is made anew, or never holds what is refused."""


def _written(function: Any) -> Any:
    """The function, or the class of the object, that is called in the end."""
    while isinstance(function, partial) or "__wrapped__" in _dictionary(function):
        function = function.func if isinstance(function, partial) else function.__wrapped__
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
