"""Hypothesis strategies of the project's objects; every test draws them from here."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

from hypothesis import strategies as st

from stirred.mechanisms.das.topdown.nearest import Constraint, NearestPoint, Square
from stirred.mechanisms.swapping.pairwise.policy import (
    AboveFeasible,
    BlockLocation,
    Counted,
    DistanceTies,
    Excluded,
    Participation,
    RiskTies,
    Rounding,
    SwapPolicy,
    UniquenessRegion,
)
from stirred.spec import FiniteDomain, InputPremetric, Law, Loss, Multiverse
from stirred.spec.blocks.input_premetric import explicit
from stirred.spec.blocks.tables import Table, column_margins, row_margins


def fractions(low: int = 0, high: int = 10) -> st.SearchStrategy[Fraction]:
    """Rationals with small denominators."""
    return st.fractions(low, high, max_denominator=12)


probabilities = fractions(0, 1)
open_probabilities = st.builds(lambda a, b: Fraction(a, a + b), st.integers(1, 9), st.integers(1, 9))
gammas = st.builds(lambda a, b: 1 + Fraction(a, b), st.integers(0, 8), st.integers(1, 8))
losses = st.one_of(st.builds(Loss, gammas, st.integers(1, 5)), st.just(Loss(None)))
distances = st.one_of(st.none(), fractions(0, 4))


@st.composite
def laws(draw: st.DrawFn, outcomes: int = 4, *, positive: bool = False) -> Law[int]:
    """Laws on 0, …, outcomes−1 with small integer weights."""
    least = 1 if positive else 0
    weights = draw(st.lists(st.integers(least, 6), min_size=outcomes, max_size=outcomes).filter(any))
    return Law({t: Fraction(w, sum(weights)) for t, w in enumerate(weights)})


@st.composite
def tables(draw: st.DrawFn, *, rows: int = 2, columns: int = 2, records: int = 4) -> Table:
    """Two-way tables of counts with at most this many records; margins may be zero."""
    cell = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    held = Counter(draw(st.lists(cell, max_size=records)))
    return tuple(tuple(held[i, j] for j in range(columns)) for i in range(rows))


@st.composite
def margins(draw: st.DrawFn, records: int = 5) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Row and column margins with one total, zero margins included."""
    shape = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    table = draw(tables(rows=shape[0], columns=shape[1], records=records))
    return row_margins(table), column_margins(table)


@st.composite
def premetrics(draw: st.DrawFn, points: int = 4) -> tuple[FiniteDomain, InputPremetric]:
    """Premetrics on 0, …, points−1 given as a table: asymmetric, with distances 0 and ∞."""
    domain = FiniteDomain(tuple(range(points)))
    table = {(x, y): draw(distances) for x in domain for y in domain if x != y}
    return domain, explicit(table, "record")


@st.composite
def multiverses(draw: st.DrawFn, points: int = 4) -> Multiverse:
    """Multiverses on 0, …, points−1: universes may overlap, be singletons or empty, and leave points uncovered."""
    subsets: list[Any] = list(chain.from_iterable(combinations(range(points), k) for k in range(points + 1)))
    return Multiverse(draw(st.lists(st.sampled_from(subsets), unique=True, max_size=4)))


def events(outcomes: int) -> list[tuple[int, ...]]:
    """All events on 0, …, outcomes−1."""
    return list(chain.from_iterable(combinations(range(outcomes), k) for k in range(outcomes + 1)))


@st.composite
def swap_states(
    draw: st.DrawFn, households: int = 9
) -> tuple[tuple[tuple[int, int, int], ...], dict[int, BlockLocation]]:
    """Households (key, held, block) of one state, with its blocks: few keys and places, so that ties are common."""
    blocks = draw(
        st.lists(
            st.builds(BlockLocation, st.integers(0, 2), st.integers(-2, 2), st.integers(0, 1)), min_size=1, max_size=6
        )
    )
    household = st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, len(blocks) - 1))
    return tuple(draw(st.lists(household, max_size=households))), dict(enumerate(blocks))


