"""Sampling designs: their exact laws, their inclusion probabilities, and what they refuse."""

from bisect import bisect
from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import combinations, permutations
from math import comb, prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stirred.mechanisms import exact_law, replay, sample
from stirred.mechanisms.interpreters.sampling import SamplingSource
from stirred.mechanisms.source import PublicSource
from stirred.mechanisms.surveys.allocation import fixed, neyman, proportional
from stirred.mechanisms.surveys.designs import (
    bernoulli_sample,
    cluster_sample,
    poisson_sample,
    pps_sample,
    random_order,
    randomly_rounded_sample,
    sample_with_replacement,
    select,
    select_draws,
    simple_random_sample,
    sorted_order,
    stratified_sample,
    systematic_sample,
    unit_order,
)
from stirred.mechanisms.surveys.inclusion import DESIGNS, inclusion, sampford_sample, two_stage_sample
from stirred.spec import SYMBOL, InputError
from stirred.spec.surveys.unit_data import unit_data, units

FRAME = unit_data({"a": ("x", 1), "b": ("y", 5), "c": ("x", 2), "d": ("y", 1), "e": ("y", 3)})


def stratum(record):
    return record[0]


def value(record):
    return record[1]


EVERY_CLUSTER = partial(bernoulli_sample, rate=1)
PAIR = partial(simple_random_sample, size=2)
CASES = [
    (simple_random_sample, {"size": 1}),
    (simple_random_sample, {"size": 3}),
    (simple_random_sample, {"size": 5}),
    (sample_with_replacement, {"size": 3}),
    (sample_with_replacement, {"size": 2, "measure": value}),
    (bernoulli_sample, {"rate": Fraction(1, 3)}),
    (bernoulli_sample, {"rate": 1}),
    (poisson_sample, {"rates": lambda unit, record: Fraction(record[1], 6 if unit < "d" else 7)}),
    (stratified_sample, {"stratum": stratum, "sizes": proportional(3)}),
    (stratified_sample, {"stratum": stratum, "sizes": neyman(4, variable=value)}),
    (stratified_sample, {"stratum": stratum, "sizes": fixed({"x": 0, "y": 2})}),
    (randomly_rounded_sample, {"stratum": stratum, "rate": Fraction(3, 7)}),
    (cluster_sample, {"cluster": value, "number": 2}),
    (systematic_sample, {"step": 2}),
    (systematic_sample, {"step": 3, "order": sorted_order(stratum)}),
    (systematic_sample, {"step": 3, "order": random_order}),
    (pps_sample, {"measure": value, "size": 2}),
    (pps_sample, {"measure": value, "size": 2, "order": sorted_order(value)}),
    (pps_sample, {"measure": value, "size": 2, "order": random_order}),
    (sampford_sample, {"measure": value, "size": 1}),
    (sampford_sample, {"measure": value, "size": 2}),
    (sampford_sample, {"measure": lambda record: record[1] + 5, "size": 3}),
    (two_stage_sample, {"cluster": stratum, "first": partial(pps_sample, measure=len, size=1), "second": PAIR}),
    (two_stage_sample, {"cluster": stratum, "first": EVERY_CLUSTER, "second": partial(systematic_sample, step=2)}),
    (
        two_stage_sample,
        {
            "cluster": stratum,
            "first": EVERY_CLUSTER,
            "second": partial(
                two_stage_sample,
                cluster=lambda record: record[1] > 1,
                first=partial(sample_with_replacement, size=2, measure=len),
                second=partial(poisson_sample, rates=lambda _, record: Fraction(1, record[1])),
            ),
        },
    ),
]


