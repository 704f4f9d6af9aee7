"""Evidence for article, Appendix C.2: which variants can reach every table, and which can't."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations
from typing import Any

from mechanisms.broken.disjoint_pairs import disjoint_pairs
from mechanisms.broken.fixed_number_of_swaps import fixed_number_of_swaps
from mechanisms.permutation_counts import moved_counts
from mechanisms.permutation_swapping import SaturatedTable, saturated_table, table_records
from mechanisms.swapping_variants.capped_swapping import capped_swapping
from spec.law import Law, uniform_law
from spec.loss import Loss
from spec.permutation_swapping import Margins
from spec.tables import Table, contingency_tables, table_distance
from verify.engines.solver import decide
from verify.engines.swapping.variant_loss import (
    laws_on_universe,
    loss_of_laws,
    loss_witness,
    possibility_witness,
    small_universes,
)
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_LARGE = Loss(Fraction(10**6))
_RATE = Fraction(1, 3)
_RATES = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))


def _common_support(*changes: tuple[str, str]) -> Evidence:
    scope = "all probabilities p = P_x(E) and q = P_x'(E) of one event and all finite g = e^(eps*d), pure DP"
    note = "q = P_x'(E), where P_x(E) = p is positive"
    return decide("psa.variants.common-support", scope, claimed="q > 0", note=note, changes=changes)


@checks("psa.variants.common-support")
def common_support() -> Evidence:
    """An event that is possible from x alone exceeds every finite multiple of its probability from x'."""
    return _common_support()


@refutes("psa.variants.common-support", "approximate DP with delta = 1/100")
def common_support_with_slack() -> Evidence:
    """The mutant with another output premetric."""
    return _common_support(("(define-fun slack () Real 0.0)", "(define-fun slack () Real 0.01)"))


Steps = dict[Table, frozenset[SaturatedTable]]


def _cycle_type(moves: tuple[int, ...]) -> tuple[int, ...]:
    left, lengths = set(range(len(moves))), []
    while left:
        start = place = left.pop()
        length = 1
        while (place := moves[place]) != start:
            left.discard(place)
            length += 1
        lengths.append(length)
    return tuple(sorted(lengths))


def _by_cycle_type(table: Table) -> dict[tuple[int, ...], list[SaturatedTable]]:
    """What each permutation makes of a table, by its cycle type."""
    records = table_records(table)
    found: dict[tuple[int, ...], list[SaturatedTable]] = {}
    for moves in permutations(range(len(records))):
        image = saturated_table([(m, h, records[moves[i]][2]) for i, (m, h, _) in enumerate(records)])
        found.setdefault(_cycle_type(moves), []).append(image)
    return found


def _in_one_step(steps: Steps, outputs: dict[SaturatedTable, Table]) -> bool:
    return all(len(reached) == len(outputs) for reached in steps.values())


def _in_any_number_of_steps(steps: Steps, outputs: dict[SaturatedTable, Table]) -> bool:
    """Whether the group that the permutations generate takes each table to each one."""
    for start in steps:
        reached, left = {start}, [start]
        while left:
            new = {outputs[z] for z in steps[left.pop()]} - reached
            reached |= new
            left += new
        if len(reached) != len(outputs):
            return False
    return True


def _transitive(is_transitive: Callable[[Steps, dict[SaturatedTable, Table]], bool]) -> Evidence:
    """Whether common support and a reading of transitivity agree for every set of cycle types."""
    scope = "one stratum, n <= 4 records, at most 3 x 3 categories; uniform on each nonempty union of cycle types"
    checked = 0
    for margins in small_universes(4):
        outputs = {saturated_table(table_records(table)): table for table in contingency_tables(*margins)}
        images = {table: _by_cycle_type(table) for table in outputs.values()}
        types = sorted({kind for found in images.values() for kind in found}, reverse=True)
        for kinds in chain.from_iterable(combinations(types, k) for k in range(1, len(types) + 1)):
            laws = {table: _uniform(found, kinds) for table, found in images.items()}
            steps = {table: frozenset(law) for table, law in laws.items()}
            common = len(set(steps.values())) == 1
            checked += 1
            if common == is_transitive(steps, outputs):
                continue
            note = f"margins {margins}, cycle types {kinds}: common support is {common}, transitivity {not common}"
            if common:
                witness = formula_witness("common == transitive", note=note, common=1, transitive=0)
                return Evidence(Verdict.REFUTED, scope, note, witness)
            return Evidence(Verdict.REFUTED, scope, note, loss_witness(loss_of_laws(laws), _LARGE))
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} universes and sets of permutations")


