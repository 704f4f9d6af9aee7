"""What a function with unknown data is read as: values, draws, decisions, paths; the standard library alone."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol

SIZE = Symbol("size")
"""The number of records."""
RECORD = Symbol("record")
"""The record that is read, where one is; a number that is computed from it alone has a text, its formula."""
READ = ("record", "bin")
"""The kinds of what is read of the data: of one record, or how many records are one number."""
_FIXED = ("parameter", "ln", "exp", "root", "quotient", "size")
"""What is one number throughout a run."""
ONE_SIDED = ("exponential", "geometric", "gumbel")
"""The kinds of noise that moves upwards alone."""
SHARED = "shared"
"""The kind of a draw that the second run takes over."""

Place = tuple[int, int]


class RefusedError(Exception):
    """What is read is not in the grammar, or has no known meaning; the message has the line."""


@dataclass(frozen=True)
class NoiseDraw:
    """A draw: its symbol, law and line.

    Attributes:
        kind: "laplace", "exponential", "discrete laplace" or "geometric", which may be shifted; "normal", which may be
            under zCDP; "gumbel", which an index drawn by weights stands for; else "shared": the second run takes the
            same value.
        rate: what a shift by 1 costs, a polynomial of the parameters; 0 of what is shared.
        chance: of a coin that it falls so; 1 of a number from 0 to 1; None of all else.
        after: how many decisions of its path come before it.
    """

    symbol: Symbol
    kind: str
    rate: Polynomial
    line: int
    chance: Polynomial | None = None
    after: int = 0

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
        size: how many there are; the number of records, or of bins.
        is_shown: whether it is what is computed of the elements, which are the same in both runs.
        kept: whether an element is kept, a truth value about the record; all are where it is None.
    """

    element: Polynomial
    cells: tuple[NoiseDraw, ...] = ()
    is_array: bool = False
    size: Polynomial = field(default_factory=lambda: Polynomial.name(SIZE))
    is_shown: bool = False
    kept: Polynomial | None = None


DATA = Vector(Polynomial.name(RECORD))


BINS = Vector(Polynomial.name(Symbol("bin")))
"""How many records are each number."""


@dataclass(frozen=True)
class BinCounts:
    """Zeros in which records are counted, or their counts: `size` of them, from 0 on; any where it is None."""

    size: Polynomial | None
    is_full: bool = False


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


def is_condition(name: Symbol) -> bool:
    """Whether it is a truth value about a record."""
    return name.kind == "record" and name.text.startswith("[")


def is_fixed(value: Polynomial, *known: Symbol) -> bool:
    """Whether it is a number of the parameters, the number of records and what else is known."""
    return all(name.kind in _FIXED or name in known for name in value.names)


def _unread(value: Polynomial) -> set[Symbol]:
    """The names in a number but for what is read of the data."""
    return {name for name in value.names if name.kind not in READ}


def is_own(value: Any) -> bool:
    """Whether a number is computed from one record and the parameters alone, and not from these alone."""
    is_read = isinstance(value, Polynomial) and any(name.kind == "record" for name in value.names)
    return is_read and all(name.kind in ("record", *_FIXED) for name in value.names)


def may_cross(value: Any) -> bool:
    """Whether a value means the same on every path, so that it may be kept where a loop begins.

    All others, tuples and infinities among them, are forgotten there, but for numbers, which become symbols of the
    loop's own.
    """
    if isinstance(value, Polynomial):
        return is_fixed(value)
    if isinstance(value, Vector):
        return is_fixed(value.element, *value.element.names - _unread(value.element), *(c.symbol for c in value.cells))
    if isinstance(value, CountedRange):
        return is_fixed(value.first) and is_fixed(value.size)
    if isinstance(value, Together):
        return all(map(may_cross, value.parts))
    return value is None or isinstance(value, (bool, str, Shown, GeneratorToken, BinCounts))


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
        shown: what is released, in order.
        env: the variables at the end.
        cells: the draws for each record that it reads, by their cells.
        truths, noisy, infinite: the variables that may hold a truth value, or depend on a draw, or be infinite or None,
            where it begins.
        between: numbers that are between two others, or equal to one, and change by at most what one of these changes:
            max(total, 0) by what the total does, or by nothing.
    """

    script: tuple[bool, ...] = ()
    decisions: list[PathDecision] = field(default_factory=list)
    draws: list[NoiseDraw] = field(default_factory=list)
    same: list[tuple[Polynomial, int]] = field(default_factory=list)
    index: Polynomial | None = None
    end: Head | str = "return"
    value: Any = None
    shown: list[Any] = field(default_factory=list)
    env: Mapping[Symbol, Any] = field(default_factory=dict)
    cells: dict[Symbol, Symbol] = field(default_factory=dict)
    truths: frozenset[Symbol] = frozenset()
    noisy: frozenset[Symbol] = frozenset()
    infinite: frozenset[Symbol] = frozenset()
    between: dict[Symbol, Polynomial] = field(default_factory=dict)

    def at(self, values: Mapping[Symbol, Polynomial]) -> Path:
        """The path with polynomials in the place of symbols."""

        def put(value: Any) -> Any:
            return value.at(values) if isinstance(value, Polynomial) else value

        return replace(
            self,
            decisions=[replace(one, value=put(one.value)) for one in self.decisions],
            same=[(put(value), line) for value, line in self.same],
            index=put(self.index),
            value=put(self.value),
            env={name: put(value) for name, value in self.env.items()},
        )

    def is_truth(self, value: Any) -> bool:
        """Whether it may be a truth value, or a product of some: of NumPy's, True + True is True."""
        if not isinstance(value, Polynomial):
            return isinstance(value, bool)
        are_truths = all(name in self.truths or is_condition(name) for name in value.names)
        return bool(value.names) and list(value.terms.values()) == [1] and are_truths

    def is_noisy(self, value: Any) -> bool:
        """Whether a number may depend on a draw."""
        names: frozenset[Symbol] = value.names if isinstance(value, Polynomial) else frozenset()
        return any(name.kind in ("draw", "cell", "opaque") or name in self.noisy for name in names)
