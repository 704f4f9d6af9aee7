"""Released noise: needs of shifts against sums over all integers that matter, at 60 digits.

Rational laws that stand for those of discrete Gaussian draws; laws bounded from below.
"""

from fractions import Fraction
from functools import cache, partial
from itertools import product

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from stirred.mechanisms import discrete_gaussian, exact_law, permutation_swapping, randomized_response
from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, follow
from stirred.mechanisms.interpreters.choice_tree import tree_law
from stirred.mechanisms.interpreters.run_lister import list_runs
from stirred.mechanisms.noise.discrete_gaussian import bernoulli_exp, discrete_laplace
from stirred.spec import INFINITE, InputError, Loss
from stirred.spec.laws.discrete_gaussian import point_probability, upper_tail
from stirred.spec.numbers.enclosure import exponential
from stirred.spec.numbers.rational_function import SYMBOL
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.engines.nearby_law import NearbyLaws
from stirred.verify.engines.released_noise import (
    Noise,
    NoisyOutput,
    approximate_need,
    exceeding_threshold,
    laws_of_ends,
    pure_need,
    read_released,
    zcdp_need,
)
from stirred.verify.evidence.finding import EngineError
from stirred.verify.ledger.engines.bounded_law import bounded_law
from stirred.verify.ledger.engines.gaussian_maximum import is_largest_at_integers


def gaussian(scale):
    return Noise("discrete_gaussian", Fraction(scale))


def laplace(ratio):
    return Noise("discrete_laplace", ratio)


CONTEXT = mpmath.MPContext()
CONTEXT.dps = 60
HALF, THIRD, TINY = Fraction(1, 2), Fraction(1, 3), Fraction(1, 10**50)
GAUSSIANS = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(4), Fraction(25, 2)])
RATIOS = st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(2, 3)])
NOISES = GAUSSIANS.map(gaussian) | RATIOS.map(laplace)


def real(number):
    return CONTEXT.mpf(number.numerator) / number.denominator


@cache
def table(noise):
    """Probabilities by value, as far as any matters at 40 digits."""
    if noise.kind == "discrete_laplace":
        weights = {k: real(noise.parameter) ** abs(k) for k in range(-250, 251)}
    else:
        weights = {k: CONTEXT.exp(-(CONTEXT.mpf(k) ** 2) / (2 * real(noise.parameter))) for k in range(-60, 61)}
    total = sum(weights.values())
    return {k: weight / total for k, weight in weights.items()}


def hockey_stick(noise, shift, epsilon):
    law = table(noise)
    gamma = CONTEXT.exp(epsilon)
    return sum(max(p - gamma * law.get(k + shift, 0), 0) for k, p in law.items())


@examples(10, at_night=100)
@given(NOISES, st.integers(1, 4), st.sampled_from([Fraction(1, 10), Fraction(1, 1000), Fraction(1, 10**9)]))
def test_one_shifted_integer_needs_the_least_epsilon(noise, shift, delta):
    found = approximate_need([noise], [-shift], delta)
    assert found.upper - found.lower < Fraction(1, 10**10)
    # a little more is enough at this delta, a little less is not
    assert hockey_stick(noise, shift, real(found.upper)) <= real(delta) + CONTEXT.mpf(10) ** -40
    if found.lower > 0:
        assert hockey_stick(noise, shift, real(found.lower)) > real(delta) - CONTEXT.mpf(10) ** -40
        assert hockey_stick(noise, shift, real(found.lower * Fraction(999, 1000))) > real(delta)


def test_needs_by_hand():
    noise, both = laplace(HALF), [gaussian(4), laplace(HALF)]
    above_the_total_variation = approximate_need([gaussian(4)], [1], HALF)
    assert above_the_total_variation.lower == above_the_total_variation.upper == 0
    assert approximate_need([noise], [2], Fraction(1, 10**9)).upper <= Loss(4).epsilon(20).upper
    assert pure_need([noise, noise], [2, -1]) == Loss(8)
    assert (pure_need(both, [1, 0]), pure_need(both, [0, 1])) == (INFINITE, Loss(2))
    assert zcdp_need([gaussian(4), gaussian(HALF)], [2, -1]) == Fraction(3, 2)  # 4/8 + 1/1


