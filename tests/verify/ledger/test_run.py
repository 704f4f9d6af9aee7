"""Records: the strongest evidence gives the verdict, and whatever does not fit together is an engine failure.

Failures of properties: what a witness carries.

Replay of the ledger's witnesses: as a reader does it, and once for each text.
"""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.verify.evidence.certificates.exact_number import WitnessError
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import event_witness, formula_witness
from stirred.verify.ledger import failures as module
from stirred.verify.ledger.book import claim, claim_ids, claims, entry
from stirred.verify.ledger.claim import Check, Claim, Grade
from stirred.verify.ledger.documents import places_of
from stirred.verify.ledger.failures import failure, replayed
from stirred.verify.ledger.run import run, run_claim
from stirred.verify.ledger.statement import STATED
from stirred.verify.ledger.words import symmetric_difference

FALSE = formula_witness("n + 0 <= 3", n=4)

NAMED = {"id": "test.claim", "statement": "For all n in N, n <= 3."}

HOLDS = Evidence(Verdict.EXHAUSTED, "n <= 3")

REFUTED = Evidence(Verdict.REFUTED, "n <= 4", witness=FALSE)


def stated(*evidence, mutants=(REFUTED,), **more):
    checks = tuple(Check(lambda piece=piece: piece, "test.py::check") for piece in evidence)
    changed = {f"change {i}": Check(lambda piece=piece: piece, "test.py::mutant") for i, piece in enumerate(mutants)}
    return Claim("test.claim", ("a test, Lemma 0",), "For all n in N, n <= 3.", checks=checks, mutants=changed, **more)


def test_a_claim_without_evidence_is_open():
    record = run_claim(stated())
    assert (record.verdict, record.witness, record.supporting) == (Verdict.OPEN, None, ())
    assert record.scope


def test_the_strongest_evidence_gives_the_verdict():
    kinds = (Verdict.SAMPLED, Verdict.DECIDED, Verdict.ARGUED, Verdict.EXHAUSTED)
    record = run_claim(stated(*(Evidence(verdict, f"scope of {verdict.name}") for verdict in kinds)))
    assert (record.verdict, record.scope) == (Verdict.DECIDED, "scope of DECIDED")
    assert [piece.verdict.name for piece in record.supporting] == ["DECIDED", "EXHAUSTED", "ARGUED", "SAMPLED"]


def test_a_refutation_wins_over_what_settles_nothing():
    record = run_claim(stated(REFUTED, Evidence(Verdict.SAMPLED, "n = 10"), Evidence(Verdict.ARGUED, "a proof")))
    assert (record.verdict, record.witness) == (Verdict.REFUTED, {**FALSE, "claim": NAMED})


def test_engines_that_contradict_each_other_are_a_failure():
    with pytest.raises(EngineError, match=r"test\.claim: one engine refutes what another supports"):
        run_claim(stated(REFUTED, HOLDS))


@pytest.mark.parametrize("verdict", [v for v in Verdict if v is not Verdict.REFUTED])
def test_a_mutant_that_survives_is_a_failure(verdict):
    with pytest.raises(EngineError, match="mutant 'change 0' survives"):
        run_claim(stated(HOLDS, mutants=[Evidence(verdict, "n <= 3")]))


@pytest.mark.parametrize("verdict", [verdict for verdict in Verdict if verdict.is_settled_for])
def test_a_verdict_that_counts_as_verified_requires_a_mutant(verdict):
    with pytest.raises(EngineError, match=rf"test\.claim: {verdict.name} requires a mutant"):
        run_claim(stated(Evidence(verdict, "n <= 3"), mutants=()))


@pytest.mark.parametrize(
    ("error", "said"), [(EngineError("no such theorem"), "no such theorem"), (KeyError("q"), "KeyError: 'q'")]
)
def test_a_check_that_does_not_run_names_the_line_of_its_claim_and_its_mutant(error, said):
    def fails():
        raise error

    at, check = entry("derangements.recurrence"), Check(fails, "a.py::b")
    named = replace(stated(), id="derangements.recurrence")
    where = f"{at.file}, line {at.line}: derangements.recurrence"
    with pytest.raises(EngineError) as caught:
        run_claim(replace(named, checks=(check,)))
    assert str(caught.value) == f"{where}: {said}"
    with pytest.raises(EngineError) as caught:
        run_claim(replace(named, mutants={"m": check}))
    assert str(caught.value) == f"{where}: the mutant 'm': {said}"


def test_a_refuted_mutant_is_recorded_with_its_witness():
    (mutant,) = run_claim(stated(HOLDS, mutants=[REFUTED])).as_json()["mutants"]
    assert (mutant["change"], mutant["verdict"], mutant["witness"]) == (
        "change 0",
        "REFUTED",
        {**FALSE, "claim": {"mutant": "test.claim: change 0"}},
    )


@pytest.mark.parametrize("where", ["evidence", "mutants"])
def test_a_witness_that_does_not_replay_is_a_failure(where):
    wrong = Evidence(Verdict.REFUTED, "n <= 3", witness=formula_witness("n + 0 <= 3", n=3))
    asked = stated(wrong) if where == "evidence" else stated(HOLDS, mutants=[wrong])
    with pytest.raises(EngineError, match="does not replay"):
        run_claim(asked)


