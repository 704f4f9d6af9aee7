"""From a claim file's budget block to the budget that is claimed, in the terms of the output premetric."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from spec.arguments import nonnegative, parse_exact
from spec.loss import Loss
from spec.output_premetric import Curve, NormalizedRenyi, OutputPremetric, TotalVariation, Tradeoff, check_curve
from verify.auditing.claim_mechanism import SWAPPING, ClaimedMechanism
from verify.auditing.claim_table import Block
from verify.printed_number import Printed

__all__ = ["MAX_EPSILON", "THEOREM", "ClaimedBudget", "claimed_budget"]

THEOREM = "psa.budget.theorem"
"""The claim of the ledger that gives permutation swapping its budget."""

MAX_EPSILON = 10_000
"""The largest finite ε: beyond it e^ε is no longer a number that anything can be compared with exactly."""


@dataclass(frozen=True)
class ClaimedBudget:
    """The fifth block.

    Attributes:
        epsilons: ε as printed; several where the claim has several swap rates.
        gamma: e^ε where it is given exactly.
        is_infinite: whether the budget is ∞.
        rho_squared: ρ² as printed.
        is_formula: whether ε is claimed to be the value of the theorem's formula, not just a bound.
        converted: (ε, δ) that ρ² is claimed to convert to.
        curve: for trade-off functions, the claimed one: the largest power at each level.
    """

    epsilons: tuple[Printed, ...] = ()
    gamma: Fraction | None = None
    is_infinite: bool = False
    rho_squared: Printed | None = None
    is_formula: bool = False
    converted: tuple[Printed, Printed] | None = None
    curve: Curve | None = None


_KINDS = ("epsilon", "gamma", "rho_squared", "curve")


def claimed_budget(
    block: Block, measure: OutputPremetric | None, mechanism: ClaimedMechanism | None
) -> ClaimedBudget | None:
    """The budget of the block; None where it is words only.

    Raises:
        InputError: the block gives no budget or two, one of another output premetric, or a malformed one.
    """
    given = [key for key in _KINDS if key in block]
    if not given:
        block.only(("description",)).text("description")
        return None
    if len(given) > 1:
        raise block.refuse(given[1], f"must not stand beside {given[0]}: give one of {', '.join(_KINDS)}")
    (kind,) = given
    for key, of in (("rho_squared", NormalizedRenyi), ("curve", Tradeoff)):
        if measure is not None and (kind == key) != isinstance(measure, of):
            raise block.refuse(kind, f"is no budget for the output premetric {measure.name!r}")
    is_formula = "by" in block and block.one_of("by", (THEOREM,)) == THEOREM
    if is_formula and (mechanism is None or mechanism.name != SWAPPING or kind != "epsilon"):
        raise block.refuse("by", f"must come with epsilon and the mechanism {SWAPPING!r}")
    if kind == "rho_squared":
        return ClaimedBudget(rho_squared=block.printed("rho_squared"), converted=_converted(block))
    if "converted" in block:
        raise block.refuse("converted", "belongs to rho_squared")
    if kind == "curve":
        return ClaimedBudget(curve=_curve(block))
    if kind == "gamma":
        return ClaimedBudget(gamma=_gamma(block, measure))
    if block.values["epsilon"] == "infinite":
        return ClaimedBudget(is_infinite=True, is_formula=is_formula)
    return ClaimedBudget(epsilons=_epsilons(block, mechanism), is_formula=is_formula)


def _gamma(block: Block, measure: OutputPremetric | None) -> Fraction:
    gamma = block.exact("gamma")
    block.within("gamma", lambda: Loss(gamma))
    if isinstance(measure, TotalVariation):
        raise block.refuse("gamma", "is no budget for the output premetric 'total_variation'; give epsilon")
    return gamma


def _curve(block: Block) -> Curve:
    rows, place = block.array("curve"), block.where("curve")
    if not all(isinstance(row, list) for row in rows):
        raise block.refuse("curve", f"must be an array of [level, power]; got {rows!r}")
    return check_curve(place, [[parse_exact(place, number) for number in row] for row in rows])


def _epsilons(block: Block, mechanism: ClaimedMechanism | None) -> tuple[Printed, ...]:
    epsilons = block.printed_list("epsilon")
    for epsilon in epsilons:
        if nonnegative(block.where("epsilon"), epsilon.value) > MAX_EPSILON:
            raise block.refuse("epsilon", f"must be at most {MAX_EPSILON}, or 'infinite'; got {epsilon.text}")
    rates = 1 if mechanism is None else max(1, len(mechanism.swap_rates))
    if len(epsilons) != rates:
        raise block.refuse("epsilon", f"must have one number for each swap rate, {rates}; got {len(epsilons)}")
    return epsilons


def _converted(block: Block) -> tuple[Printed, Printed] | None:
    if "converted" not in block:
        return None
    inner = block.table("converted").only(("epsilon", "delta"))
    delta = inner.printed("delta")
    if not 0 < delta.value < 1:
        raise inner.refuse("delta", f"must be between 0 and 1, exclusive; got {delta.text}")
    return inner.printed("epsilon"), delta
