"""What designs of strata amplify: proportional sizes, rounded or not, and sizes that depend on the data."""

from fractions import Fraction
from itertools import product
from math import floor
from typing import Any

from stirred.mechanisms.surveys.allocation import fixed, neyman, proportional
from stirred.mechanisms.surveys.designs import randomly_rounded_sample, stratified_sample
from stirred.spec.laws.law import Law
from stirred.spec.surveys.amplification import Compared
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.engines.surveys.design_loss import Frames
from stirred.verify.ledger import every, mutant, own, some, state
from stirred.verify.ledger.claims.survey_sampling.theorem import all_or_nothing, simple
from stirred.verify.ledger.claims.survey_sampling.words import (
    BULLETS,
    attained_replaced,
    keeps_added,
    keeps_replaced,
    laws_of,
    lipschitz_added,
    mean_change,
    released,
    small_budgets,
    worst_releases,
)

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
