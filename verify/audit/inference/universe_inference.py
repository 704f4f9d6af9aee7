"""What a budget lets someone learn in the universes of a claim, and what its mechanism does."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import Curve, Multiplicative, Tradeoff, tradeoff_curve
from stirred.verify.audit.inference.learned import Asked, Conjecture, Interval, Limit, hull, posterior_limit
from stirred.verify.engines.inference.belief_limits import BeliefLimits, UniverseLimits, largest_posterior
from stirred.verify.engines.inference.posterior import Belief, ReleasedLaw, posterior_bounds, sharpest_posterior
from stirred.verify.engines.inference.power import power_bounds
from stirred.verify.engines.universe_pairs import BlockPairs

MOST_OUTCOMES = 12
"""Outcomes that are shown one by one."""

MOST_BELIEVED = 32
"""Data sets of positive prior probability for which a linear program bounds the posterior of an event."""


class UniverseInference:
    """The universes of listed data sets, with the shortest distances in each.

    Args:
        data: domain, multiverse and input premetric.
        gamma: e^ε, at least 1.
        asked: what is asked.
        laws: of the mechanism, where they are listed.
        beliefs: the limits between the beliefs that the data sets are, where they are beliefs.

    Raises:
        InputError: a distance is no integer.
    """

    def __init__(
        self,
        data: InputBlocks,
        gamma: Fraction,
        asked: Asked,
        laws: Mapping[Any, Law[Any]] | None,
        beliefs: BeliefLimits | None = None,
    ) -> None:
        pairs = BlockPairs(data)
        self.gamma, self.asked, self.laws, self.beliefs = gamma, asked, laws, beliefs
        self.universes = [pairs.pairs_in(universe) for universe in data.multiverse]
        self.limits = [UniverseLimits(one, gamma) for one in self.universes]
        self.apart = [{x: one.distances(x) for x in range(len(u.points))} for one, u in self._both()]

    def _both(self) -> Iterator[tuple[UniverseLimits, Any]]:
        return zip(self.limits, self.universes, strict=True)

    @property
    def distances(self) -> tuple[int, ...]:
        """Those of different data sets, in order."""
        return tuple(sorted(self._pairs))

    @property
    def step(self) -> int | None:
        """The length of every step by which the budget bounds a universe; None where they differ, or there is none."""
        lengths = {length for one in self.limits for length in one.steps}
        return next(iter(lengths)) if len(lengths) == 1 else None

    @cached_property
    def outcomes(self) -> tuple[Any, ...]:
        """The mechanism's, where its laws are listed."""
        return tuple(dict.fromkeys(t for law in (self.laws or {}).values() for t in law))

    def by_distance(self) -> Iterator[Limit]:
        """Power and posterior for two data sets, by their distance."""
        powers, posteriors = [], []
        for d, pairs in sorted(self._pairs.items()):
            powers.append(self._power(d, pairs))
            exact = None if self.laws is None else self._posterior(pairs)
            ratio = None if self.beliefs is None else max(self.beliefs.ratio(x, y) for _, x, y in pairs)
            posteriors.append(posterior_limit(self.asked, self.gamma, d, exact, ratio))
        yield from (*powers, *posteriors)

    @cached_property
    def _pairs(self) -> Mapping[int, list[tuple[int, int, int]]]:
        """Universe and places of the ordered pairs at each distance."""
        found: dict[int, list[tuple[int, int, int]]] = {}
        for number, rows in enumerate(self.apart):
            for x, row in rows.items():
                for y, d in row.items():
                    if x != y:
                        found.setdefault(d, []).append((number, x, y))
        return found

    def _power(self, d: int, pairs: Sequence[tuple[int, int, int]]) -> Limit:
        alpha = self.asked.alpha
        above = max(self._largest[number, x][y] for number, x, y in pairs)
        below = 1 - max(self._largest_of_rest[number, x][y] for number, x, y in pairs)
        exact = None
        if self.laws is not None:
            curves = {self._curve(number, x, y) for number, x, y in pairs}
            largest = max(Tradeoff.at(curve, alpha) for curve in curves)
            exact = 1 - max(Tradeoff.at(curve, 1 - alpha) for curve in curves), largest
        what = f"power of a test of size {alpha}, distance {d}"
        return Limit(f"power.{d}", what, power_bounds(alpha, self.gamma, d), (below, above), exact)

    @cached_property
    def _largest(self) -> Mapping[tuple[int, int], Mapping[int, Fraction]]:
        return self._powers(self.asked.alpha)

    @cached_property
    def _largest_of_rest(self) -> Mapping[tuple[int, int], Mapping[int, Fraction]]:
        return self._powers(1 - self.asked.alpha)

    def _powers(self, alpha: Fraction) -> Mapping[tuple[int, int], Mapping[int, Fraction]]:
        if self.beliefs is not None:
            return {(0, x): {y: self.beliefs.power(x, y, alpha) for y in row} for x, row in self.apart[0].items()}
        both = enumerate(self._both())
        return {(n, x): one.powers(x, alpha) for n, (one, u) in both for x in range(len(u.points))}

    def _curve(self, number: int, x: int, y: int) -> Curve:
        p, q = self._law(number, x), self._law(number, y)
        key = id(p), id(q)
        if key not in self._curves:
            self._curves[key] = tradeoff_curve(p, q)
        return self._curves[key]

    @cached_property
    def _curves(self) -> dict[tuple[int, int], Curve]:
        return {}

    @cached_property
    def _shared(self) -> Mapping[Any, Law[Any]]:
        """The laws, equal ones as one object."""
        one_of: dict[Law[Any], Law[Any]] = {}
        return {x: one_of.setdefault(law, law) for x, law in (self.laws or {}).items()}

    def _law(self, number: int, place: int) -> Law[Any]:
        return self._shared[self.universes[number].points[place]]

    def _posterior(self, pairs: Sequence[tuple[int, int, int]]) -> Interval:
        """The posterior probabilities of one of two data sets, from the largest likelihood ratio of an output."""
        laws = {(id(p), id(q)): (p, q) for p, q in ((self._law(n, x), self._law(n, y)) for n, x, y in pairs)}
        largest = max(Multiplicative().distance(p, q) for p, q in laws.values())
        if largest.gamma is None:
            return sharpest_posterior(self.asked.share, 1, None)
        return sharpest_posterior(self.asked.share, largest.gamma, 1)

    def releases(self) -> Iterator[Limit]:
        """The probability of each outcome, for every model of the data within a universe."""
        if not 0 < len(self.outcomes) <= MOST_OUTCOMES:
            return
        parts = [part for number in range(len(self.universes)) for part in self._components(number)]
        for number, t in enumerate(self.outcomes, start=1):
            if any(len({bool(law[t]) for law in part.laws.values()}) > 1 for part in parts):
                continue  # some data set rules the outcome out: no finite budget is met
            printed = [part.printed([t]) for part in parts]
            sharp = [part.sharpest([t]) for part in parts]
            what = f"probability, under any model, of {t}"
            yield Limit(f"releases.{number}", what, hull(printed), hull(sharp), hull(sharp))

    def _components(self, number: int) -> Iterator[ReleasedLaw[int]]:
        """The connected data sets of a universe."""
        rows = self.apart[number]
        for x, row in rows.items():
            if x == min(row):
                laws = {y: self._law(number, y) for y in row}
                yield ReleasedLaw(laws, self.gamma, partial(_listed, rows))

    def of(self, conjecture: Conjecture) -> Iterator[Limit]:
        """The posterior probability of an event given the universe, in each universe where it is open."""
        for number, universe in enumerate(self.universes):
            prior = {x: conjecture.prior.get(point, Fraction(0)) for x, point in enumerate(universe.points)}
            whole = sum(prior.values(), Fraction(0))
            plausible = [x for x, share in prior.items() if share]
            event = [x for x in plausible if universe.points[x] in conjecture.event]
            if not event or len(event) == len(plausible):
                continue  # the universe, which is released, decides
            share = sum((prior[x] for x in event), Fraction(0)) / whole
            printed = posterior_bounds(share, self.gamma, self._farthest(number, plausible, plausible))
            sharp = self._sharpest(number, {x: prior[x] / whole for x in plausible}, event)
            exact = None
            if self.laws is not None:
                laws = {x: self._law(number, x) for x in plausible}
                exact = Belief({x: prior[x] / whole for x in plausible}, laws).range_after(event)
            what = f"posterior of the event, {share} given universe {number + 1} of {len(self.universes)}"
            yield Limit(f"event.{number + 1}", what, printed, sharp, exact)

    def _sharpest(self, number: int, prior: Mapping[int, Fraction], event: Sequence[int]) -> Interval:
        """The range of the posterior of an event, attained; of many data sets, that of its odds alone."""
        places = list(prior)
        others = [x for x in places if x not in event]
        if len(places) > MOST_BELIEVED:
            share = sum((prior[x] for x in event), Fraction(0))
            return sharpest_posterior(share, self.gamma, self._farthest(number, event, others))
        factors = self._factors(number, places)
        both = [
            largest_posterior(list(prior.values()), {places.index(x) for x in chosen}, factors)
            for chosen in (others, event)
        ]
        return 1 - both[0], both[1]

    def _factors(self, number: int, places: Sequence[int]) -> Mapping[tuple[int, int], Fraction]:
        """γ^d for the pairs of some data sets that none of the others is between."""
        apart = {(i, j): self.apart[number][x].get(y) for i, x in enumerate(places) for j, y in enumerate(places)}

        def has_one_between(i: int, j: int) -> bool:
            steps = ((apart[i, k], apart[k, j]) for k in range(len(places)))
            return any(first and second and first + second == apart[i, j] for first, second in steps)

        finite = ((pair, d) for pair, d in apart.items() if d is not None and pair[0] != pair[1])
        return {pair: self.gamma**d for pair, d in finite if not has_one_between(*pair)}

    def _farthest(self, number: int, some: Sequence[int], others: Sequence[int]) -> int | None:
        found = [self.apart[number][x].get(y) for x in some for y in others]
        return None if None in found else max(d for d in found if d is not None)


def _listed(rows: Mapping[int, Mapping[int, int]], x: int, y: int) -> int | None:
    return rows[x].get(y)
