"""What neighbours change in PHSafe's program: the declared relation, households, variances, a single run."""

from fractions import Fraction
from itertools import product

from stirred.mechanisms.das.phsafe import BasePerson, derived_tables, measurements
from stirred.mechanisms.das.phsafe.records import Relationship
from stirred.mechanisms.das.phsafe.release import Settings
from stirred.verify.laws.claim.claim_numbers import parts
from stirred.verify.ledger import cases, every, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.phsafe.proof_steps import squared_distance
from stirred.verify.ledger.claims.phsafe.sensitivity import (
    ALL_RUNS,
    enumerated,
    free_domain,
    largest_square,
    level_settings,
)
from stirred.verify.ledger.claims.phsafe.stability import KINDS
from stirred.verify.ledger.claims.phsafe.table_10 import RELEASE, TABLE_10, THRESHOLDS
from stirred.verify.ledger.engines.phsafe.privacy_check import squared_loss
from stirred.verify.ledger.engines.phsafe.sensitivity import NeighborRelation
from stirred.verify.ledger.engines.phsafe.stability import extreme_changes, household_counts

declared = cases(
    "the nine runs in every level of the nation; tau = 1, 2, 3; up to tau + 1 persons of three kinds and three units",
    "table delta changes",
    lambda: (
        (table, 2 * tau + 2 if table in THRESHOLDS else 2, [change for level in found.values() for change in level])
        for table in ALL_RUNS
        for tau in ((1, 2, 3) if table in THRESHOLDS else (1,))
        for found in [enumerated(NeighborRelation.TABLES_ADDED, table, tau)]
    ),
)

state("phsafe.neighbors.declared", "PHSafe, section 6.2")(
    """The person dataset defines neighbors with respect to the addition/removal of any single record from the dataset.
    The household dataset defines neighbors with respect to the addition/removal of two records from the dataset. These
    setting reflect the use of unbounded neighbors within the PHSafe code implementation.""",
    every(declared, lambda delta, changes: largest_square(changes) <= delta**2),
    mutant("half of Delta^2", lambda delta, changes: largest_square(changes) <= delta**2 / 2),
    reading="""Theorems 1 and 2 hold where both change at once, MAFIDs of units being unique: no squared change is above
    Delta^2. Of Theorems 3 and 4, whose neighbours 'differ in an arbitrary change in one person's record', it says
    nothing: see phsafe.neighbors.declared.twice""",
)

# any two steps of the declared relation, in MAFIDs of their own, by run, level and tau
_twice = lambda *tables: (
    (tau, [tuple(a + b for a, b in zip(c, d, strict=True)) for c, d in product(changes, repeat=2)])
    for table in tables
    for tau in ((1, 2) if table in THRESHOLDS else (1,))
    for settings in [level_settings(table, tau, ("usa",))]
    for steps in [extreme_changes(free_domain(table, tau, ("01",)), settings, NeighborRelation.TABLES_ADDED)]
    for changes in steps.values()
)

_STEPS = "two steps of one row of persons and up to two rows of units, each added or removed, in the nation"
twice_joined = cases(f"{_STEPS}; PH4 and PH7, tau = 1, 2", "tau changes", lambda: _twice("PH4", "PH7"))
twice_units = cases(
    f"{_STEPS}; PH1_denom, PH5_denom and PH8_denom",
    "tau changes",
    lambda: _twice("PH1_denom", "PH5_denom", "PH8_denom"),
)

own("phsafe.neighbors.declared.twice", "PHSafe, section 6.2", "PHSafe, Theorem 3", "PHSafe, Theorem 4")(
    """Table 10's bounded column is not what two steps of the relation that section 6.2 declares may lose: for one row
    of persons removed and another added, with two rows of units added each time, the squared L2 change of Algorithm 1
    is up to (4 tau + 2)^2 + 4, above the 2 (2 tau + 2)^2 of Theorem 3, and that of Algorithm 2 up to 16, above the 2 *
    2^2 of Theorem 4. The bounded column is of one person's record changed, with its units.""",
    some(twice_joined, lambda tau, changes: largest_square(changes) == (4 * tau + 2) ** 2 + 4 > 2 * (2 * tau + 2) ** 2),
    every(twice_joined, lambda tau, changes: largest_square(changes) <= (4 * tau + 2) ** 2 + 4),
    mutant("within Theorem 3", lambda tau, changes: largest_square(changes) <= 2 * (2 * tau + 2) ** 2),
    some(twice_units, lambda changes: largest_square(changes) == 16),
    every(twice_units, lambda changes: largest_square(changes) <= 16),
    mutant("within Theorem 4", lambda changes: largest_square(changes) <= 2 * 2**2),
)

