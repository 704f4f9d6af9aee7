import time

import pytest

from stirred.verify.audit.records.registry_words import nearly_equal_numbers
from stirred.verify.laws.statement_text.items import items
from stirred.verify.laws.statement_text.phrases import is_denied
from stirred.verify.laws.statement_text.tokens import other_reading, tokens


def read(text):
    return [
        (
            item.label,
            [(a.letter, a.number.text) for a in item.assignments()],
            [(e.expression, e.printed.text) for e in item.equations()],
        )
        for item in items(text)
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"\\(\rho\\) = 2.56 and \\(\epsilon\\)=17.14", [("ρ", "2.56"), ("ε", "17.14")]),
        (r"\(\varepsilon = 4\), $\delta = 10^{-10}$", [("ε", "4"), ("δ", "1e-10")]),
        ("epsilon = 0.5 and delta = 10^-6", [("ε", "0.5"), ("δ", "1e-6")]),
        ("rho = 1,234.5.", [("ρ", "1,234.5")]),
        ("ε of 0.5", []),
        ("ε = 0.11 * 2", []),
        ("ε = 4x", []),
        ("ε = n/2", []),
        ("ε = 1-8", []),
        ("ε = 1 to 8", []),
        ("ε = 5%", []),
        ("ε = 8 - 2", []),
        ("ε = 2 million", []),
        ("ε = 1" + "0" * 5000, []),
    ],
)
def test_assignments_have_the_form_of_an_equation(text, found):
    assert [assignment for _, assignments, _ in read(text) for assignment in assignments] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("so 0.11 * 2 + 0.22 = 0.44.", [("0.11 * 2 + 0.22", "0.44")]),
        ("4 × 0.44 = 1.76", [("4 * 0.44", "1.76")]),
        ("1,000 + 1 = 1,001", [("1000 + 1", "1,001")]),
        ("from 2020-01-01 to 5 = 5", []),
        ("0.44 = 0.44", []),
        ("x4 * 2 = 8", []),
        ("a + 2 + 3 = 6", []),
        ("5 - 2 + 3 = 6", []),
        ("(1 + 2) * 3 + 1 = 10", []),
        ("2 * 3 = 6 million", []),
        ("4 * 0.44 = 176%", []),
        ("2 * 3 = 8 - 2", []),
        ("x = 2 * 3 = 6", [("2 * 3", "6")]),
        ("1 + " * 60 + "1 = 61", []),
    ],
)
def test_equations_are_sums_and_products_of_numbers(text, found):
    assert [equation for _, _, equations in read(text) for equation in equations] == found


def test_items_follow_the_bullets_with_their_depth_and_label():
    text = "Intro: x\n- First: ε = 1\n  and more\n    - Second: ε = 2\n\nlast"
    assert [(item.label, item.depth) for item in items(text)] == [
        ("Intro", 0),
        ("First", 0),
        ("Second", 4),
        ("", 0),
    ]
    assert [item.text for item in items(text)][1] == "First: ε = 1 and more"


@pytest.mark.parametrize(
    "text",
    [
        "Das Budget ist ε = 0,5.",
        "ε = 1 000 total",
        "ε = 1\u00a0000",
        "ε = 2 ln 3",
        "ε = 2 √2",
        "ε = 2(n+1)",
        "ε = 1, 2 or 4",
        "ε = 1; 2; 4",
        "ε = 1 and 2 for A and B",
        "ε = 2 plus 3",
        "ε = 2 ± 1",
        "ε = 2 k",
        "ε = 3 times 2",
        "e^ε = 3",
        "2ε = 4",
        "2 ε = 4",
        "log ε = 3",
        "half of ε = 3",
        "1 - ε = 0.5",
    ],
)
def test_an_assignment_that_goes_on_or_begins_before_its_letter_is_listed_as_not_read(text):
    (item,) = items(text)
    assert item.assignments() == ()
    assert len(item.unread()) == 1


@pytest.mark.parametrize(
    "text",
    [
        "9 / 5 = 1,8",
        "10/4 = 2,5",
        "500 + 600 = 1 000",
        "500 + 600 = 1\u202f000",
        "100 000 + 1 = 100 001",
        "√2 * 2 = 2.83",
        "log 2 + 3 = 3.3",
        "20% of 5 + 1 = 2",
        "half of 4 + 2 = 4",
        "twice 2 + 3 = 10",
        "the sum of 5 and 2 + 3 = 10",
        "4 * 7 = 1 month",
        "12/31/2020 = 1",
        "2020-2021 + 1 = 3",
        "Fig. 2 * 3 = 7",
        "1 : 2 * 3 = 7",
        "e^2 * 3 = 22.17",
        "2 ** 3 + 1 = 9",
        "−1 + 3 = 2",
        "1 + 2 = 3 + 4 = 7",
        "1 + 2.5 = 3 and a half",
        "1 + 1 = 3!",
        "3 + 2 = 5.0 ± 0.1",
        "It is wrong: 1 + 1 = 3",
    ],
)
def test_a_sum_whose_ends_the_words_do_not_show_is_listed_as_not_read(text):
    (item,) = items(text)
    assert item.equations() == ()
    assert len(item.unread()) == 1


