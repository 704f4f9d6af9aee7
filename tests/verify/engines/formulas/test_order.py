"""Inequalities of formulas: against values, with planted mistakes, and what is left open."""

from fractions import Fraction
from itertools import product

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples

from stirred.spec import InputError, Loss
from stirred.verify.engines.formulas.order import at_most
from stirred.verify.engines.formulas.symbolic_specification import SymbolicSpecification
from stirred.verify.engines.solver import SolverAnswer
from stirred.verify.evidence.verdict import Verdict

N = sp.Symbol("n", positive=True, integer=True)
P, Q = sp.symbols("p q", positive=True)
E = sp.Symbol("epsilon", nonnegative=True)
SQUARE = sp.symbols("x y", real=True)

DECIDED = [
    (sp.log(N), sp.log(N + 1), ()),
    (sp.log(N + 1) / 2, sp.log(N), (N >= 2,)),
    (E, E + sp.log(N), ()),
    (sp.log(P / (1 - P)), sp.log(4), (sp.Rational(4, 5) >= P, P < 1)),
    (2 * SQUARE[0] * SQUARE[1], SQUARE[0] ** 2 + SQUARE[1] ** 2, ()),
    (sp.Max(sp.log(P), -sp.log(P)), sp.log(3), (sp.Rational(1, 3) <= P, P <= 3)),
    (sp.log(P), sp.Max(sp.log(P), sp.log(Q)), ()),
    (N, N**2, ()),
]


@pytest.mark.parametrize(("left", "right", "where"), DECIDED, ids=str)
def test_what_holds_for_all_values_is_decided(left, right, where):
    found = at_most(left, right, where)
    assert found.verdict is Verdict.DECIDED, found
    assert found.queries


@pytest.mark.parametrize(("left", "right", "where"), DECIDED, ids=str)
def test_a_mistake_that_is_planted_is_refuted_by_values_that_break_it(left, right, where):
    if left == sp.log(P):
        right = sp.Max(sp.log(P / 2), sp.log(Q))
    elif left.has(sp.Max) or left == sp.log(P / (1 - P)):
        right = sp.log(2)
    else:
        left, right = right + (sp.log(2) if right.has(sp.log) else 1), left
    found = at_most(left, right, where)
    assert found.verdict is Verdict.REFUTED
    values = {s: _sympy(found.counterexample[str(s)]) for s in (left - right).free_symbols}
    assert sp.N((left - right).subs(values), 30) > 0
    assert all(relation.subs(values) == sp.true for relation in where)
    assert all(value.is_integer for symbol, value in values.items() if symbol.is_integer)


SAMPLED = 1 + P * (sp.exp(E) - 1)
WITH_EXPONENTIALS = [  # and what is too small on the right
    (SAMPLED, sp.exp(E), (P < 1,), sp.exp(E * P)),
    (sp.log(SAMPLED), E, (P < 1,), E * sp.Rational(9, 10)),
    (P * E, sp.log(SAMPLED), (P < 1,), sp.log(SAMPLED) - E**2 / 100),
    (sp.log(SAMPLED), P * E + E**2 / 8, (P < 1,), P * E + E**2 / 9),
    (E * sp.tanh(E / 2), E**2 / 2, (), E**2 / 3),
    (2 * sp.sqrt(P), 1 + P, (), 1 + P / 2),
    (1 - sp.exp(-E), E, (), E * sp.Rational(9, 10)),
    (sp.log(1 + E), E, (), E - E**2 / 2),
    (sp.log(P), P - 1, (), P - sp.Rational(101, 100)),
    (sp.log(N), N - 1, (), N - 2),
    (1 + SQUARE[0], sp.exp(SQUARE[0]), (), sp.exp(SQUARE[0]) - sp.Rational(1, 100)),
    (sp.exp(E) - 1, 2 * E, (E <= 1,), E * sp.Rational(17, 10)),
    (sp.Min(P, Q), P, (), sp.Max(P, Q) / 2),
    (P + Q, 2 * sp.Max(P, Q), (), sp.Max(P, Q) * sp.Rational(19, 10)),
    (sp.log(2), N, (), N / 2),
    (sp.exp(1), sp.Integer(3), (), sp.Rational(2718281828, 10**9)),
    (-sp.log(1 - P), P / (1 - P), (P < 1,), P),
    (P, sp.Integer(1), (sp.Or(P < 1, sp.Eq(P, 1)),), P / 2),
    (sp.Abs(SQUARE[0]), SQUARE[0] ** 2 + sp.Rational(1, 4), (), SQUARE[0] ** 2),
]


