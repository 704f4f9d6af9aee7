"""A program as it is read: a closed grammar, names by Python's own scoping, and what each outer name is.

Each kind of node that a source may have is listed, and each function that it may call; all else is refused by line. A
name is local where the compiler's symbol table says so, and else what `names` says: there is no third way.
"""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NoReturn

from stirred.verify.evidence.certificates.polynomial import Symbol
from stirred.verify.evidence.certificates.read_values import SIZE, RefusedError

GRAMMAR = frozenset(
    {
        *(ast.FunctionDef, ast.arguments, ast.arg, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Pass),
        *(ast.If, ast.For, ast.While, ast.Break, ast.Continue, ast.Return, ast.Raise, ast.Load, ast.Store),
        *(ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Call, ast.keyword, ast.IfExp),
        *(ast.ListComp, ast.GeneratorExp, ast.comprehension, ast.UnaryOp, ast.USub, ast.UAdd, ast.Not),
        *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.BoolOp, ast.And, ast.Or),
        *(ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot),
    }
)
"""The kinds of nodes that are read; annotations are not carried out by a call, and may hold `ANNOTATION` alone."""
ANNOTATION = frozenset(
    (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.Load)
)
"""The kinds of nodes of an annotation: a `yield` there would make a generator of the function."""

_BUILTIN = ("abs", "bool", "enumerate", "float", "int", "len", "list", "max", "min", "range", "sum", "tuple", "zip")
RAISED = frozenset(f"builtins.{name}" for name in ("ArithmeticError", "Exception", "RuntimeError", "ValueError"))
_ARRAY = ("abs", "argmax", "argmin", "array", "asarray", "exp", "inf", "sum", "random.default_rng")
MEANINGS = frozenset(
    {
        *RAISED,
        *(f"builtins.{name}" for name in _BUILTIN),
        *(f"numpy.{name}" for name in _ARRAY),
        *("math.exp", "math.inf"),
    }
)
"""What an outer name, or an attribute of a module, may be."""
MODULES = frozenset({"numpy", "numpy.random", "math"})

MOST_NODES = 20_000


