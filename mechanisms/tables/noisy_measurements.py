"""Noisy measurements as tables, in the form of the published Noisy Measurement Files of the 2020 Census.

A row is one query at one node. Of each attribute a column says by what the query counts it: `*` not at all, `detailed`
or its own name by its values, another name by groups of them. The answers stand in row-major order of `query_shape`.

    geocode         the node
    query_name      NAME_dpq of what was measured, NAME_con of a constraint
    sign            of a constraint: =, <= or >=
    ATTRIBUTE ...   one column for each
    query_shape     how many answers there are along each attribute
    value           the answers; null is no bound
    variance        of the noise of each answer, to the precision of 32 bits as published; 0 of a constraint
    exact_variance  the same as a fraction: this column the published files have not

While a run lasts they are kept in files: each node's is written as it is drawn, and read where it is needed. A level is
a Parquet file in this form, of which a row group has the queries of whole nodes, so that those of a node are read
without the others.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

FIXED_COLUMNS = ("geocode", "query_name", "sign", "query_shape", "value", "variance", "exact_variance")
"""The columns that are no attributes."""

_ROWS = 2**12
"""Queries that are written at a time."""


@dataclass(frozen=True)
class ReleasedQuery:
    """A row.

    Attributes:
        name: of the query, with its ending.
        factors: for each attribute, by what it is counted.
        shape: how many answers there are along each attribute.
        sign: of a constraint.
    """

    node: str
    name: str
    factors: Sequence[str]
    shape: Sequence[int]
    value: Sequence[int | None]
    variance: Fraction = Fraction(0)
    sign: str | None = None


def query_schema(attributes: Sequence[str], *, signs: bool) -> Any:
    """The columns of a table of queries.

    Args:
        signs: whether the rows are constraints.
    """
    fields = [("geocode", pa.string()), ("query_name", pa.string())]
    fields += [("sign", pa.string())] if signs else []
    fields += [(name, pa.string()) for name in attributes]
    fields += [("query_shape", pa.list_(pa.int32())), ("value", pa.list_(pa.int64()))]
    fields += [("variance", pa.float32()), ("exact_variance", pa.string())]
    return pa.schema([pa.field(name, kind) for name, kind in fields])


def query_table(schema: Any, rows: Sequence[ReleasedQuery]) -> Any:
    """A table with these rows."""
    columns: list[Any] = [[row.node for row in rows], [row.name for row in rows]]
    columns += [[row.sign for row in rows]] if "sign" in schema.names else []
    columns += [list(factors) for factors in zip(*(row.factors for row in rows), strict=True)]
    columns += [[list(row.shape) for row in rows], _answers([row.value for row in rows])]
    columns += [[float(row.variance) for row in rows], [str(row.variance) for row in rows]]
    made = [
        column if isinstance(column, pa.Array) else pa.array(column, kind)
        for column, kind in zip(columns, schema.types, strict=True)
    ]
    return pa.table(made, schema=schema)


def query_tables(attributes: Sequence[str], rows: Iterable[ReleasedQuery], *, signs: bool) -> tuple[Any, Iterator[Any]]:
    """A schema, and tables with these rows.

    Args:
        rows: of one level.
    """
    schema, left = query_schema(attributes, signs=signs), iter(rows)
    return schema, (query_table(schema, part) for part in iter(lambda: list(islice(left, _ROWS)), []))


def _answers(values: Sequence[Sequence[int | None]]) -> Any:
    """Lists of answers; those that are arrays of 64-bit integers are not looked at one by one."""
    plain = [np.frombuffer(one, np.int64) for one in values if isinstance(one, array)]
    if not plain or len(plain) < len(values):
        return [list(one) for one in values]
    ends = np.cumsum([0, *map(len, plain)], dtype=np.int32)
    return pa.ListArray.from_arrays(pa.array(ends), pa.array(np.concatenate(plain)))


def tree_table(parents: Mapping[str, str | None]) -> tuple[Any, list[Any]]:
    """A schema, and a table with every node and its parent.

    >>> tree_table({"nation": None, "A": "nation"})[1][0].to_pylist()
    [{'node': 'nation', 'parent': None}, {'node': 'A', 'parent': 'nation'}]
    """
    schema = pa.schema([pa.field("node", pa.string()), pa.field("parent", pa.string())])
    return schema, [
        pa.table([pa.array(list(parents), pa.string()), pa.array(list(parents.values()), pa.string())], schema=schema)
    ]


_MOST_ANSWERS = 2**20
"""Of the nodes of a row group, unless one alone has more."""

Answers = tuple[Sequence[int], ...]
"""The noisy answers of a node, by query group; none where a group is not asked."""


class KeptMeasurements(Mapping[str, Answers]):
    """The noisy answers of every node, by query group.

    Args:
        folder: where the files are; what is of the same name there is written anew.
        levels: the nodes of each level, in order.
        asked: by level, whether each query group is asked there.
    """

    def __init__(
        self, folder: Path, attributes: Sequence[str], levels: Sequence[Sequence[str]], asked: Sequence[Sequence[bool]]
    ) -> None:
        self._folder, self._attributes, self._levels, self._asked = folder.absolute(), attributes, levels, asked
        self._places: dict[str, tuple[int, int, int]] = {}
        """By node, the level, the row group and the first row in it."""
        self._open: tuple[int, Any] | None = None
        self._read: tuple[int, int, Any] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_open": None, "_read": None}

    def path(self, level: int) -> Path:
        """The file of a level."""
        return self._folder / f"level-{level}.parquet"

    def rows(self, level: int) -> int:
        """How many queries it has."""
        return sum(self._asked[level]) * len(self._levels[level])

    def write(
        self, drawn: Iterable[tuple[str, Answers]], queries: Callable[[int, str, Answers], list[ReleasedQuery]]
    ) -> None:
        """Keep what is drawn.

        Args:
            drawn: nodes, level by level in order, with their answers.
            queries: the rows of a node, one for each group that is asked at its level.
        """
        nodes = iter(drawn)
        schema = query_schema(self._attributes, signs=False)
        for level, names in enumerate(self._levels):
            with pq.ParquetWriter(str(self.path(level)), schema) as writer:
                for number, part in enumerate(_parts(nodes, len(names))):
                    rows: list[ReleasedQuery] = []
                    for node, answers in part:
                        self._places[node] = level, number, len(rows)
                        rows += queries(level, node, answers)
                    writer.write_table(query_table(schema, rows))

    def __getitem__(self, node: str) -> Answers:
        level, group, first = self._places[node]
        values = self._group(level, group)
        found: list[Sequence[int]] = []
        for is_asked in self._asked[level]:
            found.append(_plain(values, first) if is_asked else array("q"))
            first += is_asked
        return tuple(found)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def _group(self, level: int, group: int) -> Any:
        """The answers of a row group, the last one that was read being kept."""
        if self._read is None or self._read[:2] != (level, group):
            if self._open is None or self._open[0] != level:
                self._open = level, pq.ParquetFile(str(self.path(level)))
            values = self._open[1].read_row_group(group, columns=["value"]).column("value").combine_chunks()
            self._read = level, group, values
        return self._read[2]


def _parts(nodes: Iterator[tuple[str, Answers]], count: int) -> Iterator[list[tuple[str, Answers]]]:
    """So many nodes, in parts that have about as many answers."""
    part: list[tuple[str, Answers]] = []
    size = 0
    for _ in range(count):
        node, answers = next(nodes)
        own = sum(map(len, answers))
        if part and size + own > _MOST_ANSWERS:
            yield part
            part, size = [], 0
        part.append((node, answers))
        size += own
    if part:
        yield part


def _plain(values: Any, row: int) -> Sequence[int]:
    return array("q", values[row].values.to_numpy().tobytes())
