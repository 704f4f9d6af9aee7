"""Mutants of a sentence: it is changed in one place, as a slip would change it (see `sentence_changes`)."""

import ast
import copy
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from stirred.verify.evidence.certificates.language import parsed
from stirred.verify.ledger.failures import words_of
from stirred.verify.ledger.sentence_changes import Change, changes, is_negation

_DEFAULT = 2
"""Which argument of `get` it is that stands for what a map has not."""


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
        compared = _compared(asserted, of_word=bool(name))
        for kind, node, changed, said in _changed(tree, sign, asserted, heads, () if name else numbers):
            if (name, said) in seen:
                continue
            seen.add((name, said))
            change = f"{ast.unparse(node)} => {ast.unparse(changed)}"
            if name:
                defined = tuple({**words, heads[name]: said}.items())
                yield SentenceMutant(f"{name}: {change}", says, defined, kind, compared.get(node, ""))
            else:
                of = None if kind is Change.BOUND and len(whole) > 1 else compared.get(node, "")
                yield SentenceMutant(change, said, tuple(words.items()), kind, of)


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
            parts = [] if is_negation(tree.values[-1]) else tree.values[-1:]
        case ast.IfExp():
            parts = [tree.body, tree.orelse]
        case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp() | ast.ListComp() as listed]):
            parts = [listed.elt]
        case _:
            parts = []
    for part in parts:
        yield from _asserted(part)


def _compared(asserted: Collection[ast.AST], *, of_word: bool) -> dict[ast.AST, str]:
    """The asserted comparisons whose sides may be equal, by the nodes in them.

    What a word calls equal are its arguments, which the sentence may change.
    """
    equal = (ast.LtE, ast.GtE) if of_word else (ast.LtE, ast.GtE, ast.Eq)
    compared = [
        one for one in asserted if isinstance(one, ast.Compare) and any(isinstance(op, equal) for op in one.ops)
    ]
    return {node: ast.unparse(one) for one in compared for node in ast.walk(one)}


def _changed(
    tree: ast.expr, sign: int, asserted: Collection[ast.AST], words: Collection[str], numbers: Collection[str]
) -> Iterator[tuple[Change, ast.AST, ast.AST, str]]:
    """What is changed of an expression, what it becomes, and the expression then."""
    signs = _truths(tree, sign)
    before = ast.unparse(tree)
    whole = ast.Expression(tree)
    for parent in ast.walk(whole):
        for name, value in list(ast.iter_fields(parent)):
            for place, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if not isinstance(node, ast.AST) or (place == _DEFAULT and _called(parent) == "get"):
                    continue
                for kind, other in changes(node, signs.get(node, 0), words, numbers, is_asserted=node in asserted):
                    _put(parent, name, place, other)
                    said = ast.unparse(whole)
                    _put(parent, name, place, node)
                    if said != before:
                        yield kind, node, other, said


def _put(parent: ast.AST, name: str, place: int | None, node: ast.AST) -> None:
    if place is None:
        setattr(parent, name, node)
    else:
        getattr(parent, name)[place] = node
