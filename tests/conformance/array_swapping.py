"""What every array implementation of the PSA must do; `draw(matching, swap_rate, seed)` gives its `Moves`."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb, perm
from random import Random

import numpy as np
from mpmath import gammainc

import stirred.mechanisms
from stirred.mechanisms import exact_law, replay
from stirred.mechanisms.fast.permutation_swapping import choice_record
from stirred.mechanisms.fast.random_words import random_words

ERROR = 1e-7
"""The probability with which the exact law itself would fail a test of fit; the seeds are fixed."""

UNIVERSES = [
    ((1, 2), Fraction(1, 3)),
    ((2,), Fraction(9, 10)),
    ((3,), Fraction(1, 10)),
    ((3, 2), Fraction(1, 2)),
    ((4,), Fraction(1, 2)),
    ((4,), Fraction(4, 5)),
    ((5,), Fraction(1, 2)),
    ((5,), Fraction(1)),
    ((6,), Fraction(1)),
]
"""Sizes of strata and swap rates whose laws are compared."""


def fits(counts, law):
    """Whether draws fit a law by Pearson's chi-squared at `ERROR`: nothing outside its support, at least 5 expected."""
    draws = sum(counts.values())
    assert set(counts) <= {outcome for outcome, q in law.items() if q}, "an outcome of probability 0"
    assert draws * min(law.values()) >= 5
    statistic = sum((counts[outcome] - draws * q) ** 2 / (draws * q) for outcome, q in law.items())
    return len(law) == 1 or gammainc((len(law) - 1) / 2, float(statistic) / 2, regularized=True) > ERROR


@cache
def law_of_moves(sizes, swap_rate):
    """The exact law of the permutation of records that differ, by following every choice of the program."""
    rows = tuple((stratum, k, k) for stratum, k in stratum_labels(sizes))
    law = exact_law(stirred.mechanisms.permutation_swapping, rows, swap_rate=swap_rate)
    found = {}
    for order in permutations(range(len(rows))):
        output = stirred.mechanisms.saturated_table([(m, h, order[i]) for i, (m, h, _) in enumerate(rows)])
        if law[output]:
            found[order] = law[output]
    assert sum(found.values()) == 1
    return found


def stratum_labels(sizes):
    return [(stratum, k) for k, stratum in enumerate(s for s, size in enumerate(sizes) for _ in range(size))]


def check_law(draw, sizes, swap_rate, draws=20_000, seed=2026):
    """Copies of a small data set, each under labels of its own and lying among the others in order, drawn at once."""
    size = sum(sizes)
    small = np.array([stratum for stratum, _ in stratum_labels(sizes)])
    matching = np.concatenate([small + len(sizes) * copy for copy in range(draws)])
    mixed = np.random.default_rng(seed).permutation(draws * size).reshape(draws, size)  # where each record stands
    mixed = np.sort(mixed, axis=1).reshape(-1)
    places = np.empty_like(mixed)
    places[mixed] = np.arange(draws * size)
    shown = np.empty_like(matching)
    shown[mixed] = matching
    moves = places[draw(shown, swap_rate, seed).permutation()[mixed]].reshape(draws, size)
    counts = Counter(map(tuple, (moves - size * np.arange(draws)[:, None]).tolist()))
    assert fits(counts, law_of_moves(sizes, swap_rate)), f"strata of {sizes} at {swap_rate}"


def check_independent_strata(draw, size, swap_rate, draws=6000, seed=7):
    """Two strata of this size, run by run: the law of both together is the product."""
    matching = np.repeat([0, 1], size)
    one = law_of_moves((size,), swap_rate)
    both = {(*a, *(k + size for k in b)): p * q for a, p in one.items() for b, q in one.items()}
    runs = (draw(matching, swap_rate, seed * draws + run).permutation().tolist() for run in range(draws))
    assert fits(Counter(map(tuple, runs)), both), "strata are not independent"


def check_moves(draw, matching, swap_rate, seed):
    """A permutation inside strata that never moves one record alone; everything at 1, nothing at 0."""
    moves = draw(matching, swap_rate, seed)
    sigma = moves.permutation()
    assert sorted(sigma.tolist()) == list(range(len(matching)))
    assert (matching[sigma] == matching).all()
    moved = Counter(matching[sigma != np.arange(len(matching))].tolist())
    assert sorted(moves.moved.tolist()) == np.flatnonzero(sigma != np.arange(len(matching))).tolist()
    assert 1 not in moved.values()
    if swap_rate == 1:
        assert moved == {m: n for m, n in Counter(matching.tolist()).items() if n > 1}
    if swap_rate == 0:
        assert not moved


def check_replay(draw, rows, swap_rate, seed):
    """The program makes the same moves on the same choices."""
    matching = np.array([m for m, _, _ in rows], dtype=np.int64)
    moves = draw(matching, swap_rate, seed)
    reference = replay(
        stirred.mechanisms.permutation_swapping, rows, choice_record(matching, moves), swap_rate=swap_rate
    )
    swapped = moves.apply(np.array([s for _, _, s in rows], dtype=np.int64)).tolist()
    assert (
        stirred.mechanisms.saturated_table([(m, h, s) for (m, h, _), s in zip(rows, swapped, strict=True)]) == reference
    )


