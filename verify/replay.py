"""Replay of witnesses with nothing but the standard library: `stirred replay FILE`, or `python -m verify.replay FILE`.

A witness is a JSON object of one of two kinds.

`loss`: two data sets, their exact output laws, an event and a claimed bound. Re-checked: both laws are non-negative
and sum to 1, the event has the stated probabilities, and the claimed inequality fails.

`formula`: a claimed (in)equality in numbers. Re-checked: it is false. The language has integers, decimals (read
exactly), names, + - * / **, the comparisons <= < >= > ==, and the functions factorial, comb, derangements (the
number of permutations without a fixed point), floor, ln, exp, sqrt. Without ln, exp and sqrt everything is a
`Fraction`; with them, each side is an interval of decimals, rounded outward, and the two intervals must be disjoint
at 80 or else at 800 digits. What would take long to compute is refused; a long number is shown to 20 digits.
"""

from __future__ import annotations

import ast
import json
import math
import operator
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal, DecimalException
from fractions import Fraction
from typing import Any

from verify.bounded_read import UnreadableError, read_whole
from verify.decimal_interval import Number, Outward, UndecidedError
from verify.standard_streams import open_streams, printing

__all__ = ["WitnessError", "evaluate", "main", "replay"]

_DIGITS = (80, 800)
_MAX_EXPONENT = 10_000
_MAX_BITS = 250_000
_MAX_LOSS_BITS = 4_000_000
_MAX_BYTES = 20_000_000
_LONGEST_INTEGER = 100_000
_SHORT_BITS = 10_000


class WitnessError(ValueError):
    """A witness that cannot be read, or that does not refute what it claims to refute."""


def replay(witness: Mapping[str, Any]) -> str:
    """One sentence that says what was re-checked.

    Raises:
        WitnessError: the witness is malformed, or the claimed inequality holds or is not decided.
    """
    kinds: dict[str, Callable[[Mapping[str, Any]], str]] = {"loss": _replay_loss, "formula": _replay_formula}
    kind = witness.get("kind")
    if kind not in kinds:
        raise WitnessError(f"kind must be one of {sorted(kinds)}; got {kind!r}")
    try:
        return kinds[kind](witness)
    except WitnessError:
        raise
    except UndecidedError as error:
        raise WitnessError(str(error)) from None
    except KeyError as missing:
        raise WitnessError(f"a {kind} witness must have the key {missing}") from None
    except (ArithmeticError, AttributeError, RecursionError, TypeError, ValueError) as error:
        raise WitnessError(f"a {kind} witness must be as this module describes it; {error}") from None


def _fraction(name: str, text: object) -> Fraction:
    shown = repr(text)
    if not isinstance(text, (str, int)) or isinstance(text, bool):
        raise WitnessError(f"{name} must be an exact number; got {shown}")
    try:
        if isinstance(text, str) and abs(int([*text.lower().split("e"), "0"][1])) > _MAX_EXPONENT:
            text = None
        return Fraction(text)  # type: ignore[arg-type]
    except (TypeError, ValueError, ZeroDivisionError):
        raise WitnessError(
            f"{name} must be an exact number, its exponent at most {_MAX_EXPONENT}; got {shown}"
        ) from None


def _law(name: str, pairs: object) -> dict[str, Fraction]:
    if not isinstance(pairs, list):
        raise WitnessError(f"{name} must be a list of [outcome, probability] pairs")
    law: dict[str, Fraction] = {}
    for outcome, probability in pairs:
        key = json.dumps(outcome)
        if key in law:
            raise WitnessError(f"{name} lists the outcome {key} twice")
        law[key] = _fraction(f"{name}[{key}]", probability)
        if law[key] < 0:
            raise WitnessError(f"{name}[{key}] must be non-negative; got {probability}")
    if sum(law.values()) != 1:
        raise WitnessError(f"{name} must sum to exactly 1; got {_show(sum(law.values()))}")
    return law


