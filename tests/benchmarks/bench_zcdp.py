"""Speed of the zCDP engine and the discrete Gaussian samplers, by pytest-benchmark.

Each benchmark states its target; OpenDP's sampler stands beside ours where it is installed (group `libraries`). The
file is not collected with the tests: `python -m pytest tests/benchmarks/bench_zcdp.py`.
"""

from fractions import Fraction

import pytest

from stirred.mechanisms import discrete_gaussian, fast
from stirred.mechanisms.interpreters.sampling import SamplingSource
from stirred.spec import Law
from stirred.verify.engines.zcdp.normalized_renyi import normalized_renyi_squared

DRAWS = 100_000


def seconds(benchmark) -> float:
    return benchmark.stats.stats.min


def law(weights: list[int]) -> Law[int]:
    return Law({i: Fraction(weight, sum(weights)) for i, weight in enumerate(weights)})


def test_two_laws_of_64_atoms_are_enclosed_to_12_digits_in_half_a_second(benchmark):
    p, q = law([(7 * i * i) % 101 + 1 for i in range(64)]), law([(13 * i * i) % 97 + 1 for i in range(64)])
    lower, upper = benchmark.pedantic(normalized_renyi_squared, (p, q), rounds=3)
    assert upper - lower <= Fraction(1, 10**12)
    assert seconds(benchmark) < 0.5


@pytest.mark.parametrize("variance", [Fraction(1), Fraction(100), Fraction(10**6)], ids=str)
@pytest.mark.benchmark(group="100,000 draws")
def test_the_program_draws_100_000_in_10_seconds(benchmark, variance):
    program, source = discrete_gaussian(variance), SamplingSource(1)
    benchmark.pedantic(lambda: [program(0, source) for _ in range(DRAWS)], rounds=1)
    assert seconds(benchmark) < 10


@pytest.mark.parametrize("variance", [Fraction(1), Fraction(100), Fraction(10**6)], ids=str)
@pytest.mark.benchmark(group="100,000 draws")
def test_opendp_draws_100_000(benchmark, variance):
    dp = pytest.importorskip("opendp.prelude", reason="opendp is not installed (group libraries)")
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)
    measure = dp.m.make_gaussian(*space, scale=float(variance) ** 0.5)
    drawn = benchmark.pedantic(measure, ([0] * DRAWS,), rounds=1)
    assert len(drawn) == DRAWS


@pytest.mark.parametrize("variance", [Fraction(1, 2), Fraction(100), Fraction(10**6)], ids=str)
@pytest.mark.parametrize("seed", [None, 1])
def test_the_arrays_draw_10_million_in_10_seconds(benchmark, variance, seed):
    drawn = benchmark.pedantic(fast.discrete_gaussian, (variance, 10**7), {"seed": seed}, rounds=1)
    benchmark.extra_info["draws per second"] = round(10**7 / seconds(benchmark))
    assert len(drawn) == 10**7
    assert seconds(benchmark) < 10
