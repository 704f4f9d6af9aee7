"""Weighted samples in the language of cases: a sample is a set of (unit, x, w), unit, variable and weight."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from stirred.mechanisms.surveys.allocation import fixed, neyman, proportional
from stirred.mechanisms.surveys.designs import (
    bernoulli_sample,
    cluster_sample,
    pps_sample,
    simple_random_sample,
    stratified_sample,
    systematic_sample,
)
from stirred.spec.surveys.unit_data import UnitData, unit_data
from stirred.verify.ledger.engines.design_weights import weighted_samples
from stirred.verify.ledger.language_names import oo

Sample = frozenset[tuple[Any, Any, Fraction]]

expansion = lambda s: sum(w * x for u, x, w in s)
records_of = lambda s: {(u, x) for u, x, w in s}
other_records = lambda s, t: sum(1 for r in records_of(s) if r not in records_of(t)) if len(s) == len(t) else oo
one_weight = lambda s, t: all(w == v for u, x, w in s for i, y, v in t if u == i)
weights_stay = lambda D: all(one_weight(s, t) for s in D for t in D if len(s) == len(t))
weights_change_at_once = lambda D: any(not one_weight(s, t) for s in D for t in D if other_records(s, t) <= 1)
weights_in = lambda D: {w for s in D for u, x, w in s}
values_in = lambda D: {x for s in D for u, x, w in s}
expanded_in = lambda D: {w * x for s in D for u, x, w in s}
range_of = lambda values: max(values) - min(values)


def populations(values: Sequence[int] = (1, 2)) -> Iterator[UnitData]:
    """Four units, two in each of two groups, with these values of x, in increasing order in each group."""
    for (a, b), (c, d) in product(list(combinations_with_replacement(values, 2)), repeat=2):
        yield unit_data({1: (0, a), 2: (0, b), 3: (1, c), 4: (1, d)})


def frames_of(population: UnitData) -> tuple[UnitData, ...]:
    """All units, or all but one: a frame that misses a unit of the population."""
    return (population, *combinations(population, len(population) - 1))


def neighbors_of(population: UnitData, values: Sequence[int] = (1, 2)) -> Iterator[UnitData]:
    """Populations where one unit has another of the values, which increase in each group."""
    for other in populations(values):
        if sum(a != b for a, b in zip(population, other, strict=True)) == 1:
            yield other


def with_records(frame: UnitData, units: Sequence[Any], rates: Mapping[Any, Fraction]) -> Sample:
    """The sample of these units of a frame, with the inverses of these probabilities as weights."""
    records = dict(frame)
    return frozenset((unit, records[unit][1], 1 / rates[unit]) for unit in units)


def _measured(record: tuple[int, ...]) -> int:
    return record[1]


def _group(record: tuple[int, ...]) -> int:
    return record[0]


FIXED_SIZE: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "simple random sampling": (simple_random_sample, {"size": 2}),
    "stratified, one unit each": (stratified_sample, {"stratum": _group, "sizes": fixed({0: 1, 1: 1})}),
    "stratified, proportional": (stratified_sample, {"stratum": _group, "sizes": proportional(2)}),
    "PPS": (pps_sample, {"measure": _measured, "size": 2}),
}
"""Designs of samples of two units; records are (stratum or cluster, x), and x is also the measure of size."""

DESIGNS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    **FIXED_SIZE,
    "stratified, Neyman": (stratified_sample, {"stratum": _group, "sizes": neyman(3, variable=_measured)}),
    "systematic": (systematic_sample, {"step": 2}),
    "Bernoulli": (bernoulli_sample, {"rate": Fraction(1, 2)}),
    "clusters": (cluster_sample, {"cluster": _group, "number": 1}),
}
"""Designs of the chapter."""


@cache
def drawn(name: str, frame: UnitData) -> tuple[Sample, ...]:
    """The samples that a design can draw, with their weights."""
    design, parameters = DESIGNS[name]
    samples = weighted_samples(design, frame, **parameters)
    return tuple(frozenset((unit, record[1], weight) for unit, (record, weight) in sample) for sample in samples)
