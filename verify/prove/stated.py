"""What is claimed of which function: its source with all that it calls, its parameters' ranges, the neighbours.

What a name outside of a function means is the object that it has there, in the module that was imported: a number, a
function of the same file, or one of the modules, builtins and functions of NumPy that the reader knows, by identity.
"""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import json
import linecache
import math
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from types import CodeType, FunctionType
from typing import Any

from stirred.mechanisms.generators.kinds import NUMPY, PYTHON, SOURCE, USUAL
from stirred.mechanisms.reading.functions import written
from stirred.spec.arguments import InputError, suggestion
from stirred.verify.evidence.certificates.alignment import VERTICES
from stirred.verify.evidence.certificates.closed_grammar import MEANINGS, MODULES, ReadProgram, carried_out
from stirred.verify.evidence.certificates.polynomial import Polynomial, parsed
from stirred.verify.evidence.certificates.program_graph import Graph
from stirred.verify.evidence.certificates.read_values import RefusedError

_ANNOTATED = {
    **dict.fromkeys(("np.random.Generator", "numpy.random.Generator", "Generator"), NUMPY),
    **dict.fromkeys(("Source", "stirred.Source"), SOURCE),
    **dict.fromkeys(("random.Random", "Random"), PYTHON),
}
_HOMES = ("numpy", "random", "stirred")
"""Where the classes of generators are from."""
_RANGE = re.compile(r"real|positive|whole >= \d{1,9}")


@dataclass(frozen=True)
class FoundFunction:
    """A function as text, on the lines of its file, with those that it calls.

    Attributes:
        source, name: the text, and the function's name in it.
        names: what each outer name means, as `ReadProgram` has it.
        parameters: of the function, each with its annotation and its default as a text, or none.
    """

    source: str
    name: str
    names: Mapping[str, str]
    parameters: Sequence[Sequence[str | None]]


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
        neighbors: "each by 1", "one by 1", "sum of changes 1" or "all up or all down".
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
    place, kind = _generator(found, generator)
    names = [str(one) for one, *_ in found.parameters[1:] if one != place]
    unknown = sorted(set(ranges) - set(names))
    if unknown:
        raise InputError(f"parameters: {name} has no parameter {unknown[0]!r}; {suggestion(unknown[0], names)}")
    said = {one: _range(one, ranges[one]) for one in names if one in ranges}
    rest = {one: "real" for one in names if one not in said}
    program = ReadProgram(found.source, found.name, (place, kind), found.names, said | rest)
    try:
        rates = [draw.rate for draw in Graph(program).draws()]
    except RefusedError as error:
        raise InputError(f"{name}: {error}") from None
    used = {one for value in (*rates, *([claim] if claim is not None else [])) for one in _inner_names(value)}
    foreign = sorted(used - set(names))
    if foreign:
        raise InputError(f"epsilon: {name} has no parameter {foreign[0]!r}; {suggestion(foreign[0], names)}")
    program = replace(program, ranges=said | {one: "positive" if one in used else "real" for one in rest})
    for one, _, default in found.parameters[1:]:
        if one == place and default not in (None, "None"):
            raise InputError(f"{name} takes {one} = {default} by default: noise of a generator that is known")
        if one in rest and default is not None and not _is_in(default, program.ranges[str(one)]):
            raise InputError(
                f"parameters: {name} takes {one} = {default} by default, which is not {program.ranges[str(one)]}: "
                "say its range, or give it no default"
            )
    return EverySize(name, program, str(neighbors), claim)


def _inner_names(value: Polynomial) -> set[str]:
    """The parameters in a polynomial, those inside ln(...) and exp(...) too."""
    inner = {name.text for name in value.names if name.kind == "parameter"}
    texts = [name.text for name in value.names if name.kind in ("ln", "exp")]
    nodes = (node for text in texts for node in ast.walk(ast.parse(text.replace("^", "**"), mode="eval")))
    return inner | ({node.id for node in nodes if isinstance(node, ast.Name)} - {"ln", "exp"})


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


def _is_in(default: str, said: str) -> bool:
    """Whether a default is a number in a range that nobody has said: "real" or "positive"."""
    try:
        return Fraction(default) > 0 or said == "real"
    except ValueError:
        return False


def _generator(found: FoundFunction, said: str | None) -> tuple[str, str]:
    """The parameter that takes the generator, and its kind."""
    for name, annotation, _ in found.parameters[1:]:
        kind = _ANNOTATED.get(str(annotation).strip("'\""))
        if kind == PYTHON:
            raise InputError(f"{name}: random.Random is not read for every size: use numpy.random.Generator")
        if kind is not None:
            return str(name), kind
    for name, annotation, _ in found.parameters[1:]:
        if name in USUAL and len(str(name)) > 1 and annotation is None:
            return str(name), said or (SOURCE if name in ("source", "src") else NUMPY)
    return "", ""


