"""Swapping arrays against the floor: drawing the selection, and one NumPy permutation of the selected records.

    python tests/benchmarks/bench_array_swapping.py [REPEATS]

prints one line for each size, number of strata and swap rate: the least processor time of the floor (floats of NumPy's
generator, no strata, no re-selection, fixed points allowed) and of the swap of 32-bit codes (array of swapping values
in, array out), with a seed and with the cryptographic generator, taken in turns in one process; and two ratios of each.
The first is to the drawing alone, which moves no value; the second to a floor that gives an array too: what it draws
applied once to the values. The target is 3. Processor time, so that other work on the machine counts for neither.

Of 100,000 strata, cryptographic, on a Xeon with much other work (NumPy 2.4): the ratios to drawing alone, and to an
array out. With one stratum or 100 they are at most 2.2 and 1.5.

    records   1%           10%          50%
    10^6      2.57, 2.07   3.75, 2.88   3.72, 2.31
    10^7      2.35, 1.88   1.75, 1.53   1.60, 0.97
"""

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.measuring import least

from stirred.mechanisms.fast.permutation_swapping import draw_moves

SIZES, STRATA, PERCENT = (10**6, 10**7), (1, 100, 100_000), (1, 10, 50)


def measure(records, strata, percent, repeats):
    """The seconds of the floor, drawing and with an array out, of a seeded swap and of a cryptographic one."""
    random = np.random.default_rng(2026)
    matching = random.integers(0, strata, records, dtype=np.int32)
    swapping = random.integers(0, 50, records, dtype=np.int32)
    rate = Fraction(percent, 100)

    def draw():
        selected = np.flatnonzero(random.random(records) < float(rate))
        return selected, random.permutation(selected)

    def permute():
        selected, order = draw()
        swapped = swapping.copy()
        swapped[selected] = swapping[order]
        return swapped

    def swap(seed=None):
        return draw_moves(matching, swap_rate=rate, seed=seed).apply(swapping)

    return least(draw, permute, lambda: swap(1), swap, repeats=repeats)


if __name__ == "__main__":
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    print("records strata p% | drawing ms, array out ms | seeded ms (ratios), cryptographic ms (ratios)")
    for records in SIZES:
        for strata in STRATA:
            for percent in PERCENT:
                draw, permute, *swaps = measure(records, strata, percent, repeats)
                found = ", ".join(f"{1000 * one:.1f} ({one / draw:.2f}, {one / permute:.2f})" for one in swaps)
                print(f"{records} {strata} {percent} | {1000 * draw:.1f}, {1000 * permute:.1f} | {found}", flush=True)
