"""What the code of a loop changes: whether the names of the call are all that a pass can leave behind."""

from __future__ import annotations

import ast
import functools
import random
import sys
from collections.abc import Iterator, Sequence
from types import FunctionType, ModuleType
from typing import Any

from stirred.mechanisms.reading.asked import PYTHON, TOKENS
from stirred.mechanisms.reading.functions import Frame, bound_names, is_generator, written
from stirred.mechanisms.reading.refusal import DRAWING, is_immutable, is_plain
from stirred.mechanisms.reading.symbols import Drawn, Linear

_STATEMENTS = (
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.Expr,
    ast.If,
    ast.While,
    ast.For,
    ast.Break,
    ast.Continue,
    ast.Return,
    ast.Pass,
    ast.Assert,
)
_CHANGING = (ast.Attribute, ast.Subscript, ast.Starred)
_SCOPES = (ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
_PLAIN = ("abs", "min", "max", "round", "int", "float", "bool", "len", "sum", "range", "isinstance")
_LIBRARIES = ("numpy", "numpy.random", "random", "math", "secrets", "fractions")


def changes_names_alone(node: ast.While, frame: Frame) -> bool:
    """Whether passes of a loop change nothing but names, and draw."""
    return _is_fixed(node, frame) and all(is_simple(one, frame) for one in (node.test, *node.body))


def is_simple(node: ast.AST, frame: Frame, inside: Sequence[Any] = ()) -> bool:
    """Whether a statement, or an expression, changes nothing but names, and draws.

    Args:
        inside: functions that it is a part of.
    """
    if isinstance(node, ast.stmt) and not isinstance(node, _STATEMENTS):
        return False
    if isinstance(node, ast.For) and not ast.unparse(node.iter).startswith("range("):  # others may run out
        return False
    if isinstance(node, _SCOPES) or (isinstance(node, _CHANGING) and not isinstance(node.ctx, ast.Load)):
        return False
    if isinstance(node, ast.Call) and not _is_harmless(node, frame, inside):
        return False
    if isinstance(node, ast.Name):
        return not _is_object(_value(node, frame)) if isinstance(node.ctx, ast.Load) else frame.holder(node.id) is frame
    if isinstance(node, ast.Attribute) and _is_object(_value(node.value, frame)):
        found = _value(node, frame)
        return found is not None and (_is_unchanging(found) or _is_object(found) or isinstance(found, FunctionType))
    return all(is_simple(one, frame, inside) for one in ast.iter_child_nodes(node))


def _is_harmless(call: ast.Call, frame: Frame, inside: Sequence[Any]) -> bool:
    """Whether a call changes nothing: one of Python's plain functions, or a library's of numbers."""
    function = call.func
    if isinstance(function, ast.Name) and frame.holder(function.id) is None and function.id not in frame.module:
        return function.id in _PLAIN
    parts = [one for part in (*call.args, *call.keywords) for one in ast.walk(part)]
    others = {id(one.func) for one in parts if isinstance(one, ast.Call)}
    others |= {
        id(one.value) for one in parts if isinstance(one, ast.Attribute) and _is_object(_value(one.value, frame))
    }
    given = [one for one in parts if isinstance(one, ast.Name) and id(one) not in others]
    if not all(_is_unchanging(_value(one, frame)) for one in given):
        return False
    value = _value(function, frame)
    owner = _value(function.value, frame) if isinstance(function, ast.Attribute) else None
    if _is_token(owner) or (isinstance(owner, ModuleType) and owner.__name__ in _LIBRARIES) or _is_library(value):
        return True
    return isinstance(value, FunctionType) and _is_pure(value, inside, owner if _is_object(owner) else None)


def _is_library(value: Any) -> bool:
    """Whether a function is one of a library's of numbers."""
    modules = [vars(sys.modules[name]).values() for name in _LIBRARIES if name in sys.modules]
    return callable(value) and any(value is one for members in modules for one in members)


def _is_pure(function: FunctionType, inside: Sequence[Any], owner: Any) -> bool:
    """Whether a function of the program's, or a method of an object, changes nothing but names of its own."""
    if any(one is function for one in inside):
        return True
    source = written(function)
    if source is None or not isinstance(source.node, ast.FunctionDef) or is_generator(source.node):
        return False
    if not all(map(is_immutable, (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()))):
        return False
    arguments = source.node.args
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    values: dict[str, Any] = dict.fromkeys(names, TOKENS[PYTHON])
    if owner is not None and not _is_static(owner, function):
        values[names[0]] = owner
    kept = {name: value for name, value in values.items() if name not in stored(source.node)}
    frame = Frame(kept, bound_names(source.node), source.outer, source.module, source.file)
    return _is_fixed(source.node, frame) and all(is_simple(one, frame, (*inside, function)) for one in source.node.body)


def _is_static(owner: Any, function: FunctionType) -> bool:
    return any(
        getattr(one, "__func__", None) is function for kind in type(owner).__mro__ for one in vars(kind).values()
    )


def _is_fixed(node: ast.AST, frame: Frame) -> bool:
    """Whether no operator of the code changes what its names hold, as y = a; y += [1] does to a list a."""
    is_added_to = any(isinstance(one, ast.AugAssign) for one in ast.walk(node))
    seen = [_value(one, frame) for one in names_in(node)]
    return all(
        _is_unchanging(one)
        or _is_object(one)
        or isinstance(one, Drawn)
        or callable(one)
        or (not is_added_to and is_plain(one))
        for one in seen
    )


def _is_unchanging(value: Any) -> bool:
    """Whether a value, or one yet to be made, cannot be changed, but for the state of a generator."""
    return value is None or isinstance(value, (Linear, ModuleType)) or is_immutable(value) or _is_token(value)


def _is_token(value: Any) -> bool:
    """Whether a value is a generator, or stands for one."""
    return type(value) is random.SystemRandom or type(value) in DRAWING


def _is_object(value: Any) -> bool:
    """Whether a value is an object of a class that is written in Python, whose attributes are those it holds."""
    kind = type(value)
    if _is_unchanging(value) or callable(value):
        return False
    is_usual = not any("__getattribute__" in vars(one) or "__getattr__" in vars(one) for one in kind.__mro__[:-1])
    return is_usual and type(kind) is type and hasattr(value, "__dict__") and kind.__module__ != "builtins"


def _value(node: ast.expr, frame: Frame) -> Any:
    """The value of a name, or of an attribute of a module or an object; None where it is not known."""
    if isinstance(node, ast.Name):
        holder = frame.holder(node.id)
        return frame.module.get(node.id) if holder is None else getattr(holder, "values", {}).get(node.id)
    if not isinstance(node, ast.Attribute):
        return None
    owner = _value(node.value, frame)
    if isinstance(owner, ModuleType):
        return vars(owner).get(node.attr)
    if not _is_object(owner):
        return None
    entry = next((vars(kind)[node.attr] for kind in type(owner).__mro__ if node.attr in vars(kind)), None)
    if entry is None or is_immutable(entry):
        return vars(owner).get(node.attr, entry)
    found = getattr(entry, "__func__", entry) if isinstance(entry, (staticmethod, FunctionType)) else None
    return None if node.attr in vars(owner) else found


@functools.cache
def dead(node: ast.While) -> frozenset[str]:
    """Names that a pass gives a value before anything can look at them: none where the loop ends at its head."""
    if not (isinstance(node.test, ast.Constant) and node.test.value):
        return frozenset()
    looked_at = set[str]()
    _flow(node.body, frozenset(), looked_at, stored(node))
    return stored(node) - looked_at


def _flow(
    body: list[ast.stmt], given: frozenset[str], looked_at: set[str], after: frozenset[str]
) -> frozenset[str] | None:
    """The names that statements have given values; None where control does not come past them.

    Args:
        given: those that have values of this pass before.
        looked_at: where names are added whose values of another pass may be looked at.
        after: what may be looked at after the loop.
    """
    for one in body:
        if isinstance(one, (ast.If, ast.While)):
            looked_at |= _loaded(one.test) - given
        if isinstance(one, ast.If):
            ends = [_flow(part, given, looked_at, after) for part in (one.body, one.orelse)]
            if not (left := [end for end in ends if end is not None]):
                return None
            given = left[0].intersection(*left)
        elif isinstance(one, (ast.While, ast.For)):
            looked_at |= _loaded(one.iter) - given if isinstance(one, ast.For) else set()
            inner = given | stored(one.target) if isinstance(one, ast.For) else given
            _flow(one.body, inner, looked_at, frozenset())
            _flow(one.orelse, given, looked_at, frozenset())
        elif isinstance(one, (ast.Break, ast.Continue)):
            looked_at |= after - given if isinstance(one, ast.Break) else set()
            return None
        else:
            looked_at |= after - given if isinstance(one, ast.Assert) else set()
            added = _loaded(one) | (stored(one) if isinstance(one, ast.AugAssign) else frozenset())
            looked_at |= added - given
            if isinstance(one, ast.Return):
                return None
            given = given | stored(one)
    return given


def _loaded(node: ast.AST) -> frozenset[str]:
    return frozenset(name.id for name in names_in(node) if isinstance(name.ctx, ast.Load))


@functools.cache
def stored(node: ast.AST) -> frozenset[str]:
    """The names to which it gives values."""
    return frozenset(name.id for name in names_in(node) if isinstance(name.ctx, ast.Store))


def names_in(node: ast.AST) -> Iterator[ast.Name]:
    """The names that a statement, or an expression, has."""
    return (one for one in ast.walk(node) if isinstance(one, ast.Name))
