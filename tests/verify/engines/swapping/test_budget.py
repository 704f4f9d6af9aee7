"""Certified budgets: never below the exact loss, never above the printed one, and what they say of real margins.

Likelihoods between near whole numbers: they enclose the exact ones, in one unit for all tables of a universe. The loss
over two columns for two rows n₁, n₂ > c = n/(2+o), beside its limit as n grows. Measured, not proved: at finite n the
worst columns are the rows themselves. The limit is no bound: at p = 1/4 the loss of 120 and 120 records is above it.
"""

from fractions import Fraction
from itertools import product
from math import log

import flint
import pytest
from tiers import few

from stirred.mechanisms.swapping.permutation_counts import derangements, likelihood, move_weights, moved_counts
from stirred.spec.arguments import InputError
from stirred.spec.blocks.tables import contingency_tables, margins_of_size
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.flavors.permutation_swapping import odds, psa_budget
from stirred.verify.engines.swapping import loss
from stirred.verify.engines.swapping.balanced_rows import limit_of_balanced_budgets
from stirred.verify.engines.swapping.bounds import (
    certified_budget,
    certified_two_category_budget,
    sharpened_budget,
    single_record_loss,
    two_category_budget,
)
from stirred.verify.engines.swapping.loss import MassBounds, universe_loss
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.engines.budget_sweep import check_budget, exceeds, one_stratum, several_strata

HALF = Fraction(1, 2)


def _single(records):
    return ((margins,) for margins in one_stratum(records, 3))


@pytest.mark.parametrize(
    ("loss", "gamma", "expected"),
    [
        (Loss(9, 2), Fraction(3), False),
        (Loss(10, 2), Fraction(3), True),
        (ZERO, Fraction(1), False),
        (INFINITE, Fraction(10**9), True),
        (INFINITE, None, False),
    ],
)
def test_a_loss_exceeds_a_budget_iff_gamma_does_over_the_distance(loss, gamma, expected):
    assert exceeds(loss, gamma) is expected


def test_margins_are_listed_up_to_relabelling_and_transposition_and_strata_combined():
    assert list(one_stratum(2, 2)) == [((2,), (2,)), ((2,), (1, 1)), ((1, 1), (1, 1))]
    assert len(list(several_strata((2, 3), 3))) == 3 * 6


def test_a_budget_that_is_met_is_exhausted():
    assert check_budget(lambda *_: Fraction(100), _single, [2, 3], [HALF], "small").verdict is Verdict.EXHAUSTED


def test_the_smallest_violation_comes_first_by_records_then_by_distance():
    evidence = check_budget(lambda *_: Fraction(1), _single, [2, 3, 4], [HALF], "small")
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.detail.startswith("3 records, strata (((1, 1, 1), (1, 1, 1)),)")
    assert evidence.witness["distance"] == "2"
    assert "P_x(E)" in replay(evidence.witness)


def test_a_witness_on_two_strata_has_the_laws_of_both():
    two_strata = lambda n: several_strata((1, n - 1), 3)
    evidence = check_budget(lambda *_: Fraction(1), two_strata, [4], [Fraction(1, 4)], "two strata")
    assert evidence.verdict is Verdict.REFUTED
    assert len(evidence.witness["x"]) == 2
    assert "P_x(E)" in replay(evidence.witness)


def test_a_sweep_over_nothing_is_an_engine_failure():
    with pytest.raises(EngineError, match="at least one universe"):
        check_budget(lambda *_: Fraction(1), _single, [], [HALF], "nothing")


P = (Fraction(1, 20), HALF, Fraction(19, 20))
COUNTIES = (11286, 33153, 97678, 1741, 135236, 13875, 88763, 18057, 251831, 1025, 85170, 48739, 226209, 131661)


def universes(sizes, rows, columns):
    """The margins of sizes, with at most so many categories on each side."""
    return [(n, *sides) for n in sizes for sides in product(margins_of_size(n, rows), margins_of_size(n, columns))]


@pytest.mark.parametrize("rate", P)
def test_certified_budgets_lie_between_the_exact_loss_and_the_printed_budget(rate):
    for n, rows, columns in universes(range(2, 8), 3, 3):
        certified = certified_budget(rows, columns, rate)
        assert universe_loss(rows, columns, rate) <= certified <= psa_budget(n, rate)


@pytest.mark.parametrize("rate", P)
def test_the_sharpened_budget_is_below_the_printed_one_rises_with_b_and_is_attained(rate):
    budgets = [sharpened_budget(b, rate) for b in range(4, 120)]
    assert budgets == sorted(budgets)
    assert all(found <= psa_budget(b, rate) for b, found in enumerate(budgets, start=4))
    assert sharpened_budget(10**6, rate) <= psa_budget(10**6, rate)
    if rate <= HALF:
        assert sharpened_budget(6, rate) == universe_loss((2, 2, 1, 1), (2, 2, 1, 1), rate)
        assert sharpened_budget(8, rate) == universe_loss((3, 3, 1, 1), (3, 3, 1, 1), rate)


