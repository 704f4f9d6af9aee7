"""What is claimed of which function: its source with all that it calls, its parameters' ranges, the neighbours."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from stirred.mechanisms.generators.kinds import NUMPY, PYTHON, SOURCE, USUAL
from stirred.mechanisms.reading.functions import seeded, written
from stirred.spec.arguments import InputError, suggestion
from stirred.verify.evidence.certificates.alignment import VERTICES
from stirred.verify.evidence.certificates.known_calls import NAMES
from stirred.verify.evidence.certificates.polynomial import Polynomial, parsed
from stirred.verify.evidence.certificates.program_graph import Graph
from stirred.verify.evidence.certificates.read_values import ReadProgram, RefusedError

_ANNOTATED = {
    **dict.fromkeys(("np.random.Generator", "numpy.random.Generator", "Generator"), NUMPY),
    **dict.fromkeys(("Source", "stirred.Source"), SOURCE),
    **dict.fromkeys(("random.Random", "Random"), PYTHON),
}
_RANGE = re.compile(r"real|positive|whole >= \d{1,9}")

Meaning = tuple[str, Any]
"""What a name outside a function is: ("module", full name), ("number", Fraction) or ("function", FoundFunction)."""


_OTHER: Meaning = ("other", None)
"""What a name means that has a value, but none that is read."""


@dataclass(frozen=True)
class FoundFunction:
    """A function's syntax with its file and what the names in it mean.

    Attributes:
        node, lines: its syntax, and its file.
        meaning: of a name that it does not bind; None where it has none that is read.
    """

    node: ast.FunctionDef
    lines: Sequence[str]
    meaning: Callable[[str], Meaning | None]


@dataclass(frozen=True)
class EverySize:
    """A claim for every number of records.

    Attributes:
        name: of the mechanism.
        program: the function, read.
        neighbors: how two data sets differ, one of `VERTICES`.
        epsilon: the claimed budget, in the parameters; None where none is claimed.
    """

    name: str
    program: ReadProgram
    neighbors: str
    epsilon: Polynomial | None


def stated(
    name: str,
    found: FoundFunction,
    neighbors: object,
    epsilon: object,
    ranges: Mapping[str, Any],
    *,
    generator: str | None = None,
) -> EverySize:
    """A claim about a function.

    Args:
        name: of the mechanism, for messages.
        found: the function.
        neighbors: "each by 1", "one by 1", "sum of changes 1", "up" or "down".
        epsilon: a polynomial of the parameters as a text, a number, or None.
        ranges: of parameters: "real", "positive", "whole >= 1", or a number. Those of which nothing is said are
            positive where a budget or a scale has them, else real.
        generator: "numpy" or "source", where the annotation does not say it.

    Raises:
        InputError: something is malformed, or the function is not read.
    """
    if neighbors not in VERTICES:
        listed = tuple(VERTICES)
        raise InputError(
            f"neighbors must be one of {', '.join(listed)}; got {neighbors!r}; {suggestion(str(neighbors), listed)}"
        )
    claim = None if epsilon is None else _budget(epsilon)
    source, modules, constants = _source(found)
    place, kind = _generator(found, generator)
    arguments = found.node.args
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)][1:]
    unknown = sorted(set(ranges) - set(names))
    if unknown:
        raise InputError(f"parameters: {name} has no parameter {unknown[0]!r}; {suggestion(unknown[0], names)}")
    said = {one: _range(one, ranges[one]) for one in names if one in ranges}
    rest = {one: "real" for one in names if one not in said and one != place}
    program = ReadProgram(source, found.node.name, (place, kind), modules, constants, said | rest)
    try:
        graph = Graph(program)
        rates = [draw.rate for draw in graph.draws()]
    except RefusedError as error:
        raise InputError(f"{name}: {error}") from None
    used = {one for value in (*rates, *([claim] if claim is not None else [])) for one in _inner_names(value)}
    program = replace(program, ranges=said | {one: "positive" if one in used else "real" for one in rest})
    foreign = sorted(used - set(names))
    if foreign:
        raise InputError(f"epsilon: {name} has no parameter {foreign[0]!r}; {suggestion(foreign[0], names)}")
    return EverySize(name, program, str(neighbors), claim)


def _inner_names(value: Polynomial) -> set[str]:
    """The parameters in a polynomial, those inside ln(...) and exp(...) too."""
    return {
        word
        for name in value.names
        for word in re.findall(r"[^\W\d]\w*", name)
        if word not in ("ln", "exp") or "(" not in name
    }


def _budget(epsilon: object) -> Polynomial:
    try:
        return parsed(str(epsilon))
    except ValueError as error:
        raise InputError(
            f"epsilon must be a polynomial of the parameters, such as 'eps' or '2*N*eps'; {error}"
        ) from None


def _range(name: str, said: object) -> str:
    text = " ".join(str(said).split())
    if _RANGE.fullmatch(text):
        return text
    try:
        return f"= {Fraction(text)}"
    except (ValueError, ZeroDivisionError):
        raise InputError(
            f"the range of {name} must be 'real', 'positive', 'whole >= 1' or a number; got {said!r}"
        ) from None


def _generator(found: FoundFunction, said: str | None) -> tuple[str, str]:
    """The parameter that takes the generator, and its kind."""
    arguments = found.node.args
    names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs][1:]
    for one in names:
        kind = _ANNOTATED.get(ast.unparse(one.annotation).strip("'\"")) if one.annotation is not None else None
        if kind == PYTHON:
            raise InputError(f"line {one.lineno}: random.Random is not read for every size: use numpy.random.Generator")
        if kind is not None:
            return one.arg, kind
    for one in names:
        if one.arg in USUAL and len(one.arg) > 1 and one.annotation is None:
            return one.arg, said or (SOURCE if one.arg in ("source", "src") else NUMPY)
    return "", ""


def _source(found: FoundFunction) -> tuple[str, dict[str, str], dict[str, Fraction]]:
    """The text of a function and of those that it calls, each on its own lines, with what the other names mean."""
    modules: dict[str, str] = {}
    constants: dict[str, Fraction] = {}
    kept: dict[str, FoundFunction] = {found.node.name: found}
    waiting = [found]
    while waiting:
        one = waiting.pop()
        bound = {
            arg.arg
            for part in ast.walk(one.node)
            if isinstance(part, ast.arguments)
            for arg in (*part.posonlyargs, *part.args, *part.kwonlyargs)
        }
        names = {part.id for part in ast.walk(one.node) if isinstance(part, ast.Name)} - bound
        for name in sorted(names):
            said: Meaning = one.meaning(name) or ("", None)
            kind, value = said
            old: Any = modules.get(name, constants.get(name, kept.get(name)))
            if kind and name in NAMES:
                raise InputError(f"line {one.node.lineno}: {name} is not Python's own there")
            same = (
                old is None
                or old == value
                or (isinstance(old, FoundFunction) and kind == "function" and old.node is value.node)
            )
            if kind and not same:
                raise InputError(f"line {one.node.lineno}: {name} has two meanings in functions that call each other")
            if kind == "module":
                modules[name] = value
            elif kind == "number":
                constants[name] = value
            elif kind == "function" and name == value.node.name and name not in kept:
                if list(value.lines) != list(found.lines):
                    raise InputError(f"line {one.node.lineno}: {name} is a function of another file, which is not read")
                kept[name] = value
                waiting.append(value)
    lines: list[str] = []
    for one in sorted(kept.values(), key=lambda one: one.node.lineno):
        node = one.node
        lines += [""] * (node.lineno - 1 - len(lines))
        margin = node.col_offset
        for line in one.lines[node.lineno - 1 : node.end_lineno]:
            lines.append(line[margin:].rstrip() if not line[:margin].strip() else line.rstrip())
    return "\n".join(lines) + "\n", modules, constants


def of_function(function: Any) -> FoundFunction:
    """A function of this process.

    Raises:
        InputError: there is no source that compiles to it.
    """
    if not isinstance(function, FunctionType) or hasattr(function, "__wrapped__"):
        raise InputError(f"mechanism must be a function as it is written, without decorators; got {function!r}")
    source = written(function)
    if source is None or not isinstance(source.node, ast.FunctionDef):
        raise InputError(f"mechanism: the source of {function.__qualname__} is not found")
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))

    def meaning(name: str) -> Meaning | None:
        try:
            value = cells[name].cell_contents if name in cells else function.__globals__[name]
        except (KeyError, ValueError):
            return None
        return _of_value(value) or _OTHER

    _refuse_seed(source.file)
    lines = Path(source.file).read_text(encoding="utf-8").split("\n") if Path(source.file).is_file() else None
    if lines is None:
        import linecache  # noqa: PLC0415 of notebooks, whose cells are no files

        lines = [line.rstrip("\n") for line in linecache.getlines(source.file)]
    return FoundFunction(source.node, lines, meaning)


def _refuse_seed(file: str) -> None:
    """Refuse a file that sets a seed when it is imported: its module's draws are no randomness."""
    if (where := seeded(file)) is not None:
        raise InputError(f"{where} sets a seed: what is drawn is no secret")


