"""Numbers that are not drawn give the law of the real ones, or a refusal that no code can catch."""

import copy
import decimal
import fractions
import json
import math
import pickle
import random
from collections import Counter
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest

from stirred.mechanisms.generators.adapted import AdaptedMechanism
from stirred.mechanisms.generators.float_function import whole_numbers
from stirred.mechanisms.generators.grid_draw import GeneratorRun, GridDraw
from stirred.mechanisms.generators.math_steps import FollowedFunction
from stirred.mechanisms.generators.sized import array_of
from stirred.mechanisms.generators.undrawn import Undrawn
from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.source import Raised
from stirred.spec.arguments import InputError

U32, I16 = np.uint32, np.int16
EXP = FollowedFunction("exp", math.exp)


def law(function, data=0, generator="numpy"):
    made = AdaptedMechanism(function, {}, [0, 1], generator)
    return exact_law(lambda point, source: made.program(point)(source), data)


def caught(ask):
    """A program that goes another way where something is raised."""

    def program(data, rng):
        try:
            ask(rng)
        except Exception:
            return 0
        return data

    return program


REFUSED = {
    "an unsigned difference": lambda d, r: r.integers(0, 2**32, dtype=U32) - 2**31 > 2**31,
    "an unsigned negative": lambda d, r: -r.integers(0, 2**32, dtype=U32) > 5,
    "a product": lambda d, r: r.integers(0, 2**63 - 1) * 4 >= 0,
    "a pad": lambda d, r: r.integers(0, 2**32, dtype=U32) + U32(d),
    "a sum of int16": lambda d, r: r.integers(-(2**15), 2**15, dtype=I16) + I16(20000) < 0,
    "a square": lambda d, r: np.square(r.integers(0, 2**40)) < 0,
    "an absolute value": lambda d, r: abs(r.integers(-(2**15), 2**15, dtype=I16)) < 0,
    "a power": lambda d, r: r.integers(0, 2**40) ** 2 < 0,
    "an array that wraps": lambda d, r: (r.integers(0, 2**32, size=2, dtype=U32) + U32(1) > 5)[0],
    "a shift": lambda d, r: r.integers(0, 2**40) << 30,
    "a narrower type": lambda d, r: r.integers(0, 2**40, size=1).astype(np.int8)[0],
    "a dtype": lambda d, r: r.laplace(size=2).dtype == float,
    "a kind of dtype": lambda d, r: np.issubdtype(r.random(2).dtype, np.number),
    "nan_to_num": lambda d, r: np.nan_to_num(np.log(r.random(1)))[0] > -1,
    "isfinite": lambda d, r: np.isfinite(np.log(r.random(1)))[0],
    "an array of one": lambda d, r: np.asarray([r.random(), r.random()]).dtype.kind,
    "full": lambda d, r: np.full(2, r.random()).dtype.kind,
    "a buffer": lambda d, r: r.random(2).tobytes(),
    "a mean": lambda d, r: r.random(2).mean() < 1,
    "a text of an array": lambda d, r: str(r.random(2)),
    "a mask": lambda d, r: np.ma.array([d, 1], mask=[True, False]),
    "fields": lambda d, r: np.zeros(1, dtype=[("a" if d else "b", int)]),
    "a subclass": lambda d, r: np.zeros(1).view(np.recarray),
    "float into ints": lambda d, r: np.add(x := r.integers(0, 2**20, size=2), 0.5, out=x)[0],
    "nan": lambda d, r: np.log(r.random()) * 0 < 1,
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_differ_is_refused(name):
    for data in (0, 1):
        with pytest.raises(InputError):
            law(REFUSED[name], data)


ASKED = {
    "divmod": lambda r: divmod(3 * r.random(), 1),
    "is_integer": lambda r: r.random().is_integer(),
    "hex": lambda r: r.random().hex(),
    "as_integer_ratio": lambda r: r.random().as_integer_ratio(),
    "a fraction": lambda r: fractions.Fraction(r.random()),
    "a quotient of a number": lambda r: 1 // r.random(),
    "a remainder of a number": lambda r: 1 % r.random(),
    "bits": lambda r: r.integers(0, 2**40) & 1,
    "inversion": lambda r: ~r.integers(0, 2**40),
    "hasattr": lambda r: hasattr(r.random(), "hex"),
    "copyto": lambda r: np.copyto(np.zeros(1), r.random(1)),
    "a state": lambda r: r.bit_generator.state,
    "a format": lambda r: f"{r.random():.3f}",
    "a text": lambda r: str(r.laplace()),
    "pickle": lambda r: pickle.dumps(r.random()),
    "a key": lambda r: {r.random(): 1},
    "a product of lists": lambda r: [0] * 2 + [1j * r.random()],
    "a decimal number": lambda r: r.random() < decimal.Decimal("0.5"),
    "nothing": lambda r: r.random() < None,
    "a word": lambda r: r.random() + "a",
    "a matrix product": lambda r: r.random(2) @ r.random(2),
    "a sum of two": lambda r: r.random(2).sum(),
    "cumsum": lambda r: np.cumsum(r.random(2)),
    "a scale": lambda r: r.laplace(scale=r.random()),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_refusal_cannot_be_caught(name):
    real = np.random.default_rng(1)
    with suppress(TypeError):
        ASKED[name](real)
    for data in (0, 1):
        with pytest.raises(InputError):
            law(caught(ASKED[name]), data)


def clamped(data, rng):
    x = -rng.random(1)
    x[x <= 0] = 0
    return np.zeros(1) if data else x


def truncated(data, rng):
    x = rng.integers(0, 2**20, size=2)
    x[1] = 0.5
    return data if x[1] == 0 else 5


def overflowing(data, rng):
    n = rng.integers(0, 10001)
    try:
        weight = EXP(n / 14)
    except OverflowError:
        return 2
    return int(weight > 5)


def minus_zero(data, rng):
    x = (rng.expovariate(1) // 8) ** 3
    return x == 0 and math.copysign(1, x) > 0


TRUE = {
    "clamped by assignment": (clamped, 0, {("float 0.0",): 1}),
    "truncated by assignment": (truncated, 1, {1: 1}),
    "raised where it is": (overflowing, 0, {0: Fraction(23, 10001), 1: Fraction(9914, 10001), 2: Fraction(64, 10001)}),
    "maximum": (lambda d, r: np.maximum(r.random() - 2, 0), 0, {"float 0.0": 1}),
    "minimum of an array": (lambda d, r: np.minimum(r.random(1) + 2, 1), 0, {("float 1.0",): 1}),
    "where": (lambda d, r: np.where([True], 1, r.random(1)), 0, {("float 1.0",): 1}),
    "concatenate": (lambda d, r: np.concatenate([r.random(1), [1]])[1], 0, {"float 1.0": 1}),
    "single precision": (lambda d, r: (r.random(1, dtype=np.float32) + 1.0)[0] >= 2, 0, {True: Fraction(1, 2**24)}),
    "an index": (lambda d, r: np.searchsorted([0.25, 0.5], r.random(), "right"), 0, {0: Fraction(1, 4)}),
    "truth": (lambda d, r: str((r.random(1) < 0.5)[0].dtype), 0, {"bool": 1}),
    "a missing attribute": (lambda d, r: hasattr(r.random(), "values"), 0, {False: 1}),
    "a member": (lambda d, r: (r.random() == None, r.random() in ("a", None)), 0, {(False, False): 1}),  # noqa: E711
    "a copy": (lambda d, r: copy.copy(r.random()) < 0.5, 0, {True: Fraction(1, 2)}),
    "another branch": (lambda d, r: np.append(r.random(1), 1)[1] if d else 0, 0, {0: 1}),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_is_followed_is_right(name):
    program, data, masses = TRUE[name]
    found = law(program, data)
    assert {value: found[value] for value in masses} == masses


def test_zeros_are_two_in_powers_and_quotients():
    found = law(minus_zero, generator="random")
    assert found[False] > Fraction(1, 2**53)
    assert 0 < found[True] < 1


def test_a_triangular_variable_of_no_width_is_a_float():
    assert law(lambda d, r: r.triangular(1, 1), generator="random")["float 1.0"] == 1


def test_what_a_json_text_says_is_no_law():
    with pytest.raises((InputError, TypeError)):
        law(lambda d, r: json.dumps(r.random()))


WRONG = {
    "uniform": lambda r: r.uniform(0, -1),
    "size of truth": lambda r: r.random(True),
    "choice of a float": lambda r: r.choice(1.5),
    "permutation of a float": lambda r: r.permutation(3.0),
    "half precision": lambda r: r.random(2, dtype=np.float16),
    "negative scale": lambda r: r.laplace(scale=-1),
    "negative size": lambda r: r.random(-1),
    "probabilities": lambda r: r.choice(2, p=[0.5, 0.4]),
    "no integers": lambda r: r.integers(3, 3),
    "a tuple": lambda r: r.shuffle((1, 2)),
    "trials": lambda r: r.binomial(-1, 0.5),
    "a rate": lambda r: r.geometric(1.5),
}


@pytest.mark.parametrize("name", WRONG)
def test_arguments_are_checked_as_numpy_checks_them(name):
    with pytest.raises(Exception, match=r".") as real:
        WRONG[name](np.random.default_rng(1))
    if TypeError in (type(real.value), type(real.value.__context__)):  # a mistake
        with pytest.raises(type(real.value)) as ours:
            law(lambda data, rng: WRONG[name](rng))
        assert str(ours.value) == str(real.value)
    else:
        found = dict(law(lambda data, rng: WRONG[name](rng)))
        assert found == {Raised(real.value).text: 1}


@pytest.mark.parametrize("draw", [lambda r: r.random(0), lambda r: r.laplace(size=0), lambda r: r.integers(9, size=0)])
def test_empty_arrays_have_numpys_dtype(draw):
    dtype = draw(np.random.default_rng(1)).dtype
    assert law(lambda data, rng: str(draw(rng).dtype))[str(dtype)] == 1


@pytest.mark.parametrize(
    "draw",
    [lambda r: r.getrandbits(-1), lambda r: r.randbytes(-1), lambda r: r.sample([1], 1.0), lambda r: r.choice(3)],
)
def test_arguments_are_checked_as_python_checks_them(draw):
    with pytest.raises((TypeError, ValueError)) as real:
        draw(random.Random(1))  # noqa: S311 a test
    if isinstance(real.value, TypeError):
        with pytest.raises(TypeError):
            law(lambda data, rng: draw(rng), generator="random")
    else:
        (found,) = law(lambda data, rng: draw(rng), generator="random")
        assert found.startswith(f"raises {type(real.value).__name__}: ")


KINDS = [
    (lambda: [1], lambda: (1,)),
    (lambda: np.array([1]), lambda: (1,)),
    (lambda: np.array([1], np.int8), lambda: np.array([1])),
    (lambda: np.zeros((0, 1)), lambda: np.zeros((0, 2))),
    (lambda: np.array(1.0, np.float32), lambda: np.array(1.0)),
    (lambda: np.int8(1), lambda: 1),
    (lambda: ["a", frozenset({1})], lambda: ("a", frozenset({1}))),
]


@pytest.mark.parametrize("pair", KINDS)
def test_outputs_of_two_kinds_are_told_apart_by_their_kinds(pair):
    made = [AdaptedMechanism(lambda data, rng, one=one: one(), {}, [0], "numpy") for one in pair]
    (first,), (second,) = (exact_law(lambda data, source, one=one: one.program(0)(source), 0) for one in made)
    assert first == second
    assert made[0].kinds != made[1].kinds


WIDTH = 6
WHOLE = {
    "below": lambda n: bool(n - 20 < 3),
    "product": lambda n: bool(n * 5 >= 0),
    "negative": lambda n: bool(-n > 5),
    "absolute": lambda n: int(abs(n) // 7),
    "square": lambda n: bool(np.square(n) < 50),
    "power": lambda n: bool(n**2 < 50),
    "quotient": lambda n: int(n / 4),
    "remainder": lambda n: int(n % 5),
    "sum of types": lambda n: bool(n + np.int16(100) > 120),
    "float": lambda n: int(np.floor(n * 0.3)),
    "array": lambda n: bool((np.array([1, 2]) + n)[1] > 3),
    "fabs": lambda n: str(type(float(np.fabs(n)))),
}


@pytest.mark.parametrize("program", WHOLE.values(), ids=WHOLE)
@pytest.mark.parametrize(("kind", "least"), [(np.int8, -32), (np.uint8, 0), (np.uint8, 192), (np.int64, -32), (int, 0)])
def test_a_law_of_integers_is_that_of_running_the_code_or_a_refusal(program, kind, least):
    with np.errstate(all="ignore"):
        try:
            counts = Counter(program(kind(least + k)) for k in range(2**WIDTH))
        except OverflowError:
            counts = None

    def drawn(_, source):
        run = GeneratorRun(source)
        return program(Undrawn(GridDraw(run, 0, 2**WIDTH - 1), whole_numbers(kind, least=least)))

    try:
        found = dict(exact_law(drawn, None))
    except (InputError, OverflowError):
        return
    assert found == {value: Fraction(count, 2**WIDTH) for value, count in counts.items()}


ARRAYS = {
    "clipped": lambda x: tuple(np.clip(np.round(8 * x), 2, [5, 1]).tolist()),
    "powers": lambda x: tuple((np.round(8 * x) ** 2 > 3).tolist()),
    "assigned": lambda x: (x.__setitem__(x < 0.5, 0), tuple(np.floor(2 * x).tolist()))[1],
    "in place": lambda x: (x.__iadd__(1), tuple(np.floor(2 * x).astype(int).tolist()))[1],
    "single": lambda x: tuple((x.astype(np.float32) * 3.1 > np.float32(1.2)).tolist()),
    "joined": lambda x: tuple(np.floor(3 * np.concatenate([x, [2]])).tolist()),
    "chosen": lambda x: tuple(np.floor(np.where([True, False], 3 * x, 1)).tolist()),
    "whole": lambda x: tuple(np.round(4 * x).astype(np.int8).tolist()),
    "maximum": lambda x: tuple(np.maximum(np.round(4 * x) - 2, 0).tolist()),
    "transposed": lambda x: tuple(np.floor(2 * x.reshape(2, 1).T).ravel().tolist()),
}


@pytest.mark.parametrize("program", ARRAYS.values(), ids=ARRAYS)
def test_a_law_of_arrays_is_that_of_running_the_code(program):
    grid = range(16)
    counts = Counter(program(np.array([j / 16, k / 16])) for j in grid for k in grid)

    def drawn(_, source):
        run = GeneratorRun(source)
        return program(
            array_of((2,), [Undrawn(GridDraw(run, 0, 15), whole_numbers(np.float64, 1 / 16)) for _ in grid[:2]], float)
        )

    found = exact_law(lambda _, source: tuple(map(float, drawn(None, source))), None)
    assert dict(found) == {value: Fraction(count, 256) for value, count in counts.items()}
