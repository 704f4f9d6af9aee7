"""Carries out the source of a program, statement by statement, along one path of its draws.

What depends on no draw is an ordinary object, and operations on it are the interpreter's own. What depends on one is
symbolic (`symbols`): every operation that meets it is looked up in the table of meanings, and what is not there is
refused by line. A draw with few outcomes forks the path, and is an ordinary number from there on.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from types import FunctionType, MethodType
from typing import Any, Protocol

from stirred.mechanisms.reading.draws import Draws
from stirred.mechanisms.reading.functions import Bound, Defined, Frame, Written, is_generator, written
from stirred.mechanisms.reading.meanings import Meanings
from stirred.mechanisms.reading.refusal import Refusal
from stirred.mechanisms.reading.symbols import Opaque, is_symbolic

_DEEPEST = 400
"""Calls inside one another."""

_BINARY: Mapping[type, tuple[Callable[..., Any], Callable[..., Any]]] = {
    ast.Add: (operator.add, operator.iadd),
    ast.Sub: (operator.sub, operator.isub),
    ast.Mult: (operator.mul, operator.imul),
    ast.Div: (operator.truediv, operator.itruediv),
    ast.FloorDiv: (operator.floordiv, operator.ifloordiv),
    ast.Mod: (operator.mod, operator.imod),
    ast.Pow: (operator.pow, operator.ipow),
    ast.MatMult: (operator.matmul, operator.imatmul),
    ast.BitAnd: (operator.and_, operator.iand),
    ast.BitOr: (operator.or_, operator.ior),
    ast.BitXor: (operator.xor, operator.ixor),
    ast.LShift: (operator.lshift, operator.ilshift),
    ast.RShift: (operator.rshift, operator.irshift),
}
_UNARY: Mapping[type, Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}
_COMPARED: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
}


class Forking(Protocol):
    """Who decides what the draws of a path are."""

    def fork(self, weights: Sequence[Any], what: str, line: str) -> int:
        """The number of the outcome, given their probabilities."""


class _Signal:
    """What ends a block before its end."""


class _Returned(_Signal):
    def __init__(self, value: Any) -> None:
        self.value = value


_BREAK, _CONTINUE = _Signal(), _Signal()


class Read(Opaque):
    """A function that the program defines while it runs: called by the program, or by a library on its behalf."""

    def __init__(self, evaluator: Evaluator, source: Written) -> None:
        self.evaluator = evaluator
        self.source = source
        self.__name__ = source.name.rpartition(".")[2]
        self.__qualname__ = source.name
        self.__module__ = source.module.get("__name__", "")
        self.__doc__ = ast.get_docstring(source.node) if isinstance(source.node, ast.FunctionDef) else None

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Called by a library: which must be given nothing symbolic."""
        found = self.evaluator.invoke(self.source, arguments, named)
        if is_symbolic(found):
            raise Refusal(f"{self.evaluator.line}: a library is given a number that is drawn, by {self.__name__}")
        return found

    def __get__(self, instance: Any, kind: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


class Evaluator:
    """Carries out functions along a path.

    Args:
        path: decides what the draws are.
        draws: knows what draws.
        is_own: whether a file is the program's own: its functions are read, those of other files are called.
    """

    def __init__(self, path: Forking, draws: Draws, is_own: Callable[[str], bool]) -> None:
        self.path = path
        self.meanings = Meanings(self)
        self.draws = draws
        self._is_own = is_own
        self._depth = 0
        self._file = ""
        self._number = 0
        self._statements: dict[type, Callable[[Any, Frame], _Signal | None]] = _methods(self, "_run_")
        self._expressions: dict[type, Callable[[Any, Frame], Any]] = _methods(self, "_of_")

    @property
    def line(self) -> str:
        """Where the program is: "f.py, line 3"."""
        return f"{FilePath(self._file).name}, line {self._number}"

    def refuse(self, what: str) -> Refusal:
        """A refusal of what the present line does."""
        return Refusal(f"{self.line}: {what}")

    # ---- calls -------------------------------------------------------------------------------------------------------

    def invoke(self, source: Written, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The result of a function that is read."""
        if self._depth >= _DEEPEST:
            raise RecursionError("maximum recursion depth exceeded")
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
            return self.invoke(function.source, arguments, named)
        if (drawn := self.draws.method(function)) is not None:
            return self.draws.drawn(self, drawn, arguments, named)
        source = self._source(function)
        if source is not None:
            bound = (function.__self__,) if isinstance(function, MethodType) else ()
            return self.invoke(source, (*bound, *arguments), named)
        if isinstance(function, type) and (instance := self._constructed(function, arguments, named)) is not None:
            return instance[0]
        return self.meanings.called(function, arguments, named)

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

    # ---- statements --------------------------------------------------------------------------------------------------

    def _block(self, body: Sequence[ast.stmt], frame: Frame) -> _Signal | None:
        for one in body:
            self._file, self._number = frame.file, one.lineno
            run = self._statements.get(type(one))
            if run is None:
                raise self.refuse(f"{_spoken(one)} is not read")
            signal = run(one, frame)
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
        plain, in_place = _BINARY[type(node.op)]
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
            raise AssertionError(*([] if node.msg is None else [self.value(node.msg, frame)]))

    def _run_delete(self, node: ast.Delete, frame: Frame) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                holder = frame.holder(target.id)
                if holder is None:
                    raise self.refuse("a name of the module is deleted")
                holder.delete(target.id)
            elif isinstance(target, ast.Subscript):
                operator.delitem(self.value(target.value, frame), self.value(target.slice, frame))
            elif isinstance(target, ast.Attribute):
                delattr(self.value(target.value, frame), target.attr)

    def _run_import(self, node: ast.Import, frame: Frame) -> None:
        for alias in node.names:
            found = importlib.import_module(alias.name)
            first = alias.name.partition(".")[0]
            value = found if alias.asname else importlib.import_module(first)
            self._store(alias.asname or first, value, frame)

    def _run_importfrom(self, node: ast.ImportFrom, frame: Frame) -> None:
        package = frame.module.get("__package__") or None
        module = importlib.import_module("." * node.level + (node.module or ""), package)
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
        made: Any = kind(node.name, bases, inside.values, **named)
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
        return Read(self, Written(node, frame.file, frame, frame.module, defaults, name))

    def _assign(self, target: ast.expr, value: Any, frame: Frame) -> None:
        if isinstance(target, ast.Name):
            self._store(target.id, value, frame)
        elif isinstance(target, ast.Attribute):
            self.meanings.set_attribute(self.value(target.value, frame), target.attr, value)
        elif isinstance(target, ast.Subscript):
            self.meanings.set_item(self.value(target.value, frame), self.value(target.slice, frame), value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, list(self.meanings.iterated(value)), frame)
        else:
            raise self.refuse(f"{_spoken(target)} as a target is not read")

    def _unpack(self, targets: Sequence[ast.expr], values: list[Any], frame: Frame) -> None:
        starred = [place for place, one in enumerate(targets) if isinstance(one, ast.Starred)]
        if not starred:
            if len(values) < len(targets):
                raise ValueError(f"not enough values to unpack (expected {len(targets)}, got {len(values)})")
            if len(values) > len(targets):
                raise ValueError(f"too many values to unpack (expected {len(targets)})")
            for target, value in zip(targets, values, strict=True):
                self._assign(target, value, frame)
            return
        (place,) = starred
        after = len(targets) - place - 1
        if len(values) < len(targets) - 1:
            raise ValueError(f"not enough values to unpack (expected at least {len(targets) - 1}, got {len(values)})")
        middle = values[place : len(values) - after]
        self._unpack(targets[:place], values[:place], frame)
        self._assign(targets[place].value, middle, frame)  # type: ignore[attr-defined]
        self._unpack(targets[place + 1 :], values[len(values) - after :], frame)

    def _store(self, name: str, value: Any, frame: Frame) -> None:
        holder = frame if frame.bound is None and not _is_comprehension(frame) else frame.holder(name)
        if holder is None:
            raise self.refuse(f"{name} is a name of the module, which keeps what one call leaves for the next")
        holder.set(name, value)

    # ---- expressions -------------------------------------------------------------------------------------------------

    def value(self, node: ast.expr, frame: Frame) -> Any:
        """The value of an expression."""
        of = self._expressions.get(type(node))
        if of is None:
            raise self.refuse(f"{_spoken(node)} is not read")
        return of(node, frame)

    def _truth(self, node: ast.expr, frame: Frame) -> bool:
        return self.meanings.truth(self.value(node, frame))

    def _of_constant(self, node: ast.Constant, _: Frame) -> Any:
        return node.value

    def _of_name(self, node: ast.Name, frame: Frame) -> Any:
        return self._name(node.id, frame)

    def _name(self, name: str, frame: Frame) -> Any:
        holder = frame.holder(name)
        if holder is not None:
            return holder.get(name)
        if name in frame.module:
            return frame.module[name]
        if hasattr(builtins, name):
            return getattr(builtins, name)
        raise NameError(f"name {name!r} is not defined")

    def _of_namedexpr(self, node: ast.NamedExpr, frame: Frame) -> Any:
        value = self.value(node.value, frame)
        outside = frame
        while _is_comprehension(outside) and isinstance(outside.outer, Frame):
            outside = outside.outer
        self._store(node.target.id, value, outside)
        return value

    def _of_tuple(self, node: ast.Tuple, frame: Frame) -> Any:
        return tuple(self._spread(node.elts, frame))

    def _of_list(self, node: ast.List, frame: Frame) -> Any:
        return self._spread(node.elts, frame)

    def _of_set(self, node: ast.Set, frame: Frame) -> Any:
        return self.meanings.hashed(self._spread(node.elts, frame), set)

    def _of_dict(self, node: ast.Dict, frame: Frame) -> Any:
        made: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                made.update(self.value(value, frame))
            else:
                self.meanings.set_item(made, self.value(key, frame), self.value(value, frame))
        return made

    def _spread(self, nodes: Sequence[ast.expr], frame: Frame) -> list[Any]:
        found: list[Any] = []
        for one in nodes:
            if isinstance(one, ast.Starred):
                found += self.meanings.iterated(self.value(one.value, frame))
            else:
                found.append(self.value(one, frame))
        return found

    def _of_binop(self, node: ast.BinOp, frame: Frame) -> Any:
        one, other = self.value(node.left, frame), self.value(node.right, frame)
        return self.meanings.binary(_BINARY[type(node.op)][0], one, other)

    def _of_unaryop(self, node: ast.UnaryOp, frame: Frame) -> Any:
        value = self.value(node.operand, frame)
        if isinstance(node.op, ast.Not):
            return not self.meanings.truth(value)
        return self.meanings.unary(_UNARY[type(node.op)], value)

    def _of_boolop(self, node: ast.BoolOp, frame: Frame) -> Any:
        is_or = isinstance(node.op, ast.Or)
        for one in node.values[:-1]:
            value = self.value(one, frame)
            if self.meanings.truth(value) == is_or:
                return value
        return self.value(node.values[-1], frame)

    def _of_compare(self, node: ast.Compare, frame: Frame) -> Any:
        left = self.value(node.left, frame)
        found: Any = True
        for place, (op, right_node) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = self.value(right_node, frame)
            found = self.meanings.compared(_COMPARED[type(op)], left, right)
            if place + 1 < len(node.ops) and not self.meanings.truth(found):
                return found
            left = right
        return found

    def _of_ifexp(self, node: ast.IfExp, frame: Frame) -> Any:
        return self.value(node.body if self._truth(node.test, frame) else node.orelse, frame)

    def _of_attribute(self, node: ast.Attribute, frame: Frame) -> Any:
        return self.meanings.attribute(self.value(node.value, frame), node.attr)

    def _of_subscript(self, node: ast.Subscript, frame: Frame) -> Any:
        return self.meanings.item(self.value(node.value, frame), self.value(node.slice, frame))

    def _of_slice(self, node: ast.Slice, frame: Frame) -> Any:
        ends = (node.lower, node.upper, node.step)
        return slice(*(None if one is None else self.meanings.index(self.value(one, frame)) for one in ends))

    def _of_lambda(self, node: ast.Lambda, frame: Frame) -> Any:
        return self._defined(node, "<lambda>", frame)

    def _of_joinedstr(self, node: ast.JoinedStr, frame: Frame) -> str:
        return "".join(str(self.value(one, frame)) for one in node.values)

    def _of_formattedvalue(self, node: ast.FormattedValue, frame: Frame) -> str:
        value = self.value(node.value, frame)
        if is_symbolic(value):
            raise self.refuse("a number that is drawn becomes text")
        conversions: Mapping[int, Callable[[Any], Any]] = {115: str, 114: repr, 97: ascii}
        shown = conversions[node.conversion](value) if node.conversion in conversions else value
        return format(shown, "" if node.format_spec is None else self.value(node.format_spec, frame))

    def _of_call(self, node: ast.Call, frame: Frame) -> Any:
        function = self.value(node.func, frame)
        arguments = self._spread(node.args, frame)
        named: dict[str, Any] = {}
        for one in node.keywords:
            given = {one.arg: self.value(one.value, frame)} if one.arg else dict(self.value(one.value, frame))
            if twice := named.keys() & given.keys():
                raise TypeError(f"got multiple values for keyword argument {min(twice)!r}")
            named |= given
        if function is builtins.super and not arguments:
            raise self.refuse("super() is not read: name the class")
        if function in (builtins.locals, builtins.globals, builtins.vars, builtins.dir, builtins.eval, builtins.exec):
            raise self.refuse(f"{function.__name__}(…) is not read")
        self._file, self._number = frame.file, node.lineno
        return self.call(function, arguments, named)

    def _of_listcomp(self, node: ast.ListComp, frame: Frame) -> Any:
        return list(self._each(node.generators, lambda inside: self.value(node.elt, inside), frame))

    def _of_setcomp(self, node: ast.SetComp, frame: Frame) -> Any:
        members = list(self._each(node.generators, lambda inside: self.value(node.elt, inside), frame))
        return self.meanings.hashed(members, set)

    def _of_dictcomp(self, node: ast.DictComp, frame: Frame) -> Any:
        made: dict[Any, Any] = {}

        def pair(inside: Frame) -> None:
            key = self.value(node.key, inside)
            self.meanings.set_item(made, key, self.value(node.value, inside))

        list(self._each(node.generators, pair, frame))
        return made

    def _of_generatorexp(self, node: ast.GeneratorExp, frame: Frame) -> Any:
        return self._each(node.generators, lambda inside: self.value(node.elt, inside), frame)

    def _each(
        self, generators: Sequence[ast.comprehension], made: Callable[[Frame], Any], frame: Frame
    ) -> Iterator[Any]:
        """What a comprehension makes, one by one; its first iterable is evaluated at once."""
        first = iter(self.meanings.iterated(self.value(generators[0].iter, frame)))
        inside = Frame({}, _COMPREHENSION, frame, frame.module, frame.file)
        inside.bound = _targets(generators)
        return self._generated(generators, 0, first, made, inside)

    def _generated(
        self,
        generators: Sequence[ast.comprehension],
        place: int,
        members: Iterable[Any],
        made: Callable[[Frame], Any],
        frame: Frame,
    ) -> Iterator[Any]:
        for one in members:
            self._assign(generators[place].target, one, frame)
            if not all(self._truth(test, frame) for test in generators[place].ifs):
                continue
            if place + 1 == len(generators):
                yield made(frame)
            else:
                more = self.meanings.iterated(self.value(generators[place + 1].iter, frame))
                yield from self._generated(generators, place + 1, more, made, frame)


class _Targets(Bound):
    """The names that a comprehension binds."""


_COMPREHENSION = _Targets(frozenset(), frozenset(), frozenset())


def _targets(generators: Sequence[ast.comprehension]) -> _Targets:
    stored = [one for part in generators for one in ast.walk(part.target) if isinstance(one, ast.Name)]
    return _Targets(frozenset(one.id for one in stored), frozenset(), frozenset())


def _is_comprehension(frame: Frame) -> bool:
    return isinstance(frame.bound, _Targets)


def _is_annotated(node: ast.stmt) -> bool:
    return isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)


def _methods(holder: object, prefix: str) -> dict[type, Any]:
    """The methods that are named by kinds of nodes."""
    kinds = {name.lower(): kind for name, kind in vars(ast).items() if name[0].isupper()}
    names = [name for name in dir(type(holder)) if name.startswith(prefix)]
    return {kinds[name.removeprefix(prefix)]: getattr(holder, name) for name in names}


_WORDS = {"Match": "match", "AsyncFunctionDef": "async def", "Yield": "yield", "YieldFrom": "yield from"}


def _spoken(node: ast.AST) -> str:
    name = type(node).__name__
    return f"{_WORDS.get(name, name)!r}"
