"""What is read of the Coq files, from their text and from what Coq writes beside them."""

from hashlib import md5

from stirred.verify.ledger.theorems import theorems
from stirred.verify.site.coq_files import _read, coq_files, theorem_anchor, theorem_place

SOURCE = """\
(******************************************************************************)
(* A file (article, Lemma 2)                                                  *)
(*   one == its definition                                                    *)
(******************************************************************************)
From Stirred Require Import law
  swapping.

Definition one := 1.

Record pair := Pair { left : nat }.

Lemma step : one = 1.
Proof. by []. Qed.

Theorem two : left (Pair one) = 1.
Proof. exact: step. Qed.
"""


def glob_of(source):
    """What Coq writes, of these names."""
    placed = [("def", "one"), ("ind", "pair"), ("constr", "Pair"), ("proj", "left"), ("prf", "step"), ("prf", "two")]
    starts = {
        "one": " one :=",
        "pair": " pair :=",
        "Pair": " Pair {",
        "left": " left :",
        "step": " step :",
        "two": " two :",
    }
    lines = [
        f"{kind} {source.index(starts[name]) + 1}:{source.index(starts[name]) + 3} <> {name}" for kind, name in placed
    ]
    used = [
        ("one = 1", "one", "def"),
        ("left (", "left", "proj"),
        ("Pair one", "Pair", "constr"),
        ("step. Q", "step", "thm"),
    ]
    lines += [f"R{source.index(at)}:{source.index(at) + 2} Stirred.a.own <> {name} {kind}" for at, name, kind in used]
    digest = md5(source.encode(), usedforsecurity=False).hexdigest()
    return "\n".join([f"DIGEST {digest}", "FStirred.a.own", *lines]) + "\n"


def read(folder, source=SOURCE, beside=None):
    (folder / "own.v").write_text(source)
    if beside is not None:
        (folder / "own.glob").write_text(beside)
    return _read(folder / "own.v")


class TestOneFile:
    def test_header_requirements_and_items_are_read(self, tmp_path, monkeypatch):
        monkeypatch.setattr("stirred.verify.site.coq_files._FOLDER", tmp_path)
        file = read(tmp_path)
        assert file.header.splitlines() == ["A file (article, Lemma 2)", "  one == its definition"]
        assert file.requires == ("law", "swapping")
        assert [(item.name, item.kind, item.line) for item in file.items] == [
            *(("one", "Definition", 8), ("pair", "Record", 10), ("step", "Lemma", 12), ("two", "Theorem", 15)),
        ]
        assert not file.is_compiled

    def test_what_an_item_uses_is_what_coq_says(self, tmp_path, monkeypatch):
        monkeypatch.setattr("stirred.verify.site.coq_files._FOLDER", tmp_path)
        file = read(tmp_path, beside=glob_of(SOURCE))
        uses = {item.name: item.uses for item in file.items}
        assert file.is_compiled
        assert uses == {"one": set(), "pair": set(), "step": {"one"}, "two": {"pair", "step"}}

    def test_what_coq_said_of_another_text_is_not_used(self, tmp_path, monkeypatch):
        monkeypatch.setattr("stirred.verify.site.coq_files._FOLDER", tmp_path)
        assert not read(tmp_path, beside=glob_of(SOURCE + "\n")).is_compiled

    def test_what_coq_has_not_said_yet_is_not_used(self, tmp_path, monkeypatch):
        monkeypatch.setattr("stirred.verify.site.coq_files._FOLDER", tmp_path)
        assert not read(tmp_path, beside="").is_compiled


class TestTheProofs:
    def test_every_theorem_of_the_statements_stands_in_one_file(self):
        homes = [item.name for file in coq_files().values() for item in file.headlines]
        assert sorted(homes) == sorted(theorems())

    def test_every_file_says_what_it_is_about(self):
        assert [name for name, file in coq_files().items() if not file.header] == []

    def test_a_theorem_has_its_page_and_its_place(self):
        assert theorem_place("l1_tables_hamming") == "proofs/swaps/hamming.html"
        assert (theorem_anchor("l1_tables_hamming"), theorem_anchor("count_of")) == ("l1_tables_hamming", "d-count_of")

    def test_what_a_file_rests_on_is_the_weakest_of_its_theorems(self):
        assert coq_files()["hamming"].assumptions == "closed"
        assert coq_files()["psa_exponential"].assumptions == "classical reals"
