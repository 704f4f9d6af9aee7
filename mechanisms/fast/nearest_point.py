"""Integer least squares on HiGHS: the practical solver of TopDown's estimation, beside the exhaustive reference.

A square r² of an integer r is the largest of its chords (2k+1)·r − k(k+1) over the integers k. So the problem is an
integer linear program once the chords that matter stand in it; they are added where a solution shows that one is
missing, first to the relaxation, which is then the nonnegative least squares problem with chords for squares, and then
to the integer program. The solver computes in floats: its answer is rounded and checked in exact integers, and accepted
only where its bound leaves no room for a smaller loss, which is an integer.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, inf
from typing import Any

import numpy as np

from mechanisms.topdown.nearest import InfeasibleError, NearestPoint, loss, violated
from spec.arguments import InputError

__all__ = ["highs_nearest"]

_MAX_ROUNDS = 200
_TOLERANCE = 1e-6
_ROOM = 0.5  # two losses are integers, so a bound within a half of one is as good as equal to it


class _Program:
    """The integer program of one problem, with the chords that were added so far."""

    def __init__(self, problem: NearestPoint) -> None:
        try:
            import highspy  # noqa: PLC0415 an optional dependency
        except ImportError:
            raise InputError("highspy must be installed to solve with HiGHS: pip install 'stirred[topdown]'") from None
        self.highspy = highspy
        self.problem = problem
        self.model: Any = highspy.Highs()
        for option, value in {
            "output_flag": False,
            "threads": 1,
            "random_seed": 0,
            "mip_rel_gap": 0.0,
            "mip_abs_gap": _ROOM / 2,
        }.items():
            self.model.setOptionValue(option, value)
        for variable in range(problem.size):
            self.model.addVar(0.0, inf)
            self.model.changeColCost(variable, 0.0)
        for square in problem.squares:
            self.model.addVar(0.0, inf)
            self.model.changeColCost(self.model.getNumCol() - 1, float(square.weight))
        self._rows: list[tuple[float, float, Sequence[tuple[int, int]]]] = []
        for constraint in problem.constraints:
            lower = -inf if constraint.lower is None else constraint.lower
            upper = inf if constraint.upper is None else constraint.upper
            self._row(lower, upper, constraint.terms)
        self.chords: set[tuple[int, int]] = set()
        for number in range(len(problem.squares)):
            for k in (-1, 0):
                self._add_chord(number, k)

    def _row(self, lower: float, upper: float, terms: Sequence[tuple[int, int]]) -> None:
        """Keep a row for the next call of `_add_rows`: one call for many rows is far faster than one for each."""
        self._rows.append((lower, upper, terms))

    def _add_rows(self) -> None:
        starts: list[int] = []
        columns: list[int] = []
        entries: list[int] = []
        for _, _, terms in self._rows:
            starts.append(len(columns))
            columns += [variable for variable, _ in terms]
            entries += [entry for _, entry in terms]
        self.model.addRows(
            len(self._rows),
            np.array([lower for lower, _, _ in self._rows], dtype=np.float64),
            np.array([upper for _, upper, _ in self._rows], dtype=np.float64),
            len(columns),
            np.array(starts, dtype=np.int32),
            np.array(columns, dtype=np.int32),
            np.array(entries, dtype=np.float64),
        )
        self._rows.clear()

    def _add_chord(self, number: int, k: int) -> bool:
        """The row s ≥ (2k+1)(a·x − t) − k(k+1) of one square; False where it stands already."""
        if (number, k) in self.chords:
            return False
        self.chords.add((number, k))
        square = self.problem.squares[number]
        slope = 2 * k + 1
        terms = [(variable, -slope * entry) for variable, entry in square.terms]
        self._row(-slope * square.target - k * (k + 1), inf, [*terms, (self.problem.size + number, 1)])
        return True

    def add_chords_at(self, point: Sequence[float]) -> bool:
        """The chords around a point, which are exact there where it is integral; False where all stand already."""
        added = False
        for number, square in enumerate(self.problem.squares):
            residual = sum(entry * point[variable] for variable, entry in square.terms) - square.target
            k = floor(residual + _TOLERANCE)
            places = (k - 1, k) if abs(residual - round(residual)) < _TOLERANCE else (k,)
            for place in places:
                added = self._add_chord(number, place) or added
        return added

    def make_integral(self) -> None:
        """Ask for integers from here on."""
        integral = self.highspy.HighsVarType.kInteger
        for variable in range(self.problem.size):
            self.model.changeColIntegrality(variable, integral)

    def solve(self) -> list[float]:
        """The values of the variables.

        Raises:
            InfeasibleError: there are none.
            InputError: HiGHS stopped before it was done.
        """
        if self._rows:
            self._add_rows()
        self.model.run()
        status = self.model.getModelStatus()
        known = self.highspy.HighsModelStatus
        if status in {known.kInfeasible, known.kUnboundedOrInfeasible}:
            names = ", ".join(dict.fromkeys(one.name for one in self.problem.constraints))
            raise InfeasibleError(f"some data set must meet the constraints; none does: {names}")
        if status != known.kOptimal:
            raise InputError(f"HiGHS must finish; it stopped with: {self.model.modelStatusToString(status)}")
        return list(self.model.getSolution().col_value)

    def relaxed(self) -> tuple[int, ...] | None:
        """Solve without integrality until no chord is missing; the nearest point, where the solution is integral.

        It is where rows of constraints and squares are two nested families of sums: their matrix is totally unimodular,
        and chords meet at integers.
        """
        for _ in range(_MAX_ROUNDS):
            found = self.solve()
            if not self.add_chords_at(found):
                break
        point = tuple(round(value) for value in found[: self.problem.size])
        bound = self.model.getInfo().objective_function_value
        is_nearest = violated(self.problem, point) is None and loss(self.problem, point) - bound < _ROOM
        return point if is_nearest else None

    def integers(self) -> tuple[int, ...]:
        """The values of the variables of an integral solution, checked in exact integers."""
        point = tuple(round(value) for value in self.solve()[: self.problem.size])
        wrong = violated(self.problem, point)
        if wrong is not None:
            raise InputError(f"HiGHS must return integers that meet the constraints; they do not meet {wrong.name}")
        return point

    def nearest(self) -> tuple[int, ...]:
        """An integral point, no other one having a smaller loss by the bound that HiGHS gives."""
        point = self.relaxed()
        if point is not None:
            return point
        self.make_integral()
        for _ in range(_MAX_ROUNDS):
            point = self.integers()
            bound = self.model.getInfo().mip_dual_bound
            if loss(self.problem, point) - bound < _ROOM:
                return point
            if not self.add_chords_at(point):
                break
        raise InputError("HiGHS must close the gap between its answer and its bound; it did not")

    def first_of_the_nearest(self, point: tuple[int, ...]) -> tuple[int, ...]:
        """The lexicographically first one of the points with this loss, variable by variable."""
        problem, model = self.problem, self.model
        self.make_integral()
        least = loss(problem, point)
        squares = [(problem.size + number, square.weight) for number, square in enumerate(problem.squares)]
        self._row(-inf, least + _ROOM, squares)
        for number in range(len(problem.squares)):
            model.changeColCost(problem.size + number, 0.0)
        direction = -1.0 if problem.largest else 1.0
        for variable in range(problem.decided):
            if point[variable] or problem.largest:
                model.changeColCost(variable, direction)
                point = self._smallest_loss(least)
                model.changeColCost(variable, 0.0)
            model.changeColBounds(variable, float(point[variable]), float(point[variable]))
        return point

    def _smallest_loss(self, least: int) -> tuple[int, ...]:
        for _ in range(_MAX_ROUNDS):
            point = self.integers()
            if loss(self.problem, point) <= least:
                return point
            if not self.add_chords_at(point):
                break
        raise InputError("HiGHS must keep the smallest loss among the nearest points; it did not")


def highs_nearest(problem: NearestPoint, *, settle_ties: bool = True) -> tuple[int, ...]:
    """The nearest point, as `mechanisms.topdown.nearest.exhaustive` finds it, by integer programs on HiGHS.

    Args:
        problem: any size; weights and targets whose loss is below 2⁵³.
        settle_ties: take the lexicographically first of the nearest points, at the price of up to one integer program
            for each decided variable; without it the answer is one of them, the same for one release of HiGHS.

    Returns:
        The decided variables.

    Raises:
        InfeasibleError: no point meets the constraints.
        InputError: highspy is not installed, or HiGHS stops before it has a point that meets the constraints in exact
            integers and a bound that no smaller loss is below.
    """
    program = _Program(problem)
    point = program.nearest()
    return (program.first_of_the_nearest(point) if settle_ties else point)[: problem.decided]
