"""Evidence for article, sections 2.2 to 2.4: universes, invariants that induce them, and what is left to compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

from spec.domain import FiniteDomain, multisets, ordered_data_sets
from spec.input_premetric import InputPremetric, hamming_ordered, hamming_unordered, symmetric_difference
from spec.law import point_mass
from spec.loss import INFINITE, ZERO, Loss
from spec.multiverse import Invariant, Universe, at_most, induced, vacuous
from spec.output_premetrics import Multiplicative, OutputPremetric, TotalVariation
from spec.tables import contingency_tables
from verify.engines.algebra.small_domains import (
    LAWS,
    LOSSES,
    SmallestBudgets,
    Table,
    domain_of,
    invariant_shapes,
    invariants,
    multiplicative_witness,
    premetric_tables,
    specification,
    universes,
)
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

Labels = Mapping[int, int]


def _disagreeing(table: Table, c: Labels) -> list[tuple[int, int]]:
    """The pairs at finite distance whose invariants differ."""
    return [(x, y) for (x, y), d in table.items() if d is not None and c[x] != c[y]]


def _equivalent_iff(claimed: Callable[[Table, Labels], bool], *, constant_too: bool) -> Evidence:
    """Whether 𝒟_c and {𝒳} have the same constraint matrix for every constant ε exactly where it is claimed."""
    scope = (
        f"two and three data sets, all {'' if constant_too else 'non-constant '}invariants up to relabelling, all "
        "premetrics with values in {1, oo}, eps in {0, ln 2, oo}, D_Mult"
    )
    for domain in (domain_of(2), domain_of(3)):
        shapes = invariant_shapes(domain)[0 if constant_too else 1 :]
        for c, table in product(shapes, premetric_tables(domain, (1, None))):
            classes, everything = induced(domain, c.__getitem__), vacuous(domain)
            same = all(
                specification(domain, dict.fromkeys(classes, eps), table).matrix()(x, y)
                == specification(domain, dict.fromkeys(everything, eps), table).matrix()(x, y)
                for eps in (LOSSES[0], LOSSES[1], INFINITE)
                for x, y in table
            )
            if same == claimed(table, c):
                continue
            lost = _disagreeing(table, c)
            detail = f"c = {dict(c)}, d = {dict(table)}: {'' if same else 'not '}equivalent"
            if lost:
                (x, y), laws = lost[0], {point: point_mass(c[point]) for point in domain}
                witness = multiplicative_witness(laws, x, y, table[x, y], ZERO)
            else:
                note = f"the pairs at finite distance that {{X}} compares and the invariants exclude: {detail}"
                witness = formula_witness("excluded > 0", excluded=len(lost), note=note)
            return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("invariants.nonvacuous")
def nonvacuous() -> Evidence:
    """The sentence as printed: never equivalent to {𝒳}."""
    return _equivalent_iff(lambda *_: False, constant_too=False)


@checks("invariants.nonvacuous.comparable")
def nonvacuous_where_comparable() -> Evidence:
    """Equivalent to {𝒳} iff no pair at finite distance disagrees."""
    return _equivalent_iff(lambda table, c: not _disagreeing(table, c), constant_too=True)


@refutes("invariants.nonvacuous.comparable", "d_X(x, x') = oo for some such pair instead of all")
def nonvacuous_where_some_pair_is_comparable() -> Evidence:
    """The mutant that asks for one incomparable pair only."""
    return _equivalent_iff(
        lambda table, c: any(d is None and c[x] != c[y] for (x, y), d in table.items()) or not _disagreeing(table, c),
        constant_too=True,
    )


Record = tuple[int, int, int]
"""(m, h, s): matching, holding and swapping category."""


def _holding_margins(data: tuple[Record, ...]) -> Hashable:
    return frozenset(Counter((m, h) for m, h, _ in data).items())


def _swapping_margins(data: tuple[Record, ...]) -> Hashable:
    return frozenset(Counter((m, s) for m, _, s in data).items())


def _neighbors_left(distance: int, *kept: Invariant) -> Evidence:
    """Whether no two data sets at this distance agree on the invariants, for bounded and unbounded neighbours."""
    scope = (
        f"all data sets of at most 3 records with two matching, two holding and two swapping categories; pairs at "
        f"distance {distance} for d_HamS and for the symmetric difference"
    )
    domain = multisets(tuple(product(range(2), repeat=3)), range(4))
    values = {x: tuple(c(x) for c in kept) for x in domain}
    for measure in (hamming_unordered("record"), symmetric_difference("record")):
        for x, y in combinations(domain, 2):
            if values[x] == values[y] and measure(x, y) == distance:
                note = f"{measure.name} of x = {x} and x' = {y}, which agree on the invariants"
                witness = formula_witness("distance > excluded", distance=distance, excluded=distance, note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{len(domain) * (len(domain) - 1) // 2} pairs, two relations")


@checks("invariants.neighbors-left")
def neighbors_left() -> Evidence:
    """The swapping invariants leave no neighbours."""
    return _neighbors_left(1, _holding_margins, _swapping_margins)


@refutes("invariants.neighbors-left", "the n_mh. alone")
def neighbors_left_with_one_margin() -> Evidence:
    """The mutant with half of the invariants."""
    return _neighbors_left(1, _holding_margins)


@refutes("invariants.neighbors-left", "no data sets at distance 2 are left either")
def neighbors_left_at_two() -> Evidence:
    """The mutant for two replaced records, where one swap leads."""
    return _neighbors_left(2, _holding_margins, _swapping_margins)


def _universe_functions(domain: FiniteDomain, *, own: bool) -> Iterator[dict[int, Universe]]:
    """All functions 𝒟(·) from data sets to universes, or those with x ∈ 𝒟(x)."""
    every = universes(domain)
    for values in product(every, repeat=len(domain)):
        function = dict(zip(domain.points, values, strict=True))
        if not own or all(point in universe for point, universe in function.items()):
            yield function


def _plausible(measure: OutputPremetric, budget: Any, *, own: bool) -> Evidence:
    """Whether no output is possible under x' and impossible under x, for x' ∈ 𝒟(x), at a finite budget."""
    scope = (
        f"two and three data sets, all universe functions{' with x in D(x)' if own else ''}, all mechanisms with 6 "
        f"laws, {measure.name} with PLB {budget}, d = 1"
    )
    needed = SmallestBudgets(measure)
    for size in (2, 3):
        domain = domain_of(size)
        table: Table = dict.fromkeys(permutations(range(size), 2), 1)
        functions = tuple(_universe_functions(domain, own=own))
        for kernel in product(range(len(LAWS)), repeat=size):
            enough = {
                universe: measure.at_most(needed.values[needed.of(universe, kernel, table)], budget)
                for universe in universes(domain)
            }
            laws = {point: LAWS[i] for point, i in enumerate(kernel)}
            for function in functions:
                if not all(enough[universe] for universe in function.values()):
                    continue
                for x, universe in function.items():
                    for y in universe:
                        if set(laws[y]) <= set(laws[x]):
                            continue
                        witness = multiplicative_witness(laws, y, x, 1, LOSSES[2])
                        shown = {point: sorted(image) for point, image in function.items()}
                        return Evidence(Verdict.REFUTED, scope, f"D(.) = {shown}, x = {x}, x' = {y}", witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("invariants.plausibility")
def plausibility() -> Evidence:
    """The sentence as printed, for any universe function, under pure privacy."""
    return _plausible(Multiplicative(), LOSSES[2], own=False)


@checks("invariants.plausibility.own-universe")
def plausibility_in_own_universe() -> Evidence:
    """With x ∈ 𝒟(x)."""
    return _plausible(Multiplicative(), LOSSES[2], own=True)


@refutes("invariants.plausibility.own-universe", "total variation for D_Mult")
def plausibility_under_total_variation() -> Evidence:
    """The mutant under an output premetric that is finite between laws of different supports."""
    return _plausible(TotalVariation(), Fraction(1, 2), own=True)


@refutes("invariants.plausibility.own-universe", "an infinite PLB")
def plausibility_without_budget() -> Evidence:
    """The mutant without a finite budget."""
    return _plausible(Multiplicative(), INFINITE, own=True)


def _refines(finer: Callable[[Labels, Labels], Invariant], coarser: Callable[[Labels, Labels], Invariant]) -> Evidence:
    """Whether one induced multiverse always refines another one."""
    scope = "all pairs of invariants on at most four data sets"
    for size in range(1, 5):
        domain = domain_of(size)
        for c, extra in product(invariants(domain), repeat=2):
            fine, coarse = induced(domain, finer(c, extra)), induced(domain, coarser(c, extra))
            if not fine.refines(coarse):
                universe = next(u for u in fine if not any(u <= other for other in coarse))
                most = max(len(universe & other) for other in coarse)
                note = "the data sets of a universe, and the most of them in one universe of the other multiverse"
                witness = formula_witness("size == within", size=len(universe), within=most, note=note)
                return Evidence(Verdict.REFUTED, scope, f"c = {dict(c)}, added {dict(extra)}", witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _both(c: Labels, extra: Labels) -> Invariant:
    return lambda x: (c[x], extra[x])


def _one(c: Labels, _: Labels) -> Invariant:
    return c.__getitem__


@checks("invariants.adding-refines")
def adding_refines() -> Evidence:
    """(c, c₂) against c."""
    return _refines(_both, _one)


@refutes("invariants.adding-refines", "the other way round")
def adding_coarsens() -> Evidence:
    """The mutant that takes fewer invariants for finer."""
    return _refines(_one, _both)


IntTable = tuple[tuple[int, ...], ...]


def _example_margins(table: IntTable) -> tuple[int, ...]:
    """(3): the column sums Σ_i x_i1, …, Σ_i x_in, then the row sums Σ_j x_1j, …, Σ_j x_mj."""
    return (*map(sum, zip(*table, strict=True)), *map(sum, table))


def _all_tables(rows: int, columns: int, total: int) -> Iterator[IntTable]:
    """All m × n tables with entries that sum to at most a total."""
    for cells in product(range(total + 1), repeat=rows * columns):
        if sum(cells) <= total:
            yield tuple(cells[i * columns : (i + 1) * columns] for i in range(rows))


def _margins(tabulate: Callable[[IntTable], tuple[int, ...]]) -> Evidence:
    """Whether c is N^(m×n) → N^(m+n) and its universes are the tables with the same row and column margins."""
    scope = "m, n <= 3, all tables of at most 3 records"
    for rows, columns in product(range(1, 4), repeat=2):
        domain = FiniteDomain(tuple(_all_tables(rows, columns, 3)))
        for universe in induced(domain, tabulate):
            x = next(iter(universe))
            margins = tuple(map(sum, x)), tuple(map(sum, zip(*x, strict=True)))
            same, length = contingency_tables(*margins), len(tabulate(x))
            note = f"x = {x}"
            if universe != frozenset(same):
                witness = formula_witness("compared == same", compared=len(universe), same=len(same), note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
            if length != rows + columns:
                witness = formula_witness("length == m + n", length=length, m=rows, n=columns, note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("invariants.margins")
def margins() -> Evidence:
    """Example 1 as printed."""
    return _margins(_example_margins)


@refutes("invariants.margins", "the row margins alone")
def margins_of_rows() -> Evidence:
    """The mutant without the column margins."""
    return _margins(lambda table: tuple(map(sum, table)))


def _inequality(invariant: Callable[[Callable[[int], int]], Invariant]) -> Evidence:
    """Whether two data sets share a universe iff both or neither satisfy f ≤ 0."""
    scope = "all functions f from three data sets to {-1, 0, 1}"
    domain = domain_of(3)
    for values in product((-1, 0, 1), repeat=3):
        compared = induced(domain, invariant(values.__getitem__))
        for x, y in combinations(domain, 2):
            if compared.compares(x, y) != ((values[x] <= 0) == (values[y] <= 0)):
                note = f"f = {values}, x = {x}, x' = {y}; 1 where f(x) <= 0, and where they share a universe"
                agree, share = int((values[x] <= 0) == (values[y] <= 0)), int(compared.compares(x, y))
                witness = formula_witness("agree == share", agree=agree, share=share, note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("invariants.inequality")
def inequality() -> Evidence:
    """(4) as printed."""
    return _inequality(at_most)


@refutes("invariants.inequality", "f(x) < 0 for f(x) <= 0")
def inequality_strict() -> Evidence:
    """The mutant with the strict inequality."""
    return _inequality(lambda f: at_most(lambda x: f(x) + 1))


def _bounded(ordered: Callable[[str], InputPremetric], unordered: Callable[[str], InputPremetric]) -> Evidence:
    """Whether (1) on {𝒳} binds data sets of equal size only, and is (1) on the multiverse of the size."""
    scope = "all data sets of at most 3 records of two kinds, as tuples and as multisets; D_Mult, eps in {0, ln 2, oo}"
    for domain, measure in (
        (ordered_data_sets(("a", "b"), range(4)), ordered("record")),
        (multisets(("a", "b"), range(4)), unordered("record")),
    ):
        table = {(x, y): measure(x, y) for x, y in permutations(domain, 2)}
        laws = {x: point_mass(len(x)) for x in domain}
        for budget in (ZERO, Loss(Fraction(2)), INFINITE):
            whole = specification(domain, dict.fromkeys(vacuous(domain), budget), table).matrix()
            by_size = specification(domain, dict.fromkeys(induced(domain, len), budget), table).matrix()
            for (x, y), distance in table.items():
                if whole(x, y) != by_size(x, y) or (len(x) != len(y) and whole(x, y) != INFINITE):
                    detail = f"x = {x}, x' = {y} at distance {distance}"
                    witness = multiplicative_witness(laws, x, y, distance, budget)
                    return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("invariants.bounded")
def bounded() -> Evidence:
    """The Hamming distances."""
    return _bounded(hamming_ordered, hamming_unordered)


@refutes("invariants.bounded", "the symmetric difference for the Hamming distance")
def bounded_by_symmetric_difference() -> Evidence:
    """The mutant that is unbounded privacy."""
    return _bounded(symmetric_difference, symmetric_difference)
