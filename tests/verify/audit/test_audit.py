"""The auditor: its answers, complete or vacuous, met or exceeded, with witnesses that replay; what theorems settle."""

from fractions import Fraction
from pathlib import Path

import pytest
from claim_texts import CLAIMS, SCHEMA, SOUND, answer, audited, replaced

from stirred.spec import Loss
from stirred.verify.audit.exhaust.claim import exhaust
from stirred.verify.engines.printed_number import parse_printed
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import loss_bounds
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims

COIN = replaced((CLAIMS / "coin.toml").read_text(encoding="utf-8"), (": epsilon = ln 3 for each person", ""))
GEOMETRIC = replaced((CLAIMS / "geometric.toml").read_text(encoding="utf-8"), (" satisfies epsilon = 1/10", ""))


class TestCompleteness:
    @pytest.mark.parametrize("block", ["domain", "multiverse", "input_premetric", "output_premetric", "budget"])
    def test_a_missing_block_is_named(self, block: str, tmp_path: Path) -> None:
        start = SCHEMA.index(f"[{block}]")
        end = SCHEMA.index("\n[", start) + 1
        record = audited(tmp_path, SCHEMA[:start] + SCHEMA[end:])
        assert answer(record, "complete").verdict is Verdict.OPEN
        assert f"not stated: {block}" in answer(record, "complete").detail
        assert record.verdict is not Verdict.EXHAUSTED

    def test_a_block_in_words_only_is_named(self, tmp_path: Path) -> None:
        record = audited(tmp_path, replaced(SOUND, ("gamma = 4", 'description = "a small budget"')))
        assert answer(record, "complete").detail == "all five blocks are named; in words only: budget"
        assert record.verdict is Verdict.OPEN

    def test_an_input_premetric_without_resolution_is_incomplete(self, tmp_path: Path) -> None:
        record = audited(tmp_path, replaced(SOUND, ('resolution = "household"', "")))
        assert answer(record, "complete").detail == "not stated: the resolution of the input_premetric"
        assert record.verdict is Verdict.OPEN


class TestVacuity:
    def test_a_multiverse_without_universes_is_vacuous(self, tmp_path: Path) -> None:
        record = audited(tmp_path, replaced(SCHEMA, ("invariants = []", "universes = []")))
        assert answer(record, "vacuity").detail.startswith("vacuous, so every mechanism satisfies it: 0 universes")
        assert record.verdict is Verdict.OPEN

    def test_a_claim_whose_universes_are_singletons_is_vacuous_whatever_the_mechanism(self, tmp_path: Path) -> None:
        record = audited(
            tmp_path, replaced(SCHEMA, ("invariants = []", 'invariants = [["vote"]]'), ("gamma = 2", "gamma = 1"))
        )
        assert answer(record, "vacuity").detail.startswith(
            "vacuous, so every mechanism satisfies it: 3 universes, all of them trivial"
        )
        assert answer(record, "budget").verdict is Verdict.EXHAUSTED
        assert record.verdict is Verdict.OPEN

    def test_a_claim_without_a_pair_at_a_finite_distance_is_vacuous(self, tmp_path: Path) -> None:
        changes = [("records = 2", "records = [0, 1]"), ('["no", "yes"]', '["yes"]')]
        record = audited(tmp_path, replaced(SCHEMA, *changes))
        assert "0 pairs compared" in answer(record, "vacuity").detail
        assert record.verdict is Verdict.OPEN

    def test_margins_with_one_table_are_vacuous(self, tmp_path: Path) -> None:
        record = audited(tmp_path, replaced(SOUND, ("[2, 1]", "[3]")))
        assert answer(record, "vacuity").detail.startswith(
            "vacuous, so every mechanism satisfies it: 1 universe, trivial"
        )


