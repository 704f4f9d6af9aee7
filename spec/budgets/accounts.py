"""Accounts: releases under named flavors, whose budgets add up exactly, and only within one flavor.

A flavor is kept by name here, since the sets behind it (all possible Census Edited Files) are too large to list. Two
budgets of different flavors are not added: `compose` says in which blocks they differ and by which conversion of a
claim file, a function of `spec.budgets.conversions`, they can be related. Every conversion that was used stays in the
release's steps, and what it takes for granted in its conditions.

A budget may hold for neighbours only, or for the metric: for any two data sets of a universe, multiplied by their
distance. Without invariants the two are one, since any two data sets are joined by a chain of neighbours; invariants
can break the chain, so there the second must be stated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from stirred.spec.arguments import Exact, InputError, exact, nonnegative, open_probability
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.surveys.amplification import Compared, SampleDesign

NUMBER_OF_RECORDS = "number of records"
"""The invariant under which no two data sets are unbounded neighbours, and d_SymDiff = 2·d_HamS."""


class Measure(Enum):
    """An output premetric that has a composition rule here, with the letter of its budget."""

    PURE = "epsilon of D_Mult"
    ZERO_CONCENTRATED = "rho^2 of D_NoR"
    APPROXIMATE = "(epsilon, delta)"


class Premetric(Enum):
    """The distance between two data sets of the unit's records."""

    BOUNDED = "d_HamS: records replaced"
    UNBOUNDED = "d_SymDiff: records added or removed"


class Reach(Enum):
    """The pairs of data sets for which a budget holds."""

    NEIGHBORS = "neighbors"
    ALL_PAIRS = "all pairs of a universe"


@dataclass(frozen=True)
class NamedFlavor:
    """The first four blocks, by name.

    Attributes:
        domain: who is eligible for protection.
        invariants: the names of what is invariant; more of them make more and smaller universes.
        unit: what one record is, such as "post-imputation person".
    """

    domain: str
    invariants: frozenset[str]
    premetric: Premetric
    unit: str
    measure: Measure

    def __post_init__(self) -> None:
        for name, value, kind in (
            ("domain", self.domain, str),
            ("invariants", self.invariants, frozenset),
            ("premetric", self.premetric, Premetric),
            ("unit", self.unit, str),
            ("measure", self.measure, Measure),
        ):
            if not isinstance(value, kind) or value == "":
                raise InputError(f"{name} must be a {kind.__name__} that is not empty; got {value!r}")

    def differences(self, other: NamedFlavor) -> tuple[str, ...]:
        """The blocks in which two flavors differ, each with the conversion of a claim file that may relate them."""
        found = []
        if self.domain != other.domain:
            found.append(f"domain ({self.domain!r} against {other.domain!r}; no conversion)")
        if self.invariants != other.invariants:
            more = ", ".join(map(repr, sorted(self.invariants ^ other.invariants)))
            found.append(f'invariants (only one has {more}; conversion: to = "invariants")')
        if self.premetric is not other.premetric:
            found.append(
                f"neighbors ({self.premetric.name.lower()} against {other.premetric.name.lower()}; "
                'conversion: to = "bounded" or to = "unbounded")'
            )
        if self.unit != other.unit:
            units = f"{self.unit!r} against {other.unit!r}"
            found.append(f'unit ({units}; conversion: to = "unit" or to = "contributors")')
        if self.measure is not other.measure:
            found.append(
                f"measure ({self.measure.value} against {other.measure.value}; "
                'conversion: to = "zero_concentrated" or to = "approximate")'
            )
        return tuple(found)


