"""Every swap rate of a claim file with its budget decides, the weakest one the verdict."""

import json
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from claim_texts import SOUND, replaced
from hypothesis import given
from hypothesis import strategies as st
from quality.verdicts_of_texts import WORDS, answers, as_decimal, at_least_ln, record_of
from tiers import examples

from stirred.verify.cli.main import main
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.verdict import Verdict


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
                deranged = {0: [()], 1: [], 2: [(1, 0)], 3: [(1, 2, 0), (2, 0, 1)]}[len(places)]
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

    @examples(15, at_night=100)
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
