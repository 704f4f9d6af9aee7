"""Loops that draw until what they drew is accepted: the run begins afresh, its law is conditioned on not doing so.

A pass of a loop that ends where a pass began, in a state from which everything goes on as from the earlier one, may be
forgotten together with all before it, where nothing was decided before: the run begins again. States are the same where
names have the same values, or numbers that are drawn with equal laws and meet no conditions yet. Only loops are looked
at whose statements change nothing but names, so that the names of the call are all that a pass can leave behind.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from stirred.mechanisms.reading.asked import TOKENS
from stirred.mechanisms.reading.functions import Frame
from stirred.mechanisms.reading.refusal import Forking, is_immutable, is_plain
from stirred.mechanisms.reading.region import Region
from stirred.mechanisms.reading.symbols import Linear, is_symbolic

_STATEMENTS = (
    ast.Assign,
    ast.AnnAssign,
    ast.AugAssign,
    ast.Expr,
    ast.If,
    ast.Break,
    ast.Continue,
    ast.Return,
    ast.Pass,
)
_CHANGING = (ast.Attribute, ast.Subscript, ast.Starred)
_SCOPES = (ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
_PLAIN = ("abs", "min", "max", "round", "int", "float", "bool", "len", "sum", "range")


@dataclass(frozen=True)
class Arrival:
    """Where a pass of a loop begins before anything was decided.

    Attributes:
        names: the values of the call's names.
        draws: how many draws there were.
        is_alone: whether nothing but names can hold these.
    """

    names: Mapping[str, Any]
    draws: int
    is_alone: bool


def begun(
    node: ast.While, frame: Frame, region: Region, *, path: Forking, before: Sequence[ast.stmt], known: Arrival | None
) -> Arrival | None:
    """What is to be known of a pass of a loop that begins; the run begins afresh where that is the same.

    Args:
        path: decides.
        before: what was run before the loop, where the call is the run's own; nothing else may hold what it drew.
        known: of an earlier pass of the same loop.
    """
    if path.taken:
        if known is not None and _is_same(known, frame.values, region, _dead(node)):
            path.reject()
        return known
    seen = [_value(one, frame) for one in _names(node)]
    is_known = all(_is_number(one) or is_plain(one) or callable(one) for one in seen)
    if not (is_known and all(_is_simple(one, frame) for one in (node.test, *node.body))):
        return None
    is_alone = bool(before) and all(_is_simple(one, frame) for one in before)
    return Arrival(dict(frame.values), len(region.laws), is_alone)


def _is_same(first: Arrival, names: Mapping[str, Any], region: Region, dead: set[str]) -> bool:
    tied = {draw for row in region.rows for draw in row.draws}
    renamed: dict[int, int] = {}
    for name in (first.names.keys() | names.keys()) - dead:
        then, now = (values.get(name, Arrival) for values in (first.names, names))
        if isinstance(then, Linear) and isinstance(now, Linear):
            if not _is_like(then, now, renamed, region):
                return False
        elif then is not now or is_symbolic(now):
            return False
    is_one_to_one = len(set(renamed.values())) == len(renamed)
    are_forgotten = first.is_alone or all(draw >= first.draws for draw in tied)
    return is_one_to_one and are_forgotten and tied.isdisjoint(renamed.values())


def _is_like(then: Linear, now: Linear, renamed: dict[int, int], region: Region) -> bool:
    """Whether two numbers have equal laws, by a renaming of draws, to which it is added."""
    if len(then.terms) != len(now.terms) or then.kind is not now.kind or then.shift != now.shift:
        return False
    for (draw, c), (other, d) in zip(then.terms.items(), now.terms.items(), strict=True):
        if c != d or region.laws[draw] is not region.laws[other] or renamed.setdefault(draw, other) != other:
            return False
    return True


def _is_simple(node: ast.AST, frame: Frame) -> bool:
    """Whether a statement, or an expression, changes nothing but names, and draws."""
    if isinstance(node, ast.stmt) and not isinstance(node, _STATEMENTS):
        return False
    if isinstance(node, _SCOPES) or (isinstance(node, _CHANGING) and not isinstance(node.ctx, ast.Load)):
        return False
    if isinstance(node, ast.Call) and not _is_harmless(node, frame):
        return False
    if isinstance(node, ast.Name):
        return isinstance(node.ctx, ast.Load) or frame.holder(node.id) is frame
    return all(_is_simple(one, frame) for one in ast.iter_child_nodes(node))


def _is_harmless(call: ast.Call, frame: Frame) -> bool:
    """Whether a call changes nothing: one of Python's plain functions, or a library's of numbers."""
    function = call.func
    if isinstance(function, ast.Name):
        is_python = frame.holder(function.id) is None and function.id not in frame.module
        return function.id in _PLAIN and is_python
    while isinstance(function, ast.Attribute):
        function = function.value
    value = _value(function, frame) if isinstance(function, ast.Name) else None
    is_library = isinstance(value, ModuleType) and value.__name__ in ("numpy", "numpy.random", "random", "math")
    given = [one for part in (*call.args, *call.keywords) for one in _names(part)]
    are_numbers = all(_is_number(_value(one, frame)) for one in given)
    return are_numbers and (is_library or any(value is token for token in TOKENS.values()))


def _value(name: ast.Name, frame: Frame) -> Any:
    holder = frame.holder(name.id)
    return frame.module.get(name.id) if holder is None else getattr(holder, "values", {}).get(name.id)


def _is_number(value: Any) -> bool:
    """Whether a value, or one yet to be made, cannot be changed."""
    return value is None or isinstance(value, (Linear, ModuleType)) or is_immutable(value)


def _dead(node: ast.While) -> set[str]:
    """Names that every pass gives a value before anything can look at them: none where the loop ends at its head."""
    if not (isinstance(node.test, ast.Constant) and node.test.value):
        return set()
    given, looked_at = set[str](), set[str]()
    for one in node.body:
        looked_at |= {name.id for name in _names(one) if isinstance(name.ctx, ast.Load)} - given
        if isinstance(one, ast.AugAssign) or any(isinstance(part, (ast.Break, ast.Continue)) for part in ast.walk(one)):
            looked_at |= {name.id for name in _names(one)} - given
            if not isinstance(one, ast.AugAssign):
                break
        elif isinstance(one, ast.Assign):
            given |= {name.id for name in _names(one) if isinstance(name.ctx, ast.Store)}
    return given - looked_at


def _names(node: ast.AST) -> Iterator[ast.Name]:
    return (one for one in ast.walk(node) if isinstance(one, ast.Name))
