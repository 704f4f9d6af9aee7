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


def hamming(x, y):
    return sum(a != b for a, b in zip(x, y, strict=True))


def hamming_again(x, y):
    return len([1 for a, b in zip(x, y, strict=True) if a != b])


def first_answer(answers, source, *, flip):
    return 1 - answers[0] if source.bernoulli(flip) else answers[0]


def first(answers):
    return answers[0]


def last(answers):
    return answers[-1]


def compared_first(honest, claimed):
    """The first answer, flipped, under two sets of blocks on three answers."""
    honest, claimed = ({"data_sets": THREE, "distance": hamming, **blocks} for blocks in (honest, claimed))
    return stirred.compare(first_answer, honest=honest, claimed=claimed, flip="1/4")


def told(found):
    """What is found but for the words of an output premetric's pair."""
    corners = {name: (corner.budget, corner.pair) for name, corner in found.corners.items()}
    return found.differing, corners, [line for line in str(found).splitlines() if "sizes" not in line]


@pytest.mark.parametrize(
    ("ours", "theirs", "there"),
    [
        ([], [sum], hamming),
        ([sum], [], hamming_again),
        ([sum], [sum], "hamming_ordered"),
        ([first], [last], hamming),
        ([sum, first], [last], hamming_again),
        ([first], [sum, first], "hamming_ordered"),
    ],
)
def test_a_distance_is_the_same_by_name_and_as_a_function_whatever_the_invariants(ours, theirs, there):
    named = {"distance": "hamming_ordered"}
    by_name = compared_first({**named, "invariants": ours}, {**named, "invariants": theirs})
    found = compared_first({"invariants": ours}, {"distance": there, "invariants": theirs})
    assert found.differing == (() if ours == theirs else ("multiverse",))
    assert told(found) == told(by_name)


def test_an_invariant_beside_a_function_as_distance_is_all_that_differs():
    found = compared_first({}, {"invariants": [sum]})
    # the first answer tells neighbours apart by 3/4 : 1/4, and data sets with the same sum differ in two answers
    assert {name: corner.budget for name, corner in found.corners.items()} == {"HHHH": Loss(3), "HCHH": Loss(3, 2)}
    assert "input_premetric" not in str(found)
    assert "hidden" not in str(found)


def test_a_smaller_domain_reads_the_same_function_as_the_same_distance():
    part = [point for point in THREE if sum(point) < 3]
    found, named = (
        compared(
            Blocks(data_sets=part, distance=distance),
            honest=Blocks(data_sets=THREE, distance=distance, invariants=[sum]),
        )
        for distance in (hamming, "hamming_ordered")
    )
    assert found.differing == ("domain", "multiverse")
    assert all(corner.is_defined for corner in found.corners.values())
    assert told(found) == told(named)


def test_recorded_data_sets_have_distances_on_all_honest_pairs():
    four, two = range(4), range(2)

    def answer(x, source):
        return (x // 2 + (1 if source.bernoulli(Fraction(1, 4)) else 0)) % 2

    found = stirred.compare(
        answer,
        honest={"data_sets": four, "distance": "absolute_difference"},
        claimed={"data_sets": two, "distance": lambda x, y: abs(x - y), "invariants": [lambda x: x]},
        recording=lambda x: x // 2,
    )
    assert found.differing == ("domain", "multiverse", "input_premetric")
    assert found.corners["HHCH"].budget == Loss(3)  # x = 1 and 2 are recorded as 0 and 1, at distance 1


def test_functions_that_differ_where_either_side_compares_do_differ():
    def doubled(x, y):
        return (1 if sum(x) == sum(y) else 2) * hamming(x, y)

    found = compared_first({}, {"distance": doubled, "invariants": [sum]})
    assert found.differing == ("multiverse", "input_premetric")
    assert found.corners["HHCH"].budget == Loss(3, 2)
    within = compared_first({"invariants": [sum]}, {"distance": doubled, "invariants": [sum, first]})
    assert within.differing == ("multiverse",)  # they differ on pairs that neither compares


def within_sums(x, y):
    if sum(x) != sum(y):
        raise ValueError("no distance")
    return hamming(x, y)


def far_sums(x, y):
    return hamming(x, y) if sum(x) == sum(y) else None


@pytest.mark.parametrize("distance", [within_sums, far_sums])
def test_a_function_without_a_value_where_no_side_compares_is_not_in_the_way(distance):
    one = {"distance": distance, "invariants": [sum]}
    assert compared_first(one, {**one, "invariants": [sum, first]}).differing == ("multiverse",)


@pytest.mark.parametrize("turned", [False, True])
def test_a_function_without_a_value_where_the_other_side_compares_is_refused(turned):
    sides = [{"distance": within_sums, "invariants": [sum]}, {}]
    with pytest.raises(InputError, match=r"input_premetric must be known wherever either claim .*no distance"):
        compared_first(*(reversed(sides) if turned else sides))


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

    three, two = (stirred.ordered_data_sets(values, [1]) for values in ((0, 1, 2), (0, 1)))
    sides = {
        "honest": {"data_sets": three, "distance": "hamming_ordered"},
        "claimed": {"data_sets": two, "distance": "hamming_ordered"},
    }
    found = stirred.compare(
        lambda data, source: (min(data[0], 1) + source.uniform(2)) % 2, **sides, recording=top_coded
    )
    assert "domain" in found.differing
    with pytest.raises(InputError, match="recording must map to the claimed data sets"):
        stirred.compare(lambda data, source: 0, **sides, recording=lambda data: data)


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
