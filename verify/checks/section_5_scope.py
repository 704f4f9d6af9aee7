"""Evidence for article, Table 4, Remarks 3, 5 and 7 and section 5.4: which invariants induce which universes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from spec.multiverse import at_most
from verify.engines.number_table import PrintedRow, agree
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

Invariants = Callable[[Any], tuple[int, ...]]
"""The totals of a data set."""


def _separated(kept: Invariants, other: Invariants, domain: Sequence[Any]) -> tuple[Any, Any, int, int] | None:
    """Data sets that agree on the first invariants and not on the second, with the values of one that differs."""
    valued = [(x, kept(x), other(x)) for x in domain]
    for (x, same, first), (y, same_prime, second) in combinations(valued, 2):
        if same == same_prime and first != second:
            return next((x, y, a, b) for a, b in zip(first, second, strict=True) if a != b)
    return None


def _same_universes(cases: Iterable[tuple[str, Invariants, Invariants, Sequence[Any]]], scope: str) -> Evidence:
    """Whether two invariant functions induce the same universes, in each case."""
    checked = 0
    for what, first, second, domain in cases:
        checked += 1
        found = _separated(first, second, domain) or _separated(second, first, domain)
        if found is not None:
            x, y, value, value_prime = found
            note = f"{what}: {x} and {y} share a universe of the one and not of the other"
            witness = formula_witness("value == value_prime", note=note, value=value, value_prime=value_prime)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} pairs of invariant functions")


def _listed(*values: Sequence[int]) -> Invariants:
    """The invariants of the data sets 0, 1, …, whose values are listed."""
    return lambda x: tuple(one[x] for one in values)


def _with_rules(*, all_satisfy: bool) -> Evidence:
    """Whether a rule beside the invariants changes no universe, for rules that all data sets satisfy or any rules."""
    scope = "domains of 1 to 4 data sets, all invariants with values among 0, 1, 2, all rules" + (
        " that every data set satisfies" if all_satisfy else ""
    )

    def cases() -> Iterable[tuple[str, Invariants, Invariants, Sequence[Any]]]:
        for size in range(1, 5):
            for values in product(range(3), repeat=size):
                for rule in [(1,) * size] if all_satisfy else product((1, 0), repeat=size):
                    yield f"c = {values}, rule = {rule}", _listed(values), _listed(values, rule), range(size)

    return _same_universes(cases(), scope)


@checks("topdown.edit-constraints")
def edit_constraints() -> Evidence:
    """Rules that hold on the whole domain."""
    return _with_rules(all_satisfy=True)


@refutes("topdown.edit-constraints", "rules that some data sets of the domain break")
def edit_constraints_broken() -> Evidence:
    """The mutant without "by construction"."""
    return _with_rules(all_satisfy=False)


_UNITS = tuple(product(range(3), repeat=3))
_UNITS_SCOPE = "three blocks of 0 to 2 housing units"


def _indicators(units: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(count >= 1) for count in units)


@checks("phsafe.inequality-invariants")
def phsafe_invariants() -> Evidence:
    """What PHSafe keeps exactly is not to be read off the indicators."""
    return Evidence(Verdict.OPEN, "PHSafe's own paper names no invariants", "needs the algorithm's code")


_HOUSED = tuple(x for n in range(5) for x in combinations_with_replacement(range(3), n))
_HOUSED_SCOPE = "data sets of up to 4 housing units, each in one of three blocks"


def _inhabited(x: Sequence[int]) -> tuple[int, ...]:
    """Which blocks occur, without counting."""
    return tuple(int(block in x) for block in range(3))


def _lacking(least: int, block: int) -> Callable[[Sequence[int]], int]:
    """Least − the housing units of a block."""
    return lambda x: least - x.count(block)


def _inequalities(*functions: Callable[[Sequence[int]], int]) -> Evidence:
    """Whether (4) with some functions has the same universes as the blocks that occur."""
    indicators = [at_most(function) for function in functions]
    case = ("(4)", _inhabited, lambda x: tuple(int(bool(indicator(x))) for indicator in indicators), _HOUSED)
    return _same_universes([case], _HOUSED_SCOPE)


@checks("phsafe.inequality-invariants.indicators")
def inequality_invariants() -> Evidence:
    """The blocks that occur against one inequality for each block."""
    return _inequalities(*(_lacking(1, block) for block in range(3)))


@refutes("phsafe.inequality-invariants.indicators", "f_i(x) = -(the housing units of block i)")
def inequality_without_one() -> Evidence:
    """The mutant that every block satisfies."""
    return _inequalities(*(_lacking(0, block) for block in range(3)))


@refutes("phsafe.inequality-invariants.indicators", "f_i(x) = 2 - (the housing units of block i)")
def inequality_with_two() -> Evidence:
    """The mutant that asks for a second housing unit."""
    return _inequalities(*(_lacking(2, block) for block in range(3)))


@refutes("phsafe.inequality-invariants.indicators", "one inequality for all blocks")
def one_inequality() -> Evidence:
    """The mutant with a single indicator."""
    return _inequalities(lambda x: 1 - len(x))


def _sources(*, all_satisfy: bool, article_safetab: Invariants) -> Evidence:
    """Whether the two sources' universes differ for SafeTab, and not for TopDown."""
    zeros = _with_rules(all_satisfy=all_satisfy)
    if zeros.verdict is Verdict.REFUTED:
        return zeros
    scope = f"{_UNITS_SCOPE}; and {zeros.scope}"
    if _separated(lambda _: (), article_safetab, _UNITS) is None:
        note = "pairs of data sets that the article's invariants of SafeTab tell apart and the slides' do not"
        return Evidence(Verdict.REFUTED, scope, note, formula_witness("pairs > 0", note=note, pairs=0))
    return Evidence(Verdict.EXHAUSTED, scope, zeros.detail)


