"""Total variation, ε at δ and δ at ε as functions of an open parameter: against numbers at points; budgets for all."""

from fractions import Fraction
from itertools import permutations, product

import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from small_flavors import both_ways, flavor
from tiers import examples

import stirred
from stirred.mechanisms import exact_law
from stirred.spec import SYMBOL, Loss
from stirred.spec.arguments import InputError
from stirred.spec.numbers.open_parameter import OpenParameter
from stirred.spec.output_premetrics import ApproximateMultiplicative, TotalVariation
from stirred.verify.engines.approximate_function import approximate_loss_function
from stirred.verify.engines.variation_function import variation_function
from stirred.verify.evidence.verdict import Verdict

TENTHS = [Fraction(k, 10) for k in range(1, 10)]
NUMBERS = {"data_sets": [0, 1, 2], "distance": "absolute_difference", "output": "total-variation"}


def response(data, source, *, p):
    return 1 - data if source.bernoulli(p) else data


def heads(data, source, *, p):
    return data + sum(source.bernoulli(p) for _ in range(3))


def unlike(data, source, *, p):
    """The pair that needs most changes with p."""
    return source.bernoulli((p, (1 + p) / 3, p * (1 - p))[data]), data == 2 and source.bernoulli(p**2)


def special(data, source, *, p):
    return data if p == Fraction(1, 3) else heads(data, source, p=p)


def budget(mechanism, **other):
    return stirred.smallest_budget(mechanism, **NUMBERS | other)


def variation_at(mechanism, data_sets, p):
    laws = {x: exact_law(mechanism, x, p=p) for x in data_sets}
    return max(TotalVariation().distance(laws[x], laws[y]) / abs(x - y) for x, y in product(laws, laws) if x != y)


@pytest.mark.parametrize("mechanism", [heads, unlike, special], ids=lambda one: one.__name__)
def test_the_function_is_the_largest_distance_at_each_value(mechanism):
    found = budget(mechanism, p="symbol")
    p = sp.Symbol("p", positive=True)
    for value in (*TENTHS, Fraction(1, 3), Fraction(2, 3), Fraction(1, 997)):
        assert found(value) == variation_at(mechanism, (0, 1, 2), value)
        assert found.to_sympy().subs(p, sp.Rational(value)) == sp.Rational(found(value))


WEIGHTS = st.lists(st.lists(st.integers(0, 4), min_size=6, max_size=6), min_size=3, max_size=3)


def random_mechanism(weights):
    def drawn(data, source, *, p):
        """Two coins choose among four outcomes, with probabilities that are quadratic in p."""
        a, b, c, d, e, f = (Fraction(w, 4) for w in weights[data])
        first = source.bernoulli(a * p + b * (1 - p))
        return first, source.bernoulli((c if first else d) * p**2 + (e if first else f) * (1 - p**2))

    return drawn


@given(WEIGHTS)
@examples(30, at_night=300)
def test_random_laws(weights):
    drawn = random_mechanism(weights)
    found = variation_of(drawn)
    for value in TENTHS:
        assert found.at(value) == variation_at(drawn, (0, 1, 2), value)
    largest = max(found.at(value) for value in TENTHS)
    below = found.exceeding(largest - Fraction(1, 1000)) if largest else found.low
    assert below is not None
    for bound in (largest, largest + Fraction(1, 10), Fraction(1)):
        above = found.exceeding(bound)
        assert above is None or variation_at(drawn, (0, 1, 2), above) > bound
        assert above is not None or all(found.at(Fraction(k, 97)) <= bound for k in range(1, 97))


def variation_of(mechanism):
    laws = {x: exact_law(mechanism, x, p=SYMBOL) for x in (0, 1, 2)}
    numbers = flavor(both_ways({(0, 1): 1, (1, 2): 1, (0, 2): 2}), TotalVariation())
    return variation_function(laws, numbers, symbol="p", opened=OpenParameter())


def test_randomized_response():
    response_on_bits = {"data_sets": [0, 1], "p": "symbol"}
    found = budget(response, **response_on_bits)
    assert str(found) == "1 - 2*p for 0 < p <= 1/2; 2*p - 1 for 1/2 < p < 1"
    assert found.to_latex().startswith(r"\varepsilon(p) = \begin{cases} 1 - 2 p & 0 < p")
    assert found.exceeding(Fraction(1)) is None
    assert str(budget(response, data_sets=[0, 1], p="1/(1+exp(epsilon))")) == "tanh(epsilon/2)"
    assert budget(lambda data, source, *, p: source.bernoulli(p), p="symbol").exceeding(Fraction(0)) is None


@pytest.mark.parametrize(
    ("interval", "claimed", "verdict"),
    [
        ("symbol", "1", Verdict.DECIDED),
        ("symbol", "99/100", Verdict.REFUTED),
        ("symbol in [1/4, 3/4]", "1/2", Verdict.DECIDED),
        ("symbol in [1/4, 3/4]", "49/100", Verdict.REFUTED),
        ("symbol in [1/5, 3/4]", "1/2", Verdict.REFUTED),
    ],
)
def test_a_budget_is_decided_for_all_values(interval, claimed, verdict):
    found = stirred.audit(response, **NUMBERS | {"data_sets": [0, 1]}, epsilon=claimed, p=interval)
    assert found.verdict is verdict
    assert ("at p = " in found.because) == (verdict is Verdict.REFUTED)


def noisy(data, source, *, p):
    return data + source.discrete_laplace(p)


def near(x, y):
    return 1 if abs(x - y) == 1 else None


