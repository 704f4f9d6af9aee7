"""stub"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Mapping

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.exact import Exact


@dataclass(frozen=True)
class Halfspace:
    terms: Mapping[int, Exact]
    bound: Exact


class RegionError(Exception):
    pass


class Region:
    def __init__(self, laws=(), halfspaces=()):
        self.laws, self.halfspaces = laws, halfspaces

    def drawn(self, law):
        return Region((*self.laws, law), self.halfspaces), len(self.laws)

    def within(self, hs):
        return Region(self.laws, (*self.halfspaces, *hs))

    def _ends(self, draw):
        low = high = None
        if self.laws[draw] is BaseLaw.UNIFORM:
            low, high = Exact(0), Exact(1)
        if self.laws[draw] is BaseLaw.EXPONENTIAL:
            low = Exact(0)
        for h in self.halfspaces:
            if draw in h.terms:
                if len(h.terms) > 1:
                    raise RegionError("stub")
                (c,) = h.terms.values()
                b = h.bound / c
                if c > 0:
                    high = b if high is None or b < high else high
                else:
                    low = b if low is None or b > low else low
        return low, high

    def _cdf(self, law, z, end):
        if law is BaseLaw.UNIFORM:
            return z
        if z is None:
            return Exact(end)
        if law is BaseLaw.EXPONENTIAL:
            return 1 - (-z).exp()
        if law is BaseLaw.LAPLACE:
            return z.exp() / 2 if z < 0 else 1 - (-z).exp() / 2
        raise RegionError("stub")

    def _mass(self, draw):
        low, high = self._ends(draw)
        if low is not None and high is not None and low >= high:
            return Exact(0)
        return self._cdf(self.laws[draw], high, 1) - self._cdf(self.laws[draw], low, 0)

    def shares(self, alternatives):
        draws = {i for a in alternatives for h in a for i in h.terms}
        if len(draws) != 1:
            raise RegionError("stub")
        (draw,) = draws
        total = self._mass(draw)
        return [self.within(a)._mass(draw) / total for a in alternatives]

    def range_of(self, terms, shift):
        low = high = shift
        for draw, c in terms.items():
            ends = self._ends(draw)
            if c < 0:
                ends = ends[::-1]
            low = None if low is None or ends[0] is None else low + c * ends[0]
            high = None if high is None or ends[1] is None else high + c * ends[1]
        return low, high

    def point(self, share):
        found = {}
        for draw in range(len(self.laws)):
            low, high = self._ends(draw)
            if low is None and high is None:
                low, high = Exact(-8), Exact(8)
            low = high - 8 if low is None else low
            high = low + 8 if high is None else high
            s = Fraction(1, 2) if high - low < Fraction(1, 4096) else share
            v = (low + (high - low) * s).number
            found[draw] = v if isinstance(v, Fraction) else v.enclosure(40).lower
        return found
