"""How many records have another swapping value after the PSA: both tails of all strata together, or bounds on them.

Let N be that number, and t ≥ 0. By Markov's inequality P(N ≤ x) ≤ t^(−x)·E[t^N] for t < 1, and P(N ≥ x) the same for
t > 1 (0⁰ = 1). Strata are independent, so that E[t^N] is a product. In a stratum with c_s records of value s, n in all:

- exactly, E[t^N] = Σ_σ w_k(σ)·t^N(σ), with w_k the probability of one permutation that moves k records. Let A have u on
  its diagonal, 1 between records of one value and t elsewhere: Σ_σ u^(n−k(σ))·t^N(σ) is its permanent, and A is t
  everywhere, plus 1 − t between records of one value, plus v = u − 1 on the diagonal. Expanded over which i records are
  given v and which l pairs of one value 1 − t, it is Σ_il g_il·v^i·(1−t)^l·t^(n−i−l)·(n−i−l)!, where g_il are the
  coefficients of Π_s Σ_il C(c_s, i)·C(c_s−i, l)²·l!·v^i·a^l. The coefficient of t^m is P(N = m) in this stratum. Where
  few records are selected, all but a tiny probability lies on k ≤ m for a small m: w_k = 0 for larger k leaves out
  that probability, and every term with i < n − m. It is 1 less the sum of the coefficients, and added to each bound.
  Where every stratum allows it, the product of these polynomials is the law of N.
- at t = 0 exactly, Σ_k w_k·[x^k] Π_s Σ_j C(c_s, j)·d(j)·x^j: every value is permuted within itself.
- at most E[y^K], K the number of selected records and y = min(exp(θρ + κ·(θ/2 − ln(1 + 2θ)/4)), max(1, t)), where
  t = e^θ, θ > −1/2 (else y = max(1, t)), ρ is the probability that two different records of the stratum have
  different values, and κ = 2(1 − ρ) + 2(max c − 1)/(n − 1) + (max c − min c)/n. P(σ) depends on k(σ) alone, so that,
  given the cycles, the records are in a uniform order on the n places, and N counts the steps of the cycles between
  unlike values: its mean is kρ. Exchange two places, drawn uniformly: N becomes N'. Let Q be the sum of c over the
  values on the k places of the cycles. Then F = n/4·(N − N') − (Q − Q')/2 has the conditional mean f = N − kρ, and
  v = E|F·(N − N')|/2 ≤ 2(k − N) + 2(Q − k)/(n − 1) + k(max c − min c)/n ≤ kκ − 2f, as at most four steps change. By
  exchangeability m(θ) = E[e^(θf) | cycles] has m' = E[F·(e^(θf) − e^(θf'))]/2, so |m'| ≤ |θ|·E[v·e^(θf)] ≤
  |θ|·(kκ·m − 2m'), and ln m ≤ kκ·∫ x/(1 + 2x) dx from 0 to θ (Chatterjee, 2007). Also 0 ≤ N ≤ K.
  K is binomial given K ≠ 1: E[y^K] = ((1 − p + py)^n − np(1−p)^(n−1)·y)/(1 − np(1−p)^(n−1)).
- of few values, what `moved_by_counts` finds.

Source: article, Algorithm 1; the bounds are of this project.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, combinations_with_replacement
from math import comb, factorial, isqrt, prod

import flint

from stirred.mechanisms.swapping.permutation_counts import column_assignments, derangements
from stirred.spec.blocks.tables import Table
from stirred.spec.numbers.ball import Ball, ball_of, ends_of, precision
from stirred.verify.engines.swapping.moved_by_counts import mean_by_counts

LEVEL = Fraction(1, 10**9)
"""The probability of both tails together at which a number is taken for impossible."""

Composition = tuple[int, ...]
"""The numbers of records of a stratum with each swapping value, in order."""

_BITS = 128
_EXACT, _ALL_STAY = 10**7, 2 * 10**6
"""Work that exact laws may take: the sum of m²·Σ_s min(c_s, m), and of n² at t = 0, over different compositions."""
_PRODUCT = 2**16
"""The most records of a file whose law is multiplied out."""
_COUNTS = 1_000
"""The most values of large strata that are bounded by their counts."""
_TABLES = 2 * 10**8
"""Work that unchanged tables may take: the sum of n³."""
_POINTS = (
    *(Fraction(0), Fraction(1, 256), Fraction(1, 16)),
    *(1 - Fraction(k, 2**i) for i in range(2, 12) for k in (3, 2)),
    *(1 + Fraction(k, 2**i) for i in range(11, 0, -1) for k in (2, 3)),
    *map(Fraction, (4, 16, 256)),
)
"""The t that are tried."""
_LEAST_BASE = Fraction(5, 8)
"""No less than e^(−1/2) ≈ 0.607."""
_ONE = flint.arb_poly([1])


@dataclass(frozen=True)
class MovedNumber:
    """N of a file whose strata have these compositions.

    Attributes:
        strata: how many strata have each composition.
    """

    strata: Mapping[Composition, int]
    rate: Fraction

    def tail(self, moved: int, *, at_least: bool = False) -> Fraction:
        """The smaller one of bounds on P(N ≤ moved) and P(N ≥ moved), or with `at_least` a bound on the latter alone.

        >>> MovedNumber({(1,) * 40: 1}, Fraction(1, 2)).tail(0) < Fraction(1, 2**39)
        True
        """
        if self.rate == 0:  # nothing is selected
            return Fraction(int(moved == 0))
        least = Fraction(1)
        with precision(_BITS):
            for t, mean in self._means.items():
                if t > 1 or (not at_least and (t or not moved)):
                    ends = ends_of((mean - moved * ball_of(t).log()).exp() if t else mean.exp())
                    least = least if ends is None else min(least, ends[1])
            for tail in self._tails[int(at_least) :]:
                ends = ends_of(tail[min(moved, len(tail) - 1)])
                least = least if ends is None else min(least, ends[1])
        return least

    def unchanged_tail(self, strata: Sequence[tuple[Table, bool]]) -> Fraction:
        """A number no smaller than the probability that so many strata keep their table.

        Args:
            strata: for each a table of two rows and columns, some categories together, and whether all of its counts
                are as before. What keeps these keeps the table, so that its probability is no smaller. Only the
                smaller strata are looked at, as far as the work allows.
        """
        chosen: list[tuple[Ball, bool]] = []
        known: dict[Table, Ball] = {}
        work = 0
        for table, same in sorted(strata, key=lambda one: sum(map(sum, one[0]))):
            work += 0 if table in known else sum(map(sum, table)) ** 3
            if work > _TABLES:
                break
            if table not in known:
                known[table] = self._unchanged(table)
            chosen.append((known[table], same))
        kept, least = sum(same for _, same in chosen), Fraction(1)
        with precision(_BITS):
            for t in (t for t in _POINTS if t > 1):
                terms = (((1 + q * ball_of(t - 1)) / (ball_of(t) if same else 1)).log() for q, same in chosen)
                ends = ends_of(sum(terms, flint.arb(0)).exp())
                least = least if ends is None else min(least, ends[1])
            ends = ends_of(prod((q for q, _ in chosen), start=flint.arb(1)))
        return least if ends is None or kept < len(chosen) else min(least, ends[1])

    @cached_property
    def range(self) -> tuple[int, int]:
        """The least and the greatest number that is not refuted; some beyond may not be either."""
        most = sum(sum(counts) * number for counts, number in self._open.items())
        if self.rate == 0:
            return 0, 0
        with precision(_BITS):
            level = ball_of(LEVEL / 2).log()
            ends = {t: ends_of((level - mean) / ball_of(1 / t).log()) for t, mean in self._means.items() if t}
            half = ball_of(LEVEL / 2)
            few, many = ([one.upper() <= half for one in tail] for tail in self._tails or ((), ()))
        low = max((int(end[0]) + 1 for t, end in ends.items() if t < 1 and end is not None and end[0] >= 0), default=0)
        high = min((-int(-end[1] // 1) - 1 for t, end in ends.items() if t > 1 and end is not None), default=most)
        most = len(many) - 1 - sum(many) if many else most
        return max(low, sum(few)) or int(self.tail(0) <= LEVEL / 2), min(high, most)

    @property
    def is_law(self) -> bool:
        """Whether the law itself was computed; else its tails are bounded."""
        return bool(self._tails)

    @cached_property
    def _open(self) -> Mapping[Composition, int]:
        """The strata in which records can move."""
        return {counts: number for counts, number in self.strata.items() if len(counts) > 1}

    def _most(self, n: int) -> int:
        """So many of n records, or fewer, are selected in nearly all draws."""
        mean = n * self.rate
        return min(n, int(mean) + isqrt(int(42 * mean * (1 - self.rate))) + 10)

    @cached_property
    def _laws(self) -> Mapping[Composition, Ball]:
        """The laws of the smaller strata, by their compositions, as polynomials."""
        found, work = {}, 0
        for counts in sorted(self._open, key=sum):
            most = self._most(sum(counts))
            work += most**2 * sum(min(c, most) for c in counts)
            if work > _EXACT:
                break
            found[counts] = self._law(counts)
        return found

    @cached_property
    def _tails(self) -> tuple[Sequence[Ball], ...]:
        """P(N ≤ m) and P(N ≥ m) for m = 0, 1, …, where the law of N is multiplied out; else nothing.

        The last is P(N ≥ m) for every larger m, too.
        """
        if len(self._laws) < len(self._open) or sum(self._most(sum(c)) * n for c, n in self._open.items()) > _PRODUCT:
            return ()
        with precision(_BITS):
            masses = prod((self._laws[counts] ** number for counts, number in self._open.items()), start=_ONE).coeffs()
            left = (1 - sum(masses, flint.arb(0))).max(0)
            return tuple(
                [one + left for one in accumulate(side)][::step]
                for side, step in (([*masses, flint.arb(0)], 1), ([flint.arb(0), *reversed(masses)], -1))
            )

    @cached_property
    def _means(self) -> Mapping[Fraction, Ball]:
        """The sum of ln E[t^N] over the strata, by t; no smaller."""
        bounded: Counter[tuple[int, int, int, int]] = Counter()
        sums = [flint.arb(0) for _ in _POINTS]
        stays = 0
        by_counts = self._by_counts
        with precision(_BITS):
            for counts, number in sorted(self._open.items(), key=lambda item: sum(item[0])):
                n = sum(counts)
                stays += n**2
                key = n, sum(c * c for c in counts), max(counts), min(counts)
                if (law := self._laws.get(counts)) is not None:
                    left = (1 - law(1)).max(0)
                    each = [law(ball_of(t)) + left * ball_of(max(t, Fraction(1))) ** n for t in _POINTS]
                    each[1:] = [one.min(self._bound(*key, t)) for one, t in zip(each[1:], _POINTS[1:], strict=True)]
                    sums = [total + number * one.log() for total, one in zip(sums, each, strict=True)]
                    continue
                if stays <= _ALL_STAY:
                    sums[0] += number * self._all_stay(counts).log()
                if counts in by_counts:
                    for place, t in enumerate(_POINTS[1:], 1):
                        least = self._bound(*key, t).min(mean_by_counts(counts, self.rate, ball_of(t)))
                        sums[place] += number * least.log()
                    continue
                bounded[key] += number
            for place, t in enumerate(_POINTS):
                if t:
                    terms = (number * self._bound(*key, t).log() for key, number in bounded.items())
                    sums[place] = sum(terms, sums[place])
            return {t: one.upper() for t, one in zip(_POINTS, sums, strict=True)}

    @cached_property
    def _by_counts(self) -> set[Composition]:
        """The largest strata of few values without a law, as far as the work allows."""
        found = sorted((counts for counts in self._open if counts not in self._laws), key=sum, reverse=True)
        work = accumulate(len(set(counts)) for counts in found)
        return {counts for counts, done in zip(found, work, strict=True) if done <= _COUNTS}

    def _weights(self, n: int) -> list[Ball]:
        """w_k for k = 0, …, n, in the present precision."""
        p, others = ball_of(self.rate), ball_of(1 - self.rate)
        accepted = 1 - n * p * others ** (n - 1)
        return [
            flint.arb(0) if k == 1 else p**k * others ** (n - k) / (accepted * derangements(k)) for k in range(n + 1)
        ]

    def _powers(self, n: int, most: int) -> list[Ball]:
        """What v^i stands for, for i = n − most, …, n: Σ_u C(i, u)·(−1)^(i−u)·w_(n−u) over n − u ≤ most.

        It is i! times the coefficient of x^i in e^(−x)·Σ_u w_(n−u)·x^u/u!.
        """
        least = n - most
        weights = [w / factorial(least + u) for u, w in enumerate(self._weights(n)[most::-1])]
        inverse = [flint.arb((-1) ** u) / factorial(u) for u in range(most + 1)]
        found = (flint.arb_poly(weights) * flint.arb_poly(inverse)).coeffs()
        return [one * factorial(least + i) for i, one in zip(range(most + 1), found, strict=False)]

    def _unchanged(self, table: Table) -> Ball:
        """The probability that a stratum keeps its table of two columns: the likelihood of `permutation_counts`."""
        n, (first, second) = sum(map(sum, table)), map(sum, zip(*table, strict=True))
        with precision(_BITS + 16 * n):
            powers, total = self._powers(n, n), flint.arb(0)
            for kept, ways in enumerate(column_assignments(table, table)):
                if ways:
                    stay = flint.fmpz_poly([1])
                    for margin, same in ((first, kept), (second, second - first + kept)):
                        stay *= flint.fmpz_poly([comb(same, u) * factorial(margin - u) for u in range(same + 1)])
                    total += ways * sum((c * v for c, v in zip(stay.coeffs(), powers, strict=False)), flint.arb(0))
        return total

    def _all_stay(self, counts: Composition) -> Ball:
        """P(N = 0)."""
        ways = flint.fmpz_poly([1])
        for c in counts:
            ways *= flint.fmpz_poly([comb(c, j) * derangements(j) for j in range(c + 1)])
        weights = self._weights(sum(counts))
        return sum((n * w for n, w in zip(ways.coeffs(), weights, strict=False)), flint.arb(0))

    def _law(self, counts: Composition) -> Ball:
        """Σ_m P(N = m)·t^m, of which a little may be missing; digits that the signs of u − 1 cancel are there."""
        n = sum(counts)
        most = self._most(n)
        width, parts = most + 1, []
        for c in counts:  # the coefficient of y^b·a^j stands at b·width + j, where j ≤ b
            ways = [0] * (min(c, most) * (width + 1) + 1)
            for b, j in combinations_with_replacement(range(min(c, most), -1, -1), 2):
                ways[b * width + j] = comb(c, b) * comb(b, j) ** 2 * factorial(j)
            parts.append(flint.fmpz_poly(ways))
        while len(parts) > 1:
            pairs = zip(parts[::2], [*parts[1::2], flint.fmpz_poly([1])], strict=False)
            parts = [one.mul_low(other, width**2) for one, other in pairs]
        with precision(_BITS + 8 * most):
            powers, rows = self._powers(n, most)[::-1], [[flint.arb(0)] * width for _ in range(width)]
            for place, number in enumerate(parts[0].coeffs()):
                b, j = divmod(place, width)
                if number:
                    rows[j][b - j] = number * factorial(b - j) * powers[b]
            law = flint.arb_poly([])
            for row in reversed(rows):
                law = law * flint.arb_poly([1, -1]) + flint.arb_poly(row)
            return law

    def _bound(self, n: int, squares: int, most: int, least: int, t: Fraction) -> Ball:
        """A ball whose upper end is at least E[t^N] in a stratum of n records, Σ_s c_s² and the ends of c_s given."""
        p, theta, y = self.rate, ball_of(t).log(), ball_of(max(Fraction(1), t))
        differ = Fraction(n * n - squares, n * (n - 1))
        if t >= _LEAST_BASE:
            spread = ball_of(2 * (1 - differ) + Fraction(2 * (most - 1), n - 1) + Fraction(most - least, n))
            y = y.min((theta * ball_of(differ) + spread * (theta / 2 - (1 + 2 * theta).log() / 4)).exp())
        alone = n * ball_of(p) * ball_of(1 - p) ** (n - 1)
        return ((ball_of(1 - p) + ball_of(p) * y) ** n - alone * y) / (1 - alone)
