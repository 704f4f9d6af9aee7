"""An independent check of sentences: one file, nothing but Python's standard library.

`stirred check FILE…`, or `python sentences.py FILE…` with this file alone. Whatever an engine has found comes down to
comparisons of exact numbers, case by case; here they are computed anew. A file has one certificate, or a list of them.

format             "stirred sentences 1"
claim, statement   for the reader: not compared with anything here, and printed as such
words              {"name(parameters)": body, …}: definitions for the expressions, which may use each other
sentences          [{"says": expression, "is": true or false, "scope": text, "names": [name, …], "cases": [case, …]},
                   …]: the expression is true, or false, of every case; a case is a list of values, one for each name
without            [text, …]: what else speaks about the claim, and is not certified here

A value is an integer, a text, true, false, null for oo, a list for a tuple, {"number": "-1/20"}, {"set": [value, …]} or
{"map": [[key, value], …]}. An expression is one of Python's, made of integers, texts, True, False, oo, names, + - * /
// % **, & | of sets, and or not, if else, comparisons, `in`, indices, slices, tuples (or lists: the same), sets, maps,
comprehensions, and calls of words and of `FUNCTIONS`. A condition must be true or false. Numbers are exact. ln, exp and
sqrt are enclosed by decimals rounded outward, and what is computed from them too; a comparison must come out the same
for all numbers enclosed, at 40, 160 or 640 digits. oo is above every number; sums and products with oo are oo, 0*oo
too, and so is oo over a positive number; a number over oo is 0. min of nothing is oo, max of nothing 0. Sets are in the
order of texts.

Confirmed are the sentences; that they say what the claim says, and that the cases are those of the scope, is trusted.
"""

from __future__ import annotations

import ast
import json
import math
import operator
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cache, partial, partialmethod, reduce, total_ordering
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

FORMAT = "stirred sentences 1"
_USAGE = "usage: python sentences.py FILE [FILE ...]\nexit status: 0 all confirmed, 1 one is not, 2 one is unreadable\n"
_MOST_BYTES, _PRECISIONS = 200_000_000, (40, 160, 640)
_NODES = """Expression Load Store Constant Name Tuple List Set Dict UnaryOp USub Not BinOp Add Sub Mult Div FloorDiv Mod
Pow BitAnd BitOr BoolOp And Or Compare Eq NotEq Lt LtE Gt GtE In NotIn IfExp Subscript Slice GeneratorExp ListComp
SetComp DictComp comprehension Call"""
_CONDITIONS = {ast.IfExp: "test", ast.comprehension: "ifs", ast.And: "values", ast.Or: "values", ast.Not: "operand"}


class SentenceError(Exception):
    """The certificate is malformed, or a sentence is not as it says."""


class _UndecidedError(Exception):
    """Two numbers are too close to be told apart at this precision."""


def _require(is_right: object, message: str) -> None:
    if not is_right:
        raise SentenceError(message)


def _alike(answers: Sequence[Any]) -> Any:
    """The one answer for all ends of intervals."""
    if any(answer != answers[0] for answer in answers):
        raise _UndecidedError
    return answers[0]


