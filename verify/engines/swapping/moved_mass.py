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

2. Counts. Let C(a, b) be the number of bases where i and j are fixed. At most a of the b records moved in row 2 go to
places in row 1; all others are removable or in 2-cycles of row 2, and so
    (b−a)·C(a, b) ≤ (n₂−b)(b−1)·C(a, b−1) + (n₂−b+1)(n₂−b)·C(a, b−2).
With the masses m = C·(mass in x), for a < b,
    m(a, b) ≤ A·m(a, b−1) + B·m(a, b−2),
    A = o(n₂−b)(b−1)/((k−1)(b−a)),  B = o²(n₂−b+1)(n₂−b)/((k−1)(k−2)(b−a)).

3. `concentrated_budget`, with e₁ = d₁/d < e₂ = d₂/d ≤ 1/2, S = start ≥ 3, E = S + l, l·e₁ ≤ S·(e₂ − e₁), and
K = (1 + e₁)·E. Call a base lopsided if b > E and a < e₁·b, or the same with the rows exchanged.
(3.1) Where b > S and a ≤ e₂·b, with n for n₂: A ≤ o(n−S)/((1−e₂²)(S+1)), B ≤ o²(n−S+1)(n−S)/((1−e₂²)(S+1)S(S−1)).
(3.2) Fix a, and let S' = max(S, a/e₂), E' = max(E, a/e₁). Then (3.1) holds for b > S', row a is lopsided for b > E',
      and E' − S' ≥ l: if S' = a/e₂ ≥ S, then E' − S' ≥ (a/e₂)(e₂/e₁ − 1) ≥ S·(e₂/e₁ − 1).
(3.3) With t < 1 and A·t + B ≤ t² each step gains a factor t beyond S', so that all b > E' together have at most
      t^l/(1−t) times the mass of row a. Over all a, and for both rows: 2·t^l/(1−t) ≤ 2/e.
(3.4) A base that is not lopsided has e₁·b ≤ a and e₁·a ≤ b, so its quotient is at most R*(e₁/(1+e₁));
      or b ≤ E and a < e₁·b (or the same exchanged), so k ≤ K and its quotient is at most f(K).
      Where none is fixed it is at most max{1, o²}; orbits where one is fixed cost at most (n + ½)/o.
(3.5) With κ the largest of these, the mass in x is at most κ times that in x' plus 2/e times itself: the quotient of
      the sums is at most κ/(1 − 2/e) ≤ r.
In Coq: `double_count`, `lopsided_le`, `orbit_kept` and `orbit_fall` prove (3.1) to (3.5), `concentrated_privacy` is the
theorem, and `checks` (proofs/theories/psa_exact/certificate_check.v) says of a certificate's integers that it holds:
`Certificate.is_accepted` is the same function of the same integers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import isqrt

from stirred.spec.arguments import Exact, integer
from stirred.spec.budgets.loss import Loss
from stirred.spec.flavors.permutation_swapping import finite_odds

_SMALLEST = 100
_UNIT = 10**9
PRECISION = 10**12
"""Powers are rounded upward to so many parts of 1, as in Coq."""


@dataclass(frozen=True)
class Certificate:
    """Integers from which e^(2ε) ≤ r follows, in the order of `Numbers` in Coq.

    Attributes:
        b: the largest stratum.
        on, od: the odds, on/od.
        s: S; l: E − S.
        d1, d2, d: e₁ = d1/d and e₂ = d2/d.
        an, bn, tn, u: A = an/u, B = bn/u and t = tn/u.
        e: 2·t^l/(1−t) ≤ 2/e.
        rn, rd: r = rn/rd.
    """

    b: int
    on: int
    od: int
    s: int
    l: int  # noqa: E741 the name in Coq
    d1: int
    d2: int
    d: int
    an: int
    bn: int
    tn: int
    u: int
    e: int
    rn: int
    rd: int

    def is_accepted(self) -> bool:
        """Whether the certificate shows its bound: `checks` in Coq, inequality by inequality."""
        b, on, od, s, l, d1, d2, d = self.b, self.on, self.od, self.s, self.l, self.d1, self.d2, self.d  # noqa: E741
        an, bn, tn, u, e, rn, rd = self.an, self.bn, self.tn, self.u, self.e, self.rn, self.rd
        m, dd = (d + d1) * (s + l), max(0, d * d - d2 * d2)
        are_ordered = 3 <= s <= b and 1 <= d1 < d2 and 2 * d2 <= d and l * d1 <= s * (d2 - d1)
        return (
            are_ordered
            and min(on, od, tn, rd, l) >= 1
            and tn < u
            and e >= 3
            and an * tn + bn * u <= tn * tn
            and power_up(tn * PRECISION, u * PRECISION, l) * e <= PRECISION * (u - tn)
            and on * (b - s) * d * d * u <= an * dd * (s + 1) * od
            and on * on * (b - s + 1) * (b - s) * d * d * u <= bn * dd * (s + 1) * s * (s - 1) * od * od
            and ((2 * m + 5 * d) * od * od + (2 * m + 2 * d) * on * od) * rd * e <= 2 * d * rn * (e - 2) * on * on
            and (on * on * d * d1 + (od * od + on * od) * (d + d1) ** 2) * rd * e <= rn * (e - 2) * on * on * d * d1
            and on * on * rd <= rn * od * od
            and (2 * b + 1) * rd * od <= 2 * rn * on
        )


