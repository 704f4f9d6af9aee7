"""Claims about mechanisms with discrete Gaussian noise: compared and clamped by enclosures, released by its shifts."""

from fractions import Fraction
from itertools import pairwise

import pytest
from claim_texts import audited
from tiers import few

import stirred
from stirred.spec import Enclosure, FiniteDomain, Flavor, InputError, Multiplicative, vacuous
from stirred.spec.blocks.input_premetric import explicit
from stirred.spec.laws.discrete_gaussian import upper_tail
from stirred.spec.numbers.enclosure import log
from stirred.verify.audit.exhaust.nearby import nearest_distance
from stirred.verify.engines.universe_pairs import BlockPairs
from stirred.verify.evidence.verdict import Verdict

COUNTS = {"data_sets": range(4), "distance": "absolute_difference"}
TINY = Fraction(1, 10**20)


def noisy_count(count, source, *, scale):
    return count + source.discrete_gaussian(scale)


def above(count, source, *, scale):
    return count + source.discrete_gaussian(scale) >= 2


def clamped(count, source, *, scale):
    return source.clamp(count + source.discrete_gaussian(scale), 0, 3)


def two_counts(counts, source):
    return tuple(count + source.discrete_gaussian(4) for count in counts)


def laplace_count(count, source, *, ratio):
    return ("count", count + source.discrete_laplace(ratio))


def verdict(mechanism, blocks=COUNTS, **claim):
    return stirred.audit(mechanism, **blocks, **claim).verdict


def loss_of_the_threshold():
    """max over neighbours of |ln P/P'| of both answers, by the tails."""
    tails = [upper_tail(4, 2 - count, digits=60).lower for count in range(4)]
    ratios = [b / a for a, b in pairwise(tails)] + [(1 - a) / (1 - b) for a, b in pairwise(tails)]
    return log(max(ratios), digits=30).lower


def test_a_threshold_is_decided_on_both_sides_of_its_loss():
    loss = loss_of_the_threshold()
    assert verdict(above, scale=4, epsilon=loss + TINY) is Verdict.ENCLOSED
    found = stirred.audit(above, **COUNTS, scale=4, epsilon=loss - TINY)
    assert found.verdict is Verdict.REFUTED
    assert found.witness["kind"] == "loss"  # replayed by the audit
    assert max(abs(found.smallest.lower - loss), abs(found.smallest.upper - loss)) < TINY
    assert "P[E | x]" in found.because


def test_a_claim_that_agrees_to_the_last_digit_is_open():
    law = stirred.audit(above, **COUNTS, scale=4, epsilon="1").smallest
    assert verdict(above, scale=4, epsilon=(law.lower + law.upper) / 2) is Verdict.OPEN


def test_logarithms_infinite_and_zero_budgets_are_compared():
    assert verdict(above, scale=4, epsilon="ln 2") is Verdict.ENCLOSED
    assert verdict(above, scale=4, epsilon="ln(3/2)") is Verdict.REFUTED
    assert verdict(above, scale=4, epsilon="infinite") is Verdict.ENCLOSED
    assert verdict(above, scale=4, epsilon=0) is Verdict.REFUTED


def test_equal_laws_are_not_taken_for_a_loss_of_zero():
    def sign(count, source):
        draw = source.discrete_gaussian(4)
        return draw >= 1 if count % 2 else -draw >= 1

    assert verdict(sign, epsilon=0) is Verdict.OPEN
    assert verdict(sign, epsilon=TINY) is Verdict.ENCLOSED


def test_clamping_needs_less_than_releasing():
    assert verdict(clamped, scale=4, output="zcdp", rho="1/8") is Verdict.ENCLOSED
    assert verdict(clamped, scale=4, output="zcdp", rho="0.1") is Verdict.REFUTED
    assert verdict(clamped, scale=4, output="approximate", delta="1/100", epsilon="0.73") is Verdict.ENCLOSED
    assert verdict(clamped, scale=4, output="approximate", delta="1/100", epsilon="0.729") is Verdict.REFUTED
    assert verdict(clamped, scale=4, output="total_variation", epsilon="0.2") is Verdict.ENCLOSED
    assert verdict(clamped, scale=4, output="total_variation", epsilon="0.199") is Verdict.REFUTED