class _Real:
    """A real number between two decimals, both included: each operation rounds outward."""

    def __init__(self, low: Decimal, high: Decimal, digits: int) -> None:
        self.ends, self.digits = (low, high), digits
        self._down, self._up = (Context(digits, rounding, -(10**9), 10**9) for rounding in (ROUND_FLOOR, ROUND_CEILING))

    def of(self, number: int | Fraction | _Real) -> _Real:
        if isinstance(number, _Real):
            return number
        over, under = map(Decimal, number.as_integer_ratio())
        return _Real(self._down.divide(over, under), self._up.divide(over, under), self.digits)

    def function(self, name: str) -> _Real:
        """Exp, ln or sqrt, which rise: decimals round them to the nearest, so that the neighbours enclose."""
        low, high = (getattr(self._down, name)(end) for end in self.ends)
        return _Real(self._down.next_minus(low), self._up.next_plus(high), self.digits)

    def _with(self, name: str, other: Any, *, swapped: bool = False) -> Any:
        if not isinstance(other, (int, Fraction, _Real)):
            return NotImplemented
        first, second = (self.of(other), self) if swapped else (self, self.of(other))
        if name == "divide" and second.ends[0] <= 0 <= second.ends[1]:
            raise _UndecidedError
        low, high = ([getattr(c, name)(x, y) for x in first.ends for y in second.ends] for c in (self._down, self._up))
        return _Real(min(low), max(high), self.digits)

    __add__ = __radd__ = partialmethod(_with, "add")
    __mul__ = __rmul__ = partialmethod(_with, "multiply")
    __sub__, __rsub__ = partialmethod(_with, "subtract"), partialmethod(_with, "subtract", swapped=True)
    __truediv__, __rtruediv__ = partialmethod(_with, "divide"), partialmethod(_with, "divide", swapped=True)
    __neg__ = partialmethod(_with, "subtract", 0, swapped=True)

    def __pow__(self, exponent: int) -> Any:
        return reduce(lambda found, bit: found * found * (self if bit == "1" else 1), f"{exponent:b}", 1)

    def _compared(self, relation: Callable[[Any, Any], bool], other: Any) -> Any:
        if not isinstance(other, (int, Fraction, _Real)):
            return NotImplemented
        return _alike([relation(x, y) for x, y in product(self.ends, self.of(other).ends)])

    __lt__, __le__ = partialmethod(_compared, operator.lt), partialmethod(_compared, operator.le)
    __gt__, __ge__ = partialmethod(_compared, operator.gt), partialmethod(_compared, operator.ge)
    __hash__ = None  # type: ignore[assignment]  # equality may be undecided, so that it is no member of a set

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (int, Fraction, _Real)) and not (self < other or self > other)

    def __floor__(self) -> int:
        return int(_alike([math.floor(end) for end in self.ends]))


@total_ordering
class _Infinity:
    """The value oo."""

    def _absorb(self, other: Any) -> Any:
        return self if isinstance(other, (int, Fraction, _Real, _Infinity)) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return NotImplemented if other is self else self._absorb(other)

    def __gt__(self, other: Any) -> Any:
        return other is not self if self._absorb(other) is self else NotImplemented

    __add__ = __radd__ = __mul__ = __rmul__ = _absorb


OO = _Infinity()


def _text(value: Any) -> str:
    """A value as text, by which the members of a set are ordered, and cases are told apart."""
    _require(not isinstance(value, _Real), "an enclosed number has no text to be ordered by")
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))})"
    if isinstance(value, (frozenset, dict)):
        inner = ", ".join(sorted(map(_text, value.items() if isinstance(value, dict) else value)))
        return f"map {{{inner}}}" if isinstance(value, dict) else f"{{{inner}}}"
    return repr(value) if isinstance(value, str) else "oo" if value is OO else str(value)


def _listed(values: Any) -> tuple[Any, ...]:
    _require(isinstance(values, (tuple, frozenset, dict, Iterator)), "a list must be a tuple, a set or a map")
    return tuple(sorted(values, key=_text)) if isinstance(values, frozenset) else tuple(values)


def _extreme(relation: Callable[[Any, Any], bool], *values: Any) -> Any:
    """The least or the largest; of reals that meet, the interval that it lies in."""
    items = values if len(values) > 1 else _listed(values[0])
    found: Any = items[0] if items else (OO if relation is operator.lt else 0)
    for item in items[1:]:
        try:
            found = item if relation(item, found) else found
        except _UndecidedError:
            one, other = (item, found) if isinstance(item, _Real) else (found, item)
            choose = min if relation is operator.lt else max
            low, high = map(choose, one.ends, one.of(other).ends)
            found = _Real(low, high, one.digits)
    return found


