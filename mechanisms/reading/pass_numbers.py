"""The number of a pass of a loop, and what is computed of it: what coins that depend on it are tossed by.

Where pass k goes on with probability c/(k + s), as in Bernoulli(e^−c) of Canonne, Kamath and Steinke (2020), Algorithm
1, a pass is followed once for all k. Whatever else a program does with k then is refused.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.decisions import Decisions
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.refusal import Reader
from stirred.mechanisms.reading.shadows import Shadows
from stirred.mechanisms.reading.symbols import Linear, Symbolic

_MIRRORED = {
    operator.lt: operator.gt,
    operator.gt: operator.lt,
    operator.le: operator.ge,
    operator.ge: operator.le,
}


@dataclass(frozen=True, eq=False, repr=False)
class OfPass(Symbolic):
    """factor·(k + shift), or factor/(k + shift), in pass k ≥ 0; the factor is above 0, the shift at least 1.

    Attributes:
        kind: `int`, `float` or `Fraction`.
    """

    factor: Exact
    shift: int
    kind: type
    is_share: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class ShareEnd(Symbolic):
    """The numerator, or the denominator, of a fraction that depends on the pass, and an integer."""

    share: OfPass
    is_top: bool
    added: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class ShareDraw(Symbolic):
    """An integer that is drawn from 0, …, d − 1 by a fraction's denominator d, and an integer."""

    share: OfPass
    added: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class PassParity(Symbolic):
    """An integer of which is known whether it is even, and no more.

    Attributes:
        example: one such integer.
    """

    example: int


WHOLE_DRAWS = ("randrange", "randbelow", "randint", "integers")


class Spent(Symbolic):
    """What a pass that was followed for all k leaves behind, which depends on k."""


PASS_NUMBERS = (OfPass, ShareEnd, ShareDraw, PassParity, Spent)


