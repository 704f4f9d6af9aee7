"""Whether counts are the nearest ones: prices that prove it, or other counts that are nearer.

For prices λ of the forms and π of the rows, every point z that meets the rows has

    loss(z) ≥ Σ min over integers y of (w·(y − t)² − λ·y) + Σ π·side + min over z of (Aᵗλ − Bᵗπ)·z

with A the forms, B the rows, their lower side where π > 0, the upper one where π < 0, and each z within its bounds.
The loss is an integer, so a bound above that of the released counts less 1 proves that no others are nearer. Prices
come from linear programs in floats (SciPy); the bound is computed in exact integers and fractions, so a bad price
proves nothing. Where a program has no integers as its answer, one of its columns is split in two.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.spec.arguments import InputError
from stirred.verify.products.release_checks.question import NearestQuestion

_DENOMINATORS = (1, 2, 12, 5040, 2**20)
"""By which prices are rounded, one after the other: at a corner of the program they are small fractions."""

_MOST_ROUNDS = 200
_MOST_PARTS = 200
"""Into which a question is split."""

_WHOLE = Fraction(1, 10**6)
"""How near to an integer a solution is taken for one; what it is taken for is checked."""

Sides = tuple[int, int | None]
"""The smallest and largest value of a column."""


class Nearness(Enum):
    """What is known of the released counts."""

    NEAREST = "no others are nearer"
    NOT_NEAREST = "others are nearer"
    OPEN = "neither is shown"


@dataclass(frozen=True)
class NearnessFound:
    """An answer."""

    known: Nearness
    nearer: tuple[int, ...] = ()
    loss: int = 0


def nearness(question: NearestQuestion) -> NearnessFound:
    """Whether the released counts are nearest."""
    program = _Program(question)
    parts: list[list[Sides]] = [[(0, high) for high in question.highs]]
    for _ in range(_MOST_PARTS):
        if not parts:
            return NearnessFound(Nearness.NEAREST)
        sides = parts.pop()
        answer = program.answered(sides)
        if isinstance(answer, NearnessFound):
            if answer.known is not Nearness.NEAREST:
                return answer
            continue
        column, value = answer
        low, high = sides[column]
        for one in ((low, floor(value)), (floor(value) + 1, high)):
            parts.append([*sides[:column], one, *sides[column + 1 :]])
    return NearnessFound(Nearness.OPEN)


def bound_by_prices(
    question: NearestQuestion, sides: Sequence[Sides], forms: Sequence[Fraction], rows: Sequence[Fraction]
) -> Fraction | None:
    """A lower bound of the loss of all points between the sides that meet the rows; None where there is none.

    >>> from stirred.verify.products.release_checks.question import MeasuredSum
    >>> sum_is_3 = ("sum", ((0, 1), (1, 1)), 3, 3)
    >>> one = NearestQuestion(2, (sum_is_3,), (MeasuredSum((0,), 7, 1), MeasuredSum((1,), 1, 1)), (3, 0), (3, 3))
    >>> one.released_loss, bound_by_prices(one, [(0, 3), (0, 3)], [Fraction(-8), Fraction(-1)], [Fraction(-8)])
    (17, Fraction(17, 1))
    """
    found = Fraction(0)
    slopes = [Fraction(0)] * question.columns
    for form, price in zip(question.forms, forms, strict=True):
        best = form.target + price / (2 * form.weight)
        found += min(form.weight * (y - form.target) ** 2 - price * y for y in (floor(best), ceil(best)))
        if price:
            for column in form.columns:
                slopes[column] += price
    for (_, terms, lower, upper), price in zip(question.rows, rows, strict=True):
        side = lower if price > 0 else upper
        if price and side is None:
            return None
        if price and side is not None:
            found += price * side
            for column, entry in terms:
                slopes[column] -= price * entry
    for slope, (low, high) in zip(slopes, sides, strict=True):
        side = low if slope >= 0 else high
        if side is None:
            return None
        found += slope * side
    return found


@dataclass
class _Program:
    """The loss as a linear program: a column for each form and one for its square, which lies above lines.

    Each line goes through the square of two integers beside each other, so that what the program finds is exact at
    integers; lines are added where it looks.
    """

    question: NearestQuestion
    lines: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._known: set[tuple[int, int]] = set()
        self._scale = max((form.weight for form in self.question.forms), default=1)
        self._at = [sum(self.question.released[one] for one in form.columns) for form in self.question.forms]
        for number, value in enumerate(self._at):
            self._add(number, value - 1)
            self._add(number, value)

    def _add(self, form: int, value: int) -> bool:
        """Add the line through the square at an integer and the next one."""
        if (form, value) in self._known:
            return False
        self._known.add((form, value))
        self.lines.append((form, value))
        return True

    def answered(self, sides: Sequence[Sides]) -> NearnessFound | tuple[int, Fraction]:
        """What is known between these sides; or a column to be split, with its value in between."""
        question = self.question
        for _ in range(_MOST_ROUNDS):
            solved = self._solved(sides)
            if solved is None:
                if self._is_empty(sides):
                    return NearnessFound(Nearness.NEAREST)
                return NearnessFound(Nearness.OPEN)
            values, forms, rows = solved
            for denominator in _DENOMINATORS:
                bound = bound_by_prices(question, sides, _rounded(forms, denominator), _rounded(rows, denominator))
                if bound is not None and bound > question.released_loss - 1:
                    return NearnessFound(Nearness.NEAREST)
            if self._look(values):
                continue
            whole = np.rint(values)
            apart = np.abs(values - whole)
            if (apart <= _WHOLE.numerator / _WHOLE.denominator).all():
                point = tuple(int(value) for value in whole)
                if question.loss(point) < question.released_loss and question.broken(point) is None:
                    decided = point[: len(question.released)]
                    return NearnessFound(Nearness.NOT_NEAREST, decided, question.loss(point))
                return NearnessFound(Nearness.OPEN)
            column = int(np.argmax(apart))
            return column, Fraction(values[column])
        return NearnessFound(Nearness.OPEN)

    def _look(self, values: NDArray[np.float64]) -> bool:
        """Add lines where a solution is; whether some are new."""
        is_new = False
        for number, form in enumerate(self.question.forms):
            value = values[list(form.columns)].sum()
            nearest = int(np.rint(value))
            if abs(value - nearest) * _WHOLE.denominator <= 1:
                is_new |= self._add(number, nearest - 1) | self._add(number, nearest)
            else:
                is_new |= self._add(number, floor(value))
        return is_new

    def _solved(self, sides: Sequence[Sides]) -> Any:
        """The columns of a best solution with the prices of forms and rows; None where there is none."""
        question = self.question
        counts, forms = question.columns, len(question.forms)
        square = counts + forms  # after the counts stand the forms' differences from what was released, then squares
        equal = _Matrix(counts + 2 * forms)
        for number, form in enumerate(question.forms):
            equal.add([*((one, 1) for one in form.columns), (counts + number, -1)], self._at[number])
        under = _Matrix(counts + 2 * forms)
        places = _with_rows(question, equal, under)
        for number, value in self.lines:
            form, at = question.forms[number], self._at[number]
            slope = form.weight * (2 * (value - form.target) + 1)
            high = form.weight * ((value - form.target) ** 2 - (at - form.target) ** 2) - slope * (value - at)
            terms = [(counts + number, slope), (square + number, -self._scale)]
            under.add(terms, -high)
        bounds = [*sides, *[(None, None)] * (2 * forms)]
        costs = [0] * square + [1] * forms
        done = _linear_program(costs, under, equal, bounds)
        if done.status != 0:
            return None
        prices_equal, prices_under = done.eqlin.marginals * self._scale, done.ineqlin.marginals * self._scale
        of_forms = [-price for price in prices_equal[:forms]]
        return done.x[:counts], of_forms, _of_rows(places, prices_equal, prices_under)

    def _is_empty(self, sides: Sequence[Sides]) -> bool:
        """Whether prices prove that no point between the sides meets the rows."""
        question = self.question
        counts, rows = question.columns, len(question.rows)
        slack = iter(range(counts, counts + 2 * rows))
        equal, under = _Matrix(counts + 2 * rows), _Matrix(counts + 2 * rows)
        places = _with_rows(question, equal, under, slack)
        bounds = [*sides, *[(0, None)] * (2 * rows)]
        done = _linear_program([0] * counts + [1] * (2 * rows), under, equal, bounds)
        if done.status != 0:
            return False
        prices = _of_rows(places, done.eqlin.marginals, done.ineqlin.marginals)
        without_loss = NearestQuestion(counts, question.rows, (), question.released, question.most)
        bounds_found = (
            bound_by_prices(without_loss, sides, (), _rounded(prices, denominator)) for denominator in _DENOMINATORS
        )
        return any(bound is not None and bound > 0 for bound in bounds_found)


class _Matrix:
    """A sparse matrix with right-hand sides, row by row."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.rows: list[int] = []
        self.places: list[int] = []
        self.entries: list[int] = []
        self.sides: list[int] = []

    def add(self, terms: Sequence[tuple[int, int]], side: int) -> int:
        """Add a row; returns its number."""
        number = len(self.sides)
        self.rows += [number] * len(terms)
        self.places += [column for column, _ in terms]
        self.entries += [entry for _, entry in terms]
        self.sides.append(side)
        return number

    def arrays(self) -> tuple[Any, Any]:
        """As SciPy takes them."""
        from scipy.sparse import csr_array  # noqa: PLC0415 an optional dependency

        if not self.sides:
            return None, None
        shape = (len(self.sides), self.columns)
        entries = np.array(self.entries, dtype=np.float64)
        return csr_array((entries, (self.rows, self.places)), shape=shape), np.array(self.sides, dtype=np.float64)


