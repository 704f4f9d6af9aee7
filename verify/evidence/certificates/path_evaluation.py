"""What expressions mean on one path of a function whose data are unknown; the standard library alone.

Numbers are polynomials in the parameters, the record that is read, draws, and what variables hold at the head of the
loop. Decisions follow a script. Numbers are real numbers, as a source writes them: 0.1 is one tenth.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NoReturn

from stirred.verify.evidence.certificates.closed_grammar import ReadProgram, refuse
from stirred.verify.evidence.certificates.counts import is_counted, is_small
from stirred.verify.evidence.certificates.known_calls import CALLS
from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol
from stirred.verify.evidence.certificates.read_draws import drawn
from stirred.verify.evidence.certificates.read_values import (
    SIZE,
    Chosen,
    CountedRange,
    ExpWeights,
    GeneratorToken,
    Head,
    Infinite,
    NoiseDraw,
    Path,
    PathDecision,
    Shown,
    Together,
    Vector,
    is_fixed,
    may_cross,
)

_MOST_CALLS = 20
_INDEX = Symbol("opaque", "index")
_INFINITE = "numpy.inf", "math.inf"
Iterable = Vector | CountedRange | Together


class PathEvaluation:
    """What expressions mean on one path: `script` says how each decision goes; those beyond it hold."""

    def __init__(
        self,
        program: ReadProgram,
        env: Mapping[Symbol, Any],
        script: Sequence[bool],
        where: Head | None,
        truths: frozenset[Symbol] = frozenset(),
    ) -> None:
        self.program, self.env, self.where = program, dict(env), where
        self.function = program.name
        self.script = list(script)
        self._opaque, self._depth = 0, 0
        self.taken: list[bool] = []
        self.node: ast.AST = program.functions[program.name]
        self.path = Path(truths=truths)
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

    # what is asked of both runs

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
        if isinstance(value, Polynomial):
            self.require_same(value)
        elif isinstance(value, tuple):
            for one in value:
                self.show(one)
        elif not (
            value is None or isinstance(value, (bool, str, Shown)) or (may_be_chosen and isinstance(value, Chosen))
        ):
            self.refuse("this is released, and not read")

    def add_draw(self, kind: str, rate: Polynomial) -> Polynomial:
        """A new draw: of this path, or of each element of the vector that is computed."""
        if self.cells is None:
            symbol = Symbol("draw", str(len(self.path.draws)))
            self.path.draws.append(NoiseDraw(symbol, kind, rate, self.line))
        else:
            if id(self.node) in self.program.repeated:
                self.refuse("noise for all records at once is drawn in the function itself, outside of loops")
            ends = (getattr(self.node, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"))
            symbol = Symbol("cell", ".".join(map(str, ends)))
            if symbol in self.cells:
                self.refuse("one draw stands here twice")
            self.cells[symbol] = NoiseDraw(symbol, kind, rate, self.line)
        return Polynomial.name(symbol)

    # what loops go over

    def iterable(self, node: ast.expr) -> Iterable:
        """What a loop goes over."""
        if isinstance(node, ast.Call):
            name = self.outer_name(node.func)
            if name in ("builtins.range", "builtins.enumerate", "builtins.zip") and node.keywords:
                self.refuse(f"{ast.unparse(node.func)} without keywords is read")
            if name == "builtins.range" and len(node.args) in (1, 2):
                first, last = ([Polynomial.of(0)] * 2 + [self.number(one) for one in node.args])[-2:]
                if len(node.args) == 1:
                    first = Polynomial.of(0)
                if not is_fixed(last) or first.number is None or first.number.denominator != 1:
                    self.refuse("a range goes from an integer to what is computed from the parameters and len")
                return CountedRange(first, last - first)
            if name == "builtins.enumerate" and len(node.args) == 1:
                inner = self.iterable(node.args[0])
                return Together((CountedRange(Polynomial.of(0), self.size(inner)), inner))
            if name == "builtins.zip" and node.args:
                parts = tuple(map(self.iterable, node.args))
                if any(self.size(one) != self.size(parts[0]) for one in parts):
                    self.refuse("zip of what has different lengths")
                return Together(parts)
        value = self.value(node)
        if not isinstance(value, Vector):
            self.refuse(f"a loop over {ast.unparse(node)} is not read")
        return value

    def size(self, over: Iterable) -> Polynomial:
        """How many there are; a range that goes down is empty, as a loop's `>` has it."""
        if isinstance(over, CountedRange):
            return over.size
        return self.size(over.parts[0]) if isinstance(over, Together) else Polynomial.name(SIZE)

    def at(self, over: Iterable, counter: Polynomial) -> Any:
        """What a loop has at a counter."""
        if isinstance(over, CountedRange):
            return counter + over.first
        if isinstance(over, Together):
            return tuple(self.at(one, counter) for one in over.parts)
        return self.element(over, counter)

    def element(self, vector: Vector, index: Polynomial) -> Polynomial:
        """An element; all that one path reads have one index, and noise for all records is read once, in order."""
        if self.cells is not None:
            if index != Polynomial.name(_INDEX):
                self.refuse("an element of another record")
            self.cells.update({cell.symbol: cell for cell in vector.cells})
            return vector.element
        self.require_same(index)
        if self.path.index is None:
            self.path.index = index
        if self.path.index != index:
            self.refuse("two records in one pass are not read")
        if vector.cells:
            counter = None if self.where is None else self.where.hidden("counter")
            if counter is None or counter not in self.env or index != Polynomial.name(counter):
                self.refuse("noise for all records at once is read by `for` over the records, in order")
        drawn = {}
        for cell in vector.cells:
            if cell.symbol not in self.path.cells:
                symbol = Symbol("draw", str(len(self.path.draws)))
                self.path.draws.append(replace(cell, symbol=symbol))
                self.path.cells[cell.symbol] = symbol
            drawn[cell.symbol] = Polynomial.name(self.path.cells[cell.symbol])
        return vector.element.at(drawn)

    # names

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

    # expressions

    def truth(self, test: ast.expr) -> bool:
        """The truth of a condition."""
        value = self.value(test)
        if isinstance(value, bool):
            return value
        if isinstance(value, Polynomial):
            self._check_unrounded(value, test)
            return not self.decide(value, "==")
        return self.refuse(f"the truth of {ast.unparse(test)} is not read")

    def _check_unrounded(self, value: Polynomial, node: ast.AST) -> None:
        """Refuse to decide about a constant that Python's doubles round, where one path alone would be read."""
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node]
        if value.number is not None and not all(map(self._is_counted, sides)):
            self.refuse(f"{ast.unparse(node)} is decided by how doubles round: compare small integers")

    def _is_counted(self, node: ast.AST) -> bool:
        return is_counted(node, self._holds_count, self._returns_count)

    def _holds_count(self, node: ast.Name) -> bool:
        said = "" if Symbol("held", node.id) in self.env else self.program.outer_name(node)
        return node.id in self._counted or (said.startswith("= ") and is_small(said[2:]))

    def _returns_count(self, node: ast.Call) -> bool:
        is_int = self.outer_name(node.func) == "builtins.int" and len(node.args) == 1
        return id(node) in self._counted_calls or (is_int and self._is_counted(node.args[0]))

    def _note(self, target: ast.expr, *, is_counted: bool) -> None:
        """Note of a variable that is assigned whether it holds a sum of small integers."""
        for one in ast.walk(target):
            if isinstance(one, ast.Name):
                self._counted.discard(one.id)
        if is_counted and isinstance(target, ast.Name):
            self._counted.add(target.id)

    def number(self, node: ast.expr) -> Polynomial:
        """A number."""
        return self.as_number(self.value(node), node)

    def as_number(self, value: Any, node: ast.AST) -> Polynomial:
        """A number, or a truth value as one."""
        if isinstance(value, bool):
            return Polynomial.of(int(value))
        return value if isinstance(value, Polynomial) else self.refuse(f"{ast.unparse(node)} is not a number")

    def no_truth(self, value: Any, other: Any = True) -> None:
        """Refuse what means another thing of NumPy's truth values than of Python's: arithmetic of nothing else."""
        if self.path.is_truth(value) and self.path.is_truth(other):
            self.refuse("arithmetic of truth values: write int(...) of them")

    def parameter(self, value: Any, what: str) -> Polynomial:
        """A number of the parameters alone."""
        if not isinstance(value, Polynomial) or not is_fixed(value) or SIZE in value.names:
            self.refuse(f"{what} must be computed from the parameters alone")
        return value

    def value(self, node: ast.expr) -> Any:
        """What an expression is."""
        self.node = node
        meaning = _EXPRESSIONS.get(type(node))
        if meaning is None:
            self.refuse(f"{type(node).__name__} is not read here: {ast.unparse(node)}")
        found = meaning(self, node)
        self.node = node
        return found

    def _constant(self, node: ast.Constant) -> Any:
        if node.value is None or isinstance(node.value, (bool, str)):
            return node.value
        if isinstance(node.value, (int, float)) and abs(node.value) != math.inf:
            return Polynomial.of(Fraction(str(node.value)))
        return self.refuse(f"{node.value!r} is not read")

    def _name(self, node: ast.Name) -> Any:
        key = Symbol("held", node.id)
        if key in self.env:
            return self.env[key]
        said = self.program.outer_name(node)
        if said.startswith("= "):
            return Polynomial.of(Fraction(said[2:]))
        return Infinite(1) if said in _INFINITE else self.refuse(f"{node.id} has no known value here")

    def _unary(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            return not self.truth(node.operand)
        value = self.value(node.operand)
        if isinstance(value, Infinite):
            return Infinite(-value.sign) if isinstance(node.op, ast.USub) else value
        return self.arithmetic(ast.Mult(), Polynomial.of(-1 if isinstance(node.op, ast.USub) else 1), value)

    def _binary(self, node: ast.BinOp) -> Any:
        left, right = self.value(node.left), self.value(node.right)
        self.node = node
        return self.arithmetic(node.op, left, right)

    def arithmetic(self, op: ast.operator, left: Any, right: Any) -> Any:
        """+ - * / of numbers, and of arrays record by record; // and % of what is the same in both runs."""
        if isinstance(left, ExpWeights):
            if not isinstance(op, ast.Div) or left.stage != "weights" or right != replace(left, stage="sum"):
                self.refuse("weights are divided by their own sum")
            return replace(left, stage="shares")
        vectors = [one for one in (left, right) if isinstance(one, Vector)]
        if vectors:
            if self.cells is not None or not any(one.is_array for one in vectors):
                self.refuse("arithmetic on lists: make an array of them first")
            cells = {cell.symbol: cell for one in vectors for cell in one.cells}
            sides = (one.element if isinstance(one, Vector) else one for one in (left, right))
            return self.vector(lambda: self.arithmetic(op, *sides), cells, is_array=True)
        self.no_truth(left, right)
        one, other = self.as_number(left, self.node), self.as_number(right, self.node)
        if isinstance(op, ast.Add):
            return one + other
        if isinstance(op, ast.Sub):
            return one - other
        if isinstance(op, ast.Mult):
            return one * other
        if isinstance(op, ast.Div):
            if not is_fixed(other) or len(other.terms) != 1:
                self.refuse("division by what is not one product of parameters")
            return one / other
        if isinstance(op, (ast.FloorDiv, ast.Mod)):
            self.require_same(one)
            self.require_same(other)
            return self.opaque()
        if isinstance(op, ast.Pow) and other.number == 2:
            return one * one
        return self.refuse(f"the operator {type(op).__name__} is not read here")

    def vector(self, make: Callable[[], Any], cells: Mapping[Symbol, NoiseDraw], *, is_array: bool) -> Vector:
        """A vector by its element, in which nothing is decided or released, and which nothing of this path is in."""
        self.cells, node = dict(cells), self.node
        element = make()
        self.node = node
        found = Vector(self.as_number(element, node), tuple(self.cells.values()), is_array)
        self.cells = None
        if isinstance(element, bool) or not may_cross(found):
            self.refuse("a value for each record is computed from it, the parameters and its own noise alone")
        return found

    def _both(self, node: ast.BoolOp) -> Any:
        stop = isinstance(node.op, ast.Or)
        for one in node.values:
            value = self.value(one)
            if not isinstance(value, bool):
                self.refuse(f"{ast.unparse(one)} in `and` or `or` is no truth value")
            if value == stop:
                return stop
        return not stop

    def _compared(self, node: ast.Compare) -> Any:
        left = self.value(node.left)
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.value(right_node)
            self.node = node
            if not self._relation(op, left, right):
                return False
            left = right
        return True

    def _relation(self, op: ast.cmpop, left: Any, right: Any) -> bool:
        if isinstance(op, (ast.Is, ast.IsNot)):
            if right is not None or not (left is None or isinstance(left, (bool, Polynomial, Shown))):
                self.refuse("`is` compares with None alone")
            return (left is None) == isinstance(op, ast.Is)
        up = self.as_number(left, self.node) - self.as_number(right, self.node)
        self._check_unrounded(up, self.node)
        if isinstance(op, (ast.Eq, ast.NotEq)):
            return self.decide(up, "==") == isinstance(op, ast.Eq)
        relation, outcome = {
            ast.GtE: (">=", True),
            ast.Gt: (">", True),
            ast.LtE: (">", False),
            ast.Lt: (">=", False),
        }[type(op)]
        return self.decide(up, relation) == outcome

    def _conditional(self, node: ast.IfExp) -> Any:
        return self.value(node.body if self.truth(node.test) else node.orelse)

    def _tuple(self, node: ast.Tuple) -> Any:
        return tuple(map(self.value, node.elts))

    def _list(self, node: ast.List) -> Any:
        for one in node.elts:
            self.show(self.value(one))
        return Shown()

    def _item(self, node: ast.Subscript) -> Any:
        holder = self.value(node.value)
        index = self.number(node.slice)
        self.node = node
        if isinstance(holder, Vector):
            return self.element(holder, index)
        return self.refuse(f"an element of {ast.unparse(node.value)} is not read")

    def _comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> Vector:
        if self.cells is not None:
            self.refuse("a comprehension in another one")
        loop = node.generators[0]
        over = self.iterable(loop.iter)
        self.node = node
        if self.size(over) != Polynomial.name(SIZE):
            self.refuse("a comprehension goes over the records")
        before = dict(self.env)

        def make() -> Any:
            self.bind(loop.target, self.at(over, Polynomial.name(_INDEX)))
            return self.value(node.elt)

        found = self.vector(make, {}, is_array=False)
        self.env = before
        return found

    def summed(self, node: ast.expr) -> Iterable | ExpWeights:
        """What a sum goes over."""
        held = self.env.get(Symbol("held", node.id)) if isinstance(node, ast.Name) else None
        if isinstance(held, ExpWeights) and held.stage == "weights":
            return held
        return self._comprehension(node) if isinstance(node, ast.GeneratorExp) else self.iterable(node)

    # calls

    def _call(self, node: ast.Call) -> Any:
        total = Symbol("hidden", f"total {node.lineno}.{node.col_offset}")
        if total in self.env and self.program.summed(node) is not None:
            return self.env[total]
        if any(one.arg is None for one in node.keywords):
            self.refuse("** in a call is not read")
        if (name := self.outer_name(node.func)) in CALLS:
            return CALLS[name](self, node)
        if isinstance(node.func, ast.Name):
            if (function := self.program.helper(node.func.id)) is not None:
                return self._helper(function, node)
        elif isinstance(node.func, ast.Attribute):
            holder = self.value(node.func.value)
            self.node = node
            if isinstance(holder, GeneratorToken):
                return drawn(self, node, holder.kind, node.func.attr)
            if isinstance(holder, Vector):
                return self._method(holder, node, node.func.attr)
        return self.refuse(f"a call of {ast.unparse(node.func)} is not read")

    def _attribute(self, node: ast.Attribute) -> Any:
        if self.outer_name(node) in _INFINITE:
            return Infinite(1)
        return self.refuse(f"{ast.unparse(node)} is not read")

    def _method(self, holder: Vector, node: ast.Call, name: str) -> Any:
        if name in ("argmax", "argmin") and holder.is_array and not node.args and not node.keywords:
            return Chosen(holder, 1 if name == "argmax" else -1, self.line)
        if name == "index" and not holder.is_array and len(node.args) == 1 and isinstance(node.args[0], ast.Call):
            inner = node.args[0]
            which = self.outer_name(inner.func)
            is_alone = len(inner.args) == 1 and not inner.keywords and not node.keywords
            own = node.func.value if isinstance(node.func, ast.Attribute) else None
            is_same = isinstance(own, ast.Name) and is_alone and ast.dump(inner.args[0]) == ast.dump(own)
            if which in ("builtins.max", "builtins.min") and is_same:
                return Chosen(holder, 1 if which == "builtins.max" else -1, self.line)
        return self.refuse(f".{name} of one value for each record is not read")

    def _helper(self, function: ast.FunctionDef, node: ast.Call) -> Any:
        names = self.program.parameters(function)
        places = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        given = dict(zip(places, map(self.value, node.args), strict=False))
        named = {str(one.arg): self.value(one.value) for one in node.keywords}
        self.node = node
        only_places = {one.arg for one in function.args.posonlyargs}
        if len(node.args) > len(places) or {*given, *only_places} & named.keys() or {*given, *named} != {*names}:
            self.refuse(f"{function.name} is called with all of its arguments, or is not read")
        if self._depth >= _MOST_CALLS:
            self.refuse(f"{function.name} calls itself more than {_MOST_CALLS} times")
        nodes = {**dict(zip(places, node.args, strict=False)), **{str(one.arg): one.value for one in node.keywords}}
        counted = {key for key, one in nodes.items() if self._is_counted(one)}
        before = self.env, self._counted
        self.env, self._counted = {Symbol("held", key): one for key, one in {**given, **named}.items()}, counted
        self._is_returned_counted = False
        self._depth += 1
        value = self._straight(list(function.body))
        self._depth -= 1
        (self.env, self._counted), self.node = before, node
        self._counted_calls.discard(id(node))
        if self._is_returned_counted:
            self._counted_calls.add(id(node))
        return value

    def _straight(self, work: list[ast.stmt]) -> Any:
        """The value of a function without loops."""
        while work:
            item = work.pop(0)
            self.node = item
            if isinstance(item, ast.Return):
                value = None if item.value is None else self.value(item.value)
                self._is_returned_counted = item.value is not None and self._is_counted(item.value)
                return value
            if isinstance(item, ast.If):
                work = [*(item.body if self.truth(item.test) else item.orelse), *work]
            else:
                self.statement(item)
        return None

    def statement(self, item: ast.stmt) -> None:
        """Carry out a statement that has no other inside it."""
        if isinstance(item, ast.Pass) or (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)):
            return
        if self.cells is not None and not isinstance(item, (ast.Assign, ast.AnnAssign)):
            self.refuse(f"{type(item).__name__} for each record at once: write a loop")
        if isinstance(item, ast.Assign) and len(item.targets) == 1:
            self.bind(item.targets[0], self.value(item.value))
            self._note(item.targets[0], is_counted=self._is_counted(item.value))
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and item.value is not None:
            self.bind(item.target, self.value(item.value))
            self._note(item.target, is_counted=self._is_counted(item.value))
        elif isinstance(item, ast.AugAssign) and isinstance(item.target, ast.Name):
            key = Symbol("held", item.target.id)
            old, value = self.env.get(key), self.value(item.value)
            self.node = item
            if not isinstance(old, (bool, Polynomial)) or isinstance(value, Vector):
                self.refuse(f"{item.target.id} is no number here: it is not changed in place")
            is_sum = isinstance(item.op, (ast.Add, ast.Sub)) and item.target.id in self._counted
            self.bind(item.target, self.arithmetic(item.op, old, value))
            self._note(item.target, is_counted=is_sum and self._is_counted(item.value))
        elif isinstance(item, ast.Expr) and isinstance(item.value, ast.Call):
            self._appended(item.value)
        else:
            self.refuse(f"{type(item).__name__} is not read here")

    def _appended(self, call: ast.Call) -> None:
        """A call for its effect: a list that is built."""
        function = call.func
        if not isinstance(function, ast.Attribute) or function.attr != "append" or len(call.args) != 1 or call.keywords:
            self.refuse(f"a call of {ast.unparse(function)} for its effect is not read")
        if not isinstance(self.value(function.value), Shown):
            self.refuse(f"append to {ast.unparse(function.value)} is not read")
        self.show(self.value(call.args[0]))


_EXPRESSIONS: Mapping[type, Callable[[PathEvaluation, Any], Any]] = {
    ast.Constant: PathEvaluation._constant,
    ast.Name: PathEvaluation._name,
    ast.UnaryOp: PathEvaluation._unary,
    ast.BinOp: PathEvaluation._binary,
    ast.BoolOp: PathEvaluation._both,
    ast.Compare: PathEvaluation._compared,
    ast.IfExp: PathEvaluation._conditional,
    ast.List: PathEvaluation._list,
    ast.Tuple: PathEvaluation._tuple,
    ast.Subscript: PathEvaluation._item,
    ast.ListComp: PathEvaluation._comprehension,
    ast.Call: PathEvaluation._call,
    ast.Attribute: PathEvaluation._attribute,
}
"""What each kind of expression means."""
