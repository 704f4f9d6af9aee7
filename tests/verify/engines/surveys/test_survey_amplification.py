"""The worst releases of samples: against enumeration, as mechanisms, at small budgets, and on designs."""

from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_flavors import law

from stirred.mechanisms.surveys.designs import (
    pps_sample,
    randomly_rounded_sample,
    simple_random_sample,
    systematic_sample,
)
from stirred.spec import InputError, Law
from stirred.spec.blocks.input_premetric import InputPremetric, hamming_unordered
from stirred.spec.laws.law import point_mass, uniform_law
from stirred.spec.output_premetrics import Multiplicative, hockey_stick
from stirred.spec.surveys.amplification import Compared
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.engines.surveys.design_loss import (
    amplified_loss,
    design_table,
    distance_of_samples,
    neighbouring_frames,
    sample_law,
)
from stirred.verify.engines.surveys.worst_release import power_limit, small_budget, worse_way, worst_release
from stirred.verify.ledger.engines.approximate_release import worst_excess

LINE = InputPremetric("line", "step", lambda x, y: abs(x - y))
PARITY = InputPremetric("parity", "step", lambda x, y: abs(x - y) if (x - y) % 2 == 0 else None)


def heights(points, distance):
    """All integer h on some points with h(x) - h(y) <= d(x, y) and minimum 0."""
    widest = max(distance(x, y) for x in points for y in points)
    for values in product(range(int(widest) + 1), repeat=len(points)):
        h = dict(zip(points, values, strict=True))
        if min(values) == 0 and all(h[x] - h[y] <= distance(x, y) for x in points for y in points):
            yield h


def laws_on(points):
    weights = st.lists(st.integers(0, 4), min_size=len(points), max_size=len(points)).filter(any)
    return weights.map(lambda masses: law(*masses).push(points.__getitem__))


POINTS = (0, 1, 3, 4)


@given(laws_on(POINTS), laws_on(POINTS), st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(5)]))
def test_the_worst_release_is_the_best_power_of_the_budget(p, q, gamma):
    """A corner of the releases has values gamma^h for an integer h: all of them are tried."""

    def ratio(h):
        above, below = (sum(one[x] * gamma ** h[x] for x in one) for one in (p, q))
        return above / below

    found = worst_release(p, q, power_limit(gamma, LINE))
    assert found.ratio == max(map(ratio, heights(tuple(dict.fromkeys((*p, *q))), LINE)))


@given(laws_on(POINTS), laws_on(POINTS))
def test_a_small_budget_is_lost_by_the_best_heights(p, q):
    def change(h):
        return sum(p[x] * h[x] for x in p) - sum(q[x] * h[x] for x in q)

    found = small_budget(p, q, LINE)
    assert found.share == max(map(change, heights(tuple(dict.fromkeys((*p, *q))), LINE)))
    assert change(found.heights) == found.share


@given(laws_on(POINTS), laws_on(POINTS))
def test_a_small_budget_is_the_limit_of_small_ones(p, q):
    """ln(ratio)/ln(gamma) at gamma = 1 + 1/10^4: its second-order term is at most d^2 = 16 times ln(gamma)."""
    gamma = 1 + Fraction(1, 10**4)
    ratio = worst_release(p, q, power_limit(gamma, LINE)).ratio
    share = small_budget(p, q, LINE).share
    assert abs((ratio - 1) / (gamma - 1) - share) < Fraction(16 * 3, 10**4)


@given(laws_on(POINTS), laws_on(POINTS), st.sampled_from([Fraction(3, 2), Fraction(5)]))
def test_the_worst_release_is_a_mechanism_that_loses_its_ratio(p, q, gamma):
    limit = power_limit(gamma, LINE)
    worst = worst_release(p, q, limit)
    mechanism = worst.laws(limit)
    for x, y in combinations(mechanism, 2):
        loss = Multiplicative().distance(mechanism[x], mechanism[y])
        assert loss.gamma <= limit(x, y) ** loss.distance
    released = [one.bind(mechanism.__getitem__) for one in (p, q)]
    assert released[0]["seen"] / released[1]["seen"] == worst.ratio