@pytest.mark.parametrize(("design", "parameters"), CASES)
class TestEveryDesign:
    def test_inclusion_probabilities_are_those_of_the_law(self, design, parameters):
        law = exact_law(design, FRAME, **parameters)
        of_the_law = {unit: law.event(lambda drawn, unit=unit: unit in drawn) for unit in units(FRAME)}
        assert inclusion(design, FRAME, **parameters) == of_the_law

    def test_a_sample_is_units_of_the_frame_in_their_order(self, design, parameters):
        for drawn in exact_law(design, FRAME, **parameters):
            assert list(drawn) == sorted(drawn)
            assert set(drawn) <= set(units(FRAME))
            assert len(set(drawn)) == len(drawn) or design is sample_with_replacement

    def test_a_run_is_replayed_from_its_choices(self, design, parameters):
        source = SamplingSource(7)
        drawn = design(FRAME, PublicSource(source), **parameters)
        assert replay(design, FRAME, source.record, **parameters) == drawn
        assert exact_law(design, FRAME, **parameters)[drawn] > 0

    def test_a_frame_that_is_none_is_refused(self, design, parameters):
        for run in (exact_law, inclusion):
            with pytest.raises(InputError, match=r"must have its units in increasing order, each once"):
                run(design, (*FRAME, FRAME[0]), **parameters)
            with pytest.raises(InputError, match=r"must be a tuple of pairs \(unit, record\)"):
                run(design, dict(FRAME), **parameters)


def test_every_design_has_a_closed_form_that_is_compared_with_its_law():
    assert {design for design, _ in CASES} == set(DESIGNS)
    with pytest.raises(
        InputError, match=r"^design must be one whose inclusion probabilities are known \(simple_random"
    ):
        inclusion(exact_law, FRAME)


