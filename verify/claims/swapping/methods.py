"""Methods of swapping: what a finite budget under D_Mult asks of any of them (article, section 3.3).

A universe of one stratum is h, the holding values of its records, with the swapping values that they can have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from typing import Any

from mechanisms.broken.fixed_number_of_swaps import fixed_number_of_swaps
from mechanisms.exact_law import exact_law
from mechanisms.permutation_swapping import table_records
from spec.tables import Table, contingency_tables
from verify.claims.swapping.data_sets import Permutation, exchanges, universes
from verify.evidence import Witness
from verify.ledger.answers import argued
from verify.ledger.failures import failure
from verify.ledger.quantifiers import Cases, cases, every
from verify.ledger.statement import incomplete, state
from verify.ledger.words import define

Values = tuple[Any, ...]
"""The values of one variable, record by record."""

Released = tuple[tuple[Any, ...], ...]
"""A swapped data set up to the order of its records."""

define(
    {
        "released_data(h, v)": "sorted(zip(h, v))",
        "after_m_swaps(h, v, m)": "set(released_data(h, w) for w in after_swaps(v, m))",
        "within_m_swaps(h, v, m)": "set(z for k in range(m + 1) for z in after_m_swaps(h, v, k))",
        "possible_outputs(h, v, drawn)": "set(released_data(h, [v[j] for j in g]) for g in drawn)",
    }
)


def _columns(tables: Collection[Table]) -> tuple[Values, tuple[Values, ...]]:
    """The holding values of the records of a universe, and their swapping values in each of its tables."""
    columns = [tuple(zip(*table_records(t), strict=True)) for t in tables]
    return columns[0][1], tuple(swapping for _, _, swapping in columns)


def _released(h: Values, v: Values) -> Released:
    return tuple(sorted(zip(h, v, strict=True)))


def fixed_swaps(h: Values, universe: tuple[Values, ...], m: int) -> Witness | None:
    """After m swaps of two records each, chosen uniformly, some output is possible from x and impossible from x'."""
    data = ([(0, *record) for record in zip(h, v, strict=True)] for v in universe)
    if len({frozenset(exact_law(fixed_number_of_swaps, x, swaps=m)) for x in data}) > 1:
        return None
    claimed = "any(after_m_swaps(h, v, m) != after_m_swaps(h, w, m) for v in universe for w in universe)"
    return failure(claimed, h=h, universe=universe, m=m)


@cases(
    "one stratum, up to 4 records, at least two tables, 0 to 3 uniform swaps of two distinct records", "h universe m"
)
def fixed_numbers() -> Iterator[tuple[Any, ...]]:
    for tables in universes(4, first=2):
        if len(tables) > 1:
            yield from ((*_columns(tables), m) for m in range(4))


def _one_universe(rows: Values, columns: Values) -> Cases:
    scope = f"{sum(rows)} records with margins {rows} and {columns}, 0 to 8 swaps"
    universe = _columns(contingency_tables(rows, columns))
    return cases(scope, "h universe m")(lambda: ((*universe, m) for m in range(9)))


state(
    "swapping.fixed-swaps.printed",
    "article, section 3.3",
    "dissertation, section 3.2.3",
    printed="… a swapping method cannot satisfy (X, D_cSwap, d_HamS^r, D_Mult) if the number of swaps it makes is "
    "fixed.",
    reading="with finite budgets, and X any set of data sets that all have the same common set of variables, as the "
    "section says; a swap is of two distinct records",
    grade=incomplete("X must have data sets that so many swaps cannot reach, such as two records that differ in both"),
    checks=[every(fixed_numbers, fixed_swaps)],
)

state(
    "swapping.fixed-swaps.unit-universe",
    "article, section 3.3",
    claim="If the universe of two records with row margins (1, 1) and column margins (1, 1) is in the multiverse, then "
    "a method that makes a fixed number of swaps, each of two distinct records, satisfies the flavor for no finite "
    "budget on that universe.",
    repairs="swapping.fixed-swaps.printed",
    checks=[every(_one_universe((1, 1), (1, 1)), fixed_swaps)],
    mutants={"three records with margins (2, 1) and (2, 1)": every(_one_universe((2, 1), (2, 1)), fixed_swaps)},
)


