"""A function of the user's own, as the auditor knows it: by its name and what it answers, never by running it here.

Everything is computed twice, in two processes with different hash seeds that meet the data sets and the choices in
different orders, and compared (`verify.laws.agreed_laws`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.open_parameter import open_parameter
from stirred.verify.engines.workload import UNLIMITED, Part, Workload
from stirred.verify.laws.agreed_laws import (
    ForeignLaws,
    agreed_laws,
    agreed_values,
    values_in_all_orders,
)
from stirred.verify.laws.generator_scope import with_generator
from stirred.verify.laws.messages import RUNS, TREE, encoded
from stirred.verify.laws.pair_values import DISTANCE, DIVERGENCE
from stirred.verify.laws.record_orders import other_orders, rotated
from stirred.verify.outside.process import Interpreter, collected
from stirred.verify.outside.set_orders import MORE_SEEDS

__all__ = ["DEFAULT_LIMITS", "AuditedFunction", "ForeignFunction", "Limits", "check_functions"]


@dataclass(frozen=True)
class Limits:
    """Under what limits foreign code runs.

    Attributes:
        choices: random choices that a mechanism may make on one data set.
        seconds: for one claim.
        imports: modules that may be loaded from elsewhere than beside the claim file.
        jobs: processes that may share the work on the library's mechanisms; a program that is not guarded against
            being imported by them must leave it at 1.
        generator: what mechanisms draw from where nothing else says it: "numpy", "random" or "source".
    """

    choices: int = 1_000_000
    seconds: int = 60
    imports: tuple[str, ...] = ()
    jobs: int = 1
    generator: str | None = None


DEFAULT_LIMITS = Limits()


class AuditedFunction(ABC):
    """A function of the user's own whose laws are asked for in other processes."""

    @property
    @abstractmethod
    def identity(self) -> Hashable:
        """Functions with one identity are one function."""

    @property
    @abstractmethod
    def file(self) -> Path | None:
        """The file that it is written in; None where none is known."""

    def check_place(self, imports: Sequence[str]) -> None:  # noqa: B027 what is loaded already may lie anywhere
        """Refuse a module that may not be imported."""

    @abstractmethod
    def laws(
        self,
        points: Sequence[Any],
        parameters: Mapping[str, Any],
        limits: Limits,
        *,
        is_ordered: bool,
        workload: Workload = UNLIMITED,
    ) -> ForeignLaws:
        """The function's law on every data set, as a mechanism.

        The workload is told how many data sets are done in the process that meets them in their order.

        Raises:
            InputError: it fails on a data set, its weights or outputs are unusable, it exceeds its choices or its time,
                or its law depends on more than the data set.
            EngineError: an exact law disagrees with its independent value.
        """


