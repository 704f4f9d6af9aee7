import math
from fractions import Fraction

import pytest

from stirred.spec import Enclosure, InputError, Law, Loss
from stirred.spec.reals.logarithm_sum import LogarithmSum
from stirred.spec.reals.real import EnclosedReal, order
from stirred.verify.laws.pair_values import OfDataSets, OfLaws, law_text, plain_value, read_value_text
from stirred.verify.laws.plain import plain_text

HALF = Fraction(1, 2)


@pytest.mark.parametrize("value", [0, (1, "a'b", None, True), -3, Fraction(-1, 3), (), (Fraction(1, 2),), b"x", {1, 2}])
def test_a_plain_value_comes_back_from_its_text(value):
    found = plain_value(plain_text(value))
    assert found == value
    assert type(found) is type(value)


def test_frozen_and_empty_sets_come_back():
    for value in (frozenset({1}), frozenset(), set(), (frozenset({"a"}), set())):
        assert plain_value(plain_text(value)) == value


@pytest.mark.parametrize("text", ["3 + discrete_gaussian(4)", "open('x')", "Fraction(1, 0", "f(x)", "len('a')", "a.b"])
def test_what_is_no_plain_value_is_refused(text):
    with pytest.raises(InputError, match="must be a plain value"):
        plain_value(text)


def value_of(found):
    laws = [law_text(Law({"(1, 2)": HALF, "3": HALF}))]
    given = []

    def divergence(p, q):
        given.append((p, q))
        return found

    text = OfLaws(divergence, laws, {"pair": (0, 0)})("pair")
    assert given == [(Law({(1, 2): HALF, 3: HALF}),) * 2]
    return read_value_text("place", plain_text(text))


def test_values_are_exact_numbers_of_any_kind():
    assert value_of(3) == 3
    assert value_of(Fraction(1, 3)) == Fraction(1, 3)
    assert value_of(None) is value_of(math.inf) is value_of(Loss(None)) is None
    assert order(value_of(Loss(9, 2)), LogarithmSum({Fraction(3): Fraction(1)})) == 0
    assert value_of(Loss(1)) == 0
    enclosed = value_of(Enclosure(Fraction(1, 4), HALF))
    assert isinstance(enclosed, EnclosedReal)
    assert (enclosed.ends.lower, enclosed.ends.upper) == (Fraction(1, 4), HALF)
    assert value_of(Enclosure(HALF, HALF)) == HALF
    assert str(value_of(LogarithmSum({Fraction(3): HALF}))) == "≈ 0.549306"


@pytest.mark.parametrize("value", [0.5, math.nan, -math.inf, True, "1/2", [1], 1j])
def test_other_values_are_refused(value):
    with pytest.raises(InputError, match="must be an exact number"):
        value_of(value)


def test_a_distance_of_data_sets_is_a_text():
    texts = [OfDataSets(lambda x, y, value=value: value)((0, 1)) for value in (2, Fraction(1, 2), None, math.inf)]
    assert texts == ["2", "1/2", "infinite", "infinite"]
    with pytest.raises(InputError, match="a distance must be an exact number; got the float"):
        OfDataSets(lambda x, y: 0.5)((0, 1))


@pytest.mark.parametrize("text", ["1", "'a'", "'ln 3'", "'between 1 0'", "'ln 1/2 1'", "x"])
def test_a_text_that_our_own_part_would_not_send_is_refused(text):
    with pytest.raises(InputError):
        read_value_text("place", text)
