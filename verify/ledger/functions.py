"""Sentences as functions: what a function returns is read as an expression of the language of cases.

every(SIZES, lambda k, sign: derangements(k) == k * derangements(k - 1) + sign * (-1) ** k, sign=1)

A sentence is a lambda, or a function without annotations that is one `return`. Its parameters name parts of the case
and constants. What it calls are functions of the language (`language_names`) and other such functions: its words, whose
definitions a witness carries. A number, a text or a tuple that its module, or a function around it, knows stands for
itself. Whatever else is refused when the module is loaded.
"""

import ast
import builtins
import gc
import io
import linecache
import tokenize
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from types import CodeType, FunctionType
from typing import Any, TypeGuard

from stirred.verify.evidence.finding import EngineError
from stirred.verify.ledger.language_names import name_in_language

WORDS: dict[str, tuple[str, str]] = {}
"""The words that sentences use, by name: the head, such as "hamming(x, y)", and the body."""

_OUTSIDE = (
    *(ast.Attribute, ast.Await, ast.FormattedValue, ast.JoinedStr, ast.Lambda, ast.NamedExpr, ast.Starred),
    *(ast.Yield, ast.YieldFrom, ast.keyword),
)


def is_sentence(claimed: object) -> TypeGuard[FunctionType]:
    """Whether a function is read: a sentence has no annotations, and what is called has."""
    return isinstance(claimed, FunctionType) and not claimed.__annotations__


def text_of(claimed: Callable[..., Any]) -> str:
    """The expression that a sentence returns; its words are defined on the way.

    Raises:
        EngineError: it is not one expression, or names what is outside the language.

    >>> text_of(lambda k: max(k, 1) >= 1)
    'max(k, 1) >= 1'
    """
    if not is_sentence(claimed):
        raise EngineError(f"a sentence must be a function that is one expression; got {claimed!r}")
    cells = zip(claimed.__code__.co_freevars, claimed.__closure__ or (), strict=True)
    around = tuple((name, _literal(cell.cell_contents) or name) for name, cell in cells)
    key = claimed.__code__, around
    if key not in _TEXTS:
        _TEXTS[key] = _Reading(claimed, dict(around)).text()
    return _TEXTS[key]


_TEXTS: dict[tuple[CodeType, tuple[tuple[str, str], ...]], str] = {}


class _Reading:
    """How one function is read: where it stands, and what the names in it stand for."""

    def __init__(self, function: FunctionType, around: dict[str, str]) -> None:
        self.place = _place(function.__code__)
        self.known = vars(builtins) | function.__globals__
        self.around = around
        self.own = set(function.__code__.co_varnames)
        self.written = _written(function.__code__)

    def text(self) -> str:
        """The expression on one line, with constants and words as the ledger knows them."""
        text = self.written
        tree = ast.parse(text, mode="eval").body
        nodes = list(_inside(tree))
        names = [node for node in nodes if _is_name(node)]
        own = self.own | {node.id for node in names if isinstance(node.ctx, ast.Store)}
        for node in nodes:
            if isinstance(node, _OUTSIDE):
                raise EngineError(f"{self.place}: not in the language of cases: {type(node).__name__}")
        changed = [(node, said) for node in names if node.id not in own and (said := self._said(node.id)) != node.id]
        encoded = text.encode()  # the parser counts bytes
        for node, said in sorted(changed, key=lambda one: -one[0].col_offset):
            encoded = encoded[: node.col_offset] + said.encode() + encoded[node.end_col_offset :]
        return encoded.decode()

    def _said(self, name: str) -> str:
        """What the ledger says for a name that the function does not bind itself."""
        if name in self.around:
            if self.around[name] == name:
                raise EngineError(f"{self.place}: {name} must be a number, a text or a tuple of these")
            return self.around[name]
        if name not in self.known:
            raise EngineError(f"{self.place}: {name} is not known here")
        known = self.known[name]
        said = name_in_language(name, known) or _literal(known)
        if said is not None:
            return said
        if not is_sentence(known):
            raise EngineError(f"{self.place}: {name} is no function of the language, no word and no constant")
        return _word(known)


def _word(function: FunctionType) -> str:
    """The name of a word, which is defined if it is not yet."""
    name, code = function.__name__, function.__code__
    if _DEFINED.setdefault(name, code) is not code:
        first = _DEFINED[name]
        raise EngineError(f"the word {name} is defined twice: {_place(first)} and {_place(code)}")
    if name not in WORDS:
        head = f"{name}({', '.join(code.co_varnames[: code.co_argcount])})"
        WORDS[name] = head, ""  # a word may speak of itself
        WORDS[name] = head, text_of(function)
    return name


