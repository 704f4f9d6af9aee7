"""A mechanism as a program on a source, whichever generator it is written against."""

from __future__ import annotations

import copy
import math
import operator
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from inspect import ismethod
from typing import Any, NoReturn

from stirred.mechanisms.draws import unbounded_draw
from stirred.mechanisms.generators.discrete_draws import binomial_weights, exact_value, integer_below, uniform_float
from stirred.mechanisms.generators.grid_draw import GeneratorRun
from stirred.mechanisms.generators.kinds import NUMPY, SOURCE, GeneratorPlace, generator_place
from stirred.mechanisms.generators.outputs import PlainOutputs, RaisedOutput, first_unlisted, probes
from stirred.mechanisms.source import RAISES, PublicSource, Raised, Source, UnboundedError, Weight, check_weights
from stirred.spec.arguments import InputError
from stirred.spec.numbers.open_parameter import OpenValue

# The look-alike of `random.Random`: Python's own methods over exact draws.
#
# `choice`, `choices`, `shuffle`, `randrange`, `randint` and `uniform` are the code of Python's class itself; what
# they draw by, `random()` and a uniform integer, is the source's. A rejection loop is its result, which is uniform.

_NOT_FOLLOWED = (
    *("gauss", "normalvariate", "lognormvariate", "vonmisesvariate", "gammavariate", "betavariate", "weibullvariate"),
    *("seed", "getstate", "setstate"),
)


class PythonRandom(random.Random):
    """A `random.Random` that draws from a source.

    Args:
        run: the run that it belongs to.
    """

    def __new__(cls, run: GeneratorRun) -> PythonRandom:  # noqa: ARG004 as __init__
        made: Any = random.Random.__new__
        return made(cls, 0)  # type: ignore[no-any-return]  # a seed, so that the system is not asked for one

    def __init__(self, run: GeneratorRun) -> None:
        self._run = run

    def random(self) -> Any:
        """k/2^53, uniform, not drawn yet."""
        return uniform_float(self._run)

    def getrandbits(self, k: int, /) -> Any:
        """A uniform integer of k bits."""
        if operator.index(k) < 0:
            raise ValueError("number of bits must be non-negative")
        return integer_below(self._run, 2**k)

    def _randbelow(self, n: int) -> Any:
        return integer_below(self._run, n)

    def randbytes(self, n: int) -> bytes:
        """Bytes that are uniform."""
        if operator.index(n) < 0:
            raise ValueError("number of bits must be non-negative")
        return bytes(self._run.source.uniform(256) for _ in range(n))

    def sample(self, population: Sequence[Any], k: int, *, counts: Any = None) -> list[Any]:
        """K different members, in a uniform order.

        Raises:
            ValueError: there are not so many.
            TypeError: the population is no sequence.
        """
        if not isinstance(population, Sequence):
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        left = list(range(len(population)))
        if counts is not None:
            left = [place for place, count in enumerate(counts) for _ in range(count)]
        if not 0 <= operator.index(k) <= len(left):
            raise ValueError("Sample larger than population or is negative")
        return [population[left.pop(self._run.source.uniform(len(left)))] for _ in range(k)]

    def expovariate(self, lambd: float = 1.0) -> Any:
        """−log(1 − U)/lambd, as Python computes it."""
        logarithm = (1.0 - self.random()).step("math.log", math.log)
        return -logarithm / lambd

    def triangular(self, low: float = 0.0, high: float = 1.0, mode: float | None = None) -> Any:
        """Piecewise a square root of U, as Python computes it."""
        u = self.random()
        try:
            c = 0.5 if mode is None else (mode - low) / (high - low)
        except ZeroDivisionError:
            return low
        if u > c:
            u, c, low, high = 1.0 - u, 1.0 - c, high, low
        return low + (high - low) * (u * c).step("math.sqrt", math.sqrt)

    def binomialvariate(self, n: int = 1, p: float = 0.5) -> int:
        """Successes in n trials, by the documented law."""
        self._run.documented.add("binomialvariate")
        weights = binomial_weights(n, exact_value(p))
        if weights is None:
            self._run.refuse("binomialvariate of more than 2,000 trials is not followed")
        return self._run.source.choose(weights)

    def __reduce__(self) -> NoReturn:
        self._run.refuse("the state of a generator is not followed")


