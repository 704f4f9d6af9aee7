"""What estimates find on published mechanisms, beside published figures: a table, printed.

`python tests/benchmarks/bench_black_boxes.py [DRAWS]`, from the root; with 200,000 draws about ten minutes on one
processor. The mechanisms leak more than they claim, but for some, and are as users write them in NumPy. Outputs are
rounded to six digits first: what the last binary digits of floats show is a leak of its own. Not collected with the
tests.

Answers to queries of sensitivity 1, each of which one person may change by 1; claimed ε = 1/10 throughout. `epsilon`
is the true loss where it is known in closed form, None for ∞. The two figures beside it are lower bounds (`eps_lcb`) at
confidence 9/10 that the authors of DP-Sniper publish with their code, in eval_sp2021/reference-results of
github.com/eth-sri/dp-sniper: dd_search_reg_data.log, DP-Sniper with logistic regression, and statdp_1_data.log, their
run of StatDP. Theirs rest on 10.7 million draws for learning and up to 200 million for the final count.

Sources: Ding, Wang, Wang, Zhang and Kifer (2018); Lyu, Su and Li (2017); Bichsel, Steffen, Bogunovic and Vechev (2021).
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import stirred

EPS = 0.1


@dataclass(frozen=True)
class Leak:
    """A mechanism, how many answers it is given, its true loss, both bounds, and whether neighbours differ in one."""

    run: Callable[..., Any]
    size: int
    epsilon: float | str | None
    dp_sniper: float
    statdp: float
    one: bool = False


def histogram(counts, rng):
    return counts + rng.laplace(scale=1 / EPS, size=len(counts))


def histogram_with_the_wrong_scale(counts, rng):
    return counts + rng.laplace(scale=EPS, size=len(counts))


def noisy_maximum(answers, rng):
    return int(np.argmax(answers + rng.laplace(scale=2 / EPS, size=len(answers))))


def one_sided_noisy_maximum(answers, rng):
    return int(np.argmax(answers + rng.exponential(scale=2 / EPS, size=len(answers))))


def value_of_the_noisy_maximum(answers, rng):
    return float(np.max(answers + rng.laplace(scale=2 / EPS, size=len(answers))))


def value_of_the_one_sided_noisy_maximum(answers, rng):
    return float(np.max(answers + rng.exponential(scale=2 / EPS, size=len(answers))))


def sparse_vector(answers, rng, *, share, query_scale, threshold, stops=True, shows=False):
    """Lyu, Su and Li (2017), Figure 1, with c = 1: which noisy answers reach the noisy threshold."""
    budget = EPS * share
    limit = threshold + rng.laplace(scale=1 / budget)
    released = []
    for answer in answers:
        noisy = answer + (rng.laplace(scale=query_scale / (EPS - budget)) if query_scale else 0)
        above = noisy >= limit
        released.append((noisy if shows else True) if above else None)
        if above and stops:
            break
    return released


def variant(**settings):
    return lambda answers, rng: sparse_vector(answers, rng, **settings)


LEAKS = {
    "Laplace mechanism": Leak(histogram, 1, EPS, 0.0968, 0.0998, one=True),
    "histogram": Leak(histogram, 5, EPS, 0.0978, 0.0828, one=True),
    "histogram, wrong scale": Leak(histogram_with_the_wrong_scale, 5, 1 / EPS, 4.6020, 9.7169, one=True),
    "noisy maximum, Laplace": Leak(noisy_maximum, 5, "", 0.0923, 0.0920),
    "noisy maximum, exponential": Leak(one_sided_noisy_maximum, 5, "", 0.0975, 0.0996),
    "its value, Laplace": Leak(value_of_the_noisy_maximum, 5, 5 * EPS / 2, 0.2478, 0.1991),
    "its value, exponential": Leak(value_of_the_one_sided_noisy_maximum, 5, None, 0.3463, 0.1960),
    "sparse vector 1": Leak(variant(share=0.5, query_scale=2, threshold=0.5), 10, "", 0.0858, 0.0298),
    "sparse vector 2": Leak(variant(share=0.5, query_scale=2, threshold=1), 10, "", 0.0859, 0.0316),
    "sparse vector 3": Leak(variant(share=0.5, query_scale=1, threshold=1, shows=True), 10, "", 0.1716, 0.0231),
    "sparse vector 4": Leak(variant(share=0.25, query_scale=1, threshold=1), 10, "", 0.1687, 0.1709),
    "sparse vector 5": Leak(variant(share=0.5, query_scale=0, threshold=1, stops=False), 10, None, 1.7612, 14.3143),
    "sparse vector 6": Leak(variant(share=0.5, query_scale=1, threshold=1, stops=False), 10, "", 0.2720, 0.3220),
}

HEADER = (
    f"{'mechanism':28} {'claimed':>7} {'true':>6} {'found':>7} {'DP-Sniper':>9} {'StatDP':>8} {'draws':>8} {'s':>5}"
)


def neighbouring_answers(size):
    """Pairs of answers to so many queries of sensitivity 1, each of which one person may change by 1.

    One above, one below, one above and the rest below, one below and the rest above, half and half, all above, all
    below, and crossed.

    Source: Ding, Wang, Wang, Zhang and Kifer (2018), Table 1.
    """
    rest = size - 1
    half = size // 2
    ones = (1,) * size
    others = (
        (2, *(1,) * rest),
        (0, *(1,) * rest),
        (2, *(0,) * rest),
        (0, *(2,) * rest),
        (2,) * half + (0,) * (size - half),
        (2,) * size,
        (0,) * size,
    )
    crossed = ((1,) * half + (0,) * (size - half), (0,) * half + (1,) * (size - half))
    found = [(ones, other) for other in others] + [crossed]
    return tuple(dict.fromkeys(found))


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
