"""Checks of the ledger that say little, and quotations that are cut, are listed, each check with its reason.

`identities.txt` lists checks that no perturbed case makes fail (`stirred.verify.ledger.perturbed`); a check may name
its reason itself, where it is stated. `idle_checks.txt` lists checks that none of their mutants tells from themselves,
or not in one of their parts (`stirred.verify.ledger.mutated`). Refuted claims are left out: a check of theirs fails on
its own cases. `cut_quotations.txt` lists printed claims with an ellipsis, or an end inside a sentence: a new cut is
read in the source, whether it drops a false half or the sentence that ties two statements.
"""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from stirred.verify.ledger.book import claim, claim_ids, claims
from stirred.verify.ledger.mutated import tried
from stirred.verify.ledger.perturbed import can_fail

IDENTITIES, IDLE = "identities.txt", "idle_checks.txt"
PERTURBED = {
    *("psa.exact.printed-smallest", "psa.budget.universe-function", "pairwise.tiers.shares.both-count"),
    *("recommendations.frame-level.fixed", "optimal.posterior.approached", "supports.outside", "survey.mean.larger"),
}
MUTATED = {
    *("psa.exact.printed-smallest", "pairwise.tiers.shares.both-count", "optimal.posterior.approached"),
    *("phsafe.households.table-4", "das.per-attribute.figures", "pairwise.tables.sizes-by-race"),
}
"""Claims whose checks are tried with every change of ours; the nightly run tries all."""


@cache
def lines(name):
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def listed(name):
    """By a claim's id and the number of its check, from 0, the reason, which stands indented above them."""
    found, reason = {}, ""
    for line in lines(name):
        if line.startswith("    "):
            reason = line.strip()
        else:
            claim_id, numbers = line.split(": ")
            found |= {(claim_id, int(number)): reason for number in numbers.split()}
    return found


def quickly(chosen):
    """All claims, those that are not chosen at night alone."""
    assert set(claim_ids()) >= chosen
    return [one if one in chosen else pytest.param(one, marks=pytest.mark.nightly) for one in claim_ids()]


@pytest.mark.parametrize("name", [IDENTITIES, IDLE])
def test_each_listed_check_is_one_of_the_ledger_and_has_a_reason(name):
    for (claim_id, number), reason in listed(name).items():
        check = claim(claim_id).checks[number]
        assert len(reason) > 10
        if name == IDLE:
            assert claim(claim_id).grade is None, claim_id
            assert check.shown is not None, claim_id
        else:
            assert check.compared is not None, claim_id
            assert not check.identity, f"{claim_id} names its reason itself"


@pytest.mark.parametrize("claim_id", quickly(PERTURBED))
def test_a_check_that_cannot_fail_is_listed(claim_id):
    found = claim(claim_id)
    unlisted = [
        number
        for number, check in enumerate(found.checks)
        if found.grade is None and not check.identity and (claim_id, number) not in listed(IDENTITIES)
    ]
    # the slowest take 15 s of a quiet machine
    assert not [number for number in unlisted if can_fail(found.checks[number], seconds=200) is False]


@pytest.mark.parametrize("claim_id", quickly(MUTATED))
def test_a_check_is_listed_just_where_it_is_idle(claim_id, record_property):
    found = claim(claim_id)
    idle, totals = set(), Counter()
    for number, check in enumerate(found.checks if found.grade is None else ()):
        outcome = tried(check)
        totals += Counter(checks=bool(outcome.cases), **outcome.numbers)
        if outcome.idle:
            idle.add((claim_id, number))
    for name, number in totals.items():
        record_property(name, number)
    assert idle == {one for one in listed(IDLE) if one[0] == claim_id}


WHOLE = re.compile(r"[.!?][)\]\"'”’]*$")


def is_cut(words):
    """Whether words are left out, or the last sentence has no end."""
    return "…" in words or not WHOLE.search(words.strip())


@pytest.mark.parametrize(
    ("words", "cut"),
    [
        *((one, True) for one in ("The bound holds. … It is achieved.", "… it holds.", "it holds whenever b > 0")),
        *((one, False) for one in ("It holds.", "Does it? (It does.)", "They call it “sharp.”")),
        ("it holds, for all b,", True),
    ],
)
def test_a_planted_cut_is_seen_and_no_other(words, cut):
    assert is_cut(words) is cut


def test_the_cut_quotations_are_those_that_were_looked_at():
    cut = sorted(one.id for one in claims() if one.is_printed and is_cut(one.statement))
    assert cut == lines("cut_quotations.txt")
