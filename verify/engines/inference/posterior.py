"""What is believed after a release: bounds on posterior probabilities, and the exact ones of a mechanism's laws.

The priors and posteriors that a budget allows are polygons that a picture may fill, never on the wrong side. With γ =
e^ε and g = γ^d the printed bounds are straight lines, and their region is exact. The sharpest upper bound u(π) =
πg/(1 + (g − 1)π) is concave, so that every chord of it lies below it, and every tangent above: its polygon is made of
tangents. The lower bound is 1 − u(1 − π), so that its polygon is the mirror image.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from stirred.spec.arguments import Exact, InputError, integer, probability
from stirred.spec.blocks.input_premetric import Distance
from stirred.spec.laws.law import Law
from stirred.verify.engines.inference.power import exponential_budget, roc_region

T = TypeVar("T", bound=Hashable)


def posterior_bounds(prior: Exact, gamma: Exact, distance: int | None) -> tuple[Fraction, Fraction]:
    """The printed interval of a posterior probability, π γ^-d to π γ^d, cut off at 1.

    Source: dissertation, Theorem 5.6.3, (5.12); all models must be of one connected component.

    >>> posterior_bounds(Fraction(1, 2), 3, 1)
    (Fraction(1, 6), Fraction(1, 1))
    """
    share, factor = _checked(prior, gamma, distance)
    if distance is None:
        return Fraction(0), Fraction(1)
    return share / factor**distance, min(Fraction(1), share * factor**distance)


def sharpest_posterior(prior: Exact, gamma: Exact, distance: int | None) -> tuple[Fraction, Fraction]:
    """The interval of a posterior probability that some mechanism, model and release attain: the odds change by γ^±d.

    That is π/(π + γ^d (1 − π)) to π γ^d/(π γ^d + 1 − π). Attained by two data sets at distance d, of which the model
    has one where θ ∈ S and the other where not, and a mechanism that releases an output γ^d times as often on one.
    For a prior of 0 or 1 it is that prior.

    Source: Bayes' rule: the odds are multiplied by a likelihood ratio from γ^-d to γ^d.

    >>> sharpest_posterior(Fraction(1, 2), 3, 1)
    (Fraction(1, 4), Fraction(3, 4))
    """
    share, factor = _checked(prior, gamma, distance)
    if share in (0, 1):
        return share, share
    if distance is None:
        return Fraction(0), Fraction(1)
    whole = factor**distance
    return share / (share + whole * (1 - share)), share * whole / (share * whole + 1 - share)


def _checked(prior: Exact, gamma: Exact, distance: int | None) -> tuple[Fraction, Fraction]:
    share, factor = probability("prior", prior), exponential_budget(gamma)
    if distance is not None:
        integer("distance", distance, minimum=0)
    return share, factor


@dataclass(frozen=True)
class Belief(Generic[T]):
    """A prior on data sets, and what is believed after a release of a mechanism."""

    prior: Mapping[T, Fraction]
    laws: Mapping[T, Law[Any]]

    def __post_init__(self) -> None:
        for x, share in self.prior.items():
            probability(f"prior of {x!r}", share)
            if share and x not in self.laws:
                raise InputError(f"the prior must be on data sets of the domain; got {x!r}")
        if (total := sum(self.prior.values(), Fraction(0))) != 1:
            raise InputError(f"the prior must sum to exactly 1; got {total}")

    def probability_of(self, event: Collection[T]) -> Fraction:
        return sum((share for x, share in self.prior.items() if x in event), Fraction(0))

    def predicted(self, outcome: Any, event: Collection[T] | None = None) -> Fraction:
        """The probability of an outcome and an event: Σ_x π(x) P_x({t}) over the data sets of the event.

        Source: dissertation, (5.6), and the prior predictive probability of section 5.6.
        """
        chosen = ((x, share) for x, share in self.prior.items() if share and (event is None or x in event))
        return sum((share * self.laws[x].numeric(outcome) for x, share in chosen), Fraction(0))

    def after(self, outcome: Any, event: Collection[T]) -> Fraction:
        whole = self.predicted(outcome)
        if not whole:
            raise InputError(f"the posterior given {outcome!r} is undefined: its probability is 0 under this prior")
        return self.predicted(outcome, event) / whole

    def outcomes(self) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(t for x, share in self.prior.items() if share for t in self.laws[x]))

    def range_after(self, event: Collection[T]) -> tuple[Fraction, Fraction]:
        """The smallest and the largest posterior probability of an event, over all outcomes."""
        if not self.probability_of(event):
            raise InputError("the event must have positive prior probability: what is conditional on it is undefined")
        found = [self.after(t, event) for t in self.outcomes()]
        return min(found), max(found)


Region = tuple[tuple[Fraction, Fraction], ...]
"""The vertices (prior, posterior) of a polygon: along the upper bound from (0, 0) to (1, 1), back along the lower."""

_ENDS = (Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))


def posterior_region(gamma: Exact, distance: int) -> Region:
    """The printed bounds, π γ^-d to min(1, π γ^d), exactly.

    >>> print(*(f"({a}, {b})" for a, b in posterior_region(3, 1)))
    (0, 0) (1/3, 1) (1, 1) (1, 1/3)
    """
    least, _ = posterior_bounds(1, gamma, distance)
    return (_ENDS[0], (least, Fraction(1)), _ENDS[1], (Fraction(1), least))


def sharpest_posterior_region(gamma: Exact, distance: int, within: Fraction) -> Region:
    """A polygon around the sharpest bounds, whose every point has one between them at most `within` away.

    Vertices where tangents of the bounds meet; the two ends where γ^d = 1.

    >>> print(*(f"({a}, {b})" for a, b in sharpest_posterior_region(3, 1, Fraction(1, 4))))
    (0, 0) (1/4, 3/4) (1, 1) (3/4, 1/4)
    """
    _, half = sharpest_posterior(Fraction(1, 2), gamma, distance)
    if half == Fraction(1, 2):
        return _ENDS
    bound = _Upper(half / (1 - half))
    return roc_region((_ENDS[0], *bound.corners(Fraction(0), Fraction(1), within), _ENDS[1]))


class _Upper:
    """u(π) = πg/(1 + (g − 1)π), for one g above 1."""

    def __init__(self, factor: Fraction) -> None:
        self._factor = factor

    def at(self, prior: Fraction) -> Fraction:
        return prior * self._factor / self._scale(prior)

    def _scale(self, prior: Fraction) -> Fraction:
        return 1 + (self._factor - 1) * prior

    def corners(self, left: Fraction, right: Fraction, within: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
        """Where tangents meet that touch u from the left end to the right one, each near u.

        The tangent at π has the slope g/s(π)² with s(π) = 1 + (g − 1)π, so two of them meet where s is the harmonic
        mean of theirs. Along a tangent the distance from u grows towards the corner: near there, it is near all along.
        """
        first, last = self._scale(left), self._scale(right)
        across = (2 * first * last / (first + last) - 1) / (self._factor - 1)
        up = self.at(left) + (across - left) * self._factor / first**2
        if self.at(min(Fraction(1), across + within)) >= up - within:
            yield across, up
        else:
            yield from self.corners(left, across, within)
            yield from self.corners(across, right, within)


@dataclass(frozen=True)
class ReleasedLaw(Generic[T]):
    """Bounds of P(T ∈ A | θ), for all models whose law P_θ has its support among some data sets S.

    P(T = t | θ) = Σ_x P_θ(x) P_x(t). With d_*(x_*) = max over S of d(x, x_*) the dissertation prints the bounds

        l(t) = max over x_* in S of γ^-d_* P_x*(t),   u(t) = min over x_* in S of γ^d_* P_x*(t).

    The lower one lacks a factor P_θ(S), the probability that the data are possible at all. Where the mechanism is known
    the sharpest bounds for all models on S are min and max over S of P_x(t): models that are sure of one data set
    attain them.

    Source: dissertation, Theorems 5.4.1 and 5.6.2.

    Attributes:
        gamma: e^ε, at least 1: a budget that the mechanism satisfies on them.
        distance: d, finite between any two of them.
        mass: a lower bound of the probability, under the model, of these data sets.
    """

    laws: Mapping[T, Law[Any]]
    gamma: Exact
    distance: Callable[[T, T], Distance]
    mass: Exact = 1

    def __post_init__(self) -> None:
        probability("mass", self.mass)
        exponential_budget(self.gamma)
        if not self.laws:
            raise InputError("at least one data set must be possible")

    def farthest(self, x: T) -> int:
        """d_*: the largest distance of a possible data set from one of them."""
        found = [self.distance(y, x) for y in self.laws]
        if any(d is None for d in found):
            raise InputError(f"the possible data sets must be connected; {x!r} is at an infinite distance from one")
        if any(Fraction(d).denominator != 1 for d in found if d is not None):
            raise InputError("distances must be integers: a power of gamma is exact for those only")
        return max(int(d) for d in found if d is not None)

    def printed(self, outcomes: Collection[Any]) -> tuple[Fraction, Fraction]:
        """The sums of l and of u over an event, the lower one with the factor that the printed one lacks.

        >>> coin = {0: Law({0: Fraction(3, 4), 1: Fraction(1, 4)}), 1: Law({0: Fraction(1, 4), 1: Fraction(3, 4)})}
        >>> ReleasedLaw(coin, 3, lambda x, y: abs(x - y)).printed([0])
        (Fraction(1, 4), Fraction(3, 4))
        """
        factors = {x: Fraction(self.gamma) ** self.farthest(x) for x in self.laws}
        low = sum((max(self.laws[x].numeric(t) / factors[x] for x in self.laws) for t in outcomes), Fraction(0))
        high = sum((min(self.laws[x].numeric(t) * factors[x] for x in self.laws) for t in outcomes), Fraction(0))
        return Fraction(self.mass) * low, min(Fraction(1), high)

    def sharpest(self, outcomes: Collection[Any]) -> tuple[Fraction, Fraction]:
        """The smallest and the largest probability of an event that models attain on these data sets, times the mass.

        The upper end leaves out what the other data sets add, as the theorem does on T_0, where they release nothing.
        """
        found = [sum((law.numeric(t) for t in outcomes), Fraction(0)) for law in self.laws.values()]
        return Fraction(self.mass) * min(found), max(found)
