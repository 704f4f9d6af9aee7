"""Theorem 6.4.1 and its neighbours: simple random samples, and which samples are compared."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.mechanisms.surveys.designs import bernoulli_sample, sample_with_replacement
from stirred.spec.blocks.input_premetric import hamming_ordered, hamming_unordered
from stirred.spec.surveys.amplification import Compared
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.engines.surveys.worst_release import power_limit, worst_release
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import Cases, cases, every, misprint, mutant, own, state, theorem
from stirred.verify.ledger.claims.survey_sampling.words import (
    GAMMAS,
    Laws,
    at_most_added,
    at_most_replaced,
    at_most_same_units,
    attained_added,
    attained_replaced,
    attained_same_units,
    bound_by_added,
    bound_by_replaced,
    bound_by_same_units,
    keeps_ordered,
    laws_of,
    neighbours_of,
    released,
    simple_laws,
    worst_releases,
)
from stirred.verify.ledger.engines.approximate_release import worst_excess
from stirred.verify.ledger.language_names import exp, ln
from stirred.verify.ledger.words import hamming, outcomes

# Theorem 6.4.1 and its neighbours: simple random samples, what their data are, and which of them are compared

# g(s) is the probability of an event, for a release of the sample s
keeps_delta = lambda g, gamma, delta: all(
    g[s] <= gamma * g[t] + delta and 1 - g[s] <= gamma * (1 - g[t]) + delta for s in g for t in g if hamming(s, t) == 1
)
excess = lambda p, q, g, gamma: sum(p[s] * g[s] for s in p) - gamma * sum(q[s] * g[s] for s in q)
all_or_nothing = lambda f, gamma: 1 + f * (gamma - 1)

# an event of probability gamma/10 + delta where a record is in the sample, and 1/10 elsewhere
if_present = lambda r, samples, gamma, delta: {s: gamma / 10 + delta if r in s else 1 / 10 for s in samples}
rate = lambda n, N, gamma: all_or_nothing(n / N, gamma)

_UP_TO_FOUR = "all n <= N <= 4, all frames of N units with records a and b and all replacements of a record"

_Sampled = Callable[[tuple[UnitData, UnitData], int], Laws]

_sizes = lambda sampled=simple_laws, largest=4: (
    (sampled(frames, size), (size, frame_size))
    for frame_size in range(1, largest + 1)
    for size, frames in product(range(1, frame_size + 1), neighbours_of(frame_size))
)
simple = worst_releases(f"simple random samples without replacement of {_UP_TO_FOUR}", "n N", _sizes)
of_same_units = worst_releases(
    f"the same, where only samples of the same units are compared: {_UP_TO_FOUR}", "n N", _sizes, Compared.SAME_UNITS
)
with_replacement = worst_releases(
    "samples with replacement, all n <= N <= 3, all frames of N units with records a and b and all replacements of a "
    "record",
    "n N",
    lambda: _sizes(
        lambda frames, size: laws_of(lambda frame, source: sample_with_replacement(frame, source, size=size), frames), 3
    ),
)
_DELTAS = (Fraction(1, 20), Fraction(1, 3))
_UNIT = hamming_unordered("unit")

approximate = cases(
    f"simple random samples without replacement of {_UP_TO_FOUR}; e^epsilon = 3/2 and 3, delta = 1/20 and 1/3; the "
    "worst release by an exact linear program",
    "p q g gamma delta n N",
)(
    lambda: (
        (p, q, found.chances, gamma, delta, size, frame_size)
        for ((p, q), (size, frame_size)), gamma, delta in product(_sizes(), GAMMAS, _DELTAS)
        for target in [1 + Fraction(size, frame_size) * (gamma - 1)]
        for found in [worst_excess(p, q, lambda s, t: _UNIT(s, t) == 1, gamma=gamma, delta=delta, target=target)]
    )
)

delta_at_most = lambda g, gamma, delta, p, q, n, N, share: (
    not keeps_delta(g, gamma, delta) or excess(p, q, g, all_or_nothing(n / N, gamma)) <= share * delta
)
amplified_at_rate = lambda g, gamma, p, n, N, q: at_most_replaced(p, q, g, all_or_nothing(n / N, gamma), gamma)
amplified_at_less = lambda p, q, g, gamma, n, N: at_most_replaced(p, q, g, all_or_nothing((n - 1) / N, gamma), gamma)
delta_at_less = lambda p, q, g, gamma, delta, n, N: delta_at_most(g, gamma, delta, p, q, n, N, (n - 1) / N)

state("survey.sampling.theorem", "dissertation, Theorem 6.4.1")(
    """Let C be a sampling scheme that uniformly randomly samples n values out of N possible values without replacement.
    Given an (epsilon, delta)-bounded differentially private mechanism M, we have that M o C is (epsilon',
    delta')-bounded differentially private for epsilon' = log(1 + n/N [e^epsilon - 1]) and delta' = n/N delta.""",
    every(simple, amplified_at_rate),
    mutant("n - 1 for n", amplified_at_less),
    every(approximate, lambda p, q, g, gamma, delta, n, N: delta_at_most(g, gamma, delta, p, q, n, N, n / N)),
    mutant("(n - 1)/N delta", delta_at_less),
    theorem(
        "amplification.srswor_amplified",
        "amplification.srswor_pure",
        "amplification.srswor_multiset_amplified",
        within="finite frames",
    ),
    mutant("with replacement", every(with_replacement, amplified_at_rate)),
    mutant(
        "only samples of the same units are compared",
        every(
            of_same_units, lambda p, q, g, gamma, n, N: at_most_same_units(p, q, g, all_or_nothing(n / N, gamma), gamma)
        ),
    ),
    reading="""a sample is a set of records with their units; one record of it may be replaced by any other, of another
    unit too, as 'changing the values of one record' has it; see survey.sampling.same-units and
    survey.sampling.unit-order""",
)

