"""The smallest delta of a mechanism at an epsilon, its curve, and conversions, from Python.

Two sets of blocks are compared from Python as `stirred compare` compares two claim files.

Estimates from Python: any callable, pairs of any type, commands; what is malformed gets one line.
"""

import functools
import random
import sys
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import stirred
from stirred import Blocks
from stirred.mechanisms import exact_law
from stirred.spec import Enclosure, InputError, Loss, hockey_stick
from stirred.spec.numbers.enclosure import exponential
from stirred.verify.evidence.verdict import Verdict

COUNTS = {"data_sets": range(4), "distance": "absolute_difference"}


def noisy_count(count, source, *, ratio):
    return source.clamp(count + source.discrete_laplace(ratio), 0, 3)


def leaking(count, source, *, ratio):
    return count if source.bernoulli(ratio) else -1


def expected(mechanism, gammas, **parameters):
    """Over all pairs, E at γ^d by its sum."""
    laws = [exact_law(mechanism, count, **parameters) for count in range(4)]
    return max(hockey_stick(laws[x], laws[y], gammas(abs(x - y))) for x, y in permutations(range(4), 2))


@pytest.mark.parametrize("gamma", [1, Fraction(11, 10), Fraction(3, 2), 2, 3])
@pytest.mark.parametrize("mechanism", [noisy_count, leaking])
def test_it_is_the_largest_over_all_pairs(mechanism, gamma):
    found = stirred.smallest_delta(mechanism, **COUNTS, epsilon=f"ln({gamma})", ratio="1/3")
    assert found == expected(mechanism, lambda d: Fraction(gamma) ** d, ratio=Fraction(1, 3))


def test_an_irrational_gamma_is_enclosed():
    found = stirred.smallest_delta(noisy_count, **COUNTS, epsilon="0.5", ratio="1/3")
    assert isinstance(found, Enclosure)
    low, high = (
        expected(
            noisy_count, lambda d, end=end: getattr(exponential(Fraction(d, 2), digits=60), end), ratio=Fraction(1, 3)
        )
        for end in ("upper", "lower")
    )
    assert found.lower <= low <= high <= found.upper
    assert found.upper - found.lower < Fraction(1, 10**30)


def test_it_is_enough_and_nothing_less_is():
    claim = {**COUNTS, "output": "approximate", "epsilon": "0.5", "ratio": "1/3"}
    delta = stirred.smallest_delta(noisy_count, **COUNTS, epsilon="0.5", ratio="1/3")
    enough = stirred.audit(noisy_count, **claim, delta=delta.upper + Fraction(1, 10**20))
    assert enough.holds
    short = stirred.audit(noisy_count, **claim, delta=delta.lower - Fraction(1, 10**20))
    assert short.verdict is stirred.Verdict.REFUTED
    (answer,) = [a.evidence for a in short.record.answers if a.question == "delta"]
    assert answer.detail.startswith(
        f"the smallest delta at epsilon = 0.5 is {delta.relation()}, needed by x = 0, x' = 3;"
    )
    assert "at distance k" in answer.detail


def test_it_is_0_at_the_loss_and_infinite_losses_leave_their_mass():
    assert stirred.smallest_delta(noisy_count, **COUNTS, epsilon="ln 3", ratio="1/3") == 0
    assert stirred.smallest_delta(noisy_count, **COUNTS, epsilon="infinite", ratio="1/3") == 0
    assert stirred.smallest_delta(leaking, **COUNTS, epsilon="infinite", ratio="1/3") == Fraction(1, 3)
    with pytest.raises(InputError, match="vacuous, so every mechanism satisfies it"):
        stirred.smallest_delta(leaking, data_sets=[1], distance="absolute_difference", epsilon=0, ratio="1/3")


def test_the_curve_has_its_pieces_by_distance():
    curves = stirred.privacy_curve(noisy_count, data_sets=[0, 1, 3], distance="absolute_difference", ratio="1/2")
    assert sorted(curves.by_distance) == [1, 2, 3]
    assert curves.lines()[:2] == (
        "delta = (2 - e^epsilon)/3 for 1 <= e^epsilon <= 2",
        "delta = 0 for e^epsilon >= 2",
    )
    assert curves.by_distance[2].delta(4) == curves.by_distance[3].delta(8) == 0


def test_a_law_that_is_not_exact_is_refused_in_one_line():
    with pytest.raises(stirred.InputError, match="exact finite laws"):
        stirred.smallest_delta(lambda count, source: count + source.discrete_gaussian(4), **COUNTS, epsilon=1)


