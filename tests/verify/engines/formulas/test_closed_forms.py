"""Formulas that are guessed: right ones are found, wrong ones refused, none is stated above what was compared.

Formulas that a person types: read exactly, and nothing of the text is run.
"""

from fractions import Fraction
from math import comb, factorial

import pytest
import sympy as sp
from small_flavors import both_ways, flavor

from stirred.mechanisms.swapping.permutation_counts import derangements
from stirred.spec import INFINITE, SYMBOL, InputError, Law, Loss
from stirred.verify.engines.formulas.closed_forms import closed_form
from stirred.verify.engines.formulas.read_formula import read_formula, read_inequality
from stirred.verify.engines.loss_function import loss_function
from stirred.verify.evidence.verdict import Verdict

N, M = sp.symbols("n m", integer=True, positive=True)
P = sp.Symbol("p", positive=True)
SIZES, BEYOND = {"n": range(2, 9)}, {"n": (9, 10)}


def d(n):
    return derangements(n)


FOUND = {
    "a constant": (lambda n: Fraction(7, 3), sp.Rational(7, 3)),
    "a quotient": (lambda n: Fraction(n * n + 1, n + 2), (N**2 + 1) / (N + 2)),
    "in p": (lambda n: (n + SYMBOL) / (1 - SYMBOL), (N + P) / (1 - P)),
    "a power": (lambda n: SYMBOL**n / 5, P**N / 5),
    "a factorial": (lambda n: Fraction(factorial(n), 3**n), sp.factorial(N) / 3**N),
    "a binomial": (lambda n: comb(2 * n, n), sp.binomial(2 * N, N)),
    "a loss": (lambda n: Loss(n + 1), sp.log(N + 1)),
    "a spread loss": (lambda n: Loss((n + 1) ** 3 * n, 2), sp.log((N + 1) ** 3 * N) / 2),
}


@pytest.mark.parametrize("name", FOUND)
def test_the_form_is_found_and_has_the_values_beyond_what_was_compared(name):
    value, wanted = FOUND[name]
    found = closed_form(value, SIZES, BEYOND)
    assert found.verdict is Verdict.EXHAUSTED
    for n in (3, 11):
        assert sp.simplify(found.to_sympy().subs(N, n) - wanted.subs(N, n)) == 0
    assert "2, 3, 4, 5, 6, 7, 8; tested n = 9, 10" in found.scope


@pytest.mark.parametrize("shift", [1, 2])
def test_quotients_of_derangements_are_found(shift):
    found = closed_form(lambda n: Fraction(d(n), n * d(n - shift)), {"n": range(4, 9)}, {"n": (9, 12)})
    assert found.verdict is Verdict.EXHAUSTED
    assert found.guess.family == "derangements"
    assert found.expression == sp.subfactorial(N) / (N * sp.subfactorial(N - shift))


def test_two_names_are_guessed_together():
    found = closed_form(
        lambda n, m: 1 + Fraction(m, n) * (SYMBOL - 1), {"n": range(2, 6), "m": (1, 2, 3)}, {"n": (7,), "m": (5,)}
    )
    assert sp.simplify(found.expression - (1 + M / N * (P - 1))) == 0


class TestRefusedGuesses:
    def test_a_guess_that_fails_beyond_its_data_is_refused_and_said_so(self):
        found = closed_form(lambda n: Fraction(n if n < 10 else n + 1), SIZES, BEYOND)
        assert (found.verdict, found.expression, found.guess) == (Verdict.OPEN, None, None)
        assert found.because == "the guess n is refused: it fails at n = 10"
        with pytest.raises(InputError, match="there is no formula: "):
            found.to_sympy()

    @pytest.mark.parametrize(
        "value", [lambda n: Fraction(2 ** (2**n)), lambda n: sum(Fraction(1, k) for k in range(1, n + 1))]
    )
    def test_what_is_of_no_family_has_no_formula(self, value):
        found = closed_form(value, SIZES, BEYOND)
        assert (found.verdict, found.expression) == (Verdict.OPEN, None)
        assert "no form of the families" in found.because
        assert "no formula: OPEN" in str(found)

    @pytest.mark.parametrize("count", range(3, 8))
    def test_no_data_are_so_few_that_anything_fits(self, count):
        primes = (2, 3, 5, 7, 11, 13, 17, 19, 23)
        found = closed_form(lambda n: Fraction(primes[n]), {"n": range(count)}, {"n": (8,)})
        assert found.verdict is Verdict.OPEN

    def test_an_infinite_loss_and_one_by_cases_are_named(self):
        def response(n):
            laws = {x: Law({x: 1 - SYMBOL, 1 - x: SYMBOL}) for x in (0, 1)}
            return loss_function(laws, flavor(both_ways({(0, 1): n})))

        assert "infinite" in closed_form(lambda n: INFINITE, SIZES, BEYOND).because
        assert "changes its form at p = 1/2" in closed_form(response, SIZES, BEYOND).because


