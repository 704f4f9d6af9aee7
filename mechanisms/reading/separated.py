"""Real numbers that are released together, as independent ones.

Those that share draws are replaced by as many that do not, where they are such linear combinations of them that these
tell what they are: prefix sums by their differences. A number that is a linear combination of those before it is a text
that says so: outcomes of which these texts differ have no event in common that is likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.region import Region
from stirred.mechanisms.reading.symbols import Linear


class TiedLeavesError(ArithmeticError):
    """Numbers that are no such combinations."""


@dataclass(frozen=True)
class Separated:
    """Numbers as independent ones.

    Attributes:
        numbers: in the place of each, one with draws of its own; or the combination of earlier ones that it is.
        rows: coefficients of each in the independent ones; none where these are the numbers themselves.
    """

    numbers: Sequence[Linear | Sequence[Exact]]
    rows: Sequence[Sequence[Exact]] = ()


def separated(leaves: Sequence[Linear], region: Region) -> Separated:
    """Released numbers as independent ones, of draws that lie in a region.

    Raises:
        TiedLeavesError: they are tied otherwise.
    """
    alone: list[Linear | Sequence[Exact]] = list(leaves)
    is_changed = False
    for group in _groups(leaves, region):
        pivots: list[int] = []
        for place in group:
            found = _combination(leaves[place], [leaves[one] for one in pivots])
            if found is None:
                pivots.append(place)
                continue
            of_pivots = dict(zip(pivots, found, strict=True))
            shift = leaves[place].shift - sum((c * leaves[one].shift for one, c in of_pivots.items()), Exact(0))
            alone[place] = [*(of_pivots.get(one, Exact(0)) for one in range(place)), shift]
        if len(pivots) > 1:
            is_changed = True
            for place, number in zip(pivots, _inverted([leaves[one] for one in pivots], region), strict=True):
                alone[place] = number
    if not is_changed:
        return Separated(alone)
    kept = [one for one in alone if isinstance(one, Linear)]
    pairs = [(leaf, one) for leaf, one in zip(leaves, alone, strict=True) if isinstance(one, Linear)]
    return Separated(alone, [[_in(leaf, one) for one in kept] for leaf, _ in pairs])


def _in(leaf: Linear, one: Linear) -> Exact:
    draw, c = next(iter(one.terms.items()))
    found: Exact = leaf.terms.get(draw, Exact(0)) / c
    return found


def _groups(leaves: Sequence[Linear], region: Region) -> list[list[int]]:
    """The places of numbers that share draws, or whose draws are tied by conditions."""
    tied = [(set(row.draws), list[int]()) for row in region.rows if len(row.draws) > 1]
    found: list[tuple[set[int], list[int]]] = []
    for draws, places in (*tied, *((set(leaf.terms), [place]) for place, leaf in enumerate(leaves))):
        met = [one for one in found if one[0] & draws]
        found = [one for one in found if not one[0] & draws]
        found.append((draws.union(*(one[0] for one in met)), sorted(sum((one[1] for one in met), places))))
    return sorted(places for _, places in found if places)


def _combination(leaf: Linear, pivots: Sequence[Linear]) -> list[Exact] | None:
    """The coefficients by which a number is a combination of others, which are independent; None where it is none."""
    draws = sorted({draw for one in (leaf, *pivots) for draw in one.terms})
    rows = [[one.terms.get(draw, Exact(0)) for one in (*pivots, leaf)] for draw in draws]
    reduced = _reduced(rows, len(pivots))
    if any(row[-1] != 0 for row in reduced[len(pivots) :]):
        return None
    return [row[-1] for row in reduced[: len(pivots)]]


def _inverted(leaves: Sequence[Linear], region: Region) -> Iterator[Linear]:
    """Numbers Z + shift, one for each draw, that are linear combinations of these."""
    draws = sorted({draw for leaf in leaves for draw in leaf.terms})
    is_tied = any(len(row.draws) > 1 and not set(row.draws).isdisjoint(draws) for row in region.rows)
    if is_tied or len(draws) != len(leaves):
        how = "tied by comparisons" if is_tied else f"made of {len(draws)} draws"
        raise TiedLeavesError(f"{len(leaves)} numbers are released that are {how}: release one of them")
    rows = _reduced([[*(leaf.terms.get(d, Exact(0)) for d in draws), leaf.shift] for leaf in leaves], len(draws))
    yield from (
        Linear({draw: Exact(1)}, row[-1], leaf.kind) for draw, row, leaf in zip(draws, rows, leaves, strict=True)
    )


def _reduced(given: Sequence[Sequence[Exact]], columns: int) -> list[list[Exact]]:
    """The rows in reduced form, of columns that are independent."""
    rows = [list(row) for row in given]
    for place in range(columns):
        pivot = next(one for one in range(place, len(rows)) if rows[one][place] != 0)
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [one / rows[place][place] for one in rows[place]]
        for other, row in enumerate(rows):
            if other != place and row[place] != 0:
                rows[other] = [a - row[place] * b for a, b in zip(row, rows[place], strict=True)]
    return rows
