"""The study of TopDown: its populations and releases, what it measures of them, and its sentences."""

from fractions import Fraction

import numpy as np
import pytest

from stirred.spec import InputError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.massachusetts_1940 import dwellings
from stirred.verify.products.studies.topdown.release import (
    COUNT_CLASSES,
    LEVELS,
    Population,
    TopDownRun,
    budget_text,
    mean_over_runs,
    measures,
)
from stirred.verify.products.studies.topdown.study import findings, massachusetts, segregated

F = Fraction


def small(*, units=None):
    """Two counties, three tracts and five blocks, none of them in the order of their parents."""
    counts = np.array([[3, 0], [0, 2], [7, 1], [0, 0], [4, 4]])
    parents = (np.array([2, 0, 1, 0, 2]), np.array([1, 0, 1]), np.array([0, 0]))
    return Population(counts, parents, units)


def test_levels_are_sums_of_what_is_below():
    state, counties, tracts, blocks = small().levels
    assert blocks.tolist() == small().counts.tolist()
    assert tracts.tolist() == [[0, 2], [7, 1], [7, 4]]
    assert counties.tolist() == [[7, 1], [7, 6]]
    assert state.tolist() == [[14, 7]]


def test_without_noise_a_release_is_the_population_node_by_node():
    population = small(units=np.array([1, 1, 2, 0, 9]))
    run = population.release(F(10**9), 1)
    assert run.counts.tolist() == population.counts.tolist()
    for measured, totals, true in zip(run.measured, run.totals, population.levels, strict=True):
        assert measured.tolist() == true.tolist()
        assert totals.tolist() == true.sum(axis=1).tolist()


@pytest.mark.parametrize("seed", range(5))
def test_with_noise_what_is_kept_is_kept(seed):
    population = small(units=np.array([1, 1, 2, 0, 9]))
    run = population.release(F(1, 100), seed)
    assert run.counts.sum() == 21
    assert (run.counts >= 0).all()
    assert run.counts[3].tolist() == [0, 0]  # no housing units there
    assert run.counts.tolist() == population.release(F(1, 100), seed).counts.tolist()


def test_the_budget_is_spent_exactly():
    for population in (small(), small(units=np.array([1, 1, 2, 0, 9]))):
        assert population.design(F("2.56")).spent("person") == F("2.56")
    with pytest.raises(InputError, match="rho_squared of person must be positive"):
        small().release(F(0), 1)


def test_counties_have_the_dwellings_of_table_1_and_blocks_are_segregated():
    population = massachusetts(3)
    printed = {}
    for (_, (tenure,), (county,)), number in dwellings().items():
        printed.setdefault(county, {})[tenure] = number
    assert population.levels[1].tolist() == [[one["owned"], one["rented"]] for one in printed.values()]
    assert (population.counts >= 0).all()
    mixed = population.counts[population.counts.sum(axis=1) >= 20]
    shares = mixed[:, 0] / mixed.sum(axis=1)
    assert ((shares < 0.3) | (shares > 0.7)).mean() > 0.5
    assert (massachusetts(4).counts != population.counts).any()
    assert (massachusetts(3).counts == population.counts).all()


def test_households_of_the_segregated_state_are_its_housing_units():
    population = segregated(2_000, 1)
    assert population.units.sum() == 2_000
    assert population.counts[population.units == 0].sum() == 0


def released(population, shift):
    """All measured counts and the first kind of the first block too large by so much."""
    counts = population.counts.copy()
    counts[0, 0] += shift
    return TopDownRun(
        tuple(one + shift for one in population.levels),
        tuple(one.sum(axis=1) - 2 * shift for one in population.levels),
        counts,
    )


def test_measures_are_means_over_counts_and_runs():
    population = small()
    found = {
        (statistic, level, of): (cells, F(value))
        for statistic, level, of, cells, value in measures(
            population, [released(population, 1), released(population, 3)]
        )
    }
    for level, nodes in zip(LEVELS, (1, 2, 3, 5), strict=True):
        assert found["mean absolute noise", level, "kinds"] == (2 * nodes, 2)
        assert found["mean absolute noise", level, "population"] == (nodes, 4)
        assert found["mean absolute error", level, "population"][1] == pytest.approx(2 / nodes, abs=1e-6)
        assert found["mean absolute error", level, "kinds"][1] == pytest.approx(1 / nodes, abs=1e-6)
        # one count of 2·nodes has the runs 1 and 3, with the variance 2
        assert found["variance", level, "kinds"][1] == pytest.approx(1 / nodes, abs=1e-6)
    # true counts 3, 4 and 4 are a class; one of them is 1 and 3 too large
    assert found["mean error by true count", "block", "3 to 4"] == (3, F("0.666667"))
    assert found["mean error by true count", "block", "0"] == (4, 0)
    assert found["mean noise by true count", "block", "0"] == (4, 2)
    assert ("mean error by true count", "block", "50 to 99") not in found


def test_classes_of_counts_are_without_gaps():
    assert COUNT_CLASSES[:6] == ("0", "1", "2", "3 to 4", "5 to 9", "10 to 19")
    assert COUNT_CLASSES[-2:] == ("100 to 199", "200 or more")


def test_sentences_are_means_over_the_runs():
    rows = []
    for run, factor in (("1", 1), ("2", 3)):
        start = {"population": "here", "rho^2": "2.56", "sigma^2": "3.125", "run": run}
        lines = [
            (f"mean absolute {what}", level, of, value * factor)
            for of in ("kinds", "population")
            for level in LEVELS
            for what, value in (("noise", 5), ("error", 1))
        ]
        lines += [("variance", level, "kinds", factor) for level in LEVELS]
        lines += [
            ("mean error by true count", "block", "0", factor),
            ("mean error by true count", "block", "2", -factor),
        ]
        rows += [
            {**start, "statistic": s, "level": level, "of": of, "counts": "7", "measured": str(value)}
            for s, level, of, value in lines
        ]
    assert mean_over_runs(rows, "here", "variance", "block", "kinds") == {F("2.56"): 2}
    found = findings(rows, "scope")
    assert {one.verdict for one in found.values()} == {Verdict.SAMPLED}
    text = {name: one.detail for name, one in found.items()}
    assert "rho^2 2.56: state 10.000 and 2.000" in text["topdown.here.error.kinds"]
    assert "+2.000 at 0 (7 counts), -2.000 at 2 (7 counts)" in text["topdown.here.bias.2.56"]
    assert "rho^2 2.56: noise 3.125, state 2.000" in text["topdown.here.variance"]


def test_budgets_are_shown_as_they_are():
    assert [budget_text(F(text)) for text in ("2.56", "15", "0.0001", "10")] == ["2.56", "15", "0.0001", "10"]
