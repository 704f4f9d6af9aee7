"""Expressions of the language of cases as Python functions: what an engine asks of many cases, fifty times faster.

The meaning is that of `evidence.certificates.language`, which replay uses; whatever this translation does not know (ln,
exp, sqrt, an error of any kind) is left to it. A failure is always evaluated there too, and so is a sample of cases,
so that a difference between the two is an engine failure. It computes with FLINT's fractions, the evaluation with
Python's: two implementations, the first of which adds and multiplies twenty times as quickly.
"""

from __future__ import annotations

import ast
import copy
import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache, total_ordering
from types import CodeType
from typing import Any

import flint

from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.verify.evidence.certificates.case_arithmetic import derangements
from stirred.verify.evidence.certificates.case_values import shown_value
from stirred.verify.evidence.certificates.exact_number import WitnessError
from stirred.verify.evidence.certificates.language import parsed


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
    if kind is tuple:  # what there is most of comes first
        return tuple([lifted(part) for part in value])
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
    if type(left) is int is type(right) and left % right == 0:
        return left // right
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
    if type(value) is tuple:
        inner = ", ".join(map(_text, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return shown_value(lowered(value))


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
    "min": min,
    "max": max,
    "any": any,
    "all": all,
    "abs": abs,
    "sorted": _sorted,
    "set": frozenset,
    "tuple": lambda values: tuple(_ordered(values)),
    "enumerate": lambda values: tuple(enumerate(_ordered(values))),
    "zip": lambda *values: tuple(zip(*map(_ordered, values), strict=False)),
    "items": lambda pairs: tuple(pairs.items()),
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
_IN_ORDER = frozenset({"range", "enumerate", "zip", "items", "sorted", "tuple", "product", "permutations", "subsets"})
"""Functions whose value is a tuple."""
_OF_NOTHING: Mapping[str, ast.expr] = {"min": ast.Name("oo", ast.Load()), "max": ast.Constant(0)}


_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Div: "_quotient",
    ast.FloorDiv: "_floor_quotient",
    ast.Mod: "_remainder",
    ast.Pow: "_power",
}


_SHARED = frozenset({"subsets", "product", "permutations", "sorted", "comb", "factorial"})
"""Functions that take long enough to be called once."""


def _repeated(tree: ast.expr, parameters: tuple[str, ...]) -> Mapping[str, int]:
    """The calls of words and of `_SHARED`, by their text, that have one value in a whole case and are met repeatedly.

    They are of parameters alone, and stand inside a comprehension or more than once.
    """
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    fixed = set(parameters) - bound
    inside = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Call)
    }
    met: Counter[str] = Counter()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and (node.func.id in _SHARED or node.func.id not in _FUNCTIONS)
            and all(
                isinstance(one, ast.Constant) or (isinstance(one, ast.Name) and one.id in fixed) for one in node.args
            )
        ):
            met[ast.unparse(node)] += 2 if id(node) in inside else 1
    return {text: place for place, text in enumerate(text for text, times in met.items() if times > 1)}


