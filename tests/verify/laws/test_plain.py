"""Outputs as canonical texts: one text for one value, and another one for whatever can be told apart from it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import InputError
from stirred.verify.laws.plain import PlainTexts, plain_text

atoms = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.text(max_size=2), st.binary(max_size=2), st.fractions()
)
plain = st.recursive(
    atoms,
    lambda inner: st.one_of(st.lists(inner, max_size=3).map(tuple), st.frozensets(inner, max_size=3)),
    max_leaves=6,
)


def typed(value: object) -> object:
    """The value with the type of each part beside it."""
    if isinstance(value, tuple):
        return tuple, tuple(map(typed, value))
    if isinstance(value, frozenset):
        return frozenset, frozenset(map(typed, value))
    return type(value), value


@given(plain)
def test_the_text_is_a_literal_of_the_value(value):
    read = eval(plain_text(value), {"Fraction": Fraction})  # noqa: S307 a literal of our own
    assert typed(read) == typed(value)
    assert plain_text(value).isprintable()


@given(plain, plain)
def test_two_values_have_one_text_only_if_nothing_tells_them_apart(first, second):
    assert (plain_text(first) == plain_text(second)) == (typed(first) == typed(second))


@given(st.lists(st.one_of(st.integers(), st.text(max_size=2)), max_size=5))
def test_a_set_has_one_text_in_whatever_order_it_was_made(members):
    backwards: set[object] = set()
    backwards.update(reversed(members))
    assert plain_text(set(members)) == plain_text(backwards)
    assert plain_text(set(members)) != plain_text(frozenset(members))


@pytest.mark.parametrize("value", [1.0, [1], {1: 2}, object(), int, 1j, range(2), bytearray(b"x"), (1, [2])])
def test_anything_else_is_refused(value):
    with pytest.raises(InputError, match="an output must be None, a bool, an int, a str"):
        plain_text(value)


class Passing(type):
    """A kind of classes that say of themselves that they are int."""

    def __eq__(cls, other):
        return other is int or type.__eq__(cls, other)

    def __hash__(cls):
        return hash(int)


class Posing(metaclass=Passing):
    def __repr__(self):
        return "0"


@pytest.mark.parametrize("text", [plain_text, PlainTexts()])
def test_a_class_that_says_it_is_int_is_none(text):
    with pytest.raises(InputError, match="an output must be"):
        text((Posing(), Posing()))


def test_texts_that_are_kept_are_those_of_equal_values_of_equal_kinds():
    texts = PlainTexts()
    for value in [(0, 1), (False, True), (0, "1"), (0, 1), (False, 1), ((0, 1),), (), (Fraction(1), 0), (1, 0)] * 2:
        assert texts(value) == plain_text(value)