def _uniform(
    found: dict[tuple[int, ...], list[SaturatedTable]], kinds: Iterable[tuple[int, ...]]
) -> Law[SaturatedTable]:
    images = [image for kind in kinds for image in found[kind]]
    return uniform_law(tuple(range(len(images)))).push(lambda index: images[index])


@checks("psa.variants.transitive.printed")
def transitive_group() -> Evidence:
    """As printed: the group that acts, which the permutations of positive probability generate."""
    return _transitive(_in_any_number_of_steps)


@checks("psa.variants.transitive.positive")
def transitive_in_one_step() -> Evidence:
    """The permutations of positive probability themselves."""
    return _transitive(_in_one_step)


@refutes("psa.variants.transitive.positive", "the group that they generate in place of the permutations")
def transitive_positive_group() -> Evidence:
    """The mutant that lets several permutations follow one another."""
    return _transitive(_in_any_number_of_steps)


def _pattern(cases: Iterable[tuple[Margins, str, dict[Table, Law[Any]], bool]], scope: str) -> Evidence:
    """Whether the loss is infinite where that is stated and finite elsewhere."""
    checked = 0
    for margins, setting, laws, stated_infinite in cases:
        checked += 1
        found = loss_of_laws(laws)
        if found.loss.is_infinite == stated_infinite:
            continue
        note = f"margins {margins}{setting}: the loss is {found.loss}"
        if found.loss.is_infinite:
            return Evidence(Verdict.REFUTED, scope, note, loss_witness(found, _LARGE))
        return Evidence(Verdict.REFUTED, scope, note, possibility_witness(found, note))
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} cases")


def _pairs(
    stated_infinite: Callable[[Margins], bool], universes: Iterable[Margins], what: str = "n <= 5 records"
) -> Evidence:
    laws = (
        (margins, "", laws_on_universe(disjoint_pairs, margins, swap_rate=_RATE), stated_infinite(margins))
        for margins in universes
    )
    return _pattern(laws, f"one stratum, {what}, at most 4 x 4 categories; p = 1/3")


def _three_of_each(margins: Margins) -> bool:
    return min(map(len, margins)) >= 3


def _some_universe(universes: Sequence[Margins], scope: str) -> Evidence:
    """Whether some universe has tables that pairs do not join and, there, a loss that is infinite at each rate."""
    losses = [
        [loss_of_laws(laws_on_universe(disjoint_pairs, margins, swap_rate=rate)) for rate in _RATES]
        for margins in universes
    ]
    for margins, found in zip(universes, losses, strict=True):
        if all(one.loss.is_infinite for one in found):
            one = found[0]
            x, x_prime, z, distance = one.worst or (None, None, None, 0)
            tables = f"{z} is possible from {x} and impossible from {x_prime}, at distance {distance}"
            return Evidence(Verdict.EXHAUSTED, scope, f"margins {margins}: {tables}")
    note = f"margins {universes[0]}: the loss is {losses[0][0].loss}"
    return Evidence(Verdict.REFUTED, scope, note, possibility_witness(losses[0][0], note))


_PAIR_RATES = "p = 1/20, 1/2, 19/20"


@checks("psa.variants.pairs.printed")
def pairs_as_printed() -> Evidence:
    """Three distinct records: no disjoint pairs pass all three swapping values on."""
    scope = f"the universe with margins (1, 1, 1) on both sides, which every such domain contains; {_PAIR_RATES}"
    return _some_universe([((1, 1, 1), (1, 1, 1))], scope)


@refutes("psa.variants.pairs.printed", "two holding categories suffice")
def pairs_with_two_holding_categories() -> Evidence:
    """The mutant with two rows: all tables of all its small universes have common support."""
    universes = [margins for margins in small_universes(5, 4) if len(margins[0]) == 2]
    return _some_universe(universes, f"one stratum, n <= 5 records, two holding categories; {_PAIR_RATES}")


