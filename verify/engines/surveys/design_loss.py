"""What releases of a sample lose about the frame, by the design as a program: the worst over neighbouring frames."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.source import Source
from stirred.spec.arguments import Exact, InputError
from stirred.spec.blocks.input_premetric import InputPremetric, hamming_unordered, symmetric_difference
from stirred.spec.laws.law import Law
from stirred.spec.surveys.amplification import Compared
from stirred.spec.surveys.unit_data import UnitData, changed_units, record_of, unit_data
from stirred.verify.engines.surveys.first_order import small_budget
from stirred.verify.engines.surveys.worst_release import WorstRelease, power_limit, worse_way

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
        release: the worst release of the sample.
    """

    gamma: Fraction | None
    small_budget: Fraction | None
    frames: Frames
    release: WorstRelease


def amplified_loss(design: Design, pairs: Iterable[Frames], compared: Compared, gamma: Exact) -> DesignLoss:
    """The exact worst-case loss of a design on pairs of neighbouring frames.

    Args:
        design: the program of the design.
        pairs: the neighbouring frames, each pair in one order.
        compared: which samples are neighbours.
        gamma: γ = e^ε of the releases of the sample.
    """
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
