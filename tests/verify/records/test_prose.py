import pytest

from verify.records.prose import items, nearly_equal_numbers


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


def test_large_numbers_that_differ_in_one_digit_are_paired():
    assert nearly_equal_numbers(["65,546 and 65,536", "65536 once more"]) == (
        ("65,536", "65,546"),
        ("65,546", "65536"),
    )
    assert nearly_equal_numbers(["1234 and 1235", "100,000 and 200,001", "https://a/12345-12346"]) == ()
