from fractions import Fraction
from itertools import permutations, product

import pytest

from stirred.spec.arguments import InputError
from stirred.spec.loss import INFINITE, ZERO, Loss
from stirred.spec.multiverse import Multiverse, induced
from stirred.spec.output_premetrics import Multiplicative, TotalVariation
from stirred.spec.specification import Flavor
from stirred.verify.engines.algebra import small_domains as small
from stirred.verify.engines.exhaustive import universe_losses


@pytest.mark.parametrize("size", [1, 2, 3])
def test_there_are_2_to_the_2_to_the_n_multiverses_and_all_differ(size):
    every = list(small.multiverses(small.domain_of(size)))
    assert len(every) == 2**2**size
    assert len({frozenset(multiverse) for multiverse in every}) == len(every)


def test_the_empty_multiverse_and_the_empty_universe_are_listed():
    every = list(small.multiverses(small.domain_of(2)))
    assert Multiverse(()) in every
    assert Multiverse((frozenset(),)) in every


@pytest.mark.parametrize(("size", "bell"), [(1, 1), (2, 2), (3, 5), (4, 15)])
def test_invariants_are_the_partitions_once_each(size, bell):
    domain = small.domain_of(size)
    partitions = {frozenset(induced(domain, c.__getitem__)) for c in small.invariants(domain)}
    assert len(partitions) == len(list(small.invariants(domain))) == bell


@pytest.mark.parametrize(("size", "shapes"), [(1, 1), (2, 2), (3, 3), (4, 5)])
def test_invariant_shapes_are_the_partitions_of_an_integer(size, shapes):
    assert len(small.invariant_shapes(small.domain_of(size))) == shapes


def test_premetrics_include_asymmetric_ones_and_zeros_between_different_points():
    tables = list(small.premetric_tables(small.domain_of(2)))
    assert len(tables) == 16
    assert {(0, 1): 0, (1, 0): None} in tables


@pytest.mark.parametrize("size", [0, 5, True, 2.0])
def test_domains_too_large_to_list_are_refused(size):
    with pytest.raises(InputError, match="size must be"):
        small.domain_of(size)


@pytest.mark.parametrize("measure", [Multiplicative(), TotalVariation()])
def test_smallest_budgets_agree_with_the_exhaustive_engine(measure):
    domain = small.domain_of(3)
    needed = small.SmallestBudgets(measure)
    multiverse = Multiverse(small.universes(domain))
    table = {(0, 1): 0, (1, 0): 2, (0, 2): 1, (2, 0): None, (1, 2): 2, (2, 1): 1}
    for kernel in small.kernels(domain):
        laws = {point: small.LAWS[i] for point, i in enumerate(kernel)}
        flavor = Flavor(domain, multiverse, small.premetric(table), measure)
        for loss in universe_losses(laws, flavor):
            assert needed.values[needed.of(loss.universe, kernel, table)] == loss.budget


def test_smallest_budgets_rank_increasingly():
    values = small.SmallestBudgets(Multiplicative()).values
    assert list(values) == sorted(set(values))
    assert values[0] == ZERO
    assert values[-1] == INFINITE


def test_bits_are_the_multiverses_with_budgets_in_mixed_radix():
    subsets = small.universes(small.domain_of(1))
    every = small.BudgetedMultiverses(subsets, small.LOSSES)
    listed = []
    for choice in product([None, *small.LOSSES], repeat=2):
        listed.append({u: budget for u, budget in zip(subsets, choice, strict=True) if budget is not None})
    decoded = [every.first(1 << number) for number in range(every.count)]
    assert every.count == 25
    assert all(one in decoded for one in listed)


def test_sets_of_bits_are_what_their_predicate_says():
    subsets = small.universes(small.domain_of(1))
    every = small.BudgetedMultiverses(subsets, small.LOSSES)
    chosen = every.with_budget(1, lambda budget: budget <= Loss(Fraction(2)))
    for number in range(every.count):
        budgets = every.first(1 << number)
        inside = subsets[1] in budgets and budgets[subsets[1]] <= Loss(Fraction(2))
        assert bool(chosen >> number & 1) == inside
        assert bool(every.present(0) >> number & 1) == (subsets[0] in budgets)


def test_kernels_up_to_relabelling_cover_all_kernels():
    domain = small.domain_of(3)
    covered = {tuple(kernel[i] for i in order) for kernel in small.kernels(domain) for order in permutations(range(3))}
    assert covered == set(product(range(len(small.LAWS)), repeat=3))
