"""The cell key method: each count of a set of tables is changed by a p-table, by the sum of its records' keys."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from stirred.mechanisms.source import Source
from stirred.spec.arguments import integer
from stirred.spec.laws.p_table import PTable


@dataclass(frozen=True)
class TableSet:
    """Tables of counts of records, margins among them.

    Attributes:
        queries: the variables of each table; none for the number of all records.
        schema: each variable of a record, in order, with its values.
    """

    queries: tuple[tuple[str, ...], ...]
    schema: tuple[tuple[str, tuple[Any, ...]], ...]

    def cells(self) -> Iterator[tuple[tuple[int, ...], tuple[Any, ...]]]:
        """Each cell of each table: the places of its variables in a record, and its values."""
        names = [name for name, _ in self.schema]
        for query in self.queries:
            places = tuple(names.index(name) for name in query)
            yield from ((places, values) for values in product(*(self.schema[place][1] for place in places)))

    def __str__(self) -> str:
        return ", ".join(" x ".join(query) or "all" for query in self.queries)


def cell_key(data: Any, source: Source, *, table: PTable, queries: TableSet | None = None) -> tuple[int, ...]:
    """Counts changed by the rows of a p-table: `keyed_counts` of records, or without `queries` `fresh_counts`.

    `stirred audit TABLE` says which (ε, δ) one count needs. Where zeros stay zero, δ is 1 − p₁(−1) at every ε, unless
    which cells are populated is invariant; a total beside its cells costs more, by the order of the keys.

    Source: Fraser and Wooton (2005), A proposed method for confidentialising tabular output to protect against
    differencing; Thompson, Broadfoot and Elazar (2013).
    """
    if queries is None:
        return fresh_counts(data if isinstance(data, tuple) else (data,), source, table=table)
    return keyed_counts(data, source, table=table, queries=queries)


def fresh_counts(counts: Sequence[int], source: Source, *, table: PTable) -> tuple[int, ...]:
    """Each count changed by a draw of its row: cells that share no record, whose keys are independent."""
    released = []
    for count in counts:
        law = table.row(integer("count", count, minimum=0)).law
        released.append(count + law.support[source.choose(law.probabilities)])
    return tuple(released)


def keyed_counts(
    records: Sequence[Sequence[Any]], source: Source, *, table: PTable, queries: TableSet
) -> tuple[int, ...]:
    """Each cell of each table changed by its row at its key, the sum of its records' keys modulo K.

    Records have uniform keys. Those in the same cell of every table are told apart by none: their keys are drawn
    together, as a sum of uniform keys is uniform.
    """
    shown = sorted({place for places, _ in queries.cells() for place in places})
    keys = {
        kind: source.uniform(table.keys) for kind in sorted({tuple(one[place] for place in shown) for one in records})
    }
    released = []
    for places, values in queries.cells():
        inside = [one for one in records if tuple(one[place] for place in places) == values]
        count, key = len(inside), sum(keys[kind] for kind in {tuple(one[place] for place in shown) for one in inside})
        released.append(count + table.row(count).change(key % table.keys))
    return tuple(released)
