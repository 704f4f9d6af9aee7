"""Integer least squares as a linear program on HiGHS: squares in pieces of one unit, certified in integers.

The squares of one linear form L add up to W·L² − 2B·L and a constant: a step from k to k+1 costs W(2k+1) − 2B, and
ever more. So L is a centre plus unit pieces, each in [0, 1] with the cost of its step; beyond the last one it goes on
with the cost of the last step, which is too low there, so that its use asks for wider pieces and never goes unseen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.das.topdown.nearest import Constraint, InfeasibleError, NearestPoint
from stirred.spec.arguments import InputError

_SILENT = "output_flag"


@cache
def _silent_class() -> Any:
    """`highspy.Highs` without the banner that its constructor writes where it turns the callbacks on."""
    import highspy  # noqa: PLC0415 an optional dependency; `nearest_point` says so where it is missing

    def turned_on(model: Any) -> None:
        model.setOptionValue(_SILENT, False)
        highspy.Highs.enableCallbacks(model)

    return type("SilentHighs", (highspy.Highs,), {"enableCallbacks": turned_on})


def silent_model(options: Mapping[str, bool | int | float] | None = None) -> Any:
    """An empty model with these options.

    >>> silent_model({"threads": 1}).getNumCol()
    0
    """
    model = _silent_class()()
    for option, value in {_SILENT: False, **(options or {})}.items():
        model.setOptionValue(option, value)
    return model


_LARGEST = 2**53
"""Floats are exact for integers up to here."""

OPEN = 2**62
"""Stands for no bound among integers."""

_TOLERANCE = 1e-6

_NONE = "no data set meets the constraints"

_OPTIONS = {"threads": 1, "random_seed": 0, "mip_rel_gap": 0.0, "mip_abs_gap": 0.25}

Integers = NDArray[np.int64]


class Squares:
    """The squares of a problem by linear form, and all rows over its columns: the variables, then one for each form.

    A form of one variable with the coefficient ±1 is that variable; every other one gets a column and a row.

    Attributes:
        weight: W of each column; 0 where no square is about it.
        pull: B of each column.
        guess: the integer nearest to B/W, or 0; where the pieces begin to be laid.
        low, high: the smallest and largest value of each column; ±2^62 where there is none.
        starts, rows, entries: the matrix, column by column, without constraints on one variable.
        lower, upper: of each row; ±2^62 where a side is open.
    """

    def __init__(self, problem: NearestPoint) -> None:
        forms: dict[tuple[tuple[int, int], ...], list[int]] = {}
        for square in problem.squares:
            terms = _merged(square.terms)
            if not terms:
                continue  # a constant
            sign = 1 if terms[0][1] > 0 else -1
            form = forms.setdefault(tuple((variable, sign * entry) for variable, entry in terms), [0, 0])
            form[0] += square.weight
            form[1] += sign * square.weight * square.target
        self.size = problem.size
        own = {terms[0][0]: sums for terms, sums in forms.items() if len(terms) == 1 and terms[0][1] == 1}
        others = [(terms, sums) for terms, sums in forms.items() if len(terms) > 1 or terms[0][1] != 1]
        sums = [own.get(variable, [0, 0]) for variable in range(self.size)] + [sums for _, sums in others]
        if any(max(weight, abs(pull)) >= _LARGEST // 8 for weight, pull in sums):
            raise InputError("weights and weighted targets must each sum to less than 2^50")
        self.weight = np.array([weight for weight, _ in sums], dtype=np.int64)
        self.pull = np.array([pull for _, pull in sums], dtype=np.int64)
        guess = [(2 * pull + weight) // (2 * weight) if weight else 0 for weight, pull in sums]
        self.guess = np.array(guess, dtype=np.int64)
        self.guess[: self.size] = np.maximum(self.guess[: self.size], 0)
        self.low, self.high = np.full(len(sums), -OPEN), np.full(len(sums), OPEN)
        self.low[: self.size] = 0
        kept = [one for one in problem.constraints if len(one.terms) > 1 or not self._bounded(one)]
        rows = [constraint.terms for constraint in kept]
        rows += [(*terms, (self.size + number, -1)) for number, (terms, _) in enumerate(others)]
        limits = [(one.lower, one.upper) for one in kept] + [(0, 0)] * len(others)
        self.lower = np.array([-OPEN if lower is None else lower for lower, _ in limits], dtype=np.int64)
        self.upper = np.array([OPEN if upper is None else upper for _, upper in limits], dtype=np.int64)
        self._by_column(rows)

    def _bounded(self, constraint: Constraint) -> bool:
        """Take a constraint on one variable as its bounds; False for one on none."""
        if not constraint.terms:
            return False
        ((variable, entry),) = constraint.terms
        lower, upper = (constraint.lower, constraint.upper) if entry > 0 else (constraint.upper, constraint.lower)
        if lower is not None:
            self.low[variable] = max(self.low[variable], -(-lower // entry))
        if upper is not None:
            self.high[variable] = min(self.high[variable], upper // entry)
        if self.low[variable] > self.high[variable]:
            raise InfeasibleError(_NONE)
        return True

    def _by_column(self, rows: Sequence[Sequence[tuple[int, int]]]) -> None:
        lengths = [len(terms) for terms in rows]
        flat = np.array([pair for terms in rows for pair in terms], dtype=np.int64).reshape(-1, 2)
        order = np.argsort(flat[:, 0], kind="stable")
        self.rows = np.repeat(np.arange(len(rows), dtype=np.int64), lengths)[order]
        self.entries = flat[order, 1]
        self.starts = np.searchsorted(flat[order, 0], np.arange(len(self.weight) + 1))

    def slope(self, columns: Integers, places: Integers, widths: Integers) -> Integers:
        """The cost of each of so many steps from each place, down where the width is negative, on average."""
        found: Integers = self.weight[columns] * (2 * places + widths) - 2 * self.pull[columns]
        return found

    def of(self, values: Integers) -> Integers:
        """The values of all columns, the forms computed from the variables."""
        found = values.copy()
        found[self.size :] = 0
        entries = self.entries * np.repeat(found, np.diff(self.starts))
        sums = np.zeros(len(self.lower), dtype=np.int64)
        np.add.at(sums, self.rows, entries)
        found[self.size :] = sums[len(self.lower) - (len(values) - self.size) :]
        return found

    def cost(self, values: Integers, origin: Integers) -> int:
        """The loss of the columns' values, from that of the origin."""
        both = zip(self.weight.tolist(), self.pull.tolist(), values.tolist(), origin.tolist(), strict=True)
        return sum(w * (x * x - o * o) - 2 * b * (x - o) for w, b, x, o in both)


