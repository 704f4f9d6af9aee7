"""Total variation as a function of an open parameter: against the distance of laws at points, and budgets for all."""

from fractions import Fraction
from itertools import product

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from small_flavors import both_ways, flavor
from tiers import examples

import stirred
from stirred.mechanisms import exact_law
from stirred.spec import SYMBOL
from stirred.spec.numbers.open_parameter import OpenParameter
from stirred.spec.output_premetrics import TotalVariation
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


@given(st.lists(st.lists(st.integers(0, 4), min_size=6, max_size=6), min_size=3, max_size=3))
@examples(30, at_night=300)
def test_random_laws(weights):
    def drawn(data, source, *, p):
        """Two coins choose among four outcomes, with probabilities that are quadratic in p."""
        a, b, c, d, e, f = (Fraction(w, 4) for w in weights[data])
        first = source.bernoulli(a * p + b * (1 - p))
        return first, source.bernoulli((c if first else d) * p**2 + (e if first else f) * (1 - p**2))

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
