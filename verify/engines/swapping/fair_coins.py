"""Bounds of the PSA's total variation and Rényi divergences in a large universe of two rows, by fair coins.

Setting: one stratum with two rows of n₁ and n₂ records, n = n₁ + n₂; x' exchanges the value s of a record i of row 1
with the value u of a record j of row 2, where c_s and c_u records have these values. S are the selected records, T of
them, and σ is their permutation without a fixed point: r gets the value of σ(r), its image.

1. Coins. Pair selected records of row 1 with selected ones of row 2, by S alone, M pairs (r, q). A pair is free if
   neither image is r or q. Let C be the free pairs whose images are not i or j, one with the value s, one with u. To
   exchange the images of a pair of C keeps S, the probability and C. So given all but that, fair independent coins
   decide which of a pair has which: with N = |C| and B binomial (N, 1/2), row 1 has Y + B times s from x and Y' + B
   times from x', |Y − Y'| ≤ 1. Each f-divergence of the outputs is at most the mean over N of that of B + 1 and B, by
   joint convexity, and this decreases with N, as one more coin is a mixture.

2. Few coins are rare. Let V be the selected ones among m records of value s other than i, and K the number of selected
   records of value u other than j. But for 5·e^−τ, T, the selected numbers of both rows, and K are within √(τ·k/2) of
   their means over k trials (Hoeffding). Take the v of V in turn, and reveal who has the image v and, if that record r
   is paired, the image of its partner q. Given what is known, the completions are the bijections of k ≥ T − 2m points
   without some fixed points, k!/3 at least. One with two given new images, of r and q, has the chance
   (1 − 12/(k−1))/T² at least: exchange the images of r and of whoever has v, and then those of q and of whoever has the
   other; a fixed point arises, or the two interfere, with a chance of 12/(k−1) at most. At least 2(M − m)(K − m − 2)
   choices make a coin: its chance is π at least. With a chance of ω = 3·m·T/(k−1)² at most the image of q is in V, and
   a v is lost. Let such a trial use two draws of chance π' = π(1 − ω/(1−π)), both lost: N is at least binomial
   (|V|, π'), and so binomial (m, p·π'). The condition |S| ≠ 1 multiplies chances by less than 1 + 10^−9.

3. Total variation: at most the mean of the largest mass of B, 2^−N·C(N, ⌊N/2⌋), and 5·e^−τ.

4. Rényi: let P_x(z) ≤ r·P_x'(z) for all tables at distance 2, ln r = L. With f(y) = y^α − 1 − α(y − 1) up to r, and
   its tangent beyond, e^((α−1)·D_α) is 1 + the f-divergence, for α > 1: at most the mean over N of that of B + 1 and B,
   plus 5·e^−τ times the largest, α·r^(α−1). D_α increases with α and is at most L: up to the largest order A that is
   tried, D_α/α ≤ D_k/(k − 1) for the next k, and beyond it L/A.

5. An exchange of s with t is one with u in between, in either order of the two that the table allows: D_NoR and the
   total variation are metrics (claim renyi.weak-triangle), and add up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, isqrt

import flint

from stirred.spec.arguments import InputError
from stirred.spec.numbers.ball import Ball, ball_of, ends_of, precision

_BITS, _BLOCKS, _REST = 192, 40, 30
_SPARE = 1 + Fraction(1, 10**9)
"""What the condition |S| ≠ 1 costs at most."""


@dataclass(frozen=True)
class FairCoins:
    """What hides an exchange of the values s and u between two rows, as bounds that hold for all tables.

    Attributes:
        rows: n₁ and n₂.
        values: c_s and c_u.
        rate: p.
        followed: m < c_s.
        nats: τ.
    """

    rows: tuple[int, int]
    values: tuple[int, int]
    rate: Fraction
    followed: int
    nats: int

    def _off(self, trials: int) -> int:
        """√(τ·k/2), rounded up."""
        return isqrt(self.nats * trials // 2) + 1

    @cached_property
    def chance(self) -> Fraction:
        """p·π': each of m records makes a coin with at least this chance, independently."""
        n, m, p = sum(self.rows), self.followed, self.rate
        most, fewest = n * p + self._off(n), n * p - self._off(n) - 2 * m - 1
        pairs = min(row * p - self._off(row) for row in self.rows)
        others = (self.values[1] - 1) * p - self._off(self.values[1])
        if not 0 < m < self.values[0] or min(fewest - 12, pairs - m, others - m - 2) <= 0:
            raise InputError(f"followed must be in 1, ..., {self.values[0] - 1} and small beside the rows; got {m}")
        coin = 2 * (pairs - m) * (others - m - 2) / most**2 * (1 - 12 / fewest)
        return p * coin * (1 - 3 * m * most / (fewest**2 * (1 - coin)))

    def total_variation(self) -> Fraction:
        """An upper bound of the total variation, by 3."""
        with precision(_BITS):
            mean = sum((mass * _largest_mass(n) for n, mass in self._numbers()), flint.arb(0))
            return _upper(mean * ball_of(_SPARE) + self._rare())

    def renyi(self, ratio: Fraction, orders: Sequence[int]) -> Fraction:
        """An upper bound of D_α/α for all α > 1, by 4; `orders` increase from 2 to A, `ratio` is r."""
        with precision(_BITS):
            most = ball_of(ratio).log()
            found = [_upper(most / orders[-1])]
            for before, order in zip((1, *orders), orders, strict=False):
                found.append(min(_upper(most / before), _upper(self._divergence(ratio, order) / before)))
            return max(found)

    def _divergence(self, ratio: Fraction, order: int) -> Ball:
        """An upper bound of D_k, k an integer."""
        largest = order * ball_of(ratio) ** (order - 1)
        mean = sum((mass * _shifted(n, ratio, order) for n, mass in self._numbers()), flint.arb(0))
        return (mean * ball_of(_SPARE) + self._rare() * largest).log() / (order - 1)

    def _rare(self) -> Ball:
        return 5 * flint.arb(-self.nats).exp()

    def _numbers(self) -> Iterator[tuple[int, Ball]]:
        """Numbers of coins with the masses of binomial (m, p·π') from each to the next; the last has all the rest."""
        m, p = self.followed, ball_of(self.chance)
        mass, odds = (1 - p) ** m, p / (1 - p)
        middle, start, block, rest = int(m * self.chance), 0, flint.arb(0), flint.arb(1)
        width = 1 + middle // _BLOCKS
        for n in range(m):
            block += mass
            mass *= odds * (m - n) / (n + 1)
            if (n + 1) % width == 0:
                yield start, block
                start, rest, block = n + 1, rest - block, flint.arb(0)
                if n > middle and rest.upper() < flint.arb(2) ** -_REST:
                    break
        yield start, rest


def _largest_mass(n: int) -> Ball:
    """The largest mass of a binomial (n, 1/2)."""
    return flint.arb(comb(n, n // 2)) / 2**n


def _shifted(n: int, ratio: Fraction, order: int) -> Ball:
    """1 + the f-divergence of B + 1 from B, by 4, which is 2^−n·Σ_k C(n, k)·f(k/(n + 1 − k)) and its part at n + 1."""
    r, at = ball_of(ratio), ratio.denominator
    slope = order * (r ** (order - 1) - 1)
    at_ratio = r**order - 1 - order * (r - 1)
    total = slope
    for k in range(n + 1):
        y = flint.arb(k) / (n + 1 - k)
        is_below = k * at <= ratio.numerator * (n + 1 - k)
        total += comb(n, k) * (y**order - 1 - order * (y - 1) if is_below else at_ratio + slope * (y - r))
    return 1 + total / 2**n


def _upper(ball: Ball) -> Fraction:
    ends = ends_of(ball)
    if ends is None:
        raise InputError("the working precision is too low for these orders")
    return ends[1]
