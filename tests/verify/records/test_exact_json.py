import re
from fractions import Fraction

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.records.exact_json import NumberText, json_number, load_json


def test_numbers_are_kept_as_written_and_are_exact():
    content = load_json("x", '{"a": 0.10, "b": 3, "c": "0.1"}')
    assert content == {"a": "0.10", "b": "3", "c": "0.1"}
    assert [type(value) for value in content.values()] == [NumberText, NumberText, str]
    assert json_number("a", content["a"]) == Fraction(1, 10)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1, "a": 2}', "x: the key 'a' stands twice"),
        ('{"\\u001b[31m": 1}', "x: a key must hold printable characters only"),
        ('{"a": NaN}', "x: numbers must be finite; got NaN"),
        ('{"a": -Infinity}', "x: numbers must be finite; got -Infinity"),
        ('{\n"a": }', "x: line 2: invalid JSON"),
        ("[" * 100_000, "x: invalid JSON: nested too deeply"),
    ],
)
def test_malformed_json_is_refused_in_one_line(text, words):
    with pytest.raises(InputError, match=re.escape(words)):
        load_json("x", text)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (NumberText("-0.5"), "k must be non-negative; got -0.5"),
        (NumberText("1e9999"), "k must have an exponent of at most three digits"),
        ("0.5", "k must be a number; got '0.5'"),
        (None, "k must be a number; got null"),
        ({"a": 1}, "k must be a number; got a table"),
        ([1], "k must be a number; got an array"),
        ("1" * 100, f"k must be a number; got '{'1' * 59}…"),
        (True, "k must be a number; got true"),
    ],
)
def test_what_is_no_budget_is_refused(value, words):
    with pytest.raises(InputError, match=re.escape(words)):
        json_number("k", value)
