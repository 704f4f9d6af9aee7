"""Evidence for article, Appendix H and section 5.4: household-records against person-records as units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from typing import Any

from spec.discrete_gaussian import diagonal_zcdp_budget
from spec.domain import FiniteDomain, multisets
from spec.enclosure import decimal_text
from spec.input_premetric import Neighbors, Order, hamming_unordered, neighbor_premetric
from spec.law import Law
from verify.engines.zcdp.normalized_renyi import normalized_renyi_squared
from verify.engines.zcdp.renyi_grid import enclosed, laws_of
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

__all__ = ["PAIRS", "HouseholdRecords", "household_bound", "household_pairs"]

Person = tuple[int, int]
"""The housing unit and the kind of a person."""


class HouseholdRecords(Enum):
    """What a household-record is, and which household-records a data set has."""

    PERSONS_ALONE = "every housing unit with its person-records and nothing else"
    WITH_TENURE = "every housing unit with its person-records and one of two tenures"
    OCCUPIED_UNITS = "every occupied housing unit with its person-records"


def _households(
    persons: tuple[Person, ...], units: int, tenures: tuple[int, ...] | None = None, *, vacant: bool = True
) -> tuple[Any, ...]:
    """The household-records of a data set: each unit with its persons, and with its tenure where there is one."""
    found = []
    for unit in range(1, units + 1):
        inside = tuple(sorted(kind for u, kind in persons if u == unit))
        if inside or vacant:
            found.append((unit, inside) if tenures is None else (unit, inside, tenures[unit - 1]))
    return tuple(found)


def _points(records: HouseholdRecords, size: int) -> Iterator[tuple[tuple[Person, ...], tuple[Any, ...]]]:
    """The data sets of so many persons of two kinds, as person-records and as household-records."""
    units = 2 if records is HouseholdRecords.WITH_TENURE else 3
    for persons in combinations_with_replacement(tuple(product(range(1, units + 1), (0, 1))), size):
        if records is HouseholdRecords.WITH_TENURE:
            for tenures in product((0, 1), repeat=units):
                yield persons, _households(persons, units, tenures)
        else:
            yield persons, _households(persons, units, vacant=records is HouseholdRecords.PERSONS_ALONE)


@cache
def household_pairs(
    records: HouseholdRecords = HouseholdRecords.PERSONS_ALONE,
) -> tuple[tuple[tuple[Any, ...], tuple[Any, ...], int, int | None, int], ...]:
    """All pairs with d_HamS^p, d_HamS^hh (None for infinity) and the largest household size.

    The data sets have up to 4 persons of two kinds in three units; for the other kinds of household-record up to 2
    persons, and two units where they have a tenure. One block of one state: two data sets with the same number of
    persons agree on TopDown's invariants.
    """
    person, household = hamming_unordered("person"), hamming_unordered("household")
    found = []
    for size in range(5 if records is HouseholdRecords.PERSONS_ALONE else 3):
        points = list(_points(records, size))
        for (x, h), (y, k) in product(points, repeat=2):
            dp, dh = person(x, y), household(h, k)
            if dp is None:
                raise EngineError("data sets of equal size have a finite Hamming distance")
            largest = max((len(unit[1]) for unit in (*h, *k)), default=0)
            shown = (x, y) if records is not HouseholdRecords.WITH_TENURE else (h, k)
            found.append((*shown, int(dp), None if dh is None else int(dh), largest))
    return tuple(found)


PAIRS = (
    "all pairs of data sets of equal size, up to 4 person-records (housing unit, one of two kinds), three units; a "
    "household-record is its unit, vacant or not, with its person-records"
)


def household_bound(
    claimed: str,
    holds: Callable[[int, int, int], bool],
    records: HouseholdRecords = HouseholdRecords.PERSONS_ALONE,
) -> Evidence:
    """Whether an inequality between d_HamS^hh, d_HamS^p and the largest household size holds for all pairs.

    Args:
        claimed: the inequality in `household`, `person` and `b`.
        holds: the same as a function of those three; it is false where d_HamS^hh is infinite.
        records: what a household-record is.
    """
    scope = PAIRS if records is HouseholdRecords.PERSONS_ALONE else f"pairs of small data sets; {records.value}"
    for x, y, person, household, largest in household_pairs(records):
        if household is None:
            note = f"x = {x}, x' = {y} as (housing unit, kind), {records.value}: d_HamS^hh = oo, d_HamS^p = {person}"
            occupied, other = (len({unit for unit, _ in one}) for one in (x, y))
            witness = formula_witness(
                "records == records_prime", note=note, records=occupied, records_prime=other, person=person
            )
            return Evidence(Verdict.REFUTED, scope, note, witness)
        if not holds(household, person, largest):
            note = f"x = {x}, x' = {y} as (housing unit, kind): a person moves or changes"
            if records is HouseholdRecords.WITH_TENURE:
                note = f"x = {x}, x' = {y} as (housing unit, kinds, tenure): a tenure changes"
            witness = formula_witness(claimed, note=note, household=household, person=person, b=largest)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{len(household_pairs(records))} pairs")


def _times(factor: int, records: HouseholdRecords = HouseholdRecords.PERSONS_ALONE) -> Evidence:
    """Whether d_HamS^hh is at most so many times d_HamS^p, and the factor attained."""
    claimed = f"household <= {factor}*person"
    evidence = household_bound(claimed, lambda household, person, _: household <= factor * person, records)
    if evidence.verdict is Verdict.REFUTED:
        return evidence
    attained = any(household == factor * person > 0 for _, _, person, household, _ in household_pairs(records))
    return evidence if attained else Evidence(Verdict.OPEN, evidence.scope, f"the factor {factor} is not attained")


@checks("topdown.household-mechanism")
def household_mechanism() -> Evidence:
    """The factor 2 between the distances, attained."""
    return _times(2)


@refutes("topdown.household-mechanism", "1 for 2")
def household_mechanism_one() -> Evidence:
    """The mutant is the printed step."""
    return _times(1)


@refutes("topdown.household-mechanism", "a household-record has a tenure too")
def household_mechanism_with_tenure() -> Evidence:
    """The mutant with data of the household's own: they change while all person-records stay."""
    return _times(2, HouseholdRecords.WITH_TENURE)


