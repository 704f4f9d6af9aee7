"""The ends of distances and budgets, and trade-off curves that cross, on random claims."""

import json
from fractions import Fraction
from itertools import combinations, pairwise, product

import pytest
from claim_texts import replaced
from quality.verdicts_of_texts import LISTED, answers, record_of
from small_flavors import both_ways, flavor, law

from stirred.spec import (
    INFINITE,
    ZERO,
    ApproximateMultiplicative,
    Multiplicative,
    NormalizedRenyi,
    Specification,
    TotalVariation,
    Tradeoff,
)
from stirred.spec.output_premetrics import DIAGONAL
from stirred.verify.engines.exhaustive import check_specification, universe_losses, violations
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.verdict import Verdict

PAIRS = {
    "equal": (law(1, 2), law(1, 2)),
    "different": (law(1, 2), law(2, 1)),
    "disjoint": (law(1), law(0, 1)),
}
MEASURES = {
    "multiplicative": (Multiplicative(), ZERO, INFINITE),
    "approximate_multiplicative": (ApproximateMultiplicative(Fraction(1, 100)), ZERO, INFINITE),
    "total_variation": (TotalVariation(), Fraction(0), None),
    "normalized_renyi": (NormalizedRenyi(), Fraction(0), None),
    "tradeoff": (Tradeoff(), DIAGONAL, None),
}
EPSILON = {"zero": "epsilon = 0", "finite": "epsilon = 9000", "infinite": 'epsilon = "infinite"'}
FILES = {
    "multiplicative": ("", EPSILON),
    "approximate_multiplicative": ('\ndelta = "1/100"', EPSILON),
    "total_variation": ("", EPSILON),
    "normalized_renyi": ("", {"zero": "rho_squared = 0", "finite": "rho_squared = 9000"}),
    "tradeoff": ("", {"zero": "curve = [[0, 0], [1, 1]]", "finite": "curve = [[0, 1], [1, 1]]"}),
}
MECHANISMS = {
    "equal": 'name = "constant"',
    "different": 'name = "truncated-geometric"\nsize = 2\nratio = "1/2"',
    "disjoint": 'name = "identity"',
}


def holds(name, pair, distance, budget):
    """Whether D(P, Q) ≤ ε·d, with 0·∞ = ∞ on the right-hand side; "finite" is more than any finite distance."""
    if distance is None or budget == "infinite" or pair == "equal":
        return True
    if distance == 0 or budget == "zero":
        return False
    # only these are infinite between laws of disjoint supports
    return pair == "different" or name in ("total_variation", "tradeoff")


def of_two_numbers(name, pair, distances, budget):
    """The text of a claim on the data sets 0 and 1; `distances` from 0 to 1 and back, None for ∞."""
    listed = [f"[{x}, {y}, {d}]" for (x, y), d in zip(((0, 1), (1, 0)), distances, strict=True) if d is not None]
    return replaced(
        LISTED,
        ("universes = [[[0], [1]]]", "invariants = []"),
        ("data_sets = [[0], [1]]", "data_sets = [0, 1]"),
        ("[[[0], [1], 1], [[1], [0], 1]]", f"[{', '.join(listed)}]"),
        ('name = "multiplicative"', f'name = "{name}"{FILES[name][0]}'),
        ("gamma = 3", budget),
        ('name = "randomized-response"\nflip_probability = "1/4"', MECHANISMS[pair]),
    )


class TestEnds:
    """Class 4: the distances 0 and ∞, and the budgets 0 and ∞, for every output premetric."""

    @pytest.mark.parametrize("pair", PAIRS)
    @pytest.mark.parametrize("distance", [0, 1, None])
    @pytest.mark.parametrize("budget", ["zero", "infinite"])
    @pytest.mark.parametrize("name", MEASURES)
    def test_a_specification_is_decided(self, name, budget, distance, pair):
        measure, zero, infinite = MEASURES[name]
        specification = Specification.constant(
            flavor(both_ways({(0, 1): distance}), measure), zero if budget == "zero" else infinite
        )
        found = check_specification(dict(enumerate(PAIRS[pair])), specification, "one pair")
        assert found.verdict.is_settled_for is holds(name, pair, distance, budget)
        if not found.verdict.is_settled_for:
            assert found.verdict is Verdict.REFUTED
            assert found.witness is not None
            replay(json.loads(json.dumps(found.witness)))

    @pytest.mark.parametrize("name", [name for name in MEASURES if name != "normalized_renyi"])
    @pytest.mark.parametrize(("pair", "distance"), list(product(PAIRS, [0, 1, None])))
    def test_the_smallest_budget_is_met_by_the_mechanism(self, name, pair, distance):
        measure, zero, infinite = MEASURES[name]
        laws = dict(enumerate(PAIRS[pair]))
        compared = flavor({(0, 1): distance}, measure)
        (loss,) = universe_losses(laws, compared)
        if distance is None or pair == "equal":
            assert loss.budget == zero
        elif distance == 0:
            assert loss.budget == infinite
        else:
            assert loss.budget == measure.distance(*PAIRS[pair])
        assert not list(violations(laws, Specification.constant(compared, loss.budget)))

    @pytest.mark.parametrize("pair", MECHANISMS)
    @pytest.mark.parametrize("distances", [(0, 0), (1, 1), (None, None), (0, None), (None, 0), (1, 0)])
    @pytest.mark.parametrize(("name", "budget"), [(name, budget) for name in FILES for budget in FILES[name][1]])
    def test_a_claim_file_is_decided(self, name, budget, distances, pair):
        record = record_of(of_two_numbers(name, pair, distances, FILES[name][1][budget]))
        expected = all(holds(name, pair, d, budget) for d in distances)
        (verdict,) = answers(record, "budget")
        assert verdict.is_settled_for is expected
        if not expected:
            assert verdict is record.verdict is Verdict.REFUTED
            assert record.witness is not None


