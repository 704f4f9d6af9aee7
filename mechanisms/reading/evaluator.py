"""Carries out the source of a program, statement by statement, along one path of its draws.

What depends on no draw is an ordinary object, and operations on it are the interpreter's own. What depends on one is
symbolic (`symbols`): every operation that meets it is looked up in the table of meanings, and what is not there is
refused by line. A draw with few outcomes forks the path, and is an ordinary number from there on.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import itertools
import operator
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path as FilePath
from types import MethodType
from typing import Any

from stirred.mechanisms.reading.calls import Calls, Read
from stirred.mechanisms.reading.constants import Constants
from stirred.mechanisms.reading.draws import DrawTable
from stirred.mechanisms.reading.expressions import BINARY, methods_by_kind, spoken
from stirred.mechanisms.reading.functions import Defined, Frame, Written, is_generator
from stirred.mechanisms.reading.meanings import Meanings
from stirred.mechanisms.reading.refusal import Forking, OwnCode, Refusal
from stirred.mechanisms.reading.rejection import Deferred, Way, begun, counted
from stirred.mechanisms.reading.summed_loops import summed
from stirred.mechanisms.reading.symbols import SEEN, is_symbolic
from stirred.mechanisms.reading.yielding import BREAK, CONTINUE, Returned, Signal
from stirred.spec.numbers.enclosure import UndecidedOrderError

_DEEPEST = 400
"""Calls inside one another."""

_MOST_PASSES = 32


@functools.lru_cache(maxsize=64)
def _name(file: str) -> str:
    return FilePath(file).name


@functools.cache
def _endless(node: ast.For) -> ast.While | None:
    """A loop over a new `itertools.count` as one that counts; None where it is another."""
    stored = [one.id for part in node.body for one in ast.walk(part) if isinstance(one, ast.Name) and _is_stored(one)]
    if not isinstance(node.iter, ast.Call) or not isinstance(node.target, ast.Name) or node.target.id in stored:
        return None
    step = ast.AugAssign(node.target, ast.Add(), ast.Constant(1))
    found = ast.While(ast.Constant(True), [ast.copy_location(step, node), *node.body], node.orelse)
    return ast.fix_missing_locations(ast.copy_location(found, node))


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


class Evaluator(Calls):
    """Carries out functions along a path.

    Args:
        path: decides what the draws are.
        draws: knows what draws.
        is_own: whether a file is the program's own: its functions are read, those of other files are called.
        are_doubles: whether doubles decide, and not the real numbers that they stand for.
    """

    def __init__(
        self, path: Forking, draws: DrawTable, is_own: Callable[[str], bool], *, are_doubles: bool = False
    ) -> None:
        self.path = path
        self.watch = OwnCode(is_own)
        self.meanings = Meanings(self, are_doubles=are_doubles)
        self.draws = draws
        self.is_own = is_own
        self.depth = 0
        self._body: Sequence[ast.stmt] = ()
        self._file = ""
        self._number = 0
        self._statements = methods_by_kind(type(self), "_run_")
        self.constants = Constants(self._apart, self.meanings.shadows, is_own)
        super().__init__()

    def _apart(self, node: ast.expr, frame: Frame) -> Any:
        """The value of an expression that is evaluated before the call."""
        before = self._file, self._number, self.is_apart
        self.is_apart = True
        try:
            return self.value(node, frame)
        finally:
            self._file, self._number, self.is_apart = before

    def native(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """The result of a function that is not read, which must see nothing symbolic."""
        try:
            return self.watch.run(function, *arguments, **named)
        finally:
            if SEEN:
                raise self.refuse(str(SEEN[0]))

    @property
    def line(self) -> str:
        """Where the program is: "f.py, line 3"."""
        return f"{_name(self._file)}, line {self._number}"

    def _at(self, file: str, number: int) -> None:
        self._file, self._number = file, number

    def refuse(self, what: str) -> Refusal:
        """A refusal of what the present line does."""
        return Refusal(f"{self.line}: {what}" if self._file else what)

    def invoke(self, source: Written, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The result of a function that is read."""
        if self.depth >= _DEEPEST:
            raise self.refuse(f"calls inside one another, more than {_DEEPEST}, are not read")
        place = self._file, self._number
        self.depth += 1
        try:
            frame = source.frame(arguments, named)
            if is_generator(source.node):
                return self._yielding(source, frame)
            if isinstance(source.node, ast.Lambda):
                self._file = source.file
                return self.value(source.node.body, frame)
            if self.depth == 1:
                self._body = source.node.body
            signal = self._block(source.node.body, frame)
            return signal.value if isinstance(signal, Returned) else None
        finally:
            self.depth -= 1
            if self.depth:  # of the program's last line it may yet be said what it returned
                self._file, self._number = place

    def _block(self, body: Sequence[ast.stmt], frame: Frame) -> Signal | None:
        for one in body:
            self._file, self._number = frame.file, one.lineno
            run = self._statements.get(type(one))
            if run is None:
                raise self.refuse(f"{spoken(one)} is not read")
            try:
                signal: Signal | None = run(self, one, frame)
            except UndecidedOrderError as error:  # none of the program's
                raise self.refuse(f"a comparison is not decided: {error}") from None
            if signal is not None:
                return signal
        return None

    def _run_expr(self, node: ast.Expr, frame: Frame) -> None:
        self.value(node.value, frame)

    def _run_pass(self, _: ast.Pass, __: Frame) -> None:
        pass

    def _run_return(self, node: ast.Return, frame: Frame) -> Signal:
        if isinstance(self.path, Way) and self.path.depth == self.depth:
            return Deferred(node)
        return Returned(None if node.value is None else self.value(node.value, frame))

    def _run_break(self, _: ast.Break, __: Frame) -> Signal:
        return BREAK

    def _run_continue(self, _: ast.Continue, __: Frame) -> Signal:
        return CONTINUE

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

    def _run_if(self, node: ast.If, frame: Frame) -> Signal | None:
        return self._block(node.body if self._truth(node.test, frame) else node.orelse, frame)

    def _run_match(self, node: ast.Match, frame: Frame) -> Signal | None:
        subject = self.value(node.subject, frame)
        for case in node.cases:
            names: dict[str, Any] = {}
            if self.matches(case.pattern, subject, names, frame):
                for name, value in names.items():
                    self._store(name, value, frame)
                if case.guard is None or self._truth(case.guard, frame):
                    return self._block(case.body, frame)
        return None

    def _run_while(self, node: ast.While, frame: Frame) -> Signal | None:
        before = self._body[: self._body.index(node)] if self.depth == 1 and node in self._body else ()
        known, passes, one_pass = None, 0, functools.partial(self._pass, node, frame)
        if (last := counted(node, frame, self, one_pass) or summed(node, frame, self, one_pass)) is not None:
            return self._left(last(), frame)
        while True:
            self._number, forks = node.lineno, len(self.path.taken)
            known = begun(node, frame, self.meanings.drawn.region, path=self.path, before=before, known=known)
            if (signal := one_pass()) is not None:
                return self._left(signal, frame)
            passes += len(self.path.taken) > forks
            if passes > _MOST_PASSES:
                raise self.refuse(
                    f"a loop has made {passes} passes in which draws decide, one path for each: give it a last pass, "
                    "or let it accept or reject what one pass draws"
                )

    def _pass(self, node: ast.While, frame: Frame) -> Signal | None:
        """One pass of a loop: what ended it, None where it goes on."""
        self._number = node.lineno
        if not self._truth(node.test, frame):
            return self._block(node.orelse, frame) or BREAK
        signal = self._block(node.body, frame)
        return None if signal is CONTINUE else signal

    def _left(self, signal: Signal | None, frame: Frame) -> Signal | None:
        """What a loop that is left ends beside itself."""
        if isinstance(signal, Deferred):
            return self._run_return(signal.node, frame)
        return None if signal is BREAK else signal

    def _run_for(self, node: ast.For, frame: Frame) -> Signal | None:
        members = self.value(node.iter, frame)
        if type(members) is itertools.count and (endless := _endless(node)) is not None:
            is_new = self.value(node.iter.func, frame) is itertools.count  # type: ignore[attr-defined]
            first, step = (*members.__reduce__()[1], 1)[:2]
            if is_new and type(first) is int and step == 1:
                self._assign(node.target, first - 1, frame)
                return self._run_while(endless, frame)
        for one in self.meanings.iterated(members):
            self._assign(node.target, one, frame)
            signal = self._block(node.body, frame)
            if signal is BREAK:
                return None
            if isinstance(signal, Returned):
                return signal
        return self._block(node.orelse, frame)

    def _run_with(self, node: ast.With, frame: Frame) -> Signal | None:
        return self._inside(node, list(node.items), frame)

    def _inside(self, node: ast.With, items: list[ast.withitem], frame: Frame) -> Signal | None:
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

    def _run_try(self, node: ast.Try, frame: Frame) -> Signal | None:
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

    def _tried(self, node: ast.Try, frame: Frame) -> Signal | None:
        try:
            signal = self._block(node.body, frame)
        except Refusal:
            raise
        except BaseException as error:
            handler = self._handler(node, error, frame)
            if handler is None:
                raise
            return self._handled(handler, error, frame)
        return self._block(node.orelse, frame) if signal is None else signal

    def _handler(self, node: ast.Try, error: BaseException, frame: Frame) -> ast.ExceptHandler | None:
        if isinstance(error, RecursionError):
            raise self.refuse("recursion without an end, or too deep, is not read") from None
        for handler in node.handlers:
            if handler.type is None or isinstance(error, self.value(handler.type, frame)):
                return handler
        return None

    def _handled(self, handler: ast.ExceptHandler, error: BaseException, frame: Frame) -> Signal | None:
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
            found = importlib.import_module(alias.name)  # what it runs, Python runs once
            first = alias.name.partition(".")[0]
            value = found if alias.asname else importlib.import_module(first)
            self._store(alias.asname or first, value, frame)

    def _run_importfrom(self, node: ast.ImportFrom, frame: Frame) -> None:
        package = frame.module.get("__package__") or None
        module = importlib.import_module("." * node.level + (node.module or ""), package)
        for alias in node.names:
            if not hasattr(module, alias.name):  # it may be a module of a package
                with contextlib.suppress(ModuleNotFoundError):
                    importlib.import_module(f"{module.__name__}.{alias.name}")
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

    def _defined(self, node: Defined, name: str, frame: Frame) -> Read:
        arguments = node.args
        places = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
        given = [self.value(one, frame) for one in arguments.defaults]
        defaults = dict(zip(places[len(places) - len(given) :], given, strict=True))
        for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if default is not None:
                defaults[one.arg] = self.value(default, frame)
        outer = frame.outer if frame.bound is None else frame  # a class is no scope of its methods
        return Read(self, Written(node, frame.file, outer, frame.module, defaults, name))
