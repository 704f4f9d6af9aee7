"""A witness as small tables: two data sets side by side, laws with the event marked, a formula worked out by hand.

Each step is a part of what is refuted, the same with its numbers put in, and its value; the last one is the comparison.
Nothing is said that the witness does not hold: the parts are those of its expression and of the words that it defines,
and every value is computed by what replays it.
"""

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from stirred.spec.numbers.enclosure import decimal_text
from stirred.verify.evidence.certificates.case_values import decoded, shown_value
from stirred.verify.evidence.certificates.decimal_interval import UndecidedError
from stirred.verify.evidence.certificates.exact_number import WitnessError, exact_number
from stirred.verify.evidence.certificates.language import evaluate, parsed, value_of
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.certificates.work import Work
from stirred.verify.evidence.reports.lines import counted, shortened
from stirred.verify.evidence.reports.markup import Markup, element, joined, table
from stirred.verify.evidence.witness import Witness

# An expression with its numbers put in: names and words become their values, and the arithmetic stays to be seen.

_KEPT = frozenset({"factorial", "comb", "derangements", "floor", "ln", "exp", "sqrt", "abs"})
"""Functions of numbers, which stay."""

_LISTED = {"sum": ast.Add(), "max": None, "min": None}
"""Functions of a list, whose parts are shown."""

_MOST_TERMS = 12
_LONGEST = 40

Values = Callable[[ast.expr], Any]


def written(node: ast.expr) -> str:
    """An expression as text."""
    return ast.unparse(ast.fix_missing_locations(node))