def test_conversions_take_texts_and_refuse_floats():
    (found,) = stirred.convert(mu="1", at_epsilon="1")[1:]
    assert (found.name, found.value.text(6)) == ("delta", "0.126937")
    assert [one.name for one in stirred.convert(epsilon="ln 3", order=2)] == ["rho", "rho", "epsilon"]
    with pytest.raises(stirred.InputError, match="rho must be exact; got the float"):
        stirred.convert(rho=0.1, delta="1e-6")
    with pytest.raises(stirred.InputError, match="exactly one"):
        stirred.convert(delta="1e-6")
    with pytest.raises(stirred.InputError, match="must be finite"):
        stirred.convert(epsilon="infinite", order=2)


def test_curves_and_conversions_are_shown_in_words():
    curves = stirred.privacy_curve(noisy_count, **COUNTS, ratio="1/2")
    assert str(curves).splitlines() == list(curves.lines())
    assert repr(curves) == f"<DeltaCurves {'; '.join(curves.lines())}>"
    assert repr(stirred.convert(mu=1, order=2)[0]) == "<Converted rho = 0.5 by mu^2/2>"
    loss = stirred.smallest_budget(noisy_count, **COUNTS, ratio=stirred.SYMBOL)
    assert repr(loss) == f"<LossFunction {loss}>"


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
    def of(distance, invariants):
        return {"data_sets": THREE, "distance": distance, "invariants": invariants}

    by_name = stirred.compare(
        first_answer, honest=of("hamming_ordered", ours), claimed=of("hamming_ordered", theirs), flip="1/4"
    )
    found = stirred.compare(first_answer, honest=of(hamming, ours), claimed=of(there, theirs), flip="1/4")
    assert found.differing == (() if ours == theirs else ("multiverse",))
    assert told(found) == told(by_name)


def test_an_invariant_beside_a_function_as_distance_is_all_that_differs():
    one = {"data_sets": THREE, "distance": hamming}
    found = stirred.compare(first_answer, honest=one, claimed={**one, "invariants": [sum]}, flip="1/4")
    # the first answer tells neighbours apart by 3/4 : 1/4, and data sets with the same sum differ in two answers
    assert {name: corner.budget for name, corner in found.corners.items()} == {"HHHH": Loss(3), "HCHH": Loss(3, 2)}
    assert "input_premetric" not in str(found)
    assert "hidden" not in str(found)


def test_a_smaller_domain_reads_the_same_function_as_the_same_distance():
    part = [point for point in THREE if sum(point) < 3]
    found = compared(
        Blocks(data_sets=part, distance=hamming), honest=Blocks(data_sets=THREE, distance=hamming, invariants=[sum])
    )
    assert found.differing == ("domain", "multiverse")
    assert all(corner.is_defined for corner in found.corners.values())
    named = compared(
        Blocks(data_sets=part, distance="hamming_ordered"),
        honest=Blocks(data_sets=THREE, distance="hamming_ordered", invariants=[sum]),
    )
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

    found = stirred.compare(
        first_answer,
        honest={"data_sets": THREE, "distance": hamming},
        claimed={"data_sets": THREE, "distance": doubled, "invariants": [sum]},
        flip="1/4",
    )
    assert found.differing == ("multiverse", "input_premetric")
    assert found.corners["HHCH"].budget == Loss(3, 2)
    within = stirred.compare(
        first_answer,
        honest={"data_sets": THREE, "distance": hamming, "invariants": [sum]},
        claimed={"data_sets": THREE, "distance": doubled, "invariants": [sum, first]},
        flip="1/4",
    )
    assert within.differing == ("multiverse",)  # they differ on pairs that neither compares


def within_sums(x, y):
    if sum(x) != sum(y):
        raise ValueError("no distance")
    return hamming(x, y)


def far_sums(x, y):
    return hamming(x, y) if sum(x) == sum(y) else None


def test_a_function_without_a_value_where_no_side_compares_is_not_in_the_way():
    for distance in (within_sums, far_sums):
        one = {"data_sets": THREE, "distance": distance, "invariants": [sum]}
        found = stirred.compare(first_answer, honest=one, claimed={**one, "invariants": [sum, first]}, flip="1/4")
        assert found.differing == ("multiverse",)


@pytest.mark.parametrize("turned", [False, True])
def test_a_function_without_a_value_where_the_other_side_compares_is_refused(turned):
    sides = [
        {"data_sets": THREE, "distance": within_sums, "invariants": [sum]},
        {"data_sets": THREE, "distance": hamming},
    ]
    honest, claimed = reversed(sides) if turned else sides
    with pytest.raises(InputError, match=r"input_premetric must be known wherever either claim .*no distance"):
        stirred.compare(first_answer, honest=honest, claimed=claimed, flip="1/4")


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


def noisy(data, rng, *, scale=1):
    return round(float(np.sum(data)) + rng.laplace(scale=scale), 6)


def of_noise(mechanism=noisy, **claim):
    return stirred.estimate(mechanism, **{"pairs": [([0], [1])], "draws": 4_000, "seed": 1, **claim})