class PassNumbers:
    """What is done with them.

    Args:
        reader: whose path is asked, and whose line is named in refusals.
        drawn: the draws of the path.
    """

    def __init__(self, reader: Reader, drawn: Decisions, shadows: Shadows) -> None:
        self._reader = reader
        self._drawn = drawn
        self._shadows = shadows

    def operated(self, op: Callable[..., Any], one: Any, other: Any) -> Any:
        """What an operator makes of two values."""
        number, value = (one, other) if isinstance(one, PASS_NUMBERS) else (other, one)
        is_left = number is one
        if type(value) is int and op in (operator.add, operator.sub) and (is_left or op is operator.add):
            added = value if op is operator.add else -value
            if isinstance(number, PassParity):
                return PassParity(number.example + added)
            if isinstance(number, (ShareEnd, ShareDraw)):
                return replace(number, added=number.added + added)
            is_number = isinstance(number, OfPass) and number.kind is int and not number.is_share
            if is_number and number.factor == 1 and number.shift + added > 0:  # type: ignore[union-attr]
                return replace(number, shift=number.shift + added)  # type: ignore[union-attr, type-var]
        if isinstance(number, PassParity) and is_left and (op, value) in ((operator.mod, 2), (operator.and_, 1)):
            return number.example % 2
        if isinstance(number, OfPass) and op in (operator.mul, operator.truediv) and (op is operator.mul or is_left):
            return self._scaled(number, value, type(op(number.kind(1), value)), is_over=op is operator.truediv)
        if isinstance(number, OfPass) and op is operator.truediv and not number.is_share and number.shift > 0:
            over = replace(number, factor=1 / number.factor, is_share=True)
            return self._scaled(over, value, type(op(value, number.kind(1))))
        raise self._refuse(op.__name__)

    def _scaled(self, number: OfPass, value: Any, kind: type, *, is_over: bool = False) -> OfPass:
        factor = self._shadows.of(value)
        if factor is None or factor <= 0:
            raise self._refuse(f"a product with {value!r}")
        return replace(number, factor=number.factor / factor if is_over else number.factor * factor, kind=kind)

    def compared(self, op: Callable[[Any, Any], Any], one: Any, other: Any) -> bool:
        """What a comparison says of two values, of all passes alike, or by a toss with the probability of the pass."""
        if op not in _MIRRORED:
            raise self._refuse("a comparison")
        if isinstance(other, (ShareDraw, Linear)) or not isinstance(one, Symbolic):
            op, one, other = _MIRRORED[op], other, one
        if isinstance(one, ShareDraw) and isinstance(other, ShareEnd) and other.is_top and one.share is other.share:
            is_strict = op in (operator.lt, operator.ge)
            if other.added - one.added + (not is_strict) == 0:
                return self._toss(one.share) == (op in (operator.lt, operator.le))
        if isinstance(one, ShareDraw) and not one.share.is_share and type(other) is int:
            most = other - one.added + (op in (operator.le, operator.gt))
            share = replace(one.share, factor=most / one.share.factor, is_share=True) if most > 0 else None
            if share is not None:
                return self._toss(share) == (op in (operator.lt, operator.le))
        if isinstance(one, Linear) and isinstance(other, OfPass) and other.is_share and self._is_uniform(one):
            return self._toss(other) == (op in (operator.lt, operator.le))
        bound = None if isinstance(other, Symbolic) else self._shadows.of(other)
        if bound is not None and isinstance(one, (OfPass, ShareEnd)):
            return self._beside(op, one, bound)
        raise self._refuse("a comparison")

    def _beside(self, op: Callable[[Any, Any], Any], one: OfPass | ShareEnd, bound: Exact) -> bool:
        """What it says of a number and a constant, which is the same in all passes."""
        if isinstance(one, OfPass) and one.is_share:  # from 0 to its first value, which it takes
            end, is_rising, is_beyond = one.factor / one.shift, False, bound <= 0
        else:
            end = one.factor * one.shift if isinstance(one, OfPass) else Exact(1 + one.added)
            is_rising, is_beyond = True, False
        if is_beyond:
            return op in (operator.gt, operator.ge)
        is_outside = bound < end if is_rising else bound > end
        if is_outside or (
            bound == end and op in ((operator.ge, operator.lt) if is_rising else (operator.le, operator.gt))
        ):
            return (op in (operator.gt, operator.ge)) is is_rising
        raise self._refuse("a comparison")

    def _is_uniform(self, number: Linear) -> bool:
        """Whether a number is drawn in this pass, is uniform on (0, 1), and nothing is known of it."""
        (draw, scale), *others = number.terms.items()
        region = self._drawn.region
        is_free = draw >= getattr(self._reader.path, "draws", math.inf)
        is_free &= not any(draw in row.draws for row in region.rows)
        return not others and scale == 1 and number.shift == 0 and is_free and region.laws[draw] is BaseLaw.UNIFORM

    def _toss(self, share: OfPass) -> bool:
        toss = getattr(self._reader.path, "toss", None)
        if toss is None or share.factor > share.shift:
            raise self._refuse("a probability that may be above 1, or is asked for outside of its loop,")
        return bool(toss(share))

    def called(self, function: Any, arguments: Sequence[Any]) -> Any:
        """The result of a function."""
        first = arguments[0]
        if function is builtins.isinstance and len(arguments) == 2 and isinstance(first, OfPass | ShareEnd):
            return isinstance(first.kind(1) if isinstance(first, OfPass) else 1, arguments[1])
        if function is Fraction and len(arguments) == 2 and type(first) in (int, Fraction):
            return self.operated(operator.truediv, Fraction(first), arguments[1])
        if function in (Fraction, builtins.float) and len(arguments) == 1 and isinstance(first, OfPass):
            return replace(first, kind=function)
        raise self._refuse(getattr(function, "__name__", "a function"))

    def attribute(self, holder: Any, name: str) -> Any:
        """The attribute of one."""
        is_end = name in ("numerator", "denominator") and isinstance(holder, OfPass) and holder.kind is Fraction
        if is_end and holder.is_share and isinstance(holder.factor.number, Fraction):
            return ShareEnd(holder, name == "numerator")
        raise self._refuse(f".{name}")

    def tossed(self, shown: str, arguments: Sequence[Any], *, is_closed: bool) -> ShareDraw:
        """An integer that is drawn from so many as the pass, or the denominator of its fraction, says.

        Args:
            arguments: the ends, or the upper one alone.
            is_closed: whether the upper end is drawn too.
        """
        low, end = arguments if len(arguments) == 2 else (0, *arguments) if len(arguments) == 1 else (None, None)
        count = None
        if isinstance(end, ShareEnd) and not end.is_top:
            count = replace(end, added=end.added + is_closed - low) if type(low) is int else None
        if isinstance(end, OfPass) and not end.is_share and end.kind is int and low == int(is_closed):
            return ShareDraw(end, low)
        if count is None or count.added != 0:
            raise self._refuse(shown)
        return ShareDraw(count.share, low)

    def _refuse(self, what: str) -> Any:
        return self._reader.refuse(
            f"{what} of what a loop leaves that ends by coins of probability c/k is not read, but for whether k is even"
        )