def called(node: ast.expr) -> str:
    """The name of the function or word that a call is of; empty for anything else."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def names_bound(each: Any) -> tuple[str, ...]:
    """The names that a comprehension goes through, in their order."""
    found = [node.id for one in each.generators for node in ast.walk(one.target) if isinstance(node, ast.Name)]
    return tuple(dict.fromkeys(found))


def substitute(
    node: ast.expr,
    value: Values,
    terms: Callable[[Any], tuple[Any, ...]] | None = None,
    *,
    are_sides_values: bool = False,
) -> ast.expr:
    """The expression with values in place of its names, words, parts and comprehensions.

    `terms` is what a comprehension goes through, by default its value; `are_sides_values` leaves the sides of a
    comparison as values.

    >>> tree = ast.parse("n*(k - 1)/ln(x)", mode="eval").body
    >>> written(substitute(tree, lambda part: {"n": 2, "k": Fraction(1, 3), "x": 5}[part.id]))
    '2 * (1 / 3 - 1) / ln(5)'
    """

    def inner(part: ast.expr) -> ast.expr:
        return substitute(part, value, terms)

    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            shown = (lambda part: _literal(value(part))) if are_sides_values else inner
            return ast.Compare(shown(left), ops, [shown(one) for one in others])
        case ast.Constant():
            return node
        case ast.BinOp(left=left, op=op, right=right) if not isinstance(op, (ast.BitAnd, ast.BitOr)):
            return ast.BinOp(inner(left), op, inner(right))
        case ast.UnaryOp(op=ast.USub() as op, operand=operand):
            return ast.UnaryOp(op, inner(operand))
        case ast.IfExp(test=test, body=body, orelse=other):
            return inner(body if value(test) else other)
        case ast.Call(func=function, args=arguments) if called(node) in _KEPT:
            return ast.Call(function, [inner(one) for one in arguments], [])
        case ast.Call(args=[only]) if called(node) in _LISTED:
            return listed(called(node), _items(only, value, terms))
        case ast.Call(func=function, args=arguments) if called(node) in _LISTED:
            return ast.Call(function, [inner(one) for one in arguments], [])
    return _literal(value(node))


def _items(node: ast.expr, value: Values, terms: Callable[[Any], tuple[Any, ...]] | None) -> list[Any]:
    if isinstance(node, (ast.GeneratorExp, ast.ListComp)) and terms is not None:
        return list(terms(node))
    found = value(node)
    return sorted(found, key=shown_value) if isinstance(found, frozenset) else list(found)


def listed(name: str, items: Sequence[Any]) -> ast.expr:
    """The sum of a list written out, or its largest or smallest part asked for.

    >>> written(listed("sum", [1, Fraction(1, 2)])), written(listed("max", [1, 2]))
    ('1 + 1 / 2', 'max(1, 2)')
    """
    shown = [_literal(one) for one in items[:_MOST_TERMS]]
    if len(items) > _MOST_TERMS:
        shown.append(ast.Name(f"… ({len(items)} in all)", ast.Load()))
    operator = _LISTED[name]
    if operator is None:
        return ast.Call(ast.Name(name, ast.Load()), shown, [])
    total = shown[0] if shown else ast.Constant(0)
    for one in shown[1:]:
        total = ast.BinOp(total, operator, one)
    return total


def _literal(value: Any) -> ast.expr:
    """A value as an expression: a fraction as a quotient, so that it is in parentheses where it must be."""
    text = shown_value(value)
    if isinstance(value, Fraction) and value.denominator != 1 and len(text) <= _LONGEST:
        return ast.BinOp(_whole(value.numerator), ast.Div(), _whole(value.denominator))
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool) and len(text) <= _LONGEST:
        return _whole(int(value))
    return ast.Name(text, ast.Load())


def _whole(number: int) -> ast.expr:
    return ast.Constant(number) if number >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-number))


_MOST_STEPS = 24
_DEEPEST = 4
_LONGEST_CALL = 80
Scope = Mapping[str, Any]


@dataclass(frozen=True)
class WorkedStep:
    """A part of what is refuted, the same with its numbers put in, and its value."""

    part: str
    numbers: str
    value: str


def worked_steps(witness: Witness) -> tuple[WorkedStep, ...]:
    """The steps from the numbers of a witness to the comparison that is false.

    Of two laws and an event only the sums are steps: what they are compared with is in the sentence of `replay`.

    >>> values = {"n": "5", "k": "2"}
    >>> for step in worked_steps({"kind": "formula", "claimed": "n**k + 1 <= 5*n", "values": values}):
    ...     print(step.part, "|", step.numbers, "|", step.value)
    n ** k + 1 | 5 ** 2 + 1 | 26
    5 * n | 5 * 5 | 25
    n ** k + 1 <= 5 * n | 26 <= 25 | False
    """
    kind = witness["kind"]
    if kind == "formula":
        values = {name: exact_number(name, text, Work()) for name, text in witness["values"].items()}
        return _worked(witness["claimed"], values, {}, _formula_value)
    if kind == "case":
        case = {name: decoded(value, Work()) for name, value in witness["case"].items()}
        words = witness.get("where", {})
        return _worked(witness["claimed"], case, words, lambda node, scope: value_of(written(node), scope, words))
    return tuple(_sums(witness)) if "event" in witness else ()


def _formula_value(node: ast.expr, scope: Scope) -> Any:
    """Whether a comparison is true, or the number that a formula is."""
    if isinstance(node, ast.Compare):
        return evaluate(written(node), scope)[0]
    return evaluate(f"({written(node)}) == 0", scope)[1]


def _sums(witness: Witness) -> Iterator[WorkedStep]:
    """The two probabilities of an event, added up."""
    event = {json.dumps(outcome) for outcome in witness["event"]}
    for name, key, total in (("P(E | x)", "law", "probability"), ("P(E | x')", "law_prime", "probability_prime")):
        inside = [Fraction(p) for outcome, p in witness[key] if json.dumps(outcome) in event]
        yield WorkedStep(name, written(listed("sum", inside)), str(witness[total]))


def _worked(
    claimed: str, values: Scope, words: Mapping[str, str], value: Callable[[ast.expr, Scope], Any]
) -> tuple[WorkedStep, ...]:
    bodies = {parsed(head).func.id: (parsed(head), parsed(body)) for head, body in words.items()}  # type: ignore[attr-defined]
    work, whole = _Working(bodies, value), parsed(claimed, decimals=True)
    try:
        work.truth(whole, values, 0)
        work.add(whole, values, None)
    except (UndecidedError, WitnessError):
        return ()  # a part takes too long by itself, or has no value by itself
    return tuple(work.steps)


@dataclass
class _Working:
    """The steps as they are found: the parts before the whole."""

    words: Mapping[str, tuple[Any, ast.expr]]
    evaluate: Callable[[ast.expr, Scope], Any]
    steps: list[WorkedStep] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    known: dict[tuple[str, int], tuple[Any, Scope]] = field(default_factory=dict)

    def value(self, node: ast.expr, scope: Scope) -> Any:
        """The value of a part, which is computed once."""
        key = (written(node), id(scope))
        if key not in self.known:
            self.known[key] = (self.evaluate(node, scope), scope)  # the scope is kept, so that no other has its number
        return self.known[key][0]

    def truth(self, node: ast.expr, scope: Scope, depth: int) -> None:
        """Steps to whether a sentence is true, by the parts that decide it."""
        match node:
            case ast.BoolOp(values=parts):
                decides = isinstance(node.op, ast.Or)
                deciding = next((part for part in parts if self.value(part, scope) is decides), None)
                for part in parts if deciding is None else (deciding,):
                    self.truth(part, scope, depth)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.truth(operand, scope, depth)
            case ast.Compare(ops=[_], comparators=[right]):
                for side in (node.left, right):
                    explain = self.truth if isinstance(self.value(side, scope), bool) else self.part
                    explain(side, scope, depth)
                self.add(node, scope, substitute(node, lambda part: self.value(part, scope), are_sides_values=True))
            case ast.Compare():
                sides = [node.left, *node.comparators]
                pairs = [
                    ast.Compare(left, [op], [right])
                    for left, op, right in zip(sides[:-1], node.ops, sides[1:], strict=True)
                ]
                deciding = next((pair for pair in pairs if self.value(pair, scope) is False), None)
                for pair in pairs if deciding is None else (deciding,):
                    self.truth(pair, scope, depth)
            case ast.Call(func=ast.Name(id="all" | "any" as name), args=[ast.GeneratorExp() as each]):
                self.first(each, scope, depth, decides=name == "any")
                self.add(node, scope, None)
            case ast.Call(func=ast.Name(id=name)) if name in self.words and depth < _DEEPEST:
                body, inner = self.entered(node, scope)
                self.truth(body, inner, depth + 1)
                self.add(node, scope, None)
            case _:
                self.part(node, scope, depth)

    def first(self, each: ast.GeneratorExp, scope: Scope, depth: int, *, decides: bool) -> None:
        """The first of several cases that decides, if one does."""
        names = names_bound(each)
        for values in self.bound(each, names, scope):
            inner = {**scope, **dict(zip(names, values, strict=True))}
            if self.value(each.elt, inner) is decides:
                at = ", ".join(f"{name} = {shown_value(inner[name])}" for name in names)
                self.steps.append(WorkedStep("the first that decides", at, ""))
                self.truth(each.elt, inner, depth + 1)
                return

    def bound(self, each: Any, names: Sequence[str], scope: Scope) -> Sequence[tuple[Any, ...]]:
        """What the names of a comprehension stand for, one case after another."""
        element = ast.Tuple([ast.Name(name, ast.Load()) for name in names], ast.Load())
        found: Sequence[tuple[Any, ...]] = self.value(ast.ListComp(element, each.generators), scope)
        return found

    def entered(self, call: ast.Call, scope: Scope) -> tuple[ast.expr, Scope]:
        """The definition of a word, with what its parameters stand for."""
        head, body = self.words[call.func.id]  # type: ignore[attr-defined]
        return body, {p.id: self.value(one, scope) for p, one in zip(head.args, call.args, strict=True)}

    def part(self, node: ast.expr, scope: Scope, depth: int) -> None:
        """Steps to the value of a part: first the words in it, then itself."""
        if isinstance(node, (ast.Constant, ast.Name)):
            return
        if isinstance(node, ast.Call) and called(node) in self.words:
            shown = f"{called(node)}({', '.join(shown_value(self.value(one, scope)) for one in node.args)})"
            if shown in self.seen or depth >= _DEEPEST:
                return
            self.seen.add(shown)
            body, inner = self.entered(node, scope)
            while isinstance(body, ast.IfExp):
                body = body.body if self.value(body.test, inner) else body.orelse
            self.inside(body, inner, depth + 1)
            name = shown if depth and len(shown) <= _LONGEST_CALL else written(node)
            self.add(node, scope, self.with_numbers(body, inner), name)
            return
        self.inside(node, scope, depth)
        self.add(node, scope, self.with_numbers(node, scope))

    def with_numbers(self, node: ast.expr, scope: Scope) -> ast.expr:
        """A part with its values put in."""
        return substitute(node, lambda part: self.value(part, scope), lambda each: self.terms(each, scope))

    def inside(self, node: ast.expr, scope: Scope, depth: int) -> None:
        """Steps to the words that a part is made of, those outside of its comprehensions."""
        if isinstance(node, ast.Call) and called(node) in self.words:
            self.part(node, scope, depth)
            return
        if isinstance(node, ast.IfExp):
            self.inside(node.body if self.value(node.test, scope) else node.orelse, scope, depth)
            return
        if isinstance(node, (ast.BoolOp, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)):
            return
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.expr):
                self.inside(inner, scope, depth)

    def terms(self, each: Any, scope: Scope) -> tuple[Any, ...]:
        """What a comprehension goes through."""
        found: tuple[Any, ...] = self.value(ast.ListComp(each.elt, each.generators), scope)
        return found

    def add(self, node: ast.expr, scope: Scope, numbers: ast.expr | None, name: str = "") -> None:
        """A step, unless it is there; where there are too many the last ones are kept out, but for the whole."""
        value = shown_value(self.value(node, scope))
        shown = "" if numbers is None else written(numbers)
        step = WorkedStep(name or written(node), "" if shown == value else shown, value)
        if step in self.steps or (self.steps and numbers is None and self.steps[-1].part == step.part):
            return
        del self.steps[_MOST_STEPS - 1 :]
        self.steps.append(step)


_MOST_ROWS = 24
_MOST_RECORDS = 60
_LONGEST_CELL = 200
_LONGEST_EXACT = 40
_LONG_DECIMALS = re.compile(r"(\d\.\d{8})\d{4,}")
"""Digits that are for whoever replays the witness."""


def witness_tables(witness: Witness) -> Markup:
    """What refutes the claim: its tables, the arithmetic by hand, and the inequality that replaying finds false."""
    replayed = replay(witness)
    parts: list[Markup] = []
    if "x" in witness and "x_prime" in witness:
        parts.append(_data_sets(witness["x"], witness["x_prime"]))
    if "law" in witness:
        parts.append(_laws(witness))
    values = witness.get("values", witness.get("case"))
    if isinstance(values, dict) and values:
        rows = ((name, _case_cell(value)) for name, value in values.items())
        parts.append(table("The case", ("name", "value"), rows))
    if steps := worked_steps(witness):
        shown = ([_cell(part) for part in (one.part, one.numbers, one.value)] for one in steps)
        parts.append(table("Worked out by hand", ("part", "with its numbers", "value"), shown))
    parts.append(element("p", "What replaying the witness finds: ", element("code", replayed)))
    return joined(parts)


def _cell(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shortened(_LONG_DECIMALS.sub(r"\1…", text), _LONGEST_CELL)


def _case_cell(value: Any) -> str:
    """A number of a formula as it is written, or what a case's value stands for."""
    return _cell(value if isinstance(value, str) else shown_value(decoded(value, Work())))


