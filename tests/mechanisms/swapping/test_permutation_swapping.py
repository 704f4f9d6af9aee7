"""What Coq computes with the program that `moved_counts.v` proves to be the PSA's law, against ours.

Coq evaluates its N_k and d(k) here, so first `make -C proofs`; the theorem says that
P_x(C(Z) = z) is Σ_k N_k·p^k(1−p)^(n−k)/((1 − n·p·(1−p)^(n−1))·d(k)), as `from_coq` writes it.
"""

import ast
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import check_refused, each
from started import compiled
from strategies import open_probabilities, tables

from stirred.mechanisms import exact_law, permutation_swapping, psa_law, psa_law_by_choices, saturated_table
from stirred.mechanisms.swapping.permutation_counts import derangements, likelihood, move_weights, moved_counts
from stirred.mechanisms.swapping.permutation_swapping import table_records
from stirred.spec import SYMBOL, contingency_tables
from stirred.spec.blocks.tables import Table, column_margins, row_margins
from stirred.spec.budgets.loss import ZERO, Loss
from stirred.spec.laws.law import point_mass
from stirred.spec.laws.law import product as joint
from stirred.verify.engines.swapping.loss import universe_loss

HALF = Fraction(1, 2)


def printed_law(records, p):
    """Algorithm 1 read literally: P(S) p^|S| (1-p)^(n-|S|), |S| != 1 renormalised, then a uniform derangement of S."""
    n = len(records)
    if n < 2:
        return {saturated_table(records): 1}
    mass = Counter()
    kept = Fraction(0)
    for chosen in product((False, True), repeat=n):
        selected = [i for i in range(n) if chosen[i]]
        if len(selected) == 1:
            continue
        weight = p ** len(selected) * (1 - p) ** (n - len(selected))
        kept += weight
        deranged = [o for o in permutations(selected) if all(a != b for a, b in zip(o, selected, strict=True))]
        for order in deranged:
            swapped = list(records)
            for i, j in zip(selected, order, strict=True):
                swapped[i] = (*records[i][:2], records[j][2])
            mass[saturated_table(swapped)] += weight / len(deranged)
    return {z: q / kept for z, q in mass.items() if q}


@given(tables(records=4), st.sampled_from([Fraction(0), Fraction(1, 20), HALF, Fraction(3, 4), Fraction(1)]))
def test_the_law_is_that_of_the_printed_algorithm(table, p):
    records = table_records(table)
    assert dict(exact_law(permutation_swapping, records, swap_rate=p)) == printed_law(records, p)


@pytest.mark.parametrize("p", [0, HALF, 1])
@pytest.mark.parametrize("table", [((0, 0), (0, 0)), ((0, 1), (0, 0)), ((1,),), ((3, 0),)])
def test_strata_with_nothing_to_swap_stay_as_they_are(table, p):
    assert psa_law_by_choices(table, p) == point_mass(table)


def test_two_records_swap_with_probability_p_squared_given_that_not_one_is_selected():
    x, z = ((1, 0), (0, 1)), ((0, 1), (1, 0))
    for p in (Fraction(0), Fraction(1, 3), Fraction(1)):
        swapped = p**2 / (p**2 + (1 - p) ** 2)
        law = psa_law_by_choices(x, p)
        assert (law[z], law[x]) == (swapped, 1 - swapped)


def test_the_probability_of_being_moved_is_p_times_the_printed_sum_over_the_acceptance():
    p, n = Fraction(1, 3), 4
    printed = p * sum(comb(n - 1, j) * p**j * (1 - p) ** (n - 1 - j) for j in range(1, n))
    records = tuple((0, i, i) for i in range(n))
    law = exact_law(permutation_swapping, records, swap_rate=p)
    moved = law.event(lambda z: ((0, 0, 0), 1) not in z)
    assert moved == printed / (1 - n * p * (1 - p) ** (n - 1))
    assert moved != printed


def test_at_rate_1_every_record_of_a_stratum_is_deranged():
    law = psa_law_by_choices(((1, 0, 0), (0, 1, 0), (0, 0, 1)), 1)
    cycles = ((0, 1, 0), (0, 0, 1), (1, 0, 0)), ((0, 0, 1), (1, 0, 0), (0, 1, 0))
    assert dict(law) == dict.fromkeys(cycles, HALF)


