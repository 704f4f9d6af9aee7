import copy
import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2

from stirred.mechanisms.generators.adapted import AdaptedMechanism
from stirred.mechanisms.generators.discrete_draws import numpy_gumbel, numpy_laplace, numpy_logistic
from stirred.mechanisms.generators.float_function import whole_numbers
from stirred.mechanisms.generators.grid_draw import GeneratorRun, GridDraw
from stirred.mechanisms.generators.math_steps import FollowedFunction
from stirred.mechanisms.generators.numpy_generator import numpy_generator, passing
from stirred.mechanisms.generators.undrawn import Undrawn, is_number
from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.interpreters.sampling import SamplingSource
from stirred.mechanisms.source import PublicSource
from stirred.spec.arguments import InputError

LEAST_P = 1e-6
DRAWS = 800


def law(program, **parameters):
    """The exact law of a program on NumPy's generator."""
    adapted = AdaptedMechanism(lambda _, rng: program(rng), parameters, [0], "numpy")
    return exact_law(lambda data, source: adapted.program(data)(source), 0)


def uniforms(seed, count=4000):
    """NumPy's generator, and the uniform numbers that it will draw."""
    return np.random.default_rng(seed), np.random.default_rng(seed).random(count)


@pytest.mark.parametrize(
    ("name", "function"), [("laplace", numpy_laplace), ("gumbel", numpy_gumbel), ("logistic", numpy_logistic)]
)
def test_noise_is_computed_from_the_uniform_number_as_numpy_does(name, function):
    rng, drawn = uniforms(7)
    assert getattr(rng, name)(3.0, 0.7, drawn.size).tolist() == [function(u, 3.0, 0.7) for u in drawn.tolist()]


def test_uniform_and_inverse_exponential_are_numpys():
    rng, drawn = uniforms(8)
    assert rng.uniform(-0.3, 0.4, drawn.size).tolist() == [-0.3 + (0.4 - -0.3) * u for u in drawn.tolist()]
    rng, drawn = uniforms(9)
    exponential = rng.standard_exponential(drawn.size, method="inv").tolist()
    assert exponential == [-math.log1p(-u) for u in drawn.tolist()]


def test_choice_with_probabilities_falls_where_numpys_does():
    p = [0.1, 0.2, 0.3, 0.4]
    rng, drawn = uniforms(10)
    cuts = np.cumsum(p) / np.cumsum(p)[-1]
    assert rng.choice(4, drawn.size, p=p).tolist() == [int((cuts <= u).sum()) for u in drawn]
    masses = law(lambda r: r.choice(4, p=p))
    bounds = [0, *(math.ceil(Fraction(cut) * 2**53) for cut in cuts)]
    assert [masses[i] for i in range(4)] == [Fraction(b - a, 2**53) for a, b in itertools.pairwise(bounds)]


def test_a_float_is_compared_as_the_double_that_it_is():
    assert law(lambda r: r.random() < 0.1)[True] == Fraction(math.ceil(Fraction(0.1) * 2**53), 2**53)
    single = law(lambda r: r.random(dtype=np.float32) < 0.1)[True]
    assert single == Fraction(math.ceil(Fraction(0.1) * 2**24), 2**24)


