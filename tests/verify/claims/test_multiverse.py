"""What the claims on multiverses compute in Python is what they say in words, and what `spec` rewrites is the same."""

from __future__ import annotations

from itertools import permutations

import pytest

from spec.loss import Loss
from spec.order import inside_hidden_invariants
from verify.certificates.language import holds
from verify.claims.multiverse import budgets, components, hidden, words
from verify.engines.algebra.small_comparisons import small_specifications
from verify.ledger.failures import words_of

SAMPLE = list(words.specifications)[::97]


@pytest.mark.parametrize("case", SAMPLE)
def test_a_stated_bound_is_the_word_for_it(case):
    points, eps, d = case
    claimed = "stated_bound(eps, d, x, y) == bound"
    for x, y in permutations(points, 2):
        values = {"eps": eps, "d": d, "x": x, "y": y, "bound": words.stated(eps, d, x, y)}
        assert holds(claimed, values, words_of(claimed))


@pytest.mark.parametrize("said", words._SETS)
def test_sets_of_data_sets_are_those_of_their_words(said):
    for points, eps, d in SAMPLE:
        claimed = f"set({said}) == found"
        found = frozenset(words._SETS[said](points, eps, d))
        values = {"P": dict.fromkeys(points, 0), "eps": eps, "d": d, "found": found}
        assert holds(claimed, values, words_of(claimed))


@pytest.mark.parametrize("said", words._BUDGETS)
def test_budgets_are_those_of_their_words(said):
    sets = "hidden_classes(P, d)"
    for points, eps, d in SAMPLE:
        for v in {u & c for u in eps for c in words.classes(points, d) if u & c}:
            giving = [eps[u] for u in eps for c in words.classes(points, d) if u & c == v]
            claimed = f"{said.format(sets=sets)} == found"
            values = {"P": dict.fromkeys(points, 0), "eps": eps, "d": d, "v": v}
            values["found"] = words._BUDGETS[said](eps, v, giving)
            assert holds(claimed, values, words_of(claimed))


@pytest.mark.parametrize("said", budgets._TOLD)
def test_budgets_that_are_told_are_those_of_their_words(said):
    claimed = f"{said} == found"
    for case in SAMPLE:
        for x in frozenset().union(*case[1]):
            found = budgets._TOLD[said](case, x)
            values = {"eps": case[1], "d": case[2], "x": x, "found": found}
            assert holds(claimed, values, words_of(claimed))


@pytest.mark.parametrize("said", budgets._UNIVERSES)
def test_kinds_of_universes_are_those_of_their_words(said):
    for _, eps, d in SAMPLE:
        claimed = f"({said}) == found"
        values = {"eps": eps, "d": d, "found": budgets._UNIVERSES[said](eps, d)}
        assert holds(claimed, values, words_of(claimed))


@pytest.mark.parametrize("said", components._CONDITIONS)
def test_conditions_on_flavors_are_those_of_their_words(said):
    claimed = f"({said}) == found"
    for points, universes, d in list(words.flavors)[::37]:
        found = components._CONDITIONS[said](points, universes, d)
        values = {"X": points, "universes": frozenset(universes), "d": d, "found": found}
        assert holds(claimed, values, words_of(claimed))


@pytest.mark.parametrize("said", hidden._CONDITIONS)
def test_conditions_on_hidden_classes_are_those_of_their_words(said):
    claimed = f"({said}) == found"
    for points, universes, d in list(hidden.with_empty)[::331]:
        found = hidden._CONDITIONS[said](universes, words.classes(points, d))
        values = {"X": points, "universes": frozenset(universes), "d": d, "found": found}
        assert holds(claimed, values, words_of(claimed))


def test_universes_inside_hidden_invariants_ask_for_the_same():
    for one in small_specifications():
        matrix = inside_hidden_invariants(one.claim).matrix()
        assert all(matrix(*pair) == one.matrix(*pair) for pair in permutations(one.claim.flavor.domain, 2))


def test_a_bound_of_a_specification_is_that_of_its_matrix():
    for points, eps, d in SAMPLE:
        matrix = words.matrix_of(points, eps, d)
        assert all(matrix(*pair) == Loss(words.stated(eps, d, *pair)) for pair in permutations(points, 2))
