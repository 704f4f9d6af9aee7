import pytest
from verify.proofs import evidence_for, refutations_of, theorems

from spec.claims import CLAIMS
from verify import proofs
from verify.evidence import EngineError
from verify.theorem_table import LIMITS, REFUTED, STATED
from verify.verdict import Verdict

STATEMENTS = """\
Theorem lemmas.ratio_bound
assumptions: none
statement:
forall k a, d k <= (k + 1) ^ a * d (k - a)

Example lemmas.small
assumptions: classical reals
statement:
d 2 = 1
"""


@pytest.fixture
def committed(tmp_path, monkeypatch):
    file = tmp_path / "statements.txt"
    file.write_text(STATEMENTS)
    monkeypatch.setattr(proofs, "STATEMENTS", file)
    monkeypatch.setattr(proofs, "REFUTED", {"e.f": ("lemmas.small",)})
    monkeypatch.setattr(proofs, "STATED", {"a.b": ("lemmas.ratio_bound",), "c.d": ("lemmas.gone",)})
    theorems.cache_clear()
    yield file
    theorems.cache_clear()


def test_committed_theorems_are_read_with_their_assumptions(committed):
    known = theorems()
    assert set(known) == {"lemmas.ratio_bound", "lemmas.small"}
    assert known["lemmas.ratio_bound"].assumptions == "none"
    assert known["lemmas.small"].statement == "d 2 = 1"


def test_a_committed_theorem_proves_its_claim(committed):
    (evidence,) = evidence_for("a.b")
    assert evidence.verdict is Verdict.PROVED
    assert "lemmas.ratio_bound" in evidence.scope
    assert "none" in evidence.scope


def test_the_scope_names_the_limits_of_a_theorem(committed, monkeypatch):
    (evidence,) = evidence_for("a.b")
    assert evidence.scope.startswith("all sizes: ")
    monkeypatch.setattr(proofs, "LIMITS", {"a.b": "laws on finite sets"})
    (evidence,) = evidence_for("a.b")
    assert evidence.scope.startswith("laws on finite sets: lemmas.ratio_bound")


@pytest.mark.parametrize(("coqc", "said"), [(None, True), ("/usr/bin/coqc", False)])
def test_the_scope_says_whether_coq_is_present(committed, monkeypatch, coqc, said):
    monkeypatch.setattr("verify.proofs.shutil.which", lambda name: coqc)
    (evidence,) = evidence_for("a.b")
    assert ("not present" in evidence.scope) is said


def test_a_theorem_that_is_not_committed_is_a_failure(committed):
    with pytest.raises(EngineError, match=r"lemmas\.gone"):
        evidence_for("c.d")


def test_a_claim_without_theorem_has_no_evidence(committed):
    assert evidence_for("x.y") == []


def test_without_the_committed_statements_no_weaker_verdict_is_given(committed):
    committed.unlink()
    theorems.cache_clear()
    with pytest.raises(EngineError, match="is missing: the installation is incomplete"):
        evidence_for("a.b")


def test_the_table_names_claims_and_committed_theorems_only():
    theorems.cache_clear()
    assert {*STATED, *REFUTED} <= {claim.id for claim in CLAIMS}
    assert LIMITS.keys() <= STATED.keys()
    assert {name for names in (*STATED.values(), *REFUTED.values()) for name in names} <= set(theorems())


def test_a_refutation_in_coq_is_named(committed):
    assert refutations_of("e.f") == ("lemmas.small",)
    assert refutations_of("a.b") == ()