@refutes("topdown.household-mechanism", "vacant units left out")
def household_mechanism_of_occupied_units() -> Evidence:
    """The mutant where a person who moves to a vacant unit makes one household-record more."""
    return _times(2, HouseholdRecords.OCCUPIED_UNITS)


def _laws() -> Iterator[tuple[tuple[Person, ...], Law[int]]]:
    """A mechanism on three different persons in two units: a coin that leans only at two data sets."""
    first, second = ((1, 0), (1, 1), (2, 2)), ((1, 0), (2, 1), (2, 2))
    leaning: dict[tuple[Person, ...], Fraction] = {first: Fraction(1, 3), second: Fraction(2, 3)}
    for units in product((1, 2), repeat=3):
        x = tuple(sorted(zip(units, range(3), strict=True)))
        p = leaning.get(x, Fraction(1, 2))
        yield x, Law({0: 1 - p, 1: p})


@checks("topdown.household-mechanism.printed")
def household_mechanism_printed() -> Evidence:
    """A mechanism with a budget under d_HamS^hh that it exceeds under d_HamS^p within one universe."""
    scope = "one mechanism on the 8 data sets of three different persons in two housing units of one block"
    laws = dict(_laws())
    person, household = hamming_unordered("person"), hamming_unordered("household")
    budget, losses = Fraction(0), []
    for x, y in product(laws, repeat=2):
        if x == y:
            continue
        low, high = normalized_renyi_squared(laws[x], laws[y])
        if not (isinstance(low, Fraction) and isinstance(high, Fraction)):
            raise EngineError("laws with the same support have a finite Renyi metric")
        dh, dp = household(_households(x, 2), _households(y, 2)), person(x, y)
        if not dh or not dp:
            raise EngineError("different data sets have a positive distance")
        budget = max(budget, high / dh**2)
        losses.append((low / dp**2, x, y, dh, dp))
    loss, x, y, dh, dp = max(losses)
    if loss <= budget:
        return Evidence(Verdict.OPEN, scope, "this mechanism does not tell the two distances apart")
    note = f"x = {x}, x' = {y} as (housing unit, person): d_HamS^hh = {dh}, d_HamS^p = {dp}; a person moves"
    witness = formula_witness("loss <= rho2", note=note, loss=loss, rho2=budget)
    bounds = f"rho^2 <= {decimal_text(budget, 6)} under d_HamS^hh, >= {decimal_text(loss, 6)} under d_HamS^p"
    detail = f"{bounds}: {note}"
    return Evidence(Verdict.REFUTED, scope, detail, witness)


