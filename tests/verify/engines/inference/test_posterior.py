"""Posteriors, and the largest powers and ratios between beliefs: paths, mixtures, and mechanisms that none exceeds."""

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_flavors import law

from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.blocks.multiverse import vacuous
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.laws.law import Law
from stirred.verify.engines.algebra.linear_program import implied
from stirred.verify.engines.inference.belief_limits import BeliefLimits, UniverseLimits
from stirred.verify.engines.inference.posterior import Belief, ReleasedLaw, posterior_bounds, sharpest_posterior
from stirred.verify.engines.inference.power import power_bounds, sharpest_power
from stirred.verify.engines.universe_pairs import BlockPairs
from stirred.verify.ledger.engines.power_program import PowerProgram

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
COIN = {0: law(3, 1), 1: law(1, 3)}
BOTH = ((0, 1), (1, 0))


@given(st.fractions(0, 1, max_denominator=30), st.fractions(1, 5, max_denominator=6), st.integers(0, 4))
def test_the_odds_bound_lies_within_the_printed_one(prior, gamma, distance):
    low, high = posterior_bounds(prior, gamma, distance)
    sharp = sharpest_posterior(prior, gamma, distance)
    assert low <= sharp[0] <= prior <= sharp[1] <= high
    if 0 < prior < 1 < gamma and distance:
        assert low < sharp[0] < sharp[1] < high


@given(st.fractions(Fraction(1, 30), Fraction(29, 30), max_denominator=30), st.fractions(1, 5, max_denominator=6))
def test_two_data_sets_and_randomised_response_attain_the_odds_bound(prior, gamma):
    truth = gamma / (1 + gamma)
    belief = Belief({0: 1 - prior, 1: prior}, {0: Law({0: truth, 1: 1 - truth}), 1: Law({0: 1 - truth, 1: truth})})
    assert belief.range_after([1]) == sharpest_posterior(prior, gamma, 1)


def test_a_posterior_by_hand():
    belief = Belief({0: Fraction(2, 3), 1: Fraction(1, 3)}, COIN)
    assert belief.predicted(1) == Fraction(5, 12)
    assert belief.after(1, [1]) == Fraction(3, 5)
    assert belief.probability_of([1]) == Fraction(1, 3)


def test_at_an_infinite_distance_only_what_was_certain_stays():
    assert posterior_bounds(HALF, 2, None) == sharpest_posterior(HALF, 2, None) == (0, 1)
    assert sharpest_posterior(1, 2, None) == (1, 1)


def on_path(count, gamma):
    steps = [(i, j) for i, j in product(range(count), repeat=2) if abs(i - j) == 1]
    return BeliefLimits([Law({i: Fraction(1)}) for i in range(count)], steps, gamma)


@pytest.mark.parametrize("alpha", [0, Fraction(1, 20), Fraction(1, 5), HALF, 1])
@pytest.mark.parametrize("gamma", [1, Fraction(3, 2), 5])
def test_beliefs_that_are_sure_of_one_data_set_are_a_path(gamma, alpha):
    limits = on_path(3, gamma)
    assert [limits.power(0, d, alpha) for d in range(3)] == [sharpest_power(alpha, gamma, d) for d in range(3)]
    assert [limits.ratio(2, d) for d in range(3)] == [Fraction(gamma) ** (2 - d) for d in range(3)]


def test_no_budget_lets_overlapping_beliefs_differ_by_more_than_they_do():
    # u = (1/2, 1/2), v = (1/4, 3/4): the second data set is 3/2 times as probable, and no mechanism has more
    limits = BeliefLimits([law(1, 1), law(1, 3)], BOTH, 9)
    assert (limits.ratio(0, 1), limits.ratio(1, 0)) == (Fraction(3, 2), 2)
    assert limits.power(0, 1, Fraction(1, 20)) == Fraction(3, 40)
    assert limits.power(0, 1, Fraction(3, 4)) == Fraction(7, 8)