def test_a_grade_goes_with_a_refutation():
    grade = Grade("misprint", "the table has 3")
    assert run_claim(stated(REFUTED, grade=grade)).as_json()["grade"] == "misprint"
    with pytest.raises(EngineError, match="nothing refutes it"):
        run_claim(stated(HOLDS, grade=grade))
    for word, reason in (("wrong", "so"), ("false", "")):
        with pytest.raises(EngineError, match="a grade must be one of"):
            Grade(word, reason)


def test_coq_alone_refutes_nothing():
    of_the_page = replace(stated(HOLDS), id="psa.swap-probability.printed")
    with pytest.raises(EngineError, match="no witness does"):
        run_claim(replace(of_the_page, refuted_by=("psa_law.printed_swap_probability_refuted",)))
    with pytest.raises(EngineError, match=r"lemmas\.gone is not in"):
        run_claim(stated(REFUTED, refuted_by=("lemmas.gone",)))


def test_records_are_json_and_their_witnesses_replay_from_it():
    parsed = json.loads(json.dumps(run_claim(stated(REFUTED)).as_json()))
    assert (parsed["id"], parsed["sources"], parsed["printed"]) == (
        "test.claim",
        ["a test, Lemma 0"],
        parsed["statement"],
    )
    assert parsed["evidence"][0]["place"] == "test.py::check"
    assert parsed["lines"] is None  # no document prints it
    assert replay(parsed["witness"])


def test_a_record_says_on_which_lines_of_the_documents_it_is_printed():
    record = run_claim(replace(stated(HOLDS), id="approximate.disjoint-laws"))
    assert record.as_json()["lines"] == record.lines == places_of()["approximate.disjoint-laws"]
    assert f"<td>{record.lines}</td>" in record._repr_html_()


def test_the_source_of_an_own_statement_says_so():
    own = {"is_printed": False}
    assert Claim("a.b", (), "words", **own).source == "stirred"
    assert Claim("a.b", ("article, (1)",), "words", **own).source == "stirred, from article, (1)"
    assert Claim("a.b", ("article, (1)",), "w", repairs="a.c", **own).source == "stirred, repairing article, (1)"
    assert Claim("a.b", ("article, (1)", "dissertation, (2)"), "w").source == "article, (1); dissertation, (2)"


def test_the_book_has_every_stated_claim_under_its_id():
    ids = claim_ids()
    assert len(set(ids)) == len(ids)
    assert [one.id for one in claims()] == list(ids)
    assert set(STATED) <= set(ids)
    assert {one.repairs for one in claims() if one.repairs} <= set(ids)
    with pytest.raises(InputError, match="no claim has the id 'psa'"):
        claim("psa")


def test_claims_are_run_in_their_order_in_processes_too():
    ids = ["derangements.recurrence", "derangements.nondecreasing", "hamming.half-l1", "derangements.recurrence"]
    assert [record.claim.id for record in run(ids, jobs=2)] == ids


def test_claims_of_one_module_share_a_process(monkeypatch):
    ids = ["derangements.recurrence", "hamming.half-l1", "derangements.recurrence", "derangements.nondecreasing"]
    handed = []

    def in_turn(function, items, *, jobs):
        handed.extend(items)
        return map(function, items)

    monkeypatch.setattr("stirred.verify.ledger.run.in_processes", in_turn)
    assert [record.claim.id for record in run(ids, jobs=2)] == ids
    modules = [{entry(one).module for one in together} for together in handed]
    assert all(len(of_one) == 1 for of_one in modules)
    assert all(a != b for a, b in pairwise(modules))
    assert len(handed) == 3


def test_word_that_another_word_uses_may_have_the_name_of_a_value() -> None:
    found = failure(lambda x, less: symmetric_difference(x, less) < 1, x=("a",), less=("b",))
    assert "less(x, y)" in found["where"]
    assert "left 2" in replay(found)


CASE = {"kind": "case", "claimed": "n <= 3", "case": {"n": 4}}


@pytest.fixture
def asked(monkeypatch):
    """What replay is asked."""
    found = []
    replay = module.replay
    monkeypatch.setattr(module, "replay", lambda witness: found.append(witness) or replay(witness))
    module._sentence.cache_clear()
    yield found
    module._sentence.cache_clear()


def test_one_text_is_replayed_once_whatever_claim_it_refutes(asked):
    sentences = {replayed(CASE), replayed({**CASE, "claim": {"id": "one"}}), replayed({**CASE, "claim": {"id": "two"}})}
    assert len(sentences) == len(asked) == 1


def test_another_case_is_replayed_for_itself(asked):
    assert replayed(CASE) != replayed({**CASE, "case": {"n": 5}})
    for _ in range(2):
        with pytest.raises(WitnessError, match="holds of the case"):
            replayed({**CASE, "case": {"n": 3}})
    assert len(asked) == 4


def test_a_claim_that_states_a_bound_is_read():
    laws = Law({0: Fraction(3, 4), 1: Fraction(1, 4)}), Law({0: Fraction(1, 4), 1: Fraction(3, 4)})
    witness = event_witness(laws, (0,), distance=1, claimed=Loss(2), x="x", x_prime="x'")
    assert replayed({**witness, "claim": {"id": "named"}}) == replayed(witness)
    with pytest.raises(WitnessError):
        replayed({**witness, "claim": {"budget": {"gamma": "4"}}})
