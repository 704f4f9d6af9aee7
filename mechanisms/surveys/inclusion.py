"""First-order inclusion probabilities π_i = P(i in the sample) of the designs, in closed form."""

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.allocation import Allocation, checked_sizes
from stirred.mechanisms.surveys.designs import (
    Order,
    bernoulli_sample,
    cluster_sample,
    poisson_sample,
    pps_rates,
    pps_sample,
    randomly_rounded_sample,
    sample_with_replacement,
    select,
    simple_random_sample,
    stratified_sample,
    systematic_sample,
)
from stirred.mechanisms.surveys.frames import checked_measures, checked_units, grouped, records_by_group, sample_size
from stirred.spec.arguments import Exact, InputError, positive_integer, sampling_rate
from stirred.spec.laws.law import Law
from stirred.spec.surveys.unit_data import UnitData, units

# Sampling without replacement with probability proportional to size, so that every set is possible.


def sampford_sample(frame: UnitData, source: Source, *, measure: Callable[[Any], Exact], size: int) -> tuple[Any, ...]:
    """Sampling without replacement with probability proportional to size, by Sampford's method. π_i = n·x_i/Σx.

    The set S has a probability proportional to Π_S π_i/(1 − π_i) · Σ_S (1 − π_i). Sampford draws sets with replacement
    until the n units differ; here each unit in turn is taken with its probability given those before it, which is the
    same law, with a choice for each unit. Every set of n units is possible, unlike in systematic sampling.

    Args:
        measure: the measure of size x > 0 of a record.
        size: n ≥ 1.

    Source: Sampford (1967).
    """
    rates = sampford_rates(frame, measure=measure, size=size)
    odds, left = [rate / (1 - rate) for rate in rates.values()], [1 - rate for rate in rates.values()]
    tails = _tails(odds, left, size)
    chosen: list[Any] = []
    spare = Fraction(0)  # the sum of 1 − π over the units that are taken
    for place, (unit, _) in enumerate(frame):
        needed = size - len(chosen)
        if not needed:
            break
        taken = odds[place] * _weight(tails[place + 1][needed - 1], spare + left[place])
        share = taken / _weight(tails[place][needed], spare)
        if share == 1 or source.bernoulli(share):
            chosen.append(unit)
            spare += left[place]
    return tuple(chosen)


def _weight(tail: tuple[Fraction, Fraction], spare: Fraction) -> Fraction:
    """The weight of all sets that go on in one way: Σ_T Π_T odds · (spare + Σ_T (1 − π))."""
    return spare * tail[0] + tail[1]


def _tails(odds: list[Fraction], left: list[Fraction], size: int) -> list[list[tuple[Fraction, Fraction]]]:
    """Σ_T Π_T odds and Σ_T Π_T odds · Σ_T (1 − π) over the m units T from each place on, by place and m ≤ n."""
    none = (Fraction(0), Fraction(0))
    found = [[(Fraction(1), Fraction(0)), *[none] * size]]
    for odd, spare in zip(reversed(odds), reversed(left), strict=True):
        after = found[-1]
        found.append(
            [after[0], *((out[0] + odd * one[0], out[1] + odd * _weight(one, spare)) for one, out in pairwise(after))]
        )
    return found[::-1]


def sampford_rates(frame: UnitData, *, measure: Callable[[Any], Exact], size: int) -> dict[Any, Fraction]:
    """π_i = n·x_i/Σx by unit, all below 1."""
    rates = pps_rates(frame, measure=measure, size=size)
    for unit, rate in rates.items():
        if rate == 1:
            raise InputError(f"n·x/Σx of unit {unit!r} must be below 1 for Sampford's method; got 1")
    return rates


# Sampling in stages: clusters by one design, then units of each cluster that was drawn by another.

Design = Callable[[UnitData, Source], tuple[Any, ...]]
"""A design whose parameters are given, such as `functools.partial(simple_random_sample, size=2)`."""


