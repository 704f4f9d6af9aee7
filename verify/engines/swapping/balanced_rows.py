"""A budget of the PSA for two large categories that does not grow with n, close to the worst exact loss.

Setting: two rows A ∋ i and B ∋ j of one stratum, n₁ and n₂ records, n = n₁ + n₂, m₁ = n₁ − 1, m₂ = n₂ − 1, m = m₁ + m₂;
o > 0 the odds. x' arises from x by exchanging the columns of i and j, G are the permutations that turn x into an output
z, k(g) is the number of records that g moves, w(k) = o^k/d(k), D_k = d(k+1)/d(k), k ≤ D_k ≤ k + 3/2 for k ≥ 2. The mass
of g is w(k(g)) in x, and in x' w(k') with k' = k + [g(i) = i] − [g(i) = j] + [g(j) = j] − [g(j) = i].

1. Orbits. A record is *at home* in g if the record before it in its cycle is in its row (it may be the record itself).
   Where i is at home, g is τ·g₀ with a unique g₀ ∈ G that fixes i, and τ = (i u) for a u ∈ A, or τ = 1: if g₀ moves u,
   this puts i behind u, and if not, it makes the cycle (i u).
   Both at home: g₀ fixes i and j and moves a and b other records, k = a + b. Over its orbit the mass in x is at most
   X(k) = w(k) + k·w(k+1) + (m−k)·w(k+2) larger than in x', where it is at least (1+a)(1+b)·w(k+2).
   One at home, say i: the masses of the orbit in x and in x' are equal. With l before j in g₀, τ = 1 and τ = (i l)
   exchange their masses, and all others keep theirs.
   None at home: w(k) in x and w(k−2), w(k−1) or w(k) in x'.
   So P_x(z) ≤ r·P_x'(z) where r ≥ 1 bounds the quotient of the masses with none at home, and the sum of X(a+b) over all
   bases g₀ is at most r − 1 times that of (1+a)(1+b)·w(a+b+2).

2. Counts. C(a, b): the bases that move a and b records; of the a moved ones, φ have the one before them in B, and then
   φ of the b have it in A. Putting a fixed record behind a moved one of its row, and making a cycle of two fixed ones,
   keep z and φ. Over the bases with one φ:
       a(m₁−a)·C(a, b) ≤ (a+1−φ)·C(a+1, b),    m₁(m₁−1)·C(0, b) ≤ 2·C(2, b),
       (b+2−φ)·C(a, b+2) ≤ (b+1)(m₂−b−1)·C(a, b+1) + (m₂−b)(m₂−b−1)·C(a, b);
   the last term is at most (b+1)(m₂−b−1)/b times C(a, b+1), by the first inequality for B. So for 1 ≤ a ≤ b+1, 1 ≤ b
       a(m₁−a)·b(b+2)·C(a, b+2) ≤ (a+1)(m₂−b−1)(b+1)²·C(a+1, b+1)
   when a record is transferred: φ is gone, since (a+1−φ)/(a+1) ≤ (b+2−φ)/(b+2).

3. Chains. M(a, b) = C(a, b)·X(a+b), λ = 1 + 1/E. As o·X(k) ≤ (k+κ)·X(k+1) for k ≥ 1, if κ ≥ 5 and κ ≥ o, a·M(a, b)
   grows by λ with a as long as o(m₁−a) ≥ λ(a+b+κ). As X depends on a + b alone, a·(1 + 1/(b−1))·C(a, b) grows by λ
   when a record is transferred from B to A, as long as m₁ − a ≥ λ(m₂ − b + 1) and a + 2 ≤ b. A point (a, b), a ≥ 1, is
   *near* the axis if the former inequality holds at (a+ℓ, b), and *far* from balance if a + 2ℓ ≤ b and the latter one
   holds at (a+ℓ, b−ℓ). Then M(a, b) is at most δ = 2·m₁·λ^−ℓ times M(a+ℓ, b) or M(a+ℓ, b−ℓ): all near points together
   have at most δ times the mass of all points, and so have the far ones. If a = 0, M(0, b) ≤ ρ·M(2, b) with
   ρ = 2(m₂+κ+1)²/(o²·m₁(m₁−1)). All this with A and B exchanged, too.

4. The other points have a, b ≥ a₀ ≥ 3 and a ≤ R·b, b ≤ R·a. There X(k) ≤ q·(1+a)(1+b)·w(k+2) with
   q = (1+o)/o²·(1+R)²/R + m/(1+a₀)²: the bases cost at most r − 1 = q/(1−δ'), δ' = 4·δ·(1+ρ)².
   None at home: the same with X(k) = w(k+2), given which of g(i) = j and g(j) = i hold. Points that are not near have
   k ≥ a₀ ≥ o, where w falls: their masses in x are no larger than in x', and r ≥ 1/(1−δ') is enough.

5. The limit. Let n grow with n₁/n and n₂/n fixed, n₁ ≤ n₂. With E ~ √n and ℓ ~ √n·(ln n)² the certificate tends to the
   corner where o(n₁−a) = a + b and n₁ − a = n₂ − b, that is n₁ − a = n₂ − b = c = n/(2+o), if n₁ > c, and
       r → 1 + (1+o)·c²/((n₁−c)(n₂−c)) = n₁n₂/((n₁−c)(n₂−c)),
   since a + b = o·c there. It is approached: let the records of row 1 fill one column, those of row 2 another one, and
   z = x. Then all are at home, C(a, b) = C(m₁, a)·C(m₂, b)·d(a)·d(b), and M is concentrated at this corner: the
   quotient is the inverse of the mean of ab/(n₁n₂), but for o(1).

6. Below the threshold, n₂ < c, that is n₂ < (1−p)·n₁, the loss of that universe is ½·ln n + O(1). More generally, let a
   row B of n₂ records fill a column, and let E say that its records keep it; the M = n − n₂ others are free, and x'
   exchanges a record of B with one of them. With b and e moved ones the mass of E in x is the sum of
   C(n₂, b)·d(b)·C(M, e)·d(e)·w(b+e). As d(k) ≤ k! and k! ≤ 3·d(k) for k ≠ 1, and as C(M, e)·e!/(e+ℓ)! is
   C(M+ℓ, e+ℓ)·M!/(M+ℓ)!, the sum over e of C(M, e)·d(e)·w(e+ℓ) is at most 3·(1+o)^M·t^ℓ with t = (1+o)/(M+1), by the
   binomial theorem, and at ℓ = 0 it is at least (1+o)^M/2. So b has a law that falls like (n₂·t)^b where n₂·t < 1, and
   over all exchanges the masses add up to at most 3·(1+o)^M·M·(1+t)·2·n₂·t/(1−n₂·t)²: P_x(E)/P_x'(E) is at least
   (1−n₂·t)²/(12·t·(1+t)) for one of them, which grows like n, and x and x' are at distance 2. It grows no faster
   (`two_category_budget`). At n₂ = c it is ¼·ln n + O(1) (claim psa.exact.critical).

7. More categories. Let two rows A and B of n_A and n_B records fill a column each, and let the M others be free; x'
   exchanges a record of A with one of B, and E says that all records of A and of B keep their columns. As in 6, the
   exchanges have at most 3·(1+o)^M·(2·n_A·t/(1−n_A·t)²)·(2·n_B·t/(1−n_B·t)²), and P_x(E)/P_x'(E) is at least
   (1−n_A·t)²·(1−n_B·t)²/(24·t²) for one of them, which grows like n²: the loss is ln n + O(1), as printed. For H equal
   rows and columns this is so if p < 1 − 1/(H−2): from four categories on, to be equal does not help where p is small.

8. Large swap rates. If every row has more than (1−p+t)·n records, t > 0, the loss stays bounded as n grows, however
   many rows and columns there are. 1 to 3 hold as they are but for transfers, with k = a + b + e where e records of
   other rows move, and m = n − 2; and if i is at home, j is not and the record before j is not in A, the mass of an
   orbit in x is at most w(k) larger than in x', where it is at least (1+a)·w(k+1). None at home: as in 4. Points that
   are not near have o(m₁−a) ≤ k + s·n and k ≤ a + n − n₁, for any s > 0 and n large: a is at least a share of n, and
   so is b. There X(k) is at most a constant times (1+a)(1+b)·w(k+2), and w(k) one times (1+a)·w(k+1). So an exchange
   costs at most a constant; the difference of two data sets at distance d is a sum of circuits whose lengths add up to
   d, and each takes fewer exchanges than that.

In Coq: `home` and `foreign` prove 1, `transfer` and `chains` 2 and 3, `balanced` 4, and `balanced_budget` has the
theorem that a certificate is a budget; `checked_sizes` has those of Table 1 and of two equal rows, as they are found
here; `balanced_limit` proves that the limit in 5 is not exceeded, and `limit_attained` that it is approached, by
other means: but for constants, n₁ − a and n₂ − b have a trinomial law, and Chebyshev's inequality bounds how far from c
they are. `filled_costs` and `lower_halves` prove 6 and 7. The rest of 5, and 8, are in words.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import ceil, floor

from stirred.spec.arguments import Exact, InputError, exact, integer
from stirred.spec.budgets.loss import Loss
from stirred.spec.flavors.permutation_swapping import finite_odds

_BITS = 64
_PARTS, _SHORT = 1_000, 1_000_000
_LOST = tuple(Fraction(1, d) for d in (100, 1_000, 10_000))
_GROWTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300, 500, 1_000)


@dataclass(frozen=True)
class BalancedCertificate:
    """The constants of the argument, as `balances` of the Coq theory `balanced` takes them.

    Attributes:
        rows: n₁ and n₂.
        odds: o.
        growth: E: chains grow by λ = 1 + 1/E.
        span: ℓ, their steps.
        spare: κ.
        least: a₀.
        ratio: R.
        share: δ, for both rows.
        edge: ρ, for both rows.
        quotient: r, a bound of P_x(z)/P_x'(z).
    """

    rows: tuple[int, int]
    odds: Fraction
    growth: int
    span: int
    spare: int
    least: int
    ratio: Fraction
    share: Fraction
    edge: int
    quotient: Fraction

    @property
    def numbers(self) -> tuple[int, ...]:
        """The integers of `balance_numbers` in Coq, in their order; share and edge are 1/d and z there."""
        shape = (*self.odds.as_integer_ratio(), self.growth, self.span, self.spare, self.least)
        parts = floor(1 / self.share)
        return (*self.rows, *shape, *self.ratio.as_integer_ratio(), parts, self.edge, *self.quotient.as_integer_ratio())


@lru_cache(maxsize=256, typed=True)
def balanced_budget(first: int, second: int, swap_rate: Exact) -> Loss | None:
    """The budget ½·ln r of the best certificate for two categories with these records, whatever the other variable is.

    For large n it is a little above `limit_of_balanced_budgets`, which more and longer chains would approach.

    The budget; None where no certificate of the list closes: n too small, or the categories too unequal.

    Source: this project, 1 to 4 above; in Coq `balanced_budget.balanced_pure_dp`.

    >>> balanced_budget(500_000, 500_000, Fraction(1, 2)).epsilon().text(4)
    '1.099'
    """
    found = balanced_certificate(first, second, swap_rate)
    return None if found is None else Loss(found.quotient, 2)


@lru_cache(maxsize=256, typed=True)
def balanced_certificate(first: int, second: int, swap_rate: Exact) -> BalancedCertificate | None:
    """The certificate of `balanced_budget`, which `balance_checks` in Coq accepts."""
    rows = integer("first", first, minimum=2), integer("second", second, minimum=2)
    return min(balanced_certificates(*rows, finite_odds(swap_rate)), key=lambda one: one.quotient, default=None)


def limit_of_balanced_budgets(first: Exact, second: Exact, swap_rate: Exact) -> Loss | None:
    """½·ln(n₁n₂/((n₁−c)(n₂−c))), c = n/(2+o): what the largest loss over all columns tends to.

    The limit as n grows with n₁/n and n₂/n fixed; None unless both are above c.

    Source: this project, 5 above; in Coq `balanced_limit.balanced_limit_pure_dp`, `balanced_attained.limit_attained`.

    >>> limit_of_balanced_budgets(1, 1, Fraction(1, 2)) == Loss(3)
    True
    """
    rows = exact("first", first), exact("second", second)
    for name, total in zip(("first", "second"), rows, strict=True):
        if total <= 0:
            raise InputError(f"{name} must be positive; got {total}")
    o = finite_odds(swap_rate)
    c = sum(rows) / (2 + o)
    return Loss(rows[0] * rows[1] / ((rows[0] - c) * (rows[1] - c)), 2) if min(rows) > c else None


def balanced_certificates(first: int, second: int, o: Fraction) -> Iterator[BalancedCertificate]:
    """The certificates of a list that close, for n₁ and n₂ records in two categories and odds o."""
    rows = first - 1, second - 1
    if min(rows) < 2 or (2 + o) * min(first, second) <= first + second:
        return
    orders, spare = (rows, rows[::-1]), max(5, ceil(o))
    edge = max(ceil(2 * (many + spare + 1) ** 2 / (o * o * few * (few - 1))) for few, many in orders)
    for growth, lost in product(_GROWTHS, _LOST):
        share = lost / (4 * (1 + edge) ** 2)
        chains = _Chains(o, growth, _steps(growth, share / (2 * max(rows))), spare)
        least = min(chains.least_moved(*order) for order in orders)
        if least >= 3 and least >= o:
            ratio = max(chains.ratio(*order, least) for order in orders)
            rate = (1 + o) / (o * o) * (1 + ratio) ** 2 / ratio + Fraction(sum(rows), (least + 1) ** 2)
            quotient = Fraction(ceil((1 + max(rate, lost) / (1 - lost)) * _SHORT), _SHORT)
            yield BalancedCertificate(
                (first, second), o, growth, chains.span, spare, least, ratio, share, edge, quotient
            )


@dataclass(frozen=True)
class _Chains:
    """Chains of `span` steps that grow by (growth + 1)/growth."""

    o: Fraction
    growth: int
    span: int
    spare: int

    def least_moved(self, few: int, many: int) -> int:
        """The largest a₀ such that each point (a, b) with 1 ≤ a < a₀ and a ≤ b is near or far."""
        grown, span = Fraction(self.growth + 1, self.growth), self.span
        balanced = (self.o * (few - span) - grown * (3 * span + self.spare)) / (2 * grown + self.o)
        rest = grown * (many + 1 + 2 * span + self.spare)
        return floor(min(balanced, ((self.o + 1) * (few - span) - rest) / (grown + self.o + 1)))

    def ratio(self, few: int, many: int, least: int) -> Fraction:
        """R, rounded upward, with b ≤ R·a wherever a₀ ≤ a ≤ b and (a, b) is not far."""
        share = Fraction(self.growth, self.growth + 1)
        most = max(many + 1 + self.span - share * (few - least - self.span), Fraction(least + 2 * self.span))
        return Fraction(ceil(most * _PARTS / least), _PARTS)


def _steps(growth: int, share: Fraction) -> int:
    """An ℓ with (E/(E+1))^ℓ ≤ share, the smallest but for the rounding of the powers upward."""
    scale = 1 << (share.denominator.bit_length() + _BITS)
    powers = [-(-growth * scale // (growth + 1))]
    while Fraction(powers[-1], scale) > share:
        powers.append(-(-powers[-1] * powers[-1] // scale))
    steps, mass = 0, scale  # the largest number of steps that leaves more
    for exponent in reversed(range(len(powers))):
        less = -(-mass * powers[exponent] // scale)
        if Fraction(less, scale) > share:
            steps, mass = steps + (1 << exponent), less
    return steps + 1
