"""Random rounding to a base: how far two counts are rounded_apart, and what one record costs."""

from itertools import product

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.noise.random_rounding import random_rounding
from stirred.verify.ledger import cases, every, mutant, own, query, theorem
from stirred.verify.ledger.claims.psa.cases import changed_query
from stirred.verify.ledger.language_names import floor
from stirred.verify.ledger.words import hockey_stick, total_variation

_METHOD = "Stats NZ, random rounding to base 3"
_WITHIN = "all bases and counts, the multiples up to any one"
_QUERY = ("rounding.variation", "all real b > 0, counts in one interval between multiples of b or in neighbouring ones")

next_multiple = lambda n, b: b * (floor(n / b) + 1)
rounded_apart = lambda n, m, b: (
    m - n
    if m <= next_multiple(n, b)
    else (max(next_multiple(n, b) - n, m - next_multiple(n, b)) if m <= next_multiple(n, b) + b else b)
)

_laws = lambda base: [dict(exact_law(random_rounding, count, base=base)) for count in range(3 * base + 1)]

pairs = cases("bases b <= 7, counts n <= n' <= 3b", "p q n m b")(
    lambda: (
        (laws[n], laws[m], n, m, base)
        for base in range(1, 8)
        for laws in [_laws(base)]
        for n, m in product(range(3 * base + 1), repeat=2)
        if n <= m
    )
)

neighbours = cases("bases b <= 10, the counts of one record more; gamma = 1, 2, 100, 10^9", "p q n b gamma")(
    lambda: (
        (laws[n], laws[n + 1], n, base, gamma)
        for base in range(1, 11)
        for laws in [_laws(base)]
        for n, gamma in product(range(2 * base), (1, 2, 100, 10**9))
    )
)

at_multiples = cases("bases b <= 10, counts 0, b and 2b, and one more; gamma = 1, 2, 100, 10^9", "p q b gamma")(
    lambda: (
        (laws[n], laws[n + 1], base, gamma)
        for base in range(1, 11)
        for laws in [_laws(base)]
        for n, gamma in product((0, base, 2 * base), (1, 2, 100, 10**9))
    )
)

own("rounding.variation", _METHOD)(
    """Rounded at random to base b, counts n <= n' have the total variation (n' - n)/b if no multiple of b lies strictly
    between them, max(m - n, n' - m)/b if one, m, does, and 1 if more do.""",
    query(*_QUERY),
    mutant(
        "|n - n'|/b across a multiple",
        changed_query(
            *(_QUERY, "(b - r) * s == 0", "n is b - r below a multiple, n' s above it"),
            *("(= across (larger (- b r) s))", "(= across (+ (- b r) s))"),
        ),
    ),
    every(pairs, lambda p, q, n, m, b: b * total_variation(p, q) == rounded_apart(n, m, b)),
    mutant("min(1, |n - n'|/b)", lambda p, q, n, m, b: total_variation(p, q) == min(1, (m - n) / b)),
    mutant("base b + 1", lambda p, q, n, m, b: (b + 1) * total_variation(p, q) == rounded_apart(n, m, b)),
    theorem("random_rounding.rounding_variation", within=_WITHIN),
)

own("rounding.one-record", _METHOD)(
    """Random rounding to base b satisfies (0, 1/b) for one record added or removed; and at no epsilon a delta below 1/b
    is enough between a multiple of b and the next count.""",
    every(neighbours, lambda p, q, b: total_variation(p, q) <= 1 / b),
    mutant("1/(b + 1)", lambda p, q, b: total_variation(p, q) <= 1 / (b + 1)),
    every(at_multiples, lambda p, q, b, gamma: hockey_stick(q, p, gamma) * b == 1),
    mutant("from the count to the multiple", lambda p, q, b, gamma: hockey_stick(p, q, gamma) * b == 1),
    theorem("random_rounding.rounding_record", "random_rounding.rounding_least", within=_WITHIN),
)
