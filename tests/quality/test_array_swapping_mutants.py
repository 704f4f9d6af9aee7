"""Each change that would make the array implementation of the PSA draw from another law is caught by its checks."""

import sys
from fractions import Fraction
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
from conformance.array_swapping import (
    check_digits_of_a_law,
    check_independent_strata,
    check_law,
    check_moves,
    check_order_by_digits,
    check_ordered_subsets,
    check_selected_counts,
    check_share_of_digits,
)

import stirred.mechanisms.fast.swap_buckets  # noqa: F401 loads the modules
from stirred.spec import InputError

NAMES = (*("permutation_swapping", "selected_records", "cycle_lengths", "random_words", "swap_buckets"), "small_laws")
MODULES = {name: sys.modules[f"stirred.mechanisms.fast.{name}"] for name in NAMES}
HALF, ALWAYS = Fraction(1, 2), Fraction(1)


def draw(matching, swap_rate, seed):
    return MODULES["permutation_swapping"].draw_moves(matching, swap_rate=swap_rate, seed=seed)


def draw_in_buckets(matching, swap_rate, seed):
    """The strata 0 and 1 stand in different buckets."""
    key, columns = MODULES["random_words"].run_key(seed), [MODULES["swap_buckets"].MatchingColumn.of(matching)]
    return MODULES["swap_buckets"].swap_buckets(columns, len(matching), swap_rate=swap_rate, key=key, buckets=16)


def shuffle(*arguments):
    return MODULES["selected_records"].shuffled_inside(*arguments)


def law(*sizes, swap_rate=HALF):
    return lambda: check_law(draw, sizes, swap_rate)


def independence(size, swap_rate):
    return lambda: check_independent_strata(draw, size, swap_rate)


def in_buckets():
    hashes = MODULES["swap_buckets"].bucket_hashes([0, 1], 0)
    assert len(set(MODULES["swap_buckets"].bucket_numbers(hashes, 16).tolist())) == 2
    check_law(draw_in_buckets, (4,), HALF, draws=2000)
    check_independent_strata(draw_in_buckets, 3, ALWAYS, draws=300)


