"""Intervals of measures, density ratios and distortion models, against definitions by events and by linear programs."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import events, gammas, laws

from stirred.spec import INFINITE, ZERO, InputError, Law, Loss, Multiplicative
from stirred.spec.intervals import (
    Contamination,
    DensityRatioNeighborhood,
    FiniteMeasure,
    IntervalOfMeasures,
    MultiplicativeBall,
    ProbabilityInterval,
    density_ratio_distance,
    linear_vacuous_distance,
    multiplicative_distance,
)
from stirred.spec.laws.law import point_mass, uniform_law
from stirred.verify.engines.algebra.linear_program import Solution, nonnegative_solution

measures = st.lists(st.fractions(0, 4, max_denominator=4), min_size=4, max_size=4).map(
    lambda m: FiniteMeasure(dict(enumerate(m)))
)
shares = st.fractions(0, 1, max_denominator=6)
UNIFORM = uniform_law((0, 1, 2, 3))


def quotient(a, b):
    """A ratio of masses with 0/0 = 1, as a loss at least 0; oo where one of them is 0."""
    if a == b:
        return ZERO
    return INFINITE if 0 in (a, b) else Loss(max(a / b, b / a))


def is_spanned(law, points):
    """Whether a law is a mixture of others."""
    outcomes = sorted({t for point in (law, *points) for t in point})
    columns = [[*(point.numeric(t) for t in outcomes), Fraction(1)] for point in points]
    return isinstance(nonnegative_solution(columns, [*(law.numeric(t) for t in outcomes), Fraction(1)]), Solution)


def check_extreme_points(points, holds, grid):
    """They lie in the set, none is a mixture of the others, and all members of a grid are mixtures of them."""
    assert all(map(holds, points))
    assert not any(is_spanned(p, [q for q in points if q != p]) for p in points if len(points) > 1)
    assert len(set(points)) == len(points)
    assert [p for p in grid if holds(p) and not is_spanned(p, points)] == []
    assert any(map(holds, grid))


def grid(outcomes=3, denominator=12):
    counts = (c for c in product(range(denominator + 1), repeat=outcomes) if sum(c) == denominator)
    return [Law({t: Fraction(k, denominator) for t, k in enumerate(c)}) for c in counts]


NUCLEI = [Law({0: Fraction(1, 2), 1: Fraction(1, 4), 2: Fraction(1, 4)}), uniform_law((0, 1, 2))]


class TestMeasures:
    @given(measures, measures)
    def test_the_distance_by_atoms_is_the_supremum_over_all_events(self, mu, nu):
        assert multiplicative_distance(mu, nu) == max(quotient(mu(s), nu(s)) for s in events(4))

    @given(laws(), laws())
    def test_of_laws_it_is_the_output_premetric_and_the_linear_vacuous_distance_that_of_events(self, p, q):
        mu, nu = FiniteMeasure.of(p, range(4)), FiniteMeasure.of(q, range(4))
        assert multiplicative_distance(mu, nu) == Multiplicative().distance(p, q)
        assert mu.law() == p
        assert linear_vacuous_distance(mu, nu) == max((nu(s) - mu(s)) / nu(s) for s in events(4) if nu(s))

    def test_outcomes_of_mass_zero_stay(self):
        mu = FiniteMeasure({0: 0, 1: 2})
        assert (len(mu), mu.support, mu.total, mu.times(Fraction(1, 2))[1]) == (2, (1,), 2, 1)
        assert mu == FiniteMeasure({1: 2, 0: 0})
        assert hash(mu) == hash(FiniteMeasure({1: 2, 0: 0}))
        assert repr(mu) == "FiniteMeasure({0: 0, 1: 2})"

    def test_zero_measures(self):
        zero, one = FiniteMeasure({0: 0}), FiniteMeasure({0: 1})
        assert multiplicative_distance(zero, zero) == density_ratio_distance(zero, zero) == ZERO
        assert multiplicative_distance(zero, one) == density_ratio_distance(one, zero) == INFINITE

    @pytest.mark.parametrize("mass", [{}, {0: -1}, {0: 0.5}, {0: True}])
    def test_what_is_no_measure_is_refused(self, mass):
        with pytest.raises(InputError):
            FiniteMeasure(mass)

    def test_what_does_not_fit_is_refused(self):
        mu, nu = FiniteMeasure({0: 1}), FiniteMeasure({1: 1})
        for wrong in (lambda: mu.is_below(nu), lambda: multiplicative_distance(mu, nu), lambda: mu([1])):
            with pytest.raises(InputError, match="outcome"):
                wrong()
        with pytest.raises(InputError, match="total mass 1; got 2"):
            mu.times(2).law()
        with pytest.raises(InputError, match="factor"):
            mu.times(-1)


class TestIntervals:
    @given(measures, measures, gammas)
    def test_a_ball_of_the_multiplicative_distance_is_an_interval(self, mu, nu, gamma):
        near = multiplicative_distance(mu, nu) <= Loss(gamma)
        assert IntervalOfMeasures.around(mu, gamma).contains(nu) == near

    @given(measures, measures, measures)
    def test_odds_of_members_lie_between_the_bounds(self, low, more, share):
        interval = IntervalOfMeasures(low, FiniteMeasure({t: low[t] + more[t] for t in low}))
        mu = FiniteMeasure({t: low[t] + more[t] * share[t] / 4 for t in low})
        assert interval.contains(mu)
        for a, b in product(events(4), repeat=2):
            least, most = interval.odds(a, b)
            if mu(b) and least is not None:
                assert least <= mu(a) / mu(b)
            if mu(b) and most is not None:
                assert mu(a) / mu(b) <= most

    def test_bad_ends_are_refused(self):
        one, two = FiniteMeasure({0: 1}), FiniteMeasure({0: 2})
        with pytest.raises(InputError, match="lower must be at most upper"):
            IntervalOfMeasures(two, one)
        with pytest.raises(InputError, match="gamma must be at least 1; got 1/2"):
            IntervalOfMeasures.around(one, Fraction(1, 2))
        for low, high in ((two, two), (one.times(Fraction(1, 3)), one.times(Fraction(1, 2)))):
            with pytest.raises(InputError, match="total mass"):
                ProbabilityInterval(low, high)
        with pytest.raises(InputError, match="lower must be at most upper"):
            ProbabilityInterval(one, one.times(0))

    @pytest.mark.parametrize(
        "ends", [((0, 0, 0), (3, 3, 3)), ((1, 0, 0), (1, 2, 4)), ((1, 1, 2), (2, 2, 3)), ((1, 1, 2), (1, 1, 2))]
    )
    def test_extreme_points_of_a_probability_interval(self, ends):
        low, high = (FiniteMeasure({t: Fraction(k, 4) for t, k in enumerate(end)}) for end in ends)
        interval = ProbabilityInterval(low, high)
        points = interval.extreme_points()
        check_extreme_points(points, interval.contains, grid())
        for event in events(3):
            masses = [sum(p.numeric(t) for t in event) for p in points]
            assert interval.lower_probability(event) == min(masses)
            assert interval.upper_probability(event) == max(masses)

    def test_laws_elsewhere_are_not_in_an_interval(self):
        half = FiniteMeasure({0: Fraction(1, 2), 1: Fraction(1, 2)})
        assert not ProbabilityInterval(half.times(0), half.times(2)).contains(point_mass(2))


class TestDensityRatios:
    @given(measures, measures)
    def test_the_distance_is_that_of_odds_of_events(self, mu, nu):
        kept = [s for s in events(4) if mu(s)]
        if mu.support != nu.support or not kept:
            return
        odds = max(mu(s) * nu(u) / (mu(u) * nu(s)) for s, u in product(kept, repeat=2))
        assert density_ratio_distance(mu, nu) == Loss(odds)

    @given(measures, st.integers(1, 5))
    def test_proportional_measures_are_at_distance_zero(self, mu, factor):
        assert density_ratio_distance(mu, mu.times(factor)) == ZERO

    @pytest.mark.parametrize("gamma", [Fraction(3, 2), Fraction(3)])
    @pytest.mark.parametrize("nucleus", NUCLEI)
    def test_extreme_points(self, nucleus, gamma):
        ball = DensityRatioNeighborhood(nucleus, Loss(gamma))
        points = ball.extreme_points()
        check_extreme_points(points, ball.contains, grid())
        assert len(points) == 6
        for event in events(3):
            assert ball.lower_probability(event) == min(sum(p.numeric(t) for t in event) for p in points)

    def test_a_point_is_alone(self):
        assert DensityRatioNeighborhood(point_mass(0), Loss(5)).extreme_points() == (point_mass(0),)
        assert DensityRatioNeighborhood(UNIFORM, ZERO).extreme_points() == (UNIFORM,)
        assert not DensityRatioNeighborhood(point_mass(0), Loss(5)).contains(point_mass(1))

    @pytest.mark.parametrize("radius", [INFINITE, Loss(2, 3), Fraction(1, 2), 1.5, "infinite"])
    def test_a_radius_that_is_no_rational_ratio_is_refused(self, radius):
        with pytest.raises(InputError, match=r"(radius|a number) must be (ln|at least|an exact)"):
            DensityRatioNeighborhood(UNIFORM, radius)


class TestDistortionModels:
    @pytest.mark.parametrize("gamma", [Fraction(5, 4), 3])
    @pytest.mark.parametrize("nucleus", NUCLEI)
    def test_extreme_points_of_the_multiplicative_ball(self, nucleus, gamma):
        ball = MultiplicativeBall(nucleus, gamma)
        check_extreme_points(ball.extreme_points(), ball.contains, grid())

    @pytest.mark.parametrize("share", [Fraction(1, 4), Fraction(1)])
    @pytest.mark.parametrize("nucleus", [*NUCLEI, point_mass(1)])
    def test_extreme_points_of_a_contamination_class(self, nucleus, share):
        model = Contamination(nucleus, share, (0, 1, 2))
        check_extreme_points(model.extreme_points(), model.contains, grid())
        assert not model.contains(point_mass(3))

    def test_bad_parameters_are_refused(self):
        with pytest.raises(InputError, match="gamma"):
            MultiplicativeBall(UNIFORM, Fraction(1, 2))
        with pytest.raises(InputError, match="share must be between 0 and 1; got 2"):
            Contamination(UNIFORM, 2, (0, 1, 2, 3))
        with pytest.raises(InputError, match="outcomes must include those of the nucleus"):
            Contamination(UNIFORM, Fraction(1, 2), (0, 1))
        with pytest.raises(InputError, match="must not be zero"):
            linear_vacuous_distance(FiniteMeasure({0: 1}), FiniteMeasure({0: 0}))


BALLS = [
    MultiplicativeBall(Law({t: Fraction(1, 3) for t in range(3)}), "ln 2"),
    DensityRatioNeighborhood(Law({0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)}), 3),
    Contamination(Law({0: Fraction(1, 4), 1: Fraction(3, 4)}), Fraction(1, 5), (0, 1, 2)),
]


@pytest.mark.parametrize("ball", BALLS, ids=lambda ball: type(ball).__name__)
def test_lower_and_upper_probabilities_are_those_of_the_extreme_points_which_lie_inside(ball):
    points = ball.extreme_points()
    assert all(law in ball for law in points)
    assert Law({0: Fraction(1, 10**6), 1: 1 - Fraction(2, 10**6), 2: Fraction(1, 10**6)}) not in ball
    for event in [(0,), (1, 2), (0, 1), (0, 1, 2), ()]:
        values = [sum((law.numeric(t) for t in event), Fraction(0)) for law in points]
        assert (ball.lower_probability(event), ball.upper_probability(event)) == (min(values), max(values))


def test_a_ball_takes_a_loss_a_text_or_the_number_e_to_the_radius():
    center = Law({0: Fraction(1, 4), 1: Fraction(3, 4)})
    for kind in (MultiplicativeBall, DensityRatioNeighborhood):
        assert kind(center, 2) == kind(center, "ln 2") == kind(center, Loss(2))
