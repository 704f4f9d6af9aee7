"""What designs of strata, and with probabilities proportional to size, amplify."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import floor
from typing import Any

from stirred.mechanisms.surveys.allocation import fixed, neyman, proportional
from stirred.mechanisms.surveys.designs import (
    pps_sample,
    random_order,
    randomly_rounded_sample,
    sample_with_replacement,
    stratified_sample,
    unit_order,
)
from stirred.spec.laws.law import Law
from stirred.spec.surveys.amplification import Compared
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.engines.surveys.design_loss import Frames
from stirred.verify.ledger import every, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.survey_sampling.theorem import all_or_nothing, simple
from stirred.verify.ledger.claims.survey_sampling.words import (
    BULLETS,
    Laws,
    attained_replaced,
    bound_by_replaced,
    keeps_added,
    keeps_replaced,
    laws_of,
    lipschitz_added,
    lipschitz_replaced,
    mean_change,
    released,
    small_budgets,
    worst_releases,
)

# what designs of strata amplify: proportional sizes, rounded or not, and sizes that depend on the data

_RATES = (Fraction(1, 5), Fraction(1, 4))

_whole = lambda record: record
# a unit of stratum a added: beside up to so many of it and one of stratum b
_grown = lambda largest: (
    (frame, frame[1:])
    for alike, others in product(range(1, largest + 1), range(2))
    for frame in [unit_data({u: "a" if u < alike else "b" for u in range(alike + others)})]
)
_rounded_down = lambda rate: lambda strata: {h: floor(rate * len(records)) for h, records in strata.items()}
_at_random = lambda rate: lambda frame, source: randomly_rounded_sample(frame, source, stratum=_whole, rate=rate)
_in_strata = lambda sizes, stratum=_whole: (
    lambda frame, source: stratified_sample(frame, source, stratum=stratum, sizes=sizes)
)
_by_rounding = lambda rates=_RATES, *, randomly: (
    (laws_of(_at_random(rate) if randomly else _in_strata(_rounded_down(rate)), frames), (rate,))
    for rate, frames in product(rates, _grown(6))
)

_SIZED = "stratified samples with sizes r N_h rounded"
_STRATA = "at the rates 1/5 and 1/4, up to 6 units in the stratum where one is added or removed and 0 or 1 in another"
_RANDOMLY = f"{_SIZED} at random, {_STRATA}"
rounded_randomly = worst_releases(_RANDOMLY, "r", lambda: _by_rounding(randomly=True), Compared.ADDED)
small_rounded = small_budgets(_RANDOMLY, "r", lambda: _by_rounding(randomly=True), Compared.ADDED)
rounded_down = worst_releases(f"{_SIZED} down, {_STRATA}", "r", lambda: _by_rounding(randomly=False), Compared.ADDED)
at_one_half = worst_releases(
    "stratified samples with sizes N_h/2 rounded at random, up to 6 units in the stratum where one is added or removed",
    "r",
    lambda: _by_rounding((Fraction(1, 2),), randomly=True),
    Compared.ADDED,
)


def _records_drawn(rate: Fraction, alike: int, *, one_more: bool) -> Law[Any]:
    """The records of the sample, its size rounded at random: z of so many units, and a of one more, if it is there."""
    expected = rate * (alike + one_more)
    masses: dict[Any, Fraction] = {}
    for size, mass in ((floor(expected), 1 - expected % 1), (floor(expected) + 1, expected % 1)):
        drawn = Fraction(size, alike + 1) if one_more else Fraction(0)
        masses["a", *"z" * (size - 1)] = mass * drawn
        masses[tuple("z" * size)] = mass * (1 - drawn)
    return Law({s: mass for s, mass in masses.items() if mass})


_SMALLER_RATES = tuple(Fraction(1, n) for n in (4, 5, 6, 8, 10, 12, 16, 20))

small_counted = small_budgets(
    "stratified samples with sizes r N_h rounded at random, at rates from 1/4 down to 1/20, all strata of up to 2/r "
    "units, one of which is added or removed; of the sample the records, which are alike but for that unit's",
    "r",
    lambda: (
        ((with_it, without), (rate,))
        for rate in _SMALLER_RATES
        for alike in range(int(2 / rate))
        for with_it, without in [(_records_drawn(rate, alike, one_more=more) for more in (True, False))]
    ),
    Compared.ADDED,
)

state("survey.sampling.proportional", *BULLETS)(
    """With minor adjustments, stratified sampling using proportional allocation can provide privacy amplification.""",
    every(rounded_randomly, lambda g, gamma, p, q: keeps_added(g, gamma) and released(p, g) < gamma * released(q, g)),
    mutant("without the adjustment", rounded_down),
    mutant("at the rate 1/2", at_one_half),
    reading="""the adjustment is that of Bun et al. (2022), sizes rounded at random, which then tell something, so that
    units are added and removed; 'can': at the rates 1/5 and 1/4, for every size of the stratum that is tried""",
)

changes_mean_between = lambda h, p, q, low, high: (
    lipschitz_added(h) and mean_change(p, q, h) >= low and mean_change(p, q, h) <= high
)

state("survey.sampling.proportional.small-budgets", "dissertation, section 7.3")(
    "For small epsilon, the amplification is still linear in the sampling rate up to a constant factor.",
    *[every(one, lambda p, q, h, r: changes_mean_between(h, p, q, r, 3 * r)) for one in (small_rounded, small_counted)],
    mutant("r itself", every(small_counted, lambda p, q, h, r: changes_mean_between(h, p, q, r, r))),
    mutant(
        "a constant, up to the same factor",
        every(small_counted, lambda p, q, h: changes_mean_between(h, p, q, 1 / 5, 3 / 5)),
    ),
    reading="""epsilon'/epsilon for epsilon -> 0 is from r to 3 r, of the design of survey.sampling.proportional. Units
    that are alike may be exchanged and other strata are drawn alike from both frames, so that it is the least mean
    distance of the samples' records: h of the samples may be averaged over such exchanges, and samples of two sizes be
    drawn one inside the other""",
)

one_moves = worst_releases(
    "2 of 4 units by proportional allocation with the largest remainders, one unit moved to the other stratum",
    "",
    lambda: (
        (laws_of(_in_strata(proportional(2)), (first, second)), ())
        for alike in range(1, 5)
        for first, second in [
            (unit_data({u: "a" if u < changed else "b" for u in range(4)}) for changed in (alike, alike - 1))
        ]
    ),
)

at_half_rate = lambda p, q, g, gamma: (
    not keeps_replaced(g, gamma) or released(p, g) <= all_or_nothing(1 / 2, gamma) * released(q, g)
)

own("survey.sampling.proportional.rounded", *BULLETS)(
    """Where a unit may change its stratum and proportional sizes are rounded to the largest remainders, nothing is
    amplified: the smallest epsilon' over all frames of four units in two strata, two drawn, is epsilon.""",
    every(one_moves, lambda p, q, g, gamma: not keeps_replaced(g, gamma) or released(p, g) <= gamma * released(q, g)),
    mutant("at the rate 1/2", at_half_rate),
    some(one_moves, lambda p, q, g, gamma: attained_replaced(p, q, g, gamma, gamma)),
)

