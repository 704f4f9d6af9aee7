"""What a survey file releases of processed data: noisy counts and totals, randomised answers, or a user's program."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import gcd, lcm
from pathlib import Path
from typing import Any

from stirred.mechanisms.noise.geometric import clamped_geometric
from stirred.mechanisms.noise.randomized_response import randomized_response
from stirred.mechanisms.source import Source
from stirred.spec.arguments import InputError, probability
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.audit.exhaust.laws import refuse_partial
from stirred.verify.audit.surveys.survey_file import Layout
from stirred.verify.claim.domain import freeze
from stirred.verify.claim.mechanism import parameter_value
from stirred.verify.claim.table import Block
from stirred.verify.engines.exhaustive import mechanism_laws
from stirred.verify.engines.workload import Workload
from stirred.verify.laws.foreign import ForeignFunction, Limits

_MOST_STEPS = 300
"""Steps of the noise over the range of a statistic: the digits of its law grow with each."""

Answers = Sequence[UnitData]
Query = Callable[[UnitData], Fraction]


@dataclass(frozen=True)
class SurveyStatistic:
    """A number of the processed data, and the grid that noise is added on.

    Attributes:
        words: what it is.
        query: its value on processed data.
        unit: noise moves it by multiples of this.
        place: the file and the mechanism's table.
    """

    words: str
    query: Query
    unit: Fraction
    place: str

    def steps(self, points: Iterable[UnitData]) -> dict[UnitData, int]:
        """The value on each data set in units.

        Raises:
            InputError: a value is no multiple of the unit.
        """
        values = {point: self.query(point) for point in points}
        stray = next((value for value in values.values() if (value / self.unit).denominator != 1), None)
        if stray is not None:
            fits = _common_unit(values.values())
            raise InputError(
                f"{self.place}.unit must divide every value of the statistic; {stray} is no multiple of {self.unit}: "
                f'write unit = "{fits}"'
            )
        return {point: int(value / self.unit) for point, value in values.items()}


def _common_unit(values: Iterable[Fraction]) -> Fraction:
    """The largest number of which all of these are multiples."""
    numbers = list(values)
    bottom = lcm(*(number.denominator for number in numbers))
    return Fraction(gcd(*(int(number * bottom) for number in numbers)), bottom)


@dataclass(frozen=True)
class SurveyRelease:
    """The last step of a pipeline, from processed data to what is released.

    Attributes:
        words: what it does.
        laws: its exact law on each of some data sets; the workload is told how far it is.
        statistic: what noise is added to; None where there is no one number.
        alone: the loss of the noise for each unit by which the statistic changes; None where there is no such noise.
    """

    words: str
    laws: Callable[[Answers, Limits, Workload], Mapping[UnitData, Law[Any]]]
    statistic: SurveyStatistic | None = None
    alone: Loss | None = None


def read_release(block: Block, layout: Layout, directory: Path, *, is_weighted: bool) -> SurveyRelease:
    """The release of a mechanism's table.

    Args:
        block: the table.
        layout: of the records.
        directory: of the file, where the user's own module lies.
        is_weighted: whether records end with a weight.

    Raises:
        InputError: a key is unknown, missing or ill-typed.
    """
    if "function" in block:
        block.only(("function", "parameters"))
        function = ForeignFunction(block.where("function"), block.text("function"), directory)
        return SurveyRelease(function.reference, partial(_asked, function, _parameters(block)))
    if "name" not in block:
        raise InputError(f"{block.where('name')}: missing key; give name or function")
    name = block.one_of("name", tuple(_READERS))
    return _READERS[name](block, layout, is_weighted)


def _parameters(block: Block) -> dict[str, Any]:
    given = block.table("parameters") if "parameters" in block else Block(block.place, {})
    return {key: parameter_value(given.where(key), freeze(value)) for key, value in given.values.items()}


def _asked(
    function: ForeignFunction, parameters: Mapping[str, Any], points: Answers, limits: Limits, workload: Workload
) -> Mapping[UnitData, Law[Any]]:
    """The laws of the user's program, computed in other processes."""
    function = replace(function, limits=limits)
    function.check_place()
    found = function.laws(points, parameters, is_ordered=True, workload=workload)
    refuse_partial(found.laws, function.where)
    if found.is_nearby or found.is_released:
        raise InputError(
            f"{function.where}: must have exact finite laws: clamp its noise, and draw none from a Gaussian"
        )
    return found.laws