def test_a_notebook_shows_the_verdict_first_and_a_paper_the_formula():
    found = closed_form(lambda n: Loss(n + 1), SIZES, BEYOND)
    assert found._repr_html_().split("<tr>")[1].startswith('<th scope="row">verdict')
    assert r"$\log{\left(n + 1 \right)}$" in found.to_latex()
    with pytest.raises(TypeError, match="no truth value"):
        bool(found)


A, K = sp.Function("a"), sp.Symbol("k", integer=True, positive=True)
DERANGED = [sp.Eq(A(N), N * A(N - 1) + (-1) ** N), sp.Eq(A(N + 2), (N + 1) * (A(N + 1) + A(N)))]


class TestEverySize:
    @pytest.mark.parametrize("recurrence", DERANGED)
    def test_a_formula_that_follows_the_recurrence_is_decided_from_the_first_size(self, recurrence):
        found = closed_form(d, SIZES, BEYOND, recurrence=recurrence)
        assert (found.verdict, found.expression) == (Verdict.DECIDED, sp.subfactorial(N))
        assert found.scope == "all n >= 2"
        assert found.because.endswith(f"by induction, of the numbers that follow {recurrence.lhs} = {recurrence.rhs}")

    @pytest.mark.parametrize(
        ("recurrence", "verdict"),
        [
            (sp.Eq(A(N), A(N - 1) + 1 + sp.prod(N - i for i in range(2, 11))), Verdict.EXHAUSTED),  # + 0 where compared
            (sp.Eq((N - 20) * (A(N) - A(N - 1)), N - 20), Verdict.EXHAUSTED),  # a step that loses the next number
            (sp.Eq((N + 20) * (A(N) - A(N - 1)), N + 20), Verdict.DECIDED),
            (sp.Eq(A(N), A(N - 12) + 12), Verdict.EXHAUSTED),  # too few first numbers
        ],
    )
    def test_a_recurrence_decides_where_each_step_gives_the_next_number(self, recurrence, verdict):
        assert closed_form(lambda n: n, SIZES, BEYOND, recurrence=recurrence).verdict is verdict

    @pytest.mark.parametrize(
        ("value", "formula"),
        [
            (sp.Sum(K**2, (K, 1, N)), N * (N + 1) * (2 * N + 1) / 6),
            (sp.Sum(K * sp.binomial(N, K), (K, 0, N)), N * 2 ** (N - 1)),
            ((N * P + P) / (N + 1), P),
        ],
    )
    def test_what_an_expression_says_is_decided(self, value, formula):
        found = closed_form(value, SIZES, BEYOND)
        assert (found.verdict, found.scope) == (Verdict.DECIDED, "all n >= 1")
        assert sp.simplify(found.expression - formula) == 0

    @pytest.mark.parametrize(
        ("value", "verdict"),
        [
            (sp.Add(1 / (N - 20), -1 / (N - 20), 1 / N, evaluate=False), Verdict.EXHAUSTED),  # no value at n = 20
            (1 / N, Verdict.DECIDED),
            (N + sp.Piecewise((1, N > 10), (0, True)), Verdict.EXHAUSTED),  # leaves the formula later
        ],
    )
    def test_an_expression_is_decided_where_it_is_the_formula_at_every_size(self, value, verdict):
        assert closed_form(value, SIZES, BEYOND).verdict is verdict


def follows(recurrence, values=lambda n: 1):
    return closed_form(values, {"n": (2, 30, 40)}, {"n": (50,)}, recurrence=recurrence)


