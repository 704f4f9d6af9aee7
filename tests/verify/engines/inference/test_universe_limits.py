from fractions import Fraction
from itertools import product

import pytest

from stirred.spec.arguments import InputError
from stirred.spec.domain import FiniteDomain
from stirred.spec.input_premetric import InputPremetric
from stirred.spec.multiverse import vacuous
from stirred.spec.specification import InputBlocks
from stirred.verify.engines.inference.power import power_bounds, sharpest_power
from stirred.verify.engines.inference.power_program import PowerProgram
from stirred.verify.engines.inference.universe_limits import UniverseLimits
from stirred.verify.engines.universe_pairs import BlockPairs


def limits(points, distance, gamma):
    domain = FiniteDomain(tuple(points))
    multiverse = vacuous(domain)
    (universe,) = multiverse
    pairs = BlockPairs(InputBlocks(domain, multiverse, InputPremetric("d", "unit", distance)))
    return UniverseLimits(pairs.of(universe), gamma)


@pytest.mark.parametrize("alpha", [Fraction(1, 20), Fraction(1, 3), Fraction(19, 20)])
def test_on_a_path_they_are_the_sharpest_powers(alpha):
    found = limits(range(5), lambda x, y: abs(x - y), 2).powers(0, alpha)
    assert [found[d] for d in range(5)] == [sharpest_power(alpha, 2, d) for d in range(5)]


def test_without_data_sets_between_they_are_the_printed_bounds():
    found = limits((0, 2, 4), lambda x, y: abs(x - y), 2)
    assert found.powers(0, Fraction(1, 5))[1] == power_bounds(Fraction(1, 5), 2, 2)[1]
    # over 4 by way of 2: two steps of gamma^2, not four of gamma
    assert (
        found.powers(0, Fraction(1, 5))[2]
        == sharpest_power(Fraction(1, 5), 4, 2)
        > sharpest_power(Fraction(1, 5), 2, 4)
    )


@pytest.mark.parametrize("alpha", [Fraction(1, 10), Fraction(1, 2)])
def test_the_linear_program_agrees_on_a_graph(alpha):
    edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)]
    near = {frozenset(edge) for edge in edges}
    apart = {(x, y): _steps(near, x, y) for x, y in product(range(5), repeat=2)}
    found = limits(range(5), lambda x, y: apart[x, y], 2).powers(0, alpha)
    for other in range(1, 5):
        program = PowerProgram(edges, (0, other), 2, alpha, 2)
        assert program.limited_by(found[other]).point is None
        assert program.limited_by(found[other] - Fraction(1, 10**6)).multipliers is None


def _steps(near, x, y):
    seen, ring, steps = {x}, {x}, 0
    while y not in seen:
        ring = {b for a in ring for b in range(5) if frozenset((a, b)) in near} - seen
        seen, steps = seen | ring, steps + 1
    return steps


def test_what_is_not_connected_is_not_reached():
    found = limits((0, 1, 5), lambda x, y: abs(x - y) if max(x, y) < 2 else None, 2)
    assert found.distances(0) == {0: 0, 1: 1}
    assert set(found.powers(2, Fraction(1, 2))) == {2}


def test_distances_and_gamma_are_checked():
    with pytest.raises(InputError, match="distances must be integers"):
        limits((0, 1), lambda x, y: Fraction(abs(x - y), 2), 2)
    with pytest.raises(InputError, match=r"^gamma must be at least 1; got 1/2$"):
        limits((0, 1), lambda x, y: abs(x - y), Fraction(1, 2))
