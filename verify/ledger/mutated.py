"""Mutants of checks: a check none of whose mutants is false of its cases says nothing that they decide.

A sentence is changed in one place, as a slip would change it: another relation, operation, number, quantifier, or
nothing. What needs no case to be found out is left out: a sentence that follows from another one holds wherever that
does, and its negation nowhere. So a place has a sign: the sentence grows stronger with what stands there (1), or weaker
(-1), or neither is certain (0); `<=` becomes `<` where that says more.

A part is made false, too, as vacuity is found in model checking: `not p or q` without q is `not p`, and holds where no
case has p, so that nothing was said of q.
"""

import ast
import copy
import itertools
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.certificates.language import holds, parsed
from stirred.verify.ledger.claim import Check, Sentence, UnlistedError
from stirred.verify.ledger.compiled import compiled, lifted
from stirred.verify.ledger.failures import plain, words_of

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
_FALSE = ast.Constant(value=False)


class Change(Enum):
    """What a mutant changes of a sentence."""

    PART = "a part that it asserts is false: the part is vacuous where the rest holds alone"
    BOUND = "another relation or operation, the other extreme, or one more or less"
    OTHER = "the other quantifier, a hypothesis less, or two arguments exchanged"


def changes(
    node: ast.AST, sign: int, words: Collection[str], numbers: Collection[str], *, is_asserted: bool
) -> Iterator[tuple[Change, ast.AST]]:
    """What may stand in the place of a node.

    Args:
        node: an expression, or the clause of a comprehension, which has its conditions' sign.
        sign: of the place; that of a node that is no truth value is 0.
        words: the names of words.
        numbers: the names of constant numbers.
        is_asserted: whether parts of it may be made false.
    """
    kinds = {
        Change.PART: _without_a_part(node) if is_asserted else (),
        Change.BOUND: itertools.chain(_other_relations(node, sign), _other_numbers(node, numbers)),
        Change.OTHER: itertools.chain(_other_logic(node, sign), _other_arguments(node, words)),
    }
    yield from ((kind, one) for kind, changed in kinds.items() for one in changed)


def _without_a_part(node: ast.AST) -> Iterator[ast.AST]:
    """The node with one of its asserted parts made false."""
    match node:
        case ast.BoolOp(op=ast.Or(), values=parts):
            yield from [] if is_negation(parts[-1]) else [_without(node, len(parts) - 1)]
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


def is_negation(node: ast.AST) -> bool:
    """Whether a part begins with `not`: as one of several of which one holds, it is a hypothesis."""
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


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


@dataclass
class Tried:
    """What became of the mutants of a check.

    Attributes:
        refuted: those that are false of some case.
        survivors: those that are true of all cases.
        outside: those that have no value, or none that can be decided, on some case before; and what takes too long.
        cases: of how many cases.
    """

    refuted: list[SentenceMutant] = field(default_factory=list)
    survivors: list[SentenceMutant] = field(default_factory=list)
    outside: list[SentenceMutant] = field(default_factory=list)
    cases: int = 0

    @property
    def numbers(self) -> dict[str, int]:
        """How many mutants became what."""
        return {"refuted": len(self.refuted), "survivors": len(self.survivors), "outside": len(self.outside)}

    @property
    def idle(self) -> list[str]:
        """What the cases do not decide: a part that could as well be false; a comparison of which no mutant is refuted.

        The empty text is the sentence itself, or all of a property's, of which a bound was changed and no mutant is
        refuted.
        """
        return sorted(
            {one.change if one.kind is Change.PART else one.of or "" for one in self.survivors if self._is_asked(one)}
        )

    def _is_asked(self, mutant: SentenceMutant) -> bool:
        """Whether something is idle unless some case refutes a mutant, or another one of the same comparison."""
        if mutant.kind is not Change.BOUND:
            return mutant.kind is Change.PART
        noticed = {one.of for one in self.refuted}
        return not noticed & {mutant.of, None} if mutant.of else not noticed

    def compared(self, case: tuple[Any, ...], alive: "list[_Compared]", end: float) -> "list[_Compared]":
        """Those that are true of a case, or were not compared before the end; the others are refuted, or outside."""
        quick = [lifted(part) for part in case]
        left = []
        for one in alive:
            is_so = time.process_time() > end or one.holds(case, quick)
            if is_so:
                left.append(one)
            else:
                (self.outside if is_so is None else self.refuted).append(one.mutant)
        self.cases += 1
        return left

    def left(self, alive: "list[_Compared]", cases: int) -> "list[_Compared]":
        """Those that further cases are needed for; after so many cases the others survive."""
        if self.cases < cases:
            return alive
        self.survivors += [one.mutant for one in alive if not self._is_asked(one.mutant)]
        return [one for one in alive if self._is_asked(one.mutant)]


def tried(check: Check, *, cases: int = 400, seconds: float = 60) -> Tried:
    """Compare the mutants of a check's sentences with its cases, those of an existence with the case that it names.

    Args:
        check: as `every` and `some` make it; of what a property compares of its cases, all sentences.
        cases: after so many, only those mutants are compared on which it depends whether something is idle.
        seconds: after this long no further case is compared, and those that are left are `outside`.
    """
    found = Tried()
    end = time.process_time() + seconds
    alive: dict[tuple[str, tuple[str, ...]], list[_Compared]] = {}
    try:
        for one in check.shown() if check.shown else ():
            if isinstance(one, Sentence):
                key = one.says, one.names
                if key not in alive:
                    alive[key] = [_Compared(mutant, one.names) for mutant in _mutants(one.says, check)]
                for case in one.cases:
                    alive[key] = found.left(alive[key], cases)
                    if not alive[key] or time.process_time() > end:
                        break
                    alive[key] = found.compared(case, alive[key], end)
            if time.process_time() > end or (found.cases >= cases and not any(alive.values())):
                break
    except UnlistedError:  # from here on it compares nothing that could be changed
        pass
    rest = [one.mutant for ones in alive.values() for one in ones]
    (found.outside if time.process_time() > end else found.survivors).extend(rest)
    return found


def _mutants(says: str, check: Check) -> list[SentenceMutant]:
    """The mutants of a sentence; that of an existence is looked at as a whole, since its one case decides no more."""
    constants = check.compared.constants if check.compared else {}
    mutants = mutants_of(says, [name for name, value in constants.items() if isinstance(value, (int, Fraction))])
    if check.compared is None or not check.compared.of_some:
        return list(mutants)
    return [replace(one, of="") for one in mutants if one.kind is not Change.PART]


class _Compared:
    """A mutant as it is compared with cases."""

    def __init__(self, mutant: SentenceMutant, names: tuple[str, ...]) -> None:
        self.mutant = mutant
        self._names = names
        self._quick = compiled(mutant.says, mutant.words, names)

    def holds(self, case: tuple[Any, ...], quick: list[Any]) -> bool | None:
        """Whether it is true of a case, which is given a second time as the translation takes it; None: no value."""
        if self._quick is not None:
            try:
                answer = self._quick(*quick)
            except Exception:  # evaluation says whether there is a value
                answer = None
            if isinstance(answer, bool):
                return answer
        values = dict(zip(self._names, map(plain, case), strict=True))
        try:
            return holds(self.mutant.says, values, dict(self.mutant.words))
        except Exception:  # of any kind: a mutant may compare what nobody would
            return None
