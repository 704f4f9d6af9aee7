"""The loss of 2010-style swapping, infinite, by cause; and its tiers, what they presuppose about what counts."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import chain, product
from math import comb

from stirred.mechanisms.swapping.pairwise.policy import (
    HIGH_VARIANCE,
    STANDARD,
    UNIQUE_BY_TRACT,
    AboveFeasible,
    BlockLocation,
    Counted,
    Excluded,
    Participation,
)
from stirred.mechanisms.swapping.pairwise.risk import tier_sizes
from stirred.verify.engines.swapping.variant_loss import small_universes
from stirred.verify.ledger import cases, every, false, mutant, own, query, state, theorem
from stirred.verify.ledger.claims.pairwise_swapping.invariants import POLICIES, pairs_drawn, states_of
from stirred.verify.ledger.claims.psa.cases import CATEGORIES, needs, unbounded
from stirred.verify.ledger.engines.pairwise_ladder import (
    FAR,
    FOUR,
    FREE,
    HALF,
    NEIGHBORS,
    ONE_TRACT,
    REPAIRED,
    RUNGS,
    STATES,
    THREE,
    SmallState,
    rung_laws,
    swapped_laws,
)
from stirred.verify.ledger.language_names import oo

# the loss of 2010-style swapping: infinite, by cause, and what every rule of it costs on the way to the PSA

is_loss = lambda laws, gamma, root: (
    all(ratio**root <= gamma**d for ratio, d in needs(laws))
    and any(ratio**root == gamma**d for ratio, d in needs(laws))
)

_ONE = Fraction(1)
_FAIR = replace(REPAIRED, excluded=Excluded.SAME_TRACT)

_SECTION_3 = "swapping study, section 3"
_APPENDIX_A = "swapping study, Appendix A"

# the study's presets on a key all of whose households are in one tract
_of_presets = lambda **changed: cases(
    "the standard, the high-variance and the by-tract preset, r = 1/50, 1/10, 1/4, 1; two or three households of one "
    f"key in the blocks of one tract{''.join(f'; {name} = {value}' for name, value in changed.items())}",
    "laws",
)(
    lambda: (
        swapped_laws(SmallState("", (sizes, sizes), places), preset, rate)
        for sizes in ((1, 1), (1, 1, 1), (2, 1))
        for places in [{block: BlockLocation("tract", block, 0) for block in range(len(sizes))}]
        for one in (STANDARD, HIGH_VARIANCE, UNIQUE_BY_TRACT)
        for preset in [replace(one, above_feasible=AboveFeasible.SHORTEN, **changed)]
        for rate in (Fraction(1, 50), Fraction(1, 10), Fraction(1, 4), _ONE)
    )
)

state("pairwise.guarantee", "swapping study, section 2")(
    """In contrast, the swapping procedure used by the Census, which we aim to reconstruct here, has no formal
    differential privacy guarantees.""",
    every(_of_presets(), lambda laws: unbounded(laws)),
    mutant(
        "partners in the same tract allowed",
        _of_presets(excluded=Excluded.NONE, swap_probabilities=(HALF,) * 4, participation=Participation.AGAIN),
    ),
    reading="""the study's own reconstruction, in the PSA's flavor: on states that its words allow, no finite budget is
    enough; other flavors are not asked about""",
)

_no_partner = lambda *changes: query(
    "pairwise.ladder.first",
    "any households, keys and tracts, any matching that respects key and tract; a key in one tract",
    claimed="as_first + as_second == 0",
    note="how many pairs have household i first, and how many second",
    changes=changes,
)

own("pairwise.ladder.first", _SECTION_3)(
    """2010-style swapping, whatever k, coins, tiers and rate, satisfies the PSA's flavor with no finite budget on a
    universe with a key whose households are all in one tract and not all alike there, in more than one block.""",
    every(_of_presets(), lambda laws: all(set(laws[x]) == {z} for x in laws for z in laws[x]) and unbounded(laws)),
    _no_partner(),
    theorem(
        *("exchange_pairs.one_tract_released", "exchange_pairs.one_tract_no_budget"),
        within="any number of households, any law whose outcomes come from pairs of one key in two tracts",
    ),
    mutant("partners in another block", _no_partner(("Bool (not (= (tract a) (tract b))))", "Bool (not (= a b)))"))),
    mutant(
        "in more than one tract",
        every(
            cases("two households in two tracts, fair coins", "laws")(lambda: [swapped_laws(NEIGHBORS, _FAIR, _ONE)]),
            lambda laws: unbounded(laws),
        ),
    ),
)

_FORCED = replace(FREE, swap_probabilities=(HALF, HALF, HALF, _ONE))
_STOPPED = replace(FREE, counted=Counted.HOUSEHOLDS)

_CAUSES = (
    ("tier 4 is swapped with probability 1", NEIGHBORS, _FORCED, _ONE),
    ("partners are in another tract", ONE_TRACT, replace(FREE, excluded=Excluded.SAME_TRACT), _ONE),
    ("partners are among the k closest", FAR, replace(FREE, closest=1), _ONE),
    ("swapping stops at the swap rate", THREE, _STOPPED, HALF),
    ("a household is swapped once", THREE, REPAIRED, _ONE),
)
"""Each cause alone: the smallest state on which it matters, the policy with it, and the swap rate."""

causes = cases(
    "each rule alone on its state, the others given up: all coins 1/2, partners anywhere, again and again, no stop",
    "rule alone without",
)(
    lambda: (
        (rule, swapped_laws(small, policy, rate), None if small is FAR else swapped_laws(small, FREE, _ONE))
        for rule, small, policy, rate in _CAUSES
    )
)

own("pairwise.causes", _SECTION_3, _APPENDIX_A, "article, Appendix C.1, (1)", "article, Appendix C.1, (2)")(
    """Each of five rules of 2010-style swapping alone makes its loss infinite: tier 4 is swapped with probability 1
    (two households in two tracts), partners are in another tract (two households in two blocks of one tract), partners
    are among the k closest (two pairs far apart, k = 1), swapping stops at the swap rate (half of three households of
    three kinds), and a household is swapped once, so that no three households change places in a cycle (three
    households).""",
    every(causes, lambda alone, without: unbounded(alone) and (without == oo or not unbounded(without))),
    mutant("the rule given up", lambda without: without == oo or unbounded(without)),
    reading="""alone: all other rules are given up, that a household is swapped once too; where partners may be anywhere
    one exchange brings a household to any place, so that for the four households, whose choices are too many to follow
    without k, the loss without it is finite too""",
)

_up_to_three = lambda policy, rate, kinds: (
    swapped_laws(SmallState("", margins, line), policy, rate)
    for margins in small_universes(3)
    for line in [{block: BlockLocation(block, (0, 1, 10)[block], 0) for block in range(len(margins[1]))}]
    if len(margins[0]) <= kinds
)

below_the_smallest = cases(
    "k = 1: all universes of up to three households; the stop at r = 1/2, and one swap a household: those of two "
    "households, and of three of two kinds; blocks at 0, 1 and 10",
    "laws",
)(
    lambda: chain(
        _up_to_three(replace(FREE, closest=1), _ONE, 3),
        _up_to_three(_STOPPED, HALF, 2),
        _up_to_three(REPAIRED, _ONE, 2),
    )
)

own("pairwise.causes.smallest", _SECTION_3, _APPENDIX_A)(
    """The states of pairwise.causes are the smallest: with up to three households in blocks at 0, 1 and 10 the choice
    among the k closest leaves a finite loss, and so do the stop at the swap rate and the single swap with two
    households, or with three of two kinds.""",
    every(below_the_smallest, lambda laws: not unbounded(laws)),
    mutant(
        "k = 1, and swapped once",
        cases("k = 1, three households that are swapped once", "laws")(
            lambda: _up_to_three(replace(REPAIRED, closest=1), _ONE, 3)
        ),
    ),
)

_NONE_LOST, _THREE, _TEN_SEVENTHS = (_ONE, 2), (Fraction(3), 2), (Fraction(10, 7), 2)

_BUDGETS = (
    (None, None, None, None, None),
    (_THREE, None, None, None, None),
    (_THREE, _THREE, None, None, None),
    (_THREE, _THREE, _TEN_SEVENTHS, None, None),
    (_THREE, _THREE, _TEN_SEVENTHS, (Fraction(6), 2), None),
    (_NONE_LOST, _NONE_LOST, (Fraction(74, 59), 2), None, (Fraction(14, 9), 3)),
    (_NONE_LOST, _NONE_LOST, (Fraction(4, 3), 2), (Fraction(19, 4), 2), (Fraction(2), 2)),
)
"""Gamma and root, eps = ln(gamma)/root, of every rung on the states in their order; None where no finite budget is
enough, and for the four households whose every choice is too long to follow on the last rung but one."""

_LAST_PAIRS = len(RUNGS) - 2

ladder = cases(
    "seven rungs, from k = 1 and half of the households to the PSA at p = 1/2; five states: two households in two "
    "tracts, two in one tract, three of two kinds with one remote, four of two kinds (not on the sixth rung), three of "
    "three kinds",
    "rung place laws gamma root",
)(
    lambda: (
        (number, place, _laws(number, place), *(_BUDGETS[number][place] or (None, 1)))
        for number, (place, small) in product(range(len(RUNGS)), enumerate(STATES))
        if (number, small) != (_LAST_PAIRS, FOUR)
    )
)

_laws = cache(lambda rung, place: rung_laws(RUNGS[rung], STATES[place]))
exact = lambda laws, gamma, root, less: unbounded(laws) if gamma == oo else is_loss(laws, gamma, root - less)

own("pairwise.ladder", _SECTION_3, _APPENDIX_A, "article, Appendix C.1")(
    """From 2010-style swapping (k = 1, half of the households) to the PSA in six rungs, each giving up one rule: that
    tier 4 is sure to be swapped, that partners are in another tract, that they are among the k closest, that swapping
    stops at the rate, that a household is swapped once, that households are exchanged in pairs. On its state each of
    the first five has an infinite loss up to that rung and a finite one from it on (for four households without the
    rung at which they are swapped again). The finite losses are ln(gamma)/2 with gamma = 3 on two households (with fair
    coins; 1 once they are swapped again), 10/7 on three of two kinds (then 74/59), 6 on four; on three kinds
    ln(14/9)/3; for the PSA at p = 1/2, gamma is 1, 1, 4/3, 19/4 and 2.""",
    every(ladder, lambda laws, place, more, rung: unbounded(laws) == (place + more >= rung), more=0),
    mutant("a finite loss one rung earlier", {"more": -1}),
    every(ladder, exact, less=0),
    mutant("ln(gamma) over one less", {"less": 1}),
)

_of_states = lambda scope, rung: cases(f"{scope} on the five states", "laws")(
    lambda: (_laws(rung, place) for place in range(len(STATES)))
)

own("pairwise.ladder.last", "article, Appendix C.1, (1)")(
    """With permutations of independently selected households in place of pairs, 0 < p < 1, the loss is finite on every
    universe, whatever its size: at most the budget of article, Theorem 1.""",
    every(_of_states("the PSA at p = 1/2", len(RUNGS) - 1), lambda laws: not unbounded(laws)),
    mutant("disjoint pairs", _of_states("disjoint pairs of fair coins", _LAST_PAIRS - 1)),
    theorem(
        *("psa_privacy.psa_pure_dp_printed", "psa_privacy.psa_pure_dp", "psa_privacy.psa_pure_dp_sizes"),
        within=f"{CATEGORIES}, sizes up to any N",
    ),
)

# the tiers of 2010-style swapping: their sizes, and what they presuppose about what counts

_BY_SIZE = ("swapping study, Appendix B (Household Size)", "swapping study, Table 5")

_shares = lambda what, *tiers: cases(f"the {what} shares for a 10% swap rate", "r p3 t4 t3 t2 t1")(
    lambda: [(Fraction(1, 10), Fraction("0.6"), *(Fraction(share) / 100 for share in tiers))]
)
printed_shares = _shares("printed", "6.25", "12.5", "18.75", "62.5")

state("pairwise.tiers.shares", _APPENDIX_A)(
    """We set the distribution of tier assignments such that (1) there are twice as many tier 3 households as tier 4
    households, and three times as many tier 2 households as tier 4 households and (2) in expectation, we will swap all
    of the tier 4 households and half of the tier 3 households by the time we make the desired number of swaps (assuming
    the standard swap probabilities described below). For reference, using a 10% swap rate, this means that 6.25% of the
    households are in tier 4, 12.5% are in tier 3, 18.75% are in tier 2, and 62.5% are in tier 1.""",
    every(printed_shares, lambda t4, p3, t3, r, members: t4 + p3 * t3 / 2 == r / members, members=2),
    reading="""half of tier 3 is visited, of which p3 = 0.6 are swapped; a swap is of two households, and both count
    towards the swap rate (section 3: the fraction of households in the state that are swapped; Appendix A: until we
    have swapped a total number of households equal to it). The shares fit (2) if the target alone counts, which the
    study's Table 5 excludes (pairwise.tiers.shares.both-count); and if half of tier 3 is itself swapped, 6.25% + 6.25%
    of the households are more than 10%""",
    grade=false("a pair is two households, as Table 5 has it, so that 5% are targets, fewer than tier 4 has"),
)

own("pairwise.tiers.shares.repaired", _APPENDIX_A)(
    """With r/(2(1 + p3)) of the households in tier 4, twice as many in tier 3 and three times as many in tier 2, all of
    tier 4 and half of tier 3 are used up, in expectation, when r n households are swapped: at 10% these are 3.125%,
    6.25%, 9.375%, and 81.25% in tier 1.""",
    every(
        _shares("repaired", "3.125", "6.25", "9.375", "81.25"),
        lambda r, p3, t4, t3, t2, t1, members: (
            t3 == 2 * t4
            and t2 == 3 * t4
            and t1 + t2 + t3 + t4 == 1
            and t4 == r / (2 * (1 + p3))
            and t4 + p3 * t3 / 2 == r / members
        ),
        members=2,
    ),
    mutant(
        "the printed shares",
        every(
            printed_shares,
            lambda r, p3, t4, t3, t2, t1, members: (
                t3 == 2 * t4 and t2 == 3 * t4 and t1 + t2 + t3 + t4 == 1 and t4 + p3 * t3 / 2 == r / members
            ),
            members=2,
        ),
    ),
    repairs="pairwise.tiers.shares",
)

_IN_TABLES = (
    ("6 persons and more, Appendix B", "3.41", "20.39"),
    ("7 persons, Table 5", "0.63", "5.31"),
    ("8 persons, Table 5", "0.24", "2.34"),
)

kinds_in_tables = cases(
    "a 10% swap rate: sizes of households, their shares of all and of those swapped", "kind of_all of_swapped"
)(
    lambda: (
        (kind, Fraction(share) + Fraction(1, 200), Fraction(swapped) - Fraction(1, 200))
        for kind, share, swapped in _IN_TABLES
    )
)

own("pairwise.tiers.shares.both-count", _APPENDIX_A, *_BY_SIZE)(
    """In the study's runs both members of a pair count towards the swap rate: at 10%, if targets alone counted, more
    households of 6 persons and more would be swapped than there are (20.39% of the swapped, 3.41% of all), and so of 7
    and of 8 persons (Table 5).""",
    every(kinds_in_tables, lambda of_all, of_swapped: of_swapped * 20 / 100 > of_all),
    mutant("both members count", lambda of_all, of_swapped: of_swapped * 10 / 100 > of_all),
    reading="""of_all and of_swapped are the printed shares in percent, moved by half a digit to the other side; if
    targets alone counted, 20% of all households would be swapped, targets and partners""",
)

standard_tiers = cases(
    "n = 10 to 2000 households in steps of 10; r = 1/100 to 26/100 in hundredths; standard preset", "n r t4 t3"
)(
    lambda: (
        (n, r, fourth, third)
        for n in range(10, 2001, 10)
        for hundredths in range(1, 27)
        for r in [Fraction(hundredths, 100)]
        for _, _, third, fourth in [tier_sizes(n, r, STANDARD)]
    )
)

own("pairwise.tiers.partners-count", _APPENDIX_A, "swapping study, section 3")(
    """If targets and partners both count towards the swap rate, as section 3 defines it (the fraction of households
    that are swapped), with the printed shares tier 4 has all r n/2 targets that are needed, once r n >= 16: no
    household of tier 3 is visited if none of tier 4 is the partner of another one of tier 4 and none is without a
    partner.""",
    every(standard_tiers, lambda r, n, t4, targets: r * n < 16 or t4 >= r * n * targets, targets=Fraction(1, 2)),
    mutant("targets alone count", {"targets": 1}),
)

# whether tiers exist, as the program answers: of 4800 households all shares are whole
rates = cases("r = k/300 for k = 0 to 300, n = 4800", "r n t4 t3 t2")(
    lambda: (
        (r, 4800, fourth, third, second)
        for policy in [replace(STANDARD, above_feasible=AboveFeasible.SHORTEN)]
        for r in (Fraction(k, 300) for k in range(301))
        for _, second, third, fourth in [tier_sizes(4800, r, policy)]
    )
)
exist = lambda t3, t4, t2, r, highest: (t3 == 2 * t4 and t2 == 3 * t4) == (6 * r <= 16 * highest)

own("pairwise.tiers.highest-rate", _APPENDIX_A)(
    """Tiers in the printed proportions exist up to the swap rate 1.6/6 = 4/15 and not above it: for the 40% of Table 4
    they give none.""",
    every(rates, exist, highest=Fraction(1, 10)),
    mutant("up to 3/10", {"highest": Fraction(9, 80)}),
)

drawn_pairs = cases(
    "up to two homes of one or two persons in three blocks of two tracts; three policies, every outcome", "n r pairs"
)(
    lambda: (
        (len(records), rate, len(drawn))
        for records, (policy, rate) in product(states_of(2), POLICIES)
        for drawn in pairs_drawn(records, policy, rate)
    )
)

state("pairwise.tiers.stop", _APPENDIX_A)(
    """We continue swapping until we have swapped a total number of households equal to the swap rate multiplied by the
    number of households in the state.""",
    every(drawn_pairs, lambda n, r, pairs, beyond: 2 * pairs < r * n + beyond, beyond=2),
    mutant("never beyond r n", {"beyond": Fraction(1, 10)}),
    reading="""a pair swaps two households, so where r n is no even number the last pair goes beyond it by less than
    two; where households have no partner there are fewer""",
)

too_few = lambda trials, p, wanted: sum(comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(wanted))

# the expected number of trials until so many successes, or until there are no more trials
visits = lambda trials, p, wanted: sum(too_few(done, p, wanted) for done in range(trials))

# the sizes of the lower tiers at a 10% swap rate, and how many targets tier 4 leaves to them
_after_tier_4 = lambda scope, numbers, p3, wanted: cases(
    f"{scope}; households at r = 10%, p3 = {p3}; every target has a partner", "lower third wanted p3"
)(
    lambda: (
        (first + second, third, wanted(n, fourth), p3)
        for n in numbers
        for first, second, third, fourth in [tier_sizes(n, Fraction(1, 10), STANDARD)]
    )
)
# both members count, and those of tier 4 are one another's partners: the most that is left to tier 3
_left = lambda p3: _after_tier_4(
    "all n = 96 to 700, partners of tier 4 from tier 4",
    range(96, 701),
    p3,
    lambda n, fourth: max(-(-n // 20) - fourth // 2, 0),
)
_targets = lambda p3: _after_tier_4(
    "n = 160, 240, ..., 800, targets alone counting", range(160, 801, 80), p3, lambda n, fourth: -(-n // 10) - fourth
)

_STANDARD_P3, _HIGH_P3 = (Fraction(policy.swap_probabilities[2]) for policy in (STANDARD, HIGH_VARIANCE))

state("pairwise.tiers.lower-tiers", _APPENDIX_A)(
    """Since we iterate through households in order of their tier, households in tier 1 or 2 are very unlikely to be
    targeted to be swapped, but still have a chance of being involved in a swap as the swap partner.""",
    every(
        _left(_STANDARD_P3), lambda third, p3, wanted, bound: too_few(third, p3, wanted) < bound, bound=Fraction(1, 50)
    ),
    mutant("the high-variance setting", _left(_HIGH_P3)),
    reading="""the standard setting, both members counting towards the rate; a household of tier 2 or 1 is visited only
    if tier 4 and all of tier 3 are not enough, which is likeliest where the partners of tier 4 are of tier 4 too; those
    of tier 3 have partners elsewhere; very unlikely: below 1/50, from 96 households on""",
)

tier_2_visited_between = lambda low, third, p3, wanted, high: low < too_few(third, p3, wanted) < high

own("pairwise.tiers.high-variance", _APPENDIX_A)(
    """If targets alone counted towards the rate, in the high-variance setting with the printed shares, where these are
    whole numbers (n a multiple of 80, from 160 on), tier 2 would be visited with a probability between 2/5 and 1/2: all
    of tier 3 is in expectation just what is needed.""",
    every(_targets(_HIGH_P3), tier_2_visited_between, low=Fraction(2, 5), high=Fraction(1, 2)),
    mutant("the standard setting", _targets(_STANDARD_P3)),
)

left_to_tier_3 = cases(
    "n = 160, 240, ..., 800 households at r = 10%; tier 4 leaves any number of targets from 1 to what it leaves where "
    "targets alone count; every target has a partner",
    "lower third wanted p3",
)(
    lambda: (
        (lower, third, wanted, p3) for lower, third, most, p3 in _targets(_STANDARD_P3) for wanted in range(1, most + 1)
    )
)

more_considered = lambda third, lower_p3, wanted, p3, lower, more: (
    visits(third, lower_p3, wanted) > visits(third, p3, wanted) + lower * too_few(third, p3, wanted) + more
)

state("pairwise.tiers.considered", _APPENDIX_A)(
    """This change increases the expected number of households considered as swap targets before the swap rate is
    exhausted.""",
    every(left_to_tier_3, more_considered, lower_p3=_HIGH_P3, more=0),
    mutant("by 20 and more", {"more": 20}),
    reading="""the change of p3 from 0.6 to 0.3; considered: visited, with a coin; whatever counts, as soon as tier 4
    leaves a target to tier 3 (where both members count: only if partners of tier 4 are of tier 4 too; where it leaves
    none, the number stays as it is); compared are the visits in tier 3 alone with 0.3, and with 0.6 those in tier 3 and
    at most all in tiers 2 and 1 where tier 3 is not enough""",
)
