"""The loss at e^−q: equal budgets met by an identity, others decided by enclosures, and losses of closed form.

The checker of sign certificates: it moves polynomials in whole numbers as fractions would move them. Specifications
with real values, decided pair by pair: met, refuted, or open where two numbers are not told apart.
"""

from fractions import Fraction
from itertools import product
from math import comb

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms import exact_law
from stirred.mechanisms.noise.report_noisy_max import report_noisy_max
from stirred.mechanisms.noise.sparse_vector import answers_specification, sparse_vector
from stirred.spec import (
    SYMBOL,
    ZERO,
    FiniteDomain,
    Flavor,
    InputError,
    KullbackLeibler,
    Law,
    Loss,
    Multiplicative,
    Specification,
    vacuous,
)
from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.reals.real import EnclosedReal
from stirred.spec.output_premetrics import ChiSquared, GaussianTradeoff, RealValued
from stirred.verify.certificates.replay import replay
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.exhaustive import check_specification
from stirred.verify.engines.exponential_point import covers_at_exponential, loss_at_exponential
from stirred.verify.engines.loss_function import loss_function
from stirred.verify.engines.real_check import check_real_comparison, enclosed_need, real_witness, settled_by
from stirred.verify.engines.sign_certificate import SignCertificate, evaluate_polynomial
from stirred.verify.engines.solver import QUERIES, ask, decide, query_text
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.book import claim_ids

SCORES = tuple(product((0, 1, 2), repeat=2))

EXPONENTS = st.builds(Fraction, st.integers(1, 9), st.integers(1, 5))


def function_of(mechanism, data_sets, **parameters):
    laws = {x: exact_law(mechanism, x, **parameters) for x in data_sets}
    return loss_function(laws, answers_specification(data_sets, ZERO).flavor)


def exponential_mechanism(scores, source, *, x):
    """An index with probability proportional to x^−score."""
    weights = [x ** (2 - score) for score in scores]
    return source.choose([weight / sum(weights) for weight in weights])


def clamped(answers, source, *, ratio):
    return source.clamp(answers[0] + source.discrete_laplace(ratio), 0, 3)


@given(EXPONENTS)
def test_geometric_noise_at_any_rational_epsilon_has_exactly_this_loss(epsilon):
    function = function_of(clamped, ((0,), (1,), (2,)), ratio=SYMBOL)
    assert covers_at_exponential(function, epsilon, epsilon)  # an equality
    assert not covers_at_exponential(function, epsilon, epsilon - Fraction(1, 10**40))
    assert loss_at_exponential(function, epsilon).contains(epsilon)


@given(EXPONENTS)
def test_the_exponential_mechanism_is_between_once_and_twice_the_exponent(epsilon):
    function = function_of(exponential_mechanism, SCORES, x=SYMBOL)
    assert covers_at_exponential(function, epsilon, 2 * epsilon)
    assert not covers_at_exponential(function, epsilon, epsilon)
    # scores (0, 1) and (1, 0): the odds change from x to 1/x, so that 1/(1+1/x) becomes 1/(1+x): a loss of -ln x;
    # scores (1, 1) and (2, 0): 1/2 becomes 1/(1 + x^2) or x^2/(1 + x^2): ln((1 + x^2)/(2 x^2))
    with mpmath.workdps(40):
        x = mpmath.exp(-mpmath.mpf(epsilon.numerator) / epsilon.denominator)
        expected = mpmath.log((1 + x**2) / (2 * x**2))
        found = loss_at_exponential(function, epsilon, digits=30)
        if expected > -mpmath.log(x):
            assert abs(mpmath.mpf(found.lower.numerator) / found.lower.denominator - expected) < mpmath.mpf(10) ** -25


@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(1, 2), Fraction(3, 10)])
def test_sparse_vector_and_noisy_max_meet_their_budgets_at_rational_epsilons(epsilon):
    vector = function_of(sparse_vector, SCORES, threshold=1, threshold_ratio=SYMBOL, query_ratio=SYMBOL)
    assert covers_at_exponential(vector, epsilon, 3 * epsilon)
    assert not covers_at_exponential(vector, epsilon, epsilon)
    maximum = function_of(report_noisy_max, SCORES, ratio=SYMBOL)
    assert covers_at_exponential(maximum, epsilon, 2 * epsilon)
    assert not covers_at_exponential(maximum, epsilon, epsilon)


def test_an_infinite_loss_is_covered_by_nothing():
    flavor = answers_specification(((0,), (1,)), ZERO).flavor
    function = loss_function({x: Law({x: 1}) for x in flavor.domain}, flavor)
    assert loss_at_exponential(function, 1) is None
    assert not covers_at_exponential(function, 1, 10**6)


