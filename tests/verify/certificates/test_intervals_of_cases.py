"""Intervals in the language of cases: an interval is a number there, although it is a tuple of two decimals."""

from fractions import Fraction

import pytest

from stirred.verify.certificates.exact_number import WitnessError
from stirred.verify.certificates.language import holds


def test_intervals_are_added_as_numbers() -> None:
    assert holds("ln(2) + ln(3) <= ln(7)", {}, {})
    assert holds("sum(ln(n) for n in x) > 1", {"x": (2, 3)}, {})


def test_the_largest_of_intervals_that_meet_lies_in_their_hull() -> None:
    assert holds("max(ln(x), ln(y)) < 6 * ln(2) / 5", {"x": 2, "y": 2}, {})
    assert holds("min([ln(2), ln(2), ln(3)]) > ln(2) - ln(2)", {}, {})
    assert holds("7/10 < max(ln(2), 3/4) < 4/5", {}, {})
    assert holds("max(ln(2), oo) == oo", {}, {})
    assert holds("min(exp(1), oo) < 3 and max(ln(2), 0) > 1/2", {}, {})


def test_infinity_is_divided_by_positive_numbers_only() -> None:
    assert holds("oo / ln(2) == oo and ln(2) / oo == 0 and 3 / oo == 0 and oo / (1/3) == oo", {}, {})
    for claimed in ("oo / 0 == oo", "oo / -1 == oo", "oo / oo == 1", "oo / -ln(2) == oo"):
        with pytest.raises(WitnessError, match="positive one"):
            holds(claimed, {}, {})


def test_a_map_is_displayed() -> None:
    assert holds("{0: p, 1: 1 - p}[1] == 2/3", {"p": Fraction(1, 3)}, {})
    with pytest.raises(WitnessError, match="not in the language"):
        holds("{**p} == p", {"p": {0: 1}}, {})
