"""Every small case: all multiverses, invariants, input premetrics, budgets and mechanisms on two or three data sets.

Statements about specifications are tried on all of them. Two exact collapses keep that short. The smallest budget of
a universe is the largest of its pairs' (`SmallestBudgets`). And every pair of a multiverse with a budget on it is one
bit of an integer (`BudgetedMultiverses`), so that a statement about all of them is a few operations on integers.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from typing import Any

from stirred.spec.arguments import InputError, integer
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import Distance, InputPremetric, explicit
from stirred.spec.blocks.multiverse import Multiverse, Universe
from stirred.spec.blocks.specification import Flavor, Specification
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.laws.law import Law, point_mass
from stirred.spec.output_premetrics import Multiplicative, OutputPremetric

LOSSES: tuple[Loss, ...] = (ZERO, Loss(Fraction(2)), Loss(Fraction(4)), INFINITE)
"""The budgets tried: 0, ln 2, ln 4 and ∞."""

DISTANCES: tuple[Distance, ...] = (0, 1, 2, None)
"""The distances tried: 0, also between different data sets, 1, 2 and ∞."""

LAWS: tuple[Law[int], ...] = (
    point_mass(0),
    point_mass(1),
    Law({0: Fraction(1, 2), 1: Fraction(1, 2)}),
    Law({0: Fraction(2, 3), 1: Fraction(1, 3)}),
    Law({0: Fraction(1, 3), 1: Fraction(2, 3)}),
    Law({0: Fraction(1, 2), 2: Fraction(1, 2)}),
)
"""The laws tried: disjoint, nested, crossing and equal supports, and ratios from 4/3 to 2."""

MAX_POINTS = 4
"""The largest domain whose multiverses are listed (2^16 of them)."""

Table = Mapping[tuple[int, int], Distance]
"""An input premetric as its values at the ordered pairs of different data sets."""


def domain_of(size: int) -> FiniteDomain:
    """The domain {0, …, size − 1}."""
    if integer("size", size, minimum=1) > MAX_POINTS:
        raise InputError(f"size must be at most {MAX_POINTS} for all cases to be listed; got {size}")
    return FiniteDomain(tuple(range(size)), "abstract data sets")


def universes(domain: FiniteDomain) -> tuple[Universe, ...]:
    """All subsets of a domain by size, the empty one first: 2^𝒳.

    >>> [sorted(u) for u in universes(domain_of(2))]
    [[], [0], [1], [0, 1]]
    """
    subsets = chain.from_iterable(combinations(domain.points, size) for size in range(len(domain) + 1))
    return tuple(frozenset(subset) for subset in subsets)


def multiverses(domain: FiniteDomain) -> Iterator[Multiverse]:
    """All sets of universes, by the number of universes; the empty multiverse and the empty universe are among them.

    >>> sum(1 for _ in multiverses(domain_of(2)))
    16
    """
    every = universes(domain)
    for size in range(len(every) + 1):
        for chosen in combinations(every, size):
            yield Multiverse(chosen)


def invariants(domain: FiniteDomain) -> Iterator[Mapping[Any, int]]:
    """All functions c of the data set up to the names of their values: one for each partition, the constant first.

    >>> [tuple(c.values()) for c in invariants(domain_of(3))]
    [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2)]
    """
    for labels in product(range(len(domain)), repeat=len(domain)):
        if all(label <= max(labels[:place], default=-1) + 1 for place, label in enumerate(labels)):
            yield dict(zip(domain.points, labels, strict=True))


def invariant_shapes(domain: FiniteDomain) -> tuple[Mapping[Any, int], ...]:
    """One invariant function for each partition up to relabelling the data sets, the constant first.

    A statement that is tried on all premetrics need not try relabelled invariants too.

    >>> [tuple(c.values()) for c in invariant_shapes(domain_of(3))]
    [(0, 0, 0), (0, 0, 1), (0, 1, 2)]
    """
    by_sizes: dict[tuple[int, ...], Mapping[Any, int]] = {}
    for c in invariants(domain):
        values = list(c.values())
        by_sizes.setdefault(tuple(sorted(map(values.count, set(values)))), c)
    return tuple(by_sizes.values())


def premetric_tables(domain: FiniteDomain, distances: Sequence[Distance] = DISTANCES) -> Iterator[Table]:
    """All input premetrics with these values between different data sets; most are neither symmetric nor metric."""
    pairs = tuple(permutations(domain.points, 2))
    for values in product(distances, repeat=len(pairs)):
        yield dict(zip(pairs, values, strict=True))


def premetric(table: Table) -> InputPremetric:
    """The input premetric with these values."""
    return explicit(table, "abstract unit")


def specification(
    domain: FiniteDomain, budgets: Mapping[Universe, Any], table: Table, measure: OutputPremetric | None = None
) -> Specification:
    """The specification with these budgets by universe, for D_Mult unless another output premetric is given."""
    flavor = Flavor(domain, Multiverse(budgets), premetric(table), measure or Multiplicative())
    return Specification(flavor, budgets)


def kernels(domain: FiniteDomain, laws: Sequence[Law[int]] = LAWS) -> Iterator[tuple[int, ...]]:
    """All maps from data sets to laws, by the laws' positions, up to relabelling the data sets.

    A statement that is tried on all premetrics and all universes need not try relabelled mechanisms too.

    >>> list(kernels(domain_of(2), LAWS[:2]))
    [(0, 0), (0, 1), (1, 1)]
    """
    return combinations_with_replacement(range(len(laws)), len(domain))


def zero_budget(measure: OutputPremetric) -> Any:
    """The budget 0, in the type of a premetric's budgets."""
    return measure.smallest_budget(measure.distance(LAWS[0], LAWS[0]), 1)


