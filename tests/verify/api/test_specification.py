"""One specification for all doors: ordered with counterexamples, checked, converted, written and read back."""

from fractions import Fraction

import pytest
from refusals import check_refused

import stirred
from stirred import Blocks, Loss, explore
from stirred.spec import Specification
from stirred.spec.flavors.pufferfish import Pufferfish
from stirred.spec.laws.law import Law
from stirred.verify.engines.algebra.comparison import broken_pairs
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claim

DATA = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]


def ones(data):
    return sum(data)


def blocks(**more):
    return Blocks(**{"data_sets": DATA, "distance": "hamming_ordered", "epsilon": "ln 2", **more})


def first_of(data, source, *, flip):
    return 1 - data[0] if source.bernoulli(flip) else data[0]


def response(data, source, *, flip):
    return tuple(1 - bit if source.bernoulli(flip) else bit for bit in data)


TV = {"output": "total-variation", "epsilon": "1/3"}
REFINED = [  # the first refines the second, and not the other way round
    (blocks(), blocks(invariants=[ones])),
    (blocks(epsilon="0.8"), blocks(epsilon="0.9")),
    (blocks(epsilon="0.693"), blocks()),
    (blocks(epsilon=None), blocks(epsilon=None, invariants=[ones])),
    (blocks(epsilon=None, distance="hamming_ordered"), blocks(epsilon=None, distance=lambda x, y: 2 * (x != y))),
    (blocks(**TV), blocks(**{**TV, "epsilon": "1/2"})),
    (blocks(), blocks(delta="1/10")),
]


@pytest.mark.parametrize(("first", "second"), REFINED, ids=range(len(REFINED)))
def test_whether_one_refines_the_other_is_decided_or_refuted_by_a_mechanism(first, second):
    if first.distance == second.distance or not callable(second.distance):
        assert first.refines(second).verdict is Verdict.DECIDED
    found = second.refines(first)
    assert found.verdict is Verdict.REFUTED
    assert second.implied_by(first).verdict is first.refines(second).verdict
    if found.mechanism and first.epsilon not in (None, "0.8", "0.693"):
        assert not list(broken_pairs(found.mechanism, second.specification().matrix()))
        assert found.pair in list(broken_pairs(found.mechanism, first.specification().matrix()))


def test_the_mechanism_that_refutes_numbers_satisfies_one_and_breaks_the_other():
    weak, strong = blocks(epsilon="0.9"), blocks(epsilon="0.8")
    laws = weak.refines(strong).mechanism
    apart = {(x, y): sum(a != b for a, b in zip(x, y, strict=True)) for x in DATA for y in DATA if x != y}
    needed = max(stirred.spec.Multiplicative().distance(laws[x], laws[y]).over(d) for (x, y), d in apart.items())
    assert "0.8" < needed <= "0.9"


def test_equal_budgets_in_other_units_imply_each_other():
    by_two = blocks(epsilon="0.4", distance=lambda x, y: 2 * sum(a != b for a, b in zip(x, y, strict=True)))
    assert [one.verdict for one in by_two.compare(blocks(epsilon="0.8"))] == [Verdict.DECIDED] * 2
    assert blocks(epsilon="0.8001").refines(by_two).verdict is Verdict.REFUTED


def test_blocks_check_mechanisms_and_are_a_specification_of_mathematics_and_back():
    stated = blocks(epsilon="ln 3")
    back = Blocks.of(stated.specification())
    assert isinstance(stated.specification(), Specification)
    for one in (stated, back):
        assert one.check(response, flip="1/4").holds
        assert one.check(response, flip="1/5").verdict is Verdict.REFUTED
        assert one.smallest_budget(response, flip="1/4") == Loss(3)
    assert back.specification().matrix().entries == stated.specification().matrix().entries
    assert r"\toprule" in back.to_latex()
    inside = blocks(invariants={"number of ones": ones})
    assert "invariant: number of ones" in str(inside.stated.multiverse.text)
    assert Blocks.of(inside.specification()).compare(inside)[0].verdict is Verdict.DECIDED
    for output, budget in (("zcdp", {"rho": "1/2"}), ("gdp", {"mu": "1"}), ("total-variation", {"epsilon": "1/2"})):
        other = blocks(**{"epsilon": None, "output": output, **budget})
        assert Blocks.of(other.specification()).check(response, flip="2/5").holds


