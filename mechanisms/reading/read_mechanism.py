"""A mechanism that is read, as a program on a source: each draw is one choice."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from stirred.mechanisms.generators.kinds import NUMPY, GeneratorPlace
from stirred.mechanisms.generators.outputs import PlainOutputs, RaisedOutput
from stirred.mechanisms.reading.draws import GENERATOR, PYTHON, TOKENS, Draws
from stirred.mechanisms.reading.evaluator import Evaluator
from stirred.mechanisms.reading.paths import Fork
from stirred.mechanisms.reading.replay import Feed, ReplayError, Replays, own_modules, same
from stirred.mechanisms.reading.symbols import is_symbolic
from stirred.mechanisms.source import Raised, Source
from stirred.spec.arguments import InputError


class _OnSource:
    """A path whose decisions are a source's."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.forks: list[Fork] = []

    def fork(self, weights: Sequence[Any], what: str, line: str) -> int:
        numbers = [one if isinstance(one, Fraction) else one.number for one in weights]
        if not all(isinstance(one, Fraction) for one in numbers):
            raise Refusal(f"{line}: {what} has a probability that is no fraction")
        return self._source.choose(tuple(numbers))


from stirred.mechanisms.reading.refusal import Refusal  # noqa: E402


class ReadMechanism:
    """A mechanism that is read, on one data set after another."""

    def __init__(self, function: Callable[..., Any], parameters: Mapping[str, Any], place: GeneratorPlace, second: str, is_own: Callable[[str], bool]) -> None:
        self._function = function
        self._parameters = {name: float(value) if isinstance(value, Fraction) else value for name, value in parameters.items()}
        self._place = place
        self._second = second
        self._is_own = is_own
        self._replays = Replays(own_modules(is_own))
        self._outputs = PlainOutputs(lambda: [])
        self.has_doubles = False
        self.telling: tuple[str | None, str | None] = None, None

    kind = "read"
    generator_name = ""

    @property
    def kinds(self) -> dict[str, str]:
        return self._outputs.kinds

    @property
    def told(self) -> list[str]:
        outputs = self._outputs
        said = {"floats": outputs.has_floats, "raises": outputs.are_raised, "scalars": outputs.has_scalars}
        return [self._place.kind if self._place.kind != "source" else "numpy", *(word for word, is_said in said.items() if is_said)]

    def program(self, point: Any) -> Callable[[Source], Any]:
        return partial(self._run, point)

    def _run(self, point: Any, source: Source) -> Any:
        evaluator = Evaluator(_OnSource(source), Draws(), self._is_own)  # type: ignore[arg-type]
        generator = None
        if self._second:
            generator = TOKENS[GENERATOR if self._place.kind == NUMPY else PYTHON]
        outcome, is_raised = self._outcome(partial(evaluator.call, self._function), point, generator)
        if is_symbolic(outcome):
            raise evaluator.refuse("a number that is drawn is released")
        feed = Feed(evaluator.draws.record, evaluator.meanings.intervals)
        with self._replays.feeding(feed):
            again, is_raised_again = self._outcome(
                lambda given, named: self._function(*given, **named), point, None if generator is None else self._replays.like(generator)
            )
        if isinstance(again, ReplayError):
            raise again
        if is_raised != is_raised_again or not same(outcome, again) or not feed.is_used_up:
            raise ReplayError(f"{outcome!r} was read, and Python gives {again!r}")
        return self._outputs(RaisedOutput(Raised(outcome).text) if is_raised else outcome)

    def _outcome(self, call: Callable[..., Any], point: Any, generator: Any) -> tuple[Any, bool]:
        named = {} if generator is None else {self._second: generator}
        try:
            return call((copy.deepcopy(point),), {**named, **self._parameters}), False
        except InputError:
            raise
        except Exception as error:
            return error, True
