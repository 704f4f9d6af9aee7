"""Other permutations, and permutations across strata: article, Appendix C.2 and section 6.2."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from mechanisms.exact_law import exact_law
from mechanisms.permutation_counts import derangements, moved_counts
from mechanisms.permutation_swapping import SwapRecord, permutation_swapping, table_records
from mechanisms.swapping_variants.nonuniform_derangements import nonuniform_swapping
from mechanisms.swapping_variants.probabilistic_matching import probabilistic_matching
from spec.law import Law
from spec.loss import ZERO, Loss
from spec.permutation_swapping import Margins
from spec.tables import Table, contingency_tables
from verify.claims.swapping_variants.losses import Laws, exceeded, supported, universes
from verify.evidence import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import cases, every
from verify.ledger.statement import misprint, state
from verify.ledger.words import define
from verify.swapping.variant_loss import laws_on_universe, small_universes

define(
    {
        "listed(z)": "[r for r, n in z for k in range(n)]",
        "tally(x, places)": "sorted([r[i] for i in places] for r in x)",
        "persons(x, county)": "sum(r[0] + 1 for r in x if r[2] == county)",
        "populations(x)": "{county: persons(x, county) for county in set(r[2] for r in x)}",
        "varied(x, place)": "any(r[place] != t[place] for r in x for t in x)",
    }
)

_C2 = "article, Appendix C.2, Nonuniform Permutations"
_B6 = "dissertation, Appendix B.6.2, Non-Uniform Permutations"
_EXTENDS = "article, section 6.2"
_RATE = Fraction(1, 3)
_ACROSS = Fraction(1, 10)

_BY_MOVED = ((16, 0, 4, 2, 1, 1), (1, 0, 5, 1, 3, 2), (1, 0, 1, 30, 1, 1), (7, 0, 7, 7, 7, 7))
"""The probability of one permutation by how many records it moves, up to a common factor."""


@cases(
    "one stratum, n <= 5 records, at most 3 x 3 categories; four laws that give equal sizes equal probability",
    "margins weights",
)
def laws_by_size() -> Iterator[tuple[Margins, tuple[int, ...]]]:
    return ((m, weights[: sum(m[0]) + 1]) for m, weights in product(small_universes(5), _BY_MOVED))


def by_size(margins: Margins, weights: tuple[int, ...], *, share: int = 1) -> Witness | None:
    """The smallest c with P(g)/P(g') <= e^(c*|k_g - k_g'|) for all derangements is a budget, or its share is."""
    n, tables = sum(margins[0]), contingency_tables(*margins)
    total = sum(weights[k] * comb(n, k) * derangements(k) for k in range(n + 1))
    laws = {x: Law({z: Fraction(_weighed(x, z, weights), total) for z in tables}) for x in tables}
    sizes = {k: w for k, w in enumerate(weights) if k != 1}
    ratios = [Loss(Fraction(sizes[a], sizes[b]), abs(a - b)) for a in sizes for b in sizes if sizes[a] > sizes[b]]
    constant = max(ratios, default=ZERO)
    claimed = (
        "any((p[z]/q[z])**(share*abs(a - b)) <= (sizes[a]/sizes[b])**table_distance(x, y) "
        "for a in sizes for b in sizes if a != b)"
    )
    budget = Loss(constant.gamma, constant.distance * share)
    return exceeded(laws, budget, claimed, sizes=sizes, share=share)


def _weighed(x: Table, z: Table, weights: tuple[int, ...]) -> int:
    return sum(n * weights[k] for k, n in enumerate(moved_counts(x, z)))


state(
    "psa.variants.nonuniform.printed",
    _C2,
    _B6,
    printed="… this extension will also retain the PSA's DP flavor, provided that P_x(sigma = g)/P_x'(sigma = g') is "
    "uniformly bounded by exp[O(|k_g - k_g'|)], for all derangements g and g' (of k_g and k_g' records, respectively).",
    reading="by exp(c |k_g - k_g'|) with one constant c, which is then a finite budget",
    checks=[every(laws_by_size, by_size)],
    mutants={"half of the proviso's constant as the budget": every(laws_by_size, by_size, share=2)},
)


def _near(record: SwapRecord, other: SwapRecord) -> int:
    """2 for a move to the next place on a line, else 1."""
    return 2 if abs(int(str(record[1])) - int(str(other[2]))) == 1 else 1


@cases("four households in four places on a line, moves to the next place favoured 2 to 1; c = 100", "law")
def undersampled() -> Iterator[dict[tuple[int, ...], Fraction]]:
    records = table_records(tuple(tuple(int(i == j) for j in range(4)) for i in range(4)))
    law = exact_law(nonuniform_swapping, records, weight=_near, swap_rate=_RATE)
    yield {tuple(int(str(record[2])) for record, _ in sorted(z, key=repr)): law.numeric(z) for z in law}


state(
    "psa.variants.nonuniform.proviso",
    _C2,
    _B6,
    printed="This would allow for some derangements to be selected with higher probability than other derangements. … "
    "some derangements, which result in poor data utility (such as when geographically distant records are swapped), "
    "can be undersampled …. … this extension will also retain the PSA's DP flavor, provided that P_x(sigma = "
    "g)/P_x'(sigma = g') is uniformly bounded by exp[O(|k_g - k_g'|)], for all derangements g and g'.",
    reading="the derangements of one selection of records, among which one is drawn, may differ in probability under "
    "the proviso, read as above; they all move as many records, so that its bound is exp(0)",
    grade=misprint("the paragraph wants unequal derangements of one selection: its bound must not be 1 at k_g = k_g'"),
    checks=[
        every(
            undersampled,
            "all(law[g] <= exp(c*abs(moved(g) - moved(h)))*law[h] for g in law for h in law if moved(g) == moved(h))",
            c=100,
        )
    ],
)


def _favour_the_next(record: SwapRecord, other: SwapRecord) -> int:
    """2 for a move that gives row i column i + 1 modulo 3, else 1."""
    return 2 if int(str(other[2])) == (int(str(record[1])) + 1) % 3 else 1


def weighted(margins: Margins, *, rate: Fraction = _RATE) -> Witness | None:
    """A finite budget holds with weights 2 and 1 by category."""
    return supported(laws_on_universe(nonuniform_swapping, margins, weight=_favour_the_next, swap_rate=rate))


state(
    "psa.variants.nonuniform.by-value",
    _C2,
    claim="If 0 < p < 1 and a derangement of the selected records is drawn in proportion to the product over its moves "
    "of a positive weight, a function of the categories of the two records, then the same DP flavor is satisfied with "
    "a finite budget.",
    repairs="psa.variants.nonuniform.proviso",
    checks=[every(universes(4), weighted)],
    mutants={"p = 1 allowed": every(universes(4), weighted, rate=Fraction(1))},
)

_STRATA = "two strata, n <= 4 records in all, at most 3 rows (m, h) and 3 swapping categories; alpha = 1/10, p = 1/3"


@cases(_STRATA, "margins strata")
def two_strata() -> Iterator[tuple[Margins, tuple[int, ...]]]:
    """Universes whose rows (m, h) lie in two matching strata, the first row in stratum 0."""
    for margins in small_universes(4):
        for rest in product((0, 1), repeat=len(margins[0]) - 1):
            if any(rest):
                yield margins, (0, *rest)


def _in_strata(table: Table, strata: tuple[int, ...]) -> tuple[SwapRecord, ...]:
    return tuple((strata[int(str(row))], row, column) for _, row, column in table_records(table))


def _matched(margins: Margins, strata: tuple[int, ...], program: Any = probabilistic_matching) -> Laws:
    more: dict[str, Any] = {"across": _ACROSS} if program is probabilistic_matching else {}
    tables = contingency_tables(*margins)
    return {x: exact_law(program, _in_strata(x, strata), swap_rate=_RATE, **more) for x in tables}


def _tally(records: Any, places: tuple[int, ...]) -> list[Any]:
    return sorted(tuple(record[place] for place in places) for record in records)


def kept(margins: Margins, strata: tuple[int, ...], *, more: tuple[tuple[int, ...], ...] = ()) -> Witness | None:
    """Every output keeps n_mh. and n_..s, and some output of some table changes n_m.s."""
    for table, law in _matched(margins, strata).items():
        x = _in_strata(table, strata)
        for z in law:
            after = [record for record, count in z for _ in range(count)]
            if any(_tally(after, places) != _tally(x, places) for places in ((0, 1), (2,), *more)):
                claimed = "all(tally(listed(z), places) == tally(x, places) for places in kept for z in law)"
                return failure(claimed, x=x, law=law, kept=((0, 1), (2,), *more))
    return None


def changed(margins: Margins, strata: tuple[int, ...]) -> Witness | None:
    """Some output changes n_m.s wherever the records differ in m and in s."""
    for table, law in _matched(margins, strata).items():
        x = _in_strata(table, strata)
        if all(_tally([r for r, n in z for _ in range(n)], (0, 2)) == _tally(x, (0, 2)) for z in law):
            claimed = "any(tally(listed(z), [0, 2]) != tally(x, [0, 2]) for z in law)"
            return failure(claimed, x=x, law=law)
    return None


def counties(margins: Margins, strata: tuple[int, ...], *, populations_kept: bool = False) -> Witness | None:
    """Each county keeps its households; its persons, m + 1 in a household of stratum m, change in some output."""
    for table, law in _matched(margins, strata).items():
        x = _in_strata(table, strata)
        outputs = [[record for record, count in z for _ in range(count)] for z in law]
        same = [_persons(after) == _persons(x) for after in outputs]
        if any(_tally(after, (2,)) != _tally(x, (2,)) for after in outputs):
            return failure("all(tally(listed(z), [2]) == tally(x, [2]) for z in law)", x=x, law=law)
        if populations_kept and not all(same):
            return failure("all(populations(listed(z)) == populations(x) for z in law)", x=x, law=law)
        if not populations_kept and all(same):
            return failure("any(populations(listed(z)) != populations(x) for z in law)", x=x, law=law)
    return None


def _persons(records: Any) -> dict[int, int]:
    return {s: sum(record[0] + 1 for record in records if record[2] == s) for s in {record[2] for record in records}}


state(
    "psa.variants.cross-strata.printed",
    _EXTENDS,
    printed="For example, consider using county as the swapping variable, with state and household size as the "
    "matching variables. Suppose that, for some alpha > 0, a household chosen for swapping would have a (1 - alpha)% "
    "chance of being swapped with another household of the same size, but an alpha% chance of being swapped with a "
    "differently sized household. Doing so retains the countywide household counts as invariant, but the countywide "
    "total populations would no longer be invariant.",
    reading="the sizes are one and two persons, and alpha a fraction (the printed chances sum to 1%): a permutation of "
    "the chosen households is drawn in proportion to 1 - alpha for each move inside a size, alpha across; wherever "
    "households differ in size and in county, some output has other populations",
    checks=[every(two_strata, counties)],
    mutants={"the countywide total populations are invariant too": every(two_strata, counties, populations_kept=True)},
)

state(
    "psa.variants.cross-strata.invariants",
    _EXTENDS,
    claim="If each move of a chosen household stays in its matching stratum in proportion to 1 - alpha and leaves it "
    "in proportion to alpha, 0 < alpha < 1, then n_mh. and n_..s (the countywide household counts) are invariant and "
    "n_m.s is not.",
    checks=[every(two_strata, kept), every(two_strata, changed)],
    mutants={"n_m.s is kept too": every(two_strata, kept, more=((0, 2),))},
)


def matched(margins: Margins, strata: tuple[int, ...], *, program: Any = probabilistic_matching) -> Witness | None:
    """A finite budget holds on the universe given by n_mh. and n_..s."""
    return supported(_matched(margins, strata, program))


state(
    "psa.variants.cross-strata.budget",
    _EXTENDS,
    claim="Swapping with such probabilistic matching and 0 < p < 1 satisfies, on each universe given by n_mh. and "
    "n_..s, d_HamS and D_Mult with a finite budget.",
    checks=[every(two_strata, matched)],
    mutants={"alpha = 0, which is the PSA with hard strata": every(two_strata, matched, program=permutation_swapping)},
)
