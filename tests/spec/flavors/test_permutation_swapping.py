from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import open_probabilities

from stirred.spec import (
    INFINITE,
    ZERO,
    InputError,
    Loss,
    contingency_tables,
    largest_stratum,
    psa_budget,
    swapping_flavor,
    swapping_invariants,
)
from stirred.spec.flavors.permutation_swapping import odds

sizes = st.integers(2, 10**6)


def printed_budget(b, p):
    """(7) as printed, with the thresholds squared: p <= r/(r+1) with r^2 = b+1 iff o^2 <= b+1."""
    o = p / (1 - p)
    branches = set()
    if o**2 <= b + 1:
        branches.add(Loss(Fraction(b + 1) / o))
    if o**2 >= b + 1:
        branches.add(Loss(o))
    (only,) = branches  # at the threshold the branches agree
    return only


@given(sizes, open_probabilities)
def test_the_budget_is_the_printed_one_at_least_the_minimum_and_grows_with_the_stratum(b, p):
    assert psa_budget(b, p) == printed_budget(b, p)
    assert Loss(Fraction(b + 1), 2) <= psa_budget(b, p) <= psa_budget(b + 1, p)


@pytest.mark.parametrize(("b", "o"), [(3, 2), (8, 3), (264_195, 514)])
def test_at_the_threshold_both_branches_give_half_the_logarithm(b, o):
    assert o * o == b + 1
    assert psa_budget(b, Fraction(o, o + 1)) == Loss(Fraction(b + 1), 2)


def test_corner_cases_are_the_printed_ones():
    assert psa_budget(0, Fraction(1, 2)) == psa_budget(0, 0) == psa_budget(0, 1) == ZERO
    assert psa_budget(2, 0) == psa_budget(2, 1) == INFINITE


@pytest.mark.parametrize(
    ("b", "p", "message"),
    [
        (1, Fraction(1, 2), "cannot be 1"),
        (-1, Fraction(1, 2), "at least 0"),
        (2.0, Fraction(1, 2), "must be an int"),
        (2, 0.5, "swap_rate must be an exact number"),
        (2, Fraction(3, 2), "between 0 and 1"),
        (2, "1/2", "swap_rate must be"),
    ],
)
def test_bad_arguments_are_refused(b, p, message):
    with pytest.raises(InputError, match=message):
        psa_budget(b, p)


def test_odds_need_a_rate_below_1():
    assert odds(Fraction(1, 20)) == Fraction(1, 19)
    with pytest.raises(InputError, match="below 1"):
        odds(1)


def test_the_largest_stratum_counts_strata_with_two_distinct_records_only():
    uniform = ((9,), (0, 9))
    one_row = ((4, 0), (2, 2))
    assert largest_stratum([uniform]) == 0
    assert largest_stratum([uniform, one_row]) == 4
    assert largest_stratum([]) == 0


def test_two_distinct_records_are_a_function_of_the_margins():
    for margins in [((2, 1), (3,)), ((3,), (2, 1)), ((3,), (3,)), ((2, 1), (2, 1)), ((0, 3), (3, 0))]:
        for table in contingency_tables(*margins):
            distinct = sum(cell > 0 for row in table for cell in row)
            assert (distinct >= 2) == (largest_stratum([margins]) > 0)


def test_the_flavor_is_one_universe_of_all_tables_with_the_invariants():
    margins = [((1, 1), (1, 1)), ((2,), (2,))]
    flavor = swapping_flavor(margins, resolution="household")
    assert flavor.compared_pairs() == 1
    assert {swapping_invariants(point) for point in flavor.domain} == {tuple(margins)}
    assert flavor.input_premetric.resolution == "household"


@pytest.mark.parametrize("shape", list(product((1, 2, 3), repeat=3)))
def test_the_swapping_invariants_are_the_vector_that_definition_2_displays(shape):
    """[n_11. n_12. ... n_MH. n_1.1 n_1.2 ... n_M.S], on a table whose margins are all different."""
    strata, rows, columns = (range(size) for size in shape)
    cells = {cell: 2**i for i, cell in enumerate(product(strata, rows, columns))}
    tables = [tuple(tuple(cells[m, h, s] for s in columns) for h in rows) for m in strata]
    displayed = [sum(cells[m, h, s] for s in columns) for m, h in product(strata, rows)]
    displayed += [sum(cells[m, h, s] for h in rows) for m, s in product(strata, columns)]
    margins = swapping_invariants(tables)
    assert displayed == [n for over, _ in margins for n in over] + [n for _, over in margins for n in over]
