"""Released geometric noise as finite laws that need the same pure budget, also where its ratio is a function.

Of an integer n plus noise let only be told whether it is at most the least integer of all data sets, or at least the
greatest. Merging outcomes needs no more, and for n < n' the ratios at the two ends are those of the shift: α^(n−n') for
two-sided noise, infinite for one-sided noise. So all pairs of data sets need what they need of the noise itself.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Law, Probability
from stirred.verify.engines.released_noise import Noise, NoisyOutput

_MOST_ENDS = 10
"""Integers with noise in one output: three to the power of it outcomes."""


def laws_of_ends(released: Mapping[Any, NoisyOutput], place: str) -> dict[Any, Law[str]]:
    """The laws of what is told of each data set's output.

    >>> law = laws_of_ends({0: NoisyOutput("noisy", (Noise("discrete_laplace", Fraction(1, 2)),), (0,))}, "here")[0]
    >>> law["at most 0"]
    Fraction(2, 3)
    """
    noises = next(iter(released.values())).noises
    if len(noises) > _MOST_ENDS or any(noise.is_gaussian for noise in noises):
        raise InputError(
            f"{place}: a parameter is left open, where released noise must be geometric or discrete Laplace, on at "
            f"most {_MOST_ENDS} integers: give it a number"
        )
    columns = list(zip(*(one.integers for one in released.values()), strict=True))
    ends = [(min(column), max(column)) for column in columns]
    return {point: _law(one, ends) for point, one in released.items()}


def _law(one: NoisyOutput, ends: list[tuple[int, int]]) -> Law[str]:
    parts = [_parts(noise, n, *end) for noise, n, end in zip(one.noises, one.integers, ends, strict=True)]
    masses: dict[str, Probability] = {}
    for chosen in product(*(part.items() for part in parts)):
        mass: Probability = Fraction(1)
        for _, share in chosen:
            mass = mass * share
        masses[", ".join(told for told, _ in chosen)] = mass
    return Law({told: mass for told, mass in masses.items() if mass})


def _parts(noise: Noise, integer: int, least: int, greatest: int) -> dict[str, Probability]:
    """The probabilities of at most the least, at least the greatest (where it is another), and between."""
    low = 1 - _tail(noise, least - integer + 1)
    parts = {f"at most {least}": low, "between": 1 - low}
    if greatest > least:
        high = _tail(noise, greatest - integer)
        parts |= {f"at least {greatest}": high, "between": 1 - low - high}
    return parts


def _tail(noise: Noise, least: int) -> Probability:
    """P(X ≥ least)."""
    alpha = noise.ratio
    if noise.kind == "discrete_geometric":
        return alpha**least if least > 0 else Fraction(1)
    if noise.kind == "discrete_reflected_geometric":
        return 1 - alpha ** (1 - least) if least <= 0 else Fraction(0)
    return alpha**least / (1 + alpha) if least > 0 else 1 - alpha ** (1 - least) / (1 + alpha)
