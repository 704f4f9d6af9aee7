"""P-tables by maximum entropy: their moments, their optimality, and the orders of their keys."""

from fractions import Fraction
from math import prod

import pytest
from mpmath import mp

from stirred.spec import InputError
from stirred.verify.engines.cell_key import count_curve, moved_record_curve
from stirred.verify.engines.p_table_design import TableDesign, better_order

DESIGNS = [(2, "9/10", 0), (2, "27/25", 1), (3, "1", 0), (5, "3", 2), (8, "7/2", 2)]


def design(deviation, variance, forbidden, keys=10**8):
    return TableDesign(deviation, Fraction(variance), forbidden, keys)


@pytest.mark.parametrize("asked", DESIGNS)
def test_rows_are_unbiased_and_change_what_is_allowed(asked):
    table = design(*asked).table()
    for count, row in enumerate(table.rows):
        assert row.bias == 0
        assert all(count + change == 0 or count + change > asked[2] for change in row.law)
        assert max(map(abs, row.changes)) <= asked[0]
        assert row.variance <= Fraction(asked[1]) + Fraction(1, 10**5)
    last = table.rows[-1].law
    assert {change: last[-change] for change in last} == dict(last)
    assert abs(table.rows[-1].variance - Fraction(asked[1])) < Fraction(1, 10**5)


def entropy(shares):
    return -sum(mp.mpf(one) * mp.log(one) for one in shares)


@pytest.mark.parametrize("asked", DESIGNS)
def test_moves_that_keep_mean_and_variance_lose_entropy(asked):
    """On four changes the move d(v) = 1/prod(v - u) has the moments 0, 1 and 2 equal to 0 (divided differences)."""
    made = design(*asked)
    for count in range(1, made.large + 1):
        row = made.row(count)
        shares = {change: mp.mpf(row.law[change].numerator) / row.law[change].denominator for change in row.law}
        for four in zip(*(list(shares)[place:] for place in range(4)), strict=False):
            for sign in (1, -1):
                moved = dict(shares)
                least = min(shares[v] for v in four)
                for v in four:
                    moved[v] += sign * least / 8 / prod(v - other for other in four if other != v)
                assert entropy(moved.values()) < entropy(shares.values())


def test_the_published_parameters_need_what_was_derived_on_its_own():
    """Reading: lambda, delta at epsilon 0, the end of large counts, and 1 - p_1(-1), by scipy in doubles."""
    for asked, spread, zero, end, zeros in (
        ((2, "9/10", 0), 0.518, 0.409, 0.0515, 0.631),
        ((5, "3", 2), 0.164, 0.229, 0.0038, 0.266),
        ((4, "5/2", 2), 0.192, 0.248, 0.0116, 0.295),
    ):
        made = design(*asked)
        table = made.table()
        large = count_curve(table, least=made.large)
        found = [
            made.multipliers(made.large)[0],
            large.curve.delta(1),
            large.last[1],
            count_curve(table).curves[0].delta(1),
        ]
        for one, printed in zip(found, (spread, zero, end, zeros), strict=True):
            assert abs(float(one) - printed) < 6e-4


@pytest.mark.parametrize(("asked", "ends"), [((2, "9/10", 0), (6487, 20107, 6487)), ((5, "3", 2), (511, 11809, 696))])
def test_a_better_order_is_found_and_is_never_below_the_counts_alone(asked, ends):
    table = design(*asked, keys=256).table()
    better, count = better_order(table), len(table.rows)
    assert [row.law for row in better.rows] == [row.law for row in table.rows]
    alone, before, after = (
        moved_record_curve(one, (count, count), with_total=total).vertices[0][1] * 2**16
        for one, total in ((table, False), (table, True), (better, True))
    )
    assert (alone, before) == ends[:2]
    assert alone <= after < before
    assert after == ends[2]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ((2, "1", 2), "--deviation must be above --forbidden; got 2 and 2"),
        ((5, "2", 2), "--variance must be above 2 for the row of count 1; got 2"),
        ((5, "0", 0), "--variance must be positive"),
        ((5, "3", -1), "--forbidden must be at least 0; got -1"),
        ((101, "3", 0), "--deviation must be at most 100; got 101"),
    ],
)
def test_what_no_row_can_be_is_refused(asked, said):
    with pytest.raises(InputError, match=said):
        design(*asked)


def test_few_keys_have_no_row_of_mean_zero():
    with pytest.raises(InputError, match="--keys must be larger for a row with mean 0; got 1"):
        design(5, "3", 2, keys=1).table()
    assert all(row.bias == 0 for keys in (64, 100, 255) for row in design(5, "3", 2, keys=keys).table().rows)
