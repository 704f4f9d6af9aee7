"""Values of expressions, and names: what a program reads and binds along one path."""

from __future__ import annotations

import ast
import builtins
import functools
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import FrameType
from typing import Any

from stirred.mechanisms.reading.constants import Constants
from stirred.mechanisms.reading.functions import Bound, Defined, Frame, written_number
from stirred.mechanisms.reading.known_functions import OF_RUN
from stirred.mechanisms.reading.meanings import Meanings
from stirred.mechanisms.reading.refusal import Refusal
from stirred.mechanisms.reading.symbols import is_symbolic

BINARY: Mapping[type, tuple[Callable[..., Any], Callable[..., Any]]] = {
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


def contains(one: Any, other: Any) -> bool:
    """Whether a value is in another one."""
    return one in other


def lacks(one: Any, other: Any) -> bool:
    """Whether it is not."""
    return one not in other


_COMPARED: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: contains,
    ast.NotIn: lacks,
}

_SEEING = (builtins.locals, builtins.globals, builtins.vars, builtins.dir, builtins.eval, builtins.exec)


_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class Expressions(ABC):
    """Evaluates expressions.

    Attributes:
        meanings: the table of meanings.
        constants: what stands for what in modules and classes.
    """

    meanings: Meanings
    constants: Constants
    native: Callable[..., Any]

    def __init__(self) -> None:
        self._expressions = methods_by_kind(type(self), "_of_")

    @abstractmethod
    def refuse(self, what: str) -> Refusal:
        """A refusal of what the present line does."""

    @abstractmethod
    def call(self, function: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """The result of a call of anything that can be called."""

    @abstractmethod
    def _defined(self, node: Defined, name: str, frame: Frame) -> Any:
        """A function that the program defines."""

    @abstractmethod
    def _super(self, frame: Frame) -> Any:
        """What `super()` means in a method."""

    @abstractmethod
    def _at(self, file: str, number: int) -> None:
        """The program is at a line."""

    def _assign(self, target: ast.expr, value: Any, frame: Frame) -> None:
        if isinstance(target, ast.Name):
            self._store(target.id, value, frame)
        elif isinstance(target, ast.Attribute):
            self.meanings.set_attribute(self.value(target.value, frame), target.attr, value)
        elif isinstance(target, ast.Subscript):
            self.meanings.set_item(self.value(target.value, frame), self.value(target.slice, frame), value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, self.meanings.unpacked(value), frame)
        else:
            raise self.refuse(f"{spoken(target)} as a target is not read")

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

    def value(self, node: ast.expr, frame: Frame) -> Any:
        """The value of an expression."""
        of = self._expressions.get(type(node))
        if of is None:
            raise self.refuse(f"{spoken(node)} is not read")
        found = of(self, node, frame)
        if type(found) in OF_RUN and (type(found) is FrameType or id(found) in OF_RUN[type(found)]):
            raise self.refuse(f"{ast.unparse(node)} says how the program is run, and is not read")
        return found

    def _truth(self, node: ast.expr, frame: Frame) -> bool:
        return self.meanings.truth(self.value(node, frame))

    def _of_constant(self, node: ast.Constant, frame: Frame) -> Any:
        if isinstance(node.value, float) and not self.meanings.shadows.is_noted(node.value):
            self.meanings.shadows.note(node.value, written_number(frame.file, node))
        return node.value

    def _of_name(self, node: ast.Name, frame: Frame) -> Any:
        return self._name(node.id, frame)

    def _name(self, name: str, frame: Frame) -> Any:
        holder = frame.holder(name)
        if holder is not None:
            return holder.get(name)
        if name in frame.module:
            return self.constants.of_module(name, frame.module, frame.file)
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
                found.extend(self.meanings.iterated(self.value(one.value, frame)))
            else:
                found.append(self.value(one, frame))
        return found

    def _of_binop(self, node: ast.BinOp, frame: Frame) -> Any:
        one, other = self.value(node.left, frame), self.value(node.right, frame)
        return self.meanings.binary(BINARY[type(node.op)][0], one, other)

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
        return "".join(self.native(str, self.value(one, frame)) for one in node.values)

    def _of_formattedvalue(self, node: ast.FormattedValue, frame: Frame) -> str:
        value = self.meanings.settled(self.value(node.value, frame))
        if is_symbolic(value):
            raise self.refuse("a number that is drawn becomes text: clamp it first, or return the number")
        if not self.meanings.shadows.is_faithful(value):
            raise self.refuse("the digits of a double, which differ from the number that it stands for, become text")
        conversions: Mapping[int, Callable[[Any], Any]] = {115: str, 114: repr, 97: ascii}
        if node.format_spec is None and (
            own := self.meanings.objects.called(conversions.get(node.conversion, str), [value])
        ):
            return str(own[0])
        shown = self.native(conversions[node.conversion], value) if node.conversion in conversions else value
        spec = "" if node.format_spec is None else self.value(node.format_spec, frame)
        return str(self.native(format, shown, spec))

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
            return self._super(frame)
        if any(function is one for one in _SEEING):
            raise self.refuse(f"{function.__name__}(…) is not read")
        self._at(frame.file, node.lineno)
        return self.call(function, arguments, named)

    def _of_listcomp(self, node: ast.ListComp, frame: Frame) -> Any:
        return list(self._each(node, lambda inside: self.value(node.elt, inside), frame))

    def _of_setcomp(self, node: ast.SetComp, frame: Frame) -> Any:
        members = list(self._each(node, lambda inside: self.value(node.elt, inside), frame))
        return self.meanings.hashed(members, set)

    def _of_dictcomp(self, node: ast.DictComp, frame: Frame) -> Any:
        made: dict[Any, Any] = {}

        def pair(inside: Frame) -> None:
            key = self.value(node.key, inside)
            self.meanings.set_item(made, key, self.value(node.value, inside))

        list(self._each(node, pair, frame))
        return made

    def _of_generatorexp(self, node: ast.GeneratorExp, frame: Frame) -> Any:
        return self._each(node, lambda inside: self.value(node.elt, inside), frame)

    def _each(self, node: _Comprehension, made: Callable[[Frame], Any], frame: Frame) -> Iterator[Any]:
        """What a comprehension makes, one by one; its first iterable is evaluated at once."""
        first = iter(self.meanings.iterated(self.value(node.generators[0].iter, frame)))
        inside = Frame({}, _targets(node), frame, frame.module, frame.file)
        return self._generated(node.generators, 0, first, made, inside)

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


@functools.cache
def _targets(node: _Comprehension) -> _Targets:
    stored = [one for part in node.generators for one in ast.walk(part.target) if isinstance(one, ast.Name)]
    return _Targets(frozenset(one.id for one in stored), frozenset(), frozenset())


def _is_comprehension(frame: Frame) -> bool:
    return isinstance(frame.bound, _Targets)


@functools.cache
def methods_by_kind(holder: type, prefix: str) -> Mapping[type, Callable[..., Any]]:
    """The methods that are named by kinds of nodes."""
    kinds = {name.lower(): kind for name, kind in vars(ast).items() if name[0].isupper()}
    names = [name for name in dir(holder) if name.startswith(prefix)]
    return {kinds[name.removeprefix(prefix)]: getattr(holder, name) for name in names}


_WORDS = {"Match": "match", "AsyncFunctionDef": "async def", "Yield": "yield", "YieldFrom": "yield from"}


def spoken(node: ast.AST) -> str:
    """A kind of syntax, as messages name it."""
    name = type(node).__name__
    return f"{_WORDS.get(name, name)!r}"
