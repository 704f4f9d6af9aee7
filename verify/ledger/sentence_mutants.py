"""Mutants of a sentence: it is changed in one place, as a slip would change it.

What needs no case to be found out is left out: a mutant that follows from the sentence holds wherever it does, and its
negation nowhere. So a place has a sign: the sentence grows stronger with what stands there (1), or weaker (-1), or
neither is certain (0); `<=` becomes `<` where that says more.

A part is made false, too, as vacuity is found in model checking: `not p or q` without q is `not p`, and holds where no
case has p, so that nothing was said of q.
"""

import ast
import copy
import itertools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from stirred.verify.certificates.language import parsed
from stirred.verify.ledger.failures import words_of

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
_DEFAULT = 2
"""Which argument of `get` it is that stands for what a map has not."""
_FALSE = ast.Constant(value=False)


class Change(Enum):
    """What a mutant changes of a sentence."""

    PART = "a part that it asserts is false: the part is vacuous where the rest holds alone"
    BOUND = "another relation or operation, the other extreme, or one more or less"
    OTHER = "the other quantifier, a hypothesis less, or two arguments exchanged"


@dataclass(frozen=True)
class SentenceMutant:
    """A sentence that was changed in one place.

    Attributes:
        change: what became what; of a word's definition, with its name.
        says: the expression.
        words: the definitions that it uses, (head, body).
        kind: what was changed.
        of: the comparison in which it was changed, where the sentence, or a word that is all of it, asserts that one
            side is at most the other; or the sentence itself that they are equal; else empty. None: a bound among
            the arguments of such a word, on which all of its comparisons rest.
    """

    change: str
    says: str
    words: tuple[tuple[str, str], ...]
    kind: Change
    of: str | None


def mutants_of(says: str, numbers: Collection[str] = ()) -> Iterator[SentenceMutant]:
    """The mutants of a sentence, each once; and of its words, where they stand for truth values.

    Args:
        says: the expression.
        numbers: the names in it that stand for constant numbers.

    >>> [one.says for one in mutants_of("2 * n <= most", ["most"])]
    ['2 * n < most', '2 / n <= most', '2 * n <= most + 1', '2 * n <= most - 1', '3 * n <= most', '1 * n <= most']
    """
    words = words_of(says)
    heads = {head.partition("(")[0]: head for head in words}
    whole = _whole(says, words, heads)
    seen = set()
    for name, sign in _signs(says, words, heads).items():
        tree = copy.deepcopy(parsed(words[heads[name]] if name else says))  # the parser keeps it
        asserted = set(_asserted(tree)) if name in whole else set()
        bounds = [one for one in asserted if isinstance(one, ast.Compare) and _may_be_equal(one, of_word=bool(name))]
        for change, said, kind, of in _changed(tree, sign, asserted, bounds, _Names(heads, () if name else numbers)):
            if (name, said) not in seen:
                seen.add((name, said))
                defined = tuple(({**words, heads[name]: said} if name else words).items())
                changed = f"{name}: {change}" if name else change
                rests = None if kind is Change.BOUND and not name and len(whole) > 1 else of
                yield SentenceMutant(changed, says if name else said, defined, kind, rests)


@dataclass(frozen=True)
class _Names:
    """Names of words, and of constant numbers."""

    words: Collection[str]
    numbers: Collection[str]


def _signs(says: str, words: Mapping[str, str], heads: Mapping[str, str]) -> dict[str, int]:
    """The sign of the sentence, whose name is empty, and of each word that stands for a truth value in it."""
    signs = {"": 1}
    waiting = [""]
    while waiting:
        name = waiting.pop()
        for node, sign in _truths(parsed(words[heads[name]] if name else says), signs[name]).items():
            called = _called(node)
            if called in heads and signs.get(called) not in (sign, 0):
                signs[called] = 0 if called in signs else sign
                waiting.append(called)
    return signs


def _whole(says: str, words: Mapping[str, str], heads: Mapping[str, str]) -> set[str]:
    """The empty name, and that of a word that is all of the sentence."""
    found, text = {""}, says
    while (name := _called(parsed(text))) in heads and name not in found:
        found.add(name)
        text = words[heads[name]]
    return found


