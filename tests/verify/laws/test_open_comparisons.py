"""What code is told about an open parameter: where its comparisons change, and a refusal of all else."""

import copy
import enum
import functools
import math
import pickle
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from numbers import Rational

import numpy as np
import pytest

from stirred.spec import SYMBOL, InputError
from stirred.spec.numbers.open_parameter import OpenParameter
from stirred.verify.laws.open_comparisons import opened_values
from stirred.verify.laws.sandbox import refused

F = Fraction
QUARTER = F(1, 4)


@pytest.fixture(autouse=True)
def _nothing_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refused, "REFUSED", [])
    monkeypatch.setattr("stirred.verify.laws.open_comparisons.REFUSED", refused.REFUSED)


def answered(asked: Callable[[Fraction], object], text: str = "symbol in [1/20, 1/2]") -> tuple[object, set[Fraction]]:
    """The answer about an open parameter, and where it changes."""
    values, comparisons = opened_values({"flip": OpenParameter.read("flip", text), "other": 1})
    answer = asked(values["flip"])
    comparisons.check_rational()
    return answer, comparisons.cuts


class Rate(enum.Enum):
    """Rates that are named."""

    LOW = F(1, 10)


COMPARED = {
    "==": lambda flip: flip == QUARTER,
    "== on the left": lambda flip: QUARTER == flip,  # noqa: SIM300 the point
    "!=": lambda flip: not flip != QUARTER,  # noqa: SIM202 the point
    "in": lambda flip: flip in [F(1, 10), QUARTER],
    "tuples": lambda flip: (flip, 0) == (QUARTER, 0),
    "index": lambda flip: [0, flip].index(flip) == [QUARTER, flip].index(flip) + 1,
    "sorted": lambda flip: sorted([QUARTER, flip])[0] == sorted([flip, QUARTER])[1],
    "max and min": lambda flip: max(flip, QUARTER) == min(flip, QUARTER),
    "a formula": lambda flip: not ((4 * flip - 1) ** 3),
    "a product": lambda flip: flip * (1 - flip) == F(3, 16),
    "abs": lambda flip: abs(flip - QUARTER) == 0,
    "isinstance": lambda flip: isinstance(flip, Fraction) and isinstance(flip, Rational) and flip == QUARTER,
    "copy": lambda flip: copy.deepcopy([flip])[0] == QUARTER,
    "a division": lambda flip: 1 / flip == 4,
    "bool": lambda flip: not flip - QUARTER,
    "a number of Python's": lambda flip: 4 * flip == True,  # noqa: E712 the point
    "never equal to a text": lambda flip: flip == QUARTER if flip != "1/4" else None,
}


@pytest.mark.parametrize("name", COMPARED)
def test_each_way_to_compare_changes_where_numbers_do(name: str) -> None:
    beside, cuts = answered(COMPARED[name])
    assert QUARTER in cuts
    assert bool(COMPARED[name](QUARTER)) is not bool(beside)
    others = [F(2, 9), F(1, 3), F(1, 20), F(1, 2)]
    assert all(bool(COMPARED[name](value)) is bool(beside) for value in others)


SAME = {
    "in all of it": lambda flip: flip > 0 and flip <= F(1, 2) and 0 < 1 - flip < 1 and flip != 2,
    "at its end": lambda flip: flip >= F(1, 20),
    "a square": lambda flip: (flip - QUARTER) ** 2 >= 0,
    "itself": lambda flip: flip == flip and flip + 1 == 1 + flip and not flip - flip,  # noqa: PLR0124 the point
    "a constant": lambda flip: hash(flip**0) == 1 and {flip / flip: True}[1] and f"{flip - flip}" == "0",
    "a kind": lambda flip: isinstance(flip, Fraction) and not isinstance(flip, (int, float, complex)),
    "a text": lambda flip: flip != "1/4" and flip is not None and flip != (1, 4),
}


@pytest.mark.parametrize("name", SAME)
def test_a_comparison_that_holds_for_all_values_changes_nowhere(name: str) -> None:
    assert answered(SAME[name]) == (True, set())
    assert SAME[name](QUARTER)


def test_an_end_belongs_to_a_closed_interval_only() -> None:
    assert answered(lambda flip: flip > F(1, 20))[1] == {F(1, 20)}
    assert answered(bool, "symbol") == (True, set())
    assert answered(bool, "symbol in [0, 1]") == (True, {F(0)})


@functools.cache
def cached(flip):
    return flip == QUARTER


def swallowed(flip):
    try:
        return str(flip) == "1/4"
    except Exception:
        return False


def matched(flip):
    match flip:
        case Fraction(numerator=1, denominator=4):
            return True
    return False