def test_points_outside_and_exponents_that_are_not_positive_are_refused():
    laws = {x: exact_law(clamped, x, ratio=SYMBOL) for x in ((0,), (1,))}
    function = loss_function(laws, answers_specification(tuple(laws), ZERO).flavor, low=Fraction(1, 2))
    with pytest.raises(InputError, match=r"e\^-exponent must be between 1/2 and 1"):
        loss_at_exponential(function, 1)
    for exponent in (0, -1):
        with pytest.raises(InputError, match="exponent must be positive"):
            covers_at_exponential(function, exponent, 1)


POINTS = st.fractions(0, 9, max_denominator=6)

POLYNOMIALS = st.lists(st.integers(-9, 9), min_size=1, max_size=6).map(tuple)


def moved_to_infinity(polynomial, start):
    """T(start + t) by the binomial theorem."""
    found = [Fraction(0)] * len(polynomial)
    for power, coefficient in enumerate(polynomial):
        for j in range(power + 1):
            found[j] += coefficient * comb(power, j) * start ** (power - j)
    return found


def moved_between(polynomial, left, right):
    """(1+t)^d·T((left + right·t)/(1+t)) by the binomial theorem, twice."""
    degree = len(polynomial) - 1
    found = [Fraction(0)] * (degree + 1)
    for power, coefficient in enumerate(polynomial):
        for j in range(power + 1):
            for i in range(degree - power + 1):
                value = comb(power, j) * left ** (power - j) * right**j * comb(degree - power, i)
                found[i + j] += coefficient * value
    return found


def passes(polynomial, *cells):
    try:
        SignCertificate(polynomial, Fraction(1), (1,), polynomial, cells).check()
    except EngineError as error:
        if "proves nothing" not in str(error):
            raise
        return False
    return True


@given(POLYNOMIALS, POINTS, POINTS)
def test_a_cell_passes_iff_no_moved_coefficient_is_negative(polynomial, left, width):
    assert passes(polynomial, left, None) == all(c >= 0 for c in moved_to_infinity(polynomial, left))
    if width:
        expected = all(c >= 0 for c in moved_between(polynomial, left, left + width))
        assert passes(polynomial, left, left + width) == expected


@given(POLYNOMIALS, st.fractions(-9, 9, max_denominator=6))
def test_a_value_is_that_of_the_powers(polynomial, point):
    assert evaluate_polynomial(polynomial, point) == sum(c * point**k for k, c in enumerate(polynomial))


DOMAIN = FiniteDomain((0, 1, 2), "numbers")

APART = InputPremetric("absolute_difference", "unit", lambda x, y: abs(x - y))

LAWS = {x: Law({0: Fraction(1 + x, 4), 1: Fraction(3 - x, 4)}) for x in DOMAIN}


class Vague(RealValued):
    """Between 1/2 and 1 for different laws."""

    name = "vague"

    def distance(self, p, q):
        return Fraction(0) if p == q else EnclosedReal(Enclosure(Fraction(1, 2), Fraction(1)))


def flavor(measure):
    return Flavor(DOMAIN, vacuous(DOMAIN), APART, measure)


def checked(measure, budget):
    return check_specification(LAWS, Specification.constant(flavor(measure), budget), "three numbers")


def test_a_budget_is_decided_in_all_pairs():
    """KL from 3/4 to 1/4 at distance 2 is ln 3/2; from 1/2 to 1/4 at distance 1 it is (ln 4/3)/2; that of 1/4 more."""
    value = KullbackLeibler().distance(LAWS[1], LAWS[0])
    assert str(value) == "ln(2) - 1/2*ln(3) ≈ 0.143841"
    assert checked(KullbackLeibler(), Loss(3, 4)).verdict is Verdict.ENCLOSED
    refuted = checked(KullbackLeibler(), Fraction(27, 100))
    assert refuted.verdict is Verdict.REFUTED
    assert replay(refuted.witness).startswith("false at p0 = ")
    assert checked(ChiSquared(), Fraction(1)).verdict is Verdict.EXHAUSTED
    assert checked(ChiSquared(), Loss(3)).verdict is Verdict.ENCLOSED


def test_what_nothing_decides_is_open_unless_another_pair_is_refuted():
    found = checked(Vague(), Fraction(3, 4))
    assert found.verdict is Verdict.OPEN
    assert found.detail.startswith("x = 0, x' = 1: not decided: in [0.5, 1] and 3/4 are not told apart")
    assert checked(Vague(), Fraction(1, 3)).verdict is Verdict.REFUTED
    assert checked(Vague(), Fraction(1)).verdict is Verdict.OPEN
    assert checked(Vague(), Fraction(101, 100)).verdict is Verdict.ENCLOSED