def check_order_by_digits(shuffle, groups, seed):
    """The order is the lexicographic one of group and digits, here to base 2, so that most elements tie at first."""
    digits = {element: [group] for element, group in enumerate(groups)}
    random = Random(seed)  # noqa: S311 repeatable

    def tied():
        sequences = Counter(map(tuple, digits.values()))
        return sorted((e for e, one in digits.items() if sequences[tuple(one)] > 1), key=lambda e: (digits[e], e))

    def words(count):
        begun = any(len(one) > 1 for one in digits.values())
        elements = tied() if begun else list(digits)
        width, kind = (16, np.uint16) if count == -(-len(elements) // 4) else (32, np.uint32)
        drawn = [random.randrange(2) for _ in range(64 // width * count)]
        for element, digit in zip(elements, drawn, strict=False):
            digits[element].append(digit)
        return np.array([digit << width - 1 for digit in drawn], dtype=kind).view(np.uint64)

    sizes = np.bincount(groups, minlength=3)
    order = shuffle(np.arange(len(groups)), np.array(groups), sizes, words).tolist()
    assert order == sorted(digits, key=digits.__getitem__), "not the order of the digits"
    assert not tied(), "left in a tie"


def serving(*arrays):
    """Words that hold these arrays of bytes or of 32-bit digits, one for each request, and then no more."""
    served = iter(arrays)

    def words(n):
        content = np.asarray(next(served)).tobytes().ljust(8 * n, b"\0")
        assert len(content) == 8 * n
        return np.frombuffer(content, dtype=np.uint64)

    return words


def check_share_of_digits(select, p):
    """Of all pairs of digits to base 256 exactly ⌊65536·p⌋ are selected; a third digit is above every digit of p."""
    every_byte, first, second = np.arange(256, dtype=np.uint8), int(256 * p), int(65536 * p) % 256
    chosen = 0
    for byte in range(256):  # the second digit of the only record that the first one does not decide
        more = [np.array([digit], dtype=np.uint8) for digit in ([byte, 255] if byte == second else [byte])]
        selected = select(256, p, serving(every_byte, *more)).tolist()
        assert set(range(first)) <= set(selected) <= set(range(first + 1))
        chosen += len(selected)
    assert chosen == int(65536 * p), "not the share p"


def check_digits_of_a_law(small_laws, weights):
    """A byte decides where it can, and 40 digits and a word elsewhere, each as the exact distribution function does."""
    law, before = small_laws.SmallLaw.of(weights), small_laws.SmallLaw.of([1, 1, 1])
    laws = small_laws.SmallLaws([before, law, before])
    sums = [sum(weights[: x + 1]) for x in range(len(weights))]

    def at(u):
        return sum(one <= u * sums[-1] for one in sums[:-1])

    def under(u):
        return sum(one < u * sums[-1] for one in sums[:-1])

    for byte in range(256):
        value = at(Fraction(byte, 256))
        assert law.first[byte] == (value if value == under(Fraction(byte + 1, 256)) else -1)
    for one in {one for one in sums if 0 < one < sums[-1]}:
        threshold = 2**40 * one // sums[-1]
        near = (max(threshold - 1, 0), threshold, min(threshold + 1, 2**40 - 1))
        for digits, word in product(near, (0, 2**64 - 1)):
            first, others = divmod(digits, 2**32)
            drawn = [np.array([first], np.uint8), np.array([others], np.uint32), np.array([word], np.uint64)]
            found = laws.draw(np.array([1]), serving(*drawn)).tolist()
            assert found == [at(Fraction(digits * 2**64 + word, 2**104))], f"{digits} of {weights}"


def check_selected_counts(selected_counts, size, p, draws=20_000, seed=2026):
    """How many of so many records are selected has the binomial law without one."""
    weights = {k: comb(size, k) * p**k * (1 - p) ** (size - k) for k in range(size + 1) if k != 1}
    found = Counter(selected_counts(np.full(draws, size), p, random_words(seed)).tolist())
    law = {}
    for k, weight in weights.items():  # what is expected less than five times, together
        share = weight / sum(weights.values())
        law[k if draws * share >= 5 else -1] = law.get(k if draws * share >= 5 else -1, Fraction(0)) + share
    counts = Counter()
    for k, number in found.items():
        assert k != 1, "exactly one"
        counts[k if k in law else -1] += number
    if draws * law.get(-1, 1) < 5:
        rare = law.pop(-1)
        likeliest = max(law, key=law.__getitem__)
        law[likeliest] += rare
        counts[likeliest] += counts.pop(-1, 0)
    assert fits(counts, law), f"{size} records at {p}"


def check_ordered_subsets(ordered_subsets, size, count, draws=60_000, seed=2026):
    """Each ordered choice of so many of a stratum's records comes equally often, whichever strata lie between."""
    random = np.random.default_rng(seed)
    strata = random.permutation(np.repeat(np.arange(2 * draws), size))
    chosen = np.arange(draws) * 2
    order = ordered_subsets(strata, chosen, np.full(draws, size), np.full(draws, count), random_words(seed))
    assert (strata[order] == np.repeat(chosen, count)).all(), "records of other strata"
    rank = np.empty(len(strata), dtype=np.int64)
    rank[np.argsort(strata, kind="stable")] = np.tile(np.arange(size), 2 * draws)
    found = Counter(map(tuple, rank[order].reshape(draws, count).tolist()))
    law = {each: Fraction(1, perm(size, count)) for each in permutations(range(size), count)}
    assert fits(found, law), f"{count} of {size}"