@pytest.mark.parametrize(
    "text",
    [
        "2 * 3 = 6",
        "(2 * 3 = 6)",
        "Per table: 2 * 3 = 6 per year",
        "so 2 * 3 = 6, which is all",
        "x; 2 * 3 = 6; 3 * 3 = 9",
        "1 + 1 = 2, 2 * 3 = 6 and 3 * 3 = 9",
        "ε = 2 * 3 = 6 (k = 3)",
        "i.e. 2 * 3 = 6 for each of them",
    ],
)
def test_a_sum_between_clear_ends_is_read(text):
    (item,) = items(text)
    assert ("2 * 3", "6") in [(equation.expression, equation.printed.text) for equation in item.equations()]
    assert item.unread() == ()


def test_one_number_for_a_letter_means_that_the_letter_stands_once():
    (one,) = items("ε = 2 with δ = 1e-6")
    assert one.single("ε").number.text == "2"
    for text in ("ε = 2 for persons plus ε = 3 for households", "ε = 2, where ε = ln 8", "δ = 1e-6"):
        (item,) = items(text)
        assert item.single("ε") is None


def test_powers_of_ten_are_read_in_every_form():
    for text in (r"1 × 10^{-10}", "10^-10", r"$10^{-10}$", "10⁻¹⁰", r"1 \times 10^{-10}"):
        assert [token.text for token in tokens(text)] == ["1e-10"]
    assert [token.text for token in tokens("100^-10")] == ["100", "^", "-", "10"]


def test_a_power_of_ten_that_lost_its_superscript_is_marked_since_it_may_be_a_range():
    assert [(token.text, token.is_lost_power) for token in tokens("10−7 and 10-20")] == [
        ("1e-7", True),
        ("and", False),
        ("1e-20", True),
    ]
    assert [(token.text, token.is_lost_power) for token in tokens("7 × 10−9")] == [("7e-9", False)]
    (item,) = items("δ = 10−7 and ε = 10−7")
    assert [(one.letter, one.number.text) for one in item.quantities if one.number] == [("δ", "1e-7")]


def test_a_number_has_another_reading_only_where_its_signs_can_be_exchanged():
    assert [other_reading(text).value for text in ("1.100", "1,100", "12")] == [1100, other_reading("1,100").value, 12]
    assert other_reading("1,100").text == "1.100"
    assert [other_reading(text) for text in ("0.125", "1.25", "1,234.5")] == [None] * 3


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("this is not X", True),
        ("unlike the X", True),
        ("it isn't X", True),
        ("it is false that X", True),
        ("not this but X", False),
        ("not this, X", False),
        ("nothing X", False),
    ],
)
def test_a_word_is_denied_by_its_own_clause_only(text, denied):
    found = tokens(text)
    assert is_denied(found, [token.text for token in found].index("x")) is denied


def pairs(*texts):
    prose = [(f"text {place}", item) for place, text in enumerate(texts) for item in items(text)]
    return [(first.text, second.text) for first, second in nearly_equal_numbers(prose)]


@pytest.mark.parametrize(
    "texts",
    [
        ("The number of functions (k = 65,546) and a grid with 65,536 rows",),
        ("k = 65546", "k = 65,536"),
        ("8,237,411 households were asked", "8,237,412 households answered"),
    ],
)
def test_large_numbers_of_one_thing_that_differ_in_one_digit_are_paired(texts):
    assert len(pairs(*texts)) == 1


@pytest.mark.parametrize(
    "texts",
    [
        ("over 17,000 victims and their accounts of over 37,000 perpetrators",),
        ("data on over 17,000 people", "data on over 37,000 people"),
        ("17,234 victims", "17,334 perpetrators"),
        ("1234 and 1235, 100,000 and 200,001",),
        ("https://a.org/12345-12346",),
        ("65,546 rows", "65546 rows"),
    ],
)
def test_numbers_of_different_things_and_rounded_numbers_are_no_misprints_of_each_other(texts):
    assert pairs(*texts) == []


def test_large_numbers_are_paired_in_linear_time():
    start = time.process_time()
    # quadratic time would be 10^8 comparisons
    assert pairs(" ".join(str(10_000 + 3 * step) for step in range(15_000))) != []
    assert time.process_time() - start < 5


@pytest.mark.parametrize("piece", ["1 ", "1*", "1,111", "1 + ", "ε = 1 ", "total ", "10⁻", "1/1 = 1 "])
def test_a_long_text_is_read_in_linear_time(piece):
    start = time.process_time()
    for item in items(piece * (100_000 // len(piece))):
        item.unread(), item.assignments(), item.equations()
    assert time.process_time() - start < 5
