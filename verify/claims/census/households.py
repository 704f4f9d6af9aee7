"""Household-records against person-records as units, where every person-record names its housing unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

from spec.discrete_gaussian import diagonal_zcdp_budget
from verify.audit.published import parts, rows
from verify.evidence.witness import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import cases, every
from verify.ledger.statement import incomplete, state
from verify.ledger.words import define

Persons = tuple[tuple[int, int], ...]
"""Person-records: a housing unit and a kind each."""

Tenures = tuple[int, ...]
"""What each housing unit has of its own; as many as there are units."""

define(
    {
        "housed(x, i)": "sorted([kind for unit, kind in x if unit == i])",
        "household_records(x, tenures, vacant)": "[(i, tenures[i], housed(x, i)) for i in range(len(tenures)) "
        "if vacant == 1 or len(housed(x, i)) > 0]",
        "households_apart(x, y, tenures)": "hamming(household_records(x, tenures, 1), "
        "household_records(y, tenures, 1))",
        "largest_household(x, tenures)": "max([len(housed(x, i)) for i in range(len(tenures))])",
        # the loss of counts with independent discrete Gaussian noise: rho^2 = |difference|^2 / (2 sigma^2)
        "noisy_counts(u, v, sigma2)": "sum((a - b)**2 for a, b in zip(u, v)) / (2*sigma2)",
        "households_by_size(x, tenures)": "[sum(1 for i in range(len(tenures)) if len(housed(x, i)) == size) "
        "for size in range(len(x) + 1)]",
        "persons_by_cell(x, tenures)": "[sum(1 for unit, kind in x if (unit, kind) == (i, k)) "
        "for i in range(len(tenures)) for k in range(2)]",
    }
)

_ALIKE = (0, 0, 0)
_SCOPE = (
    "all pairs of data sets of equal size, up to 4 person-records (housing unit, one of two kinds), three units; a "
    "household-record is its unit, vacant or not, with its person-records"
)


def _data_sets(size: int, units: int) -> Iterator[Persons]:
    return combinations_with_replacement(tuple(product(range(units), (0, 1))), size)


@cases(_SCOPE, "x y tenures tenures_prime")
def _pairs() -> Iterator[Any]:
    for size in range(5):
        for x, y in product(_data_sets(size, 3), repeat=2):
            yield x, y, _ALIKE, _ALIKE


@cases("pairs of up to 2 person-records in two units; a household-record has one of two tenures besides", "x y t u")
def _pairs_with_tenure() -> Iterator[Any]:
    for size in range(3):
        for x, y in product(_data_sets(size, 2), repeat=2):
            for t, u in product(product((0, 1), repeat=2), repeat=2):
                yield x, y, t, u


@cache
def _persons(x: Persons) -> Counter[Any]:
    return Counter(x)


@cache
def _records(x: Persons, tenures: Tenures, vacant: int) -> Counter[Any]:
    inside = [tuple(sorted(kind for unit, kind in x if unit == i)) for i in range(len(tenures))]
    return Counter((i, tenures[i], kinds) for i, kinds in enumerate(inside) if vacant or kinds)


@cache
def _units(x: Persons) -> Counter[int]:
    return Counter(unit for unit, _ in x)


@cache
def _largest(x: Persons) -> int:
    return max(_units(x).values(), default=0)


@cache
def _apart(x: Persons, y: Persons, tenures: Tenures, tenures_prime: Tenures, vacant: int = 1) -> tuple[int, int | None]:
    """d_HamS^p of data sets of equal size, and d_HamS^hh; None for oo."""
    first, second = _records(x, tenures, vacant), _records(y, tenures_prime, vacant)
    households = (first - second).total() if first.total() == second.total() else None
    return (_persons(x) - _persons(y)).total(), households


def few_households(
    x: Persons, y: Persons, tenures: Tenures, tenures_prime: Tenures, *, factor: int = 1, vacant: int = 1
) -> Witness | None:
    """d_HamS^hh <= factor * d_HamS^p, with household-records of vacant units or without."""
    persons, households = _apart(x, y, tenures, tenures_prime, vacant)
    if households is not None and households <= factor * persons:
        return None
    first, second = "household_records(x, tenures, vacant)", "household_records(y, tenures_prime, vacant)"
    claimed = f"hamming({first}, {second}) <= factor*hamming(x, y)"
    return failure(claimed, x=x, y=y, tenures=tenures, tenures_prime=tenures_prime, vacant=vacant, factor=factor)


def few_persons(x: Persons, y: Persons, tenures: Tenures, _: Tenures, *, fewer: int = 0) -> Witness | None:
    """d_HamS^p <= (M - fewer) * d_HamS^hh, M the persons of the largest household of either data set."""
    persons, households = _apart(x, y, tenures, tenures)
    if households is None or persons > (max(_largest(x), _largest(y)) - fewer) * households:
        largest = "max(largest_household(x, tenures), largest_household(y, tenures))"
        claimed = f"hamming(x, y) <= ({largest} - fewer) * households_apart(x, y, tenures)"
        return failure(claimed, x=x, y=y, tenures=tenures, fewer=fewer)
    return None


def nobody_moves(x: Persons, y: Persons, tenures: Tenures, _: Tenures) -> Witness | None:
    """d_HamS^hh <= d_HamS^p, where every unit has as many persons in the one data set as in the other."""
    if _units(x) != _units(y):
        return None
    return few_households(x, y, tenures, tenures)


_WHOLE_HOUSEHOLDS = cases("all 1, 2, 3 or 4 persons of a household change their kind; two units vacant", "x y tenures")(
    lambda: ((((0, 0),) * size, ((0, 1),) * size, _ALIKE) for size in range(1, 5))
)

_MOVED = cases("a person who moves to a vacant unit, three units", "x y tenures")(
    lambda: [(((0, 0),), ((1, 0),), _ALIKE)]
)

_ATTAINED = "hamming(x, y) == largest_household(x, tenures) * households_apart(x, y, tenures) > 0"
_TWICE = every(_pairs, few_households, factor=2)
_TWICE_ATTAINED = every(_MOVED, "households_apart(x, y, tenures) == 2*hamming(x, y) > 0")
_MUTANTS = {
    "1 for 2": every(_pairs, few_households, factor=1),
    "a household-record has a tenure too": every(_pairs_with_tenure, few_households, factor=2),
    "vacant units left out": every(_pairs, few_households, factor=2, vacant=0),
}

state(
    "units.household-person.printed",
    "article, section 5.4",
    "dissertation, section 3.5.2",
    printed="… using a lower resolution like household-records provides more protection than a higher resolution like "
    "person-records (all else being equal). That is, a household-level distance is a stronger notion than a "
    "person-level distance, since if the record of a single household changes part of its value, the multiple persons "
    "residing in a same household may all change their records.",
    reading="d_HamS^hh <= d_HamS^p, so that a budget under the one is a budget under the other; a person-record names "
    "its housing unit",
    grade=incomplete(
        "that the persons stay in their housing units, as in the reason given: one who moves changes two records"
    ),
    checks=[every(_pairs, few_households)],
)

state(
    "units.household-person",
    "article, section 5.4",
    claim="Where every person-record names its housing unit, and a household-record is its housing unit with its "
    "person-records and nothing else: over data sets with the same number of persons and the same housing units "
    "(vacant ones among them), d_HamS^hh <= 2 d_HamS^p and d_HamS^p <= b d_HamS^hh, where b bounds the persons of a "
    "household, with both factors attained; and d_HamS^hh <= d_HamS^p where every unit keeps its number of persons.",
    repairs="units.household-person.printed",
    checks=[
        _TWICE,
        _TWICE_ATTAINED,
        every(_pairs, few_persons),
        every(_WHOLE_HOUSEHOLDS, _ATTAINED),
        every(_pairs, nobody_moves),
    ],
    mutants={**_MUTANTS, "b - 1 for b": every(_pairs, few_persons, fewer=1)},
)

_RHO = {name: Fraction(text) for name, text in (*parts("topdown.pl").items(), *parts("das-2020.total").items())}

_BY_SIZE = cases("counts of households by size with noise, rho^2 = 0.07 for one household", "x y tenures rho2")(
    lambda: ((x, y, tenures, _RHO["household"]) for x, y, tenures, _ in _pairs)
)

_LOSS = "noisy_counts(households_by_size(x, tenures), households_by_size(y, tenures), 1/rho2)"

state(
    "topdown.household-mechanism.printed",
    "article, Appendix H",
    "dissertation, section B.5",
    printed="… T_hh … satisfies rho-DP(X_CEF, {X_CEF}, d_r_bs^hh, D_NoR), where rho^2 = 0.07 … Hence T_hh satisfies "
    "rho-DP(X_CEF, D_cTDA, d_HamS^p, D_NoR) by the second half of Proposition 5 with rho^2 = 0.07.",
    reading="the step, for counts of households by size; Proposition 5 changes the multiverse alone, so the step is "
    "from d_HamS^hh to d_HamS^p",
    grade=incomplete(
        "d_HamS^hh <= d_HamS^p, which section 5.4 states: it holds where nobody moves to another household"
    ),
    checks=[every(_BY_SIZE, f"{_LOSS} > rho2*households_apart(x, y, tenures)**2 or {_LOSS} <= rho2*hamming(x, y)**2")],
)

state(
    "topdown.household-mechanism",
    "article, Appendix H",
    claim="Where every person-record names its housing unit, and a household-record is its housing unit with its "
    "person-records and nothing else: over data sets with the same number of persons and the same housing units "
    "(vacant ones among them), d_HamS^hh <= 2 d_HamS^p, so a mechanism with budget rho under d_HamS^hh has budget 2 "
    "rho (4 rho^2) under d_HamS^p; moving one person attains the factor.",
    repairs="topdown.household-mechanism.printed",
    checks=[_TWICE, _TWICE_ATTAINED],
    mutants=_MUTANTS,
)

state(
    "topdown.household-sensitivity",
    "article, Appendix H",
    printed="… the sensitivity of the person-level query Q_p due to a single change in a household-record is 99,999. "
    "This is because the maximum possible household size in the CEF is 99,999 …",
    reading="with M for 99,999: d_HamS^hh = 1 allows d_HamS^p = M and no more, over data sets with the same number of "
    "persons, as the invariants ask",
    checks=[every(_pairs, few_persons), every(_WHOLE_HOUSEHOLDS, _ATTAINED)],
    mutants={"M - 1 for M": every(_pairs, few_persons, fewer=1)},
)

_CHANGED_KINDS = cases(
    "noise with sigma^2 = 1/4, 1, 3, 50; M = 1, 2, 3, 4 and 99,999 persons of a household change their kind", "sigma2 m"
)(lambda: product(map(Fraction, ("1/4", "1", "3", "50")), (1, 2, 3, 4, 99_999)))


def amplified(sigma2: Fraction, m: int, *, power: int) -> Witness | None:
    """The rho^2 of noisy counts by kind is multiplied by m^power where m persons change their kind instead of one."""
    single, whole = (diagonal_zcdp_budget((sigma2, sigma2), (-size, size)) for size in (1, m))
    if whole == m**power * single:
        return None
    claimed = "noisy_counts((m, 0), (0, m), sigma2) == m**power * noisy_counts((1, 0), (0, 1), sigma2)"
    return failure(claimed, sigma2=sigma2, m=m, power=power)


state(
    "topdown.household-amplification",
    "article, Appendix H and section 5.4",
    printed="This means T_p can satisfy (X_CEF, D_cTDA, d_HamS^hh, D_NoR) only if the PLB is amplified by 99,999. … "
    "the 2020 DAS's budget would substantially increase under a household-level input premetric …",
    reading="the PLB is rho (Remark 2), so that the reported rho^2 is multiplied by 99,999^2; for counts of persons "
    "by kind with independent discrete Gaussian noise, all persons of a household changing their kind",
    checks=[every(_CHANGED_KINDS, amplified, power=2)],
    mutants={"rho^2, the reported budget, by M": every(_CHANGED_KINDS, amplified, power=1)},
)

_PERSON_BUDGET = _RHO["TopDown"] + _RHO["SafeTab-P"]
_HOUSEHOLD_BUDGET = _RHO["SafeTab-H"] + _RHO["PHSafe"]
_OVERALL = rows("das-2020.total")[0].printed.value

_BOTH_LEVELS = cases(f"{_SCOPE}; with the budgets at both levels", "x y tenures person household")(
    lambda: ((x, y, tenures, _PERSON_BUDGET, _HOUSEHOLD_BUDGET) for x, y, tenures, _ in _pairs)
)

_COMPOSED = (
    "noisy_counts(persons_by_cell(x, tenures), persons_by_cell(y, tenures), 1/person) + "
    "noisy_counts(households_by_size(x, tenures), households_by_size(y, tenures), 1/household)"
)

state(
    "das.overall.specification.printed",
    "article, Table 4",
    "dissertation, Table 3.4",
    printed="TopDown D_NoR d_HamS^p (person) … rho^2 = 15.29 … SafeTab-P … DDHC-A: rho^2 = 19.776; SafeTab-H "
    "d_HamS^hh (household) DDHC-B: rho^2 = 17.79; PHSafe … S-DHC: rho^2 = 2.515; Overall (to date) 2020 DAS D_NoR "
    "d_HamS^p (person) Same as TopDown rho^2 = 55.371",
    reading="releases with the specifications of the four rows together have that of the row Overall: budgets under "
    "d_HamS^hh are added to budgets under d_HamS^p; PHSafe's empty cell repeats the household of the one above (were "
    "it a person's, SafeTab-H alone would refute)",
    grade=incomplete(
        "d_HamS^hh <= d_HamS^p, which section 5.4 states: it holds where nobody moves to another household"
    ),
    checks=[every(_BOTH_LEVELS, f"{_COMPOSED} <= overall*hamming(x, y)**2", overall=_OVERALL)],
)


def added(
    x: Persons, y: Persons, tenures: Tenures, person: Fraction, household: Fraction, *, overall: Fraction
) -> Witness | None:
    """The budgets at both levels together are at most the overall one at the person's distance."""
    persons, households = _apart(x, y, tenures, tenures)
    if households is None or person * persons**2 + household * households**2 > overall * persons**2:
        claimed = "person*hamming(x, y)**2 + household*households_apart(x, y, tenures)**2 <= overall*hamming(x, y)**2"
        return failure(claimed, x=x, y=y, tenures=tenures, person=person, household=household, overall=overall)
    return None


_FOURFOLD = _PERSON_BUDGET + 4 * _HOUSEHOLD_BUDGET

state(
    "das.overall.specification",
    "article, Table 4",
    claim="Releases with the specifications of the four rows, under the invariants of TopDown, together satisfy "
    "rho-DP(X_CEF, D_cTDA, d_HamS^p, D_NoR) with rho^2 = 15.29 + 19.776 + 4 (17.79 + 2.515) = 116.286, where "
    "person-records name their housing units and household-records hold nothing else.",
    repairs="das.overall.specification.printed",
    checks=[
        every(_BOTH_LEVELS, added, overall=_FOURFOLD),
        every(
            _MOVED,
            "person + household*households_apart(x, y, tenures)**2 == 116286/1000",
            person=_PERSON_BUDGET,
            household=_HOUSEHOLD_BUDGET,
        ),
    ],
    mutants={"55.371 for 116.286": every(_BOTH_LEVELS, added, overall=_OVERALL)},
)
