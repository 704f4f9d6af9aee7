"""Exact linear programming in rationals: a non-negative solution of A·x = b, or a proof that there is none; a maximum.

Simplex with Bland's rule, which always ends. Each answer carries its certificate, and the certificate is re-checked in
`Fraction`s before it is returned: a solution is put into the equations; "none" comes with a vector y with y·A ≤ 0 for
every column and y·b > 0 (Farkas); a maximum comes with a dual solution of the same value. Where certificates are made
(`verify.evidence.listing`) they list it, with the program.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from stirred.spec.arguments import InputError
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.listing import found_so

Vector = tuple[Fraction, ...]


@dataclass(frozen=True)
class Solution:
    """x ≥ 0 with A·x = b."""

    values: Vector


@dataclass(frozen=True)
class Infeasible:
    """y with y·A_j ≤ 0 for every column and y·b > 0: no x ≥ 0 has A·x = b."""

    separator: Vector


def nonnegative_solution(columns: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> Solution | Infeasible:
    """An x ≥ 0 with Σ_j x_j·A_j = b, or a proof that there is none.

    >>> nonnegative_solution([(Fraction(1),), (Fraction(2),)], [Fraction(-1)])
    Infeasible(separator=(Fraction(-1, 1),))
    """
    if any(len(column) != len(target) for column in columns):
        raise InputError(f"every column must have {len(target)} entries, as the target has")
    answer = _simplex(columns, target)
    _check(columns, target, answer)
    says, proof = (_SOLVED, answer.values) if isinstance(answer, Solution) else (_UNSOLVABLE, answer.separator)
    found_so(says, lambda: {"columns": columns, "target": target, "proof": proof}, is_step=True)
    return answer


_SOLVED = """all(x >= 0 for x in proof) and all(sum(x * column[i] for x, column in zip(proof, columns)) == b
    for i, b in enumerate(target))"""
_UNSOLVABLE = """all(sum(y * a for y, a in zip(proof, column)) <= 0 for column in columns)
    and sum(y * b for y, b in zip(proof, target)) > 0"""
_LARGEST = """all(x >= 0 for x in point) and all(y >= 0 for y in multipliers)
    and all(sum(a * x for a, x in zip(row, point)) <= b for row, b in zip(rows, bounds))
    and all(sum(y * row[j] for y, row in zip(multipliers, rows)) >= c for j, c in enumerate(objective))
    and sum(c * x for c, x in zip(objective, point)) == value
    and sum(y * b for y, b in zip(multipliers, bounds)) == value"""
"""Weak duality: c·x is at most y·A·x, and that at most y·b, for every x ≥ 0 with A·x ≤ b."""


def _simplex(columns: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> Solution | Infeasible:
    """Phase one: artificial variables are driven out of the basis."""
    height, width = len(target), len(columns)
    signs = [-1 if entry < 0 else 1 for entry in target]
    zero, one = flint.fmpq(0), flint.fmpq(1)
    rows: list[list[Any]] = []
    for i in range(height):
        entries = [rational(signs[i] * column[i]) for column in columns]
        unit = [one if i == k else zero for k in range(height)]
        rows.append([*entries, *unit, rational(signs[i] * target[i])])
    # reduced costs of "minimise the sum of the artificial variables"
    costs = [-sum((row[j] for row in rows), zero) for j in range(width)] + [zero] * height
    costs.append(-sum((row[-1] for row in rows), zero))
    basis = list(range(width, width + height))
    _improve(rows, costs, basis, range(width))
    if costs[-1] != 0:
        return Infeasible(tuple(signs[i] * (1 - fraction(costs[width + i])) for i in range(height)))
    return Solution(_basic_values(rows, basis, width))


def _improve(rows: list[list[Any]], costs: list[Any], basis: list[int], places: Sequence[int]) -> None:
    """Pivot until no reduced cost is negative, by Bland's rule."""
    while True:
        entering = next((j for j in places if costs[j] < 0), None)
        if entering is None:
            return
        candidates = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(rows) if row[entering] > 0]
        if not candidates:
            raise EngineError("a linear program must have a finite maximum")
        _, _, leaving = min(candidates)
        _pivot(rows, costs, leaving, entering)
        basis[leaving] = entering


def _basic_values(rows: Sequence[Sequence[Any]], basis: Sequence[int], width: int) -> Vector:
    values = [Fraction(0)] * width
    for row, j in zip(rows, basis, strict=True):
        if j < width:
            values[j] = fraction(row[-1])
    return tuple(values)


def _pivot(rows: list[list[Any]], costs: list[Any], leaving: int, entering: int) -> None:
    pivot = rows[leaving][entering]
    row = [entry / pivot if entry else entry for entry in rows[leaving]]
    rows[leaving] = row
    support = [(j, entry) for j, entry in enumerate(row) if entry]
    for other in (*(one for i, one in enumerate(rows) if i != leaving), costs):
        factor = other[entering]
        if factor:
            for j, entry in support:
                other[j] = other[j] - factor * entry


