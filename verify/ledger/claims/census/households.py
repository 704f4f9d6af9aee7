"""Household-records against person-records as units, where every person-record names its housing unit."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any

from stirred.verify.laws.claim.claim_numbers import parts, rows
from stirred.verify.ledger import cases, every, false, incomplete, mutant, own, state, theorem
from stirred.verify.ledger.words import count, hamming

# of person-records (unit, kind), with what each housing unit has of its own
housed = lambda x, i: sorted([kind for unit, kind in x if unit == i])
household_records = lambda x, tenures, vacant: (
    [
        [i, tenure, kinds]
        for i, tenure in enumerate(tenures)
        for kinds in [housed(x, i)]
        if vacant == 1 or len(kinds) > 0
    ]
)
households_apart = lambda x, y, tenures: hamming(household_records(x, tenures, 1), household_records(y, tenures, 1))
household_sizes = lambda x, tenures: [sum(1 for unit, kind in x if unit == i) for i in range(len(tenures))]
largest_household = lambda x, tenures: max(household_sizes(x, tenures))

# the loss of counts with independent discrete Gaussian noise: rho^2 = |difference|^2 / (2 sigma^2)
noisy_counts = lambda u, v, sigma2: sum((a - b) ** 2 for a, b in zip(u, v)) / (2 * sigma2)
households_by_size = lambda x, tenures: [
    sum(1 for n in sizes if n == size) for sizes in [household_sizes(x, tenures)] for size in range(len(x) + 1)
]
persons_by_cell = lambda x, tenures: [count(x, [i, k]) for i in range(len(tenures)) for k in range(2)]

_ALIKE = (0, 0, 0)
_SCOPE = (
    "all pairs of data sets of equal size, up to 4 person-records (housing unit, one of two kinds), three units, but "
    "for the names of units and kinds; a household-record is its unit, vacant or not, with its person-records"
)


def _pairs_of(size: int, units: int) -> Iterator[Any]:
    """The first pair of data sets of those that are one but for the names of the units and of the kinds."""
    data_sets = list(combinations_with_replacement(tuple(product(range(units), (0, 1))), size))
    place = {x: i for i, x in enumerate(data_sets)}
    renamed = [
        [place[tuple(sorted((unit[i], kind[k]) for i, k in x))] for x in data_sets]
        for unit, kind in product(permutations(range(units)), permutations(range(2)))
    ]
    for i, j in combinations_with_replacement(range(len(data_sets)), 2):
        if all([i, j] <= sorted((one[i], one[j])) for one in renamed):
            yield data_sets[i], data_sets[j]


_PAIRS = cases(_SCOPE, "x y tenures", lambda: ((*pair, _ALIKE) for size in range(5) for pair in _pairs_of(size, 3)))
_WITH_TENURE = cases(
    "pairs of up to 2 person-records in two units; a household-record has one of two tenures besides",
    "x y tenures tenures_prime",
    lambda: (
        (*pair, *tenures)
        for size in range(3)
        for pair in _pairs_of(size, 2)
        for tenures in product(product((0, 1), repeat=2), repeat=2)
    ),
)
_WHOLE_HOUSEHOLDS = cases("all 1, 2, 3 or 4 persons of a household change their kind; two units vacant", "x y tenures")(
    lambda: ((((0, 0),) * size, ((0, 1),) * size, _ALIKE) for size in range(1, 5))
)
_MOVED = cases(
    "a person who moves to a vacant unit, three units", "x y tenures", lambda: [(((0, 0),), ((1, 0),), _ALIKE)]
)

few_households = lambda x, tenures, vacant, y, factor: (
    hamming(household_records(x, tenures, vacant), household_records(y, tenures, vacant)) <= factor * hamming(x, y)
)
few_persons = lambda x, y, tenures, fewer: (
    hamming(x, y)
    <= (max(largest_household(x, tenures), largest_household(y, tenures)) - fewer) * households_apart(x, y, tenures)
)

_TWICE = [
    every(_PAIRS, few_households, factor=2, vacant=1),
    every(_MOVED, lambda x, y, tenures: households_apart(x, y, tenures) == 2 * hamming(x, y) > 0),
]
move_all = lambda x, y, tenures: hamming(x, y) == largest_household(x, tenures) * households_apart(x, y, tenures) > 0

_AS_MANY = [every(_PAIRS, few_persons, fewer=0), every(_WHOLE_HOUSEHOLDS, move_all)]

bounded_where_nobody_moves = lambda x, y, tenures: (
    household_sizes(x, tenures) != household_sizes(y, tenures) or households_apart(x, y, tenures) <= hamming(x, y)
)
bounded_with_tenures = lambda x, y, tenures, tenures_prime: (
    hamming(household_records(x, tenures, 1), household_records(y, tenures_prime, 1)) <= 2 * hamming(x, y)
)

_MUTANTS = (
    mutant("1 for 2", every(_PAIRS, few_households, factor=1, vacant=1)),
    mutant("a household-record has a tenure too", every(_WITH_TENURE, bounded_with_tenures)),
    mutant("vacant units left out", every(_PAIRS, few_households, factor=2, vacant=0)),
)

state("units.household-person.printed", "article, section 5.4", "dissertation, section 3.5.2")(
    """… using a lower resolution like household-records provides more protection than a higher resolution like
    person-records (all else being equal). That is, a household-level distance is a stronger notion than a person-level
    distance, since if the record of a single household changes part of its value, the multiple persons residing in a
    same household may all change their records.""",
    every(_PAIRS, few_households, factor=1, vacant=1),
    reading="""d_HamS^hh <= d_HamS^p, so that a budget under the one is a budget under the other; a person-record names
    its housing unit""",
    grade=incomplete(
        "that the persons stay in their housing units, as in the reason given: one who moves changes two records"
    ),
)

_DISTANCES = ("household_records.household_distances", "household_records.household_distances_attained")
_FINITE = "finitely many units and kinds of persons"

own(
    "units.household-person",
    "article, section 5.4",
    "slides, A Perverse Guide to Reducing the Privacy Loss (without adding more noise)",
)(
    """Where every person-record names its housing unit, and a household-record is its housing unit with its
    person-records and nothing else: over data sets with the same number of persons and the same housing units (vacant
    ones among them), d_HamS^hh <= 2 d_HamS^p and d_HamS^p <= b d_HamS^hh, where b bounds the persons of a household,
    with both factors attained; and d_HamS^hh <= d_HamS^p where every unit keeps its number of persons.""",
    theorem(*_DISTANCES, within=_FINITE),
    *_TWICE,
    *_AS_MANY,
    every(_PAIRS, bounded_where_nobody_moves),
    *_MUTANTS,
    mutant("b - 1 for b", every(_PAIRS, few_persons, fewer=1)),
    repairs="units.household-person.printed",
)

_RHO = {name: Fraction(text) for name, text in (*parts("topdown.pl").items(), *parts("das-2020.total").items())}
_BY_SIZE = cases(
    "counts of households by size with noise, rho^2 = 0.07 for one household", "x y tenures", lambda: iter(_PAIRS)
)

loss_by_size = lambda x, tenures, y, rho2: noisy_counts(
    households_by_size(x, tenures), households_by_size(y, tenures), 1 / rho2
)
bounded_by_size = lambda x, y, tenures, rho2: (
    loss_by_size(x, tenures, y, rho2) > rho2 * households_apart(x, y, tenures) ** 2
    or loss_by_size(x, tenures, y, rho2) <= rho2 * hamming(x, y) ** 2
)

state("topdown.household-mechanism.printed", "article, Appendix H", "dissertation, section B.5")(
    """… T_hh … satisfies rho-DP(X_CEF, {X_CEF}, d_r_bs^hh, D_NoR), where rho^2 = 0.07 … Hence T_hh satisfies
    rho-DP(X_CEF, D_cTDA, d_HamS^p, D_NoR) by the second half of Proposition 5 with rho^2 = 0.07.""",
    every(_BY_SIZE, bounded_by_size, rho2=_RHO["household"]),
    reading="""the step, for counts of households by size; Proposition 5 changes the multiverse alone, so the step is
    from d_HamS^hh to d_HamS^p""",
    grade=false("a person who moves changes two household-records, and neither D_cTDA nor d_HamS^p keeps them in one"),
)

own("topdown.household-mechanism", "article, Appendix H")(
    """Where every person-record names its housing unit, and a household-record is its housing unit with its
    person-records and nothing else: over data sets with the same number of persons and the same housing units (vacant
    ones among them), d_HamS^hh <= 2 d_HamS^p, so a mechanism with budget rho under d_HamS^hh has budget 2 rho (4 rho^2)
    under d_HamS^p; moving one person attains the factor.""",
    theorem("unit_mechanisms.household_mechanism", *_DISTANCES, within=_FINITE),
    *_TWICE,
    *_MUTANTS,
    repairs="topdown.household-mechanism.printed",
)

state("topdown.household-sensitivity", "article, Appendix H")(
    """… the sensitivity of the person-level query Q_p due to a single change in a household-record is 99,999. This is
    because the maximum possible household size in the CEF is 99,999 …""",
    *_AS_MANY,
    mutant("M - 1 for M", every(_PAIRS, few_persons, fewer=1)),
    reading="""with M for 99,999: d_HamS^hh = 1 allows d_HamS^p = M and no more, over data sets with the same number of
    persons, as the invariants ask""",
)

_CHANGED_KINDS = cases(
    "noise with sigma^2 = 1/4, 1, 3, 50; M = 1, 2, 3, 4 and 99,999 persons of a household change their kind", "sigma2 m"
)(lambda: product(map(Fraction, ("1/4", "1", "3", "50")), (1, 2, 3, 4, 99_999)))

is_amplified = lambda m, sigma2, power: (
    noisy_counts([m, 0], [0, m], sigma2) == m**power * noisy_counts([1, 0], [0, 1], sigma2)
)

state("topdown.household-amplification", "article, Appendix H and section 5.4", "dissertation, section B.5")(
    """This means T_p can satisfy (X_CEF, D_cTDA, d_HamS^hh, D_NoR) only if the PLB is amplified by 99,999. … the 2020
    DAS's budget would substantially increase under a household-level input premetric …""",
    every(_CHANGED_KINDS, is_amplified, power=2),
    mutant("rho^2, the reported budget, by M", {"power": 1}),
    reading="""the PLB is rho (Remark 2), so that the reported rho^2 is multiplied by 99,999^2; for counts of persons by
    kind with independent discrete Gaussian noise, all persons of a household changing their kind""",
)

