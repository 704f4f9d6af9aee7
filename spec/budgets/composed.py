"""ComposedBudgets of k budgets (ε_l, δ_l) at a total δ: the exact optimum, and two formulas of the literature.

Every (ε, δ)-DP pair of laws is a post-processed pair of one form (Kairouz, Oh and Viswanath 2017): with probability δ
the outcome tells all, else two outcomes have the odds e^ε and e^−ε. So k of them need what the product of these pairs
needs. The mechanisms may be chosen adaptively; only for `adaptive` may their budgets be, too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import comb, gcd, lcm, prod

import flint

from stirred.spec.arguments import Exact, InputError, nonnegative, open_probability, probability
from stirred.spec.budgets.accounts import Measure, Reach, Release, listed
from stirred.spec.budgets.zcdp import zcdp_to_approximate
from stirred.spec.numbers.ball import Ball, ball_of
from stirred.spec.numbers.enclosure import Enclosure, enclose

_MOST_SUMS = 20_000


@dataclass(frozen=True)
class ComposedBudgets:
    """Budgets that are spent on the same data, each with randomness of its own.

    Attributes:
        budgets: (ε, δ) of each, ε ≥ 0 and 0 ≤ δ < 1, in any order.
    """

    budgets: Sequence[tuple[Fraction, Fraction]]

    def __post_init__(self) -> None:
        if not self.budgets:
            raise InputError("budgets must have at least one (epsilon, delta); got none")
        for epsilon, delta in self.budgets:
            nonnegative("epsilon", epsilon)
            if probability("delta", delta) == 1:
                raise InputError("delta must be below 1; got 1")

    def optimal_delta(self, epsilon: Exact) -> Enclosure:
        """The smallest δ at ε that all of these budgets imply.

        δ = 1 − Π(1 − δ_l)·(1 − H(ε)), H(ε) = Σ_S [e^{ε(S)} − e^ε·e^{ε(rest)}]₊ / Π(1 + e^{ε_l}) over all sets S.

        Source: Kairouz, Oh and Viswanath (2017), Theorem 3.3, for equal ones; Murtagh and Vadhan (2018), Theorem 1.5.

        >>> ComposedBudgets([(Fraction(1), Fraction(0))] * 4).optimal_delta(2).text(6)
        '0.246977'
        """
        at = nonnegative("epsilon", epsilon)
        more = [one for one in self._sums if one[0] * self._unit > at]
        kept = prod((1 - delta for _, delta in self.budgets), start=Fraction(1))
        return enclose(lambda: 1 - ball_of(kept) * (1 - self._excess(more, ball_of(at).exp())))

    def optimal(self, delta: Exact) -> Enclosure:
        """The smallest ε at a total δ that all of these budgets imply, by `optimal_delta`.

        Raises:
            InputError: if no ε has so small a δ, or there are too many different sums of ε.

        >>> ComposedBudgets([(Fraction(1, 10), Fraction(0))] * 100).optimal(Fraction(1, 10**6)).text(6)
        '4.77457'
        """
        spare = self._spare(delta)
        if spare == 0 or not self._sums:
            return Enclosure(self._total, self._total) if spare == 0 else Enclosure(Fraction(0), Fraction(0))
        return enclose(lambda: self._least(ball_of(spare)))

    def advanced(self, delta: Exact) -> Enclosure:
        """The ε at a total δ by the formulas of Kairouz, Oh and Viswanath (2017), Theorem 3.5: the least of three.

        >>> ComposedBudgets([(Fraction(1, 10), Fraction(0))] * 100).advanced(Fraction(1, 10**6)).text(6)
        '5.75611'
        """
        spare = self._spare(delta)
        if spare == 0:
            return Enclosure(self._total, self._total)
        squares = sum((epsilon**2 for epsilon, _ in self.budgets), Fraction(0))

        def formula() -> Ball:
            mean = sum((ball_of(epsilon) * (ball_of(epsilon) / 2).tanh() for epsilon, _ in self.budgets), flint.arb(0))
            most = ball_of(squares)
            logs = ((1 / ball_of(spare)).log(), (flint.arb(1).exp() + most.sqrt() / ball_of(spare)).log())
            spread = [(2 * most * log).sqrt() for log in logs]
            return ball_of(self._total).min(mean + spread[0].min(spread[1]))

        return enclose(formula)

    def adaptive(self, delta: Exact) -> Enclosure:
        """The ε at a total δ where each budget may be chosen by what was released: ½Σε² + √(2·Σε²·ln(1/(δ − Σδ_l))).

        Or Σε where that is less. It holds for a run with a total that is fixed beforehand, and that stops before it
        would exceed it.

        Source: Whitehouse, Ramdas, Rogers and Wu (2023), the filter of (ε, δ)-DP; filters are of Rogers, Roth, Ullman
        and Vadhan (2016).

        >>> ComposedBudgets([(Fraction(1, 10), Fraction(0))] * 100).adaptive(Fraction(1, 10**6)).text(6)
        '5.75652'
        """
        spare = open_probability("delta", delta) - sum((slack for _, slack in self.budgets), Fraction(0))
        if spare < 0:
            raise InputError(f"delta must be at least the sum of the deltas of the parts; got {delta}")
        whole = Enclosure(self._total, self._total)
        if spare == 0:
            return whole
        squares = sum((epsilon**2 for epsilon, _ in self.budgets), Fraction(0))
        return min(zcdp_to_approximate(squares / 2, spare), whole, key=lambda one: one.upper)

    @cached_property
    def _total(self) -> Fraction:
        return sum((epsilon for epsilon, _ in self.budgets), Fraction(0))

    @cached_property
    def _unit(self) -> Fraction:
        """The largest number of which every ε is a whole multiple."""
        some = [epsilon for epsilon, _ in self.budgets if epsilon]
        return Fraction(gcd(*(one.numerator for one in some)), lcm(*(one.denominator for one in some)))

    @cached_property
    def _sums(self) -> Sequence[tuple[int, int, int, int]]:
        """Of the sets S with ε(S) above ε(rest), from the largest difference: it, both in units, and how many sets."""
        if not self._total:
            return ()
        sums = {0: 1}
        epsilons = [epsilon for epsilon, _ in self.budgets if epsilon]
        for epsilon in dict.fromkeys(epsilons):
            number, size = epsilons.count(epsilon), int(epsilon / self._unit)
            if len(sums) * (number + 1) > _MOST_SUMS * 50:
                raise _too_many()
            sums = _product(sums, {size * taken: comb(number, taken) for taken in range(number + 1)})
            if len(sums) > _MOST_SUMS:
                raise _too_many()
        whole = int(self._total / self._unit)
        return [(2 * one - whole, one, whole - one, sums[one]) for one in sorted(sums, reverse=True) if 2 * one > whole]

    def _spare(self, delta: Exact) -> Fraction:
        """The δ̃ with 1 − (1 − δ̃)·Π(1 − δ_l) = δ."""
        total = open_probability("delta", delta)
        spare = 1 - (1 - total) / prod((1 - slack for _, slack in self.budgets), start=Fraction(1))
        if spare < 0:
            raise InputError(f"delta must be at least 1 - (1 - delta_1)...(1 - delta_k) of the parts; got {delta}")
        return spare

    def _all(self) -> Ball:
        return prod((1 + ball_of(epsilon).exp() for epsilon, _ in self.budgets if epsilon), start=flint.arb(1))

    def _excess(self, sums: Sequence[tuple[int, int, int, int]], gamma: Ball) -> Ball:
        """H: what the sets S have above γ times the rest's."""
        unit = ball_of(self._unit).exp() if sums else flint.arb(1)
        return sum((n * (unit**one - gamma * unit**rest) for _, one, rest, n in sums), flint.arb(0)) / self._all()

    def _least(self, spare: Ball) -> Ball:
        """The ε at which H is `spare`, on the piece where it is; not finite where the balls are too wide to say which.

        H is Σ_S over those with a difference above ε. At the differences of sums H is never a rational above 0: by
        Lindemann and Weierstrass the powers of e that it has are independent. So a narrower ball decides.
        """
        unit, whole = ball_of(self._unit).exp(), self._all()
        above, below = flint.arb(0), flint.arb(0)
        ends = [*(difference for difference, *_ in self._sums[1:]), 0]
        for (_, one, rest, number), end in zip(self._sums, ends, strict=True):
            above, below = above + number * unit**one, below + number * unit**rest
            excess = (above - unit**end * below) / whole
            if excess > spare:
                return ((above - spare * whole) / below).log()
            if not excess < spare:
                return flint.arb("nan")
        return flint.arb(0)


