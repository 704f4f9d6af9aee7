import math
import operator
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from stirred.mechanisms.draws.unbounded_draw import Draw
from stirred.mechanisms.generators.adapted import AdaptedMechanism
from stirred.mechanisms.generators.float_function import whole_numbers
from stirred.mechanisms.generators.grid_draw import DrawOrders, GeneratorRun, GridDraw
from stirred.mechanisms.generators.math_steps import FollowedFunction
from stirred.mechanisms.generators.numpy_generator import numpy_generator
from stirred.mechanisms.generators.outputs import UNTESTED
from stirred.mechanisms.generators.sized import made_array
from stirred.mechanisms.generators.undrawn import Undrawn
from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.source import UnboundedError
from stirred.spec.arguments import InputError

HALF = Fraction(1, 2)


def adapted(function, *points, generator="numpy", **parameters):
    return AdaptedMechanism(function, parameters, points or (0, 1), generator)


def law(function, point=0, **settings):
    made = adapted(function, **settings)
    return exact_law(lambda data, source: made.program(data)(source), point)


def noisy(count, rng):
    return count + rng.laplace(scale=2.0)


def test_lists_and_arrays_are_tuples_and_floats_their_digits():
    assert law(lambda _, rng: [1, np.array([[1, 2], [3, 4]]), "a"]).keys() == {(1, ((1, 2), (3, 4)), "a")}
    assert law(lambda _, rng: (0.1, np.float64(0.5), -0.0)).keys() == {("float 0.1", "float 0.5", "float -0.0")}
    assert law(lambda _, rng: np.array(2.5)).keys() == {"float 2.5"}
    assert law(lambda _, rng: np.floor(2 * rng.random(2))).keys() == {
        (f"float {a}", f"float {b}") for a in (0.0, 1.0) for b in (0.0, 1.0)
    }


def test_arrays_of_what_is_not_drawn_are_those_of_floats():
    halves = (HALF**2,) * 4
    ceilings = law(lambda _, rng: np.ceil(np.where([True, False], rng.random(2) - 0.5, [1.0, 0.25])))
    assert ceilings.keys() == {("float -0.0", "float 1.0"), ("float 0.0", "float 1.0"), ("float 1.0", "float 1.0")}
    joined = law(lambda _, rng: np.floor(2 * np.concatenate([rng.random(1), rng.random(1)])).astype(int))
    assert tuple(joined.values()) == halves

    single = law(lambda _, rng: (rng.random(1).astype(np.float32) < np.float32(0.1)).sum())
    threshold = single[1] * 2**53
    assert np.float32(float(threshold - 1) / 2**53) < np.float32(0.1) <= np.float32(float(threshold) / 2**53)
    clipped = law(lambda _, rng: np.clip(np.round(4 * rng.random(1)), 1, [2]).astype(int))
    assert dict(clipped) == {(1,): Fraction(3, 8), (2,): Fraction(5, 8)}

    def in_place(_, rng):
        noise = rng.random(2)
        noise *= 2
        noise += [0, 1]
        return (noise < 1.5).sum()

    assert dict(law(in_place)) == {2: Fraction(3, 16), 1: Fraction(5, 8), 0: Fraction(3, 16)}


def test_one_value_of_two_types_is_refused():
    with pytest.raises(InputError, match=r"one type where it has one value; \(1,\) is given as"):
        law(lambda _, rng: [1] if rng.random() < 0.5 else (1,))
    with pytest.raises(InputError, match="must not begin with 'float '"):
        law(lambda _, rng: "float 0.5")
    with pytest.raises(InputError, match=r"undefined \(nan\)"):
        law(lambda _, rng: float("nan"))


def test_scalars_of_numpy_are_the_values_that_they_equal():
    made = adapted(lambda _, rng: (np.int64(1), 0.5) if rng.random() < 0.5 else (1, np.float64(0.5)))
    assert exact_law(lambda data, source: made.program(data)(source), 0).keys() == {(1, "float 0.5")}
    assert made.told == ["numpy", "floats", "scalars"]
    assert {type(value) for value in law(lambda _, rng: np.bool_(True))} == {bool}


def test_a_continuous_output_is_looked_at_where_it_is_one_of_a_few_floats():
    made = adapted(noisy)
    found = [exact_law(lambda data, source: made.program(data)(source), point) for point in (0, 1)]
    assert "floats" in made.told
    for one, other, point in ((0, 1, 0), (1, 0, 1)):
        alone = found[one].keys() - found[other].keys()
        assert alone
        assert UNTESTED not in alone
        for text in alone:
            mass = found[one][text] * (2**53 - 1)
            value = float(text.removeprefix("float "))
            near = [k for k in range(1, 5000) if point + 2.0 * np.log(2 * k / 2**53) == value]
            assert mass >= 1
            assert mass == mass.numerator
            assert len(near) in (0, mass)