class TestLaws:
    def test_every_set_of_a_simple_random_sample_is_as_likely(self):
        law = exact_law(simple_random_sample, FRAME, size=2)
        assert dict(law) == dict.fromkeys(combinations("abcde", 2), Fraction(1, comb(5, 2)))

    def test_draws_with_replacement_are_independent(self):
        law = exact_law(sample_with_replacement, FRAME[:2], size=2, measure=value)  # x = 1 and 5 of 6
        assert dict(law) == {("a", "a"): Fraction(1, 36), ("a", "b"): Fraction(10, 36), ("b", "b"): Fraction(25, 36)}

    def test_units_of_a_poisson_sample_are_independent(self):
        rates = {"a": Fraction(1, 2), "b": Fraction(1, 3), "c": Fraction(1)}
        law = exact_law(poisson_sample, FRAME[:3], rates=lambda unit, _: rates[unit])
        assert dict(law) == {
            ("c",): Fraction(1, 3),
            ("a", "c"): Fraction(1, 3),
            ("b", "c"): Fraction(1, 6),
            ("a", "b", "c"): Fraction(1, 6),
        }

    def test_a_bernoulli_sample_may_be_empty(self):
        assert exact_law(bernoulli_sample, FRAME, rate=Fraction(1, 3))[()] == Fraction(2, 3) ** 5

    def test_strata_are_sampled_independently(self):
        law = exact_law(stratified_sample, FRAME, stratum=stratum, sizes=fixed({"x": 1, "y": 2}))
        sets = {tuple(sorted((x, *pair))) for x in "ac" for pair in combinations("bde", 2)}
        assert dict(law) == dict.fromkeys(sets, Fraction(1, 6))

    def test_sizes_are_rounded_at_random_in_each_stratum(self):
        law = exact_law(randomly_rounded_sample, FRAME, stratum=stratum, rate=Fraction(1, 2))
        # N_x/2 = 1 for certain; N_y/2 = 3/2 is 1 or 2, as likely
        sizes = law.push(lambda drawn: (sum(u in "ac" for u in drawn), sum(u in "bde" for u in drawn)))
        assert dict(sizes) == {(1, 1): Fraction(1, 2), (1, 2): Fraction(1, 2)}

    def test_clusters_come_as_a_whole(self):
        law = exact_law(cluster_sample, FRAME, cluster=stratum, number=1)
        assert dict(law) == {("a", "c"): Fraction(1, 2), ("b", "d", "e"): Fraction(1, 2)}

    def test_a_systematic_sample_has_as_many_possible_samples_as_its_step(self):
        fixed_order = exact_law(systematic_sample, FRAME, step=2)
        assert dict(fixed_order) == {("a", "c", "e"): Fraction(1, 2), ("b", "d"): Fraction(1, 2)}
        # sorted by stratum: a c b d e
        by_stratum = exact_law(systematic_sample, FRAME, step=2, order=sorted_order(stratum))
        assert dict(by_stratum) == {("a", "b", "e"): Fraction(1, 2), ("c", "d"): Fraction(1, 2)}

    def test_in_random_order_a_systematic_sample_is_a_simple_one(self):
        law = exact_law(systematic_sample, FRAME[:4], step=2, order=random_order)
        assert law == exact_law(simple_random_sample, FRAME[:4], size=2)

    def test_a_sample_proportional_to_size_walks_along_the_pieces(self):
        # x = 1 5 2 1 3, n = 2: pieces end at 1/6, 1, 4/3, 3/2, 2, so U + 0 is on a or b, U + 1 on c, d or e
        law = exact_law(pps_sample, FRAME, measure=value, size=2)
        assert dict(law) == {
            ("a", "c"): Fraction(1, 6),
            ("b", "c"): Fraction(1, 6),
            ("b", "d"): Fraction(1, 6),
            ("b", "e"): Fraction(1, 2),
        }

    @given(st.lists(st.integers(1, 6), min_size=2, max_size=6), st.integers(1, 3))
    def test_a_sample_proportional_to_size_is_the_definition_at_every_start(self, measures, size):
        total = sum(measures)
        assume(size * max(measures) <= total)
        frame = unit_data(dict(enumerate(measures)))
        ends = [Fraction(size * sum(measures[: k + 1]), total) for k in range(len(measures))]
        found = Counter()
        for cell in range(total):  # all ends are multiples of 1/total, so that within a cell nothing changes
            start = Fraction(2 * cell + 1, 2 * total)
            marks = [start + k for k in range(size)]
            found[tuple(bisect(ends, mark) for mark in marks)] += Fraction(1, total)
        assert dict(exact_law(pps_sample, frame, measure=lambda x: x, size=size)) == dict(found)

    def test_sampfords_method_gives_every_pair_in_proportion(self):
        law = exact_law(sampford_sample, unit_data({"a": 2, "b": 3, "c": 3}), measure=lambda x: x, size=2)
        # rates 1/2 3/4 3/4 have odds 1 3 3; a pair i, j goes with x_i odds_j + x_j odds_i: 6 + 3, 6 + 3 and 9 + 9
        assert dict(law) == {("a", "b"): Fraction(1, 4), ("a", "c"): Fraction(1, 4), ("b", "c"): Fraction(1, 2)}

    def test_sampfords_method_is_that_of_ordered_draws_that_differ(self):
        measures, size = (1, 2, 3, 4, 4), 3
        frame = unit_data(dict(enumerate(measures)))
        rates = [Fraction(size * x, sum(measures)) for x in measures]
        found = dict.fromkeys(combinations(range(5), size), Fraction(0))
        for drawn in permutations(range(5), size):
            found[tuple(sorted(drawn))] += rates[drawn[0]] * prod(rates[i] / (1 - rates[i]) for i in drawn[1:])
        law = exact_law(sampford_sample, frame, measure=lambda x: x, size=size)
        assert dict(law) == {drawn: mass / sum(found.values()) for drawn, mass in found.items()}

    def test_a_law_of_sampfords_method_has_a_path_for_each_set_only(self):
        frame = unit_data({unit: 1 + unit % 3 for unit in range(10)})
        law = exact_law(sampford_sample, frame, measure=lambda x: x, size=4)
        assert len(law) == comb(10, 4)
        assert law.event(lambda drawn: 0 in drawn) == Fraction(4, 19)

    def test_a_unit_of_probability_one_is_always_sampled(self):
        sure = unit_data({"a": 1, "b": 2, "c": 1})
        law = exact_law(pps_sample, sure, measure=lambda x: x, size=2)
        assert dict(law) == {("a", "b"): Fraction(1, 2), ("b", "c"): Fraction(1, 2)}
        assert inclusion(pps_sample, sure, measure=lambda x: x, size=2)["b"] == 1

    def test_two_stages_take_units_of_clusters_only(self):
        law = exact_law(
            two_stage_sample, FRAME, cluster=stratum, first=partial(pps_sample, measure=len, size=1), second=PAIR
        )
        assert dict(law) == {
            ("a", "c"): Fraction(2, 5),
            **dict.fromkeys(combinations("bde", 2), Fraction(3, 5) * Fraction(1, 3)),
        }

    def test_every_cluster_and_a_simple_sample_of_each_is_a_stratified_sample(self):
        law = exact_law(two_stage_sample, FRAME, cluster=stratum, first=EVERY_CLUSTER, second=PAIR)
        assert law == exact_law(stratified_sample, FRAME, stratum=stratum, sizes=fixed({"x": 2, "y": 2}))

    def test_a_rate_may_be_left_open(self):
        law = exact_law(bernoulli_sample, FRAME, rate=SYMBOL)
        assert law.at(Fraction(1, 3)) == exact_law(bernoulli_sample, FRAME, rate=Fraction(1, 3))
        halved = exact_law(poisson_sample, FRAME, rates=lambda _, record: SYMBOL / record[1])
        assert halved.at(Fraction(1, 2)).numeric(("a", "b")) == Fraction(1, 2) * Fraction(1, 10) * Fraction(
            3, 4
        ) * Fraction(1, 2) * Fraction(5, 6)