class _Translation(ast.NodeTransformer):
    """The expression with Python's meaning; a repeated call is made once."""

    def __init__(self, repeated: Mapping[str, int]) -> None:
        self._once = repeated

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        left, right = self.visit(node.left), self.visit(node.right)
        if type(node.op) in _OPERATORS:
            return _call(_OPERATORS[type(node.op)], left, right)
        return ast.BinOp(left, node.op, right)

    def visit_List(self, node: ast.List) -> ast.expr:
        return ast.Tuple([self.visit(part) for part in node.elts], ast.Load())

    def visit_Set(self, node: ast.Set) -> ast.expr:
        return _call("_frozen", ast.Tuple([self.visit(part) for part in node.elts], ast.Load()))

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        return _call("_frozen", self._listed(node, in_order=False))

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        return _call("_tuple", self._listed(node, in_order=True))

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        return _call("_tuple", self._listed(node, in_order=True))

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        return ast.DictComp(self.visit(node.key), self.visit(node.value), self._clauses(node.generators, in_order=True))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if not isinstance(node.func, ast.Name) or node.func.id in ("ln", "exp", "sqrt", "floor"):
            raise _UnknownError
        name = node.func.id
        if self._once and (place := self._once.get(ast.unparse(node))) is not None:
            key, kept = ast.Constant(place), ast.Name("_kept", ast.Load())
            is_kept = ast.Compare(key, [ast.In()], [kept])
            made = _call(name, *map(self.visit, node.args))
            remembered = ast.Call(ast.Attribute(kept, "setdefault", ast.Load()), [key, made], [])
            return ast.IfExp(is_kept, ast.Subscript(kept, key, ast.Load()), remembered)
        if name == "get" and len(node.args) == 3:
            pairs, key, default = map(self.visit, node.args)
            return ast.Call(ast.Attribute(pairs, "get", ast.Load()), [key, default], [])
        if name in _UNORDERED and len(node.args) == 1:
            return self._unordered(name, node.args[0])
        return _call(name, *map(self.visit, node.args))

    def _unordered(self, name: str, argument: ast.expr) -> ast.expr:
        """A function of one list, which is not made where its first members may decide."""
        found: ast.expr
        if not isinstance(argument, ast.GeneratorExp | ast.ListComp):
            found = self.visit(argument)
        elif name in ("any", "all"):
            found = ast.GeneratorExp(self.visit(argument.elt), self._clauses(argument.generators, in_order=False))
        else:
            found = self._listed(argument, in_order=False)
        empty = [ast.keyword("default", _OF_NOTHING[name])] if name in _OF_NOTHING else []
        return ast.Call(ast.Name(name, ast.Load()), [found], empty)

    def _listed(self, node: ast.GeneratorExp | ast.ListComp | ast.SetComp, *, in_order: bool) -> ast.expr:
        return ast.ListComp(self.visit(node.elt), self._clauses(node.generators, in_order=in_order))

    def _clauses(self, clauses: list[ast.comprehension], *, in_order: bool) -> list[ast.comprehension]:
        return [
            ast.comprehension(one.target, self._items(one.iter, in_order=in_order), list(map(self.visit, one.ifs)), 0)
            for one in clauses
        ]

    def _items(self, node: ast.expr, *, in_order: bool) -> ast.expr:
        """What a clause runs over."""
        called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if isinstance(node, ast.Call) and called == "range":
            return _call("_range", *map(self.visit, node.args))
        items = self.visit(node)
        is_set = (
            not isinstance(node, ast.Tuple | ast.List | ast.ListComp | ast.GeneratorExp) and called not in _IN_ORDER
        )
        return _call("_ordered", items) if in_order and is_set else items


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


_NAMES: Mapping[str, Any] = {
    **_FUNCTIONS,
    "oo": OO,
    "_quotient": _quotient,
    "_floor_quotient": _floor_quotient,
    "_remainder": _remainder,
    "_power": _power,
    "_ordered": _ordered,
    "_tuple": tuple,
    "_range": range,
    "_frozen": frozenset,
    "__builtins__": {},
}


@lru_cache(maxsize=8_000)
def _code(text: str, parameters: tuple[str, ...]) -> CodeType:
    """The code of a function of these parameters."""
    tree = copy.deepcopy(parsed(text))  # it is kept by the parser
    repeated = _repeated(tree, parameters)
    body = _Translation(repeated).visit(tree)
    if repeated:
        body = ast.Call(ast.Lambda(_arguments(("_kept",)), body), [ast.Dict([], [])], [])
    whole = ast.fix_missing_locations(ast.Expression(ast.Lambda(_arguments(parameters), body)))
    return compile(whole, "<words>", "eval")


def _arguments(names: tuple[str, ...]) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])


def _function(text: str, parameters: tuple[str, ...], names: dict[str, Any]) -> Callable[..., Any]:
    function: Callable[..., Any] = eval(_code(text, parameters), names)  # noqa: S307 our own expression
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
