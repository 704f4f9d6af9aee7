"""The exhaustive solver against all points of a box, and HiGHS against the exhaustive solver.

Least squares among real numbers: conditions of optimality, limits that are far away, and what cannot be met.
"""

import random
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import LARGEST_VALUE, nearest_points
from tiers import examples

from stirred.mechanisms.das.topdown.nearest import (
    Constraint,
    InfeasibleError,
    NearestPoint,
    Square,
    exhaustive,
    loss,
    violated,
)
from stirred.mechanisms.fast.least_squares import real_point
from stirred.mechanisms.fast.nearest_point import highs_nearest
from stirred.mechanisms.fast.unit_pieces import _OPTIONS, PieceProgram, Squares
from stirred.spec import InputError


def by_listing(problem):
    """The nearest point among all points of the box."""
    points = [
        point for point in product(range(LARGEST_VALUE + 1), repeat=problem.size) if violated(problem, point) is None
    ]
    order = -1 if problem.largest else 1
    decided = problem.decided
    if not points:
        return None
    return min(points, key=lambda x: (loss(problem, x), [order * value for value in x[:decided]]))[:decided]


def found_by(solver, problem):
    try:
        return solver(problem)
    except InfeasibleError:
        return None


@examples(30, at_night=300)
@given(nearest_points())
def test_the_reference_finds_the_first_nearest_point(problem):
    assert found_by(exhaustive, problem) == by_listing(problem)


@examples(20, at_night=200)
@given(nearest_points())
def test_highs_finds_the_point_of_the_reference(problem):
    assert found_by(highs_nearest, problem) == found_by(exhaustive, problem)


@examples(10, at_night=100)
@given(nearest_points())
def test_without_settled_ties_the_loss_is_the_smallest(problem):
    point = found_by(lambda one: highs_nearest(one, settle_ties=False), problem)
    nearest = found_by(exhaustive, problem)
    if nearest is None:
        assert point is None
    else:
        decided = problem.about_decided()
        assert violated(decided, point) is None
        assert loss(decided, point) == loss(decided, nearest)


@given(st.lists(st.lists(st.integers(-2, 12), min_size=4, max_size=4), min_size=2, max_size=4), st.data())
def test_where_sums_nest_no_integer_program_is_needed(targets, data):
    """Cells of siblings: sums over siblings are known for each cell, sums of two cells for each sibling."""
    siblings = range(len(targets))
    pairs = [data.draw(st.integers(0, 8)) for _ in siblings]
    first = data.draw(st.integers(0, sum(pairs)))
    known = (first, sum(pairs) - first, data.draw(st.integers(0, 20)))
    by_cell = [
        Constraint(f"cell {cell}", tuple((3 * i + cell, 1) for i in siblings), value, value)
        for cell, value in enumerate(known)
    ]
    by_sibling = [
        Constraint(f"sibling {i}", ((3 * i, 1), (3 * i + 1, 1)), value, value) for i, value in enumerate(pairs)
    ]
    squares = [
        Square(terms, target, weight)
        for i, row in enumerate(targets)
        for terms, target, weight in (
            *((((3 * i + cell, 1),), row[cell], 1) for cell in range(3)),
            (((3 * i, 1), (3 * i + 1, 1), (3 * i + 2, 1)), row[3], 2),
        )
    ]
    size = 3 * len(targets)
    problem = NearestPoint(size, size, (*by_cell, *by_sibling), tuple(squares))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PieceProgram, "make_integral", lambda self: pytest.fail("an integer program was solved"))
        point = highs_nearest(problem, settle_ties=False)
    assert loss(problem, point) == loss(problem, highs_nearest(problem))


def test_halves_are_settled_by_the_tie_rule():
    # x + y = 1, both measured as 1: (0, 1) and (1, 0) are equally near
    sum_is_one = Constraint("sum", ((0, 1), (1, 1)), 1, 1)
    squares = (Square(((0, 1),), 1, 1), Square(((1, 1),), 1, 1))
    for solver in (exhaustive, highs_nearest):
        assert solver(NearestPoint(2, 2, (sum_is_one,), squares)) == (0, 1)
        assert solver(NearestPoint(2, 2, (sum_is_one,), squares, largest=True)) == (1, 0)


def test_large_counts_are_exact():
    # three cells that sum to 10^6, measured as 10^6 + 1 too many: each gives up a third, the first one the remainder
    total = Constraint("total", ((0, 1), (1, 1), (2, 1)), 10**6, 10**6)
    targets = (400_001, 300_001, 300_002)
    squares = tuple(Square(((i, 1),), target, 1) for i, target in enumerate(targets))
    assert highs_nearest(NearestPoint(3, 3, (total,), squares)) == (399_999, 300_000, 300_001)


