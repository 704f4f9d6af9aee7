"""Expressions of the language of cases as Python functions: what an engine asks of many cases, fifty times faster.

The meaning is that of `verify.certificates.language`, which replay uses; whatever this translation does not know (ln,
exp, sqrt, an error of any kind) is left to it. A failure is always evaluated there too, and so is a sample of cases,
so that a difference between the two is an engine failure. It computes with FLINT's fractions, the evaluation with
Python's: two implementations, the first of which adds and multiplies twenty times as quickly.
"""

from __future__ import annotations

import ast
import copy
import itertools
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache, total_ordering
from typing import Any

import flint

from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.verify.certificates.case_values import shown_value
from stirred.verify.certificates.exact_number import WitnessError
from stirred.verify.certificates.formula import derangements
from stirred.verify.certificates.language import parsed


@total_ordering
class _Infinity:
    """oo: above every number; sums and products with it are oo."""

    def __eq__(self, other: object) -> bool:
        return other is self

    def __gt__(self, other: object) -> bool:
        if isinstance(other, (int, flint.fmpq)):
            return True
        return NotImplemented if other is not self else False

    def __hash__(self) -> int:
        return hash("oo")

    def _absorb(self, other: object) -> _Infinity:
        return self if isinstance(other, (int, flint.fmpq, _Infinity)) else NotImplemented

    def __truediv__(self, other: object) -> _Infinity:
        return self if isinstance(other, (int, flint.fmpq)) and other > 0 else NotImplemented

    __add__ = __radd__ = __mul__ = __rmul__ = _absorb

    def __sub__(self, other: object) -> _Infinity:
        return self if isinstance(other, (int, flint.fmpq)) else NotImplemented


OO = _Infinity()


def lifted(value: Any) -> Any:
    """A value of the engines as translated expressions take it: as `plain`, with oo for None and FLINT's fractions."""
    kind = type(value)
    if kind is int or kind is str or kind is bool:
        return value
    if kind is Fraction:
        return flint.fmpq(*value.as_integer_ratio())
    if value is None:
        return OO
    if kind is Law:
        return _LIFTED.of(value)
    if isinstance(value, Loss):
        return OO if value.gamma is None else (lifted(value.gamma), lifted(value.distance))
    return _with_parts(value, lifted)


class _LiftedLaws:
    """Laws as translated expressions take them: a law that stands in many cases is lifted once."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Law[Any], Any]] = {}  # a law that is kept here keeps its identity
        self._outcomes = 0

    def of(self, law: Law[Any]) -> Any:
        found = self._kept.get(id(law))
        if found is None:
            self._outcomes += len(law)
            if self._outcomes > _MOST_OUTCOMES:
                self._kept.clear()
                self._outcomes = len(law)
            found = self._kept[id(law)] = law, {lifted(t): lifted(law.numeric(t)) for t in law}
        return found[1]


_MOST_OUTCOMES = 200_000
_LIFTED = _LiftedLaws()


def lowered(value: Any) -> Any:
    """A value of a translated expression as the language has it: None for oo, Python's fractions."""
    if type(value) is flint.fmpq:
        return Fraction(int(value.p), int(value.q))
    return None if value is OO else _with_parts(value, lowered)


def _with_parts(value: Any, exchanged: Callable[[Any], Any]) -> Any:
    if isinstance(value, (tuple, list)):
        return tuple([exchanged(part) for part in value])
    if isinstance(value, (frozenset, set)):
        return frozenset([exchanged(part) for part in value])
    if type(value) is dict or isinstance(value, Mapping):
        return {exchanged(key): exchanged(part) for key, part in value.items()}
    return value


class _UnknownError(Exception):
    """The translation does not know this part of the language."""


def _quotient(left: Any, right: Any) -> Any:
    if left is OO or right is OO:
        return left / right if left is OO else 0 * left
    found = flint.fmpq(left) / right
    return int(found.p) if found.q == 1 else found


def _floor_quotient(left: Any, right: Any) -> Any:
    return left // right if type(left) is int is type(right) else lowered(left) // lowered(right)


def _remainder(left: Any, right: Any) -> Any:
    return left % right if type(left) is int is type(right) else lifted(lowered(left) % lowered(right))


def _power(base: Any, exponent: Any) -> Any:
    if type(exponent) is not int or abs(exponent) > 1_000:
        raise _UnknownError  # of large powers the price is asked first
    return flint.fmpq(base) ** exponent if exponent < 0 else base**exponent


def _ordered(values: Any) -> Any:
    """The members of a set in the order in which the language lists them."""
    return sorted(values, key=_text) if isinstance(values, frozenset) else values


def _text(value: Any) -> str:
    return shown_value(lowered(value))


def _least(*values: Any) -> Any:
    return min(values[0], default=OO) if len(values) == 1 else min(values)


def _largest(*values: Any) -> Any:
    return max(values[0], default=0) if len(values) == 1 else max(values)


def _sorted(values: Any) -> tuple[Any, ...]:
    try:
        return tuple(sorted(values))
    except TypeError:
        return tuple(sorted(values, key=_text))


def _bounded(size: int) -> None:
    if size > 200_000:
        raise _UnknownError


def _product(*factors: Any) -> tuple[Any, ...]:
    lists = [tuple(_ordered(factor)) for factor in factors]
    _bounded(math.prod(map(len, lists)))
    return tuple(itertools.product(*lists))


def _permutations(values: Any) -> tuple[Any, ...]:
    items = tuple(_ordered(values))
    _bounded(math.factorial(min(len(items), 10)))
    return tuple(itertools.permutations(items))