def _of_value(value: Any) -> Meaning | None:
    import numpy as np  # noqa: PLC0415 slow to import

    if isinstance(value, ModuleType):
        return "module", value.__name__
    if isinstance(value, (bool, int, Fraction)):
        return "number", Fraction(value)
    if type(value) is float:
        return ("number", Fraction(repr(value))) if value - value == 0 else None
    if isinstance(value, FunctionType) and value.__module__.split(".")[0] not in ("numpy", "math"):
        return "function", of_function(value)
    for module in (np, np.random):
        if callable(value) and getattr(module, getattr(value, "__name__", ""), None) == value:
            return "module", f"{module.__name__}.{value.__name__}"
    return None


def of_file(path: Path, name: str) -> FoundFunction:
    """A function of a file, whose names mean what its module says once, at its top level.

    Raises:
        InputError: the file has no such function, or does not parse.
    """
    text = path.read_text(encoding="utf-8")
    try:
        tree = ast.parse(text, str(path))
    except SyntaxError as error:
        raise InputError(f"{path.name}, line {error.lineno}: {error.msg}") from None
    _refuse_seed(str(path))
    lines = text.split("\n")
    changed = {one for part in ast.walk(tree) if isinstance(part, ast.Global) for one in part.names}
    assigned: dict[str, list[ast.AST]] = {}
    for part in _top(tree.body):
        for one in _bound_by(part):
            assigned.setdefault(one, []).append(part)

    def meaning(word: str) -> Meaning | None:
        places = assigned.get(word, [])
        if not places:
            return None
        if len(places) != 1 or word in changed:
            return _OTHER
        (part,) = places
        if isinstance(part, ast.FunctionDef):
            if part.decorator_list:
                raise InputError(f"{path.name}, line {part.lineno}: {word} has a decorator, which is not read")
            return "function", FoundFunction(part, lines, meaning)
        if isinstance(part, (ast.Import, ast.ImportFrom)):
            for alias in part.names:
                if (alias.asname or alias.name.split(".")[0]) == word:
                    if isinstance(part, ast.ImportFrom):
                        return "module", f"{part.module}.{alias.name}"
                    return "module", alias.name if alias.asname else alias.name.split(".")[0]
        if isinstance(part, (ast.Assign, ast.AnnAssign)) and part.value is not None:
            try:
                value = ast.literal_eval(part.value)
            except ValueError:
                return _OTHER
            return (_of_value(value) if isinstance(value, (bool, int, float)) else None) or _OTHER
        return _OTHER

    own = meaning(name)
    if own is None or own[0] != "function":
        raise InputError(f"{path.name}: no function {name!r} is defined there once, at its top level")
    found: FoundFunction = own[1]
    return found


def _top(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements of a module, those under `if` and `try` included."""
    found: list[ast.stmt] = []
    for one in body:
        found.append(one)
        for part in ("body", "orelse", "finalbody", "handlers"):
            if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inner = getattr(one, part, [])
                found += _top([x for h in inner for x in (h.body if isinstance(h, ast.ExceptHandler) else [h])])
    return found


def _bound_by(part: ast.stmt) -> list[str]:
    """The names that a statement of a module binds."""
    if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [part.name]
    if isinstance(part, (ast.Import, ast.ImportFrom)):
        return [alias.asname or alias.name.split(".")[0] for alias in part.names]
    if isinstance(part, (ast.If, ast.Try, ast.With)):
        return []
    return [one.id for one in ast.walk(part) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)]