ONE_FUNCTION = "an equation of one function"
REFUSED = [
    ("beyond must contain a size that is not in sizes", lambda: closed_form(half, {"n": (1, 2, 3)}, {"n": (2, 3)})),
    ("sizes must contain at least three", lambda: closed_form(half, {"n": (1, 2)}, {"n": (3,)})),
    ("n must be", lambda: closed_form(half, {"n": (1, 2, 3.0)}, {"n": (4,)})),
    *(
        ("a value must be", lambda value=value: closed_form(lambda n: value, SIZES, BEYOND))
        for value in (0.5, "1", None)
    ),
    ("must be all losses or all numbers", lambda: closed_form(lambda n: Loss(2) if n % 2 else n, SIZES, BEYOND)),
    (ONE_FUNCTION, lambda: follows(A(N))),
    (ONE_FUNCTION, lambda: follows(sp.Eq(A(N), sp.Function("b")(N - 1)))),
    (ONE_FUNCTION, lambda: follows(sp.Eq(A(2 * N), A(N)))),
    (ONE_FUNCTION, lambda: follows(sp.Eq(A(N), M * A(N - 1)))),
    ("linear in a", lambda: follows(sp.Eq(A(N) ** 2, A(N - 1)))),
    ("in a denominator", lambda: follows(sp.Eq(A(N), A(N - 1) + 1 / (N - 20)), lambda n: Fraction(0))),
    (
        r"recurrence must hold for the values; .* fails at n = 3",
        lambda: closed_form(d, SIZES, BEYOND, recurrence=sp.Eq(A(N), N * A(N - 1))),
    ),
    ("recurrence requires rational values", lambda: follows(sp.Eq(A(N), A(N - 1)), lambda n: Loss(n + 1))),
    ("recurrence requires rational values", lambda: follows(sp.Eq(A(N), A(N - 1)), lambda n: SYMBOL**n)),
    ("a function of the sizes", lambda: closed_form("n", SIZES, BEYOND)),
    ("has m", lambda: closed_form(N * M, SIZES, BEYOND)),
    ("rational numbers", lambda: closed_form(sp.sqrt(N), SIZES, BEYOND)),
]


def half(n):
    return n + Fraction(1, 2)


@pytest.mark.parametrize(("message", "ask"), REFUSED)
def test_what_has_no_formula_is_refused(message, ask):
    with pytest.raises(InputError, match=message):
        ask()


B = sp.Symbol("b", positive=True, integer=True)
E = sp.Symbol("epsilon", nonnegative=True)


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("ln((b + 1)*(1 - p)/p)", sp.log((B + 1) * (1 - P) / P)),
        ("0.05*p^2 - 1e-3", P**2 / 20 - sp.Rational(1, 1000)),
        ("max(ln(p), -epsilon)", sp.Max(sp.log(P), -E)),
        ("sqrt(b)*exp(epsilon)", sp.sqrt(B) * sp.exp(E)),
        ("p**b", P**B),
    ],
)
def test_a_formula_is_read_exactly(text, formula):
    assert read_formula(text, ["b"]) == formula


def test_an_inequality_is_read_with_its_sign():
    assert read_inequality("p < 1") == sp.Lt(P, 1)
    assert read_inequality("b >= 4", ["b"]) == sp.Ge(B, 4)


@pytest.mark.parametrize(
    "text",
    [
        *("__import__('os').system('true')", "p.real", "[p]", "lambda: 1", "open('x')", "p if p else 1", "p + 'a'"),
        *("ln", "ln(p, p)", "p +", "", "1/0", "ln(0)", "2^65", "2^(2^64)", "p < 1", "1" * 501, "True", "1j"),
        "((((2^64)^64)^64)^64)^64",
    ],
)
def test_what_is_no_formula_is_refused_and_nothing_is_run(text):
    with pytest.raises(InputError):
        read_formula(text)


@pytest.mark.parametrize("text", ["p", "0 < p < 1", "p != 1", "p > 0", "1 < 2", "p <"])
def test_what_is_no_single_inequality_about_symbols_is_refused(text):
    with pytest.raises(InputError):
        read_inequality(text)
