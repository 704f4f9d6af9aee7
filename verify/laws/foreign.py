"""A function of the user's own, as the auditor knows it: by its name and what it answers, never by running it here.

Everything is computed twice, in two processes with different hash seeds that meet the data sets and the choices in
different orders, and compared (`verify.laws.agreed_laws`).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from stirred.mechanisms.generators.kinds import GENERATORS, MONOTONE, NEARBY, READ, READ_AS_DOUBLES
from stirred.spec.arguments import InputError, positive_integer, shown
from stirred.spec.numbers.open_parameter import open_parameter
from stirred.verify.evidence.process_control.workload import Part, part
from stirred.verify.laws.agreed_laws import (
    ForeignLaws,
    agreed_laws,
    agreed_values,
    finite_laws,
    malformed,
    values_in_all_orders,
)
from stirred.verify.laws.messages import DOUBLES, RUNS, TREE, encoded, in_one_symbol, in_the_same_symbol
from stirred.verify.laws.pair_values import DISTANCE, DIVERGENCE
from stirred.verify.laws.record_orders import other_orders, rotated
from stirred.verify.laws.sandbox.process import Interpreter, collected
from stirred.verify.laws.sandbox.set_orders import MORE_SEEDS

_READ = (
    "its source is read in exact real numbers, of which doubles are roundings; Python ran each path again, on numbers "
    "that lie on it"
)

_OF_DOUBLES = (
    "its source is read, and doubles decide: random() is uniform on k/2^53, and what is computed of it follows the "
    "program's own operations on this machine; Python ran each path again"
)
_KINDS = {READ: _READ, READ_AS_DOUBLES: _OF_DOUBLES}
_WORDS = {
    "floats": "floats are outputs by all their digits",
    "raises": "what the code raises at a single draw is an output",
    "scalars": "scalars of NumPy and of Python with one value are one output",
    MONOTONE: "log, exp, powers and their like are taken as monotone, which is tested beside each change alone",
}
_NEAR = re.compile(rf"{NEARBY} ([\w .-]{{1,100}}, line [0-9]{{1,9}})")
_REMEDY = "compute it in the function, or assign it once, by an expression"
_DOCUMENTED = ("binomial", "geometric", "hypergeometric")


def with_generator(where: str, found: ForeignLaws, answer: Mapping[str, Any]) -> ForeignLaws:
    """The laws, with what was drawn from in their scope."""
    told = answer.get("generator", [])
    if not isinstance(told, list) or not all(isinstance(word, str) for word in told):
        raise malformed(where)
    if not told:
        return found
    kind, *words = told
    near = [known[1] for word in words if (known := _NEAR.fullmatch(word))]
    if kind not in _KINDS or len({*words} - {*_WORDS, *_DOCUMENTED, DOUBLES}) > len(near):
        raise malformed(where)
    said = [_KINDS[kind], *(_WORDS[word] for word in words if word in _WORDS)]
    if documented := [word for word in words if word in _DOCUMENTED]:
        said.append(f"{', '.join(documented)} by the documented law, which its algorithm approximates")
    said += [f"a double of {place} is known to lie near what it stands for: {_REMEDY}" for place in near[:1]]
    numbers = "real numbers" if kind == READ else ""
    return replace(found, assumed="; ".join([*said, found.assumed]), are_of_doubles=DOUBLES in words, numbers=numbers)


@dataclass(frozen=True)
class Limits:
    """Under what limits foreign code runs; choices, seconds and jobs are at least 1.

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

    def __post_init__(self) -> None:
        for name in ("choices", "seconds", "jobs"):
            positive_integer(name, getattr(self, name))
        if not isinstance(self.imports, tuple) or not all(isinstance(module, str) for module in self.imports):
            raise InputError(f"imports must be a tuple of texts; got {shown(self.imports)}")
        if self.generator not in (None, *GENERATORS):
            raise InputError(f"generator must be one of {', '.join(GENERATORS)}; got {shown(self.generator)}")


DEFAULT_LIMITS = Limits()

VALUES, TUPLES = RECORDS = "values", "tuples"
"""How records of one variable are handed to a mechanism."""

_FORMS = {
    VALUES: 'a record is its one value here: records = "values"',
    TUPLES: 'a record is a tuple here, of one value: records = "values" in [mechanism] hands over the value',
}


class AuditedFunction(ABC):
    """A mechanism that runs, with the limits under which it does: the one road to its laws.

    Attributes:
        numerics: "real" or "double": in which numbers the claim speaks; None where it does not say.
    """

    numerics: str | None = None

    def handed(self, point: Any) -> Any:
        """A data set as the function is given it."""
        return point

    @property
    @abstractmethod
    def identity(self) -> Hashable:
        """Functions with one identity are one function."""

    @property
    def file(self) -> Path | None:
        """The file that it is written in; None where it is the library's, or none is known."""
        return None

    def check_place(self) -> None:  # noqa: B027 what is loaded already may lie anywhere
        """Refuse a module that may not be imported."""

    @abstractmethod
    def laws(self, points: Sequence[Any], parameters: Mapping[str, Any], *, is_ordered: bool) -> ForeignLaws:
        """The function's law on every data set, as a mechanism; outputs are canonical texts.

        How far it is, is told of the process that meets the data sets in their order.
        """