@lru_cache(maxsize=256, typed=True)
def concentrated_budget(size: int, swap_rate: Exact) -> Loss | None:
    """A budget ½·ln r, r ≈ n/o, for every stratum of up to n records in two categories.

    The bound of `concentrated_certificate`; for large n about half of the printed budget, ½·(ln n − ln o). None where
    there is no certificate, as for small p·n; for n < 100 none is tried.
    """
    found = concentrated_certificate(size, swap_rate)
    return None if found is None else Loss(Fraction(found.rn, found.rd), 2)


@lru_cache(maxsize=256, typed=True)
def concentrated_certificate(size: int, swap_rate: Exact) -> Certificate | None:
    """The certificate of `concentrated_budget`, which Coq's `checks` accepts.

    S and l are searched for, each where the bound is smallest; e₁ = 1/S costs nothing beside them.
    """
    n, o = integer("size", size, minimum=2), finite_odds(swap_rate)
    if n < _SMALLEST:
        return None

    @cache
    def at(start: int) -> Certificate | None:
        return _least(1, n, lambda length: _certificate(n, o, start, length))

    return _least(3, n, at)


def _least(low: int, high: int, at: Callable[[int], Certificate | None]) -> Certificate | None:
    """The certificate of the smallest bound: bounds fall and then rise, and before they fall there may be none."""
    while high - low > 2:
        left, right = low + (high - low) // 3, high - (high - low) // 3
        one, other = at(left), at(right)
        if other is None or (one is not None and one.rn <= other.rn):
            low, high = (left, high) if one is None else (low, right)
        else:
            low = left
    return min(filter(None, map(at, range(low, high + 1))), key=lambda found: found.rn, default=None)


def _certificate(b: int, o: Fraction, start: int, length: int) -> Certificate | None:
    """The certificate with this S and l; None where it has no t < 1, or l is too short."""
    on, od = o.as_integer_ratio()
    d2 = 1 - -length // start
    d = max(start, 2 * d2)
    m, dd = (d + 1) * (start + length), d * d - d2 * d2
    an = _up(on * (b - start) * d * d * _UNIT, dd * (start + 1) * od)
    two = on * on * (b - start + 1) * (b - start) * d * d * _UNIT
    bn = _up(two, dd * (start + 1) * start * (start - 1) * od * od)
    tn = max(1, (an + isqrt(an * an + 4 * bn * _UNIT)) // 2 + 1)
    if tn >= _UNIT:
        return None
    e = PRECISION * (_UNIT - tn) // power_up(tn * PRECISION, _UNIT * PRECISION, length)
    if e < 3:
        return None
    bounds = (
        _up(((2 * m + 5 * d) * od * od + (2 * m + 2 * d) * on * od) * e, 2 * d * (e - 2) * on * on),
        _up((on * on * d + (od * od + on * od) * (d + 1) ** 2) * e, (e - 2) * on * on * d),
        _up(on * on, od * od),
    )  # (b + 1/2)/o is below the first: t < 1 gives o(b − S) < S + 1
    return Certificate(b, on, od, start, length, 1, d2, d, an, bn, tn, _UNIT, e, max(bounds), 1)


def _up(numerator: int, denominator: int) -> int:
    """A quotient, rounded upward."""
    return -(-numerator // denominator)


def power_up(t: int, w: int, exponent: int) -> int:
    """(t/w)^k in parts of w, from above, for k ≥ 1: `power_up` in Coq."""
    if exponent == 1:
        return t
    half = power_up(t, w, exponent // 2)
    square = half * half // w + 1
    return t * square // w + 1 if exponent % 2 else square
