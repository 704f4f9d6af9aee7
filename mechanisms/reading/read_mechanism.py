"""A mechanism that is read, as a program on a source: each of its draws is one choice."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, partial
from types import FunctionType
from typing import Any

from stirred.mechanisms.generators.kinds import NEARBY, NUMPY, PYTHON, READ, READ_AS_DOUBLES, SOURCE, GeneratorPlace
from stirred.mechanisms.generators.outputs import PlainOutputs, RaisedOutput
from stirred.mechanisms.reading.asked import GENERATOR, TOKENS
from stirred.mechanisms.reading.asked import PYTHON as PYTHON_RANDOM
from stirred.mechanisms.reading.double_draws import DOUBLE_TABLES
from stirred.mechanisms.reading.draw_laws import TABLES
from stirred.mechanisms.reading.drawn_doubles import DrawnDoubles
from stirred.mechanisms.reading.draws import DrawTable, are_changed
from stirred.mechanisms.reading.evaluator import Evaluator
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.functions import seeded, written
from stirred.mechanisms.reading.known_components import learn_components, told_components
from stirred.mechanisms.reading.maxima import learn_maxima, told_maxima
from stirred.mechanisms.reading.pass_numbers import PASS_NUMBERS
from stirred.mechanisms.reading.refusal import Passed, Refusal, Reopened, is_immutable
from stirred.mechanisms.reading.released import Releasing
from stirred.mechanisms.reading.replay import NEAR, Feed, ReplayError, Replays, own_modules, same
from stirred.mechanisms.reading.symbols import SEEN, is_symbolic
from stirred.mechanisms.source import Raised, Source
from stirred.spec.arguments import InputError
from stirred.spec.laws.enclosed_share import EnclosedShare, enclosed_share
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


@dataclass
class _Known:
    """What paths have told.

    Attributes:
        decisions: what is known of decisions, for paths that begin alike.
        opened: the lines at which arrays are made that hold numbers that are drawn.
        documented: what the scope must say.
        weights: of decisions, by their identity, as a source is asked by them.
    """

    decisions: dict[tuple[int, ...], Any] = field(default_factory=dict)
    opened: set[str] = field(default_factory=set)
    documented: set[str] = field(default_factory=set)
    weights: dict[int, tuple[tuple[Any, ...], tuple[Any, ...]]] = field(default_factory=dict)


class _OnSource:
    """A path whose decisions are a source's."""

    def __init__(self, source: Source, known: _Known) -> None:
        self._source = source
        self._known = known
        self._again: list[int] = []
        self.taken: list[int] = []
        self.decisions = known.decisions
        self.opened = known.opened

    def restart(self) -> None:
        """Go the same way again."""
        self._again, self.taken = [*self.taken, *self._again[len(self.taken) :]], []

    def reject(self) -> None:
        """Begin the run afresh: its law is conditioned on not doing so."""
        try:
            self._source.restart()
        except Exception as error:
            raise Passed(error) from None

    def fork(self, weights: Sequence[Any], what: str, line: str) -> int:
        """Decide, by exact weights, or by what encloses them.

        Raises:
            Refusal: a weight is known by a very wide enclosure alone.
        """
        if len(self.taken) < len(self._again):
            self.taken.append(self._again[len(self.taken)])
            return self.taken[-1]
        before, numbers = self._known.weights.get(id(weights), (None, ()))
        if before is not weights:
            numbers = self._numbers(weights, what, line)
            if isinstance(weights, tuple):  # whoever is asked again by the same object knows it by that
                self._known.weights[id(weights)] = weights, numbers
        try:
            chosen = self._source.choose(numbers)
        except Exception as error:
            raise Passed(error) from None
        self.taken.append(chosen)
        return chosen

    def _numbers(self, weights: Sequence[Any], what: str, line: str) -> tuple[Any, ...]:
        numbers = [one if isinstance(one, Fraction) else one.number for one in weights]
        if not all(isinstance(one, (Fraction, ExponentialQuotient)) for one in numbers):
            numbers = [one if isinstance(one, Fraction) else enclosed_share(one) for one in numbers]
            if None in numbers:
                raise Refusal(
                    f"{line}: {what} has a probability that is not known exactly: compute it in the function, by + - "
                    "* / and exp, or give it as a parameter"
                )
            if any(isinstance(one, EnclosedShare) and one.is_wide for one in numbers):
                self._known.documented.add(f"{NEARBY} {line}")
        return tuple(numbers)


_SIGNS = re.compile(r"\s|-(?=0\.0*(?!\d))")
"""Spaces and the signs of zeros, which texts of equal outcomes may differ by."""

_TAKES_NOTHING = GeneratorPlace(SOURCE, "")


