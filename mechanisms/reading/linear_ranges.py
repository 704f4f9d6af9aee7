"""The range of a linear form under linear conditions, by the elimination of Fourier and Motzkin.

Numbers are of one kind, rational or `Exact`. Conditions are closed here: null sets don't matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

Condition = tuple[Mapping[int, Any], Any]
"""Coefficients, none 0, and the bound: Σ c·z ≤ bound."""

_MOST = 4_000
_SOUGHT = -1
"""The variable that stands for the form."""


class EmptyRangeError(ArithmeticError):
    """No point meets all conditions."""


class TooManyConditionsError(ArithmeticError):
    """Elimination makes more conditions than are followed."""


def connected(variables: Iterable[int], conditions: Sequence[Condition]) -> list[Condition]:
    """The conditions that are tied to some variables, through others."""
    seen, left, found = set(variables), list(conditions), list[Condition]()
    while near := [one for one in left if seen & one[0].keys()]:
        left = [one for one in left if not seen & one[0].keys()]
        seen.update(*(one[0] for one in near))
        found += near
    return found


def linear_range(terms: Mapping[int, Any], conditions: Sequence[Condition]) -> tuple[Any, Any]:
    """Infimum and supremum of Σ terms·z; None where there is none.

    Raises:
        EmptyRangeError: no point meets all conditions.
        TooManyConditionsError: there is too much to eliminate.
    """
    replaced, coefficient = next(iter(terms.items()))
    ratios = {one: c / coefficient for one, c in terms.items() if one != replaced}
    rows = [_replaced(one, replaced, ratios, coefficient) for one in connected(terms, conditions)]
    rows = _tightest(rows)
    while left := [one for row, _ in rows for one in row if one != _SOUGHT]:
        rows = _eliminated(rows, min(left, key=lambda one: (_growth(rows, one), one)))
    low, high = None, None
    for row, bound in rows:
        if row[_SOUGHT] > 0:
            high = bound / row[_SOUGHT]
        else:
            low = bound / row[_SOUGHT]
    if low is not None and high is not None and low > high:
        raise EmptyRangeError("no point meets all conditions")
    return low, high


def inner_point(
    variables: Iterable[int], conditions: Sequence[Condition], chosen: Callable[[Any, Any], Any]
) -> dict[int, Any]:
    """A point that meets all conditions, coordinate by coordinate.

    Args:
        variables: all that conditions tie, each once.
        conditions: whose numbers are rational.
        chosen: a number between two ends, of which either may be None.

    Raises:
        EmptyRangeError: no point meets all conditions.
        TooManyConditionsError: there is too much to eliminate.
    """
    tied = {one for row, _ in conditions if len(row) > 1 for one in row}
    alone: dict[int, list[Condition]] = {one: [] for one in variables if one not in tied}
    for condition in conditions:
        if len(condition[0]) == 1 and (variable := min(condition[0])) in alone:
            alone[variable].append(condition)
    rows, bounds = _tightest(one for one in conditions if not one[0] or tied & one[0].keys()), [*alone.items()]
    left = sorted(tied)
    while left:
        variable = min(left, key=lambda one: (_growth(rows, one), one))
        left.remove(variable)
        bounds.append((variable, [one for one in rows if variable in one[0]]))
        rows = _eliminated(rows, variable) if bounds[-1][1] else rows
    found: dict[int, Any] = {}
    for variable, its in reversed(bounds):
        ends: dict[bool, list[Any]] = {True: [], False: []}
        for terms, bound in its:
            rest = sum(c * found[one] for one, c in terms.items() if one != variable)
            ends[terms[variable] > 0].append((bound - rest) / terms[variable])
        low, high = max(ends[False], default=None), min(ends[True], default=None)
        if low is not None and high is not None and low > high:
            raise EmptyRangeError("no point meets all conditions")
        found[variable] = chosen(low, high)
    return found


def _replaced(condition: Condition, replaced: int, ratios: Mapping[int, Any], coefficient: Any) -> Condition:
    """A condition in which z = sought/coefficient − Σ ratios·others."""
    terms, bound = dict(condition[0]), condition[1]
    c = terms.pop(replaced, None)
    if c is None:
        return terms, bound
    for one, ratio in ratios.items():
        terms[one] = terms.get(one, 0) - c * ratio
    terms[_SOUGHT] = c / coefficient
    return {one: c for one, c in terms.items() if c != 0}, bound


def _growth(rows: Sequence[Condition], variable: int) -> int:
    above = sum(1 for row, _ in rows if variable in row and row[variable] > 0)
    below = sum(1 for row, _ in rows if variable in row) - above
    return above * below - above - below


def _eliminated(rows: Sequence[Condition], variable: int) -> list[Condition]:
    kept = [one for one in rows if variable not in one[0]]
    above = [one for one in rows if variable in one[0] and one[0][variable] > 0]
    below = [one for one in rows if variable in one[0] and not one[0][variable] > 0]
    for row, bound in above:
        for other, least in below:
            p, q = row[variable], -other[variable]
            terms = {
                one: row.get(one, 0) * q + other.get(one, 0) * p for one in row.keys() | other.keys() if one != variable
            }
            kept.append(({one: c for one, c in terms.items() if c != 0}, bound * q + least * p))
    return _tightest(kept)


def _tightest(rows: Iterable[Condition]) -> list[Condition]:
    """The conditions, of which those with equal forms are one."""
    found: dict[Any, Condition] = {}
    for row, bound in rows:
        if not row:
            if bound < 0:
                raise EmptyRangeError("no point meets all conditions")
            continue
        scale = abs(row[min(row)])
        terms = {one: row[one] / scale for one in sorted(row)}
        key = tuple((one, getattr(c, "number", c)) for one, c in terms.items())
        if key not in found or bound / scale < found[key][1]:
            found[key] = terms, bound / scale
    if len(found) > _MOST:
        raise TooManyConditionsError(f"{len(found)} conditions are left of the elimination")
    return list(found.values())
