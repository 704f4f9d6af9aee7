"""What one budget gives under other output premetrics, each with the rule by which it does."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import flint

from stirred.spec.arguments import Exact, InputError, nonnegative, open_probability, probability, renyi_order
from stirred.spec.budgets.gaussian_budget import (
    gaussian_delta,
    gaussian_power,
    gaussian_to_approximate,
    gaussian_to_zcdp,
)
from stirred.spec.budgets.loss import Loss
from stirred.spec.budgets.renyi_budget import pure_to_renyi, renyi_to_approximate, zcdp_to_renyi
from stirred.spec.budgets.zcdp import (
    pure_epsilon,
    pure_to_zcdp,
    smallest_pure_to_zcdp,
    smallest_zcdp_to_approximate,
    zcdp_to_approximate,
)
from stirred.spec.numbers.ball import Ball, ball_of
from stirred.spec.numbers.enclosure import Enclosure, enclose
from stirred.spec.shown_table import ShownTable, TableRow


@dataclass(frozen=True, repr=False)
class Converted:
    """A budget that follows from another one.

    Attributes:
        name: whose number it is: "rho", "epsilon", "delta", "mu", or "power".
        value: the number; both ends are equal where it is exact.
        where: at which δ, order, ε or level; empty for none.
        rule: why it holds.
    """

    name: str
    value: Enclosure
    where: str
    rule: str

    def __repr__(self) -> str:
        return f"<Converted {self}>"

    def __str__(self) -> str:
        """The budget with the sign that says whether it is rounded.

        >>> print(Converted("rho", Enclosure(Fraction(1, 8), Fraction(1, 8)), "", "mu^2/2"))
        rho = 0.125 by mu^2/2
        """
        return f"{self.name} {self.value.relation(10)}{self.where and f' at {self.where}'} by {self.rule}"


class Conversions(ShownTable, tuple[Converted, ...]):
    """What a budget gives, a row for each rule: a tuple, with ways to show it."""

    __slots__ = ()

    _title = "conversions"

    def _rows(self) -> list[TableRow]:
        rows = []
        for one in self:
            ends = one.value
            is_exact = ends.lower == ends.upper
            exact = f"exactly {ends.lower}" if is_exact else f"enclosed: at least {ends.lower}, at most {ends.upper}"
            name = f"{one.name} at {one.where}" if one.where else one.name
            value = ends.relation().removeprefix("= ")
            rows.append(TableRow(name, value, f"by {one.rule}", exact="" if value == str(ends.lower) else exact))
        return rows


@dataclass(frozen=True)
class Target:
    """Where budgets are asked for; None for what is not asked.

    Attributes:
        delta: δ in (0, 1).
        order: α > 1.
        epsilon: ε ≥ 0, for δ.
        level: α in (0, 1) of a test, for its power.
    """

    delta: Exact | None = None
    order: Exact | None = None
    epsilon: Exact | None = None
    level: Exact | None = None


def _exactly(number: Fraction) -> Enclosure:
    return Enclosure(number, number)


def from_zcdp(rho: Exact, at: Target) -> Iterator[Converted]:
    """What zCDP with ρ (the ρ² of D_NoR) gives: RDP at an order, and ε at a δ by two rules."""
    nonnegative("rho", rho)
    if at.order is not None:
        yield Converted("epsilon", _exactly(zcdp_to_renyi(rho, at.order)), _order(at.order), "alpha*rho")
    if at.delta is not None:
        where = f"delta = {open_probability('delta', at.delta)}"
        printed = "rho + 2*sqrt(rho*ln(1/delta)) (Bun and Steinke)"
        yield Converted("epsilon", zcdp_to_approximate(rho, at.delta), where, printed)
        smallest = "the smallest over all Renyi orders (Canonne, Kamath and Steinke)"
        yield Converted("epsilon", smallest_zcdp_to_approximate(rho, at.delta), where, smallest)


def from_gaussian(mu: Exact, at: Target) -> Iterator[Converted]:
    """What μ-GDP gives: zCDP, RDP at an order, ε at a δ, δ at an ε, and the power of a test."""
    rho = gaussian_to_zcdp(mu)
    yield Converted("rho", _exactly(rho), "", "mu^2/2")
    if at.order is not None:
        yield Converted("epsilon", _exactly(zcdp_to_renyi(rho, at.order)), _order(at.order), "alpha*mu^2/2")
    exactly = "delta(epsilon) of two normal laws (Dong, Roth and Su)"
    if at.delta is not None:
        where = f"delta = {open_probability('delta', at.delta)}"
        yield Converted("epsilon", gaussian_to_approximate(mu, at.delta), where, exactly)
    if at.epsilon is not None:
        yield Converted("delta", gaussian_delta(mu, at.epsilon), f"epsilon = {at.epsilon}", exactly)
    if at.level is not None:
        rule = "Phi(Phi^-1(level) + mu)"
        yield Converted("power", gaussian_power(mu, at.level), f"level = {at.level}", rule)


def from_pure(epsilon: Loss | Exact, at: Target) -> Iterator[Converted]:
    """What ε-DP gives: zCDP by two rules, RDP at an order, and the power of a test."""
    yield Converted("rho", pure_to_zcdp(epsilon), "", "epsilon^2/2 (Bun and Steinke)")
    yield Converted("rho", smallest_pure_to_zcdp(epsilon), "", "epsilon*tanh(epsilon/2), the smallest for all laws")
    if at.order is not None:
        rule = "randomized response, the smallest for all laws"
        yield Converted("epsilon", pure_to_renyi(epsilon, at.order), _order(at.order), rule)
    if at.level is not None:
        yield from_approximate(epsilon, 0, at.level)


def from_approximate(epsilon: Loss | Exact, delta: Exact, level: Exact) -> Converted:
    """What (ε, δ)-DP gives: the power of a level-α test is at most min{1, e^ε·α + δ, 1 − e^(−ε)·(1 − δ − α)}.

    Two laws within (ε, δ) attain it.

    Source: Wasserman and Zhou (2010); Dong, Roth and Su (2022), Proposition 2.5.
    """
    place, slack, exponent = probability("level", level), probability("delta", delta), pure_epsilon(epsilon)
    left = max(1 - slack - place, Fraction(0))

    def power() -> Ball:
        gamma = exponent().exp()
        bounds = (gamma * ball_of(place) + ball_of(slack), 1 - ball_of(left) / gamma)
        return flint.arb(1).min(bounds[0]).min(bounds[1])

    value = enclose(power)
    return Converted("power", value, f"level = {place}", "the most that two laws within (epsilon, delta) allow")


def from_renyi(order: Exact, epsilon: Exact, at: Target) -> Iterator[Converted]:
    """What (α, ε)-RDP gives: ε at a δ. Larger orders are not bounded, so that it gives no zCDP and no GDP budget."""
    if at.delta is None:
        raise InputError(
            "delta must be given: one Renyi order bounds no larger one, so it gives epsilon at a delta only"
        )
    where = f"delta = {open_probability('delta', at.delta)}"
    rule = "one order (Canonne, Kamath and Steinke, Proposition 12)"
    yield Converted("epsilon", renyi_to_approximate(order, epsilon, at.delta), where, rule)


def _delta(delta: Exact) -> str:
    return f"delta = {open_probability('delta', delta)}"


def _order(order: Exact) -> str:
    return f"Renyi order {renyi_order(order)}"


def conversions(
    at: Target, *, rho: Exact | None = None, mu: Exact | None = None, epsilon: Loss | Exact | None = None
) -> Conversions:
    """What one budget gives; an ε is of RDP beside an order and a δ, of (ε, δ)-DP beside a δ and a level."""
    if [rho, mu, epsilon].count(None) != 2:
        raise InputError("exactly one of rho, mu and epsilon must be given: the budget that is converted")
    if rho is not None:
        found = tuple(from_zcdp(rho, at))
    elif mu is not None:
        found = tuple(from_gaussian(mu, at))
    elif epsilon is not None and at.delta is not None:
        found = _from_epsilon(epsilon, at.delta, at)
    else:
        found = () if epsilon is None else tuple(from_pure(epsilon, at))
    if not found:
        raise InputError("delta, order or level must be given: where another budget is asked for")
    return Conversions(found)


def _from_epsilon(epsilon: Loss | Exact, delta: Exact, at: Target) -> tuple[Converted, ...]:
    if (at.level is None) == (at.order is None):
        raise InputError("order (of RDP) or level (of a test) must be given beside epsilon and delta, one of them")
    if at.level is not None:
        return (from_approximate(epsilon, delta, at.level),)
    if isinstance(epsilon, Loss) or at.order is None:
        raise InputError("epsilon must be a number beside an order; got a logarithm")
    return tuple(from_renyi(at.order, epsilon, at))
