from fractions import Fraction

import pytest

import stirred
from stirred.spec.arguments import InputError

HALF = Fraction(1, 2)
COUNTS = {"data_sets": [0, 1, 3], "distance": "absolute_difference"}


def count(data, source, *, q):
    return data + source.discrete_laplace(q)


def counts(data, source, *, q):
    return data + source.discrete_laplace(q), 2 * data + source.discrete_laplace(q**2)


def difference(data, source, *, q):
    return data + source.geometric(q) - source.geometric(q)


def one_sided(data, source, *, q):
    return data + source.geometric(q)


def from_below(data, source, *, q):
    return data - source.geometric(q)


def dependent(data, source, *, q):
    first, second = source.geometric(q), source.geometric(q)
    return data + first - second, second


def unlike(data, source, *, q):
    return data + source.geometric(q) - source.geometric(q**2)


@pytest.mark.parametrize(
    ("mechanism", "q", "epsilon", "verdict"),
    [
        (count, "exp(-1)", "1", "ENCLOSED"),
        (count, "exp(-1)", "0.999", "REFUTED"),
        (count, "symbol", "ln 3", "REFUTED"),
        (count, "symbol in [1/2, 3/4]", "ln 2", "DECIDED"),
        (counts, "symbol in [1/2, 3/4]", "ln 32", "DECIDED"),
        (counts, "symbol in [1/2, 3/4]", "ln 31", "REFUTED"),
        (difference, "1/2", "ln 2", "EXHAUSTED"),
        (difference, "1/2", "0.69", "REFUTED"),
        (difference, "exp(-1)", "1", "ENCLOSED"),
        (one_sided, "1/2", "100", "REFUTED"),
        (one_sided, "exp(-1)", "100", "REFUTED"),
        (from_below, "1/2", "100", "REFUTED"),
    ],
)
def test_released_geometric_noise_is_decided_by_its_shift(mechanism, q, epsilon, verdict):
    assert stirred.audit(mechanism, **COUNTS, epsilon=epsilon, q=q).verdict.name == verdict


def test_the_loss_is_a_function_of_the_ratio():
    assert str(stirred.smallest_budget(count, **COUNTS, q="symbol")) == "ln(1/q) for 0 < q < 1"
    assert stirred.smallest_budget(from_below, **COUNTS, q="symbol").is_infinite


@pytest.mark.parametrize(
    ("mechanism", "said"), [(dependent, "an unbounded draw once; it holds one twice"), (unlike, "unbounded: clamp it")]
)
def test_noise_that_is_no_noise_of_its_own_is_refused(mechanism, said):
    with pytest.raises(InputError, match=said):
        stirred.audit(mechanism, **COUNTS, epsilon="1", q="1/2")


def test_samples_of_released_noise_have_its_sign():
    drawn = [stirred.sample(one_sided, 5, seed=seed, q=HALF) for seed in range(40)]
    assert min(drawn) == 5 < max(drawn)
    assert max(stirred.sample(from_below, 5, seed=seed, q=HALF) for seed in range(40)) == 5
