"""Black boxes: what can be run on a data set again and again, called as its signature asks.

    mechanism(data)              draws its own randomness; the global generators of `random` and NumPy are seeded
    mechanism(data, rng)         a second parameter is a seeded `numpy.random.Generator`,
                                 or a `random.Random` or a `Source` where its annotation or name says so

Nothing is confined or refused here: native code, libraries, clocks, files and other programs may all take part.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import random
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from stirred.mechanisms.sampling import sample
from stirred.spec.arguments import InputError
from stirred.verify.sampled.outputs import plain_output

__all__ = ["BlackBox", "Called", "Draw", "GeneratorKind", "Imported", "Opened", "generator_kind"]

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

    OWN = "its own, with the global generators of random and NumPy seeded"
    NUMPY = "a seeded numpy.random.Generator"
    RANDOM = "a seeded random.Random"
    SOURCE = "a seeded Source"


_BY_ANNOTATION = {"Generator": GeneratorKind.NUMPY, "Random": GeneratorKind.RANDOM, "Source": GeneratorKind.SOURCE}
_BY_NAME = {"source": GeneratorKind.SOURCE, "rng": GeneratorKind.NUMPY, "generator": GeneratorKind.NUMPY}


def generator_kind(function: Callable[..., Any], parameters: Mapping[str, Any]) -> GeneratorKind:
    """Where a function's randomness comes from, by its signature.

    A second parameter without a default is a generator of NumPy, unless its annotation or its name says another one;
    one with a default is one only where they say so. What has no signature draws its own.

    >>> def rounded(data, rng): ...
    >>> generator_kind(rounded, {}).name, generator_kind(len, {}).name
    ('NUMPY', 'OWN')
    """
    try:
        known = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return GeneratorKind.OWN
    places = [one for one in known if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    if len(places) < 2 or places[1].name in parameters:
        return GeneratorKind.OWN
    second = places[1]
    annotation = second.annotation
    named = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    said = _BY_ANNOTATION.get(named.rpartition(".")[2]) or _BY_NAME.get(second.name)
    return said or (GeneratorKind.NUMPY if second.default is second.empty else GeneratorKind.OWN)


class BlackBox(ABC):
    """Something that can be run on data sets; what it opens is used in the process that draws."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What it is called."""

    @abstractmethod
    def opened(self) -> Opened:
        """What draws.

        Raises:
            InputError: it cannot be loaded or started.
        """


@dataclass(frozen=True, eq=False)
class Called(BlackBox):
    """A function, or any callable, of this process.

    Attributes:
        function: of a data set, and a generator where it takes one.
        parameters: further arguments by name.
        title: what it is called, where its own name says little.
    """

    function: Callable[..., Any]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""

    @property
    def name(self) -> str:
        inner = self.function if hasattr(self.function, "__qualname__") else type(self.function)
        return self.title or f"{inner.__module__}:{inner.__qualname__}"

    def opened(self) -> Opened:
        if not callable(self.function):
            raise InputError(f"mechanism must be callable; got {self.function!r}")
        kind = generator_kind(self.function, self.parameters)
        exact = kind is GeneratorKind.SOURCE
        given = dict(self.parameters) if exact else {name: _plain_number(one) for name, one in self.parameters.items()}
        return Opened(
            lambda data, seed, count: _drawn(functools.partial(self.function, **given), kind, data, seed, count),
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
        return [plain_output(sample(function, data, seed=seeds.getrandbits(64))) for _ in range(count)]
    if kind is GeneratorKind.OWN:
        random.seed(seed)
        np.random.seed([seed % 2**32, seed >> 32])
        return [plain_output(function(data)) for _ in range(count)]
    rng = np.random.default_rng(seed) if kind is GeneratorKind.NUMPY else random.Random(seed)  # noqa: S311
    return [plain_output(function(data, rng)) for _ in range(count)]


@dataclass(frozen=True)
class Imported(BlackBox):
    """A function that a claim file names; it is imported in the process that draws.

    Attributes:
        where: the file and key, for messages.
        reference: "module:function".
        directory: where its module is looked for first.
        parameters: further arguments by name.
    """

    where: str
    reference: str
    directory: Path
    parameters: Mapping[str, Any]

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
        return Called(function, self.parameters, self.reference).opened()
