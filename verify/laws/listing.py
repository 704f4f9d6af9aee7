"""What foreign code does, listed as texts and integers by the process that runs it: values, choice trees and runs.

Whatever the code raises becomes one line that names the data set and, where it is known, the line of the code.
"""

from __future__ import annotations

import importlib
import inspect
import math
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from operator import is_
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

from stirred.mechanisms.draws import unbounded_draw
from stirred.mechanisms.generators.kinds import SOURCE, GeneratorPlace, generator_place
from stirred.mechanisms.generators.native_mechanism import NativeMechanism
from stirred.mechanisms.interpreters.program_state import ProgramStates
from stirred.mechanisms.source import PublicSource, Raised, RestartError, Source, Weight, check_weights, is_raised
from stirred.spec.arguments import InputError
from stirred.spec.numbers.open_parameter import OpenValue
from stirred.verify.laws.kept_state import KeptState
from stirred.verify.laws.listing_tables import Listing, merged
from stirred.verify.laws.messages import DOUBLE, DOUBLES, TREE
from stirred.verify.laws.open_comparisons import OpenComparisons, opened_values
from stirred.verify.laws.plain import plain_text
from stirred.verify.laws.reachable_state import makes_memory
from stirred.verify.laws.sandbox.copies import batches, in_copy
from stirred.verify.laws.sandbox.own_code import PACKAGES, OwnParts
from stirred.verify.laws.sandbox.refused import REFUSED, refused
from stirred.verify.laws.sandbox.unwritten import check_written

if TYPE_CHECKING:
    from stirred.mechanisms.reading.read_mechanism import ReadMechanism

_LIBRARIES = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def line_of_code(error: BaseException) -> str:
    """`coins.py, line 3`; empty where the error was raised in no line of a user's own.

    Of a module that cannot be parsed it is the line at which the parser stopped.
    """
    if isinstance(error, SyntaxError) and error.filename and error.lineno and _is_own(error.filename):
        return f"{Path(error.filename).name}, line {error.lineno}"
    frames = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    own = [(Path(file).name, line) for file, line in frames if _is_own(file)]
    return f"{own[-1][0]}, line {own[-1][1]}" if own else ""


def _is_own(file: str) -> bool:
    path = Path(file)
    return path.is_absolute() and not any(path.is_relative_to(one) for one in (*PACKAGES, *_LIBRARIES))


_MORE_CHOICES = 50_000
"""Choices that may be made on further data sets, besides four times those made on the data sets themselves."""

_LONGEST_REHEARSAL = 10_000


@dataclass(frozen=True)
class Wanted:
    """What is to be listed of a mechanism.

    Attributes:
        listing: "tree" or "runs".
        choices: how many choices it may make on one data set.
        points: the data sets.
        more: further ones, as many of them in order as their choices allow.
        generator: what it draws from, "numpy", "random" or "source", where its annotation does not say it; or where
            it takes it.
        default: the same where nothing else says it.
        numerics: "real" or "double": in which numbers the claim speaks; None where it does not say.
        note: of what it is handed, for where it fails on that.
    """

    listing: str
    choices: int
    points: Sequence[Any]
    more: Sequence[Any] = ()
    generator: str | GeneratorPlace | None = None
    default: str | None = None
    numerics: str | None = None
    note: str = ""


def check_returns_output(where: str, reference: str, function: Any) -> None:
    """Refuse what is no function that returns its output."""
    if not callable(function):
        raise InputError(f"{where}: {reference!r} must be a function; got {type(function).__name__}")
    for is_of_kind, kind in ((inspect.iscoroutinefunction, "coroutine"), (inspect.isgeneratorfunction, "generator")):
        if is_of_kind(function):
            raise InputError(f"{where}: {reference!r} must be a function that returns its output; got a {kind}")


def contained_code(where: str, task: Callable[[], Any], *, hint: str = "", note: str = "") -> Any:
    """The result of a task; whatever foreign code raises in it becomes one line, with a hint at errors of types."""
    try:
        return _unrefused(task)
    except InputError as error:
        raise InputError(f"{where}: {error}{_at(error)}") from None
    except RecursionError:
        raise InputError(f"{where}: it recurses without end") from None
    except MemoryError:
        raise
    except BaseException as error:
        reason = hint if isinstance(error, TypeError) else ""
        raise InputError(f"{where}: it raised {_told(error)}{_at(error)}{reason}{note}") from None


def _unrefused(task: Callable[[], Any]) -> Any:
    """The result of a task in which nothing was refused; code can catch a refusal and go another way."""
    before = len(unbounded_draw.REFUSED)  # what the user's own process asked of draws is none of this task's
    found = task()
    if refusals := [*REFUSED, *unbounded_draw.REFUSED[before:]]:
        raise refusals[0]
    check_written()
    return found


