"""One value for each record, or each bin: lists, arrays, comprehensions, counts; the standard library alone."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from stirred.verify.evidence.certificates.path_state import PathState
from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol
from stirred.verify.evidence.certificates.read_values import (
    BINS,
    DATA,
    SIZE,
    BinCounts,
    Chosen,
    CountedRange,
    ExpWeights,
    NoiseDraw,
    Together,
    Vector,
    is_fixed,
    is_own,
    may_cross,
)
from stirred.verify.evidence.certificates.record_functions import is_test

INDEX = Symbol("opaque", "index")
"""Which element is computed, in a comprehension or an array."""
Iterable = Vector | CountedRange | Together


class ListEvaluation(PathState):
    """What lists and arrays are on one path."""

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
        if not isinstance(value, Vector) or value.kept is not None:
            self.refuse(f"a loop over {ast.unparse(node)} is not read")
        return value

    def size(self, over: Iterable) -> Polynomial:
        """How many there are; a range that goes down is empty, as a loop's `>` has it."""
        if isinstance(over, CountedRange):
            return over.size
        return self.size(over.parts[0]) if isinstance(over, Together) else over.size

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
            if index != Polynomial.name(INDEX):
                self.refuse("an element of another record")
            if vector.is_shown:
                self.refuse("what is rounded, in a comprehension: write a loop")
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
                self.path.draws.append(replace(cell, symbol=symbol, after=len(self.taken)))
                self.path.cells[cell.symbol] = symbol
            drawn[cell.symbol] = Polynomial.name(self.path.cells[cell.symbol])
        found = vector.element.at(drawn)
        if not vector.is_shown:
            return found
        self.require_same(found)
        return self.opaque()

    def by_element(self, meaning: Callable[..., Any], *values: Any) -> Vector:
        """An array of what is computed of each element of arrays, with numbers beside them."""
        vectors = [one for one in values if isinstance(one, Vector)]
        if self.cells is not None or not any(one.is_array for one in vectors):
            self.refuse("arithmetic on lists: make an array of them first")
        if any(one.size != vectors[0].size or one.kept is not None for one in vectors):
            self.refuse("arrays of different lengths")
        if vectors[0].is_shown and len(vectors) == 1:
            if not all(isinstance(one, Vector) or is_fixed(self.as_number(one, self.node)) for one in values):
                self.refuse("what is rounded, with what is not a number of the parameters")
            return vectors[0]
        if any(one.is_shown for one in vectors):
            self.refuse("two arrays, one of which is rounded")
        cells = {cell.symbol: cell for one in vectors for cell in one.cells}
        sides = [one.element if isinstance(one, Vector) else one for one in values]
        return self.vector(lambda: meaning(*sides), cells, is_array=True, size=vectors[0].size)

    def vector(
        self,
        make: Callable[[], Any],
        cells: Mapping[Symbol, NoiseDraw],
        *,
        is_array: bool,
        size: Polynomial | None = None,
    ) -> Vector:
        """A vector by its element, in which nothing is decided or released, and which nothing of this path is in."""
        self.cells, node = dict(cells), self.node
        element = make()
        self.node = node
        size = Polynomial.name(SIZE) if size is None else size
        found = Vector(self.as_number(element, node), tuple(self.cells.values()), is_array, size)
        self.cells = None
        if isinstance(element, bool) or not may_cross(found):
            self.refuse("a value for each record is computed from it, the parameters and its own noise alone")
        return found

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> Vector:
        if self.cells is not None:
            self.refuse("a comprehension in another one")
        loop = node.generators[0]
        over = self.iterable(loop.iter)
        self.node = node
        before, size, kept = dict(self.env), self.size(over), list[Polynomial]()

        def make() -> Any:
            self.bind(loop.target, self.at(over, Polynomial.name(INDEX)))
            kept.extend(self.value(one) for one in loop.ifs)
            return self.value(node.elt)

        known = len(self.program.divisors)
        found = self.vector(make, {}, is_array=False, size=size)
        self.env = before
        if kept and not all(map(self.program.records.is_positive, self.program.divisors[known:])):
            self.refuse("what may be 0 divides what a record is kept for")
        if not all(map(is_test, kept)) or (kept and found.cells):
            self.refuse("an `if` in a comprehension is about the record")
        return replace(found, kept=kept[0]) if kept else found

    def dictionary(self, node: ast.DictComp) -> BinCounts:
        """Zeros, for each of the first integers."""
        loop = node.generators[0]
        size: ast.expr = ast.Constant(None)
        if isinstance(loop.iter, ast.Call) and self.outer_name(loop.iter.func) == "builtins.range":
            size = loop.iter.args[0] if len(loop.iter.args) == 1 else size
        if ast.unparse(node.key) != ast.unparse(loop.target) or ast.unparse(node.value) not in ("0", "0.0") or loop.ifs:
            self.refuse("a dictionary is read of zeros for each number in a range, or where it is released")
        return BinCounts(self.parameter(self.value(size), "a length"))

    def summed(self, call: ast.Call) -> Iterable | ExpWeights | None:
        """What a sum, a mean, or the number of what is kept or equal goes over; None where nothing is added up."""
        node = self.program.summed(call)
        name = self.program.adds(call)
        is_held = isinstance(node, ast.Name) and Symbol("held", node.id) in self.env
        if node is None or (name == "len" and not (is_held or isinstance(node, ast.ListComp))):
            return None
        held = self.env[Symbol("held", node.id)] if is_held and isinstance(node, ast.Name) else None
        if isinstance(held, ExpWeights) and held.stage == "weights":
            return held
        if name == "len" and is_held and not (isinstance(held, Vector) and held.kept is not None):
            return None
        value = held if isinstance(held, Vector) else self.value(node) if name != "sum" else None
        if value is None:
            value = self.comprehension(node) if isinstance(node, ast.GeneratorExp) else self.iterable(node)
        if not isinstance(value, Vector):
            return (
                value
                if name in ("sum", "mean") and not isinstance(value, ExpWeights)
                else self.refuse(f"{name} of this")
            )
        if name == "count":
            number = self.number(call.args[0])
            if not is_fixed(number):
                return None
            if not is_own(value.element) or value.kept is not None or value.is_array:
                self.refuse("count is read of a list of the records")
            return replace(value, element=self.program.records.condition("==", value.element - number))
        if name == "len":
            return None if value.kept is None else replace(value, element=value.kept, kept=None)
        if name == "count_nonzero" and not is_test(value.element):
            self.refuse("count_nonzero is read of truth values")
        if value.kept is None:
            return value
        if name == "mean":
            self.refuse("the mean of what is kept: its number depends on the data")
        element = self.program.records.chosen(value.kept, value.element, Polynomial.of(0))
        return (
            replace(value, element=element, kept=None) if element is not None else self.refuse("this sum is not read")
        )

    def chosen(self, vector: Vector, sign: int) -> Chosen:
        """The index of the largest or smallest element."""
        if vector.is_shown or vector.kept is not None:
            self.refuse("the index of what is rounded, or of what is kept")
        return Chosen(vector, sign, self.line)

    def shown(self, value: Any) -> Any:
        """What is computed of what is the same in both runs: a number, or an array of such."""
        if isinstance(value, Vector) and value.kept is None:
            return replace(value, is_shown=True)
        self.require_same(self.as_number(value, self.node))
        return self.opaque()

    def bin_count(self, which: Polynomial) -> Polynomial:
        """How many records are a number that is another one in each pass, or for each element: that of the pass."""
        counter = None if self.where is None else self.where.hidden("counter")
        own = INDEX if self.cells is not None else counter
        if own is None or which != Polynomial.name(own):
            self.refuse("count is read of a number of the parameters, or of what `for` goes over from 0 on")
        return self.element(BINS, Polynomial.name(own))

    def tallied(self, node: ast.For) -> bool:
        """Whether a loop counts how many records are each number: `for x in data: counts[x] += 1`; then it is done."""
        (body, *others) = node.body
        if not isinstance(body, ast.AugAssign) or not isinstance(body.target, ast.Subscript):
            return False
        held, name = Symbol("held", ast.unparse(body.target.value)), ast.unparse(node.target)
        tally, text = self.env.get(held), f"{held}[{name}] += 1"
        if not isinstance(tally, BinCounts) or tally.is_full:
            return False
        is_alone = not others and not node.orelse and ast.unparse(body) == text and name.isidentifier()
        if not is_alone or self.iterable(node.iter) != DATA:
            self.refuse(f"what is counted is read as `for {name} in data: {text}`")
        if tally.size is not None and not self.program.records.is_above(tally.size, self.program.domain.bins):
            self.refuse('a record may have no place there: say values = "range(k)"')
        if sum(one is tally for one in self.env.values()) != 1:
            self.refuse(f"{held} has two names")
        full = BinCounts(None, is_full=True) if tally.size is None else replace(BINS, size=tally.size)
        self.env[held] = full
        self.env.pop(Symbol("held", name), None)
        return True
