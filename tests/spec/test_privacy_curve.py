"""Privacy curves: at every γ the hockey-stick divergence, by an exact hull of trade-off vertices."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws

from stirred.spec import Enclosure, InputError, hockey_stick
from stirred.spec.enclosure import exponential
from stirred.spec.output_premetrics import tradeoff_curve
from stirred.spec.privacy_curve import DeltaPiece, PrivacyCurve

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


points = st.tuples(st.fractions(0, 1, max_denominator=6), st.fractions(0, 1, max_denominator=6))


@given(st.lists(points, max_size=8), gammas)
def test_any_points_give_the_largest_of_their_lines_by_as_few_vertices_as_possible(given_points, gamma):
    curve = PrivacyCurve.of(given_points)
    assert curve.delta(gamma) == max(power - gamma * level for level, power in [(0, 0), *given_points])
    assert set(curve.vertices) <= {(0, 0), *given_points}
    assert curve.vertices[0][0] == 0
    for piece in curve.pieces():  # each vertex is the largest alone somewhere
        between = piece.low + 1 if piece.high is None else (piece.low + piece.high) / 2
        assert piece.high is None or piece.low < piece.high
        lines = [power - between * level for level, power in curve.vertices]
        assert lines.count(max(lines)) == 1
        assert max(lines) == piece.power - between * piece.level


@pytest.mark.parametrize(
    ("given_points", "kept"),
    [
        (["1/10 2/5", "1/5 4/5"], ["0 0", "1/5 4/5"]),  # on a line
        (["1/10 3/10", "1/5 9/10"], ["0 0", "1/5 9/10"]),  # below it
        (["1/10 1/2", "1/5 4/5", "3/10 1"], ["0 0", "1/10 1/2", "1/5 4/5", "3/10 1"]),
        (["1/10 1/2", "1/5 29/40", "3/10 1"], ["0 0", "1/10 1/2", "3/10 1"]),  # slopes 9/4 and 11/4
        (["1/10 1/2", "1/5 31/40", "3/10 1"], ["0 0", "1/10 1/2", "1/5 31/40", "3/10 1"]),  # 11/4 and 9/4
        (["0 1/10", "1/10 1/2", "2/5 19/20"], ["0 1/10", "1/10 1/2", "2/5 19/20"]),
        (["1/5 4/5", "1/5 1/2"], ["0 0", "1/5 4/5"]),
        (["1/2 1/2", "1 1"], ["0 0"]),  # slopes of 1 and less are no gamma
    ],
)
def test_the_vertices_are_those_of_the_hull(given_points, kept):
    read = [tuple(map(Fraction, point.split())) for point in given_points]
    assert PrivacyCurve.of(read).vertices == tuple(tuple(map(Fraction, point.split())) for point in kept)


def test_an_enclosed_gamma_may_reach_below_1():
    curve = PrivacyCurve.of([(Fraction(1, 4), Fraction(3, 4))])
    found = curve.delta_between(Enclosure(Fraction(1, 2), Fraction(2)))
    assert (found.lower, found.upper) == (Fraction(1, 4), Fraction(1, 2))


def test_no_points_need_nothing():
    assert PrivacyCurve.of([]).delta(1) == 0


def test_the_curve_as_latex():
    curve = PrivacyCurve.of([(Fraction(1, 3), Fraction(2, 3)), (Fraction(0), Fraction(1, 10))])
    assert curve.latex() == (
        r"\delta(\gamma) = \begin{cases} \frac{2 - \gamma}{3} & 1 \le \gamma \le \frac{17}{10} \\ "
        r"\frac{1}{10} & \gamma \ge \frac{17}{10} \end{cases}"
    )


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
