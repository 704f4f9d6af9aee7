"""What the names of a Python file mean, by its text alone: nothing of it is imported, nothing is run.

A file is closed where each statement of it is one of these, and binds names that nothing else in it binds: an import of
`IMPORTED`; a number, or what is computed from numbers; a text, or a list of such; a function without decorators, whose
defaults are such values; `if __name__ == "__main__":`. To import it then changes nothing but its own names, and what
they mean is what is said here.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib.machinery
import math
import operator
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import CodeType
from typing import Any, NoReturn

from stirred.mechanisms.reading.functions import assigned_names
from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.closed_grammar import ANNOTATION
from stirred.verify.evidence.files.bounded_file import read_bounded

IMPORTED = frozenset(
    {
        *("numpy", "numpy.random", "numpy.typing", "math", "random", "secrets", "fractions", "decimal", "statistics"),
        *("typing", "collections", "collections.abc", "functools", "itertools", "operator", "stirred"),
    }
)
"""What a closed file may import: modules that change nothing but themselves when they are imported."""
_OTHERS_OWN = {*sys.stdlib_module_names, "numpy", "stirred", "sitecustomize", "usercustomize"}
"""Modules that must not stand beside a closed file: NumPy imports Python's own by name, and would find them there."""
_ARITHMETIC: Mapping[str, Callable[..., Any]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "Mod": operator.mod,
    "FloorDiv": operator.floordiv,
    "Pow": operator.pow,
    "UAdd": operator.pos,
    "USub": operator.neg,
}
_MOST_BYTES, _MOST_BITS, _MOST_POWER = 1_000_000, 4096, 1024

Number = int | float | Fraction
Meaning = Number | str | ast.FunctionDef | None
"""A number; "numpy.sum", what an import binds; a function of the file; or nothing that is read."""


class NotClosedError(Exception):
    """A statement or an expression is not closed; the message says what it is."""


@dataclass(frozen=True)
class ModuleText:
    """A file, and what its names mean once all of it has been run.

    Attributes:
        text: its lines ending in line feeds.
        code: of the module and of all functions in it.
        tree: its syntax.
        names: of each name that the module itself binds, its meaning.
    """

    text: str
    code: Sequence[CodeType]
    tree: ast.Module
    names: Mapping[str, Meaning]

    def meaning(self, name: str) -> Meaning:
        """What a name means that no function around it binds: the module's, else a builtin."""
        return self.names[name] if name in self.names else f"builtins.{name}" if hasattr(builtins, name) else None


def closed_file(file: Path) -> ModuleText:
    """A file all of whose statements are closed, with nothing beside it that is imported in place of another module.

    Raises:
        InputError: by line, what is not closed.
    """
    suffixes = tuple(importlib.machinery.all_suffixes())
    for other in sorted(file.parent.iterdir()):
        stem = other.name.partition(".")[0]
        if stem in _OTHERS_OWN and (other.name.endswith(suffixes) or any(other.glob("__init__.*"))):
            raise InputError(f"{other}: stands beside {file.name} and would be imported as {stem}; rename it")
    return module_text(str(file), read_bounded(file, _MOST_BYTES), is_closed=True)


@functools.lru_cache(maxsize=8)
def module_text(file: str, content: bytes, *, is_closed: bool) -> ModuleText:
    """A file's text with the meanings of its names.

    Args:
        file: its path, for messages.
        content: its bytes.
        is_closed: whether all of it has to be; else what is not closed only gives its names no meaning.

    Raises:
        InputError: it is no UTF-8 text of Python, or not closed, by line.
    """
    name = Path(file).name
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(content, file, "exec", dont_inherit=True)
            tree, run = ast.parse(text), ast.parse(content)
        is_same = ast.dump(tree) == ast.dump(run)
        names = _names(name, tree, is_closed=is_closed) if is_same else {}
    except InputError:
        raise
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise InputError(f"{name}{line}: must be Python in UTF-8; got {type(error).__name__}: {error}") from None
    if not is_same:
        raise InputError(f"{name}: means something else in the encoding that it declares; write it in UTF-8")
    return ModuleText(text, list(_codes(code)), tree, names)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)


def _names(file: str, tree: ast.Module, *, is_closed: bool) -> dict[str, Meaning]:
    """The meaning of each name that a module binds."""
    found: dict[str, Meaning] = {}

    def refuse(node: ast.AST, what: str) -> NoReturn:
        where = f"{file}, line {getattr(node, 'lineno', 1)}"
        raise InputError(f"{where}: {what}; a claim is read of a file of imports, numbers and functions alone")

    for node in tree.body:
        try:
            bound = [*_bound(node, found)]
            if isinstance(node, ast.If) and not is_closed:  # the file may be the script that runs
                bound = [(name, None) for name in assigned_names([node])]
        except NotClosedError as error:
            if is_closed:
                refuse(node, str(error))
            bound = [(name, None) for name in assigned_names([node])]
        for name, meaning in bound:
            if name == "*":
                refuse(node, "import * may bind any name")
            is_again = name in found and not (isinstance(meaning, str) and found[name] == meaning)
            is_pythons = hasattr(builtins, name) or (name.startswith("__") and name != "__all__")
            if is_closed and (is_again or is_pythons):
                refuse(node, f"{name} is bound again" if is_again else f"{name} is Python's own name")
            found[name] = None if is_again or is_pythons else meaning
    for inner in ast.walk(tree):
        if isinstance(inner, ast.Global):
            if is_closed:
                refuse(inner, f"global {', '.join(inner.names)}: a function changes a name of the module")
            found |= dict.fromkeys(inner.names)
    return found


