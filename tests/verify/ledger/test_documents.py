"""The map of the source documents is complete: every numbered item has claims or a note, and every source an item."""

import re
from itertools import pairwise

import pytest

from stirred.verify.ledger.book import claims
from stirred.verify.ledger.documents import DOCUMENTS, NOTES, documents, item_of

NUMBERED = re.compile(r"(?:.* )?\(?((?:[A-D]\.)?(?:\d+\.)*)(\d+)\)?( \(continued\))?")


def test_every_source_names_an_item():
    sources = [(one.id, source) for one in claims() for source in one.sources]
    of_documents = [(name, source) for name, source in sources if source.startswith(DOCUMENTS)]
    assert [(name, source) for name, source in of_documents if item_of(source) is None] == []


def test_an_item_has_claims_or_says_why_not():
    covered = {item_of(source) for one in claims() for source in one.sources}
    for document, items in documents().items():
        for item in items:
            assert ((document, item.name) in covered) is (item.note == ""), (document, item)


def test_notes_say_one_of_a_few_things():
    known = {f"{document}, {item.name}" for document, items in documents().items() for item in items}
    for items in documents().values():
        for item in items:
            assert item.note in NOTES or item.note.removeprefix("as ") in known, item


def test_no_item_says_that_it_is_not_covered():
    assert [item for items in documents().values() for item in items if "not covered" in item.note] == []


@pytest.mark.parametrize("document", [one for one in DOCUMENTS if one != "slides"])  # they have no numbers
def test_numbering_has_no_gaps(document):
    """Kinds that are counted together, each over its own section."""
    counters = {}
    for item in documents()[document]:
        kind = item.name.split(" ")[0] if not item.name.startswith("(") else "equation"
        found = NUMBERED.fullmatch(item.name)
        if found is None or found[3]:
            continue
        shared = document == "dissertation" and kind not in {"equation", "Table", "Figure", "Algorithm", "section"}
        if shared and found[1]:
            kind = "section" if kind in {"Appendix", "chapter"} else "item"
        counters.setdefault((kind, found[1]), []).append(int(found[2]))
    for name, numbers in counters.items():
        assert min(numbers) == 1 or name[0] in {"Proposition", "Appendix"}, (name, numbers)
        assert all(b == a + 1 for a, b in pairwise(sorted(set(numbers)))), (name, sorted(numbers))


def test_a_source_is_read_up_to_its_item():
    assert item_of("article, Appendix E (before (15))") == ("article", "Appendix E")
    assert item_of("article, Appendix C.2") == ("article", "Appendix C.2")
    assert item_of("article, Theorem 14") is None
    assert item_of("a letter, Theorem 1") is None
