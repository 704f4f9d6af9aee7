"""Evidence for article, Appendix F: lower bounds on the PSA's budget, and the tables behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

from mechanisms.permutation_counts import derangements, likelihood, moved_counts
from spec.permutation_swapping import Margins, odds
from spec.tables import Table, contingency_tables, margins_of_size, table_distance
from verify.evidence import EngineError, Evidence, formula_witness
from verify.ledger import checks, refutes
from verify.swapping.budget_sweep import one_stratum, stratum_loss
from verify.swapping.disjoint_tables import disjoint_pair, largest_distance, shifted_pair
from verify.verdict import Verdict

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
                claimed, values = (
                    ("arrives > 0", {"arrives": arrives}) if stays == 0 else ("stays == 0", {"stays": stays})
                )
                return Evidence(Verdict.REFUTED, scope, note, formula_witness(claimed, note=note, **values))
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


def _moved_records(slack: int) -> Evidence:
    scope = "every data set of one stratum with up to 5 records and four categories a side, every permutation"
    for margins in (u for n in range(1, 6) for u in one_stratum(n, 4)):
        columns = range(len(margins[1]))
        for x in contingency_tables(*margins):
            records = [(h, s) for h, row in enumerate(x) for s, count in enumerate(row) for _ in range(count)]
            for g in permutations(range(len(records))):
                cells = [[0] * len(columns) for _ in x]
                for i, j in enumerate(g):
                    cells[records[i][0]][records[j][1]] += 1
                moved = sum(i != j for i, j in enumerate(g))
                distance = table_distance(x, tuple(map(tuple, cells))) or 0
                if distance > max(0, moved - slack):
                    note = f"x = {x}, g = {g} on its records cell by cell"
                    witness = formula_witness(f"distance <= moved - {slack}", note=note, distance=distance, moved=moved)
                    return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("swapping.moved-records")
def moved_records() -> Evidence:
    """Lemma 7."""
    return _moved_records(0)


@refutes("swapping.moved-records", "k_g - 1 for k_g")
def fewer_moved_records() -> Evidence:
    """The mutant with a smaller bound."""
    return _moved_records(1)


def _disjoint(sizes: Iterable[int], below: int, scope: str) -> Evidence:
    """Whether every universe with largest margin at most (b − below)/2 has two tables at distance b."""
    checked = 0
    for b in sizes:
        sides = [side for side in margins_of_size(b, b) if 2 * max(side) <= b - below]
        for rows, columns in combinations_with_replacement(sides, 2):
            checked += 1
            if shifted_pair(rows, columns) is not None:
                continue
            largest, x, z = largest_distance(rows, columns)
            if largest < b:
                note = f"margins {rows} and {columns}: no two tables are further apart than {x} and {z}"
                witness = formula_witness("largest == b", note=note, largest=largest, b=b)
                return Evidence(Verdict.REFUTED, scope, f"b = {b}, {note}, at distance {largest}", witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} universes")


@checks("swapping.disjoint-tables.printed")
def disjoint_printed() -> Evidence:
    """Lemma 8's existence as printed; a derangement g with distance b gives x and g(x) without a common cell."""
    return _disjoint(range(2, 13), 2, "every universe of one stratum with (18) and up to 12 records")


@checks("swapping.disjoint-tables")
def disjoint_small() -> Evidence:
    """Lemma 8's existence for b ≤ 11: by Lemma 5 two tables at distance b are a derangement apart."""
    return _disjoint(range(2, 12), 2, "every universe of one stratum with (18) and up to 11 records; b = 0 is trivial")


@refutes("swapping.disjoint-tables", "b/2 for b/2 - 1")
def disjoint_with_half() -> Evidence:
    """The mutant with a weaker hypothesis."""
    return _disjoint(range(2, 12), 0, "every universe with largest margin at most b/2 and up to 11 records")


def _only_if(below: int) -> Evidence:
    """Whether two tables at distance b occur only where the largest margin is at most (b − below)/2."""
    scope = "every universe of one stratum with up to 6 records and four categories a side"
    for margins in _several_tables(range(2, 7)):
        b, largest = sum(margins[0]), max(map(max, margins))
        if 2 * largest > b - below:
            distance, x, z = largest_distance(*margins)
            if distance == b:
                note = f"x = {x} and g(x) = {z}"
                witness = formula_witness(f"margin <= (b - {below})/2", note=note, margin=largest, b=b)
                return Evidence(Verdict.REFUTED, scope, f"b = {b}, margins {margins}: {note}", witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("swapping.disjoint-tables.only-if.printed")
def only_if_printed() -> Evidence:
    """Lemma 8's converse as printed."""
    return _only_if(2)


@checks("swapping.disjoint-tables.only-if")
def only_if() -> Evidence:
    """The repaired converse."""
    return _only_if(0)


@refutes("swapping.disjoint-tables.only-if", "b/2 - 1 as printed")
def only_if_mutant() -> Evidence:
    """The mutant is the printed converse."""
    return _only_if(2)


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


def _lower_bounds(some_or_all: Callable[[Iterable[bool]], bool]) -> Evidence:
    """Theorem 3's bounds on some universe, or on all; universes of two records."""
    scope = "universes of one stratum of two records: (A) p = 0 and 1, (B) and (C) all p in (0, 1) by counting"
    universes = tuple(one_stratum(2, 2))
    if not all(some_or_all(stratum_loss(*u, end).is_infinite for u in universes) for end in _ENDS):
        witness = formula_witness(
            "finite == 0", note=f"a universe among {universes} has a finite loss at p = 0", finite=1
        )
        return Evidence(Verdict.REFUTED, scope, "a universe has a finite loss at p = 0 and p = 1", witness)
    x, z = ((1, 0), (0, 1)), ((0, 1), (1, 0))
    if _exact_power(z, x, x, (2, 0)) and _exact_power(x, z, x, (0, 2)):
        return Evidence(Verdict.DECIDED, scope, "the universe (1, 1), (1, 1) has ratios o^2 and o^-2 at distance 2")
    return Evidence(Verdict.OPEN, scope, "counting settles nothing")


@checks("psa.optimality.lower-bounds")
def lower_bounds() -> Evidence:
    """Theorem 3."""
    return _lower_bounds(any)


@refutes("psa.optimality.lower-bounds", "every universe for some universe")
def lower_bounds_everywhere() -> Evidence:
    """The mutant with the other quantifier."""
    return _lower_bounds(all)