# the function, and what its names mean


def found_text(function: Any) -> str:
    """What `of_function` finds, as a text: for a process that has loaded a claim's function."""
    return json.dumps(asdict(of_function(function)))


def of_text(text: str) -> FoundFunction:
    """What such a text says."""
    return FoundFunction(**json.loads(text))


def of_function(function: Any) -> FoundFunction:
    """A function, with those that it calls.

    Raises:
        InputError: there is no source that compiles to it, or a name in it has two meanings.
    """
    kept: dict[str, tuple[FunctionType, ast.FunctionDef]] = {}
    meant: dict[str, Any] = {}
    waiting = [function]
    while waiting:
        one = waiting.pop()
        node = _written(one)
        kept[node.name] = (one, node)
        for name, what in [(node.name, one), *((name, _meaning(one, name)) for name in sorted(_outer(one, node)))]:
            if meant.setdefault(name, what) != what:
                raise InputError(f"line {node.lineno}: {name} has two meanings in functions that call each other")
            if isinstance(what, FunctionType) and name not in kept and what not in waiting:
                waiting.append(what)
        _check_attributes(node, meant)
    names = {name: what for name, what in meant.items() if isinstance(what, str)}
    given = kept[function.__code__.co_name][1].args
    values = dict(zip(reversed([*given.posonlyargs, *given.args]), reversed(function.__defaults__ or ()), strict=False))
    defaults = {one.arg: value for one, value in values.items()} | (function.__kwdefaults__ or {})
    parameters = [
        (
            one.arg,
            None if one.annotation is None else _annotated(function, ast.unparse(one.annotation)),
            (_number(defaults[one.arg]) or repr(defaults[one.arg])[:40]) if one.arg in defaults else None,
        )
        for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)
    ]
    source = _text([node for _, node in kept.values()], function.__code__.co_filename)
    return FoundFunction(source, function.__code__.co_name, names, parameters)


def _annotated(function: FunctionType, text: str) -> str:
    """An annotation; of a class that has a generator's name and is none, where it is from."""
    root, *rest = text.strip("'\"").split(".")
    value = function.__globals__.get(root)
    for name in rest:
        value = getattr(value, name, None)
    home = getattr(value, "__module__", None)
    is_other = text.strip("'\"") in _ANNOTATED and value is not None and str(home).split(".")[0] not in _HOMES
    return f"{home}.{text}" if is_other else text


def _written(function: Any) -> ast.FunctionDef:
    """The syntax that compiles to a function's code, constants and all; the object is what decorators made of it."""
    if not isinstance(function, FunctionType) or hasattr(function, "__wrapped__"):
        raise InputError(f"mechanism must be a function as it is written, without decorators; got {function!r}")
    if vars(builtins) is not getattr(function, "__builtins__", None) or type(function.__globals__) is not dict:
        raise InputError(f"mechanism: the names outside of {function.__qualname__} are not found as Python finds them")
    source, code = written(function), function.__code__
    text = "".join(linecache.getlines(code.co_filename))
    if source is None or not isinstance(source.node, ast.FunctionDef) or code not in _codes(code.co_filename, text):
        raise InputError(f"mechanism: the source of {function.__qualname__} is not found")
    node = copy.copy(source.node)
    node.decorator_list = []
    return node


@functools.lru_cache(maxsize=64)
def _codes(file: str, text: str) -> list[CodeType]:
    """What the functions of a source compile to."""
    waiting, found = [compile(text, file, "exec", dont_inherit=True)], []
    while waiting:
        one = waiting.pop()
        found.append(one)
        waiting += [inner for inner in one.co_consts if isinstance(inner, CodeType)]
    return found


def _outer(function: FunctionType, node: ast.FunctionDef) -> set[str]:
    """The names that a function takes from outside: those that it reads and that its code does not bind."""
    bound = {*function.__code__.co_varnames, *function.__code__.co_cellvars}
    for one in ast.walk(node):
        if isinstance(one, ast.comprehension):
            bound |= {part.id for part in ast.walk(one.target) if isinstance(part, ast.Name)}
    return {one.id for one in carried_out(node) if isinstance(one, ast.Name)} - bound


_NOTHING = object()