def _true(value: Any) -> bool:
    _require(isinstance(value, bool), "a condition must be true or false")
    return bool(value)


def _quotient(left: Any, right: Any) -> Any:
    if left is OO or right is OO:
        _require(left is not right and (right is OO or right > 0), "oo is over oo, or over no positive number")
        return 0 if right is OO else OO
    found = Fraction(left) / right if isinstance(left, int) else left / right
    return found.numerator if isinstance(found, Fraction) and found.denominator == 1 else found


def _whole(number: Any) -> int:
    _require(int(number) == number, f"must be an integer: {number}")
    return int(number)


def _raised(base: Any, exponent: Any) -> Any:
    whole = _whole(exponent)
    _require(abs(whole) <= 10_000, "an exponent must be at most 10000")
    return base**whole if whole >= 0 else _quotient(1, base**-whole)


def _has_sets(value: Any) -> bool:
    return isinstance(value, frozenset) or (isinstance(value, tuple) and any(map(_has_sets, value)))


def _sorted(values: Any) -> tuple[Any, ...]:
    items = _listed(values)
    with suppress(TypeError):  # sets are only partly ordered: after their texts instead, with the empty one first
        return tuple(sorted(items, key=(lambda one: _text(one).replace("}", " }")) if _has_sets(items) else None))
    return tuple(sorted(items, key=_text))


def _enclosed(name: str, digits: int, number: Any) -> Any:
    if isinstance(number, (int, Fraction)):
        if number == (name == "ln") and name != "sqrt":
            return int(name == "exp")
        root = Fraction(*(math.isqrt(max(0, part)) for part in number.as_integer_ratio()))
        if name == "sqrt" and root * root == number:
            return root
    inner = _Real(Decimal(0), Decimal(0), digits).of(number)
    if name != "exp" and inner.ends[0] <= 0:
        raise _UndecidedError
    return inner.function(name)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{function.__name__: function for function in (len, sum, math.factorial, math.comb, math.floor)},
    "any": lambda values: any(map(_true, values)),
    "all": lambda values: all(map(_true, values)),
    "min": partial(_extreme, operator.lt),
    "max": partial(_extreme, operator.gt),
    "abs": lambda number: number if number >= 0 else -number,
    "sorted": _sorted,
    "set": lambda values: frozenset(values),  # noqa: PLW0108 exactly one
    "tuple": _listed,
    "enumerate": lambda values: tuple(enumerate(_listed(values))),
    "zip": lambda *lists: tuple(zip(*map(_listed, lists), strict=False)),
    "items": lambda pairs: tuple(pairs.items()),
    "get": lambda pairs, key, other: pairs.get(key, other),
    "range": lambda *ends: tuple(range(*map(_whole, ends))),
    "product": lambda *lists: tuple(product(*map(_listed, lists))),
    "permutations": lambda values: tuple(permutations(_listed(values))),
    "subsets": lambda one: tuple(frozenset(c) for n in range(len(one) + 1) for c in combinations(_listed(one), n)),
    "derangements": lambda n: reduce(lambda found, k: k * found + (-1) ** k, range(1, n + 1), 1),
    **dict.fromkeys(("exp", "ln", "sqrt"), _enclosed),  # given the digits too
}


