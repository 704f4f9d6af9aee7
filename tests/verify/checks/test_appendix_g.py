import pytest

from spec.claims import appendix_g, discrete_gaussian
from verify.replay import replay
from verify.verdict import Verdict

CLAIMS = (*appendix_g.CLAIMS, *discrete_gaussian.CLAIMS)
FALSE_AS_PRINTED = {"premetrics.composition.printed"}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_each_statement_is_refuted_iff_it_is_false_as_printed(claim, checked):
    record = checked(claim.id)
    if claim.id in FALSE_AS_PRINTED:
        assert record.verdict is Verdict.REFUTED
        assert replay(record.witness).startswith("false")
    else:
        assert record.verdict.is_settled_for
        assert record.mutants


def test_each_false_statement_has_a_repair():
    assert {claim.repairs for claim in CLAIMS if claim.repairs} == FALSE_AS_PRINTED


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