_INCOMES = ((20, 30, 40), (20, 30, 90), (20, 30, 40))
_ONES = ((1, 1, 1), (1, 1, 5), (1, 2, 3))
_Incomes = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def _of_incomes(incomes: _Incomes) -> Frames:
    """Records (stratum, income): three units in each of two strata, and the first stratum with one income changed."""
    before, after, others = incomes
    rest = {10 + u: ("B", income) for u, income in enumerate(others)}
    first, second = ({**{u: ("A", y) for u, y in enumerate(one)}, **rest} for one in (before, after))
    return unit_data(first), unit_data(second)


_allocated = lambda sizes, *frames: (
    (laws_of(_in_strata(sizes, lambda record: record[0]), _of_incomes(incomes)), ()) for incomes in frames
)
_income = lambda record: record[1]

_TWO = "4 units from two strata of three; incomes 20, 30, 40 thousand in both, one of which becomes 90"
by_spread = worst_releases(
    f"Neyman allocation of {_TWO}", "", lambda: _allocated(neyman(4, variable=_income), _INCOMES)
)
by_size = worst_releases(f"fixed allocation of {_TWO}", "", lambda: _allocated(fixed({"A": 2, "B": 2}), _INCOMES))
by_larger_change = worst_releases(
    "Neyman allocation of 4 units to two strata of three, which becomes 3 and 1 for 1 and 3",
    "",
    lambda: _allocated(neyman(4, variable=_income), _ONES),
)

released_above = lambda g, gamma, p, q, bound: keeps_replaced(g, gamma) and released(p, g) > bound * released(q, g)
loses_at_most_twice = lambda p, q, g, gamma: not keeps_replaced(g, gamma) or released(p, g) <= gamma**2 * released(q, g)

state("survey.sampling.neyman", *BULLETS)(
    """Data dependent allocation functions such as Neyman allocation for stratified sampling will likely result in
    privacy degradation (the effects will depend on the sensitivity of the allocation function).""",
    every(by_spread, lambda p, q, g, gamma: released_above(g, gamma, p, q, gamma)),
    mutant("sizes that do not depend on the data", by_size),
    every(by_spread, loses_at_most_twice),
    some(by_larger_change, lambda p, q, g, gamma: released_above(g, gamma, p, q, gamma**2)),
    reading="""'likely': some release loses more than epsilon on ordinary frames, and more where the allocation changes
    by more""",
)

