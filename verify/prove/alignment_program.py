"""Shifts, distances and a potential of a program by one linear program over the rationals, with the least budget."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.certificates.alignment import (
    SUMMED,
    VERTICES,
    AlignmentError,
    Numbers,
    Signs,
    linear,
    place_name,
    premises,
    to_json,
)
from stirred.verify.evidence.certificates.polynomial import (
    Monomial,
    Polynomial,
    Symbol,
    common_power,
    expanded,
    product,
)
from stirred.verify.evidence.certificates.program_graph import Edge, Graph
from stirred.verify.evidence.certificates.read_values import RECORD, SHARED, SIZE, Chosen, NoiseDraw, Place, is_fixed
from stirred.verify.prove.linear_facts import (
    Shown,
    fraction_of,
    head_facts,
    least_value,
    shown_facts,
    solved,
)

_SOLVER_MS = 30_000
_MOST_MODES = 64
FREE = "free"

Sum = dict[Monomial, Any]
"""A polynomial whose coefficients are terms of the solver."""


@dataclass(frozen=True)
class LeastBudget:
    """An alignment.

    Attributes:
        budget: the least that it shows.
        parts: heads and edges, as a certificate has them.
    """

    budget: Polynomial
    parts: Mapping[str, Any]


class AlignmentProgram:
    """The alignments of a program that keep its paths.

    The shift of each draw is one number for each corner of the neighbours' relation, and two for each variable whose
    distance is free; each other variable is apart by a constant. All conditions are linear in these numbers, in the
    constants and in the coefficients of the potential, so that the least budget is the optimum of one program.

    Raises:
        EngineError: the solver gives no answer.
    """

    def __init__(self, graph: Graph, neighbors: str, direction: str) -> None:
        self.graph, self.neighbors, self.vertices = graph, neighbors, VERTICES[neighbors][direction]
        self.draws = [draw for edge in graph.edges for draw in edge.path.draws if draw.kind != SHARED]
        self.signs = Signs(graph.program, [draw.rate for draw in self.draws])
        self.refused = self._refused()
        self.quiet = self._quiet()
        self.facts = {} if self.refused else head_facts(graph)
        self.spending = {place: self._spending(place) for place in self.facts}
        self.bounds = {edge.key: self._bounds(edge) for edge in graph.edges} if not self.refused else {}

    def _refused(self) -> str:
        """Why there is no alignment of this kind, whatever the numbers."""
        for place, state in self.graph.states.items():
            if state.infinite:
                return f"line {place[0]}: {', '.join(map(str, state.infinite))} may be infinite"
        for draw in self.draws:
            if not self.signs.show(draw.rate):
                return f"line {draw.line}: noise of a scale that may be 0 or negative; say 'positive' of its parameters"
        for edge in self.graph.edges:
            if isinstance(edge.path.value, Chosen):
                return f"line {edge.path.value.line}: the index of the largest value is released"
            kinds = {draw.is_whole for draw in edge.path.draws if draw.kind != SHARED}
            if len(kinds) > 1:
                return f"line {edge.path.draws[0].line}: noise of real numbers and of integers together"
        return ""

    def _quiet(self) -> set[tuple[Place, Symbol]]:
        """The variables that stay equal since they are computed from equal ones."""
        quiet = {(place, name) for place, state in self.graph.states.items() for name in state.changing}
        changed = True
        while changed:
            changed = False
            for edge in self.graph.edges:
                moved = self.moved(edge, quiet)
                for name, value in self.graph.into(edge).items():
                    if edge.target is not None and (edge.target, name) in quiet and value.names & moved:
                        quiet.discard((edge.target, name))
                        changed = True
        return quiet

    def moved(self, edge: Edge, quiet: Iterable[tuple[Place, Symbol]]) -> set[Symbol]:
        """The names on a path that may differ between the runs."""
        found = {draw.symbol for draw in edge.path.draws if draw.kind != SHARED}
        if edge.path.index is not None:
            found.add(RECORD)
        if edge.source is not None:
            changing = self.graph.states[edge.source].changing
            found |= {name for name in changing if (edge.source, name) not in quiet}
        return found

    def _spending(self, place: Place) -> list[Polynomial]:
        """The facts whose value changes by a number of the parameters in each pass, and falls in one."""
        found = []
        for fact in self.facts[place]:
            steps = [fact.at(self.graph.into(e)) - fact for e in self.graph.edges if e.source == e.target == place]
            entries = [fact.at(self.graph.into(e)) for e in self.graph.edges if e.target == place != e.source]
            is_public = all(is_fixed(one) and SIZE not in one.names for one in steps + entries)
            if is_public and any((one.number or 0) < 0 for one in steps):
                found.append(fact)
        return found

    def _bounds(self, edge: Edge) -> list[Shown]:
        if edge.source is None or edge.source == edge.target:
            return []
        known = premises(self.graph, edge, self.facts[edge.source])
        found = [least_value(known, fact) for fact in self.spending[edge.source]]
        return [one if one is not None else (Fraction(0), {}) for one in found]

    def modes(self) -> Iterator[dict[tuple[Place, Symbol], str]]:
        """Which variables' distances are constant, which free."""
        loud = sorted(
            (place, name)
            for place, s in self.graph.states.items()
            for name in s.changing
            if (place, name) not in self.quiet
        )
        names = sorted({name for _, name in loud})
        for count, pick in enumerate(itertools.product(("constant", FREE), repeat=len(names))):
            if count < _MOST_MODES:
                mode = dict(zip(names, pick, strict=True))
                yield {key: mode[key[1]] for key in loud}

    def least(self, claim: Polynomial | None, unpaid: int = 0, unasked: int = 0) -> LeastBudget | None:
        """The least budget, at most the claim if there is one; None where no alignment shows any.

        `unpaid` is a line whose noise costs nothing, `unasked` one whose outputs and decisions need not agree: to find
        what stands in the way.

        Raises:
            EngineError: the solver gives no answer.
        """
        if self.refused:
            return None
        best, most = None, None
        for modes in self.modes():
            try:
                found = _Attempt(self, modes, claim, unpaid, unasked).solve()
            except AlignmentError:
                continue
            if found is not None and (most is None or found[1] < most):
                best, most = found
            if best is not None and claim is not None:
                break
        return best

    def obstacle(self) -> str:
        """What no budget pays, by line; empty where no single line is at fault."""
        if self.refused:
            return self.refused
        for line in sorted({draw.line for draw in self.draws}):
            if self.least(None, unpaid=line) is not None:
                return f"line {line} can't be paid by any budget"
        asked = {line for edge in self.graph.edges for _, line in edge.path.same}
        asked |= {one.line for edge in self.graph.edges for one in edge.path.decisions}
        for line in sorted(asked):
            if self.least(None, unasked=line) is not None:
                return f"line {line} can't be the same in both runs"
        return ""