class TestBudget:
    def test_the_smallest_budget_is_met_and_anything_below_it_is_exceeded(self, tmp_path: Path) -> None:
        smallest = universe_loss((2, 1), (1, 2), Fraction(1, 2))
        assert smallest == Loss(Fraction(4, 3), 2)
        met = audited(tmp_path, replaced(SOUND, ("gamma = 4", 'epsilon = "0.1439"')))
        exceeded = audited(tmp_path, replaced(SOUND, ("gamma = 4", 'epsilon = "0.1438"')))
        assert (met.verdict, exceeded.verdict) == (Verdict.EXHAUSTED, Verdict.REFUTED)

    def test_an_exact_gamma_is_met_at_equality(self, tmp_path: Path) -> None:
        text = COIN
        assert audited(tmp_path, text).verdict is Verdict.EXHAUSTED
        below = replaced(text, ("gamma = 3", 'gamma = "299/100"'))
        assert audited(tmp_path, below).verdict is Verdict.REFUTED

    def test_a_budget_rounded_down_is_refuted_and_rounded_up_is_met(self, tmp_path: Path) -> None:
        text = COIN
        verdicts = [
            audited(tmp_path, replaced(text, ("gamma = 3", f'epsilon = "{epsilon}"'))).verdict
            for epsilon in ("1.09861228866810", "1.09861228866811")  # ln 3 = 1.0986122886681098…
        ]
        assert verdicts == [Verdict.REFUTED, Verdict.EXHAUSTED]

    def test_what_needs_just_the_bound_above_a_claimed_number_is_refuted_by_a_witness_that_replays(
        self, tmp_path: Path
    ) -> None:
        (_, above), *_ = loss_bounds(ClaimedBudget(epsilon=parse_printed("epsilon", "0.8")))
        flip = 1 / (1 + above.gamma)
        text = replaced(COIN, ("gamma = 3", 'epsilon = "0.8"'), ('probability = "1/4"', f'probability = "{flip}"'))
        text = replaced(text, (" with probability 1/4", ""))
        assert audited(tmp_path, text).verdict is Verdict.REFUTED

    def test_an_enclosed_budget_is_said_beside_the_claimed_one(self, tmp_path: Path) -> None:
        changes = [('name = "multiplicative"', 'name = "normalized_renyi"'), ("gamma = 3", 'rho_squared = "1/2"')]
        record = audited(tmp_path, replaced(COIN, *changes))
        assert answer(record, "budget").detail.startswith("claimed rho^2 = 1/2 < required ≈ 0.549306; x = ")

    def test_a_logarithm_is_a_budget_and_no_less(self, tmp_path: Path) -> None:
        text = COIN
        met = ("ln 3", "ln(9)/2", "1/2*ln 9", "2 ln 1.74")  # 1.74^2 = 3.0276
        for epsilon in (*met, "ln 2.99", "2*ln 1.73"):  # 1.73^2 = 2.9929
            record = audited(tmp_path, replaced(text, ("gamma = 3", f'epsilon = "{epsilon}"')))
            assert record.verdict is (Verdict.EXHAUSTED if epsilon in met else Verdict.REFUTED)

    def test_an_infinite_budget_is_met_and_zero_only_without_loss(self, tmp_path: Path) -> None:
        def verdict(mechanism: str, budget: str) -> Verdict:
            changes = [('name = "identity"', mechanism), ("gamma = 2", budget)]
            return audited(tmp_path, replaced(SCHEMA, *changes)).verdict

        assert verdict('name = "identity"', 'epsilon = "infinite"') is Verdict.EXHAUSTED
        assert verdict('name = "identity"', "epsilon = 100") is Verdict.REFUTED
        assert verdict('name = "constant"', "epsilon = 0") is Verdict.EXHAUSTED
        assert verdict('name = "peeking-constant"', "epsilon = 0") is Verdict.REFUTED

    def test_releasing_the_invariants_costs_nothing_inside_their_universes(self, tmp_path: Path) -> None:
        changes = [
            ('{ vote = ["no", "yes"] }', '{ vote = ["no", "yes"], age = [1, 2] }'),
            ("invariants = []", 'invariants = ["size", ["vote"], ["age"]]'),
            ('name = "identity"', 'name = "release-invariants"'),
            ("gamma = 2", "gamma = 1"),
        ]
        record = audited(tmp_path, replaced(SCHEMA, *changes))
        assert record.verdict is Verdict.EXHAUSTED
        assert "size, vote, age" in answer(record, "outside").detail

    @pytest.mark.parametrize(
        ("delta", "gamma", "verdict"),
        # The coin's laws at distance 1 are {3/4, 1/4}: E_γ = 3/4 − γ/4, so δ = 1/4 is met from γ = 2.
        [("1/4", "2", Verdict.EXHAUSTED), ("1/4", "199/100", Verdict.REFUTED), ("0", "3", Verdict.EXHAUSTED)],
    )
    def test_approximate_privacy_is_decided_exactly(
        self, delta: str, gamma: str, verdict: Verdict, tmp_path: Path
    ) -> None:
        text = replaced(
            COIN,
            ("records = 3", "records = 1"),
            ('name = "multiplicative"', f'name = "approximate_multiplicative"\ndelta = "{delta}"'),
            ("gamma = 3", f'gamma = "{gamma}"'),
        )
        record = audited(tmp_path, text)
        assert record.verdict is verdict
        assert f"approximate_multiplicative, delta = {delta}, hamming" in answer(record, "budget").scope

    @pytest.mark.parametrize(("budget", "verdict"), [("1/2", Verdict.EXHAUSTED), ("0.49", Verdict.REFUTED)])
    def test_total_variation_is_decided_exactly(self, budget: str, verdict: Verdict, tmp_path: Path) -> None:
        text = replaced(
            COIN,
            ('name = "multiplicative"', 'name = "total_variation"'),
            ("gamma = 3", f'epsilon = "{budget}"'),
        )
        assert audited(tmp_path, text).verdict is verdict

    def test_strata_and_whole_data_sets_give_the_same_smallest_budget(self, tmp_path: Path) -> None:
        margins = "[{ rows = [2, 1], columns = [1, 2] }, { rows = [1, 1], columns = [1, 1] }]"
        texts = [replaced(SOUND, ("[{ rows = [2, 1], columns = [1, 2] }]", margins), ('"1/2"', '"4/5"'))]
        texts.append(replaced(texts[0], ('invariants = ["swapping"]', 'invariants = ["swapping", "size"]')))
        smallest = []
        for text in texts:
            file = tmp_path / "claim.toml"
            file.write_text(text, encoding="utf-8")
            (claim,) = read_claims([file])
            built = build_claim(claim)
            (case,) = built.cases
            found = exhaust(built, case)
            assert found is not None
            smallest.append((built.swapping_margins is None, found.smallest))
        assert [generic for generic, _ in smallest] == [False, True]
        assert smallest[0][1] == smallest[1][1]

    def test_swapping_over_a_schema_is_swapping_over_its_margins(self, tmp_path: Path) -> None:
        text = replaced(
            SCHEMA,
            ('{ vote = ["no", "yes"] }', '{ own = ["no", "yes"], county = [1, 2] }'),
            ("records = 2", "records = 3"),
            ("invariants = []", 'invariants = ["swapping"]'),
            (
                'name = "identity"',
                'name = "permutation-swapping"\nswap_rate = "1/2"\nholding = ["own"]\nswapping = ["county"]',
            ),
            ("gamma = 2", 'gamma = "2"'),
        )
        record = audited(tmp_path, text)
        # The universes with two data sets have margins (2, 1) in rows and columns, up to the names of categories.
        assert "the smallest budget is ln(4/3)/2" in answer(record, "mechanism").detail
        assert record.verdict is Verdict.EXHAUSTED

    def test_swapping_outside_its_invariants_is_refuted(self, tmp_path: Path) -> None:
        schema = replaced(
            SCHEMA,
            ('{ vote = ["no", "yes"] }', '{ own = ["no", "yes"], county = [1, 2] }'),
            (
                'name = "identity"',
                'name = "permutation-swapping"\nswap_rate = "1/2"\nholding = ["own"]\nswapping = ["county"]',
            ),
        )
        record = audited(tmp_path, schema)
        assert record.verdict is Verdict.REFUTED
        assert "the smallest budget is infinite" in answer(record, "mechanism").detail

    def test_listed_universes_and_distances_are_followed(self, tmp_path: Path) -> None:
        text = replaced(
            GEOMETRIC,
            ("invariants = []", "universes = [[0, 1], [1, 2]]"),
            ('name = "absolute_difference"', 'name = "explicit"\ndistances = [[0, 1, 2], [1, 0, 2], [1, 2, "1/2"]]'),
            ('epsilon = "0.1"', 'gamma = "3/2"'),
        )
        record = audited(tmp_path, text)
        assert answer(record, "vacuity").detail.startswith("not vacuous: 2 universes, none of them trivial; 2 pairs")
        assert record.verdict is Verdict.EXHAUSTED

    def test_bounds_of_a_claimed_budget_close_in_on_it(self) -> None:
        budget = ClaimedBudget(epsilon=parse_printed("epsilon", "0.1"))
        bounds = list(loss_bounds(budget))
        assert len(bounds) == 4
        for low, high in bounds:
            assert low < high
            assert low.epsilon(60).upper < Fraction(1, 10) < high.epsilon(60).lower


