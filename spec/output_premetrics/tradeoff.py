"""Trade-off functions: f-DP, with exact piecewise-linear curves as budgets."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NoReturn

from stirred.spec.arguments import Exact, InputError, exact
from stirred.spec.blocks.input_premetric import Distance
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics.base import Composition, Exceeding, OutputPremetric, mass

Curve = tuple[tuple[Fraction, Fraction], ...]
"""The vertices (α, power) of a concave piecewise-linear function on [0, 1], by increasing α."""


DIAGONAL: Curve = ((Fraction(0), Fraction(0)), (Fraction(1), Fraction(1)))
"""The trade-off function of two equal laws: no test beats guessing."""


def tradeoff_curve(p: Law[Any], q: Law[Any]) -> Curve:
    """Tr(P, Q): the largest power of a level-α test of P against Q, by its vertices (Neyman and Pearson).

    Outcomes are rejected in the order of falling likelihood ratio Q/P, so the curve is exact.

    Source: dissertation, Definition A.6.1 (there Tr is the power; in section 2.4.6 it is the type II error).

    >>> from stirred.spec.laws.law import point_mass
    >>> tradeoff_curve(point_mass(0), point_mass(1))
    ((Fraction(0, 1), Fraction(1, 1)), (Fraction(1, 1), Fraction(1, 1)))
    """
    free = sum((q.numeric(t) for t in q if p.numeric(t) == 0), Fraction(0))
    vertices = [(Fraction(0), free)]
    slopes: dict[Fraction, tuple[Fraction, Fraction]] = {}
    for t in p:
        ratio = q.numeric(t) / p.numeric(t)
        size, power = slopes.get(ratio, (Fraction(0), Fraction(0)))
        slopes[ratio] = size + p.numeric(t), power + q.numeric(t)
    for ratio in sorted(slopes, reverse=True):
        size, power = slopes[ratio]
        vertices.append((vertices[-1][0] + size, vertices[-1][1] + power))
    return tuple(vertices)


def approximate_curve(gamma: Exact, delta: Exact) -> Curve:
    """The trade-off function, as power, of (ln γ, δ)-DP: exact, by its vertices.

    Raises:
        InputError: γ < 1, or δ outside [0, 1).

    >>> approximate_curve(3, 0)
    ((Fraction(0, 1), Fraction(0, 1)), (Fraction(1, 4), Fraction(3, 4)), (Fraction(1, 1), Fraction(1, 1)))
    """
    factor, slack = exact("gamma", gamma), exact("delta", delta)
    if factor < 1 or not 0 <= slack < 1:
        raise InputError(f"gamma must be at least 1 and delta in [0, 1); got {factor} and {slack}")
    corner = (1 - slack) / (1 + factor)
    vertices = [(Fraction(0), slack), (corner, factor * corner + slack), (1 - slack, Fraction(1))]
    return tuple(vertices) if not slack else (*vertices, (Fraction(1), Fraction(1)))


def check_curve(name: str, vertices: object) -> Curve:
    """The vertices (level α, power f(α)) of a trade-off function: concave, from level 0 to (1, 1), with f(α) ≥ α.

    Raises:
        InputError: they are no such sequence of exact numbers.

    Source: dissertation, Definition A.6.1 (Tr as the power) and the text after it.

    >>> check_curve("curve", [(0, 0), (Fraction(1, 3), Fraction(2, 3)), (1, 1)])[1]
    (Fraction(1, 3), Fraction(2, 3))
    """
    if not isinstance(vertices, Sequence) or not all(isinstance(v, Sequence) and len(v) == 2 for v in vertices):
        raise InputError(f"{name} must be a list of [level, power]; got {vertices!r}")
    curve = tuple((exact(f"{name}: a level", level), exact(f"{name}: a power", power)) for level, power in vertices)
    if len(curve) < 2 or curve[0][0] != 0 or curve[-1] != DIAGONAL[-1]:
        raise InputError(f"{name} must begin at level 0 and end at level 1 with power 1; got {shown_curve(curve)}")
    steps = [(b - a, g - f) for (a, f), (b, g) in pairwise(curve)]
    if any(level <= 0 or power < 0 for level, power in steps) or curve[0][1] < 0:
        raise InputError(f"{name} must have rising levels and powers from 0 to 1; got {shown_curve(curve)}")
    if any(g * a > f * b for (a, f), (b, g) in pairwise(steps)):
        raise InputError(f"{name} must be concave; got {shown_curve(curve)}")
    return curve


def shown_curve(curve: Curve) -> str:
    """A curve by its vertices.

    >>> shown_curve(DIAGONAL)
    '(0, 0) (1, 1)'
    """
    return " ".join(f"({level}, {power})" for level, power in curve)


@dataclass(frozen=True)
class Tradeoff(OutputPremetric):
    """Tr(P, Q) as a multidimensional premetric: f-DP. Its "distances" are exact piecewise-linear curves."""

    name = "tradeoff"
    aliases = ("f_dp",)
    caveat = "the bound is on tests: at small levels it may allow what D_Mult rules out"
    is_symmetric = False
    has_triangle_inequality = False
    is_immune_to_post_processing = True
    is_infinite_at_total_variation_one = False
    has_largest_budget = False
    budgets = ("curve",)
    distances = (0, 1, None)
    composition = Composition.JOINT_CURVE_ONLY

    def distance(self, p: Law[Any], q: Law[Any]) -> Curve:
        """The trade-off curve by its vertices."""
        return tradeoff_curve(p, q)

    def bound(self, budget: Curve | None, distance: Distance) -> Curve | None:
        """The budget's curve at distance 1, the diagonal at 0; at distance ∞, or for the budget ∞, no bound.

        Raises:
            InputError: the distance is neither 0, 1 nor ∞: a curve has no other multiples.
        """
        if budget is None or distance is None:
            return None
        if distance not in (0, 1):
            raise InputError(f"a trade-off budget applies at distance 0, 1 or infinity only; got distance {distance}")
        return budget if distance else DIAGONAL

    def smallest_budget(self, value: Curve, distance: Distance) -> Curve | None:
        """The curve itself at distance 1; the diagonal at distance ∞, or for equal laws; else ∞ at distance 0."""
        if distance is None or value == DIAGONAL:
            return DIAGONAL
        return value if self.bound(value, distance) == value else None

    def at_most(self, value: Curve | None, bound: Curve | None) -> bool:
        """Whether one curve is nowhere above the other, compared exactly at the vertices of both."""
        if bound is None or value is None:
            return bound is None
        levels = sorted({a for a, _ in (*value, *bound)})
        return all(self.at(value, level) <= self.at(bound, level) for level in levels)

    @property
    def zero(self) -> Curve:
        return DIAGONAL

    @property
    def no_bound(self) -> None:
        """No curve bounds every pair."""
        return None

    def add(self, *_: Any) -> NoReturn:
        """Curves have no sums.

        Raises:
            InputError: always.
        """
        raise InputError(f"output_premetric must have bounds that add as exact numbers; got {self.name!r}")

    def attaining_event(self, *_: Law[Any]) -> tuple[()]:
        """None: each level has an event of its own."""
        return ()

    def event_form(self, *_: Any) -> None:
        """None: no one γ decides."""

    @property
    def largest(self) -> Curve:
        """The power is 1 at every level."""
        return ((Fraction(0), Fraction(1)), (Fraction(1), Fraction(1)))

    def exceeding_event(self, p: Law[Any], q: Law[Any], bound: Curve | None) -> Exceeding | None:
        """An event E with Q(E) > f(P(E)) for the bound f; since f is concave, one is at a vertex of Tr(P, Q)."""
        if bound is None:
            return None
        for level, power in self.distance(p, q):
            allowed = self.at(bound, level)
            if power <= allowed:
                continue
            ratios = sorted({q.numeric(t) / p.numeric(t) for t in p})
            for least in reversed([*ratios, None]):
                event = tuple(
                    t for t in {**p, **q} if not p[t] or (least is not None and q.numeric(t) >= least * p.numeric(t))
                )
                if (mass(p, event), mass(q, event)) == (level, power):
                    return Exceeding(event, is_swapped=True, delta=allowed - level)
        return None

    @staticmethod
    def at(curve: Curve, alpha: Exact) -> Fraction:
        """The power at a level, exact."""
        level = exact("alpha", alpha)
        for (a, f), (b, g) in pairwise(curve):
            if a <= level <= b:
                return f if a == b else f + (g - f) * (level - a) / (b - a)
        raise InputError(f"alpha must be between 0 and 1; got {alpha!r}")