@given(tables(records=4), open_probabilities)
def test_margins_are_invariant_and_every_table_of_the_universe_is_possible(table, p):
    rows, columns = row_margins(table), column_margins(table)
    assert set(psa_law_by_choices(table, p)) == set(contingency_tables(rows, columns))


@given(tables(records=3), open_probabilities)
def test_the_open_rate_gives_the_law_at_every_rate(table, p):
    assert psa_law_by_choices(table, SYMBOL).at(p) == psa_law_by_choices(table, p)


@pytest.mark.parametrize("p", [0, 1])
@pytest.mark.parametrize("table", [((1, 0), (0, 1)), ((1, 1), (0, 1)), ((2, 0), (0, 2))])
def test_the_open_law_continues_to_the_ends(table, p):
    assert psa_law_by_choices(table, SYMBOL).at(Fraction(p)) == psa_law_by_choices(table, p)


@given(tables(records=3), tables(records=2), open_probabilities)
def test_strata_are_independent(first, second, p):
    records = table_records(first) + tuple((1, h, s) for _, h, s in table_records(second))
    law = exact_law(permutation_swapping, records, swap_rate=p)
    parts = [exact_law(permutation_swapping, [r for r in records if r[0] == m], swap_rate=p) for m in (0, 1)]
    assert law == joint(*parts).push(lambda pair: tuple(sorted((*pair[0], *pair[1]), key=repr)))


@given(st.permutations(table_records(((1, 1), (1, 0)))))
def test_the_law_does_not_depend_on_the_order_of_records(records):
    expected = exact_law(permutation_swapping, table_records(((1, 1), (1, 0))), swap_rate=HALF)
    assert exact_law(permutation_swapping, records, swap_rate=HALF) == expected


def test_categories_may_be_any_labels():
    records = (("MA", "own", "Suffolk"), ("MA", "rent", "Essex"))
    law = exact_law(permutation_swapping, records, swap_rate=1)
    assert law == point_mass(saturated_table((("MA", "own", "Essex"), ("MA", "rent", "Suffolk"))))


rates = st.one_of(open_probabilities, st.sampled_from([Fraction(0), Fraction(1)]))


@given(tables(rows=2, columns=3, records=4), rates)
def test_counting_gives_the_law_of_the_program(table, p):
    assert psa_law(table, p) == psa_law_by_choices(table, p)


@given(tables(rows=3, columns=2, records=5))
def test_moved_counts_are_those_of_all_permutations(x):
    records = table_records(x)
    listed = Counter()
    for order in permutations(range(len(records))):
        cells = Counter((records[i][1], records[j][2]) for i, j in enumerate(order))
        z = tuple(tuple(cells[h, s] for s in range(2)) for h in range(3))
        listed[z, sum(i != j for i, j in enumerate(order))] += 1
    for z in contingency_tables(row_margins(x), column_margins(x)):
        assert moved_counts(x, z) == tuple(listed[z, k] for k in range(len(records) + 1))


def test_derangements_are_counted_by_listing():
    for k in range(7):
        listed = sum(all(i != j for i, j in enumerate(order)) for order in permutations(range(k)))
        assert derangements(k) == listed


@given(st.integers(0, 8), rates)
def test_move_weights_are_a_law_on_permutations(size, p):
    weights = move_weights(size, p)
    assert sum(comb(size, k) * derangements(k) * w for k, w in enumerate(weights)) == 1
    assert all(w >= 0 for w in weights)


RATES = (Fraction(1, 20), Fraction(1, 2), Fraction(4, 5))
FEW = range(2, 5)
MORE = range(5, 7)
CATEGORIES = 4

HEAD = """\
From mathcomp Require Import all_ssreflect.
From Stirred Require Import derangement moved_counts.
Set Printing Width 1000000.
Set Printing Depth 1000000.
"""

Margins = tuple[int, ...]
Counted = dict[tuple[Table, Table], tuple[int, ...]]


def evaluated(terms: Sequence[str]) -> list[list]:
    """The lists that Coq computes."""
    with tempfile.TemporaryDirectory() as folder:
        said = compiled(Path(folder), HEAD + "\n".join(f"Eval vm_compute in {term}." for term in terms) + "\n")
    values = [" ".join(each.split()).rsplit(" : ", 1)[0] for each in said.split("     = ")[1:]]
    return [ast.literal_eval(value.replace("[::", "[").replace(";", ",")) for value in values]


