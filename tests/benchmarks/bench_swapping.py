"""Speed of the exact analysis of swapping, by pytest-benchmark: `python -m pytest tests/benchmarks/bench_swapping.py`.

Each benchmark states its target; the file is not collected with the tests.
"""

from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial

import pytest

from stirred.mechanisms import psa_law, psa_law_by_choices
from stirred.mechanisms.swapping.permutation_counts import likelihood
from stirred.spec.blocks.tables import margins_of_size
from stirred.verify.engines.swapping.bounds import certified_budget
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.ledger.engines.polynomials import decide_ratio, printed_budget, universe_ratios

COUNTIES = (11286, 33153, 97678, 1741, 135236, 13875, 88763, 18057, 251831, 1025, 85170, 48739, 226209, 131661)


def seconds(benchmark) -> float:
    return benchmark.stats.stats.min


@pytest.mark.parametrize("cells", [((5, 5, 5),) * 3, ((2, 1, 2, 1), (1, 2, 1, 2)) * 2], ids=["3x3-45", "4x4-24"])
def test_one_likelihood_of_large_tables_in_a_second(benchmark, cells):
    assert 0 < benchmark(likelihood, cells, cells, Fraction(1, 20)) < 1
    assert seconds(benchmark) < 1


def test_counting_beats_listing_at_seven_records(benchmark):
    table, rate = ((2, 1, 1), (1, 1, 1)), Fraction(1, 3)
    law = benchmark(psa_law, table, rate)
    benchmark.extra_info["permutations listed by the reference"] = factorial(7)
    assert law == psa_law_by_choices(table, rate)


@pytest.mark.benchmark(group="reference")
def test_listing_at_seven_records(benchmark):
    law = benchmark.pedantic(psa_law_by_choices, (((2, 1, 1), (1, 1, 1)), Fraction(1, 3)), rounds=1)
    assert sum(law.values()) == 1


def decide_all(largest: int) -> int:
    """The printed budget for all p in every universe with up to so many records and 4 × 4 categories."""
    decided = 0
    for size in range(2, largest + 1):
        margins = [m for m in margins_of_size(size, 4) if len(m) > 1]
        for rows, columns in combinations_with_replacement(margins, 2):
            for ratio in universe_ratios(rows, columns):
                assert isinstance(decide_ratio(ratio, printed_budget(size)), tuple)
                decided += 1
    return decided


def test_all_rates_up_to_six_records_in_20_seconds(benchmark):
    assert benchmark.pedantic(decide_all, (6,), rounds=1) > 7000
    assert seconds(benchmark) < 20


def test_a_balanced_universe_of_100_records_in_a_minute(benchmark):
    assert benchmark.pedantic(universe_loss, ((50, 50), (50, 50), Fraction(1, 2)), rounds=1).witness is not None
    assert seconds(benchmark) < 60


def test_a_two_by_three_universe_of_24_records_in_a_second(benchmark):
    assert benchmark(universe_loss, (12, 12), (8, 8, 8), Fraction(1, 2)).witness is not None
    assert seconds(benchmark) < 1


def test_the_certified_budget_of_a_million_records_in_20_seconds(benchmark):
    rate = Fraction(1, 2)
    found = benchmark.pedantic(certified_budget, ((435_805, 708_619), COUNTIES, rate), rounds=1)
    assert found.epsilon().upper < 2
    assert seconds(benchmark) < 20
