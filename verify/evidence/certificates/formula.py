"""Formulas in a witness: one claimed (in)equality between numbers, evaluated exactly or in outward-rounded decimals.

The language has integers, decimals (read exactly), names, + - * / **, the comparisons <= < >= > ==, and the functions
factorial, comb, derangements (the number of permutations without a fixed point), floor, ln, exp, sqrt. Without ln, exp
and sqrt everything is a `Fraction`; with them, each side is an interval of decimals, rounded outward, and the two
intervals must be disjoint at 80 or else at 800 digits. What would take long to compute is refused.
"""

from __future__ import annotations

import ast
import math
import operator
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import DecimalException
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from stirred.verify.evidence.certificates.decimal_interval import Interval, Number, Outward, UndecidedError
from stirred.verify.evidence.certificates.exact_number import (
    MAX_EXPONENT,
    WitnessError,
    exact_number,
    quoted,
    shown_number,
)
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.certificates.work import Work, bits

T = TypeVar("T")

_DIGITS = (80, 800)
_MAX_CHARACTERS = 200_000

_RELATIONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.LtE: operator.le,
    ast.Lt: operator.lt,
    ast.GtE: operator.ge,
    ast.Gt: operator.gt,
    ast.Eq: operator.eq,
}


def evaluate(claimed: str, values: Mapping[str, Fraction], work: Work | None = None) -> tuple[bool, Number, Number]:
    """Whether an (in)equality holds at given values, with both of its sides.

    >>> evaluate("factorial(3) <= n", {"n": Fraction(5)})[0]
    False
    """
    paid = Work() if work is None else work
    tree = _comparison(claimed, paid)

    def decide(arithmetic: PaidOutward) -> tuple[bool, Number, Number]:
        left, right = _Evaluation(values, arithmetic).sides(tree)
        return _RELATIONS[type(tree.ops[0])](arithmetic.order(left, right), 0), left, right

    return at_growing_precision(decide, paid)


def at_growing_precision(decide: Callable[[PaidOutward], T], work: Work) -> T:
    """What a decision in decimals says at 80 digits, or else at 800."""
    reason = ""
    for digits in _DIGITS:
        try:
            return decide(PaidOutward(digits, work))
        except UndecidedError as error:
            reason = str(error)
        except DecimalException:
            reason = "a number is too large or too small to be told apart from others"
        except RecursionError:
            reason = "a formula is nested too deeply"
    raise UndecidedError(reason)


