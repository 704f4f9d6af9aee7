"""What 2010-style swapping preserves: exactly the counts of key and content, and of key by block, and what else stays.

Every pair exchanges the blocks of two households of one key. One exchange leaves what each household holds, and, since
the two keys are equal, how many households of each key each block has; so does any number of exchanges, by induction,
whatever drew the pairs.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import combinations_with_replacement, product

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.pairwise.policy import STANDARD, AboveFeasible, BlockLocation, Excluded, SwapPolicy
from stirred.mechanisms.swapping.pairwise.program import exchange, swap_pairs
from stirred.mechanisms.swapping.permutation_swapping import saturated_table, table_records
from stirred.spec.blocks.tables import Table
from stirred.spec.laws.law import Law
from stirred.verify.engines.swapping.variant_loss import small_universes
from stirred.verify.ledger import argued, cases, every, mutant, own, query, some, state, theorem
from stirred.verify.ledger.engines.pairwise_ladder import HALF, REPAIRED, SmallState, swapped_laws

# a household is ((size, adults), (persons of one race, of another), block)
persons_in = lambda x, b: sum(r[0][0] for r in x if r[2] == b)
adults_in = lambda x, b: sum(r[0][1] for r in x if r[2] == b)
race_in = lambda x, k, b: sum(r[1][k] for r in x if r[2] == b)
race_of_state = lambda x, k: sum(r[1][k] for r in x)
in_columns = lambda x, places: sorted([r[i] for i in places] for r in x)

# which data sets lead to each other by steps in either direction
joined = lambda held, reach, n: (
    held
    if n == 0
    else joined(
        held | {z for x in held for z in reach[x]} | {x for x in reach for z in reach[x] if z in held}, reach, n - 1
    )
)

_KINDS = (((1, 1), (1, 0)), ((1, 1), (0, 1)), ((2, 1), (2, 0)), ((2, 1), (1, 1)))
"""One person or two, with the races of a household."""

GEOGRAPHY = {0: BlockLocation("tract 0", 0, 0), 1: BlockLocation("tract 0", 1, 0), 2: BlockLocation("tract 1", 5, 0)}
"""Three blocks in two tracts."""

POLICIES = (
    (replace(STANDARD, above_feasible=AboveFeasible.SHORTEN), Fraction(1)),
    (replace(REPAIRED, excluded=Excluded.SAME_BLOCK), Fraction(1)),
    (replace(STANDARD, closest=1), Fraction(1, 10)),
)
"""The standard preset, one with fair coins and partners in the same tract, and one with k = 1."""

_SCOPE = (
    "up to two homes of one or two persons and two races, and three of two persons, in three blocks of two tracts; the "
    "standard preset, fair coins, k = 1; every outcome"
)

_placed = lambda kinds: [(*kind, block) for kind in kinds for block in GEOGRAPHY]
# all data sets of up to so many homes
states_of = lambda homes: (x for n in range(1, homes + 1) for x in combinations_with_replacement(_placed(_KINDS), n))
pairs_drawn = lambda x, policy, rate: exact_law(swap_pairs, x, geography=GEOGRAPHY, swap_rate=rate, policy=policy)
_swapped = lambda x: [
    (x, z) for policy, rate in POLICIES for z in sorted({exchange(x, pairs) for pairs in pairs_drawn(x, policy, rate)})
]
_states = lambda: (*states_of(2), *combinations_with_replacement(_placed(_KINDS[2:]), 3))

outcomes = cases(_SCOPE, "x z")(cache(lambda: tuple(pair for x in _states() for pair in _swapped(x))))

persons_of_race = lambda homes, block: sum(races[0] for _, races, at in homes if at == block)


def laws_of_states() -> Iterator[tuple[Law[int], int]]:
    """The law of the count of one race in each block, and the count itself, for each state of up to two homes."""
    for records, (policy, rate) in product(states_of(2), POLICIES):
        swapped = pairs_drawn(records, policy, rate).push(partial(exchange, records))
        for block in GEOGRAPHY:
            yield swapped.push(partial(persons_of_race, block=block)), persons_of_race(records, block)


_one_pair = lambda *changes: query(
    "pairwise.invariants",
    "any sets of keys, contents and blocks, any matching that respects the key; one pair after any others",
    claimed="row_change**2 + column_change**2 == 0",
    note="the changes of n_mh. and n_m.s over this pair and those before it",
    changes=changes,
)
margins_kept = lambda x, z, margins: all(in_columns(x, places) == in_columns(z, places) for places in margins)

own("pairwise.invariants", "swapping study, section 3", "article, Appendix C (Step 3)")(
    """2010-style swapping, under every policy, leaves n_mh. (how many households of each key hold what) and n_m.s (how
    many of each key are in each block) as they are.""",
    every(outcomes, margins_kept, margins=((0, 1), (0, 2))),
    mutant("n_.hs too", {"margins": ((0, 1), (0, 2), (1, 2))}),
    _one_pair(),
    theorem("exchange_pairs.exchange_pairs_invariants", within="any number of households and any list of pairs"),
    mutant("a pair of two keys", _one_pair(("(define-fun guard () Bool (= m m2))", "(define-fun guard () Bool true)"))),
    mutant(
        "one of the pair keeps its block", _one_pair(("(define-fun moves () Int 1)", "(define-fun moves () Int 0)"))
    ),
)


def _reach(small: SmallState, policy: SwapPolicy, rate: Fraction) -> Mapping[Table, frozenset[Table]]:
    """The tables that each table can become."""
    laws = swapped_laws(small, policy, rate)
    of_output = {saturated_table(table_records(table)): table for table in laws}
    return {table: frozenset(of_output[z] for z in law) for table, law in laws.items()}


_OPEN_COINS = (
    (replace(REPAIRED, excluded=Excluded.SAME_TRACT), Fraction(1)),
    (replace(REPAIRED, excluded=Excluded.SAME_TRACT), HALF),
    (
        replace(
            STANDARD,
            closest=None,
            swap_probabilities=(Fraction(1, 10), Fraction(3, 10), Fraction(6, 10), Fraction(9, 10)),
            above_feasible=AboveFeasible.SHORTEN,
        ),
        Fraction(3, 4),
    ),
)

reaches = cases(
    "one key, n <= 3 households, at most 3 kinds and 3 blocks, every division of the blocks into tracts; fair coins, "
    "r = 1 and 1/2, and coins 1/10, 3/10, 6/10, 9/10, r = 3/4; k = n",
    "reach tracts",
)(
    lambda: (
        (_reach(SmallState("", margins, geography), policy, rate), len(set(tracts)))
        for margins in small_universes(3)
        for tracts in product(range(len(margins[1])), repeat=len(margins[1]))
        for geography in [{block: BlockLocation(tract, block, 0) for block, tract in enumerate(tracts)}]
        for policy, rate in _OPEN_COINS
    )
)
joined_exactly = lambda reach, component: all(joined({x}, reach, len(reach)) == component for x in reach)

own("pairwise.invariants.exact", "swapping study, section 3", "swapping study, Appendix A")(
    """If all coins are strictly between 0 and 1, k is no limit, r > 0 and partners are those of the key in any other
    tract, these are all invariants for a key whose households are in two tracts or more: any two data sets that agree
    in n_mh. and n_m.s are joined by data sets each of which can become the next, or the next it. For a key whose
    households are all in one tract the whole table n_mhs is invariant.""",
    every(
        reaches,
        lambda reach, tracts: all(joined({x}, reach, len(reach)) == (set(reach) if tracts > 1 else {x}) for x in reach),
    ),
    mutant("n_mh. and n_m.s only, in one tract too", lambda reach: joined_exactly(reach, set(reach))),
    argued(
        "every number of households and tracts",
        proof="A household of a key in one tract has no partner and stays. Otherwise let i and j be households of "
        "the key in two tracts. With positive probability every coin before i fails, i is swapped with j, and "
        "every coin after that fails: exactly this exchange is possible from every data set. The pairs of places "
        "in different tracts form a connected graph on the places of the key, and the transpositions along the "
        "edges of a connected graph generate all permutations; two data sets that agree in n_mh. and n_m.s differ "
        "by a permutation of the places within each key.",
    ),
)

_LINE = {block: BlockLocation(block, x, 0) for block, x in enumerate((0, 1, 10, 11))}
_PAIRS_APART = SmallState("", ((2, 2), (1, 1, 1, 1)), _LINE)

_clusters = lambda k: cases(
    f"two pairs of households alike, in four tracts at 0, 1, 10 and 11 of a line; fair coins, k = {k}", "reach"
)(lambda: [_reach(_PAIRS_APART, replace(REPAIRED, closest=k), Fraction(1))])
clusters = lambda reach: all(
    joined({x}, reach, len(reach)) == {y for y in reach if x[0][0] + x[0][1] == y[0][0] + y[0][1]} for x in reach
)

own("pairwise.invariants.truncation", "swapping study, Appendix A")(
    """Choosing among the k closest adds invariants: with k = 1 and two pairs of households far from each other, how
    many households of a kind each pair of tracts has is invariant too.""",
    every(_clusters(1), clusters),
    mutant("k = 2", _clusters(2)),
)

records = lambda x, z, kept: all(r[i] == t[i] for r, t in zip(x, z) for i in kept)
totals = lambda x, z: all(persons_in(x, b) == persons_in(z, b) and adults_in(x, b) == adults_in(z, b) for b in range(3))
block_races_kept = lambda x, z: all(race_in(x, k, b) == race_in(z, k, b) for k in range(2) for b in range(3))

state("pairwise.invariants.locations", "article, Appendix C")(
    """At the end of step 3, the DAS swapping procedure outputs a data set—called the post-swapped data set—which
    differs from its input (the Census Edited File [CEF]) only on the locations of the selected households and their
    pairs.""",
    every(outcomes, records, kept=(0, 1)),
    mutant("the locations as well", {"kept": (0, 1, 2)}),
    reading="the study's reconstruction for the procedure; record by record, all but the block is as it was",
)

state("pairwise.invariants.statewide-races", "swapping study, section 4.2")(
    """It is important to remember that the state-wide average bias of the count of any race is zero, since swapping
    (unlike TopDown) does not change the statewide counts of each race. … These errors will average to zero across the
    entire state, but we are interested in their magnitudes.""",
    every(outcomes, lambda x, z: all(race_of_state(x, k) == race_of_state(z, k) for k in range(2))),
    mutant(
        "each error is zero", lambda x, z: all(race_in(x, k, b) == race_in(z, k, b) for k in (0, 1) for b in (0, 2))
    ),
    every(
        outcomes, lambda x, z: all(sum(race_in(x, k, b) - race_in(z, k, b) for b in range(3)) == 0 for k in range(2))
    ),
    reading="the statewide counts are the same in every outcome, and the errors of the blocks add up to zero",
)

state("pairwise.invariants.total-population", "swapping study, section 5.2")(
    """Note that total population counts are not affected by swapping, so the errors introduced by swapping are always
    zero (compared to small, but nonzero, errors introduced by TopDown).""",
    every(outcomes, lambda x, z: all(persons_in(x, b) == persons_in(z, b) for b in range(3))),
    mutant("the count of each race too", block_races_kept),
    reading="the total population of every block, and so of every larger area; what is said of TopDown is not encoded",
)

state("pairwise.invariants.block-totals", "swapping study, section 3")(
    """Wright and Irimata (2021) corroborate this, writing, “the SWA [swapped] TOTAL counts and the corresponding CEF
    [unswapped] TOTAL counts at the block level were the same in 2010. The same is true for TOTAL18 counts for the 18
    years and over population at the block level.”""",
    every(outcomes, totals),
    mutant("race counts as well", lambda x, z: totals(x, z) and block_races_kept(x, z)),
    reading="""the study's reconstruction for the procedure of 2010: with the key of persons and adults, the persons and
    the adults of every block are the same in every outcome""",
)

state("pairwise.invariants.race-changes", "swapping study, Appendix B")(
    """Although swapping preserves household sizes and voting age counts, it often changes race and ethnicity
    counts.""",
    every(outcomes, totals),
    mutant("race counts are preserved too", lambda x, z: totals(x, z) and block_races_kept(x, z)),
    some(outcomes, lambda x, z: not block_races_kept(x, z)),
    reading="""persons and adults of every block are kept in every outcome; often: some outcome changes a count of race
    by block, how often is not a matter of the algorithm alone""",
)

# homes with some other content
_keyed = lambda key, key_of: cases(
    f"up to two homes in three blocks of two tracts, the key is {key}; three policies", "x z"
)(
    lambda: (
        pair
        for chosen in states_of(2)
        for pair in _swapped(tuple((key_of(s, races), (*races, i), b) for i, (s, races, b) in enumerate(chosen)))
    )
)

state("pairwise.invariants.key-1990", "swapping study, section 3")(
    """If true, however, this would guarantee that block-level counts by race and ethnicity are invariant to swapping,
    which goes against assumptions commonly held in the literature ….""",
    every(_keyed("size, adults and races", lambda size, races: (*size, *races)), block_races_kept),
    mutant("the key of 2010, size and adults", _keyed("size and adults", lambda size, _: size)),
    reading="""this: the key has the number of people in the household of each race by Hispanic/Non-Hispanic by age
    group; ethnicity is as race""",
)

state("pairwise.invariants.flagged-size", "swapping study, Appendix B")(
    """This is because the inclusion of race counts as flagging variables for determining reidentification risk implies
    that total household size is also a flagging variable (because total household size is the sum of race counts).""",
    every(outcomes, lambda x, races: all(r[0][0] == sum(r[1][k] for k in range(races)) for r in x), races=2),
    mutant("the count of one race", {"races": 1}),
    reading="households whose race counts are the same have the same size",
)
