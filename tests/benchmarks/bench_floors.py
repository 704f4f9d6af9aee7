"""Whole commands beside their floors: `python tests/benchmarks/bench_floors.py [ROW…]`, from the root.

Prints for each row the processor seconds of the command with all of its processes, the megabytes of the largest one,
and the ratio to a floor that is taken in the same run: NumPy in doubles, which builds the laws and compares those of
neighbours alone. It is neither exact nor does it read a claim or compute a law a second time. What it finds is ε of the
smallest budget, or δ, as the audit says it. Other work on the machine changes seconds by a half, ratios less. Megabytes
are at least those of this process, which grows with its floors: ask for a large row first.
Not collected with the tests.
"""

import math
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.bench_audits import (
    DELTA,
    MULT,
    RESPONSE,
    bits,
    clamped_loss,
    geometric,
    largest_delta,
    swapping,
    swapping_loss,
    unrelated,
)
from benchmarks.measuring import cost, least

OWN = """\
from fractions import Fraction

import numpy as np

from stirred import Source

HALF = Fraction(1, 2)


def response(data, source: Source):
    return tuple(x if source.bernoulli(Fraction(3, 4)) else 1 - x for (x,) in data)


def response_in_numpy(data, rng: np.random.Generator):
    flips = rng.random(len(data)) < 0.25
    return tuple(int(x ^ flip) for (x,), flip in zip(data, flips))


def noisy_max(data, source: Source):
    noisy = [x + source.discrete_laplace(HALF) for (x,) in data]
    return noisy.index(max(noisy))


def sparse_vector(data, source: Source):
    limit = 1 + source.discrete_laplace(HALF)
    for place, (x,) in enumerate(data):
        if x + source.discrete_laplace(HALF) >= limit:
            return place
    return len(data)


def majority(data, source: Source, *, flip):
    return 2 * sum(1 - x if source.bernoulli(flip) else x for (x,) in data) > len(data)
"""


def cube(number: int) -> np.ndarray:
    """All data sets of so many bits."""
    return np.array(list(product((0, 1), repeat=number)))


def neighbours_loss(laws: np.ndarray) -> float:
    """The largest loss of laws of data sets of bits, of which neighbours differ in one."""
    size = len(laws)
    places = np.arange(size)
    return max(
        float(np.abs(np.log(laws) - np.log(laws[places ^ (1 << bit)])).max()) for bit in range(size.bit_length() - 1)
    )


def response_loss(number: int) -> float:
    law = np.array([[0.75, 0.25], [0.25, 0.75]])
    laws = np.ones((1, 1))
    for _ in range(number):
        laws = np.kron(laws, law)
    return neighbours_loss(laws)


VALUES = np.arange(-80, 81)
NOISE = 0.5 ** np.abs(VALUES) / 3


def noisy_max_loss(number: int) -> float:
    """By one sum over the winner's value: those before it are below, those behind it at most equal."""
    below = np.concatenate([[0.0], np.cumsum(NOISE)])  # P(noise < v)
    laws = []
    for data in cube(number):
        shifted = [np.clip(np.arange(len(VALUES)) - x, 0, None) for x in data]
        law = []
        for winner in range(number):
            mass = np.where(np.arange(len(VALUES)) >= data[winner], NOISE[shifted[winner]], 0)
            for other in range(number):
                if other != winner:
                    mass = mass * below[shifted[other] + (other > winner)]
            law.append(mass.sum())
        laws.append(law)
    return neighbours_loss(np.array(laws))


def sparse_vector_loss(number: int) -> float:
    """By one sum over the noisy threshold."""
    reaches = np.concatenate([[1.0], 1 - np.cumsum(NOISE)])  # P(noise >= v)
    limit = 1 + np.arange(len(VALUES))
    laws = []
    for data in cube(number):
        left, law = NOISE.copy(), []
        for x in data:
            above = reaches[np.clip(limit - x, 0, len(VALUES))]
            law.append((left * above).sum())
            left = left * (1 - above)
        laws.append([*law, left.sum()])
    return neighbours_loss(np.array(laws))


