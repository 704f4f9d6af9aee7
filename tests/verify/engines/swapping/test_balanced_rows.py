"""The budget of two large categories: its certificates, what Coq says of them, and how the loss grows."""

import re
from fractions import Fraction
from math import ceil, comb

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from started import THEORIES, compiled, coq_computes, spaced
from strategies import open_probabilities
from tiers import few

from stirred.mechanisms.swapping.permutation_counts import derangements, moved_counts, psa_law
from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import Loss
from stirred.spec.flavors.permutation_swapping import odds
from stirred.verify.engines.swapping.balanced_rows import (
    _Chains,
    _steps,
    balanced_budget,
    balanced_certificate,
    balanced_certificates,
    limit_of_balanced_budgets,
)
from stirred.verify.engines.swapping.bounds import certified_budget, coq_budget

HALF = Fraction(1, 2)


@given(st.integers(1, 1000), st.fractions(Fraction(1, 10**9), Fraction(9, 10)))
def test_chains_have_the_steps_that_the_share_needs(growth, share):
    steps = _steps(growth, share)
    with mpmath.workdps(50):
        power = mpmath.mpf(growth) / (growth + 1)
        assert power**steps <= share.numerator / mpmath.mpf(share.denominator)
        assert power ** (steps - 1) * (1 + mpmath.mpf(10) ** -20) > share.numerator / mpmath.mpf(share.denominator)


@pytest.mark.parametrize(
    ("rows", "p"),
    [
        *(((435_805, 708_619), "1/2"), ((30_000, 20_000), "1/2"), ((500, 501), "9/10"), ((92, 92), "3/4")),
        *(((62, 60), "9/10"), ((3_000, 4_000), "2/3"), ((50_000, 50_000), "1/5")),
        *(((3_000, 3_668), "1/2"), ((3_000, 3_667), "1/2")),  # where ρ becomes 4
    ],
)
def test_certificates_meet_each_condition_and_waste_nothing(rows, p):
    """The conditions of `balances` in Coq, written out once more; and each constant is the best beside the others."""
    o = odds(Fraction(p))
    found = list(balanced_certificates(*rows, o))
    orders = [(rows[0] - 1, rows[1] - 1), (rows[1] - 1, rows[0] - 1)]
    assert found
    for one in found:
        grown, span, spare = Fraction(one.growth + 1, one.growth), one.span, one.spare
        assert spare == max(5, ceil(o))
        assert one.least >= max(3, o)

        def moves(least, ratio=one.ratio, grown=grown, span=span, spare=spare):
            return all(
                grown * (2 * least + 3 * span + spare) + o * (least + span) <= o * m1
                and grown * (least + m2 + 1 + 2 * span + spare) + (1 + o) * (least + span) <= (1 + o) * m1
                and grown * (m2 + 1 + span) + least + span <= ratio * grown * least + m1
                and least + 2 * span <= ratio * least
                for m1, m2 in orders
            )

        def edged(edge, spare=spare):
            return all(2 * (m2 + spare + 1) ** 2 <= edge * o * o * m1 * (m1 - 1) for m1, m2 in orders)

        assert moves(one.least)
        assert not moves(one.least + 1, one.ratio + 1)
        assert not moves(one.least, one.ratio - Fraction(1, 1000))
        assert edged(one.edge)
        assert not edged(one.edge - 1)
        with mpmath.workdps(50):
            share = mpmath.mpf(one.share.numerator) / one.share.denominator
            growth, needed = mpmath.mpf(grown.numerator / grown.denominator), 2 * max(rows) - 2
            assert share * growth ** (span - 1) < needed <= share * growth**span
        lost = 4 * one.share * (1 + one.edge) ** 2
        rate = (1 + o) / o**2 * (1 + one.ratio) ** 2 / one.ratio + Fraction(sum(rows) - 2, (one.least + 1) ** 2)
        assert 0 <= one.quotient - 1 - max(rate, lost) / (1 - lost) < Fraction(1, 10**6)


def test_the_least_records_that_certificates_need():
    """At p = 3/4, o = 3: a₀ = 3 is enough, for the rows of 92 records and no smaller ones."""
    leasts = {n: {one.least for one in balanced_certificates(n, n, Fraction(3))} for n in range(80, 93)}
    assert {n for n, least in leasts.items() if least} == {92}
    assert leasts[92] == {3}


@pytest.mark.parametrize(
    ("name", "rows", "o"), [("dwellings_50", (435_805, 708_619), 1), ("halves_75", (500_000,) * 2, 3)]
)
def test_the_certificates_that_coq_checks_are_those_of_here(name, rows, o):
    numbers = balanced_certificate(*rows, Fraction(o) / (1 + o)).numbers
    text = (THEORIES / "psa_exact" / "balanced_check.v").read_text(encoding="utf-8")
    written = re.search(rf"Definition {name} := \(BalanceNumbers ([0-9\s]*)\)%num", text)[1]
    assert [*map(int, written.split())] == [*numbers]


