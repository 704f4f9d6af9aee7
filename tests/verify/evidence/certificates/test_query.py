"""The checker of queries confirms that no values satisfy one by a sum, or by another solver's word; it stands alone."""

import subprocess
import sys
from fractions import Fraction

import pytest
from small_certificates import ABSURD, QUERY

from stirred.verify.evidence.certificates import query
from stirred.verify.evidence.certificates.query import QueryError, UnansweredError, check, comparisons


@pytest.fixture
def commands(tmp_path, monkeypatch):
    """The folder of the only commands that there are, with no solver that is a library."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delitem(query.SOLVERS, "cvc5 for Python")
    return tmp_path


def asserting(*assertions, definitions=""):
    names = "".join(f"(declare-const {name} Real)\n" for name in "xyz")
    return names + definitions + "".join(f"(assert {one})\n" for one in assertions)


def test_a_sum_that_is_absurd_is_confirmed():
    words, trusted, without, last = check(ABSURD)
    assert last == "CONFIRMED: no values satisfy the 1 assertions, by a sum of 2 of the 2 comparisons [all x]"
    assert words.startswith('not compared: {"claim": "two", "statement": ')
    assert trusted.startswith("taken on trust: the query")
    assert without == "not in the certificate: PROVED by a theorem"


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("(< x y)", [(">", {("x",): -1, ("y",): 1})]),
        ("(<= x y)", [(">=", {("x",): -1, ("y",): 1})]),
        ("(> x y)", [(">", {("x",): 1, ("y",): -1})]),
        ("(>= x (- y 1.5 z))", [(">=", {("x",): 1, ("y",): -1, ("z",): 1, (): Fraction(3, 2)})]),
        ("(not (< x y))", [(">=", {("x",): 1, ("y",): -1})]),
        ("(not (<= x y))", [(">", {("x",): 1, ("y",): -1})]),
        ("(not (> x y))", [(">=", {("x",): -1, ("y",): 1})]),
        ("(not (>= x y))", [(">", {("x",): -1, ("y",): 1})]),
        ("(not (not (= x (* y (- x)))))", [("=", {("x",): 1, ("x", "y"): 1})]),
        ("(not (or (< x 0) (and (not (> y 0)) (<= z 0))))", None),
        ("(not (or (< x 0) (not (> y 0))))", [(">=", {("x",): 1}), (">", {("y",): 1})]),
        ("(= (* (+ x y) (- x y)) 0)", [("=", {("x", "x"): 1, ("y", "y"): -1})]),
    ],
)
def test_assertions_are_read_as_comparisons(text, facts):
    if facts is None:
        with pytest.raises(QueryError, match="no comparison"):
            comparisons(asserting(text))
        return
    assert comparisons(asserting(text)) == facts


def test_a_definition_means_the_names_where_it_stands():
    """The x of g is the declared one, also where g is used with another x about."""
    definitions = "(define-fun g () Real x) (define-fun f ((x Real)) Real (+ x g))\n"
    assert comparisons(asserting("(> (f 5) 0)", definitions=definitions)) == [(">", {("x",): 1, (): 5})]


@pytest.mark.parametrize(
    "assertion",
    [
        "(or (< x 0) (< y 0))",
        "(not (and (< x 0) (< y 0)))",
        "(not (= x y))",
        "(< x y z)",
        "(= (/ x y) z)",
        "(= (ite (< x 0) x y) z)",
        "(=> (< x 0) (< y 0))",
        "(forall ((x Real)) (< x 0))",
        "(let ((x y)) (< x 0))",
        "=xy",
        "(< (f x) 0)",
    ],
)
def test_what_is_no_conjunction_of_comparisons_has_no_sum(assertion):
    with pytest.raises(QueryError):
        comparisons(asserting(assertion))


@pytest.mark.parametrize(
    "changes",
    [
        {"sum": []},
        {"sum": [[0, 1]]},
        {"sum": [[0, 1], [1, 1]]},
        {"sum": [[0, "1/2"], [1, -1]]},
        {"sum": [[0, "1/2"], [2, 1]]},
        {"sum": [[0, "1/2"], [-1, 1]]},
        {"sum": [[0, "1/2"], [True, 1]]},
        {"sum": [[0, 0.5], [1, 1]]},
        {"sum": [[0, "1/0"], [1, 1]]},
        {"sum": [[0, 0]]},
        {"query": QUERY.replace("4", "3")},
        {"query": QUERY.replace("not (>= x 2)", "not (> x 2)")},
        {"query": QUERY.replace("4", '"4"')},
        {"query": QUERY + "(check-sat)"},
        {"query": QUERY + "(define-fun twice () Int 1)"},
        {"query": QUERY + "(define-fun + () Int 1)"},
        {"query": QUERY + "(set-option :regular-output-channel x)"},
        {"query": QUERY + ")"},
        {"query": QUERY[:-3]},
        {"query": QUERY.replace("const x", "const y")},
        {"query": QUERY.replace("const x Int", "const x Bool")},
        {"query": QUERY.replace("(y Int)", "(y U)")},
        {"query": QUERY + "(declare-const x Int)"},
        {"query": None},
        {"format": "stirred query 2"},
        {"more": 1},
    ],
)
def test_what_is_malformed_or_not_absurd_is_refused(changes):
    with pytest.raises(QueryError):
        check({**ABSURD, **changes})


def test_equal_sums_contradict_only_with_a_strict_comparison():
    strict = asserting("(= x y)", "(= y z)", "(< x z)")
    signed = [[0, -1], [1, -1], [2, 1]]
    assert comparisons(strict)[2] == (">", {("x",): -1, ("z",): 1})
    assert check({**ABSURD, "query": strict, "sum": [[0, 1], [1, 1], [2, 1]]})[-1].startswith("CONFIRMED")
    for text, listed in ((strict, signed), (strict.replace("(< x z)", "(<= x z)"), [[0, 1], [1, 1], [2, 1]])):
        with pytest.raises(QueryError, match="contradicts"):
            check({**ABSURD, "query": text, "sum": listed})


@pytest.mark.parametrize(
    ("answer", "message"),
    [("unsat", ""), ("sat", "finds values"), ("unknown", "needs a solver"), ("(error) unsat", "needs a solver")],
)
def test_another_solver_is_asked(commands, answer, message):
    solver = commands / "cvc5"
    solver.write_text(f"#!/bin/sh\n/bin/cat > {commands}/asked\necho '{answer}'\n")
    solver.chmod(0o755)
    asked = {**ABSURD, "sum": None}
    if message:
        with pytest.raises(QueryError, match=message):
            check(asked)
    else:
        assert check(asked)[-1] == "CONFIRMED: no values satisfy the 1 assertions, by cvc5 [all x]"
    written = "(declare-const x Int)\n(define-fun twice ((y Int)) Int (* 2 y))\n"
    written += "(assert (and (<= 4 (twice x)) (not (>= x 2))))"
    assert (commands / "asked").read_text() == f"(set-logic ALL)\n{written}\n(check-sat)\n"


@pytest.mark.parametrize("silent", ["exec /bin/sleep 10", "echo '\\0377'"])
@pytest.mark.parametrize(("answer", "message"), [("unsat", ""), ("sat", "yices-smt2 finds"), ("(error)", "needs")])
def test_a_solver_that_says_nothing_takes_no_other_ones_answer_away(commands, monkeypatch, silent, answer, message):
    for name, script in (("cvc5", silent), ("yices-smt2", f"echo '{answer}'")):
        (commands / name).write_text(f"#!/bin/sh\n{script}\n")
        (commands / name).chmod(0o755)
    run = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda *command, **options: run(*command, **{**options, "timeout": 1}))
    if message:
        with pytest.raises(QueryError, match=message):
            check({**ABSURD, "sum": None})
    else:
        assert check({**ABSURD, "sum": None})[-1].endswith(" assertions, by yices-smt2 [all x]")


@pytest.mark.parametrize(("value", "message"), [("3", "cvc5 for Python finds values"), ("1", "")])
def test_the_library_is_asked_where_no_command_is(tmp_path, monkeypatch, value, message):
    pytest.importorskip("cvc5")
    monkeypatch.setenv("PATH", str(tmp_path))
    text = f"(declare-const x Real)(assert (< (* x x) 4))(assert (> (* x x x) {value}))(assert (< x 1))"
    asked = {**ABSURD, "query": text.replace("(< x 1)", "(< x 2)") if message else text, "sum": None}
    if message:
        with pytest.raises(QueryError, match=message):
            check(asked)
    else:
        assert check(asked)[-1] == "CONFIRMED: no values satisfy the 3 assertions, by cvc5 for Python [all x]"


def test_a_library_that_is_not_there_gives_no_answer():
    _, *options = query.SOLVERS["cvc5 for Python"]
    run = subprocess.run([sys.executable, "-S", *options], input="", capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("", "")


BETWEEN = "(assert (>= x 2))(assert (<= x 1))"


@pytest.mark.parametrize(
    "text",
    [
        "(define-fun 3 () Int 1)(assert (>= x 2))(assert (<= x 3))",
        "(declare-const 1 Int)(assert (>= x 2))(assert (<= x 1))",
        "(define-fun f ((1 Int)(3 Int)) Int 1)" + BETWEEN,
        "(define-fun f ((+ Int)) Int 1)" + BETWEEN,
        "(define-fun f ((y Int)(y Int)) Int y)" + BETWEEN,
        "(define-fun f (y) Int y)" + BETWEEN,
        "(define-fun abs ((y Int)) Int 0)(assert (>= (abs x) 2))(assert (<= x 1))",
        "(declare-fun abs (Int) Int)" + BETWEEN,
        "(declare-fun x () Int)" + BETWEEN,
        "(declare-sort Int 0)" + BETWEEN,
        "(define-fun fé () Int 1)" + BETWEEN,
        "(define-fun _ () Int 1)" + BETWEEN,
        "(define-fun (f) () Int 1)" + BETWEEN,
        "(declare-const :y Int)" + BETWEEN,
        "(assert (>= x 2) (<= x 1))",
        "(assert)" + BETWEEN,
        "()" + BETWEEN,
        "assert" + BETWEEN,
        "(assert (>= x 2)) ; about x\r(assert (<= x 1))",
        "(assert (>= x 2)) ; about x\u2028(assert (<= x 1))",
    ],
)
@pytest.mark.parametrize("listed", [[[0, 1], [1, 1]], None])
def test_names_are_their_own_and_commands_whole(text, listed, tmp_path, monkeypatch):
    """A solver's word is no way round."""
    (tmp_path / "cvc5").write_text("#!/bin/sh\necho unsat\n")
    (tmp_path / "cvc5").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    right = {**ABSURD, "query": "(declare-const x Int)" + BETWEEN, "sum": listed}
    assert check(right)[-1].startswith("CONFIRMED")
    with pytest.raises(QueryError):
        check({**right, "query": "(declare-const x Int)" + text})


@pytest.mark.parametrize(
    "text",
    [
        "(assert (>= (x 1) 2))(assert (<= (x 2) 1))",
        "(assert (>= (x) 2))(assert (<= x 1))",
        "(define-fun f ((y Int)) Int (y 1))(assert (>= (f 2) 2))(assert (<= x 1))",
        "(define-fun f ((y Int)) Int y)(assert (>= f 2))(assert (<= x 1))",
        "(define-fun f ((y Int)) Int y)(assert (>= (f 1 2) 2))(assert (<= x 1))",
        "(define-fun two () Int 2)(assert (>= x (two)))(assert (<= x 1))",
        "(assert (not (< x 2) (< x 3)))(assert (<= x 1))",
        "(assert (not))" + BETWEEN,
        "(assert (and))" + BETWEEN,
    ],
)
def test_terms_are_whole(text):
    with pytest.raises(QueryError):
        check({**ABSURD, "query": "(declare-const x Int)" + text, "sum": [[0, 1], [1, 1]]})


def test_without_a_solver_nothing_is_confirmed(commands):
    with pytest.raises(UnansweredError, match="cvc5, yices-smt2, mathsat"):
        check({**ABSURD, "sum": None})
