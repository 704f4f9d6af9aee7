"""The largest posterior probability of an event under a budget, as a linear program with its dual: exact.

After an outcome t only the numbers a_x = P_x(t), up to a common factor, matter: they satisfy a_x ≤ γ^d(x, y) a_y, and
any such numbers are those of some mechanism, scaled down so far that a second outcome takes the rest. The posterior of
an event E is Σ_E π_x a_x where Σ π_x a_x = 1; with at most 1 in its place the maximum is the same.
"""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from stirred.spec.arguments import InputError
from stirred.verify.engines.algebra.linear_program import maximum


def largest_posterior(
    prior: Sequence[Fraction], event: Collection[int], factors: Mapping[tuple[int, int], Fraction]
) -> Fraction:
    """The largest posterior probability of an event, over all mechanisms of a budget and all outcomes.

    Args:
        prior: the probability of each data set, all positive and with sum 1.
        event: the places of the data sets in which it is true.
        factors: γ^d(x, y) for ordered pairs of places; pairs that others imply may be left out.

    Raises:
        InputError: the prior is no such law.
        EngineError: the certificate of the program does not check.

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
