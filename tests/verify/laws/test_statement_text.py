"""The budgets that a text names in digits: in every spelling, with odd signs told, and nothing else taken for one."""

from fractions import Fraction

import pytest

from stirred.verify.laws.statement_text import stated_numbers


def named(text):
    """Each number with its name; None for one that is not read, and ε of a logarithm to six places."""
    return [(one.name, shown(one.value)) for one in stated_numbers(text)]


def shown(value):
    return None if value is None else value.lower if value.lower == value.upper else round(float(value.lower), 6)


HUNDREDTH = Fraction(1, 100)


@pytest.mark.parametrize(
    "text",
    [
        *("epsilon = 0.01", "ε=0.01", "ϵ = 0.01", "ɛ: 0.01", "eps = 1e-2", r"\(\varepsilon\) \leq 0.01", "𝜀 is 0.01"),
        *("It is 0.01-DP.", "0.01-differentially private", "**ε = 0.01**", "ε = .01", "$\\epsilon = \\frac{1}{100}$"),
        *("epsilon equals 1%", "epsilon = 1 percent", "epsilon = 1/100", "ε = ０．０１"),
        *("epsilon\u200b 0.01", "ε (0.01)"),
        *("epsilon = 10^-2", "epsilon = 10⁻²", "epsilon = 1 × 10^{-2}", "ε = 0.1 · 0.1"),
        *("ε = 0.1^2", "εpsilon; ε := 0.01"),
        *("epsilon is at most 0.01", "ε is not more than 0.01", "ε_0 = 0.01"),
        *("epsilon, which is 0.01", "In 2020 ε = 0.01"),
        *("ε = 0.01, and see Theorem 3.2", "ε = 0.01 - see Table 2", "ε = 0.01 (2020)", "ε = 0.01 for 3 records"),
        *("ε is 0.01 everywhere", "Delta = 1 and ε = 0.01", "an epsilon of 0.01 holds"),
    ],
)
def test_an_epsilon_is_read_in_every_spelling(text):
    assert named(text) == [("ε", HUNDREDTH)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the privacy loss is 0.01", [("budget", HUNDREDTH)]),
        ("a budget of 0.01", [("budget", HUNDREDTH)]),
        ("privacy-loss budget = 0.01", [("budget", HUNDREDTH)]),
        ("(0.01, 1e-5)-DP", [("ε", HUNDREDTH), ("δ", Fraction(1, 10**5))]),
        ("(ε, δ) = (0.01, 10^-5)", [("ε", HUNDREDTH), ("δ", Fraction(1, 10**5))]),
        ("0.5-zCDP", [("ρ", Fraction(1, 2))]),
        ("rho^2 = 0.5, ρ² = 0.5, rho_squared = 0.5", [("ρ", Fraction(1, 2))] * 3),
        ("ρ = 0.1 (ε = 1.2 at δ = 10^-6)", [("ρ", 10 * HUNDREDTH), ("ε", Fraction(6, 5)), ("δ", Fraction(1, 10**6))]),
        ("mu = 0.5", [("μ", Fraction(1, 2))]),
        ("e^ε = 2 and exp(epsilon) = 2", [("γ", 2)] * 2),
        ("epsilon = ln(20) ≈ 3.00", [("ε", 2.995732)]),
        ("epsilon = 2 ln 2", [("ε", 1.386294)]),
        ("ε = ln 3 / 2, δ = 2^-4", [("ε", 0.549306), ("δ", Fraction(1, 16))]),
        ("epsilon = −0.5, ε = 0.0", [("ε", Fraction(-1, 2)), ("ε", 0)]),
    ],
)
def test_other_budgets_are_read_with_their_names(text, found):
    assert named(text) == found


@pytest.mark.parametrize(
    "text",
    [
        *("epsilon = 0,01", "epsilon = 1.000.000", "epsilon = 1.2.3", "epsilon = 2O", "ε = 1_0", "ε ≪ 1", "ε = 五"),
        *("ε = 2x10", "ε ≲ 2", "ε → 0", "ε = 3e", "ε = 0.1/0", "ε = 9^9^9^9", "eps: 1_0", "1 ε ⪡ 3", "ε is 2O"),
    ],
)
def test_what_cannot_be_read_keeps_its_name_and_has_no_value(text):
    assert named(text) == [("ε", None)]


