"""Speed of exhaustive audits, beside their floors: `python -m pytest tests/benchmarks/bench_audits.py`.

A row is a claim, the target in seconds of processor time of all processes, the verdict and, for some, a floor with the
largest ratio to it. A floor is measured in the same process: the laws as a NumPy array of doubles, and one comparison
for each outcome and pair of data sets. It is neither exact nor does it read a claim, name a pair, or compute a law a
second time. The engine as it is defined, which compares every pair of data sets one after another, stands beside the
present one where it ends in reasonable time. Not collected with the tests.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path

import numpy as np
import pytest
from benchmarks.measuring import cost, least, processor_time
from quality.brute_force import first_violation, largest_need, renyi_verdict

from stirred.spec.blocks.specification import Specification
from stirred.spec.budgets.loss import Loss
from stirred.verify.audit.audit import audit
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.exhaustive import check_specification
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims
from stirred.verify.laws.foreign import Limits

pytestmark = pytest.mark.benchmark(timer=processor_time)

MULT, DELTA, RENYI = '"multiplicative"', '"approximate_multiplicative"\ndelta = "1/100"', '"normalized_renyi"'
RESPONSE = 'name = "randomized-response"\nflip_probability = "1/4"'
COUNT = 'function = "noisy:count"'
SYMMETRIC = '\nsymmetry = ["records"]'
PROGRAM = """\
from fractions import Fraction

NOISE = tuple(Fraction(2 ** min(k, 28 - k), 3 * 2**14 - 2) for k in range(29))


def count(data, source):
    return max(0, min(14, sum(answer for (answer,) in data) + source.choose(NOISE) - 14))
"""


def claim_text(domain, premetric, measure, budget, mechanism, *, invariants="[]", unit="person"):
    return (
        f'id = "timed"\nstatement = "A benchmark."\n[domain]\n{domain}\n[multiverse]\ninvariants = {invariants}\n'
        f'[input_premetric]\nname = {premetric}\nresolution = "{unit}"\n[output_premetric]\nname = {measure}\n'
        f"[budget]\n{budget}\n[mechanism]\n{mechanism}\n"
    )


def bits(number, measure, budget, mechanism, metric="hamming_ordered"):
    """Of ordered binary records."""
    domain = f'schema = {{ answer = [0, 1] }}\nrecords = {number}\norder = "ordered"'
    return claim_text(domain, f'"{metric}"', measure, budget, mechanism)


def unrelated_laws(number, outcomes):
    """Weights of laws that share nothing."""
    draw = random.Random(number)  # noqa: S311 a fixed sample
    return [[draw.randint(50, 150) for _ in range(outcomes)] for _ in range(number)]


def unrelated(number, outcomes, measure, budget):
    """Of data sets of one record, every two at distance 1, with unrelated laws: nothing can be shared."""
    rows = []
    for x, weights in enumerate(unrelated_laws(number, outcomes)):
        law = ", ".join(f'[{t}, "{w}/{sum(weights)}"]' for t, w in enumerate(weights))
        rows.append(f"[[[{x}]], [{law}]]")
    domain = f'schema = {{ value = {list(range(number))} }}\nrecords = 1\norder = "ordered"'
    return claim_text(domain, '"hamming_ordered"', measure, budget, f'name = "kernel"\nlaws = [{", ".join(rows)}]')


def counts(size, mechanism):
    """Of counts 0, …, size − 1, each at the distance |x − x'| from the others."""
    domain = f"data_sets = {list(range(size))}"
    return claim_text(domain, '"absolute_difference"', MULT, 'gamma = "10/9"', mechanism)


def geometric(size):
    return counts(size, f'name = "clamped-geometric"\nsize = {size}\nratio = "9/10"')


def swapping(records, domain="schema = { own = [0, 1], county = [0, 1] }", mechanism=True):
    """Swapping counties of households, all that own or rent in two counties, with γ = n + 1."""
    given = '\nholding = ["own"]\nswapping = ["county"]' if mechanism else ""
    return claim_text(
        f"{domain}\nrecords = {records}" if mechanism else domain,
        '"hamming_unordered"', MULT, f"gamma = {records + 1}",
        f'name = "permutation-swapping"\nswap_rate = "1/2"{given}', invariants='["swapping"]', unit="household",
    )  # fmt: skip


@cache
def unrelated_array(number, outcomes):
    return np.array([[w / sum(weights) for w in weights] for weights in unrelated_laws(number, outcomes)])


def largest_delta(number, outcomes):
    """The largest E_5 of all pairs of unrelated laws."""
    laws = unrelated_array(number, outcomes)
    return max(float(np.maximum(law - 5.0 * laws, 0).sum(axis=1).max()) for law in laws)


