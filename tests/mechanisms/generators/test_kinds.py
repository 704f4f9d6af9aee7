from __future__ import annotations

import functools
import math
import random
from typing import TYPE_CHECKING, Optional

import numpy as np
import pytest
from refusals import check_refused

from stirred import Source
from stirred.mechanisms.generators.float_function import FloatFunction, first_change, plateaus, whole_numbers
from stirred.mechanisms.generators.kinds import GeneratorPlace, check_generator, generator_place
from stirred.mechanisms.generators.native_mechanism import NativeMechanism
from stirred.spec.arguments import InputError
from stirred.verify.audit.black_box.black_boxes import GeneratorKind, generator_kind

if TYPE_CHECKING:
    import numpy


def by_class(data, rng): ...


def by_text(data, rng: np.random.Generator): ...


def by_missing_text(data, rng: numpy.random.Generator): ...


def by_optional(data, rng: np.random.Generator | None = None): ...


def by_old_optional(data, rng: Optional[random.Random]): ...  # noqa: UP045


def of_python(data, chance: random.Random): ...


def of_system(data, chance: random.SystemRandom): ...


def of_source(data, source: Source): ...


def third(data, epsilon, rng: np.random.Generator): ...


def third_by_name(data, epsilon, rng): ...


def by_keyword(data, *, rng): ...


def by_keyword_and_parameter(data, *, epsilon, generator: np.random.Generator): ...


def second(data, anything): ...


def by_usual_name(data, r): ...


def of_none(data, rng=None): ...


def bounded(data, lower=0, rng=None): ...


def of_bounds(data, lower=0, upper=10): ...


def of_a_number(data, source: int = 3): ...


def annotated_otherwise(data, r: float): ...


def any_number(data, *drawn): ...


def of_bounds_summed(data, lower=0, upper=10):
    return min(max(data, lower), upper)


def alone(data): ...


def legacy(data, rng: np.random.RandomState): ...


by_class.__annotations__["rng"] = np.random.Generator

PLACES = {
    by_class: GeneratorPlace("numpy"),
    by_text: GeneratorPlace("numpy"),
    by_missing_text: GeneratorPlace("numpy"),
    by_optional: GeneratorPlace("numpy"),
    by_old_optional: GeneratorPlace("random"),
    of_python: GeneratorPlace("random"),
    of_system: GeneratorPlace("random"),
    of_source: GeneratorPlace("source"),
    third: GeneratorPlace("numpy", "rng"),
    by_keyword: GeneratorPlace("source", "rng"),
    by_keyword_and_parameter: GeneratorPlace("numpy", "generator"),
    by_usual_name: GeneratorPlace("source"),
    of_none: GeneratorPlace("source", ""),
    bounded: GeneratorPlace("source", ""),
    of_bounds: GeneratorPlace("source", ""),
    of_a_number: GeneratorPlace("source", ""),
    alone: GeneratorPlace("source", ""),
    any_number: GeneratorPlace("source"),
    max: GeneratorPlace("source"),
    functools.partial(by_text): GeneratorPlace("numpy"),
}


@pytest.mark.parametrize(("function", "place"), PLACES.items(), ids=lambda one: getattr(one, "__name__", ""))
def test_the_annotation_says_the_generator_and_where_it_is_taken(function, place):
    assert generator_place(function, ("epsilon",)) == place


def test_what_is_said_beside_it_holds_where_nothing_is_annotated():
    assert generator_place(second, (), "numpy") == GeneratorPlace("numpy")
    assert generator_place(third_by_name, ("epsilon",), "random") == GeneratorPlace("random", "rng")
    assert generator_place(by_keyword, (), "numpy") == GeneratorPlace("numpy", "rng")
    assert generator_place(by_text, (), GeneratorPlace("source")) == GeneratorPlace("source")


def test_a_default_gives_way_to_all_else():
    assert generator_place(by_text, (), None, "random") == GeneratorPlace("numpy")
    assert generator_place(second, (), "numpy", "random") == GeneratorPlace("numpy")
    assert generator_place(second, (), None, "random") == GeneratorPlace("random")
    assert generator_place(max, (), None, "random") == GeneratorPlace("random")


@pytest.mark.parametrize(
    ("function", "name"), [(second, "anything"), (annotated_otherwise, "r"), (third_by_name, "epsilon")]
)
def test_a_parameter_that_is_no_generator_and_has_no_value_is_asked_for(function, name):
    with pytest.raises(InputError, match=f"the parameter '{name}' has no value: give {name}=…; the generator is"):
        generator_place(function, ())