@pytest.mark.parametrize("output", ["total-variation", "approximate", "kl", "tradeoff"])
def test_released_noise_is_told_between_its_ends_too(output):
    """Only 3 and 4 are compared, both inside: merging all integers between 0 and 9 would lose nearly everything."""
    delta = {"delta": "1/10"} if output == "approximate" else {}
    blocks = {"distance": near, "output": output, **delta, "p": "1/2"}
    inside, alone = (stirred.smallest_budget(noisy, data_sets=d, **blocks) for d in ([0, 3, 4, 9], [3, 4]))
    assert str(inside) == str(alone)
    if output == "approximate":
        assert inside == Loss(Fraction(17, 10))  # (2/3 - 1/10) / (1/3)
    if output == "total-variation":
        opened = stirred.smallest_budget(noisy, data_sets=[0, 3, 4, 9], **blocks | {"p": "symbol"})
        assert str(opened) == "(1 - p)/(p + 1) for 0 < p < 1"
        claimed = {"epsilon": "1/10", "p": "symbol in [1/2, 3/4]"}
        assert stirred.audit(noisy, data_sets=[0, 3, 4, 9], **blocks | claimed).verdict is Verdict.REFUTED


def rare(data, source, *, p):
    """One outcome of probability p that one data set alone has: infinite above p = δ, and not at it."""
    return int(source.bernoulli(p)) if data else 0, source.bernoulli(Fraction(1 + data, 3))


def three(data, source, *, p):
    return sum(1 - x if source.bernoulli(p) else x for x in (data, data, 0))


AT_DELTA = {"data_sets": [0, 1], "distance": "absolute_difference"}


@pytest.mark.parametrize("mechanism", [response, three, rare, noisy], ids=lambda one: one.__name__)
def test_epsilon_at_delta_and_delta_at_epsilon_are_their_numbers_at_each_value(mechanism):
    def budget_at(p):
        return stirred.smallest_budget(mechanism, **AT_DELTA, output="approximate", delta="1/10", p=p)

    def delta_at(p):
        return stirred.smallest_delta(mechanism, **AT_DELTA, epsilon="ln 2", p=p)

    budgets, deltas = budget_at("symbol"), delta_at("symbol")
    for value in (Fraction(1, 20), Fraction(3, 5)):
        assert budgets(value) == budget_at(value)
        assert deltas(value) == delta_at(value)
    p = sp.Symbol("p", positive=True)
    assert budgets.to_sympy().subs(p, sp.Rational(1, 10)) == budgets("1/10").to_sympy()
    assert deltas.to_latex().startswith(r"\delta(p) = ")


def test_a_budget_at_delta_may_be_infinite_for_some_values():
    found = stirred.smallest_budget(rare, **AT_DELTA, output="approximate", delta="1/10", p="symbol")
    assert str(found) == "ln(17/(10*(1 - p))) for 0 < p <= 1/10; infinite for 1/10 < p < 1"
    assert found.exceeding(Loss(Fraction(10**9))) > Fraction(1, 10)
    blocks = AT_DELTA | {"output": "approximate", "delta": "1/10", "epsilon": "ln 2"}
    assert stirred.audit(rare, **blocks, p="symbol in [1/100, 1/10]").verdict is Verdict.DECIDED
    assert stirred.audit(rare, **blocks, p="symbol in [1/100, 11/100]").verdict is Verdict.REFUTED


@given(WEIGHTS, st.integers(1, 9), st.integers(11, 40), st.sampled_from((1, 2, 4)))
@examples(30, at_night=300)
def test_epsilon_of_random_laws(weights, tenths, gamma, over):
    """A root of gamma takes even powers of quotients, which may be negative away from their pieces."""
    drawn, delta, bound = random_mechanism(weights), Fraction(tenths, 10), Loss(Fraction(gamma, 10)).over(over)
    measure = ApproximateMultiplicative(delta)
    laws = {x: exact_law(drawn, x, p=SYMBOL) for x in (0, 1, 2)}
    numbers = flavor(both_ways({(0, 1): 1, (1, 2): 1, (0, 2): 2}), measure)
    try:
        found = approximate_loss_function(laws, numbers, delta, symbol="p", opened=OpenParameter())
    except InputError as error:
        assume("is infinite on both sides" not in str(error))
        raise
    for p in (*TENTHS, Fraction(1, 97)):
        at = {x: exact_law(drawn, x, p=p) for x in (0, 1, 2)}
        assert found.at(p) == max(measure.distance(at[x], at[y]).over(abs(x - y)) for x, y in permutations(at, 2))
    above = found.exceeding(bound)
    assert above is None or found.at(above) > bound
    assert above is not None or all(found.at(Fraction(k, 97)) <= bound for k in range(1, 97))


def test_an_even_power_of_a_negative_quotient_exceeds_nothing():
    """At δ = 9/10 one event gives (p − δ)/Q with Q = 1/100: at most 5 below p = 19/20, and −89 at p = 1/100."""

    def unlikely(data, source, *, p):
        return source.bernoulli(p if data else Fraction(1, 100))

    found = stirred.smallest_budget(
        unlikely, **AT_DELTA, output="approximate", delta="9/10", p="symbol in [1/100, 19/20]"
    )
    assert (found("19/20"), found("1/100").is_zero) == (Loss(Fraction(5)), True)
    assert found.exceeding(Loss(Fraction(36)).over(2)) is None
    assert found.exceeding(Loss(Fraction(24)).over(2)) > Fraction(94, 100)


def test_an_open_parameter_needs_a_rational_power_of_e():
    with pytest.raises(InputError, match=r"epsilon must be the logarithm .* got 1 at distance 1"):
        stirred.smallest_delta(response, **AT_DELTA, epsilon="1", p="symbol")
