"""2010-style swapping of a large state: python tests/benchmarks/bench_pairwise_swapping.py [HOUSEHOLDS …].

For each number of households, each in a process of its own, one line for arrays already in memory: the pairs of the
standard setting at 10%, the processor and wall-clock seconds of drawing them and exchanging their blocks, and the
peak memory of the process in MB, the state included. Targets for 2 million: 60 s and 2 GB on two cores.
"""

import multiprocessing
import resource
import sys
import time
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from stirred.mechanisms.fast.pairwise_swapping import draw_pairs, swapped_blocks
from stirred.verify.products.studies.swapping.synthetic_state import synthetic_state

RATE = Fraction(1, 10)


def measure(households):
    state = synthetic_state(households, 1).codes()
    begun, used = time.monotonic(), time.process_time()
    pairs = draw_pairs(state, swap_rate=RATE).pairs
    moved = (swapped_blocks(state.block, pairs) != state.block).sum()
    seconds, cpu = time.monotonic() - begun, time.process_time() - used
    assert moved == 2 * len(pairs)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{households} | {len(pairs)} pairs, {cpu:.1f} s CPU, {seconds:.1f} s, {peak:.0f} MB", flush=True)


if __name__ == "__main__":
    print("households | pairs, CPU seconds, seconds, peak memory")
    for number in sys.argv[1:] or ("200000", "2000000"):
        process = multiprocessing.get_context("spawn").Process(target=measure, args=(int(number),))
        process.start()
        process.join()
        if process.exitcode:
            sys.exit(process.exitcode)
