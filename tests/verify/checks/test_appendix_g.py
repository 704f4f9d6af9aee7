from fractions import Fraction

import pytest

from spec.enclosure import Enclosure
from verify.checks import appendix_g_standard
from verify.evidence.verdict import Verdict


def test_two_free_approximate_releases_are_together_infinite(checked):
    assert "infinite against 0 and 0" in checked("premetrics.composition.printed").detail


@pytest.mark.parametrize(
    ("claim_id", "changes"),
    [
        ("zcdp.metric", {"D_alpha(P||Q) for the maximum", "D_NoR^2, the standard parameterization, for D_NoR"}),
        ("zcdp.randomized-response", {"the supremum over alpha >= 3/2", "the supremum over alpha >= 2"}),
        ("zcdp.composition", {"max(rho_1, rho_2) for the root of the sum of squares", "one seed for both"}),
        ("gaussian.zcdp", {"sigma for sigma^2", "m for m^2"}),
        ("gaussian.not-pure", {"the discrete Laplace law for the Gaussian", "m = 0 allowed"}),
    ],
)
def test_the_planted_changes_are_refuted(claim_id, changes, checked):
    assert {mutant.change for mutant in checked(claim_id).mutants} >= changes


def test_the_standard_parametrization_differs_first_at_distance_two(checked):
    changes = {mutant.change: mutant.evidence for mutant in checked("zcdp.standard-parametrization").mutants}
    witness = changes["data sets at distance 2 among them"].witness
    assert (witness["values"]["distance"], witness["values"]["alpha"]) == ("2", "2")


@pytest.mark.parametrize("value", [Fraction(0), Fraction(1, 7)])
def test_the_standard_parametrization_fails_with_another_normalized_renyi_metric(value, monkeypatch):
    monkeypatch.setattr(appendix_g_standard, "enclosed", lambda _p, _q: Enclosure(value, value))
    assert appendix_g_standard.standard_parametrization().verdict is Verdict.REFUTED


def test_a_distance_that_merging_increases_is_refused(checked):
    mutants = {mutant.change: mutant.evidence for mutant in checked("premetrics.composition").mutants}
    values = mutants["the largest difference max_t |P(t) - Q(t)| for D_TV"].witness["values"]
    assert Fraction(values["both"]) > Fraction(values["total"])
