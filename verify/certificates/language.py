"""The language of cases: what a claim compares, written as an expression and evaluated with the standard library alone.

It is that part of Python's expressions which computes with values: numbers (exact; ln, exp and sqrt give intervals of
decimals rounded outward), texts, truth values, oo, tuples, sets and maps; names; + - * / // % **, and, or, not,
if else, chains of comparisons, `in`; indices and slices; comprehensions over tuples, sets, maps and ranges; the
functions of `FUNCTIONS`; and words, which the witness itself defines in this language:

    {"claimed": "hamming(x, y) <= moved(g)", "where": {"moved(g)": "sum(i != j for i, j in enumerate(g))", ...}}

oo is above every number; sums and products with oo are oo, 0*oo too, and so is oo divided by a positive number; a
number divided by oo is 0. `for d in [expression]` names a value once. Every step is paid for before it is done.
"""

import ast
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from stirred.verify.certificates.case_arithmetic import CaseArithmetic
from stirred.verify.certificates.case_functions import FUNCTIONS
from stirred.verify.certificates.case_values import shown_value
from stirred.verify.certificates.exact_number import WitnessError, quoted
from stirred.verify.certificates.formula import PaidOutward, at_growing_precision
from stirred.verify.certificates.work import Work

__all__ = ["FUNCTIONS", "Words", "free_names", "holds", "parsed", "sides", "value_of"]

Words = Mapping[str, str]
"""Definitions: "name(parameters)" to an expression."""

_MAX_CHARACTERS = 20_000
_STEP = 1_500
"""The price of a step, in nanoseconds."""


