"""Swaps of two records: what one changes, when it is vacuous, and the permutations that are made of them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any

from mechanisms.permutation_counts import move_weights
from verify.claims.swapping.data_sets import (
    DataSet,
    Permutation,
    across,
    are_reordered,
    data_sets,
    exchanges,
    inside,
    swapped_records,
)
from verify.evidence import Witness
from verify.ledger.answers import query
from verify.ledger.claim import Check
from verify.ledger.failures import failure
from verify.ledger.quantifiers import cases, every
from verify.ledger.statement import misprint, state
from verify.ledger.words import define

_ONE_SWAP = (1, 0)

define({"with_pair_swapped(x)": "[(x[0][0], x[0][1], x[1][2]), (x[1][0], x[1][1], x[0][2])] + x[2:]"})


@cases("two values of h and s, any two records of one stratum beside up to 2 others, their swap", "x")
def two_records() -> Iterator[DataSet]:
    values = tuple((0, h, s) for h, s in product((0, 1), repeat=2))
    others = [(), *data_sets(2, values)]
    return ((*pair, *rest) for pair in product(values, repeat=2) for rest in others)


def swap_of_two(x: DataSet, *, excepted: tuple[int, ...]) -> Witness | None:
    """The swap of the first two records changes four counts by one, or none where they share an excepted value."""
    a, b = x[:2]
    after = (*swapped_records((a, b), _ONE_SWAP), *x[2:])
    unchanged = any(a[i] == b[i] for i in excepted)
    for cell in {*x, *after}:
        said = 0 if unchanged else -1 if cell in x[:2] else 1 if cell in after[:2] else 0
        if after.count(cell) - x.count(cell) != said:
            claimed = (
                "all(count(z, a) - count(x, a) == (0 if any(x[0][i] == x[1][i] for i in excepted) "
                "else -1 if a in x[:2] else 1 if a in z[:2] else 0) "
                "for z in [with_pair_swapped(x)] for a in set(x) | set(z))"
            )
            return failure(claimed, x=x, excepted=excepted)
    return None


state(
    "swapping.swap-of-two.printed",
    "article, Proposition 4 (proof)",
    "dissertation, section 3.2.2 (proof of Proposition 1)",
    printed="Unless m = m' or s = s', after the swap n_mhs and n_mh's' decrease by one, and n_mh's and n_mhs' "
    "increase by one.",
    reading="the swap pairs a record mhs with a record mh's', so m' = m; where the exception holds the counts stay",
    grade=misprint("m = m' stands for h = h', as the next sentence has it: whenever h != h' and s != s'"),
    checks=[every(two_records, swap_of_two, excepted=(0, 2))],
)

state(
    "swapping.swap-of-two",
    "article, Proposition 4 (proof)",
    claim="After the swap of a record mhs with a record mh's', n_mhs and n_mh's' decrease by one, and n_mh's and "
    "n_mhs' increase by one, unless h = h' or s = s', where the counts do not change.",
    repairs="swapping.swap-of-two.printed",
    checks=[every(two_records, swap_of_two, excepted=(1, 2))],
    mutants={
        "m = m' for h = h', as printed": every(two_records, swap_of_two, excepted=(0, 2)),
        "without the exception h = h'": every(two_records, swap_of_two, excepted=(2,)),
    },
)


def cells_change(*changes: tuple[str, str]) -> Check:
    """Whether n_mhs and n_.hs change under every swap of a record mhs with a record mh's', h != h' and s != s'."""
    return query(
        "swapping.invariants.not-preserved",
        "any sets of categories, any counts, a swap inside a stratum with h != h' and s != s'",
        claimed="margin_change**2 > 0",
        note="the changes of n_mhs and of n_.hs",
        changes=changes,
    )


state(
    "swapping.swap-of-two.third-margin",
    "article, Proposition 4 (proof)",
    "dissertation, section 3.2.2 (proof of Proposition 1)",
    printed="… but n_.hs changes whenever h != h' and s != s'.",
    checks=[cells_change()],
    mutants={"s = s' allowed": cells_change(("(assert (not (= s s2)))", "(assert true)"))},
)


@cases("permutations of up to 5 things", "g")
def small_permutations() -> Iterator[Permutation]:
    return (g for n in range(1, 6) for g in permutations(range(n)))


def composed(g: Permutation, *, most: int) -> Witness | None:
    """G is a composition of at most n - most swaps of two of the n things."""
    if any(g in exchanges(tuple(range(len(g))), m) for m in range(len(g) - most + 1)):
        return None
    return failure("any(g in after_swaps(range(len(g)), m) for m in range(len(g) - most + 1))", g=g, most=most)


state(
    "swapping.compositions-of-swaps",
    "article, Proposition 4 (proof)",
    "dissertation, section 3.2.2 (proof of Proposition 1)",
    printed="… every permutation sigma can be written as the composition of swaps (i.e., two-cycles) …",
    checks=[every(small_permutations, composed, most=1)],
    mutants={"of at most n - 2 swaps": every(small_permutations, composed, most=2)},
)


def matching_swapped(x: DataSet, g: Permutation) -> Witness | None:
    """Swapping the matching variable along changes nothing."""
    both = tuple((x[j][0], record[1], x[j][2]) for record, j in zip(x, g, strict=True))
    if are_reordered(both, swapped_records(x, g)):
        return None
    return failure(
        "same_records([(x[j][0], x[i][1], x[j][2]) for i, j in enumerate(g)], swapped_records(x, g))", x=x, g=g
    )


state(
    "swapping.matching-variables-swapped",
    "article, Appendix C.1, similarity (4)",
    printed="… matching variables can always be swapped since swapping them does not change the data.",
    checks=[every(inside, matching_swapped)],
    mutants={"records that do not match": every(across, matching_swapped)},
)


@cases(
    "all data sets of 2 to 4 records of one stratum, three holding and three swapping categories, all pairs", "x i j"
)
def pairs_of_records() -> Iterator[tuple[Any, ...]]:
    kinds = tuple((0, h, s) for h, s in product(range(3), repeat=2))
    for x in (x for n in range(2, 5) for x in combinations_with_replacement(kinds, n)):
        yield from ((x, i, j) for i, j in combinations(range(len(x)), 2))


def not_vacuous(x: DataSet, i: int, j: int, *, differing: int) -> Witness | None:
    """The swap of two records changes their multiset iff they differ on so many of h and s."""
    order = list(range(len(x)))
    order[i], order[j] = j, i
    if are_reordered(x, swapped_records(x, order)) != (
        sum(a != b for a, b in zip(x[i], x[j], strict=True)) >= differing
    ):
        return None
    claimed = (
        "same_records(swapped_records(x, with_exchanged(range(len(x)), i, j)), x) "
        "== (sum(1 for a, b in zip(x[i], x[j]) if a != b) < differing)"
    )
    return failure(claimed, x=x, i=i, j=j, differing=differing)


state(
    "swapping.vacuous-pairs",
    "article, Appendix C.1, difference (4)",
    "dissertation, section B.6.1, difference 4",
    printed="A swap is vacuous if it does not change the data set, except (possibly) by reordering the records. A "
    "pairwise swap is not vacuous if and only if the paired records have different values for both their swapping "
    "variables V_Swap and their holding variables V_Hold.",
    reading="a pair has the same matching values, as Step 2 of the 2010 procedure asks",
    checks=[every(pairs_of_records, not_vacuous, differing=2)],
    mutants={"either for both": every(pairs_of_records, not_vacuous, differing=1)},
)


def _sharing(*, alike: bool) -> Iterator[DataSet]:
    kinds = tuple((0, h, s) for h, s in product(range(3), repeat=2))
    for x in (x for n in (2, 3) for x in combinations_with_replacement(kinds, n)):
        if alike == any(a[1] == b[1] or a[2] == b[2] for a, b in combinations(x, 2)):
            yield x


@cases("one stratum of 2 or 3 records, two of which share a holding or a swapping value; p = 1/3", "x")
def sharing() -> Iterator[DataSet]:
    return _sharing(alike=True)


@cases("one stratum of 2 or 3 records, no two of which share a holding or a swapping value; p = 1/3", "x")
def unit_margins() -> Iterator[DataSet]:
    return _sharing(alike=False)


def allows_vacuous(x: DataSet) -> Witness | None:
    """The PSA draws some permutation, not the identity, that only reorders the records."""
    weights = move_weights(len(x), Fraction(1, 3))
    law = {g: weights[sum(i != j for i, j in enumerate(g))] for g in permutations(range(len(x)))}
    if any(p > 0 and g != tuple(range(len(x))) and are_reordered(x, swapped_records(x, g)) for g, p in law.items()):
        return None
    claimed = "any(law[g] > 0 and moved(g) > 0 and same_records(swapped_records(x, g), x) for g in law)"
    return failure(claimed, x=x, law=law, note="the law of the permutation that the PSA draws")


state(
    "swapping.vacuous-pairs.allowed",
    "article, Appendix C.1, difference (4)",
    "dissertation, section B.6.1, difference 4",
    printed="On the other hand, vacuous swaps are allowed by the PSA.",
    reading="some permutation with nonzero probability is vacuous, wherever two records of a stratum share a value",
    checks=[every(sharing, allows_vacuous)],
    mutants={"no two records share a value": every(unit_margins, allows_vacuous)},
)