def _between(low: int, records: HouseholdRecords = HouseholdRecords.PERSONS_ALONE) -> Evidence:
    """d^hh ≤ low·d^p and d^p ≤ b·d^hh; both factors attained."""
    first = _times(low, records)
    if not first.verdict.is_settled_for:
        return first
    second = household_bound("person <= b*household", lambda household, person, b: person <= b * household, records)
    if second.verdict is Verdict.REFUTED:
        return second
    pairs = [(p, h, b) for _, _, p, h, b in household_pairs(records) if h is not None]
    if not all(any(p == b * h > 0 and b == size for p, h, b in pairs) for size in range(1, 5)):
        return Evidence(Verdict.OPEN, PAIRS, "the factor b is not attained")
    return first


@checks("units.household-person.printed")
def household_person_printed() -> Evidence:
    """d^hh ≤ d^p."""
    return _between(1)


@checks("units.household-person")
def household_person() -> Evidence:
    """d^hh ≤ 2·d^p and d^p ≤ b·d^hh."""
    return _between(2)


@refutes("units.household-person", "1 for 2")
def household_person_one() -> Evidence:
    """The mutant is the printed inequality."""
    return _between(1)


@refutes("units.household-person", "a household-record has a tenure too")
def household_person_with_tenure() -> Evidence:
    """The mutant with data of the household's own."""
    return _between(2, HouseholdRecords.WITH_TENURE)


@refutes("units.household-person", "vacant units left out")
def household_person_of_occupied_units() -> Evidence:
    """The mutant without the same housing units on both sides."""
    return _between(2, HouseholdRecords.OCCUPIED_UNITS)


def _sensitivity(less: int) -> Evidence:
    """The largest d_HamS^p at d_HamS^hh = 1 for household sizes of at most M = 1, …, 4."""
    for size in range(1, 5):
        largest = max(p for _, _, p, h, b in household_pairs() if h == 1 and b <= size)
        if largest != size - less:
            note = f"households of at most {size} persons"
            claimed = f"largest == size - {less}"
            return Evidence(
                Verdict.REFUTED, PAIRS, note, formula_witness(claimed, note=note, largest=largest, size=size)
            )
    return Evidence(Verdict.EXHAUSTED, f"{PAIRS}; M = 1, ..., 4")


@checks("topdown.household-sensitivity")
def household_sensitivity() -> Evidence:
    """M."""
    return _sensitivity(0)


@refutes("topdown.household-sensitivity", "M - 1 for M")
def household_sensitivity_less() -> Evidence:
    """The mutant with a smaller sensitivity."""
    return _sensitivity(1)


_LARGEST_HOUSEHOLD = 99_999


def _amplified(claimed: str, factor: Callable[[int], int]) -> Evidence:
    """Whether the ρ² of counts of persons by kind is multiplied by factor(M) where M persons change their kind.

    One person's change moves one unit from one count to another; a household of M of one kind that becomes one of
    another kind moves M of them, and no single household moves more.
    """
    scope = (
        f"counts of persons by kind with discrete Gaussian noise, sigma^2 = 1/4, 1, 3, 50; M = 1, 2, 3, 4 and "
        f"{_LARGEST_HOUSEHOLD:,}"
    )
    for scale, size in product(map(Fraction, ("1/4", "1", "3", "50")), (1, 2, 3, 4, _LARGEST_HOUSEHOLD)):
        single = diagonal_zcdp_budget((scale, scale), (-1, 1))
        whole = diagonal_zcdp_budget((scale, scale), (-size, size))
        if whole != factor(size) * single:
            note = f"sigma^2 = {scale}, M = {size}: rho^2 of one person and of the household"
            witness = formula_witness(claimed, note=note, whole=whole, single=single, m=size)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"at M = 99,999 rho^2 is multiplied by {_LARGEST_HOUSEHOLD**2}")


