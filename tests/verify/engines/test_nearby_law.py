"""Rational laws that stand for those of discrete Gaussian draws."""

from fractions import Fraction

import pytest

from stirred.mechanisms.choice_follower import ChoiceBudget, follow
from stirred.mechanisms.choice_tree import tree_law
from stirred.mechanisms.run_lister import list_runs
from stirred.spec import InputError
from stirred.spec.discrete_gaussian import point_probability, upper_tail
from stirred.spec.rational_function import SYMBOL
from stirred.verify.engines.nearby_law import NearbyLaws
from stirred.verify.evidence.finding import EngineError

TINY = Fraction(1, 10**50)


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
    law_of(lambda source: source.bernoulli(Fraction(1, 3)), laws)
    with pytest.raises(EngineError, match="differ by so little"):
        law_of(lambda source: source.bernoulli(Fraction(1, 3) + Fraction(1, 2**258)), laws)


def test_runs_of_another_law_are_noticed():
    tree, runs = follow(clamped, ChoiceBudget(100)), list_runs(lambda source: clamped(source, 2), 1000)
    assert NearbyLaws().law(tree, runs) is None


def test_an_exact_law_and_two_compared_draws_are_refused_in_one_line():
    with pytest.raises(InputError, match="not rational"):
        tree_law(follow(clamped, ChoiceBudget(100)))
    with pytest.raises(InputError, match="compared with numbers only"):
        law_of(lambda source: source.discrete_gaussian(4) >= source.discrete_gaussian(4))
    with pytest.raises(InputError, match="compared with numbers only"):
        law_of(lambda source: source.discrete_gaussian(4) >= source.discrete_laplace(Fraction(1, 2)))
    with pytest.raises(InputError, match="left open"):
        law_of(lambda source: (source.discrete_gaussian(4) >= 0, source.bernoulli(SYMBOL)))