class TestTheorem:
    """Described domains: the budget comes from the theorem, once it is proved."""

    TEXT = replaced(
        SOUND,
        ("margins = [{ rows = [2, 1], columns = [1, 2] }]", 'description = "all data sets of households"'),
        ('swap_rate = "1/2"', 'swap_rate = "1/2"\nlargest_stratum = 264331'),
        ("gamma = 4", 'epsilon = "12.48"'),
    )

    # (7) is ln(264332·1) = 12.48497…: the article prints 12.48, which is below it

    def test_with_a_proof_a_budget_that_was_rounded_down_is_not_shown(self, tmp_path: Path) -> None:
        record = audited(tmp_path, self.TEXT)
        assert answer(record, "budget").verdict is record.verdict is Verdict.OPEN
        assert "< (7), ln(264332) ≈ 12.4850, at b = 264331, p = 1/2, by 0.00496" in answer(record, "budget").detail

    def test_a_budget_that_is_the_formula_is_met_and_its_print_is_a_number(self, tmp_path: Path) -> None:
        formula = 'by = "psa.budget.theorem"\nprinted = "12.48"'
        record = audited(tmp_path, replaced(self.TEXT, ('epsilon = "12.48"', formula)))
        assert answer(record, "budget").verdict is Verdict.PROVED
        assert answer(record, "budget").detail.startswith("claimed budget is (7) itself")
        assert "met" not in answer(record, "numbers").detail
        assert record.verdict is answer(record, "numbers").verdict is Verdict.ENCLOSED
        wrong = audited(tmp_path, replaced(self.TEXT, ('epsilon = "12.48"', formula.replace("12.48", "12.49"))))
        assert wrong.verdict is Verdict.REFUTED

    def test_a_rounded_number_that_is_claimed_by_the_formula_agrees_with_it_and_is_not_met(
        self, tmp_path: Path
    ) -> None:
        record = audited(tmp_path, replaced(self.TEXT, ('"12.48"', '"12.48"\nby = "psa.budget.theorem"')))
        assert answer(record, "numbers").verdict is Verdict.ENCLOSED
        assert answer(record, "budget").verdict is record.verdict is Verdict.OPEN

    @pytest.mark.parametrize(
        ("epsilon", "verdict"), [("20", Verdict.ENCLOSED), ("12.50", Verdict.ENCLOSED), ("12.40", Verdict.OPEN)]
    )
    def test_a_bound_above_the_formula_is_met_and_one_below_is_undecided(
        self, epsilon: str, verdict: Verdict, tmp_path: Path
    ) -> None:
        assert audited(tmp_path, replaced(self.TEXT, ("12.48", epsilon))).verdict is verdict

    @pytest.mark.parametrize("epsilon", ["12.49", "12.47", "20"])
    def test_a_number_claimed_to_be_the_formulas_is_refuted_on_either_side(self, epsilon: str, tmp_path: Path) -> None:
        record = audited(tmp_path, replaced(self.TEXT, ('"12.48"', f'"{epsilon}"\nby = "psa.budget.theorem"')))
        assert record.verdict is Verdict.REFUTED
        assert "recomputed 12" in answer(record, "numbers").detail

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            (('"hamming_unordered"', '"symmetric_difference"'), "the input premetric is hamming_unordered"),
            (('["swapping"]', '["state totals"]'), "'swapping' is among the invariants"),
            (('swap_rate = "1/2"', 'swap_rate = "1/2"\nresolution = "person"'), "that of the swapped records, person"),
            (
                ('name = "multiplicative"', 'name = "approximate_multiplicative"\ndelta = "1e-10"'),
                "the output premetric is multiplicative",
            ),
        ],
    )
    def test_another_flavor_is_not_the_theorems(self, change: tuple[str, str], reason: str, tmp_path: Path) -> None:
        record = audited(tmp_path, replaced(self.TEXT, change))
        assert reason in answer(record, "mechanism").detail
        assert record.verdict is Verdict.OPEN

    @pytest.mark.parametrize("rate", ["0", "1"])
    def test_a_finite_number_is_not_the_formulas_at_a_rate_of_zero_or_one_and_no_budget_that_it_shows(
        self, rate: str, tmp_path: Path
    ) -> None:
        text = replaced(self.TEXT, ('"1/2"', f'"{rate}"'))
        by_formula = audited(tmp_path, replaced(text, ('"12.48"', '"12.48"\nby = "psa.budget.theorem"')))
        assert by_formula.verdict is Verdict.REFUTED
        record = audited(tmp_path, text)
        assert record.verdict is Verdict.OPEN
        assert "< (7), infinite, at b = 264331" in answer(record, "budget").detail

    def test_a_stated_largest_stratum_must_be_that_of_the_margins(self, tmp_path: Path) -> None:
        record = audited(tmp_path, replaced(SOUND, ('swap_rate = "1/2"', 'swap_rate = "1/2"\nlargest_stratum = 4')))
        assert answer(record, "numbers").verdict is Verdict.REFUTED
        assert "printed 4, recomputed 3" in answer(record, "numbers").detail