def _value_of(function: FunctionType, name: str) -> Any:
    """The object that a name has outside of a function; one that functions of its file change has none."""
    text = "".join(linecache.getlines(function.__code__.co_filename))
    if name in _changed(text):
        return _NOTHING
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    try:
        if name in cells:
            return cells[name].cell_contents
        return function.__globals__.get(name, vars(builtins).get(name, _NOTHING))
    except ValueError:
        return _NOTHING


@functools.lru_cache(maxsize=64)
def _changed(text: str) -> frozenset[str]:
    """The names that a function of a source takes from outside to assign them."""
    nodes = ast.walk(ast.parse(text))
    return frozenset(name for one in nodes if isinstance(one, (ast.Global, ast.Nonlocal)) for name in one.names)


def _meaning(function: FunctionType, name: str) -> str | FunctionType | None:
    """What a name outside of a function is to the reader, by identity; None where it is nothing that is read."""
    value = _value_of(function, name)
    if (number := _number(value)) is not None:
        return f"= {number}"
    known = next((full for full, one in _known().items() if one is value), None)
    is_own = isinstance(value, FunctionType) and value.__code__.co_filename == function.__code__.co_filename
    return value if known is None and is_own and value.__name__ == name else known


def _number(value: Any) -> str | None:
    """A number as its source writes it; None where it is none."""
    if type(value) in (bool, int, Fraction):
        return str(Fraction(value))
    return str(Fraction(repr(value))) if type(value) is float and math.isfinite(value) else None


@functools.cache
def _known() -> dict[str, Any]:
    """The modules, and what of them is read, as they are."""
    import numpy as np  # noqa: PLC0415 slow to import

    roots: dict[str, Any] = {"builtins": builtins, "numpy": np, "math": math}
    found = {}
    for name in sorted({*MODULES, *MEANINGS}):
        first, *rest = name.split(".")
        value: Any = functools.reduce(getattr, rest, roots[first])
        if not _is_own(name, value):
            raise InputError(f"{name} is not its module's own: it has been changed to {value!r}"[:200])
        found[name] = value
    return found


def _is_own(name: str, value: Any) -> bool:
    """Whether a value is what its module calls so: by where its code is of, which no wrapper copies, and its own name.

    >>> import numpy as np
    >>> _is_own("numpy.sum", np.sum), _is_own("numpy.sum", sorted), _is_own("numpy.inf", 0.0)
    (True, False, False)
    """
    (first, *_), last = name.split("."), name.rpartition(".")[2]
    if name in MODULES:
        return sys.modules.get(name) is value
    if last == "inf":
        return type(value) is float and value == math.inf
    written_in = value.__globals__["__name__"] if isinstance(value, FunctionType) else type(value).__module__
    said = getattr(value, "__module__", None) or first
    if written_in.split(".")[0] == "stirred":
        return True
    is_home = written_in.split(".")[0] in (first, "builtins") or written_in.startswith("_cython")
    is_named = getattr(value, "__name__", "") in (last, {"abs": "absolute"}.get(last))
    return is_home and is_named and said.split(".")[0] == first


def _check_attributes(node: ast.FunctionDef, names: Mapping[str, Any]) -> None:
    """Refuse a module's attribute that is read and has been changed."""
    for one in ast.walk(node):
        parts: list[str] = []
        root: ast.AST = one
        while isinstance(root, ast.Attribute):
            parts.insert(0, root.attr)
            root = root.value
        if parts and isinstance(root, ast.Name) and isinstance(names.get(root.id), str):
            full = ".".join((names[root.id], *parts))
            module = _known().get(names[root.id])
            if full in MEANINGS and functools.reduce(getattr, parts, module) is not _known()[full]:
                raise InputError(f"line {root.lineno}: {ast.unparse(one)} has been changed")


def _text(nodes: Sequence[ast.FunctionDef], file: str) -> str:
    """The functions on their own lines, at the left margin; nothing else.

    Raises:
        InputError: the text reads otherwise there.
    """
    whole = "".join(linecache.getlines(file)).split("\n")
    lines: list[str] = []
    for node in sorted(nodes, key=lambda one: one.lineno):
        lines += [""] * (node.lineno - 1 - len(lines))
        margin = node.col_offset
        for line in whole[node.lineno - 1 : node.end_lineno]:
            lines.append(line[margin:].rstrip() if not line[:margin].strip() else line.rstrip())
    text = "\n".join(lines) + "\n"
    try:
        same = sorted(map(ast.dump, ast.parse(text).body)) == sorted(map(ast.dump, nodes))
    except SyntaxError:
        same = False
    if not same:
        raise InputError(f"line {nodes[0].lineno}: {nodes[0].name} does not read the same at the left margin")
    return text
