"""Speed of comparisons, by pytest-benchmark: `python -m pytest tests/benchmarks/bench_algebra.py --benchmark-only`.

Each benchmark states its target; the file is not collected with the tests.
"""

from fractions import Fraction
from itertools import permutations, product

from stirred.spec import Law, Loss, Multiplicative
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.blocks.multiverse import induced, vacuous
from stirred.spec.output_premetrics import ApproximateMultiplicative
from stirred.verify.cli.main import main
from stirred.verify.engines.algebra.comparison import Decision, stronger
from stirred.verify.engines.algebra.corners import BLOCKS, Side, corner_losses
from stirred.verify.ledger.engines.small_domains import domain_of, multiverses, specification


def seconds(benchmark) -> float:
    return benchmark.stats.stats.min


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


def test_all_multiverses_on_three_data_sets_are_compared_in_60_seconds(benchmark):
    assert benchmark.pedantic(refinements, rounds=1) == 3**8
    assert seconds(benchmark) < 60


def sides() -> dict[str, Side]:
    """256 data sets with 64 outputs, and half of them."""
    points = tuple(range(256))
    laws = {}
    for x in points:
        weights = [1 + (x * (t + 3) + t * t) % 97 for t in range(64)]
        laws[x] = Law({t: Fraction(weight, sum(weights)) for t, weight in enumerate(weights)})
    built = {}
    for letter, kept in (("H", points), ("C", points[:128])):
        domain = FiniteDomain(kept)
        multiverses_here = {"H": vacuous(domain), "C": induced(domain, lambda x: x % 4)}
        premetrics = {
            "H": InputPremetric("far", "unit", lambda x, y: 1 + abs(x - y) // 16),
            "C": InputPremetric("near", "unit", lambda x, y: 1 + abs(x - y) // 4),
        }
        built[letter] = Side(domain, {x: laws[x] for x in kept}, multiverses_here, premetrics)
    return built


def test_sixteen_corners_of_256_data_sets_with_64_outputs_take_10_seconds(benchmark):
    measures = {"H": Multiplicative(), "C": ApproximateMultiplicative(Fraction(1, 10))}
    corners = benchmark.pedantic(corner_losses, (sides(), measures, BLOCKS), rounds=1)
    assert len(corners) == 16
    assert seconds(benchmark) < 10


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
id = "{name}"
statement = "One of 64 outputs, from eight answers of one person."
[domain]
schema = {{ {schema} }}
records = 1
order = "ordered"
[multiverse]
invariants = {invariants}
[input_premetric]
name = "{premetric}"
resolution = "person"
[output_premetric]
{measure}
[budget]
epsilon = 5
[mechanism]
function = "wide:release"
"""


def test_stirred_compare_takes_10_seconds_for_the_same_size(benchmark, tmp_path, capsys):
    (tmp_path / "wide.py").write_text(MECHANISM)
    schema = [f"q{index} = [0, 1]" for index in range(8)]
    honest = {
        "name": "honest",
        "schema": ", ".join(schema),
        "invariants": "[]",
        "premetric": "hamming_ordered",
        "measure": 'name = "multiplicative"',
    }
    claimed = {
        "name": "claimed",
        "schema": ", ".join([*schema[:-1], "q7 = [0]"]),
        "invariants": '[["q0", "q1"]]',
        "premetric": "symmetric_difference",
        "measure": 'name = "approximate_multiplicative"\ndelta = "1/10"',
    }
    files = []
    for values in (honest, claimed):
        files.append(tmp_path / f"{values['name']}.toml")
        files[-1].write_text(CLAIM.format(**values))
    status = benchmark.pedantic(main, (["compare", *map(str, files)],), rounds=1)
    assert status == 0
    assert "16 corners" in capsys.readouterr().out
    assert seconds(benchmark) < 10
