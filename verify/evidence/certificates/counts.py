"""Expressions that are sums of small integers and truths, which doubles compute as exact numbers do."""

import ast
from collections.abc import Callable
from fractions import Fraction

_SMALL = 10**6


def is_small(text: str) -> bool:
    """Whether a number is a small integer."""
    number = Fraction(text)
    return number.denominator == 1 and abs(number) <= _SMALL


def is_counted(node: ast.AST, holds: Callable[[ast.Name], bool], returns: Callable[[ast.Call], bool]) -> bool:
    """Whether an expression that is read is such a sum.

    Args:
        holds: whether a name holds one.
        returns: whether a call has returned one.
    """
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int) and abs(node.value) <= _SMALL
    if isinstance(node, ast.Name):
        return holds(node)
    if isinstance(node, ast.Call):
        return returns(node)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not) or is_counted(node.operand, holds, returns)
    if isinstance(node, ast.BinOp):
        is_sum = isinstance(node.op, (ast.Add, ast.Sub))
        return is_sum and all(is_counted(one, holds, returns) for one in (node.left, node.right))
    if isinstance(node, ast.IfExp):
        return all(is_counted(one, holds, returns) for one in (node.body, node.orelse))
    return isinstance(node, (ast.Compare, ast.BoolOp))
