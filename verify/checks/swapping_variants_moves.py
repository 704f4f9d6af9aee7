"""Evidence for article, Appendix C.2 and section 6.2: other derangements, other strata, and noise around the swap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

from mechanisms.exact_law import exact_law
from mechanisms.permutation_counts import derangements, moved_counts
from mechanisms.permutation_swapping import SwapRecord, permutation_swapping, table_records
from mechanisms.swapping_variants.cell_key_perturbation import cell_key_after_swapping, one_more_or_less
from mechanisms.swapping_variants.noise_before_swapping import noise_before_swapping
from mechanisms.swapping_variants.nonuniform_derangements import nonuniform_swapping
from mechanisms.swapping_variants.probabilistic_matching import probabilistic_matching
from spec.law import Law
from spec.loss import ZERO, Loss
from spec.permutation_swapping import Margins
from spec.tables import Table, column_margins, contingency_tables, margins_of_size, row_margins
from verify.engines.swapping.loss import universe_loss
from verify.engines.swapping.variant_loss import (
    laws_of_tables,
    laws_on_universe,
    loss_of_laws,
    loss_witness,
    possibility_witness,
    small_universes,
)
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_LARGE = Loss(Fraction(10**6))
_RATE = Fraction(1, 3)
_ACROSS = Fraction(1, 10)
Laws = dict[Table, Law[Any]]
Cases = Iterator[tuple[str, Laws, Loss]]


def _within(cases: Cases, scope: str) -> Evidence:
    """Whether each loss is at most its stated finite budget."""
    checked = 0
    for setting, laws, claimed in cases:
        found = loss_of_laws(laws)
        checked += 1
        if found.loss > claimed:
            detail = f"{setting}: the loss is {found.loss}, not at most {claimed}"
            return Evidence(Verdict.REFUTED, scope, detail, loss_witness(found, claimed))
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} universes and settings")


def _finite(cases: Iterator[tuple[str, Laws]], scope: str) -> Evidence:
    """Whether each loss is finite."""
    checked, largest = 0, ZERO
    for setting, laws in cases:
        found = loss_of_laws(laws)
        checked += 1
        largest = max(largest, found.loss)
        if found.loss.is_infinite:
            return Evidence(Verdict.REFUTED, scope, setting, loss_witness(found, _LARGE))
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} universes; the largest loss is {largest}")


_BY_MOVED = (
    (16, 0, 4, 2, 1, 1),
    (1, 0, 5, 1, 3, 2),
    (1, 0, 1, 30, 1, 1),
    (7, 0, 7, 7, 7, 7),
)
"""The probability of one permutation by how many records it moves, up to a common factor."""


def _by_moved_records(spread: int) -> Evidence:
    """Whether the loss is at most the printed proviso's constant, divided by `spread`."""
    scope = "one stratum, n <= 5 records, at most 3 x 3 categories; four laws that give equal sizes equal probability"

    def cases() -> Cases:
        for margins in small_universes(5):
            n = sum(margins[0])
            for weights in _BY_MOVED:
                total = sum(weights[k] * comb(n, k) * derangements(k) for k in range(n + 1))
                laws = {x: _counted(x, margins, weights, total) for x in contingency_tables(*margins)}
                constant = _proviso_constant(weights[: n + 1])
                yield (
                    f"margins {margins}, weights {weights[: n + 1]}",
                    laws,
                    Loss(constant.gamma, constant.distance * spread),
                )

    return _within(cases(), scope)


def _counted(x: Table, margins: Margins, weights: Sequence[int], total: int) -> Law[Any]:
    mass = {}
    for z in contingency_tables(*margins):
        mass[z] = Fraction(sum(n * weights[k] for k, n in enumerate(moved_counts(x, z))), total)
    return Law(mass)


def _proviso_constant(weights: Sequence[int]) -> Loss:
    """The smallest c with w_k/w_k' ≤ e^(c·|k − k'|) for all sizes k and k' of derangements."""
    sizes = [k for k in range(len(weights)) if k != 1]
    ratios = [
        Loss(Fraction(weights[a], weights[b]), abs(a - b)) for a, b in product(sizes, sizes) if weights[a] > weights[b]
    ]
    return max(ratios, default=ZERO)


