from __future__ import annotations

import operator
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from stirred.mechanisms.exact_law import exact_law
from stirred.mechanisms.generators.float_function import whole_numbers
from stirred.mechanisms.generators.grid_draw import DrawOrders, GeneratorRun, GridDraw
from stirred.mechanisms.generators.numpy_generator import numpy_generator
from stirred.mechanisms.generators.undrawn import Undrawn
from stirred.spec.arguments import InputError

PROGRAMS = {
    "smaller": lambda u: u[0] < u[1],
    "not larger": lambda u: (u[0] <= u[1], u[2] >= u[1]),
    "equal": lambda u: u[0] == u[2],
    "sorted": lambda u: tuple(sorted(range(3), key=lambda place: u[place])),
    "sorted by NumPy": lambda u: tuple(int(place) for place in np.argsort(np.array(u, dtype=object), kind="stable")),
    "largest": lambda u: int(np.argmax(np.array(u, dtype=object))),
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("size", [2, 5])
def test_a_law_of_compared_draws_is_that_of_all_values(program, size):
    counts = Counter(program([k / size for k in values]) for values in product(range(size), repeat=3))

    def drawn(_, source):
        run = GeneratorRun(source)
        return program([Undrawn(GridDraw(run, 0, size - 1), whole_numbers(float, 1 / size)) for _ in range(3)])

    assert dict(exact_law(drawn, None)) == {value: Fraction(count, size**3) for value, count in counts.items()}


def test_weak_orders_are_counted():
    orders = DrawOrders(7)
    places = [orders.place(name) for name in "abcdef"]
    assert places == list(range(6))
    assert orders.place("g") is None
    share, answered = orders.split(0, 1, operator.lt)
    assert share == Fraction(21, 49)
    answered(True)
    assert orders.split(0, 1, operator.lt)[0] == 1


def test_random_keys_of_numpy_shuffle_but_for_ties():
    law = exact_law(lambda _, source: tuple(np.argsort(numpy_generator(GeneratorRun(source)).random(3)).tolist()), None)
    assert len(law) == 6
    assert all(abs(mass - Fraction(1, 6)) < Fraction(1, 2**50) for mass in law.values())
    assert law[0, 1, 2] > Fraction(1, 6)


def transformed(rng):
    return rng.laplace() < rng.laplace()


def asked_again(rng):
    first, second = rng.random(2)
    return first < second and first < 0.5


def of_two_ranges(rng):
    first, second = rng.random(2)
    return first < 0.5 and first < second


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (transformed, "two draws are combined"),
        (asked_again, "compared with another draw is asked for more"),
        (of_two_ranges, "draws of one range alone, and at most 6"),
        (lambda rng: sorted(rng.random(7).tolist()), "at most 6"),
    ],
)
def test_what_is_more_than_an_order_is_refused(program, said):
    with pytest.raises(InputError, match=said):
        exact_law(lambda _, source: program(numpy_generator(GeneratorRun(source))), None)
