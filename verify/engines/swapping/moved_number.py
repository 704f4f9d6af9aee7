"""How many records have another swapping value after the PSA: proved bounds on both tails, all strata together.

Let N be that number, and t ≥ 0. By Markov's inequality P(N ≤ x) ≤ t^(−x)·E[t^N] for t < 1, and P(N ≥ x) the same for
t > 1 (0⁰ = 1). Strata are independent, so that E[t^N] is a product. In a stratum with c_s records of value s, n in all:

- exactly, E[t^N] = Σ_σ w_k(σ)·t^N(σ), with w_k the probability of one permutation that moves k records. Let A have u on
  its diagonal, 1 between records of one value and t elsewhere: Σ_σ u^(n−k(σ))·t^N(σ) is its permanent, and A is t
  everywhere, plus 1 − t between records of one value, plus v = u − 1 on the diagonal. Expanded over which i records are
  given v and which l pairs of one value 1 − t, it is Σ_il g_il·v^i·(1−t)^l·t^(n−i−l)·(n−i−l)!, where g_il are the
  coefficients of Π_s Σ_il C(c_s, i)·C(c_s−i, l)²·l!·v^i·a^l.
- at t = 0 exactly, Σ_k w_k·[x^k] Π_s Σ_j C(c_s, j)·d(j)·x^j: every value is permuted within itself.
- at most E[y^K], K the number of selected records and y = min(exp(θρ + 2θ²), max(1, t)), where t = e^θ and ρ is the
  probability that two different records of the stratum have different values. P(σ) depends on k(σ) alone, so that,
  given the cycles, the records are in a uniform order on their places, and N is the number of steps of the cycles
  between records of different values: its mean is kρ. Reveal the values on the k places of the cycles one after the
  other. Exchanging two records changes at most 4 steps, so that each revealed value changes the conditional mean
  within an interval of length 4, and Hoeffding's lemma gives E[e^(θN) | cycles] ≤ exp(θkρ + 2kθ²). Also 0 ≤ N ≤ K.
  K is binomial given K ≠ 1: E[y^K] = ((1 − p + py)^n − np(1−p)^(n−1)·y)/(1 − np(1−p)^(n−1)).

Source: article, Algorithm 1; the bounds are of this project.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import comb, factorial, prod

import flint

from stirred.mechanisms.swapping.permutation_counts import column_assignments, derangements
from stirred.spec.blocks.tables import Table
from stirred.spec.numbers.ball import Ball, ball_of, ends_of, precision

LEVEL = Fraction(1, 10**9)
"""The probability of both tails together at which a number is taken for impossible."""

Composition = tuple[int, ...]
"""The numbers of records of a stratum with each swapping value, in order."""

_BITS = 128
_EXACT, _ALL_STAY = 3 * 10**6, 4 * 10**6
"""Work that exact means may take: the sum of n³, and of n² at t = 0, over different compositions."""
_TABLES = 2 * 10**8
"""Work that unchanged tables may take: the sum of n³."""
_POINTS = (
    *(Fraction(0), Fraction(1, 256), Fraction(1, 16)),
    *(1 - Fraction(1, 2**i) for i in range(1, 11)),
    *(1 + Fraction(1, 2**i) for i in range(10, -1, -1)),
    *map(Fraction, (4, 16, 256)),
)
"""The t that are tried."""


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

    def is_refuted(self, moved: int) -> bool:
        """Whether so few, or so many, have a probability of at most half the level."""
        return self.tail(moved) <= LEVEL / 2

    @cached_property
    def range(self) -> tuple[int, int]:
        """The least and the greatest number that is not refuted; some beyond may not be either."""
        most = sum(sum(counts) * number for counts, number in self._open.items())
        if self.rate == 0:
            return 0, 0
        with precision(_BITS):
            level = ball_of(LEVEL / 2).log()
            ends = {t: ends_of((level - mean) / ball_of(1 / t).log()) for t, mean in self._means.items() if t}
        low = max((int(end[0]) + 1 for t, end in ends.items() if t < 1 and end is not None and end[0] >= 0), default=0)
        high = min((-int(-end[1] // 1) - 1 for t, end in ends.items() if t > 1 and end is not None), default=most)
        return low or int(self.is_refuted(0)), min(high, most)

    @cached_property
    def _open(self) -> Mapping[Composition, int]:
        """The strata in which records can move."""
        return {counts: number for counts, number in self.strata.items() if len(counts) > 1}

    @cached_property
    def _means(self) -> Mapping[Fraction, Ball]:
        """The sum of ln E[t^N] over the strata, by t; no smaller."""
        bounded: Counter[tuple[int, int]] = Counter()
        sums = [flint.arb(0) for _ in _POINTS]
        work = stays = 0
        with precision(_BITS):
            for counts, number in sorted(self._open.items(), key=lambda item: sum(item[0])):
                n = sum(counts)
                work, stays = work + n**3, stays + n**2
                if stays <= _ALL_STAY:
                    sums[0] += number * self._all_stay(counts).log()
                if work <= _EXACT:
                    exact = self._exact(counts)
                    sums[1:] = [total + number * one.log() for total, one in zip(sums[1:], exact, strict=True)]
                else:
                    bounded[n, sum(c * c for c in counts)] += number
            for place, t in enumerate(_POINTS):
                if t:
                    terms = (number * self._bound(*key, t).log() for key, number in bounded.items())
                    sums[place] = sum(terms, sums[place])
            return {t: one.upper() for t, one in zip(_POINTS, sums, strict=True)}

    def _weights(self, n: int) -> list[Ball]:
        """w_k for k = 0, …, n, in the present precision."""
        p, others = ball_of(self.rate), ball_of(1 - self.rate)
        accepted = 1 - n * p * others ** (n - 1)
        return [
            flint.arb(0) if k == 1 else p**k * others ** (n - k) / (accepted * derangements(k)) for k in range(n + 1)
        ]

    def _powers(self, n: int) -> list[Ball]:
        """What v^i stands for: Σ_u C(i, u)·(−1)^(i−u)·w_(n−u)."""
        differences, found = self._weights(n)[::-1], []
        while differences:
            found.append(differences[0])
            differences = [after - before for before, after in pairwise(differences)]
        return found

    def _unchanged(self, table: Table) -> Ball:
        """The probability that a stratum keeps its table of two columns: the likelihood of `permutation_counts`."""
        n, (first, second) = sum(map(sum, table)), map(sum, zip(*table, strict=True))
        with precision(_BITS + 16 * n):
            powers, total = self._powers(n), flint.arb(0)
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

    def _exact(self, counts: Composition) -> list[Ball]:
        """E[t^N] at each t but 0; digits that the signs of u − 1 cancel are there in plenty."""
        n, context = sum(counts), flint.fmpz_mpoly_ctx.get(["v", "a"], "lex")
        product = context.constant(1)
        for c in counts:
            product *= context.from_dict(
                {
                    (i, j): comb(c, i) * comb(c - i, j) ** 2 * factorial(j)
                    for i in range(c + 1)
                    for j in range(c - i + 1)
                }
            )
        with precision(_BITS + 16 * n):
            powers = self._powers(n)
            terms = [
                (int(j), int(n - i - j), ways * powers[int(i)] * factorial(n - int(i) - int(j)))
                for (i, j), ways in product.to_dict().items()
            ]
            return [_value(terms, n, t) for t in _POINTS if t]

    def _bound(self, n: int, squares: int, t: Fraction) -> Ball:
        """A ball whose upper end is at least E[t^N] in a stratum of n records, Σ_s c_s² given."""
        p, theta = self.rate, ball_of(t).log()
        differ = Fraction(n * n - squares, n * (n - 1))
        y = (theta * ball_of(differ) + 2 * theta**2).exp().min(ball_of(max(Fraction(1), t)))
        alone = n * ball_of(p) * ball_of(1 - p) ** (n - 1)
        return ((ball_of(1 - p) + ball_of(p) * y) ** n - alone * y) / (1 - alone)


def _value(terms: Sequence[tuple[int, int, Ball]], n: int, t: Fraction) -> Ball:
    """The sum of the terms, each the exponents of 1 − t and t and a factor."""
    stay, move = ([ball_of(base**k) for k in range(n + 1)] for base in (1 - t, t))
    return sum((factor * stay[j] * move[m] for j, m, factor in terms), flint.arb(0))
