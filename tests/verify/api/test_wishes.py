"""Wishes of researchers, one line each: answered, or refused with the reason."""

from fractions import Fraction

import pytest
import sympy as sp
from refusals import check_refused

import stirred
from stirred import Blocks, Loss, explore
from stirred.spec import Law
from stirred.spec.intervals import DensityRatioNeighborhood, MultiplicativeBall
from stirred.verify.engines.loss_function import LossFunction

BIT = {"data_sets": [0, 1], "distance": "absolute_difference"}
epsilon, eta = explore.budgets("epsilon eta")
p, q = explore.rates("p q")
k = explore.sizes("k")
FAIR, UNFAIR = (Law({0: share, 1: 1 - share}) for share in (Fraction(1, 2), Fraction(3, 4)))


def response(bit, source, *, flip):
    return 1 - bit if source.bernoulli(flip) else bit


def k_ary(data, source, *, keep, size):
    other = source.uniform(size - 1)
    return data if source.bernoulli(keep) else other + (other >= data)


def unequal(bit, source, *, yes, no):
    return source.bernoulli(yes if bit else no)


def budget(mechanism=response, **more):
    return stirred.smallest_budget(mechanism, **{**BIT, **more})


def blocks(epsilon):
    return Blocks(**BIT, epsilon=epsilon)


def differ(x, y):
    return int(x != y)


def kary(keep):
    return explore.smallest_budget(
        k_ary, data_sets=lambda n: range(n), sizes={"n": (2, 3, 4)}, beyond={"n": (5,)}, distance=differ,
        parameters=lambda n: {"keep": keep(n), "size": n},
    ).expression  # fmt: skip


def order(left, right, where=()):
    return explore.at_most(left, right, where).verdict.name


S = explore.Specification
WISHES = {
    "a flavor of mine": (lambda: str(Blocks(**BIT, epsilon="ln 3").exact_budget), "ln(3) ≈ 1.09861"),
    "does A refine B": (lambda: blocks("ln 3").refines(blocks("1")).verdict.name, "REFUTED"),
    "randomized response needs epsilon": (lambda: str(budget(flip="1/(1 + exp(epsilon))")), "epsilon"),
    "total variation of epsilon": (
        lambda: str(budget(flip="1/(1 + exp(epsilon))", output="total-variation")), "tanh(epsilon/2)"
    ),
    "n and epsilon": (lambda: str(kary(lambda n: f"exp(epsilon)/(exp(epsilon) + {n} - 1)")), "epsilon"),
    "n and p": (lambda: str(kary(lambda n: "symbol in [9/10, 99/100]")), "log(p*(1 - n)/(p - 1))"),
    "amplification": (lambda: order(sp.log(1 + p * (sp.exp(epsilon) - 1)), epsilon, p < 1), "DECIDED"),
    "two conversions": (lambda: order(S(epsilon).convert("zcdp").budget, epsilon**2 / 2), "DECIDED"),
    "a conversion of symbols": (lambda: str(S(epsilon).convert("total-variation").budget), "tanh(epsilon/2)"),
    "zCDP beside pure": (lambda: str((S(epsilon) + S("rho", output="zcdp")).budget), "epsilon*tanh(epsilon/2) + rho"),
    "k releases": (lambda: str((k * S(epsilon)).budget), "epsilon*k"),
    "a curve at a level": (lambda: budget(flip="1/4", output="tradeoff")("1/10"), Fraction(3, 10)),
    "delta at ln 2": (lambda: stirred.privacy_curve(response, **BIT, flip="1/4")("ln 2"), Fraction(1, 4)),
    "a law in a ball": (lambda: UNFAIR in DensityRatioNeighborhood(FAIR, "ln 3"), True),
    "an event in a ball": (lambda: MultiplicativeBall(FAIR, Loss(2)).upper_probability({0}), Fraction(3, 4)),
    "a loss against a number": (lambda: 1 < budget(flip="1/4") < "1.1" and budget(flip="1/4") == sp.log(3), True),
    "a loss at one value": (lambda: budget(flip="symbol")("1/4"), Loss(3)),
    "a loss for all values": (lambda: type(budget(flip="symbol")), LossFunction),
    "unequal answers": (lambda: str(budget(unequal, yes="1/(1+exp(-epsilon))", no="1/(1+exp(epsilon))")), "epsilon"),
    "geometric and arithmetic means": (lambda: order(2 * sp.sqrt(p), 1 + p), "DECIDED"),
    "an Or": (lambda: order(p, 1, sp.Or(p < 1, sp.Eq(p, 1))), "DECIDED"),
    "Gaussian privacy": (lambda: str(S("mu", output="gdp").convert("zcdp").budget), "mu**2/2"),
}  # fmt: skip


@pytest.mark.parametrize("wish", WISHES)
def test_a_wish_is_answered(wish):
    ask, wanted = WISHES[wish]
    assert ask() == wanted


FORMULAS = ("1/(1+exp(epsilon))", "(1-exp(-epsilon))/2", "1/(2+exp(epsilon/2))")


def test_a_loss_of_epsilon_is_that_of_the_numbers_that_its_formulas_give():
    for formula, at in zip(FORMULAS, ("ln 5", "ln 5", "ln 9"), strict=True):
        found = budget(flip=formula)
        number = sp.sympify(formula).subs(sp.Symbol("epsilon"), Loss.from_text(at).to_sympy())
        assert found.at(at) == budget(flip=Fraction(int(number.p), int(number.q)))
        shown = found.to_sympy().subs(sp.Symbol("epsilon", positive=True), Loss.from_text(at).to_sympy())
        assert float(sp.N(shown, 30)) == pytest.approx(float(found(at)), rel=1e-12)


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        (lambda: budget(flip="epsilon/10"), "rational function of exp"),
        (lambda: budget(flip="exp(epsilon)"), "between 0 and 1"),
        (lambda: budget(flip="1/(1 + exp(epsilon))").at("1/2"), "epsilon must be a logarithm"),
        (lambda: budget(flip="symbol", output="zcdp"), "left open, for which the output premetric must be"),
        (lambda: S(epsilon) + S(epsilon, output="renyi", order=2), "convert one"),
        (lambda: Loss(3) < 1.1, "write Fraction"),
    ],
)
def test_a_wish_that_has_no_answer_is_refused_with_the_reason(wish, said):
    check_refused(wish, said)