def _replay_loss(witness: Mapping[str, Any]) -> str:
    first, second = _law("law", witness["law"]), _law("law_prime", witness["law_prime"])
    event = {json.dumps(outcome) for outcome in witness["event"]}
    p = sum((q for t, q in first.items() if t in event), Fraction(0))
    q = sum((r for t, r in second.items() if t in event), Fraction(0))
    for name, value in (("probability", p), ("probability_prime", q)):
        if _fraction(name, witness[name]) != value:
            raise WitnessError(f"{name} must be that of the event, {_show(value)}; got {witness[name]}")
    distance = _fraction("distance", witness["distance"])
    gamma, root = _fraction("gamma", witness["gamma"]), _fraction("gamma_root", witness["gamma_root"])
    delta = _fraction("delta", witness.get("delta", "0"))
    if distance < 0 or gamma < 1 or root < 1 or root.denominator != 1 or not 0 <= delta < 1:
        raise WitnessError("a loss must have distance >= 0, gamma >= 1, an int gamma_root >= 1, and 0 <= delta < 1")
    # where gamma is 1 or P_x'(E) is 0, the distance does not matter, however large it is
    exponent = distance / root if gamma > 1 and q > 0 else Fraction(0)
    left = _raised(max(p - delta, Fraction(0)), exponent.denominator)
    bound, likelihood = _raised(gamma, exponent.numerator), _raised(q, exponent.denominator)
    # cross-multiplied: fractions so long take long to reduce
    if (
        left.numerator * bound.denominator * likelihood.denominator
        <= bound.numerator * likelihood.numerator * left.denominator
    ):
        raise WitnessError("the claimed inequality holds: the witness refutes nothing")
    slack = f" + {_show(delta)}" if delta else ""
    shown = f"{_show(gamma)}^({_show(distance / root)}) * {_show(q)}"
    return f"P_x(E) = {_show(p)} > {shown}{slack} = gamma^(d) * P_x'(E){slack}"


def _raised(base: Fraction, exponent: int) -> Fraction:
    """A power of a fraction in lowest terms, which is in lowest terms too."""
    if _bits(base) * exponent > _MAX_LOSS_BITS:
        raise WitnessError(f"a power must have at most {_MAX_LOSS_BITS} bits; got the exponent {_show(exponent)}")
    return base**exponent


def _bits(number: Fraction) -> int:
    return number.numerator.bit_length() + number.denominator.bit_length()


def _replay_formula(witness: Mapping[str, Any]) -> str:
    values = {name: _fraction(name, text) for name, text in witness["values"].items()}
    claimed = witness["claimed"]
    if not isinstance(claimed, str):
        raise WitnessError(f"claimed must be an inequality as text; got {claimed!r}")
    holds, left, right = evaluate(claimed, values)
    if holds:
        raise WitnessError(f"the claimed inequality holds: {_show(left)} and {_show(right)}")
    at = ", ".join(f"{name} = {_show(value)}" for name, value in values.items())
    return f"false{' at ' + at if at else ''}: {claimed} (left {_show(left, 30)}, right {_show(right, 30)})"


def _show(number: Number | int, longest: int = _SHORT_BITS) -> str:
    """A number as text: exact where that takes at most so many characters, else to 20 digits."""
    if not isinstance(number, (Fraction, int)):
        return str(number)
    exact = Fraction(number)
    if _bits(exact) <= _SHORT_BITS and len(str(exact)) <= longest:
        return str(exact)
    context = Context(prec=20)
    return str(context.divide(Decimal(exact.numerator), Decimal(exact.denominator)).normalize(context))


_RELATIONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.LtE: operator.le,
    ast.Lt: operator.lt,
    ast.GtE: operator.ge,
    ast.Gt: operator.gt,
    ast.Eq: operator.eq,
}


def evaluate(claimed: str, values: Mapping[str, Fraction]) -> tuple[bool, Number, Number]:
    """Whether an (in)equality holds at given values, with both of its sides.

    Raises:
        WitnessError: the text is not one comparison of the language, or a side has no value.
        UndecidedError: the sides are too close to be told apart, or too large or too deeply nested to be computed.

    >>> evaluate("factorial(3) <= n", {"n": Fraction(5)})[0]
    False
    """
    tree = _comparison(claimed)
    reason = ""
    for digits in _DIGITS:
        evaluation = _Evaluation(values, Outward(digits))
        try:
            left, right = evaluation.sides(tree)
            return _RELATIONS[type(tree.ops[0])](evaluation.arithmetic.order(left, right), 0), left, right
        except UndecidedError as error:
            reason = str(error)
        except DecimalException:
            reason = "a number is too large or too small to be told apart from others"
        except RecursionError:
            reason = "a formula is nested too deeply"
    raise UndecidedError(reason)


