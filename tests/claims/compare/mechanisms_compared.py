"""Mechanisms of the worked comparisons."""

from fractions import Fraction


def noisy_majority(answers, source, *, flip):
    votes = sum(1 - answer if source.bernoulli(flip) else answer for (answer,) in answers)
    return 2 * votes > len(answers)


def flipped_bits(households, source, *, flip):
    return tuple(tuple(1 - bit if source.bernoulli(flip) else bit for bit in household) for household in households)


def rare_answer(value, source):
    return source.bernoulli(Fraction(8 - value, 16))
