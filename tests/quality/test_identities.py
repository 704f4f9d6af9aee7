"""Checks of the ledger that no perturbed case makes fail are listed, each with its reason.

`identities.txt` lists them; a check may name its reason itself, where it is stated. Cuts in quotations are listed: an
ellipsis, or an end inside a sentence. A new cut is looked at in the source, whether it drops a false half or the
sentence that ties two statements, before it goes into `cut_quotations.txt`.
"""

import re
from pathlib import Path

import pytest
from quality.listed_checks import listed_checks

from stirred.verify.ledger.book import claim, claim_ids, claims
from stirred.verify.ledger.perturbed import can_fail

LISTED = "identities.txt"

QUICK = {
    *("psa.exact.printed-smallest", "psa.budget.universe-function", "pairwise.tiers.shares.both-count"),
    *("recommendations.frame-level.fixed", "optimal.posterior.approached", "supports.outside", "survey.mean.larger"),
}
"""Claims whose checks are perturbed with every change; the nightly run perturbs all."""


def test_each_listed_check_is_one_that_compares_cases_and_has_a_reason():
    for (claim_id, number), reason in listed_checks(LISTED).items():
        one = claim(claim_id).checks[number]
        assert one.compared is not None, claim_id
        assert len(reason) > 10
        assert not one.identity, f"{claim_id} names its reason itself"


def test_what_is_perturbed_with_every_change_is_of_the_ledger():
    assert set(claim_ids()) >= QUICK


@pytest.mark.parametrize(
    "claim_id", [one if one in QUICK else pytest.param(one, marks=pytest.mark.nightly) for one in claim_ids()]
)
def test_a_check_that_cannot_fail_is_listed(claim_id):
    """But for claims that are refuted: a check of theirs fails on its own cases."""
    found = claim(claim_id)
    unlisted = [
        number
        for number, check in enumerate(found.checks)
        if found.grade is None and not check.identity and (claim_id, number) not in listed_checks(LISTED)
    ]
    # the slowest take 15 s of a quiet machine
    assert not [number for number in unlisted if can_fail(found.checks[number], seconds=200) is False]


CUT = Path(__file__).with_name("cut_quotations.txt")
WHOLE = re.compile(r"[.!?][)\]\"'”’]*$")


def is_cut(words):
    """Whether words are left out, or the last sentence has no end."""
    return "…" in words or not WHOLE.search(words.strip())


@pytest.mark.parametrize(
    "words", ["The bound holds. … It is achieved.", "… it holds.", "it holds whenever b > 0", "it holds, for all b,"]
)
def test_a_planted_cut_is_seen(words):
    assert is_cut(words)


@pytest.mark.parametrize("words", ["It holds.", "Does it? (It does.)", "They call it “sharp.”"])
def test_a_whole_quotation_is_none(words):
    assert not is_cut(words)


def test_the_cut_quotations_are_those_that_were_looked_at():
    listed = [line for line in CUT.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert sorted(one.id for one in claims() if one.is_printed and is_cut(one.statement)) == listed
