"""Evidence for article, section 3.3: what any swapping method must satisfy."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from mechanisms.broken.fixed_number_of_swaps import fixed_number_of_swaps
from mechanisms.exact_law import exact_law
from mechanisms.permutation_swapping import table_records
from spec.law import Law
from spec.permutation_swapping import Margins
from spec.tables import Table, contingency_tables
from verify.evidence import Evidence, formula_witness
from verify.ledger import checks, refutes
from verify.swapping.budget_sweep import one_stratum
from verify.verdict import Verdict


def _fixed_swap_laws(margins: Margins, swaps: int) -> dict[Table, Law[Any]]:
    return {x: exact_law(fixed_number_of_swaps, table_records(x), swaps=swaps) for x in contingency_tables(*margins)}


def _fixed_swaps(universes: Iterable[Margins], numbers: Iterable[int], scope: str) -> Evidence:
    """Whether a fixed number of swaps leaves, in each universe, an output possible from x and impossible from x'."""
    counts = tuple(numbers)
    for margins in universes:
        for swaps in counts:
            laws = _fixed_swap_laws(margins, swaps)
            outputs = {z for law in laws.values() for z in law}
            smallest = min(law.numeric(z) for law in laws.values() for z in outputs)
            if smallest > 0:
                note = (
                    f"{swaps} swap(s), margins {margins}: every output has at least this probability from every input"
                )
                return Evidence(
                    Verdict.REFUTED, scope, note, formula_witness("smallest == 0", note=note, smallest=smallest)
                )
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("swapping.fixed-swaps.printed")
def fixed_swaps_printed() -> Evidence:
    """The sentence as printed, over universes with at least two tables."""
    universes = (u for n in range(2, 5) for u in one_stratum(n, 4) if len(contingency_tables(*u)) > 1)
    scope = "one stratum, up to 4 records, at least two tables, 0 to 3 uniform swaps of two distinct records"
    return _fixed_swaps(universes, range(4), scope)


@checks("swapping.fixed-swaps.unit-universe")
def fixed_swaps_unit() -> Evidence:
    """The repaired sentence: with two records every swap exchanges the two tables."""
    return _fixed_swaps([((1, 1), (1, 1))], range(9), "two records with margins (1, 1) and (1, 1), 0 to 8 swaps")


@refutes("swapping.fixed-swaps.unit-universe", "three records with margins (2, 1) and (2, 1)")
def fixed_swaps_other() -> Evidence:
    """The mutant on another universe."""
    return _fixed_swaps([((2, 1), (2, 1))], range(9), "three records with margins (2, 1) and (2, 1), 0 to 8 swaps")


def _reached(margins: Margins, swaps: int) -> dict[Table, list[frozenset[Any]]]:
    """For each input, the outputs that exactly 0, 1, … swaps can give."""
    steps = [_fixed_swap_laws(margins, number) for number in range(swaps + 1)]
    return {x: [frozenset(laws[x]) for laws in steps] for x in contingency_tables(*margins)}


def _at_most_swaps(extra: int) -> Evidence:
    """Whether a z that m but no fewer swaps reach from x, and m+1 from x', is impossible from x'."""
    scope = "one stratum, up to 3 records, methods that make at most m swaps with m = 0, 1"
    pairs = 0
    for margins in (u for n in range(2, 4) for u in one_stratum(n, 4)):
        reached = _reached(margins, 2)
        first = {x: {z: i for i in (2, 1, 0) for z in steps[i]} for x, steps in reached.items()}
        for x, y, m in product(reached, reached, (0, 1)):
            for z in (z for z, number in first[x].items() if number == m and first[y].get(z) == m + 1):
                pairs += 1
                possible = {t for steps in reached[y][: m + 1 + extra] for t in steps}
                if z in possible:
                    note = f"x = {x}, x' = {y}, z = {z}, m = {m}: z is possible from x'"
                    return Evidence(Verdict.REFUTED, scope, note, formula_witness("ways == 0", note=note, ways=1))
    return Evidence(Verdict.EXHAUSTED, scope, f"{pairs} triples")


@checks("swapping.fixed-swaps.argument")
def at_most_m_swaps() -> Evidence:
    """The printed argument, under its own hypothesis."""
    return _at_most_swaps(0)


@refutes("swapping.fixed-swaps.argument", "at most m + 1 swaps")
def at_most_one_swap_more() -> Evidence:
    """The mutant with one swap more."""
    return _at_most_swaps(1)


def _full_support(*, may_stay: bool) -> Evidence:
    """Whether a finite loss needs full support, over all methods with these probabilities.

    Any table of a universe is a permutation away (Lemma 5), so a method on a universe is any family of laws on it.
    """
    scope = "universes of two and three tables, all methods whose probabilities are multiples of 1/3" + (
        " and that leave every data set unchanged with nonzero probability" if may_stay else ""
    )
    for size in (2, 3):
        weights = [w for w in product(range(4), repeat=size) if sum(w) == 3]
        for method in product(weights, repeat=size):
            if may_stay and any(method[x][x] == 0 for x in range(size)):
                continue
            supports = {tuple(map(bool, law)) for law in method}
            if len(supports) == 1 and not all(next(iter(supports))):
                note = f"{size} tables; laws by input in thirds: {method}; the loss is finite, an output is impossible"
                witness = formula_witness("probability > 0", note=note, probability=0)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("swapping.full-support.printed")
def full_support_printed() -> Evidence:
    """The sentence as printed: a method that always gives one table of the universe has loss 0."""
    return _full_support(may_stay=False)


@checks("swapping.full-support.unchanged")
def full_support_unchanged() -> Evidence:
    """The repaired sentence."""
    return _full_support(may_stay=True)


@refutes("swapping.full-support.unchanged", "without the hypothesis")
def full_support_without() -> Evidence:
    """The mutant is the printed sentence."""
    return _full_support(may_stay=False)
