"""The rule of the released index against exact laws: its budget is never below what small sizes need."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates import released_index
from stirred.verify.evidence.certificates.polynomial import parsed
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


def drawn_by_weights(q, rng, *, eps):
    weights = np.exp(eps * np.array(q) / 2)
    return int(rng.choice(len(q), p=weights / weights.sum()))


def drawn_downwards(q, rng, *, eps):
    weights = np.exp(3 - eps * np.asarray(q))
    shares = weights / np.sum(weights)
    return rng.choice(len(q), p=shares)


@pytest.mark.parametrize(("function", "slope"), [(drawn_by_weights, Fraction(1, 2)), (drawn_downwards, Fraction(-1))])
@pytest.mark.parametrize(("neighbors", "width"), [("each by 1", 2), ("all up or all down", 1), ("one by 1", 1)])
def test_the_exponential_mechanism_has_the_budget_of_its_law(function, slope, neighbors, width):
    """At eps = ln 4, exactly: weights 2^q and 4^-q; four answers need most of it, and never more."""
    found = proof_of(stated("f", of_function(function), neighbors, None, {}), explains=False)
    assert found.budget == parsed(f"{abs(slope) * width}*eps")
    base, sign, largest = (Fraction(4), -1, 1) if slope == -1 else (Fraction(2), 1, 1)
    for x, y in pairs(neighbors, 4):
        for r in range(4):
            law = [base ** (sign * one[r]) / sum(base ** (sign * k) for k in one) for one in (x, y)]
            largest = max(largest, law[0] / law[1])
    assert largest <= base**width
    assert math.log(largest) >= {2: 0.7, 1: 0.5}[width] * math.log(base**width)


def by_squares(q, rng, *, eps):
    weights = np.exp(np.array(q) * np.array(q))
    return rng.choice(len(q), p=weights / weights.sum())


def by_the_sum_of_others(q, rng, *, eps):
    weights, others = np.exp(eps * np.array(q)), np.exp(np.array(q))
    return rng.choice(len(q), p=weights / others.sum())


def without_their_sum(q, rng, *, eps):
    weights = np.exp(eps * np.array(q))
    return rng.choice(len(q), p=weights)


def the_index_and_more(q, rng, *, eps):
    weights = np.exp(eps * np.array(q))
    return [rng.choice(len(q), p=weights / weights.sum())]


def one_index_for_each(q, rng, *, eps):
    out = []
    for _ in q:
        weights = np.exp(eps * np.array(q) / 2)
        out.append(rng.choice(len(q), p=weights / weights.sum()))
    return out


def by_noisy_weights(q, rng, *, eps):
    weights = np.exp(eps * (np.array(q) + rng.laplace(size=len(q))) / 2)
    return rng.choice(len(q), p=weights / weights.sum())


def the_sum_of_weights(q, rng, *, eps):
    weights = np.exp(eps * np.array(q) / 2)
    return weights.sum()


def the_answer_of_the_index(q, rng, *, eps):
    weights = np.exp(eps * np.array(q) / 2)
    return q[rng.choice(len(q), p=weights / weights.sum())]


def twice(q, rng, *, eps):
    weights = np.exp(eps * np.array(q) / 2)
    first = rng.choice(len(q), p=weights / weights.sum())
    return (first, rng.choice(len(q), p=weights / weights.sum()))


def some_of_them(q, rng, *, eps):
    weights = np.exp(eps * np.array(q) / 2)
    return rng.choice(len(q), 2, p=weights / weights.sum())


def after_a_look(q, rng, *, eps):
    weights = np.exp(eps * np.array(q) / 2)
    if q[0] > 1:
        return 0
    return rng.choice(len(q), p=weights / weights.sum())


@pytest.mark.parametrize(
    "function",
    [
        *(by_squares, by_the_sum_of_others, without_their_sum, the_index_and_more, one_index_for_each),
        *(by_noisy_weights, the_sum_of_weights, the_answer_of_the_index, twice, some_of_them, after_a_look),
    ],
)
def test_other_draws_by_weights_are_not_decided(function):
    try:
        found = proof_of(stated("f", of_function(function), "each by 1", None, {}), explains=False)
    except InputError:
        return
    assert found.budget is None