class TestRefusals:
    @pytest.mark.parametrize(
        ("design", "parameters", "message"),
        [
            (simple_random_sample, {"size": 6}, "size must be at most the 5 units of the frame; got 6"),
            (simple_random_sample, {"size": 0}, "size must be at least 1; got 0"),
            (simple_random_sample, {"size": True}, "size must be an integer of at least 1; got True"),
            (sample_with_replacement, {"size": 0}, "size must be at least 1; got 0"),
            (
                sample_with_replacement,
                {"size": 1, "measure": lambda record: record[1] - 1},
                "the measure of unit 'a' must be positive; got 0",
            ),
            (bernoulli_sample, {"rate": 0}, "rate must be above 0 and at most 1; got 0"),
            (bernoulli_sample, {"rate": Fraction(3, 2)}, "rate must be above 0 and at most 1; got 3/2"),
            (bernoulli_sample, {"rate": 0.5}, "rate must be an exact number; got the float 0.5: write Fraction('0.5')"),
            (
                poisson_sample,
                {"rates": lambda _, record: Fraction(record[1], 4)},
                "the rate of unit 'b' must be above 0 and at most 1; got 5/4",
            ),
            (
                stratified_sample,
                {"stratum": stratum, "sizes": fixed({"x": 3, "y": 1})},
                "the size of stratum 'x' must be at most its 2 units; got 3",
            ),
            (
                stratified_sample,
                {"stratum": stratum, "sizes": fixed({"x": 1})},
                "sizes must name every stratum of the frame; 'y' is missing",
            ),
            (
                stratified_sample,
                {"stratum": stratum, "sizes": fixed({"x": 1, "y": 1, "z": 1})},
                "sizes must be of strata with units in the frame; 'z' has none",
            ),
            (
                stratified_sample,
                {"stratum": lambda record: record[1] if record[1] > 2 else "few", "sizes": proportional(1)},
                "stratum must give all numbers or all texts, which have an order; got values of type int, str",
            ),
            (
                cluster_sample,
                {"cluster": lambda _: ["x"], "number": 1},
                "cluster must give all numbers or all texts, which have an order; got values of type list",
            ),
            (
                randomly_rounded_sample,
                {"stratum": lambda _: float("nan"), "rate": 1},
                "stratum must give all numbers or all texts, which have an order; got values of type float",
            ),
            (randomly_rounded_sample, {"stratum": stratum, "rate": 2}, "rate must be above 0 and at most 1; got 2"),
            (
                cluster_sample,
                {"cluster": stratum, "number": 3},
                "number must be at most the 2 clusters of the frame; got 3",
            ),
            (systematic_sample, {"step": 6}, "step must be at most the 5 units of the frame; got 6"),
            (pps_sample, {"measure": value, "size": 3}, "n·x/Σx of unit 'b' must be at most 1; got 5/4"),
            (sampford_sample, {"measure": value, "size": 3}, "n·x/Σx of unit 'b' must be at most 1; got 5/4"),
            (
                sampford_sample,
                {"measure": lambda record: record[1] + 2 * (record[1] == 5), "size": 2},
                "n·x/Σx of unit 'b' must be below 1 for Sampford's method; got 1",
            ),
            (
                pps_sample,
                {"measure": lambda _: 0.5, "size": 1},
                "the measure of unit 'a' must be an exact number; got the float 0.5: write Fraction('0.5')",
            ),
        ],
    )
    def test_a_design_that_cannot_be_is_refused_and_so_are_its_probabilities(self, design, parameters, message):
        for run in (exact_law, inclusion):
            with pytest.raises(InputError) as refused:
                run(design, FRAME, **parameters)
            assert str(refused.value) == message

    def test_a_design_with_given_data_has_no_closed_form(self):
        with pytest.raises(InputError, match=r"^design must be one whose inclusion probabilities are known"):
            inclusion(partial(simple_random_sample, FRAME), FRAME, size=1)

    @pytest.mark.parametrize("line", [("a", "b"), ("a", "b", "b", "c", "d", "e"), ("a", "b", "c", "d", "z")])
    def test_an_order_has_each_unit_once(self, line):
        for design, parameters in [(systematic_sample, {"step": 2}), (pps_sample, {"measure": value, "size": 1})]:
            with pytest.raises(InputError, match=r"^order must hold each unit of the frame once; got \('a', 'b'"):
                exact_law(design, FRAME, order=lambda *_: line, **parameters)

    def test_an_empty_frame_has_no_sample(self):
        for design in (simple_random_sample, sample_with_replacement):
            with pytest.raises(InputError, match="frame"):
                exact_law(design, (), size=1)


