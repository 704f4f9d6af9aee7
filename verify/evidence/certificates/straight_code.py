"""Statements of a function with unknown data, from one loop's head to the next; the standard library alone."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from stirred.verify.evidence.certificates.closed_grammar import RAISED
from stirred.verify.evidence.certificates.path_evaluation import PathEvaluation
from stirred.verify.evidence.certificates.polynomial import Polynomial
from stirred.verify.evidence.certificates.read_values import Back, ExpWeights, Head, Path, Resumed, Shown, Vector

MOST_STEPS = 2000


class Execution(PathEvaluation):
    """One path: statements are carried out until the next head of a loop, or an end."""

    def run(self, work: tuple[Any, ...]) -> Path:
        """Carry out statements to the end, or to the head of a loop."""
        for _ in range(MOST_STEPS):
            if not work:
                return self._end("return")
            item, work = work[0], work[1:]
            if isinstance(item, Back):
                return self._back(item.head)
            item = item if isinstance(item, Resumed) else Resumed(item, 0)
            self.node = node = item.node
            sums = self.program.sums(node)
            if item.sums < len(sums):
                call = sums[item.sums]
                over = self.program.summed(call)
                return self._begun(Head(call, (Resumed(node, item.sums + 1), *work)), over and self.summed(over))
            if isinstance(node, ast.For):
                return self._begun(Head(node, work), self.iterable(node.iter))
            if isinstance(node, ast.While):
                return self._end(Head(node, work))
            if isinstance(node, (ast.Break, ast.Continue)):
                work = self._left(work, is_over=isinstance(node, ast.Break))
            elif isinstance(node, ast.If):
                work = (*(node.body if self.truth(node.test) else node.orelse), *work)
            elif isinstance(node, ast.Return):
                return self._returned(node)
            elif isinstance(node, ast.Raise):
                return self._raised(node)
            else:
                self.statement(node)
            for call in sums:
                del self.env[Head(call, ()).hidden("total")]
        return self.refuse(f"a path has more than {MOST_STEPS} statements")

    def _returned(self, node: ast.Return) -> Path:
        value = None if node.value is None else self.value(node.value)
        if isinstance(value, Vector):
            return self._begun(Head(node, ()), value)
        self.path.value = value
        self.show(value, may_be_chosen=True)
        return self._end("return")

    def _begun(self, head: Head, over: Any) -> Path:
        """Arrive at a loop for the first time; weights are added up at once."""
        if isinstance(over, ExpWeights):
            self.env[head.hidden("total")] = replace(over, stage="sum")
            return self.run(head.rest)
        self.env |= {head.hidden("counter"): Polynomial.of(0), head.hidden("over"): over}
        if isinstance(head.node, ast.Call):
            self.env[head.hidden("total")] = Polynomial.of(0)
        return self._end(head)

    def _left(self, work: tuple[Any, ...], *, is_over: bool) -> tuple[Any, ...]:
        """What is done next when a pass is left, or the loop is."""
        while not isinstance(work[0], Back):
            work = work[1:]
        if not is_over:
            return work
        self._forget(work[0].head)
        return work[1:]

    def _forget(self, head: Head) -> None:
        """Leave a loop."""
        for what in ("counter", "over"):
            self.env.pop(head.hidden(what), None)

    def _back(self, head: Head) -> Path:
        if not isinstance(head.node, ast.While):
            self.env[head.hidden("counter")] += 1
        return self._end(head)

    def _end(self, end: Head | str) -> Path:
        self.path.end, self.path.env, self.path.script = end, self.env, tuple(self.taken)
        return self.path

    def _raised(self, item: ast.Raise) -> Path:
        error: ast.expr | None = item.exc
        if isinstance(error, ast.Call) and not error.keywords and all(isinstance(x, ast.Constant) for x in error.args):
            error = error.func
        if error is None or self.outer_name(error) not in RAISED or item.cause is not None:
            self.refuse("one of Python's own exceptions is raised, with a constant text or none")
        return self._end("raise")

    def enter(self, head: Head) -> Path:
        """From the head of a loop to the next."""
        self.node, node = head.node, head.node
        if isinstance(node, ast.While):
            is_over = not self.truth(node.test)
            return self.run((*node.orelse, *head.rest) if is_over else (*node.body, Back(head), *head.rest))
        counter, over = (self.env.get(head.hidden(what)) for what in ("counter", "over"))
        if not isinstance(counter, Polynomial) or over is None:
            self.refuse("what this loop goes over is not the same in each pass")
        if not self.decide(self.size(over) - counter, ">"):
            self._forget(head)
            if isinstance(node, ast.Return):
                self.path.value = Shown()
                return self._end("return")
            return self.run((*(node.orelse if isinstance(node, ast.For) else ()), *head.rest))
        element = self.at(over, counter)
        if isinstance(node, ast.For):
            self.bind(node.target, element)
            return self.run((*node.body, Back(head), *head.rest))
        if isinstance(node, ast.Return):
            self.show(element)
            return self._back(head)
        total = head.hidden("total")
        self.env[total] = self.as_number(self.env.get(total), node) + self.as_number(element, node)
        return self._back(head)