def clusters_as_units(frame: UnitData, cluster: Callable[[Any], Hashable]) -> dict[Any, UnitData]:
    """The part of the frame in each cluster; its items are a frame whose units are the clusters.

    >>> clusters_as_units((("a", 2), ("b", 1), ("c", 2)), lambda record: record)
    {1: (('b', 1),), 2: (('a', 2), ('c', 2))}
    """
    return {one: select(frame, members) for one, members in grouped("cluster", frame, cluster).items()}


def two_stage_sample(
    frame: UnitData, source: Source, *, cluster: Callable[[Any], Hashable], first: Design, second: Design
) -> tuple[Any, ...]:
    """Clusters drawn by a first design, and in each of them, independently, units by a second one. π_i = π_c·π_{i|c}.

    A stratified sample with any design inside the strata is one whose first design takes every cluster. More stages are
    a two-stage sample as the second design.

    Args:
        first: the design for the clusters. It sees each as a unit whose record is the cluster's own frame, so that a
            measure of size may be `len`. A cluster that it draws several times is sampled from once.
        second: the design for the units of one cluster.

    Source: dissertation, section 6.2.3 (the two-stage design of the Current Population Survey).

    >>> from functools import partial
    >>> from stirred.mechanisms import exact_law
    >>> from stirred.mechanisms.surveys.designs import pps_sample, simple_random_sample
    >>> frame = (("a", 2), ("b", 1), ("c", 2))
    >>> by_size, one = partial(pps_sample, measure=len, size=1), partial(simple_random_sample, size=1)
    >>> exact_law(two_stage_sample, frame, cluster=lambda record: record, first=by_size, second=one)
    Law({('b',): Fraction(1, 3), ('c',): Fraction(1, 3), ('a',): Fraction(1, 3)})
    """
    frames = clusters_as_units(frame, cluster)
    chosen = dict.fromkeys(first(tuple(frames.items()), source))
    return tuple(sorted(unit for one in chosen for unit in second(frames[one], source)))


Inclusion = dict[Any, Fraction]


def inclusion(design: Callable[..., tuple[Any, ...]], frame: UnitData, **parameters: Any) -> Inclusion:
    """π_i by unit: the probability that a unit of the frame is in the sample at least once.

    Args:
        design: a design of `mechanisms.surveys`, or a `functools.partial` that gives it parameters.

    Returns:
        By unit, in [0, 1]; 0 only where an allocation gives a stratum no unit of the sample.

    >>> inclusion(simple_random_sample, (("a", 0), ("b", 1), ("c", 1)), size=2)["a"]
    Fraction(2, 3)
    """
    if isinstance(design, partial) and not design.args:
        return inclusion(design.func, frame, **{**design.keywords, **parameters})
    if design not in DESIGNS:
        known = ", ".join(known.__name__ for known in DESIGNS)
        raise InputError(f"design must be one whose inclusion probabilities are known ({known}); got {design!r}")
    return DESIGNS[design](frame, **parameters)


def expected_draws(design: Callable[..., tuple[Any, ...]], frame: UnitData, **parameters: Any) -> Inclusion:
    """How often each unit of a frame is drawn on average: n·x_i/Σx with replacement (Hansen and Hurwitz), else π_i.

    The weight of a unit that is drawn t times is t over this, so that weighted totals are unbiased.

    >>> expected_draws(sample_with_replacement, (("a", 1), ("b", 3)), size=2, measure=lambda record: record)
    {'a': Fraction(1, 2), 'b': Fraction(3, 2)}
    """
    if design is not sample_with_replacement:
        return inclusion(design, frame, **parameters)
    measures = checked_measures(frame, parameters.get("measure") or (lambda _: 1))
    total, n = sum(measures.values()), positive_integer("size", parameters["size"])
    return {unit: n * one / total for unit, one in measures.items()}


