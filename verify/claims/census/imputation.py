"""Units after imputation: how many records change with one contributor's answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from verify.evidence.witness import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import cases, every
from verify.ledger.statement import misprint, state
from verify.ledger.words import define

Record = tuple[int, str]
"""Where a person is, and what they answer."""

define(
    {
        # a missing answer is taken from the nearest respondent, of those at the same distance from the first
        "nearest(respondents, place)": "min([abs(one[0] - place) for one in respondents])",
        "donor(respondents, place)": "min([i for i, one in enumerate(respondents) "
        "if abs(one[0] - place) == nearest(respondents, place)])",
        "imputed(respondents, missing)": "tuple(respondents) + "
        "tuple([(place, respondents[donor(respondents, place)][1]) for place in missing])",
        "duplicates(respondents, missing)": "max([sum(1 for place in missing if donor(respondents, place) == i) "
        "for i in range(len(respondents))])",
    }
)

_REPLACED = cases(
    "one contributor with 1 to 4 duplicates of one record among 2 other records, all of which stay, the contributor's "
    "and its duplicates being replaced",
    "x y m",
)(lambda: (((*("old",) * (1 + m), "other", "other"), (*("new",) * (1 + m), "other", "other"), m) for m in range(1, 5)))

_SCOPE = (
    "places 0, 1, 2 and answers a, b, c; a contributor and 1 other respondent with up to 4 missing records, or 2 "
    "others with up to 2: all changes of the contributor"
)


@cases(_SCOPE, "respondents respondents_prime missing")
def _changes() -> Iterator[Any]:
    kinds = tuple(product(range(3), "abc"))
    for others, slots in ((1, 4), (2, 2)):
        places = [m for n in range(slots + 1) for m in combinations_with_replacement(range(3), n)]
        for other, missing in product(combinations_with_replacement(kinds, others), places):
            for contributor, changed in combinations(kinds, 2):
                yield (contributor, *other), (changed, *other), missing


@cache
def _imputed(respondents: Sequence[Record], missing: Sequence[int]) -> tuple[Counter[Record], int]:
    """The records after imputation, and the most duplicates of one of them."""
    donors = [min(range(len(respondents)), key=lambda i: (abs(respondents[i][0] - place), i)) for place in missing]
    copies = [(place, respondents[i][1]) for place, i in zip(missing, donors, strict=True)]
    return Counter((*respondents, *copies)), max(map(donors.count, donors), default=0)


def few_changed(
    respondents: Sequence[Record], respondents_prime: Sequence[Record], missing: Sequence[int], *, factor: int = 2
) -> Witness | None:
    """At most 1 + factor * m records change, m the duplicates of the record with most of them before or after."""
    (x, m), (y, n) = (_imputed(one, missing) for one in (respondents, respondents_prime))
    if (x - y).total() <= 1 + factor * max(m, n):
        return None
    changed = "hamming(imputed(respondents, missing), imputed(respondents_prime, missing))"
    most = "max(duplicates(respondents, missing), duplicates(respondents_prime, missing))"
    claimed = f"{changed} <= 1 + factor*{most}"
    case: dict[str, Any] = {"respondents": respondents, "respondents_prime": respondents_prime, "missing": missing}
    return failure(claimed, **case, factor=factor)


_FACTOR = "hamming(x, y) == own + m"

state(
    "post-imputation.factor.printed",
    "article, section 5.2",
    "dissertation, section 3.4.4",
    printed="In general, the conversion from a DP flavor with post-imputation persons as units to a DP flavor with "
    "persons as units requires an inflation of the PLB by a factor equal to the maximum number of times a record can "
    "be duplicated …",
    reading="a record that is duplicated once has one duplicate, as in the example before",
    grade=misprint("the sentences before count the person-records contributed to: one duplicate doubles rho"),
    checks=[every(_REPLACED, _FACTOR, own=0)],
)

state(
    "post-imputation.factor",
    "article, section 5.2",
    claim="From post-imputation persons to persons with one record each, which imputation duplicates at most m times, "
    "the PLB (eps or rho) is inflated by 1 + m, where a change of a person's answers changes their record and its "
    "duplicates only: the record itself counts too (one duplicate doubles rho).",
    repairs="post-imputation.factor.printed",
    checks=[every(_REPLACED, _FACTOR, own=1)],
    mutants={
        "m for 1 + m": every(_REPLACED, _FACTOR, own=0),
        "other duplicates may change too: the nearest respondent gives the answer": every(
            _changes, few_changed, factor=1
        ),
    },
)

_ATTAINING = cases("changes of a contributor by which duplicates are lost and gained", "respondents other missing")(
    lambda: ((((0, "a"), (1, "b")), ((2, "c"), (1, "b")), missing) for missing in ((0, 2), (0, 0, 2, 2)))
)

_ATTAINED = (
    "hamming(imputed(respondents, missing), imputed(other, missing)) == 1 + 2*duplicates(respondents, missing) == "
    "1 + 2*duplicates(other, missing)"
)

state(
    "post-imputation.factor.nearest-donor",
    "article, section 5.2",
    claim="Where a missing answer is taken from the nearest respondent, so that a change of a person's answers gives "
    "some records another donor, and each record is duplicated at most m times before and after the change, the "
    "factor is 1 + 2m, and is attained: up to m duplicates are lost and up to m others gained.",
    checks=[every(_changes, few_changed), every(_ATTAINING, _ATTAINED)],
    mutants={"1 + m for 1 + 2m": every(_changes, few_changed, factor=1)},
)
