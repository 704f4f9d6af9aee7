"""Block 4, the output premetric D_Pr: how is the change of the output's law measured?

One file for each premetric, with the members of `base.OutputPremetric`: it decides "D_Pr[P, Q] ≤ ε·d" exactly, knows
the smallest ε where that is a closed form, shows an event that exceeds a bound, and says of itself whether it is
symmetric, satisfies the triangle inequality, is immune to post-processing, and how it composes. Every file here is
read, and a class in it with a `name` is known by that name wherever premetrics are named.
"""

from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pkgutil import iter_modules

from stirred.spec.output_premetrics.approximate_multiplicative import ApproximateMultiplicative
from stirred.spec.output_premetrics.base import Composition, Exceeding, OutputPremetric
from stirred.spec.output_premetrics.chi_squared import ChiSquared
from stirred.spec.output_premetrics.gaussian import GaussianTradeoff
from stirred.spec.output_premetrics.kullback_leibler import KullbackLeibler
from stirred.spec.output_premetrics.multiplicative import Multiplicative
from stirred.spec.output_premetrics.normalized_renyi import NormalizedRenyi
from stirred.spec.output_premetrics.real_valued import RealValued
from stirred.spec.output_premetrics.renyi import Renyi
from stirred.spec.output_premetrics.squared_hellinger import SquaredHellinger
from stirred.spec.output_premetrics.tradeoff import (
    DIAGONAL,
    Curve,
    Tradeoff,
    approximate_curve,
    check_curve,
    shown_curve,
    tradeoff_curve,
)
from stirred.spec.output_premetrics.variation import TotalVariation, hockey_stick, total_variation

__all__ = [
    "DIAGONAL",
    "OUTPUT_PREMETRICS",
    "PREMETRIC_KEYS",
    "ApproximateMultiplicative",
    "ChiSquared",
    "Composition",
    "Curve",
    "Exceeding",
    "GaussianTradeoff",
    "KullbackLeibler",
    "Multiplicative",
    "NormalizedRenyi",
    "OutputPremetric",
    "RealValued",
    "Renyi",
    "SquaredHellinger",
    "TotalVariation",
    "Tradeoff",
    "approximate_curve",
    "check_curve",
    "hockey_stick",
    "shown_curve",
    "total_variation",
    "tradeoff_curve",
]


def _named() -> Iterator[type[OutputPremetric]]:
    for file in iter_modules(__path__, f"{__name__}."):
        found = vars(import_module(file.name)).values()
        own = (one for one in found if isinstance(one, type) and one.__module__ == file.name)
        yield from (one for one in own if issubclass(one, OutputPremetric) and "name" in vars(one))


OUTPUT_PREMETRICS: dict[str, type[OutputPremetric]] = {one.name: one for one in _named()}
"""The output premetrics by name, in the order in which messages list them."""

PREMETRIC_KEYS: dict[str, tuple[str, ...]] = {
    name: tuple(key.name for key in fields(one)) for name, one in OUTPUT_PREMETRICS.items()
}
"""The parameters of each, which are its keys in a claim file."""
