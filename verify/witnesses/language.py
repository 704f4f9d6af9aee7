"""The language of cases: what a claim compares, written as an expression and evaluated with the standard library alone.

It is that part of Python's expressions which computes with values: numbers (exact; ln, exp and sqrt give intervals of
decimals rounded outward), texts, truth values, oo, tuples, sets and maps; names; + - * / // % **, and, or, not,
if else, chains of comparisons, `in`; indices and slices; comprehensions over tuples, sets, maps and ranges; the
functions of `FUNCTIONS`; and words, which the witness itself defines in this language:

    {"claimed": "hamming(x, y) <= moved(g)", "where": {"moved(g)": "sum(i != j for i, j in enumerate(g))", ...}}

oo is above every number; sums and products with oo are oo, 0*oo too. Every step is paid for before it is done.
"""

from __future__ import annotations

import ast
import itertools
import math
import operator
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from verify.decimal_interval import Interval, UndecidedError
from verify.witnesses.case_values import shown_value
from verify.witnesses.exact_number import MAX_EXPONENT, WitnessError, quoted
from verify.witnesses.formula import PaidOutward, at_growing_precision, derangements
from verify.witnesses.work import Work

__all__ = ["FUNCTIONS", "Words", "free_names", "holds", "parsed", "sides"]

Words = Mapping[str, str]
"""Definitions: "name(parameters)" to an expression."""

_MAX_CHARACTERS = 20_000
_MAX_ITEMS = 200_000
_STEP = 1_500
"""The price of a step, in nanoseconds."""


@lru_cache(maxsize=2_000)
def parsed(text: str) -> ast.expr:
    """The expression of a text.

    Raises:
        WitnessError: the text is no single expression, or too long.
    """
    if not isinstance(text, str) or len(text) > _MAX_CHARACTERS or set(text) & {"#", "\\"}:
        raise WitnessError(f"an expression must be text of at most {_MAX_CHARACTERS} characters; got {quoted(text)}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python would print the line that it warns of
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise WitnessError(f"an expression must be in the language of cases; got {quoted(text)}") from None


@lru_cache(maxsize=2_000)
def free_names(text: str) -> frozenset[str]:
    """The names of an expression that it does not bind itself, those of functions and words included."""
    tree = parsed(text)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return frozenset(names - bound)


def holds(claimed: str, values: Mapping[str, Any], words: Words, work: Work | None = None) -> bool:
    """Whether an expression is true of a case.

    Args:
        claimed: the expression.
        values: the case: what its names stand for.
        words: the definitions that it uses.
        work: what may be computed.

    Raises:
        WitnessError: it is not in the language, or has no truth value there.
        UndecidedError: two numbers are too close to be told apart, or it takes too long.

    >>> holds("sum(x) <= n", {"x": (1, 2), "n": 2}, {})
    False
    """
    paid = Work() if work is None else work
    tree, known = parsed(claimed), _defined(words)

    def decide(arithmetic: PaidOutward) -> bool:
        return _Evaluation(known, arithmetic).truth(tree, dict(values))

    return at_growing_precision(decide, paid)


def sides(claimed: str, values: Mapping[str, Any], words: Words, work: Work | None = None) -> tuple[str, ...]:
    """The two sides of an expression that is one comparison, as text; nothing for another one."""
    tree = parsed(claimed)
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1:
        return ()
    known, both = _defined(words), (tree.left, tree.comparators[0])

    def shown(arithmetic: PaidOutward) -> tuple[str, ...]:
        return tuple(shown_value(_Evaluation(known, arithmetic).value(side, dict(values))) for side in both)

    return at_growing_precision(shown, Work() if work is None else work)


@dataclass(frozen=True)
class _Word:
    parameters: tuple[str, ...]
    body: ast.expr


def _defined(words: Words) -> Mapping[str, _Word]:
    """The definitions by name.

    Raises:
        WitnessError: one is malformed, or takes the name of a function.
    """
    found = {}
    for head, body in words.items():
        call = parsed(head)
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords:
            raise WitnessError(f"a word must be defined as name(parameters); got {quoted(head)}")
        parameters = tuple(argument.id for argument in call.args if isinstance(argument, ast.Name))
        if len(parameters) != len(call.args) or call.func.id in FUNCTIONS:
            raise WitnessError(f"a word must have a name of its own and named parameters; got {quoted(head)}")
        found[call.func.id] = _Word(parameters, parsed(body))
    return found


_RELATIONS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, Fraction, Interval))


