"""Published and usual variants of the sparse vector technique that don't satisfy what is claimed of them.

Source: Lyu, Su and Li (2017), Figure 1, with discrete Laplace noise in place of Laplace noise.
"""

from collections.abc import Sequence
from fractions import Fraction

from stirred.mechanisms.noise.sparse_vector import sparse_vector
from stirred.mechanisms.source import Source
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Probability


def claimed_budget(threshold_ratio: Fraction, query_ratio: Fraction) -> Loss:
    """The claim of the variants whose query noise doesn't depend on c: ε₁ + ε₂ for the ratios e^−ε₁ and e^−ε₂."""
    return Loss(1 / (threshold_ratio * query_ratio))


def releases_the_noisy_answer(
    answers: Sequence[int],
    source: Source,
    *,
    threshold: int,
    threshold_ratio: Probability,
    query_ratio: Probability,
    low: int,
    high: int,
) -> tuple[int | None, ...]:
    """AboveThreshold that releases the noisy answer it compared, moved into low, …, high, instead of "above".

    Source: Roth (2011), Algorithm 3 of the figure.
    """
    noisy_threshold = threshold + source.discrete_laplace(threshold_ratio)
    released: list[int | None] = []
    for answer in answers:
        noisy = answer + source.discrete_laplace(query_ratio)
        if noisy >= noisy_threshold:
            return (*released, source.clamp(noisy, low, high))
        released.append(None)
    return tuple(released)


def without_scaled_noise(
    answers: Sequence[int],
    source: Source,
    *,
    threshold: int,
    threshold_ratio: Probability,
    query_ratio: Probability,
    positives: int,
) -> tuple[bool, ...]:
    """The sparse vector with query noise e^−ε₂ whatever c is.

    Source: Lee and Clifton (2014), Algorithm 4 of the figure.
    """
    ratios = {"threshold_ratio": threshold_ratio, "query_ratio": query_ratio}
    return sparse_vector(answers, source, threshold=threshold, positives=positives, **ratios)


def without_query_noise(
    answers: Sequence[int], source: Source, *, threshold: int, threshold_ratio: Probability
) -> tuple[bool, ...]:
    """Noise on the threshold only.

    Source: Stoddard and others (2014), Algorithm 5 of the figure.
    """
    noisy_threshold = threshold + source.discrete_laplace(threshold_ratio)
    return tuple(answer >= noisy_threshold for answer in answers)


def without_a_last_positive(
    answers: Sequence[int], source: Source, *, threshold: int, threshold_ratio: Probability, query_ratio: Probability
) -> tuple[bool, ...]:
    """It never stops: positives aren't counted.

    Source: Chen and others (2015), Algorithm 6 of the figure.
    """
    noisy_threshold = threshold + source.discrete_laplace(threshold_ratio)
    return tuple(answer + source.discrete_laplace(query_ratio) >= noisy_threshold for answer in answers)


def one_noise_for_all_queries(
    answers: Sequence[int], source: Source, *, threshold: int, threshold_ratio: Probability, query_ratio: Probability
) -> tuple[bool, ...]:
    """One draw is added to every query instead of a fresh one to each."""
    noisy_threshold = threshold + source.discrete_laplace(threshold_ratio)
    noise = source.discrete_laplace(query_ratio)
    return tuple(answer + noise >= noisy_threshold for answer in answers)