class ReadMechanism:
    """A mechanism whose source is read, on one data set after another.

    Args:
        function: of a data set and its parameters.
        parameters: its own; a fraction is given as the nearest float.
        is_own: whether a file is the program's own.
        place: where it takes a generator.
        shares: at which shares of the intervals of its draws each path is run again.
        are_doubles: whether doubles decide, and not the real numbers that they stand for.

    Attributes:
        has_doubles: whether a double decided a draw.
    """

    kind = READ

    def __init__(
        self,
        function: Callable[..., Any],
        parameters: Mapping[str, Any],
        is_own: Callable[[str], bool],
        place: GeneratorPlace = _TAKES_NOTHING,
        shares: Sequence[Fraction] = (NEAR, 1 - NEAR),
        *,
        are_doubles: bool = False,
    ) -> None:
        self._shares = shares
        self._are_doubles = are_doubles
        self.has_doubles = False
        self._known = _Known()
        self._place = place
        self._function = function
        self._given = {name: value for name, value in parameters.items() if isinstance(value, Fraction)}
        self._parameters = {**parameters, **{name: float(value) for name, value in self._given.items()}}
        self._is_own = cache(is_own)
        self._outputs = PlainOutputs()
        modules = own_modules(is_own)
        self._replays = Replays(modules)
        self._is_changed = are_changed()
        if isinstance(function, FunctionType):  # once for all copies of this process
            written(function)
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
        kind = READ_AS_DOUBLES if self._are_doubles else READ
        return [kind, *(word for word, is_said in said.items() if is_said), *sorted(self._known.documented)]

    @staticmethod
    def told_to_copies() -> list[Any]:
        """What this process knows, for those that are copied later."""
        return [told_components(), told_maxima()]

    @staticmethod
    def learn(told: Sequence[Any]) -> None:
        """Know from now on what a copy has told, if it has."""
        for learn, known in zip((learn_components, learn_maxima), told, strict=False):
            learn(known)

    def program(self, point: Any) -> Callable[[Source], Any]:
        """The mechanism on a data set, which has the decisions of before, of other data sets too: it compares them."""
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
                f"{self._seeded} fixes what is drawn: the release is then a function of the data; leave that out"
            )
        path = _OnSource(source, self._known)
        while True:
            try:
                return self._along(path, point)
            except Reopened as again:
                self._known.opened.add(again.line)
                path.restart()

    def _along(self, path: _OnSource, point: Any) -> Outcome:
        SEEN.clear()
        table = DrawTable(DOUBLE_TABLES if self._are_doubles else TABLES)
        evaluator = Evaluator(path, table, self._is_own, are_doubles=self._are_doubles)
        drawn = evaluator.meanings.drawn
        for name, value in self._given.items():
            evaluator.meanings.shadows.note(self._parameters[name], Exact(value))
        try:
            read = self._called(partial(evaluator.call, self._function), point, self._generator)
            if SEEN:
                raise SEEN[0]
            if isinstance(read.value, RecursionError):
                raise evaluator.refuse("recursion without an end, or too deep, is not read")
            if read.is_raised and is_symbolic(read.value.args):
                raise evaluator.refuse("an exception holds a number that is drawn")
            if isinstance(drawn, DrawnDoubles):
                read = replace(read, value=drawn.released(read.value))
                self._known.documented |= drawn.documented
                self.has_doubles |= drawn.has_doubles or bool(drawn.documented)
            released = Releasing(drawn, evaluator.refuse)(read.value)
            if is_symbolic(released):
                if isinstance(read.value, PASS_NUMBERS):
                    raise evaluator.refuse("the number of a loop's passes is released: its values have no last one")
                kind = type(read.value).__name__.removeprefix("Drawn")
                raise evaluator.refuse(
                    f"{kind} with numbers that are drawn is released: return numbers, lists, tuples, dicts or arrays"
                )
            points = [drawn.point(share) for share in (self._shares if drawn.is_used else self._shares[:1])]
        except Reopened:
            raise
        except Passed as passed:
            raise passed.error from None
        except (Refusal, InputError) as error:
            raise InputError(str(error)) from None
        for lies in points:
            feed = Feed(evaluator.draws.record, lies)
            again = Outcome(None)
            with self._replays.feeding(feed, has_system=table.has_system), suppress(ReplayError):
                given = self._generator and self._replays.like(self._generator)
                again = self._called(lambda given, named: self._function(*given, **named), point, given)
            is_fed = feed.is_used_up and feed.error is None
            if not is_fed or read.is_raised != again.is_raised or not same(feed.outcome(read.value), again.value):
                shown = "a number that is drawn" if is_symbolic(read.value) else repr(read.value)
                raise InputError(_differing(shown, again.value, has_reals=drawn.is_used))
        return replace(read, value=released)

    @property
    def _generator(self) -> Any:
        """What the function is given to draw from; None where it takes nothing."""
        return {NUMPY: TOKENS[GENERATOR], PYTHON: TOKENS[PYTHON_RANDOM]}.get(self._place.kind)

    def _called(self, call: Callable[..., Any], point: Any, generator: Any) -> Outcome:
        given: tuple[Any, ...] = (point if is_immutable(point) else copy.deepcopy(point),)
        named = dict(self._parameters)
        if generator is not None and self._place.name:
            named[self._place.name] = generator
        elif generator is not None:
            given = (*given, generator)
        try:
            return Outcome(call(given, named))
        except InputError:
            raise
        except Exception as error:
            return Outcome(error, is_raised=True)


def _differing(read: str, run: Any, *, has_reals: bool) -> str:
    """What is said of an outcome that is another one when Python runs the function."""
    said = f"one path gives {read}, and run by Python {run!r}"
    if getattr(run, "shape", None) == () and type(run).__name__ == "ndarray":
        return f"{said}: an array without dimension: write float(…)"
    if re.sub(_SIGNS, "", read) == re.sub(_SIGNS, "", repr(run)):
        return f"{said}: the sign of a zero depends on a draw: add 0.0 to it"
    doubles = "doubles must not round or overflow here where real numbers do not, and " if has_reals else ""
    return (
        f"{said}: {doubles}the function must keep nothing between calls, and not look at how it is run; if it does "
        "neither, please report it"
    )
