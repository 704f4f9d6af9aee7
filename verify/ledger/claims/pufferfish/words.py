"""Finite Pufferfish instantiations as data, and what each of the printed conditions says of a mechanism.

In a case, data sets are 0, 1 and so on; D is attackers, each the tuple of its probabilities; S is pairs of events; M is
the mechanism, the tuple of its laws, each the tuple of the probabilities of its outputs; gamma is e^epsilon.
"""

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

from stirred.spec.flavors.pufferfish import Pufferfish
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.ledger import cases
from stirred.verify.ledger.claims.multiverse.words import bound_at, flipped_links, walk_length
from stirred.verify.ledger.language_names import oo, subsets

Weights = tuple[Fraction, ...]
Attackers = tuple[Weights, ...]
Pairs = tuple[tuple[frozenset[int], frozenset[int]], ...]
Kernel = tuple[Weights, ...]
FINITE = "finite spaces"
"""The limit of the theorems on Pufferfish: finitely many data sets and outputs."""

# beliefs: conditionals of attackers given conjectures, and how many steps lead from one to another
weight_of = lambda a, e: sum(a[x] for x in e)
belief_given = lambda a, e: [(a[x] / weight_of(a, e) if x in e else 0) for x in range(len(a))]
both_defined = lambda a, e, f: weight_of(a, e) > 0 and weight_of(a, f) > 0
belief_steps = lambda D, S: {(belief_given(a, e), belief_given(a, f)) for a in D for e, f in S if both_defined(a, e, f)}
theta_of = lambda D, S: set(D) | {b for step in belief_steps(D, S) for b in step}
belief_distance = lambda links, b, c: walk_length(links | flipped_links(links), b, c)
output_of = lambda b, M: [sum(b[x] * M[x][t] for x in range(len(b))) for t in range(len(M[0]))]

# e^D_Mult of two tuples of probabilities
mult_of = lambda p, q: max(
    [1] + [(oo if p[t] * q[t] == 0 else max(p[t] / q[t], q[t] / p[t])) for t in range(len(p)) if p[t] + q[t] > 0]
)

# Definition 5.7.3 and the statements of Theorem 5.8.1
keeps_pufferfish = lambda D, S, M, gamma: all(
    mult_of(given[b], given[c]) <= bound_at(gamma, belief_distance(links, b, c))
    for links in [belief_steps(D, S)]
    for given in [output_given(D, S, M)]
    for b in given
    for c in given
)
output_given = lambda D, S, M: {b: output_of(b, M) for b in theta_of(D, S)}
near_on = lambda p, q, s, k: weight_of(p, s) <= k * weight_of(q, s) and weight_of(q, s) <= k * weight_of(p, s)
keeps_conjectures = lambda D, S, M, gamma: all(
    near_on(p, q, s, gamma)
    for a in D
    for e, f in S
    if both_defined(a, e, f)
    for p in [output_of(belief_given(a, e), M)]
    for q in [output_of(belief_given(a, f), M)]
    for s in subsets(range(len(p)))
)
joined_laws = lambda D, S, M: (
    [
        (given[b], given[c], n)
        for links in [belief_steps(D, S)]
        for given in [output_given(D, S, M)]
        for b in given
        for c in given
        for n in [belief_distance(links, b, c)]
        if n < oo
    ]
)
in_interval_of = lambda p, q, k: all(
    weight_of(p, s) / k <= weight_of(q, s) and weight_of(q, s) <= k * weight_of(p, s) for s in subsets(range(len(p)))
)
keeps_intervals = lambda D, S, M, gamma: all(in_interval_of(p, q, gamma**n) for p, q, n in joined_laws(D, S, M))
dominating = lambda p: [p, [1 for m in p], [2 * m for m in p], [m + t for t, m in enumerate(p)]]
has_near_density = lambda p, q, nu, k: all(
    (q[t] == 0 if nu[t] == 0 else p[t] / nu[t] / k <= q[t] / nu[t] and q[t] / nu[t] <= k * p[t] / nu[t])
    for t in range(len(p))
)
keeps_densities = lambda D, S, M, gamma: all(
    has_near_density(p, q, nu, gamma**n) for p, q, n in joined_laws(D, S, M) for nu in dominating(p)
)

# laws of finitely many seeds of equal probability
seeded_law = lambda row, u: [sum(1 for v in row if v == t) / len(row) for t in u]

