from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import InputError, Law
from stirred.spec.output_premetrics import Multiplicative, TotalVariation
from stirred.verify.engines.inference.observed_rates import binomial_bounds
from stirred.verify.sampled.confidence import event_ends, looks_shares, lower_end

ERRORS = [Fraction(1, 2), Fraction(1, 20), Fraction(1, 10**6)]
shares = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=40)


def tail(k, n, p):
    return sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))


@pytest.mark.parametrize(("k", "n"), [(1, 1), (1, 7), (3, 10), (10, 10), (40, 60)])
@pytest.mark.parametrize("error", ERRORS)
def test_the_lower_end_is_nearly_the_last_one_whose_exact_tail_is_small_enough(k, n, error):
    low = lower_end(k, n, error)
    assert tail(k, n, low) <= error
    farther = low + (Fraction(k, n) - low) / 1000
    assert tail(k, n, farther) > error or error == Fraction(1, 2)


@pytest.mark.parametrize(("k", "n"), [(3, 1000), (300, 1000), (999, 1000), (4_000, 10_000)])
def test_it_agrees_with_the_sum_of_the_tail(k, n):
    low, other = lower_end(k, n, ERRORS[2]), binomial_bounds(k, n, ERRORS[2])[0]
    assert low <= other + Fraction(1, 2**47)
    assert other - low <= (Fraction(k, n) - other) / 1000


def test_the_ends_of_an_event_fail_no_more_often_than_is_said():
    error, n, p, q = Fraction(1, 5), 9, Fraction(7, 10), Fraction(1, 5)
    wrong = Fraction(0)
    for k in range(n + 1):
        for m in range(n + 1):
            low, high = event_ends(k, n, m, n, error)
            if low > p or high < q:
                wrong += comb(n, k) * p**k * (1 - p) ** (n - k) * comb(n, m) * q**m * (1 - q) ** (n - m)
    assert 0 < wrong <= error


@given(st.tuples(shares, shares, shares, shares).map(sorted))
def test_laws_of_the_ends_are_nearer_to_each_other_than_those_of_the_event(ends):
    q_true, q, p, p_true = ends
    if q == p:
        return
    coin = {end: Law({1: end, 0: 1 - end}) for end in ends}
    for measure in (Multiplicative(), TotalVariation()):
        assert measure.at_most(measure.distance(coin[p], coin[q]), measure.distance(coin[p_true], coin[q_true]))


def test_the_shares_of_looks_add_up_to_the_error():
    for looks in range(1, 8):
        assert sum(looks_shares(Fraction(1, 7), looks)) == Fraction(1, 7)


def test_counts_and_errors_that_are_none_are_refused():
    for counts in (
        (2, 1, ERRORS[0]),
        (0, 0, ERRORS[0]),
        (1, 2, Fraction(1)),
        (1, 10**9, ERRORS[0]),
        (0, 1, Fraction(0)),
    ):
        with pytest.raises(InputError):
            lower_end(*counts)
