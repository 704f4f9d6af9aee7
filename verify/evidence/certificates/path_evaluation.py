"""What expressions mean on one path of a function whose data are unknown; the standard library alone.

Numbers are polynomials in the parameters, the record that is read, draws, and what variables hold at the head of the
loop. Decisions follow a script. Numbers are real numbers, as a source writes them: 0.1 is one tenth.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, cast

from stirred.verify.evidence.certificates.closed_grammar import refuse
from stirred.verify.evidence.certificates.counts import is_counted, is_small
from stirred.verify.evidence.certificates.known_calls import CALLS
from stirred.verify.evidence.certificates.list_values import ListEvaluation
from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol
from stirred.verify.evidence.certificates.read_draws import drawn
from stirred.verify.evidence.certificates.read_values import (
    BINS,
    DATA,
    BinCounts,
    ExpWeights,
    GeneratorToken,
    Infinite,
    Shown,
    Vector,
    is_fixed,
    is_own,
)
from stirred.verify.evidence.certificates.record_functions import is_test

_MOST_CALLS = 20
_SAME = ("tolist", "copy")
_PURE = frozenset(f"builtins.{name}" for name in ("float", "int", "max", "min"))
_PLAIN: tuple[type, ...] = (ast.Assign, ast.AugAssign, ast.If, ast.Pass, ast.Name, ast.Constant, ast.BinOp)
_PLAIN += (ast.UnaryOp, ast.Compare, ast.BoolOp, ast.boolop, ast.cmpop, ast.unaryop, ast.Add, ast.Sub, ast.Mult)
_PLAIN += (ast.expr_context,)
_FELT = ("record", "bin", "between", "held", "hidden")
_INFINITE = "numpy.inf", "math.inf"


class PathEvaluation(ListEvaluation):
    """What expressions mean on one path."""

    def truth(self, test: ast.expr) -> bool:
        """The truth of a condition."""
        return self._is_so(self.value(test), test)

    def _is_so(self, value: Any, test: ast.expr) -> bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, Polynomial):
            self._check_unrounded(value, test)
            return not self.decide(value, "==")
        return self.refuse(f"the truth of {ast.unparse(test)} is not read")

    def is_plain(self, node: ast.AST) -> bool:
        """Whether it assigns numbers alone, and draws and releases nothing."""
        return all(
            isinstance(one, _PLAIN) or (isinstance(one, ast.Call) and self.outer_name(one.func) in _PURE)
            for one in ast.walk(node)
        )

    def branches(self, node: ast.If) -> list[ast.stmt]:
        """The branch that is carried out; none where both were, and what they assign is chosen by the record."""
        test = self.value(node.test)
        if not is_test(test) or not all(map(self.is_plain, (*node.body, *node.orelse))):
            return node.body if self._is_so(test, node.test) else node.orelse
        before, counted, found = self.env, self._counted, []
        known = len(self.path.draws), len(self.path.same), len(self.path.decisions)
        for body in (node.body, node.orelse):
            self.env, self._counted = dict(before), set(counted)
            self._straight(list(body))
            found.append((self.env, self._counted))
        if known != (len(self.path.draws), len(self.path.same), len(self.path.decisions)):
            refuse(node, "what is decided where a record is so, and not else: decide it before")
        (one, counts), (other, others) = found
        self.env, self._counted = {}, counts & others
        for name in one.keys() & other.keys():
            value = one[name] if one[name] is other[name] else self._chosen(test, one[name], other[name])
            if value is None:
                self.env, self._counted = before, counted
                return node.body if self._is_so(test, node.test) else node.orelse
            self.env[name] = value
        return []

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

    def no_truth(self, value: Any, other: Any = True) -> None:
        """Refuse what means another thing of NumPy's truth values than of Python's: arithmetic of nothing else."""
        if self.path.is_truth(value) and self.path.is_truth(other):
            self.refuse("arithmetic of truth values: write int(...) of them")

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
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            is_about_record = is_test(value)
            return (
                self.program.records.condition("not", value)
                if is_about_record
                else not self._is_so(value, node.operand)
            )
        if isinstance(value, Infinite):
            return Infinite(-value.sign) if isinstance(node.op, ast.USub) else value
        if not (isinstance(node.operand, ast.Call) and self.outer_name(node.operand.func) in _PURE):
            self.no_truth(value)
        return self.arithmetic(ast.Mult(), Polynomial.of(-1 if isinstance(node.op, ast.USub) else 1), value)

    def _binary(self, node: ast.BinOp) -> Any:
        if isinstance(node.op, ast.Mult) and ast.unparse(node.left) in ("[0]", "[0.0]"):
            return BinCounts(self.parameter(self.value(node.right), "a length"))
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
            return self.by_element(lambda one, other: self.arithmetic(op, one, other), left, right)
        self.no_truth(left, right)
        one, other = self.as_number(left, self.node), self.as_number(right, self.node)
        if isinstance(op, (ast.Add, ast.Sub, ast.Mult)):
            found = one + other if isinstance(op, ast.Add) else one - other if isinstance(op, ast.Sub) else one * other
            if any(name.kind in _FELT for name in (one.names | other.names) - found.names):
                self.refuse("a number of the data cancels, and leaves its type and the sign of zero")
            return found
        if isinstance(op, (ast.Div, ast.FloorDiv, ast.Mod)):
            self.program.divisors.append(other)
        if isinstance(op, ast.Div):
            if is_fixed(other) and len(other.terms) == 1:
                return one / other
            if is_fixed(one) and is_fixed(other):
                name = Symbol("quotient", f"({one})/({other})")
                self.program.quotients[name] = one, other
                return Polynomial.name(name)
            self.require_same(one)
            self.require_same(other)
            return self.opaque()
        if isinstance(op, (ast.FloorDiv, ast.Mod)):
            self.require_same(one)
            self.require_same(other)
            return self.opaque()
        if isinstance(op, ast.Pow) and other.number == 2:
            return one * one
        return self.refuse(f"the operator {type(op).__name__} is not read here")

    def _both(self, node: ast.BoolOp) -> Any:
        stop, word = isinstance(node.op, ast.Or), "or" if isinstance(node.op, ast.Or) else "and"
        found: Any = not stop
        for k, one in enumerate(node.values):
            value = self.value(one)
            if is_test(value) and not all(map(self.is_plain, node.values[k + 1 :])):
                value = self.decide(value - 1, "==")
            if not isinstance(value, bool) and not is_test(value):
                self.refuse(f"{ast.unparse(one)} in `and` or `or` is no truth value")
            if value is stop:
                return stop
            if is_test(value):
                found = self.program.records.condition(word, found, value) if is_test(found) else value
        return found

    def _compared(self, node: ast.Compare) -> Any:
        left, found = self.value(node.left), cast("Any", True)
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            if is_test(found) and not self.is_plain(right_node):
                if not self.decide(found - 1, "=="):
                    return False
                found = True
            right = self.value(right_node)
            self.node = node
            value = self._relation(op, left, right)
            if value is False:
                return False
            if value is not True:
                found = value if found is True else self.program.records.condition("and", found, value)
            left = right
        return found

    def _relation(self, op: ast.cmpop, left: Any, right: Any) -> Any:
        if isinstance(op, (ast.Is, ast.IsNot)):
            if right is not None or not (left is None or isinstance(left, (bool, Polynomial, Shown))):
                self.refuse("`is` compares with None alone")
            if isinstance(left, Polynomial) and left.names & self.path.infinite:
                self.refuse("what may be None or not is compared with None")
            return (left is None) == isinstance(op, ast.Is)
        if isinstance(left, Vector) or isinstance(right, Vector):
            return self.by_element(lambda one, other: self._relation(op, one, other), left, right)
        up = self.as_number(left, self.node) - self.as_number(right, self.node)
        self._check_unrounded(up, self.node)
        is_equality = isinstance(op, (ast.Eq, ast.NotEq))
        relation, outcome = {
            ast.Eq: ("==", True),
            ast.NotEq: ("==", False),
            ast.GtE: (">=", True),
            ast.Gt: (">", True),
            ast.LtE: (">", False),
            ast.Lt: (">=", False),
        }[type(op)]
        if is_own(up):
            condition = self.program.records.condition
            if is_equality:
                return condition(relation, up) if outcome else condition("not", condition(relation, up))
            return condition(relation, up) if outcome else condition(">" if relation == ">=" else ">=", -up)
        return self.decide(up, relation) == outcome

    def _conditional(self, node: ast.IfExp) -> Any:
        test = self.value(node.test)
        if is_test(test) and self.is_plain(node.body) and self.is_plain(node.orelse):
            found = self._chosen(test, self.value(node.body), self.value(node.orelse))
            if found is not None:
                return found
        return self.value(node.body if self._is_so(test, node.test) else node.orelse)

    def _chosen(self, test: Polynomial, one: Any, other: Any) -> Polynomial | None:
        """One number where a condition about the record holds, else another one; None where they are told apart."""
        are_numbers = isinstance(one, Polynomial) and isinstance(other, Polynomial)
        if not are_numbers or one == other or self.path.is_truth(one) or self.path.is_truth(other):
            return None
        return self.program.records.chosen(test, one, other)

    def _tuple(self, node: ast.Tuple) -> Any:
        return tuple(map(self.value, node.elts))

    def _list(self, node: ast.List) -> Any:
        self.path.shown.append(len(node.elts))
        for one in node.elts:
            self.show(self.value(one))
        return Shown()

    def _item(self, node: ast.Subscript) -> Any:
        holder = self.value(node.value)
        index = self.number(node.slice)
        self.node = node
        if isinstance(holder, BinCounts) and holder.is_full:
            holder = BINS
        if isinstance(holder, Vector) and holder.kept is None:
            return self.element(holder, index)
        return self.refuse(f"an element of {ast.unparse(node.value)} is not read")

    def _call(self, node: ast.Call) -> Any:
        total = Symbol("hidden", f"total {node.lineno}.{node.col_offset}")
        if total in self.env and self.program.summed(node) is not None:
            return self.env[total]
        if any(one.arg is None for one in node.keywords):
            self.refuse("** in a call is not read")
        if (name := self.outer_name(node.func)) in CALLS:
            return CALLS[name](self, node)
        if name == "random.random" or name.startswith("numpy.random."):
            return drawn(self, node, "numpy", name.split(".")[-1])
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
        if name == "count" and len(node.args) == 1 and holder == DATA:
            return self.bin_count(self.number(node.args[0]))
        if name in _SAME and holder.kept is None and not node.args and not node.keywords:
            return replace(holder, is_array=holder.is_array and name != "tolist")
        if name in ("round", "astype") and holder.is_array and not node.keywords:
            types = {self.outer_name(one) for one in node.args if not isinstance(one, ast.Constant)}
            return (
                self.shown(holder) if types <= {"builtins.int", "builtins.float"} else self.refuse(f".{name} of this")
            )
        if name in ("argmax", "argmin") and holder.is_array and not node.args and not node.keywords:
            return self.chosen(holder, 1 if name == "argmax" else -1)
        if name == "index" and not holder.is_array and len(node.args) == 1 and isinstance(node.args[0], ast.Call):
            inner = node.args[0]
            which = self.outer_name(inner.func)
            is_alone = len(inner.args) == 1 and not inner.keywords and not node.keywords
            own = node.func.value if isinstance(node.func, ast.Attribute) else None
            is_same = isinstance(own, ast.Name) and is_alone and ast.dump(inner.args[0]) == ast.dump(own)
            if which in ("builtins.max", "builtins.min") and is_same:
                return self.chosen(holder, 1 if which == "builtins.max" else -1)
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
                work = [*self.branches(item), *work]
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
    ast.ListComp: PathEvaluation.comprehension,
    ast.DictComp: PathEvaluation.dictionary,
    ast.Call: PathEvaluation._call,
    ast.Attribute: PathEvaluation._attribute,
}
"""What each kind of expression means."""
