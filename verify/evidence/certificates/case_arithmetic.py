"""Arithmetic on the values of a case: exact numbers, intervals, oo, tuples, sets; every step is paid for before."""

import ast
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.certificates.case_values import shown_value
from stirred.verify.evidence.certificates.decimal_interval import Interval
from stirred.verify.evidence.certificates.exact_number import MAX_EXPONENT, WitnessError
from stirred.verify.evidence.certificates.formula import PaidOutward

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

    Args:
        outward: the arithmetic of exact numbers and intervals, which pays.
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
                    raise WitnessError(f"an exponent must be an integer of at most {MAX_EXPONENT}, not negative at 0")
                return as_plain(self.outward.power(left, right.numerator))
        raise WitnessError(f"not in the language of cases: {type(op).__name__}")


def as_exact(number: Any) -> Any:
    """A number as the outward arithmetic takes it."""
    return number if isinstance(number, (Fraction, Interval)) else Fraction(int(number))


def as_plain(number: Any) -> Any:
    """A number as a case has it: an int where it is one."""
    return int(number) if isinstance(number, Fraction) and number.denominator == 1 else number
