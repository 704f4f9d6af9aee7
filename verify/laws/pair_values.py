"""Functions of two data sets, and of two laws, as functions of one thing whose value is a text.

A distance of data sets gets the two; a distance of laws gets two `Law`s whose outcomes are the outputs themselves.
"""

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from stirred.spec.arguments import InputError, nonnegative, parse_exact
from stirred.spec.budgets.loss import INFINITE, Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.reals.real import EnclosedReal, Number, Real
from stirred.verify.laws.listing import value_texts
from stirred.verify.laws.messages import decoded
from stirred.verify.laws.plain import scalar_value

DISTANCE, DIVERGENCE = "a distance", "an output premetric"
"""What a value is, for messages."""

_INFINITE = "infinite"
_DIGITS = 60


class OfDataSets:
    """d(x, x') as a function of a pair, whose value is a text."""

    def __init__(self, distance: Callable[[Any, Any], Any]) -> None:
        self.__wrapped__ = distance

    def __call__(self, pair: tuple[Any, Any]) -> str:
        value = scalar_value(self.__wrapped__(*pair))
        return _INFINITE if _is_infinite(value) else str(nonnegative("a distance", value))


class OfLaws:
    """D(P, Q) as a function of the name of a pair, whose value is a text.

    The divergence returns an int or `Fraction`, a `Loss`, a `Real`, an `Enclosure`, or None for ∞. The laws are as in
    `law_text`; a pair is two of their numbers.
    """

    def __init__(
        self, divergence: Callable[[Any, Any], Any], laws: Sequence[Any], pairs: Mapping[str, tuple[int, int]]
    ) -> None:
        self.__wrapped__ = divergence
        self._laws = laws
        self._pairs = pairs

    def __call__(self, name: str) -> str:
        listed = (self._laws[number] for number in self._pairs[name])
        laws = [Law({plain_value(outcome): Fraction(mass) for outcome, mass in law}) for law in listed]
        return _value_text(scalar_value(self.__wrapped__(*laws)))


def pair_texts(where: str, function: Callable[[Any, Any], Any], pairs: Any, laws: Any) -> list[str]:
    """The values on pairs of a function that a process has loaded: of data sets, or of laws, as a request has them."""
    if laws is None:
        return value_texts(where, OfDataSets(function), list(map(decoded, pairs)), DISTANCE)
    numbers = {name: tuple(pair) for name, pair in pairs}
    return value_texts(where, OfLaws(function, laws, numbers), list(numbers), DIVERGENCE)


def law_text(law: Law[str]) -> tuple[tuple[str, str], ...]:
    """A law on canonical texts as plain data."""
    return tuple((outcome, str(law.numeric(outcome))) for outcome in law)


def _is_infinite(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value == math.inf)


def _value_text(value: Any) -> str:
    if _is_infinite(value) or (isinstance(value, Loss) and value == INFINITE):
        return _INFINITE
    if isinstance(value, Loss):
        return f"ln {value.gamma} {value.distance}"
    if isinstance(value, (Real, Enclosure)):
        ends = value.enclosure(_DIGITS) if isinstance(value, Real) else value
        return f"between {ends.lower} {ends.upper}"
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        raise InputError(
            f"a value must be an exact number: an int, a Fraction, a Loss, an Enclosure, or None for infinity; got the "
            f"{type(value).__name__} {value!r}"
        )
    return str(Fraction(value))


@lru_cache(maxsize=1_024)  # many pairs have few distances
def read_distance_text(place: str, text: str) -> Fraction | None:
    """A distance of data sets from its text."""
    written = _written(place, text)
    return None if written == _INFINITE else nonnegative(place, parse_exact(place, written))


def read_value_text(place: str, text: str) -> Number | None:
    """A value of a divergence from its text; None for ∞.

    >>> print(read_value_text("D", "'ln 3 2'"))
    1/2*ln(3) ≈ 0.549306
    """
    kind, *numbers = _written(place, text).split(" ")
    if kind == _INFINITE:
        return None
    exact = [parse_exact(place, number) for number in numbers]
    if kind == "ln" and len(exact) == 2:
        return Loss(*exact).real().value
    if kind == "between" and len(exact) == 2:
        return exact[0] if exact[0] == exact[1] else EnclosedReal(Enclosure(*exact))
    return parse_exact(place, kind)


def _written(place: str, text: str) -> str:
    try:
        written = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        written = None
    if not isinstance(written, str):
        raise InputError(f"{place}: its process sent no valid value")
    return written


def plain_value(text: str) -> Any:
    """The plain value of a canonical text, see `verify.laws.plain`.

    >>> plain_value("(1, 'a', Fraction(-1, 2), frozenset({2}), set())")
    (1, 'a', Fraction(-1, 2), frozenset({2}), set())
    """
    try:
        return _value(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, TypeError, KeyError):
        raise InputError(f"an output must be a plain value to be compared by a function; got {text}") from None


_MADE: Mapping[str, Callable[..., Any]] = {"Fraction": Fraction, "frozenset": frozenset, "set": set}


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Tuple(elts=parts):
            return tuple(map(_value, parts))
        case ast.Set(elts=parts):
            return set(map(_value, parts))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return _MADE[name](*map(_value, arguments))
        case _:
            return ast.literal_eval(node)
