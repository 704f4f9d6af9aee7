import pytest

from stirred.verify.evidence.verdict import Verdict


@pytest.mark.parametrize(
    "claim_id",
    [
        "psa.swap-rate.controlled",
        "psa.variants.imputed.printed",
        "psa.variants.imputed.smaller",
        "psa.variants.transitive.printed",
        "psa.variants.pairs.printed",
        "psa.variants.cross-strata.printed",
        "psa.variants.nonuniform.printed",
        "psa.variants.rates.printed",
    ],
)
def test_a_statement_about_variants_holds_as_an_attentive_reader_takes_it(claim_id, checked):
    assert checked(claim_id).verdict is Verdict.EXHAUSTED


def test_every_set_of_permutations_of_few_records_is_tried_for_transitivity(checked):
    """n = 2: 3 sets, one universe; n = 3: 63 sets, four universes; n = 4: 31 unions of cycle types, nine universes."""
    assert f"{3 + 4 * 63 + 9 * 31} cases" in checked("psa.variants.transitive.printed").detail


def test_swap_rates_by_place_violate_lemma_4_at_distance_0(checked):
    (mutant,) = [one for one in checked("psa.variants.rates.printed").mutants if "place" in one.change]
    case = mutant.evidence.witness["case"]
    assert sorted(case["x"]) == sorted(case["y"])
    assert case["x"] != case["y"]
