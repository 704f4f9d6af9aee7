"""The exhaustive audit of a mechanism that releases integers with unbounded noise: by the shifts between data sets."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import floor
from typing import Any, ClassVar

from stirred.spec.arguments import InputError
from stirred.spec.blocks.specification import Flavor
from stirred.spec.budgets.loss import INFINITE, Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, NormalizedRenyi, OutputPremetric
from stirred.verify.audit.exhaust.found import Exhaustion, claimed
from stirred.verify.engines.released_noise import (
    Noise,
    NoisyOutput,
    approximate_need,
    exceeding_threshold,
    laws_of_ends,
    pure_need,
    read_released,
    zcdp_need,
)
from stirred.verify.evidence.certificates.decimal_interval import UndecidedError
from stirred.verify.evidence.certificates.exact_number import MAX_EXPONENT
from stirred.verify.evidence.certificates.language import evaluate
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness, event_witness, formula_witness
from stirred.verify.laws.claim.budget import MAX_EPSILON, ClaimedBudget
from stirred.verify.laws.claim.budget_cover import claimed_epsilon, loss_bounds

_BEYOND = Fraction(2 * MAX_EPSILON)
"""More than any finite budget that is claimed."""

_BY = {
    Multiplicative: "by the ratio of shifted noise",
    NormalizedRenyi: "by D_NoR^2 = sum of m^2/(2 sigma^2) for the shifts m (gaussian.diagonal)",
    ApproximateMultiplicative: "by the tails of shifted noise",
}


BY_ENDS = "outcomes beyond the integers of all data sets are merged on each side, where likelihood ratios are constant"


@dataclass(frozen=True)
class _Moved:
    """Two data sets at a finite distance whose integers differ.

    Attributes:
        shifts: the integers of x less those of x'.
        least: the integers of x'.
    """

    x: Any
    x_prime: Any
    distance: Fraction
    noises: tuple[Noise, ...]
    shifts: tuple[int, ...]
    least: tuple[int, ...]

    def __str__(self) -> str:
        return f"shifted by {self.shifts}"


@dataclass(frozen=True)
class _Unlike:
    """Two data sets at a finite distance whose outputs have noise of other tails, or in other places.

    Far out one of the two is more probable by any factor: no budget is finite, for D_Mult as for D_NoR.
    """

    x: Any
    x_prime: Any
    distance: Fraction
    outputs: tuple[NoisyOutput, NoisyOutput]

    def __str__(self) -> str:
        one, other = self.outputs
        if one.shape != other.shape:
            return f"outputs of which only one data set can have some: {one.shape} and {other.shape}"
        tails = (", ".join(map(str, output.noises)) for output in self.outputs)
        return f"noise with tails whose ratio has no bound, {' and '.join(tails)}"

    def witness(self, excess: str, orders: int, **values: Any) -> Witness:
        """An output far out whose ln p, ln q and one of some orders a = 2, 4, … make a formula false."""
        for power in range(1, 512):
            for low, high, note in self._far(2**power):
                if high is None:
                    return formula_witness(f"exp({low}) <= 0", note=f"P of {note}, which x or x' cannot have; {self}")
                for order in range(1, min(orders, power) + 1):
                    claimed = excess.format(p=f"({low})", q=f"({high})", a=2**order)
                    try:
                        holds, *_ = evaluate(claimed, {name: Fraction(value) for name, value in values.items()})
                    except UndecidedError:
                        continue
                    if not holds:
                        return formula_witness(claimed, note=f"ln of P and P' of {note}; {self}", **values)
        raise EngineError("noise of other tails has a bounded ratio")

    def _far(self, t: int) -> Iterator[tuple[str, str | None, str]]:
        """Outputs far out: ln of the probability under one of the two, at least, and under the other, at most."""
        for one, other in (self.outputs, self.outputs[::-1]):
            if one.shape != other.shape:
                if len(one.noises) >= len(other.noises):  # its noise gives what are no constants of the other
                    taken = set(map(int, re.findall(r"\d+", other.shape)))
                    free = [next(k for k in count(1) if not {abs(i + k), abs(i - k)} & taken) for i in one.integers]
                    both = zip(one.noises, free, strict=True)
                    parts = [noise.log_probability(k) or noise.log_probability(-k) for noise, k in both]
                    yield "+".join(found[0] for found in parts if found is not None) or "0", None, "an output"
                continue
            place = next(i for i, pair in enumerate(zip(one.noises, other.noises, strict=True)) if len({*pair}) > 1)
            for sign in (1, -1):
                at = sign * t + one.integers[place]
                p = one.noises[place].log_probability(sign * t)
                q = other.noises[place].log_probability(at - other.integers[place])
                if p is not None:
                    yield p[0], None if q is None else q[1], f"integer {place} = {at}"


@dataclass(frozen=True)
class _Releases(Exhaustion):
    """By the shifts between the released integers of all pairs, or two of them whose noise has other tails."""

    worst: _Moved | _Unlike | None

    @property
    def _shifts(self) -> str:
        """The pair that needs most with its shifts, in words."""
        return "" if self.worst is None else f"{self.where}, d = {self.worst.distance}, {self.worst}"

    @property
    def has_one_law(self) -> bool:
        return self.worst is None

    def _met(self, verdict: Verdict, budget: ClaimedBudget) -> Evidence:
        return Evidence(verdict, self.scope, self._beside(budget, "≥"))

    def _exceeded(self, budget: ClaimedBudget, witness: Witness) -> Evidence:
        return Evidence(Verdict.REFUTED, self.scope, f"{self._beside(budget, '<')}; {self._shifts}", witness)

    def _pair(self) -> _Moved | _Unlike:
        if self.worst is None:
            raise EngineError("a budget is exceeded and no pair needs more")
        return self.worst


@dataclass(frozen=True)
class _Pure(_Releases):
    """For D_Mult: a `Loss`."""

    def test(self, budget: ClaimedBudget) -> Evidence:
        for low, high in loss_bounds(budget):
            if self.smallest <= low:
                return self._met(Verdict.EXHAUSTED, budget)
            if self.smallest > high:
                return self._exceeded(budget, self._witness(high))
        return Evidence(Verdict.OPEN, self.scope, f"{claimed(budget)} and required {self.smallest} agree to 48 digits")

    def _witness(self, bound: Loss) -> Witness:
        """The ratio of two probabilities of one output as a formula: with Gaussian noise, of an output far out."""
        moved = self._pair()
        values = {"gamma": bound.gamma, "root": bound.distance, "d": moved.distance}
        if isinstance(moved, _Unlike):
            return moved.witness("{p}-{q} <= d*ln(gamma)/root", 1, **values)
        shifted = [(n, abs(m)) for n, m in zip(moved.noises, moved.shifts, strict=True) if m]
        gaussian = next(((n, m) for n, m in shifted if n.is_gaussian), None)
        one_sided = next((n for n, _ in shifted if n.is_one_sided), None)
        if one_sided is not None:
            least = f"1-({one_sided.parameter})"
            note = f"P_x of an output that x' cannot have, its part in {one_sided}; {self._shifts}"
            return formula_witness(f"{least} <= exp(d*ln(gamma)/root)*0", note=note, **values)
        if gaussian is not None:
            noise, m = gaussian
            logarithm = bound.times(moved.distance).epsilon(20).upper
            t = floor(noise.parameter * (logarithm + 1) / m + Fraction(m, 2)) + 1
            ratio, numbers = "exp((2*t*m-m**2)/(2*s))", {"t": t, "m": m, "s": noise.parameter}
            note = f"P(X = t-m)/P(X = t) for X ~ {noise}; {self._shifts}"
        else:
            note = f"P_x/P_x' of an output beyond both; {self._shifts}"
            if max(m for _, m in shifted) > MAX_EXPONENT:
                terms = "+".join(f"{m}*ln({1 / n.parameter})" for n, m in shifted)
                return formula_witness(f"{terms} <= d*ln(gamma)/root", note=f"ln of {note}", **values)
            ratio, numbers = "*".join(f"({n.parameter})**(-{m})" for n, m in shifted), {}
        return formula_witness(f"{ratio} <= exp(d*ln(gamma)/root)", note=note, **numbers, **values)


@dataclass(frozen=True)
class _ZeroConcentrated(_Releases):
    """For D_NoR²: an enclosure with equal ends, as the budgets of zCDP are enclosures; None for ∞."""

    @property
    def _number(self) -> str:
        return "infinite" if self.smallest is None else str(self.smallest.lower)

    @property
    def needed(self) -> str:
        return f"rho^2 = {super().needed}"

    def test(self, budget: ClaimedBudget) -> Evidence:
        if budget.rho_squared is None:
            return Evidence(Verdict.OPEN, self.scope, "no rho_squared is stated")
        rho2 = budget.rho_squared.value
        if self.smallest is not None and self.smallest.upper <= rho2:
            return self._met(Verdict.EXHAUSTED, budget)
        moved, values = self._pair(), {"rho2": rho2, "d": self._pair().distance}
        if isinstance(moved, _Unlike):
            formula = "({a}*{p}-({a}-1)*{q})/({a}*({a}-1)) <= rho2*d**2"
            return self._exceeded(budget, moved.witness(formula, 512, **values))
        terms = "+".join(f"({m})**2/(2*({n.parameter}))" for n, m in zip(moved.noises, moved.shifts, strict=True) if m)
        note = f"D_NoR^2 of shifted discrete Gaussians; {self._shifts}"
        return self._exceeded(budget, formula_witness(f"{terms} <= rho2*d**2", note=note, **values))


@dataclass(frozen=True)
class _Approximate(_Releases):
    """For D_Mult^δ: an enclosure in nats, whose lower end is shown by one pair."""

    settles: ClassVar[Verdict] = Verdict.ENCLOSED
    delta: Fraction

    @property
    def _number(self) -> str:
        return (
            "infinite"
            if self.smallest is None
            else f"{self.smallest.relation().removeprefix('= ')} at delta = {self.delta}"
        )

    def test(self, budget: ClaimedBudget) -> Evidence:
        if budget.loss is not None and budget.loss.is_infinite:
            return self._met(Verdict.ENCLOSED, budget)
        epsilon = claimed_epsilon(budget)
        if self.smallest is not None and self.smallest.upper <= epsilon.lower:
            return self._met(Verdict.ENCLOSED, budget)
        if self.smallest is None or self.smallest.lower > epsilon.upper:
            return self._exceeded(budget, self._witness(epsilon.upper))
        detail = f"{claimed(budget)} and required {self._number} are too close to tell apart"
        return Evidence(Verdict.OPEN, self.scope, detail)

    def _witness(self, epsilon: Fraction) -> Witness:
        """An event of one integer as laws of two outcomes, their probabilities rounded towards each other."""
        moved = self._pair()
        if isinstance(moved, _Unlike):
            raise EngineError("noise of other tails has no need at a delta here")
        digits = 60 + len(str(floor(1 / self.delta)))
        place, t, p, q = exceeding_threshold(moved.noises, moved.shifts, epsilon * moved.distance, digits=digits)
        rises = moved.shifts[place] > 0
        end = moved.least[place] + (t if rises else -t)
        event = f"integer {place} is {'at least' if rises else 'at most'} {end}"
        laws = tuple(Law({event: one, "else": 1 - one}) for one in (p, q))
        zero = Loss(Fraction(1))
        return event_witness(
            (laws[0], laws[1]),
            [event],
            distance=moved.distance,
            claimed=zero,
            delta=self.delta,
            x=moved.x,
            x_prime=moved.x_prime,
            note=f"{moved.noises[place]} on integer {place}, probabilities rounded towards each other",
        )


def exhaust_released(laws: Mapping[Any, Law[str]], flavor: Flavor, scope: str, place: str) -> Exhaustion:
    """The smallest budget of integers that are released with unbounded noise."""
    released = _outputs(laws, place)
    measure = flavor.output_premetric
    delta = measure.parameters.get("delta", Fraction(0))
    if type(measure) not in _BY:
        raise InputError(
            f"{place}: released noise is unbounded for {measure.name!r}: clamp it, or state multiplicative, "
            "approximate_multiplicative or normalized_renyi"
        )
    if isinstance(measure, ApproximateMultiplicative) and not delta:
        measure = Multiplicative()
    full_scope = f"{scope}; {_BY[type(measure)]}"
    found = list(_pairs(released, flavor))
    pairs = [moved for moved in found if isinstance(moved, _Moved)]
    if unlike := min((one for one in found if isinstance(one, _Unlike)), key=lambda one: one.distance, default=None):
        return _infinite(unlike, measure, full_scope, place)

    def need(moved: _Moved) -> Any:
        if isinstance(measure, NormalizedRenyi):
            return measure.smallest_budget(zcdp_need(moved.noises, moved.shifts), moved.distance)
        if isinstance(measure, Multiplicative):
            return pure_need(moved.noises, moved.shifts).over(moved.distance)
        found = approximate_need(moved.noises, moved.shifts, delta)
        if not moved.distance:
            return None if found.lower else Enclosure(Fraction(0), found.upper and _BEYOND)
        return Enclosure(found.lower / moved.distance, found.upper / moved.distance)

    worst = max(pairs, key=lambda moved: (*_order(need(moved)), -moved.distance), default=None)
    where = "" if worst is None else f"x = {worst.x}, x' = {worst.x_prime}"
    if isinstance(measure, NormalizedRenyi):
        rho2 = Fraction(0) if worst is None else need(worst)
        smallest = None if rho2 is None else Enclosure(rho2, rho2)
        return _ZeroConcentrated(smallest, where, full_scope, worst)
    if isinstance(measure, Multiplicative):
        return _Pure(measure.zero if worst is None else need(worst), where, full_scope, worst)
    needs = [need(moved) for moved in pairs]
    none = Enclosure(Fraction(0), Fraction(0))
    ends = [none, *(one for one in needs if one is not None)]
    largest = Enclosure(max(one.lower for one in ends), max(one.upper for one in ends))
    return _Approximate(None if None in needs else largest, where, full_scope, worst, delta)


def finite_equivalent(laws: Mapping[Any, Law[str]], measure: OutputPremetric, place: str) -> dict[Any, Law[str]] | None:
    """Finite laws at the same distances; None where the shifts decide, or noise is Gaussian or not the same on all.

    Each law is a post-processing of the other, with one kernel for all data sets.
    """
    by_shifts = isinstance(measure, (Multiplicative, NormalizedRenyi)) or not measure.is_immune_to_post_processing
    if by_shifts or not measure.parameters.get("delta", Fraction(1)):
        return None
    released = _outputs(laws, place)
    first = next(iter(released.values()))
    if any((one.shape, one.noises) != (first.shape, first.noises) for one in released.values()):
        return None
    if any(noise.is_gaussian for noise in first.noises):
        return None
    return laws_of_ends(released, place, is_pure=False)


def _infinite(unlike: _Unlike, measure: OutputPremetric, scope: str, place: str) -> Exhaustion:
    """No finite budget: two data sets have noise of other tails."""
    where = f"x = {unlike.x}, x' = {unlike.x_prime}"
    if isinstance(measure, Multiplicative):
        return _Pure(INFINITE, where, scope, unlike)
    if isinstance(measure, NormalizedRenyi):
        return _ZeroConcentrated(None, where, scope, unlike)
    raise InputError(
        f"{place}: on the data sets {where}: {unlike}; {measure.name} of them has no closed form here, and "
        "multiplicative is infinite: make the noise the same on all data sets"
    )


def _order(need: Any) -> tuple[Any, ...]:
    """A key by which needs of one kind are ordered, by what each is at least; infinite ones last."""
    if need is None:
        return True, 0
    return False, need.lower if isinstance(need, Enclosure) else need


def released_outputs(laws: Mapping[Any, Law[str]], place: str) -> dict[Any, NoisyOutput]:
    """The one output of each data set, with one noise in the same places on all."""
    released = _outputs(laws, place)
    first = next(iter(released.values()))
    for point, one in released.items():
        if (one.shape, one.noises) != (first.shape, first.noises):
            raise InputError(
                f"{place}: on the data set {point!r}: unbounded noise must be the same in the same places on all data "
                "sets, and all else in the output too: give the parameter a number"
            )
    return released


def _outputs(laws: Mapping[Any, Law[str]], place: str) -> dict[Any, NoisyOutput]:
    """The one output of each data set, with its noise or without any."""
    found = {point: [read_released(text) or NoisyOutput(text, (), ()) for text in law] for point, law in laws.items()}
    scales = {one.noises for outputs in found.values() for one in outputs if one.noises}
    for point, outputs in found.items():
        if len(outputs) > 1:
            remedy = "; clamp it with source.clamp(value, low, high)" if len(scales) == 1 else ""
            raise InputError(
                f"{place}: on the data set {point!r}: unbounded: noise that is released must be the only random "
                f"choice, on all data sets{remedy}"
            )
    return {point: outputs[0] for point, outputs in found.items()}


def _pairs(released: Mapping[Any, NoisyOutput], flavor: Flavor) -> Iterator[_Moved | _Unlike]:
    """The pairs of data sets at a finite distance whose outputs differ, each shift at each distance once."""
    seen = set()
    for universe in flavor.multiverse:
        points = flavor.domain.ordered(universe)
        for x in points:
            for y in points:
                one, other = released[x], released[y]
                if one == other or (d := flavor.input_premetric(x, y)) is None:
                    continue
                if (one.shape, one.noises) != (other.shape, other.noises):
                    yield _Unlike(x, y, Fraction(d), (one, other))
                    continue
                shifts = tuple(a - b for a, b in zip(one.integers, other.integers, strict=True))
                if (one.noises, shifts, d) not in seen:
                    seen.add((one.noises, shifts, d))
                    yield _Moved(x, y, Fraction(d), one.noises, shifts, other.integers)