@checks("psa.variants.nonuniform.printed")
def nonuniform_as_printed() -> Evidence:
    """The proviso with its constant as the budget."""
    return _by_moved_records(1)


@refutes("psa.variants.nonuniform.printed", "half of the proviso's constant as the budget")
def nonuniform_with_half_the_constant() -> Evidence:
    """The mutant with a smaller budget."""
    return _by_moved_records(2)


@checks("psa.variants.nonuniform.proviso")
def nonuniform_proviso() -> Evidence:
    """The two 3-cycles of three distinct records: with k_g = k_g' the proviso's bound is exp(0)."""
    table = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    law = exact_law(nonuniform_swapping, table_records(table), weight=_favour_the_next, swap_rate=_RATE)
    high, low = (law.numeric(z) for z in (_cycled(1), _cycled(2)))
    note = "probabilities of the two derangements of three distinct records; c is the constant in O(|k_g - k_g'|)"
    witness = formula_witness("high <= exp(c * (3 - 3)) * low", note=note, high=high, low=low, c=10**6)
    return Evidence(Verdict.REFUTED, "three distinct records, weights 2 and 1; every constant c", note, witness)


def _cycled(step: int) -> tuple[tuple[SwapRecord, int], ...]:
    return tuple(((0, row, (row + step) % 3), 1) for row in range(3))


def _favour_the_next(record: SwapRecord, other: SwapRecord) -> int:
    """2 for a move that gives row i column i + 1 modulo 3, else 1."""
    return 2 if int(str(other[2])) == (int(str(record[1])) + 1) % 3 else 1


def _weighted(rate: Fraction | int) -> Evidence:
    scope = f"one stratum, n <= 4 records, at most 3 x 3 categories; weights 2 and 1 by category, p = {rate}"
    cases = (
        (f"margins {m}", laws_on_universe(nonuniform_swapping, m, weight=_favour_the_next, swap_rate=rate))
        for m in small_universes(4)
    )
    return _finite(cases, scope)


@checks("psa.variants.nonuniform.by-value")
def nonuniform_by_value() -> Evidence:
    """Weights by the categories of the two records."""
    return _weighted(_RATE)


@refutes("psa.variants.nonuniform.by-value", "p = 1 allowed")
def nonuniform_always() -> Evidence:
    """The mutant where all records are selected."""
    return _weighted(1)


def _two_strata(largest: int) -> Iterator[tuple[str, Margins, tuple[int, ...]]]:
    """Universes whose rows (m, h) lie in two matching strata, the first row in stratum 0."""
    for margins in small_universes(largest):
        for rest in product((0, 1), repeat=len(margins[0]) - 1):
            if any(rest):
                yield f"margins {margins}, rows in strata {(0, *rest)}", margins, (0, *rest)


def _matched_laws(program: Callable[..., Any], margins: Margins, strata: tuple[int, ...], **parameters: Any) -> Laws:
    return {
        table: exact_law(program, _in_strata(table, strata), swap_rate=_RATE, **parameters)
        for table in contingency_tables(*margins)
    }


def _in_strata(table: Table, strata: tuple[int, ...]) -> tuple[SwapRecord, ...]:
    return tuple((strata[int(str(row))], row, column) for _, row, column in table_records(table))


_STRATA = "two strata, n <= 4 records in all, at most 3 rows (m, h) and 3 swapping categories; alpha = 1/10, p = 1/3"


