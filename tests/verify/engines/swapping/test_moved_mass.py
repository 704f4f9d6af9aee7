"""The certificates of `moved_mass`: those of the formula, and never below an exact loss."""

from __future__ import annotations

from dataclasses import astuple, replace
from fractions import Fraction

import mpmath
import pytest
from coq_runs import coq_computes, spaced

from stirred.spec.arguments import InputError
from stirred.spec.loss import Loss
from stirred.spec.permutation_swapping import odds, psa_budget
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.engines.swapping.moved_mass import Certificate, concentrated_budget, concentrated_certificate


def restated(found):
    """The bound of a certificate once more, at 100 digits, from step 3 of the proof: what r has to be."""
    with mpmath.workdps(100):
        number = lambda f: mpmath.mpf(Fraction(f).numerator) / Fraction(f).denominator  # noqa: E731
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


def test_coq_and_the_mirror_of_its_checker_agree_at_every_boundary(tmp_path):
    """Each integer of some certificates a little or much smaller or larger; some small ones where each bound is met."""
    tried = [concentrated_certificate(n, Fraction(p)) for n, p in [(264_331, "1/20"), (150, "47/100"), (5_000, "4/5")]]
    tried.append(Certificate(3, 1, 1, 3, 1, 1, 2, 4, 1, 1, 1, 2, 3, 10**6, 1))
    tried.append(replace(tried[-1], b=4, an=0, bn=0, tn=1, u=10, e=3))
    asked = []
    for one in tried:
        for name, value in vars(one).items():
            for changed in {value - 1, value + 1, 1, 2, 3, 4, 2 * value, value // 2} - {
                -1,
                *([0] if name == "u" else []),
            }:
                other = replace(one, **{name: changed})
                asked.append((f"checks (Numbers {spaced(astuple(other))})%num", other.is_accepted()))
    assert {True, False} == {value for _, value in asked}
    coq_computes(tmp_path, "certificate_check", asked)


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