_PERSON, _HOUSEHOLD = _RHO["TopDown"] + _RHO["SafeTab-P"], _RHO["SafeTab-H"] + _RHO["PHSafe"]
_BUDGETS: dict[str, Any] = {"person": _PERSON, "household": _HOUSEHOLD}
_OVERALL = rows("das-2020.total")[0].printed.value
_BOTH_LEVELS = cases(f"{_SCOPE}; with the budgets at both levels", "x y tenures", lambda: iter(_PAIRS))

specification_printed = lambda x, y, tenures, overall, person, household: (
    noisy_counts(persons_by_cell(x, tenures), persons_by_cell(y, tenures), 1 / person)
    + noisy_counts(households_by_size(x, tenures), households_by_size(y, tenures), 1 / household)
    <= overall * hamming(x, y) ** 2
)

state("das.overall.specification.printed", "article, Table 4", "dissertation, Table 3.4")(
    """TopDown D_NoR d_HamS^p (person) … rho^2 = 15.29 … SafeTab-P … DDHC-A: rho^2 = 19.776; SafeTab-H d_HamS^hh
    (household) DDHC-B: rho^2 = 17.79; PHSafe … S-DHC: rho^2 = 2.515; Overall (to date) 2020 DAS D_NoR d_HamS^p (person)
    Same as TopDown rho^2 = 55.371""",
    every(_BOTH_LEVELS, specification_printed, overall=_OVERALL, **_BUDGETS),
    reading="""releases with the specifications of the four rows together have that of the row Overall: budgets under
    d_HamS^hh are added to budgets under d_HamS^p; PHSafe's empty cell repeats the household of the one above (were it a
    person's, SafeTab-H alone would refute)""",
    grade=false("a person who moves changes two household-records, and neither D_cTDA nor d_HamS^p keeps them in one"),
)

fits_overall = lambda person, x, y, household, tenures, overall: (
    person * hamming(x, y) ** 2 + household * households_apart(x, y, tenures) ** 2 <= overall * hamming(x, y) ** 2
)
total_of_mover = lambda x, y, tenures, person, household: (
    person + household * households_apart(x, y, tenures) ** 2 == 116286 / 1000
)

own("das.overall.specification", "article, Table 4")(
    """Releases with independent seeds and the specifications of the four rows, under the invariants of TopDown,
    together satisfy rho-DP(X_CEF, D_cTDA, d_HamS^p, D_NoR) with rho^2 = 15.29 + 19.776 + 4 (17.79 + 2.515) = 116.286,
    where person-records name their housing units and household-records hold nothing else.""",
    every(_BOTH_LEVELS, fits_overall, overall=_PERSON + 4 * _HOUSEHOLD, **_BUDGETS),
    every(_MOVED, total_of_mover, **_BUDGETS),
    mutant("55.371 for 116.286", every(_BOTH_LEVELS, fits_overall, overall=_OVERALL, **_BUDGETS)),
    repairs="das.overall.specification.printed",
)
