"""Sampling designs: each draws the units of the sample from a frame.

A design is a program, so that its exact law τ_𝔣 on sets of units is `mechanisms.exact_law(design, frame, …)`. Its
first-order inclusion probabilities stand in closed form in `mechanisms.surveys.inclusion`.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.allocation import Allocation, checked_sizes, randomly_rounded
from stirred.mechanisms.surveys.frames import (
    checked_measures,
    checked_units,
    grouped,
    open_or,
    records_by_group,
    sample_size,
)
from stirred.spec.arguments import Exact, InputError, positive_integer, sampling_rate, shown
from stirred.spec.laws.law import Probability
from stirred.spec.surveys.unit_data import UnitData, units

Units = tuple[Any, ...]

Order = Callable[[UnitData, Source], Units]
"""The units of a frame in the order in which a systematic design goes through them."""


def select(frame: UnitData, sample: Sequence[Any]) -> UnitData:
    """The data set 𝔰 of a sample: the pairs (unit, record) of its units.

    >>> select((("a", 0), ("b", 1), ("c", 1)), ("a", "c"))
    (('a', 0), ('c', 1))
    """
    times = _times(frame, sample)
    for unit, count in times.items():
        if count > 1:
            raise InputError(f"sample must hold each unit once; got {unit!r} {count} times: select_draws counts draws")
    return tuple(pair for pair in frame if pair[0] in times)


def select_draws(frame: UnitData, sample: Sequence[Any]) -> UnitData:
    """The data set of a sample with replacement: for each unit that was drawn (its record, how often it was drawn).

    >>> select_draws((("a", 0), ("b", 1)), ("b", "b"))
    (('b', (1, 2)),)
    """
    times = _times(frame, sample)
    return tuple((unit, (record, times[unit])) for unit, record in frame if unit in times)


def _times(frame: UnitData, sample: Sequence[Any]) -> Counter[Any]:
    if isinstance(sample, str) or not isinstance(sample, Sequence):
        raise InputError(f"sample must be a tuple of units; got {sample!r}")
    known, times = set(checked_units("frame", frame)), Counter(sample)
    for unit in times:
        if unit not in known:
            raise InputError(f"sample must be of units of the frame; got {unit!r}")
    return times


def _some(candidates: Sequence[Any], source: Source, size: int) -> Units:
    """A uniform subset of this size, in the order of the candidates: each in turn is taken or left."""
    taken: list[Any] = []
    for place, candidate in enumerate(candidates):
        if source.bernoulli(Fraction(size - len(taken), len(candidates) - place)):
            taken.append(candidate)
    return tuple(taken)


def simple_random_sample(frame: UnitData, source: Source, *, size: int) -> Units:
    """Simple random sampling without replacement: each set of n units has the same probability. π_i = n/N.

    Args:
        size: n, from 1 to N.

    Returns:
        The units of the sample, in their order.
    """
    labels = checked_units("frame", frame)
    return _some(labels, source, sample_size("size", size, len(labels)))


def sample_with_replacement(
    frame: UnitData, source: Source, *, size: int, measure: Callable[[Any], Exact] | None = None
) -> Units:
    """Each of n units drawn independently with probability p_i = x_i/Σx, or 1/N without x. π_i = 1 − (1 − p_i)^n.

    Args:
        size: n ≥ 1, which may be above N.
        measure: the measure of size x > 0 of a record (sampling with probability proportional to size).

    Returns:
        The units that were drawn, in their order, each as often as it was drawn.
    """
    measures = checked_measures(frame, measure or (lambda _: 1))
    total = sum(measures.values())
    weights = tuple(one / total for one in measures.values())
    draws = [source.choose(weights) for _ in range(positive_integer("size", size))]
    return tuple(frame[place][0] for place in sorted(draws))


def bernoulli_sample(frame: UnitData, source: Source, *, rate: Probability | int) -> Units:
    """Bernoulli sampling: each unit independently, with one probability. π_i = r.

    Args:
        rate: r in (0, 1]; `spec.SYMBOL` leaves it open.
    """
    one = open_or(sampling_rate, "rate", rate)
    return poisson_sample(frame, source, rates=lambda _, __: one)


def poisson_sample(frame: UnitData, source: Source, *, rates: Callable[[Any, Any], Probability | int]) -> Units:
    """Poisson sampling: each unit independently, with a probability of its own. π_i = rates(i, 𝔣_i).

    Args:
        rates: the probability of a unit and its record, in (0, 1]; it may depend on `spec.SYMBOL`.
    """
    checked_units("frame", frame)
    found = [
        (unit, open_or(sampling_rate, f"the rate of unit {unit!r}", rates(unit, record))) for unit, record in frame
    ]
    return tuple([unit for unit, rate in found if source.bernoulli(rate)])


def stratified_sample(
    frame: UnitData, source: Source, *, stratum: Callable[[Any], Hashable], sizes: Allocation
) -> Units:
    """A simple random sample without replacement in each stratum, independently. π_i = n_h/N_h.

    Args:
        sizes: from the records of each stratum to its sample size n_h, as `mechanisms.surveys.allocation` has them. A
            size may be 0: then the units of the stratum have no chance, and no weight makes up for them.
    """
    strata = grouped("stratum", frame, stratum)
    records = records_by_group(frame, strata)
    counts = checked_sizes(records, sizes(records))
    return tuple(sorted(unit for h, members in strata.items() for unit in _some(members, source, counts[h])))


def randomly_rounded_sample(
    frame: UnitData, source: Source, *, stratum: Callable[[Any], Hashable], rate: Exact
) -> Units:
    """Stratified sampling with a proportional allocation that is rounded at random. π_i = r.

    The sizes are drawn by `mechanisms.surveys.allocation.randomly_rounded`.
    """
    return stratified_sample(
        frame, source, stratum=stratum, sizes=lambda strata: randomly_rounded(strata, source, rate=rate)
    )


def cluster_sample(frame: UnitData, source: Source, *, cluster: Callable[[Any], Hashable], number: int) -> Units:
    """All units of m clusters, these a simple random sample without replacement of the M clusters. π_i = m/M.

    Args:
        number: m, from 1 to M.
    """
    clusters = grouped("cluster", frame, cluster)
    chosen = _some(tuple(clusters), source, sample_size("number", number, len(clusters), "clusters of the frame"))
    return tuple(sorted(unit for one in chosen for unit in clusters[one]))


def unit_order(frame: UnitData, source: Source) -> Units:  # noqa: ARG001
    """The fixed order of the units themselves."""
    return checked_units("frame", frame)


def random_order(frame: UnitData, source: Source) -> Units:
    """A uniform order."""
    labels = checked_units("frame", frame)
    return tuple(labels[place] for place in source.permutation(len(labels)))


def sorted_order(key: Callable[[Any], Any]) -> Order:
    """The fixed order by a key of the records, then by unit: a list sorted by what is known of the units."""

    def order(frame: UnitData, source: Source) -> Units:  # noqa: ARG001
        return tuple(unit for members in grouped("order", frame, key).values() for unit in members)

    return order


def _in_order(frame: UnitData, order: Order, source: Source) -> Units:
    line = order(frame, source)
    if tuple(sorted(line)) != units(frame):
        raise InputError(f"order must hold each unit of the frame once; got {line!r}")
    return line


def systematic_sample(frame: UnitData, source: Source, *, step: int, order: Order = unit_order) -> Units:
    """Every a-th unit of the frame in an order, from a uniform start among the first a. π_i = 1/a.

    Args:
        step: a, from 1 to N. Where it does not divide N, the size of the sample depends on the start.
        order: `unit_order`, `sorted_order(key)` or `random_order`.
    """
    labels = checked_units("frame", frame)
    every = sample_size("step", step, len(labels))
    start = source.uniform(every)
    return tuple(sorted(_in_order(frame, order, source)[start::every]))


def pps_sample(
    frame: UnitData, source: Source, *, measure: Callable[[Any], Exact], size: int, order: Order = unit_order
) -> Units:
    """Systematic sampling without replacement with probability proportional to size. π_i = n·x_i/Σx.

    The units lie in order on a line, each on a piece of length π_i; sampled are those on whose pieces lie U, U + 1, …,
    U + n − 1, for U uniform on [0, 1). Between two neighbouring ends of pieces, modulo 1, the sample does not change:
    one choice among these stretches is the exact law.

    Args:
        measure: the measure of size x > 0 of a record.
        size: n ≥ 1.
        order: `unit_order`, `sorted_order(key)` or `random_order`.
    """
    rates = pps_rates(frame, measure=measure, size=size)
    line = _in_order(frame, order, source)
    ends = tuple(accumulate(rates[unit] for unit in line))
    cuts = sorted({end % 1 for end in ends})  # 0 among them, since the last end is n
    widths = tuple(high - low for low, high in zip(cuts, [*cuts[1:], Fraction(1)], strict=True))
    start = cuts[source.choose(widths)]
    return tuple(sorted(_on_pieces(line, ends, start)))


def pps_rates(frame: UnitData, *, measure: Callable[[Any], Exact], size: int) -> dict[Any, Fraction]:
    """π_i = n·x_i/Σx by unit.

    Source: dissertation, section 7.4 (the inclusion probability of sampling proportional to size).
    """
    measures, n = checked_measures(frame, measure), positive_integer("size", size)
    total = sum(measures.values())
    found = {unit: n * one / total for unit, one in measures.items()}
    for unit, rate in found.items():
        if rate > 1:
            raise InputError(f"n·x/Σx of unit {unit!r} must be at most 1; got {shown(rate)}")
    return found


def _on_pieces(line: Sequence[Any], ends: Sequence[Fraction], start: Fraction) -> list[Any]:
    """The units whose piece [end before, end) holds start + k for an integer k ≥ 0."""
    found, mark = [], start
    for unit, end in zip(line, ends, strict=True):
        if mark < end:  # and not before the piece: pieces are no longer than 1
            found.append(unit)
            mark += 1
    return found
