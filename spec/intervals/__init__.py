"""Pure differential privacy in the words of imprecise probability, on finite spaces with e^ε rational.

Reading order: `measure`; `interval_of_measures`; `distortion`, the models that are balls around a law. Extreme points
are listed, not only membership tested.
"""

from stirred.spec.intervals.distortion import (
    ConstantOddsRatio,
    Contamination,
    DensityRatioNeighborhood,
    DistortionModel,
    MultiplicativeBall,
    constant_odds_distance,
    density_ratio_distance,
    linear_vacuous_distance,
)
from stirred.spec.intervals.interval_of_measures import DensityBoundedClass, IntervalOfMeasures, ProbabilityInterval
from stirred.spec.intervals.measure import FiniteMeasure, multiplicative_distance

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
