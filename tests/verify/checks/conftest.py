import pytest

from spec.claims import claim
from verify.ledger import run_claim


@pytest.fixture(scope="session")
def checked():
    """Records by claim id, each claim checked once."""
    kept = {}

    def record(claim_id):
        if claim_id not in kept:
            kept[claim_id] = run_claim(claim(claim_id))
        return kept[claim_id]

    return record
