"""Budgets decided for all swap rates at once: the engine and its certificates."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms.swapping.permutation_counts import likelihood
from stirred.spec.arguments import InputError
from stirred.spec.blocks.tables import contingency_tables
from stirred.spec.budgets.loss import Loss
from stirred.spec.flavors.permutation_swapping import odds, psa_budget
from stirred.verify.engines.sign_certificate import SignCertificate, evaluate_polynomial
from stirred.verify.engines.sign_decision import decide_nonnegative
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.claims.psa_exact.every_rate import balanced, universes
from stirred.verify.ledger.engines import polynomials
from stirred.verify.ledger.engines.polynomials import (
    Branch,
    SwapRatio,
    UnseparatedError,
    decide_ratio,
    likelihood_polynomial,
    printed_budget,
    universe_ratios,
)

P = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))


def test_likelihood_polynomials_are_proportional_to_the_likelihoods():
    tables = contingency_tables((3, 2), (2, 2, 1))
    for p in P:
        polynomials = {pair: likelihood_polynomial(*pair) for pair in product(tables, repeat=2)}
        assert len({likelihood(*pair, p) / evaluate_polynomial(one, odds(p)) for pair, one in polynomials.items()}) == 1


def test_the_ratios_of_a_universe_attain_its_exact_loss_at_every_rate():
    for rows, columns in (((2, 2), (2, 1, 1)), ((2, 1, 1), (2, 1, 1)), ((4, 3), (5, 2))):
        ratios = list(universe_ratios(rows, columns))
        for p in P:
            values = [(ratio.at(odds(p)), ratio.distance) for ratio in ratios]
            worst = max(Loss(value, distance) for value, distance in values if value >= 1)
            assert worst == universe_loss(rows, columns, p)


def test_the_printed_budget_holds_for_all_rates_in_small_universes():
    for rows, columns in universes(2, 6):
        for ratio in universe_ratios(rows, columns):
            assert isinstance(decide_ratio(ratio, printed_budget(sum(rows))), tuple)


@pytest.mark.nightly
def test_the_closed_form_of_balanced_universes_is_their_loss_up_to_forty_records():
    assert balanced(Fraction(1), last=40).verdict is Verdict.EXHAUSTED


@pytest.mark.parametrize("constant", [1, 2, 3, 4])
def test_z3_agrees_on_the_smallest_universes(constant):
    """e^ε = max{c/o, o}: the solver finds odds that violate it exactly where the sign decision does."""
    for rows, columns in (((1, 1), (1, 1)), ((2, 1), (2, 1)), ((1, 1, 1), (2, 1)), ((1, 1, 1), (1, 1, 1))):
        for ratio in universe_ratios(rows, columns):
            o = z3.Real("o")
            high, low = (sum(c * o**k for k, c in enumerate(side)) for side in (ratio.high, ratio.low))
            solver = z3.Solver()
            solver.add(o > 0, high * o**ratio.distance > constant**ratio.distance * low)
            solver.add(high > o**ratio.distance * low)
            found = decide_ratio(ratio, (Branch((constant,), (0, 1)), Branch((0, 1), (1,))))
            assert (solver.check() == z3.sat) == isinstance(found, Fraction)


UNIT = (Branch((1,), (1,)),)
"""e^ε = 1."""


def test_a_violated_budget_is_refuted_at_exact_odds_up_to_the_largest():
    ratio = next(r for r in universe_ratios((1, 1), (1, 1)) if r.high == (0, 0, 1))
    assert ratio.at(decide_ratio(ratio, UNIT)) > 1
    assert isinstance(decide_ratio(ratio, UNIT, largest_odds=Fraction(1)), tuple)
    assert 1 < decide_ratio(ratio, UNIT, largest_odds=Fraction(2)) <= 2


def cover_the_half_line(certificates):
    starts, ends = zip(*(certificate.covers for certificate in certificates), strict=True)
    return (starts[0], ends[-1]) == (0, None) and starts[1:] == ends[:-1]


def test_certificates_of_all_odds_cover_the_half_line():
    for ratio in universe_ratios((2, 2, 1), (2, 2, 1)):
        assert cover_the_half_line(decide_ratio(ratio, printed_budget(5)))


def value(branch, o):
    return evaluate_polynomial(branch.numerator, o) / evaluate_polynomial(branch.denominator, o)


def ratio_of(high, low, distance):
    return SwapRatio(high, low, distance, ((), (), ()))


POSITIVE = st.lists(st.integers(0, 4), min_size=1, max_size=3).map(lambda more: (1, *more[:-1], more[-1] + 1))
"""Polynomials that are positive for o > 0, of degree at least 1."""


@given(
    POSITIVE,
    POSITIVE,
    st.integers(1, 4),
    st.lists(st.builds(Branch, POSITIVE, POSITIVE, st.integers(1, 3)), min_size=2, max_size=2),
)
def test_a_decision_agrees_with_the_exact_comparison_at_single_odds(high, low, distance, budget):
    """A branch bounds the ratio where ratio^root ≤ (numerator/denominator)^Δ: one does at every o, or none at one o."""
    ratio = ratio_of(high, low, distance)

    def is_bounded(o):
        return any(ratio.at(o) ** branch.root <= value(branch, o) ** distance for branch in budget)

    try:
        found = decide_ratio(ratio, tuple(budget))
    except UnseparatedError:
        return
    if isinstance(found, Fraction):
        assert not is_bounded(found)
    else:
        assert all(is_bounded(Fraction(n, 8)) for n in (1, 2, 3, 5, 7, 8, 9, 11, 16, 24, 40, 100, 1000))


@pytest.mark.parametrize(
    ("branches", "holds"),
    [
        ((((3,), (1,), 2), ((3,), (1,), 2)), False),  # √3
        ((((4,), (1,), 2), ((3,), (1,), 2)), True),
        ((((3,), (2,), 1), ((3,), (1,), 2)), False),  # 3/2 and √3
        ((((3,), (1,), 2), ((3,), (2,), 1)), False),
        ((((3,), (1,), 2), ((2,), (1,), 1)), True),
        ((((7,), (1,), 3), ((7,), (1,), 3)), False),
        ((((8,), (1,), 3), ((7,), (1,), 3)), True),
    ],
)
def test_a_branch_is_taken_by_its_own_root(branches, holds):
    """The ratio is 2 at every o."""
    ratio = ratio_of((2,), (1,), 1)
    found = decide_ratio(ratio, tuple(Branch(*branch) for branch in branches))
    assert isinstance(found, Fraction) != holds


@pytest.mark.parametrize("distance", [1, 2, 3])
@pytest.mark.parametrize("root", [1, 2])
def test_constant_branches_bound_constant_ratios_by_their_powers(distance, root):
    for high, low, a, b, c, d in product((1, 3), (1, 2), (2, 3), (1, 2), (1, 4), (1, 3)):
        ratio = ratio_of((high,), (low,), distance)
        found = decide_ratio(ratio, (Branch((a,), (b,), root), Branch((c,), (d,), root)))
        holds = Fraction(high, low) ** root <= max(Fraction(a, b), Fraction(c, d)) ** distance
        assert isinstance(found, tuple) == holds


@pytest.mark.parametrize(
    "end", [Fraction(2, 5), Fraction(1, 2), Fraction(33, 64), Fraction(3, 5), Fraction(1), Fraction(9)]
)
def test_odds_between_the_branches_are_found_however_few(end):
    """3/(1 + o) is at least the ratio 2 up to o = 1/2, and 2·o/end from o = end on."""
    ratio = ratio_of((2,), (1,), 1)
    found = decide_ratio(ratio, (Branch((3,), (1, 1)), Branch((0, 2 * end.denominator), (end.numerator,))))
    assert Fraction(1, 2) < found < end if end > Fraction(1, 2) else cover_the_half_line(found)


def test_a_false_certificate_is_not_passed_on(monkeypatch):
    false = SignCertificate((-1, 1), Fraction(1), (1,), (-1, 1), (Fraction(0), None))
    monkeypatch.setattr(polynomials, "decide_nonnegative", lambda *_: false)
    with pytest.raises(EngineError, match="proves nothing"):
        decide_ratio(next(universe_ratios((1, 1), (1, 1))), UNIT)


def test_the_ratios_of_a_universe_are_listed_once():
    ratios = [(r.high, r.low, r.distance) for r in universe_ratios((2, 2, 1), (2, 2, 1))]
    assert len(set(ratios)) == len(ratios)


def test_branches_that_meet_at_an_irrational_point_only_are_undecided():
    ratio = ratio_of((2, 0, 1, 0, 0), (0, 1), 2)  # (2 + o²)/o ≥ 2·√2, equal at √2
    budget = (Branch((4,), (0, 1), 2), Branch((0, 2), (1,), 2))  # max{4/o, 2·o}: 2·√2 at √2, and more elsewhere
    assert isinstance(decide_ratio(ratio, budget), tuple)  # a mean of the branches decides
    with pytest.raises(UnseparatedError):
        decide_ratio(ratio, (budget[0], budget[1], Branch((1,), (1,), 2)))


@pytest.mark.parametrize(
    ("message", "ask"),
    [
        ("largest_stratum must be at least 2; got 1", lambda: printed_budget(1)),
        ("budget must have at least one branch", lambda: decide_ratio(ratio_of((2,), (1,), 1), ())),
        ("low and high must satisfy", lambda: decide_nonnegative((1,), Fraction(2), Fraction(1))),
    ],
)
def test_what_is_nothing_to_decide_is_refused(message, ask):
    with pytest.raises(InputError, match=message):
        ask()


def test_the_printed_budget_agrees_with_its_value_at_each_rate():
    for b in (2, 7, 50):
        for p in P:
            assert Loss(max(value(branch, odds(p)) for branch in printed_budget(b))) == psa_budget(b, p)


@pytest.mark.parametrize(
    ("polynomial", "low", "high"),
    [
        *(((1, -2, 1), 0, None), ((4, -4, 1), 0, Fraction(5)), ((1, -1, 1), 0, None), ((0, 6, -5, 1), 3, None)),
        *(((-2, 3, -1), 1, Fraction(2)), ((4, 0, -4, 0, 1), 0, None), ((), 0, None), ((0, 4, 0, -4, 0, 1), 0, None)),
    ],
)
def test_nonnegative_polynomials_get_a_certificate_that_checks(polynomial, low, high):
    found = decide_nonnegative(polynomial, Fraction(low), high)
    assert isinstance(found, SignCertificate)
    assert found.covers == (low, high)
    found.check()


@pytest.mark.parametrize(
    ("polynomial", "high"),
    [
        *(((-1, 1), None), ((1, -1), None), ((2, -3, 1), None), ((-4, 8, -5, 1), Fraction(3))),
        *(((0, -1, 2, -1), Fraction(1)), ((99, -200, 101), Fraction(1)), ((-1,), None)),
    ],
)
def test_polynomials_that_turn_negative_get_a_point_where_they_are(polynomial, high):
    found = decide_nonnegative(polynomial, Fraction(0), high)
    assert isinstance(found, Fraction)
    assert found >= 0
    assert high is None or found <= high
    assert evaluate_polynomial(polynomial, found) < 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scale": Fraction(0)}, "scale"),
        ({"square": (1, 1)}, "multiply"),
        ({"rest": (-1,)}, "multiply"),
        ({"cells": (Fraction(0),)}, "at least one cell"),
        ({"cells": (Fraction(1), Fraction(0))}, "in order"),
        ({"cells": (Fraction(0), None, Fraction(1))}, "in order"),
    ],
)
def test_a_damaged_certificate_is_rejected(change, message):
    certificate = decide_nonnegative((1, -2, 1))
    assert isinstance(certificate, SignCertificate)
    certificate.check()
    with pytest.raises(EngineError, match=message):
        replace(certificate, **change).check()


def test_a_certificate_of_a_false_statement_is_rejected():
    for cells in ((Fraction(0), None), (Fraction(0), Fraction(1, 2), Fraction(3, 2), None)):
        with pytest.raises(EngineError, match="proves nothing"):
            SignCertificate((-1, 1), Fraction(1), (1,), (-1, 1), cells).check()
