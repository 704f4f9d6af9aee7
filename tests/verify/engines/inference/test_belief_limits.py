"""The largest powers and ratios between beliefs: paths, mixtures, and mechanisms that none exceeds."""

import random
from fractions import Fraction
from itertools import product

import pytest

from stirred.spec import InputError
from stirred.spec.law import Law
from stirred.verify.engines.algebra.linear_program import implied
from stirred.verify.engines.inference.belief_limits import BeliefLimits
from stirred.verify.engines.inference.power import sharpest_power

BOTH = ((0, 1), (1, 0))
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def on_path(count, gamma):
    steps = [(i, j) for i, j in product(range(count), repeat=2) if abs(i - j) == 1]
    return BeliefLimits([Law({i: Fraction(1)}) for i in range(count)], steps, gamma)


@pytest.mark.parametrize("alpha", [0, Fraction(1, 20), Fraction(1, 5), HALF, 1])
@pytest.mark.parametrize("gamma", [1, Fraction(3, 2), 5])
def test_beliefs_that_are_sure_of_one_data_set_are_a_path(gamma, alpha):
    limits = on_path(3, gamma)
    assert [limits.power(0, d, alpha) for d in range(3)] == [sharpest_power(alpha, gamma, d) for d in range(3)]
    assert [limits.ratio(2, d) for d in range(3)] == [Fraction(gamma) ** (2 - d) for d in range(3)]


def test_no_budget_lets_overlapping_beliefs_differ_by_more_than_they_do():
    # u = (1/2, 1/2), v = (1/4, 3/4): the second data set is 3/2 times as probable, and no mechanism has more
    limits = BeliefLimits([Law({0: HALF, 1: HALF}), Law({0: QUARTER, 1: 3 * QUARTER})], BOTH, 9)
    assert (limits.ratio(0, 1), limits.ratio(1, 0)) == (Fraction(3, 2), 2)
    assert limits.power(0, 1, Fraction(1, 20)) == Fraction(3, 40)
    assert limits.power(0, 1, Fraction(3, 4)) == Fraction(7, 8)


def test_no_mechanism_has_more_and_one_has_as_much():
    """By another program, which is asked about one bound at a time."""
    drawn = random.Random(3)  # noqa: S311 fixed cases
    for _ in range(40):
        u, v = (_law(drawn) for _ in range(2))
        gamma, alpha = Fraction(drawn.choice([3, 4, 6]), 2), Fraction(drawn.randint(1, 11), 12)
        largest = BeliefLimits([Law(dict(enumerate(p))) for p in (u, v)], BOTH, gamma).power(0, 1, alpha)
        inequalities = [(u, alpha)]
        for p, q in ((u, v), (v, u)):
            inequalities.append((_minus(p, q, gamma), Fraction(0)))
            inequalities.append(([-entry for entry in _minus(p, q, gamma)], gamma - 1))
        for x in range(3):
            unit = [Fraction(x == y) for y in range(3)]
            inequalities += [(unit, Fraction(1)), ([-entry for entry in unit], Fraction(0))]
        rows, bounds = zip(*inequalities, strict=True)
        assert implied(rows, bounds, v, largest).point is None
        assert implied(rows, bounds, v, largest - Fraction(1, 1000)).multipliers is None
        assert largest <= min(gamma * alpha, 1 - (1 - alpha) / gamma)


def _law(drawn):
    weights = [Fraction(drawn.randint(0, 3)) for _ in range(2)]
    weights.append(Fraction(drawn.randint(1, 3)))
    return [weight / sum(weights) for weight in weights]


def _minus(p, q, gamma):
    return [a - gamma * b for a, b in zip(p, q, strict=True)]


def test_a_budget_below_one_and_a_level_outside_are_refused():
    with pytest.raises(InputError, match=r"^gamma must be at least 1; got 1/2$"):
        on_path(2, HALF)
    with pytest.raises(InputError, match=r"alpha"):
        on_path(2, 2).power(0, 1, 2)
