"""What comes from a process of foreign code is read as data that may be forged."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import InputError
from stirred.verify.laws.messages import decoded, encoded, read_nodes, read_texts, read_weights

data = st.recursive(
    st.one_of(st.integers(), st.text(), st.booleans(), st.fractions()),
    lambda inner: st.one_of(st.lists(inner).map(tuple), st.dictionaries(st.text(), inner)),
)


@given(data)
def test_what_is_sent_arrives(value):
    arrived = decoded(json.loads(json.dumps(encoded(value))))
    assert arrived == value
    assert repr(arrived) == repr(value)


@pytest.mark.parametrize(
    "rows",
    [
        [["1/2", "1/3"]], [["-1/2", "3/2"]], [["0.5", "0.5"]], [["1e0"]], [["1/0"]], [[1]], ["1"], {"0": "1"},
        [[]], [["١"]], [["+1"]], [["1 "]], [["1_0/10"]], None,
    ],
)  # fmt: skip
def test_weights_that_are_no_probabilities_are_refused(rows):
    with pytest.raises((InputError, ZeroDivisionError)):
        read_weights(rows)
    assert read_weights([["1/2", "1/2"], ["1"]]) == ((Fraction(1, 2),) * 2, (Fraction(1),))


@pytest.mark.parametrize("nodes", [[-1], [0.5], [True], ["1"], [], None, {"0": 1}, [1] * 11])
def test_nodes_that_are_no_numbers_are_refused(nodes):
    with pytest.raises(InputError):
        read_nodes(nodes, 10)


@pytest.mark.parametrize("texts", [["a\nb"], ["\x1b[2J"], [1], "ab", None, ["\u202e"]])
def test_texts_that_do_not_print_are_refused(texts):
    with pytest.raises(InputError):
        read_texts(texts)
