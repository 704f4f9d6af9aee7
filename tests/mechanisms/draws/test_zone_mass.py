"""Zones of geometric draws: which are one, and which are refused."""

from fractions import Fraction
from itertools import permutations

import pytest

from stirred.mechanisms.draws import zone_mass as zones
from stirred.mechanisms.draws.zone_mass import ORIGIN, Geometric, closure, zone_mass
from stirred.spec import InputError

FAIR, STEEP = (Geometric(Fraction(1, k), is_two_sided=True) for k in (2, 3))
STAR = {(0, 1): 0, (2, 1): -1, (3, 1): 0, (1, ORIGIN): 2}


@pytest.fixture(autouse=True)
def known():
    """How many zones the test has met."""
    zones._MASSES.clear()
    return lambda: len(zones._MASSES)


def renamed(order):
    names = {**dict(enumerate(order)), ORIGIN: ORIGIN}
    laws = {0: FAIR, 1: FAIR, 2: FAIR, 3: STEEP}
    return {names[draw]: law for draw, law in laws.items()}, {(names[i], names[j]): c for (i, j), c in STAR.items()}


def test_zones_that_differ_by_the_names_of_draws_are_computed_once(known):
    assert len({zone_mass(*renamed(order)) for order in permutations(range(4))}) == 1
    assert known() == 1


def test_zones_of_other_laws_are_others(known):
    laws, zone = renamed(range(4))
    assert zone_mass(laws, zone) != zone_mass({**laws, 0: STEEP}, zone)
    assert known() == 2


def test_draws_that_a_cycle_makes_equal_are_one():
    # P(x = y = z) = Σ (2^-k/2)^3 over k ≥ 0
    laws = dict.fromkeys(range(3), Geometric(Fraction(1, 2), is_two_sided=False))
    assert zone_mass(laws, {(0, 1): 0, (1, 2): 0, (2, 0): 0}) == Fraction(1, 7)
    assert zone_mass(laws, {(0, 1): 0, (1, 2): 0, (2, 0): -1}) == 0


def test_a_cycle_that_is_none_of_these_is_refused():
    with pytest.raises(InputError, match="in a cycle"):
        zone_mass(dict.fromkeys(range(3), FAIR), {(0, 1): 1, (1, 2): 1, (2, 0): 1})


def test_all_constraints_that_follow_are_known():
    laws = {0: FAIR, 1: Geometric(Fraction(1, 2), is_two_sided=False)}
    assert closure(laws, {(0, 1): 2, (1, ORIGIN): 3}) == {(ORIGIN, 1): 0, (0, 1): 2, (1, ORIGIN): 3, (0, ORIGIN): 5}
    assert closure(laws, {(0, 1): 2, (1, 0): -3}) is None
