"""Universes whose loss grows with the number of records, where each row fills a column of its own."""

from fractions import Fraction
from itertools import product
from math import comb

from stirred.mechanisms.swapping.permutation_counts import derangements
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.evidence.finding import EngineError
from stirred.verify.ledger import cases, every, mutant, own, theorem
from stirred.verify.ledger.claims.psa.cases import CATEGORIES
from stirred.verify.ledger.claims.psa_exact.every_rate import GROWN

_RATES = tuple(map(Fraction, ("1/20", "1/4", "1/2", "3/4")))


def loss_squared(sizes: tuple[int, int], p: Fraction) -> Fraction:
    """e^(2 eps) of the loss of two rows and columns of such sizes, which must be needed at distance 2."""
    loss = universe_loss(sizes, sizes, p)
    if loss.gamma is None or loss.distance != 2:
        raise EngineError(f"the loss of {sizes} must be needed at distance 2")
    return loss.gamma


two_rows = cases(
    "rows and columns of n1 <= 40 and n2 <= 4 records, p = 1/20, 1/4, 1/2, 3/4; r is e^(2 eps) of the loss",
    "n1 n2 p r",
    lambda: (
        (n1, n2, p, loss_squared((n1, n2), p))
        for n1, n2, p in product((2, 4, 8, 16, 40), (1, 2, 4), _RATES)
        if n2 < (1 - p) * (n1 + 1) and n2 <= n1
    ),
)
small_row = lambda n2, k, r, p, n1: all((c - n2) ** 2 <= k * (c + 1) * r for c in {(1 - p) * (n1 + 1)})

own("psa.exact.threshold", GROWN)(
    """Fix p in (0, 1). In the universe of one stratum with two rows and two columns of n1 >= 2 and n2 >= 1 records,
    where n2 < c = (1-p)(n1+1), each budget eps of the PSA has e^(2 eps) >= (c-n2)^2/(12(c+1)). With o = p/(1-p) and b =
    n1+n2, each eps with e^(2 eps) at least o^2 and (b+1/2)/o^2 + (b-1)/o is a budget: the loss is (1/2) ln n + O(1)
    where n2/n1 stays below 1-p. Where it stays above, the loss stays bounded if p is rational: for s1 <= s2 with s1/s2
    > 1-p there are a budget and an N that serve all n1, n2 >= N with a quotient between s1/s2 and s2/s1.""",
    theorem(
        "lower_halves.small_row",
        "two_categories.two_category_type_privacy",
        "balanced_limit.balanced_limit_pure_dp",
        within=CATEGORIES,
    ),
    every(two_rows, small_row, k=12),
    mutant("half of c + 1 for 12 times", {"k": Fraction(1, 2)}),
)


def mean_quotient(categories: int, records: int, p: Fraction) -> Fraction:
    """P_x(E)/P(E), where P is the mean of P_x' over the exchanges of a record of row A with one of row B.

    In x, each of the categories fills a row and a column, with so many records. E says that the records of A keep
    their column, and those of B theirs. The sums run over how many of A, of B and of the others move.
    """
    others, n, odds = (categories - 2) * records, categories * records, p / (1 - p)
    moves = [comb(records, a) * derangements(a) for a in range(records + 1)]
    mass = [odds**k / derangements(k) if derangements(k) else Fraction(0) for k in range(n + 1)] + [Fraction(0)] * 2
    kept = exchanged = Fraction(0)
    for a, b, e in product(range(records + 1), range(records + 1), range(others + 1)):
        ways, k = moves[a] * moves[b] * comb(others, e) * derangements(e), a + b + e
        still_a, still_b = records - a, records - b
        kept += ways * mass[k]
        once = still_a * b + a * still_b
        exchanged += ways * (a * b * mass[k] + once * mass[k + 1] + still_a * still_b * mass[k + 2])
    return records**2 * kept / exchanged


many_rows = cases(
    "H = 4, 5, 6 rows and columns of m = 1, 2, 4, 8 records; r is the mean quotient of an event",
    "H m p r",
    lambda: (
        (categories, records, p, mean_quotient(categories, records, p))
        for categories, records, p in product((4, 5, 6), (1, 2, 4, 8), _RATES)
        if (1 - p) * (categories - 2) > 1
    ),
)

equal_rows = lambda m, k, r, p, H: all(((c - 1) ** 2 * m) ** 2 <= (k * c) ** 2 * r for c in {(1 - p) * (H - 2)})

own("psa.exact.many-categories", GROWN)(
    """Let 0 < p < 1, o = p/(1-p), c = (1-p)(H-2) > 1 and m >= 1. In the universe of one stratum with H holding and H
    swapping categories of m of the n = H*m records each, max{o, (n+1)/o} is enough as e^eps for the PSA, and each
    budget has e^eps >= (c-1)^2*m/(5c): the loss is ln n + O(1) as n grows, as in (7).""",
    theorem("lower_halves.many_categories", within=CATEGORIES),
    every(many_rows, equal_rows, k=5),
    mutant("1/2 for 5", {"k": Fraction(1, 2)}),
    reading="the quotient of an event's probabilities under two data sets at distance 2 is at most e^(2 eps)",
)
