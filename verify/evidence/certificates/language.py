"""The language of cases: what a claim compares, written as an expression and evaluated with the standard library alone.

It is that part of Python's expressions which computes with values: numbers (exact; ln, exp and sqrt give intervals of
decimals rounded outward), texts, truth values, oo, tuples, sets and maps; names; + - * / // % **, and, or, not,
if else, chains of comparisons, `in`; indices and slices; comprehensions over tuples, sets, maps and ranges; the
functions of `FUNCTIONS`; and words, which the witness itself defines in this language:

    {"claimed": "hamming(x, y) <= moved(g)", "where": {"moved(g)": "sum(i != j for i, j in enumerate(g))", ...}}

oo is above every number; sums and products with oo are oo, 0*oo too, and so is oo divided by a positive number; a
number divided by oo is 0. `for d in [expression]` names a value once. Every step is paid for before it is done.

A formula is the part of it that speaks of numbers alone, and decimals: see `evaluate`.
"""

import ast
import warnings
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from stirred.verify.evidence.certificates.case_arithmetic import FUNCTIONS, CaseArithmetic, as_exact
from stirred.verify.evidence.certificates.case_values import shown_value
from stirred.verify.evidence.certificates.decimal_interval import Number
from stirred.verify.evidence.certificates.evaluation import Evaluation, Program, WrittenDecimal, program
from stirred.verify.evidence.certificates.exact_number import WitnessError, exact_number, quoted
from stirred.verify.evidence.certificates.work import PaidOutward, Work, at_growing_precision

__all__ = ["FUNCTIONS", "Words", "evaluate", "free_names", "holds", "parsed", "sides", "value_of"]

Words = Mapping[str, str]
"""Definitions: "name(parameters)" to an expression."""

_MAX_CHARACTERS = 200_000


@lru_cache(maxsize=2_000)
def parsed(text: str, *, decimals: bool = False) -> ast.expr:
    """The expression of a text; with `decimals`, those in it are kept as they are written."""
    if not isinstance(text, str) or len(text) > _MAX_CHARACTERS or set(text) & {"#", "\\"}:
        raise WitnessError(f"an expression must be text of at most {_MAX_CHARACTERS} characters; got {quoted(text)}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python would print the line that it warns of
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise WitnessError(f"an expression must be in the language of cases; got {quoted(text)}") from None
    lines = text.strip().encode().splitlines(keepends=True)
    for node in ast.walk(tree) if decimals else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, float):  # the parser counts bytes
            written = lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode()
            number = exact_number("a decimal", written.replace("_", ""), Work())
            node.value = WrittenDecimal(written, number)  # type: ignore[assignment]
    return tree


@lru_cache(maxsize=2_000)
def free_names(text: str) -> frozenset[str]:
    """The names of an expression that it does not bind itself, those of functions and words included."""
    tree = parsed(text)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return frozenset(names - bound)


def holds(claimed: str, values: Mapping[str, Any], words: Words, work: Work | None = None) -> bool:
    """Whether an expression is true of a case.

    >>> holds("sum(x) <= n", {"x": (1, 2), "n": 2}, {})
    False
    """
    found = value_of(claimed, values, words, work)
    if not isinstance(found, bool):
        raise WitnessError(f"must be true or false: {quoted(ast.unparse(parsed(claimed)))}")
    return found


def sides(claimed: str, values: Mapping[str, Any], words: Words, work: Work | None = None) -> tuple[str, ...]:
    """The two sides of an expression that is one comparison, as text; nothing for another one."""
    tree = parsed(claimed)
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1:
        return ()
    both = ast.Tuple([tree.left, tree.comparators[0]], ast.Load())
    return tuple(map(shown_value, _evaluated(lambda: program(both, tuple(values)), values, words, work)))


