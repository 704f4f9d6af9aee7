from __future__ import annotations

import math

import pytest

from stirred.mechanisms.generators.float_function import FloatFunction, first_change, plateaus, whole_numbers
from stirred.spec.arguments import InputError

UNIT = whole_numbers(float, 2.0**-53)
EIGHTHS = whole_numbers(float, 0.125)
LAST = 2**53 - 1


@pytest.mark.parametrize("bound", [0.1, 0.5, 1 / 3, 2.0**-53, 1 - 2.0**-53])
def test_the_threshold_of_a_comparison_is_the_first_k_that_is_not_below(bound):
    asked = FloatFunction.of("<", lambda u, c: u < c, UNIT, bound)
    assert first_change(asked, 0, LAST) == (math.ceil(bound * 2**53), False)


def test_an_answer_that_does_not_change_has_no_threshold():
    assert first_change(FloatFunction.of("<", lambda u, c: u < c, UNIT, 2), 0, LAST) == (None, True)


def test_a_logarithm_changes_where_the_c_library_says():
    asked = FloatFunction.of(">", lambda u: math.log(1 - u) < -1.0, UNIT)
    cut, _ = first_change(asked, 0, LAST)
    assert math.log(1 - cut / 2**53) < -1.0 <= math.log(1 - (cut - 1) / 2**53)


def test_plateaus_are_those_of_brute_force():
    rounded = FloatFunction.of("round", round, EIGHTHS)
    values = [(k, round(k / 8)) for k in range(41)]
    expected = [pair for pair in values if pair[0] == 0 or values[pair[0] - 1][1] != pair[1]]
    assert plateaus(rounded, 0, 40) == tuple(expected)


def test_minus_zero_and_zero_are_two_values():
    signed = FloatFunction.of("signed", lambda x: math.copysign(0.0, x - 1), EIGHTHS)
    assert [str(value) for _, value in plateaus(signed, 0, 16)] == ["-0.0", "0.0"]


def test_more_values_than_can_be_listed_are_none():
    assert plateaus(UNIT, 0, LAST) is None
    assert plateaus(FloatFunction.of("million", lambda u: int(u * 10**6), UNIT), 0, LAST) is None


def test_what_is_not_monotone_is_refused():
    teeth = FloatFunction.of("teeth", lambda x: x * 8 % 3 >= 2, EIGHTHS)
    with pytest.raises(InputError, match="not monotone where it is compared"):
        first_change(teeth, 0, 2 + 3 * 4)
    with pytest.raises(InputError, match="not monotone where it is rounded"):
        plateaus(FloatFunction.of("hill", lambda x: (0, 5, 3)[int(x)], EIGHTHS), 0, 23)


def test_a_value_that_comes_again_beside_its_end_is_refused():
    back = FloatFunction.of("back", lambda x: (0, 0, 1, 0, 1, 1)[int(8 * x)], EIGHTHS)
    with pytest.raises(InputError, match="not monotone where it is rounded"):
        plateaus(back, 0, 5)


def test_a_draw_that_has_the_code_fail_is_named():
    with pytest.raises(InputError, match="k = 0, has the code raise ValueError: math domain error"):
        first_change(FloatFunction.of("log", lambda u: math.log(u) < -1, UNIT), 0, LAST)


def test_functions_of_one_name_and_arguments_are_one():
    made = [FloatFunction.of("+", lambda x, c: x + c, UNIT, c) for c in (1, 1, 1.0, True)]
    assert made[0] == made[1]
    assert len(set(made)) == 3
