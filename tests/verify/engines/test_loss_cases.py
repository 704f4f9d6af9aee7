"""Losses by cases: the expression of sympy and the picture are the function itself."""

from fractions import Fraction

import pytest
import sympy as sp

import stirred
from stirred.spec import SYMBOL, FiniteDomain, Flavor, InputError, Law, Loss, Multiplicative, vacuous
from stirred.spec.input_premetric import InputPremetric
from stirred.verify.engines.loss_cases import loss_picture
from stirred.verify.engines.loss_function import loss_function
from stirred.verify.engines.loss_piece import LossPiece
from stirred.verify.engines.split_loss import SplitLossFunction, loss_at_value

P = sp.Symbol("p", positive=True)
PLACES = [Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(9, 10)]


def response(distance=1, **ends):
    """Randomized response: ln((1-p)/p) below 1/2, its negative above."""
    domain = FiniteDomain((0, 1))
    laws = {x: Law({x: 1 - SYMBOL, 1 - x: SYMBOL}) for x in domain}
    premetric = InputPremetric("d", "person", lambda x, y: distance * abs(x - y))
    return loss_function(laws, Flavor(domain, vacuous(domain), premetric, Multiplicative()), **ends)


@pytest.mark.parametrize("distance", [1, 2, 3])
@pytest.mark.parametrize("place", PLACES)
def test_the_expression_has_the_value_of_the_function(distance, place):
    found = response(distance)
    value = found.to_sympy().subs(P, sp.Rational(*place.as_integer_ratio()))
    assert sp.simplify(value - found.at(place).to_sympy()) == 0


def test_outside_of_its_interval_the_expression_has_no_value():
    found = response(low=Fraction(1, 4), high=Fraction(1, 3)).to_sympy()
    assert found.subs(P, sp.Rational(1, 4)) is sp.nan
    assert found.subs(P, sp.Rational(2, 7)) == sp.log(sp.Rational(5, 2))
    closed = response(low=Fraction(1, 4), high=Fraction(1, 3), is_closed=True).to_sympy()
    assert closed.subs(P, sp.Rational(1, 4)) == sp.log(3)


def test_single_values_of_a_split_function_are_cases():
    parts = (response(low=0, high=Fraction(1, 4)), loss_at_value("p", Fraction(1, 4), Loss(7)))
    found = SplitLossFunction(parts).to_sympy()
    assert found.subs(P, sp.Rational(1, 4)) == sp.log(7)
    assert found.subs(P, sp.Rational(1, 5)) == sp.log(4)


def test_the_picture_has_the_points_of_the_function():
    picture = response().plot()
    assert picture._repr_svg_().startswith("<?xml")
    assert "<title" in picture.svg
    assert repr(picture) == "<Picture: the smallest budget ε>"


@pytest.mark.parametrize("place", PLACES)
def test_a_piece_has_its_value_at_a_point(place):
    found = response(2)
    piece = next(one for one in found.pieces if one.low.rational <= place <= one.high.rational)
    assert isinstance(piece, LossPiece)
    assert piece.at(place) == found.at(place) == Loss(max((1 - place) / place, place / (1 - place)), 2)


def test_an_infinite_loss_is_not_drawn():
    infinite = loss_at_value("p", Fraction(1, 4), stirred.INFINITE)
    assert infinite.to_sympy().subs(P, sp.Rational(1, 4)) == sp.oo
    with pytest.raises(InputError, match="must be finite somewhere to be drawn"):
        loss_picture("p", (infinite,))
