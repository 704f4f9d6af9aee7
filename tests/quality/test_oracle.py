"""The oracle itself: values that are known, and faults planted in the auditor that the comparison must show."""

import random
from fractions import Fraction

import pytest
from quality.oracle import Case, events, exceeds, extreme_events, holds, hull, renyi_at_most
from quality.test_random_claims import compared

from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.budgets.loss import Loss
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, TotalVariation, Tradeoff
from stirred.verify.evidence.finding import EngineError

THIRDS = {"a": Fraction(1, 3), "b": Fraction(2, 3)}, {"a": Fraction(2, 3), "b": Fraction(1, 3)}
TINY = Fraction(1, 10**30)


def case(measure, distance=Fraction(1), delta=Fraction(0), laws=THIRDS):
    return Case(((0, 1),), {(0, 1): distance}, laws, measure, delta)


LN_2 = Fraction(693147180559945309417232121458176568075500134360255, 10**51)
CURVE = ((0, 0), (Fraction(1, 3), Fraction(2, 3)), (1, 1))
LOWERED = (CURVE[0], (Fraction(1, 3), Fraction(2, 3) - TINY), CURVE[2])
NEARLY = Fraction(1, 3) - TINY


@pytest.mark.parametrize(
    ("claimed", "kind", "enough", "too_little"),
    [
        (case("multiplicative"), "gamma", Fraction(2), 2 - TINY),
        (case("multiplicative"), "epsilon", LN_2 + TINY, LN_2 - TINY),
        (case("multiplicative", Fraction(1, 2)), "gamma", Fraction(4), 4 - TINY),
        (case("approximate_multiplicative", delta=Fraction(1, 3)), "gamma", Fraction(1), None),  # 2/3 ≤ γ/3 + 1/3
        (case("approximate_multiplicative", delta=NEARLY), "gamma", 1 + 3 * TINY, 1 + TINY),
        (case("total_variation", Fraction(3)), "epsilon", Fraction(1, 9), Fraction(1, 9) - TINY),
        (case("tradeoff"), "curve", CURVE, LOWERED),
    ],
    ids=lambda one: one.measure if isinstance(one, Case) else "",
)
def test_the_boundary_of_each_premetric(claimed, kind, enough, too_little):
    assert holds(claimed, kind, enough)
    assert too_little is None or not holds(claimed, kind, too_little)


def test_the_curve_of_two_laws_is_the_hull_of_their_events():
    assert hull(events(*THIRDS)) == CURVE


def test_the_events_that_decide_bound_all():
    for seed in range(200):
        draw = random.Random(seed)  # noqa: S311 a fixed sample
        weights = [[draw.choice((0, 1, 1, 2, 3, 7)) for _ in range(5)] + [1] for _ in range(2)]
        p, q = ({t: Fraction(w, sum(row)) for t, w in enumerate(row)} for row in weights)
        every, few = events(p, q), extreme_events(p, q)
        assert set(few) <= set(every)
        assert hull(few) == hull(every)
        for gamma in (Fraction(1), Fraction(3, 2), Fraction(4)):
            assert max(a - gamma * b for a, b in few) == max(a - gamma * b for a, b in every)
            assert max(b - gamma * a for a, b in few) == max(b - gamma * a for a, b in every)


def test_a_law_of_many_outcomes_has_few_events_that_decide():
    p, q = ({t: Fraction(w, 435) for t, w in enumerate(row)} for row in (range(1, 30), range(29, 0, -1)))
    assert len(events(p, q)) == 2 * 29 + 1
    assert holds(case("multiplicative", laws=(p, q)), "gamma", Fraction(29))
    assert not holds(case("multiplicative", laws=(p, q)), "gamma", 29 - TINY)


def test_zero_times_infinity_is_infinity_for_both_factors():
    disjoint = {"a": Fraction(1)}, {"b": Fraction(1)}
    assert holds(case("multiplicative", Fraction(0), laws=disjoint), "epsilon", None)
    assert holds(Case(((0, 1),), {}, disjoint, "multiplicative"), "gamma", Fraction(1))
    assert not holds(case("multiplicative", Fraction(0), laws=disjoint), "gamma", Fraction(10**9))


def test_the_premetric_is_asked_in_its_direction_and_inside_universes_only():
    disjoint = {"a": Fraction(1)}, {"b": Fraction(1)}, {"a": Fraction(1)}
    for universes, expected in ((((0, 1),), False), (((0, 2), (1, 2)), True), (((0,), (1,)), True)):
        claimed = Case(universes, {(1, 0): Fraction(1)}, disjoint, "multiplicative")
        assert holds(claimed, "gamma", Fraction(9)) == expected


def test_e_to_a_rational_power_is_compared_exactly():
    e = Fraction(27182818284590452353602874713526624977573, 10**40)  # e to 40 digits, from above
    assert exceeds(e, Fraction(1), "epsilon", Fraction(1), Fraction(1))
    assert not exceeds(e - Fraction(1, 10**40), Fraction(1), "epsilon", Fraction(1), Fraction(1))


def test_the_normalized_renyi_metric_of_two_coins_is_its_limit_at_one():
    """D_α/α of (1/3, 2/3) against (2/3, 1/3) falls from KL = ln(2)/3 at α = 1."""
    kl = Fraction(693147180559945309417232121458176568075500134360255, 3 * 10**51)
    assert renyi_at_most(*THIRDS, kl + TINY) is True
    assert renyi_at_most(*THIRDS, kl - TINY) is False


def without_an_outcome(self, masses):
    kept = sorted(masses)[:-1]
    return max((Loss(Fraction(max(a, b), min(a, b))) for a, b in kept if a and b), default=Loss(1))


FAULTS = {
    "an atom is left out": (Multiplicative, "distance_of", without_an_outcome, "multiplicative"),
    "one direction only": (
        ApproximateMultiplicative,
        "distance_of",
        lambda self, masses: self._one_sided(masses, sum(a for a, _ in masses)),
        "approximate_multiplicative",
    ),
    "a distance is halved": (TotalVariation, "distance", lambda self, p, q: Fraction(0), "total_variation"),
    "one level is compared": (
        Tradeoff,
        "at_most",
        lambda self, value, bound: (
            bound is None or (value is not None and any(self.at(value, a) <= self.at(bound, a) for a, _ in value))
        ),
        "tradeoff",
    ),
    "a premetric is made symmetric": (
        InputPremetric,
        "__call__",
        lambda self, x, y: (
            0 if x == y else max((d for d in (self.distance(x, y), self.distance(y, x)) if d is not None), default=None)
        ),
        "total_variation",
    ),
}


@pytest.mark.nightly
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_planted_in_the_auditor_is_a_difference(tmp_path, monkeypatch, fault):
    owner, name, wrong, measure = FAULTS[fault]
    monkeypatch.setattr(owner, name, wrong)
    try:
        found = compared(tmp_path, range(60), measure)
    except EngineError:  # the auditor's own cross-check saw it first
        return
    assert found
