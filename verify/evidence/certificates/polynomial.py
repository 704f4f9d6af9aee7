"""Polynomials with rational coefficients and whole powers, negative ones included; the standard library alone.

>>> eps, count = Polynomial.parameter("eps"), Polynomial.parameter("N")
>>> print((count + 1) * eps / 2, "|", 1 / (2 * eps))
1/2*N*eps + 1/2*eps | 1/2/eps
>>> print((eps * count).at({Symbol("parameter", "N"): Polynomial.of(3)}))
3*eps
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb
from typing import NamedTuple

KINDS = ("parameter", "ln", "exp", "size", "record", "draw", "cell", "opaque", "held", "hidden")


class Symbol(NamedTuple):
    """A name in a polynomial. What a source calls a thing is its text alone: symbols of two kinds are never equal.

    Attributes:
        kind: "parameter"; "ln" or "exp" of a formula; "size", the number of records; "record", the one that is read;
            "draw" of a path; "cell", a draw for each record; "opaque", equal in both runs; "held" by a variable at the
            head of a loop, "hidden" where the reader counts or adds up itself.
        text: which one.
    """

    kind: str
    text: str = ""

    def __str__(self) -> str:
        if self.kind in ("ln", "exp"):
            return f"{self.kind}({self.text})"
        return {"size": "the number of records", "record": "the record", "draw": "noise", "cell": "noise"}.get(
            self.kind, self.text
        )

    @property
    def key(self) -> str:
        """How a certificate has it."""
        return f"{self.kind} {self.text}"

    @staticmethod
    def of_key(key: str) -> Symbol:
        """The symbol of a certificate.

        Raises:
            ValueError: it is none.
        """
        kind, _, text = key.partition(" ")
        if kind not in KINDS:
            raise ValueError(f"{key!r} is no symbol")
        found = Symbol(kind, text)
        if kind in ("ln", "exp"):
            is_expanded = "(" not in re.sub(r"\b(ln|exp|1/)\(", "", text)
            if not is_expanded or parsed(str(found)) != Polynomial.name(found):
                raise ValueError(f"{key!r} is not {kind} of a formula as it is written here")
        return found


Monomial = tuple[tuple[Symbol, int], ...]
"""Symbols with their powers, sorted."""


class Polynomial:
    """A sum of coefficients times monomials.

    Args:
        terms: the coefficient of each monomial; zeros are left out.
    """

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[Monomial, Fraction]) -> None:
        self.terms = {monomial: number for monomial, number in terms.items() if number}

    @staticmethod
    def of(number: Polynomial | Fraction | int) -> Polynomial:
        """A number as a polynomial."""
        return number if isinstance(number, Polynomial) else Polynomial({(): Fraction(number)})

    @staticmethod
    def name(name: Symbol) -> Polynomial:
        """A symbol to the first power."""
        return Polynomial({((name, 1),): Fraction(1)})

    @staticmethod
    def parameter(name: str) -> Polynomial:
        """A parameter to the first power."""
        return Polynomial.name(Symbol("parameter", name))

    def __add__(self, other: Polynomial | Fraction | int) -> Polynomial:
        terms = dict(self.terms)
        for monomial, number in Polynomial.of(other).terms.items():
            terms[monomial] = terms.get(monomial, Fraction(0)) + number
        return Polynomial(terms)

    __radd__ = __add__

    def __neg__(self) -> Polynomial:
        return Polynomial({monomial: -number for monomial, number in self.terms.items()})

    def __sub__(self, other: Polynomial | Fraction | int) -> Polynomial:
        return self + -Polynomial.of(other)

    def __rsub__(self, other: Fraction | int) -> Polynomial:
        return -self + other

    def __mul__(self, other: Polynomial | Fraction | int) -> Polynomial:
        terms: dict[Monomial, Fraction] = {}
        for one, number in self.terms.items():
            for two, factor in Polynomial.of(other).terms.items():
                key = product(one, two)
                terms[key] = terms.get(key, Fraction(0)) + number * factor
        return Polynomial(terms)

    __rmul__ = __mul__

    def __truediv__(self, other: Polynomial | Fraction | int) -> Polynomial:
        return self * Polynomial.of(other).inverse()

    def __rtruediv__(self, other: Fraction | int) -> Polynomial:
        return self.inverse() * other

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (int, Fraction)):
            other = Polynomial.of(other)
        return isinstance(other, Polynomial) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def inverse(self) -> Polynomial:
        """1 over it.

        Raises:
            ZeroDivisionError: it is 0, or more than one monomial.
        """
        if len(self.terms) != 1:
            raise ZeroDivisionError(f"1/({self}) is no polynomial")
        ((monomial, number),) = self.terms.items()
        return Polynomial({tuple((name, -power) for name, power in monomial): 1 / number})

    @property
    def number(self) -> Fraction | None:
        """Its value if it is a number."""
        return self.terms.get((), Fraction(0)) if set(self.terms) <= {()} else None

    @property
    def names(self) -> frozenset[Symbol]:
        """The symbols in it."""
        return frozenset(name for monomial in self.terms for name, _ in monomial)

    def at(self, values: Mapping[Symbol, Polynomial]) -> Polynomial:
        """With polynomials in the place of symbols."""
        if not self.names & values.keys():
            return self
        total = Polynomial({})
        for monomial, number in self.terms.items():
            term = Polynomial.of(number)
            for name, power in monomial:
                value = values.get(name, Polynomial.name(name))
                term *= Polynomial({((name, power),): Fraction(1)}) if name not in values else _power(value, power)
            total += term
        return total

    def __str__(self) -> str:
        texts = []
        for one, number in sorted(self.terms.items(), key=lambda term: sorted((str(name), k) for name, k in term[0])):
            monomial = sorted((str(name), power) for name, power in one)
            above = [name if power == 1 else f"{name}^{power}" for name, power in monomial if power > 0]
            below = "".join(f"/{name}" if power == -1 else f"/{name}^{-power}" for name, power in monomial if power < 0)
            left = [str(number)] if abs(number) != 1 or not above else ["-"] if number < 0 else []
            texts.append(("*".join(left + above) + below).replace("-*", "-"))
        return " + ".join(texts).replace("+ -", "- ") or "0"

    __repr__ = __str__


def rational(text: object) -> Fraction:
    """A number as certificates write it: no decimals, and no exponent, which may be larger than memory.

    Raises:
        ValueError: it is none.

    >>> rational("-3/2")
    Fraction(-3, 2)
    """
    if not re.fullmatch(r"-?[0-9]+(/[0-9]+)?", str(text)):
        raise ValueError(f"{str(text)[:40]!r} is no fraction of integers")
    return Fraction(str(text))


def parsed(text: str) -> Polynomial:
    """A polynomial as it is written, with ** or ^ for powers, and ln(...) and exp(...) as names.

    Raises:
        ValueError: it is none.

    >>> print(parsed("(1 + 6*N)*eps/4"), "|", parsed("2*N*ln(1/s)"))
    3/2*N*eps + 1/4*eps | 2*N*ln(1/s)
    """
    try:
        return _of_node(ast.parse(text.replace("^", "**").strip(), mode="eval").body)
    except (SyntaxError, ZeroDivisionError, RecursionError) as error:
        raise ValueError(f"{text!r} is no polynomial of names: {error}") from None


def _of_node(node: ast.expr) -> Polynomial:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return Polynomial.of(Fraction(str(node.value)))
    if isinstance(node, ast.Name):
        return Polynomial.parameter(node.id)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_of_node(node.operand)
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("ln", "exp") and len(node.args) == 1:
        return Polynomial.name(Symbol(ast.unparse(node.func), _shown(node.args[0])))
    if isinstance(node, ast.BinOp):
        one, other = _of_node(node.left), _of_node(node.right)
        power = other.number if isinstance(node.op, ast.Pow) else None
        if power is not None and power.denominator == 1 and abs(power) < 100:
            return _power(one, int(power))
        operators = {ast.Add: one.__add__, ast.Sub: one.__sub__, ast.Mult: one.__mul__, ast.Div: one.__truediv__}
        if type(node.op) in operators:
            return operators[type(node.op)](other)
    raise SyntaxError(f"{ast.unparse(node)} is not read")


def _shown(node: ast.expr) -> str:
    """What a logarithm is of: 1/(a sum) stays as it is."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        below = _of_node(node.right)
        if len(below.terms) > 1 and _of_node(node.left) == 1:
            return f"1/({below})"
    return str(_of_node(node))