@settings(max_examples=10)
@given(st.lists(st.tuples(NOISES, st.integers(-2, 2)), min_size=2, max_size=2))
def test_several_shifted_integers_are_enclosed(pairs):
    """The true need of two independent integers, by the double sum, lies between the ends."""
    delta = Fraction(1, 1000)
    noises, shifts = zip(*pairs, strict=True)
    found = approximate_need(noises, shifts, delta)
    tables = [{k: p for k, p in table(noise).items() if p > 1e-16} for noise in noises]
    first, second = (
        [(p, law.get(k + shift, CONTEXT.mpf(0))) for k, p in law.items()]
        for law, shift in zip(tables, shifts, strict=True)
    )
    excess = {}
    for end in (found.lower, found.upper):
        gamma = CONTEXT.exp(real(end))
        excess[end] = sum(max(p * r - gamma * q * s, 0) for p, q in first for r, s in second) - real(delta)
    assert excess[found.upper] <= CONTEXT.mpf(10) ** -9  # the tables leave tails out
    if found.lower > 0:
        assert excess[found.lower] >= -(CONTEXT.mpf(10) ** -9)


@given(NOISES, st.integers(1, 3), st.integers(0, 2))
def test_the_threshold_exceeds_by_the_whole_hockey_stick(noise, shift, epsilon):
    place, t, p, q = exceeding_threshold([noise], [shift], Fraction(epsilon), digits=50)
    law = table(noise)
    assert place == 0
    assert abs(sum(mass for k, mass in law.items() if k >= t - shift) - real(p)) < CONTEXT.mpf(10) ** -40
    expected = hockey_stick(noise, shift, epsilon)
    if expected > CONTEXT.mpf(10) ** -30:
        assert abs(real(p) - CONTEXT.exp(epsilon) * real(q) - expected) < CONTEXT.mpf(10) ** -40


@pytest.mark.parametrize(
    ("text", "integers", "shape"),
    [
        ("3 + discrete_gaussian(4)", (3,), "noisy"),
        ("(-3 + discrete_laplace(1/2), 'a', Fraction(1, 2))", (-3,), "(noisy, 'a', Fraction(1, 2))"),
    ],
)
def test_outputs_with_noise_are_read(text, integers, shape):
    found = read_released(text)
    assert (found.integers, found.shape) == (integers, shape)


@pytest.mark.parametrize("text", ["'3 + discrete_gaussian(4)'", "3", "(1, '+ discrete_laplace(1/2)')"])
def test_texts_are_no_noise(text):
    assert read_released(text) is None


@pytest.mark.parametrize(
    "text",
    [
        *("3 + discrete_gaussian(4) + 1", "1 + discrete_gaussian(1/0)", "a + discrete_laplace(1/2)"),
        *("(1 + discrete_laplace(", "2 + discrete_laplace((1, 2))", "2 + discrete_laplace(((1,), (0,)))"),
        "2 + discrete_laplace((1,))",
    ],
)
def test_malformed_noise_is_refused(text):
    with pytest.raises(InputError, match="must be written as an integer plus its noise"):
        read_released(text)


def released(noises, rows):
    return {row: NoisyOutput("noisy", noises, row) for row in rows}


@pytest.mark.parametrize(
    "noises",
    [
        (laplace(HALF),),
        (laplace(THIRD), laplace(HALF)),
        (Noise("discrete_geometric", HALF),),
        (laplace(HALF), Noise("discrete_reflected_geometric", THIRD)),
    ],
    ids=lambda noises: "-".join(map(str, noises)),
)
def test_the_ends_need_what_the_noise_needs(noises):
    rows = list(product((-1, 0, 3), repeat=len(noises)))
    laws = laws_of_ends(released(noises, rows), "here")
    for x, y in product(rows, repeat=2):
        shifts = [a - b for a, b in zip(x, y, strict=True)]
        assert Multiplicative().distance(laws[x], laws[y]) == pure_need(noises, shifts)


@pytest.mark.parametrize("kind", ["discrete_laplace", "discrete_geometric", "discrete_reflected_geometric"])
def test_a_function_is_the_number_at_each_value(kind):
    rows = [(0,), (2,)]
    opened = laws_of_ends(released((Noise(kind, Fraction(0), SYMBOL),), rows), "here")
    numeric = laws_of_ends(released((Noise(kind, THIRD),), rows), "here")
    assert all(opened[row].at(THIRD) == numeric[row] for row in rows)


