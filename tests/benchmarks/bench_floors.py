"""How near audits are to their floor: `python -m pytest tests/benchmarks/bench_floors.py`.

The floor is measured in the same process: the laws as a NumPy array of doubles, and one comparison for each outcome and
pair of data sets. It is neither exact nor does it read a claim, name a pair, or compute a law a second time. Times are
seconds of processor time of all processes. Not collected with the tests.
"""

import math
import os
import random
import subprocess
import sys
import time
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from pathlib import Path

import numpy as np
import pytest
from benchmarks.bench_domains import DELTA, built, processor_time

from stirred.verify.audit.audit import audit
from stirred.verify.evidence.verdict import Verdict

pytestmark = pytest.mark.benchmark(timer=processor_time)


def unrelated(number: int, outcomes: int) -> tuple[str, np.ndarray]:
    """A claim about data sets of one record with unrelated laws, each at distance 1 from all others; and the laws."""
    draw = random.Random(number)  # noqa: S311 a fixed sample
    rows, laws = [], []
    for x in range(number):
        weights = [draw.randint(50, 150) for _ in range(outcomes)]
        law = ", ".join(f'[{t}, "{w}/{sum(weights)}"]' for t, w in enumerate(weights))
        rows.append(f"[[[{x}]], [{law}]]")
        laws.append([w / sum(weights) for w in weights])
    text = (
        f'id = "unrelated"\nstatement = "A benchmark."\n[domain]\nschema = {{ value = {list(range(number))} }}\n'
        'records = 1\norder = "ordered"\n[multiverse]\ninvariants = []\n[input_premetric]\nname = "hamming_ordered"\n'
        f'resolution = "person"\n[output_premetric]\nname = {DELTA}\n[budget]\ngamma = 5\n'
        f'[mechanism]\nname = "kernel"\nlaws = [{", ".join(rows)}]\n'
    )
    return text, np.array(laws)


def largest_delta(laws: np.ndarray, gamma: float) -> float:
    """The largest E_γ of all pairs."""
    return max(float(np.maximum(law - gamma * laws, 0).sum(axis=1).max()) for law in laws)


def floor_seconds(compare) -> float:
    """The least of three runs."""
    found = []
    for _ in range(3):
        begin = time.process_time()
        compare()
        found.append(time.process_time() - begin)
    return min(found)


@pytest.mark.parametrize(("number", "seconds", "ratio"), [(256, 5, 800), (1024, 10, 150)])
def test_approximate_privacy_of_unrelated_laws(benchmark, tmp_path, number, seconds, ratio):
    text, laws = unrelated(number, 8)
    claim = built(tmp_path, text)
    record = benchmark.pedantic(lambda: audit(claim), rounds=1)
    floor = floor_seconds(lambda: largest_delta(laws, 5.0))
    benchmark.extra_info["floor"] = round(floor, 3)
    benchmark.extra_info["ratio"] = round(benchmark.stats.stats.min / floor)
    assert record.verdict is Verdict.EXHAUSTED
    assert largest_delta(laws, 5.0) < Fraction(1, 100)
    assert benchmark.stats.stats.min < min(seconds, ratio * floor)


def counts(size: int, mechanism: str) -> str:
    """A claim about counts 0, …, size − 1, each at the distance |x − x'| from the others."""
    return (
        f'id = "counts"\nstatement = "A benchmark."\n[domain]\ndata_sets = {list(range(size))}\n[multiverse]\n'
        'invariants = []\n[input_premetric]\nname = "absolute_difference"\nresolution = "person"\n'
        '[output_premetric]\nname = "multiplicative"\n[budget]\ngamma = "10/9"\n'
        f"[mechanism]\n{mechanism}\n"
    )


def clamped_loss(size: int) -> float:
    """The largest ratio of neighbours under the clamped geometric mechanism with the ratio 9/10."""
    places = np.arange(size)
    laws = 0.9 ** np.abs(places[:, None] - places)
    laws[:, 1:-1] *= 1 - 0.9
    ratios = laws[1:] / laws[:-1]
    return float(max(ratios.max(), (1 / ratios).max()))


OWN = """\
from fractions import Fraction
from itertools import combinations_with_replacement, permutations


def noisy(count, source):
    return source.clamp(count + source.discrete_laplace(Fraction(9, 10)), 0, {})
"""


@pytest.mark.parametrize(("size", "seconds"), [(64, 2), (128, 4), (256, 15)])
def test_clamped_geometric_noise_on_counts(benchmark, tmp_path, size, seconds):
    claim = built(tmp_path, counts(size, f'name = "clamped-geometric"\nsize = {size}\nratio = "9/10"'))
    record = benchmark.pedantic(lambda: audit(claim), rounds=1)
    floor = floor_seconds(lambda: clamped_loss(size))
    benchmark.extra_info["floor"] = round(floor, 5)
    benchmark.extra_info["ratio"] = round(benchmark.stats.stats.min / floor)
    assert record.verdict is Verdict.EXHAUSTED
    assert clamped_loss(size) == pytest.approx(10 / 9)
    assert benchmark.stats.stats.min < seconds


