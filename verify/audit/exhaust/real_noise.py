"""The exhaustive audit of a mechanism that releases real numbers as they are drawn.

The claim is decided in the real numbers. Doubles are something else: what is released shows their digits, so that the
answer is a verdict only where the claim says `numerics = "real"`, or where an event refutes it by more than doubles
can differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from stirred.spec.arguments import InputError
from stirred.spec.blocks.specification import Flavor
from stirred.spec.budgets.loss import ZERO
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import decimal_text
from stirred.spec.numbers.reals.logarithm_sum import LogarithmSum
from stirred.spec.numbers.reals.real import EnclosedReal, Number, Real, UndecidedOrderError, larger, order
from stirred.spec.output_premetrics import (
    ApproximateMultiplicative,
    GaussianTradeoff,
    Multiplicative,
    NormalizedRenyi,
    OutputPremetric,
    TotalVariation,
)
from stirred.verify.audit.exhaust.found import Exhaustion, claimed
from stirred.verify.audit.exhaust.real_pairs import NEEDS, RealPair, pairs_of
from stirred.verify.engines.real_noise.events import RealEvent, enclosed
from stirred.verify.engines.real_noise.leaves import RealLeaf
from stirred.verify.engines.real_noise.named import UnknownError, moved_squared
from stirred.verify.engines.real_noise.parts import mixtures
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.reports.lines import shortened
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness, event_witness, formula_witness
from stirred.verify.laws.agreed_laws import ForeignLaws
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import loss_bounds
from stirred.verify.laws.integer_tails import has_tails

_DIGITS = 40
_LONGEST = 200
_MARGIN = Fraction(1, 2**30)
"""What doubles cannot undo: far more than the probability that one is drawn beyond an end of an event, or not."""

_OF_DOUBLES = "the release shows the digits of a double (Mironov 2012)"
_REMEDY = 'numerics = "real" asks about real numbers alone; else round the release, or use --sampled'


@dataclass(frozen=True)
class _OfReals(Exhaustion):
    """By the laws in real numbers.

    Attributes:
        number: the smallest budget exactly; None for ∞.
        worst: the pair that needs most; None where all have one law.
        is_asked: whether the claim is about real numbers.
    """

    number: Number | None
    measure: OutputPremetric
    worst: RealPair | None
    is_asked: bool

    @property
    def is_exact(self) -> bool:
        return not isinstance(self.number, EnclosedReal)

    @property
    def finding(self) -> Evidence:
        found = replace(super().finding, verdict=Verdict.EXHAUSTED if self.is_exact else Verdict.ENCLOSED)
        return self._in_reals(found)

    @property
    def needed(self) -> str:
        letter = {NormalizedRenyi: "rho^2", GaussianTradeoff: "mu"}.get(type(self.measure))
        shown = f"{letter} = {super().needed}".replace("= ≈", "≈") if letter else super().needed
        return shown if self.is_asked else f"in real numbers {shown}"

    @property
    def reservation(self) -> str:
        return "" if self.is_asked else f"it needs {self.needed}; {self._of_doubles}; {_REMEDY}"

    @property
    def _number(self) -> str:
        if self.number is None:
            return "infinite"
        shown = str(self.number)
        is_long = len(shown) > _LONGEST and isinstance(self.number, Real)
        return f"≈ {enclosed(self.number).text()}" if is_long else shown

    @property
    def has_one_law(self) -> bool:
        return self.worst is None

    def _in_reals(self, found: Evidence) -> Evidence:
        return found if self.is_asked else replace(found, detail=f"in real numbers {found.detail}")

    def test(self, budget: ClaimedBudget) -> Evidence:
        found, margin = self._tested(budget)
        if self.is_asked or found.verdict is Verdict.OPEN:
            return self._in_reals(found)
        if found.verdict is Verdict.REFUTED and margin > _MARGIN:
            return replace(found, detail=f"{found.detail}; by more than doubles differ from real numbers")
        shown = f"in real numbers {found.detail}{', met' if found.verdict.is_settled_for else ', not met'}"
        return Evidence(Verdict.OPEN, self.scope, f"{shown}; {self._of_doubles}; {_REMEDY}")

    @property
    def _of_doubles(self) -> str:
        is_pure = isinstance(self.measure, Multiplicative)
        said = "in doubles no epsilon holds" if is_pure and self.worst is not None else "of doubles nothing is shown"
        return f"{said}: {_OF_DOUBLES}"

    def _tested(self, budget: ClaimedBudget) -> tuple[Evidence, Fraction]:
        """Whether the budget is met, and by how much an event exceeds it where it is not."""
        if budget.loss is not None and budget.loss.is_infinite:
            return self._evidence(Verdict.EXHAUSTED, self._beside(budget, "≥"))
        stated = _stated(budget, self.measure)
        if stated is None:
            return self._evidence(Verdict.OPEN, f"{claimed(budget)}; no budget of {self.measure.name} is stated")
        try:
            is_met = self.number is not None and order(self.number, stated) <= 0
        except ArithmeticError:  # an order that enclosures leave undecided
            detail = f"{claimed(budget)} and required {self._number} are too close to tell apart"
            return self._evidence(Verdict.OPEN, detail)
        if is_met:
            return self._evidence(Verdict.EXHAUSTED if self.is_exact else Verdict.ENCLOSED, self._beside(budget, "≥"))
        sentence = f"{self._beside(budget, '<')}; {self.where}"
        try:
            shown = self._shown(budget, stated)
        except (ArithmeticError, UnknownError):
            shown = None
        if shown is None:
            return self._evidence(Verdict.OPEN, f"{sentence}; no event that shows it was found")
        witness, what, margin = shown
        return Evidence(Verdict.REFUTED, self.scope, f"{sentence}; {what}", witness), margin

    def _evidence(self, verdict: Verdict, detail: str) -> tuple[Evidence, Fraction]:
        return Evidence(verdict, self.scope, detail), Fraction(0)

    def _shown(self, budget: ClaimedBudget, stated: Number) -> tuple[Witness, str, Fraction] | None:
        """A witness of the worst pair, its sentence, and P(E) − e^(ε·d)·P′(E) − δ of its event."""
        pair = self.worst
        if pair is None:
            return None
        if isinstance(self.measure, (NormalizedRenyi, GaussianTradeoff)):
            return _moved(self.measure, pair, enclosed(stated).upper)
        delta = self.measure.parameters.get("delta", Fraction(0))
        if isinstance(self.measure, TotalVariation):
            delta = enclosed(stated).upper * pair.distance
        for gamma in self._gammas(budget, pair.distance):
            events = pair.events(gamma)
            margin = sum((event.margin(gamma) for event in events), Fraction(0)) - delta
            if margin > 0:
                blur = sum((event.blur for event in events), Fraction(0))
                return *_event(pair, events, delta), margin - (1 + gamma) * blur
        return None

    def _gammas(self, budget: ClaimedBudget, distance: Fraction) -> Iterator[Fraction]:
        """Rationals above e^(ε·d), closer and closer."""
        if isinstance(self.measure, TotalVariation):
            yield Fraction(1)
            return
        for _, high in loss_bounds(budget):
            found = high.times(distance).ratio(_DIGITS)
            if found is not None:
                yield found.upper


def _stated(budget: ClaimedBudget, measure: OutputPremetric) -> Number | None:
    if isinstance(measure, NormalizedRenyi):
        return None if budget.rho_squared is None else budget.rho_squared.value
    if isinstance(measure, GaussianTradeoff):
        return None if budget.mu is None else budget.mu.value
    if budget.loss is not None and budget.loss.gamma is not None:
        return LogarithmSum({budget.loss.gamma: 1 / Fraction(budget.loss.distance)}).value
    return None if budget.epsilon is None else budget.epsilon.value


def _event(pair: RealPair, events: list[RealEvent], delta: Fraction) -> tuple[Witness, str]:
    """The witness of an event, its probabilities rounded towards each other, and its sentence."""
    unit = 10**_DIGITS
    p = sum((Fraction(event.ends()[0].lower * unit // 1, unit) for event in events), Fraction(0))
    q = sum((Fraction(-(-event.ends()[1].upper * unit // 1), unit) for event in events), Fraction(0))
    words = shortened(" or ".join(event.words for event in events), _LONGEST)
    laws = tuple(Law({word: mass for word, mass in ((words, one), ("else", 1 - one)) if mass}) for one in (p, q))
    exact = "; ".join(
        f"{name} = {' + '.join(_form(number) for number in numbers)}"
        for name, numbers in (("P", [one.first for one in events]), ("P'", [one.second for one in events]))
    )
    witness = event_witness(
        (laws[0], laws[1]),
        [words],
        distance=pair.distance,
        claimed=ZERO,
        delta=delta,
        x=pair.x,
        x_prime=pair.x_prime,
        note=f"probabilities rounded towards each other; {shortened(exact, _LONGEST)}",
    )
    shown = " and ".join(f"{name} ≈ {decimal_text(one, 6)}" for name, one in (("P[E | x]", p), ("P[E | x']", q)))
    return witness, f"E = {{{words}}}, {shown}"


def _form(number: Number) -> str:
    if isinstance(number, Fraction):
        return str(number)
    return number.exact_form() or f"≈ {enclosed(number).text(10)}"


def _moved(measure: OutputPremetric, pair: RealPair, stated: Fraction) -> tuple[Witness, str, Fraction] | None:
    """Σ m²/v above what is claimed, as a formula; of a law with an outcome of its own, that it has one."""
    alone = next((part for part in pair.parts if not part.second), None)
    if alone is not None:
        note = f"P of the outcomes {alone.skeleton}, which x' cannot have; {pair.where}"
        least = enclosed(alone.masses[0]).lower
        return formula_witness("p <= 0", note=note, p=least), "an outcome that x' cannot have", least
    name, formula, factor = (
        ("rho2", "2*rho2*d**2", 2) if isinstance(measure, NormalizedRenyi) else ("mu", "(mu*d)**2", stated)
    )
    for part in pair.parts:
        least = enclosed(moved_squared(part.pairs or [])).lower
        if least > factor * stated * pair.distance**2:
            values = {name: stated, "d": pair.distance, "moved": least}
            note = f"the sum of m^2/v of normal noise that is moved, at least; {pair.where}"
            return (
                formula_witness(f"moved <= {formula}", note=note, **values),
                "normal noise that is moved",
                Fraction(0),
            )
    return None


def exhaust_reals(audited: ForeignLaws, flavor: Flavor, scope: str, place: str, *, is_asked: bool) -> Exhaustion:
    """The smallest budget of a mechanism that releases real numbers.

    Raises:
        InputError: the laws, or the output premetric of them, have no closed form here.
    """
    measure = flavor.output_premetric
    if isinstance(measure, ApproximateMultiplicative) and not measure.delta:
        measure = Multiplicative()
    need = NEEDS.get(type(measure))
    if need is None:
        raise InputError(
            f"{place}: released real numbers are not compared under {measure.name!r}: round the release, or state "
            "multiplicative, approximate_multiplicative, total_variation, normalized_renyi or gaussian"
        )
    mixed = {x: mixtures(law, audited.exponent, audited.log_error) for x, law in audited.laws.items()}
    leaves = {leaf for mixture in mixed.values() for one in mixture.values() for key in one for leaf in key}
    if has_tails(audited.laws) or any(leaf.kind == "rounded" for leaf in leaves):
        raise InputError(f"{place}: an output holds an integer without bound, drawn of real noise: clamp it")
    largest: Number | None = Fraction(0)
    worst: RealPair | None = None
    unknown: UnknownError | None = None
    for pair in pairs_of(mixed, audited.laws, flavor, place):
        try:
            found = need(measure, pair)
        except UnknownError as error:
            unknown = unknown or UnknownError(
                f"{place}: {pair.where}: {measure.name} has no closed form here of {error}"
            )
            continue
        except UndecidedOrderError as error:
            unknown = unknown or UnknownError(f"{place}: {pair.where}: {measure.name} is not settled: {error}")
            continue
        if found is None:
            largest, worst = None, pair
            break
        if largest is not None and (worst is None or _is_above(found, largest)):
            worst = pair
        largest = larger(Fraction(0) if largest is None else largest, found)
    if unknown is not None and largest is not None:
        raise InputError(f"{unknown}: round the release, or use --sampled")
    said = f"{scope}; {_assumed(leaves)}"
    ends = None if largest is None else enclosed(largest)
    where = "" if worst is None else worst.where
    return _OfReals(ends, where, said, largest, measure, worst, is_asked)


def _assumed(leaves: set[RealLeaf]) -> str:
    known = "by suprema of ratios and integrals of the densities of what is released"
    is_enclosed = any(isinstance(leaf.parameter, EnclosedReal) for leaf in leaves)
    return f"{known}; scales that agree to 75 digits are taken as one" if is_enclosed else known


def _is_above(found: Number, largest: Number) -> bool:
    try:
        return order(found, largest) > 0
    except UndecidedOrderError:
        return enclosed(found).upper > enclosed(largest).upper
