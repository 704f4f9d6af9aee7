"""Results in a notebook: tables with the verdict first, in its colour, and the five blocks."""

from fractions import Fraction
from types import SimpleNamespace

import pytest
import sympy as sp

import stirred
from stirred.mechanisms import identity
from stirred.spec import Enclosure, Flavor, Multiplicative, Multiverse, Specification, hamming_ordered
from stirred.verify.api.result import budget_row
from stirred.verify.ledger.run import run_claim

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


def answer(bit, source, *, flip):
    return 1 - bit if source.bernoulli(flip) else bit


BITS = {"data_sets": [0, 1], "distance": "absolute_difference"}


def parity(answers, source, *, flip):
    return sum(1 - bit if source.bernoulli(flip) else bit for bit in answers) % 2


class TestNumbers:
    def test_a_loss_by_the_parameter_is_factored_and_without_powers_to_spare(self):
        found = stirred.smallest_budget(
            answer, data_sets=[0, 1], distance=lambda x, y: 2 * abs(x - y), flip="symbol in [1/10, 1/2]"
        )
        twice = stirred.smallest_budget(
            lambda bit, source, *, flip: (answer(bit, source, flip=flip), answer(bit, source, flip=flip)),
            data_sets=[0, 1],
            distance=lambda x, y: 2 * abs(x - y),
            flip="symbol in [1/10, 1/2]",
        )
        assert str(found).startswith("ln((1 - flip)/flip)/2 for")
        assert str(twice).startswith("ln((1 - flip)/flip) for")
        assert r"\ln \frac{1 - \mathit{flip}}{\mathit{flip}}" in twice._repr_latex_()

    def test_a_long_number_is_short_with_the_exact_value_to_be_opened(self):
        found = stirred.audit(
            answer, **BITS, output="total-variation", epsilon="9/10", flip="1234567890123/9876543210123"
        )
        assert isinstance(found.smallest, Fraction)
        assert r"needed & $\approx$ 0.75" in found.to_latex()
        row = budget_row("needed", found.smallest)
        assert row.value == "≈ 0.750000"
        assert str(found.smallest) in row.exact

    def test_an_enclosure_says_that_it_is_one(self):
        ends = stirred.smallest_delta(answer, **BITS, epsilon="1", flip="1/10")
        assert "(enclosed)" in ends._repr_html_()
        assert str(ends.lower) in ends._repr_html_()
        assert r"\approx" in ends._repr_latex_()
        assert "enclosed" in ends._repr_latex_()
        exact = Enclosure(Fraction(1, 8), Fraction(1, 8))
        assert (exact._repr_html_(), exact._repr_latex_()) == ("0.125", "$0.125$")
        assert "enclosed" in budget_row("needed", ends).exact

    def test_conversions_are_rows_and_still_a_tuple(self):
        found = stirred.convert(rho="0.1", delta="1e-6")
        assert len(found) == len(tuple(found)) == 2
        page = found._repr_html_()
        assert page.count("<tr>") == page.count("enclosed: at least") == 2
        assert "≈ 2.45079" in page
        assert found.to_latex().count("\\\\\n") == 3


class TestTables:
    def test_a_result_is_a_table_for_a_paper(self):
        table = of_majority(epsilon="0.7").to_latex()
        assert r"verdict & FAIL (REFUTED) \\" in table
        assert r"needed & $\ln" in table
        assert r"hamming\_ordered" in table
        assert r"\toprule" in table

    def test_the_blocks_and_a_comparison_are_tables_for_a_paper(self):
        blocks = stirred.Blocks(**BITS, epsilon="ln 3")
        assert blocks.to_latex().count("\\\\\n") == 6
        found = stirred.compare(answer, honest=blocks, claimed={**BITS, "epsilon": 3}, flip="1/4")
        assert r"HHHH & $\ln 3" in found.to_latex()
        assert "<svg" in found.plot().svg

    def test_a_trade_off_curve_is_a_tuple_that_shows_itself(self):
        found = stirred.smallest_budget(answer, **BITS, output="tradeoff", flip="1/4")
        assert found == ((0, 0), (Fraction(1, 4), Fraction(3, 4)), (1, 1))
        alpha = sp.Symbol("alpha", nonnegative=True)
        assert found.to_sympy().subs(alpha, sp.Rational(1, 8)) == sp.Rational(3, 8)
        assert found.to_sympy().subs(alpha, sp.Rational(1, 2)) == sp.Rational(5, 6)
        assert "level 1/4" in found._repr_html_()
        assert "level 1/4 & power 3/4" in found.to_latex()
        assert "guessing" in found.plot().svg

    @pytest.mark.parametrize("epsilon", ["1/10", "1/2", "9/10"])
    def test_a_privacy_curve_has_its_pieces_and_its_expression(self, epsilon):
        blocks = {"data_sets": THREE, "distance": "hamming_ordered"}
        found = stirred.privacy_curve(parity, **blocks, flip="1/4")
        assert found._repr_html_().count("<tr>") == len(found.lines())
        assert r"$1 \le e^{3\varepsilon} \le \frac{9}{7}$ & $\frac{9 - 7 e^{3\varepsilon}}{16}$" in found.to_latex()
        number = sp.Rational(epsilon)
        value = found.to_sympy().subs(sp.Symbol("epsilon", positive=True), number)
        delta = stirred.smallest_delta(parity, **blocks, flip="1/4", epsilon=epsilon)
        ends = (delta, delta) if isinstance(delta, Fraction) else (delta.lower, delta.upper)
        assert abs(sp.N(value, 30) - sp.Rational(*ends[0].as_integer_ratio())) < sp.Rational(1, 10**20)
        assert "δ" in found.plot().svg

    def test_a_record_of_the_ledger_has_its_verdict_first(self):
        found = run_claim("derangements.ratio-bound")
        assert found._repr_html_().split("<tr>")[1].startswith('<th scope="row">verdict')
        assert found._repr_markdown_().splitlines()[2].startswith("| verdict")
        assert r"\toprule" in found.to_latex()

    def test_a_specification_of_spec_is_its_five_blocks(self):
        domain = stirred.FiniteDomain((0, 1, 2))
        flavor = Flavor(domain, Multiverse(({0, 1}, {1, 2})), hamming_ordered("person"), Multiplicative())
        one, two = (
            Specification.constant(flavor, stirred.Loss(9, 2)),
            Specification.by_universe(flavor, lambda universe: stirred.Loss(2 if 0 in universe else 3)),
        )
        assert one._repr_html_().count("<tr>") == one._repr_markdown_().count("\n") - 1 == 5
        assert "ln(3)" in one._repr_html_()
        assert "by universe: ln(2) ≈ 0.693147; ln(3)" in two._repr_html_()
        assert r"budget & by universe: ln(2) $\approx$ 0.693147" in two.to_latex()

    def test_what_has_no_closed_form_or_curve_is_refused(self):
        found = of_majority(epsilon="0.7")
        assert found.to_sympy() == found.smallest.to_sympy()
        with pytest.raises(stirred.InputError, match="only a function can be plotted"):
            found.plot()
        enclosed = stirred.audit(answer, **BITS, output="zcdp", rho=1, flip="1/4")
        with pytest.raises(stirred.InputError, match="has no closed form"):
            enclosed.to_sympy()
        opened = stirred.audit(answer, **BITS, epsilon=9, flip="symbol in [1/10, 1/2]")
        assert "<svg" in opened.plot().svg
