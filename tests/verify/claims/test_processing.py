"""What the claims on processing compute in Python is what their expressions say of the same case."""

from itertools import islice

import pytest

from stirred.verify.certificates.language import holds
from stirred.verify.claims.processing.finite_premetrics import (
    FLAVORS,
    HALVES,
    THREE,
    changes,
    immune,
    joint_of,
    maps_of,
    named,
    never_grows,
    with_coin,
)
from stirred.verify.claims.processing.inequalities import premetrics
from stirred.verify.claims.processing.noise import premetrics as randomised_premetrics
from stirred.verify.ledger.failures import plain, words_of

_FEW = FLAVORS[6:9]


def _holds(claimed, **case):
    return holds(claimed, {name: plain(value) for name, value in case.items()}, words_of(claimed))


@pytest.mark.parametrize("kind", ["functions", "injective", "randomised"])
def test_immunity_and_growth_are_those_of_the_expressions(kind):
    listed = islice(randomised_premetrics if kind == "randomised" else premetrics, 0, 1800, 150)
    answers = set()
    for (world,) in listed:
        maps = maps_of(kind, 2)
        case = {"d": world.distances, "laws": world.laws, "maps": maps}
        kept, below = immune(world, changes(world, kind), _FEW), never_grows(world, kind)
        answers.add(kept)
        more = {"flavors": _FEW, "budgets": world.budgets}
        assert _holds("is_immune(d, laws, maps, flavors, budgets)", **case, **more) == kept
        assert _holds("never_grows(d, laws, maps)", **case) == below
    assert answers == {True, False}


def test_immunity_is_what_the_definition_asks_of_a_premetric_that_randomness_increases():
    (counted,) = named(THREE[:2], (*THREE, (4, 4, 4)), ("outcomes times D_TV",))
    assert never_grows(counted, "functions")
    assert immune(counted, changes(counted, "functions"), FLAVORS)


def test_a_fair_coin_beside_an_outcome_is_an_independent_draw():
    assert with_coin((1, 3)) == joint_of((1, 3), (1, 1)) == (1, 1, 3, 3)
    assert [sum(with_coin(p)) for p in HALVES] == [8, 8, 8]
