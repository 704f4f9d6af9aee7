"""Calls: functions and classes of the program's own are read, others are called as they are."""

from __future__ import annotations

import ast
import builtins
import contextlib
import dataclasses
import functools
import inspect
import types
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType, MethodType
from typing import Any

from stirred.mechanisms.reading.asked import MADE
from stirred.mechanisms.reading.draws import DrawTable
from stirred.mechanisms.reading.functions import Frame, Written, written
from stirred.mechanisms.reading.matching import Matching
from stirred.mechanisms.reading.refusal import DrawnBefore, Forking, OwnCode, Refusal
from stirred.mechanisms.reading.series import is_series
from stirred.mechanisms.reading.symbols import SEEN, DrawnMethod, Opaque, is_symbolic
from stirred.mechanisms.reading.yielding import Yielding

_MANAGING = contextlib.contextmanager(lambda: iter(())).__code__
_DISPATCHING = functools.singledispatch(lambda _: None).__code__  # type: ignore[attr-defined]


class Read(Opaque):
    """A function that the program defines while it runs: called by the program, or by a library on its behalf."""

    def __init__(self, reader: Calls, source: Written, bound: Sequence[Any] = ()) -> None:
        self.reader = reader
        self.bound = bound
        self.source = source
        self.__name__ = source.name.rpartition(".")[2]
        self.__qualname__ = source.name
        self.__module__ = source.module.get("__name__", "")
        self.__doc__ = ast.get_docstring(source.node) if isinstance(source.node, ast.FunctionDef) else None

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Called by a library: which must be given nothing symbolic."""
        reader = self.reader
        found = reader.watch.unwatched(reader.invoke, self.source, (*self.bound, *arguments), named)
        if is_symbolic(found):
            SEEN.append(Refusal(f"a library is given a number that is drawn, by {self.__name__}"))
            raise SEEN[-1]
        if not reader.meanings.shadows.is_faithful(found):
            raise Refusal(
                f"{reader.line}: a library is given doubles that differ from the real numbers that they stand for, by "
                f"{self.__name__}"
            )
        return found

    def __get__(self, instance: Any, kind: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


class Calls(Yielding, Matching):
    """Calls whatever can be called.

    Attributes:
        draws: knows what draws.
        watch: sees code of the program's that a library runs.
        is_apart: whether constants are evaluated, which draw nothing.
    """

    draws: DrawTable
    watch: OwnCode
    is_own: Callable[[str], bool]
    path: Forking
    is_apart = False

    @property
    @abstractmethod
    def line(self) -> str:
        """Where the program is."""

    @abstractmethod
    def invoke(self, source: Written, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The result of a function that is read."""

    def reads(self, function: Any) -> bool:
        """Whether a function is the program's own."""
        return isinstance(function, Read) or self.is_own(function.__code__.co_filename)

    def truth(self, value: Any) -> bool:
        """Whether a value is true."""
        return self.meanings.truth(value)

    def constant(self, holder: Any, name: str, value: Any) -> Any:
        """The value of an attribute, of which it is noted what it stands for."""
        return self.constants.of_attribute(holder, name, value)

    def call(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The result of a call of anything that can be called."""
        if isinstance(function, Read):
            return self.invoke(function.source, (*function.bound, *arguments), named)
        if isinstance(function, DrawnMethod):
            return function.does(*arguments, **named)
        if isinstance(function, functools.partial):
            return self.call(function.func, (*function.args, *arguments), {**function.keywords, **named})
        if (drawn := self.draws.method(function)) is not None:
            if self.is_apart and drawn.kind != MADE:
                said = "a draw before the call, which is another one in each process: draw in the function"
                raise DrawnBefore(str(self.refuse(said)))
            return self.meanings.arrays.on_plain(
                lambda given, others: self.draws.drawn(self, self.meanings, drawn, (given, others)), arguments, named
            )
        if (source := self._source(function)) is not None:
            return self.invoke(source, arguments, named)
        if type(function) is MethodType and (self._is_read(function.__func__) or _is_keeping(function.__func__)):
            return self.call(function.__func__, (function.__self__, *arguments), named)
        if isinstance(function, type):
            if (instance := self._constructed(function, arguments, named)) is not None:
                return instance[0]
        elif (method := self.meanings.objects.method(function, "__call__")) is not None:
            return self.call(method, arguments, named)
        if (made := self._by_others(function, arguments, named)) is not None:
            return made[0]
        given = {name: self._handed(one) for name, one in named.items()}
        return self.meanings.called(function, list(map(self._handed, arguments)), given)

    def _by_others(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any] | None:
        """What a library's function gives that calls functions of the program's; None for all others."""
        if function is builtins.map and len(arguments) > 1 and not named:
            return (self._mapped(*arguments),)
        if function is builtins.filter and len(arguments) == 2:
            return (self._filtered(*arguments),)
        owner = getattr(function, "__self__", None)
        is_applied = is_series(owner) and function.__name__ in ("apply", "map") and len(arguments) == 1 and not named
        if is_applied and self._is_own_function(arguments[0]):
            return (self.meanings.series.each(lambda one: self.call(arguments[0], (one,), {}), owner),)
        if function is functools.reduce and not named:
            return (self._reduced(*arguments),)
        if type(getattr(function, "__self__", None)) is list and function.__name__ == "sort":
            function.__self__[:] = self.call(sorted, (function.__self__,), named)
            return (None,)
        if _is_keeping(function) and self._is_read(function.__wrapped__):
            before = len(self.draws.record)
            found = self.call(function.__wrapped__, arguments, named)
            if len(self.draws.record) > before:
                raise self.refuse("a function draws whose results are kept: the draw of one call is the next one's")
            return (found,)
        if isinstance(function, FunctionType) and function.__code__ is _MANAGING:
            inner = self._handed(function.__wrapped__)  # type: ignore[attr-defined]
            return (self.native(contextlib.contextmanager(inner), *arguments, **named),)
        if isinstance(function, FunctionType) and function.__code__ is _DISPATCHING and arguments:
            if is_symbolic(arguments[0]):
                raise self.refuse("a function that asks for the type of a number that is drawn is not read")
            return (self.call(function.dispatch(type(arguments[0])), arguments, named),)  # type: ignore[attr-defined]
        return None

    def _mapped(self, function: Any, *given: Any) -> Iterator[Any]:
        sources = [iter(self.meanings.iterated(one)) for one in given]
        return (self.call(function, group, {}) for group in zip(*sources, strict=False))

    def _filtered(self, function: Any, given: Any) -> Iterator[Any]:
        members = iter(self.meanings.iterated(given))
        if function is None:
            return (one for one in members if self.truth(one))
        return (one for one in members if self.truth(self.call(function, (one,), {})))

    def _reduced(self, function: Any, given: Any, *start: Any) -> Any:
        left = iter([*start, *self.meanings.iterated(given)])
        try:
            found = next(left)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value") from None
        for one in left:
            found = self.call(function, (found, one), {})
        return found

    def _is_read(self, function: Any) -> bool:
        return isinstance(function, (Read, FunctionType)) and self.reads(function)

    def _is_own_function(self, function: Any) -> bool:
        inner = function.func if isinstance(function, functools.partial) else getattr(function, "__func__", function)
        return self._is_read(inner)

    def _handed(self, value: Any) -> Any:
        """An argument of a library's function: a function of the program's own is read when it is called."""
        bound = (value.__self__,) if type(value) is MethodType else ()
        inner = value.__func__ if bound else value
        if isinstance(inner, Read):
            return Read(self, inner.source, (*inner.bound, *bound)) if bound else inner
        source = self._source(inner)
        return value if source is None else Read(self, source, bound)

    def _source(self, function: Any) -> Written | None:
        """The source of a function of the program's own; None for what is called as it is."""
        if not isinstance(function, FunctionType) or not self.is_own(function.__code__.co_filename):
            return None
        found = written(function)
        if found is None:
            raise self.refuse(f"{function.__qualname__} has no source that can be read: it must be written in a file")
        return self.constants.of_defaults(found)

    # ---- classes -----------------------------------------------------------------------------------------------------

    def _constructed(self, kind: type, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any] | None:
        """An instance of a class that the program says how to make; None where the class is called as it is."""
        if kind.__module__ == "builtins" or type(kind).__call__ != type.__call__:
            return None
        own = self.meanings.objects.own
        new: Any = kind.__new__
        if own(kind, "__init__") is None and own(kind, "__new__") is None:
            return (self._with_fields(kind, arguments, named),) if self._has_fields(kind) else None
        made: Any
        if own(kind, "__new__") is not None:
            made = self.call(new, (kind, *arguments), named)
        elif new is object.__new__:
            made = self.native(new, kind)
        else:
            made = self.native(new, kind, *arguments, **named)
        if isinstance(made, kind):
            self.call(MethodType(type(made).__init__, made), arguments, named)
        return (made,)

    @staticmethod
    def _has_fields(kind: type) -> bool:
        is_tuple = issubclass(kind, tuple) and hasattr(kind, "_fields")
        return is_tuple or (dataclasses.is_dataclass(kind) and "__dataclass_fields__" in vars(kind))

    def _with_fields(self, kind: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """An instance of a dataclass or a named tuple, which holds what it is given."""
        if not hasattr(kind, "__dataclass_fields__"):
            return self.native(kind, *arguments, **named)
        given = dict(named)
        signature = inspect.signature(kind.__init__)
        bound = signature.bind_partial(None, *arguments, **named).arguments
        for one in dataclasses.fields(kind):
            if one.init and one.name not in bound and self._is_read(one.default_factory):
                given[one.name] = self.call(one.default_factory, (), {})
        after = self.meanings.objects.own(kind, "__post_init__")
        if after is None or not hasattr(made := kind.__new__(kind), "__dict__"):
            return self.native(kind, *arguments, **given)
        made.__dict__["__post_init__"] = self._handed(MethodType(after, made))
        self.native(kind.__init__, made, *arguments, **given)
        del made.__dict__["__post_init__"]
        return made

    def _run_classdef(self, node: ast.ClassDef, frame: Frame) -> None:
        around = Frame({}, None, frame, frame.module, frame.file)  # of its methods, which may ask for the class
        inside = Frame({}, None, around, frame.module, frame.file)
        inside.values |= {"__module__": frame.module.get("__name__"), "__qualname__": node.name}
        bases = tuple(self.value(one, frame) for one in node.bases)
        named = {str(one.arg): self.value(one.value, frame) for one in node.keywords}
        self._block(node.body, inside)
        annotated = {one.target.id: one.annotation for one in node.body if _is_annotated(one)}  # type: ignore[attr-defined]
        if annotated:
            inside.values["__annotations__"] = {name: self.value(one, frame) for name, one in annotated.items()}
        made = self.native(types.new_class, node.name, bases, named, _filling(inside.values))
        around.values["__class__"] = made
        for decorator in reversed(node.decorator_list):
            made = self.call(self.value(decorator, frame), (made,), {})
        self._store(node.name, made, frame)

    def _super(self, frame: Frame) -> Any:
        """What `super()` means in a method."""
        while frame.first is None and isinstance(frame.outer, Frame):
            frame = frame.outer
        holder = None if frame.outer is None else frame.outer.holder("__class__")
        if frame.first is None or holder is None:
            raise RuntimeError("super(): no arguments")
        return super(holder.get("__class__"), frame.get(frame.first))


def _filling(values: Mapping[str, Any]) -> Callable[[Any], None]:
    """What fills the names of a class."""

    def filled(names: Any) -> None:
        for name, value in values.items():
            names[name] = value

    return filled


def _is_keeping(function: Any) -> bool:
    """Whether a function keeps its results, by `functools.cache` or `lru_cache`."""
    return isinstance(function, functools._lru_cache_wrapper)


def _is_annotated(node: ast.stmt) -> bool:
    return isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
