"""A function with all that it calls, as the text of its file has them; nothing of the file is imported or run."""

from __future__ import annotations

import ast
import copy
import linecache
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import FunctionType
from typing import Any

from stirred.mechanisms.reading.assignments import first_line
from stirred.mechanisms.reading.functions import bound_names
from stirred.spec.arguments import InputError, suggestion
from stirred.verify.evidence.certificates.closed_grammar import MEANINGS, MODULES, carried_out
from stirred.verify.evidence.certificates.read_values import RefusedError
from stirred.verify.evidence.files.bounded_file import read_bounded
from stirred.verify.prove.module_text import (
    ModuleText,
    NotClosedError,
    closed_file,
    closed_value,
    full_name,
    module_text,
)

_MOST_BYTES = 10**7


@dataclass(frozen=True)
class FoundFunction:
    """A function as text, on the lines of its file, with those that it calls.

    Attributes:
        source, name: the text, and the function's name in it.
        names: what each outer name means, as `ReadProgram` has it.
        parameters: of the function, each with its annotation, where it is imported from, and its default as a text.
    """

    source: str
    name: str
    names: Mapping[str, str]
    parameters: Sequence[Sequence[str | None]]


def in_file(file: Path, name: str) -> FoundFunction:
    """A function of a file, all of which is closed.

    Raises:
        InputError: the file is not closed, has no such function, or a name in it has two meanings.
    """
    module = closed_file(file)
    node = module.names.get(name)
    if not isinstance(node, ast.FunctionDef):
        functions = [one for one, meaning in module.names.items() if isinstance(meaning, ast.FunctionDef)]
        raise InputError(f"{file.name}: has no function {name!r}; {suggestion(name, functions)}")
    return _found(module, node, ())


def of_function(function: Any) -> FoundFunction:
    """A function of this process, read in the text of its file. What else has changed its names here is not asked.

    Raises:
        InputError: there is no text that compiles to it, or a name in it has two meanings.
    """
    if not isinstance(function, FunctionType) or hasattr(function, "__wrapped__"):
        raise InputError(f"mechanism must be a function as it is written, without decorators; got {function!r}")
    code, file = function.__code__, Path(function.__code__.co_filename)
    is_file = file.is_file()
    content = read_bounded(file, _MOST_BYTES) if is_file else "".join(linecache.getlines(str(file))).encode()
    module = module_text(code.co_filename, content, is_closed=False)
    nodes = [
        one
        for one in ast.walk(module.tree)
        if isinstance(one, ast.FunctionDef) and (one.name, first_line(one)) == (code.co_name, code.co_firstlineno)
    ]
    if not nodes or code not in module.code:
        raise InputError(f"mechanism: the source of {function.__qualname__} is not found")
    return _found(module, nodes[0], code.co_freevars)


def _found(module: ModuleText, function: ast.FunctionDef, enclosed: Collection[str]) -> FoundFunction:
    """A function with those that it calls; names of the functions around it mean nothing that is read."""
    kept, waiting = {function.name: function}, [function]
    meant: dict[str, Any] = {function.name: function}
    while waiting:
        node = waiting.pop()
        for name in _outer(node):
            meaning = None if node is function and name in enclosed else module.meaning(name)
            if meant.setdefault(name, meaning) is not meaning and meant[name] != meaning:
                raise InputError(f"line {node.lineno}: {name} has two meanings in functions that call each other")
            if isinstance(meaning, ast.FunctionDef) and name not in kept:
                kept[name] = meaning
                waiting.append(meaning)
    names = {name: text for name, meaning in meant.items() if (text := _read(meaning)) is not None}
    around = {} if function.col_offset else module.names
    given = function.args
    places = [*given.posonlyargs, *given.args]
    defaults = dict(zip((one.arg for one in reversed(places)), reversed(given.defaults), strict=False))
    defaults |= {one.arg: value for one, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value}
    parameters = [
        (
            one.arg,
            None if one.annotation is None else _annotated(one.annotation, module, enclosed),
            _default(defaults[one.arg], around) if one.arg in defaults else None,
        )
        for one in (*places, *given.kwonlyargs)
    ]
    return FoundFunction(_text(list(kept.values()), module.text), function.name, names, parameters)


def _outer(node: ast.FunctionDef) -> Iterator[str]:
    """The names that a function takes from outside: those that it reads and does not bind."""
    bound, read = {*bound_names(node).local}, set()
    try:
        for one in carried_out(node):
            if isinstance(one, ast.comprehension):
                bound |= {part.id for part in ast.walk(one.target) if isinstance(part, ast.Name)}
            elif isinstance(one, ast.Name):
                read.add(one.id)
    except RefusedError as error:
        raise InputError(str(error)) from None
    yield from sorted(read - bound)


def _read(meaning: Any) -> str | None:
    """What a name is to the reader; None where it is nothing that is read, or a function of the file."""
    if isinstance(meaning, str):
        return meaning if meaning in MODULES or meaning in MEANINGS else None
    return f"= {_number(meaning)}" if isinstance(meaning, (int, float, Fraction)) else None


def _number(value: float | Fraction) -> Fraction:
    """A number as its source writes it."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def _annotated(node: ast.expr, module: ModuleText, enclosed: Collection[str]) -> str:
    """An annotation by the module that it is imported from, else as it is written."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            node = ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return ""
    known = {name: meaning for name, meaning in module.names.items() if name not in enclosed}
    return full_name(node, known) or f"? {ast.unparse(node)}"


def _default(node: ast.expr, names: Mapping[str, Any]) -> str:
    """A default: a number, or as it is written."""
    try:
        value = closed_value(node, names)
    except NotClosedError:
        value = None
    return ast.unparse(node)[:40] if value is None else str(_number(value))


def _text(nodes: Sequence[ast.FunctionDef], whole: str) -> str:
    """The functions on their own lines, at the left margin, without decorators; nothing else.

    Raises:
        InputError: the text reads otherwise there.
    """
    written, lines = whole.split("\n"), list[str]()
    bare = [copy.copy(node) for node in nodes]
    for node in sorted(bare, key=lambda one: one.lineno):
        node.decorator_list = []
        lines += [""] * (node.lineno - 1 - len(lines))
        margin = node.col_offset
        for line in written[node.lineno - 1 : node.end_lineno]:
            lines.append(line[margin:].rstrip() if not line[:margin].strip() else line.rstrip())
    text = "\n".join(lines) + "\n"
    try:
        same = sorted(map(ast.dump, ast.parse(text).body)) == sorted(map(ast.dump, bare))
    except SyntaxError:
        same = False
    if not same:
        raise InputError(f"line {nodes[0].lineno}: {nodes[0].name} does not read the same at the left margin")
    return text
