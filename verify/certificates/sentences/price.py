"""What the evaluation of expressions may cost: each step is paid for before it is done."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from fractions import Fraction
from typing import Any

__all__ = ["Account", "SentenceError", "TooDearError", "require"]

_MOST_STEPS = 1_000_000_000
_MOST_PLACES = 20_000_000
_MOST_BITS = 400_000
_MOST_DEPTH = 200
_MOST_ALIKE = 64
_MOST_KNOWN = 100_000
_SHORT = 512
_SMALL = 2**62


class SentenceError(Exception):
    """The certificate is malformed, or a sentence is not as it says."""


class TooDearError(SentenceError):
    """An expression would cost more than the limits allow, so that nothing is said about it."""


def require(is_right: object, message: str) -> None:
    """Raise unless something is right.

    Raises:
        SentenceError: it is not; with the message.
    """
    if not is_right:
        raise SentenceError(message)


class Account:
    """What is left for one certificate: steps of about 100 ns each, and for the values of one case, places in memory.

    Attributes:
        digits: to how many digits ln, exp and sqrt are enclosed at present.
        down, up: decimals of so many digits, rounded towards each end.
    """

    def __init__(self) -> None:
        self._steps = _MOST_STEPS
        self._known: dict[int, tuple[Any, tuple[int, int, int]]] = {}  # sizes by id, of values that are kept so long
        self.begin(0)

    def begin(self, digits: int) -> None:
        """Begin to evaluate a case: what others before it held in memory is free."""
        self.digits, self._places = digits, _MOST_PLACES
        self._known.clear()
        modes = (ROUND_FLOOR, ROUND_CEILING)
        self.down, self.up = (Context(max(1, digits), mode, -(10**9), 10**9) for mode in modes)

    def pay(self, steps: int) -> bool:
        """Pay for steps; returns True.

        Raises:
            TooDearError: no such steps are left.
        """
        self._steps -= steps
        if self._steps < 0:
            raise TooDearError(f"too dear: its sentences take more than {_MOST_STEPS:,} steps")
        return True

    def hold(self, places: int) -> None:
        """Pay for a new value with so many parts.

        Raises:
            TooDearError: the values of the case have too many.
        """
        self.pay(places)
        self._places -= places
        if self._places < 0:
            raise TooDearError(f"too dear: the values of one case have more than {_MOST_PLACES:,} parts")

    def long(self, bits: int) -> None:
        """Pay for a new number of so many bits, by its square as for all arithmetic with fractions.

        Raises:
            TooDearError: it is too long.
        """
        if bits > _MOST_BITS:
            raise TooDearError(f"too dear: a number would have more than {_MOST_BITS:,} bits")
        self.pay(2 + (bits * bits >> 15))
        if bits > _SHORT:
            self.hold(bits >> 6)

    def bits(self, number: Any) -> int:
        """The bits of a number; of one that is enclosed, which pays for its decimals itself, and of what is none, 0."""
        kind = type(number)
        if kind is int:
            return number.bit_length()  # type: ignore[no-any-return]
        if kind is Fraction:
            return number.numerator.bit_length() + number.denominator.bit_length()  # type: ignore[no-any-return]
        return 0

    def weighed(self, value: Any) -> Any:
        """The value itself, after paying for a look at all its parts: a comparison, a hash, a text.

        Raises:
            TooDearError: they are too many, or nested too deeply.
        """
        self.pay(1 if type(value) is int and -_SMALL < value < _SMALL else self.size(value)[0])
        return value

    def size(self, value: Any, depth: int = 0) -> tuple[int, int, int]:
        """The steps of a look at all parts of a value, how deep they are nested, and the bits of the longest number.

        Raises:
            TooDearError: they are nested too deeply.
        """
        if not isinstance(value, (tuple, frozenset, dict)):
            bits = self.bits(value)
            return (1 + len(value) // 8 if isinstance(value, str) else 2 + (bits * bits >> 15)), 0, bits
        if known := self._known.get(id(value)):
            return known[1]
        steps, below, longest = 1 + len(value), 0, 0
        if depth <= _MOST_DEPTH:
            for part in (*value, *value.values()) if isinstance(value, dict) else value:
                if type(part) is not int or not -_SMALL < part < _SMALL:
                    more, deep, bits = self.size(part, depth + 1)
                    steps, below, longest = steps + more, max(below, deep), max(longest, bits)
        if depth + below >= _MOST_DEPTH:
            raise TooDearError(f"too dear: a value is nested more than {_MOST_DEPTH} deep")
        self.pay(1 + len(value))
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[id(value)] = value, (found := (steps, 1 + below, longest))
        return found

    def hashed(self, members: Sequence[Any]) -> Sequence[Any]:
        """Values that are to be the members of a set, or the keys of a map, after paying for it.

        Raises:
            TooDearError: too many have one hash, so that they would be compared one by one.
        """
        self.hold(4 * len(members))
        self.weighed(tuple(members))
        if len(members) > _MOST_ALIKE:
            found: dict[int, list[Any]] = {}
            for member in members:
                alike = found.setdefault(hash(member), [])
                if member not in alike:
                    alike.append(member)
                if len(alike) > _MOST_ALIKE:
                    raise TooDearError("too dear: the members of a set have too many hashes in common")
        return members
