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
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa

FIXED_COLUMNS = ("geocode", "query_name", "sign", "query_shape", "value", "variance", "exact_variance")
"""The columns that are no attributes."""

_ROWS = 2**12
"""Queries that are written at a time."""


@dataclass(frozen=True)
class ReleasedQuery:
    """A row.

    Attributes:
        node: where it was asked.
        name: of the query, with its ending.
        factors: for each attribute, by what it is counted.
        shape: how many answers there are along each attribute.
        value: the answers.
        variance: of the noise.
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
        attributes: of the records.
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
        attributes: of the records.
        rows: of one level.
        signs: whether the rows are constraints.
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
