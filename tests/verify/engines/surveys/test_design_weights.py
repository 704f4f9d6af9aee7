"""Samples with their design weights, and how far they are apart."""

from fractions import Fraction

from stirred.mechanisms.surveys.designs import pps_sample, simple_random_sample
from stirred.verify.engines.surveys.design_weights import sample_distance, weighted_samples


def test_every_sample_that_is_possible_has_the_weights_of_its_frame():
    frame = (("a", 1), ("b", 1), ("c", 2))
    assert len(weighted_samples(simple_random_sample, frame, size=2)) == 3
    weights = {
        unit: weight
        for sample in weighted_samples(pps_sample, frame, measure=lambda size: size, size=1)
        for unit, (_, weight) in sample
    }
    assert weights == {"a": 4, "b": 4, "c": 2}


def test_weights_alone_are_one_step_apart():
    first, second = ((("a", (1, Fraction(2))),), (("a", (1, Fraction(3))),))
    d = sample_distance("person")
    assert (d(first, second), d(first, first), d(first, ())) == (1, 0, None)


def test_a_unit_exchanged_for_another_is_one_record():
    d = sample_distance("person")
    both = (("a", (1, Fraction(2))), ("b", (2, Fraction(2))))
    assert d(both, (("a", (1, Fraction(2))), ("c", (2, Fraction(2))))) == 1
    assert d(both, (("c", (1, Fraction(2))), ("d", (2, Fraction(2))))) == 2
