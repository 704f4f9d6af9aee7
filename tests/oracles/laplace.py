"""The Laplace mechanism of a query: the scale of its noise on each class of data sets, and its exact loss."""

from fractions import Fraction
from itertools import permutations

from stirred.spec.arguments import nonnegative
from stirred.spec.blocks.multiverse import Multiverse
from stirred.verify.engines.surveys.sensitivity import sensitivity


def change(first, second):
    """‖q − q'‖₁ of two numbers, or of two tuples of numbers."""
    first, second = (one if isinstance(one, tuple) else (one,) for one in (first, second))
    return sum((abs(Fraction(a) - Fraction(b)) for a, b in zip(first, second, strict=True)), Fraction(0))


def neighbor_sensitivity(query, multiverse, premetric):
    """The largest ‖q(x) − q(x')‖₁ between data sets at distance 1 that share a universe.

    With ε_D = 1 it is at most `sensitivity`; both are the same where d counts steps and each universe holds a shortest
    path between any two of its data sets.

    Source: dissertation, section 7.1 (the maximum possible change of the statistic when changing one record).
    """
    pairs = (pair for universe in multiverse for pair in permutations(universe, 2) if premetric(*pair) == 1)
    return max((change(query(x), query(y)) for x, y in pairs), default=Fraction(0))


def laplace_scales(query, blocks, budgets=None):
    """The scale b of Laplace noise by class of implicitly comparable data sets: with it T satisfies ε_D-DP, if b < ∞.

    It is Δ_q of the pairs in the class that share a universe. Definition 6.4.2 takes the universes that lie inside the
    data sets comparable to d instead: see claim `survey.laplace.theorem` for what that breaks.

    Source: dissertation, Definitions 6.4.2 and A.1.1.
    """
    found = {}
    for points in blocks.components():
        least = {}  # several universes may have one trace with different budgets
        for universe in blocks.multiverse:
            if trace := universe & points:
                budget = 1 if budgets is None else budgets[universe]
                least[trace] = min(least.get(trace, budget), budget)
        found[points] = sensitivity(query, Multiverse(least), blocks.input_premetric, least)
    return found


def laplace_distance(center, scale, other_center, other_scale):
    """D_Mult of two Laplace laws, None for ∞: ‖q − q'‖₁/b with one scale b, ∞ with two scales.

    With scale 0 a law is a point mass. It is the same for discrete Laplace noise P(k) ∝ e^(−|k|/b) on integers q, q'.

    Source: dissertation, Appendix D, proof of Theorem 6.4.3.
    """
    b, c = nonnegative("scale", scale), nonnegative("other_scale", other_scale)
    moved = change(center, other_center)
    if b != c or (moved and not b):
        return None
    return moved / b if moved else Fraction(0)
