"""What operators and functions do to the values of a case: exact numbers, intervals, oo, tuples and sets."""

import ast
import itertools
import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from stirred.verify.evidence.certificates.case_values import shown_value
from stirred.verify.evidence.certificates.decimal_interval import Interval, UndecidedError
from stirred.verify.evidence.certificates.exact_number import MAX_EXPONENT, WitnessError
from stirred.verify.evidence.certificates.work import PaidOutward

_RELATIONS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_ON_EXACT: Mapping[type[ast.operator], Callable[[Any, Any], int | Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda left, right: Fraction(left, right) if type(left) is int is type(right) else left / right,
}
_EXACT = frozenset({int, Fraction})
_BY_ZERO = "an expression divides by zero"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, Fraction, Interval))


class CaseArithmetic:
    """What operators and comparisons do to the values of a case.

    oo is above every number, and absorbs sums and products.
    """

    def __init__(self, outward: PaidOutward) -> None:
        self.outward = outward
        self.work = outward.work

    def related(self, op: ast.cmpop, left: Any, right: Any) -> bool:
        relation = _RELATIONS.get(type(op))
        if relation is None:
            if isinstance(op, (ast.In, ast.NotIn)):
                return (left in right) is isinstance(op, ast.In)
            raise WitnessError(f"not in the language of cases: {type(op).__name__}")
        if type(left) in _EXACT and type(right) in _EXACT:
            return relation(left, right)
        if isinstance(left, Interval) or isinstance(right, Interval):
            if left is None or right is None:
                return relation(left is None, right is None)
            return relation(self.outward.order(as_exact(left), as_exact(right)), 0)
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
        if type(left) in _EXACT and type(right) in _EXACT and type(op) in _ON_EXACT:
            if right == 0 and type(op) is ast.Div:
                raise WitnessError(_BY_ZERO)
            self.work.combine(left, right)
            found = _ON_EXACT[type(op)](left, right)
            return found if type(found) is int else as_plain(found)
        if isinstance(left, frozenset) and isinstance(right, frozenset):
            match op:
                case ast.BitOr():
                    return left | right
                case ast.BitAnd():
                    return left & right
                case ast.Sub():
                    return left - right
        both_tuples = isinstance(left, tuple) and isinstance(right, tuple)
        if both_tuples and isinstance(op, ast.Add) and not _is_number(left) and not _is_number(right):
            return left + right
        if not all(value is None or _is_number(value) for value in (left, right)):
            name = type(op).__name__
            raise WitnessError(f"{name} of {shown_value(left)} and {shown_value(right)} is not in the language")
        if left is None or right is None:
            return self.with_oo(op, left, right)
        if isinstance(op, (ast.Div, ast.FloorDiv, ast.Mod)) and right == 0:
            raise WitnessError(_BY_ZERO)
        return self.number(op, as_exact(left), as_exact(right))

    def with_oo(self, op: ast.operator, left: Any, right: Any) -> Any:
        match op:
            case ast.Add() | ast.Mult():
                return None
            case ast.Sub() if right is not None:
                return None
            case ast.Div() if right is None and left is not None:
                return 0
            case ast.Div() if right is not None and self.related(ast.Gt(), right, 0):
                return None
        raise WitnessError("oo can only be added, multiplied, lessened by a number or divided by a positive one")

    def extreme(self, op: ast.cmpop, left: Any, right: Any) -> Any:
        """The smaller or larger of two; of intervals that meet, the interval in which it lies."""
        of_intervals = isinstance(left, Interval) or isinstance(right, Interval)
        if of_intervals and left is not None and right is not None:
            choose = min if isinstance(op, ast.Lt) else max
            a, b = self.outward.lift(as_exact(left)), self.outward.lift(as_exact(right))
            return Interval(choose(a.low, b.low), choose(a.high, b.high))
        return right if self.related(op, right, left) else left

    def number(self, op: ast.operator, left: Any, right: Any) -> Any:
        match op:
            case ast.Add():
                return as_plain(self.outward.add(left, right))
            case ast.Sub():
                return as_plain(self.outward.subtract(left, right))
            case ast.Mult():
                return as_plain(self.outward.multiply(left, right))
            case ast.Div():
                return as_plain(self.outward.divide(left, right))
            case ast.FloorDiv() if isinstance(left, Fraction) and isinstance(right, Fraction):
                return left // right
            case ast.Mod() if isinstance(left, Fraction) and isinstance(right, Fraction):
                return as_plain(left % right)
            case ast.Pow():
                whole = isinstance(right, Fraction) and right.denominator == 1 and abs(right) <= MAX_EXPONENT
                if not whole or (left == 0 and right < 0):
                    raise WitnessError(
                        f"an exponent must be an integer of at most {MAX_EXPONENT}, not negative at 0; "
                        f"got {shown_value(right)}"
                    )
                return as_plain(self.outward.power(left, right.numerator))
        raise WitnessError(f"not in the language of cases: {type(op).__name__}")


