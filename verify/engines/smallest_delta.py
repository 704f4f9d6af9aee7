"""The smallest δ that a mechanism needs at every ε: one privacy curve for each distance between data sets.

At distance d a claim (ε, δ) asks for E_γ ≤ δ with γ = e^(ε·d), so that pairs at different distances have curves of
their own, and the smallest δ at ε is the largest of their values.

As a picture it shows the likelihood ratios at which it bends; it is an expression of sympy too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from math import ceil, floor, log
from typing import Any

from stirred.spec.arguments import Exact
from stirred.spec.blocks.input_premetric import FiniteDistance
from stirred.spec.budgets.loss import Loss, read_loss
from stirred.spec.budgets.privacy_curve import PrivacyCurve
from stirred.spec.numbers.enclosure import Enclosure, exponential
from stirred.spec.output_premetrics import tradeoff_curve
from stirred.spec.output_premetrics.base import Masses, integer_masses
from stirred.spec.shown_table import ShownTable, TableRow
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.law_pairs import MergedPair
from stirred.verify.engines.law_screen import ScreenedBound
from stirred.verify.evidence.pictures.rendering import GREYS, Picture, monotone_points, picture_of

Curves = Mapping[Fraction, PrivacyCurve]
"""The largest δ of the pairs at each distance d, as a function of γ = e^(ε·d)."""

_FINEST = 1_200
"""Parts of the picture's width and height that nobody tells apart."""

_DRAWN_DIGITS = 20
_DASHES = ("-", "--", "-.", ":")


