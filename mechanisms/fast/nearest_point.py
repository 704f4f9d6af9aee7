"""Integer least squares of real size: the practical solver of TopDown's estimation, beside the exhaustive reference.

Where the rows of constraints and squares are two nested families of sums, the problem is one of flows, which OR-Tools
solves (`mechanisms.fast.flow_point`); an answer is taken where prices prove in exact integers that no point is nearer
(`is_nearest`). Others go to HiGHS.

There the problem is first solved as a linear program of unit pieces (`mechanisms.fast.unit_pieces`). Where its solution
and prices are integers, these prove in exact arithmetic that no point is nearer, and which pieces could change at no
cost; among these the tie rule decides, many variables at a time. Otherwise an integer program is solved; its answer is
checked in exact integers, and accepted only where its bound leaves no room for a smaller loss, which is an integer.

`rounded_point` is the Census Bureau's way in two stages: a relaxed problem, whose variables need not be integers; then
the integers nearest to its solution, in the sum of squares over single variables, that meet all constraints. The second
stage has no queries in it, so where constraints nest it is a problem of flows, also where queries cross and the nearest
point is out of reach. **What comes out need not be the nearest point**, and is called rounded wherever it is released.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from math import floor
from typing import TypeVar

import numpy as np

from stirred.mechanisms.das.topdown.nearest import InfeasibleError, NearestPoint, Square, violated
from stirred.mechanisms.fast.flow_point import first_flow, flow_of_least_cost, row_prices, values_of
from stirred.mechanisms.fast.least_squares import real_point
from stirred.mechanisms.fast.nested_sums import network_of
from stirred.mechanisms.fast.unit_pieces import Integers, PieceProgram, PieceSolution, Squares
from stirred.spec.arguments import InputError

T = TypeVar("T")

_MAX_ROUNDS = 60
_REACH = 2
_WIDER = 4
_NARROWER = 4
_TOGETHER = 20
"""Variables of one step each that the tie rule decides at a time: the first one counts 2^19 times the last."""

_ROOM = 0.5  # two losses are integers, so a bound within a half of one is as good as equal to it


def fast_nearest(problem: NearestPoint, *, settle_ties: bool = True) -> tuple[int, ...]:
    """The nearest point, as `mechanisms.das.topdown.nearest.exhaustive` finds it: by flows, or else by `highs_nearest`.

    Args:
        problem: any size; weights times differences below 2⁵⁰.
        settle_ties: take the lexicographically first of the nearest points; without it the answer is one of them, the
            same for one release of the libraries.
    """

    def solve(squares: Squares) -> tuple[int, ...]:
        found = _by_flows(squares, problem, settle_ties=settle_ties)
        if found is None:
            return _nearest(squares, problem, settle_ties=settle_ties)
        return tuple(found[: problem.decided].tolist())

    return _named(problem, solve)


def _by_flows(squares: Squares, problem: NearestPoint, *, settle_ties: bool) -> Integers | None:
    """All columns at a nearest point, proved to be one; None where rows do not nest or there is no proof."""
    network = network_of(squares)
    flow = None if network is None else flow_of_least_cost(network)
    if network is None or flow is None:
        return None
    if settle_ties:
        flow = replace(flow, values=first_flow(network, flow, problem.decided, largest=problem.largest))
    values = values_of(squares, network, flow.values)
    return values if is_nearest(squares, values, row_prices(squares, network, flow)) else None


def highs_nearest(problem: NearestPoint, *, settle_ties: bool = True) -> tuple[int, ...]:
    """The nearest point, as `mechanisms.das.topdown.nearest.exhaustive` finds it, by programs on HiGHS alone.

    Args:
        settle_ties: take the lexicographically first of the nearest points; without it the answer is one of them, the
            same for one release of HiGHS.
    """
    return _named(problem, lambda squares: _nearest(squares, problem, settle_ties=settle_ties))


def relaxed_point(problem: NearestPoint) -> tuple[float, ...]:
    """The variables of a solution that need not be integers; where rows nest, the nearest integers themselves."""

    def solve(squares: Squares) -> list[float]:
        found = _by_flows(squares, problem, settle_ties=True)
        values = real_point(squares).values.clip(0, None) if found is None else found.astype(np.float64)
        return values[: problem.size].tolist()  # type: ignore[no-any-return]

    return tuple(_named(problem, solve))


def _named(problem: NearestPoint, solve: Callable[[Squares], T]) -> T:
    """What is found, or an error that names what is missing or cannot be met."""
    for library in ("highspy", "ortools"):
        if find_spec(library) is None:
            raise InputError(f"{library} must be installed to find nearest points: pip install {library}")
    try:
        return solve(Squares(problem))
    except InfeasibleError as error:
        names = ", ".join(dict.fromkeys(one.name for one in problem.constraints))
        raise InfeasibleError(f"{error}: {names}") from None


def _nearest(squares: Squares, problem: NearestPoint, *, settle_ties: bool) -> tuple[int, ...]:
    program, found = _solved(squares)
    values = found.values if found.is_certified else _by_integer_program(squares, found.values)
    if settle_ties and found.is_certified:
        values = _first_of_the_certified(program, problem)
    elif settle_ties:
        values = _first_by_integer_programs(squares, values, problem)
    point = tuple(values[: problem.size].tolist())
    if (wrong := violated(problem, point)) is not None:
        raise InputError(f"HiGHS must return integers that meet the constraints; they do not meet {wrong.name}")
    return point[: problem.decided]


def _solved(
    squares: Squares,
    origin: Integers | None = None,
    fixed: dict[int, int] | None = None,
    *,
    integral: bool = False,
    first: tuple[int, int] | None = None,
    least: int | None = None,
) -> tuple[PieceProgram, PieceSolution]:
    """Solve with pieces that reach far enough: where those of one step do not, from a place that wide ones lead to.

    Args:
        origin: where the pieces begin.
        first: a variable and a sign: what is minimized in place of the loss.
        least: the largest loss of the forms that is allowed, from `squares.guess`; wide pieces would overestimate it.
    """
    origin = squares.guess if origin is None else origin
    reach = np.full(len(origin), _REACH, dtype=np.int64)
    width = 1
    for tried in range(_MAX_ROUNDS):
        program = PieceProgram(squares, origin, reach, fixed, width=width)
        if integral and width == 1:
            program.make_integral()
        if least is not None:
            program.limit_loss(least - squares.cost(program.origin, squares.guess))
        if first is not None:
            program.minimize(np.where(program.column == first[0], first[1] * program.sign, 0))
        found = program.solve()
        if width > 1:
            width //= _NARROWER
        elif not len(found.beyond):
            return program, found
        else:
            reach[found.beyond] *= _WIDER
            while tried and least is None and width < np.abs(found.values - origin).max():
                width *= _NARROWER
        origin = found.values
    raise InputError("HiGHS found no point that the pieces reach")


def _first_of_the_certified(program: PieceProgram, problem: NearestPoint) -> Integers:
    """The lexicographically first one of the points that are as near as the certified one.

    The certificate tells which pieces could change at no cost. Those that cannot after all are found first, by asking
    for as much change as there can be. A variable that a square is about has one step at most, so the tie rule weighs
    such variables by powers of two.
    """
    direction = -1 if problem.largest else 1
    program.keep_to_the_best()
    _settle_what_cannot_change(program)
    while len(chosen := _next_together(program, problem.decided)):
        costs = np.zeros(len(program.column), dtype=np.int64)
        costs[chosen] = direction * program.sign[chosen] * 2 ** np.arange(len(chosen))[::-1]
        program.minimize(costs)
        found = program.solve()
        if not found.is_certified:
            program.make_integral()
            found = program.solve()
            if int(costs @ program.pieces) - found.bound >= _ROOM:
                raise InputError("HiGHS did not close its optimality gap")
        program.settle(chosen)
    return program.values


def _settle_what_cannot_change(program: PieceProgram) -> None:
    unmoved = program.open_pieces(one_step=True)
    start = program.pieces
    while len(unmoved):
        costs = np.zeros(len(program.column), dtype=np.int64)
        costs[unmoved] = np.where(program.is_low(unmoved), -1, 1)
        program.minimize(costs)
        if not program.solve().is_certified:
            return
        still = unmoved[program.pieces[unmoved] == start[unmoved]]
        if len(still) == len(unmoved):
            program.settle(unmoved)
            return
        unmoved = still


def _next_together(program: PieceProgram, decided: int) -> Integers:
    """The next pieces that the tie rule decides together; alone the one that may have many steps."""
    pieces = program.open_pieces(decided)
    have_one_step = np.isin(pieces, program.open_pieces(decided, one_step=True))
    together = len(pieces) if have_one_step.all() else int(np.argmin(have_one_step))
    return pieces[: max(1, min(together, _TOGETHER))]


def _by_integer_program(squares: Squares, origin: Integers) -> Integers:
    """An integral point, no other one having a smaller loss by the bound that HiGHS gives."""
    program, found = _solved(squares, origin, integral=True)
    if squares.cost(squares.of(found.values), program.origin) - found.bound >= _ROOM:
        raise InputError("HiGHS did not close its optimality gap")
    return found.values


def _first_by_integer_programs(squares: Squares, values: Integers, problem: NearestPoint) -> Integers:
    """The lexicographically first one of the points with the loss of this one, variable by variable."""
    least = squares.cost(squares.of(values), squares.guess)
    fixed: dict[int, int] = {}
    for variable in range(problem.decided):
        if values[variable] or problem.largest:
            first = (variable, -1 if problem.largest else 1)
            _, found = _solved(squares, values, fixed, integral=True, first=first, least=least)
            if squares.cost(squares.of(found.values), squares.guess) > least:
                raise InputError("HiGHS did not keep the smallest loss among the nearest points")
            values = found.values
        fixed[variable] = int(values[variable])
    return values


_LARGEST = 2**62


def is_nearest(squares: Squares, values: Integers, prices: Integers) -> bool:
    """Whether integers meet every row and bound, and prices prove that no other point has a smaller loss.

    The loss is Σ f(x) with f(x) = W·x² − 2B·x for each column. For rows A·x between their sides and prices y, the
    values are optimal where, for each column, no step up or down makes f(x) − (Aᵗy)·x smaller, a row with a positive
    price is at its lower side and one with a negative price at its upper side: then, for every point z that meets the
    rows, Σ f(z) ≥ Σ f(x) + y·(A·z − A·x) ≥ Σ f(x). Each f is convex, so steps of one unit are enough.

    Args:
        values: of all columns, those of forms included.

    Returns:
        False also where numbers could leave 64 bits.

    >>> from stirred.mechanisms.das.topdown.nearest import Constraint, NearestPoint, Square
    >>> sum_is_3 = Constraint("sum", ((0, 1), (1, 1)), 3, 3)
    >>> squares = Squares(NearestPoint(2, 2, (sum_is_3,), (Square(((0, 1),), 7, 1), Square(((1, 1),), 1, 1))))
    >>> [is_nearest(squares, np.array(point), np.array([-8])) for point in ((3, 0), (2, 1))]
    [True, False]
    """
    if not _is_small(squares, values, prices):
        return False
    columns = np.arange(len(values))
    each = np.diff(squares.starts)
    activity = np.zeros(len(squares.lower), dtype=np.int64)
    np.add.at(activity, squares.rows, squares.entries * np.repeat(values, each))
    if np.any(activity < squares.lower) or np.any(activity > squares.upper):
        return False
    if np.any(values < squares.low) or np.any(values > squares.high):
        return False
    if np.any((prices > 0) & (activity != squares.lower)) or np.any((prices < 0) & (activity != squares.upper)):
        return False
    paid = np.zeros(len(values), dtype=np.int64)
    np.add.at(paid, np.repeat(columns, each), squares.entries * prices[squares.rows])
    up = squares.slope(columns, values, np.ones_like(values)) - paid
    down = squares.slope(columns, values, -np.ones_like(values)) - paid
    return bool(np.all((up >= 0) | (values == squares.high)) and np.all((down <= 0) | (values == squares.low)))


def _is_small(squares: Squares, values: Integers, prices: Integers) -> bool:
    """Whether no sum or product of the check can leave 64 bits."""
    entry = int(np.abs(squares.entries).max(initial=0))
    longest = max(int(np.diff(squares.starts).max(initial=0)), int(np.bincount(squares.rows).max(initial=0)))
    most, price = int(np.abs(values).max(initial=0)), int(np.abs(prices).max(initial=0))
    weight, pull = int(squares.weight.max(initial=0)), int(np.abs(squares.pull).max(initial=0))
    return (
        entry * longest * max(most, price) < _LARGEST
        and weight * (2 * most + 1) + 2 * pull + entry * longest * price < _LARGEST
    )


PARTS = 1024
"""Of a unit: the relaxed solution is taken to this precision, so that the last bits of floats decide nothing."""


def rounded_point(problem: NearestPoint) -> tuple[int, ...]:
    """A point near to the measurements that meets the constraints: the rounded solution of the relaxed problem."""
    return integers_near(problem, relaxed_point(problem)[: problem.decided])


def integers_near(problem: NearestPoint, values: Sequence[float]) -> tuple[int, ...]:
    """The integers that meet the constraints of a problem and are nearest to real numbers, each one for itself.

    Args:
        problem: its squares are not looked at.
    """
    squares = []
    for variable, value in enumerate(values):
        below = floor(value)
        share = round((value - below) * PARTS)
        # together (PARTS)·(x − below − share/PARTS)² and a constant
        for target, weight in ((below, PARTS - share), (below + 1, share)):
            if weight:
                squares.append(Square(((variable, 1),), target, weight))
    return fast_nearest(replace(problem, squares=tuple(squares)))
