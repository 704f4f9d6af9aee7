"""Budgets for all swap rates at once in very many universes, and that the engine's shortcuts lose and miss nothing.

The certificates of `moved_mass`: those of the formula, and never below an exact loss.
"""

import math
import random
import resource
import time
from collections import Counter
from dataclasses import astuple, replace
from fractions import Fraction
from functools import cache
from itertools import product

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from started import coq_computes, spaced
from tiers import few

from stirred.mechanisms.swapping.permutation_counts import derangements
from stirred.spec.arguments import InputError
from stirred.spec.blocks.tables import margins_of_size, table_distance
from stirred.spec.budgets.loss import Loss
from stirred.spec.flavors.permutation_swapping import odds, psa_budget
from stirred.verify.engines.sign_certificate import evaluate_polynomial
from stirred.verify.engines.swapping import moved_mass
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.engines.swapping.moved_mass import Certificate, concentrated_budget, concentrated_certificate
from stirred.verify.ledger.claims.psa_exact.every_rate import half_budget
from stirred.verify.ledger.engines.mean_budget import decide_universe, exchange_budget, root_budget
from stirred.verify.ledger.engines.polynomials import (
    decide_ratio,
    likelihood_polynomial,
    printed_budget,
    universe_ratios,
)


def sharp(records):
    """d(b)/d(b−2), for b ≥ 4; it is at most Theorem 1's (b + 1)², so that a ratio below the one is below the other."""
    square = Fraction(derangements(records), derangements(records - 2))
    assert square <= (records + 1) ** 2
    return square


def universes(records):
    """All margins with two to four categories on both sides, up to order and transposition."""
    sides = [margins for margins in margins_of_size(records, 4) if len(margins) > 1]
    return [(rows, columns) for rows in sides for columns in sides if rows >= columns]


def decide_all(listed, budget_of, capsys, *, reported):
    """How many ratios there are in such universes, none above the budget for their number of records; time, memory."""
    began = time.process_time()
    found = [decide_universe(rows, columns, budget_of(sum(rows))) for rows, columns in listed]
    assert all(each.above is None for each in found)
    ratios, alone = sum(each.ratios for each in found), sum(each.one_by_one for each in found)
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if reported:
        spent = f"{time.process_time() - began:.0f} s of processor, {used} MB"
        with capsys.disabled():
            print(f"\n{len(found)} universes, {ratios} ratios, {alone} of them one by one, {spent}")
    return ratios


@pytest.mark.parametrize(
    ("records", "ratios"),
    few([(4, 124), (5, 892), (6, 6_598), (7, 44_206), (8, 280_202), (9, 1_604_490), (10, 8_300_028)], 3),
)
def test_theorem_1_and_the_sharp_budget_hold_for_all_rates(records, ratios, capsys):
    budget = root_budget(sharp(records))
    assert decide_all(universes(records), lambda _: budget, capsys, reported=records > 7) == ratios


@cache
def two_categories(records):
    """Proved: psa.exact.two-categories. Conjectured: `half_budget`."""
    return exchange_budget({-2: Fraction(2 * records + 1, 2), -1: Fraction(records - 1)}, {2: Fraction(1)})


@pytest.mark.parametrize("budget", [two_categories, half_budget])
@pytest.mark.parametrize(
    ("categories", "largest", "ratios"),
    [
        (4, 9, 8_428),
        pytest.param(3, 24, 4_117_444, marks=pytest.mark.nightly),
        pytest.param(4, 18, 4_536_496, marks=pytest.mark.nightly),
    ],
)
def test_two_rows_need_no_more_than_is_proved_and_conjectured(budget, categories, largest, ratios, capsys):
    listed = [
        (rows, columns)
        for records in range(3, largest + 1)
        for rows, columns in product(margins_of_size(records, 2), margins_of_size(records, categories))
        if len(rows) > 1 and len(columns) > 1
    ]
    assert decide_all(listed, budget, capsys, reported=largest > 9) == ratios


def test_theorem_1_has_the_same_form():
    for o in map(Fraction, ("1/7", "1", "3", "40")):
        root, printed = (
            max(evaluate_polynomial(b.numerator, o) / evaluate_polynomial(b.denominator, o) for b in budget)
            for budget in (root_budget(Fraction(49)).branches, printed_budget(6))
        )
        assert root == printed**2


