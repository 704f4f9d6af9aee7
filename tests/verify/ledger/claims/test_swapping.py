"""The laws that claims on swapping compare are what they are said to be, and sampled states move whom they say."""

from fractions import Fraction

import numpy as np
import pytest

from stirred.mechanisms.swapping.permutation_counts import psa_law
from stirred.spec.budgets.loss import Loss
from stirred.spec.flavors.permutation_swapping import psa_budget
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.claims.pairwise_swapping.sampled_states import sampled_cases
from stirred.verify.ledger.claims.psa import (
    bounds,  # noqa: F401 the first for the words of f(b)
    budget,
)
from stirred.verify.ledger.claims.psa.bounds import bound_f
from stirred.verify.ledger.claims.psa.cases import enough_rates, permutation_law
from stirred.verify.ledger.claims.psa_exact.universes import mean_quotient
from stirred.verify.ledger.failures import says_so
from stirred.verify.ledger.quantifiers import every

REFUTED = {
    "psa.swap-probability.printed": ("misprint", {"n": 2, "p": {"number": "1/2"}}),
    "psa.swap-probability.constant.printed": ("incomplete", {"sizes": [2, 3]}),
    "psa.selected-records.printed": ("incomplete", {"x": [[0, 0], [0, 1], [1, 0]], "z": [[0, 0], [0, 1], [1, 0]]}),
    "psa.swap-key.printed": ("misprint", {"x": [0, 0, 1], "y": [0, 1, 0]}),
    "psa.proof.maximum.printed": ("incomplete", {"n": 3, "D": 2}),
    "psa.full-swapping.proof-step": ("incomplete", {"x": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}),
    "psa.unit-pair.printed": ("incomplete", None),
    "psa.budget.necessary.printed": ("incomplete", {"b": 2, "p": {"number": "1/2"}}),
    "optimality.bound-value.printed": ("misprint", {"b": 10}),
}
"""The grade of each refuted claim, and what its case holds; None where the witness is a formula."""


def test_an_exchange_in_four_rows_of_one_record_each_has_its_quotient_by_the_law():
    """x is the diagonal, E says that the first two records stay: in x that is e = 0 or 2 of the others, in x' e + 2."""
    identity = tuple(tuple(int(i == j) for j in range(4)) for i in range(4))
    swapped = (identity[1], identity[0], *identity[2:])
    p = Fraction(1, 3)
    event = [z for z in psa_law(identity, p) if z[:2] == identity[:2]]
    here, there = (sum(psa_law(x, p)[z] for z in event) for x in (identity, swapped))
    assert mean_quotient(4, 1, p) == here / there


def test_the_product_laws_of_two_strata_violate_half_of_e_to_the_budget(monkeypatch):
    def halved(size, rate):
        return Loss(max(psa_budget(size, rate).gamma / 2, Fraction(1)))

    monkeypatch.setattr(budget, "psa_loss", halved)
    evidence = every(budget.strata_and_rates, budget.product_laws).run()
    assert evidence.verdict is Verdict.REFUTED
    assert len(evidence.witness["x"]) == 2


def test_the_exact_loss_that_refutes_proposition_9_is_below_its_bound_at_every_rate_tried():
    """The bound is 0.5 ln(d(8)/d(6)) - ln o with d(8) = 14833 and d(6) = 265."""
    for rate in (Fraction(1, 2), Fraction(3, 4)):
        loss = universe_loss((3, 3, 1, 1), (2, 2, 2, 1, 1), rate)
        assert loss.distance == 2
        assert loss.gamma < Fraction(14833, 265) / (rate / (1 - rate)) ** 2


def test_f_at_ten_lies_between_0_14800_and_0_14801():
    values = {"low": Fraction("0.14800"), "high": Fraction("0.14801")}
    assert says_so(lambda low, high: low < bound_f(10) < high, **values)


@pytest.mark.parametrize("sizes", [(1,), (2,), (3,), (4,), (2, 3), (1, 3), (2, 4)])
def test_probabilities_of_permutations_are_quotients_of_polynomials_of_degree_n(sizes):
    """So sums of them, and products of two such sums, agree with such a quotient if they do at 2n + 1 rates."""
    n = sum(sizes)
    for probability in permutation_law(*sizes).values():
        if isinstance(probability, RationalFunction):
            assert max(probability.numerator.degree(), probability.denominator.degree()) <= n
    rates = [rate for rate, _ in enough_rates(sizes)]
    assert len(set(rates)) == 2 * n + 1
    assert rates[0] == Fraction(1, 2)
    assert all(0 < rate < 1 for rate in rates)


def test_the_law_of_the_permutation_gives_the_law_of_the_table():
    """Three records (0, 0), (1, 1), (2, 2): each permutation gives a table of its own, of the same probability."""
    rate, law = next(enough_rates([3]))
    identity = tuple(tuple(int(i == j) for j in range(3)) for i in range(3))
    assert sorted(law.values()) == sorted(q for _, q in psa_law(identity, rate).items() if q)


STAGES = "before targets_left all_left targets_arrived after"


@pytest.mark.parametrize(
    "claim_id",
    [
        "pairwise.entropy.rates",
        "pairwise.entropy.steps.sampled",
        "pairwise.regression.weights.sampled",
        "pairwise.errors.regression-to-the-mean",
    ],
)
def test_a_tendency_is_no_more_than_sampled_and_says_how(claim_id, checked):
    record = checked(claim_id)
    assert record.verdict is Verdict.SAMPLED
    assert "6000 households with seeds 1 to 8" in record.scope
    assert "probability 2/2^8" in record.scope


def test_the_steps_of_a_sampled_state_move_whom_they_say():
    """Targets and partners leave and come back: persons of each race are as many, those of a tract too."""
    for case in sampled_cases(Fraction(1, 10), STAGES):
        before, targets_left, all_left, targets_arrived, after = map(np.array, case)
        assert (before.sum(axis=0) == after.sum(axis=0)).all()
        assert (before.sum(axis=1) == after.sum(axis=1)).all()
        assert (before != after).any()
        targets = before - targets_left
        partners = targets_left - all_left
        assert targets.min() == partners.min() == 0
        assert (targets.sum(axis=0) == (targets_arrived - all_left).sum(axis=0)).all()
        assert (partners.sum(axis=0) == (after - targets_arrived).sum(axis=0)).all()
        assert ((targets_arrived - all_left).sum(axis=1) == partners.sum(axis=1)).all()