def _product(one: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for first, number in one.items():
        for second, more in other.items():
            found[first + second] = found.get(first + second, 0) + number * more
    return found


def _too_many() -> InputError:
    return InputError(f"the budgets must have at most {_MOST_SUMS} different sums of epsilon; use another rule")


RULES: Mapping[str, tuple[Callable[[ComposedBudgets, Exact], Enclosure], str]] = {
    "optimal": (ComposedBudgets.optimal, "that the budgets of the parts were fixed before the first release"),
    "advanced": (ComposedBudgets.advanced, "that the budgets of the parts were fixed before the first release"),
    "adaptive": (
        ComposedBudgets.adaptive,
        "that the total was fixed before the first release, and that a part that exceeds it would not be released",
    ),
}
"""By the name of a rule, the smallest ε at a total δ, and what the rule takes for granted."""


def compose_at(name: str, rule: str, delta: Exact, *parts: Release) -> Release:
    """All parts together as (ε, δ) at a total δ, by one of the `RULES`, for neighbours.

    Raises:
        InputError: if the parts are not of one flavor of pure or approximate DP or share a sample, or δ is below what
            they come to.
    """
    if not parts:
        raise InputError("parts must have at least one release; got none")
    flavor = replace(parts[0].flavor, measure=Measure.APPROXIMATE)
    for part in parts:
        if part.flavor.measure is Measure.ZERO_CONCENTRATED:
            raise InputError(f"{part.name!r} is zCDP, and rho^2 adds up: use no rule and convert the sum")
        if part.sampled is not None:
            raise InputError(f"a rule needs releases of the same data; {part.name!r} is of a sample")
        if differences := replace(part.flavor, measure=flavor.measure).differences(flavor):
            raise InputError(f"parts must have one flavor; {part.name!r} differs in {'; '.join(differences)}")
    compute, condition = RULES[rule]
    ends = (
        ComposedBudgets([one for part in parts for one in [(getattr(part.budget, end), part.delta)] * part.times])
        for end in ("lower", "upper")
    )
    lower, upper = (compute(together, delta) for together in ends)
    steps = tuple(f"{part.name}: {step}" for part in parts for step in part.steps)
    conditions = (condition, *(one for part in parts for one in part.conditions))
    return Release(
        name,
        flavor,
        Enclosure(lower.lower, upper.upper),
        Fraction(delta),
        Reach.NEIGHBORS,
        (*steps, f"composed by the rule {rule!r} for neighbours: {', '.join(map(listed, parts))}"),
        tuple(dict.fromkeys(conditions)),
    )
