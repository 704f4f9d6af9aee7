"""Each sentence of a document is accounted for, and a document that was changed is found.

The map of the source documents is complete: every numbered item has claims or a note, and every source an item.

A printed text is cut into sentences; a quotation is found where it is printed, as far as it is, and nowhere else.
"""

import re
from itertools import pairwise

import pytest

from stirred.verify.ledger.book import claims
from stirred.verify.ledger.claim import Statement
from stirred.verify.ledger.coverage import accounted, changed_runs, claimed_in, main, quotations_in, share_rows
from stirred.verify.ledger.documents import (
    DOCUMENTS,
    NOTES,
    KeptDocument,
    SameKind,
    SentenceRun,
    documents,
    formatted,
    item_of,
    kept,
    kept_path,
)
from stirred.verify.ledger.printed_text import PrintedText, digest_of, sentences, words

TEXT = """A small article

2.4. What invariants do

A universe is a set of data sets. Budgets are often misread.

Having the data set size as an invariant has been a part of it from its conception. The bound is sharp for two records.

3.1. Swapping

Having the data set size as an invariant has been doubted by many readers of this text.
"""

SECTIONS = (("section 2.4", "3.1"), ("section 3.1", "9.1"))

CLAIM = Statement(
    "a.claim", ("article, section 2.4",), "Having the data set size as an invariant has been a part of it …"
)

READ = (
    SentenceRun("1.1", "3.2", "-", (SameKind("layout", 0),)),
    SentenceRun("5.1", "5.1", "-", (SameKind("definition", 0),)),
    SentenceRun("5.2", "5.2", "-", (SameKind("opinion", 0),)),
    SentenceRun("9.1", "9.2", "-", (SameKind("layout", 0),)),
    SentenceRun("5.1", "7.2", "-", (SameKind("motivation", 0),)),
    SentenceRun("5.1", "5.1", "-", (SameKind("definition", 0),)),
    SentenceRun("7.2", "7.2", "-", (SameKind("open", 0),)),
)


def kept_of(runs=READ, text=TEXT, claims=(CLAIM,)):
    printed = sentences(text)
    one = KeptDocument("small.txt", SECTIONS, runs)
    return accounted(one, printed, quotations_in("article", claims, one, printed).quoted), printed


def kinds(one):
    return [(run.first, [(part.kind, part.count) for part in run.parts]) for run in one.runs]


FRONT = ("1.1", [("layout", 1)])

ONE = [("layout", 2), ("definition", 1), ("motivation", 1)]


def test_the_last_line_counts_and_a_quotation_before_all():
    assert kinds(kept_of()[0]) == [
        FRONT,
        ("3.1", [*ONE, ("quoted", 1), ("open", 1)]),
        ("9.1", [("layout", 2), ("open", 1)]),
    ]


def test_what_is_no_longer_quoted_is_open_and_the_rest_stays():
    one, printed = kept_of()
    assert kinds(accounted(one, printed, {}))[1] == ("3.1", [*ONE, ("open", 2)])
    assert accounted(one, printed, {5: ("a.claim",)}) == one == accounted(one, printed, {5: ("b.claim",)})


def test_a_quotation_is_looked_for_in_its_section_first():
    one, _ = kept_of(claims=(Statement("b.claim", ("article, section 3.1",), CLAIM.statement),))
    assert kinds(one)[1:] == [
        ("3.1", [*ONE[:2], ("motivation", 2), ("open", 1)]),
        ("9.1", [("layout", 2), ("quoted", 1)]),
    ]


def test_sentences_that_a_claim_states_in_other_words_are_its_places():
    claimed = (*READ, SentenceRun("7.2", "9.2", "-", (SameKind("claimed", 0, ("a.claim", "b.claim", "c.claim")),)))
    one, printed = kept_of(claimed)
    stated = (CLAIM, *(Statement(name, ("article, section 3.1",), "It is.") for name in ("b.claim", "d.claim")))
    found = claimed_in("article", stated, one, printed)
    places = {name: [printed[number].place for number in numbers] for name, numbers in found.items()}
    assert places == {"a.claim": ["7.2"], "b.claim": ["9.1", "9.2"]}
    assert claimed_in("article", stated, *kept_of()) == {}


