"""A site of a few claims: its links, what it says, its size, what it does to folders; and of hostile records."""

import copy
import json
import re

import pytest
from reported import HOSTILE
from site_links import Read, broken_links, read_pages

from stirred.spec import InputError
from stirred.verify.cli.site import coq_files
from stirred.verify.cli.site.build import build_site, site_files
from stirred.verify.cli.site.entry import entries
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.ledger.book import claims
from stirred.verify.ledger.documents import examples


class TestAFewClaims:
    def test_every_link_leads_somewhere_on_the_site(self, few_files, few_pages):
        assert broken_links(few_files, few_pages) == []

    def test_a_link_that_leads_nowhere_is_found(self, few_files, few_pages):
        text = few_files["index.html"].decode().replace("</main>", '<a href="no.html">x</a><a href="#no">x</a></main>')
        found = broken_links(few_files, {**few_pages, "index.html": Read(text)})
        assert found == [("index.html", "no.html"), ("index.html", "#no")]

    def test_nothing_is_fetched_and_no_script_stands_on_a_page(self, few_files, few_pages):
        for path, page in few_pages.items():
            assert not [link for link in page.links if re.match(r"\w+:|//", link)], path
            assert not [names for _, names in page.tags if any(name.startswith("on") for name in names)], path
            assert [names for tag, names in page.tags if tag == "script"] == [("src", "defer", "data-root")], path
        style = few_files["static/site.css"].decode()
        assert not re.search(r"url\(|@import|https?:", style + few_files["static/site.js"].decode())

    def test_a_claim_has_its_words_its_theorem_and_its_checks(self, few_files):
        said = " ".join(Read(few_files["ledger/hamming.half-l1.html"].decode()).text.split())
        for words in (
            "l1(x, x') = 2 dHamS(x, x') if |x| = |x'|.",
            "article, Lemma 2",
            "PROVED a Coq theorem states it",
            "It assumes no axiom",
            "forall M H S0 n (x x' : dataset M H S0 n), l1_tables x x' = (2 * hamming x x')%N.",
            "1 for 2",
            "verify/ledger/claims/swapping/records.py, line ",
        ):
            assert words in said, words

    def test_a_refuted_claim_has_its_grade_its_case_and_what_holds_instead(self, few_files):
        said = " ".join(Read(few_files["ledger/derangements.nearest-integer.printed.html"].decode()).text.split())
        for words in (
            "REFUTED: incomplete",
            "What holds instead PROVED derangements.nearest-integer",
            "The counterexample The case name value k 0",
            "(left 1, right 0)",
            "optimality_universes.nearest_integer_refuted It refutes the statement",
        ):
            assert words in said, words

    def test_the_line_of_a_claim_is_that_of_its_entry(self, few_files):
        (link,) = re.findall(
            r'href="([^"]*)">verify/ledger/claims/swapping/records.py, line', _page(few_files, "hamming.half-l1")
        )
        place = link.partition("#")[2]
        source = few_files["source/verify/ledger/claims/swapping/records.py.html"].decode()
        after = source.partition(f"<i id={place}></i>")[2].splitlines()
        assert after[0].startswith('state("hamming.half-l1", ')

    def test_a_document_lists_each_item_and_leads_to_what_was_found(self, few_files):
        page = Read(few_files["documents/article.html"].decode())
        assert "Lemma 2 PROVED hamming.half-l1" in " ".join(page.text.split())
        assert {"item-Lemma-2", "item-Theorem-1"} <= page.places
        assert "article-found.html" in page.links

    def test_what_was_found_says_why_an_example_and_what_holds_in_words(self, few_files):
        said = " ".join(Read(few_files["documents/article-found.html"].decode()).text.split())
        for part in (
            "Incomplete: a hypothesis is missing",
            "k ≥ 1; a step that fails",
            "For k = 0 there is one derangement, the empty one, and the formula gives 0.",
            "d(k) = floor(k!/e + 1/2) for every k ≥ 1.",
            "None where the hypothesis holds.",
        ):
            assert part in said
        assert "Everything holds." in few_files["documents/PHSafe-found.html"].decode()

    def test_every_claim_that_does_not_hold_has_an_example_in_words(self):
        graded = {one.id: one.grade.word for one in claims() if one.grade is not None}
        assert examples().keys() == graded.keys()
        for name, (example, touched) in examples().items():
            assert not re.search(r"lambda|==|!=|<=|>=|\*\*|\boo\b|\beps\b|false at", example + touched), name
            assert touched or graded[name] != "false", name

    def test_a_theorem_leads_to_its_claims_and_what_it_rests_on(self, few_files):
        page = Read(few_files["proofs/swaps/hamming.html"].decode())
        assert "l1_tables_hamming" in page.places
        assert "../../ledger/hamming.half-l1.html" in page.links

    def test_the_search_finds_numbers_names_and_claims(self, few_files, few_pages):
        rows = json.loads(few_files["static/search.js"].decode().removeprefix("window.stirredIndex = ").rstrip(";\n"))
        places = {(title, kind): address for title, kind, address, *_ in rows}
        assert places["dissertation, Theorem 5.8.4", "item"] == "documents/dissertation.html#item-Theorem-5-8-4"
        assert places["hamming_unordered", "reference"] == "reference/stirred.spec.html#hamming_unordered"
        assert places["hamming.half-l1", "claim"] == "ledger/hamming.half-l1.html"
        for address in places.values():
            path, _, place = address.partition("#")
            assert not place or place in few_pages[path].places, address

    def test_it_is_small(self, few_files):
        assert sum(map(len, few_files.values())) < 9_000_000

    def test_the_ledger_alone_has_links_that_lead_somewhere(self, few_records):
        files = site_files(entries(few_records), source="a run", whole=False)
        assert broken_links(files) == []
        assert not [path for path in files if path.startswith(("guide", "proofs", "reference", "mechanisms"))]

    def test_where_the_proofs_do_not_come_along_their_statements_stand_on_one_page(
        self, few_records, tmp_path, monkeypatch
    ):
        monkeypatch.setattr(coq_files, "_FOLDER", tmp_path)
        kept = (coq_files.coq_files, coq_files._items)
        for one in kept:
            one.cache_clear()
        files = site_files(entries(few_records), source="a run")
        for one in kept:
            one.cache_clear()
        assert broken_links(files) == []
        assert [path for path in files if path.startswith("proofs/")] == ["proofs/statements.html", "proofs/index.html"]
        assert "proofs/statements.html#l1_tables_hamming" in _page(files, "hamming.half-l1")
        assert "l1_tables x x' = " in Read(files["proofs/statements.html"].decode()).text


