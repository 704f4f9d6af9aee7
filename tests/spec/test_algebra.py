"""Closure, composition and recording maps."""

from fractions import Fraction
from itertools import permutations, product

import pytest

from stirred.spec import INFINITE, ZERO, FiniteDomain, Flavor, InputError, Law, Loss, Multiverse, Specification, vacuous
from stirred.spec.algebra.closure import closure
from stirred.spec.algebra.composition import compose, composed_laws
from stirred.spec.algebra.recording import RecordingMap, inclusion, lipschitz_factor, pulled_back, restricted
from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.output_premetrics import (
    ApproximateMultiplicative,
    Multiplicative,
    NormalizedRenyi,
    TotalVariation,
    Tradeoff,
)

LINE = InputPremetric("line", "unit", lambda x, y: abs(x - y))
FOUR = FiniteDomain((0, 1, 2, 3))
TWO = Loss(Fraction(2))


def claim(multiverse, budgets=TWO, measure=None, premetric=LINE):
    flavor = Flavor(FOUR, multiverse, premetric, measure or Multiplicative())
    return Specification(flavor, budgets if isinstance(budgets, dict) else dict.fromkeys(multiverse, budgets))


def test_overlapping_universes_imply_what_they_do_not_state():
    chain = claim(Multiverse(({0, 1}, {1, 2})))
    stated, implied = chain.matrix(), closure(chain.matrix())
    assert {pair for pair in permutations(FOUR, 2) if stated(*pair) != implied(*pair)} == {(0, 2), (2, 0)}
    assert (stated(0, 2), implied(0, 2)) == (INFINITE, Loss(Fraction(4)))


def test_total_variation_is_cut_at_one():
    far = closure(claim(vacuous(FOUR), Fraction(1, 2), TotalVariation()).matrix())
    assert far(0, 3) == 1


@pytest.mark.parametrize("measure", [ApproximateMultiplicative(Fraction(1, 4)), Tradeoff()])
def test_no_closure_without_the_triangle_inequality(measure):
    matrix = claim(Multiverse(()), {}, measure).matrix()
    with pytest.raises(InputError, match="must have the triangle inequality"):
        closure(matrix)


def test_different_flavors_compose_pair_by_pair():
    first = claim(Multiverse(({0, 1, 2},)), Loss(Fraction(3)))
    doubled = InputPremetric("doubled", "unit", lambda x, y: 2 * abs(x - y))
    second = claim(Multiverse(({1, 2, 3},)), TWO, premetric=doubled)
    both = compose(first, second)
    assert both(1, 2) == Loss(Fraction(12))  # ln 3 + 2 ln 2
    assert both(0, 1) == INFINITE


def test_squares_of_the_normalized_renyi_metric_add():
    one = claim(vacuous(FOUR), Fraction(1, 2), NormalizedRenyi())
    assert compose(one, one)(0, 2) == 4  # (1/2 + 1/2)·2²


def test_specifications_on_different_domains_are_refused():
    other = restricted(claim(vacuous(FOUR)), FiniteDomain((0, 1)))
    with pytest.raises(InputError, match="pull one back along a recording map"):
        compose(claim(vacuous(FOUR)), other)


def test_shared_seeds_are_computed_from_the_joint_law():
    same = Law({(u, u): Fraction(1, 2) for u in (0, 1)})
    laws = composed_laws(FiniteDomain((0, 1)), lambda x, u: x ^ u, lambda _, u: u, same)
    assert Multiplicative().distance(laws[0], laws[1]) == INFINITE


def test_clipping_pulls_a_specification_back():
    clip = RecordingMap(FOUR, FiniteDomain((0, 1)), lambda x: min(x, 1))
    small = Flavor(clip.codomain, vacuous(clip.codomain), LINE, Multiplicative())
    back = pulled_back(Specification.constant(small, TWO), clip).matrix()
    assert back(1, 3) == ZERO
    assert back(0, 3) == TWO


def test_universes_with_one_preimage_get_the_smaller_budget():
    fold = RecordingMap(FiniteDomain((0, 1)), FOUR, {0: 0, 1: 1})
    budgets = {frozenset({0, 1, 2}): Loss(Fraction(3)), frozenset({0, 1, 3}): TWO, frozenset({2, 3}): ZERO}
    back = pulled_back(claim(Multiverse(budgets), budgets), fold)
    assert back.budgets == {frozenset({0, 1}): TWO}


def test_a_recording_map_must_be_total_and_stay_inside():
    with pytest.raises(InputError, match="must be total; 3 has no image"):
        RecordingMap(FOUR, FOUR, {0: 0, 1: 1, 2: 2})
    with pytest.raises(InputError, match="must stay in its codomain; 3 is sent to 4"):
        RecordingMap(FOUR, FOUR, lambda x: x + 1)
    with pytest.raises(InputError, match="must stay in its codomain"):
        inclusion(FOUR, FiniteDomain((0, 1)))
    with pytest.raises(InputError, match="recording must end in the domain"):
        pulled_back(claim(vacuous(FOUR)), inclusion(FiniteDomain((0,)), FiniteDomain((0, 1))))


def test_lipschitz_factors_of_duplication():
    pairs = list(product(range(4), repeat=2))
    double = InputPremetric("double", "unit", lambda x, y: 2 * abs(x - y))
    assert lipschitz_factor(LINE, double, pairs) == 2
    assert lipschitz_factor(double, LINE, pairs) == Fraction(1, 2)
    zero = InputPremetric("zero", "unit", lambda x, y: 0)
    assert lipschitz_factor(zero, LINE, pairs) is None
    far = InputPremetric("far", "unit", lambda x, y: None)
    assert lipschitz_factor(far, LINE, pairs) == 0
    assert lipschitz_factor(LINE, far, pairs) is None
