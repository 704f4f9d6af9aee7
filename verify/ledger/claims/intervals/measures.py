"""Words for measures on finite spaces, and the measures that statements about them are tried on.

A measure is a map from every outcome of the space to its mass, 0 and oo among them; a density is such a map too. The
words for distances give e^D.
"""

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from stirred.verify.ledger import cases
from stirred.verify.ledger.language_names import oo, subsets
from stirred.verify.ledger.words import probability

# oo and 0 as D_Mult takes them: 0/0 = oo/oo = 1
quotient = lambda a, b: 1 if a == b else 0 if a == 0 or b == oo else oo if b == 0 or a == oo else a / b
either_quotient = lambda a, b: max(quotient(a, b), quotient(b, a))
events_of = lambda mu: subsets(set(mu))
positive_events = lambda mu: [s for s in events_of(mu) if probability(mu, s) > 0]
is_zero = lambda mu: all(mu[t] == 0 for t in mu)
dominated = lambda mu, nu: all(nu[t] > 0 for t in mu if mu[t] > 0)
mutual = lambda mu, nu: dominated(mu, nu) and dominated(nu, mu)
scaled = lambda mu, c: {t: c * mu[t] for t in mu}
mixture = lambda mu, nu, a: {t: a * mu[t] + (1 - a) * nu[t] for t in mu}
product_of = lambda mu, nu: {(s, t): mu[s] * nu[t] for s in mu for t in nu}

# Definition 5.2.1
by_events = lambda mu, nu: max(either_quotient(probability(mu, s), probability(nu, s)) for s in events_of(mu))

# one of its two halves, over all events, and over those at which the ratio is not 0/0
half_by_events = lambda mu, nu: max(quotient(probability(mu, s), probability(nu, s)) for s in events_of(mu))
half_by_positive = lambda mu, nu: max(
    quotient(probability(mu, s), probability(nu, s))
    for s in events_of(mu)
    if probability(mu, s) + probability(nu, s) > 0
)

# (5.18), for densities f, g with respect to tau
kept_outcomes = lambda f, g, tau: [t for t in tau if tau[t] > 0 and 0 < f[t] < oo and 0 < g[t] < oo]
essential_odds = lambda f, g, tau: max(
    f[s] * g[t] / (f[t] * g[s]) for s in kept_outcomes(f, g, tau) for t in kept_outcomes(f, g, tau)
)
density_in = lambda mu, tau, off: {t: mu[t] / tau[t] if tau[t] > 0 else off for t in mu}
counting = lambda mu: {t: 1 for t in mu}
by_densities = lambda mu, nu, f, g, tau: (
    1 if is_zero(mu) and is_zero(nu) else essential_odds(f, g, tau) if mutual(mu, nu) else oo
)
odds_distance = lambda mu, nu: by_densities(mu, nu, mu, nu, counting(mu))

MASSES = (0, 1, 2, 3)
FINITE = "finite spaces; distances that are integers or infinite"
"""What the theorems on intervals are limited to."""


def tuples_of_measures(
    outcomes: int, masses: Sequence[int | Fraction | None], measures: int
) -> Iterator[tuple[dict[int, Any], ...]]:
    """Measures with these masses, so many at once, one choice of those that differ by the outcomes' names alone."""
    columns = list(product(masses, repeat=measures))
    for chosen in combinations_with_replacement(columns, outcomes):
        yield tuple(dict(enumerate(column[i] for column in chosen)) for i in range(measures))


_ON_TWO = "on two outcomes, but for their names"
_ON_THREE = "on three outcomes, but for their names"
finite_pairs = cases(f"all pairs of measures with masses 0, 1, 2, 3 {_ON_THREE}", "mu nu")(
    lambda: tuples_of_measures(3, MASSES, 2)
)
finite_triples = cases(f"all triples of measures with masses 0, 1, 2, 3 {_ON_TWO}", "mu nu tau")(
    lambda: tuples_of_measures(2, MASSES, 3)
)
# in every second one all masses are positive
random_triples = cases(
    "100 triples of measures with masses 0, ..., 20 on five outcomes, drawn with seed 5", "mu nu tau"
)(
    lambda: (
        tuple({t: source.randint(i % 2, 20) for t in range(5)} for _ in range(3))
        for source in [random.Random(5)]  # noqa: S311 fixed cases, no secret
        for i in range(100)
    )
)
unbounded_pairs = cases(f"all pairs of measures with masses 0, 1, 2, oo {_ON_TWO}", "mu nu")(
    lambda: tuples_of_measures(2, (0, 1, 2, None), 2)
)