@pytest.mark.parametrize("function", PLACES, ids=lambda one: getattr(one, "__name__", ""))
def test_the_rule_is_one_for_exact_and_sampled_mode(function):
    kind, name = generator_kind(function, {"epsilon": 1})
    place = PLACES[function]
    assert (kind is GeneratorKind.OWN) is (place.name == "" or function is max)
    assert name == (place.name or None)


def test_what_takes_no_generator_is_a_function_of_its_data():
    made = NativeMechanism(of_bounds_summed, {"upper": 2}, generator_place(of_bounds_summed, ("upper",)))
    assert [made.program(point)(None) for point in (0, 5)] == [0, 2]


@pytest.mark.parametrize("given", [None, np.random, random])
def test_a_generator_with_a_default_is_the_functions_own_unless_it_is_said(given):
    def noisy(data, epsilon=0.1, rng=given): ...

    assert generator_place(noisy, ()) == GeneratorPlace("source", "")
    assert generator_place(noisy, (), "numpy") == GeneratorPlace("numpy", "rng")


UNIT = whole_numbers(float, 2.0**-53)
EIGHTHS = whole_numbers(float, 0.125)
LAST = 2**53 - 1


@pytest.mark.parametrize("bound", [0.1, 0.5, 1 / 3, 2.0**-53, 1 - 2.0**-53])
def test_the_threshold_of_a_comparison_is_the_first_k_that_is_not_below(bound):
    asked = FloatFunction.of("<", lambda u, c: u < c, UNIT, bound)
    assert first_change(asked, 0, LAST) == (math.ceil(bound * 2**53), False)


def test_an_answer_that_does_not_change_has_no_threshold():
    assert first_change(FloatFunction.of("<", lambda u, c: u < c, UNIT, 2), 0, LAST) == (None, True)


def test_a_logarithm_changes_where_the_c_library_says():
    asked = FloatFunction.of(">", lambda u: math.log(1 - u) < -1.0, UNIT)
    cut, _ = first_change(asked, 0, LAST)
    assert math.log(1 - cut / 2**53) < -1.0 <= math.log(1 - (cut - 1) / 2**53)


def test_plateaus_are_those_of_brute_force():
    rounded = FloatFunction.of("round", round, EIGHTHS)
    values = [(k, round(k / 8)) for k in range(41)]
    expected = [pair for pair in values if pair[0] == 0 or values[pair[0] - 1][1] != pair[1]]
    assert plateaus(rounded, 0, 40) == tuple(expected)


def test_minus_zero_and_zero_are_two_values():
    signed = FloatFunction.of("signed", lambda x: math.copysign(0.0, x - 1), EIGHTHS)
    assert [str(value) for _, value in plateaus(signed, 0, 16)] == ["-0.0", "0.0"]


def test_more_values_than_can_be_listed_are_none():
    assert plateaus(UNIT, 0, LAST) is None
    assert plateaus(FloatFunction.of("million", lambda u: int(u * 10**6), UNIT), 0, LAST) is None


def test_what_is_not_monotone_is_refused():
    teeth = FloatFunction.of("teeth", lambda x: x * 8 % 3 >= 2, EIGHTHS)
    with pytest.raises(InputError, match="not monotone where it is compared"):
        first_change(teeth, 0, 2 + 3 * 4)
    with pytest.raises(InputError, match="not monotone where it is rounded"):
        plateaus(FloatFunction.of("hill", lambda x: (0, 5, 3)[int(x)], EIGHTHS), 0, 23)


def test_a_value_that_comes_again_beside_its_end_is_refused():
    back = FloatFunction.of("back", lambda x: (0, 0, 1, 0, 1, 1)[int(8 * x)], EIGHTHS)
    with pytest.raises(InputError, match="not monotone where it is rounded"):
        plateaus(back, 0, 5)


def test_functions_of_one_name_and_arguments_are_one():
    made = [FloatFunction.of("+", lambda x, c: x + c, UNIT, c) for c in (1, 1, 1.0, True)]
    assert made[0] == made[1]
    assert len(set(made)) == 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: generator_place(by_text, (), "random"), "generator must be 'numpy', as the annotation"),
        (lambda: generator_place(legacy, ()), "RandomState is not followed"),
        (lambda: check_generator("here", "nunpy"), "did you mean 'numpy'"),
        (lambda: check_generator("here", 3), "here must be 'numpy', 'random' or 'source'; got 3"),
        (
            lambda: first_change(FloatFunction.of("log", lambda u: math.log(u) < -1, UNIT), 0, LAST),
            "k = 0, has the code raise ValueError: math domain error",
        ),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)
