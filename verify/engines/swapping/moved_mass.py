"""How the records moved by the PSA divide between two holding categories, given its output: a budget for large strata.

Setting: two rows, o > 0, tables x, x', z of one universe, where x' arises from x by taking one record i from (1, s),
one record j from (2, s') and exchanging their columns. G: the permutations that turn x into z; a and b: how many
records of row 1 and of row 2 a permutation moves, k = a + b; w_k = o^k/d(k); D_k = d(k+1)/d(k), k ≤ D_k ≤ k + 3/2
for k ≥ 2. The same permutation, read in x', moves i and j unless g(i) = j or g(j) = i. A moved record v is
*removable* if the record before it in its cycle is in its row and the cycle is longer than 2: taking it out of its
cycle gives a permutation that still produces z. Conversely a fixed record of row h can be put behind any of the moved
records of row h.

1. Orbits. Take i and j out if they are removable; G falls into orbits with one base each. If both are fixed in the
base, with a, b, k of the base, the orbit has the masses w_k + k·w_{k+1} + ab·w_{k+2} in x and (1+a)(1+b)·w_{k+2} in
x'; if only i is fixed, w_k + a·w_{k+1} in x and at least (1+a)·w_{k+1} in x' (if o > D_k, at least a·w_{k+1} + w_k: no
less than in x); if none is fixed, the mass in x is at most max{1, o²} times that in x'. So the quotient R of an
orbit is at most f(k) = (k + 5/2)/o² + (k + 1)/o, or max{1, o²}; and if ηk ≤ a ≤ (1−η)k it is at most
R*(η) = 1 + (1 + o)/(o²·η·(1 − η)). In Coq: `loose_sum` and `exchange_le` of insertion.v, for the bound f(k).

2. Counts. Let C(a, b) be the number of bases of one kind (both fixed; only i fixed; only j fixed). Putting a fixed
record of row 1 in: (a+1)·C(a+1, b) ≥ a·(n₁−1−a)·C(a, b), and C(2, b) ≥ C(n₁−1, 2)·C(0, b) by 2-cycles. At most a of
the b records moved in row 2 go to places in row 1; all others but two are removable or in 2-cycles of row 2, and so
(b−a−2)·C(a, b) ≤ (n₂−b+1)(b−1)·C(a, b−1) + (n₂−b+2)(n₂−b+1)·C(a, b−2). With the masses m = C·(mass in x):
    m(a+1, b) ≥ m(a, b)·a/(a+1)·o·(n₁−1−a)/(k+4) for a ≥ 1,   m(2, b) ≥ m(0, b)·o²·(n₁−1)(n₁−2)/(2(b+4)²),
    m(a, b) ≤ A·m(a, b−1) + B·m(a, b−2) for a < b − 2,
    A = o(n₂−b+1)(b−1)/((k−1)(b−a−2)),  B = o²(n₂−b+2)²/((k−1)(k−2)(b−a−2)).
The first holds for bases where i is fixed, which are the ones whose quotient is large when a is small against k.

3. `concentrated_budget`, with e₁ < e₂ < 1, S = start ≥ 6, E = end, K = ⌈(1 + e₁)·E⌉. Call a base lopsided if b > E and
a < e₁·b, or the same with the rows exchanged.
(3.1) Where b > S and a ≤ e₂·b: A ≤ o(n−S+1)/((1+e₂)·slack) and B ≤ o²(n−S+2)²/((S−1)(S−2)·slack), with
      slack = (1−e₂)S − 2; their sum is θ (`_descent`). For (k−1)(b−a−2) falls in a, (b−1)/((1+e₂)b−1) ≤ 1/(1+e₂), and
      the rest falls in b.
(3.2) Fix a, and let S' = max(S, a/e₂), E' = max(E, a/e₁). Then (3.1) holds for b > S', row a is lopsided for b > E',
      and E' − S' ≥ min(E − S, S·(e₂/e₁ − 1)) ≥ 2·length: if S' = a/e₂ ≥ S, then E' − S' ≥ (a/e₂)(e₂/e₁ − 1).
(3.3) For b > S', m(a, b) ≤ θ·max{m(a, b−1), m(a, b−2)}: two steps gain a factor θ, so that all b > E' together have at
      most 2·θ^length/(1−θ) times the mass of row a. Over all a, and for both rows: δ = `defect` = 4·θ^length/(1−θ).
(3.4) A base that is not lopsided has e₁·b ≤ a and e₁·a ≤ b, so η = e₁/(1+e₁) and its quotient is at most R*(η);
      or b ≤ E and a < e₁·b (or the same exchanged), so k ≤ K and its quotient is at most f(K).
      Where none is fixed it is at most max{1, o²}. The largest of these is κ = `kept`.
(3.5) The mass in x is at most κ times that in x' plus δ times itself: the quotient of the sums is at most κ/(1−δ).
In Coq: `double_count`, `lopsided_le`, `orbit_kept` and `orbit_fall` prove (3.1) to (3.5) for the bases where both are
fixed, with a sharper rate: t < 1 with A·t + B ≤ t² in place of θ for two steps; orbits where one is fixed cost at most
(n + ½)/o, which the certificate covers. `concentrated_privacy` is the theorem and `checks` its certificate.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from spec.arguments import Exact, InputError, integer, probability
from spec.loss import Loss
from spec.permutation_swapping import odds

__all__ = ["concentrated_budget"]

_SCALE = 1 << 256
_NEGLIGIBLE = Fraction(1, 1000)
_SMALLEST = 100


@lru_cache(maxsize=256, typed=True)
def concentrated_budget(size: int, swap_rate: Exact) -> Loss | None:
    """A budget ½·ln(max{o², R*(η), f(K)}/(1 − δ)), K ≈ p·n, for every stratum of up to n records in two categories.

    Nothing but n₂ ≤ n enters, through A and B, which rise with n₂.

    Args:
        size: n ≥ 2, the records of the largest such stratum.
        swap_rate: p in (0, 1), exact.

    Returns:
        The best of a list of certificates; for large n about half of the printed budget, ½·(ln n − ln o). None where
        no certificate of the list closes, as for small p·n; for n < 100 none is tried.

    Raises:
        InputError: size is not an int ≥ 2, or p is inexact or outside (0, 1).
    """
    n, o = integer("size", size, minimum=2), _odds(swap_rate)
    if n < _SMALLEST:
        return None
    p = o / (1 + o)
    best: Fraction | None = None
    for e1, e2, above, gap in _concentration_parameters():
        start = ceil(p * n * (1 + above))
        end = ceil(start * (1 + gap))
        kept = max(o * o, _mixed_quotient(e1 / (1 + e1), o), _orbit_quotient(ceil((1 + e1) * end), o))
        if end >= n or (best is not None and kept >= best):
            continue
        theta = _descent(n, start, e2, o)
        if theta is None:
            continue
        length = floor(min(Fraction(end - start), start * (e2 / e1 - 1)) / 2)
        defect = 4 * _power(theta, length) / (1 - theta)
        if defect < _NEGLIGIBLE:
            found = kept / (1 - defect)
            best = found if best is None else min(best, found)
    return None if best is None else Loss(best, 2)


def _odds(swap_rate: Exact) -> Fraction:
    p = probability("swap_rate", swap_rate)
    if p in (0, 1):
        raise InputError(f"swap_rate must be between 0 and 1, exclusive, for a finite budget; got {swap_rate!r}")
    return odds(p)


def _concentration_parameters() -> Iterator[tuple[Fraction, Fraction, Fraction, Fraction]]:
    steps = tuple(Fraction(1, d) for d in (300, 100, 30, 10, 3, 1))
    for shift in range(1, 8):
        e1 = Fraction(1, 2**shift)
        for e2 in (e1 * Fraction(11, 10), e1 * Fraction(3, 2), 2 * e1):
            if e2 < 1:
                for above in steps:
                    for gap in steps:
                        yield e1, e2, above, gap


def _mixed_quotient(eta: Fraction, o: Fraction) -> Fraction:
    """R*(η)."""
    return 1 + (1 + o) / (o * o * eta * (1 - eta))


def _orbit_quotient(moved: int, o: Fraction) -> Fraction:
    """f(k)."""
    return (moved + Fraction(5, 2)) / (o * o) + (moved + 1) / o


def _descent(total: int, start: int, ratio: Fraction, o: Fraction) -> Fraction | None:
    """θ < 1 with A + B ≤ θ wherever b > start and a ≤ ratio·b; None if there is none or b is too small.

    In a, (k−1)(b−a−2) falls; (b−1)/((1+ratio)b−1) ≤ 1/(1+ratio); the rest falls in b.
    """
    slack = (1 - ratio) * start - 2
    if slack <= 0 or start < 6:
        return None
    one = o * (total - start + 1) / ((1 + ratio) * slack)
    two = (o * (total - start + 2)) ** 2 / ((start - 1) * (start - 2) * slack)
    theta = one + two
    return theta if 0 <= theta < 1 else None


def _power(base: Fraction, exponent: int) -> Fraction:
    """base^exponent for 0 ≤ base < 1, rounded upward to a multiple of 2^-256."""
    factor = -(-base.numerator * _SCALE // base.denominator)
    result = _SCALE
    while exponent:
        if exponent & 1:
            result = -(-result * factor // _SCALE)
        factor = -(-factor * factor // _SCALE)
        exponent >>= 1
    return Fraction(result, _SCALE)
