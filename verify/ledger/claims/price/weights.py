"""Where the weighted mechanism has the floor at the PSA's own loss: its weights, by the swap rate."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import flint

from stirred.spec.blocks.tables import contingency_tables, table_distance
from stirred.spec.flavors.permutation_swapping import Margins
from stirred.spec.numbers.ball import ball_of, ends_of, precision
from stirred.verify.engines.swapping.floor import solved
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import argued, cases, every, mutant, own
from stirred.verify.ledger.claims.price.fibre_noise import GROWN
from stirred.verify.ledger.claims.psa_exact.every_rate import universes


def _weights(margins: Margins, p: Fraction) -> tuple[Sequence[Fraction], Sequence[Sequence[Fraction]]]:
    """The weights of a universe of two rows or two columns, whose distances are even, and e^(-eps*d) at its loss."""
    loss, tables = universe_loss(*margins, p), contingency_tables(*margins)
    if loss.gamma is None or loss.distance != 2:
        raise EngineError(f"the loss of {margins} must be needed at distance 2")
    kernel = [[loss.gamma ** -((table_distance(x, z) or 0) // 2) for z in tables] for x in tables]
    found = solved(kernel, [Fraction(1)] * len(tables))
    if found is None:
        raise EngineError(f"the weights of {margins} at p = {p} must be determined")
    return found, kernel


def _enclosed_weights(margins: Margins, p: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Enclosures of the weights of a universe at the PSA's loss, at which e^(-eps*d) may be irrational."""
    loss, tables = universe_loss(*margins, p), contingency_tables(*margins)
    if loss.gamma is None:
        raise EngineError(f"the loss of {margins} must be finite")
    with precision(128):
        eps = ball_of(loss.gamma).log() / loss.distance.numerator * loss.distance.denominator
        kernel = flint.arb_mat([[(-eps * (table_distance(x, z) or 0)).exp() for z in tables] for x in tables])
        found = kernel.solve(flint.arb_mat(len(tables), 1, [1] * len(tables)))
        ends = [ends_of(found[z, 0]) for z in range(len(tables))]
    known = [one for one in ends if one is not None]
    if len(known) < len(tables):
        raise EngineError(f"the weights of {margins} at p = {p} are not enclosed")
    return known


_solved = lambda scope, listed: cases(scope, "w K")(lambda: (_weights(one, p) for one, p in listed()))
_enclosed = lambda scope, listed: cases(scope, "ends")(lambda: (_enclosed_weights(one, p) for one, p in listed()))
are_positive = lambda ends: all(low > 0 for low, high in ends)
are_weights = lambda w, K: (
    all(one >= 0 for one in w) and all(sum([k * one for k, one in zip(row, w)]) == 1 for row in K)
)
_two_rows = lambda first, last: universes(first, last, rows=2, columns=3)
_rates = lambda *texts: tuple(map(Fraction, texts))

_slow = _solved(
    "one stratum of n <= 7 records, two rows, at most 3 columns; o = 1/n^2",
    lambda: ((one, Fraction(1, 1 + sum(one[0]) ** 2)) for one in _two_rows(2, 7)),
)
_refuting: Margins = ((3, 2), (2, 2, 1))
_too_fast = _solved("margins (3, 2) and (2, 2, 1), p = 4/5", lambda: [(_refuting, Fraction(4, 5))])

