"""Which generator a mechanism is written against, and which of its parameters it is.

The annotation of the parameter says it (`np.random.Generator`, `random.Random`, `Source`, also as a text), else whoever
names the mechanism, else it is a `Source`.
"""

import functools
import inspect
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError, suggestion

NUMPY, PYTHON, SOURCE, READ, READ_AS_DOUBLES = "numpy", "random", "source", "read", "read as doubles"
MONOTONE = "monotone"
"""Said where a function that is not correctly rounded was taken as monotone."""
NEARBY = "near"
"""Said, with a line, where a probability is that of a double which is only known to lie near what it stands for."""
GENERATORS = (NUMPY, PYTHON, SOURCE)

USUAL = (
    *("rng", "source", "generator", "gen", "prng", "random", "rand", "random_generator", "random_state", "randomness"),
    *("r", "rnd", "src", "chance", "coin", "coins"),
)
"""Names by which a generator is known that is not annotated."""

_PLAIN = (bool, int, float, complex, str, bytes, Fraction, tuple, list, dict)
"""A default of these kinds, or one as annotation, says that a parameter is no generator."""

_TEXTS = {
    **dict.fromkeys(("np.random.Generator", "numpy.random.Generator", "Generator"), NUMPY),
    **dict.fromkeys(("random.Random", "Random"), PYTHON),
    **dict.fromkeys(("Source", "stirred.Source"), SOURCE),
}


@dataclass(frozen=True)
class GeneratorPlace:
    """Where a mechanism takes its generator.

    Attributes:
        kind: "numpy", "random" or "source".
        name: by which it is given; None where it is the second argument, "" where the mechanism takes none.
    """

    kind: str
    name: str | None = None


def check_generator(where: str, generator: object) -> str:
    """The kind of a generator.

    Raises:
        InputError: it is none of "numpy", "random" and "source".
    """
    if not isinstance(generator, str) or generator not in GENERATORS:
        raise InputError(
            f"{where} must be 'numpy', 'random' or 'source'; got {generator!r}; "
            f"{suggestion(str(generator), GENERATORS)}"
        )
    return generator


def generator_place(
    function: Callable[..., Any],
    given: Collection[str],
    generator: str | GeneratorPlace | None = None,
    default: str | None = None,
) -> GeneratorPlace:
    """Where a mechanism takes its generator, and which it is.

    Args:
        function: the mechanism.
        given: the names of its own parameters that are given.
        generator: what is said of this mechanism, where the annotation says nothing; or the place, where it is known.
        default: what is said of all mechanisms of which nothing else says it.

    Raises:
        InputError: the annotation says another one, or a parameter that is none has no value.

    >>> def noisy(data, lower=0, *, rng: "np.random.Generator"): ...
    >>> generator_place(noisy, ())
    GeneratorPlace(kind='numpy', name='rng')
    """
    if isinstance(generator, GeneratorPlace):
        return generator
    try:
        parameters = tuple(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # it has no signature
        return GeneratorPlace(generator or default or SOURCE)
    free = [one for one in parameters[1:] if one.name not in given and one.kind is not one.VAR_KEYWORD]
    annotated = [(one, kind) for one in free if (kind := annotated_kind(function, one)) is not None]
    found, kind = next(iter(annotated), (None, None))
    if kind is not None and generator is not None and kind != generator:
        raise InputError(f"generator must be {kind!r}, as the annotation of the function says; got {generator!r}")
    if found is None:
        is_said = generator is not None or default is not None
        known = [one for one in free if _is_named(one, is_said=is_said)]
        second = [one for one in free[:1] if one is parameters[1] and _is_positional(one, is_said=is_said)]
        found = next(iter([*known, *second]), None)
    for one in free:
        if one is not found and one.default is one.empty and one.kind is not one.VAR_POSITIONAL:
            raise InputError(
                f"the parameter {one.name!r} has no value: give {one.name}=…; the generator is the parameter annotated "
                f"np.random.Generator, random.Random or Source, or named {', '.join(USUAL[:3])} or the like"
            )
    if found is None:
        return GeneratorPlace(SOURCE, "")
    is_second = found is parameters[1] and found.kind is not found.KEYWORD_ONLY
    return GeneratorPlace(kind or generator or default or SOURCE, None if is_second else found.name)


def annotated_kind(function: Callable[..., Any], parameter: inspect.Parameter) -> str | None:
    """The generator that the annotation of a function's parameter means; None where it means none."""
    return _kind(parameter.annotation, _names_of(function))


def _is_named(one: inspect.Parameter, *, is_said: bool) -> bool:
    """Whether a name means a generator; one with a default, as in `rng=None`, draws by itself unless it is said."""
    if one.name not in USUAL and one.name[0] != "_":
        return False
    plain = (*_PLAIN, *(kind.__name__ for kind in _PLAIN))
    is_plain = isinstance(one.default, _PLAIN) or one.annotation in plain
    return not is_plain and (is_said or one.default is one.empty)


def _is_positional(one: inspect.Parameter, *, is_said: bool) -> bool:
    """Whether a second parameter that nothing names takes the generator: any number, or one where that is said."""
    return one.kind is one.VAR_POSITIONAL or (is_said and one.kind is not one.KEYWORD_ONLY and one.default is one.empty)


def _names_of(function: Callable[..., Any]) -> Mapping[str, Any]:
    inner: Any = function
    while isinstance(inner, functools.partial):
        inner = inner.func
    inner = inspect.unwrap(inner)
    inner = getattr(inner, "__func__", inner)
    return getattr(inner, "__globals__", {})


def _kind(annotation: Any, names: Mapping[str, Any]) -> str | None:
    """The generator that an annotation means; None where it means none."""
    if isinstance(annotation, str):
        return next(iter(_kinds(annotation.split("|"), names)), None)
    if isinstance(annotation, type):
        module, name = annotation.__module__.partition(".")[0], annotation.__name__
        if module == "numpy" and name == "RandomState":
            raise InputError("numpy.random.RandomState is not followed: take a numpy.random.Generator")
        known = {("numpy", "Generator"): NUMPY, ("random", "Random"): PYTHON, ("random", "SystemRandom"): PYTHON}
        return SOURCE if module == "stirred" and name.endswith("Source") else known.get((module, name))
    return next(iter(found for one in typing.get_args(annotation) if (found := _kind(one, names))), None)


def _kinds(texts: Sequence[str], names: Mapping[str, Any]) -> list[str]:
    found = []
    for text in (one.strip().removeprefix("Optional[").removesuffix("]").strip("\"'") for one in texts):
        first, *rest = text.split(".")
        value = names.get(first)
        for part in rest:
            value = getattr(value, part, None)
        kind = _kind(value, names) if value is not None and not isinstance(value, str) else _TEXTS.get(text)
        if kind is not None:
            found.append(kind)
    return found
