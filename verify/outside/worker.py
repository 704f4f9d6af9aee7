"""The process in which foreign code runs: it confines itself, loads the code, does what it is asked, answers, ends.

Run as `python -c "…; main(answer)"` by `verify.outside.process`; the request is a line of JSON on standard input:

- nonce, parent, seconds, path: how to answer, whose child this is, its time, where modules are looked for;
- directory, imports: the claim's folder, and the modules that may be loaded from elsewhere;
- load: the functions that must exist, as [where, "module:function"];
- invariants: [where, reference, data sets]; each value is computed twice and must be the same;
- mechanism: [where, reference, parameters, data sets, more data sets], with `choices`, and `listing`, "tree" or "runs";
  as many of the data sets that come last are listed as their choices allow, in order.

The answer is a line that begins with the nonce: {"refused": sentence}, or {"values": …, "weights": …, "outputs": …,
"trees": …, "confined": …} with texts and integers only.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from mechanisms.choice_runs import Runs, list_runs
from mechanisms.choice_tree import ChoiceBudget, ChoiceTree, follow
from mechanisms.source import Source
from spec.arguments import InputError, suggestion
from verify.outside.confinement import confine, die_with_parent, limit_resources
from verify.outside.messages import NODES_PER_CHOICE, TREE, decoded
from verify.outside.plain import plain_text
from verify.outside.refusals import Refusals
from verify.outside.source_line import line_of_code

__all__ = ["main"]

_MORE_CHOICES = 50_000
"""Choices that may be made on further data sets, besides four times those made on the data sets themselves."""


def main(answer: int) -> None:
    """Read the request, do it, write the answer to a descriptor; never raises."""
    request = json.loads(sys.stdin.buffer.read())
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    die_with_parent(request["parent"])
    limit_resources(request["seconds"])
    sys.set_int_max_str_digits(100_000)
    sys.setrecursionlimit(5_000)
    try:
        reply = _done(request)
    except InputError as error:
        reply = {"refused": str(error)}
    except MemoryError:
        reply = {"refused": "the mechanism needs more memory than a process of foreign code may have"}
    line = (request["nonce"] + json.dumps(reply, separators=(",", ":")) + "\n").encode()
    while line:
        line = line[os.write(answer, line) :]
    with suppress(Exception):  # foreign code may have closed it
        sys.stdout.flush()
    os._exit(0)


def _done(request: Mapping[str, Any]) -> dict[str, Any]:
    directory = Path(request["directory"])
    sys.path[:] = request["path"]
    readable = [directory, Path(sys.prefix), Path(sys.base_prefix), Path(sys.exec_prefix)]
    readable += [Path(entry) for entry in request["path"] if Path(entry).is_dir()]
    is_confined = confine()
    Refusals(readable, directory).begin()
    loader = _Loader(directory, request["imports"])
    for where, reference in request["load"]:
        loader.function(where, reference)
    values = [_values(loader, *invariant) for invariant in request["invariants"]]
    reply: dict[str, Any] = {"confined": is_confined, "values": values}
    if request["mechanism"] is not None:
        reply |= _listed(loader, request)
    return reply


class _Loader:
    """The functions of the modules beside the claim file, and of those that may be imported."""

    def __init__(self, directory: Path, imports: Sequence[str]) -> None:
        self._directory = directory
        self._imports = imports
        self._modules: dict[str, ModuleType] = {}
        sys.path.insert(0, str(directory))

    def function(self, where: str, reference: str) -> Callable[..., Any]:
        """The function that "module:function" names.

        Raises:
            InputError: the module cannot be imported, or it has no such function.
        """
        module_name, _, name = reference.partition(":")
        if module_name not in self._modules:
            self._modules[module_name] = _contained(
                f"{where}: importing {module_name!r}", lambda: self._module(module_name)
            )
        module = self._modules[module_name]
        if not hasattr(module, name):
            known = [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]
            raise InputError(f"{where}: {module_name!r} has no {name!r}; {suggestion(name, known)}")
        function = getattr(module, name)
        if not callable(function):
            raise InputError(f"{where}: {reference!r} must be a function; got {type(function).__name__}")
        for is_of_kind, kind in (
            (inspect.iscoroutinefunction, "coroutine"),
            (inspect.isgeneratorfunction, "generator"),
        ):
            if is_of_kind(function):
                raise InputError(f"{where}: {reference!r} must be a function that returns its output; got a {kind}")
        return function  # type: ignore[no-any-return]

    def _module(self, name: str) -> ModuleType:
        if name in self._imports:
            return importlib.import_module(name)
        *parents, last = name.split(".")
        if parents:
            module = importlib.import_module(name)
            if not str(getattr(module, "__file__", "")).startswith(f"{self._directory}{os.sep}"):
                raise InputError(f"{name!r} is another module than the one beside the claim file")
            return module
        file = self._directory / f"{last}.py"
        if not file.is_file():
            file = self._directory / last / "__init__.py"
        own = name if name not in sys.modules else f"claimed_{name}"
        spec = importlib.util.spec_from_file_location(own, file)
        if spec is None or spec.loader is None:
            raise ImportError(f"{file.name} cannot be loaded")
        module = importlib.util.module_from_spec(spec)
        sys.modules[own] = module
        spec.loader.exec_module(module)
        return module


def _contained(where: str, task: Callable[[], Any]) -> Any:
    """The result of a task; whatever foreign code raises in it becomes one line.

    Raises:
        InputError: the task raised it, or anything else.
    """
    try:
        return task()
    except InputError as error:
        raise InputError(f"{where}: {error}{_at(error)}") from None
    except RecursionError:
        raise InputError(f"{where}: it recurses without end") from None
    except MemoryError:
        raise
    except BaseException as error:
        raise InputError(f"{where}: it raised {_told(error)}{_at(error)}") from None


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


def _values(loader: _Loader, where: str, reference: str, points: Sequence[Any]) -> list[str]:
    function = loader.function(where, reference)

    def value(point: Any) -> str:
        found = function(point)
        if found is None:
            raise InputError("an invariant must return a value; it returned None")
        try:
            text, again = plain_text(found), plain_text(function(point))
        except InputError as error:
            raise InputError(str(error).replace("an output", "the value of an invariant", 1)) from None
        if text != again:
            raise InputError("an invariant must depend on its data only; two calls gave different values")
        return text

    return [_contained(f"{where}: on the data set {point!r}", partial(value, point)) for point in map(decoded, points)]


def _listed(loader: _Loader, request: Mapping[str, Any]) -> dict[str, Any]:
    """The trees, or the runs, of a mechanism on its data sets, over common tables of weights and outputs."""
    where, reference, parameters, points, more = request["mechanism"]
    function = loader.function(where, reference)
    named = {name: decoded(value) for name, value in parameters.items()}
    listing = _Listing(request["listing"], request["choices"])

    def add(point: Any) -> None:
        def program(source: Source) -> Any:
            return function(point, source, **named)

        _contained(f"{where}: on the data set {point!r}", lambda: listing.add(program))

    for point in points:
        add(decoded(point))
    allowed = 5 * listing.choices + _MORE_CHOICES
    for index, point in enumerate(more):
        if index >= len(points) and listing.choices > allowed:
            break
        add(decoded(point))
    return listing.reply()


class _Listing:
    """Choice trees, or runs, over common tables of weights and outputs."""

    def __init__(self, kind: str, most: int) -> None:
        self._kind = kind
        self._most = most
        self._weights: dict[tuple[Any, ...], int] = {}
        self._outputs: dict[str, int] = {}
        self._trees: list[list[list[int]]] = []
        self.choices = 0

    def add(self, program: Callable[[Source], Any]) -> None:
        found: ChoiceTree | Runs
        if self._kind == TREE:
            budget = ChoiceBudget(self._most)
            found = follow(program, budget, plain_text)
            self.choices += budget.used
        else:
            found = list_runs(program, NODES_PER_CHOICE * self._most, plain_text)
        rows = [self._weights.setdefault(row, len(self._weights)) for row in found.weights]
        names = [self._outputs.setdefault(plain_text(output), len(self._outputs)) for output in found.outputs]
        self._trees.append([rows, names, list(found.nodes)])

    def reply(self) -> dict[str, Any]:
        weights = [[_exact(weight) for weight in row] for row in self._weights]
        return {"weights": weights, "outputs": list(self._outputs), "trees": self._trees}


def _exact(weight: Any) -> str:
    if not isinstance(weight, Fraction):
        raise InputError("the weights of an audited mechanism must be numbers; got one with an open parameter")
    return str(Fraction(int(weight.numerator), int(weight.denominator)))
