"""The mechanisms as written draw what their claims say: no output exceeds a claim that holds, each mistake shows."""

import importlib
import math
import random
import tomllib
from collections import Counter
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from stirred.spec.blocks.input_premetric import hamming_ordered, symmetric_difference
from stirred.verify.laws.claim.budget import read_logarithm

FOLDER = Path(__file__).parent
CLAIMS = tomllib.loads((FOLDER / "claims.toml").read_text(encoding="utf-8"))["mechanism"]
NAMES = [claim["function"] for claim in CLAIMS]
DISTANCES = {"hamming_ordered": hamming_ordered("record"), "symmetric_difference": symmetric_difference("record")}
FEW, MANY = 1_500, 6_000
"""How many outputs are drawn on a data set where a claim holds, and where it does not."""

FAR = 6
"""Standard deviations that chance alone does not reach."""


def plain(value):
    """An output with lists for arrays and tuples, and Python's numbers for NumPy's."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def drawn(claim, data, count):
    """So many outputs on a data set."""
    module, _, name = claim["function"].partition(":")
    function = getattr(importlib.import_module(module), name)
    seed = NAMES.index(claim["function"])
    rng = np.random.default_rng(seed) if claim["generator"] == "numpy" else random.Random(seed)  # noqa: S311 a test
    return [plain(function(tuple(data), rng)) for _ in range(count)]


def bound(claim, distance):
    """e^(ε·d) of the claim."""
    logarithm = read_logarithm("epsilon", claim["epsilon"])
    epsilon = float(logarithm[0]) if logarithm else float(claim["epsilon"])
    return math.exp(epsilon * distance)


def excess(first, second, factor, count, delta=0.0):
    """By how many standard deviations P(E) − factor·P'(E) − δ is above 0, for counts of E."""
    p, q = first / count, second / count
    spread = math.sqrt((p * (1 - p) + factor**2 * q * (1 - q)) / count) or 1 / count
    return (p - factor * q - delta) / spread


@pytest.fixture(autouse=True)
def _modules(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)


def test_there_are_twenty_that_hold_and_ten_that_do_not():
    expected = Counter(claim["expected"] for claim in CLAIMS)
    assert expected["met"] >= 20
    assert expected["refuted"] >= 10
    assert len(set(NAMES)) == len(NAMES)
    for module in ("numpy_style", "random_style", "broken"):
        written = {
            f"{module}:{line.split('(')[0].removeprefix('def ')}"
            for line in (FOLDER / f"{module}.py").read_text(encoding="utf-8").splitlines()
            if line.startswith("def ")
        }
        assert written == {name for name in NAMES if name.startswith(f"{module}:")}


@pytest.mark.parametrize("claim", [one for one in CLAIMS if one["expected"] == "met"], ids=lambda one: one["function"])
def test_no_single_output_exceeds_a_claim_that_holds(claim):
    delta = float(claim.get("delta", "0").partition("/")[0]) / float(claim.get("delta", "0/1").partition("/")[2] or 1)
    outputs = [Counter(map(repr, drawn(claim, data, FEW))) for data in claim["data_sets"]]
    distance = DISTANCES[claim["distance"]]
    for i, j in permutations(range(len(outputs)), 2):
        d = distance(tuple(claim["data_sets"][i]), tuple(claim["data_sets"][j]))
        if d is None:
            continue
        factor = bound(claim, d)
        for output, times in outputs[i].items():
            assert excess(times, outputs[j][output], factor, FEW, delta) < FAR, (claim["data_sets"][i], output)


@pytest.mark.parametrize(
    "claim", [one for one in CLAIMS if one["expected"] == "refuted"], ids=lambda one: one["function"]
)
def test_the_event_of_a_mistake_exceeds_its_claim(claim):
    def happens(output):
        return bool(eval(claim["event"], {"__builtins__": {}, "len": len}, {"t": output}))  # noqa: S307 of our own file

    first, second = (sum(map(happens, drawn(claim, claim[key], MANY))) for key in ("x", "x_prime"))
    distance = DISTANCES[claim["distance"]](tuple(claim["x"]), tuple(claim["x_prime"]))
    assert excess(first, second, bound(claim, distance), MANY) > FAR
    if claim["needs"] == "infinite":
        assert second == 0