def clamped_loss(size):
    """The largest ratio of neighbours under the clamped geometric mechanism with the ratio 9/10."""
    places = np.arange(size)
    laws = 0.9 ** np.abs(places[:, None] - places)
    laws[:, 1:-1] *= 1 - 0.9
    ratios = laws[1:] / laws[:-1]
    return float(max(ratios.max(), (1 / ratios).max()))


def swapping_loss(records):
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


@dataclass(frozen=True)
class Row:
    """A claim, its target in seconds, its verdict; a floor, what its value is at most, and the largest ratio to it."""

    text: str
    seconds: float
    verdict: Verdict = Verdict.EXHAUSTED
    floor: Callable[[], float] | None = None
    most: float = math.inf
    ratio: float = math.inf


MARGINS = "margins = [{ rows = [200, 200], columns = [200, 200] }]"
ROWS = {
    "7 bits": Row(bits(7, MULT, "gamma = 3", RESPONSE), 2),
    "10 bits": Row(bits(10, MULT, "gamma = 3", RESPONSE), 10),
    "11 bits": Row(bits(11, MULT, "gamma = 3", RESPONSE), 8),
    "11 bits, symmetric": Row(bits(11, MULT, "gamma = 3", RESPONSE + SYMMETRIC), 8),
    "14 bits": Row(bits(14, MULT, "gamma = 3", COUNT, "neighbors_replace_one_ordered"), 60),
    "14 bits, far": Row(bits(14, MULT, "gamma = 3", COUNT), 60),
    "8 bits, delta": Row(bits(8, DELTA, "gamma = 3", RESPONSE), 5),
    "8 bits, count, delta": Row(bits(8, DELTA, "gamma = 3", COUNT), 5),
    "11 bits, delta, symmetric": Row(bits(11, DELTA, "gamma = 3", COUNT + SYMMETRIC), 10),
    "6 bits, zCDP": Row(bits(6, RENYI, 'rho_squared = "0.55"', RESPONSE), 30, Verdict.ENCLOSED),
    "64 unrelated laws, zCDP": Row(unrelated(64, 8, RENYI, 'rho_squared = "0.25"'), 30, Verdict.ENCLOSED),
    **{
        f"{number} unrelated laws, delta": Row(
            unrelated(number, 8, DELTA, "gamma = 5"), seconds, floor=partial(largest_delta, number, 8),
            most=1 / 100, ratio=ratio,
        )
        for number, seconds, ratio in ((256, 5, 800), (1024, 10, 150))
    },
    **{
        f"clamped geometric, {size} counts": Row(
            geometric(size), seconds, floor=partial(clamped_loss, size), most=10 / 9 + 1e-9
        )
        for size, seconds in ((64, 2), (128, 4), (256, 15))
    },
    **{
        f"swapping {records} households": Row(
            swapping(records), seconds, floor=partial(swapping_loss, records), most=math.log(records + 1)
        )
        for records, seconds in ((5, 2), (6, 3), (7, 12))
    },
    "swapping 400 households by their margins": Row(swapping(400, MARGINS, mechanism=False), 20),
}  # fmt: skip


def built(folder: Path, text: str):
    (folder / "noisy.py").write_text(PROGRAM)
    (folder / "claim.toml").write_text(text)
    return build_claim(read_claims([folder / "claim.toml"])[0], Limits(seconds=600, jobs=1))


def beside_floor(benchmark, seconds, floor):
    """The ratio to the floor, which is kept."""
    (least_seconds,) = least(floor)
    ratio = seconds / least_seconds
    benchmark.extra_info.update(floor=round(least_seconds, 5), ratio=round(ratio))
    return ratio


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_an_audit_takes_at_most(benchmark, tmp_path, row):
    claim = built(tmp_path, row.text) if row.floor else None  # a floor reads no claim
    record = benchmark.pedantic(lambda: audit(claim or built(tmp_path, row.text)), rounds=1)
    seconds = benchmark.stats.stats.min
    assert record.verdict is row.verdict
    assert seconds < row.seconds
    if row.floor is not None:
        assert 0 <= row.floor() <= row.most
        assert beside_floor(benchmark, seconds, row.floor) < row.ratio


OWN = """\
from fractions import Fraction


def noisy(count, source):
    return source.clamp(count + source.discrete_laplace(Fraction(9, 10)), 0, {})
"""
BY_HAND = """\
from fractions import Fraction

A = Fraction(9, 10)


def noisy(count, source):
    inside, end = (1 - A) / (1 + A), 1 / (1 + A)
    return source.choose([A ** abs(t - count) * (end if t in (0, {0}) else inside) for t in range({0} + 1)])
"""
"""It is run once for each output, and computes its weights each time: that is its own work, and cubic in the size."""


