"""A mechanism that is read, as a program on a source: each of its draws is one choice."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from stirred.mechanisms.generators.kinds import READ
from stirred.mechanisms.generators.outputs import PlainOutputs, RaisedOutput
from stirred.mechanisms.reading.draws import DrawTable, are_changed
from stirred.mechanisms.reading.evaluator import Evaluator
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.functions import seeded
from stirred.mechanisms.reading.refusal import OwnCode, Passed, Refusal
from stirred.mechanisms.reading.replay import Feed, ReplayError, Replays, own_modules, same
from stirred.mechanisms.reading.symbols import is_symbolic
from stirred.mechanisms.source import Raised, Source
from stirred.spec.arguments import InputError
from stirred.spec.laws.enclosed_share import enclosed_share
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient


@dataclass(frozen=True)
class Outcome:
    """What a function returned, or raised.

    Attributes:
        value: the value, or the exception.
        is_raised: whether it was raised.
    """

    value: Any
    is_raised: bool = False


class _OnSource:
    """A path whose decisions are a source's."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def fork(self, weights: Sequence[Any], what: str, line: str) -> int:
        """Decide, by exact weights, or by what encloses them.

        Raises:
            Refusal: a weight is known by a wide enclosure alone.
        """
        numbers = [one if isinstance(one, Fraction) else one.number for one in weights]
        if not all(isinstance(one, (Fraction, ExponentialQuotient)) for one in numbers):
            numbers = [one if isinstance(one, Fraction) else enclosed_share(one) for one in numbers]
            if None in numbers:
                raise Refusal(
                    f"{line}: {what} has a probability that is not known exactly: compute it in the function, by + - "
                    "* / and exp, or give it as a parameter"
                )
        try:
            return self._source.choose(tuple(numbers))
        except Exception as error:
            raise Passed(error) from None


class ReadMechanism:
    """A mechanism that draws from no generator that it is given, on one data set after another.

    Args:
        function: of a data set and its parameters.
        parameters: its own; a fraction is given as the nearest float.
        is_own: whether a file is the program's own.
    """

    kind = READ
    generator_name = ""
    takes_nothing = True
    has_doubles = False
    telling: tuple[str | None, str | None] = None, None

    def __init__(
        self, function: Callable[..., Any], parameters: Mapping[str, Any], is_own: Callable[[str], bool]
    ) -> None:
        self._function = function
        self._given = {name: value for name, value in parameters.items() if isinstance(value, Fraction)}
        self._parameters = {**parameters, **{name: float(value) for name, value in self._given.items()}}
        self._is_own = is_own
        self._outputs = PlainOutputs(tuple)
        modules = own_modules(is_own)
        self._replays = Replays(modules)
        self._is_changed = are_changed()
        self._seeded = next((one for names in modules if (one := seeded(names["__file__"]))), None)

    @property
    def kinds(self) -> dict[str, str]:
        """Of which types outputs are, by their texts, where they are no literals of Python's."""
        return self._outputs.kinds

    @property
    def told(self) -> list[str]:
        """What the scope must say."""
        outputs = self._outputs
        said = {"floats": outputs.has_floats, "raises": outputs.are_raised, "scalars": outputs.has_scalars}
        return [READ, *(word for word, is_said in said.items() if is_said)]

    def program(self, point: Any) -> Callable[[Source], Any]:
        """The mechanism on a data set."""
        return partial(self._run, point)

    def _run(self, point: Any, source: Source) -> Any:
        found = self.outcome(point, source)
        return self._outputs(RaisedOutput(Raised(found.value).text) if found.is_raised else found.value)

    def outcome(self, point: Any, source: Source) -> Outcome:
        """What the function does on a data set, along the path that a source decides.

        Raises:
            InputError: something is not read, or Python does something else than what was read.
        """
        if self._is_changed:
            raise InputError(
                "a module seeds np.random or random, or draws from it, when it is imported, which fixes what is drawn "
                "later: leave that out"
            )
        if self._seeded is not None:
            raise InputError(
                f"{self._seeded} fixes what is drawn: the release is then a function of the data; leave the seed out"
            )
        evaluator = Evaluator(_OnSource(source), DrawTable(), self._is_own)
        for name, value in self._given.items():
            evaluator.meanings.shadows.note(self._parameters[name], Exact(value))
        watch = OwnCode(self._is_own)
        try:
            with watch:
                read = self._called(partial(evaluator.call, self._function), point)
            if isinstance(read.value, RecursionError):
                raise evaluator.refuse("recursion without an end, or too deep, is not read")
            if is_symbolic((read.value, getattr(read.value, "args", ()))):
                raise evaluator.refuse("a real number that is drawn is released: round it, or use --sampled")
        except Passed as passed:
            raise passed.error from None
        except Refusal as error:
            raise InputError(str(watch.refusal or error)) from None
        except InputError as error:
            raise InputError(str(watch.refusal or error)) from None
        if watch.refusal is not None:
            raise InputError(str(watch.refusal))
        intervals = evaluator.meanings.intervals
        for is_high in (False, True) if intervals else (False,):
            feed = Feed(evaluator.draws.record, intervals, is_high=is_high)
            again = Outcome(None)
            with self._replays.feeding(feed), suppress(ReplayError):
                again = self._called(lambda given, named: self._function(*given, **named), point)
            is_fed = feed.is_used_up and feed.error is None
            if not is_fed or read.is_raised != again.is_raised or not same(read.value, again.value):
                raise InputError(
                    f"one path gives {read.value!r}, and run by Python {again.value!r}: the function must keep nothing "
                    "between calls, and not look at how it is run; if it does neither, please report it"
                )
        return read

    def _called(self, call: Callable[..., Any], point: Any) -> Outcome:
        try:
            return Outcome(call((copy.deepcopy(point),), self._parameters))
        except InputError:
            raise
        except Exception as error:
            return Outcome(error, is_raised=True)