@given(laws_on(POINTS), laws_on(POINTS), st.sampled_from([Fraction(3, 2), Fraction(5)]))
def test_its_multipliers_show_that_no_release_has_more(p, q, gamma):
    limit = power_limit(gamma, LINE)
    found = worst_release(p, q, limit)
    y = found.multipliers
    assert all(value > 0 for value in y.values())
    for x in found.weights:
        out = sum(value for pair, value in y.items() if pair[0] == x)
        back = sum(value * limit(*pair) for pair, value in y.items() if pair[1] == x)
        assert p[x] <= found.ratio * q[x] + out - back


@given(laws_on(POINTS), laws_on(POINTS), st.sampled_from([Fraction(3, 2), Fraction(5)]))
def test_no_mechanism_at_random_loses_more(p, q, gamma):
    found = worst_release(p, q, power_limit(gamma, LINE)).ratio
    for peak in POINTS:
        weights = {x: gamma ** -abs(x - peak) for x in POINTS}
        above, below = (sum(one[x] * weights[x] for x in one) for one in (p, q))
        assert above <= found * below


def test_parts_at_infinite_distance_are_told_apart():
    p, limit = law(1, 1), power_limit(2, PARITY)
    assert worst_release(p, law(1, 0, 1), limit).ratio is small_budget(p, law(1, 0, 1), PARITY).share is None
    inside = law(0, 1, 1)
    assert (worst_release(p, inside, limit).ratio, small_budget(p, inside, PARITY).share) == (4, 2)


def test_the_worse_way_is_the_larger_of_the_two():
    p, q = law(1, 2), law(0, 1)
    limit = power_limit(2, LINE)
    assert (worst_release(p, q, limit).ratio, worst_release(q, p, limit).ratio) == (Fraction(4, 3), Fraction(6, 5))
    assert worse_way((q, p), limit)[:2] == (p, q)


def are_neighbours(x, y):
    return abs(x - y) == 1


def excess(p, q, **parameters):
    return worst_excess(p, q, are_neighbours, possible=(0, 1, 2), **parameters)


@given(laws_on((0, 1, 2)), laws_on((0, 1, 2)), st.fractions(1, 3))
def test_without_delta_the_worst_excess_vanishes_at_the_worst_ratio(p, q, gamma):
    ratio = worst_release(p, q, power_limit(gamma, LINE)).ratio
    assert excess(p, q, gamma=gamma, delta=0, target=max(ratio, 1)).excess == 0
    if ratio > 1:
        assert excess(p, q, gamma=gamma, delta=0, target=(1 + ratio) / 2).excess > 0


@given(laws_on((0, 1, 2)), laws_on((0, 1, 2)), st.sampled_from([Fraction(0), Fraction(1, 10)]))
def test_the_worst_excess_is_that_of_its_own_mechanism(p, q, delta):
    gamma, target = Fraction(2), Fraction(3, 2)
    found = excess(p, q, gamma=gamma, delta=delta, target=target)
    mechanism = {x: Law({"in": c, "out": 1 - c}) for x, c in found.chances.items()}
    for x, y in ((0, 1), (1, 0), (1, 2), (2, 1)):
        assert hockey_stick(mechanism[x], mechanism[y], gamma) <= delta
    released = [one.bind(mechanism.__getitem__) for one in (p, q)]
    assert hockey_stick(*released, target) == found.excess


def test_the_law_of_a_sample_keeps_units_and_repeated_draws():
    frame = ((1, "a"), (2, "b"), (3, "b"))
    drawn = sample_law(lambda data, source: simple_random_sample(data, source, size=2), frame)
    assert drawn == uniform_law(tuple(combinations(frame, 2)))
    assert sample_law(lambda data, source: (2, 2), frame) == point_mass(((2, "b"), (2, "b")))


def test_neighbouring_frames_are_all_pairs_once():
    replaced = list(neighbouring_frames({1: "abc", 2: "ab"}, Compared.REPLACED))
    assert len(replaced) == len({frozenset(pair) for pair in replaced}) == 2 * 3 + 3
    assert all(hamming_unordered("unit")(*pair) == 1 for pair in replaced)
    added = list(neighbouring_frames({1: "ab", 2: "a"}, Compared.ADDED))
    assert all(distance_of_samples(Compared.ADDED)(*pair) == 1 for pair in added)


