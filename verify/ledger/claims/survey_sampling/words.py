"""Releases of samples in words: laws of samples, one output's probabilities, and the budgets that these keep."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

from stirred.spec.laws.law import Law, uniform_law
from stirred.spec.surveys.amplification import Compared
from stirred.verify.engines.surveys.design_loss import Design, Frames, distance_of_samples, sample_law
from stirred.verify.engines.surveys.worst_release import power_limit, small_budget, worse_way
from stirred.verify.evidence.finding import EngineError
from stirred.verify.ledger import Cases
from stirred.verify.ledger.claims.multiverse.words import bound_at
from stirred.verify.ledger.language_names import get, oo
from stirred.verify.ledger.words import hamming, hamming_ordered, outcomes, symmetric_difference

Laws = tuple[Law[Any], Law[Any]]

# g(s) is the probability of one output of a release of the sample s, up to one factor; p and q are laws of s
released = lambda p, g: sum(p[s] * g[s] for s in p)
changed_units = lambda s, t: hamming_ordered(s, t) if [pair[0] for pair in s] == [pair[0] for pair in t] else oo
keeps_replaced = lambda g, gamma: all(g[s] <= bound_at(gamma, hamming(s, t)) * g[t] for s in g for t in g)
keeps_added = lambda g, gamma: all(g[s] <= bound_at(gamma, symmetric_difference(s, t)) * g[t] for s in g for t in g)
keeps_ordered = lambda g, gamma: all(g[s] <= bound_at(gamma, hamming_ordered(s, t)) * g[t] for s in g for t in g)
keeps_same_units = lambda g, gamma: all(g[s] <= bound_at(gamma, changed_units(s, t)) * g[t] for s in g for t in g)

# a release which keeps its budget has no larger ratio than k; it keeps its budget and has exactly this ratio. Where g
# is the worst release by an exact linear program, no release has more, and one has it
at_most_replaced = lambda p, q, g, k, gamma: not keeps_replaced(g, gamma) or released(p, g) <= k * released(q, g)
at_most_added = lambda p, q, g, k, gamma: not keeps_added(g, gamma) or released(p, g) <= k * released(q, g)
at_most_same_units = lambda p, q, g, k, gamma: not keeps_same_units(g, gamma) or released(p, g) <= k * released(q, g)
attained_replaced = lambda p, q, g, k, gamma: keeps_replaced(g, gamma) and released(p, g) == k * released(q, g)
attained_added = lambda p, q, g, k, gamma: keeps_added(g, gamma) and released(p, g) == k * released(q, g)
attained_same_units = lambda p, q, g, k, gamma: keeps_same_units(g, gamma) and released(p, g) == k * released(q, g)

# y of pairs of samples: the inequalities of releases, each so often, add up to released(p) <= k released(q)
multipliers_bound = lambda p, q, y, k, bounds: (
    all(y[a] >= 0 for a in y)
    and all(
        get(p, s, 0)
        <= k * get(q, s, 0) + sum(y[a] for a in y if a[0] == s) - sum(y[a] * bounds[a] for a in y if a[1] == s)
        for s in outcomes(p, q)
    )
)
bound_by_replaced = lambda p, q, y, k, gamma: multipliers_bound(
    p, q, y, k, {a: bound_at(gamma, hamming(a[0], a[1])) for a in y}
)
bound_by_added = lambda p, q, y, k, gamma: multipliers_bound(
    p, q, y, k, {a: bound_at(gamma, symmetric_difference(a[0], a[1])) for a in y}
)
bound_by_same_units = lambda p, q, y, k, gamma: multipliers_bound(
    p, q, y, k, {a: bound_at(gamma, changed_units(a[0], a[1])) for a in y}
)

# h(s) changes by no more than the distance of samples
mean_change = lambda p, q, h: sum(p[s] * h[s] for s in p) - sum(q[s] * h[s] for s in q)
lipschitz_replaced = lambda h: all(h[s] - h[t] <= hamming(s, t) for s in h for t in h)
lipschitz_added = lambda h: all(h[s] - h[t] <= symmetric_difference(s, t) for s in h for t in h)

BULLETS = ("dissertation, section 6.4.1", "dissertation, section 7.3")
"""Where the findings of Bun et al. (2022) are listed, in nearly the same words."""

GAMMAS = (Fraction(3, 2), Fraction(3))
"""e^ε of the releases of a sample."""

Listed = Callable[[], Iterable[tuple[Laws, tuple[Any, ...]]]]


def worst_releases(scope: str, names: str, listed: Listed, compared: Compared = Compared.REPLACED) -> Cases:
    """Pairs of laws of samples with e^ε and the release that loses most: the cases p, q, g, y, gamma and others.

    Of the two orders of a pair it is the one in which more is lost, so that a bound for it is one for both.
    """

    def all_cases() -> Iterator[tuple[Any, ...]]:
        for pair, others in listed():
            for gamma in GAMMAS:
                p, q, worst = worse_way(pair, power_limit(gamma, distance_of_samples(compared)))
                yield p, q, worst.weights, worst.multipliers, gamma, *others

    words = f"{scope}; e^epsilon = 3/2 and 3; the worst release"
    return Cases(words, ("p", "q", "g", "y", "gamma", *names.split()), cache(lambda: tuple(all_cases())))


def small_budgets(scope: str, names: str, listed: Listed, compared: Compared = Compared.REPLACED) -> Cases:
    """Pairs of laws of samples with the h that changes most in mean: the cases p, q, h and others."""

    def all_cases() -> Iterator[tuple[Any, ...]]:
        for (first, second), others in listed():
            found = small_budget(first, second, distance_of_samples(compared))
            if found.share is None:
                raise EngineError(f"a small budget is lost altogether: {scope}")
            yield first, second, found.heights, *others

    return Cases(f"{scope}; the worst release", ("p", "q", "h", *names.split()), cache(lambda: tuple(all_cases())))


def laws_of(design: Design, frames: Frames) -> Laws:
    """The laws of the sample from two frames, by running the design."""
    return sample_law(design, frames[0]), sample_law(design, frames[1])


def simple_laws(frames: Frames, size: int) -> Laws:
    """Simple random samples without replacement of two frames."""
    first, second = (uniform_law(tuple(combinations(frame, size))) for frame in frames)
    return first, second


def neighbours_of(size: int, records: str = "ab") -> Iterator[Frames]:
    """Frames of N units, each with one of these records, and the first unit's another: up to the names of the units."""
    for rest in product(records, repeat=size - 1):
        if list(rest) == sorted(rest):
            first, second = (tuple(enumerate((record, *rest), start=1)) for record in records[:2])
            yield first, second