@dataclass(frozen=True)
class _Evaluation:
    words: Mapping[str, _Word]
    arithmetic: PaidOutward
    depth: list[int] = field(default_factory=lambda: [0])

    def truth(self, node: ast.expr, scope: dict[str, Any]) -> bool:
        value = self.value(node, scope)
        if not isinstance(value, bool):
            raise WitnessError(f"must be true or false: {quoted(ast.unparse(node))}")
        return value

    def value(self, node: ast.expr, scope: dict[str, Any]) -> Any:  # noqa: PLR0912 one case for each kind of node
        self.arithmetic.work.spend(_STEP)
        match node:
            case ast.Constant(value=bool() | int() | str() as constant):
                return constant
            case ast.Name(id="oo"):
                return None
            case ast.Name(id=name) if name in scope:
                return scope[name]
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return tuple(self.value(part, scope) for part in parts)
            case ast.Set(elts=parts):
                return frozenset(self.value(part, scope) for part in parts)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self.truth(operand, scope)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.combine(ast.Sub(), 0, self.value(operand, scope))
            case ast.BinOp(left=left, op=op, right=right):
                return self.combine(op, self.value(left, scope), self.value(right, scope))
            case ast.BoolOp(op=op, values=parts):
                decided = isinstance(op, ast.Or)
                return decided if any(self.truth(part, scope) is decided for part in parts) else not decided
            case ast.Compare():
                return self.chain(node, scope)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.value(body if self.truth(test, scope) else orelse, scope)
            case ast.Subscript(value=whole, slice=index):
                return self.part(self.value(whole, scope), index, scope)
            case ast.GeneratorExp(elt=element, generators=clauses) | ast.ListComp(elt=element, generators=clauses):
                return tuple(self.value(element, inner) for inner in self.scopes(clauses, scope))
            case ast.SetComp(elt=element, generators=clauses):
                return frozenset(self.value(element, inner) for inner in self.scopes(clauses, scope))
            case ast.DictComp(key=key, value=element, generators=clauses):
                return {self.value(key, i): self.value(element, i) for i in self.scopes(clauses, scope)}
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self.call(name, arguments, scope)
        raise WitnessError(f"not in the language of cases: {quoted(ast.unparse(node))}")

    def call(self, name: str, arguments: list[ast.expr], scope: dict[str, Any]) -> Any:
        if name in ("any", "all") and len(arguments) == 1 and isinstance(arguments[0], ast.GeneratorExp):
            clauses, element = arguments[0].generators, arguments[0].elt
            decided = name == "any"  # stops at the first that decides
            found = any(self.truth(element, inner) is decided for inner in self.scopes(clauses, scope))
            return decided if found else not decided
        values = [self.value(argument, scope) for argument in arguments]
        if name in self.words:
            word = self.words[name]
            if len(values) != len(word.parameters):
                raise WitnessError(f"{name} takes {len(word.parameters)} values; got {len(values)}")
            self.depth[0] += 1
            if self.depth[0] > 50:
                raise WitnessError(f"{name} is nested too deeply")
            result = self.value(word.body, dict(zip(word.parameters, values, strict=True)))
            self.depth[0] -= 1
            return result
        if name not in FUNCTIONS:
            raise WitnessError(f"no function or word of the language: {quoted(name)}")
        self.arithmetic.work.spend(200 * sum(len(v) for v in values if isinstance(v, (tuple, frozenset, dict))))
        return FUNCTIONS[name](self, *values)

    def scopes(self, clauses: list[ast.comprehension], scope: dict[str, Any]) -> Iterator[dict[str, Any]]:
        clause, *rest = clauses
        items = self.value(clause.iter, scope)
        if not isinstance(items, (tuple, frozenset, dict)):
            raise WitnessError(f"must be a tuple, set or map: {quoted(ast.unparse(clause.iter))}")
        for item in sorted(items, key=shown_value) if isinstance(items, frozenset) else items:
            inner = dict(scope)
            _bind(clause.target, item, inner)
            if all(self.truth(test, inner) for test in clause.ifs):
                yield from self.scopes(rest, inner) if rest else (inner,)

    def part(self, whole: Any, index: ast.expr, scope: dict[str, Any]) -> Any:
        if isinstance(index, ast.Slice):
            ends = [None if end is None else self.value(end, scope) for end in (index.lower, index.upper, index.step)]
            return whole[slice(*ends)]
        key = self.value(index, scope)
        if isinstance(whole, dict):
            if key not in whole:
                raise WitnessError(f"a map must have the key {shown_value(key)}")
            return whole[key]
        if not isinstance(whole, (tuple, str)) or not isinstance(key, int) or not -len(whole) <= key < len(whole):
            raise WitnessError(f"{shown_value(whole)} has no part {shown_value(key)}")
        return whole[key]

    def chain(self, node: ast.Compare, scope: dict[str, Any]) -> bool:
        left = self.value(node.left, scope)
        for op, side in zip(node.ops, node.comparators, strict=True):
            right = self.value(side, scope)
            if not self.related(op, left, right):
                return False
            left = right
        return True

    def related(self, op: ast.cmpop, left: Any, right: Any) -> bool:
        if isinstance(op, (ast.In, ast.NotIn)):
            return (left in right) is isinstance(op, ast.In)
        if type(op) not in _RELATIONS:
            raise WitnessError(f"not in the language of cases: {type(op).__name__}")
        relation = _RELATIONS[type(op)]
        if isinstance(left, Interval) or isinstance(right, Interval):
            if left is None or right is None:
                return relation(left is None, right is None)
            return relation(self.arithmetic.order(_exact(left), _exact(right)), 0)
        if isinstance(op, (ast.Eq, ast.NotEq)):
            return relation(left, right)
        if (left is None or _is_number(left)) and (right is None or _is_number(right)):
            if left is None or right is None:  # oo is the largest
                return relation(left is None, right is None)
            return relation(left, right)
        if isinstance(left, frozenset) and isinstance(right, frozenset):
            return relation(left, right)
        raise WitnessError(f"cannot be ordered: {shown_value(left)} and {shown_value(right)}")

    def combine(self, op: ast.operator, left: Any, right: Any) -> Any:
        if isinstance(left, frozenset) and isinstance(right, frozenset):
            match op:
                case ast.BitOr():
                    return left | right
                case ast.BitAnd():
                    return left & right
                case ast.Sub():
                    return left - right
        if isinstance(left, tuple) and isinstance(right, tuple) and isinstance(op, ast.Add) and not _is_number(left):
            return left + right
        if not all(value is None or _is_number(value) for value in (left, right)):
            name = type(op).__name__
            raise WitnessError(f"{name} of {shown_value(left)} and {shown_value(right)} is not in the language")
        if left is None or right is None:
            if isinstance(op, (ast.Add, ast.Mult)) or (isinstance(op, ast.Sub) and right is not None):
                return None
            raise WitnessError("oo can only be added, multiplied, or lessened by a number")
        if isinstance(op, (ast.Div, ast.FloorDiv, ast.Mod)) and right == 0:
            raise WitnessError("an expression divides by zero")
        return self.number(op, _exact(left), _exact(right))

    def number(self, op: ast.operator, left: Any, right: Any) -> Any:
        match op:
            case ast.Add():
                return _plain(self.arithmetic.add(left, right))
            case ast.Sub():
                return _plain(self.arithmetic.subtract(left, right))
            case ast.Mult():
                return _plain(self.arithmetic.multiply(left, right))
            case ast.Div():
                return _plain(self.arithmetic.divide(left, right))
            case ast.FloorDiv() if isinstance(left, Fraction) and isinstance(right, Fraction):
                return left // right
            case ast.Mod() if isinstance(left, Fraction) and isinstance(right, Fraction):
                return _plain(left % right)
            case ast.Pow():
                whole = isinstance(right, Fraction) and right.denominator == 1 and abs(right) <= MAX_EXPONENT
                if not whole or (left == 0 and right < 0):
                    raise WitnessError(f"an exponent must be an integer of at most {MAX_EXPONENT}, not negative at 0")
                return _plain(self.arithmetic.power(left, right.numerator))
        raise WitnessError(f"not in the language of cases: {type(op).__name__}")