@checks("sources.invariants")
def sources_of_invariants() -> Evidence:
    """Housing units against nothing, and rules that hold anyway."""
    return _sources(all_satisfy=True, article_safetab=lambda units: units)


@refutes("sources.invariants", "structural zeros that some data sets of the domain break")
def sources_with_broken_zeros() -> Evidence:
    """The mutant in which structural zeros are invariants of their own."""
    return _sources(all_satisfy=False, article_safetab=lambda units: units)


@refutes("sources.invariants", "one total that is the same in all data sets for the housing units")
def sources_with_a_constant() -> Evidence:
    """The mutant in which both sources ask for the same universes."""
    return _sources(all_satisfy=True, article_safetab=lambda _: (0,))


_DAS_SCOPE = (
    "data sets of up to 2 household-records in 2 blocks of one block group, each a household or an occupied group "
    "quarters of 1 or 2 persons; 0 to 2 housing units in each block, and no more households than units"
)
_RECORDS = tuple(product(range(2), ("household", "quarters"), (1, 2)))


def _count(records: Iterable[tuple[int, str, int]], block: int, kind: str) -> int:
    return sum((where, what) == (block, kind) for where, what, _ in records)


_DAS = tuple(
    (records, units)
    for size in range(3)
    for records in combinations_with_replacement(_RECORDS, size)
    for units in product(range(3), repeat=2)
    if all(_count(records, block, "household") <= units[block] for block in range(2))
)


def _topdown(x: Any) -> tuple[int, ...]:
    """The state's population, the housing units of each block, and its occupied group quarters, as facilities."""
    records, units = x
    population = sum(persons for _, _, persons in records)
    return (population, *units, *(_count(records, block, "quarters") for block in range(2)))


def _with_all(base: Invariants) -> Invariants:
    """Invariants with those of TopDown, SafeTab and PHSafe besides."""
    return lambda x: (*base(x), *_topdown(x), *x[1], *_indicators(x[1]))


@checks("das.overall-invariants")
def overall_invariants() -> Evidence:
    """TopDown's universes stay."""
    return _same_universes([("TopDown", _topdown, _with_all(_topdown), _DAS)], _DAS_SCOPE)


@refutes("das.overall-invariants", "same as SafeTab")
def overall_invariants_of_safetab() -> Evidence:
    """The mutant with SafeTab's invariants, the housing units."""
    return _same_universes([("SafeTab", lambda x: x[1], _with_all(lambda x: x[1]), _DAS)], _DAS_SCOPE)


_HOUSEHOLDS = tuple(
    x
    for n in range(4)
    for x in combinations_with_replacement(tuple(product(("county 1", "county 2"), (1, 2), ("a", "b"))), n)
)
_HOUSEHOLDS_SCOPE = (
    "data sets of up to 3 households of one state: two counties, two sizes, two kinds; V_Match = state alone, and "
    "state crossed with household size; V_Swap = county"
)