def test_the_least_budget_is_below_the_true_one_and_near_it():
    found = of_noise()
    assert Loss(2) < found.smallest < Loss(Fraction(272, 100))
    assert found.verdict is stirred.Verdict.OPEN
    assert not found.holds
    assert found.needed.startswith("epsilon >= 0.")
    assert "not stated: budget" in str(found)


def test_a_claim_is_refuted_with_its_confidence_and_a_least_delta():
    found = of_noise(scale=Fraction(1, 2), epsilon="1", delta="0.01")
    assert found.verdict is stirred.Verdict.REFUTED
    assert found.claimed == "epsilon = 1"
    assert 0 < found.least_delta < 1
    assert found.looks[-1].p > 2 * found.looks[-1].q
    assert found.seed == 1
    assert found.witness["sampled"]["seed"] == 1
    assert of_noise(scale=Fraction(1, 2), epsilon="1", delta="0.01").looks == found.looks


@pytest.mark.parametrize(
    "mechanism",
    [
        lambda data: np.sum(data) + np.random.normal(scale=0.1),
        functools.partial(noisy, scale=0.1),
        np.sum,
        [
            sys.executable,
            "-c",
            "import sys\nfor line in sys.stdin: print('{\"output\":', len(line) % 7, '}', flush=True)",
        ],
    ],
)
def test_closures_partials_natives_and_commands_are_drawn_from(mechanism):
    pairs = [(np.array([0, 0]), np.array([1, 10]), 2)]
    if isinstance(mechanism, list):
        pairs = [([], [10**30])]
    assert of_noise(mechanism, pairs=pairs, epsilon="1").verdict is stirred.Verdict.REFUTED


def test_data_sets_with_a_distance_are_paired_by_it():
    found = stirred.estimate(
        lambda data, rng: sum(data) + int(rng.integers(2)),
        data_sets=stirred.ordered_data_sets((0, 1), [2]),
        distance="hamming_ordered",
        epsilon="1",
        draws=500,
        seed=2,
    )
    assert found.verdict is stirred.Verdict.REFUTED
    assert "x = (" in found.because


def test_data_sets_that_look_alike_are_told_apart():
    first, second = np.zeros(5_000), np.append(np.zeros(4_999), 1)
    found = of_noise(lambda data: data[-1], pairs=[(first, second)], epsilon="1")
    assert found.verdict is stirred.Verdict.REFUTED


def test_what_is_malformed_is_said_in_one_line():
    refused = [
        ({"pairs": None}, "pairs must be given"),
        ({"pairs": [([0],)]}, "pairs must hold"),
        ({"pairs": [([0], [0])]}, "two data sets that differ"),
        ({"pairs": [([0], [1])], "distance": "hamming_ordered"}, "pairs must come without"),
        ({"pairs": [([0], [1], 0.5)]}, "a distance must be an exact number"),
        ({"mechanism": 3}, "mechanism must be callable"),
        ({"mechanism": []}, "words of a command"),
        ({"epsilon": 0.5}, "epsilon must be exact"),
        ({"confidence": "1"}, "confidence must be above 0 and below 1"),
        ({"draws": -1}, "draws must be"),
        ({"rho": "1", "output": "pure"}, "give epsilon"),
    ]
    for change, message in refused:
        with pytest.raises(InputError, match=message):
            of_noise(**{"mechanism": noisy, **change})


@pytest.mark.parametrize("flip", ["1/4", "1/10"])
def test_what_is_found_is_below_the_exact_loss_and_close_to_it(flip):
    def majority(answers, source: stirred.Source, *, flip):
        votes = sum(1 - answer if source.bernoulli(flip) else answer for answer in answers)
        return 2 * votes > len(answers)

    blocks = {"data_sets": stirred.ordered_data_sets((0, 1), [3]), "distance": "hamming_ordered"}
    exact = stirred.smallest_budget(majority, **blocks, flip=flip)
    found = stirred.estimate(majority, **blocks, draws=2_500, seed=4, flip=Fraction(flip))
    assert exact.epsilon().lower / 2 < found.smallest.epsilon().lower
    assert found.smallest < exact


def by_keyword(data, *, rng: "random.Random"):
    return data + (rng.random() < 0.5)


def unannotated(data, rng):
    return data + rng.choice([0, 1])


@pytest.mark.parametrize(("mechanism", "more"), [(by_keyword, {}), (unannotated, {"generator": "random"})])
def test_a_generator_is_given_where_the_function_takes_it(mechanism, more):
    found = stirred.estimate(mechanism, pairs=[(0, 9)], epsilon="1", draws=1_000, seed=1, **more)
    assert found.verdict.name == "REFUTED"


def test_a_generator_that_the_annotation_contradicts_is_refused():
    with pytest.raises(InputError, match="generator must be 'random', as the annotation of the function says"):
        stirred.estimate(by_keyword, pairs=[(0, 9)], epsilon="1", generator="numpy")