@given(
    st.sampled_from([each for records in (3, 4, 5) for each in universes(records)]),
    st.fractions(1, 30, max_denominator=12),
)
def test_the_means_decide_as_one_ratio_after_the_other(universe, square):
    ratios = list(universe_ratios(*universe))
    holds = all(isinstance(decide_ratio(ratio, root_budget(square).branches), tuple) for ratio in ratios)
    found = decide_universe(*universe, root_budget(square))
    assert found.ratios == len(ratios)
    assert (found.above is None) == holds


def test_a_budget_that_is_too_small_has_a_ratio_above_it_that_exists():
    """(b − 1)² < d(b)/d(b−2): the universe of article, Theorem 3 (C)."""
    found = decide_universe((2, 2, 1, 1), (2, 2, 1, 1), root_budget(Fraction(25)))
    ratio, o = found.above
    x, x_prime, z = ratio.triple
    assert table_distance(x, x_prime) == ratio.distance
    assert (likelihood_polynomial(x, z), likelihood_polynomial(x_prime, z)) == (ratio.high, ratio.low)
    assert ratio.at(o) ** 2 > max(25 / o**2, o**2) ** ratio.distance
    assert decide_universe((2, 2, 1, 1), (2, 2, 1, 1), root_budget(sharp(6))).above is None


def test_most_ratios_are_decided_together():
    found = decide_universe((3, 2, 2), (3, 2, 2), root_budget(sharp(7)))
    assert 0 < found.one_by_one < found.ratios / 50


RATE = "swap_rate must be between 0 and 1, exclusive"


@pytest.mark.parametrize(
    ("message", "ask"),
    [
        ("square must be at least 1", lambda: decide_universe((2, 2), (2, 2), root_budget(Fraction(1, 2)))),
        ("must give numbers below", lambda: decide_universe((2, 2), (2, 2), root_budget(Fraction(10**9)))),
        ("rows or columns must be two", lambda: decide_universe((1, 1, 1), (1, 1, 1), two_categories(3))),
        (RATE, lambda: concentrated_budget(1000, 0)),
        (RATE, lambda: concentrated_budget(1000, 1)),
        ("swap_rate must be an exact number", lambda: concentrated_budget(1000, 0.5)),
        ("size must be at least 2; got 1", lambda: concentrated_budget(1, Fraction(1, 2))),
    ],
)
def test_budgets_that_integers_cannot_hold_and_bad_rates_are_refused(message, ask):
    with pytest.raises(InputError, match=message):
        ask()


def test_half_of_a_proved_budget_has_a_ratio_above_it():
    half = exchange_budget({-2: Fraction(17, 4), -1: Fraction(7, 2)}, {2: Fraction(1)})
    ratio, o = decide_universe((4, 4), (4, 3, 1), half).above
    assert ratio.at(o) > max(Fraction(17, 4) / o**2 + Fraction(7, 2) / o, o**2)


def restated(found):
    """The bound of a certificate once more, at 100 digits, from step 3 of the proof: what r has to be."""
    with mpmath.workdps(100):
        number = lambda f: mpmath.mpf(Fraction(f).numerator) / Fraction(f).denominator
        n, o, start, end = found.b, Fraction(found.on, found.od), found.s, found.s + found.l
        e1, e2 = Fraction(found.d1, found.d), Fraction(found.d2, found.d)
        assert found.l * e1 <= start * (e2 - e1)
        assert 0 < e1 < e2 <= Fraction(1, 2)
        one = o * (n - start) / ((1 - e2**2) * (start + 1))
        two = o**2 * (n - start + 1) * (n - start) / ((1 - e2**2) * (start + 1) * start * (start - 1))
        t = (number(one) + mpmath.sqrt(number(one) ** 2 + 4 * number(two))) / 2
        defect, moved, eta = 2 * t**found.l / (1 - t), (1 + e1) * end, e1 / (1 + e1)
        mixed = 1 + (1 + o) / (o * o * eta * (1 - eta))
        kept = max(mixed, (moved + Fraction(5, 2)) / (o * o) + (moved + 1) / o)
        return max(number(kept) / (1 - defect), number(o * o), number((n + Fraction(1, 2)) / o))


SIZES = [
    *((264_331, "1/2"), (264_331, "1/20"), (20_000, "1/2"), (5_000, "4/5"), (100, "1/2"), (100, "1/100")),
    *((101, "1/3"), (1_000, "9/10"), (150, "47/100"), (10**9, "1/3")),
    (45_000, "40/41"),  # o² is the largest
    (10**6, "40/41"),  # and what is mixed
]


