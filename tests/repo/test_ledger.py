"""The whole ledger: re-checked once, compared with the README's table, and held to the house's rules."""

from pathlib import Path

import pytest
from verify.ledger_table import BEGIN, END, digests, table

from spec.claims import CLAIMS
from verify.certificates.register import LEDGER_FILE
from verify.ledger.run import Record
from verify.ledger.theorems import theorems
from verify.theorem_table import REFUTED, STATED

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture(scope="module")
def records(checked) -> list[Record]:
    return [checked(claim.id) for claim in CLAIMS]


def test_the_readme_holds_the_generated_table(records):
    shown = README.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0].strip()
    assert shown == table(records), "regenerate it: python -m verify.ledger_table README.md"


def test_replaying_knows_the_witnesses_of_the_ledger(records):
    kept = LEDGER_FILE.read_text(encoding="utf-8")
    assert kept == digests(records), "regenerate it: python -m verify.ledger_table README.md"


def test_a_repair_repairs_a_claim_that_does_not_hold(records):
    verdicts = {record.claim.id: record.verdict for record in records}
    for record in records:
        if record.claim.repairs is not None:
            assert not verdicts[record.claim.repairs].is_settled_for, record.claim.id


def test_every_theorem_that_the_ledger_names_is_in_the_committed_file():
    known = theorems()
    assert known, "proofs/statements.txt is missing or empty"
    for claim_id, names in {**STATED, **REFUTED}.items():
        assert set(names) <= set(known), claim_id
