"""Swapping arrays against the floor: drawing the selection, and one NumPy permutation of the selected records.

    python tests/benchmarks/bench_array_swapping.py [REPEATS]

prints one line for each size, number of strata and swap rate: the least processor time of the floor (floats of NumPy's
generator, no strata, no re-selection, fixed points allowed) and of the swap of 32-bit codes (array of swapping values
in, array out), with a seed and with the system's cryptographic generator, taken in turns in one process; and the
ratios. The target is 3. Processor time, so that other work on the machine counts for neither.
"""

import sys
import time
from fractions import Fraction

import numpy as np

from mechanisms.fast.permutation_swapping import draw_moves

SIZES, STRATA, PERCENT = (10**6, 10**7), (1, 100, 100_000), (1, 10, 50)


def seconds(*functions, repeats):
    """The least processor time of each, taken in turns."""
    least = [float("inf")] * len(functions)
    for _ in range(repeats):
        for place, function in enumerate(functions):
            begun = time.process_time()
            function()
            least[place] = min(least[place], time.process_time() - begun)
    return least


def measure(records, strata, percent, repeats):
    """The seconds of the floor, of a seeded swap and of a cryptographic one."""
    random = np.random.default_rng(2026)
    matching = random.integers(0, strata, records, dtype=np.int32)
    swapping = random.integers(0, 50, records, dtype=np.int32)
    rate = Fraction(percent, 100)

    def floor():
        return random.permutation(np.flatnonzero(random.random(records) < float(rate)))

    def swap(seed=None):
        return draw_moves(matching, swap_rate=rate, seed=seed).apply(swapping)

    return seconds(floor, lambda: swap(1), swap, repeats=repeats)


if __name__ == "__main__":
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    print("records strata p% | floor ms, seeded ms (ratio), cryptographic ms (ratio)")
    for records in SIZES:
        for strata in STRATA:
            for percent in PERCENT:
                floor, seeded, secure = measure(records, strata, percent, repeats)
                print(
                    f"{records} {strata} {percent} | {1000 * floor:.1f}, {1000 * seeded:.1f} ({seeded / floor:.2f}), "
                    f"{1000 * secure:.1f} ({secure / floor:.2f})",
                    flush=True,
                )
