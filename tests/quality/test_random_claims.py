"""Random small claims are audited end to end, from the text of a claim file, and compared with brute force."""

import pytest
from quality.differences import Audited
from quality.random_claims import MEASURES, random_claim

from stirred.verify.audit.audit import audit
from stirred.verify.claim.read import build_claim
from stirred.verify.claim.text import read_claims

BATCH = 250
BATCHES = 400


def compared(tmp_path, seeds, measure=None):
    """The claims of these seeds on which the auditor and the oracle differ, each with the text of its file."""
    claims = [random_claim(seed, measure) for seed in seeds]
    file = tmp_path / "random.toml"
    file.write_text("\n".join(claim.text() for claim in claims))
    records = [audit(build_claim(claim)) for claim in read_claims([file])]
    found = [(claim, Audited(claim, record).differences()) for claim, record in zip(claims, records, strict=True)]
    return [f"{claim.text()}\n{different}" for claim, different in found if different]


@pytest.mark.parametrize("measure", MEASURES)
def test_the_auditor_agrees_with_the_oracle(tmp_path, measure):
    assert compared(tmp_path, range(150), measure) == []


def test_the_auditor_agrees_with_the_oracle_on_normalized_renyi(tmp_path):
    assert compared(tmp_path, range(30), "normalized_renyi") == []


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(1, BATCHES + 1))
def test_a_hundred_thousand_claims_agree_with_the_oracle(tmp_path, batch):
    assert compared(tmp_path, range(BATCH * batch, BATCH * (batch + 1))) == []
