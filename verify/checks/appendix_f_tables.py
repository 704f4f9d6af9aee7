"""Evidence for article, Appendix F, Lemmas 7 and 8: what permutations move, and how far apart tables are."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement, permutations, product

from mechanisms.permutation_counts import moved_counts
from spec.permutation_swapping import largest_stratum
from spec.tables import contingency_tables, margins_of_size, table_distance
from verify.engines.swapping.budget_sweep import one_stratum
from verify.engines.swapping.disjoint_tables import largest_distance, shifted_pair
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes


def _moved_records(slack: int) -> Evidence:
    scope = "every data set of one stratum with up to 5 records and four categories a side, every permutation"
    for margins in (u for n in range(1, 6) for u in one_stratum(n, 4)):
        columns = range(len(margins[1]))
        for x in contingency_tables(*margins):
            records = [(h, s) for h, row in enumerate(x) for s, count in enumerate(row) for _ in range(count)]
            for g in permutations(range(len(records))):
                cells = [[0] * len(columns) for _ in x]
                for i, j in enumerate(g):
                    cells[records[i][0]][records[j][1]] += 1
                moved = sum(i != j for i, j in enumerate(g))
                distance = table_distance(x, tuple(map(tuple, cells))) or 0
                if distance > max(0, moved - slack):
                    note = f"x = {x}, g = {g} on its records cell by cell"
                    witness = formula_witness(f"distance <= moved - {slack}", note=note, distance=distance, moved=moved)
                    return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("swapping.moved-records")
def moved_records() -> Evidence:
    """Lemma 7."""
    return _moved_records(0)


@refutes("swapping.moved-records", "k_g - 1 for k_g")
def fewer_moved_records() -> Evidence:
    """The mutant with a smaller bound."""
    return _moved_records(1)


def _disjoint(sizes: Iterable[int], below: int, scope: str) -> Evidence:
    """Whether every universe with largest margin at most (b − below)/2 has two tables at distance b."""
    checked = 0
    for b in sizes:
        sides = [side for side in margins_of_size(b, b) if 2 * max(side) <= b - below]
        for rows, columns in combinations_with_replacement(sides, 2):
            checked += 1
            if shifted_pair(rows, columns) is not None:
                continue
            largest, x, z = largest_distance(rows, columns)
            if largest < b:
                note = f"margins {rows} and {columns}: no two tables are further apart than {x} and {z}"
                witness = formula_witness("largest == b", note=note, largest=largest, b=b)
                return Evidence(Verdict.REFUTED, scope, f"b = {b}, {note}, at distance {largest}", witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} universes")


@checks("swapping.disjoint-tables.printed")
def disjoint_printed() -> Evidence:
    """Lemma 8's existence as printed; a derangement g with distance b gives x and g(x) without a common cell."""
    return _disjoint(range(2, 13), 2, "every universe of one stratum with (18) and up to 12 records")


@checks("swapping.disjoint-tables")
def disjoint_small() -> Evidence:
    """Lemma 8's existence for b ≤ 11: by Lemma 5 two tables at distance b are a derangement apart."""
    return _disjoint(range(2, 12), 2, "every universe of one stratum with (18) and up to 11 records; b = 0 is trivial")


@refutes("swapping.disjoint-tables", "b/2 for b/2 - 1")
def disjoint_with_half() -> Evidence:
    """The mutant with a weaker hypothesis."""
    return _disjoint(range(2, 12), 0, "every universe with largest margin at most b/2 and up to 11 records")


def _only_if(below: int, *, of_all: bool = True) -> Evidence:
    """Whether a derangement at distance n_m0 (or b, where not `of_all`) asks for margins of at most half of it."""
    scope = "every universe of one stratum with up to 6 records and four categories a side"
    for margins in (u for n in range(1, 7) for u in one_stratum(n, 4)):
        n, largest, b = sum(margins[0]), max(map(max, margins)), largest_stratum([margins])
        asked = n if of_all else b
        if 2 * largest <= asked - below:
            continue
        for x, z in product(contingency_tables(*margins), repeat=2):
            if table_distance(x, z) == asked and moved_counts(x, z)[n]:
                note = f"x = {x} and g(x) = {z}"
                witness = formula_witness(f"margin <= (b - {below})/2", note=note, margin=largest, b=asked)
                return Evidence(Verdict.REFUTED, scope, f"b = {asked}, margins {margins}: {note}", witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("swapping.disjoint-tables.only-if.printed")
def only_if_printed() -> Evidence:
    """Lemma 8's converse as printed."""
    return _only_if(2)


@checks("swapping.disjoint-tables.only-if")
def only_if() -> Evidence:
    """The repaired converse."""
    return _only_if(0)


@refutes("swapping.disjoint-tables.only-if", "b/2 - 1 as printed")
def only_if_mutant() -> Evidence:
    """The mutant is the printed converse."""
    return _only_if(2)


@refutes("swapping.disjoint-tables.only-if", "b for n_m0, where b = 0 if all records are equal")
def only_if_without_distinct_records() -> Evidence:
    """The mutant in which two equal records may trade places."""
    return _only_if(0, of_all=False)
