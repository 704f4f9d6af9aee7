"""How the PSA's loss varies with n where two categories hold the records: TopDown's measure, and the critical line."""

from fractions import Fraction
from math import comb, factorial
from typing import Any

from stirred.mechanisms.swapping.permutation_counts import derangements, moved_counts, psa_law
from stirred.spec.blocks.tables import contingency_tables
from stirred.spec.laws.law import Law
from stirred.verify.engines.zcdp.normalized_renyi import renyi_supremum
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import argued, cases, every, mutant, own
from stirred.verify.ledger.claims.psa_exact.every_rate import GROWN, universes
from stirred.verify.ledger.words import total_variation

# permutations by how many records of two rows they move, and how many of those come from the other row

home_share = lambda f, i, sign: sum(sign**j * Fraction(comb(f + i - j, f), factorial(j)) for j in range(i + 1))


def _by_rows(rows: tuple[int, ...], f: int, k: int, sign: int = -1) -> Fraction:
    """The sum over a + b = k of g_f(a)*g_f(b)/((n1-a)!*(n2-b)!)."""
    first, second = rows
    return sum(
        (
            home_share(f, a - f, sign)
            * home_share(f, k - a - f, sign)
            / (factorial(first - a) * factorial(second - k + a))
            for a in range(max(f, k - second), min(first, k - f) + 1)
        ),
        Fraction(0),
    )


def _foreign(rows: tuple[int, ...], counts: tuple[int, ...]) -> tuple[Fraction, ...]:
    """G_0, G_1, …: what the counts of 0, 2, 4, … moved records make of them."""
    found: list[Fraction] = []
    for f in range(min(rows) + 1):
        rest = counts[2 * f] - sum((g * _by_rows(rows, e, 2 * f) for e, g in enumerate(found)), Fraction(0))
        found.append(rest / _by_rows(rows, f, 2 * f))
    return tuple(found)


_rows_in = lambda sign: cases(
    "one stratum of n <= 7 records, two rows, at most 3 columns, all x, z; every number k of moved records", "N G C"
)(
    lambda: (
        (
            counts,
            _foreign(rows, counts),
            [[_by_rows(rows, f, k, sign) for k in range(n + 1)] for f in range(min(rows) + 1)],
        )
        for rows, columns in universes(2, 7, rows=2, columns=3)
        if len(rows) == 2
        for n in [sum(rows)]
        for x in contingency_tables(rows, columns)
        for z in contingency_tables(rows, columns)
        for counts in [moved_counts(x, z)]
    )
)

own("psa.exact.two-rows", GROWN)(
    """In one stratum with two rows of n1 and n2 records let N_k be the number of permutations that move k records and
    turn the table x into z. Then there are G_0, G_1, ... >= 0, which depend on x and z, not on k, with N_k = sum over f
    of G_f * sum over a + b = k of g_f(a)*g_f(b)/((n1-a)!*(n2-b)!), where g_f(f+i) is the sum over j <= i of
    (-1)^j*C(f+i-j, f)/j!, the coefficient of t^i in e^(-t)/(1-t)^(1+f): P_x(z) is a sum over f, a and b.""",
    every(
        _rows_in(-1),
        lambda N, G, C: (
            all(N[k] == sum([G[f] * C[f][k] for f in range(len(G))]) for k in range(len(N))) and all(g >= 0 for g in G)
        ),
    ),
    mutant("without the sign (-1)^j", _rows_in(1)),
    argued(
        "every n, two rows, any columns",
        proof="""Let f count the moved records of row 1 that come from row 2; as many of row 2 come from row 1.
            A record is at home if the one before it in its cycle is in its row. Of the permutations with one f let
            F(a, b) = C(a, b)*(n1-a)!*(n2-b)!, where C(a, b) of them move a records of row 1 and b of row 2. Of the a
            moved ones a - f are at home. To take one at home out of its cycle keeps z and f: if the cycle is longer
            than 2 what is left moves a - 1, and each of the n1 - a + 1 fixed ones of row 1 can be put behind each of
            the a - 1; if not, both are fixed then, a - 2 move, and there are (n1-a+2)*(n1-a+1) ordered pairs of fixed
            ones. So (a-f)*F(a, b) = (a-1)*F(a-1, b) + F(a-2, b), F(a, b) = 0 for a < f, and the same in b. With g_f(f)
            = 1 and i*g_f(f+i) = (f+i-1)*g_f(f+i-1) + g_f(f+i-2) this gives F(a, b) = G_f*g_f(a)*g_f(b), G_f = F(f, f).
            The series g(t) of the g_f(f+i) has (1-t)*g'(t) = (f+t)*g(t), so that g(t) = e^(-t)/(1-t)^(1+f).""",
    ),
    reading="the G_f are read off N_0, N_2, N_4, ...; the other N_k test them",
)

