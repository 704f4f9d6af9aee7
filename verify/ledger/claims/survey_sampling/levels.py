"""Where a mechanism starts and what is amplified then: section 6.4.2, Table 6.3, and frames that are invariant."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.allocation import fixed
from stirred.mechanisms.surveys.designs import (
    bernoulli_sample,
    cluster_sample,
    select,
    simple_random_sample,
    stratified_sample,
)
from stirred.spec.blocks.input_premetric import hamming_unordered
from stirred.spec.laws.law import point_mass
from stirred.spec.surveys.amplification import Compared
from stirred.spec.surveys.unit_data import UnitData, unit_data, units
from stirred.verify.engines.surveys.design_loss import Design, sample_law
from stirred.verify.engines.surveys.worst_release import power_limit, worst_release
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import cases, every, incomplete, mutant, own, state
from stirred.verify.ledger.claims.survey_sampling.shared_sample import total_loss
from stirred.verify.ledger.claims.survey_sampling.theorem import all_or_nothing
from stirred.verify.ledger.claims.survey_sampling.words import (
    GAMMAS,
    Laws,
    attained_added,
    bound_by_added,
    keeps_added,
    keeps_replaced,
    laws_of,
    released,
    worst_releases,
)

product_of_rates = lambda x: 1 if len(x) == 0 else x[0] * product_of_rates(x[1:])

_RATES = {"FR": Fraction(9, 10), "S": Fraction(1, 4), "NR": Fraction(1, 5)}
"""The chances of being in the frame, in the target sample, and of responding."""

_STARTS = {"population": ("FR", "S", "NR"), "frame": ("S", "NR"), "target sample": ("NR",), "responding sample": ()}
"""The steps that come after the data with which the mechanism starts."""

_TABLE_6_3 = {"responding sample": (), "target sample": ("NR",), "frame": ("NR", "S"), "population": ("FR", "S", "NR")}


def _steps(names: Sequence[str]) -> Design:
    """One step after the other, each of which keeps every unit with its chance."""

    def design(data: UnitData, source: Source) -> tuple[Any, ...]:
        for name in names:
            data = select(data, bernoulli_sample(data, source, rate=_RATES[name]))
        return units(data)

    return design


_at_levels = lambda table: worst_releases(
    "data sets of 1 and 2 units at each of the four levels, each later step keeping a unit with probability 9/10 (FR), "
    "1/4 (S), 1/5 (NR); a unit is added or removed",
    "level rates",
    lambda: (
        (laws_of(_steps(steps), (data, data[1:])), (level, tuple(_RATES[step] for step in table[level])))
        for level, steps in _STARTS.items()
        for size in (1, 2)
        for data in [unit_data(dict.fromkeys(range(size), "z"))]
    ),
    Compared.ADDED,
)
by_level = _at_levels(_TABLE_6_3)
without_response = _at_levels({**_TABLE_6_3, "frame": ("S",)})
with_sampling = _at_levels({**_TABLE_6_3, "target sample": ("S", "NR")})
unamplified = _at_levels(dict.fromkeys(_TABLE_6_3, ()))

bounded_by_table = lambda p, q, y, gamma, rates: bound_by_added(
    p, q, y, all_or_nothing(product_of_rates(rates), gamma), gamma
)
by_table = lambda g, gamma, p, rates, q: attained_added(p, q, g, all_or_nothing(product_of_rates(rates), gamma), gamma)

bounded = worst_releases(
    "target samples of 1 to 3 units, of which each responds with probability 1/5; a record replaced",
    "level rates",
    lambda: (
        (
            laws_of(_steps(_STARTS["target sample"]), (unit_data(data), unit_data({**data, 0: "a"}))),
            ("target sample", (_RATES["NR"],)),
        )
        for data in (dict.fromkeys(range(size), "z") for size in (1, 2, 3))
    ),
)

less_iff_any_rate = lambda p, g, gamma, q, rates: (released(p, g) < gamma * released(q, g)) == (len(rates) > 0)
less_or_not_kept = lambda p, q, g, gamma, rates: (
    not keeps_replaced(g, gamma) or less_iff_any_rate(p, g, gamma, q, rates)
)

_NO_BOUNDED = incomplete(
    "that units are added or removed, and kept independently of each other; with the bounded DP of Theorem 6.4.1 "
    "independent response amplifies nothing"
)

state("survey.sampling.levels", "dissertation, Table 6.3", "dissertation, section 6.4.2")(
    """DP Setting: Amplification from. Responding-sample level D_0^resp: -. Target-sample level D_0^samp: NR. Frame
    level D_0^fr: NR&S. Population level D_0^pp: FR&S&NR.""",
    every(bounded, less_or_not_kept),
    reading="""under the bounded DP in which section 6.4.1 states amplification, just before: at the target-sample level
    the smallest budget is to be smaller than epsilon""",
    grade=_NO_BOUNDED,
)

own("survey.sampling.levels.independent", "dissertation, Table 6.3", "dissertation, section 6.4.2")(
    """Where each step keeps units independently of each other, with probabilities below 1, and data sets of any size
    are compared, a unit added or removed, the smallest budget is log(1 + f[e^epsilon - 1]), f the product of the rates:
    of none at the responding-sample level, of NR at the target-sample level, of S and NR at the frame level, of FR, S
    and NR at the population level.""",
    every(by_level, bounded_by_table),
    every(by_level, by_table),
    mutant("S at the target-sample level", every(with_sampling, by_table)),
    mutant("no NR at the frame level", every(without_response, by_table)),
    repairs="survey.sampling.levels",
)

state("survey.sampling.levels.responding", "dissertation, section 6.4.2")(
    """There is no (sub)sampling step within the data release mechanism T and thus there is no amplification effect.
    Interestingly, this scenario offers the same privacy guarantees as the more restrictive assumption that the attacker
    knows who participated in the survey. In all other scenarios, privacy is amplified through the (sub)sampling
    process.""",
    every(bounded, less_or_not_kept),
    reading="""as survey.sampling.levels: of 'all other scenarios' that of the target sample; 'there' is the level of
    the responding sample. The second sentence has a row of its own (survey.levels.participants-known)""",
    grade=_NO_BOUNDED,
)

own("survey.sampling.levels.responding.independent", "dissertation, section 6.4.2")(
    """Where each step keeps units independently of each other, with probabilities below 1, and units are added and
    removed, privacy is amplified at every level but that of the responding sample.""",
    every(by_level, lambda p, q, g, gamma, rates: keeps_added(g, gamma) and less_iff_any_rate(p, g, gamma, q, rates)),
    mutant("at no level", every(unamplified, less_iff_any_rate)),
    repairs="survey.sampling.levels.responding",
)

_BUDGETS = tuple(Fraction(k, 2) for k in range(1, 11))
high_coverage = cases("f = 0.9, 0.95, 0.99; epsilon = 1/2, 1, …, 5", "f epsilon")(
    lambda: product((Fraction(9, 10), Fraction(19, 20), Fraction(99, 100)), _BUDGETS)
)
half_coverage = cases("f = 0.5; epsilon = 1/2, 1, …, 5", "f epsilon")(lambda: product((Fraction(1, 2),), _BUDGETS))

state("survey.sampling.levels.coverage", "dissertation, section 6.4.2")(
    """Besides, the amplification effects when moving from the pseudo-population to the sampling frame will
    typically be negligible given that the probability to be included in the frame should be well above 90% for high
    quality frames.""",
    every(high_coverage, lambda f, epsilon: total_loss(f, epsilon) >= 9 / 10 * epsilon, verdict=Verdict.ENCLOSED),
    mutant("a rate of 50%", half_coverage),
    reading="at most a tenth of epsilon, by the smallest epsilon' at a rate of 90% or more, log(1 + f[e^epsilon - 1])",
)

_modelled = lambda shown, factor: worst_releases(
    f"responding samples of 1 and 2 units, of which each responds with probability 1/5; modelled as {shown}",
    "f",
    lambda: (
        (laws_of(_steps(("NR",)), (data, data[1:])), (factor * _RATES["NR"],))
        for data in (unit_data(dict.fromkeys(range(size), "z")) for size in (1, 2))
    ),
    Compared.ADDED,
)
too_low, too_high = _modelled("1/10", Fraction(1, 2)), _modelled("2/5", Fraction(2))

state("survey.sampling.levels.modelled", "dissertation, section 6.4.2")(
    """Errors when modeling these probabilities would lead to invalid statements regarding the amplification
    effects.""",
    every(
        too_low,
        lambda g, gamma, p, f, q: keeps_added(g, gamma) and released(p, g) > all_or_nothing(f, gamma) * released(q, g),
    ),
    mutant("modelled as more probable", too_high),
    reading="""errors that understate inclusion: some release of the responding sample loses more than what a modelled
    probability below the true one gives. One above it gives a loss that is too large, which stays valid""",
)

_DRAWS: Mapping[str, tuple[Design, Fraction]] = {
    "simple random samples of 1 of 4": (lambda f, s: simple_random_sample(f, s, size=1), Fraction(1, 4)),
    "of 2 of 4": (lambda f, s: simple_random_sample(f, s, size=2), Fraction(1, 2)),
    "1 of 2 in each of two strata": (
        lambda f, s: stratified_sample(f, s, stratum=_value, sizes=fixed({"a": 1, "b": 1})),
        Fraction(1, 2),
    ),
    "1 of 2 clusters of 2": (lambda f, s: cluster_sample(f, s, cluster=_value, number=1), Fraction(1, 2)),
}
"""Designs for a frame of four units, with their sampling rates."""

_value = lambda record: record
# the units of the sample that respond, each with probability 1/2
_responding = lambda design: (
    lambda frame, source: bernoulli_sample(select(frame, design(frame, source)), source, rate=Fraction(1, 2))
)
_frame_of_four = lambda changed="a": unit_data(dict(enumerate((changed, "a", "b", "b"))))


def _within_universe(pair: Laws, universe: Iterable[UnitData], gamma: Fraction) -> Mapping[UnitData, Fraction]:
    """The release that loses most between two laws, at each data set of a universe the largest value it can have."""
    limit = power_limit(gamma, hamming_unordered("unit"))
    worst = worst_release(*pair, limit).weights
    return {
        one: min(
            (bound * g for s, g in worst.items() if (bound := _limit(limit, one, s)) is not None), default=Fraction(1)
        )
        for one in universe
    }


_limit = lambda limit, one, other: Fraction(1) if one == other else limit(one, other)
# all pairs of the universe of a frame, for the samples of each design and for their responding units
_of_one_frame = lambda: (
    (*pair, _within_universe(pair, universe, gamma), gamma, far, rate)
    for distance in [hamming_unordered("unit")]
    for (design, rate), gamma in product(_DRAWS.values(), GAMMAS)
    for drawn in (design, _responding(design))
    for universe in [tuple(sample_law(drawn, _frame_of_four()))]
    for s, t in permutations(universe, 2)
    if (far := distance(s, t)) is not None
    for pair in [(point_mass(s), point_mass(t))]
)
# the laws of the samples of two frames that differ in a record
_of_two_frames = lambda: (
    (p, q, _within_universe((p, q), dict.fromkeys((*p, *q)), gamma), gamma, 1, rate)
    for (design, rate), gamma in product(list(_DRAWS.values())[:2], GAMMAS)
    for p, q in [laws_of(design, (_frame_of_four(), _frame_of_four("b")))]
)

_DESIGNS = f"{', '.join(_DRAWS)}"
one_frame = cases(
    f"{_DESIGNS}; all pairs of samples, and of responding samples, that are possible for one frame and of one size; "
    "e^epsilon = 3/2 and 3; the worst release of all of these data sets",
    "p q g gamma far f",
)(_of_one_frame)
two_frames = cases(
    "simple random samples of 1 of 4, of 2 of 4; of two frames, a record replaced; e^epsilon = 3/2 and 3; the worst "
    "release",
    "p q g gamma far f",
)(_of_two_frames)

lost_to_power = lambda g, gamma, p, far, q, factor: (
    keeps_replaced(g, gamma) and released(p, g) == factor**far * released(q, g)
)

state("survey.sampling.frame-invariant", "dissertation, section 6.4.3")(
    """For example, considering the frame as invariant implies that the DP flavor is at the target- or responding-sample
    level and hence no utility improvements through amplification by sampling can be achieved.""",
    every(one_frame, lambda p, q, g, gamma, far: lost_to_power(g, gamma, p, far, q, gamma)),
    mutant(
        "amplified although the frame is invariant",
        lambda p, q, g, gamma, far, f: lost_to_power(g, gamma, p, far, q, all_or_nothing(f, gamma)),
    ),
    mutant("the mechanism starts at the frame", two_frames),
    reading="""by Definition 6.3.3 frame invariance is of flavors at these two levels alone ('for sample-level flavors',
    'for responding-sample-level flavors'), where Table 6.1 has it: between any two data sets that one frame can give
    some release that is private on all of these loses epsilon times their distance. That a flavor of augmented frames
    may keep the frame's own variables and be amplified refutes not this sentence, which speaks of invariance as
    defined, but the advice of section 6.6: recommendations.frame-level""",
)
