"""What a neighbour changes on the way to PHSafe's theorems: the steps of their proofs."""

from collections import Counter
from fractions import Fraction
from itertools import product

from stirred.mechanisms.das.phsafe.algorithms import ORDERS, counted_rows, group_of, noise_scale, stability_factor
from stirred.mechanisms.das.phsafe.tabulations import runs
from stirred.verify.ledger import cases, every, incomplete, mutant, own, some, state
from stirred.verify.ledger.claims.phsafe.sensitivity import level_settings
from stirred.verify.ledger.claims.phsafe.stability import (
    ADDED,
    REPLACED,
    UNITS_ADDED,
    UNITS_REPLACED,
    households,
    one_more,
)
from stirred.verify.ledger.engines.phsafe.stability import household_counts
from stirred.verify.ledger.words import symmetric_difference

Rows = list[str]
_UP_TO_4 = "households of up to 4 persons of five kinds, one more added"

_person = lambda row: f"{row.age}, {row.race_eth.races}, {row.relationship}"
_unit = lambda row: f"{row.race_eth.races}, {row.tenure}, {row.status}, {'family' if row.is_family else 'no family'}"

# persons and units before and after a person is added to a household
_derived = lambda: (
    (
        *([_person(one) for one in some] for some in (persons, after[0])),
        *([_unit(one) for one in some] for some in (units, after[1])),
    )
    for (persons, units), after in one_more(dict(households(3).of_one_mafid()))
)

derived = cases(_UP_TO_4, "p q u v", _derived)

_TYPE = "opposite-sex married couple"

state("phsafe.views.stable", "PHSafe, Figure 1", "PHSafe, section 5")(
    """Stability of the J view. The person dataframe and unit dataframe are derived from the base person dataframe via a
    stability 1 and 2 transformation, respectively.""",
    every(derived, lambda p, q, u, v: symmetric_difference(p, q) <= 1 and symmetric_difference(u, v) <= 2),
    mutant("1 and 1", lambda p, q, u, v: symmetric_difference(p, q) <= 1 and symmetric_difference(u, v) <= 1),
)

couples = cases(
    f"{_UP_TO_4}: households that have a couple with it, or without",
    "u v",
    lambda: (
        (u, v) for _, _, u, v in _derived() if any(_TYPE in one for one in v) and not any(_TYPE in one for one in u)
    ),
)

state("phsafe.views.household-type", "PHSafe, section 5.1")(
    """For example, removing a person record from a household can change the household type (e.g., from a married couple
    family to nonfamily) resulting in a symmetric difference of 2 for neighboring datasets. Hence, the post-truncation
    unit dataframe differs by at most 2 records when adding or removing a record from the base person dataframe.""",
    some(couples, lambda u, v: symmetric_difference(u, v) == 2),
    every(derived, lambda u, v: symmetric_difference(u, v) <= 2),
    mutant("1 record", lambda u, v: symmetric_difference(u, v) <= 1),
)

squared_distance = lambda x, y: sum((a - b) ** 2 for a, b in zip(x, y))

state("phsafe.privacy.join.one-row", "PHSafe, Theorem 1 (its proof)")(
    """Let J and J' be the result of transformation T on (P, U) and (P', U'), respectively. Since the mappings, f and
    g_i are 1-stable transformations, the L2 distance in the query defined in Lines 11-16 is 1. It follows that for all
    i in [1, omega], D_alpha(M_i(J)||M_i(J')) <= alpha rho_i/(2 tau + 2)^2 by Lemma 3.""",
    every(ADDED, lambda x, y: squared_distance(x, y) <= 1),
    reading="of neighbours P and P', a person added or removed; is 1: at most, as a person may not be counted",
    grade=incomplete("that J and J' differ in one row, as Lemma 2, which comes after it, needs; T changes up to 2 tau"),
)

one_row = cases(
    "PH1_num, PH3, PH4 and PH7, every level of the nation, tau = 1, 2, 3, rho_i = 1; the joined rows of households of "
    "up to tau + 1 persons of five kinds, with and without one of them; the counts by cell, and sigma^2",
    "tau x y scale",
    lambda: (
        (tau, [counts[one] for one in counts], [less[one] for one in counts], scale)
        for joined in [[table for name, table in runs().items() if name in {"PH1_num", "PH3", "PH4", "PH7"}]]
        for tau, table, level in product((1, 2, 3), joined, ("usa_*", "usa_A-G", "usa_H,I"))
        for scale in [noise_scale(stability_factor(table, tau), Fraction(1))]
        for _, (persons, units) in households(tau).of_one_mafid()
        for rows in [counted_rows(table, persons, units, tau, ORDERS["hash"])]
        for places in [[(group_of(row, level, table, ("01",)), table.cell(row)) for row in rows]]
        for told in [[place for place in places if None not in place]]
        for counts in [Counter(told)]
        for left in sorted(set(told))
        for less in [counts - Counter([left])]
    ),
)

