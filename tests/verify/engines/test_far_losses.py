"""At large and small distances: losses over an open parameter, the smallest delta, and separating mechanisms."""

import time
from fractions import Fraction

import pytest
from small_flavors import both_ways, flavor, law

from stirred.spec import SYMBOL, InputError, Law, Loss
from stirred.spec.blocks.specification import Specification
from stirred.verify.engines.algebra.comparison import Decision, stronger
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.loss_function import loss_function
from stirred.verify.engines.released_noise import Noise, pure_need
from stirred.verify.engines.smallest_delta import needed_delta

SIZES = [Fraction(text) for text in ("1e6", "1e300", "1e-300", "1e-9", "7/3000000019")]
THIRD = Fraction(1, 3)
COIN, OTHER = Law({0: SYMBOL, 1: 1 - SYMBOL}), Law({0: 1 - SYMBOL, 1: SYMBOL})


def line(*distances):
    """Data sets 0, 1, …, neighbours at these distances."""
    return flavor(both_ways({(x, x + 1): d for x, d in enumerate(distances)}))


@pytest.fixture(autouse=True)
def at_once():
    start = time.process_time()
    yield
    assert time.process_time() - start < 4


@pytest.mark.parametrize("d", SIZES)
def test_a_loss_over_an_open_parameter_is_decided_beside_its_largest_value(d):
    """ln((1 − p)/p)/d on (1/3, 1/2), at most ln(2)/d."""
    laws = {0: COIN, 1: OTHER}
    found = loss_function(laws, line(d), symbol="p", low=THIRD, high=Fraction(1, 2))
    assert found.exceeding(Loss(2).over(d).plus(Loss(2).over(d).over(10**9))) is None
    least = Loss(2).over(d).over(1 + Fraction(1, 10**9))
    point = found.exceeding(least)
    assert THIRD < point < Fraction(1, 2)
    assert Loss((1 - point) / point).over(d) > least


def test_of_one_ratio_the_nearest_pair_is_kept_and_other_proportions_are_refused():
    laws = {0: COIN, 1: OTHER, 2: COIN}
    found = loss_function(laws, line(10**9, 10**6), symbol="p", low=THIRD, high=Fraction(1, 2))
    assert str(found).startswith("ln((1 - p)/p)/1000000 for")
    laws[2] = Law({0: SYMBOL * SYMBOL, 1: 1 - SYMBOL * SYMBOL})
    with pytest.raises(InputError, match="give the parameter a number"):
        loss_function(laws, line(10**9, 1), symbol="p", low=THIRD, high=Fraction(1, 2))


@pytest.mark.parametrize("d", SIZES)
@pytest.mark.parametrize("epsilon", [Loss(2), Fraction(1), Fraction(0)])
def test_the_smallest_delta_is_that_of_a_very_large_or_a_very_small_power(d, epsilon):
    laws = {0: law(1, 2), 1: law(2, 1)}
    needed = needed_delta(ComparedLaws(laws, line(d)), epsilon)
    found, pair = needed.delta, needed.pair
    low, high = (found, found) if isinstance(found, Fraction) else (found.lower, found.upper)
    if epsilon == 0 or d < 1:
        assert low <= high <= THIRD
        assert high > THIRD - Fraction(1, 10**7)
        assert pair == (0, 1)
    else:
        assert low == high == 0


@pytest.mark.parametrize("d", SIZES)
def test_specifications_at_such_distances_are_compared(d):
    near, far = (Specification.constant(line(one), Loss(2)) for one in (d, 2 * d))
    assert stronger(near, far).answer is Decision.YES
    back = stronger(far, near)
    assert back.answer is not Decision.YES
    if Fraction(1, 10**12) < d < 1:
        assert back.answer is Decision.NO


@pytest.mark.parametrize("shift", [10**6, 10**300])
def test_noise_that_is_released_is_needed_by_its_shift(shift):
    noise = Noise("discrete_laplace", Fraction(1, 2))
    assert pure_need([noise], [shift]).over(shift) == Loss(2)
    assert pure_need([noise, noise], [shift, 1]) == Loss(2).times(shift + 1)
