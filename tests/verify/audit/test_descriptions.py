"""A description differs from its block only where all that it says is another unit, or that nothing is invariant."""

import pytest
from claim_texts import CLAIMS, PSA, RENYI, replaced

from stirred.verify.audit.words import compared_words
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims

COIN = (CLAIMS / "coin.toml").read_text(encoding="utf-8")


def words_of(tmp_path, text):
    file = tmp_path / "claim.toml"
    file.write_text(text, encoding="utf-8")
    return compared_words(build_claim(read_claims([file])[0], None))


@pytest.mark.parametrize(
    ("words", "is_same"),
    [
        *(("each household", False), ("of every family's budget", True), ("any two voters", True), ("per user", True)),
        *(("each person in every household", True), ("one individual of each household", True), ("each answer", True)),
        *(("For every family.", False), ("one record for each business", False), ("Every school is one record", False)),
        *(("each household member", True), ("one record, not each household", True), ("per respondent", True)),
        *(("every student who answers", True), ("counted per household", True), ("any company's worker", True)),
    ],
)
def test_a_description_that_is_another_unit_differs(tmp_path, words, is_same):
    text = replaced(COIN, ("[input_premetric]\n", f'[input_premetric]\ndescription = "{words}"\n'))
    assert bool(words_of(tmp_path, text).differing) is not is_same


@pytest.mark.parametrize(
    ("resolution", "words", "is_same"),
    [
        *(("household", "for every family", True), ("family", "per household", True), ("firm", "each company", True)),
        *(("respondent", "each person who responds", True), ("respondent", "each person", True)),
        *(("household", "each person", False), ("family", "per respondent", False), ("firm", "every household", False)),
        *(("household", "every individual's home", True), ("person of a household", "each household", True)),
    ],
)
def test_another_word_for_the_resolution_does_not_differ(tmp_path, resolution, words, is_same):
    text = RENYI.replace('"person"', f'"{resolution}"\ndescription = "{words}"')
    assert bool(words_of(tmp_path, text).differing) is not is_same


@pytest.mark.parametrize("block", ["domain", "multiverse"])
def test_a_unit_beside_another_block_need_not_be_what_is_protected(tmp_path, block):
    text = replaced(COIN, (f"[{block}]\n", f'[{block}]\ndescription = "every household"\n'))
    assert not words_of(tmp_path, text).differing


@pytest.mark.parametrize(
    ("words", "is_same"),
    [
        *(("no invariants", False), ("Nothing is invariant.", False), ("There are no invariants", False)),
        *(("the number of records is invariant; no counts besides it", True), ("nothing but the size", True)),
        *(("nothing except the counts", True), ("size: no total changes", True), ("no margins other than it", True)),
        *(("none of the totals but the size", True), ("the size is fixed; no count of answers is", True)),
        *(("no invariants save the counts", True), ("nothing is invariant apart from the size", True)),
        *(("invariant: the size. No statistic of answers.", True), ("nothing is invariant but counts", True)),
        *(("the counts; there are no invariants of persons", True), ("the noisy counts are no invariants", True)),
    ],
)
def test_invariants_are_denied_by_a_whole_description_alone(tmp_path, words, is_same):
    text = PSA.replace('["swapping"]', f'["swapping"], description = "{words}"')
    assert bool(words_of(tmp_path, text).differing) is not is_same
