"""The queries of a schema, by the names that settings give them."""

import pytest

from stirred.mechanisms.topdown.schema import Recode, RecordSchema, Units
from stirred.spec import InputError

SCHEMA = RecordSchema(
    "person",
    {"kind": ("house", "jail"), "age": ("minor", "adult")},
    {"jailed": Recode("kind", {"in jail": ("jail",)})},
)


def test_a_query_crosses_attributes_and_coarser_versions():
    assert SCHEMA.rows("total") == {"total": (1, 1, 1, 1)}
    assert SCHEMA.rows("kind * age") == SCHEMA.rows("detailed")
    assert SCHEMA.rows("jailed*age") == {"in jail, minor": (0, 0, 1, 0), "in jail, adult": (0, 0, 0, 1)}
    assert [SCHEMA.factors(query) for query in ("total", "detailed", "jailed * age")] == [
        (), ("kind", "age"), ("jailed", "age"),
    ]  # fmt: skip


def test_combinations_whose_values_have_commas_are_told_apart():
    schema = RecordSchema("person", {"kind": ("a, b", "a"), "age": ("c", "b, c")}, {})
    assert len(schema.cell_parts) == len(schema.rows("detailed")) == 4
    assert schema.rows("kind * age")["'a, b', c"] == (1, 0, 0, 0)


def test_a_value_may_not_have_the_name_of_a_type_of_unit():
    with pytest.raises(InputError, match="values must have other names than the types of units"):
        RecordSchema("person", {"kind": ("x", "units: x")}, {}, (), Units("kind", {}, {}))
