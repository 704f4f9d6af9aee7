"""Outcomes with real numbers that are drawn: what stands around the numbers, and the law of each.

A mechanism that is read releases `7/2 + laplace(2)` for a number as it is drawn, and calls such as `density('…')` for
one that met conditions (`mechanisms.reading.released`). As outcomes such texts are no atoms: two of them that differ
have densities on the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from stirred.spec.laws.piecewise_density import DensityTerms, PiecewiseDensity
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient
from stirred.spec.numbers.reals.real import EnclosedReal, Number

KINDS = ("laplace", "exponential", "uniform", "gumbel", "logistic", "normal")
OTHERS = ("density", "between", "rounded")
"""Laws of a number on a path, as calls with texts."""

SLOT = "real"
_LONGEST = 60
_RATIONAL = r"-?\d+(?:/\d+)?"
_NUMBER = rf"{_RATIONAL}|exp\({_RATIONAL}\)|in\({_RATIONAL}, {_RATIONAL}\)"
_STRING = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_NAMED = rf"({_NUMBER}) ([+-]) ({'|'.join(KINDS)})\(({_NUMBER})\)"
_LEAF = re.compile(rf"({'|'.join(OTHERS)})\((?:{_STRING}|[^()'\"])*\)|{_NAMED}", re.DOTALL)
_PART = re.compile(rf"({_LEAF.pattern})|{_STRING}", re.DOTALL)


@dataclass(frozen=True)
class RealLeaf:
    """The law of one number: centre + sign·scale·Z, Z of a standard law, or a density. Equal texts are equal laws.

    Attributes:
        text: as the outcome has it.
        kind: one of `KINDS` or of `OTHERS`.
        parameter: the scale, the width of a uniform law, or the variance of a normal one.
    """

    text: str
    kind: str
    centre: Number = Fraction(0)
    sign: int = 1
    parameter: Number = Fraction(1)

    def __str__(self) -> str:
        return self.text if len(self.text) <= _LONGEST else f"{self.kind}(…)"

    @property
    def density(self) -> PiecewiseDensity | None:
        """Its density where that is Σ c·t^k·e^(a·t) piece by piece, with rational numbers; else None."""
        return _density(self)


@lru_cache(maxsize=4096)
def _density(leaf: RealLeaf) -> PiecewiseDensity | None:
    if leaf.kind == "density":
        return PiecewiseDensity.read(leaf.text[len("density('") : -len("')")])
    centre, scale = leaf.centre, leaf.parameter
    if not isinstance(centre, Fraction) or not isinstance(scale, Fraction):
        return None
    if leaf.kind == "uniform":
        return PiecewiseDensity((centre, centre + scale), ({}, {(0, Fraction(0)): 1 / scale}, {}))
    rising, falling = (_side(centre, rate) for rate in (1 / scale, -1 / scale))
    if leaf.kind == "laplace":
        return PiecewiseDensity((centre,), tuple({key: c / 2 for key, c in one.items()} for one in (rising, falling)))
    if leaf.kind == "exponential":
        return PiecewiseDensity((centre,), ({}, falling) if leaf.sign > 0 else (rising, {}))
    return None


def _side(centre: Fraction, rate: Fraction) -> DensityTerms:
    """|rate|·e^(rate·(t − centre))."""
    power = ExponentialQuotient.exponential(-rate * centre)
    return {(0, rate): abs(rate) if not centre else power * abs(rate)}


def read_number(text: str) -> Number:
    """A number as a leaf shows it: a fraction, a power of e, or its ends."""
    if text.startswith("exp("):
        return ExponentialQuotient.exponential(Fraction(text[4:-1]))
    if text.startswith("in("):
        return EnclosedReal(Enclosure(*map(Fraction, text[3:-1].split(", "))))
    return Fraction(text)


@lru_cache(maxsize=4096)
def _leaf(text: str) -> RealLeaf:
    found = _LEAF.fullmatch(text)
    if found is None:
        raise ValueError(f"no law of a real number: {text!r}")
    other, centre, sign, kind, parameter = found.groups()
    if other is not None:
        return RealLeaf(text, other)
    return RealLeaf(text, kind, read_number(centre), 1 if sign == "+" else -1, read_number(parameter))


def parted(text: str) -> tuple[str, tuple[RealLeaf, ...]]:
    """An outcome with `real` in the place of each number that is drawn, and their laws.

    >>> skeleton, leaves = parted("(1/2 + laplace(2), '0 + laplace(1)')")
    >>> skeleton, leaves[0].kind, leaves[0].centre
    ("(real, '0 + laplace(1)')", 'laplace', Fraction(1, 2))
    """
    leaves: list[RealLeaf] = []

    def replaced(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0]
        leaves.append(_leaf(found[1]))
        return SLOT

    skeleton = _PART.sub(replaced, text)
    return skeleton, tuple(leaves)


def holds_real(text: str) -> bool:
    """Whether an outcome holds a real number that is drawn."""
    return any(f"{kind}(" in text for kind in (*KINDS, *OTHERS)) and bool(parted(text)[1])


def are_real(texts: Iterable[str]) -> bool:
    """Whether some outcome does."""
    return any(map(holds_real, texts))