@st.composite
def swap_policies(draw: st.DrawFn) -> SwapPolicy:
    """Every decision of 2010-style swapping, of those that refuse no data and no rate."""
    coins = st.sampled_from([Fraction(0), Fraction(3, 10), Fraction(1)])
    return SwapPolicy(
        closest=draw(st.sampled_from([1, 2, 3, None])),
        swap_probabilities=(draw(coins), draw(coins), draw(coins), Fraction(1)),
        region=draw(st.sampled_from(UniquenessRegion)),
        risk_ties=draw(st.sampled_from(RiskTies)),
        rounding=draw(st.sampled_from(Rounding)),
        above_feasible=AboveFeasible.SHORTEN,
        distance_ties=draw(st.sampled_from(DistanceTies)),
        participation=draw(st.sampled_from(Participation)),
        counted=draw(st.sampled_from(Counted)),
        excluded=draw(st.sampled_from(Excluded)),
    )


LARGEST_VALUE = 3


@st.composite
def nearest_points(draw: st.DrawFn) -> NearestPoint:
    """Up to four variables from 0 to 3, further random constraints, up to four squares about the decided ones."""
    size = draw(st.integers(1, 4))
    decided = draw(st.integers(1, size))

    def terms(among: int) -> tuple[tuple[int, int], ...]:
        entries = [draw(st.integers(-2, 2)) for _ in range(among)]
        return tuple((variable, entry) for variable, entry in enumerate(entries) if entry)

    box = [Constraint(f"box {variable}", ((variable, 1),), None, LARGEST_VALUE) for variable in range(size)]
    limits = st.one_of(st.none(), st.integers(-4, 6))
    more = [Constraint(f"row {i}", terms(size), draw(limits), draw(limits)) for i in range(draw(st.integers(0, 3)))]
    squares = [
        Square(terms(decided), draw(st.integers(-5, 9)), draw(st.integers(1, 5)))
        for _ in range(draw(st.integers(0, 4)))
    ]
    return NearestPoint(size, decided, (*box, *more), tuple(squares), draw(st.booleans()))


def _families(draw: st.DrawFn, variables: Sequence[int]) -> list[tuple[int, ...]]:
    """Sets of variables that nest: some of these, parts of them, and so on."""
    if not variables or not draw(st.booleans()):
        return []
    middle = draw(st.integers(0, len(variables)))
    parts = _families(draw, variables[:middle]) + _families(draw, variables[middle:])
    return [tuple(variables), *parts]


@st.composite
def nested_points(draw: st.DrawFn) -> NearestPoint:
    """Squares and constraints on sums over two nested families of up to five variables; some have one value."""
    size = draw(st.integers(1, 5))
    families = [_families(draw, draw(st.permutations(range(size)))) for _ in range(2)]
    point = [draw(st.integers(0, LARGEST_VALUE)) for _ in range(size)]
    constraints = [Constraint(f"box {variable}", ((variable, 1),), None, LARGEST_VALUE) for variable in range(size)]
    constraints += [
        Constraint(f"fixed {variable}", ((variable, 1),), value, value)
        for variable, value in enumerate(point)
        if draw(st.integers(0, 4)) == 0
    ]
    squares = []
    for sets in (*families, [(variable,) for variable in range(size)]):
        for one in sets:
            sign, value = draw(st.sampled_from((1, -1))), sum(point[variable] for variable in one)
            terms = tuple((variable, sign) for variable in one)
            sides = sorted((sign * value - draw(st.integers(0, 1)), sign * value + draw(st.integers(0, 1))))
            if draw(st.booleans()):
                lower, upper = draw(st.sampled_from(((sides[0], sides[1]), (sides[0], None), (None, sides[1]))))
                constraints.append(Constraint(f"sum of {one}", terms, lower, upper))
            if draw(st.booleans()):
                squares.append(Square(terms, sign * value + draw(st.integers(-6, 6)), draw(st.integers(1, 4))))
    return NearestPoint(size, size, tuple(constraints), tuple(squares), draw(st.booleans()))
