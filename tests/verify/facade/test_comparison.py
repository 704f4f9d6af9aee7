"""Two sets of blocks are compared from Python as `stirred compare` compares two claim files."""

from fractions import Fraction

import pytest

import stirred
from stirred import Blocks
from stirred.spec import InputError, Loss
from stirred.verify.evidence.verdict import Verdict

THREE = stirred.ordered_data_sets((0, 1), [3])


def majority(answers, source, *, flip):
    votes = sum(1 - answer if source.bernoulli(flip) else answer for answer in answers)
    return 2 * votes > len(answers)


HONEST = Blocks(data_sets=THREE, distance="hamming_ordered", epsilon="0.8")


def compared(claimed, honest=HONEST, **more):
    return stirred.compare(majority, honest=honest, claimed=claimed, flip="1/4", **more)


def test_an_invariant_lowers_the_number_and_is_named():
    found = compared({"data_sets": THREE, "distance": "hamming_ordered", "invariants": [sum], "epsilon": 0})
    assert found.differing == ("multiverse",)
    assert {name: corner.budget for name, corner in found.corners.items()} == {
        "HHHH": stirred.smallest_budget(majority, data_sets=THREE, distance="hamming_ordered", flip="1/4"),
        "HCHH": Loss(1),
    }
    assert found.verdict is Verdict.REFUTED
    assert "compare.budget.transferred: REFUTED: under the honest blocks" in str(found)
    assert "witness: P_x(E) = " in str(found)


def one_of_four(data, source):
    return data if source.bernoulli(Fraction(1, 2)) else source.uniform(4)


def test_claimed_distances_reach_all_honest_pairs_where_claimed_universes_are_smaller():
    # P(x | x) = 1/2 + 1/8 and P(x | x') = 1/8: ln(5) for neighbours, which the claimed distance puts 2 apart
    found = stirred.compare(
        one_of_four,
        honest={"data_sets": range(4), "distance": "absolute_difference"},
        claimed={"data_sets": range(3), "distance": lambda x, y: 2 * abs(x - y), "invariants": [lambda x: x % 2]},
    )
    assert found.differing == ("domain", "multiverse", "input_premetric")
    assert found.corners["HHHH"].budget == Loss(5)
    assert found.corners["HHCH"].budget == Loss(5, 2)


def test_a_coarser_distance_does():
    found = compared(Blocks(data_sets=THREE, distance=lambda x, y: 2 * sum(a != b for a, b in zip(x, y, strict=True))))
    assert found.differing == ("input_premetric",)
    assert found.corners["HHCH"].budget == Loss(found.corners["HHHH"].budget.gamma, 2)


def test_so_does_a_weaker_output_premetric():
    found = compared(Blocks(data_sets=THREE, distance="hamming_ordered", delta="1/10"))
    assert found.differing == ("output_premetric",)
    assert found.corners["HHHC"].budget < found.corners["HHHH"].budget


def test_a_part_of_the_domain_reads_its_blocks_on_the_whole():
    part = [point for point in THREE if sum(point) < 2]
    found = compared(Blocks(data_sets=part, distance="hamming_ordered", invariants=[len]))
    assert "domain" in found.differing
    assert all(corner.is_defined for corner in found.corners.values())
    with pytest.raises(InputError, match="its domain must lie inside"):
        compared(HONEST, honest=Blocks(data_sets=part, distance="hamming_ordered"))


def test_a_recording_map_joins_two_domains():
    def top_coded(data):
        return tuple(min(value, 1) for value in data)

    three = stirred.ordered_data_sets((0, 1, 2), [1])
    two = stirred.ordered_data_sets((0, 1), [1])
    found = stirred.compare(
        lambda data, source: (min(data[0], 1) + source.uniform(2)) % 2,
        honest={"data_sets": three, "distance": "hamming_ordered"},
        claimed={"data_sets": two, "distance": "hamming_ordered"},
        recording=top_coded,
    )
    assert "domain" in found.differing
    with pytest.raises(InputError, match="recording must map to the claimed data sets"):
        stirred.compare(
            lambda data, source: 0,
            honest={"data_sets": three, "distance": "hamming_ordered"},
            claimed={"data_sets": two, "distance": "hamming_ordered"},
            recording=lambda data: data,
        )


def test_the_same_blocks_do_not_differ():
    found = compared(HONEST)
    assert found.differing == ()
    assert list(found.corners) == ["HHHH"]
    assert found.verdict is Verdict.EXHAUSTED


def test_the_corners_are_a_table():
    found = compared(Blocks(data_sets=THREE, distance="hamming_ordered", delta="1/10"))
    assert '<th scope="row">HHHC</th>' in found._repr_html_()
    assert "| HHHC | " in found._repr_markdown_()
    assert '<th scope="row">verdict' in found._repr_html_().split("<tr>")[1]
    assert found._repr_markdown_().splitlines()[2].startswith("| verdict")


def test_another_output_premetric_than_the_exact_ones_is_refused():
    with pytest.raises(InputError, match="to be compared exactly"):
        compared(Blocks(data_sets=THREE, distance="hamming_ordered", output="zcdp"))
