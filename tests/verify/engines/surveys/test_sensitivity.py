"""Sensitivities: conventions at 0 and infinity, the pair that attains them, and the Laplace mechanism's scales.

Samples with their design weights, and how far they are apart. The worst release of a sample: what is known already is
said again to whoever lists what is found true. Closed forms of amplification: each is what an exact program finds for
its design.
"""

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.laplace import laplace_distance, laplace_scales, neighbor_sensitivity
from small_flavors import law

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.noise.geometric import discrete_laplace_mechanism
from stirred.mechanisms.surveys.designs import (
    bernoulli_sample,
    cluster_sample,
    pps_sample,
    random_order,
    sample_with_replacement,
    simple_random_sample,
    stratified_sample,
    systematic_sample,
)
from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import (
    Neighbors,
    Order,
    explicit,
    hamming_ordered,
    hamming_unordered,
    neighbor_premetric,
)
from stirred.spec.blocks.multiverse import Multiverse, induced, vacuous
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.output_premetrics import Multiplicative
from stirred.spec.surveys.amplification import COVERED, Compared, amplification
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.engines.surveys.design_loss import amplified_loss
from stirred.verify.engines.surveys.sensitivity import sensitivity, spread
from stirred.verify.engines.surveys.worst_release import worst_release
from stirred.verify.evidence.listing import listening
from stirred.verify.evidence.process_control.workload import watching
from stirred.verify.ledger.engines.design_weights import sample_distance, weighted_samples

TRIPLES = FiniteDomain(tuple(product((0, 1), repeat=3)))
EVERYTHING, HAMMING = vacuous(TRIPLES), hamming_ordered("person")


def test_a_count_changes_by_one_for_each_record_and_a_vector_is_measured_in_l1():
    found = sensitivity(sum, EVERYTHING, HAMMING)
    assert found.value == neighbor_sensitivity(sum, EVERYTHING, HAMMING) == 1
    assert abs(sum(found.pair[0]) - sum(found.pair[1])) == HAMMING(*found.pair)
    assert sensitivity(lambda x: (x.count(0), x.count(1)), EVERYTHING, HAMMING).value == 2
    assert spread(sum, TRIPLES).value == 3  # over all pairs, however far apart


def test_what_an_invariant_keeps_cannot_change():
    parity, sums = induced(TRIPLES, lambda x: sum(x) % 2), induced(TRIPLES, sum)
    assert (neighbor_sensitivity(sum, parity, HAMMING), sensitivity(sum, parity, HAMMING).value) == (0, 1)
    assert sensitivity(sum, sums, HAMMING).pair is None


@pytest.mark.parametrize(
    ("change", "distance", "budget", "value"),
    [
        (3, 2, Fraction(1, 2), 3),
        *((3, 0, 1, None), (3, 1, 0, None)),  # a/0 = ∞
        *((3, None, 1, 0), (3, None, 0, 0)),  # a/∞ = 0
        (0, 0, 0, 0),  # 0/0 = 0
    ],
)
def test_conventions_at_zero_and_infinity(change, distance, budget, value):
    universe, query = frozenset({"a", "b"}), {"a": 7, "b": 7 + change}.__getitem__
    premetric = explicit({("a", "b"): distance, **({} if change else {("b", "a"): 0})}, "person")
    assert sensitivity(query, Multiverse([universe]), premetric, {universe: budget}).value == value


@given(st.lists(st.integers(-5, 5), min_size=8, max_size=8))
def test_steps_suffice_where_the_distance_counts_them(values):
    query = dict(zip(TRIPLES, values, strict=True)).__getitem__
    assert sensitivity(query, EVERYTHING, HAMMING).value == neighbor_sensitivity(query, EVERYTHING, HAMMING)


def released(query, value):
    return exact_law(discrete_laplace_mechanism, value, query=query, ratio=Fraction(1, 2), low=0, high=1)


@pytest.mark.parametrize(
    ("message", "ask"),
    [
        ("budgets must name every universe", lambda: sensitivity(sum, EVERYTHING, HAMMING, {})),
        ("value of the query", lambda: sensitivity(lambda x: sum(x) / 2, EVERYTHING, HAMMING)),
        ("values of one length", lambda: sensitivity(lambda x: x if sum(x) else (), EVERYTHING, HAMMING)),
        ("scale", lambda: laplace_distance(3, -1, 4, 0)),
        ("the value of the query", lambda: released(lambda x: x, Fraction(1, 2))),
    ],
)
def test_inexact_and_missing_numbers_are_refused(message, ask):
    with pytest.raises(InputError, match=message):
        ask()


