"""Loops without end of the user's own functions: summed, and compared with the probable runs of a second process."""

import string
from fractions import Fraction
from pathlib import Path

import pytest
from foreign_modules import laws, refusal

from stirred.spec import InputError
from stirred.verify.laws.local import LocalFunction

POINTS = (((0,),), ((1,),))
HALF = Fraction(1, 2)

PLAIN = """
from fractions import Fraction
HALF = Fraction(1, 2)
def waits(source):
    while source.bernoulli(HALF):
        pass
def f(data, source):
    waits(source)
    return source.bernoulli(Fraction(1, 4)) ^ (data[0][0] == "yes")
"""


def local_laws(function):
    return LocalFunction("mechanism", function).laws(POINTS, {}, is_ordered=True)


def test_a_loop_of_a_module_is_summed(tmp_path: Path) -> None:
    points = ((("no",),), (("yes",),))
    found = laws(tmp_path, PLAIN, points)
    three, one = Fraction(3, 4), Fraction(1, 4)
    assert [dict(found.laws[point]) for point in points] == [
        {"False": three, "True": one},
        {"True": three, "False": one},
    ]
    assert "loops without end summed in closed form" in found.assumed
    assert "2^-128" in found.assumed


def test_a_private_selection_that_stops_at_random_is_summed() -> None:
    quarter = Fraction(1, 4)

    def selection(data, source):
        best = 0
        while True:
            best = max(best, data[0][0] ^ source.bernoulli(quarter))
            if source.bernoulli(HALF):
                return best

    found = local_laws(selection)
    # never above 0: the sum of (3/8)^k, and of (1/8)^k, k > 0
    assert dict(found.laws[POINTS[0]]) == {"0": Fraction(3, 5), "1": Fraction(2, 5)}
    assert dict(found.laws[POINTS[1]]) == {"0": Fraction(1, 7), "1": Fraction(6, 7)}


def test_a_mechanism_without_such_loops_is_computed_as_ever() -> None:
    def finite(data, source):
        for _ in range(10):
            if source.bernoulli(HALF):
                return 1
        return data[0][0]

    assert "loops" not in local_laws(finite).assumed


ROUNDS: list[int] = []


def with_scratch(data, source):
    while len(ROUNDS) < 3:
        ROUNDS.append(0)
        if source.bernoulli(HALF):
            break
    found = len(ROUNDS)
    ROUNDS.clear()
    while source.bernoulli(HALF):
        pass
    return found


def test_a_list_that_is_emptied_at_the_end_is_part_of_the_state() -> None:
    found = local_laws(with_scratch)
    assert dict(found.laws[POINTS[0]]) == {"1": HALF, "2": Fraction(1, 4), "3": Fraction(1, 4)}


def elsewhere(data, source):
    string.rounds = 0
    while string.rounds < 3:
        string.rounds += 1
        if source.bernoulli(HALF):
            break
    else:
        string.rounds = 4
    while source.bernoulli(HALF):
        pass
    return string.rounds == 4


def test_what_is_kept_where_nobody_looks_shows_in_the_other_computation() -> None:
    with pytest.raises(InputError, match="its laws in two processes differ"):
        local_laws(elsewhere)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("n = 0\n    while source.bernoulli(HALF):\n        n += 1\n    return min(n, 3)", "unbounded: one run"),
        ("while True:\n        source.bernoulli(HALF)", "unbounded: one run"),
        ("while source.bernoulli(Fraction(999, 1000)):\n        pass\n    return 0", "unbounded: one run"),
        (
            "while source.uniform(9):\n        source.uniform(8)\n    return 0",
            "too many runs to compute its law a second",
        ),
    ],
)
def test_other_loops_are_refused(body: str, expected: str, tmp_path: Path) -> None:
    text = f"from fractions import Fraction\nHALF = Fraction(1, 2)\ndef f(data, source):\n    {body}\n"
    assert expected in refusal(tmp_path, text)


UNSEEN = """
import decimal
from fractions import Fraction
{}
def f(data, source):
    decimal.getcontext().prec = 28
    while source.bernoulli(Fraction(1, 2)):
        decimal.getcontext().prec += 1
    return data if decimal.getcontext().prec > 229 else 0
"""


def test_a_loop_whose_state_a_library_keeps_is_not_summed(tmp_path: Path) -> None:
    """It returns the data after 200 rounds: its state is where nobody looks, so that no two rounds are alike."""
    assert "choices" in refusal(tmp_path, UNSEEN.format(""))


@pytest.mark.parametrize("more", ["import math", "import numpy", "from collections import deque", "import enum"])
def test_a_library_that_the_code_does_not_name_changes_nothing(tmp_path: Path, more: str) -> None:
    assert "loops without end summed" in laws(tmp_path, f"{more}\n{PLAIN}").assumed


@pytest.mark.parametrize("used", ["math.floor(0)", "len(())", "operator.index(0)", "Fraction(0)"])
def test_functions_that_keep_nothing_may_be_called_in_a_loop(tmp_path: Path, used: str) -> None:
    text = PLAIN.replace("        pass", f"        {used}").replace(
        "import Fraction", "import Fraction\nimport math, operator"
    )
    assert "loops without end summed" in laws(tmp_path, text).assumed
