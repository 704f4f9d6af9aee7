"""Evidence for article, Appendix F: lower bounds on the PSA's budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product

from mechanisms.permutation_counts import derangements, likelihood, moved_counts, psa_law
from spec.law import Law
from spec.loss import ZERO
from spec.permutation_swapping import Margins, largest_stratum, odds, psa_budget
from spec.tables import Table, contingency_tables, margins_of_size
from verify.engines.swapping.budget_sweep import one_stratum, stratum_loss
from verify.engines.swapping.disjoint_tables import disjoint_pair
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import event_witness, formula_witness
from verify.ledger import checks, refutes

_ENDS = (Fraction(0), Fraction(1))


def _several_tables(records: Iterable[int], categories: int = 4) -> Iterator[Margins]:
    """The universes of one stratum that have at least two tables."""
    for n in records:
        for margins in one_stratum(n, categories):
            if len(contingency_tables(*margins)) > 1:
                yield margins


def _unit_pairs(margins: Margins) -> bool:
    return all(side.count(1) >= 2 for side in margins)


def _infinite(rate: Fraction, universes: Iterable[Margins], scope: str) -> Evidence:
    """Whether every universe has an infinite loss."""
    for margins in universes:
        loss = stratum_loss(*margins, rate)
        if not loss.is_infinite:
            tables = contingency_tables(*margins)
            smallest = min(likelihood(x, z, rate) for x, z in product(tables, repeat=2))
            possible = [[likelihood(x, z, rate) > 0 for z in tables] for x in tables]
            if any(row != possible[0] for row in possible):
                raise EngineError(f"the loss on {margins} is finite while supports differ")
            note = f"margins {margins}: the loss is finite, {loss}"
            witness = formula_witness("finite == 0", note=f"{note}; smallest probability {smallest}", finite=1)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.no-swapping")
def no_swapping() -> Evidence:
    """Proposition 6."""
    scope = "every universe of one stratum with two tables, up to 6 records and four categories a side, p = 0"
    return _infinite(Fraction(0), _several_tables(range(2, 7)), scope)


@refutes("psa.no-swapping", "p = 1/2")
def some_swapping() -> Evidence:
    """The mutant at another swap rate."""
    return _infinite(Fraction(1, 2), _several_tables(range(2, 7)), "as for p = 0")


@checks("psa.full-swapping")
def full_swapping() -> Evidence:
    """Proposition 7."""
    universes = filter(_unit_pairs, (u for n in range(2, 6) for u in one_stratum(n, 5)))
    scope = "every universe of one stratum with two unit rows and columns, up to 5 records and five categories, p = 1"
    return _infinite(Fraction(1), universes, scope)


@refutes("psa.full-swapping", "p = 1/2 for p = 1")
def full_swapping_at_half() -> Evidence:
    """The mutant at another swap rate."""
    universes = filter(_unit_pairs, (u for n in range(2, 6) for u in one_stratum(n, 5)))
    return _infinite(Fraction(1, 2), universes, "as for p = 1")


def _proof_step(*, any_input: bool, rate: Fraction = Fraction(1)) -> Evidence:
    """The two probabilities of the proof, x' being the swapped data set or any other, with the unit categories last."""
    scope = (
        "every universe of one stratum with two unit rows and columns, up to 5 records and five categories, "
        f"p = {rate}, every x with the two unit records"
    )
    for rows, columns in filter(_unit_pairs, (u for n in range(2, 6) for u in one_stratum(n, 5))):
        universe = contingency_tables(rows, columns)
        for rest in contingency_tables(rows[:-2], columns[:-2]) if len(rows) > 2 else ((),):
            x, swapped = _with_units(rest, len(columns) - 2)
            stays = likelihood(x, x, rate)
            arrives = max(likelihood(y, x, rate) for y in (universe if any_input else (swapped,)))
            if stays != 0 or arrives == 0:
                note = f"x = {x}, x' = {'any' if any_input else swapped}: P_x(x) = {stays}, P_x'(x) = {arrives}"
                if stays != 0:
                    witness = formula_witness("stays == 0", note=note, stays=stays)
                else:
                    others = [z for z in universe if z != x]
                    uniform = Law(dict.fromkeys(universe, Fraction(1, len(universe))))
                    laws = psa_law(swapped, rate), uniform
                    witness = event_witness(laws, others, distance=1, claimed=ZERO, note=note, x=x, x_prime=swapped)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.full-swapping.proof-step")