@dataclass(frozen=True)
class SmallestBudgets:
    """The smallest budgets of universes of mechanisms made of given laws, as ranks: 0 is the budget 0.

    Attributes:
        laws: the laws; a mechanism is a tuple of positions, one for each data set 0, 1, ….
        values: the budgets that occur, increasing; a rank is a position here.
    """

    measure: OutputPremetric
    laws: tuple[Law[int], ...] = LAWS
    distances: tuple[Distance, ...] = DISTANCES
    values: tuple[Any, ...] = field(init=False)
    _rank: Mapping[tuple[int, int, Distance], int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        measure = self.measure
        needed = {
            (i, j, d): measure.smallest_budget(measure.distance(p, q), d)
            for i, p in enumerate(self.laws)
            for j, q in enumerate(self.laws)
            for d in self.distances
        }
        key = cmp_to_key(lambda a, b: int(not measure.at_most(a, b)) - int(not measure.at_most(b, a)))
        values = sorted(dict.fromkeys(needed.values()), key=key)
        object.__setattr__(self, "values", tuple(values))
        object.__setattr__(self, "_rank", {case: values.index(budget) for case, budget in needed.items()})

    def pair(self, kernel: Sequence[int], x: int, y: int, table: Table) -> int:
        """The rank of the smallest ε with D_Pr[P_x, P_y] ≤ ε·d(x, y)."""
        return self._rank[kernel[x], kernel[y], table[x, y]]

    def of(self, universe: Iterable[int], kernel: Sequence[int], table: Table) -> int:
        """The rank of a universe's smallest budget: the largest of its ordered pairs', 0 where there is none."""
        points = tuple(universe)
        return max((self.pair(kernel, x, y, table) for x in points for y in points if x != y), default=0)


class BudgetedMultiverses:
    """All pairs of a multiverse and a budget for each of its universes, as the bits of integers.

    In bit number Σ_u c_u·(k+1)^u the digit c_u = 0 says that universe u is not in the multiverse, and c_u = j > 0 that
    it is, with the budget number j − 1 of k. A set of such pairs is an int; ∩ is &, ∪ is |.

    >>> every = BudgetedMultiverses(universes(domain_of(2)), LOSSES)
    >>> every.count, every.where(3, [4]).bit_count()
    (625, 125)
    """

    def __init__(self, subsets: Sequence[Universe], budgets: Sequence[Loss]) -> None:
        self.universes, self.budgets = tuple(subsets), tuple(budgets)
        self.base = len(self.budgets) + 1
        self.count: int = self.base ** len(self.universes)
        self.everything: int = (1 << self.count) - 1
        self._digit = [[self._periodic(u, c) for c in range(self.base)] for u in range(len(self.universes))]

    def _periodic(self, position: int, digit: int) -> int:
        block: int = self.base**position
        period = block * self.base
        return (((1 << block) - 1) << (digit * block)) * (self.everything // ((1 << period) - 1))

    def where(self, position: int, digits: Iterable[int]) -> int:
        """The pairs in which a universe has one of these digits."""
        found = 0
        for digit in digits:
            found |= self._digit[position][digit]
        return found

    def present(self, position: int) -> int:
        return self.everything ^ self._digit[position][0]

    def with_budget(self, position: int, allowed: Callable[[Loss], bool]) -> int:
        """The pairs whose multiverse has this universe, with a budget that the predicate allows."""
        return self.where(position, [j + 1 for j, budget in enumerate(self.budgets) if allowed(budget)])

    def first(self, chosen: int) -> dict[Universe, Loss]:
        """The first pair of a non-empty set: the budgets by universe."""
        number = (chosen & -chosen).bit_length() - 1
        found: dict[Universe, Loss] = {}
        for universe in self.universes:
            number, digit = divmod(number, self.base)
            if digit:
                found[universe] = self.budgets[digit - 1]
        return found


_TWO = Loss(Fraction(2))

TABLES: tuple[Table, ...] = (
    {(0, 1): 1, (1, 0): 1, (0, 2): 2, (2, 0): 2, (1, 2): 1, (2, 1): 1},
    {(0, 1): 1, (1, 0): None, (0, 2): None, (2, 0): None, (1, 2): 0, (2, 1): 1},
    {(0, 1): None, (1, 0): 1, (0, 2): None, (2, 0): None, (1, 2): None, (2, 1): None},
)
"""The premetrics tried on three data sets: the path metric, an asymmetric one with 0, and one with two classes."""

_TWO_POINTS: tuple[tuple[Distance, Distance], ...] = ((1, 1), (0, 0), (0, 1), (1, None), (None, None))

_SCOPE = (
    "D_Mult, all mechanisms; all 16 multiverses on two data sets with {} in {{0, ln 2, oo}} and five premetrics "
    "in {{0, 1, oo}}; all 256 on three with three premetrics and the {}"
)
SCOPE = _SCOPE.format("all budgets", "budgets 0, ln 2, ln 4 by size")
CONSTANT_SCOPE = _SCOPE.format("one budget", "budget ln 2")
"""What is tried where the budget is one number."""


@lru_cache(maxsize=2)
def small_specifications(*, varying: bool = True) -> tuple[Specification, ...]:
    """The specifications that `SCOPE` lists; without `varying` those whose budget is one number, 0, ln 2 or ∞."""
    return tuple(_listed(varying=varying))


def _listed(*, varying: bool) -> Iterator[Specification]:
    two, three = domain_of(2), domain_of(3)
    for multiverse, values in product(multiverses(two), _TWO_POINTS):
        table: Table = {(0, 1): values[0], (1, 0): values[1]}
        for budgets in _budgets(multiverse.universes, varying=varying):
            yield specification(two, budgets, table)
    for multiverse, table in product(multiverses(three), TABLES):
        if varying:
            yield specification(three, {u: Loss(Fraction(2 ** max(0, len(u) - 1))) for u in multiverse}, table)
        else:
            yield specification(three, dict.fromkeys(multiverse, _TWO), table)


def _budgets(universes: Sequence[Universe], *, varying: bool) -> Iterator[dict[Universe, Loss]]:
    values = (ZERO, _TWO, INFINITE)
    chosen = product(values, repeat=len(universes)) if varying else ((value,) * len(universes) for value in values)
    return (dict(zip(universes, budgets, strict=True)) for budgets in chosen)