def test_where_none_is_in_the_section_that_a_claim_names_all_are_its_places():
    one, printed = kept_of((*READ, SentenceRun("9.2", "9.2", "-", (SameKind("claimed", 0, ("a.claim",)),))))
    found = claimed_in("article", (CLAIM,), one, printed)
    assert [printed[number].place for number in found["a.claim"]] == ["9.2"]


def test_a_long_section_is_kept_on_several_lines():
    printed = sentences("\n\n".join(f"Sentence number {number}." for number in range(50)))
    runs = accounted(KeptDocument("small.txt", ()), printed, {}).runs
    assert [(run.first, run.last, run.count) for run in runs] == [
        ("1.1", "39.1", 20),
        ("41.1", "79.1", 20),
        ("81.1", "99.1", 10),
    ]


def test_rows_count_each_kind_by_section():
    assert list(share_rows(kept_of()[0])) == [
        ("section 2.4", "4", "1", "1", "", "1", "", "", "1"),
        ("section 3.1", "1", "", "", "", "", "", "", "1"),
        ("all", "5", "1", "1", "", "1", "", "", "2"),
    ]


def test_a_text_that_was_read_fits():
    one, printed = kept_of()
    assert changed_runs(one, printed) == []


@pytest.mark.parametrize(
    ("old", "new", "first"),
    [
        ("sharp for two", "sharp for three", "3.1"),
        ("Budgets are often misread.", "", "3.1"),
        ("many readers", "few readers", "9.1"),
        ("A small article\n", "A small article\n\n", "3.1"),
        ("A small", "A smaller", "1.1"),
    ],
)
def test_a_planted_change_is_found_where_it_is(old, new, first):
    one, _ = kept_of()
    assert changed_runs(one, sentences(TEXT.replace(old, new)))[0].first == first


class TestCommand:
    @pytest.fixture
    def small(self, tmp_path):
        """A folder with a document, and one that keeps how it was read."""
        (tmp_path / "small.txt").write_text(TEXT, encoding="utf-8")
        kept_path("article", tmp_path).write_text(
            formatted("article", KeptDocument("small.txt", SECTIONS, READ)), encoding="utf-8"
        )
        return tmp_path

    def run(self, folder, *more):
        return main([str(folder), "--kept", str(folder), *more])

    def test_it_keeps_what_it_prints(self, small, capsys):
        assert self.run(small, "--write") == 0
        assert "section 2.4" in capsys.readouterr().out
        assert {run.digest for run in kept("article", small).runs}.isdisjoint({"-"})
        assert "invariants.bounded: article 7" in (small / "places.txt").read_text(encoding="utf-8").splitlines()
        before = kept_path("article", small).read_text(encoding="utf-8")
        assert self.run(small, "--write") == 0
        assert kept_path("article", small).read_text(encoding="utf-8") == before

    def test_what_is_not_kept_yet_is_said(self, small, capsys):
        assert self.run(small) == 0
        assert "out of date (--write rewrites): article.txt, places.txt" in capsys.readouterr().err

    def test_what_is_in_formulas_is_found_where_it_is_kept_as_claimed(self, small, capsys):
        path = kept_path("article", small)
        read = path.read_text(encoding="utf-8")
        self.run(small)
        assert "article: the quotation of psa.budget.theorem was not found" in capsys.readouterr().err
        path.write_text(f"{read}7.2 7.2 - claimed psa.budget.theorem\n", encoding="utf-8")
        assert self.run(small, "--write") == 0
        assert "psa.budget.theorem was not found" not in capsys.readouterr().err
        assert "psa.budget.theorem: article 7" in (small / "places.txt").read_text(encoding="utf-8").splitlines()

    def test_a_changed_document_is_status_1_and_nothing_is_written(self, small, capsys):
        self.run(small, "--write")
        before = kept_path("article", small).read_text(encoding="utf-8")
        (small / "small.txt").write_text(TEXT.replace("two records", "2 records"), encoding="utf-8")
        capsys.readouterr()
        assert self.run(small, "--write") == 1
        assert "article: sentences 3.1 to 7.2 have changed since they were read" in capsys.readouterr().err
        assert kept_path("article", small).read_text(encoding="utf-8") == before

    def test_a_missing_document_is_status_2_with_one_line(self, small, capsys):
        (small / "small.txt").unlink()
        assert self.run(small) == 2
        assert "small.txt" in capsys.readouterr().err


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