def _at(error: BaseException) -> str:
    """The line of the user's code, in brackets; nothing where it is not known."""
    try:
        line = line_of_code(error)
    except Exception:  # foreign code may have changed what is asked here
        return ""
    return f" ({line})" if line else ""


def _told(error: BaseException) -> str:
    try:
        lines = str(error).splitlines() or [""]
    except Exception:  # its own text fails too
        lines = [""]
    return f"{type(error).__name__}{': ' if lines[0] else ''}{lines[0]}"


def value_texts(where: str, function: Callable[[Any], Any], points: Sequence[Any], what: str) -> list[str]:
    """The function's value on every data set as its canonical text, each computed twice."""

    def value(point: Any) -> str:
        found = function(point)
        if found is None:
            raise InputError(f"{what} must return a value; it returned None")
        try:
            text, again = plain_text(found), plain_text(function(point))
        except InputError as error:
            raise InputError(str(error).replace("an output", f"the value of {what}", 1)) from None
        if text != again:
            raise InputError(f"{what} is not deterministic: two calls returned different values")
        return text

    kept: KeptState = contained_code(where, partial(KeptState, function))

    def texts(batch: Sequence[Any]) -> list[str]:
        found = [contained_code(f"{where}: on the data set {point!r}", partial(value, point)) for point in batch]
        contained_code(where, partial(kept.check_unchanged, what))
        return found

    return [text for batch in batches(points) for text in in_copy(partial(texts, batch))]


def values_of(
    where: str, function: Callable[[Any], Any], points: Sequence[Any], what: str, _: Callable[[], None]
) -> dict[str, Any]:
    """The answer of `value_texts`; a task that a new interpreter does with what it has loaded."""
    return {"values": [value_texts(where, function, points, what)]}


