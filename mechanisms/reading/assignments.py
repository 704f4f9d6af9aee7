"""What a file assigns to the names of its module and its classes, by its syntax alone."""

from __future__ import annotations

import ast
import functools
import linecache
from collections.abc import Iterator

Assigned = ast.expr | ast.ImportFrom


def source_of(file: str) -> str:
    """The text of a file; empty where there is none."""
    return "".join(linecache.getlines(file))


@functools.lru_cache(maxsize=64)
def parsed(file: str, text: str) -> ast.Module | None:
    """The syntax of a text; None where it is none."""
    try:
        return ast.parse(text, file)
    except SyntaxError:
        return None


@functools.cache
def assignment(file: str, name: str, holder: str = "") -> Assigned | None:
    """The expression that a module, or a class of it, assigns to a name, or the import, where there is one alone."""
    tree = parsed(file, source_of(file)) or ast.Module([], [])
    body = tree.body
    for part in holder.split(".") if holder else ():
        body = next((one.body for one in body if isinstance(one, ast.ClassDef) and one.name == part), [])
    of_module = [] if holder else [one for one in ast.walk(tree) if isinstance(one, ast.stmt) and one not in body]
    found = [(value, one in body) for one in (*body, *of_module) for value in _values(one, name)]
    return found[0][0] if len(found) == 1 and found[0][1] else None


def _values(node: ast.AST, name: str) -> Iterator[Assigned | None]:
    """What a statement puts under a name; None where that is no expression."""
    if isinstance(node, ast.ImportFrom):
        yield from (node for alias in node.names if (alias.asname or alias.name) == name)
    elif isinstance(node, ast.AnnAssign) and _is_name(node.target, name) and node.value is not None:
        yield node.value
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _parts(target, node.value, name)
    elif isinstance(node, (ast.AugAssign, ast.For, ast.Delete, ast.With)):
        yield from (None for one in ast.iter_child_nodes(node) if _is_name(one, name))


def _parts(target: ast.expr, value: ast.expr, name: str) -> Iterator[ast.expr]:
    if _is_name(target, name):
        yield value
    elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
        for one, part in zip(target.elts, value.elts, strict=False):
            yield from _parts(one, part, name)


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


@functools.cache
def mentioned(file: str, place: str | int) -> frozenset[str]:
    """The names in what a module assigns to a name, or in the defaults of the function that begins at a line."""
    if isinstance(place, str):
        found = [assignment(file, place)]
    else:
        nodes = ast.walk(parsed(file, source_of(file)) or ast.Module([], []))
        found = [one.args for one in nodes if isinstance(one, ast.FunctionDef) and first_line(one) == place]  # type: ignore[misc]
    return frozenset(name.id for one in found if one for name in ast.walk(one) if isinstance(name, ast.Name))


def first_line(node: ast.FunctionDef | ast.Lambda) -> int:
    """Where a function begins, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])
