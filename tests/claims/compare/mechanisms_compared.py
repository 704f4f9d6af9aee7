"""Mechanisms of the worked comparisons."""

from fractions import Fraction


def noisy_majority(answers, source, *, flip):
    votes = sum(1 - answer if source.bernoulli(flip) else answer for (answer,) in answers)
    return 2 * votes > len(answers)


def flipped_bits(households, source, *, flip):
    return tuple(tuple(1 - bit if source.bernoulli(flip) else bit for bit in household) for household in households)


def rare_answer(value, source):
    return source.bernoulli(Fraction(8 - value, 16))


def answers_with_imputation(answers, source, *, flip):
    """Randomized response of two answers, the second one copied from the first where it is missing."""
    first, second = answers
    imputed = (first, first if second == "?" else second)
    return tuple(1 - answer if source.bernoulli(flip) else answer for answer in imputed)


def sampled_answer(persons, source, *, flip):
    """Randomized response of one of the persons, drawn at random."""
    answer = persons[source.uniform(len(persons))]
    return 1 - answer if source.bernoulli(flip) else answer


def first_answer(persons, source, *, flip):
    """Randomized response of the first person, who is known to be in the sample."""
    return 1 - persons[0] if source.bernoulli(flip) else persons[0]


def sampled_answers(persons, source, *, flip):
    """Two randomized responses of one of the persons, drawn at random: two surveys of one sample."""
    answer = persons[source.uniform(len(persons))]
    return tuple(1 - answer if source.bernoulli(flip) else answer for _ in range(2))


def two_samples(persons, source, *, flip):
    """The same two surveys, each of a sample of its own."""
    answers = [persons[source.uniform(len(persons))] for _ in range(2)]
    return tuple(1 - answer if source.bernoulli(flip) else answer for answer in answers)