class _Translation(ast.NodeTransformer):
    """Python's expression with the meaning of the format; no text can name what is put in: "/", "sum()"."""

    def visit(self, node: ast.AST) -> Any:
        _require(type(node).__name__ in _NODES.split(), f"not in the language: {type(node).__name__}")
        found, name = super().visit(node), _CONDITIONS.get(type(getattr(node, "op", node)), "")
        if (parts := getattr(found, name, None)) is not None:
            setattr(found, name, [_call("?", p) for p in parts] if isinstance(parts, list) else _call("?", parts))
        return found

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        _require(type(node.value) in (int, str, bool), "constants must be integers, texts, True or False")
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        _require(_is_name(node.id) or (node.id == "oo" and isinstance(node.ctx, ast.Load)), f"no name: {node.id}")
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        name = {ast.Div: "/", ast.Pow: "**", ast.Mod: "%"}.get(type(self.visit(node.op)))
        sides: list[ast.expr] = [self.visit(node.left), self.visit(node.right)]
        return _call(name, *sides) if name else ast.BinOp(sides[0], node.op, sides[1])

    def visit_List(self, node: ast.List) -> ast.expr:
        return ast.Tuple([self.visit(part) for part in node.elts], node.ctx)

    def visit_Set(self, node: ast.Set) -> ast.expr:
        return _call("set()", self.visit(ast.Tuple(node.elts, ast.Load())))

    def visit_ListComp(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> ast.expr:
        name = "set()" if isinstance(node, ast.SetComp) else "tuple()"
        return _call(name, self.generic_visit(ast.GeneratorExp(node.elt, node.generators)))  # type: ignore[arg-type]

    visit_GeneratorExp = visit_SetComp = visit_ListComp  # noqa: N815 names of ast

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        tests, allowed = [self.visit(test) for test in node.ifs], (ast.Name, ast.Tuple, ast.List, ast.Store)
        _require(all(isinstance(part, allowed) for part in ast.walk(node.target)), "targets: names")
        return ast.comprehension(self.visit(node.target), _call("tuple()", self.visit(node.iter)), tests, 0)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        _require(isinstance(node.func, ast.Name) and not node.keywords, "calls must be of words and functions")
        name = node.func.id  # type: ignore[attr-defined]
        if name in ("any", "all") and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return _call(f"{name}()", self.generic_visit(node.args[0]))  # type: ignore[arg-type]  # ends at the first
        return _call(f"{name}()", *map(self.visit, node.args))


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _is_name(text: str) -> bool:
    return text.isidentifier() and text.isascii() and text != "oo" and not text.startswith("__")


def _compiled(text: str, names: Sequence[str], scope: dict[str, Any]) -> Callable[..., Any]:
    _require(isinstance(text, str) and not {"#", "\\"} & {*text}, "an expression must be a text without # and \\")
    _require(all(map(_is_name, names)), "names must be ASCII names, not oo, and begin with no __")
    body = _Translation().visit(ast.parse(text.strip(), mode="eval")).body
    parameters = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    tree = ast.fix_missing_locations(ast.Expression(ast.Lambda(parameters, body)))
    return eval(compile(tree, "<sentence>", "eval"), scope)  # type: ignore[no-any-return]  # noqa: S307 of `_NODES` alone


def _scope(words: Mapping[str, str], digits: int) -> dict[str, Any]:
    scope: dict[str, Any] = {"__builtins__": {}, "oo": OO, "/": _quotient, "**": _raised, "?": _true}
    scope["%"] = lambda left, right: left - right * math.floor(_quotient(left, right))
    scope |= {f"{k}()": partial(_enclosed, k, digits) if f is _enclosed else f for k, f in FUNCTIONS.items()}
    for head, body in words.items():
        name, parameters = re.fullmatch(r"(\w+)\((.*)\)", head).groups()  # type: ignore[union-attr]
        _require(_is_name(name) and f"{name}()" not in scope, f"a word must have a name of its own: {name}")
        scope[f"{name}()"] = _compiled(body, [part.strip() for part in parameters.split(",") if part.strip()], scope)
    return scope


def _value(given: Any) -> Any:
    if given is None or type(given) in (bool, int, str):
        return OO if given is None else given
    if isinstance(given, list):
        return tuple(map(_value, given))
    ((kind, content),) = given.items()
    if kind == "number":
        _require(re.fullmatch("-?[0-9]+(/0*[1-9][0-9]*)?", content), f"no number: {content!r}")
        return Fraction(content)
    _require(kind in ("set", "map") and isinstance(content, list), f"no value: {kind!r}")
    found = frozenset(map(_value, content)) if kind == "set" else {_value(key): _value(part) for key, part in content}
    _require(len(found) == len(content), f"a {kind} must name nothing twice")
    return found


def _sentence(sentence: dict[str, Any], scopes: Callable[[int], dict[str, Any]]) -> str:
    _require(sentence.keys() == {"says", "is", "scope", "names", "cases"}, "keys must be those of a sentence")
    says, is_so, names, listed = (sentence[key] for key in ("says", "is", "names", "cases"))
    _require(type(is_so) is bool and isinstance(listed, list) and listed, "a sentence must be true or false of cases")
    cases = [_value(case) for case in listed if isinstance(case, list)]
    _require(len(set(map(_text, cases))) == len(listed), "cases must be lists, and different")
    compiled = cache(lambda digits: _compiled(says, names, scopes(digits)))
    for parts in cases:
        found = None
        for digits in _PRECISIONS:
            with suppress(_UndecidedError):
                found = compiled(digits)(*parts)
                break
        word = f"is {str(found).lower()}" if type(found) is bool else "is not decided"
        _require(found is is_so, f"{says!r} {word} of {dict(zip(names, map(_text, parts), strict=True))}"[:1_000])
    how = f"every one of {len(listed)} cases" if len(listed) > 1 else "one case"
    return f"CONFIRMED: {'true' if is_so else 'false'} of {how}: {says} [{sentence['scope']}]"


def check(certificate: Any) -> list[str]:
    """What a certificate confirms, and what is taken on trust; SentenceError where it does not show what it says."""
    try:
        return list(_checked(certificate))
    except (SentenceError, MemoryError):
        raise
    except Exception as error:  # its expressions may fail in any way: nothing is confirmed then
        raise SentenceError(f"not as the format describes it: {type(error).__name__} {error}") from None


def _checked(certificate: Any) -> Iterator[str]:
    _require(isinstance(certificate, dict) and certificate.get("format") == FORMAT, f"format must be {FORMAT!r}")
    keys = {"format", "claim", "statement", "words", "sentences", "without"}
    _require(certificate.keys() == keys and certificate["sentences"], "keys must be the format's, with sentences")
    scopes = cache(partial(_scope, certificate["words"]))
    yield f"not compared: {json.dumps({key: certificate[key] for key in ('claim', 'statement')})}; what is in brackets"
    yield "taken on trust: the sentences say what the claim says, and the cases are those of their scope"
    yield from (f"not in the certificate: {one}" for one in certificate["without"])
    for sentence in certificate["sentences"]:
        yield _sentence(sentence, scopes)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    _require(len(dict(pairs)) == len(pairs), "an object must not have duplicate keys")
    return dict(pairs)


def main(paths: Sequence[str]) -> int:
    """Check files; returns 0 where every certificate is confirmed, 1 where one is not, 2 where one cannot be read."""
    if not paths or {"-h", "--help"} & set(paths):
        (sys.stdout if paths else sys.stderr).write(_USAGE)
        return 0 if paths else 2
    status, encoding = 0, sys.stdout.encoding or "ascii"
    for path in paths:
        try:
            with Path(path).open("rb") as file:
                read = json.loads(file.read(_MOST_BYTES), object_pairs_hook=_unique)
            lines = [line for one in (read if isinstance(read, list) and read else [read]) for line in check(one)]
        except (OSError, ValueError, RecursionError, MemoryError) as error:
            sys.stderr.write(f"{path}: cannot be read: {error}\n")
            status, lines = 2, []
        except SentenceError as error:
            status, lines = max(status, 1), [f"NOT CONFIRMED: {error}"]
        for line in (f"{path}: {line}".encode(encoding, "replace").decode(encoding) for line in lines):
            sys.stdout.write("".join(c if c.isprintable() else "?" for c in line) + "\n")
    return status


if __name__ == "__main__":
    sys.set_int_max_str_digits(100_000)
    sys.exit(main(sys.argv[1:]))
