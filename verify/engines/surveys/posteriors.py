"""What attackers infer of one unit's record from a survey: exact ratios of posteriors, and their range over attackers.

The posterior of a record given a release is divided by the one in a world where that record is drawn again, given the
records of all other units. Over all priors and outputs that ratio runs from 1/γ to γ, for the smallest γ = e^ε of the
laws of data sets that differ in this unit's record alone: so a range is one number.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mechanisms import exact_law
from mechanisms.exact_law import DEFAULT_CHOICE_BUDGET
from mechanisms.source import Source
from spec.arguments import Exact, InputError, probability, shown
from spec.law import Law
from spec.surveys.unit_data import UnitData, record_of, units

__all__ = ["AttackerRatios", "RatioRange", "attacker_ratios", "posterior_ratio", "ratio_range"]

Laws = Mapping[UnitData, Mapping[Any, Fraction]]
"""For each data set the probabilities of the outputs."""

Draw = Callable[[UnitData, Source], UnitData]
"""A program from a frame to the data set of its sample, as `select` of a design's units."""

Release = Callable[[UnitData, Source], Hashable]
"""A program from the sample's data set to what is published."""


@dataclass(frozen=True)
class RatioRange:
    """The range of ratios of posteriors over all attackers: 1/γ to γ.

    Attributes:
        gamma: γ ≥ 1; None for ∞. For 1 < γ its ends are approached by attackers who find a record less and less
            likely, and attained by none.
    """

    gamma: Fraction | None

    def at(self, prior: Exact) -> tuple[Fraction, Fraction | None]:
        """The range for attackers who give a record at least this probability, whatever the other units' records are.

        It is 1/(w + (1 − w)γ) to γ/(wγ + 1 − w), and both are attained by some attacker; None for ∞.

        Raises:
            InputError: the prior is inexact or outside [0, 1].

        >>> RatioRange(Fraction(3)).at(Fraction(1, 2))
        (Fraction(1, 2), Fraction(3, 2))
        """
        share = probability("prior", prior)
        if self.gamma is None:
            return (Fraction(1), Fraction(1)) if share == 1 else (Fraction(0), 1 / share if share else None)
        return 1 / (share + (1 - share) * self.gamma), self.gamma / (share * self.gamma + 1 - share)


@dataclass(frozen=True)
class AttackerRatios:
    """What is inferred of one unit's record, by what else the attacker knows.

    Attributes:
        frame: of a unit of the frame, by who knows nothing of the sample.
        known_in_sample: by the nosy neighbor, who knows that the unit is in the sample; 1 to 1 where that tells the
            record already.
        known_sample: by who knows which units are in the sample, this one among them: what the release loses at a
            record of a sample. Where the release does not tell units apart, this is for a journalist too, who looks
            for any record of the sample.

    Source: dissertation, section 6.5.1.
    """

    frame: RatioRange
    known_in_sample: RatioRange
    known_sample: RatioRange


def posterior_ratio(
    prior: Mapping[UnitData, Fraction], laws: Laws, unit: Any, record: Hashable, outcome: Hashable
) -> Fraction:
    """The ratio (6.2): the posterior of 𝔡ᵢ = r given T(𝔡) = t, over that given T(psample[𝔡]) = t.

    Args:
        prior: what the attacker believes of the data sets, summing to 1.
        laws: P_𝔡 for each of them.
        unit: i.
        record: r.
        outcome: t.

    Raises:
        InputError: the prior does not sum to 1, a data set lacks the unit, or the record or the outcome has
            probability 0, so that a posterior is undefined or the ratio is 0/0.

    Source: dissertation, section 6.5.1, (6.2); Kifer et al. (2022).

    >>> data = {r: ((1, r),) for r in (0, 1)}
    >>> laws = {data[r]: {r: Fraction(3, 4), 1 - r: Fraction(1, 4)} for r in (0, 1)}
    >>> posterior_ratio(dict.fromkeys(laws, Fraction(1, 2)), laws, 1, 0, 0)
    Fraction(3, 2)
    """
    if (total := sum(prior.values(), Fraction(0))) != 1:
        raise InputError(f"prior must sum to exactly 1; got {shown(total)}")
    own, drawn_again = Fraction(0), Fraction(0)
    for group in _by_others(prior, unit).values():
        share = sum((prior[data] for data in group.values()), Fraction(0))
        if not share or record not in group:
            continue
        predicted = sum((prior[data] * _at(laws, data, outcome) for data in group.values()), Fraction(0)) / share
        own += prior[group[record]] * _at(laws, group[record], outcome)
        drawn_again += prior[group[record]] * predicted
    if not drawn_again:
        raise InputError(f"the posterior of {record!r} given {outcome!r} must be defined and positive; it is not")
    return own / drawn_again