delta_attained = lambda gamma, delta, p, q, n, N, share: all(
    keeps_delta(h, gamma, delta) and excess(p, q, h, all_or_nothing(n / N, gamma)) == share * delta
    for h in [if_present((1, "a"), outcomes(p, q), gamma, delta)]
)
attained_with_slack = lambda p, q, g, gamma, n, N, slack: attained_replaced(
    p, q, g, all_or_nothing(n / N + slack, gamma), gamma
)

own("survey.sampling.theorem.sharp", "dissertation, Theorem 6.4.1")(
    """No smaller epsilon' and no smaller delta' would do in Theorem 6.4.1: some release of the sample attains each, for
    the delta one that depends only on whether one record is in the sample.""",
    every(simple, lambda p, q, y, gamma, n, N: bound_by_replaced(p, q, y, all_or_nothing(n / N, gamma), gamma)),
    every(simple, lambda p, q, g, gamma, n, N: attained_replaced(p, q, g, all_or_nothing(n / N, gamma), gamma)),
    every(approximate, lambda p, q, gamma, delta, n, N: delta_attained(gamma, delta, p, q, n, N, n / N)),
    mutant("a hundredth more", every(simple, attained_with_slack, slack=Fraction(1, 100))),
    mutant("(n - 1)/N delta", lambda p, q, gamma, delta, n, N: delta_attained(gamma, delta, p, q, n, N, (n - 1) / N)),
)

own("survey.sampling.theorem.sharp.pure", "dissertation, Theorem 6.4.1")(
    """For every sampling design no smaller epsilon' would do in Theorem 6.4.1: some epsilon-DP release of the sample
    attains it between two frames that differ in one record.""",
    every(simple, lambda p, q, g, gamma, n, N: attained_replaced(p, q, g, all_or_nothing(n / N, gamma), gamma)),
    mutant("a hundredth more", every(simple, attained_with_slack, slack=Fraction(1, 100))),
    theorem("amplification_attained.amplification_attained", within="finite frames"),
)

bound_with_replacement = lambda N, gamma, n: all_or_nothing(1 / N, gamma) ** n

