"""A grid of rational laws with D_NoR² enclosed between every two of them: what statements about D_NoR are tried on."""

from fractions import Fraction
from functools import cache
from itertools import product

from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import Enclosure
from stirred.verify.engines.zcdp.normalized_renyi import one_sided_supremum

_DIGITS = 7


@cache
def laws_of(outcomes: int, denominator: int) -> tuple[Law[int], ...]:
    """All laws on so many outcomes with this denominator, those with a probability of 0 among them."""
    weights = [w for w in product(range(denominator + 1), repeat=outcomes) if sum(w) == denominator]
    return tuple(Law({i: Fraction(n, denominator) for i, n in enumerate(w)}) for w in weights)


GRID = laws_of(3, 5)
"""The laws tried: 21, of which 6 have full support."""

GRID_SCOPE = "all laws on three outcomes with denominator 5"


def coin(p: Fraction) -> Law[int]:
    """The law (p, 1 − p) on two outcomes."""
    return Law({0: p, 1: 1 - p})


@cache
def one_sided(p: Law[int], q: Law[int]) -> Enclosure | None:
    """sup_{α>1} D_α(P‖Q)/α to 7 digits; None for ∞."""
    found = one_sided_supremum(p, q, digits=_DIGITS)
    return None if found is None else Enclosure(found.lower, found.upper)


@cache
def enclosed(p: Law[int], q: Law[int]) -> Enclosure | None:
    """D_NoR(P, Q)² to 7 digits; None for ∞."""
    forward, backward = one_sided(p, q), one_sided(q, p)
    if forward is None or backward is None:
        return None
    return Enclosure(max(forward.lower, backward.lower), max(forward.upper, backward.upper))
