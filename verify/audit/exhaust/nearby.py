"""The audit of laws that are no rationals by rational laws that stand for them (`verify.engines.nearby_law`).

They are audited by a claim a little stronger and one a little weaker. Where these do not decide, a tie, and laws are
made of powers of e, events are compared exactly (`verify.engines.exponential_law`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from stirred.spec.arguments import InputError
from stirred.spec.blocks.specification import Flavor
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient
from stirred.spec.numbers.reals.real import UndecidedOrderError
from stirred.spec.output_premetrics import (
    ApproximateMultiplicative,
    GaussianTradeoff,
    Multiplicative,
    NormalizedRenyi,
    OutputPremetric,
    RealValued,
    TotalVariation,
)
from stirred.verify.audit.exhaust.found import Exhaustion, claimed, ends
from stirred.verify.audit.refutation import neighbors_only, worst_pair
from stirred.verify.engines.exponential_law import ExponentialLaws, Factor
from stirred.verify.engines.nearby_law import LOG_ERROR, relative_margin
from stirred.verify.engines.universe_pairs import BlockPairs
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.reports.lines import shortened
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness
from stirred.verify.laws.claim.budget import ClaimedBudget

_LONGEST = 100
_LETTERS = {NormalizedRenyi: "rho^2", GaussianTradeoff: "mu"}


@dataclass(frozen=True)
class Standing:
    """Rational laws of all data sets that stand for others.

    Attributes:
        log_error: λ.
        are_unsure: whether laws of one representative may differ, so that nothing is met at distance 0.
        exact: the laws themselves, where they are made of powers of e.
        said: how they are known, for the scope.
    """

    laws: Mapping[Any, Law[str]]
    log_error: Fraction
    are_unsure: bool = False
    exact: ExponentialLaws | None = None

    @property
    def said(self) -> str:
        """How they are known, for the scope."""
        if self.exact is not None:
            return f"probabilities are sums of powers of e, with x = exp(-{self.exact.step}) enclosed to 2^-256"
        what = "the discrete Gaussian enclosed" if self.log_error == LOG_ERROR else "real noise enclosed"
        return f"probabilities of {what} to a relative 2^{-floor_log2(self.log_error)}"


def floor_log2(number: Fraction) -> int:
    """The largest k with 2^−k at least a number below 1."""
    return (number.denominator // number.numerator).bit_length() - 1


@dataclass(frozen=True)
class _Nearby(Exhaustion):
    """Between the audit under a δ that is a little smaller and one that is a little larger; both are one without δ."""

    settles: ClassVar[Verdict] = Verdict.ENCLOSED
    stronger: Exhaustion
    weaker: Exhaustion
    between: Exhaustion
    flavor: Flavor
    nearest: Fraction
    standing: Standing
    has_zero: bool

    @property
    def _number(self) -> str:
        return "infinite" if self.smallest is None else self.smallest.relation().removeprefix("= ")

    @property
    def needed(self) -> str:
        letter = _LETTERS.get(type(self.flavor.output_premetric), "epsilon")
        number = "= infinite" if self.smallest is None else self.smallest.relation()
        return f"{letter} {number}{', by ' if self.where else ''}{self.where}"

    @property
    def nearby(self) -> tuple[Mapping[Any, Law[Any]], Fraction]:
        return self.standing.laws, self.standing.log_error

    @property
    def has_one_law(self) -> bool:
        laws = self.standing.laws
        return not self.standing.are_unsure and all(
            len({laws[x] for x in universe}) == 1 for universe in self.flavor.multiverse
        )

    def test(self, budget: ClaimedBudget) -> Evidence:
        if budget.loss is not None and budget.loss.is_infinite:
            return self._met(budget)
        less, more = (self._moved(budget, sign) for sign in (-1, 1))
        if less is not None and self.stronger.test(less).verdict.is_settled_for:
            if self.standing.are_unsure and self.has_zero:
                detail = "data sets at distance 0 must have one law, which enclosures cannot show"
                return Evidence(Verdict.OPEN, self.scope, f"{claimed(budget)}; {detail}")
            return self._met(budget)
        if more is not None and self.weaker.test(more).verdict is Verdict.REFUTED:
            return self._refuted(budget)
        return self._tied(budget)

    def _met(self, budget: ClaimedBudget) -> Evidence:
        return Evidence(Verdict.ENCLOSED, self.scope, self._beside(budget, "≥"))

    def _tied(self, budget: ClaimedBudget) -> Evidence:
        """Of a claim that is met with equality, or nearly so."""
        measure, exact = self.flavor.output_premetric, self.standing.exact
        detail = f"{claimed(budget)} and required {self._number} are too close to tell apart"
        if self.standing.are_unsure:
            detail += f", as probabilities are known to a relative 2^-{floor_log2(self.standing.log_error)}"
        found = Evidence(Verdict.OPEN, self.scope, detail)
        if exact is None or not isinstance(measure, (Multiplicative, ApproximateMultiplicative, TotalVariation)):
            return found
        try:
            if isinstance(measure, TotalVariation):
                pair = exact.exceeding(self.flavor, None, _stated(budget))
            else:
                delta = measure.parameters.get("delta", Fraction(0))
                pair = exact.exceeding(self.flavor, budget.loss or _stated(budget), delta)
        except UndecidedOrderError as error:
            return replace(found, detail=f"{detail}: {error}")
        if pair is not None:
            return replace(found, detail=f"{detail}, by x = {pair[0]}, x' = {pair[1]}")
        return self._met(budget)

    def _refuted(self, budget: ClaimedBudget) -> Evidence:
        measure, exact = self.flavor.output_premetric, self.standing.exact
        found = replace(self.between.test(budget), scope=self.scope)
        if isinstance(measure, RealValued) and found.witness is not None:
            place = found.detail.partition("; ")[2].partition(": ")[0]
            note = f"{found.witness['note']}; probabilities are rationals that stand for them"
            witness = {**found.witness, "note": note}
            return replace(found, detail=f"{self._beside(budget, '<')}; {place}", witness=witness)
        if exact is None or not isinstance(measure, (ApproximateMultiplicative, TotalVariation)):
            return found
        if self.between.needing is None:
            raise EngineError("a budget is exceeded and no pair needs more")
        worst = worst_pair(self.standing.laws, measure, self.between.needing, self.flavor.input_premetric)
        p, q = (exact.mass(x, worst.event) for x in (worst.x, worst.x_prime))
        d, number = worst.distance, budget.loss or _stated(budget)
        is_variation = isinstance(measure, TotalVariation)
        delta = _stated(budget) * d if is_variation else measure.parameters.get("delta", Fraction(0))
        is_certain = not exact.is_above(
            worst.x, worst.x_prime, Factor.of(Fraction(0) if is_variation else number, d), delta
        )
        if is_certain:
            raise EngineError("the event of a refutation does not exceed the budget")
        values: dict[str, object] = {"d": d}
        if is_variation:
            power, values = "", values | {"epsilon": _stated(budget)}
        elif isinstance(number, Loss):
            power, values = (
                "exp(d*ln(gamma)/root)*",
                values | {"gamma": number.gamma, "root": Fraction(number.distance)},
            )
        else:
            power, values = "exp(epsilon*d)*", values | {"epsilon": number}
        slack = "epsilon*d" if is_variation else str(delta)
        inequality = f"{formula(p)} <= {power}({formula(q)}) + {slack}"
        event = shortened(", ".join(map(str, worst.event)), _LONGEST)
        place = f"x = {worst.x}, x' = {worst.x_prime}, d = {d}, E = {{{event}}}"
        note = f"P[E | x] and P[E | x'] of {place}"
        sentence = f"{self._beside(budget, '<')}; {place}: P[E | x] = {shown(p)}, P[E | x'] = {shown(q)}"
        sentence += neighbors_only(worst, self.flavor.input_premetric)
        return Evidence(Verdict.REFUTED, self.scope, sentence, formula_witness(inequality, note=note, **values))

    def _moved(self, budget: ClaimedBudget, sign: int) -> ClaimedBudget | None:
        """The budget, a little smaller or larger; None where none is left."""
        measure, nearest = self.flavor.output_premetric, self.nearest
        c = relative_margin(measure, self.standing.log_error)
        if c is None:
            raise EngineError(f"no margin of {measure.name} is known")
        if budget.loss is not None and budget.loss.gamma is not None:
            root, epsilon = budget.loss.distance, budget.loss.epsilon().upper
            gamma = budget.loss.gamma * (1 + sign * 2 * root * c * (1 / nearest + epsilon))
            return replace(budget, loss=Loss(gamma, root)) if gamma >= 1 else None
        power = measure.power if isinstance(measure, NormalizedRenyi) else 1
        for name in ("epsilon", "rho_squared", "mu"):
            if (number := getattr(budget, name)) is not None:
                value = number.value + sign * c * (1 / nearest**power + number.value)
                return replace(budget, **{name: replace(number, value=value)}) if value >= 0 else None
        return budget


def _sufficient(flavor: Flavor, between: Exhaustion, exact: ExponentialLaws) -> Enclosure | None:
    """A number that is enough, exactly, where a probability that one law alone has is δ itself."""
    found, delta = ends(between), flavor.output_premetric.parameters.get("delta", Fraction(0))
    if found is None:
        return None
    enough = found.upper + Fraction(1, 10**20)
    return Enclosure(found.lower, enough) if exact.exceeding(flavor, enough, delta) is None else None


def formula(number: ExponentialQuotient) -> str:
    """A quotient of sums of powers of e in the language of witnesses."""
    above, below = (" + ".join(_term(r, c) for r, c in terms.items()) or "0" for terms in (number.above, number.below))
    return f"({above})" if below == "1" else f"({above})/({below})"


def _term(exponent: Fraction, factor: Fraction) -> str:
    if not exponent:
        return str(factor)
    return f"{'' if factor == 1 else f'({factor})*'}exp({exponent})"


def shown(number: ExponentialQuotient) -> str:
    """The exact form where it is short, and a decimal."""
    text = str(number if isinstance(number.value, ExponentialQuotient) else number.value)
    return text if len(text) <= _LONGEST else f"≈ {number.enclosure().text()}"


def _stated(budget: ClaimedBudget) -> Fraction:
    if budget.epsilon is None:
        raise EngineError(f"a budget that an event refutes must be an epsilon; got {budget.text}")
    return budget.epsilon.value


def distances_of(flavor: Flavor, pairs: BlockPairs) -> set[Fraction]:
    """The finite distances of different data sets of one universe."""
    listed = (pairs.pairs_in(universe) for universe in flavor.multiverse)
    return {Fraction(d) for one in listed for place in range(len(one.points)) for _, d in one.row(place)}


def nearest_distance(flavor: Flavor, pairs: BlockPairs) -> Fraction:
    """The least distance above 0 of two data sets of a universe, at most 1."""
    return min([Fraction(1), *(d for d in distances_of(flavor, pairs) if d)])


def exhaust_nearby(
    flavor: Flavor, pairs: BlockPairs, under: Callable[[OutputPremetric], Exhaustion], standing: Standing, place: str
) -> Exhaustion:
    """The audit of laws that stand for others."""
    measure, nearest = flavor.output_premetric, nearest_distance(flavor, pairs)
    c = relative_margin(measure, standing.log_error)
    if c is None:
        raise InputError(
            f"{place}: {measure.name!r} of probabilities that are no rationals is not enclosed here; state "
            "multiplicative, approximate_multiplicative, total_variation or normalized_renyi"
        )
    between = stronger = weaker = under(measure)
    if isinstance(measure, ApproximateMultiplicative):
        factor = 1 + 2 * standing.log_error  # above e^λ
        stronger = under(ApproximateMultiplicative(measure.delta / factor))
        weaker = under(ApproximateMultiplicative(min(measure.delta * factor, (1 + measure.delta) / 2)))
    low, high = ends(weaker), ends(stronger)
    smallest = None
    if high is None and low is not None and standing.exact is not None:
        high = _sufficient(flavor, between, standing.exact)
    if low is not None and high is not None:
        power = measure.power if isinstance(measure, NormalizedRenyi) else 1
        margin = c * (1 / nearest**power + high.upper)
        smallest = Enclosure(max(low.lower - margin, Fraction(0)), high.upper + margin)
    scope = f"{stronger.scope}; {standing.said}"
    has_zero = 0 in distances_of(flavor, pairs)
    return _Nearby(smallest, between.where, scope, stronger, weaker, between, flavor, nearest, standing, has_zero)
