"""Which of Python's types what a program releases may have, by its text alone; the standard library alone.

Polynomials do not tell 1 from 1.0 or True. Where the noise of a number is a float, all sums with it are; where nothing
makes floats of them, a record may decide whether 1 is released or 1.0, which are two outcomes.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator

from stirred.verify.evidence.certificates.closed_grammar import ReadProgram, carried_out
from stirred.verify.evidence.certificates.read_values import SHARED, NoiseDraw

MADE = ("builtins.list", "builtins.tuple", "numpy.array", "numpy.asarray")
"""What makes a list of another one."""
TRUTHS = "int of truths"
"""An integer that is computed from truth values, which a polynomial does not tell from one."""
_TYPES = {
    **dict.fromkeys(("int", "len", "range", "floor", "ceil", "count", "index", "argmax", "argmin", "geometric"), "int"),
    **dict.fromkeys(("discrete_laplace", "bincount", "count_nonzero", "Counter"), "int"),
    **dict.fromkeys(("float", "exp", "sqrt", "mean", "laplace", "normal", "exponential", "gumbel", "random"), "float"),
    **dict.fromkeys(("uniform", "gauss"), "float"),
    **dict.fromkeys(("bernoulli", "bool"), "bool"),
}
"""What calls return, by the last part of their names, whatever they are given."""

_UNSIZED = {"random": 0, "exponential": 1, "geometric": 1, "laplace": 2, "normal": 2, "gumbel": 2, "uniform": 2}
"""How many arguments a draw has without a size, which makes an array of NumPy's numbers."""
_OF_NUMPY = {
    **dict.fromkeys(("exp", "sqrt", "mean"), "numpy float"),
    **dict.fromkeys(("bincount", "argmax", "argmin", "count_nonzero"), "numpy int"),
}


def _by(sides: Iterable[set[str]]) -> str:
    """Whose numbers come of these: NumPy's where one side's are, Python's (""), or of "several"."""
    are = [{one.startswith("numpy") for one in side} for side in sides]
    return "numpy " if {True} in are else "several" if any(True in one for one in are) else ""


def _counted(found: set[str]) -> set[str]:
    return found - {"bool"} | {"int", TRUTHS} if "bool" in found else found


