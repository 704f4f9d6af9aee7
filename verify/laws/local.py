"""A function of the user's own that lives in this process: a closure, a lambda, a function of a notebook or a test.

It is computed twice, in a copy of this process and in a new interpreter, which meet the data sets and the choices in
different orders, and compared. A function that cannot be made again in a new interpreter is computed in two copies:
they share the hashes of texts and the addresses of objects, what depends on those is not seen, and the scope says so.
"""

import functools
import importlib
import inspect
import os
import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from stirred.mechanisms.generators.kinds import SOURCE, GeneratorPlace, generator_place
from stirred.spec.numbers.open_parameter import open_parameter
from stirred.verify.evidence.process_control.workload import Part, part
from stirred.verify.laws.agreed_laws import ForeignLaws, agreed_laws, agreed_values, finite_laws, values_in_all_orders
from stirred.verify.laws.carried_data import handed
from stirred.verify.laws.foreign import DEFAULT_LIMITS, AuditedFunction, Limits, with_generator
from stirred.verify.laws.listing import Wanted, check_returns_output, listed, values_of
from stirred.verify.laws.messages import RUNS, TREE, in_one_symbol, in_the_same_symbol
from stirred.verify.laws.pair_values import DISTANCE, DIVERGENCE, OfDataSets, OfLaws
from stirred.verify.laws.record_orders import other_orders, rotated
from stirred.verify.laws.sandbox.forked import Forked, Task
from stirred.verify.laws.sandbox.own_code import own_code
from stirred.verify.laws.sandbox.process import Child, Interpreter, collected
from stirred.verify.laws.sandbox.set_orders import MORE_SEEDS
from stirred.verify.laws.sent_function import carried

_SHARED = "and that nothing depends on text hashes or addresses, which its two runs share"


