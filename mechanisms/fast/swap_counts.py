"""The Permutation Swapping Algorithm on the counts of a table: the cells of a stratum, not its records.

A stratum of N records has n_hs of them in the cell (h, s). The law is that of the program on the records:

1. The number K of selected records is binomial, drawn again while it is 1; given K, the selected records are a uniform
   set of K, so the numbers k_hs selected of each cell are multivariate hypergeometric.
2. A uniform permutation π of the selected records gives record i the value of π(i). Let f(i) be that value. Every f
   that gives each value s to c_s = Σ_h k_hs records comes from ∏ c_s! permutations, so f is uniform among them: for
   one value after the other, the receivers of s are a uniform set of c_s of the records that have received none. How
   many of each cell they are is multivariate hypergeometric.
3. Given f, π is for each s a uniform bijection from the receivers of s to the records of value s, independently. It
   moves every record iff each bijection has no fixed point. A bijection of c elements of which o lie on both sides has
   none with probability a(o, c) = Σ_j (−1)^j C(o, j)(c−j)!/c!. So f kept with probability ∏_s a(o_s, c_s), o_s the
   records of value s that receive s, and otherwise drawn anew, is f of a uniform derangement; that is kept with
   probability d(K)/K!, at least 1/3 for K ≠ 1.
4. The new count of a cell is n_hs − k_hs plus the records of row h that receive s: a function of these counts alone.

A stratum whose records are cheaper to move than to count is expanded and swapped record by record, which has the same
law; which of the two is decided by the counts, so the result is determined by the words.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import comb, floor, isqrt

import flint
import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.permutation_swapping import draw_from_words
from stirred.mechanisms.fast.random_words import Words
from stirred.spec.numbers.ball import Ball, dyadic, precision

# Exact draws of binomial and hypergeometric counts of any size, without drawing the elements that are counted.
#
# A draw inverts the distribution function at a uniform real u, going out from the mode m: m, m+1, m−1, m+2, … The
# probability of the mode is enclosed by integers over 2^k (exactly for small numbers, by ball arithmetic beyond), and
# those beside it follow by exact quotients of neighbours, which are at most 1 on the way out, so that each step of
# rounding down adds at most one unit of 2^−k to what is unknown. A sum that does not decide is computed anew with
# more digits of u: the law is exact, from integers and random bits only. The work grows with the standard deviation.

_DIGITS = 128
_WORD = 64
_SMALL = 400
"""Up to so many elements, the binomial coefficients themselves are computed."""

Quotient = Callable[[int], tuple[int, int]]
Enclosure = Callable[[int], tuple[int, int]]


def _uniform_digits(digits: int, words: Words) -> int:
    """So many random binary digits, a multiple of 64, as an integer."""
    value = 0
    for word in words(digits // _WORD).tolist():
        value = value << _WORD | word
    return value


def binomial(n: int, p: Fraction, words: Words) -> int:
    """How many of n elements are selected, each independently with probability p.

    >>> from stirred.mechanisms.fast.random_words import random_words
    >>> binomial(10**12, Fraction(1, 2), random_words(1)) // 10**9
    500
    """
    if p in (0, 1) or n == 0:
        return n if p == 1 else 0
    chosen, others = p.numerator, p.denominator - p.numerator
    mode = (n + 1) * chosen // p.denominator

    def at_mode(digits: int) -> tuple[int, int]:
        if n <= _SMALL:
            share = comb(n, mode) * chosen**mode * others ** (n - mode) << digits
            return share // p.denominator**n, 1
        return _enclosed(
            digits,
            lambda: (
                _log_comb(n, mode)
                + mode * flint.arb(chosen).log()
                + (n - mode) * flint.arb(others).log()
                - n * flint.arb(p.denominator).log()
            ),
        )

    return _inverted(mode, (0, n), at_mode, lambda x: ((n - x) * chosen, (x + 1) * others), words)


def hypergeometric(marked: int, others: int, drawn: int, words: Words) -> int:
    """How many of so many elements drawn from `marked` and `others` are marked; each set of them is equally likely.

    >>> from stirred.mechanisms.fast.random_words import random_words
    >>> hypergeometric(10**12, 10**12, 10**12, random_words(1)) // 10**9
    499
    """
    least, most = max(0, drawn - others), min(marked, drawn)
    if least == most:
        return least
    mode = (drawn + 1) * (marked + 1) // (marked + others + 2)

    def at_mode(digits: int) -> tuple[int, int]:
        if marked + others <= _SMALL:
            ways = comb(marked, mode) * comb(others, drawn - mode) << digits
            return ways // comb(marked + others, drawn), 1
        return _enclosed(
            digits,
            lambda: _log_comb(marked, mode) + _log_comb(others, drawn - mode) - _log_comb(marked + others, drawn),
        )

    def quotient(x: int) -> tuple[int, int]:
        return (marked - x) * (drawn - x), (x + 1) * (others - drawn + x + 1)

    return _inverted(mode, (least, most), at_mode, quotient, words)


def multivariate_hypergeometric(counts: Sequence[int], drawn: int, words: Words) -> list[int]:
    """How many of each kind are among so many elements drawn; each set of them is equally likely.

    >>> from stirred.mechanisms.fast.random_words import random_words
    >>> multivariate_hypergeometric([2, 0, 3], 5, random_words(1))
    [2, 0, 3]
    """
    left, found = sum(counts), []
    for count in counts:
        left -= count
        taken = hypergeometric(count, left, drawn, words) if drawn else 0
        drawn -= taken
        found.append(taken)
    return found


def happens(share: Enclosure, words: Words) -> bool:
    """True with a probability of which `share(k)` gives an enclosure (low, width) in units of 2^−k."""
    digits, u = _DIGITS, _uniform_digits(_DIGITS, words)
    while True:
        low, width = share(digits)
        if u + 1 <= low:
            return True
        if u >= low + width:
            return False
        u = u << _DIGITS | _uniform_digits(_DIGITS, words)
        digits += _DIGITS


def _inverted(mode: int, ends: tuple[int, int], at_mode: Enclosure, quotient: Quotient, words: Words) -> int:
    """The value at which the distribution function, summed out from the mode, passes a uniform real.

    Args:
        at_mode: an enclosure (low, width) of its probability in units of 2^−k, by k.
        quotient: P(x + 1)/P(x) as numerator and denominator.
    """
    digits, u = _DIGITS, _uniform_digits(_DIGITS, words)
    while (found := _passed(mode, ends, at_mode(digits), quotient, u)) is None:
        u = u << _DIGITS | _uniform_digits(_DIGITS, words)
        digits += _DIGITS
    return found


def _passed(mode: int, ends: tuple[int, int], first: tuple[int, int], quotient: Quotient, u: int) -> int | None:
    """The same for the reals that begin with the digits u; None where they do not decide.

    `above` and `below` are no more than the probabilities of the values `high` and `low`, by at most `width` units
    after so many steps on their side; `total` is no more than the sum, by at most `slack`.
    """
    least, most = ends
    low = high = last = mode
    above = below = total = first[0]
    width_above = width_below = slack = first[1]
    while u + 1 > total:
        going_up = high < most and (high - mode <= mode - low or low == least)
        if u < total + slack or (low == least and not going_up):
            return None
        if going_up:
            numerator, denominator = quotient(high)
            last = high = high + 1
            above = above * numerator // denominator
            width_above += 1
            total, slack = total + above, slack + width_above
        else:
            last = low = low - 1
            denominator, numerator = quotient(low)
            below = below * numerator // denominator
            width_below += 1
            total, slack = total + below, slack + width_below
    return last


def _enclosed(digits: int, logarithm: Callable[[], Ball]) -> tuple[int, int]:
    """The exponential of a logarithm, as an enclosure (low, width) in units of 2^−digits."""
    with precision(digits + 2 * _WORD):
        scaled = logarithm().exp() * flint.arb(2) ** digits
        low, high = (floor(dyadic(end)) for end in (scaled.lower(), scaled.upper()))
    return low, high - low + 1


def _log_comb(n: int, k: int) -> Ball:
    return flint.arb(n + 1).lgamma() - flint.arb(k + 1).lgamma() - flint.arb(n - k + 1).lgamma()


Numbers = NDArray[np.int64]

CountedCells = tuple[Numbers, Numbers, Numbers, Numbers]
"""For each cell its stratum, holding code, swapping code and count; in lexicographic order."""

_GROUP = 2**22
"""Records that are expanded at once, or those of one stratum."""

_MOST_EXPANDED = 2**27
"""Strata of more records are counted, whatever it costs."""

_RECORD, _DRAW, _STEP = 1, 200, 8
"""Costs in units of 0.1 µs: of a record that is moved, of a draw of a count, and of each step of its size's root."""


