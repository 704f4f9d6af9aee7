"""Noisy counts, clamped to a range so that their laws are finite."""

from fractions import Fraction

import stirred

THREE_ANSWERS = stirred.ordered_data_sets((0, 1), [3])
UP_TO_THREE_PEOPLE = stirred.multisets(("person",), range(4))


def _noisy(count, source, largest):
    """The count plus two-sided geometric noise of ratio 1/2, clamped to 0, …, largest."""
    weights = []
    for output in range(largest + 1):
        inside = Fraction(1, 2) if 0 < output < largest else 1
        weights.append(Fraction(1, 2) ** abs(output - count) * inside * Fraction(2, 3))
    return source.choose(weights)


@stirred.satisfies(data_sets=range(5), distance="absolute_difference", epsilon="ln 2")
def clamped_geometric_count(count, source):
    """A count of at most four with geometric noise of ratio 1/2: ε = ln 2.

    Source: Ghosh, Roughgarden, Sundararajan (2012).
    """
    return _noisy(count, source, 4)


@stirred.satisfies(data_sets=THREE_ANSWERS, distance="hamming_ordered", epsilon="ln(11/5)", flip="1/4")
def noisy_majority(answers, source, *, flip):
    """Whether most answers are yes, after flipping each one with probability `flip`."""
    votes = sum(1 - answer if source.bernoulli(flip) else answer for answer in answers)
    return 2 * votes > len(answers)


@stirred.satisfies(data_sets=UP_TO_THREE_PEOPLE, distance="add-remove", epsilon="ln(3/2)", rate="1/2")
def subsampled_count(people, source, *, rate):
    """A noisy count of a Poisson sample: amplification from γ = 2 to 1 + q(γ−1) = 3/2.

    Source: Li, Qardaji, Su (2012); Balle, Barthe, Gaboardi (2018), Theorem 8.
    """
    sampled = sum(source.bernoulli(rate) for _ in people)
    return _noisy(sampled, source, 3)