replaced_households = cases(
    "the nine runs in every level of the nation; tau = 1, 2; a household of up to tau + 1 persons of three kinds and "
    "of three units replaced by any other one",
    "level delta tau x y",
    lambda: (
        (f"{table} {level}", 2 * tau + 2 if table in THRESHOLDS else 2, tau, list(x), list(y))
        for table in ALL_RUNS
        for tau in ((1, 2) if table in THRESHOLDS else (1,))
        for domain in [free_domain(table, tau, ("01",))]
        for (_, level), by_name in household_counts(domain, level_settings(table, tau, ("usa",))).items()
        for x, y in product(sorted(set(by_name.values())), repeat=2)
    ),
)

household_loss = lambda x, y, delta, unbounded: squared_distance(x, y) / delta**2 * unbounded

_UNBOUNDED = sum((row.unbounded.value for row in TABLE_10), Fraction(0))

state("phsafe.households.table-4", "article, Table 4", "dissertation, Table 3.4")(
    "PHSafe >= 1 housing unit (block) S-DHC: rho^2 = 2.515",
    every(
        replaced_households,
        lambda delta, x, y, unbounded, stated: household_loss(x, y, delta, unbounded) <= stated,
        unbounded=_UNBOUNDED,
        stated=Fraction(parts("das-2020.total")["PHSafe"]),
    ),
    every(
        replaced_households,
        lambda delta, x, y, unbounded: household_loss(x, y, delta, unbounded) <= unbounded / 2,
        unbounded=_UNBOUNDED,
    ),
    mutant("a quarter", lambda delta, x, y, unbounded: household_loss(x, y, delta, unbounded) <= unbounded / 4),
    reading="""under the row above, SafeTab-H's d_HamS^hh (household): one household-record, its unit and its persons,
    is replaced; each level gives at most its share of the 2.515, and in fact of half the unbounded total 1.257281""",
)

_CHILDREN = [
    BasePerson("01", 1, age, KINDS[0].race_eth, Relationship.OWN_CHILD, "male", KINDS[0].tenure) for age in (3, 13)
]

_told = lambda one, times: (f"{one.table} {one.level} {one.group} {one.cell}", one.sigma_squared * times)

_SMALL = Settings({"PH7": {"usa_*": 1}, "PH8_denom": {"usa_*": 1}}, {"PH7": 1}, ("01",))
_variances = lambda more=0: cases(
    "two runs on no, one and two persons: every count's name and sigma^2",
    "x y",
    lambda: (
        (
            [_told(one, 1) for one in measurements(derived_tables(()), _SMALL)],
            [_told(one, 1 + more * len(persons)) for one in measurements(derived_tables(persons), _SMALL)],
        )
        for persons in ((), _CHILDREN[:1], _CHILDREN)
    ),
)

state("phsafe.variance", "PHSafe, section 6.5")(
    """In addition to noisy count estimates for population groups, the PHSafe implementation also outputs the variance
    of the noise distributions used to generate each estimate. One benefit of differential privacy as a disclosure
    avoidance technique is the ability to release properties such as variance without compromising the privacy
    guarantees.""",
    every(_variances(), lambda x, y: x == y),
    mutant("noise by the number of records", _variances(more=1)),
    reading="sigma^2 of every count is the same whatever the data",
)

# the loss of a pair in each of the nine runs alone, and in all of them as one release
_losses = lambda: (
    (by_run, squared_loss(*both) or Fraction(0))
    for releases in [[measurements(derived_tables(persons), RELEASE) for persons in ((), _CHILDREN[:1], _CHILDREN)]]
    for tables in [list(dict.fromkeys(one.table for one in releases[0]))]
    for both in product(releases, repeat=2)
    for runs in [{table: [tuple(m for m in some if m.table == table) for some in both] for table in tables}]
    for by_run in [[squared_loss(*some) or Fraction(0) for some in runs.values()]]
)

single_run = cases("the published release on no, one and two children, two data sets at a time", "runs whole", _losses)

state("phsafe.single-run", "PHSafe, section 6.2")(
    """The PHSafe program encodes the processing of all tables into a single run so that all processes can be contained
    within a single Session. This distinction does not change the privacy analysis of PHSafe.""",
    every(single_run, lambda runs, whole: sum(runs) == whole),
    mutant("the largest run", lambda runs, whole: max(runs) == whole),
    theorem("release.release_zcdp", within="discrete laws; all runs need the sum over their levels"),
    reading="the loss of any two data sets in one release of all tables is the sum of their losses in the nine runs",
)