def swap_counts(cells: CountedCells, swap_rate: Fraction, words: Words) -> CountedCells:
    """One draw of the PSA on a table of counts, cells of positive counts in and out.

    >>> from stirred.mechanisms.fast.random_words import random_words
    >>> half = 5 * 10**8
    >>> cells = tuple(map(np.array, ([0, 0], [0, 1], [0, 1], [half, half])))
    >>> strata, holding, swapping, counts = swap_counts(cells, Fraction(1, 2), random_words(1))
    >>> holding.tolist(), swapping.tolist(), int(counts.sum())
    ([0, 0, 1, 1], [0, 1, 0, 1], 1000000000)
    """
    strata, holding, swapping, counts = cells
    starts = np.flatnonzero(np.diff(strata, prepend=-1))
    ends = np.append(starts[1:], len(strata))
    small, parts = [], []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        own = slice(start, end)
        if counts_are_cheaper(counts[own], len(np.unique(swapping[own]))):
            stratum = int(strata[start])
            table = dict(
                zip(zip(holding[own].tolist(), swapping[own].tolist(), strict=True), counts[own].tolist(), strict=True)
            )
            swapped = swap_stratum_counts(table, swap_rate, words)
            rows = [(stratum, h, s, n) for (h, s), n in sorted(swapped.items()) if n]
            parts.append(np.array(rows, dtype=np.int64).T)
        else:
            small.append(own)
    for group in _groups(small, counts):
        places = np.concatenate([np.arange(own.start, own.stop) for own in group])
        parts.append(_expanded(tuple(column[places] for column in cells), swap_rate, words))
    joined = np.concatenate(parts, axis=1)
    joined = joined[:, np.lexsort(joined[2::-1])]
    return joined[0], joined[1], joined[2], joined[3]