# strata, and budgets next to none

ONE = "[{ rows = [2, 1], columns = [1, 2] }]"
TWO = (ONE, "[{ rows = [1], columns = [1] }, { rows = [2, 1], columns = [1, 2] }]")
OTHER = (ONE, "[{ rows = [2, 1], columns = [1, 2] }, { rows = [2, 2], columns = [3, 1] }]")


@pytest.mark.parametrize(("changes", "place", "strata"), [((), 0, "1 stratum"), ((TWO,), 1, "2 strata")])
def test_the_pair_and_the_stratum_that_need_most_are_named(tmp_path, changes, place, strata):
    found = answer(audited(tmp_path, replaced(SOUND, *changes)), "mechanism")
    x, y, _ = universe_loss((2, 1), (1, 2), Fraction(1, 2)).witness
    assert f", needed by x = {x}, x' = {y} in stratum {place}" in found.detail
    assert found.scope.endswith(f" in {strata}, p = 1/2, by counting permutations")


@pytest.mark.parametrize(("changes", "size"), [((), 2), ((TWO,), 2), ((OTHER,), 4)])
def test_the_scope_says_how_many_data_sets_are_compared(tmp_path, changes, size):
    found = answer(audited(tmp_path, replaced(SOUND, *changes)), "mechanism")
    assert found.scope.startswith(f"every pair of {size} data sets with these margins in ")


@pytest.mark.parametrize("epsilon", ["1e-60", "1e-300"])
def test_a_budget_next_to_zero_is_met_by_a_constant_and_by_nothing_else(tmp_path, epsilon):
    """e^ε is enclosed from below by a number under 1 here, which is no loss."""
    text = replaced(SCHEMA, ("gamma = 2", f'epsilon = "{epsilon}"'))
    assert audited(tmp_path, replaced(text, ('"identity"', '"constant"'))).verdict is Verdict.EXHAUSTED
    assert audited(tmp_path, text).verdict is Verdict.REFUTED
