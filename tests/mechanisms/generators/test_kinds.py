from __future__ import annotations

import functools
import random
from typing import TYPE_CHECKING, Optional

import numpy as np
import pytest

from stirred import Source
from stirred.mechanisms.generators.kinds import GeneratorPlace, check_generator, generator_place
from stirred.spec.arguments import InputError

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
    second: GeneratorPlace("source"),
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


def test_contradictions_and_other_generators_are_refused():
    with pytest.raises(InputError, match="generator must be 'numpy', as the annotation"):
        generator_place(by_text, (), "random")
    with pytest.raises(InputError, match="RandomState is not followed"):
        generator_place(legacy, ())
    with pytest.raises(InputError, match="did you mean 'numpy'"):
        check_generator("here", "nunpy")
    with pytest.raises(InputError, match="here must be 'numpy', 'random' or 'source'; got 3"):
        check_generator("here", 3)


def test_a_mechanism_that_takes_nothing_to_draw_from_is_told_what_it_must_take():
    with pytest.raises(InputError, match=r"a mechanism must take .* as def f\(data, rng\)"):
        generator_place(alone, ())
