"""The rule of the released index against exact laws: its budget is never below what small sizes need."""

import itertools
from fractions import Fraction

import pytest

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.verify.evidence.certificates import released_index
from stirred.verify.prove.found_function import of_function
from stirred.verify.prove.proving import proof_of
from stirred.verify.prove.stated import stated

HALF = Fraction(1, 2)


def largest(q, source):
    best, top = 0, 0
    for i, x in enumerate(q):
        noisy = x + source.discrete_laplace(HALF)
        if i == 0 or noisy > top:
            best, top = i, noisy
    return best


def smallest_one_sided(q, source):
    best, top = 0, 0
    for i, x in enumerate(q):
        noisy = x - source.geometric(HALF)
        if i == 0 or noisy <= top:
            best, top = i, noisy
    return best


def pairs(neighbors, size):
    for one, other in itertools.permutations(itertools.product((0, 1), repeat=size), 2):
        changes = {b - a for a, b in zip(one, other, strict=True)}
        moved = sum(a != b for a, b in zip(one, other, strict=True))
        if neighbors == "each by 1" or (neighbors == "all up or all down" and len(changes - {0}) == 1) or moved == 1:
            yield one, other


def needed(function, neighbors, size):
    laws = {data: exact_law(function, data) for data in itertools.product((0, 1), repeat=size)}
    return max(laws[x][r] / laws[y][r] for x, y in pairs(neighbors, size) for r in laws[x])


@pytest.mark.parametrize("function", [largest, smallest_one_sided])
@pytest.mark.parametrize(("neighbors", "power"), [("each by 1", 2), ("all up or all down", 1), ("one by 1", 1)])
def test_the_budget_covers_what_small_sizes_need(function, neighbors, power):
    found = proof_of(stated("f", of_function(function), neighbors, None, {}), explains=False)
    assert str(found.budget) == ("ln(2)" if power == 1 else "2*ln(2)")
    for size in (1, 2, 3):
        assert needed(function, neighbors, size) <= 2**power


@pytest.mark.parametrize("function", [largest, smallest_one_sided])
def test_half_of_it_is_too_little(function, monkeypatch):
    """A rule with width 1 where every answer may change is noticed by the exact laws of three answers."""
    monkeypatch.setitem(released_index.WIDTHS, "each by 1", 1)
    found = proof_of(stated("f", of_function(function), "each by 1", None, {}), explains=False)
    assert str(found.budget) == "ln(2)"
    assert needed(function, "each by 1", 3) > 2


def test_one_sided_noise_has_one_direction():
    def wrong_way(q, source):
        best, top = 0, 0
        for i, x in enumerate(q):
            noisy = x - source.geometric(HALF)
            if i == 0 or noisy > top:
                best, top = i, noisy
        return best

    assert proof_of(stated("f", of_function(wrong_way), "each by 1", None, {}), explains=False).budget is None