SIZES = FiniteDomain(tuple(s for n in range(4) for s in combinations(("a0", "b1", "c1"), n)))
BY_SIZE = InputBlocks(SIZES, vacuous(SIZES), hamming_unordered("person"))


def total(sample):
    return sum(int(unit[1]) for unit in sample)


def test_samples_of_random_size_have_a_scale_for_each_size_and_budgets_scale_the_noise():
    for budget in (1, Fraction(1, 3)):
        scales = laplace_scales(total, BY_SIZE, dict.fromkeys(BY_SIZE.multiverse, budget))
        found = {len(next(iter(points))): scale.value for points, scale in scales.items()}
        assert found == {0: 0, 1: 1 / budget, 2: 1 / budget, 3: 0}


def test_frames_that_share_a_sample_share_a_scale():
    first, second = ({"ab": 1, "ac": 1, "bc": 2}, {"bc": 2, "bd": 4, "cd": 4})
    domain = FiniteDomain(tuple({**first, **second}))
    blocks = InputBlocks(domain, Multiverse([first, second]), hamming_ordered("person"))
    ((points, scale),) = laplace_scales({**first, **second}.__getitem__, blocks).items()
    assert points == frozenset(domain)
    assert scale.value == 2


@pytest.mark.parametrize("neighbors", [Neighbors.REPLACE_ONE, Neighbors.ADD_REMOVE])
def test_the_mechanism_with_these_scales_satisfies_the_budget(neighbors):
    premetric = neighbor_premetric(neighbors, Order.UNORDERED, "person")
    blocks = InputBlocks(SIZES, vacuous(SIZES), premetric)
    scale = {x: found.value for points, found in laplace_scales(total, blocks).items() for x in points}
    for x, y in product(SIZES, repeat=2):
        loss, bound = laplace_distance(total(x), scale[x], total(y), scale[y]), premetric(x, y)
        assert bound is None or (loss is not None and loss <= bound)


def test_universes_with_one_trace_take_the_smaller_budget():
    universes = [{("a0",), ("b1",), ()}, {("a0",), ("b1",)}]
    blocks = InputBlocks(SIZES, Multiverse(universes), hamming_unordered("person"))
    budgets = {frozenset(universe): budget for universe, budget in zip(universes, (Fraction(1, 4), 1), strict=True)}
    assert {scale.value for scale in laplace_scales(total, blocks, budgets).values()} == {0, 4}


@pytest.mark.parametrize("ratio", [Fraction(1, 2), Fraction(2, 5)])
def test_the_loss_in_closed_form_is_that_of_the_discrete_mechanism(ratio):
    laws = [exact_law(discrete_laplace_mechanism, k, query=int, ratio=ratio, low=0, high=3) for k in range(4)]
    for i, j in product(range(4), repeat=2):
        steps = laplace_distance(i, 1, j, 1)
        assert Multiplicative().distance(laws[i], laws[j]).gamma == ratio ** -int(steps)


def test_two_scales_lose_without_bound():
    """The loss of clamped laws grows with the range, while their centres stay."""
    found = []
    for high in (2, 8, 32):
        first, second = (
            exact_law(discrete_laplace_mechanism, 0, query=int, ratio=ratio, low=0, high=high)
            for ratio in (Fraction(1, 2), Fraction(1, 3))
        )
        found.append(Multiplicative().distance(first, second).gamma)
    assert found[0] < found[1] < found[2]
    assert found[2] > 10**5
    assert laplace_distance(0, 1, 0, 2) is None


def test_point_masses_are_equal_or_far_apart():
    assert laplace_distance(3, 0, 3, 0) == 0
    assert (laplace_distance(3, 2, 4, 2), laplace_distance((3, 0), 2, (4, 5), 2)) == (Fraction(1, 2), 3)
    assert laplace_distance(3, 0, 4, 0) is None


def test_the_work_is_told_data_set_by_data_set():
    told = []
    with watching(lambda doing, done, total: told.append((doing, done, total))):
        sensitivity(sum, EVERYTHING, HAMMING)
    assert told[0] == ("pairs", 0, 8)
    assert told[-1] == ("pairs", 8, 8)


