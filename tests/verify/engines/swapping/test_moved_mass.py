"""The certificates of `moved_mass`: those of the formula, and never below an exact loss."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, floor

import mpmath
import pytest

from spec.arguments import InputError
from spec.loss import Loss
from spec.permutation_swapping import odds, psa_budget
from verify.engines.swapping.loss import universe_loss
from verify.engines.swapping.moved_mass import concentrated_budget


def restated(n, p):
    """The certificates of `concentrated_budget` once more, at 100 digits, from the formula and its constants.

    R*(e₁/(1+e₁)), f(⌈(1+e₁)·end⌉) or o² bounds the orbits that are kept. Beyond b = start each step of b multiplies by
    θ ≥ A + B or, over two steps, so that a pair of masses falls by θ: the rest is at most 4·θ^length/(1−θ).
    """
    with mpmath.workdps(100):
        number = lambda f: mpmath.mpf(Fraction(f).numerator) / Fraction(f).denominator  # noqa: E731
        o, best = odds(p), None
        divisors = (300, 100, 30, 10, 3, 1)
        for shift, stretch, above, gap in product(range(1, 8), (11, 15, 20), divisors, divisors):
            e1 = Fraction(1, 2**shift)
            e2 = e1 * Fraction(stretch, 10)
            start = ceil(p * n * (1 + Fraction(1, above)))
            end = ceil(start * (1 + Fraction(1, gap)))
            slack = (1 - e2) * start - 2
            if e2 >= 1 or end >= n or slack <= 0 or start < 6:
                continue
            theta = o * (n - start + 1) / ((1 + e2) * slack)
            theta += (o * (n - start + 2)) ** 2 / ((start - 1) * (start - 2) * slack)
            eta, moved = e1 / (1 + e1), ceil((1 + e1) * end)
            mixed = 1 + (1 + o) / (o * o * eta * (1 - eta))
            kept = max(o * o, mixed, 1, (moved + Fraction(5, 2)) / (o * o) + (moved + 1) / o)
            length = floor(min(Fraction(end - start), start * (e2 / e1 - 1)) / 2)
            if theta >= 1:
                continue
            defect = 4 * number(theta) ** length / (1 - number(theta))
            if defect < mpmath.mpf("0.001"):
                found = number(kept) / (1 - defect)
                best = found if best is None else min(best, found)
        return best


@pytest.mark.parametrize(
    ("n", "p"),
    [
        *((264_331, "1/2"), (264_331, "1/20"), (20_000, "1/2"), (5_000, "4/5"), (100, "1/2")),
        *((101, "1/3"), (1_000, "9/10")),
        (150, "47/100"),  # R*(η) is the largest of the three
        (45_000, "40/41"),  # and here o²
    ],
)
def test_the_certificates_are_those_of_the_formula(n, p):
    expected, found = restated(n, Fraction(p)), concentrated_budget(n, Fraction(p))
    assert (found is None) == (expected is None)
    if found is not None:
        with mpmath.workdps(100):
            assert found.distance == 2
            assert (
                0 <= mpmath.mpf(found.gamma.numerator) / found.gamma.denominator / expected - 1 < mpmath.mpf(10) ** -60
            )


def test_concentration_roughly_halves_the_printed_budget_in_large_strata():
    for p in (Fraction(1, 100), Fraction(1, 20), Fraction(1, 10), Fraction(1, 2)):
        printed = psa_budget(264_331, p)
        found = concentrated_budget(264_331, p)
        assert found is not None
        assert found < Loss(printed.gamma**11, 20)  # 55 per cent
        assert not found < printed.over(2)


@pytest.mark.parametrize("margins", [(2, 131), (3, 130), (1, 310)])
def test_certificates_do_not_undercut_exact_losses(margins):
    """Universes with a small category on both sides have nearly the largest losses of their size."""
    found = concentrated_budget(sum(margins), Fraction(1, 2))
    assert found is not None
    exact = universe_loss(margins, margins, Fraction(1, 2))
    assert found >= exact
    assert Loss(found.gamma**5, found.distance * 6) < exact  # a certificate that is a sixth too small would be seen


def test_no_certificate_where_the_categories_are_too_unequal():
    assert concentrated_budget(10, Fraction(1, 100)) is None


@pytest.mark.parametrize("p", [0, 1, 0.5])
def test_swap_rates_without_a_finite_or_exact_budget_are_refused(p):
    message = "swap_rate must be an exact number" if p == 0.5 else "swap_rate must be between 0 and 1, exclusive"
    with pytest.raises(InputError, match=message):
        concentrated_budget(1000, p)


def test_totals_below_two_are_refused():
    with pytest.raises(InputError, match="size must be at least 2; got 1"):
        concentrated_budget(1, Fraction(1, 2))


def test_small_sizes_are_no_errors_and_have_no_certificate():
    assert concentrated_budget(2, Fraction(1, 2)) is None