def test_pufferfish_is_asked_as_blocks():
    prior = Law({(a, b): Fraction(1, 4) for a in (0, 1) for b in (0, 1)})
    secrets = {f"first is {bit}": frozenset(x for x in prior if x[0] == bit) for bit in (0, 1)}
    beliefs = Pufferfish({"uniform": prior}, secrets, [tuple(secrets)])
    stated = Blocks(data_sets=list(prior), distance=beliefs, epsilon="ln 3")
    laws = {x: Law({x[0]: Fraction(3, 4), 1 - x[0]: Fraction(1, 4)}) for x in prior}
    needed = stirred.spec.Multiplicative().distance(*beliefs.provided(laws).values())
    assert stated.smallest_budget(first_of, flip="1/4") == needed == Loss(3)
    assert stated.check(first_of, flip="1/4").holds
    assert stated.check(first_of, flip="1/5").verdict is Verdict.REFUTED
    check_refused(lambda: stated.to_toml(), "distance must be names for a file")


def test_a_file_of_blocks_is_read_back_as_the_same_blocks(tmp_path):
    for stated in (
        blocks(),
        blocks(distance="bounded"),
        blocks(delta="1/100"),
        blocks(invariants=["size"], epsilon="0.8"),
    ):
        (tmp_path / "claim.toml").write_text(stated.to_toml())
        read = build_claim(read_claim(str(tmp_path / "claim.toml")))
        flavor = stated.flavor
        assert (read.data.domain.points, read.data.multiverse) == (flavor.domain.points, flavor.multiverse)
        assert read.output_premetric == flavor.output_premetric
        assert read.data.input_premetric.name == flavor.input_premetric.name
        assert read.cases[0].budget.text == stated.stated.budget.text
    check_refused(lambda: blocks(invariants=[ones]).to_toml(), "invariants must be names for a file")


def test_what_has_no_answer_is_refused_or_open():
    check_refused(lambda: blocks(epsilon=None).refines(blocks()), "budgets must be stated in both")
    check_refused(lambda: blocks(epsilon="0.8").specification(), "epsilon must be a logarithm")
    rho = blocks(epsilon=None, output="zcdp", rho="1/2")
    assert rho.refines(blocks()).verdict is Verdict.OPEN
    with pytest.raises(TypeError, match="no truth value"):
        bool(rho.refines(rho))


def test_specifications_with_symbols_are_blocks_once_their_symbols_have_values(tmp_path):
    epsilon = explore.budgets("epsilon")
    symbolic = explore.Specification(epsilon)
    check_refused(
        lambda: symbolic.check(first_of, data_sets=DATA, distance="hamming_ordered", flip="1/4"), "give epsilon"
    )
    at = symbolic.at(epsilon=Loss(3))
    assert type(at) is explore.Specification
    assert at.check(first_of, data_sets=DATA, distance="hamming_ordered", flip="1/4").holds
    assert at.blocks(data_sets=DATA, distance="hamming_ordered", invariants=[ones]).refines(
        at.blocks(data_sets=DATA, distance="hamming_ordered")
    ).verdict is Verdict.REFUTED  # fmt: skip
    zcdp = explore.Specification("1/2", output="zcdp")
    assert zcdp.check(first_of, data_sets=DATA, distance="hamming_ordered", flip="1/4").verdict is Verdict.REFUTED
    named = explore.Specification.of(blocks(epsilon="ln 3", invariants={"ones": ones}))
    assert (named.invariants, str(named.budget)) == (("ones",), "log(3)")
    for one in (symbolic, at, zcdp):
        (tmp_path / "claim.toml").write_text(one.to_toml())
        read = build_claim(read_claim(str(tmp_path / "claim.toml")))
        assert (read.output_premetric.name, read.cases[0].budget is None) in (
            ("multiplicative", one is symbolic),
            ("normalized_renyi", False),
        )
