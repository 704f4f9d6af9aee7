"""Rounding never meets a budget: a printed number is read as it is, and compared with what is exact."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from claim_texts import replaced
from hypothesis import assume, given
from hypothesis import strategies as st
from quality.verdicts_of_texts import ACCOUNT, RENYI, WORDS, answers, as_decimal, at_least_ln, record_of
from tiers import examples

from stirred.spec import (
    InputError,
)
from stirred.verify.evidence.verdict import Verdict


def formula_gamma(b: int, rate: Fraction) -> Fraction | None:
    """γ of (7) as the article prints it; None for ∞."""
    if b == 0:
        return Fraction(1)
    if rate in (0, 1):
        return None
    odds = rate / (1 - rate)
    return (b + 1) / odds if odds**2 <= b + 1 else odds


@st.composite
def printed_texts(draw: st.DrawFn, near: Decimal) -> str:
    """Texts at and around a number: rounded down, half up and up, with units and exponents, and coarse ones."""
    places = draw(st.integers(0, 12))
    rounding = draw(st.sampled_from(["ROUND_FLOOR", "ROUND_HALF_UP", "ROUND_CEILING"]))
    form = draw(st.sampled_from(["plain", "plain", "percent", "thousand", "exponent", "fraction", "coarse"]))
    if form == "coarse":
        return draw(st.sampled_from(["1e1", "1e2", "2e1", "5", "1", "10", "0", "1 thousand", "9e0", "3e-1"]))
    shift = {"percent": 2, "thousand": -3, "exponent": 4}.get(form, 0)
    number = near.scaleb(shift).quantize(Decimal(1).scaleb(-places), rounding=rounding)
    text = f"{number:f}"
    assume(any(digit in text for digit in "123456789"))
    ending = {"percent": "%", "thousand": " thousand", "exponent": "e-4"}.get(form, "")
    return f"{Fraction(number)}" if form == "fraction" else f"{text}{ending}"


def read(text: str) -> Fraction:
    """The number that a printed text denotes, apart from the reader of claim files."""
    for unit, factor in (("%", Fraction(1, 100)), (" thousand", Fraction(1000))):
        if text.endswith(unit):
            return Fraction(text.removesuffix(unit)) * factor
    return Fraction(text)


class TestRoundingMeetsNothing:
    """Class 2: a claimed budget is met iff the number covers the exact one."""

    @pytest.mark.parametrize(
        ("epsilon", "b", "rate"),
        [
            ('"5"', 10, "1/20"),  # ln(11·19) = 5.34…
            ('"1e1"', 100_000, "1/20"),  # ln(100001·19) = 14.45…
            ('"5.34"', 10, "1/20"),
            ('"5.3423"', 10, "1/20"),
            ("5", 10, "1/20"),
            ('"0"', 2, "1/2"),  # ln 3
            ("0", 2, "1/2"),
            ('"1"', 2, "1/2"),
            ('"1.0986"', 2, "1/2"),
            ('"110%"', 2, "1/3"),  # ln 6
            ('"12.48"', 264_331, "1/2"),
            ('"12"', 264_331, "1/2"),
            ('"0.01 thousand"', 264_331, "1/2"),
            ('"2.9"', 2, "0.95"),  # ln 19 = 2.944…
            ('"1098612288668/1000000000000"', 2, "1/2"),
        ],
    )
    @pytest.mark.parametrize("by", ["", '\nby = "psa.budget.theorem"'])
    def test_a_number_below_the_formula_is_not_met_and_says_by_how_much(
        self, epsilon: str, b: int, rate: str, by: str
    ) -> None:
        changes = [('"9"', f"{epsilon}{by}"), ("= 10", f"= {b}"), ('"1/20"', f'"{rate}"')]
        record = record_of(replaced(WORDS, *changes))
        assert answers(record, "budget") == [Verdict.OPEN]
        assert not record.verdict.is_settled_for
        (detail,) = (one.evidence.detail for one in record.answers if one.question == "budget")
        assert detail.startswith("not shown: claimed epsilon = ")
        gamma = formula_gamma(b, Fraction(rate))
        assert gamma is not None
        with localcontext() as context:
            context.prec = 40
            gap = as_decimal(gamma).ln() - as_decimal(read(epsilon.strip('"')))
        assert abs(Decimal(detail.split(", by ")[1]) - gap) <= abs(gap) * Decimal("1e-5")

    def test_a_gamma_below_the_formula_says_by_how_much(self) -> None:
        # ln(209) − ln(208) = 0.004796…
        record = record_of(replaced(WORDS, ('epsilon = "9"', "gamma = 208")))
        (detail,) = (one.evidence.detail for one in record.answers if one.question == "budget")
        assert detail.endswith("< (7), ln(209) ≈ 5.34233, at b = 10, p = 1/20, by 0.00479617")

    @pytest.mark.parametrize("text", ["0e2", "0 thousand", "0.00", "0.0%", "0e-1", "00", "0,000", "1,099", "_3_", "+9"])
    def test_a_number_that_says_nothing_is_refused(self, text: str) -> None:
        with pytest.raises(InputError, match=r"claim.toml: budget.epsilon must "):
            record_of(replaced(WORDS, ('"9"', f'"{text}"')))

    @examples(40, at_night=400)
    @given(st.data())
    def test_it_is_met_iff_the_number_covers_the_formula(self, data: st.DataObject) -> None:
        b = data.draw(st.sampled_from([0, 2, 3, 5, 10, 99, 1000, 264_331, 13_475_623]))
        rate = data.draw(st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100))
        gamma = formula_gamma(b, rate)
        assert gamma is not None
        with localcontext() as context:
            context.prec = 40
            text = data.draw(printed_texts(as_decimal(gamma).ln()))
        by = data.draw(st.sampled_from(["", '\nby = "psa.budget.theorem"']))
        changes = [('"9"', f'"{text}"{by}'), ("= 10", f"= {b}"), ('"1/20"', f'"{rate}"')]
        record = record_of(replaced(WORDS, *changes))
        met = at_least_ln(read(text), gamma)
        (budget,) = answers(record, "budget")
        assert budget is (Verdict.ENCLOSED if met else Verdict.OPEN)
        holds = met and Verdict.REFUTED not in answers(record, "numbers")
        assert record.verdict.is_settled_for is (holds and b > 0), "b = 0 is vacuous: no record can change"

    @examples(20, at_night=200)
    @given(
        st.sampled_from([0, 2, 10, 1000]),
        st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50),
        st.data(),
    )
    def test_a_gamma_is_met_iff_it_is_at_least_the_formulas(self, b: int, rate: Fraction, data: st.DataObject) -> None:
        exact = formula_gamma(b, rate)
        assert exact is not None
        gamma = exact + data.draw(st.sampled_from([Fraction(0), Fraction(1, 10**60), Fraction(-1, 10**60)]))
        assume(gamma >= 1)
        changes = [('epsilon = "9"', f'gamma = "{gamma}"'), ("= 10", f"= {b}"), ('"1/20"', f'"{rate}"')]
        assert answers(record_of(replaced(WORDS, *changes)), "budget") == [
            Verdict.PROVED if gamma >= exact else Verdict.OPEN
        ]

    @pytest.mark.parametrize("rate", ["1/20", "1/2", "0.99", "0", "1"])
    def test_the_formula_itself_is_a_budget_and_what_is_printed_for_it_a_number(self, rate: str) -> None:
        text = replaced(WORDS, ('epsilon = "9"', 'by = "psa.budget.theorem"'), ('"1/20"', f'"{rate}"'))
        record = record_of(text)
        assert (answers(record, "budget"), record.verdict) == ([Verdict.PROVED], Verdict.PROVED)
        gamma = formula_gamma(10, Fraction(rate))
        if gamma is None:
            printed, expected = "5.34", Verdict.REFUTED
        else:
            with localcontext() as context:
                context.prec = 40
                printed = str(as_decimal(gamma).ln().quantize(Decimal("0.01"), rounding="ROUND_HALF_UP"))
            expected = Verdict.ENCLOSED
        by = 'by = "psa.budget.theorem"'
        record = record_of(replaced(text, (by, f'{by}\nprinted = "{printed}"')))
        assert (answers(record, "numbers"), answers(record, "budget")) == ([expected], [Verdict.PROVED])
        assert record.verdict is expected
        wrong = record_of(replaced(text, (by, f'{by}\nprinted = "{printed}9"')))
        assert wrong.verdict is Verdict.REFUTED

    @pytest.mark.parametrize(
        ("printed", "met"),
        [
            ("3.02", True),
            ("3.0", False),
            ("3", False),
            ("3.01", False),
            ("3.015", False),
            ("3.0159", False),
            ("3.016", True),
            ("302%", None),
            ("0.003 thousand", False),
            ("377/125", True),
            ("3.01599999999999999999999999999999999999", False),
        ],
    )
    def test_a_total_is_met_iff_it_covers_the_sum(self, printed: str, *, met: bool | None) -> None:
        # 2.56 + 0.456 = 3.016; 302% rounds to a whole percent, and 3.016 is 301.6%
        text = replaced(ACCOUNT, ('total = "1"', f'total = "{printed}"'))
        record = record_of(text)
        expected = read(printed) >= Fraction("3.016")
        assert met in (None, expected)
        assert answers(record, "budget") == [Verdict.EXHAUSTED if expected else Verdict.OPEN]
        assert not record.verdict.is_settled_for or expected
        if not expected:
            (detail,) = (one.evidence.detail for one in record.answers if one.question == "budget")
            assert detail.startswith(f"not shown: claimed {printed} < the total of the account, 3.016, by ")
        only_printed = record_of(text.replace("total", "printed"))
        assert answers(only_printed, "budget") == []
        (as_printed,) = answers(only_printed, "numbers")
        assert only_printed.verdict is min(as_printed, Verdict.OPEN)  # the parts are stated alone
        # above the sum a bound holds, although it is not the sum as printed
        assert answers(record, "numbers") == ([] if expected and as_printed is Verdict.REFUTED else [as_printed])

    @examples(15, at_night=100)
    @given(st.data())
    def test_a_converted_epsilon_is_met_iff_it_covers_the_conversion(self, data: st.DataObject) -> None:
        delta = data.draw(st.sampled_from(["1e-10", "1e-6", "1/20"]))
        with localcontext() as context:
            context.prec = 90
            rho2 = Decimal("3.016")
            value = rho2 + 2 * (rho2 * -as_decimal(Fraction(delta)).ln()).sqrt()
            text = data.draw(printed_texts(value.quantize(Decimal("1e-30"))))
            met = as_decimal(read(text)) >= value
        rule = f'converted = {{ epsilon = "{text}", delta = "{delta}", rule = "printed" }}'
        record = record_of(replaced(ACCOUNT, ('total = "1"', rule)))
        assert answers(record, "budget") == [Verdict.ENCLOSED if met else Verdict.OPEN]
        assert not record.verdict.is_settled_for or met
        renyi = replaced(
            RENYI,
            (
                'rho_squared = "3.016"',
                f'rho_squared = "3.016"\nconverted = {{ epsilon = "{text}", delta = "{delta}" }}',
            ),
        )
        record = record_of(renyi)
        assert answers(record, "budget") == [Verdict.ENCLOSED, Verdict.ENCLOSED if met else Verdict.OPEN]
        assert not record.verdict.is_settled_for or met
