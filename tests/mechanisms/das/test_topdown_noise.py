"""Noisy measurements in arrays: the noise of a node is its own, whoever draws it and whatever else is drawn."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest

from stirred.mechanisms.das.topdown import Design, Geography, QueryGroup, answers
from stirred.mechanisms.fast import topdown_noise
from stirred.mechanisms.fast.inversion import inverted
from stirred.mechanisms.fast.keyed_words import keyed_words
from stirred.mechanisms.fast.topdown_noise import keyed_measurements
from stirred.spec.laws.discrete_gaussian import cumulative_floors, gaussian_scale

KEY = bytes(range(32))
TOWNS = Geography({"US": None, "A": "US", "B": "US", "a": "A", "b": "A", "c": "B"})
CELLS = dict.fromkeys(("young", "old", "in school", "in prison"), "person")
GROUPS = (
    QueryGroup("kind", "person", ((1, 1, 0, 0), (0, 0, 1, 1)), Fraction(1, 3)),
    QueryGroup("detailed", "person", tuple(tuple(int(i == j) for j in range(4)) for i in range(4)), Fraction(2, 3)),
)
SHARES = (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))
DESIGN = Design(TOWNS, CELLS, GROUPS, (), (), SHARES, {"person": Fraction(1)})
SIGNED = QueryGroup("signed", "person", ((1, 0, -2, 0), (0, 0, 0, 0), (0, 3, 0, 1)), Fraction(1, 2))
ASKED_BELOW = replace(GROUPS[0], share=(Fraction(0), Fraction(1, 2), Fraction(1, 2)))
FIRST = replace(SIGNED, share=(Fraction(1), Fraction(1, 2), Fraction(1, 2)))
OTHER = replace(DESIGN, groups=(ASKED_BELOW, FIRST))


def lists(measurements):
    return [[list(of_group) for of_group in of_node] for of_node in measurements]


def histograms(*records):
    return DESIGN.histograms(records)


@pytest.mark.parametrize("design", [DESIGN, OTHER], ids=["one", "other"])
def test_it_is_the_exact_answer_and_noise_from_the_words_of_node_and_group(design):
    data = histograms(("a", "young"), ("a", "in school"), ("c", "old"), ("c", "in prison"))
    found = lists(keyed_measurements(design, data, KEY))
    for node, measured, exact in zip(design.geography.nodes, found, answers(design, data), strict=True):
        for group, noisy, true in zip(design.groups, measured, exact, strict=True):
            assert len(noisy) == len(true)
            if not true:
                continue
            scale = gaussian_scale(design.variance(design.geography.level(node), group))
            words = keyed_words(KEY, json.dumps([node, group.name]).encode())
            noise = inverted(partial(cumulative_floors, scale), words(len(true)), words).tolist()
            assert [a - b for a, b in zip(noisy, true, strict=True)] == noise


def test_other_data_have_the_same_noise_and_another_key_has_not():
    one, two = histograms(("a", "young")), histograms(("c", "old"), ("b", "old"))

    def noise(data, key=KEY):
        pairs = zip(lists(keyed_measurements(DESIGN, data, key)), answers(DESIGN, data), strict=True)
        return [[m - e for m, e in zip(p, q, strict=True)] for of, true in pairs for p, q in zip(of, true, strict=True)]

    assert noise(one) == noise(two)
    assert noise(one) != noise(one, bytes(32))


def test_neither_parts_nor_processes_change_anything(monkeypatch):
    data = histograms(("a", "young"), ("b", "in school"))
    whole = keyed_measurements(DESIGN, data, KEY)
    monkeypatch.setattr(topdown_noise, "_MOST_COUNTS", 1)
    assert lists(keyed_measurements(DESIGN, data, KEY)) == lists(whole)
    assert lists(keyed_measurements(DESIGN, data, KEY, workers=2)) == lists(whole)
    assert {of_group.itemsize for of_node in whole for of_group in of_node} == {8}