def _margins_kept(also_kept: tuple[str, ...]) -> Evidence:
    """Whether the stated margins are the same in every output, and n_m.s is not unless stated."""
    kept: dict[str, tuple[int, ...]] = {"n_mh.": (0, 1), "n_..s": (2,), **dict.fromkeys(also_kept, (0, 2))}
    changed = 0
    for setting, margins, strata in _two_strata(4):
        laws = _matched_laws(probabilistic_matching, margins, strata, across=_ACROSS)
        for table, law in laws.items():
            records = _in_strata(table, strata)
            for output in law:
                after = [record for record, count in output for _ in range(count)]
                changed += _margin(after, (0, 2)) != _margin(records, (0, 2))
                for name, places in kept.items():
                    if _margin(after, places) != _margin(records, places):
                        note = f"{setting}: {name} of {records} and of its output {output}"
                        witness = formula_witness("differing == 0", note=note, differing=1)
                        return Evidence(Verdict.REFUTED, _STRATA, note, witness)
    if not changed:
        note = "outputs with another n_m.s"
        return Evidence(Verdict.REFUTED, _STRATA, note, formula_witness("changed > 0", note=note, changed=changed))
    return Evidence(Verdict.EXHAUSTED, _STRATA, f"n_m.s changed in {changed} outputs")


def _margin(records: Sequence[SwapRecord], places: tuple[int, ...]) -> list[tuple[str, ...]]:
    return sorted(tuple(str(record[place]) for place in places) for record in records)


@checks("psa.variants.cross-strata.invariants")
def cross_strata_invariants() -> Evidence:
    """The margins of the data set and of every output."""
    return _margins_kept(())


@refutes("psa.variants.cross-strata.invariants", "n_m.s is kept too")
def cross_strata_invariants_of_hard_strata() -> Evidence:
    """The mutant with the PSA's invariants."""
    return _margins_kept(("n_m.s",))


def _populations(records: Sequence[SwapRecord]) -> Counter[str]:
    """The persons of each county s, where a household of stratum m has m + 1 persons."""
    persons: Counter[str] = Counter()
    for matching, _, county in records:
        persons[str(county)] += int(str(matching)) + 1
    return persons


def _counties(*, populations_kept: bool) -> Evidence:
    """Whether each county keeps its number of households, and whether all keep their total populations too."""
    scope = f"{_STRATA}; strata are households of one and of two persons, swapping categories counties"
    changed = 0
    for setting, margins, strata in _two_strata(4):
        for table, law in _matched_laws(probabilistic_matching, margins, strata, across=_ACROSS).items():
            records = _in_strata(table, strata)
            for output in law:
                after = [record for record, count in output for _ in range(count)]
                changed += _populations(after) != _populations(records)
                note = f"{setting}: {records} and its output {output}"
                if _margin(after, (2,)) != _margin(records, (2,)):
                    witness = formula_witness("differing == 0", note=f"household counts: {note}", differing=1)
                    return Evidence(Verdict.REFUTED, scope, note, witness)
                if populations_kept and changed:
                    county = next(iter(_populations(after) - _populations(records)))
                    persons, persons_after = _populations(records)[county], _populations(after)[county]
                    values = {"persons": persons, "persons_after": persons_after}
                    witness = formula_witness("persons == persons_after", note=f"county {county}: {note}", **values)
                    return Evidence(Verdict.REFUTED, scope, note, witness)
    if not changed:
        return Evidence(Verdict.OPEN, scope, "no output has other populations")
    return Evidence(Verdict.EXHAUSTED, scope, f"the populations changed in {changed} outputs")


@checks("psa.variants.cross-strata.printed")
def county_counts() -> Evidence:
    """Household counts stay, total populations do not."""
    return _counties(populations_kept=False)


@refutes("psa.variants.cross-strata.printed", "the countywide total populations are invariant too")
def county_populations() -> Evidence:
    """The mutant in which they stay."""
    return _counties(populations_kept=True)


def _across(program: Callable[..., Any], **parameters: Any) -> Evidence:
    cases = ((setting, _matched_laws(program, m, strata, **parameters)) for setting, m, strata in _two_strata(4))
    return _finite(cases, _STRATA)


@checks("psa.variants.cross-strata.budget")
def cross_strata() -> Evidence:
    """Moves across strata with a positive weight."""
    return _across(probabilistic_matching, across=_ACROSS)