class TestFrames:
    @pytest.mark.parametrize(
        "frame", [list(FRAME), (("a", 1), ["b", 2]), (("a", 1), ("b", 2, 3)), (("a", 1), "bc"), "ab"]
    )
    def test_a_frame_is_a_tuple_of_pairs(self, frame):
        with pytest.raises(
            InputError, match=r"^frame must be a tuple of pairs \(unit, record\), as unit_data makes it$"
        ):
            exact_law(simple_random_sample, frame, size=1)

    @pytest.mark.parametrize("labels", ["ba", "aa", "abb", ("a", 1), (1, float("nan"))])
    def test_its_units_increase(self, labels):
        with pytest.raises(
            InputError, match=r"^frame must have its units in increasing order, each once, as unit_data "
        ):
            exact_law(simple_random_sample, tuple((unit, 0) for unit in labels), size=1)


class TestSelect:
    def test_a_sample_has_the_records_of_its_units(self):
        assert select(FRAME, ("b", "e")) == (("b", ("y", 5)), ("e", ("y", 3)))
        assert select(FRAME, ()) == ()

    def test_draws_are_counted(self):
        assert select_draws(FRAME, ("b", "b", "e")) == (("b", (("y", 5), 2)), ("e", (("y", 3), 1)))

    def test_strangers_and_units_twice_are_refused(self):
        with pytest.raises(InputError, match=r"^sample must be of units of the frame; got 'z'$"):
            select(FRAME, ("z",))
        with pytest.raises(InputError, match=r"^sample must hold each unit once; got 'b' 2 times: select_draws counts"):
            select(FRAME, ("b", "b"))
        for sample_of_none in ("ab", None, 3):
            with pytest.raises(InputError, match=r"^sample must be a tuple of units; got "):
                select(FRAME, sample_of_none)


def test_a_large_frame_is_sampled():
    frame = unit_data(dict.fromkeys(range(5000), 1))
    assert len(sample(simple_random_sample, frame, seed=1, size=100)) == 100
    assert unit_order(frame, PublicSource(SamplingSource(1))) == tuple(range(5000))
