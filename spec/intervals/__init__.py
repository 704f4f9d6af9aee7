"""Pure differential privacy in the words of imprecise probability, on finite spaces with e^ε rational.

Reading order: `measure`; `interval_of_measures`; `distortion`, the models that are balls around a law. Extreme points
are listed, not only membership tested.
"""

from stirred.spec.intervals.distortion import (
    Contamination,
    DensityRatioNeighborhood,
    DistortionModel,
    MultiplicativeBall,
    density_ratio_distance,
    linear_vacuous_distance,
)
from stirred.spec.intervals.interval_of_measures import IntervalOfMeasures, ProbabilityInterval
from stirred.spec.intervals.measure import FiniteMeasure, multiplicative_distance

__all__ = [
    "Contamination",
    "DensityRatioNeighborhood",
    "DistortionModel",
    "FiniteMeasure",
    "IntervalOfMeasures",
    "MultiplicativeBall",
    "ProbabilityInterval",
    "density_ratio_distance",
    "linear_vacuous_distance",
    "multiplicative_distance",
]