METHODS = {
    "random": lambda r: r.random() < 0.3,
    "random of float32": lambda r: int(r.random(dtype=np.float32) * 4),
    "random of a size": lambda r: tuple((r.random(3) < 0.5).tolist()),
    "random of a shape": lambda r: tuple((r.random((2, 1)) < 0.5).ravel().tolist()),
    "uniform": lambda r: int(r.uniform(-2, 3)),
    "uniform of arrays": lambda r: tuple((r.uniform([0, 1], [1, 3]) < [0.5, 1.5]).tolist()),
    "laplace": lambda r: round(min(max(r.laplace(1.0, 0.8), -2), 4)),
    "laplace of arrays": lambda r: tuple(np.clip(np.round(r.laplace([0, 5], 0.5)).astype(int), -1, 6).tolist()),
    "gumbel": lambda r: min(int(np.floor(r.gumbel())), 3) if r.gumbel() < 2 else -9,
    "logistic": lambda r: r.logistic(0.5, 2.0) > 1,
    "standard_exponential": lambda r: min(int(r.standard_exponential(method="inv")), 3),
    "binomial": lambda r: r.binomial(4, 0.3),
    "binomial of arrays": lambda r: tuple(r.binomial([1, 2], [0.3, 0.5]).tolist()),
    "geometric": lambda r: r.geometric(0.5) > 2,
    "geometric of a size": lambda r: tuple((r.geometric(0.5, 2) > 2).tolist()),
    "hypergeometric": lambda r: r.hypergeometric(4, 3, 3),
    "multinomial": lambda r: tuple(r.multinomial(3, [0.2, 0.3, 0.5]).tolist()),
    "multinomial of a size": lambda r: tuple(r.multinomial(1, [0.2, 0.8], size=2).ravel().tolist()),
    "integers": lambda r: int(r.integers(5)),
    "integers of a range": lambda r: int(r.integers(-2, 3, endpoint=True)),
    "integers of a type": lambda r: tuple(r.integers(2, size=3, dtype=np.int8).tolist()),
    "integers of arrays": lambda r: tuple(r.integers([1, 3], 5).tolist()),
    "many integers": lambda r: bool(r.integers(2**40) < 2**38),
    "choice": lambda r: int(r.choice([1, 5, 9])),
    "choice of texts": lambda r: str(r.choice(["a", "b"], p=[0.25, 0.75])),
    "choice of a size": lambda r: tuple(r.choice(3, 2).tolist()),
    "choice without replacement": lambda r: tuple(r.choice(4, 2, replace=False).tolist()),
    "choice in the algorithm's order": lambda r: tuple(r.choice(4, 3, replace=False, shuffle=False).tolist()),
    "choice with p without replacement": lambda r: tuple(r.choice(3, 2, replace=False, p=[0.5, 0.2, 0.3]).tolist()),
    "choice of rows": lambda r: tuple(r.choice([[1, 2], [3, 4], [5, 6]]).tolist()),
    "permutation": lambda r: tuple(r.permutation(3).tolist()),
    "permutation of an array": lambda r: tuple(r.permutation([[1, 2], [3, 4], [5, 6]]).ravel().tolist()),
    "permuted": lambda r: tuple(r.permuted([[1, 2], [3, 4]], axis=1).ravel().tolist()),
    "shuffle": lambda r: (items := [1, 2, 3], r.shuffle(items), tuple(items))[2],
    "shuffle of an array": lambda r: (items := np.arange(3), r.shuffle(items), tuple(items.tolist()))[2],
    "bytes": lambda r: r.bytes(1)[0] // 32,
}


def same_distribution(first, second):
    """The p-value of the chi-square test that two samples of one size have one distribution."""
    counts = [Counter(first), Counter(second)]
    both = [[one[value] for one in counts] for value in set(first) | set(second)]
    statistic = sum((a - b) ** 2 / (a + b) for a, b in both)
    return chi2.sf(statistic, max(len(both) - 1, 1))


@pytest.mark.parametrize("method", METHODS)
def test_a_sample_is_distributed_as_numpys(method):
    program = METHODS[method]
    rng, source = np.random.default_rng(12345), SamplingSource(54321)
    real = [program(rng) for _ in range(DRAWS)]
    ours = [program(numpy_generator(GeneratorRun(PublicSource(source)))) for _ in range(DRAWS)]
    assert same_distribution(real, ours) > LEAST_P
    assert {type(value) for value in ours} == {type(value) for value in real}


@pytest.mark.nightly
def test_a_wrong_law_is_told_apart():
    rng, source = np.random.default_rng(1), SamplingSource(2)
    ours = [numpy_generator(GeneratorRun(source)).binomial(4, 0.4) for _ in range(DRAWS)]
    assert same_distribution([rng.binomial(4, 0.3) for _ in range(DRAWS)], ours) < LEAST_P