TOLD_APART = {
    "dictionary": lambda flip: flip in {QUARTER: 0},
    "set": lambda flip: flip in {QUARTER},
    "frozenset": lambda flip: len(frozenset([flip, QUARTER])) == 1,
    "default dictionary": lambda flip: defaultdict(int, {QUARTER: 1})[flip],
    "cache": cached,
    "Enum": lambda flip: Rate(flip) is Rate.LOW,
    "hash": lambda flip: hash(flip) == hash(QUARTER),
    "str": lambda flip: str(flip) == "1/4",
    "repr": lambda flip: repr(flip) == "Fraction(1, 4)",
    "format": lambda flip: f"{flip}" == "1/4",
    "percent": lambda flip: "%s" % flip == "1/4",  # noqa: UP031 the point
    "float": lambda flip: float(flip) == 0.25,
    "float on the right": lambda flip: flip == 0.25,
    "float on the left": lambda flip: 0.25 == flip,  # noqa: SIM300 the point
    "int": lambda flip: int(4 * flip) == 1,
    "round": lambda flip: round(4 * flip) == 1,
    "floor": lambda flip: 4 * flip // 1 == 1,
    "remainder": lambda flip: 4 * flip % 1 == 0,
    "Counter": lambda flip: Counter([flip, QUARTER])[QUARTER] == 2,
    "floor of math": lambda flip: math.floor(4 * flip) == 1,
    "ceiling": lambda flip: math.ceil(4 * flip) == 1,
    "pickle": lambda flip: pickle.dumps(flip) == pickle.dumps(QUARTER),
    "a float of NumPy": lambda flip: np.float64(0.25) == flip,
    "an array of NumPy": lambda flip: bool(np.array([0.25])[0] == flip),
    "a limit of floats": lambda flip: math.isclose(flip, 0.25),
    "Decimal": lambda flip: Decimal("0.25") == flip,
    "complex": lambda flip: complex(flip) == 0.25,
    "Fraction": lambda flip: Fraction(flip) == QUARTER,
    "numerator": lambda flip: flip.numerator == 1,
    "denominator": lambda flip: flip.denominator == 4,
    "a private part": lambda flip: flip._denominator == 4,
    "ratio": lambda flip: flip.as_integer_ratio() == (1, 4),
    "nearest": lambda flip: flip.limit_denominator(4) == flip,
    "a method of Fraction": lambda flip: Fraction.__eq__(QUARTER, flip),
    "unbound": lambda flip: Fraction.__eq__(flip, QUARTER),
    "power": lambda flip: 2**flip == 1,
    "pattern": matched,
    "caught": swallowed,
    "the symbol": lambda flip: flip == SYMBOL,
    "an irrational value": lambda flip: flip * flip > F(1, 8),
    "equal at an irrational value": lambda flip: flip * flip == F(1, 8),
}


@pytest.mark.parametrize("name", TOLD_APART)
def test_each_other_way_to_tell_values_apart_is_refused(name: str) -> None:
    message = r"flip stands for all values in \[1/20, 1/2\]; .*, or give it a number"
    with suppress(InputError):  # what is refused is remembered, as code may catch it
        answered(TOLD_APART[name])
    assert re.fullmatch(message, str(refused.REFUSED[0]))


def test_a_power_of_e_is_compared_with_numbers_as_near_as_one_likes() -> None:
    # e^-1 = 0.36787944117144232159552377016146086744581113103176783450783680169746…
    below, above = (F(f"0.367879441171442321595523770161460867445811131031767834507836{end}") for end in ("7", "9"))
    asked = {
        True: lambda flip: below < flip < above and 1 / flip < 1 / below and flip == flip + 0,
        False: lambda flip: flip == below or flip in {below, above} or flip - above >= 0 or flip * flip == flip,
    }
    for expected, ask in asked.items():
        assert answered(ask, "exp(-1)") == (expected, set())
    assert answered(lambda flip: {flip: 1, flip**2: 2}[flip * flip], "exp(-1)") == (2, set())


OPERATIONS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b}


def test_random_formulas_change_where_numbers_do() -> None:
    cases = random.Random(1)  # noqa: S311 a fixed seed
    for _ in range(100):
        steps = [
            (cases.choice(list(OPERATIONS)), F(cases.randrange(1, 9), cases.randrange(1, 9)), cases.random() < 0.5)
            for _ in range(3)
        ]
        bound = F(cases.randrange(-8, 9), cases.randrange(1, 9))

        def asked(flip, steps=steps, bound=bound):
            for operation, number, is_left in steps:
                flip = OPERATIONS[operation](number, flip) if is_left else OPERATIONS[operation](flip, number)
            return flip < bound

        opened = OpenParameter(F(1, 24), F(23, 24), is_closed=True)
        values, comparisons = opened_values({"flip": opened})
        asked(values["flip"])
        for piece in opened.pieces(sorted(comparisons.cuts)):
            if isinstance(piece, OpenParameter):
                inside = {asked(piece.low + (piece.high - piece.low) * F(n, 50)) for n in range(1, 50)}
                assert len(inside) == 1, (steps, bound, str(piece))
