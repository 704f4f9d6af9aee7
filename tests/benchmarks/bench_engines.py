"""Speed of engines, samplers and starts: `python -m pytest tests/benchmarks/bench_engines.py`.

A row is what is run, the target in seconds of processor time, and what must be true of the result. Not collected with
the tests.
"""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.measuring import processor_time

from stirred.mechanisms import discrete_gaussian, psa_law, psa_law_by_choices
from stirred.mechanisms.fast.inversion import discrete_gaussian as array_gaussian
from stirred.mechanisms.fast.permutation_swapping import draw_moves
from stirred.mechanisms.interpreters.sampling import SamplingSource
from stirred.mechanisms.swapping.permutation_counts import likelihood
from stirred.spec import Law, Loss, Multiplicative, psa_budget
from stirred.spec.blocks.domain import FiniteDomain, ordered_data_sets
from stirred.spec.blocks.input_premetric import InputPremetric, hamming_ordered
from stirred.spec.blocks.multiverse import induced, vacuous
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.blocks.tables import margins_of_size
from stirred.spec.flavors.permutation_swapping import largest_stratum
from stirred.spec.laws.p_table import PTable, PTableRow
from stirred.spec.output_premetrics import ApproximateMultiplicative
from stirred.verify.audit.inference.inference import UniverseInference
from stirred.verify.audit.inference.learned import Asked
from stirred.verify.cli.main import main
from stirred.verify.engines.algebra.comparison import Decision, stronger
from stirred.verify.engines.algebra.corners import BLOCKS, Side, corner_losses
from stirred.verify.engines.cell_key import count_curve, moved_record_curve
from stirred.verify.engines.inference.power import sharpest_power
from stirred.verify.engines.swapping.bounds import certified_budget
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.engines.zcdp.normalized_renyi import normalized_renyi_squared
from stirred.verify.ledger.engines.polynomials import decide_ratio, printed_budget, universe_ratios
from stirred.verify.ledger.engines.power_program import PowerProgram
from stirred.verify.ledger.engines.small_domains import domain_of, multiverses, specification

pytestmark = pytest.mark.benchmark(timer=processor_time)

HALF = Fraction(1, 2)
COUNTIES = (11286, 33153, 97678, 1741, 135236, 13875, 88763, 18057, 251831, 1025, 85170, 48739, 226209, 131661)
SEVEN = (((2, 1, 1), (1, 1, 1)), Fraction(1, 3))


@dataclass(frozen=True)
class Row:
    """What is run, the target in seconds, and what must be true of the result."""

    run: Callable[[], Any]
    seconds: float
    holds: Callable[[Any], bool]
    rounds: int = 1


def refinements() -> int:
    """All multiverses on three data sets with all budgets in {ln 2, ln 4} on their universes, against {X} at ln 2."""
    domain = domain_of(3)
    table = dict.fromkeys(permutations(range(3), 2), 1)
    values = (Loss(Fraction(2)), Loss(Fraction(4)))
    whole = vacuous(domain)
    reference = specification(domain, dict.fromkeys(whole, values[0]), table).matrix()
    compared = 0
    for multiverse in multiverses(domain):
        assert multiverse.refines(whole)
        for chosen in product(values, repeat=len(multiverse)):
            claim = specification(domain, dict(zip(multiverse, chosen, strict=True)), table).matrix()
            assert stronger(reference, claim).answer is Decision.YES
            assert stronger(claim, reference).answer is not Decision.UNDECIDED
            compared += 1
    return compared