def test_a_point_far_from_the_targets_takes_few_small_programs(monkeypatch):
    """Counts of 100,000 in all, measured with noise of thousands each way: pieces of one step alone do not reach."""
    draw = random.Random(1)  # noqa: S311 not for secrets
    targets = [draw.randrange(-3_000, 3_000) for _ in range(300)]
    total = Constraint("total", tuple((i, 1) for i in range(300)), 100_000, 100_000)
    squares = [Square(((i, 1),), target, 1) for i, target in enumerate(targets)]
    squares += [Square(((2 * i, 1), (2 * i + 1, 1)), draw.randrange(-6_000, 6_000), 3) for i in range(150)]
    pieces, init = [], PieceProgram.__init__

    def counted(program, *given, **named):
        init(program, *given, **named)
        pieces.append(len(program.column))

    monkeypatch.setattr(PieceProgram, "__init__", counted)
    problem = NearestPoint(300, 300, (total,), tuple(squares))
    point = highs_nearest(problem, settle_ties=False)
    assert violated(problem, point) is None
    assert len(pieces) <= 20
    assert max(pieces) <= 30_000
    least = loss(problem, point)
    for i, j in [draw.sample(range(300), 2) for _ in range(200)]:  # moving a unit makes nothing better
        moved = [count - (place == i) + (place == j) for place, count in enumerate(point)]
        assert violated(problem, moved) is not None or loss(problem, moved) >= least


def test_variables_that_are_not_decided_restrict_the_answer():
    # x = 2y has no odd x
    twice = Constraint("twice", ((0, 1), (1, -2)), 0, 0)
    box = Constraint("box", ((0, 1),), None, 9)
    problem = NearestPoint(2, 1, (twice, box), (Square(((0, 1),), 5, 1),))
    assert exhaustive(problem) == highs_nearest(problem) == (4,)


def test_an_unbounded_variable_is_refused_by_the_reference():
    with pytest.raises(InputError, match="variable 0 has no upper bound"):
        exhaustive(NearestPoint(1, 1, (), (Square(((0, 1),), 5, 1),)))
    mutual = (Constraint("a", ((0, 1), (1, -1)), 1, None), Constraint("b", ((1, 1), (0, -1)), 1, None))
    with pytest.raises(InputError, match="variable 0 has no upper bound"):
        exhaustive(NearestPoint(2, 2, mutual, ()))


@pytest.mark.parametrize("solver", [exhaustive, highs_nearest])
def test_constraints_that_cannot_be_met_are_named(solver):
    both = (Constraint("at least two", ((0, 1),), 2, None), Constraint("at most one", ((0, 1),), None, 1))
    with pytest.raises(InfeasibleError, match="at least two, at most one"):
        solver(NearestPoint(1, 1, both, ()))


def test_without_highspy_the_optional_group_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(InputError, match=r"pip install highspy"):
        highs_nearest(NearestPoint(1, 1, (), ()))


def test_a_solver_that_stops_early_gives_no_near_solution(monkeypatch):
    monkeypatch.setitem(_OPTIONS, "simplex_iteration_limit", 0)
    monkeypatch.setitem(_OPTIONS, "presolve", "off")
    total = Constraint("total", ((0, 1), (1, 1)), 7, 7)
    squares = (Square(((0, 1),), 1, 1), Square(((1, 1),), 1, 1))
    with pytest.raises(InputError, match="HiGHS did not finish: Iteration limit reached"):
        highs_nearest(NearestPoint(2, 2, (total,), squares))


def test_a_wrong_answer_of_highs_is_neither_certified_nor_released(monkeypatch):
    """A solution that is a unit off is noticed in integers, whatever the solver says of it."""

    class Wrong:
        dual_valid = True

        def __init__(self, solution):
            self.col_value = [solution.col_value[0] + 1, *solution.col_value[1:]]
            self.row_dual = list(solution.row_dual)

    import highspy  # noqa: PLC0415

    honest = highspy.Highs.getSolution
    monkeypatch.setattr(highspy.Highs, "getSolution", lambda self: Wrong(honest(self)))
    total = Constraint("total", ((0, 1), (1, 1)), 7, 7)
    with pytest.raises(InputError, match="HiGHS did not close its optimality gap"):
        highs_nearest(NearestPoint(2, 2, (total,), (Square(((0, 1),), 3, 1), Square(((1, 1),), 4, 1))))


def test_a_point_under_a_limit_of_the_loss_has_no_certificate():
    squares = Squares(NearestPoint(2, 2, (Constraint("sum", ((0, 1), (1, 1)), 3, 3),), (Square(((0, 1),), 1, 1),)))
    program = PieceProgram(squares, squares.guess, np.full(2, 2))
    program.limit_loss(4)
    program.minimize(np.where(program.column == 1, program.sign, 0))
    found = program.solve()
    assert not found.is_certified
    assert found.values.sum() == 3


def test_costs_beyond_floats_are_refused():
    with pytest.raises(InputError, match="weights and weighted targets must each sum to less than 2\\^50"):
        highs_nearest(NearestPoint(1, 1, (), (Square(((0, 1),), 2**40, 2**20),)))