@dataclass(frozen=True)
class Release:
    """A data release with the specification that it is claimed to satisfy; built by `release`.

    Attributes:
        budget: ε, or ρ² where the measure is zero-concentrated; both ends are equal where it is exact.
        delta: δ of approximate DP; 0 for the other measures.
        reach: the pairs for which the budget holds, at distance 1 or at every distance.
        steps: the conversions and compositions that led here, in order.
        conditions: what they take for granted, unchecked.
        sampled: the sample that it is of, where its budget is amplified.
        times: how many releases it stands for, each with this budget and randomness of its own.
    """

    name: str
    flavor: NamedFlavor
    budget: Enclosure
    delta: Fraction = Fraction(0)
    reach: Reach = Reach.NEIGHBORS
    steps: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    sampled: Sampled | None = None
    times: int = 1

    @property
    def exact_budget(self) -> Fraction | None:
        """The budget where it is exact, else None."""
        return self.budget.lower if self.budget.lower == self.budget.upper else None

    @property
    def is_vacuous(self) -> bool:
        """Whether it is known that no two data sets are compared: neighbours of different sizes at one fixed size."""
        is_unbounded = self.flavor.premetric is Premetric.UNBOUNDED
        return is_unbounded and NUMBER_OF_RECORDS in self.flavor.invariants and self.reach is Reach.NEIGHBORS


@dataclass(frozen=True)
class Sampled:
    """A sample, and the release of it before amplification.

    Attributes:
        sample: its name: releases of one sample have one name for it.
        drawn: its design.
        is_secret: whether nobody knows who is in it; else nothing is amplified.
        amplified: ε' if it is secret.
        before: the release as a function of the sample.
    """

    sample: str
    drawn: SampleDesign
    is_secret: bool
    amplified: Enclosure
    before: Release


def release(
    name: str, flavor: NamedFlavor, budget: Exact, delta: Exact = 0, *, reach: Reach = Reach.NEIGHBORS
) -> Release:
    """A release with an exact budget.

    Args:
        budget: ε ≥ 0, or ρ² ≥ 0 where the measure is zero-concentrated; an int or a `Fraction`.
        delta: δ, in (0, 1) where the measure is approximate and 0 elsewhere.
        reach: the pairs for which the budget is claimed. Without invariants one for neighbours is one for all pairs,
            except where the measure is approximate.

    >>> person = NamedFlavor("CEF", frozenset(), Premetric.BOUNDED, "person", Measure.ZERO_CONCENTRATED)
    >>> release("PL", person, Fraction("2.56")).exact_budget
    Fraction(64, 25)
    """
    amount = nonnegative("budget", budget)
    is_approximate = flavor.measure is Measure.APPROXIMATE
    slack = open_probability("delta", delta) if is_approximate else exact("delta", delta)
    if slack and not is_approximate:
        raise InputError(f"delta must be 0 for {flavor.measure.value}; got {slack}")
    conditions: tuple[str, ...] = ()
    if reach is Reach.ALL_PAIRS and flavor.invariants:
        conditions = (f"that the budget of {name} holds for all pairs of a universe",)
    elif reach is Reach.NEIGHBORS and not flavor.invariants and not is_approximate:
        reach = Reach.ALL_PAIRS
    return Release(name, flavor, Enclosure(amount, amount), slack, reach, (), conditions)


def compose(name: str, *parts: Release) -> Release:
    """All parts together: their budgets (and their δ) add up; for zCDP it is ρ² that adds up.

    The sum holds for all pairs of a universe where every part does, else for neighbours only. Parts of one sample are
    added before their budgets are amplified: they share the sample, so that they are not independent.

    Source: article, Appendix H (composition of T_p and T_hh); Bun and Steinke (2016), Lemma 1.7.

    >>> person = NamedFlavor("CEF", frozenset(), Premetric.BOUNDED, "person", Measure.ZERO_CONCENTRATED)
    >>> compose("PL", release("a", person, 1), release("b", person, 2)).exact_budget
    Fraction(3, 1)
    """
    if not parts:
        raise InputError("parts must have at least one release; got none")
    first = parts[0]
    for part in parts[1:]:
        if differences := first.flavor.differences(part.flavor):
            raise InputError(
                f"parts must have one flavor to be added; {part.name!r} differs from {first.name!r} in "
                f"{'; '.join(differences)}"
            )
    if joined := _of_one_sample(parts):
        return compose(name, *joined)
    delta = sum((part.delta * part.times for part in parts), Fraction(0))
    if delta >= 1:
        raise InputError(f"the sum of the deltas must be below 1; got {delta}")
    budget = Enclosure(
        sum((part.budget.lower * part.times for part in parts), Fraction(0)),
        sum((part.budget.upper * part.times for part in parts), Fraction(0)),
    )
    reaches = {part.reach for part in parts}
    steps = tuple(f"{part.name}: {step}" for part in parts for step in part.steps)
    added = " + ".join(map(listed, parts))
    kept = "" if len(reaches) == 1 else ", for neighbours only, as not every part holds for all pairs"
    return Release(
        name,
        first.flavor,
        budget,
        delta,
        Reach.NEIGHBORS if Reach.NEIGHBORS in reaches else Reach.ALL_PAIRS,
        (*steps, f"added: {added}{kept}"),
        tuple(dict.fromkeys(condition for part in parts for condition in part.conditions)),
    )