@dataclass(frozen=True)
class ForeignFunction(AuditedFunction):
    """A function that a claim file names.

    Attributes:
        where: the file and key, for messages.
        directory: the claim's folder, where its module is.
        generator: what the claim says that it draws from.
        records: "values" or "tuples": how records of one variable are handed over; None where they have several.
    """

    where: str
    reference: str
    directory: Path
    generator: str | None = None
    limits: Limits = DEFAULT_LIMITS
    numerics: str | None = None
    records: str | None = None

    def __post_init__(self) -> None:
        module, _, name = self.reference.partition(":")
        if not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
            raise InputError(f"{self.where} must be 'module:function'; got {self.reference!r}")

    @property
    def identity(self) -> tuple[Any, ...]:
        """The folder, the name, the generator, the numerics and the form of records."""
        return self.directory, self.reference, self.generator, self.numerics, self.records

    def handed(self, point: Any) -> Any:
        """A data set as the function is given it: of records of one variable their values, where the claim says so."""
        return tuple(value for (value,) in point) if self.records == VALUES else point

    @property
    def file(self) -> Path | None:
        """The file of its module beside the claim file; None where there is none."""
        place = self.directory.joinpath(*self.reference.partition(":")[0].split("."))
        files = (place.with_suffix(".py"), place / "__init__.py")
        return next((file for file in files if file.is_file()), None)

    def check_place(self) -> None:
        """Refuse a module that neither lies beside the claim file nor may be imported."""
        module = self.reference.partition(":")[0]
        if module in self.limits.imports or self.file is not None:
            return
        raise InputError(
            f"{self.where}: no module {module!r} beside the claim file, in {self.directory}; if an installed module is "
            f"meant, and its code may run, say --import {module}"
        )

    def check(self, *others: ForeignFunction) -> None:
        """Refuse functions that cannot be loaded: this one, and others of the same claim."""
        functions = (self, *others)
        for function in functions:
            function.check_place()
        self._answers([self._request(load=[[function.where, function.reference] for function in functions])])

    def values(self, points: Iterable[Any], *, is_ordered: bool) -> dict[Any, str]:
        """The function's value on every data set, as its canonical text."""
        return values_in_all_orders(self.where, tuple(points), self._twice, is_ordered=is_ordered)

    def distances(self, pairs: Sequence[tuple[Any, Any]]) -> dict[tuple[Any, Any], str]:
        """The function's value on pairs of data sets, as a text of `verify.laws.pair_values`."""
        asked = [[self.where, self.reference, list(map(encoded, order)), None] for order in (pairs, rotated(pairs))]
        return dict(zip(pairs, self._of_pairs(pairs, asked, DISTANCE), strict=True))

    def divergences(self, laws: Sequence[Any], pairs: Mapping[str, tuple[int, int]]) -> dict[str, str]:
        """The function's value on pairs of laws, by the names of the pairs, as such a text."""
        names = tuple(pairs)
        listed = [[[name, list(pairs[name])] for name in order] for order in (names, rotated(names))]
        asked = [[self.where, self.reference, order, list(laws)] for order in listed]
        return dict(zip(names, self._of_pairs(names, asked, DIVERGENCE), strict=True))

    def _of_pairs(self, points: Sequence[Any], asked: Sequence[Any], what: str) -> tuple[str, ...]:
        first, second = self._answers([self._request(pairs=[one]) for one in asked])
        return agreed_values(self.where, points, (first, second), what)

    def _twice(self, points: Sequence[Any]) -> tuple[str, ...]:
        asked = [[self.where, self.reference, list(map(encoded, order))] for order in (points, rotated(points))]
        first, second = self._answers([self._request(invariants=[one]) for one in asked])
        return agreed_values(self.where, points, (first, second), "an invariant")

    def laws(self, points: Sequence[Any], parameters: Mapping[str, Any], *, is_ordered: bool) -> ForeignLaws:
        opened = open_parameter(parameters)
        extras = [] if is_ordered else list(other_orders(points))
        tree = self._request_laws(TREE, points, [given for _, given in extras], parameters)
        runs = self._request_laws(RUNS, rotated(points), [], parameters)
        with part("laws", len(points)) as done:
            given = self._answers((tree, runs), part=done)

        def more() -> list[Mapping[str, Any]]:
            again = self._answers((runs,) * len(MORE_SEEDS), seeds=MORE_SEEDS)
            return in_the_same_symbol(given, exponential, again)

        answers, exponential = in_one_symbol(given)
        most = self.limits.choices
        opened = exponential or opened
        found = agreed_laws(self.where, points, extras, answers, choices=most, opened=opened, more=more)
        found = finite_laws(self.where, found, exponential)
        return with_generator(self.where, found, answers[0])

    def _request_laws(
        self, listing: str, points: Sequence[Any], extras: Sequence[Any], parameters: Mapping[str, Any]
    ) -> dict[str, Any]:
        named = {name: encoded(value) for name, value in parameters.items()}
        given = [[encoded(self.handed(one)) for one in part] for part in (points, extras)]
        mechanism = [self.where, self.reference, named, *given]
        said = {"generator": [self.generator, self.limits.generator], "numerics": self.numerics}
        return self._request(mechanism=mechanism, listing=listing, note=_FORMS.get(self.records or "", ""), **said)

    def _request(self, **asked: Any) -> dict[str, Any]:
        nothing: dict[str, Any] = {"load": [], "invariants": [], "pairs": [], "mechanism": None}
        nothing |= {"listing": TREE, "generator": [None, None], "numerics": None, "note": ""}
        allowed = {"imports": list(self.limits.imports), "choices": self.limits.choices}
        return {**nothing, "directory": str(self.directory), **allowed, **asked}

    def _answers(
        self, requests: Sequence[Mapping[str, Any]], *, seeds: Sequence[int] = (0, 1), part: Part | None = None
    ) -> list[Mapping[str, Any]]:
        """What interpreters with these hash seeds answer to requests (see `verify.laws.worker`), at the same time."""
        seconds = self.limits.seconds
        begun = [partial(Interpreter, one, seed, seconds) for one, seed in zip(requests, seeds, strict=False)]
        return collected(begun, seconds=seconds, what=f"{self.where}: {self.reference}", part=part)
