"""Exact probabilities of regions: closed forms, and what every region must meet."""

from collections import Counter
from fractions import Fraction
from functools import wraps
from itertools import product

import pytest
from quality.read_laws import loaded

from stirred.mechanisms import exact_law
from stirred.mechanisms.generators.kinds import generator_place
from stirred.mechanisms.reading import region
from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.component import RegionError
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.read_mechanism import ReadMechanism
from stirred.mechanisms.reading.region import Halfspace, Region
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient

ONE = Exact(1)


def counted(function, calls):
    """The function, whose calls are counted."""

    @wraps(function)
    def asked(*given, **named):
        calls[function.__name__] += 1
        return function(*given, **named)

    return asked


def half(bound, **terms):
    """Σ c·Z ≤ bound, with c by z0, z1, …"""
    return Halfspace({int(name[1:]): Exact(Fraction(c)) for name, c in terms.items()}, Exact(Fraction(bound)))


def drawn(*laws):
    region = Region()
    for law in laws:
        region, _ = region.drawn(law)
    return region


def largest(values, law, scale):
    """The region of a noisy value each, and for each the halfspaces in which it is the largest."""
    alternatives = [
        [
            Halfspace({j: ONE, k: -ONE}, Exact(Fraction(values[k] - values[j]) / scale))
            for j in range(len(values))
            if j != k
        ]
        for k in range(len(values))
    ]
    return drawn(*[law] * len(values)), alternatives


L, E, U = BaseLaw.LAPLACE, BaseLaw.EXPONENTIAL, BaseLaw.UNIFORM


@pytest.mark.parametrize(
    ("laws", "conditions", "expected"),
    [
        ([L], [half(-1, z0=1)], {-1: Fraction(1, 2)}),
        ([U], [half("1/3", z0=1), half("-1/4", z0=-1)], {0: Fraction(1, 12)}),
        ([L, L], [half(1, z0=1, z1=-1)], {0: 1, -1: Fraction(-3, 4)}),  # 1 − (1/2 + t/4)·e^−t
        ([E, E], [half(0, z0=2, z1=-1)], {0: Fraction(1, 3)}),  # P(E₁ > 2·E₀): rates 1 and 2
        ([U, U], [half("1/2", z0=1, z1=1)], {0: Fraction(1, 8)}),
        ([U] * 4, [half(1, z0=1, z1=1, z2=1, z3=1)], {0: Fraction(1, 24)}),  # a simplex
        ([E] * 3, [half(1, z0=1, z1=1, z2=1)], {0: 1, -1: Fraction(-5, 2)}),  # Erlang: 1 − (1 + 1 + 1/2)/e
        ([L] * 3, [half(0, z0=1, z1=-1), half(0, z1=1, z2=-1)], {0: Fraction(1, 6)}),  # one order of six
    ],
)
def test_a_closed_form(laws, conditions, expected):
    probability = drawn(*laws).within(conditions).probability.number
    assert probability == ExponentialQuotient({Fraction(r): Fraction(c) for r, c in expected.items()}).value


def test_shares_sum_to_one_exactly():
    for values in product((0, 1), repeat=4):
        region, alternatives = largest(values, L, 2)
        assert sum(region.shares(alternatives), Exact(0)).number == 1


def test_an_empty_alternative_is_exactly_zero():
    region = drawn(L, L).within([half(0, z0=1, z1=-1)])
    shares = region.shares([[half(-1, z0=-1, z1=1)], [half(1, z0=1, z1=-1)]])
    assert [one.number for one in shares] == [0, 1]


def test_parts_that_do_not_tile_are_refused():
    with pytest.raises(RegionError, match="the parts have the probability"):
        drawn(L, L).shares([[half(0, z0=1, z1=-1)], [half(-1, z0=-1, z1=1)]])


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ({0: 1}, (None, 2)),
        ({0: 1, 1: -1}, (None, 0)),
        ({2: 3}, (0, 3)),
        ({1: 1, 2: -1}, (0, 2)),
        ({0: 1, 2: 1}, (None, 3)),
    ],
)
def test_a_range(terms, expected):
    region = drawn(L, L, U).within([half(0, z0=1, z1=-1), half(0, z2=1, z1=-1), half(2, z1=1)])
    low, high = region.range_of({draw: Exact(c) for draw, c in terms.items()}, Exact(0))
    assert (low and low.number, high and high.number) == expected


@pytest.mark.parametrize("share", [Fraction(1, 1 << 36), 1 - Fraction(1, 1 << 36)])
def test_a_point_stays_in_the_region_when_it_is_rounded_to_doubles(share):
    region = drawn(U, U, U).within([half(0, z0=1, z1=-1), half(0, z1=1, z2=-1), half("1/2", z2=1)])
    found = region.point(share)
    assert 0 < float(found[0]) < float(found[1]) < float(found[2]) < 0.5


def test_a_condition_from_below_counts_where_its_coefficient_is_only_enclosed():
    region, draw = Region().drawn(BaseLaw.NORMAL)
    root = Exact(2).sqrt()
    parts = [[Halfspace({draw: root}, Exact(0))], [Halfspace({draw: -root}, Exact(0))]]
    assert [share.number for share in region.shares(parts)] == [Fraction(1, 2)] * 2


def test_data_sets_share_decisions_and_points(tmp_path, monkeypatch):
    divided, found = Counter(), Counter()
    module = loaded(
        tmp_path / "tossed_coins.py",
        "import numpy as np\n\ndef coins(data, rng: np.random.Generator):\n"
        "    return [int(x ^ (u < 0.25)) for x, u in zip(data, rng.random(2))]\n",
    )
    read = ReadMechanism(module.coins, {}, lambda file: file == module.__file__, generator_place(module.coins, {}))
    monkeypatch.setattr(Region, "divided", counted(Region.divided, divided))
    monkeypatch.setattr(region, "inner_point", counted(region.inner_point, found))
    laws = [
        exact_law(lambda point, source: str(read.outcome(point, source).value), data)
        for data in product((0, 1), repeat=2)
    ]
    assert all(law[str([*data])] == Fraction(9, 16) for law, data in zip(laws, product((0, 1), repeat=2), strict=True))
    assert divided.total() == 3  # nodes of the tree of one data set
    assert found.total() == 2 * 4  # at two shares for each of its leaves