def as_exact(number: Any) -> Any:
    """A number as the outward arithmetic takes it."""
    return number if isinstance(number, (Fraction, Interval)) else Fraction(int(number))


def as_plain(number: Any) -> Any:
    """A number as a case has it: an int where it is one."""
    return int(number) if isinstance(number, Fraction) and number.denominator == 1 else number


_MAX_ITEMS = 200_000


def _listed(values: Any) -> tuple[Any, ...]:
    if not isinstance(values, (tuple, frozenset, dict)) or isinstance(values, Interval):
        raise WitnessError(f"must be a tuple, set or map: {shown_value(values)}")
    return tuple(sorted(values, key=shown_value)) if isinstance(values, frozenset) else tuple(values)


def _whole(number: Any) -> int:
    whole = isinstance(number, int) or (isinstance(number, Fraction) and number.denominator == 1)
    if not whole or abs(number) > MAX_EXPONENT:
        raise WitnessError(f"must be an integer of at most {MAX_EXPONENT}; got {shown_value(number)}")
    return int(number)


def _bounded(this: CaseArithmetic, size: int) -> None:
    if size > _MAX_ITEMS:
        raise UndecidedError("it takes too long to compute")
    this.work.spend(500 * size)


def _sum(this: CaseArithmetic, values: Any, start: Any = 0) -> Any:
    for value in _listed(values):
        start = this.combine(ast.Add(), start, value)
    return start


def _extreme(op: ast.cmpop) -> Callable[..., Any]:
    def of(this: CaseArithmetic, *values: Any) -> Any:
        items = _listed(values[0]) if len(values) == 1 else values
        if not items:
            return None if isinstance(op, ast.Lt) else 0  # of no distances
        found = items[0]
        for item in items[1:]:
            found = this.extreme(op, found, item)
        return found

    return of


def _quantified(*, decided: bool) -> Callable[..., bool]:
    def of(_: CaseArithmetic, values: Any) -> bool:
        if not all(isinstance(value, bool) for value in _listed(values)):
            raise WitnessError("any and all take truth values")
        return (decided in _listed(values)) is decided

    return of


def _ordered(_: CaseArithmetic, values: Any) -> tuple[Any, ...]:
    items = _listed(values)
    try:
        return tuple(sorted(items))
    except TypeError:
        return tuple(sorted(items, key=shown_value))


def _range(this: CaseArithmetic, *ends: Any) -> tuple[int, ...]:
    found = range(*map(_whole, ends))
    _bounded(this, len(found))
    return tuple(found)


def _product(this: CaseArithmetic, *factors: Any) -> tuple[Any, ...]:
    lists = list(map(_listed, factors))
    _bounded(this, math.prod(map(len, lists)))
    return tuple(itertools.product(*lists))


def _permutations(this: CaseArithmetic, values: Any) -> tuple[Any, ...]:
    items = _listed(values)
    _bounded(this, math.factorial(min(len(items), 10)))
    return tuple(itertools.permutations(items))


def _subsets(this: CaseArithmetic, values: Any) -> tuple[Any, ...]:
    items = _listed(values)
    _bounded(this, 2 ** min(len(items), 30))
    chosen = (itertools.combinations(items, size) for size in range(len(items) + 1))
    return tuple(frozenset(one) for one in itertools.chain.from_iterable(chosen))


@lru_cache(maxsize=4_096)
def derangements(n: int) -> int:
    """How many permutations of n things have no fixed point."""
    count = 1
    for k in range(1, n + 1):
        count = k * count + (-1) ** k
    return count


def _count(function: Callable[..., int]) -> Callable[..., int]:
    def of(this: CaseArithmetic, *numbers: Any) -> int:
        integers = list(map(_whole, numbers))
        if min(integers) < 0:
            raise WitnessError("a count must be of non-negative integers")
        this.work.spend(max(integers) ** 2 + 1_000)
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
    "floor": lambda this, number: int(this.outward.floor(as_exact(number))),
    "ln": lambda this, number: as_plain(this.outward.ln(as_exact(number))),
    "exp": lambda this, number: as_plain(this.outward.exp(as_exact(number))),
    "sqrt": lambda this, number: as_plain(this.outward.sqrt(as_exact(number))),
}
"""The functions; `min` of nothing is oo, `max` of nothing is 0; a set is listed in the order of its texts."""