def value_of(expression: str, values: Mapping[str, Any], words: Words, work: Work | None = None) -> Any:
    """What an expression stands for in a case, such as one part of a claim; the arguments are those of `holds`.

    >>> value_of("sum(x) - n", {"x": (1, 2), "n": 2}, {})
    1
    """
    parsed(expression)
    return _evaluated(lambda: _program(expression, tuple(values)), values, words, work)


def _evaluated(made: Callable[[], Program], values: Mapping[str, Any], words: Words, work: Work | None) -> Any:
    parts = tuple(values.values())

    def found(arithmetic: PaidOutward) -> Any:
        return made().value(Evaluation(_defined(words), CaseArithmetic(arithmetic)), parts)

    return at_growing_precision(found, Work() if work is None else work)


@lru_cache(maxsize=4_000)
def _program(text: str, parameters: tuple[str, ...]) -> Program:
    return program(parsed(text), parameters)


def _defined(words: Words) -> Mapping[str, Program]:
    """The programs of definitions by name."""
    return _programs(tuple(words.items()))


@lru_cache(maxsize=1_000)
def _programs(words: tuple[tuple[str, str], ...]) -> Mapping[str, Program]:
    found = {}
    for head, body in words:
        call = parsed(head)
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords:
            raise WitnessError(f"a word must be defined as name(parameters); got {quoted(head)}")
        parameters = tuple(argument.id for argument in call.args if isinstance(argument, ast.Name))
        if len(parameters) != len(call.args) or call.func.id in FUNCTIONS:
            raise WitnessError(f"a word must have a name of its own and named parameters; got {quoted(head)}")
        found[call.func.id] = _program(body, parameters)
    return found


_FORMULA_NODES = (
    *(ast.Compare, ast.BinOp, ast.UnaryOp, ast.Constant, ast.Name, ast.Call, ast.Load),
    *(ast.LtE, ast.Lt, ast.GtE, ast.Gt, ast.Eq, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.USub),
)
_FORMULA_FUNCTIONS = frozenset({"factorial", "comb", "derangements", "floor", "ln", "exp", "sqrt"})


def evaluate(claimed: str, values: Mapping[str, Fraction], work: Work | None = None) -> tuple[bool, Number, Number]:
    """Whether a formula holds at given values, with both of its sides: exact, or else both intervals.

    A formula is one comparison <= < >= > == of numbers: integers, decimals (read exactly), names, + - * / **, and
    `factorial`, `comb`, `derangements`, `floor`, `ln`, `exp`, `sqrt`.

    >>> evaluate("factorial(3) <= n", {"n": Fraction(5)})[0]
    False
    """
    tree = _formula(claimed)
    both = ast.Tuple([tree.left, tree.comparators[0]], ast.Load())

    def found(outward: PaidOutward) -> tuple[bool, Number, Number]:
        arithmetic = CaseArithmetic(outward)
        sides = program(both, tuple(values)).value(Evaluation({}, arithmetic), tuple(values.values()))
        left, right = map(as_exact, sides)
        if not (isinstance(left, Fraction) and isinstance(right, Fraction)):
            left, right = outward.lift(left), outward.lift(right)
        return arithmetic.related(tree.ops[0], left, right), left, right

    return at_growing_precision(found, Work() if work is None else work)


def _formula(claimed: str) -> ast.Compare:
    tree = parsed(claimed, decimals=True)
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1:
        raise WitnessError(f"claimed must be one comparison; got {quoted(claimed)}")
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        is_known = isinstance(node, _FORMULA_NODES)
        if isinstance(node, ast.Constant):
            is_known = type(node.value) in (int, WrittenDecimal)
        elif isinstance(node, ast.Name):
            is_known = node.id in _FORMULA_FUNCTIONS if id(node) in called else node.id != "oo"
        if not is_known:
            shown = quoted(ast.unparse(node)) if isinstance(node, ast.expr) else type(node).__name__
            raise WitnessError(f"not in the language of formulas: {shown}")
    return tree