def product(one: Monomial, two: Monomial) -> Monomial:
    """The product of two monomials."""
    powers = dict(one)
    for name, power in two:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def _power(value: Polynomial, power: int) -> Polynomial:
    total = Polynomial.of(1)
    for _ in range(abs(power)):
        total *= value if power > 0 else value.inverse()
    return total


def common_power(monomials: Iterable[Monomial], least: Mapping[Symbol, Fraction]) -> dict[Symbol, int]:
    """For each name with a least value, the power that makes all of its powers in the monomials 0 or more."""
    found = dict.fromkeys(least, 0)
    for monomial in monomials:
        for name, power in monomial:
            if name in found:
                found[name] = max(found[name], -power)
    return found


def expanded(
    monomial: Monomial, least: Mapping[Symbol, Fraction], lift: Mapping[Symbol, int]
) -> dict[Monomial, Fraction]:
    """A monomial times the lift, with name = least + (name - least) multiplied out: all that it holds is >= 0."""
    total = Polynomial.of(1)
    for name, power in product(monomial, tuple(lift.items())):
        if name in least:
            terms: dict[Monomial, Fraction] = {
                ((name, k),) if k else (): Fraction(comb(power, k)) * least[name] ** (power - k)
                for k in range(power + 1)
            }
            total *= Polynomial(terms)
        else:
            total *= Polynomial({((name, power),): Fraction(1)})
    return total.terms


def is_nonnegative(value: Polynomial, positive: Iterable[Symbol], least: Mapping[Symbol, Fraction]) -> bool:
    """Whether it is >= 0 by its coefficients, for all positive names and all others at or above their least value.

    It is sufficient, not necessary: each name with a least value L >= 0 is written as L + (name - L), and no
    coefficient may be negative then.

    >>> eps, count = Symbol("parameter", "eps"), Symbol("parameter", "N")
    >>> of_eps, over = Polynomial.name(eps), 1 / Polynomial.name(count)
    >>> is_nonnegative(of_eps - of_eps * over, {eps}, {count: Fraction(1)}), is_nonnegative(of_eps - 1, {eps}, {})
    (True, False)
    """
    if not value.names <= {*positive, *least}:
        return False
    lift = common_power(value.terms, least)
    total = Polynomial({})
    for monomial, number in value.terms.items():
        total += Polynomial(expanded(monomial, least, lift)) * number
    return all(number > 0 for number in total.terms.values())