def moves_in_buckets():
    check_moves(draw_in_buckets, np.arange(100) // 2, ALWAYS, 7)


def order_by_digits():
    for seed in range(20):
        check_order_by_digits(shuffle, [0, 0, 1, 0, 1], seed)


def share():
    check_share_of_digits(MODULES["selected_records"].select, Fraction(1, 3))


def counts_again(size):
    return lambda: check_selected_counts(MODULES["selected_records"].selected_counts, size, Fraction(1, 50))


def subsets(size, count):
    return lambda: check_ordered_subsets(MODULES["selected_records"].ordered_subsets, size, count)


def digits_of_a_law():
    check_digits_of_a_law(MODULES["small_laws"], [1, 1, 1])


MUTANTS = {
    "re-selection off by one, above": ("permutation_swapping", "alone = counts == 1", "alone = counts == 2", law(4)),
    "one is selected again": ("selected_records", "weights[1] = 0", "weights[1] += 0", law(4)),
    "none is never selected again": ("selected_records", "weights[1] = 0", "weights[:2] = [0, 0]", law(4)),
    "re-selection of many off by one, below": (
        *("selected_records", "np.flatnonzero(counts == 1)):", "np.flatnonzero(counts <= 1)):"),
        counts_again(150),
    ),
    "re-selection of many ends with one": (
        *("selected_records", "np.flatnonzero(counts == 1)):", "np.flatnonzero(counts == 1)) > 2000:"),
        counts_again(150),
    ),
    "no re-selection in strata of two": ("selected_records", "if size == 1:", "if size <= 2:", law(2)),
    "the first records of a stratum are selected again": (
        *("selected_records", "order = shuffled_inside(places, groups, sizes, words)"),
        *("order = places[np.argsort(groups, kind='stable')]", law(4)),
    ),
    "the first of those below the limit": (
        *("selected_records", "order = shuffled_inside(places, groups, sizes, words)"),
        *("order = places[np.argsort(groups, kind='stable')]", subsets(40, 1)),
    ),
    "as many of each stratum skipped": (
        *("selected_records", "skipped = np.cumsum(sizes - counts) -", "skipped = 0 *"),
        subsets(4, 2),
    ),
    "the limit of one stratum taken for all": (
        *("selected_records", "numbers.take(block.take(inside))", "0 * numbers.take(block.take(inside))"),
        subsets(4, 2),
    ),
    "a byte decides what it leaves open": (
        "small_laws",
        "np.where(least == most,",
        "np.where(least <= most,",
        digits_of_a_law,
    ),
    "a further word counts for half of its digits": (
        *("small_laws", "known += _WORD", "known += _WORD // 2"),
        digits_of_a_law,
    ),
    "a tie of forty digits is not settled": (
        *("small_laws", "self._floors.take(places) == digits)", "self._floors.take(places) < 0)"),
        digits_of_a_law,
    ),
    "the digit of p selects": ("selected_records", "chosen = drawn < np", "chosen = drawn <= np", share),
    "second digit of p forgotten": ("selected_records", "if scaled != digit:", "if not n:", share),
    "ties broken by position": ("selected_records", "if equal.any():", "if not n:", order_by_digits),
    "half of the elements shuffled": (
        "selected_records",
        "keys.sort()",
        "keys[: n // 2].sort()",
        law(4, swap_rate=ALWAYS),
    ),
    "no shuffle": ("selected_records", "random_quarters(n, words))", "np.arange(n).astype(np.uint16))", law(4)),
    "one cycle always": ("cycle_lengths", "rest = remainders(left, words)", "rest = 0 * left", law(4)),
    "words of one stratum used in the next, selection": (
        *("selected_records", "drawn = random_bytes(n, words)", "drawn = np.resize(random_bytes(3, words), n)"),
        independence(3, HALF),
    ),
    "words of one stratum used in the next, order": (
        *("selected_records", "random_quarters(n, words))", "np.resize(random_quarters(3, words), n))"),
        independence(3, ALWAYS),
    ),
    "words of one stratum used in the next, cycles": (
        *("small_laws", "random_bytes(len(begun), words)", "np.resize(random_bytes(1, words), len(begun))"),
        independence(4, ALWAYS),
    ),
    "words of one bucket used in the next": (
        *("swap_buckets", '"bucket {} of {}".format(*home)', '"bucket of {1}".format(*home)'),
        in_buckets,
    ),
    "strata of a bucket swapped as one": (
        *("swap_buckets", "ranks[order] = np.arange(len(homes)) -", "ranks[order] = 0 *"),
        moves_in_buckets,
    ),
}


@pytest.fixture(autouse=True)
def laws_of_this_source():
    """Laws that were computed are forgotten, for the next source to compute its own."""
    yield
    forget_laws()


def forget_laws():
    for home in MODULES.values():
        for value in vars(home).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def plant(monkeypatch, name, old, new):
    """Every module of the array implementation takes functions and classes of this one from its changed source."""
    module = MODULES[name]
    source = Path(module.__file__).read_text()
    assert source.count(old) == 1, f"{old!r} must stand once in {name}"
    changed = {"__name__": module.__name__}
    exec(compile(source.replace(old, new), module.__file__, "exec"), changed)  # noqa: S102 the program's own source
    for home in MODULES.values():
        for function, value in changed.items():
            own = isinstance(value, (FunctionType, type)) and value.__module__ == module.__name__
            if own and hasattr(home, function):
                monkeypatch.setattr(home, function, value)
    forget_laws()


@pytest.mark.nightly
@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_change_of_the_law_is_caught(mutant, monkeypatch):
    name, old, new, check = MUTANTS[mutant]
    check()
    plant(monkeypatch, name, old, new)
    with pytest.raises((AssertionError, InputError, IndexError)):  # also of one that needs a derangement, or of none
        check()
