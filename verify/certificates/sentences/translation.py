"""Python's expressions with the meaning of sentences: every operation is one that pays, and all else pays its size."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from .enclosures import OO
from .functions import FUNCTIONS, in_order
from .operations import OPERATORS
from .price import Account, require

__all__ = ["compiled", "is_name", "scope_of"]

_MOST_CHARACTERS = 20_000
_NODES = """Expression Load Store Constant Name Tuple List Set Dict UnaryOp USub Not BinOp Add Sub Mult Div FloorDiv Mod
Pow BitAnd BitOr BoolOp And Or Compare Eq NotEq Lt LtE Gt GtE In NotIn IfExp Subscript Slice GeneratorExp ListComp
SetComp DictComp comprehension Call"""
_OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
}


def scope_of(account: Account) -> dict[str, Any]:
    """What expressions may use before there are words: oo, functions, and operators under names that no text has."""
    own = {
        "pay:": account.pay,
        "each:": partial(_each, account),
        "weigh:": account.weighed,
        "map:": partial(_map, account),
    }
    functions = {f"{name}()": partial(function, account) for name, function in FUNCTIONS.items()}
    operators = {name: partial(operator, account) for name, operator in OPERATORS.items()}
    return {"__builtins__": {}, "oo": OO, **own, **functions, **operators}


def _each(account: Account, values: Any, steps: int) -> Iterator[Any]:
    """The parts of a value, each after paying for what is done with it."""
    for part in in_order(account, values):
        account.pay(steps)
        yield part


def _map(account: Account, pairs: Iterator[tuple[Any, Any]]) -> dict[Any, Any]:
    listed = in_order(account, pairs)
    account.hashed([key for key, _ in listed])
    return dict(listed)


class _Translation(ast.NodeTransformer):
    """Python's expression with the meaning of the format; no text can name what is put in: "/", "sum()"."""

    def visit(self, node: ast.AST) -> Any:
        require(type(node).__name__ in _NODES.split(), f"not in the language: {type(node).__name__}")
        return super().visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        require(type(node.value) in (int, str, bool), "constants must be integers, texts, True or False")
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        require(is_name(node.id) or (node.id == "oo" and isinstance(node.ctx, ast.Load)), f"no name: {node.id}")
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        return _call(_OPERATORS[type(self.visit(node.op))], self.visit(node.left), self.visit(node.right))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        sides = [_weighed(self.visit(side)) for side in (node.left, *node.comparators)]
        return ast.Compare(sides[0], [self.visit(op) for op in node.ops], sides[1:])

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        whole, index = self.visit(node.value), self.visit(node.slice)
        is_part = isinstance(index, ast.Slice)
        return ast.Subscript(_weighed(whole) if is_part else whole, index if is_part else _weighed(index), node.ctx)

    def visit_List(self, node: ast.List) -> ast.expr:
        return ast.Tuple([self.visit(part) for part in node.elts], node.ctx)

    def visit_Set(self, node: ast.Set) -> ast.expr:
        return _call("set()", self.visit(ast.Tuple(node.elts, ast.Load())))

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        require(None not in node.keys, "a map must have keys")
        keys: list[ast.expr | None] = [_weighed(self.visit(key)) for key in node.keys if key is not None]
        return ast.Dict(keys, [self.visit(value) for value in node.values])

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return _call("map:", self._each(pair, node.generators))

    def visit_ListComp(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> ast.expr:
        name = "set()" if isinstance(node, ast.SetComp) else "tuple()"
        return _call(name, self._each(node.elt, node.generators))

    visit_GeneratorExp = visit_SetComp = visit_ListComp  # noqa: N815 names of ast

    def _each(self, element: ast.expr, clauses: Sequence[ast.comprehension]) -> ast.expr:
        """A comprehension that pays, for each part of what it runs over, all that stands behind."""
        made, steps = [], _steps(element)
        for clause in reversed(clauses):
            parts = ast.walk(clause.target)
            is_named = all(isinstance(part, (ast.Name, ast.Tuple, ast.List, ast.Store)) for part in parts)
            require(is_named and not clause.is_async, "targets: names")
            tests = [self.visit(test) for test in clause.ifs]
            steps += sum(map(_steps, (clause.target, *clause.ifs)))
            over = _call("each:", self.visit(clause.iter), ast.Constant(steps))
            made.append(ast.comprehension(self.visit(clause.target), over, tests, 0))
            steps += _steps(clause.iter)
        return ast.GeneratorExp(self.visit(element), made[::-1])

    def visit_Call(self, node: ast.Call) -> ast.expr:
        require(isinstance(node.func, ast.Name) and not node.keywords, "calls must be of words and functions")
        name = node.func.id  # type: ignore[attr-defined]
        if name in ("any", "all") and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return _call(f"{name}()", self._each(node.args[0].elt, node.args[0].generators))  # ends at the first
        return _call(f"{name}()", *map(self.visit, node.args))


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _weighed(side: ast.expr) -> ast.expr:
    """What is compared, copied or looked up, which pays its size."""
    return side if isinstance(side, ast.Constant) else _call("weigh:", side)


def _steps(node: ast.AST) -> int:
    """How many steps a part of an expression takes that is evaluated once: as many as it has parts."""
    return sum(1 for _ in ast.walk(node))


def is_name(text: str) -> bool:
    """Whether a text may be a name of a value."""
    return text.isidentifier() and text.isascii() and text != "oo" and not text.startswith("__")


def compiled(text: str, names: Sequence[str], scope: dict[str, Any]) -> Callable[..., Any]:
    """An expression as a function of its names, which pays for each evaluation.

    Raises:
        SentenceError: the text is not in the language; with other errors of Python where it is no expression.
    """
    require(isinstance(text, str) and not {"#", "\\"} & {*text}, "an expression must be a text without # and \\")
    require(len(text) <= _MOST_CHARACTERS, f"an expression must have at most {_MOST_CHARACTERS} characters")
    require(all(map(is_name, names)), "names must be ASCII names, not oo, and begin with no __")
    tree = ast.parse(text.strip(), mode="eval")
    paid = ast.BoolOp(ast.And(), [_call("pay:", ast.Constant(_steps(tree))), _Translation().visit(tree).body])
    parameters = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    whole = ast.fix_missing_locations(ast.Expression(ast.Lambda(parameters, paid)))
    return eval(compile(whole, "<sentence>", "eval"), scope)  # type: ignore[no-any-return]  # noqa: S307 of `_NODES` alone
