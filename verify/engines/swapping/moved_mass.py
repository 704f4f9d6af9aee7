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

4. If the rows are balanced, n₁ > (1−p)·n₂, all bases with few moved in one row are negligible (`balanced_budget`): from
the first two inequalities of 2 for rising b (`_ascent`) and from (3.1) for b above the turn (`_descent`). What is left
has a quotient of at most R*(η). This step is not in Coq. The constants are exact, rounded upward.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from spec.arguments import Exact, InputError, integer, probability
from spec.loss import Loss
from spec.permutation_swapping import odds

__all__ = ["balanced_budget", "concentrated_budget"]

_SCALE = 1 << 256
_NEGLIGIBLE = Fraction(1, 1000)
_SMALLEST = 100
_LEAP = 8
_WIDENINGS = (Fraction(1, 10), Fraction(1, 30), Fraction(1, 100), Fraction(1, 300))
_ETAS = (
    *(Fraction(k, 64) for k in range(31, 16, -1)),
    *(Fraction(k, 128) for k in range(32, 16, -1)),
    *(Fraction(k, 512) for k in range(66, 4, -1)),
)
_DELAYS = (Fraction(1, 300), Fraction(1, 100), Fraction(1, 30), Fraction(1, 10))


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


@lru_cache(maxsize=256, typed=True)
def balanced_budget(first: int, second: int, swap_rate: Exact) -> Loss | None:
    """A budget ½·ln(max{o², (1 + δ)·R*(η)}) that does not grow with n, for row totals with n₁ > (1−p)·n₂, n₁ ≤ n₂.

    Args:
        first: the records in one of the two categories, ≥ 2.
        second: those in the other one.
        swap_rate: p in (0, 1), exact.

    Returns:
        The best of a list of certificates; None where none closes: n too small, or the categories too unequal. For
        n < 1000 none is tried.

    Raises:
        InputError: a total is not an int ≥ 2, or p is inexact or outside (0, 1).
    """
    totals = integer("first", first, minimum=2), integer("second", second, minimum=2)
    o = _odds(swap_rate)
    if sum(totals) < 10 * _SMALLEST:
        return None
    best: Fraction | None = None
    for widening in _WIDENINGS:
        low, high = 0, len(_ETAS)  # a smaller η closes more easily and bounds less: look for the largest that closes
        while low < high:
            middle = (low + high) // 2
            quotient = _mixed_quotient(_ETAS[middle], o)
            if best is not None and quotient >= best:
                high = middle
                continue
            defect = _imbalance(*totals, _ETAS[middle], widening, o)
            if defect is None or defect > _NEGLIGIBLE:
                low = middle + 1
                continue
            found = max(o * o, (1 + defect) * quotient)
            best = found if best is None else min(best, found)
            high = middle
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


def _most_moved(bound: Fraction, o: Fraction) -> int:
    """The largest k with (k + 5/2)/o² + (k + 1)/o ≤ bound."""
    return floor((bound - Fraction(5, 2) / (o * o) - 1 / o) / (1 / (o * o) + 1 / o))


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


def _imbalance(first: int, second: int, eta: Fraction, widening: Fraction, o: Fraction) -> Fraction | None:
    """δ: the mass outside ηk ≤ a ≤ (1−η)k with a quotient above R*(η), relative to the rest; None if not shown."""
    harmless = _most_moved(_mixed_quotient(eta, o), o)
    defects = (
        _one_side((first, second), eta, widening, o, harmless),
        _one_side((second, first), eta, widening, o, harmless),
    )
    if defects[0] is None or defects[1] is None:
        return None
    return defects[0] + defects[1]


def _one_side(
    totals: tuple[int, int], eta: Fraction, widening: Fraction, o: Fraction, harmless: int
) -> Fraction | None:
    """The relative mass of k > harmless and a < ηk, where a of the first total and b of the second are moved."""
    few, many = totals
    e1 = eta / (1 - eta)
    e2, e3 = e1 * (1 + widening), e1 * (1 + 2 * widening)
    smallest = max(1, ceil(Fraction(harmless) / (1 + e1)))
    if smallest * (1 / e1 - e3) < _LEAP + 1:
        return None
    for delay in _DELAYS:
        turn = ceil((1 + delay) * o * many / (o + 1 - e2 * e2))
        if turn <= smallest:
            continue
        if turn >= many:
            whole = _ascent(few, smallest, many, (e2, e3), o)
            return None if whole is None else whole[0]
        theta = _descent(many, turn, e2, o)
        rising = None if theta is None else _ascent(few, smallest, turn, (e2, e3), o)
        if theta is None or rising is None:
            continue
        falling = 2 * _power(theta, floor(turn * (e2 / e1 - 1) / 2)) / (1 - theta)
        found = rising[0] + rising[1] * 4 * theta / (1 - theta) + falling
        if found <= _NEGLIGIBLE:
            return found
    return None


def _ascent(
    few: int, smallest: int, largest: int, levels: tuple[Fraction, Fraction], o: Fraction
) -> tuple[Fraction, Fraction] | None:
    """Bounds of δ_b, the mass of a ≤ e₂·b + 1 relative to that at a = T(b) = ⌈e₃·b⌉ + 8: over all b, and at the end.

    From a ≥ 1 each step up to T gains λ·a/(a+1), with λ = o(n₁−1−T)/(T+b+4) > 1; from 0 there is one step to 2. The
    b from `smallest` to `largest` are taken in blocks, with the worst constants of each; the end holds the last two.
    """
    e2, e3 = levels
    if _gain(few, largest, e3, o) <= 1:
        return None
    worst = last = before = Fraction(0)
    low = smallest
    while low <= largest:
        high = min(largest, low + low // 20)
        top = ceil(e3 * high) + _LEAP
        shrink = 1 / _gain(few, high, e3, o)
        steps = ceil((e3 - e2) * low) + _LEAP - 1
        before = last
        from_zero = 2 * Fraction(high + 4) ** 2 / (o * o * (few - 1) * (few - 2))
        last = top * _power(shrink, steps) / (1 - shrink)
        last += from_zero * top / 2 * _power(shrink, ceil(e3 * low) + _LEAP - 2)
        if last > _NEGLIGIBLE:
            return None
        worst = max(worst, last)
        low = high + 1
    return worst, max(before, last)


def _gain(few: int, b: int, e3: Fraction, o: Fraction) -> Fraction:
    """λ at T(b), which falls in b."""
    top = ceil(e3 * b) + _LEAP
    return o * (few - 1 - top) / (top + b + 4)