def as_list(numbers: Margins) -> str:
    return f"[:: {'; '.join(map(str, numbers))}]"


def as_table(records: Sequence[tuple[int, int]], rows: Margins, columns: Margins) -> Table:
    return tuple(tuple(records.count((h, s)) for s in range(len(columns))) for h in range(len(rows)))


@cache
def coq_derangements() -> tuple[int, ...]:
    return tuple(evaluated(["[seq der_rec k | k <- iota 0 7]"])[0])


@cache
def counted_by_coq(sizes: range) -> dict[tuple[Margins, Margins], Counted]:
    """The counts between each two tables of every universe of one stratum of these numbers of records."""
    pairs = [pair for n in sizes for pair in product([*margins(n, CATEGORIES, n)], repeat=2)]
    terms = [f"counted {as_list(rows)} {as_list(columns)}" for rows, columns in pairs]
    return {
        (rows, columns): {
            (as_table(x, rows, columns), as_table(z, rows, columns)): tuple(counts) for x, z, counts in triples
        }
        for (rows, columns), triples in zip(pairs, evaluated(terms), strict=True)
    }


def margins(total: int, parts: int, largest: int) -> Iterator[Margins]:
    if total == 0:
        yield ()
    elif parts:
        for first in range(min(total, largest), 0, -1):
            for rest in margins(total - first, parts - 1, first):
                yield (first, *rest)


def from_coq(counts: tuple[int, ...], p: Fraction) -> Fraction:
    n, d = len(counts) - 1, coq_derangements()
    accepted = 1 - n * p * (1 - p) ** (n - 1)
    return sum((c * p**k * (1 - p) ** (n - k) / (accepted * d[k]) for k, c in enumerate(counts) if c), Fraction(0))


by_size = pytest.mark.parametrize("sizes", [FEW, pytest.param(MORE, marks=pytest.mark.nightly)])


def test_derangements_are_those_of_coq() -> None:
    assert coq_derangements() == tuple(derangements(k) for k in range(7))


@by_size
def test_moved_counts_between_any_two_tables_are_those_of_coq(sizes: range) -> None:
    for (rows, columns), counted in counted_by_coq(sizes).items():
        assert counted.keys() == set(product(contingency_tables(rows, columns), repeat=2))
        for (x, z), counts in counted.items():
            assert moved_counts(x, z) == counts


@by_size
@pytest.mark.parametrize("p", RATES)
def test_the_law_is_that_of_coq(p: Fraction, sizes: range) -> None:
    for (rows, columns), counted in counted_by_coq(sizes).items():
        for x in contingency_tables(rows, columns):
            law = psa_law(x, p)
            assert {z: law[z] for z in law.support} == {
                z: from_coq(counts, p) for (start, z), counts in counted.items() if start == x
            }


@by_size
@pytest.mark.parametrize("p", RATES)
def test_the_loss_of_a_universe_is_that_of_coqs_counts(p: Fraction, sizes: range) -> None:
    for (rows, columns), counted in counted_by_coq(sizes).items():
        masses = {pair: from_coq(counts, p) for pair, counts in counted.items()}
        tables = contingency_tables(rows, columns)
        worst = ZERO
        for x, other, z in product(tables, repeat=3):
            if x != other and (ratio := masses[x, z] / masses[other, z]) > 1:
                worst = max(worst, Loss(ratio, distance(x, other)))
        assert universe_loss(rows, columns, p) == worst


def distance(x: Table, other: Table) -> int:
    return sum(max(0, a - b) for row, there in zip(x, other, strict=True) for a, b in zip(row, there, strict=True))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *each(lambda p: psa_law_by_choices([[1, 0], [0, 1]], p), [0.5, 2, -1, "1/2", None, True], "swap_rate must be"),
        *each(lambda table: psa_law_by_choices(table, HALF), [[], [[1], [1, 2]], [[-1]], [[0.5]], "ab"], "table"),
        (lambda: likelihood(((1, 0), (0, 1)), ((1, 1), (0, 0)), Fraction(1, 2)), "same margins"),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)
