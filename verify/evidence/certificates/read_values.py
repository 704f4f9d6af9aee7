"""What a function with unknown data is read as: values, draws, decisions, paths; the standard library alone."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol

SIZE = Symbol("size")
"""The number of records."""
RECORD = Symbol("record")
"""The record that is read, where one is."""
_FIXED = ("parameter", "ln", "exp", "size")
"""What is one number throughout a run."""
SHARED = "shared"
"""The kind of a draw that the second run takes over."""

Place = tuple[int, int]


class RefusedError(Exception):
    """What is read is not in the grammar, or has no known meaning; the message has the line."""


@dataclass(frozen=True)
class NoiseDraw:
    """A draw: its symbol, law and line.

    Attributes:
        kind: "laplace", "exponential", "discrete laplace" or "geometric", which may be shifted; "gumbel", which an
            index drawn by weights stands for; else "shared": the second run takes the same value.
        rate: what a shift by 1 costs, a polynomial of the parameters; 0 of what is shared.
    """

    symbol: Symbol
    kind: str
    rate: Polynomial
    line: int

    @property
    def is_whole(self) -> bool:
        """Whether it is an integer, which is shifted by integers alone."""
        return self.kind in ("discrete laplace", "geometric")


@dataclass(frozen=True)
class PathDecision:
    """Whether `value` is > 0, >= 0 or == 0, and the outcome on this path."""

    value: Polynomial
    relation: str
    outcome: bool
    line: int


@dataclass(frozen=True)
class Shown:
    """A list that is the same in both runs, whatever it holds."""


@dataclass(frozen=True)
class Infinite:
    """Plus or minus infinity."""

    sign: int


@dataclass(frozen=True)
class GeneratorToken:
    """A generator, "numpy" or "source"."""

    kind: str


@dataclass(frozen=True)
class Vector:
    """One number for each record, a formula in the parameters, the record and draws of its own alone.

    Attributes:
        element: the formula; each draw is a cell, named by where it stands, which is carried out once.
        cells: the draws.
        is_array: whether it is an array, not a list.
    """

    element: Polynomial
    cells: tuple[NoiseDraw, ...] = ()
    is_array: bool = False


DATA = Vector(Polynomial.name(RECORD))


@dataclass(frozen=True)
class CountedRange:
    """The integers from `first` on, `size` of them."""

    first: Polynomial
    size: Polynomial


@dataclass(frozen=True)
class Together:
    """What `zip` goes over, or `enumerate`."""

    parts: tuple[Vector | CountedRange | Together, ...]


@dataclass(frozen=True)
class ExpWeights:
    """`np.exp` of a vector, its sum, or the weights divided by their sum.

    Attributes:
        exponents: the vector.
        stage: "weights", "sum" or "shares".
    """

    exponents: Vector
    stage: str = "weights"


@dataclass(frozen=True)
class Chosen:
    """The index of the largest (sign 1) or smallest (-1) element of a vector."""

    vector: Vector
    sign: int
    line: int


def is_fixed(value: Polynomial, *known: Symbol) -> bool:
    """Whether it is a number of the parameters, the number of records and what else is known."""
    return all(name.kind in _FIXED or name in known for name in value.names)


def may_cross(value: Any) -> bool:
    """Whether a value means the same on every path, so that it may be kept where a loop begins.

    All others, tuples and infinities among them, are forgotten there, but for numbers, which become symbols of the
    loop's own.
    """
    if isinstance(value, Polynomial):
        return is_fixed(value)
    if isinstance(value, Vector):
        return is_fixed(value.element, RECORD, *(cell.symbol for cell in value.cells))
    if isinstance(value, CountedRange):
        return is_fixed(value.first) and is_fixed(value.size)
    if isinstance(value, Together):
        return all(map(may_cross, value.parts))
    return value is None or isinstance(value, (bool, str, Shown, GeneratorToken))


@dataclass(frozen=True)
class Head:
    """The head of a loop with the code that follows it.

    Attributes:
        node: the `for` or `while`, the sum that is added up, or the `return` of a vector that is released.
        rest: what is to be done after it.
    """

    node: ast.For | ast.While | ast.Call | ast.Return
    rest: tuple[Any, ...]

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.node.lineno, self.node.col_offset

    def hidden(self, what: str) -> Symbol:
        """A variable of the loop's own: its "counter", what it goes "over", its "total"."""
        return Symbol("hidden", "{} {}.{}".format(what, *self.place))


@dataclass(frozen=True)
class Back:
    """Go back to the head of a loop."""

    head: Head


@dataclass(frozen=True)
class Resumed:
    """A statement of which some sums have been added up."""

    node: ast.stmt
    sums: int


@dataclass
class Path:
    """One way through straight code.

    Attributes:
        decisions, draws: in order.
        same: numbers that have to be equal in both runs, with their lines: outputs, indices, what is rounded.
        index: which record is read, if one is.
        end: "return", "raise", or the head that it arrives at.
        value: what is returned.
        env: the variables at the end.
        cells: the draws for each record that it reads, by their cells.
        truths: the variables that may hold a truth value where it begins.
    """

    script: tuple[bool, ...] = ()
    decisions: list[PathDecision] = field(default_factory=list)
    draws: list[NoiseDraw] = field(default_factory=list)
    same: list[tuple[Polynomial, int]] = field(default_factory=list)
    index: Polynomial | None = None
    end: Head | str = "return"
    value: Any = None
    env: Mapping[Symbol, Any] = field(default_factory=dict)
    cells: dict[Symbol, Symbol] = field(default_factory=dict)
    truths: frozenset[Symbol] = frozenset()

    def is_truth(self, value: Any) -> bool:
        """Whether it may be a truth value, or a product of some: of NumPy's, True + True is True."""
        if not isinstance(value, Polynomial):
            return isinstance(value, bool)
        return bool(value.names) and list(value.terms.values()) == [1] and value.names <= self.truths