BY_HAND = """\
from fractions import Fraction
from itertools import combinations_with_replacement, permutations

A = Fraction(9, 10)


def noisy(count, source):
    inside, end = (1 - A) / (1 + A), 1 / (1 + A)
    return source.choose([A ** abs(t - count) * (end if t in (0, {0}) else inside) for t in range({0} + 1)])
"""
"""It is run once for each output, and computes its weights each time: that is its own work, and cubic in the size."""


def spent(folder: Path) -> float:
    """Processor time of the audit of a claim in this folder, by a command of its own: that of its workers, too."""
    before = os.times()
    command = [Path(sys.executable).with_name("stirred"), "audit", "claim.toml", "--seconds", "600"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    after = os.times()
    assert "counts: EXHAUSTED" in done.stdout, done.stderr
    return after.children_user - before.children_user + after.children_system - before.children_system


@pytest.mark.parametrize(("text", "size", "seconds"), [(OWN, 64, 6), (OWN, 128, 16), (BY_HAND, 64, 8)])
def test_clamped_noise_of_a_function_of_ones_own(benchmark, tmp_path, text, size, seconds):
    (tmp_path / "own.py").write_text(text.format(size - 1))
    (tmp_path / "claim.toml").write_text(counts(size, 'function = "own:noisy"'))
    found = []
    benchmark.pedantic(lambda: found.append(spent(tmp_path)), rounds=1)
    floor = floor_seconds(lambda: clamped_loss(size))
    benchmark.extra_info["processor seconds"] = round(found[0], 2)
    benchmark.extra_info["floor"] = round(floor, 5)
    benchmark.extra_info["ratio"] = round(found[0] / floor)
    assert found[0] < seconds


def swapping(records: int) -> str:
    """A claim that swapping counties of so many households, all that own or rent in two counties, has γ = n + 1."""
    return (
        'id = "swap"\nstatement = "A benchmark."\n[domain]\nschema = { own = [0, 1], county = [0, 1] }\n'
        f'records = {records}\n[multiverse]\ninvariants = ["swapping"]\n[input_premetric]\n'
        'name = "hamming_unordered"\nresolution = "household"\n[output_premetric]\nname = "multiplicative"\n'
        f'[budget]\ngamma = {records + 1}\n[mechanism]\nname = "permutation-swapping"\nswap_rate = "1/2"\n'
        'holding = ["own"]\nswapping = ["county"]\n'
    )


def swapping_loss(records: int) -> float:
    """The largest loss at p = 1/2 of a unit distance, over every permutation of every multiset of households."""
    orders = np.array(list(permutations(range(records))))
    moved = (orders != np.arange(records)).sum(axis=1)
    derangements = np.bincount(moved, minlength=records + 1) / [math.comb(records, k) for k in range(records + 1)]
    weights = 1 / np.where(derangements, derangements, 1)[moved]
    laws = []
    for kinds in combinations_with_replacement(range(4), records):
        own, county = np.array(kinds) // 2, np.array(kinds) % 2
        found, place = np.unique(((records + 1) ** (2 * own + county[orders])).sum(axis=1), return_inverse=True)
        law = np.bincount(place, weights=weights) / weights.sum()
        laws.append((np.bincount(kinds, minlength=4), dict(zip(found.tolist(), law.tolist(), strict=True))))
    return max(
        math.log(p / q[z]) / (np.abs(x - y).sum() / 2)
        for (x, law), (y, q) in permutations(laws, 2)
        for z, p in law.items()
        if z in q
    )


@pytest.mark.parametrize(("records", "seconds"), [(5, 2), (6, 3), (7, 12)])
def test_swapping_of_multisets_of_households(benchmark, tmp_path, records, seconds):
    claim = built(tmp_path, swapping(records))
    record = benchmark.pedantic(lambda: audit(claim), rounds=1)
    floor = floor_seconds(lambda: swapping_loss(records))
    benchmark.extra_info["floor"] = round(floor, 3)
    benchmark.extra_info["ratio"] = round(benchmark.stats.stats.min / floor)
    assert record.verdict is Verdict.EXHAUSTED
    assert 0 < swapping_loss(records) < math.log(records + 1)
    assert benchmark.stats.stats.min < seconds


def test_swapping_of_400_households_by_their_margins(benchmark, tmp_path):
    text = swapping(400).partition("[domain]")
    of_tables = text[2].partition("[multiverse]")[2].partition("holding")[0]
    margins = "[domain]\nmargins = [{ rows = [200, 200], columns = [200, 200] }]\n[multiverse]"
    claim = built(tmp_path, f"{text[0]}{margins}{of_tables}")
    record = benchmark.pedantic(lambda: audit(claim), rounds=1)
    assert record.verdict is Verdict.EXHAUSTED
    assert benchmark.stats.stats.min < 20
