"""Functions that yield: their statements, one after another, as a generator of the interpreter's."""

from __future__ import annotations

import ast
import functools
from abc import abstractmethod
from collections.abc import Generator, Sequence
from types import MethodType
from typing import Any

from stirred.mechanisms.reading.expressions import Expressions, methods_by_kind, spoken
from stirred.mechanisms.reading.functions import Frame, Written, yields
from stirred.mechanisms.reading.refusal import Refusal


class Signal:
    """What ends a block before its end."""


class Returned(Signal):
    """A function returns.

    Args:
        value: what.
    """

    def __init__(self, value: Any) -> None:
        self.value = value


BREAK, CONTINUE = Signal(), Signal()

Steps = Generator[Any, Any, Signal | None]


@functools.cache
def _is_yielding(node: ast.AST) -> bool:
    return yields((node,))


class Yielding(Expressions):
    """Carries out the statements of functions that yield."""

    def __init__(self) -> None:
        super().__init__()
        self._stepping = methods_by_kind(type(self), "_step_")

    @abstractmethod
    def _block(self, body: Sequence[ast.stmt], frame: Frame) -> Signal | None:
        """Carry out statements that yield nothing."""

    @abstractmethod
    def _handler(self, node: ast.Try, error: BaseException, frame: Frame) -> ast.ExceptHandler | None:
        """The handler of an exception."""

    def _yielding(self, source: Written, frame: Frame) -> Generator[Any, Any, Any]:
        """What a function yields."""
        signal = yield from self._steps(source.node.body, frame)  # type: ignore[arg-type]
        return signal.value if isinstance(signal, Returned) else None

    def _steps(self, body: Sequence[ast.stmt], frame: Frame) -> Steps:
        for one in body:
            self._at(frame.file, one.lineno)
            if not _is_yielding(one):
                signal = self._block([one], frame)
            elif (run := self._stepping.get(type(one))) is not None:
                signal = yield from run(self, one, frame)
            else:
                raise self.refuse(f"a yield inside of {spoken(one)} is not read")
            if signal is not None:
                return signal
        return None

    def _given(self, node: ast.expr | None, frame: Frame) -> Generator[Any, Any, Any]:
        """The value of an expression, which may be a yield itself."""
        if isinstance(node, ast.Yield):
            sent = yield None if node.value is None else self.value(node.value, frame)
            self._at(frame.file, node.lineno)
            return sent
        if isinstance(node, ast.YieldFrom):
            return (yield from self.meanings.iterated(self.value(node.value, frame)))
        if node is not None and _is_yielding(node):
            raise self.refuse("a yield inside of an expression is not read: assign it to a name first")
        return None if node is None else self.value(node, frame)

    def _step_expr(self, node: ast.Expr, frame: Frame) -> Steps:
        yield from self._given(node.value, frame)
        return None

    def _step_assign(self, node: ast.Assign, frame: Frame) -> Steps:
        value = yield from self._given(node.value, frame)
        for target in node.targets:
            self._assign(target, value, frame)
        return None

    def _step_return(self, node: ast.Return, frame: Frame) -> Steps:
        return Returned((yield from self._given(node.value, frame)))

    def _step_if(self, node: ast.If, frame: Frame) -> Steps:
        test = yield from self._given(node.test, frame)
        return (yield from self._steps(node.body if self.meanings.truth(test) else node.orelse, frame))

    def _step_while(self, node: ast.While, frame: Frame) -> Steps:
        while self.meanings.truth((yield from self._given(node.test, frame))):
            signal = yield from self._steps(node.body, frame)
            if signal is BREAK:
                return None
            if isinstance(signal, Returned):
                return signal
        return (yield from self._steps(node.orelse, frame))

    def _step_for(self, node: ast.For, frame: Frame) -> Steps:
        for one in self.meanings.iterated((yield from self._given(node.iter, frame))):
            self._assign(node.target, one, frame)
            signal = yield from self._steps(node.body, frame)
            if signal is BREAK:
                return None
            if isinstance(signal, Returned):
                return signal
        return (yield from self._steps(node.orelse, frame))

    def _step_with(self, node: ast.With, frame: Frame) -> Steps:
        if len(node.items) > 1:
            raise self.refuse("a yield inside of a with of several managers is not read: nest them")
        (item,) = node.items
        manager = self.value(item.context_expr, frame)
        enter, leave = (getattr(type(manager), name) for name in ("__enter__", "__exit__"))
        entered = self.call(MethodType(enter, manager), (), {})
        if item.optional_vars is not None:
            self._assign(item.optional_vars, entered, frame)
        try:
            signal = yield from self._steps(node.body, frame)
        except Refusal:
            raise
        except BaseException as error:
            given = (type(error), error, error.__traceback__)
            if not self.meanings.truth(self.call(MethodType(leave, manager), given, {})):
                raise
            return None
        self.call(MethodType(leave, manager), (None, None, None), {})
        return signal

    def _step_try(self, node: ast.Try, frame: Frame) -> Steps:
        try:
            signal = yield from self._tried_steps(node, frame)
        except Refusal:
            raise
        except BaseException:
            last = yield from self._steps(node.finalbody, frame)
            if last is not None:
                return last
            raise
        last = yield from self._steps(node.finalbody, frame)
        return last or signal

    def _tried_steps(self, node: ast.Try, frame: Frame) -> Steps:
        try:
            signal = yield from self._steps(node.body, frame)
        except Refusal:
            raise
        except BaseException as error:
            handler = self._handler(node, error, frame)
            if handler is None:
                raise
            frame.handled.append(error)
            if handler.name:
                self._store(handler.name, error, frame)
            try:
                return (yield from self._steps(handler.body, frame))
            finally:
                frame.handled.pop()
                if handler.name:
                    frame.values.pop(handler.name, None)
        return (yield from self._steps(node.orelse, frame)) if signal is None else signal