def _counts(*places: int) -> Invariants:
    """The numbers of households by county (0), size (1) and kind (2), crossed."""
    values = (("county 1", "county 2"), (1, 2), ("a", "b"))
    cells = tuple(product(*(values[place] for place in places)))
    return lambda x: tuple(sum(tuple(record[p] for p in places) == cell for record in x) for cell in cells)


def _both(*parts: Invariants) -> Invariants:
    return lambda x: tuple(value for part in parts for value in part(x))


def _table_5(lower_without_size: Invariants) -> Evidence:
    """The totals n_mh· and n_m·s of the two kinds of scheme against characteristics at two levels."""
    characteristics = _counts(1, 2)
    cases = (
        # without household size the matching variable is constant: n_mh. by size and kind, n_m.s by county
        ("state", _both(_counts(1, 2), _counts(0)), _both(characteristics, lower_without_size), _HOUSEHOLDS),
        ("state x size", _both(_counts(1, 2), _counts(0, 1)), _both(characteristics, _counts(0, 1)), _HOUSEHOLDS),
    )
    return _same_universes(cases, _HOUSEHOLDS_SCOPE)


@checks("psa.table-5.invariants.printed")
def table_5_invariants_printed() -> Evidence:
    """Without the option nothing is said of the lower level: its numbers of households stay too."""
    return _table_5(lambda _: ())


@checks("psa.table-5.invariants")
def table_5_invariants() -> Evidence:
    """The numbers of households one level lower, or by size."""
    return _table_5(_counts(0))


@refutes("psa.table-5.invariants", "by size in either case")
def table_5_invariants_by_size() -> Evidence:
    """The mutant with household size where V_Match has none."""
    return _table_5(_counts(0, 1))


def _not_nested(swapping: Invariants) -> Evidence:
    """Whether data sets that agree on TopDown's invariants need not agree on swapping's, nor the other way round."""
    scope = f"{_DAS_SCOPE}; here one housing unit in each block"
    domain = [x for x in _DAS if x[1] == (1, 1)]
    ways = (("TopDown", "swapping", _topdown, swapping), ("swapping", "TopDown", swapping, _topdown))
    found = []
    for name, other, first, second in ways:
        pairs = sum(first(x) == first(y) and second(x) != second(y) for x, y in combinations(domain, 2))
        if not pairs:
            note = f"pairs inside a universe of {name} and inside none of {other}"
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("pairs > 0", note=note, pairs=pairs))
        found.append(f"{pairs} pairs share a universe of {name} alone")
    return Evidence(Verdict.EXHAUSTED, scope, "; ".join(found))


def _swapping(x: Any) -> tuple[int, ...]:
    """n_mh·, by kind and size, and n_m·s, by block, of one block group: each record is one household-record."""
    cells = product(("household", "quarters"), (1, 2))
    held = tuple(sum(tuple(record[1:]) == cell for record in x[0]) for cell in cells)
    return (*held, *(sum(block == b for block, _, _ in x[0]) for b in range(2)))


@checks("das.flavors-not-nested")
def flavors_not_nested() -> Evidence:
    """A household that moves to another block's vacant unit; group quarters swapped with a household."""
    return _not_nested(_swapping)


@refutes("das.flavors-not-nested", "the PSA keeps the group quarters of each block too")
def flavors_nested() -> Evidence:
    """The mutant in which swapping has the TDA's invariants and more."""
    return _not_nested(lambda x: (*_swapping(x), *_topdown(x)[3:]))


def _share(vulnerable: str) -> Evidence:
    row = PrintedRow(
        "vulnerable share", "1%", "vulnerable/population", {"vulnerable": vulnerable, "population": "308745538"}
    )
    return agree([row], f"{vulnerable} of 308,745,538, to the whole percent")


@checks("numbers.vulnerable-share")
def vulnerable_share() -> Evidence:
    """1.1%."""
    return _share("3.4 million")


@refutes("numbers.vulnerable-share", "34 million for 3.4 million")
def vulnerable_share_changed() -> Evidence:
    """The mutant with another place."""
    return _share("34 million")
