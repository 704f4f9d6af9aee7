"""Results in a notebook: tables with the verdict first, in its colour, and the five blocks."""

from types import SimpleNamespace

import pytest

import stirred
from stirred.mechanisms import identity
from stirred.spec import hamming_ordered

THREE = stirred.ordered_data_sets((0, 1), [3])


def majority(answers, source, *, flip):
    return 2 * sum(1 - answer if source.bernoulli(flip) else answer for answer in answers) > len(answers)


def of_majority(**claim):
    return stirred.audit(majority, **{"data_sets": THREE, "distance": "hamming_ordered", "flip": "1/4", **claim})


class TestNotebook:
    def test_a_terminal_shows_the_result_in_lines(self):
        shown = []
        found = of_majority(epsilon="0.8")
        found._repr_pretty_(SimpleNamespace(text=shown.append), False)
        assert shown == [str(found)]

    def test_a_result_is_a_table_of_blocks_and_reasons(self):
        found = of_majority(epsilon="0.7")
        page, text = found._repr_html_(), found._repr_markdown_()
        for block in ("domain", "multiverse", "input premetric", "output premetric", "budget", "verdict", "because"):
            assert f'<th scope="row">{block}' in page
            assert f"| {block}" in text
        assert "&gt; e^0.7" in page
        assert page.count("<tr>") == text.count("\n") - 1

    @pytest.mark.parametrize(
        ("epsilon", "verdict", "color"),
        [("0.7", "FAIL (REFUTED)", "#8f1010"), ("0.8", "PASS (EXHAUSTED)", "#0a5c2b"), ("0", "UNDECIDED", "#6b4200")],
    )
    def test_the_verdict_comes_first_in_its_colour(self, epsilon, verdict, color):
        data_sets = [(0, 0, 0)] if epsilon == "0" else THREE  # with one data set nothing is asked
        found = of_majority(epsilon=epsilon, data_sets=data_sets)
        page, text = found._repr_html_(), found._repr_markdown_()
        first = page.split("<tr>")[1]
        assert first.startswith('<th scope="row">verdict')
        assert f"<strong>{verdict}" in first
        assert f"color:{color}" in first
        row = text.splitlines()[2]
        assert row.startswith("| verdict")
        assert f"**{verdict}" in row
        assert color in row
        assert page.count("<span") == text.count("<span") == 1

    def test_a_specification_is_its_five_blocks(self):
        blocks = stirred.Blocks(data_sets=THREE, distance=hamming_ordered("person"), invariants=[sum, "size"], delta=0)
        assert blocks.stated.texts == {
            "domain": "8 ordered data sets",
            "multiverse": "invariant: sum, size",
            "input_premetric": "hamming_ordered",
            "output_premetric": "approximate_multiplicative, delta = 0",
            "budget": "not stated",
        }
        assert blocks._repr_html_().count("<tr>") == blocks._repr_markdown_().count("\n") - 1 == 5

    def test_what_would_be_markup_is_escaped(self):
        found = stirred.audit(identity, data_sets=["<b>", "a|b"], distance=lambda x, y: int(x != y), epsilon=1)
        assert "<b>" not in found._repr_html_()
        assert "\\<b>" in found._repr_markdown_()
