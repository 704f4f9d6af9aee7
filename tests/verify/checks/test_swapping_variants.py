"""What came out for the variants of the PSA: the smallest witnesses, and the cases that bound the claims."""

from fractions import Fraction

import pytest

from mechanisms.broken import disjoint_pairs
from spec.loss import Loss
from verify.engines.swapping.variant_loss import laws_on_universe, loss_of_laws, loss_witness
from verify.evidence.finding import EngineError
from verify.evidence.verdict import Verdict

RATE = Fraction(1, 3)


def test_one_exchange_of_two_records_is_transitive_as_a_group_and_lacks_common_support(checked):
    witness = checked("psa.variants.transitive.printed").witness
    assert (witness["x"], witness["x_prime"]) == ([[0, 1], [1, 0]], [[1, 0], [0, 1]])
    assert (witness["probability"], witness["probability_prime"]) == ("1", "0")


def test_disjoint_pairs_have_a_finite_loss_on_two_records(checked):
    # p²/((1−p)² + p²) = 1/362 at p = 1/20
    (mutant,) = checked("psa.variants.pairs.printed").mutants
    assert mutant.evidence.witness["values"] == {"smallest": "1/362"}


def test_no_finite_budget_of_disjoint_pairs_covers_three_distinct_records(checked):
    record = checked("psa.variants.pairs.printed")
    assert record.verdict is Verdict.EXHAUSTED
    assert "impossible" in record.detail


@pytest.mark.parametrize(
    ("margins", "infinite"),
    [(((1, 1, 1), (1, 1, 1)), True), (((3, 1, 1), (2, 2, 1)), True), (((4, 1, 1), (2, 2, 2)), False)],
)
def test_disjoint_pairs_reach_every_table_where_one_large_row_helps(margins, infinite):
    found = loss_of_laws(laws_on_universe(disjoint_pairs, margins, swap_rate=RATE))
    assert found.loss.is_infinite == infinite


def test_the_proviso_on_nonuniform_derangements_excludes_them(checked):
    # Of the three records all are selected with probability p³; the weights of the two cycles are 2³ and 1³.
    accepted = 1 - 3 * RATE * (1 - RATE) ** 2
    values = checked("psa.variants.nonuniform.proviso").witness["values"]
    assert Fraction(values["high"]) == RATE**3 / accepted * Fraction(8, 9)
    assert Fraction(values["low"]) == RATE**3 / accepted / 9


def test_probabilistic_matching_changes_the_population_of_a_county(checked):
    (mutant,) = checked("psa.variants.cross-strata.printed").mutants
    values = mutant.evidence.witness["values"]
    assert values["persons"] != values["persons_after"]


def test_hard_strata_need_an_infinite_budget_where_matching_is_probabilistic(checked):
    (mutant,) = checked("psa.variants.cross-strata.budget").mutants
    assert len(mutant.evidence.witness["law_prime"]) == 1


def test_a_loss_within_its_budget_has_no_witness():
    found = loss_of_laws(laws_on_universe(disjoint_pairs, ((1, 1), (1, 1)), swap_rate=RATE))
    assert found.loss == Loss(2)
    with pytest.raises(EngineError, match="refutes nothing"):
        loss_witness(found, Loss(2))
