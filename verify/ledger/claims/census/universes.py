"""Which invariants induce which universes: TopDown's, SafeTab's, PHSafe's, and those of swapping in Table 5."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping
from stirred.spec.laws.law import Law
from stirred.verify.evidence.certificates.case_values import shown_value
from stirred.verify.evidence.certificates.language import value_of
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import Cases, cases, every, failure, incomplete, mutant, own, settled, some, state, unsettled
from stirred.verify.ledger.failures import words_of
from stirred.verify.ledger.functions import text_of
from stirred.verify.ledger.language_names import get
from stirred.verify.ledger.words import count

# a data set of the 2020 system: household-records (block, kind, persons), and the housing units of each block
housing_units = lambda x: x[1]
blocks_with_units = lambda x: [1 if n >= 1 else 0 for n in x[1]]
group_quarters = lambda x: [
    sum(1 for b, kind, n in x[0] if (b, kind) == (block, "quarters")) for block in range(len(x[1]))
]
topdown_totals = lambda x: (sum(n for b, kind, n in x[0]), housing_units(x), group_quarters(x))
swapped_totals = lambda x: (by(x[0], (1, 2)), by(x[0], (0,)))

# how many records have which values of some variables, given by their places
by = lambda x, places: sorted([[r[i] for i in places] for r in x])

# the invariants of a system, by its name; and which blocks have housing units, x being a block for each of them
invariants_of = lambda system, x: (
    housing_units(x)
    if system == "SafeTab"
    else blocks_with_units(x)
    if system == "PHSafe"
    else topdown_totals(x)
    if system == "TopDown"
    else (topdown_totals(x), housing_units(x), blocks_with_units(x))
    if system == "2020 DAS"
    else units_of_blocks(system, x)
)
units_of_blocks = lambda indicators, x: (
    [1 if block in x else 0 for block in range(3)]
    if indicators == "which blocks occur"
    else (1 if 1 - len(x) <= 0 else 0)
    if indicators == "whether any block occurs"
    else [1 if indicators - count(x, block) <= 0 else 0 for block in range(3)]
)


@cache
def _value(invariants: Callable[..., Any], x: Any) -> str:
    """The value of invariants at a data set x, as a text that tells values apart."""
    said = text_of(invariants)
    return shown_value(value_of(said, {"x": x}, words_of(said)))


def same_universes(domain: Sequence[Any], *, first: Any, second: Any) -> Witness | None:
    """Data sets agree on the first invariants iff they agree on the second ones, both as `invariants_of` has them."""
    both = [lambda x: invariants_of(first, x), lambda x: invariants_of(second, x)]
    for one, other in (both, both[::-1]):
        found: dict[str, Any] = {}
        for x in domain:
            before = found.setdefault(_value(one, x), x)
            if _value(other, before) != _value(other, x):
                return failure(
                    lambda both: (
                        len({invariants_of(first, x) for x in both}) == len({invariants_of(second, x) for x in both})
                    ),
                    both=(before, x),
                )
    return settled(
        True,
        lambda domain: (
            len({(invariants_of(first, x), invariants_of(second, x)) for x in domain})
            == len({invariants_of(first, x) for x in domain})
            == len({invariants_of(second, x) for x in domain})
        ),
        lambda: {"domain": domain},
    )


def _sharing(domain: Sequence[Any], invariants: Callable[..., Any], scope: str) -> Cases:
    """All pairs of data sets that agree on some invariants."""
    return cases(f"all pairs that agree on {text_of(invariants)}; {scope}", "x y")(
        lambda: ((x, y) for x, y in combinations(domain, 2) if _value(invariants, x) == _value(invariants, y))
    )


# all invariants and rules on a few data sets; every data set satisfies the rule, or any may
_with_rules = lambda satisfied, values: cases(
    f"1 to 4 data sets, all invariants c with values among 0, 1, 2, all rules that {satisfied}", "c rule"
)(lambda: (one for n in range(1, 5) for one in product(product(range(3), repeat=n), product(values, repeat=n))))
rule_adds_nothing = lambda c, rule: all(
    (c[x] == c[y]) == ((c[x], rule[x]) == (c[y], rule[y])) for x in range(len(c)) for y in range(x)
)

_SATISFIED = every(_with_rules("every data set satisfies", (1,)), rule_adds_nothing)
_BROKEN = every(_with_rules("data sets may break", (1, 0)), rule_adds_nothing)

state("topdown.edit-constraints", "article, Remark 3", "dissertation, section 3.4.1")(
    """Because every possible x in X_CEF satisfies these rules by construction, these requirements need not be included
    as invariants.""",
    _SATISFIED,
    mutant("rules that some data sets of the domain break", _BROKEN),
    reading="with edit constraints and structural zeroes as further invariants the universes are the same",
)

state("phsafe.inequality-invariants", "article, Remark 5", "dissertation, section 3.4.1")(
    """The PHSafe Algorithm has inequality invariants (see Equation 4). Specifically, its invariant function c(x) is the
    vector of indicators for whether each census block has at least one housing unit or not.""",
    unsettled("PHSafe's own paper names no invariants: it needs the algorithm's code"),
)

_HOUSED = cases("all data sets of up to 4 housing units, each in one of three blocks", "domain")(
    lambda: [tuple(x for n in range(5) for x in combinations_with_replacement(range(3), n))]
)

_as_occur = partial(every, _HOUSED, same_universes, first="which blocks occur")

own("phsafe.inequality-invariants.indicators", "article, (4) and Remark 5")(
    """The indicators for whether each block has at least one housing unit are inequality invariants: those of f_i(x) <=
    0 with f_i(x) = 1 - (the housing units of block i) have the same universes, the data sets with units in the same
    blocks. (Whether the PHSafe Algorithm keeps them is another question.)""",
    _as_occur(second=1),
    mutant("f_i(x) = -(the housing units of block i)", _as_occur(second=0)),
    mutant("f_i(x) = 2 - (the housing units of block i)", _as_occur(second=2)),
    mutant("one inequality for all blocks", _as_occur(second="whether any block occurs")),
)

_DAS = tuple(
    (records, units)
    for size in range(3)
    for records in combinations_with_replacement(tuple(product(range(2), ("household", "quarters"), (1, 2))), size)
    for units in product(range(3), repeat=2)
    if all(sum(record[:2] == (block, "household") for record in records) <= units[block] for block in range(2))
)
_DAS_SCOPE = (
    "data sets of up to 2 household-records in 2 blocks of one block group, each a household or an occupied group "
    "quarters of 1 or 2 persons; 0 to 2 housing units in each block, and no more households than units"
)
_ALL_DAS = cases(f"all {_DAS_SCOPE}", "domain")(lambda: [_DAS])
_overall = partial(every, _ALL_DAS, same_universes, second="2020 DAS")

state("das.overall-invariants", "article, Table 4", "dissertation, Table 3.4")(
    """SafeTab … Total housing units (block); PHSafe >= 1 housing unit (block); Overall (to date) 2020 DAS … Same as
    TopDown""",
    _overall(first="TopDown"),
    mutant("same as SafeTab", _overall(first="SafeTab")),
    reading="the invariants of SafeTab and of PHSafe leave TopDown's universes as they are",
)

_ONE_EACH = [x for x in _DAS if x[1] == (1, 1)]
_ONE_EACH_SCOPE = f"{_DAS_SCOPE}; here one housing unit in each block"

own("sources.invariants", "article, Table 4 and Remark 3", "slides, Examples from the US Decennial Censuses")(
    """For SafeTab slides list no invariants and article lists the total housing units by block; for TopDown slides list
    structural zeros besides the article's. The first difference is one of universes; the second is not, if every
    possible x in X_CEF satisfies the structural zeros, as Remark 3 says.""",
    some(_sharing(_DAS, lambda x: (), _DAS_SCOPE), lambda x, y: housing_units(x) != housing_units(y)),  # noqa: ARG005
    mutant("structural zeros that some data sets of the domain break", _BROKEN),
    mutant(
        "one total that is the same in all data sets for the housing units",
        _sharing([x for x in _ONE_EACH if len(x[0]) < 2], lambda x: (), _ONE_EACH_SCOPE),  # noqa: ARG005
    ),
    _SATISFIED,
)

_HOUSEHOLDS = tuple(
    x for n in range(4) for x in combinations_with_replacement(tuple(product(("one", "two"), (1, 2), "ab")), n)
)
"""Data sets of households (county, size, kind) of one state."""

_HOUSEHOLDS_SCOPE = "all data sets of up to 3 households of one state: two counties, two sizes, two kinds"


@cache
def swapped(x: tuple[Any, ...], *, by_size: bool) -> Law[Any]:
    """The law of the PSA at p = 1/3, V_Swap = county, V_Match = state alone or crossed with household size."""
    records = [(size if by_size else 0, (size, kind), county) for county, size, kind in x]
    law = exact_law(permutation_swapping, records, swap_rate=Fraction(1, 3))
    return law.push(lambda table: tuple(sorted((county, *held) for (_, held, county), n in table for _ in range(n))))


_SWAPS = cases(f"{_HOUSEHOLDS_SCOPE}; V_Match = state alone, and crossed with size; V_Swap = county", "x p by_size")(
    lambda: ((x, swapped(x, by_size=bool(by_size)), by_size) for by_size, x in product((0, 1), _HOUSEHOLDS))
)

# size and kind of the households of the state, and what is kept one level lower, given by its places
kept_by_swapping = lambda x, lower: [by(x, (1, 2))] + [by(x, places) for places in lower]


def induced(x: Any, p: Law[Any], by_size: int, *, lower: Mapping[int, tuple[tuple[int, ...], ...]]) -> Witness | None:
    """Swapping leads from x to those y alone that agree with it on size and kind, and one level lower on `lower`."""
    kept = lower[by_size]
    totals = lambda x: kept_by_swapping(x, kept)
    wrong = next((y for y in _HOUSEHOLDS if (y in p) != (_value(totals, x) == _value(totals, y))), None)
    if wrong is not None:
        return failure(
            lambda both, p: (get(p, both[1], 0) > 0) == (len({kept_by_swapping(x, kept) for x in both}) == 1),
            both=(x, wrong),
            p=p,
        )
    return settled(
        True,
        lambda here, p, others: all(
            (get(p, y, 0) > 0) == (kept_by_swapping(here, kept) == kept_by_swapping(y, kept)) for y in others
        ),
        lambda: {"here": x, "p": p, "others": _HOUSEHOLDS},
    )


_NUMBER, _BY_SIZE = ((0,),), ((0, 1),)

state("psa.table-5.invariants.printed", "article, Remark 7", "dissertation, section 3.4.1")(
    """Depending on the swap key V_Match and the swapping variables V_Swap, the invariants induced by the PSA are all
    (multivariate) household characteristics at either the state, county, or block group levels, and optionally the
    household size at the corresponding geography one level lower.""",
    every(_SWAPS, induced, lower={0: (), 1: _BY_SIZE}),
    reading="""these induce the PSA's universes, with V_Match a geography alone or, the option, crossed with household
    size, and V_Swap the geography one level lower""",
    grade=incomplete(
        "without the option, the number of households one level lower, which Proposition 4 gives as n_m.s"
    ),
)

own("psa.table-5.invariants", "article, Remark 7")(
    """The PSA's universes are induced by all household characteristics at the level of V_Match and, one level lower, by
    the number of households, or where V_Match is crossed with household size by their number by size.""",
    every(_SWAPS, induced, lower={0: _NUMBER, 1: _BY_SIZE}),
    mutant("by size in either case", {"lower": {0: _BY_SIZE, 1: _BY_SIZE}}),
    repairs="psa.table-5.invariants.printed",
)

_BOTH_SCHEMES = cases(f"{_HOUSEHOLDS_SCOPE}; p without household size, q crossed with it", "p q")(
    lambda: ((swapped(x, by_size=False), swapped(x, by_size=True)) for x in _HOUSEHOLDS)
)

state("psa.table-5.nested", "article, section 5.3", "dissertation, section 3.4.3")(
    """Within each level of V_Swap, the two V_Match levels are nested, in the sense that the swapping scheme represented
    in the latter row (i.e., crossed with household size) induces a logically stronger and more constrained set of
    invariants than the former one.""",
    every(_BOTH_SCHEMES, lambda p, q: set(q) <= set(p)),
    mutant("the former row", lambda p, q: set(p) <= set(q)),
    some(
        _sharing([x for x in _HOUSEHOLDS if len(x) == 2], lambda x: (by(x, (1, 2)), by(x, (0,))), _HOUSEHOLDS_SCOPE),
        lambda x, y: by(x, (0, 1)) != by(y, (0, 1)),
    ),
    reading="each universe of the latter lies in one of the former; in some pair of data sets they differ",
)

_within = partial(_sharing, _ONE_EACH, scope=_ONE_EACH_SCOPE)

state("das.flavors-not-nested", "article, section 5.4", "dissertation, section 3.5.2")(
    """Therefore, the 2020 DAS DP flavor is not strictly stronger than the PSA's flavor, nor visa versa - although the
    2020 DAS places less restrictions on the scope of protection, these are not nested within the restrictions induced
    by the PSA's invariants.""",
    some(_within(lambda x: topdown_totals(x)), lambda x, y: swapped_totals(x) != swapped_totals(y)),
    some(_within(lambda x: swapped_totals(x)), lambda x, y: topdown_totals(x) != topdown_totals(y)),
    mutant(
        "the PSA keeps the group quarters of each block too", _within(lambda x: (swapped_totals(x), group_quarters(x)))
    ),
    reading="""each multiverse has a universe inside no universe of the other; V_Match = block group and V_Swap = block,
    kind and size of a household-record held, an occupied group quarters as a household-record of another kind""",
)
