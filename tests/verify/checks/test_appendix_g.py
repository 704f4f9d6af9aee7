import pytest


def test_two_free_approximate_releases_are_together_infinite(checked):
    assert "infinite against 0 and 0" in checked("premetrics.composition.printed").detail


@pytest.mark.parametrize(
    ("claim_id", "changes"),
    [
        ("zcdp.metric", {"D_alpha(P||Q) for the maximum", "D_NoR^2, the standard parameterization, for D_NoR"}),
        ("zcdp.randomized-response", {"the supremum over alpha >= 3/2", "the supremum over alpha >= 2"}),
        ("zcdp.composition", {"max(rho_1, rho_2) for the root of the sum of squares", "one seed for both"}),
        ("gaussian.zcdp", {"sigma for sigma^2", "m for m^2"}),
    ],
)
def test_the_planted_changes_are_refuted(claim_id, changes, checked):
    assert {mutant.change for mutant in checked(claim_id).mutants} >= changes


def test_the_standard_parametrization_differs_first_at_distance_two(checked):
    (mutant,) = checked("zcdp.standard-parametrization").mutants
    assert mutant.evidence.witness["values"]["d"] == "2"