def _comparison(claimed: str) -> ast.Compare:
    """The one comparison that a text is, with its decimals as they are written."""
    try:
        tree = ast.parse(claimed, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise WitnessError(f"claimed must be one comparison; got {claimed!r}") from None
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1 or type(tree.ops[0]) not in _RELATIONS:
        raise WitnessError(f"claimed must be one comparison; got {claimed!r}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            # the decimal as it is written, not its nearest double
            node.value = _fraction("a decimal", ast.get_source_segment(claimed, node))  # type: ignore[assignment]
    return tree


def _derangements(n: int) -> int:
    count = 1
    for k in range(1, n + 1):
        count = k * count + (-1) ** k
    return count


_COUNTS: Mapping[str, Callable[..., int]] = {
    "factorial": math.factorial,
    "comb": math.comb,
    "derangements": _derangements,
}


def _integer(argument: Number) -> int:
    if not isinstance(argument, Fraction) or argument.denominator != 1 or not 0 <= argument <= _MAX_EXPONENT:
        raise WitnessError(f"a count must be of integers from 0 to {_MAX_EXPONENT}; got {_show(argument)}")
    return argument.numerator


@dataclass(frozen=True)
class _Evaluation:
    values: Mapping[str, Fraction]
    arithmetic: Outward

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
                return Fraction(_COUNTS[name](*(_integer(self.value(argument)) for argument in arguments)))
            case ast.Call(func=ast.Name(id="floor" | "ln" | "exp" | "sqrt" as name), args=[argument], keywords=[]):
                function: Callable[[Number], Number] = getattr(self.arithmetic, name)
                return function(self.value(argument))
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self.power(self.value(left), self.value(right))
            case ast.BinOp(left=left, op=op, right=right):
                return self.combine(op, self.value(left), self.value(right))
        raise WitnessError(f"not in the language of formulas: {ast.unparse(node)}")

    def power(self, base: Number, exponent: Number) -> Number:
        if not isinstance(exponent, Fraction) or exponent.denominator != 1 or abs(exponent) > _MAX_EXPONENT:
            raise WitnessError(f"an exponent must be an integer of at most {_MAX_EXPONENT}; got {_show(exponent)}")
        if base == 0 and exponent < 0:
            raise WitnessError("a formula divides by zero")
        self.bounded(base, times=abs(exponent.numerator))
        return self.arithmetic.power(base, exponent.numerator)

    def combine(self, op: ast.operator, left: Number, right: Number) -> Number:
        if isinstance(op, ast.Div) and right == 0:
            raise WitnessError("a formula divides by zero")
        self.bounded(left, right)
        match op:
            case ast.Add():
                return self.arithmetic.add(left, right)
            case ast.Sub():
                return self.arithmetic.subtract(left, right)
            case ast.Mult():
                return self.arithmetic.multiply(left, right)
            case ast.Div():
                return self.arithmetic.divide(left, right)
        raise WitnessError(f"not in the language of formulas: {type(op).__name__}")

    @staticmethod
    def bounded(*numbers: Number, times: int = 1) -> None:
        """Refuse an operation whose exact result would take long to compute."""
        if sum(_bits(number) for number in numbers if isinstance(number, Fraction)) * times > _MAX_BITS:
            raise UndecidedError(f"an exact number must have at most {_MAX_BITS} bits")


def main(arguments: list[str]) -> int:
    """Replay the witnesses in a file: one object, or a list of objects (a `witness` key is looked into)."""
    sys.set_int_max_str_digits(_LONGEST_INTEGER)
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m verify.replay FILE\n")
        return 2
    try:
        data = json.loads(read_whole(arguments[0], _MAX_BYTES).decode())
    except UnreadableError as error:
        sys.stderr.write(f"{arguments[0]}: {error}\n")
        return 2
    except (ValueError, RecursionError) as error:
        sys.stderr.write(f"{arguments[0]}: cannot be read as JSON: {error}\n")
        return 2
    records = data if isinstance(data, list) else [data]
    replayed = 0
    for position, record in enumerate(records):
        witness = record.get("witness", record) if isinstance(record, dict) else record
        if isinstance(record, dict) and "witness" in record and witness is None:
            continue
        name = record.get("id", f"witness {position}") if isinstance(record, dict) else f"witness {position}"
        if not isinstance(witness, dict):
            sys.stderr.write(f"{arguments[0]}: {name}: a witness must be a JSON object\n")
            return 2
        try:
            sentence = replay(witness)
        except WitnessError as error:
            sys.stderr.write(f"{arguments[0]}: {name}: {error}\n")
            return 2
        sys.stdout.write(f"{name}: REFUTED: {sentence}\n")
        replayed += 1
    if not replayed:
        sys.stderr.write(f"{arguments[0]}: holds no witness\n")
        return 2
    sys.stdout.write(f"{replayed} replayed\n")
    return 1


if __name__ == "__main__":
    open_streams()
    sys.exit(printing(lambda: main(sys.argv[1:]), failure=2))