def _place(code: CodeType) -> str:
    return f"{code.co_filename}:{code.co_firstlineno}"


_DEFINED: dict[str, CodeType] = {}


def _literal(value: object) -> str | None:
    """A constant as it is written in the language; None for anything else."""
    if isinstance(value, (bool, str)):
        return repr(value)
    if isinstance(value, int):
        return str(value) if value >= 0 else f"({value})"
    if isinstance(value, Fraction):
        return _literal(value.numerator) if value.denominator == 1 else f"({value})"
    if isinstance(value, tuple):
        parts = [_literal(part) for part in value]
        return None if None in parts else f"({', '.join(map(str, parts))}{',' if len(parts) == 1 else ''})"
    return None


@cache
def _functions(file: str) -> dict[int, list[ast.Lambda | ast.FunctionDef]]:
    """The functions of a module by the line on which they begin."""
    found: dict[int, list[ast.Lambda | ast.FunctionDef]] = {}
    collects = gc.isenabled()
    gc.disable()  # a tree is a hundred thousand objects, none of which is garbage: three times as quickly
    try:
        for node in _inside(ast.parse("".join(linecache.getlines(file)))):
            if isinstance(node, ast.Lambda | ast.FunctionDef):
                found.setdefault(node.lineno, []).append(node)
    finally:
        if collects:
            gc.enable()
    return found


def _inside(tree: ast.AST) -> Iterator[ast.AST]:
    """A node and those below it, three times as quickly as `ast.walk`, in no order."""
    waiting: list[Any] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.AST):
            yield node
            waiting += vars(node).values()
        elif type(node) is list:
            waiting += node


def _written(code: CodeType) -> str:
    """The expression that a function returns, as it is written, on one line."""
    body = _body(code)
    (first, start), (last, end) = _ends(body)
    lines = [line.encode() for line in linecache.getlines(code.co_filename)[first - 1 : last]]
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    text = b"".join(lines).decode()
    if len(lines) == 1:
        return text
    for said in (_on_one_line(text), _on_one_line(text, without="")):  # the comma of a tuple of one part stays
        if ast.dump(ast.parse(said, mode="eval").body) == ast.dump(body):
            return said
    raise EngineError(f"{_place(code)}: must be written more simply: on one line it means something else")


def _body(code: CodeType) -> ast.expr:
    """The expression that a function returns; of several lambdas on a line, the innermost that has its instructions."""
    found = []
    here = _functions(code.co_filename).get(code.co_firstlineno, [])
    for node in here:
        if isinstance(node, ast.FunctionDef):
            if node.name == code.co_name and len(node.body) == 1 + _is_documented(node):
                found += [last.value for last in node.body[-1:] if isinstance(last, ast.Return) and last.value]
        elif len(here) == 1 or all(_is_inside(place, node.body) for place in code.co_positions()):
            found.append(node.body)
    if not found:
        raise EngineError(f"{_place(code)}: no function of one expression can be read here")
    return max(found, key=lambda body: _ends(body)[0])


def _is_documented(node: ast.FunctionDef) -> bool:
    return ast.get_docstring(node, clean=False) is not None


def _is_inside(place: tuple[int | None, ...], body: ast.expr) -> bool:
    """Whether an instruction belongs to an expression; those that begin and end a function have no width."""
    line, last, start, end = place
    if line is None or last is None or start is None or not end:
        return True
    first, final = _ends(body)
    return first <= (line, start) and (last, end) <= final


def _ends(node: ast.expr) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def _is_name(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


def _on_one_line(text: str, *, without: str = ",") -> str:
    r"""An expression without the breaks of its lines, and without the comma before a bracket that closes on a new line.

    >>> _on_one_line("max(\n    1,  # at least\\n    k,\\n) >= 1")
    'max(1, k) >= 1'
    """
    said = ""
    before = tokenize.TokenInfo(tokenize.OP, "(", (1, 0), (1, 0), "")
    for token in tokenize.generate_tokens(io.StringIO(f"({text})").readline):
        if token.type in (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER):
            continue
        if token.start[0] == before.end[0]:
            said += " " * (token.start[1] - before.end[1])
        elif token.string in ")]}":
            said = said.removesuffix(without)
        elif before.string not in "([{":
            said += " "
        said += token.string
        before = token
    return said[1:-1]
