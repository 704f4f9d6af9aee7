"""One path of a function whose data are unknown: its variables, decisions and draws; the standard library alone."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from stirred.verify.evidence.certificates.closed_grammar import ReadProgram, refuse
from stirred.verify.evidence.certificates.counts import is_small
from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol
from stirred.verify.evidence.certificates.read_values import (
    SIZE,
    Chosen,
    Head,
    NoiseDraw,
    Path,
    PathDecision,
    Shown,
    is_fixed,
)


class PathState:
    """What is known on one path: `script` says how each decision goes; those beyond it hold."""

    def __init__(
        self,
        program: ReadProgram,
        env: Mapping[Symbol, Any],
        script: Sequence[bool],
        where: Head | None,
        marks: Sequence[frozenset[Symbol]] = (frozenset(),) * 3,
    ) -> None:
        self.program, self.env, self.where = program, dict(env), where
        self.function = program.name
        self.script = list(script)
        self._opaque, self._depth = 0, 0
        self.taken: list[bool] = []
        self.node: ast.AST = program.functions[program.name]
        self.path = Path(truths=marks[0], noisy=marks[1], infinite=marks[2])
        self.cells: dict[Symbol, NoiseDraw] | None = None
        """The draws of the element of a vector while it is computed."""
        self._counted = {name for name, text in program.ranges.items() if text.startswith("= ") and is_small(text[2:])}
        """Variables that hold sums of small integers."""
        self._is_returned_counted = False
        self._counted_calls: set[int] = set()
        """Calls of the program's own functions that have returned one."""

    def refuse(self, what: str) -> NoReturn:
        """Refuse, by line."""
        refuse(self.node, what)

    @property
    def line(self) -> int:
        """The line that is read."""
        return getattr(self.node, "lineno", 1)

    def opaque(self) -> Polynomial:
        """A number that is equal in both runs, of which nothing else is known."""
        self._opaque += 1
        return Polynomial.name(Symbol("opaque", str(self._opaque)))

    def require_same(self, value: Polynomial) -> None:
        """Note that it has to be equal in both runs."""
        if is_fixed(value):
            return
        if self.cells is not None:
            self.refuse("what is computed for each record must not be released, rounded or an index: write a loop")
        self.path.same.append((value, self.line))

    def decide(self, value: Polynomial, relation: str) -> bool:
        """A decision: of a number at once, else by the script."""
        number = value.number
        if number is not None:
            return {">": number > 0, ">=": number >= 0, "==": number == 0}[relation]
        if self.cells is not None:
            self.refuse("a decision for each record at once: write a loop")
        for one in self.path.decisions:
            if one.value == value and one.relation == relation:
                return one.outcome
        outcome = self.script.pop(0) if self.script else True
        self.taken.append(outcome)
        self.path.decisions.append(PathDecision(value, relation, outcome, self.line))
        return outcome

    def show(self, value: Any, *, may_be_chosen: bool = False) -> None:
        """Put into what is the same in both runs."""
        self.path.shown.append(len(value) if isinstance(value, tuple) else value)
        if isinstance(value, Polynomial):
            self.require_same(value)
        elif isinstance(value, tuple):
            for one in value:
                self.show(one)
        elif not (
            value is None or isinstance(value, (bool, str, Shown)) or (may_be_chosen and isinstance(value, Chosen))
        ):
            self.refuse("this is released, and not read")

    def add_draw(self, kind: str, rate: Polynomial, chance: Polynomial | None = None) -> Polynomial:
        """A new draw: of this path, or of each element of the vector that is computed."""
        if self.cells is None:
            symbol = Symbol("draw", str(len(self.path.draws)))
            self.path.draws.append(NoiseDraw(symbol, kind, rate, self.line, chance, len(self.taken)))
        else:
            if id(self.node) in self.program.repeated:
                self.refuse("noise for all records at once is drawn in the function itself, outside of loops")
            ends = (getattr(self.node, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"))
            symbol = Symbol("cell", ".".join(map(str, ends)))
            if symbol in self.cells:
                self.refuse("one draw stands here twice")
            self.cells[symbol] = NoiseDraw(symbol, kind, rate, self.line, chance)
        return Polynomial.name(symbol)

    def outer_name(self, node: ast.expr) -> str:
        """The full name of what is called, unless it is a variable here."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        is_held = isinstance(root, ast.Name) and Symbol("held", root.id) in self.env
        return "" if is_held else self.program.outer_name(node)

    def bind(self, target: ast.expr, value: Any) -> None:
        """Assign."""
        if isinstance(target, ast.Name):
            if target.id in self.program.names or target.id in self.program.functions:
                self.refuse(f"{target.id} is assigned, which has a meaning of its own")
            self.env[Symbol("held", target.id)] = value
        elif isinstance(target, ast.Tuple) and isinstance(value, tuple) and len(target.elts) == len(value):
            for one, part in zip(target.elts, value, strict=True):
                self.bind(one, part)
        else:
            self.refuse(f"an assignment to {ast.unparse(target)} is not read")

    # what expressions are, which `PathEvaluation` says

    def value(self, node: ast.expr) -> Any:
        """What an expression is."""
        raise NotImplementedError

    def number(self, node: ast.expr) -> Polynomial:
        """A number."""
        return self.as_number(self.value(node), node)

    def as_number(self, value: Any, node: ast.AST) -> Polynomial:
        """A number, or a truth value as one."""
        if isinstance(value, bool):
            return Polynomial.of(int(value))
        return value if isinstance(value, Polynomial) else self.refuse(f"{ast.unparse(node)} is not a number")

    def parameter(self, value: Any, what: str) -> Polynomial:
        """A number of the parameters alone."""
        if not isinstance(value, Polynomial) or not is_fixed(value) or SIZE in value.names:
            self.refuse(f"{what} must be computed from the parameters alone")
        return value
