"""Laws that are made of powers of e: ties are met exactly, and output premetrics agree with a second derivation."""

import json
import math
import random

import mpmath
import pytest

import stirred
from stirred.verify.evidence.certificates.replay import replay

CASES = {"data_sets": [(0,), (1,)], "distance": lambda x, y: int(x != y)}
MET, REFUTED = "ENCLOSED", "REFUTED"


def response(data):
    """Randomized response that needs ε = 1: P and Q are (e, 1)/(1 + e) and its reverse."""
    keep = math.exp(1) / (1 + math.exp(1))
    return data[0] if random.random() < keep else 1 - data[0]  # noqa: S311


def truncated(data):
    """Counts with weights e^-|k - x|/2 on 0, 1, 2."""
    weights = [math.exp(-abs(k - data[0]) / 2) for k in range(3)]
    return random.choices(range(3), weights)[0]  # noqa: S311


with mpmath.workdps(40):
    E = mpmath.e
    HALF_TANH = mpmath.tanh(mpmath.mpf(1) / 2)
    NEEDED = {
        "epsilon": mpmath.mpf(1),
        "total_variation": HALF_TANH,  # (e - 1)/(e + 1)
        "zcdp": HALF_TANH,  # D_α/α falls in α, and is KL = ε·tanh(ε/2) at 1
        "delta": mpmath.log(E - (1 + E) / 4),  # e/(1 + e) - γ/(1 + e) = 1/4
    }


def stated(kind, number):
    text = mpmath.nstr(number, 25)
    return {
        "epsilon": {"epsilon": text},
        "total_variation": {"output": "total_variation", "epsilon": text},
        "zcdp": {"output": "zcdp", "rho": text},
        "delta": {"epsilon": text, "delta": "1/4"},
    }[kind]


@pytest.mark.parametrize("kind", NEEDED)
@pytest.mark.parametrize("side", [-1, 1])
def test_a_budget_beside_the_needed_one_is_decided(kind, side):
    away = mpmath.mpf(10) ** (-3 if kind == "zcdp" else -12)
    with mpmath.workdps(40):
        found = stirred.audit(response, **CASES, **stated(kind, NEEDED[kind] + side * away))
    assert found.verdict.name == (MET if side > 0 else REFUTED)
    if side < 0 and kind != "zcdp":
        replay(json.loads(json.dumps(found.witness)))


def test_a_tie_is_met_exactly():
    found = stirred.audit(response, **CASES, epsilon="1")
    assert found.verdict.name == MET
    assert "claimed epsilon = 1 ≥ required" in found.because


def test_a_delta_without_epsilon_is_decided_to_fifteen_digits():
    """Σ max(P − Q, 0) of (1, a, a²)/(1 + a + a²) and (a, 1, a)/(1 + 2a), a = e^(−1/2)."""
    with mpmath.workdps(30):
        a = mpmath.exp(-mpmath.mpf(1) / 2)
        first, second = ([one / sum(row) for one in row] for row in ([1, a, a * a], [a, 1, a]))
        needed = int(sum(max(p - q, 0) for p, q in zip(first, second, strict=True)) * 10**15)
    for delta, expected in ((needed, REFUTED), (needed + 1, MET)):
        found = stirred.audit(truncated, **CASES, epsilon="0", delta=f"{delta}/{10**15}")
        assert found.verdict.name == expected