def full_swapping_proof_step() -> Evidence:
    """The step as printed: among three records the swap of two leaves one in place."""
    return _proof_step(any_input=False)


@checks("psa.full-swapping.some-input")
def full_swapping_some_input() -> Evidence:
    """The repaired step."""
    return _proof_step(any_input=True)


@refutes("psa.full-swapping.some-input", "p = 1/2")
def full_swapping_some_input_at_half() -> Evidence:
    """The mutant at another swap rate, where records may stay."""
    return _proof_step(any_input=True, rate=Fraction(1, 2))


def _with_units(rest: Sequence[Sequence[int]], width: int) -> tuple[Table, Table]:
    """A table with two more unit rows and columns, in both ways of filling them."""
    body = [(*row, 0, 0) for row in rest]
    blank = (0,) * width
    x = (*body, (*blank, 1, 0), (*blank, 0, 1))
    return x, (*body, (*blank, 0, 1), (*blank, 1, 0))


def _exact_power(start: Table, other: Table, z: Table, moves: tuple[int, int]) -> bool:
    """Whether P_start(z)/P_other(z) is o^(k−l)·d(l)/d(k) for all p: all permutations move k, and l, records."""
    first, second = moved_counts(start, z), moved_counts(other, z)
    near, far = moves
    alone = all((n > 0) == (i == near) for i, n in enumerate(first)) and all(
        (n > 0) == (i == far) for i, n in enumerate(second)
    )
    return alone and first[near] == second[far]


def _unit_margins(power: int) -> Evidence:
    """Whether ε ≥ power·ln o on universes with unit margins: for all p by counting, else by the exact loss."""
    scope = "one stratum of 2 to 10 records with all margins 1, all p in (0, 1) at once"
    for n in range(2, 11):
        identity = tuple(tuple(int(i == j) for j in range(n)) for i in range(n))
        x_prime = (identity[1], identity[0], *identity[2:])
        if power * 2 <= 2 and _exact_power(x_prime, identity, identity, (2, 0)):
            continue
        for rate in (Fraction(3, 4), Fraction(19, 20)):
            loss = stratum_loss((1,) * n, (1,) * n, rate)
            if loss.gamma is not None and loss.gamma < odds(rate) ** (power * loss.distance):
                note = f"{n} records, p = {rate}: the smallest budget is ln(gamma)/d = {loss}"
                claimed = f"gamma >= (p/(1 - p))**({power}*d)"
                witness = formula_witness(claimed, note=note, gamma=loss.gamma, d=loss.distance, p=rate)
                return Evidence(Verdict.REFUTED, scope, note, witness)
        return Evidence(Verdict.OPEN, scope, f"{n} records: counting settles nothing")
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.unit-margins")
def unit_margins() -> Evidence:
    """Proposition 8, by the pair of the proof: P_x'(x)/P_x(x) = o^2 at distance 2."""
    return _unit_margins(1)


@refutes("psa.unit-margins", "2 ln o for ln o")
def unit_margins_doubled() -> Evidence:
    """The mutant with twice the bound."""
    return _unit_margins(2)


def _pair_bound(b: int, rate: Fraction) -> Fraction:
    """E^(2ε) at ε = 0.5 ln[d(b)/d(b−2)] − ln o."""
    return Fraction(derangements(b), derangements(b - 2)) / odds(rate) ** 2


def _pair_ratio_holds(rest: tuple[Table, Table] | None) -> bool:
    """Whether x, x' and z of the proof of Proposition 9, built on a pair of tables, have the ratio (20) for all p."""
    if rest is None:
        return False
    size, width = sum(map(sum, rest[0])), len(rest[0][0])
    x, x_prime = _with_units(rest[0], width)
    z, _ = _with_units(rest[1], width)
    return _exact_power(x, x_prime, z, (size, size + 2))


def _unit_pair(universes: Iterable[tuple[Margins, tuple[Table, Table] | None]], scope: str) -> Evidence:
    """The bound of Proposition 9 on each universe: for all p by the proof's triple, else by the exact loss at 1/2."""
    checked = 0
    for margins, rest in universes:
        checked += 1
        if _pair_ratio_holds(rest):
            continue
        rate, b = Fraction(1, 2), sum(margins[0])
        loss = stratum_loss(*margins, rate)
        if loss.gamma is not None and loss.gamma**2 < _pair_bound(b, rate) ** loss.distance:
            note = f"margins {margins}, b = {b}, p = {rate}: the smallest budget is ln(gamma)/d = {loss}"
            claimed = "gamma**2 >= (derangements(b)/derangements(b - 2)*((1 - p)/p)**2)**d"
            witness = formula_witness(claimed, note=note, gamma=loss.gamma, d=loss.distance, b=b, p=rate)
            return Evidence(Verdict.REFUTED, scope, note, witness)
        return Evidence(
            Verdict.OPEN, scope, f"margins {margins}: neither the proof's triple nor the loss at 1/2 decides"
        )
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} universes")


