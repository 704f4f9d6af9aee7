"""The sparse vector technique and report noisy max, with unbounded noise of a `Source` that is compared, never read."""

from collections.abc import Sequence
from fractions import Fraction

from stirred.mechanisms.source import Source
from stirred.spec.arguments import positive_integer
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.blocks.multiverse import vacuous
from stirred.spec.blocks.specification import Flavor, Specification
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Probability
from stirred.spec.output_premetrics import Multiplicative


def sparse_vector(
    answers: Sequence[int],
    source: Source,
    *,
    threshold: int,
    threshold_ratio: Probability,
    query_ratio: Probability,
    positives: int = 1,
) -> tuple[bool, ...]:
    """For each answer whether it is above the threshold, both with noise, up to the last allowed positive.

    With `positives` = 1 it is AboveThreshold. One draw is added to the threshold, and a fresh one to each answer.

    Args:
        answers: the true answers of the queries, each of sensitivity 1.
        threshold: T.
        threshold_ratio: α of the threshold's noise, e^−ε₁.
        query_ratio: α of each query's noise, e^(−ε₂/2c).
        positives: c, after how many positive answers it stops.

    Source: Lyu, Su and Li (2017), Algorithm 1; Dwork and Roth (2014), Algorithm 1 for c = 1.
    """
    positive_integer("positives", positives)
    noisy_threshold = threshold + source.discrete_laplace(threshold_ratio)
    released: list[bool] = []
    for answer in answers:
        released.append(answer + source.discrete_laplace(query_ratio) >= noisy_threshold)
        if sum(released) == positives:
            break
    return tuple(released)


def sparse_vector_budget(threshold_ratio: Fraction, query_ratio: Fraction, positives: int = 1) -> Loss:
    """ε₁ + ε₂ with e^−ε₁ and e^(−ε₂/2c) the two ratios: γ = 1/(α_T·α_q^2c).

    Source: Lyu, Su and Li (2017), Theorem 2.

    >>> print(sparse_vector_budget(Fraction(1, 2), Fraction(1, 2)))
    ln(8) ≈ 2.07944
    """
    return Loss(1 / (threshold_ratio * query_ratio ** (2 * positives)))


def answers_specification(data_sets: Sequence[tuple[int, ...]], budget: Loss) -> Specification:
    """A budget for vectors of answers, of which each changes by at most 1 where one person's record does."""
    domain = FiniteDomain(tuple(data_sets), f"{len(data_sets)} vectors of answers")

    def largest_change(first: Sequence[int], second: Sequence[int]) -> int:
        return max(abs(a - b) for a, b in zip(first, second, strict=True))

    distance = InputPremetric("largest_change", "person", largest_change)
    return Specification.constant(Flavor(domain, vacuous(domain), distance, Multiplicative()), budget)


def report_noisy_max(answers: Sequence[int], source: Source, *, ratio: Probability) -> int:
    """The index of the largest answer after adding discrete Laplace noise to each; of equal ones the first.

    Args:
        answers: the true answers of the queries, each of sensitivity 1.
        ratio: α of the noise, e^(−ε/2).

    Source: Dwork and Roth (2014), section 3.3, with discrete noise.
    """
    noisy = [answer + source.discrete_laplace(ratio) for answer in answers]
    return noisy.index(max(noisy))


def report_noisy_max_budget(ratio: Fraction) -> Loss:
    """ε = 2·ln(1/α): where one person can raise one answer and lower another.

    Source: Dwork and Roth (2014), Claim 3.9 and its proof, for queries that are not monotone.

    >>> report_noisy_max_budget(Fraction(1, 2)) == Loss(4)
    True
    """
    return Loss(1 / ratio**2)