def _called(node: ast.AST) -> str:
    """The name of what a node calls; empty where it is no call."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def _truths(tree: ast.expr, sign: int) -> dict[ast.AST, int]:
    """The nodes that stand for truth values of which the whole is made, and clauses with conditions: their signs."""
    found: dict[ast.AST, int] = {tree: sign}
    match tree:
        case ast.UnaryOp(op=ast.Not()):
            found |= _truths(tree.operand, -sign)
        case ast.BoolOp():
            for part in tree.values:
                found |= _truths(part, sign)
        case ast.IfExp():
            found |= _truths(tree.test, 0) | _truths(tree.body, sign) | _truths(tree.orelse, sign)
        case ast.Call(func=ast.Name(id="all" | "any" as name), args=[ast.GeneratorExp() | ast.ListComp() as listed]):
            found |= _truths(listed.elt, sign)
            for clause in listed.generators:
                found[clause] = sign if name == "any" else -sign
                for condition in clause.ifs:
                    found |= _truths(condition, found[clause])
    return found


def _asserted(tree: ast.expr) -> Iterator[ast.expr]:
    """What a sentence asserts: itself, each of what `and` joins, the last of what `or` joins, what is so of all."""
    yield tree
    match tree:
        case ast.BoolOp(op=ast.And()):
            parts = tree.values
        case ast.BoolOp():
            parts = [] if _is_negation(tree.values[-1]) else tree.values[-1:]
        case ast.IfExp():
            parts = [tree.body, tree.orelse]
        case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp() | ast.ListComp() as listed]):
            parts = [listed.elt]
        case _:
            parts = []
    for part in parts:
        yield from _asserted(part)


def _changed(
    tree: ast.expr, sign: int, asserted: Collection[ast.AST], bounds: Collection[ast.Compare], names: _Names
) -> Iterator[tuple[str, str, Change, str]]:
    """What is changed, the expression then, of which kind that is, and in which of the bounds."""
    signs = _truths(tree, sign)
    inside = {node: one for one in bounds for node in ast.walk(one)}
    before = ast.unparse(tree)
    whole = ast.Expression(tree)
    for parent in ast.walk(whole):
        for name, value in list(ast.iter_fields(parent)):
            for place, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if place == _DEFAULT and _called(parent) == "get":
                    continue  # what a map has not
                of = ast.unparse(inside[node]) if node in inside else ""
                said_before = ast.unparse(node) if isinstance(node, ast.AST) else ""
                for kind, changed in _variants(node, signs.get(node, 0), node in asserted, names):
                    _put(parent, name, place, changed)
                    said = ast.unparse(whole)
                    _put(parent, name, place, node)
                    if said != before:
                        yield f"{said_before} => {ast.unparse(changed)}", said, kind, of


def _put(parent: ast.AST, name: str, place: int | None, node: ast.AST) -> None:
    if place is None:
        setattr(parent, name, node)
    else:
        getattr(parent, name)[place] = node


def _variants(node: ast.AST, sign: int, is_asserted: bool, names: _Names) -> Iterator[tuple[Change, ast.AST]]:
    """What may stand in the place of a node."""
    kinds = {
        Change.PART: _without_a_part(node) if is_asserted else (),
        Change.BOUND: itertools.chain(_other_relations(node, sign), _other_numbers(node, names.numbers)),
        Change.OTHER: itertools.chain(_other_logic(node, sign), _other_arguments(node, names.words)),
    }
    yield from ((kind, one) for kind, changed in kinds.items() for one in changed)


def _without_a_part(node: ast.AST) -> Iterator[ast.AST]:
    """The node with one of its asserted parts made false."""
    match node:
        case ast.BoolOp(op=ast.Or(), values=parts):
            yield from [] if _is_negation(parts[-1]) else [_without(node, len(parts) - 1)]
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


def _may_be_equal(one: ast.Compare, *, of_word: bool) -> bool:
    """Whether both sides may be equal; what a word calls equal are its arguments, which the sentence may change."""
    return any(
        isinstance(relation, ast.LtE | ast.GtE) or (isinstance(relation, ast.Eq) and not of_word)
        for relation in one.ops
    )


def _is_negation(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
