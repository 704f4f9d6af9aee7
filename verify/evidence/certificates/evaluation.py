"""Expressions of the language of cases as steps: a tree is walked once, and each case costs only what it computes.

A step is a function of a frame, which lists the values of names by their places. Every step is paid for before it is
done; what is certainly done together is paid for together.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import itemgetter
from typing import Any

from stirred.verify.evidence.certificates.case_arithmetic import FUNCTIONS, CaseArithmetic, as_plain
from stirred.verify.evidence.certificates.case_values import shown_value
from stirred.verify.evidence.certificates.exact_number import WitnessError, quoted

Frame = list[Any]
"""First the evaluation that is under way; then a value for each parameter and each name that an expression binds."""

_STEP = 1_500
"""The price of a step, in nanoseconds."""
_DEEPEST = 50
_WITH_PARTS = (tuple, frozenset, dict)


@dataclass(frozen=True, slots=True)
class WrittenDecimal:
    """A decimal of a formula: its text, of which a double would lose digits, and its exact value."""

    text: str
    number: Fraction

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class _Step:
    """What computes a value of a frame."""

    of: Callable[[Frame], Any]
    price: int = _STEP

    def paid(self, frame: Frame) -> Any:
        """The value, after its price is paid."""
        frame[0].spend(self.price)
        return self.of(frame)


@dataclass(frozen=True, slots=True)
class Program:
    """An expression in names, such as the body of a word."""

    parameters: tuple[str, ...]
    step: _Step
    bound: int

    def value(self, evaluation: "Evaluation", values: Sequence[Any]) -> Any:
        """Its value where the names stand for these values."""
        return self.step.paid([evaluation, *values, *[None] * self.bound])


def program(tree: ast.expr, parameters: tuple[str, ...]) -> Program:
    """The program of an expression; what is not in the language is refused where it is evaluated."""
    places = {name: place for place, name in enumerate(parameters, 1)}
    walk = _Walk(places, [len(parameters)])
    step = walk.step(tree)
    return Program(parameters, step, walk.last[0] - len(parameters))


class Evaluation:
    """One evaluation: its arithmetic, what it may spend, its words, and how deeply it is in them."""

    __slots__ = ("arithmetic", "depth", "spend", "words")

    def __init__(self, words: Mapping[str, Program], arithmetic: CaseArithmetic) -> None:
        self.words = words
        self.arithmetic = arithmetic
        self.spend = arithmetic.work.spend
        self.depth = 0

    def call(self, name: str, values: list[Any]) -> Any:
        """The value of a word."""
        word = self.words.get(name)
        if word is None:
            raise WitnessError(f"no function or word of the language: {quoted(name)}")
        if len(values) != len(word.parameters):
            raise WitnessError(f"{name} takes {len(word.parameters)} values; got {len(values)}")
        self.depth += 1
        if self.depth > _DEEPEST:
            raise WitnessError(f"{name} is nested too deeply")
        result = word.value(self, values)
        self.depth -= 1
        return result


def _refused(node: ast.expr, why: str = "not in the language of cases") -> _Step:
    def refuse(_: Frame) -> Any:
        raise WitnessError(f"{why}: {quoted(ast.unparse(node))}")

    return _Step(refuse)


@dataclass(frozen=True)
class _Walk:
    """The walk over a tree: the places of the names that are known there, and the last place that is taken."""

    places: dict[str, int] = field(default_factory=dict)
    last: list[int] = field(default_factory=lambda: [0])

    def step(self, node: ast.expr) -> _Step:
        known = _NODES.get(type(node))
        return _refused(node) if known is None else known(self, node)

    def steps(self, nodes: Sequence[ast.expr]) -> tuple[list[Callable[[Frame], Any]], int]:
        """The computations of several nodes, and their price."""
        found = list(map(self.step, nodes))
        return [one.of for one in found], sum(one.price for one in found)

    def truth(self, node: ast.expr) -> _Step:
        found = self.step(node)
        if isinstance(node, (ast.Compare, ast.BoolOp)):
            return found
        of = found.of

        def truth(frame: Frame) -> bool:
            value = of(frame)
            if not isinstance(value, bool):
                raise WitnessError(f"must be true or false: {quoted(ast.unparse(node))}")
            return value

        return _Step(truth, found.price)

    def constant(self, node: ast.Constant) -> _Step:
        value: Any = node.value
        if isinstance(value, WrittenDecimal):
            number = as_plain(value.number)
            return _Step(lambda _: number)
        return _Step(lambda _: value) if type(value) in (int, str, bool) else _refused(node)

    def name(self, node: ast.Name) -> _Step:
        if node.id == "oo":
            return _Step(lambda _: None)
        if node.id in self.places:
            return _Step(itemgetter(self.places[node.id]))
        return _refused(node, "no value of the case")

    def parts(self, node: ast.Tuple | ast.List) -> _Step:
        parts, price = self.steps(node.elts)
        return _Step(lambda frame: tuple([part(frame) for part in parts]), _STEP + price)

    def members(self, node: ast.Set) -> _Step:
        parts, price = self.steps(node.elts)
        return _Step(lambda frame: frozenset([part(frame) for part in parts]), _STEP + price)

    def displayed(self, node: ast.Dict) -> _Step:
        keys = [key for key in node.keys if key is not None]
        if len(keys) != len(node.keys):
            return _refused(node)
        names, price = self.steps(keys)
        parts, more = self.steps(node.values)
        pairs = list(zip(names, parts, strict=True))
        return _Step(lambda frame: {key(frame): part(frame) for key, part in pairs}, _STEP + price + more)

    def unary(self, node: ast.UnaryOp) -> _Step:
        if isinstance(node.op, ast.Not):
            test = self.truth(node.operand)
            denied = test.of
            return _Step(lambda frame: not denied(frame), _STEP + test.price)
        if isinstance(node.op, ast.USub):
            operand, minus = self.step(node.operand), ast.Sub()
            of = operand.of
            return _Step(lambda frame: frame[0].arithmetic.combine(minus, 0, of(frame)), _STEP + operand.price)
        return _refused(node)

    def binary(self, node: ast.BinOp) -> _Step:
        (left, right), price = self.steps([node.left, node.right])
        op = node.op
        return _Step(lambda frame: frame[0].arithmetic.combine(op, left(frame), right(frame)), _STEP + price)

    def joined(self, node: ast.BoolOp) -> _Step:
        decided = isinstance(node.op, ast.Or)
        first, *others = [self.truth(part) for part in node.values]
        of = first.of

        def joined(frame: Frame) -> bool:
            settled = of(frame) is decided or any(other.paid(frame) is decided for other in others)
            return decided if settled else not decided

        return _Step(joined, _STEP + first.price)

    def either(self, node: ast.IfExp) -> _Step:
        test, body, orelse = self.truth(node.test), self.step(node.body), self.step(node.orelse)
        of = test.of
        return _Step(lambda frame: (body if of(frame) else orelse).paid(frame), _STEP + test.price)

    def chain(self, node: ast.Compare) -> _Step:
        (left, right), price = self.steps([node.left, node.comparators[0]])
        op, *ops = node.ops
        others = list(zip(ops, map(self.step, node.comparators[1:]), strict=True))

        def chain(frame: Frame) -> bool:
            related = frame[0].arithmetic.related
            first, second = left(frame), right(frame)
            if not related(op, first, second):
                return False
            for following, side in others:
                first, second = second, side.paid(frame)
                if not related(following, first, second):
                    return False
            return True

        return _Step(chain, _STEP + price)

    def subscript(self, node: ast.Subscript) -> _Step:
        whole = self.step(node.value)
        of = whole.of
        if isinstance(node.slice, ast.Slice):
            ends = [end and self.step(end) for end in (node.slice.lower, node.slice.upper, node.slice.step)]
            cut = [end.of if end else (lambda _: None) for end in ends]
            price = sum(end.price for end in ends if end)
            return _Step(lambda frame: of(frame)[slice(*[end(frame) for end in cut])], _STEP + whole.price + price)
        index = self.step(node.slice)
        key = index.of
        return _Step(lambda frame: _part(of(frame), key(frame)), _STEP + whole.price + index.price)

    def listed(self, node: ast.GeneratorExp | ast.ListComp) -> _Step:
        values, price = self.values(node.generators, lambda inside: inside.step(node.elt))
        return _Step(lambda frame: tuple(values(frame)), _STEP + price)

    def gathered(self, node: ast.SetComp) -> _Step:
        values, price = self.values(node.generators, lambda inside: inside.step(node.elt))
        return _Step(lambda frame: frozenset(values(frame)), _STEP + price)

    def mapped(self, node: ast.DictComp) -> _Step:
        def pair(inside: _Walk) -> _Step:
            (key, part), price = inside.steps([node.key, node.value])
            return _Step(lambda frame: (key(frame), part(frame)), price)

        values, price = self.values(node.generators, pair)
        return _Step(lambda frame: dict(values(frame)), _STEP + price)

    def quantified(self, node: ast.GeneratorExp, *, decided: bool) -> _Step:
        """Whether any or all are true: it stops at the first that decides."""
        values, price = self.values(node.generators, lambda inside: inside.truth(node.elt))
        return _Step(lambda frame: decided if decided in values(frame) else not decided, _STEP + price)

    def called(self, node: ast.Call) -> _Step:
        if not isinstance(node.func, ast.Name) or node.keywords:
            return _refused(node)
        name = node.func.id
        if name in ("any", "all") and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return self.quantified(node.args[0], decided=name == "any")
        arguments, price = self.steps(node.args)
        if name not in FUNCTIONS:
            return _Step(lambda frame: frame[0].call(name, [one(frame) for one in arguments]), _STEP + price)
        function = FUNCTIONS[name]

        def value(frame: Frame) -> Any:
            values = [one(frame) for one in arguments]
            evaluation = frame[0]
            for one in values:
                if isinstance(one, _WITH_PARTS):
                    evaluation.spend(200 * len(one))
            try:
                return function(evaluation.arithmetic, *values)
            except TypeError:
                raise WitnessError(f"{name} takes no such values: {shown_value(tuple(values))}") from None

        return _Step(value, _STEP + price)

    def values(
        self, clauses: list[ast.comprehension], element: Callable[["_Walk"], _Step]
    ) -> tuple[Callable[[Frame], Iterator[Any]], int]:
        """The values of an element for each binding of its clauses, and the price of their first list."""
        clause, *rest = clauses
        items, inside = self.step(clause.iter), _Walk(dict(self.places), self.last)
        bind, listed = inside.bound(clause.target), items.of
        tests = [inside.truth(test) for test in clause.ifs]
        each, price = inside.values(rest, element) if rest else _single(element(inside))

        def values(frame: Frame) -> Iterator[Any]:
            found, spend = listed(frame), frame[0].spend
            if not isinstance(found, _WITH_PARTS):
                raise WitnessError(f"must be a tuple, set or map: {quoted(ast.unparse(clause.iter))}")
            for item in sorted(found, key=shown_value) if isinstance(found, frozenset) else found:
                bind(frame, item)
                for test in tests:
                    if not test.paid(frame):
                        break
                else:
                    spend(price)
                    yield from each(frame)

        return values, items.price

    def bound(self, target: ast.expr) -> Callable[[Frame, Any], None]:
        """What gives the names of a target their places, which hide those of the same names outside."""
        match target:
            case ast.Name(id=name):
                place = self.place(name)
                return lambda frame, item: frame.__setitem__(place, item)
            case ast.Tuple(elts=parts) if parts and all(isinstance(part, ast.Name) for part in parts):
                places = [self.place(part.id) for part in parts if isinstance(part, ast.Name)]
                return _unpacked(target, slice(places[0], places[-1] + 1), len(parts))
            case ast.Tuple(elts=parts):
                return _nested(target, list(map(self.bound, parts)))
        return lambda _, item: _misfit(target, item)

    def place(self, name: str) -> int:
        self.last[0] += 1
        self.places[name] = self.last[0]
        return self.last[0]


def _single(element: _Step) -> tuple[Callable[[Frame], tuple[Any]], int]:
    of = element.of
    return lambda frame: (of(frame),), element.price


def _unpacked(target: ast.expr, places: slice, length: int) -> Callable[[Frame, Any], None]:
    def bind(frame: Frame, item: Any) -> None:
        if not isinstance(item, tuple) or len(item) != length:
            _misfit(target, item)
        frame[places] = item

    return bind


def _nested(target: ast.expr, parts: list[Callable[[Frame, Any], None]]) -> Callable[[Frame, Any], None]:
    def bind(frame: Frame, item: Any) -> None:
        if not isinstance(item, tuple) or len(item) != len(parts):
            _misfit(target, item)
        for part, value in zip(parts, item, strict=True):
            part(frame, value)

    return bind


def _misfit(target: ast.expr, item: Any) -> None:
    raise WitnessError(f"{quoted(ast.unparse(target))} does not fit {shown_value(item)}")


def _part(whole: Any, key: Any) -> Any:
    """The part of a map, tuple or text."""
    if isinstance(whole, dict):
        if key not in whole:
            raise WitnessError(f"a map must have the key {shown_value(key)}")
        return whole[key]
    if not isinstance(whole, (tuple, str)) or not isinstance(key, int) or not -len(whole) <= key < len(whole):
        raise WitnessError(f"{shown_value(whole)} has no part {shown_value(key)}")
    return whole[key]


_NODES: Mapping[type[ast.expr], Callable[[_Walk, Any], _Step]] = {
    ast.Constant: _Walk.constant,
    ast.Name: _Walk.name,
    ast.Tuple: _Walk.parts,
    ast.List: _Walk.parts,
    ast.Set: _Walk.members,
    ast.Dict: _Walk.displayed,
    ast.UnaryOp: _Walk.unary,
    ast.BinOp: _Walk.binary,
    ast.BoolOp: _Walk.joined,
    ast.Compare: _Walk.chain,
    ast.IfExp: _Walk.either,
    ast.Subscript: _Walk.subscript,
    ast.GeneratorExp: _Walk.listed,
    ast.ListComp: _Walk.listed,
    ast.SetComp: _Walk.gathered,
    ast.DictComp: _Walk.mapped,
    ast.Call: _Walk.called,
}