@pytest.mark.parametrize(("n", "p"), SIZES)
def test_the_certificates_are_those_of_the_formula(n, p):
    found, p = concentrated_certificate(n, Fraction(p)), Fraction(p)
    assert found.is_accepted()
    assert (found.b, Fraction(found.on, found.od), found.rd) == (n, odds(p), 1)
    assert concentrated_budget(n, p) == Loss(found.rn, 2)
    assert 0 <= found.rn - restated(found) < 1 + mpmath.mpf(found.rn) / 1000  # rounded upward, e too


@pytest.mark.parametrize(
    ("name", "change"),
    [
        *(("rn", -1), ("e", 1), ("an", -1), ("bn", -1), ("tn", -1)),  # each is the best integer beside the others
        *(("rd", 1), ("d1", 1), ("d2", -1), ("b", 10**12), ("s", 10**12), ("l", 10**12), ("d", -(10**12))),
    ],
)
def test_a_certificate_that_shows_less_is_refused(name, change):
    for n, p in SIZES:
        found = concentrated_certificate(n, Fraction(p))
        assert not replace(found, **{name: getattr(found, name) + change}).is_accepted()


def test_coq_accepts_the_same_certificates(tmp_path):
    """`checks`, which `checked_pure_dp` shows to be sound: the bounds of the 1940 households, and more."""
    rates = ("1/100", "1/20", "1/10", "1/2")
    found = [concentrated_certificate(264_331, Fraction(p)) for p in rates]
    found += [concentrated_certificate(n, Fraction(p)) for n, p in SIZES if n < 10**6]
    asked = [(f"checks (Numbers {spaced(astuple(one))})%num", True) for one in found]
    asked += [(f"checks (Numbers {spaced(astuple(replace(one, tn=one.tn - 1)))})%num", False) for one in found]
    coq_computes(tmp_path, "certificate_check", asked)


TINY = Certificate(3, 1, 1, 3, 1, 1, 2, 4, 1, 1, 1, 2, 3, 10**6, 1)
MIRRORED = [
    [concentrated_certificate(150, Fraction(47, 100)), TINY, replace(TINY, b=4, an=0, bn=0, tn=1, u=10, e=3)],
    [concentrated_certificate(5_000, Fraction(4, 5))],
    [concentrated_certificate(264_331, Fraction(1, 20))],
]
"""Some certificates, among them small ones where each bound is met."""


