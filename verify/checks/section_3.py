"""Evidence for article, sections 3.1 and 3.2: what swapping preserves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from typing import Any

from mechanisms.exact_law import exact_law
from mechanisms.permutation_swapping import permutation_swapping
from spec.permutation_swapping import swapping_invariants
from spec.rational_function import SYMBOL
from verify.engines.solver import decide
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

Record = tuple[Any, Any, Any]
Statistic = Callable[[Sequence[Record]], Mapping[Hashable, int]]

_MARGINS = "swapping.invariants.margins"
_UNCHANGED = "any sets of categories, any counts; one swap of two records in one stratum"


def _mh(records: Sequence[Record]) -> Mapping[Hashable, int]:
    return Counter((m, h) for m, h, _ in records)


def _ms(records: Sequence[Record]) -> Mapping[Hashable, int]:
    return Counter((m, s) for m, _, s in records)


def _swapped(records: Sequence[Record], *, inside_strata: bool = True) -> Iterator[tuple[Record, ...]]:
    """Every data set that permuting the swapping values gives, inside the strata or across them."""
    for order in permutations(range(len(records))):
        if inside_strata and any(records[i][0] != records[j][0] for i, j in enumerate(order)):
            continue
        yield tuple((m, h, records[j][2]) for (m, h, _), j in zip(records, order, strict=True))


def _kept(
    values: Iterable[tuple[Any, ...]],
    size: int,
    statistics: Mapping[str, Statistic],
    scope: str,
    *,
    inside_strata: bool = True,
) -> Evidence:
    """Whether permuting keeps the statistics of every data set with at most so many records."""
    listed: tuple[Record, ...] = tuple((m, h, s) for m, h, s in values)
    checked = 0
    for records in (x for n in range(1, size + 1) for x in combinations_with_replacement(listed, n)):
        for output in _swapped(records, inside_strata=inside_strata):
            checked += 1
            for name, statistic in statistics.items():
                before, after = statistic(records), statistic(output)
                if before == after:
                    continue
                cell = next(key for key in before if before[key] != after[key])
                note = f"{name} at {cell}: x = {records}, swapped {output}"
                witness = formula_witness("after == before", note=note, before=before[cell], after=after[cell])
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} data sets and permutations")


def _swap_of_margins(second: int) -> Evidence:
    changes = () if second else (("(define-fun second () Int 1)", "(define-fun second () Int 0)"),)
    note = "the changes of the two margins under a swap"
    return decide(_MARGINS, _UNCHANGED, claimed="row_change**2 + column_change**2 == 0", note=note, changes=changes)


@checks(_MARGINS)
def margins_under_a_swap() -> Evidence:
    """Proposition 4 for one swap; every permutation inside the strata is a product of swaps."""
    return _swap_of_margins(1)


@refutes(_MARGINS, "one of the two records keeps its value")
def margins_under_half_a_swap() -> Evidence:
    """The mutant where only one record moves."""
    return _swap_of_margins(0)


def _margins(*, inside_strata: bool) -> Evidence:
    statistics = {"n_m.s": _ms, "n_mh.": _mh}
    scope = "two values of each variable, up to 4 records, every permutation of the swapping values"
    return _kept(product((0, 1), repeat=3), 4, statistics, scope, inside_strata=inside_strata)


@checks(_MARGINS)
def margins_under_permutations() -> Evidence:
    """Proposition 4 on small data sets."""
    return _margins(inside_strata=True)


@refutes(_MARGINS, "permutations across matching strata")
def margins_across_strata() -> Evidence:
    """The mutant without matching."""
    return _margins(inside_strata=False)


def _univariate(codes: int) -> Evidence:
    """Whether the PSA on several binary variables is the PSA on one variable of each kind with so many codes, decoded.

    No matching variable becomes a constant.
    """
    scope = (
        "the PSA, two binary variables of each kind that has some: V_Match empty, or V_Match and one binary variable "
        "of each other kind; up to 2 records, all p in (0, 1) at once"
    )
    pairs, singles = tuple(product((0, 1), repeat=2)), ((0,), (1,))
    code: dict[tuple[int, ...], int] = {(): 0, (0,): 0, (1,): 1, **{pair: i % codes for i, pair in enumerate(pairs)}}
    for kinds in ((((),), pairs, pairs), (pairs, singles, singles)):
        decode: list[dict[Any, Any]] = [{code[value]: value for value in reversed(values)} for values in kinds]
        for chosen in (x for n in (1, 2) for x in combinations_with_replacement(tuple(product(*kinds)), n)):
            law = exact_law(permutation_swapping, chosen, swap_rate=SYMBOL)
            coded = exact_law(permutation_swapping, tuple(tuple(map(code.get, r)) for r in chosen), swap_rate=SYMBOL)
            decoded = coded.push(
                lambda table: frozenset(
                    (tuple(names[c] for names, c in zip(decode, cell, strict=True)), count)  # noqa: B023 used at once
                    for cell, count in table
                )
            )
            if decoded != law.push(frozenset):
                note = f"records (m, h, s) = {chosen}: the decoded law differs"
                return Evidence(Verdict.REFUTED, scope, note, formula_witness("differing == 0", note=note, differing=1))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("swapping.invariants.univariate")
def univariate() -> Evidence:
    """Cross-classified variables carry the same law."""
    return _univariate(4)


@refutes("swapping.invariants.univariate", "three codes for four pairs of values")
def univariate_with_fewer_codes() -> Evidence:
    """The mutant that merges two values."""
    return _univariate(3)


def _not_preserved(*changes: tuple[str, str]) -> Evidence:
    scope = "any sets of categories, any counts, a swap inside a stratum with h != h' and s != s'"
    note = "the changes of n_mhs and of n_.hs"
    return decide(
        "swapping.invariants.not-preserved", scope, claimed="margin_change**2 > 0", note=note, changes=changes
    )


@checks("swapping.invariants.not-preserved")
def cells_change() -> Evidence:
    """Proposition 4: n_mhs and n_.hs change."""
    return _not_preserved()


@refutes("swapping.invariants.not-preserved", "s = s' allowed")
def cells_change_with_equal_values() -> Evidence:
    """The mutant for any two records."""
    return _not_preserved(("(assert (not (= s s2)))", "(assert true)"))


def _decennial(extra: Mapping[str, Statistic]) -> Evidence:
    """Households m = (adults, persons, V_g), h, s = (tract, block) inside V_g."""
    households = ((1, 1, "A"), (1, 2, "A"), (2, 2, "B"))
    places = (("t", 1), ("t", 2), ("u", 3))
    statistics: dict[str, Statistic] = {
        "households by block": lambda x: Counter((m[2], s) for m, _, s in x),
        "adults by block": lambda x: Counter((m[2], s) for m, _, s in x for _ in range(m[0])),
        "children by block": lambda x: Counter((m[2], s) for m, _, s in x for _ in range(m[1] - m[0])),
        "characteristics by V_g": lambda x: Counter((m[2], h) for m, h, _ in x),
        **extra,
    }
    scope = "three kinds of households, two characteristics, three blocks in two tracts, up to 3 households"
    return _kept(product(households, (0, 1), places), 3, statistics, scope)


@checks("swapping.invariants.decennial-2010")
def decennial_2010() -> Evidence:
    """Example 2 (continued)."""
    return _decennial({})


@refutes("swapping.invariants.decennial-2010", "characteristics invariant inside each block")
def decennial_2010_by_block() -> Evidence:
    """The mutant that claims more invariants."""
    return _decennial({"characteristics by block": lambda x: Counter((m[2], s, h) for m, h, s in x)})


def _definition(*, matching_of_holding: bool) -> Evidence:
    """The displayed vector, position by position, against the margins of generic tables."""
    scope = "M, H, S in {1, 2, 3}, one table each whose margins are all different"
    for shape in product((1, 2, 3), repeat=3):
        strata, rows, columns = (range(size) for size in shape)
        cells = {cell: 2**i for i, cell in enumerate(product(strata, rows, columns))}
        tables = [tuple(tuple(cells[m, h, s] for s in columns) for h in rows) for m in strata]
        printed = [sum(cells[m, h, s] for s in columns) for m, h in product(strata, rows)]
        if matching_of_holding:
            printed += [sum(cells[m, h, s] for h in rows) for m, s in product(strata, columns)]
        else:
            printed += [sum(cells[m, h, s] for m in strata) for h, s in product(rows, columns)]
        margins = swapping_invariants(tables)
        vector = [n for over_rows, _ in margins for n in over_rows] + [n for _, over in margins for n in over]
        if printed != vector:
            position = next((i for i, (a, b) in enumerate(zip(printed, vector, strict=False)) if a != b), len(vector))
            a, b = ((*numbers, 0)[position] for numbers in (printed, vector))
            note = f"entry {position + 1} at M, H, S = {shape}"
            return Evidence(
                Verdict.REFUTED, scope, note, formula_witness("entry == margin", note=note, entry=a, margin=b)
            )
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("swapping.invariants.definition")
def definition() -> Evidence:
    """Definition 2's vector."""
    return _definition(matching_of_holding=True)