class NumberTypes:
    """The types of what a program releases.

    Args:
        record: that of the records.
        real: that of parameters that are neither whole nor an integer.
    """

    def __init__(self, program: ReadProgram, record: str, real: str) -> None:
        self._program = program
        self._held: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        (data, *_) = program.parameters(program.functions[program.name])
        self._held[program.name, data] = {record}
        whole = {name.text for name in program.whole}
        for name, text in program.ranges.items():
            self._held[program.name, name] = {
                "int" if name in whole or (text[:2] == "= " and "/" not in text) else real
            }
        known = -1
        while known != (known := sum(map(len, self._held.values()))):
            for name, node in self._nodes():
                self._assign(name, node)

    def _nodes(self) -> Iterator[tuple[str, ast.AST]]:
        for name, function in self._program.functions.items():
            for node in carried_out(function):
                yield name, node

    def _assign(self, within: str, node: ast.AST) -> None:
        """Note what a statement assigns to names; a helper's parameters are what its calls give."""
        if isinstance(node, (ast.Assign, ast.For, ast.comprehension)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found = self.of(within, node.value if isinstance(node, ast.Assign) else node.iter)
            for one in (part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)):
                self._held[within, one.id] |= found
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            self._held[within, node.target.id] |= self.of(within, node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self._held[within, node.target.id] |= self._joined(within, node.op, (node.target, node.value))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append":
            self._held[within, ast.unparse(node.func.value)] |= self._all(within, node.args)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            helper = self._program.helper(node.func.id)
            for name in self._program.parameters(helper) if helper is not None else ():
                self._held[node.func.id, name] |= self._all(within, (*node.args, *(one.value for one in node.keywords)))

    def _all(self, within: str, nodes: Iterable[ast.expr]) -> set[str]:
        return {kind for one in nodes for kind in self.of(within, one)}

    def _joined(self, within: str, op: ast.operator, nodes: Iterable[ast.expr]) -> set[str]:
        """Of arithmetic: a float where one side is one or it divides, NumPy's where one side is NumPy's; else whole."""
        sides = [self.of(within, one) for one in nodes]
        by = _by(sides)
        if isinstance(op, ast.Div) or any(side and side <= {"float", "numpy float"} for side in sides):
            return {f"{by}float"} if by != "several" else {by}
        found = set().union(*sides)
        if by == "several" or (by and found & {"float", "numpy float", "several"}):
            return {"several"}
        return {"numpy int"} if by else _counted(found)

    def of(self, within: str, node: ast.expr) -> set[str]:
        """The types that an expression of a function may have; of a list, those of its elements."""
        if isinstance(node, ast.Constant):
            return {type(node.value).__name__}
        if isinstance(node, ast.Name):
            said = self._program.names.get(node.id, "")
            return self._held[within, node.id] | ({"several"} if said.startswith("= ") else set())
        if isinstance(node, ast.Compare):
            by = _by([self.of(within, one) for one in (node.left, *node.comparators)])
            return {f"{by}bool"} if by != "several" else {by}
        if isinstance(node, ast.BoolOp):
            return self._all(within, node.values)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return {"bool"}
        if isinstance(node, ast.UnaryOp):
            return self._joined(within, ast.Add(), (node.operand,))
        if isinstance(node, ast.BinOp):
            return self._joined(within, node.op, (node.left, node.right))
        if isinstance(node, ast.IfExp):
            return self._all(within, (node.body, node.orelse))
        if isinstance(node, (ast.Tuple, ast.List)):
            return self._all(within, node.elts)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            return self.of(within, node.elt)
        if isinstance(node, ast.Subscript):
            return self.of(within, node.value)
        return self._called(within, node) if isinstance(node, ast.Call) else {"several"}

    def _called(self, within: str, node: ast.Call) -> set[str]:
        name, given = self._program.outer_name(node.func), self._all(within, node.args)
        if isinstance(node.func, ast.Name) and (helper := self._program.helper(node.func.id)) is not None:
            ends = [one.value for one in carried_out(helper) if isinstance(one, ast.Return) and one.value is not None]
            return self._all(helper.name, ends)
        last = name.rpartition(".")[2] if name else node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if last == "tolist" and isinstance(node.func, ast.Attribute):
            return {one.removeprefix("numpy ") for one in self.of(within, node.func.value)}
        if any(one.arg == "dtype" for one in node.keywords):
            return {"numpy float"}
        if name.startswith("numpy.") and not name.startswith("numpy.random."):
            return {_OF_NUMPY.get(last, f"numpy {one}" if one in ("int", "float", "bool") else one) for one in given}
        is_sized = any(one.arg == "size" for one in node.keywords) or len(node.args) > _UNSIZED.get(last, 9)
        if is_sized and last in _UNSIZED:
            return {f"numpy {_TYPES[last]}"}
        if last in _TYPES:
            return _counted({_TYPES[last]} | (given & {"bool", TRUTHS}) if last == "int" else {_TYPES[last]})
        if name == "builtins.enumerate":
            return given | {"int"}
        if last in ("sum", "round", "abs", "max", "min"):  # a sum of nothing is the integer 0
            given = _counted(given) | ({"int"} if name == "builtins.sum" else set())
        return given | (set() if name or not isinstance(node.func, ast.Attribute) else self.of(within, node.func.value))

    def released(self) -> set[str]:
        """The types of all that is released; "several" where numbers, or truth values, may have more than one."""
        found = set[str]()
        for name, node in self._nodes():
            if isinstance(node, ast.Return) and node.value is not None and name == self._program.name:
                value = node.value
                is_made = isinstance(value, ast.Call) and self._program.outer_name(value.func) in MADE
                found |= (
                    self._all(name, value.args) if is_made and isinstance(value, ast.Call) else self.of(name, value)
                )
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append":
                found |= self._all(name, node.args)
        numbers, truths = found & {"int", "float", "numpy int", "numpy float"}, found & {"bool", "numpy bool"}
        return found | ({"several"} if max(len(numbers), len(truths)) > 1 else set())


def is_mixed(program: ReadProgram, draws: Iterable[NoiseDraw]) -> bool:
    """Whether an integer or a float may be released, as records decide, where no noise makes floats of all numbers."""
    whole = [draw.is_whole for draw in draws if draw.kind != SHARED]
    record = "int" if all(one.denominator == 1 for one in program.domain.listed or ()) else "float"
    is_typed = "several" not in NumberTypes(program, record, "int").released()
    return all(whole) and (not is_typed or (record == "float" and bool(whole)))
