"""What shifts cost under zero-concentrated privacy: half the square of |shift|/scale; the standard library alone.

Each draw moves by a number that what came before it determines: its shift is one on all paths that agree up to it.
Then the Renyi divergence of order a of the moved noise is at most a (|s|/scale)^2/2 for normal noise, and for two-sided
noise whose likelihood changes by at most e^(|s|/scale), in each step whatever was drawn before; where these sum to at
most rho on every path, D_a <= a rho. Outputs are functions of the noise, the same one in both runs.

A shift in proportion to a variable's distance d, at most D, costs at most D |d| times what a distance of 1 costs.

Source: Bun and Steinke (2016), propositions 1.4 and 1.6, lemma 2.3; Feldman and Zrnic (2021) for adaptive steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from stirred.verify.evidence.certificates.moves import SUMMED, MovesError, RunDistances
from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol, parsed
from stirred.verify.evidence.certificates.program_graph import Edge
from stirred.verify.evidence.certificates.read_values import READ, NoiseDraw, Place

TWO_SIDED = ("normal", "laplace", "discrete laplace")


def half_square(rate: Polynomial) -> Polynomial:
    """Half the square of a rate, with the squares of roots written out."""
    total = Polynomial({})
    for monomial, number in (rate * rate / 2).terms.items():
        term = Polynomial.of(number)
        for name, power in monomial:
            is_root = name.kind == "root" and power % 2 == 0
            factor, times = (parsed(name.text), power // 2) if is_root else (Polynomial.name(name), power)
            for _ in range(abs(times)):
                term *= factor if times > 0 else factor.inverse()
        total += term
    return total


def before(edge: Edge, draw: NoiseDraw) -> tuple[Place | None, Symbol, tuple[bool, ...]]:
    """What a draw's shift may depend on: where its path begins, and what was decided before it."""
    return edge.source, draw.symbol, edge.path.script[: draw.after]


class QuadraticCosts:
    """What the shifts of an alignment cost.

    Args:
        moves: what may differ.
        apart: the distances of the variables at each head; None where they are free.
    """

    def __init__(self, moves: RunDistances, apart: Mapping[Place, Mapping[Symbol, Fraction | None]]) -> None:
        self._moves, self._apart = moves, apart

    def cost(self, edge: Edge, draw: NoiseDraw, shift: Fraction, ray: str) -> Polynomial:
        """Of a shift at a corner, or for each unit of a free distance along a ray."""
        price = half_square(draw.rate * self._moves.unit(edge, draw.symbol)) * shift * shift
        is_ray = ray[:1] in "+-" and " " in ray and edge.source is not None
        return price * self._most(edge.source, Symbol.of_key(ray[1:])) if is_ray and edge.source and shift else price

    def require_one_cause(self, shifts: Mapping[str, Fraction]) -> None:
        """Refuse the shift of a draw that has several causes: the square of a sum is more than the sum of squares.

        Raises:
            MovesError: it has.
        """
        causes = {key.partition("~")[0].lstrip("+-") if " " in key else "" for key, shift in shifts.items() if shift}
        if len(causes) > 1:
            raise MovesError("a shift of normal noise has several causes")

    def _most(self, place: Place, name: Symbol, seen: tuple[tuple[Place, Symbol], ...] = ()) -> Fraction:
        """By how much a free variable is apart at most: what it enters with, and what records add, each read once.

        Raises:
            MovesError: that is not known.
        """
        graph, moves = self._moves.graph, self._moves
        if (place, name) in seen:
            raise MovesError(f"how far apart {name} may be is not known")
        entered = step = Fraction(0)
        for edge in graph.edges:
            if edge.target != place:
                continue
            found, stays = Fraction(0), edge.source == place
            for other, number in moves.linear(edge, graph.into(edge)[name], moves.moved(edge), name).items():
                distance = self._apart[edge.source].get(other, Fraction(0)) if edge.source is not None else Fraction(0)
                if other.kind in READ:
                    found += abs(number) * moves.widths[other]
                elif other.kind in ("draw", "between") or (
                    stays and (other != name or abs(number) > 1) and distance != 0
                ):
                    raise MovesError(f"how far apart {name} may be is not known")
                elif edge.source is not None and distance is None and not stays:
                    found += abs(number) * self._most(edge.source, other, (*seen, (place, name)))
                elif not stays:
                    found += abs(number) * abs(distance or Fraction(0))
            entered, step = (entered, max(step, found)) if stays else (max(entered, found), step)
        if step and (moves.neighbors not in SUMMED or graph.counter(place) is None):
            raise MovesError(f"{name} may be apart by any number")
        return entered + step * moves.total(place)