def test_two_data_sets_at_distance_0_need_equal_laws():
    blocks = {"data_sets": [0, 1], "distance": lambda x, y: 0}
    assert verdict(above, blocks, scale=4, epsilon="9") is Verdict.REFUTED
    assert verdict(noisy_count, blocks, scale=4, output="zcdp", rho="9") is Verdict.REFUTED
    assert verdict(noisy_count, blocks, scale=4, output="approximate", delta="1/10", epsilon="9") is Verdict.REFUTED
    # the total variation distance of neighbours is P(X = 0) = 0.1994…
    assert verdict(noisy_count, blocks, scale=4, output="approximate", delta="1/5", epsilon=0) is Verdict.ENCLOSED
    assert verdict(noisy_count, blocks, scale=4, output="approximate", delta="0.199", epsilon="9") is Verdict.REFUTED
    both = {"data_sets": [(0, 0), (1, 1)], "distance": lambda x, y: 0, "output": "approximate", "delta": "1/5"}
    assert stirred.audit(two_counts, **both, epsilon="9").verdict is Verdict.OPEN


@pytest.mark.parametrize(("scale", "rho"), [("4", "1/8"), ("1/2", "1"), ("9/2", "1/9")])
def test_a_released_count_has_exactly_the_budget_of_its_shift(scale, rho):
    assert verdict(noisy_count, scale=scale, output="zcdp", rho=rho) is Verdict.EXHAUSTED
    less = Fraction(rho) - Fraction(1, 10**40)
    found = stirred.audit(noisy_count, **COUNTS, scale=scale, output="zcdp", rho=less)
    assert found.verdict is Verdict.REFUTED
    assert found.smallest == Enclosure(Fraction(rho), Fraction(rho))
    assert found.needed == f"rho = {Fraction(rho)}, by x = 0, x' = 1"
    assert found.witness["kind"] == "formula"


def test_a_released_count_is_not_pure_and_has_an_epsilon_at_each_delta():
    found = stirred.audit(noisy_count, **COUNTS, scale=4, epsilon="50")
    assert found.verdict is Verdict.REFUTED
    assert found.needed.startswith("infinite")
    # Canonne, Kamath and Steinke, Theorem 7, at shifts 1, 2 and 3, divided by the distance
    claim = {"scale": 4, "output": "approximate", "delta": "1e-6"}
    assert verdict(noisy_count, **claim, epsilon="2.602") is Verdict.ENCLOSED
    assert verdict(noisy_count, **claim, epsilon="2.601") is Verdict.REFUTED
    assert verdict(noisy_count, **claim, epsilon="infinite") is Verdict.ENCLOSED


PAIRS = {
    "data_sets": [(0, 0), (0, 1), (1, 1)],
    "distance": lambda x, y: max(abs(a - b) for a, b in zip(x, y, strict=True)),
}


def test_several_counts_add_up():
    assert verdict(two_counts, PAIRS, output="zcdp", rho="1/4") is Verdict.EXHAUSTED
    assert verdict(two_counts, PAIRS, output="zcdp", rho="0.24") is Verdict.REFUTED
    # between what one of them needs and what the conversion of both gives nothing is shown
    verdicts = [verdict(two_counts, PAIRS, output="approximate", delta="1e-6", epsilon=e) for e in ("2", "3.2", "4")]
    assert verdicts == [Verdict.REFUTED, Verdict.OPEN, Verdict.ENCLOSED]


def test_released_laplace_noise_meets_its_ratio():
    assert verdict(laplace_count, ratio="1/2", epsilon="ln 2") is Verdict.EXHAUSTED
    assert verdict(laplace_count, ratio="1/2", epsilon="0.6931") is Verdict.REFUTED
    assert verdict(laplace_count, ratio="1/2", output="approximate", delta="0.01", epsilon="0.69") is Verdict.EXHAUSTED


