import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.verify.reports.learned_page import Learned, Panel, learned_parts, learned_picture, outward

SQUARE = ((Fraction(0), Fraction(0)), (Fraction(1, 4), Fraction(3, 4)), (Fraction(1), Fraction(1)))


def value(text):
    head, _, tail = text.partition(" - ")
    return Fraction(head) - Fraction(tail) if tail else Fraction(head)


@given(*[st.fractions(0, 1, max_denominator=10**12)] * 2)
def test_an_interval_is_rounded_outward_and_by_little(first, second):
    low, high = sorted((first, second))
    shown = [value(end) for end in outward(low, high).split(" to ")]
    assert shown[0] <= low <= high <= shown[1]
    assert low - shown[0] <= max(Fraction(1, 10**6), 0)
    assert shown[1] - high <= Fraction(1, 10**6)


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (Fraction(0), Fraction(1), "0 to 1"),
        (Fraction(1, 8), Fraction(3, 4), "0.125 to 0.75"),
        (Fraction(1, 3 * 10**9), 1 - Fraction(1, 10**7), "3.33e-10 to 1 - 1.00e-7"),
        (Fraction(9999, 10**13), Fraction(99999, 10**10), "9.99e-10 to 1.00e-5"),
    ],
)
def test_what_is_near_an_end_is_shown_by_its_distance(low, high, shown):
    assert outward(low, high) == shown


def test_the_picture_has_a_region_for_each_panel_and_words_for_who_cannot_see_it():
    panel = Panel("tests <1>", "false positive rate", "true positive rate", SQUARE, SQUARE)
    picture = learned_picture([panel, panel], "learned")
    assert picture.startswith("<svg ")
    assert picture.count("<path") == 6
    assert "M36.0 336.0L111.0 111.0L336.0 36.0Z" in picture
    assert "tests &lt;1&gt;" in picture
    assert 'xmlns="http://www.w3.org/2000/svg"' in picture


def test_each_axis_has_its_words_and_its_ends():
    picture = learned_picture([Panel("tests", "false positive rate", "true positive rate", SQUARE, SQUARE)], "learned")
    texts = re.findall(r"<text ([^>]*)>([^<]*)</text>", picture)
    at = {words: dict(re.findall(r'([a-z-]+)="([^"]*)"', attributes)) for attributes, words in texts}
    assert at["false positive rate"]["x"] == "186"
    assert "transform" not in at["false positive rate"]
    assert at["true positive rate"]["transform"] == "rotate(-90 22 186)"
    assert [words for _, words in texts if len(words) == 1] == ["1", "0", "1"]


@pytest.mark.parametrize(("bound", "is_explained"), [("2.88e-6 to 1 - 5.47e-5", True), ("0.1 to 1", False)])
def test_numbers_with_an_exponent_are_explained_where_there_are_any(bound, is_explained):
    learned = Learned("epsilon = 1", (("a", "b", "0 to 1", bound, "not listed"),), (), ())
    page = "".join(learned_parts(learned, "learned-1"))
    assert ("2.88e-6 is 2.88 times 10 to the power of -6" in page) == is_explained


def test_the_parts_of_a_page_have_the_table_and_the_notes():
    learned = Learned("epsilon = 1", (("a.power.1", "power <b>", "0 to 1", "0 to 1", "not listed"),), ("a note",), ())
    page = "".join(learned_parts(learned, "learned-1"))
    assert "If epsilon = 1 is met" in page
    assert "power &lt;b&gt;" in page
    assert "a note" in page
    assert "<svg" not in page