class _Attempt:
    """One linear program: with modes chosen."""

    def __init__(
        self,
        given: AlignmentProgram,
        modes: Mapping[tuple[Place, Symbol], str],
        claim: Polynomial | None,
        unpaid: int,
        unasked: int,
    ) -> None:
        import z3  # noqa: PLC0415 slow to import

        self.z3, self.given, self.graph, self.modes = z3, given, given.graph, modes
        self.claim, self.unpaid, self.unasked = claim, unpaid, unasked
        self.solver = z3.Optimize()
        self.solver.set("timeout", _SOLVER_MS)
        self.variables: dict[str, Any] = {}
        self.sizes: list[Any] = []
        self.is_whole = any(draw.is_whole for draw in given.draws)
        values = [draw.rate for draw in given.draws]
        entries = [
            fact.at(self.graph.into(edge))
            for edge in self.graph.edges
            if edge.target is not None and edge.source != edge.target
            for fact in given.spending[edge.target]
        ]
        self.rates = sorted({monomial for one in values for monomial in one.terms})
        self.monomials = sorted(
            {product(m, n) for m in self.rates for one in (Polynomial.of(1), *entries) for n in one.terms}
            | set(claim.terms if claim is not None else ())
        )

    def variable(self, name: str, *, is_whole: bool = False, is_positive: bool = False) -> Any:
        """A variable of the program by its name."""
        if name not in self.variables:
            made = self.z3.Int(name) if is_whole else self.z3.Real(name)
            self.variables[name] = made
            if is_positive:
                self.solver.add(made >= 0)
        return self.variables[name]

    def number(self, value: Fraction) -> Any:
        """A number as a term."""
        return self.z3.RealVal(str(value))

    def is_free(self, place: Place, name: Symbol) -> bool:
        """Whether a variable's distance is free."""
        return self.modes.get((place, name)) == FREE

    def constant(self, place: Place, name: Symbol) -> Any:
        """By how much a variable is ahead in the second run."""
        if (place, name) not in self.modes:
            return self.number(Fraction(0))
        return self.variable(f"k|{place_name(place)}|{name.key}", is_whole=self.is_whole)

    def coefficient(self, place: Place, what: str) -> Sum:
        """A coefficient of the potential."""
        monomials = self.monomials if what in ("once", "records") else self.rates
        return {m: self.variable(f"p|{place_name(place)}|{what}|{m}", is_positive=True) for m in monomials}

    def paid(self, left: Sum, right: Sum) -> None:
        """Left <= right for all parameters in their ranges."""
        signs, lift = self.given.signs, common_power({*left, *right}, self.given.signs.least)
        total: dict[Monomial, list[Any]] = {}
        for sign, side in ((1, right), (-1, left)):
            for monomial, term in side.items():
                for one, number in expanded(monomial, signs.least, lift).items():
                    total.setdefault(one, []).append(self.number(number * sign) * term)
        self.solver.add(*(self.z3.Sum(terms) >= 0 for terms in total.values()))

    def apart(self, value: Polynomial, way: Mapping[Symbol, Any], moved: set[Symbol]) -> Any:
        """How far apart a number is in the two runs."""
        terms = [self.number(number) * way[name] for name, number in linear(value, moved).items() if name in way]
        return self.z3.Sum(terms) if terms else self.number(Fraction(0))

    def size(self, term: Any, name: str) -> Any:
        """The absolute value of a shift."""
        found = self.variable(f"a|{name}")
        self.solver.add(found >= term, found >= -term)
        self.sizes.append(found)
        return found

    def solve(self) -> tuple[LeastBudget, Fraction] | None:
        """The optimum."""
        budget = {m: self.variable(f"b|{m}", is_positive=True) for m in self.monomials}
        for edge in self.graph.edges:
            self.follow(edge, budget)
        if self.claim is not None:
            self.paid(budget, {m: self.number(number) for m, number in self.claim.terms.items()})
        point = [self.number(self.at_point(m)) * budget[m] for m in self.monomials]
        self.solver.minimize(self.z3.Sum(point) if point else self.number(Fraction(0)))
        self.solver.minimize(self.z3.Sum(self.sizes) if self.sizes else self.number(Fraction(0)))
        if not solved(self.solver):
            return None
        self.model = self.solver.model()
        least = Polynomial({m: fraction_of(self.model, budget[m]) for m in self.monomials})
        value = sum((number * self.at_point(m) for m, number in least.terms.items()), Fraction(0))
        return LeastBudget(least, self.parts()), value

    def at_point(self, monomial: Monomial) -> Fraction:
        """A monomial where budgets are compared: integers at 4 above their least value, all else at 1."""
        found = Fraction(1)
        for name, power in monomial:
            found *= (self.given.signs.least[name] + 4) ** power if name in self.given.signs.least else 1
        return found

    def corners(self, edge: Edge) -> Sequence[int]:
        """By how much the record of a path changes."""
        return self.given.vertices if edge.path.index is not None else (0,)

    def free(self, place: Place | None) -> list[Symbol]:
        """The variables at a head whose distance is free."""
        return [] if place is None else sorted(n for n in self.graph.states[place].changing if self.is_free(place, n))

    def rays(self, place: Place | None) -> dict[str, tuple[Symbol, int]]:
        """Each of them ahead, and behind."""
        return {f"{sign}{name.key}": (name, int(f"{sign}1")) for name in self.free(place) for sign in "+-"}

    def shift(self, edge: Edge, draw: NoiseDraw, key: str) -> Any:
        """A draw's shift at a corner, or for each unit of a free distance."""
        return self.variable(f"s|{edge.key}|{draw.symbol.key}|{key}", is_whole=draw.is_whole)

    def follow(self, edge: Edge, budget: Sum) -> None:
        """All conditions of one path."""
        source = edge.source
        moved = self.given.moved(edge, self.given.quiet)
        draws = [draw for draw in edge.path.draws if draw.kind != SHARED]
        names = self.graph.states[source].changing if source is not None else set()
        corners, free = self.corners(edge), self.free(source)
        for v in corners:
            way = {RECORD: self.number(Fraction(v)), **{draw.symbol: self.shift(edge, draw, str(v)) for draw in draws}}
            if source is not None:
                way |= {n: self.constant(source, n) for n in names if n not in free}
            self.step(edge, str(v), way, moved, budget)
        for ray, (name, unit) in self.rays(source).items():
            way = {
                name: self.number(Fraction(unit)),
                **{draw.symbol: self.shift(edge, draw, ray) for draw in draws},
            }
            self.step(edge, ray, way, moved, budget)

    def step(self, edge: Edge, key: str, way: Mapping[Symbol, Any], moved: set[Symbol], budget: Sum) -> None:
        """The conditions of one path at a corner, or along a ray."""
        is_ray = key in self.rays(edge.source)
        for value, line in edge.path.same:
            if line != self.unasked:
                self.solver.add(self.apart(value, way, moved) == 0)
        for one in edge.path.decisions:
            if one.line == self.unasked:
                continue
            term = self.apart(one.value, way, moved)
            self.solver.add(term == 0 if one.relation == "==" else term >= 0 if one.outcome else term <= 0)
        spent: Sum = {}
        self.shifts(edge, key, way, spent)
        if edge.target is not None:
            self.arrive(edge, key, way, moved, spent)
        before: Sum = dict(budget)
        if edge.source is not None and is_ray:
            before = self.coefficient(edge.source, f"d|{key[1:]}")
        elif edge.source is not None:
            before = dict(self.coefficient(edge.source, "once"))
            if edge.path.index is not None and self.pays_records(edge.source):
                _add(
                    before,
                    {
                        m: self.number(abs(Fraction(key))) * t
                        for m, t in self.coefficient(edge.source, "records").items()
                    },
                )
            for k, bound in enumerate(self.given.bounds[edge.key]):
                _add(before, {m: self.number(bound[0]) * t for m, t in self.coefficient(edge.source, f"f|{k}").items()})
        self.paid(spent, before)

    def shifts(self, edge: Edge, key: str, way: Mapping[Symbol, Any], spent: Sum) -> None:
        """What the shifts of a path cost; one-sided noise moves upwards, and not along a ray."""
        for draw in edge.path.draws:
            if draw.kind == SHARED:
                continue
            shift = way[draw.symbol]
            if draw.kind in ("exponential", "geometric"):
                self.solver.add(shift >= 0)
            if draw.line != self.unpaid:
                size = self.size(shift, f"{edge.key}|{draw.symbol.key}|{key}")
                _add(spent, {m: self.number(number) * size for m, number in draw.rate.terms.items()})

    def pays_records(self, place: Place) -> bool:
        """Whether each record is read once there, and all changes are at most 1 together."""
        return self.given.neighbors in SUMMED and self.graph.counter(place) is not None

    def arrive(self, edge: Edge, key: str, way: Mapping[Symbol, Any], moved: set[Symbol], spent: Sum) -> None:
        """The distances at the target, and what its potential adds to what is spent."""
        target, into = edge.target, self.graph.into(edge)
        if target is None:
            return
        is_ray = key in self.rays(edge.source)
        for name in sorted(self.graph.states[target].changing):
            value = into[name]
            if not self.is_free(target, name):
                self.solver.add(self.apart(value, way, moved) == (0 if is_ray else self.constant(target, name)))
                continue
            known: Numbers = {}
            for one, number in linear(value, moved).items():
                term = way.get(one)
                if term is not None and not self.z3.is_rational_value(term):
                    raise AlignmentError(f"the distance of {name} is not known")
                known[one] = number * (Fraction(term.as_string()) if term is not None else 0)
            distance = abs(sum(known.values(), Fraction(0)))
            _add(spent, {m: self.number(distance) * t for m, t in self.coefficient(target, f"d|{name.key}").items()})
        if is_ray:
            return
        _add(spent, self.coefficient(target, "once"))
        stays = edge.source == target
        if not stays and self.pays_records(target):
            _add(spent, self.coefficient(target, "records"))
        for k, fact in enumerate(self.given.spending[target]):
            value = fact.at(into) - (fact if stays else 0)
            for m, term in self.coefficient(target, f"f|{k}").items():
                _add(spent, {product(m, n): self.number(number) * term for n, number in value.terms.items()})

    def parts(self) -> dict[str, Any]:
        """Heads and edges of the certificate."""
        graph, given = self.graph, self.given

        def value(term: Any) -> str:
            return str(fraction_of(self.model, term))

        def poly(sums: Sum) -> list[Any]:
            return to_json(Polynomial({m: fraction_of(self.model, t) for m, t in sums.items()}))

        heads, edges = {}, {}
        for place, state in graph.states.items():
            free = self.free(place)
            heads[place_name(place)] = {
                "distances": {
                    n.key: FREE if n in free else value(self.constant(place, n)) for n in sorted(state.changing)
                },
                "facts": list(map(to_json, given.facts[place])),
                "potential": {
                    "once": poly(self.coefficient(place, "once")),
                    "records": poly(self.coefficient(place, "records")) if self.pays_records(place) else [],
                    "distances": {name.key: poly(self.coefficient(place, f"d|{name.key}")) for name in free},
                    "facts": [
                        [poly(self.coefficient(place, f"f|{k}")), to_json(fact)]
                        for k, fact in enumerate(given.spending[place])
                    ],
                },
            }
        for edge in graph.edges:
            keys = [*map(str, self.corners(edge)), *self.rays(edge.source)]
            draws = [draw for draw in edge.path.draws if draw.kind != SHARED]
            edges[edge.key] = {
                "shifts": {
                    draw.symbol.key: {key: value(self.shift(edge, draw, key)) for key in keys} for draw in draws
                },
                "facts": shown_facts(graph, edge, given.facts),
                "bounds": [[str(least), multipliers] for least, multipliers in given.bounds[edge.key]],
            }
        return {"heads": heads, "edges": edges}


def _add(total: Sum, more: Sum) -> None:
    for monomial, term in more.items():
        total[monomial] = total[monomial] + term if monomial in total else term