def test_highs_writes_nothing_not_even_its_banner():
    program = (
        "from stirred.mechanisms.fast.conflict import conflict\n"
        "from stirred.mechanisms.fast.nearest_point import highs_nearest\n"
        "from stirred.mechanisms.das.topdown.nearest import Constraint, NearestPoint, Square\n"
        "both = Constraint('two', ((0, 1),), 2, None), Constraint('one', ((0, 1),), None, 1)\n"
        "found = highs_nearest(NearestPoint(1, 1, both[:1], (Square(((0, 1),), 5, 1),)))\n"
        "print(found, [one.name for one in conflict(NearestPoint(1, 1, both, ())).constraints])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr) == ("(5,) ['two', 'one']\n", "")


small = st.integers(-2, 2)

CLOSE = 1e-4


@st.composite
def problems(draw):
    """Four variables, squares of each and of some sums, and rows that a drawn point meets."""
    point = draw(st.tuples(*(st.integers(0, 5),) * 4))
    squares = [Square(((variable, 1),), draw(st.integers(-5, 9)), 1) for variable in range(4)]
    constraints = []
    for number in range(draw(st.integers(0, 3))):
        row = tuple(enumerate(draw(st.tuples(*(small,) * 4))))
        value = sum(entry * point[variable] for variable, entry in row)
        below, above = draw(st.sampled_from(((0, 0), (1, 2), (None, 1), (0, None))))
        lower, upper = None if below is None else value - below, None if above is None else value + above
        constraints.append(Constraint(f"row {number}", row, lower, upper))
        squares.append(Square(tuple(enumerate(draw(st.tuples(*(small,) * 4)))), draw(st.integers(-5, 9)), 3))
    return NearestPoint(4, 4, tuple(constraints), tuple(squares))


@examples(10, at_night=100)
@given(problems())
def test_what_it_finds_meets_the_rows_and_the_conditions_of_optimality(problem):
    squares = Squares(problem)
    point = real_point(squares)
    columns = np.repeat(np.arange(len(squares.weight)), np.diff(squares.starts))
    rows = np.bincount(squares.rows, squares.entries * point.values[columns], len(squares.lower))
    assert np.all(rows >= squares.lower.astype(float) - CLOSE)
    assert np.all(rows <= squares.upper.astype(float) + CLOSE)
    assert np.all(point.values[:4] >= -CLOSE)
    charged = np.bincount(columns, squares.entries * point.prices[squares.rows], len(squares.weight))
    slope = 2 * (squares.weight * point.values - squares.pull) + charged
    inside = point.values > squares.low.astype(float) + 100 * CLOSE
    fixed = squares.low == squares.high
    assert np.all(np.abs(slope[inside & ~fixed & (point.values < squares.high)]) < 100 * CLOSE)


def test_a_limit_far_away_does_not_hide_the_others():
    """The limit of 10^14 is no limit of 100 persons; where its own variable is measured as far, it is one."""
    hundred = Constraint("persons", ((0, 1), (1, 1)), 100, 100)
    far = Constraint("a unit has room", ((0, 1), (1, 1), (2, 1)), None, 10**14)
    own = (Square(((0, 1),), 70, 1), Square(((1, 1),), 40, 1), Square(((2, 1),), 5, 1))
    point = real_point(Squares(NearestPoint(3, 3, (hundred, far), own)))
    assert np.allclose(point.values, (65, 35, 5), atol=CLOSE)
    near = Constraint("a unit has room", ((0, 1), (1, 1), (2, 1)), None, 10**6)
    pulled = (*own[:2], Square(((2, 1),), 2 * 10**6, 1))
    point = real_point(Squares(NearestPoint(3, 3, (hundred, near), pulled)))
    assert abs(point.values.sum() - 10**6) < 1


def test_large_counts_are_found_as_precisely_as_small_ones():
    """A step of 1/1000 record beside 10^8: the tolerance is one for what is more than was measured."""
    many = 10**8
    total = Constraint("persons", ((0, 1), (1, 1)), 2 * many + 10, 2 * many + 10)
    both = Square(((0, 1), (1, 1), (2, 1)), 2 * many + 40, 1)
    own = (Square(((0, 1),), many, 3), Square(((1, 1),), many, 1), Square(((2, 1),), 0, 1))
    point = real_point(Squares(NearestPoint(3, 3, (total,), (*own, both))))
    assert np.allclose(point.values[:3] - (many, many, 0), (2.5, 7.5, 15), atol=CLOSE)


def test_rows_that_contradict_each_other_are_told():
    rows = (Constraint("a", ((0, 1), (1, 1)), 3, 3), Constraint("b", ((0, 1), (1, 1), (2, 1)), None, 2))
    with pytest.raises(InfeasibleError, match="no data set meets the constraints"):
        real_point(Squares(NearestPoint(3, 3, rows, (Square(((0, 1),), 1, 1),))))