@pytest.mark.parametrize(
    "text",
    [
        *("in 1940", "Theorem 3.2", "the 2020 Census", "version 1.2", "with probability 0.05", "3 records", "p = 5%"),
        *("sqrt(b+1)", "it is only 0.01", "See https://a.org/0.01", "Released on 2026-11-24", "one person", "b = 10"),
        *("a budget of 5 queries", "the budget of 2020", "ε is 3 times smaller", "ε is one-half", "10% of the budget"),
        *("2ε = 1", "ε/2 = 0.5", "1 - δ = 0.9", "δ = 1/n", "ε = 2ρ", "ε = 3 ln n", "ε² = 4", "ε^2/2 = 1", "ε = ∞"),
        *("Section 3.2 differential privacy", "in 2020 differentially private", "ln(1/δ) = 23", "ρ + 2√(ρ ln(1/δ))"),
        *("(ε, δ)-DP with 3 parts", "epsilon is not 2", "epsilon at p = 5% is 19.36", "Δ/ε = 5", "ε ·δ = 3"),
        *("smallest budget.10", "Δ = 0.5", "\\Delta = 0.5", "Delta = 1"),
        *("epsilon of 3 releases", "a budget of 3 hours"),
    ],
)
def test_other_numbers_are_no_budget(text):
    assert not stated_numbers(text)


@pytest.mark.parametrize(
    "text",
    [
        *("ε between 0.7 and 0.9", "ε = 0.7–0.9", "ε from 0.7 to 0.9", "ε ∈ [0.7, 0.9]", "ε is 0.7 to 0.9"),
        *("ε = 70-90 %", "ε from 0.7–0.9 is usual", "ε at most 0.7 to 0.9.", "ε = 0.7 – 0.9 – see Table 2"),
    ],
)
def test_a_range_has_both_of_its_ends(text):
    (one,) = stated_numbers(text)
    assert (one.name, one.value.lower, one.value.upper) == ("ε", Fraction(7, 10), Fraction(9, 10))


def test_bounds_roundings_denials_and_subscripts_are_told():
    def one(text):
        (found,) = stated_numbers(text)
        return found.bound, found.is_about, found.is_denied, found.is_part

    assert one("epsilon is at most 1") == ("≤", False, False, False)
    assert one("epsilon is no more than 1") == ("≤", False, False, False)
    assert one("epsilon < 1") == ("<", False, False, False)
    assert one("epsilon is at least 1") == ("≥", False, False, False)
    assert one("epsilon is no less than 1") == ("≥", False, False, False)
    assert one("epsilon is more than 1") == ("≥", False, False, False)
    assert one("epsilon ≈ 1") == ("", True, False, False)
    assert one("It is not epsilon = 1") == ("", False, True, False)
    assert one("ε_1 = 1") == ("", False, False, True)


@pytest.mark.parametrize(
    "text",
    [
        *("epsilon = (ln 3)/2", "epsilon is (ln 3) - 1", "epsilon = sqrt(ln 3) - 1", "epsilon = ln(ln 3)"),
        *("epsilon = log10(3)", "epsilon = log2 3", "epsilon = ln 3, minus 1", "ε equals π/3", "ε = (0.01)·2"),
    ],
)
def test_a_formula_that_is_not_read_whole_is_not_read(text):
    assert named(text) == [("ε", None)]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "ε = 1.1 - 0.1",
            "ε = 2 - 1",
            "ε = 2-1",
            "ε is 2 − 1",
            "ε is at most (3 - 2)",
            "ε = ln 3 - ln 2",
            "ε = 1 – 1",
        ),
        *("ε = 1 - 2 + 3", "ε = 1 - 2 - 3", "ε = 1 - 3 * (2 - 1)", "ε = −1 - 2", "ε = 1 - 2 plus 3", "ε from 2 to 1"),
        *("ε between 3 - 1 and 2", "ε ∈ [2, 1]", "ε = 3 - 2%", "ε = 1 – 1"),
    ],
)
def test_a_difference_is_no_range(text):
    assert named(text) == [("ε", None)]


@pytest.mark.parametrize("text", ["ε = ln((1-q)/q)", "(see Theorem 3)/2", "epsilon is lnwards"])
def test_a_formula_in_letters_is_passed_over(text):
    assert named(text) == []
