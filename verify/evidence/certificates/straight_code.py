"""Statements of a function with unknown data, from one loop's head to the next; the standard library alone."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from typing import Any

from stirred.verify.evidence.certificates.polynomial import Polynomial
from stirred.verify.evidence.certificates.read_values import Back, Head, Path, Vector
from stirred.verify.evidence.certificates.unknown_data import PathEvaluation

MOST_STEPS = 2000
_ITERABLES = ("range", "enumerate", "zip")


class _Put(ast.NodeTransformer):
    """Puts a name in the place of a call."""

    def __init__(self, call: ast.Call, name: str) -> None:
        self.call, self.name = ast.dump(call, include_attributes=True), name

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if ast.dump(node, include_attributes=True) == self.call:
            return ast.copy_location(ast.Name(self.name, ast.Load()), node)
        self.generic_visit(node)
        return node


class Execution(PathEvaluation):
    """One path: statements are carried out until the next head of a loop, or an end."""

    steps = 0

    def run(self, work: tuple[Any, ...]) -> Path:
        """Carry out statements to the end, or to the head of a loop."""
        while work:
            self.steps += 1
            if self.steps > MOST_STEPS:
                self.refuse(f"a path has more than {MOST_STEPS} statements")
            item, work = work[0], work[1:]
            if isinstance(item, Back):
                return self._back(item.head)
            self.node = item
            before = self._before(item)
            if isinstance(before, Head):
                return self._end(Head(before.loop, work))
            if before is not None:
                work = (*before, *work)
            elif isinstance(item, (ast.Break, ast.Continue)):
                while not isinstance(work[0], Back):
                    work = work[1:]
                work = work[isinstance(item, ast.Break) :]
            elif isinstance(item, ast.If):
                work = (*(item.body if self.truth(item.test) else item.orelse), *work)
            elif isinstance(item, ast.Return):
                value = None if item.value is None else self.value(item.value)
                if not isinstance(value, Vector):
                    self.path.value = value
                    self.show(value, may_be_chosen=True)
                    return self._end("return")
                self.env["#released"] = value
                work = (release_loop(item), ast.copy_location(ast.Return(ast.Constant("#shown")), item))
            elif isinstance(item, ast.Raise):
                return self._raised(item)
            else:
                self.statement(item)
        return self._end("return")

    def _back(self, head: Head) -> Path:
        if isinstance(head.loop, ast.For):
            self.env[head.counter] += 1
        return self._end(head)

    def _before(self, item: ast.stmt) -> Head | list[ast.stmt] | None:
        """A loop's head, or what is carried out in the place of a statement; None where it is carried out itself."""
        if isinstance(item, (ast.For, ast.While)):
            passes = self._listed(item)
            return Head(item if isinstance(item, ast.While) else self._begun(item), ()) if passes is None else passes
        return self._hoisted(item)

    def _end(self, end: Head | str) -> Path:
        self.path.end, self.path.env, self.path.script = end, self.env, tuple(self.taken)
        return self.path

    def _raised(self, item: ast.Raise) -> Path:
        error = item.exc
        if isinstance(error, ast.Call) and all(isinstance(one, ast.Constant) for one in error.args):
            error = None if error.keywords else error.func
        if not isinstance(error, ast.Name) or item.cause is not None:
            self.refuse("an exception is raised with a constant text, or none")
        return self._end("raise")

    def _begun(self, loop: ast.For) -> ast.For:
        """A `for` whose iterable has been computed: it goes over hidden names."""
        counter = Head(loop, ()).counter
        self.env[counter] = Polynomial.of(0)

        def keep(node: ast.expr) -> ast.expr:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ITERABLES:
                return ast.copy_location(ast.Call(node.func, list(map(keep, node.args)), node.keywords), node)
            if isinstance(node, ast.Name) and node.id.startswith("#"):
                return node
            name = f"{counter}:{len([one for one in self.env if one.startswith(f'{counter}:')])}"
            self.env[name] = self.value(node)
            return ast.copy_location(ast.Name(name, ast.Load()), node)

        for name in [one for one in self.env if one.startswith(f"{counter}:")]:
            del self.env[name]
        return ast.copy_location(ast.For(loop.target, keep(loop.iter), loop.body, loop.orelse), loop)

    def _hoisted(self, item: ast.stmt) -> list[ast.stmt] | None:
        """A statement with the sums in it as loops before it; None where it has none."""
        if not isinstance(item, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)) or item.value is None:
            return None
        call = next(self._sums(item.value), None)
        if call is None:
            return None
        name = f"#sum{call.lineno}.{call.col_offset}"
        source = call.args[0] if call.args else call.func.value if isinstance(call.func, ast.Attribute) else call
        total, element = (ast.Name(text, ast.Store()) for text in (name, "#element"))
        add = ast.AugAssign(total, ast.Add(), ast.Name("#element", ast.Load()))
        loop = ast.For(element, source, [add], [])
        start = ast.Assign([total], ast.Constant(0))
        for one in (start, loop):
            ast.fix_missing_locations(ast.copy_location(one, call))

        return [start, loop, _Put(call, name).visit(copy.deepcopy(item))]

    def _sums(self, node: ast.AST) -> Iterator[ast.Call]:
        """The sums over one value for each record that are computed whatever else holds."""
        if isinstance(node, (ast.IfExp, ast.BoolOp, ast.Lambda, ast.ListComp, ast.GeneratorExp)):
            return
        if isinstance(node, ast.Call) and len(node.args) <= 1 and not node.keywords:
            if len(node.args) == 1 and self.full_name(node.func) in ("sum", "numpy.sum"):
                yield node
                return
            if isinstance(node.func, ast.Attribute) and node.func.attr == "sum" and not node.args:
                yield node
                return
        for one in ast.iter_child_nodes(node):
            yield from self._sums(one)

    def _listed(self, loop: ast.For | ast.While) -> list[ast.stmt] | None:
        """The passes of a loop over a list that is written out, or a range of numbers."""
        if isinstance(loop, ast.While):
            return None
        source = loop.iter
        if isinstance(source, (ast.List, ast.Tuple)) and all(isinstance(one, ast.Constant) for one in source.elts):
            return list(self._unrolled(loop, source.elts))
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "range":
            ends = [self.number(one).number for one in source.args]
            if all(end is not None and end.denominator == 1 for end in ends):
                counted = range(*(int(end) for end in ends if end is not None))
                return list(self._unrolled(loop, [ast.copy_location(ast.Constant(k), loop) for k in counted]))
        return None

    def _unrolled(self, loop: ast.For, items: Sequence[ast.expr]) -> Iterator[ast.stmt]:
        inner = [one for part in loop.body for one in ast.walk(part)]
        if loop.orelse or any(isinstance(one, (ast.Break, ast.Continue)) for one in inner):
            self.refuse("a loop over a fixed list has no break, continue or else")
        for item in items:
            yield ast.copy_location(ast.Assign([loop.target], item), loop)
            yield from loop.body

    def enter(self, head: Head) -> tuple[Any, ...]:
        """From the head of a loop: what is to be done next, by its test."""
        self.node, loop = head.loop, head.loop
        if isinstance(loop, ast.While):
            if not self.truth(loop.test):
                return (*loop.orelse, *head.rest)
            return (*loop.body, Back(head), *head.rest)
        counter = self.env[head.counter]
        size, element = self.iterated(loop.iter, counter)
        if not self.decide(size - counter, ">"):
            return (*loop.orelse, *head.rest)
        self.bind(loop.target, element())
        return (*loop.body, Back(head), *head.rest)


def release_loop(item: ast.stmt) -> ast.For:
    """A loop that releases the vector under the name #released."""
    name = ast.Name("#element", ast.Load())
    show = ast.Expr(ast.Call(ast.Name("#show", ast.Load()), [name], []))
    loop = ast.For(ast.Name("#element", ast.Store()), ast.Name("#released", ast.Load()), [show], [])
    return ast.fix_missing_locations(ast.copy_location(loop, item))