def _exact(number: Any) -> Any:
    return number if isinstance(number, (Fraction, Interval)) else Fraction(int(number))


def _plain(number: Any) -> Any:
    return int(number) if isinstance(number, Fraction) and number.denominator == 1 else number


def _bind(target: ast.expr, item: Any, scope: dict[str, Any]) -> None:
    match target:
        case ast.Name(id=name):
            scope[name] = item
            return
        case ast.Tuple(elts=parts) if isinstance(item, tuple) and len(item) == len(parts):
            for part, value in zip(parts, item, strict=True):
                _bind(part, value, scope)
            return
    raise WitnessError(f"{quoted(ast.unparse(target))} does not fit {shown_value(item)}")


def _listed(values: Any) -> tuple[Any, ...]:
    if not isinstance(values, (tuple, frozenset, dict)):
        raise WitnessError(f"must be a tuple, set or map: {shown_value(values)}")
    return tuple(sorted(values, key=shown_value)) if isinstance(values, frozenset) else tuple(values)


def _whole(number: Any) -> int:
    whole = isinstance(number, int) or (isinstance(number, Fraction) and number.denominator == 1)
    if not whole or abs(number) > MAX_EXPONENT:
        raise WitnessError(f"must be an integer of at most {MAX_EXPONENT}: {shown_value(number)}")
    return int(number)


