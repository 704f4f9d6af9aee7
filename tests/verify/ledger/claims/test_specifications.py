"""What the definitions of specification and mechanism say, of the code that every claim about them runs on.

What the claims on multiverses compute is what they say in words.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, permutations, product

import pytest

from stirred.spec.arguments import InputError
from stirred.spec.blocks.input_premetric import Distance
from stirred.spec.blocks.multiverse import Multiverse, at_most
from stirred.spec.blocks.specification import Flavor, Specification
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.laws.law import Law, uniform_law
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.engines.exhaustive import universe_losses, violations
from stirred.verify.ledger.claims.census.budgets import swapping_release, topdown_release
from stirred.verify.ledger.claims.census.universes import swapped
from stirred.verify.ledger.claims.multiverse import distances, words
from stirred.verify.ledger.claims.multiverse.distances import holds_of_pieces
from stirred.verify.ledger.claims.multiverse.words import hidden_classes, keeps_all, same_bounds, stated_bound
from stirred.verify.ledger.engines.small_domains import (
    DISTANCES,
    LAWS,
    domain_of,
    multiverses,
    premetric,
    premetric_tables,
    specification,
    universes,
)
from stirred.verify.ledger.failures import says_so

TINY = (ZERO, Loss(Fraction(2)), INFINITE)
THREE_LAWS = (LAWS[0], LAWS[3], LAWS[4])

Bound = Callable[[Loss, Distance], Loss]


def product_of(budget: Loss, distance: Distance) -> Loss:
    """ε·d with 0·∞ = ∞, written without `Loss.times`."""
    if budget.gamma is None or distance is None:
        return INFINITE
    return Loss(budget.gamma ** Fraction(distance).numerator)


def without_distance(budget: Loss, distance: Distance) -> Loss:
    return budget if distance is not None else INFINITE


def zero_at_infinity(budget: Loss, distance: Distance) -> Loss:
    return ZERO if budget.is_zero else product_of(budget, distance)


def holds_for_all_events(p: Law[int], q: Law[int], bound: Loss) -> bool:
    """|ln P(S)/Q(S)| ≤ bound for all events S."""
    if bound.gamma is None:
        return True
    sums = [tuple(sum(map(law.numeric, event), Fraction(0)) for law in (p, q)) for event in universes(domain_of(3))]
    return all(a <= bound.gamma * b and b <= bound.gamma * a for a, b in sums)


def agree(bound: Bound, pairs: Callable[[list[int], int], Iterator[tuple[int, ...]]]) -> bool:
    """Whether the engine and Definition 1, read by events, say the same of all small specifications."""
    cases = product(THREE_LAWS, THREE_LAWS, TINY, DISTANCES)
    holds = {(p, q, e, d): holds_for_all_events(p, q, bound(e, d)) for p, q, e, d in cases}
    for multiverse, table in product(multiverses(domain_of(2)), premetric_tables(domain_of(2))):
        for values in product(TINY, repeat=len(multiverse)):
            budgets = dict(zip(multiverse, values, strict=True))
            claim = specification(domain_of(2), budgets, table)
            for laws in product(THREE_LAWS, repeat=2):
                read = all(
                    holds[laws[x], laws[y], budget, table[x, y]]
                    for universe, budget in budgets.items()
                    for x, y in pairs(sorted(universe), 2)
                )
                if read != (next(violations(dict(enumerate(laws)), claim), None) is None):
                    return False
    return True


def test_engine_decides_the_definition_read_by_events() -> None:
    """Article, Definition 1; dissertation, Definition 2.4.4: both orders of every pair of every universe."""
    assert agree(product_of, permutations)


@pytest.mark.parametrize(
    ("bound", "pairs"), [(without_distance, permutations), (zero_at_infinity, permutations), (product_of, combinations)]
)
def test_engine_decides_no_other_condition(
    bound: Bound, pairs: Callable[[list[int], int], Iterator[tuple[int, ...]]]
) -> None:
    assert not agree(bound, pairs)


SMALL_FAMILIES = [Multiverse(chosen) for size in range(3) for chosen in combinations(universes(domain_of(3)), size)]


@pytest.mark.parametrize("multiverse", SMALL_FAMILIES, ids=lambda one: str(sorted(map(sorted, one))))
def test_specification_takes_budgets_for_exactly_its_universes_inside_the_domain(multiverse: Multiverse) -> None:
    """Dissertation, Definitions 2.4.1 and 2.4.2, on X = {0, 1}."""
    inside = all(point in domain_of(2) for universe in multiverse for point in universe)
    for named in SMALL_FAMILIES:
        try:
            flavor = Flavor(domain_of(2), multiverse, premetric({(0, 1): 1, (1, 0): 1}), Multiplicative())
            Specification(flavor, dict.fromkeys(named, ZERO))
        except InputError:
            assert not inside or set(named) != set(multiverse)
        else:
            assert inside
            assert set(named) == set(multiverse)


@pytest.mark.parametrize("images", list(product(range(3), repeat=3)))
def test_law_of_a_mechanism_gives_an_event_the_probability_of_its_seeds(images: tuple[int, ...]) -> None:
    """Dissertation, Definitions 2.4.3 and A.1.3: P(T(x, U) in S) = P(U in {u : T(x, u) in S}), U uniform on three."""
    law = uniform_law((0, 1, 2)).push(images.__getitem__)
    for event in universes(domain_of(3)):
        assert law.event(event.__contains__) == Fraction(sum(image in event for image in images), 3)


@pytest.mark.parametrize("points", universes(domain_of(4)), ids=lambda one: str(sorted(one)))
def test_mechanism_has_laws_for_exactly_the_data_sets_of_the_domain(points: frozenset[int]) -> None:
    """Dissertation, Remark 2.4.7, on X = {0, 1, 2}."""
    table = dict.fromkeys(permutations(range(3), 2), 1)
    for multiverse in (one for one in multiverses(domain_of(3)) if len(one) <= 3):
        flavor = Flavor(domain_of(3), multiverse, premetric(table), Multiplicative())
        try:
            universe_losses(dict.fromkeys(points, LAWS[0]), flavor)
        except InputError:
            assert points != {0, 1, 2}
        else:
            assert points == {0, 1, 2}


SAMPLE = list(words.specifications)[::97]


@pytest.mark.parametrize("said", distances._CONDITIONS)
def test_conditions_on_hidden_classes_are_those_of_their_words(said):
    claimed = lambda X, universes, d, found: holds_of_pieces(said, universes, hidden_classes(X, d)) == found
    for points, family, d in list(distances.with_empty)[::331]:
        found = distances._CONDITIONS[said](family, words.classes(points, d))
        values = {"X": points, "universes": frozenset(family), "d": d, "found": found}
        assert says_so(claimed, **values)


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
        assert set(swapped(x, by_size=True)) == {x}
        assert set(swapped(x, by_size=False)) == {x, (("one", 2, "b"), ("two", 1, "a"))}

    def test_the_indicator_of_an_inequality_is_that_of_the_article(self):
        has_a_unit = at_most(lambda x: 1 - x.count(0))
        assert [int(bool(has_a_unit(x))) for x in ((), (0,), (1,), (0, 0))] == [0, 1, 0, 1]