def _merged(terms: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    found: dict[int, int] = {}
    for variable, entry in terms:
        found[variable] = found.get(variable, 0) + entry
    return sorted((variable, entry) for variable, entry in found.items() if entry)


@dataclass(frozen=True)
class PieceSolution:
    """What HiGHS found.

    Attributes:
        values: of the columns, rounded to integers.
        beyond: the columns of which a last piece is used by more than a unit, where its cost is too low.
        bound: no smaller loss exists, from the origin; in floats.
        is_certified: whether the values are optimal by a certificate in integers: prices of the rows under which no
            piece could be changed for the better, and every row with a price is at its side.
    """

    values: Integers
    beyond: Integers
    bound: float
    is_certified: bool


class PieceProgram:
    """The linear program around an origin.

    Args:
        origin: the place of each column from which its pieces go up and down.
        reach: how many pieces each way, of each column.
        width: the steps of each piece; only with pieces of one step is what is found the nearest point.
    """

    def __init__(
        self,
        squares: Squares,
        origin: Integers,
        reach: Integers,
        fixed: Mapping[int, int] | None = None,
        *,
        width: int = 1,
    ) -> None:
        import highspy  # noqa: PLC0415 an optional dependency; `nearest_point` says so where it is missing

        self._highspy = highspy
        self._width = width
        self._has_limit = False
        self.squares = squares
        low, high = squares.low.copy(), squares.high.copy()
        for variable, value in (fixed or {}).items():
            low[variable] = high[variable] = value
        self.origin = np.clip(origin, low, high)
        costed, free = np.flatnonzero(squares.weight), np.flatnonzero(squares.weight == 0)
        up = self._pieces(costed, reach, np.where(high == OPEN, OPEN, high - self.origin), sign=1)
        down = self._pieces(costed, reach, np.where(low == -OPEN, OPEN, self.origin - low), sign=-1)
        nothing = np.zeros(len(free), dtype=np.int64)
        above = np.where(high[free] == OPEN, OPEN, high[free] - self.origin[free])
        plain = (free, nothing + 1, nothing, low[free] - self.origin[free], above, nothing > 0)
        self.column, self.sign, self.costs, self._lower, self._upper, self._is_last = (
            np.concatenate(parts) for parts in zip(up, down, plain, strict=True)
        )
        shift = self._activity(self.origin)
        self._row_lower = np.where(squares.lower == -OPEN, -OPEN, squares.lower - shift)
        self._row_upper = np.where(squares.upper == OPEN, OPEN, squares.upper - shift)
        self._load()

    def _pieces(self, columns: Integers, reach: Integers, room: Integers, *, sign: int) -> tuple[NDArray[Any], ...]:
        """The pieces of one direction, and the last one, which ends at the bound or nowhere."""
        counts = np.minimum(reach[columns] + 1, -(-room[columns] // self._width))
        column = np.repeat(columns, counts)
        place = np.arange(len(column)) - np.repeat(np.cumsum(counts) - counts, counts)
        is_last = place == reach[column]
        left = np.where(room[column] == OPEN, OPEN, room[column] - place * self._width)
        steps = np.minimum(left, self._width)
        upper = np.where(is_last, left, steps)
        cost = sign * self.squares.slope(column, self.origin[column] + sign * place * self._width, sign * steps)
        if len(cost) and int(np.abs(cost).max()) >= _LARGEST:
            raise InputError("weights times differences must be less than 2^50")
        return column, np.full(len(column), sign), cost, np.zeros(len(column), dtype=np.int64), upper, is_last

    def _activity(self, values: Integers) -> Integers:
        squares = self.squares
        found = np.zeros(len(squares.lower), dtype=np.int64)
        np.add.at(found, squares.rows, squares.entries * np.repeat(values, np.diff(squares.starts)))
        return found

    def _load(self) -> None:
        squares = self.squares
        lengths = np.diff(squares.starts)[self.column]
        starts = np.concatenate(([0], np.cumsum(lengths)))
        places = np.arange(starts[-1]) - np.repeat(starts[:-1] - squares.starts[self.column], lengths)
        program = self._highspy.HighsLp()
        program.num_col_, program.num_row_ = len(self.column), len(squares.lower)
        program.col_cost_ = self.costs.astype(np.float64)
        program.col_lower_, program.col_upper_ = _floats(self._lower), _floats(self._upper)
        program.row_lower_, program.row_upper_ = _floats(self._row_lower), _floats(self._row_upper)
        matrix = program.a_matrix_
        matrix.format_ = self._highspy.MatrixFormat.kColwise
        matrix.start_ = starts.astype(np.int32)
        matrix.index_ = squares.rows[places].astype(np.int32)
        matrix.value_ = (squares.entries[places] * np.repeat(self.sign, lengths)).astype(np.float64)
        self._model: Any = silent_model(_OPTIONS)
        self._model.passModel(program)

    def make_integral(self) -> None:
        """Ask for integers from here on; a form of integers is one, so its pieces need not be asked."""
        pieces = np.flatnonzero(self.column < self.squares.size).astype(np.int32)
        integral = np.full(len(pieces), int(self._highspy.HighsVarType.kInteger), dtype=np.uint8)
        self._model.changeColsIntegrality(len(pieces), pieces, integral)

    def limit_loss(self, least: int) -> None:
        """Allow no larger loss, from the origin; nothing is certified then, since this row has a price too."""
        self._has_limit = True
        places = np.flatnonzero(self.costs).astype(np.int32)
        self._model.addRow(-inf, least + 0.5, len(places), places, self.costs[places].astype(np.float64))

    def minimize(self, costs: Integers) -> None:
        """Make another form of the pieces the objective."""
        self.costs = costs
        places = np.arange(len(costs), dtype=np.int32)
        self._model.changeColsCost(len(places), places, costs.astype(np.float64))

    def solve(self) -> PieceSolution:
        """The best point, with its certificate if that is in integers."""
        self._model.run()
        status, known = self._model.getModelStatus(), self._highspy.HighsModelStatus
        if status in {known.kInfeasible, known.kUnboundedOrInfeasible}:
            raise InfeasibleError(_NONE)
        if status not in {known.kOptimal, known.kModelEmpty}:
            raise InputError(f"HiGHS did not finish: {self._model.modelStatusToString(status)}")
        solution, info = self._model.getSolution(), self._model.getInfo()
        found = np.array(solution.col_value, dtype=np.float64)
        self.pieces = np.rint(found).astype(np.int64)
        self.values = values = self.origin.copy()
        np.add.at(values, self.column, self.sign * self.pieces)
        beyond = np.unique(self.column[self._is_last & (found > self._width + _TOLERANCE)])
        if not len(found):  # every variable has one value
            if not self._certify(values, np.zeros(len(self._row_lower))):
                raise InfeasibleError(_NONE)
            return PieceSolution(values, beyond, 0.0, is_certified=True)
        is_priced = solution.dual_valid and not self._has_limit
        is_certified = is_priced and self._certify(values, np.array(solution.row_dual))
        bound = info.objective_function_value if solution.dual_valid else info.mip_dual_bound
        return PieceSolution(values, beyond, bound, is_certified)

    def _certify(self, values: Integers, duals: NDArray[np.float64]) -> bool:
        """Whether the prices of the rows show in integers that the values are optimal."""
        squares = self.squares
        longest = int(np.diff(squares.starts).max(initial=0)) * int(np.abs(squares.entries).max(initial=0))
        if np.abs(duals).max(initial=0) * max(longest, 1) >= OPEN:
            return False
        self._duals = np.rint(duals).astype(np.int64)
        sums = np.concatenate(([0], np.cumsum(squares.entries * self._duals[squares.rows])))
        priced = sums[squares.starts[1:]] - sums[squares.starts[:-1]]
        self._prices = self.costs - self.sign * priced[self.column]
        self._sides = self._activity(values) - self._activity(self.origin)
        pieces = _is_best(self.pieces, self._lower, self._upper, self._prices)
        return pieces and _is_best(self._sides, self._row_lower, self._row_upper, self._duals)

    def keep_to_the_best(self) -> None:
        """From here on only what is as good as what was found and certified.

        A piece with a price keeps its value, and a row with one its side. A last piece without a price is used by a
        unit at most, since its column's next step would cost more.
        """
        fixed, tight = self._prices != 0, self._duals != 0
        self._upper = np.where(fixed, self.pieces, np.where(self._is_last, np.minimum(self._upper, 1), self._upper))
        self._lower = np.where(fixed, self.pieces, self._lower)
        self._row_lower = np.where(tight, self._sides, self._row_lower)
        self._row_upper = np.where(tight, self._sides, self._row_upper)
        self._set_bounds()

    def settle(self, pieces: Integers) -> None:
        """Keep the values that these pieces were found with."""
        self._lower[pieces] = self._upper[pieces] = self.pieces[pieces]
        self._set_bounds()

    def _set_bounds(self) -> None:
        places = np.arange(len(self.column), dtype=np.int32)
        self._model.changeColsBounds(len(places), places, _floats(self._lower), _floats(self._upper))
        rows = np.arange(len(self._row_lower), dtype=np.int32)
        self._model.changeRowsBounds(len(rows), rows, _floats(self._row_lower), _floats(self._row_upper))

    def open_pieces(self, columns: int | None = None, *, one_step: bool = False) -> Integers:
        """The pieces (of the first columns) that can still change, by column; only those that have one step at most."""
        room = self._upper - self._lower
        is_open = (room == 1) if one_step else room > 0
        pieces = np.flatnonzero(is_open if columns is None else is_open & (self.column < columns))
        return pieces[np.argsort(self.column[pieces], kind="stable")]

    def is_low(self, pieces: Integers) -> NDArray[np.bool_]:
        """Whether pieces were found at the lower one of their bounds."""
        found: NDArray[np.bool_] = self.pieces[pieces] == self._lower[pieces]
        return found


def _is_best(values: Integers, lower: Integers, upper: Integers, prices: Integers) -> bool:
    """Whether values are within their bounds, and at the right one wherever there is a price."""
    within = (lower <= values) & (values <= upper)
    at_side = ((prices <= 0) | (values == lower)) & ((prices >= 0) | (values == upper))
    return bool(np.all(within & at_side))


def _floats(bounds: Integers) -> NDArray[np.float64]:
    return np.where(np.abs(bounds) == OPEN, np.copysign(inf, bounds), bounds.astype(np.float64))
