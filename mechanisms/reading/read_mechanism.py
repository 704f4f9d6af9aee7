"""A mechanism that is read, as a program on a source: each of its draws is one choice."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from stirred.mechanisms.generators.kinds import READ
from stirred.mechanisms.generators.outputs import PlainOutputs, RaisedOutput
from stirred.mechanisms.reading.draws import Draws
from stirred.mechanisms.reading.evaluator import Evaluator
from stirred.mechanisms.reading.refusal import Refusal
from stirred.mechanisms.reading.replay import Feed, ReplayError, Replays, own_modules, same
from stirred.mechanisms.reading.symbols import is_symbolic
from stirred.mechanisms.source import Raised, Source
from stirred.spec.arguments import InputError
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient


class _OnSource:
    """A path whose decisions are a source's."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def fork(self, weights: Sequence[Any], what: str, line: str) -> int:
        """Decide, by exact weights.

        Raises:
            Refusal: a weight is known by an enclosure alone.
        """
        numbers = [one if isinstance(one, Fraction) else one.number for one in weights]
        if not all(isinstance(one, (Fraction, ExponentialQuotient)) for one in numbers):
            raise Refusal(f"{line}: {what} has a probability that is neither rational nor made of powers of e")
        return self._source.choose(tuple(numbers))


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
        self._parameters = {
            name: float(value) if isinstance(value, Fraction) else value for name, value in parameters.items()
        }
        self._is_own = is_own
        self._outputs = PlainOutputs(tuple)
        self._replays = Replays(own_modules(is_own))

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
        evaluator = Evaluator(_OnSource(source), Draws(), self._is_own)
        try:
            outcome, is_raised = self._outcome(partial(evaluator.call, self._function), point)
            if is_symbolic(outcome):
                raise evaluator.refuse("a number that is drawn is released")
        except Refusal as error:
            raise InputError(str(error)) from None
        self._replay(point, Feed(evaluator.draws.record, evaluator.meanings.intervals), outcome, is_raised)
        return self._outputs(RaisedOutput(Raised(outcome).text) if is_raised else outcome)

    def _replay(self, point: Any, feed: Feed, outcome: Any, is_raised: bool) -> None:
        """Run the function itself on numbers of the path.

        Raises:
            InputError: it does something else.
        """
        with self._replays.feeding(feed):
            again, is_raised_again = self._outcome(lambda given, named: self._function(*given, **named), point)
        if not isinstance(again, ReplayError) and feed.is_used_up and is_raised == is_raised_again:
            if same(outcome, again):
                return
        raise InputError(f"what was read is not what Python does: {outcome!r} was read, and Python gives {again!r}")

    def _outcome(self, call: Callable[..., Any], point: Any) -> tuple[Any, bool]:
        try:
            return call((copy.deepcopy(point),), self._parameters), False
        except InputError:
            raise
        except Exception as error:
            return error, True
