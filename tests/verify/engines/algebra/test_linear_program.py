from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec.arguments import InputError
from stirred.verify.engines.algebra.linear_program import (
    Infeasible,
    Solution,
    _check,
    implied,
    maximum,
    nonnegative_solution,
)
from stirred.verify.evidence.finding import EngineError

SMALL = st.integers(-3, 3).map(Fraction)


@given(st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=5), st.tuples(SMALL, SMALL))
def test_every_answer_carries_a_certificate(columns, target):
    answer = nonnegative_solution(columns, target)
    if isinstance(answer, Solution):
        sums = [sum(x * column[i] for x, column in zip(answer.values, columns, strict=True)) for i in range(2)]
        assert sums == list(target)
        assert min(answer.values) >= 0
    else:
        y = answer.separator
        assert sum(a * b for a, b in zip(y, target, strict=True)) > 0
        assert all(sum(a * b for a, b in zip(y, column, strict=True)) <= 0 for column in columns)


@given(
    st.lists(st.tuples(SMALL, SMALL, SMALL), min_size=1, max_size=5),
    st.lists(st.integers(0, 3), min_size=5, max_size=5),
)
def test_what_has_a_solution_gets_one(columns, weights):
    target = [sum((w * column[i] for w, column in zip(weights, columns, strict=False)), Fraction(0)) for i in range(3)]
    assert isinstance(nonnegative_solution(columns, target), Solution)


def test_degenerate_pivots_end():
    """Beale's example, on which the largest-coefficient rule cycles."""
    columns = [
        (Fraction(1, 4), Fraction(1, 2), Fraction(0)),
        (Fraction(-60), Fraction(-90), Fraction(0)),
        (Fraction(-1, 25), Fraction(-1, 50), Fraction(1)),
        (Fraction(9), Fraction(3), Fraction(0)),
        *(tuple(Fraction(i == j) for i in range(3)) for j in range(3)),
    ]
    assert isinstance(nonnegative_solution(columns, [Fraction(0), Fraction(0), Fraction(1)]), Solution)


def test_a_wrong_certificate_is_an_engine_failure():
    columns, target = [(Fraction(1),)], [Fraction(1)]
    with pytest.raises(EngineError):
        _check(columns, target, Solution((Fraction(2),)))
    with pytest.raises(EngineError):
        _check(columns, target, Infeasible((Fraction(1),)))


def test_columns_of_another_length_are_refused():
    with pytest.raises(InputError, match="every column must have 2 entries"):
        nonnegative_solution([(Fraction(1),)], [Fraction(1), Fraction(1)])


BOX = ([(1, 0), (-1, 0), (0, 1), (0, -1)], [1, 0, 1, 0])


@pytest.mark.parametrize(("row", "bound", "holds"), [((1, 1), 2, True), ((1, 1), 1, False), ((1, -1), 1, True)])
def test_implications_over_a_square(row, bound, holds):
    rows, bounds = [tuple(map(Fraction, r)) for r in BOX[0]], list(map(Fraction, BOX[1]))
    found = implied(rows, bounds, tuple(map(Fraction, row)), Fraction(bound))
    assert (found.point is None) == holds
    assert (found.multipliers is not None) == holds
    if found.point is not None:
        assert sum(a * b for a, b in zip(row, found.point, strict=True)) > bound


@given(st.lists(st.tuples(SMALL, SMALL), max_size=4), st.lists(st.integers(0, 3), min_size=4, max_size=4), SMALL, SMALL)
def test_a_maximum_is_attained_and_implied(rows, limits, c, d):
    ones, bounds = (Fraction(1), Fraction(1)), [*map(Fraction, limits[: len(rows)]), Fraction(5)]
    found = maximum([*rows, ones], bounds, (c, d))
    assert c * found.point[0] + d * found.point[1] == found.value
    below = [(Fraction(-1), Fraction(0)), (Fraction(0), Fraction(-1))]
    inequalities = [*rows, ones, *below], [*bounds, Fraction(0), Fraction(0)]
    assert implied(*inequalities, (c, d), found.value).point is None
    assert implied(*inequalities, (c, d), found.value - Fraction(1, 9)).multipliers is None


def test_a_maximum_that_is_none_is_refused():
    with pytest.raises(EngineError, match="finite maximum"):
        maximum([(Fraction(-1),)], [Fraction(1)], (Fraction(1),))
    with pytest.raises(InputError, match="must not be negative"):
        maximum([(Fraction(1),)], [Fraction(-1)], (Fraction(1),))
