"""The phrases by which prose gives a letter its number, each with what is read and what is left.

What a sentence says its numbers are: in every spelling, and with nothing passed over.
"""

from fractions import Fraction

import pytest

from stirred.verify.prose.items import items
from stirred.verify.prose.quantities import CARRIED, LINKS, LOOSE, NOUNS
from stirred.verify.prose.stated_numbers import stated_numbers
from stirred.verify.prose.tokens import Kind, tokens
from stirred.verify.prose.written_numbers import plainly_written


def read(text):
    return [(one.letter, one.number.text) for item in items(text) for one in item.quantities if one.number is not None]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("epsilon of 4", [("ε", "4")]),
        ("an epsilon value of about 2.0.", [("ε", "2.0")]),
        (r"\\(\tau\\)=90", [("τ", "90")]),
        ("the suppression threshold (τ)=90 where", [("τ", "90")]),
        ("(ε, δ) = (4, 10^-5)", [("ε", "4"), ("δ", "1e-5")]),
        ("is (34.9, 7 × 10−9)-DP", [("ε", "34.9"), ("δ", "7e-9")]),
        ("0.5-zCDP noise", [("ρ", "0.5")]),
        ("rho = 2.63", [("ρ", "2.63")]),
        ("the total rho-zCDP privacy loss budget is 12.058", [("ρ", "12.058")]),
        ("the total privacy loss is 0.2.", [("budget", "0.2")]),
        ("δ = 10−7", [("δ", "1e-7")]),
        (r"\\(\epsilon_{user}\\) = 1, ε_0' = 2", [("ε", "1"), ("ε", "2")]),
        ("ρ remains at 0.0052 for each and remains at 0.0728 for all", [("ρ", "0.0052"), ("ρ", "0.0728")]),
        ("from an epsilon of 1.844 (see above) to about 1.453.", [("ε", "1.844"), ("ε", "1.453")]),
        ("k = 65,546 functions and m = 1024", [("k", "65,546"), ("m", "1024")]),
        ("sensitivity = 1, noise scale = 10", [("sensitivity", "1"), ("scale", "10")]),
        ("ε = 0.1 to understand the data", [("ε", "0.1")]),
    ],
)
def test_every_phrase_gives_its_letter_its_number(text, found):
    assert read(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "epsilon is not 4",
        "epsilon of 4 million",
        "epsilon of 1 to 8",
        "ε_user for each individual action type decreases from about 0.45",
        "the privacy loss of the 3 tables",
        "a budget of 5 queries",
        "the budget was set in 2020, when 4 tables were planned",
        "ε = 10−7",
        "an epsilon-delta pair of 4 tables",
    ],
)
def test_what_no_phrase_gives_is_not_read(text):
    assert read(text) == []


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("loose", ["", *LOOSE])
def test_every_row_of_the_table_is_read(link, loose):
    assert read(f"an ε {link} {loose} 2.5") == [("ε", "2.5")]


@pytest.mark.parametrize("noun", NOUNS)
def test_every_noun_may_stand_between_a_letter_and_its_link(noun):
    assert read(f"the ε {noun} is 2.5") == [("ε", "2.5")]


@pytest.mark.parametrize("words", CARRIED)
def test_every_second_number_of_a_sentence_has_its_letter(words):
    assert read(f"ε is 2.5 at first, {words} 3.5. It grew {words} 4.5.") == [("ε", "2.5"), ("ε", "3.5")]


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("ε = 4.2 per day", "day"),
        ("ε = 4.2 for each user per month", "month"),
        ("ε = 4.2 monthly", "month"),
        ("ε = 4.2 in all. Two per day.", ""),
        ("ε = 4.2 for the day", ""),
    ],
)
def test_the_period_of_a_number_is_read(text, period):
    assert [one.period for item in items(text) for one in item.quantities] == [period]


def test_a_quantity_keeps_its_place_so_that_it_can_be_quoted():
    (item,) = items(r"- We use a budget of \\(\\epsilon\\) = 4 for each table.")
    (one,) = item.quantities
    assert item.quote(one.first, one.last) == "of ε = 4 for each"


def test_a_paragraph_behind_a_list_is_no_part_of_its_last_item():
    text = "Counts:\n  - The number of devices not in use\nEach is computed with ε = 0.1 and more."
    assert [item.depth for item in items(text)] == [0, 2, 0]
    assert read(text) == [("ε", "0.1")]


def named(text):
    """Each number with its name; None for a number that is not read, and ε of a logarithm to six places."""
    return [(one.name, shown(one.number.value)) for one in stated_numbers(text, {"flip"})]


def shown(value):
    return None if value is None else value.lower if value.lower == value.upper else round(float(value.lower), 6)


HUNDREDTH = Fraction(1, 100)


