"""The smallest δ that a mechanism needs at every ε: one privacy curve for each distance between data sets.

At distance d a claim (ε, δ) asks for E_γ ≤ δ with γ = e^(ε·d), so that pairs at different distances have curves of
their own, and the smallest δ at ε is the largest of their values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from stirred.spec.arguments import Exact
from stirred.spec.enclosure import Enclosure, exponential
from stirred.spec.loss import Loss
from stirred.spec.output_premetrics import tradeoff_curve
from stirred.spec.privacy_curve import PrivacyCurve
from stirred.spec.shown_table import TableRow, as_booktabs, as_html, as_markdown
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.delta_picture import delta_cases, draw_deltas
from stirred.verify.engines.law_pairs import MergedPair
from stirred.verify.pictures.rendering import Picture, picture_of

__all__ = ["DeltaCurves", "delta_curves", "delta_text"]

_DIGITS = 40

_LARGEST = 40_000
"""Powers e^(ε·d) of a larger exponent are not written out; e^40000 is below 2^65536."""


@dataclass(frozen=True, repr=False)
class DeltaCurves:
    """The privacy curves of all pairs, by distance.

    Attributes:
        by_distance: the largest δ of the pairs at each distance, as a function of γ = e^(ε·d).
        pairs: at each distance, the first pair of data sets with each two laws, and its own curve.
    """

    by_distance: Mapping[Fraction, PrivacyCurve]
    pairs: Mapping[Fraction, tuple[tuple[Any, Any, PrivacyCurve], ...]]

    def smallest(self, epsilon: Loss | Exact) -> tuple[Fraction | Enclosure, tuple[Any, Any] | None]:
        """The smallest δ at ε, exact where e^(ε·d) is rational at every distance, and the nearest pair that needs it.

        Args:
            epsilon: ε ≥ 0, exact, or a finite loss.
        """
        found = [(_delta(curve, epsilon, d), d) for d, curve in sorted(self.by_distance.items())]
        if not found:
            return Fraction(0), None
        exact = [value for value, _ in found if isinstance(value, Fraction)]
        if len(exact) == len(found):
            value, d = max(found, key=lambda one: (_low(one[0]), -one[1]))
            return value, self._pair(d, epsilon, _low(value))
        ends = Enclosure(max(_low(value) for value, _ in found), max(_high(value) for value, _ in found))
        d = next(d for value, d in found if _low(value) == ends.lower)
        return ends, self._pair(d, epsilon, ends.lower)

    def __repr__(self) -> str:
        return f"<DeltaCurves {'; '.join(self.lines())}>"

    def __str__(self) -> str:
        """The pieces, a line for each."""
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        return as_html("the smallest delta", self._rows())

    def _repr_markdown_(self) -> str:
        return as_markdown("the smallest delta", self._rows())

    def to_latex(self) -> str:
        """The pieces as a table for a paper, with booktabs."""
        return as_booktabs("the smallest delta", self._rows())

    def _rows(self) -> list[TableRow]:
        rows = [
            TableRow(
                piece.interval(_power(d)),
                piece.formula(_power(d)),
                latex=piece.latex(_latex_power(d)),
                latex_name=piece.latex_interval(_latex_power(d)),
            )
            for d, curve in self.by_distance.items()
            for piece in curve.pieces()
        ]
        return rows or [TableRow("e^epsilon >= 1", "0")]

    def to_sympy(self) -> Any:
        """The smallest δ as an expression of sympy in a positive symbol epsilon."""
        return delta_cases(self.by_distance)

    def plot(self) -> Picture:
        """The smallest δ at every ε.

        Raises:
            InputError: matplotlib is not installed.
        """
        return picture_of("the smallest δ", partial(draw_deltas, [("this mechanism", self.by_distance)]))

    def lines(self, *, is_latex: bool = False) -> tuple[str, ...]:
        """The pieces of the curve at each distance, in words or as LaTeX."""
        found = []
        for d, curve in self.by_distance.items():
            if is_latex:
                found.append(f"{curve.latex()} \\quad (d = {d})")
                continue
            found += [f"{piece.text(_power(d))}{'' if d == 1 else f' (d = {d})'}" for piece in curve.pieces()]
        return tuple(found) or ("delta = 0 for e^epsilon >= 1",)

    def _pair(self, d: Fraction, epsilon: Loss | Exact, least: Fraction) -> tuple[Any, Any] | None:
        """The first pair at a distance that needs so much; None where nothing is needed."""
        if not least:
            return None
        return next(((x, y) for x, y, curve in self.pairs[d] if _high(_delta(curve, epsilon, d)) >= least), None)


def _power(d: Fraction) -> str:
    return "e^epsilon" if d == 1 else f"e^({d}*epsilon)"


def _latex_power(d: Fraction) -> str:
    return rf"e^{{{'' if d == 1 else d}\varepsilon}}"


def _low(value: Fraction | Enclosure) -> Fraction:
    return value.lower if isinstance(value, Enclosure) else value


def _high(value: Fraction | Enclosure) -> Fraction:
    return value.upper if isinstance(value, Enclosure) else value


def _delta(curve: PrivacyCurve, epsilon: Loss | Exact, d: Fraction) -> Fraction | Enclosure:
    if isinstance(epsilon, Loss):
        loss = epsilon.times(d)
        if loss.is_infinite:
            return curve.vertices[0][1]
        gamma = loss.ratio(_DIGITS)
    else:
        power = Fraction(epsilon) * d
        if not power:
            return curve.delta(1)
        gamma = exponential(power, digits=_DIGITS) if power <= _LARGEST else None
    if gamma is not None:
        return _narrowed(curve.delta_between(gamma))
    # δ falls as γ rises: it is between its values at ∞ and at a γ that is smaller
    return _narrowed(Enclosure(curve.vertices[0][1], curve.delta_at(_LARGEST, digits=_DIGITS).upper))


def _narrowed(delta: Enclosure) -> Fraction | Enclosure:
    """The number itself where the ends agree, as where the curve is constant."""
    return delta.lower if delta.lower == delta.upper else delta


def delta_text(delta: Fraction | Enclosure) -> str:
    """A δ as a person reads it: exact, or with the sign of what is rounded.

    >>> delta_text(Fraction(1, 20))
    '1/20 = 0.05'
    """
    if isinstance(delta, Enclosure):
        return delta.relation().removeprefix("= ")
    decimal = Enclosure(delta, delta).relation()
    return str(delta) if delta.denominator == 1 else f"{delta} {decimal}"


def delta_curves(comparison: ComparedLaws) -> DeltaCurves:
    """The privacy curves of a mechanism's laws.

    Args:
        comparison: the laws of all data sets, under any output premetric.
    """
    curves: dict[MergedPair, PrivacyCurve] = {}
    found: dict[Fraction, dict[MergedPair, tuple[Any, Any, PrivacyCurve]]] = {}
    for universe in comparison.flavor.multiverse:
        for x, y, d in comparison.listed(universe, comparison.all_rows(universe)):
            if d is None or comparison.has_one_law(x, y):
                continue
            pair = comparison.law_pair(x, y)
            if pair not in curves:
                p, q = pair.laws
                curves[pair] = PrivacyCurve.of((*tradeoff_curve(p, q), *tradeoff_curve(q, p)))
            found.setdefault(Fraction(d), {}).setdefault(pair, (x, y, curves[pair]))
    pairs = {d: tuple(one.values()) for d, one in sorted(found.items())}
    largest = {d: PrivacyCurve.of(vertex for *_, curve in one for vertex in curve.vertices) for d, one in pairs.items()}
    return DeltaCurves(largest, pairs)
