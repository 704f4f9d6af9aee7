"""What the study of swapping says of its table: means, crossings, sentences; and what it measures of a release."""

from fractions import Fraction

import numpy as np
import pytest

from stirred.spec.budgets.loss import Loss
from stirred.spec.flavors.permutation_swapping import psa_budget
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.products.studies.swapping.pictures import (
    ERROR,
    budget_at,
    crossing,
    curve_of,
    error_at,
    means_by_value,
)
from stirred.verify.products.studies.swapping.race_counts import REMOVALS_FIRST, race_counts
from stirred.verify.products.studies.swapping.releases import (
    DELTA,
    INFINITE_BUDGET,
    METHODS,
    PAIRS,
    PSA,
    TOPDOWN,
    TOYDOWN,
    TOYDOWN_GAUSSIAN,
    ReleasedCounts,
    concentrated,
    pure,
    pure_in_parts,
)
from stirred.verify.products.studies.swapping.study import (
    findings,
    measures_of_pairs,
    measures_of_release,
    measures_of_state,
)
from stirred.verify.products.studies.swapping.synthetic_state import synthetic_state

F = Fraction


@pytest.fixture(scope="module")
def state():
    return synthetic_state(2_000, 5)


COLUMNS = ("method", "value of parameter", "run", "epsilon", "rho^2", "statistic", "of", "measured")


def row(*values):
    return dict(zip(COLUMNS, values, strict=True))


def test_means_are_over_the_runs_of_a_value():
    rows = [row("psa", "0.10", run, "9", "9", "s", "x", m) for run, m in (("1", "2"), ("2", "5"))]
    rows += [row("psa", "0.10", "1", "9", "9", "s", "y", "7"), row("other", "0.10", "1", "9", "9", "s", "x", "7")]
    assert means_by_value(rows, "psa", "s", "x") == {F(1, 10): F(7, 2)}


@pytest.mark.parametrize(
    ("level", "place"), [(F(8), F(1)), (F(5), F(5, 2)), (F(4), F(3)), (F(2), F(4)), (F(0), F(5)), (F(9), None)]
)
def test_a_level_is_met_on_the_lines_between_points(level, place):
    assert crossing([(F(1), F(8)), (F(3), F(4)), (F(5), F(0))], level) == place
    assert crossing([(F(1), F(2)), (F(3), F(2))], F(2)) == 1


def test_a_curve_has_the_values_with_a_budget():
    budgets = {"0.50": ("9", "8"), "0.10": ("11", "10"), "0.00": ("infinite", "infinite")}
    errors = {"0.50": "3", "0.10": "1", "0.00": "0"}
    rows = [row("psa", value, "1", *both, *ERROR, errors[value]) for value, both in budgets.items()]
    assert curve_of(rows, PSA, "epsilon") == [(F(9), F(3)), (F(11), F(1))]
    assert curve_of(rows, PSA, "rho^2") == [(F(8), F(3)), (F(10), F(1))]
    assert (budget_at(rows, "rho^2", PSA, F(2)), error_at(rows, "rho^2", PSA, F(9))) == (F(9), F(2))
    assert (budget_at(rows, "epsilon", PSA, F(4)), error_at(rows, "epsilon", PSA, F(12))) == (None, None)


def test_an_unchanged_state_has_no_errors_and_its_own_entropy(state):
    before = race_counts(state.block, state.persons, len(state.tract))
    found = {(statistic, of): value for statistic, of, value in measures_of_release(state, ReleasedCounts(before))}
    for (statistic, of), value in found.items():
        if "error" in statistic and statistic != "relative error":
            assert float(value) == 0, (statistic, of)
        if statistic in ("relative error", "count ratio"):
            assert float(value) == 1, (statistic, of)
    of_state = {(statistic, of): value for statistic, of, value in measures_of_state(state)}
    assert found["mean racial entropy of tracts", ""] == of_state["mean racial entropy of tracts", ""]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_swapping_keeps_the_population_of_blocks_and_noise_does_not(state, method):
    released = method.release(state, method.values[1], 3)
    found = {(s, of): float(value) for s, of, value in measures_of_release(state, released)}
    total = found["mean absolute error of total population", "block"]
    assert (total == 0) == (method.parameter == "swap rate")
    assert found["mean absolute error", "block"] > 0


def test_the_last_step_is_the_entropy_after_swapping(state):
    released = PAIRS.release(state, F(1, 10), 3)
    steps = [
        v for s, of, v in measures_of_pairs(state, released.pairs) if s == "mean racial entropy of tracts, in turn"
    ]
    after = {(s, of): v for s, of, v in measures_of_release(state, released)}
    assert steps[-1] == after["mean racial entropy of tracts", ""]


def test_percentages_of_swapped_households_sum_to_a_hundred(state):
    pairs = PAIRS.release(state, F(1, 10), 3).pairs
    for whose in ("of swapped households", "of targets"):
        shares = [float(v) for s, of, v in measures_of_pairs(state, pairs) if s == f"percentage {whose}"]
        assert sum(shares) == pytest.approx(200, abs=1e-4)  # by size, and again by race