def test_every_sample_that_is_possible_has_the_weights_of_its_frame():
    frame = (("a", 1), ("b", 1), ("c", 2))
    assert len(weighted_samples(simple_random_sample, frame, size=2)) == 3
    weights = {
        unit: weight
        for sample in weighted_samples(pps_sample, frame, measure=lambda size: size, size=1)
        for unit, (_, weight) in sample
    }
    assert weights == {"a": 4, "b": 4, "c": 2}


def weighted(**records):
    return tuple((unit, (record, Fraction(weight))) for unit, (record, weight) in records.items())


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [
        (weighted(a=(1, 2)), weighted(a=(1, 3)), 1),  # weights alone are one step apart
        (weighted(a=(1, 2)), weighted(a=(1, 2)), 0),
        (weighted(a=(1, 2)), (), None),
        (weighted(a=(1, 2), b=(2, 2)), weighted(a=(1, 2), c=(2, 2)), 1),  # a unit exchanged for another is one record
        (weighted(a=(1, 2), b=(2, 2)), weighted(c=(1, 2), d=(2, 2)), 2),
    ],
)
def test_weighted_samples_are_as_far_apart_as_their_records(first, second, distance):
    assert sample_distance("person")(first, second) == distance


HEADS, TAILS = law(1, 1), law(1, 3)


def limited(bound):
    return lambda s, t: Fraction(bound)


def test_the_program_that_proves_it_is_listed_though_the_answer_is_known():
    known = worst_release(HEADS, TAILS, limited(3))
    for _ in range(2):
        with listening() as found:
            assert worst_release(HEADS, TAILS, limited(3)) == known
        assert len(found) == 1
        assert found[0].case["value"] == known.ratio


def test_another_limit_another_law_and_another_order_are_other_questions():
    """With g = (b, 1) or (1, b): 2(b + 1)/(b + 3) in one order and (3b + 1)/(2(b + 1)) in the other."""
    for bound in (2, 3, 2):
        assert worst_release(HEADS, TAILS, limited(bound)).ratio == Fraction(2 * (bound + 1), bound + 3)
        assert worst_release(TAILS, HEADS, limited(bound)).ratio == Fraction(3 * bound + 1, 2 * (bound + 1))


def clustered(record):
    return record[0]


def of_two_strata(strata):
    return dict.fromkeys(strata, 1)


FOUR = dict.fromkeys(range(4), "z")
PAIRS = {u: (u // 2, "z") for u in range(4)}
RANDOM_ORDER = {"step": 2, "order": random_order}
CLUSTERS = {"number": 1, "clusters": 2, "cluster_size": 2}
EXAMPLES = {
    "simple random sample": (FOUR, simple_random_sample, {"size": 2}, {"size": 2, "frame_size": 4}),
    "Poisson sample": (FOUR, bernoulli_sample, {"rate": Fraction(1, 3)}, {"rate": Fraction(1, 3)}),
    "sample with replacement": (FOUR, sample_with_replacement, {"size": 2}, {"draws": 2, "chance": Fraction(1, 4)}),
    "cluster sample": (PAIRS, cluster_sample, {"cluster": clustered, "number": 1}, CLUSTERS),
    "systematic sample in a fixed order": (FOUR, systematic_sample, {"step": 2}, {"step": 2, "frame_size": 4}),
    "systematic sample in a random order": (FOUR, systematic_sample, RANDOM_ORDER, {"step": 2, "frame_size": 4}),
    "stratified sample of fixed sizes": (
        {**PAIRS, 4: (1, "z")},
        stratified_sample,
        {"stratum": clustered, "sizes": of_two_strata},
        {"rate": Fraction(1, 2)},
    ),
}


def changed(record):
    return (record[0], "a") if isinstance(record, tuple) else "a"


NOTHING_ASKED = {(design, Compared.SAME_UNITS) for design in EXAMPLES} | {("Poisson sample", Compared.REPLACED)}
"""Where releases may tell so much that the form is e^ε itself."""


@pytest.mark.parametrize("gamma", [Fraction(3, 2), Fraction(4)])
@pytest.mark.parametrize(("design", "compared"), COVERED)
def test_every_form_is_what_an_exact_program_finds(design, compared, gamma):
    records, program, settings, parameters = EXAMPLES[design]
    frame = unit_data(records)
    other = frame[1:] if compared is Compared.ADDED else unit_data({**records, 0: changed(records[0])})
    asked = {} if (design, compared) in NOTHING_ASKED else parameters
    found = amplified_loss(lambda data, source: program(data, source, **settings), [(frame, other)], compared, gamma)
    assert found.gamma == amplification(design, gamma, compared, **asked).gamma
