"""The rule of one record: a loop that carries nothing from one record to the next needs at n records its budget at one.

Where each pass reads one record, decides about it and about coins of its own, and releases words, numbers and what it
reads, the law of the output is a product of laws, one for each record, and of these one alone changes. So the budget is
the largest ratio of the laws of two values of a record, over what a pass releases; it is compared for all parameters.

Refused is what a loop shares between records: draws before or after it, a way out of it, variables that change, an
index that coins depend on; and neighbours of which more than one record changes.

Source: Warner (1965); Kasiviswanathan et al. (2011), local randomizers.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.certificates.closed_grammar import carried_out
from stirred.verify.evidence.certificates.moves import SINGLE
from stirred.verify.evidence.certificates.number_types import MADE, TRUTHS, NumberTypes
from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol, is_nonnegative, parsed
from stirred.verify.evidence.certificates.program_graph import Edge, Graph
from stirred.verify.evidence.certificates.read_values import SHARED, SIZE, PathDecision, Shown, is_fixed

_ZERO, _ONE, _POINT = Polynomial.of(0), Polynomial.of(1), Fraction(1)
_MOST_POWER = 4

Law = dict[Any, Polynomial]


class OneRecordError(Exception):
    """The rule does not apply; the message says why."""


class OneRecord:
    """The laws of what a pass releases, by the value of the record.

    Raises:
        OneRecordError: passes share something, or a law is not computed.
    """

    def __init__(self, graph: Graph, neighbors: str) -> None:
        self.graph, self.program = graph, graph.program
        values = self.program.domain.listed
        if neighbors not in SINGLE or values is None:
            raise OneRecordError("one record changes, to one of listed values")
        self._passes = list(self._alone())
        if not all(map(self.program.records.is_positive, self.program.divisors)):
            raise OneRecordError("something is divided by what may be 0")
        record = "int" if all(one.denominator == 1 for one in values) else "float"
        types = [NumberTypes(self.program, record, real).released() for real in ("int", "float")]
        if any("several" in one or {"bool", TRUTHS} <= one for one in types) or self._lists() > 1:
            raise OneRecordError("what is released has several types, or is kept in several lists")
        laws = {value: self._law(value) for value in values}
        pairs = itertools.permutations(values, 2)
        self._pairs = [(laws[a], laws[b]) for a, b in pairs if neighbors == "one record" or abs(a - b) <= 1]

    def _alone(self) -> Iterator[Edge]:
        """The passes of the one loop."""
        graph = self.graph
        if len(graph.states) != 1:
            raise OneRecordError("not one loop")
        ((place, state),) = graph.states.items()
        counter = graph.counter(place)
        if counter is None or state.changing != {counter}:
            raise OneRecordError("something is carried from one record to the next")
        for edge in graph.edges:
            path, is_pass = edge.path, edge.source == place and edge.target == place
            public = [one.value for one in path.decisions] + [value for value, _ in path.same]
            if is_pass:
                if path.index != Polynomial.name(counter):
                    raise OneRecordError("the records are not read in order by one loop")
                values = [one for one, _ in path.same], path.shown
                read, told = (
                    [v for v in part if isinstance(v, Polynomial) and not is_fixed(v, counter)] for part in values
                )
                if len(read) != len(told):
                    raise OneRecordError("something of a record is rounded, or divides")
                yield edge
            elif path.draws or path.index is not None or not all(is_fixed(one, counter) for one in public):
                raise OneRecordError("something is drawn, read or decided outside of the passes")
            elif edge.target is None and (path.end != "return" or not isinstance(path.value, (Shown, type(None)))):
                raise OneRecordError("the loop ends by what is not the list of what it releases")

    def _lists(self) -> int:
        """How many lists are made, but for the data's own and those to be returned; 2 where a place is repeated."""
        (data, *_) = self.program.parameters(self.graph.function)
        own = list(carried_out(self.graph.function))
        nodes = [node for function in self.program.functions.values() for node in carried_out(function)]
        calls = [node for node in nodes if isinstance(node, ast.Call) and self.program.outer_name(node.func) in MADE]
        free = {id(part) for node in own if isinstance(node, ast.Return) for part in ast.walk(node)}
        if not any(isinstance(node, ast.Name) and node.id == data and isinstance(node.ctx, ast.Store) for node in own):
            free |= {id(node) for node in own if node in calls and [ast.unparse(one) for one in node.args] == [data]}
        made = {id(node) for node in (*calls, *(n for n in nodes if isinstance(n, ast.List)))} - free
        return len(made) + len(made & self.program.repeated)

    def _law(self, record: Fraction) -> Law:
        """What one pass releases where it reads this value; what is decided about the index is released too."""
        law: Law = {}
        for edge in self._passes:
            chance, public = self._chance(edge, record)
            if chance == 0:
                continue
            released = tuple(self._label(edge, one, record) for one in edge.path.shown)
            law[public, released] = law.get((public, released), _ZERO) + chance
        return law

    def _label(self, edge: Edge, value: Any, record: Fraction) -> Any:
        if not isinstance(value, Polynomial):
            return type(value).__name__, value
        known = self._at(value, record)
        if any(name.kind in ("draw", "opaque", "held") for name in known.names):
            raise OneRecordError("a draw is released")
        return ("bool", known == 1) if edge.path.is_truth(value) else ("number", known)

    def _at(self, value: Polynomial, record: Fraction) -> Polynomial:
        try:
            return self.program.records.at(value, record, {})
        except ValueError as error:
            raise OneRecordError(str(error)) from None

    def _chance(self, edge: Edge, record: Fraction) -> tuple[Polynomial, tuple[Any, ...]]:
        """The probability of a path where it reads this value, and what it decides about the index."""
        chance, public = _ONE, []
        draws = {draw.symbol: draw for draw in edge.path.draws}
        within = dict.fromkeys(draws, (_ZERO, _ONE))
        for one in edge.path.decisions:
            value = self._at(one.value, record)
            drawn = [name for name in value.names if name.kind == "draw"]
            if value.number is not None:
                so = {">": value.number > 0, ">=": value.number >= 0, "==": value.number == 0}[one.relation]
                if so != one.outcome:
                    return _ZERO, ()
            elif not drawn:
                if any(name.kind in ("opaque", "held") for name in value.names) or value.names != one.value.names:
                    raise OneRecordError(f"line {one.line}: the record decides together with what is not known")
                public.append((value, one.relation, one.outcome))
            elif len(drawn) > 1:
                raise OneRecordError(f"line {one.line}: a decision that is not about one coin")
            else:
                draw = draws[drawn[0]]
                chance_of = self._at(_ZERO if draw.chance is None else draw.chance, record)
                within[draw.symbol] = self._narrow(within[draw.symbol], one, value, (draw.symbol, chance_of))
        for draw in edge.path.draws:
            if draw.kind != SHARED or draw.chance is None:
                raise OneRecordError(f"line {draw.line}: a draw that is no coin")
            falls = self._at(draw.chance, record)
            if not self._is_above(falls, _ZERO) or not self._is_above(_ONE, falls):
                raise OneRecordError(f"line {draw.line}: a chance that may be below 0 or above 1")
            lower, upper = within[draw.symbol]
            chance *= upper - lower if self._is_above(upper, lower) else _ZERO
        return chance, tuple(public)

    def _narrow(
        self, at: tuple[Polynomial, Polynomial], one: PathDecision, value: Polynomial, coin: tuple[Symbol, Polynomial]
    ) -> tuple[Polynomial, Polynomial]:
        """Where a number from 0 to 1 lies, with one more decision about it; a coin falls so where it is below p."""
        symbol, chance = coin
        (monomial, factor), *others = [(m, n) for m, n in value.terms.items() if symbol in dict(m)]
        if others or monomial != ((symbol, 1),) or (one.relation == "==") != (chance != 1):
            raise OneRecordError(f"line {one.line}: a decision that is not about one coin")
        limit = (value - Polynomial({monomial: factor})) * (-1 / factor)
        is_above = not one.outcome if one.relation == "==" else (factor > 0) == one.outcome
        limit = chance if one.relation == "==" else limit
        return (self._larger(at[0], limit), at[1]) if is_above else (at[0], -self._larger(-at[1], -limit))

    def _larger(self, one: Polynomial, other: Polynomial) -> Polynomial:
        if self._is_above(one, other):
            return one
        if not self._is_above(other, one):
            raise OneRecordError(f"which of {one} and {other} is larger is not known")
        return other

    def _is_above(self, one: Polynomial, other: Polynomial) -> bool:
        """Whether a number is at least another one, for all parameters: quotients are multiplied out."""
        value = one - other
        for name in [name for name in value.names if name.kind == "quotient"]:
            above, below = self.program.quotients[name]
            powers = [dict(monomial).get(name, 0) for monomial in value.terms]
            least, power = min(powers), max(powers)
            total = _ZERO
            for monomial, number in value.terms.items():
                k = dict(monomial).get(name, 0)
                rest = Polynomial({tuple(part for part in monomial if part[0] != name): number})
                for factor in [above] * k + [below] * (power - k):
                    rest *= factor
                total += rest
            if least < 0 or not self._is_above(below, _ZERO):
                return False
            value = total
        positive = {*self.program.positive}
        lower = {name: Fraction(k) for name, k in self.program.whole.items()}
        lower |= {name: _POINT for name in value.names if name.kind == "exp" and self._rises(name)}
        return is_nonnegative(value, positive | {name for name in value.names if name.kind == "exp"} - {*lower}, lower)

    def _rises(self, name: Symbol) -> bool:
        least = {one: Fraction(k) for one, k in self.program.whole.items()}
        return is_nonnegative(parsed(name.text), self.program.positive, least)

    def pays(self, budget: Polynomial) -> bool:
        """Whether e^budget bounds every ratio: a sum of whole multiples of what stands in exp(...) and ln(...)."""
        factor = _ONE
        for monomial, number in budget.terms.items():
            (name, power), *others = monomial or ((SIZE, 0),)
            if name.kind == "ln" and power == 1 and not others:
                root, times = parsed(name.text), number
            else:
                exps = {n for one, _ in self._pairs for p in one.values() for n in self._exps(p)}
                alone = {n: parsed(n.text) for n in exps if len(parsed(n.text).terms) == 1}
                known = {n: (Polynomial({monomial: number}) / one).number for n, one in alone.items()}
                name, times = next(((n, k) for n, k in sorted(known.items()) if k is not None), (SIZE, Fraction(0)))
                root = Polynomial.name(name)
            if times.denominator != 1 or not 0 < times <= _MOST_POWER:
                return False
            for _ in range(int(times)):
                factor *= root
        return all(self._is_above(factor * q.get(key, _ZERO), p) for one, q in self._pairs for key, p in one.items())

    def _exps(self, value: Polynomial) -> set[Symbol]:
        inside = [part for name in value.names if name.kind == "quotient" for part in self.program.quotients[name]]
        return {name for name in value.names if name.kind == "exp"}.union(*map(self._exps, inside))

    def least(self) -> Polynomial:
        """The least budget that is found: the logarithm of the largest ratio, or a multiple of what stands in exp(...).

        Raises:
            OneRecordError: none is.
        """
        ratios = list[Fraction | None]()
        for one, other in self._pairs:
            for key, p in one.items():
                above, below = p.number, other.get(key, _ZERO).number
                if below == 0:
                    raise OneRecordError("one value of a record may release what another one never does")
                ratios.append(None if above is None or below is None else above / below)
        numbers = [ratio for ratio in ratios if ratio is not None]
        if len(numbers) == len(ratios):
            largest = max(numbers, default=Fraction(1))
            return _ZERO if largest == 1 else Polynomial.name(Symbol("ln", str(largest)))
        exps = {n for one, _ in self._pairs for p in one.values() for n in self._exps(p)}
        for times, name in itertools.product(range(1, _MOST_POWER + 1), sorted(exps)):
            if self._rises(name) and self.pays(parsed(name.text) * times):
                return parsed(name.text) * times
        raise OneRecordError("no multiple of what stands in exp(...) bounds the ratio")
