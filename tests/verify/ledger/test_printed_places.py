"""What is kept of the source documents is well formed, and says of every sentence how it is accounted for."""

from itertools import pairwise

import pytest

from stirred.spec import InputError
from stirred.verify.ledger.book import claim, claim_ids, claims
from stirred.verify.ledger.claim import Statement
from stirred.verify.ledger.documents import DOCUMENTS, documents
from stirred.verify.ledger.printed_places import (
    KeptDocument,
    SameKind,
    SentenceRun,
    formatted,
    is_section,
    kept,
    kept_path,
    place_key,
    places_of,
    section_of,
    shares,
)

ONE = KeptDocument(
    "a.txt",
    (("section 1", "3.1"), ("section 2", "9.1")),
    (
        SentenceRun("1.1", "2.1", "0" * 8, (SameKind("layout", 3),)),
        SentenceRun("3.1", "7.2", "1" * 8, (SameKind("open", 1), SameKind("quoted", 1), SameKind("open", 2))),
        SentenceRun("9.1", "9.1", "2" * 8, (SameKind("claimed", 1, ("a.claim", "b.claim")),)),
        SentenceRun("9.1", "9.1", "-", (SameKind("opinion", 0),)),
    ),
)


def test_what_is_written_is_read(tmp_path):
    kept_path("a b", tmp_path).write_text(formatted("a b", ONE), encoding="utf-8")
    assert kept("a b", tmp_path) == ONE


@pytest.mark.parametrize("line", ["1.1 1.1 00000000 guessed 1", "1.1 1.1 0 open 1", "1.1 1.1 - open 1; ", "1.1 open"])
def test_another_line_is_refused_with_its_number(tmp_path, line):
    kept_path("a", tmp_path).write_text(f"text a.txt\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        kept("a", tmp_path)


def test_shares_are_counted_by_section():
    found = {name: {kind: n for kind, n in counts.items() if n} for name, counts in shares(ONE).items()}
    assert found == {"front": {"layout": 3}, "section 1": {"open": 3, "quoted": 1}, "section 2": {"claimed": 1}}


def test_an_item_stands_in_the_section_before_it():
    assert section_of("article, (7)") == ("article", "section 3.3")
    assert section_of("dissertation, section 7.2.2, footnote 3") == ("dissertation", "section 7.2.2")
    assert section_of("a letter, page 2") is None


def unplaced(stated, places):
    """The printed statements and the documents that they name, where no line of them is kept."""
    named = {(one.id, found[0]) for one in stated if one.is_printed for at in one.sources if (found := section_of(at))}
    return {(name, document) for name, document in named if f"{document} " not in f"; {places.get(name, '')}"}


def test_every_printed_claim_has_its_lines_in_every_document_that_it_names():
    assert unplaced(claims(), places_of()) == set()


def test_a_printed_claim_without_lines_is_seen():
    one = Statement("a.claim", ("article, Theorem 1", "slides, Definition", "a letter"), "It holds.")
    assert unplaced([one], {"a.claim": "slides 12"}) == {("a.claim", "article")}
    assert unplaced([one], {}) == {("a.claim", "article"), ("a.claim", "slides")}
    assert unplaced([one], {"a.claim": "article 3; slides 12"}) == set()


@pytest.mark.parametrize("document", DOCUMENTS)
class TestKept:
    def test_runs_follow_one_another(self, document):
        runs = kept(document).runs
        assert all(place_key(run.first) <= place_key(run.last) and run.count for run in runs)
        assert all(place_key(one.last) < place_key(other.first) for one, other in pairwise(runs))

    def test_sections_are_those_of_the_document_in_their_order(self, document):
        sections = kept(document).sections
        named = [item.name for item in documents()[document] if is_section(item.name)]
        assert [name for name, _ in sections if name != "references"] == (named if sections else [])
        assert all(place_key(one) < place_key(other) for (_, one), (_, other) in pairwise(sections))

    def test_every_line_was_read_with_its_text(self, document):
        assert [run for run in kept(document).runs if run.digest == "-"] == []

    def test_no_sentence_is_open(self, document):
        assert {name: counts["open"] for name, counts in shares(kept(document)).items() if counts["open"]} == {}

    def test_a_claim_that_is_named_is_printed_there(self, document):
        named = {name for run in kept(document).runs for part in run.parts for name in part.claims}
        assert named <= set(claim_ids())
        for name in named:
            assert any(source.startswith(f"{document}, ") for source in claim(name).sources), name

    def test_claimed_sentences_and_no_others_name_claims(self, document):
        parts = [part for run in kept(document).runs for part in run.parts]
        assert [part for part in parts if bool(part.claims) is not (part.kind == "claimed")] == []
