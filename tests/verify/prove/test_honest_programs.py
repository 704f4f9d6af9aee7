"""Right claims are never refuted, proved or not: the exact engine is asked of each as if nothing had been shown."""

import numpy as np
import pytest
from aligned_programs import PROGRAMS, ranges
from tiers import few

from stirred.verify.api.proving import asked_of
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.foreign import DEFAULT_LIMITS
from stirred.verify.prove import refuting
from stirred.verify.prove.found_function import of_function
from stirred.verify.prove.refuting import refutation
from stirred.verify.prove.stated import stated


def weights_of_tenths(q, rng, *, eps):
    return sum(0.1 * x for x in q) + 0.2 + rng.laplace(scale=0.1 / eps)


def sum_of_tenths(q, rng, *, eps):
    total = 0.1 + 0.2 - 0.3
    for x in q:
        total += x / 10
    return 10 * total + rng.laplace(scale=1 / eps)


def third_of_thirds(q, rng, *, eps):
    return (sum(q) / 3 + rng.laplace(scale=1 / (3 * eps))) * 3


def far_offset(q, rng, *, eps):
    return 1e16 + sum(q) + rng.laplace(scale=1 / eps)


def small_units(q, rng, *, eps):
    return sum(1e-300 * x for x in q) + rng.laplace(scale=1e-300 / eps)


def each_above_three_tenths(q, rng, *, eps):
    out = []
    for x in q:
        out.append(bool(x + rng.laplace(scale=1 / eps) > 0.1 + 0.2))
    return out


def clipped(q, rng, *, eps):
    total = 0
    for x in q:
        total += min(max(x, 0), 1)
    return total + rng.laplace(scale=1 / eps)


def absolute(q, rng, *, eps):
    total = 0
    for x in q:
        total += abs(x)
    return total + rng.laplace(scale=1 / eps)


def above_zero(q, rng, *, eps):
    return max(sum(q) + rng.laplace(scale=1 / eps), 0)


def whole_part(q, rng, *, eps):
    return int(sum(q) + rng.laplace(scale=1 / eps))


def parity_of_the_floor(q, rng, *, eps):
    return (sum(q) + rng.laplace(scale=1 / eps)) // 1 % 2


def mean(q, rng, *, eps):
    return (sum(q) + rng.laplace(scale=1 / eps)) / len(q)


def noise_twice(q, rng, *, eps):
    return sum(q) + rng.laplace(scale=1 / eps) + rng.laplace(scale=2 / eps)


def noise_of_a_new_generator(q, *, eps):
    return sum(q) + np.random.default_rng().laplace(scale=1 / eps)


def spoken_words(q, rng, *, eps):
    out = []
    for x in q:
        out.append("much" if x + rng.laplace(scale=1 / eps) >= 1 else "little")
    return out


def raised_by_noise(q, rng, *, eps):
    noisy = sum(q) + rng.laplace(scale=1 / eps)
    if noisy < 0:
        raise ValueError("below zero")
    return noisy


def sum_of_an_array(q, rng, *, eps):
    return np.sum(np.array(q)) + rng.laplace(0.0, 1.0 / eps)


def discrete_sum(q, source, *, r):
    return sum(q) + source.discrete_laplace(r)


def difference_of_geometrics(q, source, *, r):
    return sum(q) + source.geometric(r) - source.geometric(r)


def randomized_response(q, source):
    out = []
    for x in q:
        if source.bernoulli(0.75):
            out.append(x == 1)
        else:
            out.append(x == 0)
    return out


def randomized_response_by_floats(q, rng):
    out = []
    for x in q:
        if rng.random() < 0.75:
            out.append(x == 1)
        else:
            out.append(x == 0)
    return out


def two_paths_with_one_output(q, rng, *, eps):
    if rng.random() < 0.5:
        return sum(q) + rng.laplace(scale=1 / eps) > 1
    return sum(q) + rng.laplace(scale=1 / eps) >= 1


OTHERS = [
    *((one, "one by 1", "eps") for one in (weights_of_tenths, sum_of_tenths, third_of_thirds)),
    *((one, "one by 1", "eps") for one in (far_offset, small_units, clipped, absolute, above_zero, whole_part)),
    *((one, "one by 1", "eps") for one in (parity_of_the_floor, mean, noise_twice, noise_of_a_new_generator)),
    *((one, "one by 1", "eps") for one in (spoken_words, raised_by_noise, sum_of_an_array, each_above_three_tenths)),
    *((one, "one by 1", "ln(1/r)") for one in (discrete_sum, difference_of_geometrics)),
    *((one, "one by 1", "ln(3)") for one in (randomized_response, randomized_response_by_floats)),
    (two_paths_with_one_output, "one by 1", "eps"),
]
HONEST = {function.__name__: (function, neighbors, epsilon) for function, neighbors, epsilon in OTHERS} | {
    name: (function, neighbors, epsilon) for name, (function, neighbors, epsilon, _, holds) in PROGRAMS.items() if holds
}


@pytest.mark.parametrize("name", few(HONEST, kept=5))
def test_right_claims_are_not_refuted(name, monkeypatch):
    function, neighbors, epsilon = HONEST[name]
    monkeypatch.setattr(refuting, "STAGES", ((1, 2),))
    claim = stated(name, of_function(function), neighbors, epsilon, ranges(function))
    ask = asked_of(function, claim.program.generator[1] or None, DEFAULT_LIMITS)
    found, _ = refutation(claim, None, ask, 60)
    assert found is None, found


@pytest.mark.parametrize("name", few(["sum_of_tenths", "third_of_thirds", "mean", "histogram"]))
def test_a_hundredth_below_a_right_claim_is_refuted(name, monkeypatch):
    function, neighbors, epsilon = HONEST[name]
    monkeypatch.setattr(refuting, "STAGES", ((1, 2),))
    claim = stated(name, of_function(function), neighbors, f"{epsilon}*99/100", ranges(function))
    found, _ = refutation(claim, None, asked_of(function, claim.program.generator[1], DEFAULT_LIMITS), 60)
    assert found.exact.verdict is Verdict.REFUTED
