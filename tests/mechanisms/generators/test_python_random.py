from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from fractions import Fraction

import pytest
from scipy.stats import chi2

from stirred.mechanisms.exact_law import exact_law
from stirred.mechanisms.generators.adapted import AdaptedMechanism, PythonRandom
from stirred.mechanisms.generators.grid_draw import GeneratorRun
from stirred.mechanisms.sampling import SamplingSource
from stirred.spec.arguments import InputError

LEAST_P = 1e-6
DRAWS = 800


def shuffled(rng):
    items = [1, 2, 3]
    rng.shuffle(items)
    return tuple(items)


METHODS = {
    "random": lambda r: r.random() < 0.3,
    "getrandbits": lambda r: r.getrandbits(3),
    "randbytes": lambda r: r.randbytes(1)[0] // 32,
    "randrange": lambda r: r.randrange(2, 11, 3),
    "many values of randrange": lambda r: r.randrange(10**9) < 3 * 10**8,
    "randint": lambda r: r.randint(1, 6),
    "choice": lambda r: r.choice("abc"),
    "choices": lambda r: tuple(r.choices([1, 2, 3], k=2)),
    "choices with weights": lambda r: r.choices("abc", weights=[1, 2, 3.5])[0],
    "choices with cumulated weights": lambda r: r.choices("ab", cum_weights=[0.3, 1.0])[0],
    "sample": lambda r: tuple(r.sample(range(5), 2)),
    "sample of many": lambda r: r.sample(range(100), 1)[0] // 20,
    "sample with counts": lambda r: tuple(r.sample(["a", "b"], 2, counts=[2, 1])),
    "shuffle": shuffled,
    "uniform": lambda r: int(r.uniform(-2, 3)),
    "triangular": lambda r: int(r.triangular(0, 4, 1)),
    "expovariate": lambda r: min(int(r.expovariate(0.8)), 3),
    "paretovariate": lambda r: r.paretovariate(2.0) < 1.5,
}


def same_distribution(first, second):
    counts = [Counter(first), Counter(second)]
    both = [[one[value] for one in counts] for value in set(first) | set(second)]
    return chi2.sf(sum((a - b) ** 2 / (a + b) for a, b in both), max(len(both) - 1, 1))


@pytest.mark.parametrize("method", METHODS)
def test_a_sample_is_distributed_as_pythons(method):
    program = METHODS[method]
    rng, source = random.Random(12345), SamplingSource(54321)  # noqa: S311 it is what is tested
    real = [program(rng) for _ in range(DRAWS)]
    ours = [program(PythonRandom(GeneratorRun(source))) for _ in range(DRAWS)]
    assert same_distribution(real, ours) > LEAST_P
    assert {type(value) for value in ours} == {type(value) for value in real}


def law(program):
    adapted = AdaptedMechanism(lambda _, rng: program(rng), {}, [0], "random")
    return exact_law(lambda data, source: adapted.program(data)(source), 0)


def test_small_laws_are_those_of_brute_force():
    assert dict(law(shuffled)) == dict.fromkeys(itertools.permutations((1, 2, 3)), Fraction(1, 6))
    assert dict(law(lambda r: tuple(r.sample("abc", 2)))) == dict.fromkeys(
        itertools.permutations("abc", 2), Fraction(1, 6)
    )
    assert dict(law(lambda r: r.randint(1, 6))) == dict.fromkeys(range(1, 7), Fraction(1, 6))
    assert dict(law(lambda r: r.getrandbits(2))) == dict.fromkeys(range(4), Fraction(1, 4))


def test_choices_are_those_of_floats():
    thirds = Counter(math.floor(k / 2**53 * 3.0) for k in (0, 2**52, 2**53 - 1))
    found = law(lambda r: r.choices(range(3))[0])
    assert found.keys() == thirds.keys()
    assert found[0] == Fraction(math.ceil(Fraction(2**53, 3)), 2**53)
    weighted = law(lambda r: r.choices("ab", weights=[0.1, 0.2])[0])
    total = 0.1 + 0.2
    first = next(k for k in range(2**53 // 3 - 99, 2**53) if k / 2**53 * total >= 0.1)
    assert weighted["a"] == Fraction(first, 2**53)


@pytest.mark.parametrize("name", ["gauss", "normalvariate", "betavariate", "gammavariate", "weibullvariate", "seed"])
def test_what_is_not_followed_is_refused(name):
    with pytest.raises(InputError, match=f"rng.{name} is not followed"):
        getattr(PythonRandom(GeneratorRun(SamplingSource(1))), name)(1, 1)


def test_it_is_a_random_with_no_state():
    rng = PythonRandom(GeneratorRun(SamplingSource(1)))
    assert isinstance(rng, random.Random)
    with pytest.raises(InputError, match="getstate is not followed"):
        rng.getstate()
    with pytest.raises(TypeError, match="must be a sequence"):
        rng.sample({1, 2}, 1)
    with pytest.raises(ValueError, match="larger than population"):
        rng.sample([1], 2)
