"""What sampling with probabilities proportional to size amplifies: one by one, and systematically."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from stirred.mechanisms.surveys.designs import pps_sample, random_order, sample_with_replacement, unit_order
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.ledger import every, mutant, own, state
from stirred.verify.ledger.claims.survey_sampling.theorem import all_or_nothing
from stirred.verify.ledger.claims.survey_sampling.words import (
    BULLETS,
    Laws,
    attained_replaced,
    bound_by_replaced,
    keeps_replaced,
    laws_of,
    lipschitz_replaced,
    mean_change,
    released,
    small_budgets,
    worst_releases,
)

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


_SIZED = (
    "one unit of 2, 3 or 4, and two draws with replacement from 3, with chances proportional to measures from 1 to 3, "
    "of which one changes; no n x/sum above 1"
)
small_sized = small_budgets(_SIZED, "largest changed n", _sized)
sized = worst_releases(_SIZED, "largest changed n", _sized)

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