# the critical line: n2 = (1-p) n1


def critical_quotient(n1: int, n2: int, p: Fraction) -> Fraction:
    """P_x(x)/P_x'(x) where x fills a row and a column with n1 records and another row and column with n2."""
    o, n = p / (1 - p), n1 + n2
    mass = [o**k / derangements(k) if derangements(k) else Fraction(0) for k in range(n + 3)]
    kept = exchanged = Fraction(0)
    for a in range(n1 + 1):
        for b in range(n2 + 1):
            ways, k = comb(n1, a) * derangements(a) * comb(n2, b) * derangements(b), a + b
            still_a, still_b = n1 - a, n2 - b
            once = still_a * b + a * still_b
            kept += ways * mass[k]
            exchanged += ways * (a * b * mass[k] + once * mass[k + 1] + still_a * still_b * mass[k + 2])
    return n1 * n2 * kept / exchanged


_CRITICAL = ((Fraction(1, 2), 2, 1), (Fraction(1, 3), 3, 2), (Fraction(2, 3), 3, 1))
on_the_line = cases(
    "n2 = (1-p)*n1, p = 1/2, 1/3, 2/3, n from 60 to 81; r is P_x(x)/P_x'(x) of the filled tables", "r n p"
)(
    lambda: (
        (critical_quotient(s1 * k, s2 * k, p), (s1 + s2) * k, p)
        for p, s1, s2 in _CRITICAL
        for k in (60 // (s1 + s2), 90 // (s1 + s2) - 3)
    )
)

own("psa.exact.critical.filled", GROWN)(
    """In the universe of one stratum with rows and columns of n1 and n2 = (1-p)*n1 records, p = 1/2, 1/3, 2/3,
    let x have its records in two cells and let x' exchange one of each: for the n from 60 to 81 that are tried
    the square of P_x(x)/P_x'(x) is between (pi/2)*n*(1-p)/p^2 and twice that.""",
    every(on_the_line, lambda r, n, p: 157 * n * (1 - p) <= 100 * p**2 * r**2 <= 2 * 157 * n * (1 - p)),
    mutant("n^2 for n", lambda r, n, p: 157 * n**2 * (1 - p) <= 100 * p**2 * r**2 <= 2 * 157 * n**2 * (1 - p)),
    reading="""1.57 for pi/2. Conjectured: at fixed p the quotient tends to 1, and this exchange decides the loss, which
    is then (1/4) ln n + (1/2) ln(1/p) + (1/4) ln(pi*(1-p)/2) + o(1)""",
)

own("psa.exact.critical", GROWN)(
    """Fix p in (0, 1), and let n1, n2 be integers with |n2 - (1-p)*n1| <= 1. In the universe of one stratum with two
    rows and two columns of n1 and n2 records the loss of the PSA is (1/4) ln n + O(1) as n = n1 + n2 grows, and at most
    that whatever the columns are: on the line between the two cases of psa.exact.threshold the loss grows half as
    fast as below it.""",
    argued(
        "all p in (0, 1), all large n",
        proof="""c and C are positive constants that depend on p alone, not the same at each place; o = p/(1-p),
            w(k) = o^k/d(k). Lower bound: let x have its n1 records of row 1 in column 1 and those of row 2 in column
            2, let x' exchange one of each, and z = x. If a and b records move, weighted as in x by W(a, b) = C(n1,
            a)*d(a)*C(n2, b)*d(b)*w(a+b), then P_x'(x)/P_x(x) is the mean of (a*b + ((n1-a)*b + a*(n2-b))*w(k+1)/w(k) +
            (n1-a)*(n2-b)*w(k+2)/w(k))/(n1*n2), k = a + b, at most C/n times the mean of b + 1, but for k < c*n, which
            is exponentially rare. As d(j) <= j! <= 3*d(j) for j other than 1, and C(n1, a)*a!/(a+b)! = C(n1+b,
            a+b)*n1!/(n1+b)!, the sum over a of W(a, b) is between c and C times (1+o)^n1*h(b), h(b) the product of
            (n2-s)*(1+o)/(n1+s+1) over s < b: the upper bound for each b, the lower one for b <= sqrt(n) other than 1.
            Here n2*(1+o) = n1 + O(1), so h(b) <= C*exp(-c*b^2/n) for all b and h(b) >= c for b <= sqrt(n): the mean of
            b is at most C*sqrt(n), and P_x(x)/P_x'(x) >= c*sqrt(n). Upper bound, for any columns, x, x' one exchange
            apart, and z: by 1 of verify.engines.swapping.balanced_rows it is enough that over the bases, which move a
            of m1 = n1 - 1 and b of m2 = n2 - 1 records, the sum of X(a+b) is at most C*sqrt(n) times that of
            (1+a)*(1+b)*w(a+b+2), where X(k) <= C*(k^2+n)*w(k+2). So let M(a, b) = C(a, b)*(k^2+n)*w(k+2); we show that
            the points with a >= c*n and b >= sqrt(n) have at least the share c of M. By psa.exact.two-rows C(a, b) is
            a sum over f <= min(a, b) of G_f*g_f(a)*g_f(b)/((m1-a)!*(m2-b)!), and C(y, f)/6 <= g_f(y) <= C(y, f) but
            for y = f + 1: the terms C(y-j, f)/j! fall, and with s = (y-f)/y the first two leave (1-s) and the next two
            at least s^2/6 of C(y, f). (i) Points with a < c*n are exponentially rare: either k < c'*n, and to move
            c'*n more records of row 1 multiplies M by the product of o*(m1-a)/(k+7/2) > 1 + c; or b > 2*a + c*n, and
            to move as many more of row 1 and fewer of row 2 multiplies it by that of (m1-a)/(m2-b) > 1 + c, while C(a,
            f)*C(b, f) grows as a and b come closer. (ii) Let a >= c*n, b < l = sqrt(n) rounded up. If m1 - a >= n2 -
            2*l, take (a, b) to (a, b+l): the factors o*(m2-b)/(k+7/2) are at least 1 - C/sqrt(n), as o*n2 = n1 - n2 +
            O(1), so that M falls by C at most. If not, take it to (a-l, b+l): the factors (m2-b)/(m1-a+1) are at least
            1 - C/sqrt(n), and C(a, f)*C(b, f) grows. The indices f + 1 do not occur, since b + l and a - l exceed f +
            1. At most two points come to the same place. So an exchange costs C*sqrt(n) at most in e^(2 eps); where
            one variable has two categories, one exchange decides (psa.exact.circuits).""",
    ),
)

# the measure of TopDown: total variation and Renyi divergences of tables at distance 2

_HALF = Fraction(1, 2)
_law = lambda x: dict(psa_law(x, _HALF))
_line = lambda m: [_law(x) for x in contingency_tables((m, m), (m, m))]
_VARIATION = {8: "0.784", 16: "0.839", 24: "0.865", 32: "0.879"}
_RENYI = {8: "0.1981", 16: "0.1568", 24: "0.1268"}

variations = cases("margins (m, m) on both sides, n = 2*m = 8, 16, 24, 32; p = 1/2", "n laws stated")(
    lambda: ((n, _line(n // 2), Fraction(stated)) for n, stated in _VARIATION.items())
)
largest_variation = lambda laws: max([total_variation(laws[i], laws[i + 1]) for i in range(len(laws) - 1)])
is_root = lambda square, stated, half: (stated - half) ** 2 <= square <= (stated + half) ** 2


def _supremum(laws: list[Any]) -> tuple[Fraction, Fraction]:
    """An enclosure of the largest D_NoR^2 of two tables at distance 2."""
    found = [renyi_supremum(Law(one), Law(other), digits=5) for one, other in zip(laws[1:], laws, strict=False)]
    ends = [(one.lower, one.upper) for one in found if one is not None]
    return max(low for low, _ in ends), max(high for _, high in ends)


divergences = cases(
    "margins (m, m) on both sides, n = 2*m = 8, 16, 24; p = 1/2; the ends of an enclosure over all alpha > 1",
    "low high stated",
)(lambda: ((*_supremum(_line(n // 2)), Fraction(stated)) for n, stated in _RENYI.items()))

own("psa.vanishing.balanced", "article, Table 4")(
    """At p = 1/2 and margins (n/2, n/2) on both sides, the largest total variation between the PSA's outputs from two
    tables at d_HamS = 2 is 0.784, 0.839, 0.865, 0.879 over sqrt(n) at n = 8, 16, 24, 32; and the largest
    D_alpha/alpha over all alpha > 1, which is (2*rho)^2, is 0.1981, 0.1568, 0.1268 at n = 8, 16, 24.""",
    every(
        variations,
        lambda n, laws, stated: is_root(n * largest_variation(laws) ** 2, stated, 1 / 2000),
    ),
    mutant("over n^(1/4)", lambda n, laws, stated: is_root(largest_variation(laws) ** 4 * n, stated**2, 1 / 2000)),
    every(
        divergences,
        lambda low, high, stated: stated - 1 / 10000 <= low <= high <= stated + 1 / 10000,
        verdict=Verdict.ENCLOSED,
    ),
    mutant("half of them", lambda low, high, stated: stated / 2 - 1 / 10000 <= low <= high <= stated / 2 + 1 / 10000),
)

own("psa.vanishing", "article, Table 4")(
    """In a universe of one stratum of n records let two holding and two swapping categories have at least t*n records
    each, let 0 < p < 1, and let d_HamS(x, x') = 2. With s = p*t, the PSA's outputs have a total variation of at most
    7/(s*sqrt(n)) + 14*exp(-s^4*n/128), and D_alpha(P_x, P_x')/alpha <= 7000*L^2/(s^4*n) for every alpha > 1, where L is
    1, or the ln of the largest P_y(z)/P_y'(z) with d_HamS(y, y') = 2 if that is more: the loss under D_NoR is
    O(1/sqrt(n)) where the one under D_Mult is bounded, and O(ln n/sqrt(n)) in any case. As n grows at fixed p and t,
    the total variation is (1-p)/sqrt(2*pi*v), up to a factor that tends to 1, with v = p*n*f(1-f)*g(1-g) + p*(1-p)*sum
    over cells of x_hs*(1-f_h)^2*(1-g_s)^2, f_h and g_s being the shares of row h and column s, f and g those of row 1
    and column 1; in balanced universes v = n*p*(2-p)/16.""",
    argued(
        "two categories on both sides, all p in (0, 1), all n",
        proof="""Coins. Let S be the selected records and sigma their permutation without a fixed point: r gets
            the value of sigma(r). Pair selected records of row 1 with selected ones of row 2, by S alone, as many as
            there are in the smaller of the two. A pair (r, q) is free if neither sigma(r) nor sigma(q) is r or q. To
            exchange the images of a free pair keeps S, the law's mass, and which pairs are free. So given S, the
            images of records in no free pair, and the two images of each free pair as a set, fair independent coins
            decide which of a pair has which. Let x' exchange the values of i and j. Let N be the number of free pairs
            whose two images have different values and are not i or j. Given all but their coins, the cell (1, 1) is Y
            + B from x and Y' + B from x', with B binomial (N, 1/2) and |Y - Y'| <= 1. How small N is. |S| is not 1
            with probability 1/2 at least; but for that, but for probability 4*exp(-s*n/8), each row and column has
            s*n/2 selected records. A uniform permutation of S gives a pair images of different values with probability
            s/2 at least, makes it not free with probability 4/|S| at most, and at most two pairs have the images i, j:
            N has a mean of s^2*n/4 - 4 at least, and to exchange two images changes N by 2 at most, so N < s^2*n/8 - 4
            =: u has probability exp(-s^4*n/128) at most (Azuma, Hoeffding), and three times that without fixed points,
            as |S|! <= 3*d(|S|). In all N < u has probability h <= 14*exp(-s^4*n/128). Total variation: given the
            coins' frame at most the largest mass of B, <= 1/sqrt(N+1), and u + 1 >= s^2*n/16 if s^2*n >= 48; if not,
            7/(s*sqrt(n)) > 1. Renyi: let r = e^L, 2 <= alpha <= s^4*n/(256*L), f(y) = y^alpha - 1 - alpha*(y-1) up to
            r and its tangent beyond. P_x'/P_x lies in [1/r, r], so that its f-divergence is the mean of
            (P_x'/P_x)^alpha, less 1, and by joint convexity at most the mean over the frames of that of B + 1 and B,
            whose quotient at k is q = k/(N+1-k). As f' <= alpha*r^(alpha-1), what lies above q = 3 costs
            2*alpha*r^(alpha-1)*exp(-(N-2)/8) at most (Hoeffding), and a frame with N < u costs 2*alpha*r^(alpha-1).
            Below, the mean of min(q, 3)^alpha is one over U binomial (N+1, 1/2), y = 2*U/(N+1) - 1, of
            (1-y)*min((1+y)/(1-y), 3)^alpha <= exp((2*alpha-1)*y + 0.4*alpha*y^2), which is exp(4*alpha^2/(N+1)) at
            most, since y is sub-Gaussian with variance 1/(N+1). So D_alpha/alpha <= 8/(u+1) + 34*exp(-s^4*n/256) <=
            (128 + 3203)/(s^4*n). For smaller alpha D_alpha <= D_2, which is twice the bound at 2; for larger alpha
            D_alpha/alpha <= L/alpha <= 256*L^2/(s^4*n); and where s^2*n < 48, or that alpha is below 2, the bound is
            above L. L <= ln max{o^2, (n+1/2)/o^2 + (n-1)/o} by psa.exact.two-categories. The limit: Y' - Y has the
            mean 1 - mu*n/(n-1) (price.bias). Given which of i, j are selected and the rows of the records that get
            their values, the law of the cell is moved by O(1) only, and moving it twice changes it by O(1/n) in total,
            because of B: P_x' - P_x is that mean times the difference of P_x and its shift by 1, but for O(1/n). Given
            S the cell has the hypergeometric variance p*n*f(1-f)*g(1-g); its mean given S is, but for lower orders, a
            sum over selected records of -(1{row 1} - f)*(1{column 1} - g), with the other term of v. Both are
            asymptotically normal, and by B the law has no other local form, so that the total variation with the shift
            by 1 is 1/sqrt(2*pi*v) in the limit.""",
    ),
)
