"""Conflicts are irreducible and proved, whatever the constraints are."""

import pytest
from hypothesis import given, settings
from strategies import nearest_points

from stirred.mechanisms.fast.conflict import conflict, contradiction
from stirred.mechanisms.topdown.nearest import Constraint, InfeasibleError, NearestPoint, exhaustive
from stirred.spec import InputError

BOX = tuple(Constraint(f"box {i}", ((i, 1),), None, 3) for i in range(4))


def can_be_met(size, constraints):
    """By the exhaustive solver: every variable is in a box from 0 to 3 beside."""
    try:
        exhaustive(NearestPoint(size, 0, (*constraints, *BOX[:size]), ()))
    except InfeasibleError:
        return False
    return True


@settings(max_examples=150, deadline=None)
@given(nearest_points())
def test_a_conflict_is_irreducible_and_its_factors_prove_it(problem):
    if can_be_met(problem.size, problem.constraints):
        with pytest.raises(InputError, match="these can be met"):
            conflict(problem)
        return
    found = conflict(problem)
    assert not can_be_met(problem.size, found.constraints)
    for left in found.constraints:
        others = [one for one in found.constraints if one != left]
        # boxes are constraints like any other here, so that what is left without them is tried in a larger one
        wider = [Constraint(f"wide {i}", ((i, 1),), None, 30) for i in range(problem.size)]
        exhaustive(NearestPoint(problem.size, 0, (*others, *wider), ()))
    if found.factors is not None:
        assert contradiction(found.constraints, found.factors) > 0


def test_integers_alone_can_be_in_conflict():
    odd = Constraint("twice the count", ((0, 2),), 3, 3)
    found = conflict(NearestPoint(1, 1, (*BOX[:1], odd), ()))
    assert found.text().endswith("no integers meet these together: twice the count = 3")


def test_a_large_conflict_is_proved_and_its_first_constraints_are_named():
    each = [Constraint(f"cell {i}", ((i, 1),), 1, None) for i in range(60)]
    most = Constraint("all", tuple((i, 1) for i in range(60)), None, 59)
    spare = Constraint("spare", ((60, 1),), 1, None)
    found = conflict(NearestPoint(61, 61, (spare, *each, most), ()))
    assert contradiction(found.constraints, found.factors) == 1
    assert set(found.constraints) == {*each, most}
    assert "cell 11 >= 1 and 49 more (with the factors 1, 1" in found.text()
    assert found.text().endswith("and 49 more they add up to 0 >= 1)")


def test_a_conflict_of_totals_is_named_with_its_numbers():
    state = Constraint("population of A", ((0, 1), (1, 1)), 3, 3)
    blocks = [Constraint(f"persons in block {i}", ((i, 1),), 2, None) for i in range(2)]
    spare = Constraint("persons in block 3", ((2, 1),), 1, None)
    assert conflict(NearestPoint(3, 3, (spare, state, *blocks), ())).text() == (
        "some data set must meet the constraints; these contradict each other: population of A = 3, "
        "persons in block 0 >= 2, persons in block 1 >= 2 (with the factors -1, 1, 1 they add up to 0 >= 1)"
    )
