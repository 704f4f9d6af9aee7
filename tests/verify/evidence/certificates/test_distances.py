"""The distances of a witness are those of `spec`, for every premetric that a claim file may name.

Intervals of decimals: every result contains the exact value, and what they cannot settle is refused. Intervals in the
language of cases: an interval is a number there, although it is a tuple of two decimals.
"""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import fractions

from stirred.spec.blocks.input_premetric import (
    Neighbors,
    Order,
    deletion_distance,
    hamming_ordered,
    hamming_unordered,
    neighbor_premetric,
    stratified_hamming,
    symmetric_difference,
)
from stirred.spec.numbers.ball import ball_of
from stirred.spec.numbers.enclosure import enclose, exponential, log
from stirred.verify.evidence.certificates.claim_bound import distance
from stirred.verify.evidence.certificates.decimal_interval import Interval, Outward, UndecidedError
from stirred.verify.evidence.certificates.exact_number import WitnessError
from stirred.verify.evidence.certificates.language import holds
from stirred.verify.evidence.certificates.work import Work
from stirred.verify.laws.claim.domain import freeze

METRICS = {
    metric.name: metric
    for metric in (
        *(one("person") for one in (hamming_unordered, hamming_ordered, symmetric_difference, deletion_distance)),
        *(neighbor_premetric(neighbors, order, "person") for neighbors in Neighbors for order in Order),
    )
}

records = st.one_of(st.integers(0, 2), st.sampled_from(["a", "b"]), st.lists(st.integers(0, 1), max_size=2))
data_sets = st.lists(records, max_size=5)
tables = st.lists(st.integers(0, 3), min_size=4, max_size=4).map(lambda n: [[n[:2], n[2:]]])


@given(st.sampled_from(sorted(METRICS)), data_sets, data_sets)
def test_between_data_sets_of_records(name, x, y):
    assert distance({"name": name, "data": "records"}, x, y, Work()) == METRICS[name](freeze(x), freeze(y))


@given(tables, tables)
def test_between_tables(x, y):
    expected = stratified_hamming("person")(freeze(x), freeze(y))
    assert distance({"name": "hamming_unordered", "data": "strata"}, x, y, Work()) == expected


@given(st.integers(), st.integers())
def test_between_integers(x, y):
    assert distance({"name": "absolute_difference", "data": "integers"}, x, y, Work()) == abs(x - y)


def test_of_a_listed_pair():
    premetric = {"name": "explicit", "data": "records", "distances": [[[0], [1], "1/2"], [[1], [0], 3]]}
    assert distance(premetric, [0], [1], Work()) == Fraction(1, 2)
    assert distance(premetric, [1], [0], Work()) == 3
    assert distance(premetric, [0], [2], Work()) is None
    assert distance(premetric, [2], [2], Work()) == 0


@pytest.mark.parametrize(
    ("premetric", "x", "y"),
    [
        ({"name": "nearness", "data": "records"}, [0], [1]),
        ({"name": "hamming_ordered", "data": "strata"}, [[[1]]], [[[2]]]),
        ({"name": "absolute_difference", "data": "records"}, 1, 2),
        ({"name": "absolute_difference", "data": "integers"}, "1", "2"),
        ({"name": "hamming_ordered", "data": "records"}, 1, [1]),
        ({"name": "hamming_ordered", "data": "records"}, [1.5], [1]),
        ({"name": "hamming_ordered", "data": "records"}, [{}], [1]),
        ({"name": "hamming_unordered", "data": "strata"}, [[[1, 2]]], [[[1], [2]]]),
        ({"name": "explicit", "data": "records", "distances": [[[0], [1], -1]]}, [0], [1]),
        ({"name": "explicit", "data": "records", "distances": [[[0], [1], 1], [[0], [1], 2]]}, [0], [1]),
    ],
)
def test_what_has_no_distance_is_refused(premetric, x, y):
    with pytest.raises(WitnessError):
        distance(premetric, x, y, Work())


digits = st.integers(1, 30)


def contains(interval, low, high=None):
    return Fraction(interval.low) <= low and (low if high is None else high) <= Fraction(interval.high)