def _bound(node: ast.stmt, names: Mapping[str, Meaning]) -> Iterator[tuple[str, Meaning]]:
    """The names that a closed statement binds, in order.

    Raises:
        NotClosedError: it is not closed.
    """
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from _imported(node)
    elif isinstance(node, ast.FunctionDef):
        if node.decorator_list or getattr(node, "type_params", None):
            raise NotClosedError(f"{node.name} has a decorator or type parameters")
        given = node.args
        for default in (*given.defaults, *given.kw_defaults):
            closed_value(default or ast.Constant(None), names)
        arguments = (one for one in ast.walk(given) if isinstance(one, ast.arg))
        for annotation in (*(one.annotation for one in arguments), node.returns):
            _check_annotation(annotation)
        yield node.name, node
    elif isinstance(node, ast.Assign):
        value = closed_value(node.value, names)
        for target in node.targets:
            yield from _assigned(target, node.value, value, names)
    elif isinstance(node, ast.AnnAssign):
        _check_annotation(node.annotation)
        if node.value is not None:
            yield from _assigned(node.target, node.value, closed_value(node.value, names), names)
    elif not (
        isinstance(node, ast.Pass)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.If) and not node.orelse and ast.unparse(node.test) == "__name__ == '__main__'")
    ):
        raise NotClosedError(f"{type(node).__name__} is not read here: {ast.unparse(node).splitlines()[0]}")


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    for alias in node.names:
        module = "." * node.level + (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
        full = f"{module}.{alias.name}" if isinstance(node, ast.ImportFrom) else module
        if module not in IMPORTED and full != "__future__.annotations":
            raise NotClosedError(f"{ast.unparse(node)}: must be one of {', '.join(sorted(IMPORTED))}")
        root = full if alias.asname or isinstance(node, ast.ImportFrom) else full.partition(".")[0]
        yield alias.asname or (alias.name if isinstance(node, ast.ImportFrom) else root), root


def _assigned(
    target: ast.expr, node: ast.expr, value: Number | None, names: Mapping[str, Meaning]
) -> Iterator[tuple[str, Meaning]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(node, ast.Tuple) and len(target.elts) == len(node.elts):
        for one, part in zip(target.elts, node.elts, strict=True):
            yield from _assigned(one, part, closed_value(part, names), names)
    else:
        raise NotClosedError(f"an assignment to {ast.unparse(target)} is not read here")


def _check_annotation(node: ast.expr | None) -> None:
    """Refuse what an annotation may carry out, but for names, attributes and subscripts."""
    if node is not None and not {type(one) for one in ast.walk(node)} <= ANNOTATION:
        raise NotClosedError(f"the annotation {ast.unparse(node)} is not read here")


def closed_value(node: ast.expr, names: Mapping[str, Meaning]) -> Number | None:
    """The number that a closed expression is, by Python's own arithmetic; None of one that is no finite number.

    Raises:
        NotClosedError: it is not closed, has no value, or one that is too large.
    """
    if isinstance(node, ast.Constant):
        return _finite(node.value)
    if isinstance(node, ast.Name):
        if node.id not in names and not hasattr(builtins, node.id):
            raise NotClosedError(f"{node.id} has no value here")
        meaning = names.get(node.id)
        return meaning if isinstance(meaning, (int, float, Fraction)) else None
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        for part in node.elts:
            closed_value(part, names)
        return None
    if isinstance(node, ast.Attribute) and full_name(node, names):
        return None
    if isinstance(node, (ast.UnaryOp, ast.BinOp)) and type(node.op).__name__ in _ARITHMETIC:
        parts = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
        values = [closed_value(part, names) for part in parts]
        return None if None in values else _computed(node, _ARITHMETIC[type(node.op).__name__], values)
    if isinstance(node, ast.Call) and not node.keywords and full_name(node.func, names) == "fractions.Fraction":
        texts = [part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        given = texts if len(node.args) == len(texts) == 1 else [closed_value(part, names) for part in node.args]
        return None if None in given else _computed(node, Fraction, given)
    raise NotClosedError(f"{ast.unparse(node)[:60]} is not read here")


def full_name(node: ast.expr, names: Mapping[str, Meaning]) -> str:
    """The module and name that an expression names by way of imports; empty where it is none."""
    if isinstance(node, ast.Attribute):
        before = full_name(node.value, names)
        return f"{before}.{node.attr}" if before else ""
    meaning = names.get(node.id) if isinstance(node, ast.Name) else None
    return meaning if isinstance(meaning, str) else ""


def _computed(node: ast.expr, function: Callable[..., Any], values: Sequence[Any]) -> Number | None:
    if function is operator.pow and abs(values[1]) > _MOST_POWER:
        raise NotClosedError(f"{ast.unparse(node)[:60]} is too large")
    try:
        found = _finite(function(*values))
    except (ArithmeticError, TypeError, ValueError) as error:
        raise NotClosedError(f"{ast.unparse(node)[:60]} has no value: {error}") from None
    parts = () if found is None or isinstance(found, float) else (found.numerator, found.denominator)
    if any(part.bit_length() > _MOST_BITS for part in parts):
        raise NotClosedError(f"{ast.unparse(node)[:60]} is too large")
    return found


def _finite(value: object) -> Number | None:
    is_number = type(value) in (bool, int, Fraction) or (type(value) is float and math.isfinite(value))
    return value if is_number else None  # type: ignore[return-value]
