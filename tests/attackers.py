"""What attackers infer of a record, with and without knowing the sample: ratios of posteriors, and their range."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import Exact, InputError, probability, shown
from stirred.spec.laws.law import Law
from stirred.spec.surveys.unit_data import UnitData, units
from stirred.verify.engines.surveys.posteriors import (
    Laws,
    by_others,
    known_in_sample,
    largest_ratio,
    output_law,
    probability_at,
    released_law,
)


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
    for group in by_others(prior, unit).values():
        share = sum((prior[data] for data in group.values()), Fraction(0))
        if not share or record not in group:
            continue
        predicted = (
            sum((prior[data] * probability_at(laws, data, outcome) for data in group.values()), Fraction(0)) / share
        )
        own += prior[group[record]] * probability_at(laws, group[record], outcome)
        drawn_again += prior[group[record]] * predicted
    if not drawn_again:
        raise InputError(f"the posterior of {record!r} given {outcome!r} must be defined and positive; it is not")
    return own / drawn_again


def ratio_range(laws: Laws, unit: Any) -> RatioRange:
    """The range of (6.2) over all priors on these data sets, records and outputs.

    Only priors on these data sets are covered.

    Source: dissertation, section 6.5.1 (its bound e^−ε to e^ε); it is sharp by one-record priors.
    """
    if all(len(group) == 1 for group in by_others(laws, unit).values()):
        raise InputError(f"no two data sets differ only in the record of unit {unit!r}")
    return RatioRange(largest_ratio(laws, unit))


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
        samples.setdefault(units(sample), {})[sample] = released_law(released, sample)
    if not samples:
        raise InputError(f"unit {unit!r} is in no sample")
    whole = {frame: output_law(law, law, released) for frame, law in frames.items()}
    known = [largest_ratio(laws, unit) for laws in samples.values()]
    finite = [gamma for gamma in known if gamma is not None]
    return AttackerRatios(
        ratio_range(whole, unit),
        RatioRange(known_in_sample(frames, released, unit)),
        RatioRange(max(finite) if len(finite) == len(known) else None),
    )