# two records: data sets 0 to 3 are (0, 0), (0, 1), (1, 0), (1, 1)
record_of = lambda x, i: [x // 2, x % 2][i]
level_set = lambda r, i: {x for x in range(4) if record_of(x, i) == r}

# an attacker's odds
event_and_output = lambda a, e, M, t: sum(a[x] * M[x][t] for x in e)
posterior_of = lambda a, e, M, t: event_and_output(a, e, M, t) / output_of(a, M)[t]
odds_over_prior = lambda a, e, f, M, t: (
    oo
    if event_and_output(a, f, M, t) == 0
    else (posterior_of(a, e, M, t) / posterior_of(a, f, M, t)) / (weight_of(a, e) / weight_of(a, f))
)
possible_given = lambda a, e, f, M: [
    t for t in range(len(M[0])) if event_and_output(a, e, M, t) + event_and_output(a, f, M, t) > 0
]
keeps_odds = lambda D, S, M, gamma: all(
    1 / gamma <= r <= gamma
    for a in D
    for e, f in S
    if both_defined(a, e, f)
    for t in possible_given(a, e, f, M)
    for r in [odds_over_prior(a, e, f, M, t)]
)

# the density ratio neighbourhood of a partition's prior
pairs_of = lambda Z: [(e, f) for e in Z for f in Z]
levels_of = lambda a, Z: [weight_of(a, e) for e in Z]
posterior_levels = lambda a, Z, M, t: [posterior_of(a, e, M, t) for e in Z]
near_by_ratio = lambda f, g, k: (
    all((f[i] == 0) == (g[i] == 0) for i in range(len(f)))
    and all(f[i] * g[j] <= k * f[j] * g[i] for i in range(len(f)) for j in range(len(f)))
)
seen_outputs = lambda a, M: [t for t in range(len(M[0])) if output_of(a, M)[t] > 0]
keeps_neighborhoods = lambda D, Z, M, gamma: all(
    near_by_ratio(posterior_levels(a, Z, M, t), levels_of(a, Z), gamma) for a in D for t in seen_outputs(a, M)
)

_SMALL: tuple[Weights, ...] = tuple((Fraction(k, 4), 1 - Fraction(k, 4)) for k in (2, 1, 4))
_OUTPUTS: tuple[Weights, ...] = ((Fraction(1), Fraction(0)), (Fraction(1, 2),) * 2, (Fraction(1, 3), Fraction(2, 3)))


def kernel_laws(outputs: int, parts: int) -> list[Weights]:
    """All laws on so many outputs whose probabilities are multiples of 1/parts."""
    counts = product(range(parts + 1), repeat=outputs)
    return [tuple(Fraction(n, parts) for n in row) for row in counts if sum(row) == parts]


def instantiation(attackers: Attackers, pairs: Pairs) -> Pufferfish:
    """The same as the object of `spec`, pairs with undefined conditionals left out."""
    events = list(dict.fromkeys(event for pair in pairs for event in pair))
    names = {event: f"E{place}" for place, event in enumerate(events)}
    priors = {f"a{place}": Law(dict(enumerate(prior))) for place, prior in enumerate(attackers)}
    return Pufferfish(
        priors, {names[e]: e for e in events}, [(names[e], names[f]) for e, f in pairs], leaves_out_undefined=True
    )


def smallest_gamma(attackers: Attackers, pairs: Pairs, kernel: Kernel) -> Fraction | None:
    """e^ε for the smallest ε that the mechanism meets: by the theorem, the largest over the steps; None for ∞."""
    found = instantiation(attackers, pairs)
    laws = found.provided({x: Law(dict(enumerate(row))) for x, row in enumerate(kernel)})
    needed = [Multiplicative().distance(laws[b], laws[c]).gamma for b, c in found.steps]
    finite = [gamma for gamma in needed if gamma is not None]
    return max([Fraction(1), *finite]) if len(finite) == len(needed) else None


def near_budgets(attackers: Attackers, pairs: Pairs, kernel: Kernel) -> Sequence[Fraction]:
    """Budgets at and below the smallest one, or some where there is none."""
    smallest = smallest_gamma(attackers, pairs, kernel)
    if smallest is None:
        return [Fraction(4)]
    return [smallest] if smallest == 1 else [smallest, (smallest + 1) / 2]


_tiny = lambda: (
    (attackers, (pair,), kernel, Fraction(2))
    for events in [(frozenset({0}), frozenset({1}), frozenset({0, 1}))]
    for attackers in (*zip(_SMALL, strict=True), *combinations(_SMALL, 2))
    for pair, kernel in product(combinations(events, 2), product(_OUTPUTS, repeat=2))
)


def _drawn(count: int) -> Iterator[tuple[Attackers, Pairs, Kernel, Fraction]]:
    drawn = random.Random(count)  # noqa: S311 fixed cases, not secrets
    priors, laws = kernel_laws(3, 4), kernel_laws(3, 3)
    events = [frozenset(s) for size in (1, 2) for s in combinations(range(3), size)]
    for _ in range(count):
        attackers = tuple(drawn.sample(priors, drawn.randint(1, 2)))
        pairs = tuple((drawn.choice(events), drawn.choice(events)) for _ in range(drawn.randint(1, 3)))
        kernel = tuple(drawn.choice(laws) for _ in range(3))
        for gamma in near_budgets(attackers, pairs, kernel):
            yield attackers, pairs, kernel, gamma


@cases(
    "two data sets, one or two of three attackers, all pairs of two conjectures, all mechanisms of three laws, "
    "e^epsilon = 2; 70 fixed random instantiations on three data sets, attackers in quarters, mechanisms in "
    "thirds, e^epsilon the smallest and between it and 1",
    "D S M gamma",
)
def instantiations() -> Iterator[tuple[Attackers, Pairs, Kernel, Fraction]]:
    yield from _tiny()
    yield from _drawn(70)


STATED = (
    "the graph is undirected, d being a metric and D_Mult symmetric; a pair with a conditional that is undefined, its "
    "conjecture having probability 0, is left out"
)


@cases(
    "all partitions of three data sets into two or three events, 150 fixed random choices of one or two attackers in "
    "quarters and a mechanism in thirds, e^epsilon "
    "the smallest and between it and 1",
    "D Z M gamma",
)
def partitioned() -> Iterator[tuple[Attackers, tuple[frozenset[int], ...], Kernel, Fraction]]:
    drawn = random.Random(5)  # noqa: S311 fixed cases, not secrets
    priors, laws = kernel_laws(3, 4), kernel_laws(3, 3)
    single = [frozenset({x}) for x in range(3)]
    partitions = [tuple(single), *((single[x], frozenset(range(3)) - {x}) for x in range(3))]
    for place in range(150):
        partition = partitions[place % len(partitions)]
        attackers = tuple(drawn.sample(priors, drawn.randint(1, 2)))
        kernel = tuple(drawn.choice(laws) for _ in range(3))
        for gamma in near_budgets(attackers, tuple(product(partition, partition)), kernel):
            yield attackers, partition, kernel, gamma