@pytest.mark.parametrize("tried", few(MIRRORED), ids=range(len(MIRRORED)))
def test_coq_and_the_mirror_of_its_checker_agree_at_every_boundary(tmp_path, tried):
    """Each integer of some certificates a little or much smaller or larger."""
    asked = []
    for one in tried:
        for name, value in vars(one).items():
            left_out = {-1, 0} if name == "u" else {-1}
            for changed in {value - 1, value + 1, 1, 2, 3, 4, 2 * value, value // 2} - left_out:
                other = replace(one, **{name: changed})
                asked.append((f"checks (Numbers {spaced(astuple(other))})%num", other.is_accepted()))
    assert {True, False} == {value for _, value in asked}
    coq_computes(tmp_path, "certificate_check", asked)


def rounded_power(one):
    """t^l, rounded as the checker rounds it."""
    width = one.u * moved_mass.PRECISION
    return Fraction(moved_mass.power_up(one.tn * moved_mass.PRECISION, width, one.l), width)


def bounds(one):
    """What r has to be at least, step by step; the last one follows from the first where t < 1."""
    o, e1, kept = Fraction(one.on, one.od), Fraction(one.d1, one.d), Fraction(one.e, one.e - 2)
    moved = (1 + e1) * (one.s + one.l)
    return [
        ((moved + Fraction(5, 2)) / o**2 + (moved + 1) / o) * kept,
        (1 + (1 + o) / o**2 * (1 + e1) ** 2 / e1) * kept,
        o**2,
        (one.b + Fraction(1, 2)) / o,
    ]


@pytest.mark.parametrize(("t", "w", "k", "power"), [(1, 2, 3, 1), (1, 10, 4, 1), (5, 10, 3, 2), (50, 100, 3, 14)])
def test_a_power_is_rounded_upward_by_one_at_each_step(t, w, k, power):
    """Of 5/10: 25/10 is 2 and 1 more, 15/10 is 1 and 1 more."""
    assert moved_mass.power_up(t, w, k) == power
    assert Fraction(power, w) >= Fraction(t, w) ** k


def is_shown(one):
    """The inequalities of the proof in rationals, beside what `Certificate.is_accepted` says in integers."""
    if min(one.on, one.od, one.tn, one.rd, one.rn, one.d1, one.u, one.l) < 1 or one.e < 3:
        return False
    o, e1, e2, t = Fraction(one.on, one.od), Fraction(one.d1, one.d), Fraction(one.d2, one.d), Fraction(one.tn, one.u)
    steps, fewer = (1 - e2**2) * (one.s + 1), one.b - one.s
    return (
        3 <= one.s <= one.b
        and e1 < e2 <= Fraction(1, 2)
        and one.l * e1 <= one.s * (e2 - e1)
        and t < 1
        and Fraction(one.an, one.u) * t + Fraction(one.bn, one.u) <= t**2
        and rounded_power(one) * one.e <= 1 - t
        and Fraction(one.an, one.u) >= o * fewer / steps
        and Fraction(one.bn, one.u) >= o**2 * (fewer + 1) * fewer / (steps * one.s * (one.s - 1))
        and Fraction(one.rn, one.rd) >= max(bounds(one))
    )


def drawn(draw):
    """A small certificate, each of its numbers what the ones before it ask for, or one more or less."""

    def near(number):
        return math.ceil(number) + draw.choice((0,) * 8 + (-1, 1))

    b, o = draw.randint(3, 30), Fraction(draw.randint(1, 40), draw.randint(1, 9))
    s, l, d1 = min(b, near(draw.choice((3, b, draw.randint(3, b))))), draw.randint(1, 9), draw.randint(1, 3)  # noqa: E741
    d2 = near(d1 + Fraction(l * d1, s))
    d, u = near(2 * d2 + draw.choice((0, 0, 9, 100))), draw.choice((7, 1000, 10**9))
    steps, fewer = max((1 - Fraction(d2, d) ** 2) * (s + 1), Fraction(1, 9)), b - s
    an = near(u * o * fewer / steps)
    bn = near(u * o**2 * (fewer + 1) * fewer / (steps * s * (s - 1)))
    tn = max(0, near((an + math.isqrt(max(0, an**2 + 4 * bn * u))) // 2 + 1))
    found = Certificate(b, *o.as_integer_ratio(), s, l, d1, d2, d, an, bn, tn, u, 3, 1, draw.choice((1, 1, 2, 7)))
    if 0 < tn < u:
        found = replace(found, e=near(min((1 - Fraction(tn, u)) / rounded_power(found), 10**9) - 1))
    return replace(found, rn=near(max(bounds(found)) * found.rd)) if found.e > 2 else found


def test_small_certificates_are_accepted_just_where_the_inequalities_hold():
    draw, accepted = random.Random(1), Counter()  # noqa: S311 a fixed sample
    for _ in range(20_000):
        found = drawn(draw)
        assert found.is_accepted() is is_shown(found), found
        if is_shown(found):
            accepted[bounds(found).index(max(bounds(found)))] += 1
    assert min(accepted[which] for which in range(3)) > 50


def test_concentration_roughly_halves_the_printed_budget_in_large_strata():
    for p in (Fraction(1, 100), Fraction(1, 20), Fraction(1, 10), Fraction(1, 2)):
        printed = psa_budget(264_331, p)
        found = concentrated_budget(264_331, p)
        assert found is not None
        assert found < Loss(printed.gamma**11, 20)  # 55 per cent
        assert not found < printed.over(2)


@pytest.mark.parametrize(("small", "large"), few([(2, 131), (3, 130), (1, 310)]))
def test_certificates_do_not_undercut_exact_losses(small, large):
    """Universes with a small category on both sides have nearly the largest losses of their size."""
    found = concentrated_budget(small + large, Fraction(1, 2))
    assert found is not None
    exact = universe_loss((small, large), (small, large), Fraction(1, 2))
    assert found >= exact
    assert Loss(found.gamma**5, found.distance * 6) < exact  # a certificate that is a sixth too small would be seen


def test_where_p_n_or_n_is_small_there_is_no_certificate():
    assert concentrated_budget(10, Fraction(1, 100)) is concentrated_budget(2, Fraction(1, 2)) is None