class PaidOutward(Outward):
    """Outward-rounded arithmetic that pays for every operation before it is done."""

    def __init__(self, digits: int, work: Work) -> None:
        """Arithmetic with so many digits."""
        super().__init__(digits)
        self.work = work

    def _pay(self, *numbers: Number, times: int = 1) -> None:
        """Pay for an operation on exact numbers, or for one on intervals."""
        if len(numbers) == 2 and isinstance(numbers[0], Fraction) and isinstance(numbers[1], Fraction):
            self.work.combine(numbers[0], numbers[1])
        else:
            self.work.spend(times * (12_000 + self.digits**2 // 4))

    def lift(self, number: Number) -> Interval:
        if isinstance(number, Fraction):
            self.work.read(bits(number) * 3 // 10)
        return super().lift(number)

    def add(self, left: Number, right: Number) -> Number:
        self._pay(left, right)
        return super().add(left, right)

    def multiply(self, left: Number, right: Number) -> Number:
        self._pay(left, right)
        return super().multiply(left, right)

    def divide(self, left: Number, right: Number) -> Number:
        self._pay(left, right)
        return super().divide(left, right)

    def power(self, base: Number, exponent: int) -> Number:
        if isinstance(base, Fraction):
            self.work.long_number(bits(base) * abs(exponent))
        return super().power(base, exponent)

    def order(self, left: Number, right: Number) -> int:
        self._pay(left, right)
        return super().order(left, right)

    def sqrt(self, number: Number) -> Number:
        if isinstance(number, Fraction):
            self.work.long_number(bits(number))
        return super().sqrt(number)

    def _around(self, function: Any, number: Interval) -> Interval:
        # logarithms near 1 and of very large or small numbers take several times as long
        strange = any(abs(end.adjusted()) > 20 or abs(end - 1) * 1000 < 1 for end in number)
        self.work.spend((4 if strange else 1) * 40 * self.digits**2 + 50_000)
        return super()._around(function, number)


def _comparison(claimed: str, work: Work) -> ast.Compare:
    """The one comparison that a text is, with its decimals as they are written."""
    if not isinstance(claimed, str) or len(claimed) > _MAX_CHARACTERS:
        raise WitnessError(
            f"claimed must be one comparison, as text of at most {_MAX_CHARACTERS} characters; got {quoted(claimed)}"
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python would print the line that it warns of
            # a comment or a continued line would be shown and not evaluated
            tree = ast.parse("" if set(claimed) & {"#", "\\"} else claimed, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise WitnessError(f"claimed must be one comparison; got {quoted(claimed)}") from None
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1 or type(tree.ops[0]) not in _RELATIONS:
        raise WitnessError(f"claimed must be one comparison; got {quoted(claimed)}")
    lines = claimed.encode().splitlines(keepends=True)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            # the decimal as it is written, not its nearest double; the parser counts bytes
            written = lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode()
            node.value = exact_number("a decimal", written.replace("_", ""), work)  # type: ignore[assignment]
    return tree


@lru_cache(maxsize=4_096)
def derangements(n: int) -> int:
    """How many permutations of n things have no fixed point."""
    count = 1
    for k in range(1, n + 1):
        count = k * count + (-1) ** k
    return count


_COUNTS: Mapping[str, Callable[..., int]] = {
    "factorial": math.factorial,
    "comb": math.comb,
    "derangements": derangements,
}


@dataclass(frozen=True)
class _Evaluation:
    values: Mapping[str, Fraction]
    arithmetic: PaidOutward

    def sides(self, tree: ast.Compare) -> tuple[Number, Number]:
        """Both sides, exact or else both as intervals."""
        left, right = self.value(tree.left), self.value(tree.comparators[0])
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return left, right
        return self.arithmetic.lift(left), self.arithmetic.lift(right)

    def value(self, node: ast.expr) -> Number:
        match node:
            case ast.Constant(value=int() as number) if not isinstance(number, bool):
                return Fraction(number)
            case ast.Constant(value=Fraction() as number):
                return number  # type: ignore[unreachable]  # a decimal, read by `_comparison`
            case ast.Name(id=name) if name in self.values:
                return self.values[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.arithmetic.negative(self.value(operand))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _COUNTS:
                return self.count(name, [self.value(argument) for argument in arguments])
            case ast.Call(func=ast.Name(id="floor" | "ln" | "exp" | "sqrt" as name), args=[argument], keywords=[]):
                function: Callable[[Number], Number] = getattr(self.arithmetic, name)
                return function(self.value(argument))
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self.power(self.value(left), self.value(right))
            case ast.BinOp(left=left, op=op, right=right):
                return self.combine(op, self.value(left), self.value(right))
        raise WitnessError(f"not in the language of formulas: {quoted(ast.unparse(node))}")

    def count(self, name: str, arguments: list[Number]) -> Fraction:
        integers = []
        for argument in arguments:
            if not isinstance(argument, Fraction) or argument.denominator != 1 or not 0 <= argument <= MAX_EXPONENT:
                raise WitnessError(
                    f"a count must be of integers from 0 to {MAX_EXPONENT}; got {shown_number(argument)}"
                )
            integers.append(argument.numerator)
        largest = max(integers, default=0)
        self.arithmetic.work.spend(largest * largest // (1 if name == "derangements" else 10) + 1_000)
        return Fraction(_COUNTS[name](*integers))

    def power(self, base: Number, exponent: Number) -> Number:
        if not isinstance(exponent, Fraction) or exponent.denominator != 1 or abs(exponent) > MAX_EXPONENT:
            raise WitnessError(
                f"an exponent must be an integer of at most {MAX_EXPONENT}; got {shown_number(exponent)}"
            )
        if base == 0 and exponent < 0:
            raise WitnessError("a formula divides by zero")
        return self.arithmetic.power(base, exponent.numerator)

    def combine(self, op: ast.operator, left: Number, right: Number) -> Number:
        if isinstance(op, ast.Div) and right == 0:
            raise WitnessError("a formula divides by zero")
        match op:
            case ast.Add():
                return self.arithmetic.add(left, right)
            case ast.Sub():
                return self.arithmetic.subtract(left, right)
            case ast.Mult():
                return self.arithmetic.multiply(left, right)
            case ast.Div():
                return self.arithmetic.divide(left, right)
        raise WitnessError(f"not in the language of formulas: {printable(type(op).__name__)}")
