"""What estimates find on published mechanisms, beside published figures: a table, printed.

`python tests/benchmarks/bench_black_boxes.py [DRAWS]`, from the root; with 200,000 draws about ten minutes on one
processor. Outputs are rounded to six digits first: what the last binary digits of floats show is a leak of its own.
The file is not collected with the tests.
"""

import sys
import time

from published_leaks import LEAKS

import stirred
from stirred.verify.audit.black_box.pairs import neighbouring_answers

HEADER = (
    f"{'mechanism':28} {'claimed':>7} {'true':>6} {'found':>7} {'DP-Sniper':>9} {'StatDP':>8} {'draws':>8} {'s':>5}"
)


def pairs_of(leak):
    """The known patterns, as lists; of those that change one answer the first two."""
    found = neighbouring_answers(leak.size)
    return [(list(x), list(y)) for x, y in (found[:2] if leak.one else found)]


def line(name, leak, draws):
    """One line of the table; nothing is claimed, so that every look is taken."""
    begun = time.monotonic()
    found = stirred.estimate(
        leak.run, pairs=pairs_of(leak), draws=draws, confidence="9/10", seed=2021, seconds=3_600, jobs=2, digits=6
    )
    least = float(found.smallest.epsilon().lower)
    true = {None: "inf", "": "?"}.get(leak.epsilon) or f"{leak.epsilon:.4g}"
    used = 2 * sum(look.draws for look in found.looks)
    return (
        f"{name:28} {0.1:7} {true:>6} {least:7.4f} {leak.dp_sniper:9.4f} {leak.statdp:8.4f} {used:8} "
        f"{time.monotonic() - begun:5.0f}"
    )


def main():
    """Print the table."""
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    print(HEADER)
    for name, leak in LEAKS.items():
        print(line(name, leak, draws), flush=True)


if __name__ == "__main__":
    main()
