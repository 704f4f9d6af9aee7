"""Weighted samples: the samples of a design with their weights, and how far they are apart.

A weighted sample is a data set of units whose records are pairs (record, weight): the weight is no part of what is
compared, since nobody changes his own by another answer, but it enters every estimate.
"""

from collections.abc import Callable
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.surveys.designs import select
from stirred.mechanisms.surveys.inclusion import inclusion
from stirred.spec.blocks.input_premetric import Distance, InputPremetric, hamming_unordered
from stirred.spec.surveys.unit_data import UnitData


def weighted_samples(
    design: Callable[..., tuple[Any, ...]], frame: UnitData, **parameters: Any
) -> tuple[UnitData, ...]:
    """The samples of probability above 0 with their design weights: the records are (𝔣_i, 1/π_i).

    Source: dissertation, sections 6.2.4 and 6.3 (𝒟_𝔣 = {𝔰 : τ_𝔣(𝒰(𝔰)) > 0}).

    >>> from stirred.mechanisms.surveys.designs import simple_random_sample
    >>> weighted_samples(simple_random_sample, (("a", 0), ("b", 1)), size=1)
    ((('a', (0, Fraction(2, 1))),), (('b', (1, Fraction(2, 1))),))
    """
    rates = inclusion(design, frame, **parameters)
    drawn = sorted(exact_law(design, frame, **parameters))
    samples = (select(frame, tuple(dict.fromkeys(sample))) for sample in drawn)
    return tuple(tuple((unit, (record, 1 / rates[unit])) for unit, record in sample) for sample in samples)


def sample_distance(resolution: str) -> InputPremetric:
    """How many records of weighted samples differ, whatever their weights; ∞ between samples of different sizes.

    A unit that is exchanged for another is one record. Where nothing but weights differs the distance is 1: some record
    outside the sample did.

    Source: dissertation, section 6.4.5 (the Hamming distance between samples).
    """
    apart = hamming_unordered(resolution)

    def distance(first: UnitData, second: UnitData) -> Distance:
        records = (tuple((unit, record) for unit, (record, _) in sample) for sample in (first, second))
        differing = apart(*records)
        return None if differing is None else max(1, differing)

    return InputPremetric("sample_distance", resolution, distance)