@pytest.mark.parametrize(("left", "right", "where", "small"), WITH_EXPONENTIALS, ids=str)
def test_exponentials_logarithms_and_roots_are_decided_and_what_is_too_small_is_refuted(left, right, where, small):
    assert at_most(left, right, where).verdict is Verdict.DECIDED
    found = at_most(left, small, where)
    assert found.verdict is Verdict.REFUTED
    values = {s: _sympy(found.counterexample[str(s)]) for s in (left - small).free_symbols}
    assert sp.N((left - small).subs(values), 30) > 0


TERMS = (E, E**2, sp.exp(E), sp.exp(-E), sp.log(1 + E), sp.sqrt(E), E * sp.exp(E), sp.Integer(1))


@examples(10, at_night=300)
@given(st.lists(st.integers(-3, 3), min_size=len(TERMS), max_size=len(TERMS)))
def test_what_derivatives_decide_has_no_counterexample_among_values(c):
    formula = sum(k * term for k, term in zip(c, TERMS, strict=True))
    found = at_most(formula, 0)
    heights = [sp.N(formula.subs(E, sp.Rational(k, 16)), 30) for k in (0, 1, 2, 3, 5, 8, 16, 24, 40, 80, 200)]
    assert found.verdict is not Verdict.DECIDED or max(heights) <= 0
    if found.verdict is Verdict.REFUTED:
        assert formula.subs({s: _sympy(found.counterexample["epsilon"]) for s in formula.free_symbols}) > 0


def _sympy(value):
    return value.to_sympy() if isinstance(value, Loss) else sp.Rational(*value.as_integer_ratio())


@examples(10, at_night=100)
@given(st.lists(st.integers(-3, 3), min_size=6, max_size=6))
def test_a_decided_inequality_has_no_counterexample_among_values(c):
    left = c[0] * N**2 + c[1] * N * P + c[2]
    right = c[3] * P**2 + c[4] * N + c[5]
    found = at_most(left, right, (P < 5,))
    grid = [{N: n, P: p} for n, p in product((1, 2, 3, 10), (sp.Rational(1, 10), 1, sp.Rational(49, 10)))]
    broken = any(left.subs(values) > right.subs(values) for values in grid)
    assert found.verdict is not Verdict.DECIDED or not broken
    if found.verdict is Verdict.REFUTED:
        values = {s: sp.Rational(*found.counterexample[str(s)].as_integer_ratio()) for s in (left - right).free_symbols}
        assert (left - right).subs(values) > 0


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        (-P * sp.log(P), sp.Rational(2, 5), "not a rational multiple"),
        (sp.cosh(SQUARE[0]), sp.exp(SQUARE[0] ** 2 / 2), "may be negative"),
        (sp.log(sp.subfactorial(N)), sp.log(N) * N, "not a polynomial"),
        (sp.log(N), sp.sqrt(N), "not a rational multiple"),
    ],
    ids=str,
)
def test_formulas_of_another_kind_are_left_open(left, right, said):
    found = at_most(left, right)
    assert found.verdict is Verdict.OPEN
    assert said in found.because


def test_an_irrational_bound_is_not_refuted_by_a_rounded_value():
    x = sp.Symbol("x", positive=True)
    found = at_most(x**2, 2, (x**2 <= 2,))
    assert found.verdict is Verdict.DECIDED
    equal = at_most(sp.Integer(0), sp.Integer(-1), (x**2 >= 2, x**2 <= 2))  # sqrt(2) alone, which no rational is
    assert equal.verdict is Verdict.OPEN


def test_logarithms_have_values_in_a_counterexample():
    found = at_most(sp.log(P / (1 - P)), sp.log(P / (1 - P)) - sp.log(Q))
    assert found.verdict is Verdict.REFUTED
    assert 0 < found.counterexample["p"] < 1


def test_an_answer_shows_its_verdict_first():
    found = at_most(N, 2 * N)
    assert found._repr_html_().split("<tr>")[1].startswith('<th scope="row">verdict')
    assert str(found) == "DECIDED: n <= 2*n for all n > 0 integer: Z3: no values make the left side larger"
    assert r"\toprule" in found.to_latex()
    with pytest.raises(TypeError, match="no truth value"):
        bool(found)