def counted_twice(count, source):
    draw = source.discrete_gaussian(4)
    return count + draw, draw


def compared_and_released(count, source):
    draw = count + source.discrete_gaussian(4)
    return draw >= 2 and draw


def beside_a_coin(count, source):
    return source.bernoulli(Fraction(1, 2)), count + source.discrete_gaussian(4)


def compared(count, source):
    return source.discrete_gaussian(4) >= source.discrete_gaussian(4)


@pytest.mark.parametrize(
    ("mechanism", "said"),
    [
        (counted_twice, "holds one twice: clamp it first"),
        (compared_and_released, "unbounded: clamp it with source.clamp"),
        (beside_a_coin, "must be the only random choice, on all data sets; clamp it"),
        (compared, "compared with numbers only"),
        (lambda count, source: count + Fraction(1, 2) + source.discrete_gaussian(4), "unbounded: clamp it"),
        (lambda count, source: 2 * source.discrete_gaussian(4), "unbounded: clamp it"),
        (
            lambda count, source: count + source.geometric(Fraction(1, 2)),
            "zCDP of a released discrete_geometric",
        ),
        (lambda count, source: source.discrete_gaussian(0) >= 0, "sigma_squared must be positive"),
    ],
)
def test_what_is_not_decided_is_refused_in_one_line(mechanism, said):
    with pytest.raises(InputError, match=said) as refused:
        stirred.audit(mechanism, **COUNTS, output="zcdp", rho="1")
    assert "\n" not in str(refused.value)
    assert "seconds" not in str(refused.value)


def test_other_output_premetrics_and_questions_are_refused_in_one_line():
    blocks = {"data_sets": [0, 1], "distance": "absolute_difference"}
    curve = [(0, 0), (1, 1)]
    for mechanism in (noisy_count, above):
        with pytest.raises(InputError, match="state multiplicative"):
            stirred.audit(mechanism, **blocks, scale=4, output="tradeoff", curve=curve)
        with pytest.raises(InputError, match="no finite exact law"):
            stirred.compare(mechanism, honest=blocks, claimed=blocks, scale=4)
    with pytest.raises(InputError, match="zCDP of a released discrete_laplace"):
        stirred.audit(laplace_count, **COUNTS, ratio="1/2", output="zcdp", rho="1")


def test_draws_are_sampled():
    drawn = [stirred.sample(noisy_count, 10, seed=seed, scale=4) for seed in range(300)]
    assert {type(value) for value in drawn} == {int}
    assert abs(sum(drawn) - 3000) < 6 * 2 * 300**0.5
    assert 300 < sum((value - 10) ** 2 for value in drawn) < 4 * 600
    name, value = stirred.sample(laplace_count, 3, seed=1, ratio=Fraction(1, 2))
    assert (name, type(value)) == ("count", int)


def test_sampled_comparisons_meet_their_probability():
    wins = sum(stirred.sample(above, 1, seed=seed, scale=4) for seed in range(2000))
    p = upper_tail(4, 1, digits=30).lower
    assert (wins - 2000 * p) ** 2 <= 36 * 2000 * p * (1 - p)


CLAIM = """\
id = "noise.gaussian"
statement = "A noisy count."
domain = {{ data_sets = [0, 1, 2, 3] }}
multiverse = {{ invariants = [] }}
input_premetric = {{ name = "absolute_difference", resolution = "person" }}
output_premetric = {output}
budget = {budget}
mechanism = {{ function = "noise:{function}", parameters = {{ scale = "4" }} }}
"""

MODULE = """\
def noisy_count(count, source, *, scale):
    return count + source.discrete_gaussian(scale)


def clamped(count, source, *, scale):
    return source.clamp(count + source.discrete_gaussian(scale), 0, 3)
"""