PRINTED = sentences(
    "The swap rate of the table is fixed by the bureau in advance. Every data set in the universe has the same size.\n"
    "\n"
    "Hence the bound on the budget holds for all small swap rates,\n"
    "\n"
    "\\varepsilon_{D} \\leq \\ln(b + 1) .\n"
    "\n"
    "It is achieved by no other method that was published so far. Every data set in the world has another size.\n"
)

SIZES, BOUND, DISPLAY, ACHIEVED, OTHER = 1, 2, 2, 3, 4

WHOLE = [(0, len(PRINTED))]


def found(said, ranges=WHOLE):
    return PrintedText(PRINTED).find({"a.claim": (said, ranges)})


def test_the_text_is_cut_as_these_tests_say():
    assert [one.place for one in PRINTED] == ["1.1", "1.2", "3.1", "7.1", "7.2"]


@pytest.mark.parametrize(
    ("said", "places", "quoted"),
    [
        ("Hence the bound on the budget holds for all small swap rates: eps_D <= ln(b + 1).", (BOUND,), {BOUND}),
        (
            "Every data set in the universe has the same size. … It is achieved by no other method …",
            (SIZES, ACHIEVED),
            {SIZES},
        ),
        ("It is achieved by no other …", (ACHIEVED,), set()),
    ],
    ids=["formulas in plain text", "each part of a cut quotation", "less of a sentence does not cover it"],
)
def test_a_quotation_is_found(said, places, quoted):
    one = found(said)
    assert one.places == {"a.claim": places}
    assert one.quoted == dict.fromkeys(quoted, ("a.claim",))


def test_what_is_not_printed_is_missing():
    one = found("A wholly different statement about the largest strata of households.")
    assert (one.places, one.missing, one.quoted) == ({}, ("a.claim",), {})


def test_of_two_places_with_like_words_the_one_in_the_range_is_found():
    said = "Every data set in the universe has the same size."
    assert found(said).places == {"a.claim": (SIZES,)}
    assert found(said, [(3, 5)]).places == {"a.claim": (OTHER,)}


def test_a_stretch_that_is_left_out_leaves_a_sentence_open():
    printed = sentences(
        "The budget of the swapping algorithm is sharp for all rates, as was shown elsewhere by others long ago."
    )
    said = "The budget of the swapping algorithm is sharp for all rates"
    assert PrintedText(printed).find({"a.claim": (said, [(0, 1)])}).quoted == {}
    assert PrintedText(printed).find({"a.claim": (f"{said}, as was shown …", [(0, 1)])}).quoted == {0: ("a.claim",)}


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        (
            "It holds (see below). Why? It is “sharp.” So is (1).",
            {"1.1": "It holds (see below).", "1.2": "Why?", "1.3": "It is “sharp.”", "1.4": "So is (1)."},
        ),
        *(
            (text, {"1.1": text})
            for text in ("See Bun et al. (2016), i.e. the U.S. Census.", "Let J. Doe answer 1.5 of e.g. Ten.")
        ),
        (
            "It satisfies\n\n(7) e = \\ln(b) - \\ln(o),\n\nwhere o is\n\nthe odds.\n\nNext.",
            {"1.1": "It satisfies (7) e = \\ln(b) - \\ln(o), where o is the odds.", "9.1": "Next."},
        ),
        (
            "2.1 Geography\nBlocks nest.\n| a | b |\n| 1 | 2 |\nand so on.",
            {
                "1.1": "2.1 Geography",
                "2.1": "Blocks nest.",
                "3.1": "| a | b |",
                "4.1": "| 1 | 2 |",
                "5.1": "and so on.",
            },
        ),
    ],
    ids=["ends", "abbreviations", "initials", "a display and a page end", "a heading and a table"],
)
def test_a_text_is_cut_into_sentences(text, cut):
    assert [(one.place, one.text) for one in sentences(text)] == [*cut.items()]


def test_formulas_give_no_words_and_numbers_do():
    said = "the rate $p$ of D_r, \\mathcal{D} and epsilon is 0.95, or 95.2%"
    assert words(said) == ("the", "rate", "of", "and", "is", "0.95", "or", "95.2")


def test_a_digest_knows_the_order_and_every_letter():
    assert len({digest_of(["a", "b"]), digest_of(["b", "a"]), digest_of(["a", "c"]), digest_of(["ab"])}) == 4