@refutes("swapping.invariants.definition", "n_.hs for n_m.s")
def definition_with_interior() -> Evidence:
    """The mutant that lists another margin."""
    return _definition(matching_of_holding=False)


def _classes(points: Sequence[Any], invariant: Callable[[Any], Hashable]) -> frozenset[frozenset[Any]]:
    found: dict[Hashable, list[Any]] = {}
    for point in points:
        found.setdefault(invariant(point), []).append(point)
    return frozenset(map(frozenset, found.values()))


_VARIABLES = ("state", "block", "group quarters", "occupied", "age")
_STATE, _BLOCK, _QUARTERS, _OCCUPIED, _AGE = range(5)

Unit = tuple[int, ...]
"""A housing unit or group quarters, with the values of `_VARIABLES`; the age is that of a person who lives there."""


def _tda_invariants(units: Sequence[Unit]) -> Hashable:
    """People by state, housing units by block, occupied group quarters by block."""
    people = Counter(u[_STATE] for u in units if u[_OCCUPIED])
    housing = Counter(u[:_QUARTERS] for u in units if not u[_QUARTERS])
    quarters = Counter(u[:_QUARTERS] for u in units if u[_QUARTERS] and u[_OCCUPIED])
    return tuple(frozenset(counts.items()) for counts in (people, housing, quarters))


