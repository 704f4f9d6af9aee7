"""Random rounding to a base: its exact law, and what it gives away."""

from fractions import Fraction

import pytest

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.noise.random_rounding import random_rounding
from stirred.spec import InputError
from stirred.verify.engines.cell_key import pair_curve


@pytest.mark.parametrize("base", [1, 2, 3, 5, 10])
def test_it_is_unbiased_and_leaves_multiples(base):
    for count in range(3 * base):
        law = exact_law(random_rounding, count, base=base)
        assert sum(one * law.numeric(one) for one in law) == count
        assert all(one % base == 0 and abs(one - count) < base for one in law)
        assert len(law) == (1 if count % base == 0 else 2)


@pytest.mark.parametrize("base", [3, 5, 10])
def test_no_epsilon_has_a_smaller_delta_than_one_record_has_at_zero(base):
    laws = [exact_law(random_rounding, count, base=base) for count in range(base + 1)]
    multiple, other = pair_curve(laws[0], laws[1]), pair_curve(laws[1], laws[2])
    # from 0 to 1 the outcome b appears with probability 1/b, whatever γ is
    assert [(one.power, one.level) for one in multiple.pieces()] == [(Fraction(1, base), 0)]
    assert other.delta(1) == Fraction(1, base)
    assert other.delta(2) == 0  # b has probabilities 1/b and 2/b, 0 falls from (b-1)/b to (b-2)/b


def test_counts_are_not_negative():
    with pytest.raises(InputError, match="count must be at least 0; got -3"):
        exact_law(random_rounding, -3, base=3)
