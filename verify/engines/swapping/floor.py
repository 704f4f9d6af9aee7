"""The least expected error of any mechanism with given invariants and budget: a linear program with its certificate.

A mechanism on a universe of N tables is an N × N matrix P_x(z) ≥ 0 with Σ_z P_x(z) = 1. It has the budget ε iff
P_x(z) ≤ e^(ε·d)·P_y(z) for each output z and all pairs (x, y) that one circuit of d records separates (the lemma of
`verify.engines.swapping.circuits`). The error Σ_x π_x·Σ_z P_x(z)·ℓ(x, z) is linear in P.

Certificates. From below: for any multipliers v ≥ 0 of the constraints, with π fixed,

    Σ_x min_z (π_x·ℓ(x, z) + Σ_(x,y) v_xy(z) − Σ_(y,x) e^(ε·d)·v_yx(z))

is at most the error of each mechanism with the budget; the worst case over x is at least the mean over any π. From
above: a mechanism, with each constraint compared. A solver guesses both; Fractions decide. On a line of tables (two
rows, two columns) the multipliers under which the clamped geometric mechanism attains the bound are the solution of
N + 1 triangular systems: where they are ≥ 0 it is optimal, and the floor is its error, exactly. The probability that
the table changes, over a uniform prior, is least for the weighted mechanism of `weighted_fibre`, which has a theorem.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import gcd

import flint
import numpy as np

from stirred.mechanisms.noise.fibre_noise import fibre_law
from stirred.spec.arguments import InputError
from stirred.spec.blocks.tables import Table, TooManyTablesError, contingency_tables, count_tables, table_distance
from stirred.spec.budgets.loss import Loss
from stirred.spec.numbers.enclosure import exponential
from stirred.verify.engines.algebra.linear_program import fraction, rational
from stirred.verify.engines.swapping.circuits import circuit_steps

Matrix = Sequence[Sequence[Fraction]]
"""A value for each x, and in it for each z."""

CLAMPED_GEOMETRIC, WEIGHTED = "the clamped geometric mechanism", "the weighted mechanism"

_MAX_CONSTRAINTS = 40_000


def _mean(x: Table, z: Table, power: int) -> Fraction:
    cells = [abs(a - b) ** power for row, other in zip(x, z, strict=True) for a, b in zip(row, other, strict=True)]
    return Fraction(sum(cells), len(cells))


ERRORS: Mapping[str, Callable[[Table, Table], Fraction]] = {
    "absolute": lambda x, z: _mean(x, z, 1),
    "squared": lambda x, z: _mean(x, z, 2),
    "changed": lambda x, z: Fraction(x != z),
}
"""ℓ(x, z): the mean change of a cell, its mean square, and whether anything changed."""


def _matrix(tables: Sequence[Table], measure: Callable[[Table, Table], Fraction]) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(measure(x, z) for z in tables) for x in tables)


class Prior(Enum):
    """What the error is taken over."""

    UNIFORM = "uniform"
    WORST = "worst"


@dataclass(frozen=True)
class ReleaseProblem:
    """What a mechanism on one universe is held to and judged by.

    Attributes:
        steps: the pairs (i, j, d) of tables that one circuit separates.
        costs: ℓ(x, z).
    """

    tables: tuple[Table, ...]
    steps: tuple[tuple[int, int, int], ...]
    budget: Loss
    costs: Matrix
    prior: Prior

    @classmethod
    def of(
        cls, rows: Sequence[int], columns: Sequence[int], budget: Loss, error: str, prior: Prior = Prior.UNIFORM
    ) -> ReleaseProblem:
        size = count_tables(rows, columns)
        if size < 2:
            raise InputError(
                "rows and columns must allow two tables: these determine the data, so that no error is needed"
            )
        if budget.is_infinite or budget.is_zero:
            raise InputError(f"the budget must be positive and finite; got {budget}")
        if size * size > _MAX_CONSTRAINTS:
            raise _too_large(size, size * size * (size - 1))
        tables = contingency_tables(rows, columns)
        steps = circuit_steps(tables)
        if size * len(steps) > _MAX_CONSTRAINTS:
            raise _too_large(size, size * len(steps))
        return cls(tables, steps, budget, _matrix(tables, ERRORS[error]), prior)

    def factor(self, distance: int, *, above: bool) -> Fraction:
        """e^(ε·d), or a number above or below it where it is irrational."""
        return power_of(self.budget, distance, above=above)

    def error(self, mechanism: Matrix) -> Fraction:
        each = [
            sum((p * c for p, c in zip(*pair, strict=True)), Fraction(0))
            for pair in zip(mechanism, self.costs, strict=True)
        ]
        return max(each) if self.prior is Prior.WORST else sum(each, Fraction(0)) / len(each)

    def meets(self, mechanism: Matrix) -> bool:
        """Whether a mechanism is one, and has the budget."""
        factors = {d: self.factor(d, above=False) for _, _, d in self.steps}
        return all(min(row) >= 0 and sum(row) == 1 for row in mechanism) and all(
            p <= factors[d] * q for i, j, d in self.steps for p, q in zip(mechanism[i], mechanism[j], strict=True)
        )


def _too_large(size: int, constraints: int) -> TooManyTablesError:
    minutes = max(1, constraints**2 // 10**10)
    return TooManyTablesError(
        f"the universe must have at most {_MAX_CONSTRAINTS} constraints for its floor; {size} tables have "
        f"{constraints}, which would take about {minutes} minutes",
        size,
    )


@dataclass(frozen=True)
class Floor:
    """The least error, between two certified bounds.

    Attributes:
        lower: no mechanism with the budget has a smaller error.
        upper: the error of `mechanism`, which has the budget.
        attained_by: what this mechanism is, where that is known.
    """

    lower: Fraction
    upper: Fraction
    mechanism: Matrix
    attained_by: str = ""

    @property
    def is_exact(self) -> bool:
        return self.lower == self.upper


def lower_bound(
    problem: ReleaseProblem, weights: Sequence[Fraction], multipliers: Mapping[tuple[int, int], Sequence[Fraction]]
) -> Fraction:
    """The bound from below that multipliers give.

    `weights` are π, `multipliers` has for (i, j) one v_ij(z) ≥ 0 for each z, of P_i(z) ≤ e^(ε·d)·P_j(z).
    """
    if any(v < 0 for many in multipliers.values() for v in many):
        raise InputError("multipliers must be at least 0")
    if min(weights) < 0 or sum(weights) != 1 or (problem.prior is Prior.UNIFORM and len(set(weights)) > 1):
        raise InputError(f"weights must be probabilities of the prior; got {list(map(str, weights))}")
    values = [[w * c for c in row] for w, row in zip(weights, problem.costs, strict=True)]
    for i, j, d in problem.steps:
        factor = problem.factor(d, above=True)
        for z, v in enumerate(multipliers.get((i, j), ())):
            if v:
                values[i][z] += v
                values[j][z] -= factor * v
    return sum(map(min, values), Fraction(0))


def floor_of(problem: ReleaseProblem) -> Floor:
    """The floor with its certificates: exact where a mechanism of `_on_line` or `_by_weights` is shown optimal.

    >>> found = floor_of(ReleaseProblem.of((2, 2), (2, 2), Loss(9, 2), "absolute"))
    >>> found.attained_by, str(found.lower)
    ('the clamped geometric mechanism', '19/135')
    """
    return _on_line(problem) or _by_weights(problem) or _by_solver(problem)


def _line(problem: ReleaseProblem) -> list[int] | None:
    """The tables of a line in its order, by position; None where they do not form one."""
    if (
        len(problem.tables[0]) != 2
        or len(problem.tables) != len(problem.steps) // 2 + 1
        or len(problem.tables[0][0]) != 2
    ):
        return None
    return sorted(range(len(problem.tables)), key=lambda i: problem.tables[i])


def _on_line(problem: ReleaseProblem) -> Floor | None:
    """The floor of a line where the clamped geometric mechanism has it for the uniform prior."""
    order = _line(problem)
    gamma = problem.factor(2, above=False)
    if order is None or problem.prior is not Prior.UNIFORM or gamma != problem.factor(2, above=True):
        return None
    laws = [fibre_law(table, 1 / gamma) for table in problem.tables]
    mechanism = [[law.numeric(z) for z in problem.tables] for law in laws]
    size = len(order)
    uniform = [Fraction(1, size)] * size
    costs = [[problem.costs[x][z] / size for z in order] for x in order]
    multipliers = line_multipliers([[mechanism[x][z] for z in order] for x in order], costs, gamma)
    if any(v < 0 for many in multipliers.values() for v in many):
        return None
    place = {position: z for z, position in enumerate(order)}
    named = {(order[i], order[j]): [many[place[z]] for z in range(size)] for (i, j), many in multipliers.items()}
    error = problem.error(mechanism)
    return Floor(lower_bound(problem, uniform, named), error, mechanism, CLAMPED_GEOMETRIC)


def _by_weights(problem: ReleaseProblem) -> Floor | None:
    """The floor of the probability of a change over a uniform prior, where the universe has weights ≥ 0."""
    changed = ERRORS["changed"]
    tables = problem.tables
    if problem.prior is not Prior.UNIFORM or problem.costs != _matrix(tables, changed):
        return None
    found = weighted_fibre(tables, problem.budget)
    if found is None or not found.is_exact:
        return None
    bound = 1 - sum(found.weights, Fraction(0)) / len(tables)
    return Floor(bound, problem.error(found.mechanism), found.mechanism, WEIGHTED)


def line_multipliers(geometric: Matrix, costs: Matrix, gamma: Fraction) -> Mapping[tuple[int, int], Sequence[Fraction]]:
    """The only multipliers under which the clamped geometric mechanism on 0, …, m can attain the bound from below.

    All of its probabilities are positive, so that no reduced cost may be: with w_x = cost(x, z) − u_x, at x ≥ z the
    constraint P_x ≤ γ·P_{x+1} is tight, at x < z it is P_{x+1} ≤ γ·P_x. The first are n + 1 equations
    Σ_x P_x(z)·(cost(x, z) − u_x) = 0 for u, then each z has one multiplier after the other from either end.

    `costs` are π_x·ℓ(x, z), and `gamma` is 1/α, e^ε over the distance of neighbours.
    """
    size = len(costs)
    means = [sum((geometric[x][z] * costs[x][z] for x in range(size)), Fraction(0)) for z in range(size)]
    u = solved([[geometric[x][z] for x in range(size)] for z in range(size)], means)
    if u is None:
        raise InputError("geometric must be the law of the clamped geometric mechanism, of full rank")
    found: dict[tuple[int, int], list[Fraction]] = {
        pair: [Fraction(0)] * size for x in range(size - 1) for pair in ((x, x + 1), (x + 1, x))
    }
    for z in range(size):
        carried = Fraction(0)
        for x in range(z):  # w_x = γ·b_x − b_{x−1}, b_x the multiplier of P_{x+1} ≤ γ·P_x
            carried = (costs[x][z] - u[x] + carried) / gamma
            found[x + 1, x][z] = carried
        carried = Fraction(0)
        for x in range(size - 1, z, -1):  # w_x = γ·a_{x−1} − a_x, a_x that of P_x ≤ γ·P_{x+1}
            carried = (costs[x][z] - u[x] + carried) / gamma
            found[x - 1, x][z] = carried
    return found


def _by_solver(problem: ReleaseProblem) -> Floor:
    """The floor between the bounds that a solver's answer gives when it is rounded to the safe side."""
    size, worst = len(problem.tables), problem.prior is Prior.WORST
    factors = {d: problem.factor(d, above=True) for _, _, d in problem.steps}
    guessed = guess_floor(problem.costs, problem.steps, factors, worst=worst)
    weights = [Fraction(1, size)] * size
    if worst:
        weights = [share / sum(guessed.shares) for share in guessed.shares]
    multipliers = {(i, j): many for (i, j, _), many in zip(problem.steps, guessed.multipliers, strict=True)}
    mechanism = _feasible(problem, guessed.mechanism)
    return Floor(lower_bound(problem, weights, multipliers), problem.error(mechanism), mechanism)


