"""What a budget allows between beliefs, and the most that one can believe of an event: exact, as linear programs.

What is released under a belief u is the mixture Σ_x u(x) P_x, and a test of it rejects with probability u·m = Σ_x u(x)
m_x, where m_x ∈ [0, 1] is the probability under P_x. Any such m is a mechanism with two outputs. It meets the budget if
and only if u·m ≤ γ v·m and 1 − v·m ≤ γ (1 − u·m) for every step from u to v, in both directions (both outputs, both
orders; a budget for each step is one for each distance, by group privacy). So the largest power v·m of a test of level
u·m ≤ α is the maximum of a linear program, and attained. For the odds of two beliefs after an output only the numbers
P_x(t) matter, up to a common factor that leaves room for a second output: the program without the second inequality.

Of the posterior of an event under a budget, too, only the numbers a_x = P_x(t) matter, up to a common factor: they
satisfy a_x ≤ γ^d(x, y) a_y, and any such numbers are those of some mechanism, scaled down so far that a second outcome
takes the rest. The posterior of E is Σ_E π_x a_x where Σ π_x a_x = 1; with at most 1 in its place the maximum is the
same.

Source: dissertation, Theorems 5.8.1, 5.8.4 and 5.8.6, which bound the same from the distance alone.
"""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import Exact, InputError, exact, probability, shown
from stirred.spec.laws.law import Law
from stirred.verify.engines.algebra.linear_program import maximum


def largest_posterior(
    prior: Sequence[Fraction], event: Collection[int], factors: Mapping[tuple[int, int], Fraction]
) -> Fraction:
    """The largest posterior probability of an event, over all mechanisms of a budget and all outcomes.

    Args:
        prior: the probability of each data set, all positive and with sum 1.
        event: the places of the data sets in which it is true.
        factors: γ^d(x, y) for ordered pairs of places; pairs that others imply may be left out.

    >>> largest_posterior([Fraction(1, 2)] * 2, {1}, {(0, 1): Fraction(3), (1, 0): Fraction(3)})
    Fraction(3, 4)
    """
    if not all(share > 0 for share in prior) or sum(prior) != 1:
        raise InputError(f"prior must be positive and sum to exactly 1; got {sum(prior)}")
    wanted = [share if x in event else Fraction(0) for x, share in enumerate(prior)]
    rows = [_difference(len(prior), x, y, factor) for (x, y), factor in factors.items()]
    return maximum([*rows, prior], [*(Fraction(0) for _ in rows), Fraction(1)], wanted).value


def _difference(count: int, x: int, y: int, factor: Fraction) -> list[Fraction]:
    """a_x − factor·a_y as a row."""
    row = [Fraction(0)] * count
    row[x], row[y] = Fraction(1), -factor
    return row


Row = list[Fraction]


class BeliefLimits:
    """Beliefs under a budget for each step between two of them.

    Args:
        beliefs: the laws of the data set, by place.
        steps: the ordered pairs of places at distance 1, with every pair its reverse.
        gamma: e^ε, at least 1.
    """

    def __init__(self, beliefs: Sequence[Law[Any]], steps: Sequence[tuple[int, int]], gamma: Exact) -> None:
        self._gamma, self._steps = exact("gamma", gamma), steps
        if self._gamma < 1:
            raise InputError(f"gamma must be at least 1; got {shown(gamma)}")
        points = list(dict.fromkeys(x for belief in beliefs for x in belief))
        self._rows = [[belief.numeric(x) for x in points] for belief in beliefs]

    def power(self, first: int, second: int, alpha: Exact) -> Fraction:
        """The largest power against the second belief of a level-α test of the first, over all mechanisms: attained."""
        level = probability("alpha", alpha)
        room = self._gamma - 1
        # 1 - v·m <= gamma (1 - u·m) is gamma u·m - v·m <= gamma - 1
        complements = [self._difference(v, u) for u, v in self._steps]
        units = [[Fraction(x == y) for y in range(len(self._rows[0]))] for x in range(len(self._rows[0]))]
        rows = [*self._bounded, *([-entry for entry in row] for row in complements), *units, self._rows[first]]
        bounds = [*(Fraction(0) for _ in self._steps), *(room for _ in complements), *(Fraction(1) for _ in units)]
        return maximum(rows, [*bounds, level], self._rows[second]).value

    def ratio(self, first: int, second: int) -> Fraction:
        """The largest ratio of the probabilities of an output under two beliefs, the second to the first: attained.

        The two must be joined by steps.
        """
        rows = [*self._bounded, self._rows[first]]
        return maximum(rows, [*(Fraction(0) for _ in self._steps), Fraction(1)], self._rows[second]).value

    @property
    def _bounded(self) -> list[Row]:
        """u·m − γ v·m for each step."""
        return [self._difference(u, v) for u, v in self._steps]

    def _difference(self, u: int, v: int) -> Row:
        return [a - self._gamma * b for a, b in zip(self._rows[u], self._rows[v], strict=True)]