def test_no_mechanism_has_more_and_one_has_as_much():
    """By another program, which is asked about one bound at a time."""
    drawn = random.Random(3)  # noqa: S311 fixed cases
    for _ in range(40):
        u, v = (_law(drawn) for _ in range(2))
        gamma, alpha = Fraction(drawn.choice([3, 4, 6]), 2), Fraction(drawn.randint(1, 11), 12)
        largest = BeliefLimits([Law(dict(enumerate(p))) for p in (u, v)], BOTH, gamma).power(0, 1, alpha)
        inequalities = [(u, alpha)]
        for p, q in ((u, v), (v, u)):
            inequalities.append((_minus(p, q, gamma), Fraction(0)))
            inequalities.append(([-entry for entry in _minus(p, q, gamma)], gamma - 1))
        for x in range(3):
            unit = [Fraction(x == y) for y in range(3)]
            inequalities += [(unit, Fraction(1)), ([-entry for entry in unit], Fraction(0))]
        rows, bounds = zip(*inequalities, strict=True)
        assert implied(rows, bounds, v, largest).point is None
        assert implied(rows, bounds, v, largest - Fraction(1, 1000)).multipliers is None
        assert largest <= min(gamma * alpha, 1 - (1 - alpha) / gamma)


def _law(drawn):
    weights = [Fraction(drawn.randint(0, 3)) for _ in range(2)]
    weights.append(Fraction(drawn.randint(1, 3)))
    return [weight / sum(weights) for weight in weights]


def _minus(p, q, gamma):
    return [a - gamma * b for a, b in zip(p, q, strict=True)]


def apart(x, y):
    return abs(x - y)


def limits(points, gamma=2, distance=apart):
    domain = FiniteDomain(tuple(points))
    multiverse = vacuous(domain)
    (universe,) = multiverse
    pairs = BlockPairs(InputBlocks(domain, multiverse, InputPremetric("d", "unit", distance)))
    return UniverseLimits(pairs.pairs_in(universe), gamma)


@pytest.mark.parametrize("alpha", [Fraction(1, 20), Fraction(1, 3), Fraction(19, 20)])
def test_on_a_path_they_are_the_sharpest_powers(alpha):
    found = limits(range(5)).powers(0, alpha)
    assert [found[d] for d in range(5)] == [sharpest_power(alpha, 2, d) for d in range(5)]


def test_without_data_sets_between_they_are_the_printed_bounds():
    found = limits((0, 2, 4))
    level = Fraction(1, 5)
    assert found.powers(0, level)[1] == power_bounds(level, 2, 2)[1]
    # over 4 by way of 2: two steps of gamma^2, not four of gamma
    assert found.powers(0, level)[2] == sharpest_power(level, 4, 2) > sharpest_power(level, 2, 4)


@pytest.mark.parametrize("alpha", [Fraction(1, 10), Fraction(1, 2)])
def test_the_linear_program_agrees_on_a_graph(alpha):
    edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)]
    near = {frozenset(edge) for edge in edges}
    found = limits(range(5), distance=lambda x, y: _steps(near, x, y)).powers(0, alpha)
    for other in range(1, 5):
        program = PowerProgram(edges, (0, other), 2, alpha, 2)
        assert program.limited_by(found[other]).point is None
        assert program.limited_by(found[other] - Fraction(1, 10**6)).multipliers is None


def _steps(near, x, y):
    seen, ring, steps = {x}, {x}, 0
    while y not in seen:
        ring = {b for a in ring for b in range(5) if frozenset((a, b)) in near} - seen
        seen, steps = seen | ring, steps + 1
    return steps


def test_what_is_not_connected_is_not_reached():
    found = limits((0, 1, 5), distance=lambda x, y: abs(x - y) if max(x, y) < 2 else None)
    assert found.distances(0) == {0: 0, 1: 1}
    assert set(found.powers(2, Fraction(1, 2))) == {2}


