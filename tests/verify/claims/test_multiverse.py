"""What the claims on multiverses compute in Python is what they say in words, and what `spec` rewrites is the same."""

from __future__ import annotations

from itertools import permutations

import pytest

from stirred.spec.order import inside_hidden_invariants
from stirred.verify.certificates.language import holds
from stirred.verify.claims.multiverse import distances, words
from stirred.verify.engines.algebra.small_specifications import small_specifications
from stirred.verify.ledger.failures import words_of

SAMPLE = list(words.specifications)[::97]


@pytest.mark.parametrize("said", distances._CONDITIONS)
def test_conditions_on_hidden_classes_are_those_of_their_words(said):
    claimed = f"({said}) == found"
    for points, universes, d in list(distances.with_empty)[::331]:
        found = distances._CONDITIONS[said](universes, words.classes(points, d))
        values = {"X": points, "universes": frozenset(universes), "d": d, "found": found}
        assert holds(claimed, values, words_of(claimed))


def test_universes_inside_hidden_invariants_ask_for_the_same():
    for claim in small_specifications():
        matrix, hidden = claim.matrix(), inside_hidden_invariants(claim).matrix()
        assert all(matrix(*pair) == hidden(*pair) for pair in permutations(claim.flavor.domain, 2))


def test_a_stated_bound_is_that_of_the_constraint_matrix():
    claimed = "stated_bound(eps, d, x, y) == bound"
    for points, eps, d in SAMPLE:
        matrix = words.matrix_of(points, eps, d)
        for x, y in permutations(points, 2):
            values = {"eps": eps, "d": d, "x": x, "y": y, "bound": matrix(x, y).gamma}
            assert holds(claimed, values, words_of(claimed))


def test_other_bounds_with_other_mechanisms_are_refuted_by_a_mechanism():
    eps, d = {frozenset({0, 1}): 2}, {(0, 1): 1}
    assert words.rewritten((0, 1), eps, d, other="eps, {(1, 0): 1}") is None  # other bounds, the same mechanisms
    failed = words.rewritten((0, 1), eps, d, other="eps, {(0, 1): 2}")
    assert failed is not None
    assert failed["kind"] == "case"
