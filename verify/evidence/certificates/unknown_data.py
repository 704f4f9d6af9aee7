"""A Python function read with data that are unknown: what its expressions mean; the standard library alone.

Numbers are polynomials in the parameters, the record that is read (`q`), the draws (`z0`, `z1`, ...), and what each
variable holds at the head of the loop (`count@`). A path is straight code between two heads, with its decisions,
draws and outputs; code is run again with another script of decisions until no path is left. What is not in the table
of meanings is refused by line. Numbers are real numbers, as a source writes them: 0.1 is one tenth.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NoReturn

from stirred.verify.evidence.certificates.known_calls import CALLS, NAMES, drawn, may_draw
from stirred.verify.evidence.certificates.polynomial import Polynomial
from stirred.verify.evidence.certificates.read_values import (
    DATA,
    RECORD,
    SIZE,
    Chosen,
    Head,
    Infinite,
    NoiseDraw,
    Path,
    PathDecision,
    ReadProgram,
    RefusedError,
    Shown,
    Token,
    Vector,
)


class PathEvaluation:
    """What expressions mean on one path: `script` says how each decision goes; those beyond it hold."""

    def __init__(
        self, program: ReadProgram, env: Mapping[str, Any], script: Sequence[bool], where: Head | None
    ) -> None:
        self.program, self.env, self.where = program, dict(env), where
        self.functions = program.functions()
        self.script = list(script)
        self._fresh, self._depth = 0, 0
        self._elements: dict[tuple[Any, ...], Any] = {}
        self.taken: list[bool] = []
        self.node: ast.AST | None = None
        self.path = Path()

    # what is common

    @property
    def line(self) -> int:
        """The line that is read."""
        return getattr(self.node, "lineno", 0)

    def refuse(self, what: str) -> NoReturn:
        """Refuse, by line.

        Raises:
            RefusedError: always.
        """
        raise RefusedError(f"line {self.line}: {what}")

    def fresh(self) -> Polynomial:
        """A number that nothing is known of."""
        self._fresh += 1
        return Polynomial.name(f"o{self._fresh}")

    def is_public(self, value: Polynomial) -> bool:
        """Whether it is a number of the parameters alone."""
        return all(name in self.program.ranges or name == SIZE or name.startswith("exp(") for name in value.names)

    def require_same(self, value: Polynomial) -> None:
        """Note that it has to be equal in both runs."""
        if not self.is_public(value):
            self.path.same.append((value, self.line))

    def decide(self, value: Polynomial, relation: str) -> bool:
        """A decision: of a number at once, else by the script."""
        number = value.number
        if number is not None:
            return {">": number > 0, ">=": number >= 0, "==": number == 0}[relation]
        for one in self.path.decisions:
            if one.value == value and one.relation == relation:
                return one.outcome
        outcome = self.script.pop(0) if self.script else True
        self.taken.append(outcome)
        self.path.decisions.append(PathDecision(value, relation, outcome, self.line))
        return outcome

    # statements

    def iterated(self, source: ast.expr, counter: Polynomial) -> tuple[Polynomial, Callable[[], Any]]:
        """The number of elements of what a loop goes over, and the element at a counter."""
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and not source.keywords:
            name, given = source.func.id, source.args
            if name == "range" and len(given) in (1, 2):
                first = self.number(given[0]) if len(given) == 2 else Polynomial.of(0)
                last = self.number(given[-1])
                self.require_same(first)
                self.require_same(last)
                if first.number is None or first.number.denominator != 1:
                    self.refuse("a range starts at an integer")
                return last - first, lambda: counter + first
            if name == "enumerate" and len(given) == 1:
                size, element = self.iterated(given[0], counter)
                return size, lambda: (counter, element())
            if name == "zip" and given:
                parts = [self.iterated(one, counter) for one in given]
                if any(size != parts[0][0] for size, _ in parts):
                    self.refuse("zip of what has different lengths")
                return parts[0][0], lambda: tuple(element() for _, element in parts)
        value = self.value(source)
        if not isinstance(value, Vector):
            self.refuse(f"a loop over {ast.unparse(source)}")
        return Polynomial.name(SIZE), lambda: self.element(value, counter)

    def statement(self, item: ast.stmt) -> None:
        """Carry out a statement that has no other inside it."""
        if isinstance(item, ast.Pass) or (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)):
            return
        if isinstance(item, ast.Assign) and len(item.targets) == 1:
            self.bind(item.targets[0], self.value(item.value))
        elif isinstance(item, ast.AnnAssign) and item.value is not None:
            self.bind(item.target, self.value(item.value))
        elif isinstance(item, ast.AugAssign) and isinstance(item.target, ast.Name):
            old = self.value(ast.copy_location(ast.Name(item.target.id, ast.Load()), item))
            if isinstance(old, Vector):
                self.refuse("an array is changed in place")
            if isinstance(old, Shown) and isinstance(item.op, ast.Add):
                self.show(self.value(item.value))
            else:
                self.env[item.target.id] = self.arithmetic(item.op, old, self.value(item.value))
        elif isinstance(item, ast.Assert):
            self.refuse("assert: raise an exception under `if`")
        elif isinstance(item, ast.Expr) and isinstance(item.value, ast.Call):
            self.called(item.value)
        else:
            self.refuse(f"{type(item).__name__} is not read")

    def called(self, call: ast.Call) -> None:
        """A call for its effect: a list that is built."""
        function = call.func
        builds = isinstance(function, ast.Attribute) and function.attr in ("append", "extend")
        if isinstance(function, ast.Attribute) and builds and len(call.args) == 1 and not call.keywords:
            if not isinstance(self.value(function.value), Shown):
                self.refuse(f"{function.attr} to {ast.unparse(function.value)}")
            self.show(self.value(call.args[0]))
            return
        if isinstance(function, ast.Name) and function.id == "#show":
            self.show(self.value(call.args[0]))
            return
        self.refuse(f"a call of {ast.unparse(function)} for its effect")

    def bind(self, target: ast.expr, value: Any) -> None:
        """Assign."""
        if isinstance(target, ast.Name):
            if target.id in self.functions or target.id in self.program.modules or target.id in NAMES:
                self.refuse(f"{target.id} is assigned, which has a meaning of its own")
            self.env[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, tuple):
            if len(target.elts) != len(value):
                self.refuse("as many names as values")
            for one, part in zip(target.elts, value, strict=True):
                self.bind(one, part)
        elif isinstance(target, ast.Subscript) and isinstance(self.value(target.value), Shown):
            self.require_same(self.number(target.slice))
            self.show(value)
        else:
            self.refuse(f"an assignment to {ast.unparse(target)}")

    def show(self, value: Any, *, may_be_chosen: bool = False) -> None:
        """Put into what is the same in both runs."""
        if isinstance(value, Polynomial):
            self.require_same(value)
        elif isinstance(value, tuple):
            for one in value:
                self.show(one)
        elif not (
            value is None
            or isinstance(value, (bool, str, Shown, Infinite))
            or (may_be_chosen and isinstance(value, Chosen))
        ):
            self.refuse("this is released, and not read")

    # expressions

    def truth(self, test: ast.expr) -> bool:
        """The truth of a condition."""
        if isinstance(test, ast.BoolOp):
            stop = isinstance(test.op, ast.Or)
            return any(map(self.truth, test.values)) if stop else all(map(self.truth, test.values))
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return not self.truth(test.operand)
        value = self.value(test)
        if isinstance(value, bool):
            return value
        if isinstance(value, Polynomial):
            return not self.decide(value, "==")
        return self.refuse(f"the truth of {ast.unparse(test)}")

    def number(self, node: ast.expr) -> Polynomial:
        """A number."""
        return self.as_number(self.value(node), node)

    def as_number(self, value: Any, node: ast.AST) -> Polynomial:
        """A number, or a truth value as one."""
        if isinstance(value, bool):
            return Polynomial.of(int(value))
        if not isinstance(value, Polynomial):
            self.refuse(f"{ast.unparse(node)} is not a number")
        return value

    def value(self, node: ast.expr) -> Any:
        """What an expression is."""
        if getattr(node, "lineno", None) is not None:
            self.node = node
        meaning = _EXPRESSIONS.get(type(node))
        if meaning is None:
            self.refuse(f"{ast.unparse(node)} is not read")
        return meaning(self, node)

    def constant(self, node: ast.Constant) -> Any:
        """A constant: numbers are exact decimals."""
        if node.value is None or isinstance(node.value, bool):
            return node.value
        if isinstance(node.value, str):
            return Shown() if node.value == "#shown" else node.value
        if isinstance(node.value, (int, float)) and abs(node.value) != math.inf:
            return Polynomial.of(Fraction(str(node.value)))
        return self.refuse(f"{node.value!r} is not read")

    def named(self, node: ast.Name) -> Any:
        """A name."""
        name = node.id
        if name in self.env:
            return self.env[name]
        if name in self.program.constants:
            return Polynomial.of(self.program.constants[name])
        if name in self.program.modules:
            return Token(self.program.modules[name])
        return self.refuse(f"{name} has no known value here")

    def negative(self, node: ast.UnaryOp) -> Any:
        """-x, +x, not x."""
        if isinstance(node.op, ast.Not):
            return not self.truth(node.operand)
        value = self.value(node.operand)
        if isinstance(value, Infinite) and isinstance(node.op, ast.USub):
            return Infinite(-value.sign)
        if isinstance(node.op, ast.Invert):
            self.refuse("~ is not read")
        return self.arithmetic(ast.Mult(), Polynomial.of(-1 if isinstance(node.op, ast.USub) else 1), value)

    def operated(self, node: ast.BinOp) -> Any:
        """Arithmetic."""
        left, right = self.value(node.left), self.value(node.right)
        self.node = node
        return self.arithmetic(node.op, left, right)

    def arithmetic(self, op: ast.operator, left: Any, right: Any) -> Any:
        """+ - * / of numbers, and of arrays record by record; // and % of what is the same in both runs."""
        if isinstance(left, Vector) or isinstance(right, Vector):
            return self._elementwise(op, left, right)
        if isinstance(left, Shown) and isinstance(right, (Shown, tuple)) and isinstance(op, ast.Add):
            self.show(right)
            return left
        one, other = self.as_number(left, self.node or ast.Pass()), self.as_number(right, self.node or ast.Pass())
        if isinstance(op, ast.Add):
            return one + other
        if isinstance(op, ast.Sub):
            return one - other
        if isinstance(op, ast.Mult):
            return one * other
        if isinstance(op, ast.Div):
            if not self.is_public(other) or len(other.terms) != 1:
                self.refuse("division by what is not one product of parameters")
            return one / other
        if isinstance(op, (ast.FloorDiv, ast.Mod)):
            self.require_same(one)
            self.require_same(other)
            return self.fresh()
        if isinstance(op, ast.Pow) and other.number is not None and other.number in (1, 2, 3):
            return one if other.number == 1 else one * one if other.number == 2 else one * one * one
        return self.refuse(f"the operator {type(op).__name__}")

    def compared(self, node: ast.Compare) -> Any:
        """Comparisons, chains included."""
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
            if left is not None and right is not None:
                self.refuse("`is` compares with None alone")
            return (left is right) == isinstance(op, ast.Is)
        if isinstance(left, str) and isinstance(right, str) and isinstance(op, (ast.Eq, ast.NotEq)):
            return (left == right) == isinstance(op, ast.Eq)
        if isinstance(left, Infinite) or isinstance(right, Infinite):
            sides = [
                one.sign if isinstance(one, Infinite) else 0 if isinstance(one, Polynomial) else None
                for one in (left, right)
            ]
            if None in sides or sides[0] == sides[1] or not isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
                self.refuse("this comparison with infinity")
            return (
                (sides[0] or 0) < (sides[1] or 0)
                if isinstance(op, (ast.Lt, ast.LtE))
                else (sides[0] or 0) > (sides[1] or 0)
            )
        up = self.as_number(left, self.node or ast.Pass()) - self.as_number(right, self.node or ast.Pass())
        if isinstance(op, ast.GtE):
            return self.decide(up, ">=")
        if isinstance(op, ast.Gt):
            return self.decide(up, ">")
        if isinstance(op, ast.LtE):
            return not self.decide(up, ">")
        if isinstance(op, ast.Lt):
            return not self.decide(up, ">=")
        if isinstance(op, ast.Eq):
            return self.decide(up, "==")
        if isinstance(op, ast.NotEq):
            return not self.decide(up, "==")
        return self.refuse(f"the comparison {type(op).__name__}")

    def conditional(self, node: ast.IfExp) -> Any:
        """A if b else c."""
        return self.value(node.body if self.truth(node.test) else node.orelse)

    def listed(self, node: ast.List | ast.Tuple) -> Any:
        """A list that is written out is the same in both runs; a tuple holds what it holds."""
        values = tuple(self.value(one) for one in node.elts)
        if isinstance(node, ast.Tuple):
            return values
        self.show(values)
        return Shown()

    def item(self, node: ast.Subscript) -> Any:
        """An element of the data, of a vector, of a tuple."""
        holder = self.value(node.value)
        if isinstance(node.slice, ast.Slice):
            self.refuse("a slice")
        index = self.number(node.slice)
        if isinstance(holder, Vector):
            self.require_same(index)
            return self.element(holder, index)
        if isinstance(holder, tuple) and index.number is not None and index.number.denominator == 1:
            if not -len(holder) <= index.number < len(holder):
                self.refuse("an index outside of the tuple")
            return holder[int(index.number)]
        return self.refuse(f"an element of {ast.unparse(node.value)}")

    # vectors

    def record(self) -> Polynomial:
        """The record of this pass."""
        return Polynomial.name(RECORD)

    def element(self, vector: Vector, index: Polynomial) -> Any:
        """An element; all that one path reads have one index."""
        self.require_same(index)
        if self.path.index is None:
            self.path.index = index
        if self.path.index != index:
            self.refuse("two records in one pass")
        if vector.is_drawn:
            self.path.read.add(vector.place)
            if (
                self.where is None
                or self.where.counter not in self.env
                or index != Polynomial.name(f"{self.where.counter}@")
            ):
                self.refuse("noise that was drawn for all records at once is read in `for` over the records, in order")
        if vector.place not in self._elements:
            self._elements[vector.place] = vector.make(self)
        return self._elements[vector.place]

    def keep(self, place: tuple[Any, ...], values: Mapping[str, Any]) -> dict[str, str]:
        """Keep values for a vector's elements, under names of its own."""
        names = {name: f"#{place}{name}" for name in ("", *values)}
        if names[""] in self.env:
            self.refuse("one value for each record is made here a second time")
        self.env.update({names[name]: value for name, value in {"": True, **values}.items()})
        return names

    def place(self) -> tuple[Any, ...]:
        """Where the present expression stands."""
        return self.line, getattr(self.node, "col_offset", 0)

    def _elementwise(self, op: ast.operator, left: Any, right: Any) -> Vector:
        sides = [one for one in (left, right) if isinstance(one, Vector)]
        if not any(one.is_array for one in sides):
            self.refuse("arithmetic on lists: make an array of them first")
        place = (*self.place(), *(one.place for one in sides))
        kept = self.keep(place, {k: one for k, one in (("l", left), ("r", right)) if not isinstance(one, Vector)})

        def make(run: PathEvaluation) -> Any:
            parts = [
                run.element(one, run.path.index or Polynomial.of(0)) if isinstance(one, Vector) else run.env[kept[k]]
                for k, one in (("l", left), ("r", right))
            ]
            return run.arithmetic(op, *parts)

        return Vector(
            place,
            make,
            frozenset(kept.values()).union(*(one.kept for one in sides)),
            any(one.is_drawn for one in sides),
            True,
        )

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> Vector:
        """[f(x) for x in q]."""
        if len(node.generators) != 1 or node.generators[0].ifs or node.generators[0].is_async:
            self.refuse("a comprehension has one `for`, and no `if`")
        loop, place = node.generators[0], self.place()
        taken = {one.id for part in (node.elt, loop.iter) for one in ast.walk(part) if isinstance(one, ast.Name)}
        sources = [self.env[name] for name in taken if isinstance(self.env.get(name), Vector)]
        kept = self.keep(place, {name: self.env[name] for name in sorted(taken) if name in self.env})
        sized = type(self)(self.program, self.env, (), self.where)
        sized.node = node
        if sized.iterated(loop.iter, Polynomial.of(0))[0] != Polynomial.name(SIZE):
            self.refuse("a comprehension that does not go over the records")

        def make(run: PathEvaluation) -> Any:
            before = run.env
            run.env = {
                **{name: before[hidden] for name, hidden in kept.items() if name},
                **{k: v for k, v in before.items() if k.startswith("#")},
            }
            run.bind(loop.target, run.iterated(loop.iter, run.path.index or Polynomial.of(0))[1]())
            value = run.value(node.elt)
            run.env = before
            return value

        called = [one for part in (node.elt, loop.iter) for one in ast.walk(part) if isinstance(one, ast.Call)]
        drawn = any(one.is_drawn for one in sources) or any(may_draw(self, one) for one in called)
        return Vector(place, make, frozenset(kept.values()).union(*(one.kept for one in sources)), drawn)

    # calls

    def call(self, node: ast.Call) -> Any:
        """A call: of a builtin, of NumPy, of a generator, of a function of the source."""
        if any(isinstance(one, ast.Starred) for one in node.args) or any(one.arg is None for one in node.keywords):
            self.refuse("* in a call")
        name = self.full_name(node.func)
        if name in self.functions and name not in self.env:
            return self._helper(self.functions[name], node)
        if name in CALLS:
            return CALLS[name](self, node)
        if isinstance(node.func, ast.Attribute):
            holder = self.value(node.func.value)
            self.node = node
            if holder == Token("generator"):
                return drawn(self, node, node.func.attr)
            if isinstance(holder, Vector) and node.func.attr in (
                "argmax",
                "argmin",
                "copy",
                "tolist",
                "astype",
                "index",
            ):
                return self._method(holder, node)
            if isinstance(holder, Shown) and node.func.attr in ("copy", "tolist"):
                return holder
        return self.refuse(f"a call of {ast.unparse(node.func)}")

    def full_name(self, node: ast.expr) -> str:
        """The name of a function, its module's name in full."""
        if isinstance(node, ast.Name):
            return "" if node.id in self.env else self.program.modules.get(node.id, node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Name, ast.Attribute)):
            before = self.full_name(node.value)
            return f"{before}.{node.attr}" if before.split(".")[0] in self.program.modules.values() else ""
        return ""

    def attribute(self, node: ast.Attribute) -> Any:
        """An infinity, or the number of records."""
        name = self.full_name(node)
        if name in ("numpy.inf", "math.inf"):
            return Infinite(1)
        if name == "numpy.random":
            return Token("generator")
        if node.attr == "size" and self.value(node.value) == replace(DATA, is_array=True):
            return Polynomial.name(SIZE)
        return self.refuse(f"{ast.unparse(node)} is not read")

    def _method(self, holder: Vector, node: ast.Call) -> Any:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in ("argmax", "argmin") and not node.args and not node.keywords:
            return Chosen(holder, 1 if name == "argmax" else -1, self.line)
        if name == "index" and len(node.args) == 1 and isinstance(node.args[0], ast.Call):
            inner = node.args[0]
            which, is_alone = self.full_name(inner.func), len(inner.args) == 1 and not inner.keywords
            if which in ("max", "min") and is_alone and self.value(inner.args[0]) == holder:
                return Chosen(holder, 1 if which == "max" else -1, self.line)
        if name in ("copy", "tolist") and not node.args:
            return replace(holder, is_array=name == "copy" and holder.is_array)
        return self.refuse(f".{name} of one value for each record")

    def _helper(self, function: ast.FunctionDef, node: ast.Call) -> Any:
        arguments = function.args
        names = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
        if arguments.vararg or arguments.kwarg or len(node.args) > len(names):
            self.refuse(f"the arguments of {function.name}")
        given = {name: self.value(one) for name, one in zip(names, node.args, strict=False)}
        given |= {str(one.arg): self.value(one.value) for one in node.keywords}
        every = names + [one.arg for one in arguments.kwonlyargs]
        defaults = dict(zip(reversed(names), reversed(arguments.defaults), strict=False))
        defaults |= {
            one.arg: value for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value
        }
        for name in every:
            if name not in given and isinstance(defaults.get(name), ast.Constant):
                given[name] = self.value(defaults[name])
        if set(given) != set(every) or self._depth > 20:
            self.refuse(f"the arguments of {function.name}")
        before, self.env = self.env, given | {k: v for k, v in self.env.items() if k.startswith("#")}
        self._depth += 1
        value = self._straight(list(function.body))
        self._depth -= 1
        self.env = before | {k: v for k, v in self.env.items() if k.startswith("#")}
        return value

    def _straight(self, work: list[ast.stmt]) -> Any:
        """The value of a function without loops."""
        while work:
            item = work.pop(0)
            self.node = item
            if isinstance(item, ast.Return):
                return None if item.value is None else self.value(item.value)
            if isinstance(item, ast.If):
                work = [*(item.body if self.truth(item.test) else item.orelse), *work]
            elif isinstance(item, (ast.For, ast.While, ast.Raise)):
                self.refuse(f"{type(item).__name__} inside a function that is called")
            else:
                self.statement(item)
        return None

    def add_draw(self, kind: str, rate: Polynomial) -> Polynomial:
        """A new draw."""
        symbol = f"z{len(self.path.draws)}"
        self.path.draws.append(NoiseDraw(symbol, kind, rate, self.line))
        return Polynomial.name(symbol)

    def parameter(self, value: Any, what: str) -> Polynomial:
        """A number of the parameters alone."""
        if not isinstance(value, Polynomial) or not self.is_public(value) or SIZE in value.names:
            self.refuse(f"{what} must be computed from the parameters alone")
        return value


def _truths(run: PathEvaluation, node: ast.BoolOp) -> bool:
    stop = isinstance(node.op, ast.Or)
    for one in node.values:
        value = run.value(one)
        if not isinstance(value, bool):
            run.refuse(f"{ast.unparse(one)} as a value of `and` or `or`")
        if value == stop:
            return stop
    return not stop


_EXPRESSIONS: Mapping[type, Callable[[PathEvaluation, Any], Any]] = {
    ast.Constant: PathEvaluation.constant,
    ast.Name: PathEvaluation.named,
    ast.UnaryOp: PathEvaluation.negative,
    ast.BinOp: PathEvaluation.operated,
    ast.BoolOp: _truths,
    ast.Compare: PathEvaluation.compared,
    ast.IfExp: PathEvaluation.conditional,
    ast.List: PathEvaluation.listed,
    ast.Tuple: PathEvaluation.listed,
    ast.Subscript: PathEvaluation.item,
    ast.ListComp: PathEvaluation.comprehension,
    ast.GeneratorExp: PathEvaluation.comprehension,
    ast.Call: PathEvaluation.call,
    ast.Attribute: PathEvaluation.attribute,
}
"""What each kind of expression means."""
