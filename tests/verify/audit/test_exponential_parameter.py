"""A claim whose parameter is e^-q: budgets in nats met with equality, exceeded with a witness that replays."""

from fractions import Fraction
from itertools import product

import pytest

import stirred
from stirred.spec import Loss
from stirred.spec.numbers.open_parameter import OpenParameter
from stirred.verify.evidence.verdict import Verdict

COUNTS = {"data_sets": range(4), "distance": "absolute_difference"}
SCORES = {
    "data_sets": list(product(range(3), repeat=2)),
    "distance": lambda x, y: max(abs(a - b) for a, b in zip(x, y, strict=True)),
}


def noisy_count(count, source, *, ratio):
    return source.clamp(count + source.discrete_laplace(ratio), 0, 3)


def exponential_mechanism(scores, source, *, x):
    weights = [x ** (2 - score) for score in scores]
    return source.choose([weight / sum(weights) for weight in weights])


def permute_and_flip(scores, source, *, q):
    """McKenna and Sheldon (2020), Algorithm 1, with q = e^(-epsilon/2): the largest score is accepted with q^0 = 1."""
    top = max(scores)
    for place in source.permutation(len(scores)):
        if source.bernoulli(q ** (top - scores[place])):
            return place
    return None


def leaking(count, source, *, ratio):
    return count if source.bernoulli(ratio) else 0


def fair(count, source, *, ratio):
    """A loss that does not depend on the ratio: ln 2."""
    return source.bernoulli(Fraction(1, 3)) if count else source.bernoulli(Fraction(2, 3))


@pytest.mark.parametrize("epsilon", ["1", "1/2", "0.3", "7/5"])
def test_geometric_noise_meets_the_epsilon_of_its_ratio_and_nothing_less(epsilon: str) -> None:
    met = stirred.audit(noisy_count, **COUNTS, epsilon=epsilon, ratio=f"exp(-{epsilon})")
    assert met.verdict is Verdict.ENCLOSED
    assert "covers the smallest budget ln(1/ratio) ≈ " in met.record.sentence
    less = Fraction(epsilon) - Fraction(1, 10**20)
    exceeded = stirred.audit(noisy_count, **COUNTS, epsilon=less, ratio=f"exp(-{epsilon})")
    assert exceeded.verdict is Verdict.REFUTED
    assert exceeded.witness["kind"] == "formula"  # replayed by the audit
    assert exceeded.witness["claimed"] == "1/exp(-q) <= exp(epsilon*d)"


@pytest.mark.parametrize(
    ("epsilon", "verdict"),
    {
        "ln(27/10)": Verdict.REFUTED,
        "ln(28/10)": Verdict.ENCLOSED,
        "ln(7)/2": Verdict.REFUTED,
        "ln(8)/2": Verdict.ENCLOSED,
    }.items(),
)
def test_a_logarithm_is_compared_with_a_loss_of_1(epsilon: str, verdict: Verdict) -> None:
    # e = 2.718…, e^2 = 7.389…
    assert (
        stirred.audit(
            noisy_count, **COUNTS, epsilon=epsilon.replace("27/10", "2.7").replace("28/10", "2.8"), ratio="exp(-1)"
        ).verdict
        is verdict
    )


def test_the_exponential_mechanism_at_epsilon_1() -> None:
    # ln((1 + x^2)/(2 x^2)) = ln((e^2 + 1)/2) = 1.43378…
    found = stirred.smallest_budget(exponential_mechanism, **SCORES, x="exp(-1)")
    assert found.text() == "1.43378"
    for epsilon, verdict in (("1.4337", Verdict.REFUTED), ("1.4338", Verdict.ENCLOSED)):
        assert stirred.audit(exponential_mechanism, **SCORES, epsilon=epsilon, x="exp(-1)").verdict is verdict


@pytest.mark.parametrize("epsilon", [1, 2, Fraction(1, 3)])
def test_permute_and_flip_as_published_needs_exactly_its_epsilon(epsilon: int) -> None:
    # the lower one of two scores d apart is released with q^d/2: from d = 2 to d = 0 that is 1/q^2 = e^epsilon
    q = f"exp(-{Fraction(epsilon, 2)})"
    found = stirred.audit(permute_and_flip, **SCORES, epsilon=epsilon, q=q)
    assert found.verdict is Verdict.ENCLOSED
    assert "covers the smallest budget ln(1/q^2) ≈ " in found.because
    less = epsilon - Fraction(1, 10**20)
    assert stirred.audit(permute_and_flip, **SCORES, epsilon=less, q=q).verdict is Verdict.REFUTED


def test_permute_and_flip_is_audited_for_every_base_at_once() -> None:
    found = stirred.smallest_budget(permute_and_flip, **SCORES, q=stirred.SYMBOL)
    assert str(found) == "ln(1/q^2) for 0 < q < 1"


@pytest.mark.parametrize("q", ["exp(-1)", "symbol"])
@pytest.mark.parametrize("certain", [0, 1])
def test_a_certain_choice_stands_beside_an_open_one(q: str, certain: int) -> None:
    def certainly(count: int, source: stirred.Source, *, q: object) -> int:
        one = q**0
        chosen = source.choose([1 - one, one] if certain else [one, 1 - one])
        return chosen if source.bernoulli(q) else count

    found = stirred.smallest_budget(certainly, data_sets=range(2), distance="absolute_difference", q=q)
    assert found == stirred.INFINITE  # the other value shows the count


def test_an_infinite_loss_is_refuted_by_an_impossible_outcome() -> None:
    found = stirred.audit(leaking, **COUNTS, epsilon="9", ratio="exp(-2)")
    assert found.verdict is Verdict.REFUTED
    assert found.smallest == stirred.INFINITE
    assert found.witness["claimed"] == "exp(-q) <= exp(epsilon*d)*0"
    assert stirred.audit(leaking, **COUNTS, epsilon="infinite", ratio="exp(-2)").verdict is Verdict.ENCLOSED


def test_a_loss_that_does_not_depend_on_the_parameter_is_compared_as_a_number() -> None:
    for epsilon, verdict in ((Loss(2), Verdict.ENCLOSED), (Loss(Fraction(199, 100)), Verdict.REFUTED)):
        found = stirred.audit(fair, data_sets=[0, 1], distance="absolute_difference", epsilon=epsilon, ratio="exp(-1)")
        assert found.verdict is verdict


def test_the_interval_around_the_value_is_narrow() -> None:
    found = OpenParameter.read("x", "exp(-1)")
    assert str(found) == "exp(-1)"
    assert 0 < found.high - found.low <= Fraction(2, 10**30)


@pytest.mark.parametrize(
    ("text", "message"),
    {
        "exp(1)": r"ratio must be 'exp\(-q\)' with an exact number q > 0; got 'exp\(1\)'",
        "exp(-0)": "must be above 0 and at most 50; got 0",
        "exp(-51)": "must be above 0 and at most 50; got 51",
        "exp(-a)": "ratio must be an exact number",
    }.items(),
)
def test_a_malformed_exponential_is_refused(text: str, message: str) -> None:
    with pytest.raises(stirred.InputError, match=message):
        stirred.smallest_budget(noisy_count, **COUNTS, ratio=text)


def test_laws_that_differ_at_distance_0_are_left_open() -> None:
    blocks = {"data_sets": [0, 1], "distance": lambda x, y: 0}
    found = stirred.audit(noisy_count, **blocks, epsilon="9", ratio="exp(-1)")
    assert found.verdict is Verdict.OPEN
    assert "no finite budget is enough" in found.record.sentence