@pytest.mark.parametrize(
    ("left", "right", "where", "named"),
    [
        (2 * P, P, [P < 1, P > 2], "p < 1, p > 2"),
        (2 * N, N, [N > 1, N < 2], "n > 1, n < 2"),  # no whole number
        (P, 2 * P, "p^2 < p - 1", "p**2 < p - 1"),
        (P, 2 * P, sp.false, "False"),
        (sp.log(P - 2), sp.log(1 - P), (), "1 - p > 0, p - 2 > 0"),
        (sp.Max(sp.log(P), 0), sp.log(2), [sp.log(P) < 0, P > 2], "log(p) < 0"),
        (-1 / (P - 1) ** 2, 0, [P <= 1, P >= 1], "p - 1 != 0"),
        (sp.sqrt(P - 1), sp.sqrt(P - 1), [P < 1], "p - 1 >= 0"),
    ],
    ids=str,
)
def test_what_no_values_satisfy_decides_nothing(left, right, where, named):
    found = at_most(left, right, where)
    assert found.verdict is Verdict.OPEN
    assert found.because.startswith("vacuous: no values satisfy ")
    assert named in found.because


def test_a_condition_that_one_value_satisfies_is_not_vacuous():
    assert at_most(N, 2 * N, [N >= 2, N <= 2]).verdict is Verdict.DECIDED
    assert at_most(2 * N, N, [N >= 2, N <= 2]).counterexample == {"n": 2}


def test_an_unanswered_question_for_values_is_open(monkeypatch):
    unknown = SolverAnswer("unknown", {}, "asked too much")
    monkeypatch.setattr("stirred.verify.engines.formulas.question.ask", lambda *_, **__: unknown)
    found = at_most(P, P**2 + 1)
    assert (found.verdict, found.because) == (Verdict.OPEN, "Z3 gave no answer: asked too much")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (2, sp.Symbol("m", even=True, positive=True)),
        (4 - sp.Symbol("q", prime=True), 2),
        (sp.Symbol("g", negative=True), 0),
        (sp.log(2), N),  # of which e^n alone is looked for
    ],
    ids=str,
)
def test_values_that_a_symbol_cannot_have_refute_nothing(left, right):
    assert at_most(left, right).counterexample is None


def test_what_the_formulas_need_to_have_a_value_is_said():
    assert at_most(sp.log(1 - P), 0).conditions == ("p > 0", "1 - p > 0")
    assert at_most(-1 / (P - 1) ** 2, 0).conditions == ("p > 0", "p - 1 != 0")


def test_conditions_on_logarithms_are_asked_about():
    assert at_most(sp.log(2), E, [sp.log(3) <= E]).verdict is Verdict.DECIDED
    assert at_most(sp.log(2), E, [sp.log(Fraction(3, 2)) <= E]).counterexample == {"epsilon": Loss(Fraction(3, 2))}


def test_formulas_and_conditions_are_texts_too_and_conditions_one_or_several():
    assert at_most("ln 3", "ln(9)").verdict is Verdict.DECIDED
    for where in ("p < 1", P < 1, ["p < 1"], (P < 1,), [(P < 1) & (2 * P < 3)], [True, P < 1]):
        assert at_most("p^2", "p", where).verdict is Verdict.DECIDED, where
        assert at_most("p", "p^2", where).verdict is Verdict.REFUTED, where


@pytest.mark.parametrize(
    "where", [["p"], ["p < 1 < 2"], 3, None, [P < 0.5], [1], [sp.Ne(P, Q)], [sp.Or(P < 1, sp.Ne(P, Q))]], ids=str
)
def test_what_is_no_condition_gets_one_line(where):
    with pytest.raises(InputError, match=r"where must be inequalities|a condition must be one inequality"):
        at_most(P, 2 * P, where)


def test_a_condition_is_about_the_symbols_of_the_formulas_or_linked_to_them():
    assert at_most(P, 1, [P < Q, Q < 1]).verdict is Verdict.DECIDED
    with pytest.raises(InputError, match="the symbols of left and right, epsilon; got eps <= 2"):
        at_most(E**2 / 2, E, ["eps <= 2"])


@pytest.mark.parametrize("bad", [0.5 * P, sp.Float("0.1")])
def test_floats_are_refused(bad):
    with pytest.raises(InputError, match="must be exact"):
        at_most(bad, P)


@pytest.mark.parametrize(
    "bad", [sp.I, sp.oo, sp.nan, sp.zoo, sp.log(-1), sp.sqrt(-2) * P, [1], True, P < 1, None, "ln ln", "1/0"], ids=str
)
def test_what_is_no_real_formula_gets_one_line(bad):
    for sides in ((bad, P), (P, bad)):
        with pytest.raises(InputError, match=r" must "):
            at_most(*sides)
    with pytest.raises(InputError, match=r" must "):
        SymbolicSpecification(bad)


def test_one_name_is_one_symbol():
    other = sp.Symbol("p", real=True)
    with pytest.raises(InputError, match="p names two symbols"):
        at_most(P, other)
    with pytest.raises(InputError, match="p names two symbols"):
        SymbolicSpecification(P).compose(SymbolicSpecification(other))
