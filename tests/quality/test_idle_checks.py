"""A check of the ledger that none of its mutants tells from itself, or not in one of its parts, is listed.

Every sentence is changed in one place (`stirred.verify.ledger.mutated`). A check is idle where no such mutant
is false of one of its cases, or where a part of its sentence could as well be false. `idle_checks.txt` says why that is
right where it is.
"""

from collections import Counter

import pytest
from quality.listed_checks import listed_checks

from stirred.verify.ledger.book import claim, claim_ids
from stirred.verify.ledger.mutated import tried

LISTED = "idle_checks.txt"

QUICK = {
    *("psa.exact.printed-smallest", "pairwise.tiers.shares.both-count", "optimal.posterior.approached"),
    *("phsafe.households.table-4", "das.per-attribute.figures", "pairwise.tables.sizes-by-race"),
}
"""Claims whose checks are changed with every change of ours; the nightly run changes all."""


def test_each_listed_check_is_one_of_the_ledger_and_has_a_reason():
    for (claim_id, number), reason in listed_checks(LISTED).items():
        one = claim(claim_id)
        assert one.grade is None, claim_id
        assert one.checks[number].shown is not None, claim_id
        assert len(reason) > 10


@pytest.mark.parametrize(
    "claim_id", [one if one in QUICK else pytest.param(one, marks=pytest.mark.nightly) for one in claim_ids()]
)
def test_a_check_is_listed_just_where_it_is_idle(claim_id, record_property):
    """But for claims that are refuted: they have a case that decides."""
    found = claim(claim_id)
    idle, totals = set(), Counter()
    for number, check in enumerate(found.checks if found.grade is None else ()):
        outcome = tried(check)
        totals += Counter(checks=bool(outcome.cases), **outcome.numbers)
        if outcome.idle:
            idle.add((claim_id, number))
    for name, number in totals.items():
        record_property(name, number)
    assert idle == {one for one in listed_checks(LISTED) if one[0] == claim_id}


def test_the_claims_of_every_change_are_of_the_ledger():
    assert set(claim_ids()) >= QUICK