released_below_replaced = lambda g, gamma, p, q: keeps_replaced(g, gamma) and released(p, g) < gamma * released(q, g)
part_loses_all = lambda p, q, g, gamma, n, N: (
    n < N and keeps_replaced(g, gamma) and released(p, g) >= gamma * released(q, g)
)

state("survey.sampling.complex", "dissertation, section 7.1")(
    """Previous studies found that sampling can amplify DP's privacy guarantees. However, these amplification effects do
    not necessarily hold for the complex sampling designs used by statistical agencies.""",
    every(simple, lambda p, q, g, gamma, n, N: n == N or released_below_replaced(g, gamma, p, q)),
    mutant("nor for simple random samples", some(simple, part_loses_all)),
    mutant("samples of all units", released_below_replaced),
    some(one_moves, lambda p, q, g, gamma: keeps_replaced(g, gamma) and released(p, g) >= gamma * released(q, g)),
    some(by_spread, lambda p, q, g, gamma: released_above(g, gamma, p, q, gamma)),
    reading="""each simple random sample of fewer than all units amplifies; some stratified samples, by proportional and
    by Neyman allocation, do not""",
)

# what strata with fixed sample sizes amplify

# a unit of stratum a, whose answer changes; beside the stratum one or two units of stratum b
_changed_inside = lambda: (
    (laws_of(partial(_by_strata, drawn=drawn), frames), (drawn, size))
    for (size, drawn), others in (((2, 1), 1), ((2, 1), 2), ((3, 1), 1), ((3, 2), 1))
    for rest in [{u: ("a" if u < size else "b", 0) for u in range(1, size + others)}]
    for frames in [(unit_data({0: ("a", 0), **rest}), unit_data({0: ("a", 1), **rest}))]
)
_by_strata = lambda frame, source, *, drawn: stratified_sample(
    frame, source, stratum=lambda record: record[0], sizes=fixed({"a": drawn, "b": 1})
)
inside = worst_releases(
    "1 of 2, 1 of 3 and 2 of 3 units in the stratum of the unit whose answer changes, 1 of 1 or 2 in another",
    "n N",
    _changed_inside,
)

at_rate_of_sample = lambda p, q, g, gamma: (
    not keeps_replaced(g, gamma) or released(p, g) <= all_or_nothing(1 / 3, gamma) * released(q, g)
)

own("survey.sampling.fixed-strata", "dissertation, section 6.4.1")(
    """Where sample sizes of strata are fixed and a record changes within its stratum, stratified simple random sampling
    amplifies at the rate of this stratum: the smallest epsilon' is log(1 + n_h/N_h [e^epsilon - 1]), as for every
    design under which the unit is exchangeable with the others of its stratum.""",
    every(inside, lambda p, q, y, gamma, n, N: bound_by_replaced(p, q, y, all_or_nothing(n / N, gamma), gamma)),
    mutant("at the rate of the whole sample", at_rate_of_sample),
    mutant("not amplified", lambda p, q, g, gamma: attained_replaced(p, q, g, gamma, gamma)),
    every(inside, lambda p, q, g, gamma, n, N: attained_replaced(p, q, g, all_or_nothing(n / N, gamma), gamma)),
)

own("survey.sampling.fixed-strata.bound", "dissertation, section 6.4.1")(
    """Where sample sizes of strata are fixed and a record changes within its stratum, stratified simple random sampling
    gives every (epsilon, delta)-DP release of the sample the budget log(1 + n_h/N_h [e^epsilon - 1]) and n_h/N_h delta,
    as does every design under which the unit is exchangeable with the others of its stratum.""",
    every(inside, lambda p, q, y, gamma, n, N: bound_by_replaced(p, q, y, all_or_nothing(n / N, gamma), gamma)),
    mutant("at the rate of the whole sample", at_rate_of_sample),
    theorem(
        "amplification.stratified_amplified",
        "amplification.exchange_amplified",
        "amplification.exchange_inclusion",
        "coupling.coupled_amplified",
        within="finite frames",
    ),
)

# what sampling with probabilities proportional to size amplifies: one by one, and systematically

