"""Checks of the ledger that no perturbed case makes fail are listed, each with its reason.

`identities.txt` has a reason, indented, over the checks that it is given for: a claim's id, and which of its checks.
A check may name its reason itself, where it is stated.
"""

from functools import cache
from pathlib import Path

import pytest

from stirred.verify.ledger.book import claim, claims
from stirred.verify.ledger.perturbed import can_fail

LISTED = Path(__file__).with_name("identities.txt")
QUICK = (
    *("psa.exact.printed-smallest", "psa.budget.universe-function", "pairwise.tiers.shares.both-count"),
    *("recommendations.frame-level.fixed", "optimal.posterior.approached", "supports.outside", "survey.mean.larger"),
)
"""Claims whose checks are perturbed with every change; the nightly run perturbs all."""


@cache
def listed() -> dict[tuple[str, int], str]:
    """The reason of every listed check."""
    found, reason = {}, ""
    for line in LISTED.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            reason = line.strip()
        elif line and not line.startswith("#"):
            claim_id, numbers = line.split(": ")
            found |= {(claim_id, int(number)): reason for number in numbers.split()}
    return found


def identities(claim_id):
    """Which checks of a claim cannot fail, but for those that say why."""
    checks = enumerate(claim(claim_id).checks)
    return {(claim_id, number) for number, one in checks if not one.identity and can_fail(one) is False}


def test_each_listed_check_is_one_that_compares_cases_and_has_a_reason():
    for (claim_id, number), reason in listed().items():
        one = claim(claim_id).checks[number]
        assert one.compared is not None, claim_id
        assert len(reason) > 10
        assert not one.identity, f"{claim_id} names its reason itself"


@pytest.mark.parametrize("claim_id", QUICK)
def test_checks_of_some_claims_can_fail_or_are_listed(claim_id):
    assert identities(claim_id) <= set(listed())


@pytest.mark.nightly
def test_a_check_that_cannot_fail_is_listed():
    settled = [one.id for one in claims() if one.grade is None]
    assert set().union(*map(identities, settled)) <= set(listed())
