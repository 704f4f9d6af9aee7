"""Shares of a discrete Gaussian: enclosed by sums over ℤ, named by texts, and refused where they are no whole."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import InputError
from stirred.spec.ball import dyadic, precision
from stirred.spec.discrete_gaussian import point_probability, upper_tail
from stirred.spec.gaussian_share import GaussianShare, check_partition

SCALES = st.sampled_from([Fraction(1, 4), Fraction(1), Fraction(9, 2), Fraction(40)])
ends = st.none() | st.integers(-6, 6)


def ordered(low, high):
    return (low, high) if low is None or high is None or low <= high else (high, low)


def enclosed(share, bits=256):
    with precision(bits):
        ball = share.ball()
        return dyadic(ball.lower()), dyadic(ball.upper())


@given(SCALES, ends, ends)
def test_a_share_of_all_integers_is_a_difference_of_tails(scale, first, second):
    low, high = ordered(first, second)
    below = upper_tail(scale, low, digits=40) if low is not None else None
    above = upper_tail(scale, high + 1, digits=40) if high is not None else None
    least, most = enclosed(GaussianShare(scale, low, high))
    from_tails = (Fraction(1) if below is None else below.lower) - (Fraction(0) if above is None else above.upper)
    assert abs(least - from_tails) < Fraction(1, 10**38)
    assert most - least < Fraction(1, 2**200)


def test_a_share_of_a_part_is_conditional():
    ratio = point_probability(4, 2, digits=40).lower / sum(point_probability(4, x, digits=40).lower for x in (1, 2, 3))
    least, most = enclosed(GaussianShare(Fraction(4), 2, 2, 1, 3))
    assert least - Fraction(1, 10**35) < ratio < most + Fraction(1, 10**35)


@pytest.mark.parametrize("place", [40, -40, 400])
def test_a_share_far_out_keeps_its_relative_precision(place):
    least, most = enclosed(GaussianShare(Fraction(1), place, place))
    assert 0 < least <= most < least * (1 + Fraction(1, 2**200))


@given(SCALES, ends, ends, ends, ends)
def test_texts_are_read_back(scale, a, b, c, d):
    least, greatest = ordered(a, b)
    low, high = ordered(c, d)
    try:
        share = GaussianShare(scale, low, high, least, greatest)
    except InputError:
        is_outside = (least is not None and (low is None or low < least)) or (
            greatest is not None and (high is None or high > greatest)
        )
        assert is_outside
    else:
        assert GaussianShare.read(share.text()) == share


@pytest.mark.parametrize("text", ["gaussian 0: .. of ..", "gaussian 1/0: .. of ..", "gaussian 4: 3..2 of .."])
def test_texts_of_no_share_are_refused(text):
    with pytest.raises(InputError):
        GaussianShare.read(text)


def test_other_texts_are_no_shares():
    assert GaussianShare.read("1/2") is None


FOUR = Fraction(4)


@pytest.mark.parametrize(
    "shares",
    [
        [GaussianShare(FOUR, None, 0), GaussianShare(FOUR, 2, None)],
        [GaussianShare(FOUR, None, 0), GaussianShare(FOUR, 0, None)],
        [GaussianShare(FOUR, None, 0), GaussianShare(Fraction(5), 1, None)],
        [GaussianShare(FOUR, None, 0), GaussianShare(FOUR, 1, 7)],
        [GaussianShare(FOUR, -5, 0), GaussianShare(FOUR, 1, None)],
        [GaussianShare(FOUR, None, 0), GaussianShare(FOUR, None, None)],
    ],
)
def test_shares_that_are_not_one_whole_are_refused(shares):
    with pytest.raises(InputError, match="sum to exactly 1"):
        check_partition(shares)


def test_shares_of_one_whole_are_weights():
    check_partition([GaussianShare(FOUR, None, 0), GaussianShare(FOUR, 1, 1), GaussianShare(FOUR, 2, None)])