def rational(value: Fraction) -> Any:
    """The number as a `flint.fmpq`, whose arithmetic is faster and exact too."""
    return flint.fmpq(value.numerator, value.denominator)


def fraction(value: Any) -> Fraction:
    """The number of a `flint.fmpq`."""
    return Fraction(int(value.p), int(value.q))


def _check(columns: Sequence[Sequence[Fraction]], target: Sequence[Fraction], answer: Solution | Infeasible) -> None:
    if isinstance(answer, Solution):
        chosen = [(x, column) for x, column in zip(answer.values, columns, strict=True) if x]
        sums = [sum((x * column[i] for x, column in chosen), Fraction(0)) for i in range(len(target))]
        holds = all(x >= 0 for x in answer.values) and sums == list(target)
    else:
        y = answer.separator
        holds = _dot(y, target) > 0 and all(_dot(y, column) <= 0 for column in columns)
    if not holds:
        raise EngineError("the certificate of a linear program does not check")


def _dot(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(first, second, strict=True) if a and b), Fraction(0))


@dataclass(frozen=True)
class Maximum:
    """The largest c·x over all x ≥ 0 with A·x ≤ b.

    Attributes:
        point: an x where it is attained.
        multipliers: y ≥ 0 with y·A ≥ c and y·b = c·x, so that no x has more.
    """

    value: Fraction
    point: Vector
    multipliers: Vector


def maximum(rows: Sequence[Sequence[Fraction]], bounds: Sequence[Fraction], objective: Sequence[Fraction]) -> Maximum:
    """The largest c·x over all x ≥ 0 with a_i·x ≤ b_i for all i, with a proof that it is the largest.

    No b_i is negative, so that x = 0 is allowed.

    >>> maximum([(Fraction(1), Fraction(2))], [Fraction(4)], (Fraction(1), Fraction(3))).value
    Fraction(6, 1)
    """
    if any(bound < 0 for bound in bounds):
        raise InputError("the bounds of a maximum must not be negative")
    width, height = len(objective), len(rows)
    zero, one = flint.fmpq(0), flint.fmpq(1)
    table = [
        [*map(rational, row), *(one if i == k else zero for k in range(height)), rational(bound)]
        for i, (row, bound) in enumerate(zip(rows, bounds, strict=True))
    ]
    costs = [*(-rational(entry) for entry in objective), *([zero] * (height + 1))]
    basis = list(range(width, width + height))
    _improve(table, costs, basis, range(width + height))
    point = _basic_values(table, basis, width)
    multipliers = tuple(fraction(cost) for cost in costs[width:-1])
    value = _dot(objective, point)
    holds = (
        all(x >= 0 for x in (*point, *multipliers))
        and all(_dot(row, point) <= bound for row, bound in zip(rows, bounds, strict=True))
        and all(_dot([row[j] for row in rows], multipliers) >= entry for j, entry in enumerate(objective))
        and _dot(multipliers, bounds) == value
    )
    if not holds:
        raise EngineError("the certificate of a linear program does not check")
    program = {"rows": rows, "bounds": bounds, "objective": objective}
    found_so(_LARGEST, lambda: {**program, "point": point, "multipliers": multipliers, "value": value}, is_step=True)
    return Maximum(value, point, multipliers)


@dataclass(frozen=True)
class Implication:
    """Whether linear inequalities imply another one.

    Attributes:
        multipliers: for "yes", how often each inequality is used in the combination that gives the implied one.
        point: for "no", a point that satisfies the inequalities and breaks the other one.
    """

    multipliers: Vector | None
    point: Vector | None


def implied(
    rows: Sequence[Sequence[Fraction]], bounds: Sequence[Fraction], row: Sequence[Fraction], bound: Fraction
) -> Implication:
    """Whether {t : a_i·t ≤ b_i for all i}, a bounded non-empty set, lies in {t : c·t ≤ d}."""
    width = len(row)
    columns = [(*entries, limit) for entries, limit in zip(rows, bounds, strict=True)]
    slack = (*([Fraction(0)] * width), Fraction(1))
    answer = nonnegative_solution([*columns, slack], [*row, bound])
    if isinstance(answer, Solution):
        return Implication(answer.values[:-1], None)
    *direction, scale = answer.separator
    if scale >= 0:
        raise EngineError("the inequalities must describe a bounded set that is not empty")
    point = tuple(entry / -scale for entry in direction)
    if (
        any(_dot(entries, point) > limit for entries, limit in zip(rows, bounds, strict=True))
        or _dot(row, point) <= bound
    ):
        raise EngineError("the point of a linear program does not check")
    return Implication(None, point)
