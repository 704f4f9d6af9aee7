"""The names of distances: what the field calls the two neighbour relations, whatever its marks between words."""

import pytest

import stirred
from stirred.spec import InputError
from stirred.spec.blocks.input_premetric import Neighbors, Order, neighbor_premetric

DATA_SETS = ((), (0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1))
"""All of at most two records."""

WORDS = {
    Neighbors.REPLACE_ONE: ("bounded", "change-one", "change_one", "replace-one", "replace_one"),
    Neighbors.ADD_REMOVE: ("unbounded", "add-remove", "add_remove", "add/remove"),
}


def size(data, source):
    return len(data)


def first(data, source):
    return data[:1]


@pytest.mark.parametrize(("relation", "word"), [(one, word) for one, words in WORDS.items() for word in words])
@pytest.mark.parametrize("order", Order)
def test_a_word_is_the_relation_of_the_field(relation, word, order):
    if order is Order.ORDERED:
        domain = stirred.ordered_data_sets((0, 1), [0, 1, 2])
    else:
        domain = stirred.multisets((0, 1), [0, 1, 2])
    found = stirred.audit(size, data_sets=domain, distance=word, epsilon="infinite")
    assert neighbor_premetric(relation, order, "record").name in found.scope


def test_bounded_neighbours_have_the_same_number_of_records():
    assert stirred.smallest_budget(size, data_sets=DATA_SETS, distance="bounded") == stirred.Loss(1)
    assert stirred.smallest_budget(first, data_sets=DATA_SETS, distance="change-one").is_infinite


def test_unbounded_neighbours_have_one_record_more_or_fewer():
    found = stirred.audit(size, data_sets=DATA_SETS, distance="unbounded", epsilon=1)
    assert found.pair == "x = (), x' = (0,)"
    one_length = [point for point in DATA_SETS if len(point) == 2]
    with pytest.raises(InputError, match="vacuous"):
        stirred.smallest_budget(first, data_sets=one_length, distance="add/remove")


@pytest.mark.parametrize(("given", "hint"), [("bound", "did you mean 'bounded'?"), ("unbounde", "'unbounded'")])
def test_a_word_is_suggested(given, hint):
    with pytest.raises(InputError, match="distance must be the name of an input premetric; got '") as caught:
        stirred.smallest_budget(size, data_sets=DATA_SETS, distance=given)
    assert hint in str(caught.value)


def test_the_known_names_have_the_words():
    with pytest.raises(InputError) as caught:
        stirred.smallest_budget(size, data_sets=DATA_SETS, distance="?")
    assert "known: add-remove, unbounded, replace-one, change-one, bounded, hamming_unordered" in str(caught.value)
