"""Black boxes: what can be run on a data set again and again, called as its signature asks.

    mechanism(data)              draws its own randomness; the global generators of `random` and NumPy are seeded
    mechanism(data, rng)         a second parameter is a seeded `numpy.random.Generator`,
                                 or a `random.Random` or a `Source` where its annotation or name says so

Nothing is confined or refused here: native code, libraries, clocks, files and other programs may all take part.
"""

import importlib
import inspect
import random
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from stirred.mechanisms.generators.kinds import NUMPY, PYTHON, SOURCE, generator_place
from stirred.mechanisms.interpreters.sampling import sample
from stirred.mechanisms.source import Raised
from stirred.spec.arguments import InputError
from stirred.verify.audit.black_box.outputs import plain_output

Draw = Callable[[Any, int, int], list[Any]]
"""From a data set, a seed and a number of draws to so many plain outputs."""


@dataclass(frozen=True)
class Opened:
    """A black box that can be run.

    Attributes:
        draw: runs it.
        is_seeded: whether all of its randomness is taken from the seed, as far as is known: then several processes
            may draw at once.
    """

    draw: Draw
    is_seeded: bool


class GeneratorKind(Enum):
    """Where a mechanism's randomness comes from."""

    OWN = "the global generators of random and NumPy, seeded"
    NUMPY = "a seeded numpy.random.Generator"
    RANDOM = "a seeded random.Random"
    SOURCE = "a seeded Source"


_KINDS = {NUMPY: GeneratorKind.NUMPY, PYTHON: GeneratorKind.RANDOM, SOURCE: GeneratorKind.SOURCE}


def generator_kind(
    function: Callable[..., Any],
    parameters: Mapping[str, Any],
    generator: str | None = None,
    default: str | None = None,
) -> tuple[GeneratorKind, str | None]:
    """Where a function's randomness comes from, by its signature, and the name of the parameter that takes it by name.

    What has no signature, or no parameter for a generator (`generator_place`), draws its own. A generator of which
    nothing says the kind is NumPy's, and a `Source` where that is its name.

    >>> def rounded(data, rng): ...
    >>> generator_kind(rounded, {})[0].name, generator_kind(len, {})[0].name
    ('NUMPY', 'OWN')
    """
    try:
        known = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return GeneratorKind.OWN, None
    place = generator_place(function, parameters, generator, default)
    if place.name == "":
        return GeneratorKind.OWN, None
    usual = default or (SOURCE if any(one.name == "source" for one in known) else NUMPY)
    return _KINDS[generator_place(function, parameters, generator, usual).kind], place.name


class BlackBox(ABC):
    """Something that can be run on data sets; what it opens is used in the process that draws."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What it is called."""

    @abstractmethod
    def opened(self) -> Opened:
        """What draws."""


@dataclass(frozen=True, eq=False)
class Called(BlackBox):
    """A function, or any callable, of this process.

    Attributes:
        function: of a data set, and a generator where it takes one.
        parameters: further arguments by name.
        title: what it is called, where its own name says little.
        generator: which one it takes, where its annotation does not say it.
        default: which one, where nothing else says it.
    """

    function: Callable[..., Any]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    generator: str | None = None
    default: str | None = None

    @property
    def name(self) -> str:
        inner = self.function if hasattr(self.function, "__qualname__") else type(self.function)
        return self.title or f"{inner.__module__}:{inner.__qualname__}"

    def opened(self) -> Opened:
        if not callable(self.function):
            raise InputError(f"mechanism must be callable; got {self.function!r}")
        kind, place = generator_kind(self.function, self.parameters, self.generator, self.default)
        exact = kind is GeneratorKind.SOURCE
        given = dict(self.parameters) if exact else {name: _plain_number(one) for name, one in self.parameters.items()}
        function = partial(self.function, **given)
        called = function if place is None else lambda data, rng: function(data, **{place: rng})
        return Opened(
            lambda data, seed, count: _drawn(called, kind, data, seed, count),
            is_seeded=kind is not GeneratorKind.OWN,
        )


def _plain_number(value: Any) -> Any:
    """An exact parameter as code with floats takes it."""
    if not isinstance(value, Fraction):
        return value
    return value.numerator if value.denominator == 1 else value.numerator / value.denominator


def _drawn(function: Callable[..., Any], kind: GeneratorKind, data: Any, seed: int, count: int) -> list[Any]:
    """So many outputs, with whatever generator the function takes."""
    if kind is GeneratorKind.SOURCE:
        seeds = random.Random(seed)  # noqa: S311 seeded on purpose
        return [_seen(partial(sample, function, data, seed=seeds.getrandbits(64))) for _ in range(count)]
    if kind is GeneratorKind.OWN:
        random.seed(seed)
        np.random.seed([seed % 2**32, seed >> 32])
        return [_seen(partial(function, data)) for _ in range(count)]
    rng = np.random.default_rng(seed) if kind is GeneratorKind.NUMPY else random.Random(seed)  # noqa: S311
    return [_seen(partial(function, data, rng)) for _ in range(count)]


def _seen(draw: Callable[[], Any]) -> Any:
    """One output; what the mechanism raises is one, see `mechanisms.source.Raised`."""
    try:
        found = draw()
    except Exception as error:
        return Raised(error).text
    return plain_output(found)


@dataclass(frozen=True)
class Imported(BlackBox):
    """A function that a claim file names; it is imported in the process that draws."""

    where: str
    reference: str
    directory: Path
    parameters: Mapping[str, Any]
    generator: str | None = None
    default: str | None = None

    @property
    def name(self) -> str:
        return self.reference

    def opened(self) -> Opened:
        module, _, name = self.reference.partition(":")
        sys.path.insert(0, str(self.directory))
        try:
            function = getattr(importlib.import_module(module), name)
        except AttributeError:
            raise InputError(f"{self.where}: the module {module!r} has no function {name!r}") from None
        except Exception as error:
            raise InputError(f"{self.where}: cannot be imported: {type(error).__name__}: {error}") from None
        return Called(function, self.parameters, self.reference, self.generator, self.default).opened()