@checks("psa.variants.pairs.three-values")
def pairs_with_three_values() -> Evidence:
    """Where a cycle of three records changes three cells that no disjoint pairs change together."""
    return _pairs(_three_of_each, small_universes(5, 4))


@refutes("psa.variants.pairs.three-values", "three categories of either kind suffice")
def pairs_with_three_of_either() -> Evidence:
    """The mutant with an `or`."""
    return _pairs(lambda margins: max(map(len, margins)) >= 3, small_universes(5, 4))


@refutes("psa.variants.pairs.three-values", "six records: other records of a large row help with the cycle")
def pairs_of_six_records() -> Evidence:
    """The mutant without the bound on the records."""
    return _pairs(_three_of_each, [((4, 1, 1), (2, 2, 2))], "n = 6 records")


def _diameter(margins: Margins) -> int:
    tables = contingency_tables(*margins)
    return max(table_distance(x, z) or 0 for x in tables for z in tables)


def _capped(slack: int) -> Evidence:
    scope = "one stratum, n <= 4 records, at most 3 x 3 categories; every cap c <= n; p = 1/3"
    cases = (
        (margins, f", c = {cap}", laws, _diameter(margins) > cap + slack)
        for margins in small_universes(4)
        for cap in range(sum(margins[0]) + 1)
        for laws in [laws_on_universe(capped_swapping, margins, cap=cap, swap_rate=_RATE)]
    )
    return _pattern(cases, scope)


@checks("psa.variants.capped")
def capped() -> Evidence:
    """The PSA with a cap on the records that may move."""
    return _capped(0)


@refutes("psa.variants.capped", "tables that differ on c + 1 records are near enough")
def capped_with_one_more() -> Evidence:
    """The mutant with one record more."""
    return _capped(1)


def _swaps_apart(margins: Margins) -> int:
    """The largest number of swaps that two tables of a universe need."""
    tables = contingency_tables(*margins)
    near = {x: [z for z in tables if moved_counts(x, z)[2]] for x in tables}
    return max(_farthest(x, near) for x in tables)


def _farthest(start: Table, near: dict[Table, list[Table]]) -> int:
    layer, seen, depth = {start}, {start}, 0
    while layer := {z for x in layer for z in near[x]} - seen:
        seen |= layer
        depth += 1
    return depth


def _fixed(slack: int) -> Evidence:
    scope = "one stratum, n <= 4 records, at most 3 x 3 categories; m = 0 to 2 swaps"
    cases = (
        (margins, f", m = {m}", laws_on_universe(fixed_number_of_swaps, margins, swaps=m), True)
        for margins in small_universes(4)
        for m in range(3)
        if _swaps_apart(margins) > m - slack
    )
    return _pattern(cases, scope)


@checks("psa.variants.fixed")
def fixed_number() -> Evidence:
    """The loss where two tables are too many swaps apart."""
    return _fixed(0)


@refutes("psa.variants.fixed", "tables that are exactly m swaps apart")
def fixed_number_within_reach() -> Evidence:
    """The mutant with one swap less."""
    return _fixed(1)


def _orbit(largest_move: int) -> Evidence:
    """Whether x itself and the tables that derangements of up to so many records make of it are all tables."""
    scope = "one stratum, n <= 6 records, at most 3 x 3 categories"
    pairs = 0
    for margins in small_universes(6):
        for x, z in _changes(margins):
            pairs += 1
            ways = sum(moved_counts(x, z)[2 : largest_move + 1])
            if not ways:
                note = f"the derangements of up to {largest_move} records that make {z} of {x}"
                return Evidence(Verdict.REFUTED, scope, note, formula_witness("ways > 0", note=note, ways=ways))
    return Evidence(Verdict.EXHAUSTED, scope, f"{pairs} pairs of tables")


def _changes(margins: Margins) -> Iterator[tuple[Table, Table]]:
    tables = contingency_tables(*margins)
    return ((x, z) for x in tables for z in tables if x != z)


@checks("psa.variants.nonvacuous.orbit")
def nonvacuous_orbit() -> Evidence:
    """Each other table comes from a derangement, which is nonvacuous because it changes the table."""
    return _orbit(6)


@refutes("psa.variants.nonvacuous.orbit", "derangements of two records only")
def nonvacuous_orbit_of_pairs() -> Evidence:
    """The mutant with single pairs."""
    return _orbit(2)
