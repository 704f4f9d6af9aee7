"""Carries out the source of a program, statement by statement, along one path of its draws.

What depends on no draw is an ordinary object, and operations on it are the interpreter's own. What depends on one is
symbolic (`symbols`): every operation that meets it is looked up in the table of meanings, and what is not there is
refused by line. A draw with few outcomes forks the path, and is an ordinary number from there on.
"""

from __future__ import annotations

import ast
import functools
import importlib
import operator
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path as FilePath
from types import FunctionType, MethodType
from typing import Any

from stirred.mechanisms.reading.draws import DrawTable
from stirred.mechanisms.reading.expressions import BINARY, Expressions, methods_by_kind, spoken
from stirred.mechanisms.reading.functions import Defined, Frame, Written, is_generator, written
from stirred.mechanisms.reading.meanings import Meanings
from stirred.mechanisms.reading.refusal import Forking, OwnCode, Refusal
from stirred.mechanisms.reading.symbols import Opaque, is_symbolic

_DEEPEST = 400
"""Calls inside one another."""


class _Signal:
    """What ends a block before its end."""


class _Returned(_Signal):
    def __init__(self, value: Any) -> None:
        self.value = value


_BREAK, _CONTINUE = _Signal(), _Signal()


class Read(Opaque):
    """A function that the program defines while it runs: called by the program, or by a library on its behalf."""

    def __init__(self, evaluator: Evaluator, source: Written, bound: Sequence[Any] = ()) -> None:
        self.evaluator = evaluator
        self.bound = bound
        self.source = source
        self.__name__ = source.name.rpartition(".")[2]
        self.__qualname__ = source.name
        self.__module__ = source.module.get("__name__", "")
        self.__doc__ = ast.get_docstring(source.node) if isinstance(source.node, ast.FunctionDef) else None

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Called by a library: which must be given nothing symbolic."""
        given = (*self.bound, *arguments)
        found = self.evaluator.watch.unwatched(self.evaluator.invoke, self.source, given, named)
        if is_symbolic(found):
            raise Refusal(f"{self.evaluator.line}: a library is given a number that is drawn, by {self.__name__}")
        if not self.evaluator.meanings.shadows.is_faithful(found):
            raise Refusal(
                f"{self.evaluator.line}: a library is given doubles that differ from the real numbers that they stand "
                f"for, by {self.__name__}"
            )
        return found

    def __get__(self, instance: Any, kind: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


class Evaluator(Expressions):
    """Carries out functions along a path.

    Args:
        path: decides what the draws are.
        draws: knows what draws.
        is_own: whether a file is the program's own: its functions are read, those of other files are called.
    """

    def __init__(self, path: Forking, draws: DrawTable, is_own: Callable[[str], bool]) -> None:
        self.path = path
        self.watch = OwnCode(is_own)
        self.native = self.watch.run
        self.meanings = Meanings(self)
        self.draws = draws
        self._is_own = is_own
        self._depth = 0
        self._file = ""
        self._number = 0
        self._statements = methods_by_kind(type(self), "_run_")
        super().__init__()

    @property
    def line(self) -> str:
        """Where the program is: "f.py, line 3"."""
        return f"{FilePath(self._file).name}, line {self._number}"

    def _at(self, file: str, number: int) -> None:
        self._file, self._number = file, number

    def refuse(self, what: str) -> Refusal:
        """A refusal of what the present line does."""
        return Refusal(f"{self.line}: {what}")

    def invoke(self, source: Written, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The result of a function that is read."""
        if self._depth >= _DEEPEST:
            raise self.refuse(f"calls inside one another, more than {_DEEPEST}, are not read")
        place = self._file, self._number
        self._depth += 1
        try:
            frame = source.frame(arguments, named)
            if isinstance(source.node, ast.Lambda):
                self._file = source.file
                return self.value(source.node.body, frame)
            signal = self._block(source.node.body, frame)
            return signal.value if isinstance(signal, _Returned) else None
        finally:
            self._depth -= 1
            if self._depth:  # of the program's last line it may yet be said what it returned
                self._file, self._number = place

    def call(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The result of a call of anything that can be called."""
        if isinstance(function, functools.partial):
            return self.call(function.func, (*function.args, *arguments), {**function.keywords, **named})
        if isinstance(function, Read):
            return self.invoke(function.source, (*function.bound, *arguments), named)
        if (drawn := self.draws.method(function)) is not None:
            return self.draws.drawn(self, self.meanings, drawn, (arguments, named))
        source = self._source(function)
        if source is not None:
            bound = (function.__self__,) if isinstance(function, MethodType) else ()
            return self.invoke(source, (*bound, *arguments), named)
        if isinstance(function, type) and (instance := self._constructed(function, arguments, named)) is not None:
            return instance[0]
        given = {name: self._handed(one) for name, one in named.items()}
        return self.meanings.called(function, list(map(self._handed, arguments)), given)

    def _handed(self, value: Any) -> Any:
        """An argument of a library's function: a function of the program's own is read when it is called."""
        source = self._source(value)
        if source is None:
            return value
        return Read(self, source, (value.__self__,) if isinstance(value, MethodType) else ())

    def _source(self, function: Any) -> Written | None:
        """The source of a function of the program's own; None for what is called as it is."""
        inner = function.__func__ if isinstance(function, MethodType) else function
        if not isinstance(inner, FunctionType) or not self._is_own(inner.__code__.co_filename):
            return None
        found = written(inner)
        if found is None:
            raise self.refuse(f"{inner.__qualname__} has no source that can be read: it must be written in a file")
        return None if is_generator(found.node) else found

    def _constructed(self, kind: type, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any] | None:
        """An instance of a class whose `__init__` is the program's; None where the class is called as it is."""
        init: Any = getattr(kind, "__init__", None)
        if type(kind) is not type or not isinstance(init, FunctionType) or not self._is_own(init.__code__.co_filename):
            return None
        new: Any = kind.__new__
        if new is not object.__new__:
            return None
        made: Any = new(kind)
        self.call(MethodType(init, made), arguments, named)
        return (made,)

    def _block(self, body: Sequence[ast.stmt], frame: Frame) -> _Signal | None:
        for one in body:
            self._file, self._number = frame.file, one.lineno
            run = self._statements.get(type(one))
            if run is None:
                raise self.refuse(f"{spoken(one)} is not read")
            signal = run(self, one, frame)
            if signal is not None:
                return signal
        return None

    def _run_expr(self, node: ast.Expr, frame: Frame) -> None:
        self.value(node.value, frame)

    def _run_pass(self, _: ast.Pass, __: Frame) -> None:
        pass

    def _run_return(self, node: ast.Return, frame: Frame) -> _Signal:
        return _Returned(None if node.value is None else self.value(node.value, frame))

    def _run_break(self, _: ast.Break, __: Frame) -> _Signal:
        return _BREAK

    def _run_continue(self, _: ast.Continue, __: Frame) -> _Signal:
        return _CONTINUE

    def _run_assign(self, node: ast.Assign, frame: Frame) -> None:
        value = self.value(node.value, frame)
        for target in node.targets:
            self._assign(target, value, frame)

    def _run_annassign(self, node: ast.AnnAssign, frame: Frame) -> None:
        if node.value is not None:
            self._assign(node.target, self.value(node.value, frame), frame)

    def _run_augassign(self, node: ast.AugAssign, frame: Frame) -> None:
        target = node.target
        if isinstance(target, ast.Name):
            value = self._augmented(node, self._name(target.id, frame), frame)
            self._store(target.id, value, frame)
        elif isinstance(target, ast.Attribute):
            holder = self.value(target.value, frame)
            value = self._augmented(node, self.meanings.attribute(holder, target.attr), frame)
            self.meanings.set_attribute(holder, target.attr, value)
        else:
            holder, key = self.value(target.value, frame), self.value(target.slice, frame)
            value = self._augmented(node, self.meanings.item(holder, key), frame)
            self.meanings.set_item(holder, key, value)

    def _augmented(self, node: ast.AugAssign, before: Any, frame: Frame) -> Any:
        plain, in_place = BINARY[type(node.op)]
        return self.meanings.binary(plain, before, self.value(node.value, frame), in_place)

    def _run_if(self, node: ast.If, frame: Frame) -> _Signal | None:
        return self._block(node.body if self._truth(node.test, frame) else node.orelse, frame)

    def _run_while(self, node: ast.While, frame: Frame) -> _Signal | None:
        while True:
            self._number = node.lineno
            if not self._truth(node.test, frame):
                return self._block(node.orelse, frame)
            signal = self._block(node.body, frame)
            if signal is _BREAK:
                return None
            if isinstance(signal, _Returned):
                return signal

    def _run_for(self, node: ast.For, frame: Frame) -> _Signal | None:
        for one in self.meanings.iterated(self.value(node.iter, frame)):
            self._assign(node.target, one, frame)
            signal = self._block(node.body, frame)
            if signal is _BREAK:
                return None
            if isinstance(signal, _Returned):
                return signal
        return self._block(node.orelse, frame)

    def _run_with(self, node: ast.With, frame: Frame) -> _Signal | None:
        return self._inside(node, list(node.items), frame)

    def _inside(self, node: ast.With, items: list[ast.withitem], frame: Frame) -> _Signal | None:
        if not items:
            return self._block(node.body, frame)
        manager = self.value(items[0].context_expr, frame)
        enter, leave = (getattr(type(manager), name) for name in ("__enter__", "__exit__"))
        entered = self.call(MethodType(enter, manager), (), {})
        if items[0].optional_vars is not None:
            self._assign(items[0].optional_vars, entered, frame)
        try:
            signal = self._inside(node, items[1:], frame)
        except Refusal:
            raise
        except BaseException as error:
            given = (type(error), error, error.__traceback__)
            if not self.meanings.truth(self.call(MethodType(leave, manager), given, {})):
                raise
            return None
        self.call(MethodType(leave, manager), (None, None, None), {})
        return signal

    def _run_raise(self, node: ast.Raise, frame: Frame) -> None:
        if node.exc is None:
            if not frame.handled:
                raise RuntimeError("No active exception to reraise")
            raise frame.handled[-1]
        error = self.value(node.exc, frame)
        if isinstance(error, type) and issubclass(error, BaseException):
            error = self.call(error, (), {})
        if is_symbolic(getattr(error, "args", ())):
            raise self.refuse("an exception with a number that is drawn")
        if node.cause is None:
            raise error
        raise error from self.value(node.cause, frame)

    def _run_try(self, node: ast.Try, frame: Frame) -> _Signal | None:
        try:
            signal = self._tried(node, frame)
        except Refusal:
            raise
        except BaseException:
            last = self._block(node.finalbody, frame)
            if last is not None:
                return last
            raise
        return self._block(node.finalbody, frame) or signal

    def _tried(self, node: ast.Try, frame: Frame) -> _Signal | None:
        try:
            signal = self._block(node.body, frame)
        except Refusal:
            raise
        except RecursionError:
            raise self.refuse("recursion without an end, or too deep, is not read") from None
        except BaseException as error:
            for handler in node.handlers:
                if handler.type is None or isinstance(error, self.value(handler.type, frame)):
                    return self._handled(handler, error, frame)
            raise
        return self._block(node.orelse, frame) if signal is None else signal

    def _handled(self, handler: ast.ExceptHandler, error: BaseException, frame: Frame) -> _Signal | None:
        frame.handled.append(error)
        if handler.name:
            self._store(handler.name, error, frame)
        try:
            return self._block(handler.body, frame)
        finally:
            frame.handled.pop()
            if handler.name and handler.name in frame.values:
                frame.delete(handler.name)

    def _run_assert(self, node: ast.Assert, frame: Frame) -> None:
        if not self._truth(node.test, frame):
            message = [] if node.msg is None else [self.value(node.msg, frame)]
            if is_symbolic(message):
                raise self.refuse("an exception with a number that is drawn")
            raise AssertionError(*message)

    def _run_delete(self, node: ast.Delete, frame: Frame) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                holder = frame.holder(target.id)
                if holder is None:
                    raise self.refuse("a name of the module is deleted")
                holder.delete(target.id)
            elif isinstance(target, ast.Subscript):
                self.native(operator.delitem, self.value(target.value, frame), self.value(target.slice, frame))
            elif isinstance(target, ast.Attribute):
                self.native(delattr, self.value(target.value, frame), target.attr)

    def _run_import(self, node: ast.Import, frame: Frame) -> None:
        for alias in node.names:
            found = self.native(importlib.import_module, alias.name)
            first = alias.name.partition(".")[0]
            value = found if alias.asname else importlib.import_module(first)
            self._store(alias.asname or first, value, frame)

    def _run_importfrom(self, node: ast.ImportFrom, frame: Frame) -> None:
        package = frame.module.get("__package__") or None
        module = self.native(importlib.import_module, "." * node.level + (node.module or ""), package)
        for alias in node.names:
            if not hasattr(module, alias.name):
                raise ImportError(f"cannot import name {alias.name!r} from {module.__name__!r}")
            self._store(alias.asname or alias.name, getattr(module, alias.name), frame)

    def _run_global(self, _: ast.Global, __: Frame) -> None:
        pass

    _run_nonlocal = _run_global

    def _run_functiondef(self, node: ast.FunctionDef, frame: Frame) -> None:
        made: Any = self._defined(node, node.name, frame)
        for decorator in reversed(node.decorator_list):
            made = self.call(self.value(decorator, frame), (made,), {})
        self._store(node.name, made, frame)

    def _run_classdef(self, node: ast.ClassDef, frame: Frame) -> None:
        inside = Frame({}, None, frame, frame.module, frame.file)
        inside.values |= {"__module__": frame.module.get("__name__"), "__qualname__": node.name}
        self._block(node.body, inside)
        bases = tuple(self.value(one, frame) for one in node.bases)
        named = {str(one.arg): self.value(one.value, frame) for one in node.keywords}
        annotated = {one.target.id: one.annotation for one in node.body if _is_annotated(one)}  # type: ignore[attr-defined]
        if annotated:
            inside.values["__annotations__"] = {name: self.value(one, frame) for name, one in annotated.items()}
        kind: Any = type(bases[0] if bases else object)
        made: Any = self.native(kind, node.name, bases, inside.values, **named)
        for decorator in reversed(node.decorator_list):
            made = self.call(self.value(decorator, frame), (made,), {})
        self._store(node.name, made, frame)

    def _defined(self, node: Defined, name: str, frame: Frame) -> Read:
        if is_generator(node):
            raise self.refuse("a function inside a function that yields is not read: define it in the module")
        arguments = node.args
        places = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
        given = [self.value(one, frame) for one in arguments.defaults]
        defaults = dict(zip(places[len(places) - len(given) :], given, strict=True))
        for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if default is not None:
                defaults[one.arg] = self.value(default, frame)
        outer = frame.outer if frame.bound is None else frame  # a class is no scope of its methods
        return Read(self, Written(node, frame.file, outer, frame.module, defaults, name))


def _is_annotated(node: ast.stmt) -> bool:
    return isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
