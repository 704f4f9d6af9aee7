"""Statements of the form M(a) = M(b) or M(a) ⊂ M(b), tried on small specifications and decided for all mechanisms.

Where the constraint matrices are equal there is nothing to decide; where they differ,
`verify.engines.algebra.comparison.stronger` decides, and a mechanism that separates is the witness.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import permutations, product
from typing import Any

from spec.input_premetric import Distance
from spec.loss import INFINITE, ZERO, Loss
from spec.multiverse import Universe
from spec.specification import ConstraintMatrix, Specification
from verify.engines.algebra.comparison import Decision, stronger
from verify.engines.algebra.small_domains import Table, domain_of, multiverses, refused_witness, specification
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict

__all__ = [
    "CONSTANT_SCOPE",
    "SCOPE",
    "TABLES",
    "Case",
    "Listed",
    "constant",
    "described",
    "implications",
    "same_mechanisms",
    "small_specifications",
]

Case = tuple["Listed", Specification]

_TWO = Loss(Fraction(2))

TABLES: tuple[Table, ...] = (
    {(0, 1): 1, (1, 0): 1, (0, 2): 2, (2, 0): 2, (1, 2): 1, (2, 1): 1},
    {(0, 1): 1, (1, 0): None, (0, 2): None, (2, 0): None, (1, 2): 0, (2, 1): 1},
    {(0, 1): None, (1, 0): 1, (0, 2): None, (2, 0): None, (1, 2): None, (2, 1): None},
)
"""The premetrics tried on three data sets: the path metric, an asymmetric one with 0, and one with two classes."""

_TWO_POINTS: tuple[tuple[Distance, Distance], ...] = ((1, 1), (0, 0), (0, 1), (1, None), (None, None))

SCOPE = (
    "D_Mult, all mechanisms; all 16 multiverses on two data sets with all budgets in {0, ln 2, oo} and five premetrics "
    "in {0, 1, oo}; all 256 on three with three premetrics and the budgets 0, ln 2, ln 4 by size"
)


CONSTANT_SCOPE = (
    "D_Mult, all mechanisms; all 16 multiverses on two data sets with one budget in {0, ln 2, oo} and five premetrics "
    "in {0, 1, oo}; all 256 on three with three premetrics and the budget ln 2"
)
"""What is tried where the budget is one number."""


@dataclass(frozen=True)
class Listed:
    """A small specification with its constraint matrix, computed once."""

    claim: Specification
    matrix: ConstraintMatrix


@lru_cache(maxsize=2)
def small_specifications(*, varying: bool = True) -> tuple[Listed, ...]:
    """The specifications that `SCOPE` lists; without `varying` those whose budget is one number, 0, ln 2 or ∞."""
    return tuple(Listed(claim, claim.matrix()) for claim in _listed(varying=varying))


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
    if varying:
        for chosen in product(values, repeat=len(universes)):
            yield dict(zip(universes, chosen, strict=True))
    else:
        for value in values:
            yield dict.fromkeys(universes, value)


def constant(claim: Specification) -> Loss:
    """The one budget of a specification; ∞ for the empty multiverse, where it does not matter."""
    return next(iter(claim.budgets.values()), INFINITE)


def described(claim: Specification) -> str:
    """A specification on 0, 1, … in one line."""
    points = claim.flavor.domain.points
    budgets = {str(sorted(universe)): str(budget) for universe, budget in claim.budgets.items()}
    table = {(x, y): claim.flavor.input_premetric(x, y) for x, y in permutations(points, 2)}
    shown = {f"{x},{y}": "oo" if d is None else str(d) for (x, y), d in table.items()}
    return f"universes and budgets {budgets}, d = {shown}"


def same_mechanisms(cases: Iterable[Case], scope: str = SCOPE) -> Evidence:
    """EXHAUSTED where both specifications of every case have the same mechanisms, REFUTED with a separating one."""
    return _tried(cases, scope, both=True)


def implications(cases: Iterable[Case], scope: str = SCOPE) -> Evidence:
    """EXHAUSTED where every mechanism of each case's first specification satisfies its second one."""
    return _tried(cases, scope, both=False)


def _tried(cases: Iterable[Case], scope: str, *, both: bool) -> Evidence:
    tried = 0
    for listed, second in cases:
        tried += 1
        one, other = listed.matrix, second.matrix()
        if _entries(one) == _entries(other):
            continue
        for a, b in ((one, other), (other, one)) if both else ((one, other),):
            found = stronger(a, b)
            label = described(listed.claim)
            if found.answer is Decision.UNDECIDED:
                return Evidence(Verdict.OPEN, scope, f"{label}: {found.reason}")
            if found.mechanism is not None and found.pair is not None:
                x, y = found.pair
                note = f"{label}: a mechanism of one specification at x = {x}, x' = {y}, and the other's bound"
                witness = refused_witness(found.mechanism[x], found.mechanism[y], b(x, y), note)
                return Evidence(Verdict.REFUTED, scope, f"{label}: {found.reason}", witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{tried} cases")


def _entries(matrix: ConstraintMatrix) -> Mapping[tuple[Any, Any], Any]:
    return {(x, y): bound for (x, y), bound in matrix.entries.items() if x != y and bound != INFINITE}
