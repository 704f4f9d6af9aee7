"""A test that was tried on a mechanism from outside: what its counts say of a claimed budget."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from spec.loss import Loss
from verify.engines.inference.observed_rates import CountedTest

__all__ = ["observed_note"]


def observed_note(test: CountedTest, error: Fraction, gamma: Fraction) -> str:
    """Whether the counts of a test agree with a budget, in words.

    Args:
        test: the counts under each of two data sets.
        error: the probability with which the words may be wrong where they exclude a budget.
        gamma: e^ε of the budget.

    Raises:
        InputError: the counts or the error are malformed.

    >>> observed_note(CountedTest(3, 1000, 620, 1000), Fraction(1, 20), Fraction(3)).partition(" show ")[2]
    'epsilon >= 4.210, but for a probability of 1/20: the budget is not met'
    """
    loss = test.smallest_loss(error)
    seen = (
        f"{test.false_positives} of {test.negatives} rejections under one data set and {test.true_positives} of "
        f"{test.positives} under another at distance {test.distance}"
    )
    if loss.is_zero:
        return f"{seen} exclude no budget"
    verdict = "as the budget allows" if loss <= Loss(gamma) else "the budget is not met"
    whole, part = divmod(floor(loss.epsilon().lower * 1000), 1000)
    return f"{seen} show epsilon >= {whole}.{part:03}, but for a probability of {error}: {verdict}"
