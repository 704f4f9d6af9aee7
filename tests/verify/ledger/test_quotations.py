"""A quotation is found where it is printed, as far as it is printed, and nowhere else."""

from stirred.verify.ledger.quotations import PrintedText
from stirred.verify.ledger.sentences import sentences

PRINTED = sentences(
    "The swap rate of the table is fixed by the bureau in advance. Every data set in the universe has the same size.\n"
    "\n"
    "Hence the bound on the budget holds for all small swap rates,\n"
    "\n"
    "\\varepsilon_{D} \\leq \\ln(b + 1) .\n"
    "\n"
    "It is achieved by no other method that was published so far. Every data set in the world has another size.\n"
)
SIZES, BOUND, DISPLAY, ACHIEVED, OTHER = 1, 2, 2, 3, 4
WHOLE = [(0, len(PRINTED))]


def found(said, ranges=WHOLE):
    return PrintedText(PRINTED).find({"a.claim": (said, ranges)})


def test_the_text_is_cut_as_these_tests_say():
    assert [one.place for one in PRINTED] == ["1.1", "1.2", "3.1", "7.1", "7.2"]


def test_a_quotation_is_found_with_its_formulas_in_plain_text():
    one = found("Hence the bound on the budget holds for all small swap rates: eps_D <= ln(b + 1).")
    assert one.quoted == {BOUND: ("a.claim",)}
    assert one.places == {"a.claim": (BOUND,)}


def test_each_part_of_a_cut_quotation_is_found():
    one = found("Every data set in the universe has the same size. … It is achieved by no other method …")
    assert one.places == {"a.claim": (SIZES, ACHIEVED)}


def test_a_sentence_of_which_less_is_quoted_is_not_covered():
    one = found("It is achieved by no other …")
    assert (one.places, one.quoted) == ({"a.claim": (ACHIEVED,)}, {})


def test_what_is_not_printed_is_missing():
    one = found("A wholly different statement about the largest strata of households.")
    assert (one.places, one.missing, one.quoted) == ({}, ("a.claim",), {})


def test_of_two_places_with_like_words_the_one_in_the_range_is_found():
    said = "Every data set in the universe has the same size."
    assert found(said).places == {"a.claim": (SIZES,)}
    assert found(said, [(3, 5)]).places == {"a.claim": (OTHER,)}


def test_a_stretch_that_is_left_out_leaves_a_sentence_open():
    printed = sentences(
        "The budget of the swapping algorithm is sharp for all rates, as was shown elsewhere by others long ago."
    )
    said = "The budget of the swapping algorithm is sharp for all rates"
    assert PrintedText(printed).find({"a.claim": (said, [(0, 1)])}).quoted == {}
    assert PrintedText(printed).find({"a.claim": (f"{said}, as was shown …", [(0, 1)])}).quoted == {0: ("a.claim",)}