@pytest.mark.parametrize(("text", "size", "seconds"), [(OWN, 64, 6), (OWN, 128, 16), (BY_HAND, 64, 8)])
def test_a_function_of_ones_own_takes_at_most(benchmark, tmp_path, text, size, seconds):
    """By a command of its own, with that of its workers."""
    (tmp_path / "own.py").write_text(text.format(size - 1))
    (tmp_path / "claim.toml").write_text(counts(size, 'function = "own:noisy"'))
    words = ("-m", "stirred", "audit", "claim.toml", "--seconds", "600")
    found = benchmark.pedantic(cost, words, {"cwd": tmp_path}, rounds=1)
    beside_floor(benchmark, found.processor, lambda: clamped_loss(size))
    assert found.processor < seconds


def compared(folder: Path, text: str):
    """The laws and the flavor of a claim."""
    claim = built(folder, text)
    setting, points = claim.cases[0].setting, claim.flavor.domain.points
    return claim.mechanism.function.laws(points, setting, is_ordered=True).laws, claim.flavor


def every_pair(laws, flavor, budget):
    specification = Specification.constant(flavor, budget)
    return largest_need(laws, flavor, flavor.multiverse), first_violation(laws, specification)


def at_once(laws, flavor, budget):
    comparison = ComparedLaws(laws, flavor)
    return comparison.largest_need(flavor.multiverse), comparison.first_violation(
        Specification.constant(flavor, budget)
    )


def renyi_of_every_pair(laws, flavor, budget):
    return renyi_verdict(laws, Specification.constant(flavor, budget))[0]


def renyi_at_once(laws, flavor, budget):
    return check_specification(laws, Specification.constant(flavor, budget), "all").verdict


@pytest.mark.parametrize(
    ("text", "budget", "ways"),
    [
        (bits(6, MULT, "gamma = 3", RESPONSE), Loss(3), (every_pair, at_once, 10)),
        (bits(6, DELTA, "gamma = 3", RESPONSE), Loss(3), (every_pair, at_once, 10)),
        (unrelated(48, 10, DELTA, "gamma = 4"), Loss(4), (every_pair, at_once, 1)),
        (unrelated(12, 8, RENYI, 'rho_squared = "0.3"'), Fraction(3, 10), (renyi_of_every_pair, renyi_at_once, 2)),
    ],
    ids=["6 bits", "6 bits, delta", "48 laws, delta", "12 laws, zCDP"],
)
def test_it_takes_so_much_less_than_comparing_every_pair(benchmark, tmp_path, text, budget, ways):
    laws, flavor = compared(tmp_path, text)
    slow, fast, factor = ways
    begin = processor_time()
    expected = slow(laws, flavor, budget)
    every = processor_time() - begin
    assert benchmark.pedantic(fast, (laws, flavor, budget), rounds=3) == expected
    benchmark.extra_info["every pair"] = round(every, 2)
    assert benchmark.stats.stats.min < every / factor


RESPONSES = {
    "a source, 7 bits": ("source", "source.bernoulli(Fraction(3, 4))", 7, 3),
    "NumPy, 6 bits": ("rng: np.random.Generator", "rng.random() < 0.75", 6, 4),
    "random, 4 bits": ("", "random.random() < 0.75", 4, 4),
}
"""Randomized response as a function of one's own: what it takes, when it keeps an answer; its size and target."""


@pytest.mark.parametrize("response", RESPONSES.values(), ids=RESPONSES)
def test_randomized_response_of_ones_own_takes_at_most(benchmark, tmp_path, response):
    taken, keeps, size, seconds = response
    kept = f"tuple(int(x if {keeps} else 1 - x) for (x,) in data)"
    head = "import random\nfrom fractions import Fraction\n\nimport numpy as np\n\n\n"
    (tmp_path / "own.py").write_text(f"{head}def f(data{', ' * bool(taken)}{taken}):\n    return {kept}\n")
    (tmp_path / "claim.toml").write_text(bits(size, MULT, "gamma = 3", 'function = "own:f"'))
    words = ("-m", "stirred", "audit", "claim.toml", "--seconds", "600")
    found = benchmark.pedantic(cost, words, {"cwd": tmp_path}, rounds=1)
    assert found.processor < seconds


NOISY = """\
import numpy as np


def noisy_maximum(answers, rng: np.random.Generator):
    return int(np.argmax([x + rng.laplace(scale=2) for x in answers]))


def noisy_maximum_by_a_loop(answers, rng: np.random.Generator):
    best = top = 0
    for i, x in enumerate(answers):
        noisy = x + rng.laplace(scale=2)
        if i == 0 or noisy > top:
            best, top = i, noisy
    return best


def above_threshold(answers, rng: np.random.Generator):
    limit = 1 + rng.laplace(scale=2)
    for i, x in enumerate(answers):
        if x + rng.laplace(scale=4) >= limit:
            return i
    return -1


def adaptive_sparse_vector(answers, rng: np.random.Generator):
    out, spent = [], 2
    limit = rng.laplace(scale=2)
    for x in answers:
        top = x + rng.laplace(scale=8) - limit
        if top >= 16:
            out.append(top)
            spent += 1
        else:
            middle = x + rng.laplace(scale=4) - limit
            out.append(middle if middle >= 0 else 0)
            spent += 2 * (middle >= 0)
        if spent > 2:
            break
    return out
"""
GRID = np.linspace(-60, 60, 4_001)