def _data_sets(x: Any, x_prime: Any) -> Markup:
    """Record by record where both have as many; else each in one cell."""
    caption, header = "The two data sets", ("record", "x", "x'", "same?")
    if isinstance(x, list) and isinstance(x_prime, list) and len(x) == len(x_prime) <= _MOST_RECORDS:
        rows = [
            (str(number), _cell(one), _cell(other), "same" if one == other else "differs")
            for number, (one, other) in enumerate(zip(x, x_prime, strict=True), start=1)
        ]
        return table(caption, header, rows)
    return table(caption, ("data set", "value"), (("x", _cell(x)), ("x'", _cell(x_prime))))


def _laws(witness: Witness) -> Markup:
    """Each outcome with its two probabilities, those of the event first."""
    law, law_prime = ({json.dumps(outcome): p for outcome, p in witness[key]} for key in ("law", "law_prime"))
    event = {json.dumps(outcome) for outcome in witness.get("event", ())}
    values = {json.dumps(outcome): outcome for key in ("law", "law_prime") for outcome, _ in witness[key]}
    outcomes = sorted(values, key=lambda outcome: outcome not in event)
    header = ["outcome t", "P(t | x)", "P(t | x')"] + (["in the event E?"] if event else [])

    def rows() -> Iterator[list[str]]:
        for outcome in outcomes[:_MOST_ROWS]:
            shown = [_cell(values[outcome]), _number(law.get(outcome, "0")), _number(law_prime.get(outcome, "0"))]
            yield shown + (["in E" if outcome in event else "not in E"] if event else [])
        if event:
            both = (witness["probability"], witness["probability_prime"])
            yield ["all of E", *map(_number, both), ""]

    more = len(outcomes) - _MOST_ROWS
    rest = f"; {counted(more, 'more outcome')} in the witness file" if more > 0 else ""
    return table(f"The probabilities of the outcomes{rest}", header, rows())


def _number(text: Any) -> str:
    value = Fraction(text)
    exact = str(text)
    about = f"{'-' if value < 0 else ''}{decimal_text(abs(value), 6)}"
    if value.denominator == 1:
        return exact
    return f"{exact} ≈ {about}" if len(exact) <= _LONGEST_EXACT else f"≈ {about}"
