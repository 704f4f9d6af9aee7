"""Data swapping: the Permutation Swapping Algorithm on the tables of one universe, with its margins released."""

import stirred

TABLES = stirred.tables_with_margins([((2, 1), (1, 2))])


@stirred.satisfies(
    data_sets=TABLES, distance="hamming_unordered", invariants=["swapping"], epsilon="ln(4/3)/2", swap_rate="1/2"
)
def swapped_table(strata, source, *, swap_rate):
    """The records after a random derangement of those selected to swap.

    Theorem 1 gives ln 4 for every universe whose largest stratum has three records; this one needs less.

    Source: article, Algorithm 1 and Theorem 1.
    """
    (table,) = strata
    records = [(row, column) for row, cells in enumerate(table) for column, n in enumerate(cells) for _ in range(n)]

    def choose(attempt):
        chosen = [place for place in range(len(records)) if attempt.bernoulli(swap_rate)]
        return tuple(chosen) if len(chosen) != 1 else attempt.restart()

    def derange(attempt):
        order = attempt.permutation(len(chosen))
        return order if all(place != other for place, other in enumerate(order)) else attempt.restart()

    chosen = source.attempt(choose)
    order = source.attempt(derange)
    columns = [column for _, column in records]
    for place, other in enumerate(order):
        columns[chosen[place]] = records[chosen[other]][1]
    swapped = sorted((row, column) for (row, _), column in zip(records, columns, strict=True))
    return tuple(swapped)
