"""Printed numbers: what a text such as "17.08", "95.2%" or "13.47 million" says, and whether a recomputed value agrees.

A decimal text is a number rounded to its last printed place: a value agrees with it when it lies at most half a unit
of that place away. An integer that is not text, the text "0", and a fraction such as "1/20", are exact. Agreement says
that a number was printed right, never that a budget is met: a budget is the number itself.

An exact number is shown as its fraction, or as a decimal where that would be too long to read.
"""

import ast
import itertools
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError, exact, parse_exact
from stirred.spec.numbers.ball import ball_of, box_of, dyadic, precision
from stirred.spec.numbers.enclosure import Enclosure, decimal_text, enclose
from stirred.verify.evidence.certificates.decimal_interval import UndecidedError
from stirred.verify.evidence.certificates.replay import WitnessError, evaluate
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness

_PRINTED = re.compile(
    r"-?(?P<whole>0|[1-9][0-9]*)(\.(?P<decimals>[0-9]+))?([eE](?P<exponent>[+-]?[0-9]{1,3}))?"
    r"(?: ?(?P<unit>%|thousand|million|billion))?"
)
_UNITS = {"%": Fraction(1, 100), "thousand": Fraction(10**3), "million": Fraction(10**6), "billion": Fraction(10**9)}
_NO_NUMBER = {dict: "a table", list: "an array", bool: "a truth value"}
_MAX_DIGITS = 1_000
_MAX_EXPONENT = 10_000
_MAX_BITS = 250_000
_MAX_PLACES = 60
_RANGE_BITS = 128


@dataclass(frozen=True)
class Printed:
    """A number as printed: the values from value − half_unit to value + half_unit agree with it.

    Attributes:
        half_unit: half a unit of the last printed place; 0 where the number is exact.
    """

    text: str
    value: Fraction
    half_unit: Fraction = Fraction(0)

    @property
    def may_be_rounded(self) -> bool:
        """Whether the text has decimals or a unit; a whole number such as "264331" is taken exactly as an input."""
        found = self._form
        return self.half_unit > 0 and found is not None and bool(found["decimals"] or found["unit"])

    @property
    def _form(self) -> re.Match[str] | None:
        """The text by its parts; a text from prose may have commas between its thousands."""
        return _PRINTED.fullmatch(self.text.replace(",", ""))

    def agrees_with(self, value: Enclosure) -> bool | None:
        """Whether a recomputed value rounds to this text; None where the enclosure is too wide to tell."""
        low, high = self.value - self.half_unit, self.value + self.half_unit
        if low <= value.lower and value.upper <= high:
            return True
        return False if value.upper < low or value.lower > high else None

    def like(self, value: Enclosure) -> str:
        """A recomputed value in the form of this text: its places and its unit.

        >>> parse_printed("rate", "95.2%").like(Enclosure(Fraction("0.95257"), Fraction("0.95258")))
        '95.3%'
        """
        found = self._form
        if found is None or self.half_unit == 0:
            return value.text()
        scale = _scale(found)
        rounded = Enclosure(value.lower / scale, value.upper / scale).rounded(len(found["decimals"] or ""))
        if rounded is None or rounded.adjusted() > _MAX_PLACES:
            return value.text()
        unit = found["unit"] or ""
        return f"{rounded}{'' if unit in ('', '%') else ' '}{unit}" + (
            f"e{found['exponent']}" if found["exponent"] else ""
        )


def _scale(found: re.Match[str]) -> Fraction:
    return Fraction(10) ** int(found["exponent"] or 0) * _UNITS.get(found["unit"], Fraction(1))


def parse_printed(name: str, value: object) -> Printed:
    """The printed number of an int or a text: "17.08", "3.65 million", "95.2%" (rounded), "0" or "1/20" (exact).

    >>> parse_printed("b", "13.47 million").half_unit
    Fraction(5000, 1)
    >>> parse_printed("p", "1/20")
    Printed(text='1/20', value=Fraction(1, 20), half_unit=Fraction(0, 1))
    """
    if not isinstance(value, str):
        if kind := _NO_NUMBER.get(type(value)):
            raise InputError(f'{name} must be one number, as 3, "0.5" or "1/20"; got {kind}')
        number = exact(name, value)
        return Printed(str(number), number)
    found = _PRINTED.fullmatch(value)
    if found is None or value in ("0", "-0"):
        return Printed(value, parse_exact(name, value))
    decimals = found["decimals"] or ""
    digits = found["whole"] + decimals
    if len(digits) > _MAX_DIGITS:
        raise InputError(f"{name} must have at most {_MAX_DIGITS} digits; got {len(digits)}")
    unit = Fraction(1, 10 ** len(decimals)) * _scale(found)
    if not int(digits):
        raise InputError(f"{name} must have a digit other than 0, or be the exact number '0'; got {value!r}")
    return Printed(value, (-1 if value.startswith("-") else 1) * int(digits) * unit, unit / 2)