def test_coq_accepts_the_certificates_that_are_found(tmp_path):
    """`balance_checks`, which `checked_sizes_pure_dp` shows to be sound; a bound below what is kept is refused."""
    asked = []
    for rows, p in [((435_805, 708_619), "1/2"), ((500, 501), "9/10"), ((10**6, 10**6), "1/10"), ((3000, 6000), "3/4")]:
        *shape, bound, parts = balanced_certificate(*rows, Fraction(p)).numbers
        asked += [(f"balance_checks (BalanceNumbers {spaced([*shape, bound, parts])})%num", True)]
        asked += [(f"balance_checks (BalanceNumbers {spaced([*shape, bound - parts // 1000, parts])})%num", False)]
    coq_computes(tmp_path, "balanced_check", asked)


@pytest.mark.parametrize(
    ("rows", "columns", "p", "says"),
    [
        ((435_805, 708_619), (572_212, 572_212), "1/2", "of 572212 and 572212 records"),
        ((4_000, 90_000), (90_000, 4_000), "1/20", "and at most 94000 records"),
    ],
)
def test_a_certified_budget_is_a_theorem_of_coq(tmp_path, rows, columns, p, says):
    budget = certified_budget(rows, columns, Fraction(p))
    text = coq_budget(budget.certificate, "coqc")
    assert says in text
    assert compiled(tmp_path, text) == "Closed under the global context\n"
    rn, rd = budget.gamma.as_integer_ratio()
    assert re.search(rf"^  has_\w*budget R M H S n .* {rn}( {rd})?\.$", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= 90


def largest_quotient(n1, n2, o):
    """P_x(x)/P_x'(x) where each row fills a column of its own, at 30 digits: step 5."""
    with mpmath.workdps(30):
        o = mpmath.mpf(o.numerator) / o.denominator
        w = [o**k / derangements(k) if k != 1 else mpmath.mpf(0) for k in range(n1 + n2 + 3)]
        ways = [[comb(n, a) * derangements(a) for a in range(n + 1)] for n in (n1, n2)]
        here = there = mpmath.mpf(0)
        for a, first in enumerate(ways[0]):
            for b, second in enumerate(ways[1]):
                count, k = mpmath.mpf(first) * second, a + b
                here += count * w[k]
                mixed = a * b * w[k] + ((n1 - a) * b + a * (n2 - b)) * w[k + 1] + (n1 - a) * (n2 - b) * w[k + 2]
                there += count * mixed / (n1 * n2)
        return here / there


@pytest.mark.parametrize(("n1", "n2", "o"), [(3, 4, 1), (5, 2, Fraction(1, 3)), (4, 4, 5)])
def test_the_quotient_of_disjoint_columns_is_the_exact_one(n1, n2, o):
    x, changed = ((n1, 0), (0, n2)), ((n1 - 1, 1), (1, n2 - 1))
    p = Fraction(o) / (1 + o)
    exact = psa_law(x, p).numeric(x) / psa_law(changed, p).numeric(x)
    with mpmath.workdps(30):
        assert mpmath.almosteq(largest_quotient(n1, n2, Fraction(o)), mpmath.mpf(exact.numerator) / exact.denominator)


@pytest.mark.parametrize(("rows", "p"), few([((150, 150), "9/10"), ((200, 200), "3/4"), ((250, 320), "3/4")]))
def test_certificates_do_not_undercut_the_largest_loss_and_are_close_to_it(rows, p):
    found, quotient = balanced_budget(*rows, Fraction(p)), largest_quotient(*rows, odds(Fraction(p)))
    assert found.distance == 2
    assert quotient <= float(found.gamma) <= 2 * quotient
    limit = limit_of_balanced_budgets(*rows, Fraction(p))
    assert abs(float(limit.gamma) / quotient - 1) < 0.02


def growth(quotients, sizes):
    """The exponent of n between two sizes."""
    return mpmath.log(quotients[1] / quotients[0]) / mpmath.log(sizes[1] / mpmath.mpf(sizes[0]))


def test_below_the_threshold_the_quotient_grows_like_n():
    """Rows of n/5 and 4n/5 at p = 1/4: the threshold is (3/7)·n."""
    sizes = (100, 300)
    assert abs(growth([largest_quotient(n // 5, 4 * n // 5, Fraction(1, 3)) for n in sizes], sizes) - 1) < 0.1
    above = [largest_quotient(n // 2, n // 2, Fraction(1, 3)) for n in sizes]
    assert growth(above, sizes) < 0.1


def test_four_equal_categories_lose_as_much_as_is_printed():
    """Two of four rows fill a column each, two are spread over two columns alike, p = 1/10: growth like n²."""
    log_o, sizes, found = np.log(1 / 9), (320, 480), []
    for n in sizes:
        m = n // 4
        block = ((m // 2, m // 2), (m // 2, m // 2))
        ways = [float(mpmath.log(max(int(kept), 1e-300))) for kept in moved_counts(block, block)]
        log_d = np.array([mpmath.log(max(derangements(k), 1e-300)) for k in range(n + 3)], dtype=float)  # d(1) = 0
        factorials = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, n + 1)))))
        own = factorials[m] - factorials[: m + 1] - factorials[m::-1] + log_d[: m + 1]
        log_w = np.arange(n + 3) * log_o - np.where(np.arange(n + 3) == 1, 700, log_d)
        few = np.arange(40)  # far in the geometric tail of both
        a, b, e = few[:, None, None], few[None, :, None], np.arange(2 * m + 1)[None, None, :]
        k = a + b + e
        weight = own[a] + own[b] + np.array(ways)[e] + log_w[k]
        weight = np.exp(weight - weight.max())
        one, two = np.exp(log_w[k + 1] - log_w[k]), np.exp(log_w[k + 2] - log_w[k])
        mixed = a * b + ((m - a) * b + a * (m - b)) * one + (m - a) * (m - b) * two
        found.append(m * m * weight.sum() / (weight * np.where(k == 1, 0, mixed)).sum())
    assert abs(growth(found, sizes) - 2) < 0.1


@pytest.mark.parametrize(
    ("rows", "p"), [((1, 1), "1/2"), ((2, 3), "1/2"), ((435_805, 708_619), "1/2"), ((1, 2), "3/4"), ((1, 1), "1/10")]
)
def test_certificates_come_close_to_the_limit(rows, p):
    limit = limit_of_balanced_budgets(*rows, Fraction(p))
    above = [
        balanced_budget(*(r * scale // sum(rows) for r in rows), Fraction(p)).gamma / limit.gamma - 1
        for scale in (10**8, 10**9, 10**11)
    ]
    assert above == sorted(above, reverse=True)
    assert 0 < above[-1] < Fraction(1, 100)


@given(open_probabilities, st.fractions(1, 5), st.integers(1, 5))
def test_the_limit_depends_on_shares_alone_and_needs_both_rows_above_the_threshold(p, ratio, scale):
    o, found = odds(p), limit_of_balanced_budgets(1, ratio, p)
    assert (found is None) == (1 * (2 + o) <= 1 + ratio)
    assert found == limit_of_balanced_budgets(ratio * scale, scale, p)
    if ratio == 1:
        assert found == Loss(1 + 2 / o)
    assert limit_of_balanced_budgets(1, 2, HALF) is None  # at the threshold itself


def test_the_order_of_the_rows_does_not_matter_and_smaller_shares_need_more_steps():
    assert balanced_budget(60_000, 61_000, HALF) == balanced_budget(61_000, 60_000, HALF)
    assert _steps(10, Fraction(1, 10**60)) > _steps(10, Fraction(1, 10**50))


@pytest.mark.parametrize(
    ("rows", "p"),
    [
        *(((1_000, 1_000_000), "1/20"), ((2, 2), "1/2"), ((100, 100), "1/2")),  # too unequal, or too small
        *(((3, 264_328), "1/100"), ((3, 10**12), "1/2"), ((10**6, 10**6), "1/100000000000")),  # tiny shares end too
        ((10**10, 10**10), "1/1000000"),
    ],
)
def test_rows_without_a_certificate_have_no_budget(rows, p):
    assert balanced_budget(*rows, Fraction(p)) is None


RATE = "swap_rate must be between 0 and 1, exclusive"


@pytest.mark.parametrize("budget", [balanced_budget, limit_of_balanced_budgets])
@pytest.mark.parametrize(("p", "message"), [(0, RATE), (1, RATE), (0.5, "swap_rate must be an exact number")])
def test_swap_rates_without_a_finite_or_exact_budget_are_refused(budget, p, message):
    with pytest.raises(InputError, match=message):
        budget(10, 10, p)


@pytest.mark.parametrize(
    ("budget", "totals", "message"),
    [
        (balanced_budget, (1, 10), "first must be at least 2; got 1"),
        (balanced_budget, (10, 1), "second must be at least 2; got 1"),
        (limit_of_balanced_budgets, (10, 0), "second must be positive; got 0"),
    ],
)
def test_totals_that_are_too_small_are_refused(budget, totals, message):
    with pytest.raises(InputError, match=message):
        budget(*totals, HALF)


def is_near(a, b, few, chains):
    return a >= 1 and chains.o * (few - a - chains.span) * chains.growth >= (chains.growth + 1) * (
        a + chains.span + b + chains.spare
    )


def is_far(a, b, few, many, chains):
    a, b = a + chains.span, b - chains.span
    return a > chains.span and a <= b and (few - a) * chains.growth >= (chains.growth + 1) * (many - b + 1)


@given(
    st.integers(20, 90), st.integers(20, 90), st.integers(1, 9), st.integers(0, 3), st.sampled_from(["1/2", 1, 3, 9])
)
def test_the_other_points_are_balanced(m1, m2, growth, span, o):
    """Step 4, for a ≤ b; and a₀ is the largest such number but for a few, where no chain has a step."""
    chains = _Chains(Fraction(o), growth, span, 5)
    least = chains.least_moved(m1, m2)
    if least < 3:
        return
    ratio = chains.ratio(m1, m2, least)
    for a in range(1, m1 + 1):
        for b in range(a, m2 + 1):
            if not is_near(a, b, m1, chains) and not is_far(a, b, m1, m2, chains):
                assert a >= least
                assert b <= ratio * a
