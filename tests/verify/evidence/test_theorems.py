import re
from pathlib import Path

import pytest

from stirred.verify.evidence import theorems as module
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.theorems import STATEMENTS, cited, theorems
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.book import claims
from stirred.verify.ledger.claim import Claim
from stirred.verify.ledger.run import run_claim
from stirred.verify.ledger.statement import theorem

ROOT = Path(__file__).parents[3]
PAGE = """\
(* Part 1. Without axioms *)
Theorem ratio_bound (* a.ratio a.other *) : forall k a, d k <= (k + 1) ^ a * d (k - a). restates ratio_bound by
  ratio_bound_instance. Qed.
Theorem two_line_bound (* a.ratio *) : d 1 <= d 2. restates by
  two_line_bound_instance. Qed.
Theorem unclaimed : forall k, d k = d k. restates unclaimed. Qed.
Theorem open_ended (* a.ratio *) : d 1 = 0.
Theorem
  small (* a.small *) : d 2 = 1. restates small. Qed.

(* Part 2. On the axioms *)
Theorem large (* a.large *) : d 9 = 1. restates large. Qed.
"""


@pytest.fixture
def page(tmp_path, monkeypatch):
    file = tmp_path / "Statements.v"
    file.write_text(PAGE)
    monkeypatch.setattr(module, "STATEMENTS", file)
    theorems.cache_clear()
    yield file
    theorems.cache_clear()


def test_restated_theorems_are_read_with_their_part_line_and_claims(page):
    known = theorems()
    assert set(known) == {"ratio_bound", "two_line_bound", "small", "large"}
    assert known["ratio_bound"].claims == ("a.ratio", "a.other")
    assert (known["small"].statement, known["small"].line) == ("d 2 = 1", 8)
    assert [one.assumptions for one in known.values()] == ["closed", "closed", "closed", "classical reals"]


def test_a_restated_theorem_proves_its_claim_within_its_limits(page):
    evidence = theorem("lemmas.ratio_bound").run()
    assert evidence.verdict is Verdict.PROVED
    assert evidence.scope.startswith("all sizes: lemmas.ratio_bound (assumptions: closed")
    assert theorem("lemmas.ratio_bound", within="finite sets").run().scope.startswith("finite sets: lemmas.ratio_bound")


@pytest.mark.parametrize(("coqc", "said"), [(None, True), ("/usr/bin/coqc", False)])
def test_the_scope_says_whether_coq_is_present(page, monkeypatch, coqc, said):
    monkeypatch.setattr("stirred.verify.evidence.theorems.shutil.which", lambda name: coqc)
    assert ("not present" in theorem("lemmas.ratio_bound").run().scope) is said


def test_a_theorem_that_is_not_restated_is_a_failure(page):
    for look_up in (theorem("lemmas.gone").run, lambda: cited("a.gone", ["lemmas.gone"])):
        with pytest.raises(EngineError, match=r"lemmas\.gone is not in"):
            look_up()


def test_a_claim_that_cites_the_theorem_of_another_is_a_failure(page):
    borrowed = Claim("a.large", (), "words", is_printed=False, checks=(theorem("lemmas.small"),))
    with pytest.raises(EngineError, match=r"a\.large: the theorem lemmas\.small stands in Statements\.v for other"):
        run_claim(borrowed)
    refuted = Claim("a.large", (), "words", is_printed=False, refuted_by=("lemmas.small",))
    with pytest.raises(EngineError, match=r"lemmas\.small stands in Statements\.v for other claims"):
        run_claim(refuted)


def test_without_the_page_no_weaker_verdict_is_given(page):
    page.unlink()
    theorems.cache_clear()
    with pytest.raises(EngineError, match="is missing: the installation is incomplete"):
        theorem("lemmas.ratio_bound").run()


def test_the_page_read_here_is_the_one_that_is_checked():
    assert STATEMENTS == ROOT / "proofs" / "Statements.v"
    assert len(STATEMENTS.read_text().splitlines()) < 1500


OF_OTHER_READINGS = {"necessity_refuted"}
"""Theorems on another reading of the words than the claim's; steps to others are lemmas."""


OF_AUDITED_CLAIMS = {
    "at_least_sound",
    "at_most_sound",
    "exceeded_sound",
    "met_sound",
    "multiplicative_le",
    "multiplicative_log",
    "total_variation_le",
    "tree_lawE",
}
"""What the files of stirred audit --coq rest on: these are about claims of users, and no document states them."""


def test_a_theorem_and_the_claims_that_cite_it_name_each_other():
    theorems.cache_clear()
    citing = {(one.id, name) for one in claims() for check in one.checks for name in check.theorems}
    citing |= {(one.id, name) for one in claims() for name in one.refuted_by}
    named = {(claim_id, name.rpartition(".")[2]) for claim_id, name in citing}
    beside = {(claim_id, one.name) for one in theorems().values() for claim_id in one.claims}
    assert beside - named == {("audit", name) for name in OF_AUDITED_CLAIMS} | {
        ("another-reading", name) for name in OF_OTHER_READINGS
    }
    assert named <= beside


def test_the_theory_that_a_claim_names_states_its_theorem():
    texts = {path.stem: path.read_text() for path in (ROOT / "proofs" / "theories").rglob("*.v")}
    named = {name for one in claims() for check in one.checks for name in check.theorems}
    named |= {name for one in claims() for name in one.refuted_by}
    stated = {
        f"{stem}.{name}"
        for stem, text in texts.items()
        for name in re.findall(r"^(?:Theorem|Example) (\w+)", text, re.M)
    }
    assert named - stated == set()
