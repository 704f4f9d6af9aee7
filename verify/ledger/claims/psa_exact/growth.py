"""How the PSA's loss varies with n where two categories hold the records: the critical line, and its best constants."""

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial

from stirred.mechanisms.swapping.permutation_counts import derangements, moved_counts
from stirred.spec.blocks.tables import contingency_tables
from stirred.verify.ledger import argued, cases, every, found_by, mutant, own
from stirred.verify.ledger.claims.psa_exact.every_rate import GROWN, together_below, universes
from stirred.verify.ledger.claims.psa_exact.universes import loss_squared
from stirred.verify.ledger.engines.mean_budget import exchange_budget

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

# the growth of psa.exact.half with its best constants

_ROOM = {0: Fraction(1), -1: Fraction(4), -2: Fraction(4)}
_MANY = universes(3, 11, rows=2)
_SHOWN = "one stratum of 3 <= n <= 11 records, two rows, at most 4 columns, all x, x', z; all p in (0, 1)"
_sharper = cache(lambda n, less=1: exchange_budget({-1: Fraction(n - less)}, _ROOM, {1: Fraction(2, n - 1)}))
_twenty = cases("rows and columns of n1 and n2 <= n1 records, n1 + n2 = 20; p = 1/10, 1/3, 2/3, 9/10", "n o r")(
    lambda: (
        (20, p / (1 - p), loss_squared((20 - n2, n2), p))
        for n2, p in product(range(1, 11), map(Fraction, ("1/10", "1/3", "2/3", "9/10")))
    )
)
stays_below = lambda n, o, r, less: r <= max((n - less) / o, (1 + 2 / o) ** 2, 2 * o / (n - 1))

own("psa.exact.half.sharper", GROWN)(
    """Conjectured: if a universe of one stratum of n >= 3 records has two holding or two swapping categories, then for
    all p in (0, 1) eps = (1/2) ln max{(n-1)/o, (1+2/o)^2, 2*o/(n-1)} is a budget of the PSA: n - 1 for the n + 1 of
    psa.exact.half, and at large odds half of ln(2*o/(n-1)) for ln o.""",
    found_by(together_below, _MANY, _sharper, _SHOWN),
    mutant(
        "n - 2 for n - 1",
        found_by(together_below, [((9, 1), (9, 1))], lambda n: _sharper(n, less=2), "margins (9, 1) on both sides"),
    ),
    every(_twenty, stays_below, less=1),
    mutant("n - 2 for n - 1 at n = 20", {"less": 2}),
    reading="tried farther, without exception: up to four columns for n <= 13, up to three for n <= 16, all p",
)

_single = cases("rows and columns (n-1, 1), 3 <= n <= 30; p = 1/10, 1/2, 9/10", "n p r")(
    lambda: (
        (n, p, loss_squared((n - 1, 1), p)) for n, p in product(range(3, 31), map(Fraction, ("1/10", "1/2", "9/10")))
    )
)
single_needs = lambda n, p, r, more: r * p >= (n - 1 + more) * (1 - p) * (1 - (n - 1) * p * (1 - p) ** (n - 2))

own("psa.exact.half.best", GROWN)(
    """In the universe of one stratum with rows and columns (n-1, 1), n >= 3, each budget of the PSA has e^(2 eps) >=
    (n-1)/o*(1 - (n-1)*p*(1-p)^(n-2)): at fixed p, no c < 1 times the bound of psa.exact.half or of
    psa.exact.half.sharper is a budget for all n, so that the constant of (1/2) ln n - (1/2) ln o is the best.""",
    every(_single, single_needs, more=0),
    mutant("n for n - 1", {"more": 1}),
    argued(
        "all n >= 3, all p in (0, 1)",
        proof="""By psa.exact.single-record, in the column of one record, e^(2 eps) >= q/r = (n-1)*(1-mu)/mu. With mu =
            p*(1-(1-p)^(n-1))/(1-n*p*(1-p)^(n-1)), (1-mu)/mu = (1-(n-1)*p*(1-p)^(n-2))/(o*(1-(1-p)^(n-1))). At fixed p
            the factor tends to 1, and for large n both bounds are (n-1)/o or (n+1)/o.""",
    ),
)
