"""Speed of the core, by pytest-benchmark: `python -m pytest tests/benchmarks/bench_core.py --benchmark-only`.

Each benchmark states its target; the file is not collected with the tests.
"""

import subprocess
import sys
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from stirred.mechanisms import psa_law_by_choices
from stirred.mechanisms.fast import permutation_swapping
from stirred.spec import psa_budget
from stirred.spec.blocks.tables import margins_of_size
from stirred.spec.flavors.permutation_swapping import largest_stratum
from stirred.verify.engines.swapping.loss import universe_loss

RECORDS = 1_000_000


def seconds(benchmark) -> float:
    return benchmark.stats.stats.min


def test_psa_law_of_7_records_follows_every_choice_in_5_seconds(benchmark):
    law = benchmark.pedantic(psa_law_by_choices, (((2, 1, 1), (1, 1, 1)), Fraction(1, 3)), rounds=1)
    assert sum(law.values()) == 1
    assert seconds(benchmark) < 5


def exhaust(largest: int) -> int:
    """Theorem 1 on every universe of one stratum with up to so many records and four categories on each side."""
    checked = 0
    for size in range(1, largest + 1):
        for margins in product(margins_of_size(size, 4), repeat=2):
            assert universe_loss(*margins, Fraction(1, 2)) <= psa_budget(largest_stratum([margins]), Fraction(1, 2))
            checked += 1
    return checked


@pytest.mark.parametrize("largest", [4, 5, 6])
def test_universe_losses_are_exhausted_in_20_seconds(benchmark, largest):
    benchmark.extra_info["universes"] = benchmark.pedantic(exhaust, (largest,), rounds=1)
    assert seconds(benchmark) < 20


def test_a_cold_audit_takes_2_seconds(benchmark):
    command = [sys.executable, "-m", "stirred.verify.cli.main", "audit"]
    done = benchmark.pedantic(
        subprocess.run, (command,), {"capture_output": True, "timeout": 60, "check": False}, rounds=3
    )
    assert done.returncode in (0, 1, 3), done.stderr
    assert seconds(benchmark) < 2


@pytest.mark.parametrize("rate", [Fraction(1, 20), Fraction(1, 2)])
@pytest.mark.parametrize("strata", [1, 10, 100_000])
def test_a_million_records_are_swapped_in_a_second(benchmark, strata, rate):
    generator = np.random.default_rng(2026)
    matching, holding, swapping = (generator.integers(0, size, RECORDS) for size in (strata, 2, 14))
    counts = benchmark.pedantic(permutation_swapping, (matching, holding, swapping), {"swap_rate": rate}, rounds=3)
    assert int(counts.counts.sum()) == RECORDS
    benchmark.extra_info["records per second"] = round(RECORDS / seconds(benchmark))
    assert seconds(benchmark) < 1