POINTS = tuple(product((0, 1), repeat=2))


def hamming(x, y):
    return sum(a != b for a, b in zip(x, y, strict=True))


def responses(x):
    """Randomised response with gamma = 3."""
    return Law({t: QUARTER ** hamming(x, t) * (3 * QUARTER) ** (2 - hamming(x, t)) for t in POINTS})


LAWS = {x: responses(x) for x in POINTS}


def test_randomised_response_by_hand_and_over_an_event_the_sharpest_is_sharper():
    released = ReleasedLaw(LAWS, 3, hamming)
    for t in POINTS:  # dissertation, (5.8): 1/(gamma + 1)^2 and gamma^2/(gamma + 1)^2
        assert released.printed([t]) == released.sharpest([t]) == (Fraction(1, 16), Fraction(9, 16))
    event = [(0, 0), (1, 1)]
    assert released.printed(event) == (Fraction(1, 8), 1)
    assert released.sharpest(event) == (Fraction(3, 8), Fraction(5, 8))


@pytest.mark.parametrize("weights", [(1, 0, 0, 0), (1, 1, 1, 1), (5, 0, 2, 1)])
@pytest.mark.parametrize("mass", [Fraction(1), Fraction(1, 3)])
def test_every_model_is_within_its_bounds(weights, mass):
    released = ReleasedLaw(LAWS, 3, hamming, mass)
    shares = [mass * Fraction(w, sum(weights)) for w in weights]
    for event in ([(0, 0)], [(0, 0), (0, 1)]):
        inside = sum(share * LAWS[x][t] for x, share in zip(POINTS, shares, strict=True) for t in event)
        for low, high in (released.printed(event), released.sharpest(event)):
            assert low <= inside <= high


def unconnected(x, y):
    return 0 if x == y else None


def halved(x, y):
    return Fraction(int(x != y), 2)


CERTAIN = Belief({0: Fraction(1), 1: Fraction(0)}, COIN)


@pytest.mark.parametrize(
    ("message", "ask"),
    [
        ("^the prior must sum to exactly 1; got 5/6$", lambda: Belief({0: HALF, 1: Fraction(1, 3)}, COIN)),
        ("^the prior must be on data sets of the domain; got 2$", lambda: Belief({0: HALF, 2: HALF}, COIN)),
        ("^prior of 0 must be an exact number; got the float 0.5: write", lambda: Belief({0: 0.5, 1: HALF}, COIN)),
        ("what is conditional on it is undefined", lambda: CERTAIN.range_after([1])),
        ("the posterior given 7 is undefined: its probability is 0", lambda: CERTAIN.after(7, [0])),
        ("^gamma must be at least 1; got 1/2$", lambda: posterior_bounds(HALF, HALF, 1)),
        ("^gamma must be at least 1; got 1/2$", lambda: on_path(2, HALF)),
        ("alpha", lambda: on_path(2, 2).power(0, 1, 2)),
        ("distances must be integers", lambda: limits((0, 1), distance=halved)),
        ("^gamma must be at least 1; got 1/2$", lambda: limits((0, 1), HALF)),
        ("the possible data sets must be connected", lambda: ReleasedLaw(LAWS, 3, unconnected).printed([(0, 0)])),
        ("distances must be integers", lambda: ReleasedLaw(LAWS, 3, halved).printed([(0, 0)])),
        ("^gamma must be at least 1; got 0$", lambda: ReleasedLaw(LAWS, 0, hamming)),
        ("^mass must be between 0 and 1; got 2$", lambda: ReleasedLaw(LAWS, 3, hamming, 2)),
        ("^at least one data set must be possible$", lambda: ReleasedLaw({}, 3, hamming)),
    ],
)
def test_what_cannot_be_answered_is_refused(message, ask):
    with pytest.raises(InputError, match=message):
        ask()