def listed(
    where: str,
    function: Callable[..., Any],
    parameters: Mapping[str, Any],
    wanted: Wanted,
    done: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """The trees, or the runs, of a mechanism on its data sets, over common tables of weights, outputs and shapes.

    It also says whether the mechanism has to do with sets, and whether an output is one. Where its code tells values of
    an open parameter apart by comparing them, it says at which values instead.

    Args:
        where: the place, for messages.
        function: the mechanism.
        parameters: its own.
        wanted: what is to be listed.
        done: is called after each data set, not after further ones.
    """
    given, comparisons = opened_values(parameters)
    place: GeneratorPlace = contained_code(
        where, partial(generator_place, function, given, wanted.generator, wanted.default)
    )
    list_as = partial(_listed, where, function, wanted, done, opened=(given, comparisons))
    if place.kind == SOURCE and place.name != "":
        return list_as(NativeMechanism(function, given, place))
    reading = partial(_reading, function, given, place, wanted)
    return list_as(contained_code(where, reading))


def _reading(
    function: Callable[..., Any], parameters: Mapping[str, Any], place: GeneratorPlace, wanted: Wanted
) -> ReadMechanism:
    """The mechanism as it is read; each listing runs its paths again at one end of their intervals."""
    reading = importlib.import_module("stirred.mechanisms.reading.read_mechanism")
    for name, value in parameters.items():
        if isinstance(value, OpenValue):
            raise InputError(f"{name} must be a number, where the mechanism draws from a generator of floats")
    shares = [reading.NEAR if wanted.listing == TREE else 1 - reading.NEAR]
    found: ReadMechanism = reading.ReadMechanism(
        function, parameters, _is_own, place, shares, are_doubles=wanted.numerics == DOUBLE
    )
    return found


def _listed(
    where: str,
    function: Callable[..., Any],
    wanted: Wanted,
    done: Callable[[], None],
    mechanism: NativeMechanism | ReadMechanism,
    *,
    opened: tuple[Mapping[str, Any], OpenComparisons],
) -> dict[str, Any]:
    """What `listed` returns, of one way to run the mechanism."""
    given, comparisons = opened
    kept: KeptState = contained_code(where, partial(KeptState, function))
    if mechanism.kind == SOURCE and makes_memory(kept.holders):
        raise InputError(f"{where}: {refused('np.ndarray(…), which reads memory,')}")
    states = ProgramStates(kept.holders, kept.is_unchanged)
    parts = OwnParts()
    hint, note = _hint(given), wanted.note and f"; {wanted.note}"

    def list_batch(points: Sequence[Any], times: Sequence[int], sure: int, allowed: float) -> dict[str, Any]:
        """List data sets, each after so many rehearsals; the first `sure` ones, then while few choices were made."""
        listing = Listing(wanted.listing, wanted.choices, states, is_raising=mechanism.kind == SOURCE)
        try:
            for place, point in enumerate(points):
                if place >= sure and listing.choices > allowed:
                    break
                _rehearse(where, mechanism, point, times=times[place])
                kept.note_cached()
                program = mechanism.program(point)
                contained_code(
                    f"{where}: on the data set {point!r}", partial(listing.add, program), hint=hint, note=note
                )
                if sure == len(points):
                    done()
            contained_code(where, partial(kept.check_unchanged, "the mechanism"))
            if all(map(is_, points[:1], wanted.points[:1])):  # changes by a call need not be looked for in each copy
                contained_code(where, parts.check_unchanged)
            contained_code(where, comparisons.check_rational)
        except InputError:
            if not comparisons.cuts:
                raise
        said = {
            "choices": listing.choices,
            "cuts": list(map(str, comparisons.cuts)),
            "told": mechanism.told_to_copies(),
            "generator": [*mechanism.told, *([DOUBLES] if mechanism.has_doubles else [])],
        }
        reply = listing.reply()
        return {**reply, **said, "kinds": reply["kinds"] | mechanism.kinds}

    found: list[dict[str, Any]] = []
    told: list[Any] = []
    try:
        for batch in batches(range(len(wanted.points))):
            mechanism.learn(told)
            points = [wanted.points[index] for index in batch]
            times = [0 if wanted.listing == TREE else 1 + index % 3 for index in batch]
            found.append(in_copy(partial(list_batch, points, times, len(points), math.inf)))
            told = found[-1].pop("told")
        used = sum(one["choices"] for one in found)
        allowed, sure = 4 * used + _MORE_CHOICES, len(wanted.points)
        for more in batches(wanted.more, alone=0):
            if sure <= 0 and allowed < 0:
                break
            found.append(in_copy(partial(list_batch, more, [0] * len(more), sure, allowed)))
            sure -= len(more)
            allowed -= found[-1]["choices"]
    except InputError:
        if not any(one["cuts"] for one in found):
            raise
    return _answer(found, kept, partial(_check_returns, where, mechanism, wanted.points[0], hint, note))


def _answer(found: Sequence[Mapping[str, Any]], kept: KeptState, check_returns: Callable[[], None]) -> dict[str, Any]:
    """What is told of a mechanism whose data sets were listed in several copies; a broken call is refused."""
    cuts = {Fraction(cut) for one in found for cut in one["cuts"]}
    if cuts:
        return {"cuts": list(map(str, sorted(cuts)))}
    texts = [output for one in found for output in one["outputs"]]
    if texts and all(map(is_raised, texts)):
        in_copy(check_returns)
    told = dict.fromkeys(word for one in found for word in one["generator"])
    return {**merged(found), "sets": kept.has_sets, "generator": list(told)}


def _check_returns(where: str, mechanism: NativeMechanism | ReadMechanism, point: Any, hint: str, note: str) -> None:
    """Refuse a mechanism that raises whatever it draws and is given: a broken call is no mechanism."""

    def run() -> None:
        found = mechanism.program(point)(PublicSource(_Rehearsal()))
        raise InputError(f"it raised {str(found).removeprefix('raises ')}{note}")

    contained_code(f"{where}: on the data set {point!r}", run, hint=hint, note=note)


def _hint(parameters: Mapping[str, Any]) -> str:
    """What to write where a parameter is left open, or is a power of e."""
    names = " and ".join(name for name, value in parameters.items() if isinstance(value, OpenValue))
    return f"; {names} stands for a formula: combine it by + - * / ** with exact numbers only" if names else ""


def _rehearse(where: str, mechanism: NativeMechanism | ReadMechanism, point: Any, *, times: int) -> None:
    """Run a mechanism a few times to no effect: one that remembers its calls is then told apart by its runs."""

    def run() -> None:
        try:
            with suppress(RestartError):
                mechanism.program(point)(PublicSource(_Rehearsal()))
        except Exception as error:
            Raised(error)

    for _ in range(times):
        contained_code(f"{where}: on the data set {point!r}", run)


class _Rehearsal(Source):
    """One path of choices: each outcome that is possible in turn, so that no loop goes on for ever."""

    def __init__(self) -> None:
        self._made = 0

    def choose(self, weights: Sequence[Weight | int]) -> int:
        possible = [index for index, weight in enumerate(check_weights(weights)) if weight]
        self._made += 1
        if self._made > _LONGEST_REHEARSAL:
            raise RestartError
        return possible[self._made % len(possible)]

    def attempt(self, body: Callable[[Source], Any]) -> Any:
        return body(PublicSource(self))