def _geometric(block: Block, layout: Layout, is_weighted: bool) -> SurveyRelease:
    block.only(("name", "statistic", "of", "where", "unit", "ratio"))
    statistic = _statistic(block, layout, is_weighted=is_weighted)
    ratio = block.exact("ratio")
    if not 0 < ratio < 1:
        raise block.refuse("ratio", f"must be between 0 and 1, exclusive; got {ratio}")
    words = f"geometric noise with ratio {ratio} on {statistic.words}"
    if statistic.unit != 1:
        words += f", in multiples of {statistic.unit}"
    return SurveyRelease(words, partial(_noisy, statistic, ratio), statistic, Loss(1 / ratio))


def _noisy(
    statistic: SurveyStatistic, ratio: Fraction, points: Answers, limits: Limits, workload: Workload
) -> Mapping[UnitData, Law[Any]]:
    """The laws of the noisy statistic, clamped to the range that it has on any of the data sets.

    Beyond that range the likelihood ratio of any two mixtures of shifted geometric noise does not change, so that they
    lose what the unbounded noise loses.
    """
    steps = statistic.steps(points)
    low, high = min(steps.values()), max(steps.values())
    if high - low > _MOST_STEPS:
        raise InputError(
            f"{statistic.place}.unit must divide the range of the statistic, {low * statistic.unit} to "
            f"{high * statistic.unit}, into at most {_MOST_STEPS} steps for an exact answer; {statistic.unit} makes "
            f"{high - low}: use a larger unit or smaller values"
        )
    counts = sorted(set(steps.values()))

    def noisy(step: int, source: Source) -> int:
        return low + clamped_geometric(step - low, source, size=high - low + 1, ratio=ratio)

    laws: dict[int, Law[Any]] = {}
    with workload.part("noise", len(counts)) as part:
        for count in counts:
            laws.update(mechanism_laws(noisy, FiniteDomain((count,)), choice_budget=limits.choices))
            part.advance()
    return {point: laws[step] for point, step in steps.items()}


def _randomized_response(block: Block, layout: Layout, is_weighted: bool) -> SurveyRelease:  # noqa: ARG001
    block.only(("name", "of", "flip_probability"))
    place = layout.place(block, "of")
    name, flip = layout.names[place], probability(block.where("flip_probability"), block.exact("flip_probability"))
    if None in layout.values[name]:
        raise block.refuse("of", f"must be a variable that is never missing when it is released; {name!r} may be")
    if len(layout.values[name]) != 2:
        raise block.refuse("of", f"must be a variable of two values; {name!r} has {len(layout.values[name])}")
    first = layout.values[name][0]

    def answers(data: UnitData, source: Source) -> tuple[int, ...]:
        return randomized_response(
            tuple(int(record[place] != first) for _, record in data), source, flip_probability=flip
        )

    def laws(points: Answers, limits: Limits, workload: Workload) -> Mapping[UnitData, Law[Any]]:
        with workload.part("answers", 1):
            return mechanism_laws(answers, FiniteDomain(tuple(points)), choice_budget=limits.choices)

    return SurveyRelease(f"randomized response of {name} with flip probability {flip}", laws)


_READERS: Mapping[str, Callable[[Block, Layout, bool], SurveyRelease]] = {
    "geometric": _geometric,
    "randomized-response": _randomized_response,
}


def _statistic(block: Block, layout: Layout, *, is_weighted: bool) -> SurveyStatistic:
    kind = block.one_of("statistic", ("count", "total"))
    if kind == "count" and "of" in block:
        raise block.refuse("of", "belongs to a total")
    place = layout.place(block, "of") if kind == "total" else None
    where, chosen = _condition(block, layout)
    unit = block.exact("unit") if "unit" in block else Fraction(1)
    if unit <= 0:
        raise block.refuse("unit", f"must be positive; got {unit}")

    def query(data: UnitData) -> Fraction:
        total = Fraction(0)
        for _, record in data:
            if all(record[at] == value for at, value in chosen):
                value = 1 if place is None else layout.number(block.where("of"), layout.names[place], record[place])
                total += value * (record[-1] if is_weighted else 1)
        return total

    what = "the number of records" if place is None else f"the total of {layout.names[place]}"
    return SurveyStatistic(f"{'the weighted form of ' if is_weighted else ''}{what}{where}", query, unit, block.place)


def _condition(block: Block, layout: Layout) -> tuple[str, list[tuple[int, Any]]]:
    """The condition on a record, in words, and as places with their values."""
    if "where" not in block:
        return "", []
    given = block.table("where")
    chosen = [(layout.place(given, name, name), layout.value(given, name, name)) for name in given.values]
    words = " and ".join(f"{layout.names[place]} = {value}" for place, value in chosen)
    return f" with {words}", chosen