QUARTERS = [Fraction(n, 4) for n in range(5)]
CURVES = [
    ((Fraction(0), low), *((level, power) for level, power in middle), (Fraction(1), Fraction(1)))
    for low in QUARTERS
    for middle in (
        [()]
        + [((a, f),) for a in QUARTERS[1:4] for f in QUARTERS]
        + [((Fraction(1, 4), f), (Fraction(1, 2), g)) for f, g in product(QUARTERS, repeat=2)]
    )
]


def is_concave(curve):
    slopes = [(g - f) / (b - a) for (a, f), (b, g) in pairwise(curve)]
    return all(slope >= 0 for slope in slopes) and slopes == sorted(slopes, reverse=True)


def value_at(curve, level):
    """The height of a concave curve: the smallest of its chords' lines at the level."""
    lines = [f + (g - f) / (b - a) * (level - a) for (a, f), (b, g) in pairwise(curve)]
    return min(lines)


class TestCrossingCurves:
    """f-DP curves that cross are above each other, so each is passed: decided by the events alone."""

    LAWS = tuple(law(*weights) for weights in product(range(5), repeat=3) if sum(weights) == 4)

    def passed(self, p, q, curve):
        """Whether some event E has Q(E) > f(P(E)); f is concave, so tests at random need no more."""
        events = [event for size in range(4) for event in combinations(range(3), size)]
        masses = [(sum(p.numeric(t) for t in e if t in p), sum(q.numeric(t) for t in e if t in q)) for e in events]
        return any(power > value_at(curve, Fraction(level)) for level, power in masses)

    @pytest.mark.parametrize("distances", [{(0, 1): 1}, {(1, 0): 1}, {(0, 1): 1, (1, 0): 1}])
    def test_a_pair_violates_a_curve_iff_an_event_passes_it(self, distances):
        compared = flavor(distances, Tradeoff())
        curves = list(dict.fromkeys(curve for curve in CURVES if is_concave(curve)))
        crossing = outcomes = 0
        for number, (p, q) in enumerate(product(self.LAWS, repeat=2)):
            for curve in curves[number % 13 :: 13]:
                laws = {0: p, 1: q}
                expected = {(x, y) for x, y in distances if self.passed(laws[x], laws[y], curve)}
                found = list(violations(laws, Specification.constant(compared, curve)))
                assert {(one.first, one.second) for one in found} == expected
                outcomes += bool(expected)
                for x, y in distances:
                    value = Tradeoff().distance(laws[x], laws[y])
                    levels = {level for level, _ in (*value, *curve)}
                    signs = {value_at(value, level) > value_at(curve, level) for level in levels}
                    below = {value_at(value, level) < value_at(curve, level) for level in levels}
                    crossing += True in signs and True in below
        assert crossing > 100
        assert outcomes > 100

    def test_a_claimed_curve_that_crosses_the_mechanisms_is_refuted_with_a_witness(self):
        # the curve of truncated-geometric at ratio 1/2 is (0, 0) (1/3, 2/3) (1, 1)
        for curve, verdict in (
            ('[[0, 0], ["1/3", "2/3"], [1, 1]]', Verdict.EXHAUSTED),
            ('[[0, 0], ["1/6", "1/3"], ["1/3", "2/3"], [1, 1]]', Verdict.EXHAUSTED),
            # above at 1/4, 3/5 against 1/2; below at 1/3, 29/45 against 2/3
            ('[[0, 0], ["1/4", "3/5"], [1, 1]]', Verdict.REFUTED),
            ('[[0, "1/2"], [1, 1]]', Verdict.EXHAUSTED),  # touches at 1/3
            ('[[0, "1/10"], ["1/2", "7/10"], [1, 1]]', Verdict.REFUTED),  # above at 0, below at 1/3
            ('[[0, 0], ["1/2", "9/10"], [1, 1]]', Verdict.REFUTED),  # above at 1/2, below at 1/3
        ):
            record = record_of(of_two_numbers("tradeoff", "different", (1, 1), f"curve = {curve}"))
            assert (answers(record, "budget"), curve) == ([verdict], curve)
            assert (record.witness is not None) is (verdict is Verdict.REFUTED)