@lru_cache(maxsize=2_000)
def parsed(text: str) -> ast.expr:
    """The expression of a text.

    Raises:
        WitnessError: the text is no single expression, or too long.
    """
    if not isinstance(text, str) or len(text) > _MAX_CHARACTERS or set(text) & {"#", "\\"}:
        raise WitnessError(f"an expression must be text of at most {_MAX_CHARACTERS} characters; got {quoted(text)}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python would print the line that it warns of
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise WitnessError(f"an expression must be in the language of cases; got {quoted(text)}") from None


@lru_cache(maxsize=2_000)
def free_names(text: str) -> frozenset[str]:
    """The names of an expression that it does not bind itself, those of functions and words included."""
    tree = parsed(text)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return frozenset(names - bound)


def holds(claimed: str, values: Mapping[str, Any], words: Words, work: Work | None = None) -> bool:
    """Whether an expression is true of a case.

    Args:
        claimed: the expression.
        values: the case: what its names stand for.
        words: the definitions that it uses.
        work: what may be computed.

    Raises:
        WitnessError: it is not in the language, or has no truth value there.
        UndecidedError: two numbers are too close to be told apart, or it takes too long.

    >>> holds("sum(x) <= n", {"x": (1, 2), "n": 2}, {})
    False
    """
    paid = Work() if work is None else work
    tree, known = parsed(claimed), _defined(words)

    def decide(arithmetic: PaidOutward) -> bool:
        return _Evaluation(known, CaseArithmetic(arithmetic)).truth(tree, dict(values))

    return at_growing_precision(decide, paid)


def sides(claimed: str, values: Mapping[str, Any], words: Words, work: Work | None = None) -> tuple[str, ...]:
    """The two sides of an expression that is one comparison, as text; nothing for another one."""
    tree = parsed(claimed)
    if not isinstance(tree, ast.Compare) or len(tree.ops) != 1:
        return ()
    known, both = _defined(words), (tree.left, tree.comparators[0])

    def shown(arithmetic: PaidOutward) -> tuple[str, ...]:
        return tuple(
            shown_value(_Evaluation(known, CaseArithmetic(arithmetic)).value(side, dict(values))) for side in both
        )

    return at_growing_precision(shown, Work() if work is None else work)


def value_of(expression: str, values: Mapping[str, Any], words: Words, work: Work | None = None) -> Any:
    """What an expression stands for in a case, such as one part of a claim; the arguments are those of `holds`.

    >>> value_of("sum(x) - n", {"x": (1, 2), "n": 2}, {})
    1
    """
    tree, known = parsed(expression), _defined(words)

    def found(arithmetic: PaidOutward) -> Any:
        return _Evaluation(known, CaseArithmetic(arithmetic)).value(tree, dict(values))

    return at_growing_precision(found, Work() if work is None else work)


@dataclass(frozen=True)
class _Word:
    parameters: tuple[str, ...]
    body: ast.expr


def _defined(words: Words) -> Mapping[str, _Word]:
    """The definitions by name.

    Raises:
        WitnessError: one is malformed, or takes the name of a function.
    """
    found = {}
    for head, body in words.items():
        call = parsed(head)
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords:
            raise WitnessError(f"a word must be defined as name(parameters); got {quoted(head)}")
        parameters = tuple(argument.id for argument in call.args if isinstance(argument, ast.Name))
        if len(parameters) != len(call.args) or call.func.id in FUNCTIONS:
            raise WitnessError(f"a word must have a name of its own and named parameters; got {quoted(head)}")
        found[call.func.id] = _Word(parameters, parsed(body))
    return found


@dataclass(frozen=True)
class _Evaluation:
    words: Mapping[str, _Word]
    arithmetic: CaseArithmetic
    depth: list[int] = field(default_factory=lambda: [0])

    def truth(self, node: ast.expr, scope: dict[str, Any]) -> bool:
        value = self.value(node, scope)
        if not isinstance(value, bool):
            raise WitnessError(f"must be true or false: {quoted(ast.unparse(node))}")
        return value

    def value(self, node: ast.expr, scope: dict[str, Any]) -> Any:
        self.arithmetic.work.spend(_STEP)
        evaluate = _NODES.get(type(node))
        if evaluate is None:
            raise WitnessError(f"not in the language of cases: {quoted(ast.unparse(node))}")
        return evaluate(self, node, scope)

    def constant(self, node: ast.Constant, _: dict[str, Any]) -> Any:
        if type(node.value) not in (int, str, bool):
            raise WitnessError(f"not in the language of cases: {quoted(ast.unparse(node))}")
        return node.value

    def name(self, node: ast.Name, scope: dict[str, Any]) -> Any:
        if node.id == "oo":
            return None
        if node.id not in scope:
            raise WitnessError(f"no value of the case: {quoted(node.id)}")
        return scope[node.id]

    def parts(self, node: ast.Tuple | ast.List, scope: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(self.value(part, scope) for part in node.elts)

    def members(self, node: ast.Set, scope: dict[str, Any]) -> frozenset[Any]:
        return frozenset(self.value(part, scope) for part in node.elts)

    def displayed(self, node: ast.Dict, scope: dict[str, Any]) -> dict[Any, Any]:
        if None in node.keys:
            raise WitnessError(f"not in the language of cases: {quoted(ast.unparse(node))}")
        pairs = zip(node.keys, node.values, strict=True)
        return {self.value(key, scope): self.value(part, scope) for key, part in pairs if key is not None}

    def unary(self, node: ast.UnaryOp, scope: dict[str, Any]) -> Any:
        if isinstance(node.op, ast.Not):
            return not self.truth(node.operand, scope)
        if isinstance(node.op, ast.USub):
            return self.arithmetic.combine(ast.Sub(), 0, self.value(node.operand, scope))
        raise WitnessError(f"not in the language of cases: {quoted(ast.unparse(node))}")

    def binary(self, node: ast.BinOp, scope: dict[str, Any]) -> Any:
        return self.arithmetic.combine(node.op, self.value(node.left, scope), self.value(node.right, scope))

    def joined(self, node: ast.BoolOp, scope: dict[str, Any]) -> bool:
        decided = isinstance(node.op, ast.Or)
        return decided if any(self.truth(part, scope) is decided for part in node.values) else not decided

    def either(self, node: ast.IfExp, scope: dict[str, Any]) -> Any:
        return self.value(node.body if self.truth(node.test, scope) else node.orelse, scope)

    def subscript(self, node: ast.Subscript, scope: dict[str, Any]) -> Any:
        return self.part(self.value(node.value, scope), node.slice, scope)

    def listed(self, node: ast.GeneratorExp | ast.ListComp, scope: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(self.value(node.elt, inner) for inner in self.scopes(node.generators, scope))

    def gathered(self, node: ast.SetComp, scope: dict[str, Any]) -> frozenset[Any]:
        return frozenset(self.value(node.elt, inner) for inner in self.scopes(node.generators, scope))

    def mapped(self, node: ast.DictComp, scope: dict[str, Any]) -> dict[Any, Any]:
        inner = self.scopes(node.generators, scope)
        return {self.value(node.key, one): self.value(node.value, one) for one in inner}

    def called(self, node: ast.Call, scope: dict[str, Any]) -> Any:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise WitnessError(f"not in the language of cases: {quoted(ast.unparse(node))}")
        return self.call(node.func.id, node.args, scope)

    def call(self, name: str, arguments: list[ast.expr], scope: dict[str, Any]) -> Any:
        if name in ("any", "all") and len(arguments) == 1 and isinstance(arguments[0], ast.GeneratorExp):
            clauses, element = arguments[0].generators, arguments[0].elt
            decided = name == "any"  # stops at the first that decides
            found = any(self.truth(element, inner) is decided for inner in self.scopes(clauses, scope))
            return decided if found else not decided
        values = [self.value(argument, scope) for argument in arguments]
        if name in self.words:
            word = self.words[name]
            if len(values) != len(word.parameters):
                raise WitnessError(f"{name} takes {len(word.parameters)} values; got {len(values)}")
            self.depth[0] += 1
            if self.depth[0] > 50:
                raise WitnessError(f"{name} is nested too deeply")
            result = self.value(word.body, dict(zip(word.parameters, values, strict=True)))
            self.depth[0] -= 1
            return result
        if name not in FUNCTIONS:
            raise WitnessError(f"no function or word of the language: {quoted(name)}")
        self.arithmetic.work.spend(200 * sum(len(v) for v in values if isinstance(v, (tuple, frozenset, dict))))
        try:
            return FUNCTIONS[name](self.arithmetic, *values)
        except TypeError:
            raise WitnessError(f"{name} takes no such values: {shown_value(tuple(values))}") from None

    def scopes(self, clauses: list[ast.comprehension], scope: dict[str, Any]) -> Iterator[dict[str, Any]]:
        clause, *rest = clauses
        items = self.value(clause.iter, scope)
        if not isinstance(items, (tuple, frozenset, dict)):
            raise WitnessError(f"must be a tuple, set or map: {quoted(ast.unparse(clause.iter))}")
        for item in sorted(items, key=shown_value) if isinstance(items, frozenset) else items:
            inner = dict(scope)
            _bind(clause.target, item, inner)
            if not clause.ifs or all(self.truth(test, inner) for test in clause.ifs):
                if rest:
                    yield from self.scopes(rest, inner)
                else:
                    yield inner

    def part(self, whole: Any, index: ast.expr, scope: dict[str, Any]) -> Any:
        if isinstance(index, ast.Slice):
            ends = [None if end is None else self.value(end, scope) for end in (index.lower, index.upper, index.step)]
            return whole[slice(*ends)]
        key = self.value(index, scope)
        if isinstance(whole, dict):
            if key not in whole:
                raise WitnessError(f"a map must have the key {shown_value(key)}")
            return whole[key]
        if not isinstance(whole, (tuple, str)) or not isinstance(key, int) or not -len(whole) <= key < len(whole):
            raise WitnessError(f"{shown_value(whole)} has no part {shown_value(key)}")
        return whole[key]

    def chain(self, node: ast.Compare, scope: dict[str, Any]) -> bool:
        left = self.value(node.left, scope)
        for op, side in zip(node.ops, node.comparators, strict=True):
            right = self.value(side, scope)
            if not self.arithmetic.related(op, left, right):
                return False
            left = right
        return True


_NODES: Mapping[type[ast.expr], Callable[[_Evaluation, Any, dict[str, Any]], Any]] = {
    ast.Constant: _Evaluation.constant,
    ast.Name: _Evaluation.name,
    ast.Tuple: _Evaluation.parts,
    ast.List: _Evaluation.parts,
    ast.Set: _Evaluation.members,
    ast.Dict: _Evaluation.displayed,
    ast.UnaryOp: _Evaluation.unary,
    ast.BinOp: _Evaluation.binary,
    ast.BoolOp: _Evaluation.joined,
    ast.Compare: _Evaluation.chain,
    ast.IfExp: _Evaluation.either,
    ast.Subscript: _Evaluation.subscript,
    ast.GeneratorExp: _Evaluation.listed,
    ast.ListComp: _Evaluation.listed,
    ast.SetComp: _Evaluation.gathered,
    ast.DictComp: _Evaluation.mapped,
    ast.Call: _Evaluation.called,
}


def _bind(target: ast.expr, item: Any, scope: dict[str, Any]) -> None:
    match target:
        case ast.Name(id=name):
            scope[name] = item
            return
        case ast.Tuple(elts=parts) if isinstance(item, tuple) and len(item) == len(parts):
            for part, value in zip(parts, item, strict=True):
                _bind(part, value, scope)
            return
    raise WitnessError(f"{quoted(ast.unparse(target))} does not fit {shown_value(item)}")
