"""The source of functions, the names that they bind, and how their arguments are bound."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from types import CellType, CodeType, FunctionType
from typing import Any

from stirred.mechanisms.reading.assignments import first_line, parsed, source_of
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.refusal import Refusal

Defined = ast.FunctionDef | ast.Lambda
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_SEEDING = ("seed", "setstate", "set_state", "shuffle")
"""What fixes later draws, or what a module holds."""

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Bound:
    """The names that the body of a function binds, and those that it takes from outside to bind them there."""

    local: frozenset[str]
    nonlocal_: frozenset[str]
    global_: frozenset[str]


@functools.cache
def bound_names(node: Defined) -> Bound:
    """What a function binds, by the rules of the language: a name that is assigned anywhere is local everywhere."""
    arguments = node.args
    local = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    local |= {one.arg for one in (arguments.vararg, arguments.kwarg) if one is not None}
    outer: dict[type, set[str]] = {ast.Global: set(), ast.Nonlocal: set()}
    body: Iterable[ast.AST] = node.body if isinstance(node, ast.FunctionDef) else [node.body]
    local |= assigned_names(body)
    for one in _inside(body):
        if isinstance(one, (ast.Global, ast.Nonlocal)):
            outer[type(one)] |= {*one.names}
    taken = outer[ast.Global] | outer[ast.Nonlocal]
    return Bound(frozenset(local - taken), frozenset(outer[ast.Nonlocal]), frozenset(outer[ast.Global]))


def assigned_names(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that statements of one scope bind or delete; "*" where an import may bind any."""
    found = set()
    for one in _inside(nodes):
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            found.add(one.id)
        elif isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(one.name)
        elif isinstance(one, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name.partition(".")[0] for alias in one.names}
        elif isinstance(one, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and one.name:
            found.add(one.name)
        elif isinstance(one, ast.MatchMapping) and one.rest:
            found.add(one.rest)
    return found


def _inside(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes of one scope: of functions and classes inside it their heads, of comprehensions what they bind."""
    for node in nodes:
        yield node
        if isinstance(node, _SCOPES):
            inner = node.body if isinstance(node.body, list) else [node.body]
            yield from _inside(one for one in ast.iter_child_nodes(node) if one not in inner)
            continue
        if isinstance(node, _COMPREHENSIONS):
            yield from _inside([node.generators[0].iter])
            walked = (one for part in ast.iter_child_nodes(node) for one in ast.walk(part))
            yield from (one.target for one in walked if isinstance(one, ast.NamedExpr))
            continue
        yield from _inside(ast.iter_child_nodes(node))


@dataclass
class Frame:
    """The names of one call.

    Attributes:
        values: of the names that are local.
        bound: which those are; None where every name is (the body of a class, a comprehension).
        outer: the frame of the function around it.
        module: the names of its module.
        file: where the function is written.
        first: the first parameter of a function.
        handled: the exceptions that are handled, the innermost last.
    """

    values: dict[str, Any]
    bound: Bound | None
    outer: Frame | OuterCells | None
    module: dict[str, Any]
    file: str
    first: str | None = None
    handled: list[BaseException] = field(default_factory=list)

    def holder(self, name: str) -> Frame | OuterCells | None:
        """The frame, from here outwards, whose name this is; None where it is the module's."""
        if self.bound is None:
            return self if name in self.values else self._outside(name)
        if name in self.bound.local:
            return self
        return None if name in self.bound.global_ else self._outside(name)

    def _outside(self, name: str) -> Frame | OuterCells | None:
        return None if self.outer is None else self.outer.holder(name)

    def get(self, name: str) -> Any:
        try:
            return self.values[name]
        except KeyError:
            raise UnboundLocalError(
                f"cannot access local variable {name!r} where it is not associated with a value"
            ) from None

    def set(self, name: str, value: Any) -> None:
        self.values[name] = value

    def delete(self, name: str) -> None:
        self.get(name)
        del self.values[name]


@dataclass(frozen=True)
class OuterCells:
    """The names that a function of the interpreter's own has from the functions around it."""

    cells: Mapping[str, CellType]

    def holder(self, name: str) -> OuterCells | None:
        return self if name in self.cells else None

    def get(self, name: str) -> Any:
        try:
            return self.cells[name].cell_contents
        except ValueError:
            raise NameError(f"cannot access free variable {name!r} where it is not associated with a value") from None

    def set(self, name: str, value: Any) -> None:
        self.cells[name].cell_contents = value

    def delete(self, name: str) -> None:
        self.get(name)
        del self.cells[name].cell_contents


@dataclass(frozen=True)
class Written:
    """A function as it is written.

    Attributes:
        node: its syntax.
        file: where.
        outer: the names around it.
        module: the names of its module.
        defaults: the values of its defaults, by parameter.
        name: as it calls itself.
    """

    node: Defined
    file: str
    outer: Frame | OuterCells | None
    module: dict[str, Any]
    defaults: Mapping[str, Any]
    name: str

    def frame(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> Frame:
        """The names of a call with these arguments.

        Raises:
            TypeError: they don't fit, as the interpreter says it.
        """
        given = self.node.args
        first = next((one.arg for one in (*given.posonlyargs, *given.args)), None)
        return Frame(self._bind(arguments, named), bound_names(self.node), self.outer, self.module, self.file, first)

    def _bind(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
        if not named and (names := _only_places(self.node)) is not None and len(names) == len(arguments):
            return dict(zip(names, arguments, strict=True))
        found = self._signature.bind(*arguments, **named)
        values = {**self.defaults, **found.arguments}
        arguments_ = self.node.args
        for one, kind in ((arguments_.vararg, tuple), (arguments_.kwarg, dict)):
            if one is not None:
                values.setdefault(one.arg, kind())
        return values

    @functools.cached_property
    def _signature(self) -> inspect.Signature:
        parameter, given = inspect.Parameter, self.node.args
        kinds: list[tuple[ast.arg, Any]] = [(one, parameter.POSITIONAL_ONLY) for one in given.posonlyargs]
        kinds += [(one, parameter.POSITIONAL_OR_KEYWORD) for one in given.args]
        kinds += [(given.vararg, parameter.VAR_POSITIONAL)] if given.vararg else []
        kinds += [(one, parameter.KEYWORD_ONLY) for one in given.kwonlyargs]
        kinds += [(given.kwarg, parameter.VAR_KEYWORD)] if given.kwarg else []
        return inspect.Signature(
            [parameter(one.arg, kind, default=self.defaults.get(one.arg, parameter.empty)) for one, kind in kinds]
        )


@functools.cache
def _only_places(node: Defined) -> tuple[str, ...] | None:
    """The parameters of a function, where all are given by their places."""
    given = node.args
    if given.vararg or given.kwarg or given.kwonlyargs:
        return None
    return tuple(one.arg for one in (*given.posonlyargs, *given.args))


@functools.cache
def is_generator(node: Defined) -> bool:
    """Whether a function yields: its body does, not a function inside it."""
    return yields(node.body if isinstance(node, ast.FunctionDef) else [node.body])


def yields(nodes: Iterable[ast.AST]) -> bool:
    """Whether nodes of one scope yield."""
    return any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in _inside(nodes))


def written(function: FunctionType) -> Written | None:
    """The function as its file has it; None where there is no source that compiles to its code."""
    node = _node(function.__code__, function.__code__.co_filename)
    if node is None:
        return None
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    given = function.__defaults__ or ()
    defaults = dict(zip(names[len(names) - len(given) :], given, strict=True)) | (function.__kwdefaults__ or {})
    outer = OuterCells(cells) if cells else None
    return Written(node, function.__code__.co_filename, outer, function.__globals__, defaults, function.__qualname__)


@functools.cache
def _node(code: CodeType, file: str) -> Defined | None:
    """The syntax whose compilation is this code; None where none in its file is. Codes of two files can be equal."""
    text = source_of(file)
    tree = parsed(file, text)
    if tree is None:
        return None
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.Lambda)) and first_line(node) == code.co_firstlineno
    ]
    named = [node for node in found if (node.name if isinstance(node, ast.FunctionDef) else "<lambda>") == code.co_name]
    compiled = _codes(code.co_filename, text)
    if (code.co_name, code.co_firstlineno, code.co_code, code.co_names) not in compiled or not named:
        return None
    if len(named) > 1:  # lambdas of one line: told apart by where they begin
        columns = {column for _, _, column, _ in code.co_positions() if column is not None}
        named = [node for node in named if node.body.col_offset in columns] or named  # type: ignore[union-attr]
        if len(named) > 1:
            raise Refusal(
                f"{Path(code.co_filename).name}, line {code.co_firstlineno}: two lambdas on one line: name them"
            )
    return named[0]