own("price.weights.small-rates", GROWN)(
    """In every universe of one stratum of n records with two tables or more, and for every p with p/(1-p) <= 1/n^2, the
    weights of price.weighting exist for eps the loss of the PSA: under its invariants and its budget, over a uniform
    prior, the weighted mechanism is the least likely to change the table.""",
    every(_slow, are_weights),
    mutant("p = 4/5", _too_fast),
    argued(
        "all n, all categories, o <= 1/n^2",
        proof="""Let x, x' be at distance 2 and c = 1 - n*p*(1-p)^(n-1). As x' moves to x only if a record moves,
            e^(2 eps) >= P_x(x)/P_x'(x) >= ((1-p)^n/c)/(1 - (1-p)^n/c) = 1/((1+o)^n - 1 - n*o) >= 2*n^2*(1 - 1/(3*n)),
            since n*o <= 1/n and C(n, k)*o^k <= (n*o)^k/k!. With t = n*e^(-eps), t <= 3/4 for n >= 3. At most C(n,
            k)*d(k) <= n^k*d(k)/k! tables are at distance k from x, d(2)/2! = 1/2 and d(k)/k! <= 3/8 beyond: the other
            tables' e^(-eps*d) have a sum of at most t^2/2 + (3/8)*t^3/(1-t) < 1; for n = 2 it is o^2. So the kernel is
            1 + E, E >= 0 with row sums below 1, and the weights, E^0 - E^1 + E^2 - ... applied to 1, are the sum over
            even j of E^j applied to 1 - E*1, which is not negative.""",
    ),
)

_HALF_RATES = _rates("1/20", "1/5", "2/5", "1/2")
_least_up_to_half = _enclosed(
    "one stratum of n <= 6 records, at most 3 x 4 categories, loss above 0; p = 1/20, 1/5, 2/5, 1/2",
    lambda: (
        (one, p) for one, p in product(universes(2, 6, rows=3), _HALF_RATES) if (sum(one[0]), p) != (2, Fraction(1, 2))
    ),
)
_farther = _solved(
    "one stratum of 7 <= n <= 10 records, two rows, at most 3 columns; p = 1/5, 1/2",
    lambda: product(_two_rows(7, 10), _rates("1/5", "1/2")),
)

own("price.weights.half", GROWN)(
    """Conjectured: in every universe of one stratum and for every p <= 1/2 at which the loss of the PSA is above 0, the
    weights of price.weighting exist for eps this loss, and are above 0.""",
    every(_least_up_to_half, are_positive),
    mutant("p = 4/5 too", _enclosed("margins (3, 2) and (2, 2, 1), p = 4/5", lambda: [(_refuting, Fraction(4, 5))])),
    every(_farther, are_weights),
    mutant("p = 4/5 too, solved exactly", _too_fast),
    reading="by enclosures of the weights, then exactly; the loss is 0 for margins (1, 1) on both sides at p = 1/2",
)

_four = _enclosed(
    "one stratum of n <= 4 records, at most 4 x 4 categories, loss above 0; p = 1/20, 1/5, 2/5, 1/2, 3/5, 4/5, 19/20",
    lambda: (
        (one, p)
        for one, p in product(universes(2, 4), (*_HALF_RATES, *_rates("3/5", "4/5", "19/20")))
        if (sum(one[0]), p) != (2, Fraction(1, 2))
    ),
)

own("price.weights.large-rates", GROWN)(
    """Weights >= 0 do not exist in every universe at the PSA's own loss: for margins (3, 2) and (2, 2, 1) at p = 4/5,
    and for (3, 3) and (2, 2, 2) at p = 61/100, the only solution has a negative weight. No universe of fewer than five
    records has one at p = 1/20, 1/5, 2/5, 1/2, 3/5, 4/5, 19/20.""",
    every(
        _solved(
            "margins (3, 2) and (2, 2, 1) at p = 4/5, and (3, 3) and (2, 2, 2) at p = 61/100",
            lambda: [(_refuting, Fraction(4, 5)), (((3, 3), (2, 2, 2)), Fraction(61, 100))],
        ),
        lambda w, K: any(one < 0 for one in w) and all(sum([k * one for k, one in zip(row, w)]) == 1 for row in K),
    ),
    mutant("at p = 1/2", _solved("margins (3, 2) and (2, 2, 1), p = 1/2", lambda: [(_refuting, Fraction(1, 2))])),
    every(_four, are_positive, verdict=Verdict.ENCLOSED),
    mutant(
        "five records too", _enclosed("margins (3, 2) and (2, 2, 1), p = 4/5", lambda: [(_refuting, Fraction(4, 5))])
    ),
)