def test_topdown_keeps_the_population_of_the_state_and_leaves_blocks_without_units_empty(state):
    released = TOPDOWN.release(state, F("0.01"), 3).counts
    before = race_counts(state.block, state.persons, len(state.tract))
    assert released.sum() == before.sum()
    empty = np.bincount(state.block, minlength=len(state.tract)) == 0
    assert empty.any()
    assert not released[empty].any()
    assert (released >= 0).all()
    assert (released.sum(axis=0) != before.sum(axis=0)).any()  # no race of the state is kept


def test_budgets_are_those_of_the_methods(state):
    largest = int(np.unique(state.key, return_counts=True)[1].max())
    assert PAIRS.budget(state, F(1, 10)) == INFINITE_BUDGET
    printed = pure(psa_budget(largest, F(1, 10)))
    assert PSA.budget(state, F(1, 10)).epsilon <= printed.epsilon
    assert PSA.budget(state, F(1, 10)).delta == 0
    assert (TOYDOWN.budget(state, F(1)).epsilon, TOYDOWN.budget(state, F(1)).delta) == (1, 0)
    for budget in (method.budget(state, F("2.56")) for method in (TOPDOWN, TOYDOWN_GAUSSIAN)):
        assert (budget.rho_squared, budget.delta) == (F("2.56"), DELTA)


def test_budgets_follow_from_each_other_and_are_rounded_up():
    # ln 3 = 1.09861…, and ln 3·tanh(ln 3/2) = ln 3·(3 − 1)/(3 + 1)
    assert (pure(Loss(3)).epsilon, pure(Loss(3)).rho_squared) == (F("1.0987"), F("0.5494"))
    # four parts of ε/4 = 1/4: ρ² = tanh(1/8) = 0.12435…
    assert pure_in_parts(F(1), 4).rho_squared == F("0.1244")
    # article, Table 3: 17.90 for ρ² = 2.56 by a larger conversion
    assert F(17) < concentrated(F("2.56")).epsilon < F("17.90")
    assert INFINITE_BUDGET.columns() == {"epsilon": "infinite", "delta": "0", "rho^2": "infinite"}


def test_sentences_set_error_against_budget():
    rows = []
    for method, values in (
        (PAIRS, {"0.10": ("infinite", "3"), "0.02": ("infinite", "9")}),
        (PSA, {"0.10": ("12", "2"), "0.20": ("10", "4")}),
        (TOYDOWN, {"0.25": ("0.25", "8"), "3.26": ("3.26", "4"), "11.00": ("11", "1"), "13.00": ("13", "0")}),
        (TOPDOWN, {"0.01": ("1", "7"), "2.56": ("17", "3"), "8.00": ("33", "1")}),
    ):
        rows += [row(method.name, value, "1", e, e, *ERROR, m) for value, (e, m) in values.items()]
    rows.append(row(TOPDOWN.name, "2.56", "1", "17", "17", "variance estimate", "block", "0.5"))
    entropy, slope = "mean racial entropy of tracts", "slope of ecological regression"
    rows.append(row("none", "", "", "", "", entropy, "", "1"))
    slopes = ((PAIRS, "0.10", "infinite", "3"), (TOYDOWN, "0.25", "0.25", "1"), (TOPDOWN, "0.01", "1", "0"))
    for of in ("B, unweighted", "B, weighted"):
        rows.append(row("none", "", "", "", "", slope, of, "2"))
        rows += [row(method.name, value, "1", e, e, slope, of, measured) for method, value, e, measured in slopes]
    for step, mean in zip(REMOVALS_FIRST, ("0.5", "0.4", "0.9", "1.5"), strict=True):
        rows.append(row(PAIRS.name, "0.10", "1", *["infinite"] * 2, f"{entropy}, in turn", step.value, mean))
    found = findings(rows, "here")
    assert {one.verdict for one in found.values()} == {Verdict.SAMPLED}
    text = {name: one.detail for name, one in found.items()}
    equal_error, equal_number = text["swapping.equal-error.10%"], text["swapping.equal-number.10%"]
    assert "the PSA has it near p = 0.150, epsilon 11.00 and rho^2 11.000" in equal_error
    assert "ToyDown has it near epsilon 5.84 and rho^2 5.840" in equal_error
    assert "TopDown has it near epsilon 17.00 (delta 1e-10) and rho^2 17.000" in equal_error
    assert (
        "the PSA has it at no swap rate tried; ToyDown has it at no epsilon tried; TopDown has it at no rho^2"
        in (text["swapping.equal-error.2%"])
    )
    assert "at the number of its epsilon, 12.00, ToyDown near 0.500, TopDown (delta 1e-10) near 4.250" in equal_number
    assert "at the number of its rho^2, 12.00, ToyDown near 0.500, TopDown near 4.250" in equal_number
    for sentence in (equal_error, equal_number):
        _, _, flavors = sentence.partition("; equal numbers are not equal protection, as the flavors differ: ")
        assert [part.partition(": ")[0] for part in flavors.split("; ")] == ["PSA", "ToyDown", "TopDown"]
        assert "one household is replaced" in flavors
        assert "one person is replaced" in flavors
    assert "-0.5000, partners leave their tracts -0.1000" in text["swapping.entropy.steps"]
    assert "+0.6000" in text["swapping.entropy.steps"]
    assert "unweighted slope 2.000 before, 3.000 swapped at 10%, 1.000 under ToyDown" in text["swapping.regression"]
    assert "TopDown: 0.500 at rho^2 2.56" in text["swapping.variance"]
    assert "housing units of each block are invariant" in text["swapping.error.topdown"]