def test_noise_with_an_open_ratio_is_read_from_its_text():
    found = read_released("(3 + discrete_laplace(((0, 1), (1,))), 1)")
    assert (found.integers, found.noises[0].ratio) == ((3,), SYMBOL)
    assert read_released("2 + discrete_geometric(1/2)").noises[0].is_one_sided


def clamped(source, shift=1):
    return source.clamp(shift + source.discrete_gaussian(4), 0, 3)


def law_of(program, laws=None):
    tree, runs = follow(program, ChoiceBudget(1000)), list_runs(program, 1000)
    return (laws or NearbyLaws()).law(tree, runs)


def test_a_clamped_draw_has_the_tails_at_its_ends():
    law = law_of(clamped)
    assert abs(law[0] - (1 - upper_tail(4, 0, digits=60).lower)) < TINY
    assert abs(law[1] - point_probability(4, 0, digits=60).lower) < TINY
    assert abs(law[3] - upper_tail(4, 2, digits=60).lower) < TINY


def test_what_was_learned_by_a_comparison_is_kept():
    def program(source):
        draw = source.discrete_gaussian(4)
        if draw >= 1:
            return "big", draw >= 3, draw >= 0
        return "small", source.clamp(draw, -1, 0), draw <= 0

    law = law_of(program)
    assert abs(law["big", True, True] - upper_tail(4, 3, digits=60).lower) < TINY
    assert abs(law["small", 0, True] - point_probability(4, 0, digits=60).lower) < TINY
    assert {outcome[2] for outcome in law} == {True}


def test_comparisons_of_multiples_and_of_the_negative_draw():
    def program(source):
        draw = source.discrete_gaussian(4)
        return 2 * draw >= 3, -draw >= Fraction(1, 2)

    law = law_of(program)
    assert abs(law[True, False] - upper_tail(4, 2, digits=60).lower) < TINY
    assert abs(law[False, True] - upper_tail(4, 1, digits=60).lower) < TINY


def test_a_rejection_loop_is_summed():
    def program(source):
        def body(inner):
            draw = inner.discrete_gaussian(4)
            if draw >= 1:
                inner.restart()
            return inner.clamp(draw, -1, 0)

        return source.attempt(body)

    kept = 1 - upper_tail(4, 1, digits=60).lower
    assert abs(law_of(program)[0] - point_probability(4, 0, digits=60).lower / kept) < TINY


def test_equal_laws_have_one_representative_and_others_do_not():
    laws = NearbyLaws()
    first = law_of(clamped, laws)
    assert law_of(lambda source: -clamped(source, 1) + 0, laws) is not first

    def in_two_steps(source):
        draw = 1 + source.discrete_gaussian(4)
        return 0 if draw <= 0 else source.clamp(draw, 1, 3)

    assert law_of(in_two_steps, laws) is first
    assert law_of(lambda source: clamped(source, 2), laws) is not first


def test_laws_that_hardly_differ_are_not_told_apart():
    laws = NearbyLaws()
    law_of(lambda source: source.bernoulli(THIRD), laws)
    with pytest.raises(EngineError, match="too close to decide whether they are equal"):
        law_of(lambda source: source.bernoulli(THIRD + Fraction(1, 2**258)), laws)


def test_runs_of_another_law_are_noticed():
    tree, runs = follow(clamped, ChoiceBudget(100)), list_runs(lambda source: clamped(source, 2), 1000)
    assert NearbyLaws().law(tree, runs) is None


CUTOFF = Fraction(1, 10**9)


def bounded(mechanism, data=None, cutoff=CUTOFF, **parameters):
    return bounded_law(mechanism, data, cutoff=cutoff, **parameters)


@pytest.mark.parametrize(
    ("mechanism", "data", "parameters"),
    [
        (randomized_response, (0, 1, 1), {"flip_probability": Fraction(1, 3)}),
        (permutation_swapping, ((0, 0, 0), (0, 1, 1), (0, 0, 1)), {"swap_rate": Fraction(1, 2)}),
        (lambda data, source: source.uniform(3) or source.restart(), None, {}),
    ],
)
def test_a_finite_mechanism_keeps_its_law_but_for_rounding(mechanism, data, parameters):
    law, found = exact_law(mechanism, data, **parameters), bounded(mechanism, data, **parameters)
    assert found.missing <= Fraction(1, 2**180)
    assert all(0 <= law.numeric(t) - found.lower[t] <= found.missing for t in law)


