"""The exact largest change of PHSafe's counts over every pair of neighbours of a small domain.

No run looks at two MAFIDs at once: a true count is a sum over MAFIDs of what the rows of that MAFID give alone. So the
change between neighbours is a sum of changes of single MAFIDs, and one edit (a row added or removed) changes one.
Where a relation allows several edits, several of them may fall on one MAFID; then the change is the sum of those along
a path of single edits, each of which some MAFID of its own shows too. Hence the changes of all pairs of neighbours are
among the sums of changes by single edits, and all of these sums occur, each edit on a MAFID of its own. What is
enumerated here is every single edit of every MAFID of the domain; the number of MAFIDs is not bounded.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from operator import add, mul, neg, sub

from stirred.mechanisms.das.phsafe import BasePerson, Measurement, Person, Settings, Unit, derived_tables, measurements
from stirred.spec.arguments import InputError
from stirred.verify.ledger.engines.phsafe.sensitivity import NeighborRelation

Level = tuple[str, str]
"""A run and a population group level."""

DataFrames = tuple[Sequence[Person], Sequence[Unit]]
Vector = tuple[int, ...]
"""The counts of a level, or their change."""

Name = tuple[str, tuple[int, ...], tuple[int, ...]]
"""A data set of one MAFID: its state, the kinds of its persons and of its units, ascending."""

Released = Callable[[DataFrames, Settings], tuple[Measurement, ...]]


@dataclass(frozen=True)
class RuleDomain:
    """Data sets whose units follow from base persons by one of the reference program's rules.

    Attributes:
        kinds: the base persons but for their state and MAFID.
        states: a MAFID lies in one of these states, and so do its persons.
        householder: how the householder is chosen, a name in `HOUSEHOLDERS`.
    """

    kinds: Sequence[BasePerson]
    largest: int
    states: tuple[str, ...]
    householder: str = "designated"

    def of_one_mafid(self) -> Iterator[tuple[Name, DataFrames]]:
        for state in self.states:
            kinds = [kind._replace(state=state, mafid=1) for kind in self.kinds]
            for chosen in _multisets(len(kinds), self.largest):
                yield (state, chosen, ()), derived_tables([kinds[i] for i in chosen], householder=self.householder)


@dataclass(frozen=True)
class FreeDomain:
    """Data sets of two data frames: free ones, or with units that follow from the persons by any function at all.

    Attributes:
        persons: the rows of persons but for their state and MAFID.
        most_units: how many units one MAFID may have; 1 where the MAFID is a primary key.
    """

    persons: Sequence[Person]
    units: Sequence[Unit]
    largest: int
    states: tuple[str, ...]
    most_units: int = 1

    def of_one_mafid(self) -> Iterator[tuple[Name, DataFrames]]:
        for state in self.states:
            persons = [one._replace(state=state, mafid=1) for one in self.persons]
            units = [one._replace(state=state, mafid=1) for one in self.units]
            for chosen in _multisets(len(persons), self.largest):
                for numbers in _multisets(len(units), self.most_units):
                    rows = tuple(persons[i] for i in chosen), tuple(units[i] for i in numbers)
                    yield (state, chosen, numbers), rows


Domain = RuleDomain | FreeDomain


def _difference(after: Vector, before: Vector) -> Vector:
    return tuple(map(sub, after, before))


def _negated(changes: set[Vector]) -> set[Vector]:
    return {tuple(map(neg, change)) for change in changes}


def _sums(first: set[Vector], second: set[Vector]) -> set[Vector]:
    """The extreme ones of all sums, which are sums of extreme ones; the norm, a convex function, is largest at one."""
    extreme = _extreme(second)
    return _extreme({tuple(map(add, a, b)) for a in _extreme(first) for b in extreme})


def _extreme(changes: set[Vector]) -> set[Vector]:
    """Those that are not the middle of two others, one row or one moved row apart: all extreme ones are among them."""
    size = len(next(iter(changes)))
    # a change as the digits of one integer, to a base in which no step beyond a change carries
    base = 3 + 2 * max((abs(count) for change in changes for count in change), default=0)
    ones = [base**j for j in range(size)]
    steps = [*ones, *(a - b for a, b in combinations(ones, 2))]
    numbers = {sum(map(mul, change, ones)): change for change in changes}
    return {
        change
        for number, change in numbers.items()
        if not any(number - step in numbers and number + step in numbers for step in steps)
    }


def squared_change(change: Iterable[int]) -> int:
    """The squared L2 norm of a change."""
    return sum(count**2 for count in change)


def _multisets(kinds: int, largest: int) -> Iterator[tuple[int, ...]]:
    for size in range(largest + 1):
        yield from combinations_with_replacement(range(kinds), size)


def _persons_added(vectors: Mapping[Name, Vector], kinds: int) -> set[Vector]:
    """What adding one row of persons changes, the units as their names say."""
    grown = {name: [(name[0], tuple(sorted((*name[1], kind))), name[2]) for kind in range(kinds)] for name in vectors}
    return _differences(vectors, grown)


def _units_added(vectors: Mapping[Name, Vector], kinds: int) -> set[Vector]:
    """What adding one row of units changes, the persons kept."""
    grown = {name: [(*name[:2], tuple(sorted((*name[2], kind)))) for kind in range(kinds)] for name in vectors}
    return _differences(vectors, grown)


def _differences(vectors: Mapping[Name, Vector], grown: Mapping[Name, Sequence[Name]]) -> set[Vector]:
    return {_difference(vectors[after], vectors[name]) for name in vectors for after in grown[name] if after in vectors}


def _person_added_with_any_unit(vectors: Mapping[Name, Vector], kinds: int) -> set[Vector]:
    """What adding a person changes where a MAFID with persons has one unit, which may become any other."""
    by_persons: dict[tuple[str, tuple[int, ...]], list[Vector]] = defaultdict(list)
    for (state, chosen, units), vector in vectors.items():
        if len(units) == (1 if chosen else 0):
            by_persons[state, chosen].append(vector)
    return {
        _difference(after, before)
        for (state, chosen), firsts in by_persons.items()
        for kind in range(kinds)
        for after in by_persons.get((state, tuple(sorted((*chosen, kind)))), ())
        for before in firsts
    }


def household_counts(
    domain: Domain, settings: Settings, *, released: Released = measurements
) -> dict[Level, dict[Name, Vector]]:
    """For each level, the counts of every data set of one MAFID, over the cells that are not zero in all of them."""
    counts: dict[Level, dict[Name, dict[Hashable, int]]] = defaultdict(dict)
    for name, data in domain.of_one_mafid():
        for one in released(data, settings):
            in_level = counts[one.table, one.level].setdefault(name, {})
            if one.rows:
                in_level[one.group, one.cell] = one.rows
    found = {}
    for level, by_name in counts.items():
        cells = sorted({cell for cells in by_name.values() for cell in cells}, key=repr)
        found[level] = {name: tuple(given.get(cell, 0) for cell in cells) for name, given in by_name.items()}
    return found


def _changes(domain: Domain, vectors: Mapping[Name, Vector], relation: NeighborRelation) -> set[Vector]:
    """Every change between neighbours: one edit added, or one added and one taken back, of each row that may change."""
    if isinstance(domain, RuleDomain):
        edits = [_persons_added(vectors, len(domain.kinds))]
    elif relation.units_follow:
        edits = [_person_added_with_any_unit(vectors, len(domain.persons))]
    else:
        unit = _units_added(vectors, len(domain.units))
        edits = [_persons_added(vectors, len(domain.persons)), unit, unit]
    nothing = {tuple(0 for _ in next(iter(vectors.values())))}
    total = nothing
    for added in edits:
        removed = _negated(added)
        one = _sums(added, removed) if relation.is_bounded else added | removed
        total = _sums(total, one | nothing)
    return total


def extreme_changes(
    domain: Domain,
    settings: Settings,
    relation: NeighborRelation,
    *,
    released: Released = measurements,
) -> dict[Level, set[Vector]]:
    """For each level changes between neighbours, any number of MAFIDs, all extreme ones among them."""
    if isinstance(domain, RuleDomain) and not relation.units_follow:
        raise InputError(f"relation must be one where the units follow; got {relation.name}")
    return {
        level: _changes(domain, vectors, relation)
        for level, vectors in household_counts(domain, settings, released=released).items()
    }


def largest_changes(
    domain: Domain,
    settings: Settings,
    relation: NeighborRelation,
    *,
    released: Released = measurements,
) -> dict[Level, int]:
    """The exact largest squared L2 change of each level between neighbours; see `extreme_changes`."""
    found = extreme_changes(domain, settings, relation, released=released)
    return {level: max(map(squared_change, changes)) for level, changes in found.items()}
