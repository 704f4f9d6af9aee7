"""Densities in pieces: texts that are read again, values."""

import math
from fractions import Fraction

import pytest

from stirred.spec.arguments import InputError
from stirred.spec.laws.piecewise_density import PiecewiseDensity
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient

HALF = Fraction(1, 2)
E = ExponentialQuotient.exponential(Fraction(1))
LAPLACE = PiecewiseDensity((Fraction(0),), ({(0, Fraction(1)): HALF}, {(0, Fraction(-1)): HALF}))
GAP = PiecewiseDensity(
    (Fraction(-1), HALF), ({}, {(0, Fraction(0)): HALF / (1 + E), (2, HALF): E - 1}, {(1, Fraction(-3)): Fraction(2)})
)


@pytest.mark.parametrize("density", [LAPLACE, GAP])
def test_a_text_is_read_as_the_density_that_wrote_it(density):
    text = density.text()
    assert text.startswith("density('")
    assert text.endswith("')")
    assert PiecewiseDensity.read(text[9:-2]) == density


def test_a_value_at_a_cut_is_that_from_the_right():
    assert abs(GAP.at(HALF) - math.exp(-3 / 2)) < 1e-12
    assert abs(GAP.at(Fraction(0)) - 0.5 / (1 + math.e)) < 1e-12
    assert GAP.at(Fraction(-2)) == 0


@pytest.mark.parametrize("text", ["0 1", "x 0 1", "0 1 1; 0", "0 1 1; 0: 0 1 1/0", "0 1 1; 1: ; 0: ", "0 0 e()/()"])
def test_another_text_is_refused(text):
    with pytest.raises(InputError):
        PiecewiseDensity.read(text)
