"""Plausible originals: the data sets that may have led to the swapped one (article, Appendix B)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

from mechanisms.permutation_counts import psa_law
from spec.law import Law
from spec.tables import Table, column_margins, table_distance
from verify.claims.swapping.data_sets import CATEGORIES, universes
from verify.evidence.witness import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import Cases, cases, every
from verify.ledger.statement import state
from verify.ledger.theorems import theorem
from verify.ledger.words import define

define({"transposed(t)": "[[row[j] for row in t] for j in range(len(t[0]))]"})

Laws = Mapping[Table, Law[Table]]
"""The PSA's law of the released table by data set, for all data sets of a universe of one stratum."""

_THIRD = Fraction(1, 3)


@cache
def _laws(tables: tuple[Table, ...], rate: Fraction) -> Laws:
    return {x: psa_law(x, rate) for x in tables}


def universes_at(rate: Fraction) -> Cases:
    possible = ", where an output is possible iff it is at every p in (0, 1)" if 0 < rate < 1 else ""
    scope = f"every universe of one stratum with up to 5 records and four categories a side, p = {rate}{possible}"
    return cases(scope, "laws")(lambda: (_laws(tables, rate) for tables in universes(5)))


def outputs_at(rate: Fraction) -> Cases:
    """Every output of the universes that have several data sets."""
    over = universes_at(rate)
    several = f"{over.scope}; several data sets"
    return cases(several, "laws z")(lambda: ((laws, z) for (laws,) in over if len(laws) > 1 for z in laws))


_RELATIONS: Mapping[str, Callable[[Table], Any]] = {"x": tuple, "column_margins(x)": column_margins}
"""The cross-classification of V_Hold by V_Swap, and that of V_Match by V_Swap."""


def uncertain(laws: Laws, z: Table, *, relation: str) -> Witness | None:
    """The data sets that give z with nonzero probability differ in this cross-classification."""
    if len({_RELATIONS[relation](x) for x, law in laws.items() if z in law}) > 1:
        return None
    return failure(f"len(set({relation} for x in laws if get(laws[x], z, 0) > 0)) > 1", laws=laws, z=z)


def _exchanged_roles(rate: Fraction, other: Fraction) -> Cases:
    """The law from each table, and that from the transposed table, whose rows are the swapping categories."""

    def listed() -> Iterator[tuple[Any, ...]]:
        for x in (x for tables in universes(4) for x in tables):
            yield psa_law(x, rate), psa_law(tuple(zip(*x, strict=True)), other)

    scope = f"the PSA on one stratum with up to 4 records and four categories a side, p = {rate}"
    return cases(scope if rate == other else f"{scope} and {other}", "law turned")(listed)


def same_either_way(law: Law[Table], turned: Law[Table]) -> Witness | None:
    """The released table has one law, whichever of the two variables is permuted."""
    if law.push(lambda z: tuple(zip(*z, strict=True))) == turned:
        return None
    return failure("same_law(turned, {transposed(z): law[z] for z in law})", law=law, turned=turned)


state(
    "swapping.either-way",
    "article, Appendix B",
    "dissertation, section B.1",
    printed="The idea behind data swapping is to hinder such joint inference by randomly permuting the records' "
    "quasi-identifiers while keeping the sensitive variables fixed (or visa versa).",
    reading="what is released, up to the order of records, has one law, whichever of the two the PSA permutes",
    checks=[every(_exchanged_roles(_THIRD, _THIRD), same_either_way)],
    mutants={"at another swap rate": every(_exchanged_roles(_THIRD, Fraction(1, 2)), same_either_way)},
)

state(
    "swapping.plausible-originals.printed",
    "article, Appendix B",
    "dissertation, section B.1",
    printed="In this way, there are multiple plausible values for the original data set that are compatible with the "
    "swapped data set …",
    reading="for the PSA with 0 < p < 1, compatible: of nonzero probability; where swapping is not completely vacuous, "
    "as Theorem 3 says: the universe has several data sets",
    checks=[every(outputs_at(_THIRD), uncertain, relation="x")],
    mutants={"p = 0": every(outputs_at(Fraction(0)), uncertain, relation="x")},
)


def all_possible(laws: Laws) -> Witness | None:
    """Every data set of the universe gives every one with nonzero probability."""
    if all(len(law) == len(laws) for law in laws.values()):
        return None
    return failure("all(get(laws[x], z, 0) > 0 for x in laws for z in laws)", laws=laws)


state(
    "swapping.plausible-originals",
    "article, Appendix B",
    claim="For 0 < p < 1 every data set of a universe of the swapping multiverse gives every other one, and itself, "
    "with nonzero probability under the PSA: the data sets compatible with the swapped one are the universe's.",
    checks=[
        every(universes_at(_THIRD), all_possible),
        theorem("psa_privacy.psa_support", within=CATEGORIES),
    ],
    mutants={"p = 0": every(universes_at(Fraction(0)), all_possible)},
)


@cases("every universe of one stratum with up to 4 records and four categories a side, b > 0, p = 1/3", "laws p")
def budgets() -> Iterator[tuple[Any, ...]]:
    return (
        (_laws(tables, _THIRD), _THIRD) for tables in universes(4, first=2) if len(tables[0]) + len(tables[0][0]) > 2
    )


def as_plausible(laws: Laws, p: Fraction, *, sized: int) -> Witness | None:
    """P_x(z) <= e^(eps d_HamS(x, x')) P_x'(z) with e^eps = (sized*b + 1)(1 - p)/p, b all records."""
    gamma = (sized * sum(map(sum, next(iter(laws)))) + 1) * (1 - p) / p
    for (x, law), (y, other) in permutations(laws.items(), 2):
        bound = gamma ** (table_distance(x, y) or 0)
        if any(law.numeric(z) > bound * other.numeric(z) for z in law):
            claimed = (
                "all(laws[x][z] <= ((sized*sum(row_margins(x)) + 1)*(1 - p)/p)**table_distance(x, y) "
                "* get(laws[y], z, 0) for x in laws for y in laws for z in laws[x])"
            )
            return failure(claimed, laws=laws, p=p, sized=sized)
    return None


state(
    "swapping.plausible-originals.bound",
    "article, Appendix B",
    "dissertation, section B.1",
    printed="In fact, Theorem 1 can be interpreted as a formalization of the above intuitive argument because it "
    "provides a bound on how plausible the true confidential data set is compared to other compatible data sets.",
    reading="how plausible x is beside x', after z was seen, is P_x(z)/P_x'(z) times what it was before",
    checks=[every(budgets, as_plausible, sized=1), theorem("psa_privacy.psa_pure_dp", within=CATEGORIES)],
    mutants={"1 for b + 1": every(budgets, as_plausible, sized=0)},
)

state(
    "swapping.uncertain-relation",
    "article, Appendix B",
    "dissertation, section B.1",
    printed="This bound ensures a degree of uncertainty in the relationship between V_Swap and V_Hold \\ V_Swap.",
    reading="V_Hold \\ V_Swap is V_Hold, as the two have no variable in common: for 0 < p < 1, where the universe has "
    "several data sets, several cross-classifications of V_Hold by V_Swap are compatible with each output. That of "
    "V_Match by V_Swap is an invariant, so the uncertainty is in V_Hold \\ V_Match, as section 3.2 writes",
    checks=[every(outputs_at(_THIRD), uncertain, relation="x")],
    mutants={"V_Match for V_Hold \\ V_Swap": every(outputs_at(_THIRD), uncertain, relation="column_margins(x)")},
)