def test_small_laws_are_those_of_brute_force():
    orders = dict.fromkeys(itertools.permutations(range(3)), Fraction(1, 6))
    assert dict(law(lambda r: tuple(r.permutation(3).tolist()))) == orders
    assert dict(law(lambda r: tuple(r.choice(3, 3, replace=False).tolist()))) == orders
    floyd = Counter()
    for first, second in itertools.product(range(2), range(3)):
        floyd[(first, 2 if second == first else second)] += Fraction(1, 6)
    assert dict(law(lambda r: tuple(r.choice(3, 2, replace=False, shuffle=False).tolist()))) == dict(floyd)
    again = law(lambda r: tuple(r.choice(2, 2, replace=False, p=[0.25, 0.75]).tolist()))
    assert dict(again) == {(0, 1): Fraction(1, 4), (1, 0): Fraction(3, 4)}
    assert dict(law(lambda r: r.binomial(2, 0.25))) == {0: Fraction(9, 16), 1: Fraction(6, 16), 2: Fraction(1, 16)}
    assert law(lambda r: r.geometric(0.25) > 2)[True] == Fraction(9, 16)
    assert dict(law(lambda r: r.hypergeometric(1, 2, 2))) == {0: Fraction(1, 3), 1: Fraction(2, 3)}
    pairs = law(lambda r: tuple(r.multinomial(2, [0.25, 0.75]).tolist()))
    assert dict(pairs) == {(0, 2): Fraction(9, 16), (1, 1): Fraction(6, 16), (2, 0): Fraction(1, 16)}


def test_types_are_numpys():
    ours, real = numpy_generator(GeneratorRun(SamplingSource(1))), np.random.default_rng(1)
    for call in (
        lambda r: r.integers(5),
        lambda r: r.integers(5, dtype=int),
        lambda r: r.integers(2, dtype=bool),
        lambda r: r.integers([1, 2]),
        lambda r: r.integers(3, size=()),
        lambda r: r.binomial(3, 0.5),
        lambda r: r.choice(4),
        lambda r: r.choice([1, 2]),
        lambda r: r.choice(["a"]),
        lambda r: r.choice(3, ()),
        lambda r: r.permutation([1, 2]),
        lambda r: r.multinomial(3, [0.5, 0.5]),
        lambda r: r.bytes(2),
    ):
        one, other = call(ours), call(real)
        assert (type(one), getattr(one, "dtype", None)) == (type(other), getattr(other, "dtype", None))
        assert np.shape(one) == np.shape(other)


def test_it_is_an_instance_of_numpys_class_and_default_rng_gives_it_back():
    rng = numpy_generator(GeneratorRun(SamplingSource(1)))
    assert isinstance(rng, np.random.Generator)
    assert np.random.default_rng(rng) is rng
    assert passing(np.random.default_rng)(rng) is rng
    assert repr(rng) == "Generator(PCG64)"


def test_every_method_of_numpys_is_followed_or_refused():
    followed = {method.split()[0] for method in METHODS} - {"many"}
    public = {name for name in dir(np.random.Generator) if not name.startswith("_")}
    assert followed <= public
    rng = numpy_generator(GeneratorRun(SamplingSource(1)))
    for name in public - followed - {"bit_generator"}:
        with pytest.raises(InputError, match=f"rng.{name} is not followed"):
            getattr(rng, name)()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda r: r.laplace(scale=-1), "scale < 0"),
        (lambda r: r.binomial(2, 1.5), "p > 1"),
        (lambda r: r.geometric(0), "p <= 0"),
        (lambda r: r.choice(2, 3, replace=False), "larger sample than population"),
        (lambda r: r.choice(2, p=[0.5, 0.6]), "do not sum to 1"),
        (lambda r: r.choice(2, p=[1.0]), "same size"),
        (lambda r: r.choice(2, 2, replace=False, p=[1.0, 0.0]), "Fewer non-zero entries"),
        (lambda r: r.integers(3, 3), "low >= high"),
        (lambda r: r.integers(300, dtype=np.uint8), "out of bounds"),
        (lambda r: r.hypergeometric(1, 1, 3), "ngood"),
    ],
)
def test_what_numpy_refuses_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call(numpy_generator(GeneratorRun(SamplingSource(1))))
    with pytest.raises(ValueError, match=r"."):
        call(np.random.default_rng(1))


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
