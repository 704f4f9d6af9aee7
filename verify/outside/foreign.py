"""A function of the user's own, as the auditor knows it: by its name and what it answers, never by running it here.

Everything is computed twice, in two processes with different hash seeds that meet the data sets and the choices in
different orders; laws are summed here, from choice trees, and compared exactly. On an unordered domain the same data
set is given in several orders of its records, and its law must be the same in all of them.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

from mechanisms.choice_runs import Runs, run_masses
from mechanisms.choice_tree import ChoiceTree, tree_law
from spec.arguments import InputError
from spec.law import Law
from verify.engines.likelihood import approximate_masses, check_against
from verify.evidence.finding import EngineError
from verify.outside.messages import (
    NODES_PER_CHOICE,
    RUNS,
    TREE,
    AnswerError,
    encoded,
    read_nodes,
    read_texts,
    read_weights,
)
from verify.outside.process import answers

__all__ = ["DEFAULT_LIMITS", "ForeignFunction", "ForeignLaws", "Limits", "arrangements", "check_functions"]

_ALL_ORDERS = 24
"""Data sets with at most so many distinct orders are tried in all of them, others in so many."""

_EFFECT = (
    "the mechanism must depend on its data and its source only, and an attempt must have no effect besides its result: "
    "two computations of its law, in processes with different hash seeds, differ"
)


@dataclass(frozen=True)
class Limits:
    """Under what limits foreign code runs.

    Attributes:
        choices: random choices that a mechanism may make on one data set.
        seconds: for one claim.
        imports: modules that may be loaded from elsewhere than beside the claim file.
    """

    choices: int = 1_000_000
    seconds: int = 60
    imports: tuple[str, ...] = ()


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True)
class ForeignFunction:
    """A function that a claim file names.

    Attributes:
        where: the file and key, for messages.
        reference: "module:function".
        directory: the claim's folder, where its module is.
    """

    where: str
    reference: str
    directory: Path

    def __post_init__(self) -> None:
        module, _, name = self.reference.partition(":")
        if not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
            raise InputError(f"{self.where} must be 'module:function'; got {self.reference!r}")

    @property
    def identity(self) -> tuple[Path, str]:
        """The folder and the name: functions with one identity are one function."""
        return self.directory, self.reference

    @property
    def file(self) -> Path | None:
        """The file of its module beside the claim file; None where there is none."""
        place = self.directory.joinpath(*self.reference.partition(":")[0].split("."))
        files = (place.with_suffix(".py"), place / "__init__.py")
        return next((file for file in files if file.is_file()), None)

    def check_place(self, imports: Sequence[str]) -> None:
        """Refuse a module that neither lies beside the claim file nor may be imported.

        Raises:
            InputError: it is neither.
        """
        module = self.reference.partition(":")[0]
        if module in imports or self.file is not None:
            return
        raise InputError(
            f"{self.where}: no module {module!r} beside the claim file, in {self.directory}; if an installed module is "
            f"meant, and its code may run, say --import {module}"
        )

    def values(self, points: Iterable[Any], limits: Limits, *, is_ordered: bool) -> dict[Any, str]:
        """The function's value on every data set, as its canonical text.

        Raises:
            InputError: it fails on a data set, or its value depends on more than the data set.
        """
        listed = [(point, point) for point in points]
        if not is_ordered:
            listed += [(point, other) for point, _ in listed for other in islice(arrangements(point), _ALL_ORDERS)]
        found = self._twice([given for _, given in listed], limits)
        values: dict[Any, str] = {}
        for (point, given), value in zip(listed, found, strict=True):
            if values.setdefault(point, value) != value:
                raise InputError(
                    f"{self.where}: an invariant must not depend on the order of records in an unordered domain; the "
                    f"data set {point!r} has {values[point]}, in the order {given!r} {value}"
                )
        return values

    def _twice(self, points: Sequence[Any], limits: Limits) -> tuple[str, ...]:
        orders = [list(points), _rotated(points)]
        asked = [
            _request(self.directory, limits, invariants=[[self.where, self.reference, list(map(encoded, order))]])
            for order in orders
        ]
        first, second = answers(asked, seconds=limits.seconds, what=f"{self.where}: {self.reference}")
        try:
            ((one,), (other,)) = first["values"], second["values"]
            texts, again = read_texts(one), _rotated_back(read_texts(other))
        except (KeyError, TypeError, ValueError) as error:
            raise _malformed(self.where, error) from None
        if len(texts) != len(points) or len(again) != len(points):
            raise _malformed(self.where, None)
        for point, value, other in zip(points, texts, again, strict=True):
            if value != other:
                raise InputError(
                    f"{self.where}: on the data set {point!r}: an invariant must depend on its data only; two "
                    "processes gave different values"
                )
        return texts

    def laws(
        self, points: Sequence[Any], parameters: Mapping[str, Any], limits: Limits, *, is_ordered: bool
    ) -> ForeignLaws:
        """The function's law on every data set, as a mechanism.

        Raises:
            InputError: it fails on a data set, its weights or outputs are unusable, it exceeds its choices or its time,
                or its law depends on more than the data set.
            EngineError: an exact law disagrees with its independent value.
        """
        extras = [] if is_ordered else list(_round_robin(points))
        tree, runs = answers(
            [
                self._request_laws(TREE, points, [given for _, given in extras], parameters, limits),
                self._request_laws(RUNS, _rotated(points), [], parameters, limits),
            ],
            seconds=limits.seconds,
            what=f"{self.where}: {self.reference}",
        )
        most = limits.choices * NODES_PER_CHOICE
        followed = _Listing(self.where, tree, most)
        listed = _Listing(self.where, runs, most)
        if not len(points) <= len(followed) <= len(points) + len(extras) or len(listed) != len(points):
            raise _malformed(self.where, None)
        laws: dict[Any, Law[str]] = {}
        for index, (point, other) in enumerate(zip(points, _rotated_back(range(len(points))), strict=True)):
            laws[point] = _agreed(self.where, point, followed.tree(index), listed.runs(other))
        tried = Counter[int]()
        for index, (owner, given) in enumerate(extras[: len(followed) - len(points)], start=len(points)):
            point = points[owner]
            tried[owner] += 1
            if tree_law(followed.tree(index)) != laws[point]:
                raise InputError(
                    f"{self.where}: the mechanism must not depend on the order of records in an unordered domain; its "
                    f"laws on {point!r} and on the same records in the order {given!r} differ"
                )
        return ForeignLaws(laws, _orders_text(points, tried, len(extras)))

    def _request_laws(
        self, listing: str, points: Sequence[Any], extras: Sequence[Any], parameters: Mapping[str, Any], limits: Limits
    ) -> dict[str, Any]:
        named = {name: encoded(value) for name, value in parameters.items()}
        given = [list(map(encoded, points)), list(map(encoded, extras))]
        mechanism = [self.where, self.reference, named, *given]
        return _request(self.directory, limits, mechanism=mechanism, listing=listing)


@dataclass(frozen=True)
class ForeignLaws:
    """The laws of a foreign mechanism; its outputs are canonical texts.

    Attributes:
        laws: by data set.
        assumed: what was compared, and what is assumed, in words for the scope.
    """

    laws: dict[Any, Law[str]]
    assumed: str


def check_functions(functions: Sequence[ForeignFunction], limits: Limits) -> None:
    """Refuse functions that cannot be loaded.

    Raises:
        InputError: a module cannot be imported, or has no such function.
    """
    if not functions:
        return
    for function in functions:
        function.check_place(limits.imports)
    load = [[function.where, function.reference] for function in functions]
    what = f"{functions[0].where}: {functions[0].reference}"
    answers([_request(functions[0].directory, limits, load=load)], seconds=limits.seconds, what=what)


def _request(directory: Path, limits: Limits, **asked: Any) -> dict[str, Any]:
    nothing: dict[str, Any] = {"load": [], "invariants": [], "mechanism": None, "listing": TREE}
    fixed = {"directory": str(directory), "imports": list(limits.imports), "choices": limits.choices}
    return {**nothing, **fixed, **asked}


def _malformed(where: str, error: Exception | None) -> InputError:
    if isinstance(error, AnswerError):
        return InputError(f"{where}: {error}")
    return InputError(f"{where}: its process wrote something else than its answer")


class _Listing:
    """The trees of one answer, checked as they are read."""

    def __init__(self, where: str, answer: Mapping[str, Any], most: int) -> None:
        self._where = where
        self._most = most
        try:
            self._weights = read_weights(answer["weights"])
            self._outputs = read_texts(answer["outputs"])
            self._trees = answer["trees"]
            if not isinstance(self._trees, list) or len(set(self._outputs)) != len(self._outputs):
                raise _malformed(where, None)
        except (KeyError, InputError) as error:
            raise _malformed(where, error) from None

    def __len__(self) -> int:
        return len(self._trees)

    def tree(self, index: int) -> ChoiceTree:
        return ChoiceTree(*self._parts(index))

    def runs(self, index: int) -> Runs:
        return Runs(*self._parts(index))

    def _parts(self, index: int) -> tuple[list[tuple[Fraction, ...]], list[str], tuple[int, ...]]:
        try:
            rows, names, nodes = self._trees[index]
            if not all(type(place) is int and place >= 0 for place in (*rows, *names)):
                raise _malformed(self._where, None)
            weights, outputs = [self._weights[row] for row in rows], [self._outputs[name] for name in names]
            return weights, outputs, read_nodes(nodes, self._most)
        except (IndexError, TypeError, ValueError) as error:
            raise _malformed(self._where, error) from None


def _agreed(where: str, point: Any, tree: ChoiceTree, runs: Runs) -> Law[str]:
    """The law that both listings give."""
    place = f"{where}: on the data set {point!r}"
    try:
        law = tree_law(tree)
        masses = run_masses(runs, lambda weight: weight)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    if dict(law) != masses:
        raise InputError(f"{place}: {_EFFECT}")
    try:
        check_against(law, approximate_masses(runs), "law")
    except EngineError as error:
        raise EngineError(f"{place}: {error}") from None
    return law


def _rotated(points: Sequence[Any]) -> list[Any]:
    """The data sets in an order in which none stands where it stood: code that counts its calls is told apart."""
    middle = (len(points) + 1) // 2
    return [*points[middle:], *points[:middle]]


def _rotated_back(points: Sequence[Any]) -> list[Any]:
    middle = len(points) // 2
    return [*points[middle:], *points[:middle]]


def arrangements(point: Any) -> Iterator[Any]:
    """Other orders of a data set's records: all of them where there are few, else telling ones and a random sample."""
    if not isinstance(point, tuple) or len(set(point)) < 2:
        return
    seen = {point}
    candidates = _all_orders(point) if _count_orders(point) <= _ALL_ORDERS else _some_orders(point)
    for other in candidates:
        if other not in seen:
            seen.add(other)
            yield other


