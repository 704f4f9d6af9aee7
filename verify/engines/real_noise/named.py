"""Two named laws of one number: the supremum of their ratio, and the probabilities of intervals.

Of laws that are Σ c·t^k·e^(a·t) piece by piece `mixture` finds it; of others it is known here in closed form.
"""

from __future__ import annotations

from fractions import Fraction

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.exact import Exact
from stirred.spec.arguments import InputError
from stirred.spec.numbers.reals.real import EnclosedReal, Number, order
from stirred.verify.engines.real_noise.leaves import RealLeaf
from stirred.verify.engines.real_noise.mixture import largest_ratio, mass_between
from stirred.verify.engines.real_noise.quasi_polynomial import End

_LAWS = {law.name.lower(): law for law in BaseLaw}
_LIGHTER = ("uniform", "normal")
"""Kinds with tails lighter than exponential ones."""


class UnknownError(InputError):
    """No closed form is known here, of what the message names."""


def are_same(one: Number, other: Number) -> bool:
    """Whether two numbers are one; enclosures of 256 bits with the same ends are taken as one number's."""
    if isinstance(one, EnclosedReal) and isinstance(other, EnclosedReal):
        return one.ends == other.ends
    return order(one, other) == 0


def ratio(one: RealLeaf, other: RealLeaf) -> Number | None:
    """The supremum of the ratio of the densities; None for ∞.

    Raises:
        UnknownError: no closed form is known.
    """
    first, second = one.density, other.density
    if first is not None and second is not None:
        return largest_ratio(first, second)
    if one.kind != other.kind:
        if other.kind in _LIGHTER and one.kind in {*_LAWS} - {*_LIGHTER}:
            return None
        raise UnknownError(f"{one} against {other}")
    if one.kind not in _LAWS or one.sign != other.sign:
        raise UnknownError(f"{one} against {other}")
    shift = Exact(one.centre) - Exact(other.centre)
    found = _of_one_scale(one, shift) if are_same(one.parameter, other.parameter) else _of_two(one, other, shift)
    return None if found is None else found.number


def _of_one_scale(leaf: RealLeaf, shift: Exact) -> Exact | None:
    """Of one law, and of the same moved back by a shift."""
    if shift == 0:
        return Exact(1)
    outward = shift * leaf.sign
    if leaf.kind in ("normal", "uniform") or (leaf.kind in ("exponential", "gumbel") and outward < 0):
        return None
    found: Exact = (abs(shift) / Exact(leaf.parameter)).exp()
    return found


def _of_two(one: RealLeaf, other: RealLeaf, shift: Exact) -> Exact | None:
    wide, narrow = Exact(other.parameter), Exact(one.parameter)
    if narrow > wide:
        return None
    found: Exact
    if one.kind == "laplace":
        found = wide / narrow * (abs(shift) / wide).exp()
    elif one.kind == "normal":
        found = (wide / narrow).sqrt() * (shift * shift / ((wide - narrow) * 2)).exp()
    else:
        raise UnknownError(f"{one} against {other}")
    return found


def probability(leaf: RealLeaf, low: End, high: End) -> Number:
    """The probability of an interval.

    Raises:
        UnknownError: it is not known here.
    """
    density = leaf.density
    if density is not None:
        return mass_between(density, low, high)
    if leaf.kind not in _LAWS:
        raise UnknownError(f"probabilities of {leaf}")
    scale = Exact(leaf.parameter).sqrt() if leaf.kind == "normal" else Exact(leaf.parameter)
    ends = [None if end is None else (Exact(end) - Exact(leaf.centre)) / scale * leaf.sign for end in (low, high)]
    found = _LAWS[leaf.kind].between(*(ends if leaf.sign > 0 else ends[::-1]))
    return found.number


def moved_squared(pairs: list[tuple[RealLeaf, RealLeaf]]) -> Number:
    """Σ m²/v of normal laws of one variance v each, moved by m.

    Raises:
        UnknownError: they are no such laws.
    """
    total = Exact(Fraction(0))
    for one, other in pairs:
        if {one.kind, other.kind} != {"normal"}:
            raise UnknownError(f"{one} against {other}")
        if not are_same(one.parameter, other.parameter):
            raise UnknownError(f"a variance that depends on the data, {one} against {other}")
        shift = Exact(one.centre) - Exact(other.centre)
        total = total + shift * shift / Exact(one.parameter)
    return total.number
