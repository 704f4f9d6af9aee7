"""What a release of a sample loses about the frame, by the design as a program: exact, on small populations."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.allocation import neyman, proportional
from stirred.mechanisms.surveys.designs import (
    bernoulli_sample,
    cluster_sample,
    pps_sample,
    random_order,
    randomly_rounded_sample,
    sample_with_replacement,
    simple_random_sample,
    stratified_sample,
    systematic_sample,
)
from stirred.spec.arguments import Exact, InputError
from stirred.spec.blocks.input_premetric import InputPremetric, hamming_unordered, symmetric_difference
from stirred.spec.laws.law import Law
from stirred.spec.surveys.amplification import Compared
from stirred.spec.surveys.unit_data import UnitData, changed_units, record_of, unit_data
from stirred.verify.engines.surveys.worst_release import WorstRelease, power_limit, small_budget, worse_way

Design = Callable[[UnitData, Source], Sequence[Any]]
"""A program that draws the units of the sample from a frame."""

Frames = tuple[UnitData, UnitData]

_DISTANCES: Mapping[Compared, Callable[[str], InputPremetric]] = {
    Compared.REPLACED: hamming_unordered,
    Compared.ADDED: symmetric_difference,
    Compared.SAME_UNITS: changed_units,
}


def distance_of_samples(compared: Compared) -> InputPremetric:
    """The distance of samples for these neighbours."""
    return _DISTANCES[compared]("unit")


def sample_law(design: Design, frame: UnitData) -> Law[UnitData]:
    """The law of the sample's data set: the pair (unit, record) of each unit drawn, as often as it was drawn.

    >>> sample_law(lambda frame, source: (frame[source.uniform(2)][0],), ((1, "a"), (2, "b")))
    Law({((1, 'a'),): Fraction(1, 2), ((2, 'b'),): Fraction(1, 2)})
    """
    return exact_law(lambda frame, source: _drawn(frame, design(frame, source)), frame)


def _drawn(frame: UnitData, chosen: Sequence[Any]) -> UnitData:
    return tuple((unit, record_of(frame, unit)) for unit in sorted(chosen))


def neighbouring_frames(records: Mapping[Any, Sequence[Hashable]], compared: Compared) -> Iterator[Frames]:
    """All pairs of neighbouring frames, each pair once: of units with these possible records.

    >>> len(list(neighbouring_frames({1: "ab", 2: "ab"}, Compared.REPLACED)))
    4
    """
    frames = [dict(zip(records, chosen, strict=True)) for chosen in product(*records.values())]
    for frame in frames:
        for unit in records:
            if compared is Compared.ADDED:
                yield unit_data(frame), unit_data({u: r for u, r in frame.items() if u != unit})
                continue
            later = list(records[unit])[list(records[unit]).index(frame[unit]) + 1 :]
            for record in later:
                yield unit_data(frame), unit_data({**frame, unit: record})


@dataclass(frozen=True)
class DesignLoss:
    """The largest loss of T∘S over all ε-DP releases T of the sample and some pairs of frames.

    Attributes:
        gamma: e^ε'; None stands for ∞.
        small_budget: the largest ε'/ε as ε → 0; None stands for ∞.
        frames: a pair of frames where the loss is largest, in the direction in which it is.
    """

    gamma: Fraction | None
    small_budget: Fraction | None
    frames: Frames
    release: WorstRelease


def amplified_loss(design: Design, pairs: Iterable[Frames], compared: Compared, gamma: Exact) -> DesignLoss:
    """The exact worst-case loss of a design on pairs of neighbouring frames."""
    premetric = distance_of_samples(compared)
    limit = power_limit(gamma, premetric)
    laws: dict[UnitData, Law[UnitData]] = {}
    worst: tuple[WorstRelease, Frames] | None = None
    share: Fraction | None = Fraction(0)
    for pair in pairs:
        for frame in pair:
            if frame not in laws:
                laws[frame] = sample_law(design, frame)
        p, _, found = worse_way((laws[pair[0]], laws[pair[1]]), limit)
        if worst is None or _exceeds(found.ratio, worst[0].ratio):
            worst = found, pair if p is laws[pair[0]] else (pair[1], pair[0])
        one = small_budget(laws[pair[0]], laws[pair[1]], premetric).share
        share = None if share is None or one is None else max(share, one)
    if worst is None:
        raise InputError("pairs must have at least one pair of frames; got none")
    return DesignLoss(worst[0].ratio, share, worst[1], worst[0])


def _exceeds(first: Fraction | None, second: Fraction | None) -> bool:
    return second is not None and (first is None or first > second)


@dataclass(frozen=True)
class DesignRow:
    """What all releases of a sample lose at most, over all neighbouring frames of a small population.

    Attributes:
        gamma: the largest e^ε'; None stands for ∞.
        small_budget: ε'/ε as ε → 0; None stands for ∞.
    """

    design: str
    compared: Compared
    gamma: Fraction | None
    small_budget: Fraction | None
    printed: str


@dataclass(frozen=True)
class _Example:
    words: str
    design: Design
    records: Mapping[int, Sequence[Any]]
    printed: str


def _example(
    words: str,
    records: Mapping[int, Sequence[Any]],
    printed: str,
    design: Callable[..., Sequence[Any]],
    **parameters: Any,
) -> _Example:
    return _Example(words, lambda frame, source: design(frame, source, **parameters), records, printed)


def _itself(record: Any) -> Any:
    return record


def _first(record: Any) -> Any:
    return record[0]


def _last(record: Any) -> Any:
    return record[-1]


def _clusters(*moved: tuple[int, str]) -> dict[int, list[tuple[int, str]]]:
    """Two clusters of two units whose values may change; the first unit may also have these records."""
    kept = {unit: [(unit // 2, value) for value in "ab"] for unit in range(4)}
    return {**kept, 0: [*kept[0], *moved]}


_FOUR = dict.fromkeys(range(4), "ab")
_ALIKE = {0: "ab", **dict.fromkeys(range(1, 4), "a")}
"""For designs that treat all units alike and use no record: the first unit stands for all."""

_INCOMES = {
    0: [("A", 40), ("A", 90)],
    1: [("A", 20), ("A", 30)],
    2: [("A", 20), ("A", 30)],
    3: [("B", 20)],
    4: [("B", 20)],
    5: [("B", 40)],
}
_SIZES = dict.fromkeys(range(4), (1, 2))
_SIMPLE = "reduces the privacy loss to approximately r epsilon"
_CLUSTERED = "negligible amplification in practice except for small epsilon and very small cluster sizes"
_PROPORTIONAL = "with minor adjustments … can provide privacy amplification"
_NEYMAN = "will likely result in privacy degradation"
_PPS = "will linearly depend on the maximum probability of inclusion (for small epsilon)"
_SYSTEMATIC = "only … if the ordering of the population is truly random"
_ONE_CLUSTER = {"cluster": _first, "number": 1}
_MOVED = _clusters((1, "a"))
_ROUNDED = {"stratum": _itself, "rate": Fraction(1, 4)}
_BY_RECORD = {"stratum": _itself, "sizes": proportional(2)}
_BY_INCOME = {"stratum": _first, "sizes": neyman(4, variable=_last)}

_EXAMPLES = (
    _example("simple random, 2 of 4", _ALIKE, "log(1 + n/N [e^epsilon - 1])", simple_random_sample, size=2),
    _example("with replacement, 2 from 4", _ALIKE, _SIMPLE, sample_with_replacement, size=2),
    _example("Bernoulli, 1/2 of 4", _ALIKE, _SIMPLE, bernoulli_sample, rate=Fraction(1, 2)),
    _example("1 of 2 clusters of 2, units stay in theirs", _clusters(), _CLUSTERED, cluster_sample, **_ONE_CLUSTER),
    _example("1 of 2 clusters, a unit may change its own", _MOVED, _CLUSTERED, cluster_sample, **_ONE_CLUSTER),
    _example("proportional, 2 of 4, largest remainders", _FOUR, _PROPORTIONAL, stratified_sample, **_BY_RECORD),
    _example("proportional, 1/4 of 4, rounded at random", _FOUR, _PROPORTIONAL, randomly_rounded_sample, **_ROUNDED),
    _example("Neyman, 4 of 6, units stay in their strata", _INCOMES, _NEYMAN, stratified_sample, **_BY_INCOME),
    _example("PPS, 1 of 4, sizes 1 and 2", _SIZES, _PPS, pps_sample, measure=_itself, size=1),
    _example("systematic PPS, 2 of 4, sizes 1 and 2", _SIZES, _PPS, pps_sample, measure=_itself, size=2),
    _example("systematic, 2 of 4, fixed order", _FOUR, _SYSTEMATIC, systematic_sample, step=2),
    _example("systematic, 2 of 4, random order", _ALIKE, _SYSTEMATIC, systematic_sample, step=2, order=random_order),
)


def design_table(gamma: Exact) -> tuple[DesignRow, ...]:
    """Each design with each of the three ways to compare frames and samples, over all pairs of neighbouring frames.

    The frames of an example are all with its units and their possible records; removed is any unit of any of them.

    Source: dissertation, sections 6.4.1 and 7.3, for the designs and the words.

    >>> design_table(2)[0].gamma
    Fraction(3, 2)
    """
    rows = []
    for example in _EXAMPLES:
        for compared in Compared:
            pairs = neighbouring_frames(example.records, compared)
            found = amplified_loss(example.design, pairs, compared, gamma)
            rows.append(DesignRow(example.words, compared, found.gamma, found.small_budget, example.printed))
    return tuple(rows)
