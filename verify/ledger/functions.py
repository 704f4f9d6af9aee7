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
from collections import ChainMap
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from keyword import iskeyword
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple, TypeGuard

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

    >>> text_of(lambda k: max(k, 1) >= 1)
    'max(k, 1) >= 1'
    """
    if not is_sentence(claimed):
        raise EngineError(f"a sentence must be a function that is one expression; got {claimed!r}")
    cells = zip(claimed.__code__.co_freevars, claimed.__closure__ or (), strict=True)
    around = tuple((name, _literal(cell.cell_contents) or name) for name, cell in cells)
    key = (
        claimed.__code__.co_filename,
        claimed.__code__,
        around,
    )  # codes of two files may be equal, and mean other words
    if key not in _TEXTS:
        _TEXTS[key] = _Reading(claimed, dict(around)).text()
    return _TEXTS[key]


_LAMBDA = "<lambda>"

_TEXTS: dict[tuple[str, CodeType, tuple[tuple[str, str], ...]], str] = {}


class _Reading:
    """How one function is read: where it stands, and what the names in it stand for."""

    def __init__(self, function: FunctionType, around: dict[str, str]) -> None:
        self.place = _place(function.__code__)
        self.known = ChainMap(function.__globals__, vars(builtins))
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
        if hidden := own & {said for _, said in changed}:
            raise EngineError(f"{self.place}: {', '.join(sorted(hidden))} names both a word and a value here")
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
            raise EngineError(f"{self.place}: {name} is not defined here")
        known = self.known[name]
        said = name_in_language(name, known) or _literal(known)
        if said is not None:
            return said
        if not is_sentence(known):
            raise EngineError(f"{self.place}: {name} is neither a function of the language nor a word nor a constant")
        return _word(known)


def _word(function: FunctionType) -> str:
    """The name of a word, which is defined if it is not yet; a lambda has that by which its own module knows it."""
    name, code = function.__name__, function.__code__
    if name == _LAMBDA:
        name = next(known for known, one in function.__globals__.items() if one is function)
    if _DEFINED.setdefault(name, code) is not code:
        first = _DEFINED[name]
        raise EngineError(f"the word {name} is defined twice: {_place(first)} and {_place(code)}")
    if name not in WORDS:
        head = f"{name}({', '.join(code.co_varnames[: code.co_argcount])})"
        WORDS[name] = head, ""  # a word may speak of itself
        WORDS[name] = head, text_of(function)
    return name


def _place(code: CodeType) -> str:
    path = Path(code.co_filename)
    shown = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else path
    return f"{shown}, line {code.co_firstlineno}"


_ROOT = Path(__file__).parents[2]


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


class _Returned(NamedTuple):
    """Where the expression that a function returns stands, each end a line from 1 and a byte from 0.

    Attributes:
        name: of the function; of a lambda that of its code.
        start: where it begins.
        end: where it ends.
    """

    name: str
    start: tuple[int, int]
    end: tuple[int, int]

    def has(self, place: tuple[int | None, ...]) -> bool:
        """Whether an instruction belongs to it; those that begin and end a lambda have no width."""
        line, last, start, end = place
        if line is None or last is None or start is None or not end:
            return True
        return self.start <= (line, start) and (last, end) <= self.end


@cache
def _functions(file: str) -> dict[int, list[_Returned]]:
    """What the functions of a module return that are one expression, by the line on which they begin."""
    found: dict[int, list[_Returned]] = {}
    collects = gc.isenabled()
    gc.disable()  # a tree is a hundred thousand objects, none of which is garbage: three times as quickly
    try:
        for node in _inside(ast.parse("".join(linecache.getlines(file)))):
            body = _body(node)
            if body and isinstance(node, ast.Lambda | ast.FunctionDef):
                name = node.name if isinstance(node, ast.FunctionDef) else _LAMBDA
                ends = (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)
                found.setdefault(node.lineno, []).append(_Returned(name, *ends))
    finally:
        if collects:
            gc.enable()
    return found


def _body(node: ast.AST) -> ast.expr | None:
    """The expression that a function returns, whose only other part is what documents it."""
    if isinstance(node, ast.Lambda):
        return node.body
    if isinstance(node, ast.FunctionDef) and isinstance(last := node.body[-1], ast.Return):
        documented = ast.get_docstring(node, clean=False) is not None
        return last.value if len(node.body) == 1 + documented else None
    return None


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
    here = [one for one in _functions(code.co_filename).get(code.co_firstlineno, ()) if one.name == code.co_name]
    if len(here) > 1:  # lambdas, of which the innermost that has its instructions is meant
        here = [one for one in here if all(map(one.has, code.co_positions()))]
    if not here:
        raise EngineError(f"{_place(code)}: cannot read a one-expression function here")
    _, (first, start), (last, end) = max(here, key=lambda one: one.start)
    lines = [line.encode() for line in linecache.getlines(code.co_filename)[first - 1 : last]]
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    text = b"".join(lines).decode()
    if len(lines) == 1:
        return text
    meant = ast.dump(ast.parse(f"({text})", mode="eval").body)
    said = _on_one_line(text)
    if ast.dump(ast.parse(said, mode="eval").body) != meant:
        raise EngineError(f"{_place(code)}: must be simplified: joined on one line it means something else")
    return said


def _is_name(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


def _on_one_line(text: str) -> str:
    r"""An expression without the breaks of its lines, and without a comma that only a break asked for.

    >>> _on_one_line("max(\n    1,  # at least\n    k,\n) in (\n    2,\n)")
    'max(1, k) in (2,)'
    """
    said, commas = "", [0]
    before = tokenize.TokenInfo(tokenize.OP, "(", (1, 0), (1, 0), "")
    for token in tokenize.generate_tokens(io.StringIO(f"({text})").readline):
        if token.type in (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER):
            continue
        if token.start[0] == before.end[0]:
            said += " " * (token.start[1] - before.end[1])
        elif token.string in _CLOSING:
            said = said.removesuffix("," if commas[-1] != 1 else "")  # that of a tuple of one part stays
        elif before.string not in _OPENING:
            said += " "
        if token.string in _OPENING:
            is_name = before.type == tokenize.NAME and not iskeyword(before.string)
            is_call = is_name or before.string in _CLOSING
            commas.append(2 if is_call or token.string != "(" else 0)
        elif token.string in _CLOSING:
            commas.pop()
        elif token.string == ",":
            commas[-1] += 1
        said += token.string
        before = token
    return said[1:-1]


_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