def test_the_frames_named_are_where_the_design_loses_most():
    def design(data, source):
        return systematic_sample(data, source, step=2)

    records = {u: "ab" if u == 0 else "z" for u in range(4)}
    for compared in Compared:
        found = amplified_loss(design, neighbouring_frames(records, compared), compared, 3)
        p, q = (sample_law(design, frame) for frame in found.frames)
        assert worst_release(p, q, power_limit(3, distance_of_samples(compared))).ratio == found.gamma


@cache
def table():
    return {(row.design, row.compared): row for row in design_table(2)}


def test_the_table_has_each_design_three_times():
    assert len(table()) == 3 * len({design for design, _ in table()})
    replaced = {
        "simple random, 2 of 4": Fraction(3, 2),
        "systematic, 2 of 4, random order": Fraction(3, 2),
        "1 of 2 clusters of 2, units stay in theirs": Fraction(5, 3),
        "systematic, 2 of 4, fixed order": Fraction(5, 3),
        "1 of 2 clusters, a unit may change its own": None,
        "Neyman, 4 of 6, units stay in their strata": Fraction(16, 3),
        "proportional, 2 of 4, largest remainders": 2,
        "Bernoulli, 1/2 of 4": 2,
        "proportional, 1/4 of 4, rounded at random": None,
    }
    assert {design: table()[design, Compared.REPLACED].gamma for design in replaced} == replaced
    # without unit 1 the samples {0, 2} and {3} are drawn, of which {0, 2} loses gamma twice and more
    assert table()["systematic, 2 of 4, fixed order", Compared.ADDED].gamma == Fraction(10, 3)
    assert table()["PPS, 1 of 4, sizes 1 and 2", Compared.SAME_UNITS].gamma == Fraction(7, 2)


def itself(record):
    return record


@pytest.mark.parametrize("compared", Compared)
@pytest.mark.parametrize(
    ("row", "design", "values"),
    [
        ("simple random, 2 of 4", partial(simple_random_sample, size=2), "ab"),
        ("systematic, 2 of 4, fixed order", partial(systematic_sample, step=2), "ab"),
        ("PPS, 1 of 4, sizes 1 and 2", partial(pps_sample, measure=itself, size=1), (1, 2)),
        (
            "proportional, 1/4 of 4, rounded at random",
            partial(randomly_rounded_sample, stratum=itself, rate=Fraction(1, 4)),
            "ab",
        ),
    ],
)
def test_no_pair_of_neighbours_loses_more_than_the_row(row, design, values, compared):
    # in every frame of the four, every unit in turn is removed or changes
    pairs = []
    for records in product(values, repeat=4):
        frame = unit_data(dict(enumerate(records)))
        for place, old in frame:
            if compared is Compared.ADDED:
                pairs.append((frame, frame[:place] + frame[place + 1 :]))
            else:
                later = values[values.index(old) + 1 :]
                pairs += [(frame, (*frame[:place], (place, new), *frame[place + 1 :])) for new in later]
    assert amplified_loss(design, pairs, compared, 2).gamma == table()[row, compared].gamma


HALVES = InputPremetric("halves", "step", lambda x, y: Fraction(1, 2))
SURE = point_mass(0), point_mass(1)


def constant(x, y):
    return Fraction(1)


@pytest.mark.parametrize(
    ("message", "ask"),
    [
        ("gamma", lambda: power_limit(2.5, LINE)),
        ("gamma must be at least 1", lambda: power_limit(Fraction(1, 2), LINE)),
        ("distances of samples must be integers", lambda: power_limit(2, HALVES)(0, 1)),
        ("at least one pair of frames", lambda: amplified_loss(lambda data, source: (), [], Compared.ADDED, 2)),
        ("delta must be at least 0 and below 1", lambda: excess(*SURE, gamma=2, delta=1, target=2)),
        ("limit must be above 1", lambda: worst_release(*SURE, constant).laws(constant)),
    ],
)
def test_bad_input_is_refused(message, ask):
    with pytest.raises(InputError, match=message):
        ask()
