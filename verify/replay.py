"""Replay of witnesses with nothing but the standard library: `stirred replay FILE`, or `python -m verify.replay FILE`.

A witness is a JSON object of one of two kinds.

`loss`: two data sets, their exact output laws, an event and a claimed bound. Re-checked: both laws are non-negative
and sum to 1, the event has the stated probabilities, and the claimed inequality fails.

`formula`: a claimed (in)equality in numbers. Re-checked: it is false. The language has integers, decimals (read
exactly), names, + - * / **, the comparisons <= < >= > ==, and the functions factorial, comb, derangements (the
number of permutations without a fixed point), floor, ln, exp, sqrt. Without ln, exp and sqrt everything is a
`Fraction`; with them, both sides are evaluated in 80-digit decimals and must differ by more than 10^-40.
"""

from __future__ import annotations

import ast
import json
import math
import operator
import sys
from collections.abc import Callable, Mapping
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

__all__ = ["WitnessError", "evaluate", "replay"]

_DIGITS = 80
_MARGIN = Decimal(10) ** -40
_MAX_EXPONENT = 10_000

Number = Fraction | Decimal


class WitnessError(ValueError):
    """A witness that cannot be read, or that does not refute what it claims to refute."""


def replay(witness: Mapping[str, Any]) -> str:
    """One sentence that says what was re-checked.

    Raises:
        WitnessError: the witness is malformed, or the claimed inequality holds.
    """
    kinds: dict[str, Callable[[Mapping[str, Any]], str]] = {"loss": _replay_loss, "formula": _replay_formula}
    kind = witness.get("kind")
    if kind not in kinds:
        raise WitnessError(f"kind must be one of {sorted(kinds)}; got {kind!r}")
    try:
        return kinds[kind](witness)
    except WitnessError:
        raise
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
        raise WitnessError(f"{name} must sum to exactly 1; got {sum(law.values())}")
    return law


def _replay_loss(witness: Mapping[str, Any]) -> str:
    first, second = _law("law", witness["law"]), _law("law_prime", witness["law_prime"])
    event = {json.dumps(outcome) for outcome in witness["event"]}
    p = sum((q for t, q in first.items() if t in event), Fraction(0))
    q = sum((r for t, r in second.items() if t in event), Fraction(0))
    for name, value in (("probability", p), ("probability_prime", q)):
        if _fraction(name, witness[name]) != value:
            raise WitnessError(f"{name} must be that of the event, {value}; got {witness[name]}")
    distance = _fraction("distance", witness["distance"])
    gamma, root = _fraction("gamma", witness["gamma"]), _fraction("gamma_root", witness["gamma_root"])
    delta = _fraction("delta", witness.get("delta", "0"))
    if distance < 0 or gamma < 1 or root < 1 or root.denominator != 1 or not 0 <= delta < 1:
        raise WitnessError("a loss must have distance >= 0, gamma >= 1, an int gamma_root >= 1, and 0 <= delta < 1")
    exponent = distance / root
    left = max(p - delta, Fraction(0)) ** exponent.denominator
    if left <= gamma**exponent.numerator * q**exponent.denominator:
        raise WitnessError("the claimed inequality holds: the witness refutes nothing")
    slack = f" + {delta}" if delta else ""
    return f"P_x(E) = {p} > {gamma}^({exponent}) * {q}{slack} = gamma^(d) * P_x'(E){slack}"


def _replay_formula(witness: Mapping[str, Any]) -> str:
    values = {name: _fraction(name, text) for name, text in witness["values"].items()}
    claimed = witness["claimed"]
    if not isinstance(claimed, str):
        raise WitnessError(f"claimed must be an inequality as text; got {claimed!r}")
    holds, left, right = evaluate(claimed, values)
    if holds:
        raise WitnessError(f"the claimed inequality holds: {left} and {right}")
    at = ", ".join(f"{name} = {value}" for name, value in values.items())
    return f"false{' at ' + at if at else ''}: {claimed} (left {_show(left)}, right {_show(right)})"


