"""Units of protection: households beside persons, bounded DP on households, records after imputation."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations_with_replacement, pairwise, permutations, product
from typing import Any

from stirred.spec.blocks.domain import FiniteDomain, multisets
from stirred.spec.blocks.input_premetric import Neighbors, Order, hamming_unordered, neighbor_premetric
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.laws.claim.claim_numbers import parts, rows
from stirred.verify.ledger import (
    cases,
    every,
    failure,
    false,
    incomplete,
    misprint,
    mutant,
    own,
    settled,
    state,
    theorem,
)
from stirred.verify.ledger.claims.zcdp.divergences import (
    dominates,
    middle,
    orders,
    squared_from_above,
    squared_from_below,
)
from stirred.verify.ledger.engines.renyi_grid import enclosed, laws_of
from stirred.verify.ledger.language_names import ln, oo
from stirred.verify.ledger.words import count, hamming, multiplicative, outcomes

# Household-records against person-records as units, where every person-record names its housing unit

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
_HOUSED = (
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


_PAIRS = cases(_HOUSED, "x y tenures")(lambda: ((*pair, _ALIKE) for size in range(5) for pair in _pairs_of(size, 3)))
_WITH_TENURE = cases(
    "pairs of up to 2 person-records in two units; a household-record has one of two tenures besides",
    "x y tenures tenures_prime",
)(
    lambda: (
        (*pair, *tenures)
        for size in range(3)
        for pair in _pairs_of(size, 2)
        for tenures in product(product((0, 1), repeat=2), repeat=2)
    )
)
_WHOLE_HOUSEHOLDS = cases("all 1, 2, 3 or 4 persons of a household change their kind; two units vacant", "x y tenures")(
    lambda: ((((0, 0),) * size, ((0, 1),) * size, _ALIKE) for size in range(1, 5))
)
_MOVED = cases("a person who moves to a vacant unit, three units", "x y tenures")(
    lambda: [(((0, 0),), ((1, 0),), _ALIKE)]
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
_BY_SIZE = cases("counts of households by size with noise, rho^2 = 0.07 for one household", "x y tenures")(
    lambda: iter(_PAIRS)
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
_BOTH_LEVELS = cases(f"{_HOUSED}; with the budgets at both levels", "x y tenures")(lambda: iter(_PAIRS))

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

# bounded differential privacy on household-records beside their Hamming distance: article, Appendix H

# ends of D_NoR^2: the divergence at the order 1, and what a likelihood ratio of at most g allows
at_least = lambda p, q: sum(p[t] * ln(p[t] / q[t]) for t in p if p[t] > 0) if outcomes(p, q) == set(q) else oo
by_ratio = lambda g: oo if g == oo else ln(g) * (g - 1) / (g + 1)
of_neighbors = lambda P: by_ratio(max([1] + [multiplicative(P[u], P[v]) for u in P for v in P if hamming(u, v) == 1]))

# what a chain of neighbors shows of its ends, with P the laws along it
ends_of_chain = lambda P, power, orders: (
    squared_from_above(P[0], P[len(P) - 1], orders)
    <= (len(P) - 1) ** power * max(squared_from_below(P[i], P[i + 1], orders) for i in range(len(P) - 1))
)

_COINS = laws_of(2, 4)
_D_R = neighbor_premetric(Neighbors.REPLACE_ONE, Order.UNORDERED, "household")
_D_HH = hamming_unordered("household")

# D_NoR^2 between two coins; None for oo
_squared = cache(lambda i, j: enclosed(_COINS[i], _COINS[j]))


@cache
def _distances(domain: FiniteDomain) -> tuple[list[tuple[int, int]], list[tuple[int, int, int]]]:
    """The places of neighbors, and of other data sets with their finite distance."""
    pairs = [(i, j, d) for (i, x), (j, y) in permutations(enumerate(domain), 2) if (d := _D_HH(x, y)) is not None]
    near = [(i, j) for (i, x), (j, y) in permutations(enumerate(domain), 2) if _D_R(x, y) == 1]
    return near, [(i, j, int(d)) for i, j, d in pairs if d > 1]


@cache
def _chains(domain: FiniteDomain) -> tuple[tuple[int, ...], ...]:
    """For the places of data sets at a distance above 1 a chain of so many steps between neighbors, where there is one.

    Each pair is named in one order.
    """
    neighbors, others = _distances(domain)
    found = []
    for i, j, distance in others:
        chains: list[tuple[int, ...]] = [(i,)]
        for _ in range(distance):
            chains = [(*chain, after) for chain in chains for before, after in neighbors if before == chain[-1]]
        found += [chain for chain in chains if chain[-1] == j][:1] if i < j else []
    return tuple(found)


@cache
def _along(coins: tuple[int, ...], power: int) -> Mapping[str, Any]:
    """The case of `ends_of_chain` for coins along a chain."""
    laws = [_COINS[coin] for coin in coins]
    steps = [_squared(*step) for step in pairwise(coins)]
    whole, most = _squared(coins[0], coins[-1]), max((one.lower for one in steps if one), default=Fraction(0))
    bound = None if whole is None else middle(whole.upper, len(steps) ** power * most)
    above = [] if bound is None or not bound else [(laws[0], laws[-1], bound)]
    return {"P": laws, "power": power, "orders": orders(above, list(pairwise(laws)))}


def _say_so(domain: FiniteDomain, coins: Sequence[int], power: int) -> None:
    """Say to a certificate what the chains show, or that neighbors are infinitely far apart, or that no pair is far."""
    neighbors, others = _distances(domain)
    if 2 * len(_chains(domain)) < len(others):
        return  # a pair without a chain
    apart = [(i, j) for i, j in neighbors if _squared(coins[i], coins[j]) is None]
    if apart:
        laws = [_COINS[coins[place]] for place in apart[0]]
        settled(True, lambda P: not (dominates(P[0], P[1]) and dominates(P[1], P[0])), lambda: {"P": laws})
    elif not others:
        settled(True, lambda X: all(hamming(x, y) <= 1 for x in X for y in X), lambda: {"X": domain.points})
    for chain in {tuple(coins[place] for place in one) for one in _chains(domain)} if not apart else ():
        settled(True, ends_of_chain, partial(dict, _along(chain, power)))


_mechanisms = lambda domains, scope: cases(f"{scope}; all mechanisms of coins in quarters", "domain coins")(
    lambda: ((domain, coins) for domain in domains for coins in product(range(len(_COINS)), repeat=len(domain)))
)


def same_budget(domain: FiniteDomain, coins: Sequence[int], *, power: int = 2) -> Witness | None:
    """D_NoR^2 at distance d is at most d^power times its maximum over neighbors: both distances need one budget."""
    neighbors, others = _distances(domain)
    near = [_squared(coins[i], coins[j]) for i, j in neighbors]
    if None in near:
        _say_so(domain, coins, power)
        return None
    low, high = (max((getattr(one, end) for one in near), default=Fraction(0)) for end in ("lower", "upper"))
    for i, j, distance in others:
        whole = _squared(coins[i], coins[j])
        if coins[i] != coins[j] and (whole is None or whole.lower > distance**power * high):
            x, y = domain.points[i], domain.points[j]
            laws = {one: _COINS[coin] for one, coin in zip(domain.points, coins, strict=True)}
            return failure(
                lambda P, x, y, power: at_least(P[x], P[y]) <= hamming(x, y) ** power * of_neighbors(P),
                P=laws,
                x=x,
                y=y,
                power=power,
            )
        if coins[i] != coins[j] and whole is not None and whole.upper > distance**power * low:
            raise EngineError(f"undecided to 7 digits: coins {coins}")
    _say_so(domain, coins, power)
    return None


_ALL_DATA_SETS = _mechanisms(
    [*(multisets(("a", "b"), (n,)) for n in (1, 2, 3)), multisets(("a", "b", "c"), (2,))],
    "all data sets of 1, 2 or 3 household-records of two kinds, or of 2 of three kinds",
)
_OF_ONE_BLOCK = _mechanisms(
    [FiniteDomain((("rural", "rural"), ("urban", "urban")))],
    "two household-records of one block, which agree on the block's kind",
)

state("topdown.bounded-flavors", "article, Appendix H", "dissertation, section B.5")(
    "But (X_CEF, {X_CEF}, d_r_bs^hh, D_NoR) and (X_CEF, {X_CEF}, d_HamS^hh, D_NoR) are equivalent DP flavors …",
    every(_OF_ONE_BLOCK, same_budget, verdict=Verdict.ENCLOSED),
    reading="""d_r_bs is 1 between neighbors and oo beyond (dissertation, (A.2)); a mechanism satisfies both with
    the same budgets; X_CEF is cut by edit constraints and structural zeroes, which Remark 3 says every data set
    satisfies""",
    grade=incomplete(
        "that in X_CEF data sets at distance k are the ends of k changes of one record each, as in all of R^n"
    ),
)

own("topdown.bounded-flavors.chains", "article, Appendix H")(
    """Where data sets of X_CEF at d_HamS^hh = k are the ends of a chain of k + 1 data sets of X_CEF, each a neighbor of
    the next, as where X_CEF is all data sets of possible household-records, a mechanism satisfies (X_CEF, {X_CEF},
    d_r_bs^hh, D_NoR) with budget rho iff it satisfies (X_CEF, {X_CEF}, d_HamS^hh, D_NoR) with it.""",
    theorem(
        *("unit_mechanisms.chains_zcdp", "unit_mechanisms.unordered_chains"),
        within="discrete outcomes; for all data sets of household-records, finitely many of these",
    ),
    every(_ALL_DATA_SETS, same_budget, verdict=Verdict.ENCLOSED),
    mutant("D_NoR^2, the standard parameterization, for D_NoR", {"power": 1}),
    mutant("X lacks the data sets between", _OF_ONE_BLOCK),
    repairs="topdown.bounded-flavors",
)

# units after imputation: how many records change with one contributor's answers

# a respondent is a place and an answer; a missing one is taken from the first of the nearest respondents
donor = lambda r, place: min(len(r) * abs(one[0] - place) + i for i, one in enumerate(r)) % len(r)
imputed = lambda r, missing: r + [[place, r[donor(r, place)][1]] for place in missing]
duplicates = lambda r, missing: max(
    count(donors, i) for donors in [[donor(r, place) for place in missing]] for i in donors
)

_REPLACED = cases(
    "one contributor with 1 to 4 duplicates of one record among 2 other records, all of which stay, the contributor's "
    "and its duplicates being replaced",
    "x y m",
)(lambda: (((*("old",) * (1 + m), "other", "other"), (*("new",) * (1 + m), "other", "other"), m) for m in range(1, 5)))
_CONTRIBUTORS = (
    "places 0, 1, 2 and answers a, b, c; a contributor and 1 other respondent with up to 4 missing records, or 2 "
    "others with up to 2: all changes of the contributor, but for the names of the answers and the direction"
)

_changes = cases(_CONTRIBUTORS, "respondents other missing")(
    lambda: (
        case
        for kinds in [tuple(product(range(3), "abc"))]
        for others, slots in ((1, 4), (2, 2))
        for places in [[m for n in range(slots + 1) for m in combinations_with_replacement(range(3), n)]]
        for before, after, *rest in product(kinds, repeat=2 + others)
        for answers in [dict.fromkeys(answer for _, answer in (before, after, *rest))]
        if before[0] <= after[0] and before != after and "abc".startswith("".join(answers))
        for case in (((before, *rest), (after, *rest), missing) for missing in places)
    )
)

changed_records = lambda respondents, missing, other: hamming(imputed(respondents, missing), imputed(other, missing))
few_change = lambda respondents, missing, other, factor: (
    changed_records(respondents, missing, other)
    <= 1 + factor * max(duplicates(respondents, missing), duplicates(other, missing))
)

state("post-imputation.factor.printed", "article, section 5.2", "dissertation, section 3.4.4")(
    """In general, the conversion from a DP flavor with post-imputation persons as units to a DP flavor with persons
    as units requires an inflation of the PLB by a factor equal to the maximum number of times a record can be
    duplicated …""",
    every(_REPLACED, lambda x, y, m, own: hamming(x, y) == own + m, own=0),
    reading="a record that is duplicated once has one duplicate, as in the example before",
    grade=misprint("the sentences before count the person-records contributed to: one duplicate doubles rho"),
)

own("post-imputation.factor", "article, section 5.2")(
    """From post-imputation persons to persons with one record each, which imputation duplicates at most m times, the
    PLB (eps or rho) is inflated by 1 + m, where a change of a person's answers changes their record and its duplicates
    only: the record itself counts too (one duplicate doubles rho).""",
    theorem(
        "household_records.donor_distance",
        "household_records.donor_distance_attained",
        "household_records.donor_pure_dp",
        "unit_mechanisms.donor_zcdp",
        within="finitely many answers",
    ),
    every(_REPLACED, lambda x, y, m, own: hamming(x, y) == own + m, own=1),
    mutant("m for 1 + m", {"own": 0}),
    mutant(
        "other duplicates may change too: the nearest respondent gives the answer",
        every(_changes, few_change, factor=1),
    ),
    repairs="post-imputation.factor.printed",
)

_ATTAINING = cases("changes of a contributor by which duplicates are lost and gained", "respondents other missing")(
    lambda: ((((0, "a"), (1, "b")), ((2, "c"), (1, "b")), missing) for missing in ((0, 2), (0, 0, 2, 2)))
)

twice_duplicates_change = lambda respondents, other, missing: (
    changed_records(respondents, missing, other)
    == 1 + 2 * duplicates(respondents, missing)
    == 1 + 2 * duplicates(other, missing)
)

own("post-imputation.factor.nearest-donor", "article, section 5.2")(
    """Where a missing answer is taken from the nearest respondent, so that a change of a person's answers gives some
    records another donor, and each record is duplicated at most m times before and after the change, the factor is 1 +
    2m, and is attained: up to m duplicates are lost and up to m others gained.""",
    every(_changes, few_change, factor=2),
    mutant("1 + m for 1 + 2m", {"factor": 1}),
    every(_ATTAINING, twice_duplicates_change),
)
