"""Noise whose scale depends on the data: the event far out that refutes a budget, and what is said where none does."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest

import stirred
from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.replay import replay

CASES = {"data_sets": [(0,), (1,)], "distance": lambda x, y: int(x != y)}


def scaled(data):
    return int(np.floor(np.random.laplace(0, 1 + data[0])))


def alike(data):
    return int(np.floor(np.random.laplace(data[0], 1)))


@pytest.mark.parametrize("epsilon", ["0", "1", "1000"])
def test_no_budget_covers_two_scales(epsilon):
    found = stirred.audit(scaled, **CASES, epsilon=epsilon)
    assert found.verdict.name == "REFUTED"
    assert found.needed.startswith("infinite, by x = (1,), x' = (0,)")
    replay(json.loads(json.dumps(found.witness)))
    numbers = {name: float(Fraction(str(one))) for name, one in found.witness["values"].items()}
    loss = math.log(numbers["p"] / numbers["q"]) + numbers["j"] * math.log(numbers["a"] / numbers["b"])
    assert loss > numbers["epsilon"] * numbers["d"]
    assert loss - math.log(numbers["a"] / numbers["b"]) * 2 <= numbers["epsilon"]  # the least j, or the next
    assert numbers["a"] == pytest.approx(math.exp(-1 / 2))
    assert numbers["b"] == pytest.approx(math.exp(-1))


def test_one_scale_needs_its_epsilon():
    assert stirred.audit(alike, **CASES, epsilon="1").verdict.name == "ENCLOSED"
    assert stirred.audit(alike, **CASES, epsilon="99/100").verdict.name == "REFUTED"


@pytest.mark.parametrize("claim", [{"output": "total_variation", "epsilon": "1/2"}, {"epsilon": "1", "delta": "1/100"}])
def test_other_premetrics_name_the_scales(claim):
    with pytest.raises(InputError, match="the scale of the noise depends on the data"):
        stirred.audit(scaled, **CASES, **claim)