def inclusion_in_law(law: Law[UnitData], frame: UnitData) -> Inclusion:
    """π_i by unit of the frame: the mass of the samples that hold it, from the exact law of a sample.

    Args:
        law: of samples as unit data, with rational probabilities.

    >>> from stirred.mechanisms import exact_law
    >>> from stirred.mechanisms.surveys.designs import select
    >>> frame = (("a", 0), ("b", 1))
    >>> drawn = exact_law(lambda data, source: select(data, simple_random_sample(data, source, size=1)), frame)
    >>> inclusion_in_law(drawn, frame)
    {'a': Fraction(1, 2), 'b': Fraction(1, 2)}
    """
    found = dict.fromkeys(units(frame), Fraction(0))
    for sample in law:
        for unit in units(sample):
            found[unit] += law.numeric(sample)
    return found


def _simple(frame: UnitData, *, size: int) -> Inclusion:
    labels = checked_units("frame", frame)
    return dict.fromkeys(labels, Fraction(sample_size("size", size, len(labels)), len(labels)))


def _with_replacement(frame: UnitData, *, size: int, measure: Callable[[Any], Exact] | None = None) -> Inclusion:
    measures = checked_measures(frame, measure or (lambda _: 1))
    total, n = sum(measures.values()), positive_integer("size", size)
    return {unit: 1 - (1 - one / total) ** n for unit, one in measures.items()}


def _bernoulli(frame: UnitData, *, rate: Exact) -> Inclusion:
    return dict.fromkeys(checked_units("frame", frame), sampling_rate("rate", rate))


def _poisson(frame: UnitData, *, rates: Callable[[Any, Any], Exact]) -> Inclusion:
    checked_units("frame", frame)
    return {unit: sampling_rate(f"the rate of unit {unit!r}", rates(unit, record)) for unit, record in frame}


def _stratified(frame: UnitData, *, stratum: Callable[[Any], Hashable], sizes: Allocation) -> Inclusion:
    strata = grouped("stratum", frame, stratum)
    records = records_by_group(frame, strata)
    counts = checked_sizes(records, sizes(records))
    rates = {unit: Fraction(counts[h], len(members)) for h, members in strata.items() for unit in members}
    return {unit: rates[unit] for unit in units(frame)}


def _randomly_rounded(frame: UnitData, *, stratum: Callable[[Any], Hashable], rate: Exact) -> Inclusion:
    grouped("stratum", frame, stratum)
    return _bernoulli(frame, rate=rate)


def _cluster(frame: UnitData, *, cluster: Callable[[Any], Hashable], number: int) -> Inclusion:
    clusters = grouped("cluster", frame, cluster)
    chosen = sample_size("number", number, len(clusters), "clusters of the frame")
    return dict.fromkeys(units(frame), Fraction(chosen, len(clusters)))


def _systematic(frame: UnitData, *, step: int, order: Order | None = None) -> Inclusion:  # noqa: ARG001
    labels = checked_units("frame", frame)
    return dict.fromkeys(labels, Fraction(1, sample_size("step", step, len(labels))))


def _pps(
    frame: UnitData,
    *,
    measure: Callable[[Any], Exact],
    size: int,
    order: Order | None = None,  # noqa: ARG001
) -> Inclusion:
    return pps_rates(frame, measure=measure, size=size)


def _two_stage(frame: UnitData, *, cluster: Callable[[Any], Hashable], first: Design, second: Design) -> Inclusion:
    frames = clusters_as_units(frame, cluster)
    rates = inclusion(first, tuple(frames.items()))
    found = {unit: rates[one] * rate for one, part in frames.items() for unit, rate in inclusion(second, part).items()}
    return {unit: found[unit] for unit in units(frame)}


DESIGNS: Mapping[Callable[..., tuple[Any, ...]], Callable[..., Inclusion]] = {
    simple_random_sample: _simple,
    sample_with_replacement: _with_replacement,
    bernoulli_sample: _bernoulli,
    poisson_sample: _poisson,
    stratified_sample: _stratified,
    randomly_rounded_sample: _randomly_rounded,
    cluster_sample: _cluster,
    systematic_sample: _systematic,
    pps_sample: _pps,
    sampford_sample: sampford_rates,
    two_stage_sample: _two_stage,
}
"""The closed form of each design."""