def _page(files, claim):
    return files[f"ledger/{claim}.html"].decode()


class TestHostileRecords:
    def test_a_text_of_a_record_is_text_on_the_page(self, few_records, few_files):
        records = copy.deepcopy(few_records)
        for record in records:
            record["scope"] = record["detail"] = HOSTILE
            for one in record["evidence"]:
                one["scope"] = one["detail"] = HOSTILE
        files = site_files(entries(records), source=HOSTILE, whole=False)
        plain = read_pages(site_files(entries(few_records), source="x", whole=False))
        for path, page in read_pages(files).items():
            assert set(page.tags) <= set(plain[path].tags), path
        said = Read(files["ledger/hamming.half-l1.html"].decode()).text
        assert " ".join(printable(HOSTILE).split()) in " ".join(said.split())

    @pytest.mark.parametrize(
        ("change", "named"),
        [
            ({"id": "no.such-claim"}, "no claim has the id"),
            ({"statement": "other words"}, "must have the statement of this version"),
            ({"sources": []}, "must have the sources of this version"),
            ({"refuted_in_coq": ["pure.pure_dp"]}, "must have the refuted_in_coq of this version"),
            ({"mutants": []}, "must have the mutants of this version"),
            ({"evidence": []}, "must have the checks of this version"),
            ({"verdict": "DECIDED"}, "must have the verdict of its evidence"),
            ({"verdict": "REFUTED", "witness": {}}, "must have the verdict of its evidence"),
            ({"verdict": "MAYBE"}, "must be one that stirred verify --json prints"),
            ({"scope": 3}, "must be one that stirred verify --json prints"),
            ({"evidence": [{"verdict": "PROVED"}]}, "must be one that stirred verify --json prints"),
        ],
    )
    def test_a_record_that_is_none_of_this_version_is_refused(self, few_records, change, named):
        (record,) = (one for one in few_records if one["id"] == "hamming.half-l1")
        with pytest.raises(InputError, match=re.escape(named)):
            entries([{**record, **change}])

    def test_no_file_is_read_that_a_record_names(self, few_records):
        (record,) = copy.deepcopy([one for one in few_records if one["id"] == "hamming.half-l1"])
        record["evidence"][0]["place"] = "../../etc/passwd::x"
        with pytest.raises(InputError, match="must have the checks of this version"):
            entries([record])

    def test_a_witness_that_does_not_replay_is_refused(self, few_records):
        (record,) = copy.deepcopy([one for one in few_records if one["verdict"] == "REFUTED"])
        record["witness"]["case"] = {"k": 3}
        with pytest.raises(InputError, match="must have a witness that replays"):
            site_files(entries([record]), source="x", whole=False)


class TestTheFolder:
    def test_an_earlier_site_is_replaced_whole(self, few_records, tmp_path):
        folder = tmp_path / "deep" / "pages"
        build_site(str(folder), few_records, source="x", whole=False)
        (folder / "left.html").write_text("x")
        built = build_site(str(folder), few_records[:1], source="x", whole=False)
        assert not (folder / "left.html").exists()
        assert not (folder / "ledger" / "hamming.half-l1.html").exists()
        assert built.claims == 1
        assert built.pages == len(list(folder.rglob("*.html")))
        assert built.size == sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        assert [path.name for path in folder.parent.iterdir()] == ["pages"]

    @pytest.mark.parametrize("name", ["mine.txt", "index.html"])
    def test_a_folder_with_other_files_is_left_alone(self, few_records, tmp_path, name):
        (tmp_path / name).write_text("mine")
        with pytest.raises(InputError, match="must be a new or empty folder, or an earlier site"):
            build_site(str(tmp_path), few_records, source="x", whole=False)
        assert [path.name for path in tmp_path.iterdir()] == [name]

    def test_a_file_is_no_folder(self, few_records, tmp_path):
        (tmp_path / "file").write_text("mine")
        with pytest.raises(InputError, match="file: "):
            build_site(str(tmp_path / "file"), few_records, source="x", whole=False)
        assert (tmp_path / "file").read_text() == "mine"
