"""An expression with its numbers put in: names and words become their values, and the arithmetic stays to be seen."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from stirred.verify.certificates.case_values import shown_value

__all__ = ["called", "listed", "names_bound", "put_in", "written"]

_KEPT = frozenset({"factorial", "comb", "derangements", "floor", "ln", "exp", "sqrt", "abs"})
"""Functions of numbers, which stay."""

_LISTED = {"sum": ast.Add(), "max": None, "min": None}
"""Functions of a list, whose parts are shown."""

_MOST_TERMS = 12
_LONGEST = 40

Values = Callable[[ast.expr], Any]


def written(node: ast.expr) -> str:
    """An expression as text."""
    return ast.unparse(ast.fix_missing_locations(node))


def called(node: ast.expr) -> str:
    """The name of the function or word that a call is of; empty for anything else."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def names_bound(each: Any) -> tuple[str, ...]:
    """The names that a comprehension goes through, in their order."""
    found = [node.id for one in each.generators for node in ast.walk(one.target) if isinstance(node, ast.Name)]
    return tuple(dict.fromkeys(found))


def put_in(
    node: ast.expr,
    value: Values,
    terms: Callable[[Any], tuple[Any, ...]] | None = None,
    *,
    are_sides_values: bool = False,
) -> ast.expr:
    """The expression with values in place of its names, words, parts and comprehensions.

    Args:
        node: the expression.
        value: what a part of it stands for.
        terms: what a comprehension goes through; unless given, its value.
        are_sides_values: whether the sides of a comparison are shown as values, and not worked out.

    >>> tree = ast.parse("n*(k - 1)/ln(x)", mode="eval").body
    >>> written(put_in(tree, lambda part: {"n": 2, "k": Fraction(1, 3), "x": 5}[part.id]))
    '2 * (1 / 3 - 1) / ln(5)'
    """

    def inner(part: ast.expr) -> ast.expr:
        return put_in(part, value, terms)

    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            shown = (lambda part: _literal(value(part))) if are_sides_values else inner
            return ast.Compare(shown(left), ops, [shown(one) for one in others])
        case ast.Constant():
            return node
        case ast.BinOp(left=left, op=op, right=right) if not isinstance(op, (ast.BitAnd, ast.BitOr)):
            return ast.BinOp(inner(left), op, inner(right))
        case ast.UnaryOp(op=ast.USub() as op, operand=operand):
            return ast.UnaryOp(op, inner(operand))
        case ast.IfExp(test=test, body=body, orelse=other):
            return inner(body if value(test) else other)
        case ast.Call(func=function, args=arguments) if called(node) in _KEPT:
            return ast.Call(function, [inner(one) for one in arguments], [])
        case ast.Call(args=[only]) if called(node) in _LISTED:
            return listed(called(node), _items(only, value, terms))
        case ast.Call(func=function, args=arguments) if called(node) in _LISTED:
            return ast.Call(function, [inner(one) for one in arguments], [])
    return _literal(value(node))


def _items(node: ast.expr, value: Values, terms: Callable[[Any], tuple[Any, ...]] | None) -> list[Any]:
    if isinstance(node, (ast.GeneratorExp, ast.ListComp)) and terms is not None:
        return list(terms(node))
    found = value(node)
    return sorted(found, key=shown_value) if isinstance(found, frozenset) else list(found)


def listed(name: str, items: Sequence[Any]) -> ast.expr:
    """The sum of a list written out, or its largest or smallest part asked for.

    >>> written(listed("sum", [1, Fraction(1, 2)])), written(listed("max", [1, 2]))
    ('1 + 1 / 2', 'max(1, 2)')
    """
    shown = [_literal(one) for one in items[:_MOST_TERMS]]
    if len(items) > _MOST_TERMS:
        shown.append(ast.Name(f"… ({len(items)} in all)", ast.Load()))
    operator = _LISTED[name]
    if operator is None:
        return ast.Call(ast.Name(name, ast.Load()), shown, [])
    total = shown[0] if shown else ast.Constant(0)
    for one in shown[1:]:
        total = ast.BinOp(total, operator, one)
    return total


def _literal(value: Any) -> ast.expr:
    """A value as an expression: a fraction as a quotient, so that it is in parentheses where it must be."""
    text = shown_value(value)
    if isinstance(value, Fraction) and value.denominator != 1 and len(text) <= _LONGEST:
        return ast.BinOp(_whole(value.numerator), ast.Div(), _whole(value.denominator))
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool) and len(text) <= _LONGEST:
        return _whole(int(value))
    return ast.Name(text, ast.Load())


def _whole(number: int) -> ast.expr:
    return ast.Constant(number) if number >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-number))
