"""The process in which foreign code runs: it confines itself, loads the code, does what it is asked, answers, ends.

Run in a copy of an interpreter by `verify.laws.sandbox.server`; the request is a line of JSON:

- nonce, seconds: how to answer, and its time;
- directory, imports: the claim's folder, and the modules that may be loaded from elsewhere;
- load: the functions that must exist, as [where, "module:function"];
- pairs: [where, reference, pairs, laws] of a distance: of data sets where laws is None, else of laws, by number, and
  pairs maps names to two numbers; each value is computed twice and must be the same;
- invariants: [where, reference, data sets]; each value is computed twice and must be the same;
- mechanism: [where, reference, parameters, data sets, more data sets], with `choices`, and `listing`, "tree" or "runs";
  as many of the data sets that come last are listed as their choices allow, in order. `generator` says what it draws
  from where its annotation does not, and what where nothing else does; `numerics` whether its code may be read, and
  `note` what is said where it fails on a data set.

Or, instead of the last four, for functions that live in the process of the auditor:

- carried: a task (`laws.sent_function`), whose values or trees are the answer; {"stays": sentence} where it cannot
  be made again here;
- folder, folders: the current folder, and where further modules are looked for.

The answer is a line that begins with the nonce: {"refused": sentence}, or {"values": …, "weights": …, "outputs": …,
"shapes": …, "trees": …, "confined": …, "watched": …} with texts and integers only; the last two say whether the system
confines the process, and whether the order of sets is refused in every known way.
"""

import importlib
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from stirred.spec.arguments import InputError, suggestion
from stirred.verify.laws.listing import Wanted, check_returns_output, contained_code, listed, value_texts
from stirred.verify.laws.messages import decoded
from stirred.verify.laws.pair_values import pair_texts
from stirred.verify.laws.sandbox.answers import answer_and_end, counting
from stirred.verify.laws.sandbox.confinement import set_apart
from stirred.verify.laws.sandbox.refusals import Refusals
from stirred.verify.laws.sent_function import unpacked


def main(parent: int, request: int, show: int, answer: int) -> None:
    """Read the request, do it, write the answer to a descriptor behind a dot for each data set; never returns."""
    with os.fdopen(request, "rb") as pipe:
        asked = json.load(pipe)
    set_apart(parent, show, asked["seconds"])
    os.close(show)
    os.chdir(asked["directory"])
    carry_out = _carried_out if "carried" in asked else _done
    answer_and_end(answer, asked["nonce"], lambda: carry_out(asked, counting(answer)))


def _carried_out(request: Mapping[str, Any], done: Callable[[], None]) -> dict[str, Any]:
    os.chdir(request["folder"])
    sys.path += request["folders"]
    refusals = Refusals(Path(request["directory"]))
    try:
        task = unpacked(request["carried"])
    except Exception as error:  # whatever a module raises
        return {"stays": type(error).__name__, **refusals.said}
    refusals.loaded()
    return {**task(done), **refusals.said}


def _done(request: Mapping[str, Any], done: Callable[[], None]) -> dict[str, Any]:
    if (draws := sys.modules.get("stirred.mechanisms.reading.draws")) is not None:
        draws.note_states()
    refusals = Refusals(Path(request["directory"]))
    loader = _Loader(Path(request["directory"]), request["imports"])
    asked = [*request["load"], *(one[:2] for one in (*request["invariants"], *request["pairs"]))]
    for where, reference in asked if request["mechanism"] is None else [*asked, request["mechanism"][:2]]:
        loader.function(where, reference)
    refusals.loaded()
    values = [
        value_texts(where, loader.function(where, reference), list(map(decoded, points)), "an invariant")
        for where, reference, points in request["invariants"]
    ]
    values += [pair_texts(where, loader.function(where, name), *asked) for where, name, *asked in request["pairs"]]
    reply: dict[str, Any] = {**refusals.said, "values": values}
    if request["mechanism"] is not None:
        reply |= _listed(loader, request, done)
    return reply


class _Loader:
    """The functions of the modules beside the claim file, and of those that may be imported."""

    def __init__(self, directory: Path, imports: Sequence[str]) -> None:
        self._directory = directory
        self._imports = imports
        self._modules: dict[str, ModuleType] = {}
        sys.path.insert(0, str(directory))

    def function(self, where: str, reference: str) -> Callable[..., Any]:
        """The function that "module:function" names."""
        module_name, _, name = reference.partition(":")
        if module_name not in self._modules:
            self._modules[module_name] = contained_code(
                f"{where}: importing {module_name!r}", lambda: self._module(module_name)
            )
        module = self._modules[module_name]
        if not hasattr(module, name):
            known = [name for name, value in vars(module).items() if callable(value) and not name.startswith("_")]
            raise InputError(f"{where}: {module_name!r} has no {name!r}; {suggestion(name, known)}")
        function = getattr(module, name)
        check_returns_output(where, reference, function)
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


def _listed(loader: _Loader, request: Mapping[str, Any], done: Callable[[], None]) -> dict[str, Any]:
    where, reference, parameters, points, more = request["mechanism"]
    named = {name: decoded(value) for name, value in parameters.items()}
    given = list(map(decoded, points)), list(map(decoded, more))
    generator, default = request["generator"]
    said = generator, default, request["numerics"], request["note"]
    wanted = Wanted(request["listing"], request["choices"], *given, *said)
    return listed(where, loader.function(where, reference), named, wanted, done)
