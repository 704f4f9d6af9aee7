"""Speed of bounds, by pytest-benchmark: `python -m pytest tests/benchmarks/bench_inference.py --benchmark-only`.

Each benchmark states its target; the file is not collected with the tests.
"""

from fractions import Fraction

from stirred.spec.blocks.domain import ordered_data_sets
from stirred.spec.blocks.input_premetric import hamming_ordered
from stirred.spec.blocks.multiverse import vacuous
from stirred.spec.blocks.specification import InputBlocks
from stirred.verify.audit.inference.inference import UniverseInference
from stirred.verify.audit.inference.learned import Asked
from stirred.verify.engines.inference.power import sharpest_power
from stirred.verify.ledger.engines.power_program import PowerProgram


def seconds(benchmark) -> float:
    return benchmark.stats.stats.min


def bounds() -> int:
    """Power and posterior at every distance on 64 data sets, under a budget of twelve decimals."""
    domain = ordered_data_sets(((0,), (1,)), [6])
    blocks = InputBlocks(domain, vacuous(domain), hamming_ordered("person"))
    found = UniverseInference(blocks, Fraction("2.225540928493"), Asked(), None)
    return len(list(found.by_distance()))


def test_every_bound_on_64_data_sets_takes_less_than_a_second(benchmark):
    assert benchmark.pedantic(bounds, rounds=3) == 12
    assert seconds(benchmark) < 1


def program() -> bool:
    """No mechanism of 12 outcomes on a path of three steps has more power."""
    edges = [(0, 1), (1, 2), (2, 3)]
    alpha, gamma = Fraction(1, 20), Fraction(5, 2)
    return PowerProgram(edges, (0, 3), 12, alpha, gamma).limited_by(sharpest_power(alpha, gamma, 3)).point is None


def test_a_linear_program_of_12_outcomes_takes_less_than_10_seconds(benchmark):
    assert benchmark.pedantic(program, rounds=3)
    assert seconds(benchmark) < 10
