from fractions import Fraction

import pytest

from stirred.spec.arguments import InputError
from stirred.spec.loss import INFINITE, ZERO, Loss
from stirred.spec.tables import TooManyTablesError
from stirred.verify.engines.swapping.floor import (
    CLAMPED_GEOMETRIC,
    ERRORS,
    WEIGHTED,
    Prior,
    ReleaseProblem,
    floor_of,
    lower_bound,
)
from stirred.verify.engines.swapping.price import noise_ratio, price

HALF = Fraction(1, 2)
EASY = Loss(9, 2)


@pytest.mark.parametrize("error", ERRORS)
def test_on_two_tables_the_floor_is_randomized_response(error):
    """P(change) = 1/(1 + gamma) and one record of each row moves then, at which each cell changes by 1."""
    found = floor_of(ReleaseProblem.of((1, 1), (1, 1), EASY, error))
    assert found.lower == found.upper == Fraction(1, 10)


@pytest.mark.parametrize(
    ("alpha", "error", "optimal"),
    [
        (Fraction(9, 10), "changed", True),
        (HALF, "absolute", True),
        (Fraction(3, 5), "absolute", False),
        (Fraction(1, 3), "squared", True),
        (HALF, "squared", False),
    ],
)
def test_the_clamped_geometric_mechanism_is_optimal_up_to_its_threshold(alpha, error, optimal):
    problem = ReleaseProblem.of((8, 8), (8, 8), Loss(1 / alpha, 2), error)
    found = floor_of(problem)
    assert (found.attained_by == CLAMPED_GEOMETRIC) is optimal
    assert problem.meets(found.mechanism)
    assert found.lower <= found.upper == problem.error(found.mechanism)
    assert found.upper - found.lower < Fraction(1, 10**4)


@pytest.mark.parametrize("prior", Prior)
@pytest.mark.parametrize("error", ERRORS)
def test_the_solver_brackets_what_is_known_exactly(monkeypatch, error, prior):
    problem = ReleaseProblem.of((3, 3), (3, 3), EASY, error, prior)
    exact = floor_of(problem)
    monkeypatch.setattr("stirred.verify.engines.swapping.floor._on_line", lambda _: None)
    monkeypatch.setattr("stirred.verify.engines.swapping.floor._by_weights", lambda _: None)
    found = floor_of(problem)
    assert found.lower <= exact.upper
    assert exact.lower <= found.upper
    assert found.upper - found.lower < Fraction(1, 10**6)
    assert problem.meets(found.mechanism)


def test_the_worst_case_is_above_the_mean():
    mean, worst = (floor_of(ReleaseProblem.of((2, 2), (2, 1, 1), EASY, "absolute", prior)) for prior in Prior)
    assert mean.upper < worst.lower


def test_circuits_of_three_records_are_constraints_too():
    problem = ReleaseProblem.of((1, 1, 1), (1, 1, 1), EASY, "changed")
    assert {d for _, _, d in problem.steps} == {2, 3}
    found = floor_of(problem)
    assert 0 < found.upper - found.lower < Fraction(1, 10**6)
    assert problem.meets(found.mechanism)


def test_the_weighted_mechanism_leaves_most_tables_unchanged():
    problem = ReleaseProblem.of((2, 2), (2, 1, 1), EASY, "changed")
    found = floor_of(problem)
    assert found.attained_by == WEIGHTED
    assert found.lower == found.upper
    assert problem.meets(found.mechanism)


def test_a_mechanism_over_the_budget_is_seen():
    problem = ReleaseProblem.of((1, 1), (1, 1), EASY, "changed")
    over = Fraction(1, 11)
    assert not problem.meets([[1 - over, over], [over, 1 - over]])
    assert not problem.meets([[HALF, HALF], [HALF, HALF + over]])
    assert problem.meets([[HALF, HALF], [HALF, HALF]])


def test_multipliers_are_at_least_0_and_weights_those_of_the_prior():
    problem = ReleaseProblem.of((1, 1), (1, 1), EASY, "changed")
    with pytest.raises(InputError, match="multipliers must be at least 0"):
        lower_bound(problem, [HALF, HALF], {(0, 1): [Fraction(-1), Fraction(0)]})
    with pytest.raises(InputError, match="weights must be"):
        lower_bound(problem, [Fraction(1), Fraction(0)], {})
    assert lower_bound(problem, [HALF, HALF], {}) == 0


@pytest.mark.parametrize(
    ("rows", "columns", "budget", "message"),
    [
        ((3,), (1, 2), EASY, "must leave two tables"),
        ((1, 1), (1, 1), ZERO, "must be positive and finite"),
        ((1, 1), (1, 1), INFINITE, "must be positive and finite"),
    ],
)
def test_what_has_no_floor_is_refused(rows, columns, budget, message):
    with pytest.raises(InputError, match=message):
        ReleaseProblem.of(rows, columns, budget, "absolute")


@pytest.mark.parametrize(("rows", "columns"), [((40, 40), (20, 30, 30)), ((20, 20), (15, 15, 10))])
def test_a_universe_that_takes_long_is_refused_with_the_time(rows, columns):
    with pytest.raises(TooManyTablesError, match=r"would take about \d+ minutes"):
        ReleaseProblem.of(rows, columns, EASY, "absolute")


def test_noise_has_the_ratio_of_its_shape_rounded_to_the_safe_side():
    assert noise_ratio(EASY, (4, 4), (4, 4)) == Fraction(1, 9)
    assert noise_ratio(EASY, (4, 4), (4, 4, 0)) == Fraction(1, 9)
    assert noise_ratio(Loss(9), (3, 3, 3), (3, 3, 3)) ** 2 * 9 >= 1
    with pytest.raises(InputError, match="positive and finite"):
        noise_ratio(EASY, (4,), (4,))


def test_the_price_on_a_line_is_that_of_the_table_of_the_claims():
    found = price((8, 8), (8, 8), HALF, "absolute")
    assert found.noise == found.weighted == found.floor.lower == found.floor.upper < found.swapping
    assert 6 < found.swapping / found.noise < 6.01


def test_with_three_categories_a_side_composed_noise_can_be_worse_than_the_psa():
    found = price((2, 2, 2), (2, 2, 2), Fraction(1, 10), "absolute")
    assert found.floor.upper < found.swapping < found.noise