def compare(printed: Printed, value: Enclosure, formula: str, what: str, **values: Printed) -> Evidence:
    """Whether a printed number agrees with a recomputed one: ENCLOSED, or REFUTED with both values.

    The printed inputs are taken exactly. A refutation says so where inputs that only round to the printed ones could
    give the printed result. The formula is evaluated once more by `certificates.language`, apart from the value:
    no verdict contradicts it, and where it does not settle a mismatch the verdict is OPEN.
    """
    agrees = printed.agrees_with(value)
    recomputed = printed.like(value)
    full = value.text(10)
    shown = recomputed if recomputed == full else f"{recomputed} ({full})"
    at = ", ".join(f"{name} = {number.text}" for name, number in values.items())
    scope = f"{formula}{' at ' + at if at else ''}, compared at the printed precision"
    if agrees is None:
        return Evidence(Verdict.OPEN, scope, f"{what}: printed {printed.text}; the enclosure {full} does not decide it")
    numbers = {name: number.value for name, number in values.items()}
    ends = {"printed": printed.value, "half_unit": printed.half_unit}
    one_line = " ".join(formula.split())
    too_high, too_low = f"{one_line} <= printed + half_unit", f"{one_line} >= printed - half_unit"
    if agrees:
        if False in (_holds(claimed, what, {**numbers, **ends}) for claimed in (too_high, too_low)):
            raise EngineError(f"{what}: the enclosed value and the formula {formula!r} disagree")
        verdict = Verdict.EXHAUSTED if value.lower == value.upper else Verdict.ENCLOSED
        return Evidence(verdict, scope, f"{what}: printed {printed.text}, recomputed {shown}")
    claimed = too_high if value.lower > printed.value else too_low
    holds = _holds(claimed, what, {**numbers, **ends})
    if holds:
        raise EngineError(f"{what}: the enclosed value and the formula {formula!r} disagree")
    if holds is None:
        detail = f"{what}: printed {printed.text}, recomputed {shown}, which a second evaluation does not settle"
        return Evidence(Verdict.OPEN, scope, detail)
    witness = formula_witness(claimed, note=what, **numbers, **ends)
    note = "; inputs that only round to the printed ones could give it" if _explained(printed, formula, values) else ""
    return Evidence(Verdict.REFUTED, scope, f"{what}: printed {printed.text}, recomputed {shown}{note}", witness)


def _holds(claimed: str, what: str, values: Mapping[str, Fraction]) -> bool | None:
    """Whether an inequality holds by `evidence.certificates.replay`; None where its decimals do not settle it."""
    try:
        return evaluate(claimed, values)[0]
    except UndecidedError:
        return None
    except WitnessError as error:
        raise EngineError(f"{what}: {claimed!r} cannot be evaluated again: {error}") from None


def _explained(printed: Printed, formula: str, values: Mapping[str, Printed]) -> bool:
    """Whether the formula's values at the ends of its rounded inputs lie on both sides of the printed number."""
    rounded = [name for name, number in values.items() if number.may_be_rounded]
    if not rounded or len(rounded) > 4:
        return False
    ends = []
    for signs in itertools.product((-1, 1), repeat=len(rounded)):
        inputs = {name: number.value for name, number in values.items()}
        for name, sign in zip(rounded, signs, strict=True):
            inputs[name] += sign * values[name].half_unit
        try:
            ends.append(formula_value("formula", formula, inputs))
        except InputError:
            return False  # the formula has no value there
    low, high = printed.value - printed.half_unit, printed.value + printed.half_unit
    return min(end.upper for end in ends) <= high and max(end.lower for end in ends) >= low


def formula_value(name: str, formula: str, values: Mapping[str, Fraction]) -> Enclosure:
    """The value of a formula: exact where it is rational, else an enclosure.

    The language is that of `evidence.certificates.language` without its counting functions: integers, decimals, names,
    + - * / **, ln, exp, sqrt.
    """
    tree, reader = _parsed(name, formula), _Formula(name, formula, values)
    try:
        first = reader.value(tree)
        if isinstance(first, Fraction):
            return Enclosure(first, first)
        return enclose(lambda: reader.bounded(reader.value(tree)))
    except RecursionError:
        raise InputError(f"{name} must be a formula that is nested less deeply") from None
    except InputError as error:
        if str(error).startswith(name):
            raise
        raise InputError(f"{name} must have a finite real value; {formula!r} has none") from None


def formula_range(name: str, formula: str, ends: Mapping[str, tuple[Fraction, Fraction]]) -> Enclosure | None:
    """An enclosure of all values of a formula, in the language of `formula_value`, with each input between two ends.

    None where the values are not known to be finite.
    """
    with precision(_RANGE_BITS):
        boxes = {key: low if low == high else box_of(low, high) for key, (low, high) in ends.items()}
        ball = _ball(_Formula(name, formula, boxes).value(_parsed(name, formula)))
        if not ball.is_finite():
            return None
        middle, radius = dyadic(ball.mid()), dyadic(ball.rad())
        return Enclosure(middle - radius, middle + radius)