@checks("topdown.household-amplification")
def household_amplification() -> Evidence:
    """ρ by M, ρ² by M²."""
    return _amplified("whole == m**2*single", lambda m: m**2)


@refutes("topdown.household-amplification", "rho^2, the reported budget, by M")
def household_amplification_of_the_square() -> Evidence:
    """The mutant that reads the factor on the reported number."""
    return _amplified("whole == m*single", lambda m: m)


def _sizes(kinds: str, lengths: Iterable[int]) -> list[FiniteDomain]:
    """The data sets of each number of household-records, apart: d_HamS^hh is oo between them."""
    return [multisets(tuple(kinds), (length,)) for length in lengths]


def _same_budgets(domains: Iterable[FiniteDomain], scope: str, *, power: int = 2) -> Evidence:
    """Whether every mechanism has one smallest budget under d_r_bs^hh and under d_HamS^hh.

    Args:
        domains: the data sets.
        scope: these in words.
        power: of d, that D_NoR^2 may grow with.
    """
    scope = f"{scope}; all mechanisms of coins in quarters"
    squared = [[enclosed(p, q) for q in laws_of(2, 4)] for p in laws_of(2, 4)]
    d_r = neighbor_premetric(Neighbors.REPLACE_ONE, Order.UNORDERED, "household")
    d_hh = hamming_unordered("household")
    for domain in domains:
        points = list(enumerate(domain))
        near = [(i, j) for (i, x), (j, y) in permutations(points, 2) if d_r(x, y) == 1]
        far = [(i, j, int(d)) for (i, x), (j, y) in permutations(points, 2) if (d := d_hh(x, y)) is not None]
        for laws in product(range(len(squared)), repeat=len(domain)):
            steps = [squared[laws[i]][laws[j]] for i, j in near]
            if None in steps:
                continue
            lower, upper = (max((getattr(s, end) for s in steps), default=Fraction(0)) for end in ("lower", "upper"))
            for i, j, d in far:
                whole = squared[laws[i]][laws[j]]
                if d == 1 or laws[i] == laws[j]:
                    continue
                note = f"X = {domain.points}: x = {points[i][1]}, x' = {points[j][1]}, mechanism {laws} in quarters"
                if whole is None or whole.lower > d**power * upper:
                    least = 0 if whole is None else 1 / whole.lower
                    note = f"{note}: 1/D_NoR^2 of both, 0 for oo, and the largest D_NoR^2 of neighbors"
                    values = {"inverse": least, "largest": upper, "d": d, "power": power}
                    witness = formula_witness("inverse*largest*d**power >= 1", note=note, **values)
                    return Evidence(Verdict.REFUTED, scope, note, witness)
                if whole.upper > d**power * lower:
                    return Evidence(Verdict.OPEN, scope, f"undecided to 7 digits: {note}")
    return Evidence(Verdict.ENCLOSED, scope)


_FLAVORS_SCOPE = "data sets of up to 3 household-records of two kinds, and of 2 of three kinds"


def _all_sizes() -> list[FiniteDomain]:
    return [*_sizes("ab", (1, 2, 3)), *_sizes("abc", (2,))]


@checks("topdown.bounded-flavors")
def bounded_flavors() -> Evidence:
    """Each pair at distance d against the neighbors."""
    return _same_budgets(_all_sizes(), _FLAVORS_SCOPE)


@refutes("topdown.bounded-flavors", "D_NoR^2, the standard parameterization, for D_NoR")
def bounded_flavors_squared() -> Evidence:
    """The mutant whose premetric has no triangle inequality."""
    return _same_budgets(_all_sizes(), _FLAVORS_SCOPE, power=1)


@refutes("topdown.bounded-flavors", "X lacks the data sets between")
def bounded_flavors_in_part() -> Evidence:
    """The mutant in which data sets at distance 2 have no chain."""
    domain = FiniteDomain((("a", "a"), ("b", "b")))
    return _same_budgets([domain], "X = {(a, a), (b, b)}")
