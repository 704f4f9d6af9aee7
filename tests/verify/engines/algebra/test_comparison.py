from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import (
    INFINITE,
    ZERO,
    ConstraintMatrix,
    FiniteDomain,
    InputError,
    Loss,
    Multiplicative,
    TotalVariation,
)
from stirred.spec.output_premetrics import ApproximateMultiplicative, NormalizedRenyi
from stirred.verify.engines.algebra.comparison import Decision, _by_programs, broken_pairs, stronger

THREE = FiniteDomain((0, 1, 2))
LOSSES = (ZERO, Loss(Fraction(3, 2)), Loss(Fraction(2)), Loss(Fraction(4)), INFINITE)
VARIATIONS = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), None)


def matrices(measure):
    values = VARIATIONS if isinstance(measure, TotalVariation) else LOSSES
    pairs = tuple(permutations(range(3), 2))
    return st.tuples(*(st.sampled_from(values) for _ in pairs)).map(
        lambda chosen: ConstraintMatrix(THREE, measure, dict(zip(pairs, chosen, strict=True)))
    )


def check(found, first, second):
    if found.answer is Decision.NO:
        assert next(broken_pairs(found.mechanism, first), None) is None
        assert found.pair in set(broken_pairs(found.mechanism, second))


@pytest.mark.parametrize("measure", [Multiplicative(), TotalVariation()])
@given(st.data())
def test_closures_and_linear_programs_agree(measure, data):
    first, second = data.draw(matrices(measure)), data.draw(matrices(measure))
    by_closure, by_programs = stronger(first, second), _by_programs(first, second)
    assert by_closure.answer is by_programs.answer
    check(by_closure, first, second)
    check(by_programs, first, second)


MEASURES = st.sampled_from([Multiplicative(), TotalVariation(), ApproximateMultiplicative(Fraction(1, 4))])


@given(st.data())
def test_any_mixture_of_premetrics_is_decided(data):
    first, second = (data.draw(MEASURES.flatmap(matrices)) for _ in range(2))
    found = stronger(first, second)
    assert found.answer is not Decision.UNDECIDED
    check(found, first, second)


def test_pure_bounds_imply_total_variation_bounds():
    """D_Mult ≤ ln 3 gives D_TV ≤ (3 − 1)/(3 + 1) = 1/2, and nothing smaller."""
    two = FiniteDomain((0, 1))
    pure = ConstraintMatrix(two, Multiplicative(), {(0, 1): Loss(Fraction(3))})
    half = ConstraintMatrix(two, TotalVariation(), {(0, 1): Fraction(1, 2)})
    less = ConstraintMatrix(two, TotalVariation(), {(0, 1): Fraction(49, 100)})
    assert stronger(pure, half).answer is Decision.YES
    assert stronger(pure, less).answer is Decision.NO


def test_irrational_bounds_are_separated_by_rational_mechanisms():
    two = FiniteDomain((0, 1))
    root = ConstraintMatrix(two, Multiplicative(), {(0, 1): Loss(Fraction(2), 2)})
    below = ConstraintMatrix(two, Multiplicative(), {(0, 1): Loss(Fraction(7, 5))})
    above = ConstraintMatrix(two, Multiplicative(), {(0, 1): Loss(Fraction(3, 2))})
    assert stronger(root, below).answer is Decision.NO
    assert stronger(root, above).answer is Decision.YES


def test_premetrics_without_an_engine_stay_undecided():
    two = FiniteDomain((0, 1))
    large, small = (ConstraintMatrix(two, NormalizedRenyi(), {(0, 1): Fraction(n)}) for n in (2, 1))
    assert stronger(large, small).answer is Decision.UNDECIDED
    assert stronger(small, large).answer is Decision.YES


def test_unconnected_data_sets_separate_under_every_premetric():
    two = FiniteDomain((0, 1))
    nothing = ConstraintMatrix(two, NormalizedRenyi(), {})
    something = ConstraintMatrix(two, NormalizedRenyi(), {(0, 1): Fraction(5)})
    assert stronger(nothing, something).answer is Decision.NO


def test_an_answer_has_no_truth_value():
    with pytest.raises(TypeError):
        bool(Decision.YES)


def test_other_domains_are_refused_with_the_way_out():
    one, two = (ConstraintMatrix(FiniteDomain(points), Multiplicative(), {}) for points in ((0, 1), (0, 1, 2)))
    with pytest.raises(InputError, match="pull one back along a recording map"):
        stronger(one, two)
