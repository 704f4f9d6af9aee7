"""Certificates of claims: what each kind of verdict leaves, that it is the same every time, and what leaves none."""

import json

import pytest

from spec import Law
from spec.loss import Loss
from verify.certificates import query, sentences
from verify.engines.solver import QUERIES
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import event_witness
from verify.ledger import cases, certificates, every, some
from verify.ledger import query as asked
from verify.ledger.book import claim_ids
from verify.ledger.certificates import certified, contradiction, run_certified
from verify.ledger.claim import Check, Query, Sentence, Statement
from verify.ledger.run import Found, LedgerRecord


def confirmed(claim_id):
    """The lines of the checkers."""
    kept = certified(claim_id)
    found = [json.loads(kept.text)] * bool(kept.text) + json.loads(kept.queries or "[]")
    kinds = {sentences.FORMAT: sentences.check, query.FORMAT: query.check}
    return [line for one in found for line in kinds[one["format"]](one)]


@pytest.mark.parametrize(
    ("claim_id", "first"),
    [
        ("post-imputation.factor", "CONFIRMED: true of every one of"),
        ("domain.boundary-upstream", "CONFIRMED: true of one case"),
        ("numbers.table-4.overall-epsilon", "CONFIRMED: true of one case: printed - half_unit <= "),
        ("numbers.table-3.pl-person", "CONFIRMED: true of one case: printed - half_unit <= "),
        ("renyi.finite-where-multiplicative-infinite", "CONFIRMED: true of every one of"),
        ("invariants.nonvacuous", "CONFIRMED: false of one case"),
        ("phsafe.table-10.formula", "CONFIRMED: false of one case"),
    ],
)
def test_each_kind_of_verdict_leaves_a_certificate(claim_id, first):
    assert confirmed(claim_id)[0].startswith(first)


def test_a_query_leaves_a_sum_where_one_contradicts_it():
    assert any("by a sum of" in line for line in confirmed("phsafe.sensitivity.tables-added"))


@pytest.mark.parametrize("path", sorted(QUERIES.glob("*.smt2")), ids=lambda path: path.stem)
def test_each_query_has_a_sum_or_another_solvers_answer(path):
    """Z3 answered first: cvc5 is another program by other people."""
    pytest.importorskip("cvc5")
    text = path.read_text(encoding="utf-8")
    head = {"format": query.FORMAT, "claim": path.stem, "statement": "", "scope": "all", "without": []}
    found = contradiction(text)
    (first, *_) = query.check({**head, "query": text, "sum": found})
    assert first.startswith("CONFIRMED")
    assert ("by a sum of" if found else "by cvc5 for Python") in first


@pytest.mark.parametrize("claim_id", ["optimality.bound-function", "psa.budget.two-rates"])
def test_no_query_waits_for_a_solver(claim_id):
    pytest.importorskip("cvc5")
    assert certified(claim_id).unanswered == ()


@pytest.mark.parametrize(
    ("claim_id", "verdict", "reason"),
    [
        ("psa.proof.budget-forms", "PROVED", "a theorem, which coqc checks"),
        ("tradeoff.blackwell.standard", "ARGUED", "a proof in words"),
        ("invariants.two-encodings", "EXHAUSTED", "computed by this program"),
        ("numbers.massachusetts.largest-stratum", "OPEN", "nothing settles it"),
    ],
)
def test_what_no_certificate_has_is_named(claim_id, verdict, reason):
    assert any(one.startswith(f"{verdict} by ") and reason in one for one in certified(claim_id).without)


def test_statistics_have_no_certificate():
    sampled = Check(lambda: Evidence(Verdict.SAMPLED, "1,000 draws"))
    assert certificates._reason(sampled, Verdict.SAMPLED) == "statistics"


def test_the_same_every_time_and_in_every_number_of_processes():
    ids = [
        "post-imputation.factor",
        "domain.boundary-upstream",
        "tradeoff.blackwell.standard",
        "psa.proof.budget-forms",
    ]
    alone, together = ([(one.text, one.queries) for one in run_certified(ids, jobs=jobs)] for jobs in (1, 2))
    assert alone == together
    assert alone == [(certified(name).text, certified(name).queries) for name in ids]


