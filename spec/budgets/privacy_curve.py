"""The privacy curve ε ↦ δ(ε) of finite laws: the smallest δ at every ε, exact and piecewise linear in γ = e^ε.

E_γ(P‖Q) = max (power − γ·level) over the vertices of the trade-off function Tr(Q, P). So a set of vertices, of one pair
of laws or of many, is a curve, and its concave hull the same curve. Beyond the last likelihood ratio δ is constant.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm

from stirred.spec.arguments import Exact, likelihood_ratio, nonnegative
from stirred.spec.numbers.enclosure import Enclosure, exponential
from stirred.spec.numbers.polynomial_text import latex_cases, latex_fraction
from stirred.spec.shown_table import ShownFormula


@dataclass(frozen=True)
class DeltaPiece:
    """δ = power − γ·level for low ≤ γ ≤ high.

    Attributes:
        low: at least 1.
        high: above low; None for ∞.
        level: at least 0; 0 on the last piece.
        power: δ + γ·level.
    """

    low: Fraction
    high: Fraction | None
    level: Fraction
    power: Fraction

    def text(self, gamma: str = "e^epsilon") -> str:
        """The piece as a person reads it.

        >>> DeltaPiece(Fraction(1), Fraction(3), Fraction(1, 4), Fraction(3, 4)).text()
        'delta = (3 - e^epsilon)/4 for 1 <= e^epsilon <= 3'
        """
        return f"delta = {self.formula(gamma)} for {self.interval(gamma)}"

    def interval(self, gamma: str = "e^epsilon") -> str:
        """Where the piece holds."""
        return f"{gamma} >= {self.low}" if self.high is None else f"{self.low} <= {gamma} <= {self.high}"

    def formula(self, gamma: str = "e^epsilon") -> str:
        """δ on the piece, over one denominator.

        >>> DeltaPiece(Fraction(1), None, Fraction(2), Fraction(3)).formula("g")
        '3 - 2*g'
        """
        if not self.level:
            return str(self.power)
        above, factor, scale = self._integers()
        difference = f"{above} - {'' if factor == 1 else f'{factor}*'}{gamma}"
        return difference if scale == 1 else f"({difference})/{scale}"

    def to_latex(self, gamma: str = r"e^{\varepsilon}") -> str:
        r"""δ on the piece, as LaTeX.

        >>> DeltaPiece(Fraction(1), Fraction(3), Fraction(1, 4), Fraction(3, 4)).to_latex("g")
        '\\frac{3 - g}{4}'
        """
        if not self.level:
            return latex_fraction(self.power)
        above, factor, scale = self._integers()
        difference = f"{above} - {'' if factor == 1 else f'{factor} '}{gamma}"
        return latex_fraction(difference, scale)

    def latex_interval(self, gamma: str = r"e^{\varepsilon}") -> str:
        """Where the piece holds, as LaTeX."""
        if self.high is None:
            return rf"{gamma} \ge {latex_fraction(self.low)}"
        return rf"{latex_fraction(self.low)} \le {gamma} \le {latex_fraction(self.high)}"

    def _integers(self) -> tuple[int, int, int]:
        """(a, f, s) with δ = (a − f·γ)/s."""
        scale = lcm(self.power.denominator, self.level.denominator)
        return int(self.power * scale), int(self.level * scale), scale


@dataclass(frozen=True)
class PrivacyCurve(ShownFormula):
    """δ(γ) = max (power − γ·level) over vertices (level, power), for γ = e^ε ≥ 1.

    Attributes:
        vertices: by rising level, on a concave curve with slopes of at least 1; the first has level 0.

    >>> curve = PrivacyCurve.of([(Fraction(1, 4), Fraction(3, 4)), (Fraction(1), Fraction(1))])
    >>> curve.delta(2), curve.delta(3)
    (Fraction(1, 4), Fraction(0, 1))
    """

    vertices: tuple[tuple[Fraction, Fraction], ...]

    @staticmethod
    def of(points: Iterable[tuple[Fraction, Fraction]]) -> PrivacyCurve:
        """The curve of some vertices of trade-off functions; (0, 0), which every one has or is above, is added."""
        hull: list[tuple[Fraction, Fraction]] = []
        highest: dict[Fraction, Fraction] = {Fraction(0): Fraction(0)}
        for level, power in points:
            highest[level] = max(highest.get(level, Fraction(0)), power)
        for point in sorted(highest.items()):
            while len(hull) > 1 and _bends(hull, point):
                hull.pop()
            hull.append(point)
        steep = [(b, g) for (a, f), (b, g) in pairwise(hull) if g - f > b - a]  # where gamma is 1 or more
        return PrivacyCurve((hull[0], *steep))

    def pieces(self) -> tuple[DeltaPiece, ...]:
        """The pieces by rising γ, from 1 to ∞."""
        slopes = [(g - f) / (b - a) for (a, f), (b, g) in pairwise(self.vertices)]
        highs, lows = (None, *slopes), (*slopes, Fraction(1))
        found = [DeltaPiece(low, high, *vertex) for vertex, low, high in zip(self.vertices, lows, highs, strict=True)]
        return tuple(reversed(found))

    def to_latex(self) -> str:
        r"""The curve as LaTeX, with γ = e^ε for the reader to put in.

        >>> PrivacyCurve(((Fraction(0), Fraction(1, 2)),)).to_latex()
        '\\delta(\\gamma) = \\begin{cases} \\frac{1}{2} & \\gamma \\ge 1 \\end{cases}'
        """
        gamma = r"\gamma"
        rows = [f"{piece.to_latex(gamma)} & {piece.latex_interval(gamma)}" for piece in self.pieces()]
        return rf"\delta(\gamma) = {latex_cases(rows)}"

    def delta(self, gamma: Exact) -> Fraction:
        """The smallest δ at γ = e^ε ≥ 1, exact."""
        factor = likelihood_ratio("gamma", gamma)
        return max(power - factor * level for level, power in self.vertices)

    def delta_at(self, epsilon: Exact, *, digits: int = 20) -> Enclosure:
        """The smallest δ at ε ≥ 0, as an enclosure."""
        budget = nonnegative("epsilon", epsilon)
        return self.delta_between(exponential(budget, digits=digits))

    def delta_between(self, gamma: Enclosure) -> Enclosure:
        """The smallest δ at a γ ≥ 1 that is enclosed: δ falls as γ rises."""
        ends = (max(end, Fraction(1)) for end in (gamma.upper, gamma.lower))
        return Enclosure(*map(self.delta, ends))


def _bends(hull: list[tuple[Fraction, Fraction]], point: tuple[Fraction, Fraction]) -> bool:
    """Whether the last vertex lies on or below the line from the one before it to the new one."""
    (a, f), (b, g) = hull[-2:]
    return (g - f) * (point[0] - a) <= (point[1] - f) * (b - a)