def listed(part: Release) -> str:
    """A part with its budget, as the step that adds it shows it."""
    delta = f" (delta {part.delta})" if part.delta else ""
    times = f"{part.times} times " if part.times > 1 else ""
    return f"{times}{part.name} {part.budget.text(12)}{delta}"


def _of_one_sample(parts: Sequence[Release]) -> tuple[Release, ...]:
    """The parts, with those of the first sample that several are of as one; none where every sample is of one part.

    Source: dissertation, section 6.5.2.
    """
    names = [part.sampled.sample for part in parts if part.sampled is not None]
    shared = next((name for name in names if names.count(name) > 1), None)
    if shared is None:
        return ()
    of_it = [part for part in parts if part.sampled is not None and part.sampled.sample == shared]
    whole = compose(f"all of {shared}", *(part.sampled.before for part in of_it if part.sampled is not None))
    stated = {(part.sampled.drawn, part.sampled.is_secret) for part in of_it if part.sampled is not None}
    if len(stated) > 1:
        raise InputError(f"design, rate and membership must be the same wherever the sample {shared!r} is named")
    ((drawn, is_secret),) = stated
    joined = take_sample(whole, shared, drawn, parts[0].flavor.domain, is_secret=is_secret)
    return (joined, *(part for part in parts if part not in of_it))


_COMPARED = {Premetric.BOUNDED: Compared.REPLACED, Premetric.UNBOUNDED: Compared.ADDED}


def take_sample(source: Release, sample: str, drawn: SampleDesign, domain: str, *, is_secret: bool = True) -> Release:
    """A release of a sample, as a release of those it is drawn from.

    Args:
        sample: the sample's name: releases of one sample share it.
        drawn: how it is drawn, the same for all of them.
        domain: who is eligible for protection now: those from whom the sample is drawn.
        is_secret: whether nobody knows who is in the sample; else ε stays (dissertation, section 6.5.1).

    Source: dissertation, Theorem 6.4.1; the other designs are own claims on survey sampling.
    """
    flavor = source.flavor
    if source.sampled is not None or flavor.measure is not Measure.PURE:
        raise InputError("only a release under pure DP can be amplified by sampling, and only once: convert it first")
    if flavor.invariants:
        raise InputError(
            f"invariants must be none where a sample is taken; the release has {sorted(flavor.invariants)[0]!r}"
        )
    smaller, conditions = drawn.amplified(source.budget, _COMPARED[flavor.premetric])
    step = f"sample {sample}, {drawn}: epsilon {source.budget.text(6)} becomes {smaller.text(6)}"
    budget = smaller
    taken: tuple[str, ...] = (f"that {sample} is a {drawn.design}, drawn independently of others",)
    if not is_secret:
        budget, step = source.budget, f"sample {sample} with known membership: epsilon stays"
    elif flavor.premetric is Premetric.BOUNDED:
        taken += (*conditions, "that another unit's record may replace a sampled one")
    else:
        taken += conditions
    return replace(
        source,
        flavor=replace(flavor, domain=domain),
        budget=budget,
        steps=(*source.steps, step),
        conditions=(*source.conditions, *taken),
        sampled=Sampled(sample, drawn, is_secret, smaller, source),
    )