def test_what_takes_too_much_room_is_left_out(monkeypatch):
    monkeypatch.setattr(certificates, "MOST_BYTES", 10)
    found = certified("post-imputation.factor")
    assert (found.text, found.queries) == ("", "")
    assert "its cases take more than 10 bytes" in found.without[0]


def test_a_sentence_that_is_not_so_is_an_engine_failure(monkeypatch):
    wrong = Check(
        lambda: Evidence(Verdict.EXHAUSTED, "n <= 3"),
        expression="n < 3",
        shown=lambda: [Sentence("n < 3", "n <= 3", ("n",), [(1,), (3,)])],
    )
    monkeypatch.setattr(certificates, "claim", lambda _: type("Claim", (), {"checks": (wrong,)}))
    monkeypatch.setattr(certificates, "place", lambda *_: "here")
    monkeypatch.setattr(
        certificates, "run_claim", lambda _: _record(Evidence(Verdict.EXHAUSTED, "n <= 3"), "here", "n < 3")
    )
    with pytest.raises(EngineError, match=r"not confirmed: 'n < 3' is false of \{'n': '3'\}"):
        certified("test.claim")


def test_a_witness_of_laws_has_no_sentence(monkeypatch):
    laws = (Law({0: 1}), Law({1: 1}))
    found = Evidence(Verdict.REFUTED, "all", "", event_witness(laws, [0], distance=1, claimed=Loss(2)))
    monkeypatch.setattr(certificates, "run_claim", lambda _: _record(found, "here", ""))
    with pytest.raises(EngineError, match="of the kind loss"):
        certified("test.claim")


def _record(evidence, place, expression):
    stated = Statement("test.claim", ("a test",), "n <= 3.")
    found = (Found(evidence, place, expression),)
    return LedgerRecord(stated, evidence.verdict, evidence.scope, "", evidence.witness, found, (), (), 0)


@pytest.mark.parametrize(
    ("assertions", "listed"),
    [
        ("(assert (< x 2)) (assert (<= 4 (* 2 x)))", True),
        ("(assert (= x 2)) (assert (= x 3))", True),
        ("(assert (= x y)) (assert (not (<= x y)))", True),
        ("(assert (< (* x x) 0)) (assert (<= 0 (* x x)))", True),
        ("(assert (< x 2))", False),
        ("(assert (<= x y)) (assert (<= y x))", False),
        ("(assert (or (< x 2) (< y 2)))", False),
        ("(assert (< (* x x) 0))", False),
    ],
)
def test_a_sum_is_found_iff_one_contradicts(assertions, listed):
    text = f"(declare-const x Real) (declare-const y Real) {assertions}"
    found = contradiction(text)
    assert (found is not None) == listed
    if listed:
        head = {"format": query.FORMAT, "claim": "c", "statement": "s", "scope": "all", "without": []}
        assert query.check({**head, "query": text, "sum": found})[0].startswith("CONFIRMED")


def test_checks_say_what_they_come_down_to():
    """A query is given with the changes of its check, and a sentence with its constants."""
    small = cases("n < 3", "n more")(lambda: [(n, None) for n in range(3)])
    (shown,) = every(small, "n * n < most", most=9).shown()
    assert (shown.says, shown.names, list(shown.cases)) == ("n * n < most", ("n", "most"), [(0, 9), (1, 9), (2, 9)])
    (first,) = some(small, "n * n > least", least=0).shown()
    assert list(first.cases) == [(1, 0)]
    assert every(small, "n < most", verdict=Verdict.SAMPLED, most=3).shown is None
    assert every(small, lambda n, more: None).shown is None
    (text,) = asked("psa.variants.common-support", "all", changes=[("0.0", "0.5")]).shown()
    assert isinstance(text, Query)
    assert "0.5" in text.text


@pytest.mark.nightly
@pytest.mark.parametrize("claim_id", claim_ids())
def test_every_claim_leaves_a_certificate_or_says_why(claim_id):
    found = certified(claim_id)
    assert found.text or found.queries or found.without
    assert len(found.text) <= 2 * certificates.MOST_BYTES
