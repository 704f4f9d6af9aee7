"""The small specifications on which statements about all mechanisms of a specification are tried."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product

from stirred.spec.blocks.input_premetric import Distance
from stirred.spec.blocks.multiverse import Universe
from stirred.spec.blocks.specification import Specification
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.verify.ledger.engines.small_domains import Table, domain_of, multiverses, specification

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
    if varying:
        for chosen in product(values, repeat=len(universes)):
            yield dict(zip(universes, chosen, strict=True))
    else:
        for value in values:
            yield dict.fromkeys(universes, value)
