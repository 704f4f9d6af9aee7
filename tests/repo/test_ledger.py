"""The whole ledger: every claim checked once, compared with the generated pages, and held to the house's rules."""

from pathlib import Path

import pytest

from stirred.verify.evidence.certificates.register import LEDGER_FILE
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.book import claim_ids
from stirred.verify.ledger.pages import digests, pages
from stirred.verify.ledger.run import LedgerRecord

ROOT = Path(__file__).parents[2]
AGAIN = "regenerate it: python -m stirred.verify.ledger.pages"


@pytest.fixture(scope="module")
def records(checked) -> list[LedgerRecord]:
    return [checked(claim_id) for claim_id in claim_ids()]


def test_the_generated_pages_are_those_of_the_ledger(records):
    generated = pages(records)
    assert {path for path, text in generated.items() if (ROOT / path).read_text(encoding="utf-8") != text} == set(), (
        AGAIN
    )
    kept = {path.relative_to(ROOT).as_posix() for path in (ROOT / "verify" / "ledger" / "claims").rglob("*.md")}
    assert kept | {"proofs/Statements.v"} == set(generated)


def test_replaying_knows_the_witnesses_of_the_ledger(records):
    assert LEDGER_FILE.read_text(encoding="utf-8") == digests(records), AGAIN


def test_a_repair_repairs_a_claim_that_does_not_hold_and_holds_itself(records):
    verdicts = {record.claim.id: record.verdict for record in records}
    for record in records:
        if record.claim.repairs is not None:
            assert not verdicts[record.claim.repairs].is_settled_for, record.claim.id
            assert record.verdict.is_settled_for or record.verdict is Verdict.ARGUED, record.claim.id


def test_a_refutation_of_printed_words_has_a_grade_and_a_repair(records):
    refuted = [record for record in records if record.verdict is Verdict.REFUTED]
    assert [record.claim.id for record in refuted if record.claim.grade is None] == []
    repaired = {record.claim.repairs for record in records}
    assert [r.claim.id for r in refuted if r.claim.id not in repaired and not r.claim.grade.reason] == []


def test_a_witness_carries_its_case(records):
    """Of the four kinds, `formula` is for numbers: of printed tables and of a solver's models."""
    for record in records:
        for witness in (record.witness, *(mutant.evidence.witness for mutant in record.mutants)):
            if witness is not None and witness["kind"] == "formula":
                assert set(witness["claimed"]) & set("+-*/("), (record.claim.id, witness["claimed"])
