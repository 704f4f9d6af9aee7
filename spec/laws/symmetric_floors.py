"""The distribution function of a law on ℤ that is symmetric about 0, as exact floors at a number of binary digits."""

from collections.abc import Callable, Sequence

import flint

from stirred.spec.arguments import InputError, positive_integer
from stirred.spec.numbers.ball import Ball, precision

_MORE_BITS = (128, 1024)
"""Bits of the working precision beyond those asked for: at first, and at most."""


def symmetric_floors(bits: int, reach: int, tails: Callable[[], Sequence[Ball]]) -> tuple[int, list[int]]:
    """(least, floors) with floors[i] = ⌊2^bits·P(X ≤ least + i)⌋, exact, and least = −reach.

    By P(X ≤ x) = 1 − P(X ≥ x+1) for x ≥ 0 and P(X ≤ −x) = P(X ≥ x); the precision rises until no ball holds an integer.

    Args:
        reach: how far the list goes; beyond it the floors are 0 and 2^bits − 1.
        tails: gives P(X ≥ x) for x = 0, …, reach + 1, in the present precision; each lies strictly between 0 and 1.

    >>> symmetric_floors(2, 1, lambda: [flint.arb(count) / 16 for count in (12, 4, 1)])
    (-1, [1, 3, 3])
    """
    size = positive_integer("bits", bits)
    first, most = _MORE_BITS
    working = size + first
    while working <= size + most:
        with precision(working):
            unit, found = flint.arb(2) ** size, tails()
            numbers = [found[x] for x in range(reach, 0, -1)] + [1 - found[x + 1] for x in range(reach + 1)]
            floors = [_floor(number * unit, size) for number in numbers]
        settled = [floor for floor in floors if floor is not None]
        if len(settled) == len(floors):
            return -reach, settled
        working *= 2
    raise InputError(f"bits must separate every P(X <= x) from a multiple of 2^-bits; {bits} do not")


def _floor(ball: Ball, bits: int) -> int | None:
    """The floor of a number in a ball that is known to lie strictly between 0 and 2^bits; None where it is not told."""
    least, largest = (end.floor().unique_fmpz() for end in (ball.lower(), ball.upper()))
    if least is None or largest is None:
        return None
    low, high = max(int(least), 0), min(int(largest), 2**bits - 1)
    return low if low == high else None