@pytest.mark.parametrize("rate", P)
def test_two_categories_bound_every_small_universe_that_has_them_and_the_largest_stratum_decides(rate):
    for n, rows, columns in universes(range(2, 10), 2, 4):
        assert universe_loss(rows, columns, rate) <= two_category_budget(n, rate)
    budgets = [two_category_budget(n, rate) for n in range(200)]
    assert budgets == sorted(budgets)


def test_two_category_budgets_at_the_ends():
    assert two_category_budget(0, HALF) == two_category_budget(1, 0) == ZERO
    assert two_category_budget(2, 1) == two_category_budget(9, 0) == INFINITE
    assert two_category_budget(2, Fraction(1, 4)) == two_category_budget(2, Fraction(3, 4)) == Loss(3)


@pytest.mark.parametrize("rate", P)
def test_the_loss_with_a_single_record_is_the_closed_form(rate):
    for n, _, columns in universes(range(2, 10), 1, 4):
        if len(columns) > 1:
            assert universe_loss((1, n - 1), columns, rate) == single_record_loss(columns, rate)
            assert universe_loss(columns, (n - 1, 1), rate) == single_record_loss(columns, rate)


@pytest.mark.parametrize("rate", P)
def test_a_single_record_beside_several_categories_loses_no_less(rate):
    for rows, columns in (((1, 2, 2), (3, 2)), ((1, 1, 3), (2, 2, 1))):
        assert universe_loss(rows, columns, rate) >= single_record_loss(columns, rate)


def test_single_records_need_half_the_growth_that_two_categories_allow():
    n, rate = 5_000, Fraction(1, 20)
    needed = single_record_loss((1, n - 1), rate)
    allowed = certified_two_category_budget(n, rate)
    assert needed.epsilon().lower > Loss(Fraction(n - 2) * 19, 2).epsilon().upper
    assert needed.epsilon().upper < allowed.epsilon().lower
    assert allowed.epsilon().upper < needed.epsilon().lower + Fraction(3, 10)


def test_massachusetts_is_certified_far_below_the_printed_budget():
    certified = certified_budget((435_805, 708_619), COUNTIES, HALF)  # dwellings
    assert certified.reason == "two large categories"
    assert certified.epsilon().upper < Fraction("1.48")
    assert psa_budget(sum(COUNTIES), HALF).epsilon().lower > Fraction("13.95")
    for rate, bound in ((Fraction(1, 100), "8.60"), (HALF, "6.25")):  # households of two persons
        assert certified_two_category_budget(264_331, rate).epsilon().upper < Fraction(bound)


def test_exact_cases_say_so():
    assert certified_budget((4, 0), (2, 2), HALF) == ZERO
    assert certified_budget((1, 3), (2, 2), HALF) == single_record_loss((2, 2), HALF)
    assert certified_budget((2, 2, 2), (2, 2, 2), HALF).reason == "article, Theorem 1, sharpened"
    assert certified_budget((1, 1, 1), (1, 1, 1), HALF).reason == "article, Theorem 1"


@pytest.mark.parametrize(
    ("message", "ask"),
    [
        ("rows and columns must have the same total; got 3 and 4", lambda: certified_budget((1, 2), (2, 2), HALF)),
        ("rows: a margin must be at least 0; got -1", lambda: certified_budget((1, -1), (0, 0), HALF)),
        ("a stratum must have at least one record", lambda: certified_budget((0, 0), (0, 0), HALF)),
        ("swap_rate must be between 0 and 1, exclusive", lambda: certified_budget((1, 1), (1, 1), 0)),
        ("swap_rate must be an exact number", lambda: certified_budget((1, 1), (1, 1), 0.5)),
        ("columns must have at least two positive margins", lambda: single_record_loss((5, 0), HALF)),
        ("swap_rate must be between 0 and 1, exclusive", lambda: single_record_loss((5, 1), 1)),
    ],
)
def test_bad_margins_and_rates_get_one_clear_line(message, ask):
    with pytest.raises(InputError, match=message):
        ask()


UNIVERSES = [((3, 2), (4, 1)), ((2, 2, 1), (3, 2)), ((4, 2), (2, 2, 2)), ((2, 1, 1), (1, 2, 1)), ((12, 9), (10, 11))]


