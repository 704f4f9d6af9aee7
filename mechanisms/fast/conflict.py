"""Why no data set meets the constraints: a smallest set of them that cannot hold together, with a proof.

First factors are sought under which some constraints add up to a contradiction among non-negative numbers (Farkas): a
vertex of the linear program that HiGHS solves, so few of them, and checked in exact arithmetic. These are reduced by
halving (QuickXplain) until without any one of them the others can be met; where there are no factors, all constraints
are: then numbers that are no integers meet them, and only integers do not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, lcm

import numpy as np

from stirred.mechanisms.das.topdown.nearest import Constraint, InfeasibleError, NearestPoint
from stirred.mechanisms.fast.unit_pieces import PieceProgram, Squares, silent_model
from stirred.spec.arguments import InputError

_SMALLEST_PART = 10**6

_MOST_REDUCED = 50
_MOST_SHOWN = 12


@dataclass(frozen=True)
class Conflict:
    """Constraints that cannot hold together.

    Attributes:
        constraints: an irreducible set of them; among real numbers only where there are more than 50.
        factors: whole numbers, positive for "at least" and negative for "at most", under which they add up to a form
            that is never positive and must be; None where only integers cannot meet them.
    """

    constraints: tuple[Constraint, ...]
    factors: tuple[int, ...] | None

    def text(self) -> str:
        """One line that names the constraints, and how they contradict each other."""
        named = _few([f"{one.name} {_sides(one)}" for one in self.constraints])
        if self.factors is None:
            return f"some data set must meet the constraints; no integers meet these together: {named}"
        factors = _few(list(map(str, self.factors)))
        return (
            f"no data set meets the constraints; these contradict each other: {named} "
            f"(with the factors {factors} they add up to 0 >= {contradiction(self.constraints, self.factors)})"
        )


def _few(texts: Sequence[str]) -> str:
    shown = ", ".join(texts[:_MOST_SHOWN])
    return f"{shown} and {len(texts) - _MOST_SHOWN} more" if len(texts) > _MOST_SHOWN else shown


def _sides(constraint: Constraint) -> str:
    lower, upper = constraint.lower, constraint.upper
    if lower == upper:
        return f"= {lower}"
    return " and ".join(text for text, side in ((f">= {lower}", lower), (f"<= {upper}", upper)) if side is not None)


def contradiction(constraints: Sequence[Constraint], factors: Sequence[int]) -> int | None:
    """What a form that is never positive must at least be by these constraints: positive, or it is no contradiction.

    None where a coefficient of the sum is positive, or a factor needs a side that is open.
    """
    total = 0
    sums: dict[int, int] = {}
    for constraint, factor in zip(constraints, factors, strict=True):
        side = constraint.lower if factor > 0 else constraint.upper
        if factor == 0 or side is None:
            return None
        total += factor * side
        for variable, entry in constraint.terms:
            sums[variable] = sums.get(variable, 0) + factor * entry
    return total if total > 0 and all(entry <= 0 for entry in sums.values()) else None


def conflict(problem: NearestPoint) -> Conflict:
    """The conflict of a problem that has no solution.

    >>> two, one = Constraint("two", ((0, 1), (1, 1)), 2, 2), Constraint("one", ((0, 1), (1, 1), (2, 1)), None, 1)
    >>> conflict(NearestPoint(3, 3, (two, one), ())).factors
    (1, -1)
    """
    constraints = problem.constraints
    if _can_be_met(problem.size, constraints):
        raise InputError("constraints must contradict each other to have a conflict; these can be met")
    factors = _factors(constraints)
    among = constraints
    if factors is not None:
        among = tuple(one for one, factor in zip(constraints, factors, strict=True) if factor)
        if len(among) > _MOST_REDUCED:
            return Conflict(among, tuple(filter(None, factors)))
    found = tuple(_smallest(problem.size, (), among, is_new=False))
    factors = _factors(found)
    return Conflict(found, factors if factors is not None and all(factors) else None)


def _smallest(size: int, given: Sequence[Constraint], among: Sequence[Constraint], *, is_new: bool) -> list[Constraint]:
    """An irreducible part of `among` that contradicts `given`; the two together cannot be met."""
    if is_new and not _can_be_met(size, given):
        return []
    if len(among) <= 1:
        return list(among)
    half = len(among) // 2
    first, second = among[:half], among[half:]
    later = _smallest(size, (*given, *first), second, is_new=True)
    earlier = _smallest(size, (*given, *later), first, is_new=bool(later))
    return [*earlier, *later]


def _can_be_met(size: int, constraints: Sequence[Constraint]) -> bool:
    try:
        squares = Squares(NearestPoint(size, 0, tuple(constraints), ()))
        program = PieceProgram(squares, squares.guess, np.zeros(size, dtype=np.int64))
        program.solve()  # quickly shows that even numbers that are no integers do not
        program.make_integral()
        program.solve()
    except InfeasibleError:
        return False
    return True


def _factors(constraints: Sequence[Constraint]) -> tuple[int, ...] | None:
    """Factors of a contradiction, 0 for constraints that it does without, checked in exact arithmetic."""
    import highspy  # noqa: PLC0415 an optional dependency

    variables = sorted({variable for one in constraints for variable, _ in one.terms})
    rows = {variable: row for row, variable in enumerate(variables, start=1)}
    sides = [
        (place, sign, side)
        for place, one in enumerate(constraints)
        for sign, side in ((1, one.lower), (-1, one.upper))
        if side is not None
    ]
    model = silent_model()
    for _ in rows.keys() | {None}:
        model.addRow(-inf, 0.0, 0, np.array([], dtype=np.int32), np.array([]))
    model.changeRowBounds(0, 1.0, 1.0)
    for place, sign, side in sides:
        terms = {0: float(sign * side)} | {rows[variable]: float(sign * a) for variable, a in constraints[place].terms}
        places = np.array(list(terms), dtype=np.int32)
        model.addCol(1.0, 0.0, inf, len(places), places, np.array(list(terms.values())))
    model.run()
    if model.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    found = [Fraction(0)] * len(constraints)
    for (place, sign, _), value in zip(sides, model.getSolution().col_value, strict=True):
        found[place] += sign * Fraction(value).limit_denominator(_SMALLEST_PART)
    scale = lcm(*(factor.denominator for factor in found))
    factors = tuple(int(factor * scale) for factor in found)
    used = [(one, factor) for one, factor in zip(constraints, factors, strict=True) if factor]
    return factors if used and contradiction(*zip(*used, strict=True)) is not None else None