_measure = lambda record: record
# frames of units with measures 1 to 3, of which the first changes, and no unit with n x above the sum
_measured = lambda design, number, size: (
    (laws_of(design(size), frames), (max(rates), changed))
    for after, *before in product((1, 2, 3), repeat=number + 1)
    if before[1:] == sorted(before[1:]) and after > before[0]
    for frames in [(unit_data(dict(enumerate(before))), unit_data(dict(enumerate([after, *before[1:]]))))]
    for rates in [[Fraction(size * x, sum(r for _, r in frame)) for frame in frames for _, x in frame]]
    if max(rates) <= 1
    for changed in [max(Fraction(size * frame[0][1], sum(r for _, r in frame)) for frame in frames)]
)
_one_draw = lambda size: lambda frame, source: pps_sample(frame, source, measure=_measure, size=size)
_draws = lambda size: lambda frame, source: sample_with_replacement(frame, source, measure=_measure, size=size)


def _sized() -> Iterator[tuple[Laws, tuple[Fraction, Fraction, int]]]:
    for number in (2, 3, 4):
        yield from ((laws, (*rates, 1)) for laws, rates in _measured(_one_draw, number, 1))
    yield from ((laws, (*rates, 2)) for laws, rates in _measured(_draws, 3, 2))


_PROPORTIONAL = (
    "one unit of 2, 3 or 4, and two draws with replacement from 3, with chances proportional to measures from 1 to 3, "
    "of which one changes; no n x/sum above 1"
)
small_sized = small_budgets(_PROPORTIONAL, "largest changed n", _sized)
sized = worst_releases(_PROPORTIONAL, "largest changed n", _sized)

attains_largest = lambda p, q, h, largest, changed: (
    changed < largest or (lipschitz_replaced(h) and mean_change(p, q, h) == largest)
)

state("survey.sampling.pps", *BULLETS)(
    """With PPS sampling at the individual level, the privacy amplification will linearly depend on the maximum
    probability of inclusion (for small epsilon).""",
    every(small_sized, lambda p, q, h, largest: lipschitz_replaced(h) and mean_change(p, q, h) <= largest),
    mutant("half of it", lambda p, q, h, largest: lipschitz_replaced(h) and mean_change(p, q, h) <= largest / 2),
    mutant("always equal", lambda p, q, h, largest: lipschitz_replaced(h) and mean_change(p, q, h) == largest),
    every(small_sized, attains_largest),
    reading="""section 7.4 calls n x_i/(N xbar) = n x_i/(sum of x) the probability of inclusion: that is what is encoded
    (of several draws with replacement it is the mean number of times that i is drawn). epsilon'/epsilon for epsilon ->
    0 is at most the largest of the two frames, and equal to it where that unit's measure changes; units are drawn one
    by one: survey.sampling.pps.systematic has what another PPS design does""",
)

bounded = lambda p, q, y, gamma, changed, n: bound_by_replaced(p, q, y, all_or_nothing(changed / n, gamma) ** n, gamma)
bounded_by_half_chance = lambda p, q, g, gamma, changed, n: (
    not keeps_replaced(g, gamma) or released(p, g) <= all_or_nothing(changed / n / 2, gamma) ** n * released(q, g)
)
attained = lambda p, q, g, gamma, changed, n: attained_replaced(p, q, g, all_or_nothing(changed / n, gamma) ** n, gamma)

own("survey.sampling.pps.sharp", *BULLETS)(
    """For n draws with chances proportional to size, the smallest epsilon' is n log(1 + c[e^epsilon - 1]), c the larger
    of the two chances of the unit whose record changes.""",
    every(sized, bounded),
    mutant("half of the chance", bounded_by_half_chance),
    every(sized, attained),
)

# units of measure 1, of which the first gets 2; two are drawn
_doubled = lambda order, sizes: (
    (laws, (Fraction(4, number + 1),))
    for number in sizes
    for first, second in [(unit_data({u: x if u == 0 else 1 for u in range(number)}) for x in (1, 2))]
    for laws in [laws_of(lambda f, s: pps_sample(f, s, measure=_measure, size=2, order=order), (first, second))]
)
in_fixed_order = small_budgets(
    "2 of 4, 6, 8 and 10 units, systematically in a fixed order with chances proportional to size, all of size 1 and "
    "one of size 2",
    "largest",
    lambda: _doubled(unit_order, (4, 6, 8, 10)),
)
in_random_order = small_budgets(
    "2 of 4 units, systematically in a random order with chances proportional to size, all of size 1 and one of size 2",
    "largest",
    lambda: _doubled(random_order, (4,)),
)

own("survey.sampling.pps.systematic", *BULLETS)(
    """With systematic PPS sampling in a fixed order epsilon'/epsilon for epsilon -> 0 may be more than the largest
    probability of inclusion: one unit that grows shifts which of the others are drawn together.""",
    every(in_fixed_order, lambda p, q, h, largest: lipschitz_replaced(h) and mean_change(p, q, h) > largest),
    mutant("in a random order", in_random_order),
)
