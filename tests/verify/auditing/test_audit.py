"""The auditor: its answers in order, verdicts with witnesses that replay, exit statuses, and the published claims."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import textwrap
from fractions import Fraction
from pathlib import Path

import pytest
from claim_texts import CLAIMS, SCHEMA, SOUND, replaced

import verify.auditing.audit
from spec import InputError, Loss, psa_budget
from verify.auditing.audit import AuditRecord, audit
from verify.auditing.claim_blocks import build_claim
from verify.auditing.claim_budget import ClaimedBudget
from verify.auditing.claim_exhaustion import exhaust, loss_bounds
from verify.auditing.claim_file import read_claims
from verify.commands import audit as audit_command
from verify.commands.audit import PUBLISHED
from verify.evidence import Evidence
from verify.printed_number import parse_printed
from verify.replay import main as replay_main
from verify.replay import replay
from verify.swapping.loss import universe_loss
from verify.verdict import Verdict


def audited(tmp_path: Path, text: str) -> AuditRecord:
    file = tmp_path / "claim.toml"
    file.write_text(text, encoding="utf-8")
    (claim,) = read_claims([file])
    record = audit(build_claim(claim))
    for answer in record.answers:
        if answer.evidence.witness is not None:
            replay(json.loads(json.dumps(answer.evidence.witness)))
    return record


def answer(record: AuditRecord, question: str) -> Evidence:
    return next(a.evidence for a in record.answers if a.question == question)


def command(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    audit_command.add_parser(parser.add_subparsers())
    parsed = parser.parse_args(["audit", *arguments])
    status: int = parsed.run(parsed)
    return status


def published() -> dict[str, AuditRecord]:
    claims = read_claims(sorted(PUBLISHED.glob("*.toml")))
    return {claim.id: audit(build_claim(claim)) for claim in claims}


class TestOrderAndForm:
    def test_the_answers_come_in_the_auditors_order(self, tmp_path: Path) -> None:
        record = audited(tmp_path, SOUND)
        expected = ["complete", "vacuity", "numbers", "mechanism", "budget", "outside"]
        assert list(dict.fromkeys(a.question for a in record.answers)) == expected

    def test_a_line_has_id_verdict_sentence_and_scope(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert command(str(CLAIMS / "coin.toml")) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == (
            "survey.coin.complete: EXHAUSTED: all five blocks are stated [the five blocks of the claim file]"
        )
        assert lines[-2].startswith("survey.coin: EXHAUSTED: (Warner (1965)) met: the claimed gamma = 3 covers")
        assert lines[-1] == "1 claim: 1 hold, 0 refuted, 0 undecided"

    def test_a_witness_stands_under_its_refutation(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert command(str(CLAIMS / "geometric.toml")) == 1
        lines = capsys.readouterr().out.splitlines()
        place = next(
            i for i, line in enumerate(lines) if line.startswith("geometric.a-tenth.budget: REFUTED: exceeded")
        )
        assert lines[place + 1].startswith("    witness: P_x(E) = ")

    def test_json_has_one_record_for_each_claim_with_its_findings(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert command(str(CLAIMS / "swapping.toml"), "--json") == 1
        first, second = json.loads(capsys.readouterr().out)
        assert (first["id"], first["verdict"]) == ("swap.theorem", "EXHAUSTED")
        assert (second["id"], second["verdict"]) == ("swap.exceeded", "REFUTED")
        for record in (first, second):
            assert {"id", "source", "statement", "verdict", "scope", "findings"} <= set(record)
            assert [f["id"].removeprefix(record["id"]) for f in record["findings"]][:2] == [".complete", ".vacuity"]
        assert first["witness"] is None
        replay(second["witness"])

    def test_the_output_promises_nothing_it_has_not_shown(self, capsys: pytest.CaptureFixture[str]) -> None:
        command("--full")
        command(*map(str, sorted(CLAIMS.glob("*.toml"))))
        words = set(capsys.readouterr().out.lower().replace(".", " ").split())
        assert not words & {"safe", "private", "secure"}


class TestExitStatus:
    @pytest.mark.parametrize(
        ("text", "status"),
        [
            (SOUND, 0),
            (replaced(SOUND, ("gamma = 4", 'gamma = "101/100"')), 1),
            (replaced(SOUND, ("gamma = 4", 'description = "small"')), 3),
            (replaced(SOUND, ('invariants = ["swapping"]', 'description = "margins"')), 3),
        ],
    )
    def test_the_status_says_what_was_found(self, text: str, status: int, tmp_path: Path) -> None:
        file = tmp_path / "claim.toml"
        file.write_text(text, encoding="utf-8")
        assert command(str(file)) == status

    def test_every_file_is_validated_before_any_is_audited(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        bad = tmp_path / "bad.toml"
        bad.write_text(replaced(SOUND, ("swap.small", "swap.bad"), ('"1/2"', '"2"')), encoding="utf-8")
        with pytest.raises(InputError, match=r"bad.toml: mechanism.swap_rate must be between 0 and 1"):
            command(str(CLAIMS / "coin.toml"), str(bad))
        assert capsys.readouterr().out == ""

    def test_limits_must_be_positive(self) -> None:
        with pytest.raises(InputError, match="--seconds must be at least 1; got 0"):
            command("--seconds", "0")


class TestWitnessFile:
    def test_it_holds_every_counterexample_and_replays(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        target = tmp_path / "w.json"
        assert command(str(CLAIMS / "geometric.toml"), str(CLAIMS / "swapping.toml"), "--witness", str(target)) == 1
        assert [item["id"] for item in json.loads(target.read_text())] == [
            "geometric.a-tenth.budget",
            "swap.exceeded.budget",
        ]
        capsys.readouterr()
        assert replay_main([str(target)]) == 1
        assert capsys.readouterr().out.endswith("2 replayed\n")
        assert list(tmp_path.iterdir()) == [target]

    def test_the_json_output_replays_too(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        command(str(CLAIMS / "coin.toml"), str(CLAIMS / "geometric.toml"), "--json")
        target = tmp_path / "audit.json"
        target.write_text(capsys.readouterr().out, encoding="utf-8")
        assert replay_main([str(target)]) == 1
        assert capsys.readouterr().out.startswith("geometric.a-tenth: REFUTED: P_x(E) = ")

    def test_it_is_not_written_where_nothing_is_refuted(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        target = tmp_path / "w.json"
        assert command(str(CLAIMS / "coin.toml"), "--witness", str(target)) == 0
        assert not target.exists()
        assert capsys.readouterr().err == f"{target}: not written: nothing is refuted\n"

    def test_a_place_that_cannot_be_written_is_refused_before_anything_is_printed(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(InputError, match="cannot be written: No such file or directory"):
            command(str(CLAIMS / "geometric.toml"), "--witness", str(tmp_path / "absent" / "w.json"))
        assert capsys.readouterr().out == ""


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
            "vacuous, so every mechanism satisfies it: 3 universes, 3 of"
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
        assert answer(record, "vacuity").detail.startswith("vacuous, so every mechanism satisfies it: 1 universe, 1 of")


class TestBudget:
    def test_the_smallest_budget_is_met_and_anything_below_it_is_exceeded(self, tmp_path: Path) -> None:
        smallest = universe_loss((2, 1), (1, 2), Fraction(1, 2))
        assert smallest == Loss(Fraction(4, 3), 2)
        met = audited(tmp_path, replaced(SOUND, ("gamma = 4", 'epsilon = "0.1439"')))
        exceeded = audited(tmp_path, replaced(SOUND, ("gamma = 4", 'epsilon = "0.1438"')))
        assert (met.verdict, exceeded.verdict) == (Verdict.EXHAUSTED, Verdict.REFUTED)

    def test_an_exact_gamma_is_met_at_equality(self, tmp_path: Path) -> None:
        text = (CLAIMS / "coin.toml").read_text(encoding="utf-8")
        assert audited(tmp_path, text).verdict is Verdict.EXHAUSTED
        below = replaced(text, ("gamma = 3", 'gamma = "299/100"'))
        assert audited(tmp_path, below).verdict is Verdict.REFUTED

    def test_a_budget_rounded_down_is_refuted_and_rounded_up_is_met(self, tmp_path: Path) -> None:
        text = (CLAIMS / "coin.toml").read_text(encoding="utf-8")
        verdicts = [
            audited(tmp_path, replaced(text, ("gamma = 3", f'epsilon = "{epsilon}"'))).verdict
            for epsilon in ("1.09861228866810", "1.09861228866811")  # ln 3 = 1.0986122886681098…
        ]
        assert verdicts == [Verdict.REFUTED, Verdict.EXHAUSTED]

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
            (CLAIMS / "coin.toml").read_text(encoding="utf-8"),
            ("records = 3", "records = 1"),
            ('name = "multiplicative"', f'name = "approximate_multiplicative"\ndelta = "{delta}"'),
            ("gamma = 3", f'gamma = "{gamma}"'),
        )
        assert audited(tmp_path, text).verdict is verdict

    @pytest.mark.parametrize(("budget", "verdict"), [("1/2", Verdict.EXHAUSTED), ("0.49", Verdict.REFUTED)])
    def test_total_variation_is_decided_exactly(self, budget: str, verdict: Verdict, tmp_path: Path) -> None:
        text = replaced(
            (CLAIMS / "coin.toml").read_text(encoding="utf-8"),
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
            found = exhaust(built)
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
            (CLAIMS / "geometric.toml").read_text(encoding="utf-8"),
            ("invariants = []", "universes = [[0, 1], [1, 2]]"),
            ('name = "absolute_difference"', 'name = "explicit"\ndistances = [[0, 1, 2], [1, 0, 2], [1, 2, "1/2"]]'),
            ('epsilon = "0.1"', 'gamma = "3/2"'),
        )
        record = audited(tmp_path, text)
        assert answer(record, "vacuity").detail.startswith("not vacuous: 2 universes, 0 of one data set only; 2 pairs")
        assert record.verdict is Verdict.EXHAUSTED

    def test_bounds_of_a_claimed_budget_close_in_on_it(self) -> None:
        budget = ClaimedBudget(epsilons=(parse_printed("epsilon", "0.1"),))
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

    @pytest.fixture
    def _proved(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(
            verify.auditing.audit, "evidence_for", lambda name: [Evidence(Verdict.PROVED, f"all sizes: {name}")]
        )

    @pytest.fixture
    def _unproved(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(verify.auditing.audit, "evidence_for", lambda name: [])

    @pytest.mark.usefixtures("_unproved")
    def test_without_a_proof_the_budget_is_undecided(self, tmp_path: Path) -> None:
        record = audited(tmp_path, self.TEXT)
        assert answer(record, "numbers").verdict is Verdict.ENCLOSED
        assert record.verdict is Verdict.OPEN

    @pytest.mark.usefixtures("_proved")
    def test_with_a_proof_the_budget_is_met_at_its_printed_precision(self, tmp_path: Path) -> None:
        record = audited(tmp_path, self.TEXT)
        assert answer(record, "budget").verdict is Verdict.PROVED
        assert record.verdict is Verdict.ENCLOSED

    @pytest.mark.usefixtures("_proved")
    @pytest.mark.parametrize(
        ("epsilon", "verdict"), [("20", Verdict.ENCLOSED), ("12.50", Verdict.ENCLOSED), ("12.40", Verdict.OPEN)]
    )
    def test_a_bound_above_the_formula_is_met_and_one_below_is_undecided(
        self, epsilon: str, verdict: Verdict, tmp_path: Path
    ) -> None:
        assert audited(tmp_path, replaced(self.TEXT, ("12.48", epsilon))).verdict is verdict

    @pytest.mark.usefixtures("_proved")
    @pytest.mark.parametrize("epsilon", ["12.49", "12.47", "20"])
    def test_a_number_claimed_to_be_the_formulas_is_refuted_on_either_side(self, epsilon: str, tmp_path: Path) -> None:
        record = audited(tmp_path, replaced(self.TEXT, ('"12.48"', f'"{epsilon}"\nby = "psa.budget.theorem"')))
        assert record.verdict is Verdict.REFUTED
        assert "recomputed 12" in answer(record, "numbers").detail

    @pytest.mark.usefixtures("_proved")
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

    @pytest.mark.usefixtures("_proved")
    @pytest.mark.parametrize("rate", ["0", "1"])
    def test_a_finite_budget_at_a_rate_of_zero_or_one_is_refuted(self, rate: str, tmp_path: Path) -> None:
        record = audited(tmp_path, replaced(self.TEXT, ('"1/2"', f'"{rate}"')))
        assert record.verdict is Verdict.REFUTED

    def test_a_stated_largest_stratum_must_be_that_of_the_margins(self, tmp_path: Path) -> None:
        record = audited(tmp_path, replaced(SOUND, ('swap_rate = "1/2"', 'swap_rate = "1/2"\nlargest_stratum = 4')))
        assert answer(record, "numbers").verdict is Verdict.REFUTED
        assert "printed 4, recomputed 3" in answer(record, "numbers").detail


PRINTED_WRONG = {
    "psa.rates-for-budget-3": "printed 95.2%, recomputed 95.3%",
    "topdown.pl-household": "printed 2.70, recomputed 2.61",
    "topdown.pl-person": "printed 17.90, recomputed 17.92",
    "topdown.dhc-person": "printed 26.34, recomputed 26.33",
    "topdown.total": "printed 52.83, recomputed 52.82",
    "psa-2020.largest-strata": "printed 13.47 million, recomputed 13.48 million",
}


class TestPublished:
    def test_what_is_printed_wrong_is_refuted_with_both_values_and_nothing_else_is(self) -> None:
        records = published()
        assert {name for name, record in records.items() if record.verdict is Verdict.REFUTED} == set(PRINTED_WRONG)
        for name, words in PRINTED_WRONG.items():
            refuted = [a.evidence for a in records[name].answers if a.evidence.verdict is Verdict.REFUTED]
            assert len(refuted) == 1
            assert words in refuted[0].detail
            assert refuted[0].witness is not None
            replay(refuted[0].witness)

    def test_the_budgets_of_swapping_are_those_of_the_formula(self) -> None:
        records = published()
        agreeing = [
            a.evidence.detail
            for name in records
            if name.startswith(("massachusetts", "das-2010", "psa-2020"))
            for a in records[name].answers
            if a.question == "numbers" and a.evidence.detail.startswith("epsilon at b")
        ]
        assert len(agreeing) == 4 + 2 + 12

    def test_every_printed_number_fails_when_its_last_digit_changes(self, tmp_path: Path) -> None:
        changed = 0
        for path in sorted(PUBLISHED.glob("*.toml")):
            text = path.read_text(encoding="utf-8")
            for line in text.splitlines():
                if line.startswith(('printed = "', 'epsilon = ["', "converted = ", 'total = "')):
                    changed += self._mutants_refuted(tmp_path, text, line)
        # Table 5, the other ε of swapping, conversions, listed numbers, totals of accounts
        assert changed == 12 + 6 + 3 + 17 + 2

    @staticmethod
    def _mutants_refuted(tmp_path: Path, text: str, line: str) -> int:
        """How many numbers of a line change what is refuted when five is added to their last digit: all must."""
        file, count = tmp_path / "mutant.toml", 0
        for number in line.split('"')[1::2]:
            digits = number.removesuffix(" million").removesuffix("%")
            if not digits[-1:].isdigit() or digits.startswith("1e-"):
                continue
            last = int(digits[-1])
            mutant = digits[:-1] + str((last + 5) % 10) + number[len(digits) :]
            file.write_text(text.replace(line, line.replace(f'"{number}"', f'"{mutant}"', 1), 1), encoding="utf-8")
            before = TestPublished._refuted_numbers(text, tmp_path)
            after = TestPublished._refuted_numbers(file.read_text(encoding="utf-8"), tmp_path)
            assert after != before, f"{line}: {mutant}"
            count += 1
        return count

    @staticmethod
    def _refuted_numbers(text: str, tmp_path: Path) -> list[str]:
        file = tmp_path / "read.toml"
        file.write_text(text, encoding="utf-8")
        records = [audit(build_claim(claim)) for claim in read_claims([file])]
        return [
            a.evidence.detail
            for record in records
            for a in record.answers
            if a.question == "numbers" and a.evidence.verdict is Verdict.REFUTED
        ]

    @pytest.mark.parametrize(("b", "p", "epsilon"), [(10, Fraction("0.354"), 3), (10, Fraction("0.953"), 3)])
    def test_the_formulas_of_section_3_6_are_those_of_the_budget(self, b: int, p: Fraction, epsilon: int) -> None:
        # At the rates that round to three digits the budget is 3 to within 1/100.
        enclosure = psa_budget(b, p).epsilon()
        assert abs(enclosure.lower - epsilon) < Fraction(1, 100)

    def test_the_smallest_budget_is_where_the_two_branches_meet(self) -> None:
        # At p just below and above √(b+1)/(√(b+1)+1) the budget exceeds ln(b+1)/2: for b = 8 the rate is 3/4, exactly.
        at = psa_budget(8, Fraction(3, 4))
        assert at == Loss(9, 2)
        assert psa_budget(8, Fraction(74, 100)) > at
        assert psa_budget(8, Fraction(76, 100)) > at

    def test_they_are_recomputed_in_two_seconds_without_the_slow_engines(self) -> None:
        text = (
            "import argparse, sys\nfrom verify.commands import audit as audit_command\n"
            "p = argparse.ArgumentParser(); audit_command.add_parser(p.add_subparsers())\n"
            "a = p.parse_args(['audit']); status = a.run(a)\n"
            "sys.exit(status + 10 * bool({'sympy', 'z3', 'numpy'} & set(sys.modules)))"
        )
        before = os.times()
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False)
        after = os.times()
        spent = after.children_user - before.children_user + after.children_system - before.children_system
        assert spent < 2  # processor time, so that a busy machine does not decide
        assert (done.returncode, done.stderr) == (1, "")
        assert done.stdout.splitlines()[-1].startswith("23 claims: ")


def test_the_claim_file_in_the_help_text_holds(tmp_path: Path) -> None:
    lines = audit_command._EPILOG.splitlines()
    example = "\n".join(line for line in lines[1 : lines.index('  flip_probability = "1/4"') + 1])
    assert audited(tmp_path, textwrap.dedent(example)).verdict is Verdict.EXHAUSTED