@pytest.mark.parametrize(
    ("function", "output", "budget", "expected"),
    [
        ("noisy_count", '{ name = "normalized_renyi" }', '{ rho_squared = "1/8" }', Verdict.EXHAUSTED),
        ("clamped", '{ name = "multiplicative" }', '{ epsilon = "0.77" }', Verdict.REFUTED),
    ],
)
def test_claim_files_say_the_same(tmp_path, function, output, budget, expected):
    (tmp_path / "noise.py").write_text(MODULE)
    record = audited(tmp_path, CLAIM.format(function=function, output=output, budget=budget))
    assert record.verdict is expected


@pytest.mark.parametrize(
    ("distances", "nearest"), [((2, 3), 1), ((0, 2), 1), ((1, "1/3"), "1/3"), (("1/2", 4), "1/2"), ((0, 0), 1)]
)
def test_the_margin_is_that_of_the_nearest_pair_that_is_not_at_distance_0(distances, nearest):
    domain = FiniteDomain((0, 1, 2))
    lengths = dict(zip([(0, 1), (1, 2)], map(Fraction, distances), strict=True))
    flavor = Flavor(domain, vacuous(domain), explicit(lengths, "record"), Multiplicative())
    assert nearest_distance(flavor, BlockPairs(flavor)) == Fraction(nearest)


HALF = Fraction(1, 2)
OPEN_COUNTS = {"data_sets": [0, 1, 3], "distance": "absolute_difference"}


def count(data, source, *, q):
    return data + source.discrete_laplace(q)


def counts(data, source, *, q):
    return data + source.discrete_laplace(q), 2 * data + source.discrete_laplace(q**2)


def difference(data, source, *, q):
    return data + source.geometric(q) - source.geometric(q)


def one_sided(data, source, *, q):
    return data + source.geometric(q)


def from_below(data, source, *, q):
    return data - source.geometric(q)


def dependent(data, source, *, q):
    first, second = source.geometric(q), source.geometric(q)
    return data + first - second, second


def unlike(data, source, *, q):
    return data + source.geometric(q) - source.geometric(q**2)


@pytest.mark.parametrize(
    ("mechanism", "q", "epsilon", "verdict"),
    few(
        [
            (count, "exp(-1)", "1", "ENCLOSED"),
            (count, "symbol", "ln 3", "REFUTED"),
            (counts, "symbol in [1/2, 3/4]", "ln 32", "DECIDED"),
            (counts, "symbol in [1/2, 3/4]", "ln 31", "REFUTED"),
            (difference, "1/2", "ln 2", "EXHAUSTED"),
            (difference, "1/2", "0.69", "REFUTED"),
            (from_below, "1/2", "100", "REFUTED"),
            (count, "exp(-1)", "0.999", "REFUTED"),
            (count, "symbol in [1/2, 3/4]", "ln 2", "DECIDED"),
            (difference, "exp(-1)", "1", "ENCLOSED"),
            (one_sided, "1/2", "100", "REFUTED"),
            (one_sided, "exp(-1)", "100", "REFUTED"),
        ],
        7,
    ),
)
def test_released_geometric_noise_is_decided_by_its_shift(mechanism, q, epsilon, verdict):
    assert stirred.audit(mechanism, **OPEN_COUNTS, epsilon=epsilon, q=q).verdict.name == verdict


def test_the_loss_is_a_function_of_the_ratio():
    assert str(stirred.smallest_budget(count, **OPEN_COUNTS, q="symbol")) == "ln(1/q) for 0 < q < 1"
    assert stirred.smallest_budget(from_below, **OPEN_COUNTS, q="symbol").is_infinite


@pytest.mark.parametrize(
    ("mechanism", "said"), [(dependent, "an unbounded draw once; it holds one twice"), (unlike, "unbounded: clamp it")]
)
def test_noise_that_is_no_noise_of_its_own_is_refused(mechanism, said):
    with pytest.raises(InputError, match=said):
        stirred.audit(mechanism, **OPEN_COUNTS, epsilon="1", q="1/2")


def test_samples_of_released_noise_have_its_sign():
    drawn = [stirred.sample(one_sided, 5, seed=seed, q=HALF) for seed in range(40)]
    assert min(drawn) == 5 < max(drawn)
    assert max(stirred.sample(from_below, 5, seed=seed, q=HALF) for seed in range(40)) == 5
