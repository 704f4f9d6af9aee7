"""Output premetrics from Python: by name, as objects of `stirred.spec`, and as functions and objects of one's own."""

from fractions import Fraction

import pytest

import stirred
from stirred.spec import (
    ApproximateMultiplicative,
    ChiSquared,
    GaussianTradeoff,
    InputError,
    KullbackLeibler,
    Multiplicative,
    NormalizedRenyi,
    Renyi,
    SquaredHellinger,
    TotalVariation,
    Tradeoff,
)
from stirred.spec.numbers.reals.real import order
from stirred.spec.output_premetrics import OUTPUT_PREMETRICS
from stirred.verify.evidence.verdict import Verdict

COIN = {"data_sets": (0, 1), "distance": "absolute_difference", "flip": "1/4"}


def answer(data, source, *, flip):
    return 1 - data if source.bernoulli(flip) else data


def variation(p, q):
    return sum((max(p[t] - q[t], Fraction(0)) for t in p), Fraction(0))


class Half(TotalVariation):
    """A premetric of a user: half the total variation distance."""

    name = "half"

    def distance(self, p, q):
        return variation(p, q) / 2


OBJECTS = [
    ("pure", Multiplicative()),
    ("zcdp", NormalizedRenyi()),
    ("total-variation", TotalVariation()),
    ("tradeoff", Tradeoff()),
    ("gdp", GaussianTradeoff()),
    ("kl", KullbackLeibler()),
    ("chi-squared", ChiSquared()),
    ("hellinger", SquaredHellinger()),
]


@pytest.mark.parametrize(("name", "measure"), OBJECTS, ids=[name for name, _ in OBJECTS])
def test_an_object_is_accepted_wherever_its_name_is(name, measure):
    by_name, by_object = (stirred.smallest_budget(answer, output=one, **COIN) for one in (name, measure))
    assert str(by_name) == str(by_object)


def test_objects_with_parameters():
    tenth = ApproximateMultiplicative(Fraction(1, 10))
    assert stirred.smallest_budget(answer, output=tenth, **COIN) == stirred.smallest_budget(
        answer, delta="1/10", **COIN
    )
    assert str(stirred.smallest_budget(answer, output=Renyi(2), **COIN)) == "ln(7/3) ≈ 0.847298"
    assert {kind for _, one in OBJECTS for kind in [type(one)]} | {type(tenth), Renyi} == set(
        OUTPUT_PREMETRICS.values()
    )


def test_a_function_and_an_object_of_ones_own_are_run_outside():
    assert stirred.smallest_budget(answer, output=variation, **COIN) == Fraction(1, 2)
    found = stirred.audit(answer, output=Half(), epsilon="1/4", **COIN)
    assert (found.verdict, found.smallest) == (Verdict.EXHAUSTED, Fraction(1, 4))
    assert "a function, asked for on the laws that occur" in found.scope
    closure = stirred.audit(answer, output=lambda p, q: 3 * variation(p, q), epsilon="1", **COIN)
    assert closure.verdict is Verdict.REFUTED
    assert closure.pair == "x = 0, x' = 1"


def test_budgets_have_their_keywords():
    found = stirred.audit(answer, output="gdp", mu="1.349", **COIN)
    assert found.verdict is Verdict.ENCLOSED
    assert found.claimed == "mu = 1.349"
    assert stirred.audit(answer, output=Renyi(2), epsilon="ln(7/3)", **COIN).holds
    assert not stirred.audit(answer, output="gdp", mu="1.34", **COIN).holds
    assert stirred.assert_satisfies(answer, output="kl", epsilon="ln(3)/2", **COIN).holds
    marked = stirred.satisfies(output="gdp", mu="1.349", **COIN)(answer)
    assert [one.holds for one in stirred.check(marked)] == [True]
    assert order(found.smallest, Fraction(1349, 1000)) < 0


REFUSED = {
    "renyi by name": ({"output": "renyi"}, "output must have its order; write stirred.spec.Renyi(2)"),
    "rho": ({"output": "kl", "rho": "1"}, "rho is no budget for the output premetric 'kullback_leibler'; give epsilon"),
    "epsilon": ({"output": "gdp", "epsilon": "1"}, "epsilon is no budget for the output premetric 'gaussian'; give mu"),
    "mu": ({"output": "pure", "mu": "1"}, "mu is no budget for the output premetric 'multiplicative'; give epsilon"),
    "float mu": ({"output": "gdp", "mu": 1.5}, "mu must be exact; got the float 1.5"),
    "a number": ({"output": 3}, "output must be a name, an output premetric or a function of two laws; got 3"),
    "delta": ({"output": Renyi(2), "delta": "1/2"}, "delta belongs to the output 'approximate'"),
    "no premetric": (
        {"output": lambda p, q: 1},
        "output: an output premetric must be 0 for equal laws; at x = 0, x' = 0",
    ),
    "a symbol": (
        {"output": "kl", "flip": "symbol"},
        "the output premetric must be 'multiplicative'; got 'kullback_leibler'",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused(name):
    keywords, message = REFUSED[name]
    with pytest.raises(InputError) as caught:
        stirred.audit(answer, **{**COIN, **keywords})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