def test_the_need_of_vague_numbers_is_enclosed():
    found = enclosed_need(ComparedLaws(LAWS, flavor(Vague())))
    assert (found.ends.lower, found.ends.upper) == (Fraction(1, 2), Fraction(1))
    apart = {**LAWS, 2: Law({2: Fraction(1)})}
    assert enclosed_need(ComparedLaws(apart, flavor(KullbackLeibler()))) is None


def test_a_premetric_that_is_not_immune_sees_all_outcomes():
    class Outcomes(Vague):
        """How many outcomes two laws have."""

        is_immune_to_post_processing = False

        def distance(self, p, q):
            return Fraction(0) if p == q else Fraction(len({*p, *q}))

    laws = {0: Law({t: Fraction(1, 4) for t in range(4)}), 1: Law({t: Fraction(1, 4) for t in range(1, 5)}), 2: LAWS[0]}
    pairs = ComparedLaws(laws, flavor(Outcomes()))
    assert pairs.law_pair(0, 1).distance == 5
    assert pairs.law_pair(0, 1).laws == (laws[0], laws[1])
    assert pairs.largest_need(pairs.flavor.multiverse)[0] == 5


def test_a_gaussian_witness_names_its_quantiles():
    witness = real_witness(
        GaussianTradeoff(),
        (LAWS[0], LAWS[2]),
        GaussianTradeoff().distance(LAWS[0], LAWS[2]),
        Fraction(1),
        x=0,
        x_prime=2,
    )
    assert "Phi^-1(3/4) - Phi^-1(1/4)" in witness["note"]
    assert replay(witness).startswith("false at D = ")
    assert (witness["x"], witness["x_prime"]) == (0, 2)


def test_long_formulas_are_left_out():
    n = 500
    first = Law({t: Fraction(2 * (t + 1), n * (n + 1)) for t in range(n)})
    second = Law({t: Fraction(1, n) for t in range(n)})
    value = ChiSquared().distance(first, second)
    assert replay(real_witness(ChiSquared(), (first, second), value, Fraction(1, 100))).startswith("false at D = ")


def test_verdicts_and_faults():
    assert settled_by(ChiSquared(), Fraction(1)) is Verdict.EXHAUSTED
    assert settled_by(ChiSquared(), Loss(2)) is settled_by(KullbackLeibler()) is Verdict.ENCLOSED
    comparison = ComparedLaws(LAWS, flavor(Multiplicative()))
    with pytest.raises(EngineError, match="are no reals"):
        check_real_comparison(comparison, Specification.constant(flavor(Multiplicative()), Loss(2)), "scope")


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


def test_an_unsatisfiable_negation_decides_the_claim():
    assert decide(MINIMUM, "all b").verdict is Verdict.DECIDED


def test_a_model_becomes_a_witness_that_replays():
    change = ("(>= (* gamma gamma) (+ b 1)) (=", "(>= (* gamma gamma) (+ b 2)) (=")
    evidence = decide(MINIMUM, "all b", claimed="gamma**2 >= b + 2", changes=[change])
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.witness is not None
    assert replay(evidence.witness).startswith("false at")


def test_a_model_without_a_formula_to_replay_leaves_the_claim_open():
    change = ("(>= (* gamma gamma) (+ b 1)) (=", "(>= (* gamma gamma) (+ b 2)) (=")
    assert decide(MINIMUM, "all b", changes=[change]).verdict is Verdict.OPEN


def test_a_formula_that_the_model_does_not_refute_is_an_engine_failure():
    change = ("(>= (* gamma gamma) (+ b 1)) (=", "(>= (* gamma gamma) (+ b 2)) (=")
    with pytest.raises(EngineError, match="does not refute"):
        decide(MINIMUM, "all b", claimed="gamma > 0", changes=[change])


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


@pytest.mark.parametrize("text", ["(assert", "(assert (> undeclared 0))"])
def test_text_that_does_not_parse_is_refused(text):
    with pytest.raises(InputError, match="must be SMT-LIB"):
        ask(text)


def test_a_claim_without_a_query_is_refused():
    with pytest.raises(EngineError, match="has no query"):
        query_text("no.such-claim")


@pytest.mark.parametrize("piece", ["(assert nothing)", "Real"])
def test_a_piece_must_occur_exactly_once(piece):
    with pytest.raises(EngineError, match="exactly once"):
        query_text(MINIMUM, (piece, "x"))
