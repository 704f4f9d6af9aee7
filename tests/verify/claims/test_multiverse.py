"""What the claims on multiverses compute is what they say in words, and what the small censuses and mechanisms are."""

from itertools import permutations

import pytest

from stirred.spec.algebra.order import inside_hidden_invariants
from stirred.spec.blocks.multiverse import at_most
from stirred.verify.claims.census import universes
from stirred.verify.claims.census.invariants import swapping_release, topdown_release
from stirred.verify.claims.multiverse import distances, words
from stirred.verify.claims.multiverse.distances import holds_of_pieces
from stirred.verify.claims.multiverse.words import hidden_classes, keeps_all, same_bounds, stated_bound
from stirred.verify.engines.algebra.small_specifications import small_specifications
from stirred.verify.ledger.failures import says_so

SAMPLE = list(words.specifications)[::97]


@pytest.mark.parametrize("said", distances._CONDITIONS)
def test_conditions_on_hidden_classes_are_those_of_their_words(said):
    claimed = lambda X, universes, d, found: holds_of_pieces(said, universes, hidden_classes(X, d)) == found
    for points, family, d in list(distances.with_empty)[::331]:
        found = distances._CONDITIONS[said](family, words.classes(points, d))
        values = {"X": points, "universes": frozenset(family), "d": d, "found": found}
        assert says_so(claimed, **values)


def test_universes_inside_hidden_invariants_ask_for_the_same():
    for claim in small_specifications():
        matrix, hidden = claim.matrix(), inside_hidden_invariants(claim).matrix()
        assert all(matrix(*pair) == hidden(*pair) for pair in permutations(claim.flavor.domain, 2))


def test_a_stated_bound_is_that_of_the_constraint_matrix():
    claimed = lambda eps, d, x, y, bound: stated_bound(eps, d, x, y) == bound
    for points, eps, d in SAMPLE:
        matrix = words.matrix_of(points, eps, d)
        for x, y in permutations(points, 2):
            values = {"eps": eps, "d": d, "x": x, "y": y, "bound": matrix(x, y).gamma}
            assert says_so(claimed, **values)


def test_other_bounds_with_other_mechanisms_are_refuted_by_a_mechanism():
    eps, d = {frozenset({0, 1}): 2}, {(0, 1): 1}
    same = words.Rewriting(
        lambda eps, d: ((eps, d), (eps, {(1, 0): 1})),
        lambda P, eps, d: same_bounds(P, eps, d, eps, {(1, 0): 1}),
        lambda P, eps, d: keeps_all(P, eps, d) == keeps_all(P, eps, {(1, 0): 1}),
    )
    assert words.rewritten((0, 1), eps, d, other=same) is None  # other bounds, the same mechanisms
    other = words.Rewriting(
        lambda eps, d: ((eps, d), (eps, {(0, 1): 2})),
        lambda P, eps, d: same_bounds(P, eps, d, eps, {(0, 1): 2}),
        lambda P, eps, d: keeps_all(P, eps, d) == keeps_all(P, eps, {(0, 1): 2}),
    )
    failed = words.rewritten((0, 1), eps, d, other=other)
    assert failed is not None
    assert failed["kind"] == "case"


class TestInvariants:
    def test_one_state_has_the_population_that_the_size_gives(self):
        release = topdown_release(1)
        assert not release.loss_is_infinite((0, 1))
        assert not release.leaves_open((0, 1))

    def test_all_state_populations_left_out_need_an_infinite_budget(self):
        release = topdown_release()
        assert release.loss_is_infinite((0, 1, 2))
        assert not release.loss_is_infinite((0, 1, 2, 3))
        assert not release.loss_is_infinite(range(5))

    def test_each_table_of_swapping_is_needed_and_no_single_total_is(self):
        release = swapping_release(3, 1, 2, 2)
        assert release.loss_is_infinite((0, 1))
        assert release.loss_is_infinite((2, 3))
        assert not any(release.loss_is_infinite([i for i in range(4) if i != left]) for left in range(4))


class TestUniverses:
    def test_what_swapping_leads_to_has_the_households_of_each_county(self):
        x = (("one", 1, "a"), ("two", 2, "b"))
        assert set(universes.swapped(x, by_size=True)) == {x}
        assert set(universes.swapped(x, by_size=False)) == {x, (("one", 2, "b"), ("two", 1, "a"))}

    def test_the_indicator_of_an_inequality_is_that_of_the_article(self):
        has_a_unit = at_most(lambda x: 1 - x.count(0))
        assert [int(bool(has_a_unit(x))) for x in ((), (0,), (1,), (0, 0))] == [0, 1, 0, 1]