def _bounded(this: _Evaluation, size: int) -> None:
    if size > _MAX_ITEMS:
        raise UndecidedError("it takes too long to compute")
    this.arithmetic.work.spend(500 * size)


def _sum(this: _Evaluation, values: Any, start: Any = 0) -> Any:
    for value in _listed(values):
        start = this.combine(ast.Add(), start, value)
    return start


def _extreme(op: ast.cmpop) -> Callable[..., Any]:
    def of(this: _Evaluation, *values: Any) -> Any:
        items = _listed(values[0]) if len(values) == 1 else values
        if not items:
            return None if isinstance(op, ast.Lt) else 0  # of no distances
        found = items[0]
        for item in items[1:]:
            found = item if this.related(op, item, found) else found
        return found

    return of


def _quantified(*, decided: bool) -> Callable[..., bool]:
    def of(_: _Evaluation, values: Any) -> bool:
        if not all(isinstance(value, bool) for value in _listed(values)):
            raise WitnessError("any and all take truth values")
        return (decided in _listed(values)) is decided

    return of


def _ordered(_: _Evaluation, values: Any) -> tuple[Any, ...]:
    items = _listed(values)
    try:
        return tuple(sorted(items))
    except TypeError:
        return tuple(sorted(items, key=shown_value))


def _range(this: _Evaluation, *ends: Any) -> tuple[int, ...]:
    found = range(*map(_whole, ends))
    _bounded(this, len(found))
    return tuple(found)


def _product(this: _Evaluation, *factors: Any) -> tuple[Any, ...]:
    lists = list(map(_listed, factors))
    _bounded(this, math.prod(map(len, lists)))
    return tuple(itertools.product(*lists))


def _permutations(this: _Evaluation, values: Any) -> tuple[Any, ...]:
    items = _listed(values)
    _bounded(this, math.factorial(min(len(items), 10)))
    return tuple(itertools.permutations(items))


def _subsets(this: _Evaluation, values: Any) -> tuple[Any, ...]:
    items = _listed(values)
    _bounded(this, 2 ** min(len(items), 30))
    chosen = (itertools.combinations(items, size) for size in range(len(items) + 1))
    return tuple(frozenset(one) for one in itertools.chain.from_iterable(chosen))


def _count(function: Callable[..., int]) -> Callable[..., int]:
    def of(this: _Evaluation, *numbers: Any) -> int:
        integers = list(map(_whole, numbers))
        if min(integers) < 0:
            raise WitnessError("a count must be of non-negative integers")
        this.arithmetic.work.spend(max(integers) ** 2 + 1_000)
        return function(*integers)

    return of


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "len": lambda _, values: len(_listed(values)),
    "sum": _sum,
    "min": _extreme(ast.Lt()),
    "max": _extreme(ast.Gt()),
    "any": _quantified(decided=True),
    "all": _quantified(decided=False),
    "abs": lambda this, number: number if this.related(ast.GtE(), number, 0) else this.combine(ast.Sub(), 0, number),
    "sorted": _ordered,
    "set": lambda _, values: frozenset(_listed(values)),
    "tuple": lambda _, values: _listed(values),
    "enumerate": lambda _, values: tuple(enumerate(_listed(values))),
    "zip": lambda _, *values: tuple(zip(*map(_listed, values), strict=False)),
    "items": lambda _, pairs: tuple(pairs.items()),
    "get": lambda _, pairs, key, default: pairs.get(key, default),
    "range": _range,
    "product": _product,
    "permutations": _permutations,
    "subsets": _subsets,
    "factorial": _count(math.factorial),
    "comb": _count(math.comb),
    "derangements": _count(derangements),
    "floor": lambda this, number: int(this.arithmetic.floor(_exact(number))),
    "ln": lambda this, number: _plain(this.arithmetic.ln(_exact(number))),
    "exp": lambda this, number: _plain(this.arithmetic.exp(_exact(number))),
    "sqrt": lambda this, number: _plain(this.arithmetic.sqrt(_exact(number))),
}
"""The functions; `min` of nothing is oo, `max` of nothing is 0; a set is listed in the order of its texts."""