def _subsets(values: Any) -> tuple[Any, ...]:
    items = tuple(_ordered(values))
    _bounded(2 ** min(len(items), 30))
    return tuple(frozenset(one) for size in range(len(items) + 1) for one in itertools.combinations(items, size))


_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "len": len,
    "sum": sum,
    "min": _least,
    "max": _largest,
    "any": any,
    "all": all,
    "abs": abs,
    "sorted": _sorted,
    "set": frozenset,
    "tuple": lambda values: tuple(_ordered(values)),
    "enumerate": lambda values: tuple(enumerate(_ordered(values))),
    "zip": lambda *values: tuple(zip(*map(_ordered, values), strict=False)),
    "items": lambda pairs: tuple(pairs.items()),
    "get": lambda pairs, key, default: pairs.get(key, default),
    "range": lambda *ends: tuple(range(*ends)),
    "product": _product,
    "permutations": _permutations,
    "subsets": _subsets,
    "factorial": math.factorial,
    "comb": math.comb,
    "derangements": derangements,
}
_UNORDERED = frozenset({"len", "sum", "min", "max", "any", "all", "set", "sorted"})
"""Functions for whose value the order of a set does not matter."""


_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Div: "_quotient",
    ast.FloorDiv: "_floor_quotient",
    ast.Mod: "_remainder",
    ast.Pow: "_power",
}


class _Translation(ast.NodeTransformer):
    """The expression with Python's meaning."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        left, right = self.visit(node.left), self.visit(node.right)
        if type(node.op) in _OPERATORS:
            return ast.Call(ast.Name(_OPERATORS[type(node.op)], ast.Load()), [left, right], [])
        return ast.BinOp(left, node.op, right)

    def visit_List(self, node: ast.List) -> ast.expr:
        return ast.Tuple([self.visit(part) for part in node.elts], ast.Load())

    def visit_Set(self, node: ast.Set) -> ast.expr:
        members = ast.Tuple([self.visit(part) for part in node.elts], ast.Load())
        return ast.Call(ast.Name("_frozen", ast.Load()), [members], [])

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        return self._gathered("_frozen", ast.GeneratorExp(node.elt, node.generators), in_order=False)

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return self._gathered("_tuple", ast.GeneratorExp(node.elt, node.generators), in_order=True)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        return self._gathered("_tuple", node, in_order=True)

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        return ast.DictComp(self.visit(node.key), self.visit(node.value), self._clauses(node.generators, in_order=True))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Name) and node.func.id in ("ln", "exp", "sqrt", "floor"):
            raise _UnknownError
        if isinstance(node.func, ast.Name) and node.func.id in _UNORDERED and len(node.args) == 1:
            (argument,) = node.args
            if isinstance(argument, ast.GeneratorExp | ast.ListComp):
                clauses = self._clauses(argument.generators, in_order=False)
                inner: ast.expr = ast.GeneratorExp(self.visit(argument.elt), clauses)
                if node.func.id == "len":
                    inner = ast.Call(ast.Name("_tuple", ast.Load()), [inner], [])
                return ast.Call(node.func, [inner], [])
        return ast.Call(node.func, [self.visit(argument) for argument in node.args], [])

    def _gathered(self, kind: str, node: ast.GeneratorExp, *, in_order: bool) -> ast.expr:
        clauses = self._clauses(node.generators, in_order=in_order)
        return ast.Call(ast.Name(kind, ast.Load()), [ast.GeneratorExp(self.visit(node.elt), clauses)], [])

    def _clauses(self, clauses: list[ast.comprehension], *, in_order: bool) -> list[ast.comprehension]:
        found = []
        for clause in clauses:
            items = self.visit(clause.iter)
            if in_order:
                items = ast.Call(ast.Name("_ordered", ast.Load()), [items], [])
            found.append(ast.comprehension(clause.target, items, [self.visit(test) for test in clause.ifs], 0))
        return found


_NAMES: Mapping[str, Any] = {
    **_FUNCTIONS,
    "oo": OO,
    "_quotient": _quotient,
    "_floor_quotient": _floor_quotient,
    "_remainder": _remainder,
    "_power": _power,
    "_ordered": _ordered,
    "_tuple": tuple,
    "_frozen": frozenset,
    "__builtins__": {},
}


def _function(text: str, parameters: tuple[str, ...], names: dict[str, Any]) -> Callable[..., Any]:
    body = _Translation().visit(copy.deepcopy(parsed(text)))  # it is kept by the parser
    arguments = ast.arguments([], [ast.arg(name) for name in parameters], None, [], [], None, [])
    tree = ast.fix_missing_locations(ast.Expression(ast.Lambda(arguments, body)))
    function: Callable[..., Any] = eval(compile(tree, "<words>", "eval"), names)  # noqa: S307 our own expression
    return function


@lru_cache(maxsize=4_000)
def compiled(claimed: str, words: tuple[tuple[str, str], ...], names: tuple[str, ...]) -> Callable[..., bool] | None:
    """The expression as a function of its values, with oo for None; None where it is not translated.

    Args:
        claimed: the expression.
        words: the definitions that it uses, (head, body).
        names: the names of its values, in the order of the function's parameters.
    """
    scope = dict(_NAMES)
    try:
        for head, body in words:
            call = parsed(head)
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                return None
            parameters = tuple(argument.id for argument in call.args if isinstance(argument, ast.Name))
            scope[call.func.id] = _function(body, parameters, scope)
        return _function(claimed, names, scope)
    except (_UnknownError, WitnessError, SyntaxError):
        return None