@cache
def _margin(units: tuple[Unit, ...], group: tuple[int, ...]) -> Hashable:
    """The cross-classified counts by a group of variables."""
    return frozenset(Counter(tuple(u[i] for i in group) for u in units).items())


def _counts(units: Sequence[Unit], *groups: tuple[int, ...]) -> Hashable:
    return tuple(_margin(tuple(units), group) for group in groups)


def _no_swapping_invariants(invariants: Callable[[Sequence[Unit]], Hashable]) -> Evidence:
    """No choice of V_Match, V_Swap, V_Hold induces the universes of these invariants."""
    scope = (
        "units with five binary variables (state, block, group quarters or housing, occupied by a person, age), up to "
        "2 units; every partition into holding and swapping and every set of matching variables; the one-dimensional "
        "margins for two values of each variable and up to 3 records"
    )
    points = [x for n in (1, 2) for x in combinations_with_replacement(list(product((0, 1), repeat=5)), n)]
    target = _classes(points, invariants)
    for roles in product("mhs", repeat=len(_VARIABLES)):
        match, hold, swap = (tuple(i for i, r in enumerate(roles) if r in kinds) for kinds in ("m", "mh", "s"))
        groups = hold, tuple(sorted((*match, *swap)))
        if hold and swap and _classes(points, lambda x: _counts(x, *groups)) == target:  # noqa: B023 used at once
            named = [[_VARIABLES[i] for i in part] for part in (match, hold, swap)]
            note = "V_Match = {}, V_Hold = {}, V_Swap = {}".format(*named)
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("choices == 0", note=note, choices=1))
    return Evidence(Verdict.EXHAUSTED, scope)


def _one_dimensional(*, kept: Sequence[str]) -> Evidence:
    """Whether swapping keeps n_m.., n_.h. and n_..s."""
    margins: dict[str, Statistic] = {
        "n_m..": lambda x: Counter(m for m, _, _ in x),
        "n_.h.": lambda x: Counter(h for _, h, _ in x),
        "n_..s": lambda x: Counter(s for _, _, s in x),
        "n_.hs": lambda x: Counter((h, s) for _, h, s in x),
    }
    scope = "two values of each variable, up to 3 records, every permutation of the swapping values"
    return _kept(product((0, 1), repeat=3), 3, {name: margins[name] for name in kept}, scope)


@checks("swapping.invariants.topdown")
def topdown() -> Evidence:
    """Example 3, on blocks of one state or another with housing units and group quarters of one person each."""
    margins = _one_dimensional(kept=("n_m..", "n_.h.", "n_..s"))
    return margins if margins.verdict is Verdict.REFUTED else _no_swapping_invariants(_tda_invariants)


@refutes("swapping.invariants.topdown", "the units of each block by all but age invariant, and those of each age")
def topdown_with_ages() -> Evidence:
    """The mutant whose invariants are swapping invariants."""
    return _no_swapping_invariants(lambda x: _counts(x, (_STATE, _BLOCK, _QUARTERS, _OCCUPIED), (_AGE,)))


@refutes("swapping.invariants.topdown", "n_.hs preserved as well")
def topdown_with_interior() -> Evidence:
    """The mutant with a margin of two dimensions."""
    return _one_dimensional(kept=("n_m..", "n_.h.", "n_..s", "n_.hs"))
