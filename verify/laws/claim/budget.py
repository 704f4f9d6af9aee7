"""The fifth block: the budgets that a claim states, one for each setting of its mechanism."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from stirred.mechanisms.catalogue import SWAPPING
from stirred.spec.arguments import nonnegative, parse_exact
from stirred.spec.budgets.loss import INFINITE, Loss
from stirred.spec.flavors.permutation_swapping import psa_budget
from stirred.spec.numbers.reals.logarithm_sum import parse_logarithm
from stirred.spec.output_premetrics import Curve, OutputPremetric, check_curve, shown_curve
from stirred.verify.engines.printed_number import Printed, parse_printed
from stirred.verify.laws.claim.mechanism import ClaimedMechanism
from stirred.verify.laws.claim.table import Block


def read_logarithm(name: str, text: object) -> tuple[Loss, str] | None:
    """The loss that a text such as "ln 3", "ln(9/4)/2" or "3/2*ln 2" stands for, and its words; None for other values.

    >>> read_logarithm("epsilon", "3/2*ln 4")
    (<Loss ln(8) ≈ 2.07944>, 'epsilon = 3/2*ln(4)')
    """
    found = parse_logarithm(name, text)
    if found is None:
        return None
    gamma, times, root = found
    words = f"{'' if times == 1 else f'{times}*'}ln({gamma}){f'/{root}' if root > 1 else ''}"
    return Loss(gamma**times.numerator, root * times.denominator), f"epsilon = {words}"


THEOREM = "psa.budget.theorem"
"""The claim of the ledger that gives permutation swapping its budget."""

PROVING = ("psa_privacy.psa_pure_dp_printed", "psa_privacy.psa_pure_dp", "psa_privacy.psa_pure_dp_sizes")
"""The Coq theorems that state it."""

PROVED_WITHIN = "finitely many categories, sizes up to any N"
"""The domains that they are about."""

MAX_EPSILON = 10_000
"""The largest finite ε: beyond it e^ε is too large for exact comparisons."""

CONVERSION = "rho2 + 2*sqrt(rho2*ln(1/delta))"
"""ε from ρ² and δ, by article, Remark 4."""

T = TypeVar("T")

_KINDS = ("epsilon", "gamma", "rho_squared", "mu", "curve")


@dataclass(frozen=True)
class ClaimedConversion:
    """(ε, δ) that a ρ² is said to convert to.

    Attributes:
        epsilon: ε as a budget, which has to cover the conversion; None where it is only printed.
        printed: ε as printed, compared at its printed precision.
    """

    delta: Printed
    epsilon: Printed | None
    printed: Printed


@dataclass(frozen=True)
class ClaimedBudget:
    """The fifth block for one setting of the mechanism: one budget, exact.

    Attributes:
        epsilon: ε, where a number is claimed: the budget is exactly that number, not what rounds to it.
        loss: the budget where the file gives it as γ = e^ε, as ∞ or as the theorem's formula.
        curve: for trade-off functions: the largest power at each level.
        is_formula: whether ε is claimed to be the value of the theorem's formula, not just a bound.
        printed: the number that stands in print for the formula's value, compared at its printed precision.
        words: the budget as the claim writes it, where that is none of these.
    """

    epsilon: Printed | None = None
    loss: Loss | None = None
    rho_squared: Printed | None = None
    mu: Printed | None = None
    curve: Curve | None = None
    is_formula: bool = False
    printed: Printed | None = None
    converted: ClaimedConversion | None = None
    words: str = ""

    @property
    def text(self) -> str:
        """The budget as a person reads it.

        >>> ClaimedBudget(loss=Loss(3)).text, ClaimedBudget(epsilon=parse_printed("epsilon", "0.10")).text
        ('gamma = 3', 'epsilon = 0.10')
        """
        if self.words:
            return self.words
        if self.epsilon is not None:
            return f"epsilon = {self.epsilon.text}"
        if self.rho_squared is not None:
            return f"rho^2 = {self.rho_squared.text}"
        if self.mu is not None:
            return f"mu = {self.mu.text}"
        if self.curve is not None:
            return f"curve {shown_curve(self.curve)}"
        if self.is_formula:
            return f"epsilon = {self.loss}, the value of (7)"
        return "epsilon = infinite" if self.loss is None or self.loss.gamma is None else f"gamma = {self.loss.gamma}"


def claimed_budgets(
    block: Block, measure: OutputPremetric | None, mechanism: ClaimedMechanism | None, largest_stratum: int | None
) -> tuple[ClaimedBudget | None, ...]:
    """The budget of each setting of the mechanism, in their order; None for each where the block is words only."""
    settings = ({},) if mechanism is None else mechanism.settings
    given = [key for key in _KINDS if key in block]
    if len(given) > 1:
        raise block.refuse(given[1], f"cannot be combined with {given[0]}: give one of {', '.join(_KINDS)}")
    if not given and "by" not in block:
        block.only(("description",)).text("description")
        return (None,) * len(settings)
    kind = given[0] if given else "by"
    if measure is not None and kind not in measure.budgets:
        hint = f"; give {measure.budgets[0]}" if len(measure.budgets) == 1 else ""
        raise block.refuse(kind, f"is not a budget for the output premetric {measure.name!r}{hint}")
    if "by" in block:
        _check_formula(block, kind, mechanism, largest_stratum)
    for key, needed in (("converted", "rho_squared"), ("printed", "by")):
        if key in block and kind != needed:
            raise block.refuse(key, f"belongs to {needed}{' without epsilon' if key == 'printed' else ''}")
    if kind == "epsilon":
        numbers = _one_for_each(block, "epsilon", len(settings), _number)
        return tuple(_epsilon(block, epsilon, measure) for epsilon in numbers)
    if kind == "by":
        count = len(settings)
        printed = _one_for_each(block, "printed", count, parse_printed) if "printed" in block else (None,) * count
        return tuple(
            ClaimedBudget(loss=psa_budget(largest_stratum or 0, setting["swap_rate"]), is_formula=True, printed=number)
            for setting, number in zip(settings, printed, strict=True)
        )
    return (_one_budget(block, kind),) * len(settings)


def _one_budget(block: Block, kind: str) -> ClaimedBudget:
    """A budget that is the same for every setting."""
    if kind == "gamma":
        gamma = block.exact("gamma")
        return ClaimedBudget(loss=block.within("gamma", lambda: Loss(gamma)))
    if kind == "curve":
        return ClaimedBudget(curve=_curve(block))
    if kind == "mu":
        return ClaimedBudget(mu=block.nonnegative("mu"))
    converted = block.given("converted", block.table)
    return ClaimedBudget(
        rho_squared=block.nonnegative("rho_squared"),
        converted=None if converted is None else claimed_conversion(converted.only(("epsilon", "printed", "delta"))),
    )


def _check_formula(block: Block, kind: str, mechanism: ClaimedMechanism | None, largest_stratum: int | None) -> None:
    """Refuse a reference to the theorem's formula that names another claim, or where the formula has no meaning."""
    block.one_of("by", (THEOREM,))
    if mechanism is None or mechanism.name != SWAPPING or kind not in ("epsilon", "by"):
        raise block.refuse("by", f"must stand alone or beside epsilon, with the mechanism {SWAPPING!r}")
    if largest_stratum is None:
        raise block.refuse("by", "requires the mechanism's largest_stratum, or margins")


