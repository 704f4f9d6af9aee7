"""What a function with unknown data is read as: values, draws, decisions, paths; the standard library alone."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.certificates.polynomial import Polynomial

SIZE = "#n"
"""The name of the number of records."""
RECORD = "q"


class RefusedError(Exception):
    """What is read is not in the table of meanings; the message has the line."""


@dataclass(frozen=True)
class NoiseDraw:
    """A draw: value, law and the line.

    Attributes:
        symbol: its name as a number.
        kind: "laplace", "exponential", "discrete laplace" or "geometric", which may be shifted; else "shared": the
            second run takes the same value.
        rate: what a shift by 1 costs, a polynomial of the parameters; 0 of what is shared.
    """

    symbol: str
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
    """A container or a text that is the same in both runs, whatever it holds."""


@dataclass(frozen=True)
class Infinite:
    """Plus or minus infinity."""

    sign: int


@dataclass(frozen=True)
class Vector:
    """One value for each record, computed where it is read; equal if it is written at the same place.

    Attributes:
        place: where it is written.
        make: its element, of an execution.
        kept: the names under which an execution keeps what it needs.
        is_drawn: whether its elements are drawn: then it is read once.
        is_array: whether it is an array, not a list.
    """

    place: tuple[Any, ...]
    make: Callable[[Any], Any] = field(compare=False)
    kept: frozenset[str] = frozenset()
    is_drawn: bool = False
    is_array: bool = False


DATA = Vector(("data",), lambda run: run.record())


@dataclass(frozen=True)
class Chosen:
    """The index of the largest (sign 1) or smallest (-1) element of a vector."""

    vector: Vector
    sign: int
    line: int


@dataclass(frozen=True)
class Token:
    """A generator, or a module by its full name."""

    what: str


@dataclass(frozen=True)
class Head:
    """A loop with the code that follows it.

    Attributes:
        loop: the statement.
        rest: what is to be done after it.
    """

    loop: ast.For | ast.While
    rest: tuple[Any, ...]

    @property
    def place(self) -> tuple[int, int]:
        """Where the loop stands."""
        return self.loop.lineno, self.loop.col_offset

    @property
    def counter(self) -> str:
        """The hidden variable that counts the passes of a `for`."""
        return f"#{self.loop.lineno}.{self.loop.col_offset}"


@dataclass(frozen=True)
class Back:
    """Go back to the head of a loop."""

    head: Head


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
        read: the vectors of draws that it reads.
    """

    script: tuple[bool, ...] = ()
    decisions: list[PathDecision] = field(default_factory=list)
    draws: list[NoiseDraw] = field(default_factory=list)
    same: list[tuple[Polynomial, int]] = field(default_factory=list)
    index: Polynomial | None = None
    end: Head | str = "return"
    value: Any = None
    env: dict[str, Any] = field(default_factory=dict)
    read: set[tuple[Any, ...]] = field(default_factory=set)


@dataclass(frozen=True)
class ReadProgram:
    """A function as text, with what its names mean.

    Attributes:
        source: of the function and of those that it calls.
        name: of the function; its first parameter takes the data.
        generator: the parameter that takes the generator, and its kind, "numpy" or "source"; ("", "") if there is none.
        modules: the full name of each module by the name that the source has for it.
        constants: the exact value of each number that is named outside.
        ranges: of each parameter: "real", "positive", "whole >= 0", "whole >= 1" and so on, or "= 3/2".
    """

    source: str
    name: str
    generator: tuple[str, str]
    modules: Mapping[str, str]
    constants: Mapping[str, Fraction]
    ranges: Mapping[str, str]

    def functions(self) -> dict[str, ast.FunctionDef]:
        """The functions of the source by name.

        Raises:
            RefusedError: it holds anything else, or decorators.
        """
        tree = ast.parse(self.source)
        found: dict[str, ast.FunctionDef] = {}
        for node in tree.body:
            if not isinstance(node, ast.FunctionDef):
                raise RefusedError(f"line {node.lineno}: only functions are read; got {ast.unparse(node)!r}")
            if node.decorator_list:
                raise RefusedError(f"line {node.lineno}: {node.name} has a decorator")
            found[node.name] = node
        return found

    @property
    def whole(self) -> dict[str, int]:
        """The integers among the parameters, and the number of records, with their least values."""
        found = {name: int(text.split(">=")[1]) for name, text in self.ranges.items() if text.startswith("whole")}
        return {**found, SIZE: 0}