state("survey.sampling.with-replacement", "dissertation, section 6.4.1")(
    "Balle et al. (2018) proof the following theorem for simple random sampling with replacement …",
    every(with_replacement, amplified_at_rate),
    reading="that Theorem 6.4.1 holds for it",
    grade=misprint(
        "without for with: so the theorem says itself, and so section 6.5.2 uses it; a unit that is drawn "
        "twice counts twice"
    ),
)

bounded_by_draws = lambda p, q, y, gamma, N, n: bound_by_replaced(p, q, y, all_or_nothing(1 / N, gamma) ** n, gamma)
attained_by_draws = lambda p, q, g, gamma, N, n: attained_replaced(p, q, g, all_or_nothing(1 / N, gamma) ** n, gamma)

own("survey.sampling.with-replacement.sharp", "dissertation, section 6.4.1", "dissertation, section 7.3")(
    """For a simple random sample with replacement, in which a record appears as often as its unit is drawn, the
    smallest epsilon' is n log(1 + (e^epsilon - 1)/N): more than the bound of Theorem 6.4.1 wherever n > 1, and more
    than epsilon where n = N > 1.""",
    every(with_replacement, bounded_by_draws),
    mutant(
        "1 - (1 - 1/N)^n for the rate",
        lambda p, q, g, gamma, n, N: attained_replaced(p, q, g, all_or_nothing(1 - (1 - 1 / N) ** n, gamma), gamma),
    ),
    every(with_replacement, attained_by_draws),
    every(with_replacement, lambda gamma, n, N: n == 1 or bound_with_replacement(N, gamma, n) > rate(n, N, gamma)),
    every(with_replacement, lambda gamma, n, N: n == 1 or n < N or bound_with_replacement(N, gamma, n) > gamma),
    repairs="survey.sampling.with-replacement",
)

_EPSILONS = tuple(Fraction(k, 10) for k in range(1, 11))

small_numbers = cases("f = 1/1000, 1/100, 1/10, 1/5, …, 9/10; epsilon = 1/10, 2/10, …, 1", "f epsilon")(
    lambda: product((Fraction(1, 1000), Fraction(1, 100), *(Fraction(k, 10) for k in range(1, 10))), _EPSILONS)
)
small_draws = cases("n = 1, …, 10 of N = 10, 100 and 1000; epsilon = 1/10, 2/10, …, 1", "n N epsilon")(
    lambda: product(range(1, 11), (10, 100, 1000), _EPSILONS)
)

is_about = lambda x, y, share: y * (1 - share) <= x <= y * (1 + share)
about = lambda f, epsilon, factor: is_about(ln(1 + f * (exp(epsilon) - 1)), factor * epsilon, epsilon)
draws_about = lambda n, epsilon, N, factor: is_about(n * ln(1 + (exp(epsilon) - 1) / N), factor * epsilon, epsilon)

state("survey.sampling.small-budgets", "dissertation, section 6.4.1")(
    """Note that for small epsilon and small sampling rates this implies that epsilon' ~ n/N epsilon, i.e., the
    amplification is proportional to the sampling rate.""",
    every(small_numbers, lambda f, epsilon: about(f, epsilon, f), verdict=Verdict.ENCLOSED),
    mutant("half of it", lambda f, epsilon: about(f, epsilon, f / 2)),
    reading="up to a share epsilon of it, for epsilon <= 1; all rates are tried, not small ones alone",
)

_bernoulli = lambda frames, rate: laws_of(lambda frame, source: bernoulli_sample(frame, source, rate=rate), frames)
_of_three = lambda scope, pair, compared=Compared.REPLACED: worst_releases(
    f"Bernoulli samples at the rates 1/10 and 1/2 of all frames of up to 3 units with records a and b, {scope}",
    "f",
    lambda: (
        (_bernoulli(pair(*frames), rate), (rate,))
        for frame_size, rate in product(range(1, 4), (Fraction(1, 10), Fraction(1, 2)))
        for frames in neighbours_of(frame_size)
    ),
    compared,
)
_both = lambda first, second: (first, second)
independent = _of_three("a unit added or removed, and so of samples", lambda one, _: (one, one[1:]), Compared.ADDED)
of_one_size = _of_three("a record replaced, and so of samples", _both)
added_records = _of_three("a record replaced; of samples a record is added or removed", _both, Compared.ADDED)