def _show(number: Number) -> str:
    if isinstance(number, Fraction) and len(str(number)) <= 30:
        return str(number)
    with localcontext() as context:
        context.prec = 20
        return str(+_decimal(number))


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
        WitnessError: the text is not one comparison of the language, or its sides are too close to be told apart.

    >>> evaluate("factorial(3) <= n", {"n": Fraction(5)})[0]
    False
    """
    try:
        tree = ast.parse(claimed, mode="eval").body
    except (SyntaxError, ValueError):
        raise WitnessError(f"claimed must be one comparison; got {claimed!r}") from None
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1 or type(tree.ops[0]) not in _RELATIONS:
        raise WitnessError(f"claimed must be one comparison; got {claimed!r}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            # the decimal as it is written, not its nearest double
            node.value = _fraction("a decimal", ast.get_source_segment(claimed, node))  # type: ignore[assignment]
    with localcontext() as context:
        context.prec = _DIGITS
        left, right = _value(tree.left, values), _value(tree.comparators[0], values)
        if isinstance(left, Decimal) or isinstance(right, Decimal):
            left, right = _decimal(left), _decimal(right)
            if abs(left - right) <= _MARGIN * max(Decimal(1), abs(left)):
                raise WitnessError(f"the sides are too close to be told apart: {left} and {right}")
        return _RELATIONS[type(tree.ops[0])](left, right), left, right


def _decimal(number: Number) -> Decimal:
    return number if isinstance(number, Decimal) else Decimal(number.numerator) / Decimal(number.denominator)


def _derangements(n: int) -> int:
    count = 1
    for k in range(1, n + 1):
        count = k * count + (-1) ** k
    return count


def _counting(function: Callable[..., int]) -> Callable[..., Fraction]:
    def on_integers(*arguments: Number) -> Fraction:
        numbers = []
        for argument in arguments:
            if not isinstance(argument, Fraction) or argument.denominator != 1 or not 0 <= argument <= _MAX_EXPONENT:
                raise WitnessError(f"a count must be of integers from 0 to {_MAX_EXPONENT}; got {argument}")
            numbers.append(argument.numerator)
        return Fraction(function(*numbers))

    return on_integers


def _floor(number: Number) -> Fraction:
    nearest = Fraction(math.floor(number + Fraction(1, 2) if isinstance(number, Fraction) else number + Decimal("0.5")))
    if isinstance(number, Decimal) and abs(number - _decimal(nearest)) <= _MARGIN * max(Decimal(1), abs(number)):
        raise WitnessError(f"floor of a number that is too close to an integer to be told apart: {number}")
    return Fraction(math.floor(number))


_FUNCTIONS: dict[str, Callable[..., Number]] = {
    "factorial": _counting(math.factorial),
    "comb": _counting(math.comb),
    "derangements": _counting(_derangements),
    "floor": _floor,
    "ln": lambda number: _decimal(number).ln(),
    "exp": lambda number: _decimal(number).exp(),
    "sqrt": lambda number: _decimal(number).sqrt(),
}


def _value(node: ast.expr, values: Mapping[str, Fraction]) -> Number:
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return Fraction(number)
        case ast.Constant(value=Fraction() as number):
            return number  # type: ignore[unreachable]  # a decimal, read by `evaluate`
        case ast.Name(id=name) if name in values:
            return values[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, values)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](*(_value(argument, values) for argument in arguments))
        case ast.BinOp(left=left, op=op, right=right):
            return _combine(op, _value(left, values), _value(right, values))
    raise WitnessError(f"not in the language of formulas: {ast.unparse(node)}")


def _combine(op: ast.operator, left: Number, right: Number) -> Number:
    if isinstance(op, ast.Pow):
        if not isinstance(right, Fraction) or right.denominator != 1 or abs(right) > _MAX_EXPONENT:
            raise WitnessError(f"an exponent must be an integer of at most {_MAX_EXPONENT}; got {right}")
        return left**right.numerator
    operators: dict[type[ast.operator], Callable[[Any, Any], Number]] = {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: operator.truediv,
    }
    if type(op) not in operators:
        raise WitnessError(f"not in the language of formulas: {type(op).__name__}")
    if isinstance(left, Decimal) or isinstance(right, Decimal):
        left, right = _decimal(left), _decimal(right)
    if isinstance(op, ast.Div) and right == 0:
        raise WitnessError("a formula divides by zero")
    return operators[type(op)](left, right)


def main(arguments: list[str]) -> int:
    """Replay the witnesses in a file: one object, or a list of objects (a `witness` key is looked into)."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m verify.replay FILE\n")
        return 2
    try:
        data = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
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
    sys.exit(main(sys.argv[1:]))