@pytest.mark.parametrize(("rows", "columns"), UNIVERSES)
@pytest.mark.parametrize("rate", [Fraction(0), Fraction(1, 3), Fraction(1)])
def test_they_enclose_the_likelihood_in_one_unit(rows, columns, rate):
    tables = contingency_tables(rows, columns)[:30]
    masses = MassBounds(move_weights(sum(rows), rate))
    units, near_units = set(), []
    for x, z in product(tables, repeat=2):
        mass, (low, high) = likelihood(x, z, rate), masses.within(x, z)
        assert low <= high
        assert (masses.exact(x, z) == 0) == (low == 0) == (high == 0) == (mass == 0)
        if mass:
            units.add(masses.exact(x, z) / mass)
            near_units.append((low / mass, high / mass))
            assert (high - low) * 2**252 <= low
    assert len(units) == 1
    assert max(low for low, _ in near_units) <= min(high for _, high in near_units)


@pytest.mark.parametrize(("rows", "columns", "bits"), [((12, 9), (10, 11), 5), ((1, 1), (1, 1), 1)])
@pytest.mark.parametrize("rate", [Fraction(1, 3), Fraction(9, 10)])
def test_few_bits_enclose_too(rows, columns, bits, rate, monkeypatch):
    monkeypatch.setattr(loss, "_BITS", bits)
    tables = contingency_tables(rows, columns)
    masses = MassBounds(move_weights(sum(rows), rate))
    exact = {pair: likelihood(*pair, rate) for pair in product(tables, repeat=2)}
    within = {pair: masses.within(*pair) for pair in exact}
    units = [(within[pair][0] / mass, within[pair][1] / mass) for pair, mass in exact.items()]
    assert max(low for low, _ in units) <= min(high for _, high in units)
    assert any(low < high for low, high in within.values())


def test_a_table_of_three_columns_and_rows_is_counted():
    x = ((1, 0, 1), (0, 1, 0), (1, 0, 0))
    low, high = MassBounds(move_weights(4, HALF)).within(x, x)
    assert low == high > 0


CASES = [("1/4", 1, 1), ("1/2", 1, 1), ("1/2", 2, 3), ("3/4", 1, 1), ("3/4", 2, 3), ("3/4", 1, 2)]


def limit(first, second, rate):
    """1 + (1+o)·c²/((n₁−c)(n₂−c)), exact."""
    c = Fraction(first + second) / (2 + odds(rate))
    found = 1 + (1 + odds(rate)) * c * c / ((first - c) * (second - c))
    assert Loss(found, 2) == limit_of_balanced_budgets(first, second, rate)
    return found


def quotient(x, x_prime, z, rate):
    """P_x(z)/P_x'(z), enclosed to 300 bits."""
    o = odds(rate)
    with flint.ctx.workprec(400):
        powers = [flint.arb(o.numerator) ** k / o.denominator**k for k in range(sum(map(sum, x)) + 1)]
        high, low = (
            sum(flint.arb(n) * powers[k] / derangements(k) for k, n in enumerate(moved_counts(start, z)) if n)
            for start in (x, x_prime)
        )
        found = high / low
    assert found.rel_accuracy_bits() > 300
    return found


def table(first, second, corner):
    """Two rows, and columns with the same totals, `corner` records in both first ones."""
    return ((corner, first - corner), (first - corner, second - first + corner))


def near_and_far(first, second):
    """Two triples (x, x', z) with z = diag(n₁, n₂): x is z itself, or as far as can be; x' is one exchange from x."""
    z = table(first, second, first)
    return (z, table(first, second, first - 1), z), (table(first, second, 1), table(first, second, 0), z)


@pytest.mark.parametrize(("rate", "first", "second"), CASES)
@pytest.mark.parametrize("times", [3, 6, 9])
def test_the_worst_columns_are_the_rows_and_the_worst_output_is_the_diagonal(rate, first, second, times):
    p, (n1, n2) = Fraction(rate), (times * first, times * second)
    losses = {c: universe_loss((n1, n2), (c, n1 + n2 - c), p) for c in range(1, (n1 + n2) // 2 + 1)}
    assert max(losses, key=losses.__getitem__) == n1
    assert losses[n1] == Loss(max(likelihood(x, z, p) / likelihood(y, z, p) for x, y, z in near_and_far(n1, n2)), 2)


@pytest.mark.parametrize(("rate", "first", "second"), few(CASES, 2))
def test_the_loss_comes_as_near_to_the_limit_as_one_over_n(rate, first, second):
    p = Fraction(rate)
    for size in (120, 480, 1_920):
        n1 = size * first // (first + second)
        worst = max(float(quotient(*triple, p)) for triple in near_and_far(n1, size - n1))
        assert abs(log(limit(n1, size - n1, p)) - log(worst)) / 2 < 10 / size


def test_the_limit_is_no_bound():
    rate = Fraction(1, 4)
    near, far = (quotient(*triple, rate) for triple in near_and_far(120, 120))
    assert limit(120, 120, rate) == 49
    assert near > 49 > far