bounded_as_replaced = lambda p, q, y, gamma, f: bound_by_added(
    p, q, y, all_or_nothing(f, gamma) / all_or_nothing(f, 1 / gamma), gamma
)
at_most_as_if_added = lambda p, q, g, gamma, f: at_most_added(p, q, g, all_or_nothing(f, gamma), gamma)
attained_as_replaced = lambda p, q, g, gamma, f: attained_added(
    p, q, g, all_or_nothing(f, gamma) / all_or_nothing(f, 1 / gamma), gamma
)
at_half_the_rate = lambda p, q, g, gamma, f: at_most_added(p, q, g, all_or_nothing(f / 2, gamma), gamma)
at_most_as_if_of_all = lambda p, q, g, gamma, f: at_most_replaced(p, q, g, all_or_nothing(f, gamma), gamma)

own("survey.sampling.independent", "dissertation, section 6.4.1", "dissertation, section 7.3")(
    """For a Poisson sample the smallest epsilon' is log(1 + f [e^epsilon - 1]), f the rate of the unit, where a unit is
    added or removed. Where a record of the frame is replaced and one of the sample is added or removed it is log(1 + f
    [e^epsilon - 1]) - log(1 - f [1 - e^-epsilon]). Where only samples of one size are compared it is epsilon: nothing
    is amplified, since the whole frame may be drawn.""",
    every(independent, lambda p, q, y, gamma, f: bound_by_added(p, q, y, all_or_nothing(f, gamma), gamma)),
    every(independent, lambda p, q, g, gamma, f: attained_added(p, q, g, all_or_nothing(f, gamma), gamma)),
    every(added_records, bounded_as_replaced),
    mutant("replaced records as if added", at_most_as_if_added),
    every(added_records, attained_as_replaced),
    every(of_one_size, lambda p, q, y, gamma: bound_by_replaced(p, q, y, gamma, gamma)),
    mutant("samples of one size as if of all", at_most_as_if_of_all),
    every(of_one_size, lambda p, q, g, gamma: attained_replaced(p, q, g, gamma, gamma)),
)

own("survey.sampling.independent.bound", "dissertation, section 6.4.1", "dissertation, section 7.3")(
    """Where a unit is added or removed, a Poisson sample gives every (epsilon, delta)-DP release of the sample the
    budget log(1 + f [e^epsilon - 1]) and f delta, f the rate of the unit, or the largest rate.""",
    every(independent, lambda p, q, y, gamma, f: bound_by_added(p, q, y, all_or_nothing(f, gamma), gamma)),
    mutant("at half the rate", at_half_the_rate),
    theorem(
        "poisson.poisson_amplified",
        "poisson.poisson_added",
        "poisson.poisson_inclusion",
        "poisson.poisson_unbounded_dp",
        within="finite frames",
    ),
)

state("survey.sampling.simple-designs", "dissertation, section 7.3")(
    """Specifically, for small sampling rates r and small privacy loss parameters epsilon, applying certain simple
    sampling designs (simple random sampling with and without replacement, and Poisson sampling) before running an
    epsilon-DP mechanism reduces the privacy loss to approximately r epsilon.""",
    every(small_numbers, lambda f, epsilon: about(f, epsilon, f), verdict=Verdict.ENCLOSED),
    mutant("r/2", lambda f, epsilon: about(f, epsilon, f / 2)),
    every(small_draws, lambda n, N, epsilon: draws_about(n, epsilon, N, n / N), verdict=Verdict.ENCLOSED),
    mutant("1/N for n/N", lambda n, N, epsilon: draws_about(n, epsilon, N, 1 / N)),
    reading="""up to a share epsilon of it, for epsilon <= 1, of the smallest losses of the three designs: those of
    survey.sampling.theorem.sharp, survey.sampling.with-replacement.sharp with r = n/N, and survey.sampling.independent
    with a unit added or removed""",
)

# which samples are compared: of the same units, in the order of units, and of frames with a unit more or less