own("phsafe.privacy.join.one-row.repaired", "PHSafe, Theorem 1 (its proof)")(
    """For J and J' that differ in one row, the L2 distance in the query is at most 1, and D_alpha(M_i(J)||M_i(J')) <=
    alpha rho_i/(2 tau + 2)^2.""",
    every(one_row, lambda tau, x, y, scale: squared_distance(x, y) / (2 * scale) <= 1 / (2 * tau + 2) ** 2),
    mutant("half of it", lambda tau, x, y, scale: squared_distance(x, y) / (2 * scale) <= 1 / (2 * tau + 2) ** 2 / 2),
    mutant("of neighbours P and P'", every(ADDED, lambda x, y: squared_distance(x, y) <= 1)),
    repairs="phsafe.privacy.join.one-row",
    reading="for rho_i = 1, by sum (x - y)^2/(2 sigma^2), with the noise of the program",
)

state("phsafe.privacy.units.distance", "PHSafe, Theorem 2 (its proof)")(
    """Let J and J' be the result of transformations T on U and U', respectively. Since the mappings, f and g_i are
    1-stable transformations, the L2 distance in the query defined in Lines 6-11 is 1. It follows that for all i in [1,
    omega], D_alpha(M_i(J)||M_i(J')) <= alpha rho_i/2 by Lemma 3.""",
    every(UNITS_ADDED, lambda x, y: squared_distance(x, y) <= 1),
    reading="of neighbours P and P', a person added or removed, and their units U and U'; is 1: at most",
    grade=incomplete(
        "a unit that changes its group is two rows: the distance is sqrt(2), with which Lemma 3 gives rho_i/2"
    ),
)

own("phsafe.privacy.units.distance.repaired", "PHSafe, Theorem 2 (its proof)")(
    """Between the unit dataframes of neighbours the L2 distance is at most sqrt(2), so that by Lemma 3, with sigma^2 =
    2/rho_i, D_alpha(M_i(J)||M_i(J')) <= alpha rho_i/2.""",
    every(UNITS_ADDED, lambda x, y: squared_distance(x, y) <= 2 and squared_distance(x, y) / (2 * 2) <= 1 / 2),
    mutant("at most 1", lambda x, y: squared_distance(x, y) <= 1),
    repairs="phsafe.privacy.units.distance",
)

state("phsafe.privacy.units.half", "PHSafe, Theorem 2 (its proof)")(
    """Let U and U' denote the corresponding unit dataframes. We want to show that for all alpha in (1, infinity),
    D_alpha(M(U)||M(U')) <= alpha rho/2, where M is Algorithm 2.""",
    every(UNITS_ADDED, lambda x, y: squared_distance(x, y) / 4 <= 1 / 2),
    mutant("rho/4", lambda x, y: squared_distance(x, y) / 4 <= 1 / 4),
    reading="of neighbours P and P', for one level and rho_i = 1 (levels add up)",
)

state("phsafe.privacy.join.bounded.distance", "PHSafe, Theorem 3 (its proof)")(
    """Therefore, the maximum difference in the query defined in Lines 11-16 for a single cell due to adding a record is
    an increase by (2 tau + 2). Likewise, for removing a record, the maximum difference in the query defined in Lines
    11-16 is a decrease in a single cell by (2 tau + 2). This results in a maximum L2 distance of sqrt(2 (2 tau + 2)^2)
    = sqrt(2) (2 tau + 2).""",
    every(REPLACED, lambda tau, x, y: squared_distance(x, y) <= 2 * (2 * tau + 2) ** 2),
    mutant("2 tau - 1", lambda tau, x, y: squared_distance(x, y) <= 2 * (2 * tau - 1) ** 2),
    reading="""the maximum that stability leaves possible, with which the sentence begins ('the composition of all the
    transformations is (2 tau + 2)-stable. Therefore'): at most. That a record added can lower a cell too, by less
    (phsafe.privacy.join.lowers), is no larger difference, and the distance holds nevertheless""",
)

state("phsafe.privacy.units.bounded.distance", "PHSafe, Theorem 4 (its proof)")(
    """Therefore, the maximum difference in the query defined in Lines 6-11 for a single population group due to adding
    a record is an increase by 2. Likewise, for removing a record, the maximum difference in the query defined in Lines
    6-11 is a decrease in a single population group by 2. This results in a maximum L2 distance of sqrt(2 (2)^2) =
    sqrt(2) (2).""",
    every(UNITS_REPLACED, lambda x, y: squared_distance(x, y) <= 2 * 2**2),
    mutant("less than that", lambda x, y: squared_distance(x, y) < 2 * 2**2),
    reading="at most, as for Theorem 3; attained, by two households that both leave one group for another one",
)

# all counts of a household in the nation before and after a person is added
_lowering = lambda tau: cases(
    f"tau = {tau}: households of {tau} persons of five kinds, one more added; PH7",
    "tau x y",
    lambda: (
        (tau, list(before), list(after))
        for counts in [household_counts(households(tau), level_settings("PH7", tau, ("usa",)))["PH7", "usa_*"]]
        for before, after in one_more({name: n for name, n in counts.items() if len(name[1]) >= tau})
    ),
)
lowers_and_raises = lambda x, y, by: any(a - b == by for a, b in zip(x, y)) and any(b - a == by for a, b in zip(x, y))

own("phsafe.privacy.join.lowers", "PHSafe, Theorem 3 (its proof)")(
    "Adding one person can lower one cell by tau and raise another one by tau.",
    *[some(_lowering(tau), lambda tau, x, y: lowers_and_raises(x, y, tau)) for tau in (1, 2, 3)],
    mutant("by 2 tau + 2", some(_lowering(2), lambda tau, x, y: lowers_and_raises(x, y, 2 * tau + 2))),
)