def test_of_several_continuous_outputs_one_is_looked_at():
    found = law(lambda count, rng: tuple(count + rng.laplace(size=2)))
    assert {second for _, second in found} == {UNTESTED}
    assert len(found) > 1


def test_the_law_of_a_falling_output_is_that_of_a_rising_one():
    rising, falling = law(lambda _, rng: rng.uniform(0, 1)), law(lambda _, rng: -rng.uniform(0, 1))
    assert rising[UNTESTED] == falling[UNTESTED] < 1


def test_a_refusal_that_code_catches_is_raised_all_the_same():
    def catching(data, rng):
        try:
            return float(rng.random())
        except ValueError:
            return 0

    with pytest.raises(InputError, match="digits of an undrawn"):
        law(catching)


def python_log(data, rng):
    return round(FollowedFunction("log", math.log)(rng.random()))


def catching_log(data, rng):
    try:
        return FollowedFunction("log", math.log)(rng.random()) < -1
    except ValueError:
        return "caught"


def test_what_the_code_raises_at_one_draw_is_an_outcome():
    raised = law(python_log, generator="random")
    assert raised["raises ValueError: math domain error"] == Fraction(1, 2**53)
    assert sum(raised.values()) == 1
    infinite = law(lambda _, rng: int(np.round(np.log(rng.random()))))
    assert infinite["raises OverflowError: cannot convert float infinity to integer"] == Fraction(1, 2**53)
    assert law(catching_log, generator="random")["caught"] == Fraction(1, 2**53)
    roots = law(lambda _, rng: FollowedFunction("sqrt", math.sqrt)(rng.random() - 0.5) < 0.5, generator="random")
    assert roots["raises ValueError: math domain error"] == HALF
    with pytest.raises(InputError, match="must not begin with 'float ' or 'raises '"):
        law(lambda _, rng: "raises nothing")


def test_other_errors_of_the_code_are_outcomes_and_mistakes_are_errors():
    assert dict(law(lambda _, rng: 1 // int(rng.random() < 0))) == {
        "raises ZeroDivisionError: integer division or modulo by zero": 1
    }
    with pytest.raises(NameError):
        law(lambda _, rng: undefined + rng.integers(2))  # noqa: F821 the mistake


def test_fractions_are_given_as_floats_to_code_of_floats_alone():
    def seen(data, rng, *, p):
        return type(p).__name__

    assert law(seen, p=HALF).keys() == {"float"}
    assert law(seen, p=HALF, generator="source").keys() == {"Fraction"}
    assert adapted(seen, p=HALF).told == ["numpy"]
    assert adapted(seen, p=Fraction(1, 3)).told == ["numpy", "rounded"]
    assert law(seen, p=3).keys() == {"int"}


def test_documented_laws_are_told():
    made = adapted(lambda _, rng: rng.binomial(2, 0.5))
    exact_law(lambda data, source: made.program(data)(source), 0)
    assert made.told == ["numpy", "binomial"]


def test_a_generator_is_given_by_its_name():
    def by_name(data, epsilon, *, rng: np.random.Generator):
        return rng.random() < epsilon

    assert law(by_name, generator=None, epsilon=HALF)[True] == HALF


def test_unbounded_noise_is_released_as_it_is():
    outputs = []

    def program(count, rng):
        outputs.append(count + rng.geometric(0.5) - rng.geometric(0.5))
        return len(outputs)

    law(program)
    assert isinstance(outputs[0], Draw)
    shift, noise = outputs[0].released()
    assert (shift, noise.ratio, noise.is_two_sided) == (0, HALF, True)


def test_a_loop_without_end_is_not_followed_for_ever():
    def waiting(data, rng):
        while rng.random() < 0.5:
            pass
        return data

    with pytest.raises(UnboundedError):
        law(waiting)


PROGRAMS = {
    "smaller": lambda u: u[0] < u[1],
    "not larger": lambda u: (u[0] <= u[1], u[2] >= u[1]),
    "equal": lambda u: u[0] == u[2],
    "sorted": lambda u: tuple(sorted(range(3), key=lambda place: u[place])),
    "sorted by NumPy": lambda u: tuple(int(place) for place in np.argsort(made_array(u), kind="stable")),
    "largest": lambda u: int(np.argmax(made_array(u))),
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
