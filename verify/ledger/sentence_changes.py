"""What may stand in the place of a part of a sentence: another relation, operation, number, quantifier, or nothing.

What needs no case to be found out is left out: a sentence that follows from another one holds wherever that does, and
its negation nowhere. So a place has a sign: the sentence grows stronger with what stands there (1), or weaker (-1), or
neither is certain (0); `<=` becomes `<` where that says more.

A part is made false, too, as vacuity is found in model checking: `not p or q` without q is `not p`, and holds where no
case has p, so that nothing was said of q.
"""

import ast
import itertools
from collections.abc import Collection, Iterator, Mapping
from enum import Enum
from typing import Any

_STRONGER: Mapping[type[ast.cmpop], tuple[ast.cmpop, ...]] = {
    ast.LtE: (ast.Lt(),),
    ast.GtE: (ast.Gt(),),
    ast.NotEq: (ast.Lt(), ast.Gt()),
}
_WEAKER: Mapping[type[ast.cmpop], tuple[ast.cmpop, ...]] = {
    ast.Lt: (ast.LtE(),),
    ast.Gt: (ast.GtE(),),
    ast.Eq: (ast.LtE(), ast.GtE()),
}
_RELATIONS = {1: _STRONGER, -1: _WEAKER, 0: {**_STRONGER, **_WEAKER}}
_OPERATIONS: Mapping[type[ast.operator], ast.operator] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.Div(),
    ast.Div: ast.Mult(),
    ast.BitOr: ast.BitAnd(),
    ast.BitAnd: ast.BitOr(),
}
_OTHERS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_SIGN_OF = {"all": 1, "any": -1}
"""The sign at which the other one says less."""
_FALSE = ast.Constant(value=False)


class Change(Enum):
    """What a mutant changes of a sentence."""

    PART = "a part that it asserts is false: the part is vacuous where the rest holds alone"
    BOUND = "another relation or operation, the other extreme, or one more or less"
    OTHER = "the other quantifier, a hypothesis less, or two arguments exchanged"


def changes(
    node: ast.AST, sign: int, words: Collection[str], numbers: Collection[str], *, is_asserted: bool
) -> Iterator[tuple[Change, ast.AST]]:
    """What may stand in the place of a node.

    Args:
        node: an expression, or the clause of a comprehension, which has its conditions' sign.
        sign: of the place; that of a node that is no truth value is 0.
        words: the names of words.
        numbers: the names of constant numbers.
        is_asserted: whether parts of it may be made false.
    """
    kinds = {
        Change.PART: _without_a_part(node) if is_asserted else (),
        Change.BOUND: itertools.chain(_other_relations(node, sign), _other_numbers(node, numbers)),
        Change.OTHER: itertools.chain(_other_logic(node, sign), _other_arguments(node, words)),
    }
    yield from ((kind, one) for kind, changed in kinds.items() for one in changed)


def _without_a_part(node: ast.AST) -> Iterator[ast.AST]:
    """The node with one of its asserted parts made false."""
    match node:
        case ast.BoolOp(op=ast.Or(), values=parts):
            yield from [] if is_negation(parts[-1]) else [_without(node, len(parts) - 1)]
        case ast.IfExp():
            yield ast.IfExp(node.test, _FALSE, node.orelse)
            yield ast.IfExp(node.test, node.body, _FALSE)
        case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp() | ast.ListComp() as listed]):
            yield ast.Call(node.func, [type(listed)(_FALSE, listed.generators)], [])


def _other_relations(node: ast.AST, sign: int) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare):
        for place, relation in enumerate(node.ops):
            for other in _RELATIONS[sign].get(type(relation), ()):
                yield ast.Compare(node.left, _with(node.ops, place, [other]), node.comparators)


def _other_logic(node: ast.AST, sign: int) -> Iterator[ast.AST]:
    """The node without a hypothesis or a condition, or with the other quantifier."""
    match node:
        case ast.BoolOp(values=parts):
            if sign in (0, 1 if isinstance(node.op, ast.Or) else -1):
                yield from (_without(node, place) for place in range(len(parts)))
        case ast.Call(func=ast.Name(id="any" | "all" as name)) if sign != _SIGN_OF[name]:
            yield ast.Call(ast.Name(_OTHERS[name], ast.Load()), node.args, [])
        case ast.comprehension(ifs=parts) if sign < 1:
            for place in range(len(parts)):
                yield ast.comprehension(node.target, node.iter, _with(parts, place, []), 0)


def _other_numbers(node: ast.AST, numbers: Collection[str]) -> Iterator[ast.AST]:
    """The node with the opposite operation, another extreme, or one more or less."""
    match node:
        case ast.BinOp() if type(node.op) in _OPERATIONS:
            yield ast.BinOp(node.left, _OPERATIONS[type(node.op)], node.right)
        case ast.BinOp(op=ast.Pow()) if not isinstance(node.right, ast.Constant):
            yield from (ast.BinOp(node.left, node.op, one) for one in _next_to(node.right))
        case ast.UnaryOp(op=ast.USub()):
            yield node.operand
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.Name(id=name, ctx=ast.Load()) if name in numbers:
            yield from _next_to(node)
        case ast.Call(func=ast.Name(id="min" | "max" as name)):
            yield ast.Call(ast.Name(_OTHERS[name], ast.Load()), node.args, [])


def _other_arguments(node: ast.AST, words: Collection[str]) -> Iterator[ast.AST]:
    """The word of its first two values exchanged."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=[first, second, *others]) if name in words:
            yield ast.Call(node.func, [second, first, *others], [])


def _next_to(number: ast.expr) -> Iterator[ast.expr]:
    yield ast.BinOp(number, ast.Add(), ast.Constant(1))
    yield ast.BinOp(number, ast.Sub(), ast.Constant(1))


def _with(parts: list[Any], place: int, others: list[Any]) -> list[Any]:
    return [*parts[:place], *others, *parts[place + 1 :]]


def _without(node: ast.BoolOp, place: int) -> ast.AST:
    return ast.BoolOp(node.op, _with(node.values, place, []))


def is_negation(node: ast.AST) -> bool:
    """Whether a part begins with `not`: as one of several of which one holds, it is a hypothesis."""
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
