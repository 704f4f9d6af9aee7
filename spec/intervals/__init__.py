"""Pure differential privacy in the words of imprecise probability, on finite spaces with e^ε rational.

Reading order: `measure`; `interval_of_measures`, `density_bounded`, `probability_interval`; `density_ratio`;
`distortion`, the models that are balls around a law. Extreme points are listed, not only membership tested.
"""

from stirred.spec.intervals.density_ratio import DensityRatioNeighborhood, density_ratio_distance
from stirred.spec.intervals.distortion import (
    ConstantOddsRatio,
    Contamination,
    DistortionModel,
    MultiplicativeBall,
    constant_odds_distance,
    linear_vacuous_distance,
)
from stirred.spec.intervals.interval_of_measures import DensityBoundedClass, IntervalOfMeasures
from stirred.spec.intervals.measure import FiniteMeasure, multiplicative_distance
from stirred.spec.intervals.probability_interval import ProbabilityInterval

__all__ = [
    "ConstantOddsRatio",
    "Contamination",
    "DensityBoundedClass",
    "DensityRatioNeighborhood",
    "DistortionModel",
    "FiniteMeasure",
    "IntervalOfMeasures",
    "MultiplicativeBall",
    "ProbabilityInterval",
    "constant_odds_distance",
    "density_ratio_distance",
    "linear_vacuous_distance",
    "multiplicative_distance",
]
