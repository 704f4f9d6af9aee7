"""What integer arrays call surely within a bound is within it by exact sums; little of what is within is missed."""

import random
from fractions import Fraction

import pytest

from stirred.spec import InputError, hockey_stick
from stirred.spec.law import Law
from stirred.verify.engines.law_pairs import NumberedLaws
from stirred.verify.engines.law_screen import LawScreen, ScreenedBound

GAMMAS = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(10**9), Fraction(10**40, 3), None]


def laws_of(seed):
    draw = random.Random(seed)  # noqa: S311 a fixed sample
    size = draw.choice((2, 3, 30))
    found = {}
    for point in range(6):
        weights = [draw.choice((0, 1, 1, 2, 3, 10 ** draw.randint(1, 20))) for _ in range(size - 1)] + [1]
        found[point] = Law({t: Fraction(w, sum(weights)) for t, w in enumerate(weights) if w})
    return found


def beyond(p, q, gamma):
    """E_γ(P‖Q) in both directions, the larger; with None the mass that has no counterpart."""
    if gamma is not None:
        return max(hockey_stick(p, q, gamma), hockey_stick(q, p, gamma))
    return max(sum((a.numeric(t) for t in a if not b.numeric(t)), Fraction(0)) for a, b in ((p, q), (q, p)))


def is_below(p, q, gamma):
    """P < γ·Q wherever P > 0, and the other way round."""
    sides = [(a.numeric(t), b.numeric(t)) for a, b in ((p, q), (q, p)) for t in a if a.numeric(t)]
    return all(b if gamma is None else a < gamma * b for a, b in sides)


@pytest.mark.parametrize("gamma", GAMMAS, ids=str)
def test_what_is_surely_within_is_within(gamma):
    within = missed = 0
    for seed in range(40):
        laws = laws_of(seed)
        numbered = NumberedLaws(laws)
        screen = LawScreen(numbered)
        for first, p in laws.items():
            numbers = [numbered.numbers[point] for point in laws]
            exact = [beyond(p, q, gamma) for q in laws.values()]
            for delta in (*{value for value in exact if value}, Fraction(1, 10)):
                said = screen.within(numbered.numbers[first], numbers, ScreenedBound(gamma, delta))
                for is_within, value in zip(said, exact, strict=True):
                    assert not is_within or value < delta
                    within, missed = within + is_within, missed + (value * (1 + Fraction(1, 10**4)) < delta > is_within)
            said = screen.within(numbered.numbers[first], numbers, ScreenedBound(gamma, None))
            assert all(is_below(p, q, gamma) for q, one in zip(laws.values(), said, strict=True) if one)
    assert within > 100
    assert missed * 20 < within or (gamma is not None and gamma > 2**25)


def test_neither_equality_nor_one_part_in_2_to_the_60_is_taken_for_less():
    for gap in (Fraction(0), Fraction(1, 2**60)):
        laws = {
            0: Law({0: Fraction(1, 2), 1: Fraction(1, 2)}),
            1: Law({0: Fraction(3, 4) + gap, 1: Fraction(1, 4) - gap}),
        }
        screen = LawScreen(NumberedLaws(laws))
        for gamma, delta in ((Fraction(2), None), (Fraction(1), Fraction(1, 4)), (Fraction(3, 2), Fraction(1, 8))):
            assert screen.within(0, [1], ScreenedBound(gamma, delta)) == [False]
    assert screen.within(0, [1], ScreenedBound(Fraction(3), None)) == [True]


def test_only_few_laws_left_out_end_the_trials():
    laws = {n: Law({0: Fraction(1, 2 + n), 1: Fraction(1 + n, 2 + n)}) for n in range(40)}
    screen = LawScreen(NumberedLaws(laws))
    near = [(n, n, Fraction(1)) for n in range(1, 40)]
    asked = []

    def bound(d):
        asked.append(d)
        return ScreenedBound(Fraction(1), None)

    for _ in range(60):
        assert screen.left(0, near, bound) == near
    assert 10 < len(asked) < 20


def test_a_gamma_below_1_is_refused():
    with pytest.raises(InputError, match="gamma must be at least 1; got"):
        ScreenedBound(Fraction(1, 2), None)
