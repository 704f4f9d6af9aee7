"""The smallest δ at one ε is the largest hockey-stick divergence of all pairs, and names the nearest pair."""

import random
from fractions import Fraction
from itertools import permutations

import pytest
from quality.brute_force import screen_everything
from small_flavors import flavor, law
from tiers import few

from stirred.spec import hockey_stick
from stirred.spec.budgets.loss import INFINITE, Loss
from stirred.spec.numbers.enclosure import Enclosure, exponential
from stirred.spec.output_premetrics import ApproximateMultiplicative
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.smallest_delta import delta_curves, needed_delta

SIZE = 9


@pytest.fixture(params=[False, True], ids=["", "screened"], autouse=True)
def screened(request, monkeypatch):
    if request.param:
        screen_everything(monkeypatch)


def case(seed):
    draw = random.Random(seed)  # noqa: S311 a fixed sample
    table = {pair: draw.choice((1, 1, 2, 3, None)) for pair in permutations(range(SIZE), 2)}
    weights = (0, 1, 2, 3, 9) if seed % 2 else (1, 2, 3, 9)
    laws = {x: law(*(draw.choice(weights) for _ in range(4)), 1) for x in range(SIZE)}
    compared = flavor(table, ApproximateMultiplicative(Fraction(1, 10)))
    return laws, compared, {pair: d for pair, d in table.items() if d is not None}


def by_definition(laws, table, gamma):
    """δ and the nearest pair that needs it, either order of it."""
    values = {
        (x, y): max(hockey_stick(laws[x], laws[y], gamma(d)), hockey_stick(laws[y], laws[x], gamma(d)))
        for (x, y), d in table.items()
    }
    most = max(values.values())
    return most, min((table[pair] for pair, value in values.items() if value == most), default=None)


@pytest.mark.parametrize("gamma", few([Fraction(3, 2), 10**15, 1, 2, 5], 2))
def test_it_is_exact_for_rational_powers(gamma):
    pairs = 0
    for seed in range(30):
        laws, compared, table = case(seed)
        found = needed_delta(ComparedLaws(laws, compared), Loss(gamma))
        expected, nearest = by_definition(laws, table, lambda d: Fraction(gamma) ** d)
        assert found.delta == expected
        assert found.farthest == max(d for (x, y), d in table.items() if laws[x] != laws[y])
        assert (found.pair is None) == (expected == 0)
        if found.pair is not None:
            pairs += 1
            assert table[found.pair] == nearest
    assert pairs > 10


def test_it_is_enclosed_elsewhere_and_agrees_with_the_curves():
    enclosed = 0
    for seed in range(30):
        laws, compared, table = case(seed)
        comparison = ComparedLaws(laws, compared)
        found = needed_delta(comparison, Fraction(1, 3)).delta
        low, high = (
            by_definition(laws, table, lambda d, end=end: getattr(exponential(Fraction(d) / 3, digits=60), end))[0]
            for end in ("upper", "lower")
        )
        ends = found if isinstance(found, Enclosure) else Enclosure(found, found)
        enclosed += isinstance(found, Enclosure)
        assert ends.lower <= low <= high <= ends.upper < ends.lower + Fraction(1, 10**30)
        curves = delta_curves(comparison).by_distance.items()
        assert max(curve.delta_at(d / 3).lower for d, curve in curves) <= ends.upper
    assert enclosed > 10


def test_an_infinite_loss_leaves_the_mass_that_has_no_counterpart():
    for seed in range(30):
        laws, compared, table = case(seed)
        found = needed_delta(ComparedLaws(laws, compared), INFINITE)
        masses = {
            pair: max(sum((a.numeric(t) for t in a if not b.numeric(t)), Fraction(0)) for a, b in ((p, q), (q, p)))
            for pair in table
            for p, q in [(laws[pair[0]], laws[pair[1]])]
        }
        assert found.delta == max(masses.values())