def counts_are_cheaper(counts: Numbers, values: int) -> bool:
    """Whether drawing the counts of a stratum with so many swapping values costs less than moving its records."""
    records = int(counts.sum())
    draw = _DRAW + _STEP * isqrt(records // len(counts))
    return records > _MOST_EXPANDED or 3 * len(counts) * values * draw < _RECORD * records


def _groups(strata: list[slice], counts: Numbers) -> Iterator[list[slice]]:
    """Strata in groups of a bounded number of records."""
    group: list[slice] = []
    size = 0
    for own in strata:
        records = int(counts[own].sum())
        if group and size + records > _GROUP:
            yield group
            group, size = [], 0
        group.append(own)
        size += records
    if group:
        yield group


def _expanded(cells: tuple[Numbers, ...], swap_rate: Fraction, words: Words) -> Numbers:
    """The cells after a swap of their records, as rows of an array of four."""
    strata, holding, swapping = (np.repeat(column, cells[3]) for column in cells[:3])
    distinct, codes = np.unique(strata, return_inverse=True)
    moved = draw_from_words(codes.reshape(-1), len(distinct), swap_rate, words).apply(swapping)
    order = np.lexsort((moved, holding, strata))
    rows = np.stack((strata[order], holding[order], moved[order]))
    firsts = np.flatnonzero(np.append(True, (rows[:, 1:] != rows[:, :-1]).any(axis=0)))
    return np.concatenate((rows[:, firsts], np.diff(firsts, append=len(order))[None]))


def swap_stratum_counts(
    table: dict[tuple[int, int], int], swap_rate: Fraction, words: Words
) -> dict[tuple[int, int], int]:
    """One draw of the PSA on the counts n_hs of one stratum."""
    cells = list(table)
    counts = list(table.values())
    size = sum(counts)
    selected = 0 if size < 2 else 1
    while selected == 1:
        selected = binomial(size, swap_rate, words)
    if not selected:
        return dict(table)
    chosen = multivariate_hypergeometric(counts, selected, words)
    found = {cell: n - k for cell, n, k in zip(cells, counts, chosen, strict=True)}
    while (received := _receivers(cells, chosen, words)) is None:
        pass
    for cell, count in received.items():
        found[cell] = found.get(cell, 0) + count
    return found


def _receivers(cells: list[tuple[int, int]], chosen: list[int], words: Words) -> dict[tuple[int, int], int] | None:
    """How many selected records of each row receive each value, by a uniform permutation; None if it fixes one."""
    givers: dict[int, int] = {}
    for (_, s), k in zip(cells, chosen, strict=True):
        givers[s] = givers.get(s, 0) + k
    left = list(chosen)
    received: dict[tuple[int, int], int] = {}
    for s, count in sorted(givers.items()):
        taken = multivariate_hypergeometric(left, count, words)
        both = sum(number for (_, own), number in zip(cells, taken, strict=True) if own == s)
        if both and not happens(partial(no_fixed_point, both, count), words):
            return None
        for place, number in enumerate(taken):
            left[place] -= number
            if number:
                cell = cells[place][0], s
                received[cell] = received.get(cell, 0) + number
    return received


def no_fixed_point(both: int, count: int, digits: int) -> tuple[int, int]:
    """a(o, c) = Σ_j (−1)^j C(o, j)(c−j)!/c! as an enclosure (low, width) in units of 2^−digits.

    Each term is at most the one before over j, so that rounding down leaves it less than 2 units too small; what
    follows the first term below one unit is at most as large as that one.

    >>> no_fixed_point(2, 2, 8)[0] <= 128 <= sum(no_fixed_point(2, 2, 8))
    True
    """
    term = total = 1 << digits
    j = 0
    while term and j < both:
        j += 1
        term = term * (both - j + 1) // (j * (count - j + 1))
        total += term if j % 2 == 0 else -term
    unsure = 2 * (j + 1)
    return total - unsure, 2 * unsure
