"""Cutting a printed text into sentences, and the words by which a quotation is known."""

import pytest

from stirred.verify.ledger.sentences import digest_of, sentences, words


def cut(text):
    return [(one.place, one.text) for one in sentences(text)]


def test_a_line_is_cut_at_each_end_of_a_sentence():
    assert cut("It holds (see below). Why? It is “sharp.” So is (1).") == [
        ("1.1", "It holds (see below)."),
        ("1.2", "Why?"),
        ("1.3", "It is “sharp.”"),
        ("1.4", "So is (1)."),
    ]


@pytest.mark.parametrize("text", ["See Bun et al. (2016), i.e. the U.S. Census.", "Let J. Doe answer 1.5 of e.g. Ten."])
def test_an_abbreviation_ends_no_sentence(text):
    assert cut(text) == [("1.1", text)]


def test_a_sentence_runs_over_its_display_and_a_page():
    assert cut("It satisfies\n\n(7) e = \\ln(b) - \\ln(o),\n\nwhere o is\n\nthe odds.\n\nNext.") == [
        ("1.1", "It satisfies (7) e = \\ln(b) - \\ln(o), where o is the odds."),
        ("9.1", "Next."),
    ]


def test_a_heading_and_the_rows_of_a_table_stand_alone():
    assert cut("2.1 Geography\nBlocks nest.\n| a | b |\n| 1 | 2 |\nand so on.") == [
        ("1.1", "2.1 Geography"),
        ("2.1", "Blocks nest."),
        ("3.1", "| a | b |"),
        ("4.1", "| 1 | 2 |"),
        ("5.1", "and so on."),
    ]


def test_formulas_give_no_words_and_numbers_do():
    assert words("the rate $p$ of D_r, \\mathcal{D} and epsilon is 0.95, or 95.2%") == (
        *("the", "rate", "of", "and", "is", "0.95", "or", "95.2"),
    )


def test_a_digest_knows_the_order_and_every_letter():
    assert len({digest_of(["a", "b"]), digest_of(["b", "a"]), digest_of(["a", "c"]), digest_of(["ab"])}) == 4