@pytest.mark.parametrize(
    "text",
    [
        *("epsilon = 0.01", "ε=0.01", "ϵ = 0.01", "ɛ: 0.01", "eps = 1e-2", r"\(\varepsilon\) \leq 0.01", "𝜀 is 0.01"),
        *("It is 0.01-DP.", "0.01-differentially private", "0.01 differential privacy", "0.01 is its epsilon"),
        *("epsilon of one hundredth", "epsilon equals 1%", "epsilon = 1 percent", "epsilon = 1/100", "ε = ０．０１"),
        *(
            "epsilon = 10^-2",
            "epsilon = 10⁻²",
            "epsilon = 1 × 10^{-2}",
            r"epsilon = \frac{1}{100}",
            "epsilon\u200b 0.01",
        ),
        *(
            "epsilon, at most 0.01",
            "ε is not more than 0.01",
            "ε(0.01)",
            "ε → 0.01",
            "ε_0 = 0.01",
            "epsilon^(b) is 0.01",
        ),
    ],
)
def test_an_epsilon_is_read_in_every_spelling(text):
    assert named(text) == [("ε", HUNDREDTH)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the privacy loss is 0.01", [("budget", HUNDREDTH)]),
        ("a budget of 0.01", [("budget", HUNDREDTH)]),
        ("0.01 nats are lost", [("budget", HUNDREDTH)]),
        ("(0.01, 1e-5)-DP", [("ε", HUNDREDTH), ("δ", Fraction(1, 10**5))]),
        ("(ε, 0)-DP with ε = 0.01", [("δ", 0), ("ε", HUNDREDTH)]),
        ("(ε, δ) = (0.01, 10^-5)", [("ε", HUNDREDTH), ("δ", Fraction(1, 10**5))]),
        ("0.5-zCDP", [("ρ", Fraction(1, 2))]),
        ("rho^2 = 0.5, ρ² = 0.5, rho_squared = 0.5", [("ρ", Fraction(1, 2))] * 3),
        ("mu = 0.5", [("μ", Fraction(1, 2))]),
        ("e^ε = 2 and exp(epsilon) = 2", [("γ", 2)] * 2),
        ("the odds change at most ninefold", [("γ", 9)]),
        ("epsilon = ln(20) ≈ 3.00", [("ε", 2.995732), ("ε", 3)]),
        ("epsilon = 2 ln 2", [("ε", 1.386294)]),
        ("epsilon = 17.08, 15.43 and 14.68", [("ε", Fraction(t)) for t in ("17.08", "15.43", "14.68")]),
        ("p between 2-4%", [("p", Fraction(1, 50)), ("p", Fraction(1, 25))]),
        ("epsilon at p = 5% is 19.36", [("p", Fraction(1, 20)), ("ε", Fraction("19.36"))]),
        ("b = 13,475,623", [("b", 13475623)]),
        ("flip = 1/4", [("flip", Fraction(1, 4))]),
    ],
)
def test_other_quantities_are_read_with_their_names(text, found):
    assert named(text) == found


@pytest.mark.parametrize(
    "text",
    [
        *(
            "epsilon = 0,01",
            "epsilon = 1.000.000",
            "epsilon = .5",
            "epsilon = −0.5",
            "epsilon = 0.00",
            "epsilon = 1.2.3",
        ),
        *("epsilon = 2 rho", "epsilon = 0.8 hundredths", "0.01 epsilon", "epsilon = two hundred"),
    ],
)
def test_what_cannot_be_read_keeps_its_name_and_has_no_value(text):
    assert named(text) == [("ε", None)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("in 1940", "label"),
        ("Theorem 5", "label"),
        ("Table 2", "label"),
        ("section 3.4", "label"),
        ("3 records", "count"),
        ("three noisy answers", "count"),
        ("sqrt(b+1)", "formula"),
        ("it is only 0.01", ""),
    ],
)
def test_numbers_of_other_kinds_are_no_budget(text, name):
    assert [one.name for one in stated_numbers(text)] == [name]


@pytest.mark.parametrize("text", ["See https://a.org/0.01", "Released on 2026-11-24", "one person"])
def test_addresses_dates_and_articles_are_no_numbers(text):
    assert not stated_numbers(text)


def test_bounds_roundings_and_denials_are_told():
    def one(text):
        (found,) = stated_numbers(text)
        return found.bound, found.is_about, found.is_denied

    assert one("epsilon is at most 1") == ("≤", False, False)
    assert one("epsilon < 1") == ("<", False, False)
    assert one("epsilon is at least 1") == ("≥", False, False)
    assert one("epsilon ≈ 1") == ("", True, False)
    assert one("epsilon does not equal 1") == ("", False, True)


def test_no_digit_of_a_sentence_is_passed_over():
    """Every number token is in a stated number, or the exponent of a letter."""
    text = "For 3 of 7 records (p = 0.05, 1940), rho^2 = 2.63 and epsilon is 17.90; x = 4, also 5-6, 0.8/7 or ln(9)/2."
    written = plainly_written(text)
    found = tokens(written)
    covered = {i for one in stated_numbers(text) for i in range(one.number.first, one.number.last + 1)}
    digits = [i for i, token in enumerate(found) if token.kind is Kind.NUMBER and found[i - 1].text != "^"]
    assert set(digits) <= covered
