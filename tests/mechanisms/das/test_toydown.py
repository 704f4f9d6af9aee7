"""ToyDown: its estimate is the nearest point, the array version is the program's, its noise has the exact law."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import check_refused, each
from tiers import few

from stirred.mechanisms import exact_law, sample
from stirred.mechanisms.das.topdown import Geography
from stirred.mechanisms.das.toydown import laplace_noise, nearest_with_sum, toydown
from stirred.mechanisms.fast.inversion import discrete_laplace as array_laplace
from stirred.mechanisms.fast.inversion import inverted
from stirred.mechanisms.fast.toydown import adjusted, counts_of_levels, gaussian_toydown, nearest_with_sums
from stirred.mechanisms.fast.toydown import toydown as array_toydown
from stirred.mechanisms.noise.discrete_gaussian import discrete_laplace
from stirred.spec import InputError
from stirred.spec.laws.discrete_laplace import laplace_floors, laplace_scale
from stirred.verify.ledger.engines.bounded_law import bounded_law

TREE = Geography({"s": None, "a": "s", "b": "s", "a1": "a", "a2": "a", "b1": "b"})
PARENTS = ([0, 0, 1], [0, 0])
BLOCKS = {"a1": (3, 0), "a2": (0, 4), "b1": (1, 1)}


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=4), st.fractions(0, 12, max_denominator=5))
def test_the_nearest_point_meets_the_optimality_conditions(wanted, total):
    # x - w is one number where x > 0, and no less where x = 0: Karush, Kuhn and Tucker for a convex problem
    found = nearest_with_sum(wanted, total)
    assert sum(found) == total
    assert min(found) >= 0
    moved = {x - w for x, w in zip(found, wanted, strict=True) if x > 0}
    assert len(moved) <= 1
    for x, w in zip(found, wanted, strict=True):
        assert all(x - w >= shift for shift in moved)


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 2)), min_size=1, max_size=9),
    st.lists(st.integers(0, 20), min_size=3, max_size=3),
)
def test_arrays_find_the_same_point_in_every_group(rows, sums):
    groups = sorted({group for _, group in rows})
    numbers = [number for number, _ in rows]
    found = nearest_with_sums(numbers, [groups.index(group) for _, group in rows], sums[: len(groups)])
    for place, group in enumerate(groups):
        inside = [i for i, (_, of) in enumerate(rows) if of == group]
        exact = nearest_with_sum([numbers[i] for i in inside], Fraction(sums[place]))
        assert found[inside] == pytest.approx([float(x) for x in exact])


@pytest.mark.parametrize("seed", range(20))
def test_the_program_and_the_arrays_agree_on_the_same_noise(seed):
    rng = np.random.default_rng(seed)
    drawn = rng.integers(-4, 5, size=(6, 2))
    served = iter(drawn.ravel().tolist())
    program = sample(toydown, BLOCKS, seed=0, geography=TREE, noise=lambda source: next(served))
    levels = counts_of_levels([BLOCKS[leaf] for leaf in TREE.leaves], PARENTS)
    noisy = [levels[0] + drawn[3:], levels[1] + drawn[1:3], levels[2] + drawn[:1]]
    arrays = adjusted(noisy, PARENTS)
    assert arrays == pytest.approx(np.array([[float(x) for x in program[leaf]] for leaf in TREE.leaves]))


def test_without_noise_it_is_the_data():
    found = sample(toydown, BLOCKS, seed=0, geography=TREE, noise=lambda source: 0)
    assert found == BLOCKS


def test_counts_are_not_negative_and_sum_to_the_parents():
    def law(data, source):
        return tuple(toydown(data, source, geography=TREE, noise=lambda s: s.uniform(3) - 1).items())

    two = {"a1": (1,), "a2": (0,), "b1": (0,)}
    for outcome in exact_law(law, two):
        counts = dict(outcome)
        assert min(x for line in counts.values() for x in line) >= 0


@pytest.mark.parametrize(
    "scale", few([Fraction(3, 2), Fraction(1, 3), Fraction(1), Fraction(2), Fraction(500, 163)], 2)
)
def test_noise_has_the_ratios_of_its_law(scale):
    found = bounded_law(lambda data, source: discrete_laplace(source, scale), None, cutoff=Fraction(1, 10**7))
    least, floors = laplace_floors(scale, 200)
    mass = {least + i: floors[i] - (floors[i - 1] if i else 0) for i in range(len(floors))}
    for value in range(-3, 4):
        exact = Fraction(mass[value], 2**200)
        assert found.lower[value] - Fraction(1, 10**50) <= exact <= found.lower[value] + found.missing
    assert found.missing < Fraction(1, 1000)


def test_floors_are_those_of_a_rational_check():
    # alpha = e^(-1/t): P(X <= -1) * (1 + alpha) = alpha and P(X <= 0) = 1/(1 + alpha), so their sum is 1
    least, floors = laplace_floors(2, 64)
    below, at = floors[-1 - least], floors[-least]
    assert below + at in (2**64 - 1, 2**64)
    assert floors == sorted(floors)
    assert floors[-1] == 2**64 - 1


def test_words_between_the_floors_fall_where_they_should():
    least, floors = laplace_floors(Fraction(3, 2), 64)
    place = -least
    words = np.array([floors[place] - 1, floors[place] + 1, 0], dtype=np.uint64)
    drawn = inverted(
        lambda bits: laplace_floors(Fraction(3, 2), bits), words, lambda n: np.full(n, 2**63, dtype=np.uint64)
    )
    assert drawn[:2].tolist() == [0, 1]
    assert drawn[2] < -40
    assert array_laplace(2, 0).tolist() == []


def test_array_versions_repeat_with_a_seed_and_vary_without():
    counts = [BLOCKS[leaf] for leaf in TREE.leaves]
    for release, budget in ((array_toydown, {"epsilon": 2}), (gaussian_toydown, {"rho": Fraction(1, 2)})):
        runs = [release(counts, PARENTS, **budget, seed=seed).tolist() for seed in (1, 1, 2, 3)]
        assert runs[0] == runs[1]
        assert len({str(run) for run in runs}) > 1
        assert np.array(runs).min() >= 0


def test_budgets_and_counts_are_checked():
    with pytest.raises(InputError, match="epsilon must be positive; got 0"):
        laplace_noise(0, 4)
    with pytest.raises(InputError, match="rho must be positive; got -1"):
        gaussian_toydown([(1,)] * 3, PARENTS, rho=-1)
    for counts, message in (((-1, 0), "counts of a1"), ((1,), "counts of all leaves must be of the same races")):
        with pytest.raises(InputError, match=message):
            sample(toydown, {**BLOCKS, "a1": counts}, seed=0, geography=TREE, noise=laplace_noise(1, 3))


def test_every_level_gets_its_share():
    noise = laplace_noise(Fraction(3), 3)
    drawn = [sample(lambda data, source: noise(source), None, seed=seed) for seed in range(300)]
    # e^-1 per step: the mean of |y| is 2a/(1 - a^2) = 0.85
    assert 0.6 < np.abs(drawn).mean() < 1.1
    assert {-1, 0, 1} < set(drawn)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *each(laplace_scale, [0, -1, 10**6], "scale must be positive and at most 100000"),
        (
            lambda: counts_of_levels([BLOCKS[leaf] for leaf in TREE.leaves], ([0, 0],)),
            "parents must be those of all 3 nodes of a level; got 2",
        ),
        (lambda: counts_of_levels([BLOCKS[leaf] for leaf in TREE.leaves], ([0, 0, 1],)), "parents must end at one"),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)