@dataclass(frozen=True)
class ReadProgram:
    """A function as text, with what its names mean.

    Attributes:
        source: of the function and of those that it calls.
        name: of the function; its first parameter takes the data.
        generator: the parameter that takes the generator, and its kind, "numpy" or "source"; ("", "") if there is none.
        names: what each name means that no function of the source binds: one of `MODULES` or `MEANINGS`, or "= 3/2".
        ranges: of each parameter: "real", "positive", "whole >= 0", "whole >= 1" and so on, or "= 3/2".
    """

    source: str
    name: str
    generator: tuple[str, str]
    names: Mapping[str, str]
    ranges: Mapping[str, str]

    @cached_property
    def functions(self) -> dict[str, ast.FunctionDef]:
        """The functions of the source by name.

        Raises:
            RefusedError: it holds anything else, or what is not in the grammar.
        """
        found: dict[str, ast.FunctionDef] = {}
        for node in ast.parse(self.source).body:
            if not isinstance(node, ast.FunctionDef):
                refuse(node, f"{ast.unparse(node)!r} is not read: only functions are")
            if node.name in found or node.name in self.names:
                refuse(node, f"{node.name} has two meanings")
            found[node.name] = node
            for one in carried_out(node):
                _check(one, is_outer=one is node)
        if self.name not in found:
            raise RefusedError(f"line 1: {self.name} is not in the source")
        return found

    @cached_property
    def _tables(self) -> list[symtable.Function]:
        tables = symtable.symtable(self.source, "<source>", "exec").get_children()
        return [one for one in tables if isinstance(one, symtable.Function)]

    def _is_bound(self, name: str) -> bool:
        """Whether a name is local to a function of the source, by the compiler's table."""
        return any(name in table.get_locals() for table in self._tables)

    def parameters(self, function: ast.FunctionDef) -> list[str]:
        """The parameters of a function.

        Raises:
            RefusedError: it takes any number of them.
        """
        given = function.args
        if given.vararg or given.kwarg:
            refuse(function, "* in the parameters of a function is not read")
        return [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]

    @cached_property
    def repeated(self) -> frozenset[int]:
        """The nodes, by `id`, that one run may carry out more than once: of loops' bodies, and of other functions."""
        found = {id(part) for name, node in self.functions.items() if name != self.name for part in ast.walk(node)}
        for node in ast.walk(self.functions[self.name]):
            inner: list[ast.AST] = []
            if isinstance(node, ast.For):
                inner = [node.target, *node.body]
            elif isinstance(node, ast.While):
                inner = [node.test, *node.body]
            found |= {id(part) for one in inner for part in ast.walk(one)}
        return frozenset(found)

    def sums(self, node: ast.AST) -> list[ast.Call]:
        """The sums in a statement that are added up before it is carried out, whatever else holds."""
        if not isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)) or node.value is None:
            return []
        return list(self._sums(node.value))

    def _sums(self, node: ast.AST) -> Iterator[ast.Call]:
        is_chain = isinstance(node, ast.Compare) and len(node.ops) > 1
        if is_chain or isinstance(node, (ast.IfExp, ast.BoolOp, ast.ListComp, ast.GeneratorExp)):
            return
        if isinstance(node, ast.Call) and not node.keywords and self.summed(node) is not None:
            yield node
            return
        for one in ast.iter_child_nodes(node):
            yield from self._sums(one)

    def summed(self, node: ast.Call) -> ast.expr | None:
        """What a call adds up; None where it is no sum."""
        if len(node.args) == 1 and self.outer_name(node.func) in ("builtins.sum", "numpy.sum"):
            return node.args[0]
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr == "sum" and not node.args
        return node.func.value if is_method and isinstance(node.func, ast.Attribute) else None

    def outer_name(self, node: ast.expr) -> str:
        """The full name of a function or a value of a module; empty where it is none, or local to any function."""
        if isinstance(node, ast.Name):
            return "" if self._is_bound(node.id) or node.id in self.functions else self.names.get(node.id, "")
        if isinstance(node, ast.Attribute):
            before = self.outer_name(node.value)
            name = f"{before}.{node.attr}"
            return name if before in MODULES and name in {*MODULES, *MEANINGS} else ""
        return ""

    def helper(self, name: str) -> ast.FunctionDef | None:
        """The function of the source that a name means, but for the one that is read."""
        return None if name == self.name or self._is_bound(name) else self.functions.get(name)

    @cached_property
    def whole(self) -> dict[Symbol, int]:
        """The integers among the parameters, and the number of records, with their least values."""
        return {SIZE: 0} | {
            Symbol("parameter", name): int(text.split(">=")[1])
            for name, text in self.ranges.items()
            if text.startswith("whole")
        }

    @cached_property
    def positive(self) -> list[Symbol]:
        """The parameters that are above 0."""
        return sorted(Symbol("parameter", name) for name, text in self.ranges.items() if text == "positive")

    def fixed(self, name: str) -> Fraction | None:
        """The value of a parameter that has one."""
        text = self.ranges.get(name, "")
        return Fraction(text[2:]) if text.startswith("= ") else None


def refuse(node: ast.AST, what: str) -> NoReturn:
    """Refuse, by line.

    Raises:
        RefusedError: always.
    """
    raise RefusedError(f"line {getattr(node, 'lineno', 1)}: {what}")


def carried_out(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function without its annotations and decorators, which a call does not carry out."""
    waiting: list[ast.AST] = [function]
    count = 0
    while waiting:
        node = waiting.pop()
        count += 1
        if count > MOST_NODES:
            refuse(function, f"{function.name} is too long to be read")
        yield node
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns", "decorator_list"):
                waiting += [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, ast.AST)]


def _check(node: ast.AST, *, is_outer: bool) -> None:
    """Check one node against the grammar."""
    if type(node) not in GRAMMAR or (isinstance(node, ast.FunctionDef) and not is_outer):
        text = "" if isinstance(node, (ast.operator, ast.expr_context)) else f": {ast.unparse(node).splitlines()[0]}"
        refuse(node, f"{type(node).__name__} is not read{text}")
    if isinstance(node, ast.AnnAssign) and not {type(one) for one in ast.walk(node.annotation)} <= ANNOTATION:
        refuse(node, f"the annotation {ast.unparse(node.annotation)} is not read")
    if isinstance(node, ast.FunctionDef) and (node.decorator_list or getattr(node, "type_params", None)):
        refuse(node, f"{node.name} has a decorator or type parameters")
    if isinstance(node, ast.comprehension) and (node.ifs or node.is_async):
        refuse(node.iter, "a comprehension has one `for`, and no `if`")
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)) and len(node.generators) != 1:
        refuse(node, "a comprehension has one `for`, and no `if`")
    for name in (getattr(node, "id", None), getattr(node, "arg", None), getattr(node, "attr", None)):
        if isinstance(name, str) and name.startswith("__"):
            refuse(node, f"{name} is not read")