def _parsed(name: str, formula: str) -> ast.expr:
    try:
        # a comment or a continued line would swallow what is written behind the formula
        return ast.parse("" if set(formula) & {"#", "\\"} else formula, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(f"{name} must be a formula such as 'ln(b+1)/2'; got {formula!r}") from None


def _ball(number: Any) -> Any:
    return ball_of(number) if isinstance(number, Fraction) else number


def _bits(number: Fraction) -> int:
    return number.numerator.bit_length() + number.denominator.bit_length()


_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_FUNCTIONS: Mapping[str, Callable[[Any], Any]] = {
    "ln": lambda ball: ball.log(),
    "exp": lambda ball: ball.exp(),
    "sqrt": lambda ball: ball.sqrt(),
}


@dataclass(frozen=True)
class _Formula:
    name: str
    text: str
    values: Mapping[str, Any]

    def refuse(self, reason: str) -> InputError:
        return InputError(f"{self.name} must be a formula of numbers, names, + - * / **, ln, exp and sqrt; {reason}")

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=int() as number) if not isinstance(number, bool):
                return Fraction(number)
            case ast.Constant(value=float() as number):
                return self.decimal(node, number)
            case ast.Name(id=name):
                if name not in self.values:
                    raise self.refuse(f"{name!r} has no value")
                return self.values[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.value(operand)
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _FUNCTIONS:
                return _FUNCTIONS[name](_ball(self.value(argument)))
            case ast.BinOp(left=left, op=op, right=right):
                return self.combine(op, self.value(left), self.value(right))
        raise self.refuse(f"got {ast.unparse(node)!r}")

    def bounded(self, ball: Any) -> Any:
        """The ball, after refusing one whose middle is too large or too small to be written out."""
        if ball.is_finite() and abs(int(ball.mid().man_exp()[1])) > _MAX_BITS:
            raise self.refuse("its value is too large or too small")
        return ball

    def decimal(self, node: ast.expr, number: float) -> Fraction:
        """The literal as written; one with more digits than a double is refused, since replaying would round it."""
        written = parse_exact(self.name, ast.get_source_segment(self.text, node) or repr(number))
        if number in (float("inf"), float("-inf")) or written != Fraction(repr(number)):
            raise self.refuse(f"write the long decimal {number!r} as a fraction")
        return written

    def combine(self, op: ast.operator, left: Any, right: Any) -> Any:
        if isinstance(op, ast.Pow):
            return self.power(left, right)
        if not (isinstance(left, Fraction) and isinstance(right, Fraction)):
            left, right = _ball(left), _ball(right)
        elif isinstance(op, ast.Div) and right == 0:
            raise self.refuse("it divides by zero")
        elif _bits(left) + _bits(right) > _MAX_BITS:
            raise self.refuse("a number is too long")
        if type(op) not in _OPERATORS:
            raise self.refuse(f"got the operator {type(op).__name__}")
        return _OPERATORS[type(op)](left, right)

    def power(self, left: Any, right: Any) -> Any:
        if not isinstance(right, Fraction) or right.denominator != 1 or abs(right) > _MAX_EXPONENT:
            raise self.refuse(f"an exponent must be an integer of at most {_MAX_EXPONENT}")
        exponent = int(right)
        if isinstance(left, Fraction) and (_bits(left) * abs(exponent) > _MAX_BITS or (left == 0 and exponent < 0)):
            raise self.refuse("a power is too large or divides by zero")
        return left**exponent


_MAX_LENGTH = 60
_MOST_WRITTEN = 10_000
"""Beyond it the text is not even written: Python writes out no integer of more than 4300 digits."""


def exact_text(value: Fraction) -> str:
    """The fraction, or its first digits where it has more than 60 characters.

    >>> exact_text(Fraction(1, 3)), exact_text(Fraction(1, 3) + Fraction(1, 10**80))
    ('1/3', '0.3333333333 (rounded: the exact fraction has 163 characters)')
    >>> exact_text(Fraction(1, 3) + Fraction(1, 10**8000))
    '0.3333333333 (rounded: the exact fraction has thousands of characters)'
    """
    shown = decimal_text(value, 10)
    if value.numerator.bit_length() + value.denominator.bit_length() > _MOST_WRITTEN:
        return f"{shown} (rounded: the exact fraction has thousands of characters)"
    text = str(value)
    return text if len(text) <= _MAX_LENGTH else f"{shown} (rounded: the exact fraction has {len(text)} characters)"


def printed_exactly(value: Fraction) -> Printed:
    """An exact number as an input of a comparison, shown by `exact_text`."""
    return Printed(exact_text(value), value)
