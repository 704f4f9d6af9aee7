"""Each sentence of a document is accounted for, and a document that was changed is found."""

import pytest

from stirred.verify.ledger.claim import Statement
from stirred.verify.ledger.coverage import accounted, changed_runs, claimed_in, main, quotations_in, share_rows
from stirred.verify.ledger.printed_places import KeptDocument, SameKind, SentenceRun, formatted, kept, kept_path
from stirred.verify.ledger.sentences import sentences

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
        assert "--write keeps it: article.txt, places.txt" in capsys.readouterr().err

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
        assert "article: 3.1 to 7.2 is not the text that was read" in capsys.readouterr().err
        assert kept_path("article", small).read_text(encoding="utf-8") == before

    def test_a_missing_document_is_status_2_with_one_line(self, small, capsys):
        (small / "small.txt").unlink()
        assert self.run(small) == 2
        assert "small.txt" in capsys.readouterr().err