def _refusing(name: str) -> Any:
    def refused(self: PythonRandom, *_: Any, **__: Any) -> NoReturn:
        self._run.refuse(
            f"rng.{name} is not followed: draw by rng.random() and round the result, or audit with --sampled"
        )

    refused.__name__, refused.__doc__ = name, "Refused."
    return refused


PythonRandom.expovariate.__defaults__ = random.Random.expovariate.__defaults__  # of this Python
if not hasattr(random.Random, "binomialvariate"):  # before Python 3.12
    del PythonRandom.binomialvariate
for _name in _NOT_FOLLOWED:
    setattr(PythonRandom, _name, _refusing(_name))


_ENDLESS = (
    "unbounded: one run of the mechanism makes too many choices; a loop without end is followed where the mechanism "
    "draws from a Source: write it against one, or end the loop earlier"
)

_TELLING = (
    "the code has {}, by which a number that is not drawn could be told from others: ask for no class, and catch "
    "nothing but what is expected, as ValueError or KeyError"
)

_OF_RATES = {"binomial", "binomialvariate", "geometric", "multinomial"}
"""Documented laws whose parameters are doubles."""

_MOST_PROBED = 8
"""Data sets on which floats to be tested are looked for."""


class AdaptedMechanism:
    """A mechanism, on one data set after another.

    Args:
        function: of a data set, a generator and its parameters.
        parameters: its own; to code for NumPy and `random` a fraction is given as the nearest float.
        points: the data sets.
        generator: "numpy", "random" or "source" where the function does not say it; or its place.
        default: the same where nothing else says it.

    Attributes:
        has_doubles: whether a double decided some draw.
        telling: what its code does that could tell a number which is not drawn from others, if it does; and one that
            is unbounded.

    Raises:
        InputError: the function says another generator, or is no `Source`'s and has a parameter that is left open.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        parameters: Mapping[str, Any],
        points: Sequence[Any],
        generator: str | GeneratorPlace | None = None,
        default: str | None = None,
    ) -> None:
        self._function = function
        self._points = points
        self.place = generator_place(function, parameters, generator, default)
        self._documented: set[str] = set()
        self._has_rounded = False
        self._outputs = PlainOutputs(self._tested_floats)
        self._parameters = parameters
        self.has_doubles = False
        self.telling: tuple[str | None, str | None] = None, None
        if self.place.kind != SOURCE:
            self._parameters = {name: self._given(name, value) for name, value in parameters.items()}

    def _given(self, name: str, value: Any) -> Any:
        if isinstance(value, OpenValue):
            raise InputError(f"{name} must be a number, where the mechanism draws from a generator of floats")
        if not isinstance(value, Fraction):
            return value
        self._has_rounded = self._has_rounded or Fraction(float(value)) != value
        return float(value)

    @property
    def kind(self) -> str:
        """The generator that it is given: "numpy", "random" or "source"."""
        return self.place.kind

    @property
    def takes_nothing(self) -> bool:
        """Whether it is given no generator."""
        return self.place == GeneratorPlace(SOURCE, "")

    @property
    def generator_name(self) -> str:
        """The name of the parameter that takes the generator; "" where it is not known."""
        if self.place.name is not None:
            return self.place.name
        names: Sequence[str] = getattr(getattr(self._function, "__code__", None), "co_varnames", ())
        return next(iter(names[2 if ismethod(self._function) else 1 :]), "")

    @property
    def kinds(self) -> dict[str, str]:
        """Of which types outputs are, by their texts, where they are no literals of Python's."""
        return self._outputs.kinds

    @property
    def told(self) -> list[str]:
        """What the scope must say: the kind of generator where it is no source, and words of `generator_scope`."""
        if self.place.kind == SOURCE:
            return []
        outputs = self._outputs
        said = {
            "floats": outputs.has_floats,
            "tested": outputs.are_tested,
            "raises": outputs.are_raised,
            "scalars": outputs.has_scalars,
            "rounded": self._has_rounded,
        }
        return [self.place.kind, *(word for word, is_said in said.items() if is_said), *sorted(self._documented)]

    def program(self, point: Any) -> Callable[[Source], Any]:
        """The mechanism on a data set; of a function whose second argument is a source nothing but that call."""
        if self.place == GeneratorPlace(SOURCE) and _is_fixed(point):
            return partial(self._function, point, **self._parameters)
        return partial(self._run, point)

    def _run(self, point: Any, source: Source) -> Any:
        if self.place.kind == SOURCE:
            return self._called(point, source)
        run, before = GeneratorRun(source), len(unbounded_draw.REFUSED)
        try:
            output = self._called(point, _generator(self.place.kind, run))
        except UnboundedError as error:
            if str(error).startswith("unbounded"):
                error.args = (_ENDLESS,)
            raise
        except Exception as error:
            output = _raised(error, run)
        telling = self.telling[run.is_unbounded] if run.is_undrawn else None
        if telling is not None:
            run.refused.append(InputError(_TELLING.format(telling)))
        run.refused += unbounded_draw.REFUSED[before:]
        if run.refused:  # code can catch a refusal and go another way
            raise run.refused[0]
        self._documented |= run.documented
        self.has_doubles = self.has_doubles or run.has_doubles or bool(run.documented & _OF_RATES)
        try:
            return self._outputs(output)
        except Exception as error:
            if not any(error is one for one in run.raised):
                raise
            return self._outputs(_raised(error, run))

    def _called(self, point: Any, generator: Any) -> Any:
        point = point if _is_fixed(point) else copy.deepcopy(point)
        if self.place.name:
            return self._function(point, **{self.place.name: generator}, **self._parameters)
        taken = () if self.place.name == "" else (generator,)
        return self._function(point, *taken, **self._parameters)

    def _tested_floats(self) -> list[float]:
        """Floats that some data sets can give, on the likeliest path of each."""
        found: list[float] = []
        for point in sorted(self._points, key=repr)[:_MOST_PROBED]:
            run = GeneratorRun(PublicSource(_Likeliest()))
            with suppress(Exception):  # what the code raises is no float
                value = first_unlisted(self._called(point, _generator(self.place.kind, run)))
                found += [] if value is None else probes(value)
            if run.refused:
                raise run.refused[0]
        return found


def _is_fixed(point: Any) -> bool:
    """Whether no run can change a data set for the next."""
    return isinstance(point, (int, str, bytes, Fraction)) or (type(point) is tuple and all(map(_is_fixed, point)))


def _raised(error: Exception, run: GeneratorRun) -> RaisedOutput:
    """What the code raised, as an output; at a single draw any error is one."""
    if any(error is one for one in run.raised):
        return RaisedOutput(f"{RAISES}{type(error).__name__}: {error}")
    return RaisedOutput(Raised(error).text)


def _generator(kind: str, run: GeneratorRun) -> Any:
    if kind == NUMPY:
        from stirred.mechanisms.generators.numpy_generator import numpy_generator  # noqa: PLC0415 for its users alone

        return numpy_generator(run)
    return PythonRandom(run)


class _Likeliest(Source):
    def choose(self, weights: Sequence[Weight | int]) -> int:
        checked = [weight if isinstance(weight, Fraction) else Fraction(0) for weight in check_weights(weights)]
        return checked.index(max(checked))

    def attempt(self, body: Callable[[Source], Any]) -> Any:
        return body(PublicSource(self))