def _feasible(problem: ReleaseProblem, guessed: Matrix) -> Matrix:
    """A mechanism with the budget near a guessed one: mixed with the constant one by as little as it takes."""
    size = len(guessed)
    rows = [[p / sum(row) for p in row] for row in guessed]
    share = Fraction(0)
    for i, j, d in problem.steps:
        factor = problem.factor(d, above=False)
        for p, q in zip(rows[i], rows[j], strict=True):
            over = (p - factor * q) * size
            if over > 0:
                share = max(share, over / (factor - 1 + over))
    return [[(1 - share) * p + share / size for p in row] for row in rows]


@dataclass(frozen=True)
class WeightedFibre:
    """A table of the universe with probability w(z)·e^(−ε·d_HamS(x, z)), where weights w exist.

    The weights solve Σ_z w(z)·e^(−ε·d(x, z)) = 1 for all x. Where all are ≥ 0 this is a mechanism, and its budget is ε
    by the triangle inequality alone. No mechanism with the budget has a larger Σ_x P_x(x), which is Σ_z w(z): over a
    uniform prior none is less likely to change the table. On a line of tables it is the clamped geometric mechanism.
    (Σ_z w(z) is what geometry calls the magnitude of the universe with the metric ε·d.)

    Proved in Coq: `weighted_release` and `clamped_geometric` of weighted_release.v.

    Attributes:
        is_exact: whether its budget is ε itself, not a number just below it that makes e^(−ε·d) rational.
    """

    weights: tuple[Fraction, ...]
    mechanism: tuple[tuple[Fraction, ...], ...]
    is_exact: bool


