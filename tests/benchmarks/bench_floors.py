"""How near audits are to their floor: `python -m pytest tests/benchmarks/bench_floors.py`.

The floor is measured in the same process: the laws as a NumPy array of doubles, and one comparison for each outcome and
pair of data sets. It is neither exact nor does it read a claim, name a pair, or compute a law a second time. Times are
seconds of processor time of all processes. Not collected with the tests.
"""

import random
import time
from fractions import Fraction

import numpy as np
import pytest
from benchmarks.bench_domains import DELTA, LIMITS, built, processor_time

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
    record = benchmark.pedantic(lambda: audit(claim, LIMITS), rounds=1)
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


def noisy(count, source):
    return source.clamp(count + source.discrete_laplace(Fraction(9, 10)), 0, {})
"""


@pytest.mark.parametrize(("size", "seconds"), [(64, 2), (128, 4), (256, 15)])
def test_clamped_geometric_noise_on_counts(benchmark, tmp_path, size, seconds):
    claim = built(tmp_path, counts(size, f'name = "clamped-geometric"\nsize = {size}\nratio = "9/10"'))
    record = benchmark.pedantic(lambda: audit(claim, LIMITS), rounds=1)
    floor = floor_seconds(lambda: clamped_loss(size))
    benchmark.extra_info["floor"] = round(floor, 5)
    benchmark.extra_info["ratio"] = round(benchmark.stats.stats.min / floor)
    assert record.verdict is Verdict.EXHAUSTED
    assert clamped_loss(size) == pytest.approx(10 / 9)
    assert benchmark.stats.stats.min < seconds


BY_HAND = """\
from fractions import Fraction

A = Fraction(9, 10)


def noisy(count, source):
    inside, end = (1 - A) / (1 + A), 1 / (1 + A)
    return source.choose([A ** abs(t - count) * (end if t in (0, {0}) else inside) for t in range({0} + 1)])
"""
"""It is run once for each output, and computes its weights each time: that is its own work, and cubic in the size."""


@pytest.mark.parametrize(("text", "size", "seconds"), [(OWN, 64, 4), (OWN, 128, 12), (OWN, 256, 45), (BY_HAND, 64, 9)])
def test_clamped_noise_of_a_function_of_ones_own(benchmark, tmp_path, text, size, seconds):
    (tmp_path / "own.py").write_text(text.format(size - 1))
    claim = built(tmp_path, counts(size, 'function = "own:noisy"'))
    record = benchmark.pedantic(lambda: audit(claim, LIMITS), rounds=1)
    floor = floor_seconds(lambda: clamped_loss(size))
    benchmark.extra_info["floor"] = round(floor, 5)
    benchmark.extra_info["ratio"] = round(benchmark.stats.stats.min / floor)
    assert record.verdict is Verdict.EXHAUSTED
    assert benchmark.stats.stats.min < seconds
