from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import comb, factorial

import pytest
from hypothesis import given
from strategies import margins, tables

from stirred.spec import InputError, contingency_tables, count_tables
from stirred.spec.tables import check_table, column_margins, margins_of_size, row_margins, table_distance


@given(margins())
def test_enumeration_is_complete_distinct_and_ordered(rows_and_columns):
    rows, columns = rows_and_columns
    found = contingency_tables(rows, columns)
    assert list(found) == sorted(set(found))
    assert len(found) == count_tables(rows, columns)
    assert all((row_margins(t), column_margins(t)) == (rows, columns) for t in found)
    records = [s for s, n in enumerate(columns) for _ in range(n)]
    holding = [h for h, n in enumerate(rows) for _ in range(n)]
    reached = set()
    for order in set(permutations(records)):
        cells = Counter(zip(holding, order, strict=True))
        reached.add(tuple(tuple(cells[h, s] for s in range(len(columns))) for h in range(len(rows))))
    assert set(found) == reached


def test_zero_margins_are_kept_as_empty_rows_and_columns():
    assert contingency_tables((0, 2), (2, 0, 0)) == (((0, 0, 0), (2, 0, 0)),)
    assert contingency_tables((0,), (0, 0)) == (((0, 0),),)


@pytest.mark.parametrize(
    ("rows", "columns", "count"), [((3, 3), (3, 3), 4), ((1, 1, 1), (1, 1, 1), 6), ((2, 2, 2), (2, 2, 2), 21)]
)
def test_counts_of_known_tables(rows, columns, count):
    # 2 x 2: min + 1; permutation matrices: 3!; 3 x 3 with margins 2: 21 (magic squares, MacMahon)
    assert count_tables(rows, columns) == count


def test_margins_with_hopelessly_many_tables_are_refused_at_once():
    # the first row alone: C(10^5 + 2, 2) fills, none of which meets another bound
    with pytest.raises(InputError, match=f"at least {comb(100_002, 2)}"):
        count_tables((10**5,) * 3, (10**5,) * 3)
    assert count_tables((1,) * 12, (1,) * 12) == factorial(12)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [((1,), (2,)), ((), ()), ((1, -1), (0,)), ((1.0,), (1,)), ((True,), (1,)), ("1", "1"), ((Fraction(1),), (1,))],
)
def test_margins_that_no_table_has_are_refused(rows, columns):
    for function in (contingency_tables, count_tables):
        with pytest.raises(InputError):
            function(rows, columns)


@pytest.mark.parametrize("bad", [[], [[]], [[1], [1, 2]], [[-1]], [[0.5]], "12", [1, 2], None, [["1"]]])
def test_what_is_no_table_is_refused(bad):
    with pytest.raises(InputError, match=r"^table"):
        check_table("table", bad)


@given(tables(), tables())
def test_distance_counts_the_records_that_differ(x, z):
    records = [Counter({(i, j): n for i, row in enumerate(t) for j, n in enumerate(row)}) for t in (x, z)]
    expected = (records[0] - records[1]).total() if sum(map(sum, x)) == sum(map(sum, z)) else None
    assert table_distance(x, z) == expected == table_distance(z, x)


@pytest.mark.parametrize("other", [((1, 0, 0), (0, 1, 0)), ((1, 1),), ((1,), (1,))])
def test_tables_of_different_shapes_are_not_compared(other):
    with pytest.raises(InputError, match="tables must have the same rows and columns"):
        table_distance(((1, 0), (0, 1)), other)


@given(margins(4))
def test_inside_a_universe_the_distance_is_never_1(rows_and_columns):
    # one changed record would change a margin
    universe = contingency_tables(*rows_and_columns)
    assert 1 not in {table_distance(x, z) for x, z in product(universe, universe)}


def test_margins_of_a_size_are_the_partitions():
    assert margins_of_size(4, 4) == ((4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1))
    assert [len(margins_of_size(n, n)) for n in range(1, 8)] == [1, 2, 3, 5, 7, 11, 15]
    with pytest.raises(InputError, match="total must be at least 1"):
        margins_of_size(0, 1)
