"""The phrases by which prose gives a letter its number, each with what is read and what is left."""

import pytest

from stirred.verify.laws.statement_text.items import items
from stirred.verify.laws.statement_text.quantities import CARRIED, LINKS, LOOSE, NOUNS


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
