"""Numbers that are read for a whole column are those that are read one by one."""

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tiers import examples

from stirred.mechanisms.tables import plain_decimals as module
from stirred.mechanisms.tables.plain_decimals import SCALE, plain_decimals
from stirred.spec import InputError
from stirred.spec.arguments import parse_exact

TEXTS = st.from_regex(r"-?[0-9]{1,19}(\.[0-9]{0,21})?([eE]-?[0-9])?", fullmatch=True) | st.text(max_size=4)
ODD = ["1\n", "\n1", "+1", ".5", "5.", "01", "1,5", " 1", "1_0", "٣", "-0", "-0.0", "", "1/2", "nan", "inf", None]


@examples(50, at_night=2_000)
@given(st.lists(TEXTS | st.none(), min_size=1, max_size=9), st.integers(0, 3))
@example(ODD, 0)
@example(["9" * 18 + "." + "9" * 20, "-" + "9" * 18 + "." + "9" * 20, "0." + "0" * 19 + "1"], 1)
@example(["9" * 19, "1." + "1" * 21], 0)
def test_a_text_is_read_as_parse_exact_reads_it_or_left(texts, begin):
    """From an array that begins within another, and in pieces of one record or of many."""
    column = pa.chunked_array([pa.array([*["7"] * begin, *texts], pa.string()).slice(begin), ["2.5"]])
    numbers, is_plain = plain_decimals(column)
    for text, number, plain in zip([*texts, "2.5"], numbers, is_plain, strict=True):
        if plain:
            assert parse_exact("a number", text) == Fraction(number, SCALE)
        else:
            assert number == 0
    assert is_plain[-1]


def test_every_plain_number_is_read(monkeypatch):
    monkeypatch.setattr(module, "_RECORDS", 2)
    texts = ["0", "12.5", "-3", "999999999999999999", "0.00000000000000000001"]
    assert plain_decimals(pa.chunked_array([texts[:1], texts[1:]]))[1].all()
    assert not plain_decimals(pa.chunked_array([ODD[:10]]))[1].any()


@examples(100, at_night=20_000)
@given(st.floats())
@example(5e-324)
@example(2.0**63)
@example(9007199254740993.0)
@example(1e22)
@example(0.1)
def test_a_double_is_the_number_that_python_writes(number):
    numbers, is_plain = plain_decimals(pa.chunked_array([pa.array([number])]))
    if is_plain[0]:
        assert Fraction(numbers[0], SCALE) == Fraction(repr(number))
    assert is_plain[0] or not 1e-3 < abs(number) < 1e9


def test_many_doubles_are_the_numbers_that_python_writes():
    numbers = np.random.default_rng(1).uniform(0.001, 2000, 20_000)
    found, is_plain = plain_decimals(pa.chunked_array([pa.array(numbers)]))
    assert is_plain.all()
    assert [Fraction(one, SCALE) for one in found] == [Fraction(repr(one)) for one in numbers.tolist()]


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        (pa.int64(), -7, "-7"),
        (pa.uint64(), 7, "7"),
        (pa.float32(), 0.25, "0.25"),
        (pa.float32(), np.float32(0.1), repr(float(np.float32(0.1)))),
        (pa.decimal128(5, 2), "1.50", "1.50"),
        (pa.large_string(), "0.1", "0.1"),
        (pa.bool_(), True, None),
        (pa.list_(pa.int8()), [1], None),
    ],
)
def test_columns_of_every_type(kind, value, text):
    made = pa.array([value]).cast(kind) if pa.types.is_decimal(kind) else pa.array([value], kind)
    (number,), (is_plain,) = plain_decimals(pa.chunked_array([made]))
    assert is_plain == (text is not None)
    if is_plain:
        assert Fraction(number, SCALE) == parse_exact("a number", text)


def test_a_text_of_this_kind_is_never_refused_one_by_one():
    """What is plain is exact: a pattern that took another text would read what `parse_exact` refuses."""
    for text in ("01", "1.", "+1", " 1"):
        with pytest.raises(InputError):
            parse_exact("a number", text)
        assert not plain_decimals(pa.chunked_array([[text]]))[1].any()
