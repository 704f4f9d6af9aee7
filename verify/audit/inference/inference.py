"""What a budget lets someone learn, at each setting of a claim's mechanism, and how a report shows it."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from math import ceil
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import exponential
from stirred.spec.numbers.open_parameter import open_parameter
from stirred.spec.output_premetrics import Curve, Multiplicative, Tradeoff, tradeoff_curve
from stirred.verify.audit.exhaust.found import claimed_laws
from stirred.verify.audit.inference.learned import (
    Asked,
    Attained,
    Conjecture,
    Inference,
    Interval,
    Limit,
    attained_distances,
    hull,
    posterior_limit,
)
from stirred.verify.engines.inference.belief_limits import BeliefLimits, UniverseLimits, largest_posterior
from stirred.verify.engines.inference.posterior import (
    Belief,
    ReleasedLaw,
    posterior_bounds,
    posterior_region,
    sharpest_posterior,
    sharpest_posterior_region,
)
from stirred.verify.engines.inference.power import (
    power_bounds,
    power_curve,
    printed_power_curve,
    roc_region,
    sharpest_power,
    smallest_power,
)
from stirred.verify.engines.universe_pairs import BlockPairs
from stirred.verify.evidence.reports.learned_page import FINEST, OPEN_WORDS, Learned, Panel, outward
from stirred.verify.evidence.reports.lines import shortened
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import claimed_epsilon
from stirred.verify.laws.claim.claim import Case, PrivacyClaim, claim_vacuity

MOST_OUTCOMES = 12
"""Outcomes that are shown one by one."""

MOST_BELIEVED = 32
"""Data sets of positive prior probability for which a linear program bounds the posterior of an event."""


class UniverseInference:
    """The universes of listed data sets, with the shortest distances in each."""

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


MOST = 256
"""Data sets whose pairs are all compared."""

_MULTIPLES = (1, 2, 3)
"""Of the least distance: what is asked about where the data sets are not listed."""

_UNIT = 10**12
_OUTSIDE = "this mechanism is outside of the bounds at {}: it does not meet the budget"
_PRINTED_ONLY = "the pictures of tests have the printed bounds alone, which the sharpest do not exceed"
_SHOWN = 10
_MOST_BITS = 200_000
_MOST_ENTRIES = 250_000
"""Of the linear programs for pairs of beliefs: about ten seconds."""


def infer(built: PrivacyClaim, case: Case, asked: Asked, conjecture: Conjecture | None = None) -> Inference:
    """The bounds that a claim's budget implies at one setting of its mechanism, beside the mechanism's own numbers."""
    place = built.id
    if built.output_premetric != Multiplicative():
        raise InputError(f"{place}: output_premetric must be 'multiplicative' for bounds on what is learned")
    gamma = _gamma(place, case.budget)
    vacuity = claim_vacuity(built)
    if vacuity.is_vacuous:
        raise InputError(f"{place}: must compare data sets to bound what is learned; it is {vacuity}")
    is_listed = built.data is not None and len(built.data.domain) <= MOST and not asked.distances
    if not is_listed or built.data is None:
        if conjecture is not None:
            raise InputError(f"{place}: --event needs data sets that are listed, at most {MOST}, and no --distance")
        return _by_budget(built, case, asked, gamma, attained_distances(built))
    within = UniverseInference(built.data, gamma, asked, _laws(built, case), _beliefs(built, gamma))
    rows = (*within.by_distance(), *(within.of(conjecture) if conjecture else ()))
    outside = [one.name for one in rows if one.exact and not _is_within(one.exact, one.sharpest)]
    step = None if within.beliefs is not None else within.step
    notes = (*_notes(built, within, step), *(_OUTSIDE.format(name) for name in outside[:1]))
    rows = rows if outside else (*rows, *within.releases())
    return Inference(
        place,
        _words(case.budget),
        gamma,
        asked,
        rows,
        notes,
        _curves(gamma, within.distances, step),
    )


def _notes(built: PrivacyClaim, within: UniverseInference, step: int | None) -> Iterator[str]:
    if built.pufferfish is not None:
        yield (
            "what is told apart are beliefs: an attacker's law of the data, given a conjecture or its rival"
            + (
                ""
                if within.beliefs
                else "; they are too many for the sharpest bounds, and those of their distances stand"
            )
        )
    if built.invariants:
        yield "two data sets of one universe: across universes nothing is bounded"
    if not within.distances:
        yield "no two data sets share a universe: nothing is bounded"
    elif step is None and any(within.distances):
        yield _PRINTED_ONLY
    if within.laws is None:
        yield "the laws of the mechanism are not listed: the budget's bounds alone"
    if len(within.outcomes) > MOST_OUTCOMES:
        yield f"{len(within.outcomes)} outcomes, which are not shown one by one"


def _beliefs(built: PrivacyClaim, gamma: Fraction) -> BeliefLimits | None:
    """The limits between the beliefs of a Pufferfish claim; None for data sets, and where they are too many."""
    if built.pufferfish is None or built.data is None:
        return None
    names = tuple(built.data.domain)
    beliefs = [built.pufferfish.beliefs[name] for name in names]
    steps = [(names.index(one), names.index(other)) for one, other in sorted(built.pufferfish.steps)]
    points = len({x for belief in beliefs for x in belief})
    if len(names) ** 2 * (points + len(steps)) ** 2 > _MOST_ENTRIES:
        return None
    return BeliefLimits(beliefs, steps, gamma)


def _is_within(inner: Interval, outer: Interval) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _curves(gamma: Fraction, distances: Sequence[int], step: int | None) -> Mapping[int, tuple[Curve, Curve]]:
    """The curves of the smallest and the largest distance; where steps of one length lead there, the sharpest too.

    They are never below what a universe allows: a step of length s may change a probability by γ^s, and where steps
    differ the printed bounds stand for the sharpest.
    """
    ends = dict.fromkeys((*distances[:1], *distances[-1:]))
    printed = {d: printed_power_curve(gamma, d) for d in ends}
    return {d: (curve, power_curve(gamma**step, d // step) if step else curve) for d, curve in printed.items()}


def _words(budget: ClaimedBudget | None) -> str:
    return "" if budget is None else budget.text


def _gamma(place: str, budget: ClaimedBudget | None) -> Fraction:
    """e^ε of the claimed budget, rounded up to twelve decimals unless the budget is the logarithm of a rational."""
    if budget is None or (budget.epsilon is None and budget.loss is None):
        raise InputError(f"{place}: budget must be stated in numbers: epsilon or gamma")
    if budget.loss is not None and budget.loss.gamma is None:
        raise InputError(f"{place}: budget must be finite: an infinite epsilon limits nothing that is learned")
    if budget.loss is not None and budget.loss.gamma is not None and budget.loss.distance == 1:
        return budget.loss.gamma
    return Fraction(ceil(exponential(claimed_epsilon(budget).upper, digits=30).upper * _UNIT), _UNIT)


def _laws(built: PrivacyClaim, case: Case) -> Mapping[Any, Law[Any]] | None:
    """The exact laws of the mechanism; None where they are not listed."""
    mechanism = built.mechanism
    if mechanism is None or mechanism.function is None or built.data is None:
        return None
    if open_parameter(case.setting) is not None:
        return None
    found = claimed_laws(built, case.setting)
    return None if found.is_released or found.is_nearby or found.exponent is not None else found.laws


def _by_budget(built: PrivacyClaim, case: Case, asked: Asked, gamma: Fraction, attained: Attained) -> Inference:
    distances = asked.distances or attained.seen[:3] or tuple(attained.least * k for k in _MULTIPLES)
    if gamma.numerator.bit_length() * max(distances) > _MOST_BITS:
        raise InputError(f"{built.id}: --distance must be smaller for so large a budget; got {max(distances)}")
    if not asked.distances and attained.is_all and not attained.seen:
        raise InputError(f"{built.id}: has no two data sets of one universe at a distance that is an integer")
    for d in distances:
        if attained.excludes(d):
            raise InputError(
                f"{built.id}: --distance must be that of two data sets of one universe, {_possible(attained)}; got {d}"
            )
    is_path = built.data is not None and _has_paths(built.data)
    rows = [_power(asked, gamma, d, sharpest_power if is_path else None) for d in distances]
    rows += [posterior_limit(asked, gamma, d) for d in distances]
    notes = ["from the budget alone, for two data sets of one universe at a distance from each other"]
    if not is_path:
        notes.append("no data sets between them are known, so the printed bounds of the power are the sharpest")
    if attained.least > 1:
        notes.append(f"what is invariant keeps two data sets of one universe at least {attained.least} apart")
    if not set(distances) <= set(attained.seen):
        notes.append("the data sets are not all compared: whether two of them are at these distances is not known")
    curves = _curves(gamma, distances, 1 if is_path else None)
    return Inference(built.id, _words(case.budget), gamma, asked, tuple(rows), tuple(notes), curves)


def _possible(attained: Attained) -> str:
    """The distances that may be asked about, in words."""
    if not attained.is_all:
        return f"at least {attained.least}"
    return f"one of {', '.join(map(str, attained.seen[:_SHOWN]))}{', …' if len(attained.seen) > _SHOWN else ''}"


def _has_paths(data: InputBlocks) -> bool:
    """Whether steps of length 1 through data sets of its universe join every two that are at a finite distance."""
    metric = data.input_premetric
    if metric.relation is None or metric.is_local:
        return False
    return all(metric.relation.is_complete(data.domain.ordered(universe)) for universe in data.multiverse)


def _power(asked: Asked, gamma: Fraction, d: int, sharpest: Any) -> Limit:
    printed = power_bounds(asked.alpha, gamma, d)
    sharp = printed if sharpest is None else (smallest_power(asked.alpha, gamma, d), sharpest(asked.alpha, gamma, d))
    return Limit(f"power.{d}", f"power of a test of size {asked.alpha}, distance {d}", printed, sharp)


_LONGEST = 72
_KINDS = ("printed", "sharpest")


def learned_from(built: PrivacyClaim) -> tuple[Learned, ...]:
    """What a claim's budget lets someone learn, at each setting of its mechanism; nothing where none is bounded."""
    found = []
    for case in built.cases:
        try:
            found.append(as_learned(infer(built.with_listed_tables(MOST), case, Asked())))
        except InputError:  # no budget of pure differential privacy, an infinite one, or a mechanism that fails
            continue
    return tuple(found)


