"""Flows of least cost against the exhaustive solver; what is no network; the exact check of what is nearest."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import nearest_points, nested_points

from stirred.mechanisms.fast import flow_point
from stirred.mechanisms.fast.flow_point import flow_of_least_cost, row_prices, values_of
from stirred.mechanisms.fast.nearest_point import fast_nearest, highs_nearest
from stirred.mechanisms.fast.nested_sums import network_of
from stirred.mechanisms.fast.optimality import is_nearest
from stirred.mechanisms.fast.unit_pieces import PieceProgram, Squares
from stirred.mechanisms.topdown.nearest import (
    Constraint,
    InfeasibleError,
    NearestPoint,
    Square,
    exhaustive,
    loss,
    violated,
)


def found_by(solver, problem):
    try:
        return solver(problem)
    except InfeasibleError:
        return None


@pytest.fixture
def flows_only(monkeypatch):
    monkeypatch.setattr(PieceProgram, "solve", lambda self: pytest.fail("HiGHS was asked"))


@settings(max_examples=300, deadline=None)
@given(nearest_points())
def test_every_problem_has_the_point_of_the_reference(problem):
    assert found_by(fast_nearest, problem) == found_by(exhaustive, problem)


@settings(max_examples=400, deadline=None)
@given(nested_points())
def test_sums_that_nest_have_the_point_of_the_reference_without_highs(problem):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PieceProgram, "solve", lambda self: pytest.fail("HiGHS was asked"))
        assert fast_nearest(problem) == exhaustive(problem)


@settings(max_examples=100, deadline=None)
@given(nested_points(), st.data())
def test_only_nearest_points_have_a_proof(problem, data):
    squares = Squares(problem)
    network = network_of(squares)
    flow = flow_of_least_cost(network)
    prices = row_prices(squares, network, flow)
    assert is_nearest(squares, values_of(squares, network, flow.values), prices)
    moved = [value + data.draw(st.integers(-1, 1)) for value in flow.values[: problem.size].tolist()]
    is_near = violated(problem, moved) is None and loss(problem, moved) == loss(problem, exhaustive(problem))
    values = squares.of(np.array([*moved, *squares.guess[problem.size :]], dtype=np.int64))
    assert is_nearest(squares, values, prices) == is_near
    wrong = prices.copy()
    wrong[data.draw(st.integers(0, len(wrong) - 1)) if len(wrong) else slice(0)] += data.draw(st.integers(-99, 99))
    if not is_near:
        assert not is_nearest(squares, values, wrong)


def test_numbers_that_could_leave_64_bits_prove_nothing():
    squares = Squares(NearestPoint(1, 1, (Constraint("all", ((0, 1),), 3, 3),), (Square(((0, 1),), 3, 1),)))
    assert is_nearest(squares, np.array([3]), np.zeros(0, dtype=np.int64))
    both = (Constraint("both", ((0, 1), (1, 1)), 2, 2),)
    squares = Squares(NearestPoint(2, 2, both, (Square(((0, 1),), 1, 1), Square(((1, 1),), 1, 1))))
    assert is_nearest(squares, np.array([1, 1]), np.array([0]))
    assert not is_nearest(squares, np.array([1, 1]), np.array([2**61]))


@pytest.mark.parametrize(
    "terms",
    [
        (((0, 1), (1, 1)), ((1, 1), (2, 1)), ((0, 1), (2, 1))),  # three sums, each crossing the others
        (((0, 1), (1, 2)),),
        (((0, 1), (1, -1)),),
    ],
)
def test_rows_that_are_no_nested_sums_are_no_network(terms):
    rows = (*terms, *(((variable, 1),) for variable in range(3)))
    constraints = tuple(Constraint(f"row {i}", form, 0, 3) for i, form in enumerate(rows))
    problem = NearestPoint(3, 3, constraints, tuple(Square(((i, 1),), 2, 1) for i in range(3)))
    assert network_of(Squares(problem)) is None
    assert fast_nearest(problem) == exhaustive(problem)


def test_constants_make_sums_of_what_is_left(flows_only):
    """At most 9 to each unit: with 2 units the rule is one about persons alone."""
    units = Constraint("units", ((2, 1),), 2, 2)
    most = Constraint("at most 9", ((0, 1), (1, 1), (2, -9)), None, 0)
    squares = (Square(((0, 1),), 20, 1), Square(((1, 1),), 15, 1), Square(((0, 1), (2, 5)), 31, 2))
    problem = NearestPoint(3, 3, (units, most), squares)
    points = ((i, j, 2) for i in range(19) for j in range(19 - i))
    assert fast_nearest(problem) == min(points, key=lambda point: (loss(problem, point), point))


def test_a_point_far_from_the_targets_takes_few_small_flows(monkeypatch):
    draw = np.random.default_rng(1)
    targets = draw.integers(-3_000, 3_000, 300).tolist()
    total = Constraint("total", tuple((i, 1) for i in range(300)), 100_000, 100_000)
    squares = [Square(((i, 1),), target, 1) for i, target in enumerate(targets)]
    squares += [Square(((2 * i, 1), (2 * i + 1, 1)), int(draw.integers(-6_000, 6_000)), 3) for i in range(150)]
    problem = NearestPoint(300, 300, (total,), tuple(squares))
    sizes, pieces = [], flow_point._pieces

    def counted(*given):
        found = pieces(*given)
        sizes.append(len(found.arc))
        return found

    monkeypatch.setattr(flow_point, "_pieces", counted)
    point = fast_nearest(problem)
    assert len(sizes) <= 40
    assert max(sizes) <= 30_000
    monkeypatch.undo()
    assert loss(problem, point) == loss(problem, highs_nearest(problem, settle_ties=False))


def test_ties_of_several_steps_are_settled(flows_only):
    """Nothing is measured of the first two: any split of 7 is as near."""
    total = Constraint("total", ((0, 1), (1, 1)), 7, 7)
    for most in (5, 9):
        box = Constraint("box", ((1, 1),), None, most)
        problem = NearestPoint(2, 2, (total, box), ())
        assert fast_nearest(problem) == exhaustive(problem) == (max(0, 7 - most), min(7, most))
        assert fast_nearest(replace(problem, largest=True)) == (7, 0)


def test_a_false_answer_of_the_flow_is_not_taken(monkeypatch):
    total = Constraint("total", ((0, 1), (1, 1)), 7, 7)
    problem = NearestPoint(2, 2, (total,), (Square(((0, 1),), 3, 1), Square(((1, 1),), 4, 1)))
    right = flow_of_least_cost

    def wrong(network):
        flow = right(network)
        return replace(flow, values=flow.values + np.array([1, -1, *[0] * (len(flow.values) - 2)]))

    monkeypatch.setattr("stirred.mechanisms.fast.nearest_point.flow_of_least_cost", wrong)
    monkeypatch.setattr("stirred.mechanisms.fast.nearest_point.first_flow", lambda network, flow, *_, **__: flow.values)
    asked = []
    honest = PieceProgram.solve
    monkeypatch.setattr(PieceProgram, "solve", lambda self: asked.append(1) or honest(self))
    assert fast_nearest(problem) == (3, 4)
    assert asked
