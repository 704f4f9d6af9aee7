from spec.claims import claim
from verify.checks.section_5 import TABLE_5
from verify.evidence.verdict import Verdict


def test_the_table_in_the_claim_is_the_table_that_is_checked():
    statement = claim("numbers.table-5").statement
    for _, b, budgets in TABLE_5:
        assert f"{b:,}" in statement
        assert all(budget in statement for budget in budgets)


def test_every_refutation_replays_with_its_smallest_values(checked):
    witness = checked("post-imputation.factor.printed").witness
    assert witness["values"] == {"changed": "2", "duplicates": "1"}


def test_the_normal_laws_settle_every_order_at_once(checked):
    record = checked("renyi.finite-where-multiplicative-infinite")
    assert record.verdict is Verdict.DECIDED
    assert "for all mu > 0, alpha > 1" in record.scope


def test_a_nearest_donor_changes_two_duplicates_for_one(checked):
    (less,) = checked("post-imputation.factor.nearest-donor").mutants
    assert less.evidence.witness["values"] == {"changed": "3", "duplicates": "1"}


def test_finite_laws_have_no_small_distance_where_the_ratio_is_infinite(checked):
    (finite,) = checked("renyi.finite-where-multiplicative-infinite").mutants
    assert finite.evidence.witness["values"] == {"found": "0"}


def test_the_range_of_table_5_is_found_among_all_its_entries(checked):
    changes = {mutant.change for mutant in checked("numbers.table-4.psa-range").mutants}
    assert "the budgets at 50% alone" in changes


def test_the_number_of_households_one_level_lower_stays_where_the_remark_does_not_say_so(checked):
    assert checked("psa.table-5.invariants.printed").witness["values"] == {"value": "1", "value_prime": "0"}


def test_a_constant_release_costs_nothing(checked):
    values = checked("das.other-releases.printed").witness["values"]
    # P = (1/4, 3/4), Q = (1/2, 1/2): (1/16 + 9/16) * 2
    assert values == {"total": "5/4", "before": "5/4"}


def test_a_single_holding_category_is_given_back_by_the_swapping_categories(checked):
    changes = {mutant.change: mutant.evidence for mutant in checked("psa.one-invariant-less").mutants}
    # up to 2 records that differ in the swapping category alone: without n_11. no pair is left to tell apart
    assert changes["or leaves out the n_mh. of a single holding category"].witness["values"] == {"smallest": "1"}


def test_a_second_release_that_sees_the_data_may_cost_everything(checked):
    changes = {mutant.change: mutant.evidence for mutant in checked("das.other-releases").mutants}
    witness = changes["a function of the data and of T_1, for a function of T_1"].witness
    assert witness["values"] == {"both": "0", "before": "1"}


def test_swapping_with_the_quarters_of_each_block_would_be_nested(checked):
    (nested,) = checked("das.flavors-not-nested").mutants
    assert nested.evidence.witness["values"] == {"pairs": "0"}


def test_neither_source_prints_the_other_ones_range(checked):
    assert "19.38, recomputed 19.38" in checked("sources.psa-budgets").detail
    assert "380.32" in checked("sources.rho-squared").detail
