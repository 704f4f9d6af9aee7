"""Unbounded noise: finitely many outcomes if compared or clamped, a shifted law if released."""

from fractions import Fraction

import stirred

HALF = Fraction(1, 2)
ANSWERS = [(a, b) for a in range(3) for b in range(3)]


def largest_change(first, second):
    """The distance: how much the answers change, at most 1 per person."""
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


@stirred.satisfies(data_sets=ANSWERS, distance=largest_change, epsilon="ln(10/3)")
def above_threshold(answers, source):
    """The index of the first noisy answer above the noisy threshold 1; None if there is none.

    All noise has the ratio 1/2. The general bound is 3·ln 2, for any number of answers; for two of them less is enough.

    Source: Dwork, Roth (2014), Algorithm 1; Lyu, Su, Li (2017), Algorithm 1.
    """
    threshold = 1 + source.discrete_laplace(HALF)
    for place, answer in enumerate(answers):
        if answer + source.discrete_laplace(HALF) >= threshold:
            return place
    return None


@stirred.satisfies(data_sets=ANSWERS, distance=largest_change, epsilon="ln(44/17)")
def noisy_maximum(answers, source):
    """The index of the largest answer after unbounded noise of ratio 1/2; ties go to the first.

    The general bound is 2·ln 2, for any number of answers.

    Source: Dwork, Roth (2014), section 3.3.
    """
    noisy = [answer + source.discrete_laplace(HALF) for answer in answers]
    return noisy.index(max(noisy))


@stirred.satisfies(data_sets=range(4), distance="absolute_difference", epsilon="ln 2")
def noisy_count(count, source):
    """A count with unbounded noise of ratio 1/2, clamped to 0, …, 3.

    Source: Ghosh, Roughgarden, Sundararajan (2012).
    """
    return source.clamp(count + source.discrete_laplace(HALF), 0, 3)


@stirred.satisfies(data_sets=range(4), distance="absolute_difference", output="zcdp", rho="1/8")
def gaussian_count(count, source):
    """A count released with discrete Gaussian noise of σ² = 4: ρ = 1/(2σ²), and no finite ε without δ.

    Source: Canonne, Kamath and Steinke (2020), Theorem 4.
    """
    return count + source.discrete_gaussian(4)
