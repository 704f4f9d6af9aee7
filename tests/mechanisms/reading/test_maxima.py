"""The largest of several numbers: what is computed for numbers in order is that of the numbers as they stand."""

import marshal
import random
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from stirred.mechanisms.reading import maxima
from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.maxima import divided_by_largest
from stirred.mechanisms.reading.region import Halfspace, Region
from stirred.mechanisms.reading.symbols import Linear

L, E, U, G = BaseLaw.LAPLACE, BaseLaw.EXPONENTIAL, BaseLaw.UNIFORM, BaseLaw.GUMBEL
SHIFTS, SCALES = (0, 0, 1, Fraction(1, 3), -2), (1, 1, 2, Fraction(-3, 2))
SHARES = Fraction(1, 1 << 36), Fraction(1, 2), 1 - Fraction(1, 1 << 36)


def noisy(seed, laws, scales):
    """A region, and a number scale·Z + shift for each of its draws, these in any order."""
    chosen = random.Random(seed)  # noqa: S311 a test
    count = chosen.randint(2, 4)
    order = chosen.sample(range(count), count)
    region = Region(tuple(chosen.choice(laws) for _ in range(count)))
    cells = [Linear({k: Exact(Fraction(chosen.choice(scales)))}, Exact(Fraction(chosen.choice(SHIFTS)))) for k in order]
    return region, cells


def by_conditions(region, cells):
    """The shares by the conditions of these very numbers."""
    parts = []
    for one in cells:
        others = [other for other in cells if other is not one]
        forms = [({**other.terms, **{draw: -c for draw, c in one.terms.items()}}, other) for other in others]
        parts.append([Halfspace(terms, one.shift - other.shift) for terms, other in forms])
    return region.shares(parts)


@pytest.mark.parametrize("seed", range(60))
def test_each_share_is_that_of_the_conditions(seed):
    laws, scales = ((L, E, U), SCALES) if seed % 3 else ((G,), (2,))
    region, cells = noisy(seed, laws, scales)
    found = divided_by_largest(region, cells)
    expected = by_conditions(region, cells)
    assert [share.number for share, _ in found] == [one.number for one in expected]
    for place, (share, part) in enumerate(found):
        assert part.laws == region.laws
        assert part.probability == share
        assert Region(part.laws, part.rows).probability == share  # by its own conditions, as if it had no model
        if share.number:
            assert all(lies(part, cells, place, end) for end in SHARES)


def near(exact):
    """The number as a float."""
    number = exact.number
    return float(number if isinstance(number, Fraction) else number.enclosure(20).lower)


def lies(part, cells, place, share):
    """Whether a point of a part makes the number the largest, and is where the draws are."""
    point = part.point(share)
    values = [sum((c * point[draw] for draw, c in one.terms.items()), one.shift) for one in cells]
    are_held = all(
        (low is None or low <= point[draw]) and (high is None or point[draw] <= high)
        for draw, law in enumerate(part.laws)
        for low, high in [law.support]
    )
    return are_held and all(values[place] >= value for value in values)


def test_orders_and_shifts_of_numbers_are_computed_once(monkeypatch):
    maxima._DIVIDED.clear()
    calls, plain = [], Region.divided
    monkeypatch.setattr(Region, "divided", lambda region, given: calls.append(given) or plain(region, given))
    shares = set()
    for order in permutations((0, 1, 4)):
        for shift in (0, 7):
            cells = [Linear({k: Exact(2)}, Exact(x + shift)) for k, x in enumerate(order)]
            found = divided_by_largest(Region((L,) * 3), cells)
            shares.add(tuple(str(found[order.index(x)][0]) for x in (0, 1, 4)))
    assert len(calls) == len(shares) == 1


def test_what_a_copy_has_divided_is_told_to_others(monkeypatch):
    maxima._DIVIDED.clear()
    cells = [Linear({k: Exact(Fraction(-2, 3))}, Exact(Fraction(x, 7))) for k, x in enumerate((0, 1, 4))]
    expected = [share.number for share, _ in divided_by_largest(Region((L, E, U)), cells)]
    told = marshal.loads(marshal.dumps(maxima.told_maxima()))  # noqa: S302 our own
    maxima._DIVIDED.clear()
    maxima.learn_maxima(told)
    monkeypatch.setattr(Region, "divided", None)  # which is asked no more
    assert [share.number for share, _ in divided_by_largest(Region((L, E, U)), cells)] == expected


@pytest.mark.parametrize(
    "cells",
    [
        [Linear({0: Exact(1), 1: Exact(1)}, Exact(0)), Linear({1: Exact(1)}, Exact(0))],  # a draw of both
        [Linear({0: Exact(1)}, Exact(0)), Linear({1: Exact(1)}, Exact(2).log())],  # apart by no rational number
        [Linear({0: Exact(1)}, Exact(0)), Linear({1: Exact(1)}, Exact(0)), Linear({}, Exact(1))],  # a constant
    ],
    ids=["tied", "irrational", "constant"],
)
def test_other_numbers_are_divided_as_they_stand(cells):
    before = len(maxima._DIVIDED)
    found = divided_by_largest(Region((L, L)), cells)
    assert near(sum((share for share, _ in found), Exact(0))) == pytest.approx(1, abs=1e-12)
    assert len(maxima._DIVIDED) == before


def test_conditions_before_a_maximum_are_kept():
    region = Region((L, L)).within([Halfspace({0: Exact(1)}, Exact(0))])
    cells = [Linear({k: Exact(1)}, Exact(0)) for k in range(2)]
    (first, _), (second, _) = divided_by_largest(region, cells)
    assert first.number == Fraction(1, 4)  # Z₀ ≤ 0 is the larger of two halves of the half in which both are below 0
    assert second.number == Fraction(3, 4)


def test_shares_are_those_of_draws():
    region, cells = Region((L, L, L)), [Linear({k: Exact(2)}, Exact(x)) for k, x in ((2, 1), (0, 0), (1, 3))]
    rng = np.random.default_rng(1)
    noise = rng.laplace(scale=2, size=(200_000, 3))
    winners = np.argmax(noise + np.array([1, 0, 3]), axis=1)
    for place, (share, _) in enumerate(divided_by_largest(region, cells)):
        assert abs((winners == place).mean() - near(share)) < 0.006
