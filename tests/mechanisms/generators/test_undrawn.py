from __future__ import annotations

import copy
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from stirred.mechanisms.exact_law import exact_law
from stirred.mechanisms.generators.float_function import whole_numbers
from stirred.mechanisms.generators.grid_draw import GeneratorRun, GridDraw
from stirred.mechanisms.generators.math_steps import FollowedFunction
from stirred.mechanisms.generators.undrawn import Undrawn, is_number
from stirred.mechanisms.sampling import SamplingSource
from stirred.spec.arguments import InputError

BITS = 7
LOG = FollowedFunction("log", math.log)
SIGN = FollowedFunction("copysign", math.copysign)

PROGRAMS = {
    "below": lambda u: u < 0.3,
    "not above": lambda u: u <= 0.25,
    "above": lambda u: u > np.float64(0.3),
    "number first": lambda u: np.float64(0.3) > u,
    "fraction": lambda u: u < Fraction(1, 3),
    "equal": lambda u: (u == 0.5, u != 0.25),
    "truth": bool,
    "affine": lambda u: 3 - 2 * u + 1 < 2.5,
    "twice the number": lambda u: (u * 0 + 1 < 2, u / -3 < -0.1, 1 - u > 0.5),
    "nested": lambda u: 0 if u < 0.25 else 1 if u < 0.5 else 2 + int(u * 8),
    "derived": lambda u: (u < 0.5, 2 * u - 1 < 0, -u < -0.5),
    "rounded": lambda u: round(10 * u - 5),
    "rounded to digits": lambda u: round(u, 1) == 0.3,
    "whole": lambda u: int(10 * u - 5),
    "floor": lambda u: (math.floor(9 * u), math.ceil(3 * u), math.trunc(4 * u - 2)),
    "quotient": lambda u: int(u // 0.3),
    "remainder": lambda u: 10 * u % 3 < 1.5,
    "absolute": lambda u: int(10 * abs(u - 0.5)),
    "square": lambda u: int(10 * (u - 0.5) ** 2) + int(4 * (u - 0.25) ** 3),
    "reciprocal": lambda u: int(1 / (u + 0.5) * 4),
    "reciprocal with both signs": lambda u: 0 if u == 0.5 else int(1 / (u - 0.5)),
    "negative power": lambda u: int((u + 0.5) ** -2) + int((u - 2) ** -3 * 100) + int((u - 2) ** -2 * 100),
    "power of a number": lambda u: (int(2**u * 8), int(0.5**u * 8)),
    "logarithm": lambda u: int(-3 * np.log(1 - u)),
    "math": lambda u: int(-3 * LOG(1 - u)) + int(LOG(1 + u, 0.5) * 4),
    "exponential": lambda u: int(np.exp(-3 * u) * 8),
    "root": lambda u: int(np.sqrt(u) * 6) + int(np.log1p(u) * 5),
    "floats that are whole": lambda u: float(np.floor(4 * u)) + float(np.rint(3 * u)),
    "two steps of one draw": lambda u: u + 2 * u < 1.5 and u - (1 - u) < 0.2,
    "two functions of one draw": lambda u: u < 1 - u,
    "sign": lambda u: int(np.sign(u - 0.5)),
    "copied sign": lambda u: SIGN(3.0, u - 0.5) * 2,
    "tutorial": lambda u: int(-(2 * np.sign(u - 0.5)) * np.log(1 - np.abs(u - 0.5))),
    "clip": lambda u: float(np.clip(np.round(8 * u), 2, 5)),
    "maximum": lambda u: int(np.maximum(8 * u - 4, 0)) + int(np.minimum(2, 8 * u)),
    "as type": lambda u: int(np.floor(5 * u).astype(int)),
    "of NumPy's": lambda u: int(np.square(u - 0.5) * 40) + int(np.negative(u) * 4),
    "array": lambda u: tuple((np.array([0.25, 0.5, 0.75]) < u).tolist()),
    "search": lambda u: int(np.searchsorted(np.array([0.25, 0.5, 0.75]), u)),
    "minus zero": lambda u: str(float(np.rint(u - 0.5))),
    "asked for its class": lambda u: (isinstance(u, float), isinstance(np.floor(u), np.float64), u < 0.5),
    "copied": lambda u: (copy.deepcopy(u) < 0.5, copy.copy(u) < 0.75),
}


def drawn(run, least=0):
    return Undrawn(GridDraw(run, least, 2**BITS - 1), whole_numbers(float, 2.0**-BITS))


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_law_is_that_of_running_the_code_at_every_k(program):
    with np.errstate(all="ignore"):
        counts = Counter(program(k / 2**BITS) for k in range(2**BITS))
    law = exact_law(lambda _, source: program(drawn(GeneratorRun(source))), None)
    assert dict(law) == {value: Fraction(count, 2**BITS) for value, count in counts.items()}


REFUSED = {
    "digits": (float, "digits of an undrawn uniform number are asked for"),
    "math": (math.log1p, "digits of an undrawn"),
    "format": (lambda u: f"{u:.2f}", "digits of an undrawn"),
    "text": (str, "digits of an undrawn"),
    "key": (lambda u: {u: 1}, "as a key, or in a set"),
    "two draws": (lambda u, v: u + v < 1, "two draws are combined"),
    "two draws compared": (lambda u, v: 2 * u < 2 * v, "two draws are combined"),
    "product": (lambda u: u * u < 0.5, "a product of two numbers"),
    "quotient": (lambda u: u / u < 0.5, "a quotient of two numbers"),
    "rising and falling": (lambda u: u + (0.5 - u) < 0.5, "a rising and a falling function"),
    "two rising": (lambda u: u * 2 < u + 0.5, "two rising functions"),
    "logarithm of a negative number": (lambda u: np.log(u - 0.5) < 0, "np.log of a number below 0 is undefined"),
    "another function": (lambda u: np.sin(u) < 0.5, "np.sin of a number that is not drawn"),
    "broken power": (lambda u: (u - 0.5) ** 0.5, "a power of a negative number"),
    "power of a negative number": (lambda u: (-2) ** u < 1, "a power of a number that is not positive"),
    "values": (lambda u: int(u * 2.0**60), "more than 100,000 possible values"),
}


@pytest.mark.parametrize("program", REFUSED)
def test_what_cannot_be_followed_is_refused_and_remembered(program):
    code, said = REFUSED[program]
    runs = []

    def run(_, source):
        runs.append(GeneratorRun(source))
        pair = [Undrawn(GridDraw(runs[-1], 0, 2**53 - 1), whole_numbers(float, 2.0**-53)) for _ in range(2)]
        return code(*pair[: code.__code__.co_argcount if hasattr(code, "__code__") else 1])

    with pytest.raises(InputError, match=said):
        exact_law(run, None)
    assert any(said in str(one.refused[0]) for one in runs if one.refused)


def test_a_float_of_few_values_is_read_and_a_float_is_no_index():
    def program(_, source):
        u = np.floor(drawn(GeneratorRun(source)) * 3)
        with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
            range(u)
        return math.log(1 + float(u))

    assert len(exact_law(program, None)) == 3


def test_a_number_is_one_of_python_or_numpy():
    assert not is_number(drawn(GeneratorRun(SamplingSource(1))))
    assert all(map(is_number, (1, 0.5, Fraction(1, 2), True, np.int8(1), np.float32(0.5))))
    assert not any(map(is_number, ("1", None, np.zeros(2), np.str_("1"), 1j)))
