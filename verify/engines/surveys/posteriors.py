"""What attackers infer of one unit's record from a survey: exact ratios of posteriors, and their range over attackers.

The posterior of a record given a release is divided by the one in a world where that record is drawn again, given the
records of all other units. Over all priors and outputs that ratio runs from 1/γ to γ, for the smallest γ = e^ε of the
laws of data sets that differ in this unit's record alone: so a range is one number.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import Exact, InputError, probability, shown
from stirred.spec.laws.law import Law
from stirred.spec.surveys.unit_data import UnitData, record_of, units

Laws = Mapping[UnitData, Law[Any]]
"""P_𝔡 for each data set 𝔡."""


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

    Source: dissertation, section 6.5.1, (6.2); Kifer et al. (2022).

    >>> data = {r: ((1, r),) for r in (0, 1)}
    >>> laws = {data[r]: Law({r: Fraction(3, 4), 1 - r: Fraction(1, 4)}) for r in (0, 1)}
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

    Only priors on these data sets are covered.

    Source: dissertation, section 6.5.1 (its bound e^−ε to e^ε); it is sharp by one-record priors.
    """
    if all(len(group) == 1 for group in _by_others(laws, unit).values()):
        raise InputError(f"no two data sets differ only in the record of unit {unit!r}")
    return RatioRange(_ratio_within(laws, unit))


def _ratio_within(laws: Laws, unit: Any) -> Fraction | None:
    """The largest ratio of an output's probabilities under two records of a unit; 1 where none can be exchanged."""
    largest = Fraction(1)
    for group in _by_others(laws, unit).values():
        for outcome in {t: None for data in group.values() for t in laws[data]}:
            found = [_at(laws, data, outcome) for data in group.values()]
            if not min(found):
                return None
            largest = max(largest, max(found) / min(found))
    return largest


def attacker_ratios(
    drawn: Mapping[UnitData, Law[UnitData]], released: Mapping[UnitData, Law[Any]], unit: Any
) -> AttackerRatios:
    """What attackers infer of one unit of the frame from a release of its sample, with and without knowing the sample.

    The design may depend on the records; knowing that the unit is in the sample then tells of them already, and the
    ratios are of posteriors beside that knowledge.

    `drawn` has the law of the sample for every possible frame; frames without the unit are left out, as the attacker
    knows that it is on the frame. `released` has the law of the output for every sample.

    Source: dissertation, section 6.5.1.

    >>> frames = [((1, 0),), ((1, 1),)]
    >>> sampled = {frame: Law({frame: Fraction(1, 2), (): Fraction(1, 2)}) for frame in frames}
    >>> told = {frames[r]: Law({r: Fraction(3, 4), 1 - r: Fraction(1, 4)}) for r in (0, 1)}
    >>> found = attacker_ratios(sampled, {**told, (): Law({0: Fraction(1, 2), 1: Fraction(1, 2)})}, 1)
    >>> found.frame.gamma, found.known_in_sample.gamma
    (Fraction(5, 3), Fraction(3, 1))
    """
    frames = {frame: law for frame, law in drawn.items() if unit in units(frame)}
    with_unit = {frame: [sample for sample in law if unit in units(sample)] for frame, law in frames.items()}
    samples: dict[tuple[Any, ...], dict[UnitData, Law[Any]]] = {}
    for sample in {sample: None for chosen in with_unit.values() for sample in chosen}:
        samples.setdefault(units(sample), {})[sample] = _released(released, sample)
    if not samples:
        raise InputError(f"unit {unit!r} is in no sample")
    whole = {frame: _output(law, law, released) for frame, law in frames.items()}
    known = [_ratio_within(laws, unit) for laws in samples.values()]
    finite = [gamma for gamma in known if gamma is not None]
    return AttackerRatios(
        ratio_range(whole, unit),
        known_in_sample(frames, released, unit),
        RatioRange(max(finite) if len(finite) == len(known) else None),
    )


def known_in_sample(
    drawn: Mapping[UnitData, Law[UnitData]], released: Mapping[UnitData, Law[Any]], unit: Any
) -> RatioRange:
    """What the nosy neighbor infers of a unit, who knows that it is in the sample; 1 to 1 where nothing is compared.

    Data sets of whose samples none holds the unit are left out.

    Source: dissertation, section 6.5.1.
    """
    with_unit = {data: [sample for sample in law if unit in units(sample)] for data, law in drawn.items()}
    given = {data: _output(drawn[data], chosen, released) for data, chosen in with_unit.items() if chosen}
    return RatioRange(_ratio_within(given, unit))


def _output(law: Law[UnitData], chosen: Iterable[UnitData], released: Mapping[UnitData, Law[Any]]) -> Law[Any]:
    """The law of the output, given that the sample is one of those chosen."""
    masses: dict[Any, Fraction] = {}
    whole = Fraction(0)
    for sample in chosen:
        share = law.numeric(sample)
        whole += share
        output = _released(released, sample)
        for outcome in output:
            masses[outcome] = masses.get(outcome, Fraction(0)) + share * output.numeric(outcome)
    return Law({outcome: mass / whole for outcome, mass in masses.items()})


def _released(released: Mapping[UnitData, Law[Any]], sample: UnitData) -> Law[Any]:
    if sample not in released:
        raise InputError(f"released must have a law for every sample; {shown(sample)} has none")
    return released[sample]


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
    return laws[data].numeric(outcome)