at_the_sampling_rate = lambda p, q, g, gamma, n, N: attained_same_units(p, q, g, all_or_nothing(n / N, gamma), gamma)

own("survey.sampling.same-units", "dissertation, Theorem 6.4.1", "dissertation, section 6.5.1")(
    """Where the mechanism on samples is private only between samples of the same units, simple random sampling
    amplifies nothing: some release tells the units, and the smallest epsilon' is epsilon.""",
    every(of_same_units, lambda p, q, y, gamma: bound_by_same_units(p, q, y, gamma, gamma)),
    mutant("at the sampling rate", at_the_sampling_rate),
    every(of_same_units, lambda p, q, g, gamma: attained_same_units(p, q, g, gamma, gamma)),
    theorem("amplification_attained.labelled_not_amplified", within="finite frames"),
)

_in_order = lambda sample: tuple(record for _, record in sample)


def _listed(sizes: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    limit = hamming_ordered("unit")
    for frame_size, gamma in product(sizes, GAMMAS):
        frames = tuple(
            tuple((unit, record if unit == 1 else f"record {unit}") for unit in range(1, frame_size + 1))
            for record in ("a", "b")
        )
        p, q = (law.push(_in_order) for law in simple_laws((frames[0], frames[1]), 2))
        yield p, q, (worst_release(p, q, power_limit(gamma, limit)).weights), gamma, 2, frame_size


unit_order = cases(
    "simple random samples of 2 of 3 and of 4 units, each with a record of its own and the first with another one, as "
    "tuples of records in the order of the units; e^epsilon = 3/2 and 3; the worst release",
    "p q g gamma n N",
)(lambda: _listed((3, 4)))

released_above_in_order = lambda g, gamma, p, q, rate: (
    keeps_ordered(g, gamma) and released(p, g) > all_or_nothing(rate, gamma) * released(q, g)
)

own("survey.sampling.unit-order", "dissertation, Theorem 6.4.1")(
    """For samples that are tuples of records in the order of the units, compared place by place, Theorem 6.4.1 does not
    hold: a unit that comes in or drops out shifts the others.""",
    every(unit_order, lambda p, q, g, gamma, n, N: released_above_in_order(g, gamma, p, q, n / N)),
    mutant("twice the rate", lambda p, q, g, gamma, n, N: released_above_in_order(g, gamma, p, q, 2 * n / N)),
)

fixed_size: Cases = worst_releases(
    "simple random samples of one size n, a unit added to or removed from the frame, N the larger of the two numbers "
    "of units; all n < N <= 4 and frames with records a and b; of samples records are added or removed",
    "n N",
    lambda: (
        (both, (size, frame_size))
        for frame_size in range(2, 4 + 1)
        for size in range(1, frame_size)
        for larger, _ in neighbours_of(frame_size)
        for both in [(simple_laws((larger, larger), size)[0], simple_laws((larger[1:], larger), size)[0])]
    ),
    Compared.ADDED,
)

bound_added_units = lambda n, N, gamma: all_or_nothing(n / N, gamma**2)
by_bounded_form = lambda p, q, g, gamma, n, N: at_most_added(p, q, g, all_or_nothing(n / N, gamma), gamma)

own("survey.sampling.unbounded", "dissertation, Theorem 6.4.1")(
    """In unbounded DP, where units are added to the frame and removed, the smallest epsilon' of a simple random sample
    of fixed size is log(1 + n/N [e^(2 epsilon) - 1]), with the larger N: above epsilon wherever n/N > 1/(e^epsilon +
    1).""",
    every(fixed_size, lambda p, q, y, gamma, n, N: bound_by_added(p, q, y, all_or_nothing(n / N, gamma**2), gamma)),
    mutant("the bounded form", by_bounded_form),
    every(fixed_size, lambda p, q, g, gamma, n, N: attained_added(p, q, g, all_or_nothing(n / N, gamma**2), gamma)),
    every(fixed_size, lambda gamma, n, N: (bound_added_units(n, N, gamma) > gamma) == (n / N > 1 / (gamma + 1))),
)