@given(digits, fractions(-3, 3), fractions(-3, 3))
def test_results_contain_the_exact_ones(places, a, b):
    outward = Outward(places)
    x, y = outward.lift(a), outward.lift(b)
    for result, value in [
        (x, a),
        (outward.negative(x), -a),
        (outward.add(x, y), a + b),
        (outward.subtract(x, b), a - b),
        (outward.multiply(a, y), a * b),
        *((outward.power(x, n), a**n) for n in range(1, 12)),
    ]:
        assert contains(result, value)
    if y.low > 0 or y.high < 0:
        assert contains(outward.divide(x, y), a / b)
        assert contains(outward.power(y, -3), b**-3)
    else:
        with pytest.raises(UndecidedError, match="divisor"):
            outward.divide(x, y)


def square_root(value, digits):
    return enclose(lambda: ball_of(value).sqrt(), digits=digits)


@given(digits, st.integers(-6, 6), fractions(1, 9))
def test_transcendental_results_contain_the_enclosures_of_another_engine(places, magnitude, mantissa):
    outward, value = Outward(places), mantissa * Fraction(10) ** magnitude
    functions = [(outward.sqrt, square_root), *([(outward.exp, exponential)] if value < 1000 else [])]
    for mine, other in [*functions, *([(outward.ln, log)] if value != 1 else [])]:
        enclosure, found = other(value, digits=50), outward.lift(mine(outward.lift(value)))
        assert contains(found, enclosure.lower, enclosure.upper)


@given(fractions(-9, 9), st.integers(1, 60))
def test_an_interval_is_as_narrow_as_its_digits_say(value, places):
    found = Outward(places).lift(value)
    assert Fraction(found.high) - Fraction(found.low) <= abs(value) * Fraction(10) ** (1 - places)


@given(digits, fractions(-3, 3), fractions(-3, 3))
def test_an_order_is_certain_or_refused(places, a, b):
    outward = Outward(places)
    assert outward.order(a, b) == (a > b) - (a < b)
    x, y = outward.lift(a), outward.lift(b)
    if x.high < y.low or y.high < x.low:
        assert outward.order(x, b) == outward.order(a, y) == (a > b) - (a < b)
    else:
        with pytest.raises(UndecidedError, match="too close to be told apart"):
            outward.order(x, b)


def test_what_is_rational_is_exact():
    outward = Outward(3)
    assert outward.ln(Fraction(1)) == 0
    assert outward.exp(Fraction(0)) == 1
    assert outward.sqrt(Fraction(9, 4)) == Fraction(3, 2)
    assert isinstance(outward.sqrt(Fraction(2)), Interval)
    assert outward.power(outward.lift(Fraction(1, 3)), 0) == 1
    with pytest.raises(ZeroDivisionError):
        outward.divide(Fraction(1), Fraction(0))


def test_a_floor_is_given_where_both_ends_share_it():
    outward = Outward(20)
    assert outward.floor(Fraction(-5, 2)) == -3
    assert outward.floor(outward.exp(Fraction(1))) == 2
    assert outward.floor(outward.negative(outward.exp(Fraction(-2_000_000)))) == -1
    # the second is too long to be written out
    for number in (outward.ln(outward.exp(Fraction(3))), outward.exp(Fraction(2_000_000))):
        with pytest.raises(UndecidedError, match="floor"):
            outward.floor(number)


@pytest.mark.parametrize("name", ["ln", "sqrt"])
def test_a_function_is_refused_where_it_may_have_no_value(name):
    outward = Outward(5)
    third = outward.lift(Fraction(1, 3))
    around_zero = outward.subtract(third, third)
    for number in (around_zero, Fraction(-1), outward.negative(third)):
        with pytest.raises(UndecidedError, match=name):
            getattr(outward, name)(number)


def test_what_underflows_is_still_contained():
    outward = Outward(5)
    tiny = outward.exp(Fraction(-(10**8)))
    assert tiny.low == 0 < tiny.high
    assert outward.exp(Fraction(-(10**6))).low > 0


def test_the_context_of_the_caller_does_not_matter():
    wanted = Outward(50).subtract(Outward(50).ln(Fraction(2)), Fraction(1, 3))
    with localcontext() as context:
        context.prec = 2
        assert Outward(50).subtract(Outward(50).ln(Fraction(2)), Fraction(1, 3)) == wanted


def test_the_text_is_one_number_where_the_ends_round_to_it():
    assert str(Outward(80).ln(Fraction(2))) == "0.69314718055994530942"
    assert str(Interval(Decimal(1), Decimal(2))) == "[1, 2]"


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
