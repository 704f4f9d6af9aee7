"""Numbers that are computed from one record and the parameters: comparisons, clipped values; the standard library."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol, is_nonnegative, parsed, rational
from stirred.verify.evidence.certificates.read_values import RECORD, is_condition, is_fixed, is_own

Bound = Polynomial | None
_MOST_VALUES = 100
_MEANING: Mapping[str, Callable[..., Fraction | int]] = {
    "max": max,
    "min": min,
    ">": lambda one: one > 0,
    ">=": lambda one: one >= 0,
    "==": lambda one: one == 0,
    "not": lambda one: not one,
    "and": lambda one, other: one and other,
    "or": lambda one, other: one or other,
}
_ZERO, _ONE = Polynomial.of(0), Polynomial.of(1)


@dataclass(frozen=True)
class RecordFunction:
    """A number that is computed from one record.

    Attributes:
        formula: "max" or "min" of two numbers; ">", ">=" or "==" of one, compared with 0; "not", "and", "or" of truth
            values; "if" with a truth value and two numbers; nothing for the record itself.
        follows: whether it rises with the record, and never by more.
    """

    formula: tuple[Any, ...] = ()
    follows: bool = False


class RecordFunctions:
    """Those of one program, by their symbols.

    Args:
        positive, least: what is known of the parameters.
        within: bounds of a record.
    """

    def __init__(self, positive: Iterable[Symbol], least: Mapping[Symbol, int], within: tuple[Bound, Bound]) -> None:
        self._positive, self._within = set(positive), within
        self._least = {name: Fraction(k) for name, k in least.items()}
        self._found = {RECORD: RecordFunction(follows=True)}

    def __getitem__(self, symbol: Symbol) -> RecordFunction:
        return self._found[symbol]

    def is_above(self, one: Bound, other: Bound) -> bool:
        """Whether one number of the parameters is known to be at least another one."""
        return one is not None and other is not None and is_nonnegative(one - other, self._positive, self._least)

    def is_positive(self, value: Polynomial) -> bool:
        """Whether a number is one of the parameters and known to be above 0, where there are records."""
        above = {name for name in value.names if name in self._positive or name.kind in ("exp", "root", "size")}
        least = self._least | {name: Fraction(1) for name in value.names if name.kind == "size"}
        parts = [Polynomial({one: n}) for one, n in value.terms.items() if n > 0 and {name for name, _ in one} <= above]
        parts.append(Polynomial.of(Fraction(1, 10**6)))
        return any(is_nonnegative(value - one, above, least) for one in parts)

    def _extreme(self, sign: int, one: Bound, other: Bound) -> Bound:
        """The larger (sign 1) or smaller (-1) of two numbers of the parameters; None where it is not known."""
        if self.is_above(one, other):
            return one if sign > 0 else other
        return (other if sign > 0 else one) if self.is_above(other, one) else None

    def bounds(self, value: Polynomial, given: Sequence[tuple[Polynomial, bool]] = ()) -> tuple[Bound, Bound]:
        """Of a number that is computed from a record, where conditions hold or fail."""
        lower: Bound = _ZERO
        upper: Bound = _ZERO
        for monomial, number in value.terms.items():
            own = [name for name, _ in monomial if name in self._found]
            factor = Polynomial({tuple(one for one in monomial if one[0] not in own): number})
            sign = 1 if self.is_above(factor, _ZERO) else -1 if self.is_above(-factor, _ZERO) else 0
            if own and (len(own) > 1 or dict(monomial)[own[0]] != 1 or not sign):
                return None, None
            ends = self._range(own[0], given) if own else (_ONE, _ONE)
            below, above = ends if sign > 0 or not own else ends[::-1]
            lower = None if lower is None or below is None else lower + factor * below
            upper = None if upper is None or above is None else upper + factor * above
        return lower, upper

    def _range(self, name: Symbol, given: Sequence[tuple[Polynomial, bool]]) -> tuple[Bound, Bound]:
        word, *parts = self[name].formula or ("",)
        if not word:
            return self._within_given(given)
        if word not in ("max", "min", "if"):
            return _ZERO, _ONE
        if word == "if":
            test, *values = parts
            (a, b), (c, d) = (self.bounds(v, [*given, (test, k == 0)]) for k, v in enumerate(values))
            return self._extreme(-1, a, c), self._extreme(1, b, d)
        lower, upper = self.bounds(parts[0], given)
        if word == "max":
            return self._extreme(1, lower, parts[1]) or parts[1], self._extreme(1, upper, parts[1])
        return self._extreme(-1, lower, parts[1]), self._extreme(-1, upper, parts[1]) or parts[1]

    def _within_given(self, given: Sequence[tuple[Polynomial, bool]]) -> tuple[Bound, Bound]:
        lower, upper = self._within
        for test, outcome in given:
            word, *parts = self[next(iter(test.names))].formula
            for sign in (1, -1) if word in (">", ">=") else ():
                limit = Polynomial.name(RECORD) - parts[0] * sign  # the record is that, or beyond
                if limit.names & self._found.keys():
                    continue
                if (sign > 0) == outcome:
                    lower = limit if lower is None or self.is_above(limit, lower) else lower
                else:
                    upper = limit if upper is None or self.is_above(upper, limit) else upper
        return lower, upper

    def _made(self, text: str, formula: tuple[Any, ...], *, follows: bool = False) -> Polynomial:
        symbol, made = Symbol("record", text), RecordFunction(formula, follows)
        if self._found.setdefault(symbol, made) != made:
            raise ValueError(f"{text} has two meanings")
        return Polynomial.name(symbol)

    def extreme(self, word: str, value: Polynomial, limit: Polynomial) -> Polynomial:
        """The larger ("max") or smaller ("min") of what is computed from a record and a number of the parameters."""
        (name, *others) = (name for name in value.names if name.kind == "record")
        is_alone = not others and not (value - Polynomial.name(name)).names & self._found.keys()
        follows = is_alone and self[name].follows
        return self._made(f"{word}({value}, {limit})", (word, value, limit), follows=follows)

    def condition(self, word: str, *parts: Polynomial) -> Polynomial:
        """A truth value: a comparison of a number with 0, or what is made of others."""
        if word in ("and", "or"):
            text = f"{parts[0]} {word} {parts[1]}"
        else:
            text = f"not {parts[0]}" if word == "not" else f"{parts[0]} {word} 0"
        return self._made(f"[{text}]", (word, *parts))

    def chosen(self, test: Polynomial, one: Polynomial, other: Polynomial) -> Polynomial | None:
        """One number where a condition holds, else another one; None where that is no such number."""
        if is_fixed(one - other):
            return other + test * (one - other)
        if not is_own(one - other):
            return None
        if all(is_fixed(value) or is_own(value) for value in (one, other)):
            return self._made(f"({one} if {test} else {other})", ("if", test, one, other))
        return other + self._made(f"({one - other} if {test} else 0)", ("if", test, one - other, _ZERO))

    def at(self, value: Polynomial, record: Fraction, known: Mapping[Symbol, Polynomial]) -> Polynomial:
        """A number where the record is known, and some parameters are.

        Raises:
            ValueError: it is not known then.
        """
        inner = {name: self._at(name, record, known) for name in value.names if name in self._found}
        return value.at({**known, **inner})

    def _at(self, name: Symbol, record: Fraction, known: Mapping[Symbol, Polynomial]) -> Polynomial:
        word, *parts = self[name].formula or ("",)
        if not word:
            return Polynomial.of(record)
        values = [self.at(one, record, known) for one in parts]
        if word == "if":
            return values[1] if values[0] == 1 else values[2]
        numbers = [one.number for one in values]
        if None in numbers:
            raise ValueError(f"{name} is not known where the record is")
        return Polynomial.of(Fraction(_MEANING[word](*(one for one in numbers if one is not None))))


def is_test(value: Any) -> bool:
    """Whether it is one truth value about a record."""
    (name,) = value.names if isinstance(value, Polynomial) and len(value.names) == 1 else (Symbol("size"),)
    return is_condition(name) and value == Polynomial.name(name)


class RecordValues:
    """Which values records have.

    Args:
        text: as `ReadProgram` has it.
        fixed: the values of parameters that have one.

    Attributes:
        within: their bounds.
        bins: k for the integers from 0 to k - 1.
        listed: all of them; None where they are not a list of numbers.

    Raises:
        ValueError: it is none of these.
    """

    def __init__(self, text: str, fixed: Mapping[Symbol, Polynomial]) -> None:
        self.within: tuple[Bound, Bound] = (None, None)
        self.bins: Bound = None
        self.listed: list[Fraction] | None = None
        if found := re.fullmatch(r"range\((\w+)\)", text):
            self.bins = parsed(found[1]).at(fixed)
            self.within = _ZERO, self.bins - 1
            if (count := self.bins.number) is not None and count <= _MOST_VALUES:
                self.listed = [Fraction(k) for k in range(int(count))]
        elif found := re.fullmatch(r"\[([^\[\]]+)\]", text):
            self.listed = sorted(rational(one.strip()) for one in found[1].split(","))
            self.within = Polynomial.of(self.listed[0]), Polynomial.of(self.listed[-1])
        elif found := re.fullmatch(r"(.+?) <= x <= (.+)", text):
            self.within = parsed(found[1]).at(fixed), parsed(found[2]).at(fixed)
        elif text:
            raise ValueError(f"values must be 'range(k)', '[0, 1]' or '0 <= x <= upper'; got {text!r}")
