"""The priors and posteriors that a budget allows, as polygons that a picture may fill: never on the wrong side.

With γ = e^ε and g = γ^d the printed bounds are straight lines, and their region is exact. The sharpest upper bound
u(π) = πg/(1 + (g − 1)π) is concave, so that every chord of it lies below it, and every tangent above: its polygon is
made of tangents. The lower bound is 1 − u(1 − π), so that its polygon is the mirror image.
"""

from collections.abc import Iterator
from fractions import Fraction

from stirred.spec.arguments import Exact
from stirred.verify.engines.inference.posterior import posterior_bounds, sharpest_posterior
from stirred.verify.engines.inference.power import roc_region

Region = tuple[tuple[Fraction, Fraction], ...]
"""The vertices (prior, posterior) of a polygon: along the upper bound from (0, 0) to (1, 1), back along the lower."""

_ENDS = (Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))


def posterior_region(gamma: Exact, distance: int) -> Region:
    """The printed bounds, π γ^-d to min(1, π γ^d), exactly.

    Raises:
        InputError: gamma is inexact or below 1, or distance is no int of at least 0.

    >>> print(*(f"({a}, {b})" for a, b in posterior_region(3, 1)))
    (0, 0) (1/3, 1) (1, 1) (1, 1/3)
    """
    least, _ = posterior_bounds(1, gamma, distance)
    return (_ENDS[0], (least, Fraction(1)), _ENDS[1], (Fraction(1), least))


def sharpest_posterior_region(gamma: Exact, distance: int, within: Fraction) -> Region:
    """A polygon around the sharpest bounds, whose every point has one between them at most `within` away.

    Args:
        gamma: e^ε, at least 1.
        distance: d, at least 0.
        within: how far the polygon may go beyond, to the side and upward; above 0.

    Returns:
        Vertices where tangents of the bounds meet; the two ends where γ^d = 1.

    Raises:
        InputError: gamma is inexact or below 1, or distance is no int of at least 0.

    >>> print(*(f"({a}, {b})" for a, b in sharpest_posterior_region(3, 1, Fraction(1, 4))))
    (0, 0) (1/4, 3/4) (1, 1) (3/4, 1/4)
    """
    _, half = sharpest_posterior(Fraction(1, 2), gamma, distance)
    if half == Fraction(1, 2):
        return _ENDS
    bound = _Upper(half / (1 - half))
    return roc_region((_ENDS[0], *bound.corners(Fraction(0), Fraction(1), within), _ENDS[1]))


class _Upper:
    """u(π) = πg/(1 + (g − 1)π), for one g above 1."""

    def __init__(self, factor: Fraction) -> None:
        self._factor = factor

    def at(self, prior: Fraction) -> Fraction:
        """The bound u at a prior."""
        return prior * self._factor / self._scale(prior)

    def _scale(self, prior: Fraction) -> Fraction:
        return 1 + (self._factor - 1) * prior

    def corners(self, left: Fraction, right: Fraction, within: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
        """Where tangents meet that touch u from the left end to the right one, each near u.

        The tangent at π has the slope g/s(π)² with s(π) = 1 + (g − 1)π, so two of them meet where s is the harmonic
        mean of theirs. Along a tangent the distance from u grows towards the corner: near there, it is near all along.
        """
        first, last = self._scale(left), self._scale(right)
        across = (2 * first * last / (first + last) - 1) / (self._factor - 1)
        up = self.at(left) + (across - left) * self._factor / first**2
        if self.at(min(Fraction(1), across + within)) >= up - within:
            yield across, up
        else:
            yield from self.corners(left, across, within)
            yield from self.corners(across, right, within)