def majority_loss(number: int) -> float:
    """At 64 values of the parameter."""
    counts, worst = np.arange(number + 1), 0.0
    for flip in np.linspace(0.25, 0.5, 64):
        laws = []
        for data in cube(number):
            law = np.ones(1)
            for x in data:
                law = np.convolve(law, [flip, 1 - flip] if x else [1 - flip, flip])
            yes = law[2 * counts > number].sum()
            laws.append([yes, 1 - yes])
        worst = max(worst, neighbours_loss(np.array(laws)))
    return worst


@dataclass(frozen=True)
class Row:
    """A claim, or the words of a command; the floor of its audit; the seconds and megabytes that are aimed at."""

    asked: str | tuple[str, ...]
    floor: Callable[[], float] | None = None
    seconds: float = math.inf
    megabytes: float = math.inf


def rows() -> dict[str, Row]:
    symbol = '\nparameters = { flip = "symbol in [1/4, 1/2]" }'
    margins = {n: f"margins = [{{ rows = [{n // 2}, {n // 2}], columns = [{n // 2}, {n // 2}] }}]" for n in (400, 1000)}

    def cubes(name: str, gamma: int, floor: Callable[[int], float], sizes: dict[int, float], more: str = "") -> Any:
        """Rows of a function of one's own on all data sets of so many bits, with the seconds aimed at."""
        text = f'function = "own:{name}"{more}'
        return {
            f"own {name} {n}": Row(bits(n, MULT, f"gamma = {gamma}", text), partial(floor, n), seconds)
            for n, seconds in sizes.items()
        }

    return {
        "help": Row(("--help",), None, 0.12),
        "first audit": Row(("audit", "majority.toml"), None, 0.55),
        **cubes("response", 3, response_loss, {7: math.inf, 9: 4}),
        **cubes("response_in_numpy", 3, response_loss, {4: math.inf, 5: math.inf, 7: 2.5}),
        **cubes("noisy_max", 4, noisy_max_loss, {3: math.inf, 4: math.inf, 5: math.inf, 8: 3}),
        **cubes("sparse_vector", 8, sparse_vector_loss, {4: math.inf, 6: 2.5}),
        **cubes("majority", 3, majority_loss, {3: math.inf, 7: 6}, symbol),
        "clamped geometric 256": Row(geometric(256), partial(clamped_loss, 256), 2),
        "clamped geometric 1024": Row(geometric(1024), partial(clamped_loss, 1024), 20),
        "PSA 7": Row(swapping(7), partial(swapping_loss, 7), 2.5),
        "PSA 8": Row(swapping(8), partial(swapping_loss, 8), 15),
        "PSA margins 400": Row(swapping(400, margins[400], mechanism=False)),
        "PSA margins 1000": Row(swapping(1000, margins[1000], mechanism=False), None, 30),
        "delta 2048": Row(unrelated(2048, 8, DELTA, "gamma = 5"), partial(largest_delta, 2048, 8), 4),
        "response 10": Row(bits(10, MULT, "gamma = 3", RESPONSE), partial(response_loss, 10)),
        "response 12": Row(bits(12, MULT, "gamma = 3", RESPONSE), partial(response_loss, 12), 15, 300),
    }


def measured(name: str, row: Row, folder: Path) -> str:
    words = row.asked
    if isinstance(words, str):
        (folder / "own.py").write_text(OWN)
        (folder / "claim.toml").write_text(words)
        words = ("audit", "claim.toml", "--seconds", "600")
    found = cost("-m", "stirred", *words, cwd=folder)
    met = "met" if found.processor <= row.seconds and found.megabytes <= row.megabytes else "missed"
    line = f"{name:24} {found.processor:7.2f} s {found.megabytes:5.0f} MB"
    if row.floor is not None:
        (seconds,) = least(row.floor)
        line += f", {found.processor / seconds:7.0f} times a floor of {seconds:.4f} s, which finds {row.floor():.6f}"
    if row.seconds < math.inf:
        most = "" if row.megabytes == math.inf else f" and {row.megabytes} MB"
        line += f"; aim {row.seconds} s{most}: {met}"
    return line


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        cost("-m", "stirred", "init", folder)
        for name in sys.argv[1:] or rows():
            print(measured(name, rows()[name], Path(folder)), flush=True)
