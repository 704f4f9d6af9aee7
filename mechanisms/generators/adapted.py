"""A mechanism as a program on a source, whichever generator it is written against."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any

from stirred.mechanisms.generators.grid_draw import GeneratorRun
from stirred.mechanisms.generators.kinds import NUMPY, SOURCE, GeneratorPlace, generator_place
from stirred.mechanisms.generators.outputs import PlainOutputs, Raised, first_unlisted, probes
from stirred.mechanisms.generators.python_random import PythonRandom
from stirred.mechanisms.source import PublicSource, RestartError, Source, UnboundedError, Weight, check_weights
from stirred.spec.arguments import InputError
from stirred.spec.open_value import OpenValue

__all__ = ["AdaptedMechanism"]

_ENDLESS = (
    "unbounded: one run of the mechanism makes too many choices; a loop without end is followed where the mechanism "
    "draws from a Source: write it against one, or end the loop earlier"
)

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
        self._place = generator_place(function, parameters, generator, default)
        self._documented: set[str] = set()
        self._has_rounded = False
        self._outputs = PlainOutputs(self._tested_floats)
        self._parameters = parameters
        if self._place.kind != SOURCE:
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
        return self._place.kind

    @property
    def told(self) -> list[str]:
        """What the scope must say: the kind of generator where it is no source, and words of `generator_scope`."""
        if self._place.kind == SOURCE:
            return []
        outputs = self._outputs
        said = {
            "floats": outputs.has_floats,
            "tested": outputs.are_tested,
            "raises": outputs.are_raised,
            "scalars": outputs.has_scalars,
            "rounded": self._has_rounded,
        }
        return [self._place.kind, *(word for word, is_said in said.items() if is_said), *sorted(self._documented)]

    def program(self, point: Any) -> Callable[[Source], Any]:
        """The mechanism on a data set; of a function whose second argument is a source nothing but that call."""
        if self._place == GeneratorPlace(SOURCE):
            return partial(self._function, point, **self._parameters)
        return partial(self._run, point)

    def _run(self, point: Any, source: Source) -> Any:
        if self._place.kind == SOURCE:
            return self._called(point, source)
        run = GeneratorRun(source)
        try:
            output = self._called(point, _generator(self._place.kind, run))
        except UnboundedError as error:
            if str(error).startswith("unbounded"):
                error.args = (_ENDLESS,)
            raise
        except Exception as error:
            if not any(error is one for one in run.raised):
                raise
            output = Raised(error)
        if run.refused:  # code can catch a refusal and go another way
            raise run.refused[0]
        self._documented |= run.documented
        try:
            return self._outputs(output)
        except Exception as error:
            if not any(error is one for one in run.raised):
                raise
            return self._outputs(Raised(error))

    def _called(self, point: Any, generator: Any) -> Any:
        if self._place.name is None:
            return self._function(point, generator, **self._parameters)
        return self._function(point, **{self._place.name: generator}, **self._parameters)

    def _tested_floats(self) -> list[float]:
        """Floats that some data sets can give, on the likeliest path of each."""
        found: list[float] = []
        for point in sorted(self._points, key=repr)[:_MOST_PROBED]:
            run = GeneratorRun(PublicSource(_Likeliest()))
            with suppress(RestartError):
                value = first_unlisted(self._called(point, _generator(self._place.kind, run)))
                found += [] if value is None else probes(value)
        return found


def _generator(kind: str, run: GeneratorRun) -> Any:
    if kind == NUMPY:
        from stirred.mechanisms.generators.numpy_generator import numpy_generator  # noqa: PLC0415 for its users alone

        return numpy_generator(run)
    return PythonRandom(run)


class _Likeliest(Source):
    """Always the likeliest outcome."""

    def choose(self, weights: Sequence[Weight | int]) -> int:
        checked = [weight if isinstance(weight, Fraction) else Fraction(0) for weight in check_weights(weights)]
        return checked.index(max(checked))

    def attempt(self, body: Callable[[Source], Any]) -> Any:
        return body(PublicSource(self))
