"""The exact law of a function as it is written, on one data set."""

from __future__ import annotations

import copy
import inspect
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from stirred.mechanisms.reading.draws import Draws
from stirred.mechanisms.reading.evaluator import Evaluator
from stirred.mechanisms.reading.paths import Path, paths
from stirred.mechanisms.reading.refusal import Refusal
from stirred.mechanisms.reading.replay import Feed, ReplayError, Replays, own_modules, same
from stirred.mechanisms.reading.shadows import Exact
from stirred.mechanisms.reading.symbols import is_symbolic


@dataclass(frozen=True)
class Outcome:
    """What a function returned, or raised.

    Attributes:
        value: the value, or the exception.
        is_raised: whether it was raised.
    """

    value: Any
    is_raised: bool = False


class Reading:
    """A function, read on one data set after another.

    Args:
        function: of a data set, perhaps a generator, and its parameters.
        is_own: whether a file is the program's own.
        generator: the name of the parameter that takes a generator, and one of its kind; None where it takes none.
        parameters: the function's own.
        most: decisions that may be made on one data set.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        is_own: Callable[[str], bool],
        *,
        generator: tuple[str, Any] | None = None,
        parameters: Mapping[str, Any] | None = None,
        most: int = 1_000_000,
    ) -> None:
        self._function = function
        self._is_own = is_own
        self._generator = generator
        self._parameters = dict(parameters or {})
        self._most = most
        self._replays = Replays(own_modules(is_own))

    def law(self, data: Any) -> list[tuple[Outcome, Exact]]:
        """Each outcome with its probability.

        Raises:
            Refusal: something is not read.
            ReplayError: Python does something else than what was read.
        """
        found: list[tuple[Outcome, Exact]] = []
        runs: list[tuple[Evaluator, Outcome]] = []

        def run(path: Path[Outcome]) -> Outcome:
            evaluator = Evaluator(path, Draws(), self._is_own)
            named = {} if self._generator is None else {self._generator[0]: self._generator[1]}
            outcome = _outcome(lambda: evaluator.call(self._function, (copy.deepcopy(data),), {**named, **self._parameters}))
            if is_symbolic(outcome.value):
                raise evaluator.refuse("a number that is drawn is released")
            runs.append((evaluator, outcome))
            return outcome

        for path in paths(run, most=self._most):
            evaluator, outcome = runs.pop()
            self._replay(data, evaluator, outcome)
            weight = path.weight
            weight = weight if isinstance(weight, Exact) else Exact(weight)
            place = next((place for place, (one, _) in enumerate(found) if _are_same(one, outcome)), None)
            if place is None:
                found.append((outcome, weight))
            else:
                found[place] = (found[place][0], found[place][1] + weight)
        return found

    def _replay(self, data: Any, evaluator: Evaluator, outcome: Outcome) -> None:
        """Run the function itself on numbers of the path.

        Raises:
            ReplayError: it does something else.
        """
        feed = Feed(evaluator.draws.record, evaluator.meanings.intervals)
        named = {} if self._generator is None else {self._generator[0]: self._replays.like(self._generator[1])}
        with self._replays.feeding(feed):
            again = _outcome(lambda: self._function(copy.deepcopy(data), **named, **self._parameters))
        if isinstance(again.value, ReplayError):
            raise again.value
        if not _are_same(outcome, again) or not feed.is_used_up:
            raise ReplayError(f"{outcome} was read, and Python gives {again}")


def _outcome(call: Callable[[], Any]) -> Outcome:
    try:
        return Outcome(call())
    except Refusal:
        raise
    except Exception as error:
        return Outcome(error, is_raised=True)


def _are_same(one: Outcome, other: Outcome) -> bool:
    return one.is_raised == other.is_raised and same(one.value, other.value)


def read_law(function: Callable[..., Any], data: Any, **parameters: Any) -> list[tuple[Outcome, Exact]]:
    """The exact law of a function on a data set, where its own code is what stands in its file.

    A second parameter that is called `rng` or is annotated as a generator gets one.
    """
    file = function.__code__.co_filename
    generator = None
    for name, one in list(inspect.signature(function).parameters.items())[1:]:
        if one.annotation is random.Random:
            generator = name, random.Random(0)  # noqa: S311
        elif name == "rng" or one.annotation is np.random.Generator:
            generator = name, np.random.Generator(np.random.PCG64(0))
    return Reading(function, lambda one: one == file, generator=generator, parameters=parameters).law(data)
