"""Random accounts have the verdict that follows from their parts; what is met is so of all parts run together."""

from collections import Counter
from fractions import Fraction

import pytest
from quality.oracle import holds
from quality.random_accounts import random_account

from stirred.spec import InputError
from stirred.verify.audit.audit import audit
from stirred.verify.claim.read import build_claim
from stirred.verify.claim.text import read_claims


def record_of(tmp_path, text):
    path = tmp_path / "account.toml"
    path.write_text(text, encoding="utf-8")
    (claim,) = [one for one in read_claims([path]) if one.id.startswith("account.")]
    return audit(build_claim(claim))


def compared(tmp_path, seeds):
    """How often each verdict was right; fails at the first that is wrong."""
    seen = Counter()
    for seed in seeds:
        account = random_account(seed)
        if all(part.case is None for part in account.parts) and len({part.flavor[:-1] for part in account.parts}) > 1:
            with pytest.raises(InputError, match="parts must have one flavor"):
                record_of(tmp_path, account.text)
            seen["refused"] += 1
            continue
        record = record_of(tmp_path, account.text)
        assert record.verdict.name in account.expected(), (seed, record.sentence, account.text)
        if record.verdict.is_settled_for and account.key == "total":
            kind = "rho_squared" if account.parts[0].kind == "rho_squared" else "epsilon"
            assert holds(account.together(), kind, Fraction(account.number)) is not False, (seed, account.text)
            seen["met"] += 1
        seen[record.verdict.name] += 1
    return seen


def test_the_verdict_of_an_account_is_that_of_its_parts(tmp_path):
    seen = compared(tmp_path, range(120))
    assert min(seen[name] for name in ("REFUTED", "OPEN", "met")) >= 10


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(10))
def test_the_verdicts_of_many_accounts_are_those_of_their_parts(tmp_path, changing_seed, batch):
    first = 1_000_000 * changing_seed + 1_000 * (batch + 1)
    assert compared(tmp_path, range(first, first + 1_000))["met"] >= 50