def _pair_universes(sizes: Iterable[int], *, disjoint: bool) -> Iterator[tuple[Margins, tuple[Table, Table] | None]]:
    """The universes with (18) and (19), and two disjoint tables on the margins left, where there are some."""
    for b in sizes:
        sides = [side for side in margins_of_size(b, b) if 2 * max(side) <= b - 2 and side.count(1) >= 2]
        for rows, columns in combinations_with_replacement(sides, 2):
            rest = disjoint_pair(rows[:-2], columns[:-2])
            if rest is not None or not disjoint:
                yield (rows, columns), rest


@checks("psa.unit-pair.printed")
def unit_pair_printed() -> Evidence:
    """Proposition 9 as printed: every universe with (18) and (19), smallest first."""
    scope = "every universe of one stratum with (18) and (19) and up to 8 records; up to 7, all p in (0, 1) at once"
    return _unit_pair(_pair_universes(range(4, 9), disjoint=False), scope)


@checks("psa.unit-pair")
def unit_pair() -> Evidence:
    """The repaired Proposition 9; the added hypothesis implies (18) for b ≥ 4."""
    scope = "one stratum with (18), (19) and the added hypothesis, 4 to 9 records, all p in (0, 1) at once"
    return _unit_pair(_pair_universes(range(4, 10), disjoint=True), scope)


@refutes("psa.unit-pair", "without the added hypothesis")
def unit_pair_without() -> Evidence:
    """The mutant is the printed proposition."""
    return _unit_pair(_pair_universes(range(8, 9), disjoint=False), "every universe with (18), (19) and 8 records")


def _pair_exists(categories: int) -> Evidence:
    scope = f"universes of one stratum with up to 8 records and {categories} categories a side"
    for b in range(2, 9):
        for side in margins_of_size(b, categories):
            if len(side) == categories and 2 * max(side) <= b - 2 and side.count(1) >= 2:
                return Evidence(Verdict.EXHAUSTED, scope, f"b = {b}: margins {side} on both sides")
    return Evidence(Verdict.REFUTED, scope, "there is none", formula_witness("universes >= 1", universes=0))


@checks("psa.unit-pair.exists")
def pair_exists() -> Evidence:
    """The existence in Proposition 9."""
    return _pair_exists(4)


@refutes("psa.unit-pair.exists", "three categories for four")
def pair_exists_with_three() -> Evidence:
    """The mutant with fewer categories."""
    return _pair_exists(3)


def _two_records(power: int) -> Evidence:
    """Whether ε ≥ −power·ln o on the universe of two records: for all p by counting, else by the exact loss at 1/4."""
    scope = "the stratum with margins (1, 1) and (1, 1) beside any other strata, all p in (0, 1/2]"
    x, z = ((1, 0), (0, 1)), ((0, 1), (1, 0))
    if power == 1 and _exact_power(x, z, x, (0, 2)):
        return Evidence(Verdict.DECIDED, scope, "P_x(x)/P_x'(x) = o^-2 at distance 2, and d(2)/d(0) = 1")
    rate = Fraction(1, 4)
    loss = stratum_loss((1, 1), (1, 1), rate)
    if loss.gamma is not None and loss.gamma < odds(rate) ** (-power * loss.distance):
        claimed = f"gamma >= ((1 - p)/p)**({power}*d)"
        witness = formula_witness(claimed, note="p = 1/4", gamma=loss.gamma, d=loss.distance, p=rate)
        return Evidence(Verdict.REFUTED, scope, f"the smallest budget at p = 1/4 is {loss}", witness)
    return Evidence(Verdict.OPEN, scope, "counting settles nothing")


@checks("psa.two-records")
def two_records() -> Evidence:
    """Proposition 10."""
    return _two_records(1)


@refutes("psa.two-records", "twice the bound")
def two_records_doubled() -> Evidence:
    """The mutant with twice the bound."""
    return _two_records(2)