@functools.lru_cache(maxsize=64)
def _codes(file: str, text: str) -> frozenset[tuple[str, int, bytes, tuple[str, ...]]]:
    """What the functions of a source compile to."""
    found = set()
    left = [compile(text, file, "exec", dont_inherit=True)]
    while left:
        code = left.pop()
        found.add((code.co_name, code.co_firstlineno, code.co_code, code.co_names))
        left += [one for one in code.co_consts if isinstance(one, CodeType)]
    return frozenset(found)


def seeded(file: str) -> str | None:
    """Where a module sets a seed, or shuffles, when it is imported; None where it does neither."""
    tree = parsed(file, source_of(file))
    left: list[ast.AST] = [] if tree is None else [*tree.body]
    while left:
        node = left.pop()
        if isinstance(node, _SCOPES) or (isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)):
            continue
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in _SEEDING:
            return f"{Path(file).name}, line {node.lineno}: {ast.unparse(node.func)}"
        left += ast.iter_child_nodes(node)
    return None


@functools.cache
def written_number(file: str, node: ast.Constant) -> Exact | None:
    """The decimal that is written for a float; None where it is none."""
    text = ast.get_source_segment(source_of(file), node) or repr(node.value)
    try:
        return Exact(Fraction(text.replace("_", "")))
    except ValueError:
        return None
