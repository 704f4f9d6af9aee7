"""Plausible originals: the data sets that may have led to the swapped one (article, Appendix B)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from mechanisms.permutation_counts import psa_law
from spec.law import Law, point_mass
from spec.law import product as joint_law
from spec.permutation_swapping import Margins, largest_stratum
from spec.tables import Table, column_margins, contingency_tables, table_distance
from verify.claims.swapping.data_sets import CATEGORIES
from verify.evidence import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import Cases, cases, every
from verify.ledger.statement import state
from verify.ledger.theorems import theorem
from verify.ledger.words import define
from verify.swapping.budget_sweep import one_stratum

Strata = tuple[Table, ...]
Laws = Mapping[Strata, Law[Any]]
"""The PSA's law of the released table by data set, for all data sets of a universe."""

define(
    {
        "apart(x, y)": "sum(table_distance(t, u) for t, u in zip(x, y))",
        "matching_by_swapping(x)": "[column_margins(t) for t in x]",
        "other_holding_by_swapping(x)": "[[sum(t[h][s] for t in x) for s in range(len(x[0][0]))] "
        "for h in range(len(x[0]))]",
    }
)

_THIRD = Fraction(1, 3)


@cache
def _laws(universe: tuple[Margins, ...], rate: Fraction) -> Laws:
    laws: dict[Strata, Law[Any]] = {(): point_mass(())}
    for margins in universe:
        stratum = {t: psa_law(t, rate) for t in contingency_tables(*margins)}
        laws = {
            (*x, t): joint_law(law, added).push(lambda pair: (*pair[0], pair[1]))
            for (x, law), (t, added) in product(laws.items(), stratum.items())
        }
    return laws


def _universes(records: int) -> Iterator[tuple[Margins, ...]]:
    yield from ((margins,) for n in range(1, records + 1) for margins in one_stratum(n, 4))
    yield (((1, 1), (1, 1)),) * 2


def _scope(records: int, rate: Fraction) -> str:
    possible = ", where an output is possible iff it is at every p in (0, 1)" if 0 < rate < 1 else ""
    return (
        f"every universe of one stratum with up to {records} records and four categories a side, and one of two strata "
        f"of two records; p = {rate}{possible}"
    )


def universes_at(rate: Fraction) -> Cases:
    return cases(_scope(5, rate), "laws")(lambda: (_laws(universe, rate) for universe in _universes(5)))


def outputs_at(rate: Fraction) -> Cases:
    """Every output of the universes that have several data sets."""

    def listed() -> Iterator[tuple[Any, ...]]:
        for laws in (_laws(universe, rate) for universe in _universes(5)):
            yield from ((laws, z) for z in laws if len(laws) > 1)

    return cases(f"{_scope(5, rate)}; universes of several data sets", "laws z")(listed)


_RELATIONS: Mapping[str, Callable[[Strata], Any]] = {
    "x": lambda x: x,
    "matching_by_swapping(x)": lambda x: tuple(map(column_margins, x)),
    "other_holding_by_swapping(x)": lambda x: tuple(
        tuple(map(sum, zip(*rows, strict=True))) for rows in zip(*x, strict=True)
    ),
}


def uncertain(laws: Laws, z: Strata, *, relation: str) -> Witness | None:
    """The data sets that give z with nonzero probability differ in this function of them."""
    if len({_RELATIONS[relation](x) for x, law in laws.items() if z in law}) > 1:
        return None
    claimed = f"len(set({relation} for x in laws if get(laws[x], z, 0) > 0)) > 1"
    return failure(claimed, laws=laws, z=z)


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


@cases(_scope(4, _THIRD), "laws b p")
def budgets() -> Iterator[tuple[Any, ...]]:
    return ((_laws(one, _THIRD), largest_stratum(one), _THIRD) for one in _universes(4) if largest_stratum(one))


def as_plausible(laws: Laws, b: int, p: Fraction, *, sized: int) -> Witness | None:
    """P_x(z) <= e^(eps d_HamS(x, x')) P_x'(z), with e^eps = (sized*b + 1)(1 - p)/p."""
    gamma = (sized * b + 1) * (1 - p) / p
    for (x, law), (y, other) in permutations(laws.items(), 2):
        bound = gamma ** sum(table_distance(t, u) or 0 for t, u in zip(x, y, strict=True))
        if any(law.numeric(z) > bound * other.numeric(z) for z in law):
            claimed = (
                "all(laws[x][z] <= ((sized*b + 1)*(1 - p)/p)**apart(x, y) * get(laws[y], z, 0) "
                "for x in laws for y in laws for z in laws[x])"
            )
            return failure(claimed, laws=laws, b=b, p=p, sized=sized)
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
    reading="V_Hold \\ V_Swap is V_Hold, as the two have no variable in common (elsewhere the article writes "
    "V_Hold \\ V_Match); several cross-classifications of "
    "V_Hold by V_Swap are compatible with each output, for 0 < p < 1 and where the universe has several data sets",
    checks=[every(outputs_at(_THIRD), uncertain, relation="x")],
    mutants={"V_Match for V_Hold \\ V_Swap": every(outputs_at(_THIRD), uncertain, relation="matching_by_swapping(x)")},
)

state(
    "swapping.uncertain-relation.unmatched",
    "article, Appendix B",
    claim="The relationship that is uncertain is that of V_Swap with V_Hold \\ V_Match: for 0 < p < 1, where the "
    "universe has several data sets, several n_.hs are compatible with each output. That of V_Swap with V_Match is an "
    "invariant.",
    checks=[every(outputs_at(_THIRD), uncertain, relation="other_holding_by_swapping(x)")],
    mutants={"V_Match for V_Hold \\ V_Match": every(outputs_at(_THIRD), uncertain, relation="matching_by_swapping(x)")},
)
