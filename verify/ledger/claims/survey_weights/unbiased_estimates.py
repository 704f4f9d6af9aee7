"""What weights are for: unbiased estimates; dissertation, sections 6.4.3 and 7.4."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.surveys.allocation import fixed
from stirred.mechanisms.surveys.designs import (
    bernoulli_sample,
    cluster_sample,
    pps_sample,
    simple_random_sample,
    stratified_sample,
    systematic_sample,
)
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.ledger import cases, every, incomplete, mutant, own, state, theorem

# p: the law of the sample, a set of units 0, …, N - 1; an estimate that is linear in y is tried on indicators
drawn_mass = lambda p, i: sum(p[s] for s in p if i in s)
mean_share = lambda p, i: sum(p[s] / len(s) for s in p if i in s)
equal_chances = lambda p, N: all(drawn_mass(p, i) == drawn_mass(p, 0) for i in range(N))
sample_mean_unbiased = lambda p, N: all(mean_share(p, i) == 1 / N for i in range(N))
expansion_unbiased = lambda p, w, N: all(sum(p[s] * w[i] for s in p if i in s) == 1 for i in range(N))

_FRAME = unit_data({0: (0, 1), 1: (0, 2), 2: (1, 1), 3: (1, 3), 4: (1, 1)})

_stratum = lambda record: record[0]


def _samples(*, of_fixed_size: bool) -> Iterator[tuple[Any, int]]:
    """The laws of designs on frames of five units, and of four where that makes equal probabilities."""
    even = _FRAME[:4]
    for size in (1, 2, 3):
        yield exact_law(simple_random_sample, _FRAME, size=size), 5
    yield exact_law(stratified_sample, even, stratum=_stratum, sizes=fixed({0: 1, 1: 1})), 4
    yield exact_law(systematic_sample, even, step=2), 4
    yield exact_law(cluster_sample, even, cluster=_stratum, number=1), 4
    yield exact_law(stratified_sample, _FRAME, stratum=_stratum, sizes=fixed({0: 1, 1: 1})), 5
    yield exact_law(stratified_sample, _FRAME, stratum=_stratum, sizes=fixed({0: 1, 1: 2})), 5
    for size in (1, 2):
        yield exact_law(pps_sample, _FRAME, measure=lambda record: record[1], size=size), 5
    if not of_fixed_size:
        yield exact_law(cluster_sample, _FRAME, cluster=_stratum, number=1), 5
        yield exact_law(systematic_sample, _FRAME, step=2), 5
        yield exact_law(bernoulli_sample, even, rate=Fraction(1, 3)), 4


_LISTED = "frames of four and five units; simple random, stratified, systematic, cluster and PPS samples"
fixed_sizes = cases(f"{_LISTED} of a fixed size", "p N", lambda: _samples(of_fixed_size=True))
all_designs = cases(f"{_LISTED}, and Bernoulli samples", "p N", lambda: _samples(of_fixed_size=False))

_LINEAR = "of every variable: a linear estimate is unbiased if it is for indicators of units"

unbiased_of_any_size = lambda p, N: not equal_chances(p, N) or any(len(s) == 0 for s in p) or sample_mean_unbiased(p, N)

state("survey.estimate.sample-mean", "dissertation, section 7.4")(
    """If the probabilities of selection were equal for all units, the sample mean would be an unbiased estimate for the
    population mean""",
    every(fixed_sizes, lambda p, N: not equal_chances(p, N) or sample_mean_unbiased(p, N)),
    mutant("samples of random size", every(all_designs, unbiased_of_any_size)),
    mutant("any probabilities", lambda p, N: sample_mean_unbiased(p, N)),
    reading=f"{_LINEAR}; n is fixed, as it is in this section",
)


def _schools() -> Iterator[tuple[Any, int]]:
    """One of two schools, with two and four pupils, is drawn with probability proportional to size; all are asked."""
    yield {frozenset({0, 1}): Fraction(1, 3), frozenset({2, 3, 4, 5}): Fraction(2, 3)}, 6
    yield from _samples(of_fixed_size=False)


with_schools = cases(
    "one of two schools, with two and four pupils, drawn with probability proportional to size, all pupils of which "
    f"are asked; {_LISTED}, and Bernoulli samples",
    "p N",
    _schools,
)

state("survey.estimate.unweighted", "dissertation, section 7.4")(
    """Unweighted estimates, especially those for descriptive statistics such as means and totals, will be biased
    whenever there are varying selection probabilities.""",
    every(with_schools, lambda p, N: equal_chances(p, N) or not sample_mean_unbiased(p, N)),
    reading="an estimate is biased if it is for some variable; of the sample mean",
    grade=incomplete(
        "samples must have one size, as the n of the sentences after it: with one school drawn with probability "
        "proportional to its size, and all of its pupils asked, pupils of the larger one are likelier and the mean is "
        "unbiased"
    ),
)

own("survey.estimate.unweighted.repaired", "dissertation, section 7.4", "dissertation, section 6.2.4")(
    """With samples of one size, the sample mean is an unbiased estimate of the mean of every variable if and only if
    all units have the same selection probability.""",
    every(fixed_sizes, lambda p, N: equal_chances(p, N) == sample_mean_unbiased(p, N)),
    mutant("samples of any size", with_schools),
    mutant("never unbiased", lambda p, N: not sample_mean_unbiased(p, N)),
    repairs="survey.estimate.unweighted",
)

only_expansion_unbiased = lambda p, N: all(
    not expansion_unbiased(p, [(v if i == j else 1) / drawn_mass(p, j) for j in range(N)], N)
    for i in range(N)
    for v in [1 / 2, 2]
)

state("survey.estimate.expansion", "dissertation, section 7.4")(
    """To obtain unbiased estimates, each observation needs to be weighted by the inverse of its probability of
    selection.""",
    every(all_designs, lambda p, N: expansion_unbiased(p, [1 / drawn_mass(p, i) for i in range(N)], N)),
    mutant("N/n", lambda p, N: expansion_unbiased(p, [N / 2 for i in range(N)], N)),
    every(all_designs, only_expansion_unbiased),
    theorem(
        "horvitz_thompson.horvitz_thompson_unbiased",
        "horvitz_thompson.unbiased_iff",
        "horvitz_thompson.unbiased_weights",
        "horvitz_thompson.weighted_mean",
        "horvitz_thompson.expected_size",
        within="finite designs",
    ),
    reading=f"estimates of totals as weighted sums, with one weight per unit for all samples; {_LINEAR}; also that no "
    "other such weights do: tried with one of them halved or doubled",
)
