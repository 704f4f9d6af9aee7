"""Released noise whose scale depends on the data: no budget is finite, and an output far out shows it."""

import json
from fractions import Fraction

import pytest

import stirred
from stirred import Source
from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.replay import replay

COUNTS = {"data_sets": range(3), "distance": "absolute_difference"}
HALF = Fraction(1, 2)


def scaled(count, source: Source):
    return count + source.discrete_laplace(HALF if count < 2 else Fraction(3, 4))


def nearly_scaled(count, source: Source):
    return "a", -5 * count + source.discrete_laplace(Fraction(999_999 if count else 999_998, 1_000_000))


def two_sums(count, source: Source):
    return count + source.discrete_laplace(HALF), -5 * count + source.discrete_laplace(Fraction(9 if count else 8, 10))


def geometric(count, source: Source):
    return 7 * count + source.geometric(HALF if count < 2 else Fraction(3, 4))


def one_sided_once(count, source: Source):
    return count + (source.geometric(HALF) if count < 2 else source.discrete_laplace(HALF))


def gaussian(count, source: Source):
    return count + source.discrete_gaussian(4 if count < 2 else 5)


def gaussian_once(count, source: Source):
    return 10**9 * count + (source.discrete_gaussian(4) if count < 2 else source.discrete_laplace(Fraction(1, 9)))


def told(count, source: Source):
    return count + source.discrete_laplace(HALF if count < 2 else Fraction(3, 4)), min(count, 1)


def elsewhere(count, source: Source):
    noisy = count + source.discrete_laplace(HALF)
    return (noisy, 3) if count else (3, noisy)


def sometimes(count, source: Source):
    return count + source.discrete_laplace(HALF) if count else 10**30


UNLIKE = [
    scaled,
    nearly_scaled,
    two_sums,
    geometric,
    one_sided_once,
    gaussian,
    gaussian_once,
    told,
    elsewhere,
    sometimes,
]


@pytest.mark.parametrize("mechanism", UNLIKE)
@pytest.mark.parametrize("claim", [{"epsilon": "3"}, {"epsilon": "9999"}, {"output": "zcdp", "rho": "50"}], ids=str)
def test_no_budget_is_finite_and_the_witness_replays(mechanism, claim):
    found = stirred.audit(mechanism, **COUNTS, **claim)
    assert found.verdict.name == "REFUTED"
    assert "infinite" in found.needed
    assert "clamp" not in str(found)
    replay(json.loads(json.dumps(found.witness)))


def test_the_two_tails_are_named():
    found = stirred.audit(scaled, **COUNTS, epsilon="3")
    assert "x = 1, x' = 2, d = 1, noise with tails whose ratio has no bound, " in found.because
    assert found.because.endswith("discrete_laplace(1/2) and discrete_laplace(3/4)")


def test_an_infinite_claim_is_met():
    assert stirred.audit(scaled, **COUNTS, epsilon=stirred.INFINITE).holds


def written_differently(count, source: Source):
    return count + source.discrete_laplace(HALF if count < 2 else Fraction(2, 4))


def test_equal_scales_and_scales_that_are_never_compared_stay_finite():
    assert str(stirred.smallest_budget(written_differently, **COUNTS)) == "ln(2) ≈ 0.693147"

    def apart(a, b):
        return abs(a - b) if (a < 2) == (b < 2) else None

    assert str(stirred.smallest_budget(scaled, data_sets=range(3), distance=apart)) == "ln(2) ≈ 0.693147"
    assert stirred.smallest_budget(scaled, data_sets=range(4), distance=apart) == stirred.Loss(2)
    two = stirred.smallest_budget(
        scaled, data_sets=range(4), distance="absolute_difference", invariants=[lambda c: c < 2]
    )
    assert two == stirred.Loss(2)


def mixed(count, source: Source):
    return count + source.discrete_laplace(HALF if source.bernoulli(HALF) else Fraction(1, 3))


@pytest.mark.parametrize(
    ("mechanism", "claim", "said"),
    [
        (
            scaled,
            {"epsilon": "3", "output": "approximate", "delta": "1/10"},
            "make the noise the same on all data sets",
        ),
        (told, {"epsilon": "3", "output": "approximate", "delta": "1/10"}, "make the noise the same on all data sets"),
        (
            mixed,
            {"epsilon": "3"},
            "noise depends on the data, or on other draws: .* make it the same$",
        ),
    ],
)
def test_what_is_not_decided_is_refused_without_advice_to_clamp(mechanism, claim, said):
    with pytest.raises(InputError, match=said) as refused:
        stirred.audit(mechanism, **COUNTS, **claim)
    assert "clamp" not in str(refused.value)


def test_random_choices_beside_noise_of_one_scale_are_decided():
    def beside(count, source: Source):
        return count + source.discrete_laplace(HALF), source.bernoulli(HALF)

    assert stirred.smallest_budget(beside, **COUNTS) == stirred.Loss(2)
