"""The exhaustive audit of a mechanism that releases integers with unbounded noise: by the shifts between data sets."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any, ClassVar

from stirred.spec.arguments import InputError
from stirred.spec.blocks.specification import Flavor
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, NormalizedRenyi
from stirred.verify.audit.exhaust.found import Exhaustion
from stirred.verify.certificates.exact_number import MAX_EXPONENT
from stirred.verify.claim.budget import MAX_EPSILON, ClaimedBudget
from stirred.verify.claim.budget_cover import claimed_epsilon, loss_bounds
from stirred.verify.engines.released_noise import (
    Noise,
    NoisyOutput,
    approximate_need,
    exceeding_threshold,
    pure_need,
    read_released,
    zcdp_need,
)
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness, event_witness, formula_witness

_BEYOND = Fraction(2 * MAX_EPSILON)
"""More than any finite budget that is claimed."""

_BY = {
    Multiplicative: "by the ratio of shifted noise",
    NormalizedRenyi: "by D_NoR^2 = sum of m^2/(2 sigma^2) for the shifts m (gaussian.diagonal)",
    ApproximateMultiplicative: "by the tails of shifted noise",
}


@dataclass(frozen=True)
class _Moved:
    """Two data sets at a finite distance whose integers differ.

    Attributes:
        x: the one.
        x_prime: the other.
        distance: between them.
        shifts: the integers of x less those of x'.
        least: the integers of x'.
    """

    x: Any
    x_prime: Any
    distance: Fraction
    shifts: tuple[int, ...]
    least: tuple[int, ...]


@dataclass(frozen=True)
class _Releases(Exhaustion):
    """By the shifts between the released integers of all pairs."""

    noises: tuple[Noise, ...]
    worst: _Moved | None

    @property
    def _shifts(self) -> str:
        """The pair that needs most with its shifts, in words."""
        return "" if self.worst is None else f"{self.where}, d = {self.worst.distance}, shifted by {self.worst.shifts}"

    def _met(self, verdict: Verdict, budget: ClaimedBudget) -> Evidence:
        sentence = f"met: the claimed {budget.text} covers the smallest budget {self._number}"
        return Evidence(verdict, self.scope, sentence)

    def _exceeded(self, budget: ClaimedBudget, witness: Witness) -> Evidence:
        sentence = f"exceeded: the claimed {budget.text} is below the smallest budget {self._number}; {self._shifts}"
        return Evidence(Verdict.REFUTED, self.scope, sentence, witness)

    def _pair(self) -> _Moved:
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
        return Evidence(Verdict.OPEN, self.scope, f"{self.smallest} and {budget.text} agree to 48 digits")

    def _witness(self, bound: Loss) -> Witness:
        """The ratio of two probabilities of one output as a formula: with Gaussian noise, of an output far out."""
        moved = self._pair()
        values = {"gamma": bound.gamma, "root": bound.distance, "d": moved.distance}
        shifted = [(n, abs(m)) for n, m in zip(self.noises, moved.shifts, strict=True) if m]
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
        claimed = budget.rho_squared.value
        if self.smallest is not None and self.smallest.upper <= claimed:
            return self._met(Verdict.EXHAUSTED, budget)
        moved = self._pair()
        terms = "+".join(f"({m})**2/(2*({n.parameter}))" for n, m in zip(self.noises, moved.shifts, strict=True) if m)
        note = f"D_NoR^2 of shifted discrete Gaussians; {self._shifts}"
        return self._exceeded(
            budget, formula_witness(f"{terms} <= rho2*d**2", note=note, rho2=claimed, d=moved.distance)
        )


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
        claimed = claimed_epsilon(budget)
        if self.smallest is not None and self.smallest.upper <= claimed.lower:
            return self._met(Verdict.ENCLOSED, budget)
        if self.smallest is None or self.smallest.lower > claimed.upper:
            return self._exceeded(budget, self._witness(claimed.upper))
        return Evidence(
            Verdict.OPEN,
            self.scope,
            f"not decidable here: the claimed {budget.text}; the smallest budget is {self._number}",
        )

    def _witness(self, epsilon: Fraction) -> Witness:
        """An event of one integer as laws of two outcomes, their probabilities rounded towards each other."""
        moved = self._pair()
        digits = 60 + len(str(floor(1 / self.delta)))
        place, t, p, q = exceeding_threshold(self.noises, moved.shifts, epsilon * moved.distance, digits=digits)
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
            note=f"{self.noises[place]} on integer {place}, probabilities rounded towards each other",
        )


def exhaust_released(laws: Mapping[Any, Law[str]], flavor: Flavor, scope: str, place: str) -> Exhaustion:
    """The smallest budget of integers that are released with unbounded noise.

    Args:
        laws: the law of every data set: of one output, which holds noise.
        flavor: the first four blocks.
        scope: what is compared.
        place: of the mechanism, for messages.

    Raises:
        InputError: some choice besides the noise is random, the noise is not the same on all data sets, or the output
            premetric is another one than D_Mult, D_NoR and D_Mult^δ.
    """
    released = released_outputs(laws, place)
    first = next(iter(released.values()))
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
    pairs = list(_moved_pairs(released, flavor))

    def need(moved: _Moved) -> Any:
        if isinstance(measure, NormalizedRenyi):
            return measure.smallest_budget(zcdp_need(first.noises, moved.shifts), moved.distance)
        if isinstance(measure, Multiplicative):
            return pure_need(first.noises, moved.shifts).over(moved.distance)
        found = approximate_need(first.noises, moved.shifts, delta)
        if not moved.distance:
            return None if found.lower else Enclosure(Fraction(0), found.upper and _BEYOND)
        return Enclosure(found.lower / moved.distance, found.upper / moved.distance)

    worst = max(pairs, key=lambda moved: (*_order(need(moved)), -moved.distance), default=None)
    where = "" if worst is None else f"x = {worst.x}, x' = {worst.x_prime}"
    if isinstance(measure, NormalizedRenyi):
        rho2 = Fraction(0) if worst is None else need(worst)
        smallest = None if rho2 is None else Enclosure(rho2, rho2)
        return _ZeroConcentrated(smallest, where, full_scope, first.noises, worst)
    if isinstance(measure, Multiplicative):
        return _Pure(measure.zero if worst is None else need(worst), where, full_scope, first.noises, worst)
    needs = [need(moved) for moved in pairs]
    none = Enclosure(Fraction(0), Fraction(0))
    ends = [none, *(one for one in needs if one is not None)]
    largest = Enclosure(max(one.lower for one in ends), max(one.upper for one in ends))
    return _Approximate(None if None in needs else largest, where, full_scope, first.noises, worst, delta)


def _order(need: Any) -> tuple[Any, ...]:
    """A key by which needs of one kind are ordered, by what each is at least; infinite ones last."""
    if need is None:
        return True, 0
    return False, need.lower if isinstance(need, Enclosure) else need


def released_outputs(laws: Mapping[Any, Law[str]], place: str) -> dict[Any, NoisyOutput]:
    """The one output of each data set, with one noise in the same places on all.

    Raises:
        InputError: some choice besides the noise is random, or the noise is not the same on all data sets.
    """
    released = {point: _one_output(point, law, place) for point, law in laws.items()}
    first = next(iter(released.values()))
    for point, one in released.items():
        if (one.shape, one.noises) != (first.shape, first.noises):
            raise InputError(
                f"{place}: on the data set {point!r}: unbounded noise must be the same in the same places on all data "
                "sets, and all else in the output too; clamp it with source.clamp(value, low, high)"
            )
    return released


def _one_output(point: Any, law: Law[str], place: str) -> NoisyOutput:
    found = [read_released(outcome) for outcome in law]
    if len(found) > 1 or found[0] is None:
        raise InputError(
            f"{place}: on the data set {point!r}: unbounded: noise that is released must be the only random choice, on "
            "all data sets; clamp it with source.clamp(value, low, high)"
        )
    return found[0]


def _moved_pairs(released: Mapping[Any, NoisyOutput], flavor: Flavor) -> Iterator[_Moved]:
    """The pairs of data sets at a finite distance whose integers differ, each shift at each distance once."""
    seen = set()
    for universe in flavor.multiverse:
        points = flavor.domain.ordered(universe)
        for x in points:
            for y in points:
                shifts = tuple(a - b for a, b in zip(released[x].integers, released[y].integers, strict=True))
                if any(shifts) and (d := flavor.input_premetric(x, y)) is not None and (shifts, d) not in seen:
                    seen.add((shifts, d))
                    yield _Moved(x, y, Fraction(d), shifts, released[y].integers)
