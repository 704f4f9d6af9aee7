"""What the article claims of the Permutation Swapping Algorithm (PSA): its invariants, flavor and budget (7)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import Exact, InputError, integer, probability
from stirred.spec.blocks.domain import FiniteDomain, tables_with_margins
from stirred.spec.blocks.input_premetric import stratified_hamming
from stirred.spec.blocks.multiverse import Multiverse, vacuous
from stirred.spec.blocks.specification import Flavor
from stirred.spec.blocks.tables import Table, column_margins, row_margins
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.output_premetrics import Multiplicative

Margins = tuple[tuple[int, ...], tuple[int, ...]]
"""The margins (n_mh·, n_m·s) of one stratum m: over the holding and over the swapping categories."""


def odds(swap_rate: Exact) -> Fraction:
    """O = p/(1−p) for 0 ≤ p < 1.

    >>> odds(Fraction(1, 20))
    Fraction(1, 19)
    """
    p = probability("swap_rate", swap_rate)
    if p == 1:
        raise InputError("swap_rate must be below 1 to have odds; got 1")
    return p / (1 - p)


def finite_odds(swap_rate: Exact) -> Fraction:
    """O = p/(1−p) for 0 < p < 1, the swap rates at which the PSA has a finite loss in every universe.

    Source: article, Theorem 1 (ε_D = ∞ at p ∈ {0, 1}).
    """
    p = probability("swap_rate", swap_rate)
    if p in (0, 1):
        raise InputError(f"swap_rate must be between 0 and 1, exclusive, for a finite budget; got {swap_rate!r}")
    return odds(p)


def psa_budget(largest_stratum: int, swap_rate: Exact) -> Loss:
    """The budget ε_D that article, Theorem 1 claims for the PSA: (7), with o = p/(1−p).

    0 if b = 0; ln(b+1) − ln o if b > 0 and 0 < p ≤ √(b+1)/(√(b+1)+1), that is o² ≤ b+1; ln o if b > 0 and
    o² ≥ b+1, p < 1; ∞ if b > 0 and p ∈ {0, 1}.

    Args:
        largest_stratum: b, the number of records in the largest stratum that has two distinct records; 0 if there
            is none. It cannot be 1.
        swap_rate: p in [0, 1], exact.

    Source: article, Theorem 1, (7).

    >>> psa_budget(264_331, Fraction(1, 2))
    <Loss ln(264332) ≈ 12.4850>
    """
    b = integer("largest_stratum", largest_stratum, minimum=0)
    p = probability("swap_rate", swap_rate)
    if b == 1:
        raise InputError("largest_stratum cannot be 1: a stratum with two distinct records has at least two; got 1")
    if b == 0:
        return ZERO
    if p in (0, 1):
        return INFINITE
    o = odds(p)
    return Loss((b + 1) / o) if o * o <= b + 1 else Loss(o)


def swapping_invariants(strata: Sequence[Table]) -> tuple[Margins, ...]:
    """c_Swap(x): the margins n_mh· and n_m·s of every stratum.

    Source: article, Definition 2.
    """
    return tuple((row_margins(table), column_margins(table)) for table in strata)


def largest_stratum(margins: Sequence[Margins]) -> int:
    """b: the size of the largest stratum that holds two distinct records, 0 if none does.

    A stratum has two distinct records iff two holding or two swapping categories occur in it, so b is a function of
    the invariants alone.

    Source: article, Theorem 1 and Remark 1.

    >>> largest_stratum([((2, 1), (3,)), ((9,), (9,))])
    3
    """
    sizes = [0]
    for rows, columns in margins:
        if sum(map(bool, rows)) > 1 or sum(map(bool, columns)) > 1:
            sizes.append(sum(rows))
    return max(sizes)


def swapping_flavor(margins: Sequence[Margins], *, resolution: str = "record") -> Flavor:
    """The PSA's flavor on one universe: all data sets with these margins, d_HamS and D_Mult.

    The swapping multiverse partitions the data sets, so a specification holds iff it holds on each universe.

    Source: article, section 3.3.
    """
    domain: FiniteDomain = tables_with_margins(margins)
    multiverse: Multiverse = vacuous(domain)
    measure: Any = Multiplicative()
    return Flavor(domain, multiverse, stratified_hamming(resolution), measure)
