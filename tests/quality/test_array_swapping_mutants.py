"""Each change that would make the array implementation of the PSA draw from another law is caught by its checks."""

import sys
from fractions import Fraction
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
from conformance.array_swapping import (
    check_independent_strata,
    check_law,
    check_moves,
    check_order_by_digits,
    check_share_of_digits,
)

import mechanisms.fast.swap_buckets  # noqa: F401 loads the modules
from spec import InputError

NAMES = ("permutation_swapping", "selection", "shuffle", "cycle_lengths", "keyed_words", "swap_buckets")
MODULES = [sys.modules[f"mechanisms.fast.{name}"] for name in NAMES]
HALF, ALWAYS = Fraction(1, 2), Fraction(1)


def draw(matching, swap_rate, seed):
    return MODULES[0].draw_moves(matching, swap_rate=swap_rate, seed=seed)


def draw_in_buckets(matching, swap_rate, seed):
    """The strata 0 and 1 stand in different buckets."""
    key, columns = MODULES[4].run_key(seed), [MODULES[5].MatchingColumn.of(matching)]
    return MODULES[5].swap_buckets(columns, len(matching), swap_rate=swap_rate, key=key, buckets=16)


def shuffle(groups, number, words):
    return MODULES[2].shuffled_inside(groups, number, words)


def law(*sizes, swap_rate=HALF):
    return lambda: check_law(draw, sizes, swap_rate)


def independence(size, swap_rate):
    return lambda: check_independent_strata(draw, size, swap_rate)


def in_buckets():
    hashes = MODULES[5].bucket_hashes([0, 1], 0)
    assert len(set(MODULES[5].bucket_numbers(hashes, 16).tolist())) == 2
    check_law(draw_in_buckets, (4,), HALF, draws=2000)
    check_independent_strata(draw_in_buckets, 3, ALWAYS, draws=300)


def moves_in_buckets():
    check_moves(draw_in_buckets, np.arange(100) // 2, ALWAYS, 7)


def order_by_digits():
    for seed in range(20):
        check_order_by_digits(shuffle, [0, 0, 1, 0, 1], seed)


def share():
    check_share_of_digits(MODULES[1].select, Fraction(1, 3))


MUTANTS = {
    "re-selection off by one, above": ("permutation_swapping", "alone = counts == 1", "alone = counts == 2", law(4)),
    "re-selection off by one, below": (
        *("permutation_swapping", "np.flatnonzero(counts == 1)):", "np.flatnonzero(counts <= 1)):"),
        law(4),
    ),
    "no re-selection in strata of two": ("permutation_swapping", "sizes > 1", "sizes > 2", law(2)),
    "re-selection ends with one": (
        *("permutation_swapping", "np.flatnonzero(counts == 1)):", "np.flatnonzero(counts == 1)) > 2000:"),
        law(3),
    ),
    "the first records of a stratum are selected again": (
        *("permutation_swapping", "shuffled_inside(groups.take(moving), len(sizes), words)"),
        *("np.argsort(groups.take(moving), kind='stable')", law(4)),
    ),
    "the digit of p selects": ("selection", "chosen = drawn < np", "chosen = drawn <= np", share),
    "second digit of p forgotten": (
        "selection",
        "if scaled != digit:",
        "if not n:",
        share,
    ),
    "ties broken by position": ("shuffle", "if equal.any():", "if not n:", order_by_digits),
    "half of the elements shuffled": ("shuffle", "keys.sort()", "keys[: n // 2].sort()", law(4, swap_rate=ALWAYS)),
    "no shuffle": ("shuffle", "|= random_halves(n, words) >>", "|= np.arange(n, dtype=np.uint32) >>", law(4)),
    "one cycle always": ("cycle_lengths", "rest = remainders(left, words)", "rest = 0 * left", law(4)),
    "words of one stratum used in the next, selection": (
        *("selection", "drawn = random_bytes(n, words)", "drawn = np.resize(random_bytes(3, words), n)"),
        independence(3, HALF),
    ),
    "words of one stratum used in the next, order": (
        *("shuffle", "|= random_halves(n, words) >>", "|= np.resize(random_halves(3, words), n) >>"),
        independence(3, ALWAYS),
    ),
    "words of one stratum used in the next, cycles": (
        *("cycle_lengths", "random_halves(len(sizes), words)", "np.resize(random_halves(1, words), len(sizes))"),
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


def plant(monkeypatch, name, old, new):
    """Every module of the array implementation takes the functions of this one from its changed source."""
    module = sys.modules[f"mechanisms.fast.{name}"]
    source = Path(module.__file__).read_text()
    assert source.count(old) == 1, f"{old!r} must stand once in {name}"
    changed = {"__name__": module.__name__}
    exec(compile(source.replace(old, new), module.__file__, "exec"), changed)  # noqa: S102 the program's own source
    for home in MODULES:
        for function, value in changed.items():
            own = isinstance(value, FunctionType) and value.__module__ == module.__name__
            if own and hasattr(home, function):
                monkeypatch.setattr(home, function, value)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_change_of_the_law_is_caught(mutant, monkeypatch):
    name, old, new, check = MUTANTS[mutant]
    check()
    plant(monkeypatch, name, old, new)
    with pytest.raises((AssertionError, InputError)):  # one selected record is refused where it needs a derangement
        check()