def ratio_range(laws: Laws, unit: Any) -> RatioRange:
    """The range of (6.2) over all priors on these data sets, records and outputs.

    Args:
        laws: P_𝔡 for every possible data set; other priors than those on these are not spoken of.
        unit: i.

    Raises:
        InputError: a data set lacks the unit, or no two differ in its record alone: nothing is compared then.

    Source: dissertation, section 6.5.1 (its bound e^−ε to e^ε); it is sharp by one-record priors.
    """
    groups = _by_others(laws, unit)
    if all(len(group) == 1 for group in groups.values()):
        raise InputError(f"two data sets must differ in the record of unit {unit!r} alone; none do")
    return RatioRange(_largest_ratio(laws, groups.values()))


def _largest_ratio(laws: Laws, groups: Iterable[Mapping[Any, UnitData]]) -> Fraction | None:
    """The largest ratio of the probabilities of an output within a group; 1 where no group has two data sets."""
    largest = Fraction(1)
    for group in groups:
        for outcome in {t: None for data in group.values() for t in laws[data]}:
            found = [_at(laws, data, outcome) for data in group.values()]
            if max(found) and not min(found):
                return None
            if max(found):
                largest = max(largest, max(found) / min(found))
    return largest


def attacker_ratios(
    frames: Iterable[UnitData],
    draw: Draw,
    release: Release,
    unit: Any,
    *,
    choice_budget: int = DEFAULT_CHOICE_BUDGET,
) -> AttackerRatios:
    """What attackers infer of one unit of the frame from a release of its sample, with and without knowing the sample.

    The design may depend on the records; knowing that the unit is in the sample then tells of them already, and the
    ratios are of posteriors beside that knowledge.

    Args:
        frames: every possible frame, those that differ in the unit's record alone among them.
        draw: the program from a frame to the data set of its sample, non-response included where there is some.
        release: the program from that data set to the output.
        unit: i.
        choice_budget: the number of distinct choices followed for one frame before giving up.

    Raises:
        InputError: a frame lacks the unit, no two frames differ in its record alone, it is in no sample, or a program
            fails (see `exact_law`).

    Source: dissertation, section 6.5.1.
    """
    whole: dict[UnitData, Mapping[Any, Fraction]] = {}
    given: dict[UnitData, Mapping[Any, Fraction]] = {}
    samples: dict[tuple[Any, ...], dict[UnitData, Mapping[Any, Fraction]]] = {}

    def surveyed(frame: UnitData, source: Source) -> tuple[UnitData, Hashable]:
        sample = draw(frame, source)
        return sample, release(sample, source)

    for frame in frames:
        released = _by_sample(exact_law(surveyed, frame, choice_budget=choice_budget))
        whole[frame] = _joined(released.values())
        with_unit = {sample: masses for sample, masses in released.items() if unit in units(sample)}
        if with_unit:
            given[frame] = _joined(with_unit.values())
        for sample, masses in with_unit.items():
            samples.setdefault(units(sample), {})[sample] = _joined([masses])
    if not given:
        raise InputError(f"unit {unit!r} must be in some sample; it is in none")
    found = [_largest_ratio(laws, _by_others(laws, unit).values()) for laws in samples.values()]
    finite = [gamma for gamma in found if gamma is not None]
    return AttackerRatios(
        ratio_range(whole, unit),
        RatioRange(_largest_ratio(given, _by_others(given, unit).values())),
        RatioRange(max(finite) if len(finite) == len(found) else None),
    )


def _by_sample(law: Law[tuple[UnitData, Any]]) -> dict[UnitData, dict[Any, Fraction]]:
    """The masses of the outputs for each sample."""
    found: dict[UnitData, dict[Any, Fraction]] = {}
    for sample, outcome in law:
        found.setdefault(sample, {})[outcome] = law.numeric((sample, outcome))
    return found


def _joined(parts: Iterable[Mapping[Any, Fraction]]) -> dict[Any, Fraction]:
    """The law of the output, given one of some samples, from their masses."""
    found: dict[Any, Fraction] = {}
    for masses in parts:
        for outcome, share in masses.items():
            found[outcome] = found.get(outcome, Fraction(0)) + share
    total = sum(found.values(), Fraction(0))
    return {outcome: share / total for outcome, share in found.items()}


def _by_others(data_sets: Iterable[UnitData], unit: Any) -> dict[UnitData, dict[Any, UnitData]]:
    """The data sets by the other units' records, then by this unit's."""
    groups: dict[UnitData, dict[Any, UnitData]] = {}
    for data in data_sets:
        others = tuple(pair for pair in data if pair[0] != unit)
        groups.setdefault(others, {})[record_of(data, unit)] = data
    return groups


def _at(laws: Laws, data: UnitData, outcome: Hashable) -> Fraction:
    if data not in laws:
        raise InputError(f"laws must have a law for every data set of the prior; {data!r} has none")
    return laws[data].get(outcome, Fraction(0))
