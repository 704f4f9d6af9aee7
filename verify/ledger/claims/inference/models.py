"""Mechanisms on a few data sets with models of the data: the cases and words of the dissertation's sections 5.4 to 5.6.

A mechanism p maps each data set to its law, d has the finite distances between different data sets, and a model w maps
data sets to probabilities. On finite sets with the discrete topology the support of w is the set of its data sets of
positive probability; gamma is e^epsilon for the smallest epsilon: that of the pairs at distance 1, by Assumption 5.3.3.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.ledger import cases
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get, oo
from stirred.verify.ledger.words import distance, multiplicative

FINITE = "finite spaces; distances that are integers or infinite"
"""What the theorems on inference are limited to."""

smallest_gamma = lambda p, d: max([1] + [multiplicative(p[x], p[y]) for x, y in d if d[x, y] == 1])
model_support = lambda w: {x for x in w if w[x] > 0}
can_release = lambda p, t: {x for x in p if get(p[x], t, 0) > 0}

# those that the model has and that can release t: supp of x given t and theta
plausible = lambda p, w, t: model_support(w) & can_release(p, t)
released_share = lambda p, w, t: sum(w[x] * get(p[x], t, 0) for x in w)
all_outcomes = lambda p: {t for x in p for t in p[x]}

# the outcomes that no other data set of the model can release: T_0
no_other_gives = lambda p, s, w: {t for t in all_outcomes(p) if plausible(p, w, t) <= s}
d_farthest = lambda d, s, x: max([0] + [distance(d, y, x) for y in s])
d_diameter = lambda d, s: max([0] + [d_farthest(d, s, x) for x in s])
d_connected = lambda d, s: d_diameter(d, s) < oo
lower_density = lambda p, d, s, gamma, t: max(get(p[x], t, 0) / gamma ** d_farthest(d, s, x) for x in s)
upper_density = lambda p, d, s, gamma, t: min(get(p[x], t, 0) * gamma ** d_farthest(d, s, x) for x in s)

# after t, of the second of two models with prior probability q
second_posterior = lambda p, w, v, q, t: (
    q * released_share(p, v, t) / ((1 - q) * released_share(p, w, t) + q * released_share(p, v, t))
)
mixed_models = lambda w, v, share: {x: (1 - share) * get(w, x, 0) + share * get(v, x, 0) for x in set(w) | set(v)}

Mechanism = Mapping[Any, Law[Any]]
Distances = Mapping[tuple[Any, Any], int]
Model = Mapping[Any, Fraction]

_PATH: Distances = {(x, y): abs(x - y) for x, y in product(range(3), repeat=2) if x != y}
_TRIANGLE: Distances = dict.fromkeys(_PATH, 1)


def responses(sizes: Sequence[int], flip: Fraction = Fraction(1, 4)) -> tuple[Mechanism, Distances]:
    """Randomised response on all binary data sets of some sizes, with the ordered Hamming distance."""
    points = [x for size in sizes for x in product((0, 1), repeat=size)]
    apart = {
        (x, y): sum(a != b for a, b in zip(x, y, strict=True)) for x, y in product(points, repeat=2) if len(x) == len(y)
    }
    laws = {
        x: Law({t: flip ** apart[x, t] * (1 - flip) ** (len(x) - apart[x, t]) for t in points if len(t) == len(x)})
        for x in points
    }
    return laws, {pair: d for pair, d in apart.items() if d}


def rising(gamma: Fraction, steps: int) -> Mapping[int, Mapping[int, Fraction]]:
    """A mechanism on a path that gives 1 with a probability that grows by gamma at each step, to 1/2."""
    shares = [gamma**i / (2 * gamma**steps) for i in range(steps + 1)]
    return {i: {1: share, 0: 1 - share} for i, share in enumerate(shares)}


# randomised response on data sets of one or two bits, then all of three laws in thirds that have a finite loss
_mechanisms = lambda: (
    responses((1, 2)),
    responses((2,)),
    *(
        (dict(enumerate(chosen)), d)
        for d in (_PATH, _TRIANGLE, {(0, 1): 1, (1, 0): 1})
        for chosen in product(laws_of(2, 3), repeat=3)
        if all(Multiplicative().distance(chosen[x], chosen[y]).gamma is not None for x, y in d if d[x, y] == 1)
    ),
)


def _models(points: Sequence[Any]) -> Iterator[Model]:
    """Of small mechanisms some laws with and without zeros; of randomised response by the size, and single points."""
    if len(points) == 3:
        for weights in ((1, 1, 1), (2, 0, 1), (1, 0, 0), (3, 1, 1), (1, 2, 0), (0, 1, 3), (0, 0, 1)):
            yield {x: Fraction(w, sum(weights)) for x, w in zip(points, weights, strict=True)}
        return
    sizes = sorted({len(x) for x in points})
    for share in (Fraction(1, 2), Fraction(1, 10), Fraction(1)):
        of_size = {sizes[0]: share, sizes[-1]: 1 - share} if len(sizes) == 2 else {sizes[0]: Fraction(1)}
        yield {x: of_size[len(x)] / sum(len(y) == len(x) for y in points) for x in points}
    yield {points[-1]: Fraction(1)}


_SCOPE = (
    "randomised response with gamma = 3 on data sets of one or two bits and of two; all mechanisms with two outcomes, "
    "probabilities in thirds and a finite loss on a path, a triangle, and a pair and a point of three data sets"
)

modelled = cases(
    f"{_SCOPE}; models with and without data sets of probability 0; all t_0 that some plausible data set gives",
    "p d w t0",
)(
    lambda: (
        (p, d, w, t0)
        for p, d in _mechanisms()
        for outcomes in [dict.fromkeys(t for law in p.values() for t in law)]
        for w in _models(tuple(p))
        for t0 in outcomes
        if any(share and p[x][t0] for x, share in w.items())
    )
)

mechanisms = cases(_SCOPE, "p d")(_mechanisms)

tested = cases(f"{_SCOPE}; all pairs of four such models", "p d w v")(
    lambda: (
        case
        for p, d in _mechanisms()
        for case in ((p, d, w, v) for w, v in permutations(list(_models(tuple(p)))[-4:], 2))
    )
)
