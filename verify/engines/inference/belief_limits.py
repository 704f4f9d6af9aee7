"""What a budget allows between beliefs, and the most that one can believe of an event: exact, as linear programs.

What is released under a belief u is the mixture Σ_x u(x) P_x, and a test of it rejects with probability u·m = Σ_x u(x)
m_x, where m_x ∈ [0, 1] is the probability under P_x. Any such m is a mechanism with two outputs. It meets the budget if
and only if u·m ≤ γ v·m and 1 − v·m ≤ γ (1 − u·m) for every step from u to v, in both directions (both outputs, both
orders; a budget for each step is one for each distance, by group privacy). So the largest power v·m of a test of level
u·m ≤ α is the maximum of a linear program, and attained. For the odds of two beliefs after an output only the numbers
P_x(t) matter, up to a common factor that leaves room for a second output: the program without the second inequality.

Of the posterior of an event under a budget, too, only the numbers a_x = P_x(t) matter, up to a common factor: they
satisfy a_x ≤ γ^d(x, y) a_y, and any such numbers are those of some mechanism, scaled down so far that a second outcome
takes the rest. The posterior of E is Σ_E π_x a_x where Σ π_x a_x = 1; with at most 1 in its place the maximum is the
same.

Source: dissertation, Theorems 5.8.1, 5.8.4 and 5.8.6, which bound the same from the distance alone.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

from stirred.spec.arguments import Exact, InputError, probability, shown
from stirred.spec.laws.law import Law
from stirred.verify.engines.algebra.linear_program import fraction, maximum, rational
from stirred.verify.engines.inference.power import LONGEST, exponential_budget
from stirred.verify.engines.universe_pairs import UniversePairs


def largest_posterior(
    prior: Sequence[Fraction], event: Collection[int], factors: Mapping[tuple[int, int], Fraction]
) -> Fraction:
    """The largest posterior probability of an event, over all mechanisms of a budget and all outcomes.

    The prior is positive; factors are γ^d(x, y) for ordered pairs of places, those that others imply left out or not.

    >>> largest_posterior([Fraction(1, 2)] * 2, {1}, {(0, 1): Fraction(3), (1, 0): Fraction(3)})
    Fraction(3, 4)
    """
    if not all(share > 0 for share in prior) or sum(prior) != 1:
        raise InputError(f"prior must be positive and sum to exactly 1; got {sum(prior)}")
    wanted = [share if x in event else Fraction(0) for x, share in enumerate(prior)]
    places = range(len(prior))
    rows = [[(z == x) - factor * (z == y) for z in places] for (x, y), factor in factors.items()]  # a_x − factor·a_y
    return maximum([*rows, prior], [*(Fraction(0) for _ in rows), Fraction(1)], wanted).value


Row = list[Fraction]


class BeliefLimits:
    """Beliefs under a budget for each step between two of them.

    Beliefs are laws of the data set, by place; steps are ordered pairs at distance 1, with every pair its reverse.
    """

    def __init__(self, beliefs: Sequence[Law[Any]], steps: Sequence[tuple[int, int]], gamma: Exact) -> None:
        self._gamma, self._steps = exponential_budget(gamma), steps
        points = list(dict.fromkeys(x for belief in beliefs for x in belief))
        self._rows = [[belief.numeric(x) for x in points] for belief in beliefs]

    def power(self, first: int, second: int, alpha: Exact) -> Fraction:
        """The largest power against the second belief of a level-α test of the first, over all mechanisms: attained."""
        level = probability("alpha", alpha)
        room = self._gamma - 1
        # 1 - v·m <= gamma (1 - u·m) is gamma u·m - v·m <= gamma - 1
        complements = [self._difference(v, u) for u, v in self._steps]
        units = [[Fraction(x == y) for y in range(len(self._rows[0]))] for x in range(len(self._rows[0]))]
        rows = [*self._bounded, *([-entry for entry in row] for row in complements), *units, self._rows[first]]
        bounds = [*(Fraction(0) for _ in self._steps), *(room for _ in complements), *(Fraction(1) for _ in units)]
        return maximum(rows, [*bounds, level], self._rows[second]).value

    def ratio(self, first: int, second: int) -> Fraction:
        """The largest ratio of the probabilities of an output under two beliefs, the second to the first: attained.

        The two must be joined by steps.
        """
        rows = [*self._bounded, self._rows[first]]
        return maximum(rows, [*(Fraction(0) for _ in self._steps), Fraction(1)], self._rows[second]).value

    @property
    def _bounded(self) -> list[Row]:
        return [self._difference(u, v) for u, v in self._steps]

    def _difference(self, u: int, v: int) -> Row:
        return [a - self._gamma * b for a, b in zip(self._rows[u], self._rows[v], strict=True)]


class UniverseLimits:
    """What a budget of pure differential privacy allows in one universe: through data sets between, by shortest paths.

    With f(a) = min(γ^d a, 1 − (1 − a)/γ^d), a budget says P_z(R) ≤ f(P_y(R)) for all y, z at distance d. The largest
    powers that satisfy all of it, from P_x(R) = α, are the smallest values of f composed along paths from x. They are
    those of a mechanism: since f and its lower counterpart are inverse to each other, each pair holds both ways. So
    they are attained, in any universe, whatever the invariants leave of the data sets between.
    """

    def __init__(self, pairs: UniversePairs, gamma: Exact) -> None:
        self._gamma = exponential_budget(gamma)
        self._near: list[dict[int, int]] = [{} for _ in pairs.points]
        for place in range(len(pairs.points)):
            for other, d in pairs.bounding_row(place):
                if d is None or Fraction(d).denominator != 1:
                    raise InputError(
                        "distances must be integers: powers of gamma are exact for those only; got "
                        f"{'an infinite one' if d is None else shown(d)}"
                    )
                if d > LONGEST:
                    raise InputError(
                        f"distances must be at most {LONGEST} for bounds on what is learned; got {shown(d)}: state "
                        "them, and the budget, for a larger unit"
                    )
                for one, two in ((place, other), (other, place)):
                    self._near[one][two] = min(int(d), self._near[one].get(two, int(d)))

    @property
    def steps(self) -> frozenset[int]:
        """The distances above 0 of the pairs that bound all others."""
        return frozenset(d for near in self._near for d in near.values() if d)

    def distances(self, place: int) -> dict[int, int]:
        """The length of a shortest path to each data set that can be reached."""
        return self._spread(place, 0, lambda value, d: value + d)

    def powers(self, place: int, alpha: Exact) -> dict[int, Fraction]:
        """The largest power, against each data set that can be reached, of a level-α test of this one."""
        level = probability("alpha", alpha)
        powers = {d: rational(self._gamma**d) for d in {d for near in self._near for d in near.values()}}

        def step(a: Any, d: int) -> Any:
            return min(powers[d] * a, 1 - (1 - a) / powers[d])

        found = self._spread(place, rational(level), step)
        return {other: fraction(a) for other, a in found.items()}

    def _spread(self, start: int, value: Any, step: Callable[[Any, int], Any]) -> dict[int, Any]:
        """The smallest value at each place, where a step raises values and keeps their order."""
        found: dict[int, Any] = {}
        best = {start: value}
        waiting: list[tuple[Any, int]] = [(value, start)]
        while waiting:
            least, place = heappop(waiting)
            if place in found:
                continue
            found[place] = least
            for other, d in self._near[place].items():
                if other in found:
                    continue
                reached = step(least, d)
                if other not in best or reached < best[other]:
                    best[other] = reached
                    heappush(waiting, (reached, other))
        return found