def _fewest(h: Values, v: Values) -> Mapping[Released, int]:
    """How many swaps lead from v to each data set: n less the cycles of the permutation that has the most."""
    found: dict[Released, int] = {}
    for g in permutations(range(len(v))):
        z = _released(h, tuple(v[j] for j in g))
        found[z] = min(found.get(z, len(v)), len(v) - _cycles(g))
    return found


def _cycles(g: Permutation) -> int:
    rest, cycles = set(g), 0
    while rest:
        place = min(rest)
        cycles += 1
        while place in rest:
            rest.remove(place)
            place = g[place]
    return cycles


@cases("one stratum, up to 4 records; what any method of at most m swaps can give, m = 0, 1, 2", "h v w z m")
def one_swap_further() -> Iterator[tuple[Any, ...]]:
    for tables in universes(4, first=2):
        h, universe = _columns(tables)
        fewest = {v: _fewest(h, v) for v in universe}
        for v, w in product(universe, repeat=2):
            yield from ((h, v, w, z, m) for z, m in fewest[v].items() if fewest[w][z] == m + 1)


def within_reach(h: Values, v: Values, w: Values, z: Released, m: int, *, more: int) -> Witness | None:
    """At most m swaps can lead from x to z, and at most m + more cannot lead from x' to z."""
    if z in _within(h, v, m) and z not in _within(h, w, m + more):
        return None
    claimed = "z in within_m_swaps(h, v, m) and not z in within_m_swaps(h, w, m + more)"
    return failure(claimed, h=h, v=v, w=w, z=z, m=m, more=more)


@cache
def _within(h: Values, v: Values, m: int) -> frozenset[Released]:
    return frozenset(_released(h, w) for k in range(m + 1) for w in exchanges(v, k))


state(
    "swapping.fixed-swaps.argument.printed",
    "article, section 3.3",
    "dissertation, section 3.2.3",
    printed="To see this, suppose that a possible output data set z differs from x in D_0 by m swaps and from x' in "
    "D_0 by m+1 swaps. If the swapping methods allows a maximum of m swaps, then z has nonzero probability given x as "
    "input but zero probability given x', thereby violating eps_D-DP(X, D_cSwap, d_HamS^r, D_Mult) for any finite "
    "eps_D0.",
    reading="possible: given x, as the conclusion has it; data sets differ by the fewest swaps that lead from one to "
    "the other. P_x(z) > 0 = P_x'(z) makes D_Mult infinite at a finite distance",
    checks=[every(one_swap_further, within_reach, more=0)],
    mutants={"at most m + 1 swaps": every(one_swap_further, within_reach, more=1)},
)


def _methods(*, may_stay: bool) -> Iterator[Mapping[Table, Mapping[Table, Fraction]]]:
    """What a method gives from each table of a universe: any law, as a permutation leads to every table (Lemma 5)."""
    for margins in ((1, 1), (2, 2)):
        tables = contingency_tables(margins, margins)
        weights = (w for w in product(range(4), repeat=len(tables)) if sum(w) == 3)
        laws = [{z: Fraction(n, 3) for z, n in zip(tables, w, strict=True) if n} for w in weights]
        for chosen in product(laws, repeat=len(tables)):
            method = dict(zip(tables, chosen, strict=True))
            if not may_stay or all(x in method[x] for x in tables):
                yield method


_THIRDS = "universes of two and three tables, all methods whose probabilities are multiples of 1/3"


@cases(_THIRDS, "method")
def any_method() -> Iterator[Any]:
    return _methods(may_stay=False)


@cases(f"{_THIRDS} and that leave every data set unchanged with nonzero probability", "method")
def method_that_may_stay() -> Iterator[Any]:
    return _methods(may_stay=True)


