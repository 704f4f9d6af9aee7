"""No false verdict from a claim file alone: each class of file that was once believed, beside its instances."""

from __future__ import annotations

import json
import tempfile
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest
from claim_texts import SCHEMA, SOUND, audited, replaced
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from spec import (
    INFINITE,
    ZERO,
    ApproximateMultiplicative,
    FiniteDomain,
    Flavor,
    InputError,
    Law,
    Multiplicative,
    NormalizedRenyi,
    Specification,
    TotalVariation,
    Tradeoff,
    vacuous,
)
from spec.input_premetric import explicit
from spec.output_premetrics import DIAGONAL
from verify.audit.audit import AuditRecord
from verify.certificates.replay import replay
from verify.cli import main
from verify.engines.exhaustive import check_specification, universe_losses, violations
from verify.evidence.verdict import Verdict


def record_of(text: str) -> AuditRecord:
    with tempfile.TemporaryDirectory() as folder:
        return audited(Path(folder), text)


def answers(record: AuditRecord, question: str) -> list[Verdict]:
    return [one.evidence.verdict for one in record.answers if one.question == question]


def as_decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def at_least_ln(number: Fraction, gamma: Fraction, distance: int = 1) -> bool:
    """Whether number ≥ ln(gamma)/distance, by Python's decimals to 90 digits; ln 1 = 0 is the only rational value."""
    if gamma == 1 or number == 0:
        return number > 0 or gamma == 1
    with localcontext() as context:
        context.prec = 90
        difference = as_decimal(number) * distance - as_decimal(gamma).ln()
        assert abs(difference) > Decimal("1e-80")
        return difference > 0