@pytest.mark.parametrize("gamma", [Fraction(0), Fraction(1, 7), Fraction(1), Fraction(5, 2)])
def test_bernoulli_exp_succeeds_with_probability_e_to_minus_gamma(gamma):
    found = bounded(lambda data, source: bernoulli_exp(source, gamma))
    expected = exponential(-gamma)
    assert found.lower[True] <= expected.upper
    assert expected.lower <= found.lower[True] + found.missing
    assert found.missing < Fraction(1, 10**7)


@pytest.mark.parametrize("scale", [1, 2, 5])
def test_the_discrete_laplace_law_falls_by_e_to_minus_one_over_t(scale):
    # P(y) = (e^(1/t) - 1)/(e^(1/t) + 1) e^(-|y|/t)
    found = bounded(lambda data, source: discrete_laplace(source, scale))
    step = exponential(Fraction(1, scale), digits=30)
    for y in range(-4, 5):
        fall = exponential(Fraction(-abs(y), scale), digits=30)
        assert found.lower[y] <= (step.upper - 1) / (step.upper + 1) * fall.upper
        assert (step.lower - 1) / (step.lower + 1) * fall.lower <= found.lower[y] + found.missing


@pytest.mark.parametrize("scale", [Fraction(1, 100), Fraction(1, 3), Fraction(2), Fraction(9), Fraction(41, 4)])
def test_the_sampler_has_the_discrete_gaussian_law(scale):
    found = bounded(discrete_gaussian(scale), 5)
    excess = sum(max(mass - point_probability(scale, x - 5).lower, 0) for x, mass in found.lower.items())
    assert excess + found.missing < Fraction(1, 10**6)


def test_a_sampler_that_forgets_to_reject_negative_zero_is_found():
    def faulty(data, source):
        sign = -1 if source.bernoulli(HALF) else 1
        return sign * abs(source.attempt(lambda inner: discrete_laplace(inner, 1)))

    honest = bounded(lambda data, source: discrete_laplace(source, 1))

    def laplace_without_rejection(data, source):
        magnitude = 0
        while bernoulli_exp(source, Fraction(1)):
            magnitude += 1
        return -magnitude if source.bernoulli(HALF) else magnitude

    wrong = bounded(laplace_without_rejection)
    assert wrong.lower[0] > honest.lower[0] + honest.missing
    assert bounded(faulty).lower[0] <= honest.lower[0] + honest.missing


@pytest.mark.parametrize(
    ("message", "ask"),
    [
        ("clamp it, or claim epsilon", lambda: zcdp_need([laplace(HALF)], [1])),
        *(
            ("a parameter is left open", partial(laws_of_ends, released(noises, [(0,) * len(noises)]), "here"))
            for noises in ((gaussian(HALF),), (laplace(HALF),) * 11)
        ),
        ("not rational", lambda: tree_law(follow(clamped, ChoiceBudget(100)))),
        (
            "compared with numbers only",
            lambda: law_of(lambda source: source.discrete_gaussian(4) >= source.discrete_gaussian(4)),
        ),
        (
            "compared with numbers only",
            lambda: law_of(lambda source: source.discrete_gaussian(4) >= source.discrete_laplace(HALF)),
        ),
        ("left open", lambda: law_of(lambda source: (source.discrete_gaussian(4) >= 0, source.bernoulli(SYMBOL)))),
        *((r"^cutoff must be", partial(bounded, discrete_gaussian(1), 0, cutoff)) for cutoff in (0, 1, -1, 2, 0.5)),
        ("smaller cutoff", lambda: bounded(lambda data, source: source.uniform(100), cutoff=Fraction(1, 10))),
        ("open parameter", lambda: bounded(randomized_response, (0,), flip_probability=SYMBOL)),
    ],
)
def test_what_cannot_be_answered_is_refused(message, ask):
    with pytest.raises(InputError, match=message):
        ask()


@pytest.mark.parametrize(("scale", "answer"), [(Fraction(1, 100), True), (Fraction(1, 2), True), (Fraction(1), None)])
def test_the_maximum_at_integers_is_decided_where_the_sum_is_not_flat(scale, answer):
    assert is_largest_at_integers(scale) is answer
    assert is_largest_at_integers(Fraction(50)) is None
