"""Integer least squares under linear constraints, and its reference solver: exhaustive, in exact integers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stirred.spec.arguments import InputError

Terms = tuple[tuple[int, int], ...]
"""(variable, coefficient) pairs of a linear form."""


class InfeasibleError(InputError):
    """No non-negative integer point meets the constraints."""


@dataclass(frozen=True)
class Constraint:
    """lower ≤ Σ coefficient·variable ≤ upper; None leaves a side open."""

    name: str
    terms: Terms
    lower: int | None
    upper: int | None


@dataclass(frozen=True)
class Square:
    """weight·(Σ coefficient·variable − target)².

    Attributes:
        weight: a positive integer.
    """

    terms: Terms
    target: int
    weight: int


@dataclass(frozen=True)
class NearestPoint:
    """Find non-negative integers that meet the constraints and make the sum of the squares smallest.

    Attributes:
        decided: the first so many variables are the answer; squares are about them alone, the others must exist.
        largest: among several nearest answers, the lexicographically largest one; otherwise the smallest one.
    """

    size: int
    decided: int
    constraints: tuple[Constraint, ...]
    squares: tuple[Square, ...]
    largest: bool = False

    def about_decided(self) -> NearestPoint:
        """The same problem without the other variables and the constraints that they are in."""
        decided = self.decided
        own = tuple(one for one in self.constraints if all(variable < decided for variable, _ in one.terms))
        return NearestPoint(decided, decided, own, self.squares, self.largest)


def _value(terms: Terms, point: Sequence[int]) -> int:
    return sum(coefficient * point[variable] for variable, coefficient in terms)


def loss(problem: NearestPoint, point: Sequence[int]) -> int:
    """The sum of the weighted squares at a point."""
    return sum(square.weight * (_value(square.terms, point) - square.target) ** 2 for square in problem.squares)


def violated(problem: NearestPoint, point: Sequence[int]) -> Constraint | None:
    """The first constraint that a point does not meet, in exact integers; negative variables count as such.

    >>> violated(NearestPoint(1, 1, (Constraint("two", ((0, 1),), 2, 2),), ()), (3,)).name
    'two'
    """
    for variable, value in enumerate(point):
        if value < 0:
            return Constraint(f"variable {variable}", ((variable, 1),), 0, None)
    for constraint in problem.constraints:
        value = _value(constraint.terms, point)
        if constraint.lower is not None and value < constraint.lower:
            return constraint
        if constraint.upper is not None and value > constraint.upper:
            return constraint
    return None


Bounds = list[tuple[int, int | None]]
"""The smallest and largest value of each variable; None where there is no largest one."""


def exhaustive(problem: NearestPoint) -> tuple[int, ...]:
    """The nearest point, by trying every one: the reference, for tiny problems.

    Values that a single constraint rules out together with the bounds of its other variables are skipped.

    Returns:
        The decided variables.

    >>> both = Constraint("both", ((0, 1), (1, 1)), 3, 3)
    >>> exhaustive(NearestPoint(2, 2, (both,), (Square(((0, 1),), 7, 1), Square(((1, 1),), 1, 1))))
    (3, 0)
    """
    bounds = tightened(problem.constraints, [(0, None)] * problem.size)
    if bounds is None:
        raise InfeasibleError(f"no data set meets the constraints: {_named(problem.constraints)}")
    best: tuple[int, tuple[int, ...]] | None = None
    stack = [(0, bounds)]
    while stack:
        variable, bounds = stack.pop()
        if variable == problem.decided:
            point = tuple(low for low, _ in bounds[: problem.decided])
            value = loss(problem, point)
            if (best is None or value < best[0]) and _exists(problem, bounds):
                best = value, point
            continue
        # the last one put on the stack is tried first, and a later one must be strictly nearer
        values = list(_values(bounds, variable))
        for value in values if problem.largest else reversed(values):
            narrowed = _with(problem.constraints, bounds, variable, value)
            if narrowed is not None:
                stack.append((variable + 1, narrowed))
    if best is None:
        raise InfeasibleError(f"no data set meets the constraints: {_named(problem.constraints)}")
    return best[1]


def range_of(form: Terms, bounds: Bounds) -> tuple[int | None, int | None]:
    """The smallest and largest value of a linear form in a box; None where there is none.

    >>> range_of(((0, 1), (1, -2)), [(0, None), (1, 3)])
    (-6, None)
    """
    least = [_least(entry, bounds[variable]) for variable, entry in form]
    most = [_least(-entry, bounds[variable]) for variable, entry in form]
    low = None if None in least else sum(one for one in least if one is not None)
    return low, None if None in most else -sum(one for one in most if one is not None)


def _named(constraints: Sequence[Constraint]) -> str:
    return ", ".join(dict.fromkeys(constraint.name for constraint in constraints))


def _exists(problem: NearestPoint, bounds: Bounds) -> bool:
    """Whether the variables that are not decided can be completed."""
    stack = [(problem.decided, bounds)]
    while stack:
        variable, bounds = stack.pop()
        if variable == problem.size:
            return True
        for value in _values(bounds, variable):
            narrowed = _with(problem.constraints, bounds, variable, value)
            if narrowed is not None:
                stack.append((variable + 1, narrowed))
    return False


def _values(bounds: Bounds, variable: int) -> range:
    low, high = bounds[variable]
    if high is None:
        raise InputError(f"constraints must bound every variable; variable {variable} has no upper bound")
    return range(low, high + 1)


def _with(constraints: Sequence[Constraint], bounds: Bounds, variable: int, value: int) -> Bounds | None:
    narrowed = list(bounds)
    narrowed[variable] = (value, value)
    return tightened(constraints, narrowed)


def tightened(constraints: Sequence[Constraint], bounds: Bounds) -> Bounds | None:
    """The bounds after every constraint has been used until nothing changes; None where one cannot be met.

    The bounds that are given are narrowed.
    """
    changed = True
    while changed:
        changed = False
        for constraint in constraints:
            for sign, limit in ((1, constraint.upper), (-1, constraint.lower)):
                if limit is None:
                    continue
                found = _narrowed([(v, sign * a) for v, a in constraint.terms], sign * limit, bounds)
                if found is None:
                    return None
                changed = changed or found
    return bounds


def _narrowed(terms: Sequence[tuple[int, int]], limit: int, bounds: Bounds) -> bool | None:
    """Whether Σ coefficient·variable ≤ limit narrowed a bound; None where it cannot hold.

    The lower bound of a variable without an upper one stays, so that it cannot be raised for ever.
    """
    least = [_least(coefficient, bounds[variable]) for variable, coefficient in terms]
    unbounded = sum(1 for one in least if one is None)
    total = sum(one for one in least if one is not None)
    if not unbounded and total > limit:
        return None
    changed = False
    for (variable, coefficient), own in zip(terms, least, strict=True):
        if unbounded > (own is None) or not coefficient:
            continue
        room = limit - total + (own or 0)
        low, high = bounds[variable]
        if coefficient > 0 and (high is None or room // coefficient < high):
            bounds[variable], changed = (low, room // coefficient), True
        if coefficient < 0 and high is not None and -(room // -coefficient) > low:
            bounds[variable], changed = (-(room // -coefficient), high), True
        low, high = bounds[variable]
        if high is not None and low > high:
            return None
    return changed


def _least(coefficient: int, bound: tuple[int, int | None]) -> int | None:
    low, high = bound
    if coefficient >= 0:
        return coefficient * low
    return None if high is None else coefficient * high
