"""Shifts, distances and a potential of a program by one linear program over the rationals, with the least budget."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.certificates.alignment import (
    AlignmentError,
    Signs,
    between_keys,
    place_name,
    premises,
    ray_of,
    to_json,
)
from stirred.verify.evidence.certificates.moves import SUMMED, MovesError, Numbers, RunDistances
from stirred.verify.evidence.certificates.polynomial import (
    Monomial,
    Polynomial,
    Symbol,
    common_power,
    expanded,
    product,
)
from stirred.verify.evidence.certificates.program_graph import Edge, Graph
from stirred.verify.evidence.certificates.quadratic_costs import TWO_SIDED, QuadraticCosts, before, half_square
from stirred.verify.evidence.certificates.read_values import ONE_SIDED, SHARED, SIZE, Chosen, NoiseDraw, Place, is_fixed
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

    def __init__(self, graph: Graph, neighbors: str, direction: str, measure: str = "pure") -> None:
        self.measure = measure
        self.graph, self.neighbors, self.direction = graph, neighbors, direction
        self.draws = [draw for edge in graph.edges for draw in edge.path.draws if draw.kind != SHARED]
        self.signs = Signs(graph.program, [draw.rate for draw in self.draws])
        self.refused = self._refused()
        try:
            self.moves = RunDistances(graph, neighbors, {*self.signs.positive, *self.signs.least})
        except MovesError as error:
            self.refused = self.refused or str(error)
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
            one_sided = [one for one in edge.path.draws if one.kind not in (SHARED, *TWO_SIDED)]
            if self.measure == "zcdp" and one_sided:
                return f"line {one_sided[0].line}: one-sided noise has no budget under zCDP"
            kinds = {draw.is_whole for draw in edge.path.draws if draw.kind != SHARED}
            if len(kinds) > 1:
                return f"line {edge.path.draws[0].line}: noise of real numbers and of integers together"
        return ""

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
            if (place, name) not in self.moves.quiet
        )
        is_by_place = self.neighbors == "one moved"  # what is apart in a loop is equal after it
        own = {key: key if is_by_place else key[1] for key in loud}
        names = sorted(set(own.values()), key=str)
        for pick in itertools.islice(itertools.product(("constant", FREE), repeat=len(names)), _MOST_MODES):
            mode = dict(zip(names, pick, strict=True))
            yield {key: mode[own[key]] for key in loud}

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
                found = _Attempt(self, modes, claim, (unpaid, unasked)).solve()
            except (AlignmentError, MovesError):
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


@dataclass(frozen=True)
class _Settled:
    """Shifts that are chosen, by their names, and what they cost."""

    shifts: Mapping[str, Fraction]
    costs: QuadraticCosts


class _Attempt:
    """One linear program: with modes chosen."""

    def __init__(
        self,
        given: AlignmentProgram,
        modes: Mapping[tuple[Place, Symbol], str],
        claim: Polynomial | None,
        lines: tuple[int, int],
        settled: _Settled | None = None,
    ) -> None:
        import z3  # noqa: PLC0415 slow to import

        self.z3, self.given, self.graph, self.modes = z3, given, given.graph, modes
        self.claim, self.settled = claim, settled
        self.unpaid, self.unasked = lines
        self.solver = z3.Optimize()
        self.solver.set("timeout", _SOLVER_MS)
        self.variables: dict[str, Any] = {}
        self.sizes: list[Any] = []
        self.is_whole = any(draw.is_whole for draw in given.draws)
        values = [self.rate(edge, draw) for edge in self.graph.edges for draw in edge.path.draws if draw.kind != SHARED]
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

    def rate(self, edge: Edge, draw: NoiseDraw) -> Polynomial:
        """What a shift by 1 costs."""
        rate = draw.rate * self.given.moves.unit(edge, draw.symbol)
        return half_square(rate) if self.given.measure == "zcdp" else rate

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

    def apart(
        self, edge: Edge, value: Polynomial, way: Mapping[Symbol, Any], moved: set[Symbol], target: Symbol | None = None
    ) -> Any:
        """How far apart a number is in the two runs."""
        numbers = self.given.moves.linear(edge, value, moved, target)
        terms = [self.number(number) * way[name] for name, number in numbers.items() if name in way]
        return self.z3.Sum(terms) if terms else self.number(Fraction(0))

    def size(self, term: Any, name: str) -> Any:
        """The absolute value of a shift."""
        found = self.variable(f"a|{name}")
        self.solver.add(found >= term, found >= -term)
        self.sizes.append(found)
        return found

    def solve(self) -> tuple[LeastBudget, Fraction] | None:
        """The optimum."""
        parts = [m for m in self.monomials if SIZE not in dict(m)]
        budget = {m: self.variable(f"b|{m}", is_positive=True) for m in parts}
        for edge in self.graph.edges:
            self.follow(edge, budget)
        is_first = self.given.measure == "zcdp" and self.settled is None
        if self.claim is not None and not is_first:
            self.paid(budget, {m: self.number(number) for m, number in self.claim.terms.items()})
        point = [self.number(self.at_point(m)) * budget[m] for m in parts]
        self.solver.minimize(self.z3.Sum(point) if point else self.number(Fraction(0)))
        self.solver.minimize(self.z3.Sum(self.sizes) if self.sizes else self.number(Fraction(0)))
        if not solved(self.solver):
            return None
        self.model = self.solver.model()
        if is_first:
            return self.again()
        least = Polynomial({m: fraction_of(self.model, budget[m]) for m in parts})
        value = sum((number * self.at_point(m) for m, number in least.terms.items()), Fraction(0))
        return LeastBudget(least, self.parts()), value

    def again(self) -> tuple[LeastBudget, Fraction] | None:
        """The program with the shifts that are cheapest by |shift|, and what these cost by their squares."""
        shifts = {name: fraction_of(self.model, one) for name, one in self.variables.items() if name[:2] == "s|"}
        apart: dict[Place, dict[Symbol, Fraction | None]] = {
            place: {
                name: None if self.is_free(place, name) else fraction_of(self.model, self.constant(place, name))
                for name in state.changing
            }
            for place, state in self.graph.states.items()
        }
        settled = _Settled(shifts, QuadraticCosts(self.given.moves, apart))
        by_draw: dict[str, dict[str, Fraction]] = {}
        for name, number in shifts.items():
            by_draw.setdefault(name.rpartition("|")[0], {})[name.rpartition("|")[2]] = number
        for keys in by_draw.values():
            settled.costs.require_one_cause(keys)
        return _Attempt(self.given, self.modes, self.claim, (self.unpaid, self.unasked), settled).solve()

    def at_point(self, monomial: Monomial) -> Fraction:
        """A monomial where budgets are compared: integers at 4 above their least value, all else at 1."""
        found = Fraction(1)
        for name, power in monomial:
            found *= (self.given.signs.least[name] + 4) ** power if name in self.given.signs.least else 1
        return found

    def free(self, place: Place | None) -> list[Symbol]:
        """The variables at a head whose distance is free."""
        return [] if place is None else sorted(n for n in self.graph.states[place].changing if self.is_free(place, n))

    def rays(self, edge: Edge) -> dict[str, tuple[Symbol, int]]:
        """Each of them ahead, and behind, on a path where it may be."""
        kept = self.given.moves.kept(edge)
        free = [name for name in self.free(edge.source) if name not in kept]
        return {f"{sign}{name.key}": (name, int(f"{sign}1")) for name in free for sign in "+-"}

    def shift(self, edge: Edge, draw: NoiseDraw, key: str) -> Any:
        """A draw's shift at a corner, or for each unit of a free distance."""
        owner = str(before(edge, draw)) if self.given.measure == "zcdp" else edge.key
        name = f"s|{owner}|{draw.symbol.key}|{key}"
        if self.settled is not None:
            return self.number(self.settled.shifts[name])
        return self.variable(name, is_whole=draw.is_whole)

    def follow(self, edge: Edge, budget: Sum) -> None:
        """All conditions of one path."""
        source = edge.source
        moved = self.given.moves.moved(edge)
        draws = [draw for draw in edge.path.draws if draw.kind != SHARED]
        names = self.graph.states[source].changing if source is not None else set()
        free = self.free(source)
        fixed = {n: self.constant(source, n) for n in names if source is not None and n not in free}
        starts = {
            key: fixed | {name: self.number(number) for name, number in corner.items()}
            for key, corner in self.given.moves.corners(edge, self.given.direction).items()
        }
        starts |= {ray: {name: self.number(Fraction(unit))} for ray, (name, unit) in self.rays(edge).items()}
        for start, known in starts.items():
            for key, bits in between_keys(edge, start).items():
                way = known | {draw.symbol: self.shift(edge, draw, key) for draw in draws}
                for (name, value), bit in zip(edge.path.between.items(), bits, strict=True):
                    way[name] = self.apart(edge, value, way, moved, name) * bit
                self.step(edge, key, way, moved, budget)

    def step(self, edge: Edge, key: str, way: Mapping[Symbol, Any], moved: set[Symbol], budget: Sum) -> None:
        """The conditions of one path at a corner, or along a ray."""
        ray = ray_of(key)
        is_ray = ray in self.rays(edge)
        for value, line in edge.path.same:
            if line != self.unasked:
                self.solver.add(self.apart(edge, value, way, moved) == 0)
        for one in edge.path.decisions:
            if one.line == self.unasked:
                continue
            term = self.apart(edge, one.value, way, moved)
            self.solver.add(term == 0 if one.relation == "==" else term >= 0 if one.outcome else term <= 0)
        spent: Sum = {}
        self.shifts(edge, key, way, spent)
        if edge.target is not None:
            self.arrive(edge, key, way, moved, spent)
        before: Sum = dict(budget)
        if edge.source is not None and is_ray:
            before = self.coefficient(edge.source, f"d|{ray[1:]}")
        elif edge.source is not None:
            before = dict(self.coefficient(edge.source, "once"))
            if edge.path.index is not None and self.pays_records(edge.source):
                changed = self.number(Fraction(self.given.moves.changed(edge, ray)))
                _add(before, {m: changed * t for m, t in self.coefficient(edge.source, "records").items()})
            for k, bound in enumerate(self.given.bounds[edge.key]):
                _add(before, {m: self.number(bound[0]) * t for m, t in self.coefficient(edge.source, f"f|{k}").items()})
        self.paid(spent, before)

    def shifts(self, edge: Edge, key: str, way: Mapping[Symbol, Any], spent: Sum) -> None:
        """What the shifts of a path cost; one-sided noise moves upwards, and not along a ray."""
        for draw in edge.path.draws:
            if draw.kind == SHARED:
                continue
            shift = way[draw.symbol]
            if draw.kind in ONE_SIDED:
                self.solver.add(shift >= 0)
            if draw.kind == "normal" and self.given.measure == "pure":
                self.solver.add(shift == 0)
            elif self.settled is not None:
                cost = self.settled.costs.cost(edge, draw, fraction_of(None, shift), ray_of(key))
                _add(spent, {m: self.number(number) for m, number in cost.terms.items()})
            elif draw.line != self.unpaid:
                size = self.size(shift, f"{edge.key}|{draw.symbol.key}|{key}")
                _add(spent, {m: self.number(number) * size for m, number in self.rate(edge, draw).terms.items()})

    def pays_records(self, place: Place) -> bool:
        """Whether each record is read once there, and all changes are at most 1 together."""
        return self.given.neighbors in SUMMED and self.graph.counter(place) is not None

    def arrive(self, edge: Edge, key: str, way: Mapping[Symbol, Any], moved: set[Symbol], spent: Sum) -> None:
        """The distances at the target, and what its potential adds to what is spent."""
        target, into = edge.target, self.graph.into(edge)
        if target is None:
            return
        is_ray = ray_of(key) in self.rays(edge)
        for name in sorted(self.graph.states[target].changing):
            value = into[name]
            if not self.is_free(target, name):
                self.solver.add(
                    self.apart(edge, value, way, moved, name) == (0 if is_ray else self.constant(target, name))
                )
                continue
            known: Numbers = {}
            for one, number in self.given.moves.linear(edge, value, moved, name).items():
                term = self.z3.simplify(way[one]) if one in way else None
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
            total = self.number(Fraction(self.given.moves.total(target)))
            _add(spent, {m: total * t for m, t in self.coefficient(target, "records").items()})
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
            starts = [*given.moves.corners(edge, given.direction), *self.rays(edge)]
            keys = [key for start in starts for key in between_keys(edge, start)]
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
