from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import open_probabilities

import stirred.spec
from stirred.spec import INFINITE, InputError, Loss, psa_budget
from stirred.spec.symbolic import EQUATION_ONE, PSABudget, b, fraction, p


@settings(max_examples=15)
@given(st.integers(2, 50), open_probabilities)
def test_the_expression_is_the_exact_budget(size, rate):
    assert sp.simplify(PSABudget(size).at(rate) - psa_budget(size, rate).to_sympy()) == 0


@pytest.mark.parametrize("size", [2, 3, 8, 264_331])
def test_the_minimum_is_attained_at_its_rate_and_nowhere_below(size):
    budget = PSABudget(size)
    smallest, rate = budget.minimum()
    assert sp.simplify(sp.expand_log(budget.at(rate) - smallest, force=True)) == 0
    assert sp.simplify(smallest - Loss(Fraction(size + 1), 2).to_sympy()) == 0


@pytest.mark.parametrize(("size", "gamma"), [(10, 5), (10, 1000), (3, 2)])
def test_every_rate_with_a_budget_is_found(size, gamma):
    rates = PSABudget(size).rates(sp.log(gamma))
    assert len(rates) == (1 if gamma**2 == size + 1 else 2)
    for rate in rates:
        assert psa_budget(size, fraction(sp.nsimplify(sp.simplify(rate)))) == Loss(Fraction(gamma))


def test_below_the_minimum_no_rate_has_the_budget():
    assert PSABudget(10).rates(1) == ()
    assert PSABudget(10).rates(0) == ()


@pytest.mark.parametrize("epsilon", [Fraction(-1), sp.oo, -sp.oo, sp.nan, sp.zoo, -sp.log(2)])
def test_a_budget_is_a_number_from_0_on(epsilon):
    with pytest.raises(InputError, match="epsilon must be non-negative and finite"):
        PSABudget(10).rates(epsilon)


def test_symbolic_size_keeps_the_formulas():
    budget = PSABudget()
    assert budget.minimum()[0] == sp.log(b + 1) / 2
    assert budget.expression.has(p)
    with pytest.raises(InputError, match="comparable"):
        budget.rates(3)
    (rate,) = budget.rates(sp.log(b + 1) / 2)
    assert rate == budget.threshold


@pytest.mark.parametrize("bad", [1, 0, 2.0, True, "b"])
def test_the_size_is_the_symbol_or_an_int_from_2(bad):
    with pytest.raises(InputError, match="largest_stratum"):
        PSABudget(bad)


@pytest.mark.parametrize("bad", [0, 1, 2, 0.5, sp.Float("0.5"), sp.Symbol("q")])
def test_a_rate_must_be_exact_and_strictly_between_0_and_1(bad):
    with pytest.raises(InputError, match="swap_rate"):
        PSABudget(10).at(bad)


@pytest.mark.parametrize("bad", [3.0, sp.Float(3), "3"])
def test_a_budget_must_be_exact(bad):
    with pytest.raises(InputError, match="epsilon"):
        PSABudget(10).rates(bad)


def test_latex_is_given_for_notebooks_and_papers():
    assert r"\log" in PSABudget(10)._repr_latex_()
    assert isinstance(EQUATION_ONE, sp.LessThan)
    assert INFINITE.to_sympy() == sp.oo


def test_symbolic_is_loaded_on_first_use_and_unknown_names_are_refused():
    assert stirred.spec.symbolic.PSABudget is PSABudget
    with pytest.raises(AttributeError, match="no attribute 'symbolics'"):
        _ = stirred.spec.symbolics
