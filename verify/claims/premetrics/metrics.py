"""Which axioms of a metric the premetrics satisfy: abstract ones, the multiplicative distance, common divergences."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from spec.law import Law
from verify.engines.zcdp.renyi_grid import laws_of
from verify.ledger.quantifiers import cases, every, some
from verify.ledger.statement import misprint, state
from verify.ledger.theorems import theorem
from verify.ledger.words import define

define(
    {
        "d_symmetric(d)": "all(distance(d, x, y) == distance(d, y, x) for x, y in d)",
        "d_positive(d)": "all(distance(d, x, y) != 0 for x, y in d)",
        "d_triangular(d)": """all(distance(d, x, z) <= distance(d, x, y) + distance(d, y, z)
            for x, y in d for v, z in d)""",
        "uniform_image(x)": "{v: sum(1 for u in x if u == v) / len(x) for v in set(x)}",
        "ratio_beyond(p, q, delta)": """max([1] + [((probability(p, s) - delta) / probability(q, s)
            if probability(q, s) > 0 else oo) for s in subsets(outcomes(p, q)) if probability(p, s) > delta])""",
        "with_an_eighth(p, q)": "max(ratio_beyond(p, q, 1 / 8), ratio_beyond(q, p, 1 / 8))",
        "mass_at(p, t)": "get(p, t, 0)",
        "abs_continuous(p, q)": "all(mass_at(q, t) > 0 for t in p if p[t] > 0)",
        "kullback_leibler(p, q)": "sum(p[t] * ln(p[t] / q[t]) for t in p if p[t] > 0) if abs_continuous(p, q) else oo",
        "order_sum(p, q, a)": "sum(p[t]**a * q[t]**(1 - a) for t in p if p[t] > 0)",
        "renyi_divergence(p, q, a)": "ln(order_sum(p, q, a)) / (a - 1) if abs_continuous(p, q) else oo",
        "chi_squared(p, q)": "sum((mass_at(p, t) - q[t])**2 / q[t] for t in q) if abs_continuous(p, q) else oo",
        "hellinger(p, q)": "sqrt(sum((sqrt(mass_at(p, t)) - sqrt(mass_at(q, t)))**2 for t in outcomes(p, q)) / 2)",
        "mean_of(p, f)": "sum(p[t] * f[t] for t in p)",
        "integral_metric(p, q, functions)": "max(abs(mean_of(p, f) - mean_of(q, f)) for f in functions)",
        "mass_up_to(p, s)": "sum(p[t] for t in p if t <= s)",
        "wasserstein(p, q)": "sum(abs(mass_up_to(p, s) - mass_up_to(q, s)) for s in range(1 + max(outcomes(p, q))))",
    }
)

_KINDS = {
    (True, True, True): (1, 1, 1, 1, 1, 1),
    (True, True, False): (1, 3, 1, 1, 3, 1),
    (True, False, True): (0, 1, 0, 1, 1, 1),
    (True, False, False): (0, 1, 0, 0, 1, 0),
    (False, True, True): (1, 2, 2, 2, 2, 2),
    (False, True, False): (1, None, 2, 1, 3, 1),
    (False, False, True): (0, 1, 1, 1, 1, 1),
    (False, False, False): (0, 1, 1, 0, 1, 0),
}


@cases("a premetric on three points for each combination of symmetric, positive and triangular", "d kind")
def one_of_each_kind() -> Iterator[tuple[Any, ...]]:
    return ((dict(zip(permutations(range(3), 2), values, strict=True)), kind) for kind, values in _KINDS.items())


_KIND = "[d_symmetric(d), d_positive(d), d_triangular(d)] == "

state(
    "premetric.definition",
    "dissertation, Definition 2.4.14 and the text after it",
    printed="A premetric d on a set S is a function S x S -> [0, oo] satisfying d(x, y) = 0 if x = y. A premetric "
    "generalizes the mathematical concept of a metric, because it is not required to be symmetric, positive for "
    "distinct points, nor does it need to satisfy the triangle inequality.",
    reading="the three are independent of the definition and of each other: each of the eight combinations occurs",
    checks=[every(one_of_each_kind, f"{_KIND}kind")],
    mutants={"a premetric is symmetric": every(one_of_each_kind, f"{_KIND}[True, kind[1], kind[2]]")},
)


@cases("all pairs of laws on three outcomes in quarters", "p q")
def pairs() -> Iterator[tuple[Any, ...]]:
    return product(laws_of(3, 4), repeat=2)


@cases("all triples of laws on three outcomes in quarters", "p q r")
def triples() -> Iterator[tuple[Any, ...]]:
    return product(laws_of(3, 4), repeat=3)


_TRIANGLE = "{0}(p, r) <= {0}(p, q) * {0}(q, r)"
_IDENTITY = "multiplicative(p, q) == multiplicative(q, p) and (multiplicative(p, q) == 1) == same_law(p, q)"
_METRIC = [every(pairs, _IDENTITY), every(triples, _TRIANGLE.format("multiplicative"))]

state(
    "premetric.multiplicative-metric",
    "dissertation, section 2.4.4, after Definition 2.4.14",
    printed="many of the premetrics used in DP are metrics - such as the multiplicative distance adopted in the "
    "original formulation of DP",
    reading="a metric on laws that may be oo, as the definition of a premetric allows; the words D(P, Q) are e^D_Mult",
    checks=[*_METRIC, theorem("pure.mult_metric", within="laws on finite sets")],
    mutants={"D_Mult^(1/8) for D_Mult": every(triples, _TRIANGLE.format("with_an_eighth"))},
)


@cases("random variables with values 0 and 1 on uniform spaces of up to 3 points", "x y")
def random_variables() -> Iterator[tuple[Any, ...]]:
    return (pair for n in (1, 2, 3) for pair in product(product((0, 1), repeat=n), repeat=2))


state(
    "multiplicative.metric.random-variables",
    "article, Lemma 3",
    "dissertation, Lemma B.3.2",
    printed="D_Mult is a metric on the space of a.e. equal random variables (over the same probability space T).",
    reading="random variables are one if they are equal a.e., as the proof says: D_Mult(X, Y) = 0 iff X = Y a.e.",
    grade=misprint("equal in law for equal a.e.: (6) measures laws, and nothing else of X and Y is used"),
    checks=[every(random_variables, "(multiplicative(uniform_image(x), uniform_image(y)) == 1) == (x == y)")],
    refuted_by=["pure.mult_metric_variables_refuted"],
)

state(
    "multiplicative.metric.laws",
    "article, Lemma 3",
    claim="D_Mult is an extended metric on the laws on a finite set: D_Mult(P, Q) = 0 iff P = Q, it is symmetric, and "
    "D_Mult(P, R) <= D_Mult(P, Q) + D_Mult(Q, R), where the values may be infinite.",
    repairs="multiplicative.metric.random-variables",
    checks=[*_METRIC, theorem("pure.mult_metric")],
    mutants={"2 D(P, R) for D(P, R)": every(triples, f"multiplicative(p, r) * {_TRIANGLE.format('multiplicative')}")},
)

_ROOTS = ((1, 0, 0), (0, 1, 0), (3, 4, 0), (4, 3, 0), (0, 3, 4), (2, 2, 1), (1, 2, 2))
_SQUARES = tuple(Law({t: Fraction(a * a, sum(b * b for b in one)) for t, a in enumerate(one)}) for one in _ROOTS)
_GRID = f"{len(_SQUARES)} laws on the points 0, 1, 2 of the line, whose probabilities have rational roots"


@cases(f"all pairs of {_GRID}", "p q")
def pairs_of_squares() -> Iterator[tuple[Any, ...]]:
    return product(_SQUARES, repeat=2)


@cases(f"all pairs of different ones of {_GRID}", "p q")
def different_squares() -> Iterator[tuple[Any, ...]]:
    return permutations(_SQUARES, 2)


@cases(f"all triples of different ones of {_GRID}", "p q r")
def triples_of_squares() -> Iterator[tuple[Any, ...]]:
    return permutations(_SQUARES, 3)


_FUNCTIONS = "[[0, 0, 1], [0, 0, 3]]"
_DISTANCES = {
    "total variation": "total_variation({0}, {1})",
    "KL": "kullback_leibler({0}, {1})",
    "Renyi of order 2": "renyi_divergence({0}, {1}, 2)",
    "Renyi of order 5": "renyi_divergence({0}, {1}, 5)",
    "Hellinger": "hellinger({0}, {1})",
    "chi-squared": "chi_squared({0}, {1})",
    "integral probability metric": f"integral_metric({{0}}, {{1}}, {_FUNCTIONS})",
    "Wasserstein": "wasserstein({0}, {1})",
}


def _premetric(distance: str) -> str:
    return f"{distance.format('p', 'p')} == 0 and {distance.format('p', 'q')} >= 0"


_CROSS_ENTROPY = "(sum({0}[t] * ln(1 / {1}[t]) for t in {0}) if abs_continuous({0}, {1}) else oo)"
_DIFFERENCE = f"max(mean_of({{0}}, f) - mean_of({{1}}, f) for f in {_FUNCTIONS})"

state(
    "premetric.examples",
    "dissertation, section 2.4.5, after Definition 2.4.16",
    printed="Most distances and divergences encountered in statistics and probability theory (including the total "
    "variation distance, the KL-divergence, the Renyi divergences, the Hellinger distance, the chi^2-divergence, the "
    "integral probability metrics and the Wasserstein distances) are probability premetrics.",
    reading="D(P, Q) >= 0 and D(P, P) = 0 for laws on one space (Wasserstein: a line); Definition 2.4.16 has oo "
    "for different spaces",
    checks=[every(pairs_of_squares, _premetric(one)) for one in _DISTANCES.values()],
    mutants={
        "the cross entropy for the KL-divergence": every(pairs_of_squares, _premetric(_CROSS_ENTROPY)),
        "the difference of means for its absolute value": every(
            different_squares, f"{_DIFFERENCE.format('p', 'q')} >= 0"
        ),
        "the difference of entropies for the KL-divergence": every(
            pairs_of_squares, "sum(q[t] * ln(q[t]) for t in q) - sum(p[t] * ln(p[t]) for t in p) >= 0"
        ),
    },
)


def _positive(name: str) -> str:
    return f"{_DISTANCES[name].format('p', 'q')} > 0"


def _symmetric(name: str) -> str:
    return f"{_DISTANCES[name].format('p', 'q')} == {_DISTANCES[name].format('q', 'p')}"


def _triangle(name: str) -> str:
    there, on, direct = (_DISTANCES[name].format(*pair) for pair in ("pq", "qr", "pr"))
    return f"{direct} <= {there} + {on}"


_METRICS = ("total variation", "Hellinger", "Wasserstein")
_DIVERGENCES = ("KL", "Renyi of order 2", "chi-squared")
_IPM = "integral probability metric"

state(
    "premetric.examples.axioms",
    "dissertation, section 2.4.5, after Definition 2.4.16",
    claim="Of the examples of probability premetrics, the total variation, Hellinger and Wasserstein distances are "
    "metrics; the KL-, Renyi and chi^2-divergences are positive for different laws, but neither symmetric nor "
    "triangular; an integral probability metric is symmetric and triangular, and may be 0 for different laws.",
    checks=[
        *(every(different_squares, _positive(name)) for name in (*_METRICS, *_DIVERGENCES)),
        *(every(different_squares, _symmetric(name)) for name in (*_METRICS, _IPM) if name != "Hellinger"),
        *(every(triples_of_squares, _triangle(name)) for name in (*_METRICS, _IPM)),
        *(some(different_squares, f"not ({_symmetric(name)})") for name in _DIVERGENCES if name != "KL"),
        some(different_squares, "kullback_leibler(p, q) < kullback_leibler(q, p)"),
        *(some(triples_of_squares, f"not ({_triangle(name)})") for name in _DIVERGENCES),
        some(different_squares, f"not ({_positive(_IPM)})"),
    ],
    mutants={
        "the chi^2-divergence is symmetric": every(different_squares, _symmetric("chi-squared")),
        "the KL-divergence is triangular": every(triples_of_squares, _triangle("KL")),
        "an integral probability metric is positive": every(different_squares, _positive(_IPM)),
    },
)
