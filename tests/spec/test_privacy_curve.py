"""Privacy curves: at every γ the hockey-stick divergence, by an exact hull of trade-off vertices."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from spec import InputError, hockey_stick
from spec.enclosure import exponential
from spec.output_premetrics import tradeoff_curve
from spec.privacy_curve import DeltaPiece, PrivacyCurve

gammas = st.fractions(1, 20, max_denominator=30)


def curve_of(p, q):
    return PrivacyCurve.of((*tradeoff_curve(p, q), *tradeoff_curve(q, p)))


def needed(p, q, gamma):
    return max(hockey_stick(p, q, gamma), hockey_stick(q, p, gamma))


@given(laws(), laws(), gammas)
def test_the_curve_is_the_hockey_stick_divergence(p, q, gamma):
    assert curve_of(p, q).delta(gamma) == needed(p, q, gamma)


@given(laws(), laws(), laws(), gammas)
def test_vertices_of_many_pairs_give_the_largest(p, q, r, gamma):
    joined = PrivacyCurve.of((*curve_of(p, q).vertices, *curve_of(q, r).vertices))
    assert joined.delta(gamma) == max(needed(p, q, gamma), needed(q, r, gamma))


@given(laws(), laws(), gammas)
def test_the_pieces_are_the_curve(p, q, gamma):
    curve = curve_of(p, q)
    pieces = curve.pieces()
    assert pieces[0].low == 1
    assert pieces[-1].high is None
    assert [piece.high for piece in pieces[:-1]] == [piece.low for piece in pieces[1:]]
    (piece, *_) = [one for one in pieces if one.low <= gamma and (one.high is None or gamma <= one.high)]
    assert piece.power - gamma * piece.level == curve.delta(gamma)


@given(laws(), laws(), st.fractions(0, 4, max_denominator=20))
def test_an_irrational_gamma_is_enclosed(p, q, epsilon):
    found, gamma = curve_of(p, q).delta_at(epsilon, digits=30), exponential(epsilon, digits=60)
    assert found.lower <= needed(p, q, gamma.lower)
    assert needed(p, q, gamma.upper) <= found.upper
    assert found.upper - found.lower < Fraction(1, 10**25)


def test_a_gamma_below_1_is_refused():
    with pytest.raises(InputError, match="gamma must be at least 1"):
        PrivacyCurve.of([]).delta(Fraction(1, 2))


def test_pieces_in_words():
    curve = PrivacyCurve.of([(Fraction(1, 3), Fraction(2, 3)), (Fraction(0), Fraction(1, 10))])
    assert [piece.text() for piece in curve.pieces()] == [
        "delta = (2 - e^epsilon)/3 for 1 <= e^epsilon <= 17/10",
        "delta = 1/10 for e^epsilon >= 17/10",
    ]
    assert DeltaPiece(Fraction(1), None, Fraction(0), Fraction(0)).text("g") == "delta = 0 for g >= 1"
    assert DeltaPiece(Fraction(1), Fraction(2), Fraction(2), Fraction(4)).text("g") == "delta = 4 - 2*g for 1 <= g <= 2"
