"""What a budget allows between the data sets of one universe: through those that stand between, by shortest paths.

With f(a) = min(γ^d a, 1 − (1 − a)/γ^d), a budget says P_z(R) ≤ f(P_y(R)) for all y, z at distance d. The largest
powers that satisfy all of it, from P_x(R) = α, are the smallest values of f composed along paths from x. They are those
of a mechanism: since f and its lower counterpart are inverse to each other, each pair holds both ways. So they are
attained, in any universe, whatever the invariants leave of the data sets between.
"""

from collections.abc import Callable
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

import flint

from stirred.spec.arguments import Exact, InputError, exact, probability, shown
from stirred.verify.engines.inference.power import LONGEST
from stirred.verify.engines.universe_pairs import UniversePairs


class UniverseLimits:
    """The pairs of a universe under a budget of pure differential privacy.

    Args:
        pairs: of the universe, at integer distances.
        gamma: e^ε, at least 1.
    """

    def __init__(self, pairs: UniversePairs, gamma: Exact) -> None:
        self._gamma = exact("gamma", gamma)
        if self._gamma < 1:
            raise InputError(f"gamma must be at least 1; got {shown(gamma)}")
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
        powers = {d: _rational(self._gamma**d) for d in {d for near in self._near for d in near.values()}}

        def step(a: Any, d: int) -> Any:
            return min(powers[d] * a, 1 - (1 - a) / powers[d])

        found = self._spread(place, _rational(level), step)
        return {other: Fraction(int(a.p), int(a.q)) for other, a in found.items()}

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


def _rational(value: Fraction) -> Any:
    """The value as a `flint.fmpq`, whose arithmetic is faster and exact too."""
    return flint.fmpq(value.numerator, value.denominator)
