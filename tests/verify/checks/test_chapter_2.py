import pytest

from spec.loss import Loss
from verify.certificates.replay import replay
from verify.checks.appendix_a_borel import _topologies
from verify.checks.chapter_2_algebras import _PREMETRICS, _exposed, _increase, _measurable
from verify.checks.chapter_2_processing import DISTANCES, _immune, _noise_invariant, _processed


def test_shared_seeds_cost_more_than_the_sum(checked):
    assert checked("composition.shared-seeds").detail.endswith("the pair has 0, ln(3) ≈ 1.09861, infinite")


@pytest.mark.parametrize("name", DISTANCES)
def test_the_premetrics_tried_have_the_properties_that_they_were_made_for(name):
    measured = DISTANCES[name]
    assert _processed(measured) == (name != "2 - D_TV of different laws")
    assert _noise_invariant(measured) == (name != "outcomes times D_TV")
    assert _immune(measured, (None,))


def test_post_processing_keeps_the_doubled_premetric_and_a_coarser_sigma_algebra_breaks_it():
    measured = _PREMETRICS["D_TV, doubled where not all subsets are measurable"]
    assert _exposed(measured) is None
    case = _increase(measured, _measurable)
    assert (case.before.value, case.after.value) == (1, 2)  # in halves
    assert (case.f, sorted(map(sorted, case.target))) == ((0, 0, 1), [[], [0, 1, 2], [0, 2], [1]])


def test_there_are_29_topologies_on_three_points():
    assert [sum(1 for _ in _topologies(size)) for size in (1, 2, 3)] == [1, 4, 29]


@pytest.mark.parametrize(
    ("claim_id", "sentence"),
    [
        ("post-processing.iff-tradeoff.functions", "left 2, right 3"),
        ("post-processing.function-of-tradeoff", "left 3, right 2"),
        ("post-processing.iff-data-processing", "left 1/2, right 1)"),
        ("post-processing.randomised-implied", "left 4/3, right 2/3"),
        ("pure.likelihood-ratio", "left 3/16, right 1/8"),
        ("tradeoff.type-two", "left 1, right 3/4"),
        ("components.unconnected.equivalent", "near = 1/3"),
    ],
)
def test_a_witness_holds_the_numbers_that_refute_it(checked, claim_id, sentence):
    assert sentence in replay(checked(claim_id).witness)


def test_the_sum_of_stated_matrices_is_more_than_composition_can_reach(checked):
    changes = {mutant.change: mutant for mutant in checked("composition.different-flavors").mutants}
    witness = changes["the sum of the matrices as they are stated, not of their closures"].evidence.witness
    assert replay(witness).startswith("false at pair = 1/4, bound = 0")


def test_closure_under_composition_depends_on_the_distances_too_where_a_premetric_is_one_sided(checked):
    changes = {mutant.change: mutant.evidence for mutant in checked("post-processing.only-premetric.symmetric").mutants}
    assert "closed at d = (1, 1), not at (1, oo)" in changes["any D_Pr, for compositions"].detail


def test_a_path_against_the_relation_asks_for_more_where_a_premetric_is_one_sided(checked):
    changes = {mutant.change: mutant.evidence for mutant in checked("sharpening.triangle").mutants}
    # point mass from a fair coin: finite, and oo the other way round
    assert changes["paths along the edges either way"].witness["values"] == {"apart": "0", "length": "1"}


def test_randomized_response_costs_all_its_records_between_unordered_neighbors(checked):
    (mutant,) = checked("neighbors.local").mutants
    assert f"the loss of the neighbors (0, 0, 1) and (1, 1, 0) is {Loss(27)}" in mutant.evidence.detail
