"""What an exhaustive audit has found: of laws as they are, and of floats that were tested.

Of a float from a continuous draw a few values are told apart: what their exact laws show is a part of the whole, which
refutes a claim and never shows one.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

from stirred.mechanisms.interpreters.choice_tree import ChoiceTree
from stirred.spec.arguments import InputError
from stirred.spec.blocks.multiverse import Universe
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import Enclosure, decimal_text, exponential
from stirred.spec.numbers.reals.real import Real
from stirred.spec.output_premetrics import (
    ApproximateMultiplicative,
    Multiplicative,
    OutputPremetric,
)
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.agreed_laws import ForeignLaws, refuse_partial
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import claimed_epsilon
from stirred.verify.laws.claim.claim import PrivacyClaim


def claimed(budget: ClaimedBudget) -> str:
    """The claimed budget in the unit of a required one: ε where γ = e^ε is claimed."""
    text = budget.text
    if text.startswith("gamma") and budget.loss is not None:
        text = f"epsilon = {'0' if budget.loss.is_zero else f'ln({budget.loss.gamma})'}"
    return f"claimed {text}"


@dataclass(frozen=True)
class Exhaustion(ABC):
    """The smallest budget of a mechanism on a finite domain, found by comparing every pair in every universe.

    Attributes:
        smallest: the smallest budget that covers every universe.
        where: the pair of data sets that needs it, in words.
        scope: what was compared.
        settles: the verdict on the smallest budget: `ENCLOSED` where it is known between two ends only.
        arithmetic: in which numbers it holds: "real numbers" where code that computes with doubles was read.
    """

    settles: ClassVar[Verdict] = Verdict.EXHAUSTED
    smallest: Any
    where: str
    scope: str
    arithmetic: str = field(default="", kw_only=True)

    @property
    def finding(self) -> Evidence:
        """The smallest budget as evidence."""
        place = f", needed by {self.where}" if self.where else ""
        return Evidence(self.settles, self.scope, f"the smallest budget is {self._number}{place}")

    @property
    def needed(self) -> str:
        """The smallest budget, and the pair that needs it, in words."""
        return f"{self._number}{', by ' if self.where else ''}{self.where}"

    @property
    def _number(self) -> str:
        return "infinite" if self.smallest is None else str(self.smallest)

    def _beside(self, budget: ClaimedBudget, sign: str) -> str:
        return f"{claimed(budget)} {sign} required {self._number}"

    @property
    def reservation(self) -> str:
        """Why the smallest budget is no answer of its own; empty where it is one."""
        return ""

    @property
    def compared(self) -> ComparedLaws | None:
        """The exact laws of every data set, compared pair by pair; None where the budget follows from less."""
        return None

    @property
    def laws(self) -> Mapping[Any, Law[Any]] | None:
        """The law of every data set; None where the budget follows from less."""
        return None if self.compared is None else self.compared.laws

    @property
    def trees(self) -> Callable[[Any], ChoiceTree] | None:
        """The choice tree of each data set's law, where the mechanism is the user's own and was followed."""
        return None

    @property
    def nearby(self) -> tuple[Mapping[Any, Law[Any]], Fraction] | None:
        """Rational laws that stand for those of every data set, and λ, where they do: `verify.engines.nearby_law`."""
        return None

    @property
    def needing(self) -> tuple[Any, Any] | None:
        """The pair of data sets that needs the smallest budget, where an event shows it."""
        return None

    @property
    def has_one_law(self) -> bool:
        """Whether all data sets that share a universe have one law."""
        compared = self.compared
        return compared is not None and all(map(compared.has_one_law_in, compared.flavor.multiverse))

    @abstractmethod
    def test(self, budget: ClaimedBudget) -> Evidence:
        """Whether the claimed budget is met: settled, or REFUTED with a witness; else OPEN."""


_KEPT = ("are_of_doubles", "exponent", "numbers")
"""What a mixture of laws has of them."""


def claimed_laws(built: PrivacyClaim, setting: Mapping[str, Any], *, may_be_partial: bool = False) -> ForeignLaws:
    """The laws that the flavor of a claim compares: of every data set, or of every belief under Pufferfish."""
    mechanism, data, kind = built.mechanism, built.data, built.kind
    if mechanism is None or mechanism.function is None or data is None or kind is None:
        raise TypeError("the laws of a claim need a mechanism that runs and its data sets")
    points = tuple(data.domain) if built.pufferfish is None else tuple(kind.listed())
    found = mechanism.function.laws(points, setting, is_ordered=kind.order_matters)
    if not may_be_partial or built.pufferfish is not None:
        refuse_partial(found.laws, mechanism.place)
    if built.pufferfish is None:
        return found
    if found.is_nearby or found.is_released:
        raise InputError(
            f"{mechanism.place}: beliefs mix the laws of data sets, which must be exact and finite; unbounded noise "
            "that is released, and a discrete Gaussian, have none: clamp geometric noise"
        )
    laws = built.pufferfish.provided(found.laws)
    mixed = f"the law of a belief is the mixture of those of {counted(len(points), 'data set')}"
    said = "; ".join(part for part in (mixed, found.assumed) if part)
    return ForeignLaws(laws, said, **{name: getattr(found, name) for name in _KEPT})


_SLACK, _SHOWN_SLACK = Fraction(1, 2**40), "2^-40"


class SteppedLaws(ComparedLaws):
    """Laws that are compared along the pairs that are not between others, as (ε, δ) is of neighbours."""

    def leaves_out(self, universe: Universe) -> bool:
        return self.pairs(universe).is_bounded_by_fewer


@dataclass(frozen=True)
class OfDoubles(Exhaustion):
    """Of laws that doubles made: a claim that they miss by events below 2^-40 alone is left open.

    Attributes:
        inner: the exact audit.
        under: the audit under another output premetric, of laws that are compared by a class.
        likely: the audit under the same, `measure`, without what is improbable.
    """

    inner: Exhaustion
    under: Callable[[OutputPremetric, type[ComparedLaws]], Exhaustion]
    likely: Callable[[], Exhaustion]
    measure: OutputPremetric

    @property
    def finding(self) -> Evidence:
        return self.inner.finding

    @property
    def needed(self) -> str:
        return self.inner.needed

    @property
    def compared(self) -> ComparedLaws | None:
        return self.inner.compared

    @property
    def trees(self) -> Callable[[Any], ChoiceTree] | None:
        return self.inner.trees

    @property
    def needing(self) -> tuple[Any, Any] | None:
        return self.inner.needing

    def test(self, budget: ClaimedBudget) -> Evidence:
        found = self.inner.test(budget)
        if found.verdict is not Verdict.REFUTED:
            return found
        if not isinstance(self.measure, (Multiplicative, ApproximateMultiplicative)):
            raised = _raised(budget)
            if not any(one.test(raised).verdict.is_settled_for for one in (self.inner, self.likely())):
                return found
            said = f"{claimed(budget)} holds up to {_SHOWN_SLACK}, which the rounding of doubles may account for"
            return Evidence(Verdict.OPEN, self.scope, f"{said}; exactly, {found.detail}")
        delta = self.measure.parameters.get("delta", Fraction(0))
        looser = ApproximateMultiplicative(min(delta + _SLACK, (1 + delta) / 2))
        at = f"with delta = {f'{delta} + ' if delta else ''}{_SHOWN_SLACK}"
        for compared, whose in ((ComparedLaws, ""), (SteppedLaws, " for neighbours")):
            nearly = self.under(looser, compared)
            if nearly.test(budget).verdict.is_settled_for:
                remedy = f'state delta = "{delta + Fraction(1, 10**12) if delta else "1e-12"}"'
                said = (
                    f"{claimed(budget)} holds {at}{whose}: the rounding of doubles misses it by {_miss(found, budget)}"
                )
                return Evidence(Verdict.OPEN, self.scope, f"{said}; {remedy}; exactly, {found.detail}")
        number = "" if nearly.smallest.is_infinite else f"; {at} the smallest budget is {nearly.smallest}"
        return replace(found, detail=f"{found.detail}{number}")


def likely_laws(laws: Mapping[Any, Law[str]]) -> Mapping[Any, Law[str]]:
    """The laws without the outcomes that some of them cannot have, where these make up at most 2^-40 of each."""
    rare = {one for one in set().union(*laws.values()) if not all(law.numeric(one) for law in laws.values())}
    rest = {x: {one: law.numeric(one) for one in law if one not in rare} for x, law in laws.items()}
    totals = {x: sum(weights.values(), Fraction(0)) for x, weights in rest.items()}
    if not rare or min(totals.values()) < 1 - _SLACK:
        return laws
    return {x: Law({one: weight / totals[x] for one, weight in weights.items()}) for x, weights in rest.items()}


def _raised(budget: ClaimedBudget) -> ClaimedBudget:
    """The budget with 2^-40 added to its number, or to every power of its curve."""
    if budget.curve is not None:
        return replace(budget, curve=tuple((level, min(Fraction(1), power + _SLACK)) for level, power in budget.curve))
    numbers = {name: one for name in ("epsilon", "rho_squared", "mu") if (one := getattr(budget, name)) is not None}
    return replace(budget, **{name: replace(one, value=one.value + _SLACK) for name, one in numbers.items()})


def _miss(found: Evidence, budget: ClaimedBudget) -> str:
    """By how much the event of a refutation is too probable, in words."""
    witness = found.witness or {}
    p, q, d = (Fraction(witness[name]) for name in ("probability", "probability_prime", "distance"))
    power = exponential(claimed_epsilon(budget).upper * d, digits=40).upper
    shown = f"{Decimal(decimal_text(p - power * q - (Fraction(witness['delta']) if q else 0), 2)):.1e}"
    return shown if q else f"an event of probability {shown}, which is possible under one data set alone"


def ends(found: Exhaustion) -> Enclosure | None:
    """The smallest budget as a number; None where it is infinite, a curve or a function."""
    smallest = found.smallest
    if isinstance(smallest, Loss):
        return None if smallest.is_infinite else smallest.epsilon(90)
    if isinstance(smallest, Fraction):
        return Enclosure(smallest, smallest)
    if isinstance(smallest, Real):
        return smallest.enclosure()
    return smallest if isinstance(smallest, Enclosure) else None