@dataclass(frozen=True, eq=False)
class LocalFunction(AuditedFunction):
    """A function of this process.

    Attributes:
        generator: what a mechanism draws from, where its annotation does not say it.
        originals: the data sets that points stand for, where they are something else.
    """

    where: str
    function: Callable[..., Any]
    generator: str | None = None
    limits: Limits = DEFAULT_LIMITS
    originals: Mapping[Any, Any] = field(default_factory=dict)
    numerics: str | None = None

    def __post_init__(self) -> None:
        check_returns_output(self.where, self.name, self._inner)

    @cached_property
    def name(self) -> str:
        """The function as "module:function".

        >>> LocalFunction("mechanism", len).name
        'builtins:len'
        """
        inner = self._inner
        named = inner if hasattr(inner, "__qualname__") else type(inner)
        return f"{named.__module__}:{named.__qualname__}"

    @property
    def _inner(self) -> Any:
        """The function without decorators that keep it and arguments that are bound already."""
        inner: Any = self.function
        while isinstance(inner, functools.partial):
            inner = inner.func
        return inspect.unwrap(inner) if callable(inner) else inner

    @property
    def identity(self) -> Hashable:
        """The function itself."""
        return self.function

    @property
    def file(self) -> Path | None:
        """The file that it is written in; None where none is known."""
        try:
            found = inspect.getsourcefile(self._inner)
        except TypeError:
            return None
        return None if found is None else Path(found)

    @property
    def _folder(self) -> Path:
        """Where its code is: what lies there may be read."""
        inner = self._inner
        call = inner if hasattr(inner, "__qualname__") else type(inner).__call__
        code = getattr(getattr(call, "__func__", call), "__code__", None)
        file = Path(code.co_filename) if code is not None else Path()
        return file.resolve().parent if file.is_file() else Path.cwd()

    def laws(self, points: Sequence[Any], parameters: Mapping[str, Any], *, is_ordered: bool) -> ForeignLaws:
        opened = open_parameter(parameters)
        extras = [] if is_ordered else list(other_orders(points))
        generator = generator_place(self.function, parameters, self.generator, self.limits.generator)
        if generator == GeneratorPlace(SOURCE, "") or generator.kind != SOURCE:  # copies can load nothing that draws
            importlib.import_module("stirred.mechanisms.reading.read_mechanism")
        most = self.limits.choices
        data = handed(self.originals, points)
        first = Wanted(TREE, most, data, [given for _, given in extras], generator, numerics=self.numerics)
        second = Wanted(RUNS, most, rotated(data), generator=generator, numerics=self.numerics)
        tasks = [partial(listed, self.where, self.function, parameters, wanted) for wanted in (first, second)]
        with part("laws", len(points)) as done:
            given, is_new = self._asked(tasks, done)
        answers, exponential = in_one_symbol(given)
        opened = exponential or opened

        def more() -> list[Mapping[str, Any]]:
            return in_the_same_symbol(given, exponential, self._again(tasks[1])) if is_new else []

        found = agreed_laws(self.where, points, extras, answers, choices=most, opened=opened, more=more)
        found = finite_laws(self.where, found, exponential)
        found = with_generator(self.where, found, answers[0])
        return found if is_new else replace(found, assumed=f"{found.assumed}, {_SHARED}")

    def values(self, points: Sequence[Any], *, is_ordered: bool, what: str = "an invariant") -> dict[Any, str]:
        """The function's value on every data set, as its canonical text."""

        def ask(given: Sequence[Any]) -> Sequence[str]:
            data = handed(self.originals, given)
            tasks = [partial(values_of, self.where, self.function, order, what) for order in (data, rotated(data))]
            listings, _ = self._asked(tasks)
            return agreed_values(self.where, given, listings, what)

        return values_in_all_orders(self.where, points, ask, is_ordered=is_ordered)

    def distances(self, pairs: Sequence[tuple[Any, Any]]) -> dict[tuple[Any, Any], str]:
        """As `ForeignFunction.distances`."""
        return replace(self, function=OfDataSets(self.function)).values(pairs, is_ordered=True, what=DISTANCE)

    def divergences(self, laws: Sequence[Any], pairs: Mapping[str, tuple[int, int]]) -> dict[str, str]:
        """As `ForeignFunction.divergences`."""
        of_laws = replace(self, function=OfLaws(self.function, laws, pairs))
        return of_laws.values(tuple(pairs), is_ordered=True, what=DIVERGENCE)

    def _asked(
        self, tasks: Sequence[Task], part: Part | None = None
    ) -> tuple[tuple[Mapping[str, Any], Mapping[str, Any]], bool]:
        """What a copy of this process answers to the first of two tasks, and a new interpreter to the second.

        Returns:
            The answers, and whether the second is a new interpreter's, or a copy's too.
        """
        what, seconds = f"{self.where}: {self.name}", self.limits.seconds
        first, second = (partial(Forked, task, self._folder, seconds) for task in tasks)
        new = self._in_new_interpreter(tasks[1], 2 if os.environ.get("PYTHONHASHSEED") == "1" else 1)
        one, other = collected((first, new or second), seconds=seconds, what=what, part=part)
        if "stays" not in other:
            return (one, other), new is not None
        (other,) = collected((second,), seconds=seconds, what=what)
        return (one, other), False

    def _again(self, task: Task) -> list[Mapping[str, Any]]:
        """What further interpreters, with other hashes, answer to a task that one has done."""
        begun = [self._in_new_interpreter(task, seed) for seed in MORE_SEEDS]
        what = f"{self.where}: {self.name}"
        return collected([one for one in begun if one is not None], seconds=self.limits.seconds, what=what)

    def _in_new_interpreter(self, task: Task, seed: int) -> Callable[[], Child] | None:
        """How to begin a task in a new interpreter; None where it cannot be taken there."""
        text = carried(task, own_code(self._folder))
        if text is None:
            return None
        folders = [entry or str(Path.cwd()) for entry in sys.path]
        request = {"directory": str(self._folder), "folder": str(Path.cwd()), "folders": folders, "carried": text}
        return partial(Interpreter, request, seed, self.limits.seconds)