def as_learned(inference: Inference) -> Learned:
    """The bounds rounded outward, and the pictures for the smallest and the largest distance."""
    powers = tuple(
        Panel(f"tests, distance {d}", "false positive rate", "true positive rate", roc_region(one), roc_region(sharp))
        for d, (one, sharp) in inference.curves.items()
    )
    posteriors = tuple(_posterior(inference.gamma, d) for d in inference.curves)
    rows = tuple(_row(inference.name, one) for one in inference.limits)
    panels = powers + posteriors
    open_ = (OPEN_WORDS,) if panels and all(one.is_open for one in panels) else ()
    return Learned(inference.budget, rows, (*open_, *inference.notes), panels)


def _row(name: str, limit: Limit) -> tuple[str, str, str, str, str]:
    exact = "not listed" if limit.exact is None else outward(*limit.exact)
    return (
        f"{name}.{limit.name}",
        shortened(limit.what, _LONGEST),
        outward(*limit.printed),
        outward(*limit.sharpest),
        exact,
    )


def _posterior(gamma: Fraction, d: int) -> Panel:
    regions = posterior_region(gamma, d), sharpest_posterior_region(gamma, d, FINEST)
    return Panel(f"posteriors, distance {d}", "prior", "posterior", *regions)


def as_json(inference: Inference) -> dict[str, Any]:
    """The bounds with exact fractions."""
    return {
        "id": inference.name,
        "budget": inference.budget,
        "gamma": str(inference.gamma),
        "alpha": str(inference.asked.alpha),
        "prior": str(inference.asked.share),
        "limits": [
            {
                "name": one.name,
                "what": one.what,
                "printed": _texts(one.printed),
                "sharpest": _texts(one.sharpest),
                "exact": None if one.exact is None else _texts(one.exact),
            }
            for one in inference.limits
        ],
        "roc": {
            str(d): {
                "printed": [_texts(v) for v in roc_region(one)],
                "sharpest": [_texts(v) for v in roc_region(sharp)],
            }
            for d, (one, sharp) in inference.curves.items()
        },
        "notes": list(inference.notes),
    }


def _texts(numbers: Interval) -> list[str]:
    return [str(number) for number in numbers]
