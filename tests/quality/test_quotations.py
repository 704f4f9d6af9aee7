"""Cuts in quotations are listed: an ellipsis, or an end inside a sentence.

A new cut is looked at in the source, whether it drops a false half or the sentence that ties two statements, before it
goes into `cut_quotations.txt`.
"""

import re
from pathlib import Path

import pytest

from stirred.verify.ledger.book import claims

LISTED = Path(__file__).with_name("cut_quotations.txt")
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
    listed = [line for line in LISTED.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert sorted(one.id for one in claims() if one.is_printed and is_cut(one.statement)) == listed