def corners() -> int:
    """The sixteen corners of 256 data sets with 64 outputs, and half of them."""
    laws = {x: law([1 + (x * (t + 3) + t * t) % 97 for t in range(64)]) for x in range(256)}
    sides = {}
    for letter, size in (("H", 256), ("C", 128)):
        domain = FiniteDomain(tuple(range(size)))
        near = InputPremetric("near", "unit", lambda x, y: 1 + abs(x - y) // 4)
        premetrics = {"H": InputPremetric("far", "unit", lambda x, y: 1 + abs(x - y) // 16), "C": near}
        universes = {"H": vacuous(domain), "C": induced(domain, lambda x: x % 4)}
        sides[letter] = Side(domain, {x: laws[x] for x in range(size)}, universes, premetrics)
    measures = {"H": Multiplicative(), "C": ApproximateMultiplicative(Fraction(1, 10))}
    return len(corner_losses(sides, measures, BLOCKS))


def exhaust(largest: int) -> None:
    """Theorem 1 on every universe of one stratum with up to `largest` records and four categories on each side."""
    for size in range(1, largest + 1):
        for margins in product(margins_of_size(size, 4), repeat=2):
            assert universe_loss(*margins, HALF) <= psa_budget(largest_stratum([margins]), HALF)


def decide_all(largest: int) -> int:
    """The printed budget for all p in every universe with up to `largest` records and 4 × 4 categories."""
    decided = 0
    for size in range(2, largest + 1):
        margins = [m for m in margins_of_size(size, 4) if len(m) > 1]
        for rows, columns in combinations_with_replacement(margins, 2):
            for ratio in universe_ratios(rows, columns):
                assert isinstance(decide_ratio(ratio, printed_budget(size)), tuple)
                decided += 1
    return decided


def bounds() -> int:
    """Power and posterior at every distance on 64 data sets, under a budget of twelve decimals."""
    domain = ordered_data_sets(((0,), (1,)), [6])
    blocks = InputBlocks(domain, vacuous(domain), hamming_ordered("person"))
    return len(list(UniverseInference(blocks, Fraction("2.225540928493"), Asked(), None).by_distance()))


def linear_program() -> bool:
    """No mechanism of 12 outcomes on a path of three steps has more power."""
    alpha, gamma = Fraction(1, 20), Fraction(5, 2)
    program = PowerProgram([(0, 1), (1, 2), (2, 3)], (0, 3), 12, alpha, gamma)
    return program.limited_by(sharpest_power(alpha, gamma, 3)).point is None


def law(weights: list[int]) -> Law[int]:
    return Law({i: Fraction(weight, sum(weights)) for i, weight in enumerate(weights)})


def renyi() -> Fraction:
    """The width of the enclosure of two laws of 64 atoms."""
    p, q = law([(7 * i * i) % 101 + 1 for i in range(64)]), law([(13 * i * i) % 97 + 1 for i in range(64)])
    lower, upper = normalized_renyi_squared(p, q)
    return upper - lower


def drawn_by_program(variance: Fraction) -> int:
    program, source = discrete_gaussian(variance), SamplingSource(1)
    return len([program(0, source) for _ in range(10**5)])


def swapped(strata: int, rate: Fraction) -> int:
    """The records of a table of a million that were swapped."""
    generator = np.random.default_rng(2026)
    matching, swapping = (generator.integers(0, size, 10**6) for size in (strata, 14))
    return len(draw_moves(matching, swap_rate=rate).apply(swapping))


def published(seed: int = 1) -> PTable:
    """A table of ONS's size, each row with other shares in an order of its own."""
    generator = np.random.default_rng(seed)
    drawn = [generator.integers(-min(count, 5), 6, 256).tolist() for count in range(751)]
    return PTable(tuple(PTableRow.of((1, change) for change in row) for row in drawn), 256, 250, 751)


VARIANCES = (Fraction(1), Fraction(100), Fraction(10**6))
ROWS = {
    "all multiverses on three data sets": Row(refinements, 60, lambda compared: compared == 3**8),
    "16 corners of 256 data sets with 64 outputs": Row(corners, 10, lambda found: found == 16),
    "the PSA's law of 7 records by every choice": Row(
        partial(psa_law_by_choices, *SEVEN), 5, lambda found: sum(found.values()) == 1
    ),
    "the same by counting": Row(partial(psa_law, *SEVEN), 1, lambda found: found == psa_law_by_choices(*SEVEN)),
    **{f"universe losses up to {n} records": Row(partial(exhaust, n), 20, lambda _: True) for n in (4, 5, 6)},
    **{
        f"a likelihood of tables {name}": Row(
            partial(likelihood, cells, cells, Fraction(1, 20)), 1, lambda found: 0 < found < 1, rounds=3
        )
        for name, cells in {"3x3, 45 records": ((5, 5, 5),) * 3, "4x4, 24": ((2, 1, 2, 1), (1, 2, 1, 2)) * 2}.items()
    },
    "all rates up to six records": Row(partial(decide_all, 6), 20, lambda decided: decided > 7000),
    "a balanced universe of 100 records": Row(
        partial(universe_loss, (50, 50), (50, 50), HALF), 60, lambda found: found.witness is not None
    ),
    "a universe of 24 records, 2x3": Row(
        partial(universe_loss, (12, 12), (8, 8, 8), HALF), 1, lambda found: found.witness is not None, rounds=3
    ),
    "the certified budget of a million records": Row(
        partial(certified_budget, (435_805, 708_619), COUNTIES, HALF), 20, lambda found: found.epsilon().upper < 2
    ),
    "every bound on 64 data sets": Row(bounds, 1, lambda distances: distances == 12, rounds=3),
    "one count of a published p-table, every n": Row(
        partial(count_curve, published()), 1, lambda found: len(found.curves) > 700, rounds=3
    ),
    "two cells with their total, 256 keys": Row(
        partial(moved_record_curve, published(), (800, 900)), 2, lambda found: found.delta(1) > 0, rounds=3
    ),
    "a linear program of 12 outcomes": Row(linear_program, 10, bool, rounds=3),
    "D_NoR of 64 atoms to 12 digits": Row(renyi, 0.5, lambda width: width <= Fraction(1, 10**12), rounds=3),
    **{
        f"a million records swapped at {rate}, {strata} strata": Row(
            partial(swapped, strata, rate), 1, lambda records: records == 10**6, rounds=3
        )
        for rate, strata in product((Fraction(1, 20), HALF), (1, 10, 100_000))
    },
    **{
        f"100,000 draws by the program, variance {variance}": Row(
            partial(drawn_by_program, variance), 10, lambda number: number == 10**5
        )
        for variance in VARIANCES
    },
    **{
        f"10 million draws in an array, variance {variance}, seed {seed}": Row(
            partial(array_gaussian, variance, 10**7, seed=seed), 10, lambda drawn: len(drawn) == 10**7
        )
        for variance, seed in product((HALF, *VARIANCES[1:]), (None, 1))
    },
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_an_engine_takes_at_most(benchmark, row):
    assert row.holds(benchmark.pedantic(row.run, rounds=row.rounds))
    assert benchmark.stats.stats.min < row.seconds


STIRRED = Path(sys.executable).with_name("stirred")
STARTS = {
    "--help": 0.15,
    "swap --help": 0.7,
    "init .": 0.3,
    "show majority.toml": 0.5,
    "audit majority.toml": 0.7,
    "audit": 2,
    "infer massachusetts-1940": 0.7,
    "infer majority.toml": 0.7,
}


@pytest.mark.parametrize(("words", "seconds"), STARTS.items(), ids=STARTS)
def test_a_start_takes_at_most(benchmark, tmp_path, words, seconds):
    def start(*given):
        return subprocess.run([STIRRED, *given], cwd=tmp_path, capture_output=True, text=True, check=False)

    if words != "init .":
        start("init", ".")
    done = benchmark.pedantic(start, words.split(), rounds=1 if words == "init ." else 5)
    assert done.returncode in (0, 1, 3), done.stderr
    assert benchmark.stats.stats.min < seconds


MECHANISM = """
from fractions import Fraction


def release(data, source):
    ((*answers,),) = data
    x = int("".join(map(str, answers)), 2)
    weights = [1 + (x * (t + 3) + t * t) % 97 for t in range(64)]
    total = sum(weights)
    return source.choose([Fraction(weight, total) for weight in weights])
"""
CLAIM = """
id = "claimed"
statement = "One of 64 outputs, from eight answers of one person."
domain = {{ schema = {{ {schema} }}, records = 1, order = "ordered" }}
multiverse = {{ invariants = {invariants} }}
input_premetric = {{ name = "{premetric}", resolution = "person" }}
output_premetric = {{ {measure} }}
budget = {{ epsilon = 5 }}
mechanism = {{ function = "wide:release" }}
"""


def test_stirred_compare_takes_10_seconds_for_256_data_sets_with_64_outputs(benchmark, tmp_path, capsys):
    (tmp_path / "wide.py").write_text(MECHANISM)
    schema = [f"q{index} = [0, 1]" for index in range(8)]
    delta = 'name = "approximate_multiplicative", delta = "1/10"'
    sides = {
        "honest.toml": (schema, "[]", "hamming_ordered", 'name = "multiplicative"'),
        "claimed.toml": ([*schema[:-1], "q7 = [0]"], '[["q0", "q1"]]', "symmetric_difference", delta),
    }
    for name, (answers, invariants, premetric, measure) in sides.items():
        given = {"schema": ", ".join(answers), "invariants": invariants, "premetric": premetric, "measure": measure}
        (tmp_path / name).write_text(CLAIM.format(**given))
    assert benchmark.pedantic(main, (["compare", *(str(tmp_path / name) for name in sides)],), rounds=1) == 0
    assert "16 corners" in capsys.readouterr().out
    assert benchmark.stats.stats.min < 10