def laplace_below(z, scale):
    return np.where(z < 0, np.exp(-abs(z) / scale) / 2, 1 - np.exp(-abs(z) / scale) / 2)


def integrated(values):
    return float(values.sum() * (GRID[1] - GRID[0]))


def largest_log_ratio(laws):
    laws = np.array(laws)
    return max(float(np.log(laws / law).max()) for law in laws)


def noisy_maximum_loss(size):
    """By a sum over a grid of the winner's noise, the laws of all answers in {0, 1}^size."""
    density, below = np.exp(-abs(GRID) / 2) / 4, {k: laplace_below(GRID + k, 2) for k in (-1, 0, 1)}
    laws = []
    for x in product((0, 1), repeat=size):
        parts = [math.prod([below[x[i] - x[j]] for j in range(size) if j != i], start=density) for i in range(size)]
        laws.append([integrated(part) for part in parts])
    return largest_log_ratio(laws)


def above_threshold_loss(size):
    """By a sum over a grid of the threshold's noise."""
    density, below = np.exp(-abs(GRID) / 2) / 4, {k: laplace_below(GRID + 1 - k, 4) for k in (0, 1)}
    laws = []
    for x in product((0, 1), repeat=size):
        left, law = density, []
        for answer in x:
            law.append(integrated(left * (1 - below[answer])))
            left = left * below[answer]
        laws.append([*law, integrated(left)])
    return largest_log_ratio(laws)


def adaptive_sparse_vector_loss(size):
    """By a grid of the threshold's noise and one of what is released after answers below it."""
    shown, step = np.linspace(0, 40, 401), 10
    density, grid = np.exp(-abs(GRID[::step]) / 2) / 4, GRID[::step]
    noise = {scale: lambda z, scale=scale: np.exp(-abs(z) / scale) / (2 * scale) for scale in (4, 8)}
    laws = []
    for x in product((0, 1), repeat=size):
        left, law = density, []
        for answer in x:
            low = laplace_below(grid + 16 - answer, 8)
            at = shown[:, None] + grid - answer
            released = np.where(shown[:, None] >= 16, noise[8](at), 0) + low * noise[4](at)
            law += list((left * released).sum(axis=1))
            left = left * low * laplace_below(grid - answer, 4)
        laws.append(law)
    return largest_log_ratio(laws)


@dataclass(frozen=True)
class Noisy:
    """A mechanism with noise of the reals on all of {0, 1}^size, its target, its floor and the largest ratio to it."""

    name: str
    size: int
    seconds: float
    floor: Callable[[int], float]
    ratio: float


NOISES = (
    Noisy("noisy_maximum", 6, 2, noisy_maximum_loss, 1_500),
    Noisy("noisy_maximum_by_a_loop", 5, 6, noisy_maximum_loss, 8_000),
    Noisy("above_threshold", 4, 1, above_threshold_loss, 7_000),
    Noisy("adaptive_sparse_vector", 3, 5, adaptive_sparse_vector_loss, 120),
)


@pytest.mark.parametrize("noisy", NOISES, ids=[f"{one.name}, {one.size} answers" for one in NOISES])
def test_noise_of_the_reals_takes_at_most(benchmark, tmp_path, noisy):
    """By a command of its own, with that of its workers; the floor is near the smallest budget."""
    (tmp_path / "noisy.py").write_text(NOISY)
    asked = (
        "import itertools, noisy, stirred\n"
        f"data = [*itertools.product((0, 1), repeat={noisy.size})]\n"
        f"found = stirred.smallest_budget(noisy.{noisy.name}, data_sets=data, "
        "distance=lambda x, y: int(x != y), numerics='real', limits=stirred.Limits(seconds=600))\n"
        "open('found', 'w').write(str(float(found.lower)))\n"
    )
    (tmp_path / "asked.py").write_text(asked)
    found = benchmark.pedantic(cost, ("asked.py",), {"cwd": tmp_path}, rounds=1)
    assert float((tmp_path / "found").read_text()) == pytest.approx(noisy.floor(noisy.size), rel=1e-3)
    assert beside_floor(benchmark, found.processor, lambda: noisy.floor(noisy.size)) < noisy.ratio
    assert found.processor < noisy.seconds
