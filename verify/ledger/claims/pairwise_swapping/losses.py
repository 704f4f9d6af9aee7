"""The loss of 2010-style swapping: infinite, by cause, and what every rule of it costs on the way to the PSA."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import chain, product

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
from stirred.verify.engines.swapping.variant_loss import small_universes
from stirred.verify.ledger import cases, every, mutant, own, query, state, theorem
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
    lambda: (
        swapped_laws(SmallState("", (sizes, sizes), places), preset, rate)
        for sizes in ((1, 1), (1, 1, 1), (2, 1))
        for places in [{block: BlockLocation("tract", block, 0) for block in range(len(sizes))}]
        for one in (STANDARD, HIGH_VARIANCE, UNIQUE_BY_TRACT)
        for preset in [replace(one, above_feasible=AboveFeasible.SHORTEN, **changed)]
        for rate in (Fraction(1, 50), Fraction(1, 10), Fraction(1, 4), _ONE)
    ),
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
            cases("two households in two tracts, fair coins", "laws", lambda: [swapped_laws(NEIGHBORS, _FAIR, _ONE)]),
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
    lambda: (
        (rule, swapped_laws(small, policy, rate), None if small is FAR else swapped_laws(small, FREE, _ONE))
        for rule, small, policy, rate in _CAUSES
    ),
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
    lambda: chain(
        _up_to_three(replace(FREE, closest=1), _ONE, 3),
        _up_to_three(_STOPPED, HALF, 2),
        _up_to_three(REPAIRED, _ONE, 2),
    ),
)

own("pairwise.causes.smallest", _SECTION_3, _APPENDIX_A)(
    """The states of pairwise.causes are the smallest: with up to three households in blocks at 0, 1 and 10 the choice
    among the k closest leaves a finite loss, and so do the stop at the swap rate and the single swap with two
    households, or with three of two kinds.""",
    every(below_the_smallest, lambda laws: not unbounded(laws)),
    mutant(
        "k = 1, and swapped once",
        cases(
            "k = 1, three households that are swapped once",
            "laws",
            lambda: _up_to_three(replace(REPAIRED, closest=1), _ONE, 3),
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
    lambda: (
        (number, place, _laws(number, place), *(_BUDGETS[number][place] or (None, 1)))
        for number, (place, small) in product(range(len(RUNGS)), enumerate(STATES))
        if (number, small) != (_LAST_PAIRS, FOUR)
    ),
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

_of_states = lambda scope, rung: cases(
    f"{scope} on the five states", "laws", lambda: (_laws(rung, place) for place in range(len(STATES)))
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