def _one_for_each(block: Block, key: str, count: int, read: Callable[[str, object], T]) -> tuple[T, ...]:
    """The numbers of a key, one for each setting."""
    value = block.required(key)
    values = value if isinstance(value, list) else [value]
    if len(values) != count:
        raise block.refuse(key, f"must have one number for each swap rate, {count}; got {len(values)}")
    if not isinstance(value, list):
        return (read(block.where(key), value),)
    return tuple(read(place, item) for place, item in block.entries(key))


def _number(name: str, value: object) -> Printed | tuple[Loss, str] | None:
    """One ε: a number, or a logarithm with its words; None for ∞."""
    return None if value == "infinite" else read_logarithm(name, value) or parse_printed(name, value)


def _epsilon(
    block: Block, epsilon: Printed | tuple[Loss, str] | None, measure: OutputPremetric | None
) -> ClaimedBudget:
    is_formula = "by" in block
    if isinstance(epsilon, tuple):
        if is_formula or (measure is not None and "gamma" not in measure.budgets):
            needed = "beside the formula" if is_formula or measure is None else f"for {measure.name!r}"
            raise block.refuse("epsilon", f"must be a number {needed}; got a logarithm")
        return ClaimedBudget(loss=epsilon[0], words=epsilon[1])
    if epsilon is None and is_formula:
        raise block.refuse("by", "cannot be combined with 'infinite': alone it gives the formula's value")
    if epsilon is None:
        return ClaimedBudget(loss=INFINITE)
    if nonnegative(block.where("epsilon"), epsilon.value) > MAX_EPSILON:
        raise block.refuse("epsilon", f"must be at most {MAX_EPSILON}, or 'infinite'; got {epsilon.text}")
    return ClaimedBudget(epsilon=epsilon, is_formula=is_formula, printed=epsilon if is_formula else None)


def _curve(block: Block) -> Curve:
    rows, place = block.array("curve"), block.where("curve")
    if not all(isinstance(row, list) for row in rows):
        raise block.refuse("curve", f"must be an array of [level, power]; got {rows!r}")
    return check_curve(place, [[parse_exact(place, number) for number in row] for row in rows])


def claimed_conversion(block: Block) -> ClaimedConversion:
    """The (ε, δ) of a table with delta and one of epsilon (a budget) and printed (only what stands in print)."""
    delta = block.printed("delta")
    block.inside_unit("delta")
    kind = block.one_key("epsilon", "printed")
    number = block.nonnegative(kind)
    return ClaimedConversion(delta, number if kind == "epsilon" else None, number)
