"""What Z3 answers to the saved queries: whatever was asked before, with witnesses that replay."""

from fractions import Fraction

import pytest

from stirred.spec import InputError
from stirred.verify.engines.solver import QUERIES, ask, decide, query_text
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.book import claim_ids

FILES = sorted(QUERIES.glob("*.smt2"))
MINIMUM = "psa.budget.minimum"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_saved_query_belongs_to_a_claim_and_is_unsatisfiable(path):
    assert path.stem in set(claim_ids())
    assert ask(path.read_text(encoding="utf-8")).status == "unsat"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_hypotheses_of_every_query_alone_are_satisfiable(path):
    hypotheses, negation = path.read_text(encoding="utf-8").rsplit("(assert (not ", 1)
    assert negation
    assert ask(hypotheses).status == "sat"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_asked_is_the_saved_file(path, monkeypatch):
    asked = []
    monkeypatch.setattr("stirred.verify.engines.solver.ask", lambda text: asked.append(text) or ask(text))
    decide(path.stem, "as saved")
    assert asked == [path.read_text(encoding="utf-8")]


def decided(claimed=""):
    """A negation that has a model: gamma^2 >= b + 2 is claimed where b + 1 is right."""
    change = ("(>= (* gamma gamma) (+ b 1)) (=", "(>= (* gamma gamma) (+ b 2)) (=")
    return decide(MINIMUM, "all b", claimed=claimed, changes=[change])


def test_an_unsatisfiable_negation_decides_the_claim():
    assert decide(MINIMUM, "all b").verdict is Verdict.DECIDED


def test_a_model_becomes_a_witness_that_replays():
    evidence = decided("gamma**2 >= b + 2")
    assert evidence.verdict is Verdict.REFUTED
    assert replay(evidence.witness).startswith("false at")
    assert decided().verdict is Verdict.OPEN  # no formula to replay the model by
    with pytest.raises(EngineError, match="does not refute"):
        decided("gamma > 0")


def test_an_unknown_answer_is_open(monkeypatch):
    hard = "(declare-const x Int) (declare-const y Int) (declare-const z Int) (assert (> x 2)) (assert (> y 2))"
    hard += "(assert (> z 2)) (assert (= (+ (* x x x) (* y y y)) (* z z z)))"
    answer = ask(hard, steps=1_000)
    assert answer.status == "unknown"
    assert answer.reason
    monkeypatch.setattr("stirred.verify.engines.solver.ask", lambda _: answer)
    assert decide(MINIMUM, "all b", claimed="0 > 1").verdict is Verdict.OPEN


def test_a_model_does_not_depend_on_what_was_asked_before():
    changed = query_text("phsafe.sensitivity.person-replaced", ("(* 8 (square tau))", "(* 4 (square tau))"))
    first = ask(changed).model
    for name in ("person-added", "tables-added", "tables-replaced"):
        ask(query_text(f"phsafe.sensitivity.{name}"))
    assert ask(changed).model == first


def test_a_model_has_exact_values_also_for_constants_that_do_not_matter():
    answer = ask("(declare-const x Real) (declare-const y Int) (assert (or (= (* 3.0 x) 1.0) (= y 7)))")
    assert answer.status == "sat"
    assert set(answer.model) == {"x", "y"}
    assert answer.model["x"] == Fraction(1, 3) or answer.model["y"] == 7


def test_an_irrational_value_is_given_to_sixty_digits():
    root = ask("(declare-const x Real) (assert (and (= (* x x) 2.0) (> x 0.0)))").model["x"]
    assert abs(root**2 - 2) < Fraction(1, 10**50)


@pytest.mark.parametrize(
    ("error", "message", "asked"),
    [
        (InputError, "must be SMT-LIB", lambda: ask("(assert")),
        (InputError, "must be SMT-LIB", lambda: ask("(assert (> undeclared 0))")),
        (EngineError, "has no query", lambda: query_text("no.such-claim")),
        (EngineError, "exactly once", lambda: query_text(MINIMUM, ("(assert nothing)", "x"))),
        (EngineError, "exactly once", lambda: query_text(MINIMUM, ("Real", "x"))),
    ],
)
def test_what_is_no_query_is_refused(error, message, asked):
    with pytest.raises(error, match=message):
        asked()
