"""A test that was tried on a mechanism from outside: what its counts say of a claimed budget, with their confidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import Loss
from stirred.verify.audit.inference.learned import Attained
from stirred.verify.engines.inference.power import CountedTest
from stirred.verify.evidence.verdict import Verdict

_PLACES = 3


@dataclass(frozen=True)
class Observed:
    """What the counts of a test say of a claimed budget: REFUTED, which is sampled, or OPEN.

    Attributes:
        verdict: REFUTED where the counts exclude the budget, but for `error`; else OPEN, as no counts can show it.
        error: the probability with which REFUTED is wrong at most.
        least: the loss that the counts show, but for `error`.
    """

    verdict: Verdict
    test: CountedTest
    error: Fraction
    least: Loss
    sentence: str
    scope: str

    def record(self) -> dict[str, Any]:
        """The finding in plain JSON values, with exact fractions."""
        return {
            "verdict": self.verdict.name,
            "sentence": self.sentence,
            "scope": self.scope,
            "is_sampled": True,
            "confidence": str(1 - self.error),
            "false_positives": [self.test.false_positives, self.test.negatives],
            "true_positives": [self.test.true_positives, self.test.positives],
            "distance": self.test.distance,
            "least_epsilon": _decimal(self.least),
            "least_ratio": str(self.least.gamma),
        }


def counted_test(place: str, counts: Sequence[int], distance: int | None, attained: Attained) -> CountedTest:
    """The test that was tried, at a distance that two data sets of one universe can have.

    Args:
        place: the claim's id.
        counts: rejections and trials under one data set, then under the other one.
        distance: between the two; None where it is not stated, for 1.
        attained: which distances there are.
    """
    stated = 1 if distance is None else distance
    if attained.excludes(stated):
        option = "--observed requires --distance" if distance is None else "--distance must differ"
        raise InputError(f"{place}: {option}: no two data sets of one universe are {stated} apart")
    false_positives, negatives, true_positives, positives = counts
    return CountedTest(false_positives, negatives, true_positives, positives, stated)


def observed(test: CountedTest, error: Fraction, budgets: Sequence[tuple[Fraction, str]]) -> Observed:
    """Whether the counts of a test exclude a budget: the largest, where a mechanism has several settings.

    Args:
        test: the counts under each of two data sets.
        error: the probability with which a refutation may be wrong.
        budgets: e^ε of the budget and its words, for each setting of the mechanism.

    >>> found = observed(CountedTest(3, 1000, 620, 1000), Fraction(1, 20), [(Fraction(3), "gamma = 3")])
    >>> found.verdict.name, found.sentence.partition(" show ")[2]
    ('REFUTED', 'epsilon >= 4.210 at confidence 19/20: the budget is not met, gamma = 3')
    """
    gamma, words = max(budgets)
    least = test.smallest_loss(error)
    seen = (
        f"{test.false_positives} of {test.negatives} rejections under one data set and {test.true_positives} of "
        f"{test.positives} under another at distance {test.distance}"
    )
    budget = "the budget" if len(budgets) == 1 else "the largest budget of its settings"
    verdict = Verdict.OPEN if least <= Loss(gamma) else Verdict.REFUTED
    shown = f"sampled: {seen} show epsilon >= {_decimal(least)} at confidence {1 - error}"
    if verdict is Verdict.REFUTED:
        sentence = f"{shown}: {budget} is not met, {words}"
    elif least.is_zero:
        sentence = f"sampled: {seen} exclude no budget at confidence {1 - error}"
    else:
        sentence = f"{shown}, as {budget} allows, {words}; whether it is met is not shown"
    scope = (
        f"exact binomial bounds (Clopper and Pearson), wrong with probability at most {error}, if this mechanism ran "
        f"{test.negatives + test.positives} times independently, on two data sets of one universe, and the test was "
        "chosen before"
    )
    return Observed(verdict, test, error, least, sentence, scope)


def _decimal(loss: Loss) -> str:
    """The loss in nats, rounded down."""
    whole, part = divmod(floor(loss.epsilon().lower * 10**_PLACES), 10**_PLACES)
    return f"{whole}.{part:0{_PLACES}}"
