"""Noisy measurements as tables: the columns of the published files, and one of ours."""

from fractions import Fraction

import pyarrow as pa

from stirred.mechanisms.tables.noisy_measurements import FIXED_COLUMNS, ReleasedQuery, query_tables

TOTAL = ReleasedQuery("1", "total_dpq", ("*", "*"), (1, 1), (-7,), Fraction(4, 3))
BOUND = ReleasedQuery("1", "hhgq_total_ub_con", ("hhgq", "*"), (2, 1), (5, None), sign="<=")


def test_measurements_have_the_published_columns_and_types():
    schema, parts = query_tables(["hhgq", "cenrace"], [TOTAL], signs=False)
    assert schema.names == [
        *("geocode", "query_name", "hhgq", "cenrace", "query_shape", "value", "variance", "exact_variance"),
    ]
    assert (schema.field("query_shape").type, schema.field("value").type) == (
        pa.list_(pa.int32()),
        pa.list_(pa.int64()),
    )
    assert schema.field("variance").type == pa.float32()
    (row,) = next(parts).to_pylist()
    assert (row["value"], row["exact_variance"]) == ([-7], "4/3")
    assert abs(Fraction(row["variance"]) - Fraction(4, 3)) < Fraction(1, 10**7)


def test_constraints_have_a_sign_and_may_leave_a_bound_open():
    schema, parts = query_tables(["hhgq", "cenrace"], [BOUND], signs=True)
    assert set(schema.names) - {"hhgq", "cenrace"} == set(FIXED_COLUMNS)
    (row,) = next(parts).to_pylist()
    assert (row["sign"], row["value"], row["variance"]) == ("<=", [5, None], 0)


def test_many_rows_come_in_parts_and_none_in_none():
    _, parts = query_tables(["a", "b"], [TOTAL] * 5_000, signs=False)
    assert [part.num_rows for part in parts] == [4_096, 904]
    assert list(query_tables(["a", "b"], [], signs=False)[1]) == []