def draw_deltas(curves: Sequence[tuple[str, Curves]], figure: Any) -> None:
    """Draw the smallest δ at every ε of some mechanisms, each with its name, into an empty figure."""
    figure.set_size_inches(7, 5)
    axes = figure.subplots()
    bends = [_bends(one) for _, one in curves]
    end = 1.2 * max((ends[-1] for ends in bends if ends), default=0) or 1.0
    for place, ((name, one), marks) in enumerate(zip(curves, bends, strict=True)):
        tone = GREYS[place // len(_DASHES) % len(GREYS)]
        axes.plot(*zip(*delta_line(one, end), strict=True), _DASHES[place % len(_DASHES)], color=tone, label=name)
        axes.plot(marks, [_delta(one, x) for x in marks], "D", mfc="white", mec=tone, ms=5, clip_on=False, zorder=3)
    axes.set(xlabel="ε", ylabel="δ", xlim=(0, end), ylim=(0, None))
    axes.set_title("the smallest δ; diamonds: likelihood ratios", fontsize="medium")
    axes.legend(fontsize="small")


def delta_line(curves: Curves, end: float) -> list[tuple[float, float]]:
    """Points (ε, δ) from ε = 0 to an end, the bends among them; lines between them are the curve to the eye.

    Between two points that are more than a 1200th of the width apart δ falls by at most a 1200th of what it is at 0.
    """
    places = sorted({0.0, end, *(x for x in _bends(curves) if x < end)})
    height = _delta(curves, 0.0) / _FINEST

    def middle(a: float, b: float) -> float | None:
        return (a + b) / 2 if b - a > end / _FINEST else None

    parts = [monotone_points(partial(_delta, curves), a, b, middle, height) for a, b in pairwise(places)]
    return [*parts[0], *(point for part in parts[1:] for point in part[1:])]


def _bends(curves: Curves) -> list[float]:
    """The ε at which the curve of some distance has a likelihood ratio."""
    pieces = ((d, piece.low) for d, curve in curves.items() if d for piece in curve.pieces())
    return sorted({(log(low.numerator) - log(low.denominator)) / d for d, low in pieces})


def _delta(curves: Curves, epsilon: float) -> float:
    """The smallest δ at ε, for display: e^(ε·d) is rounded down, so that δ is not too small."""
    gammas = (
        (curve, max(Fraction(1), exponential(Fraction(epsilon) * d, digits=_DRAWN_DIGITS).lower))
        for d, curve in curves.items()
    )
    return float(max((curve.delta(gamma) for curve, gamma in gammas), default=0))


def delta_cases(curves: Curves) -> Any:
    """The smallest δ as an expression of sympy in a positive symbol ε: the largest over the vertices of every curve."""
    import sympy as sp  # noqa: PLC0415 slow to import

    epsilon = sp.Symbol("epsilon", positive=True)

    def value(d: Fraction, level: Fraction, power: Fraction) -> Any:
        number = sp.Rational(*level.as_integer_ratio())
        return sp.Rational(*power.as_integer_ratio()) - number * sp.exp(epsilon * sp.Rational(*d.as_integer_ratio()))

    values = [value(d, *vertex) for d, curve in curves.items() for vertex in curve.vertices]
    return sp.Max(0, *values)


_DIGITS = 40

_LARGEST = 40_000
"""Powers e^(ε·d) of a larger exponent are not written out; e^40000 is below 2^65536."""


@dataclass(frozen=True)
class NeededDelta:
    """The smallest δ that a mechanism needs at one ε.

    Attributes:
        delta: exact where e^(ε·d) is rational at every distance that needs it, else enclosed.
        pair: the nearest pair of data sets that needs it, the first of those; None where nothing is needed.
        farthest: the largest distance of two data sets with different laws; 0 where there are none.
    """

    delta: Fraction | Enclosure
    pair: tuple[Any, Any] | None
    farthest: Fraction


@dataclass(frozen=True, repr=False)
class DeltaCurves(ShownTable):
    """The privacy curves of all pairs, by distance.

    Attributes:
        by_distance: the largest δ of the pairs at each distance, as a function of γ = e^(ε·d).
        is_above: whether it is a little above that, as probabilities are enclosed.
    """

    by_distance: Mapping[Fraction, PrivacyCurve]
    is_above: bool = False

    def __repr__(self) -> str:
        return f"<DeltaCurves {'; '.join(self.lines())}>"

    def __str__(self) -> str:
        """The pieces, a line for each."""
        return "\n".join(self.lines())

    _title = "the smallest delta"

    def _rows(self) -> list[TableRow]:
        rows = [
            TableRow(
                piece.interval(_power_text(d)),
                piece.formula(_power_text(d)),
                latex=piece.to_latex(_latex_power(d)),
                latex_name=piece.latex_interval(_latex_power(d)),
            )
            for d, curve in self.by_distance.items()
            for piece in curve.pieces()
        ]
        return rows or [TableRow("e^epsilon >= 1", "0")]

    def __call__(self, epsilon: Loss | Exact | str) -> Fraction | Enclosure:
        """The smallest δ at ε, given as a number, a text such as "0.5" or "ln 2", or a `Loss`."""
        budget, least, most = read_loss("epsilon", epsilon), Fraction(0), Fraction(0)
        for d, curve in self.by_distance.items():
            high, low = (
                curve.vertices[0][1] if gamma is None else curve.delta(gamma) for gamma in gamma_ends(budget, d)
            )
            least, most = max(least, low), max(most, high)
        return _narrowed(Enclosure(least, most), Fraction(0))

    def to_sympy(self) -> Any:
        """The smallest δ as an expression of sympy in a positive symbol epsilon."""
        return delta_cases(self.by_distance)

    def plot(self) -> Picture:
        """The smallest δ at every ε."""
        return picture_of("the smallest δ", partial(draw_deltas, [("this mechanism", self.by_distance)]))

    def lines(self, *, is_latex: bool = False) -> tuple[str, ...]:
        """The pieces of the curve at each distance, in words or as LaTeX."""
        found = []
        for d, curve in self.by_distance.items():
            if is_latex:
                found.append(f"{curve.to_latex()} \\quad (d = {d})")
                continue
            found += [f"{piece.text(_power_text(d))}{'' if d == 1 else f' (d = {d})'}" for piece in curve.pieces()]
        if self.is_above and found and not is_latex:
            found.append("rounded up, as probabilities are enclosed")
        return tuple(found) or ("delta = 0 for e^epsilon >= 1",)


def needed_delta(comparison: ComparedLaws, epsilon: Loss | Exact, *, log_error: Fraction = Fraction(0)) -> NeededDelta:
    """The smallest δ at ε: the largest E_γ(P‖Q), γ = e^(ε·d), of all pairs of laws, in both directions.

    The laws may be compared under any output premetric; δ is enclosed where they stand for others, up to λ.
    """
    seen: set[tuple[MergedPair, Fraction]] = set()
    found: list[tuple[Fraction, Fraction, Fraction, Any, Any]] = []
    least = farthest = Fraction(0)

    @cache
    def power(d: FiniteDistance) -> tuple[Fraction | None, Fraction | None]:
        return gamma_ends(epsilon, Fraction(d))

    def less(d: FiniteDistance) -> ScreenedBound:
        return ScreenedBound(power(d)[0], least or None)

    for x, near in comparison.rows_not_yet_met(comparison.flavor.multiverse, comparison.all_rows):
        differing = [one for one in near if not comparison.has_one_law(x, one[1])]
        farthest = max([farthest, *(Fraction(d) for *_, d in differing if d > farthest)])
        for y, at in comparison.compared_first(x, differing, less):
            d = Fraction(at)
            pair = comparison.law_pair(x, y)
            if (pair, d) in seen:
                continue
            seen.add((pair, d))
            masses = pair.masses or integer_masses(*pair.laws)
            high, low = (_beyond(masses, gamma) for gamma in power(d))
            least = max(least, low)
            if high >= least:
                found.append((d, low, high, x, y))
    if not least:
        most = max((high for _, _, high, *_ in found), default=Fraction(0))
        return NeededDelta(_narrowed(Enclosure(least, most), log_error), None, farthest)
    nearest = min(d for d, low, *_ in found if low == least)
    pair_found = next((x, y) for d, _, high, x, y in found if d == nearest and high >= least)
    ends = Enclosure(least, max(high for _, _, high, *_ in found))
    return NeededDelta(_narrowed(ends, log_error), pair_found, farthest)


def _power_text(d: Fraction) -> str:
    return "e^epsilon" if d == 1 else f"e^({d}*epsilon)"


def _latex_power(d: Fraction) -> str:
    return rf"e^{{{'' if d == 1 else d}\varepsilon}}"


def gamma_ends(epsilon: Loss | Exact, d: Fraction) -> tuple[Fraction | None, Fraction | None]:
    """The ends of γ = e^(ε·d), at least 1; None for ∞."""
    if isinstance(epsilon, Loss):
        loss = epsilon.times(d)
        if loss.is_infinite:
            return None, None
        gamma = loss.ratio(_DIGITS)
    else:
        power = Fraction(epsilon) * d
        gamma = exponential(power, digits=_DIGITS) if power <= _LARGEST else None
    if gamma is None:
        return exponential(Fraction(_LARGEST), digits=_DIGITS).lower, None
    return max(gamma.lower, Fraction(1)), max(gamma.upper, Fraction(1))


def _beyond(masses: Masses, gamma: Fraction | None) -> Fraction:
    """The larger of E_γ(P‖Q) and E_γ(Q‖P), γ ≥ 1; with None for ∞ the mass without a counterpart."""
    total = sum(first for first, _ in masses)
    if gamma is None:
        sides = (sum(p for p, q in masses if not q), sum(q for p, q in masses if not p))
        return Fraction(max(sides), total)
    a, b = gamma.as_integer_ratio()
    sides = (sum(max(0, b * p - a * q) for p, q in masses), sum(max(0, b * q - a * p) for p, q in masses))
    return Fraction(max(sides), b * total)


def _narrowed(delta: Enclosure, log_error: Fraction) -> Fraction | Enclosure:
    """The number itself where the ends agree, as where the curve is constant; wider where laws stand for others."""
    if log_error:
        return Enclosure(max(delta.lower - 5 * log_error, Fraction(0)), min(delta.upper + 5 * log_error, Fraction(1)))
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


def delta_curves(comparison: ComparedLaws, *, log_error: Fraction = Fraction(0)) -> DeltaCurves:
    """The privacy curves of a mechanism's laws.

    The laws may be compared under any output premetric. Where they stand for others, up to λ, the curves are above
    theirs: levels are rounded down and powers up, to 15 decimals where λ is small.
    """
    curves: dict[MergedPair, PrivacyCurve] = {}
    found: dict[Fraction, set[MergedPair]] = {}
    for x, near in comparison.rows_not_yet_met(comparison.flavor.multiverse, comparison.all_rows):
        for _, y, d in near:
            if comparison.has_one_law(x, y):
                continue
            pair = comparison.law_pair(x, y)
            if pair not in curves:
                p, q = pair.laws
                vertices = (*tradeoff_curve(p, q), *tradeoff_curve(q, p))
                curves[pair] = PrivacyCurve.of(_outward(vertices, log_error) if log_error else vertices)
            found.setdefault(Fraction(d), set()).add(pair)
    return DeltaCurves(
        {
            d: PrivacyCurve.of(vertex for pair in pairs for vertex in curves[pair].vertices)
            for d, pairs in sorted(found.items())
        },
        is_above=bool(log_error),
    )


_PLACES = Fraction(10) ** 15


def _outward(vertices: Iterable[tuple[Fraction, Fraction]], log_error: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Vertices above those of the laws that are stood for."""
    factor = 1 + 2 * log_error
    rounded = ((floor(level / factor * _PLACES), ceil(power * factor * _PLACES)) for level, power in vertices)
    return [(low / _PLACES, min(Fraction(1), high / _PLACES)) for low, high in rounded]