_Place = tuple[bool, int, int]
"""Whether a side of a row is an equation, its number, and the sign of its price."""


def _with_rows(question: NearestQuestion, equal: _Matrix, under: _Matrix, slack: Any = None) -> list[list[_Place]]:
    """Add the rows of a question, each side with slack where it is given; where the sides of each row stand."""
    found: list[list[_Place]] = []
    for _, terms, lower, upper in question.rows:
        more = [] if slack is None else [(next(slack), -1), (next(slack), 1)]
        if lower is not None and lower == upper:
            found.append([(True, equal.add([*terms, *more], lower), 1)])
            continue
        own: list[_Place] = []
        if upper is not None:
            own.append((False, under.add([*terms, *more], upper), 1))
        if lower is not None:
            negative = [(column, -entry) for column, entry in [*terms, *more]]
            own.append((False, under.add(negative, -lower), -1))
        found.append(own)
    return found


def _of_rows(places: Sequence[Sequence[_Place]], equal: Any, under: Any) -> list[Any]:
    return [sum(sign * (equal if is_equal else under)[number] for is_equal, number, sign in own) for own in places]


def _rounded(prices: Sequence[Any], denominator: int) -> list[Fraction]:
    return [Fraction(round(price * denominator), denominator) for price in prices]


def _linear_program(costs: Sequence[int], under: _Matrix, equal: _Matrix, bounds: Sequence[Any]) -> Any:
    try:
        from scipy.optimize import linprog  # noqa: PLC0415 slow to load, and an optional dependency
    except ImportError:
        raise InputError("scipy must be installed to check a release: pip install scipy") from None
    matrix, sides = under.arrays()
    equations, values = equal.arrays()
    return linprog(costs, matrix, sides, equations, values, bounds, method="highs-ds")
