"""NumPy's arrays and scalars as data sets, parameters, distances and outputs: taken as values, or refused by name."""

from fractions import Fraction

import numpy as np
import pytest

import stirred
from stirred.blocks import read_data_sets
from stirred.spec import InputError, Loss


def answer(data, source, *, sides=4):
    return 1 - data if source.bernoulli(Fraction(1, sides)) else data


def parity(records, source):
    return sum(records) % 2 if source.bernoulli(Fraction(1, 2)) else source.uniform(2)


def test_integers_of_an_array_are_data_sets():
    found = stirred.audit(answer, data_sets=np.arange(2), distance="absolute_difference", epsilon="ln 3")
    assert found.holds
    assert all(type(point) is int for point in read_data_sets(np.arange(2)))


@pytest.mark.parametrize(
    "data_sets",
    [
        np.array([[0, 1], [1, 1]]),
        [np.array([0, 1]), (1, np.int64(1))],
        [[np.int8(0), 1], np.array([1, 1], dtype=object)],
    ],
)
def test_rows_are_tuples_of_integers(data_sets):
    domain = read_data_sets(data_sets)
    assert domain.points == ((0, 1), (1, 1))
    assert {type(value) for point in domain for value in point} == {int}
    assert stirred.smallest_budget(parity, data_sets=data_sets, distance="bounded") == Loss(3)


@pytest.mark.parametrize("listing", [stirred.multisets, stirred.ordered_data_sets])
def test_a_domain_of_scalars_is_one_of_their_values(listing):
    domain = listing(np.arange(2), [0, 2])
    found = read_data_sets(domain)
    assert {type(value) for point in found for value in point} == {int}
    assert (found.points, found.form, found.name) == (domain.points, domain.form, domain.name)
    plain = listing((0, 1), [0, 2])
    assert read_data_sets(plain) is plain


def test_texts_and_truths_are_values_too():
    assert list(map(repr, read_data_sets(np.array(["a", "b"])))) == ["'a'", "'b'"]
    assert list(map(repr, read_data_sets(np.array([True, False])))) == ["True", "False"]


def test_a_float_says_that_it_is_one():
    with pytest.raises(InputError, match=r"a data set must be None, .*; got a float: round it to an int"):
        stirred.smallest_budget(answer, data_sets=np.array([0.0, 1.0]), distance="absolute_difference")


def test_a_scalar_is_a_parameter_and_a_distance():
    claim = {"data_sets": np.arange(2), "distance": lambda x, y: np.int64(2 * (x != y))}
    assert stirred.smallest_budget(answer, **claim, sides=np.int64(4)) == Loss(3, 2)
    with pytest.raises(InputError, match=r"sides must be exact; got the float np.float64\(4.0\)"):
        stirred.smallest_budget(answer, **claim, sides=np.float64(4))


@pytest.mark.parametrize("made", [np.int64, np.array, lambda value: (np.int8(value), "a")])
def test_a_scalar_is_an_output(made):
    def mechanism(data, source):
        return made(answer(data, source))

    assert stirred.smallest_budget(mechanism, data_sets=(0, 1), distance="absolute_difference") == Loss(3)


@pytest.mark.parametrize("made", [lambda value: np.array([value]), lambda value: (np.arange(3), value)])
def test_an_array_as_output_says_what_to_write(made):
    def mechanism(data, source):
        return made(answer(data, source))

    with pytest.raises(InputError, match=r"an output must be .*; got a ndarray: write tuple\(…\) of plain values"):
        stirred.smallest_budget(mechanism, data_sets=(0, 1), distance="absolute_difference")
