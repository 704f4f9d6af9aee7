from itertools import combinations_with_replacement

import pytest

from stirred.spec.tables import column_margins, margins_of_size, row_margins, table_distance
from stirred.verify.engines.swapping.disjoint_tables import disjoint_pair, largest_distance, shifted_pair

UP_TO_SIX = [pair for n in range(1, 7) for pair in combinations_with_replacement(margins_of_size(n, 4), 2)]


@pytest.mark.parametrize(("rows", "columns"), UP_TO_SIX)
def test_a_pair_is_found_iff_two_tables_are_as_far_apart_as_there_are_records(rows, columns):
    pair = disjoint_pair(rows, columns)
    assert (pair is not None) == (largest_distance(rows, columns)[0] == sum(rows))


@pytest.mark.parametrize(("rows", "columns"), UP_TO_SIX)
def test_a_pair_has_the_margins_and_no_common_cell(rows, columns):
    for pair in filter(None, (disjoint_pair(rows, columns), shifted_pair(rows, columns))):
        assert all((row_margins(table), column_margins(table)) == (rows, columns) for table in pair)
        assert table_distance(*pair) == sum(rows)


def test_the_smallest_margins_of_lemma_8_without_a_pair_keep_two_records_in_common():
    assert largest_distance((5, 5, 2), (4, 4, 4))[0] == 10