def _arbitrarily_close(*, everywhere: bool) -> Evidence:
    """Whether eps^(1) = eps^(inf) on some universe, or on all; at b = 0, and at b > 0 for p above its threshold."""
    scope = (
        "all p in [0, 1]: the universe of one record (b = 0), where both are 0; with b > 0: margins (1, 1) on both "
        "sides at p = 3/4, where both are ln 3 (for smaller p see psa.optimality.every-size)"
    )
    cases = [(((1,), (1,)), Fraction(3, 4)), (((1, 1), (1, 1)), Fraction(3, 4))]
    cases += [(((2, 1), (2, 1)), Fraction(3, 4))] if everywhere else []
    for margins, rate in cases:
        b, loss = largest_stratum([margins]), stratum_loss(*margins, rate)
        first = psa_budget(b, rate)
        if loss < first:
            note = f"margins {margins}, p = {rate}: eps^(1) = {first}, eps^(inf) = {loss}"
            claimed = "gamma >= (p/(1 - p))**d"
            witness = formula_witness(claimed, note=note, gamma=loss.gamma or 0, d=loss.distance, p=rate)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.DECIDED, scope, "the existence is trivial through universes with b = 0")


@checks("psa.optimality.arbitrarily-close")
def arbitrarily_close() -> Evidence:
    """The sentence after Theorem 3."""
    return _arbitrarily_close(everywhere=False)


@refutes("psa.optimality.arbitrarily-close", "every universe for some universe")
def arbitrarily_close_everywhere() -> Evidence:
    """The mutant with the other quantifier, at margins (2, 1) and (2, 1)."""
    return _arbitrarily_close(everywhere=True)


_PARTS = "ABC"


def _needs(part: str, margins: Margins) -> bool:
    """Whether a universe has the loss that a part of Theorem 3 says: (A) at both ends, (B) at 3/4, (C) at 1/4."""
    if part == "A":
        return all(stratum_loss(*margins, end).is_infinite for end in _ENDS)
    rate, b = Fraction(3, 4) if part == "B" else Fraction(1, 4), largest_stratum([margins])
    loss = stratum_loss(*margins, rate)
    claimed = odds(rate) ** 2 if part == "B" or b < 2 else _pair_bound(b, rate)
    return loss.gamma is None or loss.gamma**2 >= claimed**loss.distance


def _lower_bounds(everywhere: str) -> Evidence:
    """Theorem 3's bounds on some universe, or on all for the parts named; universes of two records."""
    scope = "universes of one stratum of two records: (A) p = 0 and 1, (B) and (C) all p in (0, 1) by counting"
    universes = tuple(one_stratum(2, 2))
    for part in _PARTS:
        failing = [margins for margins in universes if not _needs(part, margins)]
        if len(failing) == len(universes) or (failing and part in everywhere):
            loss = stratum_loss(*failing[0], Fraction(3, 4) if part == "B" else Fraction(1, 4))
            note = f"({part}): margins {failing[0]}: the smallest budget is ln(gamma) = {loss} at every p"
            bound = {"A": "gamma >= 2", "B": "gamma >= 3", "C": "gamma >= 3"}[part]
            return Evidence(Verdict.REFUTED, scope, note, formula_witness(bound, note=note, gamma=loss.gamma or 0))
    x, z = ((1, 0), (0, 1)), ((0, 1), (1, 0))
    if _exact_power(z, x, x, (2, 0)) and _exact_power(x, z, x, (0, 2)):
        return Evidence(Verdict.DECIDED, scope, "the universe (1, 1), (1, 1) has ratios o^2 and o^-2 at distance 2")
    return Evidence(Verdict.OPEN, scope, "counting settles nothing")


@checks("psa.optimality.lower-bounds")
def lower_bounds() -> Evidence:
    """Theorem 3."""
    return _lower_bounds("")


@refutes("psa.optimality.lower-bounds", "every universe for some universe in (A)")
def lower_bounds_everywhere_at_the_ends() -> Evidence:
    """The mutant with the other quantifier at p = 0 and 1."""
    return _lower_bounds("A")


@refutes("psa.optimality.lower-bounds", "every universe for some universe in (B)")
def lower_bounds_everywhere_by_the_odds() -> Evidence:
    """The mutant with the other quantifier for ln o."""
    return _lower_bounds("B")


@refutes("psa.optimality.lower-bounds", "every universe for some universe in (C), with - ln o where b = 0")
def lower_bounds_everywhere_by_derangements() -> Evidence:
    """The mutant with the other quantifier for the derangement numbers."""
    return _lower_bounds("C")
