"""By how much what is read of the data changes, and what differs between two runs; the standard library alone.

What is read of one record, or of one bin, changes by its own width times a number from -1 to 1. Each draw and each
variable has a unit, a product of the parameters, in which its shift or its distance is a rational number: a sum of
values from 0 to U, and its noise, move by multiples of U.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from stirred.verify.evidence.certificates.polynomial import Monomial, Polynomial, Symbol, product
from stirred.verify.evidence.certificates.program_graph import Edge, Graph
from stirred.verify.evidence.certificates.read_values import READ, RECORD, SHARED, SIZE, Place

VERTICES: Mapping[str, Mapping[str, tuple[int, ...]]] = {
    "each by 1": {"any": (-1, 0, 1)},
    "one by 1": {"any": (-1, 0, 1)},
    "one record": {"any": (-1, 0, 1)},
    "sum of changes 1": {"any": (-1, 0, 1)},
    "one moved": {"any": (-1, 0, 1)},
    "all up or all down": {"up": (0, 1), "down": (-1, 0)},
}
"""By how much one answer changes, at the corners, in each direction that has to be shown: D_Mult has both."""
SINGLE = ("one by 1", "one record")
"""Those in which a single record changes; of "one record" to any other value that it may have."""
SUMMED = {"one by 1": 1, "one record": 1, "sum of changes 1": 1, "one moved": 2}
"""By how much all records change together, where that is bounded: of "one moved" one goes up by 1 and one goes down."""

Numbers = dict[Symbol, Fraction]


class MovesError(Exception):
    """What differs between the runs is not linear in what is known; the message says what."""


def width(graph: Graph, neighbors: str, name: Symbol) -> Polynomial:
    """By how much what is read of the data changes at most.

    Raises:
        MovesError: by any number.
    """
    if name.kind == "bin" and neighbors in SINGLE:
        return Polynomial.of(1)
    if name.kind == "record":
        if graph.program.records[name].follows and neighbors != "one record":
            return Polynomial.of(1)
        lower, upper = graph.program.records.bounds(Polynomial.name(name))
        if lower is not None and upper is not None and neighbors != "sum of changes 1":
            return upper - lower
    raise MovesError(f"{name} may change by any number")


class RunDistances:
    """What may differ between two runs on data that differ as `neighbors` says.

    Args:
        positive: the names that are above 0.

    Raises:
        MovesError: something that is read may change by any number, or by what is no product of the parameters.
    """

    def __init__(self, graph: Graph, neighbors: str, positive: Iterable[Symbol]) -> None:
        self.graph, self.neighbors = graph, neighbors
        self._positive = {*positive, SIZE}
        self.quiet = self._quiet()
        self.read = {edge.key: self._read(edge) for edge in graph.edges}
        self.widths: dict[Symbol, Fraction] = {}
        self._units: dict[tuple[object, Symbol], Monomial] = {}
        for name in sorted({name for names in self.read.values() for name in names}):
            terms = width(graph, neighbors, name).terms
            if len(terms) != 1 or not self._is_positive(next(iter(terms))):
                raise MovesError(f"{name} changes by what is no product of positive parameters")
            ((self._units["", name], self.widths[name]),) = terms.items()
        self._infer()

    def _is_positive(self, monomial: Monomial) -> bool:
        return all(name in self._positive for name, _ in monomial)

    def _quiet(self) -> set[tuple[Place, Symbol]]:
        """The variables that stay equal since they are computed from equal ones."""
        quiet = {(place, name) for place, state in self.graph.states.items() for name in state.changing}
        changed = True
        while changed:
            changed = False
            for edge in self.graph.edges:
                moved = self._moved(edge, quiet)
                for name, value in self.graph.into(edge).items():
                    if edge.target is not None and (edge.target, name) in quiet and value.names & moved:
                        quiet.discard((edge.target, name))
                        changed = True
        return quiet

    def moved(self, edge: Edge) -> set[Symbol]:
        """The names on a path that may differ between the runs."""
        return self._moved(edge, self.quiet)

    def _moved(self, edge: Edge, quiet: Iterable[tuple[Place, Symbol]]) -> set[Symbol]:
        found = {draw.symbol for draw in edge.path.draws if draw.kind != SHARED}
        if edge.path.index is not None:
            found |= {name for value in _values(self.graph, edge) for name in value.names if name.kind in READ}
        if edge.source is not None:
            changing = self.graph.states[edge.source].changing
            found |= {name for name in changing if (edge.source, name) not in quiet}
        for name, value in edge.path.between.items():
            found |= {name} if value.names & found else set()
        return found

    def _read(self, edge: Edge) -> list[Symbol]:
        found = {name for value in _values(self.graph, edge) for name in value.names if name.kind in READ}
        if found and edge.path.index is None:
            raise MovesError("what is read of a record is kept")
        return sorted(found)

    # units

    def _at(self, edge: Edge, name: Symbol) -> tuple[object, Symbol]:
        if name.kind in READ:
            return "", name
        return (edge.key if name.kind in ("draw", "between") else edge.source), name

    def _groups(self) -> Iterator[list[tuple[tuple[object, Symbol], Monomial]]]:
        """Products that have one unit."""
        for edge in self.graph.edges:
            into, moved = self.graph.into(edge), self.moved(edge)
            targets: list[tuple[Polynomial, tuple[object, Symbol]]]
            targets = [(value, (edge.target, name)) for name, value in into.items()]
            targets += [(value, (edge.key, name)) for name, value in edge.path.between.items()]
            for value, target in (*((one, None) for one in _released(edge)), *targets):
                group: list[tuple[tuple[object, Symbol], Monomial]] = []
                for monomial in value.terms:
                    inside = [name for name, _ in monomial if name in moved]
                    if len(inside) == 1:
                        group.append((self._at(edge, inside[0]), _without(monomial, inside[0])))
                if group:
                    yield group + ([(target, ())] if target is not None else [])

    def _infer(self) -> None:
        groups, waiting = list(self._groups()), True
        while waiting:
            waiting = False
            for group in groups:
                known = [product(self._units[node], rest) for node, rest in group if node in self._units]
                for node, rest in group if known else ():
                    if node not in self._units:
                        self._units[node] = product(known[0], tuple((name, -power) for name, power in rest))
                        waiting = True
            unknown = [node for group in groups for node, _ in group if node not in self._units]
            if not waiting and unknown:
                self._units[unknown[0]], waiting = (), True

    def unit(self, edge: Edge, name: Symbol) -> Polynomial:
        """The unit of a draw or a variable.

        Raises:
            MovesError: it is not above 0.
        """
        found = self._units.get(self._at(edge, name), ())
        if not self._is_positive(found):
            raise MovesError(f"{name} moves by what may be 0 or negative")
        return Polynomial({found: Fraction(1)})

    def linear(self, edge: Edge, value: Polynomial, moved: set[Symbol], target: Symbol | None = None) -> Numbers:
        """The coefficients of names that differ between the runs, in their units, which are that of the target.

        Raises:
            MovesError: one stands in a product, or they have several units.
        """
        found: Numbers = {}
        place = edge.key if target is not None and target.kind == "between" else edge.target
        units = set() if target is None else {self._units.get((place, target), ())}
        for monomial, number in value.terms.items():
            inside = [name for name, _ in monomial if name in moved]
            if inside:
                (name, *others) = inside
                if others or dict(monomial)[name] != 1 or name in found:
                    raise MovesError(f"{value} is not linear in what differs")
                found[name] = number
                units.add(product(self._units.get(self._at(edge, name), ()), _without(monomial, name)))
        if found and (len(units) != 1 or not all(map(self._is_positive, units))):
            raise MovesError(f"{value} is not linear in what differs")
        return found

    # corners

    def corners(self, edge: Edge, direction: str) -> dict[str, Numbers]:
        """How what is read changes on a path, at the corners."""
        vertices, names = VERTICES[self.neighbors][direction], self.read[edge.key]
        if edge.path.index is None:
            return {"0": {}}
        if not names:
            return {str(v): {} for v in vertices}
        records = self.graph.program.records
        sides = [vertices if name.kind == "record" and records[name].follows else (-1, 0, 1) for name in names]
        return {
            ",".join(map(str, at)): {name: v * self.widths[name] for name, v in zip(names, at, strict=True)}
            for at in itertools.product(*sides)
        }

    def changed(self, edge: Edge, corner: str) -> int:
        """How much of all changes is used up at a corner: 1 for a record, 1 for a bin."""
        values = dict(zip(self.read[edge.key] or [RECORD], corner.split(","), strict=False))
        return sum(max((abs(int(v)) for name, v in values.items() if name.kind == kind), default=0) for kind in READ)

    def total(self, place: Place) -> int:
        """How much all changes are together: a record in a loop over records, two bins in one over bins."""
        kinds = {name.kind for edge in self.graph.edges if edge.source == place for name in self.read[edge.key]}
        records = SUMMED.get(self.neighbors, 1)
        return (records if "record" in kinds or not kinds else 0) + (2 if "bin" in kinds else 0)

    def kept(self, edge: Edge) -> set[Symbol]:
        """The variables that are equal again where a loop has read all records, since the records' total is kept.

        Each pass has read the next record and added one multiple of it, from a value on that is equal in both runs.
        """
        place, graph = edge.source, self.graph
        counter = graph.counter(place) if self.neighbors == "one moved" and place is not None else None
        if place is None or counter is None or edge.target == place:
            return set()
        own = Polynomial.name(counter)
        if not any(
            (one.value, one.relation, one.outcome) == (Polynomial.name(SIZE) - own, ">", False)
            for one in edge.path.decisions
        ):
            return set()
        found = set()
        for name in graph.states[place].changing - {counter}:
            added = set()
            for other in graph.edges:
                if other.target != place:
                    continue
                value, path = graph.into(other)[name], other.path
                if other.source == place:
                    step = value - Polynomial.name(name)
                    slope = step.at({RECORD: Polynomial.of(1)}) - step.at({RECORD: Polynomial.of(0)})
                    is_sum = slope.number is not None and not (
                        step - Polynomial.name(RECORD) * slope
                    ).names & self.moved(other)
                    added.add(slope if is_sum and path.index == own and path.env[counter] == own + 1 else None)
                elif value.names & self.moved(other) or path.env[counter] != Polynomial.of(0):
                    added.add(None)
            if len(added) == 1 and None not in added:
                found.add(name)
        return found


def _released(edge: Edge) -> list[Polynomial]:
    return [value for value, _ in edge.path.same] + [one.value for one in edge.path.decisions]


def _values(graph: Graph, edge: Edge) -> list[Polynomial]:
    """All numbers of a path that matter."""
    return [*_released(edge), *graph.into(edge).values(), *edge.path.between.values()]


def _without(monomial: Monomial, name: Symbol) -> Monomial:
    return tuple(one for one in monomial if one[0] != name)