def _count_orders(point: tuple[Any, ...]) -> int:
    return math.factorial(len(point)) // math.prod(map(math.factorial, Counter(point).values()))


def _all_orders(point: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if not point:
        yield ()
    for record in reversed(dict.fromkeys(point)):
        place = point.index(record)
        yield from ((record, *rest) for rest in _all_orders(point[:place] + point[place + 1 :]))


def _some_orders(point: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The reverse, every exchange of neighbours, every rotation, then random orders."""
    yield point[::-1]
    places = range(len(point) - 1)
    yield from ((*point[:i], point[i + 1], point[i], *point[i + 2 :]) for i in places)
    yield from (point[i + 1 :] + point[: i + 1] for i in places)
    generator = random.Random(len(point))  # noqa: S311 a fixed sample, the same in every run
    for _ in range(_ALL_ORDERS):
        yield tuple(generator.sample(point, len(point)))


def _round_robin(points: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """The other orders of every data set, with its place: the first of each, then the second of each, and so on."""
    waiting = [(place, islice(arrangements(point), _ALL_ORDERS)) for place, point in enumerate(points)]
    while waiting:
        still = []
        for place, others in waiting:
            if (other := next(others, None)) is not None:
                yield place, other
                still.append((place, others))
        waiting = still


def _orders_text(points: Sequence[Any], tried: Counter[int], extras: int) -> str:
    assumed = "if all of its randomness comes from its source, whoever runs it"
    if not extras:
        return assumed
    possible = [(place, _count_orders(point) - 1) for place, point in enumerate(points) if isinstance(point, tuple)]
    if all(tried[place] == count for place, count in possible):
        return f"each data set in all orders of its records; {assumed}"
    least = min(tried[place] + 1 for place, count in possible if tried[place] < count)
    return f"each data set in all orders of its records, or in {least} or more of them; {assumed}"
