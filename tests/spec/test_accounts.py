from dataclasses import replace
from fractions import Fraction

import pytest

from stirred.spec.accounts import (
    NUMBER_OF_RECORDS,
    Measure,
    NamedFlavor,
    Premetric,
    Reach,
    compose,
    post_process,
    release,
)
from stirred.spec.arguments import InputError

ZCDP = NamedFlavor(
    "CEF", frozenset({"housing units"}), Premetric.BOUNDED, "post-imputation person", Measure.ZERO_CONCENTRATED
)
PURE = replace(ZCDP, measure=Measure.PURE)
APPROXIMATE = replace(ZCDP, measure=Measure.APPROXIMATE)


def test_rho_squared_adds_up_exactly():
    parts = [release(str(i), ZCDP, Fraction(text)) for i, text in enumerate(("15.29", "19.776", "17.79", "2.515"))]
    whole = compose("DAS", *parts)
    assert whole.exact_budget == Fraction("55.371")
    assert whole.flavor == ZCDP
    assert whole.steps == ("added: 0 15.29 + 1 19.776 + 2 17.79 + 3 2.515",)


def test_epsilon_and_delta_add_up():
    whole = compose("both", release("a", APPROXIMATE, 1, Fraction(1, 8)), release("b", APPROXIMATE, 2, Fraction(1, 4)))
    assert (whole.exact_budget, whole.delta) == (3, Fraction(3, 8))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"domain": "ACS"}, "domain.*no conversion"),
        ({"invariants": frozenset()}, "invariants.*'housing units'.*to = \"invariants\""),
        ({"premetric": Premetric.UNBOUNDED}, 'neighbors.*bounded against unbounded.*to = "bounded"'),
        ({"unit": "household"}, "unit.*'household'.*to = \"unit\""),
        ({"measure": Measure.PURE}, 'measure.*D_NoR against epsilon of D_Mult.*to = "zero_concentrated"'),
    ],
)
def test_budgets_of_different_flavors_are_refused_with_the_block_named(change, words):
    with pytest.raises(InputError, match=f"'b' differs from 'a' in {words}"):
        compose("both", release("a", ZCDP, 1), release("b", replace(ZCDP, **change), 1))


def test_a_budget_for_neighbours_is_one_for_all_pairs_only_without_invariants():
    free = replace(ZCDP, invariants=frozenset())
    assert release("a", free, 1).reach is Reach.ALL_PAIRS
    assert release("a", ZCDP, 1).reach is Reach.NEIGHBORS
    assert release("a", replace(free, measure=Measure.APPROXIMATE), 1, Fraction(1, 2)).reach is Reach.NEIGHBORS
    stated = release("a", ZCDP, 1, reach=Reach.ALL_PAIRS)
    assert stated.conditions == ("that the budget of a holds for all pairs of a universe",)


def test_a_sum_holds_as_far_as_its_parts_do():
    near, far = release("near", ZCDP, 1), release("far", ZCDP, 2, reach=Reach.ALL_PAIRS)
    assert compose("both", far, far).reach is Reach.ALL_PAIRS
    both = compose("both", near, far)
    assert both.reach is Reach.NEIGHBORS
    assert both.steps == ("added: near 1 + far 2, for neighbours only, as not every part holds for all pairs",)
    assert both.conditions == far.conditions


def test_unbounded_neighbours_at_a_fixed_number_of_records_compare_nothing():
    fixed = replace(ZCDP, premetric=Premetric.UNBOUNDED, invariants=frozenset({NUMBER_OF_RECORDS}))
    assert release("a", fixed, 1).is_vacuous
    assert not release("a", fixed, 1, reach=Reach.ALL_PAIRS).is_vacuous
    assert not release("a", replace(fixed, premetric=Premetric.BOUNDED), 1).is_vacuous


def test_post_processing_keeps_the_budget_and_the_steps():
    source = release("NMF", ZCDP, Fraction("2.63"))
    derived = post_process("PPMF", source)
    assert (derived.flavor, derived.budget, derived.name) == (source.flavor, source.budget, "PPMF")
    assert "post-processed into PPMF" in derived.steps[-1]


def test_nothing_is_added_to_nothing():
    with pytest.raises(InputError, match="parts must have at least one release; got none"):
        compose("none")


def test_deltas_that_reach_one_are_refused():
    with pytest.raises(InputError, match="the sum of the deltas must be below 1; got 1"):
        compose("both", *(release(name, APPROXIMATE, 1, Fraction(1, 2)) for name in "ab"))


@pytest.mark.parametrize(
    ("flavor", "budget", "delta", "words"),
    [
        (ZCDP, -1, 0, "budget must be non-negative"),
        (ZCDP, 2.5, 0, "budget must be an exact number; got the float 2.5"),
        (APPROXIMATE, 1, 0, "delta must be between 0 and 1, exclusive; got 0"),
        (APPROXIMATE, 1, 1, "delta must be between 0 and 1, exclusive; got 1"),
        (APPROXIMATE, 1, 0.5, "delta must be an exact number"),
        (APPROXIMATE, 1, Fraction(1), "delta must be between 0 and 1, exclusive; got 1"),
        (PURE, 1, Fraction(1, 2), "delta must be 0 for epsilon of D_Mult; got 1/2"),
    ],
)
def test_bad_budgets_are_refused(flavor, budget, delta, words):
    with pytest.raises(InputError, match=words):
        release("a", flavor, budget, delta)


@pytest.mark.parametrize("change", [{"domain": ""}, {"unit": ""}, {"invariants": {"a"}}, {"premetric": "bounded"}])
def test_a_flavor_needs_every_block(change):
    with pytest.raises(InputError, match=f"{next(iter(change))} must be a"):
        replace(ZCDP, **change)
