"""Speed of exhaustive audits on larger domains: `python -m pytest tests/benchmarks/bench_domains.py`.

Each benchmark states its target in seconds of processor time, those of all processes, since other work on the machine
changes the time on the clock most; the engine as it is defined, which compares every pair of data sets one after
another, stands beside the present one where it ends in reasonable time. Not collected with the tests.
"""

import os
import random
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
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

LIMITS = Limits(seconds=600, jobs=1)


def processor_time() -> float:
    """Seconds of this process and of those that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


pytestmark = pytest.mark.benchmark(timer=processor_time)

RESPONSE = 'name = "randomized-response"\nflip_probability = "1/4"'
COUNT = 'function = "noisy:count"'
PROGRAM = """\
from fractions import Fraction

NOISE = tuple(Fraction(2 ** min(k, 28 - k), 3 * 2**14 - 2) for k in range(29))


def count(data, source):
    return max(0, min(14, sum(answer for (answer,) in data) + source.choose(NOISE) - 14))
"""
DELTA = '"approximate_multiplicative"\ndelta = "1/100"'


SYMMETRIC = COUNT + '\nsymmetry = ["records"]'
SYMMETRIC_RESPONSE = RESPONSE + '\nsymmetry = ["records"]'


def bits(number: int, metric: str, measure: str, budget: str, mechanism: str) -> str:
    """A claim about so many ordered binary records."""
    return (
        'id = "bits"\nstatement = "A benchmark."\n[domain]\nschema = { answer = [0, 1] }\n'
        f'records = {number}\norder = "ordered"\n[multiverse]\ninvariants = []\n[input_premetric]\n'
        f'name = "{metric}"\nresolution = "person"\n[output_premetric]\nname = {measure}\n[budget]\n{budget}\n'
        f"[mechanism]\n{mechanism}\n"
    )


def kernel(number: int, outcomes: int, measure: str, budget: str) -> str:
    """A claim about so many data sets, every two at distance 1, with unrelated laws: nothing can be shared."""
    draw = random.Random(number)  # noqa: S311 a fixed sample
    rows = []
    for x in range(number):
        weights = [draw.randint(50, 150) for _ in range(outcomes)]
        law = ", ".join(f'[{t}, "{w}/{sum(weights)}"]' for t, w in enumerate(weights))
        rows.append(f"[{x}, [{law}]]")
    near = ", ".join(f"[{x}, {y}, 1], [{y}, {x}, 1]" for x, y in combinations(range(number), 2))
    return (
        f'id = "kernel"\nstatement = "A benchmark."\n[domain]\ndata_sets = {list(range(number))}\n[multiverse]\n'
        f'invariants = []\n[input_premetric]\nname = "explicit"\nresolution = "person"\ndistances = [{near}]\n'
        f"[output_premetric]\nname = {measure}\n[budget]\n{budget}\n"
        f'[mechanism]\nname = "kernel"\nlaws = [{", ".join(rows)}]\n'
    )


def built(folder: Path, text: str):
    (folder / "noisy.py").write_text(PROGRAM)
    (folder / "claim.toml").write_text(text)
    return build_claim(read_claims([folder / "claim.toml"])[0], LIMITS)


@pytest.mark.parametrize(
    ("text", "seconds", "verdict"),
    [
        (bits(7, "hamming_ordered", '"multiplicative"', "gamma = 3", RESPONSE), 2, Verdict.EXHAUSTED),
        (bits(10, "hamming_ordered", '"multiplicative"', "gamma = 3", RESPONSE), 10, Verdict.EXHAUSTED),
        (bits(11, "hamming_ordered", '"multiplicative"', "gamma = 3", RESPONSE), 8, Verdict.EXHAUSTED),
        (bits(11, "hamming_ordered", '"multiplicative"', "gamma = 3", SYMMETRIC_RESPONSE), 8, Verdict.EXHAUSTED),
        (bits(14, "neighbors_replace_one_ordered", '"multiplicative"', "gamma = 3", COUNT), 60, Verdict.EXHAUSTED),
        (bits(14, "hamming_ordered", '"multiplicative"', "gamma = 3", COUNT), 60, Verdict.EXHAUSTED),
        (bits(8, "hamming_ordered", DELTA, "gamma = 3", RESPONSE), 5, Verdict.EXHAUSTED),
        (bits(8, "hamming_ordered", DELTA, "gamma = 3", COUNT), 5, Verdict.EXHAUSTED),
        (bits(11, "hamming_ordered", DELTA, "gamma = 3", SYMMETRIC), 10, Verdict.EXHAUSTED),
        (bits(6, "hamming_ordered", '"normalized_renyi"', 'rho_squared = "0.55"', RESPONSE), 30, Verdict.ENCLOSED),
        (kernel(64, 8, '"normalized_renyi"', 'rho_squared = "0.25"'), 30, Verdict.ENCLOSED),
    ],
    ids=[
        "7 bits",
        "10 bits",
        "11 bits",
        "11 bits records",
        "14 bits",
        "14 bits far",
        "8 bits delta",
        "8 bits count delta",
        "11 bits symmetry",
        "6 bits zcdp",
        "64 zcdp",
    ],
)
def test_an_audit_takes_so_long(benchmark, tmp_path, text, seconds, verdict):
    record = benchmark.pedantic(lambda: audit(built(tmp_path, text)), rounds=1)
    assert record.verdict is verdict
    assert benchmark.stats.stats.min < seconds


def compared(folder: Path, text: str):
    """The laws and the flavor of a claim."""
    claim = built(folder, text)
    setting, points = claim.cases[0].setting, claim.flavor.domain.points
    found = claim.mechanism.function.laws(points, setting, is_ordered=True)
    return found.laws, claim.flavor


@pytest.mark.parametrize(
    ("text", "budget", "factor"),
    [
        (bits(6, "hamming_ordered", '"multiplicative"', "gamma = 3", RESPONSE), Loss(3), 10),
        (bits(6, "hamming_ordered", DELTA, "gamma = 3", RESPONSE), Loss(3), 10),
        (kernel(48, 10, DELTA, "gamma = 4"), Loss(4), 1),
    ],
    ids=["6 bits", "6 bits delta", "48 delta"],
)
def test_it_takes_so_much_less_than_comparing_every_pair(benchmark, tmp_path, text, budget, factor):
    laws, flavor = compared(tmp_path, text)
    specification = Specification.constant(flavor, budget)
    begin = processor_time()
    expected = largest_need(laws, flavor, flavor.multiverse), first_violation(laws, specification)
    every = processor_time() - begin

    def fast():
        comparison = ComparedLaws(laws, flavor)
        return comparison.largest_need(flavor.multiverse), comparison.first_violation(specification)

    assert benchmark.pedantic(fast, rounds=3) == expected
    benchmark.extra_info["every pair"] = round(every, 2)
    assert benchmark.stats.stats.min < every / factor


def test_zcdp_takes_so_much_less_than_comparing_every_pair(benchmark, tmp_path):
    laws, flavor = compared(tmp_path, kernel(12, 8, '"normalized_renyi"', 'rho_squared = "0.3"'))
    specification = Specification.constant(flavor, Fraction(3, 10))
    begin = processor_time()
    assert renyi_verdict(laws, specification)[0] is Verdict.ENCLOSED
    every = processor_time() - begin
    found = benchmark.pedantic(lambda: check_specification(laws, specification, "all"), rounds=3)
    assert found.verdict is Verdict.ENCLOSED
    benchmark.extra_info["every pair"] = round(every, 2)
    assert benchmark.stats.stats.min < every / 2
