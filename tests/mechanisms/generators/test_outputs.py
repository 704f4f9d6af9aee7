"""Outputs are one where they are one by value, type, dtype and shape."""

import numpy as np
import pytest

from stirred.mechanisms.generators.outputs import PlainOutputs, RaisedOutput
from stirred.spec.arguments import InputError


def test_lists_and_arrays_are_tuples_and_floats_their_digits():
    assert PlainOutputs()([1, np.array([[1, 2], [3, 4]]), "a"]) == (1, ((1, 2), (3, 4)), "a")
    assert PlainOutputs()((0.1, np.float64(0.5), -0.0)) == ("float 0.1", "float 0.5", "float -0.0")
    assert PlainOutputs()(np.array(2.5)) == "float 2.5"
    assert PlainOutputs()({"a": 1.5, 2: [3]}) == (("a", "float 1.5"), (2, (3,)))


def test_kinds_say_what_a_literal_does_not():
    outputs = PlainOutputs()
    for value in ([1], np.array([2], dtype=np.int8), np.zeros((0, 3)), (4,)):
        outputs(value)
    assert outputs.kinds == {
        "(1,)": "list(int)",
        "(2,)": "int8 array of shape (1,)",
        "()": "float64 array of shape (0, 3)",
    }
    assert not outputs.has_floats


def test_scalars_of_numpy_are_the_values_that_they_equal():
    outputs = PlainOutputs()
    assert outputs((np.int64(1), 0.5)) == outputs((1, np.float64(0.5)))
    assert outputs.has_scalars
    assert outputs.has_floats


def test_what_is_raised_is_told():
    outputs = PlainOutputs()
    assert outputs(RaisedOutput("raises ValueError: no")) == "raises ValueError: no"
    assert outputs.are_raised


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ([1], (1,), r"one type where it has one value; \(1,\) is given as list\(int\) and as tuple\(int\)"),
        (np.array([1], dtype=np.int8), np.array([1]), "is given as int8 array"),
        (True, 1, None),
        (0, "float 0.5", "must not begin with 'float '"),
        (0, float("nan"), r"undefined \(nan\)"),
        (0, np.ma.array([0, 1], mask=[True, False]), "must be a numpy.ndarray itself; got a MaskedArray"),
        (0, np.zeros(1, dtype=[("a", int)]), "must have no fields"),
    ],
)
def test_outputs_that_are_told_apart_by_no_text_are_refused(first, second, said):
    outputs = PlainOutputs()
    outputs(first)
    if said is None:
        assert outputs(second) != repr(first)
        return
    with pytest.raises(InputError, match=said):
        outputs(second)
