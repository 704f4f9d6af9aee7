"""Counts and rows that are given by what is not 0: the same integers as when they are written out."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms.topdown import QueryGroup
from stirred.mechanisms.topdown.cell_names import CellNames
from stirred.mechanisms.topdown.integers import Box, Marginal, SparseCounts, at, nonzero
from stirred.mechanisms.topdown.leaf_classes import cell_classes
from stirred.mechanisms.topdown.schema import Recode, RecordSchema, Units

SCHEMA = RecordSchema(
    "person",
    {"kind": ("house", "jail", "ship"), "age": ("0", "1", "2", "3"), "sex": ("f", "m")},
    {
        "away": Recode("kind", {"away": ("ship", "jail")}),
        "grown": Recode("age", {"old": ("2", "3"), "young": ("0", "1")}),
    },
    (),
    Units("kind", {"jail": 1}, {"ship": 9}),
)
QUERIES = ("total", "detailed", "sex * kind", "away", "grown * away * sex", "age * grown", "kind * away")
lists = st.lists(st.integers(-3, 9), min_size=1, max_size=9)


@given(lists)
def test_sparse_counts_are_the_sequence_they_were_made_of(dense):
    counts = SparseCounts(len(dense), *nonzero(dense))
    assert counts == tuple(dense)
    assert tuple(dense) == counts
    assert hash(counts) == hash(tuple(dense))
    assert [counts[place] for place in range(-len(dense), len(dense))] == dense + dense
    assert counts[1:] == tuple(dense[1:])
    assert counts.at(np.arange(len(dense))).tolist() == at(dense, np.arange(len(dense))).tolist() == dense
    assert counts != (*dense[:-1], dense[-1] + 1)
    assert counts != (*dense, 0)
    assert SparseCounts.sum_of(len(dense), [counts, dense]) == [2 * count for count in dense]
    with pytest.raises(IndexError, match="a cell must be below"):
        counts[len(dense)]


def _of_every_record(query):
    """The rows of a query from its definition, in the order of the first cell of each."""
    recodes = {name: {v: k for k, of in one.groups.items() for v in of} for name, one in SCHEMA.recodes.items()}
    found = {}
    for number, values in enumerate(product(*SCHEMA.attributes.values())):
        record = dict(zip(SCHEMA.attributes, values, strict=True))
        key = [
            recodes[one].get(record[SCHEMA.recodes[one].of]) if one in recodes else record[one]
            for one in SCHEMA.factors(query)
        ]
        if None not in key:
            found.setdefault(", ".join(key) or "total", [0] * 27)[number] = 1
    return {name: tuple(row) for name, row in found.items()}


@pytest.mark.parametrize("query", QUERIES)
def test_rows_of_a_query_are_found_by_strides(query):
    rows = SCHEMA.rows(query)
    assert list(rows.items()) == list(_of_every_record(query).items())
    marginal = SCHEMA.marginal(query)
    assert list(marginal) == list(rows.values())
    assert isinstance(marginal, Marginal)
    assert marginal == SCHEMA.marginal(query)
    assert repr(marginal) == repr(SCHEMA.marginal(query))
    assert hash(marginal) == hash(SCHEMA.marginal(query))
    assert [other for other in QUERIES if SCHEMA.marginal(other) == marginal] == [query]
    cells = np.arange(27)
    assert [row.at(cells).tolist() for row in marginal] == [list(row) for row in rows.values()]
    written, lazy = (QueryGroup(query, "person", of, 1) for of in (tuple(map(tuple, marginal)), marginal))
    counts = tuple(range(27))
    assert written.answers(0, counts).tolist() == lazy.answers(0, counts).tolist()
    some = np.array([3, 8, 25, 26])
    assert written.terms_within(0, some) == lazy.terms_within(0, some)
    assert written.squared_sensitivity == lazy.squared_sensitivity


def test_limits_of_units_are_rows_of_records_and_units():
    least, most = (edit.row for edit in SCHEMA.edits)
    assert least == (*(0,) * 8, *(-1,) * 8, *(0,) * 8, 0, 1, 0)
    assert most == (*(0,) * 16, *(1,) * 8, 0, 0, -9)


def test_names_of_cells_are_made_when_asked_for():
    names = SCHEMA.cell_parts
    assert isinstance(names, CellNames)
    assert [names.name(cell) for cell in range(27)] == list(names)
    assert repr(names) == repr(SCHEMA.cell_parts)
    assert (names.name(9), names["units: ship"], len(names)) == ("jail, 0, m", "unit", 27)


@given(st.lists(st.tuples(*(st.integers(-1, 1),) * 5), max_size=4))
def test_classes_are_the_cells_with_one_column(rows):
    columns = list(zip(*rows, strict=True)) if rows else [()] * 5
    numbers = {column: number for number, column in enumerate(dict.fromkeys(columns))}
    assert cell_classes(rows, 5).tolist() == [numbers[column] for column in columns]
    box = Box((5,), ((1, 3),), 5, 2)
    assert len(set(cell_classes([box, tuple(box)], 5).tolist())) == 2