def full_support(method: Mapping[Table, Mapping[Table, Fraction]]) -> Witness | None:
    """If the loss is finite, any x' has a nonzero probability given any x."""
    if len({frozenset(law) for law in method.values()}) > 1 or all(len(law) == len(method) for law in method.values()):
        return None
    claimed = (
        "any(likelihood_ratio(method[x], method[y]) == oo for x in method for y in method) "
        "or all(get(method[x], z, 0) > 0 for x in method for z in method)"
    )
    return failure(claimed, method=method)


state(
    "swapping.full-support.printed",
    "article, section 3.3",
    "dissertation, section 3.2.3",
    printed="More generally, a necessary condition for a swapping method to satisfy eps_D-DP(X, D_cSwap, d_HamS^r, "
    "D_Mult) for finite eps_D0 is that, given input x in D_0, any data set x' in D_0 has a nonzero probability of "
    "being outputted (up to reordering of the rows of x').",
    reading="a method may select and interchange by what the data are, as the 2010 one does by risk scores",
    grade=incomplete("that x may stay as it is, or that what is drawn does not depend on the data; the PSA has both"),
    checks=[every(any_method, full_support)],
)

state(
    "swapping.full-support.unchanged",
    "article, section 3.3",
    claim="If a method leaves every x in D_0 unchanged with nonzero probability, then a finite budget on D_0 requires "
    "that, given any x in D_0, every x' in D_0 has a nonzero probability of being outputted.",
    repairs="swapping.full-support.printed",
    checks=[every(method_that_may_stay, full_support)],
    mutants={"without the hypothesis": every(any_method, full_support)},
)


@cases("one stratum of 2 or 3 records, every set of permutations that may be drawn", "h ordered drawn")
def drawn_sets() -> Iterator[tuple[Any, ...]]:
    for n in (2, 3):
        all_drawn = list(permutations(range(n)))
        drawn = list(chain.from_iterable(combinations(all_drawn, size) for size in range(1, len(all_drawn) + 1)))
        for h, v in product(combinations_with_replacement(range(n), n), repeat=2):
            ordered = tuple(dict.fromkeys(permutations(v)))
            yield from ((h, ordered, chosen) for chosen in drawn)


def drawn_alike(h: Values, ordered: tuple[Values, ...], drawn: Any, *, finite: bool) -> Witness | None:
    """If the permutation is drawn alike for all data sets and the loss is finite (or any), all outputs are possible."""
    outputs = [{_released(h, tuple(v[j] for j in g)) for g in drawn} for v in ordered]
    universe = {_released(h, v) for v in ordered}
    if all(one == universe for one in outputs) or (finite and any(one != outputs[0] for one in outputs)):
        return None
    claimed = "all(possible_outputs(h, v, drawn) == set(released_data(h, w) for w in ordered) for v in ordered)"
    if finite:
        claimed += (
            " or any(possible_outputs(h, v, drawn) != possible_outputs(h, w, drawn) for v in ordered for w in ordered)"
        )
    return failure(claimed, h=h, ordered=ordered, drawn=drawn)


state(
    "swapping.full-support.data-independent",
    "article, section 3.3",
    claim="If a method draws its permutation from one law for all data sets of D_0, then a finite budget on D_0 "
    "requires that, given any x in D_0, every x' in D_0 has a nonzero probability of being outputted.",
    repairs="swapping.full-support.printed",
    checks=[
        every(drawn_sets, drawn_alike, finite=True),
        argued(
            "all sizes",
            proof="Write the data sets of D_0 with their holding values in one order, and let g have nonzero "
            "probability. Every such z is g(x) for x = g^-1(z), which is in D_0; so z is possible given some x. A "
            "finite budget makes the supports of all x equal, so z is possible given each.",
        ),
    ],
    mutants={"whatever the budget": every(drawn_sets, drawn_alike, finite=False)},
)