class TestEverySwapRate:
    """Class 1: of several swap rates each decides."""

    RATES = ("1/20", "1/3", "1/2", "3/4", "9/10")
    # the smallest budget ln(γ)/d of the margins below at each rate, found by brute force in `smallest`
    MARGINS = "[{ rows = [2, 1], columns = [1, 2] }]"

    @staticmethod
    def smallest(rate: Fraction) -> tuple[Fraction, int]:
        """γ and d for records (0,0), (0,1), (1,1) and (0,1), (0,1), (1,0), whose shapes are the only two tables.

        Each record is selected with probability p, one selected record alone is no swap, and the selected ones are
        deranged in their swapping values, uniformly; a selection of exactly one starts again.
        """
        tables = []
        for records in (((0, 0), (0, 1), (1, 1)), ((0, 1), (0, 1), (1, 0))):
            law: dict[tuple[tuple[int, int], ...], Fraction] = {}
            for chosen in product((False, True), repeat=3):
                places = [place for place in range(3) if chosen[place]]
                weight = rate ** len(places) * (1 - rate) ** (3 - len(places))
                deranged = {
                    0: [()],
                    1: [],
                    2: [(1, 0)],
                    3: [(1, 2, 0), (2, 0, 1)],
                }[len(places)]
                for order in deranged:
                    swapped = list(records)
                    for place, other in zip(places, (places[i] for i in order), strict=True):
                        swapped[place] = (records[place][0], records[other][1])
                    key = tuple(sorted(swapped))
                    law[key] = law.get(key, Fraction(0)) + weight / len(deranged)
            total = sum(law.values())
            tables.append({key: value / total for key, value in law.items()})
        first, second = tables
        assert set(first) == set(second)
        return max(max(first[t] / second[t], second[t] / first[t]) for t in first), 2

    def text(self, rates: list[str], budget: str, invariants: str = '["swapping"]') -> str:
        return replaced(
            SOUND,
            ('swap_rate = "1/2"', f"swap_rate = {json.dumps(rates)}"),
            ("gamma = 4", budget),
            ('invariants = ["swapping"]', f"invariants = {invariants}"),
        )

    def test_the_second_rate_is_exhausted_and_refutes(self) -> None:
        record = record_of(self.text(["1/2", "1/20"], 'epsilon = ["1.5", "0"]'))
        assert answers(record, "budget") == [Verdict.EXHAUSTED, Verdict.REFUTED]
        # the smallest budget at each rate, and the theorem, which decides nothing here
        assert answers(record, "mechanism") == [Verdict.EXHAUSTED, Verdict.EXHAUSTED, Verdict.PROVED]
        assert record.verdict is Verdict.REFUTED
        assert record.witness is not None
        assert replay(record.witness).startswith("P_x(E) = ")

    @settings(deadline=None, max_examples=60)
    @given(
        st.lists(st.sampled_from(RATES), min_size=1, max_size=3, unique=True),
        st.lists(st.integers(-2, 2), min_size=3, max_size=3),
        st.booleans(),
    )
    def test_each_pair_of_rate_and_budget_decides(self, rates: list[str], offsets: list[int], by_laws: bool) -> None:
        epsilons, expected = [], []
        for rate, offset in zip(rates, offsets, strict=False):
            gamma, distance = self.smallest(Fraction(rate))
            with localcontext() as context:
                context.prec = 30
                exact = as_decimal(gamma).ln() / distance
            number = max(Fraction(0), Fraction(exact.quantize(Decimal("0.0001"))) + Fraction(offset, 10_000))
            epsilons.append(str(number))
            covers = at_least_ln(number, gamma, distance)
            expected.append(Verdict.EXHAUSTED if covers else Verdict.REFUTED)
        invariants = '["swapping", "size"]' if by_laws else '["swapping"]'
        record = record_of(self.text(rates, f"epsilon = {json.dumps(epsilons)}", invariants))
        assert answers(record, "budget") == expected
        assert record.verdict is min(expected)

    @pytest.mark.parametrize("rates", [["1/2", "1/20"], ["1/20", "1/2"], ["1/2", "3/4", "1/20"]])
    def test_one_gamma_holds_for_every_rate(self, rates: list[str]) -> None:
        for gamma in (Fraction(5, 4), Fraction(3, 2), Fraction(5), Fraction(19)):
            record = record_of(self.text(rates, f'gamma = "{gamma}"'))
            needed = [self.smallest(Fraction(rate)) for rate in rates]
            assert answers(record, "budget") == [
                Verdict.EXHAUSTED if gamma**distance >= one else Verdict.REFUTED for one, distance in needed
            ]
        infinite = record_of(self.text(rates, f"epsilon = {json.dumps(['infinite'] * len(rates))}"))
        assert infinite.verdict is Verdict.EXHAUSTED

    @pytest.mark.parametrize("position", range(3))
    def test_the_pair_that_fails_may_stand_anywhere(self, position: int) -> None:
        epsilons = ["9", "9", "9"]
        epsilons[position] = "0.0001"
        record = record_of(self.text(["1/20", "1/3", "1/2"], f"epsilon = {json.dumps(epsilons)}"))
        assert answers(record, "budget")[position] is Verdict.REFUTED
        assert record.verdict is Verdict.REFUTED

    def test_in_words_each_rate_has_its_own_budget_by_the_theorem(self) -> None:
        text = replaced(WORDS, ('"1/20"', '["1/20", "1/2"]'), ('epsilon = "9"', 'epsilon = ["9", "1"]'))
        assert answers(record_of(text), "budget") == [Verdict.ENCLOSED, Verdict.OPEN]
        swapped = replaced(WORDS, ('"1/20"', '["1/2", "1/20"]'), ('epsilon = "9"', 'epsilon = ["9", "1"]'))
        assert answers(record_of(swapped), "budget") == [Verdict.ENCLOSED, Verdict.OPEN]

    def test_two_files_are_compared_at_one_rate(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        several = self.text(["1/2", "1/20"], 'epsilon = ["1.5", "0"]', '["swapping", "size"]')
        for name in ("a", "b"):
            (tmp_path / f"{name}.toml").write_text(several.replace("swap.small", name), encoding="utf-8")
        assert main(["compare", str(tmp_path / "a.toml"), str(tmp_path / "b.toml")]) == 2
        assert "a: must be about one swap rate to be compared; got 2" in capsys.readouterr().err

    def test_every_budget_is_shown(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        (tmp_path / "a.toml").write_text(self.text(["1/2", "1/20"], 'epsilon = ["1.5", "0"]'), encoding="utf-8")
        assert main(["show", str(tmp_path / "a.toml")]) == 0
        assert "epsilon = 1.5 at swap_rate = 1/2; epsilon = 0 at swap_rate = 1/20" in capsys.readouterr().out


WORDS = replaced(
    SOUND,
    ("margins = [{ rows = [2, 1], columns = [1, 2] }]", 'description = "all data sets of households"'),
    ('swap_rate = "1/2"', 'swap_rate = "1/20"\nlargest_stratum = 10'),
    ("gamma = 4", 'epsilon = "9"'),
)


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
        assert detail.startswith("not shown: the claimed epsilon = ")
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
        assert detail.endswith("is below (7), ln(209) ≈ 5.34233, at b = 10, p = 1/20, by 0.00479617")

    @pytest.mark.parametrize("text", ["0e2", "0 thousand", "0.00", "0.0%", "0e-1", "00", "0,000", "1,099", "_3_", "+9"])
    def test_a_number_that_says_nothing_is_refused(self, text: str) -> None:
        with pytest.raises(InputError, match=r"claim.toml: budget.epsilon must "):
            record_of(replaced(WORDS, ('"9"', f'"{text}"')))

    @settings(deadline=None, max_examples=400)
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
        assert record.verdict.is_settled_for is (met and Verdict.REFUTED not in answers(record, "numbers"))

    @settings(deadline=None, max_examples=100)
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
            assert detail.startswith(f"not shown: the claimed {printed} is below the total of the account, 3.016, by ")
        only_printed = record_of(text.replace("total", "printed"))
        assert answers(only_printed, "budget") == []
        assert only_printed.verdict is answers(record, "numbers")[0]

    @settings(deadline=None, max_examples=60)
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


ACCOUNT = """\
id = "account"
statement = "The two together."
[account]
domain = "all files"
invariants = []
neighbors = "bounded"
unit = "person"
total = "1"
[[account.releases]]
name = "a"
rho_squared = "2.56"
[[account.releases]]
name = "b"
rho_squared = "0.456"
"""

RENYI = replaced(
    SCHEMA,
    ('["no", "yes"]', "[0, 1]"),
    ('name = "multiplicative"', 'name = "normalized_renyi"'),
    ("gamma = 2", 'rho_squared = "3.016"'),
    ('name = "identity"', 'name = "constant"'),
)

LISTED = """\
id = "listed"
statement = "A listed premetric."
[domain]
data_sets = [[0], [1]]
[multiverse]
universes = [[[0], [1]]]
[input_premetric]
name = "explicit"
resolution = "person"
distances = [[[0], [1], 1], [[1], [0], 1]]
[output_premetric]
name = "multiplicative"
[budget]
gamma = 3
[mechanism]
name = "randomized-response"
flip_probability = "1/4"
"""

NUMBER = '[[numbers]]\nwhat = "w"\nprinted = "2"\nformula = "b + 1"\nwhere = { b = 1 }\n'

SILENT = {
    # lists in which one entry silently won
    "pair twice": (
        LISTED,
        "[[0], [1], 1], ",
        "[[0], [1], 1], [[0], [1], 99], ",
        "distances[1]: the pair is listed twice",
    ),
    "pair twice, equal": (
        LISTED,
        "[[0], [1], 1], ",
        "[[0], [1], 1], [[0], [1], 1], ",
        "distances[1]: the pair is listed",
    ),
    "diagonal": (
        LISTED,
        "[[0], [1], 1], ",
        "[[0], [0], 5], ",
        "distances[0] must have the distance 0 from a data set to",
    ),
    "universe twice": (
        LISTED,
        "[[[0], [1]]]",
        "[[[0], [1]], [[1], [0]]]",
        "universes of a multiverse must be distinct",
    ),
    "data set twice": (LISTED, "[[[0], [1]]]", "[[[0], [1], [0]]]", "universes[0]: the data set (0,) is listed twice"),
    "domain twice": (LISTED, "data_sets = [[0], [1]]", "data_sets = [[0], [1], [0]]", "(0,) is listed twice"),
    "records twice": (SCHEMA, "records = 2", "records = [2, 2]", "must be distinct numbers of records"),
    "values twice": (SCHEMA, '["no", "yes"]', '["no", "no"]', "variable 'vote' must have distinct values"),
    "invariant twice": (
        SCHEMA,
        "invariants = []",
        'invariants = ["size", "size"]',
        "invariants[1] must not name anything",
    ),
    "variable twice": (
        SCHEMA,
        "invariants = []",
        'invariants = [["vote", "vote"]]',
        "invariants[0] must not name anything",
    ),
    "rate twice": (SOUND, '"1/2"', '["1/2", "0.5"]', "swap_rate must be distinct rates; got 1/2, 1/2"),
    "no claim": ("claim = []\n", "claim = []", "claim = [ ]", "claim must have at least one claim; got none"),
    # true taken for 1
    "true among data sets": (
        LISTED,
        "data_sets = [[0], [1]]",
        "data_sets = [[0], [true]]",
        'got true: write 1 or "true"',
    ),
    "true in a universe": (LISTED, "[[[0], [1]]]", "[[[false], [true]]]", 'got false: write 0 or "false"'),
    "true in a pair": (LISTED, "[[0], [1], 1], ", "[[0], [true], 1], ", "distances[0][1][0] must be a text"),
    "true as a distance": (LISTED, "[[0], [1], 1], ", "[[0], [1], true], ", "distances[0][2] must be a text"),
    "true as a value": (SCHEMA, '["no", "yes"]', "[0, true]", "schema.vote[1] must be a text, an integer"),
    "true as gamma": (SCHEMA, "gamma = 2", "gamma = true", "budget.gamma must be a text, an integer"),
    "true as epsilon": (SCHEMA, "gamma = 2", "epsilon = [true]", "budget.epsilon[0] must be a text, an integer"),
    "true as a number of records": (SCHEMA, "records = 2", "records = true", "records must be a text, an integer"),
    "true as a margin": (SOUND, "rows = [2, 1]", "rows = [2, true]", "rows[1] must be a text, an integer"),
    "true as a rate": (SOUND, '"1/2"', "true", "swap_rate must be a text, an integer"),
    "true as an input": (SCHEMA + NUMBER, "{ b = 1 }", "{ b = true }", "where.b must be a text, an integer"),
    "true as a power": (
        replaced(
            SCHEMA,
            ("records = 2", "records = 1"),
            ('"multiplicative"', '"tradeoff"'),
            ("gamma = 2", "curve = [[0, 1], [1, 1]]"),
        ),
        "[1, 1]]",
        "[1, true]]",
        "curve[1][1] must be a text, an integer",
    ),
    # numbers in another notation
    "comma in a gamma": (SCHEMA, "gamma = 2", 'gamma = "1,099"', "got '1,099': write '1099' or '1.099'"),
    "comma in an epsilon": (SCHEMA, "gamma = 2", 'epsilon = "1,099"', "got '1,099': write '1099' or '1.099'"),
    "thousands": (WORDS, "= 10", '= "264,331"', "got '264,331': write '264331' or '264.331'"),
    "underscores": (SCHEMA, "gamma = 2", 'gamma = "_3_"', "got '_3_': write '3'"),
    "underscores in an epsilon": (SCHEMA, "gamma = 2", 'epsilon = "1_0"', "got '1_0': write '10'"),
    "full width": (SCHEMA, "gamma = 2", 'gamma = "３"', "must be an exact number in ASCII"),
    "other digits": (SCHEMA, "gamma = 2", 'epsilon = "٣.٥"', "must be an exact number in ASCII"),
    "plus": (SCHEMA, "gamma = 2", 'gamma = "+3"', "got '+3': write '3'"),
    "spaces": (SCHEMA, "gamma = 2", 'gamma = "1 000"', "got '1 000': write '1000'"),
    "space outside": (SCHEMA, "gamma = 2", 'epsilon = " 3"', "got ' 3': write '3'"),
    "narrow space": (SCHEMA, "gamma = 2", 'epsilon = "3\u202f000"', "must be an exact number in ASCII"),
    "leading zero": (SCHEMA, "gamma = 2", 'gamma = "007"', "write digits without leading zeros"),
    "no whole part": (SCHEMA, "gamma = 2", 'epsilon = ".5"', "write digits without leading zeros"),
    "no decimals": (SCHEMA, "gamma = 2", 'epsilon = "5."', "write digits without leading zeros"),
    "two points": (SCHEMA, "gamma = 2", 'epsilon = "1.000.000"', "write digits without leading zeros"),
    "comma in a distance": (LISTED, "[[0], [1], 1], ", "[[0], [1], '1,5'], ", "got '1,5': write '15' or '1.5'"),
    "comma in a parameter": (
        SCHEMA,
        'name = "identity"',
        'function = "json:dumps"\nparameters = { lie = "1,5" }',
        "parameters.lie must be an exact number such as '1/20' or '0.05'; got '1,5': write '15' or '1.5'",
    ),
    "comma in a formula's input": (SCHEMA + NUMBER, "{ b = 1 }", '{ b = "1,000" }', "write '1000' or '1.000'"),
    "comma in a total": (ACCOUNT, 'total = "1"', 'total = "3,016"', "write '3016' or '3.016'"),
    "comma in a part": (ACCOUNT, '"2.56"', '"2,56"', "write '256' or '2.56'"),
    "zero total": (ACCOUNT, 'total = "1"', 'total = "0.00"', "must have a digit other than 0, or be the exact"),
    "rounded away": (RENYI, '"3.016"', '"0.0"', "rho_squared must have a digit other than 0"),
    # negative and excessive numbers
    "negative rho": (RENYI, '"3.016"', '"-1"', "rho_squared must be non-negative; got -1"),
    "negative epsilon": (SCHEMA, "gamma = 2", 'epsilon = "-0.5"', "epsilon must be non-negative; got -1/2"),
    "delta of one": (
        SCHEMA,
        'name = "multiplicative"',
        'name = "approximate_multiplicative"\ndelta = 1',
        "delta must be at least 0 and below 1",
    ),
    "converted delta of one": (
        RENYI,
        '"3.016"',
        '"3.016"\nconverted = { epsilon = "3", delta = 1 }',
        "delta must be between 0 and 1, exclusive; got 1",
    ),
    # keys that would not be used
    "roles without a schema": (
        SOUND,
        'swap_rate = "1/2"',
        'swap_rate = "1/2"\nholding = ["a"]',
        "holding belongs to a domain",
    ),
    "roles in words": (
        WORDS,
        "swap_rate",
        'matching = ["State"]\nswap_rate',
        "matching belongs to a domain with a schema",
    ),
    "distances by name": (
        WORDS,
        'name = "hamming_unordered"',
        'name = "hamming_unordered"\ndistances = []',
        "distances belongs to the input premetric 'explicit'",
    ),
    "resolution": (
        SOUND,
        'swap_rate = "1/2"',
        'swap_rate = "1/2"\nresolution = "person"',
        "resolution must be the input premetric's on a finite domain, 'household'; got 'person'",
    ),
    "unused input": (SCHEMA + NUMBER, "{ b = 1 }", "{ b = 1, p = 2 }", "must name only what the formula uses; got 'p'"),
    "printed beside gamma": (
        SCHEMA,
        "gamma = 2",
        'gamma = 2\nprinted = "0.69"',
        "printed belongs to by without epsilon",
    ),
    "printed beside epsilon": (
        WORDS,
        'epsilon = "9"',
        'epsilon = "9"\nby = "psa.budget.theorem"\nprinted = "5.34"',
        "printed belongs to by without epsilon",
    ),
    "printed beside total": (
        ACCOUNT,
        'total = "1"',
        'total = "4"\nprinted = "4"',
        "printed must not stand beside total",
    ),
    "two converted": (
        RENYI,
        '"3.016"',
        '"3.016"\nconverted = { epsilon = "3", printed = "3", delta = "1e-9" }',
        "or printed must be given, one of them; got epsilon and printed",
    ),
    "by beside infinite": (
        WORDS,
        'epsilon = "9"',
        'epsilon = "infinite"\nby = "psa.budget.theorem"',
        "by must not stand beside 'infinite'",
    ),
    "fewer printed than rates": (
        WORDS,
        'epsilon = "9"',
        'by = "psa.budget.theorem"\nprinted = ["1", "2"]',
        "printed must have one number for each swap rate, 1; got 2",
    ),
    "stratum of a schema": (
        replaced(
            SCHEMA,
            ('["no", "yes"] }', '["no", "yes"], a = [1, 2] }'),
            (
                'name = "identity"',
                'name = "permutation-swapping"\nswap_rate = "1/2"\nholding = ["vote"]\nswapping = ["a"]',
            ),
        ),
        'swap_rate = "1/2"',
        'swap_rate = "1/2"\nlargest_stratum = 2',
        "largest_stratum belongs to a domain in words, to margins, or to a budget with by",
    ),
    "distance without a curve": (
        replaced(LISTED, ('"multiplicative"', '"tradeoff"'), ("gamma = 3", "curve = [[0, 1], [1, 1]]")),
        "[[0], [1], 1], ",
        "[[0], [1], 2], ",
        "input_premetric must have the distances 0, 1 and infinity only for the output premetric 'tradeoff'; got 2",
    ),
}


class TestNothingIsReadSilently:
    """Class 3: what could be read in two ways, or would not be read, is refused at its key."""

    @pytest.mark.parametrize("name", SILENT)
    def test_it_is_refused_in_one_line(self, name: str) -> None:
        sound, old, new, expected = SILENT[name]
        if name != "no claim":
            record_of(sound)
        with pytest.raises(InputError) as caught:
            record_of(replaced(sound, (old, new)))
        assert expected in str(caught.value)
        assert "claim.toml: " in str(caught.value)
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize("value", [0, '"0"', '"0.0"'])
    def test_a_data_set_may_be_listed_at_the_distance_zero_from_itself(self, value: object) -> None:
        text = replaced(LISTED, ("[[0], [1], 1], ", f"[[0], [0], {value}], [[0], [1], 1], "))
        assert record_of(text).verdict is Verdict.EXHAUSTED

    def test_the_order_of_listed_distances_is_of_no_consequence(self) -> None:
        pairs = ["[[0], [1], 1]", '[[1], [0], "1/2"]', "[[1], [1], 0]"]
        verdicts = set()
        for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
            listed = ", ".join(pairs[i] for i in order)
            text = replaced(LISTED, ("[[[0], [1], 1], [[1], [0], 1]]", f"[{listed}]"), ("gamma = 3", "gamma = 9"))
            assert record_of(text).verdict is Verdict.EXHAUSTED
            verdicts.add(record_of(replaced(text, ("gamma = 9", "gamma = 8"))).verdict)
        assert verdicts == {Verdict.REFUTED}

    @pytest.mark.parametrize(
        ("images", "expected"),
        [
            ("[[0, 0], [0, 1], [1, 1]]", "images[1]: 0 is listed twice"),
            ("[[0, 0.0], [1, 1]]", "images[0][1] must be an exact number; got the float 0.0"),
            ("[[false, 0], [1, 1]]", "images[0][0] must be a text, an integer"),
            ("[[0, 0], [1, 1], [7, 1]]", "--recording must map data sets of a only; 7 is not one"),
            ("[[0, 0]]", "a recording map must be total; 1 has no image"),
        ],
    )
    def test_a_recording_map_is_read_like_a_claim(
        self, images: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        text = replaced(
            LISTED,
            ("[[0], [1]]", "[0, 1]"),
            ("universes = [[0, 1]]", "invariants = []"),
            ('name = "explicit"', 'name = "absolute_difference"'),
            ("distances = [[[0], [1], 1], [[1], [0], 1]]\n", ""),
            (
                'name = "randomized-response"\nflip_probability = "1/4"',
                'name = "truncated-geometric"\nsize = 2\nratio = "1/3"',
            ),
        )
        for name in ("a", "b"):
            (tmp_path / f"{name}.toml").write_text(text.replace('"listed"', f'"{name}"'), encoding="utf-8")
        (tmp_path / "map.toml").write_text(f"images = {images}\n", encoding="utf-8")
        files = [str(tmp_path / f"{name}.toml") for name in ("a", "b")]
        assert main(["compare", *files, "--recording", str(tmp_path / "map.toml")]) == 2
        assert expected in capsys.readouterr().err

    def test_a_boolean_may_be_a_parameter_of_a_mechanism(self, tmp_path: Path) -> None:
        (tmp_path / "own_flag.py").write_text("def release(data, source, *, flag):\n    return type(flag).__name__\n")
        text = replaced(SCHEMA, ('name = "identity"', 'function = "own_flag:release"\nparameters = { flag = true }'))
        assert audited(tmp_path, text).verdict is Verdict.EXHAUSTED


THIRD = Fraction(1, 3)
PAIRS = {
    "equal": (Law({0: THIRD, 1: 1 - THIRD}), Law({0: THIRD, 1: 1 - THIRD})),
    "different": (Law({0: THIRD, 1: 1 - THIRD}), Law({0: 1 - THIRD, 1: THIRD})),
    "disjoint": (Law({0: Fraction(1)}), Law({1: Fraction(1)})),
}
MEASURES = {
    "multiplicative": (Multiplicative(), ZERO, INFINITE),
    "approximate_multiplicative": (ApproximateMultiplicative(Fraction(1, 100)), ZERO, INFINITE),
    "total_variation": (TotalVariation(), Fraction(0), None),
    "normalized_renyi": (NormalizedRenyi(), Fraction(0), None),
    "tradeoff": (Tradeoff(), DIAGONAL, None),
}
FILES = {
    "multiplicative": ("", {"zero": "epsilon = 0", "finite": "epsilon = 9000", "infinite": 'epsilon = "infinite"'}),
    "approximate_multiplicative": (
        '\ndelta = "1/100"',
        {"zero": "epsilon = 0", "finite": "epsilon = 9000", "infinite": 'epsilon = "infinite"'},
    ),
    "total_variation": ("", {"zero": "epsilon = 0", "finite": "epsilon = 9000", "infinite": 'epsilon = "infinite"'}),
    "normalized_renyi": ("", {"zero": "rho_squared = 0", "finite": "rho_squared = 9000"}),
    "tradeoff": ("", {"zero": "curve = [[0, 0], [1, 1]]", "finite": "curve = [[0, 1], [1, 1]]"}),
}
MECHANISMS = {
    "equal": 'name = "constant"',
    "different": 'name = "truncated-geometric"\nsize = 2\nratio = "1/2"',
    "disjoint": 'name = "identity"',
}


def holds(name: str, pair: str, distance: int | None, budget: str) -> bool:
    """Whether D(P, Q) ≤ ε·d, with 0·∞ = ∞ on the right-hand side; "finite" is more than any finite distance."""
    if distance is None or budget == "infinite" or pair == "equal":
        return True
    if distance == 0 or budget == "zero":
        return False
    # only these are infinite between laws of disjoint supports
    return pair == "different" or name in ("total_variation", "tradeoff")


class TestEnds:
    """Class 4: the distances 0 and ∞, and the budgets 0 and ∞, for every output premetric."""

    @pytest.mark.parametrize("pair", PAIRS)
    @pytest.mark.parametrize("distance", [0, 1, None])
    @pytest.mark.parametrize("budget", ["zero", "infinite"])
    @pytest.mark.parametrize("name", MEASURES)
    def test_a_specification_is_decided(self, name: str, budget: str, distance: int | None, pair: str) -> None:
        measure, zero, infinite = MEASURES[name]
        laws = dict(enumerate(PAIRS[pair]))
        domain = FiniteDomain((0, 1))
        flavor = Flavor(domain, vacuous(domain), explicit({(0, 1): distance, (1, 0): distance}, "r"), measure)
        found = check_specification(
            laws, Specification.constant(flavor, {"zero": zero, "infinite": infinite}[budget]), "one pair"
        )
        assert found.verdict.is_settled_for is holds(name, pair, distance, budget)
        if not found.verdict.is_settled_for:
            assert found.verdict is Verdict.REFUTED
            assert found.witness is not None
            replay(json.loads(json.dumps(found.witness)))

    @pytest.mark.parametrize("name", [name for name in MEASURES if name != "normalized_renyi"])
    @pytest.mark.parametrize(("pair", "distance"), list(product(PAIRS, [0, 1, None])))
    def test_the_smallest_budget_is_met_by_the_mechanism(self, name: str, pair: str, distance: int | None) -> None:
        measure, zero, infinite = MEASURES[name]
        laws = dict(enumerate(PAIRS[pair]))
        domain = FiniteDomain((0, 1))
        flavor = Flavor(domain, vacuous(domain), explicit({(0, 1): distance}, "r"), measure)
        (loss,) = universe_losses(laws, flavor)
        if distance is None or pair == "equal":
            assert loss.budget == zero
        elif distance == 0:
            assert loss.budget == infinite
        else:
            assert loss.budget == measure.distance(*PAIRS[pair])
        assert not list(violations(laws, Specification.constant(flavor, loss.budget)))

    @pytest.mark.parametrize("pair", MECHANISMS)
    @pytest.mark.parametrize("distances", [(0, 0), (1, 1), (None, None), (0, None), (None, 0), (1, 0)])
    @pytest.mark.parametrize(("name", "budget"), [(name, budget) for name in FILES for budget in FILES[name][1]])
    def test_a_claim_file_is_decided(
        self, name: str, budget: str, distances: tuple[int | None, int | None], pair: str
    ) -> None:
        listed = [f"[{x}, {y}, {d}]" for (x, y), d in zip(((0, 1), (1, 0)), distances, strict=True) if d is not None]
        text = replaced(
            LISTED,
            ("universes = [[[0], [1]]]", "invariants = []"),
            ("data_sets = [[0], [1]]", "data_sets = [0, 1]"),
            ("[[[0], [1], 1], [[1], [0], 1]]", f"[{', '.join(listed)}]"),
            ('name = "multiplicative"', f'name = "{name}"{FILES[name][0]}'),
            ("gamma = 3", FILES[name][1][budget]),
            ('name = "randomized-response"\nflip_probability = "1/4"', MECHANISMS[pair]),
        )
        record = record_of(text)
        expected = all(holds(name, pair, d, budget) for d in distances)
        (verdict,) = answers(record, "budget")
        assert verdict.is_settled_for is expected
        if not expected:
            assert verdict is record.verdict is Verdict.REFUTED
            assert record.witness is not None


QUARTERS = [Fraction(n, 4) for n in range(5)]
CURVES = [
    ((Fraction(0), low), *((level, power) for level, power in middle), (Fraction(1), Fraction(1)))
    for low in QUARTERS
    for middle in (
        [()]
        + [((a, f),) for a in QUARTERS[1:4] for f in QUARTERS]
        + [((Fraction(1, 4), f), (Fraction(1, 2), g)) for f, g in product(QUARTERS, repeat=2)]
    )
]


def is_concave(curve: tuple[tuple[Fraction, Fraction], ...]) -> bool:
    slopes = [(g - f) / (b - a) for (a, f), (b, g) in pairwise(curve)]
    return all(slope >= 0 for slope in slopes) and slopes == sorted(slopes, reverse=True)


def value_at(curve: tuple[tuple[Fraction, Fraction], ...], level: Fraction) -> Fraction:
    """The height of a concave curve: the smallest of its chords' lines at the level."""
    lines = [f + (g - f) / (b - a) * (level - a) for (a, f), (b, g) in pairwise(curve)]
    return min(lines)


class TestCrossingCurves:
    """f-DP curves that cross are above each other, so each is passed: decided by the events alone."""

    LAWS = tuple(
        Law({t: Fraction(w, 4) for t, w in enumerate(weights) if w})
        for weights in product(range(5), repeat=3)
        if sum(weights) == 4
    )
    DOMAIN = FiniteDomain((0, 1))

    def passed(self, p: Law[int], q: Law[int], curve: tuple[tuple[Fraction, Fraction], ...]) -> bool:
        """Whether some event E has Q(E) > f(P(E)); f is concave, so tests at random need no more."""
        events = [event for size in range(4) for event in combinations(range(3), size)]
        masses = [(sum(p.numeric(t) for t in e if t in p), sum(q.numeric(t) for t in e if t in q)) for e in events]
        return any(power > value_at(curve, Fraction(level)) for level, power in masses)

    @pytest.mark.parametrize("distances", [{(0, 1): 1}, {(1, 0): 1}, {(0, 1): 1, (1, 0): 1}])
    def test_a_pair_violates_a_curve_iff_an_event_passes_it(self, distances: dict[tuple[int, int], int]) -> None:
        flavor = Flavor(self.DOMAIN, vacuous(self.DOMAIN), explicit(distances, "r"), Tradeoff())
        curves = list(dict.fromkeys(curve for curve in CURVES if is_concave(curve)))
        crossing = outcomes = 0
        for number, (p, q) in enumerate(product(self.LAWS, repeat=2)):
            for curve in curves[number % 13 :: 13]:
                laws = {0: p, 1: q}
                expected = {(x, y) for x, y in distances if self.passed(laws[x], laws[y], curve)}
                found = list(violations(laws, Specification.constant(flavor, curve)))
                assert {(one.first, one.second) for one in found} == expected
                outcomes += bool(expected)
                for x, y in distances:
                    value = Tradeoff().distance(laws[x], laws[y])
                    levels = {level for level, _ in (*value, *curve)}
                    signs = {value_at(value, level) > value_at(curve, level) for level in levels}
                    below = {value_at(value, level) < value_at(curve, level) for level in levels}
                    crossing += True in signs and True in below
        assert crossing > 100
        assert outcomes > 100

    def test_a_claimed_curve_that_crosses_the_mechanisms_is_refuted_with_a_witness(self) -> None:
        # the curve of truncated-geometric at ratio 1/2 is (0, 0) (1/3, 2/3) (1, 1)
        text = replaced(
            LISTED,
            ("universes = [[[0], [1]]]", "invariants = []"),
            ("data_sets = [[0], [1]]", "data_sets = [0, 1]"),
            ("[[[0], [1], 1], [[1], [0], 1]]", "[[0, 1, 1], [1, 0, 1]]"),
            ('name = "multiplicative"', 'name = "tradeoff"'),
            ('name = "randomized-response"\nflip_probability = "1/4"', MECHANISMS["different"]),
        )
        for curve, verdict in (
            ('[[0, 0], ["1/3", "2/3"], [1, 1]]', Verdict.EXHAUSTED),
            ('[[0, 0], ["1/6", "1/3"], ["1/3", "2/3"], [1, 1]]', Verdict.EXHAUSTED),
            (
                '[[0, 0], ["1/4", "3/5"], [1, 1]]',
                Verdict.REFUTED,
            ),  # above at 1/4, 3/5 against 1/2; below at 1/3, 29/45 against 2/3
            ('[[0, "1/2"], [1, 1]]', Verdict.EXHAUSTED),  # touches at 1/3
            ('[[0, "1/10"], ["1/2", "7/10"], [1, 1]]', Verdict.REFUTED),  # above at 0, below at 1/3
            ('[[0, 0], ["1/2", "9/10"], [1, 1]]', Verdict.REFUTED),  # above at 1/2, below at 1/3
        ):
            record = record_of(replaced(text, ("gamma = 3", f"curve = {curve}")))
            assert (answers(record, "budget"), curve) == ([verdict], curve)
            assert (record.witness is not None) is (verdict is Verdict.REFUTED)
