import pytest

from verify.checks.chapter_2_processing import _DISTANCES, _immune, _noise_invariant, _processed


def test_shared_seeds_cost_more_than_the_sum(checked):
    assert checked("composition.shared-seeds").detail.endswith("the pair has 0, ln(3) ≈ 1.09861, infinite")


@pytest.mark.parametrize("name", _DISTANCES)
def test_the_premetrics_tried_have_the_properties_that_they_were_made_for(name):
    measured = _DISTANCES[name]
    assert _processed(measured) == (name != "2 - D_TV of different laws")
    assert _noise_invariant(measured) == (name != "outcomes times D_TV")
    assert _immune(measured, (None,))
