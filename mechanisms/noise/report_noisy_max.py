"""Report noisy max: which of some counts is the largest after adding unbounded noise to each."""

from collections.abc import Sequence
from fractions import Fraction

from stirred.mechanisms.source import Source
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Probability


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
