"""Five questions of a researcher, each answered in some ten lines: from a specification or a program to a formula."""

from fractions import Fraction
from functools import partial
from operator import itemgetter

import pytest
import sympy as sp

import stirred
from stirred import explore
from stirred.mechanisms.surveys.designs import (
    bernoulli_sample,
    cluster_sample,
    sample_with_replacement,
    simple_random_sample,
    stratified_sample,
    systematic_sample,
)
from stirred.mechanisms.swapping.permutation_counts import psa_law
from stirred.spec import SYMBOL
from stirred.spec.surveys.amplification import Compared
from stirred.verify.engines.surveys.design_loss import amplified_loss, neighbouring_frames
from stirred.verify.engines.swapping.bounds import sharpened_budget
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.evidence.verdict import Verdict

b, p = explore.sizes("b"), explore.rates("p")


def margins(b):
    """Two single records, and two cells of (b - 2)/2 records; single records where b is odd or 4."""
    return (1,) * b if b % 2 or b == 4 else (1, 1, (b - 2) // 2, (b - 2) // 2)


def shared(b):
    """P_x'(z)/P_x(z) at distance 2: the output shares two single records with x' and none with x."""
    rows = margins(b)
    places, k = range(len(rows)), len(rows)
    diagonal = tuple(tuple(rows[i] * (i == j) for j in places) for i in places)
    exchanged = (diagonal[1], diagonal[0], *diagonal[2:])
    turned = [0, 1, *(2 + (i - 1) % (k - 2) for i in range(k - 2))]
    z = tuple(tuple(rows[i] * (turned[i] == j) for j in places) for i in places)
    return psa_law(diagonal, SYMBOL)[z] / psa_law(exchanged, SYMBOL)[z]


def test_the_sharp_budget_in_b_and_p():
    found = explore.closed_form(shared, {"b": (4, 5, 6)}, {"b": (8, 10)})
    assert found.verdict is Verdict.EXHAUSTED
    assert sp.simplify(found.expression - ((1 - p) / p) ** 2 * sp.subfactorial(b) / sp.subfactorial(b - 2)) == 0
    half = explore.closed_form(
        lambda b: universe_loss(margins(b), margins(b), Fraction(1, 2)), {"b": (4, 5, 6)}, {"b": (8,)}
    )
    assert half.expression == sp.log(sp.subfactorial(b) / sp.subfactorial(b - 2)) / 2
    wanted = sharpened_budget(30, Fraction(1, 3))
    assert sp.simplify(sp.exp(2 * wanted.to_sympy()) - found.expression.subs({b: 30, p: sp.Rational(1, 3)})) == 0


def test_the_budget_of_theorem_1():
    d = explore.rates("d")  # d(b - 2); by the recurrence d(b) is at most b(b - 1)d + (b - 1)
    odds = sp.log(p) - sp.log(1 - p)
    step = sp.log((b * (b - 1) * d + b - 1) / d) / 2 - odds
    sharp = explore.Specification(sp.Max(step, odds), where=(p < 1, d >= 1, b >= 4))
    printed = explore.Specification(sp.Max(sp.log(b + 1) - odds, odds))
    one, other = printed.compare(sharp)
    assert one.verdict is Verdict.DECIDED
    assert other.verdict is Verdict.REFUTED
    less = explore.Specification(sp.Max(sp.log(b) - odds, odds))
    assert less.implied_by(sharp).verdict is Verdict.DECIDED  # b does for b + 1
    assert explore.Specification(sp.Max(sp.log(b - 1) - odds, odds)).implied_by(sharp).verdict is Verdict.REFUTED


def response(bit, source, *, flip):
    return 1 - bit if source.bernoulli(flip) else bit


def test_randomized_response_under_each_premetric():
    n = explore.sizes("n")
    square = (lambda n: {"flip": Fraction(1, n * n + 1)}, (n - 1) ** 2 / (n**2 + 1))  # the odds are a square
    rate = {"pure": sp.log(n), "total-variation": (n - 1) / (n + 1), "chi-squared": (n - 1) ** 2 / n}
    asked = {output: (lambda n: {"flip": Fraction(1, n + 1)}, formula) for output, formula in rate.items()}
    for output, (parameters, formula) in {**asked, "hellinger": square}.items():
        found = explore.smallest_budget(
            response,
            data_sets=lambda n: (0, 1),
            parameters=parameters,
            distance="absolute_difference",
            output=output,
            sizes={"n": range(2, 8)},
            beyond={"n": (9,)},
        )
        assert found.verdict is Verdict.EXHAUSTED, output
        assert sp.simplify(found.expression - formula) == 0, output


def amplified(design, groups, compared, gamma):
    """e^(epsilon') where the first two units of the first group have two possible records, the others one."""
    records = {unit: [(group, v) for v in ("ab" if unit in (0, 1) else "a")] for unit, group in enumerate(groups)}
    return amplified_loss(design, neighbouring_frames(records, compared), compared, gamma).gamma


G, N = explore.sizes("g n")
AT_RATE = 1 + (G - 1) / N
DESIGNS = {
    "simple random": (simple_random_sample, lambda n: {"size": 1}, Compared.REPLACED, AT_RATE),
    "Bernoulli": (bernoulli_sample, lambda n: {"rate": Fraction(1, n)}, Compared.ADDED, AT_RATE),
    "with replacement": (sample_with_replacement, lambda n: {"size": 2}, Compared.REPLACED, AT_RATE**2),
    "systematic": (systematic_sample, lambda n: {"step": n}, Compared.REPLACED, AT_RATE),
    "strata of n": (
        stratified_sample,
        lambda n: {"stratum": itemgetter(0), "sizes": lambda strata: dict.fromkeys(strata, 1)},
        Compared.REPLACED,
        AT_RATE,
    ),
    "clusters of two": (
        cluster_sample,
        lambda n: {"number": 1, "cluster": itemgetter(0)},
        Compared.REPLACED,
        (1 + (G**2 - 1) / N) / AT_RATE,
    ),
}


@pytest.mark.parametrize("name", DESIGNS)
def test_amplification_of_each_design(name):
    design, parameters, compared, formula = DESIGNS[name]

    def groups(n):
        two = {"clusters of two": [i // 2 for i in range(2 * n)], "strata of n": [i // n for i in range(2 * n)]}
        return {**two, "Bernoulli": [0]}.get(name, [0] * n)

    def loss(g, n):
        return amplified(partial(design, **parameters(n)), groups(n), compared, g)

    found = explore.closed_form(loss, {"g": range(2, 6), "n": range(2, 5)}, {"g": (6,), "n": (5,)})
    assert found.verdict is Verdict.EXHAUSTED
    assert sp.simplify(found.expression - formula) == 0


def range_of(k):
    return range(k)


def chosen(value, source, *, flip, k):
    """One of k values: the true one, or with probability `flip` another one."""
    return (value + 1 + source.uniform(k - 1)) % k if source.bernoulli(flip) else value


def test_randomized_response_with_k_values_and_what_it_costs_a_household():
    found = explore.smallest_budget(
        chosen,
        data_sets=range_of,
        parameters=lambda k: {"k": k},
        distance=lambda x, y: int(x != y),
        flip="symbol in [1/100, 1/10]",
        symbol="p",
        sizes={"k": range(2, 6)},
        beyond={"k": (7,)},
    )
    k, epsilon = explore.sizes("k"), explore.budgets("epsilon")
    assert sp.simplify(sp.exp(found.expression) - (k - 1) * (1 - p) / p) == 0
    household = explore.Specification(found.expression, unit="person").change_unit("household", 4)
    allowed = explore.Specification(4 * epsilon, unit="household", where=(p > sp.Rational(1, 100), p < 1, k >= 2))
    answer = allowed.implied_by(household)
    assert answer.verdict is Verdict.REFUTED
    values = answer.counterexample
    point = stirred.Loss((values["k"] - 1) * (1 - values["p"]) / values["p"])
    assert point > values["epsilon"]
