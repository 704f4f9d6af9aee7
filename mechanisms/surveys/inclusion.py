"""First-order inclusion probabilities π_i = P(i in the sample) of the designs, in closed form."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

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
    simple_random_sample,
    stratified_sample,
    systematic_sample,
)
from stirred.mechanisms.surveys.frames import checked_measures, checked_units, sample_size, sampling_rate
from stirred.mechanisms.surveys.groups import grouped, records_by_group
from stirred.mechanisms.surveys.multistage import Design, clusters_as_units, two_stage_sample
from stirred.mechanisms.surveys.sampford import sampford_rates, sampford_sample
from stirred.spec.arguments import Exact, InputError, positive_integer
from stirred.spec.law import Law
from stirred.spec.surveys.unit_data import UnitData, units

__all__ = ["DESIGNS", "inclusion", "inclusion_in_law"]

Inclusion = dict[Any, Fraction]


def inclusion(design: Callable[..., tuple[Any, ...]], frame: UnitData, **parameters: Any) -> Inclusion:
    """π_i by unit: the probability that a unit of the frame is in the sample at least once.

    Args:
        design: a design of `mechanisms.surveys`, or a `functools.partial` that gives it parameters.
        frame: the frame.
        **parameters: as the design takes them.

    Returns:
        By unit, in [0, 1]; 0 only where an allocation gives a stratum no unit of the sample.

    Raises:
        InputError: it is another design, or the design refuses the frame or the parameters.

    >>> inclusion(simple_random_sample, (("a", 0), ("b", 1), ("c", 1)), size=2)["a"]
    Fraction(2, 3)
    """
    if isinstance(design, partial) and not design.args:
        return inclusion(design.func, frame, **{**design.keywords, **parameters})
    if design not in DESIGNS:
        known = ", ".join(known.__name__ for known in DESIGNS)
        raise InputError(f"design must be one whose inclusion probabilities are known ({known}); got {design!r}")
    return DESIGNS[design](frame, **parameters)


def inclusion_in_law(law: Law[UnitData], frame: UnitData) -> Inclusion:
    """π_i by unit of the frame: the mass of the samples that hold it, from the exact law of a sample.

    Args:
        law: of samples as unit data, with rational probabilities.
        frame: what they are drawn from.

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