def power_of(budget: Loss, distance: int, *, above: bool) -> Fraction:
    """e^(ε·d), or a number above or below it where it is irrational.

    >>> power_of(Loss(9, 2), 2, above=True)
    Fraction(9, 1)
    """
    steps = Fraction(distance) / budget.distance
    if budget.gamma is not None and steps.denominator == 1:
        return budget.gamma**steps.numerator
    spread = budget.times(distance).epsilon()
    return exponential(spread.upper).upper if above else max(Fraction(1), exponential(spread.lower).lower)


def weighted_fibre(tables: Sequence[Table], budget: Loss) -> WeightedFibre | None:
    """The weighted mechanism of a universe; None where a weight is negative, or the weights are not determined.

    >>> found = weighted_fibre((((0, 1), (1, 0)), ((1, 0), (0, 1))), Loss(3, 2))
    >>> [str(weight) for weight in found.weights], str(found.mechanism[0][0])
    (['3/4', '3/4'], '3/4')
    """
    distances = [[table_distance(x, z) or 0 for z in tables] for x in tables]
    unit = gcd(*(d for row in distances for d in row))
    factor = power_of(budget, unit, above=False)
    kernel = [[factor ** -(d // unit) for d in row] for row in distances]
    weights = solved(kernel, [Fraction(1)] * len(tables))
    if weights is None or min(weights) < 0:
        return None
    mechanism = tuple(tuple(w * k for w, k in zip(weights, row, strict=True)) for row in kernel)
    return WeightedFibre(weights, mechanism, factor == power_of(budget, unit, above=True))


def solved(matrix: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> tuple[Fraction, ...] | None:
    """The solution of a square system of linear equations; None where it has not exactly one.

    >>> solved([[Fraction(2)]], [Fraction(1)])
    (Fraction(1, 2),)
    """
    size = len(right)
    left = flint.fmpq_mat(size, size, [rational(value) for row in matrix for value in row])
    try:
        found = left.solve(flint.fmpq_mat(size, 1, list(map(rational, right))))
    except ZeroDivisionError:
        return None
    return tuple(fraction(found[i, 0]) for i in range(size))


_PARTS = 10**15


@dataclass(frozen=True)
class GuessedFloor:
    """A solver's guess in floats, rounded to fractions, none below 0: it shows nothing until a certificate is made.

    Attributes:
        mechanism: P_x(z), whose rows sum to about 1.
        multipliers: v_ij(z) for each constraint P_i(z) ≤ e^(ε·d)·P_j(z), in the order of the steps.
        shares: how much each table weighs in the worst case; none for a fixed prior.
    """

    mechanism: Matrix
    multipliers: Matrix
    shares: Sequence[Fraction]


def guess_floor(
    costs: Matrix, steps: Sequence[tuple[int, int, int]], factors: Mapping[int, Fraction], *, worst: bool
) -> GuessedFloor:
    """The linear program's solution by HiGHS."""
    try:
        from scipy.optimize import linprog  # noqa: PLC0415 an optional dependency
        from scipy.sparse import coo_array  # noqa: PLC0415
    except ImportError:
        raise InputError("the floor of this universe needs scipy: pip install scipy") from None
    size, table = len(costs), np.array([[float(c) for c in row] for row in costs])
    constraints = len(steps) * size
    rows, columns, values = [], [], []
    for number, (i, j, d) in enumerate(steps):
        for z in range(size):
            rows += [number * size + z] * 2
            columns += [i * size + z, j * size + z]
            values += [1.0, -float(factors[d])]
    if worst:  # the last variable is the largest error
        for x in range(size):
            rows += [constraints + x] * (size + 1)
            columns += [*range(x * size, (x + 1) * size), size * size]
            values += [*table[x].tolist(), -1.0]
    height, width = constraints + size * worst, size * size + worst
    tight = coo_array((values, (rows, columns)), shape=(height, width)).tocsr()
    places = np.arange(size * size)
    sums = coo_array((np.ones(size * size), (places // size, places)), shape=(size, width)).tocsr()
    goal = np.append(np.zeros(size * size), 1.0) if worst else table.reshape(-1) / size
    found = linprog(goal, A_ub=tight, b_ub=np.zeros(height), A_eq=sums, b_eq=np.ones(size), method="highs")
    if found.status != 0:
        raise InputError(f"the solver did not find the floor: {found.message}")
    masses = _rational(found.x[: size * size].tolist())
    duals = _rational((-found.ineqlin.marginals).tolist())
    return GuessedFloor(_lines(masses, size), _lines(duals[:constraints], size), duals[constraints:])


def _rational(values: Sequence[float]) -> list[Fraction]:
    return [max(Fraction(0), Fraction(round(value * _PARTS), _PARTS)) for value in values]


def _lines(values: Sequence[Fraction], size: int) -> list[list[Fraction]]:
    return [list(values[start : start + size]) for start in range(0, len(values), size)]
