from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms import clamped_geometric, exact_law, truncated_geometric
from stirred.spec import InputError, Loss, Multiplicative

ratios = st.builds(lambda a, b: Fraction(a, a + b), st.integers(1, 6), st.integers(1, 6))
sizes = st.integers(2, 7)


def neighbour_losses(mechanism, size, ratio):
    laws = [exact_law(mechanism, x, size=size, ratio=ratio) for x in range(size)]
    return [Multiplicative().distance(laws[x], laws[x + 1]) for x in range(size - 1)]


@given(sizes, ratios)
def test_clamped_loss_is_that_of_the_unbounded_noise(size, ratio):
    assert set(neighbour_losses(clamped_geometric, size, ratio)) == {Loss(1 / ratio)}


@given(sizes, ratios)
def test_truncated_loss_is_between_once_and_twice_that_of_the_unbounded_noise(size, ratio):
    worst = max(neighbour_losses(truncated_geometric, size, ratio))
    assert Loss(1 / ratio) <= worst <= Loss(1 / ratio**2)
    assert (worst == Loss(1 / ratio)) == (size == 2)


@given(sizes, ratios)
def test_clamped_law_is_the_two_sided_geometric_law_folded_onto_its_ends(size, ratio):
    for x in range(size):
        law = exact_law(clamped_geometric, x, size=size, ratio=ratio)
        for t in range(1, size - 1):
            assert law[t] == (1 - ratio) / (1 + ratio) * ratio ** abs(t - x)
        # the tail below 0: (1-a)/(1+a) (a^x + a^(x+1) + ...) = a^x / (1+a)
        assert law[0] == ratio**x / (1 + ratio)


@given(sizes, ratios)
def test_truncated_law_is_proportional_to_the_geometric_weights(size, ratio):
    law = exact_law(truncated_geometric, 0, size=size, ratio=ratio)
    assert all(law[t + 1] == ratio * law[t] for t in range(size - 1))


@pytest.mark.parametrize("mechanism", [clamped_geometric, truncated_geometric])
def test_one_possible_count_is_released_as_it_is(mechanism):
    assert exact_law(mechanism, 0, size=1, ratio=Fraction(1, 2))[0] == 1


@pytest.mark.parametrize("mechanism", [clamped_geometric, truncated_geometric])
@pytest.mark.parametrize(
    ("count", "size", "ratio"),
    [
        (-1, 3, Fraction(1, 2)),
        (3, 3, Fraction(1, 2)),
        (0, 0, Fraction(1, 2)),
        (0, 3, 0),
        (0, 3, 1),
        (0, 3, 0.5),
        (1.0, 3, Fraction(1, 2)),
    ],
)
def test_bad_arguments_are_refused(mechanism, count, size, ratio):
    with pytest.raises(InputError, match="must be"):
        exact_law(mechanism, count, size=size, ratio=ratio)
