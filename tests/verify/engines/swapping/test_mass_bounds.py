"""Likelihoods between near whole numbers: they enclose the exact ones, in one unit for all tables of a universe."""

from fractions import Fraction
from itertools import product

import pytest

from stirred.mechanisms.permutation_counts import likelihood, move_weights
from stirred.spec.tables import contingency_tables
from stirred.verify.engines.swapping import mass_bounds
from stirred.verify.engines.swapping.mass_bounds import MassBounds

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
    monkeypatch.setattr(mass_bounds, "_BITS", bits)
    tables = contingency_tables(rows, columns)
    masses = MassBounds(move_weights(sum(rows), rate))
    exact = {pair: likelihood(*pair, rate) for pair in product(tables, repeat=2)}
    within = {pair: masses.within(*pair) for pair in exact}
    units = [(within[pair][0] / mass, within[pair][1] / mass) for pair, mass in exact.items()]
    assert max(low for low, _ in units) <= min(high for _, high in units)
    assert any(low < high for low, high in within.values())


def test_a_table_of_three_columns_and_rows_is_counted():
    x = ((1, 0, 1), (0, 1, 0), (1, 0, 0))
    low, high = MassBounds(move_weights(4, Fraction(1, 2))).within(x, x)
    assert low == high > 0