@refutes("psa.variants.cross-strata.budget", "alpha = 0, which is the PSA with hard strata")
def hard_strata() -> Evidence:
    """The mutant that never leaves a stratum."""
    return _across(permutation_swapping)


def _tables_with_rows(rows: tuple[int, ...], columns: int) -> tuple[Table, ...]:
    """All tables with these row margins."""
    size = sum(rows)
    lines = [[line for line in product(range(size + 1), repeat=columns) if sum(line) == row] for row in rows]
    return tuple(product(*lines))


def _noise(spread: int) -> Evidence:
    scope = "one stratum, n <= 2 records, 2 or 3 swapping categories; r = 1/5, 1/2 and p = 0, 1/3, 1"

    def cases() -> Cases:
        for rows in (rows for n in (1, 2) for rows in margins_of_size(n, 2)):
            for k, r, p in product((2, 3), (Fraction(1, 5), Fraction(1, 2)), (0, _RATE, 1)):
                tables = _tables_with_rows(rows, k)
                laws = laws_of_tables(noise_before_swapping, tables, categories=range(k), replace_rate=r, swap_rate=p)
                yield f"rows {rows}, k = {k}, r = {r}, p = {p}", laws, Loss(1 + k * (1 - r) / r, spread)

    return _within(cases(), scope)


@checks("psa.variants.noise-before")
def noise_before() -> Evidence:
    """Randomized response pays alone for what the swap no longer keeps."""
    return _noise(1)


@refutes("psa.variants.noise-before", "half of the budget")
def noise_before_at_half_the_budget() -> Evidence:
    """The mutant with a smaller budget."""
    return _noise(2)


def _perturbed(spread: int) -> Evidence:
    scope = "one stratum, n <= 3 records, at most 3 x 3 categories; counts changed by at most one; p = 1/20, 1/2, 19/20"

    def cases() -> Cases:
        for margins, p in product(small_universes(3), (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))):
            laws = laws_on_universe(cell_key_after_swapping, margins, perturbation=one_more_or_less, swap_rate=p)
            budget = universe_loss(*margins, p)
            yield f"margins {margins}, p = {p}", laws, Loss(budget.gamma, budget.distance * spread)

    return _within(cases(), scope)


@checks("psa.variants.cell-key.after")
def cell_key_after() -> Evidence:
    """Against the PSA's exact loss."""
    return _perturbed(1)


@refutes("psa.variants.cell-key.after", "half of the PSA's smallest budget")
def cell_key_at_half_the_budget() -> Evidence:
    """The mutant with a smaller budget."""
    return _perturbed(2)


def _unions(*, different_margins: bool) -> Evidence:
    """Whether the loss on the union of two universes of equal size is infinite."""
    scope = "one stratum, n <= 3 records, 2 x 2 categories, some perhaps empty; counts changed by at most one; p = 1/3"
    checked = 0
    for size in range(1, 4):
        tables = _tables_with_rows((size,), 4)
        grid = tuple(((a, b), (c, d)) for ((a, b, c, d),) in tables)
        laws = laws_of_tables(cell_key_after_swapping, grid, perturbation=one_more_or_less, swap_rate=_RATE)
        universes: dict[Margins, list[Table]] = {}
        for table in grid:
            universes.setdefault((row_margins(table), column_margins(table)), []).append(table)
        pairs = combinations(universes, 2) if different_margins else ((m, m) for m in universes)
        for first, second in pairs:
            checked += 1
            found = loss_of_laws({table: laws[table] for table in (*universes[first], *universes[second])})
            if not found.loss.is_infinite:
                note = f"margins {first} and {second}: the loss is {found.loss}"
                return Evidence(Verdict.REFUTED, scope, note, possibility_witness(found, note))
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} pairs of universes")


@checks("psa.variants.cell-key.invariants")
def cell_key_invariants() -> Evidence:
    """Two universes at once."""
    return _unions(different_margins=True)


@refutes("psa.variants.cell-key.invariants", "equal margins")
def cell_key_inside_a_universe() -> Evidence:
    """The mutant that stays in one universe."""
    return _unions(different_margins=False)
