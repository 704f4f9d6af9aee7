"""Units after imputation: how many records change with one contributor's answers."""

from itertools import combinations_with_replacement, product

from stirred.verify.ledger import cases, every, misprint, mutant, own, state, theorem
from stirred.verify.ledger.words import count, hamming

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
_SCOPE = (
    "places 0, 1, 2 and answers a, b, c; a contributor and 1 other respondent with up to 4 missing records, or 2 "
    "others with up to 2: all changes of the contributor, but for the names of the answers and the direction"
)

_changes = cases(_SCOPE, "respondents other missing")(
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
