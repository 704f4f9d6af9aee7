"""What a release loses on data of any size, by a bound on how far one record moves it: what a run states.

Each step says how many records one record can change in place. A record's own contribution is bounded by the values of
its variable and by the largest weight that counts, or a statistic by the range that it is kept in.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Any

from stirred.mechanisms.source import Source
from stirred.spec.budgets.loss import ZERO, Loss
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import UnitData


@dataclass(frozen=True)
class Unchanged:
    """Records stay as they are."""


@dataclass(frozen=True)
class LastDonor:
    """A missing value is that of the last earlier record of its class that has one, used `donations` times at most.

    Attributes:
        variable: the place of the variable.
        classes: the places of those that make the classes.
        otherwise: the value where no donor is left.
    """

    variable: int
    classes: tuple[int, ...]
    donations: int
    otherwise: Any


@dataclass(frozen=True)
class ResponseClasses:
    """A weight is multiplied by the size of the record's response class in the sample over the records of it here."""

    variable: int


@dataclass(frozen=True)
class SumsOfWeights:
    """A weight is multiplied by a function of some variables of its record and of sums of weights by these variables.

    So records that agree in these are treated as one record with the sum of their weights would be.
    """

    variables: tuple[int, ...]


Form = Unchanged | LastDonor | ResponseClasses | SumsOfWeights


_PLACES = 10**10
"""An irrational budget is rounded up to a multiple of 1 over this."""

_SHORT = 1_000


@dataclass(frozen=True)
class Influence:
    """How one record of a step's input can change its output, besides that record itself.

    Attributes:
        others: how many other records, in place; None where there is no bound.
        spends: what the step releases for its own use loses for a record that is added.
        variable: the variable whose values the step changes; empty where it changes none.
        drops: whether the step drops records, so that a record may be present on one side only.
    """

    others: int | None = 0
    spends: Loss = ZERO
    variable: str = ""
    drops: bool = False


@dataclass(frozen=True)
class PipelineStep:
    """A step of the pipeline.

    Attributes:
        stage: the stage whose data it makes.
        form: what the program does, where it can be done for all records at once.
    """

    stage: Stage
    words: str
    place: str
    program: Callable[[UnitData, Source], UnitData]
    influence: Influence = Influence()
    form: Form | None = None


@dataclass(frozen=True)
class Changed:
    """How one record that is replaced, changed or added changes the processed data.

    Attributes:
        is_added: whether it is added or taken away, with its unit.
        is_kept: whether it changes under its unit, in place, and is always there.
        others: how many other records change in place; None where there is no bound.
        spends: what the steps release for their own use; infinite where there is no bound.
        variables: whose values in other records may change.
    """

    is_added: bool
    is_kept: bool
    others: int | None
    spends: Loss
    variables: frozenset[str]


def changed_by(steps: Sequence[PipelineStep], distance: str) -> Changed:
    """How one record of the data before these steps changes the data after them; `distance` is a premetric's name."""
    is_added, count, spends = distance == "symmetric_difference", 1, ZERO
    is_bounded = True
    for step in steps:
        one = step.influence
        if not one.spends.is_zero:
            spends = spends.plus(
                one.spends.times((1 if is_added and count == 1 else 2 * count) if is_bounded else None)
            )
        is_bounded = is_bounded and one.others is not None
        count *= 1 + (one.others or 0)
    variables = frozenset(step.influence.variable for step in steps if step.influence.others)
    others = count - 1 if is_bounded else None
    is_kept = distance == "changed_units" and not any(step.influence.drops for step in steps)
    return Changed(is_added, is_kept, others, spends, variables)


@dataclass(frozen=True)
class Contribution:
    """What bounds a statistic by cell.

    Attributes:
        ends: the least and the greatest value of a record, 1 for counts.
        variable: the variable whose values these are.
        largest: the largest weight that counts; None where weights are unbounded.
        span: how wide the range is that the statistic is kept in; None where it has none.
        is_sum: whether it is a sum over records, divided by a known number.
        divisor: that number.
        cells: how many there are.
        filters: the variables that say which records count, and in which cell.
        unit: of what is released.
    """

    ends: tuple[Fraction, Fraction]
    variable: str | None
    largest: Fraction | None
    span: Fraction | None
    is_sum: bool
    divisor: int
    cells: int
    filters: frozenset[str]
    unit: Fraction

    def moved(self, changed: Changed) -> int | None:
        """How far all cells together move, in units, when one record changes; None where there is no bound.

        Source: dissertation, sections 6.4.3 and 7.6.

        >>> ends, one = (Fraction(0), Fraction(1)), Fraction(1)
        >>> sums = Contribution(ends, "a", Fraction(9), None, True, 1, 2, frozenset("c"), one)
        >>> sums.moved(changed_by((), "hamming_unordered")), sums.moved(changed_by((), "symmetric_difference"))
        (18, 9)
        """
        bounds = [bound for bound in (self._by_records(changed), self._by_range(changed)) if bound is not None]
        return min(bounds, default=None)

    def _by_records(self, changed: Changed) -> int | None:
        if not self.is_sum or self.largest is None or changed.others is None:
            return None
        scale = self.unit * self.divisor / self.largest
        low, high = min(self.ends[0], Fraction(0)), max(self.ends[1], Fraction(0))
        whole, one = ceil((high - low) / scale), ceil(max(-low, high) / scale)
        replaced = whole if self.cells == 1 else max(whole, 2 * one)
        served = (
            replaced if changed.variables & self.filters else min(whole, ceil((self.ends[1] - self.ends[0]) / scale))
        )
        return (one if changed.is_added else replaced) + changed.others * served

    def _by_range(self, changed: Changed) -> int | None:
        if self.span is None:
            return None
        affected = self.cells
        if changed.others is not None:
            each = 2 if changed.variables & self.filters else 1
            affected = min(affected, (1 if changed.is_added else 2) + changed.others * each)
        return affected * ceil(self.span / self.unit)


def epsilon_above(loss: Loss) -> Fraction | None:
    """ε of a loss as a decimal, rounded up where it is irrational; None where it is infinite.

    >>> epsilon_above(Loss(2)), epsilon_above(ZERO)
    (Fraction(3465735903, 5000000000), Fraction(0, 1))
    """
    if loss.gamma is None:
        return None
    return Fraction(ceil(loss.epsilon(20).upper * _PLACES), _PLACES)


def epsilon_text(epsilon: Fraction) -> str:
    """A budget as a fraction where it is a short one, else as a decimal if it is one.

    >>> epsilon_text(Fraction(3, 4)), epsilon_text(Fraction(10986122887, 10**10))
    ('3/4', '1.0986122887')
    """
    text = format(Decimal(epsilon.numerator) / epsilon.denominator, "f")
    return text if epsilon.denominator > _SHORT and Fraction(text) == epsilon else str(epsilon)
