"""Outcomes with numbers that are drawn: their values, where they are finitely many, or their laws as texts.

A rounded number with exponential tails is a middle part, value by value, and tails "K + discrete_geometric(α)", since
what is left of an exponential draw beyond a bound is one again. A real number is "c + laplace(b)" and so on, or, given
that it lies between two ends, "between('c + normal(v)', 'low', 'high')", an end being None where there is none; where
its draws met other conditions, it is its density on the path, a `PiecewiseDensity`. An integer whose tails are no
geometric ones is "rounded('law', 'step', 'width', scale, shift)": scale·k + shift, where a number of the law over the
width is rounded to k, as `Step` says. Leaves have draws of their own: they are independent given the path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from stirred.mechanisms.draws.released_leaf import ReleasedLeaf
from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.drawn_numbers import DrawnNumbers
from stirred.mechanisms.reading.drawn_quotients import Quotient
from stirred.mechanisms.reading.elimination import TiedError
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.integer_component import sum_law
from stirred.mechanisms.reading.refusal import Refusal
from stirred.mechanisms.reading.separated import TiedLeavesError, separated
from stirred.mechanisms.reading.symbols import Drawn, DrawnArray, Linear, Step, Stepped, Summed, Whole
from stirred.spec.laws.exponential_polynomial import PiecewiseExponential
from stirred.spec.numbers.reals.real import UndecidedOrderError

_DIGITS = 40
_NAMES = {law: law.name.lower() for law in BaseLaw}
_TAIL = re.compile(r"(-?\d+ \+ discrete_(?:reflected_)?geometric\()exp\(([^)]*)\)\)")
_GEOMETRIC = re.compile(r"(-?\d+) \+ discrete_(reflected_|)geometric\((.*)\)")
_MEMORYLESS = (BaseLaw.EXPONENTIAL, BaseLaw.LAPLACE)


class Releasing:
    """Replaces the drawn numbers of an outcome.

    Args:
        drawn: those of its path.
        refuse: makes a refusal of a sentence.
    """

    def __init__(self, drawn: DrawnNumbers, refuse: Callable[[str], Refusal]) -> None:
        self._drawn = drawn
        self._refuse = refuse
        self._used: set[int] = set()
        self._found: dict[type, Iterator[Any]] = {}

    def __call__(self, value: Any) -> Any:
        """The outcome with `ReleasedLeaf`, or numbers, in the place of numbers that are drawn."""
        drawn = list(_drawn_in(value))
        if any(isinstance(one, Quotient) for one in drawn):
            raise self._refuse(
                "a quotient of two numbers that are drawn is released, of which the law is not known: return both "
                "numbers, which need at least as much, clip and round it, or use --sampled"
            )
        for one in drawn:
            self._drawn.check_present(getattr(getattr(one, "number", one), "terms", ()), "a released number")
        given = [one for one in drawn if isinstance(one, Whole)]
        wholes, kept = self._apart(given)
        are_finite = all(not isinstance(one, Whole) or self._drawn.is_finite(one) for one in wholes)
        steps = [self._integer(one) if isinstance(one, Whole) else one for one in wholes]
        if kept and are_finite:  # the very numbers, as other paths may give
            rows_of = zip(given, kept, strict=True)
            steps = [one.kind(sum(c * int(step) for c, step in zip(row, steps, strict=True))) for one, row in rows_of]
            kept = []
        try:
            reals = separated([one for one in drawn if isinstance(one, Linear)], self._drawn.region)
        except TiedLeavesError as error:
            raise self._refuse(f"{error}, or use --sampled") from None
        self._found = {Whole: iter(steps), Linear: iter([*map(self._leaf, reals.numbers)])}
        found = self._replaced(value)
        rows = [[*map(_shown, row)] for row in reals.rows] or [[*map(str, row)] for row in kept]
        if not rows:
            return found
        if reals.rows and kept:
            raise self._refuse("real numbers and integers are released that share draws each: use --sampled")
        told = ", ".join(f"[{', '.join(row)}]" for row in rows)
        return ReleasedLeaf(repr(f"combinations [{told}] of"), "combinations"), found

    def _apart(self, wholes: Sequence[Whole]) -> tuple[Sequence[Any], list[list[int]]]:
        """Integers as others with draws of their own, and what each of them is in these; none where all have theirs."""
        sums = [one for whole in wholes if (one := self._drawn.sum_of(whole)) is not None]
        are_integral = all(getattr(one, "unit", 1) == 1 and issubclass(one.kind, (int, np.integer)) for one in wholes)
        if len(sums) < len(wholes) or not are_integral:
            return wholes, []
        left, rows = self._drawn.apart(sums)
        return (left, rows) if any(len(row) - row.count(0) > 1 for row in rows) else (wholes, [])

    def _replaced(self, value: Any) -> Any:
        if isinstance(value, Drawn):
            return next(self._found[Whole if isinstance(value, Whole) else Linear])
        if isinstance(value, DrawnArray):
            cells = [self._replaced(one) for one in value.cells.ravel()]
            if not any(isinstance(one, ReleasedLeaf) for one in cells):
                return np.array(cells, dtype=value.dtype).reshape(value.cells.shape)
            made = np.empty(len(cells), dtype=object)
            made[:] = [one if isinstance(one, ReleasedLeaf) else value.dtype.type(one) for one in cells]
            return made.reshape(value.cells.shape)
        if type(value) in (list, tuple):
            return type(value)(map(self._replaced, value))
        if type(value) is dict:
            return {self._replaced(key): self._replaced(one) for key, one in value.items()}
        return value

    def _leaf(self, number: Linear | Sequence[Exact]) -> ReleasedLeaf:
        """A number, or what it is in those before it."""
        if isinstance(number, Linear):
            return self._real(number)
        *coefficients, shift = number
        parts = [f"{_shown(c)}*number {place}" for place, c in enumerate(coefficients) if c != 0]
        return ReleasedLeaf(repr(" + ".join([*parts, _shown(shift)])), "combination")

    def _take(self, number: Linear | Summed) -> None:
        """Note that a leaf has its draws, and those that are tied to them, to itself."""
        tied = set(number.terms)
        while met := [row for row in self._drawn.region.rows if tied & {*row.draws} and not tied >= {*row.draws}]:
            tied.update(*(row.draws for row in met))
        if self._used & tied:
            raise self._refuse("two numbers are released that share a draw: release one of them, or use --sampled")
        self._used |= tied

    def _is_tied(self, number: Linear) -> bool:
        """Whether draws of a number met conditions that others met too."""
        return any(len(row.draws) > 1 and number.terms.keys() & {*row.draws} for row in self._drawn.region.rows)

    def _integer(self, whole: Whole) -> Any:
        drawn = self._drawn
        if drawn.is_finite(whole):
            return drawn.settled(whole, "a released number")
        if not issubclass(whole.kind, (int, np.integer)):
            return self._decimal(whole)
        found = drawn.sum_of(whole)
        if isinstance(whole, Stepped) and abs(whole.scale) > 1 and whole.unit == 1:
            return self._in_steps(whole)
        if isinstance(whole, Stepped) and not self._is_tied(whole.number):
            (draw, _), *others = whole.number.terms.items()
            if others or whole.unit != 1 or abs(whole.scale) != 1 or drawn.region.laws[draw] not in _MEMORYLESS:
                self._take(whole.number)
                return self._rounded(whole)
        if found is None or getattr(whole, "unit", 1) != 1:
            raise self._refuse("a rounded number with infinitely many values is released, and compared with another")
        self._take(found)
        try:
            return self._sum(found)
        except ArithmeticError as error:
            raise self._refuse(f"an integer is released whose law is not known ({error}): clamp it") from None

    def _in_steps(self, whole: Stepped) -> Any:
        """scale·k + shift, as k is released: its tails have steps."""
        found = self._integer(replace(whole, scale=1, shift=0))
        if not isinstance(found, ReleasedLeaf):
            return self._drawn.value(whole, int(found))
        tail = _GEOMETRIC.fullmatch(found.text)
        if tail is None:
            self._used -= whole.number.terms.keys()
            return self._rounded(whole)
        is_rising = (tail[2] == "") == (whole.scale > 0)
        kind = "discrete_geometric" if is_rising else "discrete_reflected_geometric"
        start = whole.scale * int(tail[1]) + whole.shift
        return replace(found, text=f"{start} + {abs(whole.scale)}*{kind}({tail[3]})")

    def _decimal(self, whole: Whole) -> Any:
        """A float that is rounded, in units of its last decimal; what is less than 0 and rounded to it is −0.0."""
        refusal = self._refuse("a float that is rounded, with infinitely many values, is released: write int(…)")
        if not isinstance(whole, Stepped) or whole.step not in (Step.NEAREST, Step.FLOOR) or whole.scale != 1:
            raise refusal
        found = self._integer(replace(whole, unit=Fraction(1), kind=int))
        if not isinstance(found, ReleasedLeaf):
            return self._drawn.signed(whole, found - whole.shift, "a released number")
        digits, tail = len(str(whole.unit.denominator)) - 1, _TAIL.fullmatch(found.text)
        if tail is None:
            raise refusal
        has_signs = whole.step is Step.NEAREST and whole.is_signed
        text = (
            f"decimal({digits}, {tail[1]}exp({Fraction(tail[2]) / 2})))" if has_signs else f"whole({digits}, {found})"
        )
        return ReleasedLeaf(text, whole.kind.__name__)

    def _sum(self, whole: Summed) -> Any:
        """A sum of integers, or one that was compared with others: value by value, and geometric tails."""
        drawn = self._drawn
        component = drawn.region.integers(whole.terms, whole.roundings)
        law, algebra = sum_law(component, {component.draws.index(draw): c for draw, c in whole.terms.items()})
        tails = [[*law.terms[place].items()] for place in (0, -1)]
        if any(len(one) > 1 or (one and len(one[0][1]) > 1) for one in tails):
            raise TiedError("its tails are no geometric ones")
        low, high = law.cuts[0], law.cuts[-1]
        upper, lower = (PiecewiseExponential((), (law.terms[place],)) for place in (-1, 0))
        while high > low and law(high - 1) == upper(high - 1):
            high -= 1
        while low < high and law(low) == lower(low):
            low += 1
        first, last = low + whole.shift, max(high, low + all(tails)) + whole.shift
        parts = [
            *([drawn.up_to(whole, first - 1)] if tails[0] else []),
            *(drawn.part(whole, k) for k in range(first, last)),
        ]
        parts += [drawn.beyond(whole, last)] if tails[1] else []
        chosen = drawn.decide(parts, "a released number")
        k = first + chosen - bool(tails[0])
        if first <= k < last:
            return drawn.value(whole, k)
        ((base, _),) = tails[k >= last]
        ratio = algebra.number(base if k >= last else 1 / base)
        rest = drawn.beyond(whole, k + 1) if k >= last else drawn.up_to(whole, k - 1)
        if drawn.region.shares([drawn.part(whole, k), rest])[1] != ratio:
            raise TiedError("its tails are no geometric ones")
        return _leaf(k, "discrete_geometric" if k >= last else "discrete_reflected_geometric", _shown(ratio), whole)

    def _rounded(self, stepped: Stepped) -> ReleasedLeaf:
        """An integer by the law of the number that is rounded."""
        law = self._named(stepped.number)
        if law is None or stepped.unit != 1:
            raise self._refuse("a rounded number with infinitely many values is released: clamp it")
        how = f"{stepped.step.name.lower()!r}, {_shown(stepped.width)!r}, {stepped.scale}, {stepped.shift}"
        return ReleasedLeaf(f"rounded({law.text!r}, {how})", stepped.kind.__name__)

    def _real(self, number: Linear) -> ReleasedLeaf:
        self._take(number)
        found = None if self._is_tied(number) else self._named(number)
        if found is not None:
            return found
        try:
            return ReleasedLeaf(self._drawn.region.density(number.terms, number.shift).text(), number.kind.__name__)
        except ArithmeticError as error:
            raise self._refuse(f"a number is released of which the law is not known: {error}") from None

    def _named(self, number: Linear) -> ReleasedLeaf | None:
        """A number whose draws met conditions of their own alone, by the name of its law."""
        laws = {self._drawn.region.laws[draw] for draw in number.terms}
        is_free = not any(draw in row.draws for row in self._drawn.region.rows for draw in number.terms)
        is_difference = len(number.terms) == 2 and _is_zero(sum(number.terms.values(), Exact(0)))
        if laws == {BaseLaw.NORMAL} and is_free:
            return _leaf(number.shift, "normal", _shown(sum((c * c for c in number.terms.values()), Exact(0))), number)
        if laws == {BaseLaw.EXPONENTIAL} and is_difference and is_free:
            return _leaf(number.shift, "laplace", _shown(abs(next(iter(number.terms.values())))), number)
        if len(number.terms) != 1:
            return None
        ((_, scale),), (law,) = number.terms.items(), laws
        if is_free:
            return self._of_law(law, number, number.shift, scale)
        low, high = self._drawn.range_of(number)
        if law is BaseLaw.UNIFORM and low is not None and high is not None:
            return _leaf(low, "uniform", _shown(high - low), number)
        if law in _MEMORYLESS and (low is None) != (high is None):
            end = low if low is not None else high
            outwards = abs(scale) if low is not None else -abs(scale)
            if law is BaseLaw.EXPONENTIAL or (end - number.shift) * outwards >= 0:
                return self._of_law(BaseLaw.EXPONENTIAL, number, end, outwards)
        if law in _MEMORYLESS:
            return None
        parameter = scale * scale if law is BaseLaw.NORMAL else scale
        whole = self._of_law(law, number, number.shift, parameter).text
        ends = ", ".join("None" if end is None else repr(_shown(end)) for end in (low, high))
        return ReleasedLeaf(f"between({whole!r}, {ends})", number.kind.__name__)

    def _of_law(self, law: BaseLaw, number: Linear, centre: Any, scale: Exact) -> ReleasedLeaf:
        if scale < 0 and law is BaseLaw.UNIFORM:
            centre = centre + scale
        is_falling = scale < 0 and law in (BaseLaw.EXPONENTIAL, BaseLaw.GUMBEL)
        return _leaf(centre, _NAMES[law], _shown(abs(scale)), number, "-" if is_falling else "+")


def _is_zero(number: Exact) -> bool:
    """Whether it is known to be 0."""
    return isinstance(number.number, Fraction) and not number.number


def _drawn_in(value: Any) -> Iterator[Drawn]:
    """The numbers of an outcome that are drawn, in order."""
    if isinstance(value, Drawn):
        yield value
    elif isinstance(value, DrawnArray):
        yield from (one for one in value.cells.ravel() if isinstance(one, Drawn))
    elif type(value) in (list, tuple):
        for one in value:
            yield from _drawn_in(one)
    elif type(value) is dict:
        for pair in value.items():
            yield from _drawn_in(pair)


def _leaf(centre: Any, name: str, parameter: str, number: Drawn, sign: str = "+") -> ReleasedLeaf:
    return ReleasedLeaf(f"{_shown(Exact(0) + centre)} {sign} {name}({parameter})", number.kind.__name__)


def _shown(exact: Exact) -> str:
    """A number as a text: a fraction, a power of e, or its ends."""
    number = exact.number
    if isinstance(number, Fraction):
        return str(number)
    with suppress(UndecidedOrderError):  # whether it is above 0
        if exact > 0 and isinstance(logarithm := exact.log().number, Fraction):
            return f"exp({logarithm})"
    ends = number.enclosure(_DIGITS)
    return f"in({ends.lower}, {ends.upper})"