@dataclass(frozen=True)
class ForeignFunction(AuditedFunction):
    """A function that a claim file names.

    Attributes:
        where: the file and key, for messages.
        reference: "module:function".
        directory: the claim's folder, where its module is.
        generator: what the claim says that it draws from.
    """

    where: str
    reference: str
    directory: Path
    generator: str | None = None

    def __post_init__(self) -> None:
        module, _, name = self.reference.partition(":")
        if not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
            raise InputError(f"{self.where} must be 'module:function'; got {self.reference!r}")

    @property
    def identity(self) -> tuple[Path, str, str | None]:
        """The folder, the name and the generator."""
        return self.directory, self.reference, self.generator

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
        return values_in_all_orders(
            self.where, tuple(points), lambda given: self._twice(given, limits), is_ordered=is_ordered
        )

    def distances(self, pairs: Sequence[tuple[Any, Any]], limits: Limits) -> dict[tuple[Any, Any], str]:
        """The function's value on pairs of data sets, as a text of `verify.laws.pair_values`.

        Raises:
            InputError: it fails on a pair, or its value is no exact number, or depends on more than the pair.
        """
        asked = [[self.where, self.reference, list(map(encoded, order)), None] for order in (pairs, rotated(pairs))]
        return dict(zip(pairs, self._of_pairs(pairs, asked, limits, DISTANCE), strict=True))

    def divergences(self, laws: Sequence[Any], pairs: Mapping[str, tuple[int, int]], limits: Limits) -> dict[str, str]:
        """The function's value on pairs of laws, by the names of the pairs, as such a text.

        Raises:
            InputError: as `distances`.
        """
        names = tuple(pairs)
        listed = [[[name, list(pairs[name])] for name in order] for order in (names, rotated(names))]
        asked = [[self.where, self.reference, order, list(laws)] for order in listed]
        return dict(zip(names, self._of_pairs(names, asked, limits, DIVERGENCE), strict=True))

    def _of_pairs(self, points: Sequence[Any], asked: Sequence[Any], limits: Limits, what: str) -> tuple[str, ...]:
        requests = [_request(self.directory, limits, pairs=[one]) for one in asked]
        first, second = _answers(requests, limits, f"{self.where}: {self.reference}")
        return agreed_values(self.where, points, (first, second), what)

    def _twice(self, points: Sequence[Any], limits: Limits) -> tuple[str, ...]:
        orders = [list(points), rotated(points)]
        asked = [
            _request(self.directory, limits, invariants=[[self.where, self.reference, list(map(encoded, order))]])
            for order in orders
        ]
        first, second = _answers(asked, limits, f"{self.where}: {self.reference}")
        return agreed_values(self.where, points, (first, second), "an invariant")

    def laws(
        self,
        points: Sequence[Any],
        parameters: Mapping[str, Any],
        limits: Limits,
        *,
        is_ordered: bool,
        workload: Workload = UNLIMITED,
    ) -> ForeignLaws:
        opened = open_parameter(parameters)
        extras = [] if is_ordered else list(other_orders(points))
        what = f"{self.where}: {self.reference}"
        tree = self._request_laws(TREE, points, [given for _, given in extras], parameters, limits)
        runs = self._request_laws(RUNS, rotated(points), [], parameters, limits)
        with workload.part("laws", len(points)) as part:
            one, other = _answers((tree, runs), limits, what, part=part)
        again = partial(_answers, (runs,) * len(MORE_SEEDS), limits, what, seeds=MORE_SEEDS)
        found = agreed_laws(self.where, points, extras, (one, other), choices=limits.choices, opened=opened, more=again)
        return with_generator(self.where, found, one)

    def _request_laws(
        self, listing: str, points: Sequence[Any], extras: Sequence[Any], parameters: Mapping[str, Any], limits: Limits
    ) -> dict[str, Any]:
        named = {name: encoded(value) for name, value in parameters.items()}
        given = [list(map(encoded, points)), list(map(encoded, extras))]
        mechanism = [self.where, self.reference, named, *given]
        generator = [self.generator, limits.generator]
        return _request(self.directory, limits, mechanism=mechanism, listing=listing, generator=generator)


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
    _answers([_request(functions[0].directory, limits, load=load)], limits, what)


def _answers(
    requests: Sequence[Mapping[str, Any]],
    limits: Limits,
    what: str,
    *,
    seeds: Sequence[int] = (0, 1),
    part: Part | None = None,
) -> list[Mapping[str, Any]]:
    """What interpreters with these hash seeds answer to their requests (see `verify.laws.worker`), at the same time."""
    begun = [partial(Interpreter, one, seed, limits.seconds) for one, seed in zip(requests, seeds, strict=False)]
    return collected(begun, seconds=limits.seconds, what=what, part=part)


def _request(directory: Path, limits: Limits, **asked: Any) -> dict[str, Any]:
    nothing: dict[str, Any] = {"load": [], "invariants": [], "pairs": [], "mechanism": None}
    nothing |= {"listing": TREE, "generator": [None, None]}
    fixed = {"directory": str(directory), "imports": list(limits.imports), "choices": limits.choices}
    return {**nothing, **fixed, **asked}
