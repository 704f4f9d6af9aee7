"""Laws whose probabilities are quotients of sums of powers of e: what events show of them, decided exactly.

Such a law is a mapping to rational functions of x = e^−q, a transcendental number (Lindemann), so that equality is one
of functions. Beside each stands a rational law (`verify.engines.nearby_law`), which settles all that is not a tie:
E_γ(P‖Q) = Σ_S P − γ·Q over S = {P > γ·Q} is compared with δ exactly where the rational laws come too near to it. For a
factor γ = e^r or γ = g^(1/k), with r and g rational, both are signs of sums Σ c·e^r, which are 0 only if all c are.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.blocks.specification import Flavor
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law, Probability
from stirred.spec.numbers.enclosure import Enclosure, exponential
from stirred.spec.numbers.factored_quotient import reduced_power
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient, Terms, sign_of_sum, times
from stirred.spec.numbers.reals.real import UndecidedOrderError
from stirred.verify.engines.nearby_law import LOG_ERROR

_HIGHEST_ROOT = 64
_DIGITS = 90
_BESIDE = 1 + 8 * LOG_ERROR


@dataclass(frozen=True)
class Factor:
    """γ ≥ 1 as γ^root = base·e^exponent."""

    base: Fraction
    exponent: Fraction
    root: int

    @staticmethod
    def of(budget: Loss | Fraction, distance: Fraction) -> "Factor":
        """e^(ε·d), for a finite loss or a number ε.

        Raises:
            UndecidedOrderError: the root of a rational that it is, is of too high a degree.
        """
        if not isinstance(budget, Loss):
            return Factor(Fraction(1), budget * distance, 1)
        loss = budget.times(distance)
        base, root = reduced_power(loss.gamma or Fraction(1), loss.distance)
        if not isinstance(root, int) and root.denominator != 1:
            raise UndecidedOrderError(f"a factor {loss} is not written out")
        if root > _HIGHEST_ROOT:
            raise UndecidedOrderError(f"a factor {loss} is a root of a high degree")
        return Factor(base, Fraction(0), int(root))

    def ends(self) -> Enclosure:
        """Rationals below and above it."""
        if not self.exponent:
            found = Loss(self.base, self.root).ratio(_DIGITS)
            if found is None:
                raise UndecidedOrderError("a factor is above 2^65536")
            return found
        return exponential(self.exponent, digits=_DIGITS)

    def order(self, first: Probability, second: Probability, step: Fraction) -> int:
        """The sign of first − γ·second, of functions of e^−step, the second not negative."""
        one, other = (
            RationalFunction.constant(part) if isinstance(part, Fraction) else part for part in (first, second)
        )
        is_above = sign_at_power(one, step)
        if is_above <= 0 or not other:
            return is_above if not other else -1
        (a, b), (c, d) = (_parts(part**self.root, step) for part in (one, other))
        left, right = times(a, d), times(times(c, b), {self.exponent: self.base})
        return sign_of_sum({r: left.get(r, 0) - right.get(r, 0) for r in {*left, *right}}) * _signs(b, d)


@dataclass(frozen=True)
class ExponentialLaws:
    """The laws of all data sets.

    Attributes:
        exact: rational functions of e^−step.
        standing: the rational laws that stand for them.
    """

    exact: Mapping[Any, Law[Any]]
    step: Fraction
    standing: Mapping[Any, Law[Any]]

    def mass(self, x: Any, event: Sequence[Hashable]) -> ExponentialQuotient:
        """P_x(E), exact."""
        return _number(sum((self.exact[x][t] for t in event), Fraction(0)), self.step)

    def is_above(self, x: Any, y: Any, factor: Factor, delta: Fraction) -> bool:
        """Whether E_γ(P_x‖P_y) > δ."""
        ends = factor.ends()
        first, second = self.standing[x], self.standing[y]
        event: list[Hashable] = []
        low = high = Fraction(0)  # of Σ P − γ·Q over the event
        for t in first:
            p, q = first.numeric(t), second.numeric(t)
            least, most = p / _BESIDE - ends.upper * q * _BESIDE, p * _BESIDE - ends.lower * q / _BESIDE
            if least <= 0 < most and factor.order(self.exact[x][t], self.exact[y][t], self.step) <= 0:
                continue
            if most > 0:
                event.append(t)
                low, high = low + least, high + most
        if low > delta or high <= delta:
            return low > delta
        first_sum, second_sum = (sum((law[t] for t in event), Fraction(0)) for law in (self.exact[x], self.exact[y]))
        return factor.order(first_sum - delta, second_sum, self.step) > 0

    def exceeding(self, flavor: Flavor, budget: Loss | Fraction | None, delta: Fraction) -> tuple[Any, Any] | None:
        """A pair with E_γ(P‖Q) > δ at γ = e^(ε·d), or > δ·d at γ = 1 without a budget; None where there is none.

        Raises:
            UndecidedOrderError: the budget is a root of too high a degree.
        """
        factors: dict[Fraction, Factor] = {}
        seen: set[Any] = set()
        for x, y, d in _pairs(flavor):
            key = id(self.standing[x]), id(self.standing[y]), d
            if key in seen or self.standing[x] == self.standing[y]:
                continue
            seen.add(key)
            if d not in factors:
                factors[d] = Factor.of(Fraction(0) if budget is None else budget, d)
            if self.is_above(x, y, factors[d], delta * d if budget is None else delta):
                return x, y
        return None


def _pairs(flavor: Flavor) -> Iterator[tuple[Any, Any, Fraction]]:
    """The pairs at a finite distance, each in both directions at the smaller of their two distances."""
    for universe in flavor.multiverse:
        points = flavor.domain.ordered(universe)
        for x in points:
            for y in points:
                if x != y and (
                    both := [d for d in (flavor.input_premetric(x, y), flavor.input_premetric(y, x)) if d is not None]
                ):
                    yield x, y, Fraction(min(both))


def sign_at_power(function: RationalFunction, step: Fraction) -> int:
    """The sign of a function at e^−step."""
    above, below = _parts(function, step)
    return sign_of_sum(above) * sign_of_sum(below)


def _signs(*sums: Terms) -> int:
    product = 1
    for one in sums:
        product *= sign_of_sum(one)
    return product


def _parts(function: RationalFunction, step: Fraction) -> tuple[Terms, Terms]:
    """The numerator and the denominator at e^−step as sums of powers of e."""
    first, second = ({-step * k: Fraction(c) for k, c in enumerate(part) if c} for part in function.integer_parts())
    return first, second


def _number(value: Probability, step: Fraction) -> ExponentialQuotient:
    if isinstance(value, Fraction):
        return ExponentialQuotient({Fraction(0): value})
    return ExponentialQuotient(*_parts(value, step))
