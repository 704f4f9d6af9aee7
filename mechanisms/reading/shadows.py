"""The exact number behind a double: what a program's floats stand for, kept beside them and never handed to it.

A literal stands for the decimal that is written; e^x, ln x and the operations of arithmetic stand for what they mean.
A double that a library made is only known to lie near its value. NumPy carries out its functions a second time on
arrays of the exact numbers, so that these say the same of a sum, a norm or a softmax.
"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from stirred.mechanisms.reading.exact import Exact, lifted, near
from stirred.spec.numbers.reals.real import Real, UndecidedOrderError

_ROUNDED = Fraction(1, 1 << 30)
"""How far, relatively, a double may lie from the exact number that its computation means."""

_MOST_CELLS = 4_096


class Shadows:
    """The exact numbers behind the floats of one run, by the objects that hold them.

    A double that is far from its exact number (an underflow, a cancellation) stands for no number that is known; one
    that was computed before the program began, for one near to it.
    """

    are_doubles = False

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Any]] = {id(one): (one, Exact(1).exp()) for one in (math.e, np.e)}

    def of(self, value: Any) -> Exact | None:
        """The number that a concrete value stands for; None where none is known."""
        if isinstance(value, (float, np.floating)) and id(value) in self._known:
            return self._known[id(value)][1]  # type: ignore[no-any-return]
        if isinstance(value, np.floating) and value == 0:  # of an array that a library read: it may have been too small
            return None
        found: Exact | None = lifted(value)
        return found

    def of_array(self, array: Any) -> Any:
        """The numbers that an array stands for, as an array of objects; None where some are not known."""
        found = self.cells(array)
        return None if found is None or any(one is None for one in found.ravel()) else found

    def cells(self, array: Any) -> Any:
        """The same, with None for each number that is not known; None where there are too many, or no numbers."""
        if array.dtype.kind not in "fiub" or array.size > _MOST_CELLS:
            return None
        known = self._known.get(id(array))
        if known is None or known[1].shape != array.shape:  # from now on its views share what is known
            cells = array_of(map(lifted, array.ravel().tolist()), array.shape)
            self._known[id(array)] = (array, cells)
            return cells
        pairs = list(zip(array.ravel().tolist(), known[1].ravel(), strict=True))
        if all(exact is None or _are_near(one, exact) for one, exact in pairs):
            return known[1]
        cells = [exact if exact is not None and _are_near(one, exact) else None for one, exact in pairs]
        return array_of(cells, array.shape)

    def written(self, array: Any, cells: Any, exactly: Callable[[], Any]) -> None:
        """An array was changed in place, of which, and of whose views, these cells were known."""
        if cells is None:
            return
        try:
            exact = exactly()
        except (TypeError, ValueError, ArithmeticError):
            exact = None
        cells[...] = None if exact is None else exact
        self.note(array, cells)

    def changed(self, array: Any) -> None:
        """A library has written to the array."""
        if array.size <= _MOST_CELLS:
            cells = [near(one) if math.isfinite(one) else None for one in array.ravel().tolist()]
            self.note(array, array_of(cells, array.shape))

    def note(self, value: Any, exact: Any) -> Any:
        """The value, of which it is now known what it stands for."""
        if isinstance(value, np.ndarray):
            if value.dtype.kind == "f" and isinstance(exact, np.ndarray) and exact.shape == value.shape:
                self._known[id(value)] = (value, exact)
        elif isinstance(value, (float, np.floating)):  # 0 is unknown where it may be a number that was too small
            is_known = isinstance(exact, Exact) and math.isfinite(value) and _are_near(float(value), exact)
            self._known[id(value)] = (value, exact if is_known else None)
        return value

    @staticmethod
    def is_written(value: float) -> bool:
        """Whether a double stands for a decimal that a person may have written."""
        found = lifted(value)
        return found is not None and isinstance(found.number, Fraction)

    def is_faithful(self, value: Any) -> bool:
        """Whether every double in a value is the nearest one to a rational: they are ordered as what they stand for."""
        if isinstance(value, np.ndarray):
            cells = self.cells(value) if value.dtype.kind == "f" else None
            if cells is None:
                return bool(value.dtype.kind != "f")
            return all(_is_nearest(*pair) for pair in zip(value.ravel().tolist(), cells.ravel(), strict=True))
        if isinstance(value, (list, tuple, set, frozenset)):
            return all(map(self.is_faithful, value))
        if isinstance(value, dict):
            return all(self.is_faithful(one) for pair in value.items() for one in pair)
        is_float = isinstance(value, (float, np.floating)) and math.isfinite(value)
        return not is_float or _is_nearest(float(value), self.of(value))

    def iterated_cells(self, array: Any) -> list[Any]:
        """The doubles of an array, each with what is known of it."""
        cells = self.cells(array)
        if cells is None:
            return [math.pi]  # no double is this number
        return [self.note(float(one), exact) for one, exact in zip(array.ravel().tolist(), cells.ravel(), strict=True)]

    def is_exact(self, value: Any) -> bool:
        """Whether every double in a value is the very number that it stands for."""
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            return all(map(self.is_exact, self.iterated_cells(value)))
        if isinstance(value, (list, tuple)):
            return all(map(self.is_exact, value))
        if not isinstance(value, (float, np.floating)) or not math.isfinite(value):
            return True
        exact = self.of(value)
        return exact is not None and exact.number == Fraction(float(value))

    def is_noted(self, value: Any) -> bool:
        """Whether it is known of this very object what it stands for."""
        return id(value) in self._known

    def carried(self, value: Any, *, has_integers: bool = False) -> Any:
        """A value with every float in it as the exact number: what NumPy carries out a second time.

        Args:
            value: an argument.
            has_integers: whether an integer is a number, too, and no axis or length.

        Raises:
            ValueError: a double stands for no number that is known.
        """
        is_number = isinstance(value, (float, np.floating)) or (has_integers and isinstance(value, (int, np.integer)))
        if is_number or isinstance(value, np.ndarray):
            found = self.of_array(value) if isinstance(value, np.ndarray) else self.of(value)
            if found is None and (is_number or value.dtype.kind == "f"):
                raise ValueError("a double stands for no number that is known")
            return value if found is None or (is_number is False and value.dtype.kind == "b") else found
        if type(value) in (list, tuple):
            return type(value)(self.carried(one, has_integers=True) for one in value)
        return value

    def noted(self, value: Any, exact: Any) -> Any:
        """A result with what it stands for; near its value where that is not known.

        Args:
            value: of a function of NumPy, or of a library.
            exact: of the same function, carried out on exact numbers; None where it failed.
        """
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            if isinstance(exact, np.ndarray) and exact.shape == value.shape and exact.dtype == object:
                if value.base is not None and all(type(one) is Exact for one in exact.ravel()):
                    return self.note(value, exact)  # a view, as the cells are
                cells = [_number(one) for one in exact.ravel()]
                if all(one is not None for one in cells):
                    return self.note(value, array_of(cells, value.shape))
            if value.size <= _MOST_CELLS and not self.is_noted(value):
                cells = [near(one) if math.isfinite(one) else None for one in value.ravel().tolist()]
                return self.note(value, array_of(cells, value.shape))
            return value
        if isinstance(value, (float, np.floating)) and math.isfinite(value):
            if (number := _number(exact)) is not None:
                return self.note(value, number)
            if not self.is_noted(value):
                self._known[id(value)] = (value, near(float(value)))
            return value
        if type(value) in (list, tuple):
            parts = exact if type(exact) is type(value) and len(exact) == len(value) else [None] * len(value)
            return type(value)([self.noted(one, part) for one, part in zip(value, parts, strict=True)])
        return value


def _number(exact: Any) -> Exact | None:
    """What a second computation gave, where it is exact."""
    return None if isinstance(exact, (float, np.floating)) else lifted(exact)


def _is_nearest(value: float, exact: Exact | None) -> bool:
    if exact is None:
        return not math.isfinite(value)
    return isinstance(exact.number, Fraction) and float(exact.number) == value


def _are_near(value: float, exact: Exact) -> bool:
    """Whether a double may be the rounding of an exact number, after the steps of a computation."""
    number = exact.number
    with contextlib.suppress(OverflowError):
        if isinstance(number, Fraction) and number.numerator / number.denominator == value:
            return True
    ends = (number, number) if isinstance(number, Fraction) else _ends(number)
    radius = abs(Fraction(value)) * _ROUNDED
    return ends[0] <= Fraction(value) + radius and ends[1] >= Fraction(value) - radius


@functools.lru_cache(maxsize=1_024)
def _ends(number: Real) -> tuple[Fraction, Fraction]:
    found = number.enclosure(30)
    return found.lower, found.upper


def array_of(cells: Iterable[Any], shape: Sequence[int] | None = None) -> Any:
    """An array of objects: put in one by one, since NumPy would ask each whether it is a sequence."""
    cells = list(cells)
    made = np.empty(len(cells), dtype=object)
    for place, one in enumerate(cells):
        made[place] = one
    return made if shape is None else made.reshape(shape)


def differ(value: Any, exact: Any) -> bool:
    """Whether a truth or an integer that doubles gave is another one than exact numbers give."""
    try:
        return bool(np.any(np.asarray(value) != np.asarray(exact)))
    except (UndecidedOrderError, TypeError, ValueError):
        return True
