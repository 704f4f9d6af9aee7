from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from stirred.spec.arguments import InputError
from stirred.spec.output_premetrics import Multiplicative
from stirred.spec.rational_function import SYMBOL
from stirred.verify.engines.noise_ends import laws_of_ends
from stirred.verify.engines.released_noise import Noise, NoisyOutput, pure_need, read_released

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def released(noises, rows):
    return {row: NoisyOutput("noisy", noises, row) for row in rows}


@pytest.mark.parametrize(
    "noises",
    [
        (Noise("discrete_laplace", HALF),),
        (Noise("discrete_laplace", THIRD), Noise("discrete_laplace", HALF)),
        (Noise("discrete_geometric", HALF),),
        (Noise("discrete_laplace", HALF), Noise("discrete_reflected_geometric", THIRD)),
    ],
    ids=lambda noises: "-".join(map(str, noises)),
)
def test_the_ends_need_what_the_noise_needs(noises):
    rows = list(product((-1, 0, 3), repeat=len(noises)))
    laws = laws_of_ends(released(noises, rows), "here")
    for x, y in product(rows, repeat=2):
        shifts = [a - b for a, b in zip(x, y, strict=True)]
        assert Multiplicative().distance(laws[x], laws[y]) == pure_need(noises, shifts)


@pytest.mark.parametrize("kind", ["discrete_laplace", "discrete_geometric", "discrete_reflected_geometric"])
def test_a_function_is_the_number_at_each_value(kind):
    rows = [(0,), (2,)]
    opened = laws_of_ends(released((Noise(kind, Fraction(0), SYMBOL),), rows), "here")
    numeric = laws_of_ends(released((Noise(kind, THIRD),), rows), "here")
    assert all(opened[row].at(THIRD) == numeric[row] for row in rows)


def test_noise_with_an_open_ratio_is_read_from_its_text():
    found = read_released("(3 + discrete_laplace(((0, 1), (1,))), 1)")
    assert found.integers == (3,)
    assert found.noises[0].ratio == SYMBOL
    assert read_released("2 + discrete_geometric(1/2)").noises[0].is_one_sided
    for text in ("2 + discrete_laplace((1, 2))", "2 + discrete_laplace(((1,), (0,)))", "2 + discrete_laplace((1,))"):
        with pytest.raises(InputError, match="must be written as an integer plus its noise"):
            read_released(text)


def test_gaussian_noise_and_many_integers_are_refused():
    for noises in ((Noise("discrete_gaussian", HALF),), (Noise("discrete_laplace", HALF),) * 11):
        with pytest.raises(InputError, match="a parameter is left open"):
            laws_of_ends(released(noises, [(0,) * len(noises)]), "here")
